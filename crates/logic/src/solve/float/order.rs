//! Refutes by the order of floats.
//!
//! Comparisons are transitive, and rounding never changes an order: with `y >= 0`, `x + y` is not
//! less than `x`, however it is rounded. Sorting and searching code asks such questions over and over, and
//! bounds do not see them where no number is near. All of it holds between numbers only, so every term of
//! the graph is known not to be `nan`.

use crate::operation::Operation;
use crate::pool::TermPool;
use crate::solve::float::FloatRange;
use crate::solve::interval::{Domain, Propagation};
use crate::term::{Term, TermId};

/// Terms compared; one bit each.
const MAX_NODES: usize = 128;

/// What is at most what, by term.
pub(super) struct Order<'a> {
    pool: &'a TermPool,
    ranges: &'a Propagation,
    nodes: Vec<TermId>,
    /// `above[i]` has the bit of every node known to be at least node `i`.
    above: Vec<u128>,
    less: Vec<(usize, usize)>,
    different: Vec<(usize, usize)>,
}

impl<'a> Order<'a> {
    pub(super) fn new(pool: &'a TermPool, ranges: &'a Propagation) -> Self {
        Order {
            pool,
            ranges,
            nodes: Vec::new(),
            above: Vec::new(),
            less: Vec::new(),
            different: Vec::new(),
        }
    }

    /// Whether the constraints order the floats in a circle.
    pub(super) fn contradicts(mut self, constraints: &[TermId]) -> bool {
        for &constraint in constraints {
            self.enter(constraint);
        }
        if self.less.is_empty() && self.different.is_empty() {
            return false;
        }
        self.enter_operands();
        self.enter_constants();
        self.close();
        while self.enter_images() {
            self.close();
        }
        let mutual = |&(a, b): &(usize, usize)| self.leads(a, b) && self.leads(b, a);
        self.less.iter().any(|&(a, b)| self.leads(b, a)) || self.different.iter().any(mutual)
    }

    fn leads(&self, a: usize, b: usize) -> bool {
        a == b || self.above[a] & (1 << b) != 0
    }

    fn range(&self, term: TermId) -> FloatRange {
        match self.ranges.term(term) {
            Some(Domain::Float(range)) => range,
            Some(Domain::Truth(_) | Domain::Number(_)) | None => FloatRange::ALL,
        }
    }

    /// The node of a term that is a number.
    fn node(&mut self, term: TermId) -> Option<usize> {
        if let Some(position) = self.nodes.iter().position(|&node| node == term) {
            return Some(position);
        }
        if self.nodes.len() >= MAX_NODES || self.range(term).may_be_nan() {
            return None;
        }
        self.nodes.push(term);
        self.above.push(0);
        Some(self.nodes.len() - 1)
    }

    fn at_most(&mut self, a: TermId, b: TermId) -> Option<(usize, usize)> {
        let (a, b) = (self.node(a)?, self.node(b)?);
        self.above[a] |= 1 << b;
        Some((a, b))
    }

    fn enter(&mut self, constraint: TermId) {
        let (term, holds) = match *self.pool.get(constraint) {
            Term::Not(inner) => (inner, false),
            _ => (constraint, true),
        };
        let Term::Apply(op, operands) = self.pool.get(term) else {
            return;
        };
        match (op, &operands[..], holds) {
            (Operation::FloatLt, &[a, b], true) | (Operation::FloatLe, &[b, a], false) => {
                let pair = self.at_most(a, b);
                self.less.extend(pair);
            }
            (Operation::FloatLe, &[a, b], true) | (Operation::FloatLt, &[b, a], false) => {
                self.at_most(a, b);
            }
            (Operation::FloatEq, &[a, b], true) => {
                self.at_most(a, b);
                self.at_most(b, a);
            }
            (Operation::FloatEq, &[a, b], false) => {
                if let (Some(a), Some(b)) = (self.node(a), self.node(b)) {
                    self.different.push((a, b));
                }
            }
            _ => {}
        }
    }

