//! The number of registers per value, chosen by measurement.
//!
//! A wide group hides the latency of a chain of dependent operations. It also needs more registers, and values that do not fit are spilled.
//! The best width depends on the kernel's live values, on the processor's latencies and on the compiler: on AVX2, `exp` is fastest with
//! four registers and the compensated Horner scheme with two. No rule based only on the kernel distinguishes these two. A measurement takes
//! about a millisecond, once per sweep and process. All widths give the same bits.
//!
//! There are only two widths, because each is compiled. A third width of eight registers per value is best only for a bare Horner scheme.
//! With it, the built-in sweeps took three times as long to compile as with one width. On AVX-512, a third width of six made the
//! reciprocals and the table-based logarithm 1.05 to 1.08 times as fast on Zen 5 and the others no faster, but a sweep of 500 operations
//! took 1.8 s of processor time to compile instead of 1.4 s.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use super::eval_chunk::EvalChunk;
use super::reduce::{CHUNK, Chunk};

/// The number of widths for which a kernel is compiled.
pub const WIDTHS: usize = 2;
/// The number of measurements of each width. The shortest counts, since other load on the machine only lengthens a measurement. With 7, the
/// logarithm's polynomial had the wrong width in one process of three.
const TRIALS: usize = 25;
/// From this number of keys on, a measurement is worth its time.
const WORTH: u64 = 64 * CHUNK as u64;

/// The fastest variant of a kernel, by the address of its narrowest.
static CHOSEN: Mutex<Option<HashMap<usize, EvalChunk>>> = Mutex::new(None);

#[cfg(test)]
thread_local! {
    /// The width that a test requests.
    pub static WANTED: std::cell::Cell<Option<usize>> = const { std::cell::Cell::new(None) };
}

/// The variant for a search of `count` keys from `first` on.
pub fn choose(
    variants: [EvalChunk; WIDTHS],
    chunk: &mut Chunk,
    first: i64,
    count: u64,
) -> EvalChunk {
    #[cfg(test)]
    if let Some(width) = WANTED.get() {
        return variants[width];
    }
    let kernel = variants[0] as usize;
    // A panic of a kernel leaves the map unchanged.
    let chosen = || CHOSEN.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(&variant) = chosen().as_ref().and_then(|map| map.get(&kernel)) {
        return variant;
    }
    if count < WORTH || variants.iter().all(|&f| f as usize == kernel) {
        return variants[0];
    }
    let variant = fastest(variants, chunk, first);
    chosen().get_or_insert_default().insert(kernel, variant);
    variant
}

fn fastest(variants: [EvalChunk; WIDTHS], chunk: &mut Chunk, first: i64) -> EvalChunk {
    let live = match first {
        0.. => CHUNK,
        negative => negative.unsigned_abs().min(CHUNK as u64) as usize,
    };
    let mut least = [Duration::MAX; WIDTHS];
    for _ in 0..TRIALS {
        for (variant, least) in variants.iter().zip(&mut least) {
            let begun = Instant::now();
            variant(chunk, first, live);
            *least = begun.elapsed().min(*least);
        }
    }
    let best = (0..WIDTHS).min_by_key(|&i| least[i]).unwrap_or_default();
    variants[best]
}
