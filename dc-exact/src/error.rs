//! The error of a kernel over one cell, bounded.
//!
//! # Theorem
//!
//! Let `V_i` be the computed value of operation i of a residual program, `S_i` its value in real arithmetic without any
//! rounding, `e_i = V_i - S_i` and `ε_i` the rounding error of the operation alone. Then exactly
//!
//! ```text
//! e_i = Σ_j g_ij e_j + ε_i
//! ```
//!
//! with the slopes of secants as `g_ij`: 1 for operands of sums, `V_b` and `S_a` for those of `a b`, since `V_a V_b - S_a S_b =
//! V_b e_a + S_a e_b`; `1 / V_b` and `-(S_a / S_b) / V_b` for `a / b`; `1 / (√V_a + √S_a)` for `√a`. With intervals for the slopes
//! over a cell, the adjoint recursion gives intervals `W_i` with `e_out = Σ W_i ε_i`: no remainder of higher order is left.
//! The error is `e_out + (S_out - g)`, the second part being the method's, of which the Taylor coefficients are enclosed.
//!
//! # Numbers
//!
//! Each value is divided by a power of two above its range, so that nothing under- or overflows here.

use std::collections::HashMap;

use kernels_gen::program::Program;

use crate::cell::{Cell, Kind, NoReplay, Operation, Residual, Tight, input_format, replay};
use crate::law::{Enclosed, NoTruth, TERMS, Truth};
use crate::num::float::{BINARY64, Format, exponent, power};
use crate::num::series::range;
use crate::num::{Ball, Interval, Ring, Series};

/// What is known of a cell.
#[derive(Debug, Clone)]
pub struct CellError {
    /// All errors of inputs of the cell lie in it, in ULP of the true value.
    pub error: Interval,
    /// The part of the method: real arithmetic against the true function, and constants' roundings.
    pub method: Interval,
    /// Exponent of the unit in the last place of the true value: the smallest on the cell.
    pub unit: i32,
    /// Whether the true value may be zero on the cell: the unit is then the smallest of all, and the bound useless.
    pub through_zero: bool,
    /// What each rounding adds at most, in ULP, by site, the largest first.
    pub shares: Vec<Share>,
    /// The operation with the largest share of those whose results lie on both sides of a power of two.
    pub straddles: Option<Straddle>,
}

/// What the rounding of an operation adds at most.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Share {
    /// The operation's site.
    pub site: u32,
    /// ULP.
    pub ulp: f64,
}

/// An operation whose results lie in more than one binade.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Straddle {
    /// Its site.
    pub site: u32,
    /// A power of two on both sides of which results lie, with their sign.
    pub edge: f64,
    /// Whether they do by no more than a few times the rounding errors before it: the two sides are then cases, and no
    /// cutting of the cell separates them.
    pub hugs: bool,
    /// Where the real value of the operation is the edge, as a part of the cell from its lower end, nearly.
    pub place: f64,
}

impl CellError {
    /// A bound of the magnitude of the errors.
    #[must_use]
    pub fn bound(&self) -> f64 {
        self.error.magnitude()
    }
}

/// Why a cell has no bound.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Unbounded {
    /// The kernel is more than one program on it: cut it where the value of this site changes.
    Varies {
        /// The site.
        site: u32,
        /// Whether it is one of the reference.
        reference: bool,
    },
    /// The true value is undefined, or the kernel's result is infinite or NaN: cut it.
    Special,
    /// No input of it meets the case's assumptions.
    Empty,
}

/// Coefficients of the weights' series.
const WEIGHT_TERMS: usize = 3;

/// A residual with what its evaluation in real arithmetic over a cell gives.
#[derive(Debug)]
pub struct Analysis {
    /// The operations.
    pub residual: Residual,
    /// See [`Residual::exponents`].
    pub exponents: Vec<i32>,
    /// Series at the center.
    pub at: Vec<Series<Ball, TERMS>>,
    /// And over the cell.
    pub over: Vec<Series<Interval, TERMS>>,
    /// The real values, scaled.
    pub reals: Vec<Interval>,
    /// The computed values, scaled.
    pub values: Vec<Interval>,
    /// Bounds of `|V - S|`, scaled.
    pub errors: Vec<f64>,
    /// What a unit of each operation's (scaled) error is in the (scaled) result's.
    pub weights: Vec<Interval>,
}

