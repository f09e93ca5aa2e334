//! `str`, `repr`, `ascii`, `format` and the fields of f-strings, as rewritten code calls them.
//!
//! The slots of our values are for C code, which copies the text it is given: there the value is pinned. What
//! rewritten code asks for comes here, and goes on to `pef.models.text` unless the value is of a type that has
//! nothing symbolic in it.

use pyo3::ffi;
use std::ffi::CStr;

use super::builtin::{of_one, varied};
use crate::boundary::{Made, Obj, made, object};
use crate::recorder;
use crate::values;

/// A function of a room of `pef.models.text`, as a new reference.
pub fn room(module: &CStr, function: &CStr) -> Made {
    // SAFETY: every reference made here is released here, but for the result.
    unsafe {
        let module = made(ffi::PyImport_ImportModule(module.as_ptr()))?;
        let function = ffi::PyObject_GetAttrString(module, function.as_ptr());
        ffi::Py_DECREF(module);
        made(function)
    }
}

/// Calls a function of a room of `pef.models.text`.
pub fn call_room(module: &CStr, function: &CStr, arguments: &[Obj]) -> Made {
    let function = room(module, function)?;
    // SAFETY: live objects; the function is owned.
    unsafe {
        let count = arguments.len();
        let result =
            ffi::PyObject_Vectorcall(function, arguments.as_ptr(), count, std::ptr::null_mut());
        ffi::Py_DECREF(function);
        made(result)
    }
}

const PRINTING: &CStr = c"pef.models.text.printing";
const FORMATTING: &CStr = c"pef.models.text.formatting";

/// Whether C code can be asked for the text of a value without losing anything.
pub fn is_plain(value: Obj) -> bool {
    // SAFETY: a live object; type checks have no side effects.
    unsafe {
        value == ffi::Py_None()
            || ffi::PyBool_Check(value) != 0
            || ffi::PyLong_CheckExact(value) != 0
            || ffi::PyUnicode_CheckExact(value) != 0
            || ffi::PyFloat_CheckExact(value) != 0
            || ffi::PyBytes_CheckExact(value) != 0
            || !recorder::is_recording()
    }
}

unsafe extern "C" fn repr(_: Obj, value: Obj) -> Obj {
    object(|| text_of(value, 'r'))
}

unsafe extern "C" fn ascii(_: Obj, value: Obj) -> Obj {
    object(|| text_of(value, 'a'))
}

/// `str(value)`; other forms of the call decode bytes.
unsafe extern "C" fn str_model(
    _: Obj,
    args: *const Obj,
    count: ffi::Py_ssize_t,
    names: Obj,
) -> Obj {
    object(|| {
        // SAFETY: called by the interpreter with live arguments.
        unsafe {
            if count == 1 && names.is_null() {
                return text_of(*args, 's');
            }
            let callee = room(PRINTING, c"str_from")?;
            let result = ffi::PyObject_Vectorcall(callee, args, count as usize, names);
            ffi::Py_DECREF(callee);
            made(result)
        }
    })
}

/// `format(value)` and `format(value, spec)`
unsafe extern "C" fn format(_: Obj, args: *const Obj, count: ffi::Py_ssize_t, names: Obj) -> Obj {
    object(|| {
        // SAFETY: called by the interpreter with live arguments.
        unsafe {
            let given = if count == 0 {
                &[]
            } else {
                std::slice::from_raw_parts(args, count as usize)
            };
            if names.is_null() && (1..=2).contains(&count) && !given.iter().copied().all(is_plain) {
                return call_room(FORMATTING, c"format_of", given);
            }
            let callee = ffi::PyDict_GetItemString(ffi::PyEval_GetBuiltins(), c"format".as_ptr());
            made(ffi::PyObject_Vectorcall(
                callee,
                args,
                count as usize,
                names,
            ))
        }
    })
}

/// The text of a value by a conversion: `s`, `r` or `a`.
pub fn text_of(value: Obj, conversion: char) -> Made {
    // SAFETY: a live object.
    unsafe {
        match (conversion, is_plain(value)) {
            ('s', true) => made(ffi::PyObject_Str(value)),
            ('r', true) => made(ffi::PyObject_Repr(value)),
            (_, true) => made(ffi::PyObject_ASCII(value)),
            ('s', false) => call_room(PRINTING, c"str_of", &[value]),
            ('r', false) => call_room(PRINTING, c"repr_of", &[value]),
            (_, false) => call_room(PRINTING, c"ascii_of", &[value]),
        }
    }
}

/// `__pef_field__(value, conversion, *spec)`: a field of an f-string. The conversion is a code point, -1 for none,
/// or 0 for a field of a specification, which may be a number of ours: a width. The specification comes in parts.
pub unsafe extern "C" fn field(_: Obj, args: *mut Obj, count: ffi::Py_ssize_t) -> Obj {
    object(|| {
        // SAFETY: called with at least two arguments by rewritten code.
        unsafe {
            let given = std::slice::from_raw_parts(args, count as usize);
            let (value, spec) = (given[0], &given[2..]);
            let conversion = ffi::PyLong_AsLong(given[1]);
            if conversion == 0 && values::is_int(value) {
                return Ok(ffi::Py_NewRef(value));
            }
            let conversion = u32::try_from(conversion).ok().filter(|&code| code > 0);
            let value = match conversion.and_then(char::from_u32) {
                Some(conversion) => text_of(value, conversion)?,
                None => ffi::Py_NewRef(value),
            };
            let result = formatted(value, spec);
            ffi::Py_DECREF(value);
            result
        }
    })
}

fn formatted(value: Obj, spec: &[Obj]) -> Made {
    // SAFETY: live objects; every reference made here is released here, but for the result.
    unsafe {
        let plain = is_plain(value) && spec.iter().copied().all(is_plain);
        if plain && spec.len() <= 1 {
            let spec = spec.first().copied().unwrap_or(std::ptr::null_mut());
            return made(ffi::PyObject_Format(value, spec));
        }
        let parts = made(ffi::PyTuple_New(spec.len() as ffi::Py_ssize_t))?;
        for (position, &part) in spec.iter().enumerate() {
            ffi::PyTuple_SET_ITEM(parts, position as ffi::Py_ssize_t, ffi::Py_NewRef(part));
        }
        let result = call_room(FORMATTING, c"format_by_parts", &[value, parts]);
        ffi::Py_DECREF(parts);
        result
    }
}

/// The definitions of the models, by the names of what they stand for.
pub fn definitions() -> [ffi::PyMethodDef; 4] {
    [
        of_one(c"repr", repr),
        of_one(c"ascii", ascii),
        varied(c"str", str_model),
        varied(c"format", format),
    ]
}
