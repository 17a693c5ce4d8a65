//! FPCore 2.0, the language of FPBench and of Herbie's output: the parts that are formulas.

use std::collections::HashMap;

use dc_runtime::builtins::reference::{REFERENCES, REFERENCES_OF_TWO, Reference};
use dc_runtime::model::key::Precision;
use dc_runtime::model::near::near;

use crate::infix;
use crate::number::Number;
use crate::range;
use crate::sexpr::{self, Form, Sexpr};
use crate::tree::{Comparison, Id, Node, Plain, Tree};

/// A benchmark: a routine, the function that it approximates, and its arguments.
#[derive(Debug, Clone)]
pub struct Core {
    /// Its name, if it has one.
    pub name: Option<String>,
    /// Its text.
    pub text: String,
    /// The names of its arguments.
    pub arguments: Vec<String>,
    /// Its precision.
    pub precision: Precision,
    /// The tree that contains both nodes below.
    pub tree: Tree,
    /// The node that is computed, which is the body.
    pub body: Id,
    /// The node of the intended function: `:spec`, or the body.
    pub spec: Id,
    /// Whether there is a `:spec`.
    pub has_spec: bool,
    /// The range of `:pre` as text; `None` if there is no `:pre`.
    pub range: Option<Result<String, String>>,
}

/// Constants with more digits than two doubles hold.
const CONSTANTS: &[(&str, &str)] = &[
    ("E", infix::E),
    (
        "LOG2E",
        "1.44269504088896340735992468100189213742664595415299",
    ),
    (
        "LOG10E",
        "0.43429448190325182765112891891660508229439700580366",
    ),
    (
        "LN2",
        "0.69314718055994530941723212145817656807550013436025",
    ),
    (
        "LN10",
        "2.30258509299404568401799145468436420760110148862877",
    ),
    ("PI", infix::PI),
    (
        "PI_2",
        "1.57079632679489661923132169163975144209858469968755",
    ),
    (
        "PI_4",
        "0.78539816339744830961566084581987572104929234984378",
    ),
    (
        "M_1_PI",
        "0.31830988618379067153776752674502872406891929148091",
    ),
    (
        "M_2_PI",
        "0.63661977236758134307553505349005744813783858296183",
    ),
    (
        "M_2_SQRTPI",
        "1.12837916709551257389615890312154517168810125865800",
    ),
    (
        "SQRT2",
        "1.41421356237309504880168872420969807856967187537694",
    ),
    (
        "SQRT1_2",
        "0.70710678118654752440084436210484903928483593768847",
    ),
];

/// Operators that are refused: loops whose length is not known when a kernel is made, and others that no kernel has.
const REFUSED: &[(&str, &str)] = &[
    (
        "while",
        "a loop whose length depends on its values is no kernel",
    ),
    (
        "while*",
        "a loop whose length depends on its values is no kernel",
    ),
    ("for", "loops are not supported: write the steps out"),
    ("for*", "loops are not supported: write the steps out"),
    ("tensor", "tensors are not supported"),
    ("tensor*", "tensors are not supported"),
    ("ref", "tensors are not supported"),
    ("round", "rounding to whole numbers is not supported"),
    ("nearbyint", "rounding to whole numbers is not supported"),
    ("fmod", "remainders are not supported"),
    ("remainder", "remainders are not supported"),
    ("digits", "numbers in other bases are not supported"),
];

/// Reads all benchmarks of a file.
///
/// # Errors
/// The error, with its line and column.
pub fn read(text: &str) -> Result<Vec<Core>, String> {
    let all = sexpr::read(text)?;
    if all.is_empty() {
        return Err("it has no (FPCore …)".into());
    }
    all.iter().map(|s| core(s, text)).collect()
}

/// The text of a form, from its place to the next form at the top level.
fn text_of(s: &Sexpr, text: &str) -> String {
    let start: usize = text
        .split_inclusive('\n')
        .take(s.at.0 - 1)
        .map(str::len)
        .sum();
    let rest: String = text[start..].chars().skip(s.at.1 - 1).collect();
    let mut depth = 0i32;
    let (mut quoted, mut comment) = (false, false);
    let end = rest.char_indices().find(|(i, c)| {
        match c {
            '\n' => comment = false,
            ';' if !quoted => comment = true,
            '"' if !comment && !rest[..*i].ends_with('\\') => quoted = !quoted,
            '(' | '[' if !quoted && !comment => depth += 1,
            ')' | ']' if !quoted && !comment => depth -= 1,
            _ => {}
        }
        depth == 0
    });
    end.map_or(rest.clone(), |(i, _)| rest[..=i].to_string())
}