impl Analysis {
    pub(crate) fn new(residual: Residual, cell: Cell, center: f64, radius: f64) -> Analysis {
        let exponents = residual.exponents();
        let first = input_scale(&residual, &exponents);
        let x = Series::variable(
            Ball::number(center).scale(-first),
            Ball::number(radius).scale(-first),
        );
        let at = residual.series(x, &exponents);
        let x = Series::variable(
            Interval::new(cell.lo, cell.hi).scale(-first),
            Interval::point(radius).scale(-first),
        );
        let over = residual.series(x, &exponents);
        let mut analysis = Analysis {
            reals: Vec::new(),
            values: Vec::new(),
            errors: Vec::new(),
            weights: Vec::new(),
            residual,
            exponents,
            at,
            over,
        };
        analysis.ranges();
        analysis.weights = analysis.find_weights();
        analysis.sharpen();
        analysis
    }

    /// The result's error by the weights, in which what its operands' errors have in common cancels.
    fn sharpen(&mut self) {
        let out = self.residual.result as usize;
        let error: f64 = (self.residual.operations.iter().enumerate())
            .filter_map(|(i, operation)| {
                let rounding = operation.rounding?;
                let unit = scaled_power(rounding.unit - self.exponents[i]);
                Some(self.weights[i].magnitude() * rounding.error.magnitude() * unit)
            })
            .sum();
        let error = error * (1.0 + 1e-12) + f64::MIN_POSITIVE;
        if error < self.errors[out] {
            self.errors[out] = error;
            let near = self.reals[out].add(Interval::symmetric(error));
            let values = self.values[out];
            self.values[out] = values.meet(near).unwrap_or(values);
        }
    }

    /// Real and computed ranges and bounds of errors, operands first.
    fn ranges(&mut self) {
        for i in 0..self.residual.operations.len() {
            let operation = self.residual.operations[i];
            let e = self.exponents[i];
            let by_series = range(&self.at[i], &self.over[i]);
            let plain = operation.reals.scale(-e);
            let reals = by_series.meet(plain).unwrap_or(plain);
            self.reals.push(reals);
            // Secants of operands only: the operation's own values are not needed but for a quotient's and a root's reals.
            let slopes = self.slopes(i);
            let mut error: f64 = slopes
                .iter()
                .map(|(a, g)| g.magnitude() * self.errors[*a as usize])
                .sum();
            if let Some(rounding) = operation.rounding {
                error += rounding.error.magnitude() * scaled_power(rounding.unit - e);
            }
            let error = error * (1.0 + 1e-12) + f64::MIN_POSITIVE;
            let error = if error.is_nan() { f64::INFINITY } else { error };
            self.errors.push(error);
            let computed = operation.values.scale(-e);
            let near = reals.add(Interval::symmetric(error));
            self.values.push(computed.meet(near).unwrap_or(computed));
        }
    }

    /// The operands of an operation with the secants' slopes, all scaled.
    pub(crate) fn slopes(&self, i: usize) -> Vec<(u32, Interval)> {
        let Operation { kind, .. } = self.residual.operations[i];
        let e = self.exponents[i];
        let ex = |a: u32| self.exponents[a as usize];
        let v = |a: u32| self.values[a as usize];
        let s = |a: u32| self.reals[a as usize];
        let one = |a: u32| Interval::ONE.scale(ex(a) - e);
        match kind {
            Kind::Input | Kind::Const(_) => vec![],
            Kind::Add(a, b) => vec![(a, one(a)), (b, one(b))],
            Kind::Sub(a, b) => vec![(a, one(a)), (b, one(b).neg())],
            Kind::Mul(a, b) => {
                let by = ex(a) + ex(b) - e;
                vec![(a, v(b).scale(by)), (b, s(a).scale(by))]
            }
            Kind::Div(a, b) => vec![
                (a, Interval::ONE.div(v(b)).scale(ex(a) - ex(b) - e)),
                (b, s(i as u32).div(v(b)).neg()),
            ],
            Kind::Fma(a, b, c) => {
                let by = ex(a) + ex(b) - e;
                vec![(a, v(b).scale(by)), (b, s(a).scale(by)), (c, one(c))]
            }
            Kind::Sqrt(a) => {
                let root = v(a).scale(ex(a) - 2 * e).sqrt();
                let both = root.add(s(i as u32));
                vec![(a, Interval::ONE.div(both).scale(ex(a) - 2 * e))]
            }
            Kind::Neg(a) => vec![(a, one(a).neg())],
            Kind::Round(a) => vec![(a, one(a))],
            Kind::SumError(a, b, t) => vec![(a, one(a)), (b, one(b)), (t, one(t).neg())],
            Kind::ProductError(a, b, p) => {
                let by = ex(a) + ex(b) - e;
                vec![(a, v(b).scale(by)), (b, s(a).scale(by)), (p, one(p).neg())]
            }
        }
    }

