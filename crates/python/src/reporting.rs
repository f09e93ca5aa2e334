//! The report crate, as Python sees it: JSON of a path in, text in the chosen format out.

use pef_report::{Completion, Format, Palette, PathReport, Stream, TextFormat};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

/// A report in the making; see `pef_report::Stream`.
#[pyclass(module = "pef._native")]
pub struct ReportStream {
    stream: Stream,
}

fn bad(error: impl std::fmt::Display) -> PyErr {
    PyValueError::new_err(error.to_string())
}

#[pymethods]
impl ReportStream {
    #[new]
    #[pyo3(signature = (format, function, file, line, *, conditions=false, verbose=false, color=false))]
    fn new(
        format: &str,
        function: &str,
        file: &str,
        line: u32,
        conditions: bool,
        verbose: bool,
        color: bool,
    ) -> PyResult<Self> {
        let palette = if color { Palette::Ansi } else { Palette::Plain };
        let text = TextFormat {
            conditions,
            verbose,
            palette,
            file: file.to_owned(),
        };
        let format = Format::from_name(format, text)
            .ok_or_else(|| bad(format!("unknown output format '{format}'")))?;
        Ok(ReportStream {
            stream: Stream::new(format, function, file, line),
        })
    }

    /// What comes before the first path.
    fn opening(&self) -> PyResult<String> {
        self.stream.opening().map_err(bad)
    }

    /// The next path.
    fn path(&mut self, json: &str) -> PyResult<String> {
        let path = PathReport::from_json(json).map_err(bad)?;
        self.stream.path(&path).map_err(bad)
    }

    /// What comes after the last path.
    fn closing(&mut self, json: &str) -> PyResult<String> {
        let completion = Completion::from_json(json).map_err(bad)?;
        self.stream.closing(completion).map_err(bad)
    }

    /// The totals so far, as JSON.
    fn summary(&self) -> PyResult<String> {
        self.stream.summary().to_json().map_err(bad)
    }
}
