//! Interrupts a solver that uses too much wall clock time.
//!
//! Z3's own `timeout` starts a timer per check and doubles the cost of small ones. One sleeping
//! thread per process does the same for the price of an uncontended lock: it is woken only when it
//! has been idle for a while.

use std::io;
use std::process;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use z3::ContextHandle;

/// How long the thread looks for work by itself before it has to be woken. A deadline that is set
/// meanwhile may be noticed this much too late.
const GRACE: Duration = Duration::from_millis(20);

#[derive(Debug, Default)]
struct State {
    deadline: Option<Instant>,
    fired: bool,
    asleep: bool,
    ended: bool,
}

#[derive(Debug, Default)]
struct Shared {
    state: Mutex<State>,
    wake: Condvar,
}

impl Shared {
    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The near end of the thread.
#[derive(Debug)]
pub(super) struct Watchdog {
    shared: Arc<Shared>,
    /// Threads do not survive a fork: in another process there is no thread behind this.
    process: u32,
}

impl Watchdog {
    pub(super) fn start(context: ContextHandle<'static>) -> io::Result<Self> {
        let shared = Arc::new(Shared::default());
        let theirs = Arc::clone(&shared);
        thread::Builder::new()
            .name("pef-watchdog".to_owned())
            .stack_size(64 * 1024)
            .spawn(move || watch(&theirs, &context))?;
        Ok(Watchdog {
            shared,
            process: process::id(),
        })
    }

    /// Whether the thread runs in this process.
    pub(super) fn is_alive(&self) -> bool {
        self.process == process::id()
    }

    /// Interrupts the context if it is not called off within `limit`.
    pub(super) fn arm(&self, limit: Duration) {
        let mut state = self.shared.lock();
        state.deadline = Instant::now().checked_add(limit);
        state.fired = false;
        if state.asleep {
            state.asleep = false;
            self.shared.wake.notify_one();
        }
    }

    /// Calls the interrupt off; tells whether it has happened already.
    pub(super) fn disarm(&self) -> bool {
        let mut state = self.shared.lock();
        state.deadline = None;
        state.fired
    }
}

impl Drop for Watchdog {
    fn drop(&mut self) {
        self.shared.lock().ended = true;
        self.shared.wake.notify_one();
    }
}

fn watch(shared: &Shared, context: &ContextHandle<'static>) {
    let mut state = shared.lock();
    let mut idle_since = None;
    while !state.ended {
        let now = Instant::now();
        let pause = match state.deadline {
            Some(deadline) if deadline <= now => {
                context.interrupt();
                state.fired = true;
                state.deadline = None;
                continue;
            }
            Some(deadline) => {
                idle_since = None;
                deadline - now
            }
            None => {
                let since = *idle_since.get_or_insert(now);
                if now - since >= GRACE {
                    state.asleep = true;
                    state = shared
                        .wake
                        .wait(state)
                        .unwrap_or_else(PoisonError::into_inner);
                    state.asleep = false;
                    idle_since = None;
                    continue;
                }
                GRACE
            }
        };
        (state, _) = shared
            .wake
            .wait_timeout(state, pause)
            .unwrap_or_else(PoisonError::into_inner);
    }
}
