//! The comparison of the original with the lifted program: both are compiled into one executable, which compares them.
//!
//! The lifted program is compiled as C text ([`kernels_gen::emit::plain_c`]). For a function of one binary32 or 32-bit number, all inputs
//! are compared. For other functions, a sample is compared: special values, numbers of every exponent, and small integers.
//!
//! A kernel has one NaN. An original can distinguish NaNs: `fmin` treats a signalling NaN differently, and `copysign` shows a sign. So
//! inputs with other NaNs are compared too, but their differences are counted separately.
//!
//! The original is called from a separate file, in which nothing else has a name. Its symbol may have the name of any function or variable
//! of the comparing program (`f32`, `next`, `count`), and clang prefers a symbol of the same file.

use std::fmt::Write as _;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use kernels_gen::emit::{Options as Emission, plain_c};
use kernels_gen::ops::Prim;
use kernels_gen::program::Program;

use crate::exec::{Lifted, Shape};
use crate::ir::Type;
use crate::tools::{Made, NO_CLANG, ToolError, clang, run};

/// The result of a comparison.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Compared {
    /// The number of inputs.
    pub inputs: u64,
    /// Whether these are all inputs.
    pub all: bool,
    /// The number of inputs that differ, without those of the next field.
    pub differ: u64,
    /// The number of inputs that differ and have a NaN that kernels do not have: one with a sign or a payload.
    pub nans: u64,
    /// The first input that differs: its words, the original's results, the lifted program's results.
    pub first: Option<(Vec<u64>, Vec<u64>, Vec<u64>)>,
    /// The duration of the comparison, without compilers.
    pub time: Duration,
}

/// The extent of a comparison.
#[derive(Debug, Clone, Copy)]
pub struct Extent {
    /// The step through all inputs of 32 bits: 1 for all of them.
    pub every: u64,
    /// The size of a sample if there are more inputs.
    pub sample: u64,
    /// The number of processes.
    pub jobs: u64,
}

fn c_type(ty: &Type) -> Option<&'static str> {
    Some(match ty {
        Type::Float => "float",
        Type::Double => "double",
        Type::Int(1) => "_Bool",
        Type::Int(8) => "unsigned char",
        Type::Int(16) => "unsigned short",
        Type::Int(32) => "unsigned int",
        Type::Int(64) => "unsigned long long",
        Type::Ptr => "void *",
        Type::Void => "void",
        _ => return None,
    })
}

/// The function that calls the original.
const CALL: &str = "crunch_lift_original";

/// Whether a module's text defines a function with that name and that linkage.
fn defines(text: &str, linkage: &str, name: &str) -> bool {
    let (plain, quoted) = (format!("@{name}("), format!("@\"{name}\"("));
    text.lines()
        .filter_map(|l| l.strip_prefix("define ")?.strip_prefix(linkage))
        .any(|l| l.contains(&plain) || l.contains(&quoted))
}

