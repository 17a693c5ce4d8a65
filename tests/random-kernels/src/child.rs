//! What a program of compiled kernels does: each on every instruction set of this processor, against the interpreter, at
//! the same inputs as its tree was. What it finds it prints, a line each; [`crate::cpu`] reads them.

use std::process::ExitCode;

use doublecrunch::backend::{Filter, KernelRef, discover};
use kernels_gen::identity::identity_hex;

use crate::compare::{What, first_difference};
use crate::inputs;

/// A compiled kernel.
#[derive(Debug)]
pub struct Compiled {
    /// Its number among those given.
    pub number: usize,
    /// Which columns of [`inputs`] it takes.
    pub columns: &'static [usize],
    /// The kernel.
    pub kernel: KernelRef,
}

/// The backends that are compiled by rustc.
pub const BACKENDS: &str = "scalar,avx2,avx512";

/// For a form that was left out because the processor lacks its instructions.
pub fn absent(_: &[&[u64]], _: &mut [Vec<u64>]) {
    panic!("this form was not compiled");
}

/// Arguments: the inputs' seed, the number of rows.
#[must_use]
pub fn main(kernels: &[Compiled]) -> ExitCode {
    let mut args = std::env::args().skip(1).filter_map(|a| a.parse().ok());
    let (Some(seed), Some(rows)) = (args.next(), args.next()) else {
        eprintln!("usage: batch SEED ROWS");
        return ExitCode::FAILURE;
    };
    run(kernels, seed, rows as usize, &mut |line| println!("{line}"));
    ExitCode::SUCCESS
}

/// Runs them all; each line reports one event.
///
/// # Panics
/// When there is no interpreter, which is everywhere.
pub fn run(kernels: &[Compiled], seed: u64, rows: usize, say: &mut dyn FnMut(String)) {
    let columns = inputs::columns(seed, rows);
    let filter: Filter = format!("interpreter,{BACKENDS}")
        .parse()
        .expect("names of backends");
    let found = discover(&filter);
    let oracle = found.get("interpreter").expect("it is everywhere");
    for k in kernels {
        let n = k.number;
        let refused = |backend: &str, e: &dyn std::fmt::Display| {
            format!("refused {n} {backend} {}", e.to_string().replace('\n', " "))
        };
        let program = match kernels_gen::lower(k.kernel.kernel) {
            Ok(program) => program,
            Err(e) => {
                say(refused("interpreter", &e));
                continue;
            }
        };
        say(format!("identity {n} {}", identity_hex(&program)));
        let inputs: Vec<&[u64]> = k.columns.iter().map(|&c| columns[c].as_slice()).collect();
        let mut wanted = vec![Vec::new(); program.entry().results.len()];
        if let Err(e) = oracle
            .load(&k.kernel)
            .and_then(|mut p| p.eval(&inputs, &mut wanted))
        {
            say(refused("interpreter", &e));
            continue;
        }
        for backend in found.backends.iter().filter(|b| b.id() != "interpreter") {
            let mut got = vec![Vec::new(); wanted.len()];
            let done = backend
                .load(&k.kernel)
                .and_then(|mut p| p.eval(&inputs, &mut got));
            let id = backend.id();
            match done {
                Err(e) => say(refused(id, &e)),
                Ok(()) => {
                    say(format!("ran {n} {id} {rows}"));
                    if let Some(What::Differs {
                        row,
                        result,
                        want,
                        got,
                    }) = first_difference(&wanted, &got)
                    {
                        say(format!(
                            "differs {n} {id} {row} {result} {want:#x} {got:#x}"
                        ));
                    }
                }
            }
        }
    }
    say("end".into());
}
