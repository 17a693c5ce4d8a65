//! `submit`, `run --continue`, and nodes whose backends fail. The engines themselves run in the facade's `tests/scale`.

use super::{RANGE, crunch, crunch_of, crunch_on, json, words};
use dc_driver::exit;
use dc_runtime::backend::{Discovery, Filter};
use dc_runtime::search::testing::{CHANGED, Fake, Folder, SWEEP};

const ENGINES: [&[&str]; 4] = [
    &["slurm"],
    &["kubernetes", "--image", "an/image:1", "--claim", "runs"],
    &["mpi"],
    &["parallel"],
];

/// The words of a submission over a binade that is printed, not written.
fn dry<'a>(engine: &[&'a str], more: &[&'a str]) -> Vec<&'a str> {
    let search = ["test", "--range", "1.0..2.0", "--dry-run"];
    // An option of the search's own may be the last of the engine's words, and its value the first of the others.
    [&["submit", engine[0]][..], &search, &engine[1..], more].concat()
}

/// Every file says of each of its choices why: in scripts and manifests, a comment before every group of options.
#[test]
fn the_files_of_every_engine_are_printed_and_not_written() {
    let dir = Folder::new("submit-dry");
    let job = dir.file("a job");
    let job = job.to_str().expect("UTF-8");
    // Shards of their own, and shards that they claim: 2^20 inputs in 7 tasks of a tenth of a second.
    let own = (&["--tasks", "7"][..], "--continue");
    let claimed = (&["--task-time", "0.1", "--rate", "1.5e6"][..], "--shards");
    let all = ENGINES.iter().flat_map(|e| [(*e, own), (*e, claimed)]);
    for (engine, (tasks, words)) in all {
        let common = [
            "test",
            "--range",
            RANGE,
            "--block",
            "2^12",
            "-b",
            "scalar,avx2",
            "--dir",
            job,
        ];
        let args = [&["submit"], engine, &common, tasks, &["--dry-run"]].concat();
        let e = crunch(&args);
        assert_eq!(e.code, exit::OK, "{engine:?}: {}", e.err);
        assert!(!dir.file("a job").exists());
        let (_, v) = json(&args);
        assert_eq!((&v["tasks"], &v["written"]), (&7.into(), &false.into()));
        for file in v["files"].as_array().expect("files") {
            let text = file["text"].as_str().expect("a text");
            assert!(e.out.contains(text), "{}", e.out);
            explained(file["file"].as_str().expect("a name"), text);
            assert!(
                text.ends_with('\n') && text.lines().all(|l| l.len() < 200),
                "{text}"
            );
        }
        for words in [words, "2^12", "scalar,avx2", RANGE] {
            assert!(e.out.contains(words), "{engine:?} lacks {words}");
        }
        // Where a single task is not started again, none ends before no shard is open.
        let single = ["slurm", "kubernetes"].contains(&engine[0]);
        let claims = words == "--shards";
        let with_time = e
            .out
            .replace("\",\"", " ")
            .contains("--task-time 0.1s --task ");
        assert_eq!(with_time, claims && single, "{}", e.out);
        let all = e.out.replace("\",\"", " ").contains("--shards 56 ");
        assert_eq!(all, claims, "{}", e.out);
        // A task has the cores that the engine gives it.
        let cpus = e.out.contains("-j 1") || e.out.contains(r#""-j","1""#);
        assert_eq!(cpus, single, "{}", e.out);
    }
}

/// Every choice has a comment: in scripts of Slurm each option, in manifests each field that could be another, in the command of a
/// task each option that `submit` chose.
fn explained(name: &str, text: &str) {
    const CHOSEN: [&str; 13] = [
        "completionMode",
        "parallelism",
        "backoffLimit",
        "backoffLimitPerIndex",
        "maxFailedIndexes",
        "- action",
        "restartPolicy",
        "terminationGracePeriodSeconds",
        "securityContext",
        "command",
        "workingDir",
        "requests",
        "accessModes",
    ];
    let lines: Vec<&str> = text.lines().map(str::trim_start).collect();
    let comment = |i: usize| i > 0 && lines[i - 1].starts_with("# ");
    for (i, line) in lines.iter().enumerate() {
        let of_slurm = line.starts_with("#SBATCH");
        let field = line.split_once(':').map_or("", |(name, _)| name);
        let of_kubernetes = name.ends_with(".yaml") && CHOSEN.contains(&field);
        let must = of_slurm || of_kubernetes || line.starts_with("exec ");
        assert!(!must || comment(i), "{name}: no comment before {line}");
        if line.contains("--shard") || line.contains("--shards") {
            for option in [
                "--continue",
                "--block",
                "--backend",
                "-j",
                "--shards",
                "--task-time",
            ] {
                let given =
                    line.contains(&format!(" {option}")) || line.contains(&format!("\"{option}\""));
                let why = lines
                    .iter()
                    .any(|l| l.starts_with("# ") && l.contains(&format!("{option}: ")));
                assert!(!given || why, "{name}: nothing about {option}");
            }
        }
    }
    assert!(text.contains("# "), "{name}: no comment");
}

/// A name, a range or an option cannot end a line or a word of what is written.
#[test]
fn nothing_given_becomes_a_command_of_its_own() {
    let base = words("submit slurm test --tasks 2 --dry-run --range 1.0..2.0");
    let e = crunch(&[&base[..], &["--option", "--partition=a\nrm -rf ."]].concat());
    assert_eq!((e.code, e.out.as_str()), (exit::INPUT, ""), "{}", e.err);
    assert!(e.err.contains("write it on one line"), "{}", e.err);
    let e = crunch(&[&base[..], &["--option", "partition"]].concat());
    assert!(
        e.code == exit::INPUT && e.err.contains("with its dashes"),
        "{}",
        e.err
    );
    let e = crunch(&[&base[..], &["--program", "a b'; touch c"]].concat());
    contains!(e.out, r"exec 'a b'\''; touch c' run test");
    let kubernetes = [
        "submit",
        "kubernetes",
        "test",
        "--tasks",
        "2",
        "--dry-run",
        "--image",
        "a: b #c",
        "--claim",
    ];
    let e = crunch(&[&kubernetes[..], &["Runs"]].concat());
    assert!(
        e.code == exit::INPUT && e.err.contains("lowercase letters"),
        "{}",
        e.err
    );
    let e = crunch(&[&kubernetes[..], &["runs"]].concat());
    assert!(e.out.contains("image: \"a: b #c\"\n"), "{}", e.out);
}

/// Limits of Kubernetes' API that its schemas do not have.
#[test]
fn a_job_of_very_many_indexes_is_within_the_api_s_limits() {
    let engine = ["kubernetes", "--image", "a/b", "--claim", "runs"];
    let tasks = ["--block", "2^20", "--tasks"];
    let job = |more: &[&str]| crunch(&dry(&engine, &[&tasks[..], more].concat()));
    let few = job(&["100000"]);
    for line in ["parallelism: 100000\n", "maxFailedIndexes: 100000\n"] {
        assert!(few.out.contains(line), "{}", few.out);
    }
    let many = job(&["100001"]);
    for line in [
        "completions: 100001\n",
        "parallelism: 10000\n",
        "maxFailedIndexes: 10000\n",
    ] {
        assert!(many.out.contains(line), "{}", many.out);
    }
    for (more, says) in [
        (
            &["100001", "--at-once", "10001"][..],
            "up to 10,000 pods at a time",
        ),
        (&["3000000000"], "up to 2,147,483,647 indexes"),
    ] {
        let e = job(more);
        assert!(e.code == exit::INPUT && e.err.contains(says), "{}", e.err);
    }
}

/// A proof in shards: what a search has is refused, and so is what has nothing to prove.
#[test]
fn a_proof_is_submitted_in_shards() {
    let submit = |more: &[&str]| crunch(&dry(&["slurm", "--exact"], more));
    let e = submit(&["--tasks", "5", "--cells", "1000"]);
    assert_eq!(e.code, exit::OK, "{}", e.err);
    for words in [
        " exact test --range 1.0..2.0 --cells 1000 ",
        " --certificate test.cert -j 1 --shard \"${1:-auto}\"\n",
        "# --cells: ",
        "test -e test.cert || exec ",
    ] {
        assert!(e.out.contains(words), "{words}: {}", e.out);
    }
    for (more, says) in [
        (&["--tasks", "1"][..], "2 or more"),
        (&["--tasks", "5", "--block", "2^12"], "--block"),
        (&["--task-time", "1h"], "--task-time"),
    ] {
        let e = submit(more);
        assert!(
            e.code == exit::INPUT && e.err.contains(says),
            "{more:?}: {}",
            e.err
        );
    }
}

/// Tasks of a time: by the rate that is given, in blocks small enough for them; and by the measured one.
#[test]
fn tasks_are_sized_by_their_time() {
    let tasks = |more: &[&str]| json(&dry(&["mpi", "--task-time"], more));
    // 2^52 inputs at 10^9 a second are 1251 hours, the last of them not whole.
    let (code, v) = tasks(&["1h", "--rate", "1e9"]);
    assert_eq!((code, v["tasks"].as_u64()), (exit::OK, Some(1251)));
    let text = v["files"].to_string();
    assert!(text.contains("'2^32'"), "{text}");
    // A thousandth of the time: the default's blocks would be two for three tasks.
    let (_, v) = tasks(&["10s", "--rate", "1e8"]);
    assert_eq!(v["tasks"].as_u64(), Some(4_503_600));
    let text = v["files"].to_string();
    assert!(text.contains("'2^26'"), "{text}");
    let large = ["10s", "--rate", "1e8", "--block", "2^40"];
    let e = crunch(&dry(&["mpi", "--task-time"], &large));
    assert!(
        e.code == exit::INPUT && e.err.contains("up to 4,096 tasks"),
        "{}",
        e.err
    );
    let e = crunch(&words!(
        "submit mpi test --range {RANGE} --dry-run --task-time 1h -b scalar"
    ));
    assert!(
        e.code == exit::OK && e.out.contains("1 tasks that claim 8 shards of"),
        "{}",
        e.out
    );
    assert!(e.out.contains("measured here on scalar"), "{}", e.out);
}

/// `--continue` begins a run, goes on with it, and leaves what is another run's alone.
#[test]
fn a_task_begins_or_goes_on() {
    let dir = Folder::new("continue");
    let path = dir.file("run");
    let path = path.to_str().expect("UTF-8");
    let args = [
        "run",
        "test",
        "--range",
        RANGE,
        "--block",
        "2^12",
        "-b",
        "scalar",
        "--shard",
        "2/3",
        "-o",
        path,
        "--continue",
    ];
    let (code, first) = json(&args);
    assert_eq!((code, &first["complete"]), (exit::OK, &true.into()));
    let (code, again) = json(&args);
    assert_eq!(
        (code, &again["inputs"], &again["result"]),
        (exit::OK, &0.into(), &first["result"])
    );
    let mut other = args;
    other[9] = "3/3";
    let e = crunch(&other);
    assert!(
        e.code == exit::INPUT && e.err.contains("shard 2/3 of") && e.err.contains("shard 3/3 of"),
        "{}",
        e.err
    );
    // Another version of the kernels.
    let e = crunch_of(&[CHANGED], &args);
    assert!(
        e.code == exit::INPUT && e.err.contains("the approximation is not the same"),
        "{}",
        e.err
    );
    let e = crunch(&[&args[..], &["--time", "1s"]].concat());
    assert_eq!(e.code, exit::INPUT, "{}", e.err);
}

/// A node whose device fails its probe or its first launches says so, and does its part on the next best.
#[test]
fn a_node_does_its_part_on_what_works() {
    let dir = Folder::new("next-best");
    let run = |name: &str, discover: &dyn Fn(&Filter) -> Discovery| {
        let path = dir.file(name);
        let path = path.to_str().expect("UTF-8");
        crunch_on(
            &[SWEEP],
            discover,
            &[
                "run", "test", "--range", RANGE, "--shard", "1/2", "-o", path,
            ],
        )
    };
    let refused = run("refused", &super::discover);
    assert_eq!(refused.code, exit::OK, "{}", refused.err);
    contains!(refused.err, "opencl:odd/0", "it is not used");
    // A launch that fails, and a worker that panics, which is no error of a backend.
    let failing = |all: bool| {
        move |filter: &Filter| {
            let mut d = Discovery::default();
            for (id, dead, panics) in [
                ("scalar", all, false),
                ("cuda:0", true, false),
                ("cuda:1", false, true),
            ] {
                let fake = Fake {
                    dead,
                    panics,
                    ..Fake::new(id)
                };
                if filter.matches(&fake.id) {
                    d.backends.push(fake.shared());
                }
            }
            d
        }
    };
    let failed = run("failed", &failing(false));
    assert_eq!(failed.code, exit::OK, "{}", failed.err);
    assert!(
        failed.err.contains("cuda:0: ") && failed.err.matches("it is not used").count() == 2,
        "{}",
        failed.err
    );
    contains!(failed.err, "a worker of cuda:1 panicked");
    // Where nothing works the task fails, and is not silently nothing.
    let nothing = run("nothing", &failing(true));
    assert!(
        nothing.code == exit::FAILED && nothing.err.contains("error: "),
        "{}",
        nothing.err
    );
}

/// What the engine prints is in the document, or on standard error where it fails.
#[test]
fn what_an_engine_prints_is_in_the_document() {
    let dir = Folder::new("submit-go");
    let job = dir.file("job");
    let job = job.to_str().expect("UTF-8");
    let submit = |launcher| {
        let job =
            format!("submit mpi test --range {RANGE} --block 2^12 -b scalar --tasks 3 --dir {job}");
        let line = format!("{job} --program true --attempts 2 --go");
        json(&[&words(&line)[..], &["--launcher", launcher]].concat())
    };
    let (code, v) = submit("echo launched");
    assert_eq!((code, &v["submitted"]), (exit::OK, &true.into()), "{v}");
    let output = v["output"].as_str().expect("what it printed");
    assert!(output.contains("launched -n 3 sh task.sh"), "{v}");
    let (code, v) = submit("false");
    assert_eq!(
        (code, &v["error"]["code"]),
        (exit::FAILED, &4.into()),
        "{v}"
    );
}
