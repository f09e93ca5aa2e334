//! What `pef check` knows at the end, and every way to write it down.
//!
//! This file is the data: field names and their order are the documented JSON format
//! (`docs/check.schema.json`), so a rename here is a change users notice. Beside it is one module per
//! format, and [`Stream`], through which all of them are used. Which ending of a path is an error, and
//! whether it is true, was decided before; what is read from disk here is source text to quote, and a
//! report must not depend on finding it.

mod concise;
mod full;
mod github;
mod gitlab;
mod json;
mod junit;
mod place;
#[cfg(test)]
mod sample;
mod sarif;
mod source;
mod stream;
#[cfg(test)]
mod tests;
mod totals;

use serde::{Deserialize, Serialize};

use crate::explore::to_the_tenth_of_a_millisecond;
use crate::spelt_out;

pub use full::Look;
pub use place::Region;
pub use source::Sources;
pub use stream::{Completion, Format, Stream};

/// Everything one `pef check` run has to say.
#[derive(Debug, Clone, PartialEq, Default, Serialize)]
pub struct Report {
    /// What is wrong, each once.
    pub findings: Vec<Finding>,
    /// What was looked at, and what is known about it.
    pub functions: Vec<Function>,
    /// Totals.
    pub summary: Summary,
}

/// Something wrong, with an input that shows it.
#[derive(Debug, Clone, PartialEq, Eq, Default, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Finding {
    /// `PEF001`.
    pub code: String,
    /// The code in words: `index-out-of-range`.
    pub name: String,
    /// How bad.
    #[serde(default)]
    pub severity: Severity,
    /// What happened, in one sentence.
    pub message: String,
    /// `module:qualified.name` of the function that was called; the module, if none was.
    pub function: String,
    /// Source file, relative to the working directory where it is below that.
    pub file: String,
    /// Line, from 1.
    pub line: u32,
    /// First column, in characters from 1; unknown before Python 3.11.
    #[serde(default)]
    pub column: Option<u32>,
    /// Last line.
    #[serde(default)]
    pub end_line: Option<u32>,
    /// The column after the last.
    #[serde(default)]
    pub end_column: Option<u32>,
    /// The call that fails, to be pasted.
    #[serde(default)]
    pub call: Option<String>,
    /// Lines to paste before the call.
    #[serde(default)]
    pub setup: Vec<String>,
    /// What was raised, if something was.
    #[serde(default)]
    pub exception: Option<Exception>,
    /// The violated contract clause.
    #[serde(default)]
    pub contract: Option<Clause>,
    /// The frames of the failure, outermost first.
    #[serde(default)]
    pub trace: Vec<Frame>,
    /// More to know.
    #[serde(default)]
    pub notes: Vec<String>,
    /// What could be done.
    #[serde(default)]
    pub hint: Option<String>,
    /// The same for the same cause, whatever else in the file changed.
    pub fingerprint: String,
}

impl Finding {
    /// Reads one element of `findings`; unknown fields are refused, an empty call is none.
    pub fn from_json(text: &str) -> serde_json::Result<Self> {
        let mut finding: Self = serde_json::from_str(&spelt_out(text))?;
        finding.call = finding.call.filter(|call| !call.is_empty());
        Ok(finding)
    }

    /// The code's name as words: `index out of range`.
    pub(crate) fn title(&self) -> String {
        self.name.replace('-', " ")
    }

    /// The message, and the call that shows it.
    pub(crate) fn sentence(&self) -> String {
        match &self.call {
            Some(call) => format!("{}; fails with {call}", self.message),
            None => self.message.clone(),
        }
    }
}

/// How bad a finding is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Severity {
    /// The program is wrong.
    #[default]
    Error,
    /// Something about the analysis wants attention.
    Warning,
}

impl Severity {
    /// The word used in reports.
    pub fn name(self) -> &'static str {
        match self {
            Severity::Error => "error",
            Severity::Warning => "warning",
        }
    }
}

