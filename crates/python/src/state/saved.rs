//! One remembered object each: whether it is still as it was, and how it is put back.

use pyo3::exceptions::PyTypeError;
use pyo3::ffi;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyFunction, PyList, PySet, PyString, PyTuple, PyType};

use super::kept::{Item, Kept};
use crate::sites;

/// An object and what it held.
pub enum Saved {
    Dict(Py<PyDict>, Kept),
    /// An `OrderedDict`, which keeps its order beside the dict.
    Ordered(Py<PyDict>, Vec<Item>),
    List(Py<PyList>, Vec<Py<PyAny>>),
    Set(Py<PySet>, Vec<Py<PyAny>>),
    /// A class, with its attributes.
    Class(Py<PyType>, Kept),
    Function(Py<PyFunction>, FunctionParts),
    Cell(Py<PyAny>, Option<Py<PyAny>>),
    Cache(Py<PyAny>),
    /// A bytearray or deque, with its contents.
    Sequence(Py<PyAny>, Py<PyAny>),
    /// A random generator or the like, with what `getstate` said.
    Generator(Py<PyAny>, Py<PyAny>),
    /// An object with slots, with the attributes that are set.
    Slots(Py<PyAny>, Vec<(Py<PyAny>, Option<Py<PyAny>>)>),
}

impl Saved {
    pub fn is_current(&self, py: Python<'_>) -> PyResult<bool> {
        Ok(match self {
            Saved::Dict(dict, items) => items.is_in(dict.bind(py)),
            Saved::Ordered(dict, items) => ordered_is(dict.bind(py), items)?,
            Saved::List(list, items) => list_is(list.bind(py), items),
            Saved::Set(set, items) => set_is(set.bind(py), items),
            Saved::Class(class, attributes) => {
                attributes.is_somehow_in(&attributes_of(class.bind(py))?)
            }
            Saved::Function(function, parts) => parts.are_those_of(function.bind(py)),
            Saved::Cell(cell, contents) => cell_is(cell.bind(py), contents.as_ref()),
            // What is in the cache is not remembered.
            Saved::Cache(_) => true,
            Saved::Sequence(sequence, contents) => sequence_is(sequence.bind(py), contents)?,
            Saved::Generator(generator, state) => {
                generator.call_method0(py, "getstate")?.bind(py).eq(state)?
            }
            Saved::Slots(object, attributes) => slots_are(object.bind(py), attributes)?,
        })
    }

    pub fn restore(&self, py: Python<'_>) -> PyResult<()> {
        match self {
            Saved::Dict(dict, items) => items.restore(dict.bind(py)),
            Saved::Ordered(dict, items) => restore_ordered(dict.bind(py), items),
            Saved::List(list, items) => restore_list(list.bind(py), items),
            Saved::Set(set, items) => restore_set(set.bind(py), items),
            Saved::Class(class, attributes) => restore_class(class.bind(py), attributes),
            Saved::Function(function, parts) => parts.restore(function.bind(py)),
            Saved::Cell(cell, contents) => restore_cell(cell.bind(py), contents.as_ref()),
            Saved::Cache(cache) => cache.call_method0(py, "cache_clear").map(|_| ()),
            Saved::Sequence(sequence, contents) => restore_sequence(sequence.bind(py), contents),
            Saved::Generator(generator, state) => {
                generator.call_method1(py, "setstate", (state,)).map(|_| ())
            }
            Saved::Slots(object, attributes) => restore_slots(object.bind(py), attributes),
        }
    }
}

/// Whether the dict keeps its order in a place of its own.
pub fn is_ordered(dict: &Bound<'_, PyDict>) -> PyResult<bool> {
    if dict.is_exact_instance_of::<PyDict>() {
        return Ok(false);
    }
    dict.is_instance(&ordered_class(dict.py())?)
}

/// The items of an `OrderedDict` in its order, whatever its class has overridden.
pub fn ordered_items<'py>(
    dict: &Bound<'py, PyDict>,
) -> PyResult<Vec<(Bound<'py, PyAny>, Bound<'py, PyAny>)>> {
    let items = ordered_class(dict.py())?.call_method1("items", (dict,))?;
    items.try_iter()?.map(|item| item?.extract()).collect()
}

