//! Lane operations as a graph without duplicates. The interpreter folds operations on constants, so folding follows the language's own
//! semantics. Integers and masks are simplified by identities that hold for all bits. Floats are not simplified.

use std::collections::HashMap;
use std::rc::Rc;

use kernels_gen::check::result_prim;
use kernels_gen::interp::Bits;
use kernels_gen::ops::{Op, Prim};

/// A node's number.
pub type Id = u32;

/// The kind of a node.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Kind {
    /// Parameter of the kernel.
    Param(u32),
    /// A constant's bits.
    Const(u64),
    /// An operation.
    Op(Op),
    /// An entry of a table.
    Load(u32),
    /// A result of a called function: the function's number, and which of its results it is.
    Call(u32, u32),
}

/// A node.
#[derive(Debug, Clone)]
pub struct Node {
    /// Its kind.
    pub kind: Kind,
    /// Its operands.
    pub args: Vec<Id>,
    /// Its type.
    pub ty: Prim,
    /// The source line for which it was first made, or 0.
    pub line: u32,
    /// The source variable with this value.
    pub name: Option<Rc<str>>,
}

/// A table: its name and its entries' bits.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Table {
    /// Its name in the source.
    pub name: String,
    /// Type of an entry.
    pub ty: Prim,
    /// The entries.
    pub bits: Vec<u64>,
}

/// The graph.
#[derive(Debug, Default)]
pub struct Graph {
    nodes: Vec<Node>,
    known: HashMap<(Kind, Vec<Id>, Prim), Id>,
    /// Tables, each once.
    pub tables: Vec<Table>,
    /// The line for which nodes are made.
    pub line: u32,
}

/// The number of bits of a type of lanes.
#[must_use]
pub fn width(ty: Prim) -> u32 {
    match ty {
        Prim::F64 | Prim::I64 => 64,
        Prim::F32 | Prim::I32 => 32,
        Prim::Mask => 1,
    }
}

fn ones(ty: Prim) -> u64 {
    u64::MAX >> (64 - width(ty))
}

/// A constant's bits as a signed number.
#[must_use]
pub fn signed(ty: Prim, bits: u64) -> i64 {
    match ty {
        Prim::I32 => i64::from(bits as u32 as i32),
        _ => bits as i64,
    }
}

impl Graph {
    /// The node with a number.
    #[must_use]
    pub fn node(&self, id: Id) -> &Node {
        &self.nodes[id as usize]
    }
    /// Type of a node.
    #[must_use]
    pub fn ty(&self, id: Id) -> Prim {
        self.node(id).ty
    }
    /// The bits of a constant.
    #[must_use]
    pub fn constant_bits(&self, id: Id) -> Option<u64> {
        match self.node(id).kind {
            Kind::Const(bits) => Some(bits),
            _ => None,
        }
    }
    /// A constant integer or mask as a number.
    #[must_use]
    pub fn integer(&self, id: Id) -> Option<i64> {
        self.constant_bits(id).map(|b| signed(self.ty(id), b))
    }
    /// Gives a name to a node that has no name yet.
    pub fn name(&mut self, id: Id, name: &str) {
        let node = &mut self.nodes[id as usize];
        if node.name.is_none() && !matches!(node.kind, Kind::Const(_)) {
            node.name = Some(name.into());
        }
    }

    fn push(&mut self, kind: Kind, args: Vec<Id>, ty: Prim) -> Id {
        let key = (kind, args, ty);
        if let Some(&id) = self.known.get(&key) {
            return id;
        }
        let id = self.nodes.len() as Id;
        self.nodes.push(Node {
            kind,
            args: key.1.clone(),
            ty,
            line: self.line,
            name: None,
        });
        self.known.insert(key, id);
        id
    }
    /// A parameter.
    pub fn param(&mut self, n: u32, ty: Prim) -> Id {
        self.push(Kind::Param(n), vec![], ty)
    }
    /// A constant with those bits.
    pub fn bits(&mut self, ty: Prim, bits: u64) -> Id {
        self.push(Kind::Const(bits & ones(ty)), vec![], ty)
    }
    /// A constant integer.
    pub fn int(&mut self, ty: Prim, value: i64) -> Id {
        self.bits(ty, value as u64)
    }
    /// A constant mask.
    pub fn mask(&mut self, value: bool) -> Id {
        self.bits(Prim::Mask, u64::from(value))
    }
    /// An entry of a table.
    pub fn load(&mut self, table: Table, index: Id) -> Id {
        let ty = table.ty;
        if let Some(i) = self.integer(index)
            && let Some(&bits) = usize::try_from(i).ok().and_then(|i| table.bits.get(i))
        {
            return self.bits(ty, bits);
        }
        let n = match self.tables.iter().position(|t| *t == table) {
            Some(n) => n,
            None => {
                self.tables.push(table);
                self.tables.len() - 1
            }
        };
        self.push(Kind::Load(n as u32), vec![index], ty)
    }

