//! The program `crunch` on the machine's own backends. The driver's reports of wrong and missing backends are tested in
//! the driver, on backends made for these tests.
#![cfg(feature = "cli")]

use std::process::{Command, Output};

fn crunch(args: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_crunch"))
        .args(args)
        .env_remove("CRUNCH_REQUIRE")
        .output()
        .expect("the program")
}

fn out(o: &Output) -> String {
    String::from_utf8(o.stdout.clone()).expect("UTF-8")
}

fn err(o: &Output) -> String {
    String::from_utf8(o.stderr.clone()).expect("UTF-8")
}

#[test]
fn built_in_sweeps_are_listed() {
    let o = crunch(&["list"]);
    assert_eq!(o.status.code(), Some(0));
    for s in doublecrunch::sweeps::ALL {
        assert!(
            out(&o)
                .lines()
                .any(|l| l.split_whitespace().next() == Some(s.name())),
            "{}",
            out(&o)
        );
    }
}

#[test]
fn doctor_knows_every_machine_s_backends() {
    let o = crunch(&["doctor"]);
    assert_eq!(o.status.code(), Some(0), "{}", err(&o));
    assert!(
        out(&o).contains("  scalar ") && out(&o).contains("  interpreter "),
        "{}",
        out(&o)
    );
}

/// The scalar form, the interpreter and the other instruction sets of the processor, on ordinary and special inputs.
#[test]
fn the_processor_s_backends_are_identical() {
    let o = crunch(&["doctor", "--json", "-b", "scalar,avx2,avx512"]);
    let list: Vec<&str> = ["scalar", "avx2", "avx512", "interpreter"]
        .into_iter()
        .filter(|b| {
            let text = out(&o);
            let available = text.split("\"missing\"").next().unwrap_or_default();
            *b == "interpreter" || available.contains(&format!("\"backend\": \"{b}\""))
        })
        .collect();
    let o = crunch(&["verify", "--inputs", "2^16", "-b", &list.join(",")]);
    assert_eq!(o.status.code(), Some(0), "{}{}", out(&o), err(&o));
    let verdict = format!("verdict: {} backends bitwise identical on ", list.len());
    let text = out(&o);
    let counts: Vec<u32> = text
        .lines()
        .filter_map(|l| {
            l.strip_prefix(&verdict)?
                .split_once(" inputs and on the special")
        })
        .map(|(n, _)| n.replace(',', "").parse().expect("a count"))
        .collect();
    // A sample has about the requested size.
    assert!(
        counts.len() == doublecrunch::sweeps::ALL.len()
            && counts.iter().all(|n| (55_000..68_000).contains(n)),
        "{counts:?} {text}"
    );
}

#[test]
fn kernels_are_printed() {
    for (kernel, target, says) in [
        ("rcp_newton", "cuda", "__dmul_rn"),
        ("rcp_newton", "opencl", "FP_CONTRACT OFF"),
        ("rcp_newton", "ir", "doublecrunch ir"),
        ("rcp_neon", "cuda", "extern \"C\" __global__"),
        ("ulp_error_f64", "ir", "doublecrunch ir"),
        ("log_polynomial", "gappa", "|result - Mresult| in ?"),
    ] {
        let o = crunch(&["emit", kernel, "--target", target]);
        assert!(
            o.status.success() && out(&o).contains(says),
            "{kernel} {target}: {}",
            out(&o)
        );
    }
    let o = crunch(&[
        "emit",
        "reciprocal",
        "--search",
        "--target",
        "opencl",
        "--lanes",
        "4",
    ]);
    assert!(
        o.status.success() && out(&o).contains("double4"),
        "{}",
        err(&o)
    );
    // The name of a sweep and the name of its routine.
    let [sweep, routine] =
        ["reciprocal", "rcp_newton"].map(|name| out(&crunch(&["emit", name, "--target", "ir"])));
    assert!(sweep.contains("rcp_newton") && sweep == routine, "{sweep}");
    let o = crunch(&["emit", "rcp_newtom", "--target", "ir"]);
    assert_eq!((o.status.code(), out(&o).as_str()), (Some(2), ""));
    assert!(
        err(&o).contains("is called `rcp_newtom`; near it: rcp_newton; `crunch list --kernels`"),
        "{}",
        err(&o)
    );
    let o = crunch(&["list", "--kernels"]);
    assert!(
        out(&o).contains("dc_runtime::builtins::reciprocal"),
        "{}",
        err(&o)
    );
}

