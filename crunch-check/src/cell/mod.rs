//! A kernel on a cell of inputs: values that are constant there are computed, and real functions of the input become a line.

mod bits;
mod integer;
mod real;
#[cfg(test)]
mod tests;
mod words;

use crate::ir::{Inst, Program, What};
use crate::number::{greater, lesser};
use crate::point::{apply, load, operand_type, to_double, to_int};
use crate::residual::{Assumed, Builder, Kind, LEAST, Line, Node, Stop, ulp};
use crate::typing::Type;
use words::Part;

/// The result of a kernel on a cell.
pub enum Outcome {
    /// One number, given by its bits.
    Constant(u64),
    /// Two words, given by their bits. Their sum is the result.
    Words([u64; 2]),
    /// A line.
    Line(Line),
    /// Neither: the result depends on this instruction, whose value is not known to be one constant.
    Varies(usize),
    /// Not one line on this cell. It would be a line on cells where a number, and the number made of its bits, each have one exponent.
    /// Holds the instructions of both.
    Bends(usize, usize),
}

/// A value on a cell.
#[derive(Debug, Clone, Copy)]
enum Over {
    /// A constant, given by its bits.
    Const(u64),
    /// An operation of the line.
    Real(usize),
    /// A float in a range. It is not NaN, and -0 is below 0.
    Float(f64, f64),
    /// An integer in a range.
    Int(i64, i64),
    /// The bits of an operation of the line whose results have one sign, plus a constant.
    Word(usize, i64),
    /// A constant minus the bits of an operation of the line whose results are positive.
    Mirror(usize, i64),
    /// An upper part of the bits of an operation of the line whose results have one sign.
    Part(Part),
    /// The given number of lowest bits of an operation of the line. If the flag is not set, only the value modulo that power of two is
    /// known.
    Low(usize, u32, bool),
    /// An unknown value.
    Any,
}

/// Evaluates a kernel on the doubles from `lo` to `hi`, which have one sign. With `constants`, a sum whose rounding is that of a constant
/// is taken as an exact sum with the rounded constant.
///
/// # Errors
/// If the result is more than one line, or is not finite, or depends on an operation that the checker does not know.
pub fn outcome(program: &Program, lo: f64, hi: f64, constants: bool) -> Result<Outcome, Stop> {
    outcome_within(program, lo, hi, constants, &Assumed::new())
}

/// The same, for inputs on which the results of some operations are known to be in given ranges.
///
/// # Errors
/// The same as for [`outcome`], and if no input meets these ranges.
pub fn outcome_within(
    program: &Program,
    lo: f64,
    hi: f64,
    constants: bool,
    known: &Assumed,
) -> Result<Outcome, Stop> {
    let mut run = Run::new(program, known);
    run.builder.constants = constants;
    let values = run.values(lo, hi)?;
    if let Some(low) = program.low {
        return run.words_of(&values, program.result, low);
    }
    Ok(match values[program.result] {
        Over::Const(bits) => Outcome::Constant(bits),
        Over::Real(i) => Outcome::Line(Line::live(&run.builder.nodes, i)),
        _ => run.undecided(&values),
    })
}

impl Run<'_> {
    /// A kernel's two results on a cell.
    fn words_of(&mut self, values: &[Over], high: usize, low: usize) -> Result<Outcome, Stop> {
        if let (Over::Const(high), Over::Const(low)) = (values[high], values[low]) {
            return Ok(Outcome::Words([high, low]));
        }
        let mut nodes = [0; 2];
        for (node, site) in nodes.iter_mut().zip([high, low]) {
            *node = match values[site] {
                Over::Real(i) => i,
                Over::Const(bits) if f64::from_bits(bits).is_finite() => {
                    self.builder.constant(f64::from_bits(bits), site)
                }
                Over::Const(_) => {
                    return Err(Stop::No(format!(
                        "instruction %{site} may give infinity or NaN"
                    )));
                }
                _ => return Ok(self.undecided(values)),
            };
        }
        // Its site is that of no instruction.
        let site = self.program.insts.len();
        let sum = self.builder.sum(nodes[0], nodes[1], site)?;
        Ok(Outcome::Line(Line::live(&self.builder.nodes, sum)))
    }

    /// The instruction because of which the kernel is no line.
    fn undecided(&self, values: &[Over]) -> Outcome {
        let site = cause(self.program, values);
        let inst = &self.program.insts[site];
        match (&inst.what, inst.args.first().map(|&a| values[a])) {
            (What::Op(name), Some(Over::Mirror(i, _))) if name == "from_bits" => {
                Outcome::Bends(self.builder.nodes[i].site, site)
            }
            _ => Outcome::Varies(site),
        }
    }
}

