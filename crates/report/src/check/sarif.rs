//! `--output-format sarif`: SARIF 2.1.0, for code scanning services.
//!
//! One run. Each code in use is a rule; each finding is a result with its region, its trace as a code
//! flow, and its fingerprint. Functions that were not analysed are notifications, and a run that was
//! interrupted was not successful: silence about a function must not look like a clean bill.

use std::collections::BTreeMap;
use std::fmt::Write;

use serde_json::{Value, json};

use super::json::document;
use super::place::{Columns, Region};
use super::{Finding, Frame, Function, Report, Rule, Severity, Verdict};

const SCHEMA: &str = "https://json.schemastore.org/sarif-2.1.0.json";
const ROOT: &str = "%SRCROOT%";

/// The whole log.
pub(super) fn report(report: &Report, known: &[Rule], version: &str) -> serde_json::Result<String> {
    let codes = codes(&report.findings);
    let rules: Vec<Value> = codes
        .iter()
        .map(|(code, name)| rule(code, name, known.iter().find(|rule| rule.code == *code)))
        .collect();
    let results: Vec<Value> = report
        .findings
        .iter()
        .map(|finding| result(finding, codes.keys().position(|code| *code == finding.code)))
        .collect();
    let log = json!({
        "$schema": SCHEMA,
        "version": "2.1.0",
        "runs": [{
            "tool": {"driver": {
                "name": "PEF",
                "fullName": "Python Error Finder",
                "semanticVersion": version,
                "rules": rules,
            }},
            "columnKind": "unicodeCodePoints",
            "originalUriBaseIds": {ROOT: {"description": text("The directory PEF was run in.")}},
            "invocations": [invocation(report)],
            "results": results,
        }],
    });
    document(&log)
}

/// The codes in use with their names, in order.
fn codes(findings: &[Finding]) -> BTreeMap<&str, &str> {
    findings
        .iter()
        .map(|finding| (finding.code.as_str(), finding.name.as_str()))
        .collect()
}

fn rule(code: &str, name: &str, known: Option<&Rule>) -> Value {
    let mut rule = json!({"id": code, "name": name});
    if let Some(known) = known {
        rule["shortDescription"] = text(&known.meaning);
        rule["help"] = json!({"text": literal(&known.page), "markdown": literal(&known.page)});
    }
    rule
}

fn result(finding: &Finding, rule: Option<usize>) -> Value {
    let place = physical(&finding.file, finding.region());
    let mut result = json!({
        "ruleId": finding.code,
        "level": match finding.severity {
            Severity::Error => "error",
            Severity::Warning => "warning",
        },
        "message": text(&message(finding)),
        "locations": [{
            "physicalLocation": place,
            "logicalLocations": [{"fullyQualifiedName": finding.function, "kind": "function"}],
        }],
        "partialFingerprints": {"pef/v1": finding.fingerprint},
        // As they are, to be pasted by whoever reads this with a program.
        "properties": {"call": finding.call, "setup": finding.setup},
    });
    if let Some(rule) = rule {
        result["ruleIndex"] = json!(rule);
    }
    if !finding.trace.is_empty() {
        let steps: Vec<Value> = finding.trace.iter().map(step).collect();
        result["codeFlows"] = json!([{"threadFlows": [{"locations": steps}]}]);
    }
    if let Some(related) = finding.contract.as_ref().and_then(|clause| {
        let region = Region::of_line(clause.line?);
        let message = format!(":{}: {}", clause.kind, clause.text);
        Some(json!({
            "physicalLocation": physical(clause.file.as_ref()?, region),
            "message": text(&message),
        }))
    }) {
        result["relatedLocations"] = json!([related]);
    }
    result
}

/// What a reader of the alert needs, the call to paste included.
fn message(finding: &Finding) -> String {
    let mut message = finding.sentence();
    for line in &finding.setup {
        let _ = write!(message, "\nafter: {line}");
    }
    for note in &finding.notes {
        let _ = write!(message, "\nnote: {note}");
    }
    message
}

fn step(frame: &Frame) -> Value {
    json!({"location": {
        "physicalLocation": physical(&frame.file, frame.region()),
        "message": text(&format!("in {}", frame.function)),
    }})
}

fn invocation(report: &Report) -> Value {
    let notifications: Vec<Value> = report
        .functions
        .iter()
        .filter(|function| function.verdict == Verdict::NotAnalysed)
        .map(notification)
        .collect();
    json!({
        "executionSuccessful": !report.summary.interrupted,
        "toolExecutionNotifications": notifications,
    })
}

fn notification(function: &Function) -> Value {
    let reasons = function.reasons.join("; ");
    json!({
        "level": "warning",
        "message": text(&format!("{} was not analysed: {reasons}", function.name)),
        "locations": [{"physicalLocation": physical(&function.file, Region::of_line(function.line))}],
    })
}

/// A message. A single brace would begin a placeholder.
fn text(text: &str) -> Value {
    json!({"text": literal(text)})
}

fn literal(text: &str) -> String {
    text.replace('{', "{{").replace('}', "}}")
}

fn physical(file: &str, region: Region) -> Value {
    let mut place = json!({"startLine": region.line});
    if let Some(Columns { start, end }) = region.columns {
        place["startColumn"] = json!(start);
        if let Some((line, column)) = end {
            place["endLine"] = json!(line);
            place["endColumn"] = json!(column);
        }
    }
    json!({"artifactLocation": artifact(file), "region": place})
}

fn artifact(file: &str) -> Value {
    if file.starts_with('/') {
        return json!({"uri": format!("file://{}", encoded(file))});
    }
    json!({"uri": encoded(file.trim_start_matches("./")), "uriBaseId": ROOT})
}

/// A path as part of a URI.
fn encoded(path: &str) -> String {
    let mut uri = String::with_capacity(path.len());
    for byte in path.bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'.' | b'_' | b'~' | b'/' => {
                uri.push(byte as char);
            }
            _ => {
                let _ = write!(uri, "%{byte:02X}");
            }
        }
    }
    uri
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn braces_of_the_program_are_no_placeholders() {
        assert_eq!(text("f({0: {}})"), json!({"text": "f({{0: {{}}}})"}));
    }

    #[test]
    fn a_path_becomes_a_uri_reference() {
        let relative = artifact("./src/a b:ñ%.py");
        assert_eq!(relative["uri"], "src/a%20b%3A%C3%B1%25.py");
        assert_eq!(relative["uriBaseId"], ROOT);
        assert_eq!(artifact("/lib/x.py"), json!({"uri": "file:///lib/x.py"}));
    }
}
