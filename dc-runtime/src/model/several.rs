//! The types of functions with three arguments, with two results, or of complex numbers. (`signature` has those with one or two arguments
//! and one result.)

use std::fmt;

use super::show;
use super::signature::{Number, Signature, SignatureError, is_of_several};

/// The arguments and results of such a function.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Kind {
    /// `float f(float, float, float)`.
    Three,
    /// `void f(float, float *, float *)`.
    Two,
    /// `float _Complex f(float _Complex)`.
    Complex,
    /// `float _Complex f(float _Complex, float _Complex)`.
    ComplexTwo,
}

/// The types of such a function.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Several {
    /// The type of its numbers, or of the parts of its complex numbers.
    pub number: Number,
    /// Its arguments and results.
    pub kind: Kind,
}

/// The types of any function of a library.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Shape {
    /// One or two arguments and one result.
    One(Signature),
    /// More arguments, more results, or complex numbers.
    Several(Several),
}

impl Shape {
    /// Parses a signature of either kind.
    ///
    /// # Errors
    /// If the text is neither.
    pub fn parse(text: &str) -> Result<Shape, SignatureError> {
        match Several::parse(text) {
            None => Signature::parse(text).map(Shape::One),
            Some(several) => several.map(Shape::Several),
        }
    }

    /// Arguments as text, in all forms.
    #[must_use]
    pub fn show_words(&self, words: &[u64]) -> String {
        match self {
            Shape::One(signature) => signature.inputs.show_words(words),
            Shape::Several(several) => several.show(words, show::full),
        }
    }
}

impl fmt::Display for Shape {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Shape::One(signature) => signature.fmt(f),
            Shape::Several(several) => several.fmt(f),
        }
    }
}

impl Several {
    /// Parses a signature of such a function: `f32,f32,f32`, `f64->f64,f64`, `cf64`, `cf64,cf64`. `None` if the text is another signature.
    pub fn parse(text: &str) -> Option<Result<Several, SignatureError>> {
        let plain: String = text.chars().filter(|c| !c.is_whitespace()).collect();
        if !is_of_several(&plain) {
            return None;
        }
        let (arguments, results) = match plain.split_once("->") {
            None => (&plain[..], None),
            Some((arguments, results)) => (arguments, Some(results)),
        };
        let split = |text: &str| -> Vec<String> { text.split(',').map(String::from).collect() };
        let (arguments, results) = (split(arguments), results.map(split));
        let of = of(&arguments, results.as_deref());
        Some(of.map_err(|problem| SignatureError::new(text, problem)))
    }

    /// The number of words of its arguments.
    #[must_use]
    pub const fn arguments(self) -> usize {
        match self.kind {
            Kind::Two => 1,
            Kind::Complex => 2,
            Kind::Three => 3,
            Kind::ComplexTwo => 4,
        }
    }

    /// The number of words of its results.
    #[must_use]
    pub const fn results(self) -> usize {
        match self.kind {
            Kind::Three => 1,
            _ => 2,
        }
    }

    /// Whether its numbers are complex.
    #[must_use]
    pub const fn is_complex(self) -> bool {
        matches!(self.kind, Kind::Complex | Kind::ComplexTwo)
    }

    /// The names of its results.
    #[must_use]
    pub const fn parts(self) -> &'static [&'static str] {
        match self.kind {
            Kind::Three => &["result"],
            Kind::Two => &["first", "second"],
            Kind::Complex | Kind::ComplexTwo => &["real", "imaginary"],
        }
    }

    /// Arguments or results as text. Complex numbers are pairs of their parts.
    #[must_use]
    pub fn show(self, words: &[u64], one: fn(super::key::Precision, u64) -> String) -> String {
        let shown = |words: &[u64]| show::arguments(self.number.precision(), words, one);
        match self.is_complex() {
            true => {
                let all: Vec<String> = words.chunks(2).map(shown).collect();
                all.join(", ")
            }
            false => shown(words),
        }
    }
}

