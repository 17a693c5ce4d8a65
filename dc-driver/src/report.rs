//! The report of one run: one HTML file that contains everything, for mailing or archiving.

use std::fmt::Write as _;

use super::commands::{about, state};
use super::failure::Failure;
use super::progress::short;
use super::results;
use dc_runtime::model::key::Precision;
use dc_runtime::model::space::InputSpace;
use dc_runtime::model::{machine, show};
use dc_runtime::search::format::{self, Row, share};
use dc_runtime::search::run_file::{Reader, Status};
use dc_runtime::search::ulp::Definition;

/// The pictures as SVG, or the reason why there is none.
pub(super) struct Pictures {
    pub envelope: Result<String, String>,
    pub histogram: Result<String, String>,
    pub throughput: Result<String, String>,
}

const STYLE: &str = "body{font:16px/1.5 system-ui,sans-serif;max-width:75rem;margin:2rem auto;padding:0 1rem;color:#222}\
h1{font-size:1.6rem}h2{font-size:1.2rem;margin-top:2.2rem}table{border-collapse:collapse;font-size:.85rem}\
td,th{padding:.15rem .7rem;text-align:left;border-bottom:1px solid #ddd;vertical-align:top}\
td.n,th.n{text-align:right;font-variant-numeric:tabular-nums}\
pre{background:#f6f6f6;padding:.8rem;overflow:auto;font-size:.85rem}.wide{overflow:auto}svg{max-width:100%;height:auto}";

/// The number of rows of the table.
const ROWS: u64 = 32;
/// The number of rows from which the worst inputs are taken, and how many of these are shown.
const FINE: u64 = 4096;
const WORST: usize = 10;