/// In a short time a large range is searched by a sample of all its binades, which the report states, and a small one completely.
#[test]
fn a_time_is_the_best_that_can_be_said_in_it() {
    let run = |time| {
        let o = crunch(&["run", "exp", "--time", time, "-b", "scalar"]);
        assert!(o.status.success(), "{}{}", out(&o), err(&o));
        out(&o)
    };
    // The sample's size is chosen by the speed at its beginning: where other programs take the processor meanwhile, it takes all of a
    // short time.
    let mut text = run("2s");
    if !text.contains(" around the worst; the last ") {
        text = run("10s");
    }
    assert!(text.contains(": not exhaustive\n"), "{text}");
    assert!(text.contains("binades of the input, "), "{text}");
    assert!(
        text.contains(" around the worst; the last ") && text.contains("no run file"),
        "{text}"
    );
    // None of the first inputs of the range, -745 and its neighbours, has an error of this size.
    let worst = text.lines().find_map(|l| l.strip_prefix("worst error   "));
    let worst: f64 = worst
        .and_then(|l| l.split(' ').next()?.parse().ok())
        .expect("an error");
    assert!(worst > 1.5, "{text}");

    let file = std::env::temp_dir().join(format!("crunch-time-{}.crunch", std::process::id()));
    let path = file.to_str().expect("UTF-8");
    let small = [
        "run",
        "reciprocal",
        "--range",
        "1.0..=0x1.00000008p0",
        "-b",
        "scalar",
    ];
    let whole = out(&crunch(&[&small[..], &["--out", path]].concat()));
    let timed = out(&crunch(&[&small[..], &["--time", "60s"]].concat()));
    let _ = std::fs::remove_file(&file);
    assert!(timed.contains("exhaustive: every input"), "{timed}");
    let facts = |text: &str| -> Vec<String> {
        let lines = text.lines().filter(|l| {
            ["worst error", "misrounded", "digest"]
                .iter()
                .any(|f| l.starts_with(f))
        });
        lines.map(String::from).collect()
    };
    assert_eq!(facts(&timed), facts(&whole), "{timed}\n{whole}");
    assert_eq!(facts(&timed).len(), 3);
    let refused = crunch(&[&small[..], &["--time", "1s", "--out", path]].concat());
    assert_eq!(refused.status.code(), Some(2), "{}", err(&refused));
}

#[test]
fn an_array_job_s_task_is_a_shard() {
    let dir = std::env::temp_dir().join(format!("crunch-array-{}", std::process::id()));
    std::fs::create_dir_all(&dir).expect("a folder");
    let o = Command::new(env!("CARGO_BIN_EXE_crunch"))
        .current_dir(&dir)
        .args([
            "run",
            "reciprocal",
            "--range",
            "1.0..=0x1.000000001p0",
            "-b",
            "scalar",
            "--json",
        ])
        .env("SLURM_ARRAY_TASK_ID", "1")
        .env("SLURM_ARRAY_TASK_COUNT", "4")
        .output()
        .expect("the program");
    assert!(o.status.success(), "{}", err(&o));
    assert!(out(&o).contains("\"shard\": \"2/4\""), "{}", out(&o));
    assert!(dir.join("reciprocal.2-of-4.crunch").exists());
    let _ = std::fs::remove_dir_all(&dir);
}

/// Two runs in one envelope, a part of their range, and what cannot be drawn together.
#[test]
fn two_runs_are_drawn_in_one_picture() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = |name: &str| folder.path().join(name).display().to_string();
    for sweep in ["exp", "exp-fdlibm", "reciprocal-f32"] {
        let range = "1.0..1.00000000001";
        let range = if sweep == "reciprocal-f32" {
            "1.0..1.01"
        } else {
            range
        };
        let run = [
            "run", sweep, "--range", range, "-b", "scalar", "-q", "--block", "2^10",
        ];
        let o = crunch(&[&run[..], &["-o", &file(sweep)]].concat());
        assert_eq!(o.status.code(), Some(0), "{}", err(&o));
    }
    let picture = file("two.svg");
    let plot = |files: &[&str], more: &[&str]| {
        let files: Vec<String> = files.iter().map(|f| file(f)).collect();
        let files: Vec<&str> = files.iter().map(String::as_str).collect();
        crunch(&[&["plot"], &files[..], &["-o", &picture], more].concat())
    };
    let text = || std::fs::read_to_string(&picture).expect("a picture");
    let o = plot(&["exp", "exp-fdlibm"], &[]);
    assert_eq!(o.status.code(), Some(0), "{}", err(&o));
    let whole = text();
    for part in [
        "exp_cephes and exp_fdlibm against exp_reference",
        "exp_cephes: 1.",
        "exp_fdlibm: 0.7",
    ] {
        assert!(whole.contains(part), "{part} is missing: {whole}");
    }
    // A name in the legend and a label at the worst input for each, and the axis.
    assert_eq!(whole.matches(" ULP").count(), 5, "{whole}");
    assert_eq!(whole.matches(" ULP at 1.").count(), 2, "{whole}");
    assert!(!whole.contains("not searched"), "{whole}");
    let o = plot(&["exp", "exp-fdlibm"], &["--range", "1.0..1.000000000001"]);
    assert_eq!(o.status.code(), Some(0), "{}", err(&o));
    let last = |text: &str| text.contains("1.0000000000005\n");
    assert!(last(&text()) && !last(&whole), "{}", text());
    for (files, more, says) in [
        (&["exp", "reciprocal-f32"][..], &[][..], "no axis in common"),
        (
            &["exp"],
            &["--range", "3.0..4.0"],
            "the run has no input there",
        ),
        (
            &["exp", "exp-fdlibm"],
            &["--bound", "2"],
            "--bound is for one run",
        ),
        (&["exp", "exp", "exp"], &[], "give one or two"),
        (
            &["exp"],
            &["--kind", "histogram", "--range", "1.0"],
            "--range is for the envelope",
        ),
    ] {
        let o = plot(files, more);
        assert_eq!(o.status.code(), Some(2), "{says}: {}", err(&o));
        assert!(err(&o).contains(says), "{says}: {}", err(&o));
    }
}

