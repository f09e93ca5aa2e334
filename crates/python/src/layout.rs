//! The memory layout of `int`, and where a symbolic one keeps its term.
//!
//! A symbolic int is an `int` for all C code: header, digits, and *past the digits*,
//! where CPython never looks, a [`Tag`]. This file is the only one that knows offsets;
//! [`check`] compares them with the running interpreter before anything is created.

#![expect(
    clippy::cast_ptr_alignment,
    reason = "objects are aligned to 16 bytes and all offsets used here to 8"
)]

use pef_logic::TermId;
use pyo3::exceptions::PyImportError;
use pyo3::ffi;
use pyo3::prelude::*;
use std::ptr::copy_nonoverlapping;

use crate::boundary::{Made, Obj, Raised};

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

/// The tag of a symbolic int or bool.
///
/// # Safety
/// `object` is a live instance of a type whose instances come from [`new_tagged`].
#[inline]
pub unsafe fn tag(object: Obj) -> Tag {
    // SAFETY: `new_tagged` wrote a tag at this offset.
    unsafe {
        object
            .cast::<u8>()
            .add(tag_offset(digit_count(object)))
            .cast::<Tag>()
            .read()
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

/// Refuses to work on an interpreter whose `int` is laid out differently.
pub fn check(py: Python<'_>) -> PyResult<()> {
    // SAFETY: reads fields of a static type object.
    let (basic, item) = unsafe {
        let class = &raw const ffi::PyLong_Type;
        ((*class).tp_basicsize, (*class).tp_itemsize)
    };
    let mut fits = basic as usize == DIGITS && item as usize == DIGIT_BYTES;
    for exponent in [0_u32, 1, 29, 30, 59, 60, 64, 200] {
        for sign in [1_i32, -1] {
            let value = num_bigint::BigInt::from(sign) << exponent;
            let object = value.into_pyobject(py)?;
            // SAFETY: a live int.
            let digits = unsafe { digit_count(object.as_ptr()) };
            fits &= digits == (exponent / DIGIT_BITS + 1) as usize;
        }
    }
    if fits {
        return Ok(());
    }
    Err(PyImportError::new_err(
        "pef does not know the memory layout of int in this Python; \
         it supports CPython 3.10 to 3.13 on 64-bit machines",
    ))
}
