//! Operators on ints and bools, at least one of them symbolic.
//!
//! CPython computes the concrete result with `int`'s own slot; the term is built beside
//! it. Operands that are no ints are none of our business, except that the other type
//! would read our digits unnoticed: the value is pinned first.

use pef_explore::DecisionKind;
use pef_logic::{BinaryOp, Sort, TermId, UnaryOp};
use pyo3::ffi;

use super::inherited::int_slots;
use super::{
    Operand, binary_term, bool_result, int_result, is_native, is_nonzero, operation, pin, symbolic,
};
use crate::boundary::{Made, Obj, made, object};
use crate::recorder::{self, build};

type BinarySlot = unsafe extern "C" fn(Obj, Obj) -> Obj;
type UnarySlot = unsafe extern "C" fn(Obj) -> Obj;

/// Calls a slot of `int` itself.
fn concretely(slot: Option<BinarySlot>, a: Obj, b: Obj) -> Made {
    match slot {
        // SAFETY: a slot of `int`, called with live objects.
        Some(slot) => made(unsafe { slot(a, b) }),
        None => not_implemented(),
    }
}

pub(super) fn not_implemented() -> Made {
    // SAFETY: a new reference to a singleton.
    Ok(unsafe { ffi::Py_NewRef(ffi::Py_NotImplemented()) })
}

/// Both operands as terms; `None` if one is no plain int, after pinning the other.
fn operands(
    a: Obj,
    b: Obj,
    name: &'static str,
) -> Result<Option<(Operand, Operand)>, crate::boundary::Raised> {
    if let (Some(left), Some(right)) = (Operand::of(a), Operand::of(b)) {
        return Ok(Some((left, right)));
    }
    if defers_to_other(a, b) {
        return Ok(None);
    }
    pin(a, operation(name))?;
    pin(b, operation(name))?;
    Ok(None)
}

/// True if the other operand is implemented in Python and gets our value whole.
fn defers_to_other(a: Obj, b: Obj) -> bool {
    let other = if is_native(a) { b } else { a };
    // SAFETY: a live object.
    unsafe {
        let class = ffi::Py_TYPE(other);
        let heap = (*class).tp_flags & ffi::Py_TPFLAGS_HEAPTYPE != 0;
        heap && ffi::PyLong_Check(other) == 0
            && ffi::PyFloat_Check(other) == 0
            && ffi::PyUnicode_Check(other) == 0
            && ffi::PyBytes_Check(other) == 0
            && ffi::PyComplex_Check(other) == 0
    }
}

fn arithmetic(a: Obj, b: Obj, slot: Option<BinarySlot>, op: BinaryOp, name: &'static str) -> Made {
    if !recorder::is_recording() {
        return concretely(slot, a, b);
    }
    let Some((left, right)) = operands(a, b, name)? else {
        return after_pin(a, b, slot);
    };
    check_domain(op, b, right)?;
    let concrete = concretely(slot, a, b)?;
    match binary_term(op, left, right) {
        Some(term) => int_result(concrete, term),
        None => Ok(concrete),
    }
}

/// A user's int subclass may be met by `int`'s own slot; others decide for themselves.
fn after_pin(a: Obj, b: Obj, slot: Option<BinarySlot>) -> Made {
    // SAFETY: live objects.
    let both_ints = unsafe { ffi::PyLong_Check(a) != 0 && ffi::PyLong_Check(b) != 0 };
    if both_ints {
        concretely(slot, a, b)
    } else {
        not_implemented()
    }
}

/// Records the question whether the operation is defined at all.
fn check_domain(op: BinaryOp, b: Obj, right: Operand) -> Result<(), crate::boundary::Raised> {
    match op {
        BinaryOp::FloorDiv | BinaryOp::Mod => check_divisor(b, right),
        BinaryOp::Shl | BinaryOp::Shr => {
            let term = right.as_int();
            let negative = build(|pool| {
                let zero = pool.small(0);
                pool.lt(term, zero)
            });
            negative.map_or(Ok(()), |negative| {
                recorder::decide_kind(negative, is_negative(b), DecisionKind::Domain).map(|_| ())
            })
        }
        BinaryOp::Add
        | BinaryOp::Sub
        | BinaryOp::Mul
        | BinaryOp::Pow
        | BinaryOp::BitAnd
        | BinaryOp::BitOr
        | BinaryOp::BitXor => Ok(()),
    }
}

