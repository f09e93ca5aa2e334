//! Numbers that are computed from text, and with numbers.

use crate::float::Float;
use crate::integer::Integer;
use crate::operation::Operation;
use crate::term::{BinaryOp, Term, TermId, UnaryOp};
use crate::text::Text;

use super::pieces;
use super::wish::{Sight, Wish, Wishes};

/// The wish for the other operand, with every number changed.
fn mapped(wish: &Wish, change: impl Fn(&Integer) -> Integer) -> Option<Wish> {
    Some(match wish {
        Wish::Exactly(value) => Wish::Exactly(change(value)),
        Wish::AtLeast(value) => Wish::AtLeast(change(value)),
        Wish::AtMost(value) => Wish::AtMost(change(value)),
        Wish::Not(value) => Wish::Not(change(value)),
        Wish::Truth(_) | Wish::Text(_) | Wish::Float(_) => return None,
    })
}

fn negated(wish: Wish) -> Wish {
    match wish {
        Wish::Exactly(value) => Wish::Exactly(-value),
        Wish::AtLeast(value) => Wish::AtMost(-value),
        Wish::AtMost(value) => Wish::AtLeast(-value),
        Wish::Not(value) => Wish::Not(-value),
        other => other,
    }
}

pub(super) fn unary(wishes: &mut Wishes<'_>, op: UnaryOp, inner: TermId, wish: Wish) {
    match op {
        UnaryOp::Neg => wishes.offer(inner, negated(wish)),
        UnaryOp::Abs => {
            wishes.offer(inner, wish.clone());
            wishes.offer(inner, negated(wish));
        }
        UnaryOp::BitLength | UnaryOp::BitCount => {}
    }
}

pub(super) fn binary(
    wishes: &mut Wishes<'_>,
    sight: &mut Sight<'_>,
    op: BinaryOp,
    (a, b): (TermId, TermId),
    wish: &Wish,
) -> Option<()> {
    let (x, y) = (sight.int(a)?, sight.int(b)?);
    match op {
        BinaryOp::Add => {
            wishes.offer(a, mapped(wish, |value| value - &y)?);
            wishes.offer(b, mapped(wish, |value| value - &x)?);
        }
        BinaryOp::Sub => {
            wishes.offer(a, mapped(wish, |value| value + &y)?);
            wishes.offer(b, negated(mapped(wish, |value| value - &x)?));
        }
        BinaryOp::Mul => {
            for (term, factor) in [(a, y), (b, x)] {
                if let Some(wish) = divided(wish, &factor) {
                    wishes.offer(term, wish);
                }
            }
        }
        BinaryOp::FloorDiv if y.is_positive() => {
            let last = &y - &Integer::ONE;
            wishes.offer(
                a,
                match wish {
                    Wish::AtMost(value) => Wish::AtMost(&(value * &y) + &last),
                    other => mapped(other, |value| value * &y)?,
                },
            );
        }
        BinaryOp::Mod if y.is_positive() => {
            let rest = x.floor_mod(&y)?;
            let target = wish.nearest(&rest)?;
            wishes.offer(a, Wish::Exactly(&(&x - &rest) + &target));
        }
        BinaryOp::FloorDiv
        | BinaryOp::Mod
        | BinaryOp::Pow
        | BinaryOp::Shl
        | BinaryOp::Shr
        | BinaryOp::BitAnd
        | BinaryOp::BitOr
        | BinaryOp::BitXor => {}
    }
    Some(())
}

/// The wish for `x` that this one for `x * factor` amounts to.
fn divided(wish: &Wish, factor: &Integer) -> Option<Wish> {
    if !factor.is_positive() {
        return None;
    }
    Some(match wish {
        Wish::Exactly(value) => {
            value.floor_mod(factor).filter(Integer::is_zero)?;
            Wish::Exactly(value.floor_div(factor)?)
        }
        Wish::AtLeast(value) => Wish::AtLeast(value.ceil_div(factor)?),
        Wish::AtMost(value) => Wish::AtMost(value.floor_div(factor)?),
        Wish::Not(value) => Wish::Not(value.floor_div(factor)?),
        Wish::Truth(_) | Wish::Text(_) | Wish::Float(_) => return None,
    })
}

