//! Proofs that hold: forged records of proofs, certificates that are proven again, bounds that are none, time limits.

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use serde_json::Value;

use super::{Ended, crunch_of, words};
use dc_driver::exit;
use dc_runtime::search::testing::Folder;
use dc_runtime::sweeps::ALL;

/// 900,720 inputs, and the largest error of them.
const SINE: [&str; 3] = ["sin-fdlibm", "--range", "0.7853981633..0.7853981634"];
const LARGEST: &str = "0.783878083494";

fn exact(sweep: &[&str], certificate: &Path, more: &[&str]) -> Ended {
    let certificate = certificate.to_str().expect("UTF-8");
    let file = ["--certificate", certificate];
    crunch_of(ALL, &[&["exact"][..], sweep, &file, more].concat())
}

/// The record of a proof that has not begun: its head.
fn head(certificate: &Path) -> (PathBuf, Vec<String>) {
    let e = exact(&SINE, certificate, &["--time", "0.2", "--no-check"]);
    let part = certificate.with_extension("cert.part");
    if e.code == exit::OK {
        // It was quick enough. A record with the same head is made by a level that a slack of nothing never leaves.
        let e = exact(
            &SINE,
            certificate,
            &["--time", "0.2", "--slack", "1e-9", "--no-check"],
        );
        assert_eq!(e.code, exit::STOPPED, "{}{}", e.out, e.err);
    }
    let text = std::fs::read_to_string(&part).expect("a record");
    let lines = text.lines().take(9);
    let lines = lines.map(|l| l.rsplit_once(' ').expect("a checksum").0.to_string());
    (part, lines.collect())
}

/// Lines with valid checksums: FNV-1a over all lines so far.
fn sealed(lines: &[String]) -> String {
    let mut sum = 0xcbf2_9ce4_8422_2325u64;
    let mut text = String::new();
    for line in lines {
        for byte in line.bytes().chain([b'\n']) {
            sum = (sum ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3);
        }
        text += &format!("{line} {sum:016x}\n");
    }
    text
}

/// A record that says that all is done at half an ULP: `exact` called the error of any input the maximum.
#[test]
fn a_forged_record_is_refused() {
    let folder = Folder::new("forged");
    let certificate = folder.file("sine.cert");
    let (part, head) = head(&certificate);
    let infinity = f64::INFINITY.to_bits();
    let half = 0.5f64.to_bits();
    let hit = "hit 3fe921fb54444a17".to_string();
    let round = format!("round {half:016x}");
    let done = |n: usize| (0..n).map(move |i| format!("done {i} {infinity:016x}"));
    let whole = "inputs 0 0 3fe921fb541b5c71 3fe921fb54f73ad4".to_string();
    let forgeries: [(Vec<String>, &str); 6] = [
        (done(4000).collect(), "it names piece"),
        (done(16).collect(), "no stretch of it is closed at"),
        // Stretches of other pieces and classes.
        (vec![whole], "which is no part of piece 0"),
        (
            vec!["inputs 0 9 3fe921fb54444a17 3fe921fb54444a17".into()],
            "which is no part of piece 0",
        ),
        // A level above the first one, and a round before the last was done.
        (
            vec![format!("round {:016x}", 0.6f64.to_bits())],
            "a round has the level 0.6",
        ),
        (
            vec![format!("round {:016x}", 0.4f64.to_bits())],
            "is not done",
        ),
    ];
    for (lines, says) in forgeries {
        let first = [hit.clone(), round.clone()];
        let all = [&head[..], &first, &lines, &["end".into()]].concat();
        std::fs::write(&part, sealed(&all)).expect("written");
        let e = exact(&SINE, &certificate, &[]);
        assert_eq!(e.code, exit::INPUT, "{says}: {}{}", e.out, e.err);
        for says in [
            says,
            "is not a record of this proof",
            "delete it to begin again",
        ] {
            assert!(e.err.contains(says), "{says}: {}", e.err);
        }
        assert!(!e.out.contains("exact"), "{}", e.out);
    }
    // An input outside of the range.
    let outside = "hit 3ff0000000000000".to_string();
    let all = [&head[..], &[outside, round]].concat();
    std::fs::write(&part, sealed(&all)).expect("written");
    let e = exact(&SINE, &certificate, &[]);
    assert_eq!(e.code, exit::INPUT, "{}", e.err);
    assert!(e.err.contains("is none of the range"), "{}", e.err);
    // The true record is continued.
    std::fs::write(&part, sealed(&head)).expect("written");
    let e = exact(&SINE, &certificate, &[]);
    assert_eq!(e.code, exit::OK, "{}", e.err);
    contains!(e.out, &format!("{LARGEST} ULP, exact"));
}

