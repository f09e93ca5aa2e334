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
//! | floats | answers queries with floats | 10 us |
//! | text | asks about lengths and units instead | 10 us |
//! | contradiction | refutes goals that oppose one constraint | 30 ns |
//! | difference bounds | decides `x - y <= c` exactly | 200 ns |
//! | answer cache | knows the constraints from before | 100 ns |
//! | repair | changes one variable of the hint | 300 ns |
//! | intervals | refutes by bounds | 1 us |
//! | walk | changes a few variables | 10 us |
//! | bit-vectors, bounded | decides bit operations within bounds | 1 ms |
//! | z3 integers | decides linear arithmetic, attempts the rest | 0.1 ms |
//! | bit-vectors, growing | finds models of the rest | 10 ms |
//! | z3 integers, again | spends what is left of the budget | the budget |

use crate::solve::bitvector::BitVectors;
use crate::solve::cache::AnswerCache;
use crate::solve::contradiction::Contradiction;
use crate::solve::defined::Defined;
use crate::solve::difference::Differences;
use crate::solve::float::Floats;
use crate::solve::independent::Independent;
use crate::solve::interval::Intervals;
use crate::solve::log::Logged;
use crate::solve::repair::Repair;
use crate::solve::text::Texts;
use crate::solve::validate::Validated;
use crate::solve::walk::Walk;
use crate::solve::z3::{Incremental, Session};
use crate::solve::{QueryLog, Solver};

/// The chain used for all exploration.
pub fn standard_chain(log: Option<QueryLog>) -> Box<dyn Solver> {
    let session = Session::new();
    let chain = numbers(&session);
    let chain: Box<dyn Solver> = Box::new(Texts::new(session, mirrored, chain));
    let chain: Box<dyn Solver> = Box::new(Validated::new(chain));
    let chain: Box<dyn Solver> = Box::new(Defined::new(chain));
    let chain: Box<dyn Solver> = Box::new(Independent::new(chain));
    match log {
        Some(log) => Box::new(Logged::new(log, chain)),
        None => chain,
    }
}

/// The layers that know numbers, floats and truth values.
fn numbers(session: &Session) -> Box<dyn Solver> {
    let chain: Box<dyn Solver> = Box::new(Incremental::long(session.clone()));
    let chain: Box<dyn Solver> = Box::new(BitVectors::growing(session.clone(), chain));
    let chain: Box<dyn Solver> = Box::new(Incremental::short(session.clone(), chain));
    let chain: Box<dyn Solver> = Box::new(BitVectors::bounded(session.clone(), chain));
    let chain: Box<dyn Solver> = Box::new(Walk::new(chain));
    let chain: Box<dyn Solver> = Box::new(Intervals::new(chain));
    let chain: Box<dyn Solver> = Box::new(Repair::new(chain));
    let chain: Box<dyn Solver> = Box::new(AnswerCache::new(chain));
    let chain: Box<dyn Solver> = Box::new(Differences::new(chain));
    let chain: Box<dyn Solver> = Box::new(Contradiction::new(chain));
    Box::new(Floats::new(session.clone(), chain))
}

/// The chain for text that was lowered to numbers, in a pool of its own. Every unit is a variable, so cutting
/// the path to what the goal needs pays here too.
fn mirrored(session: &Session) -> Box<dyn Solver> {
    Box::new(Independent::new(numbers(session)))
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
