//! Why a task failed.

/// The reason why a task failed, as text.
#[derive(Debug)]
pub struct Error(pub String);

/// What a task has, or why it failed.
pub type Result<T> = std::result::Result<T, Error>;

impl From<String> for Error {
    fn from(text: String) -> Self {
        Error(text)
    }
}
