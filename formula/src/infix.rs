//! The language of `--against-expression`: `log(1 + exp(x))`.

use std::fmt;

use dc_runtime::builtins::reference::{REFERENCES, REFERENCES_OF_TWO, Reference};
use dc_runtime::model::near::near;

use crate::number::Number;
use crate::tree::{COMPOSED, Id, Node, Plain, Tree};

/// The digits of π, beyond the precision of two doubles.
pub const PI: &str = "3.14159265358979323846264338327950288419716939937510";
/// The digits of e, as in [`PI`].
pub const E: &str = "2.71828182845904523536028747135266249775724709369995";
/// The largest depth to which a formula may be nested.
const DEPTH: usize = 100;
/// The largest power.
pub const POWER: i32 = 1024;

/// An error in a text, with its column, counted from 1.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Error {
    /// The column of the error.
    pub column: usize,
    /// The error.
    pub message: String,
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "column {}: {}", self.column, self.message)
    }
}

impl std::error::Error for Error {}

/// Parses a formula. Its variables have these names and stand for these nodes.
///
/// # Errors
/// The error, with its column.
pub fn parse(text: &str, variables: &[(&str, Id)], tree: &mut Tree) -> Result<Id, Error> {
    let mut parser = Parser {
        text: text.chars().collect(),
        at: 0,
        depth: 0,
        variables,
        tree,
    };
    let root = parser.sum()?;
    parser.blank();
    match parser.peek() {
        None => Ok(root),
        Some(')') => Err(parser.error("this `)` closes no `(`")),
        Some(c) => Err(parser.error(&format!(
            "`{c}` is not expected: write +, -, *, / or ^ before it"
        ))),
    }
}

struct Parser<'a> {
    text: Vec<char>,
    at: usize,
    depth: usize,
    variables: &'a [(&'a str, Id)],
    tree: &'a mut Tree,
}

