//! All tests, with every backend required that this machine can have.

use std::ffi::OsString;
use std::path::Path;
use std::process::Command;
use std::time::Instant;

use crate::counts::{Counts, count};
use crate::error::{Error, Result};
use crate::process::{self, Show, cargo};
use crate::queue::Queue;
use crate::scratch::Scratch;
use crate::setup::{self, Only, Tool, Tools};
use crate::{book, emulator, lint, neon};

/// Options of `cargo xtask test`.
#[derive(clap::Args)]
pub struct Args {
    /// Also run format, clippy and docs, and require the tools that setup could not install.
    #[arg(long)]
    ci: bool,
    /// Arguments for `cargo test`, after `--`.
    #[arg(last = true)]
    args: Vec<OsString>,
}

/// The variable with the file to which a test that skips something adds a line, since cargo hides the output of passing
/// tests.
const SKIPS: &str = "CRUNCH_SKIP_LOG";

/// `cargo xtask test`.
pub fn run(args: &Args) -> Result<()> {
    let begun = Instant::now();
    let all_tests = args.args.is_empty();
    println!("== Tools");
    let linked = setup::ensure_linked();
    // In CI all features are built: a library that is missing is a failure.
    let features = if args.ci {
        setup::LINKED.map(|f| f.0).to_vec()
    } else {
        setup::features()
    };
    let scratch = Scratch::new();
    let cargo_test = |more: &[&str]| {
        let mut command = cargo();
        if let Ok(folder) = &scratch {
            command.env("TMPDIR", folder.path());
        }
        // Without fail-fast, so that one run reports all failures.
        command.args(["test", "--no-fail-fast"]).args(more);
        if !features.is_empty() {
            command.args(["--features", &features.join(",")]);
        }
        if all_tests {
            process::once(&mut command);
        }
        command
    };
    // What runs the tests is downloaded and unpacked while they are compiled.
    let (tools, built) = std::thread::scope(|scope| {
        let tools = scope.spawn(|| setup::ensure_besides(&Only::ALL, linked));
        let mut build = cargo_test(&["--workspace", "--no-run"]);
        let built = all_tests.then(|| process::run(&mut build));
        (tools.join().expect("it reports what it lacks"), built)
    });
    tools.print();
    let cover = Cover::of_this_machine(&tools, args.ci);
    cover.print();
    // It takes a second.
    let book = (all_tests && cover.book).then(built_book);

    println!("\n== Tests");
    let skips = process::toolchain().join("skipped.txt");
    // The list of an earlier run must not be taken for this one's.
    std::fs::write(&skips, "").map_err(|e| Error(format!("{}: {e}", skips.display())))?;
    match &scratch {
        Ok(folder) => println!("Temporary files: in memory, {}", folder.path().display()),
        Err(reason) => println!("Temporary files: on disk, slow where that is slow ({reason})"),
    }
    let test = |more: &[&str]| {
        let mut command = cargo_test(more);
        command
            .env("CRUNCH_REQUIRE", cover.required())
            .env(SKIPS, &skips);
        tools.export(&mut command);
        tools
            .export_oclgrind(&mut command)
            .map_err(|e| Error(format!("the folder of OpenCL vendors: {e}")))?;
        Ok(command)
    };
    let lint = args.ci.then_some(&features[..]);
    let done = if let Some(built) = built {
        all(built, &test, &|| {
            // The emulator first: it takes one core, and the tests the other, as long as there are tests.
            let emulated = !cover.required.contains(&"avx512");
            let emulated = emulated.then(|| emulator::test_avx512(&skips));
            let under_qemu = cover.neon.then(|| neon::test_neon(&tools, &skips));
            Aside {
                lint: lint.map(|features| lint::run_all(features, true, Show::AtTheEnd)),
                emulated,
                under_qemu,
            }
        })?
    } else {
        // Only some tests were requested.
        let (counts, tests) = count(test(&["--workspace"])?.args(&args.args), Show::Live)?;
        let lint = lint.map(|features| lint::run_all(features, true, Show::Live));
        Done {
            counts,
            tests,
            aside: Aside {
                lint,
                emulated: None,
                under_qemu: None,
            },
        }
    };
    let counts = done.counts;
    let emulated = done.aside.emulated;
    let emulated_counts = emulated.as_ref().and_then(|o| o.as_ref().ok().copied());
    let under_qemu = done.aside.under_qemu;
    let qemu_counts = under_qemu.as_ref().and_then(|o| o.as_ref().ok().copied());
    let lint = done.aside.lint.map(|o| ("format, clippy, docs", o));
    let emulated = emulated.map(|o| ("AVX-512, emulated", o.map(|_| ())));
    let under_qemu = under_qemu.map(|o| ("NEON, under qemu", o.map(|_| ())));
    let book = book.map(|o| ("the book, built", o));
    let steps = [
        Some(("cargo test", done.tests)),
        lint,
        book,
        emulated,
        under_qemu,
    ];

    println!("\n== Summary after {} s", begun.elapsed().as_secs());
    cover.print();
    print_skips(&skips);
    let mut failed = Vec::new();
    for (name, outcome) in steps.into_iter().flatten() {
        match outcome {
            Ok(()) => println!("  {name:<22} passed"),
            Err(Error(reason)) => {
                println!(
                    "  {name:<22} FAILED: {}",
                    reason.lines().next().unwrap_or_default()
                );
                failed.push(name);
            }
        }
    }
    println!("{counts}");
    match counts.scale() {
        None => {}
        Some(seconds) if seconds <= SCALE => {
            println!("tests/scale: {seconds} s of at most {SCALE} s");
        }
        Some(seconds) => {
            println!("!! tests/scale: {seconds} s, and at most {SCALE} s are allowed");
            // Elsewhere other work may be the reason.
            if args.ci {
                failed.push("the time of tests/scale");
            }
        }
    }
    if let Some(counts) = emulated_counts {
        println!(
            "In the emulator, random cases cut to 1/{}: {counts}",
            emulator::SCALE
        );
    }
    if let Some(counts) = qemu_counts {
        println!(
            "Under qemu, random cases cut to 1/{}: {counts}",
            neon::SCALE
        );
    }
    if !failed.is_empty() {
        return Err(Error(format!("failed: {}", failed.join(", "))));
    }
    if counts.passed == 0 && args.args.is_empty() {
        return Err(Error("no test ran".into()));
    }
    Ok(())
}

