//! The search kernel: every work item evaluates approximation and reference on its own keys, computes the metric of
//! each result and accumulates the parts of a block's result. At the end, it writes one record per lane.
//!
//! Keys are inputs in the order of the reals (see the search's key module): `bits = key < 0 ? key ^ 0x7fff…f : key`.
//! Item `i` of `s` takes keys `first + i`, `first + i + s`, …. So an item's keys ascend, and a strict comparison
//! keeps the smallest key of a tie.
//!
//! With vectors, items take chunks of neighbouring keys in this order, instead of single keys: see `search_opencl_cpu.rs`.

use super::c::{self, Writer};
use super::function::Callee;
use super::link::Linked;
use super::search_cuda::Grid;
use super::search_opencl_cpu::{CHUNK, Passes};
use super::search_opencl_gpu::Reduce;
use super::sweep::{Routine, Sweep, kernel_name};
use super::{Dialect, EmitError, Options, Signature, Source};

/// The search kernel of three programs; see [`Signature::Sweep`] for its arguments and [`RECORD`](super::RECORD) for its results.
///
/// # Errors
/// If the programs' signatures differ from those in [`Sweep`].
pub fn sweep_kernel(sweep: &Sweep, options: &Options) -> Result<Source, EmitError> {
    sweep.check()?;
    let title = format!(
        "{} against {}, measured by {}: a search by DoubleCrunch",
        sweep.approx.name(),
        sweep.reference.entry().name,
        sweep.metric.entry().name
    );
    let (text, entry) = match options.lang().lanes() {
        _ if options.dialect == Dialect::Cuda => by_grid(sweep, options, &title)?,
        1 => by_key(sweep, options, &title)?,
        _ => by_chunk(sweep, options, &title)?,
    };
    Ok(Source {
        text,
        entry,
        dialect: options.dialect,
        lanes: match options.lang().lanes() {
            1 => 1,
            _ => CHUNK,
        },
        signature: Signature::Sweep,
    })
}

/// The text in which an item processes key after key, and the kernel's name.
fn by_key(sweep: &Sweep, options: &Options, title: &str) -> Result<(String, String), EmitError> {
    let lang = options.lang();
    let lang = lang.as_ref();
    let mut linked = Linked::default();
    let [approx, reference, metric] =
        [sweep.approx.program()?, sweep.reference, sweep.metric].map(|p| linked.add(p));
    let name = kernel_name(sweep, &mut linked);
    let mut writer = Writer::new(lang, &linked, options.line_directives);
    let calls = [approx, reference, metric].map(|i| linked.funcs[i].name.clone());
    let text = Reduce { lang, sweep, calls }.kernel(&name, &mut writer);
    Ok((writer.finish(title, &text), name))
}

/// CUDA's text, and the kernel's name.
fn by_grid(sweep: &Sweep, options: &Options, title: &str) -> Result<(String, String), EmitError> {
    let lang = options.lang();
    let lang = lang.as_ref();
    let mut linked = Linked::default();
    let (called, before) = match sweep.approx {
        Routine::Program(program) => {
            let i = linked.add(program);
            (linked.funcs[i].name.clone(), String::new())
        }
        Routine::Function(name) => {
            let callee = Callee::new(name, sweep.precision, 1, options.dialect)?;
            (callee.name, callee.definitions + &callee.assertion + "\n\n")
        }
    };
    let [reference, metric] = [sweep.reference, sweep.metric].map(|p| linked.add(p));
    let fast_path = sweep.fast_path.map(|o| linked.add_raw(o.program));
    let name = kernel_name(sweep, &mut linked);
    let mut writer = Writer::new(lang, &linked, options.line_directives);
    let function = |i: usize| linked.funcs[i].name.clone();
    let grid = Grid {
        lang,
        sweep,
        calls: [called, function(reference), function(metric)],
        fast_path: fast_path.map(function),
    };
    let text = before + &grid.kernels(&name, &mut writer);
    Ok((writer.finish(title, &text), name))
}

/// The text in which an item processes chunk after chunk, and the kernel's name.
fn by_chunk(sweep: &Sweep, options: &Options, title: &str) -> Result<(String, String), EmitError> {
    let metric_options = Options {
        lanes: options.register,
        ..*options
    };
    let (lang, metric) = (options.lang(), metric_options.lang());
    let (lang, metric) = (lang.as_ref(), metric.as_ref());
    let mut kernels = Linked::default();
    let [approx, reference] = [sweep.approx.program()?, sweep.reference].map(|p| kernels.add(p));
    let mut metrics = Linked::behind(&kernels);
    let verdict = metrics.add(sweep.metric);
    let fast_path = sweep
        .fast_path
        .as_ref()
        .map(|o| (o, metrics.add(o.program)));
    let name = kernel_name(sweep, &mut metrics);
    let mut writer = Writer::new(lang, &kernels, options.line_directives);
    let mut metric_writer = Writer::new(metric, &metrics, options.line_directives);
    let passes = Passes {
        sweep,
        lang,
        metric,
        calls: [
            kernels.funcs[approx].name.clone(),
            kernels.funcs[reference].name.clone(),
            metrics.funcs[verdict].name.clone(),
        ],
        fast_path: fast_path.map(|(o, i)| (o, metrics.funcs[i].name.clone())),
    };
    let kernel = passes.kernel(&name, &mut writer, &mut metric_writer);
    let text = c::top(title, lang) + &writer.definitions() + &metric_writer.definitions() + &kernel;
    Ok((text, name))
}