    /// A result of a called function.
    pub fn call(&mut self, function: u32, result: u32, args: &[Id], ty: Prim) -> Id {
        self.push(Kind::Call(function, result), args.to_vec(), ty)
    }
    /// The node of a result of a called function, if there is one.
    #[must_use]
    pub fn known_call(&self, function: u32, result: u32, args: &[Id], ty: Prim) -> Option<Id> {
        let key = (Kind::Call(function, result), args.to_vec(), ty);
        self.known.get(&key).copied()
    }

    /// An operation.
    ///
    /// # Panics
    /// If the language has no such operation on operands of these types.
    pub fn op(&mut self, op: Op, args: &[Id]) -> Id {
        let prims: Vec<Prim> = args.iter().map(|&a| self.ty(a)).collect();
        let ty = result_prim(op, &prims).unwrap_or_else(|| panic!("no {op:?} on {prims:?}"));
        let constants: Option<Vec<u64>> = args.iter().map(|&a| self.constant_bits(a)).collect();
        if let Some(constants) = constants {
            let words: Vec<&u64> = constants.iter().collect();
            let bits = Bits.op(op, &prims, &words);
            return self.bits(ty, bits);
        }
        if let Some(id) = self.simple(op, args, ty) {
            return id;
        }
        self.push(Kind::Op(op), args.to_vec(), ty)
    }

