//! Proofs that are killed, stopped and split, with real processes; the checker checks their certificates.
#![cfg(unix)]

use std::ffi::OsString;
use std::os::unix::process::ExitStatusExt as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::time::Duration;

use dc_driver::{Backends, exit, run};
use dc_runtime::backend::discover;
use dc_runtime::search::proof;
use dc_runtime::sweeps;

const ARGUMENTS: &str = "PROOF_ARGUMENTS";
const KILLS: u32 = 10;
/// A proof of a second; the worst input of `exp` is in it.
const RANGE: &str = "50.2534..50.25345";

/// `crunch` as a separate process: this test program, which [`crunch`] starts with this test as its only one.
#[test]
#[ignore = "the program of the other tests"]
fn program() {
    let Ok(arguments) = std::env::var(ARGUMENTS) else {
        return;
    };
    let arguments = ["crunch"].into_iter().chain(arguments.lines());
    let backends = Backends {
        discover: &discover,
        required: &|_| Ok(()),
    };
    let code = run(
        arguments.map(OsString::from).collect(),
        sweeps::ALL,
        &backends,
        &mut std::io::stdout(),
        &mut std::io::stderr(),
    );
    std::process::exit(code.into());
}

fn crunch(arguments: &[&str]) -> Command {
    let mut command = Command::new(std::env::current_exe().expect("this program"));
    command
        .args(["--exact", "program", "--ignored", "--nocapture"])
        .env(ARGUMENTS, arguments.join("\n"))
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    // The tests may themselves run in an array job, which must not affect the proofs.
    for name in ["SLURM_ARRAY_TASK_ID", "JOB_COMPLETION_INDEX"] {
        command.env_remove(name);
    }
    command
}

fn text(path: &Path) -> &str {
    path.to_str().expect("UTF-8")
}

fn printed(output: &Output) -> String {
    String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr)
}

/// The arguments of `exact` for the exponential.
fn exact<'a>(certificate: &'a Path, range: &'a str, more: &[&'a str]) -> Vec<&'a str> {
    let first = ["exact", "exp", "--range", range, "--certificate"];
    [&first[..], &[text(certificate)], more].concat()
}

fn done(arguments: &[&str]) -> String {
    let output = crunch(arguments).output().expect("it runs");
    let printed = printed(&output);
    assert!(output.status.success(), "{arguments:?}: {printed}");
    printed
}

fn refused(arguments: &[&str], says: &[&str]) {
    let output = crunch(arguments).output().expect("it runs");
    let printed = printed(&output);
    assert_eq!(
        output.status.code(),
        Some(exit::INPUT.into()),
        "{arguments:?}: {printed}"
    );
    for says in says {
        assert!(printed.contains(says), "{says}: {printed}");
    }
}

/// The lines of a certificate with the claim that the checker has proven.
fn claim(certificate: &Path) -> Vec<String> {
    let output = Command::new(env!("CARGO_BIN_EXE_crunch-check"))
        .arg(certificate)
        .args(["--sieve", "4096"])
        .output()
        .expect("it runs");
    let printed = printed(&output);
    assert!(
        output.status.success() && printed.contains("PROVEN: exp"),
        "{printed}"
    );
    let text = std::fs::read_to_string(certificate).expect("a certificate");
    let claims = ["range ", "error ", "worst "];
    text.lines()
        .filter(|l| claims.iter().any(|c| l.starts_with(c)))
        .map(String::from)
        .collect()
}

