//! The check of a reference against the function that a sweep's routine and its reference compute, in MPFR at 400 bits.
//!
//! The function is declared with the sweep (`Sweep::of`) and not derived from the reference's IR. A kernel's IR contains operations on
//! bits, table look-ups and rounding tricks that have no meaning at 400 bits, and a wrong reference would be compared with its own error.

pub use crate::model::function::Function;

/// The difference of a reference from the true function.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Accuracy {
    /// The number of inputs that were evaluated.
    pub inputs: u64,
    /// The largest error in ULP of the true value.
    pub ulp: f64,
    /// The key of the input with this error.
    pub key: i64,
    /// The largest relative error of inputs whose true value does not round to zero. For a double-double without a
    /// scale, the true value must also be at least 2^-968.
    pub relative: f64,
    /// The number of inputs for which the reference is too coarse for a comparison: a double-double below 2^-971,
    /// without a scale. A search counts them as undecided.
    pub coarse: u64,
    /// The first input with a wrong reference: its error exceeds [`LIMIT`] ULP, or it is NaN or infinite although the true
    /// value is not.
    pub wrong: Option<i64>,
}

/// A reference is good enough if its error is at most this many ULP. A search then finds each error to six decimals.
pub const LIMIT: f64 = 1.0 / (1u64 << 20) as f64;

#[cfg(feature = "mpfr")]
mod mpfr {

    use rug::Float;

    use super::{Accuracy, Function, LIMIT};
    use crate::builtins::ulp_error::LEAST_ORDINARY;
    use crate::model::error::BackendError;
    use crate::model::key::Precision;
    use crate::search::evaluator::{PointEvaluator, PointResult};
    use crate::search::range::Range;
    use crate::sweep::Sweep;

    pub use crate::builtins::reference::BITS;
    /// The number of inputs at a time.
    const BATCH: usize = 1 << 12;

    /// Compares a sweep's reference with a function at every input of a range.
    ///
    /// # Errors
    /// If the sweep's kernels cannot be evaluated.
    pub fn check(
        sweep: &Sweep,
        function: Function,
        range: &Range,
    ) -> Result<Accuracy, BackendError> {
        let mut evaluator = PointEvaluator::plain(sweep);
        let mut accuracy = Accuracy {
            inputs: 0,
            ulp: 0.0,
            key: 0,
            relative: 0.0,
            coarse: 0,
            wrong: None,
        };
        let mut keys = range.spans().iter().flat_map(|s| s.first..=s.last);
        loop {
            let batch: Vec<i64> = keys.by_ref().take(BATCH).collect();
            if batch.is_empty() {
                return Ok(accuracy);
            }
            for j in evaluator.evaluate(&batch)? {
                one(&mut accuracy, sweep, function, &j);
            }
        }
    }

