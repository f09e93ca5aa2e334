//! Terms over text and the integers around it.

use pef_logic::{Evaluator, TermId, TermPool, TextKind, Value, python_source};

use super::search::Path;
use crate::text_terms::{Inputs, Source, Style, Truth, UNITS};

const DEEPEST: u32 = 3;
/// Enumerated inputs: text over so many letters, no longer than so many.
const LETTERS: usize = 3;
const LONGEST: usize = 2;

/// Reads conditions and an input from bytes, and checks simplification and search on them.
pub fn check(bytes: &[u8]) {
    let (&first, rest) = bytes.split_first().unwrap_or((&0, &[]));
    let kind = match first % 3 {
        0 => TextKind::Bytes,
        _ => TextKind::Str,
    };
    let mut source = Source::new(rest.to_vec(), kind);
    let input = source.inputs();
    let conditions: Vec<Truth> = (0..=source.next() % 3)
        .map(|_| source.truth(DEEPEST))
        .collect();
    for condition in &conditions {
        check_values(kind, condition, &input);
    }
    check_search(kind, &conditions, &input);
}

fn check_values(kind: TextKind, condition: &Truth, input: &Inputs) {
    let mut pool = TermPool::new();
    let model = input.model(&mut pool, kind);
    let plain = condition.build(&mut pool, kind, Style::AsWritten);
    let simple = condition.build(&mut pool, kind, Style::Simplified);
    let expected = Ok(Value::Bool(condition.value(kind, input)));
    let mut evaluator = Evaluator::new();
    for (name, term) in [("as written", plain), ("simplified", simple)] {
        let found = evaluator.value(&pool, &model, term);
        let text = python_source(&pool, term);
        assert_eq!(found, expected, "{name}: {text} under {input:?}");
    }
}

fn check_search(kind: TextKind, conditions: &[Truth], input: &Inputs) {
    let mut pool = TermPool::new();
    let hint = input.model(&mut pool, kind);
    let path: Vec<Truth> = conditions
        .iter()
        .map(|condition| {
            if condition.value(kind, input) {
                condition.clone()
            } else {
                Truth::Not(Box::new(condition.clone()))
            }
        })
        .collect();
    let taken: Vec<TermId> = path
        .iter()
        .map(|part| part.build(&mut pool, kind, Style::Simplified))
        .collect();
    let path_terms = Path {
        bounds: &[],
        taken: &taken,
        hint: &hint,
    };
    path_terms.search(&mut pool, |_, count| {
        let other = all_inputs().find(|candidate| {
            let mut before = path[..count].iter();
            before.all(|part| part.value(kind, candidate)) && !path[count].value(kind, candidate)
        });
        other.map(|input| format!("{input:?}"))
    });
}

fn all_inputs() -> impl Iterator<Item = Inputs> {
    let count = all_texts().len();
    (0..count * count * 9).map(move |code| Inputs {
        texts: [text(code % count), text(code / count % count)],
        numbers: [
            (code / count / count % 3) as i64 - 1,
            (code / count / count / 3) as i64 - 1,
        ],
    })
}

fn text(index: usize) -> Vec<u32> {
    all_texts()[index].clone()
}

/// Every short text over a few letters.
fn all_texts() -> &'static [Vec<u32>] {
    static TEXTS: std::sync::OnceLock<Vec<Vec<u32>>> = std::sync::OnceLock::new();
    TEXTS.get_or_init(|| {
        let mut all = vec![vec![]];
        for begun in 0.. {
            let Some(shorter) = all.get(begun).filter(|text| text.len() < LONGEST).cloned() else {
                break;
            };
            all.extend(
                UNITS[..LETTERS]
                    .iter()
                    .map(|&unit| [&shorter[..], &[unit]].concat()),
            );
        }
        all
    })
}
