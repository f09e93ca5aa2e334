//! Noticing that a run has imported something. What is done about it: `pef.rewrite.latecomers`.

use pyo3::prelude::*;
use pyo3::types::{PyDict, PyModule};

/// How many modules there were when somebody last looked.
pub struct Arrivals {
    modules: Py<PyDict>,
    known: usize,
    /// Whether some are put away between two runs.
    any: bool,
}

impl Arrivals {
    pub fn since_now(py: Python<'_>) -> PyResult<Self> {
        let modules: Bound<'_, PyDict> = py.import("sys")?.getattr("modules")?.cast_into()?;
        Ok(Arrivals {
            known: modules.len(),
            modules: modules.unbind(),
            any: false,
        })
    }

    /// The modules of the target that are new, ready for the next run.
    pub fn settle(&mut self, py: Python<'_>) -> PyResult<Vec<Py<PyModule>>> {
        let modules = self.modules.bind(py);
        let now = modules.len();
        if now <= self.known && !self.any {
            self.known = now;
            return Ok(Vec::new());
        }
        // New ones come last.
        let new: Vec<_> = modules.keys().iter().skip(self.known).collect();
        let settled: Vec<_> = py
            .import("pef.rewrite.latecomers")?
            .call_method1("settle", (new,))?
            .extract()?;
        self.any |= !settled.is_empty();
        self.known = modules.len();
        Ok(settled)
    }

    /// To be told if the import of those that are new has changed other modules.
    pub fn have_changed_others(py: Python<'_>) -> PyResult<()> {
        py.import("pef.rewrite.latecomers")?
            .call_method0("have_changed_others")?;
        Ok(())
    }
}
