//! Comparisons with symbolic ints: the result is a symbolic bool.

use pef_logic::{Integer, TermId, TermPool};
use pyo3::ffi;
use std::ffi::c_int;

use super::arithmetic::not_implemented;
use super::dispatch::{Other, part_in_comparison};
use super::float;
use super::{Operand, bool_result, is_number, operation, pin, symbolic};
use crate::boundary::{Made, Obj, made, object};
use crate::models::guard::adopt_class_of;
use crate::recorder;

pub(super) unsafe extern "C" fn rich_compare(a: Obj, b: Obj, op: c_int) -> Obj {
    object(|| {
        if !recorder::is_recording() {
            return concretely(a, b, op);
        }
        match (Operand::of(a), Operand::of(b)) {
            // A subclass that compares in its own way would be asked first by Python.
            (Some(left), Some(right)) if !overrides_comparison(b) => {
                let (left, right) = (left.as_int(), right.as_int());
                let term = recorder::build(|pool| compare_term(pool, op, left, right));
                with_term(concretely(a, b, op)?, term)
            }
            _ => with_other_type(a, b, op),
        }
    })
}

fn compare_term(pool: &mut TermPool, op: c_int, left: TermId, right: TermId) -> TermId {
    match op {
        ffi::Py_LT => pool.lt(left, right),
        ffi::Py_LE => pool.le(left, right),
        ffi::Py_EQ => pool.eq(left, right),
        ffi::Py_NE => pool.ne(left, right),
        ffi::Py_GT => pool.gt(left, right),
        _ => pool.ge(left, right),
    }
}

/// A symbolic bool of a concrete comparison result.
fn with_term(result: Obj, term: Option<TermId>) -> Made {
    let Some(term) = term else { return Ok(result) };
    // SAFETY: `int`'s comparison of two ints gives a singleton; we own the reference.
    unsafe {
        let value = result == ffi::Py_True();
        ffi::Py_DECREF(result);
        bool_result(value, term)
    }
}

fn concretely(a: Obj, b: Obj, op: c_int) -> Made {
    // SAFETY: `int`'s own comparison, called with live objects.
    unsafe {
        match super::inherited::int_compare() {
            Some(slot) => made(slot(a, b, op)),
            None => not_implemented(),
        }
    }
}

/// A float compares exactly with an int, so no information is lost. Python code and the
/// types that know nothing of ints are asked next; any other C type would read the digits.
fn with_other_type(a: Obj, b: Obj, op: c_int) -> Made {
    // SAFETY: a live object; the plain value is owned.
    unsafe {
        if float::is_float(b) {
            return made(float::compare::rich_compare(
                b,
                a,
                float::compare::mirrored(op),
            ));
        }
        if ffi::PyFloat_Check(b) != 0 && symbolic(a).is_some() && !overrides_comparison(b) {
            return with_float(a, ffi::PyFloat_AS_DOUBLE(b), op);
        }
        if part_in_comparison(b) == Other::Aware && ffi::PyLong_Check(b) == 0 {
            adopt_class_of(b)?;
            return not_implemented();
        }
        if super::watched::has_twin(ffi::Py_TYPE(b)) {
            return not_implemented();
        }
        pin(a, operation("comparison with a value of another type"))?;
        let plain = super::concrete(a)?;
        let result = ffi::PyObject_RichCompare(plain, b, op);
        ffi::Py_DECREF(plain);
        made(result)
    }
}

/// Whether the class of an int or float compares in Python.
fn overrides_comparison(object: Obj) -> bool {
    // SAFETY: a live object and its type.
    unsafe {
        let function = |class: *mut ffi::PyTypeObject| (*class).tp_richcompare.map(|f| f as usize);
        let bases = [&raw mut ffi::PyLong_Type, &raw mut ffi::PyFloat_Type];
        let own = function(ffi::Py_TYPE(object));
        !is_number(object) && bases.iter().all(|&base| function(base) != own)
    }
}

/// `a op number`, over the integers.
fn with_float(a: Obj, number: f64, op: c_int) -> Made {
    let Some(left) = Operand::of(a).map(Operand::as_int) else {
        return not_implemented();
    };
    let term = recorder::build(|pool| float_term(pool, left, number, op)).flatten();
    // SAFETY: both are live; the float is owned here. The comparison is `float`'s, with
    // the operands swapped as Python itself would.
    let value = unsafe {
        let float = made(ffi::PyFloat_FromDouble(number))?;
        let int = super::concrete(a)?;
        let result = ffi::PyObject_RichCompareBool(int, float, op);
        ffi::Py_DECREF(float);
        ffi::Py_DECREF(int);
        if result < 0 {
            return Err(crate::boundary::Raised);
        }
        result == 1
    };
    match term {
        Some(term) => bool_result(value, term),
        // SAFETY: a new reference to a singleton.
        None => Ok(unsafe {
            ffi::Py_NewRef(if value {
                ffi::Py_True()
            } else {
                ffi::Py_False()
            })
        }),
    }
}

/// The integer condition for `left op number`; `None` where it does not depend on `left`.
fn float_term(pool: &mut TermPool, left: TermId, number: f64, op: c_int) -> Option<TermId> {
    if !number.is_finite() {
        return None;
    }
    let integral = number.fract() == 0.0;
    let floor = pool.int(Integer::from(floor_of(number)?));
    Some(match (op, integral) {
        (ffi::Py_LT, true) => pool.lt(left, floor),
        (ffi::Py_LT | ffi::Py_LE, _) => pool.le(left, floor),
        (ffi::Py_GE, true) => pool.ge(left, floor),
        (ffi::Py_GT | ffi::Py_GE, _) => pool.gt(left, floor),
        (ffi::Py_EQ, true) => pool.eq(left, floor),
        (ffi::Py_NE, true) => pool.ne(left, floor),
        _ => return None,
    })
}

fn floor_of(number: f64) -> Option<num_bigint::BigInt> {
    use num_bigint::ToBigInt;
    number.floor().to_bigint()
}
