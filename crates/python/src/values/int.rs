//! `SymInt`: an `int` that remembers how it was computed.

use pyo3::ffi;
use pyo3::prelude::*;
use std::ffi::c_void;

use super::spec::Slots;
use super::{arithmetic, compare, methods};
use crate::boundary::Obj;

pub(super) unsafe extern "C" fn dealloc(object: Obj) {
    // SAFETY: the last reference to an object from `layout::new_tagged`; a heap type's
    // instance holds a reference to its type.
    unsafe {
        let class = ffi::Py_TYPE(object);
        ffi::PyObject_Free(object.cast());
        ffi::Py_DECREF(class.cast());
    }
}

/// The slots both native types share.
pub(super) fn shared_slots() -> Slots {
    let mut slots = Slots::new();
    slots
        .add(ffi::Py_tp_dealloc, dealloc as *mut c_void)
        .add(ffi::Py_tp_methods, methods::method_table())
        .add(ffi::Py_tp_getset, methods::getter_table())
        .add(ffi::Py_tp_repr, methods::repr as *mut c_void)
        .add(ffi::Py_tp_str, methods::repr as *mut c_void)
        .add(ffi::Py_tp_hash, arithmetic::hash as *mut c_void)
        .add(ffi::Py_tp_richcompare, compare::rich_compare as *mut c_void)
        .add(ffi::Py_nb_add, arithmetic::add as *mut c_void)
        .add(ffi::Py_nb_subtract, arithmetic::subtract as *mut c_void)
        .add(ffi::Py_nb_multiply, arithmetic::multiply as *mut c_void)
        .add(
            ffi::Py_nb_floor_divide,
            arithmetic::floor_divide as *mut c_void,
        )
        .add(ffi::Py_nb_remainder, arithmetic::remainder as *mut c_void)
        .add(ffi::Py_nb_divmod, arithmetic::divmod as *mut c_void)
        .add(
            ffi::Py_nb_true_divide,
            arithmetic::true_divide as *mut c_void,
        )
        .add(ffi::Py_nb_power, arithmetic::power as *mut c_void)
        .add(ffi::Py_nb_lshift, arithmetic::left_shift as *mut c_void)
        .add(ffi::Py_nb_rshift, arithmetic::right_shift as *mut c_void)
        .add(ffi::Py_nb_and, arithmetic::and as *mut c_void)
        .add(ffi::Py_nb_or, arithmetic::or as *mut c_void)
        .add(ffi::Py_nb_xor, arithmetic::xor as *mut c_void)
        .add(ffi::Py_nb_negative, arithmetic::negative as *mut c_void)
        .add(ffi::Py_nb_positive, arithmetic::as_int as *mut c_void)
        .add(ffi::Py_nb_absolute, arithmetic::absolute as *mut c_void)
        .add(ffi::Py_nb_invert, arithmetic::invert as *mut c_void)
        .add(ffi::Py_nb_bool, arithmetic::truth as *mut c_void)
        .add(ffi::Py_nb_int, arithmetic::plain_int as *mut c_void)
        .add(ffi::Py_nb_index, arithmetic::as_int as *mut c_void)
        .add(ffi::Py_nb_float, arithmetic::as_float as *mut c_void);
    slots
}

/// Makes the type.
pub(super) fn make_type(py: Python<'_>) -> PyResult<*mut ffi::PyTypeObject> {
    shared_slots().subtype_of_int(py, c"pef._native.SymInt", "int")
}
