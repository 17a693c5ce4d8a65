//! The selection of backends: `avx2,opencl`, `opencl:pocl/0`.

use std::fmt;
use std::str::FromStr;

use crate::isa::sets::InstructionSet;
use crate::model::family::Family;

/// The names of all families.
fn families() -> String {
    let names: Vec<&str> = Family::ALL.iter().map(|f| f.name()).collect();
    names.join(", ")
}

/// A list of patterns; a backend must match one of them.
///
/// A pattern is a backend's id, or the beginning of an id up to a `:` or `/`. `opencl` is every OpenCL device, `opencl:pocl` every device
/// of PoCL, `opencl:pocl/0` the first one. `all` is every backend.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Filter {
    patterns: Vec<String>,
}

impl Filter {
    /// Every backend.
    #[must_use]
    pub fn all() -> Self {
        Filter {
            patterns: vec!["all".into()],
        }
    }

    /// The processor's instruction sets.
    #[must_use]
    pub fn processor() -> Self {
        let sets = InstructionSet::ALL.iter();
        Filter {
            patterns: sets.map(|set| set.id().into()).collect(),
        }
    }

    /// Whether this backend is selected.
    #[must_use]
    pub fn matches(&self, id: &str) -> bool {
        self.patterns.iter().any(|p| pattern_matches(p, id))
    }

    /// Whether a pattern is exactly this id.
    #[must_use]
    pub fn names(&self, id: &str) -> bool {
        self.patterns.iter().any(|p| p == id)
    }

    /// Whether a backend whose id begins with this may be selected: `wants("opencl")` is true for the pattern `opencl:pocl/0`.
    #[must_use]
    pub fn wants(&self, beginning: &str) -> bool {
        self.patterns
            .iter()
            .any(|p| pattern_matches(p, beginning) || pattern_matches(beginning, p))
    }

    /// The patterns, in the order given.
    #[must_use]
    pub fn patterns(&self) -> &[String] {
        &self.patterns
    }
}

/// Whether `pattern` is the id or its beginning up to a separator.
pub(super) fn pattern_matches(pattern: &str, id: &str) -> bool {
    pattern == "all"
        || id
            .strip_prefix(pattern)
            .is_some_and(|rest| rest.is_empty() || rest.starts_with([':', '/']))
}

/// The error for a pattern that is not the beginning of any backend's name.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error(
    "no backend is called `{pattern}`; there are {}, and parts of them such as `opencl:pocl` or `cuda:0`",
    families()
)]
pub struct FilterError {
    /// The pattern as given.
    pub pattern: String,
}

impl FromStr for Filter {
    type Err = FilterError;
    fn from_str(text: &str) -> Result<Self, FilterError> {
        let patterns: Vec<String> = text
            .split([',', ' '])
            .map(str::trim)
            .filter(|p| !p.is_empty())
            .map(str::to_ascii_lowercase)
            .collect();
        let bad = |pattern: &str| FilterError {
            pattern: pattern.into(),
        };
        if patterns.is_empty() {
            return Err(bad(text));
        }
        for p in &patterns {
            if p != "all" && Family::of(p).is_none() {
                return Err(bad(p));
            }
        }
        Ok(Filter { patterns })
    }
}

impl fmt::Display for Filter {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.patterns.join(","))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn patterns_match_whole_parts() {
        let f: Filter = "avx2, OpenCL:pocl".parse().expect("well-formed");
        assert_eq!(f.to_string(), "avx2,opencl:pocl");
        for (id, yes) in [
            ("avx2", true),
            ("avx512", false),
            ("opencl:pocl/0", true),
            ("opencl:pocl/1", true),
            ("opencl:pocl2/0", false),
            ("opencl:oclgrind/0", false),
            ("cuda:0", false),
        ] {
            assert_eq!(f.matches(id), yes, "{id}");
        }
        assert!(f.wants("opencl") && f.wants("opencl:pocl") && f.wants("opencl:pocl/0"));
        assert!(!f.wants("opencl:oclgrind") && !f.wants("cuda"));
        // `cuda` is not `cuda-host`.
        let cuda: Filter = "cuda".parse().expect("well-formed");
        assert!(cuda.matches("cuda:0") && !cuda.matches("cuda-host") && !cuda.wants("cuda-host"));
        assert!(Filter::all().matches("cuda:3") && Filter::all().wants("opencl"));
        assert!(f.names("avx2") && !f.names("opencl:pocl/0") && !Filter::all().names("avx2"));
    }

    #[test]
    fn misspelt_names_are_refused() {
        for text in ["avx3", "avx2,pocl", "", " , ", "opencl/0"] {
            assert!(text.parse::<Filter>().is_err(), "{text:?}");
        }
        let error = "avx3".parse::<Filter>().expect_err("misspelt").to_string();
        assert!(
            error.contains("`avx3`") && error.contains("avx512"),
            "{error}"
        );
    }
}
