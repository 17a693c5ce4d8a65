//! Functions of shared libraries as candidates: `--library FILE --symbol NAME --signature f32 --computes exp`.

use std::path::Path;

use super::args::OutsideArgs;
use super::failure::Failure;
use super::meant::{self, Meant, Purpose};
#[cfg(feature = "references")]
use dc_references::{function_of, reference};
use dc_runtime::builtins::reference::{REFERENCES, REFERENCES_OF_TWO, Reference};
use dc_runtime::model::block::{FLAG_EXCLUDED, FLAG_INFINITY, FLAG_NAN};
use dc_runtime::model::candidate::Candidate;
use dc_runtime::model::key::Precision;
use dc_runtime::model::library::{LibraryError, LibraryFunction, Object};
use dc_runtime::model::signature::Signature;
use dc_runtime::model::space::InputSpace;
use dc_runtime::search::evaluator::{PointEvaluator, PointResult};
use dc_runtime::search::identity::{self, KernelIdentity};
use dc_runtime::search::range::quote;
use dc_runtime::search::run_file::Header;
use dc_runtime::sweep::Sweep;

/// The sweep of the function on the command line, if there is one.
pub(super) fn sweep(args: &OutsideArgs) -> Result<Option<Sweep>, Failure> {
    let OutsideArgs {
        library: Some(library),
        symbol: Some(symbol),
        signature: Some(signature),
        ..
    } = args
    else {
        return Ok(None);
    };
    let signature = self::signature(signature)?;
    let meant = Meant::outside(args);
    let against = meant.reference(signature, Purpose::Search)?;
    let sweep = of(library, symbol, signature, against)?;
    for said in [Precision::F32, Precision::F64] {
        if signature == Signature::of(InputSpace::Numbers(said))
            && let Some(right) = right_as_other(library, symbol, said, meant)
        {
            let [c, wrong] = [right, said].map(|p| match p {
                Precision::F32 => "float",
                Precision::F64 => "double",
            });
            return Err(Failure::input(format!(
                "`{0}` of {library} is right as `{c} {0}({c})` and wrong as `{wrong} {0}({wrong})`: write --signature {1}",
                quote(symbol),
                right.name()
            )));
        }
    }
    Ok(Some(sweep))
}

/// From this error in ULP on, results as floats are wrong: any approximation is better, and a `sin` of doubles returns its argument.
const WRONG: f64 = (1u64 << 12) as f64;
/// Below this error in ULP, results as doubles are right: results of a function of floats are farther away.
const RIGHT: f64 = (1u64 << 22) as f64;

/// The other precision, if a function is right in that precision and wrong in the stated one. A symbol has no types, and the call takes
/// bits from the same register. The function is called both ways, in separate processes.
fn right_as_other(
    library: &str,
    symbol: &str,
    said: Precision,
    meant: Meant<'_>,
) -> Option<Precision> {
    let largest = |precision: Precision| {
        let inputs = InputSpace::Numbers(precision);
        let against = meant.reference(inputs, Purpose::Search).ok()?;
        let sweep = of(library, symbol, inputs.into(), against).ok()?;
        let bits = [0.375f32, 0.5, 0.625, 0.75].map(|x| match precision {
            Precision::F32 => x.to_bits().into(),
            Precision::F64 => f64::from(x).to_bits(),
        });
        let keys = bits.map(|bits| precision.key_of_bits(bits));
        // A function that fails here is reported by the search.
        let points = PointEvaluator::plain(&sweep).evaluate(&keys).ok()?;
        let error = |p: &PointResult| match p.flags & (FLAG_NAN | FLAG_INFINITY | FLAG_EXCLUDED) {
            0 => p.error.abs(),
            _ => f64::INFINITY,
        };
        points.iter().map(error).reduce(f64::max)
    };
    let [as_float, as_double] = [Precision::F32, Precision::F64].map(largest);
    let (other, is_other) = match said {
        Precision::F32 => (Precision::F64, as_float? >= WRONG && as_double? < RIGHT),
        Precision::F64 => (Precision::F32, as_double? >= RIGHT && as_float? < WRONG),
    };
    is_other.then_some(other)
}

