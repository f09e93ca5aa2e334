//! Special methods written in Python whose results C code reads: `__bool__`, `__len__`,
//! `__hash__`, `__index__`, `__int__`.
//!
//! CPython calls them through a slot and then copies the digits of what they return, or
//! refuses a bool that is ours. So in classes written in Python these slots call ours,
//! which settle the result first: a bool is a decision, a number is pinned.

use pyo3::ffi;
use pyo3::prelude::*;
use std::ffi::{CStr, c_int};

use super::dispatch::sample;
use super::{operation, surrender, types};
use crate::boundary::{Made, Obj, Raised, made, number, object, raise};

unsafe extern "C" {
    /// The attribute of a type, borrowed; null without an exception if there is none.
    fn _PyType_Lookup(class: *mut ffi::PyTypeObject, name: Obj) -> Obj;
}

/// Calls a special method as CPython does: found in the class, bound to the object.
fn call(receiver: Obj, name: &'static CStr) -> Made {
    // SAFETY: a live object; the method is borrowed from its class and held for the call.
    unsafe {
        let class = ffi::Py_TYPE(receiver);
        let name = made(ffi::PyUnicode_InternFromString(name.as_ptr()))?;
        let method = _PyType_Lookup(class, name);
        ffi::Py_DECREF(name);
        if method.is_null() {
            ffi::PyErr_BadInternalCall();
            return Err(Raised);
        }
        let bound = match (*ffi::Py_TYPE(method)).tp_descr_get {
            Some(bind) => made(bind(method, receiver, class.cast()))?,
            None => ffi::Py_NewRef(method),
        };
        let result = ffi::PyObject_CallNoArgs(bound);
        ffi::Py_DECREF(bound);
        made(result)
    }
}

/// The plain result of a special method, owned.
fn settled(receiver: Obj, name: &'static CStr, reason: &'static str) -> Made {
    let result = call(receiver, name)?;
    let plain = surrender(result, operation(reason));
    // SAFETY: an owned reference.
    unsafe { ffi::Py_DECREF(result) };
    plain
}

fn type_error(text: String) -> Raised {
    raise(pyo3::exceptions::PyTypeError::new_err(text))
}

fn type_name(object: Obj) -> String {
    // SAFETY: a live object; the name is a C string of its type.
    unsafe {
        CStr::from_ptr((*ffi::Py_TYPE(object)).tp_name)
            .to_string_lossy()
            .into_owned()
    }
}

unsafe extern "C" fn truth(receiver: Obj) -> c_int {
    number(|| {
        let result = settled(receiver, c"__bool__", "result of __bool__()")?;
        // SAFETY: an owned reference, compared with the singletons.
        unsafe {
            let answer = match result {
                yes if yes == ffi::Py_True() => Ok(1),
                no if no == ffi::Py_False() => Ok(0),
                _ => {
                    let kind = type_name(result);
                    Err(type_error(format!(
                        "__bool__ should return bool, returned {kind}"
                    )))
                }
            };
            ffi::Py_DECREF(result);
            answer
        }
    })
}

unsafe extern "C" fn length(receiver: Obj) -> ffi::Py_ssize_t {
    number(|| {
        let result = settled(receiver, c"__len__", "result of __len__()")?;
        // SAFETY: owned references.
        unsafe {
            let index = ffi::PyNumber_Index(result);
            ffi::Py_DECREF(result);
            let index = made(index)?;
            let negative = super::arithmetic::is_negative(index);
            let length = ffi::PyNumber_AsSsize_t(index, ffi::PyExc_OverflowError);
            ffi::Py_DECREF(index);
            if negative {
                ffi::PyErr_Clear();
                let text = "__len__() should return >= 0";
                return Err(raise(pyo3::exceptions::PyValueError::new_err(text)));
            }
            if length == -1 {
                Err(Raised)
            } else {
                Ok(length)
            }
        }
    })
}

unsafe extern "C" fn hash(receiver: Obj) -> ffi::Py_hash_t {
    number(|| {
        let result = settled(receiver, c"__hash__", "result of __hash__()")?;
        // SAFETY: an owned reference; `int`'s own hash of an int.
        unsafe {
            if ffi::PyLong_Check(result) == 0 {
                ffi::Py_DECREF(result);
                return Err(type_error(
                    "__hash__ method should return an integer".to_owned(),
                ));
            }
            // A result that fits is the hash itself, as CPython has it.
            let mut hash = ffi::PyLong_AsSsize_t(result);
            if hash == -1 && !ffi::PyErr_Occurred().is_null() {
                ffi::PyErr_Clear();
                let ints = &raw const ffi::PyLong_Type;
                let own = (*ints).tp_hash;
                hash = own.map_or(-2, |own| own(result));
            }
            ffi::Py_DECREF(result);
            Ok(if hash == -1 { -2 } else { hash })
        }
    })
}

