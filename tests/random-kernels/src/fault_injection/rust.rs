//! Rust source of which one instruction set is given another than the rest.

use kernels_gen::ir::{BinOp, UnOp};
use kernels_gen::ops::Prim;

use super::{Fault, Way};
use crate::ast::{Expr, Kind, Ty, Unit};
use crate::visit;

type Change = fn(&Expr) -> Option<Expr>;

pub(super) const fn avx2(name: &'static str, what: &'static str, change: Change) -> Fault {
    Fault {
        name,
        what,
        way: Way::Rust("avx2", change),
    }
}

pub(super) const fn scalar(name: &'static str, what: &'static str, change: Change) -> Fault {
    Fault {
        name,
        what,
        way: Way::Rust("scalar", change),
    }
}

/// The unit with every expression changed that the fault is about; nothing if none is.
pub(super) fn changed(unit: &Unit, change: Change) -> Option<Unit> {
    let mut unit = unit.clone();
    let mut any = false;
    for func in &mut unit.funcs {
        visit::exprs_mut(&mut func.body, &mut |e| {
            if let Some(other) = change(e) {
                *e = other;
                any = true;
            }
        });
    }
    any.then_some(unit)
}

fn is_float(ty: &Ty) -> bool {
    matches!(ty, Ty::Lane(Prim::F64 | Prim::F32))
}

/// `a * b + c`
pub(super) fn contracted(e: &Expr) -> Option<Expr> {
    let Kind::Binary(BinOp::Add, product, c) = &e.kind else {
        return None;
    };
    let Kind::Binary(BinOp::Mul, a, b) = &product.kind else {
        return None;
    };
    // Of a literal alone rustc would not know the type.
    if !is_float(&e.ty) || a.is_literal() {
        return None;
    }
    let args = vec![(**b).clone(), (**c).clone()];
    Some(Expr::new(
        e.ty.clone(),
        Kind::Method("mul_add", a.clone(), args),
    ))
}

/// `a >> n`
pub(super) fn logical(e: &Expr) -> Option<Expr> {
    match &e.kind {
        Kind::Binary(BinOp::Shr, a, n) if e.ty != Ty::Index && !a.is_literal() => {
            let args = vec![(**n).clone()];
            Some(Expr::new(
                e.ty.clone(),
                Kind::Method("shr_logical", a.clone(), args),
            ))
        }
        _ => None,
    }
}

/// `!(a < b)`
pub(super) fn not_less(e: &Expr) -> Option<Expr> {
    let Kind::Unary(UnOp::Not, less) = &e.kind else {
        return None;
    };
    match &less.kind {
        Kind::Binary(BinOp::Lt, a, b) => Some(Expr::new(
            e.ty.clone(),
            Kind::Binary(BinOp::Ge, a.clone(), b.clone()),
        )),
        _ => None,
    }
}

/// `a * 0.0`
pub(super) fn times_zero(e: &Expr) -> Option<Expr> {
    match &e.kind {
        Kind::Binary(BinOp::Mul, a, zero)
            if matches!(zero.kind, Kind::Float(0.0)) && is_float(&e.ty) =>
        {
            Some(Expr::new(
                e.ty.clone(),
                Kind::Binary(BinOp::Sub, a.clone(), a.clone()),
            ))
        }
        _ => None,
    }
}

/// `a.min(b)`
pub(super) fn swapped_min(e: &Expr) -> Option<Expr> {
    match &e.kind {
        Kind::Method("min", a, args) if !args[0].is_literal() => Some(Expr::new(
            e.ty.clone(),
            Kind::Method("min", Box::new(args[0].clone()), vec![(**a).clone()]),
        )),
        _ => None,
    }
}
