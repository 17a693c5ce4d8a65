//! Inputs and cells whose errors are computed one by one, or all at once if the kernel gives one number.

use super::near::Near;
use super::{At, Check, Counts};
use crate::analysis::true_unit;
use crate::cell::Outcome;
use crate::function::On;
use crate::low::{Low, widened};
use crate::number::{Coarse, Fine, Interval, double_above, double_below, exact, power};
use crate::order::rank;
use crate::point::{evaluate, evaluate_words};
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
            let words = match self.outcome(lo, hi, true) {
                Ok(Outcome::Constant(bits)) => [bits, 0],
                Ok(Outcome::Words(words)) => words,
                _ if lo < hi && cuts < CUTS => {
                    cuts += 1;
                    Counts::add(&self.counts.cut, 1);
                    todo.extend(halves(lo, hi));
                    continue;
                }
                _ => return Err(format!("on {} the kernel is no constant", place())),
            };
            let [value, second] = words.map(f64::from_bits);
            let f = (self.function.on(lo, hi)).and_then(|f| f.value(&self.argument(lo, hi)));
            let close = match &f {
                _ if !second.is_finite() || self.certificate.words && !value.is_finite() => {
                    return Err(format!("on {} a word is not finite", place()));
                }
                _ if value.is_nan() => return Err(format!("on {} the kernel gives NaN", place())),
                // Above the range in which the function is evaluated.
                None => {
                    let law = self.function.law();
                    let (lo, hi) = self.ends(lo, hi);
                    law.and_then(|law| law.overflows(lo, hi)) == Some(value)
                }
                Some(f) if value == f64::INFINITY => f.lo >= exact(f64::MAX) + power(970),
                Some(f) if value.is_infinite() => f.hi <= -(exact(f64::MAX) + power(970)),
                Some(f) => true_unit(&f.to()).is_ok_and(|unit| {
                    let sum = Fine::of(exact(value) + exact(second));
                    sum.sub(f).scale(-unit).magnitude() <= exact(self.certificate.error)
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

    /// The function's arguments for the inputs from `lo` to `hi`: with all low words, if there are any.
    fn argument(&self, lo: f64, hi: f64) -> Fine {
        let x = Fine::doubles(lo, hi);
        match self.certificate.low() {
            Some(low) => widened(&x, low),
            None => x,
        }
    }

    /// Doubles around these arguments.
    fn ends(&self, lo: f64, hi: f64) -> (f64, f64) {
        match self.certificate.low().map(Low::reach) {
            Some(most) => (
                double_below(&(exact(lo) - most.clone())),
                double_above(&(exact(hi) + most)),
            ),
            None => (lo, hi),
        }
    }

    /// The error of an input, from its evaluation.
    ///
    /// # Errors
    /// If the routine's or the function's value is not finite, or the input has a low word.
    pub fn error_at<const P: usize>(&self, x: f64) -> Result<At, String> {
        if self.certificate.low.is_some() {
            return Err(format!(
                "the error at {x:e} depends on the low word, which is not known"
            ));
        }
        self.error_of::<P>(x, 0.0, 0.0)
    }

    /// The error of an input with this low word and this slack, from its evaluation. Both are 0 if there are none.
    ///
    /// # Errors
    /// If the routine's or the function's value is not finite.
    pub fn error_of<const P: usize>(&self, x: f64, low: f64, slack: f64) -> Result<At, String> {
        let words = evaluate_words(&self.program, &[x.to_bits(), low.to_bits()])?;
        let [value, second] = words.map(f64::from_bits);
        if self.certificate.words && !(value.is_finite() && second.is_finite()) {
            return Err(format!("at {x:e} the kernel gives {value} and {second}"));
        }
        // A sum of doubles may have more than P bits.
        let argument = Interval::<P>::double(x).add(&Interval::double(low));
        let argument = argument.add(&Interval::double(slack));
        let of = |on: On| on.value(&argument);
        let Some(f) = self.function.on(x, x).and_then(of) else {
            // Above the range in which the function is evaluated.
            let sum = exact(x) + exact(low) + exact(slack);
            let (below, above) = (double_below(&sum), double_above(&sum));
            let law = self.function.law();
            let infinity = law.and_then(|law| law.overflows(below, above));
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
        let sum = Interval::of(exact(value) + exact(second));
        Ok(At::Error(sum.sub(&f).scale(-unit).to()))
    }

    /// Compares the errors of all doubles from `lo` to `hi` with the claim.
    pub(super) fn inputs(&self, lo: f64, hi: f64) -> Result<(), String> {
        if self.certificate.low.is_some() {
            return Err(format!(
                "{lo:e} to {hi:e} are not evaluated, since their low words are not known"
            ));
        }
        let wide = rank(hi) - rank(lo) > FEW && !self.certificate.words;
        let near = (wide && lo.is_sign_negative() == hi.is_sign_negative()).then(|| {
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
