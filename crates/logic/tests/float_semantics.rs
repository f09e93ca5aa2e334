//! What floats compute, against CPython.

#![allow(clippy::expect_used, clippy::panic)]

use std::path::Path;
use std::process::Command;

use pef_logic::{Float, Function, Integer, Operation, Rounding, TermPool, Value, apply::apply};

/// Cases computed by the Python interpreter the project is built for.
fn cases() -> String {
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/float_cases.py");
    let python = std::env::var("PYO3_PYTHON").unwrap_or_else(|_| "python3".to_owned());
    let output = Command::new(&python).arg(script).output();
    let output = output.unwrap_or_else(|error| panic!("{python}: {error}"));
    assert!(output.status.success(), "{output:?}");
    String::from_utf8(output.stdout).expect("ASCII")
}

fn value(text: &str) -> Value {
    if let Some(digits) = text.strip_prefix('i') {
        return Value::Int(digits.parse::<Integer>().expect("digits"));
    }
    match text {
        "True" => Value::Bool(true),
        "False" => Value::Bool(false),
        "nan" => Value::Float(Float::new(f64::NAN)),
        bits => {
            let bits = u64::from_str_radix(bits, 16).expect("bits");
            Value::Float(Float::new(f64::from_bits(bits)))
        }
    }
}

fn operation(name: &str) -> Operation {
    match name {
        "mod" => Operation::FloatMod,
        "floordiv" => Operation::FloatFloorDiv,
        "fmod" => Operation::FloatRemainder,
        "add" => Operation::FloatAdd,
        "div" => Operation::FloatDiv,
        "mul" => Operation::FloatMul,
        "pow" => Operation::FloatPow,
        "copysign" => Operation::CopySign,
        "lt" => Operation::FloatLt,
        "eq" => Operation::FloatEq,
        "int" => Operation::FloatToInt,
        "floor" => Operation::FloatRound(Rounding::Down),
        "ceil" => Operation::FloatRound(Rounding::Up),
        "sqrt" => Operation::Call(Function::Sqrt),
        "intdiv" => Operation::IntDiv,
        "float" => Operation::FloatFromInt,
        "ieq" => Operation::IntEqFloat,
        "ilt" => Operation::IntLtFloat,
        "ile" => Operation::IntLeFloat,
        "igt" => Operation::IntGtFloat,
        "ige" => Operation::IntGeFloat,
        _ => panic!("unknown operation {name}"),
    }
}

fn computed(pool: &TermPool, name: &str, operands: &[Value]) -> Value {
    let run = |op, operands: &[Value]| apply(pool, op, operands).expect("floats have values");
    match name {
        "round" => {
            let rounded = run(Operation::FloatRound(Rounding::HalfEven), operands);
            run(Operation::FloatToInt, &[rounded])
        }
        _ => run(operation(name), operands),
    }
}

/// Python's floats do not tell `-0.0` from a rounded whole number `0`.
fn without_sign_of_zero(value: Value) -> Value {
    match value {
        Value::Float(float) if float.get() == 0.0 => Value::Float(Float::ZERO),
        other => other,
    }
}

#[test]
fn floats_compute_what_cpython_computes() {
    let pool = TermPool::new();
    let (mut count, mut wrong) = (0, Vec::new());
    for line in cases().lines() {
        let fields: Vec<&str> = line.split(' ').collect();
        let (name, operands, result) = (fields[0], &fields[1..fields.len() - 1], fields.last());
        let result = result.copied().unwrap_or_default();
        let operands: Vec<Value> = operands.iter().map(|text| value(text)).collect();
        count += 1;
        if name == "repr" {
            if operands[0].to_string() != result {
                wrong.push(format!("{line}: {}", operands[0]));
            }
            continue;
        }
        let (mut expected, mut got) = (value(result), computed(&pool, name, &operands));
        if matches!(name, "floor" | "ceil") {
            (expected, got) = (without_sign_of_zero(expected), without_sign_of_zero(got));
        }
        if expected != got {
            wrong.push(format!("{line}: {operands:?} gave {got}, not {expected}"));
        }
    }
    assert!(count > 10_000, "only {count} cases");
    assert!(
        wrong.is_empty(),
        "{} wrong: {:#?}",
        wrong.len(),
        &wrong[..wrong.len().min(20)]
    );
}

#[test]
fn ranks_follow_the_order_of_floats() {
    let floats = [
        f64::NEG_INFINITY,
        f64::MIN,
        -1.0,
        -5e-324,
        -0.0,
        0.0,
        5e-324,
        1.0,
        f64::MAX,
        f64::INFINITY,
    ];
    let ranks: Vec<i64> = floats
        .iter()
        .filter_map(|f| Float::new(*f).rank())
        .collect();
    assert_eq!(ranks.len(), floats.len());
    assert!(ranks.is_sorted_by(|a, b| a < b), "{ranks:?}");
    for (float, rank) in floats.iter().zip(&ranks) {
        assert_eq!(Float::from_rank(*rank), Float::new(*float));
    }
    assert_eq!(Float::from_rank(i64::MAX).get(), f64::INFINITY);
    assert_eq!(Float::from_rank(i64::MIN).get(), f64::NEG_INFINITY);
    assert_eq!(Float::new(f64::NAN).rank(), None);
}
