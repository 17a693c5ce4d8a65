//! The common definitions of "error in ULP", and the absolute and the relative error, for display.
//!
//! The search finds the maximum by the Handbook's definition. For any input whose result and reference are stored, the other errors can be
//! computed. The worst input under one definition need not be the worst under another. Near a power of two, the definitions in ULP differ
//! by up to a factor of 2. The relative error of the worst input is within a factor of 2 of the largest relative error if results are
//! normal numbers. Its absolute error may be far from the largest absolute error.

use crate::model::block::Worst;
use crate::model::key::Precision;
use crate::model::measure::Measure;

/// A definition of the error of a result.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Definition {
    /// Muller et al., *Handbook of Floating-Point Arithmetic*: in units of 2^(e - p + 1) for a reference in
    /// [2^e, 2^(e + 1)), but never less than the smallest subnormal.
    #[default]
    Handbook,
    /// The OpenCL C specification, section 7.4: in units of the distance between the two floats around the reference;
    /// at a power of two, the smaller of its two neighbour distances.
    OpenCl,
    /// Kahan (2004): in units of the gap between the two floats nearest to the reference. Just above a power of two,
    /// this is the smaller gap below it.
    Kahan,
    /// The number of steps between neighbouring floats from the reference, rounded to nearest, to the result.
    Distance,
    /// The Handbook's error minus one half, which correct rounding does not exceed.
    Excess,
    /// |result − reference|, without a unit.
    Absolute,
    /// |result − reference| / |reference|; infinite if the reference is 0 and the result is not.
    Relative,
    /// The error that the search measured, if it is not an error in ULP. It has no other definition, because its worst inputs are not those
    /// in ULP.
    Searched(Measure),
}

impl Definition {
    /// The error of a search with this measure.
    #[must_use]
    pub const fn searched(measure: Measure) -> Definition {
        if measure.is_in_ulp() {
            Definition::Handbook
        } else {
            Definition::Searched(measure)
        }
    }

    /// Whether it is the error that the search measured, whose extremes of both signs are stored.
    #[must_use]
    pub const fn is_searched(self) -> bool {
        matches!(self, Definition::Handbook | Definition::Searched(_))
    }

    /// The unit of the measured error.
    #[must_use]
    pub const fn searched_unit(self) -> &'static str {
        match self {
            Definition::Searched(measure) => measure.unit(),
            _ => "ULP",
        }
    }

    /// All definitions that can be requested.
    pub const ALL: [Definition; 7] = [
        Definition::Handbook,
        Definition::OpenCl,
        Definition::Kahan,
        Definition::Distance,
        Definition::Excess,
        Definition::Absolute,
        Definition::Relative,
    ];

    /// Name on the command line.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Definition::Handbook => "handbook",
            Definition::OpenCl => "opencl",
            Definition::Kahan => "kahan",
            Definition::Distance => "distance",
            Definition::Excess => "excess",
            Definition::Absolute => "absolute",
            Definition::Relative => "relative",
            Definition::Searched(measure) => measure.name(),
        }
    }

    /// The word after an error: its unit or, for an error without a unit, its kind.
    #[must_use]
    pub const fn unit(self) -> &'static str {
        match self {
            Definition::Absolute | Definition::Relative => self.name(),
            Definition::Searched(measure) => measure.unit(),
            _ => "ULP",
        }
    }

    /// The label of an axis or a column.
    #[must_use]
    pub fn axis(self) -> String {
        match self {
            Definition::Handbook => "error in ULP".into(),
            Definition::Absolute | Definition::Relative | Definition::Searched(_) => {
                format!("{} error", self.name())
            }
            d => format!("error in ULP ({})", d.name()),
        }
    }

    /// The definition with this name.
    #[must_use]
    pub fn by_name(name: &str) -> Option<Definition> {
        Definition::ALL.into_iter().find(|d| d.name() == name)
    }

    /// The error of a stored input by this definition.
    #[must_use]
    pub fn of(self, worst: &Worst) -> f64 {
        match self {
            Definition::Handbook | Definition::Searched(_) => worst.error,
            Definition::OpenCl if below_is_meant(worst, |above, _| above == 0.0) => {
                2.0 * worst.error
            }
            // The reference is nearer to the float below the power of two than to the one above it: x + u/2 < u - x.
            Definition::Kahan if below_is_meant(worst, |above, unit| 4.0 * above < unit) => {
                2.0 * worst.error
            }
            Definition::OpenCl | Definition::Kahan => worst.error,
            Definition::Distance => steps(worst),
            Definition::Excess => (worst.error - 0.5).max(0.0),
            Definition::Absolute => scaled(difference(worst), worst.scale),
            Definition::Relative => match difference(worst) {
                0.0 => 0.0,
                difference => difference / worst.reference[0].abs(),
            },
        }
    }
}

