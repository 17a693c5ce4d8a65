//! The command line.

use std::path::PathBuf;
use std::time::Duration;

/// A part of the comparison, so that each can be a process of its own.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Part {
    /// Our loop and the rivals on the processor.
    Cpu,
    /// The same on an NVIDIA GPU.
    Cuda,
    /// Our loop on more and more threads.
    Threads,
}

pub struct Options {
    /// The folder of compiled rivals in C.
    pub rivals: Option<PathBuf>,
    /// The folder of rivals in CUDA, the source's own by default.
    pub cuda_rivals: PathBuf,
    /// A table of instructions on the binary64 pipe, `<architecture> <kernel> <number>` a line.
    pub binary64: Option<PathBuf>,
    pub rounds: usize,
    /// The longest time for the rounds of a table, and for the choice among the variants of rivals before.
    pub most: Duration,
    pub parts: Vec<Part>,
    /// Each table as a line of JSON as well.
    pub json: bool,
    pub names: Vec<String>,
}

impl Options {
    pub fn read() -> Self {
        let source = concat!(env!("CARGO_MANIFEST_DIR"), "/benches/rivals");
        let mut options = Options {
            rivals: None,
            cuda_rivals: source.into(),
            binary64: None,
            rounds: 15,
            most: Duration::MAX,
            parts: vec![Part::Cpu, Part::Cuda],
            json: false,
            names: Vec::new(),
        };
        let mut args = std::env::args().skip(1).filter(|a| a != "--bench");
        while let Some(arg) = args.next() {
            let mut value = || args.next().unwrap_or_else(|| panic!("{arg} needs a value"));
            match arg.as_str() {
                "--rivals" => options.rivals = Some(value().into()),
                "--cuda-rivals" => options.cuda_rivals = value().into(),
                "--binary64" => options.binary64 = Some(value().into()),
                "--rounds" => options.rounds = value().parse().expect("a number of rounds"),
                "--seconds" => {
                    let seconds = value().parse().expect("a number of seconds");
                    options.most = Duration::from_secs_f64(seconds);
                }
                "--only" => {
                    options.parts = vec![match value().as_str() {
                        "cpu" => Part::Cpu,
                        "cuda" => Part::Cuda,
                        "threads" => Part::Threads,
                        other => panic!("--only {other}: cpu, cuda or threads"),
                    }];
                }
                "--json" => options.json = true,
                _ => options.names.push(arg),
            }
        }
        options
    }

    pub fn wants(&self, kernel: &str) -> bool {
        self.names.is_empty() || self.names.iter().any(|n| n == kernel)
    }
}
