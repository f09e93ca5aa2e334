//! Asks only about the part of the path that shares variables with the goal.
//!
//! The rest of the path holds under the hint and stays true as long as its variables keep their
//! values, so it need not be solved again. Conjunctions are split first: the smaller the parts, the
//! fewer of them are connected.

mod groups;

use crate::evaluate::Evaluator;
use crate::pool::TermPool;
use crate::solve::{Answer, Budget, LayerStatistics, Query, Solver, start_from};
use crate::term::{Term, TermId};
use crate::variables::VarSet;

use groups::Groups;

/// Constraints from which on groups are worth their keeping.
const LONG: usize = 48;

/// Slices the path to the cone of influence of the goal.
pub(super) struct Independent {
    parts: Vec<TermId>,
    taken: Vec<bool>,
    slice: Vec<TermId>,
    cone: VarSet,
    groups: Groups,
    evaluator: Evaluator,
    statistics: LayerStatistics,
    next: Box<dyn Solver>,
}

impl Independent {
    pub(super) fn new(next: Box<dyn Solver>) -> Self {
        Independent {
            parts: Vec::new(),
            taken: Vec::new(),
            slice: Vec::new(),
            cone: VarSet::new(),
            groups: Groups::default(),
            evaluator: Evaluator::new(),
            statistics: LayerStatistics::new("independent parts"),
            next,
        }
    }

    /// Fills `slice` with the parts connected to the goal, in path order, each once.
    fn cut(&mut self, pool: &mut TermPool, query: &Query<'_>) {
        if query.path.len() >= LONG && self.groups.follow(pool, query.path) {
            self.groups.connected(pool, query.goal, &mut self.slice);
        } else {
            self.search(pool, query);
        }
    }

    /// Finds the parts by going through all of them, until no more are connected.
    fn search(&mut self, pool: &mut TermPool, query: &Query<'_>) {
        self.parts.clear();
        for &constraint in query.path {
            conjuncts(pool, constraint, &mut self.parts);
        }
        self.cone.clear();
        self.cone.extend(pool.vars(query.goal));
        self.taken.clear();
        self.taken.resize(self.parts.len(), false);
        // Alternating directions: chains of constraints are mostly met in one order or the other.
        while self.sweep(pool, 0..self.parts.len()) && self.sweep(pool, (0..self.parts.len()).rev())
        {
        }
        self.slice.clear();
        for (part, taken) in self.parts.iter().zip(&self.taken) {
            if *taken {
                self.slice.push(*part);
            }
        }
    }

    /// Takes every part that touches the cone; tells whether the cone grew.
    fn sweep(&mut self, pool: &TermPool, order: impl Iterator<Item = usize>) -> bool {
        let mut grew = false;
        for index in order {
            let vars = pool.vars(self.parts[index]);
            if !self.taken[index] && vars.intersects(&self.cone) {
                self.taken[index] = true;
                if !vars.is_subset(&self.cone) {
                    self.cone.extend(vars);
                    grew = true;
                }
            }
        }
        grew
    }
}

/// Splits a conjunction into its parts; parts that are plainly true vanish.
pub(super) fn conjuncts(pool: &mut TermPool, term: TermId, parts: &mut Vec<TermId>) {
    let start = parts.len();
    parts.push(term);
    let mut position = start;
    while position < parts.len() {
        let (first, second) = match *pool.get(parts[position]) {
            Term::And(a, b) => (a, b),
            Term::Not(inner) => {
                let Term::Or(a, b) = *pool.get(inner) else {
                    position += 1;
                    continue;
                };
                (pool.not(a), pool.not(b))
            }
            Term::Bool(true) => {
                parts.remove(position);
                continue;
            }
            Term::Bool(false)
            | Term::Int(_)
            | Term::Text(_)
            | Term::Float(_)
            | Term::Apply(..)
            | Term::Var(_)
            | Term::Or(..)
            | Term::Iff(..)
            | Term::Compare(..)
            | Term::Ite(..)
            | Term::FromBool(_)
            | Term::Unary(..)
            | Term::Binary(..) => {
                position += 1;
                continue;
            }
        };
        parts[position] = first;
        parts.push(second);
    }
}

impl Solver for Independent {
    fn solve(&mut self, pool: &mut TermPool, query: &Query<'_>, budget: &Budget) -> Answer {
        self.statistics.asked += 1;
        if pool.as_bool(query.goal) == Some(false) {
            self.statistics.unsat += 1;
            return Answer::Unsat;
        }
        if self.evaluator.holds(pool, query.hint, query.goal) {
            self.statistics.sat += 1;
            return Answer::Sat(start_from(pool, query.hint));
        }
        self.cut(pool, query);
        let part = Query {
            path: &self.slice,
            goal: query.goal,
            hint: query.hint,
        };
        self.next.solve(pool, &part, budget)
    }

