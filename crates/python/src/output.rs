//! What a run writes to `sys.stdout` and `sys.stderr`.

use pyo3::prelude::*;

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
        sys.setattr("stdout", &stdout)?;
        sys.setattr("stderr", &stderr)?;
        Ok(Capture {
            stdout,
            stderr,
            outer,
        })
    }

    /// Puts the streams back and returns what was written.
    pub fn stop(self, py: Python<'_>) -> PyResult<(String, String)> {
        let sys = py.import("sys")?;
        sys.setattr("stdout", &self.outer.0)?;
        sys.setattr("stderr", &self.outer.1)?;
        let text = |stream: &Py<PyAny>| -> PyResult<String> {
            match stream.call_method0(py, "getvalue") {
                Ok(text) => text.extract(py),
                // The target closed its stream; what it wrote is gone.
                Err(_) => Ok(String::new()),
            }
        };
        Ok((text(&self.stdout)?, text(&self.stderr)?))
    }
}
