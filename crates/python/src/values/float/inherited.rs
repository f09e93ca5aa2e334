//! `float`'s own slots, for everything that inherits them.
//!
//! `1.5 + x` with a symbolic int, and `Metres(2.0) < f` with a class of the user's, run the slot of
//! `float`, which would read our value unnoticed. So the slots of `float`, and of the subclasses that
//! have copied them, hand such operands over to ours.

use pyo3::ffi;
use std::ffi::c_int;
use std::ptr::null_mut;

use super::super::compare as int_compare;
use super::super::slots::repoint;
use super::{arithmetic, compare, is_real};
use crate::boundary::{GilCell, Obj};

/// The slots of `float` as CPython made them.
#[derive(Clone, Copy)]
struct Originals {
    number: *mut ffi::PyNumberMethods,
    compare: ffi::richcmpfunc,
}

static ORIGINALS: GilCell<Option<Originals>> = GilCell::new(None);

/// The number slots that `float` had before.
pub(super) fn slots() -> *mut ffi::PyNumberMethods {
    match ORIGINALS.with(|originals| *originals) {
        Some(originals) => originals.number,
        // SAFETY: reads a field of a static type object.
        None => unsafe { ffi::PyFloat_Type.tp_as_number },
    }
}

/// The comparison that `float` had before.
pub(super) fn original_compare() -> Option<ffi::richcmpfunc> {
    match ORIGINALS.with(|originals| *originals) {
        Some(originals) => Some(originals.compare),
        // SAFETY: reads a field of a static type object.
        None => unsafe { ffi::PyFloat_Type.tp_richcompare },
    }
}

fn null() -> Obj {
    // Unreachable: a slot that was empty is never replaced.
    // SAFETY: sets an exception with the GIL held.
    unsafe { ffi::PyErr_BadInternalCall() };
    null_mut()
}

macro_rules! handed_over {
    ($($function:ident: $slot:ident;)*) => {$(
        unsafe extern "C" fn $function(a: Obj, b: Obj) -> Obj {
            // SAFETY: our slot or the original one, with live operands.
            unsafe {
                if is_real(a) || is_real(b) {
                    return arithmetic::$function(a, b);
                }
                (*slots()).$slot.map_or_else(null, |slot| slot(a, b))
            }
        }
    )*};
}

handed_over! {
    add: nb_add;
    subtract: nb_subtract;
    multiply: nb_multiply;
    divide: nb_true_divide;
    floor_divide: nb_floor_divide;
    remainder: nb_remainder;
    divmod: nb_divmod;
}

unsafe extern "C" fn power(a: Obj, b: Obj, modulus: Obj) -> Obj {
    // SAFETY: our slot or the original one, with live operands.
    unsafe {
        if is_real(a) || is_real(b) {
            return arithmetic::power(a, b, modulus);
        }
        (*slots())
            .nb_power
            .map_or_else(null, |slot| slot(a, b, modulus))
    }
}

unsafe extern "C" fn rich_compare(a: Obj, b: Obj, op: c_int) -> Obj {
    // SAFETY: our slot or the original one, with live operands.
    unsafe {
        if super::super::is_number(b) && !super::is_float(a) {
            // `1.5 < x` is `x > 1.5`, over the integers.
            return int_compare::rich_compare(b, a, compare::mirrored(op));
        }
        if is_real(a) || is_real(b) {
            return compare::rich_compare(a, b, op);
        }
        original_compare().map_or_else(null, |slot| slot(a, b, op))
    }
}

macro_rules! replace {
    ($class:expr, $original:expr, $($slot:ident: $function:expr;)*) => {$(
        let old = (*$original).$slot.map(|slot| slot as usize);
        let own = (*(*$class).tp_as_number).$slot.map(|slot| slot as usize);
        if own.is_some() && own == old {
            (*(*$class).tp_as_number).$slot = Some($function);
            repoint($class, old.unwrap_or(0), $function as *const () as usize);
        }
    )*};
}

/// Replaces in `class` the slots that are those of `float`.
///
/// # Safety
/// `class` is `float` or a subclass; the GIL is held.
unsafe fn take_over(class: *mut ffi::PyTypeObject, originals: Originals) {
    // SAFETY: as promised; a subclass of `float` has a table of number slots.
    unsafe {
        if (*class).tp_as_number.is_null() {
            return;
        }
        replace! { class, originals.number,
            nb_add: add;
            nb_subtract: subtract;
            nb_multiply: multiply;
            nb_true_divide: divide;
            nb_floor_divide: floor_divide;
            nb_remainder: remainder;
            nb_divmod: divmod;
            nb_power: power;
        }
        let compare = (*class).tp_richcompare.map(|slot| slot as usize);
        if compare == Some(originals.compare as usize) {
            (*class).tp_richcompare = Some(rich_compare);
            let new = rich_compare as *const () as usize;
            repoint(class, originals.compare as usize, new);
        }
    }
}

/// Takes the slots of `float` over, in it and in every subclass there is. Our own type
/// brings its own.
pub(in super::super) fn install(py: pyo3::Python<'_>) -> pyo3::PyResult<()> {
    use pyo3::prelude::*;
    // SAFETY: a static type, read once with the GIL held; the table is plain data, copied for good.
    let originals = unsafe {
        let float = &raw mut ffi::PyFloat_Type;
        let Some(compare) = (*float).tp_richcompare else {
            return Ok(());
        };
        Originals {
            number: Box::into_raw(Box::new(std::ptr::read((*float).tp_as_number))),
            compare,
        }
    };
    ORIGINALS.with(|stored| *stored = Some(originals));
    let mut todo = vec![py.get_type::<pyo3::types::PyFloat>()];
    while let Some(class) = todo.pop() {
        for subclass in class.call_method0("__subclasses__")?.try_iter()? {
            todo.push(subclass?.cast_into()?);
        }
        // SAFETY: `float` or a subclass.
        unsafe { take_over(class.as_type_ptr(), originals) };
    }
    Ok(())
}
