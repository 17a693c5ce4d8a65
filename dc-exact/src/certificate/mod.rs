//! The certificate of a maximum: the claim, and a plan of its proof that another program can follow.
//!
//! The crate `crunch-check` reads it. It contains the kernel's text and, for each class with lattices, the stretches on which the claim was
//! proven. Cells that a bound closes are not listed. The checker itself finds those cells, and the cells of reduced classes.

use std::collections::HashMap;

use kernels_gen::program::Program;

use crate::bound::RangeBound;
use crate::cell::{Cell, input_format, next};
use crate::class::{Class, Member, key, times_power};
use crate::exact::{Closed, Exact, How};
use crate::law::Truth;
use crate::num::float::{Format, exponent};

mod head;

pub use head::function;
use head::{Head, head, pair};

/// Stretches in order; neighbouring stretches that are evaluated input by input are joined.
fn joined(closed: Vec<Closed>, format: Format) -> Vec<Closed> {
    let mut all: Vec<Closed> = Vec::with_capacity(closed.len());
    for c in closed {
        match all.last_mut() {
            Some(last)
                if last.class == c.class
                    && [last.how, c.how] == [How::Inputs; 2]
                    && c.cell.lo <= next(last.cell.hi, format)
                    && last.cell.hi.is_sign_negative() == c.cell.lo.is_sign_negative() =>
            {
                last.cell.hi = last.cell.hi.max(c.cell.hi);
            }
            _ => all.push(c),
        }
    }
    all
}

/// Cells of at most this many inputs need no plan: the checker evaluates these inputs.
const FEW: u64 = 64;

/// The text of a plan.
const PLAN: &str = concat!(
    "# At `worst` the error is that, but for its last digits. `crunch-check` proves it from this file alone: it cuts the stretches\n",
    "# `cut` into cells, each one number or of a class (one line of operations); `cell` names one. Of a class (`of` one of its\n",
    "# cells) stretches say how each may be proven: by a bound, by lattices, or input by input. docs/exact.md has the mathematics.\n",
);

/// The subject of a certificate.
#[derive(Debug, Clone, Copy)]
pub struct Subject<'a> {
    /// The sweep.
    pub sweep: &'a str,
    /// The routine.
    pub program: &'a Program,
    /// The function.
    pub truth: &'a Truth,
    /// Its inputs.
    pub stretches: &'a [Cell],
}

/// There is no certificate, because the maximum is not proven.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct NotProven;

impl std::fmt::Display for NotProven {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("the maximum is not proven, so there is nothing to certify")
    }
}

/// The certificate that no error of the subject is above a claim. Inputs of the stretches `without`, and inputs at which the function is
/// undefined, are not part of the claim.
#[must_use]
pub fn claim(subject: Subject<'_>, without: &[Cell], error: f64) -> String {
    let mut stretches = rest(
        subject.stretches,
        without.to_vec(),
        input_format(subject.program),
    );
    stretches.retain(|c| !subject.truth.nowhere(*c));
    let mut out = head(&Head {
        subject,
        stretches: &stretches,
        error,
        worst: None,
        // Without a plan the checker cuts the stretches itself.
        proof: "",
    });
    for cell in stretches {
        out.push_str(&format!("cut {}\n", pair(cell)));
    }
    out.push_str("end\n");
    out
}

