//! Routines of two arguments: searched, sharded, merged, continued, listed, compared; commands that do not support them report it.

use super::{Ended, on_processors, words};
use dc_driver::exit;
use dc_runtime::builtins::reference::computes;
use dc_runtime::prelude::*;
use dc_runtime::search::run_file::Reader;
use dc_runtime::search::testing::Folder;
use dc_runtime::sweep::Sweep;

/// Two roundings, and the squares overflow.
#[crunch]
fn length(x: DcFloat, y: DcFloat) -> DcFloat {
    x.mul_add(x, y * y).sqrt()
}

pub(super) const HYPOT: Sweep =
    Sweep::computing::<length, computes::hypot>("hypot", "0.5..4.0 x 0.5..4.0").within(1.25);

fn crunch(args: &[&str]) -> Ended {
    on_processors(&[HYPOT], args)
}

fn succeed(args: &[&str]) -> String {
    let e = crunch(args);
    assert_eq!(e.code, exit::OK, "{args:?}: {}{}", e.out, e.err);
    e.out
}

/// The rest of the line with this beginning.
fn line<'a>(out: &'a str, begin: &str) -> &'a str {
    let found = out.lines().find_map(|l| l.strip_prefix(begin));
    found.unwrap_or_else(|| panic!("no line `{begin}`: {out}"))
}

#[test]
fn a_sample_is_run_in_shards_merged_and_looked_at() {
    let folder = Folder::new("pairs-run");
    let file = |name: &str| {
        let path = folder.file(name);
        path.to_str().expect("UTF-8").to_string()
    };
    let (whole, merged) = (file("whole.crunch"), file("merged.crunch"));
    let range = ["--range", "2^16 of 0.5..4.0 x 0.5..4.0", "--block", "2^12"];
    let run = |more: &[&str]| succeed(&[&["run", "hypot", "-q"], &range[..], more].concat());
    run(&["-o", &whole]);
    let of = "65,536 pairs, a sample of about 2^";
    let shown = succeed(&["status", &whole]);
    assert!(line(&shown, "inputs        ").starts_with(of), "{shown}");
    assert!(shown.contains(", f32,f32, inputs 2^16 of"), "{shown}");
    contains!(
        shown,
        "checked       every row; the worst input, evaluated again"
    );
    let at = line(&shown, "  at          ");
    assert!(
        at.starts_with('(') && at.matches(" = 0x1").count() == 2,
        "{at}"
    );

    let parts = [file("1.crunch"), file("2.crunch")];
    for (i, part) in ["1/2", "2/2"].into_iter().zip(&parts) {
        run(&["-o", part, "--shard", i, "-b", "interpreter"]);
    }
    succeed(&["merge", &merged, &parts[0], &parts[1]]);
    let other = succeed(&["status", &merged]);
    assert_eq!(
        line(&other, "digest        "),
        line(&shown, "digest        ")
    );
    assert!(succeed(&["resume", &whole]).contains("hypot: complete already"));

    let table = succeed(&["format", &whole]);
    assert!(
        table.lines().nth(1).is_some_and(|l| l.starts_with('(')),
        "{table}"
    );
    succeed(&["plot", &whole, "-o", &file("x.html")]);
    let html = std::fs::read_to_string(folder.file("x.html")).expect("the report");
    contains!(html, of, "not exhaustive");
    let json: serde_json::Value =
        serde_json::from_str(&succeed(&["--json", "status", &whole])).expect("JSON");
    let json = &json[0];
    assert_eq!(json["precision"], "f32,f32");
    assert_eq!(
        (
            &json["sample"],
            json["worst"]["input"].as_array().map(Vec::len)
        ),
        (&true.into(), Some(2))
    );

    // Another box is another run.
    let reader = Reader::open(&folder.file("whole.crunch")).expect("a run file");
    let text = reader.header().plan.range().to_string();
    assert!(text.starts_with("0..65536 of bits:0x3f000000..="), "{text}");
    let wide = file("wide.crunch");
    succeed(&[
        "run",
        "hypot",
        "-q",
        "--range",
        "2^16 of all",
        "--block",
        "2^12",
        "-o",
        &wide,
    ]);
    let e = crunch(&["merge", &file("none.crunch"), &parts[0], &wide]);
    assert_ne!(e.code, exit::OK, "{}", e.out);
}

