//! The stand-in for a callable without a model.
//!
//! `sel` sees the callee before the arguments exist, so it hands out a guard. When the
//! guard is called without symbolic arguments, it calls the original. With one, a Python
//! function is adopted (rewritten in place, then called); a C function gets plain values,
//! each pinned with the function's name as the reason.

use pef_explore::PinReason;
use pyo3::ffi;
use pyo3::prelude::*;
use std::ffi::{c_int, c_void};
use std::ptr::null_mut;

use super::registry;
use crate::boundary::{GilCell, Made, Obj, Raised, made, object, raise};
use crate::values;

#[repr(C)]
struct Guard {
    head: ffi::PyObject,
    callee: Obj,
    vectorcall: ffi::vectorcallfunc,
}

static TYPE: GilCell<*mut ffi::PyTypeObject> = GilCell::new(null_mut());

/// A guard around `callee`.
pub fn wrap(callee: Obj) -> Made {
    let class = TYPE.with(|class| *class);
    // SAFETY: `class` is our guard type, `Guard` its layout.
    unsafe {
        let guard = ffi::PyObject_Malloc(size_of::<Guard>()).cast::<Guard>();
        if guard.is_null() {
            ffi::PyErr_NoMemory();
            return Err(Raised);
        }
        ffi::PyObject_Init(guard.cast(), class);
        (*guard).callee = ffi::Py_NewRef(callee);
        (*guard).vectorcall = call;
        Ok(guard.cast())
    }
}

unsafe extern "C" fn call(
    guard: Obj,
    args: *const Obj,
    flags: usize,
    names: Obj,
) -> Obj {
    object(|| {
        // SAFETY: called by the interpreter with a guard and live arguments.
        unsafe {
            let callee = (*guard.cast::<Guard>()).callee;
            let positional = ffi::PyVectorcall_NARGS(flags) as usize;
            let keywords =
                if names.is_null() { 0 } else { ffi::PyTuple_Size(names) as usize };
            let given = if positional + keywords == 0 {
                &[]
            } else {
                std::slice::from_raw_parts(args, positional + keywords)
            };
            if !given.iter().any(|&argument| holds_symbolic(argument, DEPTH)) {
                return made(ffi::PyObject_Vectorcall(callee, args, flags, names));
            }
            if adopt(callee)? {
                return made(ffi::PyObject_Vectorcall(callee, args, flags, names));
            }
            call_plain(callee, given, positional, names)
        }
    })
}

/// How deep containers are searched for symbolic values.
const DEPTH: u32 = 4;

/// Whether a value is symbolic or a container that holds one.
fn holds_symbolic(value: Obj, depth: u32) -> bool {
    if values::symbolic(value).is_some() {
        return true;
    }
    depth > 0 && any_item(value, &mut |item| holds_symbolic(item, depth - 1))
}

/// Whether `test` holds for an element of a list, tuple, dict or set.
fn any_item(value: Obj, test: &mut dyn FnMut(Obj) -> bool) -> bool {
    // SAFETY: a live object of the type just checked; borrowed items are only looked at.
    unsafe {
        if ffi::PyList_CheckExact(value) != 0 {
            return (0..ffi::PyList_GET_SIZE(value)).any(|i| test(ffi::PyList_GET_ITEM(value, i)));
        }
        if ffi::PyTuple_CheckExact(value) != 0 {
            let size = ffi::PyTuple_GET_SIZE(value);
            return (0..size).any(|i| test(ffi::PyTuple_GET_ITEM(value, i)));
        }
        if ffi::PyDict_CheckExact(value) != 0 {
            let (mut position, mut key, mut item) = (0, null_mut(), null_mut());
            while ffi::PyDict_Next(value, &raw mut position, &raw mut key, &raw mut item) != 0 {
                if test(key) || test(item) {
                    return true;
                }
            }
        }
    }
    false
}

/// Rewrites a Python function or class that is about to see symbolic values.
unsafe fn adopt(callee: Obj) -> Result<bool, Raised> {
    Python::attach(|py| {
        // SAFETY: a live object.
        let callee = unsafe { Bound::from_borrowed_ptr(py, callee) };
        let Some(adopter) = registry::adopter(py) else { return Ok(false) };
        let _concrete = crate::recorder::Suspension::new();
        let adopted = adopter.call1(py, (&callee,)).and_then(|result| result.is_truthy(py));
        adopted.map_err(raise)
    })
}

fn call_plain(callee: Obj, given: &[Obj], positional: usize, names: Obj) -> Made {
    let reason = PinReason::Call(name_of(callee).into());
    let mut plain: Vec<Obj> = Vec::with_capacity(given.len());
    let mut failed = false;
    for &argument in given {
        match surrender_deep(argument, &reason, DEPTH) {
            Ok(value) => plain.push(value),
            Err(Raised) => {
                failed = true;
                break;
            }
        }
    }
    // SAFETY: `plain` holds owned references in the order of `given`.
    unsafe {
        let result = if failed {
            null_mut()
        } else {
            ffi::PyObject_Vectorcall(callee, plain.as_ptr(), positional, names)
        };
        for value in plain {
            ffi::Py_DECREF(value);
        }
        made(result)
    }
}

