//! Faults that a test plants to see them noticed. The program has none: only the crate's own tests can plant one.

/// What may be wrong with a search.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Fault {
    /// Every sum on a grid is taken for a tie, whatever the slack.
    Tie,
    /// Windows are not widened by what is left out of the lattice.
    Pad,
    /// Every other piece is skipped.
    Skip,
}

/// Whether a fault is planted.
#[cfg(not(test))]
pub(crate) const fn injected(_: Fault) -> bool {
    false
}

#[cfg(test)]
pub(crate) use tests::injected;

#[cfg(test)]
mod tests;
