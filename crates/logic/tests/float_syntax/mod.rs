//! Reads the Python expressions over floats that tests are written in.

#![allow(clippy::unwrap_used, clippy::panic)]

use pef_logic::{
    BinaryOp, Function, Integer, Operation, Rounding, Sort, TermId, TermPool, UnaryOp,
};

/// Parses a Python expression. Names that start with `i`, `j`, `k` or `n` are integers, other names
/// floats; arithmetic and comparisons of the two mean what they mean in Python.
pub fn parse(pool: &mut TermPool, text: &str) -> TermId {
    let tokens = tokens(text);
    let mut parser = Parser {
        tokens: &tokens,
        pool,
    };
    let term = parser.conditional();
    assert!(parser.tokens.is_empty(), "trailing text in {text:?}");
    term
}

fn tokens(text: &str) -> Vec<String> {
    let mut found = Vec::new();
    let mut rest = text.trim_start();
    while let Some(first) = rest.chars().next() {
        let length = if first.is_ascii_digit() {
            number_length(rest)
        } else if first.is_ascii_alphabetic() {
            let word = |c: char| c.is_ascii_alphanumeric() || c == '_';
            rest.find(|c| !word(c)).unwrap_or(rest.len())
        } else {
            let long = ["**", "//", "<=", ">=", "==", "!="];
            1 + usize::from(long.iter().any(|token| rest.starts_with(token)))
        };
        found.push(rest[..length].to_owned());
        rest = rest[length..].trim_start();
    }
    found
}

/// The length of a number with an optional fraction and exponent.
fn number_length(text: &str) -> usize {
    let bytes = text.as_bytes();
    let mut length = 0;
    while let Some(&byte) = bytes.get(length) {
        let after_exponent = length > 0 && bytes[length - 1] == b'e';
        let part = byte.is_ascii_digit()
            || matches!(byte, b'.' | b'e')
            || (after_exponent && matches!(byte, b'+' | b'-'));
        if !part {
            break;
        }
        length += 1;
    }
    length
}

struct Parser<'a> {
    tokens: &'a [String],
    pool: &'a mut TermPool,
}

impl Parser<'_> {
    fn peek(&self) -> &str {
        self.tokens.first().map_or("", String::as_str)
    }

    fn take(&mut self, token: &str) -> bool {
        let found = self.peek() == token;
        if found {
            self.tokens = &self.tokens[1..];
        }
        found
    }

    fn expect(&mut self, token: &str) {
        assert!(
            self.take(token),
            "expected {token:?} before {:?}",
            self.tokens
        );
    }

    fn conditional(&mut self) -> TermId {
        let chosen = self.or();
        if !self.take("if") {
            return chosen;
        }
        let condition = self.or();
        self.expect("else");
        let other = self.conditional();
        self.pool.ite(condition, chosen, other)
    }

    fn or(&mut self) -> TermId {
        let mut left = self.and();
        while self.take("or") {
            let right = self.and();
            left = self.pool.or(left, right);
        }
        left
    }

    fn and(&mut self) -> TermId {
        let mut left = self.not();
        while self.take("and") {
            let right = self.not();
            left = self.pool.and(left, right);
        }
        left
    }

    fn not(&mut self) -> TermId {
        if self.take("not") {
            let operand = self.not();
            return self.pool.not(operand);
        }
        let mut left = self.sum();
        let mut whole: Option<TermId> = None;
        while let op @ ("==" | "!=" | "<" | "<=" | ">" | ">=") = self.peek() {
            let op = op.to_owned();
            self.expect(&op);
            let right = self.sum();
            let link = compare(self.pool, &op, left, right);
            whole = Some(whole.map_or(link, |whole| self.pool.and(whole, link)));
            left = right;
        }
        whole.unwrap_or(left)
    }

    fn sum(&mut self) -> TermId {
        let mut left = self.product();
        while let op @ ("+" | "-") = self.peek() {
            let op = op.to_owned();
            self.expect(&op);
            let right = self.product();
            left = arithmetic(self.pool, &op, left, right);
        }
        left
    }

    fn product(&mut self) -> TermId {
        let mut left = self.unary();
        while let op @ ("*" | "/" | "//" | "%") = self.peek() {
            let op = op.to_owned();
            self.expect(&op);
            let right = self.unary();
            left = arithmetic(self.pool, &op, left, right);
        }
        left
    }

    fn unary(&mut self) -> TermId {
        if self.take("-") {
            let operand = self.unary();
            return match self.pool.sort(operand) {
                Sort::Float => self.pool.apply(Operation::FloatNeg, &[operand]),
                _ => self.pool.unary(UnaryOp::Neg, operand),
            };
        }
        let base = self.atom();
        if self.take("**") {
            let exponent = self.unary();
            let operands = [to_float(self.pool, base), to_float(self.pool, exponent)];
            return self.pool.apply(Operation::FloatPow, &operands);
        }
        base
    }

    fn atom(&mut self) -> TermId {
        let token = self.peek().to_owned();
        self.expect(&token);
        if token == "(" {
            let term = self.conditional();
            self.expect(")");
            return term;
        }
        if token.starts_with(|c: char| c.is_ascii_digit()) {
            return match token.parse::<Integer>() {
                Ok(value) => self.pool.int(value),
                Err(_) => self.pool.float(token.parse().unwrap()),
            };
        }
        if !self.take("(") {
            let sort = match token.as_bytes()[0] {
                b'i' | b'j' | b'k' | b'n' => Sort::Int,
                _ => Sort::Float,
            };
            return match token.as_str() {
                "inf" => self.pool.float(f64::INFINITY),
                "nan" => self.pool.float(f64::NAN),
                name => self.pool.variable(name, sort),
            };
        }
        let argument = self.conditional();
        let term = call(self.pool, &token, argument);
        self.expect(")");
        term
    }
}