/// A record may be forged with all of its stretches: the checker refuses the certificate, and the maximum is not called
/// exact.
#[test]
fn what_a_record_hides_the_checker_finds() {
    let folder = Folder::new("hidden");
    let certificate = folder.file("sine.cert");
    let mut merge = vec!["merge".to_string(), certificate.display().to_string()];
    for shard in ["1/2", "2/2"] {
        let e = exact(&SINE, &certificate, &["--shard", shard]);
        assert_eq!(e.code, exit::OK, "{}", e.err);
        let part = format!(
            "{}.{}.part",
            certificate.display(),
            shard.replace('/', "-of-")
        );
        let text = std::fs::read_to_string(&part).expect("a record");
        // Both have the same input as their worst, whose error is 0.776735 ULP.
        let lines = text
            .lines()
            .map(|l| l.rsplit_once(' ').expect("a checksum").0);
        let forged: Vec<String> = lines
            .map(|l| match l.starts_with("hit ") {
                true => "hit 3fe921fb54444a17".to_string(),
                false => l.to_string(),
            })
            .collect();
        assert!(forged.iter().any(|l| l.starts_with("hit ")), "{text}");
        std::fs::write(&part, sealed(&forged)).expect("written");
        merge.push(part);
    }
    let merge: Vec<&str> = merge.iter().map(String::as_str).collect();
    let e = crunch_of(ALL, &merge);
    assert_eq!(e.code, exit::FINDING, "{}{}", e.out, e.err);
    for says in ["is not proven by the checker", "above the claim"] {
        assert!(e.err.contains(says), "{says}: {}", e.err);
    }
    assert!(!e.out.contains("exact: no input"), "{}", e.out);
    contains!(e.out, "0.776735408671 ULP found, and not proven");
}

#[test]
fn a_certificate_is_proven_again_and_the_output_says_so() {
    let folder = Folder::new("again");
    let certificate = folder.file("sine.cert");
    let e = exact(&SINE, &certificate, &[]);
    assert_eq!(e.code, exit::OK, "{}", e.err);
    for says in [
        LARGEST,
        "exact: no input has a larger one",
        "proven again with the checker's code",
    ] {
        assert!(e.out.contains(says), "{says}: {}", e.out);
    }
    let text = std::fs::read_to_string(&certificate).expect("a certificate");
    assert!(text.ends_with("end\n"), "{text}");
    let e = exact(
        &["exp", "--range", "50.2534..50.25345"],
        &folder.file("e.cert"),
        &["--no-check"],
    );
    assert_eq!(e.code, exit::OK, "{}", e.err);
    let all = words("--json exact exp --range 50.2534..50.25345 --certificate");
    let file = folder.file("j.cert");
    let e = crunch_of(ALL, &[&all[..], &[file.to_str().expect("UTF-8")]].concat());
    let v: Value = serde_json::from_str(&e.out).unwrap_or_else(|_| panic!("{}", e.err));
    assert_eq!(
        (&v["exact"], &v["certificate_proven"]),
        (&true.into(), &true.into())
    );
    let e = crunch_of(ALL, &["exact", "exp", "--no-check"]);
    assert_eq!(e.code, exit::INPUT, "{}", e.err);
}

/// A bound of one argument has a certificate without a plan: the checker finds the cells itself.
#[test]
fn a_bound_has_a_certificate_at_a_claim() {
    let folder = Folder::new("claim");
    let file = folder.file("exp.cert");
    let path = file.to_str().expect("UTF-8");
    let exp = |more: &str| {
        let certificate = ["--certificate", path];
        crunch_of(
            ALL,
            &[
                &words("bound exp --range 0.5..1.0")[..],
                &certificate,
                &words(more),
            ]
            .concat(),
        )
    };
    let e = exp("--claim 1.5");
    assert_eq!(e.code, exit::OK, "{}{}", e.out, e.err);
    assert!(
        e.out.contains("proven again with the checker's code"),
        "{}",
        e.out
    );
    let text = std::fs::read_to_string(&file).expect("a certificate");
    let check = |text: &str| crunch_check::check(text, crunch_check::Options::default());
    let report = check(&text).expect("it is proven");
    assert!(report.starts_with("PROVEN: exp"), "{report}");
    let line = format!("error {:016x}", 1.5f64.to_bits());
    let lower = text.replace(&line, &format!("error {:016x}", 1.3f64.to_bits()));
    assert_ne!(lower, text);
    check(&lower).expect_err("larger errors are known");
    // 2 % above the bound.
    let v: Value = serde_json::from_str(&exp("--json").out).expect("a document");
    assert_eq!(v["certificate_proven"], true, "{v}");
    let text = std::fs::read_to_string(&file).expect("a certificate");
    assert!(text.contains("|K(x) - f(x)| <= 1.4"), "{text}");
    // Nothing is written for a claim below the bound, nor for a bound of a part.
    std::fs::remove_file(&file).expect("it was there");
    let e = exp("--claim 1.4");
    assert_eq!(e.code, exit::FINDING, "{}{}", e.out, e.err);
    assert!(
        e.out
            .contains("not written: the bound is above the claim of 1.4 ULP"),
        "{}",
        e.out
    );
    let few = words("bound log-table --range 1.2..1e10 --cells 300 --certificate");
    let e = crunch_of(ALL, &[&few[..], &[path]].concat());
    assert_eq!(e.code, exit::FINDING, "{}{}", e.out, e.err);
    assert!(!file.exists());
}