    /// Another operation with the same result for all bits, if there is one.
    fn simple(&mut self, op: Op, args: &[Id], ty: Prim) -> Option<Id> {
        let on = self.ty(args[usize::from(op == Op::Select)]);
        if op == Op::Select {
            return self.selection(args[0], args[1], args[2]);
        }
        if on == Prim::Mask {
            return self.masks(op, args);
        }
        let of = |g: &Graph, id: Id, op: Op| {
            let node = g.node(id);
            (node.kind == Kind::Op(op)).then(|| node.args.clone())
        };
        match op {
            // NaNs apart, whose bits a kernel does not show.
            Op::ToBits => return of(self, args[0], Op::FromBits).map(|a| a[0]),
            Op::FromBits => return of(self, args[0], Op::ToBits).map(|a| a[0]),
            Op::ToI32 if on == Prim::I64 => {
                if let Some(a) = of(self, args[0], Op::ToI64)
                    && self.ty(a[0]) == Prim::I32
                {
                    return Some(a[0]);
                }
                if let Some(a) = of(self, args[0], Op::And)
                    && let Some(m) = self.constant_bits(a[1])
                {
                    let low = self.op(Op::ToI32, &[a[0]]);
                    let m = self.bits(Prim::I32, m);
                    return Some(self.op(Op::And, &[low, m]));
                }
            }
            // Integers and back: every 32-bit integer is a double.
            Op::ToI32 | Op::ToI64 if on == Prim::F64 => {
                if let Some(a) = of(self, args[0], Op::ToF64)
                    && self.ty(a[0]) == Prim::I32
                {
                    return Some(match ty {
                        Prim::I32 => a[0],
                        _ => self.op(Op::ToI64, &[a[0]]),
                    });
                }
            }
            _ => {}
        }
        if !on.is_int() || args.len() != 2 {
            return None;
        }
        let (mut a, mut b) = (args[0], args[1]);
        let commutes = matches!(
            op,
            Op::Add | Op::Mul | Op::And | Op::Or | Op::Xor | Op::Eq | Op::Ne
        );
        if commutes && self.constant_bits(a).is_some() {
            (a, b) = (b, a);
        }
        let k = self.constant_bits(b);
        match (op, k) {
            (
                Op::Add | Op::Sub | Op::Or | Op::Xor | Op::Shl | Op::Shr | Op::ShrLogical,
                Some(0),
            ) => return Some(a),
            (Op::Mul, Some(1)) => return Some(a),
            (Op::Mul | Op::And, Some(0)) => return Some(b),
            (Op::And, Some(m)) if m == ones(on) => return Some(a),
            (Op::And | Op::Or, _) if a == b => return Some(a),
            (Op::Sub | Op::Xor, _) if a == b => return Some(self.bits(on, 0)),
            (Op::Eq | Op::Le | Op::Ge, _) if a == b => return Some(self.mask(true)),
            (Op::Ne | Op::Lt | Op::Gt, _) if a == b => return Some(self.mask(false)),
            _ => {}
        }
        if let Some(k) = k {
            // All bits that the mask takes away are zero already.
            if op == Op::And && self.possible(a, 8) & !k == 0 {
                return Some(a);
            }
            let inner = self.node(a).clone();
            let nested = |g: &Graph| g.constant_bits(*inner.args.get(1)?);
            match (op, inner.kind, nested(self)) {
                (Op::And, Kind::Op(Op::And), Some(m)) => {
                    let m = self.bits(on, m & k);
                    return Some(self.op(Op::And, &[inner.args[0], m]));
                }
                (Op::Add, Kind::Op(Op::Add), Some(m)) => {
                    let m = self.bits(on, m.wrapping_add(k));
                    return Some(self.op(Op::Add, &[inner.args[0], m]));
                }
                (Op::Sub, _, _) => {
                    let m = self.bits(on, k.wrapping_neg());
                    return Some(self.op(Op::Add, &[a, m]));
                }
                (Op::ShrLogical, Kind::Op(Op::ShrLogical), Some(m))
                | (Op::Shl, Kind::Op(Op::Shl), Some(m))
                    if m + k < u64::from(width(on)) =>
                {
                    let m = self.bits(on, m + k);
                    return Some(self.op(op, &[inner.args[0], m]));
                }
                (Op::Eq | Op::Ne, Kind::Op(Op::Select), _) => {
                    if let (Some(x), Some(y)) = (
                        self.constant_bits(inner.args[1]),
                        self.constant_bits(inner.args[2]),
                    ) {
                        let eq = op == Op::Eq;
                        let (x, y) = (self.mask((x == k) == eq), self.mask((y == k) == eq));
                        return Some(self.op_select(inner.args[0], x, y));
                    }
                }
                _ => {}
            }
        }
        ((a, b) != (args[0], args[1])).then(|| self.push(Kind::Op(op), vec![a, b], ty))
    }

    fn masks(&mut self, op: Op, args: &[Id]) -> Option<Id> {
        if op == Op::Not {
            let node = self.node(args[0]).clone();
            let complement = match node.kind {
                Kind::Op(Op::Not) => return Some(node.args[0]),
                // Of floats only these two: the others are all false on a NaN.
                Kind::Op(Op::Eq) => Op::Ne,
                Kind::Op(Op::Ne) => Op::Eq,
                Kind::Op(c) if self.ty(*node.args.first()?).is_int() => match c {
                    Op::Lt => Op::Ge,
                    Op::Ge => Op::Lt,
                    Op::Gt => Op::Le,
                    Op::Le => Op::Gt,
                    _ => return None,
                },
                _ => return None,
            };
            return Some(self.op(complement, &node.args));
        }
        let (a, b) = (args[0], *args.get(1)?);
        let (x, y) = (self.constant_bits(a), self.constant_bits(b));
        match (op, x, y) {
            (Op::And, Some(1), _) | (Op::Or | Op::Xor, Some(0), _) => Some(b),
            (Op::And, _, Some(1)) | (Op::Or | Op::Xor, _, Some(0)) => Some(a),
            (Op::And, Some(0), _) | (Op::Or, Some(1), _) => Some(a),
            (Op::And, _, Some(0)) | (Op::Or, _, Some(1)) => Some(b),
            (Op::Xor, Some(1), _) => Some(self.op(Op::Not, &[b])),
            (Op::Xor, _, Some(1)) => Some(self.op(Op::Not, &[a])),
            (Op::And | Op::Or, ..) if a == b => Some(a),
            _ => None,
        }
    }

