//! Classes: cells that share one problem.
//!
//! Many kernels reduce their input: on each cell a constant is subtracted exactly, and the result is scaled exactly by a power of two. The
//! operations in between are the *core*, the same program for all such cells, and the function obeys a law: with `r = x + κ` and `d = -κ ln
//! b - s ln 2`, `b^x = 2^s b^r e^d`. Cells with the same core and nearly the same d form a class with the factor `e^δ`, where δ is the d of
//! one of them: `b^x = 2^s b^r e^δ (1 + η)`, where `η = e^(d - δ) - 1` is tiny. So one search over `r` serves all members, which differ in
//! η and in the set of their `r`. If κ is the whole reduction, δ is 0.
//!
//! Cells that are scaled copies of each other are the other kind of class: see `scaled`.

#[cfg(test)]
mod copies;
mod cut;
mod factor;
#[cfg(test)]
mod members;
#[cfg(test)]
mod rounded;
mod scaled;
mod scaling;

pub use cut::classify;
pub(crate) use cut::{Limits, classify_until};
pub(crate) use scaling::times_power;

use std::collections::HashMap;

use crate::cell::{Cell, Index, Kind, Label, Operation, Residual};
use crate::law::{Law, Truth, exp, ln2_times};
use crate::num::float::{BINARY64, exponent, grid, is_power, power};
use crate::num::{Ball, Interval, Ring};

/// A cell as part of a class.
#[derive(Debug, Clone, Copy)]
pub struct Member {
    /// The inputs.
    pub cell: Cell,
    /// `r = x + κ`,
    pub shift: Ball,
    /// or `r = x 2^-by`; at most one of them is not zero.
    pub by: i32,
    /// The kernel's result is the core's times `2^scale`.
    pub scale: i32,
    /// `g(x) = 2^scale F(r) factor (1 + η)`
    pub eta: Ball,
    /// The core's input on the cell.
    pub core: Cell,
    /// The core's inputs are multiples of `2^grid`.
    pub grid: i32,
    /// Whether the reduction is rounded: then `r` is the computed argument, and `shift` holds its rounding for all inputs.
    pub rounded: bool,
}

/// A core with its members.
#[derive(Debug, Clone)]
pub struct Class {
    /// The core: a program of `r`.
    pub core: Residual,
    /// Its input, over all members.
    pub input: Operation,
    /// The members, in the order of the input.
    pub members: Vec<Member>,
    /// Whether the members' inputs are shifted or scaled.
    pub reduced: bool,
    /// Whether they are scaled.
    pub copies: bool,
    /// δ, a double.
    pub offset: f64,
    /// `e^δ`
    pub factor: Ball,
}

impl Member {
    /// The double whose core's input is `r`, if it is in the cell.
    #[must_use]
    pub fn input(&self, r: f64) -> Option<f64> {
        if self.by != 0 {
            let x = times_power(r, self.by)?;
            return (self.cell.lo <= x && x <= self.cell.hi).then_some(x);
        }
        let x = self.near(r);
        let back = Ball::number(x).add(self.shift);
        (back.h == r && back.l == 0.0 && self.cell.lo <= x && x <= self.cell.hi).then_some(x)
    }

    /// The inputs whose core's input may be `r`: one or none if the reduction is exact, and neighbours if it is rounded.
    pub(crate) fn inputs(&self, r: f64) -> impl Iterator<Item = f64> {
        let near = self.near(r);
        let exact = (!self.rounded).then(|| self.input(r)).flatten();
        let next = [near.next_down(), near, near.next_up()].map(|x| self.rounded.then_some(x));
        let own = move |&x: &f64| self.cell.lo <= x && x <= self.cell.hi;
        next.into_iter().flatten().filter(own).chain(exact)
    }

    /// The double next to the number whose core's input is `r`.
    #[must_use]
    pub fn near(&self, r: f64) -> f64 {
        let half = self.by / 2;
        Ball::number(r).sub(self.shift).h * power(half) * power(self.by - half)
    }

    /// The core's input of an input, rounded to a double.
    #[must_use]
    pub fn reduced(&self, x: f64) -> f64 {
        let half = self.by / 2;
        let r = Ball::number(x).add(self.shift).h;
        r * power(-half) * power(half - self.by)
    }
}

