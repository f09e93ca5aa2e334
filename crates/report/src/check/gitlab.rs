//! `--output-format gitlab`: a Code Quality report.
//!
//! An array of issues; GitLab wants a description, a check name, a fingerprint that no other issue of
//! the report has, a severity, and a path relative to the repository that does not begin with `./`.

use std::collections::BTreeMap;

use serde::Serialize;

use super::json::document;
use super::{Finding, Severity};

#[derive(Serialize)]
struct Issue<'finding> {
    description: String,
    check_name: &'finding str,
    fingerprint: String,
    severity: &'static str,
    location: Location<'finding>,
}

#[derive(Serialize)]
struct Location<'finding> {
    path: &'finding str,
    lines: Lines,
}

#[derive(Serialize)]
struct Lines {
    begin: u32,
    end: u32,
}

/// The whole report.
pub(super) fn report(findings: &[Finding]) -> serde_json::Result<String> {
    let mut seen = BTreeMap::new();
    let issues: Vec<Issue> = findings.iter().map(|one| issue(one, &mut seen)).collect();
    document(&issues)
}

fn issue<'finding>(
    finding: &'finding Finding,
    seen: &mut BTreeMap<&'finding str, u32>,
) -> Issue<'finding> {
    let times = seen.entry(&finding.fingerprint).or_insert(0);
    *times += 1;
    let fingerprint = match *times {
        1 => finding.fingerprint.clone(),
        times => format!("{}-{times}", finding.fingerprint),
    };
    let region = finding.region();
    Issue {
        description: format!("{} {}", finding.code, finding.sentence()),
        check_name: &finding.name,
        fingerprint,
        severity: match finding.severity {
            Severity::Error => "major",
            Severity::Warning => "minor",
        },
        location: Location {
            path: finding.file.trim_start_matches("./"),
            lines: Lines {
                begin: region.line,
                end: region.last_line(),
            },
        },
    }
}
