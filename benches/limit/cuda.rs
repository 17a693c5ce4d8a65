//! Rivals in CUDA, in the form that a backend accepts.

use std::path::Path;

use kernels_gen::emit::{Dialect, Signature, Source, merge_text};

use crate::cuda_text;

/// A rival with the kernel that merges records.
pub fn source(kernel: &str) -> Source {
    source_in(
        &Path::new(env!("CARGO_MANIFEST_DIR")).join("benches/rivals"),
        kernel,
    )
}

/// The same from another folder.
pub fn source_in(folder: &Path, kernel: &str) -> Source {
    let text = cuda_text::text_in(folder, kernel);
    Source {
        text: text + "\n" + &merge_text(cuda_text::ENTRY),
        entry: cuda_text::ENTRY.into(),
        dialect: Dialect::Cuda,
        lanes: 1,
        signature: Signature::Sweep,
    }
}
