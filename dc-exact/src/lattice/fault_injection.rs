//! Faults that tests inject to check that they are detected. The program itself has none; only the crate's own tests can inject one.

/// A fault of the search.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Fault {
    /// Every sum on a grid is treated as a tie, for any slack.
    Tie,
    /// Windows are not widened by the operations that are not part of the lattice.
    Pad,
    /// Every other piece is skipped.
    Skip,
}

/// Whether a fault is injected.
#[cfg(not(test))]
pub(crate) const fn injected(_: Fault) -> bool {
    false
}

/// The work of a new thread, in which the faults of the thread that starts it are injected.
#[cfg(not(test))]
pub(crate) const fn inherited<T, F: FnOnce() -> T>(work: F) -> F {
    work
}

#[cfg(test)]
pub(crate) use tests::{inherited, injected};

#[cfg(test)]
mod tests;
