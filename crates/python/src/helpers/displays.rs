//! `{k: v}`, `{a, b}` and their comprehensions: CPython would hash the keys while it builds them.

use pyo3::ffi;

use super::keys;
use crate::boundary::{Made, Obj, Raised, made, object};
use crate::models::printing::call_room;

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
        let arguments = unsafe { [*args, *args.add(1)] };
        call_room(c"pef.models.containers.displays", c"spread", &arguments)
    })
}

/// `__pef_entry__(key[, value])`: an entry of a comprehension. A key that has no hash is refused at once.
pub(super) unsafe extern "C" fn entry(_: Obj, args: *mut Obj, count: ffi::Py_ssize_t) -> Obj {
    object(|| {
        // SAFETY: called with one or two arguments by rewritten code.
        unsafe {
            let key = *args;
            let refuses = (*ffi::Py_TYPE(key)).tp_hash.is_some_and(|hash| {
                hash as usize == ffi::PyObject_HashNotImplemented as *const () as usize
            });
            if refuses && ffi::PyObject_Hash(key) == -1 {
                return Err(Raised);
            }
            if count == 1 {
                return Ok(ffi::Py_NewRef(key));
            }
            made(ffi::PyTuple_Pack(2, key, *args.add(1)))
        }
    })
}

/// `__pef_dict_of__(entries)`: the dict of a list of pairs.
pub(super) unsafe extern "C" fn dict_of(_: Obj, entries: Obj) -> Obj {
    object(|| {
        // SAFETY: a live list of pairs, made by rewritten code; each is held while it is stored.
        unsafe {
            let dict = made(ffi::PyDict_New())?;
            let filled = each(entries, |pair| {
                let (key, value) = (
                    ffi::PyTuple_GET_ITEM(pair, 0),
                    ffi::PyTuple_GET_ITEM(pair, 1),
                );
                keys::store(dict, key, value)
            });
            finished(dict, filled)
        }
    })
}

/// `__pef_set_of__(entries)`: the set of a list of items.
pub(super) unsafe extern "C" fn set_of(_: Obj, entries: Obj) -> Obj {
    object(|| {
        let set = made(new_set())?;
        let filled = each(entries, |item| keys::add(set, item));
        finished(set, filled)
    })
}

fn each(list: Obj, mut body: impl FnMut(Obj) -> Result<(), Raised>) -> Result<(), Raised> {
    // SAFETY: a live list; nobody else knows it, and items are held while code of theirs may run.
    unsafe {
        for position in 0..ffi::PyList_GET_SIZE(list) {
            let item = ffi::Py_NewRef(ffi::PyList_GET_ITEM(list, position));
            let done = body(item);
            ffi::Py_DECREF(item);
            done?;
        }
    }
    Ok(())
}
