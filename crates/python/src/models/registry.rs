//! The table of callables with a known policy.
//!
//! A C function is known by its method definition, which all its bound objects share; a
//! type or other object by its address. The Python side (`pef.models`) fills the table;
//! callables without an entry are judged by their kind ([`super::kinds`]).

use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::ffi;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyInt, PyString, PyType};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::boundary::{GilCell, Obj};
use crate::layout::MethodDescriptor;

/// How a callable treats symbolic arguments.
pub enum Policy {
    /// It stores them, or reaches them only through slots that record.
    Transparent,
    /// Some parameters are read, others are not.
    Treated(&'static Treatments),
    /// This callable models it (a new reference).
    Model(Obj),
    /// This callable (a new reference) models it where an argument is symbolic; if it is a
    /// method, the receiver comes first.
    Guarded(Obj, bool),
    /// Nothing is known: its symbolic arguments are pinned.
    Unknown,
}

/// What happens to one argument before a C function sees it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Treatment {
    /// Nothing: it is stored, or reached through slots that record.
    Whole,
    /// It is read: its symbolic values are pinned.
    Surrendered,
    /// It is a function to be called: what `sel` makes of it.
    Selected,
    /// Its truth is all that is read: a decision.
    Asked,
}

/// The treatment of each parameter of a C function.
#[derive(Default)]
pub struct Treatments {
    positions: Vec<Treatment>,
    /// By interned name.
    keywords: Vec<(Py<PyString>, Treatment)>,
    /// Positional arguments past the known ones.
    rest: Option<Treatment>,
}

impl Treatments {
    /// The treatment of a positional argument, counted without the receiver.
    pub fn of_position(&self, position: usize) -> Treatment {
        let known = self.positions.get(position).copied();
        known.or(self.rest).unwrap_or(Treatment::Whole)
    }

    /// The treatment of a keyword argument.
    pub fn of_keyword(&self, name: Obj) -> Treatment {
        let known = self.keywords.iter().find(|(known, _)| {
            // SAFETY: two live strings.
            unsafe { ffi::PyUnicode_Compare(known.as_ptr(), name) == 0 }
        });
        known.map_or(Treatment::Whole, |(_, treatment)| *treatment)
    }
}

