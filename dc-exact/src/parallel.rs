//! Independent pieces of work, on several threads.

use std::sync::OnceLock;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

/// The results of a function for each item, in their order. Each thread has its own state, which `begin` makes. `threads` is the number of
/// threads; 0 for one per core.
pub(crate) fn each<T: Sync, S, R: Send + Sync>(
    items: &[T],
    threads: usize,
    begin: impl Fn() -> S + Sync,
    of: impl Fn(&mut S, &T) -> R + Sync,
) -> Vec<R> {
    let threads = match threads {
        0 => std::thread::available_parallelism().map_or(1, usize::from),
        n => n,
    };
    let all: Vec<OnceLock<R>> = items.iter().map(|_| OnceLock::new()).collect();
    let next = AtomicUsize::new(0);
    let work = || {
        let mut state = None;
        loop {
            let at = next.fetch_add(1, Relaxed);
            let Some(item) = items.get(at) else {
                return;
            };
            // Each place is set once.
            let _ = all[at].set(of(state.get_or_insert_with(&begin), item));
        }
    };
    std::thread::scope(|scope| {
        for _ in 1..threads.min(items.len()) {
            scope.spawn(work);
        }
        work();
    });
    let mut state = None;
    let done = all.into_iter().map(OnceLock::into_inner);
    // None is missing; if one were, the others would not be those of their items.
    (done.zip(items))
        .map(|(result, item)| result.unwrap_or_else(|| of(state.get_or_insert_with(&begin), item)))
        .collect()
}
