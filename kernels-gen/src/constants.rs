//! The floating-point constants of a kernel by their place in the source, and the kernel's program with other values for them.
//!
//! Lowering folds nothing, so each constant of the tree is a constant of the program. The tree is lowered once with a *mark* in place of
//! each constant: a number that occurs nowhere else. Where a mark is in the program, its constant is.

use std::collections::HashMap;

use crate::ir::{Block, Const, Elem, Expr, ExprKind, Kernel, Loc, Stmt, Table, UnOp};
use crate::lower::{LowerError, lower};
use crate::ops::{Op, Prim};
use crate::program::{Inst, InstKind, Program, Value};

/// The way in which a constant is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Form {
    /// A number.
    Literal,
    /// The name of a constant.
    Path,
    /// An entry of a table: its number, and the number of all entries.
    Entry(usize, usize),
}

/// A place that reads a constant.
#[derive(Debug, Clone, Copy)]
pub struct Site {
    /// The kernel.
    pub kernel: &'static Kernel,
    /// The place in its file.
    pub loc: Loc,
}

/// A constant of a kernel or of its helpers.
#[derive(Debug, Clone)]
pub struct Constant {
    /// How it is written.
    pub form: Form,
    /// The places that read it, or its table.
    pub sites: Vec<Site>,
    /// Its type.
    pub ty: Prim,
    /// Its bits.
    pub bits: u64,
    /// The operations that have it as an operand.
    pub uses: Vec<Op>,
    mark: u64,
}

/// A kernel's program with its constants.
#[derive(Debug, Clone)]
pub struct Constants {
    /// The constants, in the order of the tree.
    pub all: Vec<Constant>,
    marked: Program,
}

/// The identity of a constant, so that it counts once wherever it is read.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
enum Key {
    /// By kernel, and by the literal's number in the kernel.
    Literal(&'static str, &'static str, u32, usize),
    /// By file and value, because names are not in the tree.
    Path(&'static str, bool, u64),
    Entry(Elem, Vec<u64>, usize),
}

/// Marks count from here. In binary64 and in binary32 they are large numbers, which no routine adds or compares.
const MARK_F64: u64 = 0x7fe5_a17b_0000_0000;
const MARK_F32: u32 = 0x7f5a_0000;
const MARKS: usize = 1 << 16;

fn mark(n: usize, ty: Prim) -> u64 {
    match ty {
        Prim::F32 => u64::from(MARK_F32) + n as u64,
        _ => MARK_F64 + n as u64,
    }
}

/// The number of a mark.
fn marked(bits: u64, ty: Prim) -> Option<usize> {
    if !ty.is_float() {
        return None;
    }
    let n = bits.checked_sub(mark(0, ty))?;
    (n < MARKS as u64).then_some(n as usize)
}

impl Constants {
    /// The constants of a kernel and its helpers, except those of the kernels in `fixed`.
    ///
    /// # Errors
    /// If the kernel has no program, or too many constants.
    pub fn of(
        kernel: &'static Kernel,
        fixed: &dyn Fn(&Kernel) -> bool,
    ) -> Result<Constants, LowerError> {
        let mut marking = Marking {
            fixed,
            found: Vec::new(),
            numbers: HashMap::new(),
            made: HashMap::new(),
        };
        let tree = marking.kernel(kernel);
        let plain = lower(kernel)?;
        let refuse = |what: &str| {
            let remedy = "improve a kernel with fewer, or other, constants";
            Err(LowerError::new(kernel, Loc::default(), what.into(), remedy))
        };
        let found = marking.found;
        if found.len() > MARKS {
            return refuse("it has more than 65,536 constants");
        }
        let program = lower(tree)?;
        if words(&plain).any(|(ty, bits)| marked(bits, ty).is_some()) {
            return refuse("one of its constants is a number that marks others");
        }
        let mut all = Vec::new();
        let mut numbers = HashMap::new();
        for (n, found) in found.into_iter().enumerate() {
            for ty in [Prim::F64, Prim::F32] {
                // What the program does not contain is dead code, or the reading of a literal in the other format.
                if words(&program).all(|word| word != (ty, mark(n, ty))) {
                    continue;
                }
                numbers.insert(mark(n, ty), all.len());
                all.push(Constant {
                    form: found.form,
                    sites: found.sites.clone(),
                    ty,
                    bits: match ty {
                        Prim::F64 => found.wide.to_bits(),
                        _ => found.narrow.to_bits().into(),
                    },
                    uses: Vec::new(),
                    mark: mark(n, ty),
                });
            }
        }
        let inlined = program.inlined();
        let func = inlined.entry();
        for inst in &func.insts {
            let InstKind::Op(op) = inst.kind else {
                continue;
            };
            for &a in &inst.args {
                let of = func.inst(a);
                if let InstKind::Const(bits) = of.kind
                    && marked(bits, of.ty).is_some()
                    && let Some(&n) = numbers.get(&bits)
                    && !all[n].uses.contains(&op)
                {
                    all[n].uses.push(op);
                }
            }
        }
        let constants = Constants {
            all,
            marked: program,
        };
        let bits: Vec<u64> = constants.all.iter().map(|c| c.bits).collect();
        if !same(&constants.program(&bits), &plain) {
            return refuse("its constants do not make its program");
        }
        Ok(constants)
    }

