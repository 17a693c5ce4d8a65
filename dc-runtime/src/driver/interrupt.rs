//! Ctrl-C and SIGTERM (which batch systems send): the first asks, the second insists, the third kills.

use std::sync::{Mutex, PoisonError};

use crate::search::engine::Stop;

/// The stop flag of the command that runs now.
static CURRENT: Mutex<Option<Stop>> = Mutex::new(None);

/// A flag that Ctrl-C asks from now on.
pub(super) fn stop() -> Stop {
    let stop = Stop::new();
    let mut current = CURRENT.lock().unwrap_or_else(PoisonError::into_inner);
    if current.is_none() {
        // Where no handler can be set, Ctrl-C kills, which a run file survives.
        let _ = ctrlc::set_handler(|| {
            let current = CURRENT.lock().unwrap_or_else(PoisonError::into_inner);
            let times = current.as_ref().map_or(3, Stop::ask);
            match times {
                1 => eprintln!("\nfinishing the blocks in flight; Ctrl-C again drops them"),
                2 => eprintln!("\nstopping"),
                _ => std::process::exit(i32::from(super::exit::STOPPED)),
            }
        });
    }
    *current = Some(stop.clone());
    stop
}
