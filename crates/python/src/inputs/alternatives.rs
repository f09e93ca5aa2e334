//! One of several inputs; which one is a decision of the search.

use pef_explore::{DecisionKind, Site};
use pyo3::prelude::*;

use super::{Input, InputSpec};
use crate::boundary::Raised;
use crate::recorder;

struct Alternatives {
    choices: Vec<Py<InputSpec>>,
    /// What choosing costs: nothing for a parameter's own alternatives.
    cost: u32,
}

impl Input for Alternatives {
    fn build<'py>(&self, py: Python<'py>, name: &str) -> PyResult<Bound<'py, PyAny>> {
        let site = Site {
            file: name.into(),
            line: 0,
            column: 0,
            kind: DecisionKind::InputShape,
            instruction: 0,
        };
        let chosen = recorder::with_exploration(|search| search.sites.intern(site))
            .map_or(Ok(0), |site| {
                recorder::choose(site, self.choices.len(), self.cost)
            });
        let chosen = chosen.map_err(|Raised| PyErr::fetch(py))?;
        self.choices[chosen].get().0.build(py, name)
    }
}

/// A parameter that is one of `choices`.
#[pyfunction]
pub fn input_alternatives(choices: Vec<Py<InputSpec>>, cost: u32) -> PyResult<InputSpec> {
    if choices.is_empty() {
        return Err(pyo3::exceptions::PyValueError::new_err(
            "no alternatives given",
        ));
    }
    Ok(InputSpec(Box::new(Alternatives { choices, cost })))
}
