//! Values worth trying for a variable of a query with floats.
//!
//! Branches of numeric code lie at the constants of the query, at their neighbours and at the values where
//! float arithmetic itself changes its manners. Plain values come first: the first that fits is what a
//! person gets to see.

use rustc_hash::FxHashSet;

use crate::float::Float;
use crate::integer::Integer;
use crate::pool::TermPool;
use crate::term::{Sort, Term, TermId};
use crate::value::Value;

/// Terms looked through for constants.
const MAX_TERMS: usize = 4_000;
/// Constants used.
const MAX_CONSTANTS: usize = 10;

/// Where float arithmetic changes its manners: integers cease to be exact, results overflow, underflow or
/// are absorbed.
const TURNING_POINTS: [f64; 14] = [
    1e16,
    1e-20,
    9_007_199_254_740_992.0,
    1e20,
    1e-10,
    1e100,
    1e-100,
    1e300,
    1e-300,
    f64::MAX,
    f64::MIN_POSITIVE,
    5e-324,
    9.223_372_036_854_775e18,
    1e155,
];

/// Candidates for each sort, plain ones first.
#[derive(Debug, Default)]
pub(super) struct Candidates {
    floats: Vec<Value>,
    integers: Vec<Value>,
    truths: Vec<Value>,
    /// Infinities and `nan`: tried when no number will do.
    exotic: Vec<Value>,
}

impl Candidates {
    /// Collects candidates for a query.
    pub(super) fn of(pool: &TermPool, constraints: &[TermId]) -> Self {
        let (mut floats, mut integers) = constants(pool, constraints);
        let whole: Vec<Integer> = floats
            .iter()
            .filter(|value| value.abs() < 1e300)
            .map(|value| Float::new(value.floor()).to_integer())
            .collect();
        floats.extend(
            integers
                .iter()
                .map(|value| Float::from_integer(value).get()),
        );
        integers.extend(whole);
        Candidates {
            floats: float_values(floats),
            integers: integer_values(&integers),
            truths: vec![Value::Bool(true), Value::Bool(false)],
            exotic: [f64::INFINITY, f64::NEG_INFINITY, f64::NAN]
                .map(|value| Value::Float(Float::new(value)))
                .to_vec(),
        }
    }

    /// The candidates for a variable of this sort.
    pub(super) fn for_sort(&self, sort: Sort) -> &[Value] {
        match sort {
            Sort::Float => &self.floats,
            Sort::Int => &self.integers,
            Sort::Bool => &self.truths,
            Sort::Str | Sort::Bytes => &[],
        }
    }

    /// What is left to try when no plain candidate fits.
    pub(super) fn exotic(&self, sort: Sort) -> &[Value] {
        match sort {
            Sort::Float => &self.exotic,
            Sort::Int | Sort::Bool | Sort::Str | Sort::Bytes => &[],
        }
    }
}

fn constants(pool: &TermPool, constraints: &[TermId]) -> (Vec<f64>, Vec<Integer>) {
    let mut seen: FxHashSet<TermId> = FxHashSet::default();
    // The goal comes last, and its constants matter most.
    let mut pending: Vec<TermId> = constraints.to_vec();
    let (mut floats, mut integers) = (Vec::new(), Vec::new());
    while let Some(term) = pending.pop() {
        if !seen.insert(term) || seen.len() > MAX_TERMS {
            continue;
        }
        match pool.get(term) {
            Term::Float(value) if floats.len() < MAX_CONSTANTS => {
                let value = value.get();
                if value.is_finite() && !floats.contains(&value) {
                    floats.push(value);
                }
            }
            Term::Int(value) if integers.len() < MAX_CONSTANTS && !integers.contains(value) => {
                integers.push(value.clone());
            }
            inner => pending.extend_from_slice(inner.children().as_slice()),
        }
    }
    (floats, integers)
}

fn float_values(mut constants: Vec<f64>) -> Vec<Value> {
    constants.truncate(MAX_CONSTANTS);
    let mut values = vec![0.0, 1.0, -1.0, 2.0, 0.5, 3.0, 1.5, -2.0, -0.5, 0.1, 10.0];
    for &c in &constants {
        values.extend([
            c,
            c + 1.0,
            c - 1.0,
            -c,
            c / 2.0,
            c * 2.0,
            c.floor(),
            c.ceil(),
        ]);
    }
    let mut sorted = constants.clone();
    sorted.sort_by(f64::total_cmp);
    for pair in sorted.windows(2) {
        values.push(pair[0] / 2.0 + pair[1] / 2.0);
    }
    for &c in &constants {
        values.extend([c.next_up(), c.next_down(), 1.0 / c, c * c]);
    }
    values.extend([-0.0, 100.0, -10.0, 0.2, 0.3, 7.0, 1000.0, 1e6]);
    values.extend(TURNING_POINTS);
    values.extend(TURNING_POINTS.map(|value| -value));
    let values = values.into_iter().filter(|value| value.is_finite());
    distinct(values.map(|value| Value::Float(Float::new(value))))
}

fn integer_values(constants: &[Integer]) -> Vec<Value> {
    let mut values: Vec<Integer> = [0, 1, -1, 2, 3, 4, 5, 7, 10, -2, -10, 100, 1000]
        .map(Integer::Small)
        .to_vec();
    for c in constants {
        let one = Integer::ONE;
        values.extend([c.clone(), c + &one, c - &one, -c, c + c]);
    }
    for exponent in [53, 54, 63, 64, 100, 1024] {
        let power = Integer::power_of_two(exponent);
        values.extend([&power + &Integer::ONE, -&power, power]);
    }
    distinct(values.into_iter().map(Value::Int))
}

fn distinct(values: impl Iterator<Item = Value>) -> Vec<Value> {
    let mut seen = FxHashSet::default();
    values.filter(|value| seen.insert(value.clone())).collect()
}
