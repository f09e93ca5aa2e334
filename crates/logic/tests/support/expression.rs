//! Random expressions with a meaning of their own.
//!
//! The reference evaluator works on trees with plain big integers and shares no code with the
//! crate, so that agreement means something.

use num_bigint::BigInt;
use num_integer::Integer as _;
use num_traits::{Signed, ToPrimitive, Zero};
use pef_logic::{
    BinaryOp, Comparison, Integer, Model, Sort, Term, TermId, TermPool, UnaryOp, Value,
};
use proptest::prelude::*;

/// Integer and truth variables each.
pub const VARIABLES: usize = 3;

#[derive(Clone, Debug)]
pub enum Number {
    Constant(BigInt),
    Variable(usize),
    FromTruth(Box<Truth>),
    Unary(UnaryOp, Box<Number>),
    Binary(BinaryOp, Box<Number>, Box<Number>),
    Choice(Box<Truth>, Box<Number>, Box<Number>),
}

#[derive(Clone, Debug)]
pub enum Truth {
    Constant(bool),
    Variable(usize),
    Not(Box<Truth>),
    And(Box<Truth>, Box<Truth>),
    Or(Box<Truth>, Box<Truth>),
    Iff(Box<Truth>, Box<Truth>),
    Compare(Comparison, Box<Number>, Box<Number>),
    Choice(Box<Truth>, Box<Truth>, Box<Truth>),
}

#[derive(Clone, Debug)]
pub struct Assignment {
    pub numbers: [BigInt; VARIABLES],
    pub truths: [bool; VARIABLES],
}

/// Any truth expression of moderate size.
pub fn truth() -> impl Strategy<Value = Truth> {
    prop::collection::vec(any::<u8>(), 4..60).prop_map(|bytes| Source::new(bytes).truth(4))
}

/// A truth expression without `**` and shifts, whose values stay small.
pub fn tame_truth() -> impl Strategy<Value = Truth> {
    truth().prop_filter("only operations that keep numbers small", |truth| {
        truth.is_tame()
    })
}

/// A comparison of one variable, wrapped in a few operations with constants, with a constant. Small
/// enough that every simplification rule is met often.
pub fn narrow_comparison() -> impl Strategy<Value = Truth> {
    let constant = || (-6_i64..=6).prop_map(|value| Number::Constant(BigInt::from(value)));
    let leaf = prop_oneof![
        4 => Just(Number::Variable(0)),
        1 => Just(Number::FromTruth(Box::new(Truth::Variable(0)))),
        1 => (constant(), constant()).prop_map(|(a, b)| {
            Number::Choice(Box::new(Truth::Variable(0)), Box::new(a), Box::new(b))
        }),
    ];
    let number = leaf.prop_recursive(3, 8, 2, move |inner| {
        let operation = prop::sample::select(BINARY.to_vec());
        let unary = prop::sample::select(UNARY.to_vec());
        prop_oneof![
            3 => (operation.clone(), inner.clone(), constant())
                .prop_map(|(op, a, b)| Number::Binary(op, Box::new(a), Box::new(b))),
            2 => (operation.clone(), constant(), inner.clone())
                .prop_map(|(op, a, b)| Number::Binary(op, Box::new(a), Box::new(b))),
            1 => (operation, inner.clone(), inner.clone())
                .prop_map(|(op, a, b)| Number::Binary(op, Box::new(a), Box::new(b))),
            1 => (unary, inner).prop_map(|(op, a)| Number::Unary(op, Box::new(a))),
        ]
    });
    let other = prop_oneof![3 => constant(), 1 => number.clone()];
    (
        prop::sample::select(COMPARISONS.to_vec()),
        number,
        other,
        any::<(bool, bool)>(),
    )
        .prop_map(|(op, number, other, (mirrored, negated))| {
            let (a, b) = if mirrored {
                (other, number)
            } else {
                (number, other)
            };
            let comparison = Truth::Compare(op, Box::new(a), Box::new(b));
            if negated {
                Truth::Not(Box::new(comparison))
            } else {
                comparison
            }
        })
}

pub fn assignment() -> impl Strategy<Value = Assignment> {
    let number = prop_oneof![
        4 => (-9_i64..10).prop_map(BigInt::from),
        1 => any::<i64>().prop_map(BigInt::from),
        1 => any::<i128>().prop_map(BigInt::from),
    ];
    (
        prop::array::uniform3(number),
        prop::array::uniform3(any::<bool>()),
    )
        .prop_map(|(numbers, truths)| Assignment { numbers, truths })
}

/// Values between -8 and 8.
pub fn small_assignment() -> impl Strategy<Value = Assignment> {
    let number = (-8_i64..=8).prop_map(BigInt::from);
    (
        prop::array::uniform3(number),
        prop::array::uniform3(any::<bool>()),
    )
        .prop_map(|(numbers, truths)| Assignment { numbers, truths })
}

