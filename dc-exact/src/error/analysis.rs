//! The real arithmetic of a residual over a cell: values, slopes, weights.

use super::Unbounded;
use super::cases::gains;
use super::deviation::Expanded;
use super::form::{Form, Forms};
use super::in_reals::{InReals, is_same};
use super::products::next_to_powers;
use crate::cell::{Cell, Index, Kind, NoReplay, Operation, Residual, Tight, replay};
use crate::law::TERMS;
use crate::num::series::range;
use crate::num::{Ball, Interval, Ring, Series};

/// The number of coefficients of the weights' series,
const WEIGHT_TERMS: usize = 3;
/// and the number if they are double-doubles.
const FINE_TERMS: usize = 4;
/// The largest part of an error that the weights' series may leave unknown, in units in the last place of the result.
const UNKNOWN: f64 = 1.0 / (1u64 << 20) as f64;

/// A residual with the results of its evaluation in real arithmetic over a cell.
#[derive(Debug)]
pub struct Analysis {
    /// The operations.
    pub residual: Residual,
    /// See [`Residual::exponents`].
    pub exponents: Vec<i32>,
    /// The series at the center.
    pub at: Vec<Series<Ball, TERMS>>,
    /// The series over the cell.
    pub over: Vec<Series<Interval, TERMS>>,
    /// The result's expansion in a deviation, if it depends on one.
    pub(super) method: Option<Box<Expanded>>,
    /// Bounds of operations' real values from expansions in a deviation, scaled.
    bounds: Vec<Option<Interval>>,
    /// The real values, scaled.
    pub reals: Vec<Interval>,
    /// The computed values, scaled.
    pub values: Vec<Interval>,
    /// Bounds of `|V - S|`, scaled.
    pub errors: Vec<f64>,
    /// The errors as linear forms.
    pub(super) forms: Forms,
    /// The change of the (scaled) result per unit of each operation's (scaled) error.
    pub weights: Vec<Interval>,
    /// The part of the low word's weight that is not a function of the input.
    apart_of_low: Interval,
}

impl Analysis {
    #[cfg(test)]
    pub(crate) fn new(residual: Residual, cell: Cell, center: f64, radius: f64) -> Analysis {
        Analysis::with_ranges(residual, cell, center, radius).weighed()
    }

    /// The same as [`Analysis::new`], with series that are kept from an analysis with wider bounds of computed values.
    #[cfg(test)]
    pub(crate) fn kept(residual: Residual, cell: Cell, center: f64, radius: f64) -> Analysis {
        let mut wide = residual.clone();
        for (i, o) in wide.operations.iter_mut().enumerate() {
            o.values = o.values.hull(o.values.scale(1 + (i % 3) as i32));
        }
        let before = Analysis::with_ranges(wide, cell, center, radius);
        Analysis::after(residual, cell, center, radius, Some(&before)).weighed()
    }

    /// The analysis without weights.
    fn with_ranges(residual: Residual, cell: Cell, center: f64, radius: f64) -> Analysis {
        Analysis::after(residual, cell, center, radius, None)
    }

    /// The same as [`Analysis::with_ranges`]. `before` is an analysis of the same cell with other bounds of computed values. If it has the same
    /// operations, its series are also those of this one, up to powers of two.
    fn after(
        residual: Residual,
        cell: Cell,
        center: f64,
        radius: f64,
        before: Option<&Analysis>,
    ) -> Analysis {
        let exponents = residual.exponents();
        let before = before.filter(|b| is_same(&residual, &b.residual));
        let InReals {
            at,
            over,
            method,
            bounds,
        } = match before {
            Some(before) => before.rescaled(&exponents),
            None => InReals::new(&residual, &exponents, cell, center, radius),
        };
        let count = residual.operations.len();
        let mut analysis = Analysis {
            reals: Vec::with_capacity(count),
            values: Vec::with_capacity(count),
            errors: Vec::with_capacity(count),
            forms: Forms::with_capacity(count),
            weights: Vec::new(),
            apart_of_low: Interval::ZERO,
            residual,
            exponents,
            at,
            over,
            method,
            bounds,
        };
        analysis.ranges();
        analysis
    }

