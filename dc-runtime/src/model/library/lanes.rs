//! Vector functions: the types that their names state, the processor features that they need, and inputs whose results depend on the lane.

use super::error::LibraryError;
use crate::model::key::Precision;
use crate::model::show;
use crate::model::signature::{Number, Signature};

/// Inputs for which two lanes of a vector function gave different results.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LaneDifference {
    /// Their number.
    pub count: u64,
    /// The first of them, in the order of the reals.
    pub input: String,
    /// Its words.
    pub(super) words: Vec<u64>,
    /// Its results in lane 0 and in the other lane.
    pub results: [u64; 2],
    /// The other lane.
    pub lane: u64,
}

impl LaneDifference {
    pub(super) fn merge(self, other: LaneDifference, precision: Precision) -> LaneDifference {
        let keys = |of: &LaneDifference| -> Vec<i64> {
            let words = of.words.iter();
            words.map(|w| precision.key_of_bits(*w)).collect()
        };
        let count = self.count + other.count;
        let first = if keys(&other) < keys(&self) {
            other
        } else {
            self
        };
        LaneDifference { count, ..first }
    }

    /// `3,145,728 inputs, first at 1.5: 0.25 in lane 0, 0.5 in lane 3`
    #[must_use]
    pub fn show(&self, precision: Precision) -> String {
        let [first, other] = self.results.map(|bits| show::full(precision, bits));
        format!(
            "{} input{}, first at {}: {first} in lane 0, {other} in lane {}",
            show::count(self.count.into()),
            if self.count == 1 { "" } else { "s" },
            self.input,
            self.lane
        )
    }
}

/// A type that the name of a vector function states.
#[derive(Debug, PartialEq, Eq)]
struct Stated {
    number: Number,
    lanes: usize,
    /// The number of arguments, if the name states it.
    arguments: Option<usize>,
    masked: bool,
}

/// The type in a name of the vector ABI of x86 (`_ZGVdN8v_sinf`), or of SLEEF (`Sleef_sinf8_u10avx2`).
fn stated(symbol: &str) -> Option<Stated> {
    if let Some(rest) = symbol.strip_prefix("_ZGV") {
        let mut rest = rest.chars();
        let bits = match rest.next()? {
            'b' => 128,
            'c' | 'd' => 256,
            'e' => 512,
            _ => return None,
        };
        let masked = rest.next()? == 'M';
        let (shape, _) = rest.as_str().split_once('_')?;
        let digits = shape.chars().take_while(char::is_ascii_digit).count();
        let lanes: usize = shape[..digits].parse().ok()?;
        let number = match bits / lanes.max(1) {
            32 => Number::F32,
            64 => Number::F64,
            _ => return None,
        };
        return Some(Stated {
            number,
            lanes,
            arguments: Some(shape[digits..].matches('v').count()),
            masked,
        });
    }
    let name = symbol.strip_prefix("Sleef_")?;
    // Names of deterministic functions have another word before.
    let name = name
        .strip_prefix("cinz_")
        .or(name.strip_prefix("finz_"))
        .unwrap_or(name);
    let (name, _) = name.split_once('_')?;
    let letters = name.trim_end_matches(|c: char| c.is_ascii_digit());
    let lanes = name[letters.len()..].parse().ok()?;
    let number = match letters.chars().next_back()? {
        'f' => Number::F32,
        'd' => Number::F64,
        _ => return None,
    };
    (lanes > 1).then_some(Stated {
        number,
        lanes,
        arguments: None,
        masked: false,
    })
}

