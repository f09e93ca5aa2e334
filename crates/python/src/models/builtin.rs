//! Models of the built-in types and functions that are called all the time.

use pef_logic::{BinaryOp, Integer, Sort, TermId, TermPool, UnaryOp};
use pyo3::ffi;
use pyo3::prelude::*;
use std::ffi::CStr;

use super::guard;
use super::printing;
use super::registry;
use crate::boundary::{Made, Obj, made, object};
use crate::recorder::build;
use crate::values::{self, Operand, bool_result, int_result, symbolic};

type Args = *const Obj;

/// The only argument of a call without keywords.
unsafe fn single(args: Args, count: ffi::Py_ssize_t, names: Obj) -> Option<Obj> {
    // SAFETY: `args` holds `count` live objects.
    (count == 1 && names.is_null()).then(|| unsafe { *args })
}

/// Calls the type itself; symbolic arguments are pinned.
unsafe fn fall_back(callee: Obj, args: Args, count: ffi::Py_ssize_t, names: Obj) -> Made {
    // SAFETY: the arguments of our own call are passed on.
    unsafe {
        let guarded = guard::wrap(callee)?;
        let result = ffi::PyObject_Vectorcall(guarded, args, count as usize, names);
        ffi::Py_DECREF(guarded);
        made(result)
    }
}

/// `int(x)` of one of our values is the same number.
unsafe extern "C" fn int_model(
    _: Obj,
    args: *const Obj,
    count: ffi::Py_ssize_t,
    names: Obj,
) -> Obj {
    object(|| {
        // SAFETY: called by the interpreter with live arguments.
        unsafe {
            match single(args, count, names) {
                Some(value) if values::is_number(value) => made(values::arithmetic::as_int(value)),
                Some(value) if values::float::is_float(value) => values::float::to_int(value),
                _ if count != 1 || values::text::kind_of(*args).is_some() => {
                    let parse = printing::room(c"pef.models.text.parsing", c"int_of")?;
                    let number = ffi::PyObject_Vectorcall(parse, args, count as usize, names);
                    ffi::Py_DECREF(parse);
                    made(number)
                }
                _ => {
                    let class = (&raw mut ffi::PyLong_Type).cast();
                    fall_back(class, args, count, names)
                }
            }
        }
    })
}

/// `bool(x)` asks nothing yet.
unsafe extern "C" fn bool_model(
    _: Obj,
    args: *const Obj,
    count: ffi::Py_ssize_t,
    names: Obj,
) -> Obj {
    object(|| {
        // SAFETY: called by the interpreter with live arguments. `bool` itself asks any
        // other object for its truth, which records.
        unsafe {
            if let Some(value) = single(args, count, names)
                && let Some((sort, term)) = symbolic(value)
            {
                return truth_of(value, sort, term);
            }
            let class = (&raw mut ffi::PyBool_Type).cast::<ffi::PyObject>();
            made(ffi::PyObject_Vectorcall(class, args, count as usize, names))
        }
    })
}

fn truth_of(value: Obj, sort: Sort, term: TermId) -> Made {
    if sort == Sort::Bool {
        // SAFETY: a new reference to a live object.
        return Ok(unsafe { ffi::Py_NewRef(value) });
    }
    let truth = build(|pool| values::truth_term(pool, sort, term));
    bool_result(values::concrete_truth(value), truth.unwrap_or(term))
}

/// `type(x)` of one of our values is what its class says.
unsafe extern "C" fn type_model(
    _: Obj,
    args: *const Obj,
    count: ffi::Py_ssize_t,
    names: Obj,
) -> Obj {
    object(|| {
        // SAFETY: called by the interpreter with live arguments.
        unsafe {
            if let Some(value) = single(args, count, names) {
                if let Some(class) = crate::inputs::lazy::stands_for(value) {
                    return Ok(class);
                }
                if values::is_native(value) {
                    return made(ffi::PyObject_GetAttrString(value, c"__class__".as_ptr()));
                }
                let class = ffi::Py_TYPE(value);
                let stands_for = Python::attach(|py| registry::stands_for(py, class));
                if let Some(stands_for) = stands_for {
                    return Ok(stands_for.into_ptr());
                }
            }
            let class = (&raw mut ffi::PyType_Type).cast::<ffi::PyObject>();
            made(ffi::PyObject_Vectorcall(class, args, count as usize, names))
        }
    })
}

