//! The CUDA text on the host: preceded by a shim of the intrinsics, followed by a launcher.

use std::fmt::Write as _;

use super::{MERGED, Signature, Source, merge_entry};

/// C++ definitions of the CUDA built-ins that emitted text uses.
pub const HOST_SHIM: &str = concat!(include_str!("host_grid.h"), include_str!("host_shim.h"));

/// The definitions of arithmetic, which are valid C as well.
pub(super) const ARITHMETIC: &str = include_str!("host_shim.h");

/// A C++17 translation unit that runs a CUDA text on the CPU.
///
/// Build it with `-ffp-contract=off` (required: g++ contracts through inlined functions) as a shared library or
/// together with a `main`. It exports, besides the kernel itself, one of
///
/// ```c
/// void dc_launch_point(unsigned grid, unsigned block, const unsigned long long *const *in,
///                      unsigned long long *const *out, unsigned long long n);
/// void dc_launch_sweep(unsigned grid, unsigned block, unsigned long long first, unsigned long long n,
///                      unsigned long long *records);
/// void dc_launch_maxima(unsigned grid, unsigned block, unsigned long long first, unsigned long long n,
///                       const unsigned long long *pieces, unsigned long long many, unsigned long long *records);
/// ```
///
/// which run `grid * block` simulated threads one after the other. All may be called from several threads. Together with the last two, it
/// also exports `dc_launch_merge`, with the arguments of the second kernel described in [`Signature::Sweep`].
#[must_use]
pub fn host_cuda(source: &Source) -> String {
    let entry = &source.entry;
    let (params, args) = match &source.signature {
        Signature::Point { inputs, outputs } => {
            let ins = (0..inputs.len()).map(|i| format!("in[{i}], "));
            let outs = (0..outputs.len()).map(|i| format!("out[{i}], "));
            (
                "const unsigned long long *const *in, unsigned long long *const *out, unsigned long long n",
                ins.chain(outs).collect::<String>() + "n",
            )
        }
        Signature::Sweep => (
            "unsigned long long first, unsigned long long n, unsigned long long *records",
            "first, n, records".to_string(),
        ),
        Signature::Maxima => (
            "unsigned long long first, unsigned long long n, const unsigned long long *pieces, unsigned long long many, \
             unsigned long long *records",
            "first, n, pieces, many, records".to_string(),
        ),
    };
    let launcher = match source.signature {
        Signature::Point { .. } => "dc_launch_point",
        Signature::Sweep => "dc_launch_sweep",
        Signature::Maxima => "dc_launch_maxima",
    };
    let mut text = format!(
        "{HOST_SHIM}{}\nextern \"C\" void {launcher}(unsigned grid, unsigned block, {params}) {{\n    \
         gridDim.x = grid;\n    blockDim.x = block;\n    \
         for (unsigned b = 0; b < grid; ++b) {{\n        for (unsigned t = 0; t < block; ++t) {{\n            \
         blockIdx.x = b;\n            threadIdx.x = t;\n            {entry}({args});\n        }}\n    }}\n}}\n",
        source.text
    );
    if source.signature.has_records() {
        let _ = write!(
            text,
            "extern \"C\" void dc_launch_merge(const unsigned long long *records, unsigned long long n, \
             unsigned long long *merged, unsigned long long sentinel) {{\n    \
             gridDim.x = (unsigned)((n + {last}) / {MERGED});\n    blockDim.x = 32;\n    \
             for (unsigned b = 0; b < gridDim.x; ++b) {{\n        for (unsigned t = 0; t < 32; ++t) {{\n            \
             blockIdx.x = b;\n            threadIdx.x = t;\n            {merge}(records, n, merged, sentinel);\n        \
             }}\n    }}\n}}\n",
            last = MERGED - 1,
            merge = merge_entry(entry),
        );
    }
    text
}
