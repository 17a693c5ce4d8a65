//! What the integration tests share: the backends of this machine, and the lines printed for missing ones.
//!
//! A missing backend is no failure, unless the environment variable `CRUNCH_REQUIRE` names it. Since cargo hides what
//! passing tests print, every skip is also a line in the file that `CRUNCH_SKIP_LOG` names.

use std::sync::Arc;

use doublecrunch::backend::discover::required_from_env;
use doublecrunch::backend::{Backend, Discovery, Filter, discover, skip};

/// The backends that match `wanted` (a list of patterns as on the command line, or `all`), for the test named.
///
/// # Panics
/// If a backend is missing that `CRUNCH_REQUIRE` names and `wanted` matches, or if either list is malformed.
pub fn backends(test: &str, wanted: &str) -> Vec<Arc<dyn Backend>> {
    let wanted: Filter = wanted.parse().unwrap_or_else(|e| panic!("{test}: {e}"));
    let found = discover(&wanted);
    for note in missing(&found) {
        skip::note(&format!("{test}: {note}"));
    }
    let required = required_from_env().unwrap_or_else(|e| panic!("CRUNCH_REQUIRE: {e}"));
    if let Some(required) = required.and_then(|r| among(&r, &wanted))
        && let Err(e) = found.require(&required)
    {
        panic!("{test}: {e}");
    }
    found.backends
}

/// For each requested backend that is not available, the reason.
fn missing(found: &Discovery) -> Vec<String> {
    let absent = found
        .absent
        .iter()
        .map(|a| format!("{}: {}", a.id, a.reason));
    let refused = found.refused.iter().map(|(_, error)| error.to_string());
    // One line each, of however many a compiler's log has.
    let line = |note: String| note.lines().next().unwrap_or_default().to_string();
    absent.chain(refused).map(line).collect()
}

/// The patterns of `required` that can match the same backends as `wanted`.
fn among(required: &Filter, wanted: &Filter) -> Option<Filter> {
    let asked: Vec<&str> = required
        .patterns()
        .iter()
        .map(String::as_str)
        .filter(|p| *p == "all" || wanted.wants(p))
        .collect();
    asked.join(",").parse().ok()
}
