//! A free truth value.

use pef_logic::{Sort, Value};
use pyo3::prelude::*;
use pyo3::types::PyBool;

use super::{Input, InputSpec, owned, variable};
use crate::values;

struct BoolInput;

impl Input for BoolInput {
    fn build<'py>(&self, py: Python<'py>, name: &str) -> PyResult<Bound<'py, PyAny>> {
        match variable(name, Sort::Bool) {
            Some((term, Value::Bool(value))) => owned(py, values::bool_result(value, term)),
            _ => Ok(PyBool::new(py, false).to_owned().into_any()),
        }
    }

    fn sort(&self) -> Option<Sort> {
        Some(Sort::Bool)
    }
}

/// A parameter that can be `True` or `False`.
#[pyfunction]
pub fn input_bool() -> InputSpec {
    InputSpec(Box::new(BoolInput))
}
