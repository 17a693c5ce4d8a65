//! Whole texts, reviewed as diffs: `CRUNCH_BLESS=1 cargo test -p kernels-gen` rewrites them. Each is compiled by a real
//! compiler.

use std::path::Path;
use std::process::Command;

use kernels_gen::emit::{CorrectF32Divide, HOST_SHIM, Options, Source, point_kernel};
use kernels_gen::identity::fnv1a_128;
use kernels_gen::ops::{Op, Prim};
use kernels_gen::program::{Program, TableData};

use crate::build::{Builder, program, two_sum};
use crate::cxx;
use crate::every_op::{every_op, every_op_to_nearest, native_ops};

/// A helper called twice, a table, a mask, constants, both precisions.
pub fn mixture() -> Program {
    let mut b = Builder::new("mixture", &[("x", Prim::F64), ("k", Prim::I64)]);
    let (x, k) = (b.param(0), b.param(1));
    let narrow = b.op_to(Op::ToF32, &[x], Prim::F32);
    b.name(narrow, "narrow");
    b.line(13);
    let r = b.op(Op::Recip, &[narrow]);
    let y = b.op_to(Op::ToF64, &[r], Prim::F64);
    b.name(y, "y");
    let c = b.load(0, k, Prim::F64);
    b.name(c, "c");
    b.line(14);
    let first = b.call(0, &[y, c], &[Prim::F64, Prim::F64]);
    b.name(first[0], "s");
    b.name(first[1], "y");
    let tenth = b.f64(0.1);
    let second = b.call(0, &[first[0], tenth], &[Prim::F64, Prim::F64]);
    let five = b.i64(5);
    let shifted = b.op(Op::Shl, &[k, five]);
    let big = b.i64(-4096);
    let masked = b.op(Op::And, &[shifted, big]);
    let less = b.op_to(Op::Lt, &[x, second[1]], Prim::Mask);
    let z = b.op(Op::Select, &[less, second[0], x]);
    let bits = b.op_to(Op::ToBits, &[z], Prim::I64);
    let sum = b.op(Op::Add, &[bits, masked]);
    let mut p = program(vec![two_sum(), b.done(&[z, sum])]);
    let bits = [0.1f64, -0.0, f64::INFINITY]
        .iter()
        .map(|x| x.to_bits())
        .collect();
    p.tables = vec![TableData {
        name: "C".to_string(),
        elem: kernels_gen::ir::Elem::F64,
        bits,
    }];
    p
}

fn check(name: &str, source: &Source) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("tests/golden")
        .join(name);
    if std::env::var_os("CRUNCH_BLESS").is_some() {
        std::fs::write(&path, &source.text).expect("the golden folder is writable");
    }
    let want = std::fs::read_to_string(&path).unwrap_or_default();
    assert!(
        want == source.text,
        "{name} differs from its golden file; if that is meant, CRUNCH_BLESS=1 and review the diff. Now:\n{}",
        source.text
    );
    if name.ends_with(".cl") {
        compile_opencl(&path)
    } else {
        compile_cuda(name, source)
    }
}

fn compile_opencl(path: &Path) {
    let Some(clang) = ["clang-15", "clang"].into_iter().find(|c| cxx::is_there(c)) else {
        let file = path.file_name().unwrap_or_default().to_string_lossy();
        cxx::skip(
            "opencl:pocl",
            &format!("no clang, which comes with PoCL, to parse {file}"),
        );
        return;
    };
    let target = [
        "-x",
        "cl",
        "-cl-std=CL1.2",
        "-target",
        "spir64",
        "-Xclang",
        "-finclude-default-header",
    ];
    let strict = [
        "-Wall",
        "-Wno-unused",
        "-Wno-unknown-pragmas",
        "-Werror",
        "-fsyntax-only",
    ];
    let log = cxx::run(Command::new(clang).args(target).args(strict).arg(path));
    assert_eq!(log, Ok(()), "{}", path.display());
}

fn compile_cuda(name: &str, source: &Source) {
    let dir = cxx::scratch(name);
    let file = dir.join("text.cpp");
    std::fs::write(&file, format!("{HOST_SHIM}{}", source.text))
        .expect("the scratch folder is writable");
    for compiler in cxx::compilers() {
        let strict = [
            "-Wall",
            "-Wextra",
            "-Wno-unused",
            "-Wno-unused-parameter",
            "-Werror",
            "-fsyntax-only",
        ];
        let log = cxx::run(
            Command::new(compiler)
                .args(cxx::STRICT)
                .args(strict)
                .arg(&file),
        );
        assert_eq!(log, Ok(()), "{compiler} on {name}");
    }
    let _ = std::fs::remove_dir_all(dir);
}

#[test]
fn mixture_is_as_reviewed() {
    check("mixture.cu", &point_kernel(&mixture(), &Options::cuda()));
    check(
        "mixture.cl",
        &point_kernel(&mixture(), &Options::opencl(CorrectF32Divide::Native)),
    );
}

#[test]
fn every_op_is_as_reviewed() {
    check("every_op.cu", &point_kernel(&every_op(), &Options::cuda()));
    // The other operations have the same text in both forms, and of the whole text a digest is kept.
    let native = Options::opencl(CorrectF32Divide::Native);
    let whole = fnv1a_128(point_kernel(&every_op(), &native).text.as_bytes());
    let mut source = point_kernel(&native_ops(), &native);
    source.text += &format!("// The digest of the text of every operation: {whole:032x}\n");
    check("every_op.native.cl", &source);
    // Directed operations have the same text in both forms.
    check(
        "every_op.derived.cl",
        &point_kernel(
            &every_op_to_nearest(),
            &Options::opencl(CorrectF32Divide::Derived),
        ),
    );
}

#[test]
fn sweep_is_as_reviewed() {
    check(
        "sweep.cu",
        &crate::sweep::source(Prim::F64, &Options::cuda()),
    );
    check(
        "sweep.cl",
        &crate::sweep::source(Prim::F32, &Options::opencl(CorrectF32Divide::Derived)),
    );
}

/// The compiler accepts vectors of every width; two widths are reviewed.
#[test]
fn vectors_are_as_reviewed() {
    let options = |lanes| Options::opencl(CorrectF32Divide::Derived).with_lanes(lanes);
    check("mixture.x8.cl", &point_kernel(&mixture(), &options(8)));
    check("sweep.x4.cl", &crate::sweep::source(Prim::F32, &options(4)));
    let dir = cxx::scratch("vectors");
    for lanes in [1, 2, 4, 8, 16] {
        for divide in [CorrectF32Divide::Native, CorrectF32Divide::Derived] {
            let file = dir.join(format!("every_op.x{lanes}.{divide:?}.cl"));
            let source = point_kernel(&every_op(), &Options::opencl(divide).with_lanes(lanes));
            assert_eq!(source.lanes, lanes);
            std::fs::write(&file, source.text).expect("the scratch folder is writable");
            compile_opencl(&file);
        }
    }
    let _ = std::fs::remove_dir_all(dir);
}
