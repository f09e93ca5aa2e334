//! Symbolic values that are real `int` objects for all C code.
//!
//! One file per type. What every type shares: a native subclass made from a spec, whose
//! instances carry a term ([`crate::layout::Tag`]) beside their concrete value; slots
//! that compute the concrete result with CPython's own code and the term beside it. A
//! result whose term folds to a constant is a plain object again.

pub mod arithmetic;
pub mod bool;
pub mod compare;
mod dispatch;
mod foreign;
mod inherited;
pub mod int;
pub mod methods;
mod slots;
mod spec;
pub mod watched;

use pef_explore::PinReason;
use pef_logic::{BinaryOp, Comparison, Integer, Sort, Term, TermId};
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
}

static TYPES: GilCell<Types> = GilCell::new(Types {
    int: std::ptr::null_mut(),
    bool: std::ptr::null_mut(),
});

/// Makes the native types and adds them to the module.
pub fn install(module: &Bound<'_, PyModule>) -> PyResult<()> {
    layout::check(module.py())?;
    dispatch::install(module.py())?;
    inherited::install(module.py())?;
    let int = int::make_type(module.py())?;
    let boolean = bool::make_type(module.py())?;
    TYPES.with(|types| *types = Types { int, bool: boolean });
    foreign::install();
    // SAFETY: both are live type objects; the module takes its own references.
    unsafe {
        let py = module.py();
        module.add("SymInt", Bound::from_borrowed_ptr(py, int.cast()))?;
        module.add("SymBool", Bound::from_borrowed_ptr(py, boolean.cast()))?;
    }
    Ok(())
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
    let types = types();
    let sort = if class == types.int {
        Sort::Int
    } else if class == types.bool {
        Sort::Bool
    } else {
        return None;
    };
    // SAFETY: instances of these types carry a tag.
    let tag = unsafe { layout::tag(object) };
    (recorder::recording_epoch() == Some(tag.epoch)).then_some((sort, tag.term))
}

/// True for an instance of a native symbolic type, even a stale one.
#[inline]
pub fn is_native(object: Obj) -> bool {
    // SAFETY: `object` is a live object.
    let class = unsafe { ffi::Py_TYPE(object) };
    let types = types();
    class == types.int || class == types.bool
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
            return Some(Operand { sort, term });
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
            Sort::Int => self.term,
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
    let constant = recorder::build(|pool| matches!(pool.get(term), Term::Bool(_) | Term::Int(_)));
    let (Some(false), Some(epoch)) = (constant, recorder::recording_epoch()) else {
        return Ok(concrete);
    };
    // SAFETY: `concrete` is an owned exact int or bool, `class` one of our types.
    unsafe {
        let object = layout::new_tagged(class, concrete, Tag { term, epoch });
        ffi::Py_DECREF(concrete);
        object
    }
}

/// The concrete value of an int object, as a new exact int (or bool for a `SymBool`).
pub fn concrete(object: Obj) -> Made {
    // SAFETY: `object` is a live object; for an int subclass `nb_int` of `int` makes an
    // exact copy.
    unsafe {
        let class = ffi::Py_TYPE(object);
        if class == types().bool {
            return Ok(ffi::Py_NewRef(if is_nonzero(object) {
                ffi::Py_True()
            } else {
                ffi::Py_False()
            }));
        }
        if class == types().int {
            return crate::boundary::made(base_int(object));
        }
        Ok(ffi::Py_NewRef(object))
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

/// Pins a symbolic value to its concrete one; does nothing for plain values.
pub fn pin(object: Obj, reason: PinReason) -> Result<(), Raised> {
    let Some((sort, term)) = symbolic(object) else {
        return Ok(());
    };
    let same = match sort {
        Sort::Bool => {
            let value = is_nonzero(object);
            recorder::build(|pool| if value { term } else { pool.not(term) })
        }
        Sort::Int => {
            let Some(value) = constant(object) else {
                return Ok(());
            };
            recorder::build(|pool| pool.compare(Comparison::Eq, term, value))
        }
    };
    same.map_or(Ok(()), |same| recorder::pin(same, reason))
}

/// Gives up the symbolic side of `object` before C code sees it: a bool becomes a
/// decision, anything else is pinned. Returns the plain value.
pub fn surrender(object: Obj, reason: PinReason) -> Made {
    match symbolic(object) {
        Some((Sort::Bool, term)) => {
            recorder::decide_truth(term, is_nonzero(object))?;
        }
        Some((Sort::Int, _)) => pin(object, reason)?,
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