#[test]
fn backends_are_compared_and_inputs_traced() {
    let e = crunch(&words("verify hypot --inputs 2^14 -b scalar,interpreter"));
    assert_eq!(e.code, exit::OK, "{}{}", e.out, e.err);
    assert!(
        e.out
            .starts_with("hypot: 16,384 pairs of 0.5..4.0 x 0.5..4.0, a sample of its about 2^"),
        "{}",
        e.out
    );
    contains!(
        e.out,
        "verdict: 2 backends bitwise identical on 16,384 inputs"
    );
    // All pairs, where squares overflow, exceed the range for which the sweep declares a limit.
    let all = crunch(&[
        "verify",
        "hypot",
        "--range",
        "2^12 of all",
        "-b",
        "scalar,interpreter",
    ]);
    assert_eq!(all.code, exit::OK, "{}{}", all.out, all.err);
    contains!(all.out, "wrong special values (infinity)");
    let traced = crunch(&[
        "trace",
        "hypot",
        "--input",
        "3.0, 4.0",
        "-b",
        "scalar,interpreter",
    ]);
    assert_eq!(traced.code, exit::OK, "{}{}", traced.out, traced.err);
    let at =
        "hypot at (3.0 = 0x1.8p1 (0x40400000), 4.0 = 0x1p2 (0x40800000)) on scalar and interpreter";
    assert!(traced.out.contains(at), "{}", traced.out);
}

#[test]
fn all_pairs_are_bounded() {
    let shown = succeed(&["bound", "hypot"]);
    contains!(
        shown,
        "hypot: about 2^49.17 pairs of finite numbers of 0.5..4.0 x 0.5..4.0, none of them run for the bound"
    );
    contains!(
        shown,
        "ULP, proven: no error of a finite result is larger\n"
    );
    contains!(shown, "65,536 pairs run afterwards");
    let v: serde_json::Value =
        serde_json::from_str(&succeed(&["bound", "hypot", "--json"])).expect("a document");
    let bound = v["bound"].as_f64().expect("a bound");
    assert!(bound > 1.0 && bound < 2.1, "{v}");
    assert!(
        v["certificate"].is_null() && v["left_out_share"] == 0.0,
        "{v}"
    );

    let wide = crunch(&["bound", "hypot", "--range", "all"]);
    assert_eq!(wide.code, exit::FINDING, "{}{}", wide.out, wide.err);
    contains!(wide.out, "no bound");
    contains!(wide.out, "pairs with an infinity or a NaN");
    let at = crunch(&["bound", "hypot", "--at", "1.0"]);
    assert_eq!(at.code, exit::INPUT, "{}", at.err);
}

/// The checker's code proves the certificate, and refuses it without one of its boxes or with a lower claim.
#[test]
fn a_bound_of_pairs_has_a_certificate() {
    let folder = Folder::new("pairs-certificate");
    let path = folder.file("hypot.cert");
    let file = path.to_str().expect("UTF-8");
    let shown = succeed(&["bound", "hypot", "--certificate", file]);
    contains!(
        shown,
        " bytes, proven again with the checker's code in ",
        "`crunch-check "
    );
    let text = std::fs::read_to_string(&path).expect("written");
    let check = |text: &str| crunch_check::check(text, crunch_check::Options::default());
    let report = check(&text).expect("it is proven");
    assert!(report.starts_with("PROVEN: hypot"), "{report}");
    let line = |begin: &str| text.lines().find(|l| l.starts_with(begin)).expect("it");
    let one = format!("error {:016x}", 1f64.to_bits());
    for changed in [
        text.replace(&format!("{}\n", line("box ")), ""),
        text.replace(line("error "), &one),
        text.replace("function hypot", "function div"),
    ] {
        assert_ne!(changed, text);
        check(&changed).expect_err("it is refused");
    }
    let args = ["bound", "hypot", "--json", "--certificate", file];
    let v: serde_json::Value = serde_json::from_str(&succeed(&args)).expect("a document");
    assert!(
        v["certificate"] == file && v["certificate_proven"] == true,
        "{v}"
    );
    assert!(v["certificate_refused"].is_null(), "{v}");
    let claims = ["bound", "hypot", "--certificate", file, "--claim", "2.5"];
    let ended = crunch(&claims);
    assert_eq!(ended.code, exit::INPUT, "{}", ended.err);
    // There is nothing to certify of a range without a bound.
    let none = folder.file("none.cert");
    let path = none.to_str().expect("UTF-8");
    let args = ["bound", "hypot", "--range", "all", "--certificate", path];
    let wide = crunch(&args);
    assert_eq!(wide.code, exit::FINDING, "{}{}", wide.out, wide.err);
    contains!(wide.out, "not written: there is no bound");
    assert!(!none.exists());
}

#[test]
fn what_is_for_one_argument_says_so() {
    for args in [
        &["hunt", "hypot"][..],
        &["exact", "hypot"],
        &["emit", "hypot", "--search", "--target", "cuda"],
    ] {
        let e = crunch(args);
        assert_eq!(e.code, exit::INPUT, "{args:?}: {}{}", e.out, e.err);
        contains!(e.err, "`hypot` has two arguments"; "{args:?}");
    }
    for (args, says) in [
        (
            ["run", "hypot", "--range", "1.0..2.0"],
            "is a range of one argument",
        ),
        (
            ["trace", "hypot", "--input", "1.0"],
            "it is one number; write the two arguments",
        ),
    ] {
        let e = crunch(&args);
        assert_eq!(e.code, exit::INPUT, "{args:?}: {}{}", e.out, e.err);
        assert!(e.err.contains(says), "{args:?}: {}", e.err);
    }
}
