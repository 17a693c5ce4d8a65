//! `estimate`: how long a search takes, here by trial and elsewhere by floating-point operations.

use std::time::Duration;

use serde_json::json;

use crate::driver::args::EstimateArgs;
use crate::driver::context::Context;
use crate::driver::failure::Failure;
use crate::driver::results;
use crate::search::engine::Device;
use crate::search::estimate::{self, TABLE_4, Work, projected};
use crate::search::{machine, show};

pub(super) fn estimate(args: &EstimateArgs, context: &mut Context) -> Result<(), Failure> {
    let sweep = context.sweep(&args.sweep)?;
    let (plan, text) = context.plan(sweep, &args.range)?;
    let work = Work::of(sweep).map_err(|e| Failure::input(e.to_string()))?;
    let discovery = context.backends(&args.backend)?;
    let threads = args.threads.unwrap_or_else(machine::cores);
    let inputs = plan.range().count();
    let time = Duration::from_secs_f64(args.seconds);
    let mut tried = Vec::new();
    for b in &discovery.backends {
        let device = Device::new(b.clone(), threads);
        let rate = estimate::calibrate(sweep, &plan, vec![device], time)?.rate;
        tried.push((b.id().to_string(), rate));
    }
    let Some((best, rate)) = tried
        .iter()
        .max_by(|a, b| a.1.total_cmp(&b.1))
        .filter(|b| b.1 > 0.0)
    else {
        return Err(Failure::failed(format!(
            "no backend finished anything in {}; give --seconds more",
            show::seconds(args.seconds)
        )));
    };
    // In the paper, an input costs its kernel's operations whatever the machine: the rate scales with the peak.
    let done = rate * work.flops as f64;
    let projections: Vec<(&str, f64)> = args.peak.map_or_else(Vec::new, |gflops| {
        let projected = |s| projected(inputs, *rate, gflops * 1e9, s);
        TABLE_4.iter().map(|s| (s.name, projected(s))).collect()
    });
    if context.json {
        let backends: Vec<_> = tried
            .iter()
            .map(|(id, rate)| {
                let seconds = (*rate > 0.0).then(|| inputs as f64 / rate);
                json!({ "backend": id, "rate": rate, "seconds": seconds })
            })
            .collect();
        let elsewhere: Vec<_> = projections
            .iter()
            .map(|(name, s)| json!({ "system": name, "seconds": s }))
            .collect();
        context.out.json(&json!({
            "sweep": sweep.name,
            "range": text,
            "inputs": results::count(inputs),
            "operations_per_input": work.operations,
            "flops_per_input": work.flops,
            "backends": backends,
            "fastest": best,
            "flops_here": done,
            "peak_here": args.peak.map(|gflops| gflops * 1e9),
            "projections": elsewhere,
        }))?;
        return Ok(());
    }
    context.out.line(&format!(
        "{}: {} inputs of {text}; {} operations an input, of them {} floating-point",
        sweep.name,
        show::count(inputs),
        work.operations,
        work.flops
    ))?;
    let mut rows = vec![["backend", "inputs/s", "time"].map(String::from).to_vec()];
    for (id, rate) in &tried {
        rows.push(vec![
            id.clone(),
            show::si(*rate),
            show::seconds(inputs as f64 / rate),
        ]);
    }
    context.out.table(&rows)?;
    context.out.line(&format!(
        "{best} does {}FLOPS of these kernels",
        show::si(done)
    ))?;
    let Some(gflops) = args.peak else {
        context
            .out
            .line("give this machine's --peak in GFLOPS for projections to larger ones")?;
        return Ok(());
    };
    context.out.line(&format!(
        "\nprojections by FLOPS from {best}, of a peak of {}FLOPS:",
        show::si(gflops * 1e9)
    ))?;
    let rows: Vec<Vec<String>> = projections
        .iter()
        .map(|(name, s)| vec![format!("  {name}"), show::seconds(*s)])
        .collect();
    context.out.columns(&rows)?;
    Ok(())
}