/// Operations that give a number.
pub(super) fn applied(
    wishes: &mut Wishes<'_>,
    sight: &mut Sight<'_>,
    op: Operation,
    operands: &[TermId],
    wish: &Wish,
) -> Option<()> {
    use Operation as Op;
    let first = *operands.first()?;
    if let Op::MapCode(map) = op {
        let code = sight.int(first)?;
        let target = u32::try_from(wish.nearest(&code)?.to_i64()?).ok()?;
        for unit in pieces::unmapped(sight.pool.map(map), target) {
            wishes.offer(first, Wish::Exactly(Integer::Small(unit.into())));
        }
        return Some(());
    }
    let text = sight.text(first)?;
    let kind = text.kind();
    match op {
        Op::Length => {
            let length = wish.nearest(&Integer::Small(text.len() as i64))?;
            let length = usize::try_from(length.to_i64()?).ok()?;
            wishes.offer_texts(first, pieces::resized(&text, length));
            moved_end(wishes, sight, first, length);
        }
        Op::At => {
            let place = usize::try_from(sight.int(operands[1])?.to_i64()?).ok()?;
            let current = text.units().get(place).map_or(-1, |&unit| unit.into());
            let unit = wish.nearest(&Integer::Small(current))?.to_i64()?;
            let unit = u32::try_from(unit)
                .ok()
                .filter(|&unit| unit <= kind.last())?;
            wishes.offer_texts(first, pieces::with_unit(&text, place, unit));
        }
        Op::Find | Op::RFind => {
            let (needle, bound) = (sight.text(operands[1])?, sight.int(operands[2])?);
            let found = match op {
                Op::Find => text.find(&needle, &bound),
                _ => text.rfind(&needle, &bound),
            };
            let target = wish.nearest(&Integer::Small(found))?.to_i64()?;
            let start = match op {
                Op::Find => usize::try_from(bound.to_i64()?).unwrap_or(0),
                _ => 0,
            };
            wishes.offer_texts(first, pieces::placed(&text, &needle, start, found, target));
            let sought = pieces::sought(&text, &needle, target, &wishes.strange);
            wishes.offer_texts(operands[1], sought);
        }
        Op::Span(class) | Op::RSpan(class) => {
            let from_end = matches!(op, Op::RSpan(_));
            let class = sight.pool.class(class);
            let current = pieces::span(&text, class, from_end);
            let target = wish.nearest(&Integer::Small(current as i64))?;
            let target = usize::try_from(target.to_i64()?).ok()?;
            let texts = pieces::spanned(&text, class, current, target, from_end);
            wishes.offer_texts(first, texts);
        }
        Op::ToInt(base) => {
            let target = wish.nearest(&text.to_int(base))?;
            let digits = Text::from_int(kind, &target, base);
            wishes.offer_texts(first, pieces::numerals(&text, digits));
        }
        _ => return None,
    }
    Some(())
}

/// A slice of another length because it ends elsewhere.
fn moved_end(
    wishes: &mut Wishes<'_>,
    sight: &mut Sight<'_>,
    slice: TermId,
    length: usize,
) -> Option<()> {
    let Term::Apply(Operation::Slice, operands) = sight.pool.get(slice) else {
        return None;
    };
    let start = sight.int(operands[1])?.max(Integer::ZERO);
    let stop = &start + &Integer::Small(length as i64);
    wishes.offer(operands[2], Wish::Exactly(stop));
    Some(())
}

/// Operations that give a float, where the exact inverse is near a simple one.
pub(super) fn float(
    wishes: &mut Wishes<'_>,
    sight: &mut Sight<'_>,
    op: Operation,
    operands: &[TermId],
    wished: Float,
) -> Option<()> {
    use Operation as Op;
    let first = *operands.first()?;
    match op {
        Op::FloatNeg => wishes.offer(first, Wish::Float(Float::new(-wished.get()))),
        Op::FloatAbs => wishes.offer(first, Wish::Float(wished)),
        Op::FloatFromInt => {
            wishes.offer(first, Wish::Exactly(whole(wished.get())?));
        }
        Op::IntDiv => {
            let divisor = Float::from_integer(&sight.int(operands[1])?);
            let product = whole((wished.get() * divisor.get()).round())?;
            wishes.offer(first, Wish::Exactly(product));
        }
        _ => return None,
    }
    Some(())
}

fn whole(value: f64) -> Option<Integer> {
    value.is_finite().then(|| Float::new(value).to_integer())
}
