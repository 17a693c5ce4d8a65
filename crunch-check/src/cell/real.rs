//! Operations on floats over a cell.

use super::{Over, Run, mask};
use crate::number::{greater, lesser};
use crate::point::{apply, of_double, to_double, to_int};
use crate::residual::{Kind, Made, Node, Stop};
use crate::typing::Type;

impl Run<'_> {
    /// The operation of the line that a value stands for, if its results have one sign.
    pub(super) fn signed(&self, value: Over) -> Option<usize> {
        let Over::Real(i) = value else { return None };
        let node = &self.builder.nodes[i];
        (node.lo > 0.0 || node.hi < 0.0).then_some(i)
    }

    /// An operation on binary64.
    pub(super) fn real(&mut self, site: usize, name: &str, args: &[Over]) -> Result<Over, Stop> {
        let mut nodes = Vec::new();
        for &a in args {
            nodes.push(match a {
                Over::Real(i) => i,
                Over::Const(bits) if f64::from_bits(bits).is_finite() => {
                    self.builder.constant(f64::from_bits(bits), site)
                }
                // Operations that are monotone in each operand have a range even if their operands are not lines.
                _ => return Ok(self.range_of(name, args)),
            });
        }
        let kind = match name {
            "add" => Kind::Add(nodes[0], nodes[1]),
            "sub" => Kind::Sub(nodes[0], nodes[1]),
            "mul" => Kind::Mul(nodes[0], nodes[1]),
            "div" => Kind::Div(nodes[0], nodes[1]),
            "fma" => Kind::Fma(nodes[0], nodes[1], nodes[2]),
            "sqrt" => Kind::Sqrt(nodes[0]),
            _ => {
                let one = self.builder.constant(1.0, site);
                Kind::Div(one, nodes[0])
            }
        };
        Ok(match self.builder.make(kind, site) {
            Ok(Made::Node(i)) => Over::Real(i),
            Ok(Made::Const(c)) => Over::Const(c.to_bits()),
            Err(Stop::Empty) => return Err(Stop::Empty),
            // The result may not depend on it.
            Err(Stop::No(_)) => self.range_of(name, args),
        })
    }

    /// A conversion to binary32 in real arithmetic, which rounds nothing. Branches and integers depend on its computed values, that is, on
    /// the results of the actual conversion; the sum with zero has these as its range.
    pub(super) fn unrounded(&mut self, site: usize, value: Over) -> Over {
        let (Over::Real(i), Some((lo, hi))) = (value, self.range(Type::F64, value)) else {
            return Over::Any;
        };
        let [lo, hi] = [lo, hi].map(|x| f64::from(x as f32));
        if !(lo.is_finite() && hi.is_finite()) {
            return Over::Any;
        }
        let zero = self.builder.constant(0.0, site);
        let node = self.builder.nodes[i];
        self.builder.nodes.push(Node {
            kind: Kind::Add(i, zero),
            site,
            lo,
            hi,
            ..node
        });
        Over::Real(self.builder.nodes.len() - 1)
    }

    fn range_of(&self, name: &str, args: &[Over]) -> Over {
        let ranges: Option<Vec<(f64, f64)>> =
            args.iter().map(|&a| self.range(Type::F64, a)).collect();
        let Some(ranges) = ranges else {
            return Over::Any;
        };
        let zero = |r: &(f64, f64)| r.0 <= 0.0 && r.1 >= 0.0;
        let endless = |r: &(f64, f64)| !(r.0.is_finite() && r.1.is_finite());
        let divides = matches!(name, "div" | "recip");
        if divides && ranges.last().is_some_and(zero)
            || ranges.iter().any(endless) && ranges.iter().any(zero)
        {
            return Over::Any;
        }
        let (mut lo, mut hi) = (f64::INFINITY, f64::NEG_INFINITY);
        for corner in 0..1usize << ranges.len() {
            let words: Vec<u64> = ranges
                .iter()
                .enumerate()
                .map(|(i, r)| if corner >> i & 1 == 0 { r.0 } else { r.1 }.to_bits())
                .collect();
            let Ok(y) = apply(name, Type::F64, Type::F64, &words) else {
                return Over::Any;
            };
            let y = f64::from_bits(y);
            if y.is_nan() {
                return Over::Any;
            }
            lo = lesser(lo, y);
            hi = greater(hi, y);
        }
        // In reals it is not one number: it depends on the input, and what is computed is rounded.
        if lo.to_bits() == hi.to_bits() && !self.builder.reals {
            Over::Const(lo.to_bits())
        } else {
            Over::Float(lo, hi)
        }
    }

    fn negated(&mut self, site: usize, ty: Type, value: Over) -> Result<Over, Stop> {
        Ok(match value {
            Over::Real(i) => match self.builder.make(Kind::Neg(i), site)? {
                Made::Node(i) => Over::Real(i),
                Made::Const(c) => Over::Const(of_double(ty, c)),
            },
            Over::Const(c) => Over::Const(of_double(ty, -to_double(ty, c))),
            _ => self
                .range(ty, value)
                .map_or(Over::Any, |(lo, hi)| Over::Float(-hi, -lo)),
        })
    }

    /// Operations whose result is one of the operands, possibly with the other sign.
    pub(super) fn chosen(
        &mut self,
        site: usize,
        ty: Type,
        name: &str,
        args: &[Over],
    ) -> Result<Over, Stop> {
        let Some(a) = self.range(ty, args[0]) else {
            return Ok(Over::Any);
        };
        match name {
            "neg" => return self.negated(site, ty, args[0]),
            "abs" if a.0 > 0.0 => return Ok(args[0]),
            "abs" if a.1 < 0.0 => return self.negated(site, ty, args[0]),
            "abs" => return Ok(Over::Float(0.0, a.0.abs().max(a.1.abs()))),
            _ => {}
        }
        let Some(b) = self.range(ty, args[1]) else {
            return Ok(Over::Any);
        };
        if name == "copy_sign" {
            let negative = match args[1] {
                Over::Const(bits) => Some(to_double(ty, bits).is_sign_negative()),
                _ if b.0 > 0.0 => Some(false),
                _ if b.1 < 0.0 => Some(true),
                _ => None,
            };
            // This includes a zero, whose sign ranges do not show.
            if let (Some(negative), Over::Const(word)) = (negative, args[0]) {
                let sign = if negative { -1.0 } else { 1.0 };
                return Ok(Over::Const(of_double(
                    ty,
                    to_double(ty, word).copysign(sign),
                )));
            }
            return match negative {
                Some(n) if a.0 > 0.0 && !n || a.1 < 0.0 && n => Ok(args[0]),
                Some(n) if a.0 > 0.0 && n || a.1 < 0.0 && !n => self.negated(site, ty, args[0]),
                _ => {
                    let most = greater(-a.0, a.1);
                    Ok(Over::Float(-most, most))
                }
            };
        }
        // The second operand, unless the first is less (or greater).
        let first = match name {
            "min" if a.1 < b.0 => Some(true),
            "min" if a.0 >= b.1 => Some(false),
            "max" if a.0 > b.1 => Some(true),
            "max" if a.1 <= b.0 => Some(false),
            _ => None,
        };
        Ok(match first {
            Some(first) => args[usize::from(!first)],
            // Of two zeros the second operand is the result.
            None if name == "min" => {
                let hi = if a.1 < b.1 { a.1 } else { b.1 };
                Over::Float(lesser(a.0, b.0), if hi == 0.0 { 0.0 } else { hi })
            }
            None => {
                let lo = if a.0 > b.0 { a.0 } else { b.0 };
                Over::Float(if lo == 0.0 { -0.0 } else { lo }, greater(a.1, b.1))
            }
        })
    }

    pub(super) fn comparison(&self, ty: Type, name: &str, args: &[Over]) -> Over {
        // -1: all of a are below all of b; 1: all are above; 0: both are the same single number.
        let (below, above, touch_below, touch_above, same);
        // An operation's result and itself: it is finite.
        if let (Over::Real(a), Over::Real(b)) = (args[0], args[1])
            && a == b
        {
            return mask(matches!(name, "eq" | "le" | "ge"));
        }
        if ty.is_float() {
            let (Some(a), Some(b)) = (self.range(ty, args[0]), self.range(ty, args[1])) else {
                return Over::Any;
            };
            (below, above, touch_below, touch_above) =
                (a.1 < b.0, a.0 > b.1, a.1 <= b.0, a.0 >= b.1);
            same = a.0 == a.1 && b == a;
        } else {
            let (a, b) = (self.ints(ty, args[0]), self.ints(ty, args[1]));
            (below, above, touch_below, touch_above) =
                (a.1 < b.0, a.0 > b.1, a.1 <= b.0, a.0 >= b.1);
            same = a.0 == a.1 && b == a;
        }
        let known = match name {
            "lt" if below => Some(true),
            "lt" if touch_above => Some(false),
            "le" if touch_below => Some(true),
            "le" if above => Some(false),
            "gt" if above => Some(true),
            "gt" if touch_below => Some(false),
            "ge" if touch_above => Some(true),
            "ge" if below => Some(false),
            "eq" if same => Some(true),
            "eq" if below || above => Some(false),
            "ne" if same => Some(false),
            "ne" if below || above => Some(true),
            _ => None,
        };
        known.map_or(Over::Any, mask)
    }

    pub(super) fn monotone(&self, ty: Type, out: Type, name: &str, value: Over) -> Over {
        let ends = if ty.is_float() {
            let Some((lo, hi)) = self.range(ty, value) else {
                return Over::Any;
            };
            if name == "to_bits" && lo <= 0.0 && hi >= 0.0 {
                return Over::Any;
            }
            [of_double(ty, lo), of_double(ty, hi)]
        } else {
            let (lo, hi) = self.ints(ty, value);
            if name == "to_i32" && lo >> 31 != hi >> 31 {
                return Over::Any;
            }
            [lo as u64, hi as u64]
        };
        let [Ok(a), Ok(b)] = ends.map(|w| apply(name, ty, out, &[w])) else {
            return Over::Any;
        };
        // In reals conversions are not rounded, but roundings to integers are those computed.
        let rounds = self.builder.reals && matches!(name, "to_f32" | "to_f64");
        if a == b && !rounds {
            return Over::Const(a);
        }
        if out.is_float() {
            return Over::Float(to_double(out, a), to_double(out, b));
        }
        // The bits of negative numbers decrease as the numbers increase.
        let (a, b) = (to_int(out, a), to_int(out, b));
        Over::Int(a.min(b), a.max(b))
    }
}

