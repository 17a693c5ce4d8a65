//! The errors of many results against their references, computed with the processor's vector registers.

use dc_runtime::isa::{Isa, Scalar, WithIsa};

use crate::spec::{Format, Unit};

/// The merged comparison of the results of a strip.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Compared {
    /// The largest error.
    pub largest: f64,
    /// The number of results that are certainly farther than half a unit from the reference.
    pub misrounded: u64,
    /// Whether the reference does not decide this for some result.
    pub doubtful: bool,
    /// Whether there is a special case: an infinity, a NaN, a zero, or a huge error. Then the results of the strip are examined one by one.
    pub special: bool,
}

/// Compares results with references. If an error is within `doubt` of one half, it is undecided.
#[must_use]
pub fn compare(unit: Unit, format: Format, doubt: f64, y: &[f64], r: &[f64]) -> Compared {
    let work = Work {
        unit,
        format,
        doubt,
        y,
        r,
    };
    #[cfg(target_arch = "x86_64")]
    {
        use dc_runtime::isa::{Avx2, Avx512};
        if let Some(isa) = Avx512::<1>::detect() {
            return isa.run(work);
        }
        if let Some(isa) = Avx2::<1>::detect() {
            return isa.run(work);
        }
    }
    #[cfg(all(target_arch = "aarch64", target_endian = "little"))]
    if let Some(isa) = dc_runtime::isa::Neon::<1>::detect() {
        return isa.run(work);
    }
    Scalar::<4>::new().run(work)
}

struct Work<'a> {
    unit: Unit,
    format: Format,
    doubt: f64,
    y: &'a [f64],
    r: &'a [f64],
}

/// Errors from here on are examined one by one.
const BEYOND: f64 = 1e9;
const EXPONENT: i64 = 0x7ff << 52;

impl<I: Isa> WithIsa<I> for Work<'_> {
    type Output = Compared;
    #[inline(always)]
    fn call(self, isa: I) -> Compared {
        let Work {
            unit,
            format,
            doubt,
            y,
            r,
        } = self;
        let n = y.len().min(r.len());
        let mut largest = isa.splat_f64(0.0);
        let mut out = Compared::default();
        let beyond = isa.splat_f64(BEYOND);
        let zero = isa.splat_f64(0.0);
        let (above, below) = (isa.splat_f64(0.5 + doubt), isa.splat_f64(0.5 - doubt));
        let exponent = isa.splat_i64(EXPONENT);
        let least = isa.splat_i64(i64::from(1023 + format.least_exponent()) << 52);
        let inverse = isa.splat_i64(i64::from(2046 + format.fraction()) << 52);
        let mut at = 0;
        while at < n {
            let (mut ys, mut rs) = ([1.0; 64], [1.0; 64]);
            let whole = at + I::LANES <= n;
            let (y, r) = if whole {
                (&y[at..], &r[at..])
            } else {
                ys[..n - at].copy_from_slice(&y[at..n]);
                rs[..n - at].copy_from_slice(&r[at..n]);
                (&ys[..], &rs[..])
            };
            let (y, r) = (isa.load_f64(y), isa.load_f64(r));
            let difference = isa.abs_f64(isa.sub_f64(y, r));
            let mut error = match unit {
                Unit::Ulp => {
                    let bits = isa.and_i64(isa.bits_f64(r), exponent);
                    let bits = isa.select_i64(isa.lt_i64(bits, least), least, bits);
                    isa.mul_f64(difference, isa.f64_from_bits(isa.sub_i64(inverse, bits)))
                }
                Unit::Absolute => difference,
                Unit::Relative => isa.div_f64(difference, isa.abs_f64(r)),
            };
            let mut ordinary = isa.and_mask(isa.lt_f64(error, beyond), isa.ne_f64(r, zero));
            if format.stored().is_some() {
                // The sign of a zero counts.
                ordinary = isa.and_mask(ordinary, isa.ne_f64(y, zero));
            }
            if isa.count(ordinary) as usize != I::LANES {
                // Half of all inputs of an exponential function are beyond its range: a right zero, infinity or NaN is no special case.
                let right = same(isa, format, y, r);
                error = isa.select_f64(right, zero, error);
                ordinary = isa.or_mask(ordinary, right);
                out.special |= isa.count(ordinary) as usize != I::LANES;
            }
            largest = isa.max_f64(error, largest);
            if matches!(unit, Unit::Ulp) {
                out.misrounded += u64::from(isa.count(isa.lt_f64(above, error)));
                let near = isa.and_mask(isa.le_f64(error, above), isa.le_f64(below, error));
                out.doubtful |= isa.any(near);
            }
            at += I::LANES;
        }
        let mut lanes = [0.0; 64];
        isa.store_f64(largest, &mut lanes);
        out.largest = lanes[..I::LANES].iter().copied().fold(0.0, f64::max);
        out
    }
}

