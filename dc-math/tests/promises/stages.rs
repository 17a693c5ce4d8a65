//! Stages: parts of functions whose arguments or results have two words. The page on stages joins them to functions of two arguments, and to functions of large
//! arguments.

use dc_exact::bound::{Effort, bound_range};
use dc_exact::cell::Cell;
use dc_exact::law::{Angle, Law, Stage, Truth};
use dc_exact::point::stretches;
use dc_math::f64::stages;
use dc_runtime::builtins::reference::binary32;
use dc_runtime::kernel::CrunchFn;
use kernels_gen::interp::{Bits, eval};
use kernels_gen::ir::Kernel;
use kernels_gen::lower;
use kernels_gen::program::Program;

pub mod gamma;
pub mod lgamma;

/// A stage, what is claimed of it, and where.
pub struct Part {
    pub name: String,
    /// Which of the function's parts it is, from 1; 0 where that is the only one.
    pub number: usize,
    pub kernel: &'static Kernel,
    pub stage: Stage,
    /// The largest error, in ULP.
    pub claim: f64,
    pub ranges: Vec<[f64; 2]>,
}

/// The largest error of the logarithm of `f64::pow`.
const LOGARITHM: f64 = 259.0 * two(-24);
/// Beyond these numbers, the exponential of `f64::pow` is that of them.
const LEAST: f64 = -746.0;
const MOST: f64 = 710.0;
/// e^x rounds to infinity above this number, and to the largest number below.
const OVERFLOW: f64 = 709.782_712_893_384;

/// Above tan(π/8), which is the largest quotient of the series.
const TAN_EIGHTH: f64 = 0.414_213_562_4;

/// 2^e
const fn two(e: i64) -> f64 {
    f64::from_bits(((1023 + e) as u64) << 52)
}

/// A logarithm in two words.
const WORDS: Stage = Stage {
    law: Law::Ln,
    plus: Angle::ZERO,
    turn: 0,
    zero: 0,
    scale: 0,
    low: None,
    slack: 0.0,
    words: true,
};

fn exponential(low: f64, slack: f64) -> Stage {
    Stage {
        law: Law::Exp,
        plus: Angle::ZERO,
        turn: 0,
        zero: 0,
        scale: 0,
        low: Some(low),
        slack,
        words: false,
    }
}

/// A little more than π/32, which bounds reduced arguments.
const REDUCED: f64 = std::f64::consts::PI / 32.0 + two(-39);

/// Ranges of reduced arguments, by their ends, with the largest low word and the slack there, as exponents.
struct Band {
    from: f64,
    to: f64,
    low: i64,
    slack: i64,
}

const fn band(from: f64, to: f64, low: i64, slack: i64) -> Band {
    Band {
        from,
        to,
        low,
        slack,
    }
}

/// Where the function is neither next to 0 nor next to a pole.
const WHOLE: &[Band] = &[band(0.0, REDUCED, -56, -100)];
/// Next to 0.
const TO_ZERO: &[Band] = &[
    band(two(-62), two(-57), -70, -122),
    band(two(-57), two(-18), -66, -118),
    band(two(-18), REDUCED, -56, -100),
];
/// Next to a pole.
const TO_POLE: &[Band] = &[
    band(two(-34), two(-18), -66, -118),
    band(two(-18), REDUCED, -56, -100),
];

/// The kernels of the last part of `atan2` for each place of its table: for positive x, and for negative x.
macro_rules! places {
    ($($place:literal)*) => {
        const HALVES: [[&Kernel; 2]; 32] = [$([
            stages::right_half::<$place>::KERNEL,
            stages::left_half::<$place>::KERNEL,
        ]),*];
    };
}

places!(0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27 28 29 30 31);

