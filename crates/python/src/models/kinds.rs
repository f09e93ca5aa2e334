//! Policies of callables that have no entry in the registry, by what they are.
//!
//! A class is as harmless as its constructor, an object as its `__call__`, a method of one
//! of our values records by itself. Whatever is not understood here gets a guard.

use pyo3::ffi;
use pyo3::prelude::*;
use pyo3::types::{PyFunction, PyType};

use super::registry::{self, InstancePolicy, Policy};
use crate::boundary::Obj;
use crate::sites;
use crate::values;

/// The policy of a callable that is neither registered nor a Python function.
pub fn policy(callee: Obj) -> Policy {
    Python::attach(|py| {
        // SAFETY: a live object.
        let callee = unsafe { Bound::from_borrowed_ptr(py, callee) };
        if let Ok(class) = callee.cast::<PyType>() {
            return if class_loses_nothing(class) {
                Policy::Transparent
            } else {
                Policy::Unknown
            };
        }
        if let Some(policy) = bound_method(&callee) {
            return policy;
        }
        instance(&callee)
    })
}

/// Methods in C, bound to something: those of our own values record by themselves; the
/// constructors of types that only store keep what they get.
fn bound_method(callee: &Bound<'_, PyAny>) -> Option<Policy> {
    // SAFETY: a live object; the receiver is borrowed.
    let receiver = unsafe {
        if ffi::PyCFunction_Check(callee.as_ptr()) == 0 {
            return slot_wrapper(callee);
        }
        let receiver = ffi::PyCFunction_GetSelf(callee.as_ptr());
        if receiver.is_null() {
            return None;
        }
        Bound::from_borrowed_ptr(callee.py(), receiver)
    };
    if values::is_native(receiver.as_ptr()) {
        return Some(Policy::Transparent);
    }
    // All `__new__` share one definition; the receiver is the type.
    let class = receiver.cast::<PyType>().ok()?;
    let makes = callee
        .getattr("__name__")
        .is_ok_and(|name| name.eq("__new__").unwrap_or(false));
    (makes && only_stores(class)).then_some(Policy::Transparent)
}

/// `x.__add__`, `super().__init__` and the like: the descriptor is what is registered.
fn slot_wrapper(callee: &Bound<'_, PyAny>) -> Option<Policy> {
    if callee.get_type().name().ok()? != "method-wrapper" {
        return None;
    }
    if let Some(class) = made_by_type(callee) {
        return Some(makers_policy(&class));
    }
    let owner = callee.getattr("__objclass__").ok()?;
    let descriptor = owner.getattr("__dict__").ok()?;
    let descriptor = descriptor.get_item(callee.getattr("__name__").ok()?).ok()?;
    registry::registered(descriptor.as_ptr()).or_else(|| {
        let receiver = callee.getattr("__self__").ok()?;
        values::is_native(receiver.as_ptr()).then_some(Policy::Transparent)
    })
}

/// The class that `type.__call__`, bound to it, makes an instance of: what a metaclass calls in the end.
fn made_by_type<'py>(callee: &Bound<'py, PyAny>) -> Option<Bound<'py, PyType>> {
    let owner = callee.getattr("__objclass__").ok()?;
    let plain = owner.as_ptr().cast() == &raw mut ffi::PyType_Type;
    let calls = callee.getattr("__name__").ok()?.eq("__call__").ok()?;
    let class = callee
        .getattr("__self__")
        .ok()?
        .cast_into::<PyType>()
        .ok()?;
    (plain && calls && is_heap_type(&class)).then_some(class)
}

fn makers_policy(class: &Bound<'_, PyType>) -> Policy {
    let adopted = super::guard::adopt_class(class.as_ptr()).is_ok();
    if adopted && makers_are_harmless(class) {
        Policy::Transparent
    } else {
        Policy::Unknown
    }
}

fn instance(callee: &Bound<'_, PyAny>) -> Policy {
    let py = callee.py();
    match registry::instance_policy(py, callee.get_type_ptr()) {
        Some(InstancePolicy::Transparent) => return Policy::Transparent,
        Some(InstancePolicy::Chosen(choose)) => {
            return match choose.call1(py, (callee,)) {
                Ok(chosen) if chosen.as_ptr() == callee.as_ptr() => Policy::Transparent,
                Ok(chosen) => Policy::Model(chosen.into_ptr()),
                Err(_) => Policy::Unknown,
            };
        }
        None => {}
    }
    let call = callee.get_type().getattr("__call__");
    match call {
        Ok(call) if is_rewritten(&call) => Policy::Transparent,
        _ => Policy::Unknown,
    }
}

