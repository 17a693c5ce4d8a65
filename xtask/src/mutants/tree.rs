//! The copy of the workspace that has the faults, and its build.

use std::collections::BTreeSet;
use std::io::Write as _;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use serde_json::Value;

use super::fault::{Fault, appended, error};
use super::run::Test;
use super::sites::{Placed, Site, sites, with_switches};
use crate::error::{Error, Result};
use crate::process::root;
use crate::test_modules;

/// The module that every crate gets.
const SWITCH: &str = include_str!("switch.txt");
const SWITCH_FILE: &str = "src/mutants_switch.rs";
const SWITCHED: &str = "crate::mutants_switch::on";

/// All faults of these crates' sources, without those of their programs' `main`.
pub fn faults(crates: &[&str]) -> Result<Vec<Fault>> {
    let mut faults = Vec::new();
    for name in crates {
        let files = listed(&root(), &[&format!("{name}/src")])?;
        let mut modules = Vec::new();
        for file in files
            .iter()
            .filter(|f| f.extension().is_some_and(|e| e == "rs"))
        {
            modules.extend(test_modules::declared(file, &read(&root().join(file))?));
        }
        for file in files {
            let is_test = test_modules::contain(&modules, &file)
                || file.components().any(|c| {
                    let c = c.as_os_str();
                    c == "tests"
                        || c == "tests.rs"
                        || c == "fuzz.rs"
                        || c == "main.rs"
                        || c == "fault_injection"
                });
            if is_test || file.extension().is_none_or(|e| e != "rs") {
                continue;
            }
            let text = read(&root().join(&file))?;
            let found = sites(&text).map_err(|e| error(&file.display().to_string(), e))?;
            let lines: Vec<&str> = text.lines().collect();
            faults.extend(found.into_iter().map(|site| Fault {
                file: file.clone(),
                source: lines.get(site.line - 1).map_or("", |l| l.trim()).into(),
                site,
            }));
        }
    }
    Ok(faults)
}

/// The files that git knows below these paths.
fn listed(root: &Path, below: &[&str]) -> Result<Vec<PathBuf>> {
    let mut git = Command::new("git");
    git.current_dir(root).args([
        "ls-files",
        "-z",
        "--cached",
        "--others",
        "--exclude-standard",
        "--",
    ]);
    let output = git.args(below).output().map_err(|e| error("git", e))?;
    let text = String::from_utf8(output.stdout).map_err(|e| error("git", e))?;
    let mut files: Vec<PathBuf> = text
        .split('\0')
        .filter(|f| !f.is_empty())
        .map(PathBuf::from)
        .collect();
    files.retain(|f| root.join(f).is_file());
    Ok(files)
}

fn read(path: &Path) -> Result<String> {
    std::fs::read_to_string(path).map_err(|e| error(&path.display().to_string(), e))
}

/// Writes a file, unless it has the text already: what is not touched is not compiled again.
fn write(path: &Path, text: &[u8]) -> Result<()> {
    if std::fs::read(path).is_ok_and(|old| old == text) {
        return Ok(());
    }
    let folder = path.parent().expect("a file is in a folder");
    std::fs::create_dir_all(folder)
        .and_then(|()| std::fs::write(path, text))
        .map_err(|e| error(&path.display().to_string(), e))
}

/// Removes the files of an earlier version that are no longer in the workspace: a module may have become a folder.
fn remove_others(tree: &Path, folder: &Path, files: &BTreeSet<PathBuf>) -> Result<()> {
    let wrong = |e: std::io::Error| error(&folder.display().to_string(), e);
    for entry in std::fs::read_dir(folder).map_err(wrong)? {
        let path = entry.map_err(wrong)?.path();
        let own = path.strip_prefix(tree).expect("it is below the tree");
        if path.is_dir() {
            remove_others(tree, &path, files)?;
        } else if !files.contains(own) && !own.ends_with(SWITCH_FILE) {
            std::fs::remove_file(&path).map_err(wrong)?;
        }
    }
    Ok(())
}

/// Copies the workspace, compiles it with all faults, and leaves out those that rustc refuses. Returns the programs' tests.
pub fn built(faults: &mut Vec<Fault>, crates: &[&str], folder: &Path) -> Result<Vec<Test>> {
    let tree = folder.join("tree");
    // What rustc refused in an earlier run, it refuses again.
    let list = folder.join("refused.txt");
    let known = std::fs::read_to_string(&list).unwrap_or_default();
    let known: BTreeSet<&str> = known.lines().collect();
    faults.retain(|f| !known.contains(&*f.name()));
    // The files that are changed: those with faults, and the crates' roots, which get a module.
    let roots = crates.iter().map(|c| PathBuf::from(c).join("src/lib.rs"));
    let changed: BTreeSet<PathBuf> = faults.iter().map(|f| f.file.clone()).chain(roots).collect();
    let files = listed(&root(), &["."])?;
    for file in files.iter().filter(|f| !changed.contains(*f)) {
        let text = std::fs::read(root().join(file)).map_err(|e| error("a file", e))?;
        write(&tree.join(file), &text)?;
    }
    remove_others(&tree, &tree, &files.into_iter().collect())?;
    for round in 1.. {
        let mut places = Vec::new();
        for file in &changed {
            let text = read(&root().join(file))?;
            let own: Vec<(usize, &Site)> = (0..)
                .zip(faults.iter())
                .filter(|(_, f)| f.file == *file)
                .map(|(n, f)| (n, &f.site))
                .collect();
            let (mut with, placed) = with_switches(&text, &own, SWITCHED);
            if file.ends_with("src/lib.rs") {
                with.push_str("\nmod mutants_switch;\n");
            }
            places.push((file.clone(), placed));
            write(&tree.join(file), with.as_bytes())?;
        }
        for name in crates {
            let switch = format!("const COUNT: usize = {};\n", faults.len());
            let switch = SWITCH.replacen("\nuse std::fs", &format!("\n{switch}\nuse std::fs"), 1);
            write(&tree.join(name).join(SWITCH_FILE), switch.as_bytes())?;
        }
        println!("round {round}: {} faults are compiled", faults.len());
        // The libraries alone at first: refused faults cost no build of what depends on them.
        let (mut tests, mut wrong) = (Vec::new(), Vec::new());
        for how in [
            &["check", "--lib", "--keep-going"][..],
            &["build", "--lib"],
            &["build", "--tests"],
        ] {
            if wrong.is_empty() {
                (tests, wrong) = compile(how, &tree, crates, folder)?;
            }
        }
        if wrong.is_empty() {
            return Ok(tests);
        }
        let refused = refused(faults, &places, &wrong)?;
        let names: String = refused.iter().map(|&n| faults[n].name() + "\n").collect();
        appended(&list)?
            .write_all(names.as_bytes())
            .map_err(|e| error("refused.txt", e))?;
        if round == 9 {
            break;
        }
        let mut numbers = 0..;
        faults.retain(|_| numbers.next().is_some_and(|n| !refused.contains(&n)));
    }
    Err(Error("rustc refuses something in every round".into()))
}

