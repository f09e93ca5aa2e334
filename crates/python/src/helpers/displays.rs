//! `{k: v}`, `{a, b}` and their comprehensions: CPython would hash the keys while it builds them.

use pyo3::exceptions::{PyAttributeError, PyTypeError};
use pyo3::ffi;
use pyo3::prelude::*;
use pyo3::types::PyDict;

use super::keys;
use crate::boundary::{GilCell, Made, Obj, Raised, made, object, raise};
use crate::models::printing::call_room;
use crate::recorder;

/// The container under construction, as a new reference: the first argument, or a new one for `None`.
fn begun(so_far: Obj, make: impl FnOnce() -> Obj) -> Made {
    // SAFETY: a live object; a new reference to it.
    unsafe {
        if so_far == ffi::Py_None() {
            made(make())
        } else {
            Ok(ffi::Py_NewRef(so_far))
        }
    }
}

/// The container if all went well.
fn finished(container: Obj, filled: Result<(), Raised>) -> Made {
    if filled.is_err() {
        // SAFETY: an owned reference.
        unsafe { ffi::Py_DECREF(container) };
    }
    filled.map(|()| container)
}

/// `__pef_dict__(so_far, key, value, ...)`
pub(super) unsafe extern "C" fn dict(_: Obj, args: *mut Obj, count: ffi::Py_ssize_t) -> Obj {
    object(|| {
        // SAFETY: called by rewritten code with `count` live arguments.
        let given = unsafe { std::slice::from_raw_parts(args, count as usize) };
        // SAFETY: makes a new dict.
        let dict = begun(given[0], || unsafe { ffi::PyDict_New() })?;
        let filled = given[1..]
            .chunks_exact(2)
            .try_for_each(|pair| keys::store(dict, pair[0], pair[1]));
        finished(dict, filled)
    })
}

/// `__pef_set__(so_far, item, ...)`
pub(super) unsafe extern "C" fn set(_: Obj, args: *mut Obj, count: ffi::Py_ssize_t) -> Obj {
    object(|| {
        // SAFETY: called by rewritten code with `count` live arguments.
        let given = unsafe { std::slice::from_raw_parts(args, count as usize) };
        let set = begun(given[0], new_set)?;
        let filled = given[1..].iter().try_for_each(|&item| keys::add(set, item));
        finished(set, filled)
    })
}

fn new_set() -> Obj {
    // SAFETY: makes a new set.
    unsafe { ffi::PySet_New(std::ptr::null_mut()) }
}

/// `__pef_spread__(so_far, source)`: `*source` in a set, `**source` in a dict.
pub(super) unsafe extern "C" fn spread(_: Obj, args: *mut Obj, _: ffi::Py_ssize_t) -> Obj {
    object(|| {
        // SAFETY: called with two arguments by rewritten code.
        let (so_far, source) = unsafe { (*args, *args.add(1)) };
        if recorder::is_recording() {
            let room = c"pef.models.containers.displays";
            return call_room(room, c"spread", &[so_far, source]);
        }
        spread_plainly(so_far, source)?;
        // SAFETY: a new reference to a live object.
        Ok(unsafe { ffi::Py_NewRef(so_far) })
    })
}

fn spread_plainly(so_far: Obj, source: Obj) -> Result<(), Raised> {
    Python::attach(|py| {
        // SAFETY: live objects.
        let (so_far, source) = unsafe {
            (
                Bound::from_borrowed_ptr(py, so_far),
                Bound::from_borrowed_ptr(py, source),
            )
        };
        let Ok(dict) = so_far.cast::<PyDict>() else {
            let updated = so_far.call_method1("update", (source,));
            return updated.map(drop).map_err(raise);
        };
        // SAFETY: a live dict and a live object.
        if unsafe { ffi::PyDict_Update(dict.as_ptr(), source.as_ptr()) } == 0 {
            return Ok(());
        }
        let problem = PyErr::fetch(py);
        if !problem.is_instance_of::<PyAttributeError>(py) {
            return Err(raise(problem));
        }
        let kind = source.get_type().name().map_err(raise)?;
        let complaint = format!("'{kind}' object is not a mapping");
        Err(raise(PyTypeError::new_err(complaint)))
    })
}

/// An entry of a comprehension, until all are known. A comprehension that collects entries, which differ from each
/// other, has hashed none of the keys, and keeps the name of its frame.
#[pyclass(frozen, module = "pef._native")]
struct Entry {
    /// Counts entries: a set has no order.
    number: u64,
    key: Py<PyAny>,
    value: Option<Py<PyAny>>,
}

fn next_number() -> u64 {
    static LAST: GilCell<u64> = GilCell::new(0);
    LAST.with(|last| {
        *last += 1;
        *last
    })
}

/// `__pef_entry__(key[, value])`. A key that has no hash is refused at once.
pub(super) unsafe extern "C" fn entry(_: Obj, args: *mut Obj, count: ffi::Py_ssize_t) -> Obj {
    object(|| {
        // SAFETY: called with one or two arguments by rewritten code.
        let (key, value) = unsafe { (*args, (count > 1).then(|| *args.add(1))) };
        // SAFETY: a live object and its type.
        unsafe {
            let refuses = (*ffi::Py_TYPE(key)).tp_hash.is_some_and(|hash| {
                hash as usize == ffi::PyObject_HashNotImplemented as *const () as usize
            });
            if refuses && ffi::PyObject_Hash(key) == -1 {
                return Err(Raised);
            }
        }
        Python::attach(|py| {
            // SAFETY: live objects.
            let owned = |object| unsafe { Bound::from_borrowed_ptr(py, object).unbind() };
            let entry = Entry {
                number: next_number(),
                key: owned(key),
                value: value.map(owned),
            };
            let entry = Bound::new(py, entry).map_err(raise)?;
            Ok(entry.into_any().into_ptr())
        })
    })
}

/// `__pef_entries__(collected)`: the dict or set that a comprehension of entries means.
pub(super) unsafe extern "C" fn entries(_: Obj, collected: Obj) -> Obj {
    object(|| {
        Python::attach(|py| {
            // SAFETY: a live dict or set of entries, made by rewritten code.
            let (collected, is_dict) = unsafe {
                let is_dict = ffi::PyDict_Check(collected) != 0;
                (Bound::from_borrowed_ptr(py, collected), is_dict)
            };
            let mut found = Vec::new();
            for entry in collected.try_iter().map_err(raise)? {
                let entry = entry.map_err(raise)?;
                found.push(entry.cast_into::<Entry>().map_err(|e| raise(e.into()))?);
            }
            if !is_dict {
                found.sort_by_key(|entry| entry.get().number);
            }
            // SAFETY: makes a new container.
            let made = made(unsafe {
                if is_dict {
                    ffi::PyDict_New()
                } else {
                    new_set()
                }
            })?;
            let filled = found.iter().try_for_each(|entry| {
                let Entry { key, value, .. } = entry.get();
                match value {
                    Some(value) => keys::store(made, key.as_ptr(), value.as_ptr()),
                    None => keys::add(made, key.as_ptr()),
                }
            });
            finished(made, filled)
        })
    })
}
