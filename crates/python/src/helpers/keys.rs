//! Dicts and sets with symbolic keys: one decision over the keys present.
//!
//! CPython would hash the key, which fixes it. Instead the search chooses which of the present keys is
//! meant, or none. A new symbolic key is stored as it is, under the hash of its concrete value, and the
//! container turns into one of ours (`SymDict`, `SymSet`: the same object and layout, another type), so that
//! every later question, whoever asks it, comes here. When the run ends they turn back.

use pef_explore::DecisionKind;
use pef_logic::{Float, Integer, Operation, Sort, TermId, TermPool, Value};
use pyo3::ffi;
use pyo3::prelude::*;
use std::cmp::Ordering;
use std::ptr::null_mut;

use crate::boundary::{GilCell, Made, Obj, Raised, made};
use crate::inputs::lazy;
use crate::recorder::{self, Suspension, build};
use crate::values::{self, bool_result, lift, operation, symbolic};

/// Containers with more keys are not gone through; the key is pinned by its hash.
const MOST_KEYS: usize = 128;

/// The types that dicts and sets with symbolic keys turn into.
#[derive(Clone, Copy)]
pub(super) struct KeyedTypes {
    pub(super) dict: *mut ffi::PyTypeObject,
    pub(super) set: *mut ffi::PyTypeObject,
}

pub(super) static TYPES: GilCell<KeyedTypes> = GilCell::new(KeyedTypes {
    dict: null_mut(),
    set: null_mut(),
});

/// The containers that turned during the run in progress, as owned references.
static TURNED: GilCell<Vec<usize>> = GilCell::new(Vec::new());

/// Whether a container has, or had, symbolic keys.
pub(super) fn is_keyed(container: Obj) -> bool {
    // SAFETY: a live object.
    let class = unsafe { ffi::Py_TYPE(container) };
    TYPES.with(|types| class == types.dict || class == types.set)
}

/// Turns an exact dict or set into one of ours; others keep their type.
fn turn(container: Obj) {
    let types = TYPES.with(|types| *types);
    // SAFETY: the types share the layout of their bases; an instance of a heap type holds a
    // reference to it.
    unsafe {
        let class = if ffi::PyDict_CheckExact(container) != 0 {
            types.dict
        } else if ffi::Py_TYPE(container) == &raw mut ffi::PySet_Type {
            types.set
        } else {
            return;
        };
        ffi::Py_INCREF(class.cast());
        (*container).ob_type = class;
        ffi::Py_INCREF(container);
    }
    TURNED.with(|turned| turned.push(container as usize));
}

/// Turns all containers of a run back: its values are plain from now on.
pub fn turn_back() {
    for container in TURNED.with(std::mem::take) {
        let container = container as Obj;
        let types = TYPES.with(|types| *types);
        // SAFETY: an owned reference; only containers of our types are turned back.
        unsafe {
            let class = ffi::Py_TYPE(container);
            if class == types.dict || class == types.set {
                (*container).ob_type = if class == types.dict {
                    &raw mut ffi::PyDict_Type
                } else {
                    &raw mut ffi::PySet_Type
                };
                ffi::Py_DECREF(class.cast());
            }
            ffi::Py_DECREF(container);
        }
    }
}

/// What a question about a key came to.
pub(super) enum Found {
    /// This present key is meant (an owned reference).
    Key(Obj),
    /// No present key is.
    Nothing,
    /// Nothing symbolic is involved, or it was pinned: CPython can answer.
    Plain,
}

/// Decides which key of a dict or set is meant.
pub(super) fn find(container: Obj, key: Obj) -> Result<Found, Raised> {
    lazy::touch(container)?;
    if !recorder::is_recording() || (symbolic(key).is_none() && !is_keyed(container)) {
        return Ok(Found::Plain);
    }
    let keys = Keys::of(container)?;
    let Some(links) = keys.links(key) else {
        values::pin(key, operation("key among others"))?;
        return Ok(Found::Plain);
    };
    let taken = links.iter().position(|link| link.holds);
    let mut arms: Vec<TermId> = links.iter().map(|link| link.condition).collect();
    let none = build(|pool| {
        let mut none = pool.bool(true);
        for &arm in &arms {
            let other = pool.not(arm);
            none = pool.and(none, other);
        }
        none
    });
    let Some(none) = none else {
        return Ok(Found::Plain);
    };
    arms.push(none);
    recorder::decide_among(&arms, taken.unwrap_or(links.len()), DecisionKind::Key)?;
    Ok(match taken {
        // SAFETY: a new reference to a live object.
        Some(taken) => Found::Key(unsafe { ffi::Py_NewRef(links[taken].present) }),
        None => Found::Nothing,
    })
}

/// `key in container`, as a truth of ours; `None` if CPython can answer.
pub(super) fn contains(key: Obj, container: Obj) -> Result<Option<Obj>, Raised> {
    lazy::touch(container)?;
    if !recorder::is_recording() || (symbolic(key).is_none() && !is_keyed(container)) {
        return Ok(None);
    }
    let keys = Keys::of(container)?;
    let Some(links) = keys.links(key) else {
        return Ok(None);
    };
    let holds = links.iter().any(|link| link.holds);
    let term = build(|pool| {
        let mut any = pool.bool(false);
        for link in &links {
            any = pool.or(any, link.condition);
        }
        any
    });
    term.map(|term| bool_result(holds, term)).transpose()
}

