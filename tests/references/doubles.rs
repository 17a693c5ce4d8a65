//! The references of functions for binary64 against MPFR.
//!
//! `cargo xtask references` prints the table of docs/book/src/reference/references-binary64.md for the requested number of inputs. The folder in
//! `CRUNCH_REFERENCE_STATE` stores the progress, so that the same command resumes. `CRUNCH_REFERENCE_MINUTES` ends it
//! after that time, with the table of the inputs done.

use doublecrunch::builtins::reference::{Function, REFERENCES, Reference};
use doublecrunch::mpfr::rug::Float;
use doublecrunch::prelude::DoubleDouble;
use doublecrunch::search::key::Precision;
use kernels_gen::identity::identity_hex;

use crate::compiled::Map;
use crate::functions::{BATCH, Found, wanted};
use crate::inputs::Rng;
use crate::measure::inputs;
use crate::midpoints::near_midpoints;
use crate::state::{Kept, State, in_turn};

/// Bits of the true value: MPFR rounds each of these functions correctly, so 86 bits remain for an error of 2^-106.
const BITS: u32 = 192;
/// Below it the low word of a result has no room for its bits.
const LEAST: f64 = f64::from_bits((1023 - 968) << 52);
/// Batches of a function between two saves: 2^18 inputs.
const ROUND: u64 = 64;
/// Changes with the inputs: a measurement on other inputs is not resumed.
const INPUTS: &str = "3";

/// Inputs of batch `n`: of all bit patterns; of the exponents in the middle; around multiples of pi/4; uniform where
/// exponentials are finite; near 1 at every distance; near halves; near the
/// integers up to 200 at every distance; below 1.
pub fn batch(n: u64) -> Vec<f64> {
    let mut rng = Rng(n);
    let one = |i: u64, rng: &mut Rng| -> f64 {
        let unit = |rng: &mut Rng| (rng.word() >> 11) as f64 / 9_007_199_254_740_992.0;
        let near = |x: f64, rng: &mut Rng| {
            f64::from_bits(x.to_bits().wrapping_add_signed(rng.around(3).into()))
        };
        let sign = [1.0, -1.0][rng.below(2) as usize];
        sign * match i % 8 {
            0 => f64::from_bits(rng.word()).abs(),
            1 => f64::from_bits((1023 - 64 + rng.below(80)) << 52 | rng.word() >> 12),
            2 => {
                let bits = rng.below(53);
                near(
                    std::f64::consts::FRAC_PI_4 * rng.below(1 << bits) as f64,
                    rng,
                )
            }
            3 => unit(rng) * 750.0,
            4 => 1.0 + (unit(rng) - 0.5) * (0.5f64).powi(rng.below(54) as i32),
            5 => {
                let bits = rng.below(53);
                near(0.5 * rng.below(1 << bits) as f64, rng)
            }
            6 => rng.below(200) as f64 + (unit(rng) - 0.5) * (0.5f64).powi(rng.below(54) as i32),
            _ => unit(rng),
        }
    };
    (0..BATCH).map(|i| one(i, &mut rng)).collect()
}

/// Special values, powers of two, the doubles nearest to multiples of pi/2.
fn specials() -> Vec<f64> {
    let mut all = vec![
        0.0,
        f64::INFINITY,
        f64::MAX,
        f64::NAN,
        6_381_956_970_095_103.0 * 2f64.powi(797),
    ];
    all.extend((-1074..1024).map(|e| 2f64.powi(e)));
    all.extend((0..400).map(|n| f64::from(n) / 4.0));
    all.iter().flat_map(|&x| [x, -x]).collect()
}

/// The value of a function, with enough digits to measure one of its references.
pub fn truth(function: Function, x: f64) -> Float {
    function.of(Float::with_val(BITS, x))
}

/// Measures inputs.
fn look(found: &mut Found, of: (Function, u32), map: Map, xs: &[f64]) {
    for (&x, y) in xs.iter().zip(map.binary64(xs)) {
        compare(found, of, x, &y, &truth(of.0, x));
    }
}

