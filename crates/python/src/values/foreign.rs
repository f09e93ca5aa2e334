//! What other C types do with our values when theirs is the slot that runs.
//!
//! `1j + x`, `"%d" % x` or `items[x]` never reach a slot of `x`: the left operand's type
//! reads the digits of `x` itself, unnoticed. So the slots of those types are wrapped,
//! once, when the engine awakes: with a symbolic operand the value is settled first (a
//! decision, or a pin), then the type's own function runs on plain values. Operations on
//! plain values pay one type check, and CPython's specialised instructions pay nothing.

use pyo3::ffi;
use pyo3::prelude::*;
use pyo3::types::{PyString, PyTuple};
use std::ffi::c_int;

use super::float::is_real;
use super::slots::{each_subclass, repoint};
use super::text::is_member;
use super::{is_number, operation, pin};
use crate::boundary::{GilCell, Made, Obj, made, number, object};
use crate::helpers::{in_range_truth, settle_index, settled_slice};
use crate::models::guard::surrender_argument;
use crate::models::printing::{call_room, is_plain};
use crate::recorder;

type Binary = unsafe extern "C" fn(Obj, Obj) -> Obj;
type Assign = unsafe extern "C" fn(Obj, Obj, Obj) -> c_int;
type Contains = unsafe extern "C" fn(Obj, Obj) -> c_int;

/// The functions that were in the slots.
#[derive(Clone, Copy)]
struct Original<F>(Option<F>);

fn has_symbolic(objects: &[Obj]) -> bool {
    objects.iter().any(|&object| is_number(object)) && recorder::is_recording()
}

/// As [`has_symbolic`], for code that reads floats as well.
fn has_real(objects: &[Obj]) -> bool {
    objects.iter().any(|&object| is_real(object)) && recorder::is_recording()
}

fn pinned_binary(original: Option<Binary>, a: Obj, b: Obj, name: &'static str) -> Made {
    pin(a, operation(name))?;
    pin(b, operation(name))?;
    match original {
        // SAFETY: the slot's own function, with live operands.
        Some(slot) => made(unsafe { slot(a, b) }),
        None => super::arithmetic::not_implemented(),
    }
}

/// Puts `wrapped` into the subclasses that have a copy of the slot.
macro_rules! inherit {
    ($class:expr, $table:ident, $slot:ident, $old:expr) => {
        each_subclass($class, &mut |subclass| {
            if let Some(table) = (*subclass).$table.as_mut()
                && table
                    .$slot
                    .is_some_and(|slot| slot as usize == $old as usize)
            {
                table.$slot = Some(wrapped);
            }
        })
    };
}

macro_rules! number_slots {
    ($module:ident, $class:ident, $($function:ident: $slot:ident, $name:literal;)*) => {
        mod $module {
            use super::*;

            $(pub(super) mod $function {
                use super::*;
                static ORIGINAL: GilCell<Original<Binary>> = GilCell::new(Original(None));

                unsafe extern "C" fn wrapped(a: Obj, b: Obj) -> Obj {
                    let original = ORIGINAL.with(|original| original.0);
                    if has_real(&[a, b]) {
                        return object(|| pinned_binary(original, a, b, $name));
                    }
                    match original {
                        // SAFETY: the slot's own function, with live operands.
                        Some(slot) => unsafe { slot(a, b) },
                        None => object(super::super::super::arithmetic::not_implemented),
                    }
                }

                pub(in super::super) fn install() {
                    // SAFETY: the table of a static type, changed once with the GIL held.
                    unsafe {
                        let class = &raw mut ffi::$class;
                        let table = (*class).tp_as_number;
                        let Some(old) = (*table).$slot else { return };
                        ORIGINAL.with(|original| original.0 = Some(old));
                        (*table).$slot = Some(wrapped);
                        repoint(class, old as usize, wrapped as *const () as usize);
                        inherit!(class, tp_as_number, $slot, old);
                    }
                }
            })*

            pub(super) fn install() {
                $($function::install();)*
            }
        }
    };
}

number_slots! { complex, PyComplex_Type,
    add: nb_add, "+ with complex";
    subtract: nb_subtract, "- with complex";
    multiply: nb_multiply, "* with complex";
    divide: nb_true_divide, "/ with complex";
}

