//! Containers whose content is decided when someone first looks.
//!
//! An untouched list is an instance of a subtype of `list` with the same layout. `len()` and its truth are
//! answered without looking; anything else turns the object into a plain `list` and has it
//! filled by the function it came with. So a function that never looks at an argument does not multiply its
//! paths, and one that does works on a real list. Dicts and sets likewise.

use pef_explore::{DecisionKind, PinReason};
use pyo3::ffi;
use pyo3::prelude::*;
use pyo3::types::{PyList, PyTuple};
use rustc_hash::FxHashMap;
use std::ffi::{CStr, c_int, c_void};

use super::InputSpec;
use crate::boundary::{GilCell, Made, Obj, Raised, made, number, object, raise};
use crate::models::surrender;
use crate::recorder;
use crate::values::{self, Slots};

/// What an untouched container needs to be filled.
struct Pending {
    /// Keeps the address from being reused.
    container: Py<PyAny>,
    filling: Filling,
    /// Its length, an int of ours.
    length: Py<PyAny>,
}

enum Filling {
    /// `fill(container)`.
    Call(Py<PyAny>),
    /// Of a list: values of one kind.
    Values(Values),
}

/// The items of a list that are single variables.
struct Values {
    item: Py<InputSpec>,
    /// Of the list.
    name: Box<str>,
    /// Whether there are more items is decided up to here.
    most: usize,
    /// A list that gets them as well: the program may change the other.
    made: Py<PyList>,
}

impl Values {
    /// Appends one item after the other, up to a length that is decided on the way.
    fn fill(&self, list: &Bound<'_, PyAny>, length: &Bound<'_, PyAny>) -> PyResult<()> {
        let py = list.py();
        // SAFETY: an int; that of ours has its digits where every int has.
        let last = unsafe { ffi::PyLong_AsSsize_t(length.as_ptr()) };
        let last = usize::try_from(last).map_err(|_| PyErr::fetch(py))?;
        for position in 0..=last {
            if position <= self.most {
                decide_end(length, position, position == last)
                    .map_err(|Raised| PyErr::fetch(py))?;
            }
            if position == self.most && position < last {
                let reason = PinReason::Call("a very long container".into());
                let pinned = surrender::surrender_argument(length.as_ptr(), &reason);
                drop(super::owned(py, pinned)?);
            }
            if position < last {
                let name = format!("{}[{position}]", self.name);
                let value = self.item.get().0.build(py, &name)?;
                // SAFETY: a list, plain by now.
                if unsafe { ffi::PyList_Append(list.as_ptr(), value.as_ptr()) } < 0 {
                    return Err(PyErr::fetch(py));
                }
                self.made.bind(py).append(value)?;
            }
        }
        Ok(())
    }
}

/// Decides whether a list ends at a position.
fn decide_end(length: &Bound<'_, PyAny>, position: usize, is_end: bool) -> Result<(), Raised> {
    let Some((_, term)) = values::symbolic(length.as_ptr()) else {
        return Ok(());
    };
    let ends = recorder::build(|pool| {
        let position = pool.small(position as i64);
        pool.eq(term, position)
    });
    ends.map_or(Ok(()), |ends| {
        recorder::decide_kind(ends, is_end, DecisionKind::Domain).map(drop)
    })
}

#[derive(Clone, Copy)]
struct LazyTypes {
    list: *mut ffi::PyTypeObject,
    dict: *mut ffi::PyTypeObject,
    set: *mut ffi::PyTypeObject,
}

static TYPES: GilCell<LazyTypes> = GilCell::new(LazyTypes {
    list: std::ptr::null_mut(),
    dict: std::ptr::null_mut(),
    set: std::ptr::null_mut(),
});

static PENDING: GilCell<Option<FxHashMap<usize, Pending>>> = GilCell::new(None);

fn with_pending<R>(body: impl FnOnce(&mut FxHashMap<usize, Pending>) -> R) -> R {
    PENDING.with(|pending| body(pending.get_or_insert_with(FxHashMap::default)))
}

