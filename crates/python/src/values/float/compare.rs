//! Comparisons with symbolic floats: the result is a symbolic bool, with ints compared exactly.

use pef_logic::{Operation, Sort, TermId, TermPool};
use pyo3::ffi;
use std::ffi::c_int;

use super::super::arithmetic::not_implemented;
use super::super::dispatch::{Other, part_in_comparison};
use super::super::{Operand, bool_result, lift, operation, pin, symbolic};
use super::{inherited, is_float};
use crate::boundary::{Made, Obj, made, object};
use crate::models::guard::adopt_class_of;
use crate::recorder;

/// The comparison that holds for `b, a` where `op` holds for `a, b`.
pub(in super::super) fn mirrored(op: c_int) -> c_int {
    match op {
        ffi::Py_LT => ffi::Py_GT,
        ffi::Py_LE => ffi::Py_GE,
        ffi::Py_GT => ffi::Py_LT,
        ffi::Py_GE => ffi::Py_LE,
        same => same,
    }
}

/// `a op b`; one of them is a float, and one of ours is among them.
pub(in super::super) unsafe extern "C" fn rich_compare(a: Obj, b: Obj, op: c_int) -> Obj {
    object(|| {
        if !recorder::is_recording() {
            return concretely(a, b, op);
        }
        // SAFETY: a live object; type checks have no side effects.
        if unsafe { ffi::PyFloat_Check(a) } == 0 {
            return compared(b, a, mirrored(op));
        }
        compared(a, b, op)
    })
}

fn compared(float: Obj, other: Obj, op: c_int) -> Made {
    if is_float(float) && overrides(other) {
        return pinned(float, other, op);
    }
    let Some(left) = lift::term(float) else {
        return concretely(float, other, op);
    };
    // SAFETY: a live object; type checks have no side effects.
    let right_is_float = unsafe { ffi::PyFloat_Check(other) != 0 };
    let term = if right_is_float {
        lift::term(other).and_then(|right| recorder::build(|pool| floats(pool, op, left, right)))
    } else if let Some(right) = Operand::of(other).map(Operand::as_int) {
        recorder::build(|pool| with_int(pool, op, left, right))
    } else {
        return with_other_type(float, other, op);
    };
    // SAFETY: `float`'s comparison with a number gives a singleton; we own the reference.
    unsafe {
        let result = concretely(float, other, op)?;
        let value = result == ffi::Py_True();
        match term {
            Some(term) => {
                ffi::Py_DECREF(result);
                bool_result(value, term)
            }
            None => Ok(result),
        }
    }
}

fn floats(pool: &mut TermPool, op: c_int, left: TermId, right: TermId) -> TermId {
    match op {
        ffi::Py_LT => pool.apply(Operation::FloatLt, &[left, right]),
        ffi::Py_LE => pool.apply(Operation::FloatLe, &[left, right]),
        ffi::Py_GT => pool.apply(Operation::FloatLt, &[right, left]),
        ffi::Py_GE => pool.apply(Operation::FloatLe, &[right, left]),
        ffi::Py_EQ => pool.apply(Operation::FloatEq, &[left, right]),
        _ => {
            let equal = pool.apply(Operation::FloatEq, &[left, right]);
            pool.not(equal)
        }
    }
}

/// `float op int`, from the side of the int.
fn with_int(pool: &mut TermPool, op: c_int, float: TermId, int: TermId) -> TermId {
    let operation = match op {
        ffi::Py_LT => Operation::IntGtFloat,
        ffi::Py_LE => Operation::IntGeFloat,
        ffi::Py_GT => Operation::IntLtFloat,
        ffi::Py_GE => Operation::IntLeFloat,
        _ => Operation::IntEqFloat,
    };
    let term = pool.apply(operation, &[int, float]);
    if op == ffi::Py_NE {
        pool.not(term)
    } else {
        term
    }
}

fn concretely(a: Obj, b: Obj, op: c_int) -> Made {
    // SAFETY: `float`'s own comparison, whose left operand is a float; live operands.
    unsafe {
        match inherited::original_compare() {
            Some(slot) if ffi::PyFloat_Check(a) != 0 => made(slot(a, b, op)),
            _ => not_implemented(),
        }
    }
}

/// Whether a subclass of `float` that is not ours compares in its own way.
fn overrides(object: Obj) -> bool {
    // SAFETY: a live object and its type.
    unsafe {
        let function = |class: *mut ffi::PyTypeObject| (*class).tp_richcompare.map(|f| f as usize);
        ffi::PyFloat_Check(object) != 0
            && !is_float(object)
            && function(ffi::Py_TYPE(object)) != function(&raw mut ffi::PyFloat_Type)
    }
}

/// Python code and the types that know nothing of floats are asked next; any other C type would
/// read our value.
fn with_other_type(float: Obj, other: Obj, op: c_int) -> Made {
    if part_in_comparison(other) == Other::Aware {
        adopt_class_of(other)?;
        return not_implemented();
    }
    pinned(float, other, op)
}

fn pinned(float: Obj, other: Obj, op: c_int) -> Made {
    pin(float, operation("comparison with a value of another type"))?;
    if matches!(symbolic(other), Some((Sort::Int | Sort::Bool, _))) {
        pin(other, operation("comparison with a value of another type"))?;
    }
    // SAFETY: live objects; the plain value is owned.
    unsafe {
        let plain = super::super::concrete(float)?;
        let result = ffi::PyObject_RichCompare(plain, other, op);
        ffi::Py_DECREF(plain);
        made(result)
    }
}
