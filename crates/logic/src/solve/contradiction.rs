//! Refutes goals that contradict a single constraint in plain sight.
//!
//! Loops and repeated conditions ask for the opposite of what the path already says; finding that
//! needs no arithmetic, only a look at the constraints about the same term.

use crate::integer::Integer;
use crate::pool::TermPool;
use crate::solve::{Answer, Budget, LayerStatistics, Query, Solver};
use crate::term::{Comparison, Term, TermId};

/// Compares the goal with each constraint.
pub(super) struct Contradiction {
    statistics: LayerStatistics,
    next: Box<dyn Solver>,
}

impl Contradiction {
    pub(super) fn new(next: Box<dyn Solver>) -> Self {
        Contradiction {
            statistics: LayerStatistics::new("contradiction"),
            next,
        }
    }
}

impl Solver for Contradiction {
    fn solve(&mut self, pool: &mut TermPool, query: &Query<'_>, budget: &Budget) -> Answer {
        self.statistics.asked += 1;
        let negated = pool.not(query.goal);
        if query.path.contains(&negated) || bounds_contradict(pool, query) {
            self.statistics.unsat += 1;
            return Answer::Unsat;
        }
        self.next.solve(pool, query, budget)
    }

    fn name(&self) -> &'static str {
        self.statistics.layer
    }

    fn statistics(&self, out: &mut Vec<LayerStatistics>) {
        out.push(self.statistics.clone());
        self.next.statistics(out);
    }
}

/// What one constraint says about one term.
struct Claim<'a> {
    subject: TermId,
    kind: ClaimKind<'a>,
}

