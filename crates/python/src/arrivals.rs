//! Noticing that a run has imported something. What is done about it: `pef.rewrite.latecomers`.

use pyo3::prelude::*;
use pyo3::types::{PyDict, PyModule};

/// How many modules there were when somebody last looked.
pub struct Arrivals {
    modules: Py<PyDict>,
    known: usize,
}

impl Arrivals {
    pub fn since_now(py: Python<'_>) -> PyResult<Self> {
        let modules: Bound<'_, PyDict> = py.import("sys")?.getattr("modules")?.cast_into()?;
        Ok(Arrivals {
            known: modules.len(),
            modules: modules.unbind(),
        })
    }

    /// The modules of the target that are new, ready for the next run.
    pub fn settle(&mut self, py: Python<'_>) -> PyResult<Vec<Py<PyModule>>> {
        let modules = self.modules.bind(py);
        let now = modules.len();
        if now <= self.known {
            self.known = now;
            return Ok(Vec::new());
        }
        // New ones come last.
        let new: Vec<_> = modules.keys().iter().skip(self.known).collect();
        let settled = py
            .import("pef.rewrite.latecomers")?
            .call_method1("settle", (new,))?
            .extract();
        self.known = modules.len();
        settled
    }
}
