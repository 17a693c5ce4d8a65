//! The parser of certificates.

use crate::angle::Angle;
use crate::from_zero::FromZero;
use crate::law::Law;
use crate::low::{Low, exponent_of, slack_of};
use crate::powers::Power;
use crate::scale::Scale;
use crate::turned::Turned;

/// A certificate: the claim, and the plan of its proof.
#[derive(Debug, Default)]
pub struct Certificate {
    /// The sweep's name.
    pub sweep: String,
    /// The function's name in the file.
    pub function: String,
    /// The function, if it is one whose derivatives are known.
    pub law: Option<Law>,
    /// The function, if it is a power with one fixed argument.
    pub power: Option<Power>,
    /// What is added to the function.
    pub plus: Option<Angle>,
    /// The power of two by which the function is multiplied.
    pub scale: Option<Scale>,
    /// The function, if it is a sine or a tangent whose argument is turned.
    pub turned: Option<Turned>,
    /// The function, if it is `ln abs Γ` with one of its zeros added to its argument.
    pub from_zero: Option<FromZero>,
    /// The low word of the argument is at most two to this power in magnitude; `None` if there is no low word.
    pub low: Option<i32>,
    /// The function's argument is known up to this number, if the certificate has it.
    pub slack: Option<f64>,
    /// Whether the result is the sum of two words.
    pub words: bool,
    /// The inputs: for each stretch its first and its last double.
    pub ranges: Vec<(f64, f64)>,
    /// The claimed bound of the errors, in ULP.
    pub error: f64,
    /// The input that attains the bound.
    pub worst: Option<f64>,
    /// The kernel's text.
    pub program: String,
    /// The reference's text, if the claim is about a reference.
    pub reference: Option<String>,
    /// Stretches of inputs that the checker cuts into cells itself.
    pub cuts: Vec<(f64, f64)>,
    /// Cells, each with its class or with one number as its result.
    pub cells: Vec<Cell>,
    /// Stretches of the classes' own inputs.
    pub classes: Vec<Class>,
    /// Comment lines, which are meant for people, with their line numbers.
    pub comments: Vec<(usize, String)>,
}

/// The input of a class's line.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
pub enum ClassKind {
    /// The kernel's input.
    #[default]
    Plain,
    /// The reduced argument.
    Reduced,
    /// The kernel's input, scaled to the first period of binades: all cells of the class are scaled copies of one.
    Scaled,
}

/// A class.
#[derive(Debug, Default)]
pub struct Class {
    /// The input of its line.
    pub kind: ClassKind,
    /// One cell of the class, if the checker finds the class's cells itself.
    pub of: Option<(f64, f64)>,
    /// Stretches of its line's input.
    pub tiles: Vec<Tile>,
}

/// A stretch of inputs.
#[derive(Debug, Clone, Copy)]
pub struct Cell {
    /// The first.
    pub lo: f64,
    /// The last.
    pub hi: f64,
    /// Its class; `None` if the kernel gives one number there.
    pub class: Option<usize>,
}

/// A stretch of a class's inputs.
#[derive(Debug, Clone, Copy)]
pub struct Tile {
    /// The first.
    pub lo: f64,
    /// The last.
    pub hi: f64,
    /// How it was closed.
    pub how: How,
}

/// How a stretch was closed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum How {
    /// By its bound.
    Bound,
    /// By lattices.
    Lattice,
    /// Input by input.
    Inputs,
}

/// The first line of a certificate, without the format's number.
const HEADER: &str = "doublecrunch certificate ";
/// Formats that can be read. A certificate in the first one names all cells.
const FORMATS: [&str; 2] = ["1", "2"];

/// The lines of which there is at most one.
const ONCE: [&str; 11] = [
    "sweep",
    "function",
    "plus",
    "scale",
    "low",
    "slack",
    "words",
    "error",
    "worst",
    "kernel",
    "reference",
];

fn double(word: &str) -> Result<f64, String> {
    let x = u64::from_str_radix(word, 16).map(f64::from_bits);
    x.ok()
        .filter(|x| x.is_finite() && word.len() == 16)
        .ok_or_else(|| format!("`{word}` are not the bits of a finite double"))
}

/// Both zeros are inputs, and they differ.
fn one_sign((lo, hi): (f64, f64)) -> Result<(f64, f64), String> {
    if lo.is_sign_negative() != hi.is_sign_negative() {
        return Err("a cell of both signs".into());
    }
    Ok((lo, hi))
}

impl Certificate {
    /// The low word, with its slack.
    pub fn low(&self) -> Option<Low> {
        let slack = self.slack.unwrap_or(0.0);
        self.low.map(|most| Low { most, slack })
    }

