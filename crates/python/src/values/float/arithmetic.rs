//! Operators on floats, at least one operand being symbolic: a float, or an int or bool that
//! meets a float.
//!
//! CPython computes the concrete result with `float`'s own slot, which also raises what there is to
//! raise; whether it does is decided before, so that both answers are explored.

use num_bigint::BigInt;
use pef_explore::DecisionKind;
use pef_logic::{Integer, Operation, Rounding, Sort, TermId, TermPool};
use pyo3::ffi;
use std::ffi::c_void;
use std::sync::OnceLock;

use super::super::arithmetic::not_implemented;
use super::super::dispatch::{self, Other, SlotOf, part_of};
use super::super::spec::Slots;
use super::super::{Operand, concrete, lift, operation, pin, symbolic};
use super::{float_term, inherited, is_float, is_real};
use crate::boundary::{Made, Obj, Raised, made, object};
use crate::models::guard::adopt_class_of;
use crate::recorder::{self, build};

type BinarySlot = unsafe extern "C" fn(Obj, Obj) -> Obj;
type UnarySlot = unsafe extern "C" fn(Obj) -> Obj;

/// An operator: its slot, the function of the C API that runs it, and its meaning.
#[derive(Clone, Copy)]
struct Operator {
    name: &'static str,
    slot_of: SlotOf,
    run: BinarySlot,
    op: Operation,
    divides: bool,
}

/// Both operands as terms, if the operation is one of floats.
enum Plan {
    Terms(TermId, TermId),
    /// The result is already known: the other operand is asked next, or everything was pinned.
    Done(Obj),
}

impl Operator {
    fn plan(self, a: Obj, b: Obj) -> Result<Plan, Raised> {
        // A subclass of the left operand's class is asked first if it has a slot of its own.
        if is_float(a) && overrides(b, self.slot_of) {
            self.pin_both(a, b)?;
            return self.redo(a, b).map(Plan::Done);
        }
        if !(is_convertible(a) && is_convertible(b)) {
            let other = if is_real(a) { b } else { a };
            // No sequence repeats itself a float's number of times, so none reads ours.
            match part_of(other, self.slot_of, false) {
                Other::Unaware => self.pin_both(a, b)?,
                Other::Aware => adopt_class_of(other)?,
            }
            return not_implemented().map(Plan::Done);
        }
        match (operand(a)?, operand(b)?) {
            (Some(left), Some(right)) => Ok(Plan::Terms(left, right)),
            _ => not_implemented().map(Plan::Done),
        }
    }

    fn pin_both(self, a: Obj, b: Obj) -> Result<(), Raised> {
        pin(a, operation(self.name))?;
        pin(b, operation(self.name))
    }

    /// The whole operation once more, on plain values.
    fn redo(self, a: Obj, b: Obj) -> Made {
        // SAFETY: owned references, released here.
        unsafe {
            let (a, b) = (concrete(a)?, concrete(b)?);
            let result = (self.run)(a, b);
            ffi::Py_DECREF(a);
            ffi::Py_DECREF(b);
            made(result)
        }
    }
}

/// Whether `float`'s operators take this operand.
fn is_convertible(object: Obj) -> bool {
    // SAFETY: a live object; type checks have no side effects.
    unsafe { ffi::PyFloat_Check(object) != 0 || ffi::PyLong_Check(object) != 0 }
}

/// Whether a float of a subclass has an operator of its own.
fn overrides(object: Obj, of: SlotOf) -> bool {
    // SAFETY: a live object and its type.
    unsafe {
        ffi::PyFloat_Check(object) != 0
            && !is_float(object)
            && dispatch::slot(ffi::Py_TYPE(object), of)
                != dispatch::slot(&raw mut ffi::PyFloat_Type, of)
    }
}

/// The term of a float or int, as a float. An int may be too large, which is a decision.
fn operand(object: Obj) -> Result<Option<TermId>, Raised> {
    // SAFETY: a live object; type checks have no side effects.
    if unsafe { ffi::PyFloat_Check(object) } != 0 {
        return Ok(lift::term(object));
    }
    converted(object)
}

/// `float(i)` of an int or bool, as a term.
fn converted(object: Obj) -> Result<Option<TermId>, Raised> {
    let Some(operand) = Operand::of(object) else {
        return Ok(None);
    };
    let term = operand.as_int();
    if operand.sort == Sort::Int && symbolic(object).is_some() {
        let condition = build(|pool| {
            let limit = pool.int(first_too_large().clone());
            is_as_large(pool, term, limit)
        });
        if let Some(condition) = condition {
            let huge = plain_double(object).is_none();
            recorder::decide_kind(condition, huge, DecisionKind::Domain)?;
        }
    }
    // SAFETY: a live int.
    let value = unsafe { ffi::PyLong_AsDouble(object) };
    // SAFETY: asks for the exception of the call above.
    if value == -1.0 && unsafe { !ffi::PyErr_Occurred().is_null() } {
        return Err(Raised);
    }
    Ok(build(|pool| pool.apply(Operation::FloatFromInt, &[term])))
}