/// Checks that the name of a symbol states no other type, and that this processor has the vectors of the signature.
pub fn fits(symbol: &str, signature: Signature) -> Result<(), LibraryError> {
    let refuse = |reason: String| {
        Err(LibraryError::Type {
            symbol: symbol.into(),
            signature: signature.to_string(),
            reason,
        })
    };
    let arguments = signature.inputs.arguments().len();
    if let Some(stated) = stated(symbol) {
        if stated.masked {
            return refuse(
                "by its name it takes a mask, and only functions without one are called".into(),
            );
        }
        let count = stated.arguments.unwrap_or(arguments);
        if (stated.number, stated.lanes, count)
            != (signature.argument(), signature.lanes, arguments)
        {
            let one = format!("{}x{}", stated.number.name(), stated.lanes);
            let all = vec![one.as_str(); count].join(",");
            return refuse(format!(
                "by its name it takes {all}; write --signature {all}"
            ));
        }
    }
    match missing(signature, available) {
        None => Ok(()),
        Some(missing) => Err(LibraryError::Vectors {
            symbol: symbol.into(),
            signature: signature.to_string(),
            missing,
        }),
    }
}

/// The features that the processor lacks for the vectors of a signature.
fn missing(signature: Signature, available: impl Fn(usize) -> bool) -> Option<String> {
    if signature.lanes == 1 {
        return None;
    }
    if !cfg!(target_arch = "x86_64") {
        return Some("vector functions are called only on x86-64".into());
    }
    let width = match signature.argument() {
        Number::F32 => 32,
        _ => 64,
    };
    let bits = width * signature.lanes;
    let feature = match bits {
        512 => "AVX-512 (avx512f)",
        256 => "AVX2",
        _ => "SSE2",
    };
    (!available(bits))
        .then(|| format!("the processor has no {feature}, for vectors of {bits} bits"))
}

/// Whether this processor has vectors of this many bits.
fn available(bits: usize) -> bool {
    #[cfg(target_arch = "x86_64")]
    return match bits {
        512 => std::arch::is_x86_feature_detected!("avx512f"),
        256 => std::arch::is_x86_feature_detected!("avx2"),
        _ => true,
    };
    #[cfg(not(target_arch = "x86_64"))]
    {
        let _ = bits;
        false
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(text: &str) -> Signature {
        Signature::parse(text).expect(text)
    }

    #[test]
    fn names_state_types() {
        for (symbol, right, wrong) in [
            ("_ZGVdN8v_sinf", "f32x8", "f32"),
            ("_ZGVdN8vv_powf", "f32x8,f32x8", "f32x8"),
            ("_ZGVbN2v_exp", "f64x2", "f32x4"),
            ("_ZGVdN4v_exp", "f64x4", "f64"),
            ("Sleef_sinf4_u10", "f32x4", "f32x8"),
            ("Sleef_cinz_sind2_u10sse2", "f64x2", "f64"),
        ] {
            let shown = stated(symbol).expect(symbol);
            assert!(!shown.masked, "{symbol}");
            let error = fits(symbol, of(wrong)).expect_err(symbol).to_string();
            let says = format!("by its name it takes {right}; write --signature {right}");
            assert!(error.contains(&says), "{error}");
            if available(256) {
                assert_eq!(fits(symbol, of(right)), Ok(()), "{symbol}");
            }
        }
        let masked = fits("_ZGVeM16v_sinf", of("f32x16")).expect_err("a mask");
        assert!(masked.to_string().contains("takes a mask"), "{masked}");
        // Other names state nothing.
        for symbol in [
            "sinf",
            "_ZGVnN4v_sinf",
            "Sleef_sinf_u10",
            "Sleef_sinfx_u10sve",
            "_ZGV",
        ] {
            assert_eq!(stated(symbol), None, "{symbol}");
        }
    }

    #[test]
    #[cfg(target_arch = "x86_64")]
    fn what_is_missing_is_named() {
        let none = |_| false;
        assert_eq!(missing(of("f32"), none), None);
        let text = missing(of("f64x8"), none).expect("AVX-512");
        assert_eq!(
            text,
            "the processor has no AVX-512 (avx512f), for vectors of 512 bits"
        );
        assert!(missing(of("f32x8"), none).is_some_and(|t| t.contains("AVX2")));
        assert_eq!(missing(of("f32x16"), |bits| bits == 512), None);
    }
}