enum ClaimKind<'a> {
    Equal(&'a Integer),
    Differs(&'a Integer),
    /// At least the bound, or above it if strict.
    Low(&'a Integer, Strict),
    /// At most the bound, or below it if strict.
    High(&'a Integer, Strict),
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Strict {
    Yes,
    No,
}

fn claim(pool: &TermPool, term: TermId) -> Option<Claim<'_>> {
    match *pool.get(term) {
        Term::Compare(Comparison::Eq, subject, c) => Some(Claim {
            subject,
            kind: ClaimKind::Equal(pool.as_int(c)?),
        }),
        Term::Compare(order, a, b) => {
            let strict = if order == Comparison::Lt {
                Strict::Yes
            } else {
                Strict::No
            };
            match (pool.as_int(a), pool.as_int(b)) {
                (Some(low), _) => Some(Claim {
                    subject: b,
                    kind: ClaimKind::Low(low, strict),
                }),
                (_, Some(high)) => Some(Claim {
                    subject: a,
                    kind: ClaimKind::High(high, strict),
                }),
                (None, None) => None,
            }
        }
        Term::Not(inner) => {
            let Term::Compare(Comparison::Eq, subject, c) = *pool.get(inner) else {
                return None;
            };
            Some(Claim {
                subject,
                kind: ClaimKind::Differs(pool.as_int(c)?),
            })
        }
        Term::Bool(_)
        | Term::Int(_)
        | Term::Var(_)
        | Term::And(..)
        | Term::Or(..)
        | Term::Iff(..)
        | Term::Ite(..)
        | Term::FromBool(_)
        | Term::Unary(..)
        | Term::Binary(..)
        | Term::Text(_)
        | Term::Float(_)
        | Term::Apply(..) => None,
    }
}

/// Whether what goal and path say about the goal's subject leaves no value.
fn bounds_contradict(pool: &TermPool, query: &Query<'_>) -> bool {
    let Some(goal) = claim(pool, query.goal) else {
        return false;
    };
    let mut range = Range::default();
    range.restrict(&goal.kind);
    let mut excluded = Vec::new();
    for claim in query.path.iter().filter_map(|&part| claim(pool, part)) {
        if claim.subject == goal.subject {
            match claim.kind {
                ClaimKind::Differs(value) => excluded.push(value.clone()),
                ClaimKind::Equal(_) | ClaimKind::Low(..) | ClaimKind::High(..) => {
                    range.restrict(&claim.kind);
                }
            }
        }
    }
    if let ClaimKind::Differs(value) = goal.kind {
        excluded.push(value.clone());
    }
    range.has_nothing_but(&excluded)
}

/// The values between two inclusive bounds, either of which may be missing.
#[derive(Default)]
struct Range {
    low: Option<Integer>,
    high: Option<Integer>,
}

impl Range {
    fn restrict(&mut self, claim: &ClaimKind<'_>) {
        match claim {
            ClaimKind::Equal(value) => {
                self.raise((*value).clone());
                self.lower((*value).clone());
            }
            ClaimKind::Low(bound, Strict::Yes) => self.raise(*bound + &Integer::ONE),
            ClaimKind::Low(bound, Strict::No) => self.raise((*bound).clone()),
            ClaimKind::High(bound, Strict::Yes) => self.lower(*bound - &Integer::ONE),
            ClaimKind::High(bound, Strict::No) => self.lower((*bound).clone()),
            ClaimKind::Differs(_) => {}
        }
    }

    fn raise(&mut self, bound: Integer) {
        if self.low.as_ref().is_none_or(|low| *low < bound) {
            self.low = Some(bound);
        }
    }

    fn lower(&mut self, bound: Integer) {
        if self.high.as_ref().is_none_or(|high| *high > bound) {
            self.high = Some(bound);
        }
    }

    /// Whether every value of the range is excluded.
    fn has_nothing_but(&self, excluded: &[Integer]) -> bool {
        let (Some(low), Some(high)) = (&self.low, &self.high) else {
            return false;
        };
        let mut free = low.clone();
        while free <= *high && excluded.contains(&free) {
            free = &free + &Integer::ONE;
        }
        free > *high
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::solve::scripted::Scripted;
    use crate::term::{BinaryOp, Sort};
    use crate::value::Model;

    fn refuted(pool: &mut TermPool, path: &[TermId], goal: TermId) -> bool {
        let mut layer = Contradiction::new(Box::new(Scripted::new([])));
        let query = Query {
            path,
            goal,
            hint: &Model::new(),
        };
        layer.solve(pool, &query, &Budget::default()) == Answer::Unsat
    }

    fn product(pool: &mut TermPool) -> TermId {
        let (x, y) = (pool.variable("x", Sort::Int), pool.variable("y", Sort::Int));
        pool.binary(BinaryOp::Mul, x, y)
    }

    #[test]
    fn the_opposite_of_a_constraint_is_refuted() {
        let mut pool = TermPool::new();
        let (a, b) = (
            pool.variable("a", Sort::Bool),
            pool.variable("b", Sort::Bool),
        );
        let either = pool.or(a, b);
        let neither = pool.not(either);
        assert!(refuted(&mut pool, &[either], neither));
        assert!(!refuted(&mut pool, &[either], a));
    }

    #[test]
    fn two_values_for_one_term_are_refuted() {
        let mut pool = TermPool::new();
        let term = product(&mut pool);
        let (three, four) = (pool.small(3), pool.small(4));
        let (is_three, is_four) = (pool.eq(term, three), pool.eq(term, four));
        assert!(refuted(&mut pool, &[is_three], is_four));
    }

    #[test]
    fn a_range_without_values_is_refuted() {
        let mut pool = TermPool::new();
        let term = product(&mut pool);
        let (three, five, four) = (pool.small(3), pool.small(5), pool.small(4));
        let (above, below, not_four) = (
            pool.gt(term, three),
            pool.lt(term, five),
            pool.ne(term, four),
        );
        assert!(refuted(&mut pool, &[above, below], not_four));
        assert!(!refuted(&mut pool, &[above], not_four));
        assert!(!refuted(&mut pool, &[above], below));
    }
}
