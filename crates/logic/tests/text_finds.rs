//! Questions about text the chain must answer, and how.
//!
//! Conditions are asked for one after the other, as exploration would: each is the goal of a query whose path are
//! those before it. Times are printed (`--nocapture`), not asserted.

#![allow(clippy::unwrap_used, clippy::panic, missing_docs)]

use std::time::{Duration, Instant};

use pef_logic::operation::Operation as Op;
use pef_logic::{
    Answer, BinaryOp, Budget, CharClass, Evaluator, Language, Model, Pattern, Query, Sort, TermId,
    TermPool, Text, standard_chain,
};

/// Builds terms.
struct Terms {
    pool: TermPool,
}

impl Terms {
    fn new() -> Self {
        Terms {
            pool: TermPool::new(),
        }
    }

    fn s(&mut self) -> TermId {
        self.pool.variable("s", Sort::Str)
    }

    fn t(&mut self) -> TermId {
        self.pool.variable("t", Sort::Str)
    }

    fn text(&mut self, text: &str) -> TermId {
        self.pool.text(Text::str(text))
    }

    fn int(&mut self, value: i64) -> TermId {
        self.pool.small(value)
    }

    fn op(&mut self, op: Op, operands: &[TermId]) -> TermId {
        self.pool.apply(op, operands)
    }

    fn is(&mut self, a: TermId, text: &str) -> TermId {
        let text = self.text(text);
        self.op(Op::TextEq, &[a, text])
    }

    fn with(&mut self, op: Op, a: TermId, text: &str) -> TermId {
        let text = self.text(text);
        self.op(op, &[a, text])
    }

    fn length(&mut self, a: TermId) -> TermId {
        self.op(Op::Length, &[a])
    }

    fn length_is(&mut self, a: TermId, length: i64) -> TermId {
        let (actual, length) = (self.length(a), self.int(length));
        self.pool.eq(actual, length)
    }

    /// `a[i]` as Python gives it.
    fn index(&mut self, a: TermId, i: i64) -> TermId {
        let (start, stop) = (self.int(i), self.int(i + 1));
        self.op(Op::Slice, &[a, start, stop])
    }

    fn code(&mut self, a: TermId, i: i64) -> TermId {
        let i = self.int(i);
        self.op(Op::At, &[a, i])
    }

    fn find(&mut self, a: TermId, needle: &str) -> TermId {
        let (needle, start) = (self.text(needle), self.int(0));
        self.op(Op::Find, &[a, needle, start])
    }

    /// `a[start:]`
    fn from(&mut self, a: TermId, start: TermId) -> TermId {
        let stop = self.length(a);
        self.op(Op::Slice, &[a, start, stop])
    }

    /// The two parts of `a.split(separator, 1)` where it occurs.
    fn split(&mut self, a: TermId, separator: &str) -> (TermId, TermId, TermId) {
        let place = self.find(a, separator);
        let zero = self.int(0);
        let width = self.int(separator.chars().count() as i64);
        let found = self.pool.le(zero, place);
        let left = self.op(Op::Slice, &[a, zero, place]);
        let after = self.pool.binary(BinaryOp::Add, place, width);
        let right = self.from(a, after);
        (found, left, right)
    }

    fn class(&mut self, a: TermId, ranges: &[(char, char)]) -> TermId {
        let class = CharClass::new(ranges.iter().map(|&(a, b)| (a as u32, b as u32)));
        let class = self.pool.intern_class(class);
        self.op(Op::InClass(class), &[a])
    }

    fn not(&mut self, a: TermId) -> TermId {
        self.pool.not(a)
    }
}

fn explore(name: &str, terms: &mut Terms, path: &[TermId]) -> (Answer, String) {
    let pool = &mut terms.pool;
    let mut chain = standard_chain(None);
    let mut hint = Model::new();
    // The effort is limited as usual; a busy machine may take longer over it.
    let patient = Budget {
        wall: Duration::from_secs(20),
        ..Budget::default()
    };
    let start = Instant::now();
    for (position, &goal) in path.iter().enumerate() {
        let query = Query {
            path: &path[..position],
            goal,
            hint: &hint,
        };
        let answer = chain.solve(pool, &query, &patient);
        let Answer::Sat(model) = answer else {
            println!("{name}: {answer:?} after {:?}", start.elapsed());
            return (answer, String::new());
        };
        let mut evaluator = Evaluator::new();
        assert!(evaluator.all_hold(pool, &model, &path[..=position]));
        assert_eq!(model.iter().count(), pool.var_count());
        hint = model;
    }
    let shown: Vec<String> = hint
        .iter()
        .map(|(variable, value)| format!("{}={value}", pool.var_name(variable)))
        .collect();
    let shown = shown.join(" ");
    println!("{name}: {shown} after {:?}", start.elapsed());
    (Answer::Sat(hint), shown)
}