/// Whether the reference is 2^e + `above`, where `above` ≥ 0 satisfies the predicate (which gets `above` and the Handbook's unit), and the
/// floats below 2^e are closer together than those above it.
fn below_is_meant(worst: &Worst, wanted: fn(f64, f64) -> bool) -> bool {
    let (bits, least) = match worst.precision {
        Precision::F32 => (24, -149),
        Precision::F64 => (53, -1074),
    };
    let [hi, lo] = worst.reference;
    let (hi, lo) = if hi < 0.0 { (-hi, -lo) } else { (hi, lo) };
    if !hi.is_normal() || lo < 0.0 && hi.to_bits() << 12 == 0 {
        return false;
    }
    let field = (hi.to_bits() >> 52) as i32;
    let exponent = field - 1023 + worst.scale as i32;
    // In the lowest normal binade and below it, the spacing is that of the subnormals on both sides.
    if exponent - bits < least {
        return false;
    }
    let power = f64::from_bits((field as u64) << 52);
    // The numbers are scaled to [1, 2) so that nothing underflows; the division by a power of two is exact except for
    // tiny `lo`, whose sign and order remain.
    let above = (hi - power) / power + lo / power;
    wanted(above, f64::powi(2.0, 1 - bits))
}

/// The distance of the result from the reference, where both are divided by the reference's scale.
fn difference(worst: &Worst) -> f64 {
    let result = scaled(
        worst.precision.value_of_bits(worst.result_bits),
        -worst.scale,
    );
    let [hi, lo] = worst.reference;
    ((result - hi) - lo).abs()
}

/// `x` times a power of two, rounded at most once.
fn scaled(x: f64, by: i64) -> f64 {
    // There are two factors: with the allowed scales, the first rounds nothing.
    let half = (by / 2) as i32;
    x * f64::powi(2.0, half) * f64::powi(2.0, by as i32 - half)
}

/// The number of steps from the rounded reference to the result. Both zeros are one number.
fn steps(worst: &Worst) -> f64 {
    let [hi, lo] = worst.reference;
    let rounded = match worst.precision {
        // As in the search, the reference of an f32 routine is one f64.
        Precision::F32 => u64::from((hi as f32).to_bits()),
        Precision::F64 => nearest(hi, lo, worst.scale).to_bits(),
    };
    let place = |bits: u64| {
        let key = worst.precision.key_of_bits(bits);
        i128::from(if key < 0 { key + 1 } else { key })
    };
    (place(worst.result_bits) - place(rounded)).unsigned_abs() as f64
}

