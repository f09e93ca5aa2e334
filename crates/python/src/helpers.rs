//! The native helpers rewritten code refers to, one per kind of expression that slots
//! alone do not see. Without symbolic values each is the plain operation.

use pef_explore::DecisionKind;
use pef_logic::{Sort, TermId};
use pyo3::ffi;
use pyo3::prelude::*;
use std::ffi::{CStr, c_int};

use crate::boundary::{GilCell, Made, Obj, Raised, made, object, raise};
use crate::models;
use crate::recorder::{self, build};
use crate::values::{self, bool_result, is_nonzero, operation, pin, symbolic};

/// `a[i]`
unsafe extern "C" fn getitem(_: Obj, args: *mut Obj, _: ffi::Py_ssize_t) -> Obj {
    // SAFETY: called with two arguments by rewritten code.
    let (container, index) = unsafe { (*args, *args.add(1)) };
    if values::is_native(index) {
        return object(|| {
            settle_foreign_index(container, index)?;
            // SAFETY: live objects.
            made(unsafe { ffi::PyObject_GetItem(container, index) })
        });
    }
    // SAFETY: live objects.
    unsafe { ffi::PyObject_GetItem(container, index) }
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
    let Some(concrete) = small_value(index) else {
        return decide_range(term, length, false);
    };
    if concrete < -length || concrete >= length {
        return decide_arms(term, length, None);
    }
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

fn decide_range(term: TermId, length: i64, inside: bool) -> Result<(), Raised> {
    let condition = build(|pool| {
        let (low, high) = (pool.small(-length), pool.small(length));
        let (least, most) = (pool.ge(term, low), pool.lt(term, high));
        pool.and(least, most)
    });
    condition.map_or(Ok(()), |condition| {
        recorder::decide_kind(condition, inside, DecisionKind::Index).map(|_| ())
    })
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
        builtin.contains(&class)
            || ffi::PyDict_Check(container) != 0
            || ffi::PyType_Check(container) != 0
            || has_python_subscript(class)
    }
}

/// Whether the class or a base defines `__getitem__` in Python.
fn has_python_subscript(class: *mut ffi::PyTypeObject) -> bool {
    Python::attach(|py| {
        // SAFETY: a live type object.
        let class = unsafe { Bound::from_borrowed_ptr(py, class.cast()) };
        let method = class.getattr("__getitem__");
        method.is_ok_and(|method| method.is_instance_of::<pyo3::types::PyFunction>())
    })
}

/// Any other C container would read the digits unnoticed.
fn settle_foreign_index(container: Obj, index: Obj) -> Result<(), Raised> {
    if records_subscripts(container) {
        return Ok(());
    }
    pin(index, operation("subscript of another C type"))
}

fn small_value(object: Obj) -> Option<i64> {
    let mut overflow = 0;
    // SAFETY: a live int.
    let value = unsafe { ffi::PyLong_AsLongLongAndOverflow(object, &raw mut overflow) };
    (overflow == 0).then_some(value)
}

