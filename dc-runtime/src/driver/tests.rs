//! The driver on backends that are made to be right, wrong or missing. What needs the real program is in the facade's
//! tests.

use std::ffi::OsString;

use serde_json::Value;

use super::{Backends, exit, run};
use crate::backend::{Absent, BackendError, Discovery, Filter};
use crate::search::testing::{CHANGED, Fake, Folder, SWEEP};
use crate::sweep::Sweep;

const WRONG: i64 = 0x3ff0_0000_0000_1234;

/// `scalar` and `avx2` are right, `interpreter` is wrong at one input, `opencl` is refused, the others are missing.
fn discover(filter: &Filter) -> Discovery {
    let wrong = Fake {
        wrong: Some(WRONG),
        ..Fake::new("interpreter")
    };
    let mut d = Discovery::default();
    for fake in [Fake::new("scalar"), Fake::new("avx2"), wrong] {
        if filter.matches(&fake.id) {
            d.backends.push(fake.shared());
        }
    }
    if filter.wants("opencl") {
        d.refused.push((
            "opencl:odd/0".into(),
            BackendError::Refused {
                backend: "opencl:odd/0".into(),
                reason: "fp64 is missing".into(),
            },
        ));
    }
    if filter.wants("cuda") {
        d.absent.push(Absent {
            id: "cuda".into(),
            reason: "no libcuda".into(),
            remedy: "Install the driver.".into(),
        });
    }
    d
}

struct Ended {
    code: u8,
    out: String,
    err: String,
}

fn crunch_of(sweeps: &[Sweep], args: &[&str]) -> Ended {
    let mut out = Vec::new();
    let mut err = Vec::new();
    let args: Vec<OsString> = std::iter::once("crunch")
        .chain(args.iter().copied())
        .map(OsString::from)
        .collect();
    // Not what this process must have: these backends are made up.
    let backends = Backends {
        discover: &discover,
        required: &|_| Ok(()),
    };
    let code = run(args, sweeps, &backends, &mut out, &mut err);
    let text = |v| String::from_utf8(v).expect("UTF-8");
    Ended {
        code,
        out: text(out),
        err: text(err),
    }
}

fn crunch(args: &[&str]) -> Ended {
    crunch_of(&[SWEEP], args)
}

fn json(args: &[&str]) -> (u8, Value) {
    let mut all = vec!["--json"];
    all.extend(args);
    let e = crunch(&all);
    let value = serde_json::from_str(&e.out).unwrap_or_else(|_| panic!("{}{}", e.out, e.err));
    (e.code, value)
}

const RANGE: &str = "1.0..=0x1.00000001p0";

#[test]
fn equal_backends_are_identical() {
    let e = crunch(&[
        "verify", "test", "--range", RANGE, "-b", "scalar", "-b", "avx2",
    ]);
    assert_eq!((e.code, e.err.as_str()), (exit::OK, ""), "{}", e.out);
    let count = "1,048,577 inputs";
    assert!(
        e.out.starts_with(&format!("test: {count} of {RANGE}\n")),
        "{}",
        e.out
    );
    assert!(
        e.out.contains("verdict: 2 backends bitwise identical on"),
        "{}",
        e.out
    );
}

#[test]
fn a_wrong_backend_is_found_with_its_input() {
    let args = [
        "verify",
        "test",
        "--range",
        "1.0..=0x1.0000000080p0",
        "--backend",
        "scalar,interpreter",
        "--slow",
    ];
    let e = crunch(&args);
    assert_eq!(e.code, exit::FINDING, "{}", e.out);
    let at = "1.0000000000010347 = 0x1.0000000001234p0 (0x3ff0000000001234)";
    assert!(
        e.out
            .contains(&format!("the first input that differs: {at}")),
        "{}",
        e.out
    );
    assert!(
        e.out.contains("differs from scalar") && !e.out.contains("verdict:"),
        "{}",
        e.out
    );
    let (code, v) = json(&args);
    assert_eq!(code, exit::FINDING);
    let b = &v[0]["backends"][1];
    assert_eq!(
        (&b["verdict"], &v[0]["identical"]),
        (&"differs".into(), &false.into())
    );
    let first = &b["difference"]["first_input"];
    assert_eq!(first["input"]["bits"], "0x3ff0000000001234");
    assert_ne!(first["sides"][0]["result"], first["sides"][1]["result"]);
    // A sample that does not hold the input does not show it, and says that it is one.
    let e = crunch(&[
        "verify",
        "test",
        "--inputs",
        "2^12",
        "--edges",
        "--range",
        RANGE,
        "-b",
        "scalar,interpreter",
    ]);
    assert!(
        e.code == exit::OK && e.out.contains("not exhaustive"),
        "{}",
        e.out
    );
}

