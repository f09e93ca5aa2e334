//! Giving arguments up to code that reads values without asking.
//!
//! A C function sees through containers: whatever symbolic value it can reach inside a
//! list, tuple, dict, set or iterator is settled before the call (a bool becomes a
//! decision, anything else is pinned). Objects of classes written in Python are left
//! alone: C code reaches their attributes only by running their methods. Those that hand
//! out items that way ([`hands_out`]) may hand out symbolic ones; that is recorded.

use pef_explore::PinReason;
use pyo3::PyTypeInfo;
use pyo3::ffi;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyTuple, PyType};
use rustc_hash::FxHashSet;
use std::ptr::null_mut;

use super::registry;
use crate::boundary::{GilCell, Made, Obj, Raised, made, raise};
use crate::helpers::keyed::{is_keyed, surrendered};
use crate::inputs::lazy;
use crate::recorder;
use crate::values;

/// The containers already looked into: they may hold themselves.
type Seen = FxHashSet<usize>;

/// Whether a value is symbolic or leads to one.
pub fn holds_symbolic(value: Obj) -> bool {
    if values::symbolic(value).is_some() || lazy::is_untouched(value) || hands_out(value) {
        return true;
    }
    is_container(value) && search(value, &mut Seen::default())
}

/// What is in the slots of a class that has `__iter__`, `__next__` and `__getitem__` in Python.
static HANDING: GilCell<Slots> = GilCell::new([0; 3]);

/// The slots by which C code asks for items; zero if there is none.
type Slots = [usize; 3];

/// # Safety
/// A live class.
unsafe fn slots_of(class: *mut ffi::PyTypeObject) -> Slots {
    // SAFETY: as promised by the caller; the tables of a class live as long as it does.
    unsafe {
        let table = (*class).tp_as_mapping;
        let subscript = if table.is_null() {
            None
        } else {
            (*table).mp_subscript
        };
        [
            (*class).tp_iter.map_or(0, |slot| slot as usize),
            (*class).tp_iternext.map_or(0, |slot| slot as usize),
            subscript.map_or(0, |slot| slot as usize),
        ]
    }
}

/// Learns how such slots look in this interpreter.
pub fn install(py: Python<'_>) -> PyResult<()> {
    let methods = PyDict::new(py);
    for name in ["__iter__", "__next__", "__getitem__"] {
        methods.set_item(name, py.None())?;
    }
    let class = PyType::type_object(py).call1(("Handing", PyTuple::empty(py), methods))?;
    // SAFETY: a class that was just made.
    let slots = unsafe { slots_of(class.as_ptr().cast()) };
    HANDING.with(|handing| *handing = slots);
    Ok(())
}

/// Whether an object gives items to C code by methods written in Python. A number or text is read as such.
fn hands_out(value: Obj) -> bool {
    let read_at_once = ffi::Py_TPFLAGS_LONG_SUBCLASS
        | ffi::Py_TPFLAGS_UNICODE_SUBCLASS
        | ffi::Py_TPFLAGS_BYTES_SUBCLASS;
    // SAFETY: a live object and its class.
    unsafe {
        let class = ffi::Py_TYPE(value);
        let flags = (*class).tp_flags;
        flags & ffi::Py_TPFLAGS_HEAPTYPE != 0 && flags & read_at_once == 0 && {
            let handing = HANDING.with(|handing| *handing);
            slots_of(class)
                .iter()
                .zip(handing)
                .any(|(&slot, python)| slot != 0 && slot == python)
        }
    }
}

/// The value without anything symbolic. Lists and dicts are changed in place, so that the
/// callee can still mutate them; tuples are rebuilt; iterators are wrapped.
pub fn surrender_argument(value: Obj, reason: &PinReason) -> Made {
    settle(value, reason, &mut Seen::default())
}

fn is_container(value: Obj) -> bool {
    // SAFETY: a live object; type checks have no side effects.
    unsafe {
        ffi::PyList_Check(value) != 0
            || ffi::PyTuple_Check(value) != 0
            || ffi::PyDict_Check(value) != 0
            || ffi::PyAnySet_Check(value) != 0
            || registry::is_lazy(value)
            || registry::is_sequence(value)
            || registry::settles(value)
    }
}

fn search(value: Obj, seen: &mut Seen) -> bool {
    if values::symbolic(value).is_some() || lazy::is_untouched(value) || hands_out(value) {
        return true;
    }
    if !is_container(value) || !seen.insert(value as usize) {
        return false;
    }
    // SAFETY: a live object of the type just checked.
    let ours = unsafe { registry::is_lazy(value) || registry::settles(value) } || is_keyed(value);
    // Nobody knows what an iterator will bring; the others are made for symbolic values.
    ours || any_item(value, &mut |item| search(item, seen))
}

