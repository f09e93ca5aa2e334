//! Terms as SMT-LIB 2 text, for the query log.
//!
//! The text is self-contained and exact: Python's operations that SMT-LIB lacks are defined in a
//! prelude, of which only the needed part is printed. Shared and long subterms become definitions,
//! so the text is linear in the number of terms.

use std::fmt::Write;

use crate::float::Float;
use crate::integer::Integer;
use crate::operation::Operation;
use crate::pool::TermPool;
use crate::term::{BinaryOp, Comparison, Sort, Term, TermId, UnaryOp, VarId};
use crate::text::Text;

/// Longer subterms are given a name.
const LONGEST_INLINE: usize = 160;

/// A script that asks whether path and goal have a model.
pub fn script(pool: &TermPool, path: &[TermId], goal: TermId) -> String {
    let mut roots: Vec<TermId> = path.to_vec();
    roots.push(goal);
    let printer = Printer::new(pool, &roots);
    printer.print(&roots)
}

struct Printer<'a> {
    pool: &'a TermPool,
    /// The terms below the roots, ascending: children first.
    order: Vec<TermId>,
    uses: Vec<u32>,
}

impl<'a> Printer<'a> {
    fn new(pool: &'a TermPool, roots: &[TermId]) -> Self {
        let length = roots.iter().map(|root| root.index() + 1).max().unwrap_or(0);
        let mut uses = vec![0_u32; length];
        let mut order = Vec::new();
        let mut pending = roots.to_vec();
        while let Some(term) = pending.pop() {
            uses[term.index()] += 1;
            if uses[term.index()] == 1 {
                order.push(term);
                pending.extend_from_slice(pool.get(term).children().as_slice());
            }
        }
        order.sort_unstable();
        Printer { pool, order, uses }
    }

    fn print(&self, roots: &[TermId]) -> String {
        let mut out = String::new();
        self.prelude(&mut out);
        let mut texts = vec![String::new(); self.uses.len()];
        for &term in &self.order {
            let text = self.text(term, &texts);
            let compound = !self.pool.get(term).children().as_slice().is_empty();
            let shared = self.uses[term.index()] > 1 && !roots.contains(&term);
            texts[term.index()] = if compound && (shared || text.len() > LONGEST_INLINE) {
                let name = format!("t!{}", term.index());
                let sort = sort_name(self.pool.sort(term));
                let _ = writeln!(out, "(define-fun {name} () {sort} {text})");
                name
            } else {
                text
            };
        }
        for root in roots {
            let _ = writeln!(out, "(assert {})", texts[root.index()]);
        }
        out.push_str("(check-sat)\n");
        out
    }

    fn prelude(&self, out: &mut String) {
        let mut functions: Vec<&'static str> = Vec::new();
        for &term in &self.order {
            match self.pool.get(term) {
                Term::Binary(op, ..) => functions.extend(binary_prelude(*op)),
                Term::Unary(op, _) => functions.extend(unary_prelude(*op)),
                Term::Var(variable) => {
                    let name = self.name(*variable);
                    let sort = sort_name(self.pool.var_sort(*variable));
                    let _ = writeln!(out, "(declare-const {name} {sort})");
                }
                Term::Bool(_)
                | Term::Int(_)
                | Term::Text(_)
                | Term::Float(_)
                | Term::Apply(..)
                | Term::Not(_)
                | Term::And(..)
                | Term::Or(..)
                | Term::Iff(..)
                | Term::Compare(..)
                | Term::Ite(..)
                | Term::FromBool(_) => {}
            }
        }
        for function in PRELUDE {
            if functions
                .iter()
                .any(|name| function.contains(&format!(" {name} ")))
            {
                let _ = writeln!(out, "{function}");
            }
        }
    }

    /// A quoted symbol if need be; a truth variable gives way to a number of the same name.
    fn name(&self, variable: VarId) -> String {
        let name = self.pool.var_name(variable);
        match self.pool.var_sort(variable) {
            Sort::Bool if self.pool.find_variable(name, Sort::Int).is_some() => {
                symbol(&format!("{name}!bool"))
            }
            Sort::Bool | Sort::Int | Sort::Str | Sort::Bytes | Sort::Float => symbol(name),
        }
    }

    fn text(&self, term: TermId, texts: &[String]) -> String {
        let part = |id: &TermId| texts[id.index()].as_str();
        match self.pool.get(term) {
            Term::Bool(value) => value.to_string(),
            Term::Int(value) => numeral(value),
            Term::Var(variable) => self.name(*variable),
            Term::Not(a) => format!("(not {})", part(a)),
            Term::And(a, b) => format!("(and {} {})", part(a), part(b)),
            Term::Or(a, b) => format!("(or {} {})", part(a), part(b)),
            Term::Iff(a, b) => format!("(= {} {})", part(a), part(b)),
            Term::Compare(op, a, b) => {
                let op = match op {
                    Comparison::Eq => "=",
                    Comparison::Lt => "<",
                    Comparison::Le => "<=",
                };
                format!("({op} {} {})", part(a), part(b))
            }
            Term::Ite(a, b, c) => format!("(ite {} {} {})", part(a), part(b), part(c)),
            Term::FromBool(a) => format!("(ite {} 1 0)", part(a)),
            Term::Unary(op, a) => format!("({} {})", unary_name(*op), part(a)),
            Term::Binary(op, a, b) => format!("({} {} {})", binary_name(*op), part(a), part(b)),
            Term::Text(value) => text_literal(value),
            Term::Float(value) => float_literal(*value),
            Term::Apply(op, operands) => {
                let operands: Vec<&str> = operands.iter().map(part).collect();
                format!("({} {})", operation_name(*op), operands.join(" "))
            }
        }
    }
}

