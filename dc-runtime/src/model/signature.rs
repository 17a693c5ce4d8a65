//! The types of the arguments and the result of a library's function.

use std::fmt;

use super::integers::{Int, Integers};
use super::key::Precision;
use super::show::quote;
use super::space::InputSpace;
use super::stored::{Format, Stored};

/// A type of numbers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Number {
    /// `float`
    F32,
    /// `double`
    F64,
    /// binary16, as its bits: `uint16_t`.
    F16,
    /// bfloat16, as its bits: `uint16_t`.
    Bf16,
    /// An integer. As a result it is the double with its value.
    Integer(Int),
}

impl Number {
    /// All types.
    pub const ALL: [Number; 8] = [
        Number::F32,
        Number::F64,
        Number::F16,
        Number::Bf16,
        Number::Integer(Int::I32),
        Number::Integer(Int::U32),
        Number::Integer(Int::I64),
        Number::Integer(Int::U64),
    ];

    /// The name on the command line.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Number::F32 => "f32",
            Number::F64 => "f64",
            Number::F16 => "f16",
            Number::Bf16 => "bf16",
            Number::Integer(int) => int.name(),
        }
    }

    /// The precision that represents its numbers in columns of bits.
    #[must_use]
    pub const fn precision(self) -> Precision {
        match self {
            Number::F32 | Number::F16 | Number::Bf16 => Precision::F32,
            Number::F64 | Number::Integer(_) => Precision::F64,
        }
    }

    /// The format of 16 bits, if the type is one.
    #[must_use]
    pub const fn stored(self) -> Option<Format> {
        match self {
            Number::F16 => Some(Format::Half),
            Number::Bf16 => Some(Format::Bfloat),
            Number::F32 | Number::F64 | Number::Integer(_) => None,
        }
    }

    /// The place of a number among those of its type, in the order of the reals. Both zeros have the same place; NaN has none.
    #[must_use]
    pub fn place(self, bits: u64) -> Option<i128> {
        let precision = self.precision();
        if precision.value_of_bits(bits).is_nan() {
            return None;
        }
        if let Number::Integer(_) = self {
            return Some(f64::from_bits(bits) as i128);
        }
        let key = match self.stored() {
            None => precision.key_of_bits(bits),
            Some(format) => {
                let narrow = format.nearest(bits as u32);
                let magnitude = i64::from(narrow & 0x7fff);
                if narrow >> 15 == 0 {
                    magnitude
                } else {
                    -1 - magnitude
                }
            }
        };
        Some(i128::from(if key < 0 { key + 1 } else { key }))
    }

    /// The distance of two results, as a number of steps. `None` if one is NaN.
    #[must_use]
    pub fn steps(self, results: [u64; 2]) -> Option<u64> {
        let [a, b] = results.map(|bits| self.place(bits));
        Some(u64::try_from(a?.abs_diff(b?)).unwrap_or(u64::MAX))
    }

    /// The type of numbers of a precision.
    #[must_use]
    pub const fn of(precision: Precision) -> Number {
        match precision {
            Precision::F32 => Number::F32,
            Precision::F64 => Number::F64,
        }
    }

    const fn of_stored(format: Format) -> Number {
        match format {
            Format::Half => Number::F16,
            Format::Bfloat => Number::Bf16,
        }
    }

    const fn inputs(self, pairs: bool) -> InputSpace {
        if let Number::Integer(int) = self {
            return InputSpace::Integers(Integers::of(int));
        }
        match self.stored() {
            Some(format) => InputSpace::Stored(Stored { format, pairs }),
            None if pairs => InputSpace::pairs(self.precision()),
            None => InputSpace::Numbers(self.precision()),
        }
    }
}

/// The types of a function: `f32`, `f64,f64`, `f32->bf16`, `f32x8`. Without an arrow, the result has the type of the arguments.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Signature {
    /// The space of all its inputs.
    pub inputs: InputSpace,
    /// The type of its result.
    pub result: Number,
    /// The number of inputs per call, which is the number of lanes for a vector function.
    pub lanes: usize,
    /// For a function that returns two results through pointers, the one that is used.
    pub part: Option<Part>,
}

/// One of two results.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Part {
    /// The first.
    First,
    /// The second.
    Second,
}

impl From<InputSpace> for Signature {
    fn from(inputs: InputSpace) -> Signature {
        Signature::of(inputs)
    }
}

impl Signature {
    /// A function of these inputs with a result of the arguments' type.
    #[must_use]
    pub const fn of(inputs: InputSpace) -> Signature {
        let inputs = inputs.whole();
        Signature {
            inputs,
            result: argument(inputs),
            lanes: 1,
            part: None,
        }
    }