/// The contribution of an operation to the error.
pub(super) struct Cost {
    /// Its largest contribution at the worst cell of the certified bound, in ULP.
    pub cell: f64,
    /// Its signed contribution to the error of the worst input, in ULP; `None` where that is unknown.
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
    pictures: Pictures,
    costs: &[Cost],
) -> Result<String, Failure> {
    let header = reader.header();
    let status = reader.status()?;
    let rows = format::rows(reader, format::group_for(header, ROWS))?;
    let fine = format::rows(reader, format::group_for(header, FINE))?;
    let space = header.space();
    let mut h = Html::default();
    h.push("<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">");
    h.push(&format!(
        "<title>{}</title><style>{STYLE}</style></head><body>\n",
        escape(&header.identity.sweep)
    ));
    h.push(&format!("<h1>{}</h1>\n", escape(&about(header))));
    h.push(&summary(reader, &status, definition));
    if let Some(why) = header.identity.accuracy_only() {
        h.push(&format!("<p>Accuracy only: {}.</p>\n", escape(&why)));
    }
    h.push("<h2>Error over the range</h2>\n");
    h.picture(&pictures.envelope);
    if !costs.is_empty() {
        h.push("<h2>Which line costs what</h2>\n");
        h.push(&costs_table(costs));
    }
    h.push("<h2>Worst inputs</h2>\n");
    h.push(&worst_inputs(space, &fine, definition));
    h.push("<h2>How many inputs have which error</h2>\n");
    h.picture(&pictures.histogram);
    h.push("<h2>Parts of the range</h2>\n");
    h.push(&table(space, &rows, definition));
    h.push("<h2>Kernels</h2>\n");
    for k in &header.identity.kernels {
        if k.is_of_library() || k.is_of_device() {
            let of = match k.is_of_library() {
                true => "library",
                false => "device",
            };
            h.push(&format!(
                "<h3>{}: {}</h3><p>A function of the {of} {}, identity <code>{}</code></p><pre>{}</pre>\n",
                escape(&k.role),
                escape(&k.name),
                escape(&k.file),
                escape(&k.hash),
                escape(&k.source)
            ));
            continue;
        }
        if !k.is_kernel() {
            h.push(&format!(
                "<h3>{}: {}</h3><p>A function of the host, identity <code>{}</code></p>\n",
                escape(&k.role),
                escape(&k.name),
                escape(&k.hash)
            ));
            continue;
        }
        h.push(&format!(
            "<h3>{}: {}</h3><p>{}:{}, identity <code>{}</code></p><pre>{}</pre>\n",
            escape(&k.role),
            escape(&k.name),
            escape(&k.file),
            k.line,
            escape(&k.hash),
            escape(&k.source)
        ));
    }
    h.push("<h2>Machines</h2>\n");
    h.picture(&pictures.throughput);
    h.push(&sessions(&status));
    h.push("</body></html>\n");
    Ok(h.0)
}

#[derive(Default)]
struct Html(String);

impl Html {
    fn push(&mut self, text: &str) {
        self.0.push_str(text);
    }
    fn picture(&mut self, svg: &Result<String, String>) {
        match svg {
            Ok(svg) => self.push(svg),
            Err(e) => self.push(&format!("<p>no picture: {}</p>\n", escape(e))),
        }
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

/// A table: the heading, then rows; columns whose heading begins with `#` contain numbers.
fn grid(heading: &[&str], rows: impl IntoIterator<Item = Vec<String>>) -> String {
    let class: Vec<&str> = heading
        .iter()
        .map(|h| {
            if h.starts_with('#') {
                " class=\"n\""
            } else {
                ""
            }
        })
        .collect();
    let mut out = String::from("<div class=\"wide\"><table><tr>");
    for (h, c) in heading.iter().zip(&class) {
        let _ = write!(out, "<th{c}>{}</th>", escape(h.trim_start_matches('#')));
    }
    out.push_str("</tr>\n");
    for row in rows {
        out.push_str("<tr>");
        for (cell, c) in row.iter().zip(&class) {
            let _ = write!(out, "<td{c}>{}</td>", escape(cell));
        }
        out.push_str("</tr>\n");
    }
    out.push_str("</table></div>\n");
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

/// A table with a bar for each number.
fn costs_table(costs: &[Cost]) -> String {
    let sizes = costs
        .iter()
        .flat_map(|c| [c.cell, c.input.map_or(0.0, f64::abs)]);
    let largest = sizes.fold(f64::MIN_POSITIVE, f64::max);
    let bar = |ulp: f64, colour: &str| {
        let width = 10.0 * ulp.abs() / largest;
        format!(
            "<div style=\"background:{colour};height:.55rem;width:{width:.2}rem;margin:.1rem 0\"></div>"
        )
    };
    let mut out = String::from(
        "<p>What each rounding adds at most at the worst cell of the certified bound (grey), and to the error of the worst input \
         found (blue above, orange below), in ULP.</p>\n<div class=\"wide\"><table><tr><th class=\"n\">worst cell</th>\
         <th class=\"n\">worst input</th><th></th><th>operation</th><th>at</th><th>source</th></tr>\n",
    );
    for c in costs {
        let input = c.input.map_or_else(String::new, |ulp| format!("{ulp:+.4}"));
        let colour = if c.input.is_some_and(|ulp| ulp < 0.0) {
            "#d9822b"
        } else {
            "#2b6cb0"
        };
        let bars = bar(c.cell, "#999") + &c.input.map_or_else(String::new, |ulp| bar(ulp, colour));
        let _ = writeln!(
            out,
            "<tr><td class=\"n\">{:.4}</td><td class=\"n\">{input}</td><td>{bars}</td><td>{}</td><td>{}</td>\
             <td><code>{}</code></td></tr>",
            c.cell,
            escape(&c.operation),
            escape(&c.place),
            escape(&c.source)
        );
    }
    out.push_str("</table></div>\n");
    out
}

fn worst_inputs(space: InputSpace, rows: &[Row], definition: Definition) -> String {
    let p = space.precision();
    let mut worst: Vec<_> = rows.iter().filter_map(|r| r.worst.as_ref()).collect();
    worst.sort_by(|a, b| {
        let errors = definition.of(b).total_cmp(&definition.of(a));
        errors.then(a.key.cmp(&b.key))
    });
    let rows = worst.iter().take(WORST).map(|w| {
        let reference = match p {
            Precision::F64 => {
                let words = format!("{:?} + {:?}", w.reference[0], w.reference[1]);
                show::scaled(&words, w.scale)
            }
            Precision::F32 => format!("{:?}", w.reference[0]),
        };
        vec![
            short(definition.of(w)),
            space.decimal(w.key),
            space.hex_float(w.key),
            space.bits(w.key),
            show::full(p, w.result_bits),
            reference,
        ]
    });
    let unit = format!("#ULP ({})", definition.name());
    let heading = [
        &*unit,
        "input",
        "as hex-float",
        "bits",
        "result",
        "reference",
    ];
    let note = "<p>The worst of each of up to 4,096 parts of the range.</p>\n";
    format!("{note}{}", grid(&heading, rows))
}

fn table(space: InputSpace, rows: &[Row], definition: Definition) -> String {
    let key = |k: i64| space.decimal(k);
    let cells = rows.iter().map(|r| {
        let of = |e: dc_runtime::model::block::Extreme| {
            if e.exists() {
                short(e.error())
            } else {
                String::new()
            }
        };
        vec![
            key(r.first_key),
            key(r.last_key),
            show::count(r.result.count.into()),
            r.worst.map_or(String::new(), |w| short(definition.of(&w))),
            r.worst.map_or(String::new(), |w| key(w.key)),
            of(r.result.max_positive),
            of(r.result.max_negative),
            format!(
                "{:.4} %",
                100.0 * share(r.result.misrounded, r.result.count)
            ),
            show::count(r.result.undecided.into()),
            results::digest(&r.result),
        ]
    });
    let heading = [
        "first",
        "last",
        "#inputs",
        "#max ULP",
        "at",
        "#above",
        "#below",
        "#misrounded",
        "#undecided",
        "digest",
    ];
    grid(&heading, cells)
}

fn sessions(status: &Status) -> String {
    let rows = status.sessions.iter().flat_map(|s| {
        s.devices.iter().map(move |d| {
            vec![
                s.id.to_string(),
                machine::utc(s.started),
                s.machine.clone(),
                format!("crunch {}, {}", s.version, s.rustc),
                d.backend.clone(),
                d.description.clone(),
                d.workers.to_string(),
                show::count(d.inputs.into()),
                d.rate().map_or(String::new(), show::si),
            ]
        })
    });
    let heading = [
        "session",
        "begun",
        "machine",
        "program",
        "backend",
        "device",
        "#workers",
        "#inputs",
        "#inputs/s",
    ];
    grid(&heading, rows)
}

#[cfg(test)]
mod tests {
    #[test]
    fn text_is_escaped() {
        let row = vec!["a<b>&\"c\"".to_string()];
        let html = super::grid(&["#x<y"], [row]);
        assert!(
            html.contains("<td class=\"n\">a&lt;b&gt;&amp;&quot;c&quot;</td>"),
            "{html}"
        );
        assert!(html.contains("x&lt;y</th>"), "{html}");
    }
}
