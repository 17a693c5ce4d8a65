//! Text of the search kernel for CUDA: a grid of threads, each of which takes keys at a stride, and a second kernel
//! that merges their records.
//!
//! Nearly every input of a search takes the fast path: its error is below 2 ULP and not a new extreme, and it has no other special
//! property. For such an input, the fast path updates only the digest, the count of misrounded inputs and a counter of the histogram. All
//! others take a branch to the metric itself. A warp diverges only for the few threads that need it. So the masks and selects that other
//! backends compute for every input are not needed here. Without a fast path, every input takes the branch.
//!
//! Rarely used data is kept outside registers, so more warps fit. The histogram is in shared memory, with separate counters for each
//! thread, so no two threads write the same counter. Faults are in the thread's record. An input on the fast path is misrounded if its
//! error is half an ULP or more. So the number of misrounded inputs follows from the histogram, and only the difference from it is counted
//! input by input. Absolute and relative errors have other bins, so for them the difference is counted for all inputs.

use std::fmt::Write as _;

use super::c::Writer;
use super::expr::{float, operation};
use super::lang::{Lang, int_of};
use super::record::{CHECK, NO_KEY, RECORD, check_weight};
use super::sweep::{Sweep, Words, signature};
use super::totals::flagged;
use crate::ops::{Op, Prim};
use crate::reduction::{self, Extreme, HALF_BIN, Join, WORDS, Word};

/// The number of threads per block for which the text reserves shared memory. A launch may have fewer.
pub const BLOCK: u32 = 128;
/// The number of records that the second kernel merges into one.
pub const MERGED: u32 = 128;

/// The second kernel's name.
#[must_use]
pub fn merge_entry(entry: &str) -> String {
    format!("{entry}_merge")
}

/// The parts of the kernel.
pub(super) struct Grid<'a> {
    pub lang: &'a dyn Lang,
    pub sweep: &'a Sweep<'a>,
    /// Names of approximation, reference, metric and the fast path in the text.
    pub calls: [String; 3],
    pub fast_path: Option<String>,
}

/// The largest double below 2.
const BELOW_2: u64 = 0x3fff_ffff_ffff_ffff;

