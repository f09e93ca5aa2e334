//! A free integer.

use pef_logic::{Integer, Sort, Value};
use pyo3::prelude::*;

use super::{Input, InputSpec, owned, variable};
use crate::values;

struct IntInput;

impl Input for IntInput {
    fn build<'py>(&self, py: Python<'py>, name: &str) -> PyResult<Bound<'py, PyAny>> {
        let Some((term, Value::Int(value))) = variable(name, Sort::Int) else {
            return Ok(0_i64.into_pyobject(py)?.into_any());
        };
        let plain = python_int(py, &value)?;
        owned(py, values::int_result(plain.into_ptr(), term))
    }

    fn sort(&self) -> Option<Sort> {
        Some(Sort::Int)
    }
}

/// The Python int of an exact integer.
pub fn python_int<'py>(py: Python<'py>, value: &Integer) -> PyResult<Bound<'py, PyAny>> {
    match value.to_i64() {
        Some(small) => Ok(small.into_pyobject(py)?.into_any()),
        None => Ok(value.to_bigint().into_pyobject(py)?.into_any()),
    }
}

/// A parameter that can be any int.
#[pyfunction]
pub fn input_int() -> InputSpec {
    InputSpec(Box::new(IntInput))
}
