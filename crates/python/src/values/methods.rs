//! The methods and attributes of `int`, on symbolic values.
//!
//! A method is modelled (a term), or it is the value itself, or it pins with a reason.
//! `REGISTRY` lists them all; the documentation table and the self-check are made from it.

use pef_logic::{Sort, UnaryOp};
use pyo3::ffi;
use std::ffi::{CStr, c_void};
use std::ptr::null_mut;

use super::arithmetic::as_int;
use super::{Operand, int_result, operation, surrender, symbolic};
use crate::boundary::{Made, Obj, made, object};
use crate::models::printing::text_of;
use crate::recorder::build;

fn count(a: Obj, op: UnaryOp, name: &CStr) -> Made {
    // SAFETY: `int` has a method of this name; the receiver is concrete.
    let result = unsafe {
        let plain = super::base_int(a);
        let result = ffi::PyObject_CallMethod(plain, name.as_ptr(), std::ptr::null());
        ffi::Py_DECREF(plain);
        made(result)?
    };
    let Some((sort, term)) = symbolic(a) else {
        return Ok(result);
    };
    let term = Operand { sort, term }.as_int();
    let counted = build(|pool| pool.unary(op, term));
    counted.map_or(Ok(result), |counted| int_result(result, counted))
}

unsafe extern "C" fn bit_length(a: Obj, _: Obj) -> Obj {
    object(|| count(a, UnaryOp::BitLength, c"bit_length"))
}

unsafe extern "C" fn bit_count(a: Obj, _: Obj) -> Obj {
    object(|| count(a, UnaryOp::BitCount, c"bit_count"))
}

unsafe extern "C" fn same_number(a: Obj, _: Obj) -> Obj {
    // SAFETY: the receiver is one of our ints.
    unsafe { as_int(a) }
}

unsafe extern "C" fn as_float(a: Obj, _: Obj) -> Obj {
    object(|| super::float::arithmetic::from_int(a))
}

unsafe extern "C" fn same_object(a: Obj, _: Obj) -> Obj {
    // SAFETY: a new reference to the receiver.
    unsafe { ffi::Py_NewRef(a) }
}

unsafe extern "C" fn always_true(_: Obj, _: Obj) -> Obj {
    // SAFETY: a new reference to a singleton.
    unsafe { ffi::Py_NewRef(ffi::Py_True()) }
}

unsafe extern "C" fn as_integer_ratio(a: Obj, _: Obj) -> Obj {
    object(|| {
        // SAFETY: the receiver is one of our ints; both parts are owned.
        unsafe {
            let number = made(as_int(a))?;
            let one = made(ffi::PyLong_FromLong(1))?;
            let ratio = ffi::PyTuple_Pack(2, number, one);
            ffi::Py_DECREF(number);
            ffi::Py_DECREF(one);
            made(ratio)
        }
    })
}

/// `round(x)` and `round(x, n)` for `n >= 0` are the number itself.
unsafe extern "C" fn round(a: Obj, args: *mut Obj, count: ffi::Py_ssize_t) -> Obj {
    object(|| {
        // SAFETY: `args` holds `count` live objects.
        unsafe {
            let digits = if count > 0 { *args } else { ffi::Py_None() };
            let whole = digits == ffi::Py_None()
                || (count == 1
                    && ffi::PyLong_Check(digits) != 0
                    && symbolic(digits).is_none()
                    && !super::arithmetic::is_negative(digits));
            if whole {
                return made(as_int(a));
            }
            pinned_call(a, c"__round__", args, count, "round() to tens")
        }
    })
}

