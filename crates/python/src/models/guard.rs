//! The stand-in for a callable that cannot be handed symbolic values as they are.
//!
//! `sel` sees the callee before the arguments exist, so it hands out a guard. Called
//! without symbolic arguments, the guard calls the original. With one, a Python function
//! is adopted (rewritten in place, then called); a C function gets plain values, each
//! pinned with the function's name as the reason. A C function whose parameters are known
//! one by one ([`Treatments`]) gives up only those it reads.

use pef_explore::PinReason;
use pyo3::ffi;
use pyo3::prelude::*;
use pyo3::types::{PyTuple, PyType};
use std::ffi::{c_int, c_void};
use std::ptr::null_mut;

use super::printing::call_room;
use super::registry::{self, Treatment, Treatments};
use super::surrender::holds_symbolic;
pub use super::surrender::surrender_argument;
use crate::boundary::{GilCell, Made, Obj, Raised, made, object, raise};
use crate::inputs::lazy;
use crate::values;

#[repr(C)]
struct Guard {
    head: ffi::PyObject,
    callee: Obj,
    /// How each parameter is treated; null if nothing is known about them. Registered
    /// treatments live as long as the process.
    treatments: *const Treatments,
    /// What is called where an argument is symbolic, if there is a model; owned.
    model: Obj,
    /// Whether the model gets the receiver first.
    method: bool,
    vectorcall: ffi::vectorcallfunc,
}

static TYPE: GilCell<*mut ffi::PyTypeObject> = GilCell::new(null_mut());

/// The type of bound slots, such as `x.__add__`; not every version exports it.
static BOUND_SLOT: GilCell<*mut ffi::PyTypeObject> = GilCell::new(null_mut());

/// A guard around `callee`.
pub fn wrap(callee: Obj) -> Made {
    new_guard(callee, std::ptr::null(), null_mut(), call)
}

/// A guard around a C function whose parameters are known.
pub fn wrap_treated(callee: Obj, treatments: &'static Treatments) -> Made {
    new_guard(callee, treatments, null_mut(), call_treated)
}

/// A guard around a method of a built-in type that reads containers without a slot.
pub fn wrap_reader(callee: Obj) -> Made {
    new_guard(callee, std::ptr::null(), null_mut(), call_reader)
}

/// A guard around a callable with a model (a reference that is taken over).
pub fn wrap_modelled(callee: Obj, model: Obj, method: bool) -> Made {
    let guard = new_guard(callee, std::ptr::null(), model, call_modelled)?;
    // SAFETY: a guard of ours.
    unsafe { (*guard.cast::<Guard>()).method = method };
    Ok(guard)
}

fn new_guard(
    callee: Obj,
    treatments: *const Treatments,
    model: Obj,
    vectorcall: ffi::vectorcallfunc,
) -> Made {
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
        (*guard).treatments = treatments;
        (*guard).model = model;
        (*guard).method = false;
        (*guard).vectorcall = vectorcall;
        Ok(guard.cast())
    }
}

/// The arguments of a vectorcall.
#[derive(Clone, Copy)]
struct Arguments<'a> {
    given: &'a [Obj],
    positional: usize,
    names: Obj,
}

impl Arguments<'_> {
    /// # Safety
    /// The parameters are those of a vectorcall.
    unsafe fn new(args: *const Obj, flags: usize, names: Obj) -> Self {
        // SAFETY: as promised by the caller.
        unsafe {
            let positional = ffi::PyVectorcall_NARGS(flags) as usize;
            let keywords = if names.is_null() {
                0
            } else {
                ffi::PyTuple_Size(names) as usize
            };
            let count = positional + keywords;
            let given = if count == 0 {
                &[]
            } else {
                std::slice::from_raw_parts(args, count)
            };
            Arguments {
                given,
                positional,
                names,
            }
        }
    }

    /// Fills the containers that nobody has looked into.
    fn touch(&self) -> Result<(), Raised> {
        self.given
            .iter()
            .try_for_each(|&argument| lazy::touch(argument))
    }

    fn call(self, callee: Obj) -> Made {
        // SAFETY: live objects in vectorcall order.
        made(unsafe {
            ffi::PyObject_Vectorcall(callee, self.given.as_ptr(), self.positional, self.names)
        })
    }

    /// Calls with each argument replaced by what `replace` makes of it (a new reference).
    fn call_replaced(self, callee: Obj, replace: impl Fn(usize, Obj) -> Made) -> Made {
        let mut replaced = Vec::with_capacity(self.given.len());
        let mut problem = None;
        for (index, &argument) in self.given.iter().enumerate() {
            match replace(index, argument) {
                Ok(value) => replaced.push(value),
                Err(raised) => {
                    problem = Some(raised);
                    break;
                }
            }
        }
        let result = match problem {
            Some(raised) => Err(raised),
            None => Arguments {
                given: &replaced,
                ..self
            }
            .call(callee),
        };
        for value in replaced {
            // SAFETY: `replaced` holds owned references.
            unsafe { ffi::Py_DECREF(value) };
        }
        result
    }

    /// The name of a keyword argument; `None` for a positional one.
    fn name(&self, index: usize) -> Option<Obj> {
        let keyword = index.checked_sub(self.positional)?;
        // SAFETY: the index is within the tuple of names.
        Some(unsafe { ffi::PyTuple_GET_ITEM(self.names, keyword as ffi::Py_ssize_t) })
    }
}

