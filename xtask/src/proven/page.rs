//! The page of the atlas of proofs, from the answers in a folder.

use std::fmt::Write as _;
use std::path::Path;

use serde_json::Value;

use super::library::Library;

/// The name of the answer about all inputs, of the one about a part of them.
pub fn of_all(name: &str) -> String {
    format!("{name}.all")
}

pub fn read(folder: &Path, name: &str) -> Option<Value> {
    let text = std::fs::read_to_string(folder.join(format!("{name}.json"))).ok()?;
    serde_json::from_str(&text).ok()
}

/// `4194304` as `4,194,304`.
fn grouped(n: u64) -> String {
    let digits = n.to_string();
    let mut out = String::new();
    for (i, c) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            out.push(',');
        }
        out.push(c);
    }
    out
}

/// One lifted function in a cell: its operations and what was compared, or why there is none.
fn lifted(answer: Option<&Value>) -> (bool, String) {
    let Some(answer) = answer else {
        return (false, "–".into());
    };
    let compared = &answer["compared"];
    match (answer["operations"].as_u64(), compared["inputs"].as_u64()) {
        (Some(n), Some(inputs)) => {
            let all = if compared["all"] == true { "all " } else { "" };
            let time = answer["seconds"].as_f64().unwrap_or_default() * 1e3;
            match compared["differ"].as_u64() {
                Some(0) => {
                    let nans = match compared["nans"].as_u64() {
                        None | Some(0) => String::new(),
                        Some(nans) => format!(" but {} NaNs", grouped(nans)),
                    };
                    let inputs = grouped(inputs);
                    (true, format!("{n} · {all}{inputs}{nans} · {time:.0} ms"))
                }
                // What was assumed is false: a loop does not end that early.
                _ if answer["assumed"].to_string().contains("is taken to end") => {
                    (false, format!("{n} · a loop is longer than `--unroll`"))
                }
                _ => (false, format!("{n} · DIFFERS")),
            }
        }
        (Some(n), None) => (false, format!("{n} · not compared")),
        _ => {
            let message = answer["error"]["message"].as_str().unwrap_or("no answer");
            // The reason alone: the place names a folder, what follows is the remedy.
            let reason = message.rsplit("`: ").next().unwrap_or(message);
            (
                false,
                reason.split(';').next().unwrap_or(reason).replace('|', "/"),
            )
        }
    }
}

/// The page.
pub fn page(
    folder: &Path,
    functions: &[(&str, &str)],
    formulas: &[(&str, &str, &str)],
    whole: &[(Library, &str, &str)],
) -> String {
    let mut out = String::from(
        "# Atlas of proofs\n\n\
         Functions of libraries as they stand: lifted ([how](../tasks/lift.md)), compared with their compiled originals, and in binary64 \
         bounded and proven. `cargo xtask atlas --proven` makes this page; `--help` names what it needs. Nothing of the libraries is in this \
         repository. Sources: musl 1.2.3 (Debian's source package), the crate `libm` 0.2.16, PoCL 3.1's kernel library (Debian), and AMD's \
         ocml 5.2 (Debian's rocm-device-libs).\n\n\
         ocml is written for AMD's devices. On the host, their instructions for `1/x` and `1/sqrt(x)` give the nearest numbers, and those for \
         2^x and log2 of binary32 give musl's results.\n\n\
         ## Lifted\n\n\
         Number of operations · number of inputs at which the lifted program and the compiled original have the same bits (`all`: every \
         input) · time of the lifting. Otherwise the reason; `–` is not asked yet. Where it DIFFERS, `lift` reports the first such input, and \
         nothing is proven of it.\n",
    );
    let titles: Vec<&str> = Library::ALL.iter().map(|l| l.title()).collect();
    for (double, title) in [(false, "binary32"), (true, "binary64")] {
        let width = if double { "f64" } else { "f32" };
        let mut good = [0; Library::ALL.len()];
        let mut rows = String::new();
        for &(function, _) in functions {
            let answers = Library::ALL.map(|l| {
                let name = format!("{}-{function}-{width}.lift", l.name());
                read(folder, &of_all(&name)).or_else(|| read(folder, &name))
            });
            if answers.iter().all(Option::is_none) {
                continue;
            }
            let mut cells = Vec::new();
            for (answer, good) in answers.iter().zip(&mut good) {
                let (same, text) = lifted(answer.as_ref());
                *good += u32::from(same);
                cells.push(text);
            }
            let _ = writeln!(rows, "| `{function}` | {} |", cells.join(" | "));
        }
        if !rows.is_empty() {
            let sums = good.map(|n| format!("**{n}**")).join(" | ");
            let _ = write!(
                out,
                "\n### {title}\n\n| function | {} |\n|---|---|---|---|---|\n{rows}| **of {}** | {sums} |\n",
                titles.join(" | "),
                functions.len()
            );
        }
    }
    errors(folder, functions, &mut out);
    proven(folder, functions, formulas, whole, &mut out);
    out
}