/// Builds the book, which is required here.
fn built_book() -> Result<()> {
    if book::build()? {
        Ok(())
    } else {
        Err(Error(
            "mdBook is not here: `cargo xtask setup --only book`".into(),
        ))
    }
}

/// The seconds that the tests of clusters may take in CI: several times what they take, since engines wait for time limits, and
/// whoever adds to them should know what they cost.
const SCALE: u64 = 300;

/// Tests that build crates of their own, with their files: they run one after the other, in parallel with the others.
const BUILDERS: [&str; 2] = ["ui", "it_builds_and_serves_its_kernels"];
/// Tests that wait for most of their time: they run beside all others.
const WAITING: [&str; 1] = ["slurm::an_array_survives_kills_and_its_time_limit"];

/// What runs in parallel with the tests, if it is wanted.
struct Aside {
    lint: Option<Result<()>>,
    emulated: Option<Result<Counts>>,
    under_qemu: Option<Result<Counts>>,
}

/// The outcome of everything.
struct Done {
    counts: Counts,
    tests: Result<()>,
    aside: Aside,
}

/// Runs all tests, if they could be built, by threads: those that build crates, followed by what else is to be done; those that
/// wait; all others, by one thread, and by a second one as soon as it has nothing else to do.
fn all(
    built: Result<()>,
    test: &dyn Fn(&[&str]) -> Result<Command>,
    aside: &(dyn Fn() -> Aside + Sync),
) -> Result<Done> {
    if built.is_err() {
        return Ok(Done {
            counts: Counts::default(),
            tests: built,
            aside: aside(),
        });
    }
    let mut others = test(&["--workspace"])?;
    let queue = Queue::new();
    // One command after the other: each writes the folder of OpenCL vendors.
    let (mut waiting, mut builders) = (named(test, &WAITING)?, named(test, &BUILDERS)?);
    let names: Vec<&str> = BUILDERS.into_iter().chain(WAITING).collect();
    let (waiting, builders, noted, first) = std::thread::scope(|scope| {
        let waiting = scope.spawn(|| exactly(&mut waiting, &WAITING));
        let builders = scope.spawn(|| {
            let (builders, aside) = (exactly(&mut builders, &BUILDERS), aside());
            (builders, aside, queue.work())
        });
        let noted = queue.fill(&mut others, &names);
        let first = queue.work();
        (waiting.join(), builders.join(), noted, first)
    });
    let ended = |_| Error("tests that run beside the others were not counted".into());
    let (waiting, (builders, aside, second)) = (waiting.map_err(ended)?, builders.map_err(ended)?);
    let mut done = Done {
        counts: Counts::default(),
        tests: Ok(()),
        aside,
    };
    for (counts, outcome) in [waiting?, builders?, noted?, first?, second?] {
        done.counts = done.counts + counts;
        done.tests = done.tests.and(outcome);
    }
    Ok(done)
}

/// The command for the tests of these names, of all test programs: with a selection of programs the features would differ, and the library would be
/// built again for them.
fn named(test: &dyn Fn(&[&str]) -> Result<Command>, names: &[&str]) -> Result<Command> {
    let mut command = test(&["--workspace", "--tests"])?;
    command.args(["--", "--exact"]).args(names);
    Ok(command)
}

