//! The types of dicts and sets that hold symbolic keys.
//!
//! For each class of dicts or sets there is a subtype with the same layout, made when it is first needed, so that an
//! object can turn into one of it and back. `in`, subscripts and iteration of the built-in ones are native; all
//! methods are written in Python (`pef.models.containers.keyed`), which leaves alone what a class defines in Python.

use pyo3::ffi;
use pyo3::prelude::*;
use std::ffi::{CStr, c_int, c_void};

use super::keys;
use crate::boundary::{GilCell, Made, Obj, Raised, made, number, object, raise};
use crate::models::printing::call_room;
use crate::recorder;

/// A class of containers and the type of those of its instances that hold symbolic keys.
#[derive(Clone, Copy)]
struct Twin {
    base: *mut ffi::PyTypeObject,
    keyed: *mut ffi::PyTypeObject,
}

/// The twins made so far; they and their bases live as long as the process.
static TWINS: GilCell<Vec<Twin>> = GilCell::new(Vec::new());

/// The containers that turned during the run in progress.
static TURNED: GilCell<Turned> = GilCell::new(Turned {
    containers: Vec::new(),
    sweep_at: FIRST_SWEEP,
});

struct Turned {
    /// Owned references.
    containers: Vec<usize>,
    /// How many there may be before those nobody else refers to are let go.
    sweep_at: usize,
}

const FIRST_SWEEP: usize = 256;

fn class_of(container: Obj) -> *mut ffi::PyTypeObject {
    // SAFETY: a live object.
    unsafe { ffi::Py_TYPE(container) }
}

fn base_of(keyed: *mut ffi::PyTypeObject) -> Option<*mut ffi::PyTypeObject> {
    TWINS.with(|twins| {
        let twin = twins.iter().find(|twin| twin.keyed == keyed)?;
        Some(twin.base)
    })
}

/// Whether a container has, or had, symbolic keys.
pub fn is_keyed(container: Obj) -> bool {
    base_of(class_of(container)).is_some()
}

/// The class a container passes for.
pub(super) fn plain_class(container: Obj) -> *mut ffi::PyTypeObject {
    let class = class_of(container);
    base_of(class).unwrap_or(class)
}

fn is_heap(class: *mut ffi::PyTypeObject) -> bool {
    // SAFETY: a live type.
    unsafe { (*class).tp_flags & ffi::Py_TPFLAGS_HEAPTYPE != 0 }
}

/// Gives an object another type of the same layout.
///
/// # Safety
/// The layouts are the same; an instance of a heap type holds a reference to it.
unsafe fn retype(container: Obj, class: *mut ffi::PyTypeObject) {
    // SAFETY: as promised by the caller.
    unsafe {
        let before = ffi::Py_TYPE(container);
        if is_heap(class) {
            ffi::Py_INCREF(class.cast());
        }
        (*container).ob_type = class;
        if is_heap(before) {
            ffi::Py_DECREF(before.cast());
        }
    }
}

/// Turns a dict or set into one with symbolic keys; false if its class has no twin.
pub(super) fn turn(container: Obj) -> Result<bool, Raised> {
    if is_keyed(container) {
        return Ok(true);
    }
    let Some(keyed) = twin_of(class_of(container))? else {
        return Ok(false);
    };
    // SAFETY: the layouts are the same; a new reference is kept for the way back.
    unsafe {
        retype(container, keyed);
        ffi::Py_INCREF(container);
    }
    let crowded = TURNED.with(|turned| {
        turned.containers.push(container as usize);
        turned.containers.len() >= turned.sweep_at
    });
    if crowded {
        sweep();
    }
    Ok(true)
}

/// Lets go of the containers that only we keep alive. A loop may make any number of them.
fn sweep() {
    let turned = TURNED.with(|turned| std::mem::take(&mut turned.containers));
    // SAFETY: owned references.
    let is_abandoned = |&container: &usize| unsafe { ffi::Py_REFCNT(container as Obj) == 1 };
    let (abandoned, kept): (Vec<usize>, Vec<usize>) = turned.into_iter().partition(is_abandoned);
    TURNED.with(|turned| {
        turned.sweep_at = FIRST_SWEEP.max(2 * kept.len());
        turned.containers = kept;
    });
    abandoned.into_iter().for_each(release);
}

/// Turns a container back and gives up the reference to it. May run Python code.
fn release(container: usize) {
    let container = container as Obj;
    turn_one_back(container);
    // SAFETY: an owned reference.
    unsafe { ffi::Py_DECREF(container) };
}

