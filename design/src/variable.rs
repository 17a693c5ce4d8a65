//! The variable of a polynomial, as a formula of `x`: `x*x`, `1/x`, `(x - 4)/(x + 4)`.
//!
//! Formulas are those of the crate `dc_formula`. Variables have only the functions that a kernel computes in one operation: `sqrt` and
//! `abs`.

use std::fmt;
use std::sync::Arc;

use dc_formula::infix;
use dc_formula::tree::{Id, Node, Plain, Tree};
use kernels_gen::syntax::Expr;

use crate::build::{Builder, add, div, mul, neg, same, sub};
use crate::dd::Dd;

/// The largest power in a variable.
const POWER: i32 = 16;

/// A variable.
#[derive(Clone)]
pub struct Variable {
    text: String,
    tree: Arc<Tree>,
    root: Id,
}

impl fmt::Debug for Variable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

/// Variables are equal if their texts are equal.
impl PartialEq for Variable {
    fn eq(&self, other: &Variable) -> bool {
        self.text == other.text
    }
}

impl Variable {
    /// Parses a variable.
    ///
    /// # Errors
    /// If it is not a formula of `x`, or has a function or a power that variables do not have. The error has the text and the remedy.
    pub fn parse(text: &str) -> Result<Variable, String> {
        let text = text.trim();
        let mut tree = Tree::default();
        let x = tree.add(Node::Variable(0));
        let root = infix::parse(text, &[("x", x)], &mut tree)
            .map_err(|e| format!("`{text}`, {e}; write a formula of x, such as `x*x` or `1/x`"))?;
        let variable = Variable {
            text: text.into(),
            tree: Arc::new(tree),
            root,
        };
        match variable.uses_x(root) {
            Err(what) => Err(format!(
                "`{text}` has {what}, and a variable is made of +, -, *, /, powers up to {POWER}, sqrt, abs, numbers and x"
            )),
            Ok(false) => Err(format!(
                "`{text}` is the same for every x: write a formula of x, such as `x*x` or `1/x`"
            )),
            Ok(true) => Ok(variable),
        }
    }

    /// The formula as written.
    #[must_use]
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Whether a part contains the variable `x`. Gives an error if the part has something that variables do not have.
    fn uses_x(&self, id: Id) -> Result<bool, String> {
        let each = |ids: &[Id]| ids.iter().try_fold(false, |u, &a| Ok(u | self.uses_x(a)?));
        match self.tree.node(id) {
            Node::Variable(_) => Ok(true),
            Node::Number(_) => Ok(false),
            Node::Negate(a) => self.uses_x(*a),
            Node::Plain(Plain::Abs, args) => each(args),
            Node::Add(a, b) | Node::Subtract(a, b) | Node::Multiply(a, b) | Node::Divide(a, b) => {
                each(&[*a, *b])
            }
            Node::Power(a, n) if (1..=POWER).contains(&n.abs()) => self.uses_x(*a),
            Node::Power(_, n) => Err(format!("the power {n}")),
            Node::Call("sqrt", args) => each(args),
            Node::Call(name, _) => Err(format!("the function `{name}`")),
            _ => Err("another function".into()),
        }
    }

    /// Its value in two words.
    #[must_use]
    pub fn at(&self, x: Dd) -> Dd {
        self.value(self.root, x)
    }

    fn value(&self, id: Id, x: Dd) -> Dd {
        let at = |id: Id| self.value(id, x);
        match self.tree.node(id) {
            Node::Variable(_) => x,
            Node::Number(n) => Dd::of(n.hi, n.lo),
            Node::Negate(a) => -at(*a),
            Node::Add(a, b) => at(*a) + at(*b),
            Node::Subtract(a, b) => at(*a) - at(*b),
            Node::Multiply(a, b) => at(*a) * at(*b),
            Node::Divide(a, b) => at(*a) / at(*b),
            Node::Power(a, n) => {
                let power = at(*a).powi(n.unsigned_abs());
                match *n < 0 {
                    true => Dd::ONE / power,
                    false => power,
                }
            }
            Node::Plain(Plain::Abs, args) => at(args[0]).abs(),
            Node::Call(_, args) => {
                let a = at(args[0]);
                // Newton's step would divide by 0.
                if a.hi == 0.0 { Dd::ZERO } else { a.sqrt() }
            }
            _ => Dd::from(f64::NAN),
        }
    }

