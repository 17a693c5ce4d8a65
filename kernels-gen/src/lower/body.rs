//! One function: statements, blocks, loops, branches.

use super::error::LowerError;
use super::index::Sequence;
use super::value::{Lowered, UntypedLiteral, flatten, prim_name, scalar};
use super::{InferredLiterals, MAX_DEPTH, MAX_INSTS, MAX_ITERATIONS, Module, unique};
use crate::check::result_prim;
use crate::ir::{Adaptor, Block, Expr, Kernel, Loc, Pat, Range, Stmt, Ty};
use crate::ops::{Op, Prim};
use crate::program::{Func, Inst, InstKind, TableId, Value};
use std::collections::HashSet;
use std::rc::Rc;
use std::sync::Arc;

pub(super) type Res<T> = Result<T, LowerError>;

/// A function being lowered.
pub(super) struct Body<'m> {
    pub module: &'m mut Module,
    pub kernel: &'static Kernel,
    insts: Vec<Inst>,
    /// The current value of each local.
    env: Vec<Option<Lowered>>,
    /// Locals bound to a literal that were later assigned a typed value.
    inferred: InferredLiterals,
    /// The first operation whose meaning depends only on the type of literals.
    ambiguous: Option<LowerError>,
}

impl<'m> Body<'m> {
    /// Lowers a kernel with the tables to which its table parameters are bound.
    ///
    /// `let mut s = 0.0; if s < 1.0 { … } s = s + x;` determines the type of `s` only in its last statement. So if a literal's type was
    /// needed and a later assignment determines the type of a local, the function is lowered again.
    pub fn lower(module: &'m mut Module, kernel: &'static Kernel, tables: &[TableId]) -> Res<Func> {
        let mut inferred = InferredLiterals::new();
        let iterations = module.iterations;
        loop {
            let before = inferred.len();
            let mut body = Body {
                module: &mut *module,
                kernel,
                insts: Vec::new(),
                env: vec![None; kernel.locals.len()],
                inferred,
                ambiguous: None,
            };
            let func = body.func(tables)?;
            match body.ambiguous {
                None => return Ok(func),
                Some(error) if body.inferred.len() == before => return Err(error),
                Some(_) => inferred = body.inferred,
            }
            module.iterations = iterations;
        }
    }

    fn func(&mut self, tables: &[TableId]) -> Res<Func> {
        let kernel = self.kernel;
        let loc = Loc {
            line: kernel.line,
            col: 0,
        };
        let mut names = HashSet::new();
        let mut params = Vec::new();
        let mut tables = tables.iter();
        for (i, param) in kernel.params.iter().enumerate() {
            let val = if let Ty::Table(_) = param.ty {
                let Some(&id) = tables.next() else {
                    return Err(self.bug(loc, "a table parameter without a table"));
                };
                Lowered::Table(id, Some(param.name))
            } else {
                let mut prims = Vec::new();
                flatten(param.ty, &mut prims);
                let first = self.insts.len();
                for (n, &prim) in prims.iter().enumerate() {
                    let name = match param.ty {
                        Ty::Dd => format!("{}_{}", param.name, ["hi", "lo"][n]),
                        Ty::Tuple(_) => format!("{}_{n}", param.name),
                        _ => param.name.to_string(),
                    };
                    params.push((unique(&mut names, &name), prim));
                    let number = self.insts.len() as u32;
                    let v = self.push(InstKind::Param(number), vec![], prim, loc)?;
                    self.insts[v.0 as usize].name = Some(param.name.into());
                }
                self.rebuild(param.ty, &mut (first as u32..).map(Value))
            };
            let Some(slot) = self.env.get_mut(i) else {
                return Err(self.bug(loc, "fewer locals than parameters"));
            };
            *slot = Some(val);
        }
        let value = self.block(&kernel.body)?;
        let end = kernel.body.value.map_or(loc, |e| e.loc);
        let value = self.coerce(value, kernel.ret, end)?;
        let mut results = Vec::new();
        Self::values_of(&value, &mut results);
        Ok(Func {
            name: kernel.name.to_string(),
            origin: Arc::new(kernel.origin()),
            params,
            insts: std::mem::take(&mut self.insts),
            results,
        })
    }

    // --- instructions