/// `cargo crunch --format json` writes one document, whatever fails: a suite, `cargo test`, git, its own arguments. In place
/// of cargo runs a script that leaves the report of a failing test.
#[cfg(all(unix, feature = "suite"))]
#[test]
fn every_document_of_cargo_crunch_parses() {
    use serde_json::{Value, json};
    use std::os::unix::fs::PermissionsExt as _;

    let folder = tempfile::tempdir().expect("a folder");
    let known = json!({
        "range": "1.0..2.0",
        "error": 2.5,
        "worst": ["bits:0x3ff0000000000001"],
        "inputs": 1 << 20,
        "exhaustive": false,
    });
    let report = json!({
        "entry": "mine::promises::third",
        "folder": folder.path(),
        "test": { "accuracy": { "known": known, "found": known, "within": 1.0 } },
        "outcome": "failed",
        "inputs": 1 << 20,
        "of": 1u64 << 52,
        "text": "`third`: an error of 2.5 ULP",
    });
    let reports = folder.path().join("reports");
    std::fs::create_dir(&reports).expect("a folder");
    std::fs::write(reports.join("third.json"), report.to_string()).expect("a report");
    let script = r#"#!/bin/sh
case "$1" in
metadata) printf '{"packages":[{"manifest_path":"%s/Cargo.toml"}]}' "$FOLDER" ;;
test)
    echo "running 1 test"
    [ -z "$FAILING" ] || cp -r "$FOLDER/reports" "$CRUNCH_REPORT"
    exit 101
    ;;
esac
"#;
    let cargo = folder.path().join("cargo");
    std::fs::write(&cargo, script).expect("a script");
    std::fs::set_permissions(&cargo, std::fs::Permissions::from_mode(0o755)).expect("a script");
    let crunch = |failing: &str, args: &[&str]| {
        Command::new(env!("CARGO_BIN_EXE_cargo-crunch"))
            .arg("crunch")
            .args(args)
            .env("CARGO", &cargo)
            .env("FOLDER", folder.path())
            .env("FAILING", failing)
            .output()
            .expect("the program")
    };
    let document = |o: &Output| -> Value {
        serde_json::from_slice(&o.stdout).unwrap_or_else(|e| panic!("{e}: {}", out(o)))
    };
    let o = crunch("yes", &["--format", "json"]);
    assert_eq!(o.status.code(), Some(1), "{}", err(&o));
    assert_eq!(document(&o)[0]["entry"], report["entry"]);
    assert!(
        err(&o).contains("`third`: an error of 2.5 ULP"),
        "{}",
        err(&o)
    );
    for (args, code, says) in [
        (
            &["run", "--format", "json"][..],
            4,
            "failed before any suite ran",
        ),
        (&["--format", "json", "--nonsense"], 2, "--nonsense"),
        (&["diff", "--format=json", "--base"], 2, "--base"),
        (
            &["diff", "--format=json", "--base", "nosuch"],
            2,
            "no such revision",
        ),
    ] {
        let o = crunch("", args);
        assert_eq!(o.status.code(), Some(code), "{args:?}: {}", err(&o));
        let error = &document(&o)["error"];
        assert_eq!(error["code"], code, "{args:?}");
        let message = error["message"].as_str().expect("a message");
        assert!(message.contains(says), "{args:?}: {message}");
        assert!(err(&o).contains(says), "{args:?}: {}", err(&o));
    }
    let o = crunch("yes", &["--format", "github"]);
    assert!(
        out(&o).starts_with("**`mine::promises`**\n\n| "),
        "{}",
        out(&o)
    );
    assert!(
        out(&o).lines().all(|l| l.chars().count() <= 100),
        "{}",
        out(&o)
    );
}
