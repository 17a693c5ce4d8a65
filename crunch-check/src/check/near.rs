//! The errors of many inputs of one stretch, each in some nanoseconds: the function is a polynomial there. Where the polynomial does not
//! decide, the error is computed with more bits.

use crate::analysis::true_unit;
use crate::enumerate::double;
use crate::expansion::Expansion;
use crate::function::On;
use crate::number::{Coarse, Fine, exact, exponent, floor, power_double};
use crate::polynomial::{FRACTION, Polynomial, UNIT};

/// The function on a stretch.
pub(super) struct Near {
    function: Polynomial,
    /// Values are in units of `2^unit`; each ULP of a value has at least one such unit.
    unit: i32,
    /// `p`: `m` steps are `m / 2^p` radii.
    steps: i32,
    /// The distance between inputs.
    spacing: f64,
    /// The center in steps.
    center: i64,
}

impl Near {
    /// Made from the function's series at a place whose inputs are multiples of `2^grid`.
    pub(super) fn new(
        series: &[Fine],
        remainder: &Coarse,
        unit: i32,
        expansion: &Expansion,
        grid: i32,
    ) -> Option<Near> {
        let steps = exponent(&expansion.radius) - grid;
        // Products with numbers below 2^60 units that have FRACTION more bits stay below 2^127.
        if !(0..=33).contains(&steps) || !(-1074..=900).contains(&grid) {
            return None;
        }
        let center = exact(expansion.center);
        if exponent(&center) > grid + 61 {
            return None;
        }
        Some(Near {
            function: Polynomial::new(series, remainder, unit)?,
            unit,
            steps,
            spacing: power_double(grid),
            center: i64::try_from(floor(&center, -grid)).ok()?,
        })
    }

    /// Made from a function on the doubles from `lo` to `hi`, of one sign; `None` if more than a few terms are needed.
    pub(super) fn on(function: &On, lo: f64, hi: f64, grid: i32) -> Option<Near> {
        let expansion = Expansion::new(lo, hi, grid);
        let near = lo.abs().min(hi.abs());
        if near == 0.0 {
            return None;
        }
        let narrow = exponent(&exact(near)) - exponent(&expansion.radius);
        // Each coefficient is smaller by about this many bits; the first has 53 bits before the point.
        let terms = (2..=4).find(|t| t * narrow > 53 + FRACTION)?;
        let w = Fine::of(expansion.radius.clone());
        let series = function.series(&Fine::double(expansion.center), &w, terms as usize)?;
        let over = function.series(&expansion.cell(), &w.to(), terms as usize + 1)?;
        let unit = true_unit(&over[0]).ok()?;
        Near::new(&series, over.last()?, unit, &expansion, grid)
    }

    /// The input at a step from the center; `None` if it is not a double.
    pub(super) fn input(&self, step: i64) -> Option<f64> {
        let number = self.center.checked_add(step)?;
        let double = number as f64;
        let x = double * self.spacing;
        (double as i64 == number && x / self.spacing == double).then_some(x)
    }

    /// The step of an input, a multiple of the grid.
    pub(super) fn step(&self, x: f64) -> Option<i64> {
        let number = (x / self.spacing) as i64;
        let step = number.checked_sub(self.center)?;
        (self.input(step) == Some(x)).then_some(step)
    }

    /// At a step where the routine gives `value`: its difference from the function, and the function's value, both in units.
    pub(super) fn difference(&self, value: f64, step: i64) -> Option<Difference> {
        if step.unsigned_abs() > 1 << self.steps {
            return None;
        }
        let bits = value.to_bits();
        let field = (bits >> 52 & 0x7ff) as i32;
        // Only normal numbers.
        if !(1..0x7ff).contains(&field) {
            return None;
        }
        let shift = field - 1075 - self.unit + FRACTION;
        if !(0..=64).contains(&shift) {
            return None;
        }
        let significand = i128::from(bits & ((1 << 52) - 1) | 1 << 52) << shift;
        let value = if value < 0.0 {
            -significand
        } else {
            significand
        };
        let function = self.function.value(step, self.steps);
        Some(Difference {
            units: double(value - function) * UNIT,
            function: double(function) * UNIT,
            wrong: self.function.wrong,
        })
    }
}

/// The result of [`Near::difference`].
#[derive(Debug, Clone, Copy)]
pub(super) struct Difference {
    units: f64,
    function: f64,
    wrong: f64,
}

