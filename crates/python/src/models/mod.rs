//! Which callable runs when rewritten code calls something.
//!
//! Rewritten code calls `__pef_sel__(f)(...)`. [`select`] answers with `f` itself wherever
//! nothing can be lost: Python functions that were rewritten, and C functions that reach
//! values only through their slots. A registered model takes the place of its function;
//! any other C function gets a [`guard`] that pins symbolic arguments, visibly.

pub mod guard;
pub mod registry;

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
}

/// `__pef_sel__(f)`.
pub unsafe extern "C" fn sel(_: Obj, callee: Obj) -> Obj {
    if !recorder::is_recording() {
        // SAFETY: a new reference to the argument.
        return unsafe { ffi::Py_NewRef(callee) };
    }
    object(|| select(callee))
}

/// The callable to run instead of `callee`, as a new reference.
pub fn select(callee: Obj) -> Made {
    // SAFETY: `callee` is a live object; type checks have no side effects.
    unsafe {
        let class = ffi::Py_TYPE(callee);
        if class == &raw mut ffi::PyFunction_Type {
            return python_function(callee, callee);
        }
        if class == &raw mut PyMethod_Type {
            let function = PyMethod_Function(callee);
            if ffi::Py_TYPE(function) == &raw mut ffi::PyFunction_Type {
                return python_function(callee, function);
            }
        }
        match registry::policy(callee) {
            Policy::Transparent => Ok(ffi::Py_NewRef(callee)),
            Policy::Model(model) => Ok(model),
            Policy::Unknown => guard::wrap(callee),
        }
    }
}

/// A rewritten function runs as it is; another one is watched for symbolic arguments.
unsafe fn python_function(callee: Obj, function: Obj) -> Made {
    // SAFETY: `function` is a live function object; the code is borrowed.
    unsafe {
        let code = ffi::PyFunction_GetCode(function);
        if sites::is_registered(code) || registry::is_unadoptable(code) {
            return Ok(ffi::Py_NewRef(callee));
        }
    }
    guard::wrap(callee)
}

/// Adds the registry functions to the module.
pub fn install(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_function(wrap_pyfunction!(registry::register_transparent, module)?)?;
    module.add_function(wrap_pyfunction!(registry::register_model, module)?)?;
    module.add_function(wrap_pyfunction!(registry::set_adopter, module)?)?;
    guard::install(module)
}
