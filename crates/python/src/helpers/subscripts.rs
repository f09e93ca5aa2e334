//! `a[i]`, `a[i:j]`, `a[i] = x`: which element a symbolic index or key means.

use pef_explore::DecisionKind;
use pef_logic::TermId;
use pyo3::ffi;
use pyo3::prelude::*;

use super::equality::is_symbolic_key;
use super::small_value;
use crate::boundary::{Made, Obj, Raised, made, object, raise};
use crate::models::printing::call_room;
use crate::models::registry;
use crate::recorder::{self, build};
use crate::values::{self, operation, pin, symbolic};

/// `a[i]`
pub(super) unsafe extern "C" fn getitem(_: Obj, args: *mut Obj, _: ffi::Py_ssize_t) -> Obj {
    // SAFETY: called with two arguments by rewritten code.
    let (container, index) = unsafe { (*args, *args.add(1)) };
    if may_be_symbolic_key(index) && is_native_dict(container, "__getitem__") {
        return object(|| super::keys::lookup(container, index));
    }
    if values::is_number(index) {
        return object(|| {
            settle_foreign_index(container, index)?;
            // SAFETY: live objects.
            made(unsafe { ffi::PyObject_GetItem(container, index) })
        });
    }
    // SAFETY: live objects.
    unsafe { ffi::PyObject_GetItem(container, index) }
}

/// Whether a key may be one that a dict must not hash.
#[inline]
fn may_be_symbolic_key(key: Obj) -> bool {
    // SAFETY: a live object; the check has no side effects.
    values::is_native(key) || (unsafe { ffi::PyTuple_Check(key) != 0 } && is_symbolic_key(key))
}

/// Whether an object is a dict whose class leaves this method to C code.
fn is_native_dict(container: Obj, method: &str) -> bool {
    // SAFETY: a live object; type checks have no side effects.
    unsafe {
        ffi::PyDict_Check(container) != 0
            && (ffi::PyDict_CheckExact(container) != 0
                || !has_python_method(ffi::Py_TYPE(container), method))
    }
}

/// Records which element a symbolic index means: one decision with an outcome for each
/// position and one for "out of range".
pub fn settle_index(container: Obj, index: Obj) -> Result<(), Raised> {
    let Some((sort, term)) = symbolic(index) else {
        return Ok(());
    };
    let term = values::Operand { sort, term }.as_int();
    // SAFETY: a live built-in sequence, whose length is a field.
    let length = unsafe { ffi::PyObject_Size(container) };
    if length < 0 {
        return Err(Raised);
    }
    let length = length as i64;
    if length > WIDEST_INDEX {
        return pin(index, operation("index into a long sequence"));
    }
    let inside = |concrete: &i64| (-length..length).contains(concrete);
    let Some(concrete) = small_value(index).filter(inside) else {
        return decide_arms(term, length, None);
    };
    let position = if concrete < 0 {
        concrete + length
    } else {
        concrete
    };
    decide_arms(term, length, Some((position, concrete < 0)))
}

/// More elements than this are not told apart.
const WIDEST_INDEX: i64 = 64;

/// One arm per non-negative position, one for all negative indices that are in range
/// (told apart by a second decision), one for out of range.
fn decide_arms(term: TermId, length: i64, at: Option<(i64, bool)>) -> Result<(), Raised> {
    let (mut arms, from_end) = (Vec::new(), -length);
    let built = build(|pool| {
        for position in 0..length {
            let value = pool.small(position);
            arms.push(pool.eq(term, value));
        }
        for position in from_end..0 {
            let value = pool.small(position);
            arms.push(pool.eq(term, value));
        }
        let (low, high) = (pool.small(from_end), pool.small(length));
        let (below, above) = (pool.lt(term, low), pool.ge(term, high));
        arms.push(pool.or(below, above));
    });
    if built.is_none() {
        return Ok(());
    }
    let taken = match at {
        None => arms.len() - 1,
        Some((position, false)) => position as usize,
        Some((position, true)) => (length + position) as usize,
    };
    recorder::decide_among(&arms, taken, DecisionKind::Index)
}

