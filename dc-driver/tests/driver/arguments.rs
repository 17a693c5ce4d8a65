//! Bad input is refused with the value and the remedy: in one line, or in clap's own words; with `--json` in a document.

use std::collections::BTreeSet;

use serde_json::Value;

use super::{Ended, crunch, words};
use dc_driver::exit;
use dc_runtime::model::show;
use dc_runtime::search::testing::Folder;

/// A refusal: on stderr clap's error unchanged, or one line; exit code 2; nothing on stdout. With `--json` the same, and on
/// stdout a document with one line.
fn assert_refused(args: &[&str], e: &Ended) {
    assert_eq!(
        (e.code, e.out.as_str()),
        (exit::INPUT, ""),
        "{args:?}: {}",
        e.err
    );
    let of_clap = |args: &[&str]| {
        let all = std::iter::once(&"crunch").chain(args);
        let command = dc_driver::command().bin_name("crunch");
        let parsed = command.try_get_matches_from(all);
        parsed.err().map(|e| show::lines(&e.render().to_string()))
    };
    match of_clap(args) {
        Some(text) => assert_eq!(e.err, text, "{args:?}"),
        None => assert_eq!(e.err.lines().count(), 1, "{args:?}: {}", e.err),
    }
    assert!(e.err.starts_with("error: "), "{args:?}: {}", e.err);
    let args = [&["--json"], args].concat();
    let e = crunch(&args);
    let document: Value =
        serde_json::from_str(&e.out).unwrap_or_else(|_| panic!("{args:?}: {}", e.out));
    let message = document["error"]["message"].as_str().expect("a message");
    let code: u8 = exit::INPUT;
    assert_eq!((e.code, &document["error"]["code"]), (code, &code.into()));
    assert!(!message.starts_with("error: "), "{args:?}: {message}");
    match of_clap(&args) {
        Some(text) => {
            assert_eq!(e.err, text, "{args:?}");
            assert_eq!(message.lines().count(), 1, "{args:?}: {message}");
        }
        None => assert_eq!(
            e.err,
            format!("error: {}\n", show::plain(message)),
            "{args:?}"
        ),
    }
}

