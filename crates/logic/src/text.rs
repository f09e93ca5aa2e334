//! Concrete text: Python's `str` and `bytes`, and what their operations mean.
//!
//! Text is a sequence of units: code points for `str`, lone surrogates included, numbers below 256
//! for `bytes`. Every function here is total; what Python answers with an exception is settled before a
//! term is built.

use std::fmt::{self, Write};
use std::sync::Arc;

use crate::alphabet::CharClass;
use crate::integer::Integer;
use crate::term::Sort;

/// One character or byte.
pub type Unit = u32;

/// The largest code point.
pub const LAST_CODE_POINT: Unit = 0x10_FFFF;

/// What stands for a unit that a kind of text does not have.
pub const REPLACEMENT: Unit = '?' as Unit;

/// `'`
pub(crate) const SINGLE_QUOTE: Unit = b'\'' as Unit;
/// `"`
pub(crate) const DOUBLE_QUOTE: Unit = b'"' as Unit;
/// Units that `repr` has a name for.
pub(crate) const ESCAPES: [(Unit, u8); 3] = [(0x09, b't'), (0x0A, b'n'), (0x0D, b'r')];

/// The letter whose lower case depends on its neighbours.
pub(crate) const CAPITAL_SIGMA: Unit = 0x3A3;

/// Its lower case at the end of a word.
pub(crate) const FINAL_SIGMA: Unit = 0x3C2;

/// Which of the two sequence types.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum TextKind {
    /// Python's `str`.
    Str,
    /// Python's `bytes`.
    Bytes,
}

impl TextKind {
    /// The largest unit.
    pub fn last(self) -> Unit {
        match self {
            TextKind::Str => LAST_CODE_POINT,
            TextKind::Bytes => 0xFF,
        }
    }

    /// The sort of terms of this kind.
    pub fn sort(self) -> Sort {
        match self {
            TextKind::Str => Sort::Str,
            TextKind::Bytes => Sort::Bytes,
        }
    }

    /// The kind of a sort, if it is one of text.
    pub fn of(sort: Sort) -> Option<TextKind> {
        match sort {
            Sort::Str => Some(TextKind::Str),
            Sort::Bytes => Some(TextKind::Bytes),
            Sort::Bool | Sort::Int | Sort::Float => None,
        }
    }
}

/// A concrete text.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Text {
    kind: TextKind,
    units: Arc<[Unit]>,
}

impl Text {
    /// Text of these units, all of which the kind admits.
    pub fn new(kind: TextKind, units: impl Into<Arc<[Unit]>>) -> Self {
        let units = units.into();
        debug_assert!(units.iter().all(|&unit| unit <= kind.last()));
        Text { kind, units }
    }

    /// Text without units.
    pub fn empty(kind: TextKind) -> Self {
        Text::new(kind, [])
    }

    /// A `str`.
    pub fn str(text: &str) -> Self {
        Text::new(
            TextKind::Str,
            text.chars().map(u32::from).collect::<Vec<_>>(),
        )
    }

    /// A `bytes`.
    pub fn bytes(bytes: &[u8]) -> Self {
        let units: Vec<Unit> = bytes.iter().map(|&byte| Unit::from(byte)).collect();
        Text::new(TextKind::Bytes, units)
    }

    /// `str` or `bytes`.
    pub fn kind(&self) -> TextKind {
        self.kind
    }

    /// The units in order.
    #[inline]
    pub fn units(&self) -> &[Unit] {
        &self.units
    }

    /// The number of units.
    #[inline]
    pub fn len(&self) -> usize {
        self.units.len()
    }

    /// Whether there are no units.
    pub fn is_empty(&self) -> bool {
        self.units.is_empty()
    }

    /// The unit at a position; -1 where there is none.
    pub fn at(&self, position: &Integer) -> i64 {
        let unit = position
            .to_i64()
            .and_then(|position| usize::try_from(position).ok())
            .and_then(|position| self.units.get(position));
        unit.map_or(-1, |&unit| i64::from(unit))
    }

    /// The units from `start` up to `stop`, both clamped to the text; empty if they cross.
    #[must_use]
    pub fn slice(&self, start: &Integer, stop: &Integer) -> Text {
        let (start, stop) = (self.clamp(start), self.clamp(stop));
        Text::new(self.kind, &self.units[start..stop.max(start)])
    }

    /// All parts, one after the other; at least one is given.
    pub fn concat(kind: TextKind, parts: &[Text]) -> Text {
        let units: Vec<Unit> = parts.iter().flat_map(Text::units).copied().collect();
        Text::new(kind, units)
    }

    /// The first position at or after `start` where `needle` stands, or -1.
    pub fn find(&self, needle: &Text, start: &Integer) -> i64 {
        let start = clamp_open(start);
        let last = self.len() as i64 - needle.len() as i64;
        (start..=last)
            .find(|&position| self.stands_at(needle, position as usize))
            .unwrap_or(-1)
    }

    /// The last position where `needle` stands and ends at or before `stop`, or -1.
    pub fn rfind(&self, needle: &Text, stop: &Integer) -> i64 {
        if stop.is_negative() {
            return -1;
        }
        let last = self.clamp(stop) as i64 - needle.len() as i64;
        (0..=last)
            .rev()
            .find(|&position| self.stands_at(needle, position as usize))
            .unwrap_or(-1)
    }

    /// Whether the text begins with `prefix`.
    pub fn starts_with(&self, prefix: &Text) -> bool {
        self.units.starts_with(&prefix.units)
    }

    /// Whether the text ends with `suffix`.
    pub fn ends_with(&self, suffix: &Text) -> bool {
        self.units.ends_with(&suffix.units)
    }

