//! `design` when something is missing: a compiler, room on the disk, or a design.

use std::path::Path;
use std::process::Command;

use serde_json::Value;

use super::{Ended, crunch, crunch_of, words};
use dc_driver::exit;
use dc_runtime::model::candidate::{Candidate, Reference};
use dc_runtime::model::host::HostFunction;
use dc_runtime::prelude::*;
use dc_runtime::search::testing::Folder;
use dc_runtime::sweep::Sweep;

/// Few inputs: a search of a fraction of a second.
const SMALL: [&str; 5] = ["design", "exp", "--range", "0.5..0.501", "-q"];
/// A compiler that does not exist.
const NOWHERE: &str = "/nowhere/c++";

fn design(args: &[&str]) -> Ended {
    crunch(&[&SMALL[..], args].concat())
}

/// Variables are those of a process, so this program starts itself again.
#[test]
fn a_compiler_that_is_missing_is_named() {
    let name = "designing::a_compiler_that_is_missing_is_named";
    if std::env::var_os("CXX").is_none_or(|c| c != NOWHERE) {
        let own = std::env::current_exe().expect("this program");
        let again = Command::new(own)
            .args(["--exact", name])
            .env("CXX", NOWHERE)
            .output()
            .expect("it starts");
        let out = String::from_utf8_lossy(&again.stdout);
        assert!(again.status.success(), "{out}");
        assert!(out.contains("1 passed"), "{out}");
        return;
    }
    // There are times without a compiler, so this is no error. They are said to be others.
    let ended = design(&[]);
    assert_eq!(ended.code, exit::OK, "{}{}", ended.out, ended.err);
    let times = ended.out.lines().find(|l| l.starts_with("times: "));
    let times = times.expect("a line about times");
    for words in [
        "operation by operation over columns",
        "/nowhere/c++: No such file or directory",
        "correct the variable `CXX`, or remove it",
    ] {
        assert!(times.contains(words), "{words}: {times}");
    }
    let ended = design(&["--json"]);
    let document: Value = serde_json::from_str(&ended.out).expect("a document");
    let by = document["timesBy"].as_str().expect("words");
    assert!(by.contains("/nowhere/c++"), "{by}");
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_loses_no_kernel() {
    let ended = design(&["-o", "/dev/full"]);
    assert_eq!(ended.code, exit::FAILED, "{}", ended.out);
    let why = "error: the kernel is not written to /dev/full: No space left on device";
    assert!(ended.err.contains(why), "{}", ended.err);
    assert!(ended.err.contains("name another file"), "{}", ended.err);
    for words in ["misrounded", "#[crunch]", "f32::from_bits(0x"] {
        assert!(ended.out.contains(words), "{words}: {}", ended.out);
    }
    assert!(!ended.out.contains("kernel: /dev/full"), "{}", ended.out);
    assert!(device(), "the device is still one");

    let ended = design(&["--json", "-o", "/dev/full"]);
    assert_eq!(ended.code, exit::FAILED, "{}", ended.out);
    let document: Value = serde_json::from_str(&ended.out).expect("one document");
    assert_eq!(document["kernel"], Value::Null);
    assert!(document["picked"].is_u64(), "{document}");
    assert!(ended.err.contains(why), "{}", ended.err);
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_has_no_certificate() {
    let ended = crunch(&words(
        "design exp --range 0.5..0x1.0001p-1 --precision f64 --within 1e-6rel \
                --finalists 2 --proof 20s -q -o /dev/full --certificate /dev/full",
    ));
    assert_eq!(ended.code, exit::FAILED, "{}{}", ended.out, ended.err);
    // Each file is named.
    for what in ["kernel", "certificate"] {
        let why = format!("error: the {what} is not written to /dev/full: No space left");
        assert!(ended.err.contains(&why), "{}", ended.err);
    }
    assert!(device(), "the device is still one");
}

/// A file put in the place of a device would have room.
#[cfg(target_os = "linux")]
fn device() -> bool {
    use std::os::unix::fs::FileTypeExt as _;
    let full = std::fs::metadata("/dev/full").expect("the device");
    full.file_type().is_char_device()
}

/// The kernels are compiled by rustc with the library, and the head says so. `--again` times them so, too.
#[test]
fn times_are_of_map_if_asked() {
    let folder = Folder::new("design-map");
    let file = folder.file("kernel.rs");
    let path = file.to_str().expect("a path");
    let words = ["design", "exp", "--range", "0.5..0.5001", "--times", "map"];
    let ended = crunch(&[&words[..], &["-q", "-o", path]].concat());
    assert_eq!(ended.code, 0, "{}{}", ended.out, ended.err);
    let by = "times: `map` of the designs, compiled by rustc 1.";
    assert!(ended.out.contains(by), "{}", ended.out);
    let command = made(&kernel(&file), 1.0).to_string();
    assert!(command.contains(" --times map "), "{command}");
    let ended = crunch(&["design", "--again", path, "--within", "0.6ulp", "-q"]);
    assert_eq!(ended.code, 0, "{}{}", ended.out, ended.err);
    assert!(ended.out.contains(by), "{}", ended.out);
}

#[test]
fn a_space_without_designs_is_bad_input() {
    let ended = crunch(&["design", "tgamma", "--range", "200..300", "-q"]);
    assert_eq!(ended.code, exit::INPUT, "{}", ended.out);
    for words in [
        "there is no design of `tgamma` for inputs up to 299.99",
        "at most 128 in magnitude",
        "name a smaller range",
    ] {
        assert!(ended.err.contains(words), "{words}: {}", ended.err);
    }
    assert_eq!(ended.err.lines().count(), 1, "{}", ended.err);
    assert_eq!(ended.out, "");
}

/// A kernel's text.
fn kernel(file: &Path) -> String {
    std::fs::read_to_string(file).expect("a kernel")
}

/// The command in a kernel's head and the largest error there, which is at most the tolerance. Another run has the same command, but
/// not always the same design: which one is the fastest is measured.
fn made(text: &str, most: f64) -> &str {
    let command = text.lines().find_map(|l| l.strip_prefix("//!     "));
    let error = text.split_once("//! largest error ").expect("an error").1;
    let error = error.split_once(" ULP").expect("in ULP").0;
    assert!(error.parse::<f64>().expect("a number") <= most, "{text}");
    command.expect("a command")
}

#[test]
fn a_kernel_is_designed_again_from_its_head() {
    let folder = Folder::new("again");
    let file = folder.file("the kernel.rs");
    let path = file.to_str().expect("text");
    let ended = design(&["--within", "2ulp", "-o", path]);
    assert_eq!(ended.code, exit::OK, "{}{}", ended.out, ended.err);
    // Whatever the program is called and wherever the file is.
    let head =
        "crunch design exp --range 0.5..0.501 --precision f32 --within 2ulp -o 'the kernel.rs'";
    assert_eq!(made(&kernel(&file), 2.0), head);

    let again = |more: &[&str]| crunch(&[&["design", "--again", path, "-q"], more].concat());
    let ended = again(&[]);
    assert_eq!(ended.code, exit::OK, "{}{}", ended.out, ended.err);
    let first = kernel(&file);
    assert_eq!(made(&first, 2.0), head);
    assert!(
        ended.out.contains(&format!("kernel: {path}")),
        "{}",
        ended.out
    );
    let note =
        format!("{path}:3: now crunch design exp --range 0.5..0.501 --precision f32 --within 2ulp");
    assert!(ended.err.starts_with(&note), "{}", ended.err);

    // Beside the head, with another tolerance: first to another file.
    let other = folder.file("other.rs");
    let ended = again(&["--within", "0.51ulp", "-o", other.to_str().expect("text")]);
    assert_eq!(ended.code, exit::OK, "{}{}", ended.out, ended.err);
    assert_eq!(kernel(&file), first);
    let tighter = head.replace("2ulp -o 'the kernel.rs'", "0.51ulp -o other.rs");
    assert_eq!(made(&kernel(&other), 0.51), tighter);

    // In place, and from the new head from then on.
    let ended = again(&["--within", "0.51ulp"]);
    assert_eq!(ended.code, exit::OK, "{}{}", ended.out, ended.err);
    let head = tighter.replace("other.rs", "'the kernel.rs'");
    assert_eq!(made(&kernel(&file), 0.51), head);
    let ended = again(&["--json"]);
    let document: Value = serde_json::from_str(&ended.out).expect("a document");
    assert_eq!(document["tolerance"], "0.51ulp");

    // What no design meets leaves the kernel as it was.
    let before = kernel(&file);
    let ended = again(&["--within", "0.4ulp"]);
    assert_eq!(ended.code, exit::FINDING, "{}{}", ended.out, ended.err);
    assert_eq!(kernel(&file), before);
}

/// `1 / (1 + x²)`, which the library does not have.
#[crunch]
fn bell(x: DcFloat) -> DcFloat {
    1.0 / (x * x + 1.0)
}

#[crunch]
fn bell_exact(x: DcDouble) -> DcDouble {
    1.0 / (x * x + 1.0)
}

#[crunch]
fn wide(x: DcDouble) -> DcDouble {
    1.0 / (x * x + 1.0)
}

#[crunch]
fn bell_scaled(x: DcDouble) -> (DcDoubleDouble, DcLong) {
    (dd_from_f64(bell_exact(x)), x.to_bits() & 0)
}

#[crunch]
fn bell_narrow(x: DcFloat) -> DcDouble {
    bell_exact(x.to_f64())
}

#[test]
fn a_reference_of_ones_own_is_designed() {
    let sweeps = [
        Sweep::new::<bell, bell_exact>("the-bell", "0.0..1.0"),
        Sweep::new::<wide, bell_scaled>("scaled", "0.0..1.0"),
        Sweep::accuracy_only(
            "host",
            Candidate::Host(HostFunction::f32("bell", |x| x)),
            Reference::Host(HostFunction::f64("bell", |x| 1.0 / (1.0 + x * x))),
            "0.0..1.0",
        ),
    ];
    let folder = Folder::new("own");
    let file = folder.file("bell.rs");
    let path = file.to_str().expect("text");
    let own = |args: &[&str]| {
        let e = crunch_of(&sweeps, &[&["design", "-q"], args].concat());
        (e.code, e.out, e.err)
    };
    let asked = ["--against", "the-bell", "--range", "0.25..0.2501"];
    let (code, out, err) = own(&[&asked[..], &["--within", "1ulp", "-o", path]].concat());
    assert_eq!(code, exit::OK, "{out}{err}");
    let head = "crunch design --against the-bell --range 0.25..0.2501 --precision f32 --within 1ulp -o bell.rs";
    let first = kernel(&file);
    assert_eq!(made(&first, 1.0), head);
    for words in [
        "//! the-bell on 0.25..0.2501 in f32, made by",
        "//!     the_bell_f32: the_bell_f32, against bell_exact, over \"0.25..0.2501\", within ",
        "pub fn the_bell_f32(x: DcFloat) -> DcFloat {",
    ] {
        assert!(first.contains(words), "{words}: {first}");
    }
    // The head names a sweep of the same program.
    let (code, out, err) = own(&["--again", path, "--within", "2ulp"]);
    assert_eq!(code, exit::OK, "{out}{err}");
    assert_eq!(made(&kernel(&file), 2.0), head.replace("1ulp", "2ulp"));
    let ended = crunch(&["design", "--again", path, "-q"]);
    assert_eq!(ended.code, exit::INPUT);
    let why = format!("{path}:3: no sweep is called `the-bell`; there are: ");
    assert!(ended.err.contains(&why), "{}", ended.err);
    // A function replaces the sweep.
    let (code, out, err) = own(&["--again", path, "exp"]);
    assert_eq!(code, exit::OK, "{out}{err}");
    assert!(made(&kernel(&file), 2.0).starts_with("crunch design exp --range"));

    for (args, words) in [
        (
            vec!["--against", "scaled", "--range", "0..1"],
            "returns a scale beside its value",
        ),
        (vec!["--against", "host", "--range", "0..1"], "is no kernel"),
        (
            [&asked[..], &["--within", "correctly-rounded"]].concat(),
            "does not decide how a value rounds",
        ),
        (
            [&asked[..], &["--precision", "f64"]].concat(),
            "are not known",
        ),
        ([&asked[..], &["exp"]].concat(), "cannot be used with"),
        (
            vec!["--against", "the-bell", "--range", "0..1000"],
            "there is no design of `the-bell`",
        ),
    ] {
        let (code, _, err) = own(&args);
        assert_eq!(code, exit::INPUT, "{args:?}: {err}");
        assert!(err.contains(words), "{args:?}: {err}");
    }
}

#[test]
fn heads_that_ask_for_nothing_are_refused() {
    let folder = Folder::new("heads");
    let file = folder.file("k.rs");
    let path = file.to_str().expect("text");
    let kernel = "use doublecrunch::prelude::*;\n#[crunch]\npub fn exp_f32(x: DcFloat) -> DcFloat {\n    x\n}\n";
    let good = "//! exp\n//!\n//!     crunch design exp --range 0.5..0.501\n\n";
    for (text, line, words) in [
        (kernel.to_string(), 1, "no command in the file's head"),
        // A command below the head is no head's.
        (
            format!("{kernel}{good}"),
            1,
            "no command in the file's head",
        ),
        (
            format!("{good}//!     crunch design sin\n").replace("\n\n", "\n"),
            4,
            "a second command, after the one in line 3",
        ),
        (
            good.replace("exp --range 0.5..0.501", "exp"),
            3,
            "--range <RANGE>",
        ),
        (good.replace("0.5..0.501", "1..0"), 3, "`1..0`"),
        (good.replace("design exp", "design sinn"), 3, "near it: sin"),
        (
            good.replace("0.501", "0.501 --within 1"),
            3,
            "`1` is not a tolerance",
        ),
        (
            good.replace("0.501", "0.501 --widthin 1ulp"),
            3,
            "--widthin",
        ),
        (
            good.replace("0.501", "0.501 -o 'k.rs"),
            3,
            "a quote is not closed",
        ),
        (
            good.replace("0.501", "0.501 --again k.rs"),
            3,
            "the command itself has --again",
        ),
        (
            format!("{good}{kernel}\nfn mine() {{}}\n"),
            11,
            "would be lost",
        ),
        (format!("{good}mod mine;\n{kernel}"), 5, "would be lost"),
        (
            format!("{good}{kernel}").replace("fn exp_f32", "fn mine"),
            7,
            "add `--name mine` to the command",
        ),
    ] {
        std::fs::write(&file, &text).expect("a file");
        let ended = crunch(&["design", "--again", path, "-q"]);
        assert_eq!(ended.code, exit::INPUT, "{text}{}", ended.out);
        let place = format!("error: {path}:{line}: ");
        assert!(ended.err.starts_with(&place), "{place}: {}", ended.err);
        assert!(ended.err.contains(words), "{words}: {}", ended.err);
        assert_eq!(ended.err.lines().count(), 1, "{}", ended.err);
        assert_eq!(std::fs::read_to_string(&file).expect("the file"), text);
    }
    for (path, words) in [("/nowhere/k.rs", "No such file"), ("/", "it is not a file")] {
        let ended = crunch(&["design", "--again", path]);
        assert_eq!(ended.code, exit::INPUT, "{}", ended.out);
        assert!(ended.err.contains(words), "{}", ended.err);
        assert!(
            ended.err.contains("name the file of a kernel"),
            "{}",
            ended.err
        );
    }
}

/// Approximations that people copy and functions of libraries are rows of the table.
#[test]
fn functions_that_exist_are_beside_the_designs() {
    let ended = crunch(&[
        "design",
        "tanh",
        "--range",
        "0.5..0.501",
        "--within",
        "1e-3rel",
        "-q",
        "--json",
    ]);
    assert_eq!(ended.code, exit::OK, "{}{}", ended.out, ended.err);
    let document: Value = serde_json::from_str(&ended.out).expect("a document");
    let rivals = document["rivals"].as_array().expect("rivals");
    let rival = |name: &str| {
        let found = rivals
            .iter()
            .find(|r| r["name"].as_str().is_some_and(|n| n.contains(name)));
        found.unwrap_or_else(|| panic!("no {name}: {document}"))
    };
    let error = |name: &str| rival(name)["error"].as_f64().expect("a number");
    // (x (27 + x²) / (27 + 9x²)) / tanh x - 1 at 0.501 in exact arithmetic.
    let x = 0.501f64;
    let exact = x * (27.0 + x * x) / (27.0 + 9.0 * x * x) / x.tanh() - 1.0;
    assert!(
        (error("Padé 3/2") / exact - 1.0).abs() < 0.05,
        "{} {exact}",
        error("Padé 3/2")
    );
    assert_eq!(rival("Padé 3/2")["inputs"], document["inputs"]);
    for name in ["f32::tanh", "libm::tanhf"] {
        assert!(error(name) < 2e-7, "{name}");
        assert_eq!(rival(name)["inputs"], Value::Null);
    }
    #[cfg(all(target_os = "linux", target_env = "gnu"))]
    assert!(error("tanhf (libm.so.6)") < 2e-7);
    for rival in rivals {
        assert!(
            rival["nanoseconds"].as_f64().is_some_and(|t| t > 0.0),
            "{rival}"
        );
    }
    let ended = crunch(&[
        "design",
        "tanh",
        "--range",
        "0.5..0.501",
        "--within",
        "1e-3rel",
        "-q",
    ]);
    // Results are counted as misrounded where errors are in ULP alone.
    assert!(!ended.out.contains("inputs misrounded"), "{}", ended.out);
    assert!(ended.out.contains(" of all 16,777 inputs"), "{}", ended.out);
    let row = ended
        .out
        .lines()
        .find(|l| l.contains("Padé 3/2"))
        .expect("a row");
    assert!(row.contains("all"), "{row}");
}

#[test]
fn times_are_of_the_instruction_set_that_is_named() {
    let ended = design(&["--for", "scalar"]);
    assert_eq!(ended.code, exit::OK, "{}{}", ended.out, ended.err);
    let times = ended.out.lines().find(|l| l.starts_with("times: "));
    assert!(
        times.expect("a line about times").ends_with(", for scalar"),
        "{}",
        ended.out
    );
}

/// A result that is wrong and has no error is said with its input: softsign of an infinity is a NaN.
#[test]
fn faults_are_shown_with_their_inputs() {
    let line = "design sigmoid --range 1..=inf --precision f16 --within 1e-2abs --finalists 1 -q";
    let ended = crunch(&words(line));
    assert_eq!(ended.code, exit::OK, "{}{}", ended.out, ended.err);
    let row = ended.out.lines().find(|l| l.contains("x/(2 + 2|x|)"));
    let row = row.expect("a row");
    assert!(row.contains("a fault at inf"), "{row}");
    let ended = crunch(&words(&format!("{line} --json")));
    let document: Value = serde_json::from_str(&ended.out).expect("a document");
    let rivals = document["rivals"].as_array().expect("rivals");
    let softsign = rivals
        .iter()
        .find(|r| r["name"] == "x/(2 + 2|x|) + 1/2")
        .expect("it is there");
    assert_eq!(softsign["faults"], 1, "{softsign}");
    assert_eq!(softsign["error"], "inf", "{softsign}");
}

/// What a proof leaves out is unknown, and no fault.
#[test]
fn what_is_not_proven_is_unknown() {
    let ended = crunch(&words(
        "design sin --range=-0.78..0.78 --precision f64 --within 1.0ulp --finalists 1 --proof 0.000001s -q",
    ));
    assert_eq!(ended.code, exit::FINDING, "{}{}", ended.out, ended.err);
    let row = ended.out.lines().find(|l| l.contains("no bound"));
    let row = row.expect("a row");
    assert!(row.contains("unknown"), "{row}");
    assert!(!ended.out.contains("a fault"), "{}", ended.out);
}

/// The lines about errors, without times: of kernels with the same error, the order by time varies.
fn errors(out: &str) -> Vec<String> {
    let lines = out
        .lines()
        .filter(|l| l.contains("all") && l.contains("f64: "));
    let mut errors: Vec<String> = lines
        .map(|l| {
            l.split_whitespace()
                .skip_while(|w| !w.contains("all"))
                .collect()
        })
        .collect();
    errors.sort();
    errors
}

#[test]
fn a_search_continues_from_its_journal() {
    let folder = Folder::new("design-journal");
    let file = folder.0.join("found");
    let name = file.display().to_string();
    let args = words("--within correctly-rounded --finalists 1 --journal");
    let run = || design(&[&args[..], &[&name]].concat());
    let first = run();
    assert_eq!(first.code, exit::OK, "{}{}", first.out, first.err);
    assert!(!first.err.contains("steps were known"), "{}", first.err);
    let whole = std::fs::read_to_string(&file).expect("a journal");
    let lines: Vec<&str> = whole.lines().collect();
    assert!(lines.len() > 3, "{whole}");

    // All of it, and what a killed program leaves.
    let half: String = whole.lines().take(3).map(|l| format!("{l}\n")).collect();
    let torn = format!("{half}0123 half of a li");
    for (left, least) in [(&whole, lines.len() - 1), (&torn, 2)] {
        std::fs::write(&file, left).expect("a journal");
        let next = run();
        assert_eq!(next.code, exit::OK, "{}{}", next.out, next.err);
        let known = next
            .err
            .split(": ")
            .find_map(|w| w.split_once(" steps were known"));
        let known: usize = known.expect(&next.err).0.parse().expect("a number");
        assert!(known >= least, "{known} of {least}: {}", next.err);
        assert_eq!(errors(&next.out), errors(&first.out));
    }

    // Fault: a digit of a result.
    std::fs::write(&file, whole.replacen("\t", "\t ", 1)).expect("a journal");
    let ended = run();
    assert_eq!(ended.code, exit::INPUT, "{}", ended.out);
    assert!(ended.err.contains("line 2 is damaged"), "{}", ended.err);
    std::fs::write(&file, "my notes\n").expect("a file");
    let ended = run();
    assert_eq!(ended.code, exit::INPUT, "{}", ended.out);
    assert!(
        ended.err.contains("not a journal of this command"),
        "{}",
        ended.err
    );
}

#[test]
fn a_search_that_was_stopped_says_how_to_continue() {
    let ended = crunch(&words(
        "design exp --range all --within correctly-rounded --time 1s -q",
    ));
    assert_eq!(ended.code, exit::STOPPED, "{}{}", ended.out, ended.err);
    assert!(ended.err.contains("with --journal FILE"), "{}", ended.err);
    assert!(
        ended.err.contains("stopped before a design"),
        "{}",
        ended.err
    );
}