/// Every refusal names the value and the remedy; there is at least one of each command.
#[test]
fn bad_input_is_refused() {
    let mut commands = BTreeSet::new();
    for (args, says) in [
        (
            words("run nosuch"),
            "no sweep is called `nosuch`; there are: test",
        ),
        (
            words("run test --range 2.0..1.0"),
            "the first bound lies above the second; write 1.0..2.0",
        ),
        (words("run test --range 1.0"), "is no range"),
        (words("run test --block 1000"), "write a power of two"),
        (words("run test --block 2^5"), "from 2^10 to 2^40"),
        (words("run test --shard 5/4"), "with i from 1 to n"),
        (words("run test --shard auto"), "give --shard i/n"),
        (words("run test -j 0"), "from 1 to 4096"),
        (words("run test --picture a.svg"), "--time <TIME>"),
        (
            words("run test --time 1s --picture a.gif"),
            "a.gif: the envelope cannot be written to this file; give it the extension .svg or .png",
        ),
        (
            words("run test --time 1s --picture a.svg --ulp kahan"),
            "under --ulp kahan others may be larger",
        ),
        (
            words("run --lift a.c:f --computes exp --measure maxima"),
            "cannot be used with",
        ),
        (words("run test --group-seconds=-1"), "group-seconds"),
        (words("run test --group 0"), "--group"),
        (
            words("run test --backend avx3"),
            "no backend is called `avx3`; there are scalar, avx2",
        ),
        (
            words("run test --ulp mine"),
            "the definitions are handbook, opencl",
        ),
        (words("run test --nonsense"), "--nonsense"),
        (
            words("resume /no/such/file"),
            "no such run file; `crunch run` makes one",
        ),
        (words("verify test --inputs 0"), "2^24"),
        (words("status /no/such/file"), "no such run file"),
        (vec!["status"], "<FILES>"),
        (words("format /dev/null"), "it is not a regular file"),
        (words("format /no/such/file --rows 0"), "--rows"),
        (
            words("merge /no/such/out /no/such/file"),
            "no such run file",
        ),
        (
            words("plot /no/such/file -o a.gif"),
            "the extension .svg or .png",
        ),
        (words("plot a b c"), "--kind throughput"),
        (words("plot a b --bound"), "--bound is for one run"),
        (
            words("plot a -k histogram --range 1.0"),
            "--range is for the envelope",
        ),
        (words("plot a --bound x"), "--bound"),
        (words("estimate test --seconds 0"), "above 0"),
        (
            words("estimate test --machines /no/such/file"),
            "--machines /no/such/file",
        ),
        (
            words("emit two_sum -t metal"),
            "[possible values: cuda, opencl, c, wgsl, glsl, ir, gappa, fpcore]",
        ),
        (words("emit two_sum"), "--target"),
        (
            words("emit two_sum -t opencl --lanes 3"),
            "write 1, 2, 4, 8 or 16",
        ),
        (
            words("emit two_sum -t cuda --range 1.0..2.0"),
            "for --target gappa",
        ),
        (words("emit test -t gappa --search"), "leave out --search"),
        (
            words("emit test -t wgsl --search"),
            "no form in WGSL; leave out --search",
        ),
        (
            words("emit two_sum -t glsl"),
            "GLSL has no form for parameter `a`, of binary64; write the kernel in DcFloat",
        ),
        (words("emit two_sum -t gappa"), "--range a=1.0..2.0"),
        (
            words("emit two_sum -t gappa --range c=1.0..2.0"),
            "no parameter `c`; its parameters are a, b",
        ),
        (
            words("emit two_sum -t gappa --range all"),
            "`a` has no finite range",
        ),
        (
            words("emit two_sum -t gappa --range 1..2 --hints no/such"),
            "no/such: ",
        ),
        (
            words("emit rcp_neon -t gappa --range 1..2"),
            "Gappa has no form for `to_bits`",
        ),
        (words("list sin"), "--references"),
        (
            words("trace nosuch --input 1.0"),
            "no sweep is called `nosuch`",
        ),
        (
            words(
                "run --library libm.so.6 --symbol exp --signature f64 --against-expression expp(x)",
            ),
            "--against-expression `expp(x)`, column 1: there is no `expp`; near it: exp",
        ),
        (
            words(
                "run --library libm.so.6 --symbol pow --signature f64,f64 --against-expression pow(x)",
            ),
            "column 1: `pow` takes 2 arguments, and this is 1 argument",
        ),
        (
            words(
                "at --library libm.so.6 --symbol exp --signature f64 --against-expression exp(x+1 1.0",
            ),
            "column 4: the `(` of `exp` is not closed",
        ),
        (
            words(
                "run --library libm.so.6 --symbol exp --signature f64 --against-expression tgamma(x*x)",
            ),
            "`tgamma` of an expression is not supported",
        ),
        (
            words("run --library libm.so.6 --symbol exp --signature f64"),
            "--against-expression <EXPRESSION>",
        ),
        (
            words(
                "run --library libm.so.6 --symbol exp --signature f64 --computes exp --against-expression exp(x)",
            ),
            "cannot be used with",
        ),
        (
            words("run test --against-expression x"),
            "--against-expression",
        ),
        (
            words("bound test --against-expression x"),
            "--against-expression needs --lift SOURCE:NAME",
        ),
        (words("run --fpcore no/such"), "no/such: "),
        (words("run --fpcore /dev/null"), "it has no (FPCore …)"),
        (words("bound --fpcore no/such"), "no/such: "),
        (words("run test --core 1"), "--fpcore"),
        (
            words("emit two_sum -t fpcore"),
            "FPCore has one result, and this has 2",
        ),
        (words("at nosuch 1.0"), "no sweep is called `nosuch`"),
        (words("bound nosuch"), "no sweep is called `nosuch`"),
        (words("hunt nosuch"), "no sweep is called `nosuch`"),
        (words("exact nosuch"), "no sweep is called `nosuch`"),
        (
            words("run --library libm.so.6 --symbol expf --signature f32 --against libm.so.6:exp"),
            "write FILE:SYMBOL:SIGNATURE, such as ./libg.so:round64:f64",
        ),
        (
            words(
                "run --library libm.so.6 --symbol exp --signature f64 --against libm.so.6:exp:f64",
            ),
            "--against libm.so.6:exp:f64: of functions of one or two arguments only those of f32 or f32,f32 are compared with a library's, \
             and this one is of f64: use --computes FUNCTION or --against-expression EXPRESSION instead",
        ),
        (
            words(
                "run --library libm.so.6 --symbol expf --signature f32 --against libm.so.6:pow:f64,f64",
            ),
            "--against libm.so.6:pow:f64,f64: `pow` is of f64,f64, and a function of f32 is compared with one of f64: write FILE:SYMBOL:f64, \
             or use --computes FUNCTION or --against-expression EXPRESSION",
        ),
        (
            words(
                "run --library libm.so.6 --symbol powf --signature f32,f32 --against libm.so.6:powf:f32,f32",
            ),
            "`powf` is of f32,f32, and a function of f32,f32 is compared with one of f64,f64: write FILE:SYMBOL:f64,f64,",
        ),
        (
            words(
                "run --library libm.so.6 --symbol expf --signature f32 --against libm.so.6:exp:f65",
            ),
            "--against libm.so.6:exp:f65: `f65` is not a signature",
        ),
        (words("run test --against libm.so.6:exp:f64"), "--against"),
        (
            words("run --library libm.so.6 --symbol exp --signature f65 --computes exp"),
            "`f65` is not a signature: there is no type `f65`; write f32 for `float f(float)`",
        ),
        (
            words("run --library libm.so.6 --symbol exp --signature f32x7 --computes exp"),
            "there is no vector `f32x7`: f32x4, f32x8, f32x16, f64x2, f64x4 and f64x8 are",
        ),
        (
            words(
                "run --library libm.so.6 --symbol _ZGVbN4v_expf --signature f64x2 --computes exp",
            ),
            "by its name it takes f32x4; write --signature f32x4",
        ),
        (
            words(
                "run --library libm.so.6 --symbol exp --signature f64->f32 --against libm.so.6:exp:f64",
            ),
            "and this one is of f64->f32: use --computes",
        ),
        (
            words("run --library libm.so.6 --symbol fma --signature f64,f64,f64 --computes exp"),
            "--computes exp: for functions of f64,f64,f64 there are fma, lerp, clamp",
        ),
        (
            words("run --library libm.so.6 --symbol fma --signature f64,f64,f32 --computes fma"),
            "it has the types f64 and f32",
        ),
        (
            words(
                "run --library libm.so.6 --symbol fma --signature f64,f64,f64 --computes fma --range 1..2",
            ),
            "--range: a function of f64,f64,f64 is called on this processor with a stratified sample, without a range and without a run file; leave it out",
        ),
        (
            words(
                "run --library libm.so.6 --symbol fma --signature f64,f64,f64 --computes fma -o a.crunch",
            ),
            "--out: a function of",
        ),
        (
            words(
                "run --library libm.so.6 --symbol fma --signature f64,f64,f64 --computes fma --odd",
            ),
            "--odd: a function of",
        ),
        (
            words(
                "run --library libm.so.6 --symbol fma --signature f64,f64,f64 --against-expression x*y+z",
            ),
            "--against-expression x*y+z: formulas have the arguments x and y and one result",
        ),
        (
            words(
                "run --library libm.so.6 --symbol fma --signature f64,f64,f64 --against libm.so.6:fma:f64,f64,f64",
            ),
            "a function of f64,f64,f64 has no wider one to be compared with: use --computes FUNCTION instead",
        ),
        (
            words(
                "run --library libm.so.6 --symbol fmaf --signature f32,f32,f32 --against libm.so.6:exp:f64",
            ),
            "a function of f32,f32,f32 is compared with one of f64,f64,f64: write FILE:SYMBOL:f64,f64,f64",
        ),
        (
            words("run --library libm.so.6 --symbol cexp --signature c64 --computes exp"),
            "`c64` does not say of what; cf32 is `float _Complex` and cf64 is `double _Complex`",
        ),
        (
            words("run --library libm.so.6 --symbol cexp --signature cf64 --computes pow"),
            "for functions of cf64 there are exp, log, sqrt, sin,",
        ),
        (
            words(
                "run --library libm.so.6 --symbol sincos --signature f64->f64,f64 --computes sin",
            ),
            "for functions of f64->f64,f64 there are sincos",
        ),
        (
            words("run --library libm.so.6 --symbol sincos --signature f64->f32,_ --computes sin"),
            "a function of two results takes one argument",
        ),
        (
            words("run --device opencl:pocl --symbol fma --signature f64,f64,f64 --computes fma"),
            "functions of f64,f64,f64 are called only in shared libraries",
        ),
        (
            words("bound --library libm.so.6 --symbol fma --signature f64,f64,f64 --computes fma"),
            "--library",
        ),
        (
            words("at --library libm.so.6 --symbol fma --signature f64,f64,f64 --computes fma 1,2"),
            "`1,2` has 2 numbers, and an input of a function of f64,f64,f64 has 3",
        ),
        (
            words("compare libm.so.6:fma:f64,f64,f64 libm.so.6:fma:f64,f64,f64"),
            "functions of f64,f64,f64 need the function that they are meant to compute: --computes FUNCTION, such as --computes fma",
        ),
        (
            words("verify --differ libm.so.6:fma:f64,f64,f64 libm.so.6:exp:f64"),
            "another candidate is not; compare functions of the same types",
        ),
        (
            words(
                "verify --differ libm.so.6:fma:f64,f64,f64 libm.so.6:fma:f64,f64,f64 --range 1..2",
            ),
            "functions of f64,f64,f64 are called with a stratified sample",
        ),
        (words("compare test nosuch"), "no sweep is called `nosuch`"),
        (
            words("reduce nosuch"),
            "no reduction is called `nosuch`; there are: none",
        ),
        (words("reduce --inputs 0"), "2^24"),
        (words("reduce --backend avx3"), "`avx3`"),
        (words("reduce --seed=-1"), "--seed"),
        (words("reduce --at x"), "--at"),
        (words("dump-instruction nosuch"), "nosuch"),
        (
            words("dump-instruction expf --device cuda:0"),
            "--signature",
        ),
        (words("lift no/such.ll --function f"), "no/such.ll"),
        (
            words("lift f.c --function f --inline some"),
            "[possible values: all, none, auto]",
        ),
        (words("design sinn --range 0..1"), "near it: sin"),
        (
            words("design pow --range 0..1"),
            "a function of two arguments",
        ),
        (
            words("design --against no-sweep --range 0..1"),
            "no sweep is called `no-sweep`",
        ),
        (
            words("design exp --range 0..1 --within 1"),
            "`1` is not a tolerance",
        ),
        (
            words("design exp --range 0..1 --variable exp(x)"),
            "--variable `exp(x)` has the function `exp`",
        ),
        (
            words("design atan --range=-1..1 --variable 1/x"),
            "`1/x` divides by 0 at -0.0",
        ),
        (
            words("design exp --range 0..1 --precision f24"),
            "the formats are f64, f32, f16 and bf16",
        ),
        (
            words("design exp --range 0..1 --precision f64 --within 1e-6abs"),
            "errors in f64 are proven in ULP",
        ),
        (
            words("design exp --range 0..1 --precision f64 --within correctly-rounded"),
            "errors in f64 are proven in ULP",
        ),
        (words("design j0 --range 0..1 --precision f64"), "j0"),
        (
            words("design exp --range 0..1 --times sideways"),
            "--times sideways: the times are `loop` and `map`",
        ),
        (
            words("design exp --range 0..1 --plot front.pdf"),
            "the front cannot be written to this file",
        ),
        (
            words("design exp --range 0..1 --certificate c.cert"),
            "--certificate is for designs in f64",
        ),
        (
            words("design exp --range 0..1 --precision f64 --proof soon"),
            "--proof",
        ),
        (
            words("design exp --range 1.0001..1.0002 --precision f16"),
            "no number of f16",
        ),
        (words("design exp --range 1..0"), "`1..0`"),
        (words("design --range 0..1"), "required"),
        (words("design exp"), "--range <RANGE>"),
        (
            words("design exp --range 0..1 --for sse9"),
            "scalar, avx2, avx512 and neon",
        ),
        (
            words("design exp --range 0..1 --name 2exp"),
            "letters, digits and `_`",
        ),
        (
            words("design exp --range 0..1 --finalists 0"),
            "--finalists",
        ),
        (words("design --again no/such.rs"), "no/such.rs"),
        (words("improve nosuch"), "no sweep is called `nosuch`"),
        (words("improve f --gain 100"), "below 100"),
        (words("improve f --time soon"), "--time"),
        (words("improve f --cells 0"), "--cells"),
        (words("improve f --computes exp"), "--lift"),
        (
            words("submit parallel nosuch --tasks 2"),
            "no sweep is called `nosuch`",
        ),
        (words("submit fork"), "fork"),
        #[cfg(feature = "suite")]
        (words("bless /no/such/file"), "no such run file"),
        (vec!["frobnicate"], "frobnicate"),
    ] {
        let e = crunch(&args);
        assert!(e.err.contains(says), "{args:?}: {}", e.err);
        assert_refused(&args, &e);
        commands.insert(args[0]);
    }
    for command in dc_driver::command().get_subcommands() {
        let name = command.get_name();
        // `doctor` refuses nothing but its options, as below; what it finds is its document.
        let missing = !commands.contains(name) && !["doctor", "help"].contains(&name);
        assert!(!missing, "no refusal of `{name}` was tried");
    }
    let e = crunch(&["run", "test", "--backend", "avx512"]);
    assert_eq!(
        (e.code, e.err.lines().count()),
        (exit::UNAVAILABLE, 1),
        "{}",
        e.err
    );
}

