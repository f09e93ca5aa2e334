//! `x = a if c else b` without taking sides: both values in one term.
//!
//! A branch that only chooses a number need not be one. Rewritten code asks first whether that is all
//! it does ([`are_numbers`]), then for both values at once ([`either`]).

use pef_logic::Sort;
use pyo3::ffi;

use super::identity::is_plain_int;
use crate::boundary::{Made, Obj, Raised, object};
use crate::recorder::{self, build};
use crate::values::{self, int_result, lift, symbolic};

/// `__pef_numbers__(x, ...)`: whether a run records and these are ints, so that to compute with them
/// can neither fail nor be noticed.
pub(super) unsafe extern "C" fn are_numbers(_: Obj, args: *mut Obj, count: ffi::Py_ssize_t) -> Obj {
    object(|| {
        // SAFETY: `args` holds `count` live objects.
        let numbers = unsafe { std::slice::from_raw_parts(args, count as usize) };
        let all = recorder::is_recording() && numbers.iter().all(|&each| is_plain_int(each));
        // SAFETY: a new reference to a singleton.
        Ok(unsafe { ffi::Py_NewRef(if all { ffi::Py_True() } else { ffi::Py_False() }) })
    })
}

/// `__pef_either__(c, a, b)`: `a if c else b` of ints that are known. If the condition is symbolic,
/// a number that depends on it; else, or if this run has many such numbers, a decision.
pub(super) unsafe extern "C" fn either(_: Obj, args: *mut Obj, _: ffi::Py_ssize_t) -> Obj {
    // SAFETY: called with three arguments by rewritten code.
    let (condition, chosen, other) = unsafe { (*args, *args.add(1), *args.add(2)) };
    object(|| match merged(condition, chosen, other) {
        Some(number) => number,
        None => decided(condition, chosen, other),
    })
}

fn merged(condition: Obj, chosen: Obj, other: Obj) -> Option<Made> {
    let (Sort::Bool, truth) = symbolic(condition)? else {
        return None;
    };
    if !recorder::may_merge() {
        return None;
    }
    let (first, second) = (lift::term(chosen)?, lift::term(other)?);
    let term = build(|pool| pool.ite(truth, first, second))?;
    let taken = if values::concrete_truth(condition) {
        chosen
    } else {
        other
    };
    Some(values::concrete(taken).and_then(|plain| int_result(plain, term)))
}

fn decided(condition: Obj, chosen: Obj, other: Obj) -> Made {
    // SAFETY: live objects; a new reference to one of them.
    unsafe {
        match ffi::PyObject_IsTrue(condition) {
            -1 => Err(Raised),
            0 => Ok(ffi::Py_NewRef(other)),
            _ => Ok(ffi::Py_NewRef(chosen)),
        }
    }
}