#[test]
fn doctor_tells_all_three_kinds() {
    let e = crunch(&["doctor"]);
    assert_eq!((e.code, e.err.as_str()), (exit::OK, ""));
    for says in [
        "scalar",
        "opencl:odd/0: fp64 is missing",
        "cuda: no libcuda",
        "Install the driver.",
    ] {
        assert!(e.out.contains(says), "{}", e.out);
    }
    let (_, v) = json(&["doctor"]);
    assert_eq!(v["available"].as_array().map(Vec::len), Some(3));
    assert_eq!(v["missing"][0]["remedy"], "Install the driver.");
    let e = crunch(&["doctor", "-b", "scalar,cuda:0"]);
    assert_eq!(e.code, exit::UNAVAILABLE);
    assert!(
        e.err.contains("cuda:0: cuda is not available: no libcuda"),
        "{}",
        e.err
    );
    assert_eq!(e.err.lines().count(), 1, "{}", e.err);
}

#[test]
fn kernels_are_found_by_name() {
    for target in ["cuda", "opencl", "ir"] {
        let e = crunch(&["emit", "dd_recip", "--target", target]);
        assert_eq!(e.code, exit::OK, "{}", e.err);
        assert!(e.out.contains("dd_recip"), "{}", e.out);
    }
    let (_, v) = json(&["emit", "identity", "-t", "ir"]);
    assert_eq!(v["name"], "identity");
    assert_eq!(v["identities"][0].as_str().map(str::len), Some(32));
    let e = crunch(&["emit", "identity", "-t", "gappa", "--given", "x <= 1"]);
    assert!(
        e.out
            .contains("{ x in [0x1p0, 0x1.000001p0] /\\ (x <= 1)\n"),
        "the sweep's own range: {}{}",
        e.out,
        e.err
    );
    let of_one = ["--range", "1.0..2.0", "--range", "b=-4.0..=-2.0"];
    let e = crunch(&[&["emit", "two_prod", "-t", "gappa"][..], &of_one].concat());
    assert!(
        e.out
            .contains("{ a in [0x1p0, 0x1.fffffffffffffp0] /\\ b in [-0x1p2, -0x1p1]\n"),
        "{}{}",
        e.out,
        e.err
    );
    let e = crunch(&["emit", "nonesuch", "-t", "ir"]);
    assert_eq!((e.code, e.out.as_str()), (exit::INPUT, ""));
    assert!(
        e.err.contains("no kernel is called `nonesuch`") && e.err.contains("two_sum, "),
        "{}",
        e.err
    );
}

#[test]
fn a_run_and_its_file() {
    let dir = Folder::new("driver-run");
    let path = dir.file("a run");
    let path = path.to_str().expect("UTF-8");
    let args = [
        "run",
        "test",
        "--range",
        RANGE,
        "--out",
        path,
        "-b",
        "scalar,avx2",
    ];
    let (code, v) = json(&args);
    assert_eq!(
        (code, &v["complete"], &v["inputs"]),
        (exit::OK, &true.into(), &1_048_577u64.into())
    );
    assert_eq!(v["backends"], serde_json::json!(["scalar", "avx2"]));
    let again = crunch(&args);
    assert_eq!(again.code, exit::INPUT);
    assert!(
        again.err.contains("exists already") && again.err.contains("crunch resume"),
        "{}",
        again.err
    );
    let (code, r) = json(&["resume", path]);
    assert_eq!(
        (code, &r["inputs"], &r["result"]),
        (exit::OK, &0.into(), &v["result"])
    );
    let e = crunch_of(&[CHANGED], &["resume", path]);
    assert_eq!(e.code, exit::INPUT);
    assert!(
        e.err.contains("the approximation is not the same"),
        "{}",
        e.err
    );
    let e = crunch_of(&[], &["resume", path]);
    assert!(
        e.code == exit::INPUT && e.err.contains("no sweep is called `test`; there are: none"),
        "{}",
        e.err
    );
}

