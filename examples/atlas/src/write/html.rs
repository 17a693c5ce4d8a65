//! `atlas.html`: the same tables, with a picture for each search.

use std::fmt::Write as _;

use doublecrunch::driver::draw_envelope;
use doublecrunch::search::key::Precision;
use doublecrunch::search::show;

use super::{Row, by_function};

const STYLE: &str = "body{font:16px/1.5 system-ui,sans-serif;max-width:75rem;margin:2rem auto;padding:0 1rem;color:#222}\
h1{font-size:1.6rem}h2{font-size:1.2rem;margin-top:2.2rem}table{border-collapse:collapse;font-size:.85rem}\
td,th{padding:.15rem .7rem;text-align:left;border-bottom:1px solid #ddd}\
.pictures{display:flex;flex-wrap:wrap}figure{margin:.5rem;width:30%;min-width:20rem}img,svg{width:100%;height:auto}\
figcaption{font-size:.85rem}";

/// The page; everything is in it.
pub fn document(rows: &[Row]) -> Result<String, String> {
    let mut page = format!(
        "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><title>The atlas</title><style>{STYLE}</style>\
         </head><body>\n<h1>The atlas: binary32 functions at all 2^32 inputs</h1>\n<p>atlas.md tells how it was made. \
         Pictures: the largest errors above and below, in ULP, over the range.</p>\n"
    );
    for group in by_function(rows) {
        let _ = write!(
            page,
            "<h2 id=\"{0}\">{0}</h2>\n<table><tr><th>library</th><th>routine</th><th>error, ULP</th><th>at</th>\
             <th>misrounded</th><th>wrong special values</th><th>digest</th></tr>\n",
            group[0].computes
        );
        for r in group {
            let at = r.worst.as_ref().map_or_else(String::new, |w| {
                show::decimal(Precision::F32, Precision::F32.bits_of_key(w.key))
            });
            let _ = writeln!(
                page,
                "<tr><td>{}, {}</td><td>{}</td><td>{}</td><td>{at}</td><td>{}</td><td>{}</td><td>{}</td></tr>",
                r.library.name,
                r.version(),
                r.routine(),
                r.error(),
                r.misrounded(),
                r.faults().join(", "),
                r.digest()
            );
        }
        page += "</table>\n<div class=\"pictures\">\n";
        for r in group {
            let caption = format!("{}: {}", r.library.name, r.routine());
            let _ = writeln!(
                page,
                "<figure>{}<figcaption>{caption}</figcaption></figure>",
                picture(r)?
            );
        }
        page += "</div>\n";
    }
    page += "</body></html>\n";
    Ok(page)
}

/// The envelope as SVG, or word that there is none.
fn picture(row: &Row) -> Result<String, String> {
    let Some(path) = &row.path else {
        return Ok("no picture: its run file is not here".into());
    };
    let out = path.with_extension("svg");
    let title = format!("{} of {}", row.routine(), row.library.name);
    draw_envelope(path, &title, None, &out)?;
    std::fs::read_to_string(&out).map_err(|e| format!("{}: {e}", out.display()))
}