    /// The series, divided by other powers of two.
    fn rescaled(&self, exponents: &[i32]) -> InReals {
        let by = |i: usize| self.exponents[i] - exponents[i];
        let out = self.residual.result as usize;
        let bounds = self.bounds.iter().enumerate();
        InReals {
            at: (0..self.at.len())
                .map(|i| self.at[i].scale(by(i)))
                .collect(),
            over: (0..self.over.len())
                .map(|i| self.over[i].scale(by(i)))
                .collect(),
            method: (self.method.as_ref()).map(|m| Box::new(m.scaled(by(out)))),
            bounds: bounds.map(|(i, b)| b.map(|b| b.scale(by(i)))).collect(),
        }
    }

    /// The analysis with the weights.
    fn weighed(mut self) -> Analysis {
        (self.weights, self.apart_of_low) = self.find_weights();
        self.sharpen();
        self
    }

    /// The range of the result's real values minus a function, whose series are given, scaled like the result.
    pub(super) fn less(
        &self,
        at: &Series<Ball, TERMS>,
        over: &Series<Interval, TERMS>,
    ) -> Interval {
        let out = self.residual.result as usize;
        match &self.method {
            Some(expanded) => expanded.less(at, over),
            None => range(&self.at[out].sub(*at), &self.over[out].sub(*over)),
        }
    }