impl Parser<'_> {
    fn error(&self, message: &str) -> Error {
        self.error_at(self.at, message)
    }

    fn error_at(&self, at: usize, message: &str) -> Error {
        Error {
            column: at + 1,
            message: message.into(),
        }
    }

    fn peek(&self) -> Option<char> {
        self.text.get(self.at).copied()
    }

    fn blank(&mut self) {
        while self.peek().is_some_and(char::is_whitespace) {
            self.at += 1;
        }
    }

    /// Consumes a character if it is the next one.
    fn take(&mut self, c: char) -> bool {
        self.blank();
        let is = self.peek() == Some(c);
        self.at += usize::from(is);
        is
    }

    fn sum(&mut self) -> Result<Id, Error> {
        self.depth += 1;
        if self.depth > DEPTH {
            return Err(self.error("it is nested too deeply"));
        }
        let mut a = self.product()?;
        loop {
            if self.take('+') {
                let b = self.product()?;
                a = self.tree.add(Node::Add(a, b));
            } else if self.take('-') {
                let b = self.product()?;
                a = self.tree.add(Node::Subtract(a, b));
            } else {
                self.depth -= 1;
                return Ok(a);
            }
        }
    }

    fn product(&mut self) -> Result<Id, Error> {
        let mut a = self.signed()?;
        loop {
            if self.take('*') {
                let b = self.signed()?;
                a = self.tree.add(Node::Multiply(a, b));
            } else if self.take('/') {
                let b = self.signed()?;
                a = self.tree.add(Node::Divide(a, b));
            } else {
                return Ok(a);
            }
        }
    }

    fn signed(&mut self) -> Result<Id, Error> {
        let mut negative = false;
        loop {
            if self.take('-') {
                negative = !negative;
            } else if !self.take('+') {
                break;
            }
        }
        let a = self.power()?;
        Ok(match negative {
            true => self.tree.add(Node::Negate(a)),
            false => a,
        })
    }

    fn power(&mut self) -> Result<Id, Error> {
        let a = self.atom()?;
        self.blank();
        let doubled = self.text[self.at..].starts_with(&['*', '*']);
        if !doubled && self.peek() != Some('^') {
            return Ok(a);
        }
        self.at += if doubled { 2 } else { 1 };
        self.blank();
        let at = self.at;
        let brackets = self.take('(');
        let negative = self.take('-');
        self.blank();
        let digits = self.word(|c| c.is_ascii_digit());
        let closed = !brackets || self.take(')');
        let end = !matches!(self.peek(), Some('.' | '^')) && closed;
        let n = digits.parse().ok().filter(|n: &i32| *n <= POWER && end);
        let Some(n) = n else {
            return Err(self.error_at(
                at,
                &format!(
                    "the power after ^ is a whole number of at most {POWER}: write pow(a, b) for others"
                ),
            ));
        };
        Ok(self.tree.add(Node::Power(a, if negative { -n } else { n })))
    }

    /// The characters of one kind from the current place on.
    fn word(&mut self, is: impl Fn(char) -> bool) -> String {
        let start = self.at;
        while self.peek().is_some_and(&is) {
            self.at += 1;
        }
        self.text[start..self.at].iter().collect()
    }

    fn atom(&mut self) -> Result<Id, Error> {
        self.blank();
        let at = self.at;
        let Some(c) = self.peek() else {
            return Err(self.error("it ends where a number, x or a function is expected"));
        };
        if c == '(' {
            self.at += 1;
            let inner = self.sum()?;
            return match self.take(')') {
                true => Ok(inner),
                false => Err(self.error_at(at, "this `(` is not closed")),
            };
        }
        if c.is_ascii_digit() || c == '.' {
            return self.number();
        }
        if !c.is_alphabetic() && c != '_' {
            return Err(self.error(&format!(
                "`{c}` is not expected: a number, x or a function is"
            )));
        }
        let name = self.word(|c| c.is_alphanumeric() || c == '_');
        if self.take('(') {
            return self.call(&name, at);
        }
        if let Some((_, id)) = self.variables.iter().find(|v| v.0 == name) {
            return Ok(*id);
        }
        match &name[..] {
            "pi" => self.constant(PI, at),
            "e" => self.constant(E, at),
            _ => Err(self.unknown(&name, at)),
        }
    }

    fn constant(&mut self, text: &str, at: usize) -> Result<Id, Error> {
        let number = Number::parse(text).map_err(|e| self.error_at(at, &e))?;
        Ok(self.tree.add(Node::Number(number)))
    }

    fn number(&mut self) -> Result<Id, Error> {
        let at = self.at;
        let hex = self.text[at..].starts_with(&['0', 'x']);
        let mut text = String::new();
        while let Some(c) = self.peek() {
            let sign =
                matches!(c, '+' | '-') && text.ends_with(if hex { ['p', 'P'] } else { ['e', 'E'] });
            if !c.is_ascii_alphanumeric() && c != '.' && !sign {
                break;
            }
            text.push(c);
            self.at += 1;
        }
        self.constant(&text, at)
    }

    fn call(&mut self, name: &str, at: usize) -> Result<Id, Error> {
        let mut args = Vec::new();
        if !self.take(')') {
            loop {
                args.push(self.sum()?);
                if self.take(')') {
                    break;
                }
                if !self.take(',') {
                    let open = at + name.chars().count();
                    return Err(self.error_at(open, &format!("the `(` of `{name}` is not closed")));
                }
            }
        }
        let plain = Plain::ALL.iter().find(|p| p.0 == name);
        let known = Reference::by_name(name);
        let composed = COMPOSED.iter().find(|c| c.0 == name);
        let takes = match (plain, composed, &known) {
            (Some(p), ..) => p.2,
            (_, Some(c), _) => c.1,
            (_, _, Ok(r)) => r.function.arguments(),
            (None, None, Err(_)) => return Err(self.unknown(name, at)),
        };
        if args.len() != takes {
            let of = |n: usize| format!("{n} argument{}", if n == 1 { "" } else { "s" });
            return Err(self.error_at(
                at,
                &format!(
                    "`{name}` takes {}, and this is {}",
                    of(takes),
                    of(args.len())
                ),
            ));
        }
        if let Some((_, _, text)) = composed {
            let names: Vec<(&str, Id)> = ["a", "b", "c"].into_iter().zip(args).collect();
            return parse(text, &names, self.tree)
                .map_err(|e| self.error_at(at, &format!("the definition of {name}: {e}")));
        }
        Ok(self.tree.add(match (plain, known) {
            (Some(p), _) => Node::Plain(p.1, args),
            (None, Ok(r)) => Node::Call(r.name, args),
            (None, Err(_)) => return Err(self.unknown(name, at)),
        }))
    }

    /// The error for a name that does not exist.
    fn unknown(&self, name: &str, at: usize) -> Error {
        let plain = || functions().map(|f| f.0);
        let is_function = |n: &str| Reference::by_name(n).is_ok() || plain().any(|p| p == n);
        if is_function(name) {
            return self.error_at(at, &format!("`{name}` is a function: write {name}(…)"));
        }
        let all = REFERENCES.iter().chain(REFERENCES_OF_TWO).map(|r| r.name);
        let mut close = near(name, all.chain(plain()).chain(["pi"]));
        if close.is_empty() {
            // Other common names of functions.
            let other = Reference::by_name(name).err();
            close = other.map_or(Vec::new(), |e| e.near);
        }
        let meant = match close.is_empty() {
            true => String::new(),
            false => format!("; near it: {}", close.join(", ")),
        };
        let variables: Vec<&str> = self.variables.iter().map(|v| v.0).collect();
        self.error_at(
            at,
            &format!(
                "there is no `{name}`{meant}; there are {}, pi, e, and the functions of `crunch list --references`",
                variables.join(", ")
            ),
        )
    }
}

