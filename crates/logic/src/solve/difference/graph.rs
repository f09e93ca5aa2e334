//! The graph of difference constraints, with a value for each node that satisfies them all.
//!
//! An edge says `left - right <= distance`. When a new edge is violated, either its left node is
//! moved down or its right node up; the move pushes further nodes along exactly as far as their
//! edges demand. If the push comes back to the other end of the new edge, the constraints contradict
//! each other: every cycle of edges must have a non-negative sum, and this one has not. All
//! steps are logged so that a choice can be taken back.

/// Wide enough for any sum of machine-word distances along a path.
pub(super) type Distance = i128;

/// A variable of the current query, or zero.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Node(u32);

impl Node {
    /// The node that stands for the number zero.
    pub(super) const ZERO: Node = Node(0);

    /// The node of the n-th variable.
    pub(super) fn nth(position: usize) -> Node {
        Node(position as u32 + 1)
    }

    fn index(self) -> usize {
        self.0 as usize
    }
}

/// `left - right <= distance`, linked into the lists of both nodes.
#[derive(Clone, Copy, Debug)]
struct Edge {
    left: Node,
    right: Node,
    distance: Distance,
    next_of_left: u32,
    next_of_right: u32,
}

const END: u32 = u32::MAX;

/// Which way the nodes of a violated edge are moved.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Direction {
    Down,
    Up,
}

#[derive(Debug)]
pub(super) struct Graph {
    values: Vec<Distance>,
    original: Vec<Distance>,
    edges: Vec<Edge>,
    /// Per node: the first edge in which it is the left (right) node.
    first_of_left: Vec<u32>,
    first_of_right: Vec<u32>,
    /// Every change of a value, with the value before.
    changes: Vec<(Node, Distance)>,
    queue: Vec<Node>,
}

/// A state to come back to.
#[derive(Clone, Copy, Debug)]
pub(super) struct Mark {
    edges: usize,
    changes: usize,
}

/// How unwelcome a move is; smaller is better.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Cost {
    /// Moves zero to this side or not, this many nodes, to this total distance from zero.
    Moves {
        zero: bool,
        nodes: usize,
        size: u128,
    },
    Impossible,
}

impl Graph {
    pub(super) fn new() -> Self {
        let mut graph = Graph {
            values: Vec::new(),
            original: Vec::new(),
            edges: Vec::new(),
            first_of_left: Vec::new(),
            first_of_right: Vec::new(),
            changes: Vec::new(),
            queue: Vec::new(),
        };
        graph.clear();
        graph
    }

    /// Forgets everything but the node of zero.
    pub(super) fn clear(&mut self) {
        self.values.clear();
        self.original.clear();
        self.edges.clear();
        self.first_of_left.clear();
        self.first_of_right.clear();
        self.changes.clear();
        self.node(0);
    }

    /// A new node with a first value.
    pub(super) fn node(&mut self, value: Distance) -> Node {
        let node = Node(self.values.len() as u32);
        self.values.push(value);
        self.original.push(value);
        self.first_of_left.push(END);
        self.first_of_right.push(END);
        node
    }

    pub(super) fn value(&self, node: Node) -> Distance {
        self.values[node.index()]
    }

    /// The value of a node when zero is zero.
    pub(super) fn result(&self, node: Node) -> Distance {
        self.value(node) - self.value(Node::ZERO)
    }

    pub(super) fn mark(&self) -> Mark {
        Mark {
            edges: self.edges.len(),
            changes: self.changes.len(),
        }
    }

    pub(super) fn back_to(&mut self, mark: Mark) {
        self.undo_changes(mark.changes);
        while self.edges.len() > mark.edges {
            let Some(edge) = self.edges.pop() else { return };
            self.first_of_left[edge.left.index()] = edge.next_of_left;
            self.first_of_right[edge.right.index()] = edge.next_of_right;
        }
    }

    /// Adds `left - right <= distance`; false if that contradicts the edges that are there.
    pub(super) fn add(&mut self, left: Node, right: Node, distance: Distance) -> bool {
        if left == right {
            return distance >= 0;
        }
        if !self.satisfied(left, right, distance) && !self.enforce(left, right, distance) {
            return false;
        }
        let id = self.edges.len() as u32;
        self.edges.push(Edge {
            left,
            right,
            distance,
            next_of_left: self.first_of_left[left.index()],
            next_of_right: self.first_of_right[right.index()],
        });
        self.first_of_left[left.index()] = id;
        self.first_of_right[right.index()] = id;
        true
    }

    /// How unwelcome it would be to add an edge.
    pub(super) fn cost(&mut self, (left, right, distance): (Node, Node, Distance)) -> Cost {
        if left == right && distance < 0 {
            return Cost::Impossible;
        }
        let before = self.changes.len();
        let down = self.try_direction(left, right, distance, Direction::Down);
        self.undo_changes(before);
        let up = self.try_direction(left, right, distance, Direction::Up);
        self.undo_changes(before);
        down.min(up)
    }

