//! `x in c`, for containers that would not ask the value.

use pyo3::ffi;
use pyo3::prelude::*;
use std::ffi::CStr;

use super::equality::is_symbolic_key;
use super::{negation, small_value};
use crate::boundary::{Made, Obj, Raised, object};
use crate::recorder::build;
use crate::values::{self, bool_result, symbolic};

/// `x in c`
pub(super) unsafe extern "C" fn contains(_: Obj, args: *mut Obj, _: ffi::Py_ssize_t) -> Obj {
    // SAFETY: called with two arguments by rewritten code.
    let (item, container) = unsafe { (*args, *args.add(1)) };
    object(|| membership(item, container))
}

/// `x not in c`
pub(super) unsafe extern "C" fn not_contains(_: Obj, args: *mut Obj, _: ffi::Py_ssize_t) -> Obj {
    // SAFETY: called with two arguments by rewritten code.
    let (item, container) = unsafe { (*args, *args.add(1)) };
    object(|| {
        let inside = membership(item, container)?;
        // SAFETY: `inside` is owned.
        unsafe {
            let result = negation(inside);
            ffi::Py_DECREF(inside);
            result
        }
    })
}

/// Whether the class of a dict or set, or a base, defines `__contains__` in Python.
fn has_python_membership(container: Obj) -> bool {
    // SAFETY: a live object.
    let heap = unsafe { (*ffi::Py_TYPE(container)).tp_flags & ffi::Py_TPFLAGS_HEAPTYPE != 0 };
    heap && Python::attach(|py| {
        // SAFETY: a live object.
        let container = unsafe { Bound::from_borrowed_ptr(py, container) };
        let method = container.get_type().getattr("__contains__");
        method.is_ok_and(|method| method.is_instance_of::<pyo3::types::PyFunction>())
    })
}

/// Whether a container looks its items up by hash.
fn hashes(container: Obj) -> bool {
    // SAFETY: a live object; type checks have no side effects.
    unsafe {
        let class = ffi::Py_TYPE(container);
        ffi::PyDict_Check(container) != 0
            || ffi::PyAnySet_Check(container) != 0
            || class == &raw mut ffi::PyDictKeys_Type
            || class == &raw mut ffi::PyDictItems_Type
    }
}

fn membership(item: Obj, container: Obj) -> Made {
    if let Some(inside) = values::text::membership(item, container) {
        return inside;
    }
    if hashes(container)
        && (is_symbolic_key(item) || super::keyed::is_keyed(container))
        && !has_python_membership(container)
        && let Some(inside) = super::keys::contains(item, container)?
    {
        return Ok(inside);
    }
    // SAFETY: live objects.
    unsafe {
        if values::is_number(item)
            && ffi::PyRange_Check(container) != 0
            && let Some(result) = in_range(item, container)?
        {
            return Ok(result);
        }
        match ffi::PySequence_Contains(container, item) {
            -1 => Err(Raised),
            0 => Ok(ffi::Py_NewRef(ffi::Py_False())),
            _ => Ok(ffi::Py_NewRef(ffi::Py_True())),
        }
    }
}

/// `x in range(a, b, s)` with a symbolic `x`, as one condition.
fn in_range(item: Obj, range: Obj) -> Result<Option<Obj>, Raised> {
    let Some((sort, term)) = symbolic(item) else {
        return Ok(None);
    };
    let term = values::Operand { sort, term }.as_int();
    let read = |name: &CStr| -> Option<i64> {
        // SAFETY: a live range; the attribute is owned here.
        unsafe {
            let value = ffi::PyObject_GetAttrString(range, name.as_ptr());
            if value.is_null() {
                ffi::PyErr_Clear();
                return None;
            }
            let small = small_value(value);
            ffi::Py_DECREF(value);
            small
        }
    };
    let (Some(start), Some(stop), Some(step)) = (read(c"start"), read(c"stop"), read(c"step"))
    else {
        return Ok(None);
    };
    let condition = build(|pool| {
        let (first, last) = (pool.small(start), pool.small(stop));
        let bounds = if step > 0 {
            let (low, high) = (pool.ge(term, first), pool.lt(term, last));
            pool.and(low, high)
        } else {
            let (low, high) = (pool.gt(term, last), pool.le(term, first));
            pool.and(low, high)
        };
        let offset = pool.binary(pef_logic::BinaryOp::Sub, term, first);
        let stride = pool.small(step);
        let rest = pool.binary(pef_logic::BinaryOp::Mod, offset, stride);
        let zero = pool.small(0);
        let on_step = pool.eq(rest, zero);
        pool.and(bounds, on_step)
    });
    let Some(condition) = condition else {
        return Ok(None);
    };
    // SAFETY: live objects; the plain copy is owned.
    let inside = unsafe {
        let plain = values::concrete(item)?;
        let inside = ffi::PySequence_Contains(range, plain);
        ffi::Py_DECREF(plain);
        if inside < 0 {
            return Err(Raised);
        }
        inside == 1
    };
    bool_result(inside, condition).map(Some)
}

/// As a decision, for C code that asks.
pub fn in_range_truth(item: Obj, range: Obj) -> Result<Option<bool>, Raised> {
    let Some(inside) = in_range(item, range)? else {
        return Ok(None);
    };
    // SAFETY: `inside` is owned.
    unsafe {
        let truth = ffi::PyObject_IsTrue(inside);
        ffi::Py_DECREF(inside);
        if truth < 0 {
            Err(Raised)
        } else {
            Ok(Some(truth == 1))
        }
    }
}