/// The functions that formulas have in addition to the references, with their numbers of arguments.
pub fn functions() -> impl Iterator<Item = (&'static str, usize)> {
    let composed = COMPOSED.iter().map(|c| (c.0, c.1));
    Plain::ALL.iter().map(|p| (p.0, p.2)).chain(composed)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<(Tree, Id), Error> {
        let mut tree = Tree::default();
        let x = tree.add(Node::Variable(0));
        let y = tree.add(Node::Variable(1));
        parse(text, &[("x", x), ("y", y)], &mut tree).map(|root| (tree, root))
    }

    #[test]
    fn operators_bind_as_in_mathematics() {
        for (a, b) in [
            ("x + y * x", "x + (y * x)"),
            ("x - y - x", "(x - y) - x"),
            ("x / y / x", "(x / y) / x"),
            ("-x^2", "-(x^2)"),
            ("2 * -x", "2 * (-x)"),
            ("x ** 2", "x^2"),
            ("x ^ -2", "x^(-2)"),
            ("exp(x)-1", "exp( x ) - 1"),
            ("--x", "x"),
        ] {
            let (mut tree, first) = read(a).expect(a);
            let (x, y) = (tree.add(Node::Variable(0)), tree.add(Node::Variable(1)));
            let second = parse(b, &[("x", x), ("y", y)], &mut tree).expect(b);
            assert_eq!(first, second, "{a} and {b}");
        }
        let (tree, root) = read("x - y").expect("a difference");
        assert_eq!(*tree.node(root), Node::Subtract(0, 1));
    }

    #[test]
    fn errors_name_the_column() {
        for (text, column, says) in [
            ("log(1 + expp(x))", 9, "there is no `expp`; near it: exp"),
            ("log(1 + exp(x)", 4, "the `(` of `log` is not closed"),
            ("(x + 1", 1, "this `(` is not closed"),
            ("x + 1)", 6, "closes no `(`"),
            (
                "pow(x)",
                1,
                "`pow` takes 2 arguments, and this is 1 argument",
            ),
            (
                "exp(x, y)",
                1,
                "`exp` takes 1 argument, and this is 2 arguments",
            ),
            ("exp()", 1, "takes 1 argument, and this is 0"),
            ("x +", 4, "it ends where"),
            ("x y", 3, "`y` is not expected"),
            ("x^0.5", 3, "write pow(a, b)"),
            ("x^y", 3, "write pow(a, b)"),
            ("x^2000", 3, "at most 1024"),
            ("1.2.3 + x", 1, "`1.2.3` is no number"),
            ("exp + 1", 1, "`exp` is a function: write exp(…)"),
            ("z + 1", 1, "there is no `z`"),
            ("x & y", 3, "`&` is not expected"),
            ("", 1, "it ends where"),
            ("arcsin(x)", 1, "near it: asin"),
            ("logadexp(x, y)", 1, "near it: logaddexp"),
            ("flor(x)", 1, "near it: floor"),
            ("lgamma_sing(x)", 1, "near it: lgamma_sign"),
            ("lerp(x, y)", 1, "`lerp` takes 3 arguments, and this is 2"),
            ("1 + fmod(x)", 5, "`fmod` takes 2 arguments"),
            ("round + 1", 1, "`round` is a function: write round(…)"),
        ] {
            let e = read(text).expect_err(text);
            assert!(
                e.column == column && e.message.contains(says),
                "{text}: {e}"
            );
        }
        let deep = "(".repeat(500);
        assert!(
            read(&deep)
                .expect_err("deep")
                .message
                .contains("too deeply")
        );
    }
}
