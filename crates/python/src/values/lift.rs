//! From Python objects to values of the term language and back.

use pef_logic::{Float, Integer, Sort, Text, TextKind, Value};
use pyo3::ffi;
use pyo3::prelude::*;

use super::{is_constant, native_sort, symbolic, types};
use crate::boundary::{Made, Obj, Raised, made};
use crate::layout::{self, Tag};
use crate::recorder;
use pef_logic::TermId;

/// The concrete value of an int, bool, str, bytes or float, ours or not.
pub fn value(object: Obj) -> Option<Value> {
    // SAFETY: a live object, of the type just checked.
    unsafe {
        if object == ffi::Py_True() || object == ffi::Py_False() {
            return Some(Value::Bool(object == ffi::Py_True()));
        }
        if native_sort(ffi::Py_TYPE(object)) == Some(Sort::Bool) {
            return Some(Value::Bool(super::is_nonzero(object)));
        }
        if ffi::PyLong_Check(object) != 0 {
            return integer(object).map(Value::Int);
        }
        if ffi::PyUnicode_Check(object) != 0 {
            return str_units(object).map(|units| Value::Text(Text::new(TextKind::Str, units)));
        }
        if ffi::PyBytes_Check(object) != 0 {
            let (data, size) = (ffi::PyBytes_AsString(object), ffi::Py_SIZE(object));
            let bytes = std::slice::from_raw_parts(data.cast::<u8>(), size as usize);
            return Some(Value::Text(Text::bytes(bytes)));
        }
        if ffi::PyFloat_Check(object) != 0 {
            return Some(Value::Float(Float::new(ffi::PyFloat_AS_DOUBLE(object))));
        }
    }
    None
}

/// The term of an int, bool, str, bytes or float: its own if it is symbolic, else a constant.
pub fn term(object: Obj) -> Option<TermId> {
    if let Some((_, term)) = symbolic(object) {
        return Some(term);
    }
    let value = value(object)?;
    recorder::build(|pool| pool.constant(&value))
}

fn integer(object: Obj) -> Option<Integer> {
    let mut overflow = 0;
    // SAFETY: `object` is a live int.
    let small = unsafe { ffi::PyLong_AsLongLongAndOverflow(object, &raw mut overflow) };
    if overflow == 0 {
        return Some(Integer::Small(small));
    }
    Python::attach(|py| {
        // SAFETY: as above; borrowed for the extraction.
        let object = unsafe { Bound::from_borrowed_ptr(py, object) };
        let big = object.extract::<num_bigint::BigInt>().ok()?;
        Some(Integer::from(big))
    })
}

/// The number of characters of a str.
///
/// # Safety
/// `object` is a live str.
pub unsafe fn str_length(object: Obj) -> usize {
    // SAFETY: a live str, ready to be read.
    unsafe { ffi::PyUnicode_GetLength(object) as usize }
}

fn str_units(object: Obj) -> Option<Vec<u32>> {
    // SAFETY: `object` is a live str; the buffer has room for all its characters.
    unsafe {
        let length = str_length(object);
        let mut units = vec![0_u32; length];
        if length == 0 {
            return Some(units);
        }
        let filled = ffi::PyUnicode_AsUCS4(object, units.as_mut_ptr(), length as isize, 0);
        if filled.is_null() {
            ffi::PyErr_Clear();
            return None;
        }
        Some(units)
    }
}

/// A new plain object with this value.
pub fn plain(value: &Value) -> Made {
    // SAFETY: makes new objects; the buffers are only read.
    unsafe {
        match value {
            Value::Bool(value) => Ok(ffi::Py_NewRef(if *value {
                ffi::Py_True()
            } else {
                ffi::Py_False()
            })),
            Value::Int(value) => match value.to_i64() {
                Some(small) => made(ffi::PyLong_FromLongLong(small)),
                None => Python::attach(|py| {
                    let big = value.to_bigint().into_pyobject(py);
                    big.map(|big| big.into_any().into_ptr())
                        .map_err(crate::boundary::raise)
                }),
            },
            Value::Text(text) => plain_text(text),
            Value::Float(value) => made(ffi::PyFloat_FromDouble(value.get())),
        }
    }
}

fn plain_text(text: &Text) -> Made {
    let units = text.units();
    // SAFETY: makes new objects; the buffers are only read.
    unsafe {
        match text.kind() {
            TextKind::Str => {
                let kind = 4;
                let length = units.len() as ffi::Py_ssize_t;
                made(PyUnicode_FromKindAndData(
                    kind,
                    units.as_ptr().cast(),
                    length,
                ))
            }
            TextKind::Bytes => {
                let bytes: Vec<u8> = units.iter().map(|&unit| unit as u8).collect();
                let length = bytes.len() as ffi::Py_ssize_t;
                made(ffi::PyBytes_FromStringAndSize(
                    bytes.as_ptr().cast(),
                    length,
                ))
            }
        }
    }
}

unsafe extern "C" {
    /// A str from an array of characters of 1, 2 or 4 bytes; part of the C API.
    fn PyUnicode_FromKindAndData(
        kind: std::ffi::c_int,
        buffer: *const std::ffi::c_void,
        size: ffi::Py_ssize_t,
    ) -> Obj;
}

/// A value with its term: symbolic, or plain if the term is a constant.
pub fn object(value: &Value, term: TermId) -> Made {
    match value {
        Value::Bool(value) => super::bool_result(*value, term),
        Value::Int(_) => super::int_result(plain(value)?, term),
        Value::Text(text) => {
            let concrete = plain(value)?;
            tagged_text(text.kind(), concrete, term)
        }
        Value::Float(value) => float(value.get(), term),
    }
}

/// A symbolic str or bytes with the value of `concrete` (a new reference to an exact object,
/// taken over); `concrete` itself if the term is a constant.
pub(super) fn tagged_text(kind: TextKind, concrete: Obj, term: TermId) -> Made {
    let Some(epoch) = recorder::recording_epoch().filter(|_| !is_constant(term)) else {
        return Ok(concrete);
    };
    let tag = Tag { term, epoch };
    // SAFETY: `concrete` is an owned exact object of the kind.
    unsafe {
        let object = match kind {
            TextKind::Str => layout::new_str(types().str, concrete, tag),
            TextKind::Bytes => layout::new_bytes(types().bytes, concrete, tag),
        };
        ffi::Py_DECREF(concrete);
        object
    }
}

/// A symbolic float, or a plain one if the term is a constant.
pub fn float(value: f64, term: TermId) -> Made {
    match recorder::recording_epoch().filter(|_| !is_constant(term)) {
        // SAFETY: the type is ours.
        Some(epoch) => unsafe { layout::new_float(types().float, value, Tag { term, epoch }) },
        // SAFETY: makes a new float.
        None => made(unsafe { ffi::PyFloat_FromDouble(value) }),
    }
}

/// The exception of an operation on something that has no value in the term language.
pub fn unfit(what: &str) -> Raised {
    crate::boundary::raise(pyo3::exceptions::PyTypeError::new_err(format!(
        "{what} is not an operand of the term language"
    )))
}
