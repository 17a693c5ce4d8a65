//! The modules of tests that are files of their own: `#[cfg(test)] mod name;`, whatever their name.

use std::path::{Path, PathBuf};

use crate::circles::is_for_tests;

/// The modules, as paths of files without their ending, that the text of a file declares for tests alone.
pub fn declared(file: &Path, text: &str) -> Vec<PathBuf> {
    let folder = file.parent().unwrap_or(Path::new(""));
    let stem = file.file_stem().and_then(|s| s.to_str()).unwrap_or("");
    let own = match stem {
        "mod" | "lib" | "main" => folder.to_path_buf(),
        name => folder.join(name),
    };
    // A file that does not parse is reported by who counts it.
    let items = syn::parse_file(text).map_or_else(|_| Vec::new(), |file| file.items);
    let modules = items.iter().filter_map(|item| match item {
        syn::Item::Mod(m) if m.content.is_none() && m.attrs.iter().any(is_for_tests) => {
            Some(own.join(m.ident.to_string()))
        }
        _ => None,
    });
    modules.collect()
}

/// Whether a file is one of these modules, or a part of one.
pub fn contain(modules: &[PathBuf], file: &Path) -> bool {
    let stem = file.with_extension("");
    modules
        .iter()
        .any(|module| stem == *module || file.starts_with(module))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn modules_of_tests_are_known_by_their_declaration() {
        let text = "mod a; #[cfg(test)] mod b; #[cfg(not(test))] mod c; #[cfg(test)] mod d {}";
        for (file, module) in [
            ("x/mod.rs", "x/b"),
            ("x/lib.rs", "x/b"),
            ("x/y.rs", "x/y/b"),
        ] {
            let found = declared(Path::new(file), text);
            assert_eq!(found, [PathBuf::from(module)]);
            let is = |end: &str| contain(&found, &PathBuf::from(format!("{module}{end}")));
            assert!(is(".rs") && is("/mod.rs") && is("/part.rs"));
            assert!(!is("c.rs") && !is("c/mod.rs"));
        }
    }
}
