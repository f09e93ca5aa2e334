//! Symbolic values that are real `int`, `str`, `bytes` and `float` objects for all C code.
//!
//! One file per type. What every type shares: a native subclass made from a spec, whose
//! instances carry a term ([`crate::layout::Tag`]) beside their concrete value; slots
//! that compute the concrete result with CPython's own code and the term beside it. A
//! result whose term folds to a constant is a plain object again.

mod algebra;
mod apply;
pub mod arithmetic;
pub mod bool;
mod characters;
pub mod compare;
mod dispatch;
pub mod float;
mod foreign;
mod inherited;
pub mod int;
pub mod lift;
pub mod methods;
mod slots;
mod spec;
pub mod text;
pub mod watched;

pub use spec::Slots;

use pef_explore::PinReason;
use pef_logic::{BinaryOp, Integer, Operation, Sort, Term, TermId, TermPool};
use pyo3::ffi;
use pyo3::prelude::*;

use crate::boundary::{GilCell, Made, Obj, Raised};
use crate::layout::{self, Tag};
use crate::recorder;

/// The native types, made once when the module is loaded.
#[derive(Clone, Copy)]
pub struct Types {
    /// `SymInt`
    pub int: *mut ffi::PyTypeObject,
    /// `SymBool`
    pub bool: *mut ffi::PyTypeObject,
    /// `SymStr`
    pub str: *mut ffi::PyTypeObject,
    /// `SymBytes`
    pub bytes: *mut ffi::PyTypeObject,
    /// `SymFloat`
    pub float: *mut ffi::PyTypeObject,
}

static TYPES: GilCell<Types> = GilCell::new(Types {
    int: std::ptr::null_mut(),
    bool: std::ptr::null_mut(),
    str: std::ptr::null_mut(),
    bytes: std::ptr::null_mut(),
    float: std::ptr::null_mut(),
});

/// Makes the native types and adds them to the module.
pub fn install(module: &Bound<'_, PyModule>) -> PyResult<()> {
    layout::check(module.py())?;
    dispatch::install(module.py())?;
    let py = module.py();
    let made = Types {
        int: int::make_type(py)?,
        bool: bool::make_type(py)?,
        str: text::make_str(py)?,
        bytes: text::make_bytes(py)?,
        float: float::make_type(py)?,
    };
    TYPES.with(|types| *types = made);
    let named = [
        ("SymInt", made.int),
        ("SymBool", made.bool),
        ("SymStr", made.str),
        ("SymBytes", made.bytes),
        ("SymFloat", made.float),
    ];
    for (name, class) in named {
        // SAFETY: a live type object; the module takes its own reference.
        module.add(name, unsafe { Bound::from_borrowed_ptr(py, class.cast()) })?;
    }
    let classes = named.map(|(_, class)| {
        // SAFETY: as above.
        unsafe { Bound::from_borrowed_ptr(py, class.cast()) }
    });
    module.add("SYMBOLIC_TYPES", pyo3::types::PyTuple::new(py, classes)?)?;
    foreign::add_to(module)?;
    apply::install(module)
}

/// Whether the types of the interpreter know of ours.
static AWAKE: GilCell<bool> = GilCell::new(false);

/// Wraps the slots of built-in types that would read our values unnoticed, once.
///
/// Until then this process computes as if nobody had loaded us, and so do those forked from it.
pub fn awaken(py: Python<'_>) -> PyResult<()> {
    if AWAKE.with(|awake| std::mem::replace(awake, true)) {
        return Ok(());
    }
    inherited::install(py)?;
    float::inherited::install(py)?;
    foreign::install();
    algebra::install();
    watched::install();
    Ok(())
}

/// Whether [`awaken`] was called.
pub fn is_awake() -> bool {
    AWAKE.with(|awake| *awake)
}

/// The native types.
#[inline]
pub fn types() -> Types {
    TYPES.with(|types| *types)
}

/// The symbolic side of a live value, with its sort.
#[inline]
pub fn symbolic(object: Obj) -> Option<(Sort, TermId)> {
    // SAFETY: `object` is a live object.
    let class = unsafe { ffi::Py_TYPE(object) };
    let sort = native_sort(class)?;
    // SAFETY: instances of these types carry a tag.
    let tag = unsafe { layout::tag(object, sort) };
    (recorder::recording_epoch() == Some(tag.epoch)).then_some((sort, tag.term))
}

/// The sort of the values of a class, if it is one of ours.
#[inline]
fn native_sort(class: *mut ffi::PyTypeObject) -> Option<Sort> {
    let types = types();
    if class == types.int {
        Some(Sort::Int)
    } else if class == types.bool {
        Some(Sort::Bool)
    } else if class == types.str {
        Some(Sort::Str)
    } else if class == types.bytes {
        Some(Sort::Bytes)
    } else if class == types.float {
        Some(Sort::Float)
    } else {
        None
    }
}

