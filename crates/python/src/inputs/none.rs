//! `None`, the only value of its type.

use pyo3::prelude::*;

use super::{Input, InputSpec};

struct NoneInput;

impl Input for NoneInput {
    fn build<'py>(&self, py: Python<'py>, _name: &str) -> PyResult<Bound<'py, PyAny>> {
        Ok(py.None().into_bound(py))
    }
}

/// A parameter that is `None`.
#[pyfunction]
pub fn input_none() -> InputSpec {
    InputSpec(Box::new(NoneInput))
}
