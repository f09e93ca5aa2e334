//! The path tree: every prefix of every run, stored once.
//!
//! A node is a decision, an arm one of its answers. The root of a run is an
//! [`Edge`]; following taken arms from there gives the run's decisions back.

use pef_logic::{Model, TermId, UnknownReason};
use smallvec::SmallVec;
use std::rc::Rc;

use crate::{Arm, Decision, Place, Question, SiteId};

/// Names a decision in the tree.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct NodeId(u32);

/// Names an answer of a decision.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ArmIndex(u32);

impl ArmIndex {
    /// The first arm: "yes" of a yes/no question.
    pub const FIRST: ArmIndex = ArmIndex(0);

    /// The arm at this position.
    pub fn new(index: usize) -> Self {
        ArmIndex(index as u32)
    }

    /// The arm of a yes/no question.
    pub fn of_bool(yes: bool) -> Self {
        ArmIndex(u32::from(!yes))
    }

    /// Its position.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// One arm of one decision of the tree.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct BranchId {
    /// The decision.
    pub node: NodeId,
    /// The answer.
    pub arm: ArmIndex,
}

/// What is known about an arm.
#[derive(Clone, Debug)]
pub enum ArmState {
    /// Not yet asked whether it is possible.
    Open,
    /// Possible, with an input that takes it; not yet run.
    Ready(Rc<Model>),
    /// A run has taken it.
    Taken(Option<NodeId>),
    /// No input takes it.
    Infeasible,
    /// The solver could not say. Never to be read as infeasible.
    Unknown(UnknownReason),
    /// Possible, but left alone: a budget or sampling limit.
    LeftOpen,
    /// Another exploration of the same function, split off from this one, sees to it.
    Elsewhere,
}

impl ArmState {
    fn is_possible(&self) -> bool {
        match self {
            ArmState::Open
            | ArmState::Ready(_)
            | ArmState::Taken(_)
            | ArmState::Unknown(_)
            | ArmState::LeftOpen
            | ArmState::Elsewhere => true,
            ArmState::Infeasible => false,
        }
    }
}

#[derive(Debug)]
struct TreeArm {
    arm: Arm,
    state: ArmState,
}

/// What a walk to the root reads of a decision, kept apart from the rest of it: such walks are made for every
/// branch that is tried, over decisions of many runs, and a node is larger than a cache line.
#[derive(Debug)]
struct Step {
    parent: Option<BranchId>,
    /// The condition of the parent.
    condition: Option<TermId>,
    /// Arms that are not known to be infeasible.
    possible: u32,
}

#[derive(Debug)]
struct Node {
    site: SiteId,
    arms: SmallVec<[TreeArm; 2]>,
    /// The input of the run that created the node: it satisfies the path up to here.
    witness: Rc<Model>,
    last_resort: bool,
    question: Question,
    /// Decisions above it.
    level: u32,
}

/// All decisions of all runs.
#[derive(Debug, Default)]
pub struct PathTree {
    nodes: Vec<Node>,
    /// One for each node.
    steps: Vec<Step>,
    root: Option<NodeId>,
}

