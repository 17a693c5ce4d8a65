//! All inputs of a range, a strip at a time.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use dc_runtime::fenv::Guard;
use dc_runtime::model::key::Precision;
use dc_runtime::search::range::Range;

use crate::strips::STRIP;

/// Runs `work` on all inputs of a range of binary32, a strip at a time, on all processors. Each thread has its own state. `stop` ends this
/// early.
///
/// # Errors
/// If a state cannot be made.
pub fn each_strip<S>(
    range: &Range,
    stop: &AtomicBool,
    state: &(dyn Fn() -> Result<S, String> + Sync),
    work: &(dyn Fn(&mut S, &[f32], i64) + Sync),
) -> Result<(), String> {
    const BLOCK: u64 = 1 << 20;
    let blocks: Vec<(i64, u64)> = range
        .spans()
        .iter()
        .flat_map(|span| {
            let count = span.count() as u64;
            (0..count.div_ceil(BLOCK)).map(move |b| {
                let at = b * BLOCK;
                (span.first + at as i64, BLOCK.min(count - at))
            })
        })
        .collect();
    let next = AtomicU64::new(0);
    let threads = std::thread::available_parallelism().map_or(1, |n| n.get());
    let run = || -> Result<(), String> {
        let _default = Guard::new();
        let mut state = state()?;
        let mut xs = [0f32; STRIP];
        while !stop.load(Ordering::Relaxed) {
            let at = next.fetch_add(1, Ordering::Relaxed) as usize;
            let Some(&(first, count)) = blocks.get(at) else {
                break;
            };
            for done in (0..count).step_by(STRIP) {
                let n = (count - done).min(STRIP as u64) as usize;
                let first = first + done as i64;
                for (i, x) in xs[..n].iter_mut().enumerate() {
                    let bits = Precision::F32.bits_of_key(first + i as i64);
                    *x = f32::from_bits(bits as u32);
                }
                work(&mut state, &xs[..n], first);
            }
        }
        Ok(())
    };
    std::thread::scope(|scope| {
        let handles: Vec<_> = (0..threads).map(|_| scope.spawn(run)).collect();
        let mut ended = Ok(());
        for handle in handles {
            let one = handle
                .join()
                .map_err(|_| "a search ended by a panic".into());
            ended = ended.and(one.and_then(|r| r));
        }
        ended
    })
}
