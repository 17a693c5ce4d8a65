//! The fuzzers' corpus, replayed: defects that were found once stay fixed, and the properties of `fuzz/` are checked on
//! every machine that runs the tests. `cargo fuzz run range` extends the corpus; see CONTRIBUTING.md.

#[path = "../fuzz/src/lib.rs"]
mod properties;

use std::path::Path;

fn replay(target: &str, property: fn(&[u8])) {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("fuzz/corpus")
        .join(target);
    let mut inputs = 0;
    for entry in std::fs::read_dir(&folder).expect("the corpus") {
        let path = entry.expect("an entry").path();
        println!("{}", path.display());
        property(&std::fs::read(&path).expect("an input"));
        inputs += 1;
    }
    assert!(inputs >= 10, "{inputs} inputs in {}", folder.display());
}

#[test]
fn ranges() {
    replay("range", properties::range);
}

#[test]
fn run_files() {
    replay("run_file", properties::run_file);
}
