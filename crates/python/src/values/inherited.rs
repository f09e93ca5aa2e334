//! `int`'s own slots, for everything that inherits them.
//!
//! Python asks the left operand first, unless the right one is of a subclass of its type.
//! Our values are of a subclass of `int`, but not of `bool`, of an `IntEnum` or of a user's
//! `class Money(int)`: in `True + x` and `Colour.RED < x` it is `int`'s slot that runs, and
//! it would read the digits of `x` unnoticed. So the slots of `int`, and of the subclasses
//! that have copied them, hand such operands over to ours.

use pyo3::ffi;
use std::ffi::c_int;
use std::ptr::null_mut;

use super::slots::repoint;
use super::{arithmetic, compare, is_number};
use crate::boundary::{GilCell, Obj};

/// The slots of `int` and `bool` as CPython made them.
#[derive(Clone, Copy)]
struct Originals {
    int: *mut ffi::PyNumberMethods,
    int_compare: ffi::richcmpfunc,
    bool: *mut ffi::PyNumberMethods,
}

static ORIGINALS: GilCell<Option<Originals>> = GilCell::new(None);

/// The number slots that `int` had before.
pub(super) fn int_slots() -> *mut ffi::PyNumberMethods {
    match ORIGINALS.with(|originals| *originals) {
        Some(originals) => originals.int,
        // SAFETY: reads a field of a static type object.
        None => unsafe { ffi::PyLong_Type.tp_as_number },
    }
}

fn bool_slots() -> *mut ffi::PyNumberMethods {
    ORIGINALS.with(|originals| originals.map_or(null_mut(), |originals| originals.bool))
}

/// The comparison that `int` had before.
pub(super) fn int_compare() -> Option<ffi::richcmpfunc> {
    match ORIGINALS.with(|originals| *originals) {
        Some(originals) => Some(originals.int_compare),
        // SAFETY: reads a field of a static type object.
        None => unsafe { ffi::PyLong_Type.tp_richcompare },
    }
}

fn null() -> Obj {
    // Unreachable: a slot that was empty is never replaced.
    // SAFETY: sets an exception with the GIL held.
    unsafe { ffi::PyErr_BadInternalCall() };
    null_mut()
}

macro_rules! handed_over {
    ($originals:ident: $($function:ident: $slot:ident;)*) => {$(
        unsafe extern "C" fn $function(a: Obj, b: Obj) -> Obj {
            // SAFETY: our slot or the original one, with live operands.
            unsafe {
                if is_number(a) || is_number(b) {
                    return arithmetic::$function(a, b);
                }
                (*$originals()).$slot.map_or_else(null, |slot| slot(a, b))
            }
        }
    )*};
}

handed_over! { int_slots:
    add: nb_add;
    subtract: nb_subtract;
    multiply: nb_multiply;
    floor_divide: nb_floor_divide;
    remainder: nb_remainder;
    divmod: nb_divmod;
    true_divide: nb_true_divide;
    left_shift: nb_lshift;
    right_shift: nb_rshift;
    and: nb_and;
    or: nb_or;
    xor: nb_xor;
}

mod of_bool {
    use super::{Obj, arithmetic, bool_slots, is_number, null};

    handed_over! { bool_slots:
        and: nb_and;
        or: nb_or;
        xor: nb_xor;
    }

    pub(super) type Binary = unsafe extern "C" fn(Obj, Obj) -> Obj;
    pub(super) const AND: Binary = and;
    pub(super) const OR: Binary = or;
    pub(super) const XOR: Binary = xor;
}

unsafe extern "C" fn power(a: Obj, b: Obj, modulus: Obj) -> Obj {
    // SAFETY: our slot or the original one, with live operands.
    unsafe {
        if is_number(a) || is_number(b) || is_number(modulus) {
            return arithmetic::power(a, b, modulus);
        }
        (*int_slots())
            .nb_power
            .map_or_else(null, |slot| slot(a, b, modulus))
    }
}

unsafe extern "C" fn rich_compare(a: Obj, b: Obj, op: c_int) -> Obj {
    // SAFETY: our slot or the original one, with live operands.
    unsafe {
        if is_number(a) || is_number(b) {
            return compare::rich_compare(a, b, op);
        }
        int_compare().map_or_else(null, |slot| slot(a, b, op))
    }
}

macro_rules! replace {
    ($class:expr, $original:expr, $($slot:ident: $function:expr;)*) => {$(
        let old = (*$original).$slot.map(|slot| slot as usize);
        if same((*(*$class).tp_as_number).$slot.map(|slot| slot as usize), old) {
            (*(*$class).tp_as_number).$slot = Some($function);
            repoint($class, old.unwrap_or(0), $function as *const () as usize);
        }
    )*};
}

fn same(slot: Option<usize>, original: Option<usize>) -> bool {
    slot.is_some() && slot == original
}

/// Replaces in `class` the slots that are those of `int`.
///
/// # Safety
/// `class` is `int` or a subclass; the GIL is held.
unsafe fn take_over(class: *mut ffi::PyTypeObject, originals: Originals) {
    // SAFETY: as promised; a subclass of `int` has a table of number slots.
    unsafe {
        if (*class).tp_as_number.is_null() {
            return;
        }
        replace! { class, originals.int,
            nb_add: add;
            nb_subtract: subtract;
            nb_multiply: multiply;
            nb_floor_divide: floor_divide;
            nb_remainder: remainder;
            nb_divmod: divmod;
            nb_true_divide: true_divide;
            nb_lshift: left_shift;
            nb_rshift: right_shift;
            nb_and: and;
            nb_or: or;
            nb_xor: xor;
            nb_power: power;
        }
        let compare = (*class).tp_richcompare.map(|slot| slot as usize);
        if same(compare, Some(originals.int_compare as usize)) {
            (*class).tp_richcompare = Some(rich_compare);
            repoint(
                class,
                originals.int_compare as usize,
                rich_compare as *const () as usize,
            );
        }
    }
}

/// A copy of a table of number slots, for good.
unsafe fn copy_of(class: *mut ffi::PyTypeObject) -> *mut ffi::PyNumberMethods {
    // SAFETY: a static type with such a table; the struct is plain data.
    unsafe { Box::into_raw(Box::new(std::ptr::read((*class).tp_as_number))) }
}

/// Takes the slots of `int` over, in it and in every subclass there is. Our own
/// types bring their own.
pub(super) fn install(py: pyo3::Python<'_>) -> pyo3::PyResult<()> {
    use pyo3::prelude::*;
    // SAFETY: static types, changed once with the GIL held.
    let originals = unsafe {
        let int = &raw mut ffi::PyLong_Type;
        let Some(int_compare) = (*int).tp_richcompare else {
            return Ok(());
        };
        let bool = copy_of(&raw mut ffi::PyBool_Type);
        Originals {
            int: copy_of(int),
            int_compare,
            bool,
        }
    };
    ORIGINALS.with(|stored| *stored = Some(originals));
    let mut todo = vec![py.get_type::<pyo3::types::PyInt>()];
    while let Some(class) = todo.pop() {
        for subclass in class.call_method0("__subclasses__")?.try_iter()? {
            todo.push(subclass?.cast_into()?);
        }
        // SAFETY: `int` or a subclass.
        unsafe { take_over(class.as_type_ptr(), originals) };
    }
    // SAFETY: the table of a static type.
    unsafe {
        let class = &raw mut ffi::PyBool_Type;
        replace! { class, originals.bool,
            nb_and: of_bool::AND;
            nb_or: of_bool::OR;
            nb_xor: of_bool::XOR;
        }
    }
    Ok(())
}
