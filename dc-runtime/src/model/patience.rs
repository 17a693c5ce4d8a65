//! Calls that may never return: a driver that hangs, a compiler that waits for something.
//!
//! Such a call is made in a thread of its own, which is left behind when the call takes too long: a thread cannot be
//! ended from outside. The process goes on, names what did not answer, and can still end.

use std::io;
use std::process::{Command, Output};
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::time::Duration;

/// The environment variable with the seconds that a call may take.
pub const VARIABLE: &str = "CRUNCH_TIMEOUT";

/// Seconds that a call of a driver or compiler may take before it is given up: by default ten minutes, since devices that
/// are simulated need that many.
#[must_use]
pub fn limit() -> Duration {
    limit_or(600)
}

/// As [`limit`], with another default.
#[must_use]
pub fn limit_or(default: u64) -> Duration {
    let seconds = std::env::var(VARIABLE).ok().and_then(|s| s.parse().ok());
    Duration::from_secs(seconds.filter(|&s| s > 0).unwrap_or(default))
}

/// Calls that were left behind.
static LEFT: AtomicU32 = AtomicU32::new(0);

/// Ends the process with that code if a call was left behind: at once, since what libraries do at the end of a process
/// may wait for it, or take away what it uses.
pub fn end_if_left(code: u8) {
    #[cfg(unix)]
    if LEFT.load(Ordering::SeqCst) > 0 {
        // SAFETY: it takes a number, and nothing is run after it.
        unsafe { libc::_exit(code.into()) };
    }
    #[cfg(not(unix))]
    let _ = code;
}

/// How a call ended that had been given a time.
pub enum Ended<T> {
    /// With this.
    With(T),
    /// Not in time.
    Not,
    /// Nobody waits for it any longer.
    Unwanted,
}

/// Makes a call in a thread of its own and waits for it, as long as `wanted`, which is asked ten times a second.
///
/// # Panics
/// When the call does, or no thread can be made.
pub fn within<T: Send + 'static>(
    limit: Duration,
    wanted: impl Fn() -> bool,
    work: impl FnOnce() -> T + Send + 'static,
) -> Ended<T> {
    const TICK: Duration = Duration::from_millis(100);
    let (sender, receiver) = mpsc::channel();
    let thread = std::thread::Builder::new()
        .name("driver".into())
        // Compilers recurse: they are given what a main thread has.
        .stack_size(8 << 20)
        .spawn(move || {
            // Whoever waited may be gone.
            let _ = sender.send(work());
        })
        .expect("a thread");
    // Counted in ticks: a process that was stopped in between has not waited.
    let mut waited = Duration::ZERO;
    loop {
        match receiver.recv_timeout(TICK) {
            Ok(result) => return Ended::With(result),
            Err(RecvTimeoutError::Timeout) if !wanted() => {
                LEFT.fetch_add(1, Ordering::SeqCst);
                return Ended::Unwanted;
            }
            Err(RecvTimeoutError::Timeout) => waited += TICK,
            Err(RecvTimeoutError::Disconnected) => match thread.join() {
                Err(panic) => std::panic::resume_unwind(panic),
                Ok(()) => return Ended::Not,
            },
        }
        if waited >= limit {
            LEFT.fetch_add(1, Ordering::SeqCst);
            return Ended::Not;
        }
    }
}

/// Runs a program to its end, or kills it with all that it started after a time.
///
/// # Errors
/// When it does not start; [`io::ErrorKind::TimedOut`] when it was killed.
pub fn output(command: &mut Command, limit: Duration) -> io::Result<Output> {
    use std::process::Stdio;
    command
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    // With its children, which would outlive it.
    #[cfg(unix)]
    std::os::unix::process::CommandExt::process_group(command, 0);
    let child = command.spawn()?;
    let id = child.id();
    match within(limit, || true, move || child.wait_with_output()) {
        Ended::With(output) => output,
        Ended::Not | Ended::Unwanted => {
            kill(id);
            Err(io::Error::new(
                io::ErrorKind::TimedOut,
                format!(
                    "{} has not ended after {} s and was killed; {VARIABLE} gives it more",
                    command.get_program().display(),
                    limit.as_secs()
                ),
            ))
        }
    }
}

#[cfg(unix)]
fn kill(group: u32) {
    if let Ok(group) = i32::try_from(group) {
        // SAFETY: it takes two numbers. The group is that of a child which nobody has waited for yet, so that the number is
        // no other's.
        unsafe { libc::kill(-group, libc::SIGKILL) };
    }
}

#[cfg(not(unix))]
fn kill(_: u32) {}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Instant;

    #[test]
    fn a_call_that_never_ends_is_given_up() {
        let long = || std::thread::sleep(Duration::from_secs(3600));
        let begun = Instant::now();
        let limit = Duration::from_millis(300);
        assert!(matches!(within(limit, || true, long), Ended::Not));
        assert!(matches!(
            within(Duration::MAX, || false, long),
            Ended::Unwanted
        ));
        assert!(matches!(within(limit, || true, || 7), Ended::With(7)));
        assert!(begun.elapsed() < Duration::from_secs(60));
    }

    #[cfg(unix)]
    #[test]
    fn a_program_that_never_ends_is_killed_with_what_it_started() {
        let begun = Instant::now();
        let mut shell = Command::new("/bin/sh");
        shell.args(["-c", "sleep 3600 & wait"]);
        let e = output(&mut shell, Duration::from_millis(300)).expect_err("killed");
        assert_eq!(e.kind(), io::ErrorKind::TimedOut);
        assert!(e.to_string().starts_with("/bin/sh has not ended"), "{e}");
        assert!(begun.elapsed() < Duration::from_secs(60));
        let mut echo = Command::new("/bin/echo");
        let output = output(echo.arg("here"), Duration::from_secs(60)).expect("it ends");
        assert_eq!(output.stdout, b"here\n");
    }
}
