//! A kernel as a function in C, with everything it needs: the functions of the CUDA text, after the shim of the intrinsics.

use std::fmt::Write as _;

use super::c::Writer;
use super::expr::operation;
use super::host::ARITHMETIC;
use super::lang::{Lang, int_of};
use super::link::Linked;
use super::{Options, Signature, Source};
use crate::ops::{Op, Prim};
use crate::program::Program;

/// What a compiler must not do, and what the text requires of it.
const PROLOGUE: &str = "\
// C11, or C++11. Compile it with -ffp-contract=off, and link it with -lm.
#include <fenv.h>
#include <float.h>
#include <math.h>
#include <stdbool.h>
#include <string.h>

#ifdef __FAST_MATH__
#error \"-ffast-math gives other results\"
#endif
// 0: each operation in its own format. 16 and 32 are wider for _Float16 alone: gcc's with AVX512-FP16 is 16.
#if FLT_EVAL_METHOD != 0 && FLT_EVAL_METHOD != 16 && FLT_EVAL_METHOD != 32
#error \"float and double must be computed as such: on 32-bit x86, compile with -msse2 -mfpmath=sse\"
#endif

";

/// A value as it is returned: every NaN becomes the canonical one.
fn returned(lang: &dyn Lang, p: Prim, value: &str, writer: &mut Writer) -> String {
    if !p.is_float() {
        return value.to_string();
    }
    let bits = operation(
        lang,
        Op::ToBits,
        p,
        int_of(p),
        &[value.into()],
        writer.need(),
    );
    lang.float_of_bits(p, &bits)
}

/// A function `crunch_NAME` in C with one value per parameter, the kernels that it calls and the definitions of all operations. Integers
/// are unsigned, with the same bits. Several results are a struct. [`Source::entry`] is its name.
///
/// In the default floating-point environment, its results have the kernel's bits, with canonical NaNs.
#[must_use]
pub fn plain_c(program: &Program, options: &Options) -> Source {
    let options = &Options {
        line_directives: options.line_directives,
        ..Options::cuda()
    };
    let lang = options.lang();
    let lang = lang.as_ref();
    let mut linked = Linked::default();
    let entry = linked.add(program);
    // A prefix, since many kernels have names of C's library.
    let name = linked
        .names
        .fresh(&format!("crunch_{}", program.entry().name));
    let mut writer = Writer::new(lang, &linked, options.line_directives);
    let callee = &linked.funcs[entry];
    let params = &program.entry().params;
    let outputs = callee.result_types();
    let ret = writer.returns(&outputs);
    let list: Vec<String> = params
        .iter()
        .enumerate()
        .map(|(i, (_, p))| format!("{} x{i}", lang.ty(*p)))
        .collect();
    let args: Vec<String> = (0..params.len()).map(|i| format!("x{i}")).collect();
    let mut text = format!(
        "{ret} {name}({});\n{ret} {name}({}) {{\n    const {ret} y = {}({});\n",
        list.join(", "),
        list.join(", "),
        callee.name,
        args.join(", ")
    );
    if let [one] = outputs[..] {
        let value = returned(lang, one, "y", &mut writer);
        let _ = writeln!(text, "    return {value};\n}}");
    } else {
        let values: Vec<String> = outputs
            .iter()
            .enumerate()
            .map(|(i, &p)| returned(lang, p, &format!("y.r{i}"), &mut writer))
            .collect();
        let _ = writeln!(
            text,
            "    const {ret} out = {{ {} }};\n    return out;\n}}",
            values.join(", ")
        );
    }
    let title = format!(
        "{}::{} in C, by DoubleCrunch",
        program.entry().origin.module,
        program.entry().name
    );
    let whole = writer.finish(&title, &text);
    let (title, rest) = whole.split_once('\n').unwrap_or_default();
    Source {
        text: format!("{title}\n{PROLOGUE}{ARITHMETIC}{rest}"),
        entry: name,
        dialect: options.dialect,
        lanes: 1,
        signature: Signature::Point {
            inputs: params.iter().map(|&(_, p)| p).collect(),
            outputs,
        },
    }
}