/// SplitMix64.
fn random(state: &mut u64) -> f64 {
    *state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let mut z = *state;
    z = (z ^ z >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    (z ^ z >> 31) as f64 / 2f64.powi(64)
}

/// A proof that is killed at random instants and resumed arrives at the same claim, and each time continues after what
/// was closed. One that ends before it can be killed begins again: the speed of the machine does not matter.
#[test]
fn a_killed_proof_goes_on() {
    let folder = tempfile::tempdir().expect("a folder");
    let whole = folder.path().join("whole.cert");
    let begun = std::time::Instant::now();
    done(&exact(&whole, RANGE, &["-j", "1", "--no-check"]));
    let alone = begun.elapsed();
    let killed = folder.path().join("killed.cert");
    let part = PathBuf::from(format!("{}.part", text(&killed)));
    let (mut kills, mut resumed, mut before) = (0, 0, (0.0, 0));
    let mut state = 7;
    while kills < KILLS {
        let mut child = crunch(&exact(&killed, RANGE, &["-j", "1", "--no-check"]))
            .spawn()
            .expect("it runs");
        std::thread::sleep(alone.mul_f64(0.6 * random(&mut state)));
        child.kill().expect("killed, or over");
        let output = child.wait_with_output().expect("its end");
        // A kill may come when the proof is done and only the end of the process is left.
        let is_done = killed.exists() && !part.exists();
        if output.status.signal().is_none() || is_done {
            let code = output.status.code().unwrap_or(0);
            assert!(is_done && code == 0, "{}", printed(&output));
            assert_eq!(claim(&killed), claim(&whole));
            std::fs::remove_file(&killed).expect("removed");
            before = (0.0, 0);
            continue;
        }
        kills += 1;
        resumed += u32::from(printed(&output).contains("going on where"));
        // Killed before it had written a line, it has left no journal.
        let Ok(journal) = proof::read(&part) else {
            assert_eq!(before, (0.0, 0));
            continue;
        };
        // Levels descend, and each begins with no piece.
        let now = (-journal.kept.level.unwrap_or(9.0), journal.kept.pieces());
        assert!(before.1 == 0 || now >= before, "{now:?} after {before:?}");
        before = now;
    }
    println!(
        "{kills} kills, {resumed} proofs went on, {} pieces done at the last",
        before.1
    );
    let last = done(&exact(&killed, RANGE, &["-j", "2", "--no-check"]));
    assert_eq!(claim(&killed), claim(&whole), "{last}");
    assert!(!part.exists(), "the certificate is there");
    assert!(resumed > 0);
}

#[test]
fn a_proof_that_is_asked_to_stop_says_how_to_go_on() {
    let folder = tempfile::tempdir().expect("a folder");
    let certificate = folder.path().join("a.cert");
    // This proof takes minutes.
    let child = crunch(&exact(&certificate, "50.0..51.0", &["-j", "1"]))
        .spawn()
        .expect("it runs");
    let part = PathBuf::from(format!("{}.part", text(&certificate)));
    while proof::read(&part).map_or(0, |journal| journal.kept.pieces()) == 0 {
        std::thread::sleep(Duration::from_millis(20));
    }
    let id = child.id().to_string();
    let kill = Command::new("kill").args(["-TERM", &id]).status();
    assert!(kill.expect("kill").success());
    let output = child.wait_with_output().expect("its end");
    let printed = printed(&output);
    assert_eq!(
        output.status.code(),
        Some(exit::STOPPED.into()),
        "{printed}"
    );
    for says in [
        "stopping; the part proven so far is kept",
        "there was no time",
        "a.cert.part, and the same command continues from there",
    ] {
        assert!(printed.contains(says), "{says}: {printed}");
    }
    assert!(!certificate.exists(), "nothing is proven");
    refused(
        &exact(&certificate, RANGE, &[]),
        &[
            "another range (50.0..51.0; this is 50.2534..50.25345)",
            "delete it",
        ],
    );
}

#[test]
fn shards_make_one_certificate() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = |name: &str| folder.path().join(name);
    let whole = path("whole.cert");
    done(&exact(&whole, RANGE, &[]));
    let cert = path("a.cert");
    for shard in ["1/3", "2/3", "3/3"] {
        let printed = done(&exact(&cert, RANGE, &["--shard", shard]));
        let says = format!("shard {shard} is done");
        assert!(printed.contains(&says), "{printed}");
        assert!(!printed.contains("a.cert is"), "{printed}");
    }
    let part = |i: u32| path(&format!("a.cert.{i}-of-3.part"));
    let parts = [1, 2, 3].map(part);
    let [first, second, third] = [0, 1, 2].map(|i| text(&parts[i]));
    let out = path("merged.cert");
    let merged = |parts: &[&str]| {
        let mut all = vec!["merge".to_string(), text(&out).to_string()];
        all.extend(parts.iter().map(|p| (*p).to_string()));
        all
    };
    let not_merged = |parts: &[&str], says: &[&str]| {
        let all = merged(parts);
        let all: Vec<&str> = all.iter().map(String::as_str).collect();
        refused(&all, says);
        assert!(!out.exists());
    };
    not_merged(&[first, third], &["shard 2 is missing", "--shard 2/"]);
    not_merged(&[first, second, second], &["2-of-3.part", "the same shard"]);
    let other = path("b.cert");
    done(&exact(&other, RANGE, &["--shard", "1/2"]));
    let half = path("b.cert.1-of-2.part");
    not_merged(
        &[first, second, text(&half)],
        &["different numbers of shards"],
    );
    let narrow = path("c.cert");
    done(&exact(&narrow, "50.2534..50.25341", &["--shard", "3/3"]));
    let narrow = path("c.cert.3-of-3.part");
    not_merged(
        &[first, second, text(&narrow)],
        &["c.cert.3-of-3.part", "another range"],
    );
    // A shard that was killed: its last line is missing.
    let all = std::fs::read_to_string(third).expect("the part");
    let end = all.trim_end().rfind('\n').expect("lines");
    let torn = path("torn.part");
    std::fs::write(&torn, &all[..=end]).expect("written");
    not_merged(
        &[first, second, text(&torn)],
        &["torn.part: is not finished"],
    );
    let all = merged(&[third, first, second]);
    let all: Vec<&str> = all.iter().map(String::as_str).collect();
    done(&all);
    assert_eq!(claim(&out), claim(&whole));
    refused(&all, &["exists already"]);
}
