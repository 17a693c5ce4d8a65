//! `reduce`: the errors of reductions in each order, the effect of another order, and the bits of every backend.

use serde_json::{Value, json};

use crate::args::ReduceArgs;
use crate::context::Context;
use crate::exit;
use crate::failure::Failure;
use crate::progress::short;
use crate::results;
use dc_runtime::backend::Discovery;
use dc_runtime::model::key::Precision;
use dc_runtime::model::show;
use dc_runtime::reductions::{
    Agreement, Count, Fault, Found, Function, Largest, Measured, Order, Reduction, ReductionError,
    Truth, Wanted,
};
use dc_runtime::search::range::quote;

pub(super) fn reduce(args: &ReduceArgs, context: &mut Context) -> Result<(), Failure> {
    let all = context.reductions;
    let chosen: Vec<&Reduction> = if args.reductions.is_empty() {
        all.iter().collect()
    } else {
        let named = args.reductions.iter().map(|name| named(all, name));
        named.collect::<Result<_, _>>()?
    };
    if chosen.is_empty() {
        return Err(Failure::input(
            "this program has no reductions; give them to `driver::Program`",
        ));
    }
    if let Some(number) = args.at {
        let [reduction] = chosen[..] else {
            return Err(Failure::input(format!(
                "--at {number} shows a vector of one reduction; name one, as in reduce {} --at {number}",
                all[0].name
            )));
        };
        return at(reduction, number, args.seed, context);
    }
    let discovery = context.backends(&args.backend)?;
    let wanted = Wanted {
        seed: args.seed,
        ..Wanted::new(args.inputs)
    };
    let mut values = Vec::new();
    let mut finding = false;
    for reduction in chosen {
        let found = reduction
            .compare(&discovery.backends, &wanted)
            .map_err(failed)?;
        let findings = findings(reduction, &found);
        finding |= !findings.is_empty();
        if context.json {
            values.push(document(reduction, &found, &findings, &discovery));
        } else {
            print(reduction, &found, &findings, &discovery, context)?;
        }
    }
    if context.json {
        context.out.json(&json!(values))?;
    }
    if finding {
        return Err(Failure::silent(exit::FINDING));
    }
    if let Some((id, _)) = discovery.refused.first() {
        return Err(Failure::unavailable(format!(
            "{id} must not be trusted and was not compared; name the backends to compare with --backend, or repair it: \
             `{} doctor` reports what is wrong",
            context.program
        )));
    }
    Ok(())
}

fn named<'a>(all: &'a [Reduction<'a>], name: &str) -> Result<&'a Reduction<'a>, Failure> {
    all.iter().find(|r| r.name == name).ok_or_else(|| {
        let names: Vec<&str> = all.iter().map(|r| r.name).collect();
        Failure::input(format!(
            "no reduction is called `{}`; there are: {}",
            quote(name),
            match names.is_empty() {
                true => "none".into(),
                false => names.join(", "),
            }
        ))
    })
}

fn failed(e: ReductionError) -> Failure {
    match e {
        ReductionError::Backend(e) => e.into(),
        e => Failure::input(e.to_string()),
    }
}

/// `u Σ|x|`, with the unit roundoff of the precision.
fn unit(function: Function, precision: Precision) -> (String, &'static str) {
    let roundoff = match precision {
        Precision::F32 => "2^-24",
        Precision::F64 => "2^-53",
    };
    (format!("u {}", function.scale()), roundoff)
}

/// The faults, in words.
fn findings(reduction: &Reduction, found: &Found) -> Vec<String> {
    let (unit, _) = unit(reduction.function, found.shape.precision);
    let mut all = Vec::new();
    for (order, measured) in reduction.orders.iter().zip(&found.orders) {
        let error = measured.error.value;
        if let Some(within) = order.within.filter(|w| measured.error.exceeds(*w)) {
            all.push(format!(
                "{}: the largest error, {} {unit}, is above the allowed {}",
                order.name,
                show::number(error),
                show::number(within)
            ));
        }
        let special = fault(measured, Fault::Special);
        if special.count > 0 {
            let text = counted(special, found);
            all.push(format!("{}: {}: {text}", order.name, Fault::Special.name()));
        }
    }
    let differing = found.backends.iter().filter(|b| b.difference.is_some());
    all.extend(differing.map(|b| difference(reduction, found, b)));
    all
}

fn fault(measured: &Measured, fault: Fault) -> Count {
    let place = Fault::ALL.iter().position(|f| *f == fault);
    place.map_or(Count::default(), |i| measured.faults[i])
}

/// `1,024 vectors, the first 17 (alternating)`
fn counted(count: Count, found: &Found) -> String {
    let first = count.first.map_or(String::new(), |n| {
        format!(", the first {n} ({})", found.inputs.stratum(n))
    });
    format!("{} vectors{first}", show::count(count.count.into()))
}

