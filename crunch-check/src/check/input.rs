//! Inputs and cells whose errors are computed one by one, or all at once if the kernel gives one number.

use super::near::Near;
use super::{At, Check, Counts};
use crate::analysis::true_unit;
use crate::cell::Outcome;
use crate::function::On;
use crate::number::{Coarse, Fine, Interval, exact, power};
use crate::order::rank;
use crate::point::evaluate;
use crate::residual::ulp;

/// How often a cell that the certificate calls constant is cut if its ranges are too wide for the checker to confirm it.
const CUTS: u32 = 1000;

/// With fewer inputs, evaluating them one by one is cheaper.
const FEW: i64 = 32;

impl Check<'_> {
    /// Checks a stretch on which the kernel gives one number.
    pub(super) fn constant(&self, lo: f64, hi: f64) -> Result<(), String> {
        let mut todo = vec![(lo, hi)];
        let mut cuts = 0;
        let halves = |lo: f64, hi: f64| {
            let middle = (0.5 * lo + 0.5 * hi).clamp(lo, hi.next_down());
            [(lo, middle), (middle.next_up(), hi)]
        };
        while let Some((lo, hi)) = todo.pop() {
            let place = || format!("{lo:e} to {hi:e}");
            let bits = match self.outcome(lo, hi, true) {
                Ok(Outcome::Constant(bits)) => bits,
                _ if lo < hi && cuts < CUTS => {
                    cuts += 1;
                    Counts::add(&self.counts.cut, 1);
                    todo.extend(halves(lo, hi));
                    continue;
                }
                _ => return Err(format!("on {} the kernel is no constant", place())),
            };
            let value = f64::from_bits(bits);
            let f = (self.function.on(lo, hi)).and_then(|f| f.value(&Fine::doubles(lo, hi)));
            let close = match &f {
                _ if value.is_nan() => return Err(format!("on {} the kernel gives NaN", place())),
                // Above the range in which the function is evaluated.
                None => {
                    let law = self.function.law();
                    law.and_then(|law| law.overflows(lo, hi)) == Some(value)
                }
                Some(f) if value == f64::INFINITY => f.lo >= exact(f64::MAX) + power(970),
                Some(f) if value.is_infinite() => f.hi <= -(exact(f64::MAX) + power(970)),
                Some(f) => true_unit(&f.to()).is_ok_and(|unit| {
                    Fine::double(value).sub(f).scale(-unit).magnitude()
                        <= exact(self.certificate.error)
                }),
            };
            if close {
                Counts::add(&self.counts.bound, 1);
            } else if lo == hi {
                self.input(lo)?;
            } else {
                todo.extend(halves(lo, hi));
            }
        }
        Ok(())
    }

    /// The error of an input, from its evaluation.
    ///
    /// # Errors
    /// If the routine's or the function's value is not finite.
    pub fn error_at<const P: usize>(&self, x: f64) -> Result<At, String> {
        let value = f64::from_bits(evaluate(&self.program, x.to_bits())?);
        let of = |on: On| on.value(&Interval::<P>::double(x));
        let Some(f) = self.function.on(x, x).and_then(of) else {
            // Above the range in which the function is evaluated.
            let infinity = self.function.law().and_then(|law| law.overflows(x, x));
            return match infinity {
                Some(infinity) if infinity == value => Ok(At::Overflow),
                Some(infinity) => Err(format!(
                    "at {x:e} the kernel gives {value}, and the function rounds to {infinity}"
                )),
                None => Err(format!("at {x:e} the function is not defined")),
            };
        };
        let end = exact(f64::MAX) + power(970);
        if value.is_infinite() && (value > 0.0 && f.lo >= end || value < 0.0 && f.hi <= -end) {
            return Ok(At::Overflow);
        }
        if !value.is_finite() {
            return Err(format!("at {x:e} the kernel gives {value}"));
        }
        let coarse: Coarse = f.to();
        let unit = true_unit(&coarse).map_err(|e| format!("at {x:e}: {e:?}"))?;
        Ok(At::Error(Interval::double(value).sub(&f).scale(-unit).to()))
    }

    /// Compares the errors of all doubles from `lo` to `hi` with the claim.
    pub(super) fn inputs(&self, lo: f64, hi: f64) -> Result<(), String> {
        let near = ((rank(hi) - rank(lo) > FEW) && lo.is_sign_negative() == hi.is_sign_negative())
            .then(|| {
                let grid = ulp(if lo.abs() < hi.abs() { lo } else { hi });
                let function = self.function.on(lo, hi)?;
                Near::on(&function, lo, hi, grid)
            });
        let near = near.flatten();
        let mut x = lo;
        while x <= hi {
            let most = near.as_ref().and_then(|near| {
                let value = f64::from_bits(evaluate(&self.program, x.to_bits()).ok()?);
                Some(near.difference(value, near.step(x)?)?.bound((0.0, 0.0)))
            });
            if most.is_some_and(|most| most <= self.certificate.error) {
                Counts::add(&self.counts.inputs, 1);
            } else {
                self.input(x)?;
            }
            x = x.next_up();
        }
        Ok(())
    }

    /// Compares an input's error with the claim.
    pub(super) fn input(&self, x: f64) -> Result<(), String> {
        Counts::add(&self.counts.inputs, 1);
        let claimed = exact(self.certificate.error);
        // A precision of few bits decides most errors.
        if let Ok(At::Error(e)) = self.error_at::<96>(x)
            && e.magnitude() <= claimed
        {
            return Ok(());
        }
        match self.error_at::<192>(x)? {
            At::Error(e) if e.magnitude() > exact(self.certificate.error) => Err(format!(
                "the error at {x:e} ({:016x}) is {} ULP, above the claim",
                x.to_bits(),
                e.middle()
            )),
            _ => Ok(()),
        }
    }
}
