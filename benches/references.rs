//! Inputs per second of a search against the references of functions, on one thread, including the metric, on each instruction set of the
//! processor. The routine is the reference's own rounded result, so that the compiler computes it only once. The time is then that of the
//! reference and the metric.
//!
//! `cargo bench --bench references`, or with names of functions after `--`, prints the tables of docs/book/src/contribute/log/performance.md.

use std::hint::black_box;
use std::time::Instant;

use doublecrunch::computes;
use doublecrunch::model::block::BlockResult;
use doublecrunch::sweep::Sweep;

/// A search loop.
type Scan = fn(i64, u64) -> BlockResult;

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
dc_runtime::__references!(cases);

/// The median of five stretches of a twentieth of a second each, in millions of inputs per second.
fn rate(scan: Scan, first: i64) -> f64 {
    let stretch = || {
        let start = Instant::now();
        let mut inputs = 0;
        while start.elapsed().as_secs_f64() < 0.05 {
            black_box(scan(black_box(first), BLOCK));
            inputs += BLOCK;
        }
        inputs as f64 / start.elapsed().as_secs_f64() / 1e6
    };
    median((0..5).map(|_| stretch()).collect())
}

fn median(mut rates: Vec<f64>) -> f64 {
    rates.sort_by(f64::total_cmp);
    rates.get(rates.len() / 2).copied().unwrap_or(f64::NAN)
}

/// The compiled forms that the processor can run, by name.
fn forms(sweep: &Sweep) -> Vec<(&'static str, Scan)> {
    let compiled = sweep.compiled();
    let mut forms: Vec<(&'static str, Scan)> = vec![("scalar", compiled.scalar)];
    #[cfg(target_arch = "x86_64")]
    {
        use doublecrunch::isa::{Avx2, Avx512, Isa};
        if Avx2::<1>::detect().is_some() {
            forms.push(("avx2", compiled.avx2));
        }
        if Avx512::<1>::detect().is_some() {
            forms.push(("avx512", compiled.avx512));
        }
    }
    forms
}

/// A row of a table.
fn row(name: &str, rates: &[f64]) -> String {
    let rates: Vec<String> = rates.iter().map(|r| format!("{r:.1}")).collect();
    format!("| {name} | {} |", rates.join(" | "))
}

fn main() {
    let wanted: Vec<String> = std::env::args()
        .skip(1)
        .filter(|a| !a.starts_with("--"))
        .collect();
    let wanted = |name: &str| wanted.is_empty() || wanted.iter().any(|w| w == name);
    for (what, one, sweeps) in [
        ("binary32", i64::from(1f32.to_bits()), SINGLES),
        ("binary64", 1f64.to_bits() as i64, DOUBLES),
    ] {
        let names: Vec<&str> = forms(&sweeps[0]).iter().map(|(name, _)| *name).collect();
        println!(
            "Millions of inputs per second on one thread, {what}:\n\n| function | {} |\n|---|{}",
            names.join(" | "),
            "---|".repeat(names.len())
        );
        let mut columns = vec![Vec::new(); names.len()];
        for s in sweeps.iter().filter(|s| wanted(s.name())) {
            // Inside the domain of all.
            let first = if s.name() == "acosh" {
                one + 1
            } else {
                one - BLOCK as i64
            };
            let rates: Vec<f64> = forms(s)
                .iter()
                .map(|(_, scan)| rate(*scan, first))
                .collect();
            for (column, rate) in columns.iter_mut().zip(&rates) {
                column.push(*rate);
            }
            println!("{}", row(&format!("`{}`", s.name()), &rates));
        }
        let medians: Vec<f64> = columns.into_iter().map(median).collect();
        println!("{}\n", row("median", &medians));
    }
}