/// The time is that of all phases: this bound alone takes a minute.
#[test]
fn a_time_limit_is_kept_while_the_bound_is_computed() {
    let all = "5e-324..=1.7976931348623157e308";
    let begun = Instant::now();
    let e = crunch_of(ALL, &["exact", "log-table", "--range", all, "--time", "2s"]);
    let took = begun.elapsed();
    assert!(took < Duration::from_secs(12), "{took:?}: {}", e.err);
    assert_eq!(e.code, exit::OK, "{}", e.err);
    assert!(!e.out.contains("exact: no input"), "{}", e.out);
    for says in ["no bound", "the time ran out", "a longer --time"] {
        assert!(e.out.contains(says), "{says}: {}", e.out);
    }
    // A record of it could not be continued: the bound would be another one.
    let folder = Folder::new("limit");
    let sweep = ["log-table", "--range", all];
    let e = exact(&sweep, &folder.file("log.cert"), &["--time", "1s"]);
    assert_eq!(e.code, exit::STOPPED, "{}", e.err);
    assert!(e.err.contains("before the bound was complete"), "{}", e.err);
}

/// What leaves out nearly everything is no bound.
#[test]
fn a_bound_of_a_part_is_no_bound() {
    let few = words("bound log-table --range 1.2..1e10 --cells 300");
    let e = crunch_of(ALL, &few);
    assert_eq!(e.code, exit::FINDING, "{}", e.out);
    for says in [
        "no bound",
        "% of the inputs are not bounded",
        "give a --range",
    ] {
        assert!(e.out.contains(says), "{says}: {}", e.out);
    }
    assert!(!e.out.contains("certified"), "{}", e.out);
    let e = crunch_of(ALL, &[&["--json"][..], &few].concat());
    let v: Value = serde_json::from_str(&e.out).unwrap_or_else(|_| panic!("{}", e.err));
    assert_eq!((e.code, &v["bound"]), (exit::FINDING, &Value::Null));
    assert!(v["left_out_share"].as_f64() > Some(0.01), "{v}");
    // Half of all numbers have no logarithm, and are not counted as left out.
    let e = crunch_of(
        ALL,
        &words("--json bound log-table --range=-2.0..2.0 --time 1s -j 1"),
    );
    let v: Value = serde_json::from_str(&e.out).unwrap_or_else(|_| panic!("{}", e.err));
    assert_eq!(v["cut_short"], true, "{v}");
    // The place that is left out, and the remedy.
    let why = v["why_wide"].as_str().expect("a reason");
    assert!(
        why.contains("the longest stretch without a bound is "),
        "{v}"
    );
    assert!(
        v["remedy"]
            .as_str()
            .is_some_and(|r| r.contains("a longer --time")),
        "{v}"
    );
    let e = crunch_of(ALL, &["bound", "reciprocal", "--range", "1.0..1.001"]);
    assert_eq!(e.code, exit::OK, "{}", e.err);
    assert!(e.out.contains("\n  known error  1.9"), "{}", e.out);
    assert!(e.out.contains("a net, and not the proof"), "{}", e.out);
}

/// A bound that is far above all errors found names the place, what it is made of there, and what would help.
#[test]
fn a_wide_bound_explains_itself() {
    let arguments = ["bound", "exp-fdlibm", "--range", "50.0..50.3"];
    let e = crunch_of(ALL, &arguments);
    assert_eq!(e.code, exit::OK, "{}", e.err);
    for part in [
        "why wide",
        "above the largest error known, 0.8",
        "on reduced arguments",
        "sub (y) (",
        "`crunch hunt` finds how near",
    ] {
        assert!(e.out.contains(part), "{part}: {}", e.out);
    }
    let e = crunch_of(ALL, &[&["--json"][..], &arguments].concat());
    let v: Value = serde_json::from_str(&e.out).unwrap_or_else(|_| panic!("{}", e.err));
    assert!(v["why_wide"].is_string() && v["remedy"].is_string(), "{v}");
    // All errors of a correctly rounded step are near its bound.
    let e = crunch_of(ALL, &["bound", "log-table", "--range", "1.5..1.6"]);
    assert!(!e.out.contains("why wide"), "{}", e.out);
}