    /// The result's error according to the weights, in which common parts of the operands' errors cancel.
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
            let expanded = self.bounds.get(i).copied().flatten();
            let reals = expanded.and_then(|r| r.meet(reals)).unwrap_or(reals);
            self.reals.push(reals);
            let operation = self.nearly_exact(i);
            // Only the slopes of the operands' secants are needed, and not the operation's own values, except for the
            // real values of quotients and roots.
            let slopes = self.slopes(i);
            let mut error: f64 = (slopes.clone())
                .map(|(a, g)| g.magnitude() * self.errors[a as usize])
                .sum();
            if let Some(rounding) = operation.rounding {
                error += rounding.error.magnitude() * scaled_power(rounding.unit - e);
            }
            let error = error * (1.0 + 1e-12) + f64::MIN_POSITIVE;
            let error = if error.is_nan() { f64::INFINITY } else { error };
            // In a sum of numbers with common parts, errors cancel.
            let form = self.push_form(i, slopes, error);
            self.errors.push(error.min(form));
            let error = self.errors[i];
            let computed = operation.values.scale(-e);
            let near = reals.add(Interval::symmetric(error));
            self.values.push(computed.meet(near).unwrap_or(computed));
        }
    }

    /// An operation. The rounding of a product of numbers next to powers of two is reduced by what the series show about these numbers.
    fn nearly_exact(&mut self, i: usize) -> Operation {
        let operations = &self.residual.operations;
        let operation = operations[i];
        let (Kind::Mul(a, b), None, Some(mut rounding)) =
            (operation.kind, operation.direction, operation.rounding)
        else {
            return operation;
        };
        let of = |a: u32| {
            let a = a as usize;
            (self.values[a].scale(self.exponents[a]), operations[a].grid)
        };
        let most = Interval::symmetric(next_to_powers(of(a), of(b), rounding.unit));
        rounding.error = rounding.error.meet(most).unwrap_or(rounding.error);
        self.residual.operations[i].rounding = Some(rounding);
        self.residual.operations[i]
    }

    /// The operands of an operation with the secants' slopes, all scaled.
    pub(crate) fn slopes(&self, i: usize) -> Operands<Interval> {
        let Operation { kind, .. } = self.residual.operations[i];
        let e = self.exponents[i];
        let ex = |a: u32| self.exponents[a as usize];
        let v = |a: u32| self.values[a as usize];
        let s = |a: u32| self.reals[a as usize];
        let one = |a: u32| Interval::ONE.scale(ex(a) - e);
        match kind {
            Kind::Input | Kind::Const(_) | Kind::Low(_) => operands([]),
            Kind::Add(a, b) | Kind::Sum(a, b) => operands([(a, one(a)), (b, one(b))]),
            Kind::Sub(a, b) => operands([(a, one(a)), (b, one(b).neg())]),
            Kind::Mul(a, b) => {
                let by = ex(a) + ex(b) - e;
                operands([(a, v(b).scale(by)), (b, s(a).scale(by))])
            }
            Kind::Div(a, b) => operands([
                (a, Interval::ONE.div(v(b)).scale(ex(a) - ex(b) - e)),
                (b, s(i as u32).div(v(b)).neg()),
            ]),
            Kind::Fma(a, b, c) => {
                let by = ex(a) + ex(b) - e;
                operands([(a, v(b).scale(by)), (b, s(a).scale(by)), (c, one(c))])
            }
            Kind::Sqrt(a) => {
                let root = v(a).scale(ex(a) - 2 * e).sqrt();
                let both = root.add(s(i as u32));
                operands([(a, Interval::ONE.div(both).scale(ex(a) - 2 * e))])
            }
            Kind::Neg(a) => operands([(a, one(a).neg())]),
            Kind::Round(a) => operands([(a, one(a))]),
            Kind::Affine { of: a, factor, .. } => {
                operands([(a, one(a).mul(Interval::point(factor)))])
            }
            Kind::SumError(a, b, t) => operands([(a, one(a)), (b, one(b)), (t, one(t).neg())]),
            Kind::ProductError(a, b, p) => {
                let by = ex(a) + ex(b) - e;
                operands([(a, v(b).scale(by)), (b, s(a).scale(by)), (p, one(p).neg())])
            }
        }
    }

    /// The weights by ranges, and by series. Some weights vanish, such as that of a number that is split in two and put together again. In
    /// the series, such a weight vanishes on any cell.
    fn find_weights(&self) -> (Vec<Interval>, Interval) {
        let n = self.residual.operations.len();
        let series = self.weight_series();
        // By ranges, with the difference between the slopes with V and those with S.
        let forms = &self.forms;
        let mut apart_of_low = Interval::ZERO;
        let (mut weights, mut apart) = (vec![Interval::ZERO; n], vec![Form::default(); n]);
        weights[self.residual.result as usize] = Interval::ONE;
        for i in (0..n).rev() {
            let plain = weights[i];
            let zero = |w: &Interval| *w == Interval::ZERO;
            if zero(&plain) && apart[i].is_zero() && zero(&series[i]) {
                continue;
            }
            let by_series = series[i].add(apart[i].range(&forms.symbols));
            // The center of a quotient by a number that may be 0 is not known.
            let known = !(by_series.lo.is_nan() || by_series.hi.is_nan());
            let w = match known {
                true => by_series.meet(plain).unwrap_or(plain),
                false => plain,
            };
            weights[i] = w;
            let real = self.real_slopes(i, |a| Series::<Interval, 1>([self.reals[a]]));
            let parted = self.parted(i, &forms.of);
            let part = std::mem::take(&mut apart[i]);
            if matches!(self.residual.operations[i].kind, Kind::Low(_)) {
                apart_of_low = part.range(&forms.symbols);
            }
            for (((a, g), (_, s)), d) in self.slopes(i).zip(real).zip(parted) {
                let a = a as usize;
                weights[a] = weights[a].add(w.mul(g));
                apart[a].add(&d, w);
                apart[a].add(&part, s.0[0]);
            }
        }
        (weights, apart_of_low)
    }

    /// The range of the low word's weight minus a function of the input, whose series are given.
    pub(super) fn weight_less(
        &self,
        low: usize,
        at: &Series<Ball, TERMS>,
        over: &Series<Interval, TERMS>,
    ) -> Interval {
        let of = |i: usize| Series::<_, FINE_TERMS>(std::array::from_fn(|k| self.at[i].0[k]));
        let weight = self.real_weights(of)[low];
        let at = weight.sub(Series(std::array::from_fn(|k| at.0[k])));
        let of = |i: usize| Series::<_, FINE_TERMS>(std::array::from_fn(|k| self.over[i].0[k]));
        let weight = self.real_weights(of)[low];
        let plain = self.weights[low].sub(over.0[0]);
        let over = weight.sub(Series(std::array::from_fn(|k| over.0[k])));
        let by_series = range(&at, &over).add(self.apart_of_low);
        let known = !(by_series.lo.is_nan() || by_series.hi.is_nan());
        let both = by_series.meet(plain).filter(|_| known);
        both.unwrap_or(plain)
    }

    /// The weights by the slopes with S in place of V, which are functions of the input alone. The rounding of `1 + x` is 2^52 units of x if x is the
    /// last place of 1, so only a weight below 2^-52 of it is negligible. If intervals of doubles do not show this, they are replaced by intervals of
    /// double-doubles.
    fn weight_series(&self) -> Vec<Interval> {
        let at = self.real_weights::<_, WEIGHT_TERMS>(|i| {
            Series(std::array::from_fn(|k| self.at[i].0[k].enclosure()))
        });
        if self.are_known(&at) {
            return self.over_cell(&at);
        }
        self.over_cell(
            &self.real_weights::<_, FINE_TERMS>(|i| {
                Series(std::array::from_fn(|k| self.at[i].0[k]))
            }),
        )
    }

    /// The weights over the cell, from those at the center.
    fn over_cell<R: Ring, const K: usize>(&self, at: &[Series<R, K>]) -> Vec<Interval> {
        let over =
            self.real_weights::<_, K>(|i| Series(std::array::from_fn(|k| self.over[i].0[k])));
        at.iter().zip(&over).map(|(a, o)| range(a, o)).collect()
    }

    /// Whether the weights at the center are so narrow that the contribution of each rounding to the error is known.
    fn are_known(&self, at: &[Series<Interval, WEIGHT_TERMS>]) -> bool {
        let operations = &self.residual.operations;
        let out = self.residual.result as usize;
        let least = operations[out].values.least();
        let last = match least {
            0.0 => operations[out].format.least,
            _ => operations[out].format.ulp(least),
        };
        let unknown = UNKNOWN * scaled_power(last - self.exponents[out]);
        operations.iter().enumerate().all(|(i, o)| {
            o.rounding.is_none_or(|r| {
                let unit = scaled_power(r.unit - self.exponents[i]);
                at[i].0[0].width() * r.error.magnitude() * unit <= unknown
            })
        })
    }

    /// Adds an operation's error, which is at most `error`, as a linear form, and returns the bound of its magnitude that the form gives.
    fn push_form(&mut self, i: usize, slopes: Operands<Interval>, error: f64) -> f64 {
        let operations = &self.residual.operations;
        let constant = |a: u32| matches!(operations[a as usize].kind, Kind::Const(_));
        let linear = match operations[i].kind {
            Kind::Mul(a, b) => constant(a) || constant(b),
            Kind::Div(..) | Kind::Fma(..) | Kind::Sqrt(_) | Kind::ProductError(..) => false,
            _ => true,
        };
        let e = self.exponents[i];
        let rounding = operations[i].rounding;
        let rounding = rounding.map(|r| r.error.magnitude() * scaled_power(r.unit - e));
        self.forms.push(linear.then_some(slopes), error, rounding);
        let most = self.forms.of[i].range(&self.forms.symbols).magnitude();
        if most.is_nan() { f64::INFINITY } else { most }
    }

    /// The weights by the slopes in real arithmetic.
    fn real_weights<R: Ring, const K: usize>(
        &self,
        real: impl Fn(usize) -> Series<R, K>,
    ) -> Vec<Series<R, K>> {
        let zero = Series::constant(R::number(0.0));
        let mut weights = vec![zero; self.residual.operations.len()];
        weights[self.residual.result as usize] = Series::constant(R::number(1.0));
        for i in (0..weights.len()).rev() {
            let w = weights[i];
            for (a, g) in self.real_slopes(i, &real) {
                weights[a as usize] = weights[a as usize].add(w.mul(g));
            }
        }
        weights
    }

    /// The slopes with S in place of V: derivatives.
    fn real_slopes<R: Ring, const K: usize>(
        &self,
        i: usize,
        real: impl Fn(usize) -> Series<R, K>,
    ) -> Operands<Series<R, K>> {
        let Operation { kind, .. } = self.residual.operations[i];
        let e = self.exponents[i];
        let ex = |a: u32| self.exponents[a as usize];
        let s = |a: u32| real(a as usize);
        let number = |x: f64| Series::constant(R::number(x));
        let one = |a: u32| number(1.0).scale(ex(a) - e);
        match kind {
            Kind::Input | Kind::Const(_) | Kind::Low(_) => operands([]),
            Kind::Add(a, b) | Kind::Sum(a, b) => operands([(a, one(a)), (b, one(b))]),
            Kind::Sub(a, b) => operands([(a, one(a)), (b, one(b).map(R::neg))]),
            Kind::Mul(a, b) => {
                let by = ex(a) + ex(b) - e;
                operands([(a, s(b).scale(by)), (b, s(a).scale(by))])
            }
            Kind::Div(a, b) => operands([
                (a, number(1.0).div(s(b)).scale(ex(a) - ex(b) - e)),
                (b, s(i as u32).div(s(b)).map(R::neg)),
            ]),
            Kind::Fma(a, b, c) => {
                let by = ex(a) + ex(b) - e;
                operands([(a, s(b).scale(by)), (b, s(a).scale(by)), (c, one(c))])
            }
            Kind::Sqrt(a) => {
                let twice = s(i as u32).scale(1);
                operands([(a, number(1.0).div(twice).scale(ex(a) - 2 * e))])
            }
            Kind::Neg(a) => operands([(a, one(a).map(R::neg))]),
            Kind::Round(a) => operands([(a, one(a))]),
            Kind::Affine { of: a, factor, .. } => operands([(a, one(a).times(R::number(factor)))]),
            Kind::SumError(a, b, t) => {
                operands([(a, one(a)), (b, one(b)), (t, one(t).map(R::neg))])
            }
            Kind::ProductError(a, b, p) => {
                let by = ex(a) + ex(b) - e;
                let minus = one(p).map(R::neg);
                operands([(a, s(b).scale(by)), (b, s(a).scale(by)), (p, minus)])
            }
        }
    }

    /// The differences between the secants' slopes and the derivatives, in the order of [`Analysis::slopes`].
    fn parted(&self, i: usize, errors: &[Form]) -> [Form; 3] {
        let Operation { kind, .. } = self.residual.operations[i];
        let e = self.exponents[i];
        let ex = |a: u32| self.exponents[a as usize];
        let off = |a: u32| Interval::symmetric(self.errors[a as usize]);
        let (v, s) = (
            |a: u32| self.values[a as usize],
            |a: u32| self.reals[a as usize],
        );
        let within = Form::within;
        let none = Form::default;
        match kind {
            Kind::Mul(a, b) | Kind::Fma(a, b, _) | Kind::ProductError(a, b, _) => {
                let mut first = none();
                let by = Interval::ONE.scale(ex(a) + ex(b) - e);
                first.add(&errors[b as usize], by);
                [first, none(), none()]
            }
            // 1/V - 1/S = -(V - S) / (V S)
            Kind::Div(a, b) => {
                let part = off(b).div(v(b).mul(s(b)));
                let first = part.scale(ex(a) - ex(b) - e);
                [within(first), within(s(i as u32).mul(part)), none()]
            }
            // 1/(√V + √S) - 1/(2√S) = -(V - S) / ((√V + √S)² 2√S)
            Kind::Sqrt(a) => {
                let by = ex(a) - 2 * e;
                let both = v(a).scale(by).sqrt().add(s(i as u32));
                let below = both.mul(both).mul(s(i as u32).scale(1));
                let part = off(a).scale(by).div(below).scale(by);
                [within(part), none(), none()]
            }
            _ => [none(), none(), none()],
        }
    }
}

