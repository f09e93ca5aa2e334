//! A sign of life in shared memory: how far the current run has come.
//!
//! Another process reads it when this one has died or says nothing: the number of decisions
//! names the place, since the same search makes the same decisions again. A run can be told
//! to stop there (`halt_at`), just before whatever killed it.

use pyo3::buffer::PyBuffer;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

use crate::boundary::GilCell;

/// What a process is doing. The numbers are known to `pef.isolation.pulse`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Phase {
    /// Between runs.
    Idle = 0,
    /// The solver looks for the next input.
    Choosing = 1,
    /// Inputs are being made.
    Building = 2,
    /// The function runs, or its result is judged.
    Calling = 3,
}

/// The words of the page, in order.
#[derive(Clone, Copy)]
enum Word {
    /// Changes while something happens.
    Beats = 0,
    Phase = 1,
    /// Decisions of the run.
    Made = 2,
}

const WORDS: usize = 3;

struct Pulse {
    page: Option<PyBuffer<u8>>,
    beats: u64,
    made: u64,
    phase: Phase,
    halt_at: Option<u64>,
    /// The run was told to end; what it does now is no sign of life.
    is_late: bool,
}

static PULSE: GilCell<Pulse> = GilCell::new(Pulse {
    page: None,
    beats: 0,
    made: 0,
    phase: Phase::Idle,
    halt_at: None,
    is_late: false,
});

impl Pulse {
    fn write(&mut self, word: Word, value: u64) {
        if let Some(page) = &self.page {
            // SAFETY: the buffer is writable, has room for all words and is aligned (`show_on`
            // checked), and being exported it cannot go away. The reader takes each word as
            // it finds it.
            unsafe {
                page.buf_ptr()
                    .cast::<u64>()
                    .add(word as usize)
                    .write_volatile(value);
            }
        }
    }

    fn beat(&mut self) {
        self.beats += 1;
        self.write(Word::Beats, self.beats);
    }

    fn must_halt(&self) -> bool {
        self.phase == Phase::Calling && self.halt_at.is_some_and(|limit| self.made >= limit)
    }
}

/// Shows the pulse of this process in `page` from now on.
pub fn show_on(page: &Bound<'_, PyAny>) -> PyResult<()> {
    let page = PyBuffer::<u8>::get(page)?;
    let aligned = page.buf_ptr().cast::<u64>().is_aligned();
    if page.readonly() || page.len_bytes() < WORDS * size_of::<u64>() || !aligned {
        return Err(PyValueError::new_err("not a page to write a pulse to"));
    }
    let before = PULSE.with(|pulse| pulse.page.replace(page));
    drop(before);
    Ok(())
}

/// Stops the next run before it does anything after its first `decisions`.
pub fn halt_at(decisions: Option<u64>) {
    PULSE.with(|pulse| pulse.halt_at = decisions);
}

/// Another phase begins. True if the run is to stop here.
pub fn enter(phase: Phase) -> bool {
    PULSE.with(|pulse| {
        if phase == Phase::Building {
            pulse.made = 0;
            pulse.write(Word::Made, 0);
        }
        pulse.phase = phase;
        pulse.is_late = false;
        pulse.write(Word::Phase, phase as u64);
        pulse.beat();
        pulse.must_halt()
    })
}

/// The run has made a decision. True if it is to stop here.
pub fn decided() -> bool {
    PULSE.with(|pulse| {
        if !pulse.is_late {
            pulse.made += 1;
            pulse.write(Word::Made, pulse.made);
            pulse.beat();
        }
        pulse.must_halt()
    })
}

/// The search goes on to the next question; nothing to a run that is under way.
pub fn chooses() {
    PULSE.with(|pulse| {
        if pulse.phase == Phase::Choosing {
            pulse.beat();
        }
    });
}

/// The run was told to end, and may not listen. What it decides from now on does not count:
/// when it is told differs each time.
pub fn is_late() {
    PULSE.with(|pulse| pulse.is_late = true);
}
