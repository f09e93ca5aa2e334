//! A report that grows while the check runs.
//!
//! The caller prints what each call returns, [`Stream::finding`] and [`Stream::function`] as they come,
//! then [`Stream::closing`]. Formats that are one document are returned
//! whole by `closing` and say nothing before, so that nobody reads half of one; they list findings
//! and functions by file and line, whatever the order in which workers were done.

use super::{
    Finding, Function, Look, Report, Rule, Sources, Summary, concise, github, gitlab, json, junit,
    sarif,
};

/// In which format a check is reported.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Format {
    /// For people: source, carets, explanations.
    Full,
    /// For people and editors: a line per finding.
    Concise,
    /// The same without a summary.
    Quiet,
    /// One JSON object.
    Json,
    /// A JSON object per line, as it comes.
    JsonLines,
    /// Workflow commands of GitHub Actions.
    Github,
    /// A Code Quality report of GitLab.
    Gitlab,
    /// The XML of `JUnit`, as CI servers read it.
    Junit,
    /// SARIF 2.1.0.
    Sarif,
}

impl Format {
    /// The names `--output-format` takes, and the formats they mean.
    pub const NAMES: [(&'static str, Format); 8] = [
        ("full", Format::Full),
        ("concise", Format::Concise),
        ("json", Format::Json),
        ("json-lines", Format::JsonLines),
        ("github", Format::Github),
        ("gitlab", Format::Gitlab),
        ("junit", Format::Junit),
        ("sarif", Format::Sarif),
    ];

    /// The format of that name.
    ///
    /// ```
    /// use pef_report::check::Format;
    /// assert_eq!(Format::from_name("json-lines"), Some(Format::JsonLines));
    /// assert_eq!(Format::from_name("yaml"), None);
    /// ```
    pub fn from_name(name: &str) -> Option<Self> {
        let mut names = Self::NAMES.iter();
        names.find(|(known, _)| *known == name).map(|known| known.1)
    }

    /// The same format, saying less; documents for programs always say all.
    #[must_use]
    pub fn quiet(self) -> Self {
        match self {
            Format::Full | Format::Concise | Format::Quiet => Format::Quiet,
            Format::Json
            | Format::JsonLines
            | Format::Github
            | Format::Gitlab
            | Format::Junit
            | Format::Sarif => self,
        }
    }
}

/// What is known only when a run is over.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Completion {
    /// Wall time.
    pub seconds: f64,
    /// Whether the run was stopped before its end.
    pub interrupted: bool,
}

/// A report in the making.
///
/// ```
/// use pef_report::check::{Completion, Finding, Format, Look, Stream};
/// let mut stream = Stream::new(Format::Concise, Look::default(), "1.0");
/// let finding = Finding::from_json(
///     r#"{"code": "PEF003", "name": "division-by-zero", "message": "division by zero",
///         "function": "demo:f", "file": "demo.py", "line": 2, "column": 12, "call": "f(0)",
///         "fingerprint": "0c"}"#,
/// )?;
/// assert_eq!(
///     stream.finding(finding)?,
///     "demo.py:2:12: PEF003 division by zero; fails with f(0)\n"
/// );
/// # Ok::<(), serde_json::Error>(())
/// ```
#[derive(Debug, Clone)]
pub struct Stream {
    format: Format,
    look: Look,
    version: String,
    rules: Vec<Rule>,
    sources: Sources,
    report: Report,
}

impl Stream {
    /// A report by the given version of PEF.
    pub fn new(format: Format, look: Look, version: &str) -> Self {
        Stream {
            format,
            look,
            version: version.to_owned(),
            rules: Vec::new(),
            sources: Sources::default(),
            report: Report::default(),
        }
    }

    /// With descriptions of the codes, for formats that carry them.
    #[must_use]
    pub fn with_rules(mut self, rules: Vec<Rule>) -> Self {
        self.rules = rules;
        self
    }

    /// With the text of source files, instead of what is on disk.
    #[must_use]
    pub fn with_sources(mut self, sources: Sources) -> Self {
        self.sources = sources;
        self
    }

    /// The next finding.
    pub fn finding(&mut self, finding: Finding) -> serde_json::Result<String> {
        let text = match self.format {
            Format::Full => self.look.finding(&finding, &mut self.sources),
            Format::Concise | Format::Quiet => concise::finding(&finding, self.look.palette),
            Format::JsonLines => json::Line::Finding(&finding).text()?,
            Format::Github => github::finding(&finding),
            Format::Json | Format::Gitlab | Format::Junit | Format::Sarif => String::new(),
        };
        self.report.summary.count_finding(&finding);
        self.report.findings.push(finding);
        Ok(text)
    }

    /// The next function that is done.
    pub fn function(&mut self, function: Function) -> serde_json::Result<String> {
        let text = match self.format {
            Format::JsonLines => json::Line::Function(&function).text()?,
            Format::Github => github::function(&function),
            Format::Full
            | Format::Concise
            | Format::Quiet
            | Format::Json
            | Format::Gitlab
            | Format::Junit
            | Format::Sarif => String::new(),
        };
        self.report.summary.count_function(&function);
        self.report.functions.push(function);
        Ok(text)
    }

    /// What comes after everything else.
    pub fn closing(&mut self, completion: Completion) -> serde_json::Result<String> {
        self.report.summary.seconds = completion.seconds;
        self.report.summary.interrupted = completion.interrupted;
        self.report.sort();
        let Report {
            findings,
            functions,
            summary,
        } = &self.report;
        match self.format {
            Format::Full => Ok(self.look.closing(findings, functions, summary)),
            Format::Concise => Ok(self.look.summary(summary)),
            Format::Quiet | Format::Github => Ok(String::new()),
            Format::Json => json::report(&self.report),
            Format::JsonLines => json::Line::Summary(summary).text(),
            Format::Gitlab => gitlab::report(findings),
            Format::Junit => Ok(junit::report(&self.report)),
            Format::Sarif => sarif::report(&self.report, &self.rules, &self.version),
        }
    }

    /// The totals so far.
    pub fn summary(&self) -> &Summary {
        &self.report.summary
    }
}

impl Report {
    fn sort(&mut self) {
        self.findings.sort_by(|one, other| {
            let key = |finding: &Finding| (finding.line, finding.column);
            (one.file.cmp(&other.file))
                .then_with(|| key(one).cmp(&key(other)))
                .then_with(|| one.code.cmp(&other.code))
                .then_with(|| one.function.cmp(&other.function))
        });
        self.functions.sort_by(|one, other| {
            (one.file.cmp(&other.file))
                .then_with(|| one.line.cmp(&other.line))
                .then_with(|| one.name.cmp(&other.name))
        });
    }
}
