//! The range of a precondition, if it is an interval of each argument.

use dc_runtime::model::key::Precision;
use dc_runtime::model::show;

use crate::fpcore::{comparison, literal};
use crate::number::Number;
use crate::sexpr::Sexpr;
use crate::tree::Comparison;

/// The smallest and the largest number of an argument, as bits of the precision.
#[derive(Debug, Clone, Copy)]
pub struct Interval {
    precision: Precision,
    least: i64,
    largest: i64,
}

/// The intervals of all arguments.
///
/// # Errors
/// If the precondition contains anything but comparisons of arguments with numbers.
pub fn of(pre: &Sexpr, names: &[String], precision: Precision) -> Result<Vec<Interval>, String> {
    let top = match precision {
        Precision::F32 => f32::MAX.to_bits().into(),
        Precision::F64 => f64::MAX.to_bits(),
    };
    let sign = 1u64 << (if precision == Precision::F32 { 31 } else { 63 });
    let all = Interval {
        precision,
        least: precision.key_of_bits(top | sign),
        largest: precision.key_of_bits(top),
    };
    let mut intervals = vec![all; names.len()];
    narrow(pre, names, &mut intervals)?;
    match intervals.iter().all(|i| i.least <= i.largest) {
        true => Ok(intervals),
        false => Err(pre.error("no number has this property")),
    }
}

/// The range as written on the command line.
#[must_use]
pub fn text(intervals: &[Interval]) -> String {
    let one = |i: &Interval| {
        let number = |key: i64| show::hex_float(i.precision, i.precision.bits_of_key(key));
        format!("{}..={}", number(i.least), number(i.largest))
    };
    let all: Vec<String> = intervals.iter().map(one).collect();
    all.join(" x ")
}

fn narrow(pre: &Sexpr, names: &[String], intervals: &mut [Interval]) -> Result<(), String> {
    let plain = || pre.error("the precondition is more than intervals of the arguments");
    if pre.atom() == Some("TRUE") {
        return Ok(());
    }
    let Some([head, args @ ..]) = pre.list() else {
        return Err(plain());
    };
    let op = head.atom().unwrap_or_default();
    if op == "and" {
        return args.iter().try_for_each(|a| narrow(a, names, intervals));
    }
    let by = comparison(op).ok_or_else(plain)?;
    for pair in args.windows(2) {
        let atoms = [&pair[0], &pair[1]].map(|s| s.atom().unwrap_or_default());
        let argument = |s: &str| names.iter().position(|n| n == s);
        let (n, number, by) = match atoms.map(argument) {
            [Some(n), None] => (n, atoms[1], by),
            [None, Some(n)] => (n, atoms[0], mirrored(by)),
            _ => return Err(plain()),
        };
        let number = literal(number).and_then(Result::ok).ok_or_else(plain)?;
        intervals[n].cut(by, &number).ok_or_else(plain)?;
    }
    Ok(())
}

fn mirrored(by: Comparison) -> Comparison {
    match by {
        Comparison::Less => Comparison::Greater,
        Comparison::LessOrEqual => Comparison::GreaterOrEqual,
        Comparison::Greater => Comparison::Less,
        Comparison::GreaterOrEqual => Comparison::LessOrEqual,
        same => same,
    }
}

impl Interval {
    /// Keeps only the numbers that satisfy a comparison.
    fn cut(&mut self, by: Comparison, number: &Number) -> Option<()> {
        let p = self.precision;
        let nearest = match p {
            Precision::F32 => f64::from(number.narrow()),
            Precision::F64 => number.hi,
        };
        let bits = match p {
            Precision::F32 => u64::from(number.narrow().to_bits()),
            Precision::F64 => number.hi.to_bits(),
        };
        // The order of the number and the one that it is rounded to.
        let rest = (number.hi - nearest) + number.lo + number.rest;
        let (above, below) = (rest > 0.0, rest < 0.0);
        // Both zeros are one number: the interval takes both or none.
        let zero = nearest == 0.0;
        let key =
            p.key_of_bits(bits & !(u64::from(zero) << (if p == Precision::F32 { 31 } else { 63 })));
        match by {
            Comparison::Less => {
                let first_out = if zero { key - 1 } else { key };
                self.largest = self.largest.min(if above { key } else { first_out - 1 });
            }
            Comparison::LessOrEqual => {
                self.largest = self.largest.min(if below { key - 1 } else { key });
            }
            Comparison::Greater => {
                self.least = self.least.max(if below { key } else { key + 1 });
            }
            Comparison::GreaterOrEqual => {
                let first = if zero { key - 1 } else { key };
                self.least = self.least.max(if above { key + 1 } else { first });
            }
            Comparison::Equal | Comparison::NotEqual => return None,
        }
        Some(())
    }
}
