//! The memory layout of the built-in types, and where a symbolic value keeps its term.
//!
//! A symbolic int is an `int` for all C code: header, digits, and *past the digits*,
//! where CPython never looks, a [`Tag`]. The same for `bytes`; `str` and `float` are of fixed size
//! and have the tag behind them. This file is the only one that knows offsets;
//! [`check`] compares them with the running interpreter before anything is created.

#![expect(
    clippy::cast_ptr_alignment,
    reason = "objects are aligned to 16 bytes and all offsets used here to 8"
)]

use pef_logic::{Sort, TermId};
use pyo3::exceptions::PyImportError;
use pyo3::ffi;
use pyo3::prelude::*;
use pyo3::types::{PyFloat, PyInt};
use std::ffi::CStr;
use std::ptr::copy_nonoverlapping;

use crate::boundary::{Made, Obj, Raised, made};

/// What a symbolic value carries besides its concrete one.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct Tag {
    /// Its term.
    pub term: TermId,
    /// The exploration the term belongs to; a value that outlives it is concrete.
    pub epoch: u32,
}

const SIZE_WORD: usize = 16;
const DIGITS: usize = 24;
const DIGIT_BYTES: usize = 4;
const DIGIT_BITS: u32 = 30;
/// The cached hash of a `bytes`, and its data right behind it.
const BYTES_HASH: usize = 24;
const BYTES_DATA: usize = 32;

/// `PyWrapperDescrObject`: `float.__add__` and the like.
#[repr(C)]
pub struct SlotWrapper {
    head: ffi::PyObject,
    pub class: *mut ffi::PyTypeObject,
    name: Obj,
    qualified_name: Obj,
    base: *mut std::ffi::c_void,
    pub wrapped: usize,
}

/// `PyMethodDescrObject` up to the definition; a function pointer follows.
#[repr(C)]
pub struct MethodDescriptor {
    head: ffi::PyObject,
    class: *mut ffi::PyTypeObject,
    name: Obj,
    qualified_name: Obj,
    pub method: *mut ffi::PyMethodDef,
}

/// The number of digits of an int object.
///
/// # Safety
/// `object` is a live `int` (or subclass instance).
#[inline]
unsafe fn digit_count(object: Obj) -> usize {
    // SAFETY: the word at 16 is `ob_size` (before 3.12) or `lv_tag` (since).
    let word = unsafe { *object.cast::<u8>().add(SIZE_WORD).cast::<isize>() };
    if cfg!(Py_3_12) {
        (word as usize) >> 3
    } else {
        word.unsigned_abs()
    }
}

#[inline]
fn tag_offset(digits: usize) -> usize {
    (DIGITS + DIGIT_BYTES * digits.max(1)).next_multiple_of(8)
}

/// The tag of a symbolic value of this sort.
///
/// # Safety
/// `object` is a live instance of the native type of the sort.
#[inline]
pub unsafe fn tag(object: Obj, sort: Sort) -> Tag {
    // SAFETY: the constructors below wrote a tag at this offset.
    unsafe {
        let offset = match sort {
            Sort::Bool | Sort::Int => tag_offset(digit_count(object)),
            Sort::Str => str_size(),
            Sort::Bytes => bytes_tag_offset(ffi::Py_SIZE(object) as usize),
            Sort::Float => size_of::<ffi::PyFloatObject>(),
        };
        object.cast::<u8>().add(offset).cast::<Tag>().read()
    }
}

/// The size of a `str` whose characters are stored apart, as those of subclasses are.
pub fn str_size() -> usize {
    // SAFETY: reads a field of a static type object.
    let size = unsafe { ffi::PyUnicode_Type.tp_basicsize };
    (size as usize).next_multiple_of(8)
}

/// Where the tag of a symbolic `bytes` is: past the data and its final zero.
fn bytes_tag_offset(length: usize) -> usize {
    (BYTES_DATA + length + 1).next_multiple_of(8)
}

