//! When two keys are equal, as a condition.
//!
//! CPython compares a key with a present one by identity, then by `==`. For numbers, text, tuples of such and
//! objects that are only equal to themselves the answer is a term; what other classes say would take
//! running their code.

use pef_logic::{Float, Integer, Operation, Sort, TermId, TermPool, Value};
use pyo3::ffi;
use std::cmp::Ordering;

use crate::boundary::{Obj, Raised};
use crate::recorder::build;
use crate::values::{self, lift, operation, symbolic};

/// Tuples nested deeper than this are not looked into.
const DEEPEST: usize = 16;

/// Whether two keys are equal.
#[derive(Clone, Copy)]
pub(super) enum Equality {
    Always,
    Never,
    /// If the condition holds, and whether it does now.
    When(TermId, bool),
    /// Their classes decide.
    Unknown,
}

/// What is known about the equality of an object.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    /// A number or text, symbolic or not.
    Scalar,
    Tuple,
    /// Equal to nothing but itself.
    Single,
    Foreign,
}

fn kind(object: Obj) -> Kind {
    if values::is_native(object) {
        return Kind::Scalar;
    }
    // SAFETY: a singleton. From 3.13 on it has a comparison of its own.
    if object == unsafe { ffi::Py_None() } {
        return Kind::Single;
    }
    // SAFETY: a live object and static types; only fields of types are read.
    unsafe {
        let class = ffi::Py_TYPE(object);
        let compares_as = |base: *mut ffi::PyTypeObject| {
            ffi::PyType_IsSubtype(class, base) != 0
                && (*class).tp_richcompare.map(|f| f as usize)
                    == (*base).tp_richcompare.map(|f| f as usize)
        };
        let scalars = [
            &raw mut ffi::PyLong_Type,
            &raw mut ffi::PyUnicode_Type,
            &raw mut ffi::PyFloat_Type,
            &raw mut ffi::PyBytes_Type,
        ];
        if scalars.into_iter().any(compares_as) {
            Kind::Scalar
        } else if compares_as(&raw mut ffi::PyTuple_Type) {
            Kind::Tuple
        } else if compares_as(&raw mut ffi::PyBaseObject_Type) {
            Kind::Single
        } else {
            Kind::Foreign
        }
    }
}

/// The parts of a tuple, borrowed.
fn parts<'a>(tuple: Obj) -> &'a [Obj] {
    // SAFETY: a live tuple, which its owner keeps while the parts are looked at.
    unsafe {
        let size = ffi::PyTuple_GET_SIZE(tuple) as usize;
        if size == 0 {
            return &[];
        }
        std::slice::from_raw_parts((*tuple.cast::<ffi::PyTupleObject>()).ob_item.as_ptr(), size)
    }
}

/// Whether a key is symbolic, or a tuple that leads to a symbolic value.
pub fn is_symbolic_key(key: Obj) -> bool {
    leads_to_symbolic(key, DEEPEST)
}

fn leads_to_symbolic(key: Obj, depth: usize) -> bool {
    if symbolic(key).is_some() {
        return true;
    }
    // SAFETY: a live object; the check has no side effects.
    let tuple = unsafe { ffi::PyTuple_Check(key) != 0 };
    tuple
        && depth > 0
        && parts(key)
            .iter()
            .any(|&part| leads_to_symbolic(part, depth - 1))
}

/// Pins the symbolic values of a key.
pub(super) fn pin_key(key: Obj, name: &'static str) -> Result<(), Raised> {
    values::pin(key, operation(name))?;
    // SAFETY: a live object; the check has no side effects.
    if unsafe { ffi::PyTuple_Check(key) != 0 } && is_symbolic_key(key) {
        for &part in parts(key) {
            pin_key(part, name)?;
        }
    }
    Ok(())
}

/// When two keys are equal.
pub(super) fn equality(one: Obj, other: Obj) -> Equality {
    compare(one, other, DEEPEST)
}

