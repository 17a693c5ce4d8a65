//! The text in C: every operation through the host's C compilers, bit for bit as the interpreter has it, and no warning.

use std::path::Path;
use std::process::{Command, Stdio};

use kernels_gen::emit::{Options, Signature, Source, plain_c};
use kernels_gen::interp::eval_batch;
use kernels_gen::ops::Prim;
use kernels_gen::program::Program;

use crate::cxx::{is_there, run, scratch, skip};
use crate::inputs::inputs;

/// Some of the tests' programs do not use all their parameters.
const FLAGS: [&str; 6] = [
    "-std=c11",
    "-ffp-contract=off",
    "-Wall",
    "-Wextra",
    "-Werror",
    "-Wno-unused-parameter",
];

/// The C compilers of this machine.
fn compilers() -> Vec<&'static str> {
    let found: Vec<_> = ["gcc", "clang", "clang-15"]
        .into_iter()
        .filter(|c| is_there(c))
        .collect();
    if found.is_empty() {
        skip("cuda-host", "no C compiler: install gcc");
    }
    found
}

/// Types that take the words apart, as C has them.
fn fields(prims: &[Prim]) -> Vec<(&'static str, &'static str)> {
    let of = |p: &Prim| match p {
        Prim::F64 => ("double", "unsigned long long"),
        Prim::F32 => ("float", "unsigned int"),
        Prim::I64 => ("unsigned long long", "unsigned long long"),
        Prim::I32 => ("unsigned int", "unsigned int"),
        Prim::Mask => ("bool", "bool"),
    };
    prims.iter().map(of).collect()
}

/// The text with a `main` that reads an element's words and writes its results, until its input ends.
fn with_main(source: &Source) -> String {
    let Signature::Point { inputs, outputs } = &source.signature else {
        unreachable!("a function has points");
    };
    let mut text = format!("{}\n#include <stdio.h>\n", source.text);
    text += "int main(void) {\n    unsigned long long w;\n    for (;;) {\n";
    let mut args = Vec::new();
    for (i, (ty, bits)) in fields(inputs).into_iter().enumerate() {
        text += &format!(
            "        {ty} x{i}; if (fread(&w, 8, 1, stdin) != 1) return 0;\n        \
             {{ const {bits} b = ({bits})w; memcpy(&x{i}, &b, sizeof b); }}\n"
        );
        args.push(format!("x{i}"));
    }
    let call = format!("{}({})", source.entry, args.join(", "));
    let several = outputs.len() > 1;
    text += &match several {
        true => format!("        __typeof__({call}) y = {call};\n"),
        false => format!("        {} y = {call};\n", fields(outputs)[0].0),
    };
    for (i, (_, bits)) in fields(outputs).into_iter().enumerate() {
        let value = if several {
            format!("y.r{i}")
        } else {
            "y".into()
        };
        text += &format!(
            "        {{ {bits} b; memcpy(&b, &{value}, sizeof b); w = b; fwrite(&w, 8, 1, stdout); }}\n"
        );
    }
    text + "    }\n}\n"
}

fn build(dir: &Path, compiler: &str, flags: &[&str], text: &str) -> std::path::PathBuf {
    let (file, exe) = (dir.join("text.c"), dir.join("text"));
    std::fs::write(&file, text).expect("the scratch folder is writable");
    let mut command = Command::new(compiler);
    command
        .args(flags)
        .arg(&file)
        .arg("-o")
        .arg(&exe)
        .arg("-lm");
    run(&mut command).unwrap_or_else(|log| panic!("{compiler}: {log}"));
    exe
}

