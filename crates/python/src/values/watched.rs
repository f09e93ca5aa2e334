//! C types of other modules that would read our digits: `Decimal(1) + x`, `delta * x`.
//!
//! A type is watched from the first time it is met. If there is a twin of it in Python, that
//! computes with our value. Else its operators settle symbolic operands (they are pinned) before
//! the type's own code runs. One function per slot
//! serves all watched types: it finds the original by the types of the operands.

use pyo3::ffi;
use rustc_hash::FxHashMap;
use std::ffi::c_int;

use super::dispatch::{Other, part_in_comparison_of, part_of_type};
use super::float::is_real;
use super::slots::repoint;
use super::{concrete, operation, pin};
use crate::boundary::{GilCell, Made, Obj, Raised, made, object};
use crate::recorder;

/// The slots a watched type had.
#[derive(Clone, Copy)]
struct Saved {
    number: *const ffi::PyNumberMethods,
    compare: Option<ffi::richcmpfunc>,
    /// `twin(instance)`, or null; owned for good.
    twin: Obj,
}

static WATCHED: GilCell<Option<FxHashMap<usize, Saved>>> = GilCell::new(None);

/// What the type, or the watched base it inherits from, had in its slots.
fn saved(mut class: *mut ffi::PyTypeObject) -> Option<Saved> {
    WATCHED.with(|watched| {
        let watched = watched.as_ref()?;
        while !class.is_null() {
            if let Some(saved) = watched.get(&(class as usize)) {
                return Some(*saved);
            }
            // SAFETY: a live type.
            class = unsafe { (*class).tp_base };
        }
        None
    })
}

/// Whether a twin computes in place of the instances of a type.
pub(super) fn has_twin(class: *mut ffi::PyTypeObject) -> bool {
    saved(class).is_some_and(|saved| !saved.twin.is_null())
}

fn class_of(object: Obj) -> *mut ffi::PyTypeObject {
    // SAFETY: a live object.
    unsafe { ffi::Py_TYPE(object) }
}

/// A plain operand, owned; ours is pinned.
fn settled(operand: Obj, name: &'static str) -> Made {
    if is_real(operand) && recorder::is_recording() {
        pin(operand, operation(name))?;
        return concrete(operand);
    }
    // SAFETY: a new reference to a live object.
    Ok(unsafe { ffi::Py_NewRef(operand) })
}

/// The operation on the twin of the operand that is not ours, if there is a twin.
fn with_twin(a: Obj, b: Obj, run: impl FnOnce(Obj, Obj) -> Obj) -> Option<Made> {
    if !(is_real(a) || is_real(b)) || !recorder::is_recording() {
        return None;
    }
    let other = if is_real(a) { b } else { a };
    let twin = saved(class_of(other))
        .map(|saved| saved.twin)
        .filter(|twin| !twin.is_null())?;
    // SAFETY: live objects; the twin is owned here.
    unsafe {
        let twin = ffi::PyObject_CallOneArg(twin, other);
        if twin.is_null() {
            return Some(Err(Raised));
        }
        // Some instances have none, such as those of subclasses.
        let result = (twin != other).then(|| {
            made(if is_real(a) {
                run(a, twin)
            } else {
                run(twin, b)
            })
        });
        ffi::Py_DECREF(twin);
        result
    }
}

/// Runs `body` on settled operands.
fn with_settled<const N: usize>(
    operands: [Obj; N],
    name: &'static str,
    body: impl FnOnce([Obj; N]) -> Made,
) -> Made {
    let mut owned: Vec<Obj> = Vec::with_capacity(N);
    let mut problem = None;
    for operand in operands {
        match settled(operand, name) {
            Ok(plain) => owned.push(plain),
            Err(Raised) => problem = Some(Raised),
        }
    }
    let result = match (problem, <[Obj; N]>::try_from(owned.as_slice())) {
        (None, Ok(plain)) => body(plain),
        (Some(raised), _) => Err(raised),
        (None, Err(_)) => Err(Raised),
    };
    for object in owned {
        // SAFETY: owned references.
        unsafe { ffi::Py_DECREF(object) };
    }
    result
}

/// Asks the left operand's original, then the right one's if that is another.
fn ask_both<F: Copy>(
    originals: [Option<F>; 2],
    address: impl Fn(F) -> usize,
    call: impl Fn(F) -> Obj,
) -> Made {
    let [left, right] = originals;
    let different = left.map(&address) != right.map(&address);
    let mut result = match left {
        Some(slot) => made(call(slot))?,
        None => super::arithmetic::not_implemented()?,
    };
    // SAFETY: an owned result, compared with a singleton.
    unsafe {
        if let (true, true, Some(slot)) = (different, result == ffi::Py_NotImplemented(), right) {
            ffi::Py_DECREF(result);
            result = made(call(slot))?;
        }
    }
    Ok(result)
}

macro_rules! trampolines {
    ($($function:ident: $slot:ident, $run:ident, $name:literal;)*) => {
        $(unsafe extern "C" fn $function(a: Obj, b: Obj) -> Obj {
            object(|| {
                // SAFETY: live operands.
                if let Some(result) = with_twin(a, b, |a, b| unsafe { ffi::$run(a, b) }) {
                    return result;
                }
                with_settled([a, b], $name, |[a, b]| {
                    // SAFETY: saved tables live for good; live operands.
                    let of = |object| unsafe {
                        saved(class_of(object)).and_then(|saved| (*saved.number).$slot)
                    };
                    // SAFETY: a slot's own function, with live operands.
                    ask_both([of(a), of(b)], |slot| slot as usize, |slot| unsafe { slot(a, b) })
                })
            })
        })*

        /// Puts the trampolines into the slots the type has.
        unsafe fn take_over(class: *mut ffi::PyTypeObject, table: *mut ffi::PyNumberMethods) {
            // SAFETY: the table of a live type, changed with the GIL held.
            unsafe {
                $(if let Some(old) = (*table).$slot {
                    if reads(class, |table| table.$slot.map(|slot| slot as usize)) {
                        (*table).$slot = Some($function);
                        repoint(class, old as usize, $function as *const () as usize);
                    }
                })*
            }
        }
    };
}