/// Whether a result equals its reference bit by bit (all NaNs count as equal), or is the infinity to which a reference beyond all numbers
/// rounds.
#[inline(always)]
fn same<I: Isa>(isa: I, format: Format, y: I::F64, r: I::F64) -> I::Mask {
    let (y_bits, r_bits) = (isa.bits_f64(y), isa.bits_f64(r));
    let infinity = isa.splat_f64(f64::INFINITY);
    let infinite = isa.eq_f64(isa.abs_f64(y), infinity);
    let beyond = isa.le_f64(isa.splat_f64(format.overflow()), isa.abs_f64(r));
    let one_sign = isa.lt_i64(isa.splat_i64(-1), isa.xor_i64(y_bits, r_bits));
    let overflow = isa.and_mask(isa.and_mask(infinite, beyond), one_sign);
    let nan = isa.and_mask(isa.ne_f64(y, y), isa.ne_f64(r, r));
    isa.or_mask(isa.eq_i64(y_bits, r_bits), isa.or_mask(overflow, nan))
}

/// A wrong result that has no error.
#[derive(Debug)]
pub struct Fault;

/// The unit in the last place of results near a value.
#[must_use]
pub fn ulp(format: Format, value: f64) -> f64 {
    let exponent = (value.to_bits() >> 52 & 0x7ff) as i32 - 1023;
    power(exponent.max(format.least_exponent()) - format.fraction())
}

/// A power of two, which may be subnormal. `powi` with a negative exponent would divide by a number that may be infinite.
#[must_use]
pub fn power(exponent: i32) -> f64 {
    match exponent {
        -1022..=1023 => f64::from_bits(((exponent + 1023) as u64) << 52),
        -1074..-1022 => f64::from_bits(1 << (exponent + 1074)),
        1024.. => f64::INFINITY,
        _ => 0.0,
    }
}

