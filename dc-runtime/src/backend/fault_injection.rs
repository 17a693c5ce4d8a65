//! Emitted text with injected faults, to test that they are detected. The fuzzer of random kernels injects a fault into one backend's text
//! and must find it. This exists only with the feature `fault_injection`, which programs whose results are used must not enable.

use std::sync::{Mutex, PoisonError};

use kernels_gen::emit::Source;

/// The change to the text of point kernels, and the backend to which it applies.
type Injected = (String, fn(&str) -> String);

static INJECTED: Mutex<Option<Injected>> = Mutex::new(None);

/// From now on, `alter` changes the text of every point kernel of this backend. Backends are probed when they are found, so inject faults
/// after that.
pub fn inject(backend: &str, alter: fn(&str) -> String) {
    *INJECTED.lock().unwrap_or_else(PoisonError::into_inner) = Some((backend.into(), alter));
}

/// Removes the fault.
pub fn clear() {
    *INJECTED.lock().unwrap_or_else(PoisonError::into_inner) = None;
}

pub(super) fn altered(backend: &str, mut source: Source) -> Source {
    let injected = INJECTED.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some((id, alter)) = &*injected
        && id == backend
    {
        source.text = alter(&source.text);
    }
    source
}