    pub fn push(&mut self, kind: InstKind, args: Vec<Value>, ty: Prim, loc: Loc) -> Res<Value> {
        if self.insts.len() >= MAX_INSTS {
            return Err(self.error(
                loc,
                format!("it has more than {MAX_INSTS} instructions after unrolling"),
                "shorten its loops, or move part of it into a helper kernel",
            ));
        }
        self.insts.push(Inst {
            kind,
            args,
            ty,
            loc,
            name: None,
        });
        Ok(Value(self.insts.len() as u32 - 1))
    }
    pub fn constant(&mut self, ty: Prim, bits: u64, loc: Loc) -> Res<Value> {
        self.push(InstKind::Const(bits), vec![], ty, loc)
    }
    pub fn op(&mut self, op: Op, args: Vec<Value>, loc: Loc) -> Res<Value> {
        let prims: Vec<Prim> = args.iter().map(|&a| self.prim(a)).collect();
        match result_prim(op, &prims) {
            Some(ty) => self.push(InstKind::Op(op), args, ty, loc),
            None => {
                let names: Vec<&str> = prims.iter().map(|&p| prim_name(p)).collect();
                let what = format!("{op:?} does not exist on {}", names.join(", "));
                Err(self.error(
                    loc,
                    what,
                    "the page *Operations* of the book lists what there is",
                ))
            }
        }
    }
    pub fn prim(&self, v: Value) -> Prim {
        self.insts[v.0 as usize].ty
    }

    // --- errors

    pub fn error(&self, loc: Loc, what: String, remedy: &str) -> LowerError {
        LowerError::new(self.kernel, loc, what, remedy)
    }
    /// The error for code that rustc or the macro should have rejected.
    pub fn bug(&self, loc: Loc, what: &str) -> LowerError {
        self.error(
            loc,
            what.to_string(),
            "rustc should have refused this: please report it",
        )
    }
    pub fn mismatch(&self, loc: Loc, val: &Lowered, wanted: &str) -> LowerError {
        let found = val.describe(|v| self.prim(v));
        self.bug(loc, &format!("expected {wanted}, found {found}"))
    }
    /// Records that only the type of literals decides here. Lowering continues with the wide reading.
    pub fn ambiguous(&mut self, loc: Loc, what: &str) {
        if self.ambiguous.is_none() {
            self.ambiguous = Some(self.error(
                loc,
                format!("{what} of literals only, whose type is not known here"),
                "write the type where one of them is bound: `let a: DcDouble = …`",
            ));
        }
    }

    // --- types

    /// The value as a value of that lane type.
    pub fn cast(&mut self, val: &Lowered, ty: Prim, loc: Loc) -> Res<Value> {
        let reading = match val {
            Lowered::One(v) if self.prim(*v) == ty => return Ok(*v),
            Lowered::Bool(b) if ty == Prim::Mask => return self.constant(ty, u64::from(*b), loc),
            Lowered::UntypedLiteral(d) => d.reading(ty),
            _ => None,
        };
        match reading {
            Some(Some(v)) => Ok(v),
            Some(None) => Err(self.error(
                loc,
                format!("the integer literal does not fit `{}`", prim_name(ty)),
                "use a smaller literal or the wider type",
            )),
            None => Err(self.mismatch(loc, val, prim_name(ty))),
        }
    }

    /// The value as a value of that type. For literals, the reading is selected.
    pub fn coerce(&mut self, val: Lowered, ty: Ty, loc: Loc) -> Res<Lowered> {
        if let Some(prim) = scalar(ty) {
            return Ok(Lowered::One(self.cast(&val, prim, loc)?));
        }
        match (ty, val) {
            (Ty::Dd, val @ Lowered::Dd(..)) => Ok(val),
            (Ty::Table(_), val @ Lowered::Table(..)) => Ok(val),
            (Ty::Tuple(types), Lowered::Tuple(items)) if types.len() == items.len() => {
                let items: Res<Vec<Lowered>> = types
                    .iter()
                    .zip(items.iter())
                    .map(|(&t, v)| self.coerce(v.clone(), t, loc))
                    .collect();
                Ok(Lowered::Tuple(Rc::from(items?)))
            }
            (ty, val) => Err(self.mismatch(loc, &val, &format!("{ty:?}"))),
        }
    }

    /// A value of a type, built from flattened values.
    pub fn rebuild(&self, ty: Ty, from: &mut impl Iterator<Item = Value>) -> Lowered {
        let mut next = || from.next().expect("as many values as the type flattens to");
        match ty {
            Ty::Dd => Lowered::Dd(next(), next()),
            Ty::Tuple(items) => items.iter().map(|&t| self.rebuild(t, from)).collect(),
            _ => Lowered::One(next()),
        }
    }

    /// Appends the flattened values of a coerced value.
    pub fn values_of(val: &Lowered, out: &mut Vec<Value>) {
        match val {
            Lowered::One(v) => out.push(*v),
            Lowered::Dd(hi, lo) => out.extend([*hi, *lo]),
            Lowered::Tuple(items) => items.iter().for_each(|v| Self::values_of(v, out)),
            Lowered::UntypedLiteral(_)
            | Lowered::Index(_)
            | Lowered::Bool(_)
            | Lowered::Table(..) => {}
        }
    }

