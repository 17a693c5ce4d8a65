//! References by name. An unknown name is an error with similar ones.

use core::fmt;

use super::Reference;
use super::registry::known;

/// The error for a name without a reference.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UnknownFunction {
    /// The name.
    pub name: String,
    /// Similar names, the nearest first.
    pub near: Vec<&'static str>,
}

impl fmt::Display for UnknownFunction {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "there is no reference of a function `{}`", self.name)?;
        if let Some((first, rest)) = self.near.split_first() {
            write!(f, "; near it: {first}")?;
            for name in rest {
                write!(f, ", {name}")?;
            }
        }
        f.write_str("; `crunch list --references` shows all")
    }
}

impl core::error::Error for UnknownFunction {}

impl Reference {
    /// The function with this name in C: `sin`, `expm1`, `tgamma`.
    ///
    /// # Errors
    /// If there is no such function. The error contains similar names.
    ///
    /// # Examples
    ///
    /// ```
    /// use dc_runtime::builtins::reference::Reference;
    ///
    /// assert_eq!(Reference::by_name("log1p").unwrap().function.name(), "ln(1 + x)");
    /// let unknown = Reference::by_name("sinn").unwrap_err();
    /// assert_eq!(unknown.near, ["sin", "sinh", "sinpi"]);
    /// ```
    pub fn by_name(name: &str) -> Result<&'static Reference, UnknownFunction> {
        known()
            .find(|r| r.name == name)
            .ok_or_else(|| UnknownFunction {
                name: name.to_string(),
                near: near(name),
            })
    }
}

/// Other common names of functions.
const ALIASES: &[(&str, &str)] = &[
    ("ln", "log"),
    ("gamma", "tgamma"),
    ("lngamma", "lgamma"),
    ("loggamma", "lgamma"),
    ("inv", "recip"),
    ("reciprocal", "recip"),
    ("swish", "silu"),
    ("logistic", "sigmoid"),
    ("arcsin", "asin"),
    ("arccos", "acos"),
    ("arctan", "atan"),
    ("tg", "tan"),
    ("exp_m1", "expm1"),
    ("ln_1p", "log1p"),
    ("powf", "pow"),
    ("arctan2", "atan2"),
    ("divide", "div"),
];

/// At most three names: those at an edit distance of at most two, and those of the function under another name.
fn near(name: &str) -> Vec<&'static str> {
    let name = name.to_lowercase();
    let mut found: Vec<(usize, &'static str)> = ALIASES
        .iter()
        .filter(|(alias, _)| *alias == name)
        .map(|(_, meant)| (0, *meant))
        .collect();
    // C's functions of binary32 end in f.
    let stem = name.strip_suffix('f').unwrap_or(&name);
    for r in known() {
        let d = distance(&name, r.name).min(distance(stem, r.name));
        if d <= 2 && d < r.name.len() && !found.iter().any(|(_, n)| *n == r.name) {
            found.push((d, r.name));
        }
    }
    found.sort_by_key(|(d, _)| *d);
    found.truncate(3);
    found.into_iter().map(|(_, n)| n).collect()
}

/// The number of insertions, removals and replacements that turn one text into the other (Levenshtein's distance).
pub(crate) fn distance(a: &str, b: &str) -> usize {
    let b: Vec<char> = b.chars().collect();
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, x) in a.chars().enumerate() {
        let mut diagonal = row[0];
        row[0] = i + 1;
        for (j, y) in b.iter().enumerate() {
            let replaced = diagonal + usize::from(x != *y);
            diagonal = row[j + 1];
            row[j + 1] = replaced.min(row[j] + 1).min(diagonal + 1);
        }
    }
    row[b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_found_and_near_ones_shown() {
        for r in known() {
            assert_eq!(
                Reference::by_name(r.name).expect("it is there").name,
                r.name
            );
            assert!(r.binary32.bits >= 45, "{}", r.name);
            // A power's error is that of a logarithm times up to 745.
            let least = if r.name.starts_with("pow") { 93 } else { 100 };
            assert!(r.binary64.is_none_or(|t| t.bits >= least), "{}", r.name);
            assert_eq!(r.function.arguments(), r.binary32.kernel.params.len());
        }
        let near = |name| Reference::by_name(name).expect_err(name).near;
        assert_eq!(near("ln").first(), Some(&"log"));
        assert_eq!(near("sinf").first(), Some(&"sin"));
        assert_eq!(near("tann").first(), Some(&"tan"));
        assert_eq!(near("Γ"), [""; 0]);
        assert_eq!(near(""), [""; 0]);
        assert_eq!(
            Reference::by_name("arcsin")
                .expect_err("C's name is asin")
                .to_string(),
            "there is no reference of a function `arcsin`; near it: asin; `crunch list --references` shows all"
        );
    }

    #[test]
    fn distances() {
        for (a, b, d) in [
            ("", "", 0),
            ("sin", "", 3),
            ("sin", "sinh", 1),
            ("log2", "log10", 2),
            ("acos", "cos", 1),
        ] {
            assert_eq!((distance(a, b), distance(b, a)), (d, d), "{a} {b}");
        }
    }
}
