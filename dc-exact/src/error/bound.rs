//! The bounds of the errors over a cell.

use std::borrow::Cow;

use kernels_gen::program::Program;

use super::beside::Beside;
use super::ties::pairs;
use super::{Analysis, CellError, Share, Target, Unbounded, analyse};
use crate::cell::{Cell, Kind, Operation, Residual, Tight, input_format};
use crate::law::{Enclosed, NoTruth, TERMS, Truth};
use crate::num::float::{BINARY64, Format, exponent, is_power, power};
use crate::num::interval::add_up;
use crate::num::series::range;
use crate::num::{Ball, Interval, Ring, Series};

/// The errors of a residual over a stretch of its input, whose operation there is `input`.
///
/// # Errors
/// If there is no bound without cutting the cell.
pub fn bound_residual(
    core: &Residual,
    input: Operation,
    cell: Cell,
    target: Target<'_>,
    assumed: &Tight,
) -> Result<CellError, Unbounded> {
    let center = cell.center();
    let radius = cell.radius(center);
    let analysis = analyse(core, input, cell, assumed)?;
    of_analysis(&analysis, target, cell, center, radius)
}

/// The exponent of the smallest unit in the last place of true values that, divided by `2^e`, lie in `scaled`.
fn unit_of(format: Format, scaled: Interval, e: i32) -> i32 {
    let least = scaled.least();
    if least == 0.0 {
        return format.least;
    }
    (exponent(least) + e - (format.precision - 1)).max(format.least)
}

/// The exponents of the least and the largest magnitude of a narrow ball. `None` for a wide one. An interval of doubles does not determine
/// them next to a power of two: a value that is less than an ULP below the power is in an interval that ends in the power.
fn exponents(ball: Ball) -> Option<[i32; 2]> {
    // The magnitudes are then above half and below twice the power of two.
    if ball.h == 0.0 || ball.r > 0.25 * ball.h.abs() {
        return None;
    }
    let k = exponent(ball.h);
    // The ball is scaled to near 1, because the next power of two above the largest numbers is not a double.
    let ball = ball.scale(-k);
    let m = ball.h.abs();
    let low = if ball.h < 0.0 { -ball.l } else { ball.l };
    let up = 1.0 + 1e-15;
    // The differences from powers are exact: m is between half and twice each power.
    let least = if (ball.r - low) * up > m - 1.0 {
        k - 1
    } else {
        k
    };
    let largest = if (low + ball.r) * up >= 2.0 - m {
        k + 1
    } else if m == 1.0 && -low > ball.r {
        k - 1
    } else {
        k
    };
    Some([least, largest])
}

/// Whether all true values round to infinity; whether some may.
fn overflows(format: Format, scaled: Interval, e: i32) -> (bool, bool) {
    // The midpoint between the largest number and the next power of two.
    let top = Interval::point(2.0 - power(-format.precision)).scale(format.largest - e);
    let values = scaled.abs();
    (values.lo >= top.hi, values.hi >= top.lo)
}

/// An interval without an end that is NaN, whose magnitude would omit that end.
fn numbers(error: Interval) -> Interval {
    if error.lo.is_nan() || error.hi.is_nan() {
        return Interval::ALL;
    }
    error
}

fn result_format(program: &Program) -> Format {
    let entry = program.entry();
    match entry.results.first().map(|&r| entry.ty(r)) {
        Some(kernels_gen::ops::Prim::F32) => crate::num::float::BINARY32,
        Some(_) => BINARY64,
        None => input_format(program),
    }
}

pub(super) fn truth_of(
    truth: &Truth,
    cell: Cell,
    center: f64,
    radius: f64,
    e: i32,
) -> Result<Enclosed<TERMS>, Unbounded> {
    truth
        .enclose(cell, center, radius, e)
        .map_err(|no| match no {
            NoTruth::Undefined => Unbounded::Special,
            NoTruth::Varies(site) => Unbounded::Varies {
                site,
                reference: true,
            },
        })
}

/// The errors if the kernel gives one number, whose bits are given.
///
/// # Errors
/// If there is no bound without cutting the cell.
pub fn bound_constant(
    program: &Program,
    truth: &Truth,
    cell: Cell,
    bits: u64,
) -> Result<CellError, Unbounded> {
    constant(program, truth, cell, bits).map(|c| c.0)
}

