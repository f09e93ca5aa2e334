//! Random expressions over floats and the integers around them.
//!
//! They can be built with and without simplification, so that the evaluator, which is compared with CPython
//! elsewhere, judges the rules and the solvers.

use pef_logic::{
    BinaryOp, Comparison, Float, Function, Integer, Model, Operation, Rounding, Sort, Term, TermId,
    TermPool, Value,
};
use proptest::prelude::*;

use super::expression::Style;

/// Float and integer variables each.
pub const VARIABLES: usize = 2;

/// Values where float arithmetic changes its manners, and a few plain ones.
pub const SPECIAL: [f64; 30] = [
    0.0,
    -0.0,
    1.0,
    -1.0,
    0.5,
    -0.5,
    1.5,
    2.0,
    2.5,
    3.0,
    -3.0,
    7.0,
    0.1,
    0.3,
    10.0,
    1e-20,
    1e16,
    -1e16,
    9_007_199_254_740_992.0,
    9_007_199_254_740_991.0,
    1e300,
    f64::MAX,
    f64::MIN,
    5e-324,
    -5e-324,
    f64::MIN_POSITIVE,
    f64::INFINITY,
    f64::NEG_INFINITY,
    f64::NAN,
    0.333_333_333_333_333_3,
];

/// A value of each kind.
const TELLING: [f64; 14] = [
    0.0,
    -0.0,
    1.0,
    -1.0,
    0.5,
    3.0,
    -2.5,
    5e-324,
    9_007_199_254_740_992.0,
    0.1,
    f64::MAX,
    f64::INFINITY,
    f64::NEG_INFINITY,
    f64::NAN,
];

const WHOLE: [i64; 14] = [
    0,
    1,
    -1,
    2,
    3,
    -7,
    10,
    100,
    1 << 53,
    (1 << 53) + 1,
    -(1 << 53) - 1,
    (1 << 53) - 1,
    i64::MAX,
    i64::MIN,
];

#[derive(Clone, Debug)]
pub enum Real {
    Constant(f64),
    Variable(usize),
    FromWhole(Box<Whole>),
    Quotient(Box<Whole>, Box<Whole>),
    Unary(Operation, Box<Real>),
    Binary(Operation, Box<Real>, Box<Real>),
    Choice(Box<Claim>, Box<Real>, Box<Real>),
}

#[derive(Clone, Debug)]
pub enum Whole {
    Constant(i64),
    Variable(usize),
    Part(Box<Real>),
    Binary(BinaryOp, Box<Whole>, Box<Whole>),
}

#[derive(Clone, Debug)]
pub enum Claim {
    Test(Operation, Box<Real>),
    Compare(Operation, Box<Real>, Box<Real>),
    Mixed(Operation, Box<Whole>, Box<Real>),
    Wholes(Comparison, Box<Whole>, Box<Whole>),
    Not(Box<Claim>),
    And(Box<Claim>, Box<Claim>),
    Or(Box<Claim>, Box<Claim>),
}

/// Values of the variables.
#[derive(Clone, Debug)]
pub struct Point {
    pub reals: [f64; VARIABLES],
    pub wholes: [i64; VARIABLES],
}

/// Any claim of moderate size.
pub fn claim() -> impl Strategy<Value = Claim> {
    let bytes = prop::collection::vec(any::<u8>(), 4..50);
    bytes.prop_map(|bytes| Source::new(bytes).claim(3))
}

/// A claim about one or two operations on few values: small enough that every rule is met often.
pub fn narrow_claim() -> impl Strategy<Value = Claim> {
    let bytes = prop::collection::vec(any::<u8>(), 24);
    bytes.prop_map(|bytes| Source::new(bytes).narrow_claim())
}

/// One or two operations on variables and telling constants.
pub fn narrow_real() -> impl Strategy<Value = Real> {
    let bytes = prop::collection::vec(any::<u8>(), 24);
    bytes.prop_map(|bytes| Source::new(bytes).narrow_real(2))
}