/// The difference of a backend from the first one.
fn difference(reduction: &Reduction, found: &Found, backend: &Agreement) -> String {
    let Some(d) = backend.difference else {
        return String::new();
    };
    let [want, got] = d.bits.map(|bits| show::full(found.shape.precision, bits));
    format!(
        "{}: {} differs from {}: at vector {} ({}) it gives {got}, not {want}",
        reduction.orders[d.order].name,
        backend.backend,
        found.backends[0].backend,
        found.inputs.place(d.number, d.result),
        found.inputs.stratum(d.number)
    )
}

fn print(
    reduction: &Reduction,
    found: &Found,
    findings: &[String],
    discovery: &Discovery,
    context: &mut Context,
) -> Result<(), Failure> {
    let out = &mut context.out;
    let precision = found.shape.precision;
    let inputs = found.backends[0].inputs;
    let vectors = match reduction.function.vectors() {
        2 => "pairs of vectors",
        _ => "vectors",
    };
    out.line(&format!(
        "{}: {} of {} numbers of {}, {} {vectors}, seed {}, a sample (not exhaustive)",
        reduction.name,
        reduction.function.name(),
        found.shape.length,
        precision.name(),
        show::count(inputs.into()),
        found.inputs.seed
    ))?;
    let number = |n: Option<u64>| n.map_or(String::new(), |n| n.to_string());
    let place = |l: Largest| {
        let place = l.number.map(|n| found.inputs.place(n, l.result));
        place.unwrap_or_default()
    };
    let heading = [
        "order",
        "max error",
        "at",
        "allowed",
        "max ULP",
        "at",
        "little cancels",
        "other bits",
        "first",
    ];
    let mut table = vec![heading.map(String::from).to_vec()];
    for (i, (order, m)) in reduction.orders.iter().zip(&found.orders).enumerate() {
        let share = 100.0 * show::share(m.differing.count, inputs);
        table.push(vec![
            order.name.into(),
            short(m.error.value.abs()),
            place(m.error),
            order.within.map_or("none".into(), show::number),
            short(m.ulp.value.abs()),
            place(m.ulp),
            short(m.well_conditioned.value.abs()),
            match i {
                0 => "baseline".into(),
                _ => format!("{share:.2} %"),
            },
            number(m.differing.first),
        ]);
    }
    out.table(&table)?;
    let (unit, roundoff) = unit(reduction.function, precision);
    let little = match reduction.function {
        // Squares do not cancel.
        Function::Norm => String::new(),
        function => format!(
            "; `little cancels`: in ULP, where {} is at most twice the true value",
            function.scale()
        ),
    };
    let known = match reduction.function.is_exponential() {
        true => "; true values to 2^-94 of themselves, or 2^-20 ULP",
        false => "",
    };
    out.line(&format!("errors in {unit}, u = {roundoff}{little}{known}"))?;
    for (order, m) in reduction.orders.iter().zip(&found.orders) {
        for (fault, count) in Fault::ALL.iter().zip(&m.faults) {
            if count.count > 0 {
                out.line(&format!(
                    "{}: {}: {}",
                    order.name,
                    fault.name(),
                    counted(*count, found)
                ))?;
            }
        }
        if m.true_zero.count > 0 {
            out.line(&format!(
                "{}: the true value is zero and the result is not, so it has no error in ULP: {}",
                order.name,
                counted(m.true_zero, found)
            ))?;
        }
        if m.vague.count > 0 {
            out.line(&format!(
                "{}: the true value is not known to 2^-20 ULP without MPFR, so there is no error in ULP: {}",
                order.name,
                counted(m.vague, found)
            ))?;
        }
    }
    let mut table = vec![
        ["backend", "vectors", "digest", "verdict"]
            .map(String::from)
            .to_vec(),
    ];
    for (i, b) in found.backends.iter().enumerate() {
        let verdict = match (i, b.difference) {
            (0, _) => "baseline".into(),
            (_, None) => "bitwise identical".into(),
            (_, Some(_)) => format!("differs from {}", found.backends[0].backend),
        };
        table.push(vec![
            b.backend.clone(),
            show::count(b.inputs.into()),
            format!("{:016x}", b.digest),
            verdict,
        ]);
    }
    let without =
        |id: &str, verdict: &str| vec![id.into(), String::new(), String::new(), verdict.into()];
    table.extend((discovery.refused.iter()).map(|r| without(&r.0, "REFUSED, not compared")));
    table.extend((discovery.absent.iter()).map(|a| without(&a.id, "not here")));
    out.table(&table)?;
    for finding in findings {
        out.line(&format!("FINDING: {finding}"))?;
    }
    out.line("")?;
    Ok(())
}

