//! What a run writes to `sys.stdout` and `sys.stderr`.

use pyo3::ffi;
use pyo3::prelude::*;
use pyo3::types::PyString;
use std::ffi::CStr;
use std::ptr::null_mut;

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

/// What `sys` calls a stream; a program may have left it none.
type Stream = Option<Py<PyAny>>;

const STDOUT: &CStr = c"stdout";
const STDERR: &CStr = c"stderr";

/// Text streams that stand in for the standard ones during a run.
pub struct Capture {
    stdout: Py<PyAny>,
    stderr: Py<PyAny>,
    outer: (Stream, Stream),
}

impl Capture {
    /// Redirects both streams; `stream` is `io.StringIO`.
    pub fn start(py: Python<'_>, stream: &Py<PyAny>) -> PyResult<Self> {
        let outer = (present(py, STDOUT), present(py, STDERR));
        let (stdout, stderr) = (stream.call0(py)?, stream.call0(py)?);
        let addresses = [stdout.as_ptr() as usize, stderr.as_ptr() as usize];
        CAPTURED.with(|captured| *captured = addresses);
        put(py, STDOUT, Some(&stdout))?;
        put(py, STDERR, Some(&stderr))?;
        Ok(Capture {
            stdout,
            stderr,
            outer,
        })
    }

    /// Puts the streams back and returns what was written.
    pub fn stop(self, py: Python<'_>) -> PyResult<Output> {
        CAPTURED.with(|captured| *captured = [0; 2]);
        put(py, STDOUT, self.outer.0.as_ref())?;
        put(py, STDERR, self.outer.1.as_ref())?;
        let text = |stream: &Py<PyAny>| {
            let written = stream.bind(py).call_method0("getvalue").ok();
            let text = written.and_then(|written| written.cast_into::<PyString>().ok());
            // If the target closed its stream, what it wrote is gone.
            text.unwrap_or_else(|| PyString::new(py, "")).unbind()
        };
        Ok((text(&self.stdout), text(&self.stderr)))
    }
}

fn present(py: Python<'_>, name: &CStr) -> Stream {
    // SAFETY: the GIL is held; what is returned is borrowed, or null if there is none.
    let stream =
        unsafe { Bound::from_borrowed_ptr_or_opt(py, ffi::PySys_GetObject(name.as_ptr())) };
    stream.map(Bound::unbind)
}

fn put(py: Python<'_>, name: &CStr, stream: Option<&Py<PyAny>>) -> PyResult<()> {
    let object = stream.map_or(null_mut(), Py::as_ptr);
    // SAFETY: the GIL is held; the object is alive and not taken over, null removes what is there.
    match unsafe { ffi::PySys_SetObject(name.as_ptr(), object) } {
        0 => Ok(()),
        _ => Err(PyErr::fetch(py)),
    }
}
