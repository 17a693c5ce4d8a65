//! `estimate`: the duration of a search, here by measurement and on other systems by floating-point operations.

use std::sync::Arc;
use std::time::Duration;

use serde_json::json;

use crate::args::EstimateArgs;
use crate::context::Context;
use crate::estimate::{self, MACHINES, System, Work, projected, systems};
use crate::failure::Failure;
use crate::results;
use dc_runtime::backend::{Backend, Hardware};
use dc_runtime::model::{machine, show};
use dc_runtime::search::ceiling::{self, Ceiling};
use dc_runtime::search::engine::Device;
use dc_runtime::search::range::quote;

/// The duration of each of the two loops of [`ceiling::measure`].
const CEILING: Duration = Duration::from_millis(200);

/// The systems to project to.
fn machines(args: &EstimateArgs) -> Result<Vec<System>, Failure> {
    let Some(path) = &args.machines else {
        return systems(MACHINES).map_err(|e| Failure::failed(format!("the built-in list: {e}")));
    };
    let name = quote(&path.display().to_string()).to_string();
    let text = std::fs::read_to_string(path)
        .map_err(|e| Failure::input(format!("--machines {name}: {e}")))?;
    systems(&text).map_err(|e| Failure::input(format!("--machines {name}: {e}")))
}

/// A backend and its rate.
type Tried = (Arc<dyn Backend>, f64);

/// The peak from which projections start, with its backend and that backend's rate.
struct Peak<'a> {
    backend: &'a str,
    rate: f64,
    flops: f64,
    measured: Option<Ceiling>,
}

impl Peak<'_> {
    /// The given peak, with the fastest backend; or the measured peak of the processor, with the fastest backend of machine code on it.
    fn of<'a>(args: &EstimateArgs, tried: &'a [Tried], threads: usize) -> Option<Peak<'a>> {
        let (backend, rate) = tried
            .iter()
            .filter(|t| t.1 > 0.0)
            .filter(|t| args.peak.is_some() || t.0.hardware() == Hardware::Processor)
            .max_by(|a, b| a.1.total_cmp(&b.1))?;
        let measured = match args.peak {
            Some(_) => None,
            None => Some(ceiling::measure(threads, CEILING)),
        };
        let flops = args
            .peak
            .map_or_else(|| measured.map_or(0.0, Ceiling::flops), |g| g * 1e9);
        (flops > 0.0).then_some(Peak {
            backend: backend.id(),
            rate: *rate,
            flops,
            measured,
        })
    }
}

pub(super) fn estimate(args: &EstimateArgs, context: &mut Context) -> Result<(), Failure> {
    let sweep = context.sweep(&args.sweep)?;
    let machines = machines(args)?;
    let (plan, text) = context.plan(sweep, &args.range)?;
    let kernels = sweep.kernels().ok_or_else(|| {
        Failure::input(format!(
            "the operations of `{}` cannot be counted: {}; `{} run` says how fast it is here",
            sweep.name(),
            sweep.why_accuracy_only(),
            context.program
        ))
    })?;
    let work = Work::of(kernels).map_err(|e| Failure::input(e.to_string()))?;
    let discovery = context.backends(&args.backend)?;
    context.note_refused(&discovery);
    let threads = args.threads.unwrap_or_else(machine::cores);
    let inputs = plan.range().count();
    let time = Duration::from_secs_f64(args.seconds);
    let mut tried = Vec::new();
    for b in &discovery.backends {
        let device = Device::new(b.clone(), threads);
        let rate = estimate::calibrate(sweep, &plan, vec![device], time)?.rate;
        tried.push((b.clone(), rate));
    }
    let Some((best, rate)) = tried
        .iter()
        .max_by(|a, b| a.1.total_cmp(&b.1))
        .filter(|b| b.1 > 0.0)
    else {
        return Err(Failure::failed(format!(
            "no backend finished anything in {}; give a larger --seconds",
            show::seconds(args.seconds)
        )));
    };
    // In the paper, the number of operations per input is the same on all machines: the rate is proportional to the
    // peak.
    let done = rate * work.flops as f64;
    let peak = Peak::of(args, &tried, threads);
    let projections: Vec<(&System, f64)> = peak.as_ref().map_or_else(Vec::new, |p| {
        let projected = |s| projected(inputs, p.rate, p.flops, s);
        machines.iter().map(|s| (s, projected(s))).collect()
    });
    if context.json {
        let backends: Vec<_> = tried
            .iter()
            .map(|(backend, rate)| {
                let seconds = (*rate > 0.0).then(|| inputs as f64 / rate);
                json!({ "backend": backend.id(), "rate": rate, "seconds": seconds })
            })
            .collect();
        let elsewhere: Vec<_> = projections
            .iter()
            .map(|(system, s)| {
                json!({ "system": system.name, "peak": system.flops, "source": system.source, "seconds": s })
            })
            .collect();
        context.out.json(&json!({
            "sweep": sweep.name(),
            "range": text,
            "inputs": results::count(inputs),
            "operations_per_input": work.operations,
            "flops_per_input": work.flops,
            "backends": backends,
            "fastest": best.id(),
            "flops_here": done,
            "peak_here": peak.as_ref().map(|p| p.flops),
            "peak_measured": peak.as_ref().and_then(|p| p.measured).map(|c| {
                json!({ "fused_per_second": c.fused, "fused_and_added_per_second": c.mixed })
            }),
            "projected_from": peak.as_ref().map(|p| p.backend),
            "projections": elsewhere,
        }))?;
        return Ok(());
    }
    context.out.line(&format!(
        "{}: {} inputs of {text}; {} operations per input, of them {} floating-point",
        sweep.name(),
        show::count(inputs),
        work.operations,
        work.flops
    ))?;
    let mut rows = vec![["backend", "inputs/s", "time"].map(String::from).to_vec()];
    for (backend, rate) in &tried {
        rows.push(vec![
            backend.id().to_string(),
            show::si(*rate),
            show::seconds(inputs as f64 / rate),
        ]);
    }
    context.out.table(&rows)?;
    context.out.line(&format!(
        "{} does {}FLOPS of these kernels",
        best.id(),
        show::si(done)
    ))?;
    let Some(p) = peak else {
        context.out.line(
            "no projections: only the processor's peak can be measured, and no backend runs its machine code; give --peak, in GFLOPS",
        )?;
        return Ok(());
    };
    let of = match p.measured {
        Some(c) => format!(
            "measured: {} fused operations/s; with additions between them, {} operations/s",
            show::si(c.fused),
            show::si(c.mixed)
        ),
        None => "as given".into(),
    };
    let part = 100.0 * p.rate * work.flops as f64 / p.flops;
    context.out.line(&format!(
        "peak {}FLOPS, {of}; {} reaches {part:.1} % of it\n",
        show::si(p.flops),
        p.backend
    ))?;
    let row = |name: &str, flops: f64, seconds: f64| {
        let peak = format!("{}FLOPS", show::si(flops));
        vec![name.to_string(), peak, show::seconds(seconds)]
    };
    let mut rows = vec![
        ["compute system", "peak", "compute time"]
            .map(String::from)
            .to_vec(),
    ];
    let here = format!("this machine, {}", p.backend);
    rows.push(row(&here, p.flops, inputs as f64 / p.rate));
    rows.extend(projections.iter().map(|(s, t)| row(&s.name, s.flops, *t)));
    context.out.table(&rows)?;
    context
        .out
        .line("projected: as if each did as well for its peak as this machine does")?;
    Ok(())
}
