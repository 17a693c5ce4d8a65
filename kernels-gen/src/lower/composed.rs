//! Methods that consist of a few operations: `minimum`, `maximum`, `clamp`.
//!
//! The types of `dc-runtime` compute the same operations in the same order. Choices are nested selections and not logic on masks. So if one
//! condition is constant on a whole stretch of inputs, an analysis follows one arm.

use super::body::{Body, Res};
use super::value::{Lowered, UntypedLiteral};
use crate::ir::Loc;
use crate::ops::{Composed, ComposedMethod, Op, Prim};
use crate::program::Value;

impl Body<'_> {
    /// The method on its receiver and arguments, all of one type.
    pub fn composed(
        &mut self,
        method: &ComposedMethod,
        vals: &[Lowered],
        loc: Loc,
    ) -> Res<Lowered> {
        let ComposedMethod { name, arity, .. } = method;
        if vals.len() != arity + 1 {
            let what = format!("`{name}` takes {arity} arguments, not {}", vals.len() - 1);
            return Err(self.bug(loc, &what));
        }
        if vals.iter().any(|v| matches!(v, Lowered::Dd(..))) {
            let what = format!("`{name}` does not exist on `DcDoubleDouble`");
            let remedy = "compare with `dd_lt(a, b)` and choose with `if`, or use `.hi`";
            return Err(self.error(loc, what, remedy));
        }
        if matches!(vals[0], Lowered::Index(_)) {
            return self.clamped_index(method, vals, loc);
        }
        let typed = vals.iter().find_map(|v| match v {
            Lowered::One(v) => Some(self.prim(*v)),
            _ => None,
        });
        if let Some(ty) = typed {
            return Ok(Lowered::One(self.reading(method, vals, ty, loc)?));
        }
        // Only literals: they are computed in both readings, like every operation on literals.
        let mut literals = vals.iter().map(|v| match v {
            Lowered::UntypedLiteral(d) => Ok(*d),
            other => Err(self.mismatch(loc, other, "lanes of one type")),
        });
        let literals = literals.by_ref().collect::<Res<Vec<_>>>()?;
        let [wide, narrow] = literals[0].prims();
        let fits =
            |of: fn(&UntypedLiteral) -> Option<Value>| literals.iter().all(|d| of(d).is_some());
        let (in_wide, in_narrow) = (fits(|d| d.wide), fits(|d| d.narrow));
        let mut read = |fits: bool, ty| {
            let value = fits.then(|| self.reading(method, vals, ty, loc));
            value.transpose()
        };
        Ok(Lowered::UntypedLiteral(UntypedLiteral {
            float: literals[0].float,
            wide: read(in_wide, wide)?,
            narrow: read(in_narrow, narrow)?,
            index: None,
        }))
    }

    /// The operations, with all operands read as `ty`.
    fn reading(
        &mut self,
        method: &ComposedMethod,
        vals: &[Lowered],
        ty: Prim,
        loc: Loc,
    ) -> Res<Value> {
        if !method.on.contains(&ty) {
            return Err(self.mismatch(loc, &vals[0], "a number that has the method"));
        }
        let mut x = Vec::with_capacity(vals.len());
        for val in vals {
            x.push(self.cast(val, ty, loc)?);
        }
        match method.composed {
            // Each comparison selects its second operand where it is false: the value, if it or the bound is NaN.
            Composed::Clamp => {
                let raised = self.op(Op::Max, vec![x[1], x[0]], loc)?;
                self.op(Op::Min, vec![x[2], raised], loc)
            }
            Composed::Minimum => {
                let negative = self.op(Op::IsSignNegative, vec![x[1]], loc)?;
                let zero = self.op(Op::Select, vec![negative, x[1], x[0]], loc)?;
                self.extremum(Op::Min, x[0], x[1], zero, loc)
            }
            Composed::Maximum => {
                let negative = self.op(Op::IsSignNegative, vec![x[0]], loc)?;
                let zero = self.op(Op::Select, vec![negative, x[1], x[0]], loc)?;
                self.extremum(Op::Max, x[0], x[1], zero, loc)
            }
        }
    }

    /// The extremum. It is `tie` if both are equal, such as two zeros of different sign, and a NaN if an operand is one.
    fn extremum(&mut self, op: Op, a: Value, b: Value, tie: Value, loc: Loc) -> Res<Value> {
        // It selects the second operand, `a`, where `a` is NaN.
        let chosen = self.op(op, vec![b, a], loc)?;
        let equal = self.op(Op::Eq, vec![a, b], loc)?;
        let chosen = self.op(Op::Select, vec![equal, tie, chosen], loc)?;
        let nan = self.op(Op::IsNan, vec![b], loc)?;
        self.op(Op::Select, vec![nan, b, chosen], loc)
    }

    /// `usize` has a `clamp` of its own.
    fn clamped_index(
        &mut self,
        method: &ComposedMethod,
        vals: &[Lowered],
        loc: Loc,
    ) -> Res<Lowered> {
        let indices: Option<Vec<usize>> = vals.iter().map(Lowered::index).collect();
        match (method.composed, indices.as_deref()) {
            (Composed::Clamp, Some(&[x, lo, hi])) if lo <= hi => {
                Ok(Lowered::Index(x.clamp(lo, hi)))
            }
            (Composed::Clamp, Some(&[_, lo, hi])) => Err(self.error(
                loc,
                format!("`clamp` of an index to {lo}..={hi}, which is empty"),
                "write the smaller bound first",
            )),
            _ => Err(self.mismatch(loc, &vals[vals.len() - 1], "a `usize`")),
        }
    }
}
