//! The common writer for CUDA C and OpenCL C: one operation per statement, with named values.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use super::choice::choice;
use super::expr::{constant, decimal, helper_text, operation};
use super::lang::{Helper, Lang, Needs, int_of, tag, width};
use super::link::{Linked, LinkedFunc};
use super::source::{comment, file_name, reference};
use crate::ops::{Op, Prim};
use crate::program::{FuncId, InstKind, TableData, TableId, Value};

/// The name of the struct for several results: `dc_f64x2_mask` for two doubles and a mask; `dc_by8_f64x2_mask` if they are vectors of 8
/// lanes.
fn bundle(lang: &dyn Lang, types: &[Prim]) -> String {
    let mut name = match lang.lanes() {
        1 => "dc".to_string(),
        lanes => format!("dc_by{lanes}"),
    };
    for run in types.chunk_by(|a, b| a == b) {
        name.push('_');
        name.push_str(tag(run[0]));
        if run.len() > 1 {
            let _ = write!(name, "x{}", run.len());
        }
    }
    name
}

/// A text under construction.
pub(super) struct Writer<'a> {
    lang: &'a dyn Lang,
    linked: &'a Linked<'a>,
    line_directives: bool,
    need: Needs,
    bundles: BTreeSet<Vec<Prim>>,
    body: String,
}

impl<'a> Writer<'a> {
    /// A writer of the functions and tables of `linked`.
    pub fn new(lang: &'a dyn Lang, linked: &'a Linked<'a>, line_directives: bool) -> Self {
        let (need, bundles, body) = (Needs::new(), BTreeSet::new(), String::new());
        let mut writer = Writer {
            lang,
            linked,
            line_directives,
            need,
            bundles,
            body,
        };
        for func in &linked.funcs {
            writer.func(func);
        }
        writer
    }

    /// The set of helpers needed, for code around the functions.
    pub fn need(&mut self) -> &mut Needs {
        &mut self.need
    }

    /// The whole text: prologue, structs, helpers, tables, functions, then `kernel`.
    pub fn finish(self, title: &str, kernel: &str) -> String {
        let top = top(title, self.lang);
        top + &self.definitions() + kernel
    }

    /// Structs, helpers, tables and functions.
    pub fn definitions(&self) -> String {
        let mut text = String::new();
        for types in &self.bundles {
            let fields: Vec<String> = types
                .iter()
                .enumerate()
                .map(|(i, &p)| format!("{} r{i};", self.lang.ty(p)))
                .collect();
            let _ = writeln!(
                text,
                "typedef struct {{ {} }} {};\n",
                fields.join(" "),
                bundle(self.lang, types)
            );
        }
        for &helper in &self.need {
            let _ = writeln!(text, "{}", helper_text(self.lang, helper));
        }
        for table in &self.linked.tables {
            let _ = writeln!(text, "{}", table_text(self.lang, table));
        }
        text + &self.body
    }

    /// A function's return type.
    pub fn returns(&mut self, types: &[Prim]) -> String {
        match types {
            [one] => self.lang.ty(*one),
            _ => {
                self.bundles.insert(types.to_vec());
                bundle(self.lang, types)
            }
        }
    }

    fn func(&mut self, f: &LinkedFunc) {
        let lang = self.lang;
        let mut scope = self.linked.names.clone();
        let origin = &f.func.origin;
        let file = file_name(origin);
        let types = f.result_types();
        let ret = self.returns(&types);

        let mut value: Vec<String> = vec![String::new(); f.insts.len()];
        let mut params = Vec::new();
        for (i, (name, p)) in f.func.params.iter().enumerate() {
            value[i] = scope.fresh(name);
            params.push(format!("const {} {}", lang.ty(*p), value[i]));
        }
        let mut text = format!(
            "// {}::{}, {}:{}\n",
            comment(&origin.module),
            comment(&f.func.name),
            comment(file),
            origin.line
        );
        let _ = writeln!(
            text,
            "{} {ret} {}({}) {{",
            lang.function(),
            f.name,
            params.join(", ")
        );
        text.push_str(lang.pragma());

        let uses = uses(f);
        let mut line = 0;
        for (i, inst) in f.insts.iter().enumerate() {
            if !f.live[i] || matches!(inst.kind, InstKind::Param(_)) {
                continue;
            }
            let args: Vec<String> = inst
                .args
                .iter()
                .map(|v| value[v.0 as usize].clone())
                .collect();
            let mut ty = lang.ty(inst.ty);
            let mut name = inst.name.as_deref();
            let expr = match inst.kind {
                InstKind::Param(_) => continue,
                // A constant that is used once is written in place; one that is used several times, or has a name, gets
                // a statement of its own. Integers are short enough to be written in place anywhere.
                InstKind::Const(bits) => {
                    let text = constant(lang, inst.ty, bits);
                    if !inst.ty.is_float() || (uses[i] == 1 && inst.name.is_none()) {
                        value[i] = text;
                        continue;
                    }
                    text
                }
                InstKind::Op(Op::ToBits) if f.raw => {
                    lang.raw_bits(f.insts[inst.args[0].0 as usize].ty, &args[0])
                }
                InstKind::Op(op) => {
                    let on = inst
                        .args
                        .get(usize::from(op == Op::Select))
                        .map_or(inst.ty, |&v| f.insts[v.0 as usize].ty);
                    choice(lang, f, inst, &args)
                        .unwrap_or_else(|| operation(lang, op, on, inst.ty, &args, &mut self.need))
                }
                InstKind::Load(TableId(t)) => {
                    self.load(t, f.insts[inst.args[0].0 as usize].ty, &args[0])
                }
                InstKind::Call(FuncId(callee)) => {
                    let callee = &self.linked.funcs[callee as usize];
                    let types = callee.result_types();
                    ty = self.returns(&types);
                    if types.len() == 1 {
                        name = name.or_else(|| result_name(f, i));
                    }
                    format!("{}({})", callee.name, args.join(", "))
                }
                InstKind::Result(n) => {
                    let InstKind::Call(FuncId(callee)) = f.insts[inst.args[0].0 as usize].kind
                    else {
                        unreachable!("a result belongs to a call");
                    };
                    if self.linked.funcs[callee as usize].func.results.len() == 1 {
                        value[i] = args[0].clone();
                        continue;
                    }
                    format!("{}.r{n}", args[0])
                }
            };
            if inst.loc.line != line && inst.loc.line != 0 {
                line = inst.loc.line;
                text.push_str(&self.reference(f, line));
            }
            value[i] = scope.fresh(&name.map_or_else(|| format!("t{i}"), str::to_string));
            let _ = writeln!(text, "    const {ty} {} = {expr};", value[i]);
        }
        let results: Vec<&str> = f
            .func
            .results
            .iter()
            .map(|v| value[v.0 as usize].as_str())
            .collect();
        if let [one] = results[..] {
            let _ = writeln!(text, "    return {one};");
        } else {
            let _ = writeln!(
                text,
                "    const {ret} out = {{ {} }};\n    return out;",
                results.join(", ")
            );
        }
        let _ = writeln!(self.body, "{text}}}\n");
    }

