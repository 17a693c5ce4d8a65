//! Ranges of keys.

use crate::model::key::Precision;
use crate::model::space::InputSpace;

/// A stretch of consecutive keys, at least one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Span {
    /// Its smallest key.
    pub first: i64,
    /// Its largest key, included.
    pub last: i64,
}

impl Span {
    /// Number of keys: up to 2^64.
    #[must_use]
    pub fn count(self) -> u128 {
        (i128::from(self.last) - i128::from(self.first) + 1) as u128
    }
}

/// The inputs of a search: stretches of keys, ascending and disjoint.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Range {
    pub(super) space: InputSpace,
    pub(super) spans: Vec<Span>,
}

impl Range {
    /// The range with these stretches.
    ///
    /// # Errors
    /// If there are none, one is empty or outside the input space, or they do not ascend.
    pub fn from_spans(
        inputs: impl Into<InputSpace>,
        spans: Vec<Span>,
    ) -> Result<Range, SpansError> {
        let space = inputs.into();
        if spans.is_empty() {
            return Err(SpansError::None);
        }
        for (i, &span) in spans.iter().enumerate() {
            if span.first > span.last || span.first < space.min_key() || span.last > space.max_key()
            {
                return Err(SpansError::Outside { span, space });
            }
            if i > 0 && spans[i - 1].last >= span.first {
                return Err(SpansError::Order {
                    spans: [spans[i - 1], span],
                });
            }
        }
        Ok(Range { space, spans })
    }

    /// The input space of its keys.
    #[must_use]
    pub fn space(&self) -> InputSpace {
        self.space
    }
    /// The precision of its inputs.
    #[must_use]
    pub fn precision(&self) -> Precision {
        self.space.precision()
    }
    /// Its stretches.
    #[must_use]
    pub fn spans(&self) -> &[Span] {
        &self.spans
    }
    /// Number of inputs: up to 2^64.
    #[must_use]
    pub fn count(&self) -> u128 {
        self.spans.iter().map(|s| s.count()).sum()
    }
    /// Whether the input with this key is in the range.
    #[must_use]
    pub fn contains(&self, key: i64) -> bool {
        self.spans.iter().any(|s| s.first <= key && key <= s.last)
    }
}

/// The reason why stretches of keys do not form a range.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum SpansError {
    /// There are no stretches.
    #[error("no stretch of inputs")]
    None,
    /// A stretch is empty, or outside the input space.
    #[error("stretch {}..={} of keys is not one of {}", span.first, span.last, space.signature())]
    Outside {
        /// The stretch.
        span: Span,
        /// The input space.
        space: InputSpace,
    },
    /// Two stretches overlap or do not ascend.
    #[error(
        "stretches {}..={} and {}..={} of keys overlap or are out of order",
        spans[0].first, spans[0].last, spans[1].first, spans[1].last
    )]
    Order {
        /// The two stretches.
        spans: [Span; 2],
    },
}