/// Whether `test` holds for an element of a list, tuple, dict or set.
fn any_item(value: Obj, test: &mut dyn FnMut(Obj) -> bool) -> bool {
    // SAFETY: a live object of the type just checked; borrowed items are only looked at,
    // and looking runs no Python code.
    unsafe {
        if ffi::PyList_Check(value) != 0 {
            return (0..ffi::PyList_GET_SIZE(value)).any(|i| test(ffi::PyList_GET_ITEM(value, i)));
        }
        if ffi::PyTuple_Check(value) != 0 {
            let size = ffi::PyTuple_GET_SIZE(value);
            return (0..size).any(|i| test(ffi::PyTuple_GET_ITEM(value, i)));
        }
        if ffi::PyDict_Check(value) != 0 {
            let (mut position, mut key, mut item) = (0, null_mut(), null_mut());
            while ffi::PyDict_Next(value, &raw mut position, &raw mut key, &raw mut item) != 0 {
                if test(key) || test(item) {
                    return true;
                }
            }
        }
    }
    // SAFETY: as above.
    if unsafe { registry::is_sequence(value) } {
        return any_in_sequence(value, test);
    }
    // What is in a plain set was pinned when it was hashed.
    false
}

fn any_in_sequence(sequence: Obj, test: &mut dyn FnMut(Obj) -> bool) -> bool {
    // SAFETY: a live sequence; each item is owned while it is looked at.
    unsafe {
        for index in 0..ffi::PySequence_Size(sequence) {
            let item = ffi::PySequence_GetItem(sequence, index);
            if item.is_null() {
                ffi::PyErr_Clear();
                return false;
            }
            let found = test(item);
            ffi::Py_DECREF(item);
            if found {
                return true;
            }
        }
    }
    false
}

fn settle(value: Obj, reason: &PinReason, seen: &mut Seen) -> Made {
    lazy::touch(value)?;
    if values::is_native(value) {
        return values::surrender(value, reason.clone());
    }
    // SAFETY: live objects of the types just checked.
    unsafe {
        if hands_out(value) {
            recorder::lose_sight(reason.clone())?;
        }
        if !is_container(value) || !seen.insert(value as usize) {
            return Ok(ffi::Py_NewRef(value));
        }
        if registry::is_lazy(value) {
            return match given_up(value, reason)? {
                Some(plain) => Ok(plain),
                None => settled_items(value, reason),
            };
        }
        if registry::settles(value) {
            return settled_stand_in(value, reason);
        }
        if is_keyed(value) {
            let plain = surrendered(value, &mut |key| settle(key, reason, seen))?;
            if ffi::PyDict_Check(value) == 0 || !any_item(value, &mut holds_symbolic) {
                return Ok(plain);
            }
            ffi::Py_DECREF(plain);
        }
        if !any_item(value, &mut holds_symbolic) {
            return Ok(ffi::Py_NewRef(value));
        }
        if ffi::PyList_Check(value) != 0 {
            return settle_list(value, reason, seen);
        }
        if ffi::PyTuple_Check(value) != 0 {
            return settle_tuple(value, reason, seen);
        }
        if registry::is_sequence(value) {
            return settle_sequence(value, reason, seen);
        }
        settle_dict(value, reason, seen)
    }
}

/// The object of the built-in type that a stand-in passes for, its parts being pinned.
unsafe fn settled_stand_in(value: Obj, reason: &PinReason) -> Made {
    let name = match reason {
        PinReason::Call(name) => name.to_string(),
        PinReason::Operation(name) => (*name).to_owned(),
    };
    Python::attach(|py| {
        // SAFETY: a live object.
        let value = unsafe { Bound::from_borrowed_ptr(py, value) };
        let settled = value.call_method1("__pef_pinned__", (name,));
        settled.map(Bound::into_ptr).map_err(raise)
    })
}

unsafe fn settle_list(list: Obj, reason: &PinReason, seen: &mut Seen) -> Made {
    // SAFETY: a live list; each item is held while it is settled, and the size is read
    // again each time because settling may run Python code.
    unsafe {
        let mut index = 0;
        while index < ffi::PyList_GET_SIZE(list) {
            let item = ffi::Py_NewRef(ffi::PyList_GET_ITEM(list, index));
            let plain = settle(item, reason, seen);
            ffi::Py_DECREF(item);
            if ffi::PyList_SetItem(list, index, plain?) < 0 {
                return Err(Raised);
            }
            index += 1;
        }
        Ok(ffi::Py_NewRef(list))
    }
}

unsafe fn settle_sequence(sequence: Obj, reason: &PinReason, seen: &mut Seen) -> Made {
    // SAFETY: a live sequence; each item is owned while it is settled.
    unsafe {
        let mut index = 0;
        while index < ffi::PySequence_Size(sequence) {
            let item = made(ffi::PySequence_GetItem(sequence, index))?;
            let plain = settle(item, reason, seen);
            ffi::Py_DECREF(item);
            let plain = plain?;
            let status = ffi::PySequence_SetItem(sequence, index, plain);
            ffi::Py_DECREF(plain);
            if status < 0 {
                return Err(Raised);
            }
            index += 1;
        }
        Ok(ffi::Py_NewRef(sequence))
    }
}