/// Compares the original function `symbol` with the lifted program.
///
/// # Errors
/// If the original cannot be called from C, if the comparison needs a name that the sources use, or if a compiler rejects one of the two
/// programs.
pub fn compare(
    made: &Made,
    symbol: &str,
    lifted: &Lifted,
    program: &Program,
    contract: bool,
    extent: Extent,
    folder: &Path,
) -> Result<Compared, ToolError> {
    let clang = clang().ok_or_else(|| ToolError(NO_CLANG.into()))?;
    let shape = &lifted.shape;
    let source = plain_c(program, &Emission::cuda());
    // The linker would take one of the two for both.
    let taken = [source.entry.as_str(), CALL]
        .into_iter()
        .find(|name| made.texts.iter().any(|t| defines(t, "", name)));
    if let Some(name) = taken.or((symbol == "main").then_some(symbol)) {
        let what = format!(
            "the comparison has a function `{name}` of its own; rename the one in the source"
        );
        return Err(ToolError(what));
    }
    // A call by name finds nothing, or another file's function, or that of C's library.
    if made.texts.iter().any(|t| defines(t, "internal ", symbol)) {
        let what = format!("`{symbol}` is local to its file; remove `static`, or make it public");
        return Err(ToolError(what));
    }
    let no_form =
        || ToolError("its signature has no form in C: a structure or an odd width".into());
    let text = harness(shape, &source.entry, lifted).ok_or_else(no_form)?;
    let call = caller(symbol, shape).ok_or_else(no_form)?;
    let lifted_c = folder.join("lifted.c");
    let main_c = folder.join("compare.c");
    let call_c = folder.join("call.c");
    let write = |path: &Path, text: &str| {
        std::fs::write(path, text).map_err(|e| ToolError(format!("{}: {e}", path.display())))
    };
    // clang evaluates what initializes a `const`, again for each use of it: the time doubles with every few selections.
    let lifted_text = source.text.replace("\n    const ", "\n    ");
    let columns = Columns::of(shape, lifted).map(|c| c.definition(&source.entry));
    write(&lifted_c, &(lifted_text + &columns.unwrap_or_default()))?;
    write(&main_c, &text)?;
    write(&call_c, &call)?;
    let objects = made.objects(&clang, contract, folder)?;
    let lifted_o = folder.join("lifted.o");
    // The lifted text names every fused operation, which the processor must have or C's library computes.
    run(
        Command::new(&clang)
            .args([
                "-c",
                "-O2",
                "-w",
                "-ffp-contract=off",
                "-march=native",
                "-o",
            ])
            .arg(&lifted_o)
            .arg(&lifted_c),
        &lifted_c,
    )?;
    let call_o = folder.join("call.o");
    // What the symbol means in C's library is not what the original computes.
    run(
        Command::new(&clang)
            .args(["-c", "-O2", "-w", "-fno-builtin", "-o"])
            .arg(&call_o)
            .arg(&call_c),
        &call_c,
    )?;
    let program = folder.join("compare");
    let mut link = Command::new(&clang);
    link.args(["-O2", "-w", "-ffp-contract=off", "-o"])
        .arg(&program)
        .arg(&main_c)
        .arg(&call_o)
        .args(objects)
        .arg(&lifted_o);
    // What a library's object needs besides, nothing that is compared calls.
    run(
        link.args([
            "-Wl,--gc-sections",
            "-Wl,--unresolved-symbols=ignore-all",
            "-Wl,--allow-multiple-definition",
            "-no-pie",
            "-lm",
        ]),
        &main_c,
    )?;
    measure(&program, shape, extent)
}

/// Links the original into a shared library, with the name `name`.
///
/// # Errors
/// If the original cannot be called from C, or if a compiler rejects it.
pub fn library(
    made: &Made,
    symbol: &str,
    shape: &Shape,
    contract: bool,
    name: &str,
    file: &Path,
    folder: &Path,
) -> Result<(), ToolError> {
    let clang = clang().ok_or_else(|| ToolError(NO_CLANG.into()))?;
    let mut link = Command::new(&clang);
    link.args(["-shared", "-O2", "-w", "-o"]).arg(file);
    if symbol != name {
        // A mangled symbol is no name for people.
        let text = caller(symbol, shape)
            .ok_or_else(|| ToolError("its signature has no form in C".into()))?
            .replacen(CALL, name, 1);
        let call = folder.join("library.c");
        std::fs::write(&call, text).map_err(|e| ToolError(format!("{}: {e}", call.display())))?;
        link.args(["-fPIC", "-fno-builtin"]).arg(call);
    }
    link.args(made.objects(&clang, contract, folder)?);
    // Only what the function needs is kept: the rest of a crate has tables of functions of the standard library, without which nothing
    // loads.
    let map = folder.join("library.map");
    std::fs::write(&map, format!("{{ global: {name}; local: *; }};\n"))
        .map_err(|e| ToolError(format!("{}: {e}", map.display())))?;
    link.arg(format!("-Wl,--version-script={}", map.display()));
    // What a library's object needs besides, the function does not call.
    run(
        link.args([
            "-Wl,--gc-sections",
            "-Wl,--unresolved-symbols=ignore-all",
            "-Wl,-z,lazy",
            "-Wl,-Bsymbolic",
            "-lm",
        ]),
        file,
    )
}

