//! The report of a check, as Python sees it: JSON of a finding or a function in, text in the chosen
//! format out.

use pef_report::Palette;
use pef_report::check::{Completion, Finding, Format, Function, Look, Rule, Stream};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

/// A report in the making; see `pef_report::check::Stream`.
#[pyclass(module = "pef._native")]
pub struct CheckStream {
    stream: Stream,
}

fn bad(error: impl std::fmt::Display) -> PyErr {
    PyValueError::new_err(error.to_string())
}

#[pymethods]
impl CheckStream {
    #[new]
    #[pyo3(signature = (
        format, *, version, rules=Vec::new(), verbose=false, quiet=false, color=false, width=None
    ))]
    fn new(
        format: &str,
        version: &str,
        rules: Vec<(String, String, String, String)>,
        verbose: bool,
        quiet: bool,
        color: bool,
        width: Option<usize>,
    ) -> PyResult<Self> {
        let format = Format::from_name(format)
            .ok_or_else(|| bad(format!("unknown output format '{format}'")))?;
        let palette = if color { Palette::Ansi } else { Palette::Plain };
        let look = Look {
            palette,
            verbose,
            width,
        };
        let format = if quiet { format.quiet() } else { format };
        let rules = rules
            .into_iter()
            .map(|(code, name, meaning, page)| Rule {
                code,
                name,
                meaning,
                page,
            })
            .collect();
        Ok(CheckStream {
            stream: Stream::new(format, look, version).with_rules(rules),
        })
    }

    /// The next finding.
    fn finding(&mut self, json: &str) -> PyResult<String> {
        let finding = Finding::from_json(json).map_err(bad)?;
        self.stream.finding(finding).map_err(bad)
    }

    /// The next function that is done.
    fn function(&mut self, json: &str) -> PyResult<String> {
        let function = Function::from_json(json).map_err(bad)?;
        self.stream.function(function).map_err(bad)
    }

    /// What comes after everything else.
    #[pyo3(signature = (*, seconds, interrupted=false))]
    fn closing(&mut self, seconds: f64, interrupted: bool) -> PyResult<String> {
        self.stream
            .closing(Completion {
                seconds,
                interrupted,
            })
            .map_err(bad)
    }

    /// The totals so far, as JSON.
    fn summary(&self) -> PyResult<String> {
        self.stream.summary().to_json().map_err(bad)
    }
}