/// Every pair of a few telling values.
pub fn telling_points() -> impl Iterator<Item = Point> {
    let wholes = [0, -1, 3, (1 << 53) + 1, -(1 << 53) - 1];
    TELLING.iter().enumerate().flat_map(move |(row, &first)| {
        TELLING
            .iter()
            .enumerate()
            .map(move |(column, &second)| Point {
                reals: [first, second],
                wholes: [wholes[row % 5], wholes[column % 5]],
            })
    })
}

/// Any float, special ones as often as others.
pub fn real() -> impl Strategy<Value = f64> {
    prop_oneof![
        prop::sample::select(SPECIAL.to_vec()),
        (-100_i32..100).prop_map(|eighths| f64::from(eighths) / 8.0),
        any::<u64>().prop_map(f64::from_bits),
    ]
}

fn whole() -> impl Strategy<Value = i64> {
    prop_oneof![
        prop::sample::select(WHOLE.to_vec()),
        -20_i64..20,
        any::<i64>()
    ]
}

pub fn point() -> impl Strategy<Value = Point> {
    let (reals, wholes) = ([real(), real()], [whole(), whole()]);
    (reals, wholes).prop_map(|(reals, wholes)| Point { reals, wholes })
}

impl Point {
    pub fn model(&self, pool: &mut TermPool) -> Model {
        let mut model = Model::new();
        for (index, value) in self.reals.iter().enumerate() {
            let term = pool.variable(&format!("x{index}"), Sort::Float);
            let variable = pool.vars(term).iter().next().unwrap();
            model.set(variable, Value::Float(Float::new(*value)));
        }
        for (index, value) in self.wholes.iter().enumerate() {
            let term = pool.variable(&format!("i{index}"), Sort::Int);
            let variable = pool.vars(term).iter().next().unwrap();
            model.set(variable, Value::from(*value));
        }
        model
    }
}

/// Makes decisions from random bytes; zeros when they run out, which give small expressions.
pub struct Source {
    bytes: Vec<u8>,
    position: usize,
}

impl Source {
    pub fn new(bytes: Vec<u8>) -> Self {
        Source { bytes, position: 0 }
    }

    /// Values where operations change their manners.
    pub fn point(&mut self) -> Point {
        Point {
            reals: std::array::from_fn(|_| SPECIAL[self.choose(SPECIAL.len())]),
            wholes: std::array::from_fn(|_| WHOLE[self.choose(WHOLE.len())]),
        }
    }

    pub fn choose(&mut self, count: usize) -> usize {
        let byte = self.bytes.get(self.position).copied().unwrap_or(0);
        self.position += 1;
        usize::from(byte) % count
    }

    pub fn narrow_claim(&mut self) -> Claim {
        use Operation as Op;
        let claim = match self.choose(6) {
            0..=2 => {
                let op = [Op::FloatLt, Op::FloatLe, Op::FloatEq][self.choose(3)];
                let (a, b) = (self.narrow_real(2), self.narrow_real(1));
                let (a, b) = if self.choose(2) == 0 { (a, b) } else { (b, a) };
                Claim::Compare(op, a.into(), b.into())
            }
            3 | 4 => {
                let op = [Op::IsNan, Op::IsNegative][self.choose(2)];
                Claim::Test(op, self.narrow_real(2).into())
            }
            _ => {
                let op = [Op::IntEqFloat, Op::IntLtFloat, Op::IntGeFloat][self.choose(3)];
                Claim::Mixed(op, self.whole(0).into(), self.narrow_real(1).into())
            }
        };
        if self.choose(3) == 0 {
            return Claim::Not(claim.into());
        }
        claim
    }

    /// An operation on a variable or one of the telling constants.
    fn narrow_real(&mut self, depth: u32) -> Real {
        use Operation as Op;
        if depth == 0 {
            return match self.choose(2) {
                0 => Real::Variable(self.choose(VARIABLES)),
                _ => Real::Constant(TELLING[self.choose(TELLING.len())]),
            };
        }
        let depth = depth - 1;
        match self.choose(8) {
            0 => self.narrow_real(0),
            1 => Real::FromWhole(self.whole(0).into()),
            2 => {
                let op = [
                    Op::FloatNeg,
                    Op::FloatAbs,
                    Op::FloatRound(Rounding::HalfEven),
                ];
                Real::Unary(op[self.choose(3)], self.narrow_real(depth).into())
            }
            _ => {
                let ops = [
                    Op::FloatAdd,
                    Op::FloatSub,
                    Op::FloatMul,
                    Op::FloatDiv,
                    Op::FloatMod,
                ];
                let op = ops[self.choose(5)];
                Real::Binary(
                    op,
                    self.narrow_real(depth).into(),
                    self.narrow_real(depth).into(),
                )
            }
        }
    }

