//! Functions of shared libraries as candidates: `--library FILE --symbol NAME --signature f32 --computes exp`.

use std::path::Path;

use super::args::LibraryArgs;
use super::failure::Failure;
use super::references::{function_of, reference};
use crate::builtins::reference::Reference;
use crate::model::candidate::Candidate;
use crate::model::key::Precision;
use crate::model::library::{LibraryError, LibraryFunction, Object};
use crate::search::identity;
use crate::search::range::quote;
use crate::search::run_file::Header;
use crate::sweep::Sweep;

/// The sweep of a function that the command line names, if it names one.
pub(super) fn sweep(args: &LibraryArgs) -> Result<Option<Sweep>, Failure> {
    let LibraryArgs {
        library: Some(library),
        symbol: Some(symbol),
        signature: Some(signature),
        computes: Some(computes),
    } = args
    else {
        return Ok(None);
    };
    let precision = precision(signature)?;
    let against = against(computes, precision)?;
    Ok(Some(of(library, symbol, precision, against)?))
}

/// The sweep of the function that a run file is about, if it is one of a library.
///
/// The library is loaded from where the file says it was, if it is the build that the file tells of.
pub(super) fn sweep_of(header: &Header) -> Result<Option<Sweep>, Failure> {
    let [candidate, kernel, _] = &header.identity.kernels[..] else {
        return Ok(None);
    };
    if !candidate.is_of_library() {
        return Ok(None);
    }
    let precision = header.identity.precision;
    let object = Object::read(Path::new(&candidate.file), Some(&candidate.name))?;
    let now = identity::library(&candidate.name, precision, &object);
    if now != candidate.hash {
        return Err(Failure::input(format!(
            "the library {} is another build than the one that was searched: the identities are {now} now and {} in the file",
            quote(&candidate.file),
            quote(&candidate.hash)
        )));
    }
    let against = function_of(&kernel.name, precision).ok_or_else(|| {
        Failure::input(format!(
            "this program has no reference `{}`",
            quote(&kernel.name)
        ))
    })?;
    let against = against_known(against, precision)?;
    of(&candidate.file, &candidate.name, precision, against).map(Some)
}

/// A function to be compared with another: its name, and a sweep. The reference is that of `recip`: where inputs are
/// sampled, the sample is cut at the reference's binades, and those of `recip` are the input's.
pub(super) fn alone(
    library: &str,
    symbol: &str,
    signature: &str,
) -> Result<(String, Sweep), Failure> {
    let precision = precision(signature)?;
    let sweep = of(
        library,
        symbol,
        precision,
        against_known("recip", precision)?,
    )?;
    let name = match sweep.candidate {
        Candidate::Library(f) => f.full_name(),
        _ => sweep.name.into(),
    };
    Ok((name, sweep))
}

fn precision(signature: &str) -> Result<Precision, Failure> {
    match signature {
        "f32" => Ok(Precision::F32),
        "f64" => Ok(Precision::F64),
        other => Err(Failure::input(format!(
            "`{}` is no signature: write f32 for `float f(float)`, f64 for `double f(double)`",
            quote(other)
        ))),
    }
}

type Compiled = crate::model::candidate::Reference;

/// The reference of a function, by the name that a person gave.
fn against(computes: &str, precision: Precision) -> Result<Compiled, Failure> {
    let known = Reference::by_name(computes).map_err(|e| Failure::input(e.to_string()))?;
    against_known(known.name, precision)
}

fn against_known(function: &str, precision: Precision) -> Result<Compiled, Failure> {
    reference(function, precision).ok_or_else(|| {
        Failure::input(format!(
            "there is no reference of `{function}` for {} functions; `crunch list --references` shows what there is",
            precision.name()
        ))
    })
}

fn of(
    library: &str,
    symbol: &str,
    precision: Precision,
    against: Compiled,
) -> Result<Sweep, Failure> {
    let function = LibraryFunction::open(library, symbol, precision)?;
    // A sweep is data of the program, as its name is: one for each command, so for each process.
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
