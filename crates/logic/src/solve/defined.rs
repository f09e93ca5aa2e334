//! Says what partial operations leave unsaid.
//!
//! A constraint only holds if it has a value: `10 // x > 3` implies `x != 0`. To a solver, division
//! is total, so it is told. In a conditional only the chosen branch must have a value; behind `and` and
//! `or` an operation may go unevaluated and implies nothing.

use crate::pool::TermPool;
use crate::solve::independent::conjuncts;
use crate::solve::{Answer, Budget, LayerStatistics, Query, Solver};
use crate::term::{BinaryOp, Term, TermId};

/// Adds the conditions under which path and goal have values.
pub(super) struct Defined {
    path: Vec<TermId>,
    parts: Vec<TermId>,
    /// Terms that must have a value where the second term holds.
    pending: Vec<(TermId, TermId)>,
    next: Box<dyn Solver>,
}

impl Defined {
    pub(super) fn new(next: Box<dyn Solver>) -> Self {
        Defined {
            path: Vec::new(),
            parts: Vec::new(),
            pending: Vec::new(),
            next,
        }
    }

    /// Appends to `parts` what the truth of `constraint` implies about its operands.
    fn imply(&mut self, pool: &mut TermPool, constraint: TermId) {
        let always = pool.bool(true);
        self.pending.push((constraint, always));
        while let Some((term, guard)) = self.pending.pop() {
            if !pool.is_partial(term) {
                continue;
            }
            match *pool.get(term) {
                Term::Not(a) | Term::FromBool(a) | Term::Unary(_, a) => {
                    self.pending.push((a, guard));
                }
                Term::Iff(a, b) | Term::Compare(_, a, b) => {
                    self.pending.extend([(a, guard), (b, guard)]);
                }
                Term::Binary(op, a, b) => {
                    self.pending.extend([(a, guard), (b, guard)]);
                    self.operand(pool, op, b, guard);
                }
                Term::Ite(condition, chosen, other) => {
                    let negated = pool.not(condition);
                    let (if_true, if_false) =
                        (pool.and(guard, condition), pool.and(guard, negated));
                    self.pending
                        .extend([(condition, guard), (chosen, if_true), (other, if_false)]);
                }
                Term::Apply(_, ref operands) => {
                    self.pending
                        .extend(operands.iter().map(|&part| (part, guard)));
                }
                Term::And(..)
                | Term::Or(..)
                | Term::Bool(_)
                | Term::Int(_)
                | Term::Text(_)
                | Term::Float(_)
                | Term::Var(_) => {}
            }
        }
    }

    /// Where `guard` holds, `right` must be fit to be the right operand.
    fn operand(&mut self, pool: &mut TermPool, op: BinaryOp, right: TermId, guard: TermId) {
        let zero = pool.small(0);
        let fit = match op {
            BinaryOp::FloorDiv | BinaryOp::Mod => pool.ne(right, zero),
            BinaryOp::Pow | BinaryOp::Shl | BinaryOp::Shr => pool.ge(right, zero),
            BinaryOp::Add
            | BinaryOp::Sub
            | BinaryOp::Mul
            | BinaryOp::BitAnd
            | BinaryOp::BitOr
            | BinaryOp::BitXor => return,
        };
        let unguarded = pool.not(guard);
        let condition = pool.or(unguarded, fit);
        if pool.as_bool(condition) != Some(true) && !self.parts.contains(&condition) {
            self.parts.push(condition);
        }
    }

    fn goal(&mut self, pool: &mut TermPool, goal: TermId) -> TermId {
        self.parts.clear();
        let mut conditions = Vec::new();
        conjuncts(pool, goal, &mut conditions);
        for condition in conditions {
            self.imply(pool, condition);
        }
        self.parts
            .iter()
            .fold(goal, |goal, &part| pool.and(part, goal))
    }
}

impl Solver for Defined {
    fn solve(&mut self, pool: &mut TermPool, query: &Query<'_>, budget: &Budget) -> Answer {
        let partial_path = query.path.iter().any(|&part| pool.is_partial(part));
        if !partial_path && !pool.is_partial(query.goal) {
            return self.next.solve(pool, query, budget);
        }
        self.parts.clear();
        for &part in query.path {
            self.imply(pool, part);
        }
        self.path.clear();
        self.path.extend_from_slice(query.path);
        let missing = self.parts.iter().filter(|part| !query.path.contains(part));
        self.path.extend(missing);
        let goal = self.goal(pool, query.goal);
        let query = Query {
            path: &self.path,
            goal,
            hint: query.hint,
        };
        self.next.solve(pool, &query, budget)
    }

    fn name(&self) -> &'static str {
        "defined"
    }

    fn statistics(&self, out: &mut Vec<LayerStatistics>) {
        self.next.statistics(out);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::term::Sort;

    fn implied(build: impl FnOnce(&mut TermPool, TermId) -> TermId) -> (TermPool, Vec<TermId>) {
        let mut pool = TermPool::new();
        let x = pool.variable("x", Sort::Int);
        let term = build(&mut pool, x);
        let mut layer = Defined::new(Box::new(crate::solve::scripted::Scripted::new([])));
        layer.imply(&mut pool, term);
        let parts = layer.parts;
        (pool, parts)
    }

    #[test]
    fn a_quotient_implies_a_divisor() {
        let (mut pool, parts) = implied(|pool, x| {
            let ten = pool.small(10);
            let quotient = pool.binary(BinaryOp::FloorDiv, ten, x);
            pool.gt(quotient, ten)
        });
        let (x, zero) = (pool.variable("x", Sort::Int), pool.small(0));
        assert_eq!(parts, [pool.ne(x, zero)]);
    }

    #[test]
    fn a_branch_implies_its_divisor_only_where_it_is_chosen() {
        let (mut pool, parts) = implied(|pool, x| {
            let (ten, b) = (pool.small(10), pool.variable("b", Sort::Bool));
            let quotient = pool.binary(BinaryOp::FloorDiv, ten, x);
            let choice = pool.ite(b, quotient, x);
            pool.gt(choice, ten)
        });
        let (x, zero) = (pool.variable("x", Sort::Int), pool.small(0));
        let b = pool.variable("b", Sort::Bool);
        let (not_b, divisor) = (pool.not(b), pool.ne(x, zero));
        assert_eq!(parts, [pool.or(not_b, divisor)]);
    }

    #[test]
    fn nothing_is_implied_by_a_branch_that_may_not_be_taken() {
        let (_, parts) = implied(|pool, x| {
            let (ten, zero) = (pool.small(10), pool.small(0));
            let quotient = pool.binary(BinaryOp::FloorDiv, ten, x);
            let (large, none) = (pool.gt(quotient, ten), pool.eq(x, zero));
            pool.or(large, none)
        });
        assert_eq!(parts, []);
    }
}
