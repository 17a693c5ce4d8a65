//! Random kernels as rustc compiles them, a few that are always the same: `slice.rs` is what the generator makes of seed 7.
#![allow(warnings, clippy::all, reason = "nobody tidies up random source")]

use std::path::Path;

use kernels_gen::identity::identity_hex;
use random_kernels::{child, generate, rust_source, tree};

#[rustfmt::skip]
#[path = "../slice.rs"]
mod slice;

/// So that it is the generator's: `CRUNCH_BLESS=1` rewrites it.
#[test]
fn the_slice_is_what_the_generator_makes() {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("slice.rs");
    let want = rust_source::slice(7, slice::ALL.len() as u64);
    if std::env::var_os("CRUNCH_BLESS").is_some_and(|v| v == "1") {
        std::fs::write(&file, &want).expect("slice.rs is writable");
    }
    let is = std::fs::read_to_string(&file).expect("slice.rs is readable");
    assert!(
        is == want,
        "the generator makes other kernels than those of slice.rs: CRUNCH_BLESS=1 accepts them"
    );
}

#[test]
fn compiled_kernels_are_the_interpreters() {
    let mut lines = Vec::new();
    child::run(slice::ALL, 7, 1536, &mut |line| lines.push(line));
    let wrong: Vec<&String> = lines
        .iter()
        .filter(|l| l.starts_with("differs") || l.starts_with("refused"))
        .collect();
    assert!(wrong.is_empty(), "{wrong:#?}");
    let ran = lines.iter().filter(|l| l.starts_with("ran ")).count();
    assert!(ran >= slice::ALL.len(), "{ran}");
}

/// `#[crunch]` writes the tree that the other backends were given.
#[test]
fn the_macros_trees_are_ours() {
    for (n, compiled) in slice::ALL.iter().enumerate() {
        let identity = |kernel| {
            let program = kernels_gen::lower(kernel).unwrap_or_else(|e| panic!("kernel {n}: {e}"));
            identity_hex(&program)
        };
        let ours = tree::kernel(&generate::unit(7, n as u64));
        assert_eq!(
            identity(compiled.kernel.kernel),
            identity(ours),
            "kernel {n}"
        );
    }
}
