//! Ctrl-C, SIGTERM (which batch systems send) and SIGHUP: the first signal requests a stop, and the second one ends the process. A signal
//! that was ignored when the program was started stays ignored, as `nohup` requires.

use std::sync::{Mutex, PoisonError};

use dc_runtime::search::engine::Stop;

/// The stop flag of the current command.
static CURRENT: Mutex<Option<(Stop, &'static str)>> = Mutex::new(None);

/// A flag that Ctrl-C sets from now on, printing a message.
pub(super) fn stop(message: &'static str) -> Stop {
    let stop = Stop::new();
    let mut current = CURRENT.lock().unwrap_or_else(PoisonError::into_inner);
    if current.is_none() {
        let ignored = ignored();
        // If no handler can be set, Ctrl-C kills the process, which a run file survives.
        let _ = ctrlc::set_handler(|| {
            let current = CURRENT.lock().unwrap_or_else(PoisonError::into_inner);
            let message = current.as_ref().map_or("", |c| c.1);
            match current.as_ref().map_or(2, |c| c.0.ask()) {
                1 => eprintln!("\n{message}"),
                _ => std::process::exit(i32::from(super::exit::STOPPED)),
            }
        });
        ignore(&ignored);
    }
    *current = Some((stop.clone(), message));
    stop
}

/// The signals that were ignored when this program was started.
#[cfg(unix)]
fn ignored() -> Vec<i32> {
    let is_ignored = |&signal: &i32| {
        let mut action = std::mem::MaybeUninit::<libc::sigaction>::zeroed();
        // SAFETY: a null action changes nothing; the old one is written to memory of the right size.
        let done = unsafe { libc::sigaction(signal, std::ptr::null(), action.as_mut_ptr()) };
        // SAFETY: all zeros are a valid `sigaction`, if it was not written.
        done == 0 && unsafe { action.assume_init() }.sa_sigaction == libc::SIG_IGN
    };
    let mut signals = vec![libc::SIGHUP, libc::SIGINT, libc::SIGTERM];
    signals.retain(is_ignored);
    signals
}

/// Ignores signals again.
#[cfg(unix)]
fn ignore(signals: &[i32]) {
    for &signal in signals {
        // SAFETY: ignoring a signal runs no code of ours.
        unsafe { libc::signal(signal, libc::SIG_IGN) };
    }
}

#[cfg(not(unix))]
fn ignored() -> Vec<i32> {
    Vec::new()
}

#[cfg(not(unix))]
fn ignore(_: &[i32]) {}