impl Class {
    /// The members with inputs on a stretch of the core's.
    pub fn members_on(&self, cell: Cell) -> impl Iterator<Item = &Member> + Clone {
        let members = self.members.iter();
        members.filter(move |m| m.core.lo <= cell.hi && cell.lo <= m.core.hi)
    }

    /// Whether the results of each member with inputs on a stretch are the core's times a power of two.
    #[must_use]
    pub fn scaled_on(&self, cell: Cell) -> bool {
        self.members_on(cell).any(|m| m.scale != 0 || m.by != 0)
    }

    /// Whether an end of a stretch of the core's input is the end of a member. Then the stretch has inputs.
    #[must_use]
    pub fn has_end(&self, cell: Cell) -> bool {
        let ends = [cell.lo, cell.hi];
        self.members_on(cell)
            .any(|m| ends.iter().any(|&r| m.inputs(r).next().is_some()))
    }
}

/// The cells of a kernel, in classes.
#[derive(Debug, Clone, Default)]
pub struct Classes {
    /// The values with a residual.
    pub classes: Vec<Class>,
    /// Cells on which the kernel gives one number.
    pub constant: Vec<Cell>,
    /// Single inputs at which the kernel gives no number, or which could not be separated.
    pub special: Vec<Cell>,
    /// Places of the operations in the source.
    pub labels: Vec<Label>,
    /// The number of cells that were evaluated.
    pub looked: u64,
    /// Whether the limit of cells was reached, so that stretches were added to the special inputs.
    pub exhausted: bool,
}

fn position(residual: &Residual) -> Option<Index> {
    let i = residual
        .operations
        .iter()
        .position(|o| o.kind == Kind::Input)?;
    Some(i as Index)
}

/// The only operation that has `a` as an operand.
fn only_user(residual: &Residual, a: Index) -> Option<(&Operation, Index)> {
    let mut users = residual.operations.iter().enumerate().filter(|(_, o)| {
        let (args, n) = o.kind.args();
        args[..n].contains(&a)
    });
    let first = users.next()?;
    users
        .next()
        .is_none()
        .then_some((first.1, first.0 as Index))
}

fn constant_operand(residual: &Residual, kind: Kind) -> Option<f64> {
    let (args, n) = kind.args();
    args[..n].iter().find_map(|&a| match residual.at(a).kind {
        Kind::Const(c) => Some(c),
        _ => None,
    })
}

impl Classes {
    /// Adds a cell with a residual.
    fn add(&mut self, by_key: &mut HashMap<String, usize>, sorted: Sorted) {
        let Sorted {
            key,
            core,
            mut member,
            input,
            d,
            copies,
        } = sorted;
        match by_key.get(&key) {
            Some(&i) => {
                let class = &mut self.classes[i];
                if let Some(d) = d {
                    member.eta = eta(d.sub(Ball::number(class.offset)));
                }
                class.input = Operation {
                    values: class.input.values.hull(input.values),
                    reals: class.input.reals.hull(input.reals),
                    grid: class.input.grid.min(input.grid),
                    ..class.input
                };
                class.members.push(member);
            }
            None => {
                by_key.insert(key, self.classes.len());
                // Where κ is the whole of the reduction, there is no factor.
                let offset = d.map_or(0.0, Ball::mid);
                let offset = if offset.abs() < ALIKE { 0.0 } else { offset };
                if let Some(d) = d {
                    member.eta = eta(d.sub(Ball::number(offset)));
                }
                let (m, k) = exp(offset);
                self.classes.push(Class {
                    offset,
                    factor: m.scale(k),
                    core,
                    input,
                    members: vec![member],
                    reduced: d.is_some() || copies,
                    copies,
                });
            }
        }
    }
}

/// A cell with a residual, and the class to which it belongs.
struct Sorted {
    key: String,
    core: Residual,
    member: Member,
    input: Operation,
    /// The d of a reduced argument.
    d: Option<Ball>,
    /// Whether it is a scaled copy.
    copies: bool,
}

