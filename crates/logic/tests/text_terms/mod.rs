//! Random formulas about text with a meaning of their own.
//!
//! The reference works on trees and plain vectors and shares no code with the crate, so that agreement
//! means something.

#![allow(dead_code, clippy::unwrap_used, clippy::panic, missing_docs)]

use num_bigint::BigInt;
use pef_logic::operation::Operation as Op;
use pef_logic::{
    BinaryOp, CharClass, CharMap, Comparison, Integer, Language, Model, Pattern, Sort, Term,
    TermId, TermPool, Text, TextKind, Value,
};
use proptest::prelude::*;

/// Text and integer variables each.
pub const VARIABLES: usize = 2;

/// The units formulas speak about; the first few are those of enumerated inputs.
pub const UNITS: [u32; 9] = [97, 48, 45, 98, 49, 65, 0xDF, 43, 32];
/// Units that only `str` has.
pub const EXOTIC: [u32; 4] = [0xD800, 0x1F600, 0x10_FFFF, 0x130];

#[derive(Clone, Debug)]
pub enum Words {
    Constant(Vec<u32>),
    Variable(usize),
    Concat(Vec<Words>),
    Slice(Box<Words>, Box<Number>, Box<Number>),
    FromCode(Box<Number>),
    Map(Box<Words>),
    FromInt(Box<Number>, u8),
    Choice(Box<Truth>, Box<Words>, Box<Words>),
}

#[derive(Clone, Debug)]
pub enum Number {
    Constant(i64),
    Variable(usize),
    Length(Box<Words>),
    At(Box<Words>, Box<Number>),
    Find(Box<Words>, Box<Words>, Box<Number>),
    RFind(Box<Words>, Box<Words>, Box<Number>),
    Span(usize, Box<Words>),
    RSpan(usize, Box<Words>),
    ToInt(Box<Words>, u8),
    MapCode(Box<Number>),
    Binary(BinaryOp, Box<Number>, Box<Number>),
    Choice(Box<Truth>, Box<Number>, Box<Number>),
}

#[derive(Clone, Copy, Debug)]
pub enum Relation {
    Contains,
    StartsWith,
    EndsWith,
    Eq,
    Lt,
    Le,
}

#[derive(Clone, Debug)]
pub enum Truth {
    Relation(Relation, Box<Words>, Box<Words>),
    Matches(usize, Box<Words>),
    InClass(usize, Box<Number>),
    Compare(Comparison, Box<Number>, Box<Number>),
    Not(Box<Truth>),
    And(Box<Truth>, Box<Truth>),
    Or(Box<Truth>, Box<Truth>),
}

#[derive(Clone, Debug)]
pub struct Inputs {
    pub texts: [Vec<u32>; VARIABLES],
    pub numbers: [i64; VARIABLES],
}

/// Classes by index: letters, digits, space and minus, and one with many ranges.
fn class_ranges(index: usize) -> Vec<(u32, u32)> {
    match index % 4 {
        0 => vec![(65, 90), (97, 122), (0xDF, 0xDF)],
        1 => vec![(48, 57)],
        2 => vec![(32, 32), (45, 45)],
        _ => (0..40)
            .map(|step| (48 + step * 7, 50 + step * 7))
            .chain([(0xD800, 0x1F600)])
            .collect(),
    }
}

fn in_class(index: usize, code: i64) -> bool {
    class_ranges(index)
        .iter()
        .any(|&(first, last)| (i64::from(first)..=i64::from(last)).contains(&code))
}

/// Upper case, roughly; with enough pairs to count as a large table.
fn pairs() -> Vec<(u32, u32)> {
    (97..=122)
        .map(|unit| (unit, unit - 32))
        .chain((0..20).map(|step| (130 + 3 * step, 250 - step)))
        .collect()
}

fn mapped(code: i64) -> i64 {
    let pair = pairs().into_iter().find(|pair| i64::from(pair.0) == code);
    pair.map_or(code, |pair| i64::from(pair.1))
}

