//! The largest number of floating-point operations per second that the processor can execute. The fraction that a search attains can then
//! be transferred to other machines, as in the paper's Section 6.
//!
//! There are two loops of independent chains that keep every pipeline busy, written on the ISA layer like kernels. One loop has only fused
//! multiply-adds, which is how manufacturers state peaks. The other has an equal number of additions as well.

use std::hint::black_box;
use std::time::{Duration, Instant};

use crate::isa::sets::for_each_isa;
use crate::isa::{Isa, WithIsa};

/// Operations per second of all threads together; each lane counts as one operation.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Ceiling {
    /// Only fused multiply-adds.
    pub fused: f64,
    /// Fused multiply-adds and additions in equal numbers: the sum of both.
    pub mixed: f64,
}

impl Ceiling {
    /// Peak double-precision FLOPS as stated by manufacturers: two per fused multiply-add.
    #[must_use]
    pub fn flops(self) -> f64 {
        2.0 * self.fused
    }
}

/// Rounds of the loop between two readings of the clock: some microseconds.
const ROUNDS: usize = 4096;

/// `FUSED` chains of fused multiply-adds and `ADDED` chains of additions, for this time. Returns the operations per second of the best
/// stretch, because other load on the machine is not a limit of the processor.
struct Chains<const FUSED: usize, const ADDED: usize>(Duration);

impl<const FUSED: usize, const ADDED: usize, I: Isa> WithIsa<I> for Chains<FUSED, ADDED> {
    type Output = f64;

    #[inline(always)]
    fn call(self, isa: I) -> f64 {
        // Zeros stay zeros: there are no subnormal numbers, which may be slower, and no constants, which would need
        // registers.
        let mut fused = [isa.splat_f64(black_box(0.0)); FUSED];
        let mut added = [isa.splat_f64(black_box(0.0)); ADDED];
        let begun = Instant::now();
        let mut best = 0f64;
        while begun.elapsed() < self.0 {
            let stretch = Instant::now();
            // A stretch is long compared with the clock's resolution.
            for _ in 0..16 {
                for _ in 0..ROUNDS {
                    for x in &mut fused {
                        *x = isa.fma_f64(*x, *x, *x);
                    }
                    for x in &mut added {
                        *x = isa.add_f64(*x, *x);
                    }
                }
            }
            let operations = (16 * ROUNDS * (FUSED + ADDED) * I::LANES) as f64;
            best = best.max(operations / stretch.elapsed().as_secs_f64().max(1e-9));
        }
        let mut all = isa.splat_f64(0.0);
        for x in fused.into_iter().chain(added) {
            all = isa.add_f64(all, x);
        }
        let mut out = vec![0.0; I::LANES];
        isa.store_f64(all, &mut out);
        black_box(out);
        best
    }
}

/// Measures for about twice `time`, on this number of threads at once.
#[must_use]
pub fn measure(threads: usize, time: Duration) -> Ceiling {
    let sum = |one: fn(Duration) -> f64| {
        std::thread::scope(|scope| {
            let threads: Vec<_> = (0..threads.max(1))
                .map(|_| scope.spawn(move || one(time)))
                .collect();
            // The loops cannot panic; a panic would be a bug and counts as zero operations.
            threads
                .into_iter()
                .map(|t| t.join().unwrap_or(0.0))
                .sum::<f64>()
        })
    };
    Ceiling {
        fused: sum(fused),
        mixed: sum(mixed),
    }
}

/// A loop on one instruction set, if the processor has it.
type Loop = fn(Duration) -> Option<f64>;

// Latencies are 3 to 5 cycles and there are two pipelines of each kind: 8 to 10 chains of a kind keep them busy. A unit
// is two chains on vectors. AVX2 has 16 registers, so its mixed loop has 8 of each.
macro_rules! loops {
    ($({
        $field:ident $token:ident $level:ident $map:ident $name:literal $features:tt points $points:literal map $wide:literal
        search $narrow_units:literal $wide_units:literal $metric_units:literal chains $fused:literal $mixed:literal $($more:tt)*
    })+) => {
        /// The loops, from narrow to wide.
        const FUSED: &[Loop] = &[$(
            |time| crate::isa::$token::<1>::detect().map(|isa| isa.run(Chains::<$fused, 0>(time)))
        ),+];
        const MIXED: &[Loop] = &[$(
            |time| crate::isa::$token::<1>::detect().map(|isa| isa.run(Chains::<$mixed, $mixed>(time)))
        ),+];
    };
}
for_each_isa!([loops!]);

/// The loop on the widest set of this processor.
fn widest(loops: &[Loop], time: Duration) -> f64 {
    loops.iter().rev().find_map(|f| f(time)).unwrap_or(0.0)
}

fn fused(time: Duration) -> f64 {
    widest(FUSED, time)
}

fn mixed(time: Duration) -> f64 {
    widest(MIXED, time)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn something_is_measured() {
        let one = measure(1, Duration::from_millis(5));
        assert!(one.fused.is_finite() && one.fused > 0.0, "{one:?}");
        assert!(one.mixed.is_finite() && one.mixed > 0.0, "{one:?}");
        assert_eq!(one.flops(), 2.0 * one.fused);
    }
}
