//! The reference that the command line names: `--computes exp`, or `--against-expression "log(1 + exp(x))"`.

use super::args::{CompareArgs, OutsideArgs, SourceArgs};
use super::context::Context;
use super::failure::Failure;
use super::library::{self, Compiled};
use dc_runtime::builtins::reference::Reference;
use dc_runtime::model::function::Function;
use dc_runtime::model::signature::Signature;
use dc_runtime::search::identity::KernelIdentity;
use dc_runtime::search::range::Range;
use dc_runtime::search::run_file::Header;
use dc_runtime::sweep::Sweep;

/// The options that name a reference.
#[derive(Debug, Clone, Copy)]
pub(super) struct Meant<'a> {
    computes: Option<&'a str>,
    expression: Option<&'a str>,
    /// A function of a library, in a wider format.
    library: Option<&'a str>,
    /// No meaningful reference is needed: the function is compared with another function.
    any: bool,
}

/// The purpose of the reference.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Purpose {
    /// For a search: a formula also gives the inputs at which its value is unknown.
    Search,
    /// For bounds: only the value, in binary64.
    Bound,
    /// For the comparison of backends: only the value.
    Backends,
}

impl<'a> Meant<'a> {
    /// No option is given.
    pub const NONE: Meant<'static> = Meant {
        computes: None,
        expression: None,
        library: None,
        any: false,
    };

    /// Any reference, without a meaning.
    pub const ANY: Meant<'static> = Meant {
        any: true,
        ..Meant::NONE
    };

    pub fn outside(args: &'a OutsideArgs) -> Self {
        Meant {
            computes: args.computes.as_deref(),
            expression: args.against_expression.as_deref(),
            library: args.against.as_deref(),
            any: false,
        }
    }

    pub fn source(args: &'a SourceArgs) -> Self {
        Meant {
            computes: args.computes.as_deref(),
            expression: args.against_expression.as_deref(),
            library: None,
            any: false,
        }
    }

    pub fn compare(args: &'a CompareArgs) -> Self {
        Meant {
            computes: args.computes.as_deref(),
            expression: args.against_expression.as_deref(),
            library: None,
            any: false,
        }
    }

    /// The given option and its name, if there is one.
    pub fn options(self) -> [(&'static str, bool); 2] {
        [
            ("computes", self.computes.is_some()),
            ("against-expression", self.expression.is_some()),
        ]
    }

    /// The option that a function in a source file needs.
    pub fn given(self) -> Result<Self, Failure> {
        match self.is_given() {
            true => Ok(self),
            false => Err(Failure::input(
                "--lift needs the function that it is meant to compute: --computes FUNCTION, or --against-expression EXPRESSION",
            )),
        }
    }

    /// Whether an option is given.
    pub fn is_given(self) -> bool {
        self.any || self.library.is_some() || self.options().iter().any(|o| o.1)
    }

    /// The function that is named, or that the formula equals.
    pub fn function(self) -> Result<Option<Function>, Failure> {
        if let Some(text) = self.expression {
            return Ok(formula::function(text));
        }
        let known = self.computes.map(Reference::by_name);
        let known = known
            .transpose()
            .map_err(|e| Failure::input(e.to_string()))?;
        Ok(known.map(|r| r.function))
    }

    /// The reference for routines of these inputs.
    pub fn reference(
        self,
        signature: impl Into<Signature>,
        purpose: Purpose,
    ) -> Result<Compiled, Failure> {
        let signature = signature.into();
        let inputs = signature.inputs;
        let plain = signature.is_plain();
        if let Some(text) = self.library {
            return library::as_reference(text, signature);
        }
        match (self.computes, self.expression) {
            (_, Some(text)) => formula::reference(text, signature, purpose),
            (_, None) if self.any && plain => library::against_any(inputs),
            // The samples are cut by this.
            (_, None) if self.any => formula::reference("x", signature, purpose),
            (computes, None) if plain => library::against(computes.unwrap_or_default(), inputs),
            // Kernels of references are for results of the arguments' type.
            (computes, None) => {
                let known = Reference::by_name(computes.unwrap_or_default())
                    .map_err(|e| Failure::input(e.to_string()))?;
                let arguments = &["x", "y"][..inputs.arguments().len()];
                let text = format!("{}({})", known.name, arguments.join(", "));
                formula::reference(&text, signature, purpose)
            }
        }
    }
}

/// The reference that a run file has.
pub(super) fn of_file(header: &Header) -> Result<Compiled, Failure> {
    let inputs = header.identity.inputs;
    let kernel = header.identity.kernels.get(1);
    let kernel = kernel.ok_or_else(|| Failure::input("it names no reference"))?;
    if kernel.is_of_library() {
        return library::reference_of(kernel, inputs);
    }
    let candidate = header.identity.kernels.first();
    let signature = candidate.and_then(KernelIdentity::signature);
    let signature = signature.unwrap_or_else(|| inputs.into());
    match formula::is(&kernel.name, &kernel.module) {
        true => formula::reference(&kernel.source, signature, Purpose::Search),
        false => library::against_kernel(&kernel.name, inputs),
    }
}

/// Reports how accurately a formula is known at inputs of a range, if the reference is a formula.
pub(super) fn note_accuracy(sweep: &Sweep, range: &Range, context: &mut Context) {
    if let Some(text) = formula::accuracy(sweep, range) {
        context.note(&text);
    }
}

#[cfg(not(feature = "references"))]
mod formula {
    use super::{Compiled, Failure, Function, Purpose, Range, Signature, Sweep, library};

    pub fn is(_: &str, _: &str) -> bool {
        false
    }

    pub fn reference(_: &str, _: Signature, _: Purpose) -> Result<Compiled, Failure> {
        Err(library::not_compiled())
    }

