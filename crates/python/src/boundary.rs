//! The border to CPython: nothing unwinds across it, and state behind it is only
//! touched with the GIL held.

use pyo3::exceptions::PySystemError;
use pyo3::ffi;
use std::cell::UnsafeCell;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::ptr::null_mut;

/// A Python object, borrowed or owned as the function at hand says.
pub type Obj = *mut ffi::PyObject;

/// A Python exception is set in the interpreter.
#[derive(Clone, Copy, Debug)]
pub struct Raised;

/// What slots return: a new reference, or a set exception.
pub type Made = Result<Obj, Raised>;

/// Runs the body of a C slot that returns an object.
pub fn object(body: impl FnOnce() -> Made) -> Obj {
    match catch_unwind(AssertUnwindSafe(body)) {
        Ok(Ok(made)) => made,
        Ok(Err(Raised)) => null_mut(),
        Err(_) => {
            set_internal_error();
            null_mut()
        }
    }
}

/// Runs the body of a C slot that returns a number, -1 meaning an exception.
pub fn number<N: From<i8>>(body: impl FnOnce() -> Result<N, Raised>) -> N {
    match catch_unwind(AssertUnwindSafe(body)) {
        Ok(Ok(made)) => made,
        Ok(Err(Raised)) => N::from(-1),
        Err(_) => {
            set_internal_error();
            N::from(-1)
        }
    }
}

/// Takes a fresh result of a C call: null means an exception is set.
pub fn made(result: Obj) -> Made {
    if result.is_null() {
        Err(Raised)
    } else {
        Ok(result)
    }
}

/// Turns a PyO3 error into a set exception.
pub fn raise(error: pyo3::PyErr) -> Raised {
    pyo3::Python::attach(|py| error.restore(py));
    Raised
}

fn set_internal_error() {
    raise(PySystemError::new_err(
        "internal error in pef._native; please report it",
    ));
}

/// State shared by all slots. The GIL is its lock.
pub struct GilCell<T>(UnsafeCell<T>);

// SAFETY: every access goes through `with`, whose callers hold the GIL (they are C slots
// and functions called by the interpreter), so there is never more than one at a time.
unsafe impl<T> Sync for GilCell<T> {}

impl<T> GilCell<T> {
    /// A cell with its initial value.
    pub const fn new(value: T) -> Self {
        GilCell(UnsafeCell::new(value))
    }

    /// Gives `body` the value. `body` must not run Python code: that could come back here.
    #[inline]
    pub fn with<R>(&self, body: impl FnOnce(&mut T) -> R) -> R {
        // SAFETY: the GIL is held (see above) and `body` does not re-enter.
        body(unsafe { &mut *self.0.get() })
    }
}
