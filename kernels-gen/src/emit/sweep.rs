//! The search kernel: every work item evaluates approximation and reference on its own keys, judges each result and
//! keeps what a block's result is made of; it writes one record when it is done.
//!
//! Keys are inputs in the order of the reals (see the search's key module): `bits = key < 0 ? key ^ 0x7fff…f : key`.
//! Item `i` of `s` takes keys `first + i`, `first + i + s`, …, so an item's keys ascend and a strict comparison
//! keeps the smallest key of a tie.
//!
//! The loop runs equally often for all items, with the keys past the end masked, and its body has no branch: so an
//! OpenCL compiler for a CPU can put neighbouring items side by side in vector registers.

use std::fmt::Write as _;

use super::c::Writer;
use super::expr::{float, operation};
use super::lang::{Lang, int_of};
use super::link::Linked;
use super::point::lang;
use super::{Dialect, EmitError, Options, Signature, Source};
use crate::ops::{Op, Prim};
use crate::program::Program;

/// The words of a record, in order.
///
/// Errors are `f64` bits, never negative; keys are two's complement. Where nothing attained an extreme, its error is
/// 0 and its key [`NO_KEY`]; where a fault never occurred, its key is 0.
pub const RECORD: &[&str] = &[
    "count",
    "max_error",
    "max_key",
    "max_positive",
    "max_positive_key",
    "max_negative",
    "max_negative_key",
    "misrounded",
    "nan",
    "nan_key",
    "infinity",
    "infinity_key",
    "zero_sign",
    "zero_sign_key",
    "digest",
    "bin0",
    "bin1",
    "bin2",
    "bin3",
    "bin4",
    "bin5",
    "bin6",
    "bin7",
    "bin8",
    "bin9",
    "bin10",
    "bin11",
    "bin12",
    "bin13",
    "bin14",
    "bin15",
];

/// The key of an extreme that no input attained: the largest `i64`.
pub const NO_KEY: i64 = i64::MAX;

/// The three programs of a search.
#[derive(Debug, Clone, Copy)]
pub struct Sweep<'a> {
    /// The routine under test: one float of `precision` to one.
    pub approx: &'a Program,
    /// What it should give. For `F64` routines: one `F64` to one or, as a double-double, two. For `F32` routines:
    /// one `F32` or `F64` to one `F64`.
    pub reference: &'a Program,
    /// Judges one input: (key: `I64`, approx, reference words) to (signed error in ULP: `F64`, histogram bin: `I64`,
    /// flags: `I64`, mix: `I64`). The reference is two words for `F64` routines, one for `F32`. Flag bits: 1
    /// misrounded, 2 NaN, 4 infinity, 8 sign of zero, 16 excluded from the maximum and the histogram.
    pub judge: &'a Program,
    /// `F64` or `F32`.
    pub precision: Prim,
}

/// Lane types of a program's parameters and results.
fn signature(program: &Program) -> (Vec<Prim>, Vec<Prim>) {
    let entry = program.entry();
    (
        entry.params.iter().map(|&(_, p)| p).collect(),
        entry.results.iter().map(|&v| entry.ty(v)).collect(),
    )
}

impl Sweep<'_> {
    /// Whether the three fit together.
    fn check(&self) -> Result<(), EmitError> {
        use Prim::{F32, F64, I64};
        let complain = |role: &str, program: &Program, want: &str| {
            let (params, results) = signature(program);
            let name = &program.entry().name;
            Err(EmitError(format!(
                "{role} `{name}` is {params:?} -> {results:?}; a search needs {want}"
            )))
        };
        let p = self.precision;
        if !p.is_float() {
            return Err(EmitError(format!(
                "a search is over F64 or F32 inputs, not {p:?}"
            )));
        }
        if signature(self.approx) != (vec![p], vec![p]) {
            return complain(
                "the approximation",
                self.approx,
                &format!("[{p:?}] -> [{p:?}]"),
            );
        }
        let (params, results) = signature(self.reference);
        let words = if p == F64 {
            matches!(results[..], [F64] | [F64, F64])
        } else {
            results == [F64]
        };
        let input = params == [p] || params == [F64];
        if !(words && input) {
            let want = if p == F64 {
                "[F64] -> [F64] or [F64, F64]"
            } else {
                "[F32] or [F64] -> [F64]"
            };
            return complain("the reference", self.reference, want);
        }
        let params = if p == F64 {
            vec![I64, F64, F64, F64]
        } else {
            vec![I64, F32, F64]
        };
        let want = (params, vec![F64, I64, I64, I64]);
        if signature(self.judge) != want {
            return complain(
                "the judge",
                self.judge,
                &format!("{:?} -> {:?}", want.0, want.1),
            );
        }
        Ok(())
    }
}

