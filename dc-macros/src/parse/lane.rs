//! Types, as far as they are known without inference: enough to name the remedy when two precisions are mixed.

use super::Parser;
use crate::ast::{Expr, ExprKind, Lane};
use crate::messages::Message;
use kernels_gen::ir::BinOp;
use kernels_gen::ops::{self, Op};
use quote::ToTokens;

impl Parser<'_> {
    /// The type of an expression; `None` if only rustc can infer it, as for a literal or a call.
    pub(super) fn lane(&self, e: &Expr) -> Option<Lane> {
        match &e.kind {
            ExprKind::Lanes(_) => Some(Lane::I64),
            ExprKind::Local(local, _) => self.scope.info(*local).lane,
            ExprKind::Unary(_, a) => self.lane(a),
            ExprKind::Binary(op, a, b) => match op {
                BinOp::Lt | BinOp::Le | BinOp::Gt | BinOp::Ge | BinOp::Eq | BinOp::Ne => None,
                BinOp::Shl | BinOp::Shr => self.lane(a),
                _ => self.lane(a).or_else(|| self.lane(b)),
            },
            ExprKind::Method(receiver, name, args) => {
                let name = name.to_string();
                let same = || {
                    let mut all = std::iter::once(&**receiver).chain(args);
                    all.find_map(|a| self.lane(a))
                };
                match ops::method(&name).map(|m| m.op) {
                    None if name == "to_half" => Some(Lane::Half),
                    None if name == "to_bfloat" => Some(Lane::Bfloat),
                    Some(Op::ToF64) => Some(Lane::F64),
                    Some(Op::ToF32) => Some(Lane::F32),
                    Some(Op::ToI64) => Some(Lane::I64),
                    Some(Op::ToI32) => Some(Lane::I32),
                    Some(Op::ToBits | Op::IsNan | Op::IsSignNegative) => None,
                    Some(Op::Select) => args.iter().find_map(|a| self.lane(a)),
                    Some(_) | None => same(),
                }
            }
            ExprKind::Function(_, args) => args.iter().find_map(|a| self.lane(a)),
            ExprKind::Assoc(lane, ..) => Some(*lane),
            ExprKind::Field(base, ..) => match self.lane(base) {
                Some(Lane::Dd) => Some(Lane::F64),
                _ => None,
            },
            _ => None,
        }
    }

    /// Reports an operation whose operands have two number types, with the conversion of one of them.
    pub(super) fn mixed(&mut self, at: &impl ToTokens, operands: &[&Expr]) -> bool {
        let number = |e: &&&Expr| {
            self.lane(e)
                .filter(|l| !matches!(l, Lane::Mask | Lane::Dd | Lane::Half | Lane::Bfloat))
        };
        let lanes: Vec<Lane> = operands.iter().filter_map(|e| number(&e)).collect();
        let Some(&first) = lanes.first() else {
            return false;
        };
        let Some(&other) = lanes.iter().find(|l| **l != first) else {
            return false;
        };
        let (to, convert) = match (first, other) {
            (Lane::F64, narrow) | (narrow, Lane::F64) => (narrow, "to_f64"),
            (Lane::F32, integer) | (integer, Lane::F32) => (integer, "to_f32"),
            _ => (Lane::I32, "to_i64"),
        };
        let (a, b) = (first.name().to_string(), other.name().to_string());
        let hint = format!("write `.{convert}()` after the `{}`", to.name());
        self.refuse(at, Message::MixedTypes { a, b, hint });
        true
    }
}