fn single(unit: char) -> Pattern {
    Pattern::Class(CharClass::single(unit as u32))
}

fn repeat(body: Pattern, least: u32, most: Option<u32>) -> Pattern {
    Pattern::Repeat {
        body: Box::new(body),
        least,
        most,
    }
}

fn pattern(index: usize) -> Pattern {
    let digit = || Pattern::Class(CharClass::new([(48, 57)]));
    match index % 4 {
        0 => Pattern::Sequence(vec![
            repeat(single('-'), 0, Some(1)),
            repeat(digit(), 1, None),
        ]),
        1 => Pattern::Choice(vec![
            Pattern::Sequence(vec![single('a'), single('0')]),
            repeat(single('a'), 0, Some(3)),
        ]),
        2 => repeat(
            Pattern::Sequence(vec![single('a'), repeat(digit(), 0, Some(1))]),
            0,
            None,
        ),
        _ => Pattern::Sequence(vec![digit(), single('-'), digit()]),
    }
}

/// All positions where a match that began at `start` can end.
fn ends(pattern: &Pattern, text: &[u32], start: usize) -> Vec<usize> {
    let mut ends_found = match pattern {
        Pattern::Empty => vec![start],
        Pattern::Nothing => vec![],
        Pattern::Class(class) => match text.get(start) {
            Some(unit) if class.ranges().iter().any(|r| (r.0..=r.1).contains(unit)) => {
                vec![start + 1]
            }
            _ => vec![],
        },
        Pattern::Sequence(parts) => parts.iter().fold(vec![start], |starts, part| {
            starts
                .iter()
                .flat_map(|&start| ends(part, text, start))
                .collect()
        }),
        Pattern::Choice(parts) => parts
            .iter()
            .flat_map(|part| ends(part, text, start))
            .collect(),
        Pattern::Repeat { body, least, most } => {
            let (mut reached, mut done) = (vec![start], Vec::new());
            for count in 0..=most.unwrap_or(text.len() as u32 + least) {
                if count >= *least {
                    done.extend_from_slice(&reached);
                }
                reached = reached
                    .iter()
                    .flat_map(|&start| ends(body, text, start))
                    .collect();
            }
            done
        }
    };
    ends_found.sort_unstable();
    ends_found.dedup();
    ends_found
}

fn clamp(position: i64, length: usize) -> usize {
    position.clamp(0, length as i64) as usize
}

fn code(value: &BigInt) -> i64 {
    i64::try_from(value).unwrap_or(i64::MAX)
}

impl Words {
    pub fn value(&self, kind: TextKind, under: &Inputs) -> Vec<u32> {
        match self {
            Words::Constant(units) => units.clone(),
            Words::Variable(index) => under.texts[*index].clone(),
            Words::Concat(parts) => parts.iter().flat_map(|p| p.value(kind, under)).collect(),
            Words::Slice(text, start, stop) => {
                let text = text.value(kind, under);
                let start = clamp(code(&start.value(kind, under)), text.len());
                let stop = clamp(code(&stop.value(kind, under)), text.len());
                text[start..stop.max(start)].to_vec()
            }
            Words::FromCode(number) => {
                let value = code(&number.value(kind, under));
                if (0..=i64::from(kind.last())).contains(&value) {
                    vec![value as u32]
                } else {
                    vec![]
                }
            }
            Words::Map(text) => {
                let text = text.value(kind, under);
                text.iter().map(|&u| mapped(u.into()) as u32).collect()
            }
            Words::FromInt(number, base) => {
                let digits = number.value(kind, under).to_str_radix((*base).into());
                digits.bytes().map(u32::from).collect()
            }
            Words::Choice(condition, a, b) => {
                if condition.value(kind, under) {
                    a.value(kind, under)
                } else {
                    b.value(kind, under)
                }
            }
        }
    }