    fn satisfied(&self, left: Node, right: Node, distance: Distance) -> bool {
        self.value(left) - self.value(right) <= distance
    }

    /// Moves values so that the new edge holds as well, in the less unwelcome direction.
    fn enforce(&mut self, left: Node, right: Node, distance: Distance) -> bool {
        let before = self.changes.len();
        let down = self.try_direction(left, right, distance, Direction::Down);
        if down == Cost::Impossible {
            self.undo_changes(before);
            return false;
        }
        self.undo_changes(before);
        let up = self.try_direction(left, right, distance, Direction::Up);
        if up <= down {
            return true;
        }
        self.undo_changes(before);
        self.try_direction(left, right, distance, Direction::Down);
        true
    }

    fn try_direction(
        &mut self,
        left: Node,
        right: Node,
        distance: Distance,
        direction: Direction,
    ) -> Cost {
        let before = self.changes.len();
        let feasible = match direction {
            Direction::Down => {
                self.set(left, self.value(right) + distance);
                self.push_down(left, right)
            }
            Direction::Up => {
                self.set(right, self.value(left) - distance);
                self.push_up(right, left)
            }
        };
        if feasible {
            self.cost_since(before)
        } else {
            Cost::Impossible
        }
    }

    /// Moves down every node that must follow `start`; false if `fixed` would have to.
    fn push_down(&mut self, start: Node, fixed: Node) -> bool {
        self.queue.clear();
        self.queue.push(start);
        let mut position = 0;
        while position < self.queue.len() {
            let node = self.queue[position];
            position += 1;
            let mut id = self.first_of_right[node.index()];
            while id != END {
                let edge = self.edges[id as usize];
                let limit = self.value(node) + edge.distance;
                if self.value(edge.left) > limit {
                    if edge.left == fixed {
                        return false;
                    }
                    self.set(edge.left, limit);
                    self.queue.push(edge.left);
                }
                id = edge.next_of_right;
            }
        }
        true
    }

    /// Moves up every node that must follow `start`; false if `fixed` would have to.
    fn push_up(&mut self, start: Node, fixed: Node) -> bool {
        self.queue.clear();
        self.queue.push(start);
        let mut position = 0;
        while position < self.queue.len() {
            let node = self.queue[position];
            position += 1;
            let mut id = self.first_of_left[node.index()];
            while id != END {
                let edge = self.edges[id as usize];
                let limit = self.value(node) - edge.distance;
                if self.value(edge.right) < limit {
                    if edge.right == fixed {
                        return false;
                    }
                    self.set(edge.right, limit);
                    self.queue.push(edge.right);
                }
                id = edge.next_of_left;
            }
        }
        true
    }

    fn set(&mut self, node: Node, value: Distance) {
        self.changes.push((node, self.values[node.index()]));
        self.values[node.index()] = value;
    }

    fn undo_changes(&mut self, length: usize) {
        while self.changes.len() > length {
            if let Some((node, value)) = self.changes.pop() {
                self.values[node.index()] = value;
            }
        }
    }

    fn cost_since(&self, before: usize) -> Cost {
        let moved = &self.changes[before..];
        let zero = moved.iter().any(|(node, _)| *node == Node::ZERO);
        let size = moved.iter().map(|(node, _)| {
            let value = self.value(*node);
            value.unsigned_abs() * 2 + u128::from(value < 0)
        });
        Cost::Moves {
            zero,
            nodes: moved.len(),
            size: size.sum(),
        }
    }

    /// Once zero was moved all values are relative to it: brings each as near as possible to
    /// where it started.
    pub(super) fn settle(&mut self) {
        let shift = self.value(Node::ZERO);
        if shift == 0 {
            return;
        }
        for index in 0..self.values.len() {
            let node = Node(index as u32);
            self.set(node, self.value(node) - shift);
        }
        for index in 1..self.values.len() {
            let node = Node(index as u32);
            let (low, high) = self.room(node);
            let wanted = self.original[index];
            let nearest = wanted
                .max(low.unwrap_or(wanted))
                .min(high.unwrap_or(Distance::MAX));
            if nearest != self.value(node) {
                self.set(node, nearest);
            }
        }
    }

    /// The values a node may have while all others stay.
    fn room(&self, node: Node) -> (Option<Distance>, Option<Distance>) {
        let (mut low, mut high): (Option<Distance>, Option<Distance>) = (None, None);
        let mut id = self.first_of_left[node.index()];
        while id != END {
            let edge = self.edges[id as usize];
            let limit = self.value(edge.right) + edge.distance;
            high = Some(high.map_or(limit, |high| high.min(limit)));
            id = edge.next_of_left;
        }
        let mut id = self.first_of_right[node.index()];
        while id != END {
            let edge = self.edges[id as usize];
            let limit = self.value(edge.left) - edge.distance;
            low = Some(low.map_or(limit, |low| low.max(limit)));
            id = edge.next_of_right;
        }
        (low, high)
    }
}