/// The tangent of an angle less that of the table is below this, and so is its low word below `LOW`, of which 2^-50 may be wrong.
const BESIDE: f64 = 0.0324;
/// At place 0 for positive x, it is from here to a little more than 1/32. Below 2^-40 the quotient is the result.
const ALONE: [f64; 2] = [two(-41), 0.0313];
/// See `BESIDE`.
const LOW: i64 = -56;

/// The last part of `atan2` at one place.
fn beside_place(place: usize, left: bool) -> Part {
    let c = (place % 16) as i32;
    let steep = place >= 16;
    // atan c, π/2 - atan c, and π less these.
    let (sixteenths, quarters) = match (left, steep) {
        (false, false) => (c, 0),
        (false, true) => (-c, 1),
        (true, false) => (-c, 2),
        (true, true) => (c, 1),
    };
    Part {
        name: format!("atan2({} half)", if left { "left" } else { "right" }),
        number: place + 1,
        kernel: HALVES[place][usize::from(left)],
        stage: Stage {
            law: Law::Atan,
            plus: Angle {
                sixteenths,
                quarters,
            },
            turn: 0,
            zero: 0,
            scale: 0,
            low: Some(two(LOW)),
            slack: two(LOW - 50),
            words: false,
        },
        claim: 0.51,
        ranges: match (left, place) {
            (false, 0) => vec![ALONE],
            _ => vec![[-BESIDE, -0.0], [0.0, BESIDE]],
        },
    }
}

impl Part {
    /// All stages.
    pub fn all() -> Vec<Self> {
        let mut all = vec![
            Self {
                name: "pow(logarithm)".into(),
                number: 0,
                kernel: stages::log_of_base::KERNEL,
                stage: WORDS,
                claim: LOGARITHM,
                ranges: vec![[f64::from_bits(1), f64::MAX]],
            },
            Self {
                name: "pow(exponential)".into(),
                number: 0,
                kernel: stages::exp_of_product::KERNEL,
                stage: exponential(two(-41), -LEAST * LOGARITHM * two(-52) * (1.0 + two(-30))),
                claim: 0.55,
                ranges: vec![[LEAST, OVERFLOW - two(-39)], [OVERFLOW + two(-39), MOST]],
            },
            Self {
                name: "f32::pow(logarithm)".into(),
                number: 0,
                kernel: binary32::stages::log_in_words::KERNEL,
                stage: WORDS,
                claim: two(-7),
                ranges: vec![[f64::from(f32::from_bits(1)), f64::from(f32::MAX)]],
            },
            Self {
                name: "f32::pow(exponential)".into(),
                number: 0,
                kernel: binary32::stages::exp_of_words::KERNEL,
                stage: exponential(two(-45), 105.0 * two(-7) * two(-52)),
                claim: 4.0,
                ranges: vec![[-105.0, 89.0]],
            },
        ];
        all.push(Self {
            name: "f32::atan2(series)".into(),
            number: 0,
            kernel: binary32::atan_f32_reference::KERNEL,
            stage: Stage {
                law: Law::Atan,
                plus: Angle::ZERO,
                turn: 0,
                zero: 0,
                scale: 0,
                low: None,
                slack: 0.0,
                words: false,
            },
            claim: 2.75,
            ranges: vec![[two(-300), TAN_EIGHTH]],
        });
        for &(turn, sine, tangent) in stages::TURNED {
            all.extend(Self::turned("sin", sine, Law::Sin, turn));
            all.extend(Self::turned("tan", tangent, Law::Tan, turn));
        }
        for left in [false, true] {
            all.extend((0..HALVES.len()).map(|place| beside_place(place, left)));
        }
        all.extend(gamma::parts());
        all.extend(lgamma::parts());
        all
    }

