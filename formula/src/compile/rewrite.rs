//! Replaces expressions that lose words by functions and products that lose none.

use super::Compiler;
use crate::number::Number;
use crate::tree::{Id, Node, Tree};

impl Compiler {
    /// A function that loses no words, in place of an expression that does.
    pub(super) fn rewritten(&mut self, id: Id) -> Id {
        let exponent = |tree: &Tree, id: Id| match tree.node(id) {
            Node::Call("exp", args) => Some(args[0]),
            _ => None,
        };
        let other = match self.tree.node(id).clone() {
            Node::Subtract(a, b) => self.less_one(a, b),
            Node::Call("log", args) => self
                .beside_one(args[0])
                .map(|other| self.tree.add(Node::Call("log1p", vec![other]))),
            Node::Call("log1p", args) => exponent(&self.tree, args[0])
                .map(|x| self.tree.add(Node::Call("softplus", vec![x]))),
            _ => None,
        };
        match other {
            Some(other) if !self.defining => self.rewritten(other),
            _ => id,
        }
    }

    /// Replaces `e^a - 1` and `1 - e^a`, which lose the exponential's words near 0, by the function that loses none.
    fn less_one(&mut self, a: Id, b: Id) -> Option<Id> {
        let exponent = |tree: &Tree, id: Id| match tree.node(id) {
            Node::Call("exp", args) => Some(args[0]),
            _ => None,
        };
        if self.tree.is_whole(b, 1.0)
            && let Some(x) = exponent(&self.tree, a)
        {
            return Some(self.tree.add(Node::Call("expm1", vec![x])));
        }
        if self.tree.is_whole(a, 1.0)
            && let Some(x) = exponent(&self.tree, b)
        {
            let other = self.tree.add(Node::Call("expm1", vec![x]));
            return Some(self.tree.add(Node::Negate(other)));
        }
        None
    }

    /// The other operand of a sum with 1: `log(1 + a)` is `log1p(a)`.
    fn beside_one(&mut self, id: Id) -> Option<Id> {
        match *self.tree.node(id) {
            Node::Add(a, b) if self.tree.is_whole(a, 1.0) => Some(b),
            Node::Add(a, b) if self.tree.is_whole(b, 1.0) => Some(a),
            Node::Subtract(a, b) if self.tree.is_whole(a, 1.0) => {
                Some(self.tree.add(Node::Negate(b)))
            }
            _ => None,
        }
    }

    /// Products for a power.
    pub(super) fn powers(&mut self, a: Id, n: i32) -> Id {
        let one = self.tree.add(Node::Number(Number::double(1.0)));
        let mut square = a;
        let mut left = n.unsigned_abs();
        let mut product = None;
        while left > 0 {
            if left % 2 == 1 {
                product = Some(match product {
                    None => square,
                    Some(p) => self.tree.add(Node::Multiply(p, square)),
                });
            }
            left /= 2;
            if left > 0 {
                square = self.tree.add(Node::Multiply(square, square));
            }
        }
        let product = product.unwrap_or(one);
        match n < 0 {
            true => self.tree.add(Node::Divide(one, product)),
            false => product,
        }
    }
}
