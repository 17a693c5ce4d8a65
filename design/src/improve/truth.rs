//! The true values with which results are compared: those of a sweep's reference.

use dc_runtime::fenv::Guard;
use dc_runtime::model::kernel_ref::KernelRef;
use dc_runtime::model::key::Precision;
use dc_runtime::search::Reference;
use dc_runtime::sweep::Sweep;
use kernels_gen::program::Program;

use crate::compare::{power, ulp};
use crate::spec::Format;
use crate::strips::{Results, STRIP, Strips};

/// A formula's value is known if its radius is below this part of a unit in the last place.
const KNOWN: f64 = 1.0 / 1024.0;

/// The reference of a sweep.
pub struct Truth {
    kernel: KernelRef,
    formula: bool,
    words: usize,
    /// Whether the reference takes binary64.
    wide: bool,
    format: Format,
    /// A reference of one word, for strips. It takes a third of the time of its compiled form at points.
    program: Option<Program>,
}

impl Truth {
    /// # Errors
    /// If the reference is a function of the host or of a library.
    pub fn new(sweep: &Sweep) -> Result<Truth, String> {
        let (kernel, formula) = match sweep.reference() {
            Reference::Kernel(k) => (k, false),
            Reference::Formula(k) => (k, true),
            _ => {
                return Err(format!(
                    "{}: its reference `{}` is no kernel and no formula, so its error is not known well enough to choose \
                     constants by it; name a function of `list --references` as the reference",
                    sweep.name(),
                    sweep.reference().name()
                ));
            }
        };
        let format = format(sweep.precision());
        let wide = sweep.precision() == Precision::F64 || sweep.reference().widens(sweep.inputs());
        let words = sweep.reference().words();
        let program = match (words, wide, format) {
            (1, true, Format::F32) => kernels_gen::lower(kernel.kernel).ok(),
            _ => None,
        };
        let program = program.filter(|p| {
            let strips = Strips::new(p);
            strips.is_ok_and(|s| matches!(s.results(0), Results::F64(_)))
        });
        Ok(Truth {
            kernel: *kernel,
            formula,
            words,
            wide,
            format,
            program,
        })
    }

    /// The format of the results.
    #[must_use]
    pub fn format(&self) -> Format {
        self.format
    }

    /// The reference, ready to run.
    ///
    /// # Errors
    /// The same as for [`Strips::new`].
    pub fn values(&self) -> Result<Values<'_>, String> {
        Ok(Values {
            truth: self,
            strips: self.program.as_ref().map(Strips::new).transpose()?,
            bits: Vec::new(),
            out: vec![Vec::new(); self.words],
            hi: vec![0.0; STRIP],
            lo: vec![0.0; STRIP],
        })
    }
}

/// The format of a precision.
#[must_use]
pub fn format(precision: Precision) -> Format {
    match precision {
        Precision::F32 => Format::F32,
        Precision::F64 => Format::F64,
    }
}

/// The state of a reference.
pub struct Values<'a> {
    truth: &'a Truth,
    strips: Option<Strips>,
    bits: Vec<u64>,
    out: Vec<Vec<u64>>,
    hi: Vec<f64>,
    lo: Vec<f64>,
}

impl Values<'_> {
    /// The values at up to a strip of inputs, in two words. If a formula's value is not known well enough, the second word is NaN.
    pub fn at(&mut self, xs: &[f64]) -> (&[f64], &[f64]) {
        let n = xs.len();
        if let Some(strips) = &mut self.strips {
            strips.inputs_f64()[..n].copy_from_slice(xs);
            strips.run(n);
            if let Results::F64(values) = strips.results(0) {
                self.hi[..n].copy_from_slice(&values[..n]);
            }
            return (&self.hi[..n], &self.lo[..n]);
        }
        let truth = self.truth;
        self.bits.clear();
        self.bits.extend(xs.iter().map(|&x| match truth.wide {
            true => x.to_bits(),
            false => u64::from((x as f32).to_bits()),
        }));
        let _default = Guard::new();
        (truth.kernel.widest())(&[&self.bits], &mut self.out);
        let word = |k: usize, i: usize| self.out.get(k).map_or(0, |c| c[i]);
        for i in 0..n {
            let (hi, lo) = (f64::from_bits(word(0, i)), f64::from_bits(word(1, i)));
            let lo = if lo.is_finite() { lo } else { 0.0 };
            (self.hi[i], self.lo[i]) = match (truth.words, truth.formula) {
                (3, true) => {
                    let radius = f64::from_bits(word(2, i));
                    let known = radius <= KNOWN * ulp(truth.format, hi);
                    (
                        hi,
                        if known || !hi.is_finite() {
                            lo
                        } else {
                            f64::NAN
                        },
                    )
                }
                (3, false) => {
                    // In two steps: a result may be subnormal, and the power itself is not.
                    let exponent = (word(2, i) as i64).clamp(-2000, 2000) as i32;
                    let (first, second) = (power(exponent / 2), power(exponent - exponent / 2));
                    (hi * first * second, lo * first * second)
                }
                _ => (hi, lo),
            };
        }
        (&self.hi[..n], &self.lo[..n])
    }
}
