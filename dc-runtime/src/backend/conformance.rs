//! Tests that every backend that compiles emitted text must pass: one function per subject, called by each backend's
//! tests.

use kernels_gen::interp::eval_batch;
use kernels_gen::program::Program;

use super::cache::Cache;
use super::fixtures;
use super::interp::InterpSweep;
use super::text::{Device, Text};
use super::{PointKernel, SweepKernel};
use crate::model::block::BlockResult;
use crate::model::key::Precision;
use crate::model::measure::Measure;
use crate::model::space::InputSpace;

/// Numbers of all kinds, as binary64 bits; the low halves are binary32 numbers of all kinds.
fn numbers(n: usize) -> Vec<u64> {
    let special = [
        0,
        1 << 63,
        1,
        0x7ff0_0000_0000_0000,
        0xfff0_0000_0000_0000,
        0x7ff0_0000_0000_0001,
        0xffff_ffff_ffff_ffff,
        0x3ff0_0000_7f80_0000,
        0xbff0_0000_ffc0_0001,
        0x000f_ffff_8000_0001,
        0x7fef_ffff_ffff_ffff,
        // The sentinels of `launch`.
        0xdead_beef_dead_beef,
        0x5a5a_c3c3_5a5a_c3c3,
    ];
    let mut state = 1u64;
    let mut random = || {
        state = state.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(1);
        state ^ state >> 29
    };
    let near_one = |r: u64| 0x3fe0_0000_0000_0000 | r >> 11;
    (0..n)
        .map(|i| match i % 3 {
            _ if i < special.len() => special[i],
            0 => random(),
            _ => near_one(random()),
        })
        .collect()
}

fn same(program: &Program, device: &Text<impl Device>, columns: &[&[u64]]) {
    let outputs = program.entry().results.len();
    let mut want = vec![Vec::new(); outputs];
    eval_batch(program, columns, &mut want);
    // The previous contents of the outputs must not matter.
    let mut got = vec![vec![1; 3]; outputs];
    let mut kernel = device.point(program).expect("it compiles");
    kernel.eval(columns, &mut got).expect("it runs");
    assert!(
        got == want,
        "{}: {got:x?} is not {want:x?}",
        program.entry().name
    );
}

/// Points with every type, in more than one launch if `n` is larger than a launch of the device.
pub(super) fn points(device: &Text<impl Device>, n: usize) {
    let xs = numbers(n);
    let ys: Vec<u64> = xs.iter().rev().copied().collect();
    let zs: Vec<u64> = (0..n)
        .map(|i| (-f64::from_bits(xs[i]) * f64::from_bits(ys[i])).to_bits())
        .collect();
    same(&fixtures::contraction(), device, &[&xs, &ys, &zs]);
    let floats: Vec<u64> = xs.iter().map(|x| x & 0xffff_ffff).collect();
    same(&fixtures::copy(), device, &[&xs, &floats]);
    same(&fixtures::copy(), device, &[&xs[..1], &floats[..1]]);
    same(&fixtures::copy(), device, &[&[], &[]]);
}

/// Searches in both precisions, compared with the interpreter's, among them stretches across zero and into the NaNs.
pub(super) fn searches(device: &Text<impl Device>, n: u64) {
    for precision in [Precision::F64, Precision::F32] {
        let [approx, reference, metric] = &fixtures::search(precision.prim());
        let mut want = InterpSweep::new(InputSpace::Numbers(precision), approx, reference, metric);
        let mut got = device
            .sweep(precision, Measure::Full, [approx, reference, metric])
            .expect("it compiles");
        let infinity = match precision {
            Precision::F64 => f64::INFINITY.to_bits() as i64,
            Precision::F32 => i64::from(f32::INFINITY.to_bits()),
        };
        for (first, count) in [
            (-5, 11),
            (1 << 20, n),
            (infinity - 3, 7),
            (-(n as i64) / 2, n),
            (0, 1),
            (9, 0),
        ] {
            let want = want.run(first, count).expect("the interpreter");
            let got = got.run(first, count).expect("it runs");
            assert_eq!(got, want, "{precision:?}: {count} keys from {first}");
            assert!((count == 0) == (want == BlockResult::EMPTY));
        }
    }
}

/// A text that the compiler rejects is an error with the compiler's log.
pub(super) fn refused_text(device: &impl Device) {
    use super::text::Failure;
    let program = fixtures::copy();
    let mut source = kernels_gen::emit::point_kernel(&program, &device.dialect());
    source.text.push_str("\nthis_is_no_type x;\n");
    match device.compile(&source).map(|_| ()) {
        Err(Failure::Compile(log)) => assert!(log.contains("this_is_no_type"), "{log}"),
        other => panic!("{other:?}"),
    }
}

/// A program is compiled once, and again if its entry is damaged.
pub(super) fn cached(device: &Text<impl Device>, cache: &Cache) {
    use std::os::unix::fs::MetadataExt as _;
    let source = kernels_gen::emit::point_kernel(&fixtures::copy(), &device.0.dialect());
    let compile = || device.0.compile(&source).map(|_| ()).expect("it compiles");
    compile();
    let entries = cache.entries();
    assert_eq!(entries.len(), 1, "{entries:?}");
    let path = &entries[0];
    let written = || std::fs::metadata(path).expect("it is there").ino();
    let key = cache.key_of(path).expect("whole");
    let (before, entry) = (written(), std::fs::read(path).expect("readable"));
    compile();
    assert_eq!(written(), before, "compiled twice");
    for damaged in [&entry[..entry.len() / 2], &entry[..0], b"garbage"] {
        std::fs::write(path, damaged).expect("writable");
        let mut kernel = device.point(&fixtures::copy()).expect("compiled again");
        let mut out = vec![Vec::new(); 2];
        kernel.eval(&[&[5], &[0]], &mut out).expect("it runs");
        assert_eq!(out, [[5], [1 << 31]]);
        assert_eq!(cache.entries(), entries);
        assert!(cache.get(&key).is_some(), "not written again");
    }
    // An undamaged entry that the loader rejects, because something else produced it.
    cache.put(&key, b"not a program");
    let mut kernel = device.point(&fixtures::copy()).expect("compiled again");
    let mut out = vec![Vec::new(); 2];
    kernel.eval(&[&[5], &[0]], &mut out).expect("it runs");
}
