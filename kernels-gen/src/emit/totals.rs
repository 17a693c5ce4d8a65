//! The running results of a work item in the search with several passes: the text of their types, and of the functions that add to them.

use std::fmt::Write as _;

use super::lang::Lang;
use super::record::{CHECK, RECORD, check_weight};
use crate::ops::Prim;
use crate::reduction::{self, BINS, Extreme, Flag, WORDS, Word};

/// The number of chunks after which a 16-bit counter of the histogram could overflow. A chunk adds at most its number of vectors, 240.
const FLUSH: u32 = 256;

/// The value with which an input competes for an extreme. `size` is the input's error without the sign.
fn competing(extreme: Extreme) -> &'static str {
    match extreme {
        Extreme::Either => "size",
        Extreme::Above => "error",
        Extreme::Below => "-error",
    }
}

/// The words of a record for which `dc_total` has a field (neither bins nor the check), with their places.
fn fields() -> impl Iterator<Item = (usize, Word)> {
    let words = WORDS.into_iter().enumerate();
    words.filter(|(_, word)| !matches!(word, Word::Bin(_) | Word::Check))
}

/// `dc_total`: its type, and `dc_add`, which adds one input.
pub(super) fn total(lang: &dyn Lang) -> String {
    let mut text =
        "// What a work item has found: the words of its record.\ntypedef struct {\n".to_string();
    for (_, word) in fields() {
        let ty = match word {
            Word::Extreme(_) => "double",
            _ => "ulong",
        };
        let _ = writeln!(text, "    {ty} {};", word.name());
    }
    let _ = write!(
        text,
        "    ulong bins[16];\n}} dc_total;\n\n\
         // One input, measured.\n{} void dc_add(dc_total *total, ulong key, double error, ulong bin, ulong flags, ulong digest_term) {{\n\
         {}    total->count += 1UL;\n    total->digest += digest_term;\n",
        lang.function(),
        lang.pragma()
    );
    for flag in reduction::COUNTED {
        let _ = writeln!(
            text,
            "    total->{} += {};",
            flag.name,
            flagged(flag, "flags", "UL")
        );
    }
    for fault in reduction::FAULTS {
        let (flag, count, key) = (fault.bit(), fault.name, Word::FirstKey(fault).name());
        let _ = writeln!(
            text,
            "    if ((flags & {flag}UL) != 0UL && total->{count}++ == 0UL) total->{key} = key;"
        );
    }
    let _ = write!(
        text,
        "    if ((flags & {}UL) != 0UL) return;\n    total->bins[bin & 15UL] += 1UL;\n    \
         const double size = fabs(error);\n",
        reduction::EXCLUDED.bit()
    );
    for extreme in Extreme::ALL {
        let (value, key) = (competing(extreme), extreme.key_name());
        let extreme = extreme.name();
        let _ = write!(
            text,
            "    if ({value} > total->{extreme}) {{\n        total->{extreme} = {value};\n        \
             total->{key} = key;\n    }}\n"
        );
    }
    text + "}\n\n"
}

/// 1 if the flag is set, 0 if it is not.
pub(super) fn flagged(flag: Flag, flags: &str, suffix: &str) -> String {
    match flag.shift {
        0 => format!("{flags} & 1{suffix}"),
        shift => format!("({flags} >> {shift}) & 1{suffix}"),
    }
}

/// `total` before the first input.
pub(super) fn start() -> String {
    let mut text = "    dc_total total;\n".to_string();
    for (_, word) in fields() {
        let value = match word {
            // With this start, the first error counts even if it is 0.
            Word::Extreme(Extreme::Either) => "-1.0 /* below every |error| */".to_string(),
            Word::Extreme(_) => "0.0".to_string(),
            Word::ExtremeKey(_) => format!("0x{:016x}UL", word.empty()),
            _ => format!("{}UL", word.empty()),
        };
        let _ = writeln!(text, "    total.{} = {value};", word.name());
    }
    text + "    for (ulong i = 0UL; i < 16UL; ++i) total.bins[i] = 0UL;\n"
}

/// Stores of `total` to the item's record.
pub(super) fn store() -> String {
    let mut text = format!(
        "    __global ulong *record = records + item * {}UL;\n    ulong check = 0UL;\n",
        RECORD.len()
    );
    for (i, word) in fields() {
        let name = word.name();
        let value = match word {
            Word::Extreme(Extreme::Either) => {
                format!("total.{name} < 0.0 ? 0UL : as_ulong(total.{name})")
            }
            Word::Extreme(_) => format!("as_ulong(total.{name})"),
            _ => format!("total.{name}"),
        };
        let _ = writeln!(
            text,
            "    const ulong out{i} = {value};\n    record[{i}] = out{i};\n    check += out{i} * 0x{:016x}UL;",
            check_weight(i)
        );
    }
    for bin in 0..BINS {
        let i = Word::Bin(bin).place();
        let _ = writeln!(
            text,
            "    record[{i}] = total.bins[{bin}];\n    check += total.bins[{bin}] * 0x{:016x}UL;",
            check_weight(i)
        );
    }
    let _ = writeln!(text, "    record[{CHECK}] = check;");
    text
}