/// Random choices, read from bytes; zeros when they run out.
pub struct Source {
    bytes: Vec<u8>,
    position: usize,
}

const UNARY: [UnaryOp; 4] = [
    UnaryOp::Neg,
    UnaryOp::Abs,
    UnaryOp::BitLength,
    UnaryOp::BitCount,
];
const BINARY: [BinaryOp; 16] = [
    BinaryOp::Add,
    BinaryOp::Sub,
    BinaryOp::Mul,
    BinaryOp::FloorDiv,
    BinaryOp::Mod,
    BinaryOp::Pow,
    BinaryOp::Shl,
    BinaryOp::Shr,
    BinaryOp::BitAnd,
    BinaryOp::BitOr,
    BinaryOp::BitXor,
    BinaryOp::Add,
    BinaryOp::Sub,
    BinaryOp::Add,
    BinaryOp::Sub,
    BinaryOp::Mul,
];
const COMPARISONS: [Comparison; 3] = [Comparison::Eq, Comparison::Lt, Comparison::Le];

impl Source {
    pub fn new(bytes: Vec<u8>) -> Self {
        Source { bytes, position: 0 }
    }

    pub fn next(&mut self) -> usize {
        let byte = self.bytes.get(self.position).copied().unwrap_or(0);
        self.position += 1;
        byte.into()
    }

    fn constant(&mut self) -> BigInt {
        match self.next() {
            byte @ 0..=199 => BigInt::from(byte as i64 % 20 - 8),
            byte @ 200..=239 => BigInt::from(byte as i64 * 37 - 8_000),
            byte => BigInt::from(byte as i64 - 247) << (byte % 3 * 32 + 30),
        }
    }

    /// Values of the same kind as the constants of expressions.
    pub fn assignment(&mut self) -> Assignment {
        Assignment {
            numbers: std::array::from_fn(|_| self.constant()),
            truths: std::array::from_fn(|_| self.next() % 2 == 1),
        }
    }

    fn number(&mut self, depth: u32) -> Number {
        let choice = self.next();
        if depth == 0 || choice < 60 {
            return match choice % 3 {
                0 => Number::Constant(self.constant()),
                _ => Number::Variable(self.next() % VARIABLES),
            };
        }
        match choice % 12 {
            0 => Number::FromTruth(Box::new(self.truth(depth - 1))),
            1 => Number::Choice(
                Box::new(self.truth(depth - 1)),
                Box::new(self.number(depth - 1)),
                Box::new(self.number(depth - 1)),
            ),
            2 | 3 => Number::Unary(UNARY[self.next() % 4], Box::new(self.number(depth - 1))),
            _ => Number::Binary(
                BINARY[self.next() % 16],
                Box::new(self.number(depth - 1)),
                Box::new(self.number(depth - 1)),
            ),
        }
    }

    pub fn truth(&mut self, depth: u32) -> Truth {
        let choice = self.next();
        if depth == 0 {
            return match choice % 4 {
                0 => Truth::Constant(choice > 127),
                _ => Truth::Variable(self.next() % VARIABLES),
            };
        }
        let mut part = || Box::new(self.truth(depth - 1));
        match choice % 12 {
            0 => Truth::Not(part()),
            1 => Truth::And(part(), part()),
            2 => Truth::Or(part(), part()),
            3 => Truth::Iff(part(), part()),
            4 => Truth::Choice(part(), part(), part()),
            5 => Truth::Variable(self.next() % VARIABLES),
            _ => Truth::Compare(
                COMPARISONS[self.next() % 3],
                Box::new(self.number(depth - 1)),
                Box::new(self.number(depth - 1)),
            ),
        }
    }
}

impl Number {
    /// The value; `None` where Python raises, leaves the integers, or would not finish.
    pub fn value(&self, under: &Assignment) -> Option<BigInt> {
        match self {
            Number::Constant(value) => Some(value.clone()),
            Number::Variable(index) => Some(under.numbers[*index].clone()),
            Number::FromTruth(truth) => Some(BigInt::from(u8::from(truth.value(under)?))),
            Number::Unary(op, a) => {
                let a = a.value(under)?;
                Some(match op {
                    UnaryOp::Neg => -a,
                    UnaryOp::Abs => a.abs(),
                    UnaryOp::BitLength => {
                        BigInt::from(a.abs().to_str_radix(2).len())
                            - BigInt::from(u8::from(a.is_zero()))
                    }
                    UnaryOp::BitCount => {
                        let ones = a.abs().to_str_radix(2).matches('1').count();
                        BigInt::from(ones)
                    }
                })
            }
            Number::Binary(op, a, b) => operate(*op, &a.value(under)?, &b.value(under)?),
            Number::Choice(condition, a, b) => {
                if condition.value(under)? {
                    a.value(under)
                } else {
                    b.value(under)
                }
            }
        }
    }

