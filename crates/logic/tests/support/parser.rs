//! Reads the Python expressions that tests are written in.

use pef_logic::{BinaryOp, Integer, Sort, TermId, TermPool, UnaryOp};

/// Parses a Python expression. Names are integer variables, those that start with `b` truths.
pub fn parse(pool: &mut TermPool, text: &str) -> TermId {
    let mut parser = Parser {
        tokens: tokens(text),
        position: 0,
        pool,
    };
    let term = parser.conditional();
    assert_eq!(
        parser.position,
        parser.tokens.len(),
        "trailing text in {text:?}"
    );
    term
}

fn tokens(text: &str) -> Vec<String> {
    let mut found = Vec::new();
    let mut rest = text.trim_start();
    while let Some(first) = rest.chars().next() {
        let word = |c: char| c.is_ascii_alphanumeric() || c == '_';
        let length = if word(first) {
            rest.find(|c| !word(c)).unwrap_or(rest.len())
        } else {
            let long = ["**", "//", "<<", ">>", "<=", ">=", "==", "!="];
            if long.iter().any(|token| rest.starts_with(token)) {
                2
            } else {
                1
            }
        };
        found.push(rest[..length].to_owned());
        rest = rest[length..].trim_start();
    }
    found
}

struct Parser<'a> {
    tokens: Vec<String>,
    position: usize,
    pool: &'a mut TermPool,
}

impl Parser<'_> {
    fn peek(&self) -> &str {
        self.tokens.get(self.position).map_or("", String::as_str)
    }

    fn take(&mut self, token: &str) -> bool {
        let found = self.peek() == token;
        self.position += usize::from(found);
        found
    }

    fn expect(&mut self, token: &str) {
        assert!(
            self.take(token),
            "expected {token:?}, found {:?}",
            self.peek()
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
        self.comparison()
    }

    fn comparison(&mut self) -> TermId {
        let mut left = self.operators(0);
        let mut whole: Option<TermId> = None;
        while let op @ ("==" | "!=" | "<" | "<=" | ">" | ">=") = self.peek() {
            let op = op.to_owned();
            self.position += 1;
            let right = self.operators(0);
            let link = self.compare(&op, left, right);
            whole = Some(whole.map_or(link, |whole| self.pool.and(whole, link)));
            left = right;
        }
        whole.unwrap_or(left)
    }

    fn compare(&mut self, op: &str, left: TermId, right: TermId) -> TermId {
        let pool = &mut *self.pool;
        match (op, pool.sort(left)) {
            ("==", Sort::Bool) => pool.iff(left, right),
            ("!=", Sort::Bool) => {
                let same = pool.iff(left, right);
                pool.not(same)
            }
            ("==", Sort::Int) => pool.eq(left, right),
            ("!=", Sort::Int) => pool.ne(left, right),
            ("<", Sort::Int) => pool.lt(left, right),
            ("<=", Sort::Int) => pool.le(left, right),
            (">", Sort::Int) => pool.gt(left, right),
            (">=", Sort::Int) => pool.ge(left, right),
            _ => panic!("cannot compare with {op}"),
        }
    }

    /// Left-associative operators, loosest level first.
    fn operators(&mut self, level: usize) -> TermId {
        let levels: [&[(&str, BinaryOp)]; 6] = [
            &[("|", BinaryOp::BitOr)],
            &[("^", BinaryOp::BitXor)],
            &[("&", BinaryOp::BitAnd)],
            &[("<<", BinaryOp::Shl), (">>", BinaryOp::Shr)],
            &[("+", BinaryOp::Add), ("-", BinaryOp::Sub)],
            &[
                ("*", BinaryOp::Mul),
                ("//", BinaryOp::FloorDiv),
                ("%", BinaryOp::Mod),
            ],
        ];
        let Some(operators) = levels.get(level) else {
            return self.unary();
        };
        let mut left = self.operators(level + 1);
        while let Some((_, op)) = operators.iter().find(|(token, _)| *token == self.peek()) {
            self.position += 1;
            let right = self.operators(level + 1);
            left = self.pool.binary(*op, left, right);
        }
        left
    }

    fn unary(&mut self) -> TermId {
        if self.take("-") {
            let operand = self.unary();
            return self.pool.unary(UnaryOp::Neg, operand);
        }
        let base = self.primary();
        if self.take("**") {
            let exponent = self.unary();
            return self.pool.binary(BinaryOp::Pow, base, exponent);
        }
        base
    }

    fn primary(&mut self) -> TermId {
        let mut term = self.atom();
        while self.take(".") {
            let op = if self.take("bit_length") {
                UnaryOp::BitLength
            } else {
                self.expect("bit_count");
                UnaryOp::BitCount
            };
            self.expect("(");
            self.expect(")");
            term = self.pool.unary(op, term);
        }
        term
    }

    fn atom(&mut self) -> TermId {
        let token = self.peek().to_owned();
        self.position += 1;
        match token.as_str() {
            "(" => {
                let term = self.conditional();
                self.expect(")");
                term
            }
            "True" | "False" => self.pool.bool(token == "True"),
            "abs" | "int" => {
                self.expect("(");
                let argument = self.conditional();
                self.expect(")");
                match token.as_str() {
                    "abs" => self.pool.unary(UnaryOp::Abs, argument),
                    _ => self.pool.from_bool(argument),
                }
            }
            name if name.starts_with(|c: char| c.is_ascii_digit()) => self.pool.int(number(name)),
            name if name.starts_with('b') => self.pool.variable(name, Sort::Bool),
            name => self.pool.variable(name, Sort::Int),
        }
    }
}

fn number(text: &str) -> Integer {
    match text.strip_prefix("0x") {
        Some(digits) => Integer::from(i64::from_str_radix(digits, 16).unwrap()),
        None => text.parse().unwrap(),
    }
}