    /// The stages of a sine or a tangent with a fixed multiple of π/16.
    fn turned(
        name: &str,
        kernel: &'static Kernel,
        law: Law,
        turn: u8,
    ) -> impl Iterator<Item = Self> {
        let bands = match (law, turn) {
            (_, 0) => TO_ZERO,
            (Law::Tan, 8) => TO_POLE,
            _ => WHOLE,
        };
        let name = format!("{name}(turn {turn})");
        bands.iter().enumerate().map(move |(i, band)| Self {
            name: name.clone(),
            number: if bands.len() > 1 { i + 1 } else { 0 },
            kernel,
            stage: Stage {
                law,
                plus: Angle::ZERO,
                turn,
                zero: 0,
                scale: 0,
                low: Some(two(band.low)),
                slack: two(band.slack),
                words: false,
            },
            claim: 0.55,
            ranges: vec![[-band.to, -band.from], [band.from, band.to]],
        })
    }

    pub fn program(&self) -> Program {
        lower(self.kernel).expect("it is lowered")
    }

    pub fn stretches(&self, program: &Program) -> Vec<Cell> {
        let ranges = self.ranges.iter();
        ranges
            .flat_map(|&[lo, hi]| stretches(program, lo, hi))
            .collect()
    }
}

#[test]
fn stages_have_their_bounds() {
    for part in Part::all() {
        let program = part.program();
        let mut stretches = part.stretches(&program);
        let parts: &[[f64; 2]] = match part.name.as_str() {
            // With the least normal results.
            "pow(exponential)" => &[[-708.45, -708.35], [-1.0, 1.0]],
            // Longer parts take many more cells.
            "pow(logarithm)" => &[
                [0.7, 1.0],
                [1.0, 1.03],
                [1.03, 1.06],
                [1.06, 1.1],
                [1.4, 1.9],
                [2.1, 3.9],
                [1.2e-308, 2.2e-308],
            ],
            "lgamma(logarithm)" => &[[0.5, 4.0], [1e-308, 1e-307]],
            "f32::pow(logarithm)" => &[[0.5, 4.0]],
            "f32::pow(exponential)" => &[[-10.0, 10.0]],
            // Where results are infinite, and where they are 0.
            // The last of these are beyond the largest finite result.
            "tgamma(gamma)" => match part.number {
                1 => &[[2.0, 2.25]],
                2 => &[[20.0, 20.01]],
                3 => &[[139.99, 140.0]],
                _ => &[[171.6, 171.625], [189.99, 190.0]],
            },
            // Next to a pole there are many cells.
            "tan(turn 8)" => &[[part.ranges[1][0], 2.0 * part.ranges[1][0]]],
            _ => &[],
        };
        if !parts.is_empty() {
            // The whole range takes up to a minute: `cargo xtask math --bounds`.
            stretches = (parts.iter())
                .flat_map(|p| dc_exact::point::stretches(&program, p[0], p[1]))
                .collect();
        }
        let effort = Effort {
            by_series: true,
            threads: 1,
            ..Effort::default()
        };
        let begun = std::time::Instant::now();
        let bound = bound_range(&program, &Truth::Stage(part.stage), &stretches, effort);
        println!(
            "{} {:?}: {} of {}, {} cells, {:?}, {:?}",
            part.name,
            part.ranges,
            bound.bound,
            part.claim,
            bound.looked,
            begun.elapsed(),
            bound.special,
        );
        assert!(
            bound.special.is_empty() && !bound.unfinished,
            "{}",
            part.name
        );
        assert!(bound.bound <= part.claim, "{}: {}", part.name, bound.bound);
    }
}

/// π/16 in three words: products of the first two with integers below 2^15 are exact.
const SIXTEENTH: [f64; 3] = [
    f64::from_bits(0x3fc9_21fb_5444_0000),
    f64::from_bits(0x3d56_8c23_4c4c_8000),
    f64::from_bits(0xbad9_d747_f23e_32ed),
];

