//! The stages of `tgamma`: Γ of a positive number in two words, and the sine by which it is multiplied for a negative one. The page on stages joins them to the
//! results for negative numbers.

use std::f64::consts::PI;

use dc_exact::law::{Angle, Law, Stage};
use dc_exact::num::float::exponent;
use dc_exact::num::{Ball, Ring as _};
use dc_math::f64::stages;
use dc_runtime::kernel::CrunchFn;
use kernels_gen::interp::{Bits, eval};
use kernels_gen::ir::Kernel;
use kernels_gen::lower;
use kernels_gen::program::Program;

use super::{Part, two};

/// The largest error of Γ in ULP. An ULP is up to 2u of a number, for u = 2^-53, and so this is `2 GAMMA` u.
pub const GAMMA: f64 = two(-7);
/// The largest error of the sine, and the same where its fraction is at least 3/2: both are at most `2 SINE` u.
pub const SINE: f64 = two(-6);
const STEEP: f64 = 1.5 * SINE;
/// What the products, the quotient and the last rounding add to a result's error, in ULP.
pub const JOINED: f64 = two(-10);

/// What π is more than the double next to it.
const PI_LOW: f64 = 1.224_646_799_147_353_2e-16;
/// Γ of a number below minus this is 0, and the kernel computes that of this one.
const FAR: f64 = 190.0;
/// Up to this magnitude, Γ(x) is 1/x.
const TINY: f64 = two(-60);
/// The largest number below 1.
const BELOW_ONE: f64 = 1.0 - f64::EPSILON / 2.0;

fn words(law: Law, scale: i64, low: Option<f64>) -> Stage {
    Stage {
        law,
        plus: Angle::ZERO,
        turn: 0,
        zero: 0,
        scale: scale as i32,
        low,
        slack: 0.0,
        words: true,
    }
}

/// Here the sine is from 0.098 to 0.120, and is the difference of larger numbers; and so at 1 less these numbers.
const STEEP_RANGE: [f64; 2] = [1.0 / 32.0, 0.038];
/// Ranges of Γ whose proofs take some minutes each.
const RANGES: [[f64; 2]; 4] = [[2.0, 20.0], [20.0, 80.0], [80.0, 140.0], [140.0, FAR]];

/// All of them.
pub fn parts() -> impl Iterator<Item = Part> {
    let scale = -stages::STAGE_SCALE;
    let part = |name: &str, number, kernel, stage, claim, ranges| Part {
        name: format!("tgamma({name})"),
        number,
        kernel,
        stage,
        claim,
        ranges,
    };
    // 1 + a in two words, for a from 0 to 1.
    let sum = part(
        "gamma of a sum",
        0,
        stages::gamma_of_words::KERNEL,
        words(Law::Gamma, scale, Some(two(-53))),
        GAMMA,
        vec![[1.0, 2.0]],
    );
    let gamma = RANGES.into_iter().enumerate().map(move |(i, range)| {
        let stage = words(Law::Gamma, scale, None);
        let kernel = stages::gamma_of_word::KERNEL;
        part("gamma", i + 1, kernel, stage, GAMMA, vec![range])
    });
    let [a, b] = STEEP_RANGE;
    let sine = [
        (SINE, vec![[TINY, a], [1.0 - a, BELOW_ONE]]),
        (SINE, vec![[b, 1.0 - b]]),
        (STEEP, vec![[a, b], [1.0 - b, 1.0 - a]]),
    ];
    let sine = sine
        .into_iter()
        .enumerate()
        .map(move |(i, (claim, ranges))| {
            let (kernel, stage) = (
                stages::sine_of_half_turns::KERNEL,
                words(Law::SinPi, 0, None),
            );
            part("sine", i + 1, kernel, stage, claim, ranges)
        });
    [sum].into_iter().chain(gamma).chain(sine)
}

