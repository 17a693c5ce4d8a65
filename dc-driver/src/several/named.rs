//! Functions of several numbers that the command line names without a sweep, such as `libm.so.6:fma:f64,f64,f64`.

use super::search::note_environment;
use crate::context::Context;
use crate::failure::Failure;
use dc_runtime::model::family::Family;
use dc_runtime::model::library::SeveralFunction;
use dc_runtime::model::several::Several;
use dc_runtime::search::range::quote;

/// Candidates of the same types.
pub struct Candidates<'a> {
    pub types: Several,
    /// The file and the symbol of each.
    names: Vec<(&'a str, &'a str)>,
}

impl Candidates<'_> {
    /// Opens them all.
    pub fn open(&self, context: &mut Context) -> Result<Vec<SeveralFunction>, Failure> {
        let open = |(file, symbol): &(&str, &str)| {
            let function = SeveralFunction::open(file, symbol, self.types)?;
            note_environment(&function, context);
            Ok(function)
        };
        self.names.iter().map(open).collect()
    }
}

/// The candidates, if one of them is a function of several numbers.
///
/// # Errors
/// If they do not all have the same types. `option` is the option that names them.
pub fn candidates<'a>(
    texts: &'a [String],
    option: &str,
) -> Result<Option<Candidates<'a>>, Failure> {
    let all: Vec<Option<(&str, &str, Several)>> = texts
        .iter()
        .map(|text| named(text))
        .collect::<Result<_, _>>()?;
    let Some(&(file, symbol, types)) = all.iter().flatten().next() else {
        return Ok(None);
    };
    let mut names = Vec::new();
    for one in all {
        match one {
            None => {
                return Err(Failure::input(format!(
                    "{option}: {}:{} is a function of {types}, and another candidate is not; compare functions of the same types",
                    quote(file),
                    quote(symbol)
                )));
            }
            Some((.., other)) if other != types => {
                return Err(Failure::input(format!(
                    "{option}: one is a function of {types} and another of {other}; compare functions of the same types"
                )));
            }
            Some((file, symbol, _)) => names.push((file, symbol)),
        }
    }
    Ok(Some(Candidates { types, names }))
}

/// A candidate that is such a function of a library.
fn named(text: &str) -> Result<Option<(&str, &str, Several)>, Failure> {
    let [signature, symbol, file] = text.rsplitn(3, ':').collect::<Vec<_>>()[..] else {
        return Ok(None);
    };
    match Several::parse(signature) {
        None => Ok(None),
        Some(Err(e)) => Err(Failure::input(e.to_string())),
        Some(Ok(types)) if Family::of(file).is_some_and(Family::has_functions) => {
            Err(not_on_devices(file, types))
        }
        Some(Ok(types)) => Ok(Some((file, symbol, types))),
    }
}

/// The failure for devices, which are not called with several numbers.
pub fn not_on_devices(device: &str, types: Several) -> Failure {
    Failure::input(format!(
        "{}: functions of {types} are called only in shared libraries; for a device, give one of f32, f64, f32,f32 or f64,f64",
        quote(device)
    ))
}