    pub fn build(&self, pool: &mut TermPool, kind: TextKind, style: Style) -> TermId {
        match self {
            Words::Constant(units) => pool.text(Text::new(kind, units.clone())),
            Words::Variable(index) => pool.variable(&format!("s{index}"), kind.sort()),
            Words::Concat(parts) => {
                let parts: Vec<TermId> = parts.iter().map(|p| p.build(pool, kind, style)).collect();
                style.apply(pool, Op::Concat, &parts)
            }
            Words::Slice(text, start, stop) => {
                let text = text.build(pool, kind, style);
                let (start, stop) = (
                    start.build(pool, kind, style),
                    stop.build(pool, kind, style),
                );
                style.apply(pool, Op::Slice, &[text, start, stop])
            }
            Words::FromCode(number) => {
                let number = number.build(pool, kind, style);
                style.apply(pool, Op::FromCode(kind), &[number])
            }
            Words::Map(text) => {
                let text = text.build(pool, kind, style);
                let map = pool.intern_map(CharMap::new(pairs()));
                style.apply(pool, Op::MapText(map), &[text])
            }
            Words::FromInt(number, base) => {
                let number = number.build(pool, kind, style);
                style.apply(pool, Op::FromInt(kind, *base), &[number])
            }
            Words::Choice(condition, a, b) => {
                let condition = condition.build(pool, kind, style);
                let (a, b) = (a.build(pool, kind, style), b.build(pool, kind, style));
                style.make(pool, Term::Ite(condition, a, b), |pool| {
                    pool.ite(condition, a, b)
                })
            }
        }
    }
}

fn find_all(text: &[u32], needle: &[u32]) -> Vec<i64> {
    (0..=text.len())
        .filter(|&start| text[start..].starts_with(needle))
        .map(|start| start as i64)
        .collect()
}

fn parse(text: &[u32], base: u8) -> BigInt {
    let (negative, digits) = match text.split_first() {
        Some((45, rest)) => (true, rest),
        Some((43, rest)) => (false, rest),
        _ => (false, text),
    };
    let mut value = BigInt::from(0);
    for &unit in digits {
        let digit = char::from_u32(unit).and_then(|c| c.to_digit(base.into()));
        match digit {
            Some(digit) => value = value * base + digit,
            None => return BigInt::from(0),
        }
    }
    if negative { -value } else { value }
}

impl Number {
    pub fn value(&self, kind: TextKind, under: &Inputs) -> BigInt {
        match self {
            Number::Constant(value) => BigInt::from(*value),
            Number::Variable(index) => BigInt::from(under.numbers[*index]),
            Number::Length(text) => BigInt::from(text.value(kind, under).len()),
            Number::At(text, position) => {
                let position = code(&position.value(kind, under));
                let text = text.value(kind, under);
                let unit = usize::try_from(position).ok().and_then(|p| text.get(p));
                unit.map_or(BigInt::from(-1), |&unit| BigInt::from(unit))
            }
            Number::Find(text, needle, start) => {
                let start = code(&start.value(kind, under));
                let all = find_all(&text.value(kind, under), &needle.value(kind, under));
                BigInt::from(all.into_iter().find(|&p| p >= start).unwrap_or(-1))
            }
            Number::RFind(text, needle, stop) => {
                let stop = code(&stop.value(kind, under));
                let needle = needle.value(kind, under);
                let all = find_all(&text.value(kind, under), &needle);
                let fits = |p: &i64| *p + needle.len() as i64 <= stop;
                BigInt::from(all.into_iter().rev().find(fits).unwrap_or(-1))
            }
            Number::Span(class, text) => {
                let text = text.value(kind, under);
                let inside = |u: &&u32| in_class(*class, i64::from(**u));
                BigInt::from(text.iter().take_while(inside).count())
            }
            Number::RSpan(class, text) => {
                let text = text.value(kind, under);
                let inside = |u: &&u32| in_class(*class, i64::from(**u));
                BigInt::from(text.iter().rev().take_while(inside).count())
            }
            Number::ToInt(text, base) => parse(&text.value(kind, under), *base),
            Number::MapCode(number) => BigInt::from(mapped(code(&number.value(kind, under)))),
            Number::Binary(op, a, b) => {
                let (a, b) = (a.value(kind, under), b.value(kind, under));
                match op {
                    BinaryOp::Add => a + b,
                    BinaryOp::Sub => a - b,
                    _ => a * b,
                }
            }
            Number::Choice(condition, a, b) => {
                if condition.value(kind, under) {
                    a.value(kind, under)
                } else {
                    b.value(kind, under)
                }
            }
        }
    }

