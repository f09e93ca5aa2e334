//! Ends a run that does not end by itself.
//!
//! A thread waits for the deadline and then raises [`PathTimeout`] in the running
//! thread, again and again until the run is over: the target may swallow it. A loop
//! inside C code cannot be ended this way.

use pyo3::ffi;
use pyo3::prelude::*;
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::time::{Duration, Instant};

pyo3::create_exception!(
    pef._native,
    PathTimeout,
    pyo3::exceptions::PyBaseException,
    "Raised inside a run when the time budget is used up."
);

/// Between two attempts.
const INSISTENCE: Duration = Duration::from_millis(100);

type Done = Arc<(Mutex<bool>, Condvar)>;

/// Watches one run; dropping it calls the watch off.
pub struct Watchdog {
    done: Done,
    thread: std::ffi::c_ulong,
}

impl Watchdog {
    /// Watches the calling thread.
    pub fn start(limit: Duration) -> Self {
        let done: Done = Arc::new((Mutex::new(false), Condvar::new()));
        let seen = Arc::clone(&done);
        // SAFETY: asks for the identity of the calling thread.
        let thread = unsafe { ffi::PyThread_get_thread_ident() };
        std::thread::spawn(move || watch(&seen, limit, thread));
        Watchdog { done, thread }
    }
}

fn watch(done: &Done, limit: Duration, thread: std::ffi::c_ulong) {
    let mut deadline = Instant::now() + limit;
    loop {
        if wait_until(done, deadline) {
            return;
        }
        Python::attach(|py| {
            let over = *done.0.lock().unwrap_or_else(PoisonError::into_inner);
            if !over {
                let timeout = py.get_type::<PathTimeout>();
                // SAFETY: a live exception type; unknown threads are ignored.
                unsafe { ffi::PyThreadState_SetAsyncExc(thread as _, timeout.as_ptr()) };
            }
        });
        deadline = Instant::now() + INSISTENCE;
    }
}

/// Waits; true if the run ended meanwhile.
fn wait_until(done: &Done, deadline: Instant) -> bool {
    let mut over = done.0.lock().unwrap_or_else(PoisonError::into_inner);
    while !*over {
        let left = deadline.saturating_duration_since(Instant::now());
        if left.is_zero() {
            return false;
        }
        over = done
            .1
            .wait_timeout(over, left)
            .unwrap_or_else(PoisonError::into_inner)
            .0;
    }
    true
}

impl Drop for Watchdog {
    fn drop(&mut self) {
        *self.done.0.lock().unwrap_or_else(PoisonError::into_inner) = true;
        self.done.1.notify_all();
        // An exception that was not delivered yet would hit whatever comes next.
        // SAFETY: the GIL is held; takes back what is pending for the watched thread.
        unsafe { ffi::PyThreadState_SetAsyncExc(self.thread as _, std::ptr::null_mut()) };
    }
}
