//! Operations on text and floats as Python expressions.

use std::fmt::Write;

use super::{Piece, Precedence as P, Printer};
use crate::alphabet::CharClass;
use crate::apply::expanded;
use crate::float::Rounding;
use crate::integer::Integer;
use crate::language::Pattern;
use crate::operation::{Expansion, Function, Operation};
use crate::term::TermId;
use crate::text::{Text, TextKind};

/// Classes and maps with more entries are not written out.
const MAX_ENTRIES: usize = 24;

impl Printer<'_> {
    pub(super) fn operation(&mut self, context: P, op: Operation, operands: &[TermId]) {
        use Operation as Op;
        let (a, b) = (operands[0], operands.get(1).copied());
        let second = b.unwrap_or(a);
        match op {
            Op::Length => self.call("len(", a),
            Op::At => self.unit_at(a, second),
            Op::Concat => self.joined(context, operands),
            Op::Slice => self.slice(a, second, operands[2]),
            Op::FromCode(TextKind::Str) => match self.unit_of(a) {
                Some((text, position)) => self.subscript(text, position),
                None => self.call("chr(", a),
            },
            Op::FromCode(TextKind::Bytes) => self.enclosed("bytes([", &[a], "])"),
            Op::Find => self.find(a, second, operands[2]),
            Op::RFind => self.method_with(a, ".rfind(", second, ", 0, ", operands[2]),
            Op::Contains => self.comparison(context, second, " in ", a),
            Op::StartsWith => self.method_of_two(a, ".startswith(", second),
            Op::EndsWith => self.method_of_two(a, ".endswith(", second),
            Op::TextEq => self.comparison(context, a, " == ", second),
            Op::TextLt => self.comparison(context, a, " < ", second),
            Op::TextLe => self.comparison(context, a, " <= ", second),
            Op::Span(class) => {
                let pattern = format!("re.match({}, ", quoted(&self.class(class, "*")));
                self.owned_call(pattern, a, ").end()");
            }
            Op::RSpan(class) => {
                let pattern = format!("len(re.search({}, ", quoted(&self.class(class, r"*\Z")));
                self.owned_call(pattern, a, ")[0])");
            }
            Op::Matches(language) => {
                let mut pattern = String::new();
                expression(self.pool.language(language).pattern(), &mut pattern);
                self.owned_call(format!("bool(re.fullmatch({}, ", quoted(&pattern)), a, "))");
            }
            Op::InClass(class) => {
                let pattern = quoted(&self.class(class, ""));
                self.owned_call(format!("bool(re.fullmatch({pattern}, chr("), a, ")))");
            }
            Op::MapText(map) => {
                let table = self.table(map);
                self.pending
                    .push(Piece::Digits(format!(".translate({table})")));
                self.pending.push(Piece::Term(a, P::Primary));
            }
            Op::Expand(expansion) => {
                let method = self.expanding(expansion);
                self.pending.push(Piece::Digits(method));
                self.pending.push(Piece::Term(a, P::Primary));
            }
            // What `lower()` does besides.
            Op::FinalSigma(..) => self.pending.push(Piece::Term(a, P::Primary)),
            Op::Without(class) => {
                let pattern = quoted(&self.class(class, "+"));
                self.owned_call(format!("re.sub({pattern}, '', "), a, ")");
            }
            Op::Shown(_) => self.call("repr(", a),
            Op::Recode(kind) => {
                let method = match kind {
                    TextKind::Str => ".decode('latin-1')",
                    TextKind::Bytes => ".encode('latin-1', 'replace')",
                };
                self.pending.push(Piece::Text(method));
                self.pending.push(Piece::Term(a, P::Primary));
            }
            Op::MapCode(map) => {
                let table = self.table(map);
                self.pending
                    .push(Piece::Digits(format!(").translate({table}))")));
                self.pending.push(Piece::Term(a, P::Conditional));
                self.pending.push(Piece::Text("ord(chr("));
            }
            Op::ToInt(10) => self.call("int(", a),
            Op::ToInt(base) => {
                self.pending.push(Piece::Digits(format!(", {base})")));
                self.pending.push(Piece::Term(a, P::Conditional));
                self.pending.push(Piece::Text("int("));
            }
            Op::FromInt(kind, base) => self.digits_of(kind, base, a),
            _ => self.float_operation(context, op, operands),
        }
    }

    fn float_operation(&mut self, context: P, op: Operation, operands: &[TermId]) {
        use Operation as Op;
        let a = operands[0];
        let second = operands.get(1).copied().unwrap_or(a);
        match op {
            Op::FloatEq | Op::IntEqFloat => self.comparison(context, a, " == ", second),
            Op::FloatLt | Op::IntLtFloat => self.comparison(context, a, " < ", second),
            Op::FloatLe | Op::IntLeFloat => self.comparison(context, a, " <= ", second),
            Op::IntGtFloat => self.comparison(context, a, " > ", second),
            Op::IntGeFloat => self.comparison(context, a, " >= ", second),
            Op::FloatAdd => self.infix(context, P::Sum, (a, P::Sum), " + ", (second, P::Product)),
            Op::FloatSub => self.infix(context, P::Sum, (a, P::Sum), " - ", (second, P::Product)),
            Op::FloatMul => self.product(context, a, " * ", second),
            Op::FloatDiv | Op::IntDiv => self.product(context, a, " / ", second),
            Op::FloatFloorDiv => self.product(context, a, " // ", second),
            Op::FloatMod => self.product(context, a, " % ", second),
            Op::FloatRemainder => self.enclosed("math.fmod(", operands, ")"),
            Op::FloatPow => {
                self.infix(
                    context,
                    P::Power,
                    (a, P::Primary),
                    " ** ",
                    (second, P::Unary),
                );
            }
            Op::FloatNeg => {
                let operand = Piece::Term(a, P::Unary);
                self.push(context, P::Unary, [Piece::Text("-"), operand]);
            }
            Op::FloatAbs => self.call("abs(", a),
            Op::CopySign => self.enclosed("math.copysign(", operands, ")"),
            Op::FloatRound(rounding) => {
                let open = match rounding {
                    Rounding::Down => "float(math.floor(",
                    Rounding::Up => "float(math.ceil(",
                    Rounding::TowardsZero => "float(math.trunc(",
                    Rounding::HalfEven => "float(round(",
                };
                self.enclosed(open, &[a], "))");
            }
            Op::Call(function) => self.call(function_name(function), a),
            Op::IsNan => self.call("math.isnan(", a),
            Op::IsNegative => self.enclosed("(math.copysign(1.0, ", &[a], ") < 0)"),
            Op::FloatFromInt => self.call("float(", a),
            Op::FloatToInt => self.call("int(", a),
            _ => self.out.push_str("..."),
        }
    }

    fn unit_at(&mut self, text: TermId, position: TermId) {
        let (open, close) = match TextKind::of(self.pool.sort(text)) {
            Some(TextKind::Bytes) => ("", "]"),
            Some(TextKind::Str) | None => ("ord(", "])"),
        };
        self.pending.push(Piece::Text(close));
        self.pending.push(Piece::Term(position, P::Conditional));
        self.pending.push(Piece::Text("["));
        self.pending.push(Piece::Term(text, P::Primary));
        self.pending.push(Piece::Text(open));
    }

    /// The text and position a code is taken from, if it is the code of a character.
    pub(super) fn unit_of(&self, code: TermId) -> Option<(TermId, TermId)> {
        match self.pool.get(code) {
            crate::Term::Apply(Operation::At, operands)
                if TextKind::of(self.pool.sort(operands[0])) == Some(TextKind::Str) =>
            {
                Some((operands[0], operands[1]))
            }
            _ => None,
        }
    }

    /// The character a code is compared with, if it is a constant: `s[i] == 'Q'` reads better than
    /// `ord(s[i]) == 81`, and means the same.
    pub(super) fn character(&self, code: TermId) -> Option<String> {
        let code = u32::try_from(self.pool.as_int(code)?.to_i64()?).ok()?;
        (code <= TextKind::Str.last()).then(|| Text::new(TextKind::Str, [code]).to_string())
    }

    pub(super) fn subscript(&mut self, text: TermId, position: TermId) {
        self.pending.push(Piece::Text("]"));
        self.pending.push(Piece::Term(position, P::Conditional));
        self.pending.push(Piece::Text("["));
        self.pending.push(Piece::Term(text, P::Primary));
    }

    fn joined(&mut self, context: P, parts: &[TermId]) {
        let parentheses = P::Sum < context;
        if parentheses {
            self.out.push('(');
            self.pending.push(Piece::Text(")"));
        }
        for (position, &part) in parts.iter().enumerate().rev() {
            self.pending.push(Piece::Term(part, P::Product));
            if position > 0 {
                self.pending.push(Piece::Text(" + "));
            }
        }
    }

    fn slice(&mut self, text: TermId, start: TermId, stop: TermId) {
        let is_zero = self.pool.as_int(start).is_some_and(Integer::is_zero);
        let to_end = matches!(
            self.pool.get(stop),
            crate::Term::Apply(Operation::Length, of) if of[0] == text
        );
        self.pending.push(Piece::Text("]"));
        if !to_end {
            self.pending.push(Piece::Term(stop, P::Conditional));
        }
        self.pending.push(Piece::Text(":"));
        if !is_zero {
            self.pending.push(Piece::Term(start, P::Conditional));
        }
        self.pending.push(Piece::Text("["));
        self.pending.push(Piece::Term(text, P::Primary));
    }

    fn find(&mut self, text: TermId, needle: TermId, start: TermId) {
        if self.pool.as_int(start).is_some_and(Integer::is_zero) {
            self.method_of_two(text, ".find(", needle);
        } else {
            self.method_with(text, ".find(", needle, ", ", start);
        }
    }

    fn method_of_two(&mut self, text: TermId, method: &'static str, argument: TermId) {
        self.pending.push(Piece::Text(")"));
        self.pending.push(Piece::Term(argument, P::Conditional));
        self.pending.push(Piece::Text(method));
        self.pending.push(Piece::Term(text, P::Primary));
    }

    fn method_with(
        &mut self,
        text: TermId,
        method: &'static str,
        first: TermId,
        between: &'static str,
        second: TermId,
    ) {
        self.pending.push(Piece::Text(")"));
        self.pending.push(Piece::Term(second, P::Conditional));
        self.pending.push(Piece::Text(between));
        self.pending.push(Piece::Term(first, P::Conditional));
        self.pending.push(Piece::Text(method));
        self.pending.push(Piece::Term(text, P::Primary));
    }

    fn product(&mut self, context: P, a: TermId, sign: &'static str, b: TermId) {
        self.infix(context, P::Product, (a, P::Product), sign, (b, P::Unary));
    }

    fn enclosed(&mut self, open: &'static str, arguments: &[TermId], close: &'static str) {
        self.pending.push(Piece::Text(close));
        for (position, &argument) in arguments.iter().enumerate().rev() {
            self.pending.push(Piece::Term(argument, P::Conditional));
            if position > 0 {
                self.pending.push(Piece::Text(", "));
            }
        }
        self.pending.push(Piece::Text(open));
    }

    fn owned_call(&mut self, open: String, argument: TermId, close: &'static str) {
        self.pending.push(Piece::Text(close));
        self.pending.push(Piece::Term(argument, P::Conditional));
        self.pending.push(Piece::Digits(open));
    }

    fn digits_of(&mut self, kind: TextKind, base: u8, value: TermId) {
        let close = match (kind, base) {
            (TextKind::Str, _) => "",
            (TextKind::Bytes, _) => ".encode()",
        };
        let (open, middle) = match base {
            10 => ("str(", ")"),
            16 => ("format(", ", 'x')"),
            8 => ("format(", ", 'o')"),
            2 => ("format(", ", 'b')"),
            _ => ("format(", ", '...')"),
        };
        self.pending.push(Piece::Text(close));
        self.pending.push(Piece::Text(middle));
        self.pending.push(Piece::Term(value, P::Conditional));
        self.pending.push(Piece::Text(open));
    }

    fn class(&self, id: crate::operation::ClassId, after: &str) -> String {
        let mut out = String::new();
        class_expression(self.pool.class(id), &mut out);
        out.push_str(after);
        out
    }

    /// The method that expands text this way, told by letters in which they differ.
    fn expanding(&self, expansion: Expansion) -> String {
        let becomes = |unit: char| {
            let units = expanded(self.pool, expansion, unit.into());
            units.filter_map(char::from_u32).collect::<String>()
        };
        match [becomes('a'), becomes('A'), becomes('ǆ'), becomes('ß')]
            .each_ref()
            .map(String::as_str)
        {
            ["A", "A", "Ǆ", _] => ".upper()".to_owned(),
            ["A", "A", "ǅ", _] => ".title()".to_owned(),
            ["a", "a", _, "ß"] => ".lower()".to_owned(),
            ["a", "a", _, "ss"] => ".casefold()".to_owned(),
            _ => format!(".translate({})", self.table(expansion.first)),
        }
    }

    fn table(&self, id: crate::operation::MapId) -> String {
        let pairs = self.pool.map(id).pairs();
        let mut entries: Vec<String> = pairs
            .iter()
            .take(MAX_ENTRIES)
            .map(|(from, to)| format!("{from}: {to}"))
            .collect();
        if pairs.len() > MAX_ENTRIES {
            entries.push("...".to_owned());
        }
        format!("{{{}}}", entries.join(", "))
    }
}