fn measure(program: &Path, shape: &Shape, extent: Extent) -> Result<Compared, ToolError> {
    let numbers: Vec<&Type> = shape.params.iter().filter(|t| **t != Type::Ptr).collect();
    let small = matches!(numbers[..], [Type::Float | Type::Int(..=32)]);
    let mut children = Vec::new();
    let start = Instant::now();
    for job in 0..extent.jobs {
        let (mode, count) = if small {
            ("all", extent.every)
        } else {
            ("sample", extent.sample / extent.jobs)
        };
        let child = Command::new(program)
            .args([
                mode,
                &count.to_string(),
                &job.to_string(),
                &extent.jobs.to_string(),
            ])
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .spawn();
        children.push(child.map_err(|e| ToolError(format!("{}: {e}", program.display())))?);
    }
    let mut compared = Compared {
        inputs: 0,
        all: small && extent.every == 1,
        differ: 0,
        nans: 0,
        first: None,
        time: Duration::ZERO,
    };
    for child in children {
        let out = child
            .wait_with_output()
            .map_err(|e| ToolError(e.to_string()))?;
        let text = String::from_utf8_lossy(&out.stdout);
        if !out.status.success() {
            return Err(ToolError(format!(
                "the comparison ended with {}: {text}",
                out.status
            )));
        }
        for line in text.lines() {
            let mut words = line.split(' ');
            let number = |w: Option<&str>| w.and_then(|w| w.parse::<u64>().ok()).unwrap_or(0);
            match words.next() {
                Some("done") => {
                    compared.inputs += number(words.next());
                    compared.differ += number(words.next());
                    compared.nans += number(words.next());
                }
                Some("first") if compared.first.is_none() => {
                    let groups: Vec<Vec<u64>> = line["first ".len()..]
                        .split('|')
                        .map(|g| {
                            g.split_whitespace()
                                .filter_map(|w| u64::from_str_radix(w, 16).ok())
                                .collect()
                        })
                        .collect();
                    if let [input, original, lifted] = &groups[..] {
                        compared.first = Some((input.clone(), original.clone(), lifted.clone()));
                    }
                }
                _ => {}
            }
        }
    }
    compared.time = start.elapsed();
    Ok(compared)
}

/// The original's parameters in C, or `void`.
fn signature(types: &[String]) -> String {
    match types {
        [] => "void".into(),
        _ => types.join(", "),
    }
}

/// The file that calls the original; `None` if a type has no form in C.
fn caller(symbol: &str, shape: &Shape) -> Option<String> {
    let types: Vec<&str> = shape.params.iter().map(c_type).collect::<Option<_>>()?;
    let ret = c_type(&shape.ret)?;
    let of = |form: fn(usize, &str) -> String| -> Vec<String> {
        types.iter().enumerate().map(|(i, t)| form(i, t)).collect()
    };
    let plain = signature(&of(|_, t| t.into()));
    let named = signature(&of(|i, t| format!("{t} x{i}")));
    let args = of(|i, _| format!("x{i}")).join(", ");
    Some(format!(
        "extern {ret} original({plain}) __asm__(\"{symbol}\");\n{ret} {CALL}({named}) {{ return original({args}); }}\n"
    ))
}

/// The lifted program for many inputs of a function of one 32-bit number: a loop, which the compiler vectorizes. All 2^32 inputs take a
/// fraction of the time of as many calls.
struct Columns<'a> {
    input: &'a str,
    result: &'a str,
}