/// In order of dependence; each line defines the function named after `define-fun(-rec)`.
const PRELUDE: [&str; 10] = [
    "(define-fun py_div ((a Int) (b Int)) Int (ite (> b 0) (div a b) (div (- a) (- b))))",
    "(define-fun py_mod ((a Int) (b Int)) Int (- a (* b (py_div a b))))",
    "(define-fun-rec py_pow ((a Int) (n Int)) Int (ite (<= n 0) 1 (* a (py_pow a (- n 1)))))",
    "(define-fun py_shl ((a Int) (n Int)) Int (* a (py_pow 2 n)))",
    "(define-fun py_shr ((a Int) (n Int)) Int (div a (py_pow 2 n)))",
    "(define-fun-rec py_and ((a Int) (b Int)) Int (ite (= a 0) 0 (ite (= a (- 1)) b \
     (+ (* 2 (py_and (div a 2) (div b 2))) (* (mod a 2) (mod b 2))))))",
    "(define-fun py_or ((a Int) (b Int)) Int (- (+ a b) (py_and a b)))",
    "(define-fun py_xor ((a Int) (b Int)) Int (- (+ a b) (* 2 (py_and a b))))",
    "(define-fun-rec py_bit_length ((a Int)) Int (ite (= a 0) 0 (+ 1 (py_bit_length (div (abs a) 2)))))",
    "(define-fun-rec py_bit_count ((a Int)) Int (ite (= a 0) 0 (+ (mod (abs a) 2) (py_bit_count (div (abs a) 2)))))",
];

fn binary_prelude(op: BinaryOp) -> &'static [&'static str] {
    match op {
        BinaryOp::Add | BinaryOp::Sub | BinaryOp::Mul => &[],
        BinaryOp::FloorDiv => &["py_div"],
        BinaryOp::Mod => &["py_div", "py_mod"],
        BinaryOp::Pow => &["py_pow"],
        BinaryOp::Shl => &["py_pow", "py_shl"],
        BinaryOp::Shr => &["py_pow", "py_shr"],
        BinaryOp::BitAnd => &["py_and"],
        BinaryOp::BitOr => &["py_and", "py_or"],
        BinaryOp::BitXor => &["py_and", "py_xor"],
    }
}

fn unary_prelude(op: UnaryOp) -> &'static [&'static str] {
    match op {
        UnaryOp::Neg | UnaryOp::Abs => &[],
        UnaryOp::BitLength => &["py_bit_length"],
        UnaryOp::BitCount => &["py_bit_count"],
    }
}

fn binary_name(op: BinaryOp) -> &'static str {
    match op {
        BinaryOp::Add => "+",
        BinaryOp::Sub => "-",
        BinaryOp::Mul => "*",
        BinaryOp::FloorDiv => "py_div",
        BinaryOp::Mod => "py_mod",
        BinaryOp::Pow => "py_pow",
        BinaryOp::Shl => "py_shl",
        BinaryOp::Shr => "py_shr",
        BinaryOp::BitAnd => "py_and",
        BinaryOp::BitOr => "py_or",
        BinaryOp::BitXor => "py_xor",
    }
}

fn unary_name(op: UnaryOp) -> &'static str {
    match op {
        UnaryOp::Neg => "-",
        UnaryOp::Abs => "abs",
        UnaryOp::BitLength => "py_bit_length",
        UnaryOp::BitCount => "py_bit_count",
    }
}

fn sort_name(sort: Sort) -> &'static str {
    match sort {
        Sort::Bool => "Bool",
        Sort::Int => "Int",
        Sort::Str | Sort::Bytes => "String",
        Sort::Float => "Float64",
    }
}

/// The name an operation on text or floats has in the log: that of its own, in the manner of a function.
fn operation_name(op: Operation) -> String {
    let name = format!("{op:?}");
    let name: String = name
        .chars()
        .map(|c| if c.is_ascii_alphanumeric() { c } else { '_' })
        .collect();
    format!("py_{}", name.trim_end_matches('_'))
}

fn text_literal(value: &Text) -> String {
    let mut out = String::from("\"");
    for &unit in value.units() {
        match char::from_u32(unit) {
            Some('"') => out.push_str("\"\""),
            Some(c @ ' '..='~') if c != '\\' => out.push(c),
            _ => {
                let _ = write!(out, "\\u{{{unit:x}}}");
            }
        }
    }
    out.push('"');
    out
}

fn float_literal(value: Float) -> String {
    format!("((_ to_fp 11 53) #x{:016x})", value.get().to_bits())
}

fn numeral(value: &Integer) -> String {
    if value.is_negative() {
        format!("(- {})", value.abs())
    } else {
        value.to_string()
    }
}

/// A quoted symbol; the two characters SMT-LIB cannot quote are replaced.
fn symbol(name: &str) -> String {
    let plain = name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
        && !name.starts_with(|c: char| c.is_ascii_digit())
        && !name.starts_with("py_")
        && !name.is_empty();
    if plain {
        name.to_owned()
    } else {
        format!("|{}|", name.replace(['|', '\\'], "!"))
    }
}