/// The sweep of the function in a run file, if it is a library's.
///
/// The library is loaded from the path in the file, if it is the same build as in the file.
pub(super) fn sweep_of(header: &Header) -> Result<Option<Sweep>, Failure> {
    let [candidate, ..] = &header.identity.kernels[..] else {
        return Ok(None);
    };
    if !candidate.is_of_library() {
        return Ok(None);
    }
    let signature = candidate.signature().ok_or_else(|| {
        Failure::input(format!(
            "it names no signature of `{}`",
            quote(&candidate.name)
        ))
    })?;
    let object = Object::read(Path::new(&candidate.file), Some(&candidate.name))?;
    let now = identity::library(&candidate.name, signature, &object);
    if now != candidate.hash {
        return Err(other_build(&candidate.file, &now, &candidate.hash));
    }
    let against = meant::of_file(header)?;
    of(&candidate.file, &candidate.name, signature, against).map(Some)
}

/// A function of a library in binary64, as the reference of a function in binary32.
pub(super) fn as_reference(text: &str, candidate: Signature) -> Result<Compiled, Failure> {
    let parts: Vec<&str> = text.rsplitn(3, ':').collect();
    let [signature, symbol, file] = parts[..] else {
        return Err(Failure::input(format!(
            "--against {}: write FILE:SYMBOL:SIGNATURE, such as ./libg.so:round64:f64; name a function that has a reference with \
             --computes, and give a formula with --against-expression",
            quote(text)
        )));
    };
    let refused = |why: String| Failure::input(format!("--against {}: {why}", quote(text)));
    let given = Signature::parse(signature).map_err(|e| refused(e.to_string()))?;
    let wider = wider(candidate).ok_or_else(|| {
        refused(format!(
            "of functions of one or two arguments only those of f32 or f32,f32 are compared with a library's, and this one is of {candidate}: \
             use --computes FUNCTION or --against-expression EXPRESSION instead"
        ))
    })?;
    if given != Signature::of(wider) {
        return Err(refused(format!(
            "`{}` is of {given}, and a function of {candidate} is compared with one of {}: write FILE:SYMBOL:{1}, or use --computes FUNCTION \
             or --against-expression EXPRESSION",
            quote(symbol),
            wider.signature()
        )));
    }
    let function = LibraryFunction::open(file, symbol, wider)?;
    Ok(Compiled::Library(Box::leak(Box::new(function))))
}

/// The inputs of the function in binary64 with which a function in binary32 is compared.
fn wider(candidate: Signature) -> Option<InputSpace> {
    let inputs = candidate.inputs;
    let wider = match inputs {
        InputSpace::Numbers(Precision::F32) => InputSpace::Numbers(Precision::F64),
        _ if inputs == InputSpace::pairs(Precision::F32) => InputSpace::pairs(Precision::F64),
        _ => return None,
    };
    candidate.is_plain().then_some(wider)
}

/// The signature of a wider function.
fn wide(inputs: InputSpace) -> &'static str {
    match inputs.arguments().len() {
        1 => "f64",
        _ => "f64,f64",
    }
}

/// The reference in a run file if it is a function of a library, and if the library is still the same build.
pub(super) fn reference_of(
    kernel: &KernelIdentity,
    candidate: InputSpace,
) -> Result<Compiled, Failure> {
    let text = format!("{}:{}:{}", kernel.file, kernel.name, wide(candidate));
    let reference = as_reference(&text, candidate.into())?;
    let now = match reference {
        Compiled::Library(f) => KernelIdentity::of_library(&kernel.role, f).hash,
        _ => String::new(),
    };
    match now == kernel.hash {
        true => Ok(reference),
        false => Err(other_build(&kernel.file, &now, &kernel.hash)),
    }
}

fn other_build(file: &str, now: &str, then: &str) -> Failure {
    Failure::input(format!(
        "the library {} is a different build from the one that was searched: the identities are {now} now and {} in the file",
        quote(file),
        quote(then)
    ))
}

/// A function to be compared with another: its name, and a sweep. The reference is that of `recip`: samples are cut at the reference's
/// binades, which for `recip` are those of the input.
pub(super) fn alone(
    library: &str,
    symbol: &str,
    signature: &str,
) -> Result<(String, Sweep), Failure> {
    let signature = self::signature(signature)?;
    let against = Meant::ANY.reference(signature, Purpose::Search)?;
    let sweep = of(library, symbol, signature, against)?;
    let name = match sweep.candidate() {
        Candidate::Library(f) => f.full_name(),
        _ => sweep.name().into(),
    };
    Ok((name, sweep))
}

