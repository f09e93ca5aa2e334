//! The whole chain against enumeration, for text.
//!
//! What the chain calls unsatisfiable must have no solution among all small inputs; where the path
//! bounds the inputs, it must not give up, but for one known gap.

#![allow(clippy::unwrap_used, clippy::panic, missing_docs)]

mod text_terms;

use pef_logic::operation::Operation as Op;
use pef_logic::{
    Answer, Budget, CharClass, Evaluator, Query, TermId, TermPool, TextKind, UnknownReason,
    standard_chain,
};
use proptest::prelude::*;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;
use text_terms::{
    Inputs, Number, Relation, Style, Truth, UNITS, VARIABLES, Words, inputs, inputs_from, truths,
};

/// Units of enumerated text.
const LETTERS: usize = 4;
const LONGEST: usize = 2;
const BOUND: i64 = 1;

/// Every text over a few letters.
fn all_texts() -> Vec<Vec<u32>> {
    let mut all = vec![vec![]];
    let mut last = all.clone();
    for _ in 0..LONGEST {
        last = last
            .iter()
            .flat_map(|text: &Vec<u32>| {
                UNITS[..LETTERS].iter().map(move |&unit| {
                    let mut longer = text.clone();
                    longer.push(unit);
                    longer
                })
            })
            .collect();
        all.extend(last.clone());
    }
    all
}

fn all_inputs() -> Vec<Inputs> {
    let texts = all_texts();
    let mut all = Vec::new();
    for a in &texts {
        for b in &texts {
            for x in -BOUND..=BOUND {
                for y in -BOUND..=BOUND {
                    all.push(Inputs {
                        texts: [a.clone(), b.clone()],
                        numbers: [x, y],
                    });
                }
            }
        }
    }
    all
}

/// Nothing but the enumerated inputs.
fn bounds(pool: &mut TermPool, kind: TextKind) -> Vec<TermId> {
    let mut bounds = Vec::new();
    let class = CharClass::new(UNITS[..LETTERS].iter().map(|&unit| (unit, unit)));
    let class = pool.intern_class(class);
    for index in 0..VARIABLES {
        let number = pool.variable(&format!("x{index}"), pef_logic::Sort::Int);
        let (low, high) = (pool.small(-BOUND), pool.small(BOUND));
        bounds.push(pool.le(low, number));
        bounds.push(pool.le(number, high));
        let text = pool.variable(&format!("s{index}"), kind.sort());
        let length = pool.apply(Op::Length, &[text]);
        let longest = pool.small(LONGEST as i64);
        bounds.push(pool.le(length, longest));
        for place in 0..LONGEST {
            let place = pool.small(place as i64);
            let unit = pool.apply(Op::At, &[text, place]);
            let inside = pool.apply(Op::InClass(class), &[unit]);
            let absent = pool.le(length, place);
            bounds.push(pool.or(inside, absent));
        }
    }
    bounds
}

fn small(mut inputs: Inputs) -> Inputs {
    for text in &mut inputs.texts {
        text.truncate(LONGEST);
        for unit in text {
            *unit = UNITS[*unit as usize % LETTERS];
        }
    }
    for number in &mut inputs.numbers {
        *number = (*number).clamp(-BOUND, BOUND);
    }
    inputs
}

/// The path of a run with this input: each condition as it came out there.
fn path_of(kind: TextKind, conditions: &[Truth], input: &Inputs) -> Vec<Truth> {
    conditions
        .iter()
        .map(|condition| {
            if condition.value(kind, input) {
                condition.clone()
            } else {
                Truth::Not(Box::new(condition.clone()))
            }
        })
        .collect()
}

fn check(
    kind: TextKind,
    truths: &[Truth],
    input: Inputs,
    bounded: bool,
) -> Result<(), TestCaseError> {
    let mut pool = TermPool::new();
    let input = if bounded { small(input) } else { input };
    let hint = input.model(&mut pool, kind);
    let (goal, conditions) = truths.split_last().unwrap();
    let taken = path_of(kind, conditions, &input);
    let mut path = if bounded {
        bounds(&mut pool, kind)
    } else {
        Vec::new()
    };
    for part in &taken {
        path.push(part.build(&mut pool, kind, Style::Simplified));
    }
    let goal_term = goal.build(&mut pool, kind, Style::Simplified);
    let query = Query {
        path: &path,
        goal: goal_term,
        hint: &hint,
    };
    match standard_chain(None).solve(&mut pool, &query, &PATIENT) {
        Answer::Sat(model) => {
            let mut evaluator = Evaluator::new();
            prop_assert!(evaluator.holds(&pool, &model, goal_term));
            prop_assert!(evaluator.all_hold(&pool, &model, &path));
            prop_assert_eq!(model.iter().count(), pool.var_count());
        }
        Answer::Unsat => {
            let solution = all_inputs().into_iter().find(|candidate| {
                goal.value(kind, candidate) && taken.iter().all(|part| part.value(kind, candidate))
            });
            prop_assert!(solution.is_none(), "missed {:?}", solution);
        }
        Answer::Unknown(UnknownReason::Incomplete("long text")) if bounded => {
            let before = TAKEN_FOR_LONG.fetch_add(1, Ordering::Relaxed);
            prop_assert!(before < MOST_TAKEN_FOR_LONG, "gave up too often");
        }
        Answer::Unknown(reason) => {
            prop_assert!(!bounded, "gave up: {:?}", reason);
        }
    }
    Ok(())
}

