//! `--output-format full`: what a person reads.
//!
//! One block per path: the call, then one line per thing to say, each led by a mark: `|` output,
//! `2>` error output, `!` something went wrong, `~` something is incomplete, `?` the replay disagreed.
//! Blocks are separated by an empty line and the summary comes last.

use std::fmt::Write;

use crate::palette::{Palette, Role, visible};
use crate::{
    ContractReport, CoverageReport, ExceptionReport, Outcome, PathReport, PinReport, Summary,
};

/// Locations end in this column, unless what is left of them is too long.
const LOCATION_END: usize = 50;

/// How `full` text is rendered.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct TextFormat {
    /// Show the path condition under each call. Default: no.
    pub conditions: bool,
    /// Show branch coverage and time. Default: no.
    pub verbose: bool,
    /// Colours. Default: none.
    pub palette: Palette,
    /// File of the analysed function, for locations of contract clauses.
    pub file: String,
}

impl TextFormat {
    /// The block of one path, without the empty line after it.
    ///
    /// ```
    /// use pef_report::{PathReport, TextFormat};
    /// let path = PathReport {
    ///     call: "f(1)".into(),
    ///     result: Some("2".into()),
    ///     reproduced: true,
    ///     ..Default::default()
    /// };
    /// assert_eq!(TextFormat::default().path(&path), "f(1) -> 2\n");
    /// ```
    pub fn path(&self, path: &PathReport) -> String {
        let mut block = Block {
            format: self,
            text: String::new(),
        };
        block.call(path);
        if self.conditions {
            block.conditions(&path.condition);
        }
        block.output("|", &path.stdout);
        block.output("2>", &path.stderr);
        block.ending(path);
        if let Some(contract) = &path.contract {
            block.violation(contract);
        }
        for pin in &path.pins {
            block.pin(pin);
        }
        if path.outcome != Outcome::Pruned && !path.reproduced {
            block.not_reproduced(path.replay.as_deref());
        }
        block.text
    }

    /// The last lines of a report.
    pub fn summary(&self, summary: &Summary) -> String {
        let mut text = self.totals(summary);
        text.push('\n');
        if self.verbose {
            if let Some(coverage) = &summary.coverage {
                text.push_str(&self.coverage(coverage));
            }
            let _ = writeln!(text, "{:.2} s", summary.seconds);
        }
        text
    }

    fn totals(&self, summary: &Summary) -> String {
        let mut endings = format!("{} returned, {} raised", summary.returned, summary.raised);
        for (count, what) in [
            (summary.timeout, "timed out"),
            (summary.crash, "crashed"),
            (summary.exit, "exited"),
        ] {
            if count > 0 {
                let _ = write!(endings, ", {count} {what}");
            }
        }
        for (count, what) in [
            (summary.not_reproduced, "not reproduced"),
            (summary.violated, "violating the contract"),
            (summary.pinned, "pinned"),
        ] {
            if count > 0 {
                let _ = write!(endings, "; {count} {what}");
            }
        }
        let (role, completeness) = if summary.exhaustive {
            (Role::Good, "exhaustive".to_owned())
        } else if summary.open.is_empty() {
            (Role::Doubt, "not exhausted".to_owned())
        } else {
            (
                Role::Doubt,
                visible(&format!("not exhausted: {}", summary.open.join(", "))),
            )
        };
        format!(
            "{} path{}: {endings}; depth {}; {} pruned; {}",
            summary.paths,
            if summary.paths == 1 { "" } else { "s" },
            summary.depth,
            summary.pruned,
            self.palette.paint(role, &completeness)
        )
    }

    fn coverage(&self, coverage: &CoverageReport) -> String {
        let mut text = format!(
            "{} of {} branches covered\n",
            coverage.covered, coverage.branches
        );
        for missed in &coverage.missing {
            let line = missed.line;
            let place = match missed.column {
                Some(column) => format!("{}:{line}:{column}", self.file),
                None => format!("{}:{line}", self.file),
            };
            let _ = writeln!(
                text,
                "  {} {}",
                self.palette
                    .paint(Role::Doubt, &format!("never {}:", missed.outcome)),
                self.palette.paint(Role::Location, &place)
            );
        }
        text
    }
}

