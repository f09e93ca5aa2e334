//! What a run writes to `sys.stdout` and `sys.stderr`.

use pyo3::prelude::*;
use pyo3::types::PyString;

use crate::boundary::GilCell;

/// The streams of the run in progress, by address.
static CAPTURED: GilCell<[usize; 2]> = GilCell::new([0; 2]);

/// Whether `stream` is one that stands in for a standard one, which nobody reads.
#[pyfunction]
pub fn is_captured(stream: &Bound<'_, PyAny>) -> bool {
    let address = stream.as_ptr() as usize;
    CAPTURED.with(|captured| captured.contains(&address))
}

/// What a run wrote to the two streams. Kept as Python text, which may hold lone surrogates.
pub type Output = (Py<PyString>, Py<PyString>);

/// Text streams that stand in for the standard ones during a run.
pub struct Capture {
    stdout: Py<PyAny>,
    stderr: Py<PyAny>,
    outer: (Py<PyAny>, Py<PyAny>),
}

impl Capture {
    /// Redirects both streams; `stream` is `io.StringIO`.
    pub fn start(py: Python<'_>, stream: &Py<PyAny>) -> PyResult<Self> {
        let sys = py.import("sys")?;
        let outer = (
            sys.getattr("stdout")?.unbind(),
            sys.getattr("stderr")?.unbind(),
        );
        let (stdout, stderr) = (stream.call0(py)?, stream.call0(py)?);
        let addresses = [stdout.as_ptr() as usize, stderr.as_ptr() as usize];
        CAPTURED.with(|captured| *captured = addresses);
        sys.setattr("stdout", &stdout)?;
        sys.setattr("stderr", &stderr)?;
        Ok(Capture {
            stdout,
            stderr,
            outer,
        })
    }

    /// Puts the streams back and returns what was written.
    pub fn stop(self, py: Python<'_>) -> PyResult<Output> {
        CAPTURED.with(|captured| *captured = [0; 2]);
        let sys = py.import("sys")?;
        sys.setattr("stdout", &self.outer.0)?;
        sys.setattr("stderr", &self.outer.1)?;
        let text = |stream: &Py<PyAny>| {
            let written = stream.bind(py).call_method0("getvalue").ok();
            let text = written.and_then(|written| written.cast_into::<PyString>().ok());
            // If the target closed its stream, what it wrote is gone.
            text.unwrap_or_else(|| PyString::new(py, "")).unbind()
        };
        Ok((text(&self.stdout), text(&self.stderr)))
    }
}
