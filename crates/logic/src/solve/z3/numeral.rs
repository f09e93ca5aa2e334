//! Integers to and from Z3.

use std::str::FromStr;

use num_bigint::BigInt;
use z3::ast::{BV, Int};

use crate::integer::Integer;

pub(in crate::solve) fn to_z3(value: &Integer) -> Option<Int> {
    match value {
        Integer::Small(value) => Some(Int::from_i64(*value)),
        Integer::Big(value) => Int::from_str(&value.to_string()).ok(),
    }
}

/// The value of a numeral; `None` for any other term.
pub(in crate::solve) fn from_z3(numeral: &Int) -> Option<Integer> {
    if let Some(value) = numeral.as_i64() {
        return Some(Integer::Small(value));
    }
    let text = numeral.to_string();
    match text
        .strip_prefix("(- ")
        .and_then(|rest| rest.strip_suffix(')'))
    {
        Some(digits) => digits.parse::<Integer>().ok().map(|value| -value),
        None => text.parse().ok(),
    }
}

/// The value as `width` bits of two's complement; the caller makes sure that it fits.
pub(in crate::solve) fn to_bits(value: &Integer, width: u32) -> Option<BV> {
    match value {
        Integer::Small(value) => Some(BV::from_i64(*value, width)),
        Integer::Big(value) => {
            let modulus = BigInt::from(1) << width;
            let wrapped = ((&**value % &modulus) + &modulus) % &modulus;
            BV::from_str(width, &wrapped.to_string())
        }
    }
}

/// The value of a bit-vector numeral read as two's complement.
pub(in crate::solve) fn from_bits(numeral: &BV, width: u32) -> Option<Integer> {
    let text = numeral.to_string();
    let (digits, radix) = match (text.strip_prefix("#x"), text.strip_prefix("#b")) {
        (Some(digits), _) => (digits, 16),
        (None, Some(digits)) => (digits, 2),
        (None, None) => return None,
    };
    let unsigned = BigInt::parse_bytes(digits.as_bytes(), radix)?;
    let negative = unsigned.bit(u64::from(width) - 1);
    let value = if negative {
        unsigned - (BigInt::from(1) << width)
    } else {
        unsigned
    };
    Some(Integer::from(value))
}
