//! Who else has a say in an operation on one of our values.
//!
//! The other operand may be a number we have terms for, an object whose class is written
//! in Python (it gets our value whole), a C type that records by itself (`float`, whose
//! slots are wrapped) or one that would read our digits unnoticed. Which it is shows in
//! the function its type has in the slot.

use pyo3::ffi;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyType};

use super::{is_number, types};
use crate::boundary::{GilCell, Obj};

/// The other operand's part in an operation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Other {
    /// It has none, or is told of ours: by Python code, or by a slot that records.
    Aware,
    /// Its code would read our digits.
    Unaware,
}

/// The address of the function a table has for an operation.
pub(super) type SlotOf = fn(&ffi::PyNumberMethods) -> Option<usize>;

/// A class that defines every operator in Python: what is in its slots calls Python code.
static SAMPLE: GilCell<*mut ffi::PyTypeObject> = GilCell::new(std::ptr::null_mut());

const OPERATORS: [&str; 15] = [
    "__add__",
    "__sub__",
    "__mul__",
    "__floordiv__",
    "__mod__",
    "__divmod__",
    "__truediv__",
    "__pow__",
    "__lshift__",
    "__rshift__",
    "__and__",
    "__or__",
    "__xor__",
    "__eq__",
    "__lt__",
];

/// Makes the sample class.
pub(super) fn install(py: Python<'_>) -> PyResult<()> {
    let attributes = PyDict::new(py);
    for name in OPERATORS {
        attributes.set_item(name, py.None())?;
    }
    let class = py
        .get_type::<PyType>()
        .call1(("Operators", (), attributes))?;
    SAMPLE.with(|sample| *sample = class.into_ptr().cast());
    Ok(())
}

fn table(class: *mut ffi::PyTypeObject) -> Option<&'static ffi::PyNumberMethods> {
    // SAFETY: a live type; its table lives as long as the type.
    unsafe { (*class).tp_as_number.as_ref() }
}

pub(super) fn slot(class: *mut ffi::PyTypeObject, of: SlotOf) -> Option<usize> {
    table(class).and_then(of)
}

/// Whether an int of a subclass has an operator of its own.
pub(super) fn overrides(object: Obj, of: SlotOf) -> bool {
    // SAFETY: a live object.
    let class = unsafe { ffi::Py_TYPE(object) };
    if class == types().int || class == types().bool || class == &raw mut ffi::PyBool_Type {
        return false;
    }
    slot(class, of) != slot(&raw mut ffi::PyLong_Type, of)
}

/// The part of an operand that is no int. `repeats` says that the operation is `*`.
pub(super) fn part_of(object: Obj, of: SlotOf, repeats: bool) -> Other {
    // SAFETY: a live object and its type.
    let (class, sequence) = unsafe {
        let class = ffi::Py_TYPE(object);
        let table = (*class).tp_as_sequence;
        (class, !table.is_null() && (*table).sq_repeat.is_some())
    };
    if repeats && sequence && slot(class, of).is_none() {
        return Other::Unaware;
    }
    if super::watched::has_twin(class) {
        return Other::Aware;
    }
    part_of_type(class, of)
}

/// The part of operands of this type, which are no ints.
pub(super) fn part_of_type(class: *mut ffi::PyTypeObject, of: SlotOf) -> Other {
    let aware = [
        SAMPLE.with(|sample| *sample),
        &raw mut ffi::PyFloat_Type,
        types().float,
        &raw mut ffi::PyComplex_Type,
        &raw mut ffi::PyUnicode_Type,
        &raw mut ffi::PyBytes_Type,
        &raw mut ffi::PyByteArray_Type,
    ];
    match slot(class, of) {
        Some(function) if aware.iter().all(|&known| slot(known, of) != Some(function)) => {
            Other::Unaware
        }
        Some(_) | None => Other::Aware,
    }
}

/// The part of the right operand of a comparison that is neither int nor float.
pub(super) fn part_in_comparison(object: Obj) -> Other {
    // SAFETY: a live object.
    part_in_comparison_of(unsafe { ffi::Py_TYPE(object) })
}

/// As [`part_in_comparison`], of all objects of a type.
pub(super) fn part_in_comparison_of(class: *mut ffi::PyTypeObject) -> Other {
    // SAFETY: a live type; the name is a C string of the type.
    unsafe {
        let compare = |class: *mut ffi::PyTypeObject| (*class).tp_richcompare.map(|f| f as usize);
        let sample = SAMPLE.with(|sample| *sample);
        let aware = [
            compare(sample),
            compare(&raw mut ffi::PyBaseObject_Type),
            None,
        ];
        if aware.contains(&compare(class)) {
            return Other::Aware;
        }
        // Of the built-in types, whose names have no dot, only the numbers look at ints.
        let heap = (*class).tp_flags & ffi::Py_TPFLAGS_HEAPTYPE != 0;
        let name = std::ffi::CStr::from_ptr((*class).tp_name).to_bytes();
        let numbers = [&raw mut ffi::PyLong_Type, &raw mut ffi::PyComplex_Type];
        let number = numbers
            .iter()
            .any(|&base| ffi::PyType_IsSubtype(class, base) != 0);
        if heap || name.contains(&b'.') || number {
            return Other::Unaware;
        }
    }
    Other::Aware
}

/// Of two operands the one that is not ours.
pub(super) fn other_of(a: Obj, b: Obj) -> Obj {
    if is_number(a) { b } else { a }
}