impl Difference {
    /// A bound of the magnitude of the error, in ULP. The true value is the function's value times `1 + η`.
    pub(super) fn bound(self, eta: (f64, f64)) -> f64 {
        let (a, b) = (self.function * eta.0, self.function * eta.1);
        let most = (self.units - a.min(b))
            .abs()
            .max((self.units - a.max(b)).abs());
        // Half a dozen roundings, each by at most one part in 2^53.
        let wrong = self.wrong * (1.0 + eta.0.abs().max(eta.1.abs()));
        let most = most + wrong + 1e-9 + (self.units.abs() + a.abs() + b.abs()) * 1e-14;
        // Beyond the next power of two an ULP has two units, and so on.
        // The factor is for five roundings, each at most one part in 2^53 of the function's value.
        let least = self.function.abs() * (1.0 - 1e-15) - a.abs().max(b.abs()) - wrong;
        let mut ulp = 1.0;
        while least >= ulp * 2f64.powi(53) {
            ulp *= 2.0;
        }
        most / ulp
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kernels::Words;
    use crate::law::Law;
    use crate::number::{Interval, Number};

    /// Compares the differences of the standard library's results from the function, in units, with those computed with 192 bits.
    #[test]
    fn differences_are_those_of_more_bits() {
        for (law, f, lo) in [
            (Law::Exp, f64::exp as fn(f64) -> f64, 1.3f64),
            (Law::Ln, f64::ln, 0.7),
            (Law::Sin, f64::sin, -0.4),
            (Law::Recip, f64::recip, 1.999),
        ] {
            let near = |inputs: u64| {
                let ends = [lo, f64::from_bits(lo.to_bits() + inputs)];
                let (lo, hi) = (ends[0].min(ends[1]), ends[0].max(ends[1]));
                let grid = exponent(&exact(lo)) - 52;
                Near::on(&On::Law(law), lo, hi, grid).expect("narrow")
            };
            for inputs in [40, 1000, 60_000] {
                let near = near(inputs);
                for i in (0..inputs).step_by(inputs as usize / 37 + 1) {
                    let x = f64::from_bits(lo.to_bits() + i);
                    let step = near.step(x).expect("on the grid");
                    assert_eq!(near.input(step), Some(x));
                    let bound = |value: f64| {
                        let difference = near.difference(value, step).expect("normal");
                        difference.bound((0.0, 0.0))
                    };
                    let truth = law.value(&Interval::<192>::double(x)).expect("defined");
                    let error = |value: f64| {
                        let error = Fine::double(value).sub(&truth).scale(-near.unit);
                        error.middle().abs()
                    };
                    for value in [f(x), f(x) * (1.0 + 1e-14)] {
                        let (most, error) = (bound(value), error(value));
                        assert!(error <= most && most <= error + 1e-6, "{law:?} {x:e}");
                    }
                }
            }
        }
    }

    #[test]
    fn what_is_no_double_is_no_input() {
        let near = Near::on(&On::Law(Law::Exp), 0.99, 1.01, -90);
        assert!(near.is_none(), "of so many steps");
        let near = Near::on(&On::Law(Law::Exp), 1.0, 1.0 + 2f64.powi(-30), -55).expect("narrow");
        let center = near.step(1.0 + 2f64.powi(-31)).expect("a double");
        assert_eq!(
            near.input(center + 8),
            Some(1.0 + 2f64.powi(-31) + f64::EPSILON)
        );
        assert_eq!(near.input(center + 1), None);
    }

    /// The exact error of a computed value from the function's value times `1 + η`, in ULP of the latter, for several values of η and of
    /// the polynomial's error. It is below the bound, and the bound is not far above the largest error.
    #[test]
    fn bounds_hold_for_every_relative_error() {
        let mut random = Words(1);
        let product = |a: &Number, b: &Number| {
            Number::new(
                a.significand() * b.significand(),
                a.exponent() + b.exponent(),
            )
        };
        for _ in 0..20_000 {
            let mut part = || random.below(1 << 40) as f64 * 2f64.powi(-39) - 1.0;
            let (a, b, c, d) = (part(), part(), part(), part());
            let binade = random.of(&[
                2f64.powi(40),
                2f64.powi(52),
                2f64.powi(53),
                2f64.powi(54),
                2f64.powi(57),
            ]);
            let off = random.of(&[1.0, 0.5, 1e-9, 1e-12, 3e-16, 0.0]);
            let size = binade * (1.0 + off * a);
            let function = if random.below(2) == 0 { size } else { -size };
            let scale = random.of(&[0.0, 1e-18, 2f64.powi(-50), 2f64.powi(-52), 1e-12]);
            let eta = [scale * b, scale * (b + c.abs())];
            let difference = Difference {
                units: random.of(&[0.0, 0.5, 1.0, 3.0, 1e4, 1e12]) * d,
                function,
                wrong: random.of(&[0.0, 1e-9, 0.01]),
            };
            let bound = difference.bound((eta[0], eta[1]));
            let value = exact(function) + exact(difference.units);
            let mut most = 0.0f64;
            for eta in [eta[0], eta[1], f64::midpoint(eta[0], eta[1])] {
                for wrong in [-difference.wrong, 0.0, difference.wrong] {
                    let truth = exact(function) + exact(wrong);
                    let truth = &truth + &product(&truth, &exact(eta));
                    let unit = (exponent(&truth) - 52).max(0);
                    let error = Fine::of(&value - &truth).scale(-unit).middle().abs();
                    assert!(error <= bound, "{error:e} {bound:e} {difference:?} {eta:e}");
                    most = most.max(error);
                }
            }
            // On both sides of a power of two an ULP has two sizes.
            assert!(
                bound
                    <= 2.1
                        * (most * (1.0 + 1e-12)
                            + 1e-8
                            + difference.wrong
                            + difference.units.abs() * 1e-13),
                "{bound:e} {most:e} {difference:?}"
            );
        }
    }

    /// The polynomial's error is multiplied by `1 + η` as well.
    #[test]
    fn the_polynomials_error_grows_with_the_function() {
        let difference = Difference {
            units: 0.0,
            function: 2f64.powi(20),
            wrong: 0.01,
        };
        for eta in [(0.25, 0.25), (0.0, 0.25), (-0.25, 0.25), (-0.125, 0.25)] {
            let bound = difference.bound(eta);
            assert!(bound >= 2f64.powi(18) + 0.0125, "{eta:?} {bound}");
        }
        // Also where it turns the function's sign.
        assert!(difference.bound((-4.0, 0.0)) >= 2f64.powi(22) + 0.03);
    }

    /// With more steps, sums of 128 bits would overflow.
    #[test]
    fn a_stretch_has_few_steps_of_moderate_inputs() {
        let near = |lo: f64, hi: f64, grid: i32| {
            let expansion = Expansion::new(lo, hi, grid);
            let series = [Fine::double(1.5), Fine::double(2f64.powi(-20))];
            Near::new(&series, &Coarse::zero(), -52, &expansion, grid)
        };
        let narrow = |lo: f64| (lo, lo * (1.0 + 2f64.powi(-30)));
        for ((lo, hi), grid, some) in [
            (narrow(1.0), -52, true),
            ((1.0, 1.5), -52, false),
            ((1.0, 1.0 + 2f64.powi(-15)), -52, false),
            (narrow(2f64.powi(960)), 908, false),
        ] {
            assert_eq!(near(lo, hi, grid).is_some(), some, "{lo:e} {hi:e} {grid}");
        }
    }

    /// If the polynomial may be wrong by more than the distance to a power of two, the smaller unit below that power counts.
    #[test]
    fn a_function_near_a_power_of_two_may_be_below_it() {
        for function in [2f64.powi(53) + 32.0, -2f64.powi(53) - 32.0] {
            let difference = Difference {
                units: 0.0,
                function,
                wrong: 64.0,
            };
            assert!(difference.bound((0.0, 0.0)) >= 64.0);
        }
    }

    /// Values that are subnormal or not numbers, where the function's values have such units.
    #[test]
    fn differences_are_those_of_normal_numbers_alone() {
        for (lo, normal, others) in [
            (-740.0f64, f64::MIN_POSITIVE, [5e-324, 1e-310]),
            (709.7, f64::MAX, [f64::INFINITY, f64::NAN]),
        ] {
            let hi = at_step(lo, 200);
            let grid = exponent(&exact(lo)) - 52;
            let near = Near::on(&On::Law(Law::Exp), lo, hi, grid).expect("narrow");
            let step = near.step(lo).expect("on the grid");
            assert!(near.difference(normal, step).is_some());
            for value in others {
                assert!(near.difference(value, step).is_none(), "{value:e}");
            }
        }
    }

    /// The double this many places above one.
    fn at_step(x: f64, places: i64) -> f64 {
        crate::kernels::at(crate::kernels::place(x) + places)
    }

    /// No difference is known for a value that is not a normal number, or is far from the function's values or from the stretch.
    #[test]
    fn differences_are_those_of_normal_numbers_nearby() {
        let (lo, hi) = (1.0f64, 1.0 + 2f64.powi(-30));
        let near = Near::on(&On::Law(Law::Recip), lo, hi, -52).expect("narrow");
        let step = near.step(1.0 + 2f64.powi(-31)).expect("on the grid");
        let units = |value: f64| near.difference(value, step).map(|d| (d.units, d.function));
        for value in [f64::NAN, f64::INFINITY, 0.0, 1e-310, -1e-310, 1e300, 1e-300] {
            assert!(units(value).is_none(), "{value:e}");
        }
        for value in [1.0, -1.0, 0.9375, 1.5, 3.0, -0.75, 0.25, 1000.0] {
            let Some((units, function)) = units(value) else {
                assert!(!(0.4..=3.0).contains(&f64::abs(value)), "{value}");
                continue;
            };
            let unit = 2f64.powi(-near.unit);
            assert!(
                (units + function - value * unit).abs() <= 1e-6 * unit,
                "{value}"
            );
        }
        for out in [step + (1 << 40), step - (1 << 40), i64::MAX, i64::MIN] {
            assert!(near.difference(1.0, out).is_none(), "{out}");
        }
        assert!(near.step(1.0 + 2f64.powi(-40)).is_some());
        assert_eq!(
            near.step((0.75f64).next_up()),
            None,
            "between the multiples of the grid"
        );
        assert_eq!(near.input(i64::MAX), None);
        // There is none over zero.
        assert!(Near::on(&On::Law(Law::Sin), 0.0, 1e-3, -80).is_none());
    }
}