/// `dc_sums`: sums that are still separate per lane, and `dc_flush`, which adds them to a total.
///
/// A byte of `even` and `odd` in a chunk counts one bin: byte `i` of `even` counts bin `2i`, byte `i` of `odd` bin `2i + 1`. In `counts`
/// they are 16 bits wide: field `i` of `counts[b]` is bin `4i + b`.
pub(super) fn sums(lang: &dyn Lang) -> String {
    let (lanes, u, function) = (lang.lanes(), lang.ty(Prim::I64), lang.function());
    format!(
        "// Sums in lanes. The histogram is in fields of 16 bits: field i of counts[b] is bin 4 * i + b.\n\
         typedef struct {{\n    {u} misrounded;\n    {u} digest;\n    {u} counts[4];\n    ulong chunks;\n}} dc_sums;\n\n\
         // Empties the histogram's fields into the total.\n\
         {function} void dc_flush(dc_sums *sums, dc_total *total) {{\n    \
         for (ulong b = 0UL; b < 4UL; ++b) {{\n        \
         ulong words[{lanes}];\n        vstore{lanes}(sums->counts[b], 0, words);\n        \
         for (ulong lane = 0UL; lane < {lanes}UL; ++lane) {{\n            \
         for (ulong i = 0UL; i < 4UL; ++i) total->bins[4UL * i + b] += (words[lane] >> (16UL * i)) & 0xffffUL;\n        \
         }}\n        sums->counts[b] = ({u})(0UL);\n    }}\n    sums->chunks = 0UL;\n}}\n\n"
    )
}

/// `sums` before the first chunk.
pub(super) fn start_sums(lang: &dyn Lang) -> String {
    let zero = lang.splat(Prim::I64, "0UL");
    format!(
        "    dc_sums sums;\n    sums.misrounded = {zero};\n    sums.digest = {zero};\n    \
         for (ulong b = 0UL; b < 4UL; ++b) sums.counts[b] = {zero};\n    sums.chunks = 0UL;\n"
    )
}

/// Adds all of `sums` to `total`.
pub(super) fn finish_sums(lang: &dyn Lang) -> String {
    let lanes = lang.lanes();
    format!(
        "    dc_flush(&sums, &total);\n    ulong misrounded[{lanes}], digest[{lanes}];\n    \
         vstore{lanes}(sums.misrounded, 0, misrounded);\n    vstore{lanes}(sums.digest, 0, digest);\n    \
         for (ulong lane = 0UL; lane < {lanes}UL; ++lane) {{\n        \
         total.misrounded += misrounded[lane];\n        total.digest += digest[lane];\n    }}\n"
    )
}

/// Adds a chunk's sums: `even` and `odd`, bytes of its histogram, `wrong`, `mixes`.
pub(super) fn take_chunk() -> String {
    let bytes = "0x00ff00ff00ff00ffUL";
    format!(
        "    sums->misrounded += wrong;\n    sums->digest += mixes;\n    \
         sums->counts[0] += even & {bytes};\n    sums->counts[1] += odd & {bytes};\n    \
         sums->counts[2] += (even >> 8) & {bytes};\n    sums->counts[3] += (odd >> 8) & {bytes};\n    \
         if (++sums->chunks == {FLUSH}UL) dc_flush(sums, total);\n"
    )
}

/// `dc_raise`: updates the extremes from a chunk whose errors are in a column.
pub(super) fn raise(lang: &dyn Lang) -> String {
    let (lanes, d, function, pragma) = (
        lang.lanes(),
        lang.ty(Prim::F64),
        lang.function(),
        lang.pragma(),
    );
    let mut text = format!(
        "// The first place of an error that is in the column.\n\
         {function} ulong dc_first(const double *errors, double error) {{\n{pragma}    ulong i = 0UL;\n    \
         while (!any(vload{lanes}(0, errors + i) == error)) i += {lanes}UL;\n    \
         while (errors[i] != error) ++i;\n    return i;\n}}\n\n\
         // Raises what the largest and the smallest errors of a chunk raise. Keys ascend, so an extreme that is only\n\
         // equalled keeps its key.\n\
         {function} void dc_raise(dc_total *total, ulong base, const double *errors, {d} largest, {d} smallest) {{\n\
         {pragma}    double lanes[{lanes}];\n    \
         if (total->max_error < 0.0) {{\n        total->max_error = 0.0;\n        total->max_key = base;\n    }}\n"
    );
    for (extreme, lanes_of, sign) in [
        (Extreme::Above, "largest", ""),
        (Extreme::Below, "smallest", "-"),
    ] {
        let (key, extreme) = (extreme.key_name(), extreme.name());
        let _ = write!(
            text,
            "    if (any({sign}{lanes_of} > total->{extreme})) {{\n        \
             vstore{lanes}({lanes_of}, 0, lanes);\n        \
             for (ulong lane = 0UL; lane < {lanes}UL; ++lane) {{\n            \
             const double size = {sign}lanes[lane];\n            \
             if (size > total->{extreme}) total->{extreme} = size;\n        }}\n        \
             total->{key} = base + dc_first(errors, {sign}total->{extreme});\n        \
             if (total->{extreme} > total->max_error ||\n            \
             (total->{extreme} == total->max_error && total->{key} < total->max_key)) {{\n            \
             total->max_error = total->{extreme};\n            total->max_key = total->{key};\n        }}\n    }}\n"
        );
    }
    text + "}\n\n"
}