/// An error of rustc's: the file, and the bytes of it.
type Wrong = (PathBuf, Range<usize>, String);

fn compile(
    how: &[&str],
    tree: &Path,
    crates: &[&str],
    folder: &Path,
) -> Result<(Vec<Test>, Vec<Wrong>)> {
    let mut cargo = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    cargo
        .current_dir(tree)
        .args(how)
        .arg("--message-format=json");
    for name in crates {
        cargo.args(["-p", name]);
    }
    cargo.env("CARGO_TARGET_DIR", folder.join("target"));
    cargo
        .env("CARGO_PROFILE_DEV_DEBUG", "none")
        .env("CARGO_INCREMENTAL", "0");
    let output = cargo
        .stderr(Stdio::inherit())
        .output()
        .map_err(|e| error("cargo", e))?;
    let (mut tests, mut wrong) = (Vec::new(), Vec::new());
    for line in output
        .stdout
        .split(|b| *b == b'\n')
        .filter(|l| !l.is_empty())
    {
        let Ok(message) = serde_json::from_slice::<Value>(line) else {
            continue;
        };
        let text = |v: &Value| v.as_str().unwrap_or_default().to_string();
        match message["reason"].as_str() {
            Some("compiler-artifact") if message["profile"]["test"] == true => {
                let Some(program) = message["executable"].as_str() else {
                    continue;
                };
                let manifest = PathBuf::from(text(&message["manifest_path"]));
                let own = manifest.parent().expect("a manifest is in a folder");
                tests.extend(Test::of(Path::new(program), own)?);
            }
            Some("compiler-message") if message["message"]["level"] == "error" => {
                let inner = &message["message"];
                let what = text(&inner["message"]);
                for span in inner["spans"].as_array().into_iter().flatten() {
                    if span["is_primary"] == true {
                        let byte = |name: &str| span[name].as_u64().unwrap_or(0) as usize;
                        let at = byte("byte_start")..byte("byte_end");
                        wrong.push((PathBuf::from(text(&span["file_name"])), at, what.clone()));
                    }
                }
            }
            _ => {}
        }
    }
    if !output.status.success() && wrong.is_empty() {
        return Err(Error(
            "the copy does not compile, and rustc names no place".into(),
        ));
    }
    Ok((tests, wrong))
}

/// The faults in which rustc's errors lie: in their wrong texts, or else the innermost around each.
fn refused(
    faults: &[Fault],
    places: &[(PathBuf, Vec<Placed>)],
    wrong: &[Wrong],
) -> Result<BTreeSet<usize>> {
    let mut refused = BTreeSet::new();
    for (file, at, what) in wrong {
        // A name that is given its value later needs all of its assignments.
        if what.contains("possibly-uninitialized") {
            let name = what.split('`').nth(1).unwrap_or_default();
            let of_name = |f: &Fault| {
                let mut names = f
                    .site
                    .assigned
                    .iter()
                    .flat_map(|a| a.split(['(', ',', ' ', ')']));
                names.any(|n| n == name)
            };
            let found = (0..)
                .zip(faults)
                .filter(|(_, f)| f.file == *file && of_name(f));
            let found: Vec<usize> = found.map(|(n, _)| n).collect();
            if !found.is_empty() {
                refused.extend(found);
                continue;
            }
        }
        let placed = places
            .iter()
            .find(|(f, _)| f == file)
            .map_or(&[][..], |(_, p)| p);
        let around = |range: &Range<usize>| range.start <= at.start && at.end <= range.end;
        let shortest = |of: fn(&Placed) -> &Range<usize>| {
            placed
                .iter()
                .filter(|p| around(of(p)))
                .min_by_key(|p| of(p).len())
        };
        let Some(found) = shortest(|p| &p.wrong).or_else(|| shortest(|p| &p.whole)) else {
            return Err(Error(format!("{} {at:?}: {what}", file.display())));
        };
        if refused.insert(found.number) && std::env::var_os("MUTANTS_WHY").is_some() {
            println!("refused: {}: {what}", faults[found.number].name());
        }
    }
    Ok(refused)
}