/// Counts the tests that such a command runs, which must be as many as the names.
fn exactly(command: &mut Command, names: &[&str]) -> Result<(Counts, Result<()>)> {
    let (counts, outcome) = count(command, Show::AtTheEnd)?;
    if counts.passed + counts.failed == names.len() as u64 {
        return Ok((counts, outcome));
    }
    Err(Error(format!(
        "of the tests {names:?} other ones ran: {counts}"
    )))
}

/// The tests that must run here, and those that cannot.
struct Cover {
    required: Vec<&'static str>,
    not_covered: Vec<(&'static str, String)>,
    /// Whether the tests of NEON run under qemu. They are required by name of their own program alone.
    neon: bool,
    /// Whether mdBook builds the book.
    book: bool,
}

impl Cover {
    /// In CI all tools are required, whether or not setup could get them.
    fn of_this_machine(tools: &Tools, ci: bool) -> Self {
        let mut cover = Cover {
            required: vec!["scalar", "interpreter"],
            not_covered: Vec::new(),
            neon: false,
            book: false,
        };
        cover.add("avx2", has_avx2(), "not on this processor");
        cover.add(
            "avx512",
            process::has_avx512(),
            "not on this processor, NOT covered natively",
        );
        let have = |needed: &[Tool]| ci || !tools.missing().any(|m| needed.contains(&m));
        let not_set_up = "setup could not get it, see above";
        cover.add("cuda-host", have(&[Tool::Cxx]), not_set_up);
        cover.add("opencl:pocl", have(&[Tool::Loader, Tool::Pocl]), not_set_up);
        cover.add(
            "opencl:oclgrind",
            have(&[Tool::Loader, Tool::Oclgrind]),
            not_set_up,
        );
        cover.add("gappa", have(&[Tool::Gappa]), not_set_up);
        cover.add("lift", have(&[Tool::Clang]), not_set_up);
        cover.add("nvrtc", have(&[Tool::Nvrtc]), not_set_up);
        cover.add(
            "sass",
            have(&[Tool::Nvrtc, Tool::Ptxas, Tool::Nvdisasm]),
            not_set_up,
        );
        cover.add("slurm", have(&[Tool::Slurm]), not_set_up);
        cover.add("openmpi", have(&[Tool::OpenMpi]), not_set_up);
        cover.add("parallel", have(&[Tool::Parallel]), not_set_up);
        let kubernetes = have(&[Tool::Yaml, Tool::Schemas]);
        cover.add("kubernetes", kubernetes, not_set_up);
        cover.add("browser", have(&[Tool::Browser]), not_set_up);
        if !have(&[Tool::Mpfr]) {
            // It is not required by name: without the feature `mpfr` the tests that need it are not built.
            cover.not_covered.push(("mpfr", not_set_up.into()));
        }
        let target = neon::target();
        cover.neon = ci || have(&setup::NEON) && target.is_ok();
        if !cover.neon {
            let reason = target.err().unwrap_or_else(|| not_set_up.into());
            cover.not_covered.push(("neon", reason));
        }
        cover.book = have(&[Tool::MdBook]);
        if !cover.book {
            cover.not_covered.push((
                "the book",
                "it is NOT built: setup could not get mdBook, see above".into(),
            ));
        }
        cover.add(
            "cuda",
            Path::new("/dev/nvidia0").exists(),
            "no NVIDIA GPU here",
        );
        cover
    }

    fn add(&mut self, name: &'static str, here: bool, otherwise: &str) {
        if here {
            self.required.push(name);
        } else {
            self.not_covered.push((name, otherwise.into()));
        }
    }

    /// The value of `CRUNCH_REQUIRE`, including the caller's.
    fn required(&self) -> String {
        let mut list = self.required.join(",");
        if let Ok(more) = std::env::var("CRUNCH_REQUIRE") {
            list = format!("{list},{more}");
        }
        list
    }

    fn print(&self) {
        println!("Required of the tests: {}", self.required());
        for (name, reason) in &self.not_covered {
            println!("!! {name}: {reason}");
        }
    }
}

fn has_avx2() -> bool {
    #[cfg(target_arch = "x86_64")]
    return std::is_x86_feature_detected!("avx2")
        && std::is_x86_feature_detected!("fma")
        && std::is_x86_feature_detected!("f16c");
    #[cfg(not(target_arch = "x86_64"))]
    false
}

fn print_skips(path: &Path) {
    let text = std::fs::read_to_string(path).unwrap_or_default();
    let mut lines: Vec<&str> = text.lines().collect();
    lines.sort_unstable();
    lines.dedup();
    for line in lines {
        println!("!! skipped: {line}");
    }
}