impl PathTree {
    /// Number of decisions stored.
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// True if no run has made a decision yet.
    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }

    /// The decision below `edge`, or the first decision of all.
    pub fn below(&self, edge: Option<BranchId>) -> Option<NodeId> {
        match edge {
            None => self.root,
            Some(branch) => match self.state(branch) {
                ArmState::Taken(child) => *child,
                ArmState::Open
                | ArmState::Ready(_)
                | ArmState::Infeasible
                | ArmState::Unknown(_)
                | ArmState::LeftOpen
                | ArmState::Elsewhere => None,
            },
        }
    }

    /// Adds a decision below `parent`, which must not have one yet. All arms start open.
    pub fn grow(
        &mut self,
        parent: Option<BranchId>,
        decision: &Decision,
        witness: &Rc<Model>,
    ) -> NodeId {
        let id = NodeId(self.nodes.len() as u32);
        self.steps.push(Step {
            parent,
            condition: parent.map(|branch| self.arm(branch).condition),
            possible: decision.arms.len() as u32,
        });
        self.nodes.push(Node {
            site: decision.site,
            arms: decision
                .arms
                .iter()
                .map(|&arm| TreeArm {
                    arm,
                    state: ArmState::Open,
                })
                .collect(),
            witness: Rc::clone(witness),
            last_resort: decision.last_resort,
            question: Question::default(),
            level: parent.map_or(0, |branch| self.level(branch.node) + 1),
        });
        match parent {
            None => self.root = Some(id),
            Some(branch) => self.set_state(branch, ArmState::Taken(Some(id))),
        }
        id
    }

    /// Whether `node` is the same question as `decision`.
    pub fn same_question(&self, node: NodeId, decision: &Decision) -> bool {
        let stored = self.node(node);
        stored.site == decision.site
            && stored.arms.len() == decision.arms.len()
            && stored
                .arms
                .iter()
                .zip(&decision.arms)
                .all(|(a, b)| a.arm.condition == b.condition)
    }

    /// The question of `node`, answered with `taken`.
    pub fn question(&self, node: NodeId, taken: ArmIndex) -> Decision {
        let stored = self.node(node);
        Decision {
            site: stored.site,
            arms: stored.arms.iter().map(|arm| arm.arm).collect(),
            taken,
            last_resort: stored.last_resort,
        }
    }

    /// The site of a decision.
    pub fn site(&self, node: NodeId) -> SiteId {
        self.node(node).site
    }

    /// Says what kind of question a decision asks.
    pub fn set_question(&mut self, node: NodeId, question: Question) {
        self.nodes[node.0 as usize].question = question;
    }

    /// How many decisions lead to `node`.
    pub fn level(&self, node: NodeId) -> u32 {
        self.node(node).level
    }

    /// Where a branch is in the code.
    pub fn place(&self, branch: BranchId) -> Place {
        let node = self.node(branch.node);
        Place {
            site: node.site,
            question: node.question,
            arm: branch.arm,
        }
    }

    /// The branch that leads to `node`.
    pub fn parent(&self, node: NodeId) -> Option<BranchId> {
        self.step(node).parent
    }

    /// An input that reaches `node`.
    pub fn witness(&self, node: NodeId) -> &Rc<Model> {
        &self.node(node).witness
    }

    /// Whether the decision's later arms are of last resort.
    pub fn last_resort(&self, node: NodeId) -> bool {
        self.node(node).last_resort
    }

    /// How many arms the decision has.
    pub fn arm_count(&self, node: NodeId) -> usize {
        self.node(node).arms.len()
    }

    /// The arm's condition and cost.
    pub fn arm(&self, branch: BranchId) -> Arm {
        self.node(branch.node).arms[branch.arm.index()].arm
    }

    /// What is known about the arm.
    pub fn state(&self, branch: BranchId) -> &ArmState {
        &self.node(branch.node).arms[branch.arm.index()].state
    }

    /// Records what is known about the arm.
    pub fn set_state(&mut self, branch: BranchId, state: ArmState) {
        let arm = &mut self.nodes[branch.node.0 as usize].arms[branch.arm.index()];
        let step = &mut self.steps[branch.node.0 as usize];
        step.possible += u32::from(!arm.state.is_possible());
        step.possible -= u32::from(!state.is_possible());
        arm.state = state;
    }

    /// A decision is free if more than one of its arms is possible or not excluded.
    pub fn is_free(&self, node: NodeId) -> bool {
        self.step(node).possible > 1
    }

    /// Every arm that is still to be tried, oldest first.
    pub fn untried(&self) -> Vec<BranchId> {
        let mut untried = Vec::new();
        for (number, node) in self.nodes.iter().enumerate() {
            for (index, arm) in node.arms.iter().enumerate() {
                if matches!(arm.state, ArmState::Open | ArmState::Ready(_)) {
                    untried.push(BranchId {
                        node: NodeId(number as u32),
                        arm: ArmIndex::new(index),
                    });
                }
            }
        }
        untried
    }

    /// The branches from the root to `branch`, the latter included.
    pub fn branches_to(&self, branch: Option<BranchId>) -> Vec<BranchId> {
        let level = branch.map_or(0, |branch| self.level(branch.node) + 1);
        let mut branches = Vec::with_capacity(level as usize);
        let mut next = branch;
        while let Some(branch) = next {
            branches.push(branch);
            next = self.parent(branch.node);
        }
        branches.reverse();
        branches
    }

    /// The conditions from the root down to, but not including, `node`; forced decisions
    /// are left out, since the others imply them.
    pub fn conditions_above(&self, node: NodeId) -> Vec<TermId> {
        let mut conditions = Vec::with_capacity(self.level(node) as usize);
        let mut step = self.step(node);
        while let Some(branch) = step.parent {
            let above = self.step(branch.node);
            if above.possible > 1 {
                conditions.extend(step.condition);
            }
            step = above;
        }
        conditions.reverse();
        conditions
    }

    fn step(&self, id: NodeId) -> &Step {
        &self.steps[id.0 as usize]
    }

    fn node(&self, id: NodeId) -> &Node {
        &self.nodes[id.0 as usize]
    }
}