/// `len(x)`: of a stand-in of ours it may be symbolic.
unsafe extern "C" fn len_model(_: Obj, value: Obj) -> Obj {
    object(|| {
        // SAFETY: a live object.
        unsafe {
            if let Some(length) = values::text::length(value)? {
                return Ok(length);
            }
            if let Some(length) = crate::inputs::lazy::length(value) {
                return Ok(length);
            }
            let class = ffi::Py_TYPE(value);
            if Python::attach(|py| registry::stands_for(py, class)).is_some() {
                let name = ffi::PyUnicode_InternFromString(c"__len__".as_ptr());
                let length = ffi::PyObject_CallMethodNoArgs(value, name);
                ffi::Py_DECREF(name);
                return made(length);
            }
            match ffi::PyObject_Size(value) {
                -1 => Err(crate::boundary::Raised),
                length => made(ffi::PyLong_FromSsize_t(length)),
            }
        }
    })
}

/// `hash(x)` of an int: its remainder by a Mersenne prime, with its sign, and never -1.
unsafe extern "C" fn hash_model(_: Obj, value: Obj) -> Obj {
    object(|| {
        // SAFETY: a live object; `int`'s own hash of a live int.
        unsafe {
            let hash = match symbolic(value) {
                Some((Sort::Bool | Sort::Int, _)) => ffi::PyLong_Type.tp_hash,
                Some((Sort::Str | Sort::Bytes | Sort::Float, _)) | None => {
                    return made(ffi::PyLong_FromSsize_t(checked_hash(value)?));
                }
            };
            let concrete = hash.map_or(0, |hash| hash(value));
            let concrete = made(ffi::PyLong_FromSsize_t(concrete))?;
            let term = Operand::of(value).map(Operand::as_int);
            let term = term.and_then(|term| build(|pool| hash_term(pool, term)));
            term.map_or(Ok(concrete), |term| int_result(concrete, term))
        }
    })
}

unsafe fn checked_hash(value: Obj) -> Result<ffi::Py_hash_t, crate::boundary::Raised> {
    // SAFETY: a live object; -1 means an exception.
    match unsafe { ffi::PyObject_Hash(value) } {
        -1 => Err(crate::boundary::Raised),
        hash => Ok(hash),
    }
}

/// `sys.hash_info.modulus` of every 64-bit CPython.
const HASH_MODULUS: i64 = (1 << 61) - 1;

fn hash_term(pool: &mut TermPool, number: TermId) -> TermId {
    let (zero, modulus) = (pool.small(0), pool.int(Integer::from(HASH_MODULUS)));
    let above = pool.binary(BinaryOp::Mod, number, modulus);
    let opposite = pool.unary(UnaryOp::Neg, number);
    let below = pool.binary(BinaryOp::Mod, opposite, modulus);
    let below = pool.unary(UnaryOp::Neg, below);
    let negative = pool.lt(number, zero);
    let hash = pool.ite(negative, below, above);
    let (error, replacement) = (pool.small(-1), pool.small(-2));
    let is_error = pool.eq(hash, error);
    pool.ite(is_error, replacement, hash)
}

pub(super) fn varied(
    name: &'static CStr,
    function: ffi::PyCFunctionFastWithKeywords,
) -> ffi::PyMethodDef {
    ffi::PyMethodDef {
        ml_name: name.as_ptr(),
        ml_meth: ffi::PyMethodDefPointer {
            PyCFunctionFastWithKeywords: function,
        },
        ml_flags: ffi::METH_FASTCALL | ffi::METH_KEYWORDS,
        ml_doc: std::ptr::null(),
    }
}

pub(super) fn of_one(name: &'static CStr, function: ffi::PyCFunction) -> ffi::PyMethodDef {
    ffi::PyMethodDef {
        ml_name: name.as_ptr(),
        ml_meth: ffi::PyMethodDefPointer {
            PyCFunction: function,
        },
        ml_flags: ffi::METH_O,
        ml_doc: std::ptr::null(),
    }
}

/// Adds the models to the module as `model_int`, `model_bool`...; the Python side
/// registers them. In messages they go by the names of what they stand for.
pub fn install(module: &Bound<'_, PyModule>) -> PyResult<()> {
    let py = module.py();
    let mut table = vec![
        varied(c"int", int_model),
        varied(c"bool", bool_model),
        varied(c"type", type_model),
        of_one(c"len", len_model),
        of_one(c"hash", hash_model),
    ];
    table.extend(printing::definitions());
    let builtins = pyo3::types::PyString::new(py, "builtins");
    for definition in Box::leak(table.into_boxed_slice()) {
        // SAFETY: the definition is leaked; the result is a new reference.
        let model = unsafe {
            let model = ffi::PyCFunction_NewEx(
                &raw mut *definition,
                std::ptr::null_mut(),
                builtins.as_ptr(),
            );
            Bound::from_owned_ptr_or_err(py, model)?
        };
        let name: String = model.getattr("__name__")?.extract()?;
        module.add(format!("model_{name}"), model)?;
    }
    Ok(())
}
