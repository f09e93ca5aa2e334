//! Ends a run that does not end by itself.
//!
//! A thread waits for the deadline and then raises [`PathTimeout`] in the running
//! thread. The target may swallow it; from the second time on it is raised at every line that
//! is reached, so also at the first line of the handler, outside of what the handler protects.
//! A loop inside C code cannot be ended this way.
//!
//! There is one such thread per process, and it sleeps: a run sets a deadline, and the thread is woken
//! only for one that is earlier than what it waits for. To start a thread takes longer than many runs.

use pyo3::ffi;
use pyo3::prelude::*;
use std::io;
use std::process;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use crate::boundary::GilCell;
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

/// A run that is watched.
struct Watched {
    limits: Limits,
    /// The thread that it is in.
    thread: std::ffi::c_ulong,
    start: Instant,
    /// The processor time of the process at its start.
    started: Duration,
    /// When to look next.
    deadline: Instant,
    /// How often it was told to end, which need not have arrived.
    told: u32,
}

#[derive(Default)]
struct State {
    run: Option<Watched>,
    /// Counts runs, so that one is not taken for the next.
    number: u64,
    /// Until when the watching thread waits if nobody wakes it; for ever if `None`.
    waits_until: Option<Instant>,
}

/// What the watching thread and the running one have in common.
#[derive(Default)]
struct Shared {
    state: Mutex<State>,
    wake: Condvar,
}

impl Shared {
    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The watching thread of a process. Threads do not survive a fork: in another process there is
/// none behind this, and the lock may be held for ever.
struct Watcher {
    process: u32,
    shared: Arc<Shared>,
}

static WATCHER: GilCell<Option<Watcher>> = GilCell::new(None);

/// Watches one run; dropping it calls the watch off.
pub struct Watchdog {
    process: u32,
    shared: Arc<Shared>,
}

impl Watchdog {
    /// Watches the calling thread.
    pub fn start(limits: Limits) -> io::Result<Self> {
        let process = process::id();
        let shared = shared_in(process)?;
        let start = Instant::now();
        let deadline = start + limits.first_look();
        let watched = Watched {
            limits,
            // SAFETY: asks for the identity of the calling thread.
            thread: unsafe { ffi::PyThread_get_thread_ident() },
            start,
            started: cpu_time(),
            deadline,
            told: 0,
        };
        let mut state = shared.lock();
        state.run = Some(watched);
        state.number += 1;
        let is_late = state.waits_until.is_none_or(|until| until > deadline);
        drop(state);
        if is_late {
            shared.wake.notify_one();
        }
        Ok(Watchdog { process, shared })
    }
}

/// What the watching thread of this process looks at; starts it if there is none.
fn shared_in(process: u32) -> io::Result<Arc<Shared>> {
    WATCHER.with(|watcher| {
        if let Some(known) = watcher.as_ref().filter(|known| known.process == process) {
            return Ok(Arc::clone(&known.shared));
        }
        let shared = Arc::new(Shared::default());
        let theirs = Arc::clone(&shared);
        std::thread::Builder::new()
            .name("pef-run-limit".to_owned())
            .spawn(move || watch(&theirs))?;
        *watcher = Some(Watcher {
            process,
            shared: Arc::clone(&shared),
        });
        Ok(shared)
    })
}

/// The life of the watching thread.
fn watch(shared: &Shared) {
    let mut state = shared.lock();
    loop {
        let now = Instant::now();
        let due = state.run.as_ref().map(|run| run.deadline);
        match due {
            Some(deadline) if deadline <= now => {
                if let Some(number) = late(&mut state) {
                    drop(state);
                    Python::attach(|py| tell(py, shared, number));
                    state = shared.lock();
                }
            }
            Some(deadline) => {
                state.waits_until = Some(deadline);
                state = shared
                    .wake
                    .wait_timeout(state, deadline - now)
                    .unwrap_or_else(PoisonError::into_inner)
                    .0;
            }
            None => {
                state.waits_until = None;
                state = shared
                    .wake
                    .wait(state)
                    .unwrap_or_else(PoisonError::into_inner);
            }
        }
    }
}

/// The number of the run whose deadline has passed, unless it has time left: then it has another one.
fn late(state: &mut State) -> Option<u64> {
    let number = state.number;
    let run = state.run.as_mut()?;
    let used = cpu_time().saturating_sub(run.started);
    let more = run.limits.left(run.start.elapsed(), used);
    run.deadline = Instant::now() + more.unwrap_or(INSISTENCE);
    more.is_none().then_some(number)
}

/// Tells a run to end, if it is still the one. Runs begin and end with the GIL held, so it does not end
/// meanwhile.
fn tell(py: Python<'_>, shared: &Shared, number: u64) {
    let mut state = shared.lock();
    if state.number != number {
        return;
    }
    let Some(run) = state.run.as_mut() else {
        return;
    };
    run.told += 1;
    pulse::is_late();
    let timeout = py.get_type::<PathTimeout>();
    // SAFETY: a live exception type; unknown threads are ignored.
    unsafe { ffi::PyThreadState_SetAsyncExc(run.thread as _, timeout.as_ptr()) };
    if run.told > 1 {
        press(run.thread);
    }
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
        if self.process != process::id() {
            return; // the run has forked; nobody watches here
        }
        let run = self.shared.lock().run.take();
        // An exception that was not delivered yet would hit whatever comes next.
        if let Some(run) = run.filter(|run| run.told > 0) {
            Python::attach(|py| {
                release();
                swallow(py, run.thread);
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
