//! What `#[crunch]` refuses, in rustc's own words, and what it accepts: built, run, and no warning given.
//!
//! One rule a file, named after the rule. After a change of a message, `TRYBUILD=overwrite cargo test
//! -p dc-macros --test ui` writes the `.stderr` files anew; read them as a diff. rust-toolchain.toml pins the compiler they are from.

#[test]
fn ui() {
    let cases = trybuild::TestCases::new();
    cases.pass("tests/ui/pass/**/*.rs");
    cases.compile_fail("tests/ui/fail/**/*.rs");
}
