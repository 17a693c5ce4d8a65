//! The emulated instructions on every backend of this machine, bit for bit, and the document's figures.

#[path = "support/same_bits.rs"]
mod same_bits;
mod support;

use doublecrunch::backend::KernelRef;
use doublecrunch::builtins::instructions::catalogue;
use doublecrunch::builtins::instructions::figures::measure;
use doublecrunch::prelude::*;
use doublecrunch::search::points::Points;
use same_bits::same_bits;

const KERNELS: [KernelRef; 31] = [
    KernelRef::of::<rcp_neon>(),
    KernelRef::of::<rsqrt_neon>(),
    KernelRef::of::<frecpe>(),
    KernelRef::of::<frsqrte>(),
    KernelRef::of::<frecpe_f64>(),
    KernelRef::of::<frsqrte_f64>(),
    KernelRef::of::<rcpps_intel>(),
    KernelRef::of::<rsqrtps_intel>(),
    KernelRef::of::<rcpps_amd>(),
    KernelRef::of::<rsqrtps_amd>(),
    KernelRef::of::<pfrcp_3dnow>(),
    KernelRef::of::<pfrsqrt_3dnow>(),
    KernelRef::of::<rcp14>(),
    KernelRef::of::<rsqrt14>(),
    KernelRef::of::<rcp14_f64>(),
    KernelRef::of::<rsqrt14_f64>(),
    KernelRef::of::<rcp_approx>(),
    KernelRef::of::<rcp_approx_ftz>(),
    KernelRef::of::<rcp_approx_ftz_f64>(),
    KernelRef::of::<rsqrt_approx>(),
    KernelRef::of::<rsqrt_approx_ftz>(),
    KernelRef::of::<rsqrt_approx_ftz_f64>(),
    KernelRef::of::<sqrt_approx>(),
    KernelRef::of::<sqrt_approx_ftz>(),
    KernelRef::of::<lg2_approx>(),
    KernelRef::of::<lg2_approx_ftz>(),
    KernelRef::of::<ex2_approx>(),
    KernelRef::of::<ex2_approx_ftz>(),
    KernelRef::of::<sin_approx_ftz>(),
    KernelRef::of::<cos_approx_ftz>(),
    KernelRef::of::<tanh_approx>(),
];

/// All exponents with both signs; for each exponent the first fractions, the last, and some between.
fn inputs(fraction_bits: u32, exponent_bits: u32) -> Vec<u64> {
    let last = (1u64 << fraction_bits) - 1;
    let mut all = Vec::new();
    for high in 0..1u64 << (exponent_bits + 1) {
        let mut fraction = 0x9e37_79b9_7f4a_7c15 ^ high;
        for k in 0..12 {
            let edge = [0, 1, last, 1 << (fraction_bits - 1)];
            fraction = fraction.wrapping_mul(0xd134_2543_de82_ef95).wrapping_add(1);
            let f = edge.get(k).copied().unwrap_or(fraction >> 7 & last);
            all.push(high << fraction_bits | f);
        }
    }
    all
}

#[test]
fn every_backend_gives_the_same_bits() {
    let columns = [inputs(23, 8), inputs(52, 11)];
    let backends = support::backends("instructions", "all");
    for kernel in KERNELS {
        let column = &columns[usize::from(kernel.kernel.name.ends_with("_f64"))];
        let points = Points::given(&kernel, vec![column.clone()]).expect("a kernel");
        same_bits(&kernel, &points, &backends);
    }
}

#[test]
fn the_documents_figures_are_these() {
    let text = include_str!("../docs/book/src/reference/instructions.md");
    let mut rows = text
        .lines()
        .filter(|l| l.contains("` |") && l.contains(" → "));
    for e in catalogue::ALL {
        let figures = measure(e.function, e.run);
        for (i, m) in figures.maxima.iter().enumerate() {
            let row = rows
                .next()
                .unwrap_or_else(|| panic!("{} has no row", e.name));
            let mut expected = vec![
                format!("| {:.6}", m.error),
                format!("| `{:08x} → {:08x}` |", m.input, m.result),
            ];
            if i == 0 {
                let bits = format!("| {} → {} |", figures.bits_in, figures.bits_out);
                expected.extend([format!("| `{}` |", e.name), bits]);
            }
            for part in expected {
                assert!(row.contains(&part), "{part} is not in: {row}");
            }
        }
    }
}
