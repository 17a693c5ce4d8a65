//! `cargo xtask exact`: the exact maxima of the built-in routines with their certificates, each checked, as a table.
//!
//! Completed work is kept in a folder: a stopped proof is resumed, and a completed row is only printed, as long as the
//! kernel's text, the range and the number of cells are the same.

mod bounds;

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Instant;

use serde_json::{Value, json};

use crate::error::{Error, Result};
use crate::process::{built, output, root, run as run_command, shown};

/// What to prove.
#[derive(clap::Args)]
pub struct Args {
    /// The rows to prove [default: all]
    names: Vec<String>,
    /// The largest number of minutes per row; the same command resumes [default: 60, and 3 for rows that are known to stay brackets]
    #[arg(long, value_name = "N")]
    minutes: Option<f64>,
    /// The folder for proofs, certificates and answers [default: target/exact]
    #[arg(long, value_name = "FOLDER")]
    folder: Option<PathBuf>,
    /// Check certificates of at most this many megabytes. The table marks larger ones as not checked
    #[arg(long, value_name = "N", default_value = "10")]
    check: f64,
    /// Threads [default: all cores]
    #[arg(long, short, value_name = "N")]
    jobs: Option<usize>,
    /// Show only the bounds, without options, beside the largest known errors. No maximum is proven to be exact. The
    /// folder is target/exact-bounds by default
    #[arg(long)]
    bounds: bool,
    /// Take the programs of the development profile, which are built sooner
    #[arg(long)]
    dev: bool,
    /// Put the table in the place of the one before in docs/book/src/evidence/bounds.md
    #[arg(long)]
    page: bool,
}

/// The page with the tables.
const PAGE: &str = "docs/book/src/evidence/bounds.md";

impl Args {
    /// Writes a table into its file, and into the page if that is wanted.
    fn end(&self, table: &str, path: &Path) -> Result<()> {
        write(path, table)?;
        println!("\n{table}\nThe table is {}.", path.display());
        if self.page {
            let page = root().join(PAGE);
            let text = std::fs::read_to_string(&page)
                .map_err(|e| Error(format!("{}: {e}", page.display())))?;
            write(&page, &with_table(&text, table)?)?;
        }
        Ok(())
    }
}

/// A page with a table in the place of the one that has the same first line.
fn with_table(page: &str, table: &str) -> Result<String> {
    let head = table.lines().next().unwrap_or_default();
    let begins = page
        .find(head)
        .ok_or_else(|| Error(format!("{PAGE} has no table `{head}`")))?;
    let rest = &page[begins..];
    let ends = rest.find("\n\n").map_or(rest.len(), |n| n + 1);
    Ok(format!("{}{table}{}", &page[..begins], &rest[ends..]))
}

/// A row of the table: its name, the sweep, and a range if it is not the sweep's own.
struct Row {
    name: &'static str,
    sweep: &'static str,
    range: Option<&'static str>,
    /// The number of cells of the bound, if not the default.
    cells: Option<u32>,
    /// Whether it is known to stay a bracket: docs/book/src/contribute/log/exact.md has the reasons.
    bracket: bool,
}

impl Row {
    /// What a proof is begun with: the kernel's text, the range and the cells. With another of them it cannot be resumed.
    fn plan(&self, ir: &str) -> String {
        let range = self.range.unwrap_or("the sweep's");
        let cells = self.cells.map_or("the default".into(), |n| n.to_string());
        format!("{ir}range {range}, cells {cells}\n")
    }
}

const fn whole(name: &'static str) -> Row {
    Row {
        name,
        sweep: name,
        range: None,
        cells: None,
        bracket: false,
    }
}

/// A routine that is a different program for each exponent, or each multiple of a period: it has many cells.
const fn many(name: &'static str, cells: u32) -> Row {
    Row {
        cells: Some(cells),
        ..whole(name)
    }
}

const fn part(name: &'static str, sweep: &'static str, range: &'static str) -> Row {
    Row {
        name,
        range: Some(range),
        ..whole(sweep)
    }
}

/// A row that is known to stay a bracket.
const fn bracket(row: Row) -> Row {
    Row {
        bracket: true,
        ..row
    }
}

/// In the order of their duration, but for the brackets of whole ranges.
const ROWS: &[Row] = &[
    whole("reciprocal-f32"),
    part("exp-table-part", "exp-table", "50.0..50.3"),
    part(
        "sin-fdlibm-part",
        "sin-fdlibm",
        "-0.7853981633974483..=0.7853981633974483",
    ),
    bracket(part("exp-fdlibm-part", "exp-fdlibm", "50.0..50.3")),
    part("cbrt-freebsd-part", "cbrt-freebsd", "1.0..1.00001"),
    whole("reciprocal"),
    whole("exp"),
    whole("reciprocal-intel"),
    whole("reciprocal-fma"),
    bracket(whole("reciprocal-intel-fma")),
    many("log-table", 2_000_000),
    many("exp-table", 3_000_000),
    whole("log-polynomial"),
    bracket(many("exp-fdlibm", 1_500_000)),
    bracket(many("sin-fdlibm", 3_000_000)),
    bracket(many("cbrt-freebsd", 4_000_000)),
];

