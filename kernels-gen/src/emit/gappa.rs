//! A script for Gappa: the kernel with its roundings, the kernel without them, and the question how far they are apart.
//!
//! Gappa (Daumas and Melquiond, *Certification of bounds on expressions involving rounded operators*, ACM TOMS 37, 2010)
//! proves bounds by interval arithmetic and rewriting. Its `float<ieee_64,ne>` is IEEE 754 binary64 with subnormals,
//! rounding to nearest, ties to even, but without a largest number: what it proves holds where nothing overflows.

use super::EmitError;
use super::names::sanitise;
use super::source::{comment, file_name, reference};
use crate::ir::{Kernel, Ty};
use crate::ops::{Arith, Direction, Op, Prim};
use crate::program::{Func, Inst, InstKind, Program, Value};
use crate::text::{decimal, op_name};
use std::collections::{HashMap, HashSet};
use std::fmt::Write as _;

/// What Gappa is to be told besides the kernel.
#[derive(Debug, Clone, Default)]
pub struct GappaRequest<'a> {
    /// For each parameter (a double-double is two) the stretches it lies in, ends included and finite.
    pub ranges: Vec<Vec<[f64; 2]>>,
    /// Further hypotheses, as Gappa writes them.
    pub given: &'a [String],
    /// Hints, put at the end as they are.
    pub hints: &'a str,
}

/// A result that a script asks about.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GappaGoal {
    /// Its name as the kernel rounds it.
    pub rounded: String,
    /// Its name without any rounding.
    pub exact: String,
    /// Its precision; that of the parts, of a double-double.
    pub prim: Prim,
}

/// A script and what it asks about.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GappaScript {
    /// The whole text.
    pub text: String,
    /// The kernel's results.
    pub goals: Vec<GappaGoal>,
}

/// Writes the script of a program whose operations all have a form in Gappa.
///
/// # Errors
/// Names the first operation that has none, its source line and the remedy; or a range that is missing or not finite.
pub fn gappa(program: &Program, request: &GappaRequest) -> Result<GappaScript, EmitError> {
    let mut writer = Writer::new(program);
    let entry = program.entry();
    let (params, hypotheses) = writer.params(entry, request)?;
    let results = writer.body(entry, &params, &result_names(entry))?;
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

/// The remedy for whatever cannot be expressed.
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
    /// No number of Gappa's: an integer constant, of which an index is made.
    Other,
}

/// A statement that defines a value and its exact twin.
struct Statement {
    /// Kernel and line that it comes from.
    origin: (&'static Kernel, u32),
    text: String,
    /// The statements it needs.
    needs: Vec<usize>,
}

struct Writer<'a> {
    program: &'a Program,
    used: HashSet<String>,
    /// The kernel's own locals: their names do not depend on its helpers.
    own: HashSet<String>,
    statements: Vec<Statement>,
    /// Kernel and line of the statement being written.
    origin: (&'static Kernel, u32),
    inputs: String,
    temporaries: u32,
}

impl<'a> Writer<'a> {
    fn new(program: &'a Program) -> Self {
        let entry = program.entry();
        let locals = entry.insts.iter().filter_map(|i| i.name);
        let own = locals.chain(entry.params.iter().map(|p| p.0.as_str()));
        Writer {
            program,
            used: RESERVED.iter().map(|w| (*w).to_string()).collect(),
            own: own.map(sanitise).chain(["result".into()]).collect(),
            statements: Vec::new(),
            origin: (entry.kernel, entry.kernel.line),
            inputs: String::new(),
            temporaries: 0,
        }
    }

    /// A name that is free, and whose twin is.
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
        let (kernel, line) = self.origin;
        Err(EmitError(format!(
            "{}, line {line}: kernel `{}`: {what}; {remedy}",
            kernel.file, kernel.name
        )))
    }

    /// The parameters as terms, and what is known of them.
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

