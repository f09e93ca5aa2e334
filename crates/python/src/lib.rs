//! `pef._native`: the engine inside CPython.
//!
//! The only room that knows the interpreter. Values report what running code asks of them
//! to the recorder, which lends each run its exploration; sessions drive the runs. `unsafe`
//! lives here and nowhere else, each block with its reason.

mod arrivals;
mod boundary;
mod check_report;
mod clock;
mod helpers;
mod inputs;
mod isolation;
#[cfg(all(target_os = "linux", target_arch = "x86_64", not(test)))]
mod late_z3;
mod layout;
mod models;
mod output;
mod path;
mod recorder;
mod reporting;
mod session;
mod sites;
mod state;
mod values;
mod watchdog;

use pyo3::prelude::*;

/// Registers a rewritten code object with the index of its file's branch sites.
#[pyfunction]
fn register_code(code: &Bound<'_, PyAny>, index: &Bound<'_, PyAny>) -> PyResult<()> {
    sites::register(code, index)
}

/// Whether a code object is one of ours.
#[pyfunction]
fn is_rewritten(code: &Bound<'_, PyAny>) -> bool {
    sites::is_registered(code.as_ptr())
}

/// Names the directory of the front, whose frames are never the site of a decision.
#[pyfunction]
fn set_internal_prefix(prefix: &str) {
    sites::set_internal_prefix(prefix);
}

/// Remembers that a function has no source to rewrite.
#[pyfunction]
fn mark_unadoptable(code: Bound<'_, PyAny>) {
    models::registry::mark_unadoptable(code);
}

/// Makes the interpreter's own types heed ours; until then importing us changes nothing.
#[pyfunction]
fn awaken(py: Python<'_>) -> PyResult<()> {
    values::awaken(py)
}

/// Whether this process is no longer plain: a process forked from it could not replay.
#[pyfunction]
fn is_awake() -> bool {
    values::is_awake()
}

#[pymodule(gil_used = true)]
fn _native(module: &Bound<'_, PyModule>) -> PyResult<()> {
    #[cfg(all(target_os = "linux", target_arch = "x86_64", not(test)))]
    late_z3::install(module)?;
    values::install(module)?;
    helpers::install(module)?;
    models::install(module)?;
    inputs::install(module)?;
    isolation::install(module)?;
    module.add_class::<session::Session>()?;
    module.add_class::<state::KeptDict>()?;
    module.add_class::<path::RawPath>()?;
    module.add_class::<reporting::ReportStream>()?;
    module.add_class::<check_report::CheckStream>()?;
    module.add(
        "PathStopped",
        module.py().get_type::<recorder::PathStopped>(),
    )?;
    module.add(
        "PathTimeout",
        module.py().get_type::<watchdog::PathTimeout>(),
    )?;
    module.add_function(wrap_pyfunction!(register_code, module)?)?;
    module.add_function(wrap_pyfunction!(is_rewritten, module)?)?;
    module.add_function(wrap_pyfunction!(set_internal_prefix, module)?)?;
    module.add_function(wrap_pyfunction!(mark_unadoptable, module)?)?;
    module.add_function(wrap_pyfunction!(awaken, module)?)?;
    module.add_function(wrap_pyfunction!(is_awake, module)?)?;
    Ok(())
}
