//! The reason why a library cannot be loaded, as text.

/// The error with its cause: the error alone only states that loading failed.
pub(super) fn reason(error: &libloading::Error) -> String {
    let cause = std::error::Error::source(error);
    cause.map_or_else(|| error.to_string(), ToString::to_string)
}
