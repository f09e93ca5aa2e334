//! Decides difference constraints: `x - y <= c`, `x <= c` and their equalities and inequalities.
//!
//! Sorting, searching and counting loops ask almost nothing else, and these questions have an exact
//! and fast answer. The values of the hint solve the path already, so only the goal has to be worked in:
//! each violated constraint moves its variables as far as needed and no further (see
//! [`graph`]). Constraints of other kinds are left out at first: what is impossible without them is impossible, and
//! a model that moves little often satisfies them as well. If it does not, the query is passed on.

mod graph;
mod shape;

use rustc_hash::FxHashMap;

use crate::evaluate::Evaluator;
use crate::integer::Integer;
use crate::pool::TermPool;
use crate::solve::independent::conjuncts;
use crate::solve::{Answer, Budget, LayerStatistics, Query, Solver, start_from};
use crate::term::{TermId, VarId};
use crate::value::{Model, Value};

use graph::{Distance, Graph, Node};
use shape::{Shape, Side};

/// Inequalities (`!=`) may be decided both ways this often per query.
const MAX_SPLITS: u32 = 64;
/// Nested decisions; also bounds recursion.
const MAX_DEPTH: u32 = 24;

/// Solves queries made of difference constraints, and those whose other constraints do not matter.
pub(super) struct Differences {
    shapes: FxHashMap<TermId, Shape>,
    goals: Vec<TermId>,
    graph: Graph,
    /// The node of each variable, valid if its round is the current one.
    nodes: Vec<(u32, Node)>,
    round: u32,
    variables: Vec<VarId>,
    unequal: Vec<Unequal>,
    /// Constraints of other kinds.
    left_out: Vec<TermId>,
    evaluator: Evaluator,
    statistics: LayerStatistics,
    next: Box<dyn Solver>,
}

/// `left - right != distance`, the larger node left.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Unequal {
    left: Node,
    right: Node,
    distance: Distance,
}

impl Unequal {
    fn new(left: Node, right: Node, distance: Distance) -> Self {
        if left < right {
            Unequal {
                left: right,
                right: left,
                distance: -distance,
            }
        } else {
            Unequal {
                left,
                right,
                distance,
            }
        }
    }
}

enum Verdict {
    Feasible,
    Infeasible,
    GaveUp,
}

impl Differences {
    pub(super) fn new(next: Box<dyn Solver>) -> Self {
        Differences {
            shapes: FxHashMap::default(),
            goals: Vec::new(),
            graph: Graph::new(),
            nodes: Vec::new(),
            round: 0,
            variables: Vec::new(),
            unequal: Vec::new(),
            left_out: Vec::new(),
            evaluator: Evaluator::new(),
            statistics: LayerStatistics::new("difference bounds"),
            next,
        }
    }

    fn shape(&mut self, pool: &TermPool, term: TermId) -> Shape {
        *self
            .shapes
            .entry(term)
            .or_insert_with(|| Shape::of(pool, term))
    }

    /// Decides the differences of the query, or gives up because its goal has none.
    fn decide(&mut self, pool: &mut TermPool, query: &Query<'_>) -> Verdict {
        self.goals.clear();
        conjuncts(pool, query.goal, &mut self.goals);
        let goals = std::mem::take(&mut self.goals);
        let verdict = self.decide_all(pool, query, &goals);
        self.goals = goals;
        verdict
    }

    fn decide_all(&mut self, pool: &TermPool, query: &Query<'_>, goals: &[TermId]) -> Verdict {
        // The hint solves the path: with nothing known of the goal there is nothing to find out.
        if goals
            .iter()
            .all(|&goal| self.shape(pool, goal) == Shape::Other)
        {
            return Verdict::GaveUp;
        }
        self.reset();
        for &part in query.path.iter().chain(goals) {
            let shape = self.shape(pool, part);
            if shape == Shape::Other {
                self.left_out.push(part);
                continue;
            }
            match self.assert(query.hint, shape) {
                Verdict::Feasible => {}
                other => return other,
            }
        }
        self.graph.settle();
        let mut splits = 0;
        self.separate(0, &mut splits)
    }

