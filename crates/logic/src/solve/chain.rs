//! The one place that knows which layers exist and in which order they are asked.
//!
//! Cheap layers stand before expensive ones, and a layer that is cheaper than a look into the cache
//! stands before the cache:
//!
//! | layer | does | typical cost |
//! | --- | --- | --- |
//! | independent parts | keeps what shares variables with the goal | 100 ns |
//! | defined | states that divisors are not zero | 10 ns |
//! | model check | evaluates every model that comes back | 50 ns |
//! | contradiction | refutes goals that oppose one constraint | 30 ns |
//! | text | asks about lengths and units instead | 10 us |
//! | floats | answers queries with floats | 10 us |
//! | difference bounds | decides `x - y <= c` exactly | 200 ns |
//! | answer cache | knows the constraints from before | 100 ns |
//! | repair | changes one variable of the hint | 300 ns |
//! | intervals | refutes by bounds | 1 us |
//! | walk | changes a few variables | 10 us |
//! | linear | eliminates unknowns from equations and inequalities | 5 us |
//! | cases | supposes truth values, decides what is left | 50 us |
//! | splits | goes through what is within narrow bounds | 100 us |
//! | bit-vectors, bounded | decides bit operations within bounds | 1 ms |
//! | z3 integers | decides linear arithmetic, attempts the rest | 0.1 ms |
//! | splits, again | spends up to half of the budget on narrow bounds | 10 ms |
//! | bit-vectors, growing | finds models of the rest | 10 ms |
//! | z3 integers, again | spends what is left of the budget | the budget |

use std::rc::Rc;

use crate::solve::bitvector::BitVectors;
use crate::solve::cache::AnswerCache;
use crate::solve::cases::Cases;
use crate::solve::contradiction::Contradiction;
use crate::solve::defined::Defined;
use crate::solve::difference::Differences;
use crate::solve::float::Floats;
use crate::solve::independent::Independent;
use crate::solve::interval::Intervals;
use crate::solve::linear::Linear;
use crate::solve::log::Logged;
use crate::solve::repair::Repair;
use crate::solve::split::Splits;
use crate::solve::text::Texts;
use crate::solve::timed::{Stopwatch, Timed};
use crate::solve::validate::Validated;
use crate::solve::walk::Walk;
use crate::solve::z3::{Incremental, Session};
use crate::solve::{QueryLog, Solver};

/// The chain used for all exploration.
pub fn standard_chain(log: Option<QueryLog>) -> Box<dyn Solver> {
    Composition::default().chain(log)
}

/// The same chain with a stopwatch between its layers: its statistics tell the time of every layer.
pub fn timed_chain(log: Option<QueryLog>) -> Box<dyn Solver> {
    let stopwatch = Some(Rc::new(Stopwatch::default()));
    Composition { stopwatch }.chain(log)
}

/// How layers are put together.
#[derive(Clone, Default)]
struct Composition {
    stopwatch: Option<Rc<Stopwatch>>,
}

impl Composition {
    fn layer(&self, layer: impl Solver + 'static) -> Box<dyn Solver> {
        let layer = Box::new(layer);
        match &self.stopwatch {
            Some(stopwatch) => Box::new(Timed::new(Rc::clone(stopwatch), layer)),
            None => layer,
        }
    }

    fn chain(self, log: Option<QueryLog>) -> Box<dyn Solver> {
        let session = Session::new();
        let chain = self.numbers(&session);
        let mirrored = self.clone();
        let chain = self.layer(Texts::new(move || mirrored.mirrored(&session), chain));
        let chain = self.layer(Contradiction::new(chain));
        let chain = self.layer(Validated::new(chain));
        let chain = self.layer(Defined::new(chain));
        let chain = self.layer(Independent::new(chain));
        match log {
            Some(log) => Box::new(Logged::new(log, chain)),
            None => chain,
        }
    }

    /// The layers that know numbers, floats and truth values.
    fn numbers(&self, session: &Session) -> Box<dyn Solver> {
        let chain = self.layer(Incremental::long(session.clone()));
        let chain = self.layer(BitVectors::growing(session.clone(), chain));
        let chain = self.layer(Splits::long(chain));
        let chain = self.layer(Incremental::short(session.clone(), chain));
        let chain = self.layer(BitVectors::bounded(session.clone(), chain));
        let chain = self.layer(Splits::short(chain));
        let chain = self.layer(Cases::new(chain));
        let chain = self.layer(Linear::new(chain));
        let chain = self.layer(Walk::new(chain));
        let chain = self.layer(Intervals::new(chain));
        let chain = self.layer(Repair::new(chain));
        let chain = self.layer(AnswerCache::new(chain));
        let chain = self.layer(Differences::new(chain));
        self.layer(Floats::new(session.clone(), chain))
    }

    /// The chain for text that was lowered to numbers, in a pool of its own. Every unit is a variable, so cutting
    /// the path to what the goal needs pays here too.
    fn mirrored(&self, session: &Session) -> Box<dyn Solver> {
        let chain = self.layer(Contradiction::new(self.numbers(session)));
        self.layer(Independent::new(chain))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pool::TermPool;
    use crate::solve::{Answer, Budget, Query, UnknownReason};
    use crate::term::{BinaryOp, Sort};
    use crate::value::{Model, Value};

    #[test]
    fn a_glance_sees_what_is_plain_and_searches_for_nothing() {
        let mut pool = TermPool::new();
        let (x, y) = (pool.variable("x", Sort::Int), pool.variable("y", Sort::Int));
        let five = pool.small(5);
        let plain = pool.eq(x, five);
        let product = pool.binary(BinaryOp::Mul, x, y);
        let semiprime = pool.small(1_000_036_000_099);
        let factors = pool.eq(product, semiprime);
        let two = pool.small(2);
        let path = [pool.lt(two, x), pool.lt(two, y)];
        let both = pool.vars(product);
        let hint: Model = both.iter().map(|input| (input, Value::from(3))).collect();
        let mut chain = standard_chain(None);
        let query = Query {
            path: &[],
            goal: plain,
            hint: &hint,
        };
        assert!(matches!(
            chain.solve(&mut pool, &query, &Budget::GLANCE),
            Answer::Sat(_)
        ));
        let query = Query {
            path: &path,
            goal: factors,
            hint: &hint,
        };
        let answer = chain.solve(&mut pool, &query, &Budget::GLANCE);
        assert_eq!(answer, Answer::Unknown(UnknownReason::Budget));
    }
}