/// Turns one container back.
pub(super) fn turn_one_back(container: Obj) {
    if let Some(base) = base_of(class_of(container)) {
        // SAFETY: an instance of the twin of this base.
        unsafe { retype(container, base) };
    }
}

/// Turns all containers of a run back: its values are plain from now on.
pub fn turn_back() {
    let turned = TURNED.with(|turned| {
        turned.sweep_at = FIRST_SWEEP;
        std::mem::take(&mut turned.containers)
    });
    turned.into_iter().for_each(release);
}

/// The twin of a class of dicts or sets, made if need be.
fn twin_of(class: *mut ffi::PyTypeObject) -> Result<Option<*mut ffi::PyTypeObject>, Raised> {
    let known = TWINS.with(|twins| {
        let twin = twins.iter().find(|twin| twin.base == class)?;
        Some(twin.keyed)
    });
    if known.is_some() {
        return Ok(known);
    }
    // SAFETY: a live class. A metaclass could mind a subclass it does not know of.
    let plain = unsafe {
        ffi::Py_TYPE(class.cast()) == &raw mut ffi::PyType_Type
            && (*class).tp_flags & ffi::Py_TPFLAGS_BASETYPE != 0
    };
    if !plain {
        return Ok(None);
    }
    let _concrete = recorder::Suspension::new();
    Python::attach(|py| {
        let keyed = make(py, class).map_err(raise)?;
        // SAFETY: live types; the base stays alive as long as its twin.
        unsafe { ffi::Py_INCREF(class.cast()) };
        let equipped = call_room(
            c"pef.models.containers.keyed",
            c"equip",
            &[keyed.cast(), class.cast()],
        )?;
        // SAFETY: an owned reference.
        unsafe { ffi::Py_DECREF(equipped) };
        TWINS.with(|twins| twins.push(Twin { base: class, keyed }));
        Ok(Some(keyed))
    })
}

unsafe extern "C" fn subscript(dict: Obj, key: Obj) -> Obj {
    object(|| keys::lookup(dict, key))
}

unsafe extern "C" fn assign(dict: Obj, key: Obj, value: Obj) -> c_int {
    number(|| keys::store(dict, key, value).map(|()| 0))
}

unsafe extern "C" fn contains(container: Obj, key: Obj) -> c_int {
    number(|| match keys::contains(key, container)? {
        // SAFETY: an owned reference; its truth is a decision.
        Some(inside) => unsafe {
            let truth = ffi::PyObject_IsTrue(inside);
            ffi::Py_DECREF(inside);
            Ok(truth)
        },
        // SAFETY: the base's own answer, of a live container.
        None => unsafe {
            if ffi::PyDict_Check(container) != 0 {
                Ok(ffi::PyDict_Contains(container, key))
            } else {
                Ok(ffi::PySet_Contains(container, key))
            }
        },
    })
}

/// As that of the base, but not the same function: code that finds `dict`'s own reads the table of
/// the dict directly.
unsafe extern "C" fn iterate(container: Obj) -> Obj {
    object(|| {
        // SAFETY: a live container.
        unsafe {
            if ffi::PyDict_Check(container) == 0 {
                keys::pin_order(container)?;
            }
            made(keys::plain_iterator(container))
        }
    })
}

/// The hash of a frozenset is made from those of its items.
unsafe extern "C" fn hash(frozen: Obj) -> ffi::Py_hash_t {
    number(|| {
        keys::pin_keys(frozen, "hash of a frozenset")?;
        // SAFETY: the slot of the base, of a live frozenset.
        unsafe {
            match ffi::PyFrozenSet_Type.tp_hash {
                Some(slot) => Ok(slot(frozen)),
                None => Err(Raised),
            }
        }
    })
}

unsafe extern "C" fn get_class(container: Obj, _: *mut c_void) -> Obj {
    // SAFETY: a new reference to a live type.
    unsafe { ffi::Py_NewRef(plain_class(container).cast()) }
}

fn same_slot<F>(one: Option<F>, other: Option<F>, address: impl Fn(F) -> usize) -> bool {
    one.map(&address) == other.map(&address)
}