/// True for an instance of a native symbolic type, even a stale one.
#[inline]
pub fn is_native(object: Obj) -> bool {
    // SAFETY: `object` is a live object.
    native_sort(unsafe { ffi::Py_TYPE(object) }).is_some()
}

/// True for a native symbolic int, even a stale one.
pub fn is_int(object: Obj) -> std::primitive::bool {
    // SAFETY: `object` is a live object.
    unsafe { ffi::Py_TYPE(object) == types().int }
}

/// True for a native symbolic int or bool, even a stale one.
#[inline]
pub fn is_number(object: Obj) -> bool {
    // SAFETY: `object` is a live object.
    let class = unsafe { ffi::Py_TYPE(object) };
    let types = types();
    class == types.int || class == types.bool
}

/// The condition under which a value of this sort is true.
pub fn truth_term(pool: &mut TermPool, sort: Sort, term: TermId) -> TermId {
    match sort {
        Sort::Bool => term,
        Sort::Int => {
            let zero = pool.small(0);
            pool.ne(term, zero)
        }
        Sort::Str | Sort::Bytes => {
            let (length, zero) = (pool.apply(Operation::Length, &[term]), pool.small(0));
            pool.ne(length, zero)
        }
        Sort::Float => {
            let zero = pool.float(0.0);
            let is_zero = pool.apply(Operation::FloatEq, &[term, zero]);
            pool.not(is_zero)
        }
    }
}

/// The truth of the concrete side of one of our values.
pub fn concrete_truth(object: Obj) -> std::primitive::bool {
    // SAFETY: a live object, of the type just checked.
    unsafe {
        match native_sort(ffi::Py_TYPE(object)) {
            Some(Sort::Str) => lift::str_length(object) != 0,
            Some(Sort::Bytes) => ffi::Py_SIZE(object) != 0,
            Some(Sort::Float) => ffi::PyFloat_AS_DOUBLE(object) != 0.0,
            Some(Sort::Int | Sort::Bool) | None => is_nonzero(object),
        }
    }
}

/// An operand of an operation, as a term.
#[derive(Clone, Copy, Debug)]
pub struct Operand {
    /// Bool only for bools, symbolic or plain.
    pub sort: Sort,
    /// Its term, of that sort.
    pub term: TermId,
}

impl Operand {
    /// The operand of a live object: symbolic, or a plain int or bool as a constant (the
    /// number of a subclass's instance, too).
    /// `None` for everything else.
    pub fn of(object: Obj) -> Option<Operand> {
        if let Some((sort, term)) = symbolic(object) {
            let number = matches!(sort, Sort::Bool | Sort::Int);
            return number.then_some(Operand { sort, term });
        }
        // SAFETY: `object` is a live object; identity with the singletons and type checks
        // have no side effects.
        unsafe {
            if object == ffi::Py_True() || object == ffi::Py_False() {
                let value = object == ffi::Py_True();
                let term = recorder::build(|pool| pool.bool(value))?;
                return Some(Operand {
                    sort: Sort::Bool,
                    term,
                });
            }
            if ffi::PyLong_Check(object) != 0 {
                let term = constant(object)?;
                return Some(Operand {
                    sort: Sort::Int,
                    term,
                });
            }
        }
        None
    }

    /// The operand as an integer term.
    pub fn as_int(self) -> TermId {
        match self.sort {
            Sort::Int | Sort::Str | Sort::Bytes | Sort::Float => self.term,
            Sort::Bool => recorder::build(|pool| pool.from_bool(self.term)).unwrap_or(self.term),
        }
    }
}

/// The constant term of a plain int (or of the concrete value of any int).
pub fn constant(object: Obj) -> Option<TermId> {
    let mut overflow = 0;
    // SAFETY: `object` is a live int.
    let small = unsafe { ffi::PyLong_AsLongLongAndOverflow(object, &raw mut overflow) };
    if overflow == 0 {
        return recorder::build(|pool| pool.small(small));
    }
    let big = Python::attach(|py| {
        // SAFETY: as above; borrowed for the extraction.
        let object = unsafe { Bound::from_borrowed_ptr(py, object) };
        object.extract::<num_bigint::BigInt>().ok()
    })?;
    recorder::build(|pool| pool.int(Integer::from(big)))
}

/// A symbolic int with the value of `concrete` (a new reference to an exact int, taken
/// over) and `term`; `concrete` itself if the term is a constant.
pub fn int_result(concrete: Obj, term: TermId) -> Made {
    tagged(types().int, concrete, term)
}

/// A symbolic bool, or the plain one if the term is a constant.
pub fn bool_result(value: std::primitive::bool, term: TermId) -> Made {
    // SAFETY: makes a new reference to a singleton.
    let concrete = unsafe {
        ffi::Py_NewRef(if value {
            ffi::Py_True()
        } else {
            ffi::Py_False()
        })
    };
    tagged(types().bool, concrete, term)
}

