//! `--output-format json`: one object; `json-lines`: the same in lines, as it comes.

use serde::Serialize;

use super::{Finding, Function, Report, Summary};

/// The whole report, an element per line.
pub(super) fn report(report: &Report) -> serde_json::Result<String> {
    Ok(format!(
        "{{\"findings\": {},\n \"functions\": {},\n \"summary\": {}}}\n",
        array(&report.findings)?,
        array(&report.functions)?,
        serde_json::to_string(&report.summary)?
    ))
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
        serde_json::to_string(self).map(|text| text + "\n")
    }
}