/// The built-in type of an untouched container.
fn plain_type(class: *mut ffi::PyTypeObject) -> Option<*mut ffi::PyTypeObject> {
    let types = TYPES.with(|types| *types);
    if class == types.list {
        Some(&raw mut ffi::PyList_Type)
    } else if class == types.dict {
        Some(&raw mut ffi::PyDict_Type)
    } else if class == types.set {
        Some(&raw mut ffi::PySet_Type)
    } else {
        None
    }
}

/// Whether an object is a container nobody has looked into.
#[inline]
pub fn is_untouched(value: Obj) -> bool {
    // SAFETY: a live object.
    plain_type(unsafe { ffi::Py_TYPE(value) }).is_some()
}

/// The length of an untouched container, as a new reference.
pub fn length(value: Obj) -> Option<Obj> {
    if !is_untouched(value) {
        return None;
    }
    with_pending(|pending| {
        let pending = pending.get(&(value as usize))?;
        // SAFETY: a new reference to a live object.
        Some(unsafe { ffi::Py_NewRef(pending.length.as_ptr()) })
    })
}

/// Makes a container plain and has it filled. Does nothing to others.
pub fn touch(value: Obj) -> Result<(), Raised> {
    // SAFETY: a live object; the types share the layout of their bases, and an instance of a heap
    // type holds a reference to it.
    unsafe {
        let class = ffi::Py_TYPE(value);
        let Some(plain) = plain_type(class) else {
            return Ok(());
        };
        (*value).ob_type = plain;
        ffi::Py_DECREF(class.cast());
    }
    let Some(pending) = with_pending(|pending| pending.remove(&(value as usize))) else {
        return Ok(());
    };
    Python::attach(|py| {
        // How large an input is costs depth whoever looks first: a contract that looks at a
        // list would otherwise see longer and longer ones without end.
        let container = pending.container.bind(py);
        let filled = recorder::as_target(|| match &pending.filling {
            Filling::Call(fill) => fill.call1(py, (container,)).map(drop),
            Filling::Values(values) => values.fill(container, pending.length.bind(py)),
        });
        filled.map_err(raise)
    })
}

/// Fills what nobody looked at, when the run is over: for those who show the input.
pub fn touch_all() {
    let untouched = with_pending(std::mem::take);
    for pending in untouched.into_values() {
        let container = pending.container.as_ptr();
        with_pending(|all| all.insert(container as usize, pending));
        if touch(container).is_err() {
            // SAFETY: the exception of a filling that has no run to belong to.
            unsafe { ffi::PyErr_Clear() };
        }
    }
}

unsafe extern "C" fn truth(container: Obj) -> c_int {
    number(|| match length(container) {
        // SAFETY: an owned reference; its truth is a decision.
        Some(length) => unsafe {
            let truth = ffi::PyObject_IsTrue(length);
            ffi::Py_DECREF(length);
            Ok(truth)
        },
        None => Ok(1),
    })
}

unsafe extern "C" fn size(container: Obj) -> ffi::Py_ssize_t {
    number(|| {
        touch(container)?;
        // SAFETY: a live object, plain now.
        Ok(unsafe { ffi::PyObject_Size(container) })
    })
}

unsafe extern "C" fn attribute(container: Obj, name: Obj) -> Obj {
    object(|| {
        touch(container)?;
        // SAFETY: a live object, plain now.
        made(unsafe { ffi::PyObject_GetAttr(container, name) })
    })
}

unsafe extern "C" fn iterate(container: Obj) -> Obj {
    object(|| {
        touch(container)?;
        // SAFETY: a live object, plain now.
        made(unsafe { ffi::PyObject_GetIter(container) })
    })
}

unsafe extern "C" fn repr(container: Obj) -> Obj {
    object(|| {
        touch(container)?;
        // SAFETY: a live object, plain now.
        made(unsafe { ffi::PyObject_Repr(container) })
    })
}

unsafe extern "C" fn compare(a: Obj, b: Obj, op: c_int) -> Obj {
    // SAFETY: live objects, plain by then.
    binary(a, b, |a, b| unsafe { ffi::PyObject_RichCompare(a, b, op) })
}

unsafe extern "C" fn subscript(container: Obj, key: Obj) -> Obj {
    object(|| {
        touch(container)?;
        // SAFETY: live objects; a dict may be asked with a symbolic key.
        unsafe {
            if ffi::PyDict_Check(container) != 0 {
                return crate::helpers::keys::lookup(container, key);
            }
            made(ffi::PyObject_GetItem(container, key))
        }
    })
}