    /// Parses a signature.
    ///
    /// # Errors
    /// If the text is not a signature. The error names the type that does not exist.
    pub fn parse(text: &str) -> Result<Signature, SignatureError> {
        let plain: String = text.chars().filter(|c| !c.is_whitespace()).collect();
        let refuse = |problem: String| SignatureError::new(text, problem);
        if is_of_several(&plain) {
            return Err(refuse(
                "functions of three arguments, of two results and of complex numbers are for `run`, `at`, `compare` and `verify --differ`".into(),
            ));
        }
        let number = |name: &str| {
            let found = Number::ALL.into_iter().find(|n| n.name() == name);
            found.ok_or_else(|| refuse(format!("there is no type `{}`", quote(name))))
        };
        let (arguments, result) = match plain.split_once("->") {
            Some((arguments, result)) => (arguments, Some(result)),
            None => (&plain[..], None),
        };
        let (result, part) = match result.and_then(|r| r.split_once(',')) {
            None => (result, None),
            Some((result, "_")) => (Some(result), Some(Part::First)),
            Some((_, result)) => (Some(result), Some(Part::Second)),
        };
        let result = result.map(number).transpose()?;
        let vector = |name: &str| match name.split_once('x') {
            None => Ok((number(name)?, 1)),
            Some((of, lanes)) => match (number(of)?, lanes) {
                (x @ Number::F32, "4" | "8" | "16") | (x @ Number::F64, "2" | "4" | "8") => {
                    Ok((x, lanes.parse().unwrap_or(1)))
                }
                _ => Err(refuse(format!(
                    "there is no vector `{}`: f32x4, f32x8, f32x16, f64x2, f64x4 and f64x8 are",
                    quote(name)
                ))),
            },
        };
        let arguments: Vec<(Number, usize)> =
            arguments.split(',').map(vector).collect::<Result<_, _>>()?;
        let lanes = arguments[0].1;
        if arguments.iter().any(|a| a.1 != lanes) {
            return Err(refuse("its arguments are not of as many lanes".into()));
        }
        let arguments: Vec<Number> = arguments.into_iter().map(|a| a.0).collect();
        if lanes > 1 && result.is_some() {
            return Err(refuse(
                "the result of a vector function has the type of its arguments".into(),
            ));
        }
        if let [Number::Integer(int), _, ..] = arguments[..] {
            return Err(refuse(format!(
                "a function of {} has one argument",
                int.name()
            )));
        }
        let argument = match arguments[..] {
            [x] => x,
            [x, y] if x == y => x,
            [x, y] => {
                return Err(refuse(format!(
                    "its arguments are of the types {} and {}, which must be the same",
                    x.name(),
                    y.name()
                )));
            }
            _ => return Err(refuse(format!("it has {} arguments", arguments.len()))),
        };
        let result = result.unwrap_or(argument);
        let integer = matches!(argument, Number::Integer(_));
        if part.is_some() && (arguments.len() != 1 || result != argument || integer) {
            return Err(refuse(
                "a function of two results takes one argument, f32, f64, f16 or bf16, and gives results of its type".into(),
            ));
        }
        Ok(Signature {
            inputs: argument.inputs(arguments.len() == 2),
            result,
            lanes,
            part,
        })
    }

    /// The type of its arguments.
    #[must_use]
    pub const fn argument(self) -> Number {
        argument(self.inputs)
    }

    /// Whether arguments and result have the same type, binary32 or binary64. Such a function is compared with the references for kernels.
    #[must_use]
    pub const fn is_plain(self) -> bool {
        matches!(
            (self.argument(), self.result),
            (Number::F32, Number::F32) | (Number::F64, Number::F64)
        )
    }

    /// The type of the result, if the metric rounds the reference to it. That is the case if it has fewer bits than the reference and
    /// differs from the type of the arguments.
    #[must_use]
    pub const fn rounded(self) -> Option<Number> {
        match (self.result, self.argument()) {
            (Number::F64, Number::Integer(_)) => Some(Number::F64),
            (Number::F64, _) => None,
            _ if self.is_plain() => None,
            (result, _) => Some(result),
        }
    }
}

/// Whether a text, without spaces, is a signature of three arguments or more, of two results or of complex numbers.
pub(super) fn is_of_several(plain: &str) -> bool {
    let (arguments, results) = plain.split_once("->").unwrap_or((plain, ""));
    let mut all = arguments.split(',').chain(results.split(','));
    let part = results.starts_with("_,") || results.ends_with(",_");
    arguments.split(',').count() > 2
        || results.split(',').count() > 1 && !part
        || all.any(|name| name.starts_with('c'))
}

const fn argument(inputs: InputSpace) -> Number {
    match inputs {
        InputSpace::Stored(stored) => Number::of_stored(stored.format),
        InputSpace::Integers(integers) => Number::Integer(integers.int),
        _ => Number::of(inputs.precision()),
    }
}

/// Writes it so that [`Signature::parse`] reads the same types.
impl fmt::Display for Signature {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let argument = self.argument();
        for i in 0..self.inputs.arguments().len() {
            let comma = if i == 0 { "" } else { "," };
            write!(f, "{comma}{}", argument.name())?;
            if self.lanes > 1 {
                write!(f, "x{}", self.lanes)?;
            }
        }
        let result = self.result.name();
        match self.part {
            Some(Part::First) => write!(f, "->{result},_"),
            Some(Part::Second) => write!(f, "->_,{result}"),
            None if self.result == argument => Ok(()),
            None => write!(f, "->{result}"),
        }
    }
}

