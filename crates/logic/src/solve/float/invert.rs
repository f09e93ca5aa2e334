//! Works out what a variable would have to be, for floats and the integers around them.
//!
//! Like [`inversion`](crate::solve::inversion), but on single values: a comparison gives values that would
//! satisfy it, and the operations around the variable are undone one by one, in rounded arithmetic. The
//! results are guesses, so each comes with its neighbours.

use crate::evaluate::Evaluator;
use crate::float::Float;
use crate::integer::Integer;
use crate::operation::{Function, Operation};
use crate::pool::TermPool;
use crate::term::{BinaryOp, Comparison, Term, TermId, UnaryOp, VarId};
use crate::value::{Model, Value};

/// Steps per question.
const MAX_STEPS: usize = 160;
/// Values per question, neighbours included.
const MAX_VALUES: usize = 64;

/// What a term should be.
#[derive(Clone, Debug, PartialEq)]
enum Target {
    Truth(bool),
    Int(Integer),
    Float(f64),
}

/// One question: everything a step needs to look at.
pub(super) struct Inversion<'a> {
    pub(super) pool: &'a TermPool,
    pub(super) model: &'a Model,
    pub(super) evaluator: &'a mut Evaluator,
    pub(super) variable: VarId,
    pending: Vec<(TermId, Target)>,
}

impl<'a> Inversion<'a> {
    pub(super) fn new(
        pool: &'a TermPool,
        model: &'a Model,
        evaluator: &'a mut Evaluator,
        variable: VarId,
    ) -> Self {
        evaluator.forget();
        Inversion {
            pool,
            model,
            evaluator,
            variable,
            pending: Vec::new(),
        }
    }

    /// Values of the variable that may make `goal` true, best first.
    pub(super) fn values(mut self, goal: TermId) -> Vec<Value> {
        let mut values = Vec::new();
        self.pending.push((goal, Target::Truth(true)));
        for _ in 0..MAX_STEPS {
            let Some((term, target)) = self.pending.pop() else {
                break;
            };
            if *self.pool.get(term) == Term::Var(self.variable) {
                settle(&target, &mut values);
            } else if self.pool.vars(term).contains(self.variable) {
                self.step(term, &target);
            }
            if values.len() >= MAX_VALUES {
                break;
            }
        }
        values
    }

    /// Passes a target for a term on to its operands. What is pushed last is tried first.
    fn step(&mut self, term: TermId, target: &Target) {
        match (self.pool.get(term), target) {
            (&Term::Not(a), Target::Truth(value)) => self.aim(a, Target::Truth(!value)),
            (&(Term::And(a, b) | Term::Or(a, b)), Target::Truth(_)) => {
                self.aim(b, target.clone());
                self.aim(a, target.clone());
            }
            (&Term::Iff(a, b), Target::Truth(same)) => {
                for (part, other) in [(b, a), (a, b)] {
                    if let Some(Value::Bool(value)) = self.value(other) {
                        self.aim(part, Target::Truth(value == *same));
                    }
                }
            }
            (&Term::Ite(condition, chosen, other), _) => {
                for (holds, part) in [(false, other), (true, chosen)] {
                    self.aim(condition, Target::Truth(holds));
                    self.aim(part, target.clone());
                }
            }
            (&Term::FromBool(a), Target::Int(value)) => {
                self.aim(a, Target::Truth(!value.is_zero()));
            }
            (&Term::Compare(op, a, b), Target::Truth(value)) => self.compare(op, a, b, *value),
            (&Term::Unary(op, a), Target::Int(value)) => match op {
                UnaryOp::Neg => self.aim(a, Target::Int(-value)),
                UnaryOp::Abs => {
                    self.aim(a, Target::Int(-value));
                    self.aim(a, Target::Int(value.clone()));
                }
                UnaryOp::BitLength | UnaryOp::BitCount => {}
            },
            (&Term::Binary(op, a, b), Target::Int(value)) => self.arithmetic(op, a, b, value),
            (Term::Apply(op, operands), _) => self.operation(*op, operands, target),
            (
                Term::Bool(_)
                | Term::Int(_)
                | Term::Text(_)
                | Term::Float(_)
                | Term::Var(_)
                | Term::Not(_)
                | Term::And(..)
                | Term::Or(..)
                | Term::Iff(..)
                | Term::FromBool(_)
                | Term::Compare(..)
                | Term::Unary(..)
                | Term::Binary(..),
                _,
            ) => {}
        }
    }

    fn aim(&mut self, term: TermId, target: Target) {
        self.pending.push((term, target));
    }

    fn aim_float(&mut self, term: TermId, value: f64) {
        self.aim(term, Target::Float(value));
    }

    fn value(&mut self, term: TermId) -> Option<Value> {
        let value = self.evaluator.value_again(self.pool, self.model, term);
        value.ok()
    }

    fn integer(&mut self, term: TermId) -> Option<Integer> {
        self.value(term)?.as_int().cloned()
    }

    fn float(&mut self, term: TermId) -> Option<f64> {
        self.value(term)?.as_float().map(Float::get)
    }

