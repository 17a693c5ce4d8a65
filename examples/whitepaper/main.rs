//! The examples of NVIDIA's white paper on floating point (N. Whitehead and A. Fit-Florea), each on every backend of this machine. The
//! same source gives the same bits everywhere. Another source (fused or not, or in another order) gives other bits, again the same
//! everywhere.
//!
//! `cargo run --release --features opencl --example whitepaper`

mod kernels;

use std::process::ExitCode;
use std::sync::Arc;

use doublecrunch::backend::{Backend, Filter, KernelRef, discover};
use doublecrunch::search::points::{self, Points};
use kernels::{
    cos_reduced, dot_fused, dot_parallel, dot_serial, from_left, from_right, fused, separate, sum,
};
use kernels_gen::ops::Prim;

/// The number of additional inputs: special values and cancellation.
const MORE: usize = 1 << 12;

/// The paper's vectors. Its decimals are rounded; of all floats that round to them, only these give its results.
const DOT: [u64; 8] = [
    0x3ff4_2c76,
    0xbf49_4494,
    0x3f92_db19,
    0x3f75_dcc9,
    0xbf6f_7cee,
    0xbf31_06da,
    0x3fdc_bb70,
    0xbf35_b25d,
];

fn main() -> ExitCode {
    let backends = discover(&Filter::all());
    for a in &backends.absent {
        println!("not here: {}: {}", a.id, a.reason);
    }
    for (id, error) in &backends.refused {
        println!("refused: {id}: {error}");
    }
    let mut show = Show {
        backends: backends.backends,
        differences: 0,
    };
    let f32s = |words: &[u64]| words.iter().map(|&w| vec![w]).collect::<Vec<_>>();
    let f64s = |xs: &[f64]| xs.iter().map(|x| vec![x.to_bits()]).collect::<Vec<_>>();

    println!("\nA·A + B (Figure 1)");
    let ab = f32s(&[0x3f80_0001, 0xbf80_0002]);
    show.kernel("separate: 0", &KernelRef::of::<separate>(), &ab, Prim::F32);
    show.kernel("fused: 2^-46", &KernelRef::of::<fused>(), &ab, Prim::F32);

    println!("\nDot product of four elements (Figure 5; exact 0.0559587528435…)");
    let ab = f32s(&DOT);
    show.kernel("serial", &KernelRef::of::<dot_serial>(), &ab, Prim::F32);
    show.kernel("FMA", &KernelRef::of::<dot_fused>(), &ab, Prim::F32);
    show.kernel("parallel", &KernelRef::of::<dot_parallel>(), &ab, Prim::F32);

    println!("\nAddition is not associative (Section 2.2): 2^53, 1, 1");
    let abc = f64s(&[9_007_199_254_740_992.0, 1.0, 1.0]);
    show.kernel("(A+B)+C", &KernelRef::of::<from_left>(), &abc, Prim::F64);
    show.kernel("A+(B+C)", &KernelRef::of::<from_right>(), &abc, Prim::F64);

    println!("\ncos(5992555.0) (Figure 6; the paper's: 3.320904615e-07 and 3.320904692e-07)");
    let x = 5_992_555.0f64;
    show.kernel(
        "one source",
        &KernelRef::of::<cos_reduced>(),
        &f64s(&[x]),
        Prim::F64,
    );
    println!(
        "  {:<14} {}",
        "Rust's std",
        points::text(Prim::F64, x.cos().to_bits())
    );
    #[cfg(target_arch = "x86_64")]
    println!(
        "  {:<14} {}",
        "x87 fcos",
        points::text(Prim::F64, fcos(x).to_bits())
    );

    println!("\nSum of 64 terms by 1, 2, 4, 8 threads (Section 5.3)");
    let one = f32s(&[0x3f80_0000]);
    show.kernel("1 thread", &KernelRef::of::<sum<1, 64>>(), &one, Prim::F32);
    show.kernel("2 threads", &KernelRef::of::<sum<2, 32>>(), &one, Prim::F32);
    show.kernel("4 threads", &KernelRef::of::<sum<4, 16>>(), &one, Prim::F32);
    show.kernel("8 threads", &KernelRef::of::<sum<8, 8>>(), &one, Prim::F32);

    let ids: Vec<&str> = show.backends.iter().map(|b| b.id()).collect();
    println!(
        "\n{}: {} differences, on the paper's inputs and {MORE} more a routine",
        ids.join(", "),
        show.differences
    );
    if show.differences == 0 {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    }
}

struct Show {
    backends: Vec<Arc<dyn Backend>>,
    differences: usize,
}

impl Show {
    /// A routine at the paper's input, and on all backends at this and many more inputs.
    fn kernel(&mut self, title: &str, kernel: &KernelRef, input: &[Vec<u64>], prim: Prim) {
        let mut points = Points::of(kernel, MORE, 1).expect("a kernel that the compiler took");
        for (column, word) in points.columns.iter_mut().zip(input) {
            column.insert(0, word[0]);
        }
        match points::compare(kernel, &points, &self.backends) {
            Ok(all) => {
                println!("  {title:<14} {}", points::text(prim, all[0].results[0][0]));
                for a in &all {
                    if let Some(i) = a.differs {
                        self.differences += 1;
                        let [here, first] =
                            [a, &all[0]].map(|a| points::text(prim, a.results[0][i]));
                        println!(
                            "    {} differs from {} at {}: {here}, not {first}",
                            a.backend,
                            all[0].backend,
                            points.show(i)
                        );
                    }
                }
            }
            Err(e) => {
                self.differences += 1;
                println!("  {title:<14} {e}");
            }
        }
    }
}

/// The processor's old instruction, whose reduction has π to 66 bits.
#[cfg(target_arch = "x86_64")]
fn fcos(x: f64) -> f64 {
    let mut y = x;
    // SAFETY: the x87 stack is empty between statements, the instruction pushes and pops one value through memory that
    // `y` owns, and everything that x87 code changes is declared.
    unsafe {
        std::arch::asm!(
            "fld qword ptr [{p}]",
            "fcos",
            "fstp qword ptr [{p}]",
            p = in(reg) &raw mut y,
            out("st(0)") _, out("st(1)") _, out("st(2)") _, out("st(3)") _,
            out("st(4)") _, out("st(5)") _, out("st(6)") _, out("st(7)") _,
            options(nostack)
        );
    }
    y
}