/// Calls the method of `int` of this name on plain values.
///
/// # Safety
/// `args` holds `count` live objects.
unsafe fn pinned_call(
    a: Obj,
    name: &'static CStr,
    args: *const Obj,
    count: ffi::Py_ssize_t,
    reason: &'static str,
) -> Made {
    // SAFETY: as promised by the caller; every reference made here is released here.
    unsafe {
        let mut plain = vec![surrender(a, operation(reason))?];
        for index in 0..count {
            plain.push(surrender(*args.add(index as usize), operation(reason))?);
        }
        let method = ffi::PyUnicode_InternFromString(name.as_ptr());
        let result =
            ffi::PyObject_VectorcallMethod(method, plain.as_ptr(), plain.len(), null_mut());
        ffi::Py_DECREF(method);
        for object in plain {
            ffi::Py_DECREF(object);
        }
        made(result)
    }
}

unsafe extern "C" fn to_bytes(a: Obj, args: *const Obj, count: ffi::Py_ssize_t, names: Obj) -> Obj {
    object(|| {
        // SAFETY: `args` holds the positional and then the keyword arguments.
        unsafe {
            let total = count
                + if names.is_null() {
                    0
                } else {
                    ffi::PyTuple_Size(names)
                };
            let mut plain = vec![surrender(a, operation("to_bytes()"))?];
            for index in 0..total {
                plain.push(surrender(
                    *args.add(index as usize),
                    operation("to_bytes()"),
                )?);
            }
            let method = ffi::PyUnicode_InternFromString(c"to_bytes".as_ptr());
            let positional = count as usize + 1;
            let result = ffi::PyObject_VectorcallMethod(method, plain.as_ptr(), positional, names);
            ffi::Py_DECREF(method);
            for object in plain {
                ffi::Py_DECREF(object);
            }
            made(result)
        }
    })
}

unsafe extern "C" fn format(a: Obj, spec: Obj) -> Obj {
    object(|| {
        let plain = surrender(a, operation("format()"))?;
        // SAFETY: both are live; `plain` is owned.
        unsafe {
            let result = ffi::PyObject_Format(plain, spec);
            ffi::Py_DECREF(plain);
            made(result)
        }
    })
}

/// `__repr__()` by name, which C code does not use.
unsafe extern "C" fn repr_method(a: Obj, _: Obj) -> Obj {
    object(|| text_of(a, 'r'))
}

/// `__str__()` by name.
unsafe extern "C" fn str_method(a: Obj, _: Obj) -> Obj {
    object(|| text_of(a, 's'))
}

/// `str(s)` as C code asks for it: text it will copy.
pub(super) unsafe extern "C" fn text(a: Obj) -> Obj {
    object(|| surrender(a, operation("str()")))
}

pub(super) unsafe extern "C" fn repr(a: Obj) -> Obj {
    object(|| {
        let plain = surrender(a, operation("str()"))?;
        // SAFETY: `plain` is owned.
        unsafe {
            let result = ffi::PyObject_Repr(plain);
            ffi::Py_DECREF(plain);
            made(result)
        }
    })
}

/// Pickling and copying through `copyreg` see the plain value.
unsafe extern "C" fn reduce(a: Obj, _: Obj) -> Obj {
    // SAFETY: the method takes no arguments.
    object(|| unsafe { pinned_call(a, c"__reduce__", std::ptr::null(), 0, "pickling") })
}

unsafe extern "C" fn reduce_ex(a: Obj, protocol: Obj) -> Obj {
    // SAFETY: one argument, live.
    object(|| unsafe { pinned_call(a, c"__reduce_ex__", &raw const protocol, 1, "pickling") })
}

unsafe extern "C" fn get_new_arguments(a: Obj, _: Obj) -> Obj {
    // SAFETY: the method takes no arguments.
    object(|| unsafe { pinned_call(a, c"__getnewargs__", std::ptr::null(), 0, "pickling") })
}

unsafe extern "C" fn size_of_digits(a: Obj, _: Obj) -> Obj {
    // SAFETY: the method takes no arguments.
    object(|| unsafe { pinned_call(a, c"__sizeof__", std::ptr::null(), 0, "__sizeof__()") })
}