/// `a[i:j:k]`
unsafe extern "C" fn getslice(_: Obj, args: *mut Obj, _: ffi::Py_ssize_t) -> Obj {
    // SAFETY: called with four arguments by rewritten code.
    let (container, start, stop, step) =
        unsafe { (*args, *args.add(1), *args.add(2), *args.add(3)) };
    object(|| {
        let parts = [start, stop, step];
        let symbolic = parts.iter().any(|&part| values::is_native(part));
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

/// `x in c`
unsafe extern "C" fn contains(_: Obj, args: *mut Obj, _: ffi::Py_ssize_t) -> Obj {
    // SAFETY: called with two arguments by rewritten code.
    let (item, container) = unsafe { (*args, *args.add(1)) };
    object(|| membership(item, container))
}

/// `x not in c`
unsafe extern "C" fn not_contains(_: Obj, args: *mut Obj, _: ffi::Py_ssize_t) -> Obj {
    // SAFETY: called with two arguments by rewritten code.
    let (item, container) = unsafe { (*args, *args.add(1)) };
    object(|| {
        let inside = membership(item, container)?;
        // SAFETY: `inside` is owned.
        unsafe {
            let result = negation(inside);
            ffi::Py_DECREF(inside);
            result
        }
    })
}

fn membership(item: Obj, container: Obj) -> Made {
    // SAFETY: live objects.
    unsafe {
        if values::is_native(item)
            && ffi::PyRange_Check(container) != 0
            && let Some(result) = in_range(item, container)?
        {
            return Ok(result);
        }
        match ffi::PySequence_Contains(container, item) {
            -1 => Err(Raised),
            0 => Ok(ffi::Py_NewRef(ffi::Py_False())),
            _ => Ok(ffi::Py_NewRef(ffi::Py_True())),
        }
    }
}

/// `x in range(a, b, s)` with a symbolic `x`, as one condition.
fn in_range(item: Obj, range: Obj) -> Result<Option<Obj>, Raised> {
    let Some((sort, term)) = symbolic(item) else {
        return Ok(None);
    };
    let term = values::Operand { sort, term }.as_int();
    let read = |name: &CStr| -> Option<i64> {
        // SAFETY: a live range; the attribute is owned here.
        unsafe {
            let value = ffi::PyObject_GetAttrString(range, name.as_ptr());
            if value.is_null() {
                ffi::PyErr_Clear();
                return None;
            }
            let small = small_value(value);
            ffi::Py_DECREF(value);
            small
        }
    };
    let (Some(start), Some(stop), Some(step)) = (read(c"start"), read(c"stop"), read(c"step"))
    else {
        return Ok(None);
    };
    let condition = build(|pool| {
        let (first, last) = (pool.small(start), pool.small(stop));
        let bounds = if step > 0 {
            let (low, high) = (pool.ge(term, first), pool.lt(term, last));
            pool.and(low, high)
        } else {
            let (low, high) = (pool.gt(term, last), pool.le(term, first));
            pool.and(low, high)
        };
        let offset = pool.binary(pef_logic::BinaryOp::Sub, term, first);
        let stride = pool.small(step);
        let rest = pool.binary(pef_logic::BinaryOp::Mod, offset, stride);
        let zero = pool.small(0);
        let on_step = pool.eq(rest, zero);
        pool.and(bounds, on_step)
    });
    let Some(condition) = condition else {
        return Ok(None);
    };
    // SAFETY: live objects; the plain copy is owned.
    let inside = unsafe {
        let plain = values::concrete(item)?;
        let inside = ffi::PySequence_Contains(range, plain);
        ffi::Py_DECREF(plain);
        if inside < 0 {
            return Err(Raised);
        }
        inside == 1
    };
    bool_result(inside, condition).map(Some)
}

/// As a decision, for C code that asks.
pub fn in_range_truth(item: Obj, range: Obj) -> Result<Option<bool>, Raised> {
    let Some(inside) = in_range(item, range)? else {
        return Ok(None);
    };
    // SAFETY: `inside` is owned.
    unsafe {
        let truth = ffi::PyObject_IsTrue(inside);
        ffi::Py_DECREF(inside);
        if truth < 0 {
            Err(Raised)
        } else {
            Ok(Some(truth == 1))
        }
    }
}

/// `a is b`
unsafe extern "C" fn is_same(_: Obj, args: *mut Obj, _: ffi::Py_ssize_t) -> Obj {
    // SAFETY: called with two arguments by rewritten code.
    let (a, b) = unsafe { (*args, *args.add(1)) };
    object(|| identity(a, b))
}

/// `a is not b`
unsafe extern "C" fn is_not_same(_: Obj, args: *mut Obj, _: ffi::Py_ssize_t) -> Obj {
    // SAFETY: called with two arguments by rewritten code.
    let (a, b) = unsafe { (*args, *args.add(1)) };
    object(|| {
        let same = identity(a, b)?;
        // SAFETY: `same` is owned.
        unsafe {
            let result = negation(same);
            ffi::Py_DECREF(same);
            result
        }
    })
}

/// Bools are singletons, so their identity is their equality. Small ints are shared by
/// CPython but nothing promises it: identity of a symbolic int with another object is
/// equality of small values, pinned.
fn identity(a: Obj, b: Obj) -> Made {
    if a != b && (values::is_native(a) || values::is_native(b)) {
        let (left, right) = (symbolic(a), symbolic(b));
        let sorts = (left.map(|side| side.0), right.map(|side| side.0));
        if sorts.0 == Some(Sort::Bool) || sorts.1 == Some(Sort::Bool) {
            return bool_identity(a, b);
        }
        if is_plain_int(a) && is_plain_int(b) {
            return small_int_identity(a, b);
        }
    }
    // SAFETY: a new reference to a singleton.
    Ok(unsafe {
        ffi::Py_NewRef(if a == b {
            ffi::Py_True()
        } else {
            ffi::Py_False()
        })
    })
}

fn is_plain_int(object: Obj) -> bool {
    // SAFETY: a live object.
    unsafe { ffi::PyLong_CheckExact(object) != 0 || ffi::Py_TYPE(object) == values::types().int }
}

fn bool_identity(a: Obj, b: Obj) -> Made {
    let (Some(left), Some(right)) = (values::Operand::of(a), values::Operand::of(b)) else {
        // SAFETY: a new reference to a singleton.
        return Ok(unsafe { ffi::Py_NewRef(ffi::Py_False()) });
    };
    if left.sort != Sort::Bool || right.sort != Sort::Bool {
        // SAFETY: a new reference to a singleton.
        return Ok(unsafe { ffi::Py_NewRef(ffi::Py_False()) });
    }
    let same = is_nonzero(a) == is_nonzero(b);
    let term = build(|pool| pool.iff(left.term, right.term));
    match term {
        Some(term) => bool_result(same, term),
        // SAFETY: a new reference to a singleton.
        None => Ok(unsafe {
            ffi::Py_NewRef(if same {
                ffi::Py_True()
            } else {
                ffi::Py_False()
            })
        }),
    }
}

/// CPython keeps one object for each of these.
const SHARED_INTS: std::ops::RangeInclusive<i64> = -5..=256;

fn small_int_identity(a: Obj, b: Obj) -> Made {
    pin(a, operation("is"))?;
    pin(b, operation("is"))?;
    let same = match (small_value(a), small_value(b)) {
        (Some(left), Some(right)) => left == right && SHARED_INTS.contains(&left),
        _ => false,
    };
    // SAFETY: a new reference to a singleton.
    Ok(unsafe {
        ffi::Py_NewRef(if same {
            ffi::Py_True()
        } else {
            ffi::Py_False()
        })
    })
}

/// `not x`
unsafe extern "C" fn not(_: Obj, value: Obj) -> Obj {
    object(|| negation(value))
}

fn negation(value: Obj) -> Made {
    if let Some((sort, term)) = symbolic(value) {
        let truth = is_nonzero(value);
        let negated = build(|pool| match sort {
            Sort::Bool => pool.not(term),
            Sort::Int => {
                let zero = pool.small(0);
                pool.eq(term, zero)
            }
        });
        if let Some(negated) = negated {
            return bool_result(!truth, negated);
        }
    }
    // SAFETY: a live object.
    unsafe {
        match ffi::PyObject_Not(value) {
            -1 => Err(Raised),
            0 => Ok(ffi::Py_NewRef(ffi::Py_False())),
            _ => Ok(ffi::Py_NewRef(ffi::Py_True())),
        }
    }
}

/// `a % b`
unsafe extern "C" fn modulo(_: Obj, args: *mut Obj, _: ffi::Py_ssize_t) -> Obj {
    // SAFETY: called with two arguments by rewritten code.
    unsafe { ffi::PyNumber_Remainder(*args, *args.add(1)) }
}

/// `__pef_at__(a)`: the place whose items are stored or deleted.
unsafe extern "C" fn at(_: Obj, container: Obj) -> Obj {
    if !recorder::is_recording() {
        // SAFETY: a new reference to the argument.
        return unsafe { ffi::Py_NewRef(container) };
    }
    object(|| {
        if records_subscripts(container) {
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
    fn settle(&self, index: &Bound<'_, PyAny>) -> PyResult<()> {
        let py = index.py();
        let settled = settle_foreign_index(self.container.as_ptr(), index.as_ptr())
            .and_then(|()| pin_slice(index.as_ptr()));
        settled.map_err(|Raised| PyErr::fetch(py))
    }
}

#[pymethods]
impl Place {
    fn __getitem__<'py>(&self, index: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        self.settle(index)?;
        self.container.bind(index.py()).get_item(index)
    }

    fn __setitem__(&self, index: &Bound<'_, PyAny>, value: &Bound<'_, PyAny>) -> PyResult<()> {
        self.settle(index)?;
        self.container.bind(index.py()).set_item(index, value)
    }

    fn __delitem__(&self, index: &Bound<'_, PyAny>) -> PyResult<()> {
        self.settle(index)?;
        self.container.bind(index.py()).del_item(index)
    }
}

/// Pins the symbolic bounds of a slice.
pub fn pin_slice(index: Obj) -> Result<(), Raised> {
    // SAFETY: a live object; the attributes of a slice are read-only members.
    unsafe {
        if ffi::PySlice_Check(index) == 0 {
            return Ok(());
        }
        for name in [c"start", c"stop", c"step"] {
            let part = made(ffi::PyObject_GetAttrString(index, name.as_ptr()))?;
            let pinned = pin(part, operation("slice with a symbolic bound"));
            ffi::Py_DECREF(part);
            pinned?;
        }
    }
    Ok(())
}

/// `__pef_plain__(method, value)`: what a special method hands to C code, which would copy
/// the digits of a number and refuse a bool that is ours.
unsafe extern "C" fn plain(_: Obj, args: *mut Obj, _: ffi::Py_ssize_t) -> Obj {
    // SAFETY: called with two arguments by rewritten code.
    let (method, value) = unsafe { (*args, *args.add(1)) };
    if !values::is_native(value) {
        // SAFETY: a new reference to the argument.
        return unsafe { ffi::Py_NewRef(value) };
    }
    object(|| values::surrender(value, operation(reason_of(method))))
}

fn reason_of(method: Obj) -> &'static str {
    let name = Python::attach(|py| {
        // SAFETY: a live object.
        let method = unsafe { Bound::from_borrowed_ptr(py, method) };
        method.extract::<String>().unwrap_or_default()
    });
    match name.as_str() {
        "__bool__" => "result of __bool__()",
        "__len__" => "result of __len__()",
        "__length_hint__" => "result of __length_hint__()",
        "__hash__" => "result of __hash__()",
        "__index__" => "result of __index__()",
        _ => "result of __int__()",
    }
}

/// The ways each probed test went: bit 0 for true, bit 1 for false.
static PROBES: GilCell<Vec<u8>> = GilCell::new(Vec::new());

/// `__pef_probe__(number, test)`: the truth of the test, noted for coverage.
unsafe extern "C" fn probe(_: Obj, args: *mut Obj, _: ffi::Py_ssize_t) -> Obj {
    // SAFETY: called with two arguments by rewritten code.
    let (number, test) = unsafe { (*args, *args.add(1)) };
    object(|| {
        // SAFETY: a live object.
        let truth = unsafe { ffi::PyObject_IsTrue(test) };
        if truth < 0 {
            return Err(Raised);
        }
        let number = small_value(number).unwrap_or(0) as usize;
        PROBES.with(|probes| {
            if probes.len() <= number {
                probes.resize(number + 1, 0);
            }
            probes[number] |= if truth == 1 { 1 } else { 2 };
        });
        // SAFETY: a new reference to a singleton.
        Ok(unsafe {
            ffi::Py_NewRef(if truth == 1 {
                ffi::Py_True()
            } else {
                ffi::Py_False()
            })
        })
    })
}

/// What the probes have noted since the last call with `forget`.
#[pyfunction]
fn probed(py: Python<'_>, forget: bool) -> Bound<'_, pyo3::types::PyBytes> {
    let notes = PROBES.with(|probes| {
        if forget {
            std::mem::take(probes)
        } else {
            probes.clone()
        }
    });
    pyo3::types::PyBytes::new(py, &notes)
}

/// The concrete value of anything, for reports.
#[pyfunction]
fn concrete<'py>(value: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
    let py = value.py();
    // SAFETY: the result is a new reference.
    unsafe {
        match values::concrete(value.as_ptr()) {
            Ok(plain) => Ok(Bound::from_owned_ptr(py, plain)),
            Err(Raised) => Err(PyErr::fetch(py)),
        }
    }
}

fn fast(name: &'static CStr, function: ffi::PyCFunctionFast) -> ffi::PyMethodDef {
    ffi::PyMethodDef {
        ml_name: name.as_ptr(),
        ml_meth: ffi::PyMethodDefPointer {
            PyCFunctionFast: function,
        },
        ml_flags: ffi::METH_FASTCALL,
        ml_doc: std::ptr::null(),
    }
}

fn single(name: &'static CStr, function: ffi::PyCFunction) -> ffi::PyMethodDef {
    ffi::PyMethodDef {
        ml_name: name.as_ptr(),
        ml_meth: ffi::PyMethodDefPointer {
            PyCFunction: function,
        },
        ml_flags: ffi::METH_O,
        ml_doc: std::ptr::null(),
    }
}

/// Adds the helpers to the module.
pub fn install(module: &Bound<'_, PyModule>) -> PyResult<()> {
    let table = vec![
        single(c"__pef_sel__", models::sel),
        single(c"__pef_not__", not),
        single(c"__pef_at__", at),
        fast(c"__pef_getitem__", getitem),
        fast(c"__pef_getslice__", getslice),
        fast(c"__pef_in__", contains),
        fast(c"__pef_not_in__", not_contains),
        fast(c"__pef_is__", is_same),
        fast(c"__pef_is_not__", is_not_same),
        fast(c"__pef_mod__", modulo),
        fast(c"__pef_plain__", plain),
        fast(c"__pef_probe__", probe),
        ffi::PyMethodDef::zeroed(),
    ];
    let table = Box::leak(table.into_boxed_slice()).as_mut_ptr();
    // SAFETY: the table is terminated and leaked.
    let status: c_int = unsafe { ffi::PyModule_AddFunctions(module.as_ptr(), table) };
    if status < 0 {
        return Err(PyErr::fetch(module.py()));
    }
    module.add_function(wrap_pyfunction!(concrete, module)?)?;
    module.add_function(wrap_pyfunction!(probed, module)?)?;
    Ok(())
}