/// The reason why a text is not a signature.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error(
    "`{text}` is not a signature: {problem}; write f32 for `float f(float)`, f64 for `double f(double)`, f16 and bf16 for the bits of such a \
     number, `uint16_t f(uint16_t)`; i32, u32, i64, u64 for integers; f32x8 for a vector function; two or three arguments with commas, as f32,f32; another type of \
     result behind an arrow, as \"u64->f32\"; \"f64->f64,f64\" for two results by pointers; cf64 for `double _Complex f(double _Complex)`"
)]
pub struct SignatureError {
    text: String,
    problem: String,
}

impl SignatureError {
    pub(super) fn new(text: &str, problem: String) -> SignatureError {
        SignatureError {
            text: quote(text),
            problem,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn signatures_are_written_as_they_are_read() {
        for (text, again, plain) in [
            ("f32", "f32", true),
            ("f64, f64", "f64,f64", true),
            ("f32->f32", "f32", true),
            ("f16", "f16", false),
            ("bf16,bf16", "bf16,bf16", false),
            ("f32 -> bf16", "f32->bf16", false),
            ("f64->f32", "f64->f32", false),
            ("f16->f64", "f16->f64", false),
            ("u64->f32", "u64->f32", false),
            ("f64->i64", "f64->i64", false),
            ("i32", "i32", false),
            ("f32x8", "f32x8", true),
            ("f64x4, f64x4", "f64x4,f64x4", true),
            ("f64->f64,_", "f64->f64,_", true),
            ("f64 -> _, f64", "f64->_,f64", true),
            ("bf16->bf16,_", "bf16->bf16,_", false),
        ] {
            let signature = Signature::parse(text).expect(text);
            assert_eq!(signature.to_string(), again, "{text}");
            assert_eq!(Signature::parse(again), Ok(signature));
            assert_eq!(signature.is_plain(), plain, "{text}");
        }
        for space in ["f32", "f64,f64", "half", "bfloat,bfloat"] {
            let space = InputSpace::of_signature(space).expect(space);
            let signature = Signature::from(space);
            assert_eq!(
                (signature.inputs, signature.result),
                (space, signature.argument())
            );
        }
    }

    #[test]
    fn steps_are_numbers_of_the_type() {
        let bits = |x: f32| u64::from(x.to_bits());
        for (number, a, b, steps) in [
            (Number::F32, 1.0, 1.000_000_2, Some(2)),
            (Number::F16, 1.0, 1.000_976_6, Some(1)),
            (Number::Bf16, 1.0, 0.992_187_5, Some(2)),
            (Number::Bf16, -0.0, 0.0, Some(0)),
            (Number::F16, 6e-8, -6e-8, Some(2)),
            (Number::F16, 65_504.0, f32::INFINITY, Some(1)),
            (Number::F16, f32::NAN, 1.0, None),
        ] {
            assert_eq!(
                number.steps([bits(a), bits(b)]),
                steps,
                "{number:?} {a} {b}"
            );
        }
        let doubles = [1f64, 1.0 - f64::EPSILON].map(f64::to_bits);
        assert_eq!(Number::F64.steps(doubles), Some(2));
        let integers = [-2f64, 18_446_744_073_709_551_615.0].map(f64::to_bits);
        assert_eq!(Number::Integer(Int::U64).steps(integers), Some(u64::MAX));
    }

    #[test]
    fn what_is_no_signature() {
        for (text, problem) in [
            ("", "there is no type ``"),
            ("f23", "there is no type `f23`"),
            ("f32->", "there is no type ``"),
            ("f32->half", "there is no type `half`"),
            ("f32,f64", "its arguments are of the types f32 and f64"),
            (
                "f32,f32,f32",
                "are for `run`, `at`, `compare` and `verify --differ`",
            ),
            (
                "f64->f64,f64",
                "are for `run`, `at`, `compare` and `verify --differ`",
            ),
            (
                "cf64",
                "are for `run`, `at`, `compare` and `verify --differ`",
            ),
            (
                "f64,f64->f64,_",
                "a function of two results takes one argument",
            ),
            ("f64->f32,_", "gives results of its type"),
            ("i32->i32,_", "a function of two results takes one argument"),
            ("f64->_,_", "there is no type `_`"),
            ("f64x2->f64x2,_", "there is no type `f64x2`"),
            ("f32x7", "there is no vector `f32x7`"),
            ("i32x8", "there is no vector `i32x8`"),
            ("f32x8,f32", "not of as many lanes"),
            ("f32x8->f32", "the result of a vector function"),
            ("u64,u64", "a function of u64 has one argument"),
        ] {
            let e = Signature::parse(text).expect_err(text).to_string();
            assert!(e.contains(problem), "{e}");
        }
    }
}
