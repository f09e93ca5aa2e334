//! What each line of a text report looks like.

use insta::assert_snapshot;

use super::*;
use crate::{ExploreReport, MissedBranch};

fn full(report: &ExploreReport, format: &TextFormat) -> String {
    let mut text: String = report
        .paths
        .iter()
        .map(|path| format.path(path) + "\n")
        .collect();
    text.push_str(&format.summary(&report.summary));
    text
}

fn path(call: &str, outcome: Outcome) -> PathReport {
    PathReport {
        call: call.into(),
        outcome,
        reproduced: true,
        ..PathReport::default()
    }
}

fn bug() -> PathReport {
    PathReport {
        exception: Some(ExceptionReport {
            type_name: "Exception".into(),
            message: "Bug".into(),
            file: Some("demo.py".into()),
            line: Some(12),
        }),
        stdout: "La gran respuesta.\n".into(),
        condition: vec!["a + b == 42".into(), "a - b == 42".into()],
        depth: 2,
        ..path("suma_con_bug(42, 0)", Outcome::Raised)
    }
}

fn answer() -> PathReport {
    PathReport {
        result: Some("42".into()),
        stdout: "La gran respuesta.\n".into(),
        condition: vec!["a + b == 42".into(), "a - b != 42".into()],
        depth: 2,
        ..path("suma_con_bug(41, 1)", Outcome::Returned)
    }
}

fn report(paths: Vec<PathReport>) -> ExploreReport {
    let mut report = ExploreReport {
        paths,
        ..ExploreReport::default()
    };
    for path in &report.paths {
        report.summary.count(path);
    }
    report
}

