//! Lone surrogates, which a Python `str` may hold and no other text may.
//!
//! `json.dumps` writes them as `\ud800`, which is JSON in letter and not in spirit: a reader that wants
//! Unicode refuses it. A report has to be written all the same, so they are spelt out: what stands for
//! the character is the six characters of its escape.

use std::borrow::Cow;

/// `json` with every escape of a lone surrogate turned into text.
///
/// ```
/// use pef_report::spelt_out;
/// assert_eq!(spelt_out(r#""\ud83d\ude00 \ud800 \\ud800""#), r#""\ud83d\ude00 \\ud800 \\ud800""#);
/// ```
pub fn spelt_out(json: &str) -> Cow<'_, str> {
    let mut safe = String::new();
    let mut copied = 0;
    let mut at = 0;
    while let Some(next) = json[at..].find('\\') {
        at += next;
        match surrogate(&json[at..]) {
            Some(Half::Leading) if surrogate(&json[at + 6..]) == Some(Half::Trailing) => at += 12,
            Some(Half::Leading | Half::Trailing) => {
                safe.push_str(&json[copied..at]);
                safe.push('\\');
                copied = at;
                at += 6;
            }
            // An escape is two characters at least; the second may be a backslash, or wide.
            None => at += 1 + json[at + 1..].chars().next().map_or(0, char::len_utf8),
        }
    }
    if copied == 0 && safe.is_empty() {
        return Cow::Borrowed(json);
    }
    safe.push_str(&json[copied..]);
    Cow::Owned(safe)
}

/// Half of a pair.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Half {
    Leading,
    Trailing,
}

/// Which half the escape at the beginning of `text` stands for, if it is one.
fn surrogate(text: &str) -> Option<Half> {
    let digits = text.strip_prefix("\\u")?.get(..4)?;
    match u16::from_str_radix(digits, 16).ok()? {
        0xd800..=0xdbff => Some(Half::Leading),
        0xdc00..=0xdfff => Some(Half::Trailing),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_has_no_lone_surrogate_stays_as_it_is() {
        for json in [
            r#""a\n\\""#,
            r#""\ud83d\ude00""#,
            "",
            r"\",
            r"\u12",
            "\\ñ\\ud",
        ] {
            assert!(
                matches!(spelt_out(json), Cow::Borrowed(same) if same == json),
                "{json}"
            );
        }
    }

    #[test]
    fn each_half_alone_is_spelt_out() {
        for (json, text) in [
            (r#""\ud800""#, r"\ud800"),
            (r#""\udfff\ud83d\ude00""#, "\\udfff😀"),
            (r#""\ud800\ud83d\ude00""#, "\\ud800😀"),
            (r#""\\\uDC00\"\udbff""#, "\\\\uDC00\"\\udbff"),
        ] {
            let read: String = serde_json::from_str(&spelt_out(json)).unwrap();
            assert_eq!(read, text);
        }
    }
}
