//! What terms and queries cost. Prints one line per measurement.
//!
//! Needs a real Z3: `PEF_LINK_Z3=1 cargo bench -p pef-logic`.

#[path = "../tests/support/mod.rs"]
mod support;

use std::hint::black_box;
use std::time::{Duration, Instant};

use pef_logic::{
    Answer, BinaryOp, Budget, Evaluator, LayerStatistics, Model, Query, Solver, Sort, TermId,
    TermPool, Value, standard_chain,
};
use support::parser::parse;

fn main() {
    constructors();
    single_flip();
    quicksort();
    for conditions in HARD {
        hard(conditions);
    }
}

/// The best of a few rounds, per repetition.
fn measure(label: &str, repetitions: u32, mut action: impl FnMut()) {
    let mut best = Duration::MAX;
    for _ in 0..7 {
        let start = Instant::now();
        for _ in 0..repetitions {
            action();
        }
        best = best.min(start.elapsed());
    }
    println!(
        "{label:56} {:>12.1} ns",
        best.as_secs_f64() * 1e9 / f64::from(repetitions)
    );
}

fn constructors() {
    let mut pool = TermPool::new();
    let x = pool.variable("x", Sort::Int);
    let y = pool.variable("y", Sort::Int);
    let one = pool.small(1);
    measure("x + 1, again", 100_000, || {
        black_box(pool.binary(BinaryOp::Add, black_box(x), one));
    });
    measure("x < y, again", 100_000, || {
        black_box(pool.lt(black_box(x), y));
    });
    measure("not (x < y), again", 100_000, || {
        let less = pool.lt(black_box(x), y);
        black_box(pool.not(less));
    });
    let sum = pool.binary(BinaryOp::Add, x, one);
    measure("x + 1 == 1, again", 100_000, || {
        black_box(pool.eq(black_box(sum), one));
    });
    let mut counter = 0_i64;
    measure("x + n, new", 100_000, || {
        counter += 1;
        let constant = pool.small(counter + 1_000);
        black_box(pool.binary(BinaryOp::Add, x, constant));
    });
    let goal = parse(&mut pool, "x * 3 + y // 2 - (x & 7) < 100");
    let (mut evaluator, model) = (Evaluator::new(), Model::new());
    measure("evaluate x * 3 + y // 2 - (x & 7) < 100", 100_000, || {
        black_box(evaluator.holds(&pool, &model, black_box(goal)));
    });
}

fn single_flip() {
    let mut pool = TermPool::new();
    let zero = pool.small(0);
    let variables: Vec<TermId> = (0..12)
        .map(|index| pool.variable(&format!("x{index}"), Sort::Int))
        .collect();
    let path: Vec<TermId> = variables[1..].iter().map(|&x| pool.le(x, zero)).collect();
    let mut hint = Model::new();
    hint.complete(&pool);
    let goal = pool.gt(variables[0], zero);
    let mut chain = standard_chain(None);
    let query = Query {
        path: &path,
        goal,
        hint: &hint,
    };
    measure(
        "flip x0 > 0 beside 11 unrelated constraints",
        10_000,
        || {
            black_box(chain.solve(&mut pool, &query, &Budget::default()));
        },
    );
    let goal = parse(&mut pool, "x0 * 3 + x0 // 2 > 50");
    let query = Query {
        path: &path,
        goal,
        hint: &hint,
    };
    measure("flip x0 * 3 + x0 // 2 > 50 likewise", 10_000, || {
        black_box(chain.solve(&mut pool, &query, &Budget::default()));
    });
}

/// Explores quicksort of six unknown numbers, depth first.
fn quicksort() {
    let mut pool = TermPool::new();
    let variables: Vec<TermId> = (0..6)
        .map(|index| pool.variable(&format!("x{index}"), Sort::Int))
        .collect();
    let mut chain = standard_chain(None);
    let (mut paths, mut queries, mut spent) = (0_u32, 0_u32, Duration::ZERO);
    let mut first = Model::new();
    first.complete(&pool);
    let mut open = vec![(first, 0)];
    while let Some((input, done)) = open.pop() {
        paths += 1;
        let trace = run_quicksort(&mut pool, &variables, &input);
        for position in done..trace.len() {
            let goal = pool.not(trace[position]);
            let query = Query {
                path: &trace[..position],
                goal,
                hint: &input,
            };
            queries += 1;
            let start = Instant::now();
            let answer = chain.solve(&mut pool, &query, &Budget::default());
            spent += start.elapsed();
            if let Answer::Sat(model) = answer {
                open.push((model, position + 1));
            }
        }
    }
    let label = format!("quicksort of 6: {paths} paths, {queries} queries, each");
    println!(
        "{label:56} {:>12.1} ns",
        spent.as_secs_f64() * 1e9 / f64::from(queries)
    );
    print_layers(&*chain);
}

