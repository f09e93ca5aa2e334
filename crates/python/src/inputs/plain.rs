//! Free text and floats: one variable each.

use pef_logic::{Sort, Value};
use pyo3::prelude::*;

use super::{Input, InputSpec, owned, variable};
use crate::values::lift;

struct PlainInput(Sort);

impl Input for PlainInput {
    fn build<'py>(&self, py: Python<'py>, name: &str) -> PyResult<Bound<'py, PyAny>> {
        match variable(name, self.0) {
            Some((term, value)) => owned(py, lift::object(&value, term)),
            None => owned(py, lift::plain(&Value::default_of(self.0))),
        }
    }

    fn sort(&self) -> Option<Sort> {
        Some(self.0)
    }
}

/// A parameter that can be any str.
#[pyfunction]
pub fn input_str() -> InputSpec {
    InputSpec(Box::new(PlainInput(Sort::Str)))
}

/// A parameter that can be any bytes.
#[pyfunction]
pub fn input_bytes() -> InputSpec {
    InputSpec(Box::new(PlainInput(Sort::Bytes)))
}

/// A parameter that can be any float.
#[pyfunction]
pub fn input_float() -> InputSpec {
    InputSpec(Box::new(PlainInput(Sort::Float)))
}
