//! Expressions of a wanted type.

use kernels_gen::ir::{BinOp, UnOp};
use kernels_gen::ops::{Op, Prim};

use super::function::{Function, GENERIC};
use super::{binary, method, methods_giving, operators_giving, unary};
use crate::ast::{Block, Callee, ConstValue, Expr, Kind, LIBRARY, Ty, lane, of_ir};

/// Operations that one of the library's kernels counts for.
const LIBRARY_COST: usize = 8;

fn is_directed(op: Op) -> bool {
    matches!(op, Op::Directed(..))
}

impl Function<'_> {
    /// Counts an operation.
    pub fn spend(&mut self) {
        self.budget -= self.factor as isize;
    }

    /// An expression whose type is known by itself: no literal.
    pub fn expr(&mut self, ty: &Ty, depth: usize) -> Expr {
        match ty {
            Ty::Lane(prim) => self.lane(*prim, depth),
            _ if self.g.random.chance(30) && !self.of_type(ty).is_empty() => {
                let locals = self.of_type(ty);
                let local = *self.g.random.pick(&locals);
                self.read(local)
            }
            Ty::Dd => self.double_double(depth),
            Ty::Tuple(items) => {
                if let Some(call) = self.call(ty, depth) {
                    return call;
                }
                if depth > 1 && self.g.random.chance(15) {
                    return self.choice(ty, depth - 1);
                }
                let items = items.iter().map(|t| self.expr(t, depth.saturating_sub(1)));
                Expr::new(ty.clone(), Kind::Tuple(items.collect()))
            }
            Ty::Index | Ty::Bool | Ty::Table(_) => self.index(1),
        }
    }

    fn double_double(&mut self, depth: usize) -> Expr {
        if self.budget > 0 && depth > 0 && self.g.random.chance(60) {
            if let Some(call) = self.call(&Ty::Dd, depth) {
                return call;
            }
            if depth > 1 && self.g.random.chance(40) {
                return self.choice(&Ty::Dd, depth - 1);
            }
        }
        let depth = depth.saturating_sub(1);
        let (hi, lo) = (self.lane(Prim::F64, depth), self.lane(Prim::F64, depth));
        Expr::new(Ty::Dd, Kind::NewDd(Box::new(hi), Box::new(lo)))
    }

    /// A local, a part of one, a constant.
    pub fn leaf(&mut self, prim: Prim) -> Expr {
        let ty = Ty::Lane(prim);
        if !self.g.random.chance(5) {
            let locals = self.of_type(&ty);
            let unread: Vec<usize> = locals
                .iter()
                .copied()
                .filter(|&l| self.reads[l] == 0)
                .collect();
            if !unread.is_empty() && self.g.random.chance(60) {
                let local = *self.g.random.pick(&unread);
                return self.read(local);
            }
            let parts = self.parts(&ty);
            if !parts.is_empty() && (locals.is_empty() || self.g.random.chance(15)) {
                let (local, n) = *self.g.random.pick(&parts);
                let of = self.read(local);
                return Expr::new(ty, Kind::Field(Box::new(of), n));
            }
            if !locals.is_empty() {
                let local = *self.g.random.pick(&locals);
                return self.read(local);
            }
        }
        match self.converted(prim) {
            Some(converted) if self.g.random.chance(85) => converted,
            _ => match self.g.number(prim) {
                Some(number) => number,
                // There are no constant masks.
                None => {
                    let (a, b) = (self.leaf(Prim::F64), self.leaf(Prim::F64));
                    binary(BinOp::Lt, a, b)
                }
            },
        }
    }

    /// A local of another type made one of this: a constant instead would make all that follows from it constant.
    fn converted(&mut self, prim: Prim) -> Option<Expr> {
        let lanes = |l: &&usize| matches!(self.func.locals[**l].ty, Ty::Lane(p) if p != prim);
        let locals: Vec<usize> = self.visible.iter().filter(lanes).copied().collect();
        if locals.is_empty() {
            return None;
        }
        let local = *self.g.random.pick(&locals);
        let Ty::Lane(from) = self.func.locals[local].ty else {
            return None;
        };
        let value = self.read(local);
        if prim == Prim::Mask {
            self.spend();
            let other = self.leaf(from);
            let op = *self.g.random.pick(&[BinOp::Lt, BinOp::Ge, BinOp::Ne]);
            return Some(binary(op, value, other));
        }
        let all = methods_giving(prim);
        let ways: Vec<_> = all
            .iter()
            .filter(|(m, on)| *on == from && m.arity == 0)
            .collect();
        if ways.is_empty() {
            return None;
        }
        self.spend();
        let (m, _) = **self.g.random.pick(&ways);
        Some(method(m.name, value, vec![]))
    }

    /// Parts of visible tuples and double-doubles that are of a type.
    fn parts(&self, ty: &Ty) -> Vec<(usize, u32)> {
        let mut parts = Vec::new();
        for &local in &self.visible {
            match &self.func.locals[local].ty {
                Ty::Dd if *ty == Ty::Lane(Prim::F64) => parts.extend([(local, 0), (local, 1)]),
                Ty::Tuple(items) => {
                    let same = (0u32..).zip(items).filter(|(_, t)| *t == ty);
                    parts.extend(same.map(|(n, _)| (local, n)));
                }
                _ => {}
            }
        }
        parts
    }

    /// A literal of a lane type.
    pub fn literal(&mut self, ty: &Ty) -> Option<Expr> {
        let kind = match ty {
            Ty::Lane(Prim::F64) => Kind::Float(*self.g.random.pick(&[
                0.0,
                -0.0,
                1.0,
                -1.0,
                0.5,
                2.5,
                3.0,
                0.1,
                -0.3,
                5e-324,
                1e-310,
                1e308,
                1e-30,
                16_777_217.0,
                9_007_199_254_740_993.0,
                9.3e18,
                -2.0,
            ])),
            Ty::Lane(Prim::F32) => Kind::Float(*self.g.random.pick(&[
                0.0,
                -0.0,
                1.0,
                -1.0,
                0.5,
                2.5,
                3.0,
                0.1,
                -0.3,
                1e-45,
                1e-39,
                3e38,
                1e-30,
                16_777_217.0,
                2.2e9,
                -2.0,
            ])),
            Ty::Lane(Prim::I64) => Kind::Int(*self.g.random.pick(&[
                0,
                1,
                -1,
                2,
                3,
                7,
                63,
                64,
                0xffff_ffff,
                i128::from(i64::MAX),
                i128::from(i64::MIN),
                i128::from(u64::MAX),
                0x7ff0_0000_0000_0000,
                -1000,
            ])),
            Ty::Lane(Prim::I32) => Kind::Int(*self.g.random.pick(&[
                0,
                1,
                -1,
                2,
                3,
                7,
                31,
                32,
                0xffff_ffff,
                i128::from(i32::MAX),
                i128::from(i32::MIN),
                0x7f80_0000,
                -1000,
            ])),
            _ => return None,
        };
        Some(Expr::new(ty.clone(), kind))
    }

    /// What stands beside something typed: now and then a literal.
    pub fn operand(&mut self, prim: Prim, depth: usize) -> Expr {
        if self.g.random.chance(15)
            && let Some(literal) = self.literal(&Ty::Lane(prim))
        {
            return literal;
        }
        self.lane(prim, depth)
    }

    /// An expression of a lane type.
    pub fn lane(&mut self, prim: Prim, depth: usize) -> Expr {
        if depth == 0 || self.budget <= 0 {
            return self.leaf(prim);
        }
        self.spend();
        let depth = depth - 1;
        let ty = Ty::Lane(prim);
        match self.g.random.below(100) {
            0..34 => self.operator(prim, depth),
            34..58 => self.method(prim, depth),
            58..72 => self.bait(prim, depth),
            72..76 => self.choice(&ty, depth),
            76..83 => match self.load(prim, depth) {
                Some(load) => load,
                None => self.operator(prim, depth),
            },
            83..94 => match self.call(&ty, depth) {
                Some(call) => call,
                None => self.method(prim, depth),
            },
            94..96 => match prim {
                Prim::F64 => self.number_of_bits(Prim::F64, Prim::I64, depth),
                Prim::F32 => self.number_of_bits(Prim::F32, Prim::I32, depth),
                _ => self.method(prim, depth),
            },
            96..98 => {
                let block = self.block(&ty, depth);
                Expr::new(ty, Kind::Block(block))
            }
            _ => {
                let operand = self.lane(prim, depth);
                let op = match prim {
                    Prim::Mask => UnOp::Not,
                    Prim::F64 | Prim::F32 => UnOp::Neg,
                    _ if self.g.random.chance(50) => UnOp::Neg,
                    _ => UnOp::Not,
                };
                unary(op, operand)
            }
        }
    }

    fn number_of_bits(&mut self, prim: Prim, bits: Prim, depth: usize) -> Expr {
        let bits = self.lane(bits, depth);
        Expr::new(Ty::Lane(prim), Kind::FromBits(Box::new(bits)))
    }

    fn operator(&mut self, prim: Prim, depth: usize) -> Expr {
        let all = operators_giving(prim);
        let (op, on) = *self.g.random.pick(&all);
        if matches!(op, BinOp::Shl | BinOp::Shr) {
            let a = self.lane(on, depth);
            let amount = self.amount(on, depth);
            return binary(op, a, amount);
        }
        let a = self.lane(on, depth);
        let b = self.operand(on, depth);
        if self.g.random.chance(25) {
            binary(op, b, a)
        } else {
            binary(op, a, b)
        }
    }

    /// A shift's amount: a literal, an index value, lanes; larger than the width, too.
    pub fn amount(&mut self, on: Prim, depth: usize) -> Expr {
        match self.g.random.below(10) {
            0..4 => {
                let n = self.g.random.below(70);
                Expr::new(Ty::Lane(on), Kind::Int(n as i128))
            }
            4 | 5 => self.index(70),
            _ => self.lane(on, depth),
        }
    }

    fn method(&mut self, prim: Prim, depth: usize) -> Expr {
        // Directed roundings are two thirds of the list; they would crowd out the rest.
        let directed = self.g.random.chance(30);
        let mut all = methods_giving(prim);
        if all.iter().any(|(m, _)| is_directed(m.op) == directed) {
            all.retain(|(m, _)| is_directed(m.op) == directed);
        }
        let (m, on) = *self.g.random.pick(&all);
        let receiver = self.lane(on, depth);
        match m.op {
            Op::Select => {
                let a = self.lane(prim, depth);
                let b = self.operand(prim, depth);
                let args = if self.g.random.chance(30) {
                    vec![b, a]
                } else {
                    vec![a, b]
                };
                Expr::new(
                    Ty::Lane(prim),
                    Kind::Method(m.name, Box::new(receiver), args),
                )
            }
            Op::ShrLogical => {
                let amount = self.amount(on, depth);
                method(m.name, receiver, vec![amount])
            }
            _ => {
                let args = (0..m.arity).map(|_| self.operand(on, depth)).collect();
                method(m.name, receiver, args)
            }
        }
    }

    // --- branches and blocks

    /// The condition of an `if`: mostly a mask, now and then known when the kernel is lowered.
    pub fn condition(&mut self) -> Expr {
        if self.g.random.chance(80) {
            return self.lane(Prim::Mask, 2);
        }
        if self.g.random.chance(30) {
            let value = self.g.random.chance(50);
            let n = self.g.constant(ConstValue::Bool(value));
            return Expr::new(Ty::Bool, Kind::Const(n));
        }
        let (a, b) = (self.index(8), self.g.random.below(4));
        let op = *self
            .g
            .random
            .pick(&[BinOp::Lt, BinOp::Ge, BinOp::Eq, BinOp::Ne]);
        // Not of two literals: which type would they be?
        let b = if a.is_literal() {
            self.g.usize(b)
        } else {
            Expr::new(Ty::Index, Kind::Int(b as i128))
        };
        Expr::new(Ty::Bool, Kind::Binary(op, Box::new(a), Box::new(b)))
    }

    fn choice(&mut self, ty: &Ty, depth: usize) -> Expr {
        let cond = self.condition();
        let then = self.block(ty, depth);
        let otherwise = self.block(ty, depth);
        Expr::new(ty.clone(), Kind::If(Box::new(cond), then, otherwise))
    }

    fn block(&mut self, ty: &Ty, depth: usize) -> Block {
        let count = self.g.random.below(3);
        self.scope(|f| {
            let stmts = f.statements(count);
            let value = f.expr(ty, depth);
            Block {
                stmts,
                value: Some(Box::new(value)),
            }
        })
    }

    // --- index values and tables

    /// An index value below `limit`, which is at least 1.
    pub fn index(&mut self, limit: usize) -> Expr {
        let counters = self.of_type(&Ty::Index);
        let int = |n: usize| Expr::new(Ty::Index, Kind::Int(n as i128));
        let modulo = |a: Expr| {
            let limit = Box::new(int(limit));
            Expr::new(Ty::Index, Kind::Binary(BinOp::Rem, Box::new(a), limit))
        };
        match self.g.random.below(5) {
            0..3 if !counters.is_empty() => {
                let counter = *self.g.random.pick(&counters);
                let largest = self.largest.get(&counter).copied().unwrap_or(usize::MAX);
                let value = self.read(counter);
                if largest < limit {
                    value
                } else {
                    modulo(value)
                }
            }
            3 if self.func.generic => {
                let value = Expr::new(Ty::Index, Kind::Generic);
                if GENERIC[GENERIC.len() - 1] < limit {
                    value
                } else {
                    modulo(value)
                }
            }
            4 => {
                let n = self.g.random.below(limit);
                self.g.usize(n)
            }
            _ => int(self.g.random.below(limit)),
        }
    }

    fn load(&mut self, prim: Prim, depth: usize) -> Option<Expr> {
        let elem = self.g.elem(prim)?;
        let params = self.of_type(&Ty::Table(elem));
        let (table, length) = if !params.is_empty() && self.g.random.chance(70) {
            let local = *self.g.random.pick(&params);
            (self.read(local), None)
        } else {
            let n = self.g.table(elem);
            let length = self.g.unit.tables[n].bits.len();
            (Expr::new(Ty::Table(elem), Kind::Table(n)), Some(length))
        };
        let index = if self.g.random.chance(65) {
            let on = *self.g.random.pick(&[Prim::I64, Prim::I32]);
            self.lane(on, depth)
        } else {
            match length {
                Some(length) => self.index(length),
                // Of a parameter only the length is known.
                None => {
                    let of = Expr::new(Ty::Index, Kind::Len(Box::new(table.clone())));
                    let any = self.index(7);
                    let op = BinOp::Rem;
                    Expr::new(Ty::Index, Kind::Binary(op, Box::new(any), Box::new(of)))
                }
            }
        };
        Some(Expr::new(
            Ty::Lane(lane(elem)),
            Kind::Load(Box::new(table), Box::new(index)),
        ))
    }

    // --- calls

    /// A call that gives the type, or something with a part of it.
    pub fn call(&mut self, ty: &Ty, depth: usize) -> Option<Expr> {
        let mut found: Vec<(Callee, Ty, Option<u32>)> = Vec::new();
        let mut consider = |callee: Callee, ret: &Ty, often: usize| {
            let part = match ret {
                ret if ret == ty => Some(None),
                Ty::Dd if *ty == Ty::Lane(Prim::F64) => Some(Some(0)),
                Ty::Tuple(items) => {
                    let n = items.iter().position(|t| t == ty);
                    n.map(|n| Some(n as u32))
                }
                _ => None,
            };
            if let Some(part) = part {
                for _ in 0..often {
                    found.push((callee, ret.clone(), part));
                }
            }
        };
        for (n, func) in self.g.unit.funcs.iter().enumerate() {
            if (self.g.costs[n] * self.factor) as isize <= self.budget + 4 {
                consider(
                    Callee::Own(n, None),
                    &func.ret,
                    if self.g.called[n] { 3 } else { 12 },
                );
            }
        }
        if (LIBRARY_COST * self.factor) as isize <= self.budget {
            for (n, kernel) in LIBRARY.iter().enumerate() {
                consider(Callee::Library(n), &of_ir(kernel.ret), 1);
            }
        }
        if found.is_empty() {
            return None;
        }
        let (callee, ret, part) = self.g.random.pick(&found).clone();
        let (callee, params) = match callee {
            Callee::Own(n, _) => {
                self.budget -= (self.g.costs[n] * self.factor) as isize;
                self.g.called[n] = true;
                let generic = self.g.unit.funcs[n].generic;
                let value = generic.then(|| *self.g.random.pick(&GENERIC));
                let func = &self.g.unit.funcs[n];
                let params = func.params.iter().map(|p| func.locals[p.local].ty.clone());
                (Callee::Own(n, value), params.collect::<Vec<Ty>>())
            }
            Callee::Library(n) => {
                self.budget -= (LIBRARY_COST * self.factor) as isize;
                let params = LIBRARY[n].params.iter().map(|p| of_ir(p.ty));
                (callee, params.collect())
            }
        };
        let args = params
            .iter()
            .map(|ty| match ty {
                Ty::Table(elem) => {
                    let passed = self.of_type(ty);
                    if !passed.is_empty() && self.g.random.chance(60) {
                        let local = *self.g.random.pick(&passed);
                        return self.read(local);
                    }
                    let n = self.g.table(*elem);
                    Expr::new(ty.clone(), Kind::Table(n))
                }
                Ty::Lane(prim) => self.operand(*prim, depth.min(1)),
                ty => self.expr(ty, depth.min(1)),
            })
            .collect();
        let call = Expr::new(ret, Kind::Call(callee, args));
        Some(match part {
            None => call,
            Some(0) if call.ty == Ty::Dd && self.g.random.chance(50) => {
                Expr::new(ty.clone(), Kind::Field(Box::new(call), 1))
            }
            Some(n) => Expr::new(ty.clone(), Kind::Field(Box::new(call), n)),
        })
    }
}