/// The text of one path while it grows.
struct Block<'format> {
    format: &'format TextFormat,
    text: String,
}

impl Block<'_> {
    fn call(&mut self, path: &PathReport) {
        self.text
            .push_str(&self.format.palette.paint(Role::Call, &visible(&path.call)));
        if let (Outcome::Returned, Some(result)) = (path.outcome, &path.result) {
            self.text.push_str(" -> ");
            self.text.push_str(&visible(result));
        }
        self.text.push('\n');
    }

    fn conditions(&mut self, conditions: &[String]) {
        for (position, condition) in conditions.iter().enumerate() {
            let word = if position == 0 { "if" } else { "and" };
            let _ = writeln!(self.text, "  {word} {}", visible(condition));
        }
    }

    fn output(&mut self, mark: &str, output: &str) {
        for line in output.split_terminator('\n') {
            let text = format!("{mark} {}", visible(line));
            let painted = self.format.palette.paint(Role::Output, text.trim_end());
            let _ = writeln!(self.text, "  {painted}");
        }
    }

    fn ending(&mut self, path: &PathReport) {
        let detail = |word: &str| match &path.detail {
            Some(detail) => format!("{word}: {detail}"),
            None => word.to_owned(),
        };
        match (path.outcome, &path.exception) {
            (Outcome::Raised, Some(exception)) => self.exception(exception),
            (Outcome::Raised, None) => self.remark(Role::Error, "! raised", None),
            (Outcome::Pruned, _) => self.remark(Role::Doubt, &detail("~ pruned"), None),
            (Outcome::Timeout, _) => self.remark(Role::Error, &detail("! timeout"), None),
            (Outcome::Crash, _) => self.remark(Role::Error, &detail("! crash"), None),
            (Outcome::Exit, _) => self.remark(Role::Error, &detail("! exit"), None),
            (Outcome::Returned, _) => {}
        }
    }

    fn exception(&mut self, exception: &ExceptionReport) {
        let mut lines = exception.message.split('\n');
        let title = match lines.next() {
            Some(first) if !first.is_empty() => format!("! {}: {first}", exception.type_name),
            _ => format!("! {}", exception.type_name),
        };
        let place = place(exception.file.as_deref(), exception.line);
        self.remark(Role::Error, &title, place.as_deref());
        for line in lines {
            self.remark(Role::Error, &format!("!   {line}"), None);
        }
    }

    fn violation(&mut self, contract: &ContractReport) {
        let place = place(Some(self.format.file.as_str()), Some(contract.line));
        let text = format!("! violates :{}: {}", contract.kind, contract.text);
        self.remark(Role::Error, &text, place.as_deref());
    }

    fn pin(&mut self, pin: &PinReport) {
        let text = match (&pin.expression, &pin.value) {
            (Some(expression), Some(value)) => {
                format!("~ pinned {expression} == {value}: {}", pin.reason)
            }
            _ => format!("~ pinned: {}", pin.reason),
        };
        self.remark(
            Role::Doubt,
            &text,
            place(pin.file.as_deref(), pin.line).as_deref(),
        );
    }

    fn not_reproduced(&mut self, replay: Option<&str>) {
        let text = match replay {
            Some(replay) => format!("? not reproduced: the replay {replay}"),
            None => "? not reproduced".to_owned(),
        };
        self.remark(Role::Doubt, &text, None);
    }

    /// One indented line, with `location` right-aligned where it fits and after two spaces if not.
    fn remark(&mut self, role: Role, text: &str, location: Option<&str>) {
        let text = visible(text);
        let text = text.trim_end();
        let _ = write!(self.text, "  {}", self.format.palette.paint(role, text));
        if let Some(location) = location.map(visible) {
            let used = 2 + text.chars().count() + location.chars().count();
            let gap = LOCATION_END.saturating_sub(used).max(2);
            let painted = self.format.palette.paint(Role::Location, &location);
            let _ = write!(self.text, "{:gap$}{painted}", "");
        }
        self.text.push('\n');
    }
}

fn place(file: Option<&str>, line: Option<u32>) -> Option<String> {
    match (file, line) {
        (Some(file), Some(line)) => Some(format!("{file}:{line}")),
        (Some(file), None) => Some(file.to_owned()),
        (None, _) => None,
    }
}

#[cfg(test)]
mod tests;
