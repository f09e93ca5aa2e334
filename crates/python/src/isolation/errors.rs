//! What the kernel says when it refuses, as Python would say it.

use std::io;

use pyo3::exceptions::PyOSError;
use pyo3::prelude::*;

/// The exception that Python itself would raise: with the number, and the text of the C library.
pub fn os_error(py: Python<'_>, problem: &io::Error) -> PyErr {
    let number = problem.raw_os_error().unwrap_or(0);
    let said = py
        .import("os")
        .and_then(|os| os.call_method1("strerror", (number,))?.extract::<String>());
    match said {
        Ok(text) => PyOSError::new_err((number, text)),
        Err(other) => other,
    }
}

/// The result of a system call, which is negative if it failed.
pub fn checked<N: PartialOrd + From<i8>>(result: N) -> io::Result<N> {
    if result < N::from(0) {
        Err(io::Error::last_os_error())
    } else {
        Ok(result)
    }
}
