//! `--output-format github`: workflow commands, which GitHub Actions shows beside the code.
//!
//! A command is one line, `::error file=m.py,line=3,title=...::message`. Line ends and `%` are escaped
//! everywhere, `:` and `,` in properties too; so no text of the program can end a command or begin one.

use std::fmt::Write;

use super::place::{Columns, Region};
use super::{Finding, Function, Severity, Verdict};
use crate::palette::visible;

/// The command that shows a finding.
pub(super) fn finding(finding: &Finding) -> String {
    let command = match finding.severity {
        Severity::Error => "error",
        Severity::Warning => "warning",
    };
    let title = format!("{} {}", finding.code, finding.name);
    let mut message = finding.sentence();
    for line in &finding.setup {
        let _ = write!(message, "\nafter: {line}");
    }
    line(command, &finding.file, finding.region(), &title, &message)
}

/// The command that says a function was not analysed; nothing for others.
pub(super) fn function(function: &Function) -> String {
    if function.verdict != Verdict::NotAnalysed {
        return String::new();
    }
    let region = Region::of_line(function.line);
    let message = format!("{}: {}", function.name, function.reasons.join("; "));
    line("notice", &function.file, region, "not analysed", &message)
}

fn line(command: &str, file: &str, region: Region, title: &str, message: &str) -> String {
    let rest = match region.columns {
        // Columns are refused where the lines differ.
        Some(Columns {
            start,
            end: Some((last, end)),
        }) if last == region.line => format!(",endLine={last},col={start},endColumn={end}"),
        Some(Columns {
            end: Some((last, _)),
            ..
        }) => format!(",endLine={last}"),
        Some(Columns { start, end: None }) => format!(",col={start}"),
        None => String::new(),
    };
    format!(
        "::{command} file={},line={}{rest},title={}::{}\n",
        property(file),
        region.line,
        property(title),
        data(&lines(message))
    )
}

/// Text of several lines for a log that a terminal may show.
fn lines(text: &str) -> String {
    text.split('\n').map(visible).collect::<Vec<_>>().join("\n")
}

fn data(text: &str) -> String {
    text.replace('%', "%25")
        .replace('\r', "%0D")
        .replace('\n', "%0A")
}

fn property(text: &str) -> String {
    data(text).replace(':', "%3A").replace(',', "%2C")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_of_the_program_cannot_end_or_begin_a_command() {
        let evil = "100%\r\n::error::,";
        assert_eq!(data(evil), "100%25%0D%0A::error::,");
        assert_eq!(property(evil), "100%25%0D%0A%3A%3Aerror%3A%3A%2C");
    }

    #[test]
    fn columns_are_said_only_within_one_line() {
        let finding = |end_line, end_column| Finding {
            file: "m.py".into(),
            line: 3,
            column: Some(5),
            end_line,
            end_column,
            ..Finding::default()
        };
        let places = [
            (Some(3), Some(9), "line=3,endLine=3,col=5,endColumn=9,title"),
            (Some(4), Some(1), "line=3,endLine=4,title"),
            (None, None, "line=3,col=5,title"),
        ];
        for (end_line, end_column, expected) in places {
            let text = super::finding(&finding(end_line, end_column));
            assert!(text.contains(expected), "{text}");
        }
    }
}