    pub fn build(&self, pool: &mut TermPool, kind: TextKind, style: Style) -> TermId {
        match self {
            Number::Constant(value) => pool.int(*value),
            Number::Variable(index) => pool.variable(&format!("x{index}"), Sort::Int),
            Number::Length(text) => {
                let text = text.build(pool, kind, style);
                style.apply(pool, Op::Length, &[text])
            }
            Number::At(text, position) => {
                let text = text.build(pool, kind, style);
                let position = position.build(pool, kind, style);
                style.apply(pool, Op::At, &[text, position])
            }
            Number::Find(text, needle, bound) | Number::RFind(text, needle, bound) => {
                let (text, needle) = (
                    text.build(pool, kind, style),
                    needle.build(pool, kind, style),
                );
                let bound = bound.build(pool, kind, style);
                let op = match self {
                    Number::Find(..) => Op::Find,
                    _ => Op::RFind,
                };
                style.apply(pool, op, &[text, needle, bound])
            }
            Number::Span(class, text) | Number::RSpan(class, text) => {
                let text = text.build(pool, kind, style);
                let class = pool.intern_class(CharClass::new(class_ranges(*class)));
                let op = match self {
                    Number::Span(..) => Op::Span(class),
                    _ => Op::RSpan(class),
                };
                style.apply(pool, op, &[text])
            }
            Number::ToInt(text, base) => {
                let text = text.build(pool, kind, style);
                style.apply(pool, Op::ToInt(*base), &[text])
            }
            Number::MapCode(number) => {
                let number = number.build(pool, kind, style);
                let map = pool.intern_map(CharMap::new(pairs()));
                style.apply(pool, Op::MapCode(map), &[number])
            }
            Number::Binary(op, a, b) => {
                let (a, b) = (a.build(pool, kind, style), b.build(pool, kind, style));
                style.make(pool, Term::Binary(*op, a, b), |pool| pool.binary(*op, a, b))
            }
            Number::Choice(condition, a, b) => {
                let condition = condition.build(pool, kind, style);
                let (a, b) = (a.build(pool, kind, style), b.build(pool, kind, style));
                style.make(pool, Term::Ite(condition, a, b), |pool| {
                    pool.ite(condition, a, b)
                })
            }
        }
    }
}

impl Truth {
    pub fn value(&self, kind: TextKind, under: &Inputs) -> bool {
        match self {
            Truth::Relation(relation, a, b) => {
                let (a, b) = (a.value(kind, under), b.value(kind, under));
                match relation {
                    Relation::Contains => !find_all(&a, &b).is_empty(),
                    Relation::StartsWith => a.starts_with(&b),
                    Relation::EndsWith => a.ends_with(&b),
                    Relation::Eq => a == b,
                    Relation::Lt => a < b,
                    Relation::Le => a <= b,
                }
            }
            Truth::Matches(index, text) => {
                let text = text.value(kind, under);
                ends(&pattern(*index), &text, 0).contains(&text.len())
            }
            Truth::InClass(class, number) => in_class(*class, code(&number.value(kind, under))),
            Truth::Compare(op, a, b) => {
                let (a, b) = (a.value(kind, under), b.value(kind, under));
                match op {
                    Comparison::Eq => a == b,
                    Comparison::Lt => a < b,
                    Comparison::Le => a <= b,
                }
            }
            Truth::Not(a) => !a.value(kind, under),
            Truth::And(a, b) => a.value(kind, under) && b.value(kind, under),
            Truth::Or(a, b) => a.value(kind, under) || b.value(kind, under),
        }
    }

