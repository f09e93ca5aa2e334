//! Putting back what a run changed.
//!
//! A run starts from the state the modules had after import: their globals, the
//! attributes of their classes and functions, and everything mutable reachable from there.
//! Each container is remembered with the identities of its items ([`saved`], [`kept`]); after a run
//! it is compared, a dict by its version, and, if it differs, refilled in place. What an iterator, a stream or an
//! object of a library holds cannot be put back; which global variables lead to such an
//! object is remembered ([`plain`] says which objects hold nothing).

mod kept;
mod plain;
mod saved;

use pyo3::prelude::*;
use pyo3::types::{PyByteArray, PyCFunction, PyDict, PyFunction, PyList, PySet, PyTuple, PyType};
use rustc_hash::{FxHashMap, FxHashSet};

use kept::Kept;
pub use kept::KeptDict;
use plain::{is_atom, is_container, is_plain, keeps_a_function};
use saved::{FunctionParts, Saved, attributes_of, is_ordered, ordered_items};

/// Objects remembered at most; a larger state is restored only in part.
const MOST_OBJECTS: usize = 200_000;

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
        self.saved
            .push(Saved::Dict(globals.clone().unbind(), Kept::of(globals)));
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
            self.visit_dict(dict)?;
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

    fn visit_dict(&mut self, dict: &Bound<'py, PyDict>) -> PyResult<()> {
        self.todo.extend(dict.iter().map(|(_, value)| value));
        let unbound = dict.clone().unbind();
        self.saved.push(if is_ordered(dict)? {
            let items = ordered_items(dict)?.into_iter();
            let items = items.map(|(key, value)| (key.unbind(), value.unbind()));
            Saved::Ordered(unbound, items.collect())
        } else {
            Saved::Dict(unbound, Kept::of(dict))
        });
        if !dict.is_exact_instance_of::<PyDict>() {
            self.visit_attributes(dict);
        }
        Ok(())
    }

    fn is_ours(&self, object: &Bound<'py, PyAny>) -> bool {
        let module = object
            .getattr("__module__")
            .and_then(|name| name.extract::<String>());
        module.is_ok_and(|name| self.modules.contains(&name))
    }

    fn visit_function(&mut self, function: &Bound<'py, PyFunction>) -> PyResult<()> {
        if self.is_ours(function) {
            for name in ["__defaults__", "__kwdefaults__", "__dict__"] {
                self.todo.push(function.getattr(name)?);
            }
            let parts = FunctionParts::of(function);
            self.saved
                .push(Saved::Function(function.clone().unbind(), parts));
        } else if !keeps_state(function) {
            return Ok(());
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
        let attributes = attributes_of(class)?;
        let kept = Kept::of(&attributes);
        for (_, value) in attributes.iter() {
            for holder in ["__func__", "fget", "fset", "fdel"] {
                if let Ok(function) = value.getattr(holder) {
                    self.todo.push(function);
                }
            }
            self.todo.push(value);
        }
        self.saved.push(Saved::Class(class.clone().unbind(), kept));
        Ok(())
    }

    fn visit_instance(&mut self, object: &Bound<'py, PyAny>) -> PyResult<Option<String>> {
        if object.get_type().qualname()? == "_lru_cache_wrapper" {
            self.saved.push(Saved::Cache(object.clone().unbind()));
            self.visit_attributes(object); // among them `__wrapped__`
            return Ok(None);
        }
        let class = object.get_type();
        if object.is_instance_of::<PyByteArray>() || class.qualname()? == "deque" {
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
        if self.is_ours(class.as_any()) || is_container(&class) || keeps_a_function(&class) {
            self.visit_attributes(object);
        }
        if keeps_a_function(&class) {
            let parts = ["func", "args", "keywords"];
            let parts = parts
                .into_iter()
                .filter_map(|name| object.getattr(name).ok());
            self.todo.extend(parts);
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

/// Whether a function of a library keeps in its closure what belongs to a function of ours:
/// `functools.singledispatch` makes `register` in this way.
fn keeps_state(function: &Bound<'_, PyFunction>) -> bool {
    let module = function.getattr("__module__");
    module.is_ok_and(|name| name.eq("functools").unwrap_or(false))
}
