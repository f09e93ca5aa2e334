//! Floats a person would rather read.

use crate::float::Float;

/// What anyone would try first.
const FIRST: [f64; 9] = [0.0, 1.0, -1.0, 0.5, 2.0, 1.5, -0.5, -2.0, 0.1];
/// Numbers of this size are still read as whole ones.
const LEGIBLE: f64 = 1e6;
/// Decimal digits that tell every float from its neighbours.
const MAX_DIGITS: usize = 17;

/// Values to replace `value` with, plainest first; all of them plainer than `value` itself.
pub(in crate::solve) fn plainer(value: Float) -> Vec<Float> {
    let number = value.get();
    let mut found: Vec<f64> = FIRST.to_vec();
    if number.is_nan() {
        found.extend([f64::INFINITY, f64::NEG_INFINITY]);
    } else if number.is_infinite() {
        found.extend([1e16, 1e100, 1e300, f64::MAX].map(|size| size.copysign(number)));
    } else {
        if number.abs() < LEGIBLE {
            let whole = number.trunc();
            found.extend([whole, whole + 1.0, whole - 1.0, whole + 0.5, whole - 0.5]);
        }
        for digits in 0..MAX_DIGITS {
            found.extend(with_digits(number, digits));
        }
    }
    let before = found.iter().position(|&plain| Float::new(plain) == value);
    found.truncate(before.unwrap_or(found.len()));
    found.into_iter().map(Float::new).collect()
}

/// The nearest numbers with this many digits after the first.
fn with_digits(number: f64, digits: usize) -> Vec<f64> {
    let text = format!("{number:.digits$e}");
    let Some((mantissa, exponent)) = text.split_once('e') else {
        return vec![];
    };
    let whole: Result<i64, _> = mantissa.replace('.', "").parse();
    let exponent: Result<i64, _> = exponent.parse();
    let (Ok(whole), Ok(exponent)) = (whole, exponent) else {
        return vec![];
    };
    let scale = exponent - digits as i64;
    let near = [whole, whole + 1, whole - 1].into_iter();
    let numbers = near.filter_map(|whole| format!("{whole}e{scale}").parse::<f64>().ok());
    numbers.filter(|number| number.is_finite()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn before(value: f64) -> Vec<String> {
        let found = plainer(Float::new(value)).into_iter();
        found.map(|plain| plain.to_string()).collect()
    }

    #[test]
    fn plain_numbers_have_few_rivals() {
        assert_eq!(before(0.0), Vec::<String>::new());
        assert_eq!(before(-1.0), ["0.0", "1.0"]);
    }

    #[test]
    fn whole_numbers_and_short_decimals_come_before_long_ones() {
        let found = before(5.000_000_000_000_001);
        assert!(found.contains(&"6.0".to_owned()), "{found:?}");
        let found = before(0.123_456_789);
        let position = |text: &str| found.iter().position(|plain| plain == text);
        assert!(position("0.12") < position("0.123"), "{found:?}");
        assert!(before(9.999_999_999_999_999e29).contains(&"9e+29".to_owned()));
    }

    #[test]
    fn numbers_come_before_nan() {
        assert!(before(f64::NAN).contains(&"0.0".to_owned()));
    }
}
