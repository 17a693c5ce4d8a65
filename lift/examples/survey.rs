//! Lifts functions of a source, compares each with the original, and prints a table.
//!
//! usage: survey FOLDER EVERY SAMPLE UNROLL CONTRACT SOURCES… -- NAMES… -- FLAGS…

use std::path::PathBuf;

use dc_lift::session::{Request, Session};
use dc_lift::verify::Extent;
use dc_lift::{Inline, Options};

fn main() {
    let all: Vec<String> = std::env::args().skip(1).collect();
    let mut groups = all.split(|a| a == "--");
    let first = groups.next().unwrap_or_default();
    let names = groups.next().unwrap_or_default();
    let flags = groups.next().unwrap_or_default().to_vec();
    let [folder, every, sample, unroll, contract, sources @ ..] = first else {
        eprintln!("usage: survey FOLDER EVERY SAMPLE UNROLL CONTRACT SOURCES… -- NAMES… -- FLAGS…");
        std::process::exit(2);
    };
    let number = |t: &String| t.parse::<u64>().unwrap_or(0);
    let options = Options {
        contract: match contract.as_str() {
            "on" => Some(true),
            "off" => Some(false),
            _ => None,
        },
        inline: Inline::All,
        allow: Vec::new(),
        unroll: Some(number(unroll) as u32).filter(|&u| u > 0),
    };
    let sources: Vec<PathBuf> = sources.iter().map(PathBuf::from).collect();
    let folder = PathBuf::from(folder);
    std::fs::create_dir_all(&folder).expect("the folder can be made");
    let session = match Session::open(&sources, &flags, &options, &folder) {
        Ok(s) => s,
        Err(e) => {
            eprintln!("{e}");
            std::process::exit(1);
        }
    };
    println!(
        "| function | operations | lifted in | compared | differ |\n|---|---:|---:|---:|---:|"
    );
    for name in names {
        let request = Request {
            sources: sources.clone(),
            function: name.clone(),
            flags: flags.clone(),
            options: options.clone(),
            extent: (number(sample) > 0).then(|| Extent {
                every: number(every),
                sample: number(sample),
                jobs: 2,
            }),
        };
        match session.run(&request) {
            Err(e) => println!("| `{name}` | refused: {e} | | | |"),
            Ok(out) => {
                let source = kernels_gen::syntax::source(&out.unit);
                std::fs::write(folder.join(format!("{name}.rs")), source)
                    .expect("it can be written");
                let compared = match &out.compared {
                    Ok(c) => {
                        let first = c
                            .first
                            .as_ref()
                            .map_or(String::new(), |f| format!(" first {f:x?}"));
                        format!(
                            "{}{} | {}{first}",
                            c.inputs,
                            if c.all { " (all)" } else { "" },
                            c.differ
                        )
                    }
                    Err(e) => format!("{e} | "),
                };
                println!(
                    "| `{name}` | {} | {:.1} ms | {compared} |",
                    out.operations,
                    out.time.as_secs_f64() * 1e3
                );
            }
        }
    }
}
