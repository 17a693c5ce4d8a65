//! The report of one run: one HTML file that contains everything, for mailing or archiving. It loads nothing from elsewhere: it includes
//! the style (`page.css`) and the script (`page.js`), and its content policy forbids everything else. Without scripts, it shows static
//! pictures. With scripts, the pictures have the window's width, show values and can be zoomed.

mod figures;
mod tables;

use std::fmt::Write as _;

use super::failure::Failure;
use super::plot::Throughput;
use super::progress::short;
use super::results;
use super::state::{about, state};
use dc_runtime::model::block::BlockResult;
use dc_runtime::model::measure::Measure;
use dc_runtime::model::space::InputSpace;
use dc_runtime::model::{machine, show};
use dc_runtime::search::format::{self, share};
use dc_runtime::search::identity::KernelIdentity;
use dc_runtime::search::range::Range;
use dc_runtime::search::run_file::{Reader, Status};
use dc_runtime::search::ulp::Definition;

/// The pictures.
pub(super) struct Pictures<'a> {
    /// As SVG, or the reason why there is no picture.
    pub envelope: Result<String, String>,
    /// As SVG, or the reason why there is no picture.
    pub histogram: Result<String, String>,
    /// Inputs per second of each backend.
    pub throughput: Throughput,
    /// The inputs of the envelope's axis.
    pub axis: &'a Range,
    /// Points of the curve that bounds the errors: the number of inputs before the point, and ULP.
    pub bound: &'a [(f64, f64)],
}

const STYLE: &str = include_str!("page.css");
const SCRIPT: &str = include_str!("page.js");

/// The content that a browser may load and run: only the file's own.
const POLICY: &str =
    "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; img-src data:";

/// The number of rows of the table.
const ROWS: u64 = 32;
/// The number of rows from which the worst inputs are taken.
const FINE: u64 = 4096;
/// The number of steps of the envelope.
const STEPS: u64 = 1024;

/// The contribution of an operation to the error.
pub(super) struct Cost {
    /// Its largest contribution at the worst cell of the certified bound, in ULP.
    pub cell: f64,
    /// Its signed contribution to the error of the worst input, in ULP; `None` if it is unknown.
    pub input: Option<f64>,
    /// The operation.
    pub operation: String,
    /// Its file and line.
    pub place: String,
    /// The source line.
    pub source: String,
}

