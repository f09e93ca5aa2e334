//! A finished path, as handed to Python. What costs time to print is made when asked for.

use pef_explore::{DecisionKind, Ending, PathRecord, SiteTable, TakenDecision};
use pef_logic::{TermPool, python_source};
use pyo3::prelude::*;
use pyo3::types::{PyList, PyString};

use crate::output::Output;

/// `(name, value)`
type Argument = (String, Py<PyAny>);

/// One path of one session.
#[pyclass(unsendable, module = "pef._native")]
pub struct RawPath {
    record: PathRecord,
    arguments: Vec<Argument>,
    result: Option<Py<PyAny>>,
    exception: Option<PyErr>,
    violated: Option<Py<PyAny>>,
    output: Output,
}

impl RawPath {
    /// Puts together what a run left.
    pub fn new(
        record: PathRecord,
        arguments: Vec<Argument>,
        result: Option<Py<PyAny>>,
        exception: Option<PyErr>,
        violated: Option<Py<PyAny>>,
        output: Output,
    ) -> Self {
        RawPath {
            record,
            arguments,
            result,
            exception,
            violated,
            output,
        }
    }

    /// The conjuncts of the path condition. Forced decisions say nothing new.
    pub fn condition(&self, pool: &TermPool) -> Vec<String> {
        let said = self
            .record
            .decisions
            .iter()
            .filter(|decision| decision.free);
        let texts = said.map(|decision| python_source(pool, decision.condition));
        texts.filter(|text| text != "True").collect()
    }

    /// The decisions as tuples.
    pub fn decisions<'py>(
        &self,
        py: Python<'py>,
        sites: &SiteTable,
    ) -> PyResult<Bound<'py, PyAny>> {
        let list = PyList::empty(py);
        for decision in &self.record.decisions {
            list.append(row(py, decision, sites)?)?;
        }
        Ok(list.into_any())
    }

    /// Where values were pinned, why, and to what.
    pub fn pins(&self, pool: &TermPool, sites: &SiteTable) -> Vec<(String, u32, String, String)> {
        let pins = self.record.decisions.iter().filter_map(|decision| {
            let site = sites.get(decision.site);
            match &site.kind {
                DecisionKind::Pin(reason) if decision.free && decision.taken.index() == 0 => {
                    let condition = python_source(pool, decision.condition);
                    Some((
                        site.file.to_string(),
                        site.line,
                        reason.to_string(),
                        condition,
                    ))
                }
                _ => None,
            }
        });
        pins.collect()
    }
}

fn row<'py>(
    py: Python<'py>,
    decision: &TakenDecision,
    sites: &SiteTable,
) -> PyResult<Bound<'py, PyAny>> {
    let site = sites.get(decision.site);
    let outcome = if decision.arms == 2 && site.kind != DecisionKind::InputShape {
        (decision.taken.index() == 0)
            .into_pyobject(py)?
            .to_owned()
            .into_any()
    } else {
        decision.taken.index().into_pyobject(py)?.into_any()
    };
    let place = (&*site.file, site.line, site.column);
    let row = (
        place.0,
        place.1,
        place.2,
        site.kind.name(),
        outcome,
        decision.free,
    );
    Ok(row.into_pyobject(py)?.into_any())
}

#[pymethods]
impl RawPath {
    /// `[(name, value), ...]`; values may still be symbolic objects.
    #[getter]
    fn arguments(&self, py: Python<'_>) -> Vec<(String, Py<PyAny>)> {
        let pair = |(name, value): &Argument| (name.clone(), value.clone_ref(py));
        self.arguments.iter().map(pair).collect()
    }

    /// `returned`, `raised`, `pruned` or `timeout`.
    #[getter]
    fn ending(&self) -> &'static str {
        if self.record.pruned {
            return "pruned";
        }
        match self.record.ending {
            Ending::Returned => "returned",
            Ending::Raised => "raised",
            Ending::Timeout => "timeout",
            Ending::Excluded | Ending::Stopped => "pruned",
        }
    }

    #[getter]
    fn result(&self, py: Python<'_>) -> Option<Py<PyAny>> {
        self.result.as_ref().map(|result| result.clone_ref(py))
    }

    #[getter]
    fn exception(&self, py: Python<'_>) -> Option<Py<PyAny>> {
        self.exception.as_ref().map(|error| {
            let value = error.value(py).clone();
            if let Some(traceback) = error.traceback(py) {
                let _ = value.setattr("__traceback__", traceback);
            }
            value.into_any().unbind()
        })
    }

    /// The contract clause this path violates.
    #[getter]
    fn violated(&self, py: Python<'_>) -> Option<Py<PyAny>> {
        self.violated.as_ref().map(|clause| clause.clone_ref(py))
    }

    #[getter]
    fn stdout(&self, py: Python<'_>) -> Py<PyString> {
        self.output.0.clone_ref(py)
    }

    #[getter]
    fn stderr(&self, py: Python<'_>) -> Py<PyString> {
        self.output.1.clone_ref(py)
    }

    #[getter]
    fn depth(&self) -> u32 {
        self.record.depth
    }
}
