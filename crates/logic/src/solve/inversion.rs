//! Works out what a variable would have to be.
//!
//! To make `x * 3 - y > 10` true by changing `x` alone, undo the operations around `x` one by one with
//! everything else as it is: the product must be at least `11 + y`, so `x` at least a third of
//! that. Operations with several solutions give several candidates, the nearest to the current value or to
//! zero first. The result is a guess: whoever uses it evaluates the constraints.

mod bits;
mod int;

use crate::evaluate::Evaluator;
use crate::integer::Integer;
use crate::pool::TermPool;
use crate::term::{BinaryOp, Comparison, Term, TermId, UnaryOp, VarId};
use crate::value::{Model, Value};

/// Steps per question while there are several ways to go; a widely branching term is not followed to the end.
const MAX_STEPS: usize = 192;
/// Candidates per question.
const MAX_CANDIDATES: usize = 16;

/// What a subterm should be.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Wish {
    Truth(bool),
    Exactly(Integer),
    AtLeast(Integer),
    AtMost(Integer),
    Not(Integer),
}

impl Wish {
    /// The wish for `x` that this wish for `-x` amounts to.
    fn negated(self) -> Wish {
        match self {
            Wish::Truth(value) => Wish::Truth(value),
            Wish::Exactly(value) => Wish::Exactly(-value),
            Wish::AtLeast(value) => Wish::AtMost(-value),
            Wish::AtMost(value) => Wish::AtLeast(-value),
            Wish::Not(value) => Wish::Not(-value),
        }
    }

    /// The same wish with its number changed.
    fn map(&self, change: impl FnOnce(&Integer) -> Integer) -> Wish {
        match self {
            Wish::Truth(value) => Wish::Truth(*value),
            Wish::Exactly(value) => Wish::Exactly(change(value)),
            Wish::AtLeast(value) => Wish::AtLeast(change(value)),
            Wish::AtMost(value) => Wish::AtMost(change(value)),
            Wish::Not(value) => Wish::Not(change(value)),
        }
    }
}

/// Finds candidate values; keeps its buffers between calls.
#[derive(Debug, Default)]
pub(super) struct Inverter {
    evaluator: Evaluator,
    pending: Vec<(TermId, Wish)>,
}

/// One question: everything a step needs to look at.
struct Question<'a> {
    pool: &'a TermPool,
    model: &'a Model,
    variable: VarId,
    evaluator: &'a mut Evaluator,
    pending: &'a mut Vec<(TermId, Wish)>,
}

impl Inverter {
    pub(super) fn new() -> Self {
        Self::default()
    }

    /// Appends values for `variable` that may make `goal` true, best first.
    pub(super) fn candidates(
        &mut self,
        pool: &TermPool,
        model: &Model,
        goal: TermId,
        variable: VarId,
        out: &mut Vec<Value>,
    ) {
        let Inverter { evaluator, pending } = self;
        evaluator.forget();
        pending.clear();
        pending.push((goal, Wish::Truth(true)));
        let mut question = Question {
            pool,
            model,
            variable,
            evaluator,
            pending,
        };
        let mut steps = 0;
        while steps < MAX_STEPS
            && let Some((term, wish)) = question.pending.pop()
        {
            steps += usize::from(!question.pending.is_empty());
            if *pool.get(term) == Term::Var(variable) {
                settle(&wish, out);
            } else {
                question.step(term, &wish);
            }
            if out.len() >= MAX_CANDIDATES {
                break;
            }
        }
    }
}

/// Turns a wish for the variable itself into values.
fn settle(wish: &Wish, out: &mut Vec<Value>) {
    let mut offer = |value: Value| {
        if !out.contains(&value) {
            out.push(value);
        }
    };
    match wish {
        Wish::Truth(value) => offer(Value::Bool(*value)),
        Wish::Exactly(value) | Wish::AtLeast(value) | Wish::AtMost(value) => {
            offer(Value::Int(value.clone()));
        }
        Wish::Not(value) => {
            let (up, down) = (value + &Integer::ONE, value - &Integer::ONE);
            let (first, second) = if value.is_positive() {
                (down, up)
            } else {
                (up, down)
            };
            offer(Value::Int(first));
            offer(Value::Int(second));
        }
    }
}