    /// Writes a function's statements. `wanted` has the names that the caller has for its results.
    fn body(
        &mut self,
        func: &'a Func,
        args: &[Term],
        wanted: &HashMap<Value, (String, bool)>,
    ) -> Result<Vec<Term>, EmitError> {
        let own = std::ptr::eq(func, self.program.entry());
        let mut terms: Vec<Term> = Vec::with_capacity(func.insts.len());
        let mut calls: HashMap<Value, Vec<Term>> = HashMap::new();
        for (i, inst) in func.insts.iter().enumerate() {
            let value = Value(i as u32);
            self.origin = (func.kernel, inst.loc.line.max(func.kernel.line));
            let operands: Vec<Term> = inst
                .args
                .iter()
                .map(|a| terms[a.0 as usize].clone())
                .collect();
            let term = match inst.kind {
                InstKind::Param(n) => args[n as usize].clone(),
                InstKind::Const(bits) => self.constant(inst.ty, bits)?,
                InstKind::Load(_) => {
                    return self.refuse(
                        "Gappa has no form for a table's entry at a lane index",
                        REMEDY,
                    );
                }
                InstKind::Call(callee) => {
                    let callee = self.program.func(callee);
                    let wanted = names_for_results(func, value, callee, own, wanted);
                    let results = self.body(callee, &operands, &wanted)?;
                    calls.insert(value, results);
                    Term::Other
                }
                InstKind::Result(n) => calls[&inst.args[0]][n as usize].clone(),
                InstKind::Op(op) => {
                    let name = match (wanted.get(&value), inst.name) {
                        (_, Some(name)) if own => (name.to_string(), true),
                        (Some(wanted), _) => wanted.clone(),
                        (None, Some(name)) => (format!("{}_{name}", func.name), false),
                        (None, None) => (String::new(), false),
                    };
                    self.operation(op, func, inst, &operands, name)?
                }
            };
            terms.push(term);
        }
        let results = func.results.iter();
        Ok(results.map(|r| terms[r.0 as usize].clone()).collect())
    }

    fn constant(&self, ty: Prim, bits: u64) -> Result<Term, EmitError> {
        let value = match ty {
            Prim::F64 => f64::from_bits(bits),
            Prim::F32 => f64::from(f32::from_bits(bits as u32)),
            _ => return Ok(Term::Other),
        };
        if !value.is_finite() {
            let what = format!("Gappa has no form for the constant {}", decimal(ty, bits));
            return self.refuse(&what, REMEDY);
        }
        let text = match hex_float(value) {
            negative if negative.starts_with('-') => format!("({negative})"),
            text => text,
        };
        Ok(Term::Number {
            rounded: text.clone(),
            exact: text,
            by: None,
        })
    }

    fn operation(
        &mut self,
        op: Op,
        func: &Func,
        inst: &Inst,
        operands: &[Term],
        (name, own): (String, bool),
    ) -> Result<Term, EmitError> {
        let (mut rounded, mut exact, mut needs) = (Vec::new(), Vec::new(), Vec::new());
        for term in operands {
            if let Term::Number {
                rounded: r,
                exact: e,
                by,
            } = term
            {
                rounded.push(r.as_str());
                exact.push(e.as_str());
                needs.extend(*by);
            }
        }
        let floats = inst.args.iter().all(|&a| func.ty(a).is_float());
        let form = if floats && rounded.len() == operands.len() {
            form(op, inst.ty, &rounded).zip(form(op, inst.ty, &exact))
        } else {
            None
        };
        let Some((r, e)) = form else {
            let what = format!("Gappa has no form for `{}`{}", op_name(op), of(func, inst));
            return self.refuse(&what, REMEDY);
        };
        let stem = if name.is_empty() {
            self.temporaries += 1;
            format!("tmp{}", self.temporaries)
        } else {
            name
        };
        let (rounding, r) = match r {
            Form::Same => return Ok(operands[0].clone()),
            Form::Unrounded(r) => (None, r),
            Form::Rounded(r) => (Some(rounding_of(op, inst.ty)), r),
        };
        let e = match e {
            Form::Unrounded(e) | Form::Rounded(e) => e,
            Form::Same => exact[0].to_string(),
        };
        let name = self.fresh(&stem, own);
        let text = match rounding {
            Some(ref rounding) => format!("{name} = {rounding}({r});\n"),
            None => format!("{name} = {r};\n"),
        };
        // Two names for one expression are one value to Gappa, and a warning; two for one name are none at all.
        let (exact, text) = if rounding.is_none() && e == r {
            (name.clone(), text)
        } else if exact.contains(&e.as_str()) {
            (e, text)
        } else {
            let twin = twin(&name);
            (twin.clone(), format!("{text}{twin} = {e};\n"))
        };
        self.statements.push(Statement {
            origin: self.origin,
            text,
            needs,
        });
        Ok(Term::Number {
            rounded: name,
            exact,
            by: Some(self.statements.len() - 1),
        })
    }

