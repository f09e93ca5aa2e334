//! The part of propagation that is about text.
//!
//! The range of a text is that of its length. Lengths bound positions, counts and units, so arithmetic over
//! those is refuted without a look at the text itself: `64 * s.find(c) + 1 > 4096` needs to know no more than that
//! `s` has 64 units.

use super::propagate::{Contradiction, Propagation};
use super::range::Range;
use crate::integer::Integer;
use crate::operation::{LanguageId, Operation};
use crate::pool::TermPool;
use crate::term::{Sort, TermId};
use crate::text::TextKind;

type Narrowed = Result<(), Contradiction>;

/// Longer sums say nothing about their parts: each would have to look at all others.
const MAX_PARTS: usize = 8;

impl Propagation {
    pub(super) fn forward_text(
        &mut self,
        pool: &TermPool,
        term: TermId,
        op: Operation,
        operands: &[TermId],
    ) -> Narrowed {
        if pool.sort(term) == Sort::Bool {
            let value = self.relation(pool, op, operands);
            return self.settle(term, value);
        }
        let range = self.number_of_text(pool, op, operands);
        self.narrow(term, &range)
    }

    /// Bounds of a number, or of the length of a text.
    fn number_of_text(&self, pool: &TermPool, op: Operation, operands: &[TermId]) -> Range {
        use Operation as Op;
        match (op, operands) {
            (Op::Length | Op::MapText(_) | Op::Recode(_) | Op::FinalSigma(..), &[s]) => {
                self.range(s).clone()
            }
            (Op::Concat, parts) => parts
                .iter()
                .fold(Range::point(Integer::ZERO), |sum, &part| {
                    sum.add(self.range(part))
                }),
            (Op::Slice, &[s, start, stop]) => {
                slice(self.range(s), self.range(start), self.range(stop))
            }
            (Op::Without(_) | Op::Span(_) | Op::RSpan(_), &[s]) => {
                Range::new(Some(Integer::ZERO), self.range(s).high.clone())
            }
            (Op::Expand(_), &[s]) => {
                let s = self.range(s);
                let most = s.high.as_ref().map(|high| high * &Integer::Small(3));
                Range::new(s.low.clone(), most)
            }
            (Op::Shown(_), &[s]) => {
                let least = self.range(s).low.as_ref();
                Range::new(least.map(|low| low + &Integer::Small(2)), None)
            }
            (Op::FromCode(kind), &[code]) => one_unit(self.range(code), kind),
            (Op::FromInt(..), _) => Range::at_least(1),
            (Op::Find, &[s, needle, start]) => {
                first_place(self.range(s), self.range(needle), self.range(start))
            }
            (Op::RFind, &[s, needle, _]) => places(&self.range(s).sub(self.range(needle))),
            (Op::At, &[s, place]) => {
                let last = TextKind::of(pool.sort(s)).map_or(0, TextKind::last);
                unit(self.range(s), self.range(place), last.into())
            }
            _ => Range::ALL,
        }
    }

    /// What lengths say about a relation between text and text or a language.
    fn relation(&self, pool: &TermPool, op: Operation, operands: &[TermId]) -> Option<bool> {
        use Operation as Op;
        match (op, operands) {
            (Op::TextEq, &[s, t]) => {
                let (s, t) = (self.range(s), self.range(t));
                if s.intersection(t).is_empty() {
                    return Some(false);
                }
                (is_empty(s) && is_empty(t)).then_some(true)
            }
            (Op::Contains | Op::StartsWith | Op::EndsWith, &[s, t]) => {
                let (s, t) = (self.range(s), self.range(t));
                if s.sub(t).is_negative() {
                    return Some(false);
                }
                is_empty(t).then_some(true)
            }
            (Op::Matches(language), &[s]) => {
                let possible = lengths(pool, language)
                    .is_some_and(|lengths| !lengths.intersection(self.range(s)).is_empty());
                (!possible).then_some(false)
            }
            _ => None,
        }
    }

