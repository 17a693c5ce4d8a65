//! Text of the search kernel for OpenCL devices with many threads: one loop, which evaluates, computes the metric and
//! reduces key by key.
//!
//! The loop runs equally often for all items, with the keys past the end masked, and its body has no branch. So a device can run items in
//! the lanes of its vectors.

use std::fmt::Write as _;

use super::c::Writer;
use super::expr::{float, operation};
use super::lang::{Lang, int_of};
use super::record::{CHECK, NO_KEY, RECORD, check_weight};
use super::sweep::{Sweep, Words, signature};
use super::totals::flagged;
use crate::ops::{Op, Prim};
use crate::reduction::{self, BINS, Extreme, WORDS, Word};

/// The parts of the kernel.
pub(super) struct Reduce<'a> {
    pub lang: &'a dyn Lang,
    pub sweep: &'a Sweep<'a>,
    /// Names of approximation, reference and metric in the text.
    pub calls: [String; 3],
}

impl Reduce<'_> {
    /// A 64-bit number in every lane.
    fn word(&self, text: &str) -> String {
        self.lang
            .splat(Prim::I64, &format!("{text}{}", self.lang.suffix(Prim::I64)))
    }

    /// The operation on a `double`.
    fn double(&self, op: Op, to: Prim, x: &str, writer: &mut Writer) -> String {
        operation(
            self.lang,
            op,
            Prim::F64,
            to,
            &[x.to_string()],
            writer.need(),
        )
    }

    /// The whole kernel.
    pub fn kernel(&self, name: &str, writer: &mut Writer) -> String {
        let lang = self.lang;
        let (one_word, wide, double, z) = (
            lang.scalar(Prim::I64),
            lang.ty(Prim::I64),
            lang.ty(Prim::F64),
            lang.suffix(Prim::I64),
        );
        let (item, items) = ("(ulong)get_global_id(0)", "(ulong)get_global_size(0)");
        let mut text = format!(
            "__kernel void {name}(const {one_word} first, const {one_word} n, __global {one_word} *restrict records) {{\n{}",
            lang.pragma()
        );
        let _ = writeln!(
            text,
            "    const {wide} item = {item};\n    const {wide} items = {items};"
        );
        let no_key = self.word(&format!("0x{NO_KEY:016x}"));
        let zero = self.word("0");
        let (none, below_all) = (
            float(lang, Prim::F64, 0),
            float(lang, Prim::F64, (-1f64).to_bits()),
        );
        let _ = write!(
            text,
            "    // The same for all items: keys past the end are masked.\n    \
             const {one_word} steps = n / items + (n % items != 0{z} ? 1{z} : 0{z});\n"
        );
        let below_all = format!("{below_all} /* below every |error| */");
        type Which = fn(&Word) -> bool;
        let starts: [(Which, &str, &str); 6] = [
            (
                |w| matches!(w, Word::Flagged(_) | Word::Digest),
                &wide,
                &zero,
            ),
            (|w| matches!(w, Word::FirstKey(_)), &wide, &no_key),
            (|w| matches!(w, Word::ExtremeKey(_)), &wide, &no_key),
            (
                |w| matches!(w, Word::Extreme(Extreme::Above | Extreme::Below)),
                &double,
                &none,
            ),
            // With this start, the first error counts even if it is 0.
            (
                |w| matches!(w, Word::Extreme(Extreme::Either)),
                &double,
                &below_all,
            ),
            (|w| matches!(w, Word::Bin(_)), &wide, &zero),
        ];
        for (which, ty, value) in starts {
            for word in WORDS.iter().filter(|w| which(w)) {
                let _ = writeln!(text, "    {ty} {} = {value};", word.name());
            }
        }
        // Sixteen counters of one byte in two words, which are emptied before one can overflow: the loop has no indexed
        // memory.
        let _ = write!(
            text,
            "    for ({one_word} done = 0{z}; done < steps; done += 255{z}) {{\n        \
             const {one_word} left = steps - done;\n        \
             const {one_word} batch = left < 255{z} ? left : 255{z};\n        \
             {wide} low_bins = {zero};\n        {wide} high_bins = {zero};\n        \
             for ({one_word} step = 0{z}; step < batch; ++step) {{\n"
        );
        for line in self.body(writer) {
            let _ = writeln!(text, "            {line}");
        }
        text.push_str("        }\n");
        for bin in 0..BINS {
            let bytes = if bin < 8 { "low_bins" } else { "high_bins" };
            let _ = writeln!(
                text,
                "        bin{bin} += ({bytes} >> {}) & 255{z};",
                bin % 8 * 8
            );
        }
        text.push_str("    }\n");
        self.write_records(&mut text, writer);
        text + "}\n"
    }

    /// Stores of the records.
    fn write_records(&self, text: &mut String, writer: &mut Writer) {
        let (lang, z, words) = (self.lang, self.lang.suffix(Prim::I64), RECORD.len());
        let (zero, none) = (self.word("0"), float(self.lang, Prim::F64, 0));
        let _ = writeln!(
            text,
            "    __global {} *record = records + item * {words}{z};",
            lang.ty(Prim::I64)
        );
        let ty = lang.ty(Prim::I64);
        let _ = writeln!(text, "    {ty} check = {zero};");
        for (i, &word) in WORDS.iter().enumerate().filter(|(i, _)| *i != CHECK) {
            let name = word.name();
            let value = match word {
                Word::Extreme(extreme) => {
                    let bits = self.double(Op::ToBits, Prim::I64, name, writer);
                    match extreme {
                        Extreme::Either => {
                            lang.select(Prim::I64, &format!("{name} < {none}"), &zero, &bits)
                        }
                        _ => bits,
                    }
                }
                Word::Count => {
                    let count = format!("(n - item - 1{z}) / items + 1{z}");
                    lang.select(Prim::I64, "item < n", &count, &zero)
                }
                Word::FirstKey(flag) => {
                    let absent = format!("{} == 0{z}", flag.name);
                    lang.select(Prim::I64, &absent, &zero, name)
                }
                _ => name.to_string(),
            };
            let _ = writeln!(
                text,
                "    const {ty} out{i} = {value};\n    record[{i}] = out{i};"
            );
            let weight = self.word(&format!("0x{:016x}", check_weight(i)));
            let _ = writeln!(text, "    check += out{i} * {weight};");
        }
        let _ = writeln!(text, "    record[{CHECK}] = check;");
    }

    /// One key: evaluation, metric and the partial results.
    fn body(&self, writer: &mut Writer) -> Vec<String> {
        let (lang, sweep, z) = (self.lang, self.sweep, self.lang.suffix(Prim::I64));
        let (p, i) = (sweep.precision, int_of(sweep.precision));
        let (u, d, m) = (lang.ty(Prim::I64), lang.ty(Prim::F64), lang.ty(Prim::Mask));
        let (float_ty, word) = (lang.ty(p), lang.ty(i));
        let [approx, reference, metric] = &self.calls;
        let sign = lang.as_unsigned(
            i,
            &format!(
                "({} >> {})",
                lang.as_signed(i, "code"),
                if i == Prim::I64 { 63 } else { 31 }
            ),
        );
        let code = if i == Prim::I64 {
            "key".to_string()
        } else {
            lang.resize(i, "key")
        };
        let (params, results) = signature(sweep.reference);
        let input = match params[0] == p {
            true => "x".to_string(),
            false => operation(
                lang,
                Op::ToF64,
                p,
                Prim::F64,
                &["x".to_string()],
                writer.need(),
            ),
        };
        let Words {
            both: words, scale, ..
        } = Words::of(lang, sweep);
        let zero = self.word("0");
        let choose = |mask: &str, a: &str, b: &str| lang.select(Prim::I64, mask, a, b);
        let mut lines = vec![
            format!("const {u} index = (done + step) * items + item;"),
            format!("const {m} active = index < n;"),
            format!("const {u} key = first + index;"),
            format!("const {word} code = {code};"),
            format!("const {word} negative = {sign};"),
            format!("const {word} bits = code ^ (negative >> 1);"),
            format!("const {float_ty} x = {};", lang.float_of_bits(p, "bits")),
            format!("const {float_ty} a = {approx}(x);"),
            format!(
                "const {} r = {reference}({input});",
                writer.returns(&results)
            ),
            format!(
                "const {} j = {metric}(key, a, {words}{scale});",
                writer.returns(&signature(sweep.metric).1)
            ),
            format!("const {d} error = j.r0;"),
            format!("const {u} flags = {};", choose("active", "j.r2", &zero)),
            format!(
                "const {m} counted = active & ((j.r2 & {}{z}) == 0{z});",
                reduction::EXCLUDED.bit()
            ),
            format!("digest += {};", choose("active", "j.r3", &zero)),
        ];
        for flag in reduction::COUNTED {
            lines.push(format!("{} += {};", flag.name, flagged(flag, "flags", z)));
        }
        for flag in reduction::FAULTS {
            let (fault, key) = (flag.name, Word::FirstKey(flag).name());
            let earlier = format!(
                "{} < {}",
                lang.as_signed(Prim::I64, "key"),
                lang.as_signed(Prim::I64, key)
            );
            lines.extend([
                format!("const {u} {fault}_here = {};", flagged(flag, "flags", z)),
                format!("{fault} += {fault}_here;"),
                format!("const {m} {fault}_first = ({fault}_here != 0{z}) & ({earlier});"),
                format!("{key} = {};", choose(&format!("{fault}_first"), "key", key)),
            ]);
        }
        lines.push(format!(
            "const {d} size = {};",
            self.double(Op::Abs, Prim::F64, "error", writer)
        ));
        lines.push(format!(
            "const {d} below = {};",
            self.double(Op::Neg, Prim::F64, "error", writer)
        ));
        for extreme in Extreme::ALL {
            let value = match extreme {
                Extreme::Either => "size",
                Extreme::Above => "error",
                Extreme::Below => "below",
            };
            let (extreme, key) = (extreme.name(), extreme.key_name());
            let here = format!("{extreme}_here");
            lines.extend([
                format!("const {m} {here} = counted & ({value} > {extreme});"),
                format!(
                    "{extreme} = {};",
                    lang.select(Prim::F64, &here, value, extreme)
                ),
                format!("{key} = {};", choose(&here, "key", key)),
            ]);
        }
        let counter = format!("{} << ((j.r1 & 7{z}) * 8{z})", self.word("1"));
        lines.extend([
            format!("const {u} one = {};", choose("counted", &counter, &zero)),
            format!("const {m} low = (j.r1 & 8{z}) == 0{z};"),
            format!("low_bins += {};", choose("low", "one", &zero)),
            format!("high_bins += {};", choose("low", &zero, "one")),
        ]);
        lines
    }
}