    fn reset(&mut self) {
        self.round = self.round.wrapping_add(1);
        if self.round == 0 {
            self.nodes.clear();
            self.round = 1;
        }
        self.graph.clear();
        self.variables.clear();
        self.unequal.clear();
        self.left_out.clear();
    }

    fn assert(&mut self, hint: &Model, shape: Shape) -> Verdict {
        match shape {
            Shape::AtMost {
                left,
                right,
                distance,
            } => {
                let (Some(left), Some(right)) = (self.node(hint, left), self.node(hint, right))
                else {
                    return Verdict::GaveUp;
                };
                self.bound(left, right, distance.into())
            }
            Shape::Equal {
                left,
                right,
                distance,
            } => {
                let (Some(left), Some(right)) = (self.node(hint, left), self.node(hint, right))
                else {
                    return Verdict::GaveUp;
                };
                let distance = Distance::from(distance);
                match self.bound(left, right, distance) {
                    Verdict::Feasible => self.bound(right, left, -distance),
                    other => other,
                }
            }
            Shape::Differs {
                left,
                right,
                distance,
            } => {
                let (Some(left), Some(right)) = (self.node(hint, left), self.node(hint, right))
                else {
                    return Verdict::GaveUp;
                };
                self.unequal
                    .push(Unequal::new(left, right, distance.into()));
                Verdict::Feasible
            }
            Shape::Other => Verdict::GaveUp,
        }
    }

    /// Adds `left - right <= distance`.
    fn bound(&mut self, left: Node, right: Node, distance: Distance) -> Verdict {
        if self.graph.add(left, right, distance) {
            Verdict::Feasible
        } else {
            Verdict::Infeasible
        }
    }

    /// The node of a variable, with the value of the hint.
    fn node(&mut self, hint: &Model, side: Side) -> Option<Node> {
        let Side::Variable(variable) = side else {
            return Some(Node::ZERO);
        };
        if self.nodes.len() <= variable.index() {
            self.nodes.resize(variable.index() + 1, (0, Node::ZERO));
        }
        let (round, node) = self.nodes[variable.index()];
        if round == self.round {
            return Some(node);
        }
        let value = match hint.get(variable) {
            Some(Value::Int(value)) => value.to_i64()?,
            Some(Value::Bool(_) | Value::Text(_) | Value::Float(_)) => return None,
            None => 0,
        };
        let node = self.graph.node(value.into());
        self.variables.push(variable);
        self.nodes[variable.index()] = (self.round, node);
        Some(node)
    }

    /// Makes every `!=` true by choosing a side for those that are violated.
    fn separate(&mut self, depth: u32, splits: &mut u32) -> Verdict {
        let violated = self.unequal.iter().copied().find(|unequal| {
            self.graph.value(unequal.left) - self.graph.value(unequal.right) == unequal.distance
        });
        let Some(unequal) = violated else {
            return Verdict::Feasible;
        };
        *splits += 1;
        if *splits > MAX_SPLITS || depth >= MAX_DEPTH {
            return Verdict::GaveUp;
        }
        let below = (unequal.left, unequal.right, self.free_distance(unequal, -1));
        let above = (unequal.right, unequal.left, -self.free_distance(unequal, 1));
        let sides = if self.graph.cost(below) <= self.graph.cost(above) {
            [below, above]
        } else {
            [above, below]
        };
        for (left, right, distance) in sides {
            let mark = self.graph.mark();
            if self.graph.add(left, right, distance) {
                match self.separate(depth + 1, splits) {
                    Verdict::Infeasible => {}
                    done @ (Verdict::Feasible | Verdict::GaveUp) => return done,
                }
            }
            self.graph.back_to(mark);
        }
        Verdict::Infeasible
    }

    /// The nearest distance in the direction of `step` that no `!=` of the same pair excludes.
    fn free_distance(&self, from: Unequal, step: Distance) -> Distance {
        let mut candidate = from;
        while self.unequal.contains(&candidate) {
            candidate.distance += step;
        }
        candidate.distance
    }

