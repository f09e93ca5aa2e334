//! The part of propagation that is about floats and about integers that meet them.
//!
//! Backward rules speak about operands only where the result is known to be a number: a range says
//! nothing about what made a `nan`.

use super::propagate::{Contradiction, Propagation};
use super::range::Range;
use crate::float::{Float, Rounding};
use crate::integer::Integer;
use crate::operation::{Function, Operation};
use crate::pool::TermPool;
use crate::solve::float::FloatRange;
use crate::term::{Sort, TermId};

type Narrowed = Result<(), Contradiction>;

impl Propagation {
    pub(super) fn forward_apply(
        &mut self,
        pool: &TermPool,
        term: TermId,
        op: Operation,
        operands: &[TermId],
    ) -> Narrowed {
        match (pool.sort(term), operands) {
            (Sort::Float, _) => {
                let range = self.float_result(op, operands);
                self.narrow_float(term, range)
            }
            (Sort::Int, &[x]) if op == Operation::FloatToInt => {
                let range = whole_parts(self.float(x));
                self.narrow(term, &range)
            }
            (Sort::Bool, &[x]) => {
                let x = self.float(x);
                let value = match op {
                    Operation::IsNan if !x.may_be_nan() => Some(false),
                    Operation::IsNan if !x.has_numbers() => Some(true),
                    Operation::IsNegative => sign(x),
                    _ => None,
                };
                self.settle(term, value)
            }
            (Sort::Bool, &[x, y]) if is_mixed(op) => {
                let value = compare_mixed(op, self.range(x), self.float(y));
                self.settle(term, value)
            }
            (Sort::Bool, &[x, y]) => {
                let (x, y) = (self.float(x), self.float(y));
                let value = match op {
                    Operation::FloatEq => x.equal(y),
                    Operation::FloatLt => x.less(y),
                    Operation::FloatLe => x.less_or_equal(y),
                    _ => None,
                };
                self.settle(term, value)
            }
            _ => Ok(()),
        }
    }

    fn float_result(&self, op: Operation, operands: &[TermId]) -> FloatRange {
        use Operation as Op;
        match (op, operands) {
            (Op::FloatAdd, &[x, y]) => self.float(x).add(self.float(y)),
            (Op::FloatSub, &[x, y]) => self.float(x).sub(self.float(y)),
            (Op::FloatMul, &[x, y]) if x == y => self.float(x).square(),
            (Op::FloatMul, &[x, y]) => self.float(x).mul(self.float(y)),
            (Op::FloatDiv, &[x, y]) => self.float(x).div(self.float(y)),
            (Op::FloatMod, &[x, y]) => self.float(x).modulo(self.float(y)),
            (Op::FloatRemainder, &[x, y]) => self.float(x).remainder(self.float(y)),
            (Op::FloatNeg, &[x]) => self.float(x).neg(),
            (Op::FloatAbs, &[x]) => self.float(x).abs(),
            (Op::CopySign, &[x, y]) => {
                let size = self.float(x).abs();
                match sign(self.float(y)) {
                    Some(false) => size,
                    Some(true) => size.neg(),
                    None => size.hull(size.neg()),
                }
            }
            (Op::FloatRound(rounding), &[x]) => self.float(x).round(rounding),
            (Op::Call(function), &[x]) => call(function, self.float(x)),
            (Op::FloatFromInt, &[i]) => {
                let range = self.range(i);
                FloatRange::of_integers(range.low.as_ref(), range.high.as_ref())
            }
            (Op::IntDiv, &[i, j]) => quotient(self.range(i), self.range(j)),
            _ => FloatRange::ALL,
        }
    }