/// Containers whose subscript records by itself: the built-in sequences have wrapped
/// slots, a dict hashes its key, a class in Python gets the index whole.
fn records_subscripts(container: Obj) -> bool {
    // SAFETY: a live object; type checks have no side effects.
    unsafe {
        let class = ffi::Py_TYPE(container);
        let builtin = [
            &raw mut ffi::PyList_Type,
            &raw mut ffi::PyTuple_Type,
            &raw mut ffi::PyUnicode_Type,
            &raw mut ffi::PyBytes_Type,
            &raw mut ffi::PyByteArray_Type,
            &raw mut ffi::PyRange_Type,
        ];
        builtin.iter().any(|&base| subscripts_as(class, base))
            || values::is_native(container)
            || ffi::PyDict_Check(container) != 0
            || ffi::PyType_Check(container) != 0
            || has_python_method(class, "__getitem__")
    }
}

/// Whether a class has the subscript slot of this built-in one.
unsafe fn subscripts_as(class: *mut ffi::PyTypeObject, base: *mut ffi::PyTypeObject) -> bool {
    // SAFETY: live types; only their tables are read.
    unsafe {
        let slot = |class: *mut ffi::PyTypeObject| {
            let table = (*class).tp_as_mapping.as_ref();
            table.and_then(|table| table.mp_subscript.map(|slot| slot as usize))
        };
        class == base || (slot(class).is_some() && slot(class) == slot(base))
    }
}

/// Whether the class or a base defines a method in Python.
fn has_python_method(class: *mut ffi::PyTypeObject, name: &str) -> bool {
    Python::attach(|py| {
        // SAFETY: a live type object.
        let class = unsafe { Bound::from_borrowed_ptr(py, class.cast()) };
        let method = class.getattr(name);
        method.is_ok_and(|method| method.is_instance_of::<pyo3::types::PyFunction>())
    })
}

/// Any other C container would read the digits unnoticed.
fn settle_foreign_index(container: Obj, index: Obj) -> Result<(), Raised> {
    if records_subscripts(container) {
        return Ok(());
    }
    // SAFETY: a live object; type checks have no side effects. A class made before the slots of its base
    // were wrapped has the old ones.
    let sequence = unsafe {
        registry::is_sequence(container)
            || ffi::PyList_Check(container) != 0
            || ffi::PyTuple_Check(container) != 0
    };
    if sequence {
        return settle_index(container, index);
    }
    pin(index, operation("subscript of another C type"))
}

/// `a[i:j:k]`
pub(super) unsafe extern "C" fn getslice(_: Obj, args: *mut Obj, _: ffi::Py_ssize_t) -> Obj {
    // SAFETY: called with four arguments by rewritten code.
    let (container, start, stop, step) =
        unsafe { (*args, *args.add(1), *args.add(2), *args.add(3)) };
    object(|| {
        let parts = [start, stop, step];
        let symbolic = parts.iter().any(|&part| values::is_number(part));
        if symbolic && !records_subscripts(container) {
            for part in parts {
                pin(part, operation("slice with a symbolic bound"))?;
            }
        }
        // SAFETY: live objects; the slice is owned.
        unsafe {
            let slice = made(ffi::PySlice_New(start, stop, step))?;
            let result = ffi::PyObject_GetItem(container, slice);
            ffi::Py_DECREF(slice);
            made(result)
        }
    })
}

/// `__pef_at__(a)`: the place whose items are stored or deleted.
pub(super) unsafe extern "C" fn at(_: Obj, container: Obj) -> Obj {
    // SAFETY: a live object; type checks have no side effects.
    let list = unsafe { ffi::PyList_CheckExact(container) != 0 };
    if list || !recorder::is_recording() {
        // SAFETY: a new reference to the argument.
        return unsafe { ffi::Py_NewRef(container) };
    }
    object(|| {
        // SAFETY: a live object; the check has no side effects.
        let keyed = unsafe { ffi::PyDict_Check(container) != 0 };
        if !keyed && records_subscripts(container) {
            // SAFETY: a new reference to the argument.
            return Ok(unsafe { ffi::Py_NewRef(container) });
        }
        Python::attach(|py| {
            // SAFETY: a live object.
            let container = unsafe { Bound::from_borrowed_ptr(py, container) };
            let place = Place {
                container: container.unbind(),
            };
            Bound::new(py, place)
                .map(|place| place.into_any().into_ptr())
                .map_err(raise)
        })
    })
}

/// Stands for a container of another C type while one of its items is stored or deleted.
#[pyclass(frozen, module = "pef._native")]
struct Place {
    container: Py<PyAny>,
}

