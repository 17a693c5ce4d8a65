//! One function: statements, blocks, loops, branches.

use super::error::LowerError;
use super::index::Sequence;
use super::value::{Dual, Val, flatten, prim_name, scalar};
use super::{Learned, MAX_DEPTH, MAX_INSTS, MAX_ITERATIONS, Module, unique};
use crate::check::result_prim;
use crate::ir::{Adaptor, Block, Expr, Kernel, Loc, Pat, Range, Stmt, Ty};
use crate::ops::{Op, Prim};
use crate::program::{Func, Inst, InstKind, TableId, Value};
use std::collections::HashSet;
use std::rc::Rc;

pub(super) type Res<T> = Result<T, LowerError>;

/// A function being lowered.
pub(super) struct Body<'m> {
    pub module: &'m mut Module,
    pub kernel: &'static Kernel,
    insts: Vec<Inst>,
    /// What each local is now.
    env: Vec<Option<Val>>,
    /// Locals bound to a literal that were later assigned a typed value.
    learned: Learned,
    /// The first operation whose meaning depends on the type of literals alone.
    ambiguous: Option<LowerError>,
}

impl<'m> Body<'m> {
    /// Lowers a kernel for the tables given to its table parameters.
    ///
    /// `let mut s = 0.0; if s < 1.0 { … } s = s + x;` says only in its last statement what `s` is. So when a
    /// literal's type was needed and an assignment taught us more about a local, the function is lowered again.
    pub fn lower(module: &'m mut Module, kernel: &'static Kernel, tables: &[TableId]) -> Res<Func> {
        let mut learned = Learned::new();
        let iterations = module.iterations;
        loop {
            let before = learned.len();
            let mut body = Body {
                module: &mut *module,
                kernel,
                insts: Vec::new(),
                env: vec![None; kernel.locals.len()],
                learned,
                ambiguous: None,
            };
            let func = body.func(tables)?;
            match body.ambiguous {
                None => return Ok(func),
                Some(error) if body.learned.len() == before => return Err(error),
                Some(_) => learned = body.learned,
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
                Val::Table(id, Some(param.name))
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
                    self.insts[v.0 as usize].name = Some(param.name);
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
            kernel,
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
    pub fn konst(&mut self, ty: Prim, bits: u64, loc: Loc) -> Res<Value> {
        self.push(InstKind::Const(bits), vec![], ty, loc)
    }
    pub fn op(&mut self, op: Op, args: Vec<Value>, loc: Loc) -> Res<Value> {
        let prims: Vec<Prim> = args.iter().map(|&a| self.prim(a)).collect();
        match result_prim(op, &prims) {
            Some(ty) => self.push(InstKind::Op(op), args, ty, loc),
            None => {
                let names: Vec<&str> = prims.iter().map(|&p| prim_name(p)).collect();
                let what = format!("{op:?} does not exist on {}", names.join(", "));
                Err(self.error(loc, what, "see docs/operations.md for what there is"))
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
    /// Something that rustc or the macro should have refused.
    pub fn bug(&self, loc: Loc, what: &str) -> LowerError {
        self.error(
            loc,
            what.to_string(),
            "rustc should have refused this: please report it",
        )
    }
    pub fn mismatch(&self, loc: Loc, val: &Val, wanted: &str) -> LowerError {
        let found = val.describe(|v| self.prim(v));
        self.bug(loc, &format!("expected {wanted}, found {found}"))
    }
    /// Notes that the type of literals alone decides here; lowering goes on with the wide reading.
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

    /// The value as that lane type.
    pub fn cast(&mut self, val: &Val, ty: Prim, loc: Loc) -> Res<Value> {
        let reading = match val {
            Val::One(v) if self.prim(*v) == ty => return Ok(*v),
            Val::Bool(b) if ty == Prim::Mask => return self.konst(ty, u64::from(*b), loc),
            Val::Dual(d) => d.reading(ty),
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

    /// The value as that type, literals picked.
    pub fn coerce(&mut self, val: Val, ty: Ty, loc: Loc) -> Res<Val> {
        if let Some(prim) = scalar(ty) {
            return Ok(Val::One(self.cast(&val, prim, loc)?));
        }
        match (ty, val) {
            (Ty::Dd, val @ Val::Dd(..)) => Ok(val),
            (Ty::Table(_), val @ Val::Table(..)) => Ok(val),
            (Ty::Tuple(types), Val::Tuple(items)) if types.len() == items.len() => {
                let items: Res<Vec<Val>> = types
                    .iter()
                    .zip(items.iter())
                    .map(|(&t, v)| self.coerce(v.clone(), t, loc))
                    .collect();
                Ok(Val::Tuple(Rc::from(items?)))
            }
            (ty, val) => Err(self.mismatch(loc, &val, &format!("{ty:?}"))),
        }
    }

    /// The value of a type made of flattened ones.
    pub fn rebuild(&self, ty: Ty, from: &mut impl Iterator<Item = Value>) -> Val {
        let mut next = || from.next().expect("as many values as the type flattens to");
        match ty {
            Ty::Dd => Val::Dd(next(), next()),
            Ty::Tuple(items) => items.iter().map(|&t| self.rebuild(t, from)).collect(),
            _ => Val::One(next()),
        }
    }

    /// Appends the flattened values of a coerced value.
    pub fn values_of(val: &Val, out: &mut Vec<Value>) {
        match val {
            Val::One(v) => out.push(*v),
            Val::Dd(hi, lo) => out.extend([*hi, *lo]),
            Val::Tuple(items) => items.iter().for_each(|v| Self::values_of(v, out)),
            Val::Dual(_) | Val::Index(_) | Val::Bool(_) | Val::Table(..) => {}
        }
    }

    // --- locals

    pub fn local(&self, local: u32, loc: Loc) -> Res<Val> {
        match self.env.get(local as usize) {
            Some(Some(val)) => Ok(val.clone()),
            _ => Err(self.bug(loc, "a local without a value")),
        }
    }

    fn bind(&mut self, local: u32, val: Val, loc: Loc) -> Res<()> {
        let Some(&name) = self.kernel.locals.get(local as usize) else {
            return Err(self.bug(loc, "a local without a name"));
        };
        let val = match (&val, self.learned.get(&local)) {
            (Val::Dual(_), Some(&prim)) => Val::One(self.cast(&val, prim, loc)?),
            _ => val,
        };
        self.name(&val, name);
        self.env[local as usize] = Some(val);
        Ok(())
    }

    fn assign(&mut self, local: u32, val: Val, loc: Loc) -> Res<()> {
        let old = self.local(local, loc)?;
        let val = match (old, val) {
            (Val::Dual(_), Val::One(v)) => {
                self.learned.insert(local, self.prim(v));
                Val::One(v)
            }
            (Val::One(v), val @ Val::Dual(_)) => Val::One(self.cast(&val, self.prim(v), loc)?),
            (_, val) => val,
        };
        self.bind(local, val, loc)
    }

    /// Gives the instructions of a value a name if they have none yet.
    fn name(&mut self, val: &Val, name: &'static str) {
        let mut give = |v: Value| {
            self.insts[v.0 as usize].name.get_or_insert(name);
        };
        match val {
            Val::One(v) => give(*v),
            Val::Dd(hi, lo) => {
                give(*hi);
                give(*lo);
            }
            Val::Dual(Dual { wide, narrow, .. }) => {
                wide.iter().chain(narrow).for_each(|&v| give(v));
            }
            // The parts of a tuple get names when they are taken apart.
            Val::Tuple(_) | Val::Index(_) | Val::Bool(_) | Val::Table(..) => {}
        }
    }

    fn pattern(&mut self, pat: &Pat, val: Val, loc: Loc) -> Res<()> {
        match (pat, val) {
            (Pat::Wild, _) => Ok(()),
            (Pat::Local(local), val) => self.bind(*local, val, loc),
            (Pat::Tuple(pats), Val::Tuple(items)) if pats.len() == items.len() => pats
                .iter()
                .zip(items.iter())
                .try_for_each(|(p, v)| self.pattern(p, v.clone(), loc)),
            (Pat::Tuple(_), val) => Err(self.mismatch(loc, &val, "a tuple")),
        }
    }

    // --- statements

    pub fn block(&mut self, block: &'static Block) -> Res<Val> {
        for stmt in block.stmts {
            self.stmt(stmt)?;
        }
        match block.value {
            Some(expr) => self.expr(expr),
            None => Ok(Val::unit()),
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
                    self.bind(*counter, Val::Index(i), *loc)?;
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

    /// An expression that must be known now, as a `usize`.
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
    ) -> Res<Val> {
        let c = match self.expr(cond)? {
            Val::Bool(true) => return self.block(then),
            Val::Bool(false) => {
                return otherwise.map_or(Ok(Val::unit()), |block| self.block(block));
            }
            val => self.cast(&val, Prim::Mask, cond.loc)?,
        };
        let before = self.env.clone();
        let then_val = self.block(then)?;
        let then_env = std::mem::replace(&mut self.env, before.clone());
        let else_val = match otherwise {
            Some(block) => self.block(block)?,
            None => Val::unit(),
        };
        let else_env = std::mem::replace(&mut self.env, before);
        for (i, (t, e)) in then_env.into_iter().zip(else_env).enumerate() {
            // A local of an arm only is out of scope now.
            if let (Some(old), Some(t), Some(e)) = (&self.env[i], t, e)
                && (t != *old || e != *old)
            {
                let val = self.merge(c, t, e, cond.loc)?;
                self.assign(i as u32, val, cond.loc)?;
            }
        }
        self.merge(c, then_val, else_val, cond.loc)
    }

    /// `t` on the lanes where the mask holds, else `e`.
    pub fn merge(&mut self, c: Value, t: Val, e: Val, loc: Loc) -> Res<Val> {
        // The same value from both arms is that value, with no select.
        if t == e {
            return Ok(t);
        }
        match (t, e) {
            (Val::Dd(th, tl), Val::Dd(eh, el)) => {
                let hi = self.op(Op::Select, vec![c, th, eh], loc)?;
                let lo = self.op(Op::Select, vec![c, tl, el], loc)?;
                Ok(Val::Dd(hi, lo))
            }
            (Val::Tuple(t), Val::Tuple(e)) if t.len() == e.len() => {
                let items: Res<Vec<Val>> = t
                    .iter()
                    .zip(e.iter())
                    .map(|(t, e)| self.merge(c, t.clone(), e.clone(), loc))
                    .collect();
                Ok(Val::Tuple(Rc::from(items?)))
            }
            (t @ (Val::Index(_) | Val::Table(..)), e)
            | (e, t @ (Val::Index(_) | Val::Table(..)))
                if !matches!(e, Val::One(_) | Val::Dd(..)) =>
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

    /// Runs `f` one level deeper.
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

impl FromIterator<Val> for Val {
    fn from_iter<T: IntoIterator<Item = Val>>(items: T) -> Self {
        Val::Tuple(items.into_iter().collect())
    }
}
