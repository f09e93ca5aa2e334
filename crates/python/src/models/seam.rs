//! What models written in Python are made with.

use pef_explore::{DecisionKind, PinReason};
use pef_logic::Sort;
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;

use super::{guard, surrender};
use crate::boundary::{Made, Raised};
use crate::recorder::{self, Usual};
use crate::values::{self, is_nonzero, symbolic};

fn owned(py: Python<'_>, made: Made) -> PyResult<Bound<'_, PyAny>> {
    match made {
        // SAFETY: a new reference.
        Ok(object) => Ok(unsafe { Bound::from_owned_ptr(py, object) }),
        Err(Raised) => Err(PyErr::fetch(py)),
    }
}

/// Whether the value itself is symbolic in the exploration at hand.
#[pyfunction]
fn is_symbolic(value: &Bound<'_, PyAny>) -> bool {
    symbolic(value.as_ptr()).is_some()
}

/// Whether the value is a symbolic int or bool in the exploration at hand.
#[pyfunction]
fn is_symbolic_number(value: &Bound<'_, PyAny>) -> bool {
    values::is_number(value.as_ptr()) && symbolic(value.as_ptr()).is_some()
}

fn kind_called(name: &str) -> PyResult<DecisionKind> {
    match name {
        "domain" => Ok(DecisionKind::Domain),
        "division-by-zero" => Ok(DecisionKind::DivisionByZero),
        "for" => Ok(DecisionKind::For),
        "index" => Ok(DecisionKind::Index),
        "key" => Ok(DecisionKind::Key),
        other => Err(PyValueError::new_err(format!("no decision kind '{other}'"))),
    }
}

/// Which of several conditions, of which exactly one holds, does hold: one decision.
#[pyfunction]
#[expect(
    clippy::needless_pass_by_value,
    reason = "what a Python function takes"
)]
fn decide_among(conditions: Vec<Bound<'_, PyAny>>, kind: &str) -> PyResult<usize> {
    let kind = kind_called(kind)?;
    let (mut arms, mut taken) = (Vec::new(), None);
    for (index, condition) in conditions.iter().enumerate() {
        let holds = match symbolic(condition.as_ptr()) {
            Some((Sort::Bool, term)) => {
                arms.push((index, term));
                is_nonzero(condition.as_ptr())
            }
            Some(_) => return Err(PyTypeError::new_err("a condition must be a bool")),
            None => condition.is_truthy()?,
        };
        if holds {
            taken = Some(index);
        }
    }
    let Some(taken) = taken else {
        return Err(PyValueError::new_err("none of the conditions holds"));
    };
    if let Some(arm) = arms.iter().position(|&(index, _)| index == taken) {
        let terms: Vec<_> = arms.iter().map(|&(_, term)| term).collect();
        recorder::decide_among(&terms, arm, kind)
            .map_err(|Raised| PyErr::fetch(conditions[taken].py()))?;
    }
    Ok(taken)
}

fn usual_called(name: &str) -> PyResult<Usual> {
    match name {
        "yes" => Ok(Usual::Yes),
        "either" => Ok(Usual::Either),
        other => Err(PyValueError::new_err(format!("no usual answer '{other}'"))),
    }
}

/// The truth of a condition, as a decision of the given kind. The usual answer costs no depth.
#[pyfunction]
#[pyo3(signature = (condition, kind, usual=None))]
fn decide(condition: &Bound<'_, PyAny>, kind: &str, usual: Option<&str>) -> PyResult<bool> {
    let py = condition.py();
    let (kind, usual) = (kind_called(kind)?, usual.map(usual_called).transpose()?);
    match symbolic(condition.as_ptr()) {
        Some((Sort::Bool, term)) => {
            let truth = is_nonzero(condition.as_ptr());
            let decided = match usual {
                Some(usual) => recorder::decide_usual(term, truth, kind, usual),
                None => recorder::decide_kind(term, truth, kind),
            };
            decided.map_err(|Raised| PyErr::fetch(py))
        }
        Some((Sort::Int | Sort::Str | Sort::Bytes | Sort::Float, _)) => {
            Err(PyTypeError::new_err("a condition must be a bool"))
        }
        None => condition.is_truthy(),
    }
}

/// The number of the run in progress: what a model remembers belongs to one run.
#[pyfunction]
fn run_number() -> u64 {
    recorder::run_number()
}

/// The value without anything symbolic in it, pinned as an argument of `name`.
#[pyfunction]
fn pinned<'py>(value: &Bound<'py, PyAny>, name: &str) -> PyResult<Bound<'py, PyAny>> {
    let reason = PinReason::Call(name.into());
    owned(
        value.py(),
        surrender::surrender_argument(value.as_ptr(), &reason),
    )
}

/// `function` with its symbolic arguments pinned.
#[pyfunction]
fn guarded<'py>(function: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
    owned(function.py(), guard::wrap(function.as_ptr()))
}

/// Makes the operators of a C type settle symbolic operands before they read them. Where there is
/// `twin(instance)`, it gives an object of ours that computes in place of the instance.
#[pyfunction]
#[pyo3(signature = (class, twin=None))]
fn watch_operators(class: &Bound<'_, pyo3::types::PyType>, twin: Option<Py<PyAny>>) {
    values::watched::watch(class.as_type_ptr(), twin);
}

/// The same number as an int: what `int(x)` and `operator.index(x)` are for our values.
#[pyfunction]
fn as_int<'py>(value: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
    // SAFETY: one of our values, checked.
    owned(value.py(), unsafe {
        if values::is_number(value.as_ptr()) {
            crate::boundary::made(values::arithmetic::as_int(value.as_ptr()))
        } else {
            Ok(pyo3::ffi::Py_NewRef(value.as_ptr()))
        }
    })
}

/// Adds these functions to the module.
pub fn install(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_function(wrap_pyfunction!(is_symbolic, module)?)?;
    module.add_function(wrap_pyfunction!(is_symbolic_number, module)?)?;
    module.add_function(wrap_pyfunction!(decide, module)?)?;
    module.add_function(wrap_pyfunction!(decide_among, module)?)?;
    module.add_function(wrap_pyfunction!(run_number, module)?)?;
    module.add_function(wrap_pyfunction!(pinned, module)?)?;
    module.add_function(wrap_pyfunction!(guarded, module)?)?;
    module.add_function(wrap_pyfunction!(watch_operators, module)?)?;
    module.add_function(wrap_pyfunction!(crate::output::is_captured, module)?)?;
    module.add_function(wrap_pyfunction!(as_int, module)?)
}