/// The class of a cell.
fn sorted(residual: &Residual, cell: Cell, truth: &Truth, rounded: bool) -> Sorted {
    let law = truth.law();
    let member = law.and_then(|law| reduced(residual, cell, law, rounded));
    let d = member.as_ref().map(|r| r.d);
    let copy = law.and_then(|law| scaled::scaled(residual, cell, law));
    let copies = copy.is_some() && d.is_none();
    let (core, member, input) = match (member, copy) {
        (Some(r), _) => (r.core, r.member, r.input),
        (None, Some(copy)) => copy,
        (None, None) => plain(residual, cell),
    };
    let key = if let Some(d) = d {
        // The sum removes the sign of a zero.
        format!("{} {}", key(&core), (d.mid() / ALIKE).round() + 0.0)
    } else if copies {
        let cell = member.core;
        format!("{} {:e} {:e}", key(&core), cell.lo, cell.hi)
    } else {
        // It is a class of its own, because the function has no law for a shifted input.
        format!("{:x} {:x}", cell.lo.to_bits(), cell.hi.to_bits())
    };
    Sorted {
        key,
        core,
        member,
        input,
        d,
        copies,
    }
}

/// A cell that is not reduced.
fn plain(residual: &Residual, cell: Cell) -> (Residual, Member, Operation) {
    let range = Interval::new(cell.lo, cell.hi);
    // A stage of a routine is a program at a single input too, although it does not depend on it.
    let input = position(residual).map_or(
        Operation {
            kind: Kind::Input,
            site: 0,
            format: BINARY64,
            values: range,
            reals: range,
            grid: grid(cell.lo),
            direction: None,
            rounding: None,
        },
        |i| *residual.at(i),
    );
    let member = Member {
        cell,
        shift: Ball::ZERO,
        by: 0,
        scale: 0,
        eta: Ball::ZERO,
        core: cell,
        grid: input.grid,
        rounded: false,
    };
    (residual.clone(), member, input)
}

/// Members of a class have their d within this distance of each other. Their η is bounded separately from the function's own variation, and
/// their product must be far below one ULP.
const ALIKE: f64 = 1.0 / (1u64 << 48) as f64;

/// Binades of reduced arguments with a smaller unit in the last place than this are not distinguished: their rounding adds less than 2^-10
/// ULP to a result near 1. In the distinguished binades, the reduction is exact, and the operations after it are one program for all
/// multiples. For example, a table-driven exponential, whose arguments are below 2^-8, has the same program for a table entry in each
/// binade of its results.
const FINEST_REDUCED: i32 = -62;

/// A cell whose argument is reduced: its core, the core's input, and d of `b^x = 2^s b^r e^d`.
struct Reduced {
    core: Residual,
    input: Operation,
    member: Member,
    d: Ball,
}

/// `e^d - 1` of a tiny number: `d + d²/2 + …`
fn eta(d: Ball) -> Ball {
    let d2 = d.mul(d);
    d.add(d2.scale(-1))
        .add(d2.mul(d).div(Ball::number(6.0)))
        .widened(d.magnitude().powi(4))
}

/// Whether all values of an operation are normal, so that their unit in the last place is scaled with them.
fn normal(operation: &Operation) -> bool {
    let format = operation.format;
    operation.values.least() >= power(format.least + format.precision - 1)
}