/// `(hi + lo) 2^scale` rounded to nearest, ties to even, for a normalised double-double of normal numbers.
#[must_use]
pub fn nearest(hi: f64, lo: f64, scale: i64) -> f64 {
    if scale == 0 {
        return hi + lo;
    }
    // The value in units of the least subnormal.
    let sign = 1f64.copysign(hi);
    let [units, rest] = [hi, lo].map(|x| sign * scaled(x, scale + 1074));
    if units >= f64::powi(2.0, 52) {
        return scaled(hi + lo, scale);
    }
    let whole = units.floor();
    // Both differences are exact; only the sign of the sum matters.
    let beyond = (units - whole - 0.5) + rest;
    let up = beyond > 0.0 || beyond == 0.0 && whole % 2.0 == 1.0;
    sign * f64::from_bits(whole as u64 + u64::from(up))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scaled_references_are_rounded_once() {
        let tiny = |units: u64| f64::from_bits(units);
        for (hi, lo, scale, want) in [
            (3.0, 0.0, -1074, tiny(3)),
            (2.5, 0.0, -1074, tiny(2)),
            (2.5, 1e-20, -1074, tiny(3)),
            (3.5, -1e-20, -1074, tiny(3)),
            (-2.5, -1e-20, -1074, -tiny(3)),
            (0.5, 0.0, -1074, 0.0),
            (0.5, 1e-30, -1074, tiny(1)),
            (1.0, -1e-20, -1074, tiny(1)),
            // A tie with 52 bits, the precision there, that is not a tie with 53 bits.
            (1.0 + f64::EPSILON, 1e-20, -1023, tiny((1 << 51) + 1)),
            (1.0 + f64::EPSILON, -1e-20, -1023, tiny(1 << 51)),
            (2f64.next_down(), 1e-18, -1023, f64::MIN_POSITIVE),
            (1.5, 1e-20, 1023, 1.5 * 2f64.powi(1023)),
            (1.5, 0.0, 1024, f64::INFINITY),
            (1.5 * 2f64.powi(-900), 0.0, -100, 1.5 * 2f64.powi(-1000)),
        ] {
            let got = nearest(hi, lo, scale);
            assert_eq!(
                got.to_bits(),
                want.to_bits(),
                "{hi} + {lo} * 2^{scale}: {got:e}"
            );
        }
        // For a subnormal result the neighbours on both sides of a power of two have the same distance.
        let w = Worst {
            scale: -1040,
            ..worst(Precision::F64, 0.0, 1.0, 0.0, 1.0)
        };
        assert_eq!(all(&w)[..3], [1.0; 3]);
    }

    fn worst(precision: Precision, result: f64, hi: f64, lo: f64, error: f64) -> Worst {
        Worst {
            precision,
            key: 0,
            error,
            result_bits: match precision {
                Precision::F32 => u64::from((result as f32).to_bits()),
                Precision::F64 => result.to_bits(),
            },
            reference: [hi, lo],
            scale: 0,
        }
    }

    /// The errors in ULP.
    fn all(w: &Worst) -> [f64; 5] {
        std::array::from_fn(|i| Definition::ALL[i].of(w))
    }

    #[test]
    fn errors_without_a_unit() {
        let both = |w: &Worst| [Definition::Absolute.of(w), Definition::Relative.of(w)];
        let u = f64::EPSILON;
        let w = worst(Precision::F64, 3.0 + 2.0 * u, 3.0, u / 2.0, 0.75);
        assert_eq!(both(&w), [1.5 * u, 0.5 * u]);
        let w = worst(Precision::F64, -3.0, -3.0, u / 2.0, 0.25);
        assert_eq!(both(&w), [u / 2.0, u / 6.0]);
        let w = worst(Precision::F32, 1.5, 1.25, 0.0, 1.0);
        assert_eq!(both(&w), [0.25, 0.2]);
        assert_eq!(both(&worst(Precision::F64, 2.0, 2.0, 0.0, 0.0)), [0.0; 2]);
        assert_eq!(both(&worst(Precision::F64, 0.0, 0.0, 0.0, 0.0)), [0.0; 2]);
        let w = worst(Precision::F64, 1.0, 0.0, 0.0, 1.0);
        assert_eq!(both(&w), [1.0, f64::INFINITY]);
        // The result is 3 of the least subnormal, the reference 2.5 of it: as words that do not underflow, and a scale.
        let least = f64::from_bits(1);
        let w = Worst {
            scale: -1040,
            ..worst(
                Precision::F64,
                3.0 * least,
                2.5 * f64::powi(2.0, -34),
                0.0,
                0.5,
            )
        };
        assert_eq!(Definition::Relative.of(&w), 0.2);
        // Half of it is no number; rounded to even it is 0.
        assert_eq!(Definition::Absolute.of(&w), 0.0);
    }

    #[test]
    fn inside_a_binade_they_agree() {
        let u = f64::EPSILON;
        let w = worst(Precision::F64, 1.5 + u, 1.5, u / 4.0, 0.75);
        assert_eq!(all(&w), [0.75, 0.75, 0.75, 1.0, 0.25]);
        let w = worst(Precision::F64, -1.5 - u, -1.5, -u / 4.0, 0.75);
        assert_eq!(all(&w), [0.75, 0.75, 0.75, 1.0, 0.25]);
        let w = worst(Precision::F32, 1.5, 1.5, 0.0, 0.0);
        assert_eq!(all(&w), [0.0; 5]);
    }

    #[test]
    fn at_a_power_of_two_they_part() {
        let u = f64::EPSILON;
        // The reference is the power of two.
        let w = worst(Precision::F64, 1.0 + u, 1.0, 0.0, 1.0);
        assert_eq!(all(&w), [1.0, 2.0, 2.0, 1.0, 0.5]);
        // It is slightly above: only by Kahan's definition are the two nearest floats the power and the one below.
        let w = worst(Precision::F64, 1.0 + u, 1.0, u / 8.0, 0.875);
        assert_eq!(all(&w), [0.875, 0.875, 1.75, 1.0, 0.375]);
        let w = worst(Precision::F64, 1.0 + u, 1.0, u / 4.0, 0.75);
        assert_eq!(all(&w), [0.75, 0.75, 0.75, 1.0, 0.25]);
        // It is slightly below: the unit is already the smaller one.
        let w = worst(Precision::F64, 1.0, 1.0, -u / 16.0, 0.125);
        assert_eq!(all(&w), [0.125, 0.125, 0.125, 0.0, 0.0]);
        // For an f32 routine, the difference is in the reference's lower bits.
        let v = f64::from(f32::EPSILON);
        let w = worst(Precision::F32, 2.0, 2.0 + v / 8.0, 0.0, 0.0625);
        assert_eq!(all(&w), [0.0625, 0.0625, 0.125, 0.0, 0.0]);
    }

    #[test]
    fn the_bottom_is_even() {
        let tiny = 5e-324;
        for p in [f64::MIN_POSITIVE, 4.0 * tiny, 0.0] {
            let w = worst(Precision::F64, p + tiny, p, 0.0, 1.0);
            assert_eq!(all(&w)[..3], [1.0; 3], "{p:e}");
        }
        let w = worst(
            Precision::F64,
            2.0 * f64::MIN_POSITIVE,
            2.0 * f64::MIN_POSITIVE,
            0.0,
            1.0,
        );
        assert_eq!(Definition::OpenCl.of(&w), 2.0);
        let p = f64::from(f32::MIN_POSITIVE);
        let w = worst(Precision::F32, p, p, 0.0, 1.0);
        assert_eq!(Definition::OpenCl.of(&w), 1.0);
        let w = worst(Precision::F32, 2.0 * p, 2.0 * p, 0.0, 1.0);
        assert_eq!(Definition::OpenCl.of(&w), 2.0);
    }

    #[test]
    fn steps_cross_zero_and_reach_infinity() {
        let tiny = 5e-324;
        let w = worst(Precision::F64, -tiny, tiny, 0.0, 2.0);
        assert_eq!(Definition::Distance.of(&w), 2.0);
        let w = worst(Precision::F64, -0.0, 0.0, 0.0, 0.0);
        assert_eq!(Definition::Distance.of(&w), 0.0);
        let w = worst(Precision::F64, f64::INFINITY, f64::MAX, 0.0, 1.0);
        assert_eq!(Definition::Distance.of(&w), 1.0);
    }

    #[test]
    fn names() {
        for d in Definition::ALL {
            assert_eq!(Definition::by_name(d.name()), Some(d));
        }
        assert_eq!(Definition::by_name("ulp"), None);
    }
}