/// A run in three shards is, merged, the run in one piece; and what the other commands make of it.
#[test]
fn shards_merge_and_are_read() {
    let dir = Folder::new("driver-shards");
    let file = |name: &str| dir.file(name).to_str().expect("UTF-8").to_string();
    let run = |out: &str, more: &[&str]| {
        let mut args = vec![
            "run", "test", "--range", RANGE, "--block", "2^12", "-o", out, "-q", "-b", "scalar",
        ];
        args.extend(more);
        let e = crunch(&args);
        assert_eq!((e.code, e.out.as_str(), e.err.as_str()), (exit::OK, "", ""));
    };
    let (whole, merged) = (file("whole"), file("merged"));
    run(&whole, &[]);
    let parts: Vec<String> = (1..=3).map(|i| file(&format!("part{i}"))).collect();
    for (i, part) in parts.iter().enumerate() {
        run(part, &["--shard", &format!("{}/3", i + 1)]);
    }
    let e = crunch(&["merge", &merged, &parts[0], &parts[2]]);
    assert_eq!(e.code, exit::INPUT);
    assert!(
        e.err.contains("a gap: blocks 85 to 170") && e.err.lines().count() == 1,
        "{}",
        e.err
    );
    let e = crunch(&["merge", &merged, &parts[0], &parts[1], &parts[2]]);
    assert_eq!(e.code, exit::OK, "{}", e.err);
    let table = |file: &str| crunch(&["format", file, "--group", "1"]).out;
    assert_eq!(table(&whole), table(&merged));
    assert_eq!(table(&whole).lines().count(), 1 + 257);
    let (_, rows) = json(&["format", &whole, "--rows", "10"]);
    assert_eq!(rows.as_array().map(Vec::len), Some(10));

    let (code, status) = json(&["status", &whole, &merged]);
    assert_eq!(
        (code, &status[0]["state"], &status[0]["blocks"]),
        (exit::OK, &"complete".into(), &257.into())
    );
    assert_eq!(status[0]["result"], status[1]["result"]);
    assert_eq!(status[1]["sessions"].as_array().map(Vec::len), Some(3));
    let text = crunch(&["status", &whole, "--ulp", "distance"]).out;
    assert!(
        text.contains("257 of 257 blocks of 2^12") && text.contains("(distance; "),
        "{text}"
    );

    for kind in ["envelope", "histogram", "throughput"] {
        for ending in ["svg", "png"] {
            let out = file(&format!("{kind}.{ending}"));
            let e = crunch(&["plot", &whole, "-k", kind, "-o", &out, "--bound", "9"]);
            assert_eq!(e.code, exit::OK, "{}", e.err);
            let bytes = std::fs::read(&out).expect("a picture");
            assert!(bytes.len() > 2000, "{out}: {} bytes", bytes.len());
        }
    }
    let out = file("report.html");
    assert_eq!(crunch(&["plot", &whole, "-o", &out]).code, exit::OK);
    let html = std::fs::read_to_string(&out).expect("a report");
    for says in [
        "identity against identity",
        "fn name(x: DcDouble)",
        "<svg",
        "complete: 257 of 257",
        "scalar",
    ] {
        assert!(html.contains(says), "{says}");
    }
    assert!(
        !html.contains("http://")
            || html.matches("http").count() == html.matches("http://www.w3.org/2000/svg").count()
    );
}