/// The result's error is at most as many ULP as its relative error has parts of u.
#[test]
fn the_stages_are_accurate_enough() {
    let bound = 0.5 + 2.0 * (SINE + GAMMA) + JOINED;
    assert!(bound < 0.548, "{bound}");
    let fractions = STEEP_RANGE.map(|y| 16.0 * (PI * y).sin());
    assert!(fractions[0] > 1.5 && fractions[1] < 2.0, "{fractions:?}");
}

/// The stages have numbers above 0 alone.
#[test]
fn the_words_of_the_sine_are_odd() {
    let mut bits = 7u64;
    for k in 0..2000u64 {
        bits = (bits.wrapping_mul(6_364_136_223_846_793_005)).wrapping_add(2 * k + 1);
        let y = (bits >> 11) as f64 * two(-53) * two(-((k % 50) as i64));
        let y = if k % 3 == 0 {
            (32.0 * y).round() / 32.0
        } else {
            y
        };
        let program = lower(stages::sine_of_half_turns::KERNEL).expect("it is lowered");
        let [of, other] = [y, -y].map(|y| {
            let Ok(words) = eval(&program, &mut Bits, &[y.to_bits()]);
            [words[0], words[1]].map(f64::from_bits)
        });
        assert_eq!(of, other.map(|w| -w), "{y:e}");
    }
}

/// The words of a sum with 0 are those of one word. The exact quotient of the words, for negative numbers, is within half an ULP and `JOINED` of the result.
#[test]
fn results_are_those_of_the_words() {
    // 2^300 keeps quotients far from the ends of the format.
    const UP: i32 = 300;
    let pi = Ball::number(PI)
        .add(Ball::number(PI_LOW))
        .widened(two(-104));
    let program = |kernel: &'static Kernel| lower(kernel).expect("it is lowered");
    let words = |program: &Program, arguments: &[f64]| {
        let arguments: Vec<u64> = arguments.iter().map(|x| x.to_bits()).collect();
        let Ok(words) = eval(program, &mut Bits, &arguments);
        [words[0], words[1]].map(f64::from_bits)
    };
    let sum = |[hi, lo]: [f64; 2]| Ball::number(hi).add(Ball::number(lo));
    let of_sum = program(stages::gamma_of_words::KERNEL);
    let of_word = program(stages::gamma_of_word::KERNEL);
    let of_sine = program(stages::sine_of_half_turns::KERNEL);
    let (mut bits, mut most, mut subnormal) = (1u64, 0.0f64, 0);
    for k in 0..40_000u64 {
        bits = (bits.wrapping_mul(6_364_136_223_846_793_005)).wrapping_add(2 * k + 1);
        let part = (bits >> 11) as f64 * two(-53);
        let a = match k % 4 {
            0 => part * two(-((k % 60) as i64)),
            1 => 1.0 + 9.0 * part,
            2 => 1.0 + 189.0 * part,
            // Next to a pole.
            _ => (2.0 + (182.0 * part).floor()) * (1.0 - two(-((k % 53) as i64))),
        };
        if a.floor() == a || a < TINY {
            continue;
        }
        let (t, t_low, factor) = match a < 1.0 {
            true => (1.0 + a, a - ((1.0 + a) - 1.0), 1.0),
            false => (a, 0.0, a),
        };
        let (sine, g) = (words(&of_sine, &[a]), words(&of_sum, &[t, t_low]));
        if t_low == 0.0 {
            assert_eq!(words(&of_word, &[t]), g, "{a:e}");
        }
        let divisor = sum(sine).mul(sum(g).scale(UP)).mul(Ball::number(factor));
        // The words are those of Γ 2^-600, and so this is the quotient times 2^300.
        let due = pi.div(divisor).neg();
        let found = Ball::number(dc_math::f64::tgamma(-a) * two(UP.into()));
        let unit = (exponent(due.mid()) - UP).max(-1022) - 52;
        subnormal += u32::from(unit == -1074);
        let apart = found.sub(due).scale(-unit - UP).magnitude();
        most = most.max(apart);
        assert!(apart <= 0.5 + JOINED, "{a:e}: {apart}");
    }
    println!("{most} ULP, {subnormal} subnormal results");
    assert!(most > 0.499 && subnormal > 100, "{most} {subnormal}");
}