trampolines! {
    add: nb_add, PyNumber_Add, "+ with a value of another type";
    subtract: nb_subtract, PyNumber_Subtract, "- with a value of another type";
    multiply: nb_multiply, PyNumber_Multiply, "* with a value of another type";
    floor_divide: nb_floor_divide, PyNumber_FloorDivide, "// with a value of another type";
    remainder: nb_remainder, PyNumber_Remainder, "% with a value of another type";
    divmod: nb_divmod, PyNumber_Divmod, "divmod() with a value of another type";
    true_divide: nb_true_divide, PyNumber_TrueDivide, "/ with a value of another type";
    left_shift: nb_lshift, PyNumber_Lshift, "<< with a value of another type";
    right_shift: nb_rshift, PyNumber_Rshift, ">> with a value of another type";
    and: nb_and, PyNumber_And, "& with a value of another type";
    or: nb_or, PyNumber_Or, "| with a value of another type";
    xor: nb_xor, PyNumber_Xor, "^ with a value of another type";
}

fn reads(class: *mut ffi::PyTypeObject, of: super::dispatch::SlotOf) -> bool {
    part_of_type(class, of) == Other::Unaware
}

unsafe extern "C" fn power(a: Obj, b: Obj, modulus: Obj) -> Obj {
    object(|| {
        with_settled(
            [a, b, modulus],
            "** with a value of another type",
            |[a, b, modulus]| {
                // SAFETY: saved tables live for good; live operands.
                let of = |object| unsafe {
                    saved(class_of(object)).and_then(|saved| (*saved.number).nb_power)
                };
                let call = |slot: ffi::ternaryfunc| {
                    // SAFETY: a slot's own function, with live operands.
                    unsafe { slot(a, b, modulus) }
                };
                ask_both([of(a), of(b)], |slot| slot as usize, call)
            },
        )
    })
}

unsafe extern "C" fn rich_compare(a: Obj, b: Obj, op: c_int) -> Obj {
    object(|| {
        // SAFETY: live operands.
        let compare = |a, b| unsafe { ffi::PyObject_RichCompare(a, b, op) };
        if let Some(result) = with_twin(a, b, compare) {
            return result;
        }
        with_settled(
            [a, b],
            "comparison with a value of another type",
            |[a, b]| {
                match saved(class_of(a)).and_then(|saved| saved.compare) {
                    // SAFETY: the slot's own function, with live operands.
                    Some(slot) => made(unsafe { slot(a, b, op) }),
                    None => super::arithmetic::not_implemented(),
                }
            },
        )
    })
}

/// Types of the language itself are looked after one by one.
unsafe fn is_builtin(class: *mut ffi::PyTypeObject) -> bool {
    // SAFETY: a live type; the name is a C string of the type.
    unsafe {
        let heap = (*class).tp_flags & ffi::Py_TPFLAGS_HEAPTYPE != 0;
        !heap
            && !std::ffi::CStr::from_ptr((*class).tp_name)
                .to_bytes()
                .contains(&b'.')
    }
}

/// Types to be watched as soon as the engine is awake.
static WAITING: GilCell<Vec<(usize, Option<pyo3::Py<pyo3::PyAny>>)>> = GilCell::new(Vec::new());

/// Watches what was to be watched.
pub(super) fn install() {
    for (class, twin) in WAITING.with(std::mem::take) {
        watch(class as *mut ffi::PyTypeObject, twin);
    }
}

/// Watches the operators of a C type that is not built in, from now on; types that are registered
/// before the engine is awake are left alone until then.
pub fn watch(class: *mut ffi::PyTypeObject, twin: Option<pyo3::Py<pyo3::PyAny>>) {
    if !super::is_awake() {
        // SAFETY: a live type, kept for good.
        unsafe { ffi::Py_INCREF(class.cast()) };
        WAITING.with(|waiting| waiting.push((class as usize, twin)));
        return;
    }
    let known = WATCHED.with(|watched| {
        watched
            .get_or_insert_with(FxHashMap::default)
            .contains_key(&(class as usize))
    });
    // SAFETY: a live type, changed with the GIL held; watched types are never released.
    unsafe {
        let table = (*class).tp_as_number;
        if known || table.is_null() || is_builtin(class) || saved(class).is_some() {
            return;
        }
        let copy = Box::into_raw(Box::new(std::ptr::read(table)));
        let compare = (*class).tp_richcompare;
        let entry = Saved {
            number: copy,
            compare,
            twin: twin.map_or(std::ptr::null_mut(), pyo3::Py::into_ptr),
        };
        WATCHED.with(|watched| {
            watched
                .get_or_insert_with(FxHashMap::default)
                .insert(class as usize, entry)
        });
        ffi::Py_INCREF(class.cast());
        take_over(class, table);
        let reads_power = reads(class, |table| table.nb_power.map(|slot| slot as usize));
        if let (Some(old), true) = ((*table).nb_power, reads_power) {
            (*table).nb_power = Some(power);
            repoint(class, old as usize, power as *const () as usize);
        }
        if let (Some(old), Other::Unaware) = (compare, part_in_comparison_of(class)) {
            (*class).tp_richcompare = Some(rich_compare);
            repoint(class, old as usize, rich_compare as *const () as usize);
        }
    }
}
