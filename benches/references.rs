//! Inputs a second that a search does against the references of functions, on one thread, metric included: the reference's
//! own result, rounded, is the routine, so that the compiler computes it once.
//!
//! `cargo bench --bench references`, or with names of functions after `--`.

use std::hint::black_box;
use std::time::Instant;

use doublecrunch::computes;
use doublecrunch::sweep::Sweep;

/// Inputs at a time.
const BLOCK: u64 = 1 << 20;

macro_rules! cases {
    ($($name:ident $function:ident { $f32:ident $bits:literal $note:literal } $({ $f64:ident $bits64:literal $note64:literal })?;)+) => {
        mod singles {
            use doublecrunch::builtins::reference::binary32::*;
            use doublecrunch::prelude::*;
            $(#[crunch]
            pub fn $name(x: DcFloat) -> DcFloat {
                $f32(x.to_f64()).to_f32()
            })+
        }
        mod doubles {
            use doublecrunch::builtins::reference::binary64::*;
            use doublecrunch::prelude::*;
            $($(#[crunch]
            pub fn $name(x: DcDouble) -> DcDouble {
                $f64(x).hi
            })?)+
        }
        static SINGLES: &[Sweep] = &[$(cases!(@sweep singles $name $f32)),+];
        static DOUBLES: &[Sweep] = &[$($(cases!(@sweep doubles $name $f64),)?)+];
    };
    (@sweep $module:ident $name:ident $reference:ident) => {
        Sweep::computing::<$module::$name, computes::$name>(stringify!($name), "0.5..1.0")
    };
}
doublecrunch::__references!(cases);

/// The best of five stretches of a fifth of a second, in millions of inputs a second.
fn rate(scan: fn(i64, u64) -> doublecrunch::model::block::BlockResult, first: i64) -> f64 {
    let mut best = 0f64;
    for _ in 0..5 {
        let start = Instant::now();
        let mut inputs = 0;
        while start.elapsed().as_secs_f64() < 0.05 {
            black_box(scan(black_box(first), BLOCK));
            inputs += BLOCK;
        }
        best = best.max(inputs as f64 / start.elapsed().as_secs_f64());
    }
    best / 1e6
}

fn median(mut rates: Vec<f64>) -> f64 {
    rates.sort_by(f64::total_cmp);
    rates.get(rates.len() / 2).copied().unwrap_or(f64::NAN)
}

fn main() {
    let wanted: Vec<String> = std::env::args()
        .skip(1)
        .filter(|a| !a.starts_with("--"))
        .collect();
    let avx2 =
        std::arch::is_x86_feature_detected!("avx2") && std::arch::is_x86_feature_detected!("fma");
    println!("millions of inputs a second, one thread\n\nfunction           scalar   avx2");
    for (what, sweeps) in [("binary32", SINGLES), ("binary64", DOUBLES)] {
        let mut medians = [Vec::new(), Vec::new()];
        for s in sweeps {
            if !wanted.is_empty() && !wanted.iter().any(|w| w == s.name) {
                continue;
            }
            let one = if what == "binary32" {
                1f32.to_bits().into()
            } else {
                1f64.to_bits() as i64
            };
            // Inside the domain of all.
            let first = if s.name == "acosh" {
                one + 1
            } else {
                one - BLOCK as i64
            };
            let scalar = rate(s.compiled().scalar, first);
            let wide = if avx2 {
                rate(s.compiled().avx2, first)
            } else {
                f64::NAN
            };
            medians[0].push(scalar);
            medians[1].push(wide);
            println!("{:16} {scalar:8.1} {wide:6.1}", s.name);
        }
        let [scalar, wide] = medians.map(median);
        println!("{what}, median {scalar:6.1} {wide:6.1}\n");
    }
}