#[track_caller]
fn finds(name: &str, build: impl FnOnce(&mut Terms) -> Vec<TermId>) -> String {
    let mut terms = Terms::new();
    let path = build(&mut terms);
    let (answer, shown) = explore(name, &mut terms, &path);
    assert!(matches!(answer, Answer::Sat(_)), "{name}: {answer:?}");
    shown
}

#[track_caller]
fn refutes(name: &str, build: impl FnOnce(&mut Terms) -> Vec<TermId>) {
    let mut terms = Terms::new();
    let path = build(&mut terms);
    let (answer, shown) = explore(name, &mut terms, &path);
    assert_eq!(answer, Answer::Unsat, "{name}: {shown}");
}

#[test]
fn parts_of_a_text_are_put_together() {
    let shown = finds("prefix, suffix, length, unit, content", |terms| {
        let s = terms.s();
        let third = terms.index(s, 3);
        vec![
            terms.with(Op::StartsWith, s, "ab"),
            terms.with(Op::EndsWith, s, "yz"),
            terms.length_is(s, 7),
            terms.is(third, "Q"),
            terms.with(Op::Contains, s, "-"),
        ]
    });
    assert!(shown.starts_with("s='ab"), "{shown}");
}

#[test]
fn a_long_equality() {
    let long = "the quick brown fox jumps over the lazy dog, twice, in sixty";
    let shown = finds("sixty characters", |terms| {
        let s = terms.s();
        vec![terms.is(s, long)]
    });
    assert_eq!(shown, format!("s='{long}'"));
}

#[test]
fn splits_are_undone() {
    let shown = finds("a=1;b=2", |terms| {
        let s = terms.s();
        let (found, left, right) = terms.split(s, ";");
        let (first, key, value) = terms.split(left, "=");
        let (second, other_key, other_value) = terms.split(right, "=");
        vec![
            found,
            first,
            second,
            terms.is(key, "a"),
            terms.is(value, "1"),
            terms.is(other_key, "b"),
            terms.is(other_value, "2"),
        ]
    });
    assert_eq!(shown, "s='a=1;b=2'");
}

#[test]
fn numbers_in_text() {
    let shown = finds("int(s) * 2 + 1 == 2469", |terms| {
        let s = terms.s();
        let number = terms.op(Op::ToInt(10), &[s]);
        let (two, one, sum) = (terms.int(2), terms.int(1), terms.int(2469));
        let double = terms.pool.binary(BinaryOp::Mul, number, two);
        let more = terms.pool.binary(BinaryOp::Add, double, one);
        vec![terms.pool.eq(more, sum)]
    });
    assert_eq!(shown, "s='1234'");
}

#[test]
fn a_checksum_of_letters() {
    finds("rolling checksum", |terms| {
        let s = terms.s();
        let mut conditions = vec![terms.length_is(s, 3)];
        let codes: Vec<TermId> = (0..3).map(|i| terms.code(s, i)).collect();
        for &code in &codes {
            conditions.push(terms.class(code, &[('a', 'z')]));
        }
        let (factor, modulus, expected) = (terms.int(31), terms.int(1009), terms.int(77));
        let mut sum = codes[0];
        for &code in &codes[1..] {
            sum = terms.pool.binary(BinaryOp::Mul, sum, factor);
            sum = terms.pool.binary(BinaryOp::Add, sum, code);
        }
        let rest = terms.pool.binary(BinaryOp::Mod, sum, modulus);
        conditions.push(terms.pool.eq(rest, expected));
        conditions
    });
}

fn class(first: char, last: char) -> Pattern {
    Pattern::Class(CharClass::new([(first as u32, last as u32)]))
}

fn repeat(body: Pattern, least: u32, most: Option<u32>) -> Pattern {
    Pattern::Repeat {
        body: Box::new(body),
        least,
        most,
    }
}

#[test]
fn a_pattern_with_conditions_on_its_groups() {
    let shown = finds("[0-9]{3}-[a-z]{2,4}", |terms| {
        let s = terms.s();
        let pattern = Pattern::Sequence(vec![
            repeat(class('0', '9'), 3, Some(3)),
            class('-', '-'),
            repeat(class('a', 'z'), 2, Some(4)),
        ]);
        let language = terms.pool.intern_language(Language::new(pattern).unwrap());
        let (zero, three, four) = (terms.int(0), terms.int(3), terms.int(4));
        let digits = terms.op(Op::Slice, &[s, zero, three]);
        let letters = terms.from(s, four);
        let number = terms.op(Op::ToInt(10), &[digits]);
        let limit = terms.int(700);
        vec![
            terms.op(Op::Matches(language), &[s]),
            terms.pool.gt(number, limit),
            terms.is(letters, "cat"),
        ]
    });
    assert!(shown.ends_with("-cat'"), "{shown}");
}

