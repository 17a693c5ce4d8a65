//! C functions are lifted and have the originals' bits; wrong kernels are noticed. Without clang the tests say that they are
//! skipped.

mod random;

use std::path::{Path, PathBuf};
use std::process::Command;

use dc_lift::Options;
use dc_lift::exec::Lifted;
use dc_lift::graph::{Kind, Node};
use dc_lift::session::{Request, Session};
use dc_lift::tools::{clang, llvm_dis};
use dc_lift::verify::{Compared, Extent};
use dc_lift::write::unit;
use kernels_gen::ops::Op;
use kernels_gen::syntax::tree;

const EXTENT: Extent = Extent {
    every: 997,
    sample: 20_000,
    jobs: 1,
};

/// A folder for a test, or a line that it is skipped.
fn folder(test: &str) -> Option<PathBuf> {
    if clang().is_none() {
        println!("SKIPPED {test}: clang is not installed (cargo xtask setup)");
        return None;
    }
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(test);
    std::fs::create_dir_all(&folder).expect("a folder can be made");
    Some(folder)
}

fn options(contract: bool, unroll: Option<u32>) -> Options {
    Options {
        contract: Some(contract),
        unroll,
        ..Options::default()
    }
}

fn open(folder: &Path, contract: bool) -> Session {
    let sample = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/sample.c");
    Session::open(&[sample], &[], Some(contract), folder).expect("it compiles")
}

fn compared(session: &Session, lifted: &Lifted, symbol: &str, contract: bool) -> Compared {
    let unit = unit(lifted, "k", vec![], vec![], String::new());
    let program = kernels_gen::lower(tree::kernel(&unit)).expect("it lowers");
    session
        .compare(lifted, symbol, &program, contract, EXTENT)
        .expect("they are compiled")
}

#[test]
fn lifted_functions_have_the_originals_bits() {
    let Some(folder) = folder("sample") else {
        return;
    };
    let session = open(&folder, false);
    for (name, unroll) in [
        ("sample", None),
        ("above", None),
        ("halved", Some(15)),
        ("parts", None),
        ("vectors", None),
    ] {
        let (lifted, symbol) = session
            .lift(name, &options(false, unroll))
            .unwrap_or_else(|e| panic!("{e}"));
        let c = compared(&session, &lifted, &symbol, false);
        assert_eq!((c.differ, c.first), (0, None), "{name}");
        assert!(c.inputs > 4_000_000, "{name}: {}", c.inputs);
    }
}

#[test]
fn arrays_divisions_and_bitcode_have_the_originals_bits() {
    let Some(folder) = folder("more") else {
        return;
    };
    let session = open(&folder, false);
    let same = |session: &Session, name: &str| {
        let (lifted, symbol) = session
            .lift(name, &options(false, None))
            .unwrap_or_else(|e| panic!("{e}"));
        let c = compared(session, &lifted, &symbol, false);
        assert_eq!((c.differ, c.first), (0, None), "{name}");
    };
    for name in [
        "scattered",
        "divided",
        "remaining",
        "scaled",
        "taken",
        "scaledf",
    ] {
        same(&session, name);
    }
    let (cleared, symbol) = session
        .lift("cleared", &options(false, Some(3)))
        .unwrap_or_else(|e| panic!("{e}"));
    let c = compared(&session, &cleared, &symbol, false);
    assert_eq!((c.differ, c.first), (0, None), "cleared");
    if llvm_dis().is_none() {
        println!("SKIPPED bitcode: llvm-dis is not installed (Debian's llvm)");
        return;
    }
    let bitcode = folder.join("sample.bc");
    let sample = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/sample.c");
    let made = Command::new(clang().expect("it is here"))
        .args(["-c", "-emit-llvm", "-O1", "-ffp-contract=off", "-o"])
        .args([&bitcode, &sample])
        .status();
    assert!(made.is_ok_and(|s| s.success()));
    let session = Session::open(&[bitcode], &[], Some(false), &folder).expect("it is read");
    same(&session, "sample");
}

#[test]
fn what_has_no_bound_is_refused_at_its_line() {
    let Some(folder) = folder("endless") else {
        return;
    };
    let session = open(&folder, false);
    let refused = session
        .lift("endless", &options(false, None))
        .expect_err("no bound")
        .to_string();
    assert!(
        refused.contains("sample.c:4") && refused.contains("--unroll N"),
        "{refused}"
    );
    let refused = session
        .lift("nothing", &options(false, None))
        .expect_err("no function")
        .to_string();
    assert!(refused.contains("no function"), "{refused}");
}

/// The fault must be noticed where the right kernel is not.
fn noticed(test: &str, name: &str, fault: impl Fn(&mut Lifted)) {
    let Some(folder) = folder(test) else {
        return;
    };
    let session = open(&folder, false);
    let (mut lifted, symbol) = session
        .lift(name, &options(false, Some(8)))
        .unwrap_or_else(|e| panic!("{e}"));
    assert_eq!(compared(&session, &lifted, &symbol, false).differ, 0);
    fault(&mut lifted);
    let c = compared(&session, &lifted, &symbol, false);
    assert!(c.differ > 0 && c.first.is_some(), "{c:?}");
}

#[test]
fn a_selection_with_its_arms_swapped_is_noticed() {
    noticed("fault-arms", "sample", |l| {
        let mut swapped = false;
        l.graph.alter(|n| {
            if n.kind == Kind::Op(Op::Select) && !std::mem::replace(&mut swapped, true) {
                n.args.swap(1, 2);
            }
        });
    });
}

