//! The machine's clocks.

use crate::isolation::pulse;
use pef_explore::Clock;
use std::time::{Duration, Instant};

/// Real time, counted from when the clock was made.
pub struct SystemClock {
    start: Instant,
}

impl SystemClock {
    /// Starts counting.
    pub fn new() -> Self {
        SystemClock {
            start: Instant::now(),
        }
    }
}

impl Clock for SystemClock {
    fn wall(&self) -> Duration {
        // A search looks at it before every question to the solver.
        pulse::chooses();
        self.start.elapsed()
    }

    fn cpu(&self) -> Duration {
        cpu_time::ProcessTime::try_now().map_or(Duration::ZERO, |now| now.as_duration())
    }
}
