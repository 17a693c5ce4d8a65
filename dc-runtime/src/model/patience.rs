//! Calls that may never return, such as those of a driver that hangs or a compiler that waits for something.
//!
//! Such a call runs in a separate thread. If it takes too long, the thread is abandoned, because a thread cannot be ended from outside. The
//! process continues, names the call that did not return, and can still end.

use std::io;
use std::process::{Command, Output};
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::time::Duration;

/// The environment variable with the number of seconds that a call may take.
pub const VARIABLE: &str = "CRUNCH_TIMEOUT";

/// The time that a call of a driver or compiler may take before it is abandoned: by default ten minutes, because
/// simulated devices need that long.
#[must_use]
pub fn limit() -> Duration {
    limit_or(600)
}

/// The same as [`limit`], with another default.
#[must_use]
pub fn limit_or(default: u64) -> Duration {
    let seconds = std::env::var(VARIABLE).ok().and_then(|s| s.parse().ok());
    Duration::from_secs(seconds.filter(|&s| s > 0).unwrap_or(default))
}

/// The number of abandoned calls.
static LEFT: AtomicU32 = AtomicU32::new(0);

/// Ends the process with this code immediately if a call was abandoned: the exit handlers of libraries might wait for it, or free memory
/// that it uses.
pub fn end_if_left(code: u8) {
    #[cfg(unix)]
    if LEFT.load(Ordering::SeqCst) > 0 {
        // SAFETY: the argument is a number, and nothing runs after the call.
        unsafe { libc::_exit(code.into()) };
    }
    #[cfg(not(unix))]
    let _ = code;
}

/// How a call with a time limit ended.
pub enum Ended<T> {
    /// It ended with this result.
    With(T),
    /// It did not end in time.
    Not,
    /// The caller no longer waits for it.
    Unwanted,
}

/// Makes a call in a separate thread and waits for it as long as `wanted` returns true. `wanted` is called ten times per second.
///
/// # Panics
/// If the call panics, or no thread can be started.
pub fn within<T: Send + 'static>(
    limit: Duration,
    wanted: impl Fn() -> bool,
    work: impl FnOnce() -> T + Send + 'static,
) -> Ended<T> {
    const TICK: Duration = Duration::from_millis(100);
    let (sender, receiver) = mpsc::channel();
    let thread = std::thread::Builder::new()
        .name("driver".into())
        // Compilers recurse: the thread gets the stack size of a main thread.
        .stack_size(8 << 20)
        .spawn(move || {
            // The receiver may be gone.
            let _ = sender.send(work());
        })
        .expect("a thread");
    // Time is counted in ticks, so that the time during which the process was stopped does not count.
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

/// Runs a program to its end, or kills it after a time, together with all processes that it started.
///
/// # Errors
/// If it does not start; [`io::ErrorKind::TimedOut`] if it was killed.
pub fn output(command: &mut Command, limit: Duration) -> io::Result<Output> {
    use std::process::Stdio;
    command
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    // The group includes its children, which would outlive it.
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
        // SAFETY: the arguments are numbers. The group is that of a child that has not been waited for yet, so that no
        // other group has this number.
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
