//! The one place that knows which layers exist and in which order they are asked.

use crate::solve::bitvector::BitVectors;
use crate::solve::cache::AnswerCache;
use crate::solve::contradiction::Contradiction;
use crate::solve::defined::Defined;
use crate::solve::difference::Differences;
use crate::solve::independent::Independent;
use crate::solve::interval::Intervals;
use crate::solve::log::Logged;
use crate::solve::repair::Repair;
use crate::solve::validate::Validated;
use crate::solve::walk::Walk;
use crate::solve::z3::{Incremental, Session};
use crate::solve::{QueryLog, Solver};

/// The chain used for all exploration.
pub fn standard_chain(log: Option<QueryLog>) -> Box<dyn Solver> {
    let session = Session::new();
    let chain: Box<dyn Solver> = Box::new(Incremental::long(session.clone()));
    let chain: Box<dyn Solver> = Box::new(BitVectors::growing(session.clone(), chain));
    let chain: Box<dyn Solver> = Box::new(Incremental::short(session.clone(), chain));
    let chain: Box<dyn Solver> = Box::new(BitVectors::bounded(session, chain));
    let chain: Box<dyn Solver> = Box::new(Walk::new(chain));
    let chain: Box<dyn Solver> = Box::new(Intervals::new(chain));
    let chain: Box<dyn Solver> = Box::new(Repair::new(chain));
    let chain: Box<dyn Solver> = Box::new(AnswerCache::new(chain));
    let chain: Box<dyn Solver> = Box::new(Differences::new(chain));
    let chain: Box<dyn Solver> = Box::new(Contradiction::new(chain));
    let chain: Box<dyn Solver> = Box::new(Validated::new(chain));
    let chain: Box<dyn Solver> = Box::new(Defined::new(chain));
    let chain: Box<dyn Solver> = Box::new(Independent::new(chain));
    match log {
        Some(log) => Box::new(Logged::new(log, chain)),
        None => chain,
    }
}
