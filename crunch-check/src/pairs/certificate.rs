//! The parser of certificates of pairs, and their theorem in words.

use super::cover::{Rectangle, Side, Sign};
use super::function::Function;
use super::value::Format;
use crate::ir::Program;

/// The first line of a certificate, without the format's number.
pub const HEADER: &str = "doublecrunch certificate of pairs ";
/// The format that can be read.
const FORMAT: &str = "1";

/// A certificate: the claim, and the plan of its proof.
pub struct Certificate {
    /// The sweep's name.
    pub sweep: String,
    pub function: Function,
    /// The claimed bound of the errors, in ULP.
    pub error: f64,
    /// Whether each result is claimed to be the function's value rounded to nearest.
    pub nearest: bool,
    /// The pairs that the claim is about.
    pub pairs: Vec<Rectangle>,
    /// Rectangles that are proven one by one.
    pub boxes: Vec<Rectangle>,
    pub program: Program,
    /// The format of the kernel's arguments and of its result.
    pub format: Format,
}

/// The meaning of the lines, which is the same in every certificate.
const EXPLAINED: [&str; 5] = [
    "# where K's operations are rounded as IEEE 754 says, to nearest, ties to even, and K(x, y) is finite. Where it is infinite, f(x, y) is within",
    "# that distance of a number that is rounded to this infinity. A unit is ulp(v) = 2^(max(floor(log2 |v|), e) - p + 1), where K's results have p bits",
    "# and least normal numbers 2^e. `pairs` and `box` name the numbers of x, then of y: those with magnitudes from one double to another, with one sign",
    "# or both. `crunch-check` proves it from this file alone: each pair of `pairs` is in a `box`, and in each box a polynomial identity bounds",
    "# the distance. docs/book/src/understand/pairs.md has the mathematics.",
];
const NEAREST: &str = "# Each of these K(x, y) is f(x, y), rounded to nearest, ties to even: also subnormal and infinite ones.";

fn words(function: Function, error: f64, nearest: bool) -> Vec<String> {
    let f = function.text();
    let mut words = vec![
        format!(
            "# Theorem. For all pairs (x, y) of `pairs` below, the kernel K below and f(x, y) = {f}:"
        ),
        format!("#     |K(x, y) - f(x, y)| <= {error} ulp(f(x, y)),"),
    ];
    words.extend(EXPLAINED.map(String::from));
    if nearest {
        words.push(NEAREST.into());
    }
    words
}

fn double(word: &str) -> Result<f64, String> {
    let x = u64::from_str_radix(word, 16).map(f64::from_bits);
    x.ok()
        .filter(|x| x.is_finite() && word.len() == 16)
        .ok_or_else(|| format!("`{word}` are not the bits of a finite double"))
}

fn side(sign: &str, lo: &str, hi: &str) -> Result<Side, String> {
    Ok(Side {
        sign: match sign {
            "plus" => Sign::Plus,
            "minus" => Sign::Minus,
            "both" => Sign::Both,
            _ => return Err(format!("`{sign}` is no sign")),
        },
        lo: double(lo)?,
        hi: double(hi)?,
    })
}

/// Lines that may occur at most once.
const ONCE: [&str; 5] = ["sweep", "function", "error", "rounding", "kernel"];

impl Certificate {
    /// Parses a certificate.
    ///
    /// # Errors
    /// If it cannot be parsed, lacks a part, or contains words for people that state something else.
    pub fn parse(text: &str) -> Result<Certificate, String> {
        let mut lines = text.lines().enumerate();
        let first = lines.next().map_or("", |l| l.1);
        if first.strip_prefix(HEADER) != Some(FORMAT) {
            return Err(format!(
                "line 1: it is not of the format of pairs {FORMAT}, which this checker reads"
            ));
        }
        let (mut sweep, mut function, mut error, mut kernel) = (None, None, None, None);
        let (mut pairs, mut boxes, mut comments) = (Vec::new(), Vec::new(), Vec::new());
        let (mut nearest, mut ended) = (false, false);
        let mut seen: Vec<&str> = Vec::new();
        while let Some((i, line)) = lines.next() {
            let at = |e: String| format!("line {}: {e}", i + 1);
            if ended {
                return Err(at("a line after the end".into()));
            }
            let words: Vec<&str> = line.split(' ').collect();
            if ONCE.contains(&words[0]) {
                if seen.contains(&words[0]) {
                    return Err(at(format!("a second line `{}`", words[0])));
                }
                seen.push(words[0]);
            }
            match words[..] {
                _ if line.starts_with('#') => comments.push((i + 1, line)),
                ["sweep", name] => sweep = Some(name.to_string()),
                ["function", name] => function = Some(Function::named(name).map_err(at)?),
                ["error", x] => error = Some(double(x).map_err(at)?),
                ["rounding", "nearest"] => nearest = true,
                [what @ ("pairs" | "box"), sx, xl, xh, sy, yl, yh] => {
                    let sides = [side(sx, xl, xh).map_err(at)?, side(sy, yl, yh).map_err(at)?];
                    let of = if what == "box" {
                        &mut boxes
                    } else {
                        &mut pairs
                    };
                    of.push(Rectangle { sides });
                }
                ["kernel"] => {
                    let body = lines
                        .by_ref()
                        .map(|l| l.1)
                        .take_while(|l| *l != "end of kernel");
                    kernel = Some(body.flat_map(|l| [l, "\n"]).collect::<String>());
                }
                ["end"] => ended = true,
                _ => return Err(at(format!("`{line}` is not understood"))),
            }
        }
        if !ended {
            return Err("it does not end with `end`: it is not whole".into());
        }
        let lacks = |what: &str| format!("it has no line `{what}`");
        let function = function.ok_or_else(|| lacks("function"))?;
        let error = error.ok_or_else(|| lacks("error"))?;
        if pairs.is_empty() {
            return Err(format!("{}: a claim about no pair", lacks("pairs")));
        }
        let due = words(function, error, nearest);
        if let Some((number, line)) = comments.iter().find(|(_, l)| !due.iter().any(|d| d == l)) {
            return Err(format!(
                "line {number}: this line, which people read, is not of the theorem that is proven: `{line}`"
            ));
        }
        let program = Program::parse_pair(&kernel.ok_or_else(|| lacks("kernel"))?)?;
        let format =
            Format::of(program.insts[program.result].ty).ok_or("the kernel gives no number")?;
        for rectangle in pairs.iter().chain(&boxes) {
            for side in rectangle.sides {
                side.checked(format)?;
            }
        }
        Ok(Certificate {
            sweep: sweep.ok_or_else(|| lacks("sweep"))?,
            function,
            error,
            nearest,
            pairs,
            boxes,
            program,
            format,
        })
    }
}