const HEAD: &str = "| sweep | inputs | certified bound | exact maximum | at | time | certificate |\n\
                    |---|---|---|---|---|---|---|\n";

/// `cargo xtask exact`.
pub fn run(args: &Args) -> Result<()> {
    let folder = args.folder.clone().unwrap_or_else(|| {
        let own = if args.bounds { "exact-bounds" } else { "exact" };
        root().join("target").join(own)
    });
    std::fs::create_dir_all(&folder).map_err(|e| Error(format!("{}: {e}", folder.display())))?;
    let crunch = || built(args.dev, &["--features", "cli"], "crunch");
    if args.bounds {
        let rows = bounds::chosen(&args.names)?;
        let table = bounds::table(&rows, &crunch()?, &folder, args.jobs)?;
        return args.end(&table, &folder.join("bounds.md"));
    }
    let rows = chosen(&args.names)?;
    let programs = Programs {
        crunch: crunch()?,
        check: built(args.dev, &["-p", "crunch-check"], "crunch-check")?,
    };
    let mut table = HEAD.to_string();
    for row in rows {
        let done = Done::of(row, &folder, &programs, args)?;
        let line = done.line(row);
        println!("{line}");
        table += &format!("{line}\n");
    }
    args.end(&table, &folder.join("table.md"))
}

fn chosen(names: &[String]) -> Result<Vec<&'static Row>> {
    if names.is_empty() {
        return Ok(ROWS.iter().collect());
    }
    let find = |name: &String| {
        ROWS.iter().find(|r| r.name == name).ok_or_else(|| {
            let all: Vec<&str> = ROWS.iter().map(|r| r.name).collect();
            Error(format!("`{name}` is no row; they are {}", all.join(", ")))
        })
    };
    names.iter().map(find).collect()
}

struct Programs {
    crunch: PathBuf,
    check: PathBuf,
}

fn write(path: &Path, text: &str) -> Result<()> {
    std::fs::write(path, text).map_err(|e| Error(format!("{}: {e}", path.display())))
}

/// A document that was kept.
fn read(path: &Path) -> Option<Value> {
    let text = std::fs::read_to_string(path).ok()?;
    serde_json::from_str(&text).ok()
}

/// The state of a row.
struct Done {
    /// The output of `crunch exact`.
    answer: Value,
    /// The time of the proof in seconds, over all sessions.
    seconds: f64,
    /// The size of the certificate, the checker's verdict, and its time in seconds.
    checked: Option<(u64, bool, f64)>,
    /// The size of a certificate that is too large to be checked.
    unchecked: Option<u64>,
    /// The error of the command, if it failed.
    trouble: Option<String>,
}

impl Done {
    fn of(row: &Row, folder: &Path, programs: &Programs, args: &Args) -> Result<Done> {
        let file = |ending: &str| folder.join(format!("{}.{ending}", row.name));
        let (certificate, answer) = (file("cert"), file("json"));
        let ir =
            output(Command::new(&programs.crunch).args(["emit", row.sweep, "--target", "ir"]))?;
        let plan = row.plan(&ir);
        let same = std::fs::read_to_string(file("plan")).is_ok_and(|old| old == plan);
        if !same {
            for ending in ["cert", "cert.part", "json"] {
                let _ = std::fs::remove_file(file(ending));
            }
            write(&file("plan"), &plan)?;
        }
        let mut done = match read(&answer).as_ref().and_then(Done::read) {
            Some(done) if done.answer["exact"] == true => done,
            before => {
                let mut done = prove(row, &certificate, programs, args)?;
                done.seconds += before.map_or(0.0, |b| b.seconds);
                // Written before the check, so that the proof is not lost if the check is stopped.
                write(&answer, &done.document().to_string())?;
                done
            }
        };
        let proven = done.checked.is_some_and(|c| c.1);
        if done.answer["exact"] == true && certificate.is_file() && !proven {
            let bytes = size(&certificate)?;
            let small = bytes as f64 <= args.check * 1e6;
            done.unchecked = (!small).then_some(bytes);
            if small {
                let (proven, seconds) = check(&certificate, programs, args);
                done.checked = Some((bytes, proven, seconds));
            }
            write(&answer, &done.document().to_string())?;
        }
        Ok(done)
    }