/// The keys of a dict or the items of a set, as owned references.
struct Keys(Vec<Obj>);

impl Drop for Keys {
    fn drop(&mut self) {
        for &key in &self.0 {
            // SAFETY: owned references.
            unsafe { ffi::Py_DECREF(key) };
        }
    }
}

/// A present key that may be the one asked for.
struct Link {
    present: Obj,
    condition: TermId,
    holds: bool,
}

impl Keys {
    fn of(container: Obj) -> Result<Keys, Raised> {
        let mut keys = Keys(Vec::new());
        // SAFETY: a live container of the type just checked; borrowed keys are made ours at once.
        unsafe {
            if ffi::PyDict_Check(container) != 0 {
                let (mut position, mut key) = (0, null_mut());
                while ffi::PyDict_Next(container, &raw mut position, &raw mut key, null_mut()) != 0
                {
                    keys.0.push(ffi::Py_NewRef(key));
                }
                return Ok(keys);
            }
            let items = made(plain_iterator(container))?;
            loop {
                let item = ffi::PyIter_Next(items);
                if item.is_null() {
                    break;
                }
                keys.0.push(item);
            }
            ffi::Py_DECREF(items);
            if ffi::PyErr_Occurred().is_null() {
                Ok(keys)
            } else {
                Err(Raised)
            }
        }
    }

    /// The keys that could be equal to `key`; `None` if the question must be left to the hash.
    fn links(&self, key: Obj) -> Option<Vec<Link>> {
        let mut links = Vec::new();
        for &present in &self.0 {
            if present != key && !(is_plain(present) && is_plain(key)) {
                return None;
            }
            let (condition, holds) = match equality(key, present) {
                Some(equality) => equality,
                // The same object, or types that are never equal.
                None => (build(|pool| pool.bool(present == key))?, present == key),
            };
            match build(|pool| pool.as_bool(condition)).flatten() {
                Some(false) => {}
                Some(true) | None => links.push(Link {
                    present,
                    condition,
                    holds,
                }),
            }
        }
        // The order of a set depends on the values; that of the terms does not.
        links.sort_by_key(|link| link.condition);
        (links.len() <= MOST_KEYS).then_some(links)
    }
}

/// The iterator of the base type.
///
/// # Safety
/// `container` is a live dict or set.
pub(super) unsafe fn plain_iterator(container: Obj) -> Obj {
    // SAFETY: the slot of the base, of a live container.
    unsafe {
        let base = if ffi::PyDict_Check(container) != 0 {
            &raw mut ffi::PyDict_Type
        } else if ffi::PyAnySet_Check(container) != 0 {
            &raw mut ffi::PySet_Type
        } else {
            ffi::Py_TYPE(container)
        };
        match (*base).tp_iter {
            Some(slot) => slot(container),
            None => ffi::PyObject_GetIter(container),
        }
    }
}

/// Pins the symbolic items of a set: their order depends on their values.
pub(super) fn pin_items(set: Obj) -> Result<(), Raised> {
    for &item in &Keys::of(set)?.0 {
        values::pin(item, operation("order of a set"))?;
    }
    Ok(())
}

/// Whether the class of an object is one of CPython's own, whose equality we know, or ours; not
/// one that may hold others.
fn is_plain(object: Obj) -> bool {
    // SAFETY: a live object; type checks have no side effects.
    unsafe {
        let heap = (*ffi::Py_TYPE(object)).tp_flags & ffi::Py_TPFLAGS_HEAPTYPE != 0;
        let holds_others = ffi::PyTuple_Check(object) != 0 || ffi::PyAnySet_Check(object) != 0;
        values::is_native(object) || !(heap || holds_others)
    }
}