/// A new instance of `class` with the value of the exact str `concrete` and a tag.
///
/// # Safety
/// `concrete` is a live exact str; `class` is a heap subtype of `str` whose basic size has room
/// for the tag past [`str_size`].
pub unsafe fn new_str(class: *mut ffi::PyTypeObject, concrete: Obj, tag: Tag) -> Made {
    // SAFETY: `str.__new__` makes instances of subclasses; the tag lies within the object.
    unsafe {
        let Some(make) = ffi::PyUnicode_Type.tp_new else {
            return Err(Raised);
        };
        let arguments = made(ffi::PyTuple_Pack(1, concrete))?;
        let object = make(class, arguments, std::ptr::null_mut());
        ffi::Py_DECREF(arguments);
        let object = made(object)?;
        object.cast::<u8>().add(str_size()).cast::<Tag>().write(tag);
        Ok(object)
    }
}

/// A new instance of `class` with the value of the exact bytes `concrete` and a tag.
///
/// # Safety
/// `concrete` is a live exact bytes; `class` is a heap subtype of `bytes` without instance
/// dict, weak references or GC.
pub unsafe fn new_bytes(class: *mut ffi::PyTypeObject, concrete: Obj, tag: Tag) -> Made {
    // SAFETY: the block is large enough for header, data and tag; the size and the data, with
    // its cached hash, are copied from a valid object.
    unsafe {
        let length = ffi::Py_SIZE(concrete) as usize;
        let offset = bytes_tag_offset(length);
        let object = ffi::PyObject_Malloc(offset + size_of::<Tag>()).cast::<ffi::PyObject>();
        if object.is_null() {
            ffi::PyErr_NoMemory();
            return Err(Raised);
        }
        ffi::PyObject_InitVar(object.cast(), class, length as ffi::Py_ssize_t);
        let copied = BYTES_HASH..BYTES_DATA + length + 1;
        let from = concrete.cast::<u8>().add(copied.start);
        copy_nonoverlapping(from, object.cast::<u8>().add(copied.start), copied.len());
        object.cast::<u8>().add(offset).cast::<Tag>().write(tag);
        Ok(object)
    }
}

/// A new instance of `class` with this value and a tag.
///
/// # Safety
/// `class` is a heap subtype of `float` without instance dict, weak references or GC.
pub unsafe fn new_float(class: *mut ffi::PyTypeObject, value: f64, tag: Tag) -> Made {
    // SAFETY: the block is large enough for the float and the tag behind it.
    unsafe {
        let size = size_of::<ffi::PyFloatObject>();
        let object = ffi::PyObject_Malloc(size + size_of::<Tag>()).cast::<ffi::PyFloatObject>();
        if object.is_null() {
            ffi::PyErr_NoMemory();
            return Err(Raised);
        }
        ffi::PyObject_Init(object.cast(), class);
        (*object).ob_fval = value;
        object.cast::<u8>().add(size).cast::<Tag>().write(tag);
        Ok(object.cast())
    }
}

/// A new instance of `class` with the value of the exact int `concrete` and a tag.
///
/// # Safety
/// `concrete` is a live exact int or bool; `class` is a heap subtype of `int` without
/// instance dict, weak references or GC.
pub unsafe fn new_tagged(class: *mut ffi::PyTypeObject, concrete: Obj, tag: Tag) -> Made {
    // SAFETY: the block is large enough for header, digits and tag; the header is
    // initialised by `PyObject_InitVar`, the size word and digits are copied from a
    // valid int.
    unsafe {
        let digits = digit_count(concrete);
        let offset = tag_offset(digits);
        let object = ffi::PyObject_Malloc(offset + size_of::<Tag>()).cast::<ffi::PyObject>();
        if object.is_null() {
            ffi::PyErr_NoMemory();
            return Err(Raised);
        }
        ffi::PyObject_InitVar(object.cast(), class, 0);
        let copied = DIGITS - SIZE_WORD + DIGIT_BYTES * digits.max(1);
        let from = concrete.cast::<u8>().add(SIZE_WORD);
        copy_nonoverlapping(from, object.cast::<u8>().add(SIZE_WORD), copied);
        object.cast::<u8>().add(offset).cast::<Tag>().write(tag);
        Ok(object)
    }
}