    /// The program with these values for its constants.
    ///
    /// # Panics
    /// If there are fewer values than constants.
    #[must_use]
    pub fn program(&self, bits: &[u64]) -> Program {
        let values = self.values(bits);
        let mut program = self.marked.clone();
        for inst in program.funcs.iter_mut().flat_map(|f| &mut f.insts) {
            if let InstKind::Const(word) = &mut inst.kind {
                set(word, inst.ty, &values);
            }
        }
        for table in &mut program.tables {
            let ty = table.prim();
            table.bits.iter_mut().for_each(|w| set(w, ty, &values));
        }
        program
    }

    fn values(&self, bits: &[u64]) -> HashMap<u64, u64> {
        let marks = self.all.iter().map(|c| c.mark);
        assert!(bits.len() >= self.all.len(), "a value for each constant");
        marks.zip(bits.iter().copied()).collect()
    }

    /// The program as one function, with these constants as additional parameters, in this order. Also returns the entries of tables that
    /// are read by a computed index: constant, table, entry.
    #[must_use]
    pub fn parametric(&self, varied: &[usize]) -> (Program, Vec<(usize, usize, usize)>) {
        let mut program = self.marked.inlined();
        let numbers: HashMap<u64, usize> = varied
            .iter()
            .enumerate()
            .map(|(n, &v)| (self.all[v].mark, n))
            .collect();
        let mut entries = Vec::new();
        for (t, table) in program.tables.iter().enumerate() {
            for (e, word) in table.bits.iter().enumerate() {
                if marked(*word, table.prim()).is_some()
                    && let Some(&n) = numbers.get(word)
                {
                    entries.push((n, t, e));
                }
            }
        }
        let func = &mut program.funcs[0];
        let own = func.params.len();
        let mut insts: Vec<Inst> = func.insts[..own].to_vec();
        for (n, &v) in varied.iter().enumerate() {
            let ty = self.all[v].ty;
            func.params.push((format!("constant_{n}"), ty));
            insts.push(Inst {
                kind: InstKind::Param((own + n) as u32),
                args: Vec::new(),
                ty,
                loc: Loc::default(),
                name: None,
            });
        }
        let mut at: Vec<Value> = (0..own as u32).map(Value).collect();
        for inst in &func.insts[own..] {
            if let InstKind::Const(bits) = inst.kind
                && marked(bits, inst.ty).is_some()
                && let Some(&n) = numbers.get(&bits)
            {
                at.push(Value((own + n) as u32));
                continue;
            }
            let mut inst = inst.clone();
            for a in &mut inst.args {
                *a = at[a.0 as usize];
            }
            at.push(Value(insts.len() as u32));
            insts.push(inst);
        }
        func.insts = insts;
        for r in &mut func.results {
            *r = at[r.0 as usize];
        }
        let bits: Vec<u64> = self.all.iter().map(|c| c.bits).collect();
        let rest = Constants {
            all: self.all.clone(),
            marked: program,
        };
        (rest.program(&bits), entries)
    }
}

fn set(word: &mut u64, ty: Prim, values: &HashMap<u64, u64>) {
    if marked(*word, ty).is_some()
        && let Some(value) = values.get(word)
    {
        *word = *value;
    }
}

/// All constants of a program.
fn words(program: &Program) -> impl Iterator<Item = (Prim, u64)> {
    let insts = program.funcs.iter().flat_map(|f| &f.insts);
    let consts = insts.filter_map(|i| match i.kind {
        InstKind::Const(bits) => Some((i.ty, bits)),
        _ => None,
    });
    let tables = program.tables.iter();
    consts.chain(tables.flat_map(|t| t.bits.iter().map(move |&b| (t.prim(), b))))
}

/// Whether two programs compute the same values in the same way.
fn same(a: &Program, b: &Program) -> bool {
    let tables = |p: &Program| -> Vec<_> {
        p.tables
            .iter()
            .map(|t| (t.elem, t.bits.clone()))
            .collect::<Vec<_>>()
    };
    let funcs = a.funcs.iter().zip(&b.funcs);
    a.funcs.len() == b.funcs.len()
        && tables(a) == tables(b)
        && funcs
            .into_iter()
            .all(|(a, b)| (&a.params, &a.results, &a.insts) == (&b.params, &b.results, &b.insts))
}

struct Found {
    form: Form,
    sites: Vec<Site>,
    wide: f64,
    narrow: f32,
}

/// Puts marks in place of constants.
struct Marking<'a> {
    fixed: &'a dyn Fn(&Kernel) -> bool,
    found: Vec<Found>,
    numbers: HashMap<Key, usize>,
    /// By address.
    made: HashMap<usize, &'static Kernel>,
}

