//! `plot`: pictures of runs, and the report.

use std::path::{Path, PathBuf};

use serde_json::json;

use crate::args::{BoundArg, BoundArgs, CELLS, Kind, PlotArgs};
use crate::context::Context;
use crate::failure::Failure;
use crate::folder;
use crate::plot::file::{cannot, ending, kind_of_file, not_a_run_file, write};
use crate::plot::{self, Certified, Envelope, Histogram, Run, Throughput};
use crate::proven::{self, Computed, Limit, wording};
use crate::report;
use dc_runtime::model::measure::Measure;
use dc_runtime::model::show;
use dc_runtime::search::format;
use dc_runtime::search::range::{Range, Span};
use dc_runtime::search::replace::replace;
use dc_runtime::search::run_file::Reader;
use dc_runtime::search::ulp::Definition;

/// The default size of a picture in pixels: that of `--width` and `--height`.
const SIZE: (u32, u32) = (1200, 675);

/// The largest number of steps of an envelope.
const STEPS: u64 = 512;

pub(super) fn plot(args: &PlotArgs, context: &mut Context) -> Result<(), Failure> {
    let wanted = args.out.as_deref().and_then(ending);
    let kind = match (args.kind, wanted.as_deref()) {
        (Some(kind), _) => kind,
        (None, Some("html")) => Kind::Report,
        (None, _) => Kind::Envelope,
    };
    let path = args
        .out
        .clone()
        .unwrap_or_else(|| default_path(&args.files[0], kind));
    let allowed: &[&str] = match kind {
        Kind::Report => &["html"],
        _ => &["svg", "png"],
    };
    kind_of_file(&path, allowed, &format!("the {}", kind.name()))?;
    let most = match kind {
        Kind::Throughput => usize::MAX,
        Kind::Envelope => 2,
        Kind::Histogram | Kind::Report => 1,
    };
    if args.files.len() > most {
        return Err(Failure::input(format!(
            "{} run files for one {}; give {}, or --kind throughput",
            args.files.len(),
            kind.name(),
            if most == 2 { "one or two" } else { "one" }
        )));
    }
    if args.files.len() > 1 && args.bound.is_some() {
        return Err(Failure::input(
            "--bound is for one run, and there are two; leave it out, or give one file",
        ));
    }
    if args.range.is_some() && kind != Kind::Envelope {
        return Err(Failure::input(format!(
            "--range is for the envelope, not for the {}; leave it out",
            kind.name()
        )));
    }
    not_a_run_file(&path)?;
    let mut opened = Vec::new();
    for file in &args.files {
        opened.push(folder::open(file, context)?);
    }
    let readers: Vec<&Reader> = opened.iter().map(|o| &o.reader).collect();
    let measures: Vec<Measure> = (readers.iter())
        .map(|r| r.header().identity.measure())
        .collect();
    for (reader, &measure) in readers.iter().zip(&measures) {
        context.definition(&args.ulp, reader.header().types(), measure)?;
    }
    in_one_unit(&measures, kind, args)?;
    readers.iter().for_each(|r| context.note_format(r));
    let size = (args.width, args.height);
    let computed = match kind {
        Kind::Envelope | Kind::Report => certified(readers[0], args, context)?,
        Kind::Histogram | Kind::Throughput => None,
    };
    match kind {
        Kind::Envelope => write(&envelope(&readers, args, computed.as_ref())?, size, &path)?,
        Kind::Histogram => write(&histogram(readers[0])?, size, &path)?,
        Kind::Throughput => {
            let t = throughput(&readers)?;
            if t.is_empty() {
                return Err(Failure::input(format!(
                    "{}: no backend has searched anything in it yet",
                    args.files[0].display()
                )));
            }
            write(&t, size, &path)?;
        }
        Kind::Report => {
            let envelope = envelope(&readers, args, computed.as_ref())?;
            let pictures = report::Pictures {
                envelope: plot::svg(&envelope, size),
                histogram: (histogram(readers[0]).map_err(|e| e.message))
                    .and_then(|h| plot::svg(&h, size)),
                throughput: throughput(&readers)?,
                axis: &axis(&readers, None)?,
                bound: envelope.bound(),
            };
            let reader = readers[0];
            context.evaluate_again(reader, reader.status()?.worst.as_ref())?;
            let costs = match &computed {
                Some(computed) => {
                    let worst = reader.status()?.worst;
                    let worst = worst.map(|w| f64::from_bits(w.precision.bits_of_key(w.key)));
                    proven::costs(computed, worst)
                }
                None => Vec::new(),
            };
            let text = report::html(reader, args.ulp.ulp, &pictures, &costs)?;
            replace(&path, text.as_bytes()).map_err(|e| cannot(&path, &e.to_string()))?;
        }
    }
    if context.json {
        let document = json!({ "kind": kind.name(), "file": path.display().to_string() });
        context.out.json(&document)?;
    } else {
        context.out.line(&path.display().to_string())?;
    }
    Ok(())
}