    fn model(&self, pool: &TermPool, hint: &Model) -> Model {
        let mut model = start_from(pool, hint);
        for (position, &variable) in self.variables.iter().enumerate() {
            let value = self.graph.result(Node::nth(position));
            model.set(variable, integer(value));
        }
        model
    }
}

fn integer(value: Distance) -> Integer {
    match i64::try_from(value) {
        Ok(value) => Integer::Small(value),
        Err(_) => Integer::from(num_bigint::BigInt::from(value)),
    }
}

impl Solver for Differences {
    fn solve(&mut self, pool: &mut TermPool, query: &Query<'_>, budget: &Budget) -> Answer {
        self.statistics.asked += 1;
        match self.decide(pool, query) {
            Verdict::Feasible => {
                let model = self.model(pool, query.hint);
                if !self.evaluator.all_hold(pool, &model, &self.left_out) {
                    return self.next.solve(pool, query, budget);
                }
                self.statistics.sat += 1;
                Answer::Sat(model)
            }
            Verdict::Infeasible => {
                self.statistics.unsat += 1;
                Answer::Unsat
            }
            Verdict::GaveUp => self.next.solve(pool, query, budget),
        }
    }

    fn name(&self) -> &'static str {
        self.statistics.layer
    }

    fn statistics(&self, out: &mut Vec<LayerStatistics>) {
        out.push(self.statistics.clone());
        self.next.statistics(out);
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::evaluate::Evaluator;
    use crate::solve::scripted::Scripted;
    use crate::term::{BinaryOp, Sort};

    const VARIABLES: usize = 3;
    const BOUND: i64 = 4;

    /// `left - right <op> distance`; the last variable stands for zero.
    #[derive(Clone, Debug)]
    struct Atom {
        left: usize,
        right: usize,
        distance: i64,
        op: u8,
    }

    fn atom() -> impl Strategy<Value = Atom> {
        (0..=VARIABLES, 0..=VARIABLES, -BOUND..=BOUND, 0_u8..5).prop_map(
            |(left, right, distance, op)| Atom {
                left,
                right,
                distance,
                op,
            },
        )
    }

    impl Atom {
        fn build(&self, pool: &mut TermPool) -> TermId {
            let mut side = |index: usize| match index {
                VARIABLES => pool.small(0),
                index => pool.variable(&format!("x{index}"), Sort::Int),
            };
            let (left, right) = (side(self.left), side(self.right));
            let difference = pool.binary(BinaryOp::Sub, left, right);
            let distance = pool.small(self.distance);
            match self.op {
                0 => pool.le(difference, distance),
                1 => pool.lt(difference, distance),
                2 => pool.ge(difference, distance),
                3 => pool.eq(difference, distance),
                _ => pool.ne(difference, distance),
            }
        }

        fn holds(&self, values: [i64; VARIABLES + 1]) -> bool {
            let difference = values[self.left] - values[self.right];
            match self.op {
                0 => difference <= self.distance,
                1 => difference < self.distance,
                2 => difference >= self.distance,
                3 => difference == self.distance,
                _ => difference != self.distance,
            }
        }
    }

    /// Some solution, if there is one: distances are small, so values need not be large.
    fn enumerate(atoms: &[Atom]) -> Option<[i64; VARIABLES + 1]> {
        let span = -2 * BOUND * VARIABLES as i64..=2 * BOUND * VARIABLES as i64;
        let step = |x: i64| span.clone().map(move |y| (x, y));
        let pairs = span.clone().flat_map(step);
        pairs
            .flat_map(|(x, y)| span.clone().map(move |z| [x, y, z, 0]))
            .find(|values| atoms.iter().all(|atom| atom.holds(*values)))
    }

    fn solve(atoms: &[Atom], goal: &Atom) -> (TermPool, Vec<TermId>, TermId, Answer) {
        let mut pool = TermPool::new();
        for index in 0..VARIABLES {
            pool.variable(&format!("x{index}"), Sort::Int);
        }
        let path: Vec<TermId> = atoms.iter().map(|atom| atom.build(&mut pool)).collect();
        let goal = goal.build(&mut pool);
        let path: Vec<TermId> = path
            .into_iter()
            .filter(|&part| pool.as_bool(part) != Some(true))
            .collect();
        let mut layer = Differences::new(Box::new(Scripted::new([])));
        let query = Query {
            path: &path,
            goal,
            hint: &Model::new(),
        };
        let answer = layer.solve(&mut pool, &query, &Budget::default());
        (pool, path, goal, answer)
    }

    /// Asks about `x < y` and more, where `x * y == product` is no difference.
    fn beside_a_product(
        product: i64,
        more: impl FnOnce(&mut TermPool, TermId, TermId) -> TermId,
    ) -> Answer {
        let mut pool = TermPool::new();
        let (x, y) = (pool.variable("x", Sort::Int), pool.variable("y", Sort::Int));
        let multiplied = pool.binary(BinaryOp::Mul, x, y);
        let product = pool.small(product);
        let path = [pool.lt(x, y), pool.eq(multiplied, product)];
        let goal = more(&mut pool, x, y);
        let mut layer = Differences::new(Box::new(Scripted::new([])));
        let query = Query {
            path: &path,
            goal,
            hint: &Model::new(),
        };
        layer.solve(&mut pool, &query, &Budget::default())
    }

    #[test]
    fn what_differences_alone_refute_needs_no_other_constraint() {
        let answer = beside_a_product(6, |pool, x, y| pool.lt(y, x));
        assert_eq!(answer, Answer::Unsat);
    }

    #[test]
    fn other_constraints_are_never_left_out_of_a_model() {
        let positive = |pool: &mut TermPool, x: TermId, _: TermId| {
            let zero = pool.small(0);
            pool.lt(zero, x)
        };
        assert!(matches!(beside_a_product(2, positive), Answer::Sat(_)));
        assert!(matches!(beside_a_product(6, positive), Answer::Unknown(_)));
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(400))]

        #[test]
        fn differences_are_decided_right(
            atoms in prop::collection::vec(atom(), 0..7),
            goal in atom(),
        ) {
            let (pool, path, goal_term, answer) = solve(&atoms, &goal);
            let mut all = atoms.clone();
            all.push(goal.clone());
            match answer {
                Answer::Sat(model) => {
                    let mut evaluator = Evaluator::new();
                    prop_assert!(evaluator.holds(&pool, &model, goal_term));
                    prop_assert!(evaluator.all_hold(&pool, &model, &path));
                }
                Answer::Unsat => prop_assert_eq!(enumerate(&all), None),
                // Constraints without variables are no differences.
                Answer::Unknown(_) => prop_assert!(
                    pool.as_bool(goal_term).is_some()
                        || path.iter().any(|&part| pool.as_bool(part).is_some())
                ),
            }
        }
    }

    #[test]
    fn values_move_no_further_than_needed() {
        let mut pool = TermPool::new();
        let terms: Vec<TermId> = ["x", "y", "z"]
            .iter()
            .map(|name| pool.variable(name, Sort::Int))
            .collect();
        let path = [pool.lt(terms[0], terms[1]), pool.lt(terms[1], terms[2])];
        let goal = pool.lt(terms[2], terms[0]);
        let variables: Vec<VarId> = (0..3).map(VarId::new).collect();
        let hint: Model = variables
            .iter()
            .zip([10, 20, 30])
            .map(|(&v, x)| (v, Value::from(x)))
            .collect();
        let mut layer = Differences::new(Box::new(Scripted::new([])));
        let query = Query {
            path: &path[..1],
            goal,
            hint: &hint,
        };
        let Answer::Sat(model) = layer.solve(&mut pool, &query, &Budget::default()) else {
            panic!("satisfiable");
        };
        assert_eq!(model.get(variables[0]), Some(&Value::from(10)));
        assert_eq!(model.get(variables[1]), Some(&Value::from(20)));
        assert_eq!(model.get(variables[2]), Some(&Value::from(9)));
        let query = Query {
            path: &path,
            goal,
            hint: &hint,
        };
        assert_eq!(
            layer.solve(&mut pool, &query, &Budget::default()),
            Answer::Unsat
        );
    }
}