impl Place {
    /// The container, if it is a dict asked with a symbolic key that no Python code handles.
    fn keyed(&self, index: &Bound<'_, PyAny>, method: &str) -> Option<Obj> {
        let container = self.container.as_ptr();
        (may_be_symbolic_key(index.as_ptr()) && is_native_dict(container, method))
            .then_some(container)
    }

    #[expect(clippy::unused_self, reason = "reads as a step of the place's methods")]
    fn result<T>(&self, index: &Bound<'_, PyAny>, result: Result<T, Raised>) -> PyResult<T> {
        result.map_err(|Raised| PyErr::fetch(index.py()))
    }

    fn settle(&self, index: &Bound<'_, PyAny>) -> PyResult<()> {
        let py = index.py();
        if values::is_number(index.as_ptr()) {
            settle_foreign_index(self.container.as_ptr(), index.as_ptr())
                .map_err(|Raised| PyErr::fetch(py))?;
        }
        let settled = pin_slice(index.as_ptr());
        settled.map_err(|Raised| PyErr::fetch(py))
    }
}

#[pymethods]
impl Place {
    fn __getitem__<'py>(&self, index: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        if let Some(dict) = self.keyed(index, "__getitem__") {
            let item = super::keys::lookup(dict, index.as_ptr());
            // SAFETY: a new reference.
            return self
                .result(index, item)
                .map(|item| unsafe { Bound::from_owned_ptr(index.py(), item) });
        }
        self.settle(index)?;
        self.container.bind(index.py()).get_item(index)
    }

    fn __setitem__(&self, index: &Bound<'_, PyAny>, value: &Bound<'_, PyAny>) -> PyResult<()> {
        if let Some(dict) = self.keyed(index, "__setitem__") {
            let stored = super::keys::store(dict, index.as_ptr(), value.as_ptr());
            return self.result(index, stored);
        }
        self.settle(index)?;
        self.container.bind(index.py()).set_item(index, value)
    }

    fn __delitem__(&self, index: &Bound<'_, PyAny>) -> PyResult<()> {
        if let Some(dict) = self.keyed(index, "__delitem__") {
            let stored = super::keys::store(dict, index.as_ptr(), std::ptr::null_mut());
            return self.result(index, stored);
        }
        self.settle(index)?;
        self.container.bind(index.py()).del_item(index)
    }
}

/// Whether an index is a slice with a symbolic bound.
fn is_symbolic_slice(index: Obj) -> bool {
    // SAFETY: a live object, whose layout is checked before its fields are read.
    unsafe {
        if ffi::PySlice_Check(index) == 0 {
            return false;
        }
        let slice = index.cast::<ffi::PySliceObject>();
        [(*slice).start, (*slice).stop, (*slice).step]
            .into_iter()
            .any(values::is_number)
    }
}

/// The slice with plain bounds, after the decisions which positions they mean.
pub fn settled_slice(container: Obj, index: Obj) -> Made {
    if !is_symbolic_slice(index) {
        // SAFETY: a new reference to a live object.
        return Ok(unsafe { ffi::Py_NewRef(index) });
    }
    let arguments = [container, index];
    call_room(
        c"pef.models.containers.positions",
        c"settled_slice",
        &arguments,
    )
}

/// Pins the symbolic bounds of a slice.
fn pin_slice(index: Obj) -> Result<(), Raised> {
    if !is_symbolic_slice(index) {
        return Ok(());
    }
    // SAFETY: a live slice, as just checked.
    let slice = unsafe { &*index.cast::<ffi::PySliceObject>() };
    for part in [slice.start, slice.stop, slice.step] {
        pin(part, operation("slice with a symbolic bound"))?;
    }
    Ok(())
}

/// `settled_index(container, index)`: the plain index, after the decision which element it means.
#[pyfunction]
pub(super) fn settled_index<'py>(
    container: &Bound<'py, PyAny>,
    index: &Bound<'py, PyAny>,
) -> PyResult<Bound<'py, PyAny>> {
    let py = index.py();
    let settled = settle_index(container.as_ptr(), index.as_ptr());
    match settled.and_then(|()| values::concrete(index.as_ptr())) {
        // SAFETY: a new reference.
        Ok(plain) => Ok(unsafe { Bound::from_owned_ptr(py, plain) }),
        Err(Raised) => Err(PyErr::fetch(py)),
    }
}
