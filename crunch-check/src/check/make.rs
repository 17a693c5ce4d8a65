//! How classes are made of cells.

use super::Check;
use super::class::{Class, Cut, Member, Rounding};
use crate::cell::Outcome;
use crate::certificate::ClassKind;
use crate::law::Law;
use crate::number::{Coarse, Fine, double_above, double_below, exact, power as two};
use crate::residual::{Kind, Line, Node, expo, ulp};

impl Check<'_> {
    /// The class of these cells. The kernel must be one line on all of them.
    pub(super) fn class(
        &self,
        cells: &[(f64, f64)],
        kind: ClassKind,
        constants: bool,
    ) -> Result<Class, String> {
        let mut made: Option<Class> = None;
        let mut key = String::new();
        for &(lo, hi) in cells {
            let place = || format!("{lo:e} to {hi:e}");
            let line = match self.outcome(lo, hi, constants) {
                Ok(Outcome::Line(line)) => line,
                Ok(Outcome::Constant(_) | Outcome::Words(_)) => {
                    return Err(format!("on {} the kernel is a constant", place()));
                }
                Ok(Outcome::Varies(site) | Outcome::Bends(_, site)) => {
                    return Err(format!(
                        "on {} the kernel is more than one line: the value of its instruction {site} varies",
                        place()
                    ));
                }
                Err(stop) => return Err(format!("on {}: {stop:?}", place())),
            };
            let Cut {
                core,
                input,
                member,
                d,
            } = match kind {
                ClassKind::Plain if cells.len() == 1 => self.plain(&line, lo, hi)?,
                ClassKind::Plain => return Err("a plain class of more than one cell".into()),
                ClassKind::Reduced | ClassKind::Scaled => self.of_many(kind, &line, lo, hi)?,
            };
            match &mut made {
                None => {
                    key = core.key();
                    let mut class = Class::new(core, input, &d, false);
                    class.add(member, input.grid, &d);
                    made = Some(class);
                }
                Some(class) => {
                    if core.key() != key {
                        return Err(format!("on {} the kernel is another line", place()));
                    }
                    class.add(member, input.grid, &d);
                }
            }
        }
        made.ok_or_else(|| "it has no cells".into())
    }

    /// A class's line, from one of its cells.
    pub(super) fn example(&self, kind: ClassKind, lo: f64, hi: f64) -> Result<Cut, String> {
        match self.outcome(lo, hi, true) {
            Ok(Outcome::Line(line)) => self.of_many(kind, &line, lo, hi),
            _ => Err(format!("on {lo:e} to {hi:e} the kernel is no line")),
        }
    }

    /// A cell of a class that may have many cells.
    fn of_many(&self, kind: ClassKind, line: &Line, lo: f64, hi: f64) -> Result<Cut, String> {
        let (cut, what) = match kind {
            ClassKind::Scaled => (
                self.copy(line, lo, hi),
                "the kernel is no scaled copy of its first binades",
            ),
            _ => (
                self.reduced(line, lo, hi, false),
                "the argument is not reduced exactly",
            ),
        };
        cut.ok_or_else(|| format!("on {lo:e} to {hi:e} {what}"))
    }

    /// A cell of a class of a power: its line is a scaled copy of one whose inputs have exponents from 0 to less than the power's
    /// period. See [`Line::copy`].
    pub(super) fn copy(&self, line: &Line, lo: f64, hi: f64) -> Option<Cut> {
        let (numerator, period) = self.function.law()?.power()?;
        // The low word and the units of two words are not scaled.
        if self.certificate.low.is_some() || self.certificate.words {
            return None;
        }
        let e = expo(lo);
        if lo == 0.0 || hi == 0.0 || expo(hi) != e {
            return None;
        }
        let by = e.div_euclid(period) * period;
        // The function is scaled as well, or errors are not the same in units in the last place.
        let scale = by / period * numerator;
        let same = line.copy(by).filter(|copy| copy.1 == scale);
        let core = (same.map(|copy| copy.0)).or_else(|| line.copy_to(by, scale))?;
        let input = core.nodes[core.input()?];
        let member = Member {
            lo,
            hi,
            shift: Fine::zero(),
            rounding: None,
            by,
            eta: Coarse::zero(),
            scale,
            core: (input.lo, input.hi),
            grid: input.grid,
        };
        Some(Cut {
            core,
            input,
            member,
            d: Fine::zero(),
        })
    }

    /// A cell that is a class of its own: the line's input is the function's argument.
    fn plain(&self, line: &Line, lo: f64, hi: f64) -> Result<Cut, String> {
        let input = match line.input() {
            Some(i) => line.nodes[i],
            // At one input, or where only the low word matters.
            None if self.certificate.low.is_some() => Node {
                kind: Kind::Input,
                site: 0,
                lo,
                hi,
                grid: ulp(if lo.abs() < hi.abs() { lo } else { hi }),
                rounding: None,
            },
            None => return Err("a line without its input".into()),
        };
        Ok(Cut {
            core: line.clone(),
            input,
            member: Member {
                lo,
                hi,
                shift: Fine::zero(),
                rounding: None,
                by: 0,
                eta: Coarse::zero(),
                scale: 0,
                core: (lo, hi),
                grid: input.grid,
            },
            d: Fine::zero(),
        })
    }

    /// A cell of a class of `b^x`: see [`Line::reduced`].
    pub(super) fn reduced(&self, line: &Line, lo: f64, hi: f64, rounded: bool) -> Option<Cut> {
        let law = self.function.law()?;
        // A result in two words is not rounded last, and its factor is that of both.
        if !matches!(law, Law::Exp | Law::Exp2 | Law::Exp10) || self.certificate.words {
            return None;
        }
        let reduced = line.reduced(rounded)?;
        // b^x = 2^s b^r e^(-shift ln b - s ln 2)
        let ln2 = self.ln2.as_ref()?;
        let scale = Fine::double(f64::from(reduced.scale));
        let base = match law {
            Law::Exp2 => ln2.clone(),
            Law::Exp10 => self.ln10.clone()?,
            _ => Fine::double(1.0),
        };
        let power = match law {
            Law::Exp2 => reduced.shift.add(&scale).mul(ln2),
            _ => reduced.shift.mul(&base).add(&ln2.mul(&scale)),
        };
        let apart = power.neg();
        let rounding = reduced.half.map(|half| Rounding {
            half,
            apart: apart.clone(),
            base,
        });
        let d = rounding.as_ref().map_or(apart, |r| r.offset(r.half));
        let shift = match reduced.half {
            Some(half) => reduced.shift.add(&Fine::symmetric(two(half))),
            None => reduced.shift,
        };
        if d.magnitude() > exact(1.0) {
            return None;
        }
        let core = (
            double_below(&(exact(lo) + shift.lo.clone())),
            double_above(&(exact(hi) + shift.hi.clone())),
        );
        let member = Member {
            lo,
            hi,
            shift,
            rounding,
            by: 0,
            eta: Coarse::zero(),
            scale: reduced.scale,
            core,
            grid: reduced.input.grid,
        };
        Some(Cut {
            core: reduced.core,
            input: reduced.input,
            member,
            d,
        })
    }
}
