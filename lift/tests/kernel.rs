//! Lifted kernels that were written as source: compiled by `#[crunch]`, they are the programs that were compared with the originals.

#[allow(missing_docs, reason = "as it is written")]
mod calls_kernel;
#[allow(missing_docs, reason = "as it is written")]
mod sample_kernel;

use std::path::Path;
use std::process::Command;

use dc_lift::session::Session;
use dc_lift::tools::clang;
use dc_lift::{Inline, Options};
use doublecrunch::kernel::CrunchFn;
use kernels_gen::identity::identity_hex;
use kernels_gen::ir::Kernel;
use kernels_gen::syntax::tree;

fn the_source_is_the_program(name: &str, inline: Inline, kernel: &'static Kernel) {
    let compiled = kernels_gen::lower(kernel);
    let compiled = identity_hex(&compiled.expect("it lowers"));
    // Another version may order operations in another way.
    let version = clang().and_then(|clang| Command::new(clang).arg("--version").output().ok());
    if !version.is_some_and(|v| String::from_utf8_lossy(&v.stdout).contains("version 19.")) {
        println!("SKIPPED {name}: the kernel is that of clang 19, which is not installed");
        return;
    }
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("kernel-{name}"));
    std::fs::create_dir_all(&folder).expect("a folder can be made");
    let sample = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/sample.c");
    let options = Options {
        contract: Some(false),
        inline,
        ..Options::default()
    };
    let session = Session::open(&[sample], &[], &options, &folder).expect("it compiles");
    let (lifted, _) = session
        .lift(name, &options)
        .unwrap_or_else(|e| panic!("{e}"));
    let unit = dc_lift::write::unit(&lifted, name, vec![], vec![], String::new());
    let program = kernels_gen::lower(tree::kernel(&unit)).expect("it lowers");
    assert_eq!(compiled, identity_hex(&program));
}

#[test]
fn one_kernel_is_the_program() {
    // As clang 19 lifts it: 2 x, and the rest by hand in C.
    assert_eq!(sample_kernel::sample::eval(-1.5), 3.0);
    let kernel = <sample_kernel::sample as CrunchFn>::KERNEL;
    the_source_is_the_program("sample", Inline::All, kernel);
}

#[test]
fn kernels_of_called_functions_are_the_program() {
    // The second call of `step` gives 0.875 * 0.5 + 0.5, and the rest is 1 * 0.5.
    assert_eq!(calls_kernel::calls::eval(0.5, 0), 1.4375);
    let kernel = <calls_kernel::calls as CrunchFn>::KERNEL;
    the_source_is_the_program("calls", Inline::None, kernel);
}