    /// The weights by ranges, and by series, in which a weight that vanishes, as that of a number that is split in two and
    /// put together again, does so on any cell.
    fn find_weights(&self) -> Vec<Interval> {
        let n = self.residual.operations.len();
        // With S for V: functions of the input alone.
        let at =
            self.real_weights(|i| Series(std::array::from_fn(|k| self.at[i].0[k].enclosure())));
        let over = self.real_weights(|i| Series(std::array::from_fn(|k| self.over[i].0[k])));
        // By ranges, and what V does that S does not.
        let (mut weights, mut apart) = (vec![Interval::ZERO; n], vec![Interval::ZERO; n]);
        weights[self.residual.result as usize] = Interval::ONE;
        for i in (0..n).rev() {
            let plain = weights[i];
            let zero = |w: &Interval| *w == Interval::ZERO;
            if zero(&plain) && zero(&apart[i]) && at[i].0.iter().chain(&over[i].0).all(zero) {
                continue;
            }
            let by_series = range(&at[i], &over[i]).add(apart[i]);
            let w = by_series.meet(plain).unwrap_or(plain);
            weights[i] = w;
            let real = self.real_slopes(i, |a| Series::<Interval, 1>([self.reals[a]]));
            for (((a, g), (_, s)), d) in self.slopes(i).into_iter().zip(real).zip(self.parted(i)) {
                let a = a as usize;
                weights[a] = weights[a].add(w.mul(g));
                apart[a] = apart[a].add(w.mul(d)).add(apart[i].mul(s.0[0]));
            }
        }
        weights
    }

    /// The weights with the slopes in real arithmetic.
    fn real_weights(
        &self,
        real: impl Fn(usize) -> Series<Interval, WEIGHT_TERMS>,
    ) -> Vec<Series<Interval, WEIGHT_TERMS>> {
        let zero = Series::constant(Interval::ZERO);
        let mut weights = vec![zero; self.residual.operations.len()];
        weights[self.residual.result as usize] = Series::constant(Interval::ONE);
        for i in (0..weights.len()).rev() {
            let w = weights[i];
            for (a, g) in self.real_slopes(i, &real) {
                weights[a as usize] = weights[a as usize].add(w.mul(g));
            }
        }
        weights
    }

    /// The slopes with S for V: derivatives.
    fn real_slopes<const K: usize>(
        &self,
        i: usize,
        real: impl Fn(usize) -> Series<Interval, K>,
    ) -> Vec<(u32, Series<Interval, K>)> {
        let Operation { kind, .. } = self.residual.operations[i];
        let e = self.exponents[i];
        let ex = |a: u32| self.exponents[a as usize];
        let s = |a: u32| real(a as usize);
        let number = |x: f64| Series::constant(Interval::point(x));
        let one = |a: u32| number(1.0).scale(ex(a) - e);
        match kind {
            Kind::Input | Kind::Const(_) => vec![],
            Kind::Add(a, b) => vec![(a, one(a)), (b, one(b))],
            Kind::Sub(a, b) => vec![(a, one(a)), (b, one(b).map(Interval::neg))],
            Kind::Mul(a, b) => {
                let by = ex(a) + ex(b) - e;
                vec![(a, s(b).scale(by)), (b, s(a).scale(by))]
            }
            Kind::Div(a, b) => vec![
                (a, number(1.0).div(s(b)).scale(ex(a) - ex(b) - e)),
                (b, s(i as u32).div(s(b)).map(Interval::neg)),
            ],
            Kind::Fma(a, b, c) => {
                let by = ex(a) + ex(b) - e;
                vec![(a, s(b).scale(by)), (b, s(a).scale(by)), (c, one(c))]
            }
            Kind::Sqrt(a) => {
                let twice = s(i as u32).scale(1);
                vec![(a, number(1.0).div(twice).scale(ex(a) - 2 * e))]
            }
            Kind::Neg(a) => vec![(a, one(a).map(Interval::neg))],
            Kind::Round(a) => vec![(a, one(a))],
            Kind::SumError(a, b, t) => {
                vec![(a, one(a)), (b, one(b)), (t, one(t).map(Interval::neg))]
            }
            Kind::ProductError(a, b, p) => {
                let by = ex(a) + ex(b) - e;
                let minus = one(p).map(Interval::neg);
                vec![(a, s(b).scale(by)), (b, s(a).scale(by)), (p, minus)]
            }
        }
    }