/// The core of a residual, and the relation of the cell's inputs and results to the core's. `None` if the argument is not reduced exactly,
/// if the result or the core's is subnormal, or if the function is not `b^x`.
///
/// If `rounded` is set, one step of the reduction may be rounded, by at most `2^(FINEST_REDUCED - 1)`. Let r be the computed argument and ε this
/// rounding, so `r = x + κ + ε` exactly. As ε differs from input to input, it is an interval of κ, and with it of d and η.
fn reduced(residual: &Residual, cell: Cell, law: Law, rounded: bool) -> Option<Reduced> {
    if !matches!(law, Law::Exp | Law::Exp2 | Law::Exp10) {
        return None;
    }
    // The unit of subnormal results is not the core's unit times the scale, even where the scaling is exact.
    if !normal(residual.at(residual.result)) {
        return None;
    }
    // The input plus κ, exactly, as long as the intermediate value is used once.
    let mut at = position(residual)?;
    let mut shift = Ball::ZERO;
    let finest = residual.at(at).grid;
    let mut is_rounded = false;
    while let Some((operation, i)) = only_user(residual, at) {
        let mut error = 0.0;
        if let Some(rounding) = operation.rounding {
            // Inputs are at least twice the rounding apart, so few of them have the same r: see `Member::inputs`.
            let fine = rounding.unit <= FINEST_REDUCED.min(finest) && rounding.unit > -1000;
            let again = is_rounded || operation.direction.is_some();
            let by_constant = constant_operand(residual, operation.kind).is_some();
            if !(rounded && fine && by_constant) || again {
                break;
            }
            error = rounding.error.magnitude() * power(rounding.unit);
        }
        shift = match operation.kind {
            Kind::Add(a, b) => shift.add(Ball::number(constant(
                residual,
                if a == at { b } else { a },
            )?)),
            Kind::Sub(a, b) if a == at => shift.sub(Ball::number(constant(residual, b)?)),
            _ => break,
        };
        if error > 0.0 {
            (shift, is_rounded) = (shift.widened(error), true);
        }
        at = i;
    }
    // The result is the core's times powers of two, exactly.
    let mut out = residual.result;
    let mut scale = 0;
    while let Kind::Mul(a, b) = residual.at(out).kind {
        if residual.at(out).rounding.is_some() {
            return None;
        }
        let (c, rest) = match (constant(residual, a), constant(residual, b)) {
            (Some(c), _) => (c, b),
            (_, Some(c)) => (c, a),
            _ => break,
        };
        if !(is_power(c) && c > 0.0) {
            break;
        }
        scale += exponent(c);
        out = rest;
    }
    // Nor is the unit of a subnormal core: a subnormal sum times 2^317 is a normal result, of whose last places the sum's is 2^265.
    if scale != 0 && !normal(residual.at(out)) {
        return None;
    }
    let input = *residual.at(at);
    let input = Operation {
        kind: Kind::Input,
        reals: input.values,
        rounding: None,
        ..input
    };
    let mut operations = residual.operations.clone();
    operations[at as usize] = input;
    let core = Residual::live(&operations, out);
    if !core.operations.iter().any(|o| o.kind == Kind::Input) {
        return None;
    }
    let core = match factor::without_power(&core) {
        Some((of, s)) if normal(core.at(core.result)) && normal(of.at(of.result)) => {
            scale += s;
            of
        }
        _ => core,
    };
    let d = match law {
        // Of a table of 2^(i/128) it is exactly that of the entry.
        Law::Exp2 => shift.add(Ball::number(f64::from(scale))).mul(law.rate()),
        _ => shift.mul(law.rate()).add(ln2_times(scale)),
    }
    .neg();
    if d.magnitude() > 1.0 {
        return None;
    }
    let end = |x: f64| Ball::number(x).add(shift).mid();
    let values = Cell {
        lo: input.values.lo,
        hi: input.values.hi,
    };
    let core_cell = match is_rounded {
        true => values,
        false => Cell {
            lo: end(cell.lo).max(values.lo),
            hi: end(cell.hi).min(values.hi),
        },
    };
    let member = Member {
        cell,
        shift,
        by: 0,
        scale,
        eta: Ball::ZERO,
        core: core_cell,
        grid: input.grid,
        rounded: is_rounded,
    };
    Some(Reduced {
        core,
        input,
        member,
        d,
    })
}

fn constant(residual: &Residual, i: Index) -> Option<f64> {
    match residual.at(i).kind {
        Kind::Const(c) => Some(c),
        _ => None,
    }
}

/// The key by which cores are compared: operations, their roundings, and constants.
pub(crate) fn key(core: &Residual) -> String {
    use std::fmt::Write;
    let mut text = String::new();
    for operation in &core.operations {
        let _ = match operation.kind {
            Kind::Const(c) => write!(text, "{:x};", c.to_bits()),
            kind @ Kind::Affine { .. } => write!(text, "{kind:?} {};", operation.grid),
            kind => write!(
                text,
                "{kind:?} {} {:?};",
                operation.format.precision, operation.direction
            ),
        };
    }
    let _ = write!(text, "{}", core.result);
    text
}