/// The search kernel of three programs; see [`Signature::Sweep`] for its arguments and [`RECORD`] for what it writes.
///
/// # Errors
/// When the programs' signatures are not those that [`Sweep`] names.
pub fn sweep_kernel(sweep: &Sweep, options: &Options) -> Result<Source, EmitError> {
    sweep.check()?;
    let lang = lang(options.dialect);
    let lang = lang.as_ref();
    let mut linked = Linked::default();
    let [approx, reference, judge] =
        [sweep.approx, sweep.reference, sweep.judge].map(|p| linked.add(p));
    let name = linked
        .names
        .fresh(&format!("{}_sweep", sweep.approx.entry().name));
    let mut writer = Writer::new(lang, &linked, options.line_directives);
    let calls = [approx, reference, judge].map(|i| linked.funcs[i].name.clone());
    let text = kernel(lang, options.dialect, sweep, &name, &calls, &mut writer);
    let title = format!(
        "{} against {}, judged by {}: a search by DoubleCrunch",
        sweep.approx.entry().name,
        sweep.reference.entry().name,
        sweep.judge.entry().name
    );
    Ok(Source {
        text: writer.finish(&title, &text),
        entry: name,
        dialect: options.dialect,
        signature: Signature::Sweep,
    })
}

/// Text of the kernel itself.
fn kernel(
    lang: &dyn Lang,
    dialect: Dialect,
    sweep: &Sweep,
    name: &str,
    calls: &[String; 3],
    writer: &mut Writer,
) -> String {
    let cuda = dialect == Dialect::Cuda;
    let (u, z) = (lang.ty(Prim::I64), lang.suffix(Prim::I64));
    let no_key = format!("0x{NO_KEY:016x}{z}");
    let (head, item, items) = if cuda {
        (
            format!(
                "extern \"C\" __global__ void {name}(const {u} first, const {u} n, {u} *__restrict__ records)"
            ),
            "(unsigned long long)blockIdx.x * blockDim.x + threadIdx.x",
            "(unsigned long long)gridDim.x * blockDim.x",
        )
    } else {
        (
            format!(
                "__kernel void {name}(const {u} first, const {u} n, __global {u} *restrict records)"
            ),
            "get_global_id(0)",
            "get_global_size(0)",
        )
    };
    let zero = float(lang, Prim::F64, 0);
    let minus_one = float(lang, Prim::F64, (-1f64).to_bits());
    let mut text = format!("{head} {{\n{}", lang.pragma());
    let _ = write!(
        text,
        "    const {u} item = {item};\n    const {u} items = {items};\n    \
         // The same for all items: keys past the end are masked.\n    \
         const {u} steps = n / items + (n % items != 0{z} ? 1{z} : 0{z});\n    \
         {u} misrounded = 0{z}, nan = 0{z}, infinity = 0{z}, zero_sign = 0{z}, digest = 0{z};\n    \
         {u} nan_key = {no_key}, infinity_key = {no_key}, zero_sign_key = {no_key};\n    \
         // Below every |error|, so that the first error counts even if it is 0.\n    \
         double max_error = {minus_one}, max_positive = {zero}, max_negative = {zero};\n    \
         {u} max_key = {no_key}, max_positive_key = {no_key}, max_negative_key = {no_key};\n"
    );
    for bin in 0..16 {
        let _ = writeln!(text, "    {u} bin{bin} = 0{z};");
    }
    // Sixteen counters of a byte in two words, emptied before one can overflow: no indexed memory in the loop.
    let _ = write!(
        text,
        "    for ({u} done = 0{z}; done < steps; done += 255{z}) {{\n        \
         {u} low_bins = 0{z}, high_bins = 0{z};\n        \
         const {u} left = steps - done;\n        const {u} batch = left < 255{z} ? left : 255{z};\n        \
         for ({u} step = 0{z}; step < batch; ++step) {{\n"
    );
    text.push_str(&body(lang, sweep, calls, writer));
    text.push_str("        }\n");
    for bin in 0..16 {
        let word = if bin < 8 { "low_bins" } else { "high_bins" };
        let _ = writeln!(
            text,
            "        bin{bin} += ({word} >> {}) & 255{z};",
            bin % 8 * 8
        );
    }
    text.push_str("    }\n");
    let bits = |x: &str, writer: &mut Writer| {
        operation(
            lang,
            Op::ToBits,
            Prim::F64,
            Prim::I64,
            &[x.to_string()],
            writer.need(),
        )
    };
    let _ = writeln!(
        text,
        "    {}{u} *record = records + item * {}{z};",
        if cuda { "" } else { "__global " },
        RECORD.len()
    );
    for (i, &word) in RECORD.iter().enumerate() {
        let value = match word {
            "max_error" => format!("max_error < {zero} ? 0{z} : {}", bits(word, writer)),
            "max_positive" | "max_negative" => bits(word, writer),
            "count" => format!("item < n ? (n - item - 1{z}) / items + 1{z} : 0{z}"),
            "nan_key" | "infinity_key" | "zero_sign_key" => {
                format!("{} == 0{z} ? 0{z} : {word}", word.trim_end_matches("_key"))
            }
            _ => word.to_string(),
        };
        let _ = writeln!(text, "    record[{i}] = {value};");
    }
    text + "}\n"
}

