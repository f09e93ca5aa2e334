//! Dicts and sets with symbolic keys: one decision over the keys present.
//!
//! CPython would hash the key, which fixes it. Instead the search chooses which of the present keys is
//! meant, or none. A new symbolic key is stored as it is, under the hash of its concrete value, and the
//! container turns into one of ours ([`super::keyed`]: the same object and layout, another type), so that
//! every later question, whoever asks it, comes here. When the run ends they turn back.

use pef_explore::DecisionKind;
use pef_logic::TermId;
use pyo3::ffi;
use pyo3::prelude::*;
use std::ptr::null_mut;

use super::equality::{Equality, equality, is_symbolic_key, pin_key};
use super::keyed::{is_keyed, plain_class, turn, turn_one_back};
use super::set_order;
use crate::boundary::{Made, Obj, Raised, made};
use crate::inputs::lazy;
use crate::models::printing::call_room;
use crate::recorder::{self, Suspension, build};
use crate::values::{bool_result, lift};

unsafe extern "C" {
    /// `collections.OrderedDict`; part of the C API, missing from `pyo3::ffi`.
    static mut PyODict_Type: ffi::PyTypeObject;
}

/// Containers with more keys are not gone through; the keys are pinned and hashed.
const MOST_KEYS: usize = 128;

/// What a question about a key came to.
pub(super) enum Found {
    /// This present key is meant (an owned reference).
    Key(Obj),
    /// No present key is.
    Nothing,
    /// Nothing symbolic is involved, or it was pinned: CPython can answer.
    Plain,
}

/// Whether the hash of a key decides, as in plain CPython.
fn is_plain_question(container: Obj, key: Obj) -> bool {
    !recorder::is_recording() || !(is_keyed(container) || is_symbolic_key(key))
}