fn ordered_class(py: Python<'_>) -> PyResult<Bound<'_, PyAny>> {
    py.import("collections")?.getattr("OrderedDict")
}

fn ordered_is(dict: &Bound<'_, PyDict>, items: &[Item]) -> PyResult<bool> {
    let now = ordered_items(dict)?;
    Ok(now.len() == items.len()
        && now.iter().zip(items).all(|((key, value), (k, v))| {
            key.as_ptr() == k.as_ptr() && value.as_ptr() == v.as_ptr()
        }))
}

fn restore_ordered(dict: &Bound<'_, PyDict>, items: &[Item]) -> PyResult<()> {
    if ordered_is(dict, items)? {
        return Ok(());
    }
    let class = ordered_class(dict.py())?;
    class.call_method1("clear", (dict,))?;
    items.iter().try_for_each(|(key, value)| {
        let set = class.call_method1("__setitem__", (dict, key, value));
        set.map(|_| ())
    })
}

fn list_is(list: &Bound<'_, PyList>, items: &[Py<PyAny>]) -> bool {
    // SAFETY: a live list; its items are as many pointers in a row, as those of `items` are.
    unsafe {
        let list = list.as_ptr().cast::<ffi::PyListObject>();
        let now = ffi::Py_SIZE(list.cast()) as usize;
        now == items.len()
            && (now == 0
                || std::slice::from_raw_parts((*list).ob_item, now)
                    == std::slice::from_raw_parts(items.as_ptr().cast::<*mut ffi::PyObject>(), now))
    }
}

fn restore_list(list: &Bound<'_, PyList>, items: &[Py<PyAny>]) -> PyResult<()> {
    if list_is(list, items) {
        return Ok(());
    }
    let fresh = PyList::new(list.py(), items)?;
    list.set_slice(0, list.len(), &fresh)
}

fn set_is(set: &Bound<'_, PySet>, items: &[Py<PyAny>]) -> bool {
    set.len() == items.len()
        && set
            .iter()
            .zip(items)
            .all(|(now, then)| now.as_ptr() == then.as_ptr())
}

fn restore_set(set: &Bound<'_, PySet>, items: &[Py<PyAny>]) -> PyResult<()> {
    if set_is(set, items) {
        return Ok(());
    }
    set.clear();
    items.iter().try_for_each(|item| set.add(item))
}

/// The dict behind the attributes of a class.
pub fn attributes_of<'py>(class: &Bound<'py, PyType>) -> PyResult<Bound<'py, PyDict>> {
    // SAFETY: a live class; null, or a dict that the class holds.
    let attributes = unsafe {
        let dict = (*class.as_type_ptr()).tp_dict;
        Bound::from_borrowed_ptr_or_opt(class.py(), dict)
    };
    Ok(attributes
        .ok_or_else(|| PyTypeError::new_err("a class without attributes"))?
        .cast_into()?)
}

fn restore_class(class: &Bound<'_, PyType>, attributes: &Kept) -> PyResult<()> {
    if attributes.is_somehow_in(&attributes_of(class)?) {
        return Ok(());
    }
    let attributes = &attributes.items;
    let py = class.py();
    let now = class.getattr("__dict__")?;
    let names: Vec<Bound<'_, PyAny>> = now.try_iter()?.collect::<PyResult<_>>()?;
    for name in names {
        let known = attributes
            .iter()
            .any(|(known, _)| known.bind(py).eq(&name).unwrap_or(false));
        if !known {
            class.delattr(name.cast::<PyString>()?)?;
        }
    }
    for (name, value) in attributes {
        let current = now.get_item(name).ok();
        if current.is_none_or(|current| current.as_ptr() != value.as_ptr()) {
            class.setattr(name.bind(py).cast::<PyString>()?, value)?;
        }
    }
    Ok(())
}

/// What a program can exchange in a function; `None` is what is not there.
pub struct FunctionParts([Option<Py<PyAny>>; PARTS.len()]);

const PARTS: [&str; 6] = [
    "__code__",
    "__defaults__",
    "__kwdefaults__",
    "__name__",
    "__qualname__",
    "__dict__",
];

impl FunctionParts {
    /// Those of a function as it is now.
    pub fn of(function: &Bound<'_, PyFunction>) -> Self {
        let py = function.py();
        let hold = |part| {
            // SAFETY: null, or an object that the function holds.
            unsafe { Bound::from_borrowed_ptr_or_opt(py, part) }.map(Bound::unbind)
        };
        FunctionParts(Self::addresses(function).map(hold))
    }

    /// Read without a call: this is done for every function after every run.
    fn addresses(function: &Bound<'_, PyFunction>) -> [*mut ffi::PyObject; PARTS.len()] {
        // SAFETY: a live function.
        let function = unsafe { &*function.as_ptr().cast::<ffi::PyFunctionObject>() };
        [
            function.func_code,
            function.func_defaults,
            function.func_kwdefaults,
            function.func_name,
            function.func_qualname,
            function.func_dict,
        ]
    }

