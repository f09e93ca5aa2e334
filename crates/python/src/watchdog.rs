//! Ends a run that does not end by itself.
//!
//! A thread waits for the deadline and then raises [`PathTimeout`] in the running
//! thread. The target may swallow it; from the second time on it is raised at every line that
//! is reached, so also at the first line of the handler, outside of what the handler protects.
//! A loop inside C code cannot be ended this way.

use pyo3::ffi;
use pyo3::prelude::*;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::time::{Duration, Instant};

use crate::isolation::pulse;

pyo3::create_exception!(
    pef._native,
    PathTimeout,
    pyo3::exceptions::PyBaseException,
    "Raised inside a run when the time budget is used up."
);

/// Between two attempts.
const INSISTENCE: Duration = Duration::from_millis(100);
/// Between two looks at the clocks.
const SHORTEST: Duration = Duration::from_millis(1);

type Done = Arc<(Mutex<bool>, Condvar)>;

/// The thread that is told to end at every line; 0 if none is.
static PRESSED: AtomicUsize = AtomicUsize::new(0);

/// What a run may use.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// Until the search itself ends.
    pub wall: Option<Duration>,
    /// Of the processor: on a busy machine a run is not slow because others are.
    pub cpu: Option<Duration>,
}

/// A run that waits is given so much more time than one that computes.
const WAITING: u32 = 4;

impl Limits {
    /// Whether there is any.
    pub fn exist(self) -> bool {
        self.wall.is_some() || self.cpu.is_some()
    }

    fn first_look(self) -> Duration {
        let limits = [self.wall, self.cpu].into_iter().flatten();
        limits.min().unwrap_or(INSISTENCE)
    }

    /// How much longer the run may go on before the next look; `None` if it is over.
    fn left(self, elapsed: Duration, used: Duration) -> Option<Duration> {
        let waiting = self.cpu.map(|limit| limit * WAITING);
        let wall = [self.wall, waiting].into_iter().flatten().min();
        let wall = wall.map(|limit| limit.saturating_sub(elapsed));
        let cpu = self.cpu.map(|limit| limit.saturating_sub(used));
        let left = [wall, cpu].into_iter().flatten().min()?;
        (!left.is_zero()).then(|| left.max(SHORTEST))
    }
}

fn cpu_time() -> Duration {
    cpu_time::ProcessTime::try_now().map_or(Duration::ZERO, |now| now.as_duration())
}

/// Watches one run; dropping it calls the watch off.
pub struct Watchdog {
    done: Done,
    thread: std::ffi::c_ulong,
    /// Whether it has raised its exception, which need not have arrived.
    has_raised: Arc<AtomicBool>,
}

impl Watchdog {
    /// Watches the calling thread.
    pub fn start(limits: Limits) -> Self {
        let done: Done = Arc::new((Mutex::new(false), Condvar::new()));
        let seen = Arc::clone(&done);
        // SAFETY: asks for the identity of the calling thread.
        let thread = unsafe { ffi::PyThread_get_thread_ident() };
        let has_raised = Arc::new(AtomicBool::new(false));
        let raises = Arc::clone(&has_raised);
        std::thread::spawn(move || watch(&seen, limits, thread, &raises));
        Watchdog {
            done,
            thread,
            has_raised,
        }
    }
}

