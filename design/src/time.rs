//! The times of finalists, measured in turn: each finalist is measured in every round. So if the processor changes its speed, all of them
//! are affected.

mod loops;
mod scratch;

pub(crate) use scratch::KERNEL;

use std::path::Path;
use std::time::Instant;

use kernels_gen::program::Program;

use crate::judge::Candidate;
use crate::spec::Format;
use crate::strips::STRIP;
use crate::target::Target;

/// The method by which times were measured.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum By {
    /// A C++ compiler's loop over the kernel's text.
    Compiled(String),
    /// `map` of the kernels, by that compiler of Rust; other kernels are timed by the second method.
    Map(String, Box<By>),
    /// The strips, with the reason why there is no better method. Times are upper bounds.
    Strips(String),
}

impl By {
    /// A description in words.
    #[must_use]
    pub fn describe(&self) -> String {
        match self {
            By::Compiled(compiler) => {
                format!("the kernel's text in a loop, compiled by {compiler}")
            }
            By::Map(rustc, others) => format!(
                "`map` of the designs, compiled by {rustc}; of the other kernels, {}",
                others.describe()
            ),
            By::Strips(why) => format!(
                "operation by operation over columns, an upper bound of a compiled kernel's ({why})"
            ),
        }
    }
}

/// A measured program: called with the inputs, the results and their number.
type Loop = unsafe extern "C" fn(*const u8, *mut u8, u64);

/// Something that is timed.
pub struct Timed<'a> {
    /// The number of values that a run computes.
    pub values: usize,
    /// Computes the values.
    pub run: Box<dyn FnMut() + 'a>,
}

/// The method by which a kernel is timed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Clock {
    /// A loop over its text in C, which is compiled at once.
    #[default]
    Loop,
    /// `map` of its source in Rust, which is compiled with this library. Tables with few entries are looked up in registers.
    Map,
}

/// The programs that are timed.
pub struct Field<'a> {
    /// Kernels, to be evaluated over columns.
    pub candidates: Vec<&'a Candidate>,
    /// The same kernels, to be compiled.
    pub sources: Vec<Program>,
    /// The sources in Rust of the first of them, if their `map` is timed.
    pub rust: Vec<String>,
    /// Functions that run in the same rounds.
    pub others: Vec<Timed<'a>>,
    /// Inputs.
    pub inputs: &'a [f64],
    /// The format of inputs and results.
    pub format: Format,
    /// The instruction set of the kernels.
    pub target: Target,
}

/// Nanoseconds per value, first those of the kernels.
///
/// # Errors
/// If a candidate does not run, or if there is no compiler for the requested instruction set.
pub fn measure(field: Field<'_>, folder: &Path) -> Result<(Vec<f64>, By), String> {
    let mapped = match field.rust.len() {
        0 => None,
        _ => Some(scratch::compiled(&field.rust, field.target, folder)?),
    };
    // Those whose `map` is timed are in no loop.
    let (sources, candidates) = (
        &field.sources[field.rust.len()..],
        &field.candidates[field.rust.len()..],
    );
    let compiled = loops::compiled(sources, field.format, field.target, folder);
    let (library, mut by) = match (compiled, field.target) {
        (Ok((library, compiler)), target) => {
            let set = match target {
                Target::Widest => String::new(),
                set => format!(", for {}", set.name()),
            };
            (Some(library), By::Compiled(compiler + &set))
        }
        (Err(why), Target::Widest) => (None, By::Strips(why)),
        (Err(why), set) => {
            return Err(format!(
                "times for {} need a C++ compiler: {why}",
                set.name()
            ));
        }
    };
    let mut all = Vec::new();
    if let Some((library, rustc)) = &mapped {
        all = called(library, field.rust.len(), field.inputs, field.format)?;
        by = By::Map(rustc.clone(), Box::new(by));
    }
    all.extend(match &library {
        Some(library) => called(library, sources.len(), field.inputs, field.format)?,
        None => strips(candidates, field.inputs)?,
    });
    all.extend(field.others);
    Ok((rounds(&mut all), by))
}

/// The number of rounds, of which the fastest counts.
const ROUNDS: usize = 40;
/// The number of values of a round, which fit into the first-level cache.
pub(crate) const VALUES: usize = 2048;
const REPEATS: usize = 8;

/// Times each program in every round.
fn rounds(all: &mut [Timed<'_>]) -> Vec<f64> {
    let mut best = vec![f64::INFINITY; all.len()];
    for _ in 0..ROUNDS {
        for (timed, best) in all.iter_mut().zip(&mut best) {
            let start = Instant::now();
            for _ in 0..REPEATS {
                (timed.run)();
            }
            let time = start.elapsed().as_nanos() as f64 / (REPEATS * timed.values) as f64;
            *best = best.min(time);
        }
    }
    best
}

/// This many inputs from all parts of the sample.
pub(crate) fn spread(inputs: &[f64], many: usize) -> Vec<f64> {
    let step = (inputs.len() / many).max(1);
    inputs
        .iter()
        .step_by(step)
        .copied()
        .cycle()
        .take(many)
        .collect()
}

/// The functions of a library, each with its columns.
fn called<'a>(
    library: &'a libloading::Library,
    count: usize,
    inputs: &[f64],
    format: Format,
) -> Result<Vec<Timed<'a>>, String> {
    let bytes = |x: f64| match format.stored() {
        Some(format) => format.nearest((x as f32).to_bits()).to_le_bytes().to_vec(),
        None if format == Format::F64 => x.to_le_bytes().to_vec(),
        None => (x as f32).to_le_bytes().to_vec(),
    };
    let xs: Vec<u8> = spread(inputs, VALUES).into_iter().flat_map(bytes).collect();
    let timed = |i: usize| {
        // SAFETY: both kinds of libraries define this function with this type.
        let entry = unsafe { library.get::<Loop>(format!("dc_loop_{i}").as_bytes()) };
        let entry = entry.map_err(|e| e.to_string())?;
        let (xs, mut ys) = (xs.clone(), xs.clone());
        Ok(Timed {
            values: VALUES,
            // SAFETY: both columns have `VALUES` numbers.
            run: Box::new(move || unsafe {
                entry(xs.as_ptr(), ys.as_mut_ptr(), VALUES as u64);
            }),
        })
    };
    (0..count).map(timed).collect()
}

fn strips<'a>(candidates: &[&Candidate], inputs: &[f64]) -> Result<Vec<Timed<'a>>, String> {
    let xs = spread(inputs, STRIP);
    let timed = |c: &&Candidate| {
        let mut strips = c.strips()?;
        for (to, &x) in strips.inputs_f32().iter_mut().zip(&xs) {
            *to = x as f32;
        }
        for (to, &x) in strips.inputs_f64().iter_mut().zip(&xs) {
            *to = x;
        }
        Ok(Timed {
            values: STRIP,
            run: Box::new(move || strips.run(STRIP)),
        })
    };
    candidates.iter().map(timed).collect()
}