    /// The first of these inputs at which the variable has no finite value.
    #[must_use]
    pub fn undefined(&self, xs: &[f64]) -> Option<f64> {
        let is = |x: &f64| !self.at(Dd::from(*x)).hi.is_finite();
        xs.iter().copied().find(is)
    }

    /// The divisors in the variable.
    fn divisors(&self, id: Id, all: &mut Vec<Id>) {
        match self.tree.node(id) {
            Node::Divide(a, b) => {
                all.push(*b);
                self.divisors(*a, all);
                self.divisors(*b, all);
            }
            Node::Add(a, b) | Node::Subtract(a, b) | Node::Multiply(a, b) => {
                self.divisors(*a, all);
                self.divisors(*b, all);
            }
            Node::Power(a, n) => {
                if *n < 0 {
                    all.push(*a);
                }
                self.divisors(*a, all);
            }
            Node::Negate(a) => self.divisors(*a, all),
            Node::Plain(_, args) | Node::Call(_, args) => {
                args.iter().for_each(|a| self.divisors(*a, all));
            }
            _ => (),
        }
    }

    /// The first zero of a divisor at these ascending inputs, or between two of them where `inside` is true.
    #[must_use]
    pub fn pole(&self, xs: &[f64], inside: &dyn Fn(f64) -> bool) -> Option<f64> {
        let mut all = Vec::new();
        self.divisors(self.root, &mut all);
        let first = |&id: &Id| {
            let at = |x: f64| self.value(id, Dd::from(x)).hi;
            if let Some(&x) = xs.iter().find(|x| at(**x) == 0.0) {
                return Some(x);
            }
            let between = |pair: &[f64]| {
                let (mut low, mut high) = (pair[0], pair[1]);
                if (at(low) < 0.0) == (at(high) < 0.0) {
                    return None;
                }
                for _ in 0..200 {
                    let middle = 0.5 * (low + high);
                    match (at(middle) < 0.0) == (at(low) < 0.0) {
                        true => low = middle,
                        false => high = middle,
                    }
                }
                Some(high).filter(|&x| inside(x))
            };
            xs.windows(2).find_map(between)
        };
        all.iter().filter_map(first).min_by(f64::total_cmp)
    }

    /// The statements that compute it in a kernel.
    pub fn build(&self, b: &mut Builder, x: &Expr) -> Expr {
        let u = self.expression(self.root, b, x);
        b.bind("u", u)
    }

    fn expression(&self, id: Id, b: &mut Builder, x: &Expr) -> Expr {
        let mut at = |id: &Id| self.operand(*id, b, x);
        match self.tree.node(id) {
            Node::Negate(a) => neg(at(a)),
            Node::Add(a, c) => {
                let (a, c) = (at(a), at(c));
                add(a, c)
            }
            Node::Subtract(a, c) => {
                let (a, c) = (at(a), at(c));
                sub(a, c)
            }
            Node::Multiply(a, c) => {
                let (a, c) = (at(a), at(c));
                mul(a, c)
            }
            Node::Divide(a, c) => {
                let (a, c) = (at(a), at(c));
                div(a, c)
            }
            Node::Power(a, n) => {
                let a = at(a);
                let power = power(b, &a, n.unsigned_abs());
                match *n < 0 {
                    true => same("recip", power, vec![]),
                    false => power,
                }
            }
            Node::Plain(_, args) => same("abs", at(&args[0]), vec![]),
            Node::Call(_, args) => same("sqrt", at(&args[0]), vec![]),
            _ => at(&id),
        }
    }

