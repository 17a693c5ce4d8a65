//! Kernels in the style of routines for 32-bit processors: words are split, changed and joined again.

use crunch_check::{Options, check};
use dc_exact::bound::{Effort, RangeBound, bound_range};
use dc_exact::cell::Values;
use dc_exact::certificate::{Subject, certificate};
use dc_exact::law::{Law, Truth};
use dc_exact::point::{error_at, stretches};
use doublecrunch::kernel::CrunchFn;
use doublecrunch::prelude::*;
use kernels_gen::ir::Kernel;
use kernels_gen::program::Program;

use crate::forms::{claiming, only_cuts};

/// ln x of a fraction from √½ to √2, which has its exponent from a mask and a sum of the upper word; normal numbers above 0.
#[crunch]
fn log_by_words(x: DcDouble) -> DcDouble {
    let word = x.to_bits();
    let upper = word.shr_logical(32).to_i32() + 0x0009_5f62;
    let k = ((upper >> 20) - 1023).to_f64();
    let upper = (upper & 0xf_ffff) + 0x3fe6_a09e;
    let m = DcDouble::from_bits((upper.to_i64() << 32) | (word & 0xffff_ffff));
    let f = m - 1.0;
    let half = 0.5 * f * f;
    let s = f / (2.0 + f);
    let z = s * s;
    let w = z * z;
    let even = w
        * (0.399_999_999_994_094_2 + w * (0.222_221_984_321_497_84 + w * 0.153_138_376_992_093_73));
    let odd = z
        * (0.666_666_666_666_673_5
            + w * (0.285_714_287_436_623_9
                + w * (0.181_835_721_616_180_5 + w * 0.147_981_986_051_165_86)));
    s * (half + (odd + even)) + k * 1.908_214_929_270_587_7e-10 - half
        + f
        + k * 0.693_147_180_369_123_8
}

/// The same word by an `xor` that sets the exponent, as the older sources have it.
#[crunch]
fn log_by_xor(x: DcDouble) -> DcDouble {
    let word = x.to_bits();
    let upper = word.shr_logical(32).to_i32();
    let fraction = upper & 0xf_ffff;
    let step = (fraction + 0x9_5f64) & 0x10_0000;
    let k = ((upper >> 20) - 1023 + (step >> 20)).to_f64();
    let set = fraction | (step ^ 0x3ff0_0000);
    let m = DcDouble::from_bits((set.to_i64() << 32) | (word & 0xffff_ffff));
    let f = m - 1.0;
    let half = 0.5 * f * f;
    let s = f / (2.0 + f);
    let z = s * s;
    let w = z * z;
    let even = w
        * (0.399_999_999_994_094_2 + w * (0.222_221_984_321_497_84 + w * 0.153_138_376_992_093_73));
    let odd = z
        * (0.666_666_666_666_673_5
            + w * (0.285_714_287_436_623_9
                + w * (0.181_835_721_616_180_5 + w * 0.147_981_986_051_165_86)));
    k * 0.693_147_180_369_123_8
        - ((half - (s * (half + (odd + even)) + k * 1.908_214_929_270_587_7e-10)) - f)
}

/// e^x for a small x, times a power of two that is added to the upper word; its magnitude is that of words without a sign.
#[crunch]
fn exp_by_words(x: DcDouble) -> DcDouble {
    let word = x.to_bits();
    let upper = word.shr_logical(32).to_i32() & 0x7fff_ffff;
    let size = DcDouble::from_bits((upper.to_i64() << 32) | (word.to_i32().to_i64() & 0xffff_ffff));
    let k = (size * 1.442_695_040_888_963_4 + 0.5).to_i32();
    let negative = x.to_bits() < 0;
    let k = if negative { -k } else { k };
    let n = k.to_f64();
    let r = (x - n * 0.693_147_180_369_123_8) - n * 1.908_214_929_270_587_7e-10;
    let p = 0.5
        + r * (0.166_666_666_666_666_66
            + r * (0.041_666_666_666_666_664
                + r * (0.008_333_333_333_333_333
                    + r * (0.001_388_888_888_888_889
                        + r * (1.984_126_984_126_984e-4
                            + r * (2.480_158_730_158_73e-5
                                + r * (2.755_731_922_398_589_3e-6
                                    + r * (2.755_731_922_398_589e-7
                                        + r * 2.505_210_838_544_172e-8))))))));
    let y = 1.0 + (r + r * r * p);
    let made = y.to_bits();
    let upper = made.shr_logical(32).to_i32() + (k << 20);
    DcDouble::from_bits((upper.to_i64() << 32) | (made & 0xffff_ffff))
}

/// The opposite of the magnitude's root, by words with a sign.
#[crunch]
fn root_by_words(x: DcDouble) -> DcDouble {
    let word = x.to_bits();
    let size = DcDouble::from_bits(word & 0x7fff_ffff_ffff_ffff);
    let root = size.sqrt();
    let made = root.to_bits();
    let upper = made.shr_logical(32).to_i32() ^ -0x8000_0000;
    let y = DcDouble::from_bits(((upper.to_i64() & 0xffff_ffff) << 32) | (made & 0xffff_ffff));
    let t = (y * y - size) / (y + y);
    let y = DcDouble::from_bits(y.to_bits() ^ -0x8000_0000_0000_0000);
    y + t
}

fn lowered(kernel: &'static Kernel) -> Program {
    kernels_gen::lower(kernel).expect("it lowers")
}

fn truth_of(law: Law) -> Truth {
    Truth::Law(law)
}

fn bounded(program: &Program, truth: &Truth, lo: f64, hi: f64) -> RangeBound {
    let all = stretches(program, lo, hi);
    bound_range(program, truth, &all, Effort::default())
}

