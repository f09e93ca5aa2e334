//! What a text would have to be: pieces written into it, left out, moved.

use crate::alphabet::{CharClass, CharMap};
use crate::integer::Integer;
use crate::operation::Operation;
use crate::term::TermId;
use crate::text::{Text, Unit};

use super::near::{self, Strange};
use super::wish::{Sight, Wish, Wishes};

/// Units that fill a place, best first.
const FILLING: [Unit; 3] = ['a' as Unit, '0' as Unit, ' ' as Unit];
/// More than any text that is edited needs.
const MAX_FILLING: usize = 10_000;
/// Places at which something is put.
const MAX_PLACES: usize = 12;

fn spliced(text: &Text, start: usize, stop: usize, new: &[Unit]) -> Text {
    let units = text.units();
    let (start, stop) = (start.min(units.len()), stop.min(units.len()));
    let stop = stop.max(start);
    Text::new(text.kind(), [&units[..start], new, &units[stop..]].concat())
}

/// What an operation works on so that it gives `wished`.
pub(super) fn written(
    wishes: &mut Wishes<'_>,
    sight: &mut Sight<'_>,
    op: Operation,
    operands: &[TermId],
    wished: &Text,
) -> Option<()> {
    use Operation as Op;
    let first = *operands.first()?;
    match op {
        Op::Slice => {
            let text = sight.text(first)?;
            let position = |value: Integer| {
                let place =
                    value
                        .to_i64()
                        .unwrap_or(if value.is_negative() { 0 } else { i64::MAX });
                usize::try_from(place.max(0)).map_or(text.len(), |place| place.min(text.len()))
            };
            let start = position(sight.int(operands[1])?);
            let stop = position(sight.int(operands[2])?);
            wishes.offer_texts(first, [spliced(&text, start, stop, wished.units())]);
        }
        Op::Concat => {
            let mut parts = Vec::with_capacity(operands.len());
            for &operand in operands {
                parts.push(sight.text(operand)?);
            }
            for (index, &operand) in operands.iter().enumerate() {
                let before = Text::concat(wished.kind(), &parts[..index]);
                let after = Text::concat(wished.kind(), &parts[index + 1..]);
                let fits = before.len() + after.len() <= wished.len()
                    && wished.starts_with(&before)
                    && wished.ends_with(&after);
                if fits {
                    let units = &wished.units()[before.len()..wished.len() - after.len()];
                    wishes.offer_texts(operand, [Text::new(wished.kind(), units)]);
                }
            }
        }
        Op::MapText(map) => {
            let (text, map) = (sight.text(first)?, sight.pool.map(map));
            let usual = unmapped_text(map, &text, wished, |map, unit| unmapped(map, unit).next());
            let unusual = unmapped_text(map, &text, wished, |map, unit| {
                unmapped(map, unit).find(|&other| other != unit)
            });
            wishes.offer_texts(first, usual.into_iter().chain(unusual));
        }
        Op::FromCode(_) => {
            let &[unit] = wished.units() else { return None };
            wishes.offer(first, Wish::Exactly(Integer::Small(unit.into())));
        }
        Op::FromInt(_, base) => {
            let value = wished.to_int(base);
            (Text::from_int(wished.kind(), &value, base) == *wished).then_some(())?;
            wishes.offer(first, Wish::Exactly(value));
        }
        Op::Recode(_) => {
            let kind = sight.text(first)?.kind();
            wishes.offer_texts(first, [wished.recode(kind)]);
        }
        Op::Expand(_) | Op::FinalSigma(..) | Op::Without(_) => {
            wishes.offer_texts(first, [wished.clone()]);
        }
        _ => return None,
    }
    Some(())
}

/// The units a map turns into this one, itself first.
pub(super) fn unmapped(map: &CharMap, target: Unit) -> impl Iterator<Item = Unit> {
    let itself = (map.apply(target) == target).then_some(target);
    let others = map.pairs().iter().filter(move |pair| pair.1 == target);
    itself.into_iter().chain(others.map(|pair| pair.0))
}

