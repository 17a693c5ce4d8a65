//! One function: parameters, statements, result.

use std::collections::HashMap;

use kernels_gen::ir::BinOp;
use kernels_gen::ops::Prim;

use super::{Generator, binary};
use crate::ast::{Block, Expr, Func, Kind, Local, Param, Pat, Range, Stmt, Ty};
use crate::inputs;

/// Names of locals: few, so that they shadow each other, and some that mean something in C.
const NAMES: [&str; 30] = [
    "a", "b", "c", "x", "y", "z", "t", "u", "s", "r", "acc", "hi", "lo", "out", "in0", "x0", "i",
    "n", "half", "double2", "uchar16", "global", "fma", "as_int", "stride", "first", "y2", "bits",
    "raw", "isnan",
];
const COUNTERS: [&str; 5] = ["i", "j", "k", "n", "index"];
const HELPERS: [&str; 6] = ["helper", "exp", "floor", "rint", "kernel", "dc_bits_f64"];

/// A const generic is one of these.
pub(super) const GENERIC: [usize; 4] = [1, 2, 3, 5];

/// A function being made.
pub(super) struct Function<'g> {
    pub g: &'g mut Generator,
    pub func: Func,
    /// Locals that can be named here, oldest first.
    pub visible: Vec<usize>,
    /// How often each local was read.
    pub reads: Vec<usize>,
    /// Which may be assigned to.
    mutable: Vec<bool>,
    /// The largest value of each loop counter.
    pub largest: HashMap<usize, usize>,
    /// Operations that may still be added.
    pub budget: isize,
    /// How often what is added now will be done: the product of the loops around it.
    pub factor: usize,
    /// Nesting of blocks.
    nesting: usize,
}

/// Adds a helper, or the kernel itself.
pub(super) fn generate(g: &mut Generator, entry: bool) {
    let number = g.unit.funcs.len();
    let budget = if entry {
        // Some are small: what a large one does to a value hides what a single operation did.
        g.random
            .weighted(&[(22, 3), (30, 8), (28, 18), (14, 32), (6, super::OPERATIONS)])
    } else {
        g.random.weighted(&[(40, 2), (40, 6), (20, 12)])
    };
    let name = if entry {
        format!("k{}", g.number)
    } else {
        format!("{}_{number}", HELPERS[g.random.below(HELPERS.len())])
    };
    let generic = !entry && g.random.chance(30);
    let mut f = Function {
        func: Func {
            name,
            doc: Vec::new(),
            line: 10 * (number as u32 + 1),
            text: String::new(),
            generic,
            params: Vec::new(),
            ret: Ty::Lane(Prim::F64),
            locals: Vec::new(),
            body: Block::default(),
        },
        visible: Vec::new(),
        reads: Vec::new(),
        mutable: Vec::new(),
        largest: HashMap::new(),
        budget: budget as isize,
        factor: 1,
        nesting: 0,
        g,
    };
    f.params(entry);
    let statements = f.g.random.within(budget / 8, 1 + budget / 3);
    let stmts = f.statements(statements.min(14));
    let value = f.result(entry);
    f.func.ret = value.ty.clone();
    f.func.body = Block {
        stmts,
        value: Some(Box::new(value)),
    };
    let cost = (budget as isize - f.budget).max(1) as usize;
    let func = f.func;
    g.costs.push(cost);
    g.called.push(false);
    g.unit.funcs.push(func);
}