/// A plain tuple is rebuilt; one of a subclass keeps its items, which are pinned.
unsafe fn settle_tuple(tuple: Obj, reason: &PinReason, seen: &mut Seen) -> Made {
    // SAFETY: a live tuple, which cannot change; the copy is owned and filled in order.
    unsafe {
        let size = ffi::PyTuple_GET_SIZE(tuple);
        let copy = made(ffi::PyTuple_New(size))?;
        for index in 0..size {
            let Ok(plain) = settle(ffi::PyTuple_GET_ITEM(tuple, index), reason, seen) else {
                ffi::Py_DECREF(copy);
                return Err(Raised);
            };
            ffi::PyTuple_SetItem(copy, index, plain);
        }
        if ffi::PyTuple_CheckExact(tuple) != 0 {
            return Ok(copy);
        }
        ffi::Py_DECREF(copy);
        Ok(ffi::Py_NewRef(tuple))
    }
}

/// Replaces the values of a dict, whose keys are plain.
unsafe fn settle_dict(dict: Obj, reason: &PinReason, seen: &mut Seen) -> Made {
    // SAFETY: a live dict; `keys` is owned and keeps the keys alive.
    unsafe {
        let keys = made(ffi::PyDict_Keys(dict))?;
        let settled = settle_values(dict, keys, reason, seen);
        ffi::Py_DECREF(keys);
        settled.map(|()| ffi::Py_NewRef(dict))
    }
}

unsafe fn settle_values(
    dict: Obj,
    keys: Obj,
    reason: &PinReason,
    seen: &mut Seen,
) -> Result<(), Raised> {
    // SAFETY: as for `settle_dict`; each value is held while it is settled.
    unsafe {
        for index in 0..ffi::PyList_GET_SIZE(keys) {
            let key = ffi::PyList_GET_ITEM(keys, index);
            let item = ffi::PyDict_GetItemWithError(dict, key);
            if item.is_null() {
                continue;
            }
            ffi::Py_INCREF(item);
            let plain = settle(item, reason, seen);
            ffi::Py_DECREF(item);
            let plain = plain?;
            let status = ffi::PyDict_SetItem(dict, key, plain);
            ffi::Py_DECREF(plain);
            if status < 0 {
                return Err(Raised);
            }
        }
    }
    Ok(())
}

/// What a stand-in of ours that knows its plain twin gives in its place, after pinning it.
fn given_up(value: Obj, reason: &PinReason) -> Result<Option<Obj>, Raised> {
    Python::attach(|py| {
        // SAFETY: a live object.
        let value = unsafe { Bound::from_borrowed_ptr(py, value) };
        let Ok(method) = value.getattr("__pef_surrender__") else {
            return Ok(None);
        };
        let name = match reason {
            PinReason::Call(name) => name,
            PinReason::Operation(name) => *name,
        };
        let plain = method.call1((name,)).map_err(raise)?;
        Ok(Some(plain.into_ptr()))
    })
}

fn settled_items(source: Obj, reason: &PinReason) -> Made {
    Python::attach(|py| {
        // SAFETY: a live object.
        let source = unsafe { Bound::from_borrowed_ptr(py, source) };
        let items = source.try_iter().map_err(raise)?;
        let wrapped = SettledItems {
            source: items.into_any().unbind(),
            reason: reason.clone(),
        };
        let wrapped = Bound::new(py, wrapped).map_err(raise)?;
        Ok(wrapped.into_any().into_ptr())
    })
}

/// An iterator whose items are settled as C code draws them.
#[pyclass(frozen, module = "pef._native")]
struct SettledItems {
    source: Py<PyAny>,
    reason: PinReason,
}

#[pymethods]
impl SettledItems {
    fn __iter__(slf: PyRef<'_, Self>) -> PyRef<'_, Self> {
        slf
    }

    fn __next__(&self, py: Python<'_>) -> PyResult<Option<Py<PyAny>>> {
        // SAFETY: the source is an iterator; a null result without an exception ends it.
        unsafe {
            let item = ffi::PyIter_Next(self.source.as_ptr());
            if item.is_null() {
                return PyErr::take(py).map_or(Ok(None), Err);
            }
            let item = Bound::from_owned_ptr(py, item);
            match surrender_argument(item.as_ptr(), &self.reason) {
                Ok(plain) => Ok(Some(Bound::from_owned_ptr(py, plain).unbind())),
                Err(Raised) => Err(PyErr::fetch(py)),
            }
        }
    }
}
