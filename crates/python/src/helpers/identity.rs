//! `a is b`, which asks no value.

use pef_logic::Sort;
use pyo3::ffi;

use super::{negation, small_value};
use crate::boundary::{Made, Obj, object};
use crate::recorder::build;
use crate::values::{self, bool_result, is_nonzero, operation, pin, symbolic};

/// `a is b`
pub(super) unsafe extern "C" fn is_same(_: Obj, args: *mut Obj, _: ffi::Py_ssize_t) -> Obj {
    // SAFETY: called with two arguments by rewritten code.
    let (a, b) = unsafe { (*args, *args.add(1)) };
    object(|| identity(a, b))
}

/// `a is not b`
pub(super) unsafe extern "C" fn is_not_same(_: Obj, args: *mut Obj, _: ffi::Py_ssize_t) -> Obj {
    // SAFETY: called with two arguments by rewritten code.
    let (a, b) = unsafe { (*args, *args.add(1)) };
    object(|| {
        let same = identity(a, b)?;
        // SAFETY: `same` is owned.
        unsafe {
            let result = negation(same);
            ffi::Py_DECREF(same);
            result
        }
    })
}

/// Bools are singletons, so their identity is their equality. Small ints are shared by
/// CPython but nothing promises it: identity of a symbolic int with another object is
/// equality of small values, pinned.
fn identity(a: Obj, b: Obj) -> Made {
    if a != b && (values::is_number(a) || values::is_number(b)) {
        let (left, right) = (symbolic(a), symbolic(b));
        let sorts = (left.map(|side| side.0), right.map(|side| side.0));
        if sorts.0 == Some(Sort::Bool) || sorts.1 == Some(Sort::Bool) {
            return bool_identity(a, b);
        }
        if is_plain_int(a) && is_plain_int(b) {
            return small_int_identity(a, b);
        }
    }
    // SAFETY: a new reference to a singleton.
    Ok(unsafe {
        ffi::Py_NewRef(if a == b {
            ffi::Py_True()
        } else {
            ffi::Py_False()
        })
    })
}

/// Whether an object is an int, plain or ours, and not of a class of its own.
pub(super) fn is_plain_int(object: Obj) -> bool {
    // SAFETY: a live object.
    unsafe { ffi::PyLong_CheckExact(object) != 0 || ffi::Py_TYPE(object) == values::types().int }
}

fn bool_identity(a: Obj, b: Obj) -> Made {
    let (Some(left), Some(right)) = (values::Operand::of(a), values::Operand::of(b)) else {
        // SAFETY: a new reference to a singleton.
        return Ok(unsafe { ffi::Py_NewRef(ffi::Py_False()) });
    };
    if left.sort != Sort::Bool || right.sort != Sort::Bool {
        // SAFETY: a new reference to a singleton.
        return Ok(unsafe { ffi::Py_NewRef(ffi::Py_False()) });
    }
    let same = is_nonzero(a) == is_nonzero(b);
    let term = build(|pool| pool.iff(left.term, right.term));
    match term {
        Some(term) => bool_result(same, term),
        // SAFETY: a new reference to a singleton.
        None => Ok(unsafe {
            ffi::Py_NewRef(if same {
                ffi::Py_True()
            } else {
                ffi::Py_False()
            })
        }),
    }
}

/// CPython keeps one object for each of these.
const SHARED_INTS: std::ops::RangeInclusive<i64> = -5..=256;

fn small_int_identity(a: Obj, b: Obj) -> Made {
    pin(a, operation("is"))?;
    pin(b, operation("is"))?;
    let same = match (small_value(a), small_value(b)) {
        (Some(left), Some(right)) => left == right && SHARED_INTS.contains(&left),
        _ => false,
    };
    // SAFETY: a new reference to a singleton.
    Ok(unsafe {
        ffi::Py_NewRef(if same {
            ffi::Py_True()
        } else {
            ffi::Py_False()
        })
    })
}
