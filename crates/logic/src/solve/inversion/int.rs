//! Undoing arithmetic.

use num_traits::Signed;

use super::{Question, Wish};
use crate::integer::Integer;
use crate::term::TermId;

impl Question<'_> {
    pub(super) fn absolute(&mut self, a: TermId, wish: &Wish) {
        match wish {
            Wish::Exactly(value) | Wish::AtMost(value) if value.is_negative() => {}
            Wish::Exactly(value) | Wish::AtMost(value) => {
                self.wish(a, Wish::Exactly(-value));
                self.wish(a, Wish::Exactly(value.clone()));
            }
            Wish::AtLeast(value) => {
                self.wish(a, Wish::AtMost(-value));
                self.wish(a, Wish::AtLeast(value.clone()));
            }
            Wish::Not(value) => self.wish(a, Wish::AtLeast(value + &Integer::ONE)),
            Wish::Truth(_) => {}
        }
    }

    pub(super) fn sum(&mut self, a: TermId, b: TermId, wish: &Wish) {
        if let Some(left) = self.number(a) {
            self.wish(b, wish.map(|value| value - &left));
        }
        if let Some(right) = self.number(b) {
            self.wish(a, wish.map(|value| value - &right));
        }
    }

    pub(super) fn difference(&mut self, a: TermId, b: TermId, wish: &Wish) {
        if let Some(left) = self.number(a) {
            self.wish(b, wish.map(|value| value - &left).negated());
        }
        if let Some(right) = self.number(b) {
            self.wish(a, wish.map(|value| value + &right));
        }
    }

    pub(super) fn product(&mut self, a: TermId, b: TermId, wish: &Wish) {
        if a == b {
            self.root(a, 2, wish);
            return;
        }
        for (operand, other) in [(b, a), (a, b)] {
            if let Some(factor) = self.number(other)
                && let Some(wish) = divided(wish, &factor)
            {
                self.wish(operand, wish);
            }
        }
    }

    pub(super) fn quotient(&mut self, a: TermId, b: TermId, wish: &Wish) {
        let (Some(dividend), Some(divisor)) = (self.number(a), self.number(b)) else {
            return;
        };
        if let (Wish::Exactly(value), true) = (wish, self.mentions(b)) {
            if value.is_zero() {
                let beyond = if dividend.is_negative() { -1 } else { 1 };
                self.wish(b, Wish::Exactly(&dividend + &Integer::Small(beyond)));
            } else {
                for divisor in [dividend.ceil_div(value), dividend.floor_div(value)] {
                    self.wish_some(b, divisor.map(Wish::Exactly));
                }
            }
        }
        if !divisor.is_zero() {
            self.quotient_by(a, &dividend, &divisor, wish);
        }
    }

    /// `a // divisor` as wished, where `a` is `dividend` now.
    pub(super) fn quotient_by(
        &mut self,
        a: TermId,
        dividend: &Integer,
        divisor: &Integer,
        wish: &Wish,
    ) {
        let first = |quotient: &Integer| quotient * divisor;
        // The last dividend of a quotient lies one short of the first of the next.
        let last = |quotient: &Integer| {
            let step = if divisor.is_negative() { 1 } else { -1 };
            &(&(quotient + &Integer::ONE) * divisor) + &Integer::Small(step)
        };
        let upwards = divisor.is_positive();
        match wish {
            Wish::Exactly(value) => {
                let (start, end) = (first(value), last(value));
                let (low, high) = if upwards { (start, end) } else { (end, start) };
                let nearest = dividend.clone().clamp(low.clone(), high.clone());
                for candidate in [high, low, nearest] {
                    self.wish(a, Wish::Exactly(candidate));
                }
            }
            Wish::AtLeast(value) if upwards => self.wish(a, Wish::AtLeast(first(value))),
            Wish::AtLeast(value) => self.wish(a, Wish::AtMost(first(value))),
            Wish::AtMost(value) if upwards => self.wish(a, Wish::AtMost(last(value))),
            Wish::AtMost(value) => self.wish(a, Wish::AtLeast(last(value))),
            Wish::Not(value) => {
                let before = value - &Integer::ONE;
                let after = value + &Integer::ONE;
                self.wish(a, Wish::Exactly(last(&before)));
                self.wish(a, Wish::Exactly(first(&after)));
            }
            Wish::Truth(_) => {}
        }
    }

    pub(super) fn remainder(&mut self, a: TermId, b: TermId, wish: &Wish) {
        let (Some(dividend), Some(divisor)) = (self.number(a), self.number(b)) else {
            return;
        };
        let (Some(current), false) = (dividend.floor_mod(&divisor), divisor.is_zero()) else {
            return;
        };
        let wanted = match wish {
            Wish::Exactly(value) | Wish::AtLeast(value) | Wish::AtMost(value) => value.clone(),
            Wish::Not(value) => {
                let next = value + &Integer::ONE;
                next.floor_mod(&divisor).unwrap_or(next)
            }
            Wish::Truth(_) => return,
        };
        if self.mentions(b) {
            self.wish(b, Wish::Exactly(&dividend - &wanted));
        }
        if wanted.floor_mod(&divisor).as_ref() != Some(&wanted) {
            return;
        }
        let near = &dividend + &(&wanted - &current);
        self.wish(a, Wish::Exactly(&near + &divisor));
        self.wish(a, Wish::Exactly(&near - &divisor));
        self.wish(a, Wish::Exactly(wanted));
        self.wish(a, Wish::Exactly(near));
    }

    pub(super) fn power(&mut self, a: TermId, b: TermId, wish: &Wish) {
        let (Some(base), Some(exponent)) = (self.number(a), self.number(b)) else {
            return;
        };
        if self.mentions(b) && base.abs() > Integer::ONE {
            self.logarithm(b, &base.abs(), wish);
        }
        if let Some(degree) = exponent
            .to_i64()
            .and_then(|degree| u32::try_from(degree).ok())
            && (1..=512).contains(&degree)
        {
            self.root(a, degree, wish);
        }
    }

    /// `a ** degree` as wished.
    fn root(&mut self, a: TermId, degree: u32, wish: &Wish) {
        let even = degree.is_multiple_of(2);
        match wish {
            Wish::Exactly(value) => {
                let Some(root) = floor_root(value, degree) else {
                    return;
                };
                if even {
                    self.wish(a, Wish::Exactly(-&root));
                }
                self.wish(a, Wish::Exactly(root));
            }
            Wish::AtLeast(value) => {
                let below = value - &Integer::ONE;
                let Some(root) = floor_root(&below, degree) else {
                    return;
                };
                let next = &root + &Integer::ONE;
                if even {
                    self.wish(a, Wish::AtMost(-&next));
                }
                self.wish(a, Wish::AtLeast(next));
            }
            Wish::AtMost(value) => {
                let Some(root) = floor_root(value, degree) else {
                    return;
                };
                self.wish(a, Wish::AtMost(root));
            }
            Wish::Not(_) => {
                self.wish(a, Wish::Exactly(Integer::ZERO));
                self.wish(a, Wish::Exactly(Integer::Small(2)));
            }
            Wish::Truth(_) => {}
        }
    }

    /// `base ** b` as wished.
    pub(super) fn logarithm(&mut self, b: TermId, base: &Integer, wish: &Wish) {
        let (Wish::Exactly(value) | Wish::AtLeast(value) | Wish::AtMost(value) | Wish::Not(value)) =
            wish
        else {
            return;
        };
        let (mut exponent, mut power) = (0_i64, Integer::ONE);
        while power < *value && exponent < 4096 {
            power = &power * base;
            exponent += 1;
        }
        let reached = Wish::Exactly(Integer::Small(exponent));
        match wish {
            Wish::Exactly(_) if power != *value => {}
            Wish::AtMost(_) if power > *value => {
                self.wish(b, Wish::Exactly(Integer::Small(exponent - 1)));
            }
            Wish::Not(_) => self.wish(b, Wish::Exactly(Integer::Small(exponent + 1))),
            Wish::Exactly(_) | Wish::AtLeast(_) | Wish::AtMost(_) => self.wish(b, reached),
            Wish::Truth(_) => {}
        }
    }

    pub(super) fn mentions(&self, term: TermId) -> bool {
        self.pool.vars(term).contains(self.variable)
    }

    pub(super) fn wish_some(&mut self, term: TermId, wish: Option<Wish>) {
        if let Some(wish) = wish {
            self.wish(term, wish);
        }
    }
}

