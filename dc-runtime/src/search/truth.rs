//! Is a reference right? What a sweep's routine and its reference are both meant to compute, in MPFR at 400 bits.
//!
//! The function is named beside the sweep (`Sweep::of`) and not taken from the reference's IR: a kernel's IR is full
//! of operations on bits, table look-ups and rounding tricks that have no meaning at 400 bits, and a reference that is
//! wrong there would be held against its own mistake.

use core::fmt;

/// A function that MPFR knows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[allow(missing_docs, reason = "they are their own names")]
pub enum Function {
    Recip,
    Sqrt,
    RecipSqrt,
    Cbrt,
    Exp,
    Exp2,
    ExpM1,
    Ln,
    Log2,
    Log10,
    Ln1p,
    Sin,
    Cos,
    Tan,
    Asin,
    Acos,
    Atan,
    Sinh,
    Cosh,
    Tanh,
    Erf,
    Gamma,
}

impl Function {
    /// As in a text.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Function::Recip => "1/x",
            Function::Sqrt => "sqrt x",
            Function::RecipSqrt => "1/sqrt x",
            Function::Cbrt => "cbrt x",
            Function::Exp => "exp x",
            Function::Exp2 => "2^x",
            Function::ExpM1 => "exp x - 1",
            Function::Ln => "ln x",
            Function::Log2 => "log2 x",
            Function::Log10 => "log10 x",
            Function::Ln1p => "ln(1 + x)",
            Function::Sin => "sin x",
            Function::Cos => "cos x",
            Function::Tan => "tan x",
            Function::Asin => "asin x",
            Function::Acos => "acos x",
            Function::Atan => "atan x",
            Function::Sinh => "sinh x",
            Function::Cosh => "cosh x",
            Function::Tanh => "tanh x",
            Function::Erf => "erf x",
            Function::Gamma => "gamma x",
        }
    }
}

impl fmt::Display for Function {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// How far a reference is from the truth.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Accuracy {
    /// Inputs looked at.
    pub inputs: u64,
    /// The largest error in ULP of the truth.
    pub ulp: f64,
    /// The key of the input that has it.
    pub key: i64,
    /// The largest relative error, where the truth is above 2^-968: below, the low word of a double-double is not
    /// there to carry it.
    pub relative: f64,
    /// The first input at which the reference is too far off: by more than [`LIMIT`] ULP and the rounding of a word
    /// that is subnormal, or NaN or infinite where the truth is not.
    pub wrong: Option<i64>,
}

/// A reference is good enough if it is off by no more than this many ULP: a search then finds each error to six
/// decimals.
pub const LIMIT: f64 = 1.0 / (1u64 << 20) as f64;

#[cfg(feature = "oracle")]
mod mpfr {
    use rug::Float;

    use super::{Accuracy, Function, LIMIT};
    use crate::backend::BackendError;
    use crate::search::key::Precision;
    use crate::search::oracle::{Judged, Oracle};
    use crate::search::range::Range;
    use crate::sweep::Sweep;

    /// Digits of everything here.
    pub const BITS: u32 = 400;
    /// Inputs at a time.
    const BATCH: usize = 1 << 12;

    impl Function {
        /// Its value, rounded to 400 bits.
        #[must_use]
        pub fn at(self, x: f64) -> Float {
            let x = Float::with_val(BITS, x);
            match self {
                Function::Recip => x.recip(),
                Function::Sqrt => x.sqrt(),
                Function::RecipSqrt => x.recip_sqrt(),
                Function::Cbrt => x.cbrt(),
                Function::Exp => x.exp(),
                Function::Exp2 => x.exp2(),
                Function::ExpM1 => x.exp_m1(),
                Function::Ln => x.ln(),
                Function::Log2 => x.log2(),
                Function::Log10 => x.log10(),
                Function::Ln1p => x.ln_1p(),
                Function::Sin => x.sin(),
                Function::Cos => x.cos(),
                Function::Tan => x.tan(),
                Function::Asin => x.asin(),
                Function::Acos => x.acos(),
                Function::Atan => x.atan(),
                Function::Sinh => x.sinh(),
                Function::Cosh => x.cosh(),
                Function::Tanh => x.tanh(),
                Function::Erf => x.erf(),
                Function::Gamma => x.gamma(),
            }
        }
    }

    /// Holds a sweep's reference against a function at every input of a range.
    ///
    /// # Errors
    /// When the sweep's kernels cannot be evaluated.
    pub fn check(
        sweep: &Sweep,
        function: Function,
        range: &Range,
    ) -> Result<Accuracy, BackendError> {
        let mut oracle = Oracle::plain(sweep);
        let mut accuracy = Accuracy {
            inputs: 0,
            ulp: 0.0,
            key: 0,
            relative: 0.0,
            wrong: None,
        };
        let mut keys = range.spans().iter().flat_map(|s| s.first..=s.last);
        loop {
            let batch: Vec<i64> = keys.by_ref().take(BATCH).collect();
            if batch.is_empty() {
                return Ok(accuracy);
            }
            for j in oracle.judge(&batch)? {
                one(&mut accuracy, sweep.precision, function, &j);
            }
        }
    }