/// Words that are put together are lines: a binade is a few cells, and no input is left out. No input's error is above the bound, and the
/// largest that is found is near it.
#[test]
fn kernels_that_put_words_together_have_bounds() {
    for (kernel, law, lo, hi, cells, loose) in [
        (log_by_words::KERNEL, Law::Ln, 1.5, 2.0, 4000, 1.3),
        (log_by_words::KERNEL, Law::Ln, 0.6, 0.9, 4000, 1.3),
        (log_by_words::KERNEL, Law::Ln, 1000.0, 5000.0, 4000, 1.3),
        (log_by_xor::KERNEL, Law::Ln, 1.5, 2.0, 4000, 1.3),
        (log_by_xor::KERNEL, Law::Ln, 0.01, 0.07, 4000, 1.3),
        (exp_by_words::KERNEL, Law::Exp, 1.0, 4.0, 4000, 1.3),
        (exp_by_words::KERNEL, Law::Exp, -4.0, -1.0, 4000, 1.3),
        (root_by_words::KERNEL, Law::Sqrt, 1.0, 9.0, 4000, 1.3),
    ] {
        let (program, truth) = (lowered(kernel), truth_of(law));
        let bound = bounded(&program, &truth, lo, hi);
        println!(
            "{} {lo}..{hi}: {} of {} cells",
            kernel.name, bound.bound, bound.looked
        );
        let few: u64 = bound.special.iter().map(|c| c.count(bound.format)).sum();
        assert!(
            few == 0,
            "{} {lo}..{hi}: {few} inputs are left out",
            kernel.name
        );
        assert!(
            bound.looked < cells,
            "{}: {} cells",
            kernel.name,
            bound.looked
        );
        let mut values = Values::new(&program);
        let (first, last) = (
            lo.abs().min(hi.abs()).to_bits(),
            lo.abs().max(hi.abs()).to_bits(),
        );
        let (mut state, mut most) = (7u64, 0.0f64);
        for n in 0..40_000 {
            state = state
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1);
            let x = match n {
                0 => lo,
                1 => hi,
                _ => f64::from_bits(first + (state >> 3) % (last - first + 1)).copysign(lo),
            };
            let error = error_at(&program, &truth, &mut values, x)
                .expect("finite")
                .abs();
            assert!(
                error.lo <= bound.bound,
                "{} at {x:e}: {error:?}",
                kernel.name
            );
            most = most.max(error.lo);
        }
        assert!(
            bound.bound < loose * most,
            "{}: {} and {most}",
            kernel.name,
            bound.bound
        );
    }
}

/// On stretches of a few thousand inputs, also next to places where the exponent changes, the maximum is that of all inputs, one by one, and the
/// checker proves it from the program as it is; claims below it are refused.
#[test]
fn maxima_of_words_are_those_of_all_inputs_and_are_proven() {
    let root_half = 0x3fe6_a09e_0000_0000_u64;
    let here = |bits: u64| (f64::from_bits(bits - 1500), f64::from_bits(bits + 1500));
    let negative = |(a, b): (f64, f64)| (-b, -a);
    for (kernel, law, (lo, hi)) in [
        (log_by_words::KERNEL, Law::Ln, here(1.7f64.to_bits())),
        (log_by_words::KERNEL, Law::Ln, here(root_half + (9 << 52))),
        (log_by_words::KERNEL, Law::Ln, here(4f64.to_bits())),
        (log_by_xor::KERNEL, Law::Ln, here(1.7f64.to_bits())),
        (
            log_by_xor::KERNEL,
            Law::Ln,
            here(0x3fe6_a09c_0000_0000 + (7 << 52)),
        ),
        (exp_by_words::KERNEL, Law::Exp, here(3.3f64.to_bits())),
        (
            exp_by_words::KERNEL,
            Law::Exp,
            negative(here(2f64.to_bits())),
        ),
        (root_by_words::KERNEL, Law::Sqrt, here(3f64.to_bits())),
    ] {
        let (program, truth) = (lowered(kernel), truth_of(law));
        let all = stretches(&program, lo, hi);
        let bound = bound_range(&program, &truth, &all, Effort::default());
        let found = crate::proven(&program, &truth, &bound);
        assert!(
            found.is_exact(),
            "{} {lo:e}: {:?}",
            kernel.name,
            found.open.first()
        );
        let mut values = Values::new(&program);
        let mut error = |x| {
            error_at(&program, &truth, &mut values, x)
                .expect("finite")
                .abs()
        };
        let (mut most, mut x) = (0.0f64, lo);
        while x <= hi {
            most = most.max(error(x).lo);
            x = x.next_up();
        }
        let worst = error(found.worst.x);
        assert!(
            worst.hi >= most && worst.lo <= most,
            "{} {lo:e}: {worst:?} and {most}",
            kernel.name
        );
        let subject = Subject {
            sweep: "words",
            program: &program,
            truth: &truth,
            stretches: &all,
        };
        let certificate = certificate(subject, &bound, &found, worst.hi).expect("it is proven");
        let options = || Options {
            every: 1,
            jobs: 2,
            sieve: 1 << 12,
        };
        for text in [certificate.clone(), only_cuts(&certificate)] {
            let verdict = check(&text, options());
            assert!(
                verdict.is_ok(),
                "{} {lo:e}: {:?}",
                kernel.name,
                verdict.err().map(|e| e.to_string())
            );
            for by in [1e-12, 1e-6, 1e-3] {
                let lower = claiming(&text, worst.lo - by);
                assert!(
                    check(&lower, options()).is_err(),
                    "{} {lo:e}: {by}",
                    kernel.name
                );
            }
        }
    }
}
