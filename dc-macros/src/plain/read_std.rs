//! The types of the results of methods on the standard library's numbers.

use super::read::Reader;
use super::tree::{Expr, Kind};
use super::types::{Num, Var};
use proc_macro2::Ident;
use quote::format_ident;

impl Reader {
    /// `receiver.name(args)`, in whatever way it was written.
    pub(super) fn method_of_std(&mut self, receiver: Expr, name: &Ident, args: Vec<Expr>) -> Expr {
        let span = name.span();
        let of = receiver.ty;
        let text = name.to_string();
        let ty = match text.as_str() {
            "clone" | "to_owned" => return receiver,
            "into" if args.is_empty() => {
                let ty = self.types.fresh();
                let any = syn::parse_quote!(_);
                return self.make(Kind::Cast(Box::new(receiver), Box::new(any)), ty, span);
            }
            "then_some" if args.len() == 1 => {
                let value = args.into_iter().next();
                return match value {
                    Some(value) => self.some_if(Some(receiver), value),
                    None => receiver,
                };
            }
            // The comparison needs numbers of the same type.
            "total_cmp" | "cmp" => {
                self.unified(of, &args);
                self.types.num(Num::I32)
            }
            "partial_cmp" => {
                self.unified(of, &args);
                let value = self.types.num(Num::I32);
                self.types.option(value)
            }
            "classify" => self.types.num(Num::I32),
            "reverse" | "is_lt" | "is_le" | "is_gt" | "is_ge" | "is_eq" | "is_ne"
                if args.is_empty() =>
            {
                match text.as_str() {
                    "reverse" => self.types.num(Num::I32),
                    _ => self.types.num(Num::Bool),
                }
            }
            "to_bits" | "unsigned_abs" | "abs_diff" | "cast_unsigned" => {
                self.unified(of, &args);
                match self.types.get_num(of) {
                    Some(num) => self.types.num(num.unsigned()),
                    None => self.types.external(),
                }
            }
            "cast_signed" => match self.types.get_num(of) {
                Some(num) => self.types.num(num.signed()),
                None => self.types.external(),
            },
            "is_nan" | "is_finite" | "is_infinite" | "is_normal" | "is_subnormal"
            | "is_sign_negative" | "is_sign_positive" | "is_positive" | "is_negative"
            | "is_power_of_two" => self.types.num(Num::Bool),
            "is_multiple_of" | "eq" | "ne" | "lt" | "le" | "gt" | "ge" => {
                self.unified(of, &args);
                self.types.num(Num::Bool)
            }
            "count_ones" | "count_zeros" | "leading_zeros" | "trailing_zeros" | "leading_ones"
            | "trailing_ones" | "ilog2" => self.types.num(Num::U32),
            "checked_ilog2" => {
                let value = self.types.num(Num::U32);
                self.types.option(value)
            }
            "powi" => {
                let exponent = self.types.num(Num::I32);
                self.unified(exponent, &args);
                of
            }
            "mul_add" | "clamp" => {
                self.unified(of, &args);
                of
            }
            name => {
                let amount = ["shl", "shr", "rotate_left", "rotate_right", "pow"];
                let by = |s: &&str| *s == name || name.ends_with(&format!("_{s}"));
                let taken = match amount.iter().any(by) {
                    true => self.types.num(Num::U32),
                    false => self.other_sign(name, of),
                };
                self.unified(taken, &args);
                if name.starts_with("checked_") {
                    self.types.option(of)
                } else if name.starts_with("overflowing_") {
                    let over = self.types.num(Num::Bool);
                    self.types.tuple(vec![of, over])
                } else {
                    of
                }
            }
        };
        self.make(
            Kind::Method(Box::new(receiver), name.clone(), args),
            ty,
            span,
        )
    }

    fn unified(&mut self, with: Var, args: &[Expr]) {
        for arg in args {
            self.types.unify(with, arg.ty);
        }
    }

    /// The argument of methods such as `wrapping_add_signed`.
    fn other_sign(&mut self, name: &str, of: Var) -> Var {
        match self.types.get_num(of) {
            Some(num) if name.ends_with("_unsigned") => self.types.num(num.unsigned()),
            Some(num) if name.ends_with("_signed") => self.types.num(num.signed()),
            _ => of,
        }
    }

    /// `u8::try_from(x)`: whether it fits, and the number.
    pub(super) fn try_from(&mut self, to: Num, value: Expr) -> Expr {
        let span = value.span;
        let ty = self.types.num(to);
        let ty = self.types.option(ty);
        let name = format_ident!("try_into", span = span);
        self.make(Kind::Method(Box::new(value), name, Vec::new()), ty, span)
    }
}

/// Methods of the numbers themselves, which have precedence over those of traits.
const OWN: &str = " abs abs_diff abs_sub acos acosh asin asinh atan atan2 atanh cbrt ceil clamp classify copysign cos cosh \
    count_ones count_zeros div_ceil div_euclid exp exp2 exp_m1 floor fract from_bits hypot ilog ilog10 ilog2 is_finite is_infinite is_nan is_negative is_normal \
    is_positive is_power_of_two is_sign_negative is_sign_positive is_subnormal isqrt leading_ones leading_zeros ln ln_1p log log10 log2 max maximum midpoint min \
    minimum mul_add next_down next_multiple_of next_power_of_two next_up pow powf powi recip rem_euclid reverse_bits rotate_left rotate_right round \
    round_ties_even signum sin sin_cos sinh sqrt swap_bytes tan tanh to_bits to_degrees to_int_unchecked to_radians total_cmp trailing_ones trailing_zeros \
    trunc unsigned_abs cast_signed cast_unsigned is_multiple_of to_be to_le ";

/// Whether the standard library's numbers have a method with this name.
pub(super) fn is_own(name: &str) -> bool {
    let prefixes = ["wrapping_", "checked_", "overflowing_", "saturating_"];
    OWN.contains(&format!(" {name} ")) || prefixes.iter().any(|p| name.starts_with(p))
}
