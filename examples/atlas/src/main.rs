//! The atlas: every binary32 function of one argument of some libraries, searched over all 2^32 inputs. From the run files come the
//! tables, the JSON file and the page with the envelopes. With `--binary64`, the functions are those of binary64, and each is
//! searched for some time.
//!
//! `cargo xtask atlas` runs it. The run files are those of `crunch`, so `crunch status` and `crunch plot` read them.

mod directed;
mod libraries;
mod search;
mod write;

use std::path::PathBuf;
use std::process::ExitCode;

use clap::Parser;
use doublecrunch::search::key::Precision;

use libraries::{Library, Routine};

/// Search all inputs of functions that people use, and write docs/book/src/evidence/atlas.md.
#[derive(Debug, Parser)]
#[command(name = "cargo xtask atlas", bin_name = "cargo xtask atlas")]
struct Args {
    /// Functions, by the names of their references, separated by commas [default: all]
    #[arg(long, value_delimiter = ',')]
    functions: Vec<String>,
    /// Libraries, separated by commas: std, c, libm, pxfm, wide, micromath, fast-math, and of devices pocl,
    /// pocl-native, pocl-half, cuda, cuda-intrinsics [default: all]
    #[arg(long, value_delimiter = ',')]
    libraries: Vec<String>,
    /// The folder of the run files: a search in it is resumed
    #[arg(long, default_value = "target/atlas")]
    out: PathBuf,
    /// Stop after this many minutes; the same command resumes
    #[arg(long)]
    minutes: Option<f64>,
    /// Threads [default: all cores]
    #[arg(long, short = 'j')]
    threads: Option<usize>,
    /// Functions in binary64, each searched for some time as by `crunch run --library --time`
    #[arg(long)]
    binary64: bool,
    /// The seconds of each search in binary64
    #[arg(long, value_name = "N", default_value_t = directed::SECONDS, requires = "binary64")]
    seconds: u64,
    /// Search nothing: write the documents of the run files that are complete, into this folder
    #[arg(long, value_name = "FOLDER")]
    write: Option<PathBuf>,
}

impl Args {
    fn precision(&self) -> Precision {
        match self.binary64 {
            true => Precision::F64,
            false => Precision::F32,
        }
    }
}

/// A function of a library.
struct Entry {
    library: &'static Library,
    routine: &'static Routine,
}

/// The requested entries, function by function.
fn entries(args: &Args) -> Result<Vec<Entry>, String> {
    use doublecrunch::builtins::reference::{REFERENCES, Reference};
    for name in &args.functions {
        Reference::by_name(name).map_err(|e| e.to_string())?;
    }
    for name in &args.libraries {
        if !libraries::ALL.iter().any(|l| l.name == name) {
            let known: Vec<&str> = libraries::ALL.iter().map(|l| l.name).collect();
            return Err(format!(
                "no library is called `{name}`; there are: {}",
                known.join(", ")
            ));
        }
    }
    let precision = args.precision();
    let asked = |list: &[String], name: &str| list.is_empty() || list.iter().any(|n| n == name);
    let mut entries = Vec::new();
    for function in REFERENCES.iter().filter(|r| asked(&args.functions, r.name)) {
        for library in libraries::ALL
            .iter()
            .filter(|l| asked(&args.libraries, l.name))
        {
            let mut routines = library.of(precision).iter();
            let found = routines.find(|r| r.computes == function.name);
            entries.extend(found.map(|routine| Entry { library, routine }));
        }
    }
    if entries.is_empty() {
        return Err("no library has a function of these names".into());
    }
    Ok(entries)
}

fn run() -> Result<(), String> {
    let args = Args::parse();
    let entries = entries(&args)?;
    match (&args.write, args.binary64) {
        (Some(folder), false) => write::all(&entries, &args.out, folder),
        (Some(folder), true) => directed::write(&entries, &args.out, folder),
        (None, false) => search::all(&entries, &args),
        (None, true) => directed::all(&entries, &args),
    }
}

fn main() -> ExitCode {
    match run() {
        Ok(()) => ExitCode::SUCCESS,
        Err(e) => {
            eprintln!("atlas: {e}");
            ExitCode::FAILURE
        }
    }
}