/// The line, on the doubles from `lo` to `hi`, of the operation whose range determines what an instruction gives; `None` if there is none.
pub fn line_before(
    program: &Program,
    site: usize,
    lo: f64,
    hi: f64,
    constants: bool,
) -> Option<Line> {
    let none = Assumed::new();
    let mut run = Run::new(program, &none);
    run.builder.constants = constants;
    let values = run.values(lo, hi).ok()?;
    let mut at = site;
    loop {
        // The first of several operands that vary.
        let args = &program.insts[at].args;
        let next = args
            .iter()
            .find(|&&a| !matches!(values[a], Over::Const(_)))?;
        match values[*next] {
            Over::Real(i) | Over::Word(i, _) | Over::Mirror(i, _) | Over::Low(i, ..) => {
                return Some(Line::live(&run.builder.nodes, i));
            }
            Over::Part(part) => return Some(Line::live(&run.builder.nodes, part.of)),
            _ => at = *next,
        }
    }
}

/// The first of the values that leave the result unknown.
fn cause(program: &Program, values: &[Over]) -> usize {
    let known = |v: &Over| {
        matches!(
            v,
            Over::Const(_)
                | Over::Real(_)
                | Over::Word(..)
                | Over::Mirror(..)
                | Over::Part(_)
                | Over::Low(..)
        )
    };
    let results = [program.result, program.low.unwrap_or(program.result)];
    let mut wanted = vec![false; values.len()];
    for result in results {
        wanted[result] = true;
    }
    let last = results[0].max(results[1]);
    let mut first = last;
    for site in (0..=last).rev() {
        if !wanted[site] || known(&values[site]) {
            continue;
        }
        first = site;
        let inst = &program.insts[site];
        let args = match (&inst.what, inst.args.first().map(|&a| values[a])) {
            // The value that is not selected does not matter.
            (What::Op(name), Some(Over::Const(m))) if name == "select" => {
                &inst.args[if m != 0 { 1..2 } else { 2..3 }]
            }
            _ => &inst.args[..],
        };
        for &a in args {
            wanted[a] = true;
        }
    }
    first
}

/// Evaluates a reference on the doubles from `lo` to `hi`, as the sum of its results. No operation that depends on the input is rounded.
///
/// # Errors
/// The same as for [`outcome`].
pub fn in_reals(program: &Program, lo: f64, hi: f64) -> Result<Line, Stop> {
    let none = Assumed::new();
    let mut run = Run::new(program, &none);
    run.builder.reals = true;
    let values = run.values(lo, hi)?;
    let mut node = |site: usize| match values[site] {
        Over::Real(i) => Ok(i),
        Over::Const(bits) if f64::from_bits(bits).is_finite() => {
            Ok(run.builder.constant(f64::from_bits(bits), site))
        }
        _ => Err(Stop::No(
            "the reference is more than one line on the cell".into(),
        )),
    };
    let high = node(program.result)?;
    let result = match program.low {
        None => high,
        Some(low) => {
            let low = node(low)?;
            let (a, b) = (run.builder.nodes[high], run.builder.nodes[low]);
            run.builder.nodes.push(Node {
                kind: Kind::Add(high, low),
                lo: a.lo + b.lo,
                hi: a.hi + b.hi,
                ..a
            });
            run.builder.nodes.len() - 1
        }
    };
    Ok(Line::live(&run.builder.nodes, result))
}

struct Run<'a> {
    program: &'a Program,
    builder: Builder<'a>,
}

fn is_param(inst: &Inst) -> bool {
    inst.what == What::Param
}

fn full(ty: Type) -> (i64, i64) {
    if ty == Type::I32 {
        (i32::MIN.into(), i32::MAX.into())
    } else {
        (i64::MIN, i64::MAX)
    }
}

fn int(ty: Type, lo: i128, hi: i128) -> Over {
    let (least, most) = full(ty);
    if lo < i128::from(least) || hi > i128::from(most) {
        return Over::Any;
    }
    if lo == hi {
        return Over::Const(if ty == Type::I32 {
            lo as u32 as u64
        } else {
            lo as u64
        });
    }
    Over::Int(lo as i64, hi as i64)
}

fn mask(m: bool) -> Over {
    Over::Const(m.into())
}

