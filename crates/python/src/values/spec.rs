//! Making a heap type from slots.

use pyo3::ffi;
use pyo3::prelude::*;
use std::ffi::{CStr, c_int, c_void};

/// `Py_TPFLAGS_DISALLOW_INSTANTIATION`: without it `SymInt(5)` would lack a tag.
const DISALLOW_INSTANTIATION: u64 = 1 << 7;

/// Slots of a type to be made.
pub struct Slots(Vec<ffi::PyType_Slot>);

impl Slots {
    /// No slots yet.
    pub fn new() -> Self {
        Slots(Vec::new())
    }

    /// Adds a slot.
    pub fn add(&mut self, slot: c_int, function: *mut c_void) -> &mut Self {
        self.0.push(ffi::PyType_Slot {
            slot,
            pfunc: function,
        });
        self
    }

    /// Makes the subtype of `int` with these slots, see [`subtype`](Self::subtype).
    pub fn subtype_of_int(
        self,
        py: Python<'_>,
        name: &'static CStr,
        shown: &str,
    ) -> PyResult<*mut ffi::PyTypeObject> {
        self.subtype(py, &raw mut ffi::PyLong_Type, 0, name, shown)
    }

    /// Makes the subtype of `base` with these slots and instances of `size` (0: as large as those of
    /// the base). It lives as long as the process. In messages (`'int' object is not iterable`)
    /// it goes by the name `shown`.
    pub fn subtype(
        mut self,
        py: Python<'_>,
        base: *mut ffi::PyTypeObject,
        size: usize,
        name: &'static CStr,
        shown: &str,
    ) -> PyResult<*mut ffi::PyTypeObject> {
        self.add(0, std::ptr::null_mut());
        let mut spec = ffi::PyType_Spec {
            name: name.as_ptr(),
            basicsize: size as c_int,
            itemsize: 0,
            flags: (ffi::Py_TPFLAGS_DEFAULT | DISALLOW_INSTANTIATION) as _,
            slots: self.0.as_mut_ptr(),
        };
        // SAFETY: the spec and its slots are valid for the call; slot tables that the type
        // keeps (methods, getters) are leaked statics.
        let made = unsafe {
            let bases = ffi::PyTuple_Pack(1, base.cast::<ffi::PyObject>());
            let made = ffi::PyType_FromSpecWithBases(&raw mut spec, bases);
            ffi::Py_DECREF(bases);
            made
        };
        if made.is_null() {
            return Err(PyErr::fetch(py));
        }
        // SAFETY: a new type object, which is never released.
        let class = unsafe { Bound::from_borrowed_ptr(py, made) };
        class.setattr("__name__", shown)?;
        class.setattr("__qualname__", shown)?;
        class.setattr("__module__", "builtins")?;
        Ok(made.cast())
    }
}
