//! `SymStr` and `SymBytes`: text that remembers how it was computed.
//!
//! What is asked all the time is native: comparison, `+`, `in`, truth, length, one character, a
//! plain slice. The other methods are written in Python (`pef.models.text`) over the operations of
//! [`super::apply`] and become attributes of these types when the models are installed.

use pef_explore::DecisionKind;
use pef_logic::{BinaryOp, Operation, Sort, TermId, TextKind};
use pyo3::exceptions::PyIndexError;
use pyo3::ffi;
use pyo3::prelude::*;
use std::ffi::{c_int, c_void};

use super::apply::{computed, computed_truth};
use super::arithmetic::not_implemented;
use super::spec::Slots;
use super::{Operand, bool_result, int_result, lift, operation, pin, symbolic, types};
use crate::boundary::{Made, Obj, Raised, made, number, object, raise};
use crate::layout;
use crate::models::printing::call_room;
use crate::recorder::{self, build};

/// The kind of text an object is, ours or not.
pub fn kind_of(object: Obj) -> Option<TextKind> {
    // SAFETY: a live object; type checks have no side effects.
    unsafe {
        if ffi::PyUnicode_Check(object) != 0 {
            Some(TextKind::Str)
        } else if ffi::PyBytes_Check(object) != 0 {
            Some(TextKind::Bytes)
        } else {
            None
        }
    }
}

/// The term of one of our texts.
fn text_term(object: Obj) -> Option<TermId> {
    match symbolic(object)? {
        (Sort::Str | Sort::Bytes, term) => Some(term),
        (Sort::Bool | Sort::Int | Sort::Float, _) => None,
    }
}

fn base_of(object: Obj) -> *mut ffi::PyTypeObject {
    match kind_of(object) {
        Some(TextKind::Bytes) => &raw mut ffi::PyBytes_Type,
        Some(TextKind::Str) | None => &raw mut ffi::PyUnicode_Type,
    }
}

/// `len(s)` of one of our texts, as an int of ours; `None` for anything else.
pub fn length(value: Obj) -> Result<Option<Obj>, Raised> {
    if text_term(value).is_none() {
        return Ok(None);
    }
    computed(Operation::Length, &[value]).map(Some)
}

unsafe extern "C" fn compare(a: Obj, b: Obj, op: c_int) -> Obj {
    object(|| {
        let ours = text_term(a).is_some() || text_term(b).is_some();
        let same_kind = kind_of(a).is_some() && kind_of(a) == kind_of(b);
        if !ours || !same_kind || overrides_comparison(b) {
            // SAFETY: the comparison of `str` or `bytes`, with live operands.
            return unsafe {
                match (*base_of(a)).tp_richcompare {
                    Some(slot) => made(slot(a, b, op)),
                    None => not_implemented(),
                }
            };
        }
        match op {
            ffi::Py_EQ => computed(Operation::TextEq, &[a, b]),
            ffi::Py_NE => negated(a, b),
            ffi::Py_LT => computed(Operation::TextLt, &[a, b]),
            ffi::Py_LE => computed(Operation::TextLe, &[a, b]),
            ffi::Py_GT => computed(Operation::TextLt, &[b, a]),
            _ => computed(Operation::TextLe, &[b, a]),
        }
    })
}

fn negated(a: Obj, b: Obj) -> Made {
    let Some((equal, term)) = computed_truth(Operation::TextEq, &[a, b]) else {
        return not_implemented();
    };
    let term = build(|pool| pool.not(term)).unwrap_or(term);
    bool_result(!equal, term)
}

/// Whether a subclass of `str` or `bytes` that is not ours compares in its own way.
fn overrides_comparison(object: Obj) -> bool {
    // SAFETY: a live object and its type.
    unsafe {
        let class = ffi::Py_TYPE(object);
        let function = |class: *mut ffi::PyTypeObject| (*class).tp_richcompare.map(|f| f as usize);
        class != types().str
            && class != types().bytes
            && function(class) != function(base_of(object))
    }
}

unsafe extern "C" fn add(a: Obj, b: Obj) -> Obj {
    object(|| {
        let same_kind = kind_of(a).is_some() && kind_of(a) == kind_of(b);
        if same_kind && (text_term(a).is_some() || text_term(b).is_some()) {
            return computed(Operation::Concat, &[a, b]);
        }
        if text_term(a).is_some() && kind_of(a) == Some(TextKind::Bytes) {
            // `+` with a bytearray and the like.
            return call_room(c"pef.models.binary.methods", c"added", &[a, b]);
        }
        not_implemented()
    })
}