/// The smallest int that is too large for a float: it would be rounded to `2**1024`.
pub(in super::super) fn first_too_large() -> &'static Integer {
    static LIMIT: OnceLock<Integer> = OnceLock::new();
    LIMIT.get_or_init(|| Integer::from((BigInt::from(1) << 1024) - (BigInt::from(1) << 970)))
}

/// `abs(term) >= limit`, for a positive limit.
fn is_as_large(pool: &mut TermPool, term: TermId, limit: TermId) -> TermId {
    let negated = pool.unary(pef_logic::UnaryOp::Neg, limit);
    let (above, below) = (pool.ge(term, limit), pool.le(term, negated));
    pool.or(above, below)
}

/// The concrete value of an int as a double, if it has one.
fn plain_double(object: Obj) -> Option<f64> {
    // SAFETY: a live int; the exception of the conversion is taken back.
    unsafe {
        let value = ffi::PyLong_AsDouble(object);
        if value == -1.0 && !ffi::PyErr_Occurred().is_null() {
            ffi::PyErr_Clear();
            return None;
        }
        Some(value)
    }
}

/// `float(x)` of one of our ints or bools.
pub(in super::super) fn from_int(object: Obj) -> Made {
    let term = converted(object)?;
    // SAFETY: a live int, known to fit.
    let value = unsafe { ffi::PyLong_AsDouble(object) };
    match term {
        Some(term) => lift::float(value, term),
        // SAFETY: makes a new float.
        None => made(unsafe { ffi::PyFloat_FromDouble(value) }),
    }
}

/// A concrete float (a new reference, taken over) with its term.
pub(in super::super) fn with_term(result: Obj, term: Option<TermId>) -> Made {
    // SAFETY: an owned float.
    unsafe {
        let Some(term) = term.filter(|_| ffi::PyFloat_CheckExact(result) != 0) else {
            return Ok(result);
        };
        let value = ffi::PyFloat_AS_DOUBLE(result);
        ffi::Py_DECREF(result);
        lift::float(value, term)
    }
}

fn concretely(slot: Option<BinarySlot>, a: Obj, b: Obj) -> Made {
    match slot {
        // SAFETY: a slot of `float`, called with live objects.
        Some(slot) => made(unsafe { slot(a, b) }),
        None => not_implemented(),
    }
}

fn arithmetic(a: Obj, b: Obj, slot: Option<BinarySlot>, operator: Operator) -> Made {
    if !recorder::is_recording() {
        return concretely(slot, a, b);
    }
    let (left, right) = match operator.plan(a, b)? {
        Plan::Terms(left, right) => (left, right),
        Plan::Done(result) => return Ok(result),
    };
    if operator.divides {
        check_divisor(b, right)?;
    }
    let result = concretely(slot, a, b)?;
    with_term(
        result,
        build(|pool| pool.apply(operator.op, &[left, right])),
    )
}

fn check_divisor(b: Obj, right: TermId) -> Result<(), Raised> {
    let zero = build(|pool| {
        let zero = pool.float(0.0);
        pool.apply(Operation::FloatEq, &[right, zero])
    });
    let is_zero = plain_number(b) == 0.0;
    zero.map_or(Ok(()), |zero| {
        recorder::decide_kind(zero, is_zero, DecisionKind::DivisionByZero).map(|_| ())
    })
}

/// The concrete value of an operand.
fn plain_number(object: Obj) -> f64 {
    // SAFETY: a live float or int, of the type just checked.
    unsafe {
        if ffi::PyFloat_Check(object) != 0 {
            ffi::PyFloat_AS_DOUBLE(object)
        } else {
            plain_double(object).unwrap_or(f64::INFINITY)
        }
    }
}

macro_rules! operator {
    ($slot:ident, $run:ident, $op:ident, $divides:literal, $name:literal) => {
        Operator {
            name: $name,
            slot_of: |table| table.$slot.map(|slot| slot as usize),
            run: ffi::$run,
            op: Operation::$op,
            divides: $divides,
        }
    };
}

macro_rules! binary_slots {
    ($($function:ident: $slot:ident, $run:ident, $op:ident, $divides:literal, $name:literal;)*) => {$(
        pub(in super::super) unsafe extern "C" fn $function(a: Obj, b: Obj) -> Obj {
            // SAFETY: `float` has a table of number slots.
            let slot = unsafe { (*inherited::slots()).$slot };
            object(|| arithmetic(a, b, slot, operator!($slot, $run, $op, $divides, $name)))
        }
    )*};
}

