//! The texts in WGSL and GLSL: golden files, what is refused, the validators of both languages where they are installed,
//! and GLSL's statements as C++, every operation bit for bit as the interpreter has it. WGSL's come from the same code.

use std::io::Write as _;
use std::path::Path;
use std::process::{Command, Stdio};

use kernels_gen::emit::{Shading, shader};
use kernels_gen::interp::eval_batch;
use kernels_gen::ir::Elem;
use kernels_gen::ops::{Arith, Direction, Op, Prim};
use kernels_gen::program::{Program, TableData};

use crate::build::{Builder, program};
use crate::cxx;
use crate::every_op::every_op_for_shaders;
use crate::inputs::inputs;

/// Calls with several results, tables of both kinds, constants, infinity, a product in a sum, a quotient and a root.
fn shaded() -> Program {
    use Prim::{F32, I32, Mask};
    let mut b = Builder::new("two_sum", &[("a", F32), ("b", F32)]);
    let (x, y) = (b.param(0), b.param(1));
    let s = b.op(Op::Add, &[x, y]);
    b.name(s, "sample");
    let bb = b.op(Op::Sub, &[s, x]);
    let e = b.op(Op::Sub, &[y, bb]);
    let helper = b.done(&[s, e]);
    let mut b = Builder::new("shaded", &[("x", F32), ("k", I32)]);
    let (x, k) = (b.param(0), b.param(1));
    b.line(13);
    let sum = b.call(0, &[x, x], &[F32, F32]);
    let (c, d) = (b.load(0, k, F32), b.load(1, k, I32));
    let product = b.op(Op::Mul, &[sum[0], c]);
    let tenth = b.constant(F32, u64::from(0.1f32.to_bits()));
    let fused = b.op(Op::Add, &[product, tenth]);
    b.name(fused, "texture");
    b.line(14);
    let quotient = b.op(Op::Div, &[fused, x]);
    let root = b.op(Op::Sqrt, &[quotient]);
    let infinity = b.constant(F32, u64::from(f32::INFINITY.to_bits()));
    let least = b.op(Op::Min, &[root, infinity]);
    let big = b.constant(I32, 0xffff_f000);
    let bits = b.op(Op::And, &[d, big]);
    let five = b.constant(I32, 37);
    let shifted = b.op(Op::Shl, &[bits, five]);
    let less = b.op_to(Op::Lt, &[k, shifted], Mask);
    let chosen = b.op(Op::Select, &[less, least, sum[1]]);
    let mut p = program(vec![helper, b.done(&[chosen, shifted, less])]);
    let table = |name: &str, elem, bits: &[u32]| TableData {
        name: name.into(),
        elem,
        bits: bits.iter().map(|&w| u64::from(w)).collect(),
    };
    let floats = [0.1f32, -0.0, f32::INFINITY].map(f32::to_bits);
    p.tables = vec![
        table("C", Elem::F32, &floats),
        table("D", Elem::I32, &[1, u32::MAX, 1 << 20, 77_777]),
    ];
    p
}

fn text(program: &Program, shading: Shading) -> String {
    let shader = shader(program, shading).expect("all of it has a form");
    assert!(shader.text.contains(&shader.entry));
    shader.text
}

/// The text through the language's validator, if that is installed.
fn validate(name: &str, text: &str, shading: Shading) {
    let (tool, package, extension) = match shading {
        Shading::Wgsl => ("naga", "the crate naga-cli", "wgsl"),
        Shading::Glsl => ("glslangValidator", "glslang-tools", "vert"),
    };
    if !cxx::is_there(tool) {
        cxx::skip(
            tool,
            &format!("not here to read {name}; it is in {package}"),
        );
        return;
    }
    let dir = cxx::scratch(&format!("shader-{name}-{shading}"));
    let file = dir.join(format!("text.{extension}"));
    let whole = match shading {
        Shading::Wgsl => text.to_string(),
        Shading::Glsl => {
            format!("#version 400\n{text}void main() {{ gl_Position = vec4(0.0); }}\n")
        }
    };
    std::fs::write(&file, whole).expect("the scratch folder is writable");
    let out = Command::new(tool).arg(&file).output().expect("it is there");
    let log = String::from_utf8_lossy(&out.stdout) + String::from_utf8_lossy(&out.stderr);
    assert!(out.status.success(), "{name}, {shading}: {log}");
    let _ = std::fs::remove_dir_all(dir);
}