/// The wish for `x` that a wish for `x * factor` amounts to.
fn divided(wish: &Wish, factor: &Integer) -> Option<Wish> {
    let exact = |value: &Integer| value.floor_mod(factor).is_some_and(|rest| rest.is_zero());
    let upwards = factor.is_positive();
    Some(match wish {
        Wish::Exactly(value) if exact(value) => Wish::Exactly(value.floor_div(factor)?),
        Wish::Not(value) if exact(value) => Wish::Not(value.floor_div(factor)?),
        Wish::AtLeast(value) if upwards => Wish::AtLeast(value.ceil_div(factor)?),
        Wish::AtLeast(value) => Wish::AtMost(value.floor_div(factor)?),
        Wish::AtMost(value) if upwards => Wish::AtMost(value.floor_div(factor)?),
        Wish::AtMost(value) => Wish::AtLeast(value.ceil_div(factor)?),
        Wish::Exactly(_) | Wish::Not(_) | Wish::Truth(_) => return None,
    })
}

/// The largest `r` with `r ** degree <= value`, if there is one.
fn floor_root(value: &Integer, degree: u32) -> Option<Integer> {
    let value = value.to_bigint();
    if !value.is_negative() {
        return Some(Integer::from(value.nth_root(degree)));
    }
    if degree.is_multiple_of(2) {
        return None;
    }
    let root = value.nth_root(degree);
    let exact = root.pow(degree) == value;
    Some(Integer::from(if exact { root } else { root - 1 }))
}
