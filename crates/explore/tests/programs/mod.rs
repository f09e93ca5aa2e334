//! What the programs of the tests are made of: they make decisions as the executor would.

use pef_explore::{
    Decision, DecisionKind, Ending, Exploration, ManualClock, Options, PathRecord, Site, SiteId,
    Stop,
};
use pef_logic::{Model, Sort, Term, TermId, Value, standard_chain};
use std::rc::Rc;

pub fn exploration(options: Options) -> Exploration {
    Exploration::new(
        options,
        standard_chain(None),
        Box::new(ManualClock::default()),
    )
}

pub fn site(search: &mut Exploration, line: u32, kind: DecisionKind) -> SiteId {
    search.sites.intern(Site {
        file: "t.py".into(),
        line,
        column: 1,
        kind,
        instruction: 0,
    })
}

pub fn var(search: &mut Exploration, name: &str) -> TermId {
    search.pool.variable(name, Sort::Int)
}

pub fn value(search: &Exploration, model: &Model, term: TermId) -> i64 {
    let Term::Var(var) = search.pool.get(term) else {
        panic!("not a variable")
    };
    match model.value_of(&search.pool, *var) {
        Value::Int(number) => number.to_i64().expect("a small value"),
        _ => panic!("not a number"),
    }
}

/// A decision `left < right` of the program, answered from the concrete values.
pub fn less(
    search: &mut Exploration,
    line: u32,
    (left, a): (TermId, i64),
    (right, b): (TermId, i64),
) -> Result<bool, Stop> {
    let site = site(search, line, DecisionKind::If);
    let yes = search.pool.lt(left, right);
    if let Term::Bool(known) = *search.pool.get(yes) {
        return Ok(known);
    }
    let no = search.pool.not(yes);
    search.decide(&Decision::binary(site, yes, no, a < b))?;
    Ok(a < b)
}

pub type Program = fn(&mut Exploration, &Model) -> Result<Ending, Stop>;

pub fn explore(search: &mut Exploration, program: Program) -> Vec<PathRecord> {
    let mut paths = Vec::new();
    while let Some(model) = search.next_run() {
        let model: Rc<Model> = model;
        let ending = program(search, &model).unwrap_or(Ending::Stopped);
        paths.extend(search.end_run(ending));
    }
    paths
}