    fn are_those_of(&self, function: &Bound<'_, PyFunction>) -> bool {
        let now = Self::addresses(function);
        let then = self
            .0
            .each_ref()
            .map(|part| part.as_ref().map_or(std::ptr::null_mut(), Py::as_ptr));
        now == then || (now[1..] == then[1..] && is_adoption(then[0], now[0]))
    }

    fn restore(&self, function: &Bound<'_, PyFunction>) -> PyResult<()> {
        if self.are_those_of(function) {
            return Ok(());
        }
        let py = function.py();
        let now = Self::addresses(function);
        for ((name, then), now) in PARTS.iter().zip(&self.0).zip(now) {
            let address = then.as_ref().map_or(std::ptr::null_mut(), Py::as_ptr);
            if now != address && !(*name == "__code__" && is_adoption(address, now)) {
                let then = then
                    .as_ref()
                    .map_or_else(|| py.None(), |then| then.clone_ref(py));
                function.setattr(*name, then)?;
            }
        }
        Ok(())
    }
}

/// Whether it was us who gave a function other code, to see what it does.
fn is_adoption(then: *mut ffi::PyObject, now: *mut ffi::PyObject) -> bool {
    sites::is_registered(now) && !sites::is_registered(then)
}

fn cell_is(cell: &Bound<'_, PyAny>, contents: Option<&Py<PyAny>>) -> bool {
    // SAFETY: a live cell; null, or a new reference.
    let now = unsafe { Bound::from_owned_ptr_or_opt(cell.py(), ffi::PyCell_Get(cell.as_ptr())) };
    now.map(|now| now.as_ptr()) == contents.map(Py::as_ptr)
}

fn restore_cell(cell: &Bound<'_, PyAny>, contents: Option<&Py<PyAny>>) -> PyResult<()> {
    if cell_is(cell, contents) {
        return Ok(());
    }
    match contents {
        Some(then) => cell.setattr("cell_contents", then),
        None => cell.delattr("cell_contents"),
    }
}

fn sequence_is(sequence: &Bound<'_, PyAny>, contents: &Py<PyAny>) -> PyResult<bool> {
    let then = contents.bind(sequence.py()).cast::<PyTuple>()?;
    let now = sequence.try_iter()?.collect::<PyResult<Vec<_>>>()?;
    Ok(now.len() == then.len()
        && now
            .iter()
            .zip(then.iter())
            .all(|(now, then)| now.as_ptr() == then.as_ptr()))
}

fn restore_sequence(sequence: &Bound<'_, PyAny>, contents: &Py<PyAny>) -> PyResult<()> {
    if sequence_is(sequence, contents)? {
        return Ok(());
    }
    let then = contents.bind(sequence.py());
    if sequence.len()? == then.len()? {
        // A view forbids to clear what it looks at.
        for (index, item) in then.try_iter()?.enumerate() {
            sequence.set_item(index, item?)?;
        }
        return Ok(());
    }
    sequence.call_method0("clear")?;
    sequence.call_method1("extend", (then,)).map(|_| ())
}

fn slots_are(
    object: &Bound<'_, PyAny>,
    attributes: &[(Py<PyAny>, Option<Py<PyAny>>)],
) -> PyResult<bool> {
    for (name, then) in attributes {
        let name = name.bind(object.py()).cast::<PyString>()?;
        let now = object.getattr(name).ok();
        if now.map(|now| now.as_ptr()) != then.as_ref().map(Py::as_ptr) {
            return Ok(false);
        }
    }
    Ok(true)
}

fn restore_slots(
    object: &Bound<'_, PyAny>,
    attributes: &[(Py<PyAny>, Option<Py<PyAny>>)],
) -> PyResult<()> {
    let py = object.py();
    for (name, then) in attributes {
        let name = name.bind(py).cast::<PyString>()?;
        let now = object.getattr(name).ok();
        match (now, then) {
            (Some(now), Some(then)) if now.as_ptr() == then.as_ptr() => {}
            (_, Some(then)) => {
                // A frozen class refuses its own `__setattr__`.
                let base = py.get_type::<PyAny>();
                base.call_method1("__setattr__", (object, name, then))?;
            }
            (Some(_), None) => object.delattr(name)?,
            (None, None) => {}
        }
    }
    Ok(())
}