unsafe extern "C" fn assign(container: Obj, key: Obj, value: Obj) -> c_int {
    number(|| {
        touch(container)?;
        // SAFETY: live objects; a null value means deletion.
        unsafe {
            if ffi::PyDict_Check(container) != 0 {
                return crate::helpers::keys::store(container, key, value).map(|()| 0);
            }
            Ok(if value.is_null() {
                ffi::PyObject_DelItem(container, key)
            } else {
                ffi::PyObject_SetItem(container, key, value)
            })
        }
    })
}

unsafe extern "C" fn contains(container: Obj, item: Obj) -> c_int {
    number(|| {
        touch(container)?;
        // SAFETY: live objects.
        Ok(unsafe { ffi::PySequence_Contains(container, item) })
    })
}

/// An operation of which either side may be untouched: once more, on plain containers.
fn binary(a: Obj, b: Obj, run: impl FnOnce(Obj, Obj) -> Obj) -> Obj {
    object(|| {
        touch(a)?;
        touch(b)?;
        made(run(a, b))
    })
}

macro_rules! operators {
    ($($function:ident: $run:ident;)*) => {$(
        unsafe extern "C" fn $function(a: Obj, b: Obj) -> Obj {
            // SAFETY: live objects, plain by then.
            binary(a, b, |a, b| unsafe { ffi::$run(a, b) })
        }
    )*};
}

operators! {
    add: PyNumber_Add;
    multiply: PyNumber_Multiply;
    or: PyNumber_Or;
    and: PyNumber_And;
    subtract: PyNumber_Subtract;
    xor: PyNumber_Xor;
    add_in_place: PyNumber_InPlaceAdd;
    multiply_in_place: PyNumber_InPlaceMultiply;
    or_in_place: PyNumber_InPlaceOr;
    and_in_place: PyNumber_InPlaceAnd;
    subtract_in_place: PyNumber_InPlaceSubtract;
    xor_in_place: PyNumber_InPlaceXor;
}

/// `touch(container)`: for models, which call methods of the built-in types as they are.
#[pyfunction]
#[pyo3(name = "touch")]
fn touch_container(py: Python<'_>, container: &Bound<'_, PyAny>) -> PyResult<()> {
    touch(container.as_ptr()).map_err(|Raised| PyErr::fetch(py))
}

fn make(
    py: Python<'_>,
    base: *mut ffi::PyTypeObject,
    name: &'static CStr,
    shown: &str,
) -> PyResult<*mut ffi::PyTypeObject> {
    let mut slots = Slots::new();
    slots
        .add(ffi::Py_tp_getattro, attribute as *mut c_void)
        .add(ffi::Py_tp_iter, iterate as *mut c_void)
        .add(ffi::Py_tp_repr, repr as *mut c_void)
        .add(ffi::Py_tp_richcompare, compare as *mut c_void)
        .add(
            ffi::Py_tp_hash,
            ffi::PyObject_HashNotImplemented as *mut c_void,
        )
        .add(ffi::Py_nb_bool, truth as *mut c_void)
        .add(ffi::Py_sq_contains, contains as *mut c_void)
        .add(ffi::Py_sq_length, size as *mut c_void)
        .add(ffi::Py_nb_or, or as *mut c_void)
        .add(ffi::Py_nb_inplace_or, or_in_place as *mut c_void)
        .add(ffi::Py_nb_and, and as *mut c_void)
        .add(ffi::Py_nb_inplace_and, and_in_place as *mut c_void)
        .add(ffi::Py_nb_subtract, subtract as *mut c_void)
        .add(
            ffi::Py_nb_inplace_subtract,
            subtract_in_place as *mut c_void,
        )
        .add(ffi::Py_nb_xor, xor as *mut c_void)
        .add(ffi::Py_nb_inplace_xor, xor_in_place as *mut c_void);
    if base == &raw mut ffi::PyList_Type {
        // Not as a number: `items += untouched` would make another list.
        slots
            .add(ffi::Py_sq_concat, add as *mut c_void)
            .add(ffi::Py_sq_inplace_concat, add_in_place as *mut c_void);
    }
    if base != &raw mut ffi::PySet_Type {
        slots
            .add(ffi::Py_mp_length, size as *mut c_void)
            .add(ffi::Py_mp_subscript, subscript as *mut c_void)
            .add(ffi::Py_mp_ass_subscript, assign as *mut c_void)
            .add(ffi::Py_nb_multiply, multiply as *mut c_void)
            .add(
                ffi::Py_nb_inplace_multiply,
                multiply_in_place as *mut c_void,
            );
    }
    slots.subtype(py, base, 0, name, shown)
}