#[cfg(test)]
mod tests {
    use crate::cell::{Outcome, outcome};
    use crate::ir::Program;

    /// A constant with the sign of an input that does not change its sign is a constant, also if it is a zero.
    #[test]
    fn a_constant_with_the_sign_of_the_input_is_one() {
        for number in [0.0f64, -0.0, 2.5, -2.5] {
            let text = format!(
                "doublecrunch ir 1\nfn f0\n  %0: f64 = param\n  %1: f64 = const {:#x}\n  %2: f64 = copy_sign %1, %0\n  return %2\n",
                number.to_bits()
            );
            let program = Program::parse(&text).expect("a kernel");
            for (lo, hi) in [(-2.0, -1.0), (1.0, 2.0), (-1e300, -5e-324)] {
                let due = number.copysign(lo).to_bits();
                let found = outcome(&program, lo, hi, true);
                assert!(
                    matches!(found, Ok(Outcome::Constant(bits)) if bits == due),
                    "{number} {lo}"
                );
            }
            // If the input has both signs, or an end of its range is zero, the sign is not known.
            for (lo, hi) in [(-1.0, 1.0), (-1.0, -0.0), (0.0, 1.0)] {
                let found = outcome(&program, lo, hi, true);
                assert!(!matches!(found, Ok(Outcome::Constant(_))), "{number} {lo}");
            }
        }
    }
}