impl Question<'_> {
    /// Passes a wish for a term on to its operands. Wishes pushed last are tried first.
    fn step(&mut self, term: TermId, wish: &Wish) {
        match (self.pool.get(term), wish) {
            (&Term::Not(a), Wish::Truth(value)) => self.wish(a, Wish::Truth(!value)),
            (&(Term::And(a, b) | Term::Or(a, b)), Wish::Truth(_)) => {
                self.wish(b, wish.clone());
                self.wish(a, wish.clone());
            }
            (&Term::Iff(a, b), Wish::Truth(same)) => {
                self.follow(b, a, *same);
                self.follow(a, b, *same);
            }
            (&Term::Compare(op, a, b), Wish::Truth(value)) => self.compare(op, a, b, *value),
            (&Term::Ite(condition, chosen, other), _) => {
                self.conditional(condition, chosen, other, wish);
            }
            (&Term::FromBool(a), _) => self.truth_as_number(a, wish),
            (&Term::Unary(op, a), _) => self.unary(op, a, wish),
            (&Term::Binary(op, a, b), _) => self.binary(op, a, b, wish),
            (
                Term::Bool(_)
                | Term::Int(_)
                | Term::Text(_)
                | Term::Float(_)
                | Term::Apply(..)
                | Term::Var(_)
                | Term::Not(_)
                | Term::And(..)
                | Term::Or(..)
                | Term::Iff(..)
                | Term::Compare(..),
                _,
            ) => {}
        }
    }

    /// The current truth of a term.
    fn truth(&mut self, term: TermId) -> Option<bool> {
        self.evaluator
            .value_again(self.pool, self.model, term)
            .ok()?
            .as_bool()
    }

    /// The current integer value of a term.
    fn number(&mut self, term: TermId) -> Option<Integer> {
        match self
            .evaluator
            .value_again(self.pool, self.model, term)
            .ok()?
        {
            Value::Int(value) => Some(value),
            Value::Bool(_) | Value::Text(_) | Value::Float(_) => None,
        }
    }

    /// Leads on to a term; one without the variable would lead nowhere.
    fn wish(&mut self, term: TermId, wish: Wish) {
        if self.pool.vars(term).contains(self.variable) {
            self.pending.push((term, wish));
        }
    }

    /// `term` should be what `other` is, or the opposite.
    fn follow(&mut self, term: TermId, other: TermId, same: bool) {
        if let Some(value) = self.truth(other) {
            self.wish(term, Wish::Truth(value == same));
        }
    }

    fn compare(&mut self, op: Comparison, a: TermId, b: TermId, value: bool) {
        // The right operand first, so that the left one is tried first.
        if let Some(left) = self.number(a) {
            let wish = match (op, value) {
                (Comparison::Eq, true) => Wish::Exactly(left),
                (Comparison::Eq, false) => Wish::Not(left),
                (Comparison::Lt, true) => Wish::AtLeast(&left + &Integer::ONE),
                (Comparison::Lt, false) => Wish::AtMost(left),
                (Comparison::Le, true) => Wish::AtLeast(left),
                (Comparison::Le, false) => Wish::AtMost(&left - &Integer::ONE),
            };
            self.wish(b, wish);
        }
        if let Some(right) = self.number(b) {
            let wish = match (op, value) {
                (Comparison::Eq, true) => Wish::Exactly(right),
                (Comparison::Eq, false) => Wish::Not(right),
                (Comparison::Lt, true) => Wish::AtMost(&right - &Integer::ONE),
                (Comparison::Lt, false) => Wish::AtLeast(right),
                (Comparison::Le, true) => Wish::AtMost(right),
                (Comparison::Le, false) => Wish::AtLeast(&right + &Integer::ONE),
            };
            self.wish(a, wish);
        }
    }

    fn conditional(&mut self, condition: TermId, chosen: TermId, other: TermId, wish: &Wish) {
        let Some(holds) = self.truth(condition) else {
            return;
        };
        self.wish(condition, Wish::Truth(!holds));
        self.wish(if holds { chosen } else { other }, wish.clone());
    }

    fn truth_as_number(&mut self, truth: TermId, wish: &Wish) {
        let admits = |number: i64| match wish {
            Wish::Truth(value) => *value == (number == 1),
            Wish::Exactly(value) => *value == Integer::Small(number),
            Wish::AtLeast(value) => Integer::Small(number) >= *value,
            Wish::AtMost(value) => Integer::Small(number) <= *value,
            Wish::Not(value) => *value != Integer::Small(number),
        };
        for number in [0, 1] {
            if admits(number) {
                self.wish(truth, Wish::Truth(number == 1));
            }
        }
    }

    fn unary(&mut self, op: UnaryOp, a: TermId, wish: &Wish) {
        match op {
            UnaryOp::Neg => self.wish(a, wish.clone().negated()),
            UnaryOp::Abs => self.absolute(a, wish),
            UnaryOp::BitLength => self.bit_length(a, wish),
            UnaryOp::BitCount => self.bit_count(a, wish),
        }
    }

    fn binary(&mut self, op: BinaryOp, a: TermId, b: TermId, wish: &Wish) {
        match op {
            BinaryOp::Add => self.sum(a, b, wish),
            BinaryOp::Sub => self.difference(a, b, wish),
            BinaryOp::Mul => self.product(a, b, wish),
            BinaryOp::FloorDiv => self.quotient(a, b, wish),
            BinaryOp::Mod => self.remainder(a, b, wish),
            BinaryOp::Pow => self.power(a, b, wish),
            BinaryOp::Shl => self.shift_left(a, b, wish),
            BinaryOp::Shr => self.shift_right(a, b, wish),
            BinaryOp::BitAnd | BinaryOp::BitOr | BinaryOp::BitXor => {
                self.bitwise(op, a, b, wish);
                self.bitwise(op, b, a, wish);
            }
        }
    }
}