/// The first difference from the interpreter, if there is any.
fn difference(name: &str, compiler: &str, flags: &[&str], program: &Program) -> Option<String> {
    use std::io::Write as _;
    let source = plain_c(program, &Options::cuda());
    let params: Vec<Prim> = program.entry().params.iter().map(|p| p.1).collect();
    let columns = inputs(&params, 4_000);
    let dir = scratch(&format!("plain-{name}-{compiler}"));
    let exe = build(&dir, compiler, flags, &with_main(&source));
    let mut child = Command::new(&exe)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("it was just built");
    let rows: Vec<Vec<u64>> = (0..columns[0].len())
        .map(|i| columns.iter().map(|c| c[i]).collect())
        .collect();
    let bytes: Vec<u8> = rows
        .iter()
        .flatten()
        .flat_map(|w| w.to_le_bytes())
        .collect();
    let mut stdin = child.stdin.take().expect("piped");
    let feed = std::thread::spawn(move || stdin.write_all(&bytes));
    let out = child.wait_with_output().expect("it runs");
    feed.join().expect("no panic").expect("it reads all");
    let _ = std::fs::remove_dir_all(dir);
    let words: Vec<u64> = out
        .stdout
        .chunks_exact(8)
        .map(|c| u64::from_le_bytes(c.try_into().expect("8 bytes")))
        .collect();
    let mut results = vec![vec![0; rows.len()]; program.entry().results.len()];
    let slices: Vec<&[u64]> = columns.iter().map(Vec::as_slice).collect();
    eval_batch(program, &slices, &mut results);
    let want: Vec<Vec<u64>> = (0..rows.len())
        .map(|i| results.iter().map(|c| c[i]).collect())
        .collect();
    assert_eq!(words.len(), want.iter().map(Vec::len).sum::<usize>());
    let got = words.chunks(want[0].len());
    let mut both = got.zip(&want).zip(&rows);
    both.find(|((got, want), _)| *got != &want[..])
        .map(|((got, want), row)| format!("{row:x?}: {got:x?} not {want:x?}"))
}

#[test]
fn every_operation_in_c() {
    for (name, program) in [
        ("every-op", crate::every_op::every_op()),
        ("mul-add", crate::build::mul_then_add()),
    ] {
        for compiler in compilers() {
            for level in ["-O0", "-O3"] {
                let flags = [&FLAGS[..], &[level]].concat();
                let found = difference(name, compiler, &flags, &program);
                assert_eq!(found, None, "{compiler} {level}: {name}");
            }
        }
    }
}

/// The comparison fails where the text is compiled as it must not be, and -ffast-math is refused.
#[test]
fn other_flags_are_noticed() {
    let program = crate::build::mul_then_add();
    for compiler in compilers() {
        let refused = std::panic::catch_unwind(|| {
            difference(
                "fast-math",
                compiler,
                &["-std=c11", "-ffast-math"],
                &program,
            )
        });
        assert!(refused.is_err(), "{compiler} takes -ffast-math");
        if cfg!(target_arch = "x86_64") && std::arch::is_x86_feature_detected!("fma") {
            let flags = ["-std=c11", "-O2", "-ffp-contract=fast", "-mfma"];
            let found = difference("contracted", compiler, &flags, &program);
            assert!(found.is_some(), "{compiler} contracts, and nothing is seen");
        }
    }
}

/// `FLT_EVAL_METHOD` is 16 for gcc's with AVX512-FP16, as -march=native has on some processors: float and double are computed as such. The text
/// refused it. Where they are wider, or it is not known, it is refused.
#[test]
fn formats_of_operations_are_those_of_the_text() {
    let text = plain_c(&crate::build::mul_then_add(), &Options::cuda()).text;
    let dir = scratch("plain-eval-method");
    let file = dir.join("text.c");
    std::fs::write(&file, &text).expect("the scratch folder is writable");
    for compiler in compilers() {
        let takes = |flags: &[&str]| {
            let mut command = Command::new(compiler);
            command.args(["-fsyntax-only", "-w"]).args(flags).arg(&file);
            run(&mut command)
        };
        assert_eq!(takes(&FLAGS), Ok(()), "{compiler}");
        if compiler != "gcc" {
            continue;
        }
        for (method, accepted) in [
            (-1, false),
            (0, true),
            (1, false),
            (2, false),
            (16, true),
            (32, true),
            (64, false),
        ] {
            let defined = format!("-D__FLT_EVAL_METHOD__={method}");
            let found = takes(&["-U__FLT_EVAL_METHOD__", &defined]);
            assert_eq!(found.is_ok(), accepted, "{method}: {found:?}");
        }
        if cfg!(target_arch = "x86_64") {
            // Without -std, by which gcc would have 0.
            assert_eq!(takes(&["-mavx512fp16", "-ffp-contract=off"]), Ok(()));
            assert!(takes(&["-mfpmath=387"]).is_err());
        }
    }
    let _ = std::fs::remove_dir_all(dir);
}
