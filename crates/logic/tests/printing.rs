//! Terms as text: Python for people, SMT-LIB for the query log.

mod support;

use std::cell::RefCell;
use std::io;
use std::rc::Rc;

use insta::assert_snapshot;
use pef_logic::smtlib::script;
use pef_logic::{
    Answer, BinaryOp, Budget, Evaluator, Model, Query, QueryLog, Sort, TermPool, Value,
    python_source, standard_chain,
};
use support::parser::parse;

fn reprint(text: &str) -> String {
    let mut pool = TermPool::new();
    let term = parse(&mut pool, text);
    python_source(&pool, term)
}

#[test]
fn conditions_read_as_a_person_would_write_them() {
    for text in [
        "a + c == 42",
        "a - c == 42",
        "a - c != 42",
        "x // 2 == -4",
        "x > 5",
        "x >= 5",
        "x < 5",
        "x <= y - 3",
        "not b",
        "b and b1 or b2",
        "b and (b1 or b2)",
        "not (b and b1)",
        "b == b1",
        "b != (x > 3)",
        "x * (y + 1) % 7 == 3",
        "x & 7 | y ^ 3",
        "(x << 2) + 1",
        "x - (y - z)",
        "x // (y * z)",
        "x * (y // z)",
        "(x + y) * z",
        "-x ** 2",
        "(-x) ** 2",
        "x ** y ** z",
        "(x ** y) ** z",
        "(-2) ** x",
        "x ** -y",
        "abs(x - y)",
        "(x + y).bit_length()",
        "x.bit_count()",
        "int(b) + 3",
        "x if b else y if b1 else z",
        "(x if b else y) + 1",
    ] {
        assert_eq!(reprint(text), text);
    }
}

#[test]
fn constants_move_to_the_right() {
    assert_eq!(reprint("5 < x"), "x > 5");
    assert_eq!(reprint("3 + x"), "x + 3");
    assert_eq!(reprint("x + (0 - 3)"), "x - 3");
    assert_eq!(reprint("7 * x == 21"), "x == 3");
}

#[test]
fn a_huge_term_is_cut_short_instead_of_exploding() {
    let mut pool = TermPool::new();
    let mut term = pool.variable("x", Sort::Int);
    for _ in 0..64 {
        term = pool.binary(BinaryOp::Mul, term, term);
    }
    let text = python_source(&pool, term);
    assert!(
        text.contains("...") && text.len() < 100_000,
        "{} bytes",
        text.len()
    );
}

#[test]
fn a_script_defines_only_what_it_uses() {
    let mut pool = TermPool::new();
    let path = [
        parse(&mut pool, "y != 0"),
        parse(&mut pool, "b == (x > -3)"),
    ];
    let goal = parse(&mut pool, "x // y == 5 and (x & 12) + x // y > 2 ** y");
    assert_snapshot!(script(&pool, &path, goal), @r"
    (declare-const y Int)
    (declare-const b Bool)
    (declare-const x Int)
    (define-fun py_div ((a Int) (b Int)) Int (ite (> b 0) (div a b) (div (- a) (- b))))
    (define-fun-rec py_pow ((a Int) (n Int)) Int (ite (<= n 0) 1 (* a (py_pow a (- n 1)))))
    (define-fun-rec py_and ((a Int) (b Int)) Int (ite (= a 0) 0 (ite (= a (- 1)) b (+ (* 2 (py_and (div a 2) (div b 2))) (* (mod a 2) (mod b 2))))))
    (define-fun t!12 () Int (py_div x y))
    (assert (not (= y 0)))
    (assert (= b (< (- 3) x)))
    (assert (and (= t!12 5) (< (py_pow 2 y) (+ t!12 (py_and x 12)))))
    (check-sat)
    ");
}

#[derive(Clone, Default)]
struct Sink(Rc<RefCell<Vec<u8>>>);

impl io::Write for Sink {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.borrow_mut().write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[test]
fn the_log_holds_question_and_answer() {
    let mut pool = TermPool::new();
    let (path, goal) = ([parse(&mut pool, "x <= 5")], parse(&mut pool, "x > 3"));
    let sink = Sink::default();
    let mut chain = standard_chain(Some(QueryLog::new(sink.clone())));
    let hint = Model::new();
    let query = Query {
        path: &path,
        goal,
        hint: &hint,
    };
    assert!(matches!(
        chain.solve(&mut pool, &query, &Budget::default()),
        Answer::Sat(_)
    ));
    let log = String::from_utf8(sink.0.take()).unwrap();
    assert_snapshot!(log, @r"
    ; query 1
    (declare-const x Int)
    (assert (<= x 5))
    (assert (< 3 x))
    (check-sat)
    ; answer: sat x = 4
    (reset)
    ");
}

#[test]
fn variables_of_one_name_and_two_sorts_stay_apart() {
    let mut pool = TermPool::new();
    let (number, truth) = (
        pool.variable("x", Sort::Int),
        pool.variable("x", Sort::Bool),
    );
    let seven = pool.small(7);
    let goal = pool.eq(number, seven);
    assert_eq!(run(&script(&pool, &[truth], goal)), z3::SatResult::Sat);
}

/// What Z3 answers to a script, read in a context of its own: definitions outlive their solver.
fn run(text: &str) -> z3::SatResult {
    z3::with_z3_config(&z3::Config::new(), || {
        let solver = z3::Solver::new();
        solver.from_string(text);
        assert!(!solver.get_assertions().is_empty(), "not read: {text}");
        solver.check()
    })
}

#[test]
fn scripts_mean_what_the_terms_mean() {
    let operators = ["+", "-", "*", "//", "%", "**", "<<", ">>", "&", "|", "^"];
    let unary = ["-x", "abs(x)", "x.bit_length()", "x.bit_count()"];
    for (x, y) in [
        (7, 3),
        (-7, 3),
        (7, -3),
        (-7, -3),
        (0, 2),
        (12, 10),
        (-12, 10),
    ] {
        let binary = operators.iter().map(|operator| format!("x {operator} y"));
        for text in binary.chain(unary.map(str::to_owned)) {
            let mut pool = TermPool::new();
            let pins = parse(&mut pool, &format!("x == {x} and y == {y}"));
            let term = parse(&mut pool, &text);
            let model = [("x", x), ("y", y)]
                .into_iter()
                .filter_map(|(name, value)| {
                    let variable = pool
                        .vars(pool.find_variable(name, Sort::Int)?)
                        .iter()
                        .next()?;
                    Some((variable, Value::from(value)))
                });
            let model: Model = model.collect();
            let Ok(Value::Int(value)) = Evaluator::new().value(&pool, &model, term) else {
                continue;
            };
            let value = pool.int(value);
            let (right, wrong) = (pool.eq(term, value), pool.ne(term, value));
            assert_eq!(
                run(&script(&pool, &[pins], right)),
                z3::SatResult::Sat,
                "{text}"
            );
            assert_eq!(
                run(&script(&pool, &[pins], wrong)),
                z3::SatResult::Unsat,
                "{text}"
            );
        }
    }
}