    fn compare(&mut self, op: Comparison, a: TermId, b: TermId, value: bool) {
        let offsets = offsets(op == Comparison::Eq, op == Comparison::Lt, value);
        for (part, other, sign) in [(b, a, 1), (a, b, -1)] {
            let Some(other) = self.integer(other) else {
                continue;
            };
            for offset in offsets.iter().rev() {
                let target = &other + &Integer::Small(sign * offset);
                self.aim(part, Target::Int(target));
            }
        }
    }

    fn arithmetic(&mut self, op: BinaryOp, a: TermId, b: TermId, value: &Integer) {
        for (part, other, left) in [(b, a, false), (a, b, true)] {
            let Some(other) = self.integer(other) else {
                continue;
            };
            let targets = match (op, left) {
                (BinaryOp::Add, _) => vec![value - &other],
                (BinaryOp::Sub, true) => vec![value + &other],
                (BinaryOp::Sub | BinaryOp::Mod, false) => vec![&other - value],
                (BinaryOp::Mul, _) => value.floor_div(&other).into_iter().collect(),
                (BinaryOp::FloorDiv, true) => vec![value * &other],
                (BinaryOp::FloorDiv, false) => other.floor_div(value).into_iter().collect(),
                (BinaryOp::Mod, true) => vec![value + &other, value.clone()],
                _ => vec![],
            };
            for target in targets {
                self.aim(part, Target::Int(target));
            }
        }
    }

    fn operation(&mut self, op: Operation, operands: &[TermId], target: &Target) {
        use Operation as Op;
        match (op, operands, target) {
            (Op::FloatEq | Op::FloatLt | Op::FloatLe, &[a, b], &Target::Truth(value)) => {
                self.compare_floats(op, a, b, value);
            }
            (Op::IntEqFloat, &[i, f], &Target::Truth(value)) => {
                self.compare_mixed(Op::FloatEq, i, f, value);
            }
            (Op::IntLtFloat | Op::IntGeFloat, &[i, f], &Target::Truth(value)) => {
                self.compare_mixed(Op::FloatLt, i, f, value == (op == Op::IntLtFloat));
            }
            (Op::IntLeFloat | Op::IntGtFloat, &[i, f], &Target::Truth(value)) => {
                self.compare_mixed(Op::FloatLe, i, f, value == (op == Op::IntLeFloat));
            }
            (Op::IsNan, &[a], &Target::Truth(value)) => {
                self.aim_float(a, if value { f64::NAN } else { 0.0 });
            }
            (Op::IsNegative, &[a], &Target::Truth(value)) => {
                for size in [0.0, 1.0] {
                    self.aim_float(a, if value { -size } else { size });
                }
            }
            (Op::FloatToInt, &[a], Target::Int(value)) => {
                let whole = Float::from_integer(value).get();
                for part in [0.5, 0.0] {
                    self.aim_float(a, whole + part * if whole < 0.0 { -1.0 } else { 1.0 });
                }
            }
            (Op::FloatFromInt, &[a], &Target::Float(value)) => {
                for whole in [value.floor(), value.ceil(), value.round_ties_even()] {
                    self.aim(a, Target::Int(Float::new(whole).to_integer()));
                }
            }
            (Op::IntDiv, &[a, b], &Target::Float(value)) => self.quotient(a, b, value),
            (_, &[a], &Target::Float(value)) => self.undo_one(op, a, value),
            (_, &[a, b], &Target::Float(value)) => self.undo_two(op, a, b, value),
            _ => {}
        }
    }

    fn compare_floats(&mut self, op: Operation, a: TermId, b: TermId, value: bool) {
        for (part, other, up) in [(b, a, true), (a, b, false)] {
            if let Some(other) = self.float(other) {
                for target in beside(op, other, value, up).into_iter().rev() {
                    self.aim_float(part, target);
                }
            }
        }
    }

    fn compare_mixed(&mut self, op: Operation, i: TermId, f: TermId, value: bool) {
        if let Some(whole) = self.integer(i) {
            let other = Float::from_integer(&whole).get();
            for target in beside(op, other, value, true).into_iter().rev() {
                self.aim_float(f, target);
            }
        }
        if let Some(other) = self.float(f) {
            for target in beside(op, other, value, false).into_iter().rev() {
                for whole in [target.floor(), target.ceil()] {
                    self.aim(i, Target::Int(Float::new(whole).to_integer()));
                }
            }
        }
    }

    /// `a / b` of integers.
    fn quotient(&mut self, a: TermId, b: TermId, value: f64) {
        if let Some(divisor) = self.integer(b) {
            let product = value * Float::from_integer(&divisor).get();
            for whole in [product.ceil(), product.floor()] {
                self.aim(a, Target::Int(Float::new(whole).to_integer()));
            }
        }
        if let Some(dividend) = self.integer(a) {
            let quotient = Float::from_integer(&dividend).get() / value;
            for whole in [quotient.ceil(), quotient.floor()] {
                self.aim(b, Target::Int(Float::new(whole).to_integer()));
            }
        }
    }

