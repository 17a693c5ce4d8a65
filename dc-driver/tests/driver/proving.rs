//! Proofs that hold: forged records of proofs, certificates that are proven again, bounds that are none, time limits.

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use serde_json::Value;

use super::{Ended, crunch_of};
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
            "is no record of this proof",
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
    assert!(
        e.out.contains(&format!("{LARGEST} ULP, exact")),
        "{}",
        e.out
    );
}

/// A record may be forged with all of its stretches: the checker refuses the certificate, and the maximum is not called exact.
#[test]
fn what_a_record_hides_the_checker_finds() {
    let folder = Folder::new("hidden");
    let certificate = folder.file("sine.cert");
    let e = exact(&SINE, &certificate, &["--no-check"]);
    assert_eq!(e.code, exit::OK, "{}", e.err);
    assert!(e.out.contains("not checked (--no-check)"), "{}", e.out);
    let (part, head) = head(&certificate);
    // The stretches of a true proof, under the name of a wrong worst input. A record of the true proof is needed for their
    // places: the level is so high that its pieces are the same.
    let pieces = pieces_of(&certificate, &part, &head);
    let hit = "hit 3fe921fb54444a17".to_string();
    let all = [&head[..], &[hit], &pieces].concat();
    std::fs::write(&part, sealed(&all)).expect("written");
    let e = exact(&SINE, &certificate, &[]);
    assert_eq!(e.code, exit::FINDING, "{}{}", e.out, e.err);
    for says in ["is not proven by the checker", "above the claim"] {
        assert!(e.err.contains(says), "{says}: {}", e.err);
    }
    assert!(!e.out.contains("exact: no input"), "{}", e.out);
    assert!(e.out.contains("ULP found, and not proven"), "{}", e.out);
    // The same without the check: a record is believed as one's own.
    std::fs::write(&part, sealed(&all)).expect("written");
    let e = exact(&SINE, &certificate, &["--no-check"]);
    assert_eq!(e.code, exit::OK, "{}", e.err);
    assert!(!e.out.contains(LARGEST), "{}", e.out);
}

/// The steps of a record that closes every piece at 0.5 ULP, none of which was examined: its pieces are those that the
/// refusals of shorter records name.
fn pieces_of(certificate: &Path, part: &Path, head: &[String]) -> Vec<String> {
    let level = format!("round {:016x}", 0.5f64.to_bits());
    let mut lines = vec![level];
    let infinity = f64::INFINITY.to_bits();
    for number in 0..10_000 {
        let done = format!("done {number} {infinity:016x}");
        let mut begun = None;
        // Where it begins, the first refusal says; it ends where no stretch is a part of it any longer.
        for class in 0..20 {
            let all = [head, &lines, std::slice::from_ref(&done)].concat();
            std::fs::write(part, sealed(&all)).expect("written");
            let e = exact(&SINE, certificate, &["--no-check", "--time", "0.05"]);
            let Some((_, at)) = e.err.split_once("closed at ") else {
                // There is no such piece.
                lines.push("end".into());
                return lines;
            };
            let lo: f64 = at.split(';').next().expect("it").parse().expect("a number");
            begun = Some(lo);
            let tries = |hi: f64| {
                let closed = format!(
                    "lattice {number} {class} {:016x} {:016x}",
                    lo.to_bits(),
                    hi.to_bits()
                );
                let all = [head, &lines, &[closed.clone()]].concat();
                std::fs::write(part, sealed(&all)).expect("written");
                let e = exact(&SINE, certificate, &["--no-check", "--time", "0.05"]);
                (!e.err.contains("no part of piece")).then_some(closed)
            };
            if tries(lo).is_none() {
                continue;
            }
            let (mut low, mut high) = (lo.to_bits(), lo.to_bits() + (1 << 20));
            while high - low > 1 {
                let middle = low + (high - low) / 2;
                match tries(f64::from_bits(middle)) {
                    Some(_) => low = middle,
                    None => high = middle,
                }
            }
            lines.extend(tries(f64::from_bits(low)));
            lines.push(done);
            break;
        }
        assert!(
            begun.is_some() && lines.len() > 2 * number,
            "piece {number}"
        );
    }
    unreachable!("so many pieces")
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
    let all = [
        "--json",
        "exact",
        "exp",
        "--range",
        "50.2534..50.25345",
        "--certificate",
    ];
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
    assert!(e.out.contains("infinite] ULP, but for"), "{}", e.out);
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
    let few = [
        "bound",
        "log-table",
        "--range",
        "1.2..1e10",
        "--cells",
        "300",
    ];
    let e = crunch_of(ALL, &few);
    assert_eq!(e.code, exit::FINDING, "{}", e.out);
    for says in [
        "no bound",
        "% of the inputs are not bounded",
        "give --range a part",
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
        &[
            "--json",
            "bound",
            "log-table",
            "--range=-2.0..2.0",
            "--time",
            "1s",
            "-j",
            "1",
        ],
    );
    let v: Value = serde_json::from_str(&e.out).unwrap_or_else(|_| panic!("{}", e.err));
    assert_eq!(v["cut_short"], true, "{v}");
    let e = crunch_of(ALL, &["bound", "reciprocal", "--range", "1.0..1.001"]);
    assert_eq!(e.code, exit::OK, "{}", e.err);
    assert!(
        e.out.contains("inputs run afterwards, the largest error"),
        "{}",
        e.out
    );
    assert!(e.out.contains("a net, and not the proof"), "{}", e.out);
}
