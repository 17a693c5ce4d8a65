//! The request: a function, a range, a format, a tolerance.

use std::fmt;

use dc_runtime::model::stored;
use kernels_gen::ops::Prim;

/// The format of inputs and results.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Format {
    /// binary32
    F32,
    /// binary64
    F64,
    /// binary16
    F16,
    /// bfloat16
    Bf16,
}

impl Format {
    /// Its name.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Format::F32 => "f32",
            Format::F64 => "f64",
            Format::F16 => "f16",
            Format::Bf16 => "bf16",
        }
    }
    /// The format with that name.
    #[must_use]
    pub fn by_name(name: &str) -> Option<Format> {
        let all = [Format::F32, Format::F64, Format::F16, Format::Bf16];
        all.into_iter().find(|f| f.name() == name)
    }
    /// The format as one in which numbers are only stored, if it has 16 bits.
    #[must_use]
    pub const fn stored(self) -> Option<stored::Format> {
        match self {
            Format::F16 => Some(stored::Format::Half),
            Format::Bf16 => Some(stored::Format::Bfloat),
            Format::F32 | Format::F64 => None,
        }
    }
    /// The type of its numbers in kernels.
    #[must_use]
    pub const fn type_name(self) -> &'static str {
        match self {
            Format::F32 => "DcFloat",
            Format::F64 => "DcDouble",
            Format::F16 => "DcHalf",
            Format::Bf16 => "DcBfloat",
        }
    }
    /// The least power of two that is above all its finite numbers.
    #[must_use]
    pub const fn overflow(self) -> f64 {
        let exponent = match self {
            Format::F16 => 16,
            Format::F32 | Format::Bf16 => 128,
            Format::F64 => return f64::INFINITY,
        };
        f64::from_bits((1023 + exponent) << 52)
    }
    /// Its least normal number.
    #[must_use]
    pub const fn least_normal(self) -> f64 {
        f64::from_bits(((1023 + self.least_exponent()) as u64) << 52)
    }
    /// Bits of its fraction.
    #[must_use]
    pub const fn fraction(self) -> i32 {
        match self {
            Format::F32 => 23,
            Format::F64 => 52,
            Format::F16 => 10,
            Format::Bf16 => 7,
        }
    }
    /// The exponent of its least normal number.
    #[must_use]
    pub const fn least_exponent(self) -> i32 {
        match self {
            Format::F32 | Format::Bf16 => -126,
            Format::F64 => -1022,
            Format::F16 => -14,
        }
    }
    /// The type of the lanes of its numbers.
    #[must_use]
    pub const fn prim(self) -> Prim {
        match self {
            Format::F64 => Prim::F64,
            _ => Prim::F32,
        }
    }
}

/// The unit in which an error is measured.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Unit {
    /// Units in the last place of the result's format.
    Ulp,
    /// The number 1: the error is absolute.
    Absolute,
    /// The value of the result: the error is relative.
    Relative,
}

impl Unit {
    /// Its name, as written after a number.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Unit::Ulp => "ULP",
            Unit::Absolute => "absolute",
            Unit::Relative => "relative",
        }
    }
}

/// The largest allowed error.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Tolerance {
    /// At most this much.
    Within(f64, Unit),
    /// Every result must be the true value rounded to nearest.
    Correct,
}

impl Tolerance {
    /// `1.0ulp`, `1e-4abs`, `1e-6rel`, `correctly-rounded`.
    ///
    /// # Errors
    /// On anything else. The error lists the possible forms.
    pub fn parse(text: &str) -> Result<Tolerance, String> {
        if text == "correctly-rounded" {
            return Ok(Tolerance::Correct);
        }
        let units = [
            ("ulp", Unit::Ulp),
            ("abs", Unit::Absolute),
            ("rel", Unit::Relative),
        ];
        let wrong = || {
            format!(
                "`{text}` is not a tolerance: write `1.0ulp`, `1e-4abs`, `1e-6rel` or `correctly-rounded`"
            )
        };
        let (number, unit) = units
            .iter()
            .find_map(|(name, unit)| Some((text.strip_suffix(name)?, *unit)))
            .ok_or_else(wrong)?;
        let number: f64 = number.trim().parse().map_err(|_| wrong())?;
        if !(number.is_finite() && number > 0.0) {
            return Err(format!("{wrong}; the number is positive", wrong = wrong()));
        }
        Ok(Tolerance::Within(number, unit))
    }

    /// The unit in which errors are measured.
    #[must_use]
    pub const fn unit(self) -> Unit {
        match self {
            Tolerance::Within(_, unit) => unit,
            Tolerance::Correct => Unit::Ulp,
        }
    }
}

impl fmt::Display for Tolerance {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Tolerance::Correct => f.write_str("correctly-rounded"),
            Tolerance::Within(x, Unit::Ulp) => write!(f, "{x}ulp"),
            Tolerance::Within(x, Unit::Absolute) => write!(f, "{x:e}abs"),
            Tolerance::Within(x, Unit::Relative) => write!(f, "{x:e}rel"),
        }
    }
}

/// The inputs beyond which an argument is cut off; `None` if the function still changes there, or if the range ends before.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Saturation {
    /// Inputs below this have the result of this one.
    pub low: Option<f64>,
    /// Inputs above this have the result of this one.
    pub high: Option<f64>,
}

impl Saturation {
    /// Whether an input is not cut off.
    #[must_use]
    pub fn contains(self, x: f64) -> bool {
        self.low.is_none_or(|low| x >= low) && self.high.is_none_or(|high| x <= high)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tolerances_are_read() {
        let read = |text: &str| Tolerance::parse(text);
        assert_eq!(read("1.0ulp"), Ok(Tolerance::Within(1.0, Unit::Ulp)));
        assert_eq!(read("1e-4abs"), Ok(Tolerance::Within(1e-4, Unit::Absolute)));
        assert_eq!(read("1e-6rel"), Ok(Tolerance::Within(1e-6, Unit::Relative)));
        assert_eq!(read("correctly-rounded"), Ok(Tolerance::Correct));
        for bad in [
            "1.0", "ulp", "-1ulp", "0abs", "inf rel", "nanulp", "correct",
        ] {
            let error = read(bad).expect_err(bad);
            assert!(error.contains("`1.0ulp`"), "{error}");
        }
    }
}
