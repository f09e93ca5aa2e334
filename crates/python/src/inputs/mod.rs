//! Building the inputs of a run from the search's model.
//!
//! One file per type. An [`Input`] knows how to make a value for a parameter: its
//! variables take the values of the run's model; its shapes are decisions of their own.
//! The Python side chooses the inputs from contracts and hints.

mod alternatives;
mod bool;
mod int;
pub mod lazy;
mod made;
mod none;
mod plain;

use pef_logic::{Sort, TermId, Value};
use pyo3::prelude::*;

use crate::boundary::{Obj, Raised};
use crate::recorder;

/// Makes the value of one parameter.
pub trait Input: Send + Sync {
    /// A new value for this run. `name` names its variables.
    fn build<'py>(&self, py: Python<'py>, name: &str) -> PyResult<Bound<'py, PyAny>>;

    /// What it is if it is a single variable of the parameter's name.
    fn sort(&self) -> Option<Sort> {
        None
    }
}

/// An input, as Python sees it.
#[pyclass(frozen, name = "Input", module = "pef._native")]
pub struct InputSpec(pub Box<dyn Input>);

/// The variable of this name, with its value in the run's model.
fn variable(name: &str, sort: Sort) -> Option<(TermId, Value)> {
    let model = recorder::current_model()?;
    recorder::build(|pool| {
        let term = pool.variable(name, sort);
        let value = match pool.get(term) {
            pef_logic::Term::Var(var) => model.value_of(pool, *var),
            _ => pef_logic::Value::default_of(sort),
        };
        (term, value)
    })
}

/// Takes over a new reference from a native constructor.
fn owned(py: Python<'_>, made: Result<Obj, Raised>) -> PyResult<Bound<'_, PyAny>> {
    match made {
        // SAFETY: a new reference.
        Ok(object) => Ok(unsafe { Bound::from_owned_ptr(py, object) }),
        Err(Raised) => Err(PyErr::fetch(py)),
    }
}

/// Adds the input constructors to the module.
pub fn install(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<InputSpec>()?;
    module.add_function(wrap_pyfunction!(int::input_int, module)?)?;
    module.add_function(wrap_pyfunction!(bool::input_bool, module)?)?;
    module.add_function(wrap_pyfunction!(none::input_none, module)?)?;
    lazy::install(module)?;
    module.add_function(wrap_pyfunction!(made::input_made, module)?)?;
    module.add_function(wrap_pyfunction!(made::build_input, module)?)?;
    module.add_function(wrap_pyfunction!(made::choose_shape, module)?)?;
    module.add_function(wrap_pyfunction!(made::build_size, module)?)?;
    module.add_function(wrap_pyfunction!(made::exclude, module)?)?;
    module.add_function(wrap_pyfunction!(made::is_running, module)?)?;
    module.add_function(wrap_pyfunction!(plain::input_str, module)?)?;
    module.add_function(wrap_pyfunction!(plain::input_bytes, module)?)?;
    module.add_function(wrap_pyfunction!(plain::input_float, module)?)?;
    module.add_function(wrap_pyfunction!(alternatives::input_alternatives, module)?)
}
