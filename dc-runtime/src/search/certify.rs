//! The subject of `bound` and `hunt`, made from a sweep: its program, the true function, and the inputs.

use dc_exact::cell::Cell;
use dc_exact::law::{Law, Truth};
use dc_exact::point::stretches;
use kernels_gen::LowerError;
use kernels_gen::ir::Kernel;
use kernels_gen::ops::Prim;
use kernels_gen::program::Program;

use super::evaluator::PointEvaluator;
use super::identity::kernel_name;
use super::range::{Range, Span};
use crate::model::error::BackendError;
use crate::model::function::Function;
use crate::model::key::Precision;
use crate::model::programs::program_of;
use crate::model::space::InputSpace;
use crate::sweep::Sweep;

pub mod pairs;

/// A sweep whose errors can be bounded.
#[derive(Debug, Clone)]
pub struct Subject {
    /// The routine.
    pub program: Program,
    /// The function or program with which its results are compared.
    pub truth: Truth,
    /// The same as text: the function to which a bound is relative.
    pub relative: String,
    /// The numbers of the range, by sign.
    pub stretches: Vec<Cell>,
    /// The number of these inputs; the two zeros count as two.
    pub inputs: u128,
    /// The number of NaNs in the range, which are excluded.
    pub nans: u128,
    /// The number of infinities in the range, which are excluded.
    pub infinities: u128,
}

/// The reason why a sweep has no certified bound.
#[derive(Debug, thiserror::Error)]
pub enum Refused {
    /// The routine has two arguments.
    #[error("`{0}` has two arguments, and certified bounds are for routines of one")]
    Arguments(&'static str),
    /// The routine has two arguments, and pairs are not bounded for its function.
    #[error(
        "`{0}` has two arguments, and certified bounds over pairs are for routines of `hypot` and `div`, which are the roots of equations; \
         `crunch run` searches a sample of the pairs"
    )]
    Equation(&'static str),
    /// The routine is in binary32.
    #[error(
        "{0} is a routine of binary32, whose inputs can all be run in seconds: `crunch exact {0}` runs them and gives the exact largest \
         error; certified bounds are for binary64, where the inputs are not run"
    )]
    Binary32(&'static str),
    /// There is more than one result.
    #[error(
        "{sweep}: `{kernel}` has {results} results, and a bound is for the error of one number; name a routine that gives one DcDouble"
    )]
    Results {
        /// The sweep.
        sweep: &'static str,
        /// Its routine.
        kernel: String,
        /// The number of results.
        results: usize,
    },
    /// The routine or the reference is a function of the host.
    #[error("{sweep}: {why}, which cannot be evaluated over intervals; write it as a kernel")]
    Host {
        /// The sweep.
        sweep: &'static str,
        /// The part that is not a kernel.
        why: String,
    },
    /// The reference has a scale, and the function's derivatives are unknown here.
    #[error(
        "{sweep}: the reference `{reference}` gives a scale, which has no meaning in real arithmetic; name the function with `Sweep::of`, \
         or a reference without a scale"
    )]
    Scaled {
        /// The sweep.
        sweep: &'static str,
        /// Its reference.
        reference: String,
    },
    /// The reference cannot be evaluated, or its results are not normalised.
    #[error("{sweep}: {why}")]
    Reference {
        /// The sweep.
        sweep: &'static str,
        /// The error at an input.
        why: BackendError,
    },
    /// The range contains no number.
    #[error(
        "the range holds no number, only NaNs and infinities, whose errors have no bound; give a --range with numbers"
    )]
    NoNumbers,
    /// The routine or reference cannot be lowered.
    #[error(transparent)]
    Lower(#[from] LowerError),
}

/// The function with which a sweep's routine is compared, and its description. It is the function that the sweep names, if its derivatives
/// are known; otherwise it is the reference in real arithmetic.
pub(super) fn truth(sweep: &Sweep, reference: &'static Kernel) -> Result<(Truth, String), Refused> {
    if let Some(function) = sweep.truth
        && let Some(law) = law(function)
    {
        return Ok((Truth::Law(law), format!("the function {}", function.name())));
    }
    let name = kernel_name(reference);
    let program = program_of(reference)?;
    if program.entry().results.len() > 2 {
        return Err(Refused::Scaled {
            sweep: sweep.name,
            reference: name,
        });
    }
    let relative = match reference.module {
        // Its text is the formula.
        "dc_formula" => format!("`{}` in real arithmetic", reference.source),
        _ => format!("the reference `{name}` in real arithmetic"),
    };
    Ok((Truth::Program(program.clone()), relative))
}

