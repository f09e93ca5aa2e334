//! Terms over integers and truth values.

use pef_logic::{Evaluator, Sort, TermId, TermPool, Value, python_source};

use super::search::Path;
use crate::support::expression::{Assignment, Source, Style, Truth, VARIABLES};
use crate::support::parser::parse;

const BOUND: i64 = 2;
const DEEPEST: u32 = 4;

/// Reads conditions and an input from bytes, and checks every stage of PEF's logic on them.
pub fn check(bytes: &[u8]) {
    let mut source = Source::new(bytes.to_vec());
    let input = source.assignment();
    let conditions: Vec<Truth> = (0..=source.next() % 4)
        .map(|_| source.truth(DEEPEST))
        .collect();
    for condition in &conditions {
        check_values(condition, &input);
    }
    check_search(&conditions, &within_bounds(input));
}

/// As written, simplified, and printed and read again: always the value of the reference.
fn check_values(condition: &Truth, input: &Assignment) {
    let mut pool = TermPool::new();
    let model = input.model(&mut pool);
    let plain = condition.build(&mut pool, Style::AsWritten);
    let simple = condition.build(&mut pool, Style::Simplified);
    let text = python_source(&pool, simple);
    let again = parse(&mut pool, &text);
    let Some(expected) = condition.value(input) else {
        return;
    };
    let expected = Ok(Value::Bool(expected));
    let mut evaluator = Evaluator::new();
    for (name, term) in [
        ("as written", plain),
        ("simplified", simple),
        ("read again", again),
    ] {
        let found = evaluator.value(&pool, &model, term);
        assert_eq!(found, expected, "{name}: {text} under {input:?}");
    }
}

fn check_search(conditions: &[Truth], input: &Assignment) {
    let mut pool = TermPool::new();
    let hint = input.model(&mut pool);
    let bounds = bounds(&mut pool);
    let path: Vec<Truth> = conditions
        .iter()
        .filter_map(|part| came_out(part, input))
        .collect();
    let taken: Vec<TermId> = path
        .iter()
        .map(|part| part.build(&mut pool, Style::Simplified))
        .collect();
    let path_terms = Path {
        bounds: &bounds,
        taken: &taken,
        hint: &hint,
    };
    path_terms.search(&mut pool, |_, count| {
        let other = Assignment::all(BOUND).find(|candidate| {
            let mut before = path[..count].iter();
            before.all(|part| part.value(candidate) == Some(true))
                && path[count].value(candidate) == Some(false)
        });
        other.map(|input| format!("{input:?}"))
    });
}

/// The condition or its negation, whichever holds; none if it has no value.
fn came_out(condition: &Truth, input: &Assignment) -> Option<Truth> {
    Some(if condition.value(input)? {
        condition.clone()
    } else {
        Truth::Not(Box::new(condition.clone()))
    })
}

fn within_bounds(mut input: Assignment) -> Assignment {
    for number in &mut input.numbers {
        *number = number.clone().clamp((-BOUND).into(), BOUND.into());
    }
    input
}

fn bounds(pool: &mut TermPool) -> Vec<TermId> {
    let (low, high) = (pool.small(-BOUND), pool.small(BOUND));
    let variables = (0..VARIABLES).map(|index| format!("x{index}"));
    let mut bounds = Vec::new();
    for name in variables {
        let variable = pool.variable(&name, Sort::Int);
        bounds.extend([pool.le(low, variable), pool.le(variable, high)]);
    }
    bounds
}