fn function_name(function: Function) -> &'static str {
    match function {
        Function::Sqrt => "math.sqrt(",
        Function::Exp => "math.exp(",
        Function::ExpM1 => "math.expm1(",
        Function::Log => "math.log(",
        Function::Log1P => "math.log1p(",
        Function::Log2 => "math.log2(",
        Function::Log10 => "math.log10(",
        Function::Sin => "math.sin(",
        Function::Cos => "math.cos(",
        Function::Tan => "math.tan(",
        Function::Asin => "math.asin(",
        Function::Acos => "math.acos(",
        Function::Atan => "math.atan(",
        Function::Sinh => "math.sinh(",
        Function::Cosh => "math.cosh(",
        Function::Tanh => "math.tanh(",
    }
}

fn quoted(pattern: &str) -> String {
    Text::str(pattern).to_string()
}

/// A pattern in the syntax of `re`.
fn expression(pattern: &Pattern, out: &mut String) {
    match pattern {
        Pattern::Empty => {}
        Pattern::Nothing => out.push_str("(?!)"),
        Pattern::Class(class) => class_expression(class, out),
        Pattern::Sequence(parts) => parts.iter().for_each(|part| expression(part, out)),
        Pattern::Choice(parts) => {
            out.push_str("(?:");
            for (position, part) in parts.iter().enumerate() {
                if position > 0 {
                    out.push('|');
                }
                expression(part, out);
            }
            out.push(')');
        }
        Pattern::Repeat { body, least, most } => {
            out.push_str("(?:");
            expression(body, out);
            out.push(')');
            match (least, most) {
                (0, None) => out.push('*'),
                (1, None) => out.push('+'),
                (0, Some(1)) => out.push('?'),
                (least, None) => _ = write!(out, "{{{least},}}"),
                (least, Some(most)) => _ = write!(out, "{{{least},{most}}}"),
            }
        }
    }
}

fn class_expression(class: &CharClass, out: &mut String) {
    let ranges = class.ranges();
    if let [(one, last)] = ranges
        && one == last
        && char::from_u32(*one).is_some_and(|c| c.is_ascii_alphanumeric())
    {
        out.extend(char::from_u32(*one));
        return;
    }
    out.push('[');
    for &(first, last) in ranges.iter().take(MAX_ENTRIES) {
        unit_expression(first, out);
        if last > first {
            out.push('-');
            unit_expression(last, out);
        }
    }
    if ranges.len() > MAX_ENTRIES {
        out.push_str("...");
    }
    out.push(']');
}

fn unit_expression(unit: u32, out: &mut String) {
    match char::from_u32(unit) {
        Some(c) if c.is_ascii_alphanumeric() => out.push(c),
        _ if unit <= 0xFF => _ = write!(out, "\\x{unit:02x}"),
        _ if unit <= 0xFFFF => _ = write!(out, "\\u{unit:04x}"),
        _ => _ = write!(out, "\\U{unit:08x}"),
    }
}
