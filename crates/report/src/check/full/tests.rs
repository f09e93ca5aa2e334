use super::*;
use crate::check::sample::{DEMO, function, raised};
use crate::check::{Frame, Verdict};

fn shown(finding: &Finding) -> String {
    Look::default().finding(finding, &mut Sources::given([("src/demo.py", DEMO)]))
}

#[test]
fn a_message_that_is_the_title_is_said_once() {
    let finding = Finding {
        name: "division-by-zero".into(),
        message: "Division by zero".into(),
        ..raised()
    };
    assert!(shown(&finding).starts_with("error[PEF001]: division by zero\n"));
}

#[test]
fn a_file_that_is_gone_costs_only_the_quotation() {
    let finding = Finding {
        file: "src/gone.py".into(),
        trace: Vec::new(),
        ..raised()
    };
    let text = shown(&finding);
    assert!(text.contains("--> src/gone.py:2:12\n"), "{text}");
    assert!(text.contains("= fails with: outer([])\n"), "{text}");
}

#[test]
fn a_recursion_is_shown_once_with_its_number() {
    let mut finding = raised();
    let outermost = finding.trace[0].clone();
    let inner = finding.trace.remove(1);
    finding.trace.resize(901, outermost);
    finding.trace.push(inner);
    let text = shown(&finding);
    assert!(text.contains("called 901 times from outer"), "{text}");
    assert_eq!(text.matches(":::").count(), 1);
}

#[test]
fn the_middle_of_a_long_chain_is_counted() {
    let chain = |length| {
        let mut finding = raised();
        let inner = finding.trace.remove(1);
        finding.trace = (0..length)
            .map(|at| Frame {
                line: 7,
                function: format!("f{at}"),
                ..finding.trace[0].clone()
            })
            .collect();
        finding.trace.push(inner);
        shown(&finding)
    };
    let short = chain(6);
    assert_eq!(short.matches("called from").count(), 6);
    let long = chain(12);
    for kept in ["f11", "f10", "f9", "f8", "f0"] {
        assert!(long.contains(&format!("called from {kept}\n")), "{long}");
    }
    assert_eq!(long.matches("called from").count(), 5);
    assert!(long.contains("= note: 7 more calls in between"), "{long}");
}

#[test]
fn of_library_code_below_only_the_last_frame_is_shown() {
    let mut finding = raised();
    for name in ["loads", "decode", "scan"] {
        finding.trace.push(Frame {
            file: "/usr/lib/json.py".into(),
            line: 9,
            function: name.into(),
            source: format!("    raise {name}"),
            ..Frame::default()
        });
    }
    let text = shown(&finding);
    assert!(text.contains("raised in scan"), "{text}");
    assert!(!text.contains("decode"), "{text}");
}

#[test]
fn long_lines_are_cut_to_the_terminal_and_the_call_is_not() {
    let argument = "1, ".repeat(100);
    let source = format!("    return f({argument}items[at])\n");
    let finding = Finding {
        line: 1,
        column: Some(314),
        end_line: Some(1),
        end_column: Some(323),
        call: Some(format!("outer([{argument}])")),
        trace: Vec::new(),
        ..raised()
    };
    let look = Look {
        width: Some(80),
        ..Look::default()
    };
    let text = look.finding(&finding, &mut Sources::given([("src/demo.py", &*source)]));
    let quoted = text
        .lines()
        .find(|line| line.contains("items[at]"))
        .unwrap();
    assert!(quoted.chars().count() <= 80, "{quoted}");
    assert!(text.contains(&format!("= fails with: outer([{argument}])\n")));
}

#[test]
fn functions_with_the_same_reasons_share_a_line() {
    let functions: Vec<Function> = ["a", "b", "c"]
        .iter()
        .map(|name| function(name, 9, Verdict::NotAnalysed, "no types"))
        .collect();
    assert_eq!(
        verdicts::lines(Look::default(), &functions),
        "not analysed: src/demo.py:9 demo:a and 2 others: no types\n"
    );
}

#[test]
fn many_reasons_are_counted_unless_asked_for() {
    let functions: Vec<Function> = (0..30)
        .map(|at| function("f", at, Verdict::NoErrorFound, &format!("reason {at}")))
        .collect();
    let text = verdicts::lines(Look::default(), &functions);
    assert_eq!(text.lines().count(), 21);
    assert!(text.ends_with("no error found: 10 more functions (-v lists them)\n"));
    let look = Look {
        verbose: true,
        ..Look::default()
    };
    assert_eq!(verdicts::lines(look, &functions).lines().count(), 30);
}

#[test]
fn verbose_says_what_was_proved_and_with_what_effort() {
    let look = Look {
        verbose: true,
        ..Look::default()
    };
    let functions = [
        function("f", 3, Verdict::Proved, ""),
        function("g", 8, Verdict::NotAnalysed, "why"),
    ];
    assert_eq!(
        verdicts::lines(look, &functions),
        "proved: src/demo.py:3 demo:f (400 paths, depth 4, 0.25 s, cached)\n\
         not analysed: src/demo.py:8 demo:g: why\n"
    );
}