/// The value without its symbolic side. Lists and dicts are changed in place, so that the
/// callee can still mutate them; tuples are rebuilt.
fn surrender_deep(value: Obj, reason: &PinReason, depth: u32) -> Made {
    if values::is_native(value) {
        return values::surrender(value, reason.clone());
    }
    // SAFETY: live objects; every owned reference is handed on or released.
    unsafe {
        if depth == 0 || !any_item(value, &mut |item| holds_symbolic(item, depth - 1)) {
            return Ok(ffi::Py_NewRef(value));
        }
        if ffi::PyList_CheckExact(value) != 0 {
            for index in 0..ffi::PyList_GET_SIZE(value) {
                let item = ffi::PyList_GET_ITEM(value, index);
                let plain = surrender_deep(item, reason, depth - 1)?;
                if ffi::PyList_SetItem(value, index, plain) < 0 {
                    return Err(Raised);
                }
            }
            return Ok(ffi::Py_NewRef(value));
        }
        if ffi::PyTuple_CheckExact(value) != 0 {
            let size = ffi::PyTuple_GET_SIZE(value);
            let copy = made(ffi::PyTuple_New(size))?;
            for index in 0..size {
                let plain =
                    surrender_deep(ffi::PyTuple_GET_ITEM(value, index), reason, depth - 1)?;
                ffi::PyTuple_SetItem(copy, index, plain);
            }
            return Ok(copy);
        }
        surrender_dict(value, reason, depth)
    }
}

/// Replaces the values of a dict; its keys were pinned when they were hashed.
unsafe fn surrender_dict(dict: Obj, reason: &PinReason, depth: u32) -> Made {
    // SAFETY: a live dict; `keys` is owned; replacing values does not disturb it.
    unsafe {
        let keys = made(ffi::PyDict_Keys(dict))?;
        for index in 0..ffi::PyList_GET_SIZE(keys) {
            let key = ffi::PyList_GET_ITEM(keys, index);
            let item = ffi::PyDict_GetItemWithError(dict, key);
            if item.is_null() {
                continue;
            }
            let plain = surrender_deep(item, reason, depth - 1)?;
            let status = ffi::PyDict_SetItem(dict, key, plain);
            ffi::Py_DECREF(plain);
            if status < 0 {
                ffi::Py_DECREF(keys);
                return Err(Raised);
            }
        }
        ffi::Py_DECREF(keys);
        Ok(ffi::Py_NewRef(dict))
    }
}

fn name_of(callee: Obj) -> String {
    Python::attach(|py| {
        // SAFETY: a live object.
        let callee = unsafe { Bound::from_borrowed_ptr(py, callee) };
        let name = callee.getattr("__qualname__").or_else(|_| callee.getattr("__name__"));
        let name = name.and_then(|name| name.extract::<String>());
        let name = name.unwrap_or_else(|_| "a C function".to_owned());
        let module = callee.getattr("__module__").and_then(|module| module.extract::<String>());
        match module {
            Ok(module) if module != "builtins" => format!("{module}.{name}"),
            _ => name,
        }
    })
}

unsafe extern "C" fn dealloc(guard: Obj) {
    // SAFETY: the last reference to a guard.
    unsafe {
        let class = ffi::Py_TYPE(guard);
        ffi::Py_DECREF((*guard.cast::<Guard>()).callee);
        ffi::PyObject_Free(guard.cast());
        ffi::Py_DECREF(class.cast());
    }
}

/// Attributes are those of the callee: `f.__name__`, `f.cache_clear`...
unsafe extern "C" fn get_attribute(guard: Obj, name: Obj) -> Obj {
    // SAFETY: a live guard.
    unsafe { ffi::PyObject_GetAttr((*guard.cast::<Guard>()).callee, name) }
}

/// Makes the guard type.
pub fn install(module: &Bound<'_, PyModule>) -> PyResult<()> {
    let members = Box::leak(Box::new([
        ffi::PyMemberDef {
            name: c"__vectorcalloffset__".as_ptr(),
            type_code: ffi::Py_T_PYSSIZET,
            offset: std::mem::offset_of!(Guard, vectorcall) as ffi::Py_ssize_t,
            flags: ffi::Py_READONLY,
            doc: std::ptr::null(),
        },
        ffi::PyMemberDef::default(),
    ]));
    let slot = |slot: c_int, pfunc: *mut c_void| ffi::PyType_Slot { slot, pfunc };
    let mut slots = [
        slot(ffi::Py_tp_dealloc, dealloc as *mut c_void),
        slot(ffi::Py_tp_call, ffi::PyVectorcall_Call as *mut c_void),
        slot(ffi::Py_tp_getattro, get_attribute as *mut c_void),
        slot(ffi::Py_tp_members, members.as_mut_ptr().cast()),
        slot(0, null_mut()),
    ];
    let mut spec = ffi::PyType_Spec {
        name: c"pef._native.Guard".as_ptr(),
        basicsize: size_of::<Guard>() as c_int,
        itemsize: 0,
        flags: (ffi::Py_TPFLAGS_DEFAULT | ffi::Py_TPFLAGS_HAVE_VECTORCALL) as _,
        slots: slots.as_mut_ptr(),
    };
    // SAFETY: the spec is valid for the call; the member table is leaked.
    let class = unsafe { ffi::PyType_FromSpec(&raw mut spec) };
    if class.is_null() {
        return Err(PyErr::fetch(module.py()));
    }
    TYPE.with(|stored| *stored = class.cast());
    Ok(())
}