/// The results of every order at one vector.
fn at(reduction: &Reduction, number: u64, seed: u64, context: &mut Context) -> Result<(), Failure> {
    let inputs = reduction.inputs(seed).map_err(failed)?;
    let at = reduction.at(number, seed).map_err(failed)?;
    let precision = inputs.precision;
    let judged = |truth: &Truth, bits: u64| truth.judge(precision.value_of_bits(bits));
    let several = at.truths.len() > 1;
    // For each result: its index, its true value, and the order with its bits.
    let results = || {
        let each = at.truths.iter().enumerate();
        each.flat_map(|(k, truth)| {
            let orders = reduction.orders.iter().zip(&at.results);
            orders.map(move |(order, results)| (k, truth, order, results[k]))
        })
    };
    if context.json {
        let orders: Vec<Value> = results()
            .map(|(k, truth, order, bits)| {
                let judged = judged(truth, bits);
                json!({
                    "order": order.name,
                    "index": k,
                    "result": results::word(precision, bits),
                    "error": judged.error.map(results::error),
                    "ulp": judged.ulp.map(results::error),
                    "fault": judged.fault.map(Fault::name),
                })
            })
            .collect();
        let truths: Vec<String> = at.truths.iter().map(Truth::show).collect();
        let words: Vec<Value> = (at.words.iter())
            .map(|w| results::word(precision, *w))
            .collect();
        return Ok(context.out.json(&json!({
            "reduction": reduction.name,
            "vector": number,
            "seed": seed,
            "stratum": inputs.stratum(number),
            "numbers": words,
            "true_value": truths[0],
            "true_values": truths,
            "orders": orders,
        }))?);
    }
    let (unit, roundoff) = unit(reduction.function, precision);
    context.out.line(&format!(
        "{}, vector {number}, seed {seed}: {}",
        reduction.name,
        inputs.stratum(number)
    ))?;
    let mut rows = Vec::new();
    for (i, word) in at.words.iter().enumerate() {
        let name = match i.checked_sub(inputs.length) {
            None => format!("x[{i}]"),
            Some(i) => format!("y[{i}]"),
        };
        rows.push(vec![name, show::full(precision, *word)]);
    }
    let mut shown = None;
    for (k, truth, order, bits) in results() {
        if shown.replace(k) != Some(k) {
            let name = match several {
                true => format!("true y[{k}]"),
                false => "true value".into(),
            };
            rows.push(vec![name, truth.show()]);
        }
        let judged = judged(truth, bits);
        let ulp = match judged.ulp {
            Some(ulp) => format!("{} ULP", show::number(ulp)),
            None => "no error in ULP".into(),
        };
        let error = judged
            .error
            .map(|e| format!("error {} {unit}, {ulp}", show::number(e)));
        let parts = [error, judged.fault.map(|f| f.name().into())];
        let parts: Vec<String> = std::iter::once(show::full(precision, bits))
            .chain(parts.into_iter().flatten())
            .collect();
        rows.push(vec![order.name.into(), parts.join(", ")]);
    }
    context.out.columns(&rows)?;
    context.out.line(&format!("u = {roundoff}"))?;
    Ok(())
}

fn document(
    reduction: &Reduction,
    found: &Found,
    findings: &[String],
    discovery: &Discovery,
) -> Value {
    let several = found.inputs.results() > 1;
    let largest = |l: Largest| {
        json!({
            "value": results::error(l.value),
            "vector": l.number,
            "index": several.then_some(l.result),
        })
    };
    let count = |c: Count| json!({ "vectors": c.count, "first": c.first });
    let order = |(order, m): (&Order, &Measured)| {
        let faults = Fault::ALL.iter().zip(&m.faults);
        let faults = faults.map(|(f, c)| json!({ "fault": f.name(), "found": count(*c) }));
        json!({
            "order": order.name,
            "kernel": order.kernel.kernel.name,
            "allowed": order.within,
            "error": largest(m.error),
            "ulp": largest(m.ulp),
            "ulp_where_little_cancels": largest(m.well_conditioned),
            "true_value_zero": count(m.true_zero),
            "true_value_vague": count(m.vague),
            "faults": faults.collect::<Vec<_>>(),
            "other_bits": count(m.differing),
        })
    };
    let backend = |b: &Agreement| {
        json!({
            "backend": b.backend,
            "vectors": b.inputs,
            "digest": format!("{:016x}", b.digest),
            "identical": b.difference.is_none(),
            "difference": b.difference.map(|d| json!({
                "order": reduction.orders[d.order].name,
                "vector": d.number,
                "index": several.then_some(d.result),
                "results": d.bits.map(|bits| results::word(found.shape.precision, bits)),
            })),
        })
    };
    let (unit, roundoff) = unit(reduction.function, found.shape.precision);
    let orders = reduction.orders.iter().zip(&found.orders);
    json!({
        "reduction": reduction.name,
        "function": reduction.function.name(),
        "precision": found.shape.precision.name(),
        "length": found.shape.length,
        "seed": found.inputs.seed,
        "exhaustive": false,
        "unit": unit,
        "u": roundoff,
        "orders": orders.map(order).collect::<Vec<_>>(),
        "backends": found.backends.iter().map(backend).collect::<Vec<_>>(),
        "refused": discovery.refused.iter().map(|r| &r.0).collect::<Vec<_>>(),
        "absent": discovery.absent.iter().map(|a| &a.id).collect::<Vec<_>>(),
        "findings": findings,
    })
}
