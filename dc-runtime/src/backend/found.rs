//! The backends of a family that are present, and the reasons why others are not.

use std::sync::Arc;

use super::{Backend, BackendError};

/// A backend that is not present.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Absent {
    /// Its name or, if no device was found, the name of its family.
    pub id: String,
    /// The missing part.
    pub reason: String,
    /// The remedy, as a sentence.
    pub remedy: String,
}

/// A backend that is present but not probed yet, or the reason why it cannot be used.
pub(super) type Present = (String, Result<Arc<dyn Backend>, BackendError>);

/// The backends of a family: those that are present, not probed yet, and those that are missing.
#[derive(Default)]
pub(super) struct Found {
    pub present: Vec<Present>,
    pub absent: Vec<Absent>,
}

impl Found {
    pub fn add<B: Backend + 'static>(&mut self, backend: Result<B, Absent>) {
        match backend {
            Ok(b) => self.present.push((b.id().into(), Ok(Arc::new(b)))),
            Err(absent) => self.absent.push(absent),
        }
    }

    pub fn extend(&mut self, other: Found) {
        self.present.extend(other.present);
        self.absent.extend(other.absent);
    }

    /// A family that this program was built without.
    #[cfg(not(all(feature = "opencl", feature = "cuda")))]
    pub fn without(family: &str, remedy: &str) -> Found {
        Found {
            absent: vec![Absent {
                id: family.into(),
                reason: format!("this program was built without the feature `{family}`"),
                remedy: remedy.into(),
            }],
            ..Found::default()
        }
    }
}
