//! Queries with floats the chain must answer, and how.
//!
//! Each case is a list of Python conditions, asked for one after the other, as exploration would: each is the
//! goal of a query whose path are those before it.

mod float_syntax;

use std::time::Instant;

use float_syntax::parse;
use pef_logic::{Answer, Budget, Evaluator, Model, Query, TermId, TermPool, standard_chain};

struct Found {
    answer: Answer,
    shown: String,
}

/// Asks for the conditions one after the other, starting with zeros.
fn explore(conditions: &[&str]) -> Found {
    let start = Instant::now();
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
        match chain.solve(&mut pool, &query, &Budget::default()) {
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
            answer @ (Answer::Unsat | Answer::Unknown(_)) => {
                println!("{conditions:?}: {answer:?} {:?}", start.elapsed());
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
    println!("{conditions:?}: {} {:?}", shown.join(" "), start.elapsed());
    Found {
        answer: Answer::Sat(hint),
        shown: shown.join(" "),
    }
}

#[track_caller]
fn finds(conditions: &[&str]) -> String {
    let found = explore(conditions);
    assert!(
        matches!(found.answer, Answer::Sat(_)),
        "{conditions:?}: {:?}",
        found.answer
    );
    found.shown
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
    assert_eq!(finds(&["x > 5.0"]), "x=6.0");
    assert_eq!(finds(&["x != 0.0"]), "x=1.0");
    assert_eq!(finds(&["x < 0.0"]), "x=-1.0");
    assert_eq!(finds(&["x < y"]), "x=0.0 y=1.0");
    assert_eq!(finds(&["0.0 < x", "x < 1.0"]), "x=0.5");
    assert_eq!(finds(&["x > 100.25"]), "x=101.0");
    assert_eq!(
        finds(&["x + y > 10.0", "x < 3.0", "y < 9.0"]),
        "x=2.5 y=8.0"
    );
}

#[test]
fn absorption_is_found() {
    finds(&["x > 1.0", "x < 2.0", "x + 1e-20 == x"]);
    finds(&["x + 1.0 == x", "x < 1e300", "x > 0.0"]);
    finds(&["x > 0.0", "y > 0.0", "x + y == x"]);
}

#[test]
fn addition_is_not_undone_by_subtraction() {
    finds(&["(a + b) - b != a", "abs(a) < 1e10", "abs(b) < 1e30"]);
    finds(&["abs(a) < 1e10", "abs(b) < 1e30", "(a + b) - b != a"]);
    finds(&[
        "(a + b) + c != a + (b + c)",
        "abs(a) < 10.0",
        "abs(b) < 10.0",
        "abs(c) < 10.0",
    ]);
}

#[test]
fn equations_are_solved() {
    let quadratic = finds(&["x * x - 3.0 * x + 2.0 == 0.0"]);
    assert!(
        matches!(quadratic.as_str(), "x=1.0" | "x=2.0"),
        "{quadratic}"
    );
    finds(&["0.1 + x == 0.3"]);
    finds(&["x * 3.0 == 1.0"]);
    finds(&["x / 7.0 == 0.25"]);
    finds(&["3.0 * x + 2.0 * y == 12.0", "x - y == 1.0"]);
    finds(&["x * y == 12.0", "x + y == 7.0"]);
    finds(&["sqrt(x) == 12.0"]);
    finds(&["x * x == 2.0000000000000004"]);
    finds(&["x * 1.8 + 32.0 == 451.0"]);
}

#[test]
fn special_values_are_found() {
    assert_eq!(finds(&["x != x"]), "x=float('nan')");
    assert_eq!(finds(&["isnan(x)"]), "x=float('nan')");
    finds(&["x != 0.0", "1.0 / x == inf"]);
    finds(&["x != 0.0", "abs(x) < 1e300", "1.0 / x == inf"]);
    assert_eq!(finds(&["x == 0.0", "signbit(x)"]), "x=-0.0");
    finds(&["x > 0.0", "x / 2.0 == 0.0"]);
    finds(&["x < inf", "x * 2.0 == inf"]);
    finds(&["not x < 1.0", "not x >= 1.0"]);
}

#[test]
fn remainders_are_found() {
    finds(&["x % 1.0 == 0.5"]);
    finds(&["x % 1.0 == 0.25", "x > 100.0"]);
    finds(&["x // 2.0 == 7.0", "x % 2.0 == 1.5"]);
    finds(&["x % 1.0 == 1.0"]);
    finds(&[
        "x == -2.6229075025237076e16",
        "x % 2.5890419884777833e-42 >= 0.0",
    ]);
}

#[test]
fn integers_and_floats_mix() {
    finds(&["i + 0.5 == x", "i > 3"]);
    finds(&["int(x) == 7"]);
    finds(&["int(x) == 7", "x != 7.0", "x * 2.0 == 15.0"]);
    finds(&["int(x) == -3", "x < -3.5"]);
    finds(&["i / 2 == 3.5"]);
    finds(&["i / j == 0.75", "j > 10"]);
    finds(&["float(i) != i"]);
    finds(&["i == x", "i > 9007199254740993"]);
    finds(&["round(x) == 2.0", "x < 2.0"]);
    finds(&["floor(x) == 3.0", "ceil(x) == 4.0"]);
    finds(&["(i + j) / 2 == 2.5", "i < j", "i > 0"]);
    finds(&["n > 0", "i / n > 0.9", "i < n"]);
}

#[test]
fn orders_turn_around_below_zero() {
    finds(&["x < y", "z < 0.0", "y / z < x / z"]);
    finds(&["x < y", "z < 0.0", "y * z < x * z"]);
    finds(&["x > 0.0", "y < 0.5", "x * y < x", "x * y != 0.0"]);
}

#[test]
fn floats_are_sorted() {
    finds(&["a < b", "b < c", "c < d", "d < e", "e < f"]);
    finds(&["f < e", "e < d", "d < c", "c < b", "b < a"]);
    finds(&[
        "a < b",
        "not c < a",
        "not b < c",
        "d < a",
        "e >= b",
        "e < f",
        "f != inf",
    ]);
    refutes(&["a < b", "not c < a", "b < c", "d < a", "not d < c"]);
}

#[test]
fn integers_among_floats_are_refuted_too() {
    refutes(&["x > i", "i > 3", "x < 2.0"]);
    refutes(&["i / 2 == x", "i % 2 == 0", "i > 0", "i < 100", "i % 4 == 1"]);
    refutes(&["x == i", "x > 0.25", "x < 0.75"]);
    refutes(&["i > 0", "i < 1000", "n > 0", "n < 1000", "i / n == 0.0"]);
}

#[test]
fn contradictions_of_bounds_are_refuted() {
    refutes(&["x > 1.0", "x < 0.0"]);
    refutes(&["x * x < 0.0"]);
    refutes(&["abs(x) < 0.0"]);
    refutes(&["x > 10.0", "x + 1.0 < 5.0"]);
    refutes(&["x >= 0.0", "y >= 0.0", "x + y < 0.0"]);
    refutes(&["x >= 0.0", "sqrt(x) < 0.0"]);
    refutes(&["x > 0.0", "x < 5e-324"]);
    refutes(&["i > 3", "float(i) < 3.0"]);
    refutes(&["x > 5.0", "x < 100.0", "int(x) < 5"]);
    refutes(&["x % 3.0 > 3.0"]);
    refutes(&["x < 3.0", "isnan(x)"]);
    refutes(&["x >= 0.0", "x <= 100.0", "x * 0.01 > 1.0"]);
    refutes(&["i >= 0", "n > 0", "i / n < 0.0"]);
}

#[test]
fn orders_without_models_are_refuted() {
    refutes(&["x < y", "y < x"]);
    refutes(&["x < y", "y < z", "z < x"]);
    refutes(&["x < y", "y < z", "not x < z"]);
    refutes(&["x <= y", "y <= x", "x != y"]);
}

#[test]
fn exact_arithmetic_refutes_what_bounds_cannot() {
    refutes(&["x == x", "x + 1.0 < x"]);
    refutes(&["abs(x) < 1e300", "x + x != 2.0 * x"]);
    refutes(&[
        "x >= 1.0",
        "x <= 2.0",
        "y >= 1.0",
        "y <= 2.0",
        "x - y == 0.0",
        "x != y",
    ]);
    refutes(&["x + 0.5 == x", "x > 0.0", "x < 1000.0"]);
}
