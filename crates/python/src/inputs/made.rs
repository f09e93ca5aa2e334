//! Inputs that Python code makes: containers, objects, everything with a shape.

use pef_explore::{DecisionKind, Site};
use pyo3::prelude::*;

use super::{Input, InputSpec};
use crate::boundary::Raised;
use crate::recorder;

struct MadeInput(Py<PyAny>);

impl Input for MadeInput {
    fn build<'py>(&self, py: Python<'py>, name: &str) -> PyResult<Bound<'py, PyAny>> {
        self.0.bind(py).call1((name,))
    }
}

/// A parameter made by `make(name)` at the start of every run.
#[pyfunction]
pub fn input_made(make: Py<PyAny>) -> InputSpec {
    InputSpec(Box::new(MadeInput(make)))
}

/// The value of an input for this run, called `name`.
#[pyfunction]
pub fn build_input<'py>(
    py: Python<'py>,
    input: &Bound<'py, InputSpec>,
    name: &str,
) -> PyResult<Bound<'py, PyAny>> {
    input.get().0.build(py, name)
}

/// A number of items: an int that is never negative, called `name`.
#[pyfunction]
pub fn build_size<'py>(py: Python<'py>, name: &str) -> PyResult<Bound<'py, PyAny>> {
    let size = super::int::input_int().0.build(py, name)?;
    if let Some((_, term)) = crate::values::symbolic(size.as_ptr()) {
        let axiom = recorder::build(|pool| {
            let zero = pool.small(0);
            pool.ge(term, zero)
        });
        axiom.into_iter().for_each(recorder::postulate);
    }
    Ok(size)
}

/// Gives the run up: its input is none that the function is called with.
#[pyfunction]
pub fn exclude(py: Python<'_>) -> PyErr {
    let Raised = recorder::exclude();
    PyErr::fetch(py)
}

/// Whether a run is in progress. When it is over, what nobody looked at is filled in, to be shown.
#[pyfunction]
pub fn is_running() -> bool {
    recorder::is_busy()
}

/// Lets the search choose one of `arms` shapes of the input `name`; each choice costs `cost` depth.
#[pyfunction]
pub fn choose_shape(py: Python<'_>, name: &str, arms: usize, cost: u32) -> PyResult<usize> {
    if arms < 2 {
        return Ok(0);
    }
    let site = Site {
        file: name.into(),
        line: 0,
        column: 0,
        kind: DecisionKind::InputShape,
        instruction: 0,
    };
    let site = recorder::with_exploration(|search| search.sites.intern(site));
    site.map_or(Ok(0), |site| {
        recorder::choose(site, arms, cost).map_err(|Raised| PyErr::fetch(py))
    })
}