#[test]
fn shaders_are_as_reviewed() {
    for (shading, extension) in [(Shading::Wgsl, "wgsl"), (Shading::Glsl, "glsl")] {
        let text = text(&shaded(), shading);
        let file = format!("tests/golden/shaded.{extension}");
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(&file);
        if std::env::var_os("CRUNCH_BLESS").is_some() {
            std::fs::write(&path, &text).expect("the golden folder is writable");
        }
        let want = std::fs::read_to_string(&path).unwrap_or_default();
        assert!(
            want == text,
            "{file} differs; if that is meant, CRUNCH_BLESS=1 and review the diff. Now:\n{text}"
        );
        validate("shaded", &text, shading);
        validate(
            "every-op",
            &self::text(&every_op_for_shaders(), shading),
            shading,
        );
    }
}

/// GLSL's types and functions in C++, with IEEE 754's arithmetic.
const SHIM: &str = "\
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstring>
#define precise
typedef unsigned int uint;
using std::floor; using std::ceil; using std::trunc; using std::min;
static inline uint floatBitsToUint(float x) { uint y; std::memcpy(&y, &x, 4); return y; }
static inline float uintBitsToFloat(uint x) { float y; std::memcpy(&y, &x, 4); return y; }
static inline float roundEven(float x) { return std::nearbyintf(x); }
static inline int findMSB(uint x) { return x == 0 ? -1 : 31 - __builtin_clz(x); }
";

/// The text as a C++ program that reads an element's words and writes its results, until its input ends.
fn as_cxx(program: &Program) -> String {
    let shader = shader(program, Shading::Glsl).expect("all of it has a form");
    // C++ has no constructors of arrays; a table's last line is the only one of this form.
    let mut body = String::new();
    for line in shader.text.lines() {
        let array = line
            .split_once("] = uint[")
            .map(|(name, _)| format!("{name}] = {{"));
        body += &array.unwrap_or_else(|| line.replacen(");", "};", usize::from(line == ");")));
        body.push('\n');
    }
    let params = &program.entry().params;
    let mut main =
        format!("{SHIM}{body}\nint main() {{\n    unsigned long long w;\n    for (;;) {{\n");
    let mut args = Vec::new();
    for (i, (_, p)) in params.iter().enumerate() {
        main += &format!(
            "        if (fread(&w, 8, 1, stdin) != 1) return 0;\n        const uint x{i} = (uint)w;\n"
        );
        args.push(match p {
            Prim::F32 => format!("uintBitsToFloat(x{i})"),
            _ => format!("x{i}"),
        });
    }
    main += &format!(
        "        const auto y = {}({});\n",
        shader.entry,
        args.join(", ")
    );
    for (i, &v) in program.entry().results.iter().enumerate() {
        let value = match program.entry().ty(v) {
            Prim::F32 => format!("floatBitsToUint(y.r{i})"),
            _ => format!("y.r{i}"),
        };
        main += &format!("        w = {value}; fwrite(&w, 8, 1, stdout);\n");
    }
    main + "    }\n}\n"
}