unsafe extern "C" fn call(guard: Obj, args: *const Obj, flags: usize, names: Obj) -> Obj {
    object(|| {
        // SAFETY: called by the interpreter with a guard and live arguments.
        let (callee, arguments) = unsafe {
            (
                (*guard.cast::<Guard>()).callee,
                Arguments::new(args, flags, names),
            )
        };
        let symbolic = arguments
            .given
            .iter()
            .any(|&argument| holds_symbolic(argument));
        if !symbolic && !python_might_meet_symbolic(callee, arguments.given) {
            return arguments.call(callee);
        }
        if (adopt(callee)? && super::loses_nothing(callee)) || !symbolic {
            return arguments.call(callee);
        }
        let reason = PinReason::Call(name_of(callee).into());
        arguments.call_replaced(callee, |_, argument| surrender_argument(argument, &reason))
    })
}

unsafe extern "C" fn call_reader(guard: Obj, args: *const Obj, flags: usize, names: Obj) -> Obj {
    object(|| {
        // SAFETY: called by the interpreter with a guard and live arguments.
        let (callee, arguments) = unsafe {
            (
                (*guard.cast::<Guard>()).callee,
                Arguments::new(args, flags, names),
            )
        };
        arguments.touch()?;
        arguments.call(callee)
    })
}

unsafe extern "C" fn call_modelled(guard: Obj, args: *const Obj, flags: usize, names: Obj) -> Obj {
    object(|| {
        // SAFETY: called by the interpreter with a guard and live arguments.
        let (callee, model, method, arguments) = unsafe {
            let guard = guard.cast::<Guard>();
            (
                (*guard).callee,
                (*guard).model,
                (*guard).method,
                Arguments::new(args, flags, names),
            )
        };
        let receiver = if method { receiver_of(callee) } else { None };
        let symbolic = arguments
            .given
            .iter()
            .chain(&receiver)
            .any(|&argument| holds_symbolic(argument));
        if !symbolic && !arguments.given.iter().any(|&argument| is_code(argument)) {
            return arguments.call(callee);
        }
        if is_slot_or_method(callee) {
            arguments.touch()?;
        }
        let Some(receiver) = receiver else {
            return arguments.call(model);
        };
        let mut given = Vec::with_capacity(arguments.given.len() + 1);
        given.push(receiver);
        given.extend_from_slice(arguments.given);
        Arguments {
            given: &given,
            positional: arguments.positional + 1,
            names: arguments.names,
        }
        .call(model)
    })
}

/// What a C method is bound to, borrowed.
fn receiver_of(callee: Obj) -> Option<Obj> {
    // SAFETY: a live object; the receiver lives as long as what is bound to it.
    unsafe {
        if ffi::PyCFunction_Check(callee) != 0 {
            let receiver = ffi::PyCFunction_GetSelf(callee);
            return (!receiver.is_null()).then_some(receiver);
        }
        let class = ffi::Py_TYPE(callee);
        if class == &raw mut ffi::PyMethodDescr_Type || class == &raw mut ffi::PyWrapperDescr_Type {
            return None;
        }
        // A bound slot, such as `x.__add__`.
        let receiver = ffi::PyObject_GetAttrString(callee, c"__self__".as_ptr());
        if receiver.is_null() {
            ffi::PyErr_Clear();
            return None;
        }
        ffi::Py_DECREF(receiver);
        Some(receiver)
    }
}

unsafe extern "C" fn call_treated(guard: Obj, args: *const Obj, flags: usize, names: Obj) -> Obj {
    object(|| {
        // SAFETY: called by the interpreter with a guard and live arguments; treatments
        // are registered for good.
        let (callee, treatments, arguments) = unsafe {
            let guard = guard.cast::<Guard>();
            (
                (*guard).callee,
                &*(*guard).treatments,
                Arguments::new(args, flags, names),
            )
        };
        if is_slot_or_method(callee) {
            arguments.touch()?;
        }
        // An unbound method gets its receiver as one more argument in front.
        let shift = usize::from(is_method_descriptor(callee));
        arguments.call_replaced(callee, |index, argument| {
            let treatment = match arguments.name(index) {
                Some(name) => treatments.of_keyword(name),
                None => match index.checked_sub(shift) {
                    Some(position) => treatments.of_position(position),
                    None => Treatment::Whole,
                },
            };
            treat(treatment, callee, argument)
        })
    })
}

fn treat(treatment: Treatment, callee: Obj, argument: Obj) -> Made {
    match treatment {
        Treatment::Selected => super::select_callback(argument),
        Treatment::Surrendered if holds_symbolic(argument) => {
            surrender_argument(argument, &PinReason::Call(name_of(callee).into()))
        }
        Treatment::Asked if values::is_number(argument) => {
            call_room(c"pef.models.containers.positions", c"flag", &[argument])
        }
        Treatment::Whole | Treatment::Surrendered | Treatment::Asked => {
            // SAFETY: a new reference to a live object.
            Ok(unsafe { ffi::Py_NewRef(argument) })
        }
    }
}

