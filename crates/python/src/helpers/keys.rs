//! Dicts and sets asked with a symbolic key: one decision over the keys present.
//!
//! CPython would hash the key, which fixes it. Instead the search chooses which of the present keys is
//! meant, or none; only then is the container asked, with a plain key.

use pef_explore::DecisionKind;
use pef_logic::{Operation, Sort, TermId, TermPool, Value};
use pyo3::ffi;
use pyo3::prelude::*;
use std::ptr::null_mut;

use crate::boundary::{Made, Obj, Raised, made, object};
use crate::recorder::{self, build};
use crate::values::{self, bool_result, lift, operation, symbolic};

/// Containers with more keys are not gone through; the key is pinned by its hash.
const MOST_KEYS: usize = 128;

/// What a symbolic key has to do with one key of a container.
enum Link {
    /// Equal under this condition, which holds or not.
    When(TermId, bool),
    /// A key whose class compares in its own way.
    Unknown,
    /// Never equal.
    Never,
}

/// For each present key that could be the symbolic one: the condition, and whether it holds.
/// `None` if the question must be left to the hash.
fn links(container: Obj, key: Obj) -> Result<Option<Vec<(TermId, bool)>>, Raised> {
    let mut found = Vec::new();
    for present in keys_of(container)? {
        let link = link(key, present);
        // SAFETY: an owned reference.
        unsafe { ffi::Py_DECREF(present) };
        match link {
            Link::When(term, holds) => found.push((term, holds)),
            Link::Never => {}
            Link::Unknown => return Ok(None),
        }
    }
    Ok((found.len() <= MOST_KEYS).then_some(found))
}

/// The keys of a dict or the items of a set, as owned references.
fn keys_of(container: Obj) -> Result<Vec<Obj>, Raised> {
    let mut keys = Vec::new();
    // SAFETY: a live container of the type just checked; borrowed keys are made ours at once.
    unsafe {
        if ffi::PyDict_Check(container) != 0 {
            let (mut position, mut key) = (0, null_mut());
            while ffi::PyDict_Next(container, &raw mut position, &raw mut key, null_mut()) != 0 {
                keys.push(ffi::Py_NewRef(key));
            }
            return Ok(keys);
        }
        let items = made(ffi::PyObject_GetIter(container))?;
        loop {
            let item = ffi::PyIter_Next(items);
            if item.is_null() {
                break;
            }
            keys.push(item);
        }
        ffi::Py_DECREF(items);
        if ffi::PyErr_Occurred().is_null() {
            Ok(keys)
        } else {
            Err(Raised)
        }
    }
}

fn link(key: Obj, present: Obj) -> Link {
    let Some((sort, term)) = symbolic(key) else {
        return Link::Unknown;
    };
    let (Some(mine), Some(theirs)) = (lift::value(key), lift::value(present)) else {
        return if is_plain(present) {
            Link::Never
        } else {
            Link::Unknown
        };
    };
    if !is_plain(present) {
        return Link::Unknown;
    }
    let condition = build(|pool| equality(pool, (sort, term, &mine), &theirs)).flatten();
    match condition {
        Some((condition, holds)) => match build(|pool| pool.as_bool(condition)).flatten() {
            Some(false) => Link::Never,
            _ => Link::When(condition, holds),
        },
        None => Link::Never,
    }
}

/// Whether the class of an object is one of CPython's own, whose equality we know, or ours.
fn is_plain(object: Obj) -> bool {
    // SAFETY: a live object.
    let heap = unsafe { (*ffi::Py_TYPE(object)).tp_flags & ffi::Py_TPFLAGS_HEAPTYPE != 0 };
    !heap || values::is_native(object)
}

/// When a symbolic value equals a constant, and whether it does; `None` if their types never are.
fn equality(
    pool: &mut TermPool,
    mine: (Sort, TermId, &Value),
    theirs: &Value,
) -> Option<(TermId, bool)> {
    let (sort, term, value) = mine;
    let constant = pool.constant(theirs);
    match (sort, theirs.sort()) {
        (Sort::Str, Sort::Str) | (Sort::Bytes, Sort::Bytes) => {
            let equal = pool.apply(Operation::TextEq, &[term, constant]);
            Some((equal, value == theirs))
        }
        (Sort::Bool | Sort::Int, Sort::Bool | Sort::Int) => {
            let (left, right) = (
                as_int(pool, sort, term),
                as_int(pool, theirs.sort(), constant),
            );
            Some((pool.eq(left, right), number(value)? == number(theirs)?))
        }
        (Sort::Bool | Sort::Int, Sort::Float) => {
            let left = as_int(pool, sort, term);
            let equal = pool.apply(Operation::IntEqFloat, &[left, constant]);
            let holds = pef_logic::Float::order_of_integer(&number(value)?, theirs.as_float()?);
            Some((equal, holds == Some(std::cmp::Ordering::Equal)))
        }
        (Sort::Float, Sort::Bool | Sort::Int) => {
            let right = as_int(pool, theirs.sort(), constant);
            let equal = pool.apply(Operation::IntEqFloat, &[right, term]);
            let holds = pef_logic::Float::order_of_integer(&number(theirs)?, value.as_float()?);
            Some((equal, holds == Some(std::cmp::Ordering::Equal)))
        }
        (Sort::Float, Sort::Float) => {
            let equal = pool.apply(Operation::FloatEq, &[term, constant]);
            Some((equal, value.as_float()?.get() == theirs.as_float()?.get()))
        }
        _ => None,
    }
}