macro_rules! formatting_slots {
    ($($module:ident: $class:ident;)*) => {$(
        mod $module {
            use super::*;
            pub(super) static ORIGINAL: GilCell<Original<Binary>> = GilCell::new(Original(None));

            /// `text % values`: a `str` by its model, unless all values are plain; else they are from here on.
            unsafe extern "C" fn wrapped(text: Obj, values: Obj) -> Obj {
                object(|| {
                    let Some(slot) = ORIGINAL.with(|original| original.0) else {
                        return super::super::arithmetic::not_implemented();
                    };
                    if !recorder::is_recording() {
                        // SAFETY: the slot's own function, with live operands.
                        return made(unsafe { slot(text, values) });
                    }
                    // SAFETY: a live object; the check has no side effects.
                    let is_str = unsafe { ffi::PyUnicode_Check(text) != 0 };
                    if is_str && !are_plain(values) {
                        let arguments = [text, values];
                        return call_room(c"pef.models.text.percent", c"formatted", &arguments);
                    }
                    let plain = surrender_argument(values, &operation("% formatting"))?;
                    // SAFETY: as above; `plain` is owned.
                    unsafe {
                        let result = slot(text, plain);
                        ffi::Py_DECREF(plain);
                        made(result)
                    }
                })
            }

            pub(super) fn install() {
                // SAFETY: the table of a static type, changed once with the GIL held.
                unsafe {
                    let class = &raw mut ffi::$class;
                    let table = (*class).tp_as_number;
                    let Some(old) = (*table).nb_remainder else { return };
                    ORIGINAL.with(|original| original.0 = Some(old));
                    (*table).nb_remainder = Some(wrapped);
                    repoint(class, old as usize, wrapped as *const () as usize);
                    inherit!(class, tp_as_number, nb_remainder, old);
                }
            }
        }
    )*};
}

/// `format_by_c(template, values)`: `template % values` by CPython's own function, whatever the values are.
#[pyfunction]
fn format_by_c<'py>(
    template: &Bound<'py, PyString>,
    values: &Bound<'py, PyTuple>,
) -> PyResult<Bound<'py, PyAny>> {
    match format_str::ORIGINAL.with(|original| original.0) {
        None => template.rem(values),
        // SAFETY: the slot's own function, with live operands; its result is owned.
        Some(slot) => unsafe {
            let text = slot(template.as_ptr(), values.as_ptr());
            Bound::from_owned_ptr_or_err(template.py(), text)
        },
    }
}

/// Adds the function to the module.
pub(super) fn add_to(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_function(wrap_pyfunction!(format_by_c, module)?)
}

/// Whether C code can format these values without losing anything.
fn are_plain(values: Obj) -> bool {
    // SAFETY: a live object; the items of a tuple are borrowed.
    unsafe {
        if ffi::PyTuple_Check(values) == 0 {
            return is_plain(values);
        }
        (0..ffi::PyTuple_GET_SIZE(values)).all(|i| is_plain(ffi::PyTuple_GET_ITEM(values, i)))
    }
}

formatting_slots! {
    format_str: PyUnicode_Type;
    format_bytes: PyBytes_Type;
    format_bytearray: PyByteArray_Type;
}

macro_rules! subscript_slots {
    ($($module:ident: $class:ident;)*) => {$(
        mod $module {
            use super::*;
            static ORIGINAL: GilCell<Original<Binary>> = GilCell::new(Original(None));

            unsafe extern "C" fn wrapped(container: Obj, index: Obj) -> Obj {
                let Some(slot) = ORIGINAL.with(|original| original.0) else {
                    return object(super::super::arithmetic::not_implemented);
                };
                if may_be_symbolic(index) && recorder::is_recording() {
                    return object(|| {
                        if let Some(part) = part_of_text(container, index) {
                            return part;
                        }
                        let index = settled(container, index)?;
                        // SAFETY: the slot's own function; `index` is owned.
                        unsafe {
                            let result = slot(container, index);
                            ffi::Py_DECREF(index);
                            made(result)
                        }
                    });
                }
                // SAFETY: the slot's own function, with live operands.
                unsafe { slot(container, index) }
            }

            pub(super) fn install() {
                // SAFETY: the table of a static type, changed once with the GIL held.
                unsafe {
                    let class = &raw mut ffi::$class;
                    let table = (*class).tp_as_mapping;
                    let Some(old) = (*table).mp_subscript else { return };
                    ORIGINAL.with(|original| original.0 = Some(old));
                    (*table).mp_subscript = Some(wrapped);
                    inherit!(class, tp_as_mapping, mp_subscript, old);
                }
            }
        }
    )*};
}

subscript_slots! {
    list_item: PyList_Type;
    tuple_item: PyTuple_Type;
    str_item: PyUnicode_Type;
    bytes_item: PyBytes_Type;
    bytearray_item: PyByteArray_Type;
    memoryview_item: PyMemoryView_Type;
    range_item: PyRange_Type;
}

/// Whether an index is one of ours, or a slice or tuple that may have such parts.
#[inline]
fn may_be_symbolic(index: Obj) -> bool {
    // SAFETY: a live object; the checks have no side effects.
    is_number(index)
        || unsafe { ffi::PySlice_Check(index) != 0 || ffi::PyTuple_CheckExact(index) != 0 }
}

/// `text[i:j]` of plain text, if a bound is symbolic.
fn part_of_text(container: Obj, index: Obj) -> Option<Made> {
    super::text::kind_of(container)?;
    // SAFETY: a live object, whose layout is checked before its fields are read.
    let symbolic = unsafe {
        if ffi::PySlice_Check(index) == 0 {
            return None;
        }
        let slice = index.cast::<ffi::PySliceObject>();
        [(*slice).start, (*slice).stop, (*slice).step]
            .into_iter()
            .any(is_number)
    };
    symbolic.then(|| call_room(c"pef.models.text", c"slice_of", &[container, index]))
}