    fn selection(&mut self, c: Id, a: Id, b: Id) -> Option<Id> {
        if a == b {
            return Some(a);
        }
        if let Some(c) = self.constant_bits(c) {
            return Some(if c == 1 { a } else { b });
        }
        let node = self.node(c);
        if node.kind == Kind::Op(Op::Not) {
            let c = node.args[0];
            return Some(self.op(Op::Select, &[c, b, a]));
        }
        None
    }

    /// `c ? a : b`, also for masks.
    pub fn op_select(&mut self, c: Id, a: Id, b: Id) -> Id {
        if self.ty(a) != Prim::Mask {
            return self.op(Op::Select, &[c, a, b]);
        }
        if a == b {
            return a;
        }
        let yes = self.op(Op::And, &[c, a]);
        let not = self.op(Op::Not, &[c]);
        match (self.constant_bits(a), self.constant_bits(b)) {
            (Some(1), _) => return self.op(Op::Or, &[c, b]),
            (_, Some(0)) => return yes,
            (_, Some(1)) => return self.op(Op::Or, &[not, a]),
            _ => {}
        }
        let no = self.op(Op::And, &[not, b]);
        self.op(Op::Or, &[yes, no])
    }

    /// The bits of an integer that may be one. The search has a limited depth.
    #[must_use]
    pub fn possible(&self, id: Id, depth: u32) -> u64 {
        let node = self.node(id);
        let all = ones(node.ty);
        if depth == 0 {
            return all;
        }
        let of = |i: usize| self.possible(node.args[i], depth - 1);
        let amount = || {
            let k = self.constant_bits(*node.args.get(1)?)?;
            Some((k % u64::from(width(node.ty))) as u32)
        };
        match node.kind {
            Kind::Const(bits) => bits,
            Kind::Load(t) => self.tables[t as usize].bits.iter().fold(0, |m, b| m | b),
            Kind::Op(Op::And) => of(0) & of(1),
            Kind::Op(Op::Or | Op::Xor) => of(0) | of(1),
            Kind::Op(Op::Select) => of(1) | of(2),
            Kind::Op(Op::ShrLogical) => amount().map_or(all, |k| of(0) >> k),
            Kind::Op(Op::Shl) => amount().map_or(all, |k| (of(0) << k) & all),
            Kind::Op(Op::ToI32) if self.ty(node.args[0]) == Prim::I64 => of(0) & all,
            Kind::Op(Op::ToI64) if self.ty(node.args[0]) == Prim::I32 && of(0) >> 31 == 0 => of(0),
            Kind::Op(Op::Add) => {
                let most = of(0).checked_add(of(1)).filter(|&m| m <= all);
                most.map_or(all, |m| u64::MAX >> m.leading_zeros().min(63))
            }
            _ => all,
        }
    }
    /// Whether an integer is certainly not negative.
    #[must_use]
    pub fn not_negative(&self, id: Id) -> bool {
        self.possible(id, 8) >> (width(self.ty(id)) - 1) == 0
    }
}

impl Graph {
    /// The number of nodes.
    #[must_use]
    pub fn len(&self) -> usize {
        self.nodes.len()
    }
    /// The number of uses of each node by the nodes that the results need.
    #[must_use]
    pub fn uses(&self, results: &[Id]) -> Vec<usize> {
        let mut uses = vec![0; self.len()];
        for &r in results {
            uses[r as usize] += 1;
        }
        for id in (0..self.len()).rev() {
            if uses[id] > 0 {
                for &a in &self.node(id as Id).args {
                    uses[a as usize] += 1;
                }
            }
        }
        uses
    }
    /// Whether there is no node.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }
    /// This mask or its complement, chosen so that both give the same one, and whether it is this mask.
    pub fn positive(&mut self, mask: Id) -> (Id, bool) {
        let node = self.node(mask).clone();
        let other = match node.kind {
            Kind::Op(Op::Not) => return (node.args[0], false),
            Kind::Op(Op::Ne) => Op::Eq,
            Kind::Op(op @ (Op::Ge | Op::Le)) if self.ty(node.args[0]).is_int() => match op {
                Op::Ge => Op::Lt,
                _ => Op::Gt,
            },
            _ => return (mask, true),
        };
        (self.op(other, &node.args), false)
    }
    /// Changes nodes in place, so tests can check that wrong graphs are detected.
    #[doc(hidden)]
    pub fn alter(&mut self, mut change: impl FnMut(&mut Node)) {
        self.nodes.iter_mut().for_each(&mut change);
    }
}