fn signature(text: &str) -> Result<Signature, Failure> {
    Signature::parse(text).map_err(|e| Failure::input(e.to_string()))
}

/// The inputs of a function whose arguments and result are of one type, binary32 or binary64.
pub(super) fn inputs(text: &str) -> Result<InputSpace, Failure> {
    let signature = signature(text)?;
    match signature.is_plain() {
        true => Ok(signature.inputs),
        false => Err(Failure::input(format!(
            "`{}`: only functions of libraries that are searched have such a signature; here write f32, f64, f32,f32 or f64,f64",
            quote(text)
        ))),
    }
}

pub(super) type Compiled = dc_runtime::model::candidate::Reference;

/// The reference of the function with the given name.
pub(super) fn against(computes: &str, inputs: InputSpace) -> Result<Compiled, Failure> {
    let known = Reference::by_name(computes).map_err(|e| {
        let formula = crate::meant::formula_of(computes, inputs.arguments().len());
        let hint = formula.map_or_else(String::new, |text| {
            format!("; a formula can use it: --against-expression \"{text}\"")
        });
        Failure::input(format!("{e}{hint}"))
    })?;
    against_known(known.name, inputs)
}

/// The reference that a run file names by its kernel.
pub(super) fn against_kernel(kernel: &str, inputs: InputSpace) -> Result<Compiled, Failure> {
    are_compiled()?;
    // In a run with `--mpfr` it is the name of the function, not of a kernel.
    let known = || by_formula(kernel).map(|r| r.name);
    let function = function_of(kernel, inputs).or_else(known).ok_or_else(|| {
        Failure::input(format!("this program has no reference `{}`", quote(kernel)))
    })?;
    against_known(function, inputs)
}

/// The reference of the function that run files with `--mpfr` name by its formula.
pub(super) fn by_formula(formula: &str) -> Option<&'static Reference> {
    let mut all = REFERENCES.iter().chain(REFERENCES_OF_TWO);
    all.find(|r| r.function.name() == formula)
}

/// A reference for a candidate that is not compared with a reference.
pub(super) fn against_any(inputs: InputSpace) -> Result<Compiled, Failure> {
    let any = match inputs.of_pairs() {
        None => "recip",
        Some(_) => "div",
    };
    against_known(any, inputs)
}

fn against_known(function: &str, inputs: InputSpace) -> Result<Compiled, Failure> {
    are_compiled()?;
    reference(function, inputs).ok_or_else(|| {
        Failure::input(format!(
            "there is no reference of `{function}` for functions of {}; `crunch list --references` shows those that exist",
            inputs.signature()
        ))
    })
}

/// Whether this program has the references of functions by name.
fn are_compiled() -> Result<(), Failure> {
    match cfg!(feature = "references") {
        true => Ok(()),
        false => Err(not_compiled()),
    }
}

/// The error that this program has no references.
pub(super) fn not_compiled() -> Failure {
    Failure::unavailable(
        "functions of libraries and devices are compared with references that this program was built without: give \
         `doublecrunch` the feature `cli` instead of `driver`, or use the program `crunch`",
    )
}

#[cfg(not(feature = "references"))]
fn reference(_: &str, _: InputSpace) -> Option<Compiled> {
    None
}

#[cfg(not(feature = "references"))]
fn function_of(_: &str, _: InputSpace) -> Option<&'static str> {
    None
}

fn of(
    library: &str,
    symbol: &str,
    signature: Signature,
    against: Compiled,
) -> Result<Sweep, Failure> {
    let function = LibraryFunction::open(library, symbol, signature)?;
    // A sweep and its name are static data of the program: there is one per command, and so one per process.
    let function: &'static LibraryFunction = Box::leak(Box::new(function));
    Ok(Sweep::accuracy_only(
        function.symbol(),
        Candidate::Library(function),
        against,
        "all",
    ))
}

impl From<LibraryError> for Failure {
    fn from(e: LibraryError) -> Self {
        let message = e.to_string();
        match e {
            LibraryError::Worker { .. } => Failure::failed(message),
            _ => Failure::input(message),
        }
    }
}
