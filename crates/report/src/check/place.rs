//! Where something is, in a form every format can trust.
//!
//! Positions come from an interpreter that may not know its columns, through files that may have
//! changed. What is inconsistent is dropped here, once: an end before its start, a column without
//! the start it belongs to, a line 0.

use super::{Finding, Frame};

/// A range of source text: lines and columns from 1, the end exclusive.
///
/// Never inconsistent: if there is an end it is after the start, and it is whole.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Region {
    /// First line.
    pub line: u32,
    /// First column, and where the range ends, if known.
    pub columns: Option<Columns>,
}

/// The columns of a region.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Columns {
    /// First column.
    pub start: u32,
    /// Last line and the column after the last, if known.
    pub end: Option<(u32, u32)>,
}

impl Region {
    fn new(line: u32, column: Option<u32>, end_line: Option<u32>, end_column: Option<u32>) -> Self {
        let line = line.max(1);
        let columns = column.map(|column| {
            let start = column.max(1);
            let end = end_line.zip(end_column);
            Columns {
                start,
                end: end.filter(|end| *end > (line, start) && end.1 >= 1),
            }
        });
        Region { line, columns }
    }

    /// A whole line.
    pub fn of_line(line: u32) -> Self {
        Region::new(line, None, None, None)
    }

    /// The last line.
    pub fn last_line(self) -> u32 {
        self.columns
            .and_then(|columns| columns.end)
            .map_or(self.line, |(line, _)| line)
    }
}

impl Finding {
    /// Where it is.
    pub fn region(&self) -> Region {
        Region::new(self.line, self.column, self.end_line, self.end_column)
    }
}

impl Frame {
    /// Where it is.
    pub fn region(&self) -> Region {
        Region::new(self.line, self.column, self.end_line, self.end_column)
    }
}

/// `file:line:column`, as far as known.
pub(super) fn location(file: &str, region: Region) -> String {
    match region.columns {
        Some(columns) => format!("{file}:{}:{}", region.line, columns.start),
        None => format!("{file}:{}", region.line),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_end_before_the_start_is_dropped() {
        let region = Region::new(5, Some(4), Some(5), Some(4));
        assert_eq!(region.columns.unwrap().end, None);
        assert_eq!(region.last_line(), 5);
        let whole = Region::new(5, Some(4), Some(6), Some(1));
        assert_eq!(whole.columns.unwrap().end, Some((6, 1)));
        assert_eq!(whole.last_line(), 6);
    }

    #[test]
    fn lines_and_columns_start_at_one() {
        let region = Region::new(0, Some(0), Some(1), Some(0));
        assert_eq!(location("m.py", region), "m.py:1:1");
        assert_eq!(region.columns.unwrap().end, None);
    }

    #[test]
    fn an_end_without_a_start_means_nothing() {
        let region = Region::new(3, None, Some(3), Some(9));
        assert_eq!(region.columns, None);
        assert_eq!(location("m.py", region), "m.py:3");
    }
}
