//! The reasons why a backend cannot do what it is asked to do.

use crate::fenv::Environment;

/// The error of a backend.
#[derive(Debug, Clone, thiserror::Error)]
#[non_exhaustive]
pub enum BackendError {
    /// The library or the processor feature is missing on this machine.
    #[error("{backend} is not available: {reason}. {remedy}")]
    Unavailable {
        /// The backend.
        backend: String,
        /// The missing part.
        reason: String,
        /// The remedy: what to install or change.
        remedy: String,
    },
    /// The device is present but must not be trusted: it has no binary64, or the probe found a wrong value.
    #[error("{backend} is refused: {reason}")]
    Refused {
        /// The backend.
        backend: String,
        /// The case of the probe, with the expected and the computed value.
        reason: String,
    },
    /// A call changed the thread's floating-point environment. In such an environment, every backend of this processor gives other results.
    /// The default has been restored.
    #[error(
        "{backend}: {call} changed the floating-point environment of the thread to {environment}; nothing that came of \
         it is used. Look for a library that was linked with -ffast-math"
    )]
    Environment {
        /// The backend.
        backend: String,
        /// The call.
        call: String,
        /// The environment after the call.
        environment: Environment,
    },
    /// A call did not end in time ([`super::patience`]).
    #[error(
        "{backend}: {call} has not ended after {seconds} s and was given up: a driver or compiler hangs. CRUNCH_TIMEOUT \
         (in seconds) gives it more"
    )]
    TimedOut {
        /// The backend.
        backend: String,
        /// The call.
        call: String,
        /// The time limit.
        seconds: u64,
    },
    /// The kernel could not be lowered.
    #[error("kernel `{kernel}` cannot be lowered: {reason}")]
    Lower {
        /// The kernel.
        kernel: String,
        /// The reason.
        reason: String,
    },
    /// The device's compiler rejected the text.
    #[error("{backend} could not compile `{kernel}`:\n{log}")]
    Compile {
        /// The backend.
        backend: String,
        /// The kernel.
        kernel: String,
        /// The compiler's log.
        log: String,
    },
    /// A function that is not a kernel gave no result: it panicked, ended the process in which it runs, or did not write a
    /// result.
    #[error("the function `{function}` at {input} {how}")]
    Function {
        /// The function, with its library if it has one.
        function: String,
        /// The input, with its bits.
        input: String,
        /// The failure: `panicked: …`.
        how: String,
    },
    /// A reference's two words are not a double-double. The metric requires that the first word is the number nearest to their sum.
    #[error(
        "the reference `{reference}` at {input} gives hi = {hi:e} ({:016x}) and lo = {lo:e} ({:016x}), of which lo is more than half \
         of hi's last place, {:e}: errors, which are measured from hi, would be wrong. Let it end with `fast_two_sum(hi, lo)`, or \
         with `two_sum(hi, lo)` where lo may be larger than hi",
        hi.to_bits(),
        lo.to_bits(),
        last_place(*hi)
    )]
    Unnormalised {
        /// The reference.
        reference: String,
        /// The input, with its bits.
        input: String,
        /// Its first word.
        hi: f64,
        /// Its second word.
        lo: f64,
    },
    /// A launch or transfer failed, or left outputs unwritten.
    #[error("{backend}: running `{kernel}` failed: {reason}")]
    Launch {
        /// The backend.
        backend: String,
        /// The kernel.
        kernel: String,
        /// The driver's error.
        reason: String,
    },
}

/// The unit in the last place of a finite double, at least 2^-1022.
pub(crate) fn last_place(x: f64) -> f64 {
    let field = (x.to_bits() >> 52 & 0x7ff).max(53);
    f64::from_bits((field - 52) << 52)
}
