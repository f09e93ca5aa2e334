//! Refutes what equality alone excludes, whatever the text.
//!
//! A dictionary that is looked up with text asks which keys are equal. That `a == b`, `b == c` and `a != c` exclude
//! each other is seen here; with units it would have to be found out for every length.

use rustc_hash::FxHashMap;

use crate::operation::Operation;
use crate::pool::TermPool;
use crate::term::{Term, TermId};

/// Texts that are equal, each with one that stands for all of them.
#[derive(Default)]
struct Classes {
    parents: FxHashMap<TermId, TermId>,
}

impl Classes {
    fn representative(&self, mut text: TermId) -> TermId {
        while let Some(&parent) = self.parents.get(&text) {
            text = parent;
        }
        text
    }

    /// Constants stand for what equals them. Whether that makes different constants equal.
    fn merge(&mut self, pool: &TermPool, a: TermId, b: TermId) -> bool {
        let (a, b) = (self.representative(a), self.representative(b));
        if a == b {
            return false;
        }
        match (pool.as_text(a), pool.as_text(b)) {
            (Some(_), Some(_)) => return true,
            (Some(_), None) => self.parents.insert(b, a),
            (None, _) => self.parents.insert(a, b),
        };
        false
    }
}

/// Whether the equalities among the statements exclude one of them.
pub(super) fn refute(pool: &TermPool, parts: &[TermId]) -> bool {
    let mut classes = Classes::default();
    for &part in parts {
        if let Some((a, b)) = equality(pool, part)
            && classes.merge(pool, a, b)
        {
            return true;
        }
    }
    !classes.parents.is_empty()
        && parts.iter().any(|&part| match *pool.get(part) {
            Term::Not(inner) => equality(pool, inner)
                .is_some_and(|(a, b)| classes.representative(a) == classes.representative(b)),
            _ => false,
        })
}

fn equality(pool: &TermPool, term: TermId) -> Option<(TermId, TermId)> {
    match pool.get(term) {
        Term::Apply(Operation::TextEq, operands) => Some((operands[0], operands[1])),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::term::Sort;
    use crate::text::Text;

    #[test]
    fn what_equals_the_same_is_equal() {
        let mut pool = TermPool::new();
        let [a, b, c] = ["a", "b", "c"].map(|name| pool.variable(name, Sort::Str));
        let [ab, bc, ac] =
            [(a, b), (b, c), (a, c)].map(|(x, y)| pool.apply(Operation::TextEq, &[x, y]));
        let [not_ab, not_ac] = [pool.not(ab), pool.not(ac)];
        assert!(refute(&pool, &[ab, not_ac, bc]));
        assert!(refute(&pool, &[not_ab, ac, bc]));
        assert!(!refute(&pool, &[ab, not_ac]));
        assert!(!refute(&pool, &[ab, bc, ac]));
        assert!(!refute(&pool, &[not_ab, not_ac]));
    }

    #[test]
    fn different_constants_are_not_equal() {
        let mut pool = TermPool::new();
        let [a, b] = ["a", "b"].map(|name| pool.variable(name, Sort::Str));
        let [x, y] = ["x", "y"].map(|text| pool.text(Text::str(text)));
        let [ab, ax, by, bx] = [(a, b), (a, x), (b, y), (b, x)]
            .map(|(one, other)| pool.apply(Operation::TextEq, &[one, other]));
        let not_bx = pool.not(bx);
        assert!(refute(&pool, &[ab, ax, by]));
        assert!(refute(&pool, &[ax, ab, not_bx]));
        assert!(!refute(&pool, &[ax, by]));
        assert!(!refute(&pool, &[ab, ax, bx]));
    }
}