impl Subject {
    /// The subject for a sweep over a range.
    ///
    /// # Errors
    /// See [`Refused`].
    pub fn of(sweep: &Sweep, range: &Range) -> Result<Subject, Refused> {
        if range.space() != InputSpace::Numbers(sweep.precision) {
            return Err(Refused::Arguments(sweep.name));
        }
        if sweep.precision == Precision::F32 {
            return Err(Refused::Binary32(sweep.name));
        }
        let (Some(candidate), Some(reference)) =
            (sweep.candidate.program(), sweep.reference.kernel())
        else {
            return Err(Refused::Host {
                sweep: sweep.name,
                why: sweep.why_accuracy_only(),
            });
        };
        let program = program_of(candidate)?;
        let entry = program.entry();
        if entry.results.len() != 1 || entry.ty(entry.results[0]) != Prim::F64 {
            return Err(Refused::Results {
                sweep: sweep.name,
                kernel: kernel_name(candidate),
                results: entry.results.len(),
            });
        }
        let (truth, relative) = truth(sweep, reference.kernel)?;
        // A bound is of the sum of both words; what a search measures is not, where these are not normalised.
        if let Truth::Program(_) = truth {
            let mut evaluator = PointEvaluator::plain(sweep);
            let looked = evaluator.references(&spread(range));
            looked.map_err(|why| Refused::Reference {
                sweep: sweep.name,
                why,
            })?;
        }
        let mut subject = Subject {
            program: program.clone(),
            truth,
            relative,
            stretches: Vec::new(),
            inputs: 0,
            nans: 0,
            infinities: 0,
        };
        subject.numbers(range);
        if subject.stretches.is_empty() {
            return Err(Refused::NoNumbers);
        }
        Ok(subject)
    }

    /// Adds the numbers of a range.
    fn numbers(&mut self, range: &Range) {
        let p = Precision::F64;
        let key = |x: f64| p.key_of_bits(x.to_bits());
        for span in range.spans() {
            let (first, last) = (span.first.max(key(f64::MIN)), span.last.min(key(f64::MAX)));
            let numbers = (i128::from(last) - i128::from(first) + 1).max(0) as u128;
            let infinities = [f64::NEG_INFINITY, f64::INFINITY]
                .iter()
                .filter(|&&x| (span.first..=span.last).contains(&key(x)))
                .count() as u128;
            self.inputs += numbers;
            self.infinities += infinities;
            self.nans += span.count() - numbers - infinities;
            if numbers > 0 {
                let [lo, hi] = [first, last].map(|k| p.value_of_key(k));
                self.stretches.extend(stretches(&self.program, lo, hi));
            }
        }
    }
}

/// Some hundred keys of a range, evenly distributed.
fn spread(range: &Range) -> Vec<i64> {
    const EACH: i128 = 256;
    let spans = range.spans().iter();
    let of = |s: &Span| {
        let (first, apart) = (
            i128::from(s.first),
            i128::from(s.last) - i128::from(s.first),
        );
        (0..EACH).map(move |k| (first + apart * k / (EACH - 1)) as i64)
    };
    spans.flat_map(of).collect()
}

/// The law of a function, if its derivatives are known here.
pub(crate) fn law(function: Function) -> Option<Law> {
    Some(match function {
        Function::Exp => Law::Exp,
        Function::Exp2 => Law::Exp2,
        Function::Exp10 => Law::Exp10,
        Function::ExpM1 => Law::ExpM1,
        Function::Exp2M1 => Law::Exp2M1,
        Function::Exp10M1 => Law::Exp10M1,
        Function::Ln => Law::Ln,
        Function::Log2 => Law::Log2,
        Function::Log10 => Law::Log10,
        Function::Ln1p => Law::Ln1p,
        Function::Log2p1 => Law::Log2p1,
        Function::Log10p1 => Law::Log10p1,
        Function::Recip => Law::Recip,
        Function::Sqrt => Law::Sqrt,
        Function::RecipSqrt => Law::RecipSqrt,
        Function::Cbrt => Law::Cbrt,
        Function::Sin => Law::Sin,
        Function::Cos => Law::Cos,
        Function::Tan => Law::Tan,
        Function::SinPi => Law::SinPi,
        Function::CosPi => Law::CosPi,
        Function::TanPi => Law::TanPi,
        Function::Asin => Law::Asin,
        Function::Acos => Law::Acos,
        Function::Atan => Law::Atan,
        Function::AsinPi => Law::AsinPi,
        Function::AcosPi => Law::AcosPi,
        Function::AtanPi => Law::AtanPi,
        Function::Sinh => Law::Sinh,
        Function::Cosh => Law::Cosh,
        Function::Tanh => Law::Tanh,
        Function::Asinh => Law::Asinh,
        Function::Acosh => Law::Acosh,
        Function::Atanh => Law::Atanh,
        Function::Erf => Law::Erf,
        Function::Erfc => Law::Erfc,
        Function::Sigmoid => Law::Sigmoid,
        Function::Logit => Law::Logit,
        Function::Softplus => Law::Softplus,
        Function::Silu => Law::Silu,
        Function::Gelu => Law::Gelu,
        Function::Mish => Law::Mish,
        Function::Gamma => Law::Gamma,
        Function::LnGamma => Law::LnGamma,
        Function::SrgbToLinear => Law::SrgbToLinear,
        Function::SrgbFromLinear => Law::SrgbFromLinear,
        Function::Pow | Function::Powr | Function::Atan2 | Function::Hypot | Function::Div => {
            return None;
        }
    })
}

#[cfg(test)]
mod tests;
