//! What operations on text and floats compute.
//!
//! The judge of everything the solvers claim about them; see [`evaluate`](crate::evaluate).

use std::cmp::Ordering;

use crate::evaluate::Undefined;
use crate::float::{Float, floor_div, modulo};
use crate::integer::Integer;
use crate::operation::{Expansion, Function, Operation};
use crate::pool::TermPool;
use crate::text::{Text, TextKind};
use crate::value::Value;

/// Longer text is not computed with: no run could hold many of them.
const MAX_LENGTH: usize = 1 << 20;

/// The value of an operation on these operands, in order.
pub fn apply(pool: &TermPool, op: Operation, operands: &[Value]) -> Result<Value, Undefined> {
    match operands.first() {
        Some(Value::Float(_)) => Ok(on_floats(op, operands)),
        Some(Value::Text(_)) => on_text(pool, op, operands),
        Some(Value::Int(_) | Value::Bool(_)) | None => Ok(on_integers(pool, op, operands)),
    }
}

fn on_text(pool: &TermPool, op: Operation, operands: &[Value]) -> Result<Value, Undefined> {
    use Operation as Op;
    let s = text(operands, 0);
    let int = |value: i64| Value::Int(Integer::Small(value));
    Ok(match op {
        Op::Length => int(s.len() as i64),
        Op::At => int(s.at(&integer(operands, 1))),
        Op::Concat => {
            let parts: Vec<Text> = (0..operands.len()).map(|i| text(operands, i)).collect();
            if parts.iter().map(Text::len).sum::<usize>() > MAX_LENGTH {
                return Err(Undefined::TooLarge);
            }
            Value::Text(Text::concat(s.kind(), &parts))
        }
        Op::Slice => Value::Text(s.slice(&integer(operands, 1), &integer(operands, 2))),
        Op::Find => int(s.find(&text(operands, 1), &integer(operands, 2))),
        Op::RFind => int(s.rfind(&text(operands, 1), &integer(operands, 2))),
        Op::Contains => Value::Bool(s.find(&text(operands, 1), &Integer::ZERO) >= 0),
        Op::StartsWith => Value::Bool(s.starts_with(&text(operands, 1))),
        Op::EndsWith => Value::Bool(s.ends_with(&text(operands, 1))),
        Op::TextEq => Value::Bool(s.units() == text(operands, 1).units()),
        Op::TextLt => Value::Bool(s.units() < text(operands, 1).units()),
        Op::TextLe => Value::Bool(s.units() <= text(operands, 1).units()),
        Op::Span(class) => {
            let class = pool.class(class);
            int(s.units().iter().take_while(|u| class.contains(**u)).count() as i64)
        }
        Op::RSpan(class) => {
            let class = pool.class(class);
            let from_end = s.units().iter().rev();
            int(from_end.take_while(|u| class.contains(**u)).count() as i64)
        }
        Op::Matches(language) => Value::Bool(pool.language(language).matches(s.units())),
        Op::MapText(map) => {
            let map = pool.map(map);
            let units: Vec<u32> = s.units().iter().map(|&unit| map.apply(unit)).collect();
            Value::Text(Text::new(s.kind(), units))
        }
        Op::Recode(kind) => Value::Text(s.recode(kind)),
        Op::Expand(expansion) => {
            let units = s.units().iter();
            let units: Vec<u32> = units.flat_map(|&u| expanded(pool, expansion, u)).collect();
            Value::Text(Text::new(s.kind(), units))
        }
        Op::FinalSigma(cased, ignorable) => {
            Value::Text(s.with_final_sigmas(pool.class(cased), pool.class(ignorable)))
        }
        Op::Without(class) => Value::Text(s.without(pool.class(class))),
        Op::Shown(printable) => Value::Text(s.shown(pool.class(printable))),
        Op::ToInt(base) => Value::Int(s.to_int(base)),
        _ => unfit(op),
    })
}

/// What a unit becomes.
pub(crate) fn expanded(
    pool: &TermPool,
    expansion: Expansion,
    unit: u32,
) -> impl Iterator<Item = u32> {
    let places = [
        (true, expansion.first),
        (
            pool.class(expansion.longer).contains(unit),
            expansion.second,
        ),
        (
            pool.class(expansion.longest).contains(unit),
            expansion.third,
        ),
    ];
    places
        .into_iter()
        .filter(|place| place.0)
        .map(move |place| pool.map(place.1).apply(unit))
}