fn of(arguments: &[String], results: Option<&[String]>) -> Result<Several, String> {
    let number = |name: &str| {
        let found = Number::ALL.into_iter().find(|n| n.name() == name);
        found.ok_or_else(|| match name {
            "c32" | "c64" | "c128" | "complex" | "complex64" | "complex128" => format!(
                "`{name}` does not say of what; cf32 is `float _Complex` and cf64 is `double _Complex`"
            ),
            _ if name.contains('x') && name.starts_with('f') => format!(
                "`{}`: vector functions have one or two arguments and one result",
                show::quote(name)
            ),
            _ => format!("there is no type `{}`", show::quote(name)),
        })
    };
    let floating = |name: &str| match number(name)? {
        Number::Integer(int) => Err(format!("a function of {} has one argument", int.name())),
        number => Ok(number),
    };
    let all: Vec<&String> = arguments
        .iter()
        .chain(results.unwrap_or_default())
        .collect();
    let first = all[0];
    if let Some(other) = all.iter().find(|a| **a != first) {
        // A type that does not exist is named first.
        for name in &all {
            match name.strip_prefix("cf") {
                Some(_) => {}
                None => _ = number(name)?,
            }
        }
        return Err(format!(
            "it has the types {first} and {other}, and a function of three arguments, two results or complex numbers has one"
        ));
    }
    let result_count = results.map_or(1, <[String]>::len);
    if let Some(part) = first.strip_prefix("cf") {
        let number = match part {
            "32" => Number::F32,
            "64" => Number::F64,
            _ => {
                return Err(format!(
                    "there is no complex type `{}`: cf32 and cf64 are",
                    show::quote(first)
                ));
            }
        };
        let kind = match (arguments.len(), result_count) {
            (1, 1) => Kind::Complex,
            (2, 1) => Kind::ComplexTwo,
            (arguments, results) => {
                return Err(format!(
                    "it has {arguments} complex arguments and {results} results; one or two and one result are supported"
                ));
            }
        };
        return Ok(Several { number, kind });
    }
    let number = floating(first)?;
    let kind = match (arguments.len(), result_count) {
        (3, 1) => Kind::Three,
        (1, 2) => Kind::Two,
        (arguments, results) => {
            return Err(format!(
                "it has {arguments} arguments and {results} results; one to three arguments with one result, or one argument with two, are supported"
            ));
        }
    };
    Ok(Several { number, kind })
}

/// Writes it so that [`Several::parse`] reads the same types.
impl fmt::Display for Several {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let n = self.number.name();
        match self.kind {
            Kind::Three => write!(f, "{n},{n},{n}"),
            Kind::Two => write!(f, "{n}->{n},{n}"),
            Kind::Complex => write!(f, "c{n}"),
            Kind::ComplexTwo => write!(f, "c{n},c{n}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn signatures_are_written_as_they_are_read() {
        for (text, again) in [
            ("f32,f32,f32", "f32,f32,f32"),
            ("f64, f64, f64 -> f64", "f64,f64,f64"),
            ("bf16,bf16,bf16", "bf16,bf16,bf16"),
            ("f64->f64,f64", "f64->f64,f64"),
            ("cf32", "cf32"),
            ("cf64->cf64", "cf64"),
            ("cf64,cf64", "cf64,cf64"),
        ] {
            let several = Several::parse(text).expect(text).expect(text);
            assert_eq!(several.to_string(), again);
            assert_eq!(Several::parse(again), Some(Ok(several)));
            assert_eq!(Shape::parse(again), Ok(Shape::Several(several)));
        }
        for text in [
            "f32",
            "f64,f64",
            "f32->bf16",
            "f64->f64,_",
            "f64->_,f64",
            "f32x8",
            "u64->f32",
        ] {
            assert_eq!(Several::parse(text), None, "{text}");
            assert!(matches!(Shape::parse(text), Ok(Shape::One(_))), "{text}");
        }
    }

    #[test]
    fn what_is_no_signature() {
        for (text, problem) in [
            ("f32,f32,f64", "it has the types f32 and f64"),
            ("f32,f32,f32->f64", "it has the types f32 and f64"),
            ("f64->f64,f32", "it has the types f64 and f32"),
            ("f64->f64,f65", "there is no type `f65`"),
            ("f32,f32,f32,f32", "it has 4 arguments and 1 results"),
            ("f64->f64,f64,f64", "it has 1 arguments and 3 results"),
            ("f64,f64->f64,f64", "it has 2 arguments and 2 results"),
            ("c64", "`c64` does not say of what; cf32 is"),
            ("complex", "`complex` does not say of what"),
            ("cf16", "there is no complex type `cf16`"),
            ("cf64,cf64,cf64", "it has 3 complex arguments"),
            ("cf64->f64", "it has the types cf64 and f64"),
            ("i32,i32,i32", "a function of i32 has one argument"),
            ("f32x8,f32x8,f32x8", "vector functions have one or two"),
        ] {
            let e = Several::parse(text)
                .expect(text)
                .expect_err(text)
                .to_string();
            assert!(e.contains(problem), "{e}");
        }
    }
}
