//! A common power of two of all terms of the last sums.
//!
//! Routines for `b^x` multiply by `2^n` at the end, or they include `2^n` in the entry of their table, `t = 2^n T`, and end with `t + t p`. In the
//! second case each exponent is another program, since t is a constant of the cell. If all constants of the last sums are divided by one power of
//! two, each value on the way from them to the result is divided by it, together with its rounding, as long as nothing is subnormal. The program
//! of `T + T p` is the core.

use super::scaling::Scaled;
use crate::cell::{Index, Kind, Residual};
use crate::num::float::exponent;

/// The residual without the power of two of its last sums, and the exponent of this power. `None` if they have none.
pub(super) fn without_power(residual: &Residual) -> Option<(Residual, i32)> {
    let s = exponent(leading(residual, residual.result)?);
    if s == 0 {
        return None;
    }
    let terms = terms(residual, s)?;
    let made = Scaled::new(residual, 0, &terms)?;
    (made.by[residual.result as usize] == s).then_some(())?;
    let core = Residual {
        operations: made.operations,
        result: residual.result,
    };
    Some((core, s))
}

/// The first constant that is a term of a sum or a factor of a product on the way from the result. If the others have a common power of two,
/// it has the same one.
fn leading(residual: &Residual, result: Index) -> Option<f64> {
    let mut at = result;
    loop {
        let operands = match residual.at(at).kind {
            Kind::Neg(a) => vec![a],
            Kind::Add(a, b) | Kind::Sub(a, b) | Kind::Mul(a, b) => vec![a, b],
            Kind::Fma(a, b, c) => vec![c, a, b],
            _ => return None,
        };
        let number = |&a: &Index| match residual.at(a).kind {
            Kind::Const(c) if c != 0.0 => Some(c),
            _ => None,
        };
        if let Some(c) = operands.iter().find_map(number) {
            return Some(c);
        }
        at = operands[0];
    }
}

/// For each constant, the exponent of the power of two by which it is divided, such that the result is divided by `2^s`. This only proposes
/// them; [`Scaled`] examines the consequences.
fn terms(residual: &Residual, s: i32) -> Option<Vec<i32>> {
    let mut of = vec![0; residual.operations.len()];
    of[residual.result as usize] = s;
    let constant = |a: Index| matches!(residual.at(a).kind, Kind::Const(_));
    for i in (0..residual.operations.len())
        .rev()
        .filter(|&i| i <= residual.result as usize)
    {
        if of[i] == 0 {
            continue;
        }
        let factor = |a: Index, b: Index| if constant(b) && !constant(a) { b } else { a };
        let operands = match residual.operations[i].kind {
            Kind::Const(_) => vec![],
            Kind::Neg(a) | Kind::Div(a, _) => vec![a],
            Kind::Add(a, b) | Kind::Sub(a, b) | Kind::Sum(a, b) => vec![a, b],
            Kind::SumError(a, b, sum) => vec![a, b, sum],
            Kind::Mul(a, b) => vec![factor(a, b)],
            Kind::ProductError(a, b, product) => vec![factor(a, b), product],
            Kind::Fma(a, b, c) => vec![factor(a, b), c],
            Kind::Input | Kind::Low(_) | Kind::Sqrt(_) | Kind::Round(_) | Kind::Affine { .. } => {
                return None;
            }
        };
        for a in operands {
            of[a as usize] = s;
        }
    }
    for (power, operation) in of.iter_mut().zip(&residual.operations) {
        if !matches!(operation.kind, Kind::Const(_)) {
            *power = 0;
        }
    }
    Some(of)
}
