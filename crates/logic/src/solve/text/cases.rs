//! Numbers that have one of a few values.
//!
//! Where a search ends or how long a slice is depends on units, but takes few values. Knowing under which condition
//! it takes which, sums and comparisons are settled here instead of by the solver, and slices stay few.

use std::rc::Rc;

use rustc_hash::FxHashMap;

use super::lower::Step;
use super::mirror::Cases;
use crate::evaluate;
use crate::integer::Integer;
use crate::term::{BinaryOp, Comparison, TermId, UnaryOp};

/// Numbers with more possible values are not followed case by case.
const MAX_CASES: usize = 96;

impl Step<'_> {
    /// The values of a number, if they are few and known.
    pub(super) fn cases(&mut self, number: TermId) -> Option<Cases> {
        if let Some(value) = self.mirror.pool.as_int(number).and_then(Integer::to_i64) {
            return Some(Rc::new([(self.mirror.pool.bool(true), value)]));
        }
        self.mirror.cases.get(&number).cloned()
    }

    /// Notes the values a number can have. Their conditions exclude each other and one holds.
    pub(super) fn remember(&mut self, number: TermId, cases: Vec<(TermId, i64)>) {
        let merged = self.merged(cases);
        if merged.len() <= MAX_CASES && self.mirror.pool.as_int(number).is_none() {
            self.mirror.cases.insert(number, merged.into());
        }
    }

    /// Cases of one value become one; impossible ones vanish.
    fn merged(&mut self, cases: Vec<(TermId, i64)>) -> Vec<(TermId, i64)> {
        let mut merged: Vec<(TermId, i64)> = Vec::with_capacity(cases.len());
        let mut places: FxHashMap<i64, usize> = FxHashMap::default();
        for (guard, value) in cases {
            if self.mirror.pool.as_bool(guard) == Some(false) {
                continue;
            }
            if let Some(&place) = places.get(&value) {
                merged[place].0 = self.mirror.pool.or(merged[place].0, guard);
            } else {
                places.insert(value, merged.len());
                merged.push((guard, value));
            }
        }
        merged
    }

    /// The number that has these values under these conditions.
    pub(super) fn number(&mut self, cases: Vec<(TermId, i64)>) -> TermId {
        let cases = self.merged(cases);
        let choices: Vec<(TermId, TermId)> = cases
            .iter()
            .map(|&(guard, value)| (guard, self.mirror.pool.small(value)))
            .collect();
        let number = self.select(&choices);
        self.remember(number, cases);
        number
    }

    /// The term whose condition holds; one of them does.
    pub(super) fn select(&mut self, choices: &[(TermId, TermId)]) -> TermId {
        let Some((&(_, last), others)) = choices.split_last() else {
            return self.mirror.pool.small(0);
        };
        others.iter().rev().fold(last, |rest, &(guard, term)| {
            self.mirror.pool.ite(guard, term, rest)
        })
    }

    /// Whether one of the conditions holds together with its term.
    pub(super) fn any(&mut self, choices: &[(TermId, TermId)]) -> TermId {
        let mut any = self.mirror.pool.bool(false);
        for &(guard, term) in choices {
            let here = self.mirror.pool.and(guard, term);
            any = self.mirror.pool.or(any, here);
        }
        any
    }

    /// A comparison, case by case where the cases of both sides are known.
    pub(super) fn compare(&mut self, op: Comparison, a: TermId, b: TermId) -> TermId {
        let known = self.mirror.cases.contains_key(&a) || self.mirror.cases.contains_key(&b);
        let (Some(left), Some(right), true) = (self.cases(a), self.cases(b), known) else {
            return self.mirror.pool.compare(op, a, b);
        };
        if left.len() * right.len() > MAX_CASES * 4 {
            return self.mirror.pool.compare(op, a, b);
        }
        let mut holds = self.mirror.pool.bool(false);
        for &(first, x) in left.iter() {
            for &(second, y) in right.iter() {
                let relates = match op {
                    Comparison::Eq => x == y,
                    Comparison::Lt => x < y,
                    Comparison::Le => x <= y,
                };
                if relates {
                    let both = self.mirror.pool.and(first, second);
                    holds = self.mirror.pool.or(holds, both);
                }
            }
        }
        holds
    }

    pub(super) fn unary(&mut self, op: UnaryOp, a: TermId) -> TermId {
        let image = self.mirror.pool.unary(op, a);
        if let Some(cases) = self.mirror.cases.get(&a).cloned() {
            let results: Option<Vec<(TermId, i64)>> = cases
                .iter()
                .map(|&(guard, value)| {
                    let value = evaluate::unary(op, &Integer::Small(value)).to_i64()?;
                    Some((guard, value))
                })
                .collect();
            if let Some(results) = results {
                self.remember(image, results);
            }
        }
        image
    }

    pub(super) fn binary(&mut self, op: BinaryOp, a: TermId, b: TermId) -> TermId {
        let image = self.mirror.pool.binary(op, a, b);
        let known = self.mirror.cases.contains_key(&a) || self.mirror.cases.contains_key(&b);
        if known && let Some(results) = self.binary_cases(op, a, b) {
            self.remember(image, results);
        }
        image
    }

    fn binary_cases(&mut self, op: BinaryOp, a: TermId, b: TermId) -> Option<Vec<(TermId, i64)>> {
        let (left, right) = (self.cases(a)?, self.cases(b)?);
        if left.len() * right.len() > MAX_CASES {
            return None;
        }
        let mut results = Vec::new();
        for &(first, x) in left.iter() {
            for &(second, y) in right.iter() {
                let value = evaluate::binary(op, &Integer::Small(x), &Integer::Small(y));
                let guard = self.mirror.pool.and(first, second);
                results.push((guard, value.ok()?.to_i64()?));
            }
        }
        Some(results)
    }
}
