//! A binary32 kernel as a function in WGSL or GLSL, for shaders. No backend runs these texts, so none of their results is verified on a
//! device. Neither language guarantees the rounding, the subnormals and the NaNs of a kernel. The header of each text states its
//! guarantees.
//!
//! | file | what |
//! |---|---|
//! | `language` | the types, conversions and operations of each language |
//! | `helpers` | functions of the text for operations that the languages lack, or do not round correctly |
//! | `refusal` | the constructs that these languages cannot express |
//!
//! A text contains only what the languages can express, and users may rely on nothing else: additions, subtractions and products, which
//! both languages call correctly rounded without naming a direction; all exact operations; and quotients and square roots computed from
//! integers, because the languages' own may have errors of 2.5 ULP and more.

mod helpers;
mod language;
mod refusal;

use std::collections::BTreeSet;
use std::fmt::Write as _;

use super::EmitError;
use super::link::{Linked, LinkedFunc};
use super::names::Names;
use super::source::{comment, file_name, reference};
use crate::ops::Prim;
use crate::program::{FuncId, InstKind, Program, TableData, TableId};
use crate::text::decimal;
use helpers::Helper;
pub use language::Shading;
use language::word;

/// A function in a language of shaders.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ShaderText {
    /// The whole text.
    pub text: String,
    /// Name of its function.
    pub entry: String,
}

/// A function `crunch_NAME` with one value per parameter, and the kernels that it calls. Integers are unsigned, with the same bits. Several
/// results are a struct.
///
/// # Errors
/// The first operation, constant or parameter that the language cannot express, with its source line and the remedy.
pub fn shader(program: &Program, shading: Shading) -> Result<ShaderText, EmitError> {
    let mut linked = Linked::default();
    let entry = linked.add(program);
    let mut writer = Writer {
        shading,
        linked: &linked,
        needs: BTreeSet::new(),
        bundles: BTreeSet::new(),
        body: String::new(),
    };
    for func in &linked.funcs {
        refusal::check(func, shading)?;
        writer.func(func);
    }
    let name = Names::clone(&linked.names).fresh(&format!("crunch_{}", program.entry().name));
    writer.entry(&linked.funcs[entry], &name);
    let title = format!(
        "{}::{} in {shading}, by DoubleCrunch; not verified on a device",
        comment(&program.entry().origin.module),
        comment(&program.entry().name)
    );
    Ok(ShaderText {
        text: format!("// {title}\n{}{}", shading.prologue(), writer.finish()),
        entry: name,
    })
}

struct Writer<'a> {
    shading: Shading,
    linked: &'a Linked<'a>,
    needs: BTreeSet<Helper>,
    bundles: BTreeSet<Vec<Prim>>,
    body: String,
}

/// Name of the struct for several results: `dc_f32x2_mask` for two floats and a mask.
fn bundle(types: &[Prim]) -> String {
    let mut name = "dc".to_string();
    for run in types.chunk_by(|a, b| a == b) {
        name.push('_');
        name.push_str(super::lang::tag(run[0]));
        if run.len() > 1 {
            let _ = write!(name, "x{}", run.len());
        }
    }
    name
}