    pub fn build(&self, pool: &mut TermPool, style: Style) -> TermId {
        match self {
            Number::Constant(value) => pool.int(value.clone()),
            Number::Variable(index) => pool.variable(&format!("x{index}"), Sort::Int),
            Number::FromTruth(truth) => {
                let truth = truth.build(pool, style);
                style.make(pool, Term::FromBool(truth), |pool| pool.from_bool(truth))
            }
            Number::Unary(op, a) => {
                let a = a.build(pool, style);
                style.make(pool, Term::Unary(*op, a), |pool| pool.unary(*op, a))
            }
            Number::Binary(op, a, b) => {
                let (a, b) = (a.build(pool, style), b.build(pool, style));
                style.make(pool, Term::Binary(*op, a, b), |pool| pool.binary(*op, a, b))
            }
            Number::Choice(condition, a, b) => {
                let condition = condition.build(pool, style);
                let (a, b) = (a.build(pool, style), b.build(pool, style));
                style.make(pool, Term::Ite(condition, a, b), |pool| {
                    pool.ite(condition, a, b)
                })
            }
        }
    }

    fn is_tame(&self) -> bool {
        match self {
            Number::Constant(value) => value.bits() < 16,
            Number::Variable(_) => true,
            Number::FromTruth(truth) => truth.is_tame(),
            Number::Unary(_, a) => a.is_tame(),
            Number::Binary(BinaryOp::Pow | BinaryOp::Shl, ..) => false,
            Number::Binary(_, a, b) => a.is_tame() && b.is_tame(),
            Number::Choice(condition, a, b) => condition.is_tame() && a.is_tame() && b.is_tame(),
        }
    }
}

fn operate(op: BinaryOp, a: &BigInt, b: &BigInt) -> Option<BigInt> {
    let places = || b.to_u32().filter(|places| *places <= 4_000);
    Some(match op {
        BinaryOp::Add => a + b,
        BinaryOp::Sub => a - b,
        BinaryOp::Mul => a * b,
        BinaryOp::FloorDiv | BinaryOp::Mod if b.is_zero() => return None,
        BinaryOp::FloorDiv => a.div_floor(b),
        BinaryOp::Mod => a.mod_floor(b),
        BinaryOp::Pow | BinaryOp::Shl | BinaryOp::Shr if b.is_negative() => return None,
        BinaryOp::Pow => {
            let exponent = places().filter(|n| u64::from(*n) * a.bits() < 20_000)?;
            num_traits::pow(a.clone(), exponent as usize)
        }
        BinaryOp::Shl => a * (BigInt::from(1) << places()?),
        BinaryOp::Shr => match places() {
            Some(places) => a.div_floor(&(BigInt::from(1) << places)),
            None if a.bits() > 4_000 => return None,
            None => BigInt::from(if a.is_negative() { -1 } else { 0 }),
        },
        BinaryOp::BitAnd => bitwise(a, b, |a, b| a & b),
        BinaryOp::BitOr => bitwise(a, b, |a, b| a | b),
        BinaryOp::BitXor => bitwise(a, b, |a, b| a ^ b),
    })
}

/// Byte by byte on two's complement, one byte wider than either operand.
fn bitwise(a: &BigInt, b: &BigInt, op: impl Fn(u8, u8) -> u8) -> BigInt {
    let (a, b) = (a.to_signed_bytes_le(), b.to_signed_bytes_le());
    let byte = |bytes: &[u8], index: usize| {
        let negative = bytes.last().is_some_and(|last| last & 0x80 != 0);
        let beyond = if negative { 0xFF } else { 0 };
        bytes.get(index).copied().unwrap_or(beyond)
    };
    let width = a.len().max(b.len()) + 1;
    let bytes: Vec<u8> = (0..width)
        .map(|index| op(byte(&a, index), byte(&b, index)))
        .collect();
    BigInt::from_signed_bytes_le(&bytes)
}

impl Truth {
    /// The value; `and` and `or` are decided by one side even if the other has none.
    pub fn value(&self, under: &Assignment) -> Option<bool> {
        match self {
            Truth::Constant(value) => Some(*value),
            Truth::Variable(index) => Some(under.truths[*index]),
            Truth::Not(a) => a.value(under).map(|value| !value),
            Truth::And(a, b) => match (a.value(under), b.value(under)) {
                (Some(false), _) | (_, Some(false)) => Some(false),
                (a, b) => a.and(b),
            },
            Truth::Or(a, b) => match (a.value(under), b.value(under)) {
                (Some(true), _) | (_, Some(true)) => Some(true),
                (a, b) => a.and(b),
            },
            Truth::Iff(a, b) => Some(a.value(under)? == b.value(under)?),
            Truth::Compare(op, a, b) => {
                let (a, b) = (a.value(under)?, b.value(under)?);
                Some(match op {
                    Comparison::Eq => a == b,
                    Comparison::Lt => a < b,
                    Comparison::Le => a <= b,
                })
            }
            Truth::Choice(condition, a, b) => {
                if condition.value(under)? {
                    a.value(under)
                } else {
                    b.value(under)
                }
            }
        }
    }