    pub fn build(&self, pool: &mut TermPool, kind: TextKind, style: Style) -> TermId {
        match self {
            Truth::Relation(relation, a, b) => {
                let (a, b) = (a.build(pool, kind, style), b.build(pool, kind, style));
                let op = match relation {
                    Relation::Contains => Op::Contains,
                    Relation::StartsWith => Op::StartsWith,
                    Relation::EndsWith => Op::EndsWith,
                    Relation::Eq => Op::TextEq,
                    Relation::Lt => Op::TextLt,
                    Relation::Le => Op::TextLe,
                };
                style.apply(pool, op, &[a, b])
            }
            Truth::Matches(index, text) => {
                let text = text.build(pool, kind, style);
                let language = Language::new(pattern(*index)).unwrap();
                let language = pool.intern_language(language);
                style.apply(pool, Op::Matches(language), &[text])
            }
            Truth::InClass(class, number) => {
                let number = number.build(pool, kind, style);
                let class = pool.intern_class(CharClass::new(class_ranges(*class)));
                style.apply(pool, Op::InClass(class), &[number])
            }
            Truth::Compare(op, a, b) => {
                let (a, b) = (a.build(pool, kind, style), b.build(pool, kind, style));
                style.make(pool, Term::Compare(*op, a, b), |pool| {
                    pool.compare(*op, a, b)
                })
            }
            Truth::Not(a) => {
                let a = a.build(pool, kind, style);
                style.make(pool, Term::Not(a), |pool| pool.not(a))
            }
            Truth::And(a, b) => {
                let (a, b) = (a.build(pool, kind, style), b.build(pool, kind, style));
                style.make(pool, Term::And(a, b), |pool| pool.and(a, b))
            }
            Truth::Or(a, b) => {
                let (a, b) = (a.build(pool, kind, style), b.build(pool, kind, style));
                style.make(pool, Term::Or(a, b), |pool| pool.or(a, b))
            }
        }
    }
}

/// Whether terms are built with or without simplification.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Style {
    Simplified,
    AsWritten,
}

impl Style {
    fn apply(self, pool: &mut TermPool, op: Op, operands: &[TermId]) -> TermId {
        self.make(pool, Term::Apply(op, operands.into()), |pool| {
            pool.apply(op, operands)
        })
    }

    fn make(
        self,
        pool: &mut TermPool,
        term: Term,
        simplified: impl FnOnce(&mut TermPool) -> TermId,
    ) -> TermId {
        match self {
            Style::Simplified => simplified(pool),
            Style::AsWritten => pool.unsimplified(term),
        }
    }
}

impl Inputs {
    /// The inputs as a model. Makes all variables, so that they exist in every pool.
    pub fn model(&self, pool: &mut TermPool, kind: TextKind) -> Model {
        let mut model = Model::new();
        for index in 0..VARIABLES {
            let text = pool.variable(&format!("s{index}"), kind.sort());
            let number = pool.variable(&format!("x{index}"), Sort::Int);
            let value = Value::Text(Text::new(kind, self.texts[index].clone()));
            model.set(pool.vars(text).iter().next().unwrap(), value);
            let value = Value::Int(Integer::Small(self.numbers[index]));
            model.set(pool.vars(number).iter().next().unwrap(), value);
        }
        model
    }
}

/// Random choices, read from bytes so that they shrink well.
pub struct Source {
    bytes: Vec<u8>,
    position: usize,
    kind: TextKind,
}

