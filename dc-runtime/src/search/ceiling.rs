//! How many floating-point operations a second the processor can do at all: what part of that a search does can then be
//! carried over to other machines, as the paper's Section 6 does.
//!
//! Two loops of independent chains that keep every pipe busy, written on the ISA layer like any kernel: fused
//! multiply-adds alone, which is how makers count peaks, and as many additions beside them.

use std::hint::black_box;
use std::time::{Duration, Instant};

use crate::isa::{Avx2, Avx512, Isa, Scalar, WithIsa};

/// Operations a second, of all threads together; one operation a lane.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Ceiling {
    /// Fused multiply-adds alone.
    pub fused: f64,
    /// Fused multiply-adds and additions, as many of each: the sum of both.
    pub mixed: f64,
}

impl Ceiling {
    /// Peak double-precision FLOPS as makers state it: two a fused multiply-add.
    #[must_use]
    pub fn flops(self) -> f64 {
        2.0 * self.fused
    }
}

/// Rounds of the loop between two looks at the clock: some microseconds.
const ROUNDS: usize = 4096;

/// `FUSED` chains of fused multiply-adds and `ADDED` of additions, for so long. Returns operations a second, in the best
/// stretch: what else the machine does is not the processor's limit.
struct Chains<const FUSED: usize, const ADDED: usize>(Duration);

impl<const FUSED: usize, const ADDED: usize, I: Isa> WithIsa<I> for Chains<FUSED, ADDED> {
    type Output = f64;

    #[inline(always)]
    fn call(self, isa: I) -> f64 {
        // Zeros stay zeros: no subnormal numbers, which may cost more, and no constants, which would take registers.
        let mut fused = [isa.splat_f64(black_box(0.0)); FUSED];
        let mut added = [isa.splat_f64(black_box(0.0)); ADDED];
        let begun = Instant::now();
        let mut best = 0f64;
        while begun.elapsed() < self.0 {
            let stretch = Instant::now();
            // A stretch is long beside the clock's resolution.
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

/// Measures for about twice `time`, on so many threads at once.
#[must_use]
pub fn measure(threads: usize, time: Duration) -> Ceiling {
    let sum = |one: fn(Duration) -> f64| {
        std::thread::scope(|scope| {
            let threads: Vec<_> = (0..threads.max(1))
                .map(|_| scope.spawn(move || one(time)))
                .collect();
            // A panic of a loop without anything to panic would be a bug here: it counts as nothing done.
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

// Latencies are 3 to 5 cycles and pipes two of each kind: 8 to 10 chains of a kind keep them busy. A unit is two of them on
// vectors. AVX2 has 16 registers, so its mixed loop has 8 of each.
fn fused(time: Duration) -> f64 {
    if let Some(isa) = Avx512::<1>::detect() {
        isa.run(Chains::<5, 0>(time))
    } else if let Some(isa) = Avx2::<1>::detect() {
        isa.run(Chains::<5, 0>(time))
    } else {
        Scalar::<1>::detect().map_or(0.0, |isa| isa.run(Chains::<10, 0>(time)))
    }
}

fn mixed(time: Duration) -> f64 {
    if let Some(isa) = Avx512::<1>::detect() {
        isa.run(Chains::<5, 5>(time))
    } else if let Some(isa) = Avx2::<1>::detect() {
        isa.run(Chains::<4, 4>(time))
    } else {
        Scalar::<1>::detect().map_or(0.0, |isa| isa.run(Chains::<8, 8>(time)))
    }
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
