//! Simplifier, evaluator and printers against the reference meaning of random expressions.

mod support;

use pef_logic::{Evaluator, Integer, TermPool, Undefined, Value, python_source};
use proptest::prelude::*;
use support::expression::{Assignment, Style, assignment, narrow_comparison, truth};
use support::parser::parse;

proptest! {
    #![proptest_config(ProptestConfig::with_cases(4_000))]

    #[test]
    fn terms_as_written_evaluate_to_the_reference_value(
        expression in truth(),
        assignment in assignment(),
    ) {
        let mut pool = TermPool::new();
        let model = assignment.model(&mut pool);
        let term = expression.build(&mut pool, Style::AsWritten);
        let value = Evaluator::new().value(&pool, &model, term);
        match (expression.value(&assignment), value) {
            (Some(expected), Ok(value)) => prop_assert_eq!(value, Value::Bool(expected)),
            // The reference gives up on large numbers earlier.
            (None, _) => {}
            (Some(_), Err(reason)) => prop_assert!(false, "undefined: {:?}", reason),
        }
    }

    #[test]
    fn simplified_terms_evaluate_to_the_reference_value(
        expression in truth(),
        assignment in assignment(),
    ) {
        let mut pool = TermPool::new();
        let model = assignment.model(&mut pool);
        let term = expression.build(&mut pool, Style::Simplified);
        if let Some(expected) = expression.value(&assignment) {
            let value = Evaluator::new().value(&pool, &model, term);
            prop_assert_eq!(value, Ok(Value::Bool(expected)), "{}", python_source(&pool, term));
        }
    }

    #[test]
    fn simplified_comparisons_agree_on_every_small_number(expression in narrow_comparison()) {
        let mut pool = TermPool::new();
        let term = expression.build(&mut pool, Style::Simplified);
        let mut evaluator = Evaluator::new();
        for assignment in Assignment::along_the_first(14) {
            let model = assignment.model(&mut pool);
            if let Some(expected) = expression.value(&assignment) {
                let value = evaluator.value(&pool, &model, term);
                let text = python_source(&pool, term);
                prop_assert_eq!(value, Ok(Value::Bool(expected)), "{} with {:?}", text, assignment);
            }
        }
    }

    #[test]
    fn printed_terms_read_back_with_the_same_value(
        expression in truth(),
        assignment in assignment(),
    ) {
        let mut pool = TermPool::new();
        let model = assignment.model(&mut pool);
        let term = expression.build(&mut pool, Style::Simplified);
        let text = python_source(&pool, term);
        let again = parse(&mut pool, &text);
        let mut evaluator = Evaluator::new();
        let (first, second) =
            (evaluator.value(&pool, &model, term), evaluator.value(&pool, &model, again));
        if first.is_ok() {
            prop_assert_eq!(first, second, "{} reads as {}", text, python_source(&pool, again));
        }
    }
}

fn evaluate(text: &str, x: i64) -> Result<Value, Undefined> {
    let mut pool = TermPool::new();
    let term = parse(&mut pool, text);
    let model = pool
        .vars(term)
        .iter()
        .map(|variable| (variable, Value::from(x)))
        .collect();
    Evaluator::new().value(&pool, &model, term)
}

#[test]
fn undefined_operations_say_why() {
    assert_eq!(evaluate("1 // x", 0), Err(Undefined::DivisionByZero));
    assert_eq!(evaluate("x % x", 0), Err(Undefined::DivisionByZero));
    assert_eq!(evaluate("1 // 0", 0), Err(Undefined::DivisionByZero));
    assert_eq!(evaluate("1 << x", -1), Err(Undefined::NegativeShift));
    assert_eq!(evaluate("1 >> x", -1), Err(Undefined::NegativeShift));
    assert_eq!(evaluate("2 ** x", -1), Err(Undefined::NegativeExponent));
    assert_eq!(evaluate("2 ** x", i64::MAX), Err(Undefined::TooLarge));
    assert_eq!(evaluate("3 << x", i64::MAX), Err(Undefined::TooLarge));
    assert_eq!(evaluate("0 << x", i64::MAX), Ok(Value::from(0)));
    assert_eq!(evaluate("(0 - 3) >> x", i64::MAX), Ok(Value::from(-1)));
    assert_eq!(evaluate("x ** 0", 0), Ok(Value::from(1)));
}

#[test]
fn one_side_of_a_connective_decides_even_if_the_other_is_undefined() {
    assert_eq!(
        evaluate("x == 1 and 1 // x == 1", 0),
        Ok(Value::Bool(false))
    );
    assert_eq!(
        evaluate("1 // x == 1 and x == 1", 0),
        Ok(Value::Bool(false))
    );
    assert_eq!(evaluate("x == 0 or 1 // x == 1", 0), Ok(Value::Bool(true)));
    assert_eq!(
        evaluate("1 // x == 1 or x == 1", 0),
        Err(Undefined::DivisionByZero)
    );
    assert_eq!(evaluate("7 if x == 0 else 1 // x", 0), Ok(Value::from(7)));
}

#[test]
fn numbers_beyond_machine_words_are_exact() {
    let two_to_64 = "18446744073709551616".parse::<Integer>().unwrap();
    assert_eq!(evaluate("x * 2 + 2", i64::MAX), Ok(Value::Int(two_to_64)));
    assert_eq!(evaluate("x // (0 - 1) + x", i64::MIN), Ok(Value::from(0)));
    assert_eq!(evaluate("abs(x) + x", i64::MIN), Ok(Value::from(0)));
    assert_eq!(evaluate("x.bit_length()", i64::MIN), Ok(Value::from(64)));
}