/// The error of one input whose result has these bits, in ULP. If it is unknown on which side of a power of two the true value is, its unit
/// is unknown too. The interval then contains the errors in both units.
pub(crate) fn error_of_input(
    program: &Program,
    truth: &Truth,
    x: f64,
    bits: u64,
) -> Result<Interval, Unbounded> {
    let (least, largest) = constant(program, truth, Cell { lo: x, hi: x }, bits)?;
    let error = least.error;
    Ok(error.hull(error.scale(least.unit - largest)))
}

/// The same as [`bound_constant`], together with the exponent of the largest unit of a true value. The errors are in the smallest unit.
fn constant(
    program: &Program,
    truth: &Truth,
    cell: Cell,
    bits: u64,
) -> Result<(CellError, i32), Unbounded> {
    let inputs = cell;
    let cell = truth.arguments(cell);
    let center = cell.center();
    let radius = cell.radius(center);
    let format = result_format(program);
    let value = if format == BINARY64 {
        f64::from_bits(bits)
    } else {
        f64::from(f32::from_bits(bits as u32))
    };
    if value.is_nan() {
        return Err(Unbounded::Special);
    }
    let e = if value == 0.0 {
        format.least
    } else if value.is_infinite() {
        format.largest + 1
    } else {
        exponent(value) + 1
    };
    let agreed = CellError {
        unit: format.largest - format.precision + 1,
        ..CellError::none()
    };
    if truth.beyond(inputs) == Some(value) {
        let unit = agreed.unit;
        return Ok((agreed, unit));
    }
    let g = truth_of(truth, cell, center, radius, e)?;
    let values = g.range();
    let (all, some) = overflows(format, values, e);
    if value.is_infinite() || some {
        let same = value.is_infinite() && (values.lo > 0.0) == (value > 0.0);
        return if all && same {
            let unit = agreed.unit;
            Ok((agreed, unit))
        } else {
            Err(Unbounded::Special)
        };
    }
    let known = exponents(g.at.0[0]).filter(|_| cell.lo == cell.hi);
    let (unit, largest) = match known {
        Some(known) => known.map(|k| (k + e - (format.precision - 1)).max(format.least)),
        None => {
            [values.least(), values.magnitude()].map(|v| unit_of(format, Interval::point(v), e))
        }
    }
    .into();
    let difference = Series::constant(Ball::number(value).scale(-e)).sub(g.at);
    let over = g.over.map(Interval::neg);
    let method = range(&difference, &over).scale(e - unit);
    let error = numbers(method);
    let error = CellError {
        error,
        most: error.magnitude(),
        method,
        unit,
        through_zero: values.contains(0.0),
        ..CellError::none()
    };
    Ok((error, largest))
}