/// Whether this is a method of a type in C that was looked up in the type (`dict.items`), or a slot (`x.__add__`): such a
/// function reads the tables of its arguments.
pub fn is_slot_or_method(callee: Obj) -> bool {
    // SAFETY: a live object.
    unsafe {
        let class = ffi::Py_TYPE(callee);
        class == &raw mut ffi::PyMethodDescr_Type
            || class == &raw mut ffi::PyWrapperDescr_Type
            || class == BOUND_SLOT.with(|class| *class)
    }
}

fn is_method_descriptor(callee: Obj) -> bool {
    // SAFETY: a live object.
    unsafe { ffi::Py_TYPE(callee) == &raw mut ffi::PyMethodDescr_Type }
}

/// Whether a Python function could come across symbolic values that are not in sight:
/// in the attributes of an object, or as what a callback returns.
fn python_might_meet_symbolic(callee: Obj, given: &[Obj]) -> bool {
    // SAFETY: live objects; a method's receiver is borrowed.
    unsafe {
        if super::is_method(callee) {
            return is_opaque(super::PyMethod_Self(callee))
                || given.iter().any(|&argument| is_opaque(argument));
        }
        super::is_function(callee) && given.iter().any(|&argument| is_opaque(argument))
    }
}

/// Objects that can hide values: instances of classes, functions.
unsafe fn is_opaque(value: Obj) -> bool {
    // SAFETY: a live object.
    unsafe {
        let class = ffi::Py_TYPE(value);
        let heap = (*class).tp_flags & ffi::Py_TPFLAGS_HEAPTYPE != 0;
        (heap && ffi::PyType_Check(value) == 0) || is_code(value)
    }
}

/// Python code, which may return symbolic values to C code that calls it.
fn is_code(value: Obj) -> bool {
    // SAFETY: a live object.
    unsafe { super::is_function(value) || super::is_method(value) }
}

/// Rewrites a Python function or class that is about to see symbolic values.
fn adopt(callee: Obj) -> Result<bool, Raised> {
    // SAFETY: a live object.
    if unsafe { super::code_of(callee) }.is_some_and(registry::is_unadoptable) {
        return Ok(false);
    }
    Python::attach(|py| {
        // SAFETY: a live object.
        let callee = unsafe { Bound::from_borrowed_ptr(py, callee) };
        let Some(adopter) = registry::adopter(py) else {
            return Ok(false);
        };
        let _concrete = crate::recorder::Suspension::new();
        adopt_with_neighbours(&callee, adopter.bind(py)).map_err(raise)
    })
}

/// Functions of the same file are called without asking us, so they come along.
fn adopt_with_neighbours(callee: &Bound<'_, PyAny>, adopter: &Bound<'_, PyAny>) -> PyResult<bool> {
    let room = callee.py().import("pef.models.neighbours")?;
    for neighbour in room.call_method1("neighbours", (callee,))?.try_iter()? {
        let neighbour = neighbour?;
        if !super::loses_nothing(neighbour.as_ptr()) {
            adopter.call1((neighbour,))?;
        }
    }
    adopter.call1((callee,))?.is_truthy()
}

/// Rewrites the methods of a class that is about to have instances, whatever it is made
/// from: operators reach them without asking us.
pub fn adopt_class(callee: Obj) -> Result<(), Raised> {
    Python::attach(|py| {
        // SAFETY: a live object.
        let callee = unsafe { Bound::from_borrowed_ptr(py, callee) };
        let Ok(class) = callee.cast::<PyType>() else {
            return Ok(());
        };
        if super::kinds::is_heap_type(class) && registry::is_new_to_adopter(class) {
            adopt(callee.as_ptr())?;
        }
        Ok(())
    })
}

/// As for a call of its class: this object's operators are about to see one of our values.
pub fn adopt_class_of(object: Obj) -> Result<(), Raised> {
    // SAFETY: a live object.
    adopt_class(unsafe { ffi::Py_TYPE(object) }.cast())
}

/// The name of a callable, as a reader of its calls knows it.
pub fn name_of(callee: Obj) -> String {
    Python::attach(|py| {
        // SAFETY: a live object.
        let callee = unsafe { Bound::from_borrowed_ptr(py, callee) };
        let name = callee
            .getattr("__qualname__")
            .or_else(|_| callee.getattr("__name__"));
        let name = name.and_then(|name| name.extract::<String>());
        let name = name.unwrap_or_else(|_| "a C function".to_owned());
        let module = callee
            .getattr("__module__")
            .and_then(|module| module.extract::<String>());
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
        ffi::Py_XDECREF((*guard.cast::<Guard>()).model);
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
    let slot = PyTuple::empty(module.py()).getattr("__len__")?;
    BOUND_SLOT.with(|class| *class = slot.get_type_ptr());
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
