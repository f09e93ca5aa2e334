//! From a region to the text it covers.

use std::ops::Range;

use annotate_snippets::{AnnotationKind, Element, Origin, Snippet};

use crate::check::place::{Columns, Region};
use crate::check::source::Sources;
use crate::palette::visible;

/// A region of more lines is quoted by its first.
const MOST_LINES: u32 = 4;

/// Lines of source and the part of them that is meant.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Quote {
    text: String,
    line: u32,
    span: Range<usize>,
}

impl Quote {
    /// The text of a region. `remembered` is its first line as it was when it ran, or empty; where the
    /// file says something else by now, what ran is quoted.
    pub(super) fn find(
        sources: &mut Sources,
        file: &str,
        region: Region,
        remembered: &str,
    ) -> Option<Self> {
        let last = region.last_line();
        let whole = last - region.line < MOST_LINES;
        let last = if whole { last } else { region.line };
        let (lines, region): (Vec<String>, Region) = match sources.lines(file, region.line, last) {
            Some(lines) if is_same(&lines[0], remembered) => {
                (lines.iter().map(|line| printable(line)).collect(), region)
            }
            // The indentation may be gone, so the columns mean nothing.
            _ => (
                vec![printable(remembered.trim().lines().next()?)],
                Region::of_line(region.line),
            ),
        };
        Some(Quote {
            span: span(&lines, region),
            text: lines.join("\n"),
            line: region.line,
        })
    }

    /// The source, marked.
    pub(super) fn element(
        self,
        file: &str,
        kind: AnnotationKind,
        label: Option<String>,
    ) -> Element<'static> {
        Snippet::source(self.text)
            .line_start(self.line as usize)
            .path(visible(file))
            .annotation(kind.span(self.span).label(label))
            .into()
    }
}

/// A place without source to quote.
pub(super) fn origin(file: &str, region: Region) -> Origin<'static> {
    let origin = Origin::path(visible(file)).line(region.line as usize);
    match region.columns {
        Some(columns) => origin.char_column(columns.start as usize),
        None => origin,
    }
}

/// A line that cannot control the terminal, as many characters long.
fn printable(line: &str) -> String {
    let shown = |character: char| match character {
        '\t' => '\t',
        _ if character.is_control() => char::REPLACEMENT_CHARACTER,
        _ => character,
    };
    line.chars().map(shown).collect()
}

fn is_same(line: &str, remembered: &str) -> bool {
    let remembered = remembered.lines().next().unwrap_or_default().trim();
    remembered.is_empty() || line.trim() == remembered
}

/// The bytes of the joined `lines` that `region` covers; the whole first line if it does not say.
fn span(lines: &[String], region: Region) -> Range<usize> {
    let first = &lines[0];
    let indent = first.len() - first.trim_start().len();
    let ends = first.trim_end().len().max(indent);
    let Some(Columns { start, end }) = region.columns else {
        return indent..ends;
    };
    let start = offset(first, start);
    let stop = end.and_then(|(line, column)| {
        let last = (line - region.line) as usize;
        let before: usize = lines.iter().take(last).map(|line| line.len() + 1).sum();
        Some(before + offset(lines.get(last)?, column))
    });
    start..stop.unwrap_or(ends).max(start)
}

/// The byte at which a column begins; the end of the line if it is shorter.
fn offset(line: &str, column: u32) -> usize {
    line.char_indices()
        .nth(column as usize - 1)
        .map_or(line.len(), |(at, _)| at)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::Frame;

    fn quoted(text: &str, frame: &Frame) -> Option<String> {
        let mut sources = Sources::given([("m.py", text)]);
        let quote = Quote::find(&mut sources, "m.py", frame.region(), &frame.source)?;
        Some(quote.text[quote.span].to_owned())
    }

    fn frame(line: u32, column: Option<u32>, end: Option<(u32, u32)>) -> Frame {
        Frame {
            line,
            column,
            end_line: end.map(|end| end.0),
            end_column: end.map(|end| end.1),
            ..Frame::default()
        }
    }

    #[test]
    fn columns_count_characters() {
        let place = frame(1, Some(7), Some((1, 10)));
        assert_eq!(quoted("'ñß' +x[0] ", &place).unwrap(), "x[0");
    }

    #[test]
    fn a_line_without_columns_is_marked_whole() {
        assert_eq!(
            quoted("a\n  b + c  \n", &frame(2, None, None)).unwrap(),
            "b + c"
        );
    }

    #[test]
    fn several_lines_are_one_quotation_and_many_are_cut() {
        let text = "f(\n  1,\n  2)\n\n\n\n";
        assert_eq!(
            quoted(text, &frame(1, Some(1), Some((3, 5)))).unwrap(),
            "f(\n  1,\n  2)"
        );
        assert_eq!(
            quoted(text, &frame(1, Some(1), Some((6, 1)))).unwrap(),
            "f("
        );
    }

    #[test]
    fn columns_past_the_end_mark_the_end() {
        assert_eq!(
            quoted("ab", &frame(1, Some(2), Some((1, 90)))).unwrap(),
            "b"
        );
        assert_eq!(
            quoted("ab", &frame(1, Some(50), Some((1, 90)))).unwrap(),
            ""
        );
    }

    #[test]
    fn a_changed_file_is_not_quoted() {
        let ran = Frame {
            source: "  return old".into(),
            ..frame(1, Some(3), Some((1, 13)))
        };
        assert_eq!(quoted("  return new", &ran).unwrap(), "return old");
        assert_eq!(quoted("", &ran).unwrap(), "return old");
        assert_eq!(quoted("", &frame(1, None, None)), None);
    }
}