    /// The results as goals; of a double-double, the sum of its parts.
    fn goals(&mut self, entry: &Func, results: &[Term]) -> Result<Vec<GappaGoal>, EmitError> {
        let mut parts = entry.results.iter().map(|&r| entry.ty(r)).zip(results);
        let mut goals = Vec::new();
        let mut kinds = Vec::new();
        flatten(entry.kernel.ret, &mut kinds);
        self.origin = (entry.kernel, entry.kernel.line);
        for (i, double) in kinds.iter().enumerate() {
            let mut number = || match parts.next() {
                Some((prim, Term::Number { rounded, exact, by })) if prim.is_float() => {
                    Some((prim, rounded, exact, *by))
                }
                _ => None,
            };
            let Some((prim, rounded, exact, by)) = number() else {
                return self.refuse(
                    "Gappa has no form for a result that is no float",
                    "emit a kernel that returns floats",
                );
            };
            let mut goal = GappaGoal {
                rounded: rounded.clone(),
                exact: exact.clone(),
                prim,
            };
            let mut needs: Vec<usize> = by.into_iter().collect();
            let plain = |c: &str| !c.starts_with(|c: char| c.is_ascii_alphabetic());
            let sum = if *double {
                let (_, lo, exact_lo, by) = number().expect("a double-double is two values");
                needs.extend(by);
                Some((format!("{rounded} + {lo}"), format!("{exact} + {exact_lo}")))
            } else if plain(rounded) || rounded == exact {
                // A goal needs two names.
                Some((format!("{rounded} + 0"), format!("{exact} - 0")))
            } else {
                None
            };
            if let Some((sum, exact_sum)) = sum {
                let stem = match kinds.len() {
                    1 => "result".to_string(),
                    _ => format!("result_{i}"),
                };
                goal.rounded = self.fresh(&stem, true);
                goal.exact = twin(&goal.rounded);
                let text = format!("{} = {sum};\n{} = {exact_sum};\n", goal.rounded, goal.exact);
                self.statements.push(Statement {
                    origin: self.origin,
                    text,
                    needs: Vec::new(),
                });
                needs.push(self.statements.len() - 1);
            }
            // What a result needs, needed by nothing else: the last statement of all.
            self.statements.push(Statement {
                origin: self.origin,
                text: String::new(),
                needs,
            });
            goals.push(goal);
        }
        Ok(goals)
    }