/// The operands of an operation, each with a slope. No memory is allocated for them.
type Operands<T> = std::iter::Flatten<std::array::IntoIter<Option<(u32, T)>, 3>>;

fn operands<T: Copy, const N: usize>(of: [(u32, T); N]) -> Operands<T> {
    let mut all = [None; 3];
    for (place, operand) in all.iter_mut().zip(of) {
        *place = Some(operand);
    }
    all.into_iter().flatten()
}

/// `2^e`, rounded up if it is not a double.
fn scaled_power(e: i32) -> f64 {
    crate::num::float::scaled_up(1.0, e)
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

/// Bounds of computed values over a cell by series, which take dependences into account. With intervals, the sum of a number and its square is wider
/// than it really is. They are for the given operations and for those before them.
pub(crate) fn ranges_by_series(operations: &[Operation], of: &[Index], cell: Cell) -> Tight {
    let residual = Residual::live_of(operations, of);
    if of.is_empty() || residual.affine().next().is_some() {
        return Tight::new();
    }
    let center = cell.center();
    let analysis = Analysis::with_ranges(residual, cell, center, cell.radius(center));
    analysis.tight(&Tight::new())
}

/// The analysis of a residual, with computed values bounded as tightly as its series allow.
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
    let mut before: Option<Analysis> = None;
    loop {
        let residual = replay(core, input, &tight).map_err(|no| match no {
            NoReplay::Empty => Unbounded::Empty,
            NoReplay::Endless => Unbounded::Special,
        })?;
        let mut analysis = Analysis::after(residual, cell, center, radius, before.as_ref());
        rounds += 1;
        let tighter = analysis.tight(assumed);
        // The weights are those of the last round.
        if rounds < 3 && gains(&analysis.residual, &tight, &tighter) {
            (tight, before) = (tighter, Some(analysis));
            continue;
        }
        analysis = analysis.weighed();
        if rounds == 3 {
            return Ok(analysis);
        }
        let tighter = analysis.tight(assumed);
        if !gains(&analysis.residual, &tight, &tighter) {
            return Ok(analysis);
        }
        (tight, before) = (tighter, Some(analysis));
    }
}
