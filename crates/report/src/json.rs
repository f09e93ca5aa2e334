//! `--output-format json`: one object, written in pieces.
//!
//! [`opening`], then [`path`] for each path with [`SEPARATOR`] between, then [`closing`]: the pieces
//! together are what [`report`] returns at once, and a run that is long or cut short can still be
//! written without holding all of it.

use serde::Serialize;

use crate::{ExploreReport, PathReport, Summary};

/// Goes between two paths.
pub const SEPARATOR: &str = ",\n  ";

/// The object up to the first path.
pub fn opening(function: &str, file: &str, line: u32) -> serde_json::Result<String> {
    Ok(format!(
        "{{\"function\": {}, \"file\": {}, \"line\": {line},\n \"paths\": [\n  ",
        text(function)?,
        text(file)?
    ))
}

/// One element of `paths`.
pub fn path(path: &PathReport) -> serde_json::Result<String> {
    text(path)
}

/// The rest of the object, from the end of the last path.
pub fn closing(summary: &Summary) -> serde_json::Result<String> {
    Ok(format!("],\n \"summary\": {}}}\n", text(summary)?))
}

/// The whole object.
///
/// ```
/// use pef_report::{ExploreReport, json};
/// let report = ExploreReport { function: "demo:f".into(), line: 3, ..Default::default() };
/// let object: serde_json::Value = serde_json::from_str(&json::report(&report)?)?;
/// assert_eq!(object["function"], "demo:f");
/// # Ok::<(), serde_json::Error>(())
/// ```
pub fn report(report: &ExploreReport) -> serde_json::Result<String> {
    let mut whole = opening(&report.function, &report.file, report.line)?;
    for (position, one) in report.paths.iter().enumerate() {
        if position > 0 {
            whole.push_str(SEPARATOR);
        }
        whole.push_str(&path(one)?);
    }
    whole.push_str(&closing(&report.summary)?);
    Ok(whole)
}

fn text<T: Serialize + ?Sized>(value: &T) -> serde_json::Result<String> {
    serde_json::to_string(value)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        ContractReport, CoverageReport, DecisionOutcome, DecisionReport, ExceptionReport,
        MissedBranch, Outcome, PinReport,
    };

    fn raised() -> PathReport {
        PathReport {
            call: "suma_con_bug(42, b=0)".into(),
            args: vec!["42".into()],
            kwargs: vec![("b".into(), "0".into())],
            outcome: Outcome::Raised,
            exception: Some(ExceptionReport {
                type_name: "Exception".into(),
                message: "Bug".into(),
                file: Some("demo.py".into()),
                line: Some(12),
            }),
            stdout: "La gran respuesta.\n".into(),
            condition: vec!["a + b == 42".into(), "a - b == 42".into()],
            decisions: vec![DecisionReport {
                file: "demo.py".into(),
                line: 8,
                column: Some(8),
                kind: "if".into(),
                outcome: DecisionOutcome::Truth(true),
                free: true,
            }],
            depth: 2,
            reproduced: true,
            ..PathReport::default()
        }
    }

    fn sample() -> ExploreReport {
        let pinned = PathReport {
            call: "f(\"\\n\")".into(),
            pins: vec![PinReport {
                expression: Some("a".into()),
                value: Some("7".into()),
                reason: "hash() has no model".into(),
                file: None,
                line: None,
            }],
            contract: Some(ContractReport {
                kind: "ensure".into(),
                text: "returnv > a".into(),
                line: 5,
            }),
            ..PathReport::default()
        };
        let coverage = CoverageReport {
            branches: 4,
            covered: 3,
            missing: vec![MissedBranch {
                line: 8,
                column: None,
                outcome: false,
            }],
        };
        let mut report = ExploreReport {
            function: "demo:suma_con_bug".into(),
            file: "demo.py".into(),
            line: 3,
            paths: vec![raised(), pinned],
            summary: Summary {
                open: vec!["depth limit".into()],
                seconds: 0.012_345,
                coverage: Some(coverage),
                ..Summary::default()
            },
        };
        for path in &report.paths {
            report.summary.count(path);
        }
        report
    }

    #[test]
    fn fields_keep_their_documented_order() {
        insta::assert_snapshot!(report(&sample()).unwrap());
    }

    #[test]
    fn the_pieces_make_the_object_serde_would_make() {
        let whole: serde_json::Value = serde_json::from_str(&report(&sample()).unwrap()).unwrap();
        assert_eq!(whole, serde_json::to_value(sample()).unwrap());
    }

    #[test]
    fn a_run_without_paths_is_still_an_object() {
        let text = report(&ExploreReport::default()).unwrap();
        let whole: serde_json::Value = serde_json::from_str(&text).unwrap();
        assert_eq!(whole["paths"], serde_json::json!([]));
    }
}
