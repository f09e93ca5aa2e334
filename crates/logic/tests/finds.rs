//! Queries the chain must answer, and how.
//!
//! Each case is a Python condition. Its conjuncts are asked for one after the other, as exploration
//! would: each is the goal of a query whose path are those before it.

mod support;

use std::time::{Duration, Instant};

use pef_logic::{
    Answer, Budget, Evaluator, Model, Query, Solver, Sort, TermId, TermPool, UnknownReason,
    standard_chain,
};
use support::parser::parse;

struct Found {
    answer: Answer,
    shown: String,
}

/// Asks for the conditions one after the other, starting with zeros.
fn explore(conditions: &[&str]) -> Found {
    let mut pool = TermPool::new();
    let path: Vec<TermId> = conditions
        .iter()
        .map(|text| parse(&mut pool, text))
        .collect();
    let mut chain = standard_chain(None);
    let mut hint = Model::new();
    for (position, &goal) in path.iter().enumerate() {
        let query = Query {
            path: &path[..position],
            goal,
            hint: &hint,
        };
        let answer = chain.solve(&mut pool, &query, &Budget::default());
        match answer {
            Answer::Sat(model) => {
                let mut evaluator = Evaluator::new();
                assert!(evaluator.all_hold(&pool, &model, &path[..=position]));
                assert_eq!(
                    model.iter().count(),
                    pool.var_count(),
                    "the model is complete"
                );
                hint = model;
            }
            Answer::Unsat | Answer::Unknown(_) => {
                return Found {
                    answer,
                    shown: String::new(),
                };
            }
        }
    }
    let shown: Vec<String> = hint
        .iter()
        .map(|(variable, value)| format!("{}={value}", pool.var_name(variable)))
        .collect();
    Found {
        answer: Answer::Sat(hint),
        shown: shown.join(" "),
    }
}

fn model_of(conditions: &[&str]) -> String {
    let found = explore(conditions);
    assert!(
        matches!(found.answer, Answer::Sat(_)),
        "{conditions:?}: {:?}",
        found.answer
    );
    found.shown
}

#[track_caller]
fn finds(conditions: &[&str]) {
    let found = explore(conditions);
    assert!(
        matches!(found.answer, Answer::Sat(_)),
        "{conditions:?}: {:?}",
        found.answer
    );
}

#[track_caller]
fn refutes(conditions: &[&str]) {
    let found = explore(conditions);
    assert_eq!(
        found.answer,
        Answer::Unsat,
        "{conditions:?}: {}",
        found.shown
    );
}

#[test]
fn models_look_as_a_person_would_choose_them() {
    assert_eq!(model_of(&["x > 5"]), "x=6");
    assert_eq!(
        model_of(&["x >= 18446744073709551616"]),
        "x=18446744073709551616"
    );
    assert_eq!(model_of(&["x != 0"]), "x=1");
    assert_eq!(model_of(&["x < y"]), "x=0 y=1");
    assert_eq!(model_of(&["a + c == 42"]), "a=42 c=0");
    assert_eq!(model_of(&["a + c == 42", "a - c != 42"]), "a=41 c=1");
    assert_eq!(model_of(&["x * y == 12", "x > 2"]), "x=3 y=4");
    assert_eq!(
        model_of(&["x + y + z == 10", "x > 0", "y > x", "z > y"]),
        "x=2 y=3 z=5"
    );
}

#[test]
fn floor_division_and_remainder_of_negative_numbers() {
    assert_eq!(model_of(&["x // 2 == -4", "x % 2 == 1"]), "x=-7");
    assert_eq!(model_of(&["x % 2 == 1", "x // 2 == -4"]), "x=-7");
    finds(&["x // (0 - 3) == 5", "x % (0 - 3) == -2"]);
    finds(&["x // y == 7", "x % y == 3", "y > 4"]);
    finds(&["x // y == -7", "x % y == -3", "y < -4"]);
    refutes(&["x % 4 == 3", "x % 2 == 0"]);
}

#[test]
fn boundaries_beyond_machine_words() {
    let conditions = ["x > 2 ** 64 - 1", "x < 2 ** 64 + 1"];
    assert_eq!(model_of(&conditions), "x=18446744073709551616");
    refutes(&["x > 2 ** 64 - 1", "x < 2 ** 64"]);
    finds(&["x + y == 2 ** 70", "x - y == 2 ** 69"]);
}

#[test]
fn bit_operations() {
    finds(&[
        "0 <= x",
        "x < 2 ** 32",
        "x & (x - 1) == 0",
        "x ^ 0x55555555 == 0x55515555",
    ]);
    finds(&["x ^ y == 0x1234", "x & y == 0x4001", "x > 0", "y > 0"]);
    finds(&["(x << 3 >> 1) ^ 7 == 99"]);
    finds(&["x.bit_length() == 17", "x & 1 == 0"]);
    finds(&["x & 255 == 171", "x >> 8 == 205"]);
    finds(&["x | 15 == 255", "x & 15 == 3"]);
    finds(&["x.bit_count() == 5", "x > 100", "x < 200"]);
    finds(&[
        "0 <= x",
        "x < 256",
        "0 <= y",
        "y < 256",
        "x & y == 0",
        "x | y == 255",
        "x - y == 45",
    ]);
    refutes(&[
        "0 <= x",
        "x < 2 ** 16",
        "0 <= y",
        "y < 2 ** 16",
        "(x & y) + (x | y) != x + y",
    ]);
    refutes(&["x & 1 == 0", "x % 2 == 1"]);
}

