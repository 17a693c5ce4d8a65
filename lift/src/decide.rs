//! Conditions of paths as binary decision diagrams over the masks of branches, and the selection among several paths as a tree.
//!
//! Diagrams are canonical: if every path reaches a block, the block's condition is *true*, whatever the paths look like. A tree over the
//! edges into a block ignores inputs that do not reach the block. So a diamond is one selection, wherever it is.

use std::collections::HashMap;
use std::rc::Rc;

use crate::graph::Id;

/// A condition.
pub type Cond = u32;

/// Never.
pub const NEVER: Cond = 0;
/// Always.
pub const ALWAYS: Cond = 1;

/// The choice of an edge.
#[derive(Debug, Clone, PartialEq)]
pub enum Choice {
    /// The edge with that number.
    Edge(usize),
    /// A selection by a mask: the choice if it is true, and the choice if it is false.
    By(Id, Rc<Choice>, Rc<Choice>),
}

/// The diagrams.
#[derive(Debug)]
pub struct Conditions {
    /// The variable, the diagram if it is true, and the diagram if it is false. The first two nodes are the constants.
    nodes: Vec<(u32, Cond, Cond)>,
    known: HashMap<(u32, Cond, Cond), Cond>,
    /// The mask of each variable, in the order of branches.
    masks: Vec<Id>,
    variables: HashMap<Id, u32>,
    memo: HashMap<(bool, Cond, Cond), Cond>,
}

impl Default for Conditions {
    fn default() -> Self {
        Conditions {
            nodes: vec![(u32::MAX, NEVER, NEVER), (u32::MAX, ALWAYS, ALWAYS)],
            known: HashMap::new(),
            masks: Vec::new(),
            variables: HashMap::new(),
            memo: HashMap::new(),
        }
    }
}

impl Conditions {
    fn node(&mut self, variable: u32, yes: Cond, no: Cond) -> Cond {
        if yes == no {
            return yes;
        }
        let next = self.nodes.len() as Cond;
        *self.known.entry((variable, yes, no)).or_insert_with(|| {
            self.nodes.push((variable, yes, no));
            next
        })
    }
    /// The condition that a mask is `value`.
    pub fn mask(&mut self, mask: Id, value: bool) -> Cond {
        let next = self.masks.len() as u32;
        let variable = *self.variables.entry(mask).or_insert_with(|| {
            self.masks.push(mask);
            next
        });
        match value {
            true => self.node(variable, ALWAYS, NEVER),
            false => self.node(variable, NEVER, ALWAYS),
        }
    }
    fn parts(&self, c: Cond, variable: u32) -> (Cond, Cond) {
        let (v, yes, no) = self.nodes[c as usize];
        if v == variable { (yes, no) } else { (c, c) }
    }
    fn join(&mut self, and: bool, a: Cond, b: Cond) -> Cond {
        let (neutral, ends) = if and {
            (ALWAYS, NEVER)
        } else {
            (NEVER, ALWAYS)
        };
        if a == ends || b == ends {
            return ends;
        }
        if a == neutral || a == b {
            return b;
        }
        if b == neutral {
            return a;
        }
        let key = (and, a.min(b), a.max(b));
        if let Some(&c) = self.memo.get(&key) {
            return c;
        }
        let variable = self.nodes[a as usize].0.min(self.nodes[b as usize].0);
        let ((ay, an), (by, bn)) = (self.parts(a, variable), self.parts(b, variable));
        let yes = self.join(and, ay, by);
        let no = self.join(and, an, bn);
        let c = self.node(variable, yes, no);
        self.memo.insert(key, c);
        c
    }
    /// The condition that both hold.
    pub fn and(&mut self, a: Cond, b: Cond) -> Cond {
        self.join(true, a, b)
    }
    /// The condition that at least one holds.
    pub fn or(&mut self, a: Cond, b: Cond) -> Cond {
        self.join(false, a, b)
    }

