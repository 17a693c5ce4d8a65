//! Reports of tests that cannot run here. If such a test is required, it fails.

pub use kernels_gen::skip::note;

use super::filter::pattern_matches;

/// Ends the caller's test as skipped; the caller should then return. `name` is the name of the missing thing in `CRUNCH_REQUIRE`, `reason`
/// the cause.
///
/// # Panics
/// If `CRUNCH_REQUIRE` names it.
#[doc(hidden)]
pub fn skip(name: &str, reason: &str) {
    let list = std::env::var("CRUNCH_REQUIRE").unwrap_or_default();
    assert!(
        !requires(&list, name),
        "{name} is required (CRUNCH_REQUIRE={list}), but: {reason}"
    );
    note(&format!("{name}: {reason}"));
}

/// Whether the list contains the name, a part of it, or a name of which it is a part.
fn requires(list: &str, name: &str) -> bool {
    let mut names = list.split([',', ' ']).filter(|n| !n.is_empty());
    names.any(|n| pattern_matches(n, name) || pattern_matches(name, n))
}

#[cfg(test)]
mod tests {
    use super::requires;

    #[test]
    fn what_is_required_is_not_skipped() {
        for (list, name, yes) in [
            ("", "sass", false),
            ("avx2,sass", "sass", true),
            ("avx2 nvrtc", "sass", false),
            ("opencl:pocl", "opencl", true),
            ("opencl", "opencl:pocl", true),
            ("all", "sass", true),
        ] {
            assert_eq!(requires(list, name), yes, "{list}: {name}");
        }
    }
}
