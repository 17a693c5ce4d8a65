//! Emitted text made wrong on purpose, to see that it is noticed: the fuzzer of random kernels plants a fault in one
//! backend's text and must find it. Only with the feature `fault_injection`, which no program that is trusted has.

use std::sync::{Mutex, PoisonError};

use kernels_gen::emit::Source;

/// What is done to the text of point kernels, and of which backend.
type Injected = (String, fn(&str) -> String);

static INJECTED: Mutex<Option<Injected>> = Mutex::new(None);

/// From now on the text of every point kernel of that backend is what `spoil` makes of it. Backends are probed when they
/// are found, so plant after that.
pub fn plant(backend: &str, spoil: fn(&str) -> String) {
    *INJECTED.lock().unwrap_or_else(PoisonError::into_inner) = Some((backend.into(), spoil));
}

/// Texts are right again.
pub fn clear() {
    *INJECTED.lock().unwrap_or_else(PoisonError::into_inner) = None;
}

pub(super) fn spoilt(backend: &str, mut source: Source) -> Source {
    let injected = INJECTED.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some((id, spoil)) = &*injected
        && id == backend
    {
        source.text = spoil(&source.text);
    }
    source
}