    /// The choice among edges with these mutually exclusive conditions, if one of the edges is taken.
    ///
    /// # Panics
    /// If no edge can be taken.
    #[must_use]
    pub fn choice(&self, edges: &[Cond]) -> Choice {
        let mut trees = Trees::default();
        let root = self
            .choose(edges.to_vec(), &mut trees)
            .expect("an edge is taken");
        (*trees.tree(root)).clone()
    }
    fn choose(&self, edges: Vec<Cond>, trees: &mut Trees) -> Option<usize> {
        if let Some(i) = edges.iter().position(|&c| c == ALWAYS) {
            return Some(trees.number(Node::Edge(i)));
        }
        if let Some(&known) = trees.memo.get(&edges) {
            return known;
        }
        let possible: Vec<usize> = (0..edges.len()).filter(|&i| edges[i] != NEVER).collect();
        let found = match possible[..] {
            [] => None,
            // Whatever its condition is: no other edge leads here.
            [one] => Some(trees.number(Node::Edge(one))),
            _ => {
                let variable = possible
                    .iter()
                    .map(|&i| self.nodes[edges[i] as usize].0)
                    .min()?;
                let (yes, no): (Vec<_>, Vec<_>) =
                    edges.iter().map(|&c| self.parts(c, variable)).unzip();
                match (self.choose(yes, trees), self.choose(no, trees)) {
                    (None, other) | (other, None) => other,
                    (Some(a), Some(b)) if a == b => Some(a),
                    (Some(a), Some(b)) => {
                        let mask = self.masks[variable as usize];
                        Some(trees.number(Node::By(mask, a, b)))
                    }
                }
            }
        };
        trees.memo.insert(edges, found);
        found
    }
}

/// A node of a tree; its parts are named by number.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
enum Node {
    Edge(usize),
    By(Id, usize, usize),
}

/// Trees that share their parts: equal trees have one number. Otherwise, comparing two trees that loops have built would take exponential
/// time.
#[derive(Debug, Default)]
struct Trees {
    nodes: Vec<Node>,
    known: HashMap<Node, usize>,
    memo: HashMap<Vec<Cond>, Option<usize>>,
}

impl Trees {
    fn number(&mut self, node: Node) -> usize {
        let next = self.nodes.len();
        *self.known.entry(node).or_insert_with(|| {
            self.nodes.push(node);
            next
        })
    }
    fn tree(&self, root: usize) -> Rc<Choice> {
        let mut made: Vec<Rc<Choice>> = Vec::new();
        // Parts come before what has them.
        for node in &self.nodes[..=root] {
            made.push(Rc::new(match *node {
                Node::Edge(i) => Choice::Edge(i),
                Node::By(mask, a, b) => Choice::By(mask, made[a].clone(), made[b].clone()),
            }));
        }
        made[root].clone()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_every_path_reaches_is_always_reached() {
        let mut c = Conditions::default();
        let (a, na) = (c.mask(10, true), c.mask(10, false));
        let (b, nb) = (c.mask(11, true), c.mask(11, false));
        let (x, y) = (c.and(a, b), c.and(a, nb));
        let inner = c.or(x, y);
        assert_eq!(inner, a);
        assert_eq!(c.or(inner, na), ALWAYS);
    }

    #[test]
    fn a_diamond_below_a_branch_is_one_selection() {
        let mut c = Conditions::default();
        let a = c.mask(10, true);
        let (b, nb) = (c.mask(11, true), c.mask(11, false));
        let edges = [c.and(a, b), c.and(a, nb)];
        let (yes, no) = (Rc::new(Choice::Edge(0)), Rc::new(Choice::Edge(1)));
        assert_eq!(c.choice(&edges), Choice::By(11, yes, no));
    }

    #[test]
    fn early_returns_are_a_chain() {
        let mut c = Conditions::default();
        let (a, na) = (c.mask(10, true), c.mask(10, false));
        let (b, nb) = (c.mask(11, true), c.mask(11, false));
        let edges = [a, c.and(na, b), c.and(na, nb)];
        let rest = Choice::By(11, Rc::new(Choice::Edge(1)), Rc::new(Choice::Edge(2)));
        assert_eq!(
            c.choice(&edges),
            Choice::By(10, Rc::new(Choice::Edge(0)), Rc::new(rest))
        );
    }
}
