//! A script for Gappa: the kernel with its roundings, the kernel without them, and a goal that asks for a bound of the difference.
//!
//! Gappa (Daumas and Melquiond, *Certification of bounds on expressions involving rounded operators*, ACM TOMS 37, 2010)
//! proves bounds by interval arithmetic and rewriting. Its `float<ieee_64,ne>` is IEEE 754 binary64 with subnormals,
//! rounding to nearest, ties to even, but without a largest number. So its proofs hold if nothing overflows.
//!
//! | file | what |
//! |---|---|
//! | `body` | the evaluation, which writes a statement for each operation |
//! | `form` | an operation, its rounding and a number in Gappa's language |
//! | `goals` | the questions about the results |
//! | `script` | the text, from the statements that a goal needs |

mod body;
mod form;
mod goals;
mod script;

use super::EmitError;
use super::names::sanitise;
use crate::interp::eval;
use crate::ops::Prim;
use crate::program::{Func, Origin, Program, Value};
use body::result_names;
use form::{hex_float, rounding};
use std::collections::{HashMap, HashSet};
use std::fmt::Write as _;
use std::sync::Arc;

/// The input of Gappa besides the kernel.
#[derive(Debug, Clone, Default)]
pub struct GappaRequest<'a> {
    /// For each parameter (a double-double counts as two), its intervals, with finite ends that are included.
    pub ranges: Vec<Vec<[f64; 2]>>,
    /// Further hypotheses, in Gappa's syntax.
    pub given: &'a [String],
    /// Hints, which are appended unchanged.
    pub hints: &'a str,
}

/// A result whose bound a script requests.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GappaGoal {
    /// Its name with the kernel's roundings.
    pub rounded: String,
    /// Its name without any rounding.
    pub exact: String,
    /// Its precision; for a double-double, that of its parts.
    pub prim: Prim,
}

/// A script and its goals.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GappaScript {
    /// The whole text.
    pub text: String,
    /// The kernel's results.
    pub goals: Vec<GappaGoal>,
}

/// Writes the script of a program, if Gappa can express all of its operations.
///
/// # Errors
/// The first operation that Gappa cannot express, with its source line and the remedy; or a range that is missing or not finite.
pub fn gappa(program: &Program, request: &GappaRequest) -> Result<GappaScript, EmitError> {
    let entry = program.entry();
    let mut writer = Writer::new(entry);
    let (params, hypotheses) = writer.params(entry, request)?;
    let results = eval(program, &mut writer, &params)?;
    let goals = writer.goals(entry, &results)?;
    let text = writer.finish(entry, &hypotheses, &goals, request);
    Ok(GappaScript { text, goals })
}

/// Words of Gappa's language, and the operators that scripts define.
const RESERVED: &[&str] = &[
    "in",
    "not",
    "sqrt",
    "fma",
    "float",
    "fixed",
    "int",
    "homogen80x",
    "floating80x",
    "add_rel",
    "sub_rel",
    "mul_rel",
    "fma_rel",
    "BND",
    "ABS",
    "REL",
    "FIX",
    "FLT",
    "NZR",
    "f64",
    "f32",
];

/// The remedy for all constructs that Gappa cannot express.
const REMEDY: &str = "emit a kernel that has its result as a parameter, and state what is known of it with --range and --given";

/// A value in the script.
#[derive(Debug, Clone)]
enum Term {
    /// A number: names or constants, and the statement that defines them.
    Number {
        rounded: String,
        exact: String,
        by: Option<usize>,
    },
    /// A value that is not a number in Gappa: an integer constant, from which an index is computed.
    Other,
}

/// A statement that defines a value and its exact counterpart.
struct Statement {
    /// Its function and line.
    origin: (Arc<Origin>, u32),
    text: String,
    /// The statements that it needs.
    needs: Vec<usize>,
}

struct Writer {
    /// The names of those results of the kernel that have no name.
    results: HashMap<Value, (String, bool)>,
    used: HashSet<String>,
    /// The kernel's own locals: their names must not depend on its helpers.
    own: HashSet<String>,
    statements: Vec<Statement>,
    /// Function and line of the statement being written.
    origin: (Arc<Origin>, u32),
    inputs: String,
    temporaries: u32,
}

impl Writer {
    fn new(entry: &Func) -> Self {
        let locals = entry.insts.iter().filter_map(|i| i.name.as_deref());
        let own = locals.chain(entry.params.iter().map(|p| p.0.as_str()));
        Writer {
            results: result_names(entry),
            used: RESERVED.iter().map(|w| (*w).to_string()).collect(),
            own: own.map(sanitise).chain(["result".into()]).collect(),
            statements: Vec::new(),
            origin: (Arc::clone(&entry.origin), entry.origin.line),
            inputs: String::new(),
            temporaries: 0,
        }
    }

    /// An unused name whose exact counterpart is also unused.
    fn fresh(&mut self, stem: &str, own: bool) -> String {
        let stem = sanitise(stem);
        let mut name = stem.clone();
        let mut n = 1;
        while self.used.contains(&name)
            || self.used.contains(&twin(&name))
            || (!own && self.own.contains(&name))
        {
            n += 1;
            name = format!("{stem}_{n}");
        }
        self.used.insert(name.clone());
        self.used.insert(twin(&name));
        name
    }

    fn refuse<T>(&self, what: &str, remedy: &str) -> Result<T, EmitError> {
        let (origin, line) = &self.origin;
        Err(EmitError(format!(
            "{}, line {line}: kernel `{}`: {what}; {remedy}",
            origin.file, origin.name
        )))
    }

    /// The parameters as terms, and the hypotheses about them.
    fn params(
        &mut self,
        entry: &Func,
        request: &GappaRequest,
    ) -> Result<(Vec<Term>, String), EmitError> {
        let mut terms = Vec::new();
        let mut hypotheses = Vec::new();
        for (i, (name, prim)) in entry.params.iter().enumerate() {
            let Some(rounding) = rounding(*prim) else {
                let what = format!("Gappa has no form for parameter `{name}`, which is no float");
                return self.refuse(&what, "make it a constant of the kernel");
            };
            let spans = request.ranges.get(i).map_or(&[][..], Vec::as_slice);
            if spans.is_empty() || spans.iter().flatten().any(|x| !x.is_finite()) {
                let what = format!("parameter `{name}` has no finite range");
                return self.refuse(&what, "give it one with --range");
            }
            let name = self.fresh(name, true);
            let input = self.fresh(&format!("{name}_in"), false);
            let _ = writeln!(self.inputs, "{name} = {rounding}({input});");
            let spans: Vec<String> = spans
                .iter()
                .map(|[a, b]| format!("{name} in [{}, {}]", hex_float(*a), hex_float(*b)))
                .collect();
            hypotheses.push(match &spans[..] {
                [one] => one.clone(),
                several => format!("({})", several.join(" \\/ ")),
            });
            terms.push(Term::Number {
                exact: name.clone(),
                rounded: name,
                by: None,
            });
        }
        hypotheses.extend(request.given.iter().map(|g| format!("({})", g.trim())));
        Ok((terms, hypotheses.join(" /\\ ")))
    }
}

/// The name of a value without roundings.
fn twin(name: &str) -> String {
    format!("M{name}")
}
