//! The function for which kernels are designed: one of the library, or a reference kernel of one's own.

use dc_runtime::builtins::reference::Reference as Function;
use dc_runtime::model::kernel_ref::KernelRef;
use dc_runtime::model::key::Precision;
use dc_runtime::model::space::InputSpace;
use dc_runtime::search::Reference;
use dc_runtime::sweep::Sweep;
use kernels_gen::ir::{Kernel, Ty};

use crate::dd::Dd;
use crate::reference::{Source, exactly, words};
use crate::spec::Format;

/// The number of bits that a reference of one's own is assumed to have, as in a search: 2^-28 ULP of binary32.
const OWN_BITS: u32 = 52;

/// A function with its references.
#[derive(Debug, Clone, Copy)]
pub struct Subject {
    /// The function's name in messages: its name in C, or the sweep's name.
    pub name: &'static str,
    /// The library's function; `None` for a reference of one's own.
    pub known: Option<&'static Function>,
    /// The source of the values to which polynomials are fitted.
    pub source: Source,
    /// A kernel whose first result is the value in binary64.
    pub(crate) narrow: &'static Kernel,
    /// The value in two words, if the reference has two.
    wide: KernelRef,
    /// The relative error of the first word is at most 2^-`bits`.
    pub(crate) bits: u32,
}

impl Subject {
    /// A function of the library.
    ///
    /// # Errors
    /// If it has no reference.
    pub fn of(function: &'static Function) -> Result<Subject, String> {
        let kernel = |precision| {
            let found: Option<Reference> = dc_references::reference(function.name, precision);
            let kernel: Option<KernelRef> = found.and_then(|r| r.kernel().copied());
            kernel.ok_or_else(|| format!("`{}` has no reference", function.name))
        };
        Ok(Subject {
            name: function.name,
            known: Some(function),
            source: Source::Library(function.name),
            narrow: kernel(Precision::F32)?.kernel,
            wide: kernel(Precision::F64)?,
            bits: function.binary32.bits,
        })
    }

    /// The reference of a sweep.
    ///
    /// # Errors
    /// If the reference is not a kernel of one number in binary64 without a scale.
    pub fn own(sweep: &Sweep) -> Result<Subject, String> {
        let reference = &sweep.reference();
        let refused = |why: &str, remedy: &str| {
            Err(format!(
                "--against {}: its reference `{}` {why}; {remedy}",
                sweep.name(),
                reference.name()
            ))
        };
        let Some(&wide) = reference.kernel() else {
            return refused(
                "is no kernel, so its error is not known well enough to choose coefficients by it",
                "name a sweep whose reference is marked `#[crunch]`",
            );
        };
        if !matches!(sweep.inputs(), InputSpace::Numbers(_)) || wide.kernel.params.len() != 1 {
            return refused(
                "is not of one number in binary32 or binary64, and designs are",
                "name another sweep",
            );
        }
        if wide.kernel.params[0].ty != Ty::F64 {
            return refused("takes binary32", "let it take `DcDouble`");
        }
        if !matches!(wide.kernel.ret, Ty::F64 | Ty::Dd) {
            return refused(
                "returns a scale beside its value",
                "let it return `DcDouble` or `DcDoubleDouble`",
            );
        }
        Ok(Subject {
            name: sweep.name(),
            known: None,
            source: Source::Own(wide),
            narrow: wide.kernel,
            wide,
            bits: OWN_BITS,
        })
    }

    /// The function's values at numbers of a format, in two words.
    pub(crate) fn exactly(&self, xs: &[f64], format: Format) -> Vec<Dd> {
        if format == Format::F64 || !xs.iter().any(|&x| self.is_half(x)) {
            return exactly(&self.wide, xs);
        }
        if xs.iter().all(|&x| self.is_half(x)) {
            return xs.iter().map(|&x| above_half(x)).collect();
        }
        let mut values = exactly(&self.wide, xs);
        let both = values.iter_mut().zip(xs);
        both.filter(|(_, x)| self.is_half(**x))
            .for_each(|(value, &x)| *value = above_half(x));
        values
    }

    /// Whether the function's value at an input of at most 32 bits is half of the input, plus an amount that changes a result only by putting it on
    /// one side of a middle.
    pub(crate) fn is_half(&self, x: f64) -> bool {
        const SMALL: f64 = f64::from_bits((1023 - 124) << 52);
        matches!(self.known_as(), "silu" | "gelu") && x != 0.0 && x.abs() < SMALL
    }

    /// Whether the function's values have a second word, which decides how they round.
    #[must_use]
    pub fn decides(&self) -> bool {
        words(&self.wide) > 1
    }

    /// The name by which reductions and existing functions are found. A reference of one's own has none.
    pub(crate) fn known_as(&self) -> &'static str {
        self.known.map_or("", |f| f.name)
    }

    /// A name that can be used in code.
    pub(crate) fn symbol(&self) -> &'static str {
        match self.known {
            Some(function) => function.name,
            None => self.wide.kernel.name,
        }
    }

    /// The part of a suite's line that names its values.
    #[must_use]
    pub fn judged_by(&self) -> String {
        match self.known {
            Some(function) => format!("computes {}", function.name),
            None => format!("against {}", self.wide.kernel.name),
        }
    }

    /// The function's title in headings: `exp x`, or the name of a sweep.
    #[must_use]
    pub fn title(&self) -> String {
        match self.known {
            Some(function) => function.function.to_string(),
            None => self.name.into(),
        }
    }
}

/// For functions `x/2 + c x² + …` with c > 0. Next to 0 their values are above x/2, which is a middle between two results for half of the
/// subnormal inputs. They are above it by less than the accuracy of the second word. The added amount is far below a unit in the last place of a
/// format of at most 32 bits, and decides the rounding. dc-math does the same.
fn above_half(x: f64) -> Dd {
    const NUDGE: f64 = f64::from_bits((1023 - 170) << 52);
    Dd::of(0.5 * x, NUDGE)
}
