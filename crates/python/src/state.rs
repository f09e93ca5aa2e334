//! Putting back what a run changed.
//!
//! A run starts from the state the modules had after import: their globals, the
//! attributes of their classes, mutable default values and everything mutable reachable
//! from there. Each container is remembered with the identities of its items; after a run
//! it is compared and, if it differs, refilled in place. What an iterator, a stream or an object of a library
//! holds cannot be put back; which global variables lead to such an object is remembered.

use pyo3::ffi;
use pyo3::prelude::*;
use pyo3::types::{
    PyBool, PyBytes, PyCFunction, PyDict, PyFloat, PyFunction, PyInt, PyList, PySet, PyString,
    PyTuple, PyType,
};
use rustc_hash::{FxHashMap, FxHashSet};

/// Objects remembered at most; a larger state is restored only in part.
const MOST_OBJECTS: usize = 200_000;

enum Saved {
    Dict(Py<PyDict>, Vec<(Py<PyAny>, Py<PyAny>)>),
    List(Py<PyList>, Vec<Py<PyAny>>),
    Set(Py<PySet>, Vec<Py<PyAny>>),
    Class(Py<PyType>, Vec<(Py<PyAny>, Py<PyAny>)>),
    Cell(Py<PyAny>, Option<Py<PyAny>>),
    Cache(Py<PyAny>),
    /// A bytearray or deque, with its contents.
    Sequence(Py<PyAny>, Py<PyAny>),
    /// A random generator or the like, with what `getstate` said.
    Generator(Py<PyAny>, Py<PyAny>),
    /// An object with slots, with the attributes that are set.
    Slots(Py<PyAny>, Vec<(Py<PyAny>, Option<Py<PyAny>>)>),
}

/// The state of some modules at one moment.
#[derive(Default)]
pub struct Snapshot {
    saved: Vec<Saved>,
    leaks: Vec<Leak>,
}

/// A global variable that leads to something a run may change for the next.
#[derive(Clone)]
pub struct Leak {
    /// The name of the variable; none if it may be any.
    pub name: Option<String>,
    /// The type of what cannot be put back.
    pub kind: String,
}

struct Walk<'py> {
    py: Python<'py>,
    seen: FxHashSet<usize>,
    todo: Vec<Bound<'py, PyAny>>,
    saved: Vec<Saved>,
    /// The global variables of all modules, after the address of what they are.
    variables: Vec<(usize, String)>,
    /// For what was found inside something else, where.
    holders: Vec<(usize, usize)>,
    /// What cannot be put back, with its type.
    unknown: Vec<(usize, String)>,
    /// There were too many objects.
    is_cut: bool,
    /// Whether objects of these classes hold nothing but what was visited.
    known: FxHashMap<usize, bool>,
    /// Names of the modules whose classes and functions are ours to restore.
    modules: FxHashSet<String>,
}

