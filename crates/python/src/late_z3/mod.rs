//! Z3, loaded when it is first asked something.
//!
//! Loading it takes three milliseconds, and most functions never need it: the layers before it in
//! the chain answer. So the functions that we call are defined here. Each jumps to the one of the
//! library, whose address it finds in a table; while the table is empty, the library is loaded
//! first. Whoever calls them notices nothing, and the `z3` crate stays as it is.
//!
//! Only where the few instructions of such a jump are written down. Elsewhere the front loads Z3
//! before this module (`pef._z3`), as it also does for cargo's tests.

mod jumps;

use std::ffi::{CStr, CString, c_void};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicPtr, Ordering};

use pyo3::exceptions::PyImportError;
use pyo3::prelude::*;

/// Where the wheel has its library.
static PATH: OnceLock<CString> = OnceLock::new();

/// Asks the front where the library is; an `ImportError` that tells what to do if there is none.
pub fn install(module: &Bound<'_, PyModule>) -> PyResult<()> {
    let front = module.py().import("pef._z3")?;
    let path: CString = front.call_method0("library")?.extract()?;
    PATH.get_or_init(|| path);
    module.add_function(wrap_pyfunction!(load_z3, module)?)
}

/// Loads the library now, for all the processes that are forked from this one.
#[pyfunction]
fn load_z3() -> PyResult<()> {
    load().map_err(PyImportError::new_err)
}

/// Fills the table; what is in it never changes again.
fn load() -> Result<(), String> {
    static LOADED: OnceLock<Result<(), String>> = OnceLock::new();
    LOADED.get_or_init(fill).clone()
}

fn fill() -> Result<(), String> {
    let path = PATH.get().ok_or("the place of Z3 is not known")?;
    // SAFETY: a path that ends with a zero. The library's own initialisers are those of Z3.
    let library = unsafe { libc::dlopen(path.as_ptr(), libc::RTLD_NOW | libc::RTLD_LOCAL) };
    if library.is_null() {
        return Err(format!(
            "cannot load Z3 from {}: {}",
            path.to_string_lossy(),
            problem()
        ));
    }
    for (name, address) in jumps::NAMES.iter().zip(&jumps::ADDRESSES) {
        // SAFETY: the library was just opened and is never closed.
        let found = unsafe { libc::dlsym(library, name.as_ptr()) };
        if found.is_null() {
            return Err(format!(
                "{} is not the Z3 we need: {}",
                path.to_string_lossy(),
                problem()
            ));
        }
        address.store(found, Ordering::Release);
    }
    Ok(())
}

/// What the dynamic linker says went wrong last.
fn problem() -> String {
    // SAFETY: the text is valid until the next call of the linker in this thread.
    let text = unsafe { libc::dlerror() };
    if text.is_null() {
        return "no reason is given".to_owned();
    }
    // SAFETY: not null, and ends with a zero.
    unsafe { CStr::from_ptr(text) }
        .to_string_lossy()
        .into_owned()
}

/// What a jump does that finds no address. Nobody above can be told of a failure: Z3 has no way to
/// say that it is not there. The process that searches ends, and the run reports that.
extern "C" fn load_or_end() {
    if let Err(reason) = load() {
        eprintln!("pef: {reason}");
        std::process::abort();
    }
}

/// The address of a function of the library, null before it is loaded.
type Address = AtomicPtr<c_void>;