/// The bounds of the errors over a cell, from its analysis.
///
/// # Errors
/// If there is no bound without cutting the cell.
pub(crate) fn of_analysis(
    analysis: &Analysis,
    target: Target<'_>,
    cell: Cell,
    center: f64,
    radius: f64,
) -> Result<CellError, Unbounded> {
    let residual = &analysis.residual;
    let out = residual.result as usize;
    let format = residual.operations[out].format;
    let e = analysis.exponents[out];
    let g = truth_of(target.truth, cell, center, radius, e)?.times(target.factor);
    let beside = match target.truth.stage() {
        Some(stage) => Beside::new(stage, target, cell, e)?,
        None => None,
    };
    let function = beside.as_ref().map_or(g.range(), |b| b.function);
    let whole = Interval::ONE.add(target.eta);
    let values = function.mul(whole);
    if overflows(format, values, e).1 {
        return Err(Unbounded::Special);
    }
    let unit = unit_of(format, values, e);
    if target.scaled && unit <= format.least {
        return Err(Unbounded::Special);
    }
    let moved = beside.as_ref().map_or(Interval::ZERO, |b| b.moved);
    let method = analysis
        .less(&g.at, &g.over)
        .sub(target.eta.mul(function))
        .sub(moved.mul(whole))
        .scale(e - unit);
    let mut weights = Cow::Borrowed(&analysis.weights);
    if let Some(beside) = &beside {
        beside.less_derivative(analysis, target.eta, weights.to_mut());
    }
    // All but the rounding of the result.
    let mut before = method;
    let (last, scale) = rounded_last(residual);
    let mut own = None;
    let mut shares = Vec::new();
    // An operation's part of the error, if its rounding error is within this, in units.
    let part = |i: usize, error: Interval, of: i32| {
        let by = of - analysis.exponents[i] + e - unit;
        weights[i].mul(error).scale(by)
    };
    for (i, operation) in residual.operations.iter().enumerate() {
        if let Some(rounding) = operation.rounding {
            let part = part(i, rounding.error, rounding.unit);
            if i == last {
                own = Some(part);
            } else {
                before = before.add(part);
            }
            shares.push(Share {
                site: operation.site,
                ulp: part.magnitude(),
            });
        }
    }
    let mut error = numbers(own.map_or(before, |part| before.add(part)));
    for pair in pairs(&residual.operations) {
        // All but the rounding of one operation.
        let without = |left: usize| {
            let others = (residual.operations.iter().enumerate()).filter(|(i, _)| *i != left);
            let parts = others.filter_map(|(i, o)| o.rounding.map(|r| part(i, r.error, r.unit)));
            parts.fold(method, Interval::add)
        };
        let first = residual.operations[pair.first].rounding;
        let Some((rounding, less)) = first.and_then(|r| Some((r, r.error.meet(pair.within)?)))
        else {
            continue;
        };
        // The second is exact, or the first is no tie.
        let no_tie = without(pair.first).add(part(pair.first, less, rounding.unit));
        let either = numbers(without(pair.second).hull(no_tie));
        error = error.meet(either).unwrap_or(error);
    }
    let mut most = error.magnitude();
    let result = &residual.operations[last];
    if let Some(half) = across_a_power(result, scale - unit, before)
        && result.format == format
        && half < most
    {
        most = half;
        let share = shares.iter_mut().find(|s| s.site == result.site);
        share.expect("it has a share").ulp = 0.5;
    }
    shares.sort_by(|a, b| b.ulp.total_cmp(&a.ulp));
    Ok(CellError {
        error,
        most,
        method,
        unit,
        through_zero: values.contains(0.0),
        straddles: analysis.straddles(&shares),
        shares,
    })
}

/// The operation that gives the result, up to its sign and an exact factor, and the exponent of that factor.
fn rounded_last(residual: &Residual) -> (usize, i32) {
    let (mut at, mut scale) = (residual.result as usize, 0);
    let constant = |i: u32| match residual.operations[i as usize].kind {
        Kind::Const(c) => Some(c),
        _ => None,
    };
    loop {
        let operation = residual.operations[at];
        if operation.rounding.is_some() {
            return (at, scale);
        }
        at = match operation.kind {
            Kind::Neg(a) => a,
            Kind::Mul(a, b) | Kind::Add(a, b) | Kind::Sub(a, b) => {
                let (c, of) = match (constant(a), constant(b)) {
                    (Some(c), _) => (c, b),
                    (_, Some(c)) => (c, a),
                    _ => return (at, scale),
                };
                match operation.kind {
                    Kind::Mul(..) if is_power(c) => scale += exponent(c),
                    Kind::Add(..) | Kind::Sub(..) if c == 0.0 => {}
                    _ => return (at, scale),
                }
                of
            }
            _ => return (at, scale),
        } as usize;
    }
}

/// A bound of the errors in ULP if results lie on both sides of a power of two, or on it with true values below. `before` encloses the error
/// before the rounding of the results, in the smaller unit u. The results are those of `last` times a power of two, which is `2^by u`.
///
/// Let δ bound `before`, δ < 1, and let `Z = g + before`. Where g is at least the power P, its unit is 2u or more, and the error is at most u + δ u, which
/// is 1/2 + δ/2 of it. Where g is below P and Z is not above, the rounding adds at most u/2, because the unit below P is not that of subnormal numbers. Where
/// g is below P and Z above, `Z - P < Z - g <= δ u`, less than half of the unit 2u, so Z is rounded to P, and the error is `P - g < Z - g <= δ u`. So it is at
/// most 1/2 + δ in all cases.
fn across_a_power(last: &Operation, by: i32, before: Interval) -> Option<f64> {
    let rounding = last.rounding?;
    let rest = before.magnitude();
    let above = rounding.unit + by == 1 && rounding.unit > last.format.least;
    (last.direction.is_none() && above && rest < 1.0).then(|| add_up(0.5, rest))
}

#[cfg(test)]
mod tests;