    pub(super) fn backward_text(
        &mut self,
        op: Operation,
        operands: &[TermId],
        term: TermId,
    ) -> Narrowed {
        use Operation as Op;
        let range = self.range(term).clone();
        match (op, operands) {
            (Op::Length | Op::MapText(_) | Op::Recode(_) | Op::FinalSigma(..), &[s]) => {
                self.narrow(s, &range)
            }
            (Op::Concat, parts) if parts.len() <= MAX_PARTS => self.backward_parts(parts, &range),
            (Op::Slice, &[s, start, stop]) if range.is_positive() => {
                let end = clamped(self.range(start), self.range(s)).add(&range);
                self.narrow(stop, &Range::new(end.low.clone(), None))?;
                self.narrow(s, &Range::new(end.low, None))?;
                let latest = self.range(s).sub(&range).high;
                self.narrow(start, &Range::new(None, latest))
            }
            (Op::Without(_) | Op::Span(_) | Op::RSpan(_), &[s]) => {
                self.narrow(s, &Range::new(range.low, None))
            }
            (Op::FromCode(kind), &[code]) if range.is_positive() => {
                self.narrow(code, &Range::between(0, i64::from(kind.last())))
            }
            (Op::Expand(_), &[s]) => {
                let least = range.low.and_then(|low| low.ceil_div(&Integer::Small(3)));
                self.narrow(s, &Range::new(least, range.high))
            }
            (Op::Shown(_), &[s]) => {
                let most = range.high.map(|high| &high - &Integer::Small(2));
                self.narrow(s, &Range::new(None, most))
            }
            (Op::Find | Op::RFind, &[s, needle, _]) if range.is_never_negative() => {
                let end = range.add(self.range(needle));
                self.narrow(s, &Range::new(end.low, None))
            }
            (Op::At, &[s, place]) if range.is_never_negative() => {
                self.narrow(place, &Range::at_least(0))?;
                self.ordered(place, s, &Integer::ONE)
            }
            _ => Ok(()),
        }
    }

    /// What the length of all says about the length of each.
    fn backward_parts(&mut self, parts: &[TermId], whole: &Range) -> Narrowed {
        for (index, &part) in parts.iter().enumerate() {
            let mut others = Range::point(Integer::ZERO);
            for (_, &other) in parts.iter().enumerate().filter(|entry| entry.0 != index) {
                others = others.add(self.range(other));
            }
            self.narrow(part, &whole.sub(&others))?;
        }
        Ok(())
    }

    pub(super) fn backward_relation(
        &mut self,
        pool: &TermPool,
        op: Operation,
        operands: &[TermId],
        value: bool,
    ) -> Narrowed {
        use Operation as Op;
        match (op, operands) {
            (Op::TextEq, &[s, t]) if value => {
                let both = self.range(s).intersection(self.range(t));
                self.narrow(s, &both)?;
                self.narrow(t, &both)
            }
            (Op::Contains | Op::StartsWith | Op::EndsWith, &[s, t]) => {
                if value {
                    self.ordered(t, s, &Integer::ZERO)
                } else {
                    self.narrow(t, &Range::at_least(1))
                }
            }
            (Op::Matches(language), &[s]) if value => match lengths(pool, language) {
                Some(lengths) => self.narrow(s, &lengths),
                None => Err(Contradiction),
            },
            _ => Ok(()),
        }
    }
}

fn is_empty(length: &Range) -> bool {
    length.high.as_ref().is_some_and(Integer::is_zero)
}

/// The lengths of the words of a language; `None` if it has none.
fn lengths(pool: &TermPool, language: LanguageId) -> Option<Range> {
    let (least, most) = pool.language(language).lengths()?;
    let length = |count: usize| i64::try_from(count).ok().map(Integer::Small);
    Some(Range::new(length(least), most.and_then(length)))
}

/// The length of the text of one unit: 1, or 0 for what is no unit.
fn one_unit(code: &Range, kind: TextKind) -> Range {
    let units = Range::between(0, i64::from(kind.last()));
    let shared = code.intersection(&units);
    if shared.is_empty() {
        return Range::between(0, 0);
    }
    Range::between(i64::from(shared == *code), 1)
}

/// The unit at a place: a unit inside, -1 outside.
fn unit(length: &Range, place: &Range, last: i64) -> Range {
    let beyond = place.sub(length);
    if place.is_negative() || beyond.is_never_negative() {
        return Range::between(-1, -1);
    }
    let inside = place.is_never_negative() && beyond.is_negative();
    Range::between(if inside { 0 } else { -1 }, last)
}

/// Positions up to the largest of the range, or -1.
fn places(range: &Range) -> Range {
    let nowhere = Integer::Small(-1);
    let last = range.high.as_ref().map(|last| last.max(&nowhere).clone());
    Range::new(Some(nowhere), last)
}

/// Where something is found first. What is empty is found at once, so only there it may stand at the very end.
fn first_place(length: &Range, needle: &Range, start: &Range) -> Range {
    if needle.is_positive() {
        return places(&length.sub(needle));
    }
    let found = places(&length.sub(&Range::at_least(1)));
    found.hull(&places(&clamped(start, length)))
}

/// The length of a slice.
fn slice(length: &Range, start: &Range, stop: &Range) -> Range {
    let size = clamped(stop, length).sub(&clamped(start, length));
    Range::new(
        Some(size.low.map_or(Integer::ZERO, at_least_zero)),
        size.high.map(at_least_zero),
    )
}

/// A position, moved into the text.
fn clamped(position: &Range, length: &Range) -> Range {
    let low = match (&position.low, &length.low) {
        (Some(position), Some(length)) => at_least_zero(position.min(length).clone()),
        (None, _) | (_, None) => Integer::ZERO,
    };
    let high = match (&position.high, &length.high) {
        (Some(position), Some(length)) => Some(at_least_zero(position.min(length).clone())),
        (Some(only), None) | (None, Some(only)) => Some(at_least_zero(only.clone())),
        (None, None) => None,
    };
    Range::new(Some(low), high)
}