    pub fn claim(&mut self, depth: u32) -> Claim {
        use Operation as Op;
        let kinds = if depth == 0 { 8 } else { 12 };
        match self.choose(kinds) {
            0..=4 => {
                let op = [Op::FloatLt, Op::FloatLe, Op::FloatEq][self.choose(3)];
                Claim::Compare(op, self.real(depth).into(), self.real(depth).into())
            }
            5 => {
                let op = [Op::IsNan, Op::IsNegative][self.choose(2)];
                Claim::Test(op, self.real(depth).into())
            }
            6 => {
                let op = [
                    Op::IntEqFloat,
                    Op::IntLtFloat,
                    Op::IntLeFloat,
                    Op::IntGtFloat,
                    Op::IntGeFloat,
                ][self.choose(5)];
                Claim::Mixed(op, self.whole(depth).into(), self.real(depth).into())
            }
            7 => {
                let op = [Comparison::Eq, Comparison::Lt, Comparison::Le][self.choose(3)];
                Claim::Wholes(op, self.whole(depth).into(), self.whole(depth).into())
            }
            8 | 9 => Claim::Not(self.claim(depth - 1).into()),
            10 => Claim::And(self.claim(depth - 1).into(), self.claim(depth - 1).into()),
            _ => Claim::Or(self.claim(depth - 1).into(), self.claim(depth - 1).into()),
        }
    }

    fn real(&mut self, depth: u32) -> Real {
        use Operation as Op;
        let kinds = if depth == 0 { 4 } else { 14 };
        match self.choose(kinds) {
            0 | 1 => Real::Variable(self.choose(VARIABLES)),
            2 | 3 => Real::Constant(SPECIAL[self.choose(SPECIAL.len())]),
            4 => Real::FromWhole(self.whole(depth - 1).into()),
            5 => Real::Quotient(self.whole(depth - 1).into(), self.whole(depth - 1).into()),
            6 | 7 => {
                let op = [
                    Op::FloatNeg,
                    Op::FloatAbs,
                    Op::FloatRound(Rounding::Down),
                    Op::FloatRound(Rounding::Up),
                    Op::FloatRound(Rounding::TowardsZero),
                    Op::FloatRound(Rounding::HalfEven),
                    Op::Call(Function::Sqrt),
                    Op::Call(Function::Exp),
                ][self.choose(8)];
                Real::Unary(op, self.real(depth - 1).into())
            }
            13 => Real::Choice(
                self.claim(depth - 1).into(),
                self.real(depth - 1).into(),
                self.real(depth - 1).into(),
            ),
            _ => {
                let op = [
                    Op::FloatAdd,
                    Op::FloatSub,
                    Op::FloatMul,
                    Op::FloatAdd,
                    Op::FloatDiv,
                    Op::FloatSub,
                    Op::FloatMod,
                    Op::FloatFloorDiv,
                    Op::FloatRemainder,
                    Op::FloatPow,
                    Op::CopySign,
                ][self.choose(11)];
                Real::Binary(op, self.real(depth - 1).into(), self.real(depth - 1).into())
            }
        }
    }

    fn whole(&mut self, depth: u32) -> Whole {
        let kinds = if depth == 0 { 3 } else { 5 };
        match self.choose(kinds) {
            0 => Whole::Variable(self.choose(VARIABLES)),
            1 | 2 => Whole::Constant(WHOLE[self.choose(WHOLE.len())]),
            3 => Whole::Part(self.real(depth - 1).into()),
            _ => {
                let op = [BinaryOp::Add, BinaryOp::Sub, BinaryOp::Mul][self.choose(3)];
                Whole::Binary(
                    op,
                    self.whole(depth - 1).into(),
                    self.whole(depth - 1).into(),
                )
            }
        }
    }
}