    fn one(accuracy: &mut Accuracy, sweep: &Sweep, function: Function, j: &PointResult) {
        accuracy.inputs += 1;
        let power = |e: i32| Float::with_val(BITS, 1) << e;
        // The fraction's bits, the exponent of the least number, and half an ULP above the largest: from there on numbers
        // round to infinity.
        let (fraction, least, overflow) = match sweep.precision {
            Precision::F32 => (23, -149, power(128) - power(103)),
            Precision::F64 => (52, -1074, power(1024) - power(970)),
        };
        let arguments: Vec<Float> = sweep
            .inputs
            .words(j.key)
            .map(|bits| Float::with_val(BITS, sweep.precision.value_of_bits(bits)))
            .collect();
        let truth = match &arguments[..] {
            [x] => function.of(x.clone()),
            [x, y] => function.of_two(x.clone(), y.clone()),
            _ => unreachable!("one argument or two"),
        };
        let [hi, lo] = j.reference;
        let lo = if lo.is_finite() { lo } else { 0.0 };
        let wrong = |accuracy: &mut Accuracy, ulp: f64| {
            if ulp > accuracy.ulp {
                (accuracy.ulp, accuracy.key) = (ulp, j.key);
            }
        };
        let found = (Float::with_val(BITS, hi) + lo) << j.scale as i32;
        let infinite = |x: &Float| x.is_infinite() || *x.as_abs() >= overflow;
        if truth.is_nan() || hi.is_nan() || infinite(&truth) || infinite(&found) {
            // Beyond the numbers of the format a reference may be infinite where MPFR's value is still a number.
            let same = match (hi.is_nan(), truth.is_nan()) {
                (false, false) => {
                    infinite(&found) && infinite(&truth) && (found < 0) == (truth < 0)
                }
                (found, truth) => found && truth,
            };
            if !same {
                wrong(accuracy, f64::INFINITY);
                accuracy.wrong = accuracy.wrong.or(Some(j.key));
            }
            return;
        }
        let without_scale = sweep.precision == Precision::F64 && sweep.reference.words() == 2;
        if without_scale && truth != 0 && hi.abs() < LEAST_ORDINARY {
            accuracy.coarse += 1;
            return;
        }
        let off = (found - &truth).abs();
        let exponent = truth
            .get_exp()
            .map_or(least, |e| (e - 1 - fraction).max(least));
        let ulp = Float::with_val(BITS, &off / power(exponent)).to_f64();
        wrong(accuracy, ulp);
        // The low word has enough bits for the relative error from here on.
        let least = if without_scale { -968 } else { least };
        if truth.get_exp().is_some_and(|e| e > least) {
            let relative = Float::with_val(BITS, &off / &truth).abs().to_f64();
            accuracy.relative = accuracy.relative.max(relative);
        }
        if ulp > LIMIT {
            accuracy.wrong = accuracy.wrong.or(Some(j.key));
        }
    }
}

#[cfg(feature = "mpfr")]
pub use mpfr::{BITS, check};

#[cfg(all(test, feature = "mpfr"))]
mod tests {
    use super::*;
    use crate::builtins::reference::REFERENCES;
    use crate::model::candidate::{Candidate, Reference};
    use crate::model::host::HostFunction;
    use crate::model::kernel_ref::KernelRef;
    use crate::model::key::Precision;
    use crate::prelude::*;
    use crate::search::range::Range;
    use crate::search::sample::{Sample, Wanted};
    use crate::sweep::Sweep;
    use crate::sweeps;

    /// A reference without its low word.
    #[crunch]
    fn half_a_reference(x: DcDouble) -> DcDoubleDouble {
        DcDoubleDouble::new(x.recip(), 0.0)
    }

    /// A reference that is right except at one input, where its error is 2^-70.
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
        let range = Range::parse(range, sweep.precision).expect(range);
        let range = Sample::of_stretches(sweep, &range, &Wanted::of(sweep, 1 << 13)).range;
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
            assert!(a.inputs > 6000 && a.relative > 0.0, "{}: {a:?}", sweep.name);
            let kernel = sweep.reference.kernel().expect("a kernel").kernel;
            let proven = REFERENCES
                .iter()
                .filter_map(|r| r.binary64)
                .find(|t| (t.kernel.module, t.kernel.name) == (kernel.module, kernel.name));
            let limit = match (sweep.precision, proven) {
                (_, Some(tier)) => -(tier.bits as i32),
                (Precision::F64, None) => -104,
                (Precision::F32, None) => -53,
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
        // Only their references are checked: no search is compiled for them.
        let against = |name, reference: KernelRef| {
            let routine = Candidate::Host(HostFunction::f64("f64::recip", f64::recip));
            Sweep::accuracy_only(name, routine, Reference::Kernel(reference), "1.0..2.0")
        };
        let half = against("half", KernelRef::of::<half_a_reference>()).of(Function::Recip);
        let a = of(&half, "1.0..2.0");
        assert!(a.wrong.is_some() && a.ulp > 0.4 && a.ulp <= 0.5, "{a:?}");
        let once = against("once", KernelRef::of::<wrong_once>()).of(Function::Recip);
        let a = of(&once, "1.2499999999999..1.2500000000001");
        assert_eq!(a.wrong, Some(1.25f64.to_bits() as i64), "{a:?}");
        assert_eq!(of(&once, "1.0..1.0000000001").wrong, None);
        let other = against("other", KernelRef::of::<dd_recip>()).of(Function::RecipSqrt);
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
