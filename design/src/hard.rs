//! The inputs that are hard to round, because their value is close to the middle between two results. In 16 bits, these are all inputs.

use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};

use crate::compare::ulp;
use crate::dd::Dd;
use crate::inputs::{Inputs, number};
use crate::judge::{Problem, widened, words};
use crate::space::is_symmetric;
use crate::spec::{Format, Saturation};
use crate::stored;

/// An input and a middle between two results next to its value.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Hard {
    /// The input.
    pub x: f32,
    /// The value minus the middle, in units in the last place. The sign decides which result is right.
    pub beyond: f64,
    /// The middle.
    pub middle: f64,
    /// Half a unit in the last place.
    pub half: f64,
    /// The distance from the middle to the nearest other number that a kernel can compute. It is used for results of 16 bits, which are
    /// rounded from numbers of binary32.
    pub step: f64,
}

impl Problem {
    /// The inputs of a part of the range whose value is within `near` units of the middle between two results, in ascending order. All threads compute them.
    /// For an odd or even function on both sides of 0, only positive inputs are returned. `stop` ends this early.
    ///
    /// # Errors
    /// If there are more than `most`.
    pub fn hard(
        &self,
        part: &Inputs,
        near: f64,
        most: usize,
        stop: &AtomicBool,
    ) -> Result<Vec<f32>, String> {
        let found = Mutex::new(Vec::new());
        let middle = Middle::new(self.format, near);
        let mirrored = self.is_mirrored();
        part.each_strip(stop, &|| self.reference(), &|reference, xs, keys| {
            if mirrored && xs.iter().all(|x| x.is_sign_negative()) {
                return;
            }
            widened(reference, xs);
            reference.run(xs.len());
            let mut here = Vec::new();
            for (i, &value) in words(reference)[..xs.len()].iter().enumerate() {
                // Half of the subnormal numbers: all of them are searched, and no coefficient moves their results.
                if middle.is_near(value) && !self.subject.is_half(xs[i].into()) {
                    here.push((keys.at(i), xs[i]));
                }
            }
            if !here.is_empty() {
                let mut found = found.lock().unwrap_or_else(|e| e.into_inner());
                found.extend(here);
                if found.len() > most {
                    stop.store(true, Ordering::Relaxed);
                }
            }
        })?;
        let mut found = found.into_inner().unwrap_or_else(|e| e.into_inner());
        if found.len() > most {
            return Err(format!("more than {most} inputs are that hard"));
        }
        found.sort_unstable_by_key(|f| f.0);
        found.dedup_by_key(|f| f.0);
        Ok(found.into_iter().map(|f| f.1).collect())
    }

    /// Inputs with both signs, given inputs of which one sign was searched.
    #[must_use]
    pub fn with_both_signs(&self, mut xs: Vec<f32>) -> Vec<f32> {
        if self.is_mirrored() {
            let others: Vec<f32> = xs.iter().map(|x| -x).collect();
            xs.extend(others);
            xs.sort_by(f32::total_cmp);
            xs.dedup_by_key(|x| x.to_bits());
        }
        xs
    }

    /// Whether both signs of an input are equally hard: the function is odd or even.
    fn is_mirrored(&self) -> bool {
        let limits = self.inputs.limits();
        is_symmetric(self.subject.known_as()) && limits.low == -limits.high
    }

    /// Hard inputs, with the middles next to their values.
    #[must_use]
    pub fn as_hard(&self, xs: &[f32]) -> Vec<Hard> {
        let wide: Vec<f64> = xs.iter().map(|&x| x.into()).collect();
        let hard = |(&x, value): (&f32, Dd)| {
            let unit = ulp(self.format, value.hi);
            let middle = ((value.hi.abs() / unit).floor() + 0.5) * unit;
            let middle = middle.copysign(value.hi);
            Hard {
                x,
                beyond: (value - Dd::from(middle)).scaled(1.0 / unit).hi,
                middle,
                half: 0.5 * unit,
                step: 0.0,
            }
        };
        xs.iter().zip(self.exactly(&wide)).map(hard).collect()
    }

