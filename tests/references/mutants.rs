//! Whether the test of the references can fail: each constant of each kernel is removed (as if a term was forgotten) or
//! increased by one unit, and the result is compared with MPFR like the kernel's.

use std::collections::BTreeMap;

use doublecrunch::builtins::reference::{REFERENCES, Reference, Tier};
use doublecrunch::mpfr::rug::Float;
use doublecrunch::prelude::*;
use kernels_gen::interp::Interpreter;
use kernels_gen::lower::lower;
use kernels_gen::ops::Prim;
use kernels_gen::program::{InstKind, Program};

use crate::functions::{Found, batch, two_words};
use crate::{doubles, functions};

/// What the references of a precision are compared with.
trait Comparison {
    /// Inputs.
    fn inputs() -> Vec<f64>;
    /// Words per result.
    const WORDS: usize;
    /// Measures one result.
    fn compare(found: &mut Found, r: &Reference, tier: &Tier, x: f64, words: &[f64], truth: &Float);
}

struct Binary32;

impl Comparison for Binary32 {
    fn inputs() -> Vec<f64> {
        batch(1)
    }
    const WORDS: usize = 1;
    fn compare(found: &mut Found, r: &Reference, _: &Tier, x: f64, words: &[f64], truth: &Float) {
        found.look(r.function, x, words[0], two_words(truth));
    }
}

struct Binary64;

impl Comparison for Binary64 {
    fn inputs() -> Vec<f64> {
        // Their kernels are ten times as long.
        doubles::batch(1).into_iter().take(512).collect()
    }
    const WORDS: usize = 2;
    fn compare(
        found: &mut Found,
        r: &Reference,
        tier: &Tier,
        x: f64,
        words: &[f64],
        truth: &Float,
    ) {
        let y = DoubleDouble {
            hi: words[0],
            lo: words[1],
        };
        doubles::compare(found, (r.function, tier.bits), x, &y, truth);
    }
}

/// The inputs with the true values.
struct Truth {
    xs: Vec<u64>,
    values: Vec<Float>,
}

impl Truth {
    fn new<T: Comparison>(r: &Reference) -> Truth {
        let xs = T::inputs();
        Truth {
            values: xs.iter().map(|x| doubles::truth(r.function, *x)).collect(),
            xs: xs.into_iter().map(f64::to_bits).collect(),
        }
    }

    /// Whether a program is detected to differ from the reference.
    fn refutes<T: Comparison>(&self, r: &Reference, tier: &Tier, program: &Program) -> bool {
        let mut outputs = vec![Vec::new(); T::WORDS];
        Interpreter::new(program).run(&[&self.xs], &mut outputs);
        let mut found = Found::default();
        for (i, (x, truth)) in self.xs.iter().zip(&self.values).enumerate() {
            let words: Vec<f64> = outputs.iter().map(|o| f64::from_bits(o[i])).collect();
            T::compare(&mut found, r, tier, f64::from_bits(*x), &words, truth);
        }
        found.wrong.is_some() || found.error > (-f64::from(tier.bits)).exp2()
    }
}

/// The positions of the constants of a program that are neither 0 nor special, with their values.
fn constants(program: &Program) -> Vec<(usize, usize, f64)> {
    let mut all = Vec::new();
    for (f, func) in program.funcs.iter().enumerate() {
        for (i, inst) in func.insts.iter().enumerate() {
            if let (InstKind::Const(bits), Prim::F64) = (inst.kind, inst.ty) {
                let x = f64::from_bits(bits);
                if x != 0.0 && x.is_finite() {
                    all.push((f, i, x));
                }
            }
        }
    }
    all
}

/// How many constants there are, and how many of them are detected if missing, and if off by one unit.
struct Seen {
    places: u32,
    dropped: u32,
    unit: u32,
}

fn mutate<T: Comparison>(what: &str, tier: impl Fn(&Reference) -> Option<Tier>) -> Seen {
    let mut seen = Seen {
        places: 0,
        dropped: 0,
        unit: 0,
    };
    let mut unseen: BTreeMap<&str, Vec<f64>> = BTreeMap::new();
    let mut kernels = 0;
    for r in REFERENCES.iter().filter(|r| functions::wanted(r.name)) {
        let Some(tier) = tier(r) else { continue };
        kernels += 1;
        let program = lower(tier.kernel).unwrap_or_else(|e| panic!("{}: {e}", r.name));
        let truth = Truth::new::<T>(r);
        assert!(!truth.refutes::<T>(r, &tier, &program), "{}", r.name);
        for (f, i, x) in constants(&program) {
            let with = |y: f64| {
                let mut mutant = program.clone();
                mutant.funcs[f].insts[i].kind = InstKind::Const(y.to_bits());
                truth.refutes::<T>(r, &tier, &mutant)
            };
            seen.places += 1;
            if with(0.0) {
                seen.dropped += 1;
            } else {
                unseen.entry(r.name).or_default().push(x);
            }
            seen.unit += u32::from(with(f64::from_bits(x.to_bits() + 1)));
        }
    }
    let Seen {
        places,
        dropped,
        unit,
    } = seen;
    println!(
        "{places} constants of {kernels} kernels for {what}: left out, {dropped} are seen; a unit larger, {unit}"
    );
    println!("left out and not seen: {unseen:?}");
    seen
}

#[test]
fn a_constant_left_out_or_off_by_a_unit_is_seen() {
    let Seen {
        places,
        dropped,
        unit,
    } = mutate::<Binary32>("binary32", |r| Some(r.binary32));
    assert!(
        places > 1000 && dropped * 100 > places * 95,
        "{dropped} of {places}"
    );
    assert!(unit > places / 20, "{unit} of {places}");
}

/// In binary64 the first words of coefficients are detected if off by one unit; their second words are not, and the
/// last coefficients of a series are below what these inputs can detect.
#[test]
fn a_constant_of_binary64_left_out_or_off_by_a_unit_is_seen() {
    let Seen {
        places,
        dropped,
        unit,
    } = mutate::<Binary64>("binary64", |r| r.binary64);
    assert!(dropped * 100 > places * 80, "{dropped} of {places}");
    assert!(unit * 3 > places, "{unit} of {places}");
}