impl Writer<'_> {
    /// A function's return type.
    fn returns(&mut self, types: &[Prim]) -> String {
        match types {
            [one] => self.shading.ty(*one).to_string(),
            _ => {
                self.bundles.insert(types.to_vec());
                bundle(types)
            }
        }
    }

    /// Structs, helpers, tables and functions.
    fn finish(self) -> String {
        let mut text = String::new();
        for types in &self.bundles {
            let (name, fields) = (bundle(types), self.shading.fields(types));
            let _ = writeln!(text, "struct {name} {{ {fields} }};\n");
        }
        for helper in helpers::closure(&self.needs) {
            text.push_str(&helper.text(self.shading));
            text.push('\n');
        }
        for table in &self.linked.tables {
            text.push_str(&table_text(self.shading, table));
        }
        text + &self.body
    }

    fn func(&mut self, f: &LinkedFunc) {
        let shading = self.shading;
        let mut scope = self.linked.names.clone();
        let origin = &f.func.origin;
        let types = f.result_types();
        let ret = self.returns(&types);
        let mut value: Vec<String> = vec![String::new(); f.insts.len()];
        let mut params = Vec::new();
        for (i, (name, p)) in f.func.params.iter().enumerate() {
            value[i] = local(&mut scope, name);
            params.push((value[i].clone(), *p));
        }
        let mut text = format!(
            "// {}::{}, {}:{}\n{}",
            comment(&origin.module),
            comment(&f.func.name),
            comment(file_name(origin)),
            origin.line,
            shading.head(&f.name, &params, &ret)
        );
        let mut line = 0;
        for (i, inst) in f.insts.iter().enumerate() {
            if !f.live[i] || matches!(inst.kind, InstKind::Param(_)) {
                continue;
            }
            let args: Vec<&str> = inst
                .args
                .iter()
                .map(|v| value[v.0 as usize].as_str())
                .collect();
            let mut ty = shading.ty(inst.ty).to_string();
            let expr = match inst.kind {
                InstKind::Param(_) => continue,
                InstKind::Const(bits) if inst.ty == Prim::F32 => {
                    // A statement of its own, so that no expression consists of constants alone: WGSL evaluates those
                    // itself, and refuses what overflows.
                    let float = shading.float_constant(bits);
                    format!("{float} /* {} */", decimal(inst.ty, bits))
                }
                InstKind::Const(bits) => {
                    value[i] = match inst.ty {
                        Prim::Mask => (bits != 0).to_string(),
                        _ => word(bits),
                    };
                    continue;
                }
                InstKind::Op(op) => {
                    let on = inst
                        .args
                        .first()
                        .map_or(inst.ty, |&v| f.insts[v.0 as usize].ty);
                    shading.operation(op, on, inst.ty, &args, &mut self.needs)
                }
                InstKind::Load(TableId(t)) => self.load(t, args[0]),
                InstKind::Call(FuncId(callee)) => {
                    let callee = &self.linked.funcs[callee as usize];
                    ty = self.returns(&callee.result_types());
                    format!("{}({})", callee.name, args.join(", "))
                }
                InstKind::Result(n) => {
                    let InstKind::Call(FuncId(callee)) = f.insts[inst.args[0].0 as usize].kind
                    else {
                        unreachable!("a result belongs to a call");
                    };
                    if self.linked.funcs[callee as usize].func.results.len() == 1 {
                        value[i] = args[0].to_string();
                        continue;
                    }
                    format!("{}.r{n}", args[0])
                }
            };
            if inst.loc.line != line && inst.loc.line != 0 {
                line = inst.loc.line;
                let _ = writeln!(text, "    // {}", reference(&f.func.origin, line));
            }
            let hint = inst
                .name
                .as_deref()
                .map_or_else(|| i.to_string(), str::to_string);
            value[i] = local(&mut scope, &hint);
            let _ = writeln!(text, "    {}", shading.define(&value[i], &ty, &expr));
        }
        let results: Vec<&str> = f
            .func
            .results
            .iter()
            .map(|v| value[v.0 as usize].as_str())
            .collect();
        let _ = match results[..] {
            [one] => writeln!(text, "    return {one};"),
            _ => writeln!(text, "    return {ret}({});", results.join(", ")),
        };
        let _ = writeln!(self.body, "{text}}}\n");
    }

    /// The function `name`, whose results have canonical NaNs.
    fn entry(&mut self, callee: &LinkedFunc, name: &str) {
        let shading = self.shading;
        let types = callee.result_types();
        let ret = self.returns(&types);
        let params: Vec<(String, Prim)> = callee
            .func
            .params
            .iter()
            .enumerate()
            .map(|(i, &(_, p))| (format!("x{i}"), p))
            .collect();
        let args: Vec<&str> = params.iter().map(|p| p.0.as_str()).collect();
        let call = format!("{}({})", callee.name, args.join(", "));
        let mut values = Vec::new();
        for (i, &p) in types.iter().enumerate() {
            let value = match types.len() {
                1 => "y".to_string(),
                _ => format!("y.r{i}"),
            };
            values.push(match p {
                Prim::F32 => {
                    self.needs.insert(Helper::Bits);
                    shading.float_of_bits(&format!("dc_bits({value})"))
                }
                _ => value,
            });
        }
        let result = match &values[..] {
            [one] => one.clone(),
            _ => format!("{ret}({})", values.join(", ")),
        };
        let _ = writeln!(
            self.body,
            "{}    {}\n    return {result};\n}}",
            shading.head(name, &params, &ret),
            shading.define("y", &ret, &call)
        );
    }

    fn load(&mut self, table: u32, index: &str) -> String {
        let data = &self.linked.tables[table as usize];
        let last = word(data.bits.len() as u64 - 1);
        let place = if data.wraps() {
            format!("{index} & {last}")
        } else {
            self.needs.insert(Helper::Clamp);
            format!("dc_clamp({index}, {last})")
        };
        let element = format!("{}[{place}]", data.name);
        match data.prim() {
            Prim::F32 => self.shading.float_of_bits(&element),
            _ => element,
        }
    }
}

/// A name for a local variable. No keyword, reserved word or function of either language begins with `v_`.
fn local(scope: &mut Names, hint: &str) -> String {
    scope.fresh(&format!("v_{hint}"))
}

/// A table: the bits, and for floats their decimals.
fn table_text(shading: Shading, table: &TableData) -> String {
    let (open, close) = shading.table(&table.name, table.bits.len());
    let mut text = format!("{open}\n");
    for (i, &bits) in table.bits.iter().enumerate() {
        // GLSL has no comma after the last element.
        let comma = if i + 1 < table.bits.len() { "," } else { "" };
        let decimal = decimal(table.prim(), bits);
        let _ = writeln!(text, "    0x{bits:08x}u{comma} // {decimal}");
    }
    text + close + "\n\n"
}