/// The one way in which a small question may go unanswered, seldom: see the gap below.
const MOST_TAKEN_FOR_LONG: u32 = 3;
static TAKEN_FOR_LONG: AtomicU32 = AtomicU32::new(0);

/// Whether a small question is answered must not depend on what else the machine does.
const PATIENT: Budget = Budget {
    rlimit: 40_000_000,
    wall: Duration::from_secs(60),
};

/// Little, for questions that need no answer.
const BRIEF: Budget = Budget {
    rlimit: 100_000,
    wall: Duration::from_millis(50),
};

/// Asks for each condition that comes out differently for another input, with all that come out the
/// same for a path: that input is a solution, however long its text is and whatever is in it.
fn check_planted(
    kind: TextKind,
    truths: &[Truth],
    input: &Inputs,
    solution: &Inputs,
) -> Result<(), TestCaseError> {
    let mut pool = TermPool::new();
    let hint = input.model(&mut pool, kind);
    let differs = |truth: &&Truth| truth.value(kind, input) != truth.value(kind, solution);
    let (goals, shared): (Vec<&Truth>, Vec<&Truth>) = truths.iter().partition(differs);
    let mut built = |truth: &Truth| {
        let term = truth.build(&mut pool, kind, Style::Simplified);
        if truth.value(kind, solution) {
            term
        } else {
            pool.not(term)
        }
    };
    let path: Vec<TermId> = shared.into_iter().map(&mut built).collect();
    let goals: Vec<TermId> = goals.into_iter().map(&mut built).collect();
    let mut chain = standard_chain(None);
    for goal in goals {
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
    #![proptest_config(ProptestConfig::with_cases(500))]

    #[test]
    fn what_has_a_solution_is_not_refuted(
        (kind, truths) in truths(6, 3),
        here in inputs(),
        there in inputs(),
    ) {
        let [here, there] = [here, there].map(|bytes| inputs_from(bytes, kind));
        check_planted(kind, &truths, &here, &there)?;
    }

    #[test]
    fn small_questions_are_answered_right(
        (kind, truths) in truths(3, 3),
        bytes in inputs(),
    ) {
        check(kind, &truths, inputs_from(bytes, kind), true)?;
    }

    #[test]
    fn refutations_of_open_questions_are_right(
        (kind, truths) in truths(3, 3),
        bytes in inputs(),
    ) {
        check(kind, &truths, inputs_from(bytes, kind), false)?;
    }
}

/// A known gap: when this question is answered, `TAKEN_FOR_LONG` can go.
#[test]
fn gap_a_slice_of_a_slice_is_taken_for_a_long_text() {
    let text = || Box::new(Words::Variable(0));
    let end = |at| Box::new(Number::Constant(at));
    let inner = Words::Slice(text(), end(-1), end(48));
    let from = Number::Length(text());
    let outer = Words::Slice(
        Box::new(inner),
        Box::new(from),
        Box::new(Number::Variable(0)),
    );
    let twice = Words::Concat(vec![
        Words::Variable(0),
        Words::Variable(0),
        Words::Constant(vec![]),
    ]);
    let kind = TextKind::Str;
    let goal = Truth::Relation(Relation::Contains, Box::new(outer), Box::new(twice));
    let mut pool = TermPool::new();
    let hint = small(inputs_from(vec![8], kind)).model(&mut pool, kind);
    let path = bounds(&mut pool, kind);
    let goal = goal.build(&mut pool, kind, Style::Simplified);
    let query = Query {
        path: &path,
        goal,
        hint: &hint,
    };
    let answer = standard_chain(None).solve(&mut pool, &query, &PATIENT);
    assert_eq!(
        answer,
        Answer::Unknown(UnknownReason::Incomplete("long text"))
    );
}