#[test]
fn estimates() {
    let args = [
        "estimate",
        "test",
        "--range",
        RANGE,
        "-b",
        "scalar,avx2",
        "--seconds",
        "0.2",
        "--peak",
        "100",
    ];
    let (code, v) = json(&args);
    assert_eq!((code, &v["inputs"]), (exit::OK, &1_048_577.into()));
    assert_eq!(v["backends"].as_array().map(Vec::len), Some(2));
    let systems = crate::search::estimate::systems(crate::search::estimate::MACHINES);
    let systems = systems.expect("a list").len();
    assert_eq!(v["projections"].as_array().map(Vec::len), Some(systems));
    assert_eq!(v["peak_here"], 1e11);

    // Without a peak, it is measured, of the processor.
    let few = Folder::new("machines");
    let list = few.file("list");
    let list = list.to_str().expect("UTF-8");
    std::fs::write(list, "# one\nhere again\t1\tnobody\n").expect("a file");
    let args = [&args[..args.len() - 2], &["--machines", list]].concat();
    let (_, v) = json(&args);
    let number = |v: &Value| v.as_f64().expect("a number");
    assert!(number(&v["peak_here"]) > 1e8, "{v}");
    assert_eq!(v["projections"][0]["system"], "here again");
    let seconds = number(&v["backends"][0]["seconds"]).min(number(&v["backends"][1]["seconds"]));
    let scaled = seconds * number(&v["peak_here"]) / 1e9;
    let projected = number(&v["projections"][0]["seconds"]);
    assert!((projected / scaled - 1.0).abs() < 1e-9, "{v}");
    let said = crunch(&args);
    for words in ["compute system", "this machine, ", "here again", "% of it"] {
        assert!(said.out.contains(words), "{}", said.out);
    }
    std::fs::write(list, "x\ty\tz\n").expect("a file");
    let said = crunch(&args);
    assert_eq!((said.code, said.out.as_str()), (exit::INPUT, ""));
    assert!(
        said.err.contains("line 1: the peak of x is `y`"),
        "{}",
        said.err
    );
}

/// Every one: one line that names the value and the remedy, exit code 2, nothing on stdout.
#[test]
fn bad_input_is_one_line() {
    for (args, says) in [
        (
            vec!["run", "nosuch"],
            "no sweep is called `nosuch`; there are: test",
        ),
        (
            vec!["run", "test", "--range", "2.0..1.0"],
            "the first bound lies above the second; write 1.0..2.0",
        ),
        (vec!["run", "test", "--range", "1.0"], "is no range"),
        (
            vec!["run", "test", "--block", "1000"],
            "write a power of two",
        ),
        (vec!["run", "test", "--block", "2^5"], "from 2^10 to 2^40"),
        (vec!["run", "test", "--shard", "5/4"], "with i from 1 to n"),
        (vec!["run", "test", "--shard", "auto"], "give --shard i/n"),
        (vec!["run", "test", "-j", "0"], "from 1 to 4096"),
        (vec!["run", "test", "--group-seconds=-1"], "group-seconds"),
        (vec!["run", "test", "--group", "0"], "--group"),
        (
            vec!["run", "test", "--backend", "avx3"],
            "no backend is called `avx3`; there are scalar, avx2",
        ),
        (
            vec!["run", "test", "--ulp", "mine"],
            "the definitions are handbook, opencl",
        ),
        (vec!["run", "test", "--nonsense"], "--nonsense"),
        (
            vec!["resume", "/no/such/file"],
            "no such run file; `crunch run` makes one",
        ),
        (vec!["verify", "test", "--inputs", "0"], "2^24"),
        (vec!["status", "/no/such/file"], "no such run file"),
        (vec!["status"], "<FILES>"),
        (vec!["format", "/dev/null"], "it is no regular file"),
        (vec!["format", "/no/such/file", "--rows", "0"], "--rows"),
        (
            vec!["merge", "/no/such/out", "/no/such/file"],
            "no such run file",
        ),
        (
            vec!["plot", "/no/such/file", "-o", "a.gif"],
            "written as .svg or .png",
        ),
        (vec!["plot", "a", "b"], "--kind throughput"),
        (vec!["plot", "a", "--bound", "x"], "--bound"),
        (vec!["estimate", "test", "--seconds", "0"], "above 0"),
        (
            vec!["estimate", "test", "--machines", "/no/such/file"],
            "--machines /no/such/file",
        ),
        (
            vec!["emit", "two_sum", "-t", "metal"],
            "[possible values: cuda, opencl, ir, gappa]",
        ),
        (vec!["emit", "two_sum"], "--target"),
        (
            vec!["emit", "two_sum", "-t", "opencl", "--lanes", "3"],
            "write 1, 2, 4, 8 or 16",
        ),
        (
            vec!["emit", "two_sum", "-t", "cuda", "--range", "1.0..2.0"],
            "for --target gappa",
        ),
        (
            vec!["emit", "test", "-t", "gappa", "--search"],
            "leave out --search",
        ),
        (vec!["emit", "two_sum", "-t", "gappa"], "--range a=1.0..2.0"),
        (
            vec!["emit", "two_sum", "-t", "gappa", "--range", "c=1.0..2.0"],
            "no parameter `c`; its parameters are a, b",
        ),
        (
            vec!["emit", "two_sum", "-t", "gappa", "--range", "all"],
            "`a` has no finite range",
        ),
        (
            vec![
                "emit", "two_sum", "-t", "gappa", "--range", "1..2", "--hints", "no/such",
            ],
            "no/such: ",
        ),
        (
            vec!["emit", "rcp_neon", "-t", "gappa", "--range", "1..2"],
            "Gappa has no form for `to_bits`",
        ),
        (vec!["frobnicate"], "frobnicate"),
    ] {
        let e = crunch(&args);
        assert_eq!(
            (e.code, e.out.as_str()),
            (exit::INPUT, ""),
            "{args:?}: {}",
            e.err
        );
        assert!(e.err.contains(says), "{args:?}: {}", e.err);
        assert_eq!(e.err.lines().count(), 1, "{args:?}: {}", e.err);
        assert!(e.err.starts_with("error: "), "{args:?}: {}", e.err);
    }
    let e = crunch(&["run", "test", "--backend", "avx512"]);
    assert_eq!(
        (e.code, e.err.lines().count()),
        (exit::UNAVAILABLE, 1),
        "{}",
        e.err
    );
}