    /// By how much the secants' slopes are off the derivatives, in the order of [`Analysis::slopes`].
    fn parted(&self, i: usize) -> [Interval; 3] {
        let Operation { kind, .. } = self.residual.operations[i];
        let e = self.exponents[i];
        let ex = |a: u32| self.exponents[a as usize];
        let off = |a: u32| Interval::symmetric(self.errors[a as usize]);
        let (v, s) = (
            |a: u32| self.values[a as usize],
            |a: u32| self.reals[a as usize],
        );
        let none = Interval::ZERO;
        match kind {
            Kind::Mul(a, b) | Kind::Fma(a, b, _) | Kind::ProductError(a, b, _) => {
                [off(b).scale(ex(a) + ex(b) - e), none, none]
            }
            // 1/V - 1/S = -(V - S) / (V S)
            Kind::Div(a, b) => {
                let part = off(b).div(v(b).mul(s(b)));
                let first = part.scale(ex(a) - ex(b) - e);
                [first, s(i as u32).mul(part), none]
            }
            // 1/(√V + √S) - 1/(2√S) = -(V - S) / ((√V + √S)² 2√S)
            Kind::Sqrt(a) => {
                let by = ex(a) - 2 * e;
                let both = v(a).scale(by).sqrt().add(s(i as u32));
                let below = both.mul(both).mul(s(i as u32).scale(1));
                [off(a).scale(by).div(below).scale(by), none, none]
            }
            _ => [none; 3],
        }
    }

    /// Bounds of the computed values that are tighter than those of the evaluation by ranges.
    fn tight(&self, assumed: &Tight) -> Tight {
        let mut tight = HashMap::new();
        for (i, operation) in self.residual.operations.iter().enumerate() {
            let made = !matches!(
                operation.kind,
                Kind::Input | Kind::Const(_) | Kind::SumError(..) | Kind::ProductError(..)
            );
            let values = self.values[i].scale(self.exponents[i]);
            if made && values.lo.is_finite() && values.hi.is_finite() {
                tight.insert(operation.site, values);
            }
        }
        for (site, bound) in assumed {
            let both = tight.get(site).map_or(Some(*bound), |t| t.meet(*bound));
            tight.insert(*site, both.unwrap_or(*bound));
        }
        tight
    }

    /// Both cases of an operation whose results lie on both sides of a power of two by no more than a few times the
    /// errors that they have; `None` where they lie on one side, or cutting the cell would separate them.
    #[must_use]
    pub fn cases(&self, site: u32, case: &Tight) -> Option<[Tight; 2]> {
        let i = self
            .residual
            .operations
            .iter()
            .position(|o| o.site == site && o.rounding.is_some())?;
        let values = self.residual.operations[i].values;
        if values.contains(0.0) || exponent(values.lo) == exponent(values.hi) {
            return None;
        }
        let edge = power(exponent(values.magnitude())).copysign(values.lo);
        let scaled = Interval::point(edge).scale(-self.exponents[i]);
        let hugs = self.reals[i].sub(scaled).magnitude() <= 4.0 * self.errors[i];
        (hugs && !case.contains_key(&site)).then(|| both_sides(case, site, edge))
    }