    pub fn function(_: &str) -> Option<Function> {
        None
    }

    pub fn accuracy(_: &Sweep, _: &Range) -> Option<String> {
        None
    }
}

/// The formula that consists of the function with this name, such as `round(x)`, if there is one.
#[cfg(feature = "references")]
pub(super) fn formula_of(name: &str, arguments: usize) -> Option<String> {
    let names = ["x", "y", "z"].get(..arguments)?.join(", ");
    let text = format!("{name}({names})");
    dc_formula::Formula::parse(&text, arguments).ok()?;
    Some(text)
}

/// Always `None`: formulas are part of the references, which this program does not have.
#[cfg(not(feature = "references"))]
pub(super) fn formula_of(_: &str, _: usize) -> Option<String> {
    None
}

#[cfg(feature = "references")]
mod formula {
    use super::{Compiled, Failure, Purpose, Range, Signature, Sweep};
    use dc_formula::{Form, Formula};
    use dc_runtime::model::candidate::{Reference, slices};
    use dc_runtime::model::function::Function;
    use dc_runtime::model::key::Precision;
    use dc_runtime::model::show;
    use dc_runtime::model::space::InputSpace;
    use dc_runtime::search::truth::LIMIT;

    /// The number of inputs at which the error of a formula is estimated before a search.
    const SAMPLE: u64 = 1 << 14;

    pub fn is(name: &str, module: &str) -> bool {
        (name, module) == (dc_formula::NAME, dc_formula::MODULE)
    }

    fn parse(text: &str, inputs: InputSpace) -> Result<Formula, Failure> {
        let arguments = inputs.arguments().len();
        Formula::parse(text, arguments)
            .map_err(|e| Failure::input(format!("--against-expression {e}")))
    }

    pub fn function(text: &str) -> Option<Function> {
        Formula::parse(text, 1).ok()?.function()
    }

    pub fn reference(
        text: &str,
        signature: Signature,
        purpose: Purpose,
    ) -> Result<Compiled, Failure> {
        // Where the reference is rounded to a narrower format, both of its words are.
        let precision = match signature.rounded() {
            Some(_) => Precision::F64,
            None => signature.result.precision(),
        };
        let of = |form| {
            let formula = parse(text, signature.inputs)?;
            let doubles = signature.inputs.doubles() == signature.inputs.arguments().len();
            match doubles {
                true => formula.kernel(precision, form),
                false => formula.kernel_of_sums(precision, form),
            }
            .map_err(|e| Failure::input(format!("--against-expression {e}")))
        };
        Ok(match purpose {
            Purpose::Search => Reference::Formula(of(Form::Guarded)?),
            Purpose::Bound | Purpose::Backends => Reference::Kernel(of(Form::Value)?),
        })
    }

    /// Evenly spaced keys of a range.
    fn keys(range: &Range) -> Vec<i64> {
        let spans = range.spans();
        let each = (SAMPLE / spans.len().max(1) as u64).max(1);
        let of = |first: i64, last: i64| {
            let step = (last.abs_diff(first) / each).max(1);
            let key = move |i: u64| first.saturating_add_unsigned(i.saturating_mul(step));
            (0..=each).map(move |i| key(i).min(last))
        };
        let mut keys: Vec<i64> = spans.iter().flat_map(|s| of(s.first, s.last)).collect();
        keys.dedup();
        keys
    }

    /// A sentence about how accurately a formula is known at some inputs of a range.
    pub fn accuracy(sweep: &Sweep, range: &Range) -> Option<String> {
        let Reference::Formula(guarded) = &sweep.reference() else {
            return None;
        };
        let space = range.space();
        let keys = keys(range);
        let mut inputs = space.columns(keys.iter().copied());
        sweep.reference().widen(space, &mut inputs);
        let mut values = vec![Vec::new(); 3];
        (guarded.widest())(&slices(&inputs), &mut values);
        // A last place of a result, and the least one.
        let (place, least) = match sweep.precision() {
            Precision::F32 => (2f64.powi(-24), f64::from(f32::from_bits(1))),
            Precision::F64 => (2f64.powi(-53), f64::from_bits(1)),
        };
        let (mut numbers, mut unknown, mut first) = (0u64, 0u64, None);
        let mut largest = 0f64;
        for (i, &key) in keys.iter().enumerate() {
            let [v, r] = [0, 2].map(|c| f64::from_bits(values[c][i]));
            let size = v.abs();
            if r.is_infinite() || r > LIMIT * (size * place).max(least) {
                unknown += 1;
                first = first.or(Some(key));
            } else if size.is_finite() && size * place >= least {
                numbers += 1;
                largest = largest.max(r / size);
            }
        }
        let known = match (numbers, largest > 0.0) {
            (0, _) if unknown == 0 => "its values there are zero, subnormal or infinite".into(),
            (0, _) => "at none of them is its value known".into(),
            (_, false) => "it has no error where it is a number".into(),
            (n, true) => format!(
                "it is known to 2^{:.1} of its value or better at {}",
                largest.log2(),
                show::count(n.into())
            ),
        };
        let lost = match first {
            None => String::new(),
            Some(key) => format!(
                "; not to 2^-20 ULP of a right result at {}, as {}: only errors far larger than its own are found there, and other inputs \
                 are undecided",
                show::count(unknown.into()),
                space.decimal(key)
            ),
        };
        let name = match guarded.kernel.module {
            dc_formula::MODULE => guarded.kernel.source,
            _ => guarded.kernel.name,
        };
        let taken = show::count(keys.len() as u128);
        Some(format!(
            "the reference `{name}`: by an estimate of its own error at {taken} inputs, {known}{lost}"
        ))
    }
}
