//! The table of callables with a known policy.
//!
//! A C function is known by its method definition, which all its bound objects share; a
//! type or other object by its address. The Python side (`pef.models`) fills the table.

use pyo3::exceptions::PyTypeError;
use pyo3::ffi;
use pyo3::prelude::*;
use rustc_hash::{FxHashMap, FxHashSet};

use crate::boundary::{GilCell, Obj};

/// How a callable treats symbolic arguments.
pub enum Policy {
    /// It stores them, or reaches them only through slots that record.
    Transparent,
    /// This callable models it (a new reference).
    Model(Obj),
    /// Nothing is known: its symbolic arguments are pinned.
    Unknown,
}

enum Entry {
    Transparent,
    Model(Py<PyAny>),
}

#[derive(Default)]
struct Registry {
    entries: FxHashMap<usize, Entry>,
    /// Keeps registered objects alive, so that their addresses stay theirs.
    kept: Vec<Py<PyAny>>,
    /// `adopt(callable) -> bool`: rewrites a Python function or class in place.
    adopter: Option<Py<PyAny>>,
    /// Code of functions that cannot be rewritten (no source).
    unadoptable: FxHashSet<usize>,
}

static REGISTRY: GilCell<Option<Registry>> = GilCell::new(None);

fn with<R>(body: impl FnOnce(&mut Registry) -> R) -> R {
    REGISTRY.with(|registry| body(registry.get_or_insert_with(Registry::default)))
}

/// The address a callable is known by.
fn key(callee: Obj) -> usize {
    // SAFETY: `callee` is a live object of the type just checked, whose layout is part of
    // the C API.
    unsafe {
        let class = ffi::Py_TYPE(callee);
        if ffi::PyCFunction_Check(callee) != 0 {
            return (*callee.cast::<ffi::PyCFunctionObject>()).m_ml as usize;
        }
        if class == &raw mut ffi::PyMethodDescr_Type {
            return (*callee.cast::<MethodDescriptor>()).method as usize;
        }
        if class == &raw mut ffi::PyWrapperDescr_Type {
            // `base` and `wrapped` together name a slot wrapper; it is unique per type.
            return callee as usize;
        }
        callee as usize
    }
}

/// `PyMethodDescrObject`, of which only the definition matters.
#[repr(C)]
struct MethodDescriptor {
    head: ffi::PyObject,
    class: *mut ffi::PyTypeObject,
    name: Obj,
    qualified_name: Obj,
    method: *mut ffi::PyMethodDef,
}

/// What is known about a callable that is no plain Python function.
pub fn policy(callee: Obj) -> Policy {
    let known = with(|registry| match registry.entries.get(&key(callee)) {
        Some(Entry::Transparent) => Some(Policy::Transparent),
        // SAFETY: a new reference to a registered object.
        Some(Entry::Model(model)) => Some(Policy::Model(unsafe { ffi::Py_NewRef(model.as_ptr()) })),
        None => None,
    });
    known.unwrap_or_else(|| by_kind(callee))
}

/// Callables that need no entry: exceptions only store their arguments; a method of one of
/// our values records by itself.
fn by_kind(callee: Obj) -> Policy {
    // SAFETY: live objects; type checks have no side effects.
    unsafe {
        if ffi::PyType_Check(callee) != 0 {
            let class = callee.cast::<ffi::PyTypeObject>();
            let exceptions = ffi::PyExc_BaseException.cast::<ffi::PyTypeObject>();
            if ffi::PyType_IsSubtype(class, exceptions) != 0 {
                return Policy::Transparent;
            }
        }
        if ffi::PyCFunction_Check(callee) != 0 {
            let receiver = ffi::PyCFunction_GetSelf(callee);
            if !receiver.is_null() && crate::values::is_native(receiver) {
                return Policy::Transparent;
            }
        }
    }
    Policy::Unknown
}

/// Declares callables that lose nothing.
#[pyfunction]
pub fn register_transparent(callee: Bound<'_, PyAny>) {
    let key = key(callee.as_ptr());
    with(|registry| {
        registry.entries.insert(key, Entry::Transparent);
        registry.kept.push(callee.unbind());
    });
}

/// Declares the model of a callable.
#[pyfunction]
pub fn register_model(callee: Bound<'_, PyAny>, model: Bound<'_, PyAny>) -> PyResult<()> {
    if !model.is_callable() {
        return Err(PyTypeError::new_err("a model must be callable"));
    }
    let key = key(callee.as_ptr());
    with(|registry| {
        registry.entries.insert(key, Entry::Model(model.unbind()));
        registry.kept.push(callee.unbind());
    });
    Ok(())
}

/// Sets the function that rewrites an already loaded Python function or class in place.
#[pyfunction]
pub fn set_adopter(adopter: Option<Py<PyAny>>) {
    with(|registry| {
        registry.adopter = adopter;
        registry.unadoptable.clear();
    });
}

/// The adopter, if one is set.
pub fn adopter(py: Python<'_>) -> Option<Py<PyAny>> {
    with(|registry| {
        registry
            .adopter
            .as_ref()
            .map(|adopter| adopter.clone_ref(py))
    })
}

/// Remembers that a function cannot be rewritten.
pub fn mark_unadoptable(code: Bound<'_, PyAny>) {
    let address = code.as_ptr() as usize;
    with(|registry| {
        if registry.unadoptable.insert(address) {
            registry.kept.push(code.unbind());
        }
    });
}

/// Whether a function is known not to be rewritable.
pub fn is_unadoptable(code: Obj) -> bool {
    with(|registry| registry.unadoptable.contains(&(code as usize)))
}
