//! The text of a search for only the largest errors, for CUDA. On pieces of neighbouring keys, the routine's results are compared with a
//! polynomial of the function. A branch evaluates the reference if an error may be a record.
//!
//! A thread takes keys at a stride, as in a full search (`search_cuda`), piece by piece: the data of a piece is read once for all of its
//! keys. Each thread has its own records. They begin at 0, so a thread measures some inputs at first, and then one in thousands. There is
//! neither a histogram nor a count of misrounded inputs. The record has the number of measured inputs in their place.

use std::fmt::Write as _;

use super::c::Writer;
use super::expr::float;
use super::link::Linked;
use super::record::{NO_KEY, RECORD};
use super::search_cuda::{BLOCK, Grid, faults, merge_text, weights, write_check};
use super::sweep::{Sweep, Words, kernel_name, signature, unfit};
use super::{Dialect, EmitError, Options, Signature, Source};
use crate::ops::Prim;
use crate::program::Program;
use crate::reduction::{self, Word};

/// The words of a piece, in order: its number of keys, and the bits of doubles. The function is `base + low + slope τ + curve τ²`. `τ` is
/// `start` at the first key and grows by `step`, a power of two of which `start` is a multiple. `ulp` is the function's last place. If no
/// polynomial is known, `base` is a NaN.
pub const PIECE: &[&str] = &[
    "count", "base", "low", "slope", "curve", "start", "step", "ulp",
];

/// A search for only the largest errors.
#[derive(Debug, Clone, Copy)]
pub struct Maxima<'a> {
    /// The search; `F64`, without a fast path.
    pub sweep: Sweep<'a>,
    /// Whether a result is a number within a limit of the polynomial: (result, τ, base, low, slope, curve, limit), all `F64`, to `Mask`.
    pub near: &'a Program,
    /// The digest term of only a result: (the key times `key_factor`, wrapping: `I64`, result) to `I64`.
    pub digest_term: &'a Program,
    /// The factor of the keys; the loop updates the product by addition.
    pub key_factor: i64,
    /// The largest difference, in ULP, between an error computed from a polynomial and the error from the reference.
    pub slack: f64,
    /// The largest record, in ULP, for which results are compared with a polynomial.
    pub largest: f64,
}

/// The search kernel; see [`Signature::Maxima`] for its arguments and [`RECORD`] for its results. In these, bin 0 is the number of measured
/// inputs that have an error, `misrounded` is the number of all measured inputs, and the digest covers only the results.
///
/// # Errors
/// If the programs' signatures differ from those in [`Maxima`], or the language is not CUDA's.
pub fn maxima_kernel(maxima: &Maxima, options: &Options) -> Result<Source, EmitError> {
    use Prim::{F64, I64, Mask};
    let sweep = Sweep {
        fast_path: None,
        ..maxima.sweep
    };
    sweep.check()?;
    if options.dialect != Dialect::Cuda || sweep.precision != F64 {
        return Err(EmitError(
            "a search for the largest errors alone is of CUDA C and of F64".into(),
        ));
    }
    let parts = [
        ("the comparison", maxima.near, vec![F64; 7], Mask),
        ("the digest", maxima.digest_term, vec![I64, F64], I64),
    ];
    for (role, program, params, result) in parts {
        if signature(program) != (params.clone(), vec![result]) {
            return Err(unfit(role, program, &format!("{params:?} -> {result:?}")));
        }
    }
    let title = format!(
        "{} against {}, its largest errors: a search by DoubleCrunch",
        sweep.approx.name(),
        sweep.reference.entry().name
    );
    let lang = options.lang();
    let lang = lang.as_ref();
    let mut linked = Linked::default();
    let calls = [sweep.approx.program()?, sweep.reference, sweep.metric].map(|p| linked.add(p));
    // What is near is a number; what is not may be a NaN, whose bits are made canonical.
    let near = linked.add_raw(maxima.near);
    let term = linked.add_raw(maxima.digest_term);
    let any_term = linked.add(maxima.digest_term);
    let name = kernel_name(&sweep, &mut linked);
    let mut writer = Writer::new(lang, &linked, options.line_directives);
    let function = |i: usize| linked.funcs[i].name.clone();
    let text = Text {
        grid: Grid {
            lang,
            sweep: &sweep,
            calls: calls.map(function),
            fast_path: None,
        },
        maxima,
        near: function(near),
        term: function(term),
        any_term: function(any_term),
    };
    let text = text.kernels(&name, &mut writer);
    Ok(Source {
        text: writer.finish(&title, &text),
        entry: name,
        dialect: options.dialect,
        lanes: 1,
        signature: Signature::Maxima,
    })
}

struct Text<'a> {
    grid: Grid<'a>,
    maxima: &'a Maxima<'a>,
    /// Names in the text.
    near: String,
    term: String,
    any_term: String,
}