    /// What an operation says about its result and its operands; operands become nodes as well.
    fn enter_operands(&mut self) {
        let mut position = 0;
        while position < self.nodes.len() {
            let term = self.nodes[position];
            position += 1;
            let Term::Apply(op, operands) = self.pool.get(term) else {
                continue;
            };
            match (op, &operands[..]) {
                (Operation::FloatAdd, &[a, b]) => {
                    self.grown(a, term, self.range(b));
                    self.grown(b, term, self.range(a));
                }
                (Operation::FloatSub, &[a, b]) => {
                    self.grown(a, term, self.range(b).neg());
                }
                (Operation::FloatMul, &[a, b]) => {
                    self.scaled(a, term, self.range(b));
                    self.scaled(b, term, self.range(a));
                }
                (Operation::FloatAbs, &[a]) => {
                    self.at_most(a, term);
                }
                (Operation::FloatRound(rounding), &[a]) => match rounding {
                    crate::float::Rounding::Down => {
                        self.at_most(term, a);
                    }
                    crate::float::Rounding::Up => {
                        self.at_most(a, term);
                    }
                    crate::float::Rounding::TowardsZero | crate::float::Rounding::HalfEven => {
                        self.node(a);
                    }
                },
                _ => {}
            }
        }
    }

    /// `sum` is `a` plus something in the range.
    fn grown(&mut self, a: TermId, sum: TermId, range: FloatRange) {
        self.node(a);
        if range.low() >= 0.0 {
            self.at_most(a, sum);
        }
        if range.high() <= 0.0 {
            self.at_most(sum, a);
        }
    }

    /// `product` is `a` times something in the range.
    fn scaled(&mut self, a: TermId, product: TermId, range: FloatRange) {
        self.node(a);
        let size = self.range(a);
        let (natural, negative) = (size.low() >= 0.0, size.high() <= 0.0);
        let grows = range.low() >= 1.0;
        let shrinks = range.low() >= 0.0 && range.high() <= 1.0;
        if (natural && grows) || (negative && shrinks) {
            self.at_most(a, product);
        }
        if (natural && shrinks) || (negative && grows) {
            self.at_most(product, a);
        }
    }

    fn enter_constants(&mut self) {
        let value = |node: &TermId| self.pool.as_float(*node);
        let nodes = self.nodes.iter().enumerate();
        let mut constants: Vec<(usize, f64)> = nodes
            .filter_map(|(position, node)| Some((position, value(node)?)))
            .collect();
        constants.sort_by(|a, b| a.1.total_cmp(&b.1));
        for pair in constants.windows(2) {
            let ((a, low), (b, high)) = (pair[0], pair[1]);
            self.above[a] |= 1 << b;
            if low < high {
                self.less.push((a, b));
            }
        }
    }

    /// Makes the relation transitive.
    fn close(&mut self) {
        for middle in 0..self.nodes.len() {
            let beyond = self.above[middle];
            for above in &mut self.above {
                if *above & (1 << middle) != 0 {
                    *above |= beyond;
                }
            }
        }
    }

    /// Operations that keep the order of their operands; tells whether something new follows.
    fn enter_images(&mut self) -> bool {
        let mut grew = false;
        for first in 0..self.nodes.len() {
            for second in 0..self.nodes.len() {
                if first != second && !self.leads(first, second) && self.follows(first, second) {
                    self.above[first] |= 1 << second;
                    grew = true;
                }
            }
        }
        grew
    }

    /// Whether the operands show that one node is at most the other.
    fn follows(&self, first: usize, second: usize) -> bool {
        use Operation as Op;
        let (Term::Apply(op, ours), Term::Apply(other, theirs)) = (
            self.pool.get(self.nodes[first]),
            self.pool.get(self.nodes[second]),
        ) else {
            return false;
        };
        if op != other {
            return false;
        }
        let ordered = |a: TermId, b: TermId| {
            let position = |term| self.nodes.iter().position(|&node| node == term);
            a == b || matches!((position(a), position(b)), (Some(a), Some(b)) if self.leads(a, b))
        };
        let natural = |term: TermId| self.range(term).low() >= 0.0;
        match (op, &ours[..], &theirs[..]) {
            (Op::FloatAdd, &[a, b], &[c, d]) => {
                (ordered(a, c) && ordered(b, d)) || (ordered(a, d) && ordered(b, c))
            }
            (Op::FloatSub, &[a, b], &[c, d]) => ordered(a, c) && ordered(d, b),
            (Op::FloatMul, &[a, b], &[c, d]) => {
                let all = [a, b, c, d].into_iter().all(natural);
                all && ordered(a, c) && ordered(b, d) || (b == d && natural(b) && ordered(a, c))
            }
            (Op::FloatDiv, &[a, b], &[c, d]) => {
                b == d && self.range(b).low() > 0.0 && ordered(a, c)
            }
            (Op::FloatRound(_), &[a], &[c]) => ordered(a, c),
            (Op::FloatNeg, &[a], &[c]) => ordered(c, a),
            _ => false,
        }
    }
}
