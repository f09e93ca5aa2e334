//! How much an exploration may spend.

use std::cell::Cell;
use std::time::Duration;

/// Limits of one exploration; `None` means unlimited.
#[derive(Clone, Debug)]
pub struct Budget {
    /// Free decisions per path (default 10).
    pub depth: Option<u32>,
    /// Paths in all, pruned ones included (default: unlimited).
    pub paths: Option<u64>,
    /// Wall time in all (default: unlimited).
    pub wall: Option<Duration>,
    /// CPU time in all (default: unlimited).
    pub cpu: Option<Duration>,
    /// Effort and wall time of a single solver query.
    pub query: pef_logic::Budget,
    /// Further values tried for one pinned place (default 4).
    pub pin_samples: u32,
}

impl Default for Budget {
    fn default() -> Self {
        Budget {
            depth: Some(10),
            paths: None,
            wall: None,
            cpu: None,
            query: pef_logic::Budget::default(),
            pin_samples: 4,
        }
    }
}

/// Time, passed in so that explorations can be tested without waiting.
pub trait Clock {
    /// Wall time since some fixed moment.
    fn wall(&self) -> Duration;
    /// CPU time of the process since some fixed moment.
    fn cpu(&self) -> Duration;
}

/// A clock that moves only when told to.
#[derive(Debug, Default)]
pub struct ManualClock {
    now: Cell<Duration>,
}

impl ManualClock {
    /// Moves both clocks forward.
    pub fn advance(&self, by: Duration) {
        self.now.set(self.now.get() + by);
    }
}

impl Clock for ManualClock {
    fn wall(&self) -> Duration {
        self.now.get()
    }
    fn cpu(&self) -> Duration {
        self.now.get()
    }
}
