//! `submit`, `run --continue`, and nodes whose backends fail. The engines themselves run in the facade's `tests/scale`.

use super::{RANGE, crunch, crunch_of, crunch_on, json};
use dc_driver::exit;
use dc_runtime::backend::{Discovery, Filter};
use dc_runtime::search::testing::{CHANGED, Fake, Folder, SWEEP};

const ENGINES: [&[&str]; 4] = [
    &["slurm"],
    &["kubernetes", "--image", "an/image:1", "--claim", "runs"],
    &["mpi"],
    &["parallel"],
];

/// Every file says of each of its choices why: in scripts and manifests, a comment before every group of options.
#[test]
fn the_files_of_every_engine_are_printed_and_not_written() {
    let dir = Folder::new("submit-dry");
    let job = dir.file("a job");
    let job = job.to_str().expect("UTF-8");
    for engine in ENGINES {
        let common = [
            "test",
            "--range",
            RANGE,
            "--block",
            "2^12",
            "-b",
            "scalar,avx2",
            "--tasks",
            "7",
            "--dir",
            job,
        ];
        let args = [&["submit"], engine, &common, &["--dry-run"]].concat();
        let e = crunch(&args);
        assert_eq!(e.code, exit::OK, "{engine:?}: {}", e.err);
        assert!(!dir.file("a job").exists());
        let (_, v) = json(&args);
        assert_eq!((&v["tasks"], &v["written"]), (&7.into(), &false.into()));
        for file in v["files"].as_array().expect("files") {
            let text = file["text"].as_str().expect("a text");
            assert!(e.out.contains(text) && text.contains("# "), "{}", e.out);
            assert!(
                text.ends_with('\n') && text.lines().all(|l| l.len() < 200),
                "{text}"
            );
        }
        for words in ["--continue", "2^12", "scalar,avx2", RANGE] {
            assert!(e.out.contains(words), "{engine:?} lacks {words}");
        }
        // A task has the cores that the engine gives it.
        let cpus = e.out.contains("-j 1") || e.out.contains(r#""-j","1""#);
        assert_eq!(
            cpus,
            ["slurm", "kubernetes"].contains(&engine[0]),
            "{}",
            e.out
        );
    }
}

/// A name, a range or an option cannot end a line or a word of what is written.
#[test]
fn nothing_given_becomes_a_command_of_its_own() {
    let base = [
        "submit",
        "slurm",
        "test",
        "--tasks",
        "2",
        "--dry-run",
        "--range",
        "1.0..2.0",
    ];
    let e = crunch(&[&base[..], &["--option", "--partition=a\nrm -rf ."]].concat());
    assert_eq!((e.code, e.out.as_str()), (exit::INPUT, ""), "{}", e.err);
    assert!(e.err.contains("write it in one line"), "{}", e.err);
    let e = crunch(&[&base[..], &["--option", "partition"]].concat());
    assert!(
        e.code == exit::INPUT && e.err.contains("with its dashes"),
        "{}",
        e.err
    );
    let e = crunch(&[&base[..], &["--program", "a b'; touch c"]].concat());
    assert!(
        e.out.contains(r"exec 'a b'\''; touch c' run test"),
        "{}",
        e.out
    );
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
        e.code == exit::INPUT && e.err.contains("small letters"),
        "{}",
        e.err
    );
    let e = crunch(&[&kubernetes[..], &["runs"]].concat());
    assert!(e.out.contains("image: \"a: b #c\"\n"), "{}", e.out);
}

/// Tasks of a time: by the rate that is given, in blocks small enough for them; and by the measured one.
#[test]
fn tasks_are_sized_by_their_time() {
    let tasks = |more: &[&str]| {
        let base = [
            "submit",
            "mpi",
            "test",
            "--range",
            "1.0..2.0",
            "--dry-run",
            "--task-time",
        ];
        json(&[&base[..], more].concat())
    };
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
    let e = crunch(&[
        "submit",
        "mpi",
        "test",
        "--range",
        "1.0..2.0",
        "--dry-run",
        "--task-time",
        "10s",
        "--rate",
        "1e8",
        "--block",
        "2^40",
    ]);
    assert!(
        e.code == exit::INPUT && e.err.contains("up to 4,096 tasks"),
        "{}",
        e.err
    );
    let e = crunch(&[
        "submit",
        "mpi",
        "test",
        "--range",
        RANGE,
        "--dry-run",
        "--task-time",
        "1h",
        "-b",
        "scalar",
    ]);
    assert!(
        e.code == exit::OK && e.out.contains("1 tasks of"),
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
    assert!(
        refused.err.contains("opencl:odd/0") && refused.err.contains("it is not used"),
        "{}",
        refused.err
    );
    let failing = |all: bool| {
        move |filter: &Filter| {
            let mut d = Discovery::default();
            for (id, dead) in [("scalar", all), ("cuda:0", true)] {
                let fake = Fake {
                    dead,
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
        failed.err.contains("cuda:0: ") && failed.err.contains("it is not used"),
        "{}",
        failed.err
    );
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
        json(&[
            "submit",
            "mpi",
            "test",
            "--range",
            RANGE,
            "--block",
            "2^12",
            "-b",
            "scalar",
            "--tasks",
            "3",
            "--dir",
            job,
            "--program",
            "true",
            "--attempts",
            "2",
            "--launcher",
            launcher,
            "--go",
        ])
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
