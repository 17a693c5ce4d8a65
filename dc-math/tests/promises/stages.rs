//! Stages: parts of functions whose arguments or results have two words. The page on stages joins them to functions of two arguments, and to functions of large
//! arguments.

use dc_exact::bound::{Effort, bound_range};
use dc_exact::cell::Cell;
use dc_exact::law::{Angle, Law, Stage, Truth};
use dc_exact::point::stretches;
use dc_math::f64::stages;
use dc_runtime::builtins::reference::binary32;
use dc_runtime::kernel::CrunchFn;
use kernels_gen::ir::Kernel;
use kernels_gen::lower;
use kernels_gen::program::Program;

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
const LOGARITHM: f64 = two(-16);
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
    low: None,
    slack: 0.0,
    words: true,
};

fn exponential(low: f64, slack: f64) -> Stage {
    Stage {
        law: Law::Exp,
        plus: Angle::ZERO,
        low: Some(low),
        slack,
        words: false,
    }
}

/// Binades of a fraction of a turn, by the exponents of their ends, and the exponent of half of the last place of their largest numbers.
const BINADES: [[i64; 3]; 7] = [
    [-64, -45, -99],
    [-45, -8, -62],
    [-8, -5, -59],
    [-5, -4, -58],
    [-4, -3, -57],
    [-3, -2, -56],
    [-2, -1, -55],
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
                kernel: stages::log_in_words::KERNEL,
                stage: WORDS,
                claim: LOGARITHM,
                ranges: vec![[f64::from_bits(1), f64::MAX]],
            },
            Self {
                name: "pow(exponential)".into(),
                number: 0,
                kernel: stages::exp_of_words::KERNEL,
                stage: exponential(two(-42), -LEAST * LOGARITHM * two(-52) * (1.0 + two(-30))),
                claim: 0.55,
                ranges: vec![[LEAST, OVERFLOW - two(-40)], [OVERFLOW + two(-40), MOST]],
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
                low: None,
                slack: 0.0,
                words: false,
            },
            claim: 2.75,
            ranges: vec![[two(-300), TAN_EIGHTH]],
        });
        let quarters: [(&str, &'static Kernel, Law); 4] = [
            ("first", stages::first_quarter::KERNEL, Law::SinPi),
            ("second", stages::second_quarter::KERNEL, Law::CosPi),
            ("third", stages::third_quarter::KERNEL, Law::SinPi),
            ("fourth", stages::fourth_quarter::KERNEL, Law::CosPi),
        ];
        for (name, kernel, law) in quarters {
            for (i, [from, to, low]) in BINADES.into_iter().enumerate() {
                let (from, to) = (two(from), two(to).min(QUARTER));
                // A cosine does not depend on the last places of arguments next to 0.
                let from = match (law, i) {
                    (Law::CosPi, 0) => 0.0,
                    _ => from,
                };
                all.push(Self {
                    name: format!("sin({name} quarter)"),
                    number: i + 1,
                    kernel,
                    stage: Stage {
                        law,
                        plus: Angle::ZERO,
                        low: Some(two(low)),
                        slack: two(low - 46),
                        words: false,
                    },
                    claim: 0.55,
                    ranges: vec![[-to, -from], [from, to]],
                });
            }
        }
        for left in [false, true] {
            all.extend((0..HALVES.len()).map(|place| beside_place(place, left)));
        }
        all
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

/// A quarter of a half turn, and a little more.
const QUARTER: f64 = 0.25 + two(-40);

#[test]
fn stages_have_their_bounds() {
    for part in Part::all() {
        let program = part.program();
        let mut stretches = part.stretches(&program);
        let parts: &[[f64; 2]] = match part.name.as_str() {
            // With the least normal results.
            "pow(exponential)" => &[[-708.45, -708.35], [-1.0, 1.0]],
            "pow(logarithm)" => &[[0.5, 4.0], [1e-308, 1e-307]],
            "f32::pow(logarithm)" => &[[0.5, 4.0]],
            "f32::pow(exponential)" => &[[-10.0, 10.0]],
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
