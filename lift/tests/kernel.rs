//! A kernel that was lifted and written as source is, compiled by `#[crunch]`, the program that was compared with the original.

#[allow(missing_docs, reason = "as it is written")]
mod sample_kernel;

use std::path::Path;
use std::process::Command;

use dc_lift::Options;
use dc_lift::session::Session;
use dc_lift::tools::clang;
use doublecrunch::kernel::CrunchFn;
use kernels_gen::identity::identity_hex;
use kernels_gen::syntax::tree;

#[test]
fn the_source_is_the_program() {
    let compiled = kernels_gen::lower(<sample_kernel::sample as CrunchFn>::KERNEL);
    let compiled = identity_hex(&compiled.expect("it lowers"));
    // As clang 19 lifts it: 2 x, and the rest by hand in C.
    assert_eq!(sample_kernel::sample::eval(-1.5), 3.0);
    // Another version may order operations in another way.
    let version = clang().and_then(|clang| Command::new(clang).arg("--version").output().ok());
    if !version.is_some_and(|v| String::from_utf8_lossy(&v.stdout).contains("version 19.")) {
        println!(
            "SKIPPED the_source_is_the_program: the kernel is that of clang 19, which is not installed"
        );
        return;
    }
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("kernel");
    std::fs::create_dir_all(&folder).expect("a folder can be made");
    let sample = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/sample.c");
    let session = Session::open(&[sample], &[], Some(false), &folder).expect("it compiles");
    let options = Options {
        contract: Some(false),
        ..Options::default()
    };
    let (lifted, _) = session
        .lift("sample", &options)
        .unwrap_or_else(|e| panic!("{e}"));
    let unit = dc_lift::write::unit(&lifted, "sample", vec![], vec![], String::new());
    let program = kernels_gen::lower(tree::kernel(&unit)).expect("it lowers");
    assert_eq!(compiled, identity_hex(&program));
}