impl<'a> Run<'a> {
    fn new(program: &'a Program, none: &'a Assumed) -> Run<'a> {
        Run {
            program,
            builder: Builder {
                assumed: none,
                constants: false,
                reals: false,
                nodes: Vec::new(),
            },
        }
    }

    /// The values of all instructions.
    fn values(&mut self, lo: f64, hi: f64) -> Result<Vec<Over>, Stop> {
        let program = self.program;
        let mut values: Vec<Over> = Vec::with_capacity(program.insts.len());
        for (site, inst) in program.insts.iter().enumerate() {
            let args: Vec<Over> = inst.args.iter().map(|&a| values[a]).collect();
            let value = match &inst.what {
                What::Param if inst.ty != Type::F64 => {
                    return Err(Stop::No("the kernel's argument is not binary64".into()));
                }
                // The second argument.
                What::Param if site > 0 && program.insts[..site].iter().any(is_param) => {
                    let Some(most) = program.low_word else {
                        return Err(Stop::No("the kernel has a second argument".into()));
                    };
                    Over::Real(self.builder.low(most, site))
                }
                What::Param if lo == hi && !self.builder.reals => Over::Const(lo.to_bits()),
                What::Param => {
                    // Cells have one sign; of others, the inputs next to zero have the finest unit.
                    let grid = match lo <= 0.0 && hi >= 0.0 {
                        true => LEAST,
                        false => ulp(if lo.abs() < hi.abs() { lo } else { hi }),
                    };
                    self.builder.nodes.push(Node {
                        kind: Kind::Input,
                        site,
                        lo,
                        hi,
                        grid,
                        rounding: None,
                    });
                    Over::Real(self.builder.nodes.len() - 1)
                }
                What::Const(bits) => Over::Const(*bits),
                What::Load(table) => self.load(*table, inst, args[0]),
                What::Op(name) => self.op(site, inst, name, &args)?,
            };
            values.push(value);
        }
        Ok(values)
    }

    /// A float's range; `None` if it may be NaN.
    fn range(&self, ty: Type, value: Over) -> Option<(f64, f64)> {
        match value {
            Over::Const(bits) => Some(to_double(ty, bits))
                .filter(|x| !x.is_nan())
                .map(|x| (x, x)),
            Over::Real(i) => Some((self.builder.nodes[i].lo, self.builder.nodes[i].hi)),
            Over::Float(lo, hi) => Some((lo, hi)),
            _ => None,
        }
    }

    fn ints(&self, ty: Type, value: Over) -> (i64, i64) {
        match value {
            Over::Const(bits) => (to_int(ty, bits), to_int(ty, bits)),
            Over::Int(lo, hi) => (lo, hi),
            Over::Word(i, plus) => {
                let node = &self.builder.nodes[i];
                let ends = [node.lo, node.hi].map(|x| (x.to_bits() as i64).checked_add(plus));
                match ends {
                    [Some(a), Some(b)] => (a.min(b), a.max(b)),
                    _ => full(ty),
                }
            }
            Over::Mirror(i, c) => self.mirrored(i, c).unwrap_or(full(ty)),
            Over::Part(part) => self.part_range(part),
            Over::Low(_, n, exact) => Self::low_range(ty, n, exact),
            _ => full(ty),
        }
    }

    fn load(&self, table: usize, inst: &Inst, index: Over) -> Over {
        let ty = operand_type(self.program, inst);
        let (lo, hi) = self.ints(ty, index);
        let bits = &self.program.tables[table].bits;
        let entries = if lo == hi {
            return Over::Const(load(self.program, table, ty, lo as u64));
        } else if lo >= 0 && (hi as u64) < bits.len() as u64 {
            &bits[lo as usize..=hi as usize]
        } else {
            &bits[..]
        };
        if entries.iter().all(|e| *e == entries[0]) {
            return Over::Const(entries[0]);
        }
        if inst.ty.is_float() {
            let numbers = entries.iter().map(|&e| to_double(inst.ty, e));
            if numbers.clone().any(f64::is_nan) {
                return Over::Any;
            }
            let lo = numbers.clone().fold(f64::INFINITY, lesser);
            let hi = numbers.fold(f64::NEG_INFINITY, greater);
            return Over::Float(lo, hi);
        }
        let numbers = entries.iter().map(|&e| to_int(inst.ty, e));
        let (lo, hi) = (
            numbers.clone().min().unwrap_or(0),
            numbers.max().unwrap_or(0),
        );
        Over::Int(lo, hi)
    }

    fn op(&mut self, site: usize, inst: &Inst, name: &str, args: &[Over]) -> Result<Over, Stop> {
        let ty = operand_type(self.program, inst);
        let known = |a: &Over| matches!(a, Over::Const(_));
        if args.iter().all(known) {
            let words: Vec<u64> = args
                .iter()
                .map(|a| if let Over::Const(w) = a { *w } else { 0 })
                .collect();
            return apply(name, ty, inst.ty, &words)
                .map(Over::Const)
                .map_err(Stop::No);
        }
        let moved = match name {
            "add" | "sub" => self.moved(name, args),
            _ => None,
        };
        if let Some(moved) = moved.or_else(|| self.words(ty, inst.ty, name, args)) {
            return Ok(moved);
        }
        Ok(match name {
            "select" => match args[0] {
                Over::Const(m) => args[if m != 0 { 1 } else { 2 }],
                _ => self.either(ty, args[1], args[2]),
            },
            "add" | "sub" | "mul" | "div" | "fma" | "sqrt" | "recip" if ty == Type::F64 => {
                self.real(site, name, args)?
            }
            "neg" | "abs" | "copy_sign" | "min" | "max" if ty.is_float() => {
                self.chosen(site, ty, name, args)?
            }
            "lt" | "le" | "gt" | "ge" | "eq" | "ne" => self.comparison(ty, name, args),
            "is_nan" => self.range(ty, args[0]).map_or(Over::Any, |_| mask(false)),
            "is_sign_negative" => match self.range(ty, args[0]) {
                Some((lo, _)) if lo > 0.0 => mask(false),
                Some((_, hi)) if hi < 0.0 => mask(true),
                _ => Over::Any,
            },
            "to_f64" if ty.is_float() => args[0],
            "to_f32" if self.builder.reals && matches!(args[0], Over::Real(_)) => {
                self.unrounded(site, args[0])
            }
            "to_bits" if ty == Type::F64 && self.signed(args[0]).is_some() => {
                self.signed(args[0]).map_or(Over::Any, |i| Over::Word(i, 0))
            }
            // These are monotone in their one operand.
            "floor" | "ceil" | "trunc" | "round_ties_even" | "to_f32" | "to_f64" | "to_i64"
            | "to_bits" | "to_i32" => self.monotone(ty, inst.ty, name, args[0]),
            "from_bits" => {
                if let Over::Word(i, plus) = args[0]
                    && let Some(scaled) = self.scaled(site, i, plus.into())?
                {
                    return Ok(scaled);
                }
                if let Over::Part(part) = args[0]
                    && (part.low, part.shift) == (0, 0)
                    && inst.ty == Type::F64
                    && let Some(scaled) = self.scaled(site, part.of, part.plus)?
                {
                    return Ok(scaled);
                }
                if let Over::Mirror(i, c) = args[0]
                    && let Some(made) = self.mirror(site, i, c)?
                {
                    return Ok(made);
                }
                let (lo, hi) = self.ints(ty, args[0]);
                let (p, q) = (to_double(inst.ty, lo as u64), to_double(inst.ty, hi as u64));
                if p.is_nan() || q.is_nan() || (lo < 0) != (hi < 0) {
                    Over::Any
                } else {
                    Over::Float(lesser(p, q), greater(p, q))
                }
            }
            // One operand decides.
            "and" if ty == Type::Mask && args.iter().any(|a| matches!(a, Over::Const(0))) => {
                mask(false)
            }
            "or" if ty == Type::Mask && args.iter().any(|a| matches!(a, Over::Const(1))) => {
                mask(true)
            }
            "and" | "or" | "xor" | "not" if ty == Type::Mask => Over::Any,
            _ if !ty.is_float() => self.integer(ty, name, args),
            // Arithmetic of binary32 on values that vary, and all other operations: an unknown value.
            _ => Over::Any,
        })
    }

    fn either(&self, ty: Type, a: Over, b: Over) -> Over {
        if ty.is_float() {
            return match (self.range(ty, a), self.range(ty, b)) {
                (Some(x), Some(y)) => Over::Float(lesser(x.0, y.0), greater(x.1, y.1)),
                _ => Over::Any,
            };
        }
        if ty == Type::Mask {
            return Over::Any;
        }
        let (x, y) = (self.ints(ty, a), self.ints(ty, b));
        int(ty, x.0.min(y.0).into(), x.1.max(y.1).into())
    }
}