/// The driver on the interpreter and on one that contracts an operation of the routine; or on itself.
fn contracting(args: &[&str]) -> Ended {
    use crate::backend::testing::{contracted, interpreter};
    let sweep = crate::sweeps::ALL[0];
    let found = |_: &Filter| Discovery {
        backends: vec![interpreter(), contracted(sweep.approx.kernel.name)],
        ..Discovery::default()
    };
    let (mut out, mut err) = (Vec::new(), Vec::new());
    let args = ["crunch"].iter().chain(args).map(OsString::from).collect();
    let backends = Backends {
        discover: &found,
        required: &|_| Ok(()),
    };
    let code = run(args, &[sweep], &backends, &mut out, &mut err);
    let text = |v| String::from_utf8(v).expect("UTF-8");
    Ended {
        code,
        out: text(out),
        err: text(err),
    }
}

/// `verify` finds the input and the operation; `trace` finds the operation at that input again, and at another nothing.
#[test]
fn the_operation_is_named() {
    let sweep = crate::sweeps::ALL[0].name;
    let range = "1.5..=0x1.80000000080p0";
    let verify = ["verify", sweep, "--range", range, "-q", "-b", "interpreter"];
    let e = contracting(&verify);
    assert_eq!(e.code, exit::FINDING, "{}", e.err);
    for says in [
        "\n  routine `rcp_newton`: contracted parts from interpreter at %",
        "rcp_newton at dc-runtime/src/",
        "^ sub\n",
        "\n      interpreter ",
        "\n      contracted ",
        "\n  reference `dd_recip`: the same on both\n",
    ] {
        assert!(e.out.contains(says), "{says:?} is missing: {}", e.out);
    }
    let e = contracting(&[&["--json"], &verify[..]].concat());
    let v: Value = serde_json::from_str(&e.out).expect("JSON");
    let first = &v[0]["backends"][1]["difference"]["first_input"];
    let part = &first["trace"][0];
    assert_eq!(part["finding"], "operation", "{part}");
    let (operation, operands) = (&part["operation"], &part["operands"]);
    assert_ne!(operation["values"][0], operation["values"][1]);
    for o in operands.as_array().expect("operands") {
        assert_eq!(o["values"][0], o["values"][1]);
    }
    let text = operation["sites"][0]["text"].as_str().expect("a line");
    assert!(text.contains("2.0 - "), "{text}");

    let at = format!("bits:{}", first["input"]["bits"].as_str().expect("bits"));
    let trace = ["trace", sweep, "--input", &at];
    let again = contracting(&[&["--json"], &trace[..]].concat());
    assert_eq!(again.code, exit::FINDING, "{}", again.err);
    let v: Value = serde_json::from_str(&again.out).expect("JSON");
    let found = &v[0]["parts"][0];
    assert_eq!(
        (&found["operation"], &found["operands"]),
        (operation, operands)
    );
    assert!(found.get("operations").is_none());
    let every = contracting(&[&["--json"], &trace[..], &["--all"]].concat());
    let v: Value = serde_json::from_str(&every.out).expect("JSON");
    let found = &v[0]["parts"][0];
    let operations = found["operations"].as_array().expect("operations");
    assert_eq!(found["values"], operations.len());
    let e = contracting(&[&trace[..], &["--all"]].concat());
    let rows = e.out.lines().filter(|l| l.starts_with('%')).count();
    let all = |v: &Value| v["operations"].as_array().map_or(0, Vec::len);
    let parts = v[0]["parts"].as_array().expect("parts");
    assert_eq!(rows, parts.iter().map(all).sum::<usize>());
    assert!(e.out.contains("contracted where it differs"), "{}", e.out);

    let e = contracting(&["trace", sweep, "--input", "1.0"]);
    assert_eq!((e.code, e.err.as_str()), (exit::OK, ""), "{}", e.out);
    assert!(
        e.out
            .contains("routine `rcp_newton`: the same on both in each of "),
        "{}",
        e.out
    );
    assert!(
        e.out
            .contains("metric `judge_f64`: the same on both in each of "),
        "{}",
        e.out
    );
}