fn default_path(file: &Path, kind: Kind) -> PathBuf {
    if file.is_dir() {
        return match kind {
            Kind::Report => file.join("report.html"),
            _ => file.join(format!("{}.svg", kind.name())),
        };
    }
    match kind {
        Kind::Report => file.with_extension("html"),
        _ => file.with_extension(format!("{}.svg", kind.name())),
    }
}

fn title(reader: &Reader) -> String {
    let id = &reader.header().identity;
    let title = format!("{} against {}", id.kernels[0].name, id.kernels[1].name);
    show::plain(&title)
}

fn envelope(
    readers: &[&Reader],
    args: &PlotArgs,
    computed: Option<&Computed>,
) -> Result<Envelope, Failure> {
    let title = match readers {
        [one, two] => {
            let name = |r: &Reader, i: usize| r.header().identity.kernels[i].name.clone();
            let both = format!(
                "{} and {} against {}",
                name(one, 0),
                name(two, 0),
                name(one, 1)
            );
            show::plain(&both)
        }
        readers => title(readers[0]),
    };
    let definition = match readers[0].header().identity.measure() {
        measure if measure.is_in_ulp() => args.ulp.ulp,
        other => Definition::searched(other),
    };
    let under = |bound: Option<&dyn Fn(f64, f64) -> f64>| {
        let zoom = args.range.as_deref();
        envelope_under(readers, title.clone(), zoom, definition, bound)
    };
    match (args.bound, computed) {
        (Some(BoundArg::Ulp(bound)), _) => under(Some(&|_, _| bound)),
        (_, Some(computed)) => {
            let certified = Certified::new(&computed.bound);
            under(Some(&|lo, hi| certified.largest(lo, hi)))
        }
        _ => under(None),
    }
}

/// Refuses plots in ULP for runs that measured another error, and two kinds of errors on one axis.
fn in_one_unit(measures: &[Measure], kind: Kind, args: &PlotArgs) -> Result<(), Failure> {
    let Some(other) = measures.iter().find(|m| !m.is_in_ulp()) else {
        return Ok(());
    };
    let refused = match kind {
        Kind::Histogram | Kind::Report => {
            format!("the {} has bins in ULP; draw the envelope", kind.name())
        }
        _ if args.bound.is_some() => "--bound is in ULP; leave it out".into(),
        Kind::Envelope if measures.iter().any(|m| m.unit() != other.unit()) => {
            "two errors have no common axis; draw each run in a picture of its own".into()
        }
        _ => return Ok(()),
    };
    Err(Failure::input(format!(
        "the search was for the largest {} error, and {refused}",
        other.name()
    )))
}

/// The certified bound of a run's range, if it is requested.
fn certified(
    reader: &Reader,
    args: &PlotArgs,
    context: &mut Context,
) -> Result<Option<Computed>, Failure> {
    if args.bound != Some(BoundArg::Certified) {
        return Ok(None);
    }
    if args.ulp.ulp != Definition::Handbook {
        return Err(Failure::input(format!(
            "--bound: certified bounds are in the Handbook's ULP, and --ulp {} is another; leave one of them out",
            args.ulp.ulp.name()
        )));
    }
    let header = reader.header();
    let identity = &header.identity;
    let sweep = context.sweep(&identity.sweep)?;
    let own = context.identity(sweep)?;
    if own.kernels.first().map(|k| &k.hash) != identity.kernels.first().map(|k| &k.hash) {
        return Err(Failure::input(format!(
            "{}: it belongs to another version of `{}` than this program's, which has another bound; run it again",
            reader.path().display(),
            identity.sweep
        )));
    }
    let range = Some(header.range_text.clone());
    let bound = BoundArgs::of(identity.sweep.clone(), range, CELLS);
    let computed = proven::compute(&bound, Limit::default(), context)?;
    context.note(&format!(
        "the certified bound is {} ULP, found in {}",
        wording::up(computed.bound.bound),
        show::seconds(computed.time)
    ));
    for text in wording::left_out(&computed) {
        context.note(&format!("not bounded: {text}"));
    }
    Ok(Some(computed))
}