fn is_rewritten(function: &Bound<'_, PyAny>) -> bool {
    let Ok(function) = function.cast::<PyFunction>() else {
        return false;
    };
    // SAFETY: a live function; the code is borrowed.
    unsafe {
        let code = ffi::PyFunction_GetCode(function.as_ptr());
        sites::is_registered(code) || sites::is_internal(code)
    }
}

/// Whether making an instance reads no argument unnoticed.
fn class_loses_nothing(class: &Bound<'_, PyType>) -> bool {
    if is_exception(class) {
        return maker_is_harmless(class, "__init__");
    }
    // SAFETY: live type objects.
    let plain_metaclass = unsafe {
        let metaclass = class.get_type_ptr();
        let call = |class: *const ffi::PyTypeObject| (*class).tp_call.map(|call| call as usize);
        call(metaclass) == call(&raw const ffi::PyType_Type)
    };
    if !plain_metaclass {
        // What it makes of its arguments it makes in sight.
        let call = class.get_type().getattr("__call__");
        return is_heap_type(class) && call.is_ok_and(|call| is_rewritten(&call));
    }
    is_heap_type(class) && makers_are_harmless(class)
}

fn makers_are_harmless(class: &Bound<'_, PyType>) -> bool {
    maker_is_harmless(class, "__new__") && maker_is_harmless(class, "__init__")
}

/// Whether the class was made at run time, as all classes in Python are.
pub fn is_heap_type(class: &Bound<'_, PyType>) -> bool {
    // SAFETY: a live type object.
    unsafe { (*class.as_type_ptr()).tp_flags & ffi::Py_TPFLAGS_HEAPTYPE != 0 }
}

fn is_exception(class: &Bound<'_, PyType>) -> bool {
    // SAFETY: live type objects.
    unsafe {
        let exceptions = ffi::PyExc_BaseException.cast::<ffi::PyTypeObject>();
        ffi::PyType_IsSubtype(class.as_type_ptr(), exceptions) != 0
    }
}

/// Whether `__new__` or `__init__` of the class was rewritten or comes from a C type that
/// only stores its arguments.
fn maker_is_harmless(class: &Bound<'_, PyType>, name: &str) -> bool {
    for base in class.mro() {
        let Ok(base) = base.cast_into::<PyType>() else {
            return false;
        };
        let Ok(attributes) = base.getattr("__dict__") else {
            return false;
        };
        let Ok(maker) = attributes.get_item(name) else {
            continue;
        };
        // `__new__` is a static method.
        let maker = maker.getattr("__func__").unwrap_or(maker);
        if maker.is_instance_of::<PyFunction>() {
            return is_rewritten(&maker) || is_generated(class, &maker);
        }
        return only_stores(&base) || (name == "__new__" && ignores_arguments(&base));
    }
    true
}

/// Whether `__new__` of a C type is the one that looks at no argument.
fn ignores_arguments(class: &Bound<'_, PyType>) -> bool {
    let generic = ffi::PyType_GenericNew as *const () as usize;
    // SAFETY: a live type object.
    unsafe { (*class.as_type_ptr()).tp_new }.is_some_and(|new| new as usize == generic)
}

fn only_stores(class: &Bound<'_, PyType>) -> bool {
    class.as_type_ptr() == &raw mut ffi::PyBaseObject_Type
        || is_exception(class)
        // These have models; what their C code does with symbolic keys is visible: it hashes them.
        || [
            &raw mut ffi::PyDict_Type,
            &raw mut ffi::PyList_Type,
            &raw mut ffi::PyTuple_Type,
        ]
        .contains(&class.as_type_ptr())
        || matches!(
            registry::registered(class.as_ptr()),
            Some(Policy::Transparent)
        )
}

/// The constructors that `dataclasses` and `namedtuple` write: they store their arguments.
fn is_generated(class: &Bound<'_, PyType>, function: &Bound<'_, PyAny>) -> bool {
    let made_up = || -> PyResult<bool> {
        let code = function.getattr("__code__")?;
        let file: String = code.getattr("co_filename")?.extract()?;
        if !file.starts_with('<') {
            return Ok(false);
        }
        let names: Vec<String> = code.getattr("co_names")?.extract()?;
        let name: String = function.getattr("__name__")?.extract()?;
        let named_tuple = name == "__new__" && names == ["_tuple_new"];
        let dataclass = name == "__init__" && class.hasattr("__dataclass_fields__")?;
        Ok(named_tuple || dataclass)
    };
    made_up().unwrap_or(false)
}