    fn one(accuracy: &mut Accuracy, precision: Precision, function: Function, j: &Judged) {
        accuracy.inputs += 1;
        let (fraction, least, largest) = match precision {
            Precision::F32 => (23, -149, f64::from(f32::MAX)),
            Precision::F64 => (52, -1074, f64::MAX),
        };
        let truth = function.at(precision.value_of_key(j.key));
        let [hi, lo] = j.reference;
        let wrong = |accuracy: &mut Accuracy, ulp: f64| {
            if ulp > accuracy.ulp {
                (accuracy.ulp, accuracy.key) = (ulp, j.key);
            }
        };
        let special = truth.is_nan() || truth.is_infinite() || !hi.is_finite();
        if special {
            // Beyond the format's numbers a reference may be infinite, and MPFR's truth is still a number.
            let beyond = truth.is_infinite() || Float::with_val(BITS, truth.abs_ref()) > largest;
            let same = if hi.is_nan() || truth.is_nan() {
                hi.is_nan() && truth.is_nan()
            } else {
                (hi.is_infinite() || hi.abs() >= largest) && beyond && (hi < 0.0) == (truth < 0)
            };
            if !same {
                wrong(accuracy, f64::INFINITY);
                accuracy.wrong = accuracy.wrong.or(Some(j.key));
            }
            return;
        }
        let off = (Float::with_val(BITS, hi) + lo - &truth).abs();
        let power = |e: i32| Float::with_val(BITS, 1) << e;
        let exponent = truth
            .get_exp()
            .map_or(least, |e| (e - 1 - fraction).max(least));
        wrong(
            accuracy,
            Float::with_val(BITS, &off / power(exponent)).to_f64(),
        );
        if truth.get_exp().is_some_and(|e| e > -967) {
            let relative = Float::with_val(BITS, &off / &truth).abs().to_f64();
            accuracy.relative = accuracy.relative.max(relative);
        }
        // Half a unit of the least subnormal double, and what its own rounding may be off by.
        let word = Float::with_val(BITS, 0.5 + LIMIT) * power(-1074);
        if off > power(exponent) * LIMIT + word {
            accuracy.wrong = accuracy.wrong.or(Some(j.key));
        }
    }
}

#[cfg(feature = "oracle")]
pub use mpfr::{BITS, check};

#[cfg(all(test, feature = "oracle"))]
mod tests {
    use super::*;
    use crate::prelude::*;
    use crate::search::range::Range;
    use crate::sweep::Sweep;
    use crate::sweeps;

    /// A reference without its low word.
    #[crunch]
    fn half_a_reference(x: DcDouble) -> DcDoubleDouble {
        DcDoubleDouble::new(x.recip(), 0.0)
    }

    /// One that is right but at one input, where it is off by 2^-70.
    #[crunch]
    fn wrong_once(x: DcDouble) -> DcDoubleDouble {
        let r = dd_recip(x);
        if x == 1.25 {
            DcDoubleDouble::new(r.hi, r.lo + 8.470_329_472_543_003e-22)
        } else {
            r
        }
    }

    fn of(sweep: &Sweep, range: &str) -> Accuracy {
        let range = Range::parse(range, sweep.precision)
            .expect(range)
            .sample(1 << 13, 64);
        check(sweep, sweep.truth.expect("a function"), &range).expect("it runs")
    }

    #[test]
    fn the_built_in_references_are_right() {
        for sweep in sweeps::ALL {
            if sweep.truth.is_none() {
                assert_eq!(sweep.name, "log-polynomial");
                continue;
            }
            let a = of(sweep, sweep.range);
            assert_eq!(a.wrong, None, "{}: {a:?}", sweep.name);
            assert!(a.inputs > 8000 && a.relative > 0.0, "{}: {a:?}", sweep.name);
            let limit = if sweep.precision == crate::search::key::Precision::F64 {
                -104
            } else {
                -53
            };
            assert!(
                a.relative <= f64::from(limit).exp2(),
                "{}: {a:?}",
                sweep.name
            );
        }
    }

    #[test]
    fn what_is_wrong_is_found() {
        let half = Sweep::new::<sweeps::rcp_newton, half_a_reference>("half", "1.0..2.0")
            .of(Function::Recip);
        let a = of(&half, "1.0..2.0");
        assert!(a.wrong.is_some() && a.ulp > 0.4 && a.ulp <= 0.5, "{a:?}");
        let once =
            Sweep::new::<sweeps::rcp_newton, wrong_once>("once", "1.0..2.0").of(Function::Recip);
        let a = of(&once, "1.2499999999999..1.2500000000001");
        assert_eq!(a.wrong, Some(1.25f64.to_bits() as i64), "{a:?}");
        assert_eq!(of(&once, "1.0..1.0000000001").wrong, None);
        let other =
            Sweep::new::<sweeps::rcp_newton, dd_recip>("other", "1.0..2.0").of(Function::RecipSqrt);
        assert!(of(&other, "1.5..2.0").ulp > 1e15);
    }

    #[test]
    fn special_values() {
        let exp = sweeps::ALL.iter().find(|s| s.name == "exp").expect("exp");
        let all = Range::edges(exp.precision);
        let a = check(exp, Function::Exp, &all).expect("it runs");
        assert_eq!(a.wrong, None, "{a:?}");
        let recip = sweeps::ALL
            .iter()
            .find(|s| s.name == "reciprocal-f32")
            .expect("recip");
        let a = check(recip, Function::Recip, &Range::edges(recip.precision)).expect("it runs");
        assert_eq!(a.wrong, None, "{a:?}");
    }
}
