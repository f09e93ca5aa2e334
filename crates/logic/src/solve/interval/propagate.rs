//! Narrows the ranges of all terms of a query until nothing changes.
//!
//! Forward, a term's range follows from its operands; backward, what is required of a term is
//! required of its operands. A range speaks about the value of a term *if it is defined*: nothing is
//! concluded from a division being possible, since the term may stand in a branch that is not taken.

use super::range::Range;
use crate::integer::Integer;
use crate::pool::TermPool;
use crate::solve::float::FloatRange;
use crate::term::{BinaryOp, Comparison, Sort, Term, TermId, UnaryOp, VarId};

/// Passes over all terms; loops like `x < y, y < x` would narrow for ever.
const MAX_ROUNDS: usize = 8;

/// Queries with more terms than this are left to the solver.
const MAX_TERMS: usize = 20_000;

/// What is known of a term.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Known {
    /// The truth value, if it is certain.
    Truth(Option<bool>),
    /// The bounds of a number, or of the length of a text.
    Number(Range),
    Float(FloatRange),
}

/// The constraints cannot all hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::solve) struct Contradiction;

type Narrowed = Result<(), Contradiction>;

/// What was known of all terms at some moment.
#[derive(Debug)]
pub(in crate::solve) struct Mark(Vec<Known>);

/// Ranges of the terms of one query; keeps its buffers between queries.
#[derive(Debug, Default)]
pub(in crate::solve) struct Propagation {
    /// The terms of the query, ascending: operands first.
    order: Vec<TermId>,
    known: Vec<Known>,
    /// The position of each term in `order`, valid if its round is the current one.
    positions: Vec<(u32, u32)>,
    round: u32,
    changed: bool,
    cost: u64,
}

impl Propagation {
    pub(in crate::solve) fn new() -> Self {
        Self::default()
    }

    /// Narrows all ranges under the assumption that every one of `roots` holds.
    pub(in crate::solve) fn run(
        &mut self,
        pool: &TermPool,
        roots: impl Iterator<Item = TermId> + Clone,
    ) -> Narrowed {
        self.collect(pool, roots.clone());
        if self.order.len() > MAX_TERMS {
            return Ok(());
        }
        for root in roots {
            self.require(root, true)?;
        }
        self.narrow_all(pool)
    }

    /// Narrows all ranges further, now that one variable is known to be within `to`.
    pub(in crate::solve) fn assume(
        &mut self,
        pool: &TermPool,
        variable: VarId,
        to: &Domain,
    ) -> Narrowed {
        let term = pool.var_term(variable);
        match to {
            Domain::Truth(value) => self.settle(term, *value)?,
            Domain::Number(range) => self.narrow(term, range)?,
            Domain::Float(range) => self.narrow_float(term, *range)?,
        }
        self.narrow_all(pool)
    }

    /// Narrows all ranges further, now that a truth term of the query is known.
    pub(in crate::solve) fn suppose(
        &mut self,
        pool: &TermPool,
        term: TermId,
        value: bool,
    ) -> Narrowed {
        self.require(term, value)?;
        self.narrow_all(pool)
    }

    /// How many terms were looked at so far, over all queries.
    pub(in crate::solve) fn cost(&self) -> u64 {
        self.cost
    }

    /// What is known now, to come back to.
    pub(in crate::solve) fn mark(&self) -> Mark {
        Mark(self.known.clone())
    }

    /// Forgets what was learnt since the mark was made, for the same query.
    pub(in crate::solve) fn back_to(&mut self, mark: &Mark) {
        self.known.clone_from(&mark.0);
    }

    fn narrow_all(&mut self, pool: &TermPool) -> Narrowed {
        for _ in 0..MAX_ROUNDS {
            self.changed = false;
            self.cost += 2 * self.order.len() as u64;
            for index in 0..self.order.len() {
                self.forward(pool, self.order[index])?;
            }
            for index in (0..self.order.len()).rev() {
                self.backward(pool, self.order[index])?;
            }
            if !self.changed {
                break;
            }
        }
        Ok(())
    }

    /// The range of a variable; everything if the query does not mention it.
    pub(in crate::solve) fn variable(&self, pool: &TermPool, variable: VarId) -> Option<Domain> {
        self.term(pool.var_term(variable))
    }

    /// What is known of a term; nothing if it is not part of the query.
    pub(in crate::solve) fn term(&self, term: TermId) -> Option<Domain> {
        let &(round, position) = self.positions.get(term.index())?;
        (round == self.round).then(|| match &self.known[position as usize] {
            Known::Truth(value) => Domain::Truth(*value),
            Known::Number(range) => Domain::Number(range.clone()),
            Known::Float(range) => Domain::Float(*range),
        })
    }