/// What the page on stages says of doubles up to 4096 next to multiples of π/2.
#[test]
fn doubles_are_not_nearer_to_multiples_of_half_pi_than_is_said() {
    let mut least = f64::INFINITY;
    for k in 1..=2608u32 {
        let n = f64::from(8 * k);
        // The neighbours as well, since this is not the nearest double.
        let near = f64::from(k) * std::f64::consts::FRAC_PI_2;
        for step in -3..=3i64 {
            let x = f64::from_bits(near.to_bits().wrapping_add_signed(step));
            // Exact, but for the last product and difference.
            let by = (x - n * SIXTEENTH[0]) - n * SIXTEENTH[1];
            let low = n * SIXTEENTH[2];
            let distance = (by - low).abs();
            least = least.min(distance);
            assert!(7000.0 * low.abs() < distance, "{k}: {distance:e}");
            let small = distance < 1.01 * two(-57);
            assert!(!small || k <= 232, "{k}: {distance:e}");
        }
    }
    assert!(least > two(-61) && least < two(-60), "{least:e}");
}

/// The stages of other multiples of π/16 are these, up to signs.
#[test]
fn all_multiples_are_these_stages() {
    let function = |kernel: &'static Kernel| lower(kernel).expect("it is lowered");
    let value = |program: &Program, arguments: &[u64]| {
        let Ok(words) = eval(program, &mut Bits, arguments);
        f64::from_bits(words[0])
    };
    let whole = [stages::sine::KERNEL, stages::tangent::KERNEL].map(function);
    let parts: Vec<[Program; 2]> = (stages::TURNED.iter())
        .map(|&(_, sine, tangent)| [sine, tangent].map(function))
        .collect();
    let turns: Vec<u8> = stages::TURNED.iter().map(|s| s.0).collect();
    assert_eq!(turns, (0..=8).collect::<Vec<u8>>());
    let mut random = 1u64;
    let mut part = || {
        random = (random.wrapping_mul(6_364_136_223_846_793_005)).wrapping_add(1);
        (random >> 11) as f64 * two(-52) - 1.0
    };
    for n in 0..64i64 {
        for k in 0..200 {
            let h = REDUCED * part() * two(-(k % 40));
            let l = h * two(-52) * part();
            // After whole and half turns: from -8 to 8.
            let half = (n + 8).rem_euclid(16) - 8;
            let odd = (n + 8).div_euclid(16) % 2 != 0;
            let sign = if half < 0 { -1.0 } else { 1.0 };
            let [sine, tangent] = [0, 1].map(|i| {
                let arguments = [(sign * h).to_bits(), (sign * l).to_bits()];
                sign * value(&parts[half.unsigned_abs() as usize][i], &arguments)
            });
            let sine = if odd { -sine } else { sine };
            let arguments = [h.to_bits(), l.to_bits(), n as u64];
            let found = [0, 1].map(|i| value(&whole[i], &arguments));
            assert_eq!(found, [sine, tangent], "{n} {h:e} {l:e}");
        }
    }
}

/// A kernel with the angle of another place, or of the other half, is far from the function.
#[test]
fn other_angles_have_larger_bounds() {
    let of = |sixteenths, quarters, kernel: &Part| {
        let plus = Angle {
            sixteenths,
            quarters,
        };
        let truth = Truth::Stage(Stage {
            plus,
            ..kernel.stage
        });
        let program = kernel.program();
        let effort = Effort {
            by_series: true,
            threads: 1,
            cells: 1000,
            ..Effort::default()
        };
        let cells = dc_exact::point::stretches(&program, 0.03, 0.031);
        bound_range(&program, &truth, &cells, effort).bound
    };
    let [right, left] = [false, true].map(|left| beside_place(5, left));
    assert!(of(5, 0, &right) < 0.51 && of(-5, 2, &left) < 0.51);
    for (sixteenths, quarters) in [(4, 0), (-5, 0), (5, 1), (5, -1), (0, 0), (-5, 2)] {
        let bound = of(sixteenths, quarters, &right);
        assert!(bound > 1e10, "{sixteenths} {quarters}: {bound}");
    }
    assert!(of(5, 2, &left) > 1e10 && of(-5, 1, &left) > 1e10);
}