/// The inputs of an axis: those of the first run, or the requested part of them.
fn axis(readers: &[&Reader], zoom: Option<&str>) -> Result<Range, Failure> {
    let header = readers[0].header();
    let (plan, own) = (&header.plan, header.own_blocks());
    let whole = plan.range();
    let space = whole.space();
    if let Some(other) = readers.iter().find(|r| r.header().space() != space) {
        return Err(Failure::input(format!(
            "{}: its inputs are {}, those of the other file are {}; the two have no axis in common",
            other.path().display(),
            other.header().space().signature(),
            space.signature()
        )));
    }
    let ends = plan
        .block(own.start)
        .zip(plan.block(own.end.saturating_sub(1)));
    let axis = match ends {
        Some((first, last)) => {
            let own = Span {
                first: first.first,
                last: (i128::from(last.first) + i128::from(last.count) - 1) as i64,
            };
            let own =
                Range::from_spans(space, vec![own]).map_err(|e| Failure::failed(e.to_string()))?;
            whole.intersection(&own)
        }
        None => whole.clone(),
    };
    let Some(text) = zoom else { return Ok(axis) };
    let zoom = Range::parse(text, space).map_err(|e| Failure::input(e.to_string()))?;
    let axis = axis.intersection(&zoom);
    if axis.spans().is_empty() {
        return Err(Failure::input(format!(
            "--range {text}: the run has no input there; its range is {}",
            header.range_text
        )));
    }
    Ok(axis)
}

fn envelope_under(
    readers: &[&Reader],
    title: String,
    zoom: Option<&str>,
    definition: Definition,
    bound: Option<&dyn Fn(f64, f64) -> f64>,
) -> Result<Envelope, Failure> {
    let axis = axis(readers, zoom)?;
    let names: Vec<&str> = readers
        .iter()
        .map(|r| &*r.header().identity.kernels[0].name)
        .collect();
    let same = names.windows(2).any(|n| n[0] == n[1]);
    let mut runs = Vec::new();
    for (reader, name) in readers.iter().zip(names) {
        let header = reader.header();
        // As many steps on the axis, whatever part of the run it shows.
        let share = header.plan.range().count() as f64 / axis.count().max(1) as f64;
        let wanted = (STEPS as f64 * share.max(1.0)).min(1e6) as u64;
        let rows = format::rows(reader, format::group_for(header, wanted))?;
        let file = reader.path().file_stem().unwrap_or_default();
        let label = match same {
            true => file.to_string_lossy().into_owned(),
            false => name.to_string(),
        };
        runs.push((show::plain(&label), rows));
    }
    let runs: Vec<Run> = runs
        .iter()
        .map(|(label, rows)| Run {
            label: label.clone(),
            rows,
        })
        .collect();
    Ok(Envelope::new(title, &runs, &axis, definition, bound))
}

/// Draws the error envelope of a run file as SVG or PNG, by the extension of `out`, as `crunch plot` does. A bound that depends on the
/// input is drawn over it, dashed.
///
/// # Errors
/// If the run file cannot be read, or the picture cannot be written.
pub fn draw_envelope(
    file: &Path,
    title: &str,
    bound: Option<&dyn Fn(f64) -> f64>,
    out: &Path,
) -> Result<(), String> {
    let draw = || {
        let reader = Reader::open(file)?;
        // The larger value at the ends is nearly the largest of the curve.
        let ends = bound.map(|f| move |lo: f64, hi: f64| f(lo).max(f(hi)));
        let ends = ends.as_ref().map(|f| f as &dyn Fn(f64, f64) -> f64);
        let picture = envelope_under(&[&reader], title.into(), None, Definition::Handbook, ends)?;
        write(&picture, SIZE, out)
    };
    draw().map_err(|failure: Failure| failure.message)
}

fn histogram(reader: &Reader) -> Result<Histogram, Failure> {
    let result = reader.status()?.result;
    if Measure::of_result(&result) == Measure::Maxima {
        return Err(Failure::input(format!(
            "{}: only the largest errors were measured, and there is no histogram; `run --measure full` counts one",
            reader.path().display()
        )));
    }
    Ok(Histogram::new(title(reader), &result))
}

fn throughput(readers: &[&Reader]) -> Result<Throughput, Failure> {
    let mut sessions = Vec::new();
    for r in readers {
        let label = if readers.len() > 1 {
            show::plain(&r.header().identity.kernels[0].name)
        } else {
            String::new()
        };
        for mut session in r.sessions()? {
            for device in &mut session.devices {
                device.backend = show::plain(&device.backend);
            }
            sessions.push((label.clone(), session));
        }
    }
    let title = match readers {
        [one] => title(one),
        several => format!("{} runs", several.len()),
    };
    Ok(Throughput::new(title, &sessions))
}
