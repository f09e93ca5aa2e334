//! Measures where the time of a chain goes.
//!
//! The cheap layers take less time than it takes to read a clock twice, so none of them reads one: whoever
//! wants to know builds a chain with a stopwatch between its layers, and all others pay nothing.

use std::cell::{Cell, RefCell};
use std::rc::Rc;
use std::time::Instant;

use crate::pool::TermPool;
use crate::solve::{Answer, Budget, LayerStatistics, Query, Solver};

/// One clock for all layers of a chain: at any moment, at most one of them is running.
#[derive(Default)]
pub(super) struct Stopwatch {
    spent: RefCell<Vec<u64>>,
    running: Cell<Option<(usize, Instant)>>,
}

impl Stopwatch {
    /// Stops the layer that is running, and starts another; tells which one ran.
    fn switch(&self, to: Option<usize>) -> Option<usize> {
        let now = Instant::now();
        let (lap, since) = self.running.replace(to.map(|lap| (lap, now)))?;
        if let Some(spent) = self.spent.borrow_mut().get_mut(lap) {
            *spent += (now - since).as_nanos() as u64;
        }
        Some(lap)
    }

    fn add_lap(&self) -> usize {
        let mut spent = self.spent.borrow_mut();
        spent.push(0);
        spent.len() - 1
    }

    fn spent(&self, lap: usize) -> u64 {
        self.spent.borrow().get(lap).copied().unwrap_or_default()
    }
}

/// A layer whose own time is measured, without that of the layers behind it.
pub(super) struct Timed {
    lap: usize,
    stopwatch: Rc<Stopwatch>,
    layer: Box<dyn Solver>,
}

impl Timed {
    pub(super) fn new(stopwatch: Rc<Stopwatch>, layer: Box<dyn Solver>) -> Self {
        let lap = stopwatch.add_lap();
        Timed {
            lap,
            stopwatch,
            layer,
        }
    }
}

impl Solver for Timed {
    fn solve(&mut self, pool: &mut TermPool, query: &Query<'_>, budget: &Budget) -> Answer {
        let before = self.stopwatch.switch(Some(self.lap));
        let answer = self.layer.solve(pool, query, budget);
        self.stopwatch.switch(before);
        answer
    }

    fn name(&self) -> &'static str {
        self.layer.name()
    }

    /// A layer that keeps itself out of the statistics keeps its time out, too.
    fn statistics(&self, out: &mut Vec<LayerStatistics>) {
        let first = out.len();
        self.layer.statistics(out);
        let mut new = out.iter_mut().skip(first);
        if let Some(own) = new.find(|row| row.layer == self.name()) {
            own.nanos = self.stopwatch.spent(self.lap);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::solve::standard_chain;
    use crate::solve::timed_chain;
    use crate::term::{BinaryOp, Sort, TermId};
    use crate::value::Model;

    fn ask(chain: &mut dyn Solver) -> Vec<LayerStatistics> {
        let mut pool = TermPool::new();
        let (x, y) = (pool.variable("x", Sort::Int), pool.variable("y", Sort::Int));
        let sum = pool.binary(BinaryOp::Add, x, y);
        let bound = pool.small(1_000);
        let path: Vec<TermId> = (0..40)
            .map(|shift| {
                let shifted = pool.small(shift);
                pool.lt(shifted, sum)
            })
            .collect();
        let goal = pool.lt(bound, sum);
        let mut hint = Model::new();
        for input in pool.vars(sum).iter().collect::<Vec<_>>() {
            hint.set(input, 100);
        }
        let query = Query {
            path: &path,
            goal,
            hint: &hint,
        };
        chain.solve(&mut pool, &query, &Budget::default());
        let mut rows = Vec::new();
        chain.statistics(&mut rows);
        rows
    }

    #[test]
    fn a_timed_chain_knows_the_time_of_cheap_layers() {
        let rows = ask(&mut *timed_chain(None));
        for row in rows.iter().filter(|row| row.asked > 0) {
            assert!(row.nanos > 0, "{} took no time", row.layer);
        }
    }

    #[test]
    fn timing_changes_no_count() {
        let without_time = |mut row: LayerStatistics| {
            row.nanos = 0;
            row
        };
        let timed: Vec<_> = ask(&mut *timed_chain(None))
            .into_iter()
            .map(without_time)
            .collect();
        let plain: Vec<_> = ask(&mut *standard_chain(None))
            .into_iter()
            .map(without_time)
            .collect();
        assert_eq!(timed, plain);
    }

    #[test]
    fn time_goes_to_one_layer_at_once() {
        let stopwatch = Stopwatch::default();
        let (outer, inner) = (stopwatch.add_lap(), stopwatch.add_lap());
        let start = Instant::now();
        assert_eq!(stopwatch.switch(Some(outer)), None);
        assert_eq!(stopwatch.switch(Some(inner)), Some(outer));
        std::thread::sleep(std::time::Duration::from_millis(2));
        assert_eq!(stopwatch.switch(Some(outer)), Some(inner));
        assert_eq!(stopwatch.switch(None), Some(outer));
        let whole = start.elapsed().as_nanos() as u64;
        assert!(stopwatch.spent(inner) >= 2_000_000);
        assert!(stopwatch.spent(inner) + stopwatch.spent(outer) <= whole);
    }
}