    /// The ranges of all integer terms of the query.
    pub(in crate::solve) fn numbers(&self) -> impl Iterator<Item = (TermId, &Range)> {
        self.order
            .iter()
            .zip(&self.known)
            .filter_map(|(term, known)| match known {
                Known::Number(range) => Some((*term, range)),
                Known::Truth(_) | Known::Float(_) => None,
            })
    }

    fn collect(&mut self, pool: &TermPool, roots: impl Iterator<Item = TermId>) {
        self.round = self.round.wrapping_add(1);
        if self.round == 0 {
            self.positions.clear();
            self.round = 1;
        }
        if self.positions.len() < pool.len() {
            self.positions.resize(pool.len(), (0, 0));
        }
        self.order.clear();
        let mut visited = 0;
        let enter = |term: TermId, positions: &mut [(u32, u32)], order: &mut Vec<TermId>| {
            if positions[term.index()].0 != self.round {
                positions[term.index()].0 = self.round;
                order.push(term);
            }
        };
        for root in roots {
            enter(root, &mut self.positions, &mut self.order);
        }
        while visited < self.order.len() {
            let children = pool.get(self.order[visited]).children();
            for &child in children.as_slice() {
                enter(child, &mut self.positions, &mut self.order);
            }
            visited += 1;
        }
        self.order.sort_unstable();
        self.known.clear();
        for (position, &term) in self.order.iter().enumerate() {
            self.positions[term.index()].1 = position as u32;
            self.known.push(match pool.sort(term) {
                Sort::Bool => Known::Truth(None),
                Sort::Float => Known::Float(FloatRange::ALL),
                Sort::Int => Known::Number(Range::ALL),
                Sort::Str | Sort::Bytes => Known::Number(Range::at_least(0)),
            });
        }
    }

    fn position(&self, term: TermId) -> usize {
        self.positions[term.index()].1 as usize
    }

    /// The truth of a term of the query, if it is known.
    pub(in crate::solve) fn truth(&self, term: TermId) -> Option<bool> {
        match &self.known[self.position(term)] {
            Known::Truth(value) => *value,
            Known::Number(_) | Known::Float(_) => None,
        }
    }

    pub(super) fn range(&self, term: TermId) -> &Range {
        match &self.known[self.position(term)] {
            Known::Number(range) => range,
            Known::Truth(_) | Known::Float(_) => &Range::ALL,
        }
    }

    pub(super) fn float(&self, term: TermId) -> FloatRange {
        match &self.known[self.position(term)] {
            Known::Float(range) => *range,
            Known::Truth(_) | Known::Number(_) => FloatRange::ALL,
        }
    }

    pub(super) fn require(&mut self, term: TermId, value: bool) -> Narrowed {
        let position = self.position(term);
        match &mut self.known[position] {
            Known::Truth(Some(certain)) if *certain != value => return Err(Contradiction),
            Known::Truth(certain @ None) => {
                *certain = Some(value);
                self.changed = true;
            }
            Known::Truth(Some(_)) | Known::Number(_) | Known::Float(_) => {}
        }
        Ok(())
    }

    pub(super) fn narrow_float(&mut self, term: TermId, to: FloatRange) -> Narrowed {
        let position = self.position(term);
        if let Known::Float(range) = &mut self.known[position] {
            let narrowed = range.intersection(to);
            if narrowed.is_empty() {
                return Err(Contradiction);
            }
            if narrowed != *range {
                *range = narrowed;
                self.changed = true;
            }
        }
        Ok(())
    }

    pub(super) fn narrow(&mut self, term: TermId, to: &Range) -> Narrowed {
        let position = self.position(term);
        if let Known::Number(range) = &mut self.known[position] {
            let narrowed = range.intersection(to);
            if narrowed.is_empty() {
                return Err(Contradiction);
            }
            if narrowed != *range {
                *range = narrowed;
                self.changed = true;
            }
        }
        Ok(())
    }

    pub(super) fn settle(&mut self, term: TermId, value: Option<bool>) -> Narrowed {
        match value {
            Some(value) => self.require(term, value),
            None => Ok(()),
        }
    }