    // --- locals

    pub fn local(&self, local: u32, loc: Loc) -> Res<Lowered> {
        match self.env.get(local as usize) {
            Some(Some(val)) => Ok(val.clone()),
            _ => Err(self.bug(loc, "a local without a value")),
        }
    }

    fn bind(&mut self, local: u32, val: Lowered, loc: Loc) -> Res<()> {
        let Some(&name) = self.kernel.locals.get(local as usize) else {
            return Err(self.bug(loc, "a local without a name"));
        };
        let val = match (&val, self.inferred.get(&local)) {
            (Lowered::UntypedLiteral(_), Some(&prim)) => Lowered::One(self.cast(&val, prim, loc)?),
            _ => val,
        };
        self.name(&val, name);
        self.env[local as usize] = Some(val);
        Ok(())
    }

    fn assign(&mut self, local: u32, val: Lowered, loc: Loc) -> Res<()> {
        let old = self.local(local, loc)?;
        let val = match (old, val) {
            (Lowered::UntypedLiteral(_), Lowered::One(v)) => {
                self.inferred.insert(local, self.prim(v));
                Lowered::One(v)
            }
            (Lowered::One(v), val @ Lowered::UntypedLiteral(_)) => {
                Lowered::One(self.cast(&val, self.prim(v), loc)?)
            }
            (_, val) => val,
        };
        self.bind(local, val, loc)
    }

    /// Gives the instructions of a value a name if they have none yet.
    fn name(&mut self, val: &Lowered, name: &'static str) {
        let mut give = |v: Value| {
            self.insts[v.0 as usize]
                .name
                .get_or_insert_with(|| name.into());
        };
        match val {
            Lowered::One(v) => give(*v),
            Lowered::Dd(hi, lo) => {
                give(*hi);
                give(*lo);
            }
            Lowered::UntypedLiteral(UntypedLiteral { wide, narrow, .. }) => {
                wide.iter().chain(narrow).for_each(|&v| give(v));
            }
            // The parts of a tuple get names when they are taken apart.
            Lowered::Tuple(_) | Lowered::Index(_) | Lowered::Bool(_) | Lowered::Table(..) => {}
        }
    }

    fn pattern(&mut self, pat: &Pat, val: Lowered, loc: Loc) -> Res<()> {
        match (pat, val) {
            (Pat::Wild, _) => Ok(()),
            (Pat::Local(local), val) => self.bind(*local, val, loc),
            (Pat::Tuple(pats), Lowered::Tuple(items)) if pats.len() == items.len() => pats
                .iter()
                .zip(items.iter())
                .try_for_each(|(p, v)| self.pattern(p, v.clone(), loc)),
            (Pat::Tuple(_), val) => Err(self.mismatch(loc, &val, "a tuple")),
        }
    }

    // --- statements

    pub fn block(&mut self, block: &'static Block) -> Res<Lowered> {
        for stmt in block.stmts {
            self.stmt(stmt)?;
        }
        match block.value {
            Some(expr) => self.expr(expr),
            None => Ok(Lowered::unit()),
        }
    }

    fn stmt(&mut self, stmt: &'static Stmt) -> Res<()> {
        match stmt {
            Stmt::Let(pat, ty, expr) => {
                let mut val = self.expr(expr)?;
                if let Some(ty) = ty {
                    val = self.coerce(val, *ty, expr.loc)?;
                }
                self.pattern(pat, val, expr.loc)
            }
            Stmt::Assign(local, expr) => {
                let val = self.expr(expr)?;
                self.assign(*local, val, expr.loc)
            }
            Stmt::Expr(expr) => self.expr(expr).map(drop),
            Stmt::For(counter, range, body, loc) => {
                let sequence = self.range(range)?;
                // Before the first iteration, so that `0..usize::MAX` is refused at once.
                self.module.iterations = self.module.iterations.saturating_add(sequence.len);
                if self.module.iterations > MAX_ITERATIONS {
                    return Err(self.error(
                        *loc,
                        format!(
                            "{} loop iterations with this loop (limit {MAX_ITERATIONS})",
                            self.module.iterations
                        ),
                        "loops are unrolled: shorten the range",
                    ));
                }
                for i in sequence.iter() {
                    self.bind(*counter, Lowered::Index(i), *loc)?;
                    self.block(body)?;
                }
                Ok(())
            }
        }
    }