/// Measures one result. A result below [`LEAST`] may be off by the least double in addition to its bound of `bits`
/// bits.
pub fn compare(
    found: &mut Found,
    (function, bits): (Function, u32),
    x: f64,
    y: &DoubleDouble,
    truth: &Float,
) {
    let rounded = truth.to_f64();
    let zero = rounded == 0.0 && truth.is_zero();
    if rounded.is_nan() || zero || truth.is_infinite() || y.hi.is_infinite() {
        let same = match rounded.is_nan() {
            true => y.hi.is_nan(),
            false => rounded.to_bits() == y.hi.to_bits() && y.lo == 0.0,
        };
        if !same {
            found.wrong = found.wrong.or(Some(x));
        }
        return;
    }
    let mut error = Float::with_val(BITS, y.hi);
    error += y.lo;
    error -= truth;
    if rounded.abs() < LEAST {
        error <<= 1074;
        let units = error.to_f64().abs();
        let bound = 2f64.powi(1074 - bits as i32) * rounded.abs();
        if units > 1.0 + bound || units.is_nan() {
            found.wrong = found.wrong.or(Some(x));
        }
        return;
    }
    found.inputs += 1;
    error /= truth;
    let mut error = error.to_f64().abs();
    // Between its poles below 0 there are zeros: the bound is four times that of positive numbers, of max(1, |f|).
    if matches!(function, Function::LnGamma) && x < 0.0 {
        error *= rounded.abs().min(1.0) / 4.0;
    }
    if error > found.error || error.is_nan() {
        found.error = if error.is_nan() { f64::INFINITY } else { error };
        found.at = x;
    }
}

/// The measurement of a function.
struct Case {
    reference: &'static Reference,
    bits: u32,
    map: Map,
    kept: Kept,
}

impl AsRef<Kept> for Case {
    fn as_ref(&self) -> &Kept {
        &self.kept
    }
}

impl Case {
    /// With the state in its file for this very kernel, if there is one.
    fn new(reference: &'static Reference) -> Option<Case> {
        let name = reference.name;
        let tier = reference.binary64?;
        let map = Map::of(name, Precision::F64);
        let program = kernels_gen::lower(tier.kernel).expect("it can be lowered");
        let identity = format!("{}-{INPUTS}", identity_hex(&program));
        let begin = || {
            let mut state = State::default();
            let of = (reference.function, tier.bits);
            look(&mut state.found, of, map, &specials());
            state
        };
        Some(Case {
            reference,
            bits: tier.bits,
            map,
            kept: Kept::new(&format!("{name}.binary64.txt"), identity, begin),
        })
    }

    /// Continues by some batches, and saves the result.
    fn proceed(&mut self, batches: u64) {
        let (of, map) = ((self.reference.function, self.bits), self.map);
        self.kept.proceed(batches, |state, b| {
            look(&mut state.found, of, map, &batch(b));
            let near = near_midpoints(map, b);
            state.near += near.len() as u64;
            look(&mut state.found, of, map, &near);
        });
    }

    fn row(&self) -> String {
        let State { found, near, .. } = &self.kept.state;
        format!(
            "| `{}` | {} | {near} | 2^{:.2} | {:e} | 2^-{} |",
            self.reference.name,
            found.inputs,
            found.error.log2(),
            found.at,
            self.bits
        )
    }

    fn wrong(&self) -> Vec<String> {
        let (name, State { found, near, .. }) = (self.reference.name, &self.kept.state);
        let mut wrong = found.beyond(name, self.bits, 16.0);
        if *near == 0 {
            wrong.push(format!("{name}: no input was found near a midpoint"));
        }
        wrong
    }
}

#[test]
fn binary64() {
    let wanted_batches = (inputs() / 8).div_ceil(BATCH);
    let mut cases: Vec<Case> = REFERENCES
        .iter()
        .filter(|r| wanted(r.name))
        .filter_map(Case::new)
        .collect();
    in_turn(&mut cases, wanted_batches, |case, rest| {
        case.proceed(rest.min(ROUND));
    });
    println!(
        "| function | inputs | of them near midpoints | largest relative error | at | bound |\n|---|---|---|---|---|---|"
    );
    for case in &cases {
        println!("{}", case.row());
    }
    let batches = cases.iter().map(|c| c.kept.state.batches);
    let fewest = batches.min().unwrap_or(0);
    if fewest < wanted_batches {
        println!(
            "stopped: {} inputs a function of the {} that were asked for",
            fewest * BATCH,
            wanted_batches * BATCH
        );
    }
    let wrong: Vec<String> = cases.iter().flat_map(Case::wrong).collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
