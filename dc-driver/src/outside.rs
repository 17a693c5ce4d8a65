//! The candidate that the command line names in place of a sweep: a function of a library, in a source file, of a benchmark, or of a
//! device.

use std::path::Path;

use super::args::OutsideArgs;
use super::context::Context;
use super::failure::Failure;
use super::meant::{Meant, Purpose};
use super::{device, fpcore, library, lifted};
use dc_runtime::sweep::Sweep;

/// The sweep of the function on the command line, if there is one. The library of a function in a source file is kept as `keep`, if this is
/// given.
pub(super) fn sweep(
    args: &OutsideArgs,
    keep: Option<&Path>,
    context: &mut Context,
) -> Result<Option<Sweep>, Failure> {
    lifted::alone_is_refused(&args.lifted, &[])?;
    if let Some(sweep) = library::sweep(args)? {
        return Ok(Some(sweep));
    }
    let meant = (Meant::outside(args), Purpose::Search);
    if let Some(sweep) = fpcore::sweep(&args.fpcore, meant, context)? {
        return Ok(Some(sweep));
    }
    match lifted::sweep(&args.lifted, meant, keep, context)? {
        Some(sweep) => Ok(Some(sweep)),
        None => device::sweep(args, context),
    }
}