enum Entry {
    Transparent,
    Treated(&'static Treatments),
    Model(Py<PyAny>),
    Guarded(Py<PyAny>, bool),
}

impl Entry {
    fn policy(&self) -> Policy {
        match self {
            Entry::Transparent => Policy::Transparent,
            Entry::Treated(treatments) => Policy::Treated(treatments),
            // SAFETY: a new reference to a registered object.
            Entry::Model(model) => Policy::Model(unsafe { ffi::Py_NewRef(model.as_ptr()) }),
            Entry::Guarded(model, method) => {
                // SAFETY: as above.
                Policy::Guarded(unsafe { ffi::Py_NewRef(model.as_ptr()) }, *method)
            }
        }
    }
}

#[derive(Default)]
struct Registry {
    entries: FxHashMap<usize, Entry>,
    /// By type: how its instances are called.
    instances: FxHashMap<usize, InstancePolicy>,
    /// Types of iterators, whose items are settled as C code draws them.
    lazy: FxHashSet<usize>,
    /// Types of mutable sequences in C, whose items are settled in place.
    sequences: FxHashSet<usize>,
    /// Types of ours that pass for a built-in one.
    stand_ins: FxHashMap<usize, Py<PyType>>,
    /// Those of them that can be turned into the built-in object, by `__pef_pinned__(name)`.
    settling: FxHashSet<usize>,
    /// Keeps registered objects alive, so that their addresses stay theirs.
    kept: Vec<Py<PyAny>>,
    /// `adopt(callable) -> bool`: rewrites a Python function or class in place.
    adopter: Option<Py<PyAny>>,
    /// Code of functions that cannot be rewritten (no source).
    unadoptable: FxHashSet<usize>,
    /// Classes that were handed to the adopter.
    offered: FxHashSet<usize>,
}

/// How the instances of a C type are called.
pub enum InstancePolicy {
    /// They lose nothing.
    Transparent,
    /// `choose(instance)` gives the callable to use instead.
    Chosen(Py<PyAny>),
}

static REGISTRY: GilCell<Option<Registry>> = GilCell::new(None);

fn with<R>(body: impl FnOnce(&mut Registry) -> R) -> R {
    REGISTRY.with(|registry| body(registry.get_or_insert_with(Registry::default)))
}

/// The address a callable is known by.
fn key(callee: Obj) -> usize {
    // SAFETY: `callee` is a live object of the type just checked, whose layout is part of
    // the C API.
    unsafe {
        if ffi::PyCFunction_Check(callee) != 0 {
            return (*callee.cast::<ffi::PyCFunctionObject>()).m_ml as usize;
        }
        if ffi::Py_TYPE(callee) == &raw mut ffi::PyMethodDescr_Type {
            return (*callee.cast::<MethodDescriptor>()).method as usize;
        }
        callee as usize
    }
}

/// What is known about a callable that is no plain Python function.
pub fn policy(callee: Obj) -> Policy {
    registered(callee).unwrap_or_else(|| super::kinds::policy(callee))
}

/// The entry of a callable, if it has one.
pub fn registered(callee: Obj) -> Option<Policy> {
    with(|registry| registry.entries.get(&key(callee)).map(Entry::policy))
}

/// How an instance of this type is called, if that is known.
pub fn instance_policy(py: Python<'_>, class: *mut ffi::PyTypeObject) -> Option<InstancePolicy> {
    with(
        |registry| match registry.instances.get(&(class as usize))? {
            InstancePolicy::Transparent => Some(InstancePolicy::Transparent),
            InstancePolicy::Chosen(choose) => Some(InstancePolicy::Chosen(choose.clone_ref(py))),
        },
    )
}

/// Whether the value is an iterator (or the like) of a registered type.
///
/// # Safety
/// `value` is a live object.
pub unsafe fn is_lazy(value: Obj) -> bool {
    // SAFETY: as promised by the caller.
    let class = unsafe { ffi::Py_TYPE(value) } as usize;
    with(|registry| registry.lazy.contains(&class))
}

/// Whether the value is a mutable sequence of a registered type.
///
/// # Safety
/// `value` is a live object.
pub unsafe fn is_sequence(value: Obj) -> bool {
    // SAFETY: as promised by the caller.
    let class = unsafe { ffi::Py_TYPE(value) } as usize;
    with(|registry| registry.sequences.contains(&class))
}

/// Whether the value stands in for a built-in object that it can be turned into.
///
/// # Safety
/// `value` is a live object.
pub unsafe fn settles(value: Obj) -> bool {
    // SAFETY: as promised by the caller.
    let class = unsafe { ffi::Py_TYPE(value) } as usize;
    with(|registry| registry.settling.contains(&class))
}

/// The built-in type that a type of ours passes for.
pub fn stands_for(py: Python<'_>, class: *mut ffi::PyTypeObject) -> Option<Py<PyType>> {
    with(|registry| {
        let stands_for = registry.stand_ins.get(&(class as usize))?;
        Some(stands_for.clone_ref(py))
    })
}

fn enter(callee: Bound<'_, PyAny>, entry: Entry) {
    let key = key(callee.as_ptr());
    with(|registry| {
        registry.entries.insert(key, entry);
        registry.kept.push(callee.unbind());
    });
}

fn callable(value: &Bound<'_, PyAny>, role: &str) -> PyResult<()> {
    if value.is_callable() {
        return Ok(());
    }
    Err(PyTypeError::new_err(format!("{role} must be callable")))
}

/// Declares a callable that loses nothing.
#[pyfunction]
pub fn register_transparent(callee: Bound<'_, PyAny>) {
    enter(callee, Entry::Transparent);
}

/// Declares the model of a callable.
#[pyfunction]
pub fn register_model(callee: Bound<'_, PyAny>, model: Bound<'_, PyAny>) -> PyResult<()> {
    callable(&model, "a model")?;
    enter(callee, Entry::Model(model.unbind()));
    Ok(())
}

/// Declares the model of a callable for calls with a symbolic argument; other calls go to the
/// callable itself. The model of a method gets the receiver, or the class, as its first argument.
#[pyfunction]
pub fn register_guarded(callee: Bound<'_, PyAny>, model: Bound<'_, PyAny>) -> PyResult<()> {
    callable(&model, "a model")?;
    // SAFETY: a live object; the receiver is borrowed.
    let method = unsafe {
        let function = callee.as_ptr();
        if ffi::PyCFunction_Check(function) != 0 {
            let receiver = ffi::PyCFunction_GetSelf(function);
            !receiver.is_null() && ffi::PyType_Check(receiver) != 0
        } else {
            let class = ffi::Py_TYPE(function);
            class == &raw mut ffi::PyMethodDescr_Type || class == &raw mut ffi::PyWrapperDescr_Type
        }
    };
    enter(callee, Entry::Guarded(model.unbind(), method));
    Ok(())
}

/// Declares how a C function treats its parameters: `treatments` maps positions, names
/// and `...` (further positions) to `"pin"`, `"ask"` or `"select"`; all others stay whole.
#[pyfunction]
pub fn register_treated(callee: Bound<'_, PyAny>, treatments: &Bound<'_, PyDict>) -> PyResult<()> {
    let mut parsed = Treatments::default();
    for (parameter, treatment) in treatments {
        let treatment = match treatment.extract::<String>()?.as_str() {
            "pin" => Treatment::Surrendered,
            "select" => Treatment::Selected,
            "ask" => Treatment::Asked,
            other => {
                return Err(PyValueError::new_err(format!(
                    "unknown treatment '{other}'"
                )));
            }
        };
        if let Ok(name) = parameter.cast::<PyString>() {
            parsed.keywords.push((name.clone().unbind(), treatment));
        } else if parameter.is_instance_of::<PyInt>() {
            let position: usize = parameter.extract()?;
            if parsed.positions.len() <= position {
                parsed.positions.resize(position + 1, Treatment::Whole);
            }
            parsed.positions[position] = treatment;
        } else {
            parsed.rest = Some(treatment);
        }
    }
    enter(callee, Entry::Treated(Box::leak(Box::new(parsed))));
    Ok(())
}

/// Declares how instances of a C type are called: `choose(instance)` gives the callable to
/// use instead; without it they lose nothing.
#[pyfunction]
#[pyo3(signature = (class, choose=None))]
pub fn register_instances(
    class: Bound<'_, PyType>,
    choose: Option<Bound<'_, PyAny>>,
) -> PyResult<()> {
    let policy = match choose {
        None => InstancePolicy::Transparent,
        Some(choose) => {
            callable(&choose, "the choice")?;
            InstancePolicy::Chosen(choose.unbind())
        }
    };
    with(|registry| {
        registry.instances.insert(class.as_ptr() as usize, policy);
        registry.kept.push(class.into_any().unbind());
    });
    Ok(())
}

/// Declares a type of iterators.
#[pyfunction]
pub fn register_lazy(class: Bound<'_, PyType>) {
    with(|registry| {
        registry.lazy.insert(class.as_ptr() as usize);
        registry.kept.push(class.into_any().unbind());
    });
}

/// Declares a type of mutable sequences.
#[pyfunction]
pub fn register_sequence(class: Bound<'_, PyType>) {
    with(|registry| {
        registry.sequences.insert(class.as_ptr() as usize);
        registry.kept.push(class.into_any().unbind());
    });
}

/// Declares that instances of `class` pass for instances of `stands_for`. If they have a method
/// `__pef_pinned__(name)`, C functions get what it returns: the object itself, its parts pinned.
#[pyfunction]
pub fn register_stand_in(class: Bound<'_, PyType>, stands_for: Py<PyType>) {
    let settles = class.hasattr("__pef_pinned__").unwrap_or(false);
    with(|registry| {
        if settles {
            registry.settling.insert(class.as_ptr() as usize);
        }
        registry
            .stand_ins
            .insert(class.as_ptr() as usize, stands_for);
        registry.kept.push(class.into_any().unbind());
    });
}

/// Sets the function that rewrites an already loaded Python function or class in place.
#[pyfunction]
pub fn set_adopter(adopter: Option<Py<PyAny>>) {
    with(|registry| {
        registry.adopter = adopter;
        registry.unadoptable.clear();
        registry.offered.clear();
    });
}

/// The adopter, if one is set.
pub fn adopter(py: Python<'_>) -> Option<Py<PyAny>> {
    with(|registry| {
        registry
            .adopter
            .as_ref()
            .map(|adopter| adopter.clone_ref(py))
    })
}

/// Whether a class has yet to be handed to the adopter; it is from now on.
pub fn is_new_to_adopter(class: &Bound<'_, PyType>) -> bool {
    with(|registry| {
        let new = registry.adopter.is_some() && registry.offered.insert(class.as_ptr() as usize);
        if new {
            registry.kept.push(class.clone().into_any().unbind());
        }
        new
    })
}

/// Remembers that a function cannot be rewritten.
pub fn mark_unadoptable(code: Bound<'_, PyAny>) {
    let address = code.as_ptr() as usize;
    with(|registry| {
        if registry.unadoptable.insert(address) {
            registry.kept.push(code.unbind());
        }
    });
}

/// Whether a function is known not to be rewritable.
pub fn is_unadoptable(code: Obj) -> bool {
    with(|registry| registry.unadoptable.contains(&(code as usize)))
}
