//! `SymBool`: the truth of a condition, not yet asked for.
//!
//! `bool` cannot be subclassed, so this is an `int` whose `__class__` says `bool`. The
//! branch is recorded when its truth is asked; C code gets a real bool.

use pyo3::ffi;
use pyo3::prelude::*;

/// Makes the type.
pub(super) fn make_type(py: Python<'_>) -> PyResult<*mut ffi::PyTypeObject> {
    super::int::shared_slots().subtype_of_int(py, c"pef._native.SymBool", "bool")
}
