//! Remembers answers.
//!
//! Different paths often lead to the same question once unrelated constraints are gone. The key is
//! the exact set of constraints; answers that depend on the budget are never kept, so a query that
//! ran out of time is asked again.

use rustc_hash::FxHashMap;

use crate::pool::TermPool;
use crate::solve::{Answer, Budget, LayerStatistics, Query, Solver, start_from};
use crate::term::{TermId, VarId};
use crate::value::Value;

/// Answers kept per generation. When one is full, the older of two is dropped.
const GENERATION: usize = 4096;

/// A definite answer, reduced to the variables it is about.
#[derive(Clone)]
enum Known {
    Sat(Box<[(VarId, Value)]>),
    Unsat,
}

/// Looks up the set of constraints before asking further.
pub(super) struct AnswerCache {
    key: Vec<TermId>,
    young: FxHashMap<Box<[TermId]>, Known>,
    old: FxHashMap<Box<[TermId]>, Known>,
    statistics: LayerStatistics,
    next: Box<dyn Solver>,
}

impl AnswerCache {
    pub(super) fn new(next: Box<dyn Solver>) -> Self {
        AnswerCache {
            key: Vec::new(),
            young: FxHashMap::default(),
            old: FxHashMap::default(),
            statistics: LayerStatistics::new("answer cache"),
            next,
        }
    }

    fn set_key(&mut self, query: &Query<'_>) {
        self.key.clear();
        self.key.extend_from_slice(query.path);
        self.key.push(query.goal);
        self.key.sort_unstable();
        self.key.dedup();
    }

    fn look_up(&mut self) -> Option<Known> {
        let key = self.key.as_slice();
        if let Some(known) = self.young.get(key) {
            return Some(known.clone());
        }
        let (key, known) = self.old.remove_entry(key)?;
        self.keep(key, known.clone());
        Some(known)
    }

    fn keep(&mut self, key: Box<[TermId]>, known: Known) {
        if self.young.len() >= GENERATION {
            self.old = std::mem::take(&mut self.young);
        }
        self.young.insert(key, known);
    }
}

/// The part of an answer that does not depend on hint or budget.
fn essence(pool: &TermPool, key: &[TermId], answer: &Answer) -> Option<Known> {
    match answer {
        Answer::Sat(model) => {
            let mut variables = crate::variables::VarSet::new();
            for &term in key {
                variables.extend(pool.vars(term));
            }
            let values = variables
                .iter()
                .map(|variable| (variable, model.value_of(pool, variable)));
            Some(Known::Sat(values.collect()))
        }
        Answer::Unsat => Some(Known::Unsat),
        Answer::Unknown(_) => None,
    }
}

impl Solver for AnswerCache {
    fn solve(&mut self, pool: &mut TermPool, query: &Query<'_>, budget: &Budget) -> Answer {
        self.statistics.asked += 1;
        self.set_key(query);
        match self.look_up() {
            Some(Known::Unsat) => {
                self.statistics.unsat += 1;
                return Answer::Unsat;
            }
            Some(Known::Sat(values)) => {
                self.statistics.sat += 1;
                let mut model = start_from(pool, query.hint);
                for (variable, value) in values {
                    model.set(variable, value);
                }
                return Answer::Sat(model);
            }
            None => {}
        }
        let answer = self.next.solve(pool, query, budget);
        if let Some(known) = essence(pool, &self.key, &answer) {
            let key = self.key.clone().into_boxed_slice();
            self.keep(key, known);
        }
        answer
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
    use crate::solve::UnknownReason;
    use crate::solve::scripted::Scripted;
    use crate::term::Sort;
    use crate::value::Model;

    fn setting() -> (TermPool, [TermId; 3]) {
        let mut pool = TermPool::new();
        let (x, y) = (pool.variable("x", Sort::Int), pool.variable("y", Sort::Int));
        let zero = pool.small(0);
        let terms = [pool.gt(x, zero), pool.gt(y, zero), pool.lt(x, y)];
        (pool, terms)
    }

    #[test]
    fn the_order_of_constraints_does_not_matter() {
        let (mut pool, [a, b, goal]) = setting();
        let hint = Model::new();
        let mut layer = AnswerCache::new(Box::new(Scripted::new([Answer::Unsat])));
        for path in [[a, b], [b, a]] {
            let query = Query {
                path: &path,
                goal,
                hint: &hint,
            };
            assert_eq!(
                layer.solve(&mut pool, &query, &Budget::default()),
                Answer::Unsat
            );
        }
    }

    #[test]
    fn timeout_is_asked_again() {
        let (mut pool, [a, _, goal]) = setting();
        let hint = Model::new();
        let unknown = Answer::Unknown(UnknownReason::Budget);
        let found = Answer::Sat(Model::new());
        let script = Scripted::new([unknown.clone(), found.clone()]);
        let mut layer = AnswerCache::new(Box::new(script));
        let query = Query {
            path: &[a],
            goal,
            hint: &hint,
        };
        assert_eq!(layer.solve(&mut pool, &query, &Budget::default()), unknown);
        assert_eq!(layer.solve(&mut pool, &query, &Budget::default()), found);
    }

    #[test]
    fn other_variables_keep_the_value_of_the_new_hint() {
        let (mut pool, [a, _, _]) = setting();
        let other = pool.variable("z", Sort::Int);
        let z = pool.vars(other).iter().next().unwrap();
        let x = pool.vars(a).iter().next().unwrap();
        let model = Model::from_iter([(x, Value::from(1)), (z, Value::from(5))]);
        let mut layer = AnswerCache::new(Box::new(Scripted::new([Answer::Sat(model.clone())])));
        let first = Query {
            path: &[],
            goal: a,
            hint: &model,
        };
        layer.solve(&mut pool, &first, &Budget::default());
        let hint = Model::from_iter([(z, Value::from(9))]);
        let again = Query {
            path: &[],
            goal: a,
            hint: &hint,
        };
        let Answer::Sat(answer) = layer.solve(&mut pool, &again, &Budget::default()) else {
            panic!("the answer was not kept");
        };
        assert_eq!(answer.get(x), Some(&Value::from(1)));
        assert_eq!(answer.get(z), Some(&Value::from(9)));
    }
}