/// One key: evaluation, judgement and the partial results.
fn body(
    lang: &dyn Lang,
    sweep: &Sweep,
    [approx, reference, judge]: &[String; 3],
    writer: &mut Writer,
) -> String {
    let (u, s, z) = (
        lang.ty(Prim::I64),
        lang.signed(Prim::I64),
        lang.suffix(Prim::I64),
    );
    let (p, i) = (sweep.precision, int_of(sweep.precision));
    let (float_ty, word, sign, top) = (
        lang.ty(p),
        lang.ty(i),
        lang.signed(i),
        if i == Prim::I64 { 63 } else { 31 },
    );
    let mut op = |op: Op, on: Prim, to: Prim, args: &[&str]| {
        let args: Vec<String> = args.iter().map(ToString::to_string).collect();
        operation(lang, op, on, to, &args, writer.need())
    };
    let mut lines = vec![
        format!("const {u} index = (done + step) * items + item;"),
        format!("const bool active = index < n;"),
        format!("const {u} key = first + index;"),
        format!("const {word} narrow_key = ({word})key;"),
        format!("const {word} negative = ({word})(({sign})narrow_key >> {top});"),
        format!("const {word} bits = narrow_key ^ (negative >> 1);"),
        format!("const {float_ty} x = {};", lang.float_of_bits(p, "bits")),
        format!("const {float_ty} a = {approx}(x);"),
    ];
    let (params, results) = signature(sweep.reference);
    let input = if params[0] == p {
        "x".to_string()
    } else {
        op(Op::ToF64, p, params[0], &["x"])
    };
    let words = match (&results[..], p) {
        ([_, _], _) => "r.r0, r.r1".to_string(),
        (_, Prim::F64) => format!("r, {}", float(lang, Prim::F64, 0)),
        _ => "r".to_string(),
    };
    let abs = op(Op::Abs, Prim::F64, Prim::F64, &["error"]);
    let neg = op(Op::Neg, Prim::F64, Prim::F64, &["error"]);
    lines.extend([
        format!(
            "const {} r = {reference}({input});",
            writer.returns(&results)
        ),
        format!(
            "const {} j = {judge}(key, a, {words});",
            writer.returns(&signature(sweep.judge).1)
        ),
        "const double error = j.r0;".to_string(),
        format!("const {u} flags = active ? j.r2 : 0{z};"),
        format!("const bool counted = active & ((j.r2 & 16{z}) == 0{z});"),
        format!("digest += active ? j.r3 : 0{z};"),
        format!("misrounded += flags & 1{z};"),
    ]);
    for (shift, fault) in [(1, "nan"), (2, "infinity"), (3, "zero_sign")] {
        lines.push(format!(
            "const {u} {fault}_here = (flags >> {shift}) & 1{z};"
        ));
        lines.push(format!("{fault} += {fault}_here;"));
        lines.push(format!(
            "const bool {fault}_first = ({fault}_here != 0{z}) & (({s})key < ({s}){fault}_key);"
        ));
        lines.push(format!("{fault}_key = {fault}_first ? key : {fault}_key;"));
    }
    lines.push(format!("const double size = {abs};"));
    lines.push(format!("const double below = {neg};"));
    for (extreme, value) in [
        ("max_error", "size"),
        ("max_positive", "error"),
        ("max_negative", "below"),
    ] {
        let key = if extreme == "max_error" {
            "max_key".to_string()
        } else {
            format!("{extreme}_key")
        };
        lines.push(format!(
            "const bool {extreme}_here = counted & ({value} > {extreme});"
        ));
        lines.push(format!("{extreme} = {extreme}_here ? {value} : {extreme};"));
        lines.push(format!("{key} = {extreme}_here ? key : {key};"));
    }
    lines.extend([
        format!("const {u} one = counted ? 1{z} << ((j.r1 & 7{z}) * 8{z}) : 0{z};"),
        format!("low_bins += (j.r1 & 8{z}) == 0{z} ? one : 0{z};"),
        format!("high_bins += (j.r1 & 8{z}) != 0{z} ? one : 0{z};"),
    ]);
    lines
        .iter()
        .map(|line| format!("            {line}\n"))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::RECORD;

    #[test]
    fn words_of_a_record_are_apart() {
        let set: std::collections::HashSet<_> = RECORD.iter().collect();
        assert_eq!((set.len(), RECORD.len()), (31, 31));
    }
}
