//! What every format says about the same sample, and what none may do with any text.

use proptest::prelude::*;

use super::sample::{self, written};
use super::{Completion, Finding, Format, Frame, Function, Look, Stream, Verdict};
use crate::Palette;

macro_rules! snapshot {
    ($format:ident, $name:literal) => {
        insta::with_settings!({snapshot_path => "snapshots", prepend_module_to_snapshot => false}, {
            insta::assert_snapshot!($name, written(Format::$format, Look::default()));
        });
    };
}

#[test]
fn full_shows_source_trace_call_and_contract() {
    snapshot!(Full, "full");
}

#[test]
fn concise_is_a_line_for_each_finding() {
    snapshot!(Concise, "concise");
}

#[test]
fn quiet_is_concise_without_a_summary() {
    let concise = written(Format::Concise, Look::default());
    let findings = concise.lines().take(3).map(|line| format!("{line}\n"));
    assert_eq!(
        written(Format::Concise.quiet(), Look::default()),
        findings.collect::<String>()
    );
}

#[test]
fn json_keeps_its_documented_fields_and_order() {
    snapshot!(Json, "json");
}

#[test]
fn json_lines_say_what_each_line_is() {
    snapshot!(JsonLines, "json-lines");
}

#[test]
fn github_gets_a_command_for_each_finding_and_unanalysed_function() {
    snapshot!(Github, "github");
}

#[test]
fn gitlab_gets_an_issue_for_each_finding() {
    snapshot!(Gitlab, "gitlab");
}

#[test]
fn junit_gets_a_case_for_each_function() {
    snapshot!(Junit, "junit");
}

#[test]
fn sarif_carries_rules_regions_flows_and_fingerprints() {
    snapshot!(Sarif, "sarif");
}

#[test]
fn documents_for_programs_cannot_be_made_quiet() {
    for (_, format) in Format::NAMES {
        let people = matches!(format, Format::Full | Format::Concise);
        assert_eq!(format.quiet() == format, !people);
    }
}

#[test]
fn the_order_of_arrival_does_not_change_a_document() {
    for format in [Format::Json, Format::Gitlab, Format::Junit, Format::Sarif] {
        let mut stream = Stream::new(format, Look::default(), "1");
        let mut reversed = stream.clone();
        let findings = [sample::raised(), sample::broken(), sample::unused()];
        for (one, other) in findings.iter().zip(findings.iter().rev()) {
            assert_eq!(stream.finding(one.clone()).unwrap(), "");
            assert_eq!(reversed.finding(other.clone()).unwrap(), "");
        }
        let end = Completion::default();
        assert_eq!(stream.closing(end).unwrap(), reversed.closing(end).unwrap());
    }
}

#[test]
fn gitlab_fingerprints_are_unique() {
    let mut stream = Stream::new(Format::Gitlab, Look::default(), "1");
    for _ in 0..3 {
        stream.finding(sample::raised()).unwrap();
    }
    let issues: serde_json::Value =
        serde_json::from_str(&stream.closing(Completion::default()).unwrap()).unwrap();
    let prints: Vec<_> = (0..3).map(|at| &issues[at]["fingerprint"]).collect();
    assert_eq!(prints, ["00ab", "00ab-2", "00ab-3"]);
}