    /// The same units as text of another kind; `?` for those it does not have.
    #[must_use]
    pub fn recode(&self, kind: TextKind) -> Text {
        let recoded = |&unit: &Unit| {
            if unit <= kind.last() {
                unit
            } else {
                REPLACEMENT
            }
        };
        Text::new(kind, self.units.iter().map(recoded).collect::<Vec<_>>())
    }

    /// The value of an optional sign and digits of `base` (letters beyond 9); 0 for anything else.
    pub fn to_int(&self, base: u8) -> Integer {
        let digits: String = self
            .units
            .iter()
            .map(|&unit| char::from_u32(unit).filter(char::is_ascii).unwrap_or('?'))
            .collect();
        num_bigint::BigInt::parse_bytes(digits.as_bytes(), u32::from(base))
            .filter(|_| !digits.contains('_'))
            .map_or(Integer::ZERO, Integer::from)
    }

    /// The digits of a number in `base`, with `-` before a negative one.
    pub fn from_int(kind: TextKind, value: &Integer, base: u8) -> Text {
        let digits = value.to_bigint().to_str_radix(u32::from(base));
        let units: Vec<Unit> = digits.bytes().map(Unit::from).collect();
        Text::new(kind, units)
    }

    /// The text without the units of a class.
    #[must_use]
    pub fn without(&self, class: &CharClass) -> Text {
        let kept = self.units.iter().filter(|&&unit| !class.contains(unit));
        Text::new(self.kind, kept.copied().collect::<Vec<Unit>>())
    }

    /// The text with the form of small sigma that ends a word in the place of every capital one that
    /// does: units that are `cased` come before it and not after, `ignorable` ones aside.
    #[must_use]
    pub fn with_final_sigmas(&self, cased: &CharClass, ignorable: &CharClass) -> Text {
        let is_cased_next = |mut units: std::slice::Iter<'_, Unit>, backwards: bool| {
            let mut next = || {
                if backwards {
                    units.next_back()
                } else {
                    units.next()
                }
            };
            loop {
                match next() {
                    Some(unit) if ignorable.contains(*unit) => {}
                    other => return other.is_some_and(|unit| cased.contains(*unit)),
                }
            }
        };
        let ends_word = |position: usize| {
            is_cased_next(self.units[..position].iter(), true)
                && !is_cased_next(self.units[position + 1..].iter(), false)
        };
        let units = self.units.iter().enumerate().map(|(position, &unit)| {
            if unit == CAPITAL_SIGMA && ends_word(position) {
                FINAL_SIGMA
            } else {
                unit
            }
        });
        Text::new(self.kind, units.collect::<Vec<Unit>>())
    }

    /// `repr` of the text, a `str`. Units of the class are printable.
    #[must_use]
    pub fn shown(&self, printable: &CharClass) -> Text {
        let has = |quote: Unit| self.units.contains(&quote);
        let double = has(SINGLE_QUOTE) && !has(DOUBLE_QUOTE);
        let quote = if double { DOUBLE_QUOTE } else { SINGLE_QUOTE };
        let mut units: Vec<Unit> = Vec::with_capacity(self.len() + 3);
        if self.kind == TextKind::Bytes {
            units.push('b'.into());
        }
        units.push(quote);
        for &unit in self.units.iter() {
            let escape = ESCAPES.iter().find(|(escaped, _)| *escaped == unit);
            if let Some((_, letter)) = escape {
                units.extend(['\\'.into(), Unit::from(*letter)]);
            } else if unit == quote || unit == Unit::from('\\') {
                units.extend(['\\'.into(), unit]);
            } else if printable.contains(unit) {
                units.push(unit);
            } else {
                let number = match unit {
                    0..=0xFF => format!("\\x{unit:02x}"),
                    0x100..=0xFFFF => format!("\\u{unit:04x}"),
                    _ => format!("\\U{unit:08x}"),
                };
                units.extend(number.bytes().map(Unit::from));
            }
        }
        units.push(quote);
        Text::new(TextKind::Str, units)
    }

    fn stands_at(&self, needle: &Text, position: usize) -> bool {
        let here = &self.units[position..];
        // Most places differ in the first unit already, and that needs no call.
        let begins = |first| here.first() == Some(first);
        needle.units.first().is_none_or(begins) && here.starts_with(&needle.units)
    }

    fn clamp(&self, position: &Integer) -> usize {
        if position.is_negative() {
            return 0;
        }
        let position = position.to_i64().map_or(usize::MAX, |small| small as usize);
        position.min(self.len())
    }
}

/// Clamps from below only: a start beyond the end finds nothing, not even empty text.
fn clamp_open(position: &Integer) -> i64 {
    if position.is_negative() {
        return 0;
    }
    position.to_i64().unwrap_or(i64::MAX)
}

/// Prints the text as a Python literal in ASCII.
impl fmt::Display for Text {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.kind == TextKind::Bytes {
            out.write_char('b')?;
        }
        let has = |quote: char| self.units.contains(&Unit::from(quote));
        let quote = if has('\'') && !has('"') { '"' } else { '\'' };
        out.write_char(quote)?;
        for &unit in self.units.iter() {
            match char::from_u32(unit) {
                Some('\n') => out.write_str("\\n")?,
                Some('\r') => out.write_str("\\r")?,
                Some('\t') => out.write_str("\\t")?,
                Some('\\') => out.write_str("\\\\")?,
                Some(c) if c == quote => write!(out, "\\{c}")?,
                Some(c @ ' '..='~') => out.write_char(c)?,
                _ if unit <= 0xFF => write!(out, "\\x{unit:02x}")?,
                _ if unit <= 0xFFFF => write!(out, "\\u{unit:04x}")?,
                _ => write!(out, "\\U{unit:08x}")?,
            }
        }
        out.write_char(quote)
    }
}

impl fmt::Debug for Text {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, out)
    }
}
