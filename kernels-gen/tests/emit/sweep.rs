//! The search kernel's reduction, compared with one written in Rust, with a metric that uses every flag, sign and bin.

use kernels_gen::emit::{
    CHECK, CorrectF32Divide, MERGED, NO_KEY, Options, RECORD, Routine, Source, Sweep, check,
    check_weight, sweep_kernel,
};
use kernels_gen::ops::Op;
use kernels_gen::ops::Prim::{self, F32, F64, I64};
use kernels_gen::program::{Program, Value};

use crate::build::{Builder, program, two_sum};
use crate::cxx;

const STIR: i64 = 0x9e37_79b9_7f4a_7c15_u64 as i64;

/// `1 / x` in the routine's precision.
fn approx(p: Prim) -> Program {
    let mut b = Builder::new("rcp", &[("x", p)]);
    let r = b.op(Op::Recip, &[b.param(0)]);
    program(vec![b.done(&[r])])
}

/// For `F64`: `two_sum(x, 1)` and, as a scale, the bits of x; for `F32`: `x + 1` in double.
fn reference(p: Prim) -> Program {
    let mut b = Builder::new("reference", &[("x", F64)]);
    let one = b.f64(1.0);
    let r = if p == F64 {
        let mut results = b.call(0, &[b.param(0), one], &[F64, F64]);
        results.push(b.op_to(Op::ToBits, &[b.param(0)], I64));
        results
    } else {
        let results = b.call(0, &[b.param(0), one], &[F64, F64]);
        vec![results[0]]
    };
    program(vec![two_sum(), b.done(&r)])
}

/// A metric whose results depend on the key alone, and whose digest term shows that all words reached it.
fn metric(p: Prim) -> Program {
    let words: &[(&str, Prim)] = &[
        ("key", I64),
        ("approx", p),
        ("hi", F64),
        ("lo", F64),
        ("scale", I64),
    ];
    let words = &words[..if p == F64 { 5 } else { 3 }];
    let mut b = Builder::new("metric", words);
    let (stir, k) = (b.i64(STIR), b.param(0));
    let h = b.op(Op::Mul, &[k, stir]);
    let bits = |b: &mut Builder, shift: i64, mask: i64| {
        let (shift, mask) = (b.i64(shift), b.i64(mask));
        let v = b.op(Op::ShrLogical, &[h, shift]);
        b.op(Op::And, &[v, mask])
    };
    let (bin, flags, size) = (
        bits(&mut b, 8, 15),
        bits(&mut b, 20, 63),
        bits(&mut b, 40, 7),
    );
    let three = b.i64(3);
    let centred = b.op(Op::Sub, &[size, three]);
    let error = b.op_to(Op::ToF64, &[centred], F64);
    let mut digest_term = h;
    for (i, &(_, p)) in words.iter().enumerate().skip(1) {
        let wide: Value = if p == F32 {
            b.op_to(Op::ToF64, &[b.param(i as u32)], F64)
        } else {
            b.param(i as u32)
        };
        let word = match p {
            I64 => wide,
            _ => b.op_to(Op::ToBits, &[wide], I64),
        };
        let weight = b.i64(2 * i as i64 + 1);
        let weighed = b.op(Op::Mul, &[word, weight]);
        digest_term = b.op(Op::Xor, &[digest_term, weighed]);
    }
    program(vec![b.done(&[error, bin, flags, digest_term])])
}

fn canonical(x: f64) -> u64 {
    if x.is_nan() {
        0x7ff8_0000_0000_0000
    } else {
        x.to_bits()
    }
}

/// The expected results of one input: error, bin, flags, digest term.
fn expect(p: Prim, key: i64) -> (f64, u64, u64, u64) {
    let flip = |k: i64| if k < 0 { k ^ i64::MAX } else { k };
    let (a, x) = if p == F64 {
        let x = f64::from_bits(flip(key) as u64);
        (1.0 / x, x)
    } else {
        let k = key as i32;
        let x = f32::from_bits((if k < 0 { k ^ i32::MAX } else { k }) as u32);
        (f64::from(1.0 / x), f64::from(x))
    };
    let s = x + 1.0;
    let bb = s - x;
    let e = (x - (s - bb)) + (1.0 - bb);
    let h = (key as u64).wrapping_mul(STIR as u64);
    let mut digest_term = h ^ canonical(a).wrapping_mul(3) ^ canonical(s).wrapping_mul(5);
    if p == F64 {
        digest_term ^= canonical(e).wrapping_mul(7) ^ canonical(x).wrapping_mul(9);
    }
    (
        ((h >> 40) & 7) as f64 - 3.0,
        (h >> 8) & 15,
        (h >> 20) & 63,
        digest_term,
    )
}

