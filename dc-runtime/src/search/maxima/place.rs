//! The subject and the place of a search: the common part of all three searches.

use super::stretch::{Disagrees, Stretch, Stretches};
use crate::model::error::BackendError;
use crate::model::space::InputSpace;

/// The largest number of chunks that are searched in full at once. More would not be faster.
pub(super) const LONGEST_SPAN: u64 = 32;

/// The subject and the place of a search, for messages.
pub(super) struct Place {
    pub(super) backend: String,
    pub(super) name: &'static str,
    pub(super) inputs: InputSpace,
}

impl Place {
    pub(super) fn unavailable(&self, reason: &str, remedy: &str) -> BackendError {
        BackendError::Unavailable {
            backend: format!("the measure maxima of `{}` on {}", self.name, self.backend),
            reason: reason.into(),
            remedy: remedy.into(),
        }
    }

    /// The stretch of a key.
    pub(super) fn stretch(
        &self,
        stretches: &mut Stretches,
        key: i64,
    ) -> Result<Stretch, BackendError> {
        stretches.of(key).map_err(|Disagrees { key, ulp }| BackendError::Refused {
            backend: format!("the measure maxima of `{}` on {}", self.name, self.backend),
            reason: format!(
                "at {} the reference is {ulp:e} ULP from its function, and 2^-19 is the limit: it does not compute the function that the \
                 sweep names, or not accurately enough. Correct it, or measure in full",
                self.inputs.input(key)
            ),
        })
    }
}
