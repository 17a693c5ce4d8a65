//! What tests make with the search, kept for later tests.

use std::path::Path;

/// What `make` gives, or what it gave before under this name.
///
/// `CERTIFICATES` is the folder where it is kept: no fault of the checker changes what the search writes, and a run of thousands of
/// faulty checkers needs it once.
pub fn kept(name: &str, make: impl FnOnce() -> String) -> String {
    let Some(folder) = std::env::var_os("CERTIFICATES") else {
        return make();
    };
    let path = Path::new(&folder).join(name);
    if let Ok(text) = std::fs::read_to_string(&path) {
        return text;
    }
    let text = make();
    // Another test may read it at the same time: it appears whole.
    let part = path.with_extension(std::process::id().to_string());
    std::fs::write(&part, &text)
        .and_then(|()| std::fs::rename(&part, &path))
        .expect("it is kept");
    text
}
