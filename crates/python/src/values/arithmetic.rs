//! Operators on ints and bools, at least one of them symbolic.
//!
//! CPython computes the concrete result with `int`'s own slot; the term is built beside
//! it. Operands that are no ints are none of our business, except that the other type
//! would read our digits unnoticed: the value is pinned first.

use pef_explore::DecisionKind;
use pef_logic::{BinaryOp, Sort, TermId, UnaryOp};
use pyo3::ffi;

use super::dispatch::{Other, SlotOf, other_of, overrides, part_of};
use super::float;
use super::inherited::int_slots;
use super::{
    Operand, binary_term, bool_result, int_result, is_nonzero, is_number, operation, pin, symbolic,
};
use crate::boundary::{Made, Obj, Raised, made, object};
use crate::models::guard::adopt_class_of;
use crate::models::printing::call_room;
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

#[expect(clippy::unnecessary_wraps, reason = "the result of a slot")]
pub(super) fn not_implemented() -> Made {
    // SAFETY: a new reference to a singleton.
    Ok(unsafe { ffi::Py_NewRef(ffi::Py_NotImplemented()) })
}

/// How an operation goes on.
enum Plan {
    /// Both operands are ints, as terms.
    Terms(Operand, Operand),
    /// The other operand is asked next.
    Decline,
    /// On plain values, everything being pinned: the whole operation once more.
    Redo(Obj, Obj),
}

/// An operator: its slot, and the function of the C API that runs it.
#[derive(Clone, Copy)]
struct Operator {
    name: &'static str,
    slot_of: SlotOf,
    run: unsafe extern "C" fn(Obj, Obj) -> Obj,
    repeats: bool,
}

impl Operator {
    fn plan(self, a: Obj, b: Obj) -> Result<Plan, Raised> {
        if let (Some(left), Some(right)) = (Operand::of(a), Operand::of(b)) {
            // The right operand's class would be asked first if it were Python's own int.
            if !overrides(b, self.slot_of) {
                return Ok(Plan::Terms(left, right));
            }
            self.pin_both(a, b)?;
            return Ok(Plan::Redo(super::concrete(a)?, super::concrete(b)?));
        }
        let other = other_of(a, b);
        match part_of(other, self.slot_of, self.repeats) {
            Other::Unaware => self.pin_both(a, b)?,
            Other::Aware => adopt_class_of(other)?,
        }
        Ok(Plan::Decline)
    }

    fn pin_both(self, a: Obj, b: Obj) -> Result<(), Raised> {
        pin(a, operation(self.name))?;
        pin(b, operation(self.name))
    }

    /// Takes the plain operands over.
    fn redo(self, a: Obj, b: Obj) -> Made {
        // SAFETY: owned references, released here.
        unsafe {
            let result = (self.run)(a, b);
            ffi::Py_DECREF(a);
            ffi::Py_DECREF(b);
            made(result)
        }
    }
}

macro_rules! operator {
    ($slot:ident, $run:ident, $name:literal) => {
        operator!($slot, $run, $name, false)
    };
    ($slot:ident, $run:ident, $name:literal, $repeats:literal) => {
        Operator {
            name: $name,
            slot_of: |table| table.$slot.map(|slot| slot as usize),
            run: ffi::$run,
            repeats: $repeats,
        }
    };
}

fn arithmetic(a: Obj, b: Obj, slot: Option<BinarySlot>, op: BinaryOp, operator: Operator) -> Made {
    if !recorder::is_recording() {
        return concretely(slot, a, b);
    }
    if operator.repeats && super::text::kind_of(other_of(a, b)).is_some() {
        let (text, count) = if is_number(a) { (b, a) } else { (a, b) };
        return call_room(c"pef.models.text", c"repeated", &[text, count]);
    }
    if operator.repeats && is_repeated(other_of(a, b)) {
        // What comes next, the slot for `*` or that for `*=`, reads the number.
        let (items, count) = if is_number(a) { (b, a) } else { (a, b) };
        let room = c"pef.models.containers.positions";
        let settled = call_room(room, c"settle_count", &[items, count])?;
        // SAFETY: an owned reference.
        unsafe { ffi::Py_DECREF(settled) };
        return not_implemented();
    }
    match operator.plan(a, b)? {
        Plan::Terms(left, right) => computed(a, b, slot, op, left, right),
        Plan::Decline => not_implemented(),
        Plan::Redo(a, b) => operator.redo(a, b),
    }
}

