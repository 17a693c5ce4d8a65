//! The result of an execution: a function's operations, and those of the functions that it calls.

use std::collections::{BTreeSet, HashSet};

use kernels_gen::ops::Prim;

use crate::graph::{Graph, Id, Kind};
use crate::ir::{Name, Type};

/// The largest number of operations of a function that is called once and does not become a kernel of its own.
const LARGE: usize = 24;

/// A function as operations.
#[derive(Debug)]
pub struct Body {
    /// The operations.
    pub graph: Graph,
    /// Parameters: name and type.
    pub params: Vec<(String, Prim)>,
    /// Results: the function's own results, then the values that it stored through each pointer, in the order of parameters and offsets.
    pub results: Vec<Id>,
    /// File and line of the function's head, if it has debug information.
    pub place: Option<(String, u32)>,
}

/// A called function that is a kernel of its own.
#[derive(Debug)]
pub struct Helper {
    /// Its symbol.
    pub symbol: Name,
    /// Its operations. Parameters that no result needs are left out.
    pub body: Body,
    pub(super) module: usize,
}

/// A lifted function.
#[derive(Debug)]
pub struct Lifted {
    /// Its operations.
    pub body: Body,
    /// The functions that it calls, callees first; [`Kind::Call`] has their numbers.
    pub helpers: Vec<Helper>,
    /// The meaning of the results, for the kernel's documentation and for the comparison with the original.
    pub shape: Shape,
    /// Assumptions and omissions.
    pub notes: BTreeSet<String>,
}

/// The original's signature.
#[derive(Debug, Clone)]
pub struct Shape {
    /// Its parameters.
    pub params: Vec<Type>,
    /// Its return type.
    pub ret: Type,
    /// For each stored result: the parameter, the offset in bytes, and the type of its lanes.
    pub stored: Vec<(usize, i64, Prim)>,
}

impl Body {
    /// Removes parameters that no result needs. Returns which ones are kept.
    pub(super) fn drop_parameters(&mut self) -> Vec<bool> {
        let uses = self.graph.uses(&self.results);
        let mut used = vec![false; self.params.len()];
        for id in 0..self.graph.len() as Id {
            if let Kind::Param(n) = self.graph.node(id).kind {
                used[n as usize] = uses[id as usize] > 0;
            }
        }
        let mut next = 0;
        let numbers: Vec<u32> = used
            .iter()
            .map(|&u| {
                next += u32::from(u);
                next.saturating_sub(1)
            })
            .collect();
        self.graph.alter(|n| {
            if let Kind::Param(old) = n.kind {
                n.kind = match used[old as usize] {
                    true => Kind::Param(numbers[old as usize]),
                    // Nothing refers to it.
                    false => Kind::Const(0),
                };
            }
        });
        let mut keep = used.iter();
        self.params.retain(|_| keep.next() == Some(&true));
        used
    }
}

impl Body {
    /// The calls that contribute to the body's results, each with its arguments.
    pub(crate) fn calls(&self) -> BTreeSet<(u32, Vec<Id>)> {
        let uses = self.graph.uses(&self.results);
        let nodes = (0..self.graph.len() as Id).filter(|&id| uses[id as usize] > 0);
        let call = |id: Id| match self.graph.node(id).kind {
            Kind::Call(helper, _) => Some((helper, self.graph.node(id).args.clone())),
            _ => None,
        };
        nodes.filter_map(call).collect()
    }

    /// The number of operations that contribute to the body's results, without those of called functions.
    pub(crate) fn operations(&self) -> usize {
        let uses = self.graph.uses(&self.results);
        let counts = |id: Id| matches!(self.graph.node(id).kind, Kind::Op(_) | Kind::Load(_));
        (0..self.graph.len() as Id)
            .filter(|&id| uses[id as usize] > 0 && counts(id))
            .count()
    }
}

impl Lifted {
    /// The functions that a reader expects as kernels: those that are large, and those with at least two operations that are called more
    /// than once.
    pub(super) fn worth(&self) -> HashSet<(usize, Name)> {
        let mut calls = vec![0; self.helpers.len()];
        for body in self.reached() {
            for (helper, _) in body.calls() {
                calls[helper as usize] += 1;
            }
        }
        let worth = |(i, h): (usize, &Helper)| {
            let size = h.body.operations();
            let kept = size > LARGE || (calls[i] > 1 && size > 1);
            kept.then(|| (h.module, h.symbol.clone()))
        };
        self.helpers.iter().enumerate().filter_map(worth).collect()
    }

    /// The numbers of the functions that the body's results need, callees first.
    #[must_use]
    pub fn needed(&self) -> BTreeSet<u32> {
        let mut needed = BTreeSet::new();
        let mut bodies = vec![&self.body];
        while let Some(body) = bodies.pop() {
            for (helper, _) in body.calls() {
                if needed.insert(helper) {
                    bodies.push(&self.helpers[helper as usize].body);
                }
            }
        }
        needed
    }

    /// The bodies that the results need.
    fn reached(&self) -> impl Iterator<Item = &Body> {
        let helpers = self.needed().into_iter();
        let bodies = helpers.map(|h| &self.helpers[h as usize].body);
        std::iter::once(&self.body).chain(bodies)
    }

    /// The number of operations that contribute to the results. Those of a called function count at each call.
    #[must_use]
    pub fn operations(&self) -> usize {
        let mut sizes = vec![0; self.helpers.len()];
        let size = |body: &Body, sizes: &[usize]| {
            let called = body.calls().into_iter().map(|c| sizes[c.0 as usize]);
            body.operations() + called.sum::<usize>()
        };
        for (i, helper) in self.helpers.iter().enumerate() {
            sizes[i] = size(&helper.body, &sizes);
        }
        size(&self.body, &sizes)
    }
}
