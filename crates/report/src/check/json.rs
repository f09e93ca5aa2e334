//! `--output-format json`: one object; `json-lines`: the same in lines, as it comes.

use std::fmt::Write;

use serde::Serialize;

use super::{Finding, Function, Report, Summary};

/// The whole report, an element per line.
pub(super) fn report(report: &Report) -> serde_json::Result<String> {
    Ok(one_way(format!(
        "{{\"findings\": {},\n \"functions\": {},\n \"summary\": {}}}\n",
        array(&report.findings)?,
        array(&report.functions)?,
        serde_json::to_string(&report.summary)?
    )))
}

/// A document of another format that is JSON.
pub(super) fn document<T: Serialize>(value: &T) -> serde_json::Result<String> {
    serde_json::to_string_pretty(value).map(|text| one_way(text + "\n"))
}

/// JSON that has no line end in a string for any reader (Python's `splitlines` knows some that JSON
/// allows as they are), and nothing that a terminal obeys.
fn one_way(json: String) -> String {
    let is_strange =
        |character: char| matches!(character, '\u{7f}'..='\u{9f}' | '\u{2028}' | '\u{2029}');
    if !json.contains(is_strange) {
        return json;
    }
    let mut safe = String::with_capacity(json.len() + 16);
    for character in json.chars() {
        if is_strange(character) {
            let _ = write!(safe, "\\u{:04x}", character as u32);
        } else {
            safe.push(character);
        }
    }
    safe
}

fn array<T: Serialize>(elements: &[T]) -> serde_json::Result<String> {
    let lines: Vec<String> = elements
        .iter()
        .map(|element| serde_json::to_string(element).map(|text| format!("\n  {text}")))
        .collect::<Result<_, _>>()?;
    Ok(format!("[{}]", lines.join(",")))
}

/// One line of `json-lines`: the element, led by what it is.
#[derive(Serialize)]
#[serde(tag = "kind", rename_all = "lowercase")]
pub(super) enum Line<'element> {
    Finding(&'element Finding),
    Function(&'element Function),
    Summary(&'element Summary),
}

impl Line<'_> {
    pub(super) fn text(&self) -> serde_json::Result<String> {
        serde_json::to_string(self).map(|text| one_way(text + "\n"))
    }
}