fn at_least_zero(value: Integer) -> Integer {
    value.max(Integer::ZERO)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::alphabet::CharClass;
    use crate::evaluate::Evaluator;
    use crate::term::BinaryOp;
    use crate::text::Text;
    use crate::text_terms::{Style, Truth, inputs, inputs_from, truths};
    use crate::value::Value;

    fn refuted(pool: &TermPool, roots: &[TermId]) -> bool {
        Propagation::new().run(pool, roots.iter().copied()).is_err()
    }

    /// `alphabet.find(chr(s[place]))`
    fn digit(pool: &mut TermPool, s: TermId, place: i64) -> TermId {
        let (alphabet, zero) = (pool.text(Text::str("0123456789abcdef")), pool.small(0));
        let place = pool.small(place);
        let unit = pool.apply(Operation::At, &[s, place]);
        let needle = pool.apply(Operation::FromCode(TextKind::Str), &[unit]);
        pool.apply(Operation::Find, &[alphabet, needle, zero])
    }

    #[test]
    fn numbers_made_of_positions_are_bounded_by_the_alphabet() {
        let mut pool = TermPool::new();
        let s = pool.variable("s", Sort::Str);
        let (high, low) = (digit(&mut pool, s, 0), digit(&mut pool, s, 1));
        let (base, zero, byte) = (pool.small(16), pool.small(0), pool.small(255));
        let shifted = pool.binary(BinaryOp::Mul, high, base);
        let number = pool.binary(BinaryOp::Add, shifted, low);
        let found = [pool.le(zero, high), pool.le(zero, low)];
        let (beyond, below) = (pool.lt(byte, number), pool.lt(number, zero));
        assert!(refuted(&pool, &[found[0], found[1], beyond]));
        assert!(refuted(&pool, &[found[0], found[1], below]));
        assert!(!refuted(&pool, &[found[0], below]));
        let last = pool.eq(number, byte);
        assert!(!refuted(&pool, &[found[0], found[1], last]));
    }

    #[test]
    fn parts_are_no_longer_than_the_whole() {
        let mut pool = TermPool::new();
        let s = pool.variable("s", Sort::Str);
        let class = pool.intern_class(CharClass::new([(48, 57)]));
        let four = pool.small(4);
        let whole = pool.apply(Operation::Length, &[s]);
        let is_four = pool.eq(whole, four);
        for op in [Operation::Without(class), Operation::Span(class)] {
            let part = pool.apply(op, &[s]);
            let length = if pool.sort(part) == Sort::Str {
                pool.apply(Operation::Length, &[part])
            } else {
                part
            };
            let (longer, as_long) = (pool.lt(four, length), pool.eq(four, length));
            assert!(refuted(&pool, &[is_four, longer]));
            assert!(!refuted(&pool, &[is_four, as_long]));
        }
        let shown = pool.apply(Operation::Shown(class), &[s]);
        let length = pool.apply(Operation::Length, &[shown]);
        let (five, six) = (pool.small(5), pool.small(6));
        let (short, quoted) = (pool.eq(length, five), pool.eq(length, six));
        assert!(refuted(&pool, &[is_four, short]));
        assert!(!refuted(&pool, &[is_four, quoted]));
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(2_000))]

        /// Each condition as it comes out for an input: the ranges must then have room for that input.
        #[test]
        fn no_text_is_cut_off(
            (kind, truths) in truths(4, 3),
            bytes in inputs(),
            written in any::<bool>(),
        ) {
            let style = if written { Style::AsWritten } else { Style::Simplified };
            let (mut pool, input) = (TermPool::new(), inputs_from(bytes, kind));
            let model = input.model(&mut pool, kind);
            let mut roots = Vec::new();
            for truth in truths {
                let holds = truth.value(kind, &input);
                let taken = if holds { truth } else { Truth::Not(Box::new(truth)) };
                roots.push(taken.build(&mut pool, kind, style));
            }
            let mut propagation = Propagation::new();
            let outcome = propagation.run(&pool, roots.iter().copied());
            prop_assert!(outcome.is_ok(), "refuted, but {:?} is a solution", input);
            let mut evaluator = Evaluator::new();
            for (term, range) in propagation.numbers() {
                let size = match evaluator.value(&pool, &model, term) {
                    Ok(Value::Int(value)) => value,
                    Ok(Value::Text(text)) => Integer::Small(text.len() as i64),
                    Ok(Value::Bool(_) | Value::Float(_)) | Err(_) => continue,
                };
                prop_assert!(range.contains(&size), "{} outside {:?}", size, range);
            }
        }
    }
}