/// Without MPFR complex functions have no reference, which is said with the remedy.
#[cfg(not(feature = "mpfr"))]
#[test]
fn complex_functions_need_mpfr() {
    let e = crunch(
        &"run --library libm.so.6 --symbol cexp --signature cf64 --computes exp"
            .split(' ')
            .collect::<Vec<_>>(),
    );
    assert_eq!((e.code, e.out.as_str()), (exit::UNAVAILABLE, ""));
    contains!(
        e.err,
        "--computes exp: complex functions are compared with MPFR, and this program was built without it; build with `--features mpfr`"
    );
}

/// Every argument of every command, from clap's description: an invalid value is refused like those above. Arguments that
/// accept any text (names of files to write) are listed, so that a new argument must be assigned to one kind or the other.
#[test]
fn every_argument_refuses_nonsense() {
    const ANY_TEXT: [&str; 4] = ["run --out", "plot --out", "merge OUT", "plot --title"];
    let folder = Folder::new("nonsense");
    let file = folder.file("run");
    let file = file.to_str().expect("UTF-8");
    let made = crunch(&["run", "test", "--range", "1.0..=1.0", "-q", "-o", file]);
    assert_eq!(made.code, exit::OK, "{}", made.err);
    // Valid arguments that each command checks first.
    let wanted = |command: &str| -> Vec<&str> {
        match command {
            "run" | "verify" | "estimate" => vec!["test"],
            "compare" => vec!["test", "test"],
            "trace" => words("test --input=1.5"),
            "emit" => words("two_sum --target=ir"),
            "resume" | "status" | "format" | "bless" => vec![file],
            "plot" => vec![file, "--out=/dev/null/a.svg"],
            "merge" => vec!["/dev/null/a", file],
            "dump-instruction" => vec!["rcpps"],
            _ => vec![],
        }
    };
    let mut arguments = 0;
    for command in dc_driver::command().get_subcommands() {
        let name = command.get_name();
        for argument in command.get_arguments() {
            let takes_value = argument.get_action().takes_values();
            for value in ["", "é?\n", "-0x", "nan", "99999999999999999999999999"] {
                let (what, args) = match argument.get_long() {
                    _ if !takes_value => continue,
                    Some(long) => {
                        let mut args = vec![name.to_string()];
                        args.extend(wanted(name).into_iter().map(String::from));
                        args.retain(|a| !a.starts_with(&format!("--{long}=")));
                        args.push(format!("--{long}={value}"));
                        (format!("{name} --{long}"), args)
                    }
                    None => {
                        // A positional argument: alone, and after `--` because it may begin with a dash.
                        let args = [name, "--", value].map(String::from).to_vec();
                        (
                            format!("{name} {}", argument.get_id().as_str().to_uppercase()),
                            args,
                        )
                    }
                };
                // A number is an input, however long it is.
                let input = what == "trace --input" && value.starts_with('9');
                if ANY_TEXT.contains(&what.as_str()) || input {
                    continue;
                }
                let args: Vec<&str> = args.iter().map(String::as_str).collect();
                let e = crunch(&args);
                assert_refused(&args, &e);
                arguments += 1;
            }
        }
    }
    assert!(arguments > 100, "{arguments} values were tried");
}

