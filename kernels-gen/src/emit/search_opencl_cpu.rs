//! Text of the search kernel for OpenCL processors: chunks of keys in three passes, on vectors.
//!
//! A work item processes chunk after chunk of [`CHUNK`] keys. For each chunk, one loop stores the routine's results in a column, a second
//! stores the references, and a third computes the metric and reduces. A single loop would need more registers than the processor has (PoCL
//! 3.1 on AVX2: three times the time), and the metric is fastest on vectors of the size of a register.
//!
//! The third pass first uses the fast path (see [`FastPath`]), whose sums stay in lanes. Only if it does not hold for the whole chunk, the
//! metric is computed for every input, and the results are added input by input.

use std::fmt::Write as _;

use super::c::Writer;
use super::expr::{float, operation};
use super::lang::{Lang, int_of};
use super::sweep::{FastPath, Sweep, signature};
use super::totals;
use crate::ops::{Op, Prim};
use crate::reduction::ONE_WORD;

/// Keys per chunk. This is a multiple of 15 metric vectors of any width, with at most 255 of them, which the bytes of a histogram can
/// count. It is small enough that the columns, of 16 KB (20 with a scale), stay in the first-level cache.
pub(super) const CHUNK: u32 = 480;
/// The number of vectors after which a nibble of the histogram could overflow.
const NIBBLE: u32 = 15;

/// The parts of the kernel.
pub(super) struct Passes<'a> {
    pub sweep: &'a Sweep<'a>,
    /// The vectors of the routine and its reference.
    pub lang: &'a dyn Lang,
    /// The vectors of the metric.
    pub metric: &'a dyn Lang,
    /// The names of approximation, reference and metric in the text.
    pub calls: [String; 3],
    /// The fast path, under its name in the text.
    pub fast_path: Option<(&'a FastPath<'a>, String)>,
}