    /// Inputs with their results, except in binary64.
    #[must_use]
    pub fn results(&self, xs: &[f32]) -> Vec<(f32, f32)> {
        let wide: Vec<f64> = xs.iter().map(|&x| x.into()).collect();
        let values = self.exactly(&wide);
        let result = |(&x, value): (&f32, Dd)| {
            let y = match (self.format, self.format.stored()) {
                (_, Some(format)) => stored::nearest(format, value),
                (Format::F32, None) => nearest(value),
                _ => return None,
            };
            Some((x, y))
        };
        xs.iter().zip(values).filter_map(result).collect()
    }

    /// All inputs of 16 bits where the result is not yet constant, each with the ends of the interval of numbers that round to its result.
    #[must_use]
    pub fn intervals(&self, saturation: Saturation) -> Vec<Hard> {
        let Some(format) = self.format.stored() else {
            return Vec::new();
        };
        let xs = self.inputs.sample(0).into_iter().map(number);
        let xs: Vec<f64> = xs.filter(|&x| saturation.contains(x)).collect();
        let mut all = Vec::new();
        for (&x, exact) in xs.iter().zip(self.exactly(&xs)) {
            let end = 4.0 * self.format.overflow();
            if exact.hi.is_nan() || exact.hi.abs() >= end {
                continue;
            }
            for middle in stored::middles(format, exact) {
                let unit = ulp(self.format, exact.hi);
                let beyond = (exact - Dd::from(middle)).scaled(1.0 / unit).hi;
                // A value on the middle has no side; the search of all inputs decides on it.
                if beyond != 0.0 {
                    all.push(Hard {
                        x: x as f32,
                        beyond,
                        middle,
                        half: 0.5 * unit,
                        step: ulp(Format::F32, middle),
                    });
                }
            }
        }
        all
    }
}

/// A value rounded to binary32. Rounding only its first word gives this number or a neighbour.
fn nearest(value: Dd) -> f32 {
    let near = value.hi as f32;
    let far = |y: &f32| (value - Dd::from(f64::from(*y))).abs();
    let better = |y: f32| y.is_finite() && (far(&y) - far(&near)).hi < 0.0;
    let others = [near.next_down(), near.next_up()];
    others.into_iter().find(|&y| better(y)).unwrap_or(near)
}

/// The test that distinguishes a value near the middle between two results.
#[derive(Debug, Clone, Copy)]
struct Middle {
    format: Format,
    near: f64,
    /// Biased exponents of the format's normal numbers.
    least: u64,
    most: u64,
    /// The bits of the fraction that a result omits, and half of their range.
    below: u64,
    half: u64,
    /// [`Middle::near`] in units of the last place of binary64.
    places: u64,
}

impl Middle {
    fn new(format: Format, near: f64) -> Middle {
        let bits = 52 - format.fraction();
        Middle {
            format,
            near,
            least: (1023 + format.least_exponent()) as u64,
            most: match format {
                Format::F16 => 1023 + 15,
                _ => 1023 + 127,
            },
            below: (1 << bits) - 1,
            half: 1 << (bits - 1),
            places: (near * 2f64.powi(bits)) as u64,
        }
    }

    /// Whether a value is within `near` units of the middle between two results.
    #[inline]
    fn is_near(&self, value: f64) -> bool {
        let exponent = value.to_bits() >> 52 & 0x7ff;
        if exponent >= self.least {
            let rest = value.to_bits() & self.below;
            return exponent <= self.most && rest.abs_diff(self.half) < self.places;
        }
        let places = value.abs() / ulp(self.format, value);
        (places - places.floor() - 0.5).abs() < self.near
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Fault: a value that is above or below the middle only by its second word is rounded as a tie.
    #[test]
    fn a_second_word_decides_between_two_results() {
        let (even, odd) = (1.0f32, 1.0f32.next_up());
        let middle = 1.0 + 2f64.powi(-24);
        for (hi, up, down) in [(middle, odd, even), (-middle, -even, -odd)] {
            assert_eq!(nearest(Dd::of(hi, 2f64.powi(-90))), up);
            assert_eq!(nearest(Dd::of(hi, -(2f64.powi(-90)))), down);
            assert_eq!(nearest(Dd::from(hi)), even.copysign(hi as f32));
        }
        let largest = f64::from(f32::MAX);
        assert_eq!(nearest(Dd::from(largest)), f32::MAX);
    }
}
