//! Why a library does not load, in words.

/// The error with its cause: on its own it says only that loading failed.
pub(super) fn reason(error: &libloading::Error) -> String {
    let cause = std::error::Error::source(error);
    cause.map_or_else(|| error.to_string(), ToString::to_string)
}