impl Text<'_> {
    fn kernels(&self, name: &str, writer: &mut Writer) -> String {
        let zero = self.grid.double(0);
        let mut text = format!(
            "extern \"C\" __launch_bounds__({BLOCK}) __global__ void {name}(const unsigned long long first, \
             const unsigned long long n, const unsigned long long *__restrict__ pieces, const unsigned long long many, \
             unsigned long long *__restrict__ records) {{\n    \
             const unsigned int item = blockIdx.x * blockDim.x + threadIdx.x;\n    \
             const unsigned int items = gridDim.x * blockDim.x;\n    \
             unsigned long long *record = records + item * {words}ull;\n    \
             for (int i = 0; i < {words}; ++i) record[i] = 0ull;\n    \
             record[{count}] = item < n ? (n - item - 1ull) / items + 1ull : 0ull;\n    \
             unsigned long long key = first + item;\n\
             {weights}    \
             // The first key that counts, unless it turns out to be excluded.\n    \
             unsigned long long counted_key = key;\n    \
             unsigned long long digest = 0ull;\n    \
             // How many inputs were measured, and how many of them have an error.\n    \
             unsigned int misrounded = 0u;\n    unsigned int counted = 0u;\n    \
             double most = {zero};\n    double least = {zero};\n    \
             unsigned long long most_key = 0x{NO_KEY:016x}ull;\n    \
             unsigned long long least_key = 0x{NO_KEY:016x}ull;\n    \
             // How far the next key is from the first one of the piece.\n    \
             unsigned int at = item;\n    \
             for (unsigned long long p = 0ull; p < many; ++p) {{\n        \
             const unsigned long long *const piece = pieces + p * {each}ull;\n        \
             const unsigned int count = (unsigned int)piece[0];\n",
            words = RECORD.len(),
            count = Word::Count.place(),
            weights = weights(self.maxima.key_factor),
            each = PIECE.len(),
        );
        for (i, name) in PIECE.iter().enumerate().skip(1) {
            let value = self
                .grid
                .lang
                .float_of_bits(Prim::F64, &format!("piece[{i}]"));
            let _ = writeln!(text, "        const double {name} = {value};");
        }
        let _ = write!(
            text,
            "        // Multiples of a power of two: nothing here is rounded.\n        \
             double tau = __dadd_rn(start, __dmul_rn((double)at, step));\n        \
             const double tau_step = __dmul_rn((double)items, step);\n        \
             double middle = {zero};\n        double limit = {zero};\n"
        );
        for line in self.limits() {
            let _ = writeln!(text, "        {line}");
        }
        text.push_str(
            "#ifdef __CUDACC__\n#pragma unroll 1\n#endif\n        for (; at < count; at += items) {\n",
        );
        for line in self.body(writer) {
            let _ = writeln!(text, "            {line}");
        }
        text.push_str("        }\n        at -= count;\n    }\n");
        self.grid.write_extremes(&mut text);
        let _ = writeln!(text, "    record[{}] = counted;", Word::Bin(0).place());
        write_check(&mut text);
        text.push_str("}\n\n");
        text + &merge_text(name)
    }

    /// The consequence for a result of the records on both sides: the polynomial is moved by half the difference of the records, and the
    /// limit is half their sum. If the limit is negative, no result is near.
    fn limits(&self) -> Vec<String> {
        let double = |x: f64| float(self.grid.lang, Prim::F64, x.to_bits());
        let (half, slack, largest) = (
            double(0.5),
            double(self.maxima.slack),
            double(self.maxima.largest),
        );
        vec![
            format!(
                "middle = __dadd_rn(low, __dmul_rn(__dmul_rn(__dadd_rn(most, least), {half}), ulp));"
            ),
            format!("limit = __dsub_rn(__dmul_rn(__dsub_rn(most, least), {half}), {slack});"),
            format!(
                "limit = (most < {largest}) & (least > -{largest}) ? __dmul_rn(limit, ulp) : -1.0;"
            ),
        ]
    }

    /// The loop's body: one key.
    fn body(&self, writer: &mut Writer) -> Vec<String> {
        let Words { both, scale, .. } = Words::of(self.grid.lang, self.grid.sweep);
        let metric = &self.grid.calls[2];
        let mut lines = self.grid.routine();
        lines.extend([
            format!(
                "if ({}(a, tau, base, middle, slope, curve, limit)) {{",
                self.near
            ),
            format!("    digest += {}(weight, a);", self.term),
            "} else {".into(),
        ]);
        let mut measured = vec![
            self.grid.reference(writer),
            format!(
                "const {} j = {metric}(key, a, {both}{scale});",
                writer.returns(&signature(self.grid.sweep.metric).1)
            ),
            format!("digest += {}(weight, a);", self.any_term),
            "misrounded += 1u;".into(),
        ];
        measured.extend(faults());
        measured.extend([
            format!("if (j.r2 & {}ull) {{", reduction::EXCLUDED.bit()),
            "    counted_key += counted_key == key ? items : 0ull;".into(),
            "} else {".into(),
            "    counted += 1u;".into(),
            "    if (j.r0 > most) { most = j.r0; most_key = key; }".into(),
            "    if (j.r0 < least) { least = j.r0; least_key = key; }".into(),
        ]);
        measured.extend(self.limits().into_iter().map(|line| format!("    {line}")));
        measured.push("}".into());
        lines.extend(measured.into_iter().map(|line| format!("    {line}")));
        lines.extend([
            "}".into(),
            "tau = __dadd_rn(tau, tau_step);".into(),
            "weight += weight_step;".into(),
            "key += items;".into(),
        ]);
        lines
    }
}
