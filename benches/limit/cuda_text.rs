//! Rivals in CUDA: each file of `benches/rivals/` as one text, which NVRTC compiles without other files.

use std::path::Path;

/// The rivals' names.
pub const KERNELS: [&str; 4] = ["reciprocal", "log_polynomial", "exp", "reciprocal_f32"];
/// Their kernels' name.
pub const ENTRY: &str = "search";

/// The text of a rival, its own includes in place.
pub fn text(workspace: &Path, kernel: &str) -> String {
    text_in(&workspace.join("benches/rivals"), kernel)
}

/// The same from another folder with these files.
pub fn text_in(folder: &Path, kernel: &str) -> String {
    expanded(folder, &format!("{kernel}.cu"))
}

fn expanded(folder: &Path, file: &str) -> String {
    let path = folder.join(file);
    let text = std::fs::read_to_string(&path).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
    let included = |line: &str| {
        let name = line.strip_prefix("#include \"")?.strip_suffix('"')?;
        Some(expanded(folder, name))
    };
    let lines = text.lines().filter(|l| !l.starts_with("#pragma once"));
    lines
        .map(|l| included(l).unwrap_or_else(|| format!("{l}\n")))
        .collect()
}