impl Function<'_> {
    // --- locals

    /// A new local under a name that hides others of the same.
    pub fn declare(&mut self, ty: Ty, names: &[&str], mutable: bool) -> usize {
        let name = (*self.g.random.pick(names)).to_string();
        let local = self.func.locals.len();
        self.visible
            .retain(|&other| self.func.locals[other].name != name);
        self.func.locals.push(Local::new(name, ty));
        self.reads.push(0);
        self.mutable.push(mutable);
        self.visible.push(local);
        local
    }

    /// Visible locals of a type.
    pub fn of_type(&self, ty: &Ty) -> Vec<usize> {
        let same = |l: &&usize| self.func.locals[**l].ty == *ty;
        self.visible.iter().filter(same).copied().collect()
    }

    pub fn read(&mut self, local: usize) -> Expr {
        self.reads[local] += 1;
        Expr::new(self.func.locals[local].ty.clone(), Kind::Local(local))
    }

    fn params(&mut self, entry: bool) {
        let count = if entry {
            self.g
                .random
                .weighted(&[(10, 1), (25, 2), (25, 3), (20, 4), (8, 5), (6, 6), (6, 8)])
        } else {
            self.g.random.within(1, 4)
        };
        let mut used = HashMap::new();
        for n in 0..count {
            let ty = if self.g.random.chance(8) {
                Ty::Dd
            } else if self.g.random.chance(5) {
                Ty::Tuple((0..2).map(|_| Ty::Lane(self.g.prim())).collect())
            } else {
                Ty::Lane(self.g.prim())
            };
            let mut columns = Vec::new();
            if entry {
                if ty == Ty::Dd {
                    let n = used.entry(None).or_insert(0);
                    columns = inputs::double_double(*n).to_vec();
                    *n += 1;
                } else {
                    for prim in ty.prims() {
                        let n = used.entry(Some(prim)).or_insert(0);
                        columns.push(inputs::column(prim, *n));
                        *n += 1;
                    }
                }
            }
            self.param(ty, columns, n);
        }
        if !entry && self.g.random.chance(25) {
            let prim = self.g.prim();
            if let Some(elem) = self.g.elem(prim) {
                self.param(Ty::Table(elem), Vec::new(), count);
            }
        }
    }

    fn param(&mut self, ty: Ty, columns: Vec<usize>, n: usize) {
        // Parameters of one function cannot hide each other.
        let names: Vec<&str> = NAMES
            .iter()
            .copied()
            .filter(|name| self.func.locals.iter().all(|l| l.name != **name))
            .collect();
        let local = self.declare(ty, &names, false);
        debug_assert_eq!(local, n);
        self.func.params.push(Param { local, columns });
    }

    // --- statements

    pub fn statements(&mut self, count: usize) -> Vec<Stmt> {
        let mut stmts = Vec::new();
        for _ in 0..count {
            if self.budget <= 0 {
                break;
            }
            self.statement(&mut stmts);
        }
        stmts
    }

    /// What `make` adds is out of sight afterwards.
    pub fn scope<T>(&mut self, make: impl FnOnce(&mut Self) -> T) -> T {
        let visible = self.visible.clone();
        self.nesting += 1;
        let made = make(self);
        self.nesting -= 1;
        self.visible = visible;
        made
    }

    fn statement(&mut self, out: &mut Vec<Stmt>) {
        let assignable = self.assignable();
        let deep = self.nesting < 3;
        let choice = self.g.random.weighted(&[
            (50, 0),
            (8, 1),
            (14, 2),
            (if assignable.is_empty() { 0 } else { 16 }, 3),
            (if deep { 12 } else { 0 }, 4),
            (if deep { 10 } else { 0 }, 5),
        ]);
        match choice {
            0 => self.binding(false, out),
            1 => self.tuple_binding(out),
            2 => self.binding(true, out),
            3 => {
                let local = *self.g.random.pick(&assignable);
                out.push(self.assignment(local));
            }
            4 => self.branch(out),
            _ => self.loop_(out),
        }
    }

    fn assignable(&self) -> Vec<usize> {
        let can = |l: &&usize| self.mutable[**l];
        self.visible.iter().filter(can).copied().collect()
    }

    fn lanes(&mut self) -> Ty {
        match self.g.random.below(100) {
            0..7 => Ty::Dd,
            7..12 => {
                let n = self.g.random.within(1, 3);
                Ty::Tuple((0..n).map(|_| Ty::Lane(self.g.prim())).collect())
            }
            _ => Ty::Lane(self.g.prim()),
        }
    }

    fn binding(&mut self, mutable: bool, out: &mut Vec<Stmt>) {
        let ty = self.lanes();
        let depth = self.g.random.within(1, 4);
        let literal = if mutable && self.g.random.chance(25) {
            self.literal(&ty)
        } else {
            None
        };
        // A literal's type is written: nothing else may tell it.
        let annotated = literal.is_some() || self.g.random.chance(15);
        let value = match literal {
            Some(value) => value,
            None => self.expr(&ty, depth),
        };
        let local = self.declare(ty, &NAMES, mutable);
        out.push(Stmt::Let(Pat::Local(local), annotated, value));
    }

    fn tuple_binding(&mut self, out: &mut Vec<Stmt>) {
        let n = self.g.random.within(2, 3);
        let ty = Ty::Tuple((0..n).map(|_| Ty::Lane(self.g.prim())).collect());
        let value = self.expr(&ty, 2);
        let Ty::Tuple(items) = &value.ty else { return };
        let mut pats = Vec::new();
        let before = self.visible.clone();
        let mut named: Vec<&str> = Vec::new();
        for item in items {
            if self.g.random.chance(10) {
                pats.push(Pat::Wild);
                continue;
            }
            let free: Vec<&str> = NAMES
                .iter()
                .copied()
                .filter(|n| !named.contains(n))
                .collect();
            let local = self.declare(item.clone(), &free, false);
            let name = &self.func.locals[local].name;
            named.extend(NAMES.iter().filter(|n| *n == name));
            pats.push(Pat::Local(local));
        }
        if pats.iter().all(|p| matches!(p, Pat::Wild)) {
            self.visible = before;
        }
        out.push(Stmt::Let(Pat::Tuple(pats), false, value));
    }

    fn assignment(&mut self, local: usize) -> Stmt {
        let ty = self.func.locals[local].ty.clone();
        let depth = self.g.random.within(1, 3);
        let mut value = self.expr(&ty, depth);
        if let Ty::Lane(prim) = ty
            && self.g.random.chance(60)
        {
            // Something of what it was: `s = s + …`.
            let before = self.read(local);
            let op = match prim {
                Prim::Mask => BinOp::Xor,
                _ => *self
                    .g
                    .random
                    .pick(&[BinOp::Add, BinOp::Sub, BinOp::Mul, BinOp::Add]),
            };
            self.spend();
            value = if self.g.random.chance(75) {
                binary(op, before, value)
            } else {
                binary(op, value, before)
            };
        }
        // What it holds now nobody has read yet.
        self.reads[local] = 0;
        Stmt::Assign(local, value)
    }

    /// A local to assign to, made if there is none.
    fn ensure_assignable(&mut self, out: &mut Vec<Stmt>) {
        if self.assignable().is_empty() {
            self.binding(true, out);
        }
    }

    fn branch(&mut self, out: &mut Vec<Stmt>) {
        self.ensure_assignable(out);
        let cond = self.condition();
        let then = self.arm();
        let otherwise = self.g.random.chance(55).then(|| self.arm());
        out.push(Stmt::If(cond, then, otherwise));
    }

    fn arm(&mut self) -> Block {
        let count = self.g.random.within(0, 2);
        self.scope(|f| {
            let mut stmts = f.statements(count);
            let assignable = f.assignable();
            if !assignable.is_empty() {
                let local = *f.g.random.pick(&assignable);
                stmts.push(f.assignment(local));
            }
            Block { stmts, value: None }
        })
    }

    fn loop_(&mut self, out: &mut Vec<Stmt>) {
        self.ensure_assignable(out);
        let (range, most, largest) = self.range();
        let factor = self.factor;
        self.factor *= most.max(1);
        let count = self.g.random.within(1, 2);
        let (counter, body) = self.scope(|f| {
            let counter = f.declare(Ty::Index, &COUNTERS, false);
            f.largest.insert(counter, largest);
            let mut stmts = f.statements(count - 1);
            let assignable = f.assignable();
            if !assignable.is_empty() {
                let local = *f.g.random.pick(&assignable);
                stmts.push(f.assignment(local));
            }
            (counter, Block { stmts, value: None })
        });
        self.factor = factor;
        out.push(Stmt::For(counter, range, body));
    }

    /// A range, its most iterations and the counter's largest value.
    fn range(&mut self) -> (Range, usize, usize) {
        let start = self.g.random.below(3);
        let length = self.g.random.within(0, 5);
        let inclusive = self.g.random.chance(25);
        let mut end = start + length;
        let int = |n: usize| Expr::new(Ty::Index, Kind::Int(n as i128));
        let (last, largest) = match self.g.random.below(4) {
            0 if self.func.generic => {
                end = GENERIC[GENERIC.len() - 1];
                (Expr::new(Ty::Index, Kind::Generic), end)
            }
            1 => (self.g.usize(end), end),
            _ => (int(end), end),
        };
        let step = self.g.random.chance(25).then(|| self.g.random.within(1, 3));
        let range = Range {
            start: int(start),
            end: last,
            inclusive,
            rev: self.g.random.chance(30),
            step,
        };
        let most = end.saturating_sub(start) + usize::from(inclusive);
        (range, most, largest)
    }

    // --- the result

    /// What was computed and not used, as far as it fits.
    fn result(&mut self, entry: bool) -> Expr {
        let unread = |f: &Self| -> Vec<usize> {
            f.visible
                .iter()
                .copied()
                .filter(|&l| f.reads[l] == 0 && f.func.locals[l].ty.is_lanes())
                .filter(|&l| !f.func.params.iter().any(|p| p.local == l))
                .collect()
        };
        let most = if entry {
            self.g
                .random
                .weighted(&[(40, 1), (30, 2), (20, 3), (10, 5)])
        } else {
            self.g.random.weighted(&[(70, 1), (20, 2), (10, 3)])
        };
        let mut items = Vec::new();
        let mut left = unread(self);
        while items.len() < most {
            match left.pop() {
                Some(local) => {
                    let value = self.read(local);
                    // Sometimes worked on further.
                    let ty = value.ty.clone();
                    items.push(match (&ty, self.g.random.chance(30)) {
                        (Ty::Lane(prim), true) if *prim != Prim::Mask => {
                            let other = self.operand(*prim, 1);
                            self.spend();
                            binary(BinOp::Mul, value, other)
                        }
                        _ => value,
                    });
                }
                None if items.is_empty() || self.g.random.chance(30) => {
                    let ty = self.lanes();
                    let depth = self.g.random.within(1, 4);
                    self.budget = self.budget.max(2);
                    items.push(self.expr(&ty, depth));
                }
                None => break,
            }
        }
        // What is left over is worked in, lest it be dead.
        for local in left {
            let Ty::Lane(prim) = self.func.locals[local].ty else {
                continue;
            };
            if let Some(item) = items.iter_mut().find(|e| e.ty == Ty::Lane(prim)) {
                let value = self.read(local);
                let op = match prim {
                    Prim::Mask => BinOp::Xor,
                    _ => *self.g.random.pick(&[BinOp::Add, BinOp::Sub]),
                };
                let before = std::mem::replace(item, value.clone());
                *item = binary(op, before, value);
            }
        }
        if items.len() == 1 {
            return items.remove(0);
        }
        let ty = Ty::Tuple(items.iter().map(|e| e.ty.clone()).collect());
        Expr::new(ty, Kind::Tuple(items))
    }
}