    fn finish(
        &self,
        entry: &Func,
        hypotheses: &str,
        goals: &[GappaGoal],
        request: &GappaRequest,
    ) -> String {
        let kernel = entry.kernel;
        let mut text = format!(
            "# {}::{}, {}:{}: how far rounding takes it from its exact value.\n",
            comment(kernel.module),
            comment(&entry.name),
            comment(file_name(kernel)),
            kernel.line
        );
        text.push_str(HEAD);
        text.push_str(&self.inputs);
        let live = self.live();
        let mut origin = (std::ptr::null(), 0);
        for (statement, _) in self.statements.iter().zip(&live).filter(|s| *s.1) {
            let (kernel, line) = statement.origin;
            let here = (std::ptr::from_ref(kernel), line);
            if here != origin && !statement.text.is_empty() {
                origin = here;
                let _ = writeln!(text, "\n# {}", reference(kernel, line));
            }
            text.push_str(&statement.text);
        }
        let asked: Vec<String> = goals
            .iter()
            .flat_map(
                |GappaGoal {
                     rounded: r,
                     exact: m,
                     ..
                 }| {
                    [
                        format!("|{r} - {m}| in ?"),
                        format!("{r} -/ {m} in ?"),
                        format!("|{m}| in ?"),
                    ]
                },
            )
            .collect();
        let _ = write!(
            text,
            "\n# Largest absolute error, relative error, and size of the exact value.\n{{ {hypotheses}\n  -> {} }}\n",
            asked.join("\n  /\\ ")
        );
        if !request.hints.trim().is_empty() {
            let _ = write!(
                text,
                "\n# Hints, as they were given.\n{}\n",
                request.hints.trim_end()
            );
        }
        text
    }

    /// Which statements a goal depends on. Those of a goal are the ones without text, and what comes with them.
    fn live(&self) -> Vec<bool> {
        let mut live: Vec<bool> = self.statements.iter().map(|s| s.text.is_empty()).collect();
        for i in (0..live.len()).rev() {
            if live[i] {
                for &n in &self.statements[i].needs {
                    live[n] = true;
                }
            }
        }
        live
    }
}

/// What every script begins with.
const HEAD: &str = "\
#
# Each value stands here twice: as the kernel rounds it, and, with M before its name, computed from the same inputs
# without any rounding. One operation of the kernel is one rounding; a fused multiply-add is one.
# The formats have subnormals but no largest number: a bound holds for inputs where no operation overflows.

@f64 = float<ieee_64,ne>;
@f32 = float<ieee_32,ne>;

";

/// The name of a value without roundings.
fn twin(name: &str) -> String {
    format!("M{name}")
}

/// The rounding operator of a type.
fn rounding(ty: Prim) -> Option<&'static str> {
    match ty {
        Prim::F64 => Some("f64"),
        Prim::F32 => Some("f32"),
        _ => None,
    }
}

/// How an operation with a result of that type rounds. Directions as Gappa's manual names them ("Rounding operators").
fn rounding_of(op: Op, ty: Prim) -> String {
    let Op::Directed(_, direction) = op else {
        return rounding(ty).unwrap_or_default().to_string();
    };
    let width = if ty == Prim::F64 { 64 } else { 32 };
    let direction = match direction {
        Direction::Zero => "zr",
        Direction::Up => "up",
        Direction::Down => "dn",
    };
    format!("float<ieee_{width},{direction}>")
}

/// An operation in Gappa.
enum Form {
    /// Rounded to the type of the result.
    Rounded(String),
    /// Exact.
    Unrounded(String),
    /// The operand itself.
    Same,
}

/// The form of an operation on floats with a result of type `to`.
fn form(op: Op, to: Prim, args: &[&str]) -> Option<Form> {
    let text = match (undirected(op), args) {
        (Op::Add, [a, b]) => format!("{a} + {b}"),
        (Op::Sub, [a, b]) => format!("{a} - {b}"),
        (Op::Mul, [a, b]) => format!("{a} * {b}"),
        (Op::Div, [a, b]) => format!("{a} / {b}"),
        (Op::Fma, [a, b, c]) => format!("{a} * {b} + {c}"),
        (Op::Recip, [a]) => format!("1 / {a}"),
        (Op::Sqrt, [a]) => format!("sqrt({a})"),
        (Op::ToF32, [a]) => (*a).to_string(),
        (Op::ToF64, [_]) if to == Prim::F64 => return Some(Form::Same),
        (Op::Neg, [a]) => return Some(Form::Unrounded(format!("-{a}"))),
        (Op::Abs, [a]) => return Some(Form::Unrounded(format!("|{a}|"))),
        _ => return None,
    };
    Some(Form::Rounded(text))
}