impl Grid<'_> {
    pub fn double(&self, bits: u64) -> String {
        float(self.lang, Prim::F64, bits)
    }

    /// Both kernels.
    pub fn kernels(&self, name: &str, writer: &mut Writer) -> String {
        let mut text = format!(
            "extern \"C\" __launch_bounds__({BLOCK}) __global__ void {name}(const unsigned long long first, \
             const unsigned long long n, unsigned long long *__restrict__ records) {{\n"
        );
        let (zero, below_2) = (self.double(0), self.double(BELOW_2));
        let _ = write!(
            text,
            "    // A counter a thread and bin.\n    \
             __shared__ unsigned int bins[16][{BLOCK}];\n    \
             const unsigned long long item = (unsigned long long)blockIdx.x * blockDim.x + threadIdx.x;\n    \
             const unsigned long long items = (unsigned long long)gridDim.x * blockDim.x;\n    \
             const unsigned long long mine = item < n ? (n - item - 1ull) / items + 1ull : 0ull;\n    \
             unsigned long long *record = records + item * {words}ull;\n    \
             for (int i = 0; i < {words}; ++i) record[i] = 0ull;\n    \
             record[{count}] = mine;\n    \
             unsigned int *const counters = &bins[0][threadIdx.x];\n    \
             for (int i = 0; i < 16; ++i) bins[i][threadIdx.x] = 0u;\n    \
             unsigned long long key = first + item;\n",
            words = RECORD.len(),
            count = Word::Count.place(),
        );
        if let Some(fast_path) = self.sweep.fast_path {
            text.push_str(&weights(fast_path.key_factor));
        }
        let _ = write!(
            text,
            "    // The first key that counts, unless it turns out to be excluded.\n    \
             unsigned long long counted_key = key;\n    \
             unsigned long long digest = 0ull;\n    \
             // How many more than have errors from one half on, modulo 2^32.\n    \
             unsigned int misrounded = 0u;\n    \
             double most = {zero};\n    double least = {zero};\n    \
             // The same, cut off below 2 ULP: an error between them takes the fast path.\n    \
             double above = {zero};\n    double below = {zero};\n    \
             unsigned long long most_key = 0x{NO_KEY:016x}ull;\n    \
             unsigned long long least_key = 0x{NO_KEY:016x}ull;\n    \
             // No thread takes 2^32 keys in a launch.\n\
             #ifdef __CUDACC__\n\
             #pragma unroll 1\n\
             #endif\n    \
             for (unsigned int left = (unsigned int)mine; left != 0u; --left) {{\n"
        );
        for line in self.body(writer, &below_2) {
            let _ = writeln!(text, "        {line}");
        }
        text.push_str("    }\n");
        self.write_record(&mut text);
        text.push_str("}\n\n");
        text + &merge_text(name)
    }

    /// The loop body: one key.
    fn body(&self, writer: &mut Writer, below_2: &str) -> Vec<String> {
        let (lang, sweep) = (self.lang, self.sweep);
        let metric = &self.calls[2];
        let Words {
            both: words,
            scale,
            scaled,
        } = Words::of(lang, sweep);
        let mut lines = self.routine();
        lines.push(self.reference(writer));
        let mut indent = "";
        if let (Some(short), Some(fast_path)) = (&self.fast_path, sweep.fast_path) {
            let ty = writer.returns(&signature(fast_path.program).1);
            let unscaled = if scaled { " & (r.r2 == 0ull)" } else { "" };
            lines.extend([
                format!("const {ty} o = {short}(weight, a, {words});"),
                // The condition is false for a NaN.
                format!("if (o.r4 & (o.r0 <= above) & (o.r0 >= below){unscaled}) {{"),
                format!(
                    "    counters[((unsigned int)o.r1 & {}u) * {BLOCK}u] += 1u;",
                    if fast_path.in_ulp { 7 } else { 15 }
                ),
                "    digest += o.r3;".into(),
            ]);
            if !fast_path.in_ulp {
                let beyond = beyond_half("o.r1");
                lines.push(format!("    misrounded += (o.r2 ? 1u : 0u) - ({beyond});"));
            }
            lines.extend(["} else {".into()]);
            indent = "    ";
        }
        let excluded = reduction::EXCLUDED.bit();
        let mut rare = vec![
            format!(
                "const {} j = {metric}(key, a, {words}{scale});",
                writer.returns(&signature(sweep.metric).1)
            ),
            "digest += j.r3;".into(),
        ];
        for flag in reduction::COUNTED {
            rare.push(match flag {
                reduction::MISROUNDED => {
                    let one = flagged(flag, "(unsigned int)j.r2", "u");
                    format!("{} += {one};", flag.name)
                }
                _ => format!(
                    "record[{}] += {};",
                    Word::Flagged(flag).place(),
                    flagged(flag, "j.r2", "ull")
                ),
            });
        }
        rare.extend(faults());
        rare.extend([
            format!("if (j.r2 & {excluded}ull) {{"),
            "    counted_key += counted_key == key ? items : 0ull;".into(),
            "} else {".into(),
            format!("    counters[((unsigned int)j.r1 & 15u) * {BLOCK}u] += 1u;"),
            format!("    misrounded -= {};", beyond_half("j.r1")),
            "    if (j.r0 > most) {".into(),
            "        most = j.r0;".into(),
            "        most_key = key;".into(),
            format!("        above = most < {below_2} ? most : {below_2};"),
            "    }".into(),
            "    if (j.r0 < least) {".into(),
            "        least = j.r0;".into(),
            "        least_key = key;".into(),
            format!("        below = least > -{below_2} ? least : -{below_2};"),
            "    }".into(),
            "}".into(),
        ]);
        lines.extend(rare.into_iter().map(|line| format!("{indent}{line}")));
        if self.fast_path.is_some() {
            lines.extend(["}".into(), "weight += weight_step;".into()]);
        }
        lines.push("key += items;".into());
        lines
    }

    /// A key's input `x`, and the routine's result `a`.
    pub fn routine(&self) -> Vec<String> {
        let (lang, p) = (self.lang, self.sweep.precision);
        let (word, signed, sign, rest) = match int_of(p) {
            Prim::I64 => (
                "unsigned long long",
                "long long",
                63,
                "0x7fffffffffffffffull",
            ),
            _ => ("unsigned int", "int", 31, "0x7fffffffu"),
        };
        let approx = &self.calls[0];
        vec![
            format!("const {word} code = ({word})key;"),
            format!("const {word} bits = code ^ (({word})(({signed})code >> {sign}) & {rest});"),
            format!(
                "const {} x = {};",
                lang.ty(p),
                lang.float_of_bits(p, "bits")
            ),
            format!("const {} a = {approx}(x);", lang.ty(p)),
        ]
    }

    /// The reference `r`.
    pub fn reference(&self, writer: &mut Writer) -> String {
        let (lang, p) = (self.lang, self.sweep.precision);
        let (params, results) = signature(self.sweep.reference);
        let input = match params[0] == p {
            true => "x".to_string(),
            false => operation(lang, Op::ToF64, p, Prim::F64, &["x".into()], writer.need()),
        };
        let ty = writer.returns(&results);
        format!("const {ty} r = {}({input});", self.calls[1])
    }

    /// Writes a thread's record. The number in `misrounded` so far excludes the inputs with errors from one half on.
    fn write_record(&self, text: &mut String) {
        let _ = writeln!(
            text,
            "    for (int i = {HALF_BIN}; i < 16; ++i) misrounded += bins[i][threadIdx.x];"
        );
        self.write_extremes(text);
        let _ = writeln!(
            text,
            "    for (int i = 0; i < 16; ++i) record[{bins} + i] = bins[i][threadIdx.x];",
            bins = Word::Bin(0).place(),
        );
        write_check(text);
    }

    /// The words of a thread's record that the loop keeps in variables.
    pub fn write_extremes(&self, text: &mut String) {
        let bits = |x: &str| self.lang.raw_bits(Prim::F64, x);
        let _ = write!(
            text,
            "    const double lowest = -least;\n    \
             // An error of 0 attains the maximum if there is no other: at the first key that counted.\n    \
             const bool some = counted_key != key;\n    \
             const bool zero = !(most > {zero} || lowest > {zero});\n    \
             const bool upper = (most > lowest) | ((most == lowest) & ((long long)most_key < (long long)least_key));\n    \
             const unsigned long long extreme_key = upper ? most_key : least_key;\n",
            zero = self.double(0),
        );
        for (place, word) in WORDS.into_iter().enumerate() {
            let value = match word {
                Word::Extreme(Extreme::Either) => bits("(upper ? most : fabs(lowest))"),
                Word::ExtremeKey(Extreme::Either) => {
                    format!("zero ? (some ? counted_key : 0x{NO_KEY:016x}ull) : extreme_key")
                }
                Word::Extreme(Extreme::Above) => bits("most"),
                Word::ExtremeKey(Extreme::Above) => "most_key".into(),
                Word::Extreme(Extreme::Below) => bits("fabs(least)"),
                Word::ExtremeKey(Extreme::Below) => "least_key".into(),
                Word::Flagged(reduction::MISROUNDED) | Word::Digest => word.name().into(),
                // These are in the record all along; bins and check come below.
                Word::Count | Word::Flagged(_) | Word::FirstKey(_) => continue,
                Word::Bin(_) | Word::Check => continue,
            };
            let _ = writeln!(text, "    record[{place}] = {value};");
        }
    }
}

