//! Functions without a reference, and conditions.

use dc_runtime::builtins::{dd, plain as exact};
use dc_runtime::model::kernel_ref::KernelRef;
use kernels_gen::ir::Ty;

use super::{Compiler, Value};
use crate::tree::{Comparison, Id, Node, Plain};
use crate::{bessel, inverse, steps};

impl Compiler {
    /// The arguments of a function that takes only doubles: a remainder, where an error of an operand may change the quotient by one.
    fn doubles(&mut self, plain: Plain, args: &[Id]) -> Result<Vec<usize>, String> {
        let mut doubles = Vec::new();
        for a in args {
            let Value::Exact(x) = self.value(*a)? else {
                let all = Plain::ALL.iter();
                let name = all.filter(|p| p.1 == plain).map(|p| p.0).next();
                let name = name.unwrap_or_default();
                let only = if args.len() == 1 { "x" } else { "x, y" };
                return Err(format!(
                    "`{name}` of an expression is not supported: its arguments are variables or numbers that are doubles; let the routine take \
                     the expression's value as its argument, and compare it with {name}({only})"
                ));
            };
            doubles.push(x);
        }
        Ok(doubles)
    }

    pub(super) fn plain(&mut self, plain: Plain, args: &[Id]) -> Result<Value, String> {
        Ok(match (plain, args) {
            (Plain::Abs, [a]) => match self.value(*a)? {
                Value::Pair(v, r) => {
                    let v = self.step(KernelRef::of::<dd::dd_abs>(), &[v], &[Ty::Dd])[0];
                    Value::Pair(v, r)
                }
                Value::Exact(x) | Value::Condition(x) => Value::Exact(
                    self.step(KernelRef::of::<steps::magnitude>(), &[x], &[Ty::F64])[0],
                ),
            },
            (Plain::CopySign, [a, b]) => self.two(KernelRef::of::<steps::with_sign>(), *a, *b)?,
            (Plain::Floor | Plain::Ceil | Plain::Trunc, [a]) => {
                let (of_double, of_words) = match plain {
                    Plain::Floor => (
                        KernelRef::of::<steps::whole_below>(),
                        KernelRef::of::<steps::of_floor>(),
                    ),
                    Plain::Ceil => (
                        KernelRef::of::<steps::whole_above>(),
                        KernelRef::of::<steps::of_ceil>(),
                    ),
                    _ => (
                        KernelRef::of::<steps::whole_inside>(),
                        KernelRef::of::<steps::of_trunc>(),
                    ),
                };
                match self.value(*a)? {
                    Value::Exact(x) | Value::Condition(x) => {
                        Value::Exact(self.step(of_double, &[x], &[Ty::F64])[0])
                    }
                    Value::Pair(v, r) => self.pair_step(of_words, &[v, r]),
                }
            }
            (Plain::Round | Plain::Fmod | Plain::Remainder | Plain::LgammaSign, _) => {
                let kernel = match plain {
                    Plain::Round => KernelRef::of::<exact::round_f64>(),
                    Plain::Fmod => KernelRef::of::<exact::rem_f64>(),
                    Plain::LgammaSign => KernelRef::of::<steps::sign_of_gamma>(),
                    _ => KernelRef::of::<steps::nearest_remainder>(),
                };
                let args = self.doubles(plain, args)?;
                Value::Exact(self.step(kernel, &args, &[Ty::F64])[0])
            }
            (Plain::Max, [a, b]) => self.two(KernelRef::of::<steps::larger>(), *a, *b)?,
            (Plain::Min, [a, b]) => self.two(KernelRef::of::<steps::smaller>(), *a, *b)?,
            (Plain::ErfInv | Plain::ErfcInv, [a]) => {
                let (of_double, of_words) = match plain {
                    Plain::ErfInv => (
                        KernelRef::of::<inverse::inverse_erf>(),
                        KernelRef::of::<inverse::of_inverse_erf>(),
                    ),
                    _ => (
                        KernelRef::of::<inverse::inverse_erfc>(),
                        KernelRef::of::<inverse::of_inverse_erfc>(),
                    ),
                };
                match self.value(*a)? {
                    Value::Exact(x) | Value::Condition(x) => self.pair_step(of_double, &[x]),
                    Value::Pair(v, r) => self.pair_step(of_words, &[v, r]),
                }
            }
            (_, [_]) => {
                let kernel = match plain {
                    Plain::J0 => KernelRef::of::<bessel::bessel_j0>(),
                    Plain::J1 => KernelRef::of::<bessel::bessel_j1>(),
                    Plain::Y0 => KernelRef::of::<bessel::bessel_y0>(),
                    Plain::Y1 => KernelRef::of::<bessel::bessel_y1>(),
                    _ => unreachable!("the other functions of one argument are above"),
                };
                let args = self.doubles(plain, args)?;
                self.pair_step(kernel, &args)
            }
            _ => unreachable!("the parsers count arguments"),
        })
    }

    pub(super) fn condition(&mut self, id: Id) -> Result<usize, String> {
        let one = |compiler: &mut Self, kernel, args: &[usize]| {
            compiler.step(kernel, args, &[Ty::F64])[0]
        };
        Ok(match self.tree.node(id).clone() {
            Node::Truth(is) => self.double(f64::from(u8::from(is))),
            Node::Not(p) => {
                let p = self.condition(p)?;
                one(self, KernelRef::of::<steps::negation>(), &[p])
            }
            Node::And(p, q) => {
                let (p, q) = (self.condition(p)?, self.condition(q)?);
                one(self, KernelRef::of::<steps::both>(), &[p, q])
            }
            Node::Or(p, q) => {
                let (p, q) = (self.condition(p)?, self.condition(q)?);
                let p = one(self, KernelRef::of::<steps::negation>(), &[p]);
                let q = one(self, KernelRef::of::<steps::negation>(), &[q]);
                let neither = one(self, KernelRef::of::<steps::both>(), &[p, q]);
                one(self, KernelRef::of::<steps::negation>(), &[neither])
            }
            Node::Compare(comparison, a, b) => {
                let ((a, ra), (b, rb)) = (self.pair_of(a)?, self.pair_of(b)?);
                let order = one(self, KernelRef::of::<steps::order>(), &[a, ra, b, rb]);
                let allowed = match comparison {
                    Comparison::Less => [1.0, 0.0, 0.0, 0.0],
                    Comparison::LessOrEqual => [1.0, 1.0, 0.0, 0.0],
                    Comparison::Greater => [0.0, 0.0, 1.0, 0.0],
                    Comparison::GreaterOrEqual => [0.0, 1.0, 1.0, 0.0],
                    Comparison::Equal => [0.0, 1.0, 0.0, 0.0],
                    Comparison::NotEqual => [1.0, 0.0, 1.0, 1.0],
                }
                .map(|x| self.double(x));
                let args = [&[order][..], &allowed].concat();
                one(self, KernelRef::of::<steps::holds>(), &args)
            }
            _ => return Err("a condition is expected: a comparison, and, or, not".into()),
        })
    }
}
