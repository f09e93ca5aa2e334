//! The query log: every question and its answer, as SMT-LIB that can be replayed.

use std::fmt;
use std::io::Write;

use crate::pool::TermPool;
use crate::smtlib;
use crate::solve::{Answer, Budget, LayerStatistics, Query, Solver};

/// Where logged queries go. A log that cannot be written is dropped; solving goes on.
pub struct QueryLog {
    sink: Option<Box<dyn Write>>,
    count: u64,
}

impl QueryLog {
    /// A log that writes to `sink`.
    pub fn new(sink: impl Write + 'static) -> Self {
        QueryLog {
            sink: Some(Box::new(sink)),
            count: 0,
        }
    }

    fn record(&mut self, pool: &TermPool, query: &Query<'_>, answer: &Answer) {
        let Some(sink) = &mut self.sink else { return };
        self.count += 1;
        let text = format!(
            "; query {}\n{}; answer: {}\n(reset)\n\n",
            self.count,
            smtlib::script(pool, query.path, query.goal),
            describe(pool, answer),
        );
        if sink
            .write_all(text.as_bytes())
            .and_then(|()| sink.flush())
            .is_err()
        {
            self.sink = None;
        }
    }
}

impl fmt::Debug for QueryLog {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("QueryLog")
            .field("count", &self.count)
            .finish_non_exhaustive()
    }
}

fn describe(pool: &TermPool, answer: &Answer) -> String {
    match answer {
        Answer::Sat(model) => {
            let values: Vec<String> = model
                .iter()
                .map(|(variable, value)| format!("{} = {value}", pool.var_name(variable)))
                .collect();
            format!("sat {}", values.join(", ").replace('\n', " "))
        }
        Answer::Unsat => "unsat".to_owned(),
        Answer::Unknown(reason) => format!("unknown {reason:?}"),
    }
}

/// Writes down every query that passes and the answer that comes back.
pub(super) struct Logged {
    log: QueryLog,
    next: Box<dyn Solver>,
}

impl Logged {
    pub(super) fn new(log: QueryLog, next: Box<dyn Solver>) -> Self {
        Logged { log, next }
    }
}

impl Solver for Logged {
    fn solve(&mut self, pool: &mut TermPool, query: &Query<'_>, budget: &Budget) -> Answer {
        let answer = self.next.solve(pool, query, budget);
        self.log.record(pool, query, &answer);
        answer
    }

    fn name(&self) -> &'static str {
        "log"
    }

    fn statistics(&self, out: &mut Vec<LayerStatistics>) {
        self.next.statistics(out);
    }
}
