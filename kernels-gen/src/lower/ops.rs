//! Operators and methods, on lanes, literals and index values.

use super::body::{Body, Res};
use super::index;
use super::value::{Lowered, UntypedLiteral};
use crate::ir::{BinOp, Loc, UnOp};
use crate::ops::{Op, Prim, composed, method};
use crate::program::Value;

/// Whether the result's type determines the operands', and conversely.
fn keeps_type(op: Op) -> bool {
    use Op::{Eq, Ge, Gt, IsNan, IsSignNegative, Le, Lt, Ne, ToF32, ToF64, ToI32, ToI64};
    !matches!(
        op,
        Lt | Le | Gt | Ge | Eq | Ne | IsNan | IsSignNegative | ToF64 | ToF32 | ToI64 | ToI32
    )
}

impl Body<'_> {
    pub fn unary(&mut self, op: UnOp, val: Lowered, loc: Loc) -> Res<Lowered> {
        match (op, &val) {
            (UnOp::Not, Lowered::Bool(b)) => Ok(Lowered::Bool(!b)),
            (UnOp::Not, Lowered::Index(i)) => Ok(Lowered::Index(!i)),
            (UnOp::Neg, _) => self.uniform(Op::Neg, None, &[val], loc),
            (UnOp::Not, _) => self.uniform(Op::Not, None, &[val], loc),
        }
    }

    pub fn binary(&mut self, op: BinOp, a: Lowered, b: Lowered, loc: Loc) -> Res<Lowered> {
        let symbol = op.symbol();
        if let (Lowered::Bool(x), Lowered::Bool(y)) = (&a, &b)
            && let Some(r) = index::binary_bool(op, *x, *y)
        {
            return Ok(Lowered::Bool(r));
        }
        if matches!(op, BinOp::Shl | BinOp::Shr) && !matches!(a, Lowered::Index(_)) {
            return self.shift(op, op.on_lanes().unwrap_or(Op::Shl), a, b, loc);
        }
        let indexed = match (a.index(), b.index()) {
            (Some(x), Some(y)) => Some(index::binary(op, x, y)),
            _ => None,
        };
        if matches!(a, Lowered::Index(_)) || matches!(b, Lowered::Index(_)) {
            return match indexed {
                Some(Ok(Some(val))) => Ok(val),
                Some(Err(what)) => Err(self.error(loc, what, "index values are checked `usize`s")),
                Some(Ok(None)) => Err(self.bug(loc, &format!("`{symbol}` on `usize`"))),
                None => {
                    let other = if matches!(a, Lowered::Index(_)) {
                        &b
                    } else {
                        &a
                    };
                    Err(self.mismatch(loc, other, "a `usize`"))
                }
            };
        }
        // Literals on both sides: a comparison has the same value in every reading, and a number may also be an index.
        if let (Lowered::UntypedLiteral(_), Lowered::UntypedLiteral(_), Some(Ok(Some(val)))) =
            (&a, &b, &indexed)
        {
            match val {
                Lowered::Index(i) => return self.literals(op, &a, &b, Some(*i), loc),
                val => return Ok(val.clone()),
            }
        }
        match op.on_lanes() {
            Some(lane) => self.uniform(lane, None, &[a, b], loc),
            None => Err(self.error(
                loc,
                format!("`{symbol}` does not exist on lanes"),
                "write it with `trunc` and `mul_add`, or on integers with `&`",
            )),
        }
    }

    /// Arithmetic on two integer literals that is also index arithmetic.
    fn literals(
        &mut self,
        op: BinOp,
        a: &Lowered,
        b: &Lowered,
        i: Option<usize>,
        loc: Loc,
    ) -> Res<Lowered> {
        // Division exists on `usize` only.
        let val = match op.on_lanes() {
            Some(lane) if lane != Op::Div => {
                self.uniform(lane, None, &[a.clone(), b.clone()], loc)?
            }
            _ => Lowered::UntypedLiteral(UntypedLiteral {
                float: false,
                wide: None,
                narrow: None,
                index: None,
            }),
        };
        Ok(match val {
            Lowered::UntypedLiteral(d) => Lowered::UntypedLiteral(UntypedLiteral { index: i, ..d }),
            val => val,
        })
    }

    fn shift(&mut self, op: BinOp, lane: Op, a: Lowered, by: Lowered, loc: Loc) -> Res<Lowered> {
        match a {
            Lowered::One(v) if self.prim(v).is_int() => {
                let by = self.amount(&by, self.prim(v), loc)?;
                Ok(Lowered::One(self.op(lane, vec![v, by], loc)?))
            }
            Lowered::UntypedLiteral(d) if !d.float => {
                let mut readings = [d.wide, d.narrow];
                for (reading, ty) in readings.iter_mut().zip(d.prims()) {
                    if let Some(v) = *reading {
                        let by = self.amount(&by, ty, loc)?;
                        *reading = Some(self.op(lane, vec![v, by], loc)?);
                    }
                }
                let index = match (d.index, by.index()) {
                    (Some(x), Some(y)) if lane != Op::ShrLogical => match index::binary(op, x, y) {
                        Ok(Some(Lowered::Index(i))) => Some(i),
                        _ => None,
                    },
                    _ => None,
                };
                Ok(Lowered::UntypedLiteral(UntypedLiteral {
                    wide: readings[0],
                    narrow: readings[1],
                    index,
                    ..d
                }))
            }
            a => Err(self.mismatch(loc, &a, "integer lanes")),
        }
    }

    pub fn method(
        &mut self,
        name: &str,
        recv: Lowered,
        args: Vec<Lowered>,
        loc: Loc,
    ) -> Res<Lowered> {
        if let Some(m) = composed(name) {
            let mut operands = vec![recv];
            operands.extend(args);
            return self.composed(m, &operands, loc);
        }
        let Some(m) = method(name) else {
            return Err(self.error(
                loc,
                format!("unknown method `{name}`"),
                "the page *Operations* of the book lists all methods",
            ));
        };
        if m.arity != args.len() {
            let what = format!("`{name}` takes {} arguments, not {}", m.arity, args.len());
            return Err(self.bug(loc, &what));
        }
        match (m.op, &args[..]) {
            (Op::Select, [t, e]) => {
                let mask = self.cast(&recv, Prim::Mask, loc)?;
                self.merge(mask, t.clone(), e.clone(), loc)
            }
            (Op::ShrLogical, [by]) => self.shift(BinOp::Shr, m.op, recv, by.clone(), loc),
            // Loaded of 16 bits it is a binary32 number already; rustc has checked that it is no `DcFloat`.
            (Op::ToF32, []) if matches!(recv, Lowered::One(v) if self.prim(v) == Prim::F32) => {
                Ok(recv)
            }
            // A plain function's counter as a number; rustc has checked that it is none of the user's.
            (Op::ToI64, []) if recv.index().is_some() => {
                let n = recv.index().unwrap_or_default() as u64;
                Ok(Lowered::One(self.constant(Prim::I64, n, loc)?))
            }
            // `usize` has these methods itself.
            (Op::Min | Op::Max, [other]) if matches!(recv, Lowered::Index(_)) => {
                match (recv.index(), other.index()) {
                    (Some(a), Some(b)) if m.op == Op::Min => Ok(Lowered::Index(a.min(b))),
                    (Some(a), Some(b)) => Ok(Lowered::Index(a.max(b))),
                    _ => Err(self.mismatch(loc, other, "a `usize`")),
                }
            }
            _ => {
                let mut operands = vec![recv];
                operands.extend(args);
                self.uniform(m.op, None, &operands, loc)
            }
        }
    }

    /// An operation whose operands (except the mask of a select) have one type.
    pub fn uniform(
        &mut self,
        op: Op,
        mask: Option<Value>,
        vals: &[Lowered],
        loc: Loc,
    ) -> Res<Lowered> {
        if vals.iter().any(|v| matches!(v, Lowered::Dd(..))) && op != Op::Select {
            return Err(self.error(
                loc,
                format!("{op:?} does not exist on `DcDoubleDouble`"),
                "call a double-double kernel such as `dd_add(a, b)`, or use `.hi` and `.lo`",
            ));
        }
        let typed = vals.iter().find_map(|v| match v {
            Lowered::One(v) => Some(self.prim(*v)),
            _ => None,
        });
        if let Some(ty) = typed {
            return Ok(Lowered::One(self.typed(op, mask, vals, ty, loc)?));
        }
        let literals: Option<Vec<UntypedLiteral>> = vals
            .iter()
            .map(|v| match v {
                Lowered::UntypedLiteral(d) => Some(*d),
                _ => None,
            })
            .collect();
        match literals {
            Some(duals) if duals.iter().all(|d| d.float == duals[0].float) => {
                let float = duals[0].float;
                let [wide_ty, narrow_ty] = duals[0].prims();
                if !keeps_type(op) {
                    self.ambiguous(loc, &format!("{op:?}"));
                    return Ok(Lowered::One(self.typed(op, mask, vals, wide_ty, loc)?));
                }
                let mut wide = None;
                if duals.iter().all(|d| d.wide.is_some()) {
                    wide = Some(self.typed(op, mask, vals, wide_ty, loc)?);
                }
                let mut narrow = None;
                if duals.iter().all(|d| d.narrow.is_some()) {
                    narrow = Some(self.typed(op, mask, vals, narrow_ty, loc)?);
                }
                Ok(Lowered::UntypedLiteral(UntypedLiteral {
                    // `to_bits` gives the integer of the same width.
                    float: float && op != Op::ToBits,
                    wide,
                    narrow,
                    index: None,
                }))
            }
            None if vals.iter().all(|v| matches!(v, Lowered::Bool(_))) => {
                Ok(Lowered::One(self.typed(op, mask, vals, Prim::Mask, loc)?))
            }
            _ => Err(self.mismatch(loc, &vals[vals.len() - 1], "lanes of one type")),
        }
    }

    /// The instruction, with all operands read as `ty`.
    fn typed(
        &mut self,
        op: Op,
        mask: Option<Value>,
        vals: &[Lowered],
        ty: Prim,
        loc: Loc,
    ) -> Res<Value> {
        let mut args: Vec<Value> = mask.into_iter().collect();
        for val in vals {
            args.push(self.cast(val, ty, loc)?);
        }
        self.op(op, args, loc)
    }
}