fn keep<T>(value: T) -> &'static T {
    Box::leak(Box::new(value))
}

/// The kernel being marked, and the number of its literals so far.
struct Within {
    kernel: &'static Kernel,
    literals: usize,
}

impl Marking<'_> {
    fn kernel(&mut self, kernel: &'static Kernel) -> &'static Kernel {
        if (self.fixed)(kernel) {
            return kernel;
        }
        let address = std::ptr::from_ref(kernel).addr();
        if let Some(made) = self.made.get(&address) {
            return made;
        }
        let mut within = Within {
            kernel,
            literals: 0,
        };
        let body = self.block(&mut within, &kernel.body);
        let made = keep(Kernel { body, ..*kernel });
        self.made.insert(address, made);
        made
    }

    fn block(&mut self, within: &mut Within, block: &Block) -> Block {
        let stmts: Vec<Stmt> = block
            .stmts
            .iter()
            .map(|s| match *s {
                Stmt::Let(pat, ty, e) => Stmt::Let(pat, ty, keep(self.expr(within, e))),
                Stmt::Assign(local, e) => Stmt::Assign(local, keep(self.expr(within, e))),
                Stmt::Expr(e) => Stmt::Expr(keep(self.expr(within, e))),
                Stmt::For(local, range, body, loc) => {
                    Stmt::For(local, range, self.block(within, &body), loc)
                }
            })
            .collect();
        Block {
            stmts: Vec::leak(stmts),
            value: block.value.map(|e| keep(self.expr(within, e))),
        }
    }

    fn exprs(&mut self, within: &mut Within, list: &[Expr]) -> &'static [Expr] {
        let made: Vec<Expr> = list.iter().map(|e| self.expr(within, e)).collect();
        Vec::leak(made)
    }

    fn expr(&mut self, within: &mut Within, expr: &Expr) -> Expr {
        use ExprKind as K;
        let site = Site {
            kernel: within.kernel,
            loc: expr.loc,
        };
        let kind = match expr.kind {
            K::Float(wide, narrow) => self.literal(within, site, wide, narrow),
            // The sign belongs to the literal.
            K::Unary(
                UnOp::Neg,
                &Expr {
                    kind: K::Float(wide, narrow),
                    loc,
                },
            ) => {
                let site = Site { loc, ..site };
                self.literal(within, site, -wide, -narrow)
            }
            K::Const(constant) => K::Const(self.constant(site, constant)),
            K::Local(_) | K::Int(_) | K::Bool(_) | K::Len(_) => expr.kind,
            K::Unary(op, a) => K::Unary(op, keep(self.expr(within, a))),
            K::Field(a, n) => K::Field(keep(self.expr(within, a)), n),
            K::Binary(op, a, b) => {
                let a = keep(self.expr(within, a));
                K::Binary(op, a, keep(self.expr(within, b)))
            }
            K::Index(a, b) => {
                let a = keep(self.expr(within, a));
                K::Index(a, keep(self.expr(within, b)))
            }
            K::Method(name, a, rest) => {
                let a = keep(self.expr(within, a));
                K::Method(name, a, self.exprs(within, rest))
            }
            K::Assoc(ty, name, list) => K::Assoc(ty, name, self.exprs(within, list)),
            K::Tuple(list) => K::Tuple(self.exprs(within, list)),
            K::Call(callee, list) => {
                let list = self.exprs(within, list);
                K::Call(self.kernel(callee), list)
            }
            K::Function(kernels, list) => {
                let list = self.exprs(within, list);
                let kernels: Vec<_> = kernels.iter().map(|k| self.kernel(k)).collect();
                K::Function(Vec::leak(kernels), list)
            }
            K::If(cond, then, otherwise) => {
                let cond = keep(self.expr(within, cond));
                let then = self.block(within, &then);
                K::If(cond, then, otherwise.map(|b| self.block(within, &b)))
            }
            K::Block(block) => K::Block(self.block(within, &block)),
        };
        Expr {
            kind,
            loc: expr.loc,
        }
    }

    fn literal(&mut self, within: &mut Within, site: Site, wide: f64, narrow: f32) -> ExprKind {
        let k = within.kernel;
        let key = Key::Literal(k.module, k.name, k.line, within.literals);
        within.literals += 1;
        let n = self.number(key, Form::Literal, site, wide, narrow);
        let narrow = f32::from_bits(mark(n, Prim::F32) as u32);
        ExprKind::Float(f64::from_bits(mark(n, Prim::F64)), narrow)
    }

    fn constant(&mut self, site: Site, constant: Const) -> Const {
        let file = site.kernel.file;
        match constant {
            Const::F64(x) => {
                let key = Key::Path(file, true, x.to_bits());
                let n = self.number(key, Form::Path, site, x, x as f32);
                Const::F64(f64::from_bits(mark(n, Prim::F64)))
            }
            Const::F32(x) => {
                let key = Key::Path(file, false, x.to_bits().into());
                let n = self.number(key, Form::Path, site, x.into(), x);
                Const::F32(f32::from_bits(mark(n, Prim::F32) as u32))
            }
            Const::Table(Table::F64(t)) => {
                let bits: Vec<u64> = t.iter().map(|x| x.to_bits()).collect();
                let entry = |i: usize| {
                    let key = Key::Entry(Elem::F64, bits.clone(), i);
                    let n = self.number(key, Form::Entry(i, t.len()), site, t[i], t[i] as f32);
                    f64::from_bits(mark(n, Prim::F64))
                };
                Const::Table(Table::F64(Vec::leak((0..t.len()).map(entry).collect())))
            }
            Const::Table(Table::F32(t)) => {
                let bits: Vec<u64> = t.iter().map(|x| x.to_bits().into()).collect();
                let entry = |i: usize| {
                    let key = Key::Entry(Elem::F32, bits.clone(), i);
                    let n = self.number(key, Form::Entry(i, t.len()), site, t[i].into(), t[i]);
                    f32::from_bits(mark(n, Prim::F32) as u32)
                };
                Const::Table(Table::F32(Vec::leak((0..t.len()).map(entry).collect())))
            }
            other => other,
        }
    }

    fn number(&mut self, key: Key, form: Form, site: Site, wide: f64, narrow: f32) -> usize {
        let next = self.found.len();
        let n = *self.numbers.entry(key).or_insert(next);
        if n == next {
            self.found.push(Found {
                form,
                sites: Vec::new(),
                wide,
                narrow,
            });
        }
        let sites = &mut self.found[n].sites;
        // A kernel with const generics is more than one tree of the same text.
        let here = |s: &Site| s.loc == site.loc && s.kernel.line == site.kernel.line;
        if !sites.iter().any(here) {
            sites.push(site);
        }
        n
    }
}