    pub fn build(&self, pool: &mut TermPool, style: Style) -> TermId {
        match self {
            Truth::Constant(value) => pool.bool(*value),
            Truth::Variable(index) => pool.variable(&format!("b{index}"), Sort::Bool),
            Truth::Not(a) => {
                let a = a.build(pool, style);
                style.make(pool, Term::Not(a), |pool| pool.not(a))
            }
            Truth::And(a, b) => {
                let (a, b) = (a.build(pool, style), b.build(pool, style));
                style.make(pool, Term::And(a, b), |pool| pool.and(a, b))
            }
            Truth::Or(a, b) => {
                let (a, b) = (a.build(pool, style), b.build(pool, style));
                style.make(pool, Term::Or(a, b), |pool| pool.or(a, b))
            }
            Truth::Iff(a, b) => {
                let (a, b) = (a.build(pool, style), b.build(pool, style));
                style.make(pool, Term::Iff(a, b), |pool| pool.iff(a, b))
            }
            Truth::Compare(op, a, b) => {
                let (a, b) = (a.build(pool, style), b.build(pool, style));
                style.make(pool, Term::Compare(*op, a, b), |pool| {
                    pool.compare(*op, a, b)
                })
            }
            Truth::Choice(condition, a, b) => {
                let condition = condition.build(pool, style);
                let (a, b) = (a.build(pool, style), b.build(pool, style));
                style.make(pool, Term::Ite(condition, a, b), |pool| {
                    pool.ite(condition, a, b)
                })
            }
        }
    }

    fn is_tame(&self) -> bool {
        match self {
            Truth::Constant(_) | Truth::Variable(_) => true,
            Truth::Not(a) => a.is_tame(),
            Truth::And(a, b) | Truth::Or(a, b) | Truth::Iff(a, b) => a.is_tame() && b.is_tame(),
            Truth::Compare(_, a, b) => a.is_tame() && b.is_tame(),
            Truth::Choice(condition, a, b) => condition.is_tame() && a.is_tame() && b.is_tame(),
        }
    }
}

/// Whether terms are built with or without simplification.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Style {
    Simplified,
    AsWritten,
}

impl Style {
    fn make(
        self,
        pool: &mut TermPool,
        term: Term,
        simplified: impl FnOnce(&mut TermPool) -> TermId,
    ) -> TermId {
        match self {
            Style::Simplified => simplified(pool),
            Style::AsWritten => pool.unsimplified(term),
        }
    }
}

impl Assignment {
    /// The same assignment as a model. Makes all variables, so that they exist in every pool.
    pub fn model(&self, pool: &mut TermPool) -> Model {
        let mut model = Model::new();
        for index in 0..VARIABLES {
            let number = pool.variable(&format!("x{index}"), Sort::Int);
            let truth = pool.variable(&format!("b{index}"), Sort::Bool);
            for (term, value) in [
                (
                    number,
                    Value::Int(Integer::from(self.numbers[index].clone())),
                ),
                (truth, Value::Bool(self.truths[index])),
            ] {
                let variable = pool.vars(term).iter().next().unwrap();
                model.set(variable, value);
            }
        }
        model
    }

    /// The assignments that differ in the first variables only, the number within the bound.
    pub fn along_the_first(bound: i64) -> impl Iterator<Item = Assignment> {
        (-bound..=bound).flat_map(|value| {
            [false, true].map(|truth| Assignment {
                numbers: [BigInt::from(value), BigInt::from(0), BigInt::from(0)],
                truths: [truth, false, false],
            })
        })
    }

    /// Every assignment with numbers between -bound and bound.
    pub fn all(bound: i64) -> impl Iterator<Item = Assignment> {
        let side = 2 * bound + 1;
        let numbers = (0..side.pow(VARIABLES as u32)).map(move |mut code| {
            std::array::from_fn(|_| {
                let value = code % side - bound;
                code /= side;
                BigInt::from(value)
            })
        });
        numbers.flat_map(|numbers: [BigInt; VARIABLES]| {
            (0..1_u8 << VARIABLES).map(move |bits| Assignment {
                numbers: numbers.clone(),
                truths: std::array::from_fn(|index| bits >> index & 1 == 1),
            })
        })
    }
}