/// The record of the keys `first + index`.
fn record(p: Prim, first: i64, indices: impl Iterator<Item = u64>) -> Vec<u64> {
    let mut extremes = [(0f64, NO_KEY); 3];
    let (mut count, mut misrounded, mut undecided, mut digest, mut faults, mut bins) =
        (0, 0, 0, 0u64, [(0, 0); 3], [0; 16]);
    for index in indices {
        let key = first + index as i64;
        let (error, bin, flags, digest_term) = expect(p, key);
        count += 1;
        misrounded += flags & 1;
        undecided += flags >> 5 & 1;
        digest = digest.wrapping_add(digest_term);
        for fault in faults
            .iter_mut()
            .enumerate()
            .filter(|(i, _)| flags & (2 << i) != 0)
            .map(|(_, fault)| fault)
        {
            *fault = (fault.0 + 1, if fault.0 == 0 { key } else { fault.1 });
        }
        if flags & 16 != 0 {
            continue;
        }
        bins[bin as usize] += 1;
        for (i, (extreme, size)) in extremes
            .iter_mut()
            .zip([error.abs(), error, -error])
            .enumerate()
        {
            if size > extreme.0 || (i == 0 && extreme.1 == NO_KEY) {
                *extreme = (size, key);
            }
        }
    }
    let mut words = vec![count];
    words.extend(extremes.iter().flat_map(|(e, k)| [e.to_bits(), *k as u64]));
    words.extend([misrounded, undecided]);
    words.extend(faults.iter().flat_map(|&(n, k)| [n, k as u64]));
    words.extend([digest, 0]);
    words.extend(bins);
    assert_eq!(words.len(), RECORD.len());
    words[CHECK] = check(&words);
    words
}

/// Approximation, reference and metric.
pub fn programs(p: Prim) -> [Program; 3] {
    [approx(p), reference(p), metric(p)]
}

pub fn source(p: Prim, options: &Options) -> Source {
    let [approx, reference, metric] = &programs(p);
    let sweep = Sweep {
        approx: Routine::Program(approx),
        reference,
        metric,
        fast_path: None,
        precision: p,
    };
    sweep_kernel(&sweep, options).expect("the signatures fit")
}

#[test]
fn records_are_the_reduction() {
    // Ranges across -0 and +0 and into the NaNs, with fewer keys than items, and without keys.
    let f64_inf = 0x7ff0_0000_0000_0000;
    let cases = [
        (F64, -2500, 5000),
        (F64, f64_inf - 50, 100),
        (F64, -(1 << 60), 7),
        (F64, 5, 0),
        (F32, -2500, 5000),
        (F32, 0x7f7f_fff0, 40),
    ];
    let (grid, block) = (3, 50);
    let items = grid * block;
    for compiler in cxx::compilers() {
        let hosts = [F64, F32].map(|p| {
            let source = source(p, &Options::cuda());
            cxx::Host::of(&format!("sweep-{p:?}"), compiler, cxx::STRICT, &source)
        });
        for (p, first, n) in cases {
            let words = [grid, block, first as u64, n, RECORD.len() as u64];
            let got = hosts[usize::from(p == F32)].run(&words);
            let mut records = got.chunks_exact(RECORD.len());
            let mut next = |what: &str, want: &[u64]| {
                let got = records.next().expect("a record");
                for ((name, got), want) in RECORD.iter().zip(got).zip(want) {
                    assert_eq!(got, want, "{p:?} from {first}, {n} keys, {what}: {name}");
                }
            };
            for item in 0..items {
                let want = record(p, first, (item..n).step_by(items as usize));
                next(&format!("item {item}"), &want);
            }
            let each = u64::from(MERGED);
            let merged =
                |group| record(p, first, (0..n).filter(move |i| i % items / each == group));
            next("merged 0", &merged(0));
            next("merged 1", &merged(1));
            // A word that was not written is noticed in the merged record.
            let (last, lost) = (RECORD.len() - 1, 0x5e5e_5e5e_5e5e_5e5e_u64);
            let mut with_lost = merged(1);
            with_lost[last] = lost;
            // So is a word that has changed since its record was written: the check no longer fits.
            let changed = record(p, first, (items - 1..n).step_by(items as usize))[last];
            let off = lost.wrapping_sub(changed).wrapping_mul(check_weight(last));
            with_lost[CHECK] = check(&with_lost).wrapping_add(off);
            assert_ne!(with_lost[CHECK], check(&with_lost));
            next("merged 0 again", &merged(0));
            next("merged 1, a word lost", &with_lost);
        }
    }
}

#[test]
fn programs_that_do_not_fit_are_refused() {
    let (approx, reference, metric) = (approx(F32), reference(F64), metric(F64));
    let sweep = Sweep {
        approx: Routine::Program(&approx),
        reference: &reference,
        metric: &metric,
        fast_path: None,
        precision: F64,
    };
    let error =
        sweep_kernel(&sweep, &Options::cuda()).expect_err("an F32 approximation of an F64 routine");
    assert_eq!(
        error.to_string(),
        "the approximation `rcp` is [F32] -> [F32]; a search needs [F64] -> [F64]"
    );
    let sweep = Sweep {
        metric: &approx,
        approx: Routine::Program(&reference),
        precision: I64,
        ..sweep
    };
    assert!(sweep_kernel(&sweep, &Options::opencl(CorrectF32Divide::Native)).is_err());
}

#[test]
fn the_loop_has_no_branch() {
    let text = source(F64, &Options::opencl(CorrectF32Divide::Native)).text;
    assert!(!text.contains("if ("), "{text}");
    // Approximation, reference and metric are in one text; a helper that they share is in it once.
    let shared = reference(F64);
    let metric = metric(F64);
    let mut b = Builder::new("rcp", &[("x", F64)]);
    let one = b.f64(1.0);
    let r = b.call(0, &[b.param(0), one], &[F64, F64]);
    let approx = program(vec![two_sum(), b.done(&r[..1])]);
    let sweep = Sweep {
        approx: Routine::Program(&approx),
        reference: &shared,
        metric: &metric,
        fast_path: None,
        precision: F64,
    };
    let text = sweep_kernel(&sweep, &Options::cuda())
        .expect("it fits")
        .text;
    assert_eq!(text.matches(" k_two_sum(const").count(), 1, "{text}");
}