#[test]
fn shifts_by_unknown_places() {
    finds(&["1 << x == 1024"]);
    finds(&["x << y == 96", "x < 4", "x > 0"]);
    finds(&["x >> y == 3", "y > 2", "x > 0"]);
}

#[test]
fn powers_and_products() {
    finds(&["x ** 3 == 2744"]);
    finds(&["x ** 5 + x == 1028"]);
    finds(&["2 ** x == 4096"]);
    finds(&["x * y == 3599", "x > 1", "y > x"]);
    finds(&["x * x + y * y == 25", "x > 0", "y > x"]);
    finds(&["x * x == 2 * y * y + 1", "y > 0"]);
    refutes(&["x * x == 4 * y + 3"]);
    refutes(&["x * x < 0"]);
}

#[test]
fn conditionals_and_truths() {
    finds(&["(x if b else -x) == 5", "x < 0"]);
    finds(&["int(b) + int(b1) + int(b2) == 2", "not b"]);
    finds(&["b == (x > 3)", "b1 == (x > 5)", "b != b1"]);
    refutes(&["b or x > 3", "not b", "x < 2"]);
    refutes(&["(x if x > 0 else -x) < 0"]);
}

#[test]
fn many_excluded_values() {
    let excluded: Vec<String> = (0..100).map(|value| format!("x != {value}")).collect();
    let mut conditions: Vec<&str> = vec!["x >= 0"];
    conditions.extend(excluded.iter().map(String::as_str));
    assert_eq!(model_of(&conditions), "x=100");
    conditions.push("x < 100");
    refutes(&conditions);
}

#[test]
fn fermat_is_unknown_within_the_budget() {
    let start = Instant::now();
    let found = explore(&["x > 0", "y > 0", "z > 0", "x ** 3 + y ** 3 == z ** 3"]);
    assert!(
        matches!(found.answer, Answer::Unknown(_)),
        "{:?}",
        found.answer
    );
    assert_ne!(found.answer, Answer::Unknown(UnknownReason::SolverFault));
    assert!(
        start.elapsed() < Duration::from_secs(10),
        "took {:?}",
        start.elapsed()
    );
}

#[test]
fn the_chain_still_works_after_a_query_that_ran_out_of_time() {
    let mut pool = TermPool::new();
    let hard = parse(
        &mut pool,
        "x ** 3 + y ** 3 == z ** 3 and x > 0 and y > 0 and z > 0",
    );
    let easy = parse(&mut pool, "3 * x + 5 * y == 1 and x > 100");
    let mut chain = standard_chain(None);
    let hint = Model::new();
    let short = Budget {
        wall: Duration::from_millis(50),
        ..Budget::default()
    };
    for _ in 0..3 {
        let query = Query {
            path: &[],
            goal: hard,
            hint: &hint,
        };
        assert!(matches!(
            chain.solve(&mut pool, &query, &short),
            Answer::Unknown(_)
        ));
        let query = Query {
            path: &[],
            goal: easy,
            hint: &hint,
        };
        assert!(matches!(
            chain.solve(&mut pool, &query, &short),
            Answer::Sat(_)
        ));
    }
}

#[test]
fn terms_of_great_depth_are_answered_without_overflow() {
    let mut pool = TermPool::new();
    let x = pool.variable("x", Sort::Int);
    let mut term = x;
    for _ in 0..100_000 {
        term = pool.binary(pef_logic::BinaryOp::Mul, term, x);
    }
    let seven = pool.small(7);
    let goal = pool.eq(term, seven);
    let hint = Model::new();
    let query = Query {
        path: &[],
        goal,
        hint: &hint,
    };
    let answer = standard_chain(None).solve(&mut pool, &query, &Budget::default());
    assert!(matches!(answer, Answer::Unknown(_)), "{answer:?}");
}

#[test]
fn statistics_name_every_layer_once() {
    let mut pool = TermPool::new();
    let goal = parse(&mut pool, "x > 5");
    let hint = Model::new();
    let mut chain: Box<dyn Solver> = standard_chain(None);
    chain.solve(
        &mut pool,
        &Query {
            path: &[],
            goal,
            hint: &hint,
        },
        &Budget::default(),
    );
    let mut layers = Vec::new();
    chain.statistics(&mut layers);
    let mut names: Vec<&str> = layers.iter().map(|layer| layer.layer).collect();
    assert_eq!(layers.iter().map(|layer| layer.sat).sum::<u64>(), 1);
    names.sort_unstable();
    names.dedup();
    assert_eq!(names.len(), layers.len());
}