    /// See [`CellError::straddles`].
    fn straddles(&self, shares: &[Share]) -> Option<Straddle> {
        let mut found: Option<(f64, Straddle)> = None;
        for (i, operation) in self.residual.operations.iter().enumerate() {
            let values = operation.values;
            if operation.rounding.is_none()
                || values.contains(0.0)
                || exponent(values.lo) == exponent(values.hi)
            {
                continue;
            }
            let share = shares.iter().find(|s| s.site == operation.site);
            let share = share.map_or(0.0, |s| s.ulp);
            if share < 1e-6 || found.is_some_and(|f| f.0 >= share) {
                continue;
            }
            let edge = power(exponent(values.magnitude())).copysign(values.lo);
            let scaled = Interval::point(edge).scale(-self.exponents[i]);
            let apart = self.reals[i].sub(scaled).magnitude();
            // c0 + c1 τ = edge
            let c = &self.at[i].0;
            let place = 0.5 + 0.5 * (scaled.lo - c[0].mid()) / c[1].mid();
            found = Some((
                share,
                Straddle {
                    site: operation.site,
                    edge,
                    hugs: apart <= 4.0 * self.errors[i],
                    place,
                },
            ));
        }
        found.map(|f| f.1)
    }
}

/// A case in two: the operation's results below a power of two in magnitude, and not.
#[must_use]
pub fn both_sides(case: &Tight, site: u32, edge: f64) -> [Tight; 2] {
    let below = edge.abs().next_down();
    let far = if edge > 0.0 {
        Interval::new(edge, f64::MAX)
    } else {
        Interval::new(-f64::MAX, edge)
    };
    [Interval::symmetric(below), far].map(|side| {
        let mut case = case.clone();
        case.insert(site, side);
        case
    })
}

/// The input's exponent; of a program without one, any.
fn input_scale(residual: &Residual, exponents: &[i32]) -> i32 {
    let input = residual
        .operations
        .iter()
        .position(|o| o.kind == Kind::Input);
    input.map_or(0, |i| exponents[i])
}

/// `2^e`, rounded up where it is no double.
fn scaled_power(e: i32) -> f64 {
    crate::num::float::scaled_up(1.0, e)
}

/// What a residual is held against.
#[derive(Debug, Clone, Copy)]
pub struct Target<'a> {
    /// The function of the residual's input.
    pub truth: &'a Truth,
    /// The true value is the function's times this,
    pub factor: Ball,
    /// and times `1 + η`.
    pub eta: Interval,
}

/// The errors of a residual over a stretch of its input, whose operation there is `input`.
///
/// # Errors
/// Where there is no bound without cutting the cell.
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

/// The input of a residual on a part of its cell.
#[must_use]
pub fn input_on(input: Operation, cell: Cell) -> Operation {
    let range = Interval::new(cell.lo, cell.hi);
    Operation {
        values: range,
        reals: range,
        grid: input.grid.max(input.format.ulp(range.least())),
        ..input
    }
}

/// The analysis of a residual, with computed values bounded as tightly as its series do.
pub fn analyse(
    core: &Residual,
    input: Operation,
    cell: Cell,
    assumed: &Tight,
) -> Result<Analysis, Unbounded> {
    let center = cell.center();
    let radius = cell.radius(center);
    let mut tight = assumed.clone();
    let mut rounds = 0;
    loop {
        let residual = replay(core, input, &tight).map_err(|no| match no {
            NoReplay::Empty => Unbounded::Empty,
            NoReplay::Endless => Unbounded::Special,
        })?;
        let analysis = Analysis::new(residual, cell, center, radius);
        rounds += 1;
        let tighter = analysis.tight(assumed);
        if rounds == 3 || !gains(&analysis.residual, &tight, &tighter) {
            return Ok(analysis);
        }
        tight = tighter;
    }
}