#[test]
fn a_hash_of_four_bytes() {
    finds("fnv-1a", |terms| {
        let b = terms.pool.variable("b", Sort::Bytes);
        let mut conditions = vec![terms.length_is(b, 4)];
        let (prime, mask) = (terms.int(0x0100_0193), terms.int(0xFFFF_FFFF));
        let mut hash = terms.int(0x811C_9DC5);
        let mut expected: u32 = 0x811C_9DC5;
        for (i, byte) in [b'p', b'e', b'f', b'!'].into_iter().enumerate() {
            let code = terms.code(b, i as i64);
            hash = terms.pool.binary(BinaryOp::BitXor, hash, code);
            hash = terms.pool.binary(BinaryOp::Mul, hash, prime);
            hash = terms.pool.binary(BinaryOp::BitAnd, hash, mask);
            expected = (expected ^ u32::from(byte)).wrapping_mul(0x0100_0193);
        }
        let expected = terms.int(expected.into());
        conditions.push(terms.pool.eq(hash, expected));
        conditions
    });
}

#[test]
fn text_that_cannot_be() {
    refutes("two prefixes", |terms| {
        let s = terms.s();
        vec![
            terms.with(Op::StartsWith, s, "a"),
            terms.with(Op::StartsWith, s, "b"),
        ]
    });
    refutes("two suffixes", |terms| {
        let s = terms.s();
        vec![
            terms.with(Op::EndsWith, s, "x"),
            terms.with(Op::EndsWith, s, "y"),
        ]
    });
    refutes("ab without a", |terms| {
        let s = terms.s();
        let has = terms.with(Op::Contains, s, "a");
        vec![terms.with(Op::Contains, s, "ab"), terms.not(has)]
    });
    refutes("longer by one and as long", |terms| {
        let (s, t, end) = (terms.s(), terms.t(), terms.text("x"));
        let longer = terms.op(Op::Concat, &[t, end]);
        let equal = terms.op(Op::TextEq, &[s, longer]);
        let (length, other) = (terms.length(s), terms.length(t));
        vec![equal, terms.pool.eq(length, other)]
    });
}

impl Terms {
    /// The parts of `a.split(separator)` on the path where there are exactly `count`, and the decisions of that
    /// path.
    fn split_all(
        &mut self,
        a: TermId,
        separator: &str,
        count: usize,
    ) -> (Vec<TermId>, Vec<TermId>) {
        let (mut decisions, mut parts) = (Vec::new(), Vec::new());
        let (needle, zero) = (self.text(separator), self.int(0));
        let width = self.int(separator.chars().count() as i64);
        let mut start = zero;
        for index in 1..=count {
            let place = self.op(Op::Find, &[a, needle, start]);
            let found = self.pool.le(zero, place);
            if index == count {
                decisions.push(self.not(found));
                let last = self.from(a, start);
                parts.push(last);
            } else {
                decisions.push(found);
                parts.push(self.op(Op::Slice, &[a, start, place]));
                start = self.pool.binary(BinaryOp::Add, place, width);
            }
        }
        (decisions, parts)
    }

    /// `a.isdigit()`, of ASCII alone.
    fn digits(&mut self, a: TermId) -> TermId {
        let digits = Pattern::Class(CharClass::new([(48, 57)]));
        let language = Language::new(repeat(digits, 1, None)).unwrap();
        let language = self.pool.intern_language(language);
        self.op(Op::Matches(language), &[a])
    }

    fn number(&mut self, a: TermId) -> TermId {
        self.op(Op::ToInt(10), &[a])
    }
}

#[test]
fn an_address_with_a_part_too_large() {
    let shown = finds("ipv4", |terms| {
        let s = terms.s();
        let (mut path, parts) = terms.split_all(s, ".", 4);
        for (index, &part) in parts.iter().enumerate() {
            path.push(terms.digits(part));
            let (number, limit) = (terms.number(part), terms.int(255));
            path.push(if index == 3 {
                terms.pool.gt(number, limit)
            } else {
                terms.pool.le(number, limit)
            });
        }
        path
    });
    assert_eq!(shown.matches('.').count(), 3, "{shown}");
}

#[test]
fn a_date_with_a_thirteenth_month() {
    let shown = finds("date", |terms| {
        let s = terms.s();
        let (mut path, parts) = terms.split_all(s, "-", 3);
        for (&part, length) in parts.iter().zip([4, 2, 2]) {
            path.push(terms.length_is(part, length));
            path.push(terms.digits(part));
        }
        let (month, day) = (terms.number(parts[1]), terms.number(parts[2]));
        let (twelve, thirty) = (terms.int(12), terms.int(30));
        path.push(terms.pool.gt(month, twelve));
        path.push(terms.pool.gt(day, thirty));
        path
    });
    assert!(
        shown.starts_with("s='0000-") && shown.len() == 14,
        "{shown}"
    );
}

