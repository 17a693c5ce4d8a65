//! The largest errors that others have published.

/// Where they are from.
pub const SOURCE: &str = "\
B. Gladman, V. Innocente, J. Mather and P. Zimmermann, *Accuracy of Mathematical Functions in Single, Double, Double Extended,
and Quadruple Precision* (HAL, hal-03141101), have searched all inputs of binary32, too. Their figures for glibc, here of versions
before CORE-MATH's functions came in (glibc 2.41), are rounded up to three digits. `asinh`, `acosh` and `atanh` are missing: Rust's
standard library computes them by itself.";

/// The largest error of glibc's function for binary32, in ULP.
pub fn published(function: &str) -> Option<&'static str> {
    let table = [
        ("acos", "0.899"),
        ("asin", "0.898"),
        ("atan", "0.853"),
        ("cbrt", "0.969"),
        ("cos", "0.561"),
        ("cosh", "1.89"),
        ("exp", "0.502"),
        ("exp2", "0.502"),
        ("expm1", "0.813"),
        ("log", "0.818"),
        ("log10", "2.07"),
        ("log1p", "1.30"),
        ("log2", "0.752"),
        ("sin", "0.561"),
        ("sinh", "1.89"),
        ("sqrt", "0.500"),
        ("tan", "1.48"),
        ("tanh", "2.19"),
    ];
    let found = table.iter().find(|(name, _)| *name == function);
    found.map(|(_, error)| *error)
}

/// Where those of binary64 are from.
pub const SOURCE_BINARY64: &str = "\
Published: P. Zimmermann, *Accuracy of Mathematical Functions in Single, Double, Extended Double and Quadruple Precision* (HAL,
hal-03141101): the largest error known of glibc's function, found by a search as well, rounded up to three digits. `asinh`, `acosh`,
`atanh` and `cbrt` are missing: Rust's standard library has its own.";

/// The largest error known of glibc's function for binary64, in ULP.
pub fn published_binary64(function: &str) -> Option<&'static str> {
    let table = [
        ("acos", "0.523"),
        ("asin", "0.516"),
        ("atan", "0.523"),
        ("cos", "0.516"),
        ("cosh", "1.93"),
        ("erf", "1.43"),
        ("erfc", "5.19"),
        ("exp", "0.511"),
        ("expm1", "0.911"),
        ("log", "0.519"),
        ("log10", "1.62"),
        ("log1p", "0.898"),
        ("log2", "0.548"),
        ("sin", "0.516"),
        ("sinh", "1.93"),
        ("sqrt", "0.500"),
        ("tan", "0.619"),
        ("tanh", "2.21"),
        ("tgamma", "9.36"),
    ];
    let found = table.iter().find(|(name, _)| *name == function);
    found.map(|(_, error)| *error)
}

/// Where the errors that OpenCL permits are from.
pub const PERMITTED_SOURCE: &str = "\
Khronos OpenCL Working Group, *The OpenCL C Specification*, version 3.0, section \"Relative Error as ULPs\", table \"ULP Values for
Single Precision Built-in Math Functions\", full profile, which the conformance tests' list of functions repeats. Their ULP is the
distance of the two numbers around the true result, which is ours; results and arguments below 2^-126 may be zero there, and are
measured as any other number here. The native functions may have any error.";

/// The largest error that OpenCL permits a function to have.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Permitted {
    /// So many ULP.
    Ulp(f64),
    /// Any.
    Any,
}

impl Permitted {
    /// As tables have it.
    pub fn text(self) -> String {
        match self {
            Permitted::Ulp(most) => most.to_string(),
            Permitted::Any => "any".into(),
        }
    }
    /// Whether it permits this error.
    pub fn holds(self, error: f64) -> bool {
        match self {
            Permitted::Ulp(most) => error <= most,
            Permitted::Any => true,
        }
    }
}

/// What OpenCL permits the built-in function of that name, in binary32 and the full profile.
pub fn permitted(function: &str) -> Option<Permitted> {
    if function.starts_with("native_") || function == "lgamma" {
        return Some(Permitted::Any);
    }
    if function.starts_with("half_") {
        return Some(Permitted::Ulp(8192.0));
    }
    let most = match function {
        "cbrt" | "log1p" | "rsqrt" => 2.0,
        "exp" | "exp2" | "exp10" | "expm1" | "log" | "log2" | "log10" | "sqrt" => 3.0,
        "acos" | "acosh" | "asin" | "asinh" | "cos" | "cosh" | "cospi" | "sin" | "sinh"
        | "sinpi" => 4.0,
        "acospi" | "asinpi" | "atan" | "atanh" | "atanpi" | "tan" | "tanh" => 5.0,
        "tanpi" => 6.0,
        "erf" | "erfc" | "tgamma" => 16.0,
        _ => return None,
    };
    Some(Permitted::Ulp(most))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::libraries;

    #[test]
    fn every_opencl_function_has_what_is_permitted() {
        for library in libraries::ALL.iter().filter(|l| l.name.starts_with("pocl")) {
            for r in library.routines {
                if let libraries::Function::Device(name) = r.function {
                    assert!(permitted(name).is_some(), "{name}");
                }
            }
        }
        assert!(!permitted("exp").is_some_and(|p| p.holds(3.1)));
        assert!(permitted("native_exp").is_some_and(|p| p.holds(f64::INFINITY)));
    }
}
