//! Terms as Python expressions, for people and for replay.
//!
//! The text is exact: evaluated by Python with the variables bound, it gives the value of the term.
//! Parentheses appear only where Python needs them. Shared subterms are written out, so the text can
//! be exponentially larger than the term; beyond [`MAX_NODES`] the rest is printed as `...`, which
//! fails when evaluated instead of lying.

mod operations;

use crate::operation::Operation;
use crate::pool::TermPool;
use crate::term::{BinaryOp, Comparison, Term, TermId, UnaryOp};

/// A printed term has at most about this many nodes.
pub const MAX_NODES: usize = 5_000;

/// How tightly an expression binds, as in Python's grammar; larger is tighter.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Precedence {
    Conditional,
    Or,
    And,
    Not,
    Comparison,
    BitOr,
    BitXor,
    BitAnd,
    Shift,
    Sum,
    Product,
    Unary,
    Power,
    Primary,
}

/// Prints a term as a Python expression over its variables' names.
pub fn python_source(pool: &TermPool, term: TermId) -> String {
    let mut printer = Printer {
        pool,
        out: String::new(),
        pending: Vec::new(),
        nodes: 0,
    };
    printer
        .pending
        .push(Piece::Term(term, Precedence::Conditional));
    while let Some(piece) = printer.pending.pop() {
        match piece {
            Piece::Text(text) => printer.out.push_str(text),
            Piece::Digits(text) => printer.out.push_str(&text),
            Piece::Term(term, context) => printer.term(term, context),
        }
    }
    printer.out
}

enum Piece {
    Text(&'static str),
    Digits(String),
    /// A subterm in a place that takes expressions of at least this precedence.
    Term(TermId, Precedence),
}

struct Printer<'a> {
    pool: &'a TermPool,
    out: String,
    /// What is still to be printed, next piece last.
    pending: Vec<Piece>,
    nodes: usize,
}