/// A text that a map turns into this one. Units of the text as it is are kept where that is possible.
fn unmapped_text(
    map: &CharMap,
    text: &Text,
    wished: &Text,
    choose: impl Fn(&CharMap, Unit) -> Option<Unit>,
) -> Option<Text> {
    let mut units = Vec::with_capacity(wished.len());
    for (place, &target) in wished.units().iter().enumerate() {
        let current = text.units().get(place).copied();
        let kept = current.filter(|&unit| map.apply(unit) == target);
        units.push(kept.or_else(|| choose(map, target))?);
    }
    Some(Text::new(wished.kind(), units))
}

/// Texts for `a` so that it relates to `b`, or does not.
pub(super) fn related(
    op: Operation,
    a: &Text,
    b: &Text,
    truth: bool,
    strange: &Strange<'_>,
) -> Vec<Text> {
    use Operation as Op;
    let (kind, end) = (a.kind(), a.len());
    let needle = b.units();
    let with = |start: usize, stop: usize| spliced(a, start, stop, needle);
    let longer = |text: &Text| spliced(text, text.len(), text.len(), &FILLING[..1]);
    match (op, truth) {
        (Op::TextEq, true) => vec![b.clone()],
        (Op::StartsWith, true) => vec![with(0, 0), with(0, b.len())],
        (Op::EndsWith, true) => vec![with(end, end), with(end.saturating_sub(b.len()), end)],
        (Op::Contains, true) => {
            let places = 0..=end.min(MAX_PLACES);
            let mut texts = vec![with(end, end)];
            texts.extend(
                places.flat_map(|place| [with(place, place), with(place, place + b.len())]),
            );
            texts
        }
        (Op::TextLt | Op::TextLe, true) => vec![Text::empty(kind), b.clone()],
        (Op::TextLt | Op::TextLe, false) => vec![longer(b), b.clone()],
        (Op::Contains, false) => vec![absent(a, needle, &[]), absent(a, needle, &FILLING[..1])],
        _ => near::disturbed(a, strange.units()),
    }
}

/// Texts for `b` so that `a` relates to it, or does not.
pub(super) fn relating(op: Operation, a: &Text, b: &Text, truth: bool) -> Vec<Text> {
    use Operation as Op;
    let longer = |text: &Text| spliced(text, text.len(), text.len(), &FILLING[..1]);
    match (op, truth) {
        (Op::TextEq | Op::StartsWith | Op::EndsWith | Op::Contains, true) => vec![a.clone()],
        (Op::TextLt | Op::TextLe, true) => vec![longer(a), a.clone()],
        (Op::TextLt | Op::TextLe, false) => vec![Text::empty(a.kind()), a.clone()],
        _ => vec![longer(b), longer(a)],
    }
}

/// The text with every occurrence of the needle replaced.
fn absent(text: &Text, needle: &[Unit], replacement: &[Unit]) -> Text {
    let units = text.units();
    let mut kept = Vec::with_capacity(units.len());
    let mut place = 0;
    while place < units.len() {
        if !needle.is_empty() && units[place..].starts_with(needle) {
            kept.extend_from_slice(replacement);
            place += needle.len();
        } else {
            kept.push(units[place]);
            place += 1;
        }
    }
    Text::new(text.kind(), kept)
}

/// The text with this length: cut or made longer at either end.
pub(super) fn resized(text: &Text, length: usize) -> Vec<Text> {
    let (units, end) = (text.units(), text.len());
    if length <= end {
        let kept = [&units[..length], &units[end - length..]];
        return kept.map(|units| Text::new(text.kind(), units)).to_vec();
    }
    let own = units.last().or(units.first()).copied();
    let mut texts = Vec::new();
    for unit in own.into_iter().chain(FILLING) {
        let filling = vec![unit; (length - end).min(MAX_FILLING)];
        texts.push(spliced(text, end, end, &filling));
        texts.push(spliced(text, 0, 0, &filling));
    }
    texts
}

/// The text with a unit at a place, which may be just behind its end.
pub(super) fn with_unit(text: &Text, place: usize, unit: Unit) -> Vec<Text> {
    if place > text.len() {
        let longer = resized(text, place);
        return longer
            .iter()
            .map(|text| spliced(text, place, place, &[unit]))
            .collect();
    }
    vec![
        spliced(text, place, place + 1, &[unit]),
        spliced(text, place, place, &[unit]),
    ]
}