    /// A part, as a number, the input or a local.
    fn operand(&self, id: Id, b: &mut Builder, x: &Expr) -> Expr {
        match self.tree.node(id) {
            Node::Variable(_) => x.clone(),
            // By its place in the formula, as two of them are two constants.
            Node::Number(n) => b.number(&format!("U{id}"), n.hi),
            _ => {
                let part = self.expression(id, b, x);
                b.bind("u", part)
            }
        }
    }
}

/// `a^n` by squares.
fn power(b: &mut Builder, a: &Expr, n: u32) -> Expr {
    if n == 1 {
        return a.clone();
    }
    let half = power(b, a, n / 2);
    let half = b.bind("u", half);
    let square = mul(half.clone(), half);
    match n % 2 {
        0 => square,
        _ => {
            let square = b.bind("u", square);
            mul(square, a.clone())
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_variable_has_the_value_of_its_formula_in_two_words() {
        for (text, x, value) in [
            ("x*x", 3.0, Dd::from(9.0)),
            ("1/x", 3.0, Dd::ONE / Dd::from(3.0)),
            ("sqrt(1 - x)", -1.0, Dd::from(2.0).sqrt()),
            ("sqrt(1 - x)", 1.0, Dd::ZERO),
            ("(x - 4)/(x + 4)", 1.0, Dd::from(-3.0) / Dd::from(5.0)),
            ("abs(x)^-3", -2.0, Dd::from(0.125)),
            ("0.1*x", 1.0, Dd::ONE / Dd::from(10.0)),
        ] {
            let u = Variable::parse(text).expect(text);
            let off = u.at(Dd::from(x)) - value;
            assert!(off.hi.abs() <= 1e-31, "{text}: {off:?}");
        }
    }

    #[test]
    fn what_is_no_variable_is_refused_with_a_remedy() {
        for (text, says) in [
            ("", "`x*x`"),
            ("2 + 3", "the same for every x"),
            ("exp(x)", "the function `exp`"),
            ("floor(x)", "another function"),
            ("x^17", "the power 17"),
            ("x^0", "the power 0"),
            ("y", "there is no `y`"),
            ("x +", "column 4"),
        ] {
            let error = Variable::parse(text).expect_err(text);
            assert!(error.contains(says), "{text}: {error}");
        }
    }

    #[test]
    fn a_pole_and_a_root_of_a_negative_number_are_undefined() {
        let xs = [-2.0, -1.0, 0.0, 0.5, 2.0];
        let at = |text| Variable::parse(text).expect(text).undefined(&xs);
        assert_eq!(at("1/x"), Some(0.0));
        assert_eq!(at("sqrt(1 - x)"), Some(2.0));
        assert_eq!(at("sqrt(x + 1)"), Some(-2.0));
        assert_eq!(at("x*x"), None);
        let pole = |text, xs: &[f64], inside: &dyn Fn(f64) -> bool| {
            Variable::parse(text).expect(text).pole(xs, inside)
        };
        let all = |_: f64| true;
        assert_eq!(pole("1/x", &[-1.0, 1.0], &all), Some(0.0));
        assert_eq!(pole("x^-3", &[-2.0, 0.0, 1.0], &all), Some(0.0));
        let third = pole("sqrt(1/(3*x - 1) + 7)", &[-1.0, 1.0], &all);
        assert!(
            third.is_some_and(|x| (x - 1.0 / 3.0).abs() < 1e-15),
            "{third:?}"
        );
        // The range has a gap there.
        assert_eq!(
            pole("1/x", &[-1.0, -0.5, 0.5, 1.0], &|x| x.abs() >= 0.5),
            None
        );
        assert_eq!(pole("x*x - 1", &[-2.0, 0.0, 2.0], &all), None);
    }
}
