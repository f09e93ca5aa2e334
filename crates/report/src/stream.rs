//! A report that grows while the exploration runs.
//!
//! The caller prints what each call returns, in order: [`Stream::opening`], [`Stream::path`] per path,
//! [`Stream::closing`]. The totals are kept here, so that whatever the format, the same paths give the
//! same summary.

use serde::Deserialize;

use crate::{CoverageReport, PathReport, Summary, TextFormat, json, spelt_out};

/// In which format, and how.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Format {
    /// For people.
    Full(TextFormat),
    /// For people who only want the summary.
    Quiet(TextFormat),
    /// For programs.
    Json,
}

impl Format {
    /// The format called `full`, `quiet` or `json`.
    pub fn from_name(name: &str, text: TextFormat) -> Option<Self> {
        match name {
            "full" => Some(Format::Full(text)),
            "quiet" => Some(Format::Quiet(text)),
            "json" => Some(Format::Json),
            _ => None,
        }
    }
}

/// What is known only when a run is over.
#[derive(Debug, Clone, PartialEq, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Completion {
    /// Whether no other path exists.
    pub exhaustive: bool,
    /// If not: why.
    pub open: Vec<String>,
    /// Wall time.
    pub seconds: f64,
    /// Branch coverage, if measured.
    pub coverage: Option<CoverageReport>,
}

/// A report in the making.
///
/// ```
/// use pef_report::{Completion, Format, PathReport, Stream, TextFormat};
/// let mut stream = Stream::new(Format::Full(TextFormat::default()), "demo:f", "demo.py", 3);
/// let path = PathReport::from_json(r#"{"call": "f(1)", "result": "2", "reproduced": true}"#)?;
/// let mut text = stream.opening()?;
/// text += &stream.path(&path)?;
/// text += &stream.closing(Completion { exhaustive: true, ..Default::default() })?;
/// assert_eq!(text, "f(1) -> 2\n\n1 path: 1 returned, 0 raised; depth 0; 0 pruned; exhaustive\n");
/// # Ok::<(), serde_json::Error>(())
/// ```
#[derive(Debug, Clone)]
pub struct Stream {
    format: Format,
    function: String,
    file: String,
    line: u32,
    summary: Summary,
}

impl Stream {
    /// A report on one function, `module:qualified.name` in `file` at `line`.
    pub fn new(format: Format, function: &str, file: &str, line: u32) -> Self {
        Stream {
            format,
            function: function.to_owned(),
            file: file.to_owned(),
            line,
            summary: Summary::default(),
        }
    }

    /// What comes before the first path.
    pub fn opening(&self) -> serde_json::Result<String> {
        match &self.format {
            Format::Full(_) | Format::Quiet(_) => Ok(String::new()),
            Format::Json => json::opening(&self.function, &self.file, self.line),
        }
    }

    /// The next path.
    pub fn path(&mut self, path: &PathReport) -> serde_json::Result<String> {
        let separator = if self.summary.paths == 0 {
            ""
        } else {
            json::SEPARATOR
        };
        self.summary.count(path);
        match &self.format {
            Format::Full(text) => Ok(text.path(path) + "\n"),
            Format::Quiet(_) => Ok(String::new()),
            Format::Json => Ok(format!("{separator}{}", json::path(path)?)),
        }
    }

    /// What comes after the last path.
    pub fn closing(&mut self, completion: Completion) -> serde_json::Result<String> {
        self.summary.exhaustive = completion.exhaustive;
        self.summary.open = completion.open;
        self.summary.seconds = completion.seconds;
        self.summary.coverage = completion.coverage;
        match &self.format {
            Format::Full(text) | Format::Quiet(text) => Ok(text.summary(&self.summary)),
            Format::Json => json::closing(&self.summary),
        }
    }

    /// The totals so far.
    pub fn summary(&self) -> &Summary {
        &self.summary
    }
}

impl Summary {
    /// The totals as the `summary` object of a report.
    pub fn to_json(&self) -> serde_json::Result<String> {
        serde_json::to_string(self)
    }
}

impl PathReport {
    /// Reads one element of `paths`; absent fields take their defaults, unknown ones are refused.
    pub fn from_json(text: &str) -> serde_json::Result<Self> {
        serde_json::from_str(&spelt_out(text))
    }
}

impl Completion {
    /// Reads a completion; absent fields take their defaults, unknown ones are refused.
    pub fn from_json(text: &str) -> serde_json::Result<Self> {
        serde_json::from_str(text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{DecisionOutcome, ExploreReport, Outcome};

    const PATH: &str = r#"{"call": "f(1, k=2)", "args": ["1"], "kwargs": {"k": "2", "a": "3"},
        "outcome": "raised", "exception": {"type": "KeyError", "message": "1"}, "depth": 2,
        "decisions": [
            {"file": "m.py", "line": 1, "kind": "if", "outcome": true, "free": true},
            {"file": "m.py", "line": 2, "column": 5, "kind": "index", "outcome": 3, "free": false},
            {"file": "m.py", "line": 3, "kind": "type", "outcome": "int", "free": true}],
        "reproduced": true}"#;

    fn written(format: Format) -> String {
        let mut stream = Stream::new(format, "m:f", "m.py", 7);
        let path = PathReport::from_json(PATH).unwrap();
        let mut text = stream.opening().unwrap();
        for _ in 0..2 {
            text += &stream.path(&path).unwrap();
        }
        let open = vec!["depth limit".to_owned()];
        text + &stream
            .closing(Completion {
                open,
                ..Completion::default()
            })
            .unwrap()
    }

    #[test]
    fn a_path_reads_back_as_it_was_written() {
        let path = PathReport::from_json(PATH).unwrap();
        let outcomes: Vec<_> = path.decisions.iter().map(|each| &each.outcome).collect();
        assert_eq!(
            outcomes,
            [
                &DecisionOutcome::Truth(true),
                &DecisionOutcome::Choice(3),
                &DecisionOutcome::Named("int".into())
            ]
        );
        assert_eq!(
            path.kwargs[1],
            ("a".into(), "3".into()),
            "call order is kept"
        );
        assert_eq!(path.outcome, Outcome::Raised);
        assert_eq!(
            PathReport::from_json(&json::path(&path).unwrap()).unwrap(),
            path
        );
    }

    #[test]
    fn a_misspelt_field_is_refused() {
        assert!(PathReport::from_json(r#"{"cal": "f()"}"#).is_err());
        assert!(Completion::from_json(r#"{"exhausted": true}"#).is_err());
    }

    #[test]
    fn a_streamed_object_is_the_one_written_at_once() {
        let path = PathReport::from_json(PATH).unwrap();
        let mut whole = ExploreReport {
            function: "m:f".into(),
            file: "m.py".into(),
            line: 7,
            paths: vec![path.clone(), path.clone()],
            ..ExploreReport::default()
        };
        whole.summary.open = vec!["depth limit".into()];
        whole.summary.count(&path);
        whole.summary.count(&path);
        assert_eq!(written(Format::Json), json::report(&whole).unwrap());
    }

    #[test]
    fn a_format_is_found_by_its_name() {
        let text = TextFormat::default();
        assert_eq!(Format::from_name("json", text.clone()), Some(Format::Json));
        assert_eq!(Format::from_name("xml", text), None);
    }

    #[test]
    fn quiet_says_only_the_summary() {
        assert_eq!(
            written(Format::Quiet(TextFormat::default())),
            "2 paths: 0 returned, 2 raised; depth 2; 0 pruned; not exhausted: depth limit\n"
        );
    }
}
