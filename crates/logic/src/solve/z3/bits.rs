//! `&` in integer arithmetic; `|` and `^` follow from it.
//!
//! With a constant mask every run of ones is a quotient and a remainder. Of two unknown numbers only
//! simple facts are told; the bit-vector layers know the rest.

use z3::ast::{Bool, Int};

use super::encode::{Draft, Operand};
use super::numeral;
use crate::integer::Integer;

/// Masks with more runs of ones are not taken apart.
const MAX_RUNS: usize = 6;

impl Draft {
    pub(super) fn bit_and(&mut self, a: &Operand<'_>, b: &Operand<'_>) -> Int {
        let masked = match (a.constant, b.constant) {
            (_, Some(mask)) => Some((a.image, mask)),
            (Some(mask), None) => Some((b.image, mask)),
            (None, None) => None,
        };
        let exact = masked.and_then(|(image, mask)| masked_exactly(image, mask));
        exact.unwrap_or_else(|| self.bit_and_facts(a, b))
    }

    fn bit_and_facts(&mut self, a: &Operand<'_>, b: &Operand<'_>) -> Int {
        self.approximate("a bit operation on unbounded numbers");
        let names = (a.term.min(b.term).index(), a.term.max(b.term).index());
        let both = Int::new_const(format!("and!{}!{}", names.0, names.1));
        let zero = Int::from_i64(0);
        for (one, other) in [(a.image, b.image), (b.image, a.image)] {
            let natural = one.ge(&zero);
            self.fact(natural.implies(Bool::and(&[both.ge(&zero), both.le(one)])));
            let negative = Bool::and(&[one.lt(&zero), other.lt(&zero)]);
            self.fact(negative.implies(both.le(one)));
            self.fact(one.eq(Int::from_i64(-1)).implies(both.eq(other)));
        }
        self.fact(a.image.eq(b.image).implies(both.eq(a.image)));
        let lowest = |image: &Int| image.modulo(Int::from_i64(2)).eq(Int::from_i64(1));
        let odd = Bool::and(&[lowest(a.image), lowest(b.image)]);
        self.fact(lowest(&both).iff(odd));
        both
    }
}

/// `image & mask` as a sum over the runs of ones in the mask.
fn masked_exactly(image: &Int, mask: &Integer) -> Option<Int> {
    if mask.is_negative() {
        let rest = masked_exactly(image, &mask.bit_not())?;
        return Some(Int::sub(&[image, &rest]));
    }
    let mut parts = vec![Int::from_i64(0)];
    for (start, length) in runs(mask)? {
        let low = numeral::to_z3(&Integer::power_of_two(start))?;
        let size = numeral::to_z3(&Integer::power_of_two(length))?;
        let shifted = if start == 0 {
            image.clone()
        } else {
            image.div(&low)
        };
        parts.push(Int::mul(&[shifted.modulo(size), low]));
    }
    Some(Int::add(&parts))
}

/// Start and length of each run of ones of a natural number.
fn runs(mask: &Integer) -> Option<Vec<(u32, u32)>> {
    let bits = u32::try_from(mask.bit_length()).ok()?;
    let mut found = Vec::new();
    let mut position = 0;
    while position < bits {
        if !mask.bit(position.into()) {
            position += 1;
            continue;
        }
        let start = position;
        while mask.bit(position.into()) {
            position += 1;
        }
        found.push((start, position - start));
        if found.len() > MAX_RUNS {
            return None;
        }
    }
    Some(found)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn runs_of_a_mask() {
        assert_eq!(
            runs(&Integer::from(0b1110_0110)),
            Some(vec![(1, 2), (5, 3)])
        );
        assert_eq!(runs(&Integer::ZERO), Some(vec![]));
        assert_eq!(runs(&Integer::from(0x5555_5555)), None);
    }
}
