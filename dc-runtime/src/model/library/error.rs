//! The reasons why a function of a library cannot be called.

use std::path::PathBuf;

/// The reason why a library's function cannot be called.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum LibraryError {
    /// The file is missing, or it is not a library for this machine.
    #[error("the library `{library}` cannot be loaded: {reason}")]
    Load {
        /// The library as given.
        library: String,
        /// The loader's message.
        reason: String,
    },
    /// Loading the library ended the worker.
    #[error("loading the library `{library}` {how}")]
    Crashed {
        /// The library as given.
        library: String,
        /// `was killed by signal 11 (SIGSEGV)`.
        how: String,
    },
    /// The library has no such symbol.
    #[error("{} has no symbol `{symbol}`{}", .library.display(), also(.near))]
    Symbol {
        /// Its file.
        library: PathBuf,
        /// The requested symbol.
        symbol: String,
        /// Its functions with similar names, the nearest first.
        near: Vec<String>,
    },
    /// The symbol is not a function, but a variable or something else.
    #[error("`{symbol}` of {} is not a function", .library.display())]
    NoFunction {
        /// Its file.
        library: PathBuf,
        /// The requested symbol.
        symbol: String,
    },
    /// The name of a vector function states other types than the signature.
    #[error("`{symbol}` is not a function of {signature}: {reason}")]
    Type {
        /// The symbol.
        symbol: String,
        /// The given signature.
        signature: String,
        /// The types that the name states.
        reason: String,
    },
    /// The processor lacks the vectors.
    #[error(
        "`{symbol}` of {signature} cannot be called here: {missing}; run it on a processor that has them, or take narrower vectors"
    )]
    Vectors {
        /// The symbol.
        symbol: String,
        /// The given signature.
        signature: String,
        /// A description of the missing features.
        missing: String,
    },
    /// The file cannot be read or parsed.
    #[error("{}: {reason}", .path.display())]
    File {
        /// The file.
        path: PathBuf,
        /// The reason.
        reason: String,
    },
    /// No worker could be started.
    #[error("no process to call `{symbol}` in could be started: {reason}")]
    Worker {
        /// The function.
        symbol: String,
        /// The reason.
        reason: String,
    },
}

fn also(names: &[String]) -> String {
    match names {
        [] => String::new(),
        names => format!("; near it: {}", names.join(", ")),
    }
}
