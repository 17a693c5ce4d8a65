//! The tables of the report.

use std::fmt::Write as _;

use super::{Cost, escape};
use crate::plot::Throughput;
use crate::progress::short;
use crate::results;
use dc_runtime::model::block::{BINS, BlockResult, bin_floor};
use dc_runtime::model::key::Precision;
use dc_runtime::model::measure::Measure;
use dc_runtime::model::space::InputSpace;
use dc_runtime::model::{machine, show};
use dc_runtime::search::format::{Row, number, share};
use dc_runtime::search::run_file::Status;
use dc_runtime::search::ulp::Definition;

/// The number of inputs in the table of the worst.
const WORST: usize = 10;

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
    let mut out = String::from("<div class=\"wide-table\"><table><tr>");
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

/// A table with a bar for each number.
pub(super) fn costs(costs: &[Cost]) -> String {
    let sizes = costs
        .iter()
        .flat_map(|c| [c.cell, c.input.map_or(0.0, f64::abs)]);
    let largest = sizes.fold(f64::MIN_POSITIVE, f64::max);
    let bar = |ulp: f64, colour: &str| {
        let width = 10.0 * ulp.abs() / largest;
        format!("<div class=\"bar\" style=\"--key:var(--{colour});width:{width:.2}rem\"></div>")
    };
    let mut out = String::from(
        "<p class=\"note\">What each rounding adds at most at the worst cell of the certified bound (grey), and to the error of the worst input \
         found (blue above, orange below), in ULP.</p>\n<div class=\"wide-table\"><table><tr><th class=\"n\">worst cell</th>\
         <th class=\"n\">worst input</th><th></th><th>operation</th><th>at</th><th>source</th></tr>\n",
    );
    for c in costs {
        let input = c.input.map_or_else(String::new, |ulp| format!("{ulp:+.4}"));
        let colour = if c.input.is_some_and(|ulp| ulp < 0.0) {
            "below"
        } else {
            "above"
        };
        let bars = bar(c.cell, "bound") + &c.input.map_or_else(String::new, |ulp| bar(ulp, colour));
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

pub(super) fn worst_inputs(space: InputSpace, rows: &[Row], definition: Definition) -> String {
    let mut worst: Vec<_> = rows.iter().filter_map(|r| r.worst.as_ref()).collect();
    worst.sort_by(|a, b| {
        let errors = definition.of(b).total_cmp(&definition.of(a));
        errors.then(a.key.cmp(&b.key))
    });
    let rows = worst.iter().take(WORST).map(|w| {
        let p = w.precision;
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
    let unit = match definition {
        Definition::Absolute | Definition::Relative | Definition::Searched(_) => {
            format!("#{}", definition.axis())
        }
        d => format!("#ULP ({})", d.name()),
    };
    let heading = [
        &*unit,
        "input",
        "as hex-float",
        "bits",
        "result",
        "reference",
    ];
    let note = "<p class=\"note\">The worst of each of up to 4,096 parts of the range.</p>\n";
    format!("{note}{}", grid(&heading, rows))
}

/// The text; empty if only the largest errors were measured.
fn full(r: &BlockResult, text: String) -> String {
    match Measure::of_result(r) {
        Measure::Maxima => String::new(),
        _ => text,
    }
}

pub(super) fn parts(space: InputSpace, rows: &[Row], definition: Definition) -> String {
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
            full(
                &r.result,
                format!(
                    "{:.4} %",
                    100.0 * share(r.result.misrounded, r.result.count)
                ),
            ),
            full(&r.result, show::count(r.result.undecided.into())),
            results::digest(&r.result),
        ]
    });
    let max = format!("#max {}", definition.unit());
    let heading = [
        "first",
        "last",
        "#inputs",
        &*max,
        "at",
        "#above",
        "#below",
        "#misrounded",
        "#undecided",
        "digest",
    ];
    grid(&heading, cells)
}

pub(super) fn sessions(status: &Status) -> String {
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

/// The numbers of inputs by error, for all inputs, in the coarse bins that every backend counts.
pub(super) fn coarse(r: &BlockResult) -> String {
    let last = r.histogram.iter().rposition(|&n| n > 0).unwrap_or(0);
    let percent = |n: u64| format!("{:.4} %", 100.0 * share(n, r.count));
    let rows = (0..=last).map(|i| {
        let beyond: u64 = r.histogram[i..].iter().sum();
        let to = match i + 1 < BINS {
            true => number(bin_floor(i + 1)),
            false => "∞".into(),
        };
        vec![
            format!("{} to {to}", number(bin_floor(i))),
            show::count(r.histogram[i].into()),
            percent(r.histogram[i]),
            show::count(beyond.into()),
            percent(beyond),
        ]
    });
    let heading = ["#ULP", "#inputs", "#share", "#as large or larger", "#share"];
    let table = grid(&heading, rows);
    format!("<details><summary>Counts of all inputs</summary>\n{table}</details>\n")
}

/// The rates as bars.
pub(super) fn rates(throughput: &Throughput) -> String {
    let most = throughput.bars().iter().map(|b| b.1).fold(1.0, f64::max);
    let mut out = String::new();
    for (name, rate) in throughput.bars() {
        let _ = writeln!(
            out,
            "<div>{}: {} inputs/s<div class=\"bar\" style=\"width:{:.1}%\"></div></div>",
            escape(name),
            show::si(*rate),
            100.0 * rate / most
        );
    }
    out
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
