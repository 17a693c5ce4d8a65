//! The stages of `lgamma` for negative numbers: a logarithm and Stirling's formula in two words, and the function next to each of its zeros. The stages of `tgamma`
//! are used, too.
//! The page on stages joins them.

use dc_exact::law::{Law, Stage};
use dc_math::f64::stages;
use dc_runtime::kernel::CrunchFn;
use kernels_gen::interp::{Bits, eval};
use kernels_gen::lower;
use kernels_gen::program::Program;

use super::gamma::{GAMMA, JOINED, SINE};
use super::{Part, WORDS, two};

/// The largest error of Stirling's formula in ULP.
const STIRLING: f64 = two(-10);
/// The largest error of the logarithm of a product in ULP.
const LOGARITHM: f64 = two(-16);
/// The same next to a zero, where the function is at most `NEAR` in magnitude.
const NEXT: f64 = 0.52;
const NEAR: f64 = 0.505;
/// From here on, ln Γ(a) is a part of the result; from the second number on, all numbers are poles.
const FAR: [f64; 2] = [170.0, two(52)];
/// The first two zeros are used on either side of this number.
const SPLIT: f64 = -2.0 - 39.0 / 64.0;
/// The ends of a band of distances are in this proportion at most.
const BAND: f64 = two(36);

/// The function next to a zero, at a distance.
pub struct Next {
    number: usize,
    program: Program,
}

impl Next {
    pub fn all() -> impl Iterator<Item = Self> {
        stages::NEAR_ZEROS.iter().map(|(k, kernel)| Self {
            number: usize::from(*k),
            program: lower(kernel).expect("it is lowered"),
        })
    }

    fn at(&self, t: f64) -> f64 {
        let Ok(words) = eval(&self.program, &mut Bits, &[t.to_bits(), 0]);
        f64::from_bits(words[0])
    }

    /// The largest distance on one side: where the function is beyond `NEAR`, or where another zero is nearer.
    fn end(&self, side: f64) -> f64 {
        let [z, ..] = stages::zero_in_words(self.number);
        let split = SPLIT - z;
        if self.number <= 2 && split * side > 0.0 {
            return split.abs() * (1.0 + two(-50));
        }
        let pole = z.round() - z;
        let (mut low, mut high) = (0.0, 0.75 * pole.abs());
        if pole * side < 0.0 {
            // The function is -1/2 at two thirds of the distance of the pole.
            high = pole.abs();
        }
        assert!(self.at(side * high).abs() > NEAR, "{} {high}", self.number);
        for _ in 0..60 {
            let middle = 0.5 * (low + high);
            if self.at(side * middle).abs() < NEAR {
                low = middle;
            } else {
                high = middle;
            }
        }
        high
    }

    /// The least magnitude of a double's distance.
    fn least(&self) -> f64 {
        let [z, second, _] = stages::zero_in_words(self.number);
        let beside = (z.next_up() - z).min(z - z.next_down());
        // Half of it on the other side of the zero.
        second.abs().min(0.49 * beside)
    }
}

/// Doubles on both sides of each zero.
pub fn next_to_zeros() -> impl Iterator<Item = f64> {
    (1..=stages::NEAR_ZEROS.len()).flat_map(|k| {
        let [z, ..] = stages::zero_in_words(k);
        let steps = (-100..=100i64).chain([-1000, 1000]);
        steps.map(move |step| f64::from_bits(z.to_bits().wrapping_add_signed(step)))
    })
}