/// The text with the needle at `target`, nowhere from `start` on (-1), or anywhere there.
pub(super) fn placed(
    text: &Text,
    needle: &Text,
    start: usize,
    found: i64,
    target: i64,
) -> Vec<Text> {
    let (units, end) = (needle.units(), text.len());
    let Ok(place) = usize::try_from(target) else {
        let (before, rest) = text.units().split_at(start.min(end));
        let rest = Text::new(text.kind(), rest);
        let replaced = |by: &[Unit]| {
            let rest = absent(&rest, units, by);
            Text::new(text.kind(), [before, rest.units()].concat())
        };
        return vec![replaced(&[]), replaced(&FILLING[..1])];
    };
    if found >= 0 && found < target {
        // Further right: something before it.
        let (at, more) = (found as usize, (target - found) as usize);
        let filling = |unit| vec![unit; more.min(MAX_FILLING)];
        return FILLING
            .map(|unit| spliced(text, at, at, &filling(unit)))
            .to_vec();
    }
    let mut places = vec![end, place.max(start)];
    places.extend((start..end).take(MAX_PLACES));
    let mut texts = Vec::new();
    for place in places {
        texts.push(spliced(text, place, place, units));
        texts.push(spliced(text, place, place + units.len(), units));
    }
    texts
}

/// Needles that are found at `target`, or nowhere (-1).
pub(super) fn sought(text: &Text, needle: &Text, target: i64, strange: &Strange<'_>) -> Vec<Text> {
    match usize::try_from(target) {
        Ok(place) if place < text.len() => {
            let end = (place + needle.len().max(1)).min(text.len());
            vec![Text::new(text.kind(), &text.units()[place..end])]
        }
        Ok(_) => vec![],
        Err(_) => near::disturbed(needle, strange.units()),
    }
}

/// How many units at the start, or the end, are of the class.
pub(super) fn span(text: &Text, class: &CharClass, from_end: bool) -> usize {
    let inside = |unit: &&Unit| class.contains(**unit);
    if from_end {
        text.units().iter().rev().take_while(inside).count()
    } else {
        text.units().iter().take_while(inside).count()
    }
}

/// The text with `target` instead of `current` units of the class at its start, or its end.
pub(super) fn spanned(
    text: &Text,
    class: &CharClass,
    current: usize,
    target: usize,
    from_end: bool,
) -> Vec<Text> {
    let end = text.len();
    let member = near::members(class, true, &[]).first().copied();
    let stranger = near::members(class, false, &[]).first().copied();
    let mut texts = Vec::new();
    if target > current {
        if let Some(unit) = member {
            let filling = vec![unit; (target - current).min(MAX_FILLING)];
            let place = if from_end { end } else { 0 };
            texts.push(spliced(text, place, place, &filling));
            // The same length: the units next to those of the class become like them.
            let (start, stop) = if from_end {
                (end.saturating_sub(target), end - current)
            } else {
                (current, target)
            };
            texts.push(spliced(text, start, stop, &filling));
        }
        return texts;
    }
    let (start, stop) = if from_end {
        (end - current, end - target)
    } else {
        (target, current)
    };
    texts.push(spliced(text, start, stop, &[]));
    if let Some(unit) = stranger {
        let place = if from_end { end - target } else { target };
        texts.push(spliced(text, place, place, &[unit]));
        let replaced = if from_end {
            place.saturating_sub(1)
        } else {
            place
        };
        texts.push(spliced(text, replaced, replaced + 1, &[unit]));
    }
    texts
}

/// Digits as they are, and as wide as the text was.
pub(super) fn numerals(text: &Text, digits: Text) -> Vec<Text> {
    let missing = text.len().saturating_sub(digits.len());
    let sign = usize::from(digits.units().first() == Some(&('-' as Unit)));
    let wide = spliced(&digits, sign, sign, &vec!['0' as Unit; missing]);
    vec![wide, digits]
}