/// The table of largest errors in binary32.
fn errors(folder: &Path, functions: &[(&str, &str)], out: &mut String) {
    let mut rows = String::new();
    let (mut all, mut undecided) = (0, 0);
    for &(function, _) in functions {
        let answers =
            Library::ALL.map(|l| read(folder, &format!("{}-{function}-f32.run", l.name())));
        if answers.iter().all(Option::is_none) {
            continue;
        }
        let cells = answers.map(|answer| {
            let Some(answer) = answer else {
                return "–".into();
            };
            // A sample is exhaustive only where it says so; a run is where it is complete.
            let whole = answer["exhaustive"] == true || answer["complete"] == true;
            undecided += answer["decided"]["open"].as_u64().unwrap_or_default();
            let found = &answer["result"];
            let Some(error) = found["max_error"]["error"].as_f64() else {
                let message = answer["error"]["message"].as_str().unwrap_or("no answer");
                return message.replace('|', "/");
            };
            all += u32::from(whole);
            let at_least = if whole { "" } else { "≥ " };
            let faults = found["faults"].as_object();
            let faults = faults.into_iter().flatten();
            let faults: u64 = faults.filter_map(|f| f.1["count"].as_u64()).sum();
            let faults = match faults {
                0 => String::new(),
                1 => " · 1 fault".into(),
                n => format!(" · {} faults", grouped(n)),
            };
            format!("{at_least}{}{faults}", ulp(error))
        });
        let _ = writeln!(rows, "| `{function}` | {} |", cells.join(" | "));
    }
    if rows.is_empty() {
        return;
    }
    let titles: Vec<&str> = Library::ALL.iter().map(|l| l.title()).collect();
    let _ = write!(
        out,
        "\n## Largest errors in binary32\n\n\
         In ULP, of the compiled originals: of all 2^32 inputs for {all} functions; `≥`: the largest that a timed search of pairs found. A *fault* is a NaN, \
         an infinity or a sign of 0 in the place of another result. The reference left {} results undecided.\n\n\
         | function | {} |\n|---|---:|---:|---:|---:|\n{rows}",
        grouped(undecided),
        titles.join(" | "),
    );
}

/// An error in ULP, in four decimals or, where it is large, three digits.
fn ulp(error: f64) -> String {
    if error < 1e4 {
        format!("{error:.4}")
    } else {
        format!("{error:.2e}")
    }
}

/// The tables of bounds and largest errors.
fn proven(
    folder: &Path,
    functions: &[(&str, &str)],
    formulas: &[(&str, &str, &str)],
    whole: &[(Library, &str, &str)],
    out: &mut String,
) {
    let all: Vec<String> = (whole.iter())
        .filter_map(|&(library, function, range)| Proof::of(folder, library, function, range))
        .filter(Proof::has_answer)
        .map(|p| p.row)
        .collect();
    if !all.is_empty() {
        let _ = write!(
            out,
            "\n## Proven over all doubles\n\n\
             All inputs at which the function is a finite number and not 0; the columns are those of the next table.\n\n{HEAD}{}",
            all.concat()
        );
    }
    out.push_str(
        "\n## Proven\n\n\
         The largest error in ULP of binary64 over a stretch. *bound*: no error is larger (`bound`). *largest*: [L, U] of `exact`; one \
         number where it is exact. *certificate*: what `crunch-check` says, a program that shares no code with the search. `–`: not reached in the time of `--seconds`.\n\n",
    );
    out.push_str(HEAD);
    let (mut bounds, mut exact, mut none) = (0, 0, 0);
    let formulas = formulas.iter().map(|f| (f.0, f.2));
    for (function, range) in functions.iter().copied().chain(formulas) {
        for library in Library::ALL {
            let Some(proof) = Proof::of(folder, library, function, range) else {
                continue;
            };
            if !proof.has_answer() {
                none += 1;
                continue;
            }
            // The upper end of a bracket is a bound, too.
            bounds += 1;
            exact += u32::from(proof.exact);
            out.push_str(&proof.row);
        }
    }
    let _ = write!(
        out,
        "\n{bounds} bounds, {exact} exact maxima; {none} more were asked, without an answer in that time.\n\n\
         You are responsible for the licences of what you lift; these permit it.\n"
    );
}

/// The head of the tables of bounds and largest errors.
const HEAD: &str = "| library | function | inputs | bound | largest | certificate |\n|---|---|---|---:|---:|---|\n";

/// What was answered about the largest error of a function.
struct Proof {
    /// Whether no bound is known, and no largest error.
    none: bool,
    exact: bool,
    row: String,
}

impl Proof {
    /// From the answers of both questions, or of `exact` alone; nothing if none was asked.
    fn of(folder: &Path, library: Library, function: &str, range: &str) -> Option<Self> {
        let name = format!("{}-{function}-{range}", library.name());
        let answer = read(folder, &format!("{name}.exact"));
        let bound = read(folder, &format!("{name}.bound")).or_else(|| answer.clone())?;
        let number = |v: &Value| v.as_f64().filter(|b| b.is_finite() && *b < 1e3);
        let shown = number(&bound["bound"]).map_or("–".into(), |b| format!("{b:.4}"));
        let answer = answer.unwrap_or_default();
        let exact = answer["exact"] == true;
        let largest = match (number(&answer["lower"]), number(&answer["upper"])) {
            (Some(l), _) if exact => format!("**{l:.9}**"),
            (Some(l), Some(u)) => format!("[{l:.4}, {u:.4}]"),
            _ => "–".into(),
        };
        let checked = std::fs::read_to_string(folder.join(format!("{name}.checked")));
        let checked = checked.unwrap_or_else(|_| "–".into());
        let title = library.title();
        Some(Self {
            none: shown == "–" && largest == "–",
            exact,
            row: format!(
                "| {title} | `{function}` | {range} | {shown} | {largest} | {checked} |\n"
            ),
        })
    }

    fn has_answer(&self) -> bool {
        !self.none
    }
}