impl Source {
    pub fn new(bytes: Vec<u8>, kind: TextKind) -> Self {
        Source {
            bytes,
            position: 0,
            kind,
        }
    }

    pub fn next(&mut self) -> usize {
        let byte = self.bytes.get(self.position).copied().unwrap_or(0);
        self.position += 1;
        byte.into()
    }

    pub fn inputs(&mut self) -> Inputs {
        Inputs {
            texts: std::array::from_fn(|_| self.units()),
            numbers: std::array::from_fn(|_| self.next() as i64 % 9 - 3),
        }
    }

    fn unit(&mut self) -> u32 {
        let choice = self.next();
        if choice > 235 && self.kind == TextKind::Str {
            EXOTIC[choice % EXOTIC.len()]
        } else {
            UNITS[choice % UNITS.len()]
        }
    }

    pub fn units(&mut self) -> Vec<u32> {
        let length = [0, 1, 1, 2, 1, 2, 3][self.next() % 7];
        (0..length).map(|_| self.unit()).collect()
    }

    fn base(&mut self) -> u8 {
        [10, 10, 2, 16][self.next() % 4]
    }

    pub fn words(&mut self, depth: u32) -> Words {
        let choice = self.next();
        if depth == 0 || choice < 110 {
            return match choice % 3 {
                0 => Words::Constant(self.units()),
                _ => Words::Variable(self.next() % VARIABLES),
            };
        }
        let depth = depth - 1;
        match choice % 13 {
            0..=2 => Words::Concat((0..2 + choice % 2).map(|_| self.words(depth)).collect()),
            3..=7 => {
                let text = Box::new(self.words(depth));
                let start = Box::new(self.number(depth));
                // Often one unit, or up to the end.
                let stop = match self.next() % 4 {
                    0 => {
                        Number::Binary(BinaryOp::Add, start.clone(), Box::new(Number::Constant(1)))
                    }
                    1 => Number::Length(text.clone()),
                    _ => self.number(depth),
                };
                Words::Slice(text, start, Box::new(stop))
            }
            8 | 9 => Words::FromCode(Box::new(self.number(depth))),
            10 => Words::Map(Box::new(self.words(depth))),
            11 => Words::FromInt(Box::new(self.number(depth)), self.base()),
            _ => Words::Choice(
                Box::new(self.truth(depth)),
                Box::new(self.words(depth)),
                Box::new(self.words(depth)),
            ),
        }
    }

    /// Text of the few shapes that rules look for.
    fn plain_words(&mut self) -> Words {
        let variable = || Words::Variable(0);
        match self.next() % 8 {
            0 | 1 => Words::Constant(self.units()),
            2 | 3 => {
                let place = self.next() as i64 % 3;
                let (start, stop) = (Number::Constant(place), Number::Constant(place + 1));
                Words::Slice(Box::new(variable()), Box::new(start), Box::new(stop))
            }
            4 => Words::Concat(vec![Words::Constant(self.units()), variable()]),
            5 => Words::Concat(vec![variable(), Words::Constant(self.units())]),
            6 => {
                let start = Box::new(Number::Constant(self.next() as i64 % 3));
                let stop = Box::new(Number::Length(Box::new(variable())));
                Words::Slice(Box::new(variable()), start, stop)
            }
            _ => variable(),
        }
    }

    /// A relation of such texts, so that every rule is met often.
    pub fn plain_relation(&mut self) -> Truth {
        let relations = [
            Relation::Contains,
            Relation::StartsWith,
            Relation::EndsWith,
            Relation::Eq,
            Relation::Lt,
            Relation::Le,
        ];
        let relation = relations[self.next() % relations.len()];
        let (left, right) = (self.plain_words(), self.plain_words());
        Truth::Relation(relation, Box::new(left), Box::new(right))
    }