/// The operation that rounds to nearest, of which the exact value is the same.
fn undirected(op: Op) -> Op {
    match op {
        Op::Directed(Arith::Add, _) => Op::Add,
        Op::Directed(Arith::Sub, _) => Op::Sub,
        Op::Directed(Arith::Mul, _) => Op::Mul,
        Op::Directed(Arith::Div, _) => Op::Div,
        Op::Directed(Arith::Recip, _) => Op::Recip,
        Op::Directed(Arith::Sqrt, _) => Op::Sqrt,
        Op::Directed(Arith::Fma, _) => Op::Fma,
        op => op,
    }
}

/// ` on integers`, where that is what stands in the way.
fn of(func: &Func, inst: &Inst) -> &'static str {
    match inst
        .args
        .iter()
        .map(|&a| func.ty(a))
        .find(|p| !p.is_float())
    {
        Some(Prim::Mask) => " on masks",
        Some(_) => " on integers",
        None => "",
    }
}

/// The kernel's results without a name of their own are called `result`.
fn result_names(entry: &Func) -> HashMap<Value, (String, bool)> {
    let several = entry.results.len() > 1;
    let double = entry.kernel.ret == Ty::Dd;
    let name = |i: usize| match (several, double, i) {
        (false, ..) => "result".to_string(),
        (true, true, 0) => "result_hi".into(),
        (true, true, _) => "result_lo".into(),
        (true, false, i) => format!("result_{i}"),
    };
    let results = entry.results.iter().enumerate();
    results.map(|(i, &r)| (r, (name(i), true))).collect()
}

/// The names that a caller has for the results of a call: of its local, or those wanted of itself.
fn names_for_results(
    caller: &Func,
    call: Value,
    callee: &Func,
    own: bool,
    wanted: &HashMap<Value, (String, bool)>,
) -> HashMap<Value, (String, bool)> {
    let mut names = HashMap::new();
    for (i, inst) in caller.insts.iter().enumerate() {
        let InstKind::Result(n) = inst.kind else {
            continue;
        };
        if inst.args[0] != call {
            continue;
        }
        let name = match (inst.name, wanted.get(&Value(i as u32))) {
            (Some(name), _) if own => (name.to_string(), true),
            (_, Some(wanted)) => wanted.clone(),
            (Some(name), None) => (format!("{}_{name}", caller.name), false),
            (None, None) => continue,
        };
        names.entry(callee.results[n as usize]).or_insert(name);
    }
    names
}

/// The results of a type, in order; whether each is a double-double.
fn flatten(ty: Ty, into: &mut Vec<bool>) {
    match ty {
        Ty::Tuple(items) => items.iter().for_each(|&t| flatten(t, into)),
        ty => into.push(ty == Ty::Dd),
    }
}

/// A finite number, exactly: Gappa has no signed zero.
fn hex_float(x: f64) -> String {
    if x == 0.0 {
        return "0".into();
    }
    let bits = x.to_bits();
    let sign = if x < 0.0 { "-" } else { "" };
    let (fraction, exponent) = (bits & ((1 << 52) - 1), (bits >> 52 & 0x7ff) as i32);
    let (lead, exponent) = match exponent {
        0 => (0, -1022),
        e => (1, e - 1023),
    };
    let digits = format!("{fraction:013x}");
    let point = match digits.trim_end_matches('0') {
        "" => String::new(),
        digits => format!(".{digits}"),
    };
    format!("{sign}0x{lead}{point}p{exponent}")
}

#[cfg(test)]
mod tests {
    use super::hex_float;

    #[test]
    fn numbers_are_exact() {
        for (x, text) in [
            (1.0, "0x1p0"),
            (-0.1, "-0x1.999999999999ap-4"),
            (-0.0, "0"),
            (f64::from_bits(1), "0x0.0000000000001p-1022"),
            (f64::MAX, "0x1.fffffffffffffp1023"),
        ] {
            assert_eq!(hex_float(x), text);
        }
    }
}
