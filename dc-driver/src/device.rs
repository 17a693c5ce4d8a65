//! Functions of devices as candidates: `--device opencl:pocl --symbol native_exp --signature f32 --computes exp`.

use std::sync::Arc;

use super::args::OutsideArgs;
use super::context::Context;
use super::failure::Failure;
use super::library::{Compiled, against_any, inputs};
use super::meant::{self, Meant, Purpose};
use dc_runtime::backend::{Backend, Filter};
use dc_runtime::model::candidate::Candidate;
use dc_runtime::model::device::{DeviceError, DeviceFunction};
use dc_runtime::model::family::Family;
use dc_runtime::model::space::InputSpace;
use dc_runtime::search::identity::KernelIdentity;
use dc_runtime::search::range::quote;
use dc_runtime::search::run_file::Header;
use dc_runtime::sweep::Sweep;

/// The sweep of the function on the command line, if there is one.
pub(super) fn sweep(args: &OutsideArgs, context: &Context) -> Result<Option<Sweep>, Failure> {
    let OutsideArgs {
        device: Some(name),
        symbol: Some(symbol),
        signature: Some(signature),
        ..
    } = args
    else {
        return Ok(None);
    };
    let inputs = inputs(signature)?;
    let against = Meant::outside(args).reference(inputs, Purpose::Search)?;
    of(&device(name, context)?, symbol, inputs, against).map(Some)
}

/// The sweep of the function in a run file, if it is a device's.
///
/// The function is loaded from the device with that name. Its results are comparable with those of the file only if device, driver, options
/// and text are the same.
pub(super) fn sweep_of(header: &Header, context: &Context) -> Result<Option<Sweep>, Failure> {
    let [candidate, ..] = &header.identity.kernels[..] else {
        return Ok(None);
    };
    if !candidate.is_of_device() {
        return Ok(None);
    }
    let inputs = header.identity.inputs;
    let against = meant::of_file(header)?;
    let device = device(&candidate.file, context)?;
    let sweep = of(&device, &candidate.name, inputs, against)?;
    let Candidate::Device(function) = sweep.candidate() else {
        return Ok(None);
    };
    let now = KernelIdentity::of_device(&candidate.role, function);
    if now.hash != candidate.hash {
        let differs = now.source.lines().zip(candidate.source.lines());
        let what = differs.into_iter().find(|(a, b)| a != b).map_or_else(
            || {
                format!(
                    "the identities are {} now and {} in the file",
                    now.hash,
                    quote(&candidate.hash)
                )
            },
            |(now, file)| {
                format!(
                    "there is `{}` now and `{}` in the file",
                    quote(now),
                    quote(file)
                )
            },
        );
        return Err(Failure::input(format!(
            "`{}` is not what was searched: {what}",
            function.full_name()
        )));
    }
    Ok(Some(sweep))
}

/// A function to be compared with another, named DEVICE:SYMBOL:SIGNATURE: its name, and a sweep. `None` if DEVICE is not the name of a
/// device.
pub(super) fn alone(
    name: &str,
    symbol: &str,
    signature: &str,
    context: &Context,
) -> Result<Option<(String, Sweep)>, Failure> {
    if !Family::of(name).is_some_and(Family::has_functions) {
        return Ok(None);
    }
    let inputs = inputs(signature)?;
    let sweep = of(
        &device(name, context)?,
        symbol,
        inputs,
        against_any(inputs)?,
    )?;
    let name = match sweep.candidate() {
        Candidate::Device(f) => f.full_name(),
        _ => sweep.name().into(),
    };
    Ok(Some((name, sweep)))
}

/// The only device with that name.
pub(super) fn device(name: &str, context: &Context) -> Result<Arc<dyn Backend>, Failure> {
    let list = [name.to_string()];
    let one: Filter = name
        .parse()
        .map_err(|e: dc_runtime::backend::filter::FilterError| Failure::input(e.to_string()))?;
    let mut found = context.backends(&list)?.backends;
    match (found.len(), found.pop()) {
        (1, Some(device)) => Ok(device),
        (_, last) => {
            found.extend(last);
            let ids: Vec<&str> = found.iter().map(|b| b.id()).collect();
            Err(Failure::input(format!(
                "--device {one}: name one of them: {}",
                ids.join(", ")
            )))
        }
    }
}

fn of(
    device: &Arc<dyn Backend>,
    symbol: &str,
    inputs: InputSpace,
    against: Compiled,
) -> Result<Sweep, Failure> {
    let function = DeviceFunction::open(device.clone(), symbol, inputs)?;
    // A sweep and its name are static data of the program: there is one per command, and so one per process.
    let function: &'static DeviceFunction = Box::leak(Box::new(function));
    Ok(Sweep::accuracy_only(
        function.name(),
        Candidate::Device(function),
        against,
        "all",
    ))
}

impl From<DeviceError> for Failure {
    fn from(e: DeviceError) -> Self {
        match e {
            DeviceError::Backend(e) => e.into(),
            e => Failure::input(e.to_string()),
        }
    }
}