binary_slots! {
    add: nb_add, PyNumber_Add, FloatAdd, false, "+ with a value of another type";
    subtract: nb_subtract, PyNumber_Subtract, FloatSub, false, "- with a value of another type";
    multiply: nb_multiply, PyNumber_Multiply, FloatMul, false, "* with a value of another type";
    divide: nb_true_divide, PyNumber_TrueDivide, FloatDiv, true, "/ with a value of another type";
    floor_divide: nb_floor_divide, PyNumber_FloorDivide, FloatFloorDiv, true,
        "// with a value of another type";
    remainder: nb_remainder, PyNumber_Remainder, FloatMod, true, "% with a value of another type";
}

const DIVMOD: Operator = operator!(
    nb_divmod,
    PyNumber_Divmod,
    FloatFloorDiv,
    true,
    "divmod() with a value of another type"
);

pub(in super::super) unsafe extern "C" fn divmod(a: Obj, b: Obj) -> Obj {
    object(|| {
        // SAFETY: `float` has a table of number slots.
        let slots = unsafe { &*inherited::slots() };
        if !recorder::is_recording() {
            return concretely(slots.nb_divmod, a, b);
        }
        let (left, right) = match DIVMOD.plan(a, b)? {
            Plan::Terms(left, right) => (left, right),
            Plan::Done(result) => return Ok(result),
        };
        check_divisor(b, right)?;
        if plain_number(b) == 0.0 {
            return concretely(slots.nb_divmod, a, b);
        }
        let part = |slot, op| {
            let result = concretely(slot, a, b)?;
            with_term(result, build(|pool| pool.apply(op, &[left, right])))
        };
        // SAFETY: both are owned; the tuple takes its own references.
        unsafe {
            let quotient = part(slots.nb_floor_divide, Operation::FloatFloorDiv)?;
            let remainder = part(slots.nb_remainder, Operation::FloatMod)?;
            let pair = ffi::PyTuple_Pack(2, quotient, remainder);
            ffi::Py_DECREF(quotient);
            ffi::Py_DECREF(remainder);
            made(pair)
        }
    })
}

unsafe extern "C" fn power_without_modulus(a: Obj, b: Obj) -> Obj {
    // SAFETY: live operands; the singleton is borrowed.
    unsafe { ffi::PyNumber_Power(a, b, ffi::Py_None()) }
}

/// `**`, without the modulus, which floats do not take.
const POWER: Operator = Operator {
    name: "** with a value of another type",
    slot_of: |table| table.nb_power.map(|slot| slot as usize),
    run: power_without_modulus,
    op: Operation::FloatPow,
    divides: false,
};

pub(in super::super) unsafe extern "C" fn power(a: Obj, b: Obj, modulus: Obj) -> Obj {
    object(|| {
        // SAFETY: identity with a singleton.
        let plain = modulus == unsafe { ffi::Py_None() };
        if !plain || !recorder::is_recording() {
            return power_concretely(a, b, modulus);
        }
        let (base, exponent) = match POWER.plan(a, b)? {
            Plan::Terms(base, exponent) => (base, exponent),
            Plan::Done(result) => return Ok(result),
        };
        let (x, y) = (plain_number(a), plain_number(b));
        let finite = x.is_finite() && y.is_finite();
        let Some(conditions) = build(|pool| PowerConditions::new(pool, base, exponent)) else {
            return power_concretely(a, b, modulus);
        };
        let fails = finite && x == 0.0 && y < 0.0;
        recorder::decide_kind(conditions.zero, fails, DecisionKind::DivisionByZero)?;
        let complex = finite && x < 0.0 && y.floor() != y;
        if !fails && recorder::decide_kind(conditions.complex, complex, DecisionKind::Domain)? {
            for operand in [a, b] {
                pin(operand, operation("** with a complex result"))?;
            }
            return power_concretely(a, b, modulus);
        }
        if !fails {
            let huge = finite && x.powf(y).is_infinite();
            recorder::decide_kind(conditions.huge, huge, DecisionKind::Domain)?;
        }
        with_term(power_concretely(a, b, modulus)?, Some(conditions.result))
    })
}

/// When `**` of floats does not give a float.
struct PowerConditions {
    result: TermId,
    /// Zero to a negative power.
    zero: TermId,
    /// A broken power of a negative number.
    complex: TermId,
    /// The result is too large.
    huge: TermId,
}