/// All parts of one kind, one after the other.
pub fn concatenated(parts: &[Obj]) -> Made {
    computed(Operation::Concat, parts)
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

/// What C code gets when it asks for the length: a plain number.
unsafe extern "C" fn plain_length(a: Obj) -> ffi::Py_ssize_t {
    number(|| {
        if let Some(length) = length(a)? {
            let pinned = pin(length, operation("len() called by C code"));
            // SAFETY: an owned reference.
            unsafe { ffi::Py_DECREF(length) };
            pinned?;
        }
        // SAFETY: a live str or bytes.
        Ok(unsafe {
            match kind_of(a) {
                Some(TextKind::Bytes) => ffi::Py_SIZE(a),
                Some(TextKind::Str) | None => lift::str_length(a) as ffi::Py_ssize_t,
            }
        })
    })
}

/// `item in text`, as a truth of ours; `None` if neither is ours or the item is no text of the kind.
pub fn membership(item: Obj, container: Obj) -> Option<Made> {
    let kind = kind_of(container)?;
    let ours = symbolic(item).is_some() || text_term(container).is_some();
    if ours && kind_of(item) == Some(kind) {
        return Some(computed(Operation::Contains, &[container, item]));
    }
    // Bytes also contain numbers.
    (ours && kind == TextKind::Bytes).then(|| {
        let room = c"pef.models.binary.methods";
        call_room(room, c"contains", &[container, item])
    })
}

/// As [`membership`], as a decision.
pub fn is_member(item: Obj, container: Obj) -> Result<Option<bool>, Raised> {
    let Some(inside) = membership(item, container) else {
        return Ok(None);
    };
    // SAFETY: an owned reference; its truth is a decision.
    unsafe {
        let inside = inside?;
        let truth = ffi::PyObject_IsTrue(inside);
        ffi::Py_DECREF(inside);
        if truth < 0 {
            Err(Raised)
        } else {
            Ok(Some(truth == 1))
        }
    }
}

unsafe extern "C" fn contains(container: Obj, item: Obj) -> c_int {
    number(|| {
        if let Some(inside) = is_member(item, container)? {
            return Ok(c_int::from(inside));
        }
        // What is left is of the wrong type, and refused unread.
        // SAFETY: the slot of `str` or `bytes`, with live operands.
        unsafe {
            match (*(*base_of(container)).tp_as_sequence).sq_contains {
                Some(slot) => Ok(slot(container, item)),
                None => Err(Raised),
            }
        }
    })
}

/// `s[i]` and `s[i:j]`; the rest is for `pef.models.text`.
unsafe extern "C" fn subscript(text: Obj, index: Obj) -> Obj {
    object(|| {
        // SAFETY: live objects; type checks have no side effects.
        unsafe {
            if text_term(text).is_none() {
                let plain = super::concrete(text)?;
                let result = ffi::PyObject_GetItem(plain, index);
                ffi::Py_DECREF(plain);
                return made(result);
            }
            if ffi::PySlice_Check(index) != 0 {
                return call_model(c"slice_of", &[text, index]);
            }
            match Operand::of(index) {
                Some(operand) => item(text, index, operand.as_int()),
                None => call_model(c"item_of", &[text, index]),
            }
        }
    })
}

/// Calls a function of `pef.models.text`.
fn call_model(name: &'static std::ffi::CStr, arguments: &[Obj]) -> Made {
    call_room(c"pef.models.text", name, arguments)
}

/// One character, or byte. Whether there is one is a decision.
fn item(text: Obj, index: Obj, position: TermId) -> Made {
    let Some(term) = text_term(text) else {
        return not_implemented();
    };
    // SAFETY: a live str or bytes.
    let size = unsafe { plain_size(text) };
    let concrete = super::small_int(index);
    let from_end = super::arithmetic::is_negative(index);
    let built = build(|pool| {
        let length = pool.apply(Operation::Length, &[term]);
        let zero = pool.small(0);
        let negative = pool.lt(position, zero);
        let shifted = pool.binary(BinaryOp::Add, position, length);
        (negative, shifted, length)
    });
    let Some((negative, shifted, length)) = built else {
        return not_implemented();
    };
    recorder::decide_kind(negative, from_end, DecisionKind::Index)?;
    let position = if from_end { shifted } else { position };
    let concrete = concrete.map(|value| if from_end { value + size } else { value });
    let inside = concrete.filter(|value| (0..size).contains(value));
    let in_range = build(|pool| {
        let zero = pool.small(0);
        let (low, high) = (pool.ge(position, zero), pool.lt(position, length));
        pool.and(low, high)
    });
    if let Some(in_range) = in_range {
        recorder::decide_kind(in_range, inside.is_some(), DecisionKind::Index)?;
    }
    let Some(concrete) = inside else {
        return Err(out_of_range(text, index)?);
    };
    unit_at(text, term, position, concrete)
}

/// The exception for an index that is no position. CPython has other words for one too large for C.
fn out_of_range(text: Obj, index: Obj) -> Result<Raised, Raised> {
    let fits = super::small_int(index).is_some();
    if let Some(operand) = Operand::of(index) {
        let index = operand.as_int();
        let condition = build(|pool| {
            let (least, most) = (pool.small(i64::MIN), pool.small(i64::MAX));
            let (low, high) = (pool.le(least, index), pool.le(index, most));
            pool.and(low, high)
        });
        if let Some(condition) = condition {
            recorder::decide_kind(condition, fits, DecisionKind::Index)?;
        }
    }
    Ok(raise(PyIndexError::new_err(match kind_of(text) {
        _ if !fits => "cannot fit 'int' into an index-sized integer",
        Some(TextKind::Bytes) => "index out of range",
        Some(TextKind::Str) | None => "string index out of range",
    })))
}

fn unit_at(text: Obj, term: TermId, position: TermId, concrete: i64) -> Made {
    // SAFETY: `concrete` is a position in the text.
    unsafe {
        if kind_of(text) == Some(TextKind::Bytes) {
            let byte = *ffi::PyBytes_AsString(text)
                .cast::<u8>()
                .add(concrete as usize);
            let plain = made(ffi::PyLong_FromLong(byte.into()))?;
            let code = build(|pool| pool.apply(Operation::At, &[term, position]));
            return code.map_or(Ok(plain), |code| int_result(plain, code));
        }
        let plain = made(ffi::PyUnicode_Substring(
            text,
            concrete as ffi::Py_ssize_t,
            concrete as ffi::Py_ssize_t + 1,
        ))?;
        let unit = build(|pool| {
            let one = pool.small(1);
            let end = pool.binary(BinaryOp::Add, position, one);
            pool.apply(Operation::Slice, &[term, position, end])
        });
        unit.map_or(Ok(plain), |unit| {
            lift::tagged_text(TextKind::Str, plain, unit)
        })
    }
}

unsafe fn plain_size(text: Obj) -> i64 {
    // SAFETY: a live str or bytes.
    unsafe {
        match kind_of(text) {
            Some(TextKind::Bytes) => ffi::Py_SIZE(text) as i64,
            Some(TextKind::Str) | None => lift::str_length(text) as i64,
        }
    }
}

unsafe extern "C" fn hash(a: Obj) -> ffi::Py_hash_t {
    number(|| {
        pin(a, operation("hash()"))?;
        // SAFETY: the hash of `str` or `bytes`, of a live object.
        unsafe {
            match (*base_of(a)).tp_hash {
                Some(slot) => Ok(slot(a)),
                None => Err(Raised),
            }
        }
    })
}

unsafe extern "C" fn iterate(a: Obj) -> Obj {
    object(|| call_model(c"iterate", &[a]))
}

/// `s % values` and, as the right operand, whatever else has a remainder.
unsafe extern "C" fn remainder(a: Obj, b: Obj) -> Obj {
    object(|| {
        if text_term(a).is_none() {
            return not_implemented();
        }
        call_room(c"pef.models.text.percent", c"formatted", &[a, b])
    })
}

/// `s * n` and `n * s`.
unsafe extern "C" fn multiply(a: Obj, b: Obj) -> Obj {
    object(|| {
        let (text, count) = if text_term(a).is_some() {
            (a, b)
        } else {
            (b, a)
        };
        if text_term(text).is_none() {
            return not_implemented();
        }
        call_model(c"repeated", &[text, count])
    })
}

fn slots() -> Slots {
    let mut slots = Slots::new();
    slots
        .add(ffi::Py_tp_methods, super::methods::text_method_table())
        .add(ffi::Py_tp_getset, super::methods::class_getter_table())
        .add(ffi::Py_tp_repr, super::methods::repr as *mut c_void)
        .add(ffi::Py_tp_hash, hash as *mut c_void)
        .add(ffi::Py_tp_iter, iterate as *mut c_void)
        .add(ffi::Py_tp_richcompare, compare as *mut c_void)
        .add(ffi::Py_nb_add, add as *mut c_void)
        .add(ffi::Py_nb_multiply, multiply as *mut c_void)
        .add(ffi::Py_nb_remainder, remainder as *mut c_void)
        .add(ffi::Py_nb_bool, truth as *mut c_void)
        .add(ffi::Py_sq_length, plain_length as *mut c_void)
        .add(ffi::Py_mp_length, plain_length as *mut c_void)
        .add(ffi::Py_sq_contains, contains as *mut c_void)
        .add(ffi::Py_mp_subscript, subscript as *mut c_void);
    slots
}

/// Makes `SymStr`.
pub(super) fn make_str(py: Python<'_>) -> PyResult<*mut ffi::PyTypeObject> {
    let mut slots = slots();
    slots.add(ffi::Py_tp_str, super::methods::text as *mut c_void);
    let size = layout::str_size() + size_of::<layout::Tag>();
    slots.subtype(
        py,
        &raw mut ffi::PyUnicode_Type,
        size,
        c"pef._native.SymStr",
        "str",
    )
}

/// Makes `SymBytes`.
pub(super) fn make_bytes(py: Python<'_>) -> PyResult<*mut ffi::PyTypeObject> {
    let mut slots = slots();
    slots
        .add(ffi::Py_tp_dealloc, super::int::dealloc as *mut c_void)
        .add(ffi::Py_tp_str, super::methods::repr as *mut c_void);
    slots.subtype(
        py,
        &raw mut ffi::PyBytes_Type,
        0,
        c"pef._native.SymBytes",
        "bytes",
    )
}