    pub fn number(&mut self, depth: u32) -> Number {
        let choice = self.next();
        if depth == 0 || choice < 70 {
            return match choice % 4 {
                0 => Number::Variable(self.next() % VARIABLES),
                1 => Number::Constant(i64::from(self.unit())),
                _ => Number::Constant(self.next() as i64 % 5 - 1),
            };
        }
        let depth = depth - 1;
        let mut words = || Box::new(self.words(depth));
        match choice % 16 {
            0 | 1 => Number::Length(words()),
            2..=4 => Number::At(words(), Box::new(self.number(depth))),
            5 | 6 => Number::Find(words(), words(), Box::new(self.number(depth))),
            7 => Number::RFind(words(), words(), Box::new(self.number(depth))),
            8 => Number::Span(choice / 16, words()),
            9 => Number::RSpan(choice / 16, words()),
            10 | 11 => Number::ToInt(words(), self.base()),
            12 => Number::MapCode(Box::new(self.number(depth))),
            13 => Number::Choice(
                Box::new(self.truth(depth)),
                Box::new(self.number(depth)),
                Box::new(self.number(depth)),
            ),
            _ => {
                let op = [BinaryOp::Add, BinaryOp::Sub, BinaryOp::Mul][self.next() % 3];
                Number::Binary(
                    op,
                    Box::new(self.number(depth)),
                    Box::new(self.number(depth)),
                )
            }
        }
    }

    pub fn truth(&mut self, depth: u32) -> Truth {
        let choice = self.next();
        let below = depth.saturating_sub(1);
        let relations = [
            Relation::Contains,
            Relation::StartsWith,
            Relation::EndsWith,
            Relation::Eq,
            Relation::Lt,
            Relation::Le,
        ];
        match choice % 12 {
            0 if depth > 0 => Truth::Not(Box::new(self.truth(below))),
            1 if depth > 0 => Truth::And(Box::new(self.truth(below)), Box::new(self.truth(below))),
            2 if depth > 0 => Truth::Or(Box::new(self.truth(below)), Box::new(self.truth(below))),
            3 => Truth::Matches(self.next(), Box::new(self.words(below))),
            4 => Truth::InClass(self.next(), Box::new(self.number(below))),
            5..=7 => {
                let op = [Comparison::Eq, Comparison::Lt, Comparison::Le][self.next() % 3];
                Truth::Compare(
                    op,
                    Box::new(self.number(below)),
                    Box::new(self.number(below)),
                )
            }
            _ => Truth::Relation(
                relations[self.next() % relations.len()],
                Box::new(self.words(below)),
                Box::new(self.words(below)),
            ),
        }
    }
}

pub fn kind() -> impl Strategy<Value = TextKind> {
    prop_oneof![2 => Just(TextKind::Str), 1 => Just(TextKind::Bytes)]
}

/// A kind and that many formulas about text of it.
pub fn truths(count: usize, depth: u32) -> impl Strategy<Value = (TextKind, Vec<Truth>)> {
    let bytes = prop::collection::vec(prop::collection::vec(any::<u8>(), 4..50), 1..=count);
    (kind(), bytes).prop_map(move |(kind, bytes)| {
        let truths = bytes
            .into_iter()
            .map(|bytes| Source::new(bytes, kind).truth(depth))
            .collect();
        (kind, truths)
    })
}

/// A kind and a relation of simple texts of it.
pub fn plain_relation() -> impl Strategy<Value = (TextKind, Truth)> {
    let bytes = prop::collection::vec(any::<u8>(), 3..16);
    (kind(), bytes).prop_map(|(kind, bytes)| (kind, Source::new(bytes, kind).plain_relation()))
}

/// Any inputs, exotic units included.
pub fn inputs() -> impl Strategy<Value = Vec<u8>> {
    prop::collection::vec(any::<u8>(), 0..24)
}

/// The inputs that bytes stand for.
pub fn inputs_from(bytes: Vec<u8>, kind: TextKind) -> Inputs {
    Source::new(bytes, kind).inputs()
}
