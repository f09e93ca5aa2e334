//! Whether a layer alone agrees with enumeration: for the tests of layers that go through cases.

use proptest::prelude::*;

use crate::evaluate::Evaluator;
use crate::pool::TermPool;
use crate::solve::{Answer, Budget, Query, Solver};
use crate::support::expression::{Assignment, Style, Truth, VARIABLES};
use crate::term::{Sort, TermId};
use crate::value::Model;

/// Variables are between this and its negative.
const BOUND: i64 = 2;

/// What a layer makes of a query that comes without a hint.
pub(super) fn asked(
    layer: &mut dyn Solver,
    pool: &mut TermPool,
    path: &[TermId],
    goal: TermId,
) -> Answer {
    let query = Query {
        path,
        goal,
        hint: &Model::new(),
    };
    layer.solve(pool, &query, &Budget::default())
}

/// A model of the layer must satisfy the conditions, and what it refutes must have no solution.
pub(super) fn agrees_with_enumeration(
    layer: &mut dyn Solver,
    conditions: &[Truth],
    style: Style,
) -> Result<(), TestCaseError> {
    let mut pool = TermPool::new();
    let (low, high) = (pool.small(-BOUND), pool.small(BOUND));
    let mut path = Vec::new();
    for index in 0..VARIABLES {
        let variable = pool.variable(&format!("x{index}"), Sort::Int);
        path.push(pool.le(low, variable));
        path.push(pool.le(variable, high));
    }
    let mut goal = pool.bool(true);
    for condition in conditions {
        let term = condition.build(&mut pool, style);
        goal = pool.and(goal, term);
    }
    match asked(layer, &mut pool, &path, goal) {
        Answer::Sat(model) => {
            let mut evaluator = Evaluator::new();
            prop_assert!(evaluator.holds(&pool, &model, goal));
            prop_assert!(evaluator.all_hold(&pool, &model, &path));
        }
        Answer::Unsat => {
            let solution = Assignment::all(BOUND).find(|candidate| {
                conditions
                    .iter()
                    .all(|condition| condition.value(candidate) == Some(true))
            });
            prop_assert!(solution.is_none(), "refuted {:?}", solution);
        }
        Answer::Unknown(_) => {}
    }
    Ok(())
}