    fn name(&self) -> &'static str {
        self.statistics.layer
    }

    fn statistics(&self, out: &mut Vec<LayerStatistics>) {
        out.push(self.statistics.clone());
        self.next.statistics(out);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::solve::scripted::Scripted;
    use crate::term::Sort;
    use crate::value::Model;

    fn slice_for(pool: &mut TermPool, path: &[TermId], goal: TermId) -> Vec<TermId> {
        let mut layer = Independent::new(Box::new(Scripted::new([])));
        layer.cut(
            pool,
            &Query {
                path,
                goal,
                hint: &Model::new(),
            },
        );
        layer.slice.clone()
    }

    fn variables<const N: usize>(pool: &mut TermPool) -> [TermId; N] {
        std::array::from_fn(|index| pool.variable(&format!("x{index}"), Sort::Int))
    }

    #[test]
    fn unrelated_constraints_stay_out() {
        let mut pool = TermPool::new();
        let [a, b, c] = variables(&mut pool);
        let zero = pool.small(0);
        let path = [pool.gt(a, zero), pool.gt(b, zero), pool.gt(c, zero)];
        let goal = pool.lt(b, zero);
        assert_eq!(slice_for(&mut pool, &path, goal), [path[1]]);
    }

    #[test]
    fn connections_are_followed_in_both_orders() {
        let mut pool = TermPool::new();
        let [a, b, c, d] = variables(&mut pool);
        let zero = pool.small(0);
        let path = [pool.le(a, b), pool.le(b, c), pool.le(zero, d)];
        let (forward, backward) = (pool.lt(a, zero), pool.lt(c, zero));
        assert_eq!(slice_for(&mut pool, &path, forward), path[..2]);
        assert_eq!(slice_for(&mut pool, &path, backward), path[..2]);
    }

    /// What two layers cut out of a growing path: one that keeps groups and one that starts anew.
    fn slices(pool: &mut TermPool, path: &[TermId], goals: &[TermId]) -> [Vec<Vec<TermId>>; 2] {
        let hint = Model::new();
        let mut layer = Independent::new(Box::new(Scripted::new([])));
        let (mut kept, mut anew) = (Vec::new(), Vec::new());
        for length in 0..=path.len() {
            for &goal in goals {
                let query = Query {
                    path: &path[..length],
                    goal,
                    hint: &hint,
                };
                layer.cut(pool, &query);
                kept.push(layer.slice.clone());
                let mut other = Independent::new(Box::new(Scripted::new([])));
                other.search(pool, &query);
                anew.push(other.slice.clone());
            }
        }
        [kept, anew]
    }

    #[test]
    fn groups_of_a_growing_path_are_what_a_search_finds() {
        let mut pool = TermPool::new();
        let variables: [TermId; 12] = variables(&mut pool);
        let zero = pool.small(0);
        let mut path = Vec::new();
        for step in 0..3 * LONG {
            let (a, b) = (variables[step * 7 % 12], variables[(step * step + 1) % 12]);
            let limit = pool.small(step as i64);
            let (low, order) = (pool.le(limit, a), pool.lt(a, b));
            path.push(match step % 29 {
                0 => pool.and(low, order),
                1..=27 => low,
                _ => order,
            });
        }
        let goals = [0, 5, 11].map(|index| pool.lt(variables[index], zero));
        let [kept, anew] = slices(&mut pool, &path, &goals);
        assert_eq!(kept, anew);
        path.reverse();
        let [kept, anew] = slices(&mut pool, &path, &goals);
        assert_eq!(kept, anew);
    }

    #[test]
    fn variables_that_came_later_have_groups() {
        let mut pool = TermPool::new();
        let [a, b] = variables(&mut pool);
        let zero = pool.small(0);
        let path: Vec<TermId> = (0..LONG as i64 + 2)
            .map(|step| {
                let limit = pool.small(step);
                pool.le(limit, a)
            })
            .collect();
        let goal = pool.lt(b, zero);
        let hint = Model::new();
        let mut layer = Independent::new(Box::new(Scripted::new([])));
        let mut cut = |pool: &mut TermPool, path: &[TermId], goal: TermId| {
            let hint = &hint;
            layer.cut(pool, &Query { path, goal, hint });
            layer.slice.clone()
        };
        cut(&mut pool, &path, goal);
        cut(&mut pool, &path, goal);
        let late = pool.variable("late", Sort::Int);
        let goal = pool.lt(late, zero);
        assert_eq!(cut(&mut pool, &path, goal), []);
        let longer = [&path[..], &[pool.le(late, b)]].concat();
        assert_eq!(cut(&mut pool, &longer, goal), longer[longer.len() - 1..]);
    }

    #[test]
    fn conjunctions_are_cut_apart() {
        let mut pool = TermPool::new();
        let [a, b] = variables(&mut pool);
        let zero = pool.small(0);
        let (left, right) = (pool.le(zero, a), pool.le(zero, b));
        let both = pool.and(left, right);
        let goal = pool.lt(a, zero);
        assert_eq!(slice_for(&mut pool, &[both], goal), [left]);
        let either = pool.or(left, right);
        let neither = pool.not(either);
        let negated = pool.not(right);
        let goal = pool.eq(b, zero);
        assert_eq!(slice_for(&mut pool, &[neither], goal), [negated]);
    }
}