    pub(super) fn backward_apply_truth(
        &mut self,
        op: Operation,
        operands: &[TermId],
        value: bool,
    ) -> Narrowed {
        use Operation as Op;
        match (op, operands, value) {
            (Op::IsNan, &[x], true) => self.narrow_float(x, FloatRange::NAN),
            (Op::IsNan, &[x], false) => self.narrow_float(x, FloatRange::NUMBERS),
            (Op::IsNegative, &[x], true) => self.narrow_float(x, FloatRange::NEGATIVE),
            (Op::IsNegative, &[x], false) => {
                self.narrow_float(x, FloatRange::POSITIVE.with_nan(true))
            }
            (Op::FloatEq, &[x, y], true) => {
                self.ordered_floats(x, y, Strict::No)?;
                self.ordered_floats(y, x, Strict::No)
            }
            (Op::FloatLt, &[x, y], true) => self.ordered_floats(x, y, Strict::Yes),
            (Op::FloatLe, &[x, y], true) => self.ordered_floats(x, y, Strict::No),
            (Op::FloatLt | Op::FloatLe, &[x, y], false) => {
                if self.float(x).may_be_nan() || self.float(y).may_be_nan() {
                    return Ok(());
                }
                let strict = if op == Op::FloatLe {
                    Strict::Yes
                } else {
                    Strict::No
                };
                self.ordered_floats(y, x, strict)
            }
            (_, &[i, f], true) if is_mixed(op) => self.backward_mixed(op, i, f),
            (_, &[i, f], false) if is_mixed(op) && !self.float(f).may_be_nan() => match op {
                Op::IntLtFloat => self.backward_mixed(Op::IntGeFloat, i, f),
                Op::IntLeFloat => self.backward_mixed(Op::IntGtFloat, i, f),
                Op::IntGtFloat => self.backward_mixed(Op::IntLeFloat, i, f),
                Op::IntGeFloat => self.backward_mixed(Op::IntLtFloat, i, f),
                _ => Ok(()),
            },
            _ => Ok(()),
        }
    }

    fn ordered_floats(&mut self, x: TermId, y: TermId, strict: Strict) -> Narrowed {
        self.narrow_float(x, FloatRange::NUMBERS)?;
        self.narrow_float(y, FloatRange::NUMBERS)?;
        let most = self.float(y);
        let most = match strict {
            Strict::Yes => most.below(),
            Strict::No => most.at_most(),
        };
        self.narrow_float(x, most)?;
        let least = self.float(x);
        let least = match strict {
            Strict::Yes => least.above(),
            Strict::No => least.at_least(),
        };
        self.narrow_float(y, least)
    }

    /// An integer and a float compare as `op` says.
    fn backward_mixed(&mut self, op: Operation, i: TermId, f: TermId) -> Narrowed {
        use Operation as Op;
        self.narrow_float(f, FloatRange::NUMBERS)?;
        let below = matches!(op, Op::IntLtFloat | Op::IntLeFloat | Op::IntEqFloat);
        let above = matches!(op, Op::IntGtFloat | Op::IntGeFloat | Op::IntEqFloat);
        let floats = self.float(f);
        let (least, most) = match op {
            Op::IntLtFloat | Op::IntGtFloat => {
                let (low, high) = rounded_out(floats);
                (
                    low.map(|low| &low + &Integer::ONE),
                    high.map(|high| &high - &Integer::ONE),
                )
            }
            _ => rounded_in(floats),
        };
        self.narrow(
            i,
            &Range::new(least.filter(|_| above), most.filter(|_| below)),
        )?;
        let range = self.range(i);
        let float = |bound: &Option<Integer>| bound.as_ref().map(|b| Float::from_integer(b).get());
        let least = float(&range.low).filter(|_| below);
        let most = float(&range.high).filter(|_| above);
        let floats = FloatRange::between(
            least.unwrap_or(f64::NEG_INFINITY),
            most.unwrap_or(f64::INFINITY),
        );
        self.narrow_float(f, floats.unrounded())
    }