/// All of them.
pub fn parts() -> impl Iterator<Item = Part> {
    let logarithm = Part {
        name: "lgamma(logarithm)".into(),
        number: 0,
        kernel: stages::log_in_words::KERNEL,
        stage: WORDS,
        claim: LOGARITHM,
        ranges: vec![[f64::from_bits(1), f64::MAX]],
    };
    let far = Part {
        name: "lgamma(far)".into(),
        number: 0,
        kernel: stages::lgamma_in_words::KERNEL,
        stage: Stage {
            law: Law::LnGamma,
            ..WORDS
        },
        claim: STIRLING,
        ranges: vec![FAR],
    };
    let next = Next::all().flat_map(move |next| {
        let kernel = stages::NEAR_ZEROS[next.number - 1].1;
        let [left, right] = [-1.0, 1.0].map(|side| next.end(side));
        let (least, most) = (next.least(), left.max(right));
        let middle = most / BAND;
        let mut bands = vec![(least, most)];
        if least < middle {
            bands = vec![(least, middle), (middle, most)];
        }
        let several = bands.len() > 1;
        bands.into_iter().enumerate().map(move |(i, (from, to))| {
            // 2^-52 of the largest distance, or more.
            let low = two(to.log2().ceil() as i64 - 52);
            let stage = Stage {
                zero: next.number as u8,
                low: Some(low),
                slack: low * two(-52),
                law: Law::LnGamma,
                words: false,
                ..WORDS
            };
            Part {
                name: format!("lgamma(zero {})", next.number),
                number: if several { i + 1 } else { 0 },
                kernel,
                stage,
                claim: NEXT,
                ranges: vec![[-to.min(left), -from], [from, to.min(right)]],
            }
        })
    });
    [logarithm, far].into_iter().chain(next)
}

/// An absolute error is relative to 2^-53, the last place of numbers from 1/2 on. From 170 on, the result is at least 15/16 of ln Γ(a), whose last place is at most
/// twice that of the result.
#[test]
fn the_stages_are_accurate_enough() {
    let apart = 0.5 + 2.0 * (SINE + GAMMA) + JOINED;
    let far = 0.5 + 2.0 * STIRLING + JOINED;
    assert!(apart < 0.548 && far < 0.52, "{apart} {far}");
}

/// The last part of the kernel is the stage of the nearest zero; and there the words of the distance are as the page on stages says.
#[test]
fn results_next_to_zeros_are_those_of_the_stages() {
    let distance = lower(stages::distance_from_zero::KERNEL).expect("it is lowered");
    let mut near = 0;
    for next in Next::all() {
        let [z, second, third] = stages::zero_in_words(next.number);
        let (left, right) = (next.end(-1.0), next.end(1.0));
        let parts = (-400..=400).map(|i| f64::from(i) / 400.0);
        let wide = parts.map(|p| z + p * if p < 0.0 { left } else { right });
        let beside = (-50..=50i64).map(|n| f64::from_bits(z.to_bits().wrapping_add_signed(n)));
        for x in wide.chain(beside) {
            let y = dc_math::f64::lgamma(x);
            let outside = !(x - z > -left && x - z < right);
            // There the first zero is used.
            let first = next.number == 2 && x == SPLIT;
            if outside || first || y.abs() > 0.503 {
                continue;
            }
            let Ok(words) = eval(&distance, &mut Bits, &[x.to_bits()]);
            let Ok(found) = eval(&next.program, &mut Bits, &words);
            assert_eq!(f64::from_bits(found[0]), y, "{} {x:e}", next.number);
            let [t, low] = [words[0], words[1]].map(f64::from_bits);
            assert!(low.abs() <= two(-52) * t.abs(), "{x:e}: {t:e} {low:e}");
            assert!(t.abs() >= next.least(), "{x:e}: {t:e}");
            assert!(x != z || (t, low) == (-second, -third), "{x:e}");
            near += 1;
        }
    }
    assert!(near > 10_000, "{near}");
}

/// Below -17.5, no double is next to a zero.
#[test]
fn the_last_zeros_are_next_to_minus_17() {
    for n in 18..=170u32 {
        let pole = -f64::from(n);
        for x in [pole.next_down(), pole.next_up()] {
            assert!(dc_math::f64::lgamma(x) < -2.0, "{x:e}");
        }
    }
}

/// The three words are the zero, up to the slack of the first stage's bands.
#[cfg(feature = "mpfr")]
#[test]
fn words_are_those_of_the_zeros() {
    use crate::cases::CASES;
    use dc_runtime::mpfr::rug::Float;

    let case = CASES
        .iter()
        .find(|c| c.name == "lgamma")
        .expect("it is listed");
    for k in 1..=stages::NEAR_ZEROS.len() {
        let [z, second, third] = stages::zero_in_words(k);
        assert!(third.abs() <= two(-53) * second.abs(), "{k}");
        let near = |by: f64| {
            let x = Float::with_val(400, z) + second + third + by;
            case.function.of(x).is_sign_positive()
        };
        let by = two(-105) * second.abs();
        assert_ne!(near(by), near(-by), "{k}");
    }
}