fn check_divisor(b: Obj, right: Operand) -> Result<(), crate::boundary::Raised> {
    let term = right.as_int();
    let zero = build(|pool| {
        let zero = pool.small(0);
        pool.eq(term, zero)
    });
    zero.map_or(Ok(()), |zero| {
        recorder::decide_kind(zero, !is_nonzero(b), DecisionKind::DivisionByZero).map(|_| ())
    })
}

/// The sign of the concrete value.
pub(crate) fn is_negative(object: Obj) -> bool {
    let mut overflow = 0;
    // SAFETY: a live int.
    let value = unsafe { ffi::PyLong_AsLongLongAndOverflow(object, &raw mut overflow) };
    if overflow == 0 {
        value < 0
    } else {
        overflow < 0
    }
}

macro_rules! binary_slots {
    ($($function:ident: $slot:ident, $op:ident, $name:literal;)*) => {$(
        pub(super) unsafe extern "C" fn $function(a: Obj, b: Obj) -> Obj {
            // SAFETY: `int` has a table of number slots.
            object(|| arithmetic(a, b, unsafe { (*int_slots()).$slot }, BinaryOp::$op, $name))
        }
    )*};
}

binary_slots! {
    add: nb_add, Add, "+ with a value of another type";
    subtract: nb_subtract, Sub, "- with a value of another type";
    multiply: nb_multiply, Mul, "* with a value of another type";
    floor_divide: nb_floor_divide, FloorDiv, "// with a value of another type";
    remainder: nb_remainder, Mod, "% with a value of another type";
    left_shift: nb_lshift, Shl, "<< with a value of another type";
    right_shift: nb_rshift, Shr, ">> with a value of another type";
}

/// `& | ^`: of two bools the result is a bool, otherwise an int.
fn bitwise(a: Obj, b: Obj, slot: Option<BinarySlot>, op: BinaryOp, name: &'static str) -> Made {
    if !recorder::is_recording() {
        return bitwise_concretely(a, b, slot);
    }
    match operands(a, b, name)? {
        Some((left, right)) if left.sort == Sort::Bool && right.sort == Sort::Bool => {
            let (x, y) = (is_nonzero(a), is_nonzero(b));
            let value = match op {
                BinaryOp::BitAnd => x & y,
                BinaryOp::BitOr => x | y,
                _ => x ^ y,
            };
            let term = build(|pool| match op {
                BinaryOp::BitAnd => pool.and(left.term, right.term),
                BinaryOp::BitOr => pool.or(left.term, right.term),
                _ => {
                    let same = pool.iff(left.term, right.term);
                    pool.not(same)
                }
            });
            term.map_or_else(
                || bitwise_concretely(a, b, slot),
                |term| bool_result(value, term),
            )
        }
        Some(_) => arithmetic(a, b, slot, op, name),
        None => after_pin(a, b, slot),
    }
}

/// Outside a run, two bools still give a bool.
fn bitwise_concretely(a: Obj, b: Obj, slot: Option<BinarySlot>) -> Made {
    let result = concretely(slot, a, b)?;
    if !(is_bool(a) && is_bool(b)) {
        return Ok(result);
    }
    let truth = is_nonzero(result);
    // SAFETY: `result` is owned; the singleton is borrowed.
    unsafe {
        ffi::Py_DECREF(result);
        Ok(ffi::Py_NewRef(if truth {
            ffi::Py_True()
        } else {
            ffi::Py_False()
        }))
    }
}

fn is_bool(object: Obj) -> bool {
    // SAFETY: a live object.
    unsafe { ffi::PyBool_Check(object) != 0 || ffi::Py_TYPE(object) == super::types().bool }
}

macro_rules! bitwise_slots {
    ($($function:ident: $slot:ident, $op:ident, $name:literal;)*) => {$(
        pub(super) unsafe extern "C" fn $function(a: Obj, b: Obj) -> Obj {
            // SAFETY: `int` has a table of number slots.
            object(|| bitwise(a, b, unsafe { (*int_slots()).$slot }, BinaryOp::$op, $name))
        }
    )*};
}

bitwise_slots! {
    and: nb_and, BitAnd, "& with a value of another type";
    or: nb_or, BitOr, "| with a value of another type";
    xor: nb_xor, BitXor, "^ with a value of another type";
}

