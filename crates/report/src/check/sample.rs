//! A report for tests, with every field filled somewhere.

use super::{
    Clause, Completion, Exception, Finding, Format, Frame, Function, Look, Rule, Severity, Sources,
    Stream, Verdict,
};

pub(super) const DEMO: &str = "\
def pick(items: list[int], at: int) -> int:
    return items[at] + 1


def outer(items: list[int]) -> int:
    \"\"\":ensure: returnv > 0\"\"\"
    total = pick(items, 0)
    return total
";

fn frame(line: u32, columns: (u32, u32), function: &str) -> Frame {
    Frame {
        file: "src/demo.py".into(),
        line,
        column: Some(columns.0),
        end_line: Some(line),
        end_column: Some(columns.1),
        function: function.into(),
        source: String::new(),
    }
}

/// An exception two calls deep.
pub(super) fn raised() -> Finding {
    Finding {
        code: "PEF001".into(),
        name: "index-out-of-range".into(),
        message: "list index out of range".into(),
        function: "demo:outer".into(),
        file: "src/demo.py".into(),
        line: 2,
        column: Some(12),
        end_line: Some(2),
        end_column: Some(21),
        call: Some("outer([])".into()),
        setup: vec!["from demo import outer".into()],
        exception: Some(Exception {
            type_name: "IndexError".into(),
            message: "list index out of range".into(),
        }),
        trace: vec![frame(7, (13, 27), "outer"), frame(2, (12, 21), "pick")],
        notes: vec!["also with outer([]) in src/other.py".into()],
        hint: Some("ask whether `items` is empty".into()),
        fingerprint: "00ab".into(),
        ..Finding::default()
    }
}

/// A broken promise.
pub(super) fn broken() -> Finding {
    Finding {
        code: "PEF021".into(),
        name: "broken-postcondition".into(),
        message: "returned 0".into(),
        function: "demo:outer".into(),
        file: "src/demo.py".into(),
        line: 6,
        call: Some("outer([-1])".into()),
        setup: vec!["from demo import outer".into()],
        contract: Some(Clause {
            kind: "ensure".into(),
            text: "returnv > 0".into(),
            file: Some("src/demo.py".into()),
            line: Some(6),
        }),
        fingerprint: "00cd".into(),
        ..Finding::default()
    }
}

/// A warning about a file that is gone.
pub(super) fn unused() -> Finding {
    Finding {
        code: "PEF090".into(),
        name: "unused-suppression".into(),
        severity: Severity::Warning,
        message: "`# pef: ignore[PEF003]` hides nothing".into(),
        function: "gone".into(),
        file: "src/gone.py".into(),
        line: 3,
        column: Some(20),
        fingerprint: "00ef".into(),
        ..Finding::default()
    }
}

/// A function at `line` of the demonstration.
pub(super) fn function(name: &str, line: u32, verdict: Verdict, reason: &str) -> Function {
    Function {
        name: format!("demo:{name}"),
        file: "src/demo.py".into(),
        line,
        verdict,
        reasons: Some(reason.to_owned())
            .filter(|reason| !reason.is_empty())
            .into_iter()
            .collect(),
        paths: u64::from(verdict != Verdict::NotAnalysed) * 400,
        depth: 4,
        seconds: 0.25,
        cached: verdict == Verdict::Proved,
    }
}

fn functions() -> Vec<Function> {
    let untyped = "parameter 'x' has no type: annotate it or add `:type: x: ...`";
    vec![
        function("late", 40, Verdict::NotAnalysed, untyped),
        function("pick", 1, Verdict::NoErrorFound, "time limit of 10 s"),
        function("outer", 5, Verdict::Error, ""),
        function("early", 20, Verdict::NotAnalysed, untyped),
        function("sure", 50, Verdict::Proved, ""),
    ]
}

/// The sample in a format, whole.
pub(super) fn written(format: Format, look: Look) -> String {
    let rules = vec![Rule {
        code: "PEF001".into(),
        name: "index-out-of-range".into(),
        meaning: "a sequence has no such position".into(),
        page: "# PEF001 index-out-of-range\n".into(),
    }];
    let mut stream = Stream::new(format, look, "1.2.3")
        .with_rules(rules)
        .with_sources(Sources::given([("src/demo.py", DEMO)]));
    let mut text = String::new();
    for finding in [unused(), raised(), broken()] {
        text += &stream.finding(finding).unwrap();
    }
    for function in functions() {
        text += &stream.function(function).unwrap();
    }
    let completion = Completion {
        seconds: 0.8123,
        interrupted: false,
    };
    text + &stream.closing(completion).unwrap()
}
