//! Which callable runs when rewritten code calls something.
//!
//! Rewritten code calls `__pef_sel__(f)(...)`. [`select`] answers with `f` itself wherever
//! nothing can be lost: Python functions that were rewritten, and C functions that reach
//! values only through their slots. A registered model takes the place of its function;
//! any other C function gets a [`guard`] that pins symbolic arguments, visibly.
//!
//! Models are written in Python (`pef.models`) unless they are asked for all the time:
//! those are in [`builtin`]. [`seam`] is what models in Python are made with.

mod builtin;
pub mod guard;
mod kinds;
pub mod printing;
pub mod registry;
mod seam;
pub mod surrender;

use pyo3::ffi;
use pyo3::prelude::*;

use crate::boundary::{Made, Obj, object};
use crate::recorder;
use crate::sites;
use registry::Policy;

unsafe extern "C" {
    /// The type of bound methods; part of the C API, missing from `pyo3::ffi`.
    static mut PyMethod_Type: ffi::PyTypeObject;
    /// The function of a bound method, borrowed.
    fn PyMethod_Function(method: Obj) -> Obj;
    /// The receiver of a bound method, borrowed.
    fn PyMethod_Self(method: Obj) -> Obj;
}

/// Whether this is a function written in Python.
unsafe fn is_function(callee: Obj) -> bool {
    // SAFETY: a live object.
    unsafe { ffi::Py_TYPE(callee) == &raw mut ffi::PyFunction_Type }
}

/// Whether this is a bound method.
unsafe fn is_method(callee: Obj) -> bool {
    // SAFETY: a live object.
    unsafe { ffi::Py_TYPE(callee) == &raw mut PyMethod_Type }
}

/// The code of a function or bound method written in Python, borrowed.
unsafe fn code_of(callee: Obj) -> Option<Obj> {
    // SAFETY: a live object, of the type just checked.
    unsafe {
        let function = if is_method(callee) {
            PyMethod_Function(callee)
        } else {
            callee
        };
        is_function(function).then(|| ffi::PyFunction_GetCode(function))
    }
}

/// `__pef_sel__(f)`.
pub unsafe extern "C" fn sel(_: Obj, callee: Obj) -> Obj {
    if !recorder::is_recording() {
        // SAFETY: a new reference to the argument.
        return unsafe { ffi::Py_NewRef(callee) };
    }
    object(|| select(callee))
}

/// The callable to run instead of `callee`, as a new reference. A Python function that was
/// not rewritten is watched for symbolic arguments.
pub fn select(callee: Obj) -> Made {
    // SAFETY: `callee` is a live object; type checks have no side effects.
    unsafe {
        if let Some(code) = code_of(callee) {
            if sites::is_registered(code) || sites::is_internal(code) {
                return Ok(ffi::Py_NewRef(callee));
            }
            // A library function with a model is not adopted.
            return apply_policy(
                callee,
                &registry::registered(callee).unwrap_or(Policy::Unknown),
            );
        }
        let heap_type = ffi::Py_TPFLAGS_HEAPTYPE;
        if ffi::PyType_Check(callee) != 0
            && (*callee.cast::<ffi::PyTypeObject>()).tp_flags & heap_type != 0
        {
            // Operators of its instances will reach its methods without asking us.
            guard::adopt_class(callee)?;
        }
    }
    apply_policy(callee, &registry::policy(callee))
}

fn apply_policy(callee: Obj, policy: &Policy) -> Made {
    match *policy {
        Policy::Transparent if guard::is_slot_or_method(callee) => guard::wrap_reader(callee),
        // SAFETY: a new reference to a live object.
        Policy::Transparent => Ok(unsafe { ffi::Py_NewRef(callee) }),
        Policy::Treated(treatments) => guard::wrap_treated(callee, treatments),
        Policy::Model(model) => Ok(model),
        Policy::Guarded(model, method) => guard::wrap_modelled(callee, model, method),
        Policy::Unknown => guard::wrap(callee),
    }
}

/// Whether a callable, as it is now, can be handed symbolic values.
fn loses_nothing(callee: Obj) -> bool {
    // SAFETY: a live object.
    match unsafe { code_of(callee) } {
        Some(code) => sites::is_registered(code) || sites::is_internal(code),
        None => match registry::policy(callee) {
            Policy::Transparent => true,
            Policy::Model(model) | Policy::Guarded(model, _) => {
                // SAFETY: a new reference that is not needed.
                unsafe { ffi::Py_DECREF(model) };
                false
            }
            Policy::Treated(_) | Policy::Unknown => false,
        },
    }
}

/// As [`select`], for a function that C code will call; `None` and the like stay.
pub fn select_callback(callback: Obj) -> Made {
    // SAFETY: a live object.
    unsafe {
        if ffi::PyCallable_Check(callback) == 0 {
            return Ok(ffi::Py_NewRef(callback));
        }
    }
    select(callback)
}

/// Adds the registry, the native models and the seam to the module.
pub fn install(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_function(wrap_pyfunction!(registry::register_transparent, module)?)?;
    module.add_function(wrap_pyfunction!(registry::register_treated, module)?)?;
    module.add_function(wrap_pyfunction!(registry::register_model, module)?)?;
    module.add_function(wrap_pyfunction!(registry::register_guarded, module)?)?;
    module.add_function(wrap_pyfunction!(registry::register_instances, module)?)?;
    module.add_function(wrap_pyfunction!(registry::register_lazy, module)?)?;
    module.add_function(wrap_pyfunction!(registry::register_sequence, module)?)?;
    module.add_function(wrap_pyfunction!(registry::register_stand_in, module)?)?;
    module.add_function(wrap_pyfunction!(registry::set_adopter, module)?)?;
    builtin::install(module)?;
    seam::install(module)?;
    surrender::install(module.py())?;
    guard::install(module)
}
