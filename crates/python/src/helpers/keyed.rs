//! The types of dicts and sets that hold symbolic keys.
//!
//! Subtypes of `dict` and `set` with the same layout, so that an object can turn into one and back.
//! Subscripts and `in` are native; the methods are written in Python (`pef.models.keys`).

use pyo3::ffi;
use pyo3::prelude::*;
use std::ffi::{CStr, c_int, c_void};

use super::keys::{self, KeyedTypes, TYPES};
use crate::boundary::{Obj, made, number, object};

unsafe extern "C" fn subscript(dict: Obj, key: Obj) -> Obj {
    object(|| keys::lookup(dict, key))
}

unsafe extern "C" fn assign(dict: Obj, key: Obj, value: Obj) -> c_int {
    number(|| keys::store(dict, key, value).map(|()| 0))
}

unsafe extern "C" fn contains(container: Obj, key: Obj) -> c_int {
    number(|| match keys::contains(key, container)? {
        // SAFETY: an owned reference; its truth is a decision.
        Some(inside) => unsafe {
            let truth = ffi::PyObject_IsTrue(inside);
            ffi::Py_DECREF(inside);
            Ok(truth)
        },
        // SAFETY: the base's own answer, of a live container.
        None => unsafe {
            if ffi::PyDict_Check(container) != 0 {
                Ok(ffi::PyDict_Contains(container, key))
            } else {
                Ok(ffi::PySet_Contains(container, key))
            }
        },
    })
}

/// As that of the base, but not the same function: code that finds `dict`'s own reads the table of
/// the dict directly.
unsafe extern "C" fn iterate(container: Obj) -> Obj {
    object(|| {
        // SAFETY: a live container.
        unsafe {
            if ffi::PyDict_Check(container) == 0 {
                keys::pin_items(container)?;
            }
            made(keys::plain_iterator(container))
        }
    })
}

unsafe extern "C" fn get_class(container: Obj, _: *mut c_void) -> Obj {
    // SAFETY: a new reference to a static type.
    unsafe {
        let base = if ffi::PyDict_Check(container) != 0 {
            &raw mut ffi::PyDict_Type
        } else {
            &raw mut ffi::PySet_Type
        };
        ffi::Py_NewRef(base.cast())
    }
}

fn make(
    py: Python<'_>,
    base: *mut ffi::PyTypeObject,
    name: &'static CStr,
    shown: &str,
) -> PyResult<*mut ffi::PyTypeObject> {
    let getters = Box::leak(Box::new([
        ffi::PyGetSetDef {
            name: c"__class__".as_ptr(),
            get: Some(get_class),
            set: None,
            doc: std::ptr::null(),
            closure: std::ptr::null_mut(),
        },
        // SAFETY: all zeroes end the table.
        unsafe { std::mem::zeroed::<ffi::PyGetSetDef>() },
    ]));
    let mut slots = crate::values::Slots::new();
    slots
        .add(ffi::Py_tp_getset, getters.as_mut_ptr().cast())
        .add(ffi::Py_tp_iter, iterate as *mut c_void)
        .add(ffi::Py_sq_contains, contains as *mut c_void);
    if base == &raw mut ffi::PyDict_Type {
        slots
            .add(ffi::Py_mp_subscript, subscript as *mut c_void)
            .add(ffi::Py_mp_ass_subscript, assign as *mut c_void);
    }
    slots.subtype(py, base, 0, name, shown)
}

/// Makes the types and adds them to the module.
pub(super) fn install(module: &Bound<'_, PyModule>) -> PyResult<()> {
    let py = module.py();
    let dict = make(
        py,
        &raw mut ffi::PyDict_Type,
        c"pef._native.SymDict",
        "dict",
    )?;
    let set = make(py, &raw mut ffi::PySet_Type, c"pef._native.SymSet", "set")?;
    TYPES.with(|types| *types = KeyedTypes { dict, set });
    for (name, class) in [("SymDict", dict), ("SymSet", set)] {
        // SAFETY: a live type object; the module takes its own reference.
        module.add(name, unsafe { Bound::from_borrowed_ptr(py, class.cast()) })?;
    }
    module.add_function(wrap_pyfunction!(keys::find_key, module)?)?;
    module.add_function(wrap_pyfunction!(keys::dict_get, module)?)?;
    module.add_function(wrap_pyfunction!(keys::dict_set, module)?)?;
    module.add_function(wrap_pyfunction!(keys::dict_del, module)?)?;
    module.add_function(wrap_pyfunction!(keys::set_add, module)?)?;
    module.add_function(wrap_pyfunction!(keys::set_discard, module)?)
}