#[test]
fn an_unsigned_comparison_as_signed_is_noticed() {
    noticed("fault-sign", "above", |l| {
        let constant: Vec<Option<u64>> = (0..l.graph.len() as u32)
            .map(|i| l.graph.constant_bits(i))
            .collect();
        // Without the inversion of its top bit, an operand is ordered with its sign; the constant keeps its own.
        l.graph.alter(|n: &mut Node| {
            if n.kind == Kind::Op(Op::Xor) && constant[n.args[1] as usize] == Some(0x8000_0000) {
                n.kind = Kind::Op(Op::Or);
                n.args[1] = n.args[0];
            }
            if let Kind::Const(bits @ 0xc000_0000) = n.kind {
                n.kind = Kind::Const(bits ^ 0x8000_0000);
            }
        });
    });
}

#[test]
fn a_table_one_off_is_noticed() {
    noticed("fault-table", "sample", |l| {
        l.graph.tables[0].bits.rotate_left(1)
    });
}

#[test]
fn a_contraction_is_noticed() {
    let Some(folder) = folder("fault-contraction") else {
        return;
    };
    for fused in [true, false] {
        // The original is compiled with it or without it; the kernel has it.
        let session = open(&folder, true);
        let (lifted, symbol) = session
            .lift("fused", &options(true, None))
            .unwrap_or_else(|e| panic!("{e}"));
        let c = compared(&session, &lifted, &symbol, fused);
        assert_eq!(c.differ == 0, fused, "{c:?}");
    }
    let without = Options::default();
    let refused = open(&folder, true).lift("fused", &without);
    let refused = refused.expect_err("nobody said").to_string();
    assert!(refused.contains("--contract on"), "{refused}");
}

#[test]
fn a_loop_cut_one_short_is_noticed() {
    let Some(folder) = folder("fault-loop") else {
        return;
    };
    let session = open(&folder, false);
    // Fifteen iterations are the most of `halved`.
    for (unroll, same) in [(15, true), (14, false)] {
        let (lifted, symbol) = session
            .lift("halved", &options(false, Some(unroll)))
            .unwrap_or_else(|e| panic!("{e}"));
        assert_eq!(
            compared(&session, &lifted, &symbol, false).differ == 0,
            same,
            "{unroll}"
        );
    }
}

/// The program that compares has functions and variables with these names.
#[test]
fn an_original_may_have_any_name() {
    let Some(folder) = folder("names") else {
        return;
    };
    let source = folder.join("names.c");
    let names = [
        "f32", "f64", "next", "seed", "special", "compare", "count", "differ", "original",
        "pick64", "fabs",
    ];
    let mut text = String::new();
    for (i, name) in names.iter().enumerate() {
        text += &format!("double {name}(double x) {{ return x * 3.0 + {i}; }}\n");
    }
    text += "double twice(double x) { return x + x; }\n\
             double crunch_twice(double x) { return x; }\n\
             int main(int x) { return x + 1; }\n\
             static __attribute__((noinline)) double cos(double x) { return x * x; }\n\
             double calls(double x) { return cos(x); }\n";
    std::fs::write(&source, text).expect("it can be written");
    let sources = [source];
    let session = Session::open(&sources, &[], Some(false), &folder).expect("it compiles");
    let run = |name: &str| {
        let request = Request {
            sources: sources.to_vec(),
            function: name.into(),
            flags: vec![],
            options: options(false, None),
            extent: Some(EXTENT),
        };
        session
            .run(&request)
            .unwrap_or_else(|e| panic!("{name}: {e}"))
            .compared
    };
    for name in names {
        let c = run(name).unwrap_or_else(|e| panic!("{name}: {e}"));
        assert_eq!((c.inputs, c.differ, c.first), (20_000, 0, None), "{name}");
    }
    // The first two cannot be told from the comparison's own, the third not from that of C's library.
    for (name, why) in [
        ("twice", "`crunch_twice`"),
        ("main", "`main`"),
        ("cos", "local to its file"),
    ] {
        let refused = run(name).expect_err(name).to_string();
        assert!(refused.contains(why), "{refused}");
    }
}

/// `LIFT_FUZZ` functions, 20 unless it says otherwise, at three levels of optimisation.
#[test]
fn random_functions_have_the_originals_bits() {
    let Some(folder) = folder("random") else {
        return;
    };
    let count: u64 = std::env::var("LIFT_FUZZ")
        .ok()
        .and_then(|n| n.parse().ok())
        .unwrap_or(20);
    let source = folder.join("random.c");
    std::fs::write(&source, random::source(1, count)).expect("it can be written");
    let mut refused = 0;
    for level in ["-O0", "-O1", "-O2"] {
        let flags = [level.to_string(), "-fwrapv".into()];
        let session = Session::open(std::slice::from_ref(&source), &flags, Some(false), &folder)
            .expect("it compiles");
        for n in 0..count {
            let request = Request {
                sources: vec![source.clone()],
                function: format!("f{n}"),
                flags: flags.to_vec(),
                options: options(false, Some(random::MOST)),
                extent: Some(EXTENT),
            };
            match session.run(&request) {
                Ok(out) => {
                    let c = out.compared.unwrap_or_else(|e| panic!("f{n} {level}: {e}"));
                    assert_eq!(c.first, None, "f{n} at {level}");
                }
                Err(e) => {
                    refused += 1;
                    println!("f{n} at {level}: {e}");
                }
            }
        }
    }
    println!("{} lifted, {refused} refused", 3 * count - refused);
    assert!(refused * 10 <= 3 * count, "{refused} are refused");
}
