//! Reads terms as sums of multiples of unknowns.
//!
//! What the terms mean is known here, how systems are solved is not.

use rustc_hash::FxHashMap;

use super::system::{Form, Stop, System, Unknown};
use crate::evaluate::Evaluator;
use crate::integer::Integer;
use crate::pool::TermPool;
use crate::term::{BinaryOp, Comparison, Term, TermId, UnaryOp, VarId};
use crate::value::{Model, Value};

/// Sums with more parts than this are not taken apart.
const MAX_PARTS: usize = 64;
/// Quotients of quotients; also bounds recursion.
const MAX_NESTING: u32 = 8;
/// Shifts by more than this are not taken for products.
const MAX_SHIFT: i128 = 62;

/// A system under construction: which term each unknown stands for.
pub(super) struct Reading<'a> {
    pool: &'a TermPool,
    hint: &'a Model,
    evaluator: &'a mut Evaluator,
    pub(super) system: System,
    unknowns: FxHashMap<TermId, Unknown>,
    /// The quotients of terms by constants.
    quotients: FxHashMap<(TermId, i128), Unknown>,
    pub(super) variables: Vec<(VarId, Unknown)>,
    nesting: u32,
}

/// A term in the way it enters a sum.
enum Part {
    Number(i128),
    Sum([(TermId, i128); 2]),
    Multiple(TermId, i128),
    Quotient(TermId, i128),
    Remainder(TermId, i128),
    Other,
}

impl<'a> Reading<'a> {
    pub(super) fn new(pool: &'a TermPool, hint: &'a Model, evaluator: &'a mut Evaluator) -> Self {
        Reading {
            pool,
            hint,
            evaluator,
            system: System::default(),
            unknowns: FxHashMap::default(),
            quotients: FxHashMap::default(),
            variables: Vec::new(),
            nesting: 0,
        }
    }

    /// Adds a constraint, unless it is none of numbers.
    pub(super) fn constraint(&mut self, term: TermId) -> Result<(), Stop> {
        let (compared, holds) = match *self.pool.get(term) {
            Term::Not(inner) => (inner, false),
            _ => (term, true),
        };
        let Term::Compare(op, left, right) = *self.pool.get(compared) else {
            return Ok(());
        };
        let mut form = Form::default();
        self.add(&mut form, left, 1)?;
        self.add(&mut form, right, -1)?;
        match (op, holds) {
            (Comparison::Eq, true) => self.system.require_zero(form),
            (Comparison::Eq, false) => self.system.require_not_zero(form),
            (Comparison::Lt | Comparison::Le, true) => {
                form.add_constant(i128::from(op == Comparison::Lt))?;
                self.system.require_at_most_zero(form);
            }
            (Comparison::Lt | Comparison::Le, false) => {
                let mut opposite = form.negated()?;
                opposite.add_constant(i128::from(op == Comparison::Le))?;
                self.system.require_at_most_zero(opposite);
            }
        }
        Ok(())
    }

    /// Adds a multiple of a term.
    fn add(&mut self, form: &mut Form, term: TermId, factor: i128) -> Result<(), Stop> {
        let mut pending = vec![(term, factor)];
        let mut count = 0;
        while let Some((term, factor)) = pending.pop() {
            count += 1;
            if count > MAX_PARTS {
                return Err(Stop::TooLarge);
            }
            let scaled = |by: i128| factor.checked_mul(by).ok_or(Stop::TooLarge);
            match part(self.pool, term)? {
                Part::Number(value) => form.add_constant(scaled(value)?)?,
                Part::Sum(terms) => {
                    for (term, sign) in terms {
                        pending.push((term, scaled(sign)?));
                    }
                }
                Part::Multiple(term, by) => pending.push((term, scaled(by)?)),
                Part::Quotient(..) | Part::Remainder(..) if self.nesting >= MAX_NESTING => {
                    form.add_multiple(self.unknown(term)?, factor)?;
                }
                Part::Quotient(dividend, divisor) => {
                    form.add_multiple(self.quotient(dividend, divisor)?, factor)?;
                }
                Part::Remainder(dividend, divisor) => {
                    let quotient = self.quotient(dividend, divisor)?;
                    form.add_multiple(quotient, scaled(-divisor)?)?;
                    pending.push((dividend, factor));
                }
                Part::Other => form.add_multiple(self.unknown(term)?, factor)?,
            }
        }
        Ok(())
    }

