//! Rivals in CUDA, as a backend takes them.

use std::path::Path;

use kernels_gen::emit::{Dialect, Signature, Source, merge_text};

use crate::cuda_text;

/// A rival with the kernel that merges records.
pub fn source(kernel: &str) -> Source {
    let text = cuda_text::text(Path::new(env!("CARGO_MANIFEST_DIR")), kernel);
    Source {
        text: text + "\n" + &merge_text(cuda_text::ENTRY),
        entry: cuda_text::ENTRY.into(),
        dialect: Dialect::Cuda,
        lanes: 1,
        signature: Signature::Sweep,
    }
}
