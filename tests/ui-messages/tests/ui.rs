//! The code that `#[crunch]` refuses, with rustc's messages, and the code that it accepts: built and run without warnings.
//!
//! There is one rule per file, and the file is named after it. After a change of a message, `TRYBUILD=overwrite cargo
//! test -p ui-messages --test ui` rewrites the `.stderr` files; review them as a diff.
//!
//! The messages are those of one compiler version. With another only the accepted code is tested, which is printed:
//! `cargo +1.95.0 test -p ui-messages --test ui` compares the messages on any machine.

use std::process::Command;

/// The compiler whose messages the `.stderr` files have.
const COMPILER: &str = "1.95";

#[test]
fn ui() {
    let cases = trybuild::TestCases::new();
    cases.pass("tests/ui/pass/**/*.rs");
    let found = compiler();
    if found == COMPILER {
        cases.compile_fail("tests/ui/fail/**/*.rs");
    } else {
        kernels_gen::skip::note(&format!(
            "messages of #[crunch]: this is rustc {found}, they are those of {COMPILER}: cargo +{COMPILER}.0 test -p ui-messages --test ui"
        ));
    }
}

/// The compiler's version, without the last part.
fn compiler() -> String {
    let rustc = std::env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
    let out = Command::new(rustc).arg("--version").output();
    let out = out.expect("rustc was found when this test was built");
    let text = String::from_utf8_lossy(&out.stdout).into_owned();
    let version = text.split(' ').nth(1).unwrap_or_default();
    version
        .rsplit_once('.')
        .map_or(version, |v| v.0)
        .to_string()
}