pub(super) unsafe extern "C" fn divmod(a: Obj, b: Obj) -> Obj {
    object(|| {
        // SAFETY: `int` has a table of number slots.
        let slots = unsafe { &*int_slots() };
        if !recorder::is_recording() {
            return concretely(slots.nb_divmod, a, b);
        }
        let Some((_, right)) = operands(a, b, "divmod() with a value of another type")? else {
            return after_pin(a, b, slots.nb_divmod);
        };
        check_divisor(b, right)?;
        let quotient = arithmetic(a, b, slots.nb_floor_divide, BinaryOp::FloorDiv, "divmod()")?;
        let remainder = arithmetic(a, b, slots.nb_remainder, BinaryOp::Mod, "divmod()")?;
        // SAFETY: both are owned; the tuple takes its own references.
        unsafe {
            let pair = ffi::PyTuple_Pack(2, quotient, remainder);
            ffi::Py_DECREF(quotient);
            ffi::Py_DECREF(remainder);
            made(pair)
        }
    })
}

/// `/` gives a float, for which there is no theory yet.
pub(super) unsafe extern "C" fn true_divide(a: Obj, b: Obj) -> Obj {
    object(|| {
        // SAFETY: `int` has a table of number slots.
        let slot = unsafe { (*int_slots()).nb_true_divide };
        if recorder::is_recording() {
            if let Some((_, right)) = operands(a, b, "/")? {
                check_divisor(b, right)?;
            }
            pin(a, operation("/"))?;
            pin(b, operation("/"))?;
        }
        concretely(slot, a, b)
    })
}

/// Exponents up to this are kept symbolic when a modulus is given.
const MODULAR_EXPONENT: i64 = 64;

pub(super) unsafe extern "C" fn power(a: Obj, b: Obj, modulus: Obj) -> Obj {
    object(|| {
        if !recorder::is_recording() {
            return power_concretely(a, b, modulus);
        }
        // SAFETY: identity with a singleton.
        let plain = modulus == unsafe { ffi::Py_None() };
        let Some((base, exponent)) = operands(a, b, "** with a value of another type")? else {
            return if plain {
                after_pin_power(a, b)
            } else {
                not_implemented()
            };
        };
        let term = exponent.as_int();
        let negative = build(|pool| {
            let zero = pool.small(0);
            pool.lt(term, zero)
        });
        let below = is_negative(b);
        if let Some(negative) = negative {
            recorder::decide_kind(negative, below, DecisionKind::Domain)?;
        }
        if below {
            // A negative exponent leaves the integers (or needs a modular inverse).
            return pinned_power(a, b, modulus, "** with a negative exponent");
        }
        if plain {
            let concrete = power_concretely(a, b, modulus)?;
            let term = binary_term(BinaryOp::Pow, base, exponent);
            return term.map_or(Ok(concrete), |term| int_result(concrete, term));
        }
        modular_power(a, b, modulus, base, exponent)
    })
}

fn modular_power(a: Obj, b: Obj, modulus: Obj, base: Operand, exponent: Operand) -> Made {
    let mut overflow = 0;
    // SAFETY: a live int.
    let size = unsafe { ffi::PyLong_AsLongLongAndOverflow(b, &raw mut overflow) };
    let small = symbolic(b).is_none() && overflow == 0 && size <= MODULAR_EXPONENT;
    let Some(divisor) = Operand::of(modulus).filter(|_| small) else {
        return pinned_power(a, b, modulus, "pow() with a modulus and a large exponent");
    };
    check_divisor(modulus, divisor)?;
    let concrete = power_concretely(a, b, modulus)?;
    let term = binary_term(BinaryOp::Pow, base, exponent).and_then(|power| {
        let divisor = divisor.as_int();
        build(|pool| pool.binary(BinaryOp::Mod, power, divisor))
    });
    term.map_or(Ok(concrete), |term| int_result(concrete, term))
}

fn pinned_power(a: Obj, b: Obj, modulus: Obj, name: &'static str) -> Made {
    for value in [a, b, modulus] {
        pin(value, operation(name))?;
    }
    power_concretely(a, b, modulus)
}

fn after_pin_power(a: Obj, b: Obj) -> Made {
    // SAFETY: live objects; the singleton is borrowed.
    unsafe {
        if ffi::PyLong_Check(a) != 0 && ffi::PyLong_Check(b) != 0 {
            power_concretely(a, b, ffi::Py_None())
        } else {
            not_implemented()
        }
    }
}

fn power_concretely(a: Obj, b: Obj, modulus: Obj) -> Made {
    // SAFETY: a slot of `int`, called with live objects.
    unsafe {
        match (*int_slots()).nb_power {
            Some(slot) => made(slot(a, b, modulus)),
            None => not_implemented(),
        }
    }
}