/// The first difference of a text from the interpreter.
fn difference(name: &str, program: &Program, source: &str) -> Option<String> {
    let params: Vec<Prim> = program.entry().params.iter().map(|p| p.1).collect();
    let columns = inputs(&params, 4_000);
    let rows = columns[0].len();
    let dir = cxx::scratch(&format!("shader-{name}"));
    let (file, exe) = (dir.join("text.cpp"), dir.join("text"));
    std::fs::write(&file, source).expect("the scratch folder is writable");
    let flags = ["-std=c++20", "-O1", "-ffp-contract=off"];
    let mut command = Command::new("g++");
    command.args(flags).arg(&file).arg("-o").arg(&exe);
    cxx::run(&mut command).unwrap_or_else(|log| panic!("{name}: {log}"));
    let mut child = Command::new(&exe)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("it was just built");
    let bytes: Vec<u8> = (0..rows)
        .flat_map(|i| columns.iter().map(move |c| c[i]))
        .flat_map(u64::to_le_bytes)
        .collect();
    let mut stdin = child.stdin.take().expect("piped");
    let feed = std::thread::spawn(move || stdin.write_all(&bytes));
    let out = child.wait_with_output().expect("it runs");
    feed.join().expect("no panic").expect("it reads all");
    let _ = std::fs::remove_dir_all(dir);
    let mut want = vec![vec![0; rows]; program.entry().results.len()];
    let slices: Vec<&[u64]> = columns.iter().map(Vec::as_slice).collect();
    eval_batch(program, &slices, &mut want);
    let got: Vec<u64> = out
        .stdout
        .chunks_exact(8)
        .map(|c| u64::from_le_bytes(c.try_into().expect("8 bytes")))
        .collect();
    assert_eq!(got.len(), rows * want.len(), "{name}");
    (0..got.len()).find_map(|at| {
        let (row, result) = (at / want.len(), at % want.len());
        let wanted = want[result][row];
        (got[at] != wanted).then(|| {
            let args: Vec<u64> = columns.iter().map(|c| c[row]).collect();
            format!("result {result} of {args:x?}: {:x} not {wanted:x}", got[at])
        })
    })
}

#[test]
fn statements_have_the_interpreters_bits() {
    if !cxx::is_there("g++") {
        cxx::skip("cuda-host", "no g++ to compile the statements of GLSL");
        return;
    }
    for (name, program) in [("every-op", every_op_for_shaders()), ("shaded", shaded())] {
        assert_eq!(
            difference(name, &program, &as_cxx(&program)),
            None,
            "{name}"
        );
    }
    // The comparison fails where ties are rounded away from even.
    let program = every_op_for_shaders();
    let even = "(sticky || (kept & 1u) != 0u)";
    let source = as_cxx(&program);
    assert!(source.contains(even));
    let found = difference("ties", &program, &source.replace(even, "true"));
    assert!(found.is_some(), "wrong ties are not noticed");
}

#[test]
fn what_has_no_form_in_a_shader_is_refused_with_its_line() {
    use Prim::{F32, F64, I32, I64};
    for (op, params, to, says) in [
        (Op::Fma, &[F32; 3][..], F32, "`fma`"),
        (
            Op::Directed(Arith::Add, Direction::Up),
            &[F32; 2],
            F32,
            "`add_ru`",
        ),
        (Op::ToF64, &[F32], F64, "`to_f64` of binary64"),
        (Op::ToI64, &[I32], I64, "`to_i64` of 64-bit integers"),
    ] {
        let names = ["a", "b", "c"];
        let params: Vec<(&str, Prim)> = names.into_iter().zip(params.iter().copied()).collect();
        let mut b = Builder::new("one", &params);
        let args: Vec<_> = (0..params.len() as u32).map(|i| b.param(i)).collect();
        b.line(17);
        let y = b.op_to(op, &args, to);
        let p = program(vec![b.done(&[y])]);
        for shading in [Shading::Wgsl, Shading::Glsl] {
            let e = shader(&p, shading).expect_err("it has no form").to_string();
            let place = "src/by_hand.rs, line 17: kernel `by_hand`";
            assert!(e.contains(says) && e.contains(place), "{e}");
            assert!(e.contains(&shading.to_string()) && !e.contains('\n'), "{e}");
        }
    }
    let mut b = Builder::new("wide", &[("x", F64)]);
    let y = b.op(Op::Neg, &[b.param(0)]);
    let e = shader(&program(vec![b.done(&[y])]), Shading::Wgsl).expect_err("binary64");
    let e = e.to_string();
    assert!(
        e.contains("parameter `x`, of binary64") && e.contains("DcFloat"),
        "{e}"
    );
}