fn as_int(pool: &mut TermPool, sort: Sort, term: TermId) -> TermId {
    if sort == Sort::Bool {
        pool.from_bool(term)
    } else {
        term
    }
}

fn number(value: &Value) -> Option<pef_logic::Integer> {
    match value {
        Value::Int(value) => Some(value.clone()),
        Value::Bool(value) => Some(pef_logic::Integer::from(i64::from(*value))),
        Value::Text(_) | Value::Float(_) => None,
    }
}

/// Decides which key of a dict or set a symbolic key is. Says whether there is one; `None` if the
/// key was pinned instead.
pub fn settle_key(container: Obj, key: Obj) -> Result<Option<bool>, Raised> {
    if symbolic(key).is_none() {
        return Ok(None);
    }
    let Some(links) = links(container, key)? else {
        values::pin(key, operation("key among others"))?;
        return Ok(None);
    };
    let taken = links.iter().position(|(_, holds)| *holds);
    let mut arms: Vec<TermId> = links.iter().map(|(term, _)| *term).collect();
    let none = build(|pool| {
        let mut none = pool.bool(true);
        for &arm in &arms {
            let other = pool.not(arm);
            none = pool.and(none, other);
        }
        none
    });
    let Some(none) = none else { return Ok(None) };
    arms.push(none);
    recorder::decide_among(&arms, taken.unwrap_or(links.len()), DecisionKind::Key)?;
    Ok(Some(taken.is_some()))
}

/// Whether a container looks its keys up by hash in a way we know.
pub(super) fn hashes(container: Obj) -> bool {
    // SAFETY: a live object; type checks have no side effects.
    unsafe { ffi::PyDict_Check(container) != 0 || ffi::PyAnySet_Check(container) != 0 }
}

/// `key in container`, as a truth of ours; `None` if the hash has to answer.
pub(super) fn contains(key: Obj, container: Obj) -> Result<Option<Obj>, Raised> {
    if symbolic(key).is_none() {
        return Ok(None);
    }
    let Some(links) = links(container, key)? else {
        return Ok(None);
    };
    let holds = links.iter().any(|(_, holds)| *holds);
    let term = build(|pool| {
        let mut any = pool.bool(false);
        for (link, _) in links {
            any = pool.or(any, link);
        }
        any
    });
    term.map(|term| bool_result(holds, term)).transpose()
}

/// `dict[key]`: which key is meant is a decision; a missing one is reported as it is.
pub(super) fn lookup(dict: Obj, key: Obj) -> Made {
    match settle_key(dict, key)? {
        Some(true) => {
            let plain = values::concrete(key)?;
            // SAFETY: live objects; `plain` is owned.
            unsafe {
                let item = ffi::PyObject_GetItem(dict, plain);
                ffi::Py_DECREF(plain);
                made(item)
            }
        }
        // SAFETY: live objects; `KeyError(key)` holds the key itself.
        Some(false) if unsafe { ffi::PyDict_CheckExact(dict) != 0 } => unsafe {
            let arguments = made(ffi::PyTuple_Pack(1, key))?;
            ffi::PyErr_SetObject(ffi::PyExc_KeyError, arguments);
            ffi::Py_DECREF(arguments);
            Err(Raised)
        },
        // SAFETY: live objects.
        Some(false) | None => made(unsafe { ffi::PyObject_GetItem(dict, key) }),
    }
}

/// `key_in(container, key)`: whether a dict or set has this key, as a decision over its keys.
#[pyfunction]
pub fn key_in(container: &Bound<'_, PyAny>, key: &Bound<'_, PyAny>) -> PyResult<bool> {
    let py = key.py();
    match settle_key(container.as_ptr(), key.as_ptr()) {
        Ok(Some(present)) => Ok(present),
        Ok(None) => container.contains(key),
        Err(Raised) => Err(PyErr::fetch(py)),
    }
}

/// Runs the body of a slot: shorthand for lookups from rewritten code.
pub(super) fn looked_up(dict: Obj, key: Obj) -> Obj {
    object(|| lookup(dict, key))
}