/// An exception that left the function.
#[derive(Debug, Clone, PartialEq, Eq, Default, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Exception {
    /// Qualified type name; builtins without their module.
    #[serde(rename = "type")]
    pub type_name: String,
    /// `str()` of the exception.
    pub message: String,
}

/// A contract clause.
#[derive(Debug, Clone, PartialEq, Eq, Default, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Clause {
    /// `assume`, `ensure`, `raises`, `invariant`, ...
    pub kind: String,
    /// The clause as written.
    pub text: String,
    /// Its file.
    #[serde(default)]
    pub file: Option<String>,
    /// Its line, from 1.
    #[serde(default)]
    pub line: Option<u32>,
}

/// One frame of a failure.
#[derive(Debug, Clone, PartialEq, Eq, Default, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Frame {
    /// Source file.
    pub file: String,
    /// Line, from 1.
    pub line: u32,
    /// First column, in characters from 1; unknown before Python 3.11.
    #[serde(default)]
    pub column: Option<u32>,
    /// Last line.
    #[serde(default)]
    pub end_line: Option<u32>,
    /// The column after the last.
    #[serde(default)]
    pub end_column: Option<u32>,
    /// Name of the function that was running.
    #[serde(default)]
    pub function: String,
    /// The first line as it was when it ran, with or without indentation; empty if unknown.
    #[serde(default)]
    pub source: String,
}

/// What is known about one function.
#[derive(Debug, Clone, PartialEq, Default, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Function {
    /// `module:qualified.name`.
    pub name: String,
    /// Source file.
    pub file: String,
    /// Line of the `def`, from 1.
    pub line: u32,
    /// The result.
    pub verdict: Verdict,
    /// Why it is no better than that.
    #[serde(default)]
    pub reasons: Vec<String>,
    /// Paths explored.
    #[serde(default)]
    pub paths: u64,
    /// Free decisions on the deepest path.
    #[serde(default)]
    pub depth: u32,
    /// Wall time.
    #[serde(default, serialize_with = "to_the_tenth_of_a_millisecond")]
    pub seconds: f64,
    /// Whether the result is of an earlier run.
    #[serde(default)]
    pub cached: bool,
}

impl Function {
    /// Reads one element of `functions`; unknown fields are refused.
    pub fn from_json(text: &str) -> serde_json::Result<Self> {
        serde_json::from_str(&spelt_out(text))
    }
}

/// The result for a function.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default, Deserialize, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Verdict {
    /// An input really fails.
    Error,
    /// Every path was seen, and none fails.
    Proved,
    /// No path seen fails; others may exist.
    NoErrorFound,
    /// Nothing is known.
    #[default]
    NotAnalysed,
}

impl Verdict {
    /// The verdict in words.
    pub fn words(self) -> &'static str {
        match self {
            Verdict::Error => "error",
            Verdict::Proved => "proved",
            Verdict::NoErrorFound => "no error found",
            Verdict::NotAnalysed => "not analysed",
        }
    }
}

/// Totals of a run. Every function is counted exactly once, by its verdict.
#[derive(Debug, Clone, PartialEq, Default, Serialize)]
pub struct Summary {
    /// All functions.
    pub functions: u64,
    /// Findings that are errors.
    pub errors: u64,
    /// Findings that are warnings.
    pub warnings: u64,
    /// Functions with an error.
    pub functions_with_errors: u64,
    /// Functions proved.
    pub proved: u64,
    /// Functions without an error found, some paths open.
    pub no_error_found: u64,
    /// Functions not analysed.
    pub not_analysed: u64,
    /// Paths of all functions.
    pub paths: u64,
    /// Wall time.
    #[serde(serialize_with = "to_the_tenth_of_a_millisecond")]
    pub seconds: f64,
    /// Whether the run was stopped before its end.
    pub interrupted: bool,
}

/// What a code means, for formats that describe the codes they use.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Rule {
    /// `PEF001`.
    pub code: String,
    /// `index-out-of-range`.
    pub name: String,
    /// One sentence.
    pub meaning: String,
    /// A page about it, in Markdown.
    pub page: String,
}