    fn undo_one(&mut self, op: Operation, a: TermId, value: f64) {
        let inverse: &[f64] = match op {
            Operation::FloatNeg => &[-value],
            Operation::FloatAbs => &[-value, value],
            Operation::FloatRound(_) => &[value - 0.5, value + 0.5, value],
            Operation::Call(function) => &undo_call(function, value),
            _ => &[],
        };
        for &target in inverse {
            self.aim_float(a, target);
        }
    }

    fn undo_two(&mut self, op: Operation, a: TermId, b: TermId, value: f64) {
        use Operation as Op;
        if a == b {
            let root = match op {
                Op::FloatMul => value.sqrt(),
                Op::FloatAdd => value / 2.0,
                _ => return,
            };
            self.aim_float(a, -root);
            self.aim_float(a, root);
            return;
        }
        let (Some(left), Some(right)) = (self.float(a), self.float(b)) else {
            return;
        };
        let for_right = match op {
            Op::FloatAdd => vec![value - left],
            Op::FloatSub | Op::FloatMod | Op::FloatRemainder => vec![left - value],
            Op::FloatMul => vec![value / left],
            Op::FloatDiv => vec![left / value],
            Op::FloatFloorDiv => vec![left / (value + 0.5), left / value],
            Op::FloatPow => vec![value.ln() / left.ln()],
            Op::CopySign => vec![value],
            _ => vec![],
        };
        let for_left = match op {
            Op::FloatAdd => vec![value - right],
            Op::FloatSub => vec![value + right],
            Op::FloatMul => vec![value / right],
            Op::FloatDiv => vec![value * right],
            Op::FloatFloorDiv => vec![(value + 0.5) * right, value * right],
            Op::FloatMod | Op::FloatRemainder => {
                let whole = (left / right).floor() * right;
                vec![value - right, value + right, whole + value, value]
            }
            Op::FloatPow => {
                let root = value.abs().powf(1.0 / right);
                vec![-root, root]
            }
            Op::CopySign => vec![-value, value],
            _ => vec![],
        };
        for target in for_right {
            self.aim_float(b, target);
        }
        for target in for_left {
            self.aim_float(a, target);
        }
    }
}

/// What makes a comparison with an integer come out as wished, nearest first.
fn offsets(equality: bool, strict: bool, value: bool) -> Vec<i64> {
    match (equality, strict, value) {
        (true, _, true) => vec![0],
        (true, _, false) => vec![1, -1],
        (false, true, true) => vec![1, 2, 10],
        (false, true, false) => vec![0, -1, -10],
        (false, false, true) => vec![0, 1, 10],
        (false, false, false) => vec![-1, -2, -10],
    }
}

/// Values that stand to `other` as wished; the operand to find is the right one if `up`.
fn beside(op: Operation, other: f64, value: bool, up: bool) -> Vec<f64> {
    let sign = if up == value { 1.0 } else { -1.0 };
    let next = if sign > 0.0 {
        other.next_up()
    } else {
        other.next_down()
    };
    match (op, value) {
        (Operation::FloatEq, true) => vec![other],
        (Operation::FloatEq, false) => vec![other + 1.0, other.next_up()],
        (Operation::FloatLt, true) | (Operation::FloatLe, false) => {
            vec![
                other + sign,
                other + sign / 2.0,
                other * 2.0,
                next,
                other + sign * 10.0,
            ]
        }
        _ => vec![other, other + sign, other + sign * 10.0],
    }
}

fn undo_call(function: Function, value: f64) -> [f64; 2] {
    let inverse = match function {
        Function::Sqrt => value * value,
        Function::Exp => value.ln(),
        Function::ExpM1 => value.ln_1p(),
        Function::Log => value.exp(),
        Function::Log1P => value.exp_m1(),
        Function::Log2 => value.exp2(),
        Function::Log10 => 10_f64.powf(value),
        Function::Sin => value.asin(),
        Function::Cos => value.acos(),
        Function::Tan => value.atan(),
        Function::Asin => value.sin(),
        Function::Acos => value.cos(),
        Function::Atan => value.tan(),
        Function::Sinh => value.asinh(),
        Function::Cosh => value.acosh(),
        Function::Tanh => value.atanh(),
    };
    [-inverse, inverse]
}

/// Turns a target for the variable itself into values.
fn settle(target: &Target, out: &mut Vec<Value>) {
    let mut offer = |value: Value| {
        if !out.contains(&value) {
            out.push(value);
        }
    };
    match target {
        Target::Truth(value) => offer(Value::Bool(*value)),
        Target::Int(value) => {
            offer(Value::Int(value.clone()));
            offer(Value::Int(value + &Integer::ONE));
            offer(Value::Int(value - &Integer::ONE));
        }
        Target::Float(value) => {
            let value = Float::new(*value);
            offer(Value::Float(value));
            if let Some(rank) = value.rank() {
                for step in [1, -1, 2, -2] {
                    offer(Value::Float(Float::from_rank(rank + step)));
                }
            }
        }
    }
}
