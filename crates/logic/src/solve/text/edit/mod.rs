//! Edits the hint instead of solving.
//!
//! The hint satisfies the path and misses the goal, mostly by little: a part that should be a digit
//! longer, a separator that is not there, a number that is too small. What a piece of text would have
//! to be for one constraint is worked out backwards ([`wish`]) and written into the input; constraints
//! this breaks are mended likewise, a few edits deep. Every edit is evaluated, so what is found is
//! true; nothing is ever proved here.

mod near;
mod numbers;
mod pieces;
mod wish;

use rustc_hash::FxHashSet;

use crate::evaluate::Evaluator;
use crate::pool::TermPool;
use crate::solve::start_from;
use crate::term::{TermId, VarId};
use crate::value::{Model, Value};

use near::Strange;
use wish::Wishes;

/// Edits of the goal that are tried before anything else is.
const MAX_AT_ONCE: usize = 8;
/// Edits that are made one after the other.
const MAX_EDITS: usize = 5;
/// Edits that break something are followed up if they are among the best of their kind.
const MAX_FOLLOWED: usize = 3;
/// Evaluation work per question.
const MAX_COST: u64 = 12_000;

/// One change of the model.
type Edit = (VarId, Value);

/// A search among edits of the hint.
struct Search<'a> {
    pool: &'a TermPool,
    evaluator: &'a mut Evaluator,
    /// In the order in which they are mended.
    constraints: &'a [TermId],
    wishes: Wishes<'a>,
    seen: FxHashSet<Edit>,
    /// The evaluation cost at which the search ends.
    limit: u64,
}

/// A model that is one edit of the first broken constraint away. Most questions ask for no more, and to try costs less
/// than to understand the whole path.
pub(super) fn at_once(
    pool: &TermPool,
    hint: &Model,
    constraints: &[TermId],
    evaluator: &mut Evaluator,
) -> Option<Model> {
    let mut search = Search::new(pool, constraints, evaluator);
    let mut model = start_from(pool, hint);
    let Some(broken) = search.first_broken(&model) else {
        return Some(model);
    };
    let candidates = search.wishes.edits(pool, search.evaluator, &model, broken);
    for (variable, value) in candidates.into_iter().take(MAX_AT_ONCE) {
        let before = model.value_of(pool, variable);
        model.set(variable, value);
        if search.first_broken(&model).is_none() {
            return Some(model);
        }
        model.set(variable, before);
    }
    None
}

/// A model near the hint that satisfies the constraints, if edits lead to one.
pub(super) fn edit(
    pool: &TermPool,
    hint: &Model,
    constraints: &[TermId],
    evaluator: &mut Evaluator,
) -> Option<Model> {
    let mut search = Search::new(pool, constraints, evaluator);
    let mut model = start_from(pool, hint);
    let mended = match search.damage(&model) {
        None => true,
        Some((_, broken)) => search.mend(&mut model, broken, 0),
    };
    mended.then_some(model)
}

impl<'a> Search<'a> {
    fn new(pool: &'a TermPool, constraints: &'a [TermId], evaluator: &'a mut Evaluator) -> Self {
        Search {
            pool,
            limit: evaluator.cost() + MAX_COST,
            evaluator,
            wishes: Wishes::new(Strange::new(pool, constraints)),
            constraints,
            seen: FxHashSet::default(),
        }
    }

    /// Changes the model so that everything holds; `broken` does not hold yet.
    fn mend(&mut self, model: &mut Model, broken: TermId, edits: usize) -> bool {
        let mut promising = Vec::new();
        let candidates = self.wishes.edits(self.pool, self.evaluator, model, broken);
        for (variable, value) in candidates {
            if self.evaluator.cost() > self.limit {
                return false;
            }
            if !self.seen.insert((variable, value.clone())) {
                continue;
            }
            let before = model.value_of(self.pool, variable);
            model.set(variable, value.clone());
            match self.damage(model) {
                None => return true,
                Some((count, next)) => {
                    // An edit that misses its own purpose is hardly worth another.
                    let damage = count + usize::from(next == broken);
                    promising.push((damage, promising.len(), variable, value, next));
                }
            }
            model.set(variable, before);
        }
        if edits + 1 >= MAX_EDITS {
            return false;
        }
        promising.sort_by_key(|&(damage, order, ..)| (damage, order));
        for (_, _, variable, value, next) in promising.into_iter().take(MAX_FOLLOWED) {
            let before = model.value_of(self.pool, variable);
            model.set(variable, value);
            if self.mend(model, next, edits + 1) {
                return true;
            }
            model.set(variable, before);
        }
        false
    }

    fn first_broken(&mut self, model: &Model) -> Option<TermId> {
        let (pool, evaluator) = (self.pool, &mut *self.evaluator);
        evaluator.forget();
        let mut constraints = self.constraints.iter().copied();
        constraints.find(|&part| !evaluator.holds_again(pool, model, part))
    }

