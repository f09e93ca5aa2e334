//! A search as an exploration makes it: one chain, asked for every other branch of a path.

use std::time::Duration;

use pef_logic::{Answer, Budget, Evaluator, Model, Query, Solver, TermId, TermPool};
use pef_logic::{smtlib::script, standard_chain};

/// Enough for small questions; giving up on others is no fault.
const BUDGET: Budget = Budget {
    rlimit: 200_000,
    wall: Duration::from_millis(200),
};

/// A path: what holds of all inputs, and the conditions as they came out for the hint.
pub struct Path<'a> {
    pub bounds: &'a [TermId],
    pub taken: &'a [TermId],
    pub hint: &'a Model,
}

impl Path<'_> {
    /// Asks for every other branch, down the path and up again. `missed(n)` describes an input that
    /// takes the first `n` conditions and not the next, if it knows one.
    pub fn search(&self, pool: &mut TermPool, missed: impl Fn(&TermPool, usize) -> Option<String>) {
        let mut chain = standard_chain(None);
        let positions = 0..self.taken.len();
        let glance = positions.clone().map(|position| (position, Budget::GLANCE));
        let down = positions.clone().map(|position| (position, BUDGET));
        let up = positions.rev().map(|position| (position, BUDGET));
        let mut refuted = Vec::new();
        for (position, budget) in glance.chain(down).chain(up) {
            if self.ask(pool, chain.as_mut(), position, &budget) == Verdict::Refuted
                && !refuted.contains(&position)
            {
                refuted.push(position);
                let missed = missed(pool, position);
                assert!(missed.is_none(), "refuted at {position}: {missed:?}");
            }
        }
    }

    fn ask(
        &self,
        pool: &mut TermPool,
        chain: &mut dyn Solver,
        position: usize,
        budget: &Budget,
    ) -> Verdict {
        let path = [self.bounds, &self.taken[..position]].concat();
        let goal = pool.not(self.taken[position]);
        assert!(!script(pool, &path, goal).is_empty());
        let query = Query {
            path: &path,
            goal,
            hint: self.hint,
        };
        match chain.solve(pool, &query, budget) {
            Answer::Sat(model) => {
                let mut evaluator = Evaluator::new();
                assert!(evaluator.holds(pool, &model, goal), "wrong model {model:?}");
                assert!(
                    evaluator.all_hold(pool, &model, &path),
                    "off the path: {model:?}"
                );
                Verdict::Other
            }
            Answer::Unsat => Verdict::Refuted,
            Answer::Unknown(_) => Verdict::Other,
        }
    }
}

#[derive(PartialEq)]
enum Verdict {
    Refuted,
    Other,
}
