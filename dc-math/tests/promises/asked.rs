//! The requests of `cargo xtask math`, in the environment.

use std::path::PathBuf;
use std::time::{Duration, Instant};

/// A number in the environment.
pub fn number(variable: &str) -> Option<f64> {
    let text = std::env::var(variable).ok()?;
    Some(
        text.parse()
            .unwrap_or_else(|_| panic!("{variable}: a number")),
    )
}

/// Options that both searches have.
pub struct Asked {
    only: Option<String>,
    /// Where results are kept.
    pub folder: Option<PathBuf>,
    deadline: Option<Instant>,
}

impl Asked {
    /// As `cargo xtask math` gives them. The folder exists afterwards.
    pub fn from_environment() -> Self {
        let folder = std::env::var_os("CRUNCH_MATH_STATE").map(PathBuf::from);
        if let Some(folder) = &folder {
            std::fs::create_dir_all(folder).expect("the folder can be made");
        }
        let minutes = number("CRUNCH_MATH_MINUTES");
        Self {
            only: std::env::var("CRUNCH_MATH_ONLY").ok(),
            folder,
            deadline: minutes.map(|m| Instant::now() + Duration::from_secs_f64(60.0 * m)),
        }
    }

    /// Whether this function is searched. One in binary32 may be named with its module or without.
    pub fn names(&self, function: &str) -> bool {
        let is = |name: &str| name == function || name.strip_prefix("f32::") == Some(function);
        let named = |o: &String| o.split(',').any(is);
        self.only.as_ref().is_none_or(named)
    }

    /// Whether the time is over.
    pub fn is_late(&self) -> bool {
        self.deadline.is_some_and(|d| Instant::now() >= d)
    }
}
