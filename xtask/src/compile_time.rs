//! The time that a kernel adds to a release build, and to the start of a process that evaluates one.
//!
//! Crates are generated, each with some kernels of 500 dependent operations in some forms, and built in turn, several
//! times; a figure is the median of the differences to the crate without kernels, built in the same round.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Instant;

use crate::error::{Error, Result};
use crate::process::{cargo, root, time_of_children};

/// Operations of a kernel, each of which depends on the previous one.
const OPERATIONS: usize = 500;
/// The number of kernels of the crates with several.
const SEVERAL: usize = 4;
/// The number of starts that are timed in a round.
const STARTS: u32 = 40;

/// The forms in which each kernel is compiled.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Form {
    /// One input at a time.
    Eval,
    /// Slices, on all instruction sets.
    Map,
    /// A search, on all instruction sets and in all widths, with a short reference.
    Sweep,
}

struct Crate {
    name: String,
    title: String,
    kernels: usize,
    forms: &'static [Form],
}

fn crates() -> Vec<Crate> {
    let forms: [(&str, &str, &'static [Form]); 4] = [
        ("eval", "`eval`", &[Form::Eval]),
        ("map", "`map`", &[Form::Map]),
        ("both", "`eval` and `map`", &[Form::Eval, Form::Map]),
        ("sweep", "a sweep", &[Form::Sweep]),
    ];
    let mut all = vec![Crate {
        name: "none".into(),
        title: "none".into(),
        kernels: 0,
        forms: &[],
    }];
    for (name, title, forms) in forms {
        for kernels in [1, SEVERAL] {
            all.push(Crate {
                name: format!("{name}{kernels}"),
                title: title.into(),
                kernels,
                forms,
            });
        }
    }
    all
}

/// A crate's program.
fn source(made: &Crate) -> String {
    let mut text = String::from("use doublecrunch::prelude::*;\n");
    let mut main = String::new();
    if made.forms.contains(&Form::Sweep) {
        text.push_str("use doublecrunch::sweep::Sweep;\n#[crunch]\nfn same(x: DcDouble) -> DcDouble {\n    x\n}\n");
    }
    for kernel in 0..made.kernels {
        let _ = write!(
            text,
            "#[crunch]\nfn k{kernel}(x: DcDouble) -> DcDouble {{\n    let y = x + {kernel}.5;\n"
        );
        // Operations of the kinds that kernels consist of, none of which can be optimized away.
        for i in 1..OPERATIONS {
            let c = (i * 7 + kernel * 13) % 97;
            let _ = match i % 3 {
                0 => writeln!(text, "    let y = y.mul_add(x, 0.{c:02}1);"),
                1 => writeln!(text, "    let y = y * 1.{c:02}1;"),
                _ => writeln!(text, "    let y = y - 0.{c:02}1;"),
            };
        }
        text.push_str("    y\n}\n");
        for form in made.forms {
            let _ = match form {
                Form::Eval => writeln!(main, "    println!(\"{{}}\", k{kernel}::eval(x));"),
                Form::Map => writeln!(
                    main,
                    "    k{kernel}::map(&[x; 8], &mut out);\n    println!(\"{{out:?}}\");"
                ),
                Form::Sweep => writeln!(
                    main,
                    "    static S{kernel}: Sweep = Sweep::new::<k{kernel}, same>(\"k{kernel}\", \"1.0..2.0\");\n    \
                     println!(\"{{:?}} {{:?}} {{:?}} {{:?}}\", S{kernel}.compiled().scalar, S{kernel}.compiled().avx2, S{kernel}.compiled().avx512, S{kernel}.candidate);"
                ),
            };
        }
    }
    let _ = write!(
        text,
        "#[allow(unused)]\nfn main() {{\n    let x = std::env::args().count() as f64;\n    let mut out = [0.0; 8];\n{main}}}\n"
    );
    text
}

fn written(path: &Path, text: &str) -> Result<()> {
    let failed = |e: std::io::Error| Error(format!("{}: {e}", path.display()));
    if let Some(parent) = path.parent() {
        std::fs::create_dir_all(parent).map_err(failed)?;
    }
    std::fs::write(path, text).map_err(failed)
}

struct Bench {
    folder: PathBuf,
}

impl Bench {
    fn make(&self, all: &[Crate]) -> Result<()> {
        let members: Vec<String> = all.iter().map(|c| format!("\"{}\"", c.name)).collect();
        let members = members.join(", ");
        let plain = "\"hello\"";
        written(
            &self.folder.join("Cargo.toml"),
            &format!("[workspace]\nmembers = [{members}, {plain}]\nresolver = \"3\"\n"),
        )?;
        let package = |name: &str, dependency: &str| {
            format!(
                "[package]\nname = \"{name}\"\nversion = \"0.0.0\"\nedition = \"2024\"\n[dependencies]\n{dependency}"
            )
        };
        let ours = format!(
            "doublecrunch = {{ path = {:?}, default-features = false, features = [\"search\"] }}\n",
            root()
        );
        for made in all {
            let folder = self.folder.join(&made.name);
            written(&folder.join("Cargo.toml"), &package(&made.name, &ours))?;
            written(&folder.join("src/main.rs"), &source(made))?;
        }
        let hello = self.folder.join("hello");
        written(&hello.join("Cargo.toml"), &package("hello", ""))?;
        let text = "fn main() {\n    println!(\"{}\", std::env::args().count() as f64);\n}\n";
        written(&hello.join("src/main.rs"), text)?;
        // The versions with which this workspace was tested.
        let lock = self.folder.join("Cargo.lock");
        let _ = std::fs::copy(root().join("Cargo.lock"), lock);
        Ok(())
    }

    /// Seconds of a release build of one crate, as wall-clock and as processor time.
    fn build(&self, name: &str) -> Result<[f64; 2]> {
        let mut command = cargo();
        command
            .current_dir(&self.folder)
            .args([
                "build",
                "--release",
                "--quiet",
                "--offline",
                "--package",
                name,
            ])
            .env("CARGO_TARGET_DIR", self.folder.join("target"))
            .stdin(Stdio::null());
        let (begun, before) = (Instant::now(), time_of_children());
        let output = command.output();
        let output = output.map_err(|e| Error(format!("cargo: {e}")))?;
        if !output.status.success() {
            let log = String::from_utf8_lossy(&output.stderr);
            return Err(Error(format!("{name}: {log}")));
        }
        let wall = begun.elapsed().as_secs_f64();
        let processor = before.and_then(|b| Some(time_of_children()? - b));
        // Zero where the system does not show it.
        Ok([wall, processor.unwrap_or_default()])
    }

    /// Makes the next build of a crate compile it again.
    fn touch(&self, name: &str) -> Result<()> {
        let path = self.folder.join(name).join("src/main.rs");
        let text = std::fs::read_to_string(&path);
        let text = text.map_err(|e| Error(format!("{}: {e}", path.display())))?;
        written(&path, &text)
    }

    /// The mean time of a start of a program, in seconds.
    fn starts(&self, name: &str) -> Result<f64> {
        let program = self.folder.join("target/release").join(name);
        let begun = Instant::now();
        for _ in 0..STARTS {
            let output = Command::new(&program).output();
            let output = output.map_err(|e| Error(format!("{}: {e}", program.display())))?;
            if !output.status.success() {
                return Err(Error(format!("{}: {}", program.display(), output.status)));
            }
        }
        Ok(begun.elapsed().as_secs_f64() / f64::from(STARTS))
    }
}

/// The median, and the largest value minus the smallest.
fn median(mut values: Vec<f64>) -> (f64, f64) {
    values.sort_by(f64::total_cmp);
    let spread = values.last().unwrap_or(&0.0) - values.first().unwrap_or(&0.0);
    (values[values.len() / 2], spread)
}

/// `cargo xtask bench --compile-time`.
pub fn run(rounds: u32) -> Result<()> {
    let bench = Bench {
        folder: root().join("target/compile-time"),
    };
    let all = crates();
    bench.make(&all)?;
    println!("Building what all of them need");
    for made in &all {
        bench.build(&made.name)?;
    }
    bench.build("hello")?;
    let mut seconds = vec![Vec::new(); all.len()];
    let mut starts = [const { Vec::new() }; 3];
    for round in 0..rounds.max(1) as usize {
        for i in 0..all.len() {
            let i = (i + round) % all.len();
            bench.touch(&all[i].name)?;
            seconds[i].push(bench.build(&all[i].name)?);
        }
        for (name, times) in ["hello", "eval1", "both1"].iter().zip(&mut starts) {
            times.push(bench.starts(name)?);
        }
    }
    let of = |i: usize, which: usize| seconds[i].iter().map(move |s: &[f64; 2]| s[which]);
    let (none, spread) = median(of(0, 0).collect());
    println!(
        "\nA release build of a crate without kernels takes {none:.2} s (spread {spread:.2} s)."
    );
    println!(
        "What a kernel of {OPERATIONS} operations adds, in seconds (and of a processor's time):"
    );
    println!("| compiled of it | one kernel | spread | each of {SEVERAL} | spread |");
    println!("|---|---|---|---|---|");
    let more = |i: usize, which: usize| {
        let made = all[i].kernels as f64;
        let pairs = of(i, which).zip(of(0, which));
        median(
            pairs
                .map(|(with, without)| (with - without) / made)
                .collect(),
        )
    };
    for i in (1..all.len()).step_by(2) {
        let cells = [i, i + 1].map(|i| {
            let ((wall, spread), (processor, _)) = (more(i, 0), more(i, 1));
            format!("{wall:.2} ({processor:.2}) | {spread:.2}")
        });
        println!("| {} | {} |", all[i].title, cells.join(" | "));
    }
    let (hello, _) = median(starts[0].clone());
    println!(
        "\nA program that prints a line starts and ends in {:.2} ms; one that calls `eval` first takes",
        hello * 1e3
    );
    for (what, times) in [("`eval`", &starts[1]), ("`eval` and `map`", &starts[2])] {
        let ratios = times.iter().zip(&starts[0]).map(|(a, b)| a / b);
        let (ratio, spread) = median(ratios.collect());
        println!("{ratio:.3} times as long with {what} (spread {spread:.3})");
    }
    Ok(())
}