impl Printer<'_> {
    fn term(&mut self, term: TermId, context: Precedence) {
        use Precedence as P;
        self.nodes += 1;
        if self.nodes > MAX_NODES {
            self.out.push_str("...");
            return;
        }
        match *self.pool.get(term) {
            Term::Bool(value) => self.out.push_str(if value { "True" } else { "False" }),
            Term::Int(ref value) => {
                let text = value.to_string();
                self.literal(&text, context);
            }
            Term::Var(variable) => self.out.push_str(self.pool.var_name(variable)),
            Term::Not(inner) => self.negation(inner, context),
            Term::And(a, b) => self.infix(context, P::And, (a, P::And), " and ", (b, P::And)),
            Term::Or(a, b) => self.infix(context, P::Or, (a, P::Or), " or ", (b, P::Or)),
            Term::Iff(a, b) => self.comparison(context, a, " == ", b),
            Term::Compare(op, a, b) => self.compare(context, op, a, b),
            Term::Ite(condition, chosen, other) => self.push(
                context,
                P::Conditional,
                [
                    Piece::Term(chosen, P::Or),
                    Piece::Text(" if "),
                    Piece::Term(condition, P::Or),
                    Piece::Text(" else "),
                    Piece::Term(other, P::Conditional),
                ],
            ),
            Term::FromBool(a) => self.call("int(", a),
            Term::Unary(UnaryOp::Abs, a) => self.call("abs(", a),
            Term::Unary(UnaryOp::Neg, a) => {
                self.push(
                    context,
                    P::Unary,
                    [Piece::Text("-"), Piece::Term(a, P::Unary)],
                );
            }
            Term::Unary(UnaryOp::BitLength, a) => self.method(a, ".bit_length()"),
            Term::Unary(UnaryOp::BitCount, a) => self.method(a, ".bit_count()"),
            Term::Binary(op, a, b) => self.binary(context, op, a, b),
            Term::Text(ref value) => self.out.push_str(&value.to_string()),
            Term::Float(value) => self.literal(&value.to_string(), context),
            Term::Apply(op, ref operands) => self.operation(context, op, operands),
        }
    }

    /// A number, in parentheses if its sign would bind too loosely.
    fn literal(&mut self, text: &str, context: Precedence) {
        if text.starts_with('-') && Precedence::Unary < context {
            self.out.push('(');
            self.out.push_str(text);
            self.out.push(')');
        } else {
            self.out.push_str(text);
        }
    }

    fn negation(&mut self, inner: TermId, context: Precedence) {
        if let Term::Compare(Comparison::Eq, a, b) = *self.pool.get(inner)
            && self.character_comparison(context, a, " != ", b)
        {
            return;
        }
        if let Term::Compare(Comparison::Eq, a, b) | Term::Iff(a, b) = *self.pool.get(inner) {
            self.comparison(context, a, " != ", b);
            return;
        }
        if let Term::Apply(op, operands) = self.pool.get(inner) {
            let (a, b) = (operands[0], operands.get(1).copied());
            match (op, b) {
                (Operation::TextEq | Operation::FloatEq | Operation::IntEqFloat, Some(b)) => {
                    return self.comparison(context, a, " != ", b);
                }
                (Operation::Contains, Some(b)) => {
                    return self.comparison(context, b, " not in ", a);
                }
                _ => {}
            }
        }
        let operand = Piece::Term(inner, Precedence::Not);
        self.push(context, Precedence::Not, [Piece::Text("not "), operand]);
    }

    /// Constants go to the right.
    fn compare(&mut self, context: Precedence, op: Comparison, a: TermId, b: TermId) {
        if op == Comparison::Eq && self.character_comparison(context, a, " == ", b) {
            return;
        }
        let mirrored = self.pool.as_int(a).is_some() && self.pool.as_int(b).is_none();
        match (op, mirrored) {
            (Comparison::Eq, false) => self.comparison(context, a, " == ", b),
            (Comparison::Lt, false) => self.comparison(context, a, " < ", b),
            (Comparison::Le, false) => self.comparison(context, a, " <= ", b),
            (Comparison::Eq, true) => self.comparison(context, b, " == ", a),
            (Comparison::Lt, true) => self.comparison(context, b, " > ", a),
            (Comparison::Le, true) => self.comparison(context, b, " >= ", a),
        }
    }

    /// `s[i] == 'Q'`, if that is what the operands are.
    fn character_comparison(
        &mut self,
        context: Precedence,
        code: TermId,
        sign: &'static str,
        constant: TermId,
    ) -> bool {
        let (Some((text, position)), Some(character)) =
            (self.unit_of(code), self.character(constant))
        else {
            return false;
        };
        let parentheses = Precedence::Comparison < context;
        if parentheses {
            self.out.push('(');
            self.pending.push(Piece::Text(")"));
        }
        self.pending.push(Piece::Digits(character));
        self.pending.push(Piece::Text(sign));
        self.subscript(text, position);
        true
    }

    /// Comparisons chain in Python, so neither operand may be one.
    fn comparison(&mut self, context: Precedence, a: TermId, op: &'static str, b: TermId) {
        let operand = Precedence::BitOr;
        self.infix(
            context,
            Precedence::Comparison,
            (a, operand),
            op,
            (b, operand),
        );
    }

    fn binary(&mut self, context: Precedence, op: BinaryOp, a: TermId, b: TermId) {
        use Precedence as P;
        let associative = matches!(*self.pool.get(b), Term::Binary(inner, ..) if inner == op);
        let (own, text) = match op {
            BinaryOp::Add => match self.pool.as_int(b) {
                Some(value) if value.is_negative() => return self.minus_constant(context, a, b),
                _ => (P::Sum, " + "),
            },
            BinaryOp::Sub => (P::Sum, " - "),
            BinaryOp::Mul => (P::Product, " * "),
            BinaryOp::FloorDiv => (P::Product, " // "),
            BinaryOp::Mod => (P::Product, " % "),
            BinaryOp::Shl => (P::Shift, " << "),
            BinaryOp::Shr => (P::Shift, " >> "),
            BinaryOp::BitAnd => (P::BitAnd, " & "),
            BinaryOp::BitOr => (P::BitOr, " | "),
            BinaryOp::BitXor => (P::BitXor, " ^ "),
            BinaryOp::Pow => {
                return self.infix(context, P::Power, (a, P::Primary), " ** ", (b, P::Unary));
            }
        };
        let right = match op {
            BinaryOp::Add
            | BinaryOp::Mul
            | BinaryOp::BitAnd
            | BinaryOp::BitOr
            | BinaryOp::BitXor
                if associative =>
            {
                own
            }
            BinaryOp::Add
            | BinaryOp::Sub
            | BinaryOp::Mul
            | BinaryOp::FloorDiv
            | BinaryOp::Mod
            | BinaryOp::Pow
            | BinaryOp::Shl
            | BinaryOp::Shr
            | BinaryOp::BitAnd
            | BinaryOp::BitOr
            | BinaryOp::BitXor => own.tighter(),
        };
        self.infix(context, own, (a, own), text, (b, right));
    }

    /// `x + -3` is written `x - 3`.
    fn minus_constant(&mut self, context: Precedence, a: TermId, b: TermId) {
        let Some(value) = self.pool.as_int(b) else {
            return;
        };
        let text = value.abs().to_string();
        let parentheses = Precedence::Sum < context;
        if parentheses {
            self.out.push('(');
            self.pending.push(Piece::Text(")"));
        }
        self.pending.push(Piece::Digits(text));
        self.pending.push(Piece::Text(" - "));
        self.pending.push(Piece::Term(a, Precedence::Sum));
    }

    fn infix(
        &mut self,
        context: Precedence,
        own: Precedence,
        left: (TermId, Precedence),
        text: &'static str,
        right: (TermId, Precedence),
    ) {
        self.push(
            context,
            own,
            [
                Piece::Term(left.0, left.1),
                Piece::Text(text),
                Piece::Term(right.0, right.1),
            ],
        );
    }

    fn call(&mut self, open: &'static str, argument: TermId) {
        self.pending.push(Piece::Text(")"));
        self.pending
            .push(Piece::Term(argument, Precedence::Conditional));
        self.pending.push(Piece::Text(open));
    }

    fn method(&mut self, receiver: TermId, call: &'static str) {
        self.pending.push(Piece::Text(call));
        self.pending
            .push(Piece::Term(receiver, Precedence::Primary));
    }

    /// Schedules pieces, in parentheses if the place asks for something tighter.
    fn push<const N: usize>(&mut self, context: Precedence, own: Precedence, pieces: [Piece; N]) {
        let parentheses = own < context;
        if parentheses {
            self.out.push('(');
            self.pending.push(Piece::Text(")"));
        }
        self.pending.extend(pieces.into_iter().rev());
    }
}

impl Precedence {
    /// The next tighter level.
    fn tighter(self) -> Self {
        use Precedence as P;
        match self {
            P::Conditional => P::Or,
            P::Or => P::And,
            P::And => P::Not,
            P::Not => P::Comparison,
            P::Comparison => P::BitOr,
            P::BitOr => P::BitXor,
            P::BitXor => P::BitAnd,
            P::BitAnd => P::Shift,
            P::Shift => P::Sum,
            P::Sum => P::Product,
            P::Product => P::Unary,
            P::Unary => P::Power,
            P::Power | P::Primary => P::Primary,
        }
    }
}