fn compare(one: Obj, other: Obj, depth: usize) -> Equality {
    if one == other {
        return Equality::Always;
    }
    match (kind(one), kind(other)) {
        (Kind::Foreign, _) | (_, Kind::Foreign) => Equality::Unknown,
        (Kind::Scalar, Kind::Scalar) => settled(scalars(one, other)),
        (Kind::Tuple, Kind::Tuple) if depth == 0 => Equality::Unknown,
        (Kind::Tuple, Kind::Tuple) => tuples(one, other, depth - 1),
        _ => Equality::Never,
    }
}

/// A condition that is constant says so.
fn settled(condition: Option<(TermId, bool)>) -> Equality {
    let Some((term, holds)) = condition else {
        return Equality::Never;
    };
    match build(|pool| pool.as_bool(term)).flatten() {
        Some(true) => Equality::Always,
        Some(false) => Equality::Never,
        None => Equality::When(term, holds),
    }
}

fn tuples(one: Obj, other: Obj, depth: usize) -> Equality {
    let (left, right) = (parts(one), parts(other));
    if left.len() != right.len() {
        return Equality::Never;
    }
    let mut all: Option<(TermId, bool)> = None;
    let mut unknown = false;
    for (&a, &b) in left.iter().zip(right) {
        match compare(a, b, depth) {
            Equality::Always => {}
            // Parts are compared from the left, but nothing of ours runs code.
            Equality::Never => return Equality::Never,
            Equality::Unknown => unknown = true,
            Equality::When(term, holds) => {
                all = match all {
                    None => Some((term, holds)),
                    Some((before, held)) => {
                        build(|pool| pool.and(before, term)).map(|both| (both, held && holds))
                    }
                };
            }
        }
    }
    match all {
        _ if unknown => Equality::Unknown,
        None => Equality::Always,
        Some(_) => settled(all),
    }
}

/// When two scalars are equal, and whether they are; `None` if their types never are.
fn scalars(one: Obj, other: Obj) -> Option<(TermId, bool)> {
    let (left, right) = (lift::value(one)?, lift::value(other)?);
    let (a, b) = (lift::term(one)?, lift::term(other)?);
    let holds = |order: Option<Ordering>| order == Some(Ordering::Equal);
    build(|pool| match (left.sort(), right.sort()) {
        (Sort::Str, Sort::Str) | (Sort::Bytes, Sort::Bytes) => {
            Some((pool.apply(Operation::TextEq, &[a, b]), left == right))
        }
        (Sort::Bool | Sort::Int, Sort::Bool | Sort::Int) => {
            let (a, b) = (as_int(pool, a), as_int(pool, b));
            Some((pool.eq(a, b), number(&left)? == number(&right)?))
        }
        (Sort::Bool | Sort::Int, Sort::Float) => {
            let a = as_int(pool, a);
            let order = Float::order_of_integer(&number(&left)?, right.as_float()?);
            Some((pool.apply(Operation::IntEqFloat, &[a, b]), holds(order)))
        }
        (Sort::Float, Sort::Bool | Sort::Int) => {
            let b = as_int(pool, b);
            let order = Float::order_of_integer(&number(&right)?, left.as_float()?);
            Some((pool.apply(Operation::IntEqFloat, &[b, a]), holds(order)))
        }
        (Sort::Float, Sort::Float) => {
            let equal = left.as_float()?.get() == right.as_float()?.get();
            Some((pool.apply(Operation::FloatEq, &[a, b]), equal))
        }
        _ => None,
    })
    .flatten()
}

fn as_int(pool: &mut TermPool, term: TermId) -> TermId {
    if pool.sort(term) == Sort::Bool {
        pool.from_bool(term)
    } else {
        term
    }
}

fn number(value: &Value) -> Option<Integer> {
    match value {
        Value::Int(value) => Some(value.clone()),
        Value::Bool(value) => Some(Integer::from(i64::from(*value))),
        Value::Text(_) | Value::Float(_) => None,
    }
}