#[test]
fn the_documented_example_looks_as_documented() {
    let mut report = report(vec![bug(), answer()]);
    report.summary.exhaustive = true;
    assert_snapshot!(full(&report, &TextFormat::default()), @r"
    suma_con_bug(42, 0)
      | La gran respuesta.
      ! Exception: Bug                      demo.py:12

    suma_con_bug(41, 1) -> 42
      | La gran respuesta.

    2 paths: 1 returned, 1 raised; depth 2; 0 pruned; exhaustive
    ");
}

#[test]
fn conditions_stand_under_the_call() {
    let format = TextFormat {
        conditions: true,
        ..TextFormat::default()
    };
    assert_snapshot!(format.path(&bug()), @r"
    suma_con_bug(42, 0)
      if a + b == 42
      and a - b == 42
      | La gran respuesta.
      ! Exception: Bug                      demo.py:12
    ");
}

#[test]
fn every_ending_says_what_happened() {
    let with = |call: &str, outcome: Outcome, detail: &str| PathReport {
        detail: Some(detail.into()),
        ..path(call, outcome)
    };
    let report = report(vec![
        with("f(1)", Outcome::Pruned, "depth limit 10"),
        with("f(2)", Outcome::Timeout, "not done after 10 s"),
        with("f(3)", Outcome::Crash, "SIGSEGV"),
        with("f(4)", Outcome::Exit, "status 0"),
        path("f(5)", Outcome::Exit),
        path("f(6)", Outcome::Raised),
    ]);
    assert_snapshot!(full(&report, &TextFormat::default()), @r"
    f(1)
      ~ pruned: depth limit 10

    f(2)
      ! timeout: not done after 10 s

    f(3)
      ! crash: SIGSEGV

    f(4)
      ! exit: status 0

    f(5)
      ! exit

    f(6)
      ! raised

    6 paths: 0 returned, 1 raised, 1 timed out, 1 crashed, 2 exited; depth 0; 1 pruned; not exhausted
    ");
}

#[test]
fn doubts_are_shown_with_their_reason() {
    let report = report(vec![
        PathReport {
            result: Some("1".into()),
            pins: vec![
                PinReport {
                    expression: Some("x + 1".into()),
                    value: Some("8".into()),
                    reason: "hash() has no model".into(),
                    file: Some("demo.py".into()),
                    line: Some(4),
                },
                PinReport {
                    reason: "math.sqrt has no model".into(),
                    ..PinReport::default()
                },
            ],
            contract: Some(ContractReport {
                kind: "ensure".into(),
                text: "returnv > x".into(),
                line: 2,
            }),
            ..path("f(7)", Outcome::Returned)
        },
        PathReport {
            result: Some("3".into()),
            reproduced: false,
            replay: Some("returned 4".into()),
            ..path("f(3)", Outcome::Returned)
        },
    ]);
    let format = TextFormat {
        file: "demo.py".into(),
        ..TextFormat::default()
    };
    assert_snapshot!(full(&report, &format), @r"
    f(7) -> 1
      ! violates :ensure: returnv > x        demo.py:2
      ~ pinned x + 1 == 8: hash() has no model  demo.py:4
      ~ pinned: math.sqrt has no model

    f(3) -> 3
      ? not reproduced: the replay returned 4

    2 paths: 1 returned, 0 raised; 1 not reproduced; 1 violating the contract; 1 pinned; depth 0; 0 pruned; not exhausted
    ");
}

#[test]
fn output_of_both_streams_is_kept_line_by_line() {
    let noisy = PathReport {
        result: Some("None".into()),
        stdout: "one\n\n  three".into(),
        stderr: "\x1b[2Jwarning\n".into(),
        ..path("f()", Outcome::Returned)
    };
    assert_snapshot!(TextFormat::default().path(&noisy), @r"
    f() -> None
      | one
      |
      |   three
      2> \u{1b}[2Jwarning
    ");
}

#[test]
fn long_and_empty_messages_keep_their_shape() {
    let raised = |message: &str, file: &str| PathReport {
        exception: Some(ExceptionReport {
            type_name: "pkg.errors.Wrong".into(),
            message: message.into(),
            file: Some(file.into()),
            line: Some(7),
        }),
        ..path("f()", Outcome::Raised)
    };
    let format = TextFormat::default();
    let blocks = [
        raised("", "demo.py"),
        raised("two\nlines", "demo.py"),
        raised("more than fits on the line", "src/package/module.py"),
    ];
    assert_snapshot!(blocks.map(|block| format.path(&block)).concat(), @r"
    f()
      ! pkg.errors.Wrong                     demo.py:7
    f()
      ! pkg.errors.Wrong: two                demo.py:7
      !   lines
    f()
      ! pkg.errors.Wrong: more than fits on the line  src/package/module.py:7
    ");
}

#[test]
fn one_path_is_not_called_paths_and_reasons_are_listed() {
    let mut report = report(vec![answer()]);
    report.summary.open = vec!["depth limit 2".into(), "1 solver timeout".into()];
    assert_snapshot!(TextFormat::default().summary(&report.summary), @"
    1 path: 1 returned, 0 raised; depth 2; 0 pruned; not exhausted: depth limit 2, 1 solver timeout
    ");
}

#[test]
fn verbose_adds_coverage_and_time() {
    let summary = Summary {
        exhaustive: true,
        seconds: 0.256,
        coverage: Some(CoverageReport {
            branches: 4,
            covered: 2,
            missing: vec![
                MissedBranch {
                    line: 8,
                    column: Some(8),
                    outcome: true,
                },
                MissedBranch {
                    line: 9,
                    column: None,
                    outcome: false,
                },
            ],
        }),
        ..Summary::default()
    };
    let format = TextFormat {
        verbose: true,
        file: "demo.py".into(),
        ..TextFormat::default()
    };
    assert_snapshot!(format.summary(&summary), @r"
    0 paths: 0 returned, 0 raised; depth 0; 0 pruned; exhaustive
    2 of 4 branches covered
      never true: demo.py:8:8
      never false: demo.py:9
    0.26 s
    ");
}

#[test]
fn colours_wrap_whole_pieces_and_do_not_move_them() {
    let coloured = TextFormat {
        palette: Palette::Ansi,
        ..TextFormat::default()
    };
    let text = coloured.path(&bug());
    assert!(text.contains("\x1b[31m! Exception: Bug\x1b[0m"));
    let mut stripped = text;
    for code in ["\x1b[1m", "\x1b[2m", "\x1b[31m", "\x1b[36m", "\x1b[0m"] {
        stripped = stripped.replace(code, "");
    }
    assert_eq!(stripped, TextFormat::default().path(&bug()));
}