fn core(s: &Sexpr, text: &str) -> Result<Core, String> {
    let items = s.list().unwrap_or_default();
    let [head, rest @ ..] = items else {
        return Err(s.error("a benchmark is (FPCore (arguments) … body)"));
    };
    if head.atom() != Some("FPCore") {
        return Err(head.error("a benchmark begins with FPCore"));
    }
    let (name, rest) = match rest {
        [first, rest @ ..] if first.atom().is_some() => (first.atom(), rest),
        rest => (None, rest),
    };
    let [arguments, rest @ ..] = rest else {
        return Err(s.error("the list of arguments is missing"));
    };
    let mut names = Vec::new();
    for a in arguments
        .list()
        .ok_or_else(|| arguments.error("the arguments stand in brackets"))?
    {
        match a.atom() {
            Some(name) => names.push(name.to_string()),
            None => {
                return Err(
                    a.error("an argument is a name: annotations and tensors are not supported")
                );
            }
        }
    }
    if !(1..=2).contains(&names.len()) {
        return Err(arguments.error(&format!(
            "it has {} arguments, and routines of one or two are searched",
            names.len()
        )));
    }
    let mut properties: HashMap<&str, &Sexpr> = HashMap::new();
    let mut rest = rest;
    while let [key, value, more @ ..] = rest
        && let Some(key) = key.atom().filter(|k| k.starts_with(':'))
    {
        properties.insert(key, value);
        rest = more;
    }
    let [body] = rest else {
        return Err(s.error("one body follows the properties, which are pairs of :name and value"));
    };
    let precision = match properties.get(":precision") {
        None => Precision::F64,
        Some(p) => match p.atom() {
            Some("binary64") => Precision::F64,
            Some("binary32") => Precision::F32,
            _ => return Err(p.error("the precisions are binary32 and binary64")),
        },
    };
    if let Some(r) = properties.get(":round")
        && r.atom() != Some("nearestEven")
    {
        return Err(r.error("the rounding is nearestEven"));
    }
    let mut reader = Reader {
        tree: Tree::default(),
        precision,
        main: precision,
    };
    let scope: HashMap<String, Id> = names
        .iter()
        .enumerate()
        .map(|(n, name)| (name.clone(), reader.tree.add(Node::Variable(n))))
        .collect();
    let root = reader.number(body, &scope)?;
    let spec = match properties.get(":spec") {
        Some(spec) => reader.number(spec, &scope)?,
        None => root,
    };
    let range = properties
        .get(":pre")
        .map(|pre| range::of(pre, &names, precision).map(|r| range::text(&r)));
    let title = properties.get(":name").and_then(|s| match &s.form {
        Form::Text(text) => Some(text.clone()),
        _ => None,
    });
    Ok(Core {
        name: name.map(String::from).or(title),
        text: text_of(s, text),
        arguments: names,
        precision,
        tree: reader.tree,
        body: root,
        spec,
        has_spec: properties.contains_key(":spec"),
        range,
    })
}

/// A literal, if it is one: a decimal, a hexadecimal number or a fraction, with a sign.
#[must_use]
pub fn literal(text: &str) -> Option<Result<Number, String>> {
    let unsigned = text.strip_prefix(['-', '+']).unwrap_or(text);
    if !unsigned.starts_with(|c: char| c.is_ascii_digit() || c == '.') {
        return None;
    }
    let number = match unsigned.split_once('/') {
        None => Number::parse(unsigned),
        Some((p, q)) => Number::fraction(p, q),
    };
    Some(number.map(|n| {
        if text.starts_with('-') {
            n.negated()
        } else {
            n
        }
    }))
}

struct Reader {
    tree: Tree,
    /// The precision of the part that is read.
    precision: Precision,
    /// The precision of the benchmark.
    main: Precision,
}

type Scope = HashMap<String, Id>;

impl Reader {
    /// Adds the node of an operation or a number in the precision of the current part.
    fn add(&mut self, node: Node) -> Id {
        let id = self.tree.add(node);
        let node = self.tree.node(id);
        // A choice rounds nothing, and neither does a condition.
        match self.precision == self.main || node.is_condition() || matches!(node, Node::If(..)) {
            true => id,
            false => self.tree.add(Node::In(self.precision, id)),
        }
    }

    fn number(&mut self, s: &Sexpr, scope: &Scope) -> Result<Id, String> {
        let id = self.expr(s, scope)?;
        match self.tree.node(id).is_condition() {
            true => Err(s.error("a number is expected, and this is a condition")),
            false => Ok(id),
        }
    }

    fn condition(&mut self, s: &Sexpr, scope: &Scope) -> Result<Id, String> {
        let id = self.expr(s, scope)?;
        match self.tree.node(id).is_condition() {
            true => Ok(id),
            false => Err(s.error("a condition is expected, and this is a number")),
        }
    }