/// The loop's function.
const COLUMNS: &str = "crunch_lift_columns";

/// The number of inputs per call of the loop.
const COLUMN: usize = 1024;

/// The largest number of operations of a program that is written as a loop to vectorize: longer ones take the compiler minutes.
const MOST_OPERATIONS: usize = 1500;

impl<'a> Columns<'a> {
    /// `None` if the function has another form.
    fn of(shape: &'a Shape, lifted: &Lifted) -> Option<Self> {
        let is_word = |t: &Type| matches!(t, Type::Float | Type::Int(32));
        match &shape.params[..] {
            [input]
                if is_word(input)
                    && is_word(&shape.ret)
                    && shape.stored.is_empty()
                    && lifted.operations() <= MOST_OPERATIONS =>
            {
                Some(Self {
                    input: c_type(input)?,
                    result: c_type(&shape.ret)?,
                })
            }
            _ => None,
        }
    }

    fn declaration(&self) -> String {
        format!(
            "void {COLUMNS}(const {} *x, {} *y, long n)",
            self.input, self.result
        )
    }

    fn definition(&self, entry: &str) -> String {
        format!(
            "\n__attribute__((flatten)) {} {{ for (long i = 0; i < n; i++) y[i] = {entry}(x[i]); }}\n",
            self.declaration()
        )
    }

    /// All inputs `k` from the job's first one: their bits, the lifted results of a column, and the comparison of each.
    fn all(&self) -> String {
        format!(
            "static {} x[{COLUMN}]; static {} y[{COLUMN}];\n    \
             for (u64 k = job * n; k < total;) {{ long m = 0;\n      \
             for (; m < {COLUMN} && k < total; m++, k += jobs * n) {{ u32 b = (u32)k; memcpy(&x[m], &b, 4); }}\n      \
             {COLUMNS}(x, y, m); for (long i = 0; i < m; i++) compare(x[i], y[i]); }}",
            self.input, self.result
        )
    }
}

