//! Undoing shifts and bit operations.

use super::{Question, Wish};
use crate::integer::Integer;
use crate::term::{BinaryOp, TermId};

impl Question<'_> {
    pub(super) fn shift_left(&mut self, a: TermId, b: TermId, wish: &Wish) {
        let (Some(value), Some(places)) = (self.number(a), self.number(b)) else {
            return;
        };
        if self.mentions(b)
            && let Wish::Exactly(wanted) | Wish::AtLeast(wanted) | Wish::AtMost(wanted) = wish
            && !value.is_zero()
        {
            let places = wanted.bit_length() as i64 - value.bit_length() as i64;
            self.wish(b, Wish::Exactly(Integer::Small(places + 1)));
            self.wish(b, Wish::Exactly(Integer::Small(places)));
        }
        let Some(factor) = power_of_two(&places) else {
            return;
        };
        match wish {
            Wish::Exactly(wanted) | Wish::Not(wanted) => {
                if wanted.floor_mod(&factor).is_some_and(|rest| rest.is_zero()) {
                    self.wish(a, wish.map(|wanted| wanted.shr(&places)));
                }
            }
            Wish::AtMost(_) => self.wish(a, wish.map(|wanted| wanted.shr(&places))),
            Wish::AtLeast(wanted) => {
                self.wish_some(a, wanted.ceil_div(&factor).map(Wish::AtLeast));
            }
            Wish::Truth(_) => {}
        }
    }

    pub(super) fn shift_right(&mut self, a: TermId, b: TermId, wish: &Wish) {
        let (Some(value), Some(places)) = (self.number(a), self.number(b)) else {
            return;
        };
        if self.mentions(b)
            && let Wish::Exactly(wanted) | Wish::AtLeast(wanted) | Wish::AtMost(wanted) = wish
        {
            let places = value.bit_length() as i64 - wanted.bit_length() as i64;
            self.wish(b, Wish::Exactly(Integer::Small(places)));
        }
        if let Some(divisor) = power_of_two(&places) {
            self.quotient_by(a, &value, &divisor, wish);
        }
    }

    /// `operand op other` as wished, by changing `operand`.
    pub(super) fn bitwise(&mut self, op: BinaryOp, operand: TermId, other: TermId, wish: &Wish) {
        if !self.mentions(operand) {
            return;
        }
        let (Some(current), Some(mask)) = (self.number(operand), self.number(other)) else {
            return;
        };
        let wanted = match wish {
            Wish::Exactly(value) | Wish::AtLeast(value) | Wish::AtMost(value) => value.clone(),
            Wish::Not(value) => value.bit_xor(&lowest_bit(op, &mask)),
            Wish::Truth(_) => return,
        };
        match op {
            BinaryOp::BitAnd => {
                self.wish(operand, Wish::Exactly(wanted.clone()));
                let kept = current.bit_and(&mask.bit_not());
                self.wish(operand, Wish::Exactly(kept.bit_or(&wanted.bit_and(&mask))));
            }
            BinaryOp::BitOr => {
                self.wish(operand, Wish::Exactly(wanted.clone()));
                let kept = current.bit_and(&mask);
                self.wish(
                    operand,
                    Wish::Exactly(kept.bit_or(&wanted.bit_and(&mask.bit_not()))),
                );
            }
            BinaryOp::BitXor => self.wish(operand, Wish::Exactly(wanted.bit_xor(&mask))),
            BinaryOp::Add
            | BinaryOp::Sub
            | BinaryOp::Mul
            | BinaryOp::FloorDiv
            | BinaryOp::Mod
            | BinaryOp::Pow
            | BinaryOp::Shl
            | BinaryOp::Shr => {}
        }
    }

    pub(super) fn bit_length(&mut self, a: TermId, wish: &Wish) {
        let (low, high) = match wish {
            Wish::Exactly(length) => (Some(length), Some(length)),
            Wish::AtLeast(length) => (Some(length), None),
            Wish::AtMost(length) => (None, Some(length)),
            Wish::Not(_) => {
                self.wish(a, Wish::Exactly(Integer::ZERO));
                self.wish(a, Wish::Exactly(Integer::ONE));
                return;
            }
            Wish::Truth(_) => return,
        };
        if let Some(highest) = high.and_then(power_of_two) {
            let value = &highest - &Integer::ONE;
            self.wish(a, Wish::Exactly(-&value));
            self.wish(a, Wish::Exactly(value));
        }
        if let Some(length) = low.filter(|length| length.is_positive())
            && let Some(lowest) = power_of_two(&(length - &Integer::ONE))
        {
            self.wish(a, Wish::Exactly(-&lowest));
            self.wish(a, Wish::Exactly(&lowest + &Integer::ONE));
            self.wish(a, Wish::Exactly(lowest));
        }
    }

    pub(super) fn bit_count(&mut self, a: TermId, wish: &Wish) {
        let count = match wish {
            Wish::Exactly(count) | Wish::AtLeast(count) | Wish::AtMost(count) => count.clone(),
            Wish::Not(count) => count + &Integer::ONE,
            Wish::Truth(_) => return,
        };
        if let Some(beyond) = power_of_two(&count) {
            let value = &beyond - &Integer::ONE;
            self.wish(a, Wish::Exactly(-&value));
            self.wish(a, Wish::Exactly(value));
        }
    }
}

/// `2 ** exponent` for a reasonable exponent.
fn power_of_two(exponent: &Integer) -> Option<Integer> {
    let exponent = u32::try_from(exponent.to_i64()?).ok()?;
    (exponent <= 4096).then(|| Integer::power_of_two(exponent))
}

/// The lowest bit of the result that the operand can change.
fn lowest_bit(op: BinaryOp, mask: &Integer) -> Integer {
    let free = match op {
        BinaryOp::BitAnd => mask.clone(),
        BinaryOp::BitOr => mask.bit_not(),
        _ => Integer::ONE,
    };
    free.bit_and(&-&free)
}