#[test]
fn what_cannot_be_traced_is_said() {
    let wrong = format!("bits:{WRONG:x}");
    let e = crunch(&[
        "trace",
        "test",
        "-b",
        "scalar,interpreter",
        "--input",
        &wrong,
    ]);
    assert_eq!(e.code, exit::UNAVAILABLE, "{}", e.out);
    assert!(
        e.out.contains("routine `identity`: cannot be traced: "),
        "{}",
        e.out
    );
    let e = crunch(&["trace", "test", "--input", "1.0", "-b", "avx2"]);
    assert_eq!((e.code, e.out.as_str()), (exit::INPUT, ""));
    assert!(e.err.contains("avx2 alone is no comparison"), "{}", e.err);
    for (input, says) in [
        ("1.5x", "input `1.5x`, character 4: "),
        ("NaN", "give its bits"),
        ("1.0..2.0", "input `1.0..2.0`, character "),
        ("bits:0x3ff", "cannot be traced"),
    ] {
        let e = crunch(&["trace", "test", "--input", input]);
        assert!(format!("{}{}", e.out, e.err).contains(says), "{}", e.err);
    }
}

/// Every argument of every command, as clap has them: a value that cannot be meant is refused like those above. What
/// takes any text (names of files to write) is listed, so that a new argument must be put on one side or the other.
#[test]
fn every_argument_refuses_nonsense() {
    use clap::CommandFactory as _;
    const ANY_TEXT: [&str; 4] = ["run --out", "plot --out", "merge OUT", "plot --title"];
    let folder = Folder::new("nonsense");
    let file = folder.file("run");
    let file = file.to_str().expect("UTF-8");
    let made = crunch(&["run", "test", "--range", "1.0..=1.0", "-q", "-o", file]);
    assert_eq!(made.code, exit::OK, "{}", made.err);
    // What each command wants before it looks at anything else.
    let wanted = |command: &str| -> Vec<&str> {
        match command {
            "run" | "verify" | "estimate" => vec!["test"],
            "trace" => vec!["test", "--input=1.5"],
            "emit" => vec!["two_sum", "--target=ir"],
            "resume" | "status" | "format" => vec![file],
            "plot" => vec![file, "--out=/dev/null/a.svg"],
            "merge" => vec!["/dev/null/a", file],
            "dump-instruction" => vec!["rcpps"],
            _ => vec![],
        }
    };
    let mut arguments = 0;
    for command in super::args::Cli::command().get_subcommands() {
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
                        // A positional argument: alone, after `--` as it may begin with a dash.
                        let args = [name, "--", value].map(String::from).to_vec();
                        (
                            format!("{name} {}", argument.get_id().as_str().to_uppercase()),
                            args,
                        )
                    }
                };
                // One number is an input however long it is.
                let input = what == "trace --input" && value.starts_with('9');
                if ANY_TEXT.contains(&what.as_str()) || input {
                    continue;
                }
                let args: Vec<&str> = args.iter().map(String::as_str).collect();
                let e = crunch(&args);
                assert_eq!(
                    (e.code, e.out.as_str()),
                    (exit::INPUT, ""),
                    "{args:?}: {}",
                    e.err
                );
                assert_eq!(e.err.lines().count(), 1, "{args:?}: {}", e.err);
                assert!(e.err.starts_with("error: "), "{args:?}: {}", e.err);
                arguments += 1;
            }
        }
    }
    assert!(arguments > 100, "{arguments} values were tried");
}

