//! `SymFloat`: a `float` that remembers how it was computed.

use pyo3::ffi;
use pyo3::prelude::*;
use std::ffi::{c_int, c_void};

use super::spec::Slots;
use super::{operation, pin, symbolic};
use crate::boundary::{Obj, Raised, number};
use crate::layout::Tag;
use crate::recorder::{self, build};

unsafe extern "C" fn truth(a: Obj) -> c_int {
    number(|| {
        let value = super::concrete_truth(a);
        if let Some((sort, term)) = symbolic(a)
            && let Some(condition) = build(|pool| super::truth_term(pool, sort, term))
        {
            recorder::decide_truth(condition, value)?;
        }
        Ok(c_int::from(value))
    })
}

unsafe extern "C" fn hash(a: Obj) -> ffi::Py_hash_t {
    number(|| {
        pin(a, operation("hash()"))?;
        // SAFETY: `float`'s own hash of a live float.
        unsafe {
            match ffi::PyFloat_Type.tp_hash {
                Some(slot) => Ok(slot(a)),
                None => Err(Raised),
            }
        }
    })
}

/// Makes the type.
pub(super) fn make_type(py: Python<'_>) -> PyResult<*mut ffi::PyTypeObject> {
    let mut slots = Slots::new();
    slots
        .add(ffi::Py_tp_dealloc, super::int::dealloc as *mut c_void)
        .add(ffi::Py_tp_getset, super::methods::class_getter_table())
        .add(ffi::Py_tp_hash, hash as *mut c_void)
        .add(ffi::Py_nb_bool, truth as *mut c_void);
    let size = size_of::<ffi::PyFloatObject>() + size_of::<Tag>();
    slots.subtype(
        py,
        &raw mut ffi::PyFloat_Type,
        size,
        c"pef._native.SymFloat",
        "float",
    )
}
