//! `--output-format junit`: functions as test cases, for CI servers.
//!
//! A suite per file, a case per function: an error is a failure, a function that was not analysed is
//! skipped, one that stayed open passes and says so in its output. A finding about no function of the
//! report (a module that cannot be imported, an unused suppression) is a case of its own.

use std::collections::BTreeMap;
use std::fmt::Write;

use super::place::location;
use super::{Finding, Function, Report, Severity, Verdict};
use crate::palette::visible;

/// The whole document.
pub(super) fn report(report: &Report) -> String {
    let mut suites: BTreeMap<&str, Suite> = BTreeMap::new();
    let mut of_function: BTreeMap<&str, Vec<&Finding>> = BTreeMap::new();
    for finding in &report.findings {
        let cases = of_function.entry(&finding.function).or_default();
        cases.push(finding);
    }
    for function in &report.functions {
        let findings = of_function.remove(function.name.as_str());
        let suite = suites.entry(&function.file).or_default();
        suite.function(function, &findings.unwrap_or_default());
    }
    for finding in of_function.into_values().flatten() {
        suites.entry(&finding.file).or_default().alone(finding);
    }
    let mut whole = Suite::default();
    for (file, suite) in &suites {
        whole.tests += suite.tests;
        whole.failures += suite.failures;
        whole.skipped += suite.skipped;
        let _ = write!(
            whole.text,
            "  <testsuite name=\"{}\" {} skipped=\"{}\" time=\"{:.3}\">\n{}  </testsuite>\n",
            escaped(file),
            suite.counts(),
            suite.skipped,
            suite.seconds,
            suite.text
        );
    }
    format!(
        "<?xml version=\"1.0\" encoding=\"utf-8\"?>\n\
         <testsuites name=\"pef\" {} time=\"{:.3}\">\n{}</testsuites>\n",
        whole.counts(),
        report.summary.seconds,
        whole.text
    )
}

/// The cases of one file, written down and counted.
#[derive(Default)]
struct Suite {
    tests: u64,
    failures: u64,
    skipped: u64,
    seconds: f64,
    text: String,
}

impl Suite {
    fn counts(&self) -> String {
        let (tests, failures) = (self.tests, self.failures);
        format!("tests=\"{tests}\" failures=\"{failures}\" errors=\"0\"")
    }

    fn function(&mut self, function: &Function, findings: &[&Finding]) {
        let mut body = String::new();
        for finding in findings {
            body += &problem(finding);
        }
        let reasons = function.reasons.join("; ");
        match function.verdict {
            Verdict::NotAnalysed if body.is_empty() => {
                self.skipped += 1;
                let _ = writeln!(body, "      <skipped message=\"{}\"/>", escaped(&reasons));
            }
            Verdict::NoErrorFound => body += &output(&format!("open: {reasons}")),
            Verdict::NotAnalysed | Verdict::Error | Verdict::Proved => {}
        }
        let (class, name) = split(&function.name);
        self.seconds += function.seconds;
        self.failures += u64::from(findings.iter().any(|one| one.severity == Severity::Error));
        self.case(class, name, function.seconds, &body);
    }

    fn alone(&mut self, finding: &Finding) {
        let (class, _) = split(&finding.function);
        self.failures += u64::from(finding.severity == Severity::Error);
        let name = format!("{}:{} {}", finding.file, finding.line, finding.code);
        self.case(class, &name, 0.0, &problem(finding));
    }

    fn case(&mut self, class: &str, name: &str, seconds: f64, body: &str) {
        self.tests += 1;
        let _ = write!(
            self.text,
            "    <testcase classname=\"{}\" name=\"{}\" time=\"{seconds:.3}\"",
            escaped(class),
            escaped(name)
        );
        let _ = if body.is_empty() {
            writeln!(self.text, "/>")
        } else {
            write!(self.text, ">\n{body}    </testcase>\n")
        };
    }
}

/// A failure; a warning is output, since it does not make a case fail.
fn problem(finding: &Finding) -> String {
    let place = location(&finding.file, finding.region());
    let mut details = vec![format!("{place}: {} {}", finding.code, finding.message)];
    details.extend(
        finding
            .call
            .iter()
            .map(|call| format!("fails with: {call}")),
    );
    details.extend(finding.setup.iter().map(|line| format!("after: {line}")));
    details.extend(finding.notes.iter().map(|note| format!("note: {note}")));
    let details = details.join("\n");
    match finding.severity {
        Severity::Error => format!(
            "      <failure type=\"{} {}\" message=\"{}\">{}</failure>\n",
            escaped(&finding.code),
            escaped(&finding.name),
            escaped(&finding.message),
            escaped(&details)
        ),
        Severity::Warning => output(&details),
    }
}

fn output(text: &str) -> String {
    format!("      <system-out>{}</system-out>\n", escaped(text))
}

/// `module:name` as class and name.
fn split(function: &str) -> (&str, &str) {
    function.split_once(':').unwrap_or((function, function))
}

/// Text for an element or an attribute. What XML cannot hold at all is spelt out.
fn escaped(text: &str) -> String {
    let mut safe = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '&' => safe.push_str("&amp;"),
            '<' => safe.push_str("&lt;"),
            '>' => safe.push_str("&gt;"),
            '"' => safe.push_str("&quot;"),
            // As it is, it would be a space in an attribute.
            '\n' => safe.push_str("&#10;"),
            '\t' => safe.push_str("&#9;"),
            '\u{fffe}' | '\u{ffff}' => safe.extend(character.escape_unicode()),
            _ if character.is_control() => {
                safe.push_str(&visible(character.encode_utf8(&mut [0; 4])));
            }
            _ => safe.push(character),
        }
    }
    safe
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_xml_cannot_hold_is_spelt_out() {
        assert_eq!(
            escaped("<a b=\"&\">\n\t\0\x1b\u{fffe}ñ"),
            "&lt;a b=&quot;&amp;&quot;&gt;&#10;&#9;\\u{0}\\u{1b}\\u{fffe}ñ"
        );
    }
}