fn on_integers(pool: &TermPool, op: Operation, operands: &[Value]) -> Value {
    use Operation as Op;
    let i = integer(operands, 0);
    match op {
        Op::FromCode(kind) => Value::Text(from_code(kind, &i)),
        Op::InClass(class) => {
            Value::Bool(unit(&i).is_some_and(|unit| pool.class(class).contains(unit)))
        }
        Op::MapCode(map) => match unit(&i) {
            Some(unit) => Value::from(i64::from(pool.map(map).apply(unit))),
            None => Value::Int(i),
        },
        Op::FromInt(kind, base) => Value::Text(Text::from_int(kind, &i, base)),
        Op::FloatFromInt => Value::Float(Float::from_integer(&i)),
        Op::IntDiv => Value::Float(Float::quotient(&i, &integer(operands, 1))),
        Op::IntEqFloat | Op::IntLtFloat | Op::IntLeFloat | Op::IntGtFloat | Op::IntGeFloat => {
            let order = Float::order_of_integer(&i, Float::new(float(operands, 1)));
            Value::Bool(order.is_some_and(|order| match op {
                Op::IntEqFloat => order == Ordering::Equal,
                Op::IntLtFloat => order == Ordering::Less,
                Op::IntLeFloat => order != Ordering::Greater,
                Op::IntGtFloat => order == Ordering::Greater,
                _ => order != Ordering::Less,
            }))
        }
        _ => unfit(op),
    }
}

fn on_floats(op: Operation, operands: &[Value]) -> Value {
    use Operation as Op;
    let f = float(operands, 0);
    let g = || float(operands, 1);
    let made = |value: f64| Value::Float(Float::new(value));
    match op {
        Op::FloatAdd => made(f + g()),
        Op::FloatSub => made(f - g()),
        Op::FloatMul => made(f * g()),
        Op::FloatDiv => made(f / g()),
        Op::FloatFloorDiv => made(floor_div(f, g())),
        Op::FloatMod => made(modulo(f, g())),
        Op::FloatRemainder => made(f % g()),
        Op::FloatPow => made(f.powf(g())),
        Op::FloatNeg => made(-f),
        Op::FloatAbs => made(f.abs()),
        Op::CopySign => made(f.copysign(g())),
        Op::FloatRound(rounding) => Value::Float(Float::new(f).round(rounding)),
        Op::Call(function) => made(call(function, f)),
        Op::FloatEq => Value::Bool(f == g()),
        Op::FloatLt => Value::Bool(f < g()),
        Op::FloatLe => Value::Bool(f <= g()),
        Op::IsNan => Value::Bool(f.is_nan()),
        Op::IsNegative => Value::Bool(!f.is_nan() && f.is_sign_negative()),
        Op::FloatToInt => Value::Int(Float::new(f).to_integer()),
        _ => unfit(op),
    }
}

fn call(function: Function, f: f64) -> f64 {
    match function {
        Function::Sqrt => f.sqrt(),
        Function::Exp => f.exp(),
        Function::ExpM1 => f.exp_m1(),
        Function::Log => f.ln(),
        Function::Log1P => f.ln_1p(),
        Function::Log2 => f.log2(),
        Function::Log10 => f.log10(),
        Function::Sin => f.sin(),
        Function::Cos => f.cos(),
        Function::Tan => f.tan(),
        Function::Asin => f.asin(),
        Function::Acos => f.acos(),
        Function::Atan => f.atan(),
        Function::Sinh => f.sinh(),
        Function::Cosh => f.cosh(),
        Function::Tanh => f.tanh(),
    }
}

/// The text of one unit, or none.
fn from_code(kind: TextKind, code: &Integer) -> Text {
    match unit(code) {
        Some(unit) if unit <= kind.last() => Text::new(kind, [unit]),
        _ => Text::empty(kind),
    }
}

fn unit(code: &Integer) -> Option<u32> {
    code.to_i64()
        .and_then(|code| u32::try_from(code).ok())
        .filter(|&unit| unit <= TextKind::Str.last())
}

fn text(operands: &[Value], position: usize) -> Text {
    match operands.get(position) {
        Some(Value::Text(value)) => value.clone(),
        _ => Text::empty(TextKind::Str),
    }
}

fn integer(operands: &[Value], position: usize) -> Integer {
    match operands.get(position) {
        Some(Value::Int(value)) => value.clone(),
        Some(Value::Bool(value)) => Integer::Small(i64::from(*value)),
        _ => Integer::ZERO,
    }
}

fn float(operands: &[Value], position: usize) -> f64 {
    match operands.get(position) {
        Some(Value::Float(value)) => value.get(),
        _ => 0.0,
    }
}

/// An operation on operands it is not made for; the constructors do not build such terms.
fn unfit(op: Operation) -> Value {
    debug_assert!(false, "{op:?} on operands of the wrong sort");
    Value::Bool(false)
}