fn unary(a: Obj, slot: Option<UnarySlot>, term: impl FnOnce(TermId) -> Option<TermId>) -> Made {
    let concrete = match slot {
        // SAFETY: a slot of `int`, called with a live int.
        Some(slot) => exact(made(unsafe { slot(a) })?)?,
        None => return not_implemented(),
    };
    let Some(operand) = symbolic(a).map(|(sort, term)| Operand { sort, term }) else {
        return Ok(concrete);
    };
    match term(operand.as_int()) {
        Some(term) => int_result(concrete, term),
        None => Ok(concrete),
    }
}

/// `int`'s own slots may hand the operand itself back.
fn exact(result: Obj) -> Made {
    if !is_native(result) {
        return Ok(result);
    }
    // SAFETY: `result` is owned and a live int.
    unsafe {
        let copy = super::base_int(result);
        ffi::Py_DECREF(result);
        made(copy)
    }
}

macro_rules! unary_slots {
    ($($function:ident: $slot:ident, |$pool:ident, $term:ident| $build:expr;)*) => {$(
        pub(super) unsafe extern "C" fn $function(a: Obj) -> Obj {
            // SAFETY: `int` has a table of number slots.
            let slot = unsafe { (*int_slots()).$slot };
            object(|| unary(a, slot, |$term| build(|$pool| $build)))
        }
    )*};
}

unary_slots! {
    negative: nb_negative, |pool, term| pool.unary(UnaryOp::Neg, term);
    absolute: nb_absolute, |pool, term| pool.unary(UnaryOp::Abs, term);
    invert: nb_invert, |pool, term| {
        let negated = pool.unary(UnaryOp::Neg, term);
        let one = pool.small(1);
        pool.binary(BinaryOp::Sub, negated, one)
    };
}

/// `+x`, `int(x)`, `x.__index__()`, `round(x)`...: the same number, as an int.
pub(crate) unsafe extern "C" fn as_int(a: Obj) -> Obj {
    object(|| {
        let Some((sort, term)) = symbolic(a) else {
            // SAFETY: a live int.
            return made(unsafe { super::base_int(a) });
        };
        match sort {
            // SAFETY: a new reference to the operand.
            Sort::Int => Ok(unsafe { ffi::Py_NewRef(a) }),
            Sort::Bool => {
                let value = i64::from(is_nonzero(a));
                // SAFETY: makes a new int.
                let concrete = made(unsafe { ffi::PyLong_FromLongLong(value) })?;
                let term = build(|pool| pool.from_bool(term));
                term.map_or(Ok(concrete), |term| int_result(concrete, term))
            }
        }
    })
}

/// What C code gets when it asks for an int: it would copy the digits of ours, unnoticed.
pub(super) unsafe extern "C" fn plain_int(a: Obj) -> Obj {
    object(|| {
        pin(a, operation("int() called by C code"))?;
        // SAFETY: a live int.
        made(unsafe { super::base_int(a) })
    })
}

pub(super) unsafe extern "C" fn as_float(a: Obj) -> Obj {
    object(|| {
        pin(a, operation("float()"))?;
        // SAFETY: a slot of `int`, called with a live int.
        unsafe {
            match (*int_slots()).nb_float {
                Some(slot) => made(slot(a)),
                None => not_implemented(),
            }
        }
    })
}

pub(super) unsafe extern "C" fn truth(a: Obj) -> std::ffi::c_int {
    crate::boundary::number(|| {
        let value = is_nonzero(a);
        let Some((sort, term)) = symbolic(a) else {
            return Ok(i32::from(value));
        };
        let condition = match sort {
            Sort::Bool => Some(term),
            Sort::Int => build(|pool| {
                let zero = pool.small(0);
                pool.ne(term, zero)
            }),
        };
        if let Some(condition) = condition {
            recorder::decide_truth(condition, value)?;
        }
        Ok(i32::from(value))
    })
}

pub(super) unsafe extern "C" fn hash(a: Obj) -> ffi::Py_hash_t {
    crate::boundary::number(|| {
        pin(a, operation("hash()"))?;
        // SAFETY: `int`'s own hash of a live int.
        unsafe {
            match (*(&raw const ffi::PyLong_Type)).tp_hash {
                Some(slot) => Ok(slot(a)),
                None => Err(crate::boundary::Raised),
            }
        }
    })
}
