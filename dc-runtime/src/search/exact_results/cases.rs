//! Inputs at which the true value of a function may be exactly a number. `value.rs` decides whether it is one.

use std::collections::BTreeSet;

use super::value::Format;
use crate::model::function::Function;
use crate::model::key::Precision;
use crate::model::keys::Keys;
use crate::model::space::{InputSpace, PairSpace};
use crate::search::points::split_mix;
use crate::search::range::Range;

/// If there are more inputs than this, a sample is taken.
pub(super) const MOST: u64 = 1 << 16;
/// The number of pairs that are drawn.
const PAIRS: u64 = 1 << 16;
/// The multiples of a quarter up to this number are taken, if all of them and all large numbers may have exact values.
const QUARTERS: i32 = 1 << 12;

/// Inputs as bits of the arguments.
pub(super) struct Cases {
    pub words: Vec<Vec<u64>>,
    /// Whether no other input of the range is known to have an exact value.
    pub complete: bool,
}

pub(super) fn cases(function: Function, format: Format, range: &Range) -> Cases {
    match range.space() {
        InputSpace::Pairs(space) => pairs(function, format, &space),
        InputSpace::Stored(stored) if stored.pairs => Cases {
            words: spread(stored.last(), |number| stored.words(number).to_vec()),
            complete: false,
        },
        InputSpace::Stored(stored) => Cases {
            words: (0..=stored.last())
                .filter(|&number| range.contains(number))
                .map(|number| vec![stored.words(number)[0]])
                .collect(),
            complete: true,
        },
        space => {
            let (values, complete) = numbers(function, format, range);
            let precision = space.precision();
            let keys: BTreeSet<i64> = (values.into_iter().chain([-0.0]))
                .map(|x| precision.key_of_bits(bits(precision, x)))
                .filter(|&key| range.contains(key))
                .collect();
            Cases {
                words: (keys.into_iter())
                    .map(|key| vec![precision.bits_of_key(key)])
                    .collect(),
                complete,
            }
        }
    }
}

/// The bits of a value that is a number of the precision.
fn bits(precision: Precision, x: f64) -> u64 {
    match precision {
        Precision::F32 => (x as f32).to_bits().into(),
        Precision::F64 => x.to_bits(),
    }
}

/// Some of many numbers from 0 on, evenly distributed.
fn spread(last: i64, word: impl Fn(i64) -> Vec<u64>) -> Vec<Vec<u64>> {
    let step = (last as u64 / MOST).max(1);
    (0..=last).step_by(step as usize).map(word).collect()
}

/// 2^e, also a subnormal one.
fn exp2(e: i32) -> f64 {
    match e {
        -1022.. => f64::from_bits(((e + 1023) as u64) << 52),
        _ => f64::from_bits(1 << (e + 1074)),
    }
}

/// x^n by multiplications; exact if it is a number of the format.
fn product(x: f64, n: u32) -> f64 {
    (0..n).fold(1.0, |power, _| power * x)
}

/// Values of one argument, and whether they are all such values.
fn numbers(function: Function, format: Format, range: &Range) -> (Vec<f64>, bool) {
    use Function::*;
    let powers = || (format.least..format.top).map(exp2);
    let integers = |n: i32| (-n..=n).map(f64::from);
    let all = |values: Vec<f64>| (values, true);
    match function {
        Recip => all(powers().flat_map(|x| [x, -x]).collect()),
        RecipSqrt | Log2 => all(powers().collect()),
        Sqrt => roots(2, format, range),
        Cbrt => roots(3, format, range),
        Exp2 => all(integers(1100).collect()),
        Exp2M1 | Exp10 | Exp10M1 | Gamma => all(integers(128).collect()),
        Log10 => all((0..40).map(|n| product(10.0, n)).collect()),
        Log10p1 => all((0..30).map(|n| product(10.0, n) - 1.0).collect()),
        Log2p1 => {
            let large = (0..format.digits as i32).map(|n| exp2(n) - 1.0);
            let small = (0..=format.digits as i32).map(|n| exp2(-n) - 1.0);
            all(large.chain(small).collect())
        }
        SinPi | CosPi | TanPi => {
            let quarters = integers(QUARTERS).map(|n| n / 4.0);
            let values: Vec<f64> = quarters.chain(powers().flat_map(|x| [x, -x])).collect();
            let within = |key: i64| {
                let x = range.space().precision().value_of_key(key).abs();
                x <= f64::from(QUARTERS) / 4.0
            };
            let mut spans = range.spans().iter();
            (values, spans.all(|s| within(s.first) && within(s.last)))
        }
        _ => all(vec![0.0, 0.5, 1.0, -1.0, 2.0]),
    }
}