unsafe extern "C" fn get_class(a: Obj, _: *mut c_void) -> Obj {
    // SAFETY: a new reference to a static type.
    unsafe {
        let class = match super::native_sort(ffi::Py_TYPE(a)) {
            Some(Sort::Bool) => &raw mut ffi::PyBool_Type,
            Some(Sort::Str) => &raw mut ffi::PyUnicode_Type,
            Some(Sort::Bytes) => &raw mut ffi::PyBytes_Type,
            Some(Sort::Float) => &raw mut ffi::PyFloat_Type,
            Some(Sort::Int) | None => &raw mut ffi::PyLong_Type,
        };
        ffi::Py_NewRef(class.cast())
    }
}

unsafe extern "C" fn get_number(a: Obj, _: *mut c_void) -> Obj {
    // SAFETY: the receiver is one of our ints.
    unsafe { as_int(a) }
}

unsafe extern "C" fn get_zero(_: Obj, _: *mut c_void) -> Obj {
    // SAFETY: makes a new int.
    unsafe { ffi::PyLong_FromLong(0) }
}

unsafe extern "C" fn get_one(_: Obj, _: *mut c_void) -> Obj {
    // SAFETY: makes a new int.
    unsafe { ffi::PyLong_FromLong(1) }
}

/// In place of a slot's wrapper: the slot is for C code, which reads what it gets.
const SLOT: i32 = ffi::METH_NOARGS | ffi::METH_COEXIST;

type NoArgs = unsafe extern "C" fn(Obj, Obj) -> Obj;

fn method(name: &'static CStr, flags: i32, function: ffi::PyMethodDefPointer) -> ffi::PyMethodDef {
    ffi::PyMethodDef {
        ml_name: name.as_ptr(),
        ml_meth: function,
        ml_flags: flags,
        ml_doc: std::ptr::null(),
    }
}

fn simple(name: &'static CStr, flags: i32, function: NoArgs) -> ffi::PyMethodDef {
    method(
        name,
        flags,
        ffi::PyMethodDefPointer {
            PyCFunction: function,
        },
    )
}

/// The method table of both types; the type keeps it, so it is leaked once.
pub(super) fn method_table() -> *mut c_void {
    let mut table = vec![
        simple(c"bit_length", ffi::METH_NOARGS, bit_length),
        simple(c"bit_count", ffi::METH_NOARGS, bit_count),
        simple(c"conjugate", ffi::METH_NOARGS, same_number),
        // In place of the slot's wrapper: the slot is for C code, which copies the digits.
        simple(
            c"__int__",
            ffi::METH_NOARGS | ffi::METH_COEXIST,
            same_number,
        ),
        simple(c"__float__", ffi::METH_NOARGS | ffi::METH_COEXIST, as_float),
        simple(c"__trunc__", ffi::METH_NOARGS, same_number),
        simple(c"__floor__", ffi::METH_NOARGS, same_number),
        simple(c"__ceil__", ffi::METH_NOARGS, same_number),
        simple(c"as_integer_ratio", ffi::METH_NOARGS, as_integer_ratio),
        simple(c"__format__", ffi::METH_O, format),
        simple(c"__repr__", SLOT, repr_method),
        simple(c"__str__", SLOT, str_method),
        simple(c"__copy__", ffi::METH_NOARGS, same_object),
        simple(c"__deepcopy__", ffi::METH_O, same_object),
        simple(c"__reduce__", ffi::METH_NOARGS, reduce),
        simple(c"__reduce_ex__", ffi::METH_O, reduce_ex),
        simple(c"__getnewargs__", ffi::METH_NOARGS, get_new_arguments),
        simple(c"__sizeof__", ffi::METH_NOARGS, size_of_digits),
        method(
            c"__round__",
            ffi::METH_FASTCALL,
            ffi::PyMethodDefPointer {
                PyCFunctionFast: round,
            },
        ),
        method(
            c"to_bytes",
            ffi::METH_FASTCALL | ffi::METH_KEYWORDS,
            ffi::PyMethodDefPointer {
                PyCFunctionFastWithKeywords: to_bytes,
            },
        ),
    ];
    if cfg!(Py_3_12) {
        table.push(simple(c"is_integer", ffi::METH_NOARGS, always_true));
    }
    table.push(ffi::PyMethodDef::zeroed());
    Box::leak(table.into_boxed_slice()).as_mut_ptr().cast()
}

