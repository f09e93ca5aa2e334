//! Which way each test of a probed file went; see `pef.rewrite.probes`.

use pyo3::ffi;
use pyo3::prelude::*;

use super::small_value;
use crate::boundary::{GilCell, Obj, Raised, object};

/// The ways each probed test went: bit 0 for true, bit 1 for false.
static PROBES: GilCell<Vec<u8>> = GilCell::new(Vec::new());

/// `__pef_probe__(number, test)`: the truth of the test, noted for coverage.
pub(super) unsafe extern "C" fn probe(_: Obj, args: *mut Obj, _: ffi::Py_ssize_t) -> Obj {
    // SAFETY: called with two arguments by rewritten code.
    let (number, test) = unsafe { (*args, *args.add(1)) };
    object(|| {
        // SAFETY: a live object.
        let truth = unsafe { ffi::PyObject_IsTrue(test) };
        if truth < 0 {
            return Err(Raised);
        }
        let number = small_value(number).unwrap_or(0) as usize;
        PROBES.with(|probes| {
            if probes.len() <= number {
                probes.resize(number + 1, 0);
            }
            probes[number] |= if truth == 1 { 1 } else { 2 };
        });
        // SAFETY: a new reference to a singleton.
        Ok(unsafe {
            ffi::Py_NewRef(if truth == 1 {
                ffi::Py_True()
            } else {
                ffi::Py_False()
            })
        })
    })
}

/// What the probes have noted since the last call with `forget`.
#[pyfunction]
pub(super) fn probed(py: Python<'_>, forget: bool) -> Bound<'_, pyo3::types::PyBytes> {
    let notes = PROBES.with(|probes| {
        if forget {
            std::mem::take(probes)
        } else {
            probes.clone()
        }
    });
    pyo3::types::PyBytes::new(py, &notes)
}