fn make(py: Python<'_>, base: *mut ffi::PyTypeObject) -> PyResult<*mut ffi::PyTypeObject> {
    let getters = Box::leak(Box::new([
        ffi::PyGetSetDef {
            name: c"__class__".as_ptr(),
            get: Some(get_class),
            set: None,
            doc: std::ptr::null(),
            closure: std::ptr::null_mut(),
        },
        // SAFETY: all zeroes end the table.
        unsafe { std::mem::zeroed::<ffi::PyGetSetDef>() },
    ]));
    let mut slots = crate::values::Slots::new();
    slots.add(ffi::Py_tp_getset, getters.as_mut_ptr().cast());
    let (name, iterates, root) = described(base);
    if iterates {
        slots.add(ffi::Py_tp_iter, iterate as *mut c_void);
    }
    if root {
        slots.add(ffi::Py_sq_contains, contains as *mut c_void);
        if base == &raw mut ffi::PyDict_Type {
            slots
                .add(ffi::Py_mp_subscript, subscript as *mut c_void)
                .add(ffi::Py_mp_ass_subscript, assign as *mut c_void);
        }
    }
    // SAFETY: a live type.
    let compare = unsafe { (*base).tp_richcompare };
    if let (true, Some(compare)) = (base == &raw mut ffi::PyFrozenSet_Type, compare) {
        // A type that has a hash of its own does not inherit the comparison.
        slots
            .add(ffi::Py_tp_hash, hash as *mut c_void)
            .add(ffi::Py_tp_richcompare, compare as *mut c_void);
    }
    slots.subtype(py, base, 0, c"pef._native.Keyed", &name)
}

/// The name of a class, whether it iterates as `dict` or `set` do, and whether it is one of the built-in ones.
fn described(base: *mut ffi::PyTypeObject) -> (String, bool, bool) {
    let roots = [
        &raw mut ffi::PyDict_Type,
        &raw mut ffi::PySet_Type,
        &raw mut ffi::PyFrozenSet_Type,
    ];
    // SAFETY: live types; the name is a C string of the type.
    unsafe {
        let name = CStr::from_ptr((*base).tp_name)
            .to_string_lossy()
            .into_owned();
        let name = name.rsplit('.').next().unwrap_or_default().to_owned();
        let iterates = roots
            .iter()
            .any(|&root| same_slot((*base).tp_iter, (*root).tp_iter, |slot| slot as usize));
        (name, iterates, roots.contains(&base))
    }
}

/// `turn_keyed(container)`: the container, from now on asked properly.
#[pyfunction]
fn turn_keyed(container: Bound<'_, PyAny>) -> PyResult<Bound<'_, PyAny>> {
    match turn(container.as_ptr()) {
        Ok(_) => Ok(container),
        Err(Raised) => Err(PyErr::fetch(container.py())),
    }
}

/// `is_keyed(container)`: whether a dict or set has, or had, symbolic keys.
#[pyfunction(name = "is_keyed")]
fn is_keyed_object(container: &Bound<'_, PyAny>) -> bool {
    is_keyed(container.as_ptr())
}

/// `items_of(set)`: its items in an order that does not depend on their values; `None` if only their own is
/// known.
#[pyfunction]
fn items_of<'py>(set: &Bound<'py, PyAny>) -> PyResult<Option<Bound<'py, PyAny>>> {
    let py = set.py();
    match keys::unordered(set.as_ptr()) {
        // SAFETY: a new reference.
        Ok(items) => Ok(items.map(|items| unsafe { Bound::from_owned_ptr(py, items) })),
        Err(Raised) => Err(PyErr::fetch(py)),
    }
}

/// `unrecorded(function, *arguments)`: calls a function of CPython's own on containers whose keys were found
/// before, so that nothing is asked.
#[pyfunction]
#[pyo3(signature = (function, *arguments))]
fn unrecorded<'py>(
    function: &Bound<'py, PyAny>,
    arguments: &Bound<'py, pyo3::types::PyTuple>,
) -> PyResult<Bound<'py, PyAny>> {
    let _concrete = recorder::Suspension::new();
    function.call1(arguments)
}

/// What a container of symbolic keys is turned into before C code reads it.
pub fn surrendered(container: Obj, settle: &mut dyn FnMut(Obj) -> Made) -> Made {
    keys::surrender(container, settle)
}

/// Adds the functions to the module.
pub(super) fn install(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_function(wrap_pyfunction!(turn_keyed, module)?)?;
    module.add_function(wrap_pyfunction!(is_keyed_object, module)?)?;
    module.add_function(wrap_pyfunction!(items_of, module)?)?;
    module.add_function(wrap_pyfunction!(unrecorded, module)?)?;
    keys::install(module)
}