    fn document(&self) -> Value {
        json!({
            "answer": self.answer,
            "seconds": self.seconds,
            "checked": self.checked.map(|(bytes, proven, seconds)| json!([bytes, proven, seconds])),
            "unchecked": self.unchecked,
            "trouble": self.trouble,
        })
    }

    fn read(document: &Value) -> Option<Done> {
        let checked = &document["checked"];
        Some(Done {
            answer: document.get("answer")?.clone(),
            seconds: document["seconds"].as_f64()?,
            checked: checked
                .as_array()
                .map(|c| (c[0].as_u64().unwrap_or(0), c[1] == true, number(&c[2]))),
            unchecked: document["unchecked"].as_u64(),
            trouble: document["trouble"].as_str().map(String::from),
        })
    }

    /// The row as Markdown.
    fn line(&self, row: &Row) -> String {
        let a = &self.answer;
        let text = |v: &Value| v.as_str().unwrap_or("?").to_string();
        let bound = match a["bound"].as_f64() {
            Some(bound) => format!("{bound:.7} ({})", time(number(&a["bound_seconds"]))),
            None => "–".into(),
        };
        let maximum = match (a["exact"] == true, a["lower"].as_f64()) {
            (true, Some(error)) if a["bound"].is_null() => {
                format!("**{error:.12}**, every input run")
            }
            (true, Some(error)) => format!("**{error:.12}**"),
            (false, Some(lower)) => format!("[{lower:.9}, {:.7}]{}", number(&a["upper"]), but(a)),
            (_, None) => match (&self.trouble, a["upper"].as_f64()) {
                (_, Some(upper)) => format!("below {upper:.7}{}", but(a)),
                (Some(trouble), None) => trouble.clone(),
                (None, None) => "?".into(),
            },
        };
        let at = a["input"]["bits"].as_str().map_or("–".into(), |bits| {
            format!("`{}`", bits.trim_start_matches("0x"))
        });
        let certificate = match (self.checked, self.unchecked) {
            (Some((bytes, true, seconds)), _) => {
                format!("{:.1} MB, checked in {}", bytes as f64 / 1e6, time(seconds))
            }
            (Some((_, false, _)), _) => "**refused by crunch-check**".into(),
            (None, Some(bytes)) => format!("{:.1} MB, not checked", bytes as f64 / 1e6),
            (None, None) => "–".into(),
        };
        format!(
            "| `{}` | {} | {bound} | {maximum} | {at} | {} | {certificate} |",
            row.sweep,
            text(&a["range"]),
            time(self.seconds)
        )
    }
}

/// The inputs for which the bracket does not hold.
fn but(answer: &Value) -> String {
    match &answer["special_inputs"] {
        Value::Null => String::new(),
        left if *left == 0 => String::new(),
        left => format!(", but for {left} inputs without a bound"),
    }
}

fn number(v: &Value) -> f64 {
    v.as_f64().unwrap_or(f64::INFINITY)
}

fn time(seconds: f64) -> String {
    match seconds {
        s if s < 60.0 => format!("{s:.1} s"),
        s if s < 3600.0 => format!("{} min {:.0} s", (s / 60.0).floor(), s % 60.0),
        s => format!("{} h {:.0} min", (s / 3600.0).floor(), s % 3600.0 / 60.0),
    }
}

/// Runs `crunch exact`, which resumes a stopped proof.
fn prove(row: &Row, certificate: &Path, programs: &Programs, args: &Args) -> Result<Done> {
    let command = |certified: bool| {
        let mut command = Command::new(&programs.crunch);
        command.args(["--json", "exact", row.sweep]);
        let minutes = args.minutes.unwrap_or(if row.bracket { 3.0 } else { 60.0 });
        command.args(["--time", &format!("{}s", minutes * 60.0)]);
        if let Some(range) = row.range {
            command.args(["--range", range]);
        }
        if let Some(cells) = row.cells {
            command.args(["--cells", &cells.to_string()]);
        }
        if let Some(jobs) = args.jobs {
            command.args(["--jobs", &jobs.to_string()]);
        }
        if certified {
            // The checker is run, and timed, afterwards.
            command
                .arg("--certificate")
                .arg(certificate)
                .arg("--no-check");
        }
        command
    };
    let begun = Instant::now();
    let (mut answer, mut trouble) = answer(&mut command(true))?;
    // For a function that the checker does not support, or binary32, no certificate can be written.
    if answer.is_null() {
        (answer, trouble) = self::answer(&mut command(false))?;
    }
    if answer.is_null() {
        // The bound itself was refused.
        answer = json!({ "range": row.range.unwrap_or("its own") });
    }
    Ok(Done {
        answer,
        seconds: begun.elapsed().as_secs_f64(),
        checked: None,
        unchecked: None,
        trouble,
    })
}

