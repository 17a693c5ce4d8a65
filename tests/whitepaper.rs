//! The white paper's examples: its bits, on every backend of this machine.

#[path = "../examples/whitepaper/kernels.rs"]
mod kernels;
#[path = "support/same_bits.rs"]
mod same_bits;
mod support;

use std::panic::AssertUnwindSafe;

use doublecrunch::backend::KernelRef;
use doublecrunch::kernel::CrunchFn;
use doublecrunch::search::points::{Points, compare};
use kernels::{
    cos_reduced, dot_fused, dot_parallel, dot_serial, from_left, from_right, fused, separate, sum,
};
use same_bits::same_bits;

const DOT: [u32; 8] = [
    0x3ff4_2c76,
    0xbf49_4494,
    0x3f92_db19,
    0x3f75_dcc9,
    0xbf6f_7cee,
    0xbf31_06da,
    0x3fdc_bb70,
    0xbf35_b25d,
];

#[test]
fn the_paper_s_results() {
    let (a, b) = (f32::from_bits(0x3f80_0001), f32::from_bits(0xbf80_0002));
    assert_eq!(separate::eval(a, b).to_bits(), 0);
    assert_eq!(fused::eval(a, b), 2f32.powi(-46));
    let [a1, a2, a3, a4, b1, b2, b3, b4] = DOT.map(f32::from_bits);
    assert_eq!(
        dot_serial::eval(a1, a2, a3, a4, b1, b2, b3, b4).to_bits(),
        0x3d65_3510
    );
    assert_eq!(
        dot_fused::eval(a1, a2, a3, a4, b1, b2, b3, b4).to_bits(),
        0x3d65_3501
    );
    assert_eq!(
        dot_parallel::eval(a1, a2, a3, a4, b1, b2, b3, b4).to_bits(),
        0x3d65_3500
    );
    let big = 2f64.powi(53);
    assert_eq!(from_left::eval(big, 1.0, 1.0), big);
    assert_eq!(from_right::eval(big, 1.0, 1.0), big + 2.0);
    assert_eq!(
        format!("{:.9e}", cos_reduced::eval(5_992_555.0)),
        "3.320904615e-7"
    );
    for i in 0..10_000 {
        let x = f64::from(i) * 1.7 - 8_000.0;
        assert!((cos_reduced::eval(x) - x.cos()).abs() < 1e-15, "{x}");
    }
    let sums = [
        sum::<1, 64>::eval(1.0),
        sum::<2, 32>::eval(1.0),
        sum::<4, 16>::eval(1.0),
        sum::<8, 8>::eval(1.0),
    ];
    assert!(sums.iter().any(|s| *s != sums[0]), "{sums:?}");
    assert!(
        sums.iter().all(|s| (s - 4.743_891).abs() < 1e-5),
        "{sums:?}"
    );
}

#[test]
fn slices_of_several_arguments() {
    let columns: Vec<Vec<f32>> = DOT.iter().map(|&w| vec![f32::from_bits(w); 37]).collect();
    let c: Vec<&[f32]> = columns.iter().map(Vec::as_slice).collect();
    let mut out = vec![0.0; 37];
    dot_fused::map(c[0], c[1], c[2], c[3], c[4], c[5], c[6], c[7], &mut out);
    assert!(out.iter().all(|x| x.to_bits() == 0x3d65_3501), "{out:?}");
}

#[test]
fn every_backend_has_the_same_bits() {
    let backends = support::backends("every_backend_has_the_same_bits", "all");
    let kernels = [
        KernelRef::of::<separate>(),
        KernelRef::of::<fused>(),
        KernelRef::of::<dot_serial>(),
        KernelRef::of::<dot_fused>(),
        KernelRef::of::<dot_parallel>(),
        KernelRef::of::<from_left>(),
        KernelRef::of::<from_right>(),
        KernelRef::of::<cos_reduced>(),
        KernelRef::of::<sum<4, 16>>(),
    ];
    for kernel in kernels {
        let points = Points::of(&kernel, 1 << 12, 3).expect("a kernel");
        same_bits(&kernel, &points, &backends);
    }
}

/// The inputs are such that a fused operation in the wrong place changes the result.
#[test]
fn a_wrong_form_is_caught() {
    let backends = support::backends("a_wrong_form_is_caught", "scalar,interpreter");
    let mut wrong = KernelRef::of::<separate>();
    wrong.cpu = KernelRef::of::<fused>().cpu;
    let points = Points::of(&wrong, 1 << 12, 3).expect("a kernel");
    let all = compare(&wrong, &points, &backends).expect("it runs");
    let i = all[1].differs.expect("the interpreter has the true IR");
    let [a, b] = [0, 1].map(|c| f32::from_bits(points.columns[c][i] as u32));
    assert_ne!(
        separate::eval(a, b).to_bits(),
        fused::eval(a, b).to_bits(),
        "{}",
        points.show(i)
    );
    let before = (0..i).map(|j| [0, 1].map(|c| f32::from_bits(points.columns[c][j] as u32)));
    for [a, b] in before {
        let [s, f] = [separate::eval(a, b), fused::eval(a, b)];
        assert!(
            s.to_bits() == f.to_bits() || s.is_nan() && f.is_nan(),
            "{a} {b}"
        );
    }
    // The report names the contraction, though the form compiled by rustc does not have it.
    let caught = std::panic::catch_unwind(AssertUnwindSafe(|| {
        same_bits(&wrong, &points, &backends);
    }));
    let text = caught.expect_err("they differ");
    let text = text.downcast_ref::<String>().expect("a message");
    let line = separate::KERNEL.line + 1;
    for says in [
        "\n`separate`: each of 4 values, computed by itself, is the same on both",
        "\n    scalar: the compiled form gives, here and at 63 inputs nearby, what it would if %2, mul, were contracted \
         into %3, add\n",
        &format!("/examples/whitepaper/kernels.rs:{line}:11\n"),
        &format!("\n        {line} |     a * a + b\n"),
    ] {
        assert!(text.contains(says), "{says:?} is missing: {text}");
    }
}
