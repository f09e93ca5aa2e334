//! The whole chain against enumeration.
//!
//! Random conditions over numbers within small bounds: what the chain calls unsatisfiable must have
//! no solution among all assignments, and it must not give up on such small questions.

mod support;

use pef_logic::{Answer, Budget, Evaluator, Query, Sort, TermId, TermPool, standard_chain};
use proptest::prelude::*;
use support::expression::{
    Assignment, Style, Truth, VARIABLES, small_assignment, tame_truth, truth,
};

const BOUND: i64 = 3;

fn bounds(pool: &mut TermPool) -> Vec<TermId> {
    let (low, high) = (pool.small(-BOUND), pool.small(BOUND));
    let mut bounds = Vec::new();
    for index in 0..VARIABLES {
        let variable = pool.variable(&format!("x{index}"), Sort::Int);
        bounds.push(pool.le(low, variable));
        bounds.push(pool.le(variable, high));
    }
    bounds
}

fn clamp(assignment: &Assignment) -> Assignment {
    let mut clamped = assignment.clone();
    for number in &mut clamped.numbers {
        *number = number.clone().clamp((-BOUND).into(), BOUND.into());
    }
    clamped
}

/// The path of a run with this input: each condition as it came out there.
fn path_of(conditions: &[Truth], input: &Assignment) -> Vec<Truth> {
    let outcome = |condition: &Truth| {
        Some(if condition.value(input)? {
            condition.clone()
        } else {
            Truth::Not(Box::new(condition.clone()))
        })
    };
    conditions.iter().filter_map(outcome).collect()
}

fn check(conditions: &[Truth], goal: &Truth, input: &Assignment) -> Result<(), TestCaseError> {
    let mut pool = TermPool::new();
    let input = clamp(input);
    let hint = input.model(&mut pool);
    let taken = path_of(conditions, &input);
    let mut path = bounds(&mut pool);
    path.extend(
        taken
            .iter()
            .map(|condition| condition.build(&mut pool, Style::Simplified)),
    );
    let goal_term = goal.build(&mut pool, Style::Simplified);
    let query = Query {
        path: &path,
        goal: goal_term,
        hint: &hint,
    };
    match standard_chain(None).solve(&mut pool, &query, &Budget::default()) {
        Answer::Sat(model) => {
            let mut evaluator = Evaluator::new();
            prop_assert!(evaluator.holds(&pool, &model, goal_term));
            prop_assert!(evaluator.all_hold(&pool, &model, &path));
            prop_assert_eq!(model.iter().count(), pool.var_count());
        }
        Answer::Unsat => {
            let solution = Assignment::all(BOUND).find(|candidate| {
                goal.value(candidate) == Some(true)
                    && taken.iter().all(|part| part.value(candidate) == Some(true))
            });
            prop_assert!(solution.is_none(), "missed {:?}", solution);
        }
        Answer::Unknown(reason) => {
            // Operations without a value may be hidden behind `and` and `or` from every solver.
            let partial =
                pool.is_partial(goal_term) || path.iter().any(|&part| pool.is_partial(part));
            prop_assert!(partial, "gave up: {:?}", reason);
        }
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(700))]

    #[test]
    fn refutations_are_right_and_small_questions_are_answered(
        conditions in prop::collection::vec(tame_truth(), 0..4),
        goal in tame_truth(),
        input in small_assignment(),
    ) {
        check(&conditions, &goal, &input)?;
    }

    #[test]
    fn refutations_are_right_for_all_operations(goal in truth(), input in small_assignment()) {
        let mut pool = TermPool::new();
        let input = clamp(&input);
        let hint = input.model(&mut pool);
        let path = bounds(&mut pool);
        let goal_term = goal.build(&mut pool, Style::Simplified);
        let query = Query { path: &path, goal: goal_term, hint: &hint };
        if standard_chain(None).solve(&mut pool, &query, &Budget::default()) == Answer::Unsat {
            let solution = Assignment::all(BOUND).find(|candidate| goal.value(candidate) == Some(true));
            prop_assert!(solution.is_none(), "missed {:?}", solution);
        }
    }
}
