//! `|`, `&`, `-`, `^` and comparisons of sets and dicts that hold symbolic keys or that nobody has looked into.
//!
//! The slots of the built-in types read the tables of both operands, with the hashes stored there. So they are wrapped:
//! an untouched operand is filled first, and where one has symbolic keys, the operation is done key by key
//! (`pef.models.containers.algebra`). `list + list` reads both tables too, and needs only the former.

use pyo3::ffi;
use std::ffi::{CStr, c_int};

use super::slots::{each_subclass, repoint};
use crate::boundary::{GilCell, Made, Obj, made, object};
use crate::helpers::keyed::is_keyed;
use crate::inputs::lazy;
use crate::models::printing::call_room;
use crate::recorder;

const ROOM: &CStr = c"pef.models.containers.algebra";

fn has_keyed(a: Obj, b: Obj) -> bool {
    recorder::is_recording() && (is_keyed(a) || is_keyed(b))
}

/// The operation `again` on operands that were filled, if one was untouched.
#[inline]
fn filled(a: Obj, b: Obj, again: impl FnOnce() -> Obj) -> Option<Obj> {
    let untouched = lazy::is_untouched(a) || lazy::is_untouched(b);
    untouched.then(|| {
        object(|| {
            lazy::touch(a)?;
            lazy::touch(b)?;
            made(again())
        })
    })
}

macro_rules! operators {
    ($($module:ident: $class:ident, $slot:ident, $name:literal;)*) => {$(
        mod $module {
            use super::*;
            static ORIGINAL: GilCell<Option<ffi::binaryfunc>> = GilCell::new(None);

            unsafe extern "C" fn wrapped(a: Obj, b: Obj) -> Obj {
                // SAFETY: this function, with the same operands.
                if let Some(result) = filled(a, b, || unsafe { wrapped(a, b) }) {
                    return result;
                }
                if has_keyed(a, b) {
                    return object(|| call_room(ROOM, $name, &[a, b]));
                }
                match ORIGINAL.with(|original| *original) {
                    // SAFETY: the slot's own function, with live operands.
                    Some(slot) => unsafe { slot(a, b) },
                    None => object(super::super::arithmetic::not_implemented),
                }
            }

            pub(super) fn install() {
                // SAFETY: the table of a static type, changed once with the GIL held.
                unsafe {
                    let class = &raw mut ffi::$class;
                    let table = (*class).tp_as_number;
                    let Some(old) = (*table).$slot else { return };
                    ORIGINAL.with(|original| *original = Some(old));
                    (*table).$slot = Some(wrapped);
                    repoint(class, old as usize, wrapped as *const () as usize);
                    each_subclass(class, &mut |subclass| {
                        if let Some(table) = (*subclass).tp_as_number.as_mut()
                            && table.$slot.is_some_and(|slot| slot as usize == old as usize)
                        {
                            table.$slot = Some(wrapped);
                        }
                    });
                }
            }
        }
    )*};
}

operators! {
    set_or: PySet_Type, nb_or, c"or_";
    set_and: PySet_Type, nb_and, c"and_";
    set_subtract: PySet_Type, nb_subtract, c"sub";
    set_xor: PySet_Type, nb_xor, c"xor";
    set_or_in_place: PySet_Type, nb_inplace_or, c"ior";
    set_and_in_place: PySet_Type, nb_inplace_and, c"iand";
    set_subtract_in_place: PySet_Type, nb_inplace_subtract, c"isub";
    set_xor_in_place: PySet_Type, nb_inplace_xor, c"ixor";
    frozenset_or: PyFrozenSet_Type, nb_or, c"or_";
    frozenset_and: PyFrozenSet_Type, nb_and, c"and_";
    frozenset_subtract: PyFrozenSet_Type, nb_subtract, c"sub";
    frozenset_xor: PyFrozenSet_Type, nb_xor, c"xor";
    dict_or: PyDict_Type, nb_or, c"dict_or";
    dict_or_in_place: PyDict_Type, nb_inplace_or, c"dict_ior";
    keys_or: PyDictKeys_Type, nb_or, c"view_or";
    keys_and: PyDictKeys_Type, nb_and, c"view_and";
    keys_subtract: PyDictKeys_Type, nb_subtract, c"view_sub";
    keys_xor: PyDictKeys_Type, nb_xor, c"view_xor";
    items_or: PyDictItems_Type, nb_or, c"view_or";
    items_and: PyDictItems_Type, nb_and, c"view_and";
    items_subtract: PyDictItems_Type, nb_subtract, c"view_sub";
    items_xor: PyDictItems_Type, nb_xor, c"view_xor";
}