    fn expr(&mut self, s: &Sexpr, scope: &Scope) -> Result<Id, String> {
        match &s.form {
            Form::Text(_) => Err(s.error("a text has no value")),
            Form::Atom(name) => self.atom(s, name, scope),
            Form::List(items) => {
                let [head, args @ ..] = &items[..] else {
                    return Err(s.error("an empty list has no value"));
                };
                let Some(op) = head.atom() else {
                    return Err(head.error("an operator is expected"));
                };
                self.form(head, op, args, scope)
            }
        }
    }

    fn atom(&mut self, s: &Sexpr, name: &str, scope: &Scope) -> Result<Id, String> {
        if let Some(id) = scope.get(name) {
            return Ok(*id);
        }
        if let Some(number) = literal(name) {
            let number = number.map_err(|e| s.error(&e))?;
            return Ok(self.add(Node::Number(number)));
        }
        let constant = CONSTANTS.iter().find(|c| c.0 == name);
        if let Some((_, digits)) = constant {
            let number = Number::parse(digits).map_err(|e| s.error(&e))?;
            return Ok(self.add(Node::Number(number)));
        }
        Ok(self.add(match name {
            "INFINITY" => Node::Number(Number::double(f64::INFINITY)),
            "NAN" => Node::Number(Number::double(f64::NAN)),
            "TRUE" => Node::Truth(true),
            "FALSE" => Node::Truth(false),
            _ => {
                let names = scope.keys().map(String::as_str);
                let constants = CONSTANTS.iter().map(|c| c.0);
                let close = near(name, names.chain(constants));
                return Err(s.error(&unknown("variable or constant", name, &close)));
            }
        }))
    }

    fn form(
        &mut self,
        head: &Sexpr,
        op: &str,
        args: &[Sexpr],
        scope: &Scope,
    ) -> Result<Id, String> {
        let count = |n: usize| match args.len() == n {
            true => Ok(()),
            false => Err(head.error(&format!(
                "`{op}` takes {n} operands, and this is {}",
                args.len()
            ))),
        };
        match op {
            "let" | "let*" => return self.bind(head, op == "let*", args, scope),
            "if" => {
                count(3)?;
                let p = self.condition(&args[0], scope)?;
                let (a, b) = (self.number(&args[1], scope)?, self.number(&args[2], scope)?);
                return Ok(self.add(Node::If(p, a, b)));
            }
            "!" => return self.annotated(head, args, scope),
            "not" => {
                count(1)?;
                let p = self.condition(&args[0], scope)?;
                return Ok(self.add(Node::Not(p)));
            }
            "and" | "or" => {
                let mut all = None;
                for a in args {
                    let p = self.condition(a, scope)?;
                    all = Some(match all {
                        None => p,
                        Some(q) if op == "and" => self.add(Node::And(q, p)),
                        Some(q) => self.add(Node::Or(q, p)),
                    });
                }
                return Ok(all.unwrap_or_else(|| self.add(Node::Truth(op == "and"))));
            }
            _ => {}
        }
        if let Some((_, why)) = REFUSED.iter().find(|r| r.0 == op) {
            return Err(head.error(&format!("`{op}`: {why}")));
        }
        let values: Vec<Id> = args
            .iter()
            .map(|a| self.number(a, scope))
            .collect::<Result<_, _>>()?;
        if let Some(comparison) = comparison(op) {
            return self.chain(head, comparison, &values);
        }
        let node = match (op, &values[..]) {
            ("-", [a]) => Node::Negate(*a),
            ("+", [a, b]) => Node::Add(*a, *b),
            ("-", [a, b]) => Node::Subtract(*a, *b),
            ("*", [a, b]) => Node::Multiply(*a, *b),
            ("/", [a, b]) => Node::Divide(*a, *b),
            ("fabs", [a]) => Node::Plain(Plain::Abs, vec![*a]),
            ("floor", [a]) => Node::Plain(Plain::Floor, vec![*a]),
            ("ceil", [a]) => Node::Plain(Plain::Ceil, vec![*a]),
            ("trunc", [a]) => Node::Plain(Plain::Trunc, vec![*a]),
            ("fma", [a, b, c]) => Node::Fma(*a, *b, *c),
            ("fmin", [_, _]) => Node::Plain(Plain::Min, values),
            ("fmax", [_, _]) => Node::Plain(Plain::Max, values),
            ("copysign", [_, _]) => Node::Plain(Plain::CopySign, values),
            ("cast", [a]) => Node::Cast(*a),
            ("fdim", [a, b]) => {
                let zero = self.add(Node::Number(Number::double(0.0)));
                let below = self.add(Node::Compare(Comparison::LessOrEqual, *a, *b));
                let apart = self.add(Node::Subtract(*a, *b));
                Node::If(below, zero, apart)
            }
            ("+" | "*" | "/" | "fmin" | "fmax" | "copysign" | "fdim", _) => {
                return Err(count(2).err().unwrap_or_default());
            }
            ("-" | "cast" | "fabs" | "floor" | "ceil" | "trunc", _) => {
                return Err(count(1).err().unwrap_or_default());
            }
            ("fma", _) => return Err(count(3).err().unwrap_or_default()),
            _ => {
                let known = Reference::by_name(op);
                let Ok(known) = known else {
                    let functions = REFERENCES.iter().chain(REFERENCES_OF_TWO).map(|r| r.name);
                    let others = ["fabs", "fma", "fmin", "fmax", "let", "if"];
                    let mut close = known.err().map_or(Vec::new(), |e| e.near);
                    if close.is_empty() {
                        close = near(op, functions.chain(others));
                    }
                    return Err(head.error(&unknown("operator", op, &close)));
                };
                count(known.function.arguments())?;
                Node::Call(known.name, values)
            }
        };
        Ok(self.add(node))
    }