    pub(super) fn backward_float(
        &mut self,
        op: Operation,
        operands: &[TermId],
        term: TermId,
    ) -> Narrowed {
        use Operation as Op;
        let result = self.float(term);
        if result.may_be_nan() {
            return match (op, operands) {
                (Op::FloatNeg, &[x]) => self.narrow_float(x, result.neg()),
                _ => Ok(()),
            };
        }
        match (op, operands) {
            (Op::FloatNeg, &[x]) => self.narrow_float(x, result.neg()),
            (Op::FloatAbs, &[x]) => self.narrow_float(x, result.hull(result.neg())),
            (Op::FloatRound(_), &[x]) => {
                let one = FloatRange::between(-1.0, 1.0);
                self.narrow_float(x, result.add(one).unrounded().with_nan(false))
            }
            (Op::FloatAdd, &[x, y]) => {
                self.addend(x, y, result)?;
                self.addend(y, x, result)
            }
            (Op::FloatSub, &[x, y]) => {
                self.narrow_float(y, FloatRange::NUMBERS)?;
                if let Some(sum) = undone(result, self.float(y), FloatRange::add) {
                    self.narrow_float(x, sum)?;
                }
                self.narrow_float(x, FloatRange::NUMBERS)?;
                match undone(result, self.float(x), |r, x| x.sub(r)) {
                    Some(difference) => self.narrow_float(y, difference),
                    None => Ok(()),
                }
            }
            (Op::FloatMul, &[x, y]) if x == y => {
                let root = result.unrounded().high().max(0.0).sqrt();
                let roots = FloatRange::between(-root, root).unrounded();
                self.narrow_float(x, roots)
            }
            (Op::FloatMul, &[x, y]) => {
                self.factor(x, y, result)?;
                self.factor(y, x, result)
            }
            (Op::FloatDiv, &[x, y]) => {
                self.narrow_float(x, FloatRange::NUMBERS)?;
                self.narrow_float(y, FloatRange::NUMBERS)?;
                // A zero divisor gives infinities of anything.
                if self.float(y).has_zero() {
                    return Ok(());
                }
                match undone(result, self.float(y), FloatRange::mul) {
                    Some(product) => self.narrow_float(x, product),
                    None => Ok(()),
                }
            }
            (Op::Call(Function::Sqrt), &[x]) => {
                let low = result.unrounded().low().max(0.0);
                let high = result.unrounded().high();
                let squares = FloatRange::between(low * low, high * high).unrounded();
                let least = if low > 0.0 { squares.low() } else { -0.0 };
                self.narrow_float(x, FloatRange::between(least, squares.high()))
            }
            (Op::FloatFromInt, &[i]) => {
                let (low, high) = rounded_out(result.unrounded());
                self.narrow(i, &Range::new(low, high))
            }
            _ => Ok(()),
        }
    }

    pub(super) fn backward_float_choice(
        &mut self,
        term: TermId,
        condition: TermId,
        chosen: TermId,
        other: TermId,
    ) -> Narrowed {
        let range = self.float(term);
        match self.truth(condition) {
            Some(true) => self.narrow_float(chosen, range),
            Some(false) => self.narrow_float(other, range),
            None if self.float(chosen).intersection(range).is_empty() => {
                self.require(condition, false)
            }
            None if self.float(other).intersection(range).is_empty() => {
                self.require(condition, true)
            }
            None => Ok(()),
        }
    }

    /// `x + y` lies in `sum`.
    fn addend(&mut self, x: TermId, y: TermId, sum: FloatRange) -> Narrowed {
        self.narrow_float(y, FloatRange::NUMBERS)?;
        match undone(sum, self.float(y), FloatRange::sub) {
            Some(range) => self.narrow_float(x, range),
            None => Ok(()),
        }
    }

    /// `x * y` lies in `product`.
    fn factor(&mut self, x: TermId, y: TermId, product: FloatRange) -> Narrowed {
        self.narrow_float(y, FloatRange::NUMBERS)?;
        // Zero times anything is zero: it says nothing about the other factor.
        if self.float(y).has_zero() {
            return Ok(());
        }
        match undone(product, self.float(y), FloatRange::div) {
            Some(range) => self.narrow_float(x, range),
            None => Ok(()),
        }
    }