/// Whether `*` of an object is the repetition of a list, tuple or deque.
fn is_repeated(object: Obj) -> bool {
    // SAFETY: a live object; only fields of types are read.
    unsafe {
        let class = ffi::Py_TYPE(object);
        let repeats_as = |base: *mut ffi::PyTypeObject| {
            let repeat = |class: *mut ffi::PyTypeObject| {
                let table = (*class).tp_as_sequence.as_ref();
                table.and_then(|table| table.sq_repeat.map(|slot| slot as usize))
            };
            let multiplies = (*class).tp_as_number.as_ref();
            repeat(class) == repeat(base)
                && multiplies.is_none_or(|table| table.nb_multiply.is_none())
        };
        repeats_as(&raw mut ffi::PyList_Type)
            || repeats_as(&raw mut ffi::PyTuple_Type)
            || crate::models::registry::is_sequence(object)
    }
}

fn computed(
    a: Obj,
    b: Obj,
    slot: Option<BinarySlot>,
    op: BinaryOp,
    left: Operand,
    right: Operand,
) -> Made {
    check_domain(op, b, right)?;
    let concrete = concretely(slot, a, b)?;
    match binary_term(op, left, right) {
        Some(term) => int_result(concrete, term),
        None => Ok(concrete),
    }
}

/// Records the question whether the operation is defined at all.
fn check_domain(op: BinaryOp, b: Obj, right: Operand) -> Result<(), Raised> {
    match op {
        BinaryOp::FloorDiv | BinaryOp::Mod => check_divisor(b, right),
        BinaryOp::Shl | BinaryOp::Shr => {
            let term = right.as_int();
            let negative = build(|pool| {
                let zero = pool.small(0);
                pool.lt(term, zero)
            });
            if let Some(negative) = negative {
                recorder::decide_kind(negative, is_negative(b), DecisionKind::Domain)?;
            }
            if op == BinaryOp::Shl {
                decide_huge(b, right)?;
            }
            Ok(())
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

/// Shifts and exponents above this make numbers that may not fit into memory: whether they
/// do is up to the machine, so such an amount is a decision of its own, and pinned.
const HUGE_AMOUNT: i64 = 1 << 16;

/// Whether a symbolic amount is huge; it is pinned if so.
fn decide_huge(amount: Obj, operand: Operand) -> Result<bool, Raised> {
    if symbolic(amount).is_none() {
        return Ok(false);
    }
    let term = operand.as_int();
    let condition = build(|pool| {
        let limit = pool.small(HUGE_AMOUNT);
        pool.gt(term, limit)
    });
    let Some(condition) = condition else {
        return Ok(false);
    };
    let mut overflow = 0;
    // SAFETY: a live int.
    let value = unsafe { ffi::PyLong_AsLongLongAndOverflow(amount, &raw mut overflow) };
    let huge = overflow > 0 || (overflow == 0 && value > HUGE_AMOUNT);
    recorder::decide_kind(condition, huge, DecisionKind::Domain)?;
    if huge {
        pin(amount, operation("a huge shift or exponent"))?;
    }
    Ok(huge)
}

fn check_divisor(b: Obj, right: Operand) -> Result<(), Raised> {
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
    ($($function:ident: $slot:ident, $op:ident, $operator:expr;)*) => {$(
        pub(super) unsafe extern "C" fn $function(a: Obj, b: Obj) -> Obj {
            // SAFETY: `int` has a table of number slots.
            let slot = unsafe { (*int_slots()).$slot };
            object(|| arithmetic(a, b, slot, BinaryOp::$op, $operator))
        }
    )*};
}

binary_slots! {
    add: nb_add, Add, operator!(nb_add, PyNumber_Add, "+ with a value of another type");
    subtract: nb_subtract, Sub,
        operator!(nb_subtract, PyNumber_Subtract, "- with a value of another type");
    multiply: nb_multiply, Mul,
        operator!(nb_multiply, PyNumber_Multiply, "* with a value of another type", true);
    floor_divide: nb_floor_divide, FloorDiv,
        operator!(nb_floor_divide, PyNumber_FloorDivide, "// with a value of another type");
    remainder: nb_remainder, Mod,
        operator!(nb_remainder, PyNumber_Remainder, "% with a value of another type");
    left_shift: nb_lshift, Shl,
        operator!(nb_lshift, PyNumber_Lshift, "<< with a value of another type");
    right_shift: nb_rshift, Shr,
        operator!(nb_rshift, PyNumber_Rshift, ">> with a value of another type");
}

/// `& | ^`: of two bools the result is a bool, otherwise an int.
fn bitwise(a: Obj, b: Obj, slot: Option<BinarySlot>, op: BinaryOp, operator: Operator) -> Made {
    if !recorder::is_recording() {
        return bitwise_concretely(a, b, slot);
    }
    match operator.plan(a, b)? {
        Plan::Terms(left, right) if left.sort == Sort::Bool && right.sort == Sort::Bool => {
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
        Plan::Terms(left, right) => computed(a, b, slot, op, left, right),
        Plan::Decline => not_implemented(),
        Plan::Redo(a, b) => operator.redo(a, b),
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
    ($($function:ident: $slot:ident, $op:ident, $run:ident, $name:literal;)*) => {$(
        pub(super) unsafe extern "C" fn $function(a: Obj, b: Obj) -> Obj {
            // SAFETY: `int` has a table of number slots.
            let slot = unsafe { (*int_slots()).$slot };
            object(|| bitwise(a, b, slot, BinaryOp::$op, operator!($slot, $run, $name)))
        }
    )*};
}

bitwise_slots! {
    and: nb_and, BitAnd, PyNumber_And, "& with a value of another type";
    or: nb_or, BitOr, PyNumber_Or, "| with a value of another type";
    xor: nb_xor, BitXor, PyNumber_Xor, "^ with a value of another type";
}

pub(super) unsafe extern "C" fn divmod(a: Obj, b: Obj) -> Obj {
    object(|| {
        // SAFETY: `int` has a table of number slots.
        let slots = unsafe { &*int_slots() };
        if !recorder::is_recording() {
            return concretely(slots.nb_divmod, a, b);
        }
        let operator = operator!(
            nb_divmod,
            PyNumber_Divmod,
            "divmod() with a value of another type"
        );
        let (left, right) = match operator.plan(a, b)? {
            Plan::Terms(left, right) => (left, right),
            Plan::Decline => return not_implemented(),
            Plan::Redo(a, b) => return operator.redo(a, b),
        };
        let quotient = computed(a, b, slots.nb_floor_divide, BinaryOp::FloorDiv, left, right)?;
        let remainder = computed(a, b, slots.nb_remainder, BinaryOp::Mod, left, right)?;
        // SAFETY: both are owned; the tuple takes its own references.
        unsafe {
            let pair = ffi::PyTuple_Pack(2, quotient, remainder);
            ffi::Py_DECREF(quotient);
            ffi::Py_DECREF(remainder);
            made(pair)
        }
    })
}

/// `/` of two ints gives a float.
pub(super) unsafe extern "C" fn true_divide(a: Obj, b: Obj) -> Obj {
    object(|| {
        // SAFETY: `int` has a table of number slots.
        let slot = unsafe { (*int_slots()).nb_true_divide };
        if !recorder::is_recording() {
            return concretely(slot, a, b);
        }
        let operator = operator!(nb_true_divide, PyNumber_TrueDivide, "/");
        let (left, right) = match operator.plan(a, b)? {
            Plan::Terms(left, right) => (left, right),
            Plan::Decline => return not_implemented(),
            Plan::Redo(a, b) => return operator.redo(a, b),
        };
        check_divisor(b, right)?;
        if !is_nonzero(b) {
            return concretely(slot, a, b);
        }
        float::arithmetic::quotient(a, b, slot, left.as_int(), right.as_int())
    })
}

/// `**`, without the modulus that `pow()` may have.
const POWER: Operator = Operator {
    name: "** with a value of another type",
    slot_of: |table| table.nb_power.map(|slot| slot as usize),
    run: power_without_modulus,
    repeats: false,
};

unsafe extern "C" fn power_without_modulus(a: Obj, b: Obj) -> Obj {
    // SAFETY: live operands; the singleton is borrowed.
    unsafe { ffi::PyNumber_Power(a, b, ffi::Py_None()) }
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
        let (base, exponent) = match POWER.plan(a, b)? {
            Plan::Terms(base, exponent) => (base, exponent),
            Plan::Decline => return not_implemented(),
            Plan::Redo(a, b) => return redo_power(a, b, modulus),
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
        if below && plain {
            // SAFETY: our own slot, with live operands: `int` hands such powers to `float`, too.
            return made(unsafe { float::arithmetic::power(a, b, modulus) });
        }
        if below {
            return pinned_power(
                a,
                b,
                modulus,
                "pow() with a modulus and a negative exponent",
            );
        }
        if plain {
            decide_huge(b, exponent)?;
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

/// Takes the plain operands over; the modulus is borrowed.
fn redo_power(a: Obj, b: Obj, modulus: Obj) -> Made {
    pin(modulus, operation(POWER.name))?;
    let modulus = super::concrete(modulus)?;
    // SAFETY: owned references, released here.
    unsafe {
        let result = ffi::PyNumber_Power(a, b, modulus);
        for object in [a, b, modulus] {
            ffi::Py_DECREF(object);
        }
        made(result)
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
    if !is_number(result) {
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
            Sort::Int | Sort::Str | Sort::Bytes | Sort::Float => Ok(unsafe { ffi::Py_NewRef(a) }),
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

/// What C code gets when it asks for a float: a plain one.
pub(super) unsafe extern "C" fn as_float(a: Obj) -> Obj {
    object(|| {
        pin(a, operation("float() called by C code"))?;
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
        if let Some(condition) = build(|pool| super::truth_term(pool, sort, term)) {
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
            match ffi::PyLong_Type.tp_hash {
                Some(slot) => Ok(slot(a)),
                None => Err(Raised),
            }
        }
    })
}
