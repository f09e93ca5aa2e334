//! Refutes queries by bounds, and solves those that bounds pin down.
//!
//! Propagation handles every operation at least roughly, so it sees contradictions
//! that the exact but narrow difference layer cannot; of a text it knows the length. It also tells the
//! bit-vector layers how wide the numbers of a query can get.

mod backward;
mod float;
mod propagate;
mod range;
mod text;

use crate::evaluate::Evaluator;
use crate::pool::TermPool;
use crate::solve::{Answer, Budget, LayerStatistics, Query, Solver, start_from};
use crate::value::{Model, Value};
use crate::variables::VarSet;

pub(super) use propagate::{Domain, Propagation};
pub(super) use range::Range;

/// Propagates bounds; tries the hint moved into the bounds as a model.
pub(super) struct Intervals {
    propagation: Propagation,
    evaluator: Evaluator,
    statistics: LayerStatistics,
    next: Box<dyn Solver>,
}

impl Intervals {
    pub(super) fn new(next: Box<dyn Solver>) -> Self {
        Intervals {
            propagation: Propagation::new(),
            evaluator: Evaluator::new(),
            statistics: LayerStatistics::new("intervals"),
            next,
        }
    }

    /// The hint with every variable moved into its range, if that is a model.
    fn clamped(&mut self, pool: &TermPool, query: &Query<'_>) -> Option<Model> {
        let mut model = start_from(pool, query.hint);
        let mut variables = VarSet::new();
        for &part in query.path.iter().chain([&query.goal]) {
            variables.extend(pool.vars(part));
        }
        let mut moved = false;
        for variable in variables.iter() {
            let before = model.value_of(pool, variable);
            let value = match (self.propagation.variable(pool, variable)?, &before) {
                (Domain::Number(range), Value::Int(value)) => Value::Int(range.nearest(value)),
                (Domain::Float(range), Value::Float(value)) => Value::Float(range.nearest(*value)),
                (Domain::Truth(Some(value)), _) => Value::Bool(value),
                (Domain::Truth(None) | Domain::Number(_) | Domain::Float(_), _) => continue,
            };
            if value != before {
                model.set(variable, value);
                moved = true;
            }
        }
        let holds = moved
            && self.evaluator.holds(pool, &model, query.goal)
            && self.evaluator.all_hold(pool, &model, query.path);
        holds.then_some(model)
    }
}

impl Solver for Intervals {
    fn solve(&mut self, pool: &mut TermPool, query: &Query<'_>, budget: &Budget) -> Answer {
        self.statistics.asked += 1;
        let roots = query.path.iter().copied().chain([query.goal]);
        if self.propagation.run(pool, roots).is_err() {
            self.statistics.unsat += 1;
            return Answer::Unsat;
        }
        match self.clamped(pool, query) {
            Some(model) => {
                self.statistics.sat += 1;
                Answer::Sat(model)
            }
            None => self.next.solve(pool, query, budget),
        }
    }

    fn name(&self) -> &'static str {
        self.statistics.layer
    }

    fn statistics(&self, out: &mut Vec<LayerStatistics>) {
        out.push(self.statistics.clone());
        self.next.statistics(out);
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::support::expression::{Assignment, Style, Truth, narrow_comparison, tame_truth};
    use crate::term::{Sort, TermId};

    const BOUND: i64 = 2;

    /// Truth conditions with a bound on every number, as written or simplified.
    fn roots(pool: &mut TermPool, conditions: &[Truth], style: Style) -> Vec<TermId> {
        let (low, high) = (pool.small(-BOUND), pool.small(BOUND));
        let mut roots = Vec::new();
        for index in 0..crate::support::expression::VARIABLES {
            let variable = pool.variable(&format!("x{index}"), Sort::Int);
            roots.push(pool.le(low, variable));
            roots.push(pool.le(variable, high));
        }
        roots.extend(
            conditions
                .iter()
                .map(|condition| condition.build(pool, style)),
        );
        roots
    }

    fn check(conditions: &[Truth], style: Style) -> Result<(), TestCaseError> {
        let mut pool = TermPool::new();
        let roots = roots(&mut pool, conditions, style);
        let mut propagation = Propagation::new();
        let outcome = propagation.run(&pool, roots.iter().copied());
        let solutions = Assignment::all(BOUND).filter(|candidate| {
            conditions
                .iter()
                .all(|condition| condition.value(candidate) == Some(true))
        });
        for solution in solutions {
            prop_assert!(outcome.is_ok(), "refuted, but {:?} is a solution", solution);
            let model = solution.model(&mut pool);
            let mut evaluator = Evaluator::new();
            for (term, range) in propagation.numbers() {
                if let Ok(Value::Int(value)) = evaluator.value(&pool, &model, term) {
                    prop_assert!(range.contains(&value), "{} outside {:?}", value, range);
                }
            }
        }
        Ok(())
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(250))]

        #[test]
        fn no_solution_is_cut_off(
            conditions in prop::collection::vec(tame_truth(), 1..3),
            written in any::<bool>(),
        ) {
            check(&conditions, if written { Style::AsWritten } else { Style::Simplified })?;
        }

        #[test]
        fn no_solution_of_comparisons_is_cut_off(
            conditions in prop::collection::vec(narrow_comparison(), 1..4),
            written in any::<bool>(),
        ) {
            check(&conditions, if written { Style::AsWritten } else { Style::Simplified })?;
        }
    }
}