/// Decides which key of a dict, a set or a view of a dict is meant.
pub(super) fn find(container: Obj, key: Obj) -> Result<Found, Raised> {
    lazy::touch(container)?;
    if is_plain_question(container, key) {
        return Ok(Found::Plain);
    }
    let keys = Keys::of(container)?;
    let links = match keys.links(key) {
        Links::Possible(links) => links,
        Links::Certain(present) => {
            // SAFETY: a new reference to a live object.
            return Ok(Found::Key(unsafe { ffi::Py_NewRef(present) }));
        }
        Links::Unknown => {
            keys.pin_all(key)?;
            return Ok(Found::Plain);
        }
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
    if is_plain_question(container, key) {
        return Ok(None);
    }
    let keys = Keys::of(container)?;
    let links = match keys.links(key) {
        Links::Possible(links) => links,
        // SAFETY: a new reference to a singleton.
        Links::Certain(_) => return Ok(Some(unsafe { ffi::Py_NewRef(ffi::Py_True()) })),
        Links::Unknown => {
            keys.pin_all(key)?;
            return Ok(None);
        }
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

/// The keys of a dict or the items of a set or view, as owned references.
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

enum Links {
    /// This one is equal, whatever the values.
    Certain(Obj),
    Possible(Vec<Link>),
    /// The question must be left to hashes and to code of the keys' classes.
    Unknown,
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

    /// The keys that could be equal to `key`.
    fn links(&self, key: Obj) -> Links {
        let mut links = Vec::new();
        let mut unknown = false;
        for &present in &self.0 {
            match equality(key, present) {
                Equality::Always => return Links::Certain(present),
                Equality::Never => {}
                Equality::Unknown => unknown = true,
                Equality::When(condition, holds) => links.push(Link {
                    present,
                    condition,
                    holds,
                }),
            }
        }
        if unknown || links.len() > MOST_KEYS {
            return Links::Unknown;
        }
        // The order of a set depends on the values; that of the terms does not.
        links.sort_by_key(|link| link.condition);
        Links::Possible(links)
    }

    fn pin_all(&self, key: Obj) -> Result<(), Raised> {
        pin_key(key, "key among others")?;
        self.pin("key among others")
    }

    fn pin(&self, name: &'static str) -> Result<(), Raised> {
        self.0
            .iter()
            .try_for_each(|&present| pin_key(present, name))
    }
}

/// The iterator of the base type.
///
/// # Safety
/// `container` is a live dict, set or view.
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

/// Pins the symbolic keys of a container.
pub(super) fn pin_keys(container: Obj, name: &'static str) -> Result<(), Raised> {
    Keys::of(container)?.pin(name)
}

/// Pins the order of a set with symbolic items: it depends on their values.
pub(super) fn pin_order(set: Obj) -> Result<(), Raised> {
    let items = Keys::of(set)?;
    if items.0.len() > 1 && !set_order::fix(set, &items.0)? {
        items.pin("order of a set")?;
    }
    Ok(())
}

/// The items of a set as a list, in the order of their terms; `None` if one has no term.
pub(super) fn unordered(set: Obj) -> Result<Option<Obj>, Raised> {
    let items = Keys::of(set)?;
    let mut ordered = Vec::with_capacity(items.0.len());
    for &item in &items.0 {
        let Some(term) = lift::term(item) else {
            return Ok(None);
        };
        ordered.push((term, item));
    }
    ordered.sort_by_key(|&(term, _)| term);
    // SAFETY: a new list, filled in order with new references.
    unsafe {
        let list = made(ffi::PyList_New(ordered.len() as ffi::Py_ssize_t))?;
        for (position, (_, item)) in ordered.into_iter().enumerate() {
            ffi::PyList_SET_ITEM(list, position as ffi::Py_ssize_t, ffi::Py_NewRef(item));
        }
        Ok(Some(list))
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
        Found::Nothing if plain_class(dict) == &raw mut ffi::PyDict_Type => Err(missing(key)),
        Found::Nothing => call_room(c"pef.models.containers.keyed", c"missing", &[dict, key]),
        // SAFETY: live objects.
        Found::Plain => unsafe {
            let table = ffi::PyDict_Type.tp_as_mapping;
            match table.as_ref().and_then(|table| table.mp_subscript) {
                Some(slot) => made(slot(dict, key)),
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
        Found::Key(present) => {
            let _concrete = Suspension::new();
            let status = set_plainly(dict, present, value);
            // SAFETY: an owned reference.
            unsafe { ffi::Py_DECREF(present) };
            status
        }
        Found::Nothing if value.is_null() => return Err(missing(key)),
        Found::Nothing if keeps(dict, key)? => {
            let _concrete = Suspension::new();
            set_plainly(dict, key, value)
        }
        Found::Nothing | Found::Plain => set_plainly(dict, key, value),
    };
    if status < 0 { Err(Raised) } else { Ok(()) }
}

/// Prepares a container for a new key; false if the key has to be hashed, which pins it.
fn keeps(container: Obj, key: Obj) -> Result<bool, Raised> {
    Ok(!is_symbolic_key(key) || turn(container)?)
}

/// As the class in C that the dict is made of: an `OrderedDict` keeps its own order.
fn set_plainly(dict: Obj, key: Obj, value: Obj) -> std::ffi::c_int {
    // SAFETY: a live dict, live objects; the slots of static types.
    unsafe {
        let ordered = &raw mut PyODict_Type;
        if ffi::PyType_IsSubtype(ffi::Py_TYPE(dict), ordered) != 0 {
            let table = (*ordered).tp_as_mapping;
            if let Some(slot) = table.as_ref().and_then(|table| table.mp_ass_subscript) {
                return slot(dict, key, value);
            }
        }
        if value.is_null() {
            ffi::PyDict_DelItem(dict, key)
        } else {
            ffi::PyDict_SetItem(dict, key, value)
        }
    }
}

/// `set.add(item)`.
pub(super) fn add(set: Obj, item: Obj) -> Result<(), Raised> {
    let status = match find(set, item)? {
        Found::Key(present) => {
            // SAFETY: an owned reference.
            unsafe { ffi::Py_DECREF(present) };
            0
        }
        Found::Nothing if keeps(set, item)? => {
            let _concrete = Suspension::new();
            // SAFETY: a live set.
            unsafe { ffi::PySet_Add(set, item) }
        }
        // SAFETY: a live set.
        Found::Nothing | Found::Plain => unsafe { ffi::PySet_Add(set, item) },
    };
    if status < 0 { Err(Raised) } else { Ok(()) }
}

/// The container with plain keys, each being what `settle` makes of it, for C code to read: the same object, or a
/// new frozenset.
pub(super) fn surrender(container: Obj, settle: &mut dyn FnMut(Obj) -> Made) -> Made {
    let keys = Keys::of(container)?;
    let mut plain = Keys(Vec::new());
    for &key in &keys.0 {
        plain.0.push(settle(key)?);
    }
    let _concrete = Suspension::new();
    // SAFETY: live containers; items are held while their dict is emptied.
    unsafe {
        if ffi::PyDict_Check(container) != 0 {
            let mut items = Keys(Vec::new());
            for &key in &keys.0 {
                let item = ffi::PyDict_GetItemWithError(container, key);
                items.0.push(ffi::Py_NewRef(made(item)?));
            }
            turn_one_back(container);
            for &key in &keys.0 {
                set_plainly(container, key, null_mut());
            }
            for (&key, &item) in plain.0.iter().zip(&items.0) {
                set_plainly(container, key, item);
            }
            return Ok(ffi::Py_NewRef(container));
        }
        if ffi::PyFrozenSet_Check(container) != 0 {
            let list = made(ffi::PyList_New(0))?;
            for &key in &plain.0 {
                ffi::PyList_Append(list, key);
            }
            let frozen = ffi::PyFrozenSet_New(list);
            ffi::Py_DECREF(list);
            return made(frozen);
        }
        turn_one_back(container);
        ffi::PySet_Clear(container);
        for &key in &plain.0 {
            ffi::PySet_Add(container, key);
        }
        Ok(ffi::Py_NewRef(container))
    }
}

fn raised<T>(py: Python<'_>, result: Result<T, Raised>) -> PyResult<T> {
    result.map_err(|Raised| PyErr::fetch(py))
}

/// `find_key(container, key)`: the present key that is meant, in a tuple; `None` if none is.
#[pyfunction]
fn find_key<'py>(
    container: &Bound<'py, PyAny>,
    key: &Bound<'py, PyAny>,
) -> PyResult<Option<(Bound<'py, PyAny>,)>> {
    let py = key.py();
    match raised(py, find(container.as_ptr(), key.as_ptr()))? {
        // SAFETY: an owned reference.
        Found::Key(present) => Ok(Some((unsafe { Bound::from_owned_ptr(py, present) },))),
        Found::Nothing => Ok(None),
        Found::Plain => Ok(has_plainly(container, key)?.then(|| (key.clone(),))),
    }
}

/// As the base type answers, not code of a subclass.
fn has_plainly(container: &Bound<'_, PyAny>, key: &Bound<'_, PyAny>) -> PyResult<bool> {
    // SAFETY: a live dict or set.
    let inside = unsafe {
        if ffi::PyDict_Check(container.as_ptr()) != 0 {
            ffi::PyDict_Contains(container.as_ptr(), key.as_ptr())
        } else if ffi::PyAnySet_Check(container.as_ptr()) != 0 {
            ffi::PySet_Contains(container.as_ptr(), key.as_ptr())
        } else {
            return container.contains(key);
        }
    };
    if inside < 0 {
        return Err(PyErr::fetch(key.py()));
    }
    Ok(inside == 1)
}

/// `dict[key]`, asked here.
#[pyfunction]
fn dict_get<'py>(
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
fn dict_set(
    dict: &Bound<'_, pyo3::types::PyDict>,
    key: &Bound<'_, PyAny>,
    value: &Bound<'_, PyAny>,
) -> PyResult<()> {
    raised(key.py(), store(dict.as_ptr(), key.as_ptr(), value.as_ptr()))
}

/// `del dict[key]`, asked here.
#[pyfunction]
fn dict_del(dict: &Bound<'_, pyo3::types::PyDict>, key: &Bound<'_, PyAny>) -> PyResult<()> {
    raised(key.py(), store(dict.as_ptr(), key.as_ptr(), null_mut()))
}

/// `set.add(item)`, asked here.
#[pyfunction]
fn set_add(set: &Bound<'_, PyAny>, item: &Bound<'_, PyAny>) -> PyResult<()> {
    raised(item.py(), add(set.as_ptr(), item.as_ptr()))
}

/// Adds these functions to the module.
pub(super) fn install(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_function(wrap_pyfunction!(find_key, module)?)?;
    module.add_function(wrap_pyfunction!(dict_get, module)?)?;
    module.add_function(wrap_pyfunction!(dict_set, module)?)?;
    module.add_function(wrap_pyfunction!(dict_del, module)?)?;
    module.add_function(wrap_pyfunction!(set_add, module)?)
}