/// Writes the report; `costs` is empty if no certified bound was requested.
pub(super) fn html(
    reader: &Reader,
    definition: Definition,
    pictures: &Pictures,
    costs: &[Cost],
) -> Result<String, Failure> {
    let header = reader.header();
    let status = reader.status()?;
    let rows = |wanted| format::rows(reader, format::group_for(header, wanted));
    let (fine, steps) = (rows(FINE)?, rows(STEPS)?);
    let space = header.space();
    let mut h = Html::default();
    h.push("<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">");
    h.push("<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">");
    h.push(&format!(
        "<meta http-equiv=\"Content-Security-Policy\" content=\"{POLICY}\">"
    ));
    let sweep = escape(&header.identity.sweep);
    h.push(&format!("<title>{sweep}</title>"));
    h.push(&format!("<style>\n{STYLE}</style></head><body>\n"));
    // The heading has the names.
    let about = about(header);
    let about = about.split_once(" against ").map_or(&*about, |(_, of)| of);
    let about = about.split_once(", ").map_or(about, |(_, of)| of);
    h.push(&format!(
        "<h1>{sweep}: {} against {}</h1>\n<p class=\"about\">{}</p>\n",
        escape(&header.identity.kernels[0].name),
        escape(&header.identity.kernels[1].name),
        escape(about)
    ));
    h.push(&headline(space, &status, definition));
    if let Some(why) = header.identity.accuracy_only() {
        h.push(&format!(
            "<p class=\"note\">Accuracy only: {}.</p>\n",
            escape(&why)
        ));
    }
    h.push("<h2>Error over the range</h2>\n");
    let note = match pictures.bound {
        [] => "The largest errors above the reference and below it. What was not searched is grey.",
        _ => {
            "The largest errors above the reference and below it; dashed, the bound. What was not searched is grey."
        }
    };
    let legend = [("above", "above the reference"), ("below", "below it")];
    let worst = (&status.result, status.worst.as_ref());
    let data = figures::envelope(
        space,
        &steps,
        pictures.axis,
        worst,
        definition,
        pictures.bound,
    );
    let legend = match definition {
        d if d.is_searched() => &legend[..],
        _ => &[],
    };
    h.figure("envelope", note, legend, &pictures.envelope, &data);
    if !costs.is_empty() {
        h.push("<h2>Which line costs what</h2>\n");
        h.push(&tables::costs(costs));
    }
    h.push("<h2>Worst inputs</h2>\n");
    h.push(&tables::worst_inputs(space, &fine, definition));
    h.push("<h2>How many inputs have which error</h2>\n");
    match (Measure::of_result(&status.result), &pictures.histogram) {
        (Measure::Maxima, Err(why)) => {
            h.push(&format!("<p class=\"note\">{}</p>\n", escape(why)));
        }
        (_, still) => {
            let note = figures::bins(&status.result);
            let data = figures::histogram(&status.result);
            h.figure("histogram", &note, &[], still, &data);
            h.push(&tables::coarse(&status.result));
        }
    }
    h.push("<h2>Summary</h2>\n");
    h.push(&summary(reader, &status, definition));
    h.push("<h2>Parts of the range</h2>\n");
    h.push(&tables::parts(space, &rows(ROWS)?, definition));
    h.push("<h2>Kernels</h2>\n");
    for k in &header.identity.kernels {
        h.push(&kernel(k));
    }
    h.push("<h2>Machines</h2>\n");
    h.push(&tables::rates(&pictures.throughput));
    h.push(&tables::sessions(&status));
    h.push(&format!(
        "<script type=\"text/javascript\">\n{SCRIPT}</script>\n</body></html>\n"
    ));
    Ok(h.0)
}

/// The three most important numbers, and any faults.
fn headline(space: InputSpace, status: &Status, definition: Definition) -> String {
    let r = &status.result;
    let mut out = String::from("<div class=\"headline\">");
    let mut number = |value: &str, what: &str, detail: &str, class: &str| {
        let _ = write!(
            out,
            "<div><b>{}</b><span>{}</span><small{class}>{}</small></div>",
            escape(value),
            escape(what),
            escape(detail)
        );
    };
    match &status.worst {
        Some(w) => {
            let unit = match definition {
                Definition::Handbook => "ULP, the largest error".into(),
                Definition::Searched(_) => format!("the largest {}", definition.axis()),
                Definition::Absolute | Definition::Relative => {
                    format!("{} at the worst input", definition.axis())
                }
                d => format!("ULP ({}) at the worst input", d.name()),
            };
            let at = format!("at {}", space.decimal(w.key));
            number(&short(definition.of(w).abs()), &unit, &at, "");
        }
        None => number("none", "no input has an error", "", ""),
    }
    let searched = show::count(r.count.into());
    if status.is_complete() {
        let detail = space
            .describe(r.count)
            .unwrap_or_else(|| "every input of the range".into());
        number(&searched, "inputs searched", &detail, "");
    } else {
        let percent = 100.0 * r.count as f64 / status.of_inputs as f64;
        let detail = format!("NOT exhaustive: of {}", show::count(status.of_inputs));
        let what = format!("{searched} inputs searched");
        number(
            &format!("{} %", short(percent)),
            &what,
            &detail,
            " class=\"warn\"",
        );
    }
    if Measure::of_result(r) == Measure::Maxima {
        number(
            "not measured",
            "correctly rounded",
            "only the largest errors were (--measure maxima)",
            "",
        );
    } else {
        let (right, detail) = correctly_rounded(r);
        number(&right, "correctly rounded", &detail, "");
    }
    out.push_str("</div>\n");
    if let Some(faults) = results::faults(space, r) {
        let _ = writeln!(
            out,
            "<p class=\"warn\">Wrong special values: {}</p>",
            escape(&faults)
        );
    }
    out
}

/// The share of correctly rounded results, and the number of the others.
fn correctly_rounded(r: &BlockResult) -> (String, String) {
    let wrong = share(r.misrounded, r.count);
    let detail = format!("{} misrounded", show::count(r.misrounded.into()));
    let right = match r.misrounded {
        0 if r.undecided == 0 => "100 %".into(),
        // Rounded down, so that 100 % is all of them.
        _ => format!("{:.4} %", (1e6 * (1.0 - wrong)).floor() / 1e4),
    };
    (right, detail)
}

/// A kernel, or a function in its place.
fn kernel(k: &KernelIdentity) -> String {
    let of = match (k.is_of_library(), k.is_of_device(), k.is_kernel()) {
        (true, ..) => format!("A function of the library {}", escape(&k.file)),
        (_, true, _) => format!("A function of the device {}", escape(&k.file)),
        (.., true) => format!("{}:{}", escape(&k.file), k.line),
        _ => "A function of the host".into(),
    };
    let source = match k.is_of_library() || k.is_of_device() || k.is_kernel() {
        true => format!("<pre>{}</pre>", escape(&k.source)),
        false => String::new(),
    };
    format!(
        "<h3>{}: {}</h3><p class=\"note\">{of}, identity <code>{}</code></p>{source}\n",
        escape(&k.role),
        escape(&k.name),
        escape(&k.hash)
    )
}

#[derive(Default)]
struct Html(String);

impl Html {
    fn push(&mut self, text: &str) {
        self.0.push_str(text);
    }

    /// A picture: a static one, and the data from which the script draws another.
    fn figure(
        &mut self,
        name: &str,
        note: &str,
        legend: &[(&str, &str)],
        still: &Result<String, String>,
        data: &serde_json::Value,
    ) {
        let svg = match still {
            Ok(svg) => svg.clone(),
            Err(e) => format!("<p>no picture: {}</p>", escape(e)),
        };
        let note = escape(note);
        self.push(&format!(
            "<figure id=\"{name}\"><figcaption>{note}</figcaption>\n"
        ));
        if !legend.is_empty() {
            self.push("<ul class=\"legend\">");
            for (key, text) in legend {
                self.push(&format!("<li style=\"--key:var(--{key})\">{text}</li>"));
            }
            self.push("</ul>\n");
        }
        self.push(&format!(
            "<div class=\"chart\" id=\"{name}-chart\" data-label=\"{note}\">{svg}</div>\n\
             <p class=\"readout\" aria-live=\"polite\">Point at the picture for values; drag over it to zoom. With the \
             keyboard: arrows, + and -, 0 for all.</p>\n</figure>\n"
        ));
        self.push(&figures::embedded(name, data));
    }
}

/// Text, escaped for HTML.
fn escape(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            c if show::moves(c) && c != '\n' && c != '\t' => out.extend(c.escape_default()),
            c => out.push(c),
        }
    }
    out
}

fn summary(reader: &Reader, status: &Status, definition: Definition) -> String {
    let header = reader.header();
    let mut lines = vec![
        format!(
            "{}: {} of {} blocks of 2^{} inputs ({:.2} %)",
            state(status),
            show::count(status.blocks.into()),
            show::count(status.of_blocks.into()),
            header.plan.log2(),
            100.0 * share(status.blocks, status.of_blocks)
        ),
        format!("inputs        {}", header.plan.range()),
    ];
    if !status.is_complete() {
        lines.push("NOT exhaustive: blocks are missing".into());
    }
    lines.extend(results::lines(
        header.space(),
        &status.result,
        status.worst.as_ref(),
        definition,
    ));
    lines.push(format!("begun         {}", machine::utc(header.created)));
    format!("<pre>{}</pre>\n", escape(&lines.join("\n")))
}