/// Writes a record's check, computed from the words in the record.
///
/// The check is 0 until it is written here. Computed from values in registers, including constants, it would need so many registers that
/// the preceding loop would spill.
pub(super) fn write_check(text: &mut String) {
    let _ = write!(
        text,
        "    unsigned long long check = 0ull;\n    unsigned long long check_weight = 1ull;\n\
         #ifdef __CUDACC__\n\
         #pragma unroll 11\n\
         #endif\n    \
         for (int i = 0; i < {words}; ++i) {{\n        \
         check_weight *= 0x{factor:016x}ull;\n        \
         check += record[i] * check_weight;\n    \
         }}\n    \
         record[{CHECK}] = check;\n",
        words = RECORD.len(),
        factor = check_weight(0),
    );
}

/// The variables of the loop for the digest's weights.
pub(super) fn weights(key_factor: i64) -> String {
    format!(
        "    // The key times a factor, kept up by addition.\n    \
         unsigned long long weight = key * 0x{key_factor:016x}ull;\n    \
         unsigned long long weight_step = items * 0x{key_factor:016x}ull;\n\
         #ifdef __CUDACC__\n    \
         // Known to be a product, it would be multiplied again for each key.\n    \
         asm(\"\" : \"+l\"(weight_step));\n\
         #endif\n"
    )
}

