//! A slice, in its process.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Arc;

use doublecrunch::backend::{Backend, Discovery, Filter, discover};

use super::{Args, Only, SLICE, describe};
use crate::ast::Unit;
use crate::compare::Finding;
use crate::{compare, cpu, fault_injection, generate, inputs};

/// The seed of a slice's inputs.
fn inputs_seed(seed: u64, from: u64) -> u64 {
    seed ^ from.wrapping_mul(0x9e37_79b9_7f4a_7c15)
}

/// Runs a slice here.
#[must_use]
pub fn slice(args: &Args) -> ExitCode {
    let seed = args.seed.unwrap_or(1);
    let count = args.kernels.unwrap_or(SLICE);
    let units: Vec<Unit> = (args.from..args.from + count)
        .map(|n| generate::unit(seed, n))
        .collect();
    let slice = Slice {
        units,
        seed: inputs_seed(seed, args.from),
        rows: args.rows,
        folder: std::env::var_os("RANDOM_KERNELS_FOLDER").map_or_else(
            || std::env::temp_dir().join("random-kernels"),
            PathBuf::from,
        ),
        profile: args.profile.clone(),
        prebuilt: args.prebuilt.clone().map(|folder| cpu::Prebuilt {
            folder,
            seed,
            from: args.from,
        }),
    };
    let filter: Filter = match args.backends.parse() {
        Ok(filter) => filter,
        Err(e) => {
            eprintln!("{e}");
            return ExitCode::FAILURE;
        }
    };
    let fault = match args.inject.as_deref().map(fault_injection::named) {
        None => None,
        Some(Some(fault)) => Some(fault),
        Some(None) => {
            eprintln!("there is no such fault; `--inject list` names them");
            return ExitCode::FAILURE;
        }
    };
    let mut outcome = match slice.run(&filter, args.only, fault) {
        Ok(outcome) => outcome,
        Err(e) => {
            eprintln!("{e}");
            return ExitCode::FAILURE;
        }
    };
    for (backend, n) in &outcome.evaluations {
        println!("@evaluations\t{backend}\t{n}");
    }
    for (backend, reason) in &outcome.absent {
        println!("@absent\t{backend}\t{}", reason.replace(['\n', '\t'], " "));
    }
    outcome.findings.sort_by_key(|f| f.unit);
    // One for each backend is made small: the others are mostly the same.
    let mut seen: Vec<&str> = Vec::new();
    for finding in &outcome.findings {
        let number = args.from + finding.unit as u64;
        println!(
            "kernel {number} of seed {seed}: {}",
            slice.describe(finding)
        );
        if seen.contains(&finding.backend.as_str()) {
            continue;
        }
        seen.push(&finding.backend);
        slice.small(
            finding,
            &outcome.backends,
            fault,
            number,
            args.save.as_deref(),
        );
    }
    println!("@end\t{}", outcome.findings.len());
    ExitCode::SUCCESS
}

/// Kernels and how they are run.
#[derive(Debug)]
pub struct Slice {
    /// The kernels.
    pub units: Vec<Unit>,
    /// The seed of the inputs.
    pub seed: u64,
    /// How many inputs.
    pub rows: usize,
    /// Where generated source is written.
    pub folder: PathBuf,
    /// What it is compiled in.
    pub profile: String,
    /// The programs in place of generated source.
    pub prebuilt: Option<cpu::Prebuilt>,
}

/// What a slice showed.
#[derive(Default)]
pub struct Outcome {
    /// What went wrong.
    pub findings: Vec<Finding>,
    /// Kernel-input evaluations of each backend.
    pub evaluations: BTreeMap<String, u64>,
    /// What was not here.
    pub absent: BTreeMap<String, String>,
    /// The backends that need no rustc, the interpreter first.
    pub backends: Vec<Arc<dyn Backend>>,
}

/// The backends that need no rustc: interpreter first.
#[must_use]
pub fn text_backends(found: &Discovery) -> Vec<Arc<dyn Backend>> {
    let (mut oracle, others): (Vec<_>, Vec<_>) = found
        .backends
        .iter()
        .filter(|b| !crate::child::BACKENDS.split(',').any(|c| c == b.id()))
        .cloned()
        .partition(|b| b.id() == "interpreter");
    oracle.extend(others);
    oracle
}

impl Slice {
    /// Runs all kernels on the requested backends that are present.
    ///
    /// # Errors
    /// When generated source does not build for another reason than a kernel.
    pub fn run(
        &self,
        filter: &Filter,
        only: Option<Only>,
        fault: Option<&'static fault_injection::Fault>,
    ) -> Result<Outcome, String> {
        let mut outcome = Outcome::default();
        let found = discover(filter);
        for absent in &found.absent {
            outcome
                .absent
                .insert(absent.id.clone(), absent.reason.clone());
        }
        for (id, error) in &found.refused {
            outcome.absent.insert(id.clone(), error.to_string());
        }
        let backends = fault_injection::with_fault(text_backends(&found), fault);
        let columns = inputs::columns(self.seed, self.rows);
        let injected: Vec<_> = self
            .units
            .iter()
            .map(|u| fault_injection::in_rust(u, fault))
            .collect();
        let rust_wanted = only != Some(Only::Text)
            && crate::child::BACKENDS.split(',').any(|b| filter.matches(b));
        let (text, rust) = std::thread::scope(|scope| {
            let rust = scope.spawn(|| {
                let builder = cpu::Builder::new(&self.folder, &self.profile);
                rust_wanted.then(|| self.rust(&builder, &injected))
            });
            let text = if only == Some(Only::Rust) || backends.len() < 2 {
                Vec::new()
            } else {
                compare::compare(&self.units, &columns, &backends)
            };
            let rust = rust.join().unwrap_or_else(|p| std::panic::resume_unwind(p));
            (text, rust)
        });
        if only != Some(Only::Rust) {
            for backend in &backends {
                let n = self.units.len() * self.rows;
                outcome.evaluations.insert(backend.id().into(), n as u64);
            }
        }
        outcome.findings.extend(text);
        if let Some(rust) = rust {
            let rust = rust?;
            outcome.findings.extend(rust.findings);
            outcome.evaluations.extend(rust.evaluations);
        }
        outcome.backends = backends;
        Ok(outcome)
    }

    /// Batch after batch.
    fn rust(
        &self,
        builder: &cpu::Builder,
        injected: &[Option<cpu::InjectedFault>],
    ) -> Result<cpu::Outcome, String> {
        let mut all = cpu::Outcome::default();
        // What every program has besides its kernels is larger than they are, so those compiled earlier are few.
        let together = match self.prebuilt {
            Some(_) => SLICE as usize,
            None => cpu::TOGETHER,
        };
        for (n, units) in self.units.chunks(together).enumerate() {
            let first = n * together;
            let injected = &injected[first..first + units.len()];
            let mut outcome = match &self.prebuilt {
                Some(_) if injected.iter().any(Option::is_some) => {
                    return Err("a fault in Rust source needs a compiler: no --prebuilt".into());
                }
                Some(programs) => programs.run(first, units, self.seed, self.rows)?,
                None => builder.run(units, injected, self.seed, self.rows)?,
            };
            outcome.findings.iter_mut().for_each(|f| f.unit += first);
            all.findings.append(&mut outcome.findings);
            for (backend, n) in outcome.evaluations {
                *all.evaluations.entry(backend).or_default() += n;
            }
        }
        Ok(all)
    }

    /// A finding in a few words.
    fn describe(&self, finding: &Finding) -> String {
        let unit = &self.units[finding.unit];
        describe(unit, finding, &inputs::columns(self.seed, self.rows))
    }
}