    /// `(< a b c)`: compares each value with the next one; `!=` compares each with all others.
    fn chain(&mut self, head: &Sexpr, comparison: Comparison, values: &[Id]) -> Result<Id, String> {
        if values.len() < 2 {
            return Err(head.error("a comparison takes two or more operands"));
        }
        let mut all = None;
        for (i, a) in values.iter().enumerate() {
            let later = match comparison {
                Comparison::NotEqual => &values[i + 1..],
                _ => &values[i + 1..values.len().min(i + 2)],
            };
            for b in later {
                let p = self.tree.add(Node::Compare(comparison, *a, *b));
                all = Some(match all {
                    None => p,
                    Some(q) => self.tree.add(Node::And(q, p)),
                });
            }
        }
        all.ok_or_else(|| head.error("a comparison takes two or more operands"))
    }

    fn bind(
        &mut self,
        head: &Sexpr,
        sequential: bool,
        args: &[Sexpr],
        scope: &Scope,
    ) -> Result<Id, String> {
        let [bindings, body] = args else {
            return Err(head.error("it takes bindings and a body: (let ([a 1]) (+ a 1))"));
        };
        let mut inner = scope.clone();
        for b in bindings
            .list()
            .ok_or_else(|| bindings.error("the bindings stand in brackets"))?
        {
            let Some([name, value]) = b.list() else {
                return Err(b.error("a binding is [name value]"));
            };
            let name = name
                .atom()
                .ok_or_else(|| name.error("a binding is [name value]"))?;
            let of = if sequential { &inner } else { scope };
            let value = self.expr(value, of)?;
            inner.insert(name.into(), value);
        }
        self.expr(body, &inner)
    }

    /// `(! :precision binary32 body)`: the operations of the body are in that precision. Names keep the value that they have outside.
    fn annotated(&mut self, head: &Sexpr, args: &[Sexpr], scope: &Scope) -> Result<Id, String> {
        let [properties @ .., body] = args else {
            return Err(head.error("`!` takes properties and a body"));
        };
        let mut precision = self.precision;
        for pair in properties.chunks(2) {
            let [key, value] = pair else {
                return Err(
                    pair[0].error("`!` takes pairs of a property and its value, and a body")
                );
            };
            match (key.atom(), value.atom()) {
                (Some(":precision"), Some("binary64")) => precision = Precision::F64,
                (Some(":precision"), Some("binary32")) => precision = Precision::F32,
                (Some(":precision"), _) => {
                    return Err(value.error("the precisions are binary32 and binary64"));
                }
                (Some(":round"), round) if round != Some("nearestEven") => {
                    return Err(value.error("the rounding is nearestEven"));
                }
                _ => {}
            }
        }
        let outer = std::mem::replace(&mut self.precision, precision);
        let value = self.expr(body, scope);
        self.precision = outer;
        value
    }
}

fn unknown(what: &str, name: &str, close: &[&str]) -> String {
    match close.is_empty() {
        true => format!("there is no {what} `{name}`"),
        false => format!("there is no {what} `{name}`; near it: {}", close.join(", ")),
    }
}

/// The comparison with that name.
#[must_use]
pub fn comparison(op: &str) -> Option<Comparison> {
    Some(match op {
        "<" => Comparison::Less,
        "<=" => Comparison::LessOrEqual,
        ">" => Comparison::Greater,
        ">=" => Comparison::GreaterOrEqual,
        "==" => Comparison::Equal,
        "!=" => Comparison::NotEqual,
        _ => return None,
    })
}
