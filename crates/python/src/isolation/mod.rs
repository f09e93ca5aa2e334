//! What the process around a run needs to know of it, and to ask of it, should it die; and how
//! a process gives up rights.
//!
//! Policy (limits, what is denied, when) is in `pef.isolation`; here is only what must happen
//! inside a run, and what takes a system call that CPython has no function for, or is made in
//! every process of a check.

#[cfg(target_os = "linux")]
mod calls;
mod errors;
#[cfg(target_os = "linux")]
mod filter;
#[cfg(target_os = "linux")]
mod landlock;
mod limits;
#[cfg(target_os = "linux")]
mod process;
pub mod pulse;

use pyo3::ffi;
use pyo3::prelude::*;
use pyo3::types::PyType;

/// Lets the interpreter forget what it remembers of a type whose dictionary was changed.
#[pyfunction]
fn type_changed(kind: &Bound<'_, PyType>) {
    // SAFETY: a type, and we are attached to the interpreter.
    unsafe { ffi::PyType_Modified(kind.as_type_ptr()) }
}

/// Adds the functions of this room; those of the kernel are only there on Linux.
pub fn install(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_function(wrap_pyfunction!(type_changed, module)?)?;
    module.add_function(wrap_pyfunction!(limits::lower_limits, module)?)?;
    #[cfg(target_os = "linux")]
    {
        module.add_function(wrap_pyfunction!(calls::system_calls, module)?)?;
        module.add_function(wrap_pyfunction!(filter::assemble_filter, module)?)?;
        module.add_function(wrap_pyfunction!(filter::install_filter, module)?)?;
        module.add_function(wrap_pyfunction!(filter::install_listened_filter, module)?)?;
        module.add_function(wrap_pyfunction!(landlock::restrict_files, module)?)?;
        module.add_function(wrap_pyfunction!(process::become_reaper, module)?)?;
        module.add_function(wrap_pyfunction!(process::be_readable, module)?)?;
        module.add_function(wrap_pyfunction!(process::die_with_parent, module)?)?;
        module.add_function(wrap_pyfunction!(process::rename_thread, module)?)?;
    }
    Ok(())
}
