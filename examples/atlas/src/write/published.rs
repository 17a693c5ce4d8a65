//! Largest errors that others have published.

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