#[test]
fn stripped_text() {
    let shown = finds("strip", |terms| {
        let s = terms.s();
        let spaces = CharClass::new([(9, 13), (32, 32)]);
        let spaces = terms.pool.intern_class(spaces);
        let start = terms.op(Op::Span(spaces), &[s]);
        let trailing = terms.op(Op::RSpan(spaces), &[s]);
        let length = terms.length(s);
        let stop = terms.pool.binary(BinaryOp::Sub, length, trailing);
        let stripped = terms.op(Op::Slice, &[s, start, stop]);
        let three = terms.int(3);
        vec![
            terms.is(stripped, "x y"),
            terms.pool.gt(length, three),
            terms.with(Op::StartsWith, s, " "),
            terms.with(Op::EndsWith, s, "\n"),
        ]
    });
    assert_eq!(shown, "s=' x y\\n'");
}

/// All paths of a recogniser that looks at one character after the other.
#[test]
fn many_questions_about_characters() {
    let mut terms = Terms::new();
    let s = terms.s();
    let mut chain = standard_chain(None);
    let start = Instant::now();
    let mut open = vec![(Vec::new(), Model::new(), 0)];
    let (mut questions, mut paths) = (0, 0);
    while let Some((path, hint, depth)) = open.pop() {
        if depth == 12 {
            paths += 1;
            continue;
        }
        let place = depth / 3;
        let code = terms.code(s, place);
        let condition = match depth % 3 {
            0 => {
                let (place, length) = (terms.int(place), terms.length(s));
                terms.pool.lt(place, length)
            }
            1 => terms.class(code, &[('0', '9')]),
            _ => {
                let dot = terms.int('.' as i64);
                terms.pool.eq(code, dot)
            }
        };
        for goal in [condition, terms.not(condition)] {
            let query = Query {
                path: &path,
                goal,
                hint: &hint,
            };
            questions += 1;
            match chain.solve(&mut terms.pool, &query, &Budget::default()) {
                Answer::Sat(model) => {
                    let mut longer = path.clone();
                    longer.push(goal);
                    open.push((longer, model, depth + 1));
                }
                Answer::Unsat => {}
                Answer::Unknown(reason) => panic!("{reason}"),
            }
        }
    }
    println!(
        "characters: {paths} paths, {questions} questions, {:?} each",
        start.elapsed() / questions
    );
    assert_eq!(paths, 121);
}

#[test]
fn languages_that_exclude_each_other() {
    refutes("digits that are no number", |terms| {
        let s = terms.s();
        let digit = || Pattern::Class(CharClass::new([(48, 57)]));
        let sign = Pattern::Class(CharClass::new([(43, 43), (45, 45)]));
        let number = Pattern::Sequence(vec![repeat(sign, 0, Some(1)), repeat(digit(), 1, None)]);
        let number = terms.pool.intern_language(Language::new(number).unwrap());
        let number = terms.op(Op::Matches(number), &[s]);
        let digits = terms.pool.intern_class(CharClass::new([(48, 57)]));
        let span = terms.op(Op::Span(digits), &[s]);
        let (length, zero) = (terms.length(s), terms.int(0));
        vec![
            terms.pool.gt(length, zero),
            terms.pool.eq(span, length),
            terms.not(number),
        ]
    });
    refutes("digits with a letter", |terms| {
        let s = terms.s();
        vec![terms.digits(s), terms.with(Op::Contains, s, "x")]
    });
    refutes("digits that begin with a minus", |terms| {
        let s = terms.s();
        let (code, minus) = (terms.code(s, 0), terms.int('-' as i64));
        vec![terms.digits(s), terms.pool.eq(code, minus)]
    });
}

#[test]
fn units_are_such_as_people_type() {
    let shown = finds("not a", |terms| {
        let s = terms.s();
        let (code, a) = (terms.code(s, 0), terms.int('a' as i64));
        vec![terms.length_is(s, 2), terms.pool.ne(code, a)]
    });
    assert_eq!(shown, "s='ba'");
    let shown = finds("below space or beyond ASCII", |terms| {
        let s = terms.s();
        let (code, space, last) = (terms.code(s, 0), terms.int(32), terms.int(127));
        let zero = terms.int(0);
        let (low, high) = (terms.pool.lt(code, space), terms.pool.gt(code, last));
        let some = terms.pool.le(zero, code);
        vec![some, terms.pool.or(low, high)]
    });
    assert_eq!(shown, "s='\\n'");
}
