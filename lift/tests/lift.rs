//! Lifted C functions have the originals' bits, and wrong kernels are noticed. Without clang, the tests print that they are skipped.

mod random;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;

use dc_lift::exec::Lifted;
use dc_lift::graph::{Kind, Node};
use dc_lift::session::{Request, Session};
use dc_lift::tools::{clang, llvm_dis};
use dc_lift::verify::{Compared, Extent};
use dc_lift::write::unit;
use dc_lift::{Inline, Options};
use kernels_gen::ops::Op;
use kernels_gen::syntax::tree;

const EXTENT: Extent = Extent {
    every: 997,
    sample: 20_000,
    jobs: 1,
};

/// A folder for a test, or a message that the test is skipped.
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
    Session::open(&[sample], &[], &options(contract, None), folder).expect("it compiles")
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
    let session =
        Session::open(&[bitcode], &[], &options(false, None), &folder).expect("it is read");
    same(&session, "sample");
}

/// Masks as an integer and back, as clang writes a reduction of comparisons.
#[test]
fn a_vector_of_masks_is_an_integer_of_as_many_bits() {
    let Some(folder) = folder("masks") else {
        return;
    };
    let source = folder.join("masks.ll");
    let text = "define i32 @masks(i32 %x, i32 %y) {
  %a = insertelement <4 x i32> undef, i32 %x, i32 0
  %b = insertelement <4 x i32> %a, i32 %y, i32 1
  %s = add i32 %x, %y
  %c = insertelement <4 x i32> %b, i32 %s, i32 2
  %d = insertelement <4 x i32> %c, i32 7, i32 3
  %m = icmp ugt <4 x i32> %d, <i32 5, i32 1000000, i32 77, i32 9>
  %i = bitcast <4 x i1> %m to i4
  %z = zext i4 %i to i32
  %back = bitcast i4 %i to <4 x i1>
  %e = extractelement <4 x i1> %back, i32 2
  %f = zext i1 %e to i32
  %g = shl i32 %f, 8
  %r = or i32 %z, %g
  ret i32 %r
}
";
    std::fs::write(&source, text).expect("it can be written");
    let session =
        Session::open(&[source], &[], &options(false, None), &folder).expect("it is read");
    let (lifted, symbol) = session
        .lift("masks", &options(false, None))
        .unwrap_or_else(|e| panic!("{e}"));
    let c = compared(&session, &lifted, &symbol, false);
    assert_eq!((c.differ, c.first), (0, None));
}

/// Not every clang compiles it for the host.
#[test]
fn a_canonical_number_is_the_number() {
    let Some(folder) = folder("canonical") else {
        return;
    };
    let source = folder.join("canonical.ll");
    let text = "define double @same(double %x) {
  %y = call double @llvm.canonicalize.f64(double %x)
  ret double %y
}
declare double @llvm.canonicalize.f64(double)
";
    std::fs::write(&source, text).expect("it can be written");
    let session =
        Session::open(&[source], &[], &options(false, None), &folder).expect("it is read");
    let (lifted, _) = session
        .lift("same", &options(false, None))
        .unwrap_or_else(|e| panic!("{e}"));
    assert_eq!(
        lifted.body.graph.node(lifted.body.results[0]).kind,
        Kind::Param(0)
    );
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

/// The comparison must notice the fault, and must accept the right kernel.
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

/// A kernel has one NaN, an original has many. Differences at other inputs are still noticed.
#[test]
fn differences_at_other_nans_are_counted_apart() {
    let Some(folder) = folder("nans") else {
        return;
    };
    let session = open(&folder, false);
    let (mut lifted, symbol) = session
        .lift("shown", &options(false, None))
        .unwrap_or_else(|e| panic!("{e}"));
    let c = compared(&session, &lifted, &symbol, false);
    assert_eq!((c.differ, &c.first), (0, &None));
    // One of 512 is a NaN with a sign.
    assert!(c.nans.abs_diff(c.inputs / 512) < 2, "{c:?}");
    lifted.body.graph.alter(|n| {
        if n.kind == Kind::Const(0x3fc0_0000) {
            n.kind = Kind::Const(0x3fc0_0001);
        }
    });
    let c = compared(&session, &lifted, &symbol, false);
    assert_eq!(c.differ + c.nans, c.inputs);
    assert!(c.nans.abs_diff(c.inputs / 256) < 4, "{c:?}");
    let first = (vec![0], vec![0x3fc0_0000], vec![0x3fc0_0001]);
    assert_eq!(c.first, Some(first));
}

