//! The floating-point environment: the control bits of the processor that every result depends on.
//!
//! On x86 they are in MXCSR, on AArch64 in FPCR, a register of each thread. Any code in the process can change them. For
//! example, a shared object linked by gcc with `-ffast-math` sets two of them when it is loaded, in the loading thread, and
//! threads started from it inherit them. Then all backends that compute on the processor agree on wrong results. So
//! searches, probes and single evaluations run under a [`Guard`], which sets the default environment and detects later
//! changes.
//!
//! Other processors are not checked: [`Environment::current`] is always the default there.

#[cfg(target_arch = "aarch64")]
mod aarch64;
#[cfg(not(any(
    all(target_arch = "x86_64", target_feature = "sse2"),
    target_arch = "aarch64"
)))]
mod elsewhere;
#[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
mod x86_64;

#[cfg(target_arch = "aarch64")]
use aarch64 as register;
#[cfg(not(any(
    all(target_arch = "x86_64", target_feature = "sse2"),
    target_arch = "aarch64"
)))]
use elsewhere as register;
#[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
use x86_64 as register;

use core::fmt;
use core::marker::PhantomData;

/// The control bits of a thread: rounding direction, treatment of subnormals, masks of exceptions.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Environment(u32);

impl Environment {
    /// Round to nearest, keep subnormals as the standard requires, mask all exceptions.
    pub const DEFAULT: Environment = Environment(register::DEFAULT);

    /// The environment of this thread.
    #[must_use]
    pub fn current() -> Environment {
        Environment(register::read())
    }

    /// Whether results are those of IEEE 754: this is the default environment.
    #[must_use]
    pub fn is_default(self) -> bool {
        self == Environment::DEFAULT
    }

    /// Makes this the environment of this thread.
    ///
    /// # Safety
    /// Rust's own arithmetic assumes the default. Set another environment only to restore the caller's, or if no arithmetic follows before
    /// the default is set again.
    pub unsafe fn set(self) {
        // SAFETY: guaranteed by the caller.
        unsafe { register::write(self.0) }
    }

    /// The word of the register, for another process.
    #[cfg(all(feature = "search", target_os = "linux"))]
    pub(crate) fn word(self) -> u32 {
        self.0
    }

    /// The environment for the word of another process's [`Environment::word`].
    #[cfg(all(feature = "search", target_os = "linux"))]
    pub(crate) fn of_word(word: u64) -> Environment {
        Environment(word as u32)
    }

    /// Sets the default.
    fn reset() {
        // SAFETY: the default is what Rust's arithmetic assumes.
        unsafe { Environment::DEFAULT.set() }
    }

    /// Checks that this thread has the default environment.
    ///
    /// # Errors
    /// If the environment is not the default.
    pub fn check() -> Result<(), NotDefault> {
        let environment = Environment::current();
        if environment.is_default() {
            Ok(())
        } else {
            Err(NotDefault(environment))
        }
    }
}

impl fmt::Display for Environment {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Environment(word) = *self;
        write!(f, "{} {word:#06x}: ", register::NAME)?;
        let mut parts = register::parts(word);
        f.write_str(parts.next().unwrap_or("the default"))?;
        parts.try_for_each(|part| write!(f, ", {part}"))
    }
}

impl fmt::Debug for Environment {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Environment({self})")
    }
}

/// A thread whose floating-point environment is not the default. Its results cannot be relied on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct NotDefault(pub Environment);

impl fmt::Display for NotDefault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "the floating-point environment of this thread is not the default ({}), so results would not be those \
             that were searched; something in this process changed it, such as a library linked with -ffast-math: \
             set the default again before calling",
            self.0
        )
    }
}

impl core::error::Error for NotDefault {}

/// Sets the default environment for the lifetime of this value, then restores the thread's previous environment.
#[derive(Debug)]
pub struct Guard {
    before: Environment,
    /// The guard belongs to this thread.
    thread: PhantomData<*const ()>,
}

impl Guard {
    /// Sets the default.
    #[must_use]
    pub fn new() -> Guard {
        let before = Environment::current();
        if !before.is_default() {
            Environment::reset();
        }
        Guard {
            before,
            thread: PhantomData,
        }
    }

    /// The thread's environment before the guard.
    #[must_use]
    pub fn before(&self) -> Environment {
        self.before
    }

    /// The environment, if it changed since the guard began or since the last call; the default is then set again. `None` if it is still
    /// the default.
    #[must_use]
    pub fn changed(&self) -> Option<Environment> {
        let now = Environment::current();
        if now.is_default() {
            return None;
        }
        Environment::reset();
        Some(now)
    }
}

impl Default for Guard {
    fn default() -> Self {
        Guard::new()
    }
}

impl Drop for Guard {
    fn drop(&mut self) {
        if Environment::current() != self.before {
            // SAFETY: the caller's own environment, which it had when it made the guard.
            unsafe { self.before.set() }
        }
    }
}

/// An environment for tests, as fast arithmetic sets it.
#[cfg(all(
    any(test, feature = "fault_injection"),
    any(target_arch = "x86_64", target_arch = "aarch64")
))]
pub(crate) const FAST: Environment = Environment(register::FAST);

#[cfg(all(test, any(target_arch = "x86_64", target_arch = "aarch64")))]
mod tests {
    use std::hint::black_box;

    use super::*;

    /// The smallest normal number halved, with its bits hidden from the compiler.
    fn halved() -> f64 {
        black_box(f64::MIN_POSITIVE) * black_box(0.5)
    }

    #[test]
    fn a_guard_sets_the_default_and_reports_a_change() {
        assert!(Environment::current().is_default());
        assert!(halved() > 0.0);
        {
            let guard = Guard::new();
            assert_eq!(guard.changed(), None);
            // SAFETY: of the arithmetic in this environment, only that of `halved` is used.
            unsafe { FAST.set() };
            assert_eq!(halved().to_bits(), 0, "the environment is in effect");
            {
                let _inner = Guard::new();
                assert!(halved() > 0.0);
            }
            assert_eq!(
                Environment::current(),
                FAST,
                "what the caller had is put back"
            );
            assert_eq!(guard.changed(), Some(FAST));
            assert_eq!(guard.changed(), None, "it was set again");
            assert!(halved() > 0.0);
            // SAFETY: no arithmetic follows before the guard ends.
            unsafe { FAST.set() };
        }
        assert!(Environment::current().is_default());
    }

    #[test]
    fn flags_are_no_change_and_each_bit_is_named() {
        let guard = Guard::new();
        // The flags of inexact and underflow are set.
        assert!(black_box(1.0) / black_box(3.0) + halved() > 0.0);
        assert_eq!(guard.changed(), None);
        assert_eq!(Environment::check(), Ok(()));
        let default = Environment::DEFAULT.to_string();
        assert!(default.ends_with(": the default"), "{default}");
        assert!(default.starts_with(register::NAME), "{default}");
        for (word, says) in register::CASES {
            // SAFETY: no arithmetic before the guard's check sets the default.
            unsafe { Environment(word).set() };
            let error = Environment::check();
            let changed = guard.changed();
            let error = error.expect_err("not the default").to_string();
            assert!(
                error.contains(says) && error.contains("-ffast-math"),
                "{error}"
            );
            assert_eq!(changed, Some(Environment(word)));
        }
        let traps = if cfg!(target_arch = "x86_64") {
            0
        } else {
            1 << 8
        };
        assert!(Environment(traps).to_string().contains("interrupt"));
    }
}
