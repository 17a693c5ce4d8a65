//! Pairs that are run after the proof, with the kernel's own operations and without any theory.

use super::certificate::Certificate;
use super::cover::{Rectangle, Sign};
use super::function::Function;
use super::value::Format;
use crate::ir::{Program, What};
use crate::number::{Fine, Number, exact, magnitude, power};
use crate::point::{evaluate_all, of_double, to_double};
use crate::random::Random;

/// The kernel's result.
///
/// # Errors
/// If the checker does not know an operation.
pub fn evaluate(program: &Program, pair: [f64; 2]) -> Result<f64, String> {
    let params = (program.insts.iter()).filter(|i| matches!(i.what, What::Param));
    let inputs: Vec<u64> = (params.zip(pair).map(|(p, x)| of_double(p.ty, x))).collect();
    let mut words = Vec::with_capacity(program.insts.len());
    let bits = evaluate_all(program, program.result, &inputs, &mut words)?;
    Ok(to_double(program.insts[program.result].ty, bits))
}

impl Random {
    /// A pair of a rectangle. Half of the second numbers are near the first number, where both arguments matter.
    pub fn pair(&mut self, of: &Rectangle, f: Format) -> [f64; 2] {
        let mut last: Option<u64> = None;
        of.sides.map(|side| {
            let (lo, hi) = (f.bits(side.lo), f.bits(side.hi));
            let anywhere = lo + self.below(hi - lo + 1);
            let window = 16 << (f.precision - 1);
            let near =
                last.map(|x| (x.saturating_sub(window / 2) + self.below(window)).clamp(lo, hi));
            let key = near.filter(|_| self.below(2) == 0).unwrap_or(anywhere);
            last = Some(key);
            let x = f.number(key);
            let minus = match side.sign {
                Sign::Plus => false,
                Sign::Minus => true,
                Sign::Both => self.below(2) == 0,
            };
            if minus { -x } else { x }
        })
    }
}

/// The function's value.
fn value(function: Function, [x, y]: [f64; 2]) -> Option<Fine> {
    let (x, y) = (Fine::double(x), Fine::double(y));
    match function {
        Function::Hypot => {
            let square = |v: &Fine| &v.lo * &v.lo;
            Fine::of(square(&x) + square(&y)).sqrt()
        }
        Function::Div => x.div(&y),
    }
}

/// A lower bound of a result's error, in ULP of the function's value. For an infinite result, it is the distance from the numbers that are
/// rounded to it.
fn error(z: f64, value: &Fine, f: Format) -> Option<Number> {
    let unit = power(-f.place(&value.magnitude()));
    if z.is_nan() {
        return None;
    }
    let distance = match z.is_infinite() {
        false => Fine::double(z).sub(value).least(),
        true => {
            let end = power(f.end) - power(f.end - f.precision - 1);
            let end = if z > 0.0 { end } else { -end };
            let short = Fine::of(end).sub(value);
            let beyond = if z > 0.0 {
                short.hi <= Number::zero()
            } else {
                short.lo >= Number::zero()
            };
            if beyond {
                Number::zero()
            } else {
                short.least()
            }
        }
    };
    Some(&magnitude(&distance) * &unit)
}

/// Runs pairs of all claimed rectangles; none may have an error above the claim. Returns the number of pairs and the largest error.
///
/// # Errors
/// A pair that contradicts the claim.
pub fn net(certificate: &Certificate, most: u64) -> Result<(u64, f64), String> {
    let f = certificate.format;
    let mut mixed = Random(1);
    let mut worst = Number::zero();
    let each = (most / certificate.pairs.len() as u64).max(1);
    let mut run = 0;
    for rectangle in certificate.pairs.iter().take(most as usize) {
        for _ in 0..each {
            let pair = mixed.pair(rectangle, f);
            let z = evaluate(&certificate.program, pair)?;
            let place = || format!("({:e}, {:e})", pair[0], pair[1]);
            let value = value(certificate.function, pair)
                .ok_or_else(|| format!("at {} the function has no value", place()))?;
            let error = error(z, &value, f)
                .ok_or_else(|| format!("at {} the kernel gives NaN", place()))?;
            if error > exact(certificate.error) {
                return Err(format!("the error at {} is above the claim", place()));
            }
            worst = worst.max(error);
            run += 1;
        }
    }
    Ok((run, crate::number::double_above(&worst)))
}