impl PowerConditions {
    fn new(pool: &mut TermPool, base: TermId, exponent: TermId) -> Self {
        let result = pool.apply(Operation::FloatPow, &[base, exponent]);
        let (nought, infinity) = (pool.float(0.0), pool.float(f64::INFINITY));
        let finite_base = is_finite(pool, base);
        let finite_exponent = is_finite(pool, exponent);
        let finite = pool.and(finite_base, finite_exponent);
        let base_zero = pool.apply(Operation::FloatEq, &[base, nought]);
        let below = pool.apply(Operation::FloatLt, &[exponent, nought]);
        let zero = pool.and(base_zero, below);
        let negative = pool.apply(Operation::FloatLt, &[base, nought]);
        let floor = pool.apply(Operation::FloatRound(Rounding::Down), &[exponent]);
        let whole = pool.apply(Operation::FloatEq, &[floor, exponent]);
        let broken = pool.not(whole);
        let complex = pool.and(negative, broken);
        let size = pool.apply(Operation::FloatAbs, &[result]);
        let huge = pool.apply(Operation::FloatEq, &[size, infinity]);
        PowerConditions {
            result,
            zero: pool.and(finite, zero),
            complex: pool.and(finite, complex),
            huge: pool.and(finite, huge),
        }
    }
}

/// Whether a float is neither infinite nor `nan`.
fn is_finite(pool: &mut TermPool, float: TermId) -> TermId {
    let infinity = pool.float(f64::INFINITY);
    let size = pool.apply(Operation::FloatAbs, &[float]);
    pool.apply(Operation::FloatLt, &[size, infinity])
}

fn power_concretely(a: Obj, b: Obj, modulus: Obj) -> Made {
    // SAFETY: a slot of `float`, called with live objects.
    unsafe {
        match (*inherited::slots()).nb_power {
            Some(slot) => made(slot(a, b, modulus)),
            None => not_implemented(),
        }
    }
}

/// `a / b` of two ints, not by zero. Whether the result is too large is a decision.
pub(in super::super) fn quotient(
    a: Obj,
    b: Obj,
    slot: Option<BinarySlot>,
    left: TermId,
    right: TermId,
) -> Made {
    let condition = build(|pool| {
        let limit = pool.int(first_too_large().clone());
        let size = pool.unary(pef_logic::UnaryOp::Abs, right);
        let limit = pool.binary(pef_logic::BinaryOp::Mul, size, limit);
        is_as_large(pool, left, limit)
    });
    let result = concretely(slot, a, b);
    if let Some(condition) = condition {
        let raised = result.is_err().then(taken_exception);
        let decided = recorder::decide_kind(condition, raised.is_some(), DecisionKind::Domain);
        match raised {
            Some(error) if decided.is_ok() => return Err(crate::boundary::raise(error)),
            Some(_) | None => decided?,
        };
    }
    let result = result?;
    with_term(
        result,
        build(|pool| pool.apply(Operation::IntDiv, &[left, right])),
    )
}

/// Takes the exception that is set out of the interpreter.
fn taken_exception() -> pyo3::PyErr {
    pyo3::Python::attach(pyo3::PyErr::fetch)
}

fn unary(a: Obj, slot: Option<UnarySlot>, op: Operation) -> Made {
    let result = match slot {
        // SAFETY: a slot of `float`, called with a live float.
        Some(slot) => made(unsafe { slot(a) })?,
        None => return not_implemented(),
    };
    with_term(
        result,
        float_term(a).and_then(|term| build(|pool| pool.apply(op, &[term]))),
    )
}

macro_rules! unary_slots {
    ($($function:ident: $slot:ident, $op:ident;)*) => {$(
        unsafe extern "C" fn $function(a: Obj) -> Obj {
            // SAFETY: `float` has a table of number slots.
            let slot = unsafe { (*inherited::slots()).$slot };
            object(|| unary(a, slot, Operation::$op))
        }
    )*};
}

unary_slots! {
    negative: nb_negative, FloatNeg;
    absolute: nb_absolute, FloatAbs;
}

/// `+f` is `f`.
unsafe extern "C" fn positive(a: Obj) -> Obj {
    // SAFETY: a new reference to the operand.
    unsafe { ffi::Py_NewRef(a) }
}

/// Adds the operators to the type.
pub(super) fn add_slots(slots: &mut Slots) {
    slots
        .add(ffi::Py_nb_add, add as *mut c_void)
        .add(ffi::Py_nb_subtract, subtract as *mut c_void)
        .add(ffi::Py_nb_multiply, multiply as *mut c_void)
        .add(ffi::Py_nb_true_divide, divide as *mut c_void)
        .add(ffi::Py_nb_floor_divide, floor_divide as *mut c_void)
        .add(ffi::Py_nb_remainder, remainder as *mut c_void)
        .add(ffi::Py_nb_divmod, divmod as *mut c_void)
        .add(ffi::Py_nb_power, power as *mut c_void)
        .add(ffi::Py_nb_negative, negative as *mut c_void)
        .add(ffi::Py_nb_positive, positive as *mut c_void)
        .add(ffi::Py_nb_absolute, absolute as *mut c_void);
}
