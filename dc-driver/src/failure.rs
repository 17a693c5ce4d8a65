//! The reason why a command ends with an exit code other than 0.

use super::exit;
use dc_runtime::backend::BackendError;
use dc_runtime::model::show;
use dc_runtime::search::certify::Refused;
use dc_runtime::search::engine::EngineError;
use dc_runtime::search::merge::MergeError;
use dc_runtime::search::range::InputError;
use dc_runtime::search::run::RunError;
use dc_runtime::search::run_file::RunFileError;

/// An exit code and a message.
#[derive(Debug)]
pub(super) struct Failure {
    pub code: u8,
    /// One line (a compiler's log may follow), or empty if everything has been printed.
    pub message: String,
}

impl Failure {
    pub fn input(message: impl Into<String>) -> Failure {
        Failure {
            code: exit::INPUT,
            message: message.into(),
        }
    }
    pub fn failed(message: impl Into<String>) -> Failure {
        Failure {
            code: exit::FAILED,
            message: message.into(),
        }
    }
    /// Two computed values contradict each other.
    pub fn contradiction(what: &str) -> Failure {
        Failure::failed(format!("internal contradiction: please report: {what}"))
    }
    pub fn unavailable(message: impl Into<String>) -> Failure {
        Failure {
            code: exit::UNAVAILABLE,
            message: message.into(),
        }
    }
    /// The message for a terminal. A wrong request is answered in one line, for any content: a file's name may
    /// contain line breaks.
    pub fn shown(&self) -> String {
        match self.code {
            exit::INPUT => show::plain(&self.message),
            _ => show::lines(&self.message),
        }
    }
    /// The message as a JSON document.
    pub fn document(&self) -> serde_json::Value {
        serde_json::json!({ "error": { "code": self.code, "message": self.message } })
    }
    /// Everything has been printed.
    pub fn silent(code: u8) -> Failure {
        Failure {
            code,
            message: String::new(),
        }
    }
}

impl From<std::io::Error> for Failure {
    fn from(e: std::io::Error) -> Self {
        Failure::failed(e.to_string())
    }
}

impl From<RunFileError> for Failure {
    fn from(e: RunFileError) -> Self {
        // A name may contain line breaks.
        let message = show::plain(&e.to_string());
        match e {
            // The same command may succeed later: engines start a task again after this code, not after that of bad input.
            RunFileError::DiskFull(_)
            | RunFileError::Io { .. }
            | RunFileError::Removed(_)
            | RunFileError::Locked { .. } => Failure::failed(message),
            _ => Failure::input(message),
        }
    }
}

impl From<InputError> for Failure {
    fn from(e: InputError) -> Self {
        Failure::input(e.to_string())
    }
}

impl From<Refused> for Failure {
    fn from(e: Refused) -> Self {
        Failure::input(e.to_string())
    }
}

impl From<BackendError> for Failure {
    fn from(e: BackendError) -> Self {
        let message = e.to_string();
        match e {
            BackendError::Unavailable { .. }
            | BackendError::Refused { .. }
            | BackendError::Environment { .. }
            | BackendError::TimedOut { .. } => Failure::unavailable(message),
            BackendError::Lower { .. } => Failure::input(message),
            _ => Failure::failed(message),
        }
    }
}

impl From<EngineError> for Failure {
    fn from(e: EngineError) -> Self {
        match e {
            EngineError::Backend(e) => e.into(),
            EngineError::Disagree { .. } | EngineError::OtherBits { .. } => Failure {
                code: exit::FINDING,
                message: e.to_string(),
            },
            _ => Failure::failed(e.to_string()),
        }
    }
}

impl From<RunError> for Failure {
    fn from(e: RunError) -> Self {
        match e {
            RunError::Lower(e) => Failure::input(e.to_string()),
            RunError::File(e) => e.into(),
            RunError::Engine(e) => e.into(),
            e => Failure::failed(e.to_string()),
        }
    }
}

impl From<MergeError> for Failure {
    fn from(e: MergeError) -> Self {
        match e {
            MergeError::File(e) => e.into(),
            e => Failure::input(e.to_string()),
        }
    }
}