    fn load(&mut self, table: u32, index_ty: Prim, index: &str) -> String {
        let data = &self.linked.tables[table as usize];
        let (last, suffix) = (data.bits.len() as u64 - 1, self.lang.suffix(index_ty));
        let place = if data.wraps() {
            format!("{index} & {last}{suffix}")
        } else {
            self.need.insert(Helper::Clamp(index_ty));
            let last = self.lang.splat(index_ty, &format!("{last}{suffix}"));
            format!("dc_clamp_{}({index}, {last})", tag(index_ty))
        };
        let element = match (self.lang.lanes(), index_ty) {
            (1, _) => format!("{}[{place}]", data.name),
            (_, Prim::I64) => format!("dc_at_{}({place})", data.name),
            _ => format!(
                "dc_at_{}({})",
                data.name,
                self.lang.resize(Prim::I64, &place)
            ),
        };
        if data.prim().is_float() {
            self.lang.float_of_bits(data.prim(), &element)
        } else {
            element
        }
    }

    /// A reference to a line of the Rust source: a directive, or a comment with the line itself if the kernel's source is available.
    fn reference(&self, f: &LinkedFunc, line: u32) -> String {
        let origin = &f.func.origin;
        if self.line_directives {
            return format!(
                "#line {line} \"{}\"\n",
                comment(&origin.file).replace('\\', "/").replace('"', "?")
            );
        }
        format!("    // {}\n", reference(origin, line)).replace("\\\n", "\n")
    }
}

/// The first lines of a text.
pub(super) fn top(title: &str, lang: &dyn Lang) -> String {
    format!("// {}\n{}\n", comment(title), lang.prologue())
}

/// The number of uses of each value.
fn uses(f: &LinkedFunc) -> Vec<u32> {
    let mut uses = vec![0; f.insts.len()];
    let args = f
        .insts
        .iter()
        .zip(&f.live)
        .filter(|(_, live)| **live)
        .flat_map(|(inst, _)| &inst.args);
    for &Value(v) in args.chain(&f.func.results) {
        uses[v as usize] += 1;
    }
    uses
}

/// The local to which the only result of call `i` is bound.
fn result_name<'f>(f: &'f LinkedFunc<'_>, call: usize) -> Option<&'f str> {
    f.insts
        .iter()
        .find(|inst| matches!(inst.kind, InstKind::Result(0)) && inst.args[0].0 as usize == call)
        .and_then(|inst| inst.name.as_deref())
}

/// A table: the bits, and for floats their decimals; for vectors, a function that reads lane by lane.
fn table_text(lang: &dyn Lang, table: &TableData) -> String {
    let (p, store) = (table.prim(), int_of(table.prim()));
    let (digits, name) = (width(p) as usize / 4, &table.name);
    let mut text = format!(
        "{} {} {name}[{}] = {{\n",
        lang.table(),
        lang.scalar(store),
        table.bits.len()
    );
    for &bits in &table.bits {
        let _ = writeln!(
            text,
            "    0x{bits:0digits$x}{}, // {}",
            lang.suffix(store),
            decimal(p, bits)
        );
    }
    text.push_str("};\n");
    if lang.lanes() > 1 {
        let lanes: Vec<String> = (0..lang.lanes())
            .map(|l| format!("{name}[index.s{l:x}]"))
            .collect();
        let (ty, index) = (lang.ty(store), lang.ty(Prim::I64));
        let _ = writeln!(
            text,
            "\n{} {ty} dc_at_{name}({index} index) {{\n{}    return ({ty})({});\n}}",
            lang.function(),
            lang.pragma(),
            lanes.join(", ")
        );
    }
    text
}
