//! A certificate that was written, and what the checker says of it.

/// A certificate that was written.
pub(super) struct Written {
    /// Its file, as text for a terminal.
    pub file: String,
    pub bytes: usize,
    pub checked: Checked,
}

/// What the checker says about a certificate.
pub(super) enum Checked {
    /// The checker proves it, in this many seconds.
    Proven(f64),
    /// It does not, for this reason.
    Refused(String),
    /// It was not asked.
    No,
}
