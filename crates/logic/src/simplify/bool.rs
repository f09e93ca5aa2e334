//! Constructors of truth terms: connectives and the conditional.

use crate::integer::Integer;
use crate::pool::TermPool;
use crate::term::{Comparison, Sort, Term, TermId};

impl TermPool {
    /// `not operand`; a double negation or a negated order never enters the pool.
    pub fn not(&mut self, operand: TermId) -> TermId {
        match *self.get(operand) {
            Term::Bool(value) => self.bool(!value),
            Term::Not(inner) => inner,
            Term::Compare(Comparison::Lt, a, b) => self.intern(Term::Compare(Comparison::Le, b, a)),
            Term::Compare(Comparison::Le, a, b) => self.intern(Term::Compare(Comparison::Lt, b, a)),
            Term::Var(_)
            | Term::Compare(Comparison::Eq, ..)
            | Term::And(..)
            | Term::Or(..)
            | Term::Iff(..)
            | Term::Ite(..)
            | Term::Int(_)
            | Term::FromBool(_)
            | Term::Unary(..)
            | Term::Binary(..)
            | Term::Text(_)
            | Term::Float(_)
            | Term::Apply(..) => self.intern(Term::Not(operand)),
        }
    }

    /// `left and right`
    pub fn and(&mut self, left: TermId, right: TermId) -> TermId {
        match (self.as_bool(left), self.as_bool(right)) {
            (Some(true), _) => right,
            (_, Some(true)) => left,
            (Some(false), _) | (_, Some(false)) => self.bool(false),
            (None, None) if left == right => left,
            (None, None) if self.are_opposite(left, right) => self.bool(false),
            (None, None) => self.intern(Term::And(left.min(right), left.max(right))),
        }
    }

    /// `left or right`
    pub fn or(&mut self, left: TermId, right: TermId) -> TermId {
        match (self.as_bool(left), self.as_bool(right)) {
            (Some(false), _) => right,
            (_, Some(false)) => left,
            (Some(true), _) | (_, Some(true)) => self.bool(true),
            (None, None) if left == right => left,
            (None, None) if self.are_opposite(left, right) => self.bool(true),
            (None, None) => self.intern(Term::Or(left.min(right), left.max(right))),
        }
    }

    /// `left == right` of two truth terms
    pub fn iff(&mut self, left: TermId, right: TermId) -> TermId {
        match (self.as_bool(left), self.as_bool(right)) {
            (Some(true), _) => right,
            (_, Some(true)) => left,
            (Some(false), _) => self.not(right),
            (_, Some(false)) => self.not(left),
            (None, None) if left == right => self.bool(true),
            (None, None) if self.are_opposite(left, right) => self.bool(false),
            (None, None) => self.intern(Term::Iff(left.min(right), left.max(right))),
        }
    }

    /// `chosen if condition else other`; both branches have the same sort.
    pub fn ite(&mut self, condition: TermId, chosen: TermId, other: TermId) -> TermId {
        debug_assert_eq!(self.sort(chosen), self.sort(other), "branches of one sort");
        if let Term::Not(inner) = *self.get(condition) {
            return self.ite(inner, other, chosen);
        }
        match self.as_bool(condition) {
            Some(true) => return chosen,
            Some(false) => return other,
            None if chosen == other => return chosen,
            None => {}
        }
        match self.sort(chosen) {
            Sort::Bool => self.ite_of_truths(condition, chosen, other),
            Sort::Int => self.ite_of_integers(condition, chosen, other),
            Sort::Str | Sort::Bytes | Sort::Float => {
                self.intern(Term::Ite(condition, chosen, other))
            }
        }
    }

    fn ite_of_truths(&mut self, condition: TermId, chosen: TermId, other: TermId) -> TermId {
        match (self.as_bool(chosen), self.as_bool(other)) {
            (Some(true), _) => self.or(condition, other),
            (_, Some(false)) => self.and(condition, chosen),
            (Some(false), _) => {
                let negated = self.not(condition);
                self.and(negated, other)
            }
            (_, Some(true)) => {
                let negated = self.not(condition);
                self.or(negated, chosen)
            }
            (None, None) => self.intern(Term::Ite(condition, chosen, other)),
        }
    }

    fn ite_of_integers(&mut self, condition: TermId, chosen: TermId, other: TermId) -> TermId {
        match (self.as_int(chosen), self.as_int(other)) {
            (Some(Integer::Small(1)), Some(Integer::Small(0))) => self.from_bool(condition),
            (Some(Integer::Small(0)), Some(Integer::Small(1))) => {
                let negated = self.not(condition);
                self.from_bool(negated)
            }
            _ => self.intern(Term::Ite(condition, chosen, other)),
        }
    }

    /// `int(operand)` of a truth term
    pub fn from_bool(&mut self, operand: TermId) -> TermId {
        match self.as_bool(operand) {
            Some(value) => self.small(i64::from(value)),
            None => self.intern(Term::FromBool(operand)),
        }
    }

    /// Whether one term is plainly the negation of the other.
    pub(crate) fn are_opposite(&self, left: TermId, right: TermId) -> bool {
        match (self.get(left), self.get(right)) {
            (Term::Not(inner), _) if *inner == right => true,
            (_, Term::Not(inner)) if *inner == left => true,
            (Term::Compare(Comparison::Lt, a, b), Term::Compare(Comparison::Le, c, d))
            | (Term::Compare(Comparison::Le, a, b), Term::Compare(Comparison::Lt, c, d)) => {
                a == d && b == c
            }
            _ => false,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn two_bools() -> (TermPool, TermId, TermId) {
        let mut pool = TermPool::new();
        let a = pool.variable("a", Sort::Bool);
        let b = pool.variable("b", Sort::Bool);
        (pool, a, b)
    }

    #[test]
    fn double_negation_vanishes() {
        let (mut pool, a, _) = two_bools();
        let negated = pool.not(a);
        assert_eq!(pool.not(negated), a);
    }

    #[test]
    fn negating_an_order_flips_it_back_and_forth() {
        let mut pool = TermPool::new();
        let (x, y) = (pool.variable("x", Sort::Int), pool.variable("y", Sort::Int));
        let less = pool.lt(x, y);
        let negated = pool.not(less);
        assert_eq!(negated, pool.le(y, x));
        assert_eq!(pool.not(negated), less);
    }

    #[test]
    fn opposites_decide_connectives() {
        let (mut pool, a, _) = two_bools();
        let negated = pool.not(a);
        let (both, either, same) = (
            pool.and(a, negated),
            pool.or(a, negated),
            pool.iff(a, negated),
        );
        assert_eq!(pool.as_bool(both), Some(false));
        assert_eq!(pool.as_bool(either), Some(true));
        assert_eq!(pool.as_bool(same), Some(false));
    }

    #[test]
    fn conditional_of_constants_is_a_connective() {
        let (mut pool, a, b) = two_bools();
        let (yes, no) = (pool.bool(true), pool.bool(false));
        assert_eq!(pool.ite(a, yes, b), pool.or(a, b));
        assert_eq!(pool.ite(a, b, no), pool.and(a, b));
        let (one, zero) = (pool.small(1), pool.small(0));
        assert_eq!(pool.ite(a, one, zero), pool.from_bool(a));
    }
}
