//! `repr` and text without some units, where each unit becomes none or several.
//!
//! The alphabet has one unit of each kind `repr` tells apart. What it prints is compared with a table of what CPython
//! prints; what the chain answers, with all short texts.

#![allow(clippy::unwrap_used, clippy::panic, missing_docs)]

use pef_logic::operation::Operation as Op;
use pef_logic::{
    Answer, Budget, CharClass, Evaluator, Model, Query, Sort, TermId, TermPool, Text, TextKind,
    standard_chain,
};

const ALPHABET: [u32; 8] = [
    'a' as u32,
    '_' as u32,
    '\'' as u32,
    '"' as u32,
    '\\' as u32,
    '\n' as u32,
    0x1F,
    0x1_F600,
];

fn printable() -> CharClass {
    CharClass::new([(0x20, 0x7E)])
}

fn texts(longest: usize) -> Vec<Vec<u32>> {
    let mut all = vec![vec![]];
    let mut last = all.clone();
    for _ in 0..longest {
        last = last
            .iter()
            .flat_map(|text| ALPHABET.map(|unit| [text.as_slice(), &[unit]].concat()))
            .collect();
        all.extend(last.clone());
    }
    all
}

/// Whether the goal can hold; a model is checked by evaluating it.
fn is_possible(pool: &mut TermPool, goal: TermId) -> bool {
    let query = Query {
        path: &[],
        goal,
        hint: &Model::new(),
    };
    match standard_chain(None).solve(pool, &query, &Budget::default()) {
        Answer::Sat(model) => {
            assert!(Evaluator::new().all_hold(pool, &model, &[goal]));
            true
        }
        Answer::Unsat => false,
        Answer::Unknown(reason) => panic!("{reason}"),
    }
}

/// `repr(s) == text`
fn shows(pool: &mut TermPool, text: Text) -> TermId {
    let s = pool.variable("s", Sort::Str);
    let printable = pool.intern_class(printable());
    let shown = pool.apply(Op::Shown(printable), &[s]);
    let text = pool.text(text);
    pool.apply(Op::TextEq, &[shown, text])
}

#[test]
fn repr_is_that_of_cpython() {
    let printable = printable();
    for (text, expected) in [
        ("", "''"),
        ("a'", "\"a'\""),
        ("'\"", "'\\'\"'"),
        ("\"", "'\"'"),
        ("\\\n\r\t", "'\\\\\\n\\r\\t'"),
        ("\u{0}\u{7f}\u{e9}", "'\\x00\\x7f\\xe9'"),
        ("\u{130}\u{1f600}", "'\\u0130\\U0001f600'"),
    ] {
        assert_eq!(Text::str(text).shown(&printable), Text::str(expected));
    }
    assert_eq!(
        Text::bytes(b"a'\xff").shown(&printable),
        Text::str("b\"a'\\xff\"")
    );
}

#[test]
fn the_text_behind_a_repr_is_found() {
    for units in texts(2) {
        let mut pool = TermPool::new();
        let text = Text::new(TextKind::Str, units).shown(&printable());
        let goal = shows(&mut pool, text.clone());
        assert!(is_possible(&mut pool, goal), "{text}");
    }
}

#[test]
fn what_no_repr_prints_is_refuted() {
    for text in [
        "", "a", "'", "'a", "'''", r"'\'", "'\n'", "\"a\"", r"'\q'", "b'a'",
    ] {
        let mut pool = TermPool::new();
        let goal = shows(&mut pool, Text::str(text));
        assert!(!is_possible(&mut pool, goal), "{text}");
    }
}

#[test]
fn what_is_left_without_some_units_is_found_or_refuted() {
    for (left, possible) in [("", true), ("ab", true), ("a_b", false), ("_", false)] {
        let mut pool = TermPool::new();
        let s = pool.variable("s", Sort::Str);
        let mark = pool.intern_class(CharClass::single('_'.into()));
        let without = pool.apply(Op::Without(mark), &[s]);
        let (expected, mark) = (pool.text(Text::str(left)), pool.text(Text::str("_")));
        let equal = pool.apply(Op::TextEq, &[without, expected]);
        let marked = pool.apply(Op::Contains, &[s, mark]);
        let (length, five) = (pool.apply(Op::Length, &[s]), pool.small(5));
        let short = pool.lt(length, five);
        let goal = pool.and(equal, marked);
        let goal = pool.and(goal, short);
        assert_eq!(is_possible(&mut pool, goal), possible, "{left}");
    }
}