fn apply(pool: &mut TermPool, style: Style, op: Operation, operands: &[TermId]) -> TermId {
    match style {
        Style::Simplified => pool.apply(op, operands),
        Style::AsWritten => pool.unsimplified(Term::Apply(op, operands.into())),
    }
}

impl Real {
    pub fn build(&self, pool: &mut TermPool, style: Style) -> TermId {
        match self {
            Real::Constant(value) => pool.float(*value),
            Real::Variable(index) => pool.variable(&format!("x{index}"), Sort::Float),
            Real::FromWhole(a) => {
                let a = a.build(pool, style);
                apply(pool, style, Operation::FloatFromInt, &[a])
            }
            Real::Quotient(a, b) => {
                let operands = [a.build(pool, style), b.build(pool, style)];
                apply(pool, style, Operation::IntDiv, &operands)
            }
            Real::Unary(op, a) => {
                let a = a.build(pool, style);
                apply(pool, style, *op, &[a])
            }
            Real::Binary(op, a, b) => {
                let operands = [a.build(pool, style), b.build(pool, style)];
                apply(pool, style, *op, &operands)
            }
            Real::Choice(condition, a, b) => {
                let condition = condition.build(pool, style);
                let (a, b) = (a.build(pool, style), b.build(pool, style));
                match style {
                    Style::Simplified => pool.ite(condition, a, b),
                    Style::AsWritten => pool.unsimplified(Term::Ite(condition, a, b)),
                }
            }
        }
    }
}

impl Whole {
    pub fn build(&self, pool: &mut TermPool, style: Style) -> TermId {
        match self {
            Whole::Constant(value) => pool.int(Integer::from(*value)),
            Whole::Variable(index) => pool.variable(&format!("i{index}"), Sort::Int),
            Whole::Part(a) => {
                let a = a.build(pool, style);
                apply(pool, style, Operation::FloatToInt, &[a])
            }
            Whole::Binary(op, a, b) => {
                let (a, b) = (a.build(pool, style), b.build(pool, style));
                match style {
                    Style::Simplified => pool.binary(*op, a, b),
                    Style::AsWritten => pool.unsimplified(Term::Binary(*op, a, b)),
                }
            }
        }
    }
}

impl Claim {
    pub fn build(&self, pool: &mut TermPool, style: Style) -> TermId {
        match self {
            Claim::Test(op, a) => {
                let a = a.build(pool, style);
                apply(pool, style, *op, &[a])
            }
            Claim::Compare(op, a, b) => {
                let operands = [a.build(pool, style), b.build(pool, style)];
                apply(pool, style, *op, &operands)
            }
            Claim::Mixed(op, a, b) => {
                let operands = [a.build(pool, style), b.build(pool, style)];
                apply(pool, style, *op, &operands)
            }
            Claim::Wholes(op, a, b) => {
                let (a, b) = (a.build(pool, style), b.build(pool, style));
                match (style, op) {
                    (Style::Simplified, Comparison::Eq) => pool.eq(a, b),
                    (Style::Simplified, Comparison::Lt) => pool.lt(a, b),
                    (Style::Simplified, Comparison::Le) => pool.le(a, b),
                    (Style::AsWritten, _) => pool.unsimplified(Term::Compare(*op, a, b)),
                }
            }
            Claim::Not(a) => {
                let a = a.build(pool, style);
                match style {
                    Style::Simplified => pool.not(a),
                    Style::AsWritten => pool.unsimplified(Term::Not(a)),
                }
            }
            Claim::And(a, b) => {
                let (a, b) = (a.build(pool, style), b.build(pool, style));
                match style {
                    Style::Simplified => pool.and(a, b),
                    Style::AsWritten => pool.unsimplified(Term::And(a, b)),
                }
            }
            Claim::Or(a, b) => {
                let (a, b) = (a.build(pool, style), b.build(pool, style));
                match style {
                    Style::Simplified => pool.or(a, b),
                    Style::AsWritten => pool.unsimplified(Term::Or(a, b)),
                }
            }
        }
    }
}