/// `list + list`: the items are only copied.
mod list_concatenate {
    use super::{GilCell, Obj, each_subclass, ffi, filled, object, repoint};
    static ORIGINAL: GilCell<Option<ffi::binaryfunc>> = GilCell::new(None);

    unsafe extern "C" fn wrapped(a: Obj, b: Obj) -> Obj {
        // SAFETY: this function, with the same operands.
        if let Some(result) = filled(a, b, || unsafe { wrapped(a, b) }) {
            return result;
        }
        match ORIGINAL.with(|original| *original) {
            // SAFETY: the slot's own function, with live operands.
            Some(slot) => unsafe { slot(a, b) },
            None => object(super::super::arithmetic::not_implemented),
        }
    }

    pub(super) fn install() {
        // SAFETY: the table of a static type, changed once with the GIL held.
        unsafe {
            let class = &raw mut ffi::PyList_Type;
            let table = (*class).tp_as_sequence;
            let Some(old) = (*table).sq_concat else {
                return;
            };
            ORIGINAL.with(|original| *original = Some(old));
            (*table).sq_concat = Some(wrapped);
            repoint(class, old as usize, wrapped as *const () as usize);
            each_subclass(class, &mut |subclass| {
                if let Some(table) = (*subclass).tp_as_sequence.as_mut()
                    && table
                        .sq_concat
                        .is_some_and(|slot| slot as usize == old as usize)
                {
                    table.sq_concat = Some(wrapped);
                }
            });
        }
    }
}

fn compared(name: &CStr, a: Obj, b: Obj, op: c_int) -> Made {
    // SAFETY: makes a new int, released here.
    unsafe {
        let op = made(ffi::PyLong_FromLong(op.into()))?;
        let result = call_room(ROOM, name, &[a, b, op]);
        ffi::Py_DECREF(op);
        result
    }
}

macro_rules! comparisons {
    ($($module:ident: $class:ident, $name:literal;)*) => {$(
        mod $module {
            use super::*;
            static ORIGINAL: GilCell<Option<ffi::richcmpfunc>> = GilCell::new(None);

            unsafe extern "C" fn wrapped(a: Obj, b: Obj, op: c_int) -> Obj {
                // SAFETY: this function, with the same operands.
                if let Some(result) = filled(a, b, || unsafe { wrapped(a, b, op) }) {
                    return result;
                }
                if has_keyed(a, b) {
                    return object(|| compared($name, a, b, op));
                }
                match ORIGINAL.with(|original| *original) {
                    // SAFETY: the slot's own function, with live operands.
                    Some(slot) => unsafe { slot(a, b, op) },
                    None => object(super::super::arithmetic::not_implemented),
                }
            }

            pub(super) fn install() {
                // SAFETY: the slot of a static type, changed once with the GIL held.
                unsafe {
                    let class = &raw mut ffi::$class;
                    let Some(old) = (*class).tp_richcompare else { return };
                    ORIGINAL.with(|original| *original = Some(old));
                    (*class).tp_richcompare = Some(wrapped);
                    repoint(class, old as usize, wrapped as *const () as usize);
                    each_subclass(class, &mut |subclass| {
                        let compare = (*subclass).tp_richcompare;
                        if compare.is_some_and(|slot| slot as usize == old as usize) {
                            (*subclass).tp_richcompare = Some(wrapped);
                        }
                    });
                }
            }
        }
    )*};
}

comparisons! {
    set_compare: PySet_Type, c"compare_sets";
    frozenset_compare: PyFrozenSet_Type, c"compare_sets";
    dict_compare: PyDict_Type, c"compare_dicts";
}

/// Wraps all these slots. Called once, when the module is loaded.
pub(super) fn install() {
    set_or::install();
    set_and::install();
    set_subtract::install();
    set_xor::install();
    set_or_in_place::install();
    set_and_in_place::install();
    set_subtract_in_place::install();
    set_xor_in_place::install();
    frozenset_or::install();
    frozenset_and::install();
    frozenset_subtract::install();
    frozenset_xor::install();
    dict_or::install();
    dict_or_in_place::install();
    list_concatenate::install();
    keys_or::install();
    keys_and::install();
    keys_subtract::install();
    keys_xor::install();
    items_or::install();
    items_and::install();
    items_subtract::install();
    items_xor::install();
    set_compare::install();
    frozenset_compare::install();
    dict_compare::install();
}