#[test]
fn a_selection_with_its_arms_swapped_is_noticed() {
    noticed("fault-arms", "sample", |l| {
        let mut swapped = false;
        l.body.graph.alter(|n| {
            if n.kind == Kind::Op(Op::Select) && !std::mem::replace(&mut swapped, true) {
                n.args.swap(1, 2);
            }
        });
    });
}

#[test]
fn an_unsigned_comparison_as_signed_is_noticed() {
    noticed("fault-sign", "above", |l| {
        let constant: Vec<Option<u64>> = (0..l.body.graph.len() as u32)
            .map(|i| l.body.graph.constant_bits(i))
            .collect();
        // Without the inversion of its top bit, an operand is ordered with its sign; the constant keeps its own.
        l.body.graph.alter(|n: &mut Node| {
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
        l.body.graph.tables[0].bits.rotate_left(1)
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

/// The names of a file's kernels, and its text.
fn written(lifted: &Lifted, name: &str) -> (Vec<String>, String) {
    let unit = unit(lifted, name, vec![], vec![], String::new());
    let names = unit.funcs.iter().map(|f| f.name.clone());
    (names.collect(), kernels_gen::syntax::source(&unit))
}

#[test]
fn called_functions_are_kernels_with_the_originals_bits() {
    let Some(folder) = folder("inline") else {
        return;
    };
    let sample = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/sample.c");
    let mut operations = Vec::new();
    for (inline, kernels) in [
        (Inline::All, &["calls"][..]),
        // `halve` has a pointer; `twice` is small and called once.
        (
            Inline::None,
            &["step", "bits", "twice", "both", "rank", "calls"],
        ),
        (Inline::Auto, &["step", "calls"]),
    ] {
        let options = Options {
            inline,
            ..options(false, None)
        };
        let session = Session::open(std::slice::from_ref(&sample), &[], &options, &folder)
            .expect("it compiles");
        let (lifted, symbol) = session
            .lift("calls", &options)
            .unwrap_or_else(|e| panic!("{e}"));
        let c = compared(&session, &lifted, &symbol, false);
        assert_eq!((c.differ, c.first), (0, None), "{inline:?}");
        let (names, text) = written(&lifted, "calls");
        assert_eq!(names, kernels, "{inline:?}");
        assert_eq!(text.matches("const SHARED").count(), 1, "{text}");
        // What no result needs is no parameter, and a local does not hide a function.
        assert!(!text.contains("unused"), "{text}");
        operations.push(lifted.operations());
    }
    assert!(
        operations.iter().all(|n| n.abs_diff(operations[0]) < 10),
        "{operations:?}"
    );
}

#[test]
fn a_call_with_its_results_exchanged_is_noticed() {
    let Some(folder) = folder("fault-call") else {
        return;
    };
    let options = Options {
        inline: Inline::None,
        ..options(false, None)
    };
    let sample = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/sample.c");
    let session = Session::open(&[sample], &[], &options, &folder).expect("it compiles");
    let (mut lifted, symbol) = session
        .lift("calls", &options)
        .unwrap_or_else(|e| panic!("{e}"));
    assert_eq!(compared(&session, &lifted, &symbol, false).differ, 0);
    let both = lifted.helpers.iter_mut().find(|h| &*h.symbol == "both");
    both.expect("it is a kernel").body.results.swap(0, 1);
    assert!(compared(&session, &lifted, &symbol, false).differ > 0);
}

/// Functions with names of the language, of each other and of locals.
#[test]
fn names_of_called_functions_do_not_clash() {
    let Some(folder) = folder("clashes") else {
        return;
    };
    let (first, second) = (folder.join("first.c"), folder.join("second.c"));
    std::fs::write(
        &first,
        "static const double T[2] = {1.0, 2.0};\n\
         static double match(double x) { return x * T[x > 0.5] + 1.0; }\n\
         double other(double);\n\
         static double T_2(double x) { return other(x) * other(x + 1.0); }\n\
         double f(double x) { double match_2 = match(x) - T_2(x); return match_2 * x; }\n",
    )
    .expect("it can be written");
    std::fs::write(
        &second,
        "static const double T[2] = {-1.0, 4.0};\n\
         static double match(double x) { return x / T[x > 0.25] + 3.0; }\n\
         double other(double f) { return match(f) + f; }\n",
    )
    .expect("it can be written");
    let options = Options {
        inline: Inline::None,
        ..options(false, None)
    };
    let session = Session::open(&[first, second], &[], &options, &folder).expect("it compiles");
    let (lifted, symbol) = session
        .lift("f", &options)
        .unwrap_or_else(|e| panic!("{e}"));
    let c = compared(&session, &lifted, &symbol, false);
    assert_eq!((c.differ, c.first), (0, None));
    let (names, text) = written(&lifted, "f");
    assert_eq!(names, ["match_2", "match_3", "other", "T_2", "f"], "{text}");
    for once in [
        "const T:",
        "const T_3:",
        "let match_2_2 = ",
        "f_2: DcDouble",
    ] {
        assert_eq!(text.matches(once).count(), 1, "{once}: {text}");
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
    let session =
        Session::open(&sources, &[], &options(false, None), &folder).expect("it compiles");
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

/// Lifts this many random functions, at three levels of optimisation, each with one of the ways to treat calls.
fn random_functions(test: &str, seed: u64, count: u64) {
    let Some(folder) = folder(test) else {
        return;
    };
    let source = folder.join("random.c");
    std::fs::write(&source, random::source(seed, count)).expect("it can be written");
    let mut refused = BTreeMap::new();
    let (mut lifted, mut inputs, mut called) = (0, 0, 0);
    for level in ["-O0", "-O1", "-O2"] {
        let flags = [level.to_string(), "-fwrapv".into()];
        for (k, inline) in [Inline::All, Inline::None, Inline::Auto]
            .into_iter()
            .enumerate()
        {
            let options = Options {
                inline,
                ..options(false, Some(random::MOST))
            };
            let session = Session::open(std::slice::from_ref(&source), &flags, &options, &folder)
                .expect("it compiles");
            for n in (k as u64..count).step_by(3) {
                let request = Request {
                    sources: vec![source.clone()],
                    function: format!("f{n}"),
                    flags: flags.to_vec(),
                    options: options.clone(),
                    extent: Some(EXTENT),
                };
                match session.run(&request) {
                    Ok(out) => {
                        let c = out.compared.unwrap_or_else(|e| panic!("f{n} {level}: {e}"));
                        assert_eq!(c.first, None, "f{n} at {level}, {inline:?}");
                        lifted += 1;
                        inputs += c.inputs;
                        called += u64::from(out.unit.funcs.len() > 1);
                    }
                    Err(e) => {
                        // Without the place, reasons are few.
                        let e = e.to_string();
                        let reason = e.split("`: ").last().unwrap_or(&e).to_string();
                        *refused.entry(reason).or_insert(0u64) += 1;
                    }
                }
            }
        }
    }
    let sum: u64 = refused.values().sum();
    println!(
        "{lifted} lifted, {called} of them with kernels of called functions; {inputs} inputs compared, 0 differ; {sum} refused: {refused:?}"
    );
    assert_eq!(lifted + sum, 3 * count);
    assert!(sum * 10 <= 3 * count, "{refused:?}");
}

#[test]
fn a_hundred_random_functions_have_the_originals_bits() {
    random_functions("random", 1, 100);
}

/// Takes half an hour: `cargo test -p dc-lift --test lift -- --ignored --nocapture`.
#[test]
#[ignore = "half an hour"]
fn a_thousand_random_functions_have_the_originals_bits() {
    random_functions("random-thousand", 2, 1000);
}