impl Snapshot {
    /// Remembers the state of `modules`.
    pub fn take(py: Python<'_>, modules: &[Bound<'_, PyModule>]) -> PyResult<Self> {
        let mut names = FxHashSet::default();
        for module in modules {
            names.insert(module.name()?.to_string());
        }
        let mut walk = Walk {
            py,
            seen: FxHashSet::default(),
            todo: Vec::new(),
            saved: Vec::new(),
            variables: Vec::new(),
            holders: Vec::new(),
            unknown: Vec::new(),
            is_cut: false,
            known: FxHashMap::default(),
            modules: names,
        };
        for module in modules {
            walk.visit_module(&module.dict())?;
        }
        Ok(Snapshot {
            leaks: walk.leaks(),
            saved: walk.saved,
        })
    }

    /// What runs may leave behind: objects whose state cannot be put back.
    pub fn leaks(&self) -> &[Leak] {
        &self.leaks
    }

    /// Whether everything is still as it was remembered.
    pub fn is_current(&self, py: Python<'_>) -> PyResult<bool> {
        for saved in &self.saved {
            if !saved.is_current(py)? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Puts everything back that differs.
    pub fn restore(&self, py: Python<'_>) -> PyResult<()> {
        self.saved.iter().try_for_each(|saved| saved.restore(py))
    }
}

impl<'py> Walk<'py> {
    fn visit_module(&mut self, globals: &Bound<'py, PyDict>) -> PyResult<()> {
        let items: Vec<_> = globals.iter().collect();
        for (name, value) in &items {
            self.variables
                .push((value.as_ptr() as usize, name.to_string()));
            self.todo.push(value.clone());
            self.run()?;
        }
        let items = items
            .into_iter()
            .map(|(name, value)| (name.unbind(), value.unbind()));
        self.saved
            .push(Saved::Dict(globals.clone().unbind(), items.collect()));
        Ok(())
    }

    fn run(&mut self) -> PyResult<()> {
        while let Some(object) = self.todo.pop() {
            if is_atom(&object) {
                continue;
            }
            if self.seen.len() >= MOST_OBJECTS {
                self.is_cut = true;
                self.todo.clear();
                break;
            }
            let address = object.as_ptr() as usize;
            if !self.seen.insert(address) {
                continue;
            }
            let known = self.todo.len();
            if let Some(kind) = self.visit(&object)? {
                self.unknown.push((address, kind));
            }
            let inside = self.todo[known..].iter();
            self.holders
                .extend(inside.map(|part| (part.as_ptr() as usize, address)));
        }
        Ok(())
    }

    /// The variables that lead to what cannot be put back.
    fn leaks(&self) -> Vec<Leak> {
        let mut leaks = Vec::new();
        if self.is_cut {
            let kind = format!("more than {MOST_OBJECTS} objects");
            leaks.push(Leak { name: None, kind });
        }
        if self.unknown.is_empty() {
            return leaks;
        }
        let mut holders: FxHashMap<usize, Vec<usize>> = FxHashMap::default();
        for &(part, holder) in &self.holders {
            holders.entry(part).or_default().push(holder);
        }
        let mut kinds = FxHashMap::default();
        let mut todo = self.unknown.clone();
        while let Some((object, kind)) = todo.pop() {
            if kinds.contains_key(&object) {
                continue;
            }
            let above = holders.get(&object).into_iter().flatten();
            todo.extend(above.map(|&holder| (holder, kind.clone())));
            kinds.insert(object, kind);
        }
        for (object, name) in &self.variables {
            if let Some(kind) = kinds.get(object) {
                leaks.push(Leak {
                    name: Some(name.clone()),
                    kind: kind.clone(),
                });
            }
        }
        leaks
    }

    /// Remembers the object, or says of which type it is if that is not possible.
    fn visit(&mut self, object: &Bound<'py, PyAny>) -> PyResult<Option<String>> {
        if let Ok(dict) = object.cast::<PyDict>() {
            let items: Vec<_> = dict.iter().collect();
            self.todo
                .extend(items.iter().map(|(_, value)| value.clone()));
            let items = items
                .into_iter()
                .map(|(key, value)| (key.unbind(), value.unbind()));
            self.saved
                .push(Saved::Dict(dict.clone().unbind(), items.collect()));
            if !dict.is_exact_instance_of::<PyDict>() {
                self.visit_attributes(object);
            }
        } else if let Ok(list) = object.cast::<PyList>() {
            self.todo.extend(list.iter());
            let items = list.iter().map(Bound::unbind).collect();
            self.saved.push(Saved::List(list.clone().unbind(), items));
            if !list.is_exact_instance_of::<PyList>() {
                self.visit_attributes(object);
            }
        } else if let Ok(tuple) = object.cast::<PyTuple>() {
            self.todo.extend(tuple.iter());
        } else if let Ok(set) = object.cast::<PySet>() {
            let items = set.iter().map(Bound::unbind).collect();
            self.saved.push(Saved::Set(set.clone().unbind(), items));
            if !set.is_exact_instance_of::<PySet>() {
                self.visit_attributes(object);
            }
        } else if let Ok(function) = object.cast::<PyFunction>() {
            self.visit_function(function)?;
        } else if let Ok(class) = object.cast::<PyType>() {
            self.visit_class(class)?;
        } else if object.is_instance_of::<PyCFunction>() {
            self.todo.extend(object.getattr("__self__").ok());
        } else {
            return self.visit_instance(object);
        }
        Ok(None)
    }

    fn is_ours(&self, object: &Bound<'py, PyAny>) -> bool {
        let module = object
            .getattr("__module__")
            .and_then(|name| name.extract::<String>());
        module.is_ok_and(|name| self.modules.contains(&name))
    }

    fn visit_function(&mut self, function: &Bound<'py, PyFunction>) -> PyResult<()> {
        if !self.is_ours(function) {
            return Ok(());
        }
        for name in ["__defaults__", "__kwdefaults__", "__dict__"] {
            self.todo.push(function.getattr(name)?);
        }
        let closure = function.getattr("__closure__")?;
        if let Ok(cells) = closure.cast::<PyTuple>() {
            for cell in cells.iter() {
                let contents = cell.getattr("cell_contents").ok();
                self.todo.extend(contents.clone());
                self.saved
                    .push(Saved::Cell(cell.unbind(), contents.map(Bound::unbind)));
            }
        }
        if let Ok(wrapped) = function.getattr("__wrapped__") {
            self.todo.push(wrapped);
        }
        Ok(())
    }

    fn visit_class(&mut self, class: &Bound<'py, PyType>) -> PyResult<()> {
        if !self.is_ours(class) {
            return Ok(());
        }
        let attributes = class.getattr("__dict__")?;
        let mut saved = Vec::new();
        for item in attributes.call_method0("items")?.try_iter()? {
            let (name, value): (Bound<'_, PyAny>, Bound<'_, PyAny>) = item?.extract()?;
            for holder in ["__func__", "fget", "fset", "fdel"] {
                if let Ok(function) = value.getattr(holder) {
                    self.todo.push(function);
                }
            }
            self.todo.push(value.clone());
            saved.push((name.unbind(), value.unbind()));
        }
        self.saved.push(Saved::Class(class.clone().unbind(), saved));
        Ok(())
    }

    fn visit_instance(&mut self, object: &Bound<'py, PyAny>) -> PyResult<Option<String>> {
        if object.get_type().qualname()? == "_lru_cache_wrapper" {
            self.saved.push(Saved::Cache(object.clone().unbind()));
            if let Ok(wrapped) = object.getattr("__wrapped__") {
                self.todo.push(wrapped);
            }
            return Ok(None);
        }
        let class = object.get_type();
        if object.is_instance_of::<pyo3::types::PyByteArray>() || class.qualname()? == "deque" {
            let contents =
                PyTuple::new(self.py, object.try_iter()?.collect::<PyResult<Vec<_>>>()?)?;
            self.todo.extend(contents.iter());
            let contents = contents.into_any().unbind();
            self.saved
                .push(Saved::Sequence(object.clone().unbind(), contents));
            return Ok(None);
        }
        if class.hasattr("getstate")? && class.hasattr("setstate")? {
            let state = object.call_method0("getstate")?.unbind();
            self.saved
                .push(Saved::Generator(object.clone().unbind(), state));
            return Ok(None);
        }
        if self.is_ours(class.as_any()) {
            self.visit_slots(object, &class)?;
        }
        if self.is_ours(class.as_any()) || is_container(&class) {
            self.visit_attributes(object);
        }
        let known = match self.known.get(&(class.as_ptr() as usize)) {
            Some(&known) => known,
            None => self.is_known(&class)?,
        };
        self.known.insert(class.as_ptr() as usize, known);
        if known {
            return Ok(None);
        }
        Ok(Some(class.fully_qualified_name()?.to_string()))
    }

    fn visit_attributes(&mut self, object: &Bound<'py, PyAny>) {
        self.todo.extend(object.getattr("__dict__").ok());
    }

    /// Whether objects of the class hold nothing but what was visited.
    fn is_known(&self, class: &Bound<'py, PyType>) -> PyResult<bool> {
        for base in class.mro().iter() {
            let base = base.cast_into::<PyType>()?;
            if !(self.is_ours(base.as_any()) || is_container(&base) || is_plain(&base)) {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Remembers the attributes an object keeps in slots.
    fn visit_slots(
        &mut self,
        object: &Bound<'py, PyAny>,
        class: &Bound<'py, PyType>,
    ) -> PyResult<()> {
        let mut saved = Vec::new();
        for base in class.mro().iter() {
            for item in base
                .getattr("__dict__")?
                .call_method0("items")?
                .try_iter()?
            {
                let (name, member): (Bound<'_, PyAny>, Bound<'_, PyAny>) = item?.extract()?;
                if member.get_type().qualname()? != "member_descriptor" {
                    continue;
                }
                let value = object.getattr(name.cast::<pyo3::types::PyString>()?).ok();
                self.todo.extend(value.clone());
                saved.push((name.unbind(), value.map(Bound::unbind)));
            }
        }
        if !saved.is_empty() {
            self.saved
                .push(Saved::Slots(object.clone().unbind(), saved));
        }
        Ok(())
    }
}

/// Containers that the standard library writes in Python.
fn is_container(class: &Bound<'_, PyType>) -> bool {
    let module = class.module().map(|name| name.to_string());
    module.is_ok_and(|name| ["collections", "weakref", "_weakrefset"].contains(&name.as_str()))
}

/// The objects there are most of, which hold nothing.
fn is_atom(object: &Bound<'_, PyAny>) -> bool {
    object.is_none()
        || object.is_exact_instance_of::<PyString>()
        || object.is_exact_instance_of::<PyInt>()
        || object.is_exact_instance_of::<PyFloat>()
        || object.is_exact_instance_of::<PyBool>()
        || object.is_exact_instance_of::<PyBytes>()
}

/// Classes whose objects do not change, or only for themselves.
fn is_plain(class: &Bound<'_, PyType>) -> bool {
    let names = || {
        let (module, name) = (class.module().ok()?, class.qualname().ok()?);
        Some((module.to_string(), name.to_string()))
    };
    let Some((module, name)) = names() else {
        return false;
    };
    let module = module.split('.').next().unwrap_or_default();
    match module {
        "builtins" => PLAIN_BUILTINS.contains(&name.as_str()),
        "decimal" | "_decimal" => name == "Decimal",
        "types" => name != "SimpleNamespace",
        "_struct" => name == "Struct",
        "_collections" => name == "_tuplegetter",
        module => PLAIN_MODULES.contains(&module),
    }
}

const PLAIN_BUILTINS: [&str; 36] = [
    "BaseException",
    "Exception",
    "NoneType",
    "NotImplementedType",
    "bool",
    "builtin_function_or_method",
    "bytes",
    "cell",
    "classmethod",
    "classmethod_descriptor",
    "code",
    "complex",
    "ellipsis",
    "float",
    "frozenset",
    "getset_descriptor",
    "int",
    "mappingproxy",
    "member_descriptor",
    "method",
    "method-wrapper",
    "method_descriptor",
    "module",
    "object",
    "property",
    "range",
    "slice",
    "staticmethod",
    "str",
    "super",
    "tuple",
    "type",
    "types.GenericAlias",
    "types.UnionType",
    "weakref",
    "wrapper_descriptor",
];

/// Of these all classes are: what they describe stays as it is, and loggers are compared (`left_behind`).
const PLAIN_MODULES: [&str; 34] = [
    "__future__",
    "_abc",
    "_frozen_importlib",
    "_frozen_importlib_external",
    "_operator",
    "_sitebuiltins",
    "abc",
    "annotated_types",
    "attr",
    "attrs",
    "dataclasses",
    "datetime",
    "deal",
    "enum",
    "fractions",
    "functools",
    "icontract",
    "importlib",
    "inspect",
    "ipaddress",
    "logging",
    "numbers",
    "operator",
    "pathlib",
    "pef",
    "pydantic",
    "pydantic_core",
    "re",
    "string",
    "struct",
    "typing",
    "typing_extensions",
    "uuid",
    "zoneinfo",
];

impl Saved {
    fn is_current(&self, py: Python<'_>) -> PyResult<bool> {
        Ok(match self {
            Saved::Dict(dict, items) => dict_is(dict.bind(py), items),
            Saved::List(list, items) => list_is(list.bind(py), items),
            Saved::Set(set, items) => set_is(set.bind(py), items),
            Saved::Class(class, attributes) => class_is(class.bind(py), attributes)?,
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

    fn restore(&self, py: Python<'_>) -> PyResult<()> {
        match self {
            Saved::Dict(dict, items) => restore_dict(dict.bind(py), items),
            Saved::List(list, items) => restore_list(list.bind(py), items),
            Saved::Set(set, items) => restore_set(set.bind(py), items),
            Saved::Class(class, attributes) => restore_class(class.bind(py), attributes),
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

fn dict_is(dict: &Bound<'_, PyDict>, items: &[(Py<PyAny>, Py<PyAny>)]) -> bool {
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

fn restore_dict(dict: &Bound<'_, PyDict>, items: &[(Py<PyAny>, Py<PyAny>)]) -> PyResult<()> {
    if dict_is(dict, items) {
        return Ok(());
    }
    let ordered = dict.py().import("collections")?.getattr("OrderedDict")?;
    if dict.is_instance(&ordered)? {
        // It keeps its order outside of the dict.
        ordered.call_method1("clear", (dict,))?;
        return items.iter().try_for_each(|(key, value)| {
            ordered
                .call_method1("__setitem__", (dict, key, value))
                .map(|_| ())
        });
    }
    // SAFETY: plain dict operations, also for other subclasses: no overridden method runs.
    unsafe {
        ffi::PyDict_Clear(dict.as_ptr());
        for (key, value) in items {
            if ffi::PyDict_SetItem(dict.as_ptr(), key.as_ptr(), value.as_ptr()) < 0 {
                return Err(PyErr::fetch(dict.py()));
            }
        }
    }
    Ok(())
}

fn list_is(list: &Bound<'_, PyList>, items: &[Py<PyAny>]) -> bool {
    list.len() == items.len()
        && list
            .iter()
            .zip(items)
            .all(|(now, then)| now.as_ptr() == then.as_ptr())
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

fn class_is(class: &Bound<'_, PyType>, attributes: &[(Py<PyAny>, Py<PyAny>)]) -> PyResult<bool> {
    let now = class.getattr("__dict__")?;
    if now.len()? != attributes.len() {
        return Ok(false);
    }
    Ok(attributes.iter().all(|(name, value)| {
        let current = now.get_item(name);
        current.is_ok_and(|current| current.as_ptr() == value.as_ptr())
    }))
}

fn restore_class(class: &Bound<'_, PyType>, attributes: &[(Py<PyAny>, Py<PyAny>)]) -> PyResult<()> {
    if class_is(class, attributes)? {
        return Ok(());
    }
    let py = class.py();
    let now = class.getattr("__dict__")?;
    let names: Vec<Bound<'_, PyAny>> = now.try_iter()?.collect::<PyResult<_>>()?;
    for name in names {
        let known = attributes
            .iter()
            .any(|(known, _)| known.bind(py).eq(&name).unwrap_or(false));
        if !known {
            class.delattr(name.cast::<pyo3::types::PyString>()?)?;
        }
    }
    for (name, value) in attributes {
        let current = now.get_item(name).ok();
        if current.is_none_or(|current| current.as_ptr() != value.as_ptr()) {
            class.setattr(name.bind(py).cast::<pyo3::types::PyString>()?, value)?;
        }
    }
    Ok(())
}

fn cell_is(cell: &Bound<'_, PyAny>, contents: Option<&Py<PyAny>>) -> bool {
    let now = cell.getattr("cell_contents").ok();
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
        let name = name.bind(object.py()).cast::<pyo3::types::PyString>()?;
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
        let name = name.bind(py).cast::<pyo3::types::PyString>()?;
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
