//! The names of platforms in backend ids.

/// A platform's name in backend ids.
pub(super) fn slug(platform: &str) -> String {
    let lower = platform.to_ascii_lowercase();
    let known = [
        ("portable computing language", "pocl"),
        ("oclgrind", "oclgrind"),
        ("nvidia", "nvidia"),
        ("amd", "amd"),
        ("intel", "intel"),
        ("rusticl", "rusticl"),
        ("clover", "clover"),
        ("apple", "apple"),
    ];
    if let Some((_, slug)) = known.iter().find(|k| lower.contains(k.0)) {
        return (*slug).into();
    }
    let words = lower.split(|c: char| !c.is_ascii_alphanumeric());
    words
        .filter(|w| !w.is_empty())
        .collect::<Vec<_>>()
        .join("-")
}