/// Without MPFR the remedy is named; with it, a sweep that names no function is said to be unchecked.
#[test]
fn the_oracle_says_what_it_lacks() {
    let e = crunch(&["verify", "--oracle"]);
    if cfg!(feature = "oracle") {
        assert_eq!((e.code, e.out.as_str()), (exit::INPUT, ""), "{}", e.err);
        assert!(
            e.err
                .contains("test: not checked: no function is declared for it"),
            "{}",
            e.err
        );
    } else {
        assert_eq!(e.code, exit::UNAVAILABLE, "{}", e.err);
        assert!(
            e.err.contains("build with `--features oracle`"),
            "{}",
            e.err
        );
    }
    assert_eq!(
        crunch(&["verify", "--oracle", "--backend", "avx2"]).code,
        exit::INPUT
    );
}

/// A sweep whose reference lacks its low word, and one that is right.
#[cfg(feature = "oracle")]
#[test]
fn a_wrong_reference_is_a_finding() {
    use crate::prelude::*;
    use crate::search::truth::Function;
    use crate::sweeps::rcp_newton;

    #[crunch]
    fn without_low(x: DcDouble) -> DcDoubleDouble {
        DcDoubleDouble::new(x.recip(), 0.0)
    }
    const WRONG: Sweep =
        Sweep::new::<rcp_newton, without_low>("half", "1.0..2.0").of(Function::Recip);
    const RIGHT: Sweep =
        Sweep::new::<rcp_newton, dd_recip>("whole", "1.0..2.0").of(Function::Recip);
    let args = ["verify", "--oracle", "--inputs", "2^12"];
    let e = crunch_of(&[WRONG], &args);
    assert_eq!((e.code, e.err.as_str()), (exit::FINDING, ""));
    assert!(
        e.out
            .contains("INACCURATE: off by more than 9.5e-7 ULP, first at 1.00")
            && e.out.contains("mend without_low"),
        "{}",
        e.out
    );
    let e = crunch_of(&[RIGHT], &args);
    assert_eq!(e.code, exit::OK, "{}", e.err);
    assert!(
        e.out.contains("largest relative error 2^-10") && e.out.contains("six decimals"),
        "{}",
        e.out
    );
    let e = crunch_of(
        &[WRONG, RIGHT],
        &["--json", "verify", "--oracle", "--inputs", "2^12"],
    );
    let v: Value = serde_json::from_str(&e.out).expect("JSON");
    assert_eq!(
        (e.code, &v[0]["accurate"], &v[1]["accurate"]),
        (exit::FINDING, &false.into(), &true.into())
    );
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
