//! The backends of this machine: those in `CRUNCH_REQUIRE` must be available and have passed the probe; missing ones
//! are listed.

use doublecrunch::backend::skip::skip;
use doublecrunch::backend::{Filter, discover};

#[test]
fn what_is_required_is_here_and_trusted() {
    let found = discover(&Filter::all());
    let ids: Vec<&str> = found.backends.iter().map(|b| b.id()).collect();
    println!("here and trusted: {}", ids.join(", "));
    found.require_from_env().unwrap_or_else(|e| panic!("{e}"));
    for (id, error) in &found.refused {
        skip(id, &format!("refused: {error}"));
    }
    for absent in &found.absent {
        skip(&absent.id, &format!("{}. {}", absent.reason, absent.remedy));
    }
}