    /// Parses a certificate.
    ///
    /// # Errors
    /// With the number of the line that cannot be parsed.
    pub fn parse(text: &str) -> Result<Certificate, String> {
        let mut certificate = Certificate::default();
        let mut lines = text.lines().enumerate();
        let first = lines.next().map_or("", |l| l.1);
        match first.strip_prefix(HEADER) {
            Some(format) if FORMATS.contains(&format) => {}
            Some(format) => {
                return Err(format!(
                    "line 1: it is of format {format}, and this checker reads formats {}; `crunch exact` of the checker's own \
                     version writes a new one",
                    FORMATS.join(" and ")
                ));
            }
            None => {
                return Err(format!(
                    "line 1: it does not begin with `{}`",
                    HEADER.trim_end()
                ));
            }
        }
        let mut ended = false;
        let mut seen: Vec<&str> = Vec::new();
        while let Some((i, line)) = lines.next() {
            // With two such lines, the reader might believe one while the checker proves the other.
            let word = line.split(' ').next().unwrap_or_default();
            if ONCE.contains(&word) {
                if seen.contains(&word) {
                    return Err(format!("line {}: a second line `{word}`", i + 1));
                }
                seen.push(word);
            }
            if line == "kernel" || line == "reference" {
                let end = format!("end of {line}");
                let text: String = (lines.by_ref())
                    .map(|l| l.1)
                    .take_while(|l| *l != end)
                    .flat_map(|l| [l, "\n"])
                    .collect();
                if line == "kernel" {
                    certificate.program.push_str(&text);
                } else {
                    certificate.reference = Some(text);
                }
                continue;
            }
            if line.starts_with('#') {
                certificate.comments.push((i + 1, line.to_string()));
                continue;
            }
            ended = line == "end";
            let words: Vec<&str> = line.split(' ').collect();
            certificate
                .line(line, &words)
                .map_err(|e| format!("line {}: {e}", i + 1))?;
        }
        if !ended {
            return Err("it does not end with `end`: it is not whole".into());
        }
        Ok(certificate)
    }

    fn line(&mut self, line: &str, words: &[&str]) -> Result<(), String> {
        let pair = |a: &str, b: &str| -> Result<(f64, f64), String> {
            let (lo, hi) = (double(a)?, double(b)?);
            if lo > hi {
                return Err(format!("{lo:e} is above {hi:e}"));
            }
            Ok((lo, hi))
        };
        match words {
            [] | [""] | ["end"] => {}
            ["sweep", name] => self.sweep = (*name).to_string(),
            ["function", "reference"] => self.function = "reference".to_string(),
            ["function", name] => {
                self.function = (*name).to_string();
                self.law = Some(Law::named(name).ok_or_else(|| {
                    format!("the function `{name}` is not known to this checker")
                })?);
            }
            ["function", "power", which, number] => {
                self.function = words[1..].join(" ");
                self.power =
                    Some(Power::named(which, double(number)?).ok_or_else(|| {
                        format!("`{}` is no power of this checker", self.function)
                    })?);
            }
            ["function", "turned", law, n] => {
                self.function = words[1..].join(" ");
                self.turned = Some(Turned::named(law, n).ok_or_else(|| {
                    format!("`{}` is no function of this checker", self.function)
                })?);
            }
            ["function", "from-zero", law, k] => {
                self.function = words[1..].join(" ");
                self.from_zero = Some(FromZero::named(law, k).ok_or_else(|| {
                    format!("`{}` is no function of this checker", self.function)
                })?);
            }
            ["range", lo, hi] => {
                let range = pair(lo, hi)?;
                // -0 is the first of the two zeros.
                if range.0.total_cmp(&range.1).is_gt() {
                    return Err("a range from 0 to -0 has no inputs".into());
                }
                self.ranges.push(range);
            }
            ["plus", k, n] => self.plus = Some(Angle::parse(k, n)?),
            ["scale", k] => self.scale = Some(Scale::parse(k)?),
            ["low", m] => self.low = Some(exponent_of(double(m)?)?),
            ["slack", s] => self.slack = Some(slack_of(double(s)?)?),
            ["words"] => self.words = true,
            ["error", x] => self.error = double(x)?,
            ["worst", x] => self.worst = Some(double(x)?),
            ["cut", lo, hi] => self.cuts.push(one_sign(pair(lo, hi)?)?),
            ["of", lo, hi] => {
                let of = one_sign(pair(lo, hi)?)?;
                let class = self.classes.last_mut().ok_or("a cell of no class")?;
                if class.of.replace(of).is_some() {
                    return Err("a second cell of the class".into());
                }
            }
            ["cell", lo, hi, class] => {
                let (lo, hi) = one_sign(pair(lo, hi)?)?;
                let class = match *class {
                    "constant" => None,
                    n => Some(n.parse().map_err(|_| format!("`{n}` is no class"))?),
                };
                self.cells.push(Cell { lo, hi, class });
            }
            ["class", n, kind @ ("plain" | "reduced" | "scaled")] => {
                if n.parse() != Ok(self.classes.len()) {
                    return Err(format!("class {n} where {} is due", self.classes.len()));
                }
                self.classes.push(Class {
                    kind: match *kind {
                        "plain" => ClassKind::Plain,
                        "reduced" => ClassKind::Reduced,
                        _ => ClassKind::Scaled,
                    },
                    ..Class::default()
                });
            }
            [how @ ("bound" | "lattice" | "inputs"), lo, hi] => {
                let (lo, hi) = pair(lo, hi)?;
                let how = match *how {
                    "bound" => How::Bound,
                    "lattice" => How::Lattice,
                    _ => How::Inputs,
                };
                let class = self
                    .classes
                    .last_mut()
                    .ok_or("a stretch outside of a class")?;
                class.tiles.push(Tile { lo, hi, how });
            }
            _ => return Err(format!("`{line}` is not understood")),
        }
        Ok(())
    }
}
