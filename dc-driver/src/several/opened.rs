//! The function and the reference that the command line names.

use super::function::Function;
use super::reference::Reference;
use crate::args::OutsideArgs;
use crate::failure::Failure;
use dc_runtime::model::library::SeveralFunction;
use dc_runtime::model::several::Several;
use dc_runtime::search::range::quote;

/// The function and its reference.
pub fn opened(args: &OutsideArgs, types: Several) -> Result<(SeveralFunction, Reference), Failure> {
    let (library, symbol) = (args.library.as_deref(), args.symbol.as_deref());
    let reference = match (&args.computes, &args.against, &args.against_expression) {
        (Some(name), ..) => Reference::of(Function::named(name, types)?, types)?,
        (_, Some(text), _) => Reference::library(text, types)?,
        (.., Some(text)) => {
            return Err(Failure::input(format!(
                "--against-expression {}: formulas have the arguments x and y and one result, and this is a function of {types}; give --computes",
                quote(text)
            )));
        }
        _ => return Err(Failure::input("give --computes FUNCTION")),
    };
    let function = SeveralFunction::open(
        library.unwrap_or_default(),
        symbol.unwrap_or_default(),
        types,
    )?;
    Ok((function, reference))
}