#[test]
fn a_misspelt_or_missing_field_is_refused() {
    for (text, complaint) in [
        (r#"{"cod": "PEF001"}"#, "unknown field `cod`"),
        (r#"{"code": "PEF001"}"#, "missing field `name`"),
    ] {
        let error = Finding::from_json(text).unwrap_err().to_string();
        assert!(error.contains(complaint), "{error}");
    }
    let error =
        Function::from_json(r#"{"name": "m:f", "file": "m.py", "line": 1, "verdict": "fine"}"#);
    assert!(error.unwrap_err().to_string().contains("`no-error-found`"));
}

#[test]
fn an_empty_call_is_none() {
    let text = r#"{"code": "PEF090", "name": "unused-suppression", "message": "nothing", "call": "",
        "function": "m", "file": "m.py", "line": 1, "fingerprint": "1"}"#;
    assert_eq!(Finding::from_json(text).unwrap().call, None);
}

fn any_text() -> impl Strategy<Value = String> {
    prop_oneof![
        any::<String>(),
        "[\\x00-\\x1f<&>\"'%:,;\\n\\r\\[\\]\\u{85}\\u{2028}\\u{202e}\\u{fffe}a]{0,12}",
        Just("src/demo.py".to_owned()),
        Just("]]>\n::error::\u{1b}[0m".to_owned()),
    ]
}

fn any_frame() -> impl Strategy<Value = Frame> {
    (
        any_text(),
        0..12_u32,
        any::<Option<u8>>(),
        any::<Option<u8>>(),
        any::<Option<u8>>(),
        any_text(),
        any_text(),
    )
        .prop_map(
            |(file, line, column, end_line, end_column, function, source)| Frame {
                file,
                line,
                column: column.map(u32::from),
                end_line: end_line.map(|end| u32::from(end % 16)),
                end_column: end_column.map(u32::from),
                function,
                source,
            },
        )
}

fn any_finding() -> impl Strategy<Value = Finding> {
    let frames = proptest::collection::vec(any_frame(), 0..9);
    let texts = proptest::collection::vec(any_text(), 8);
    (any_frame(), frames, texts).prop_map(|(place, trace, texts)| {
        let mut texts = texts.into_iter();
        let mut text = || texts.next().unwrap_or_default();
        Finding {
            code: text(),
            name: text(),
            message: text(),
            function: text(),
            file: place.file,
            line: place.line,
            column: place.column,
            end_line: place.end_line,
            end_column: place.end_column,
            call: Some(text()),
            setup: vec![text()],
            notes: vec![text()],
            fingerprint: text(),
            trace,
            ..sample::broken()
        }
    })
}

fn render(format: Format, look: Look, finding: &Finding) -> String {
    let function = Function {
        name: finding.function.clone(),
        reasons: finding.notes.clone(),
        file: finding.file.clone(),
        ..sample::function("f", finding.line, Verdict::NotAnalysed, "")
    };
    let sources = super::Sources::given([("src/demo.py", sample::DEMO)]);
    let mut stream = Stream::new(format, look, "1").with_sources(sources);
    let mut text = stream.finding(finding.clone()).unwrap();
    text += &stream.function(function).unwrap();
    text + &stream.closing(Completion::default()).unwrap()
}

/// Whether the terminal would do something else than print.
fn is_control(character: char) -> bool {
    character.is_control() && !matches!(character, '\n' | '\t')
}

/// What Python's `splitlines` takes for the end of a line.
fn is_line_end(character: char) -> bool {
    matches!(
        character,
        '\r' | '\u{b}' | '\u{c}' | '\u{1c}'..='\u{1e}' | '\u{85}' | '\u{2028}' | '\u{2029}'
    )
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn no_text_reaches_the_terminal_as_an_escape_sequence(finding in any_finding()) {
        for format in [Format::Full, Format::Concise, Format::Quiet] {
            let text = render(format, Look::default(), &finding);
            prop_assert!(!text.contains(is_control), "{text:?}");
        }
    }

    #[test]
    fn colours_change_nothing_else(finding in any_finding()) {
        let look = Look { palette: Palette::Ansi, ..Look::default() };
        let plain = render(Format::Full, Look::default(), &finding);
        let coloured = render(Format::Full, look, &finding);
        let (mut rest, mut stripped) = (coloured.as_str(), String::new());
        while let Some((before, after)) = rest.split_once('\u{1b}') {
            stripped += before;
            rest = after.split_once('m').unwrap().1;
        }
        prop_assert_eq!(stripped + rest, plain);
    }

    #[test]
    fn every_finding_is_one_line_of_concise(finding in any_finding()) {
        let text = render(Format::Quiet, Look::default(), &finding);
        prop_assert_eq!(text.matches('\n').count(), 1);
        prop_assert!(!text.contains(is_line_end), "{text:?}");
    }

    #[test]
    fn every_command_of_github_is_one_line(finding in any_finding()) {
        let text = render(Format::Github, Look::default(), &finding);
        let lines: Vec<_> = text.split_terminator(['\n', '\r']).collect();
        prop_assert_eq!(lines.len(), 2);
        prop_assert!(lines[0].starts_with("::error file="));
        prop_assert!(lines[1].starts_with("::notice file="));
        let (_, properties) = lines[0].split_once(' ').unwrap();
        let (properties, _) = properties.split_once("::").unwrap();
        prop_assert!(properties.split(',').all(|each| each.contains('=')), "{properties}");
        prop_assert!(properties.contains(",title="));
    }

    #[test]
    fn json_reads_back_as_it_was_written(finding in any_finding()) {
        let text = render(Format::Json, Look::default(), &finding);
        let report: serde_json::Value = serde_json::from_str(&text).unwrap();
        let read: Finding = serde_json::from_value(report["findings"][0].clone()).unwrap();
        prop_assert_eq!(read, finding.clone());
        let lines = render(Format::JsonLines, Look::default(), &finding);
        prop_assert_eq!(lines.matches('\n').count(), 3);
        prop_assert!(!lines.contains(is_line_end), "{lines:?}");
        for line in lines.lines() {
            let object: serde_json::Value = serde_json::from_str(line).unwrap();
            prop_assert!(object["kind"].is_string());
        }
    }
}