/// 1 if a bin is that of one half or a higher one, which the end of the kernel counts as misrounded.
fn beyond_half(bin: &str) -> String {
    format!("((unsigned int){bin} & 15u) >= {HALF_BIN}u ? 1u : 0u")
}

/// The statements that count the faults of a measured input.
pub(super) fn faults() -> Vec<String> {
    // They stand one beside the other.
    let any = reduction::FAULTS.iter().fold(0, |bits, f| bits | f.bit());
    let mut lines = vec![format!("if (j.r2 & {any}ull) {{")];
    for flag in reduction::FAULTS {
        let (count, key) = (Word::Flagged(flag).place(), Word::FirstKey(flag).place());
        lines.push(format!(
            "    if ({}) {{ if (record[{count}] == 0ull) record[{key}] = key; record[{count}] += 1ull; }}",
            flagged(flag, "j.r2", "ull")
        ));
    }
    lines.push("}".into());
    lines
}

/// The first and last places of the extremes with their keys, and of the faults with their keys. Each key follows the word to which it
/// belongs.
fn stretches() -> ((usize, usize), (usize, usize)) {
    let place = |join: Join| WORDS.iter().position(|w| w.joined() == join);
    let last = |join: Join| WORDS.iter().rposition(|w| w.joined() == join);
    let found = "the table has such words";
    let extremes = (
        place(Join::Larger).expect(found),
        last(Join::OfLarger).expect(found),
    );
    let faults = (
        place(Join::First).expect(found) - 1,
        last(Join::First).expect(found),
    );
    (extremes, faults)
}