    /// How many constraints do not hold, and the first of them.
    fn damage(&mut self, model: &Model) -> Option<(usize, TermId)> {
        let (pool, evaluator) = (self.pool, &mut *self.evaluator);
        evaluator.forget();
        let mut broken = self
            .constraints
            .iter()
            .copied()
            .filter(|&part| !evaluator.holds_again(pool, model, part));
        let first = broken.next()?;
        Some((1 + broken.count(), first))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::alphabet::CharClass;
    use crate::language::{Language, Pattern};
    use crate::operation::Operation as Op;
    use crate::term::{BinaryOp, Sort};
    use crate::text::{Text, TextKind};

    fn constraints(goal: TermId, path: &[TermId]) -> Vec<TermId> {
        [&[goal], path].concat()
    }

    /// The first field of `s`, the path that says it is a row of digits before a dot, and a hint.
    fn field(pool: &mut TermPool) -> Option<(TermId, Vec<TermId>, Model)> {
        let s = pool.variable("s", Sort::Str);
        let (dot, zero) = (pool.text(Text::str(".")), pool.small(0));
        let found = pool.apply(Op::Find, &[s, dot, zero]);
        let there = pool.le(zero, found);
        let field = pool.apply(Op::Slice, &[s, zero, found]);
        let digits = Language::new(Pattern::Repeat {
            body: Box::new(Pattern::Class(CharClass::new([(48, 57)]))),
            least: 1,
            most: None,
        })?;
        let digits = pool.intern_language(digits);
        let plain = pool.apply(Op::Matches(digits), &[field]);
        let mut hint = Model::new();
        let variable = pool.vars(s).iter().next()?;
        hint.set(variable, Text::str("0.x"));
        Some((field, vec![there, plain], hint))
    }

    fn edited(goal: impl Fn(&mut TermPool, TermId) -> TermId) -> Option<String> {
        let mut pool = TermPool::new();
        let (field, path, hint) = field(&mut pool)?;
        let goal = goal(&mut pool, field);
        let model = edit(
            &pool,
            &hint,
            &constraints(goal, &path),
            &mut Evaluator::new(),
        )?;
        let value = model.iter().next()?.1.to_string();
        Some(value)
    }

    #[test]
    fn a_number_is_written_where_it_is_read() {
        let shown = edited(|pool, field| {
            let (number, limit) = (pool.apply(Op::ToInt(10), &[field]), pool.small(256));
            pool.lt(limit, number)
        });
        assert_eq!(shown.as_deref(), Some("'257.x'"));
    }

    #[test]
    fn a_part_that_grows_stays_what_it_was() {
        let shown = edited(|pool, field| {
            let (length, limit) = (pool.apply(Op::Length, &[field]), pool.small(3));
            pool.lt(limit, length)
        });
        assert_eq!(shown.as_deref(), Some("'0000.x'"));
    }

    #[test]
    fn two_parts_may_be_longer_than_python_reads_as_numbers() {
        let shown = edited(|pool, field| {
            let rest = pool.variable("s", Sort::Str);
            let (field, rest) = (
                pool.apply(Op::Length, &[field]),
                pool.apply(Op::Length, &[rest]),
            );
            let (limit, both) = (pool.small(4300), pool.small(8601));
            let (long, longer) = (pool.lt(limit, field), pool.lt(both, rest));
            pool.and(long, longer)
        });
        assert!(shown.is_some_and(|text| text.len() > 8600));
    }

    #[test]
    fn what_one_edit_breaks_another_mends() {
        let shown = edited(|pool, field| {
            let (number, limit) = (pool.apply(Op::ToInt(10), &[field]), pool.small(9));
            let (length, three) = (pool.apply(Op::Length, &[field]), pool.small(3));
            let (large, wide) = (pool.lt(limit, number), pool.eq(length, three));
            pool.and(large, wide)
        });
        assert_eq!(shown.as_deref(), Some("'100.x'"));
    }

    /// What four characters become so that the number holds as wished.
    fn of_four(goal: impl Fn(&mut TermPool, TermId) -> TermId) -> Option<String> {
        let mut pool = TermPool::new();
        let s = pool.variable("s", Sort::Str);
        let (length, four) = (pool.apply(Op::Length, &[s]), pool.small(4));
        let path = [pool.eq(length, four)];
        let mut hint = Model::new();
        hint.set(pool.vars(s).iter().next()?, Text::str("abcd"));
        let goal = goal(&mut pool, s);
        let model = edit(
            &pool,
            &hint,
            &constraints(goal, &path),
            &mut Evaluator::new(),
        )?;
        Some(model.iter().next()?.1.to_string())
    }

    #[test]
    fn what_is_stripped_grows_at_the_cost_of_the_rest() {
        let shown = of_four(|pool, s| {
            let signs = pool.intern_class(CharClass::single('=' as u32));
            let (length, span) = (
                pool.apply(Op::Length, &[s]),
                pool.apply(Op::RSpan(signs), &[s]),
            );
            let (zero, one) = (pool.small(0), pool.small(1));
            let end = pool.binary(BinaryOp::Sub, length, span);
            let stripped = pool.apply(Op::Slice, &[s, zero, end]);
            let rest = pool.apply(Op::Length, &[stripped]);
            pool.eq(rest, one)
        });
        assert_eq!(shown.as_deref(), Some("'a==='"));
    }

    #[test]
    fn what_is_sought_is_changed_where_the_text_cannot_be() {
        let index = |pool: &mut TermPool, s: TermId| {
            let (alphabet, zero) = (pool.text(Text::str("abcdef")), pool.small(0));
            let unit = pool.apply(Op::At, &[s, zero]);
            let needle = pool.apply(Op::FromCode(TextKind::Str), &[unit]);
            pool.apply(Op::Find, &[alphabet, needle, zero])
        };
        let shown = of_four(|pool, s| {
            let (place, five) = (index(pool, s), pool.small(5));
            pool.eq(place, five)
        });
        assert_eq!(shown.as_deref(), Some("'fbcd'"));
        let shown = of_four(|pool, s| {
            let (place, zero) = (index(pool, s), pool.small(0));
            pool.lt(place, zero)
        });
        assert_eq!(shown.as_deref(), Some("'0bcd'"));
    }

    #[test]
    fn what_cannot_be_is_left_to_the_solvers() {
        let shown = edited(|pool, field| {
            let dot = pool.text(Text::str("."));
            pool.apply(Op::Contains, &[field, dot])
        });
        assert_eq!(shown, None);
    }
}
