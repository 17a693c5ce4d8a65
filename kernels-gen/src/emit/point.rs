//! The point kernel: a program over arrays of bits.

use std::fmt::Write as _;

use super::c::Writer;
use super::cuda::Cuda;
use super::expr::operation;
use super::lang::{Helper, Lang, int_of, tag};
use super::link::Linked;
use super::opencl::OpenCl;
use super::{Dialect, Options, Signature, Source};
use crate::ops::{Op, Prim};
use crate::program::Program;

/// The writer of a dialect.
pub(super) fn lang(dialect: Dialect) -> Box<dyn Lang> {
    match dialect {
        Dialect::Cuda => Box::new(Cuda),
        Dialect::OpenCl(divide) => Box::new(OpenCl(divide)),
    }
}

/// A value of type `p` from a word.
pub(super) fn from_word(lang: &dyn Lang, p: Prim, word: &str) -> String {
    match p {
        Prim::F64 => lang.float_of_bits(p, word),
        Prim::F32 => lang.float_of_bits(p, &format!("({}){word}", lang.ty(Prim::I32))),
        Prim::I64 => word.to_string(),
        Prim::I32 => format!("({}){word}", lang.ty(p)),
        Prim::Mask => format!("{word} != 0{}", lang.suffix(Prim::I64)),
    }
}

/// The word of a value: zero-extended bits, canonical NaN.
fn to_word(lang: &dyn Lang, p: Prim, value: &str, writer: &mut Writer) -> String {
    if p.is_float() {
        let bits = operation(
            lang,
            Op::ToBits,
            p,
            int_of(p),
            &[value.to_string()],
            writer.need(),
        );
        debug_assert!(writer.need().contains(&Helper::Bits(p)), "{}", tag(p));
        return if p == Prim::F64 {
            bits
        } else {
            format!("({}){bits}", lang.ty(Prim::I64))
        };
    }
    if p == Prim::I64 {
        value.to_string()
    } else {
        format!("({}){value}", lang.ty(Prim::I64))
    }
}

/// A kernel that evaluates the program for every element of its arrays; see [`Signature::Point`].
///
/// It strides over the grid, so any launch size computes all `n` elements.
#[must_use]
pub fn point_kernel(program: &Program, options: &Options) -> Source {
    let lang = lang(options.dialect);
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

    let (word, cuda) = (lang.ty(Prim::I64), options.dialect == Dialect::Cuda);
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
        ("__kernel", "get_global_id(0)", "get_global_size(0)")
    };
    let mut text = format!(
        "{qualifier} void {name}(\n    {}) {{\n{}",
        params.join(",\n    "),
        lang.pragma()
    );
    let _ = writeln!(
        text,
        "    const {word} first = {first};\n    const {word} stride = {stride};"
    );
    let _ = writeln!(text, "    for ({word} i = first; i < n; i += stride) {{");
    for (i, &p) in inputs.iter().enumerate() {
        let _ = writeln!(
            text,
            "        const {} x{i} = {};",
            lang.ty(p),
            from_word(lang, p, &format!("in{i}[i]"))
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
        let _ = writeln!(
            text,
            "        out{i}[i] = {};",
            to_word(lang, p, &value, &mut writer)
        );
    }
    text.push_str("    }\n}\n");

    let title = format!(
        "{}::{} at points, by DoubleCrunch",
        program.entry().kernel.module,
        program.entry().name
    );
    Source {
        text: writer.finish(&title, &text),
        entry: name,
        dialect: options.dialect,
        signature: Signature::Point { inputs, outputs },
    }
}