/// Whether tighter bounds change a binade.
fn gains(residual: &Residual, before: &Tight, after: &Tight) -> bool {
    residual.operations.iter().any(|o| {
        let Some(new) = after.get(&o.site) else {
            return false;
        };
        let old = before
            .get(&o.site)
            .and_then(|t| t.meet(o.values))
            .unwrap_or(o.values);
        let binades = |r: &Interval| {
            let least = if r.contains(0.0) {
                i32::MIN
            } else {
                exponent(r.least())
            };
            let most = r.magnitude();
            (
                least,
                if most == 0.0 {
                    i32::MIN
                } else {
                    exponent(most)
                },
                r.hi.abs() > r.lo.abs(),
            )
        };
        binades(new) != binades(&old) || new.width() < 0.5 * old.width()
    })
}

/// A unit in the last place of true values, divided by `2^e`, that lie in `scaled`: the smallest.
fn unit_of(format: Format, scaled: Interval, e: i32) -> i32 {
    let least = scaled.least();
    if least == 0.0 {
        return format.least;
    }
    (exponent(least) + e - (format.precision - 1)).max(format.least)
}

/// Whether all true values round to infinity; whether some may.
fn overflows(format: Format, scaled: Interval, e: i32) -> (bool, bool) {
    // The midpoint between the largest number and the next power of two.
    let top = Interval::point(2.0 - power(-format.precision)).scale(format.largest - e);
    let values = scaled.abs();
    (values.lo >= top.hi, values.hi >= top.lo)
}

fn result_format(program: &Program) -> Format {
    let entry = program.entry();
    match entry.results.first().map(|&r| entry.ty(r)) {
        Some(kernels_gen::ops::Prim::F32) => crate::num::float::BINARY32,
        Some(_) => BINARY64,
        None => input_format(program),
    }
}

fn truth_of(
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

/// The errors where the kernel gives one number, that with these bits.
///
/// # Errors
/// Where there is no bound without cutting the cell.
pub fn bound_constant(
    program: &Program,
    truth: &Truth,
    cell: Cell,
    bits: u64,
) -> Result<CellError, Unbounded> {
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
        error: Interval::ZERO,
        method: Interval::ZERO,
        unit: format.largest - format.precision + 1,
        through_zero: false,
        shares: Vec::new(),
        straddles: None,
    };
    if value == f64::INFINITY && truth.beyond(cell) {
        return Ok(agreed);
    }
    let g = truth_of(truth, cell, center, radius, e)?;
    let values = g.range();
    let (all, some) = overflows(format, values, e);
    if value.is_infinite() || some {
        let same = value.is_infinite() && (values.lo > 0.0) == (value > 0.0);
        return if all && same {
            Ok(agreed)
        } else {
            Err(Unbounded::Special)
        };
    }
    let unit = unit_of(format, values, e);
    let difference = Series::constant(Ball::number(value).scale(-e)).sub(g.at);
    let over = g.over.map(Interval::neg);
    let method = range(&difference, &over).scale(e - unit);
    Ok(CellError {
        error: method,
        method,
        unit,
        through_zero: values.contains(0.0),
        shares: Vec::new(),
        straddles: None,
    })
}

/// The errors over a cell of which there is an analysis.
///
/// # Errors
/// Where there is no bound without cutting the cell.
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
    let function = g.range();
    let values = function.mul(Interval::ONE.add(target.eta));
    if overflows(format, values, e).1 {
        return Err(Unbounded::Special);
    }
    let unit = unit_of(format, values, e);
    let difference = analysis.at[out].sub(g.at);
    let over = analysis.over[out].sub(g.over);
    let method = range(&difference, &over)
        .sub(target.eta.mul(function))
        .scale(e - unit);
    let weights = &analysis.weights;
    let mut error = method;
    let mut shares = Vec::new();
    for (i, operation) in residual.operations.iter().enumerate() {
        if let Some(rounding) = operation.rounding {
            let part = weights[i]
                .mul(rounding.error)
                .scale(rounding.unit - analysis.exponents[i] + e - unit);
            error = error.add(part);
            shares.push(Share {
                site: operation.site,
                ulp: part.magnitude(),
            });
        }
    }
    if error.lo.is_nan() || error.hi.is_nan() {
        error = Interval::ALL;
    }
    shares.sort_by(|a, b| b.ulp.total_cmp(&a.ulp));
    Ok(CellError {
        error,
        method,
        unit,
        through_zero: values.contains(0.0),
        straddles: analysis.straddles(&shares),
        shares,
    })
}