fn call(pool: &mut TermPool, name: &str, argument: TermId) -> TermId {
    let float = to_float(pool, argument);
    let op = match (name, pool.sort(argument)) {
        ("abs", Sort::Int) => return pool.unary(UnaryOp::Abs, argument),
        ("float", _) => return float,
        ("abs", _) => Operation::FloatAbs,
        ("int", _) => Operation::FloatToInt,
        ("isnan", _) => Operation::IsNan,
        ("signbit", _) => Operation::IsNegative,
        ("floor", _) => Operation::FloatRound(Rounding::Down),
        ("ceil", _) => Operation::FloatRound(Rounding::Up),
        ("trunc", _) => Operation::FloatRound(Rounding::TowardsZero),
        ("round", _) => Operation::FloatRound(Rounding::HalfEven),
        ("sqrt", _) => Operation::Call(Function::Sqrt),
        ("exp", _) => Operation::Call(Function::Exp),
        ("sin", _) => Operation::Call(Function::Sin),
        _ => panic!("unknown function {name}"),
    };
    pool.apply(op, &[float])
}

fn to_float(pool: &mut TermPool, term: TermId) -> TermId {
    match pool.sort(term) {
        Sort::Float => term,
        _ => pool.apply(Operation::FloatFromInt, &[term]),
    }
}

fn arithmetic(pool: &mut TermPool, op: &str, left: TermId, right: TermId) -> TermId {
    let whole = pool.sort(left) == Sort::Int && pool.sort(right) == Sort::Int;
    if whole {
        let op = match op {
            "+" => BinaryOp::Add,
            "-" => BinaryOp::Sub,
            "*" => BinaryOp::Mul,
            "//" => BinaryOp::FloorDiv,
            "%" => BinaryOp::Mod,
            _ => return pool.apply(Operation::IntDiv, &[left, right]),
        };
        return pool.binary(op, left, right);
    }
    let operands = [to_float(pool, left), to_float(pool, right)];
    let op = match op {
        "+" => Operation::FloatAdd,
        "-" => Operation::FloatSub,
        "*" => Operation::FloatMul,
        "/" => Operation::FloatDiv,
        "//" => Operation::FloatFloorDiv,
        _ => Operation::FloatMod,
    };
    pool.apply(op, &operands)
}

fn compare(pool: &mut TermPool, op: &str, left: TermId, right: TermId) -> TermId {
    use Operation as Op;
    let equal = match (pool.sort(left), pool.sort(right)) {
        (Sort::Int, Sort::Int) => {
            return match op {
                "==" => pool.eq(left, right),
                "!=" => pool.ne(left, right),
                "<" => pool.lt(left, right),
                "<=" => pool.le(left, right),
                ">" => pool.gt(left, right),
                _ => pool.ge(left, right),
            };
        }
        (Sort::Int, _) => {
            let op = match op {
                "<" => Op::IntLtFloat,
                "<=" => Op::IntLeFloat,
                ">" => Op::IntGtFloat,
                ">=" => Op::IntGeFloat,
                _ => Op::IntEqFloat,
            };
            pool.apply(op, &[left, right])
        }
        (_, Sort::Int) => {
            let flipped = match op {
                "<" => ">",
                "<=" => ">=",
                ">" => "<",
                ">=" => "<=",
                other => other,
            };
            return compare(pool, flipped, right, left);
        }
        _ => match op {
            "<" => pool.apply(Op::FloatLt, &[left, right]),
            "<=" => pool.apply(Op::FloatLe, &[left, right]),
            ">" => pool.apply(Op::FloatLt, &[right, left]),
            ">=" => pool.apply(Op::FloatLe, &[right, left]),
            _ => pool.apply(Op::FloatEq, &[left, right]),
        },
    };
    if op == "!=" { pool.not(equal) } else { equal }
}