    /// `int(x)` lies in the range of the term.
    pub(super) fn backward_to_int(&mut self, x: TermId, term: TermId) -> Narrowed {
        let range = self.range(term);
        let (low, high) = (range.low.as_ref(), range.high.as_ref());
        let zero_possible =
            low.is_none_or(|low| !low.is_positive()) && high.is_none_or(|high| !high.is_negative());
        // What has no whole part counts as zero.
        if zero_possible && (self.float(x).may_be_nan() || self.float(x).has_infinity()) {
            return Ok(());
        }
        let whole = FloatRange::of_integers(low, high);
        let one = FloatRange::between(-1.0, 1.0);
        self.narrow_float(x, whole.add(one).unrounded().with_nan(false))
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Strict {
    Yes,
    No,
}

fn is_mixed(op: Operation) -> bool {
    matches!(
        op,
        Operation::IntEqFloat
            | Operation::IntLtFloat
            | Operation::IntLeFloat
            | Operation::IntGtFloat
            | Operation::IntGeFloat
    )
}

/// An operand from the result and the other operand: the exact one lies within a float of what the
/// inverse computes from bounds that are themselves within a float. `None` where infinities hide it.
fn undone(
    result: FloatRange,
    other: FloatRange,
    inverse: impl Fn(FloatRange, FloatRange) -> FloatRange,
) -> Option<FloatRange> {
    let result = result.unrounded();
    if other.has_infinity() || !other.has_numbers() {
        return None;
    }
    let range = inverse(result, other);
    Some(range.unrounded().with_nan(false))
}

/// Whether the sign bit is set, if that is certain.
fn sign(x: FloatRange) -> Option<bool> {
    if x.intersection(FloatRange::NEGATIVE).is_empty() {
        return Some(false);
    }
    let certain = !x.may_be_nan() && x.intersection(FloatRange::POSITIVE).is_empty();
    certain.then_some(true)
}

/// The integers around a range: every number of it lies between them.
fn rounded_out(range: FloatRange) -> (Option<Integer>, Option<Integer>) {
    let integer = |value: f64| value.is_finite().then(|| Float::new(value).to_integer());
    if !range.has_numbers() {
        return (None, None);
    }
    (integer(range.low().floor()), integer(range.high().ceil()))
}

/// The integers between the bounds of a range.
fn rounded_in(range: FloatRange) -> (Option<Integer>, Option<Integer>) {
    let integer = |value: f64| value.is_finite().then(|| Float::new(value).to_integer());
    if !range.has_numbers() {
        return (None, None);
    }
    (integer(range.low().ceil()), integer(range.high().floor()))
}

/// What `int()` gives; 0 for what has no whole part.
fn whole_parts(x: FloatRange) -> Range {
    let zero = Range::point(Integer::ZERO);
    if !x.has_numbers() {
        return zero;
    }
    let (low, high) = rounded_out(x.round(Rounding::TowardsZero));
    let range = Range::new(low, high);
    if x.may_be_nan() || x.has_infinity() {
        range.hull(&zero)
    } else {
        range
    }
}

/// `i / j`, where a zero divisor gives zero.
fn quotient(i: &Range, j: &Range) -> FloatRange {
    if !i.is_never_negative() || !j.is_never_negative() {
        return FloatRange::NUMBERS;
    }
    let (Some(low), Some(least)) = (&i.low, j.low.as_ref().filter(|low| !low.is_zero())) else {
        return FloatRange::between(0.0, f64::INFINITY);
    };
    let low = match &j.high {
        Some(most) => Float::quotient(low, most).get(),
        None => 0.0,
    };
    let high = match &i.high {
        Some(high) => Float::quotient(high, least).get(),
        None => f64::INFINITY,
    };
    FloatRange::between(low, high)
}

/// What can be said of the functions of the C library without trusting their last digits.
fn call(function: Function, x: FloatRange) -> FloatRange {
    let within = |low: f64, high: f64| FloatRange::between(low, high).with_nan(true);
    match function {
        Function::Sqrt => x.sqrt(),
        Function::Exp => within(0.0, f64::INFINITY).with_nan(x.may_be_nan()),
        Function::ExpM1 => within(-1.5, f64::INFINITY).with_nan(x.may_be_nan()),
        Function::Sin | Function::Cos => within(-1.5, 1.5),
        Function::Tanh => within(-1.5, 1.5).with_nan(x.may_be_nan()),
        Function::Atan => within(-2.0, 2.0).with_nan(x.may_be_nan()),
        Function::Asin => within(-2.0, 2.0),
        Function::Acos => within(-0.5, 4.0),
        Function::Cosh => within(0.5, f64::INFINITY).with_nan(x.may_be_nan()),
        Function::Log
        | Function::Log1P
        | Function::Log2
        | Function::Log10
        | Function::Tan
        | Function::Sinh => FloatRange::ALL,
    }
}

fn compare_mixed(op: Operation, i: &Range, f: FloatRange) -> Option<bool> {
    use Operation as Op;
    if !f.has_numbers() {
        return Some(false);
    }
    let order = |bound: &Option<Integer>, value: f64| {
        Float::order_of_integer(bound.as_ref()?, Float::new(value))
    };
    // Whether the integer is certainly less, at most, greater, at least.
    let less = order(&i.high, f.low()).is_some_and(std::cmp::Ordering::is_lt);
    let at_most = order(&i.high, f.low()).is_some_and(std::cmp::Ordering::is_le);
    let greater = order(&i.low, f.high()).is_some_and(std::cmp::Ordering::is_gt);
    let at_least = order(&i.low, f.high()).is_some_and(std::cmp::Ordering::is_ge);
    let (yes, no) = match op {
        Op::IntLtFloat => (less, at_least),
        Op::IntLeFloat => (at_most, greater),
        Op::IntGtFloat => (greater, at_most),
        Op::IntGeFloat => (at_least, less),
        _ => (false, less || greater),
    };
    match (yes && !f.may_be_nan(), no) {
        (true, _) => Some(true),
        (false, true) => Some(false),
        (false, false) => None,
    }
}