/// The certificate that no error of the subject is above `error`, which is the error of the proof's worst input.
///
/// # Errors
/// If the maximum is not proven.
pub fn certificate(
    subject: Subject<'_>,
    bound: &RangeBound,
    exact: &Exact,
    error: f64,
) -> Result<String, NotProven> {
    if !exact.open.is_empty() || exact.worst.x.is_nan() {
        return Err(NotProven);
    }
    let mut out = head(&Head {
        subject,
        stretches: subject.stretches,
        error,
        worst: Some(exact.worst.x),
        proof: PLAN,
    });
    let mut line = |text: String| {
        out.push_str(&text);
        out.push('\n');
    };
    let mut closed: Vec<Closed> = exact.closed.clone();
    closed.extend(bound.singles.iter().map(|&(class, x)| Closed {
        class,
        cell: Cell { lo: x, hi: x },
        how: How::Inputs,
    }));
    closed.sort_by(|a, b| {
        a.class
            .cmp(&b.class)
            .then(a.cell.lo.total_cmp(&b.cell.lo))
            .then(a.cell.hi.total_cmp(&b.cell.hi))
    });
    closed.dedup();
    let closed = joined(closed, input_format(subject.program));
    // A class that bounds and single inputs close has no need of a plan. Where a number is made of bits that a mask clears, the kernel is
    // another line for each value of these bits: the checker cuts the stretch there, or evaluates its inputs.
    let mut planned = vec![false; bound.classes.len()];
    for c in closed
        .iter()
        .filter(|c| !bound.classes[c.class].core.deviates())
    {
        let few = if bound.classes[c.class].reduced {
            1
        } else {
            FEW
        };
        let many = || c.cell.count(input_format(subject.program)) > few;
        let hard = c.how == How::Lattice || c.how == How::Inputs && many();
        planned[c.class] |= hard;
    }
    let planned = |i: &usize| planned[*i];
    let groups = groups(&bound.classes, (0..bound.classes.len()).filter(planned));
    // The only copy is a cell that stands for itself: it need not be one of a cell near 1, where its values may be others.
    let of_itself = |group: &[usize]| {
        let class = &bound.classes[group[0]];
        !class.reduced || class.copies && group.len() == 1 && class.members.len() == 1
    };
    let named: Vec<Cell> = (groups.iter().filter(|g| of_itself(g)))
        .flat_map(|g| bound.classes[g[0]].members.iter().map(|m| m.cell))
        .collect();
    for cell in rest(subject.stretches, named, input_format(subject.program)) {
        line(format!("cut {}", pair(cell)));
    }
    for (number, group) in groups.iter().enumerate() {
        let class = &bound.classes[group[0]];
        // The power by which the core's inputs are scaled.
        let mut by = class.members[0].by;
        if of_itself(group) {
            for member in &class.members {
                line(format!("cell {} {number}", pair(member.cell)));
            }
            line(format!("class {number} plain"));
        } else if class.copies {
            // The checker's copies have exponents of the first period.
            let Truth::Law(law) = subject.truth else {
                return Err(NotProven);
            };
            let (_, period) = law.power().ok_or(NotProven)?;
            by = -exponent(class.members[0].core.lo).div_euclid(period) * period;
            line(format!("class {number} scaled"));
            // Next to 1 nothing is subnormal.
            let members = group.iter().flat_map(|&i| &bound.classes[i].members);
            let first = members.min_by_key(|m| exponent(m.cell.lo).abs());
            line(format!("of {}", pair(first.ok_or(NotProven)?.cell)));
        } else {
            line(format!("class {number} reduced"));
            let widest = class.members.iter().max_by(|a, b| {
                let width = |m: &Member| m.core.hi - m.core.lo;
                width(a).total_cmp(&width(b))
            });
            line(format!("of {}", pair(widest.ok_or(NotProven)?.cell)));
        }
        for &i in group {
            let from = closed.partition_point(|c| c.class < i);
            for c in closed[from..].iter().take_while(|c| c.class == i) {
                let end = |x| times_power(x, by).ok_or(NotProven);
                let (lo, hi) = (end(c.cell.lo)?, end(c.cell.hi)?);
                line(format!("{} {}", c.how.name(), pair(Cell { lo, hi })));
            }
        }
    }
    out.push_str("end\n");
    Ok(out)
}

/// Classes that are one for the checker: those of scaled copies have one core for each part of a binade.
fn groups(classes: &[Class], planned: impl Iterator<Item = usize>) -> Vec<Vec<usize>> {
    let mut groups: Vec<Vec<usize>> = Vec::new();
    let mut by_key: HashMap<String, usize> = HashMap::new();
    for i in planned {
        if classes[i].copies {
            let next = groups.len();
            let number = *by_key.entry(key(&classes[i].core)).or_insert(next);
            if number < next {
                groups[number].push(i);
                continue;
            }
        }
        groups.push(vec![i]);
    }
    groups
}

/// The parts of stretches that are in none of these cells.
fn rest(stretches: &[Cell], mut named: Vec<Cell>, format: Format) -> Vec<Cell> {
    named.sort_by(|a, b| a.lo.total_cmp(&b.lo));
    let mut rest = Vec::new();
    for stretch in stretches {
        let mut lo = stretch.lo;
        for cell in named
            .iter()
            .filter(|c| c.hi >= stretch.lo && c.lo <= stretch.hi)
        {
            if lo < cell.lo {
                let hi = -next(-cell.lo, format);
                rest.push(Cell { lo, hi });
            }
            lo = lo.max(next(cell.hi, format));
        }
        if lo <= stretch.hi {
            rest.push(Cell { lo, ..*stretch });
        }
    }
    rest
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::num::float::BINARY64;

    #[test]
    fn what_no_cell_holds_is_cut() {
        let cell = |lo: f64, hi: f64| Cell { lo, hi };
        let stretches = [cell(-2.0, -1.0), cell(1.0, 2.0)];
        let all = rest(&stretches, vec![], BINARY64);
        assert_eq!(all, stretches);
        let named = vec![cell(1.5, 1.75), cell(1.0, 1.25), cell(-1.5, -1.0)];
        let found = rest(&stretches, named.clone(), BINARY64);
        let due = [
            cell(-2.0, (-1.5f64).next_down()),
            cell(1.25f64.next_up(), 1.5f64.next_down()),
            cell(1.75f64.next_up(), 2.0),
        ];
        assert_eq!(found, due);
        assert!(rest(&named, named.clone(), BINARY64).is_empty());
    }

    #[test]
    fn neighbours_of_one_class_that_are_evaluated_are_one_stretch() {
        let at = |class, lo: f64, hi: f64, how| Closed {
            class,
            cell: Cell { lo, hi },
            how,
        };
        let one = 1.0f64;
        let above = one.next_up();
        let closed = vec![
            at(0, one, one, How::Inputs),
            at(0, above, above, How::Inputs),
            at(0, above.next_up().next_up(), 2.0, How::Inputs),
            at(0, 2.0f64.next_up(), 3.0, How::Bound),
            at(0, 3.0f64.next_up(), 4.0, How::Inputs),
            at(1, 4.0f64.next_up(), 5.0, How::Inputs),
        ];
        let joined = joined(closed.clone(), BINARY64);
        assert_eq!(joined[0], at(0, one, above, How::Inputs));
        assert_eq!(joined[1..], closed[2..]);
    }
}