/// The document that a command prints, null if it is an error's; and the last line of its error output if it failed.
fn answer(command: &mut Command) -> Result<(Value, Option<String>)> {
    println!("$ {}", shown(command));
    let out = command
        .stdin(Stdio::null())
        .stderr(Stdio::piped())
        .output()
        .map_err(|e| Error(format!("`{}` could not be started: {e}", shown(command))))?;
    let errors = String::from_utf8_lossy(&out.stderr);
    eprint!("{errors}");
    let document: Value = serde_json::from_slice(&out.stdout)
        .map_err(|e| Error(format!("`{}`: {e}: {errors}", shown(command))))?;
    let trouble = errors.lines().rfind(|l| l.starts_with("error: "));
    let trouble = (!out.status.success()).then(|| trouble.unwrap_or("").into());
    let document = if document.get("error").is_some() {
        Value::Null
    } else {
        document
    };
    Ok((document, trouble))
}

fn size(file: &Path) -> Result<u64> {
    let found = std::fs::metadata(file);
    let found = found.map_err(|e| Error(format!("{}: {e}", file.display())))?;
    Ok(found.len())
}

/// Whether the checker proves a certificate, and its time in seconds.
fn check(certificate: &Path, programs: &Programs, args: &Args) -> (bool, f64) {
    let mut command = Command::new(&programs.check);
    command.arg(certificate);
    if let Some(jobs) = args.jobs {
        command.args(["--jobs", &jobs.to_string()]);
    }
    let begun = Instant::now();
    let proven = run_command(&mut command).is_ok();
    (proven, begun.elapsed().as_secs_f64())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_are_markdown() {
        let row = &ROWS[0];
        let mut done = Done {
            answer: json!({
                "range": "1.0..2.0", "bound": 2.000_036_2, "bound_seconds": 0.5, "exact": true,
                "lower": 1.999_987_151_135, "upper": 1.999_987_151_135,
                "input": { "bits": "0x3ff00004080e6626" },
            }),
            seconds: 13.0,
            checked: Some((2_100_000, true, 83.0)),
            unchecked: None,
            trouble: None,
        };
        let line = "| `reciprocal-f32` | 1.0..2.0 | 2.0000362 (0.5 s) | **1.999987151135** | `3ff00004080e6626` | 13.0 s | \
                    2.1 MB, checked in 1 min 23 s |";
        assert_eq!(done.line(row), line);
        let again = Done::read(&done.document()).expect("a document");
        assert_eq!(again.line(row), line);
        // A row is never exact if a stretch is open.
        done.answer["exact"] = false.into();
        done.answer["lower"] = 1.5.into();
        assert!(done.line(row).contains("[1.500000000, 1.9999872]"));
        done.answer["special_inputs"] = 12.into();
        assert!(
            done.line(row)
                .contains("1.9999872], but for 12 inputs without a bound")
        );
        done.checked = Some((1, false, 1.0));
        assert!(done.line(row).contains("**refused by crunch-check**"));
        // And never proven again if nothing was proven.
        done.checked = None;
        done.unchecked = Some(91_400_000);
        let again = Done::read(&done.document()).expect("a document");
        assert!(again.line(row).ends_with("| 91.4 MB, not checked |"));
    }

    #[test]
    fn another_range_or_other_cells_are_another_plan() {
        let row = whole("exp");
        let plan = row.plan("ir\n");
        assert_eq!(plan, whole("exp").plan("ir\n"));
        for other in [part("exp", "exp", "1.0..2.0"), many("exp", 5)] {
            assert_ne!(plan, other.plan("ir\n"));
        }
        assert_ne!(plan, row.plan("another\n"));
    }

    #[test]
    fn a_table_is_put_in_the_place_of_its_own_kind() {
        let page = "# Page\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\nText.\n\n| a | c |\n|---|---|\n";
        let made = with_table(page, "| a | b |\n|---|---|\n| 3 | 4 |\n").expect("it is there");
        assert_eq!(made, page.replace("| 1 | 2 |", "| 3 | 4 |"));
        let made = with_table(page, "| a | c |\n|---|---|\n| 5 | 6 |\n").expect("it is there");
        assert_eq!(made, format!("{page}| 5 | 6 |\n"));
        assert!(with_table(page, "| d |\n").is_err());
        // The page has both.
        let text = std::fs::read_to_string(root().join(PAGE)).expect("the page");
        for head in [HEAD, bounds::HEAD] {
            with_table(&text, head).expect("the table is there");
        }
    }

    #[test]
    fn names_are_of_rows() {
        assert_eq!(chosen(&["exp".into()]).expect("a row")[0].sweep, "exp");
        let e = chosen(&["xp".into()]).err().expect("no row");
        assert!(e.0.contains("`xp` is no row; they are "), "{}", e.0);
    }
}
