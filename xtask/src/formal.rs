//! The formal proofs of the lemmas behind `crunch-check` (`crunch-check/formal`), checked by Coq.

use std::process::Command;

use crate::error::{Error, Result};
use crate::process::{output, root, which};

/// Each needs those before it.
const FILES: [&str; 3] = ["Sums.v", "Errors.v", "Lattice.v"];
/// What Coq may assume: the real numbers' axioms, as its standard library has them.
const AXIOMS: [&str; 3] = [
    "ClassicalDedekindReals.sig_forall_dec",
    "ClassicalDedekindReals.sig_not_dec",
    "FunctionalExtensionality.functional_extensionality_dep",
];

/// `cargo xtask formal`.
pub fn run() -> Result<()> {
    if which("coqc").is_none() {
        return Err(Error(
            "coqc is not installed: Debian's packages coq and libcoq-flocq have it".into(),
        ));
    }
    // Compiled beside copies, so that the sources' folder stays as it is.
    let folder = root().join("target/formal");
    std::fs::create_dir_all(&folder).map_err(|e| Error(format!("target/formal: {e}")))?;
    for file in FILES {
        let from = root().join("crunch-check/formal").join(file);
        std::fs::copy(&from, folder.join(file))
            .map_err(|e| Error(format!("{}: {e}", from.display())))?;
        let mut coqc = Command::new("coqc");
        let printed = output(coqc.current_dir(&folder).arg(file))?;
        let axioms = assumed(&printed);
        if let Some(other) = axioms.iter().find(|a| !AXIOMS.contains(a)) {
            return Err(Error(format!("{file} assumes {other}")));
        }
        println!("{file}: proven");
    }
    println!("assumed: {}", AXIOMS.join(", "));
    Ok(())
}

/// The names below each `Axioms:` of Coq's output; what is indented is their types.
fn assumed(printed: &str) -> Vec<&str> {
    let mut names: Vec<&str> = Vec::new();
    for line in printed.lines() {
        let name = line.split_whitespace().next().unwrap_or_default();
        if !line.starts_with(' ') && !line.is_empty() && name != "Axioms:" && name != "Closed" {
            names.push(name);
        }
    }
    names
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_admitted_lemma_is_an_assumption() {
        let printed = "Axioms:\nties\n  : forall a : Z, a = a\nClassicalDedekindReals.sig_forall_dec\n  : forall P\nClosed under the global context\n";
        assert_eq!(
            assumed(printed),
            ["ties", "ClassicalDedekindReals.sig_forall_dec"]
        );
    }
}
