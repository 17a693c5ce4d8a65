//! How many registers a value should have: found by trying.
//!
//! A wide group hides the latency of a chain of dependent operations; it also needs more registers, and what does not
//! fit is spilled. Where the best width lies depends on the kernel's live values, on the processor's latencies and on
//! what the compiler makes of both: on AVX2, `exp` is fastest with four registers and the compensated Horner scheme with
//! two. No rule that looks at the kernel alone distinguishes these, and a trial costs about a thousandth of a second, once a
//! sweep and process. All widths give the same bits.
//!
//! Two widths, because each is compiled: with eight registers a value as a third, which is best for a bare Horner scheme
//! only, the built-in sweeps took three times as long to compile as with one width.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use super::eval_chunk::EvalChunk;
use super::reduce::{CHUNK, Chunk};

/// Widths that a kernel is compiled with.
pub const WIDTHS: usize = 2;
/// Times that each is tried; the shortest counts, since what else the machine does only makes it longer. With 7 the
/// logarithm's polynomial had the wrong width in one process of three.
const TRIALS: usize = 25;
/// From so many keys on a trial is worth its time.
const WORTH: u64 = 64 * CHUNK as u64;

/// The fastest variant of a kernel, by the address of its narrowest.
static CHOSEN: Mutex<Option<HashMap<usize, EvalChunk>>> = Mutex::new(None);

#[cfg(test)]
thread_local! {
    /// The width that a test wants.
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
    // A panic of a kernel leaves the map as it was.
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