/// The second kernel: block `b` merges the records from `MERGED * b` on into record `b`, with one thread per word. A word that was never
/// written still contains the sentinel and is passed on.
///
/// All threads add up the merged record's check, on top of the sentinel that it contained before: each adds its word times its weight. The
/// difference between the checks of the merged records and the sums of the words read from them is added as well. So if a record changed
/// after it was written, the check of the merged record becomes invalid.
#[must_use]
pub fn merge_text(entry: &str) -> String {
    let mut text = String::new();
    let words = RECORD.len();
    let ((first_extreme, last_extreme), (first_fault, last_fault)) = stretches();
    let _ = write!(
        text,
        "// Each word of the records {MERGED} b, {MERGED} b + 1, … as word of record b.\n\
         extern \"C\" __global__ void {name}(const unsigned long long *__restrict__ records, \
         const unsigned long long n, unsigned long long *__restrict__ merged, const unsigned long long sentinel) {{\n    \
         const unsigned long long start = (unsigned long long)blockIdx.x * {MERGED}ull;\n    \
         const unsigned long long end = n - start < {MERGED}ull ? n : start + {MERGED}ull;\n    \
         unsigned long long *const record = merged + (unsigned long long)blockIdx.x * {words}ull;\n    \
         unsigned long long weight = 1ull;\n    \
         for (unsigned int i = 0u; i < threadIdx.x; ++i) weight *= 0x{factor:016x}ull;\n    \
         for (unsigned int word = threadIdx.x; word < {words}u; word += blockDim.x) {{\n        \
         weight *= 0x{factor:016x}ull;\n        \
         // Errors (their bits are in order) and keys of extremes; counts and first keys of faults; sums.\n        \
         const bool extreme = (word >= {first_extreme}u) & (word <= {last_extreme}u);\n        \
         const bool fault_key = (word >= {first_fault}u) & (word <= {last_fault}u) & ((word - {first_fault}u) % 2u == 1u);\n        \
         const bool is_key = extreme & ((word - {first_extreme}u) % 2u == 1u);\n        \
         // What a key goes with stands before it.\n        \
         const unsigned int partner = (is_key | fault_key) ? word - 1u : word;\n        \
         unsigned long long value = is_key ? 0x{NO_KEY:016x}ull : 0ull;\n        \
         unsigned long long best = 0ull;\n        \
         unsigned long long read = 0ull;\n        \
         bool lost = false;\n        \
         for (unsigned long long i = start; i < end; ++i) {{\n            \
         const unsigned long long v = records[i * {words}ull + word];\n            \
         const unsigned long long with = records[i * {words}ull + partner];\n            \
         lost |= v == sentinel;\n            \
         read += v;\n            \
         const bool earlier = (long long)v < (long long)value;\n            \
         if (is_key) {{\n                \
         value = (with > best) | ((with == best) & earlier) ? v : value;\n                \
         best = with > best ? with : best;\n            \
         }} else if (fault_key) {{\n                \
         value = (with != 0ull) & ((best == 0ull) | earlier) ? v : value;\n                \
         best |= with;\n            \
         }} else if (extreme) {{\n                \
         value = v > value ? v : value;\n            \
         }} else {{\n                \
         value += v;\n            \
         }}\n        \
         }}\n        \
         if (word == {CHECK}u) {{\n            \
         atomicAdd(record + {CHECK}, 0ull - read);\n        \
         }} else {{\n            \
         const unsigned long long out = lost ? sentinel : value;\n            \
         record[word] = out;\n            \
         atomicAdd(record + {CHECK}, weight * (out + read));\n        \
         }}\n        \
         // The next word of this thread.\n        \
         for (unsigned int i = 1u; i < blockDim.x; ++i) weight *= 0x{factor:016x}ull;\n    \
         }}\n\
         }}\n",
        name = merge_entry(entry),
        factor = check_weight(0),
    );
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The second kernel derives from a word's place how the word is joined; for each word, this is what the table defines.
    #[test]
    fn words_are_joined_as_the_table_says() {
        let (extremes, faults) = stretches();
        for (place, word) in WORDS.iter().enumerate() {
            let behind = |stretch: (usize, usize)| {
                let inside = (stretch.0..=stretch.1).contains(&place);
                inside.then(|| (place - stretch.0) % 2 == 1)
            };
            let join = match (behind(extremes), behind(faults)) {
                (Some(false), None) => Join::Larger,
                (Some(true), None) => Join::OfLarger,
                (None, Some(true)) => Join::First,
                (None, _) if place == CHECK => Join::Recomputed,
                (None, _) => Join::Sum,
                _ => panic!("{word:?} is in both"),
            };
            assert_eq!(join, word.joined(), "{word:?}");
        }
    }
}