/// The error of one result, of any kind, as in the metric.
pub fn error(unit: Unit, format: Format, y: f64, r: f64) -> Result<f64, Fault> {
    let signs_differ = y.is_sign_negative() != r.is_sign_negative();
    let overflow = format.overflow();
    match (y.is_nan(), r.is_nan()) {
        (true, true) => return Ok(0.0),
        (false, false) => {}
        _ => return Err(Fault),
    }
    if y == 0.0 && r == 0.0 {
        return if signs_differ { Err(Fault) } else { Ok(0.0) };
    }
    let beyond = r.abs() >= overflow;
    let difference = match (y.is_infinite(), r.is_infinite() || beyond) {
        (true, true) if signs_differ => return Err(Fault),
        (true, true) => return Ok(0.0),
        (true, false) => {
            let difference = (overflow - r.abs()).abs();
            if signs_differ || difference >= 2.0 * ulp(format, r) {
                return Err(Fault);
            }
            difference
        }
        (false, true) if r.is_infinite() => return Err(Fault),
        _ => (y - r).abs(),
    };
    // A value that rounds to 0 gives the 0 of its sign.
    if format.stored().is_some() && y == 0.0 && signs_differ {
        return Err(Fault);
    }
    Ok(match unit {
        Unit::Ulp => difference / ulp(format, r),
        Unit::Absolute => difference,
        Unit::Relative if r == 0.0 => f64::INFINITY,
        Unit::Relative => difference / r.abs(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn units_of_the_last_place_are_subnormal_where_results_are_tiny() {
        assert_eq!(ulp(Format::F64, 1.5), f64::EPSILON);
        // Fault: 2^-1062 by a reciprocal is zero, and every error infinite.
        assert_eq!(ulp(Format::F64, power(-1010)), power(-1062));
        assert_eq!(ulp(Format::F64, 0.0), f64::from_bits(1));
        assert_eq!(power(-1074), f64::from_bits(1));
        assert_eq!(power(-1022), f64::MIN_POSITIVE);
        assert_eq!((power(-1075), power(1024)), (0.0, f64::INFINITY));
        assert_eq!(ulp(Format::F32, 1.0), f64::from(f32::EPSILON));
        assert_eq!(ulp(Format::F32, 1e-44), power(-149));
    }

    /// The comparison of many results examines no right result one by one, and examines every wrong result that has no error.
    #[test]
    fn special_results_are_looked_at_where_they_are_wrong() {
        let (inf, nan) = (f64::INFINITY, f64::NAN);
        let of = |format, y, r| {
            // Beside ordinary results, in each place of a register.
            let all = (0..32).map(|at| {
                let (mut ys, mut rs) = ([1.5; 32], [1.5; 32]);
                (ys[at], rs[at]) = (y, r);
                compare(Unit::Ulp, format, 1e-9, &ys, &rs)
            });
            let all: Vec<Compared> = all.collect();
            assert!(all.iter().all(|c| c.special == all[0].special));
            all[0]
        };
        for format in [Format::F16, Format::Bf16, Format::F32] {
            for (y, r) in [
                (0.0, 0.0),
                (-0.0, -0.0),
                (inf, inf),
                (-inf, -inf),
                (nan, -nan),
                (inf, format.overflow()),
                (-inf, -1e300),
            ] {
                assert_eq!(of(format, y, r), Compared::default(), "{y} and {r}");
            }
            for (y, r) in [
                (0.0, -0.0),
                (inf, -1e300),
                (-inf, inf),
                (nan, 1.0),
                (1.0, nan),
            ] {
                assert!(of(format, y, r).special, "{y} and {r}");
            }
        }
    }

    /// An infinity stands for the power of two above the largest number. In 16 bits, the sign of a zero counts even if the value is not
    /// zero.
    #[test]
    fn errors_at_the_ends_of_a_format() {
        let ulps = |format, y, r| error(Unit::Ulp, format, y, r).ok();
        let inf = f64::INFINITY;
        for (format, overflow, unit) in [
            (Format::F16, 65536.0, 32.0),
            (Format::Bf16, power(128), power(120)),
            (Format::F32, power(128), power(104)),
            (Format::F64, inf, power(971)),
        ] {
            let largest = f64::MAX.min(overflow - unit);
            assert_eq!(ulps(format, largest, largest), Some(0.0), "{format:?}");
            assert_eq!(ulps(format, inf, inf), Some(0.0));
            assert_eq!(ulps(format, -inf, inf), None);
            assert_eq!(ulps(format, f64::NAN, largest), None);
            assert_eq!(ulps(format, f64::NAN, f64::NAN), Some(0.0));
            if format != Format::F64 {
                // The middle between the largest number and that power rounds to infinity; what is far below does not.
                assert_eq!(ulps(format, inf, overflow - unit / 2.0), Some(0.5));
                assert_eq!(ulps(format, inf, overflow / 2.0), None);
                assert_eq!(ulps(format, largest, overflow), Some(0.5));
            }
        }
        let tiny = -1e-9;
        let unit = ulp(Format::F16, tiny);
        assert_eq!(unit, power(-24));
        assert_eq!(ulps(Format::F16, -0.0, tiny), Some(1e-9 / unit));
        assert_eq!(ulps(Format::F16, 0.0, tiny), None);
        assert_eq!(ulps(Format::F16, 0.0, -0.0), None);
        assert_eq!(ulps(Format::F32, 0.0, -1e-50), Some(1e-50 / power(-149)));
    }
}
