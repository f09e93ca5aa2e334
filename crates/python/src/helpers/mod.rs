//! The native helpers rewritten code refers to, one per kind of expression that slots
//! alone do not see. Without symbolic values each is the plain operation.

mod coverage;
mod displays;
mod equality;
mod identity;
pub mod keyed;
pub mod keys;
mod membership;
mod merging;
mod set_order;
mod subscripts;

use pyo3::ffi;
use pyo3::prelude::*;
use std::ffi::{CStr, c_int};

use crate::boundary::{Made, Obj, Raised, made, object};
use crate::models;
use crate::recorder::build;
use crate::values::{self, bool_result, operation, symbolic};

pub use membership::in_range_truth;
pub use subscripts::{settle_index, settled_slice};

fn small_value(object: Obj) -> Option<i64> {
    let mut overflow = 0;
    // SAFETY: a live int.
    let value = unsafe { ffi::PyLong_AsLongLongAndOverflow(object, &raw mut overflow) };
    (overflow == 0).then_some(value)
}

/// `not x`
unsafe extern "C" fn not(_: Obj, value: Obj) -> Obj {
    object(|| negation(value))
}

fn negation(value: Obj) -> Made {
    if let Some((sort, term)) = symbolic(value) {
        let truth = values::concrete_truth(value);
        let negated = build(|pool| {
            let truth = values::truth_term(pool, sort, term);
            pool.not(truth)
        });
        if let Some(negated) = negated {
            return bool_result(!truth, negated);
        }
    }
    // SAFETY: a live object.
    unsafe {
        match ffi::PyObject_Not(value) {
            -1 => Err(Raised),
            0 => Ok(ffi::Py_NewRef(ffi::Py_False())),
            _ => Ok(ffi::Py_NewRef(ffi::Py_True())),
        }
    }
}

/// `a % b`
unsafe extern "C" fn modulo(_: Obj, args: *mut Obj, _: ffi::Py_ssize_t) -> Obj {
    // SAFETY: called with two arguments by rewritten code.
    unsafe { ffi::PyNumber_Remainder(*args, *args.add(1)) }
}

/// `__pef_join__(part, ...)`: an f-string.
unsafe extern "C" fn join(_: Obj, args: *mut Obj, count: ffi::Py_ssize_t) -> Obj {
    object(|| {
        // SAFETY: `args` holds `count` live strings; every reference made here is released here.
        unsafe {
            let parts = std::slice::from_raw_parts(args, count as usize);
            if parts.iter().any(|&part| values::is_native(part)) {
                return values::text::concatenated(parts);
            }
            let all = made(ffi::PyTuple_New(count))?;
            for (position, &part) in parts.iter().enumerate() {
                ffi::PyTuple_SET_ITEM(all, position as ffi::Py_ssize_t, ffi::Py_NewRef(part));
            }
            let empty = ffi::PyUnicode_New(0, 127);
            let joined = ffi::PyUnicode_Join(empty, all);
            ffi::Py_DECREF(empty);
            ffi::Py_DECREF(all);
            made(joined)
        }
    })
}

/// `__pef_plain__(method, value)`: what a special method hands to C code, which would copy
/// the digits of a number and refuse a bool that is ours.
unsafe extern "C" fn plain(_: Obj, args: *mut Obj, _: ffi::Py_ssize_t) -> Obj {
    // SAFETY: called with two arguments by rewritten code.
    let (method, value) = unsafe { (*args, *args.add(1)) };
    if !values::is_native(value) {
        // SAFETY: a new reference to the argument.
        return unsafe { ffi::Py_NewRef(value) };
    }
    object(|| values::surrender(value, operation(reason_of(method))))
}

fn reason_of(method: Obj) -> &'static str {
    let name = Python::attach(|py| {
        // SAFETY: a live object.
        let method = unsafe { Bound::from_borrowed_ptr(py, method) };
        method.extract::<String>().unwrap_or_default()
    });
    match name.as_str() {
        "__bool__" => "result of __bool__()",
        "__len__" => "result of __len__()",
        "__length_hint__" => "result of __length_hint__()",
        "__hash__" => "result of __hash__()",
        "__index__" => "result of __index__()",
        "__float__" => "result of __float__()",
        _ => "result of __int__()",
    }
}

/// The concrete value of anything, for reports.
#[pyfunction]
fn concrete<'py>(value: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
    let py = value.py();
    // SAFETY: the result is a new reference.
    unsafe {
        match values::concrete(value.as_ptr()) {
            Ok(plain) => Ok(Bound::from_owned_ptr(py, plain)),
            Err(Raised) => Err(PyErr::fetch(py)),
        }
    }
}

fn fast(name: &'static CStr, function: ffi::PyCFunctionFast) -> ffi::PyMethodDef {
    ffi::PyMethodDef {
        ml_name: name.as_ptr(),
        ml_meth: ffi::PyMethodDefPointer {
            PyCFunctionFast: function,
        },
        ml_flags: ffi::METH_FASTCALL,
        ml_doc: std::ptr::null(),
    }
}

fn single(name: &'static CStr, function: ffi::PyCFunction) -> ffi::PyMethodDef {
    ffi::PyMethodDef {
        ml_name: name.as_ptr(),
        ml_meth: ffi::PyMethodDefPointer {
            PyCFunction: function,
        },
        ml_flags: ffi::METH_O,
        ml_doc: std::ptr::null(),
    }
}

/// Adds the helpers to the module.
pub fn install(module: &Bound<'_, PyModule>) -> PyResult<()> {
    let table = vec![
        single(c"__pef_sel__", models::sel),
        single(c"__pef_not__", not),
        single(c"__pef_at__", subscripts::at),
        fast(c"__pef_getitem__", subscripts::getitem),
        fast(c"__pef_getslice__", subscripts::getslice),
        fast(c"__pef_in__", membership::contains),
        fast(c"__pef_not_in__", membership::not_contains),
        fast(c"__pef_is__", identity::is_same),
        fast(c"__pef_is_not__", identity::is_not_same),
        fast(c"__pef_numbers__", merging::are_numbers),
        fast(c"__pef_either__", merging::either),
        fast(c"__pef_mod__", modulo),
        fast(c"__pef_field__", models::printing::field),
        fast(c"__pef_join__", join),
        fast(c"__pef_plain__", plain),
        fast(c"__pef_dict__", displays::dict),
        fast(c"__pef_set__", displays::set),
        fast(c"__pef_spread__", displays::spread),
        fast(c"__pef_entry__", displays::entry),
        single(c"__pef_entries__", displays::entries),
        fast(c"__pef_probe__", coverage::probe),
        ffi::PyMethodDef::zeroed(),
    ];
    let table = Box::leak(table.into_boxed_slice()).as_mut_ptr();
    // SAFETY: the table is terminated and leaked.
    let status: c_int = unsafe { ffi::PyModule_AddFunctions(module.as_ptr(), table) };
    if status < 0 {
        return Err(PyErr::fetch(module.py()));
    }
    module.add_function(wrap_pyfunction!(concrete, module)?)?;
    keyed::install(module)?;
    module.add_function(wrap_pyfunction!(subscripts::settled_index, module)?)?;
    module.add_function(wrap_pyfunction!(coverage::probed, module)?)?;
    Ok(())
}
