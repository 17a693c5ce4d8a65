//! Expressions: literals, paths, calls, tables, fields.

use super::body::{Body, Res};
use super::value::{Lowered, UntypedLiteral};
use crate::ir::{BinOp, Const, Expr, ExprKind, Kernel, Loc, Ty, UnOp};
use crate::ops::{Op, Prim};
use crate::program::{InstKind, TableData, TableId, Value};

impl Body<'_> {
    /// Lowers an expression.
    pub fn expr(&mut self, expr: &'static Expr) -> Res<Lowered> {
        let loc = expr.loc;
        self.deeper(loc, |body| match &expr.kind {
            ExprKind::Local(local) => body.local(*local, loc),
            ExprKind::Float(wide, narrow) => body.float(*wide, *narrow, loc),
            ExprKind::Int(n) => body.int(*n, loc),
            ExprKind::Bool(b) => Ok(Lowered::Bool(*b)),
            ExprKind::Const(k) => body.path(*k, loc),
            ExprKind::Unary(op, operand) => body.unary_expr(*op, operand, loc),
            ExprKind::Binary(..) => body.binary_expr(expr),
            ExprKind::Method(name, receiver, args) => {
                let receiver = body.expr(receiver)?;
                let args = body.exprs(args)?;
                body.method(name, receiver, args, loc)
            }
            ExprKind::Assoc(ty, name, args) => {
                let args = body.exprs(args)?;
                body.assoc(*ty, name, &args, loc)
            }
            ExprKind::Call(kernel, args) => {
                let given = body.exprs(args)?;
                body.call(kernel, args, given, loc)
            }
            ExprKind::Function(kernels, args) => {
                let given = body.exprs(args)?;
                let kernel = body.of_precision(kernels, &given, loc)?;
                body.call(kernel, args, given, loc)
            }
            ExprKind::Index(table, index) => body.table_index(table, index, loc),
            ExprKind::Len(table) => {
                let (id, _) = body.table(table)?;
                Ok(Lowered::Index(body.table_data(id).bits.len()))
            }
            ExprKind::Tuple(items) => Ok(body.exprs(items)?.into_iter().collect()),
            ExprKind::Field(of, n) => body.field(of, *n, loc),
            ExprKind::If(cond, then, otherwise) => body.branch(cond, then, otherwise.as_ref()),
            ExprKind::Block(block) => body.block(block),
        })
    }

    fn exprs(&mut self, exprs: &'static [Expr]) -> Res<Vec<Lowered>> {
        exprs.iter().map(|e| self.expr(e)).collect()
    }

    // --- literals and paths

    fn float(&mut self, wide: f64, narrow: f32, loc: Loc) -> Res<Lowered> {
        let narrow = u64::from(narrow.to_bits());
        Ok(Lowered::UntypedLiteral(UntypedLiteral {
            float: true,
            wide: Some(self.constant(Prim::F64, wide.to_bits(), loc)?),
            narrow: Some(self.constant(Prim::F32, narrow, loc)?),
            index: None,
        }))
    }

    /// Signed and unsigned literals are both accepted, so that masks can be written in hexadecimal.
    fn int(&mut self, n: i128, loc: Loc) -> Res<Lowered> {
        let fits = |min: i128, max: i128| (min..=max).contains(&n);
        let wide = if fits(i64::MIN.into(), u64::MAX.into()) {
            Some(self.constant(Prim::I64, n as u64, loc)?)
        } else {
            None
        };
        let narrow = if fits(i32::MIN.into(), u32::MAX.into()) {
            Some(self.constant(Prim::I32, u64::from(n as u32), loc)?)
        } else {
            None
        };
        Ok(Lowered::UntypedLiteral(UntypedLiteral {
            float: false,
            wide,
            narrow,
            index: usize::try_from(n).ok(),
        }))
    }

    fn path(&mut self, constant: Const, loc: Loc) -> Res<Lowered> {
        let (ty, bits) = match constant {
            Const::F64(x) => (Prim::F64, x.to_bits()),
            Const::F32(x) => (Prim::F32, x.to_bits().into()),
            Const::I64(x) => (Prim::I64, x.cast_unsigned()),
            Const::U64(x) => (Prim::I64, x),
            Const::I32(x) => (Prim::I32, x.cast_unsigned().into()),
            Const::U32(x) => (Prim::I32, x.into()),
            Const::Usize(x) => return Ok(Lowered::Index(x)),
            Const::Bool(x) => return Ok(Lowered::Bool(x)),
            Const::Table(t) => return Ok(Lowered::Table(self.module.table(t), None)),
        };
        Ok(Lowered::One(self.constant(ty, bits, loc)?))
    }

    // --- operators

    fn unary_expr(&mut self, op: UnOp, operand: &'static Expr, loc: Loc) -> Res<Lowered> {
        // The sign belongs to the literal: `-0.0`, `-9223372036854775808`.
        match (op, &operand.kind) {
            (UnOp::Neg, ExprKind::Float(wide, narrow)) => self.float(-wide, -narrow, loc),
            (UnOp::Neg, ExprKind::Int(n)) => self.int(n.wrapping_neg(), loc),
            _ => {
                let val = self.expr(operand)?;
                self.unary(op, val, loc)
            }
        }
    }

    /// The left operands are visited in a loop, so that a sum of thousands of terms needs no deep recursion.
    fn binary_expr(&mut self, expr: &'static Expr) -> Res<Lowered> {
        let mut spine = Vec::new();
        let mut leaf = expr;
        while let ExprKind::Binary(op, left, right) = &leaf.kind {
            spine.push((*op, *right, leaf.loc));
            leaf = left;
        }
        let mut val = self.expr(leaf)?;
        for (op, right, loc) in spine.into_iter().rev() {
            val = match (op, val) {
                // As in Rust, the right side may have no value here: `i > 0 && i - 1 < N`.
                (BinOp::AndAlso, Lowered::Bool(false)) => Lowered::Bool(false),
                (BinOp::OrElse, Lowered::Bool(true)) => Lowered::Bool(true),
                (op, left) => {
                    let right = self.expr(right)?;
                    self.binary(op, left, right, loc)?
                }
            };
        }
        Ok(val)
    }

    // --- calls

    fn assoc(&mut self, ty: Ty, name: &str, args: &[Lowered], loc: Loc) -> Res<Lowered> {
        match (ty, name, args) {
            (Ty::Dd, "new", [hi, lo]) => {
                let hi = self.cast(hi, Prim::F64, loc)?;
                Ok(Lowered::Dd(hi, self.cast(lo, Prim::F64, loc)?))
            }
            (Ty::F64 | Ty::F32, "from_bits", [bits]) => {
                let from = if ty == Ty::F64 { Prim::I64 } else { Prim::I32 };
                let bits = self.cast(bits, from, loc)?;
                Ok(Lowered::One(self.op(Op::FromBits, vec![bits], loc)?))
            }
            // The bits of integer lanes are the integers themselves.
            (Ty::I64 | Ty::I32, "from_bits", [bits]) => self.coerce(bits.clone(), ty, loc),
            _ => Err(self.error(
                loc,
                format!("unknown function `{name}` with {} arguments", args.len()),
                "there are `from_bits(bits)` and `DcDoubleDouble::new(hi, lo)`",
            )),
        }
    }

    /// The kernel for the first argument's type.
    fn of_precision(
        &mut self,
        kernels: &[&'static Kernel],
        given: &[Lowered],
        loc: Loc,
    ) -> Res<&'static Kernel> {
        if let Some(&Lowered::One(first)) = given.first() {
            let ty = match self.prim(first) {
                Prim::F64 => Ty::F64,
                _ => Ty::F32,
            };
            let fits = |k: &&&Kernel| k.params.first().is_some_and(|p| p.ty == ty);
            if let Some(kernel) = kernels.iter().find(fits) {
                return Ok(kernel);
            }
        }
        Err(self.bug(loc, "a function of a value that is no number"))
    }

    fn call(
        &mut self,
        kernel: &'static Kernel,
        args: &'static [Expr],
        given: Vec<Lowered>,
        loc: Loc,
    ) -> Res<Lowered> {
        if args.len() != kernel.params.len() {
            return Err(self.bug(loc, "a call with the wrong number of arguments"));
        }
        let (mut values, mut tables) = (Vec::new(), Vec::new());
        for ((arg, val), param) in args.iter().zip(given).zip(kernel.params) {
            let val = self.coerce(val, param.ty, arg.loc)?;
            match val {
                Lowered::Table(id, _) => {
                    let entries = self.table_data(id).bits.len();
                    if !param.length.fits(entries) {
                        let what = format!(
                            "the table for `{}` of `{}` has {entries} entries; {}",
                            param.name, kernel.name, param.length.why
                        );
                        let remedy = "pass one of another length";
                        return Err(self.error(arg.loc, what, remedy));
                    }
                    tables.push(id);
                }
                val => Self::values_of(&val, &mut values),
            }
        }
        let func = self.deeper(loc, |body| body.module.func(kernel, &tables))?;
        let callee = &self.module.funcs[func.0 as usize];
        let prims: Vec<Prim> = callee.results.iter().map(|&r| callee.ty(r)).collect();
        // A helper without results has no effect.
        let mut results = Vec::new();
        if let Some(&first) = prims.first() {
            let call = self.push(InstKind::Call(func), values, first, loc)?;
            for (i, &prim) in prims.iter().enumerate() {
                results.push(self.push(InstKind::Result(i as u32), vec![call], prim, loc)?);
            }
        }
        Ok(self.rebuild(kernel.ret, &mut results.into_iter()))
    }

    // --- tables and fields

    fn table_data(&self, id: TableId) -> &TableData {
        &self.module.tables[id.0 as usize]
    }

    fn table(&mut self, expr: &'static Expr) -> Res<(TableId, String)> {
        match self.expr(expr)? {
            Lowered::Table(id, Some(name)) => Ok((id, format!("table `{name}`"))),
            Lowered::Table(id, None) => Ok((id, "the table".into())),
            val => Err(self.mismatch(expr.loc, &val, "a table")),
        }
    }

    fn table_index(&mut self, of: &'static Expr, index: &'static Expr, loc: Loc) -> Res<Lowered> {
        let (id, name) = self.table(of)?;
        let index_val = self.expr(index)?;
        let table = self.table_data(id);
        let (len, prim) = (table.bits.len(), table.prim());
        if len == 0 {
            let what = format!("{name} is empty, so no index is inside");
            return Err(self.error(loc, what, "give it at least one entry"));
        }
        if let Lowered::One(v) = index_val {
            if !self.prim(v).is_int() {
                return Err(self.mismatch(index.loc, &index_val, "an index"));
            }
            return Ok(Lowered::One(self.push(
                InstKind::Load(id),
                vec![v],
                prim,
                loc,
            )?));
        }
        let Some(i) = index_val.index() else {
            return Err(self.mismatch(index.loc, &index_val, "an index"));
        };
        match self.table_data(id).bits.get(i) {
            Some(&bits) => Ok(Lowered::One(self.constant(prim, bits, loc)?)),
            None => {
                let entries = if len == 1 { "entry" } else { "entries" };
                Err(self.error(
                    index.loc,
                    format!("index {i} is past the end of {name} ({len} {entries})"),
                    "change the index or the loop's range",
                ))
            }
        }
    }

    fn field(&mut self, of: &'static Expr, n: u32, loc: Loc) -> Res<Lowered> {
        match (self.expr(of)?, n) {
            (Lowered::Dd(hi, _), 0) => Ok(Lowered::One(hi)),
            (Lowered::Dd(_, lo), 1) => Ok(Lowered::One(lo)),
            (Lowered::Tuple(items), n) if (n as usize) < items.len() => {
                Ok(items[n as usize].clone())
            }
            (val, n) => Err(self.mismatch(loc, &val, &format!("something with a field {n}"))),
        }
    }

    /// The reading of `val` as the amount of a shift of `ty`. Amounts are taken modulo the width, so the low bits are sufficient.
    pub fn amount(&mut self, val: &Lowered, ty: Prim, loc: Loc) -> Res<Value> {
        match val {
            Lowered::Index(n) => {
                let bits = if ty == Prim::I32 {
                    u64::from(*n as u32)
                } else {
                    *n as u64
                };
                self.constant(ty, bits, loc)
            }
            Lowered::One(v) => match (self.prim(*v), ty) {
                (Prim::I32, Prim::I64) => self.op(Op::ToI64, vec![*v], loc),
                (Prim::I64, Prim::I32) => self.op(Op::ToI32, vec![*v], loc),
                _ => self.cast(val, ty, loc),
            },
            _ => self.cast(val, ty, loc),
        }
    }
}