    /// The unknown `q` with `0 <= dividend - divisor * q < divisor`.
    fn quotient(&mut self, dividend: TermId, divisor: i128) -> Result<Unknown, Stop> {
        if let Some(&known) = self.quotients.get(&(dividend, divisor)) {
            return Ok(known);
        }
        let hint = self.hinted(dividend)?.div_euclid(divisor);
        let quotient = self.system.unknown(hint)?;
        self.quotients.insert((dividend, divisor), quotient);
        self.nesting += 1;
        let mut rest = Form::default();
        self.add(&mut rest, dividend, 1)?;
        self.nesting -= 1;
        rest.add_multiple(quotient, -divisor)?;
        self.system.require_at_most_zero(rest.negated()?);
        rest.add_constant(1 - divisor)?;
        self.system.require_at_most_zero(rest);
        Ok(quotient)
    }

    fn hinted(&mut self, term: TermId) -> Result<i128, Stop> {
        match self.evaluator.value(self.pool, self.hint, term) {
            Ok(Value::Int(value)) => small(&value),
            Ok(Value::Bool(_) | Value::Text(_) | Value::Float(_)) | Err(_) => Err(Stop::TooLarge),
        }
    }

    /// The unknown that stands for a term.
    fn unknown(&mut self, term: TermId) -> Result<Unknown, Stop> {
        if let Some(&known) = self.unknowns.get(&term) {
            return Ok(known);
        }
        let hint = self.hinted(term)?;
        let unknown = self.system.unknown(hint)?;
        self.unknowns.insert(term, unknown);
        if let Term::Var(variable) = *self.pool.get(term) {
            self.variables.push((variable, unknown));
        }
        Ok(unknown)
    }
}

/// How a term enters a sum.
fn part(pool: &TermPool, term: TermId) -> Result<Part, Stop> {
    let (op, a, b) = match *pool.get(term) {
        Term::Int(ref value) => return Ok(Part::Number(small(value)?)),
        Term::Unary(UnaryOp::Neg, inner) => return Ok(Part::Multiple(inner, -1)),
        Term::Binary(BinaryOp::Mul, a, b) if pool.as_int(a).is_some() => (BinaryOp::Mul, b, a),
        Term::Binary(op, a, b) => (op, a, b),
        _ => return Ok(Part::Other),
    };
    match op {
        BinaryOp::Add => return Ok(Part::Sum([(a, 1), (b, 1)])),
        BinaryOp::Sub => return Ok(Part::Sum([(a, 1), (b, -1)])),
        _ => {}
    }
    let Some(constant) = pool.as_int(b) else {
        return Ok(Part::Other);
    };
    let constant = small(constant)?;
    let is_shift = (0..=MAX_SHIFT).contains(&constant);
    Ok(match op {
        BinaryOp::Mul => Part::Multiple(a, constant),
        BinaryOp::FloorDiv if constant > 0 => Part::Quotient(a, constant),
        BinaryOp::Mod if constant > 0 => Part::Remainder(a, constant),
        BinaryOp::Shl if is_shift => Part::Multiple(a, 1 << constant),
        BinaryOp::Shr if is_shift => Part::Quotient(a, 1 << constant),
        // A mask of low bits is a remainder, of negative numbers as well.
        BinaryOp::BitAnd if constant > 0 && constant & (constant + 1) == 0 => {
            Part::Remainder(a, constant + 1)
        }
        _ => Part::Other,
    })
}

fn small(value: &Integer) -> Result<i128, Stop> {
    value.to_i64().map(i128::from).ok_or(Stop::TooLarge)
}