fn watch(done: &Done, limits: Limits, thread: std::ffi::c_ulong, raises: &AtomicBool) {
    let (start, started) = (Instant::now(), cpu_time());
    let mut deadline = start + limits.first_look();
    let mut is_swallowed = false;
    loop {
        if wait_until(done, deadline) {
            return;
        }
        let used = cpu_time().saturating_sub(started);
        if let Some(more) = limits.left(start.elapsed(), used) {
            deadline = Instant::now() + more;
            continue;
        }
        Python::attach(|py| {
            let over = *done.0.lock().unwrap_or_else(PoisonError::into_inner);
            if !over {
                raises.store(true, Ordering::Relaxed);
                pulse::is_late();
                let timeout = py.get_type::<PathTimeout>();
                // SAFETY: a live exception type; unknown threads are ignored.
                unsafe { ffi::PyThreadState_SetAsyncExc(thread as _, timeout.as_ptr()) };
                if is_swallowed {
                    press(thread);
                }
                is_swallowed = true;
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

/// Has [`PathTimeout`] raised at every line of a thread, from its next instruction on.
fn press(thread: std::ffi::c_ulong) {
    if let Ok(thread) = usize::try_from(thread) {
        PRESSED.store(thread, Ordering::Relaxed);
        // SAFETY: the GIL is held. The main thread makes the call; if that is not the one
        // that is meant, `begin_tracing` does nothing. A full queue is tried again.
        unsafe { ffi::Py_AddPendingCall(Some(begin_tracing), std::ptr::null_mut()) };
    }
}

fn is_pressed() -> bool {
    // SAFETY: asks for the identity of the calling thread.
    let thread = unsafe { ffi::PyThread_get_thread_ident() };
    usize::try_from(thread).is_ok_and(|this| PRESSED.load(Ordering::Relaxed) == this)
}

extern "C" fn begin_tracing(_: *mut std::ffi::c_void) -> std::ffi::c_int {
    // SAFETY: called by the interpreter with the GIL held.
    let py = unsafe { Python::assume_attached() };
    if !is_pressed() || is_traced(py) {
        return 0;
    }
    // SAFETY: as above; the function lives for ever.
    unsafe { ffi::PyEval_SetTrace(Some(end_here), std::ptr::null_mut()) };
    0
}

/// Whether somebody else traces this thread, who would not get it back.
fn is_traced(py: Python<'_>) -> bool {
    let tracer = py
        .import("sys")
        .and_then(|sys| sys.call_method0("gettrace"));
    !tracer.is_ok_and(|tracer| tracer.is_none())
}

extern "C" fn end_here(
    _: *mut ffi::PyObject,
    _: *mut ffi::PyFrameObject,
    event: std::ffi::c_int,
    _: *mut ffi::PyObject,
) -> std::ffi::c_int {
    if event != ffi::PyTrace_LINE || !is_pressed() {
        return 0;
    }
    // SAFETY: a trace function is called with the GIL held.
    let py = unsafe { Python::assume_attached() };
    PyErr::new::<PathTimeout, _>(()).restore(py);
    -1
}

/// Takes back what [`press`] has begun.
fn release() {
    if is_pressed() {
        PRESSED.store(0, Ordering::Relaxed);
        // SAFETY: a run ends with the GIL held, in the thread that it was in.
        unsafe { ffi::PyEval_SetTrace(None, std::ptr::null_mut()) };
    }
}

impl Drop for Watchdog {
    fn drop(&mut self) {
        *self.done.0.lock().unwrap_or_else(PoisonError::into_inner) = true;
        self.done.1.notify_all();
        // An exception that was not delivered yet would hit whatever comes next.
        if self.has_raised.load(Ordering::Relaxed) {
            Python::attach(|py| {
                release();
                swallow(py, self.thread);
            });
        }
    }
}

/// Lets a pending exception be raised where nobody minds. To only take it back makes CPython 3.11
/// look for it forever, and hang when code is traced.
fn swallow(py: Python<'_>, thread: std::ffi::c_ulong) {
    let timeout = py.get_type::<PathTimeout>();
    // SAFETY: the GIL is held, the type is alive, and the thread is the calling one.
    unsafe { ffi::PyThreadState_SetAsyncExc(thread as _, timeout.as_ptr()) };
    if py.eval(c"0", None, None).is_ok() {
        // SAFETY: as above; it was not raised, and must not be later.
        unsafe { ffi::PyThreadState_SetAsyncExc(thread as _, std::ptr::null_mut()) };
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SECOND: Duration = Duration::from_secs(1);

    #[test]
    fn a_busy_machine_does_not_end_a_run() {
        let limits = Limits {
            wall: None,
            cpu: Some(SECOND),
        };
        assert_eq!(limits.left(2 * SECOND, SECOND / 2), Some(SECOND / 2));
        assert_eq!(limits.left(2 * SECOND, SECOND), None);
    }

    #[test]
    fn a_run_that_waits_ends_too() {
        let limits = Limits {
            wall: None,
            cpu: Some(SECOND),
        };
        assert_eq!(limits.left(WAITING * SECOND, Duration::ZERO), None);
    }

    #[test]
    fn the_end_of_the_search_ends_a_run() {
        let limits = Limits {
            wall: Some(SECOND),
            cpu: Some(5 * SECOND),
        };
        assert_eq!(limits.left(SECOND, Duration::ZERO), None);
    }
}