fn getter(
    name: &'static CStr,
    get: unsafe extern "C" fn(Obj, *mut c_void) -> Obj,
) -> ffi::PyGetSetDef {
    ffi::PyGetSetDef {
        name: name.as_ptr(),
        get: Some(get),
        set: None,
        doc: std::ptr::null(),
        closure: null_mut(),
    }
}

/// The method table of text; what is not here is written in Python.
pub(super) fn text_method_table() -> *mut c_void {
    let table = vec![
        simple(c"__format__", ffi::METH_O, format),
        simple(c"__repr__", SLOT, repr_method),
        simple(c"__str__", SLOT, str_method),
        simple(c"__copy__", ffi::METH_NOARGS, same_object),
        simple(c"__deepcopy__", ffi::METH_O, same_object),
        simple(c"__reduce__", ffi::METH_NOARGS, reduce),
        simple(c"__reduce_ex__", ffi::METH_O, reduce_ex),
        simple(c"__getnewargs__", ffi::METH_NOARGS, get_new_arguments),
        simple(c"__sizeof__", ffi::METH_NOARGS, size_of_digits),
        ffi::PyMethodDef::zeroed(),
    ];
    Box::leak(table.into_boxed_slice()).as_mut_ptr().cast()
}

/// The method table of floats; what is not here is written in Python.
pub(super) fn float_method_table(to_int: NoArgs, format: NoArgs) -> *mut c_void {
    let slot = ffi::METH_NOARGS | ffi::METH_COEXIST;
    let table = vec![
        // In place of the slots' wrappers: the slots are for C code, which gets plain numbers.
        simple(c"__int__", slot, to_int),
        simple(c"__float__", slot, same_object),
        simple(c"conjugate", ffi::METH_NOARGS, same_object),
        simple(c"__format__", ffi::METH_O, format),
        simple(c"__repr__", SLOT, repr_method),
        simple(c"__str__", SLOT, str_method),
        simple(c"__copy__", ffi::METH_NOARGS, same_object),
        simple(c"__deepcopy__", ffi::METH_O, same_object),
        simple(c"__reduce__", ffi::METH_NOARGS, reduce),
        simple(c"__reduce_ex__", ffi::METH_O, reduce_ex),
        simple(c"__getnewargs__", ffi::METH_NOARGS, get_new_arguments),
        ffi::PyMethodDef::zeroed(),
    ];
    Box::leak(table.into_boxed_slice()).as_mut_ptr().cast()
}

type Getter = unsafe extern "C" fn(Obj, *mut c_void) -> Obj;

/// The attribute table of floats.
pub(super) fn float_getter_table(real: Getter, imaginary: Getter) -> *mut c_void {
    let table = vec![
        getter(c"__class__", get_class),
        getter(c"real", real),
        getter(c"imag", imaginary),
        no_getter(),
    ];
    Box::leak(table.into_boxed_slice()).as_mut_ptr().cast()
}

/// The attribute table of types whose only attribute of this kind is `__class__`.
pub(super) fn class_getter_table() -> *mut c_void {
    let table = vec![getter(c"__class__", get_class), no_getter()];
    Box::leak(table.into_boxed_slice()).as_mut_ptr().cast()
}

fn no_getter() -> ffi::PyGetSetDef {
    ffi::PyGetSetDef {
        name: std::ptr::null(),
        get: None,
        set: None,
        doc: std::ptr::null(),
        closure: null_mut(),
    }
}

/// The attribute table of both types.
pub(super) fn getter_table() -> *mut c_void {
    let table = vec![
        getter(c"__class__", get_class),
        getter(c"real", get_number),
        getter(c"numerator", get_number),
        getter(c"imag", get_zero),
        getter(c"denominator", get_one),
        no_getter(),
    ];
    Box::leak(table.into_boxed_slice()).as_mut_ptr().cast()
}
