//! Commands that search nothing: `doctor`, `emit`, `estimate`, `list`.

use serde_json::Value;

use super::{RANGE, crunch, json};
use dc_driver::exit;
use dc_runtime::search::testing::Folder;

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
    contains!(e.err, "cuda:0: cuda is not available: no libcuda");
    assert_eq!(e.err.lines().count(), 1, "{}", e.err);
}

/// In no sweep.
#[dc_macros::crunch]
fn own(x: dc_runtime::types::DcDouble) -> dc_runtime::types::DcDouble {
    x * 3.0
}

fn crunch_listing(kernels: dc_runtime::kernel::Kernels, args: &[&str]) -> super::Ended {
    super::crunch_with(&[super::SWEEP], kernels, &super::discover, args)
}

#[test]
fn kernels_are_found_by_name() {
    for target in ["cuda", "opencl", "c", "ir"] {
        let e = crunch(&["emit", "dd_recip", "--target", target]);
        assert_eq!(e.code, exit::OK, "{}", e.err);
        assert!(e.out.contains("dd_recip"), "{}", e.out);
    }
    for target in ["wgsl", "glsl"] {
        let (_, v) = json(&["emit", "rcp_neon", "--target", target]);
        assert_eq!(v["target"], target);
        let text = v["text"].as_str().expect("a text");
        let head = text.lines().next().expect("a line");
        assert!(head.ends_with("; not verified on a device"), "{head}");
        assert!(text.contains(" crunch_rcp_neon("), "{text}");
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
    contains!(
        e.out,
        "{ a in [0x1p0, 0x1.fffffffffffffp0] /\\ b in [-0x1p2, -0x1p1]\n"
    );
    // A kernel that no sweep reaches is found where the program lists it, and near names of it are.
    let listed = dc_runtime::kernels![own, dc_runtime::builtins::eft::two_sum];
    let e = crunch_listing(listed, &["emit", "own", "-t", "cuda"]);
    assert!(e.code == exit::OK && e.out.contains("k_own"), "{}", e.err);
    let e = crunch_listing(listed, &["list", "--kernels"]);
    let lines = |name: &str| e.out.lines().filter(|l| l.starts_with(name)).count();
    assert_eq!((lines("own "), lines("two_sum ")), (1, 1), "{}", e.out);
    let e = crunch_listing(listed, &["emit", "owns", "-t", "cuda"]);
    assert!(e.err.contains("near it: own"), "{}", e.err);
    assert_eq!(crunch(&["emit", "own", "-t", "cuda"]).code, exit::INPUT);
    let e = crunch(&["emit", "nonesuch", "-t", "ir"]);
    assert_eq!((e.code, e.out.as_str()), (exit::INPUT, ""));
    contains!(
        e.err,
        "no kernel or sweep is called `nonesuch`; `crunch list --kernels` lists all "
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
    let list = include_str!("../../data/machines.tsv").lines();
    let systems = list
        .filter(|l| !l.is_empty() && !l.starts_with('#'))
        .count();
    assert_eq!(v["projections"].as_array().map(Vec::len), Some(systems));
    assert_eq!(v["peak_here"], 1e11);

    // Without a given peak, the processor's is measured.
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
    let run = crunch(&args);
    for words in ["compute system", "this machine, ", "here again", "% of it"] {
        assert!(run.out.contains(words), "{}", run.out);
    }
    std::fs::write(list, "x\ty\tz\n").expect("a file");
    let run = crunch(&args);
    assert_eq!((run.code, run.out.as_str()), (exit::INPUT, ""));
    contains!(run.err, "line 1: the peak of x is `y`");
}

/// One input without a run file, with its neighbours.
#[test]
fn single_inputs_are_shown_with_their_neighbours() {
    let e = crunch(&["at", "test", "1.5", "-1.5"]);
    assert_eq!((e.code, e.err.as_str()), (exit::OK, ""));
    let lines: Vec<&str> = e.out.lines().collect();
    assert_eq!(lines.len(), 12, "{}", e.out);
    assert_eq!(lines[0], "test at 1.5 = 0x1.8p0 (0x3ff8000000000000)");
    for (line, begins) in
        lines[1..6]
            .iter()
            .zip(["result  ", "reference  ", "error  ", "before  ", "after  "])
    {
        assert!(line.starts_with(begins), "{}", e.out);
    }
    assert!(lines[5].contains("1.5000000000000002 gives "), "{}", e.out);
    let (code, v) = json(&["at", "test", "1.5"]);
    assert_eq!(
        (code, v[0]["neighbours"].as_array().map(Vec::len)),
        (exit::OK, Some(2))
    );
    assert_eq!(v[0]["at"]["input"]["bits"], "0x3ff8000000000000");
    for (args, says) in [
        (&["at", "tests", "1.5"][..], "no sweep is called `tests`"),
        (&["at", "test"], "takes inputs, as in at test 1.5"),
        (&["at", "test", "one"], "input `one`"),
        (&["at", "test", "-one"], "unexpected argument '-o'"),
        (&["at", "test", "-1.1,101"], "input `-1.1,101`"),
    ] {
        let e = crunch(args);
        assert_eq!((e.code, e.out.as_str()), (exit::INPUT, ""));
        assert!(e.err.contains(says), "{}", e.err);
    }
}

/// Of a pair each argument has two neighbours, with the other argument fixed.
#[test]
fn pairs_are_shown_with_their_neighbours() {
    use super::pairs::HYPOT;
    let at = |args: &[&str]| super::on_processors(&[HYPOT], args);
    let e = at(&["at", "hypot", "3,4"]);
    assert_eq!((e.code, e.err.as_str()), (exit::OK, ""), "{}", e.out);
    let lines: Vec<&str> = e.out.lines().collect();
    let at_3_4 = "hypot at (3.0 = 0x1.8p1 (0x40400000), 4.0 = 0x1p2 (0x40800000))";
    assert_eq!((lines.len(), lines[0]), (8, at_3_4), "{}", e.out);
    for (line, begins) in lines[4..].iter().zip([
        "x before      2.9999998 gives 5.0, error ",
        "x after       3.0000002 gives 5.0, error ",
        "y before      3.9999998 gives 5.0, error ",
        "y after       4.0000005 gives 5.0000005, error ",
    ]) {
        assert!(line.starts_with(begins), "{}", e.out);
        assert!(line.len() < 100, "{line}");
    }
    // Beyond an infinity there is no number.
    let e = at(&["at", "hypot", "inf,0", "--json"]);
    let shown: serde_json::Value = serde_json::from_str(&e.out).expect("a document");
    let neighbours = shown[0]["neighbours"].as_array().expect("a list");
    let names: Vec<&str> = neighbours
        .iter()
        .filter_map(|n| n["neighbour"].as_str())
        .collect();
    assert_eq!(names, ["x before", "y before", "y after"], "{shown}");
    let input = |n: usize, k: usize| &neighbours[n]["input"][k]["decimal"];
    assert_eq!(
        (input(0, 0), input(0, 1)),
        (&"3.4028235e38".into(), &"0.0".into())
    );
    assert_eq!((input(1, 0), input(1, 1)), (&"inf".into(), &"-0.0".into()));
}

/// Such inputs were taken for options, and needed `--` before them.
#[test]
fn negative_inputs_are_no_options() {
    use super::pairs::HYPOT;
    let at = |args: &[&str]| super::on_processors(&[HYPOT], args);
    let e = at(&["at", "hypot", "-3.0,4.0", "-0x1p1,-inf", "--json"]);
    assert_eq!((e.code, e.err.as_str()), (exit::OK, ""), "{}", e.out);
    let shown: serde_json::Value = serde_json::from_str(&e.out).expect("a document");
    let input = |i: usize| shown[i]["at"]["input"].to_string();
    assert!(
        input(0).contains("0xc0400000") && input(1).contains("0xff800000"),
        "{shown}"
    );
    let with = e.out;
    let e = at(&["--json", "at", "hypot", "--", "-3.0,4.0", "-0x1p1,-inf"]);
    assert_eq!((e.code, e.out), (exit::OK, with));
    let e = crunch(&["at", "test", "-0x1.8p0"]);
    assert!(
        e.out.starts_with("test at -1.5 = -0x1.8p0"),
        "{}{}",
        e.out,
        e.err
    );
}

#[test]
fn references_are_listed() {
    use dc_runtime::builtins::reference::{REFERENCES, REFERENCES_OF_TWO};
    let e = crunch(&["list", "--references"]);
    assert_eq!((e.code, e.err.as_str()), (exit::OK, ""));
    assert_eq!(
        e.out.lines().count(),
        // A heading, the modules of the kernels, and the functions of formulas.
        REFERENCES.len() + REFERENCES_OF_TWO.len() + 1 + 2 + 1
    );
    let last = e.out.lines().last().expect("a line");
    for name in [
        "abs(a)",
        "lerp(a, b, c)",
        "lgamma_sign(a)",
        "y1(a)",
        "fmod(a, b)",
    ] {
        assert!(last.contains(name), "{name}: {last}");
    }
    let module = "doublecrunch::builtins::reference::binary32";
    assert!(
        e.out
            .contains(&format!("\nkernels for binary32: use {module}::NAME;\n"))
    );
    let (_, v) = json(&["list", "--references", "sin", "log1p"]);
    assert_eq!(v.as_array().map(Vec::len), Some(2));
    assert_eq!(v[0]["binary32"]["kernel"], "sin_f32_reference");
    assert_eq!(
        v[0]["binary32"]["path"],
        format!("{module}::sin_f32_reference")
    );
    assert_eq!(v[1]["formula"], "ln(1 + x)");
    let e = crunch(&["list", "--references", "arcsin"]);
    assert_eq!(
        (e.code, e.out.as_str(), e.err.as_str()),
        (
            exit::INPUT,
            "",
            "error: there is no reference of a function `arcsin`; near it: asin; `crunch list --references` shows all\n"
        )
    );
}

/// A search in a given time leaves a picture, which states that it is of a sample; of a small range it is of all inputs.
#[test]
fn a_timed_search_leaves_a_picture() {
    let dir = dc_runtime::search::testing::Folder::new("timed-picture");
    let draw = |range: &str, file: &str| {
        let path = dir.file(file);
        let path = path.to_str().expect("UTF-8");
        let args = [
            "run", "exp", "--time", "0.5", "--range", range, "-b", "scalar", "-q",
        ];
        let args = [&args[..], &["--picture", path]].concat();
        let e = super::on_processors(dc_runtime::sweeps::ALL, &args);
        assert_eq!(e.code, exit::OK, "{}{}", e.out, e.err);
        contains!(e.out, &format!("picture       {path}\n"));
        std::fs::read(path).expect("the picture")
    };
    let svg = |range| String::from_utf8(draw(range, "exp.svg")).expect("text");
    let sampled = svg("-745.0..=709.0");
    contains!(sampled, "exp_cephes against exp_reference");
    contains!(
        sampled,
        "of about 2^63.0 inputs: others may have larger errors"
    );
    assert!(sampled.contains("ULP at "), "{sampled}");
    // Areas above and below zero.
    assert!(sampled.matches("<polygon").count() >= 2, "{sampled}");
    let all = svg("1.0..=0x1.0000000001p0");
    assert!(!all.contains("a sample of"), "{all}");
    assert!(draw("1.0..2.0", "exp.png").starts_with(b"\x89PNG"));
    // Not over a run file, and of numbers alone.
    let e = super::on_processors(
        &[super::pairs::HYPOT],
        &["run", "hypot", "--time", "0.1", "--picture", "a.svg"],
    );
    assert_eq!(e.code, exit::INPUT, "{}{}", e.out, e.err);
    contains!(e.err, "the inputs of `hypot` are f32,f32; leave it out");
}
