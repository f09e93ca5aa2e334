//! `SymFloat`: a `float` that remembers how it was computed.
//!
//! Operators and comparisons are native, here; methods with an answer of their own (`is_integer`,
//! `__round__`, `int(f)`...) are written in Python (`pef.models.floats`) over the operations of
//! [`super::apply`]. What has no theory, text above all, pins.

pub(super) mod arithmetic;
pub(super) mod compare;
pub(super) mod inherited;

use pef_logic::{Sort, TermId};
use pyo3::ffi;
use pyo3::prelude::*;
use std::ffi::{CStr, c_int, c_void};

use super::spec::Slots;
use super::{concrete, operation, pin, surrender, symbolic, types};
use crate::boundary::{Made, Obj, Raised, made, number, object};
use crate::layout::Tag;
use crate::recorder::{self, build};

/// True for a native symbolic float, even a stale one.
#[inline]
pub fn is_float(object: Obj) -> bool {
    // SAFETY: `object` is a live object.
    unsafe { ffi::Py_TYPE(object) == types().float }
}

/// True for a native symbolic number of any kind, even a stale one.
#[inline]
pub fn is_real(object: Obj) -> bool {
    super::is_number(object) || is_float(object)
}

/// The term of one of our floats.
fn float_term(object: Obj) -> Option<TermId> {
    match symbolic(object)? {
        (Sort::Float, term) => Some(term),
        (Sort::Bool | Sort::Int | Sort::Str | Sort::Bytes, _) => None,
    }
}

unsafe extern "C" fn truth(a: Obj) -> c_int {
    number(|| {
        let value = super::concrete_truth(a);
        if let Some((sort, term)) = symbolic(a)
            && let Some(condition) = build(|pool| super::truth_term(pool, sort, term))
        {
            recorder::decide_truth(condition, value)?;
        }
        Ok(c_int::from(value))
    })
}

unsafe extern "C" fn hash(a: Obj) -> ffi::Py_hash_t {
    number(|| {
        pin(a, operation("hash()"))?;
        // SAFETY: `float`'s own hash of a live float.
        unsafe {
            match ffi::PyFloat_Type.tp_hash {
                Some(slot) => Ok(slot(a)),
                None => Err(Raised),
            }
        }
    })
}

/// What C code gets when it asks for an int: a plain one.
unsafe extern "C" fn plain_int(a: Obj) -> Obj {
    object(|| {
        pin(a, operation("int() called by C code"))?;
        // SAFETY: `float` has this slot; a live float.
        unsafe {
            match (*inherited::slots()).nb_int {
                Some(slot) => made(slot(a)),
                None => Err(Raised),
            }
        }
    })
}

/// What C code gets when it asks for a float: a plain one.
unsafe extern "C" fn plain_float(a: Obj) -> Obj {
    object(|| {
        pin(a, operation("float() called by C code"))?;
        concrete(a)
    })
}

/// `int(f)`, whose exceptions are decisions.
pub fn to_int(float: Obj) -> Made {
    call_model(c"to_int", &[float])
}

/// `repr(f)` and `str(f)`: the shortest digits that read back have no theory.
unsafe extern "C" fn repr(a: Obj) -> Obj {
    object(|| {
        let plain = surrender(a, operation("str()"))?;
        // SAFETY: `plain` is owned.
        unsafe {
            let result = ffi::PyObject_Repr(plain);
            ffi::Py_DECREF(plain);
            made(result)
        }
    })
}

unsafe extern "C" fn format(a: Obj, spec: Obj) -> Obj {
    object(|| {
        let plain = surrender(a, operation("format()"))?;
        // SAFETY: both are live; `plain` is owned.
        unsafe {
            let result = ffi::PyObject_Format(plain, spec);
            ffi::Py_DECREF(plain);
            made(result)
        }
    })
}

unsafe extern "C" fn int_method(a: Obj, _: Obj) -> Obj {
    object(|| to_int(a))
}

/// Calls a function of `pef.models.floats`.
fn call_model(name: &'static CStr, arguments: &[Obj]) -> Made {
    // SAFETY: live objects; every reference made here is released here.
    unsafe {
        let room = made(ffi::PyImport_ImportModule(c"pef.models.floats".as_ptr()))?;
        let function = ffi::PyObject_GetAttrString(room, name.as_ptr());
        ffi::Py_DECREF(room);
        let function = made(function)?;
        let result = ffi::PyObject_Vectorcall(
            function,
            arguments.as_ptr(),
            arguments.len(),
            std::ptr::null_mut(),
        );
        ffi::Py_DECREF(function);
        made(result)
    }
}

unsafe extern "C" fn itself(a: Obj, _: *mut c_void) -> Obj {
    // SAFETY: a new reference to the receiver.
    unsafe { ffi::Py_NewRef(a) }
}

unsafe extern "C" fn zero(_: Obj, _: *mut c_void) -> Obj {
    // SAFETY: makes a new float.
    unsafe { ffi::PyFloat_FromDouble(0.0) }
}

/// Makes the type.
pub(super) fn make_type(py: Python<'_>) -> PyResult<*mut ffi::PyTypeObject> {
    let mut slots = Slots::new();
    slots
        .add(ffi::Py_tp_dealloc, super::int::dealloc as *mut c_void)
        .add(
            ffi::Py_tp_methods,
            super::methods::float_method_table(int_method, format),
        )
        .add(
            ffi::Py_tp_getset,
            super::methods::float_getter_table(itself, zero),
        )
        .add(ffi::Py_tp_repr, repr as *mut c_void)
        .add(ffi::Py_tp_hash, hash as *mut c_void)
        .add(ffi::Py_tp_richcompare, compare::rich_compare as *mut c_void)
        .add(ffi::Py_nb_bool, truth as *mut c_void)
        .add(ffi::Py_nb_int, plain_int as *mut c_void)
        .add(ffi::Py_nb_float, plain_float as *mut c_void);
    arithmetic::add_slots(&mut slots);
    let size = size_of::<ffi::PyFloatObject>() + size_of::<Tag>();
    slots.subtype(
        py,
        &raw mut ffi::PyFloat_Type,
        size,
        c"pef._native.SymFloat",
        "float",
    )
}