    fn range(&mut self, range: &'static Range) -> Res<Sequence> {
        let start = self.index_expr(range.start)?;
        let end = self.index_expr(range.end)?;
        let mut sequence = Sequence::range(start, end, range.inclusive);
        for adaptor in range.adaptors {
            sequence = match adaptor {
                Adaptor::Rev => sequence.rev(),
                Adaptor::StepBy(expr) => match self.index_expr(expr)? {
                    0 => {
                        return Err(self.error(
                            expr.loc,
                            "`step_by(0)` never advances".into(),
                            "step by at least 1",
                        ));
                    }
                    k => sequence.step_by(k),
                },
            };
        }
        Ok(sequence)
    }

    /// An expression whose value must be known during lowering, as a `usize`.
    pub fn index_expr(&mut self, expr: &'static Expr) -> Res<usize> {
        let val = self.expr(expr)?;
        match val.index() {
            Some(i) => Ok(i),
            None => Err(self.error(
                expr.loc,
                format!(
                    "{} where a constant `usize` is needed",
                    val.describe(|v| self.prim(v))
                ),
                "use literals, constants, const generics and loop counters here",
            )),
        }
    }

    // --- branches

    pub fn branch(
        &mut self,
        cond: &'static Expr,
        then: &'static Block,
        otherwise: Option<&'static Block>,
    ) -> Res<Lowered> {
        let c = match self.expr(cond)? {
            Lowered::Bool(true) => return self.block(then),
            Lowered::Bool(false) => {
                return otherwise.map_or(Ok(Lowered::unit()), |block| self.block(block));
            }
            val => self.cast(&val, Prim::Mask, cond.loc)?,
        };
        let before = self.env.clone();
        let then_val = self.block(then)?;
        let then_env = std::mem::replace(&mut self.env, before.clone());
        let else_val = match otherwise {
            Some(block) => self.block(block)?,
            None => Lowered::unit(),
        };
        let else_env = std::mem::replace(&mut self.env, before);
        for (i, (t, e)) in then_env.into_iter().zip(else_env).enumerate() {
            // A local that exists only in an arm is out of scope now.
            if let (Some(old), Some(t), Some(e)) = (&self.env[i], t, e)
                && (t != *old || e != *old)
            {
                let val = self.merge(c, t, e, cond.loc)?;
                self.assign(i as u32, val, cond.loc)?;
            }
        }
        self.merge(c, then_val, else_val, cond.loc)
    }

    /// `t` in the lanes where the mask holds, otherwise `e`.
    pub fn merge(&mut self, c: Value, t: Lowered, e: Lowered, loc: Loc) -> Res<Lowered> {
        // The same value from both arms is that value, with no select.
        if t == e {
            return Ok(t);
        }
        match (t, e) {
            (Lowered::Dd(th, tl), Lowered::Dd(eh, el)) => {
                let hi = self.op(Op::Select, vec![c, th, eh], loc)?;
                let lo = self.op(Op::Select, vec![c, tl, el], loc)?;
                Ok(Lowered::Dd(hi, lo))
            }
            (Lowered::Tuple(t), Lowered::Tuple(e)) if t.len() == e.len() => {
                let items: Res<Vec<Lowered>> = t
                    .iter()
                    .zip(e.iter())
                    .map(|(t, e)| self.merge(c, t.clone(), e.clone(), loc))
                    .collect();
                Ok(Lowered::Tuple(Rc::from(items?)))
            }
            (t @ (Lowered::Index(_) | Lowered::Table(..)), e)
            | (e, t @ (Lowered::Index(_) | Lowered::Table(..)))
                if !matches!(e, Lowered::One(_) | Lowered::Dd(..)) =>
            {
                let kind = t.describe(|v| self.prim(v));
                Err(self.error(
                    loc,
                    format!("{kind} would differ from lane to lane after this `if` on a mask"),
                    "make the condition constant, or use `DcLong`/`DcInt`",
                ))
            }
            (t, e) => self.uniform(Op::Select, Some(c), &[t, e], loc),
        }
    }

    // --- nesting

    /// Calls `f` one nesting level deeper.
    pub fn deeper<T>(&mut self, loc: Loc, f: impl FnOnce(&mut Self) -> Res<T>) -> Res<T> {
        if self.module.depth >= MAX_DEPTH {
            return Err(self.error(
                loc,
                format!("expressions and calls are nested more than {MAX_DEPTH} deep"),
                "bind parts of it with `let`",
            ));
        }
        self.module.depth += 1;
        let result = f(self);
        self.module.depth -= 1;
        result
    }
}

impl FromIterator<Lowered> for Lowered {
    fn from_iter<T: IntoIterator<Item = Lowered>>(items: T) -> Self {
        Lowered::Tuple(items.into_iter().collect())
    }
}