impl Passes<'_> {
    /// `first`, `first + 1`, … from a scalar.
    fn keys(lang: &dyn Lang, first: &str) -> String {
        let numbers: Vec<String> = (0..lang.lanes()).map(|lane| format!("{lane}UL")).collect();
        format!("{first} + ({})({})", lang.ty(Prim::I64), numbers.join(", "))
    }

    /// Whether a reference has two words.
    fn double_double(&self) -> bool {
        signature(self.sweep.reference).1.len() >= 2
    }

    /// Whether the reference has a scale as well.
    fn scaled(&self) -> bool {
        signature(self.sweep.reference).1.len() == 3
    }

    /// The columns as parameters, and as arguments.
    fn columns(&self) -> (String, &'static str) {
        let result = self.lang.scalar(self.sweep.precision);
        let mut params = format!("const {result} *results, const double *his");
        if self.double_double() {
            params += ", const double *los";
        }
        if self.scaled() {
            params += ", const ulong *scales";
        }
        let args = match (self.double_double(), self.scaled()) {
            (_, true) => "results, his, los, scales",
            (true, _) => "results, his, los",
            _ => "results, his",
        };
        (params, args)
    }

    /// Code that loads an input's result and reference from the columns; the arguments of the fast path; the further arguments of the
    /// metric.
    fn load(&self) -> (String, String, String) {
        let metric = self.metric;
        let (lanes, a, d) = (
            metric.lanes(),
            metric.ty(self.sweep.precision),
            metric.ty(Prim::F64),
        );
        let load = |ty: &str, name: &str, column: &str| {
            format!("        const {ty} {name} = vload{lanes}(0, {column} + i);\n")
        };
        let mut text = load(&a, "result", "results") + &load(&d, "hi", "his");
        let words = match (self.double_double(), self.sweep.precision) {
            (true, _) => {
                text += &load(&d, "lo", "los");
                "hi, lo".to_string()
            }
            (false, Prim::F64) => format!("hi, {}", float(metric, Prim::F64, 0)),
            _ => "hi".to_string(),
        };
        let scale = match self.sweep.precision {
            Prim::F64 if self.scaled() => {
                text += &load(&metric.ty(Prim::I64), "scale", "scales");
                ", scale".into()
            }
            Prim::F64 if self.double_double() => {
                format!(", {}", metric.splat(Prim::I64, "0UL"))
            }
            Prim::F64 => {
                let word = format!("0x{ONE_WORD:016x}UL");
                format!(", {}", metric.splat(Prim::I64, &word))
            }
            _ => String::new(),
        };
        (text, format!("result, {words}"), scale)
    }

    /// `dc_input`: inputs from keys.
    fn input(&self) -> String {
        let (lang, p) = (self.lang, self.sweep.precision);
        let i = int_of(p);
        let (word, x, keys) = (lang.ty(i), lang.ty(p), lang.ty(Prim::I64));
        let (code, top) = match i {
            Prim::I64 => ("key".to_string(), 63),
            _ => (lang.resize(i, "key"), 31),
        };
        let sign = lang.as_unsigned(i, &format!("({} >> {top})", lang.as_signed(i, "code")));
        format!(
            "// Inputs from keys, which are in the order of the reals.\n\
             {} {x} dc_input({keys} key) {{\n{}    const {word} code = {code};\n    \
             const {word} negative = {sign};\n    const {word} bits = code ^ (negative >> 1);\n    \
             return {};\n}}\n\n",
            lang.function(),
            lang.pragma(),
            lang.float_of_bits(p, "bits")
        )
    }

    /// `dc_measure_chunk`: the third pass with the metric.
    fn measured(&self, writer: &mut Writer) -> String {
        let metric = self.metric;
        let (lanes, metric_name) = (metric.lanes(), &self.calls[2]);
        let (params, _) = self.columns();
        let (load, args, scale) = self.load();
        let verdict = writer.returns(&signature(self.sweep.metric).1);
        format!(
            "// Measures the first inputs of a chunk and adds them one by one.\n\
             {} void dc_measure_chunk(dc_total *total, ulong base, ulong live, {params}) {{\n{}    \
             double errors[{lanes}];\n    ulong bins[{lanes}], flags[{lanes}], mixes[{lanes}];\n    \
             for (ulong i = 0UL; i < live; i += {lanes}UL) {{\n        \
             const {} key = {};\n{load}        \
             const {verdict} j = {metric_name}(key, {args}{scale});\n        \
             vstore{lanes}(j.r0, 0, errors);\n        vstore{lanes}(j.r1, 0, bins);\n        \
             vstore{lanes}(j.r2, 0, flags);\n        vstore{lanes}(j.r3, 0, mixes);\n        \
             const ulong here = min(live - i, {lanes}UL);\n        \
             for (ulong lane = 0UL; lane < here; ++lane) {{\n            \
             dc_add(total, base + i + lane, errors[lane], bins[lane], flags[lane], mixes[lane]);\n        }}\n    \
             }}\n}}\n\n",
            metric.function(),
            metric.pragma(),
            metric.ty(Prim::I64),
            Self::keys(metric, "base + i"),
        )
    }

    /// `dc_add_fast_path`: the third pass with the fast path.
    fn fast_path(&self, writer: &mut Writer) -> Option<String> {
        let (fast_path, call) = self.fast_path.as_ref()?;
        let metric = self.metric;
        let lanes = metric.lanes();
        let (u, d, m) = (
            metric.ty(Prim::I64),
            metric.ty(Prim::F64),
            metric.ty(Prim::Mask),
        );
        let (params, _) = self.columns();
        let (load, args, _) = self.load();
        let verdict = writer.returns(&signature(fast_path.program).1);
        let unscaled = match self.scaled() {
            true => format!(
                "\n        holds &= scale == {};",
                metric.splat(Prim::I64, "0UL")
            ),
            false => String::new(),
        };
        let (none, zero) = (float(metric, Prim::F64, 0), metric.splat(Prim::I64, "0UL"));
        let (factor, nibbles) = (
            format!("0x{:016x}UL", fast_path.key_factor),
            "0x0f0f0f0f0f0f0f0fUL",
        );
        let sums = totals::sums(metric) + &totals::raise(metric);
        Some(format!(
            "{sums}// Adds a whole chunk if the fast path holds for all of it. A nibble counts a bin in {NIBBLE}\n\
             // vectors; nibbles are added to bytes.\n\
             {} bool dc_add_fast_path(dc_total *total, dc_sums *sums, double *errors, ulong base, {params}) {{\n{}    \
             {m} holds = {};\n    {d} largest = {none};\n    {d} smallest = {none};\n    \
             {u} wrong = {zero};\n    {u} mixes = {zero};\n    {u} even = {zero};\n    {u} odd = {zero};\n    \
             // The keys times a factor.\n    \
             {u} weight = ({}) * {factor};\n    \
             for (ulong from = 0UL; from < {CHUNK}UL; from += {}UL) {{\n    \
             {u} nibbles = {zero};\n    \
             for (ulong i = from; i < from + {}UL; i += {lanes}UL) {{\n{load}        \
             const {verdict} j = {call}(weight, {args});\n        \
             weight += {lanes}UL * {factor};\n        \
             vstore{lanes}(j.r0, 0, errors + i);\n        \
             largest = j.r0 > largest ? j.r0 : largest;\n        \
             smallest = j.r0 < smallest ? j.r0 : smallest;\n        \
             nibbles += {} << ((j.r1 & 15UL) << 2);\n        \
             wrong -= as_{u}(j.r2);\n        mixes += j.r3;\n        holds &= j.r4;{unscaled}\n    }}\n    \
             even += nibbles & {nibbles};\n    odd += (nibbles >> 4) & {nibbles};\n    }}\n    \
             if (!all(holds)) return false;\n    total->count += {CHUNK}UL;\n{}    \
             dc_raise(total, base, errors, largest, smallest);\n    return true;\n}}\n\n",
            metric.function(),
            metric.pragma(),
            metric.splat(Prim::Mask, "true"),
            Self::keys(metric, "base"),
            lanes * NIBBLE,
            lanes * NIBBLE,
            metric.splat(Prim::I64, "1UL"),
            totals::take_chunk(),
        ))
    }

    /// The loops of the first two passes.
    fn fill(&self, writer: &mut Writer) -> String {
        let (lang, p) = (self.lang, self.sweep.precision);
        let (lanes, x) = (lang.lanes(), lang.ty(p));
        let [approx, reference, _] = &self.calls;
        let (params, results) = signature(self.sweep.reference);
        let input = match params[0] == p {
            true => "x".to_string(),
            false => operation(lang, Op::ToF64, p, Prim::F64, &["x".into()], writer.need()),
        };
        let words = writer.returns(&results);
        let mut stores = match self.double_double() {
            true => format!(
                "vstore{lanes}(r.r0, 0, his + i);\n            vstore{lanes}(r.r1, 0, los + i);"
            ),
            false => format!("vstore{lanes}(r, 0, his + i);"),
        };
        if self.scaled() {
            let _ = write!(stores, "\n            vstore{lanes}(r.r2, 0, scales + i);");
        }
        let keys = Self::keys(lang, "base + i");
        format!(
            "        for (ulong i = 0UL; i < {CHUNK}UL; i += {lanes}UL) {{\n            \
             const {x} x = dc_input({keys});\n            \
             const {x} a = {approx}(x);\n            vstore{lanes}(a, 0, results + i);\n        }}\n        \
             for (ulong i = 0UL; i < {CHUNK}UL; i += {lanes}UL) {{\n            \
             const {x} x = dc_input({keys});\n            \
             const {words} r = {reference}({input});\n            {stores}\n        }}\n"
        )
    }

    /// The functions and the kernel. `writer` has the routine and its reference, `metric` the kernels of the metric.
    pub fn kernel(&self, name: &str, writer: &mut Writer, metric: &mut Writer) -> String {
        let (_, args) = self.columns();
        let result = self.lang.scalar(self.sweep.precision);
        let aligned = "__attribute__((aligned(64)))";
        let mut text = totals::total(self.metric) + &self.input() + &self.measured(metric);
        let fast_path = self.fast_path(metric);
        text += fast_path.as_deref().unwrap_or_default();
        let _ = write!(
            text,
            "__kernel void {name}(const ulong first, const ulong n, __global ulong *restrict records) {{\n{}    \
             const ulong item = (ulong)get_global_id(0);\n    const ulong items = (ulong)get_global_size(0);\n{}",
            self.lang.pragma(),
            totals::start(),
        );
        let mut columns = vec![(result, "results"), ("double", "his")];
        if self.double_double() {
            columns.push(("double", "los"));
        }
        if self.scaled() {
            columns.push(("ulong", "scales"));
        }
        if fast_path.is_some() {
            text += &totals::start_sums(self.metric);
            columns.push(("double", "errors"));
        }
        for (ty, column) in columns {
            let _ = writeln!(text, "    {ty} {column}[{CHUNK}] {aligned};");
        }
        let _ = write!(
            text,
            "    const ulong chunks = n / {CHUNK}UL + (n % {CHUNK}UL != 0UL ? 1UL : 0UL);\n    \
             for (ulong chunk = item; chunk < chunks; chunk += items) {{\n        \
             const ulong done = chunk * {CHUNK}UL;\n        const ulong base = first + done;\n        \
             const ulong live = min(n - done, {CHUNK}UL);\n        \
             // Keys past the end are evaluated, and not measured.\n{}",
            self.fill(writer)
        );
        if fast_path.is_some() {
            let _ = writeln!(
                text,
                "        if (live == {CHUNK}UL && dc_add_fast_path(&total, &sums, errors, base, {args})) continue;"
            );
        }
        let _ = writeln!(
            text,
            "        dc_measure_chunk(&total, base, live, {args});\n    }}"
        );
        if fast_path.is_some() {
            text += &totals::finish_sums(self.metric);
        }
        text + &totals::store() + "}\n"
    }
}
