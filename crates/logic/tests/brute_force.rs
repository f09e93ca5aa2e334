//! The whole chain against enumeration.
//!
//! Random conditions over numbers within small bounds: what the chain calls unsatisfiable must have
//! no solution among all assignments, and it must not give up on such small questions.

mod support;

use pef_logic::{Answer, Budget, Evaluator, Query, Sort, TermId, TermPool, standard_chain};
use proptest::prelude::*;
use std::time::Duration;
use support::expression::{
    Assignment, Style, Truth, VARIABLES, assignment, narrow_comparison, small_assignment,
    tame_truth, truth,
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

/// Little, for questions that need no answer.
const BRIEF: Budget = Budget {
    rlimit: 100_000,
    wall: Duration::from_millis(50),
};

/// Asks for each condition that comes out differently for another input, with all that come out the
/// same for a path: that input is a solution, however large its numbers are.
fn check_planted(
    conditions: &[Truth],
    input: &Assignment,
    solution: &Assignment,
    style: Style,
) -> Result<(), TestCaseError> {
    let differs = |condition: &&Truth| condition.value(input) != condition.value(solution);
    let (goals, shared): (Vec<&Truth>, Vec<&Truth>) = conditions.iter().partition(differs);
    let shared: Vec<Truth> = shared.into_iter().cloned().collect();
    let mut pool = TermPool::new();
    let hint = input.model(&mut pool);
    let path: Vec<TermId> = path_of(&shared, solution)
        .iter()
        .map(|condition| condition.build(&mut pool, style))
        .collect();
    let mut chain = standard_chain(None);
    for goal in path_of(&goals.into_iter().cloned().collect::<Vec<_>>(), solution) {
        let goal = goal.build(&mut pool, style);
        let query = Query {
            path: &path,
            goal,
            hint: &hint,
        };
        match chain.solve(&mut pool, &query, &BRIEF) {
            Answer::Sat(model) => {
                let mut evaluator = Evaluator::new();
                prop_assert!(evaluator.holds(&pool, &model, goal));
                prop_assert!(evaluator.all_hold(&pool, &model, &path));
            }
            Answer::Unsat => prop_assert!(false, "missed {:?}", solution),
            Answer::Unknown(_) => {}
        }
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(700))]

    #[test]
    fn what_has_a_solution_is_not_refuted(
        conditions in prop::collection::vec(
            prop_oneof![truth(), tame_truth(), narrow_comparison()],
            1..8,
        ),
        inputs in (assignment(), assignment()),
        written in any::<bool>(),
    ) {
        let style = if written { Style::AsWritten } else { Style::Simplified };
        check_planted(&conditions, &inputs.0, &inputs.1, style)?;
    }

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