/// Refuses to work on an interpreter that lays out one of these types differently.
pub fn check(py: Python<'_>) -> PyResult<()> {
    let known = [
        ("int", int_fits(py)?),
        ("bytes", bytes_fit()),
        ("float", floats_fit()),
        ("slot wrappers", wrappers_fit(py)?),
        ("method descriptors", methods_fit(py)?),
    ];
    let unknown: Vec<_> = known.iter().filter(|(_, fits)| !fits).collect();
    if unknown.is_empty() {
        return Ok(());
    }
    let names: Vec<_> = unknown.iter().map(|(name, _)| *name).collect();
    Err(PyImportError::new_err(format!(
        "pef does not know the memory layout of {} in this Python ({}); \
         it supports CPython 3.10 to 3.13 on 64-bit machines, with the GIL",
        names.join(", "),
        Python::version_str(),
    )))
}

/// The size of an instance without items, and of an item.
fn sizes(class: *const ffi::PyTypeObject) -> (usize, usize) {
    // SAFETY: reads fields of a static type object.
    unsafe {
        (
            (*class).tp_basicsize as usize,
            (*class).tp_itemsize as usize,
        )
    }
}

fn int_fits(py: Python<'_>) -> PyResult<bool> {
    if sizes(&raw const ffi::PyLong_Type) != (DIGITS, DIGIT_BYTES) {
        return Ok(false);
    }
    for exponent in [0_u32, 1, 29, 30, 59, 60, 64, 200] {
        for sign in [1_i32, -1] {
            let value = num_bigint::BigInt::from(sign) << exponent;
            let object = value.into_pyobject(py)?;
            // SAFETY: a live int.
            let digits = unsafe { digit_count(object.as_ptr()) };
            if digits != (exponent / DIGIT_BITS + 1) as usize {
                return Ok(false);
            }
        }
    }
    Ok(true)
}

fn bytes_fit() -> bool {
    sizes(&raw const ffi::PyBytes_Type) == (BYTES_DATA + 1, 1)
}

fn floats_fit() -> bool {
    sizes(&raw const ffi::PyFloat_Type) == (size_of::<ffi::PyFloatObject>(), 0)
}

/// Whether the wrapper of `float.__add__` names the function in the slot it stands for.
fn wrappers_fit(py: Python<'_>) -> PyResult<bool> {
    if sizes(&raw const ffi::PyWrapperDescr_Type).0 != size_of::<SlotWrapper>() {
        return Ok(false);
    }
    let wrapper = py.get_type::<PyFloat>().getattr("__add__")?;
    let wrapper = wrapper.as_ptr().cast::<SlotWrapper>();
    // SAFETY: an object of that size and type; `float` has a table of numeric slots.
    Ok(unsafe {
        let slot = (*ffi::PyFloat_Type.tp_as_number).nb_add;
        (*wrapper).class == &raw mut ffi::PyFloat_Type
            && slot.is_some_and(|slot| slot as usize == (*wrapper).wrapped)
    })
}

/// Whether the descriptor of `int.bit_length` has the definition of that method.
fn methods_fit(py: Python<'_>) -> PyResult<bool> {
    let vectorcall = size_of::<ffi::vectorcallfunc>();
    if sizes(&raw const ffi::PyMethodDescr_Type).0 != size_of::<MethodDescriptor>() + vectorcall {
        return Ok(false);
    }
    let descriptor = py.get_type::<PyInt>().getattr("bit_length")?;
    let descriptor = descriptor.as_ptr().cast::<MethodDescriptor>();
    // SAFETY: an object of that size and type; if the class is where it should be, the definition is.
    Ok(unsafe {
        (*descriptor).class == &raw mut ffi::PyLong_Type
            && CStr::from_ptr((*(*descriptor).method).ml_name) == c"bit_length"
    })
}