fn run_quicksort(pool: &mut TermPool, items: &[TermId], input: &Model) -> Vec<TermId> {
    let mut trace = Vec::new();
    let mut pending = vec![items.to_vec()];
    while let Some(list) = pending.pop() {
        let Some((&pivot, rest)) = list.split_first() else {
            continue;
        };
        let (mut below, mut above) = (Vec::new(), Vec::new());
        for &item in rest {
            let condition = pool.lt(item, pivot);
            let value = |term: TermId| {
                let variable = pool.vars(term).iter().next();
                variable
                    .and_then(|variable| input.get(variable))
                    .and_then(Value::as_int)
                    .cloned()
            };
            let holds = value(item) < value(pivot);
            trace.push(if holds {
                condition
            } else {
                pool.not(condition)
            });
            if holds {
                below.push(item);
            } else {
                above.push(item);
            }
        }
        pending.push(above);
        pending.push(below);
    }
    trace
}

const HARD: [&[&str]; 18] = [
    &["x // 2 == -4", "x % 2 == 1"],
    &["x > 2 ** 64 - 1", "x < 2 ** 64 + 1"],
    &[
        "0 <= x",
        "x < 2 ** 32",
        "x & (x - 1) == 0",
        "x ^ 0x55555555 == 0x55515555",
    ],
    &[
        "0 <= x",
        "x < 2 ** 32",
        "x & (x - 1) == 0",
        "x > 70000",
        "x % 7 == 2",
    ],
    &["x ^ y == 0x1234", "x & y == 0x4001", "x > 0", "y > 0"],
    &["(x << 3 >> 1) ^ 7 == 99"],
    &["x ** 3 == 2744"],
    &["x ** 5 + x == 1028"],
    &["2 ** x == 4096"],
    &["x * y == 3599", "x > 1", "y > x"],
    &["x * x == 2 * y * y + 1", "y > 0"],
    &["x.bit_length() == 17", "x & 1 == 0"],
    &["x // y == 7", "x % y == 3", "y > 4"],
    &["x >> y == 3", "y > 2", "x > 0"],
    &["x + y + z == 100", "x - y == 7", "z > 2 * x"],
    &["7 * x + 3 * y == 1", "x > 100", "y % 5 == 2"],
    &["x * x == 4 * y + 3"],
    &["x > 0", "y > 0", "z > 0", "x ** 3 + y ** 3 == z ** 3"],
];

fn hard(conditions: &[&str]) {
    let mut pool = TermPool::new();
    let path: Vec<TermId> = conditions
        .iter()
        .map(|text| parse(&mut pool, text))
        .collect();
    let mut chain = standard_chain(None);
    let mut hint = Model::new();
    let mut shown = String::new();
    let start = Instant::now();
    for (position, &goal) in path.iter().enumerate() {
        let query = Query {
            path: &path[..position],
            goal,
            hint: &hint,
        };
        match chain.solve(&mut pool, &query, &Budget::default()) {
            Answer::Sat(model) => hint = model,
            Answer::Unsat => shown = String::from("unsat"),
            Answer::Unknown(reason) => shown = format!("unknown: {reason}"),
        }
    }
    let spent = start.elapsed();
    if shown.is_empty() {
        let values = hint
            .iter()
            .map(|(var, value)| format!("{}={value}", pool.var_name(var)));
        shown = values.collect::<Vec<_>>().join(" ");
    }
    println!(
        "{:56} {:>9.1} us  {shown}",
        conditions.join(" and "),
        spent.as_secs_f64() * 1e6
    );
    if std::env::args().any(|argument| argument == "--layers") {
        print_layers(&*chain);
    }
}

fn print_layers(chain: &dyn Solver) {
    let mut layers: Vec<LayerStatistics> = Vec::new();
    chain.statistics(&mut layers);
    for layer in layers.iter().filter(|layer| layer.asked > 0) {
        println!(
            "    {:24} asked {:6}  sat {:6}  unsat {:6}  unknown {:4}  {:>9.1} us",
            layer.layer,
            layer.asked,
            layer.sat,
            layer.unsat,
            layer.unknown,
            Duration::from_nanos(layer.nanos).as_secs_f64() * 1e6,
        );
    }
}
