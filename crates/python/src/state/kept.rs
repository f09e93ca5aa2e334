//! A dict as it was, and whether it still is: by its version where it has one.
//!
//! CPython gives a dict another version number whenever it changes, so a large table that a run has
//! left alone costs no more than a small one. Dicts that share their keys with those of other objects
//! keep their values elsewhere and are compared; so are all dicts of a CPython without versions.

use pyo3::ffi;
use pyo3::prelude::*;
use pyo3::types::PyDict;
use std::cell::Cell;

pub type Item = (Py<PyAny>, Py<PyAny>);

/// What a dict held.
pub struct Kept {
    pub items: Vec<Item>,
    /// That of the dict when it was last seen to hold just this.
    version: Cell<Option<u64>>,
}

impl Kept {
    /// What the dict holds now.
    pub fn of(dict: &Bound<'_, PyDict>) -> Self {
        let items = dict
            .iter()
            .map(|(key, value)| (key.unbind(), value.unbind()));
        Kept {
            items: items.collect(),
            version: Cell::new(version(dict)),
        }
    }

    /// Whether the dict holds just this, in this order.
    pub fn is_in(&self, dict: &Bound<'_, PyDict>) -> bool {
        self.is_known_or(dict, holds)
    }

    /// Whether the dict holds just this, in any order.
    pub fn is_somehow_in(&self, dict: &Bound<'_, PyDict>) -> bool {
        self.is_known_or(dict, holds_somehow)
    }

    fn is_known_or(
        &self,
        dict: &Bound<'_, PyDict>,
        holds: fn(&Bound<'_, PyDict>, &[Item]) -> bool,
    ) -> bool {
        let now = version(dict);
        if now.is_some() && now == self.version.get() {
            return true;
        }
        let is_same = holds(dict, &self.items);
        if is_same {
            self.version.set(now);
        }
        is_same
    }

    /// Lets the dict hold just this again.
    pub fn restore(&self, dict: &Bound<'_, PyDict>) -> PyResult<()> {
        if self.is_in(dict) {
            return Ok(());
        }
        // SAFETY: plain dict operations, also for subclasses: no overridden method runs.
        unsafe {
            ffi::PyDict_Clear(dict.as_ptr());
            for (key, value) in &self.items {
                if ffi::PyDict_SetItem(dict.as_ptr(), key.as_ptr(), value.as_ptr()) < 0 {
                    return Err(PyErr::fetch(dict.py()));
                }
            }
        }
        self.version.set(version(dict));
        Ok(())
    }
}

/// A number that is another after every change of the dict; none if there is no such number.
fn version(dict: &Bound<'_, PyDict>) -> Option<u64> {
    #[cfg(not(Py_3_14))]
    {
        // SAFETY: a live dict, or an instance of a subclass, which begins like one.
        let dict = unsafe { &*dict.as_ptr().cast::<ffi::PyDictObject>() };
        #[allow(
            deprecated,
            reason = "the number is there in every version that has a reader here"
        )]
        let version = dict.ma_version_tag;
        (dict.ma_values.is_null() && version != 0).then_some(version)
    }
    #[cfg(Py_3_14)]
    {
        let _ = dict;
        None
    }
}

fn holds(dict: &Bound<'_, PyDict>, items: &[Item]) -> bool {
    if dict.len() != items.len() {
        return false;
    }
    let mut position = 0;
    let (mut key, mut value) = (std::ptr::null_mut(), std::ptr::null_mut());
    let mut expected = items.iter();
    // SAFETY: a live dict that is not changed while it is walked.
    unsafe {
        while ffi::PyDict_Next(
            dict.as_ptr(),
            &raw mut position,
            &raw mut key,
            &raw mut value,
        ) != 0
        {
            match expected.next() {
                Some((k, v)) if k.as_ptr() == key && v.as_ptr() == value => {}
                _ => return false,
            }
        }
    }
    expected.next().is_none()
}

fn holds_somehow(dict: &Bound<'_, PyDict>, items: &[Item]) -> bool {
    dict.len() == items.len()
        && items.iter().all(|(key, value)| {
            let now = dict.get_item(key).ok().flatten();
            now.is_some_and(|now| now.as_ptr() == value.as_ptr())
        })
}

/// A dict that can be put back as it is now.
#[pyclass(frozen, unsendable, module = "pef._native")]
pub struct KeptDict {
    dict: Py<PyDict>,
    kept: Kept,
}

#[pymethods]
impl KeptDict {
    #[new]
    fn new(dict: &Bound<'_, PyDict>) -> Self {
        KeptDict {
            kept: Kept::of(dict),
            dict: dict.clone().unbind(),
        }
    }

    /// Whether it holds what it held, in the same order.
    fn is_as_it_was(&self, py: Python<'_>) -> bool {
        self.kept.is_in(self.dict.bind(py))
    }

    /// Lets it hold what it held.
    fn restore(&self, py: Python<'_>) -> PyResult<()> {
        self.kept.restore(self.dict.bind(py))
    }
}
