//! A short slice of `cargo xtask fuzz`, always the same: kernels as trees on interpreter and emitted text.

use doublecrunch::backend::skip::skip;
use random_kernels::run::{Only, Slice, describe};
use random_kernels::{generate, inputs};

/// Runs so many kernels on the interpreter and the backends of a pattern; prints a note where there is none.
fn same_bits(pattern: &str, kernels: u64) {
    let slice = Slice {
        units: (0..kernels).map(|n| generate::unit(7, n)).collect(),
        seed: 7,
        rows: 1536,
        folder: std::env::temp_dir(),
        profile: "dev".into(),
        prebuilt: None,
    };
    let filter = format!("interpreter,{pattern}");
    let filter = filter.parse().expect("names of backends");
    let outcome = slice
        .run(&filter, Some(Only::Text), None)
        .unwrap_or_else(|e| panic!("{e}"));
    if outcome.backends.len() < 2 {
        let why: Vec<&str> = outcome.absent.values().map(String::as_str).collect();
        return skip(pattern, &format!("random kernels: {}", why.join("; ")));
    }
    let columns = inputs::columns(slice.seed, slice.rows);
    let findings: Vec<String> = outcome
        .findings
        .iter()
        .map(|f| {
            format!(
                "kernel {}: {}",
                f.unit,
                describe(&slice.units[f.unit], f, &columns)
            )
        })
        .collect();
    assert!(findings.is_empty(), "{}", findings.join("\n"));
    for backend in &outcome.backends {
        let run = outcome.evaluations.get(backend.id()).copied();
        assert_eq!(run, Some(kernels * 1536), "{}", backend.id());
    }
}

#[test]
fn on_host_run_cuda_text() {
    same_bits("cuda-host", 240);
}

#[test]
fn on_pocl() {
    same_bits("opencl:pocl", 72);
}