    pub(super) fn forward(&mut self, pool: &TermPool, term: TermId) -> Narrowed {
        match *pool.get(term) {
            Term::Bool(value) => self.require(term, value),
            Term::Int(ref value) => self.narrow(term, &Range::point(value.clone())),
            Term::Float(value) => self.narrow_float(term, FloatRange::point(value)),
            Term::Var(_) => Ok(()),
            Term::Text(ref text) => {
                let length = Integer::from(text.len() as i64);
                self.narrow(term, &Range::point(length))
            }
            Term::Apply(op, ref operands) if op.is_text() => {
                self.forward_text(pool, term, op, operands)
            }
            Term::Apply(op, ref operands) => self.forward_apply(pool, term, op, operands),
            Term::Not(a) => self.settle(term, self.truth(a).map(|value| !value)),
            Term::And(a, b) => {
                let value = match (self.truth(a), self.truth(b)) {
                    (Some(false), _) | (_, Some(false)) => Some(false),
                    (Some(true), Some(true)) => Some(true),
                    (None, _) | (_, None) => None,
                };
                self.settle(term, value)
            }
            Term::Or(a, b) => {
                let value = match (self.truth(a), self.truth(b)) {
                    (Some(true), _) | (_, Some(true)) => Some(true),
                    (Some(false), Some(false)) => Some(false),
                    (None, _) | (_, None) => None,
                };
                self.settle(term, value)
            }
            Term::Iff(a, b) => {
                let value = self.truth(a).zip(self.truth(b)).map(|(a, b)| a == b);
                self.settle(term, value)
            }
            Term::Compare(op, a, b) => {
                let value = compare(op, self.range(a), self.range(b));
                self.settle(term, value)
            }
            Term::Ite(condition, chosen, other) => {
                self.forward_conditional(pool, term, condition, chosen, other)
            }
            Term::FromBool(a) => {
                let range = match self.truth(a) {
                    Some(value) => Range::point(Integer::Small(i64::from(value))),
                    None => Range::new(Some(Integer::ZERO), Some(Integer::ONE)),
                };
                self.narrow(term, &range)
            }
            Term::Unary(op, a) => {
                let operand = self.range(a);
                let range = match op {
                    UnaryOp::Neg => operand.neg(),
                    UnaryOp::Abs => operand.abs(),
                    UnaryOp::BitLength => operand.bit_length(),
                    UnaryOp::BitCount => operand.bit_count(),
                };
                self.narrow(term, &range)
            }
            Term::Binary(op, a, b) => {
                let range = binary(op, self.range(a), self.range(b));
                self.narrow(term, &range)
            }
        }
    }

    fn forward_conditional(
        &mut self,
        pool: &TermPool,
        term: TermId,
        condition: TermId,
        chosen: TermId,
        other: TermId,
    ) -> Narrowed {
        match (pool.sort(term), self.truth(condition)) {
            (Sort::Bool, Some(true)) => self.settle(term, self.truth(chosen)),
            (Sort::Bool, Some(false)) => self.settle(term, self.truth(other)),
            (Sort::Bool, None) => {
                let agreed = self
                    .truth(chosen)
                    .filter(|value| self.truth(other) == Some(*value));
                self.settle(term, agreed)
            }
            (Sort::Float, holds) => {
                let range = match holds {
                    Some(true) => self.float(chosen),
                    Some(false) => self.float(other),
                    None => self.float(chosen).hull(self.float(other)),
                };
                self.narrow_float(term, range)
            }
            (Sort::Int | Sort::Str | Sort::Bytes, holds) => {
                let range = match holds {
                    Some(true) => self.range(chosen).clone(),
                    Some(false) => self.range(other).clone(),
                    None => self.range(chosen).hull(self.range(other)),
                };
                self.narrow(term, &range)
            }
        }
    }
}

/// What is known of a variable.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::solve) enum Domain {
    Truth(Option<bool>),
    Number(Range),
    Float(FloatRange),
}

fn compare(op: Comparison, left: &Range, right: &Range) -> Option<bool> {
    let below = |a: &Option<Integer>, b: &Option<Integer>| {
        a.as_ref().zip(b.as_ref()).is_some_and(|(a, b)| a < b)
    };
    let at_most = |a: &Option<Integer>, b: &Option<Integer>| {
        a.as_ref().zip(b.as_ref()).is_some_and(|(a, b)| a <= b)
    };
    match op {
        Comparison::Eq if below(&left.high, &right.low) || below(&right.high, &left.low) => {
            Some(false)
        }
        Comparison::Eq => {
            let same = left
                .as_point()
                .zip(right.as_point())
                .is_some_and(|(a, b)| a == b);
            same.then_some(true)
        }
        Comparison::Lt if below(&left.high, &right.low) => Some(true),
        Comparison::Lt => at_most(&right.high, &left.low).then_some(false),
        Comparison::Le if at_most(&left.high, &right.low) => Some(true),
        Comparison::Le => below(&right.high, &left.low).then_some(false),
    }
}

fn binary(op: BinaryOp, left: &Range, right: &Range) -> Range {
    match op {
        BinaryOp::Add => left.add(right),
        BinaryOp::Sub => left.sub(right),
        BinaryOp::Mul => left.mul(right),
        BinaryOp::FloorDiv => left.floor_div(right),
        BinaryOp::Mod => left.floor_mod(right),
        BinaryOp::Pow => left.pow(right),
        BinaryOp::Shl => left.shl(right),
        BinaryOp::Shr => left.shr(right),
        BinaryOp::BitAnd => left.bit_and(right),
        BinaryOp::BitOr => left.bit_or(right),
        BinaryOp::BitXor => left.bit_xor(right),
    }
}