/// The powers of a degree whose roots are numbers with few digits: those in the range, or a sample of them.
fn roots(degree: i32, format: Format, range: &Range) -> (Vec<f64>, bool) {
    let precision = range.space().precision();
    // A power with this many digits has a root with at most as many digits.
    let digits = format.digits.div_ceil(degree as u32);
    let (mut values, mut complete) = (Vec::new(), true);
    let root = |x: f64| match degree {
        2 => x.sqrt(),
        _ => x.cbrt(),
    };
    // Roots are numbered in their order: by exponent and fraction, from 2^-600 on.
    let place = |r: f64| {
        let bits = r.to_bits() >> (53 - digits);
        bits as i64
    };
    let number = |place: i64| f64::from_bits((place as u64) << (53 - digits));
    for span in range.spans() {
        let [first, last] = [span.first, span.last].map(|key| precision.value_of_key(key));
        // NaNs are at both ends.
        let first = if first.is_nan() { -f64::MAX } else { first };
        let last = if last.is_nan() { f64::MAX } else { last };
        for (negative, low, high) in [(false, first, last), (true, -last, -first)] {
            if high <= 0.0 || negative && degree == 2 {
                continue;
            }
            let low = low.max(exp2(format.least));
            let high = high.min(f64::MAX);
            let (from, to) = (place(root(low)), place(root(high)) + 1);
            let step = ((to - from) as u64 / MOST + 1) as i64;
            complete &= step == 1;
            let mut random = 1;
            let mut at = from;
            while at <= to {
                let r = number(at + (split_mix(&mut random) % step as u64) as i64);
                let power = product(r, degree as u32);
                values.push(if negative { -power } else { power });
                at += step;
            }
        }
    }
    values.push(0.0);
    let exact = |x: &f64| match precision {
        Precision::F32 => f64::from(*x as f32) == *x,
        Precision::F64 => x.is_finite(),
    };
    values.retain(exact);
    (values, complete)
}

/// Pairs of arguments in the box, drawn so that most have exact values.
fn pairs(function: Function, format: Format, space: &PairSpace) -> Cases {
    let precision = space.precision;
    let mut random = 1;
    let mut found = BTreeSet::new();
    for _ in 0..PAIRS {
        let pair = pair(function, format, &mut random);
        let keys = pair.map(|x| precision.key_of_bits(bits(precision, x)));
        let inside = |(keys, key): (&Keys, &i64)| keys.contains(*key);
        if space.arguments.iter().zip(&keys).all(inside) {
            found.insert(keys);
        }
    }
    let words = |keys: [i64; 2]| keys.map(|key| precision.bits_of_key(key)).to_vec();
    Cases {
        words: found.into_iter().map(words).collect(),
        complete: false,
    }
}

fn pair(function: Function, format: Format, random: &mut u64) -> [f64; 2] {
    let mut below = |n: u64| split_mix(random) % n;
    let sign = |n: u64| if n == 0 { 1.0 } else { -1.0 };
    // Small numbers more often than large ones, which have few powers.
    let digits = below(u64::from(format.digits) / 2) + 1;
    let odd = below(1 << digits) | 1;
    let power = exp2(below(48) as i32 - 24);
    match function {
        Function::Pow | Function::Powr => {
            let halvings = below(8).saturating_sub(5) as i32;
            let largest = u64::from(format.digits) / digits + 1;
            let n = below(largest * 2) as f64;
            let base = odd as f64 * power;
            let negative = below(4) == 0;
            let base = if negative {
                base.log2().round().exp2()
            } else {
                base
            };
            let x = product(base, 1 << halvings) * sign(u64::from(halvings == 0) * below(2));
            [x, n * exp2(-halvings) * if negative { -1.0 } else { 1.0 }]
        }
        Function::Div => {
            let other = (below(1 << (u64::from(format.digits) - digits)) | 1) as f64;
            let y = odd as f64 * power * sign(below(2));
            [other * y * exp2(below(16) as i32), y]
        }
        Function::Hypot => {
            let (m, n) = (odd as f64, below(odd + 1) as f64);
            let legs = [(m * m - n * n) * power, 2.0 * m * n * power];
            if below(2) == 0 {
                legs
            } else {
                [legs[1], -legs[0]]
            }
        }
        _ => [0.0, odd as f64 * power],
    }
}
