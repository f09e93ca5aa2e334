//! Replacing the function in a slot of a type that is not ours.
//!
//! A slot is known in two places: in the type, where operators find it, and in the
//! descriptor of the method it stands for (`float.__add__`), from where classes made later
//! copy it. Both are changed, or subclasses would go behind our back.

use pyo3::ffi;
use pyo3::prelude::*;
use pyo3::types::PyType;

use crate::layout::SlotWrapper;

/// Makes the descriptors of `class` that stand for the function `old` stand for `new`.
///
/// # Safety
/// `class` is a live type; both are functions for the same slot; the GIL is held.
pub(super) unsafe fn repoint(class: *mut ffi::PyTypeObject, old: usize, new: usize) {
    // SAFETY: the dict of a type is walked without being changed; the layout of wrapper descriptors was
    // checked at start-up.
    unsafe {
        let attributes = ffi::PyObject_GetAttrString(class.cast(), c"__dict__".as_ptr());
        if attributes.is_null() {
            ffi::PyErr_Clear();
            return;
        }
        let values = ffi::PyMapping_Values(attributes);
        ffi::Py_DECREF(attributes);
        if values.is_null() {
            ffi::PyErr_Clear();
            return;
        }
        for index in 0..ffi::PyList_GET_SIZE(values) {
            let value = ffi::PyList_GET_ITEM(values, index);
            if ffi::Py_TYPE(value) == &raw mut ffi::PyWrapperDescr_Type {
                let wrapper = value.cast::<SlotWrapper>();
                if (*wrapper).class == class && (*wrapper).wrapped == old {
                    (*wrapper).wrapped = new;
                }
            }
        }
        ffi::Py_DECREF(values);
    }
}

/// Calls `change` with the classes made before, such as `defaultdict`: they have copies of the slots
/// of their bases. Our own values bring what they need.
pub(super) fn each_subclass(
    class: *mut ffi::PyTypeObject,
    change: &mut dyn FnMut(*mut ffi::PyTypeObject),
) {
    let subclasses = Python::attach(|py| {
        // SAFETY: a live type.
        let class = unsafe { Bound::from_borrowed_ptr(py, class.cast::<ffi::PyObject>()) };
        let subclasses = class.call_method0("__subclasses__");
        let subclasses = subclasses.and_then(|list| list.extract::<Vec<Py<PyType>>>());
        subclasses.unwrap_or_default()
    });
    for subclass in subclasses {
        let subclass = subclass.as_ptr().cast();
        if super::native_sort(subclass).is_none() {
            change(subclass);
            each_subclass(subclass, change);
        }
    }
}
