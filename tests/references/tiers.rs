//! The references of functions for binary32 compared with those for binary64, because MPFR is too slow: all 2^32 inputs
//! of a function take a minute or two.
//!
//! The references for binary64 are accurate to 2^-99 or better (`doubles`), those for binary32 claim 2^-53 at most, so
//! their difference is the error of the latter but for a 2^46th of it. Each worst input is measured once more with
//! MPFR. `cargo xtask references --precision tiers` prints the table and saves the progress.

use doublecrunch::builtins::reference::{Function, REFERENCES, Reference};
use doublecrunch::mpfr::rug::Float;
use doublecrunch::search::key::Precision;
use kernels_gen::identity::identity_hex;

use crate::compiled::Map;
use crate::functions::{Found, two_words, wanted};
use crate::measure::inputs;
use crate::state::{Kept, State, in_turn};

/// Inputs per batch, and the number of batches of all inputs.
const BATCH: u64 = 1 << 16;
/// The least number of batches: with fewer inputs no error is near the bound.
const LEAST: u64 = 16;
/// Batches between two saves: 2^26 inputs.
const ROUND: u64 = 1 << 10;
/// Changes with the inputs: a measurement on other inputs is not resumed.
const INPUTS: &str = "1";

/// Batch `n` of 2^16: one number of each 2^16 consecutive binary32 numbers, a different one in each batch.
fn batch(n: u64) -> Vec<f64> {
    let low = lower_half(n);
    (0..BATCH as u32)
        .map(|high| f64::from(f32::from_bits(high << 16 | low)))
        .collect()
}

/// The lower half of a batch's numbers. The factor is odd, so that each occurs once and the first batches do not share
/// low bits.
fn lower_half(n: u64) -> u32 {
    ((n * 0x9e37) & 0xffff) as u32
}

/// Both references of a function.
#[derive(Clone, Copy)]
struct Tiers {
    function: Function,
    binary32: Map,
    binary64: Map,
}

impl Tiers {
    fn of(r: &Reference) -> Tiers {
        Tiers {
            function: r.function,
            binary32: Map::of(r.name, Precision::F32),
            binary64: Map::of(r.name, Precision::F64),
        }
    }

    fn look(self, found: &mut Found, xs: &[f64]) {
        let results = self.binary32.binary32(xs);
        let truths = self.binary64.binary64(xs);
        for ((&x, y), truth) in xs.iter().zip(results).zip(truths) {
            found.look(self.function, x, y, (truth.hi, truth.lo));
        }
    }

    /// The measurement of one input by MPFR.
    fn by_mpfr(self, x: f64) -> Found {
        let mut found = Found::default();
        let y = self.binary32.binary32(&[x])[0];
        let truth = self.function.of(Float::with_val(192, x));
        found.look(self.function, x, y, two_words(&truth));
        found
    }
}

struct Case {
    reference: &'static Reference,
    tiers: Tiers,
    kept: Kept,
}

impl AsRef<Kept> for Case {
    fn as_ref(&self) -> &Kept {
        &self.kept
    }
}

impl Case {
    fn new(reference: &'static Reference) -> Case {
        let identity = |kernel| identity_hex(&kernels_gen::lower(kernel).expect("it is lowered"));
        let binary64 = reference.binary64.expect("all have both").kernel;
        let identity = format!(
            "{}-{}-{INPUTS}",
            identity(reference.binary32.kernel),
            identity(binary64)
        );
        let name = format!("{}.tiers.txt", reference.name);
        Case {
            reference,
            tiers: Tiers::of(reference),
            kept: Kept::new(&name, identity, State::default),
        }
    }

    fn row(&self) -> String {
        let found = &self.kept.state.found;
        format!(
            "| `{}` | {} | {} | 2^{:.2} | 2^{:.2} | {:e} | 2^-{} |",
            self.reference.name,
            match self.kept.state.batches {
                BATCH => "all".into(),
                batches => format!("{}", batches * BATCH),
            },
            found.inputs,
            found.error.log2(),
            self.tiers.by_mpfr(found.at).error.log2(),
            found.at,
            self.reference.binary32.bits
        )
    }

    fn wrong(&self) -> Vec<String> {
        let (name, found) = (self.reference.name, &self.kept.state.found);
        // The batches have few inputs next to the zeros of lgamma.
        let mut wrong = found.beyond(name, self.reference.binary32.bits, 16.0);
        let again = self.tiers.by_mpfr(found.at);
        // Both errors belong to the same result: their difference is the error of the other reference, below 2^-95.
        let difference = (again.error - found.error).abs();
        if difference > (-95f64).exp2() || again.wrong.is_some() {
            wrong.push(format!(
                "{name}: at {:e} the error is 2^{:.3}, and 2^{:.3} by MPFR",
                found.at,
                found.error.log2(),
                again.error.log2()
            ));
        }
        wrong
    }
}

#[test]
fn tiers() {
    // As many inputs as MPFR measures for binary32, but whole batches.
    let wanted_batches = (inputs() / 4).div_ceil(BATCH).clamp(LEAST, BATCH);
    let mut cases: Vec<Case> = REFERENCES
        .iter()
        .filter(|r| wanted(r.name))
        .map(Case::new)
        .collect();
    in_turn(&mut cases, wanted_batches, |case, rest| {
        let tiers = case.tiers;
        case.kept.proceed(rest.min(ROUND), |state, b| {
            tiers.look(&mut state.found, &batch(b));
        });
    });
    println!(
        "| function | inputs | of them with the bound | largest relative error | by MPFR | at | bound |\n|---|---|---|---|---|---|---|"
    );
    for case in &cases {
        println!("{}", case.row());
    }
    let wrong: Vec<String> = cases.iter().flat_map(Case::wrong).collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// The batches have every binary32 number once.
#[test]
fn batches_are_all_numbers() {
    let mut lows: Vec<u32> = (0..BATCH).map(lower_half).collect();
    lows.sort_unstable();
    assert!(lows.iter().zip(0..).all(|(&l, i)| l == i));
    let highs = batch(7).into_iter().zip(0..);
    assert!(
        highs
            .filter(|(x, _)| !x.is_nan())
            .all(|(x, i)| (x as f32).to_bits() >> 16 == i)
    );
}