fn new_container(class: *mut ffi::PyTypeObject) -> Made {
    // SAFETY: the constructor of the base, for an instance of a subtype of the same layout.
    unsafe {
        let Some(make) = plain_type(class).and_then(|base| (*base).tp_new) else {
            return Err(Raised);
        };
        let nothing = made(ffi::PyTuple_New(0))?;
        let container = make(class, nothing, std::ptr::null_mut());
        ffi::Py_DECREF(nothing);
        made(container)
    }
}

/// `untouched(kind, length, fill)`: a container of the kind ("list", "dict", "set") that has this length
/// and is filled by `fill(container)` when someone looks.
#[pyfunction]
pub fn untouched<'py>(
    py: Python<'py>,
    kind: &str,
    length: Py<PyAny>,
    fill: Py<PyAny>,
) -> PyResult<Bound<'py, PyAny>> {
    let types = TYPES.with(|types| *types);
    let class = match kind {
        "list" => types.list,
        "dict" => types.dict,
        _ => types.set,
    };
    pending(py, class, length, Filling::Call(fill))
}

/// `untouched_values(length, item, name, most, made)`: a list of this length whose items are values of the input
/// `item`; `made` is a list that gets them, too.
#[pyfunction]
pub fn untouched_values<'py>(
    py: Python<'py>,
    length: Py<PyAny>,
    item: Py<InputSpec>,
    name: &str,
    most: usize,
    made: Py<PyList>,
) -> PyResult<Bound<'py, PyAny>> {
    let name = name.into();
    let values = Values {
        item,
        name,
        most,
        made,
    };
    let class = TYPES.with(|types| types.list);
    pending(py, class, length, Filling::Values(values))
}

fn pending(
    py: Python<'_>,
    class: *mut ffi::PyTypeObject,
    length: Py<PyAny>,
    filling: Filling,
) -> PyResult<Bound<'_, PyAny>> {
    let container = new_container(class).map_err(|Raised| PyErr::fetch(py))?;
    // SAFETY: a new reference.
    let container = unsafe { Bound::from_owned_ptr(py, container) };
    let pending = Pending {
        container: container.clone().unbind(),
        filling,
        length,
    };
    with_pending(|all| all.insert(container.as_ptr() as usize, pending));
    Ok(container)
}

/// Makes the types.
pub fn install(module: &Bound<'_, PyModule>) -> PyResult<()> {
    let py = module.py();
    let made = LazyTypes {
        list: make(
            py,
            &raw mut ffi::PyList_Type,
            c"pef._native.UntouchedList",
            "list",
        )?,
        dict: make(
            py,
            &raw mut ffi::PyDict_Type,
            c"pef._native.UntouchedDict",
            "dict",
        )?,
        set: make(
            py,
            &raw mut ffi::PySet_Type,
            c"pef._native.UntouchedSet",
            "set",
        )?,
    };
    TYPES.with(|types| *types = made);
    // SAFETY: types that live as long as the process.
    let types = [made.list, made.dict, made.set]
        .map(|class| unsafe { Bound::from_borrowed_ptr(py, class.cast()) });
    module.add("UNTOUCHED_TYPES", PyTuple::new(py, types)?)?;
    module.add_function(wrap_pyfunction!(touch_container, module)?)?;
    module.add_function(wrap_pyfunction!(untouched, module)?)?;
    module.add_function(wrap_pyfunction!(untouched_values, module)?)
}

/// The built-in type an untouched container passes for, as a new reference.
pub fn stands_for(value: Obj) -> Option<Obj> {
    // SAFETY: a live object; a new reference to a static type.
    unsafe { plain_type(ffi::Py_TYPE(value)).map(|class| ffi::Py_NewRef(class.cast())) }
}
