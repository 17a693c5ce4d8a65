//! The point kernel: a program over arrays of bits.

use std::fmt::Write as _;

use super::c::Writer;
use super::expr::operation;
use super::lang::{Lang, int_of};
use super::link::Linked;
use super::{Dialect, Options, Signature, Source};
use crate::ops::{Op, Prim};
use crate::program::Program;

/// A value of type `p` from a word.
fn from_word(lang: &dyn Lang, p: Prim, word: &str) -> String {
    match p {
        Prim::F64 => lang.float_of_bits(p, word),
        Prim::F32 => lang.float_of_bits(p, &lang.resize(Prim::I32, word)),
        Prim::I64 => word.to_string(),
        Prim::I32 => lang.resize(p, word),
        Prim::Mask => format!("{word} != 0{}", lang.suffix(Prim::I64)),
    }
}

/// The word of a value: zero-extended bits, canonical NaN.
fn to_word(lang: &dyn Lang, p: Prim, value: &str, writer: &mut Writer) -> String {
    let mut bits = |p| {
        operation(
            lang,
            Op::ToBits,
            p,
            int_of(p),
            &[value.to_string()],
            writer.need(),
        )
    };
    match p {
        Prim::F64 => bits(p),
        Prim::F32 => lang.resize(Prim::I64, &bits(p)),
        Prim::I64 => value.to_string(),
        Prim::I32 => lang.resize(Prim::I64, value),
        Prim::Mask if lang.lanes() == 1 => lang.resize(Prim::I64, value),
        Prim::Mask => format!(
            "{} & 1{}",
            lang.as_unsigned(Prim::I64, value),
            lang.suffix(Prim::I64)
        ),
    }
}

/// Functions that load and store up to a vector's length of words: whole vectors where they fit, and lane by lane at the end.
fn vector_access(lang: &dyn Lang) -> String {
    let (lanes, wide, function, pragma) = (
        lang.lanes(),
        lang.ty(Prim::I64),
        lang.function(),
        lang.pragma(),
    );
    format!(
        "{function} {wide} dc_load(__global const ulong *words, ulong i, ulong n) {{\n{pragma}    \
         ulong part[{lanes}];\n    if (i + {lanes}UL <= n) return vload{lanes}(0, words + i);\n    \
         for (ulong lane = 0UL; lane < {lanes}UL; ++lane) part[lane] = words[i + lane < n ? i + lane : n - 1UL];\n    \
         return vload{lanes}(0, part);\n}}\n\n\
         {function} void dc_store({wide} value, __global ulong *words, ulong i, ulong n) {{\n{pragma}    \
         ulong part[{lanes}];\n    if (i + {lanes}UL <= n) {{\n        vstore{lanes}(value, 0, words + i);\n        return;\n    }}\n    \
         vstore{lanes}(value, 0, part);\n    \
         for (ulong lane = 0UL; i + lane < n; ++lane) words[i + lane] = part[lane];\n}}\n\n"
    )
}

/// A kernel that evaluates the program for every element of its arrays; see [`Signature::Point`].
///
/// Its loop strides over the grid, so any launch size computes all `n` elements.
#[must_use]
pub fn point_kernel(program: &Program, options: &Options) -> Source {
    let lang = options.for_arrays().lang();
    let lang = lang.as_ref();
    let mut linked = Linked::default();
    let entry = linked.add(program);
    let name = linked
        .names
        .fresh(&format!("{}_point", program.entry().name));
    let mut writer = Writer::new(lang, &linked, options.line_directives);
    let callee = &linked.funcs[entry];
    let inputs: Vec<Prim> = program.entry().params.iter().map(|&(_, p)| p).collect();
    let outputs = callee.result_types();

    let (word, cuda) = (lang.scalar(Prim::I64), options.dialect == Dialect::Cuda);
    let (space, restrict) = if cuda {
        ("", "__restrict__ ")
    } else {
        ("__global ", "restrict ")
    };
    let mut params: Vec<String> = (0..inputs.len())
        .map(|i| format!("{space}const {word} *{restrict}in{i}"))
        .collect();
    params.extend((0..outputs.len()).map(|i| format!("{space}{word} *{restrict}out{i}")));
    params.push(format!("const {word} n"));

    let (qualifier, first, stride) = if cuda {
        (
            "extern \"C\" __global__",
            "(unsigned long long)blockIdx.x * blockDim.x + threadIdx.x",
            "(unsigned long long)gridDim.x * blockDim.x",
        )
    } else {
        (
            "__kernel",
            "(ulong)get_global_id(0)",
            "(ulong)get_global_size(0)",
        )
    };
    let lanes = lang.lanes();
    let mut text = if lanes > 1 {
        vector_access(lang)
    } else {
        String::new()
    };
    let times = if lanes > 1 {
        format!(" * {lanes}UL")
    } else {
        String::new()
    };
    let _ = write!(
        text,
        "{qualifier} void {name}(\n    {}) {{\n{}",
        params.join(",\n    "),
        lang.pragma()
    );
    let _ = writeln!(
        text,
        "    const {word} first = {first}{times};\n    const {word} stride = {stride}{times};"
    );
    let _ = writeln!(text, "    for ({word} i = first; i < n; i += stride) {{");
    for (i, &p) in inputs.iter().enumerate() {
        let _ = writeln!(
            text,
            "        const {} x{i} = {};",
            lang.ty(p),
            from_word(
                lang,
                p,
                &if lanes > 1 {
                    format!("dc_load(in{i}, i, n)")
                } else {
                    format!("in{i}[i]")
                }
            )
        );
    }
    let args: Vec<String> = (0..inputs.len()).map(|i| format!("x{i}")).collect();
    let ret = writer.returns(&outputs);
    let _ = writeln!(
        text,
        "        const {ret} y = {}({});",
        callee.name,
        args.join(", ")
    );
    for (i, &p) in outputs.iter().enumerate() {
        let value = if outputs.len() == 1 {
            "y".to_string()
        } else {
            format!("y.r{i}")
        };
        let word = to_word(lang, p, &value, &mut writer);
        let _ = if lanes > 1 {
            writeln!(text, "        dc_store({word}, out{i}, i, n);")
        } else {
            writeln!(text, "        out{i}[i] = {word};")
        };
    }
    text.push_str("    }\n}\n");

    let title = format!(
        "{}::{} at points, by DoubleCrunch",
        program.entry().origin.module,
        program.entry().name
    );
    Source {
        text: writer.finish(&title, &text),
        entry: name,
        dialect: options.dialect,
        lanes,
        signature: Signature::Point { inputs, outputs },
    }
}