/// When two values are equal, and whether they are; `None` if their types never are.
fn equality(one: Obj, other: Obj) -> Option<(TermId, bool)> {
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

/// `dict[key]` of a dict whose class does not look keys up in Python.
pub fn lookup(dict: Obj, key: Obj) -> Made {
    match find(dict, key)? {
        // SAFETY: a live dict and an owned key of it.
        Found::Key(present) => unsafe {
            let _concrete = Suspension::new();
            let item = ffi::PyDict_GetItemWithError(dict, present);
            ffi::Py_XINCREF(item);
            ffi::Py_DECREF(present);
            made(item)
        },
        // SAFETY: live objects; `KeyError(key)` holds the key itself.
        Found::Nothing if is_keyed(dict) || unsafe { ffi::PyDict_CheckExact(dict) != 0 } => {
            Err(missing(key))
        }
        // SAFETY: live objects.
        Found::Nothing | Found::Plain => unsafe {
            match (*(&raw const ffi::PyDict_Type)).tp_as_mapping.as_ref() {
                Some(table) => match table.mp_subscript {
                    Some(slot) => made(slot(dict, key)),
                    None => Err(Raised),
                },
                None => Err(Raised),
            }
        },
    }
}

/// Sets `KeyError(key)`.
fn missing(key: Obj) -> Raised {
    // SAFETY: live objects; the tuple is owned.
    unsafe {
        let arguments = ffi::PyTuple_Pack(1, key);
        if !arguments.is_null() {
            ffi::PyErr_SetObject(ffi::PyExc_KeyError, arguments);
            ffi::Py_DECREF(arguments);
        }
    }
    Raised
}

/// `dict[key] = value`, or `del dict[key]` for a null value.
pub fn store(dict: Obj, key: Obj, value: Obj) -> Result<(), Raised> {
    let status = match find(dict, key)? {
        // SAFETY: a live dict and an owned key of it.
        Found::Key(present) => unsafe {
            let _concrete = Suspension::new();
            let status = set_plainly(dict, present, value);
            ffi::Py_DECREF(present);
            status
        },
        Found::Nothing if value.is_null() => return Err(missing(key)),
        Found::Nothing => {
            if symbolic(key).is_some() {
                turn(dict);
            }
            let _concrete = Suspension::new();
            set_plainly(dict, key, value)
        }
        Found::Plain => set_plainly(dict, key, value),
    };
    if status < 0 { Err(Raised) } else { Ok(()) }
}

fn set_plainly(dict: Obj, key: Obj, value: Obj) -> std::ffi::c_int {
    // SAFETY: a live dict, live objects.
    unsafe {
        if value.is_null() {
            ffi::PyDict_DelItem(dict, key)
        } else {
            ffi::PyDict_SetItem(dict, key, value)
        }
    }
}

/// `set.add(item)`.
fn add(set: Obj, item: Obj) -> Result<(), Raised> {
    let status = match find(set, item)? {
        Found::Key(present) => {
            // SAFETY: an owned reference.
            unsafe { ffi::Py_DECREF(present) };
            0
        }
        Found::Nothing => {
            if symbolic(item).is_some() {
                turn(set);
            }
            let _concrete = Suspension::new();
            // SAFETY: a live set.
            unsafe { ffi::PySet_Add(set, item) }
        }
        // SAFETY: a live set.
        Found::Plain => unsafe { ffi::PySet_Add(set, item) },
    };
    if status < 0 { Err(Raised) } else { Ok(()) }
}

fn raised<T>(py: Python<'_>, result: Result<T, Raised>) -> PyResult<T> {
    result.map_err(|Raised| PyErr::fetch(py))
}

/// `key_in(container, key)`: the present key that is meant, in a tuple; `None` if none is.
#[pyfunction]
pub fn find_key<'py>(
    container: &Bound<'py, PyAny>,
    key: &Bound<'py, PyAny>,
) -> PyResult<Option<(Bound<'py, PyAny>,)>> {
    let py = key.py();
    match raised(py, find(container.as_ptr(), key.as_ptr()))? {
        // SAFETY: an owned reference.
        Found::Key(present) => Ok(Some((unsafe { Bound::from_owned_ptr(py, present) },))),
        Found::Nothing => Ok(None),
        Found::Plain => Ok(container.contains(key)?.then(|| (key.clone(),))),
    }
}

/// `dict[key]`, asked here.
#[pyfunction]
pub fn dict_get<'py>(
    dict: &Bound<'py, pyo3::types::PyDict>,
    key: &Bound<'py, PyAny>,
) -> PyResult<Bound<'py, PyAny>> {
    let py = key.py();
    let item = raised(py, lookup(dict.as_ptr(), key.as_ptr()))?;
    // SAFETY: a new reference.
    Ok(unsafe { Bound::from_owned_ptr(py, item) })
}

/// `dict[key] = value`, asked here.
#[pyfunction]
pub fn dict_set(
    dict: &Bound<'_, pyo3::types::PyDict>,
    key: &Bound<'_, PyAny>,
    value: &Bound<'_, PyAny>,
) -> PyResult<()> {
    raised(key.py(), store(dict.as_ptr(), key.as_ptr(), value.as_ptr()))
}

/// `del dict[key]`, asked here.
#[pyfunction]
pub fn dict_del(dict: &Bound<'_, pyo3::types::PyDict>, key: &Bound<'_, PyAny>) -> PyResult<()> {
    raised(key.py(), store(dict.as_ptr(), key.as_ptr(), null_mut()))
}

/// `set.add(item)`, asked here.
#[pyfunction]
pub fn set_add(set: &Bound<'_, PyAny>, item: &Bound<'_, PyAny>) -> PyResult<()> {
    raised(item.py(), add(set.as_ptr(), item.as_ptr()))
}

/// `set.discard(item)` of an item that is there, asked here.
#[pyfunction]
pub fn set_discard(set: &Bound<'_, PyAny>, item: &Bound<'_, PyAny>) -> PyResult<()> {
    let _concrete = Suspension::new();
    // SAFETY: a live set.
    if unsafe { ffi::PySet_Discard(set.as_ptr(), item.as_ptr()) } < 0 {
        return Err(PyErr::fetch(item.py()));
    }
    Ok(())
}
