//! `x = a if c else b` without taking sides: all values in one term.
//!
//! A branch that only chooses a number need not be one. Rewritten code asks first whether that is all
//! it does ([`are_numbers`]), then for all values at once ([`either`]).

use pef_logic::{Sort, TermId};
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

/// `__pef_either__(c, a, d, b, ..., z)`: `a if c else b if d else ... z` of ints that are known. Where a
/// condition is symbolic, a number that depends on it; else, or if this run has many such numbers, a
/// decision.
pub(super) unsafe extern "C" fn either(_: Obj, args: *mut Obj, count: ffi::Py_ssize_t) -> Obj {
    // SAFETY: `args` holds `count` live objects.
    let parts = unsafe { std::slice::from_raw_parts(args, count as usize) };
    object(|| chosen(parts))
}

/// A symbolic condition and the number that goes with it.
struct Arm {
    condition: Obj,
    truth: TermId,
    number: Obj,
}

fn chosen(parts: &[Obj]) -> Made {
    let [arms @ .., last] = parts else {
        return Err(Raised);
    };
    let mut merged = Vec::new();
    let mut last = *last;
    for arm in arms.chunks_exact(2) {
        let (condition, number) = (arm[0], arm[1]);
        if let Some(truth) = mergeable(condition) {
            merged.push(Arm {
                condition,
                truth,
                number,
            });
        } else if is_true(condition)? {
            last = number;
            break;
        }
    }
    match joined(&merged, last) {
        Some(number) => number,
        None => decided(&merged, last),
    }
}

/// The condition as a term, if it is symbolic and one more may be merged.
fn mergeable(condition: Obj) -> Option<TermId> {
    let (Sort::Bool, truth) = symbolic(condition)? else {
        return None;
    };
    recorder::may_merge().then_some(truth)
}

/// One number that depends on all conditions, the first before the others.
fn joined(arms: &[Arm], last: Obj) -> Option<Made> {
    if arms.is_empty() {
        return None;
    }
    let (mut taken, mut term) = (last, lift::term(last)?);
    for arm in arms.iter().rev() {
        let number = lift::term(arm.number)?;
        term = build(|pool| pool.ite(arm.truth, number, term))?;
        if values::concrete_truth(arm.condition) {
            taken = arm.number;
        }
    }
    Some(values::concrete(taken).and_then(|plain| int_result(plain, term)))
}

fn decided(arms: &[Arm], last: Obj) -> Made {
    for arm in arms {
        if is_true(arm.condition)? {
            return Ok(new_reference(arm.number));
        }
    }
    Ok(new_reference(last))
}

fn is_true(condition: Obj) -> Result<bool, Raised> {
    // SAFETY: a live object.
    match unsafe { ffi::PyObject_IsTrue(condition) } {
        -1 => Err(Raised),
        truth => Ok(truth != 0),
    }
}

fn new_reference(object: Obj) -> Obj {
    // SAFETY: a live object.
    unsafe { ffi::Py_NewRef(object) }
}
