//! Names of the source, as names of Rust.

/// Rust's keywords, and the names that a kernel's source must not shadow.
pub(crate) const RESERVED: &[&str] = &[
    "as", "break", "const", "continue", "crate", "else", "enum", "extern", "false", "fn", "for",
    "if", "impl", "in", "let", "loop", "match", "mod", "move", "mut", "pub", "ref", "return",
    "self", "static", "struct", "super", "trait", "true", "type", "unsafe", "use", "where",
    "while", "async", "await", "dyn", "abstract", "become", "box", "do", "final", "macro",
    "override", "priv", "typeof", "unsized", "virtual", "yield", "try", "gen", "union",
];

/// A name of the source as a name of Rust.
pub(crate) fn identifier(name: &str) -> String {
    let mut out: String = name
        .chars()
        .map(|c| if c.is_ascii_alphanumeric() { c } else { '_' })
        .collect();
    if out.starts_with(|c: char| c.is_ascii_digit()) || out.is_empty() {
        out.insert(0, 'v');
    }
    if out.bytes().all(|b| b == b'_') {
        out.push('v');
    }
    out
}

/// The name of a function in its source, derived from its symbol: the last part of a path of C++ or Rust, without the suffixes that a
/// compiler appends.
pub(crate) fn plain(symbol: &str) -> String {
    let end = symbol.char_indices().find(|&(i, c)| i > 0 && c == '.');
    let symbol = &symbol[..end.map_or(symbol.len(), |e| e.0)];
    let mangled = ["_ZN", "_Z", "_R"]
        .iter()
        .find_map(|p| symbol.strip_prefix(p));
    let Some(mut rest) = mangled else {
        return symbol.into();
    };
    let mut names: Vec<&str> = Vec::new();
    while let Some(at) = rest.find(|c: char| c.is_ascii_digit()) {
        // What follows the names of C++ are the types of its parameters.
        if at > 0 && !names.is_empty() && !symbol.starts_with("_R") {
            break;
        }
        rest = &rest[at..];
        let digits = rest
            .find(|c: char| !c.is_ascii_digit())
            .unwrap_or(rest.len());
        let Ok(length) = rest[..digits].parse::<usize>() else {
            break;
        };
        let Some(name) = rest.get(digits..digits + length).filter(|n| !n.is_empty()) else {
            rest = &rest[digits..];
            continue;
        };
        names.push(name);
        rest = &rest[digits + length..];
    }
    // Rust's symbols end with a hash.
    let is_hash = |n: &str| {
        n.len() == 17 && n.starts_with('h') && n[1..].bytes().all(|b| b.is_ascii_hexdigit())
    };
    let name = names.into_iter().rfind(|n| !is_hash(n));
    name.map_or_else(|| symbol.into(), String::from)
}

#[cfg(test)]
mod tests {
    use super::plain;

    #[test]
    fn names_of_symbols() {
        for (symbol, name) in [
            ("__cosdf", "__cosdf"),
            ("poly.isra.0", "poly"),
            ("poly.llvm.123", "poly"),
            ("_Z4polydi", "poly"),
            ("_ZN4math4polyEd", "poly"),
            ("_ZN4libm4math5k_cos6k_cosf17h0123456789abcdefE", "k_cosf"),
            ("_RNvNtCs1234_4libm4math6k_cosf", "k_cosf"),
            ("_Zeta", "_Zeta"),
        ] {
            assert_eq!(plain(symbol), name, "{symbol}");
        }
    }
}
