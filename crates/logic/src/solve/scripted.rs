//! A solver that says what it was told to say.
//!
//! Tests of search, budgets and reports need answers, not arithmetic.

use std::collections::VecDeque;

use crate::pool::TermPool;
use crate::solve::{Answer, Budget, LayerStatistics, Query, Solver, UnknownReason};
use crate::term::TermId;

/// Gives prepared answers in order, then `Unknown`; remembers what was asked.
#[derive(Debug, Default)]
pub struct Scripted {
    answers: VecDeque<Answer>,
    asked: Vec<(Vec<TermId>, TermId)>,
    statistics: LayerStatistics,
}

impl Scripted {
    /// A solver with these answers.
    pub fn new(answers: impl IntoIterator<Item = Answer>) -> Self {
        Scripted {
            answers: answers.into_iter().collect(),
            asked: Vec::new(),
            statistics: LayerStatistics::new("scripted"),
        }
    }

    /// The queries so far, as path and goal.
    pub fn asked(&self) -> &[(Vec<TermId>, TermId)] {
        &self.asked
    }
}

impl Solver for Scripted {
    fn solve(&mut self, _pool: &mut TermPool, query: &Query<'_>, _budget: &Budget) -> Answer {
        self.asked.push((query.path.to_vec(), query.goal));
        let answer =
            self.answers
                .pop_front()
                .unwrap_or(Answer::Unknown(UnknownReason::Incomplete(
                    "the script has ended",
                )));
        self.statistics.asked += 1;
        self.statistics.count(&answer);
        answer
    }

    fn name(&self) -> &'static str {
        "scripted"
    }

    fn statistics(&self, out: &mut Vec<LayerStatistics>) {
        out.push(self.statistics.clone());
    }
}