unsafe extern "C" fn index(receiver: Obj) -> Obj {
    object(|| settled(receiver, c"__index__", "result of __index__()"))
}

unsafe extern "C" fn int(receiver: Obj) -> Obj {
    object(|| settled(receiver, c"__int__", "result of __int__()"))
}

/// Puts our functions where a class has CPython's callers of Python methods.
///
/// # Safety
/// `class` is a live type; the GIL is held.
unsafe fn take_over(class: *mut ffi::PyTypeObject) {
    let sample = sample();
    // SAFETY: tables of live types, which classes in Python have; changed with the GIL.
    unsafe {
        if (*class).tp_flags & ffi::Py_TPFLAGS_HEAPTYPE == 0
            || class == types().int
            || class == types().bool
        {
            return;
        }
        let address = |slot: Option<ffi::hashfunc>| slot.map(|slot| slot as usize);
        if address((*class).tp_hash) == address((*sample).tp_hash) {
            (*class).tp_hash = Some(hash);
        }
        if let (Some(numbers), Some(known)) = (
            (*class).tp_as_number.as_mut(),
            (*sample).tp_as_number.as_ref(),
        ) {
            let unary = |slot: Option<ffi::unaryfunc>| slot.map(|slot| slot as usize);
            let inquiry = |slot: Option<ffi::inquiry>| slot.map(|slot| slot as usize);
            if inquiry(numbers.nb_bool) == inquiry(known.nb_bool) {
                numbers.nb_bool = Some(truth);
            }
            if unary(numbers.nb_index) == unary(known.nb_index) {
                numbers.nb_index = Some(index);
            }
            if unary(numbers.nb_int) == unary(known.nb_int) {
                numbers.nb_int = Some(int);
            }
        }
        take_over_length(class, sample);
    }
}

unsafe fn take_over_length(class: *mut ffi::PyTypeObject, sample: *mut ffi::PyTypeObject) {
    // SAFETY: as for `take_over`.
    unsafe {
        let address = |slot: Option<ffi::lenfunc>| slot.map(|slot| slot as usize);
        if let (Some(table), Some(known)) = (
            (*class).tp_as_sequence.as_mut(),
            (*sample).tp_as_sequence.as_ref(),
        ) && address(table.sq_length) == address(known.sq_length)
        {
            table.sq_length = Some(length);
        }
        if let (Some(table), Some(known)) = (
            (*class).tp_as_mapping.as_mut(),
            (*sample).tp_as_mapping.as_ref(),
        ) && address(table.mp_length) == address(known.mp_length)
        {
            table.mp_length = Some(length);
        }
    }
}

/// Takes over the slots of a class in Python, if it is one.
pub fn watch(class: *mut ffi::PyTypeObject) {
    // SAFETY: a live type, with the GIL held.
    unsafe { take_over(class) }
}

/// `__build_class__`: classes are taken over as they are made.
#[pyfunction]
#[pyo3(signature = (*args, **named))]
fn build_class(
    py: Python<'_>,
    args: &Bound<'_, pyo3::types::PyTuple>,
    named: Option<&Bound<'_, pyo3::types::PyDict>>,
) -> PyResult<Py<PyAny>> {
    let original = py.import("pef._native")?.getattr("original_build_class")?;
    let class = original.call(args, named)?;
    if let Ok(class) = class.cast::<pyo3::types::PyType>() {
        // A stand-in of ours knows what it does; `list(it)` asks its length only as a hint.
        if !class.hasattr("__pef_stand_in__")? {
            watch(class.as_type_ptr());
        }
    }
    Ok(class.unbind())
}

/// Takes over all classes there are, and those to come.
pub(super) fn install(module: &Bound<'_, PyModule>) -> PyResult<()> {
    let py = module.py();
    let mut todo = vec![py.get_type::<PyAny>()];
    let subclasses = py
        .get_type::<pyo3::types::PyType>()
        .getattr("__subclasses__")?;
    while let Some(class) = todo.pop() {
        if class.as_type_ptr() != sample() {
            watch(class.as_type_ptr());
        }
        for subclass in subclasses.call1((class,))?.try_iter()? {
            todo.push(subclass?.cast_into()?);
        }
    }
    let builtins = py.import("builtins")?;
    module.add("original_build_class", builtins.getattr("__build_class__")?)?;
    builtins.setattr("__build_class__", wrap_pyfunction!(build_class, module)?)
}