/// The program that compares; `None` if a type has no form in C.
fn harness(shape: &Shape, entry: &str, lifted: &Lifted) -> Option<String> {
    let types: Vec<String> = shape
        .params
        .iter()
        .map(|t| c_type(t).map(String::from))
        .collect::<Option<_>>()?;
    let ret = c_type(&shape.ret)?;
    let mut results: Vec<Prim> = Vec::new();
    if shape.ret != Type::Void {
        results.push(crate::write::prim(&shape.ret)?);
    }
    results.extend(shape.stored.iter().map(|s| s.2));
    let c_prim = |p: Prim| match p {
        Prim::F64 => "double",
        Prim::F32 => "float",
        Prim::I64 => "unsigned long long",
        Prim::I32 => "unsigned int",
        Prim::Mask => "_Bool",
    };
    let mut text = String::from("#include <stdio.h>\n#include <stdlib.h>\n#include <string.h>\n");
    let _ = writeln!(text, "extern {ret} {CALL}({});", signature(&types));
    let prims: Vec<&str> = lifted.body.params.iter().map(|p| c_prim(p.1)).collect();
    if results.len() > 1 {
        let fields: Vec<String> = results
            .iter()
            .enumerate()
            .map(|(i, &p)| format!("{} r{i};", c_prim(p)))
            .collect();
        let _ = writeln!(text, "typedef struct {{ {} }} lifted_t;", fields.join(" "));
    } else {
        let _ = writeln!(text, "typedef {} lifted_t;", c_prim(results[0]));
    }
    let _ = writeln!(text, "extern lifted_t {entry}({});", prims.join(", "));
    text.push_str(
        "typedef unsigned long long u64; typedef unsigned int u32;\n\
         static u64 f32(float x) { u32 b; memcpy(&b, &x, 4); return (b & 0x7fffffffu) > 0x7f800000u ? 0x7fc00000u : b; }\n\
         static u64 f64(double x) { u64 b; memcpy(&b, &x, 8); return (b & 0x7fffffffffffffffull) > 0x7ff0000000000000ull ? 0x7ff8000000000000ull : b; }\n\
         static int other32(float x) { u32 b; memcpy(&b, &x, 4); return b != f32(x); }\n\
         static int other64(double x) { u64 b; memcpy(&b, &x, 8); return b != f64(x); }\n\
         static u64 seed; static u64 next(void) { u64 z = (seed += 0x9e3779b97f4a7c15ull); z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9ull; z = (z ^ z >> 27) * 0x94d049bb133111ebull; return z ^ z >> 31; }\n\
         static const double special[] = { 0.0, 1.0, 2.0, 0.5, 3.0, 10.0, 1.5, 0x1p-1022, 0x1p-1074, 0x1.fffffffffffffp1023, 0x1p52, 0x1p53, 0x1p63, 0x1p31, 1e308, 709.782712893384, 745.2, 88.72284, 104.0, 0.7853981633974483, 1.5707963267948966, 3.141592653589793, 0x1p-27, 0x1p-126, 0x1p-149, 0x1.fffffep127, 4.5, 6.0, 20.0, 22.0, 171.7, 1.0/0.0, 0.0/0.0 };\n\
         static double pick64(void) { u64 r = next(), m = next(); u64 b; double x;\n\
           switch (r & 7) { case 0: x = special[(r >> 8) % (sizeof special / sizeof *special)]; memcpy(&b, &x, 8); b += (r >> 40 & 3) ? 0 : (r >> 44 & 3) - 1; b ^= (r >> 50 & 1) << 63; break;\n\
           case 1: case 2: x = (double)((r >> 8) % 4001) / 8.0 - 250.0; memcpy(&b, &x, 8); break;\n\
           case 3: case 4: case 5: b = (m & 0x800fffffffffffffull) | (1023 - 12 + (r >> 8) % 24) << 52; break;\n\
           default: b = m; }\n\
           memcpy(&x, &b, 8); return x; }\n\
         static float pick32(void) { u64 r = next(); u32 b = (u32)(r >> 32); float x; if (r & 1) return (float)pick64(); memcpy(&x, &b, 4); return x; }\n\
         static u64 pickint(void) { u64 r = next(); return r & 3 ? next() >> (r >> 8 & 63) : (u64)((long long)(r >> 8 & 4095) - 2048); }\n",
    );
    let mut compare = String::new();
    let (mut words, mut other) = (Vec::new(), vec!["0".to_string()]);
    let (mut call, mut call_lifted) = (Vec::new(), Vec::new());
    for (i, ty) in shape.params.iter().enumerate() {
        if *ty == Type::Ptr {
            let _ = writeln!(
                compare,
                "  unsigned char memory{i}[256]; memset(memory{i}, 0, sizeof memory{i});"
            );
            call.push(format!("memory{i}"));
            continue;
        }
        call.push(format!("x{i}"));
        call_lifted.push(format!("x{i}"));
        match ty {
            Type::Float => other.push(format!("other32(x{i})")),
            Type::Double => other.push(format!("other64(x{i})")),
            _ => {}
        }
        words.push(match ty {
            Type::Float => format!("f32(x{i})"),
            Type::Double => format!("f64(x{i})"),
            _ => format!("(u64)x{i}"),
        });
    }
    let mut originals = Vec::new();
    if shape.ret == Type::Void {
        let _ = writeln!(compare, "  {CALL}({});", call.join(", "));
    } else {
        let _ = writeln!(compare, "  {ret} r = {CALL}({});", call.join(", "));
        originals.push(word(results[0], "r"));
    }
    let columns = Columns::of(shape, lifted);
    if let Some(columns) = &columns {
        let _ = writeln!(text, "extern {};", columns.declaration());
    }
    let lifted_result = format!("{entry}({})", call_lifted.join(", "));
    for (k, (param, offset, prim)) in shape.stored.iter().enumerate() {
        let _ = writeln!(
            compare,
            "  {} s{k}; memcpy(&s{k}, memory{param} + {offset}, sizeof s{k});",
            c_prim(*prim)
        );
        originals.push(word(*prim, &format!("s{k}")));
    }
    let lifted_words: Vec<String> = results
        .iter()
        .enumerate()
        .map(|(i, &p)| {
            word(
                p,
                &if results.len() > 1 {
                    format!("l.r{i}")
                } else {
                    "l".into()
                },
            )
        })
        .collect();
    let same: Vec<String> = originals
        .iter()
        .zip(&lifted_words)
        .map(|(a, b)| format!("{a} == {b}"))
        .collect();
    let print = |items: &[String]| {
        (
            vec!["%llx"; items.len()].join(" "),
            items
                .iter()
                .map(|i| format!(", (u64)({i})"))
                .collect::<String>(),
        )
    };
    let (f1, a1) = print(&words);
    let (f2, a2) = print(&originals);
    let (f3, a3) = print(&lifted_words);
    let params: Vec<String> = shape
        .params
        .iter()
        .enumerate()
        .filter(|(_, t)| **t != Type::Ptr)
        .map(|(i, _)| format!("{} x{i}", types[i]))
        .collect();
    let _ = writeln!(
        text,
        "static u64 count, differ, nans;\nstatic inline void compare({}, lifted_t l) {{\n{compare}  count++;\n  if ({}) return;\n  if ({}) nans++;\n  else if (!differ++) {{ printf(\"first {f1} | {f2} | {f3}\\n\"{a1}{a2}{a3}); fflush(stdout); }}\n}}",
        params.join(", "),
        same.join(" && "),
        other.join(" || ")
    );
    let mut all = String::new();
    let mut picks = Vec::new();
    let arguments = [&call_lifted[..], &[lifted_result]].concat().join(", ");
    for (i, ty) in shape.params.iter().enumerate() {
        let pick = match ty {
            Type::Ptr => continue,
            Type::Float => "pick32()",
            Type::Double => "pick64()",
            Type::Int(1) => "next() & 1",
            _ => "pickint()",
        };
        let c = &types[i];
        picks.push(format!("{c} x{i} = {pick};"));
        let input = match ty {
            Type::Float => format!("u32 b = (u32)k; float x{i}; memcpy(&x{i}, &b, 4);"),
            _ => format!("{c} x{i} = ({c})k;"),
        };
        all = format!(
            "for (u64 k = job * n; k < total; k += jobs * n) {{ {input} compare({arguments}); }}"
        );
    }
    let total = match shape.params.iter().find(|t| **t != Type::Ptr) {
        Some(Type::Int(n @ 1..=31)) => 1u64 << n,
        _ => 1 << 32,
    };
    if let Some(columns) = columns {
        all = columns.all();
    } else if picks.len() != 1 {
        all.clear();
    }
    let _ = writeln!(
        text,
        "int main(int c, char **v) {{ u64 n = strtoull(v[2], 0, 10), job = strtoull(v[3], 0, 10), jobs = strtoull(v[4], 0, 10), total = {total}ull;\n  \
         seed = 12345 + job * 7919;\n  if (v[1][0] == 'a') {{ {all} }}\n  \
         else for (u64 k = 0; k < n; k++) {{ {} compare({arguments}); }}\n  printf(\"done %llu %llu %llu\\n\", count, differ, nans); return 0; }}",
        picks.join(" "),
    );
    Some(text)
}

/// A value's word. Every NaN gives the canonical one.
fn word(prim: Prim, value: &str) -> String {
    match prim {
        Prim::F32 => format!("f32({value})"),
        Prim::F64 => format!("f64({value})"),
        _ => format!("(u64)({value})"),
    }
}
