//! The settings of tests in environment variables.

/// The settings in environment variables.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Environment {
    /// `CRUNCH_BLESS`.
    pub bless: bool,
    /// `CRUNCH_INPUTS`.
    pub inputs: Option<u64>,
    /// `CRUNCH_SEED`.
    pub seed: Option<u64>,
    /// `CRUNCH_REPORT`.
    pub report: Option<std::path::PathBuf>,
}

impl Environment {
    /// Reads the environment variables.
    ///
    /// # Panics
    /// If a value is invalid. The message has the variable, the value and valid ones.
    #[must_use]
    pub fn read() -> Environment {
        Environment::from(|name| std::env::var(name).ok()).unwrap_or_else(|e| panic!("{e}"))
    }

    pub(super) fn from(variable: impl Fn(&str) -> Option<String>) -> Result<Environment, String> {
        let given = |name: &str| variable(name).filter(|v| !v.trim().is_empty());
        let number = |name: &str| match given(name) {
            None => Ok(None),
            Some(text) => number(text.trim())
                .map(Some)
                .ok_or_else(|| format!("{name}={text}: write a number, or a power as in 2^24")),
        };
        let bless = match given("CRUNCH_BLESS").as_deref() {
            None | Some("0") => false,
            Some("1") => true,
            Some(other) => {
                return Err(format!(
                    "CRUNCH_BLESS={other}: write 1 to accept what is found"
                ));
            }
        };
        let inputs = number("CRUNCH_INPUTS")?;
        if inputs == Some(0) {
            return Err(
                "CRUNCH_INPUTS=0: write a number, 1 or more, or a power such as 2^24".into(),
            );
        }
        Ok(Environment {
            bless,
            inputs,
            seed: number("CRUNCH_SEED")?,
            report: given("CRUNCH_REPORT").map(Into::into),
        })
    }
}

/// Parses a number of inputs: `1000`, `0x3e8` or `2^10`.
#[must_use]
pub fn number(text: &str) -> Option<u64> {
    match text.strip_prefix("0x") {
        Some(digits) => u64::from_str_radix(digits, 16).ok(),
        None => crate::search::range::power(text),
    }
}