/// The index the container is to see: plain, after the decision which element it means.
fn settled(container: Obj, index: Obj) -> Made {
    if is_number(index) {
        settle_index(container, index)?;
        return super::concrete(index);
    }
    // SAFETY: a live object. Only a memoryview has more than one dimension.
    if unsafe { ffi::PyTuple_CheckExact(index) != 0 } {
        return surrender_argument(index, &operation("index of several dimensions"));
    }
    settled_slice(container, index)
}

macro_rules! assignment_slots {
    ($($module:ident: $class:ident;)*) => {$(
        mod $module {
            use super::*;
            static ORIGINAL: GilCell<Original<Assign>> = GilCell::new(Original(None));

            unsafe extern "C" fn wrapped(container: Obj, index: Obj, value: Obj) -> c_int {
                number(|| {
                    let Some(slot) = ORIGINAL.with(|original| original.0) else {
                        return Err(crate::boundary::Raised);
                    };
                    let looks = $module::READS_VALUE || may_be_symbolic(index);
                    if !looks || !recorder::is_recording() {
                        // SAFETY: the slot's own function, with live operands.
                        return Ok(unsafe { slot(container, index, value) });
                    }
                    let index = settled(container, index)?;
                    // SAFETY: as above; `index` is owned. A null value means deletion.
                    unsafe {
                        let value = if $module::READS_VALUE && !value.is_null() {
                            surrender_argument(value, &operation("bytes stored in C memory"))?
                        } else {
                            ffi::Py_XINCREF(value);
                            value
                        };
                        let status = slot(container, index, value);
                        ffi::Py_DECREF(index);
                        ffi::Py_XDECREF(value);
                        Ok(status)
                    }
                })
            }

            pub(super) fn install() {
                // SAFETY: the table of a static type, changed once with the GIL held.
                unsafe {
                    let class = &raw mut ffi::$class;
                    let table = (*class).tp_as_mapping;
                    let Some(old) = (*table).mp_ass_subscript else { return };
                    ORIGINAL.with(|original| original.0 = Some(old));
                    (*table).mp_ass_subscript = Some(wrapped);
                    inherit!(class, tp_as_mapping, mp_ass_subscript, old);
                }
            }

            use super::readers::$module;
        }
    )*};
}

/// Whether a container looks at what is stored in it.
mod readers {
    pub(super) mod list_store {
        pub(in super::super) const READS_VALUE: bool = false;
    }
    pub(super) mod bytearray_store {
        pub(in super::super) const READS_VALUE: bool = true;
    }
    pub(super) mod memoryview_store {
        pub(in super::super) const READS_VALUE: bool = true;
    }
}

assignment_slots! {
    list_store: PyList_Type;
    bytearray_store: PyByteArray_Type;
    memoryview_store: PyMemoryView_Type;
}

macro_rules! membership_slots {
    ($($module:ident: $class:ident, $settle:expr;)*) => {$(
        mod $module {
            use super::*;
            static ORIGINAL: GilCell<Original<Contains>> = GilCell::new(Original(None));

            unsafe extern "C" fn wrapped(container: Obj, item: Obj) -> c_int {
                number(|| {
                    if has_symbolic(&[item]) {
                        let settle: fn(Obj, Obj) -> Result<Option<bool>, crate::boundary::Raised> =
                            $settle;
                        if let Some(inside) = settle(container, item)? {
                            return Ok(c_int::from(inside));
                        }
                    }
                    match ORIGINAL.with(|original| original.0) {
                        // SAFETY: the slot's own function, with live operands.
                        Some(slot) => Ok(unsafe { slot(container, item) }),
                        None => Err(crate::boundary::Raised),
                    }
                })
            }

            pub(super) fn install() {
                // SAFETY: the table of a static type, changed once with the GIL held.
                unsafe {
                    let class = &raw mut ffi::$class;
                    let table = (*class).tp_as_sequence;
                    let Some(old) = (*table).sq_contains else { return };
                    ORIGINAL.with(|original| original.0 = Some(old));
                    (*table).sq_contains = Some(wrapped);
                    inherit!(class, tp_as_sequence, sq_contains, old);
                }
            }
        }
    )*};
}

membership_slots! {
    in_range_slot: PyRange_Type, |range, item| in_range_truth(item, range);
    in_bytes: PyBytes_Type, |bytes, item| is_member(item, bytes);
    in_bytearray: PyByteArray_Type, |_, item| pin(item, operation("in bytearray")).map(|()| None);
}

/// Wraps all these slots. Called once.
pub(super) fn install() {
    complex::install();
    format_str::install();
    format_bytes::install();
    format_bytearray::install();
    list_item::install();
    tuple_item::install();
    str_item::install();
    bytes_item::install();
    bytearray_item::install();
    memoryview_item::install();
    range_item::install();
    list_store::install();
    bytearray_store::install();
    memoryview_store::install();
    in_range_slot::install();
    in_bytes::install();
    in_bytearray::install();
}