fn tagged(class: *mut ffi::PyTypeObject, concrete: Obj, term: TermId) -> Made {
    let Some(epoch) = recorder::recording_epoch().filter(|_| !is_constant(term)) else {
        return Ok(concrete);
    };
    // SAFETY: `concrete` is an owned exact int or bool, `class` one of our types.
    unsafe {
        let object = layout::new_tagged(class, concrete, Tag { term, epoch });
        ffi::Py_DECREF(concrete);
        object
    }
}

/// Whether a term is a constant; also if there is no run it could belong to.
fn is_constant(term: TermId) -> std::primitive::bool {
    recorder::build(|pool| {
        matches!(
            pool.get(term),
            Term::Bool(_) | Term::Int(_) | Term::Text(_) | Term::Float(_)
        )
    })
    .unwrap_or(true)
}

/// The concrete value of one of our values, as a new exact object; anything else is itself.
pub fn concrete(object: Obj) -> Made {
    // SAFETY: `object` is a live object of the type just checked; the functions of the C API make exact
    // copies.
    unsafe {
        match native_sort(ffi::Py_TYPE(object)) {
            Some(Sort::Bool) => Ok(ffi::Py_NewRef(if is_nonzero(object) {
                ffi::Py_True()
            } else {
                ffi::Py_False()
            })),
            Some(Sort::Int) => crate::boundary::made(base_int(object)),
            Some(Sort::Str) => crate::boundary::made(ffi::PyUnicode_FromObject(object)),
            Some(Sort::Bytes) => {
                let (data, size) = (ffi::PyBytes_AsString(object), ffi::Py_SIZE(object));
                crate::boundary::made(ffi::PyBytes_FromStringAndSize(data, size))
            }
            Some(Sort::Float) => {
                let value = ffi::PyFloat_AS_DOUBLE(object);
                crate::boundary::made(ffi::PyFloat_FromDouble(value))
            }
            None => Ok(ffi::Py_NewRef(object)),
        }
    }
}

/// `int.__int__` of CPython itself.
///
/// # Safety
/// `object` is a live int.
unsafe fn base_int(object: Obj) -> Obj {
    // SAFETY: `int` defines this slot; the object is an int.
    unsafe {
        let slots = ffi::PyLong_Type.tp_as_number;
        match (*slots).nb_int {
            Some(slot) => slot(object),
            None => ffi::Py_NewRef(object),
        }
    }
}

/// The truth of the concrete value of an int.
pub fn is_nonzero(object: Obj) -> std::primitive::bool {
    // SAFETY: `object` is a live int; `int`'s own slot looks at its digits only.
    unsafe {
        let slots = ffi::PyLong_Type.tp_as_number;
        (*slots).nb_bool.is_some_and(|slot| slot(object) == 1)
    }
}

/// The concrete value of an int, if it fits a machine word.
fn small_int(object: Obj) -> Option<i64> {
    let mut overflow = 0;
    // SAFETY: a live int.
    let value = unsafe { ffi::PyLong_AsLongLongAndOverflow(object, &raw mut overflow) };
    (overflow == 0).then_some(value)
}

/// Pins a symbolic value to its concrete one; does nothing for plain values.
pub fn pin(object: Obj, reason: PinReason) -> Result<(), Raised> {
    let Some((sort, term)) = symbolic(object) else {
        return Ok(());
    };
    let same = match lift::value(object) {
        Some(value) => recorder::build(|pool| {
            let constant = pool.constant(&value);
            pool.same(term, constant)
        }),
        None => return Ok(()),
    };
    debug_assert!(sort != Sort::Bool || same.is_some());
    same.map_or(Ok(()), |same| recorder::pin(same, reason))
}

/// Gives up the symbolic side of `object` before C code sees it: a bool becomes a
/// decision, anything else is pinned. Returns the plain value.
pub fn surrender(object: Obj, reason: PinReason) -> Made {
    match symbolic(object) {
        Some((Sort::Bool, term)) => {
            recorder::decide_truth(term, is_nonzero(object))?;
        }
        Some((Sort::Int | Sort::Str | Sort::Bytes | Sort::Float, _)) => pin(object, reason)?,
        None => {}
    }
    concrete(object)
}

/// Shorthand for an operation's pin reason.
pub fn operation(name: &'static str) -> PinReason {
    PinReason::Operation(name)
}

/// Builds a binary term of two integer operands.
pub fn binary_term(op: BinaryOp, left: Operand, right: Operand) -> Option<TermId> {
    let (left, right) = (left.as_int(), right.as_int());
    recorder::build(|pool| pool.binary(op, left, right))
}