/// A property of a routine of two arguments has no meaning: each option is refused, also beside others, and as the first one is named.
#[test]
fn properties_of_two_arguments_are_refused() {
    let of = |args: &[&str]| super::on_processors(&[super::pairs::HYPOT], args);
    for option in [
        "--monotone",
        "--monotone=decreasing",
        "--odd",
        "--even",
        "--results=0.0..=1.0",
        "--seams",
        "--seams=1.5",
        "--inverse-of=sqrt",
    ] {
        for more in [&[][..], &["--range", "0.5..=0.5 x 0.5..1.0"]] {
            let e = of(&[&["run", "hypot", option], more].concat());
            let name = option.split('=').next().unwrap_or_default();
            assert_eq!((e.code, e.out.as_str()), (exit::INPUT, ""), "{option}");
            assert_eq!(
                e.err,
                format!(
                    "error: {name}: properties are for functions of one argument, and `hypot` has two (f32,f32); leave it out\n"
                )
            );
        }
    }
    let e = of(&["run", "hypot", "--inverse-of", "sqrt", "--even"]);
    assert!(e.err.starts_with("error: --even: "), "{}", e.err);
}

#[test]
fn help_is_no_error() {
    for args in [
        &["--help"][..],
        &["run", "--help"],
        &["--version"],
        &["help", "verify"],
    ] {
        let e = crunch(args);
        assert!(
            e.code == exit::OK && e.err.is_empty() && e.out.len() > 10,
            "{args:?}"
        );
    }
    let e = crunch(&[]);
    assert!(
        e.code == exit::INPUT && e.err.contains("verify"),
        "{}",
        e.err
    );
}

/// Regression test: version 0.1 used the first and never searched the other.
#[test]
fn two_sweeps_of_one_name_are_refused() {
    use dc_runtime::search::testing::{CHANGED, SWEEP};
    for args in [&["list"][..], &["verify"], &["run", "test"]] {
        let e = super::crunch_of(&[SWEEP, CHANGED], args);
        assert_eq!((e.code, e.out.as_str()), (exit::INPUT, ""), "{args:?}");
        contains!(
            e.err,
            "two sweeps are called `test`; give one of them another name"
        );
    }
}
