//! Calls of functions: of doubles by their reference, of two words by steps, and otherwise by their definitions.

use dc_runtime::builtins::reference::Reference as Known;
use dc_runtime::model::candidate::Reference;
use dc_runtime::model::kernel_ref::KernelRef;
use dc_runtime::model::key::Precision;
use dc_runtime::model::space::InputSpace;
use kernels_gen::ir::Ty;

use super::{Compiler, Value};
use crate::tree::Id;
use crate::{infix, steps};

/// Definitions, by other functions, for arguments that are not an argument of the formula and not a double.
const DEFINITIONS: &[(&str, &str)] = &[
    ("exp2", "exp(a * log(2))"),
    ("exp10", "exp(a * log(10))"),
    ("exp2m1", "expm1(a * log(2))"),
    ("exp10m1", "expm1(a * log(10))"),
    ("log2", "log(a) / log(2)"),
    ("log10", "log(a) / log(10)"),
    ("log2p1", "log1p(a) / log(2)"),
    ("log10p1", "log1p(a) / log(10)"),
    ("sinpi", "sin(pi * a)"),
    ("cospi", "cos(pi * a)"),
    ("tanpi", "tan(pi * a)"),
    ("cosh", "(exp(a) + exp(-a)) / 2"),
    (
        "asinh",
        "copysign(log1p(abs(a) + a^2 / (1 + sqrt(a^2 + 1))), a)",
    ),
    ("acosh", "log1p((a - 1) + sqrt((a - 1) * (a + 1)))"),
    ("atanh", "log1p(2 * a / (1 - a)) / 2"),
    ("asin", "atan(a / sqrt((1 - a) * (1 + a)))"),
    ("acos", "2 * atan(sqrt((1 - a) / (1 + a)))"),
    ("asinpi", "asin(a) / pi"),
    ("acospi", "acos(a) / pi"),
    ("atanpi", "atan(a) / pi"),
    ("cbrt", "copysign(exp(log(abs(a)) / 3), a)"),
    ("recip", "1 / a"),
    ("rsqrt", "1 / sqrt(a)"),
    ("sigmoid", "1 / (1 + exp(-a))"),
    ("logit", "log1p((2 * a - 1) / (1 - a))"),
    ("softplus", "max(a, 0) + log1p(exp(-abs(a)))"),
    ("silu", "a / (1 + exp(-a))"),
    ("gelu", "a * erfc(-a / sqrt(2)) / 2"),
    ("mish", "a * tanh(softplus(a))"),
    ("powr", "exp(b * log(a))"),
    ("hypot", "sqrt(a^2 + b^2)"),
    ("atan2", "2 * atan(a / (sqrt(a^2 + b^2) + b))"),
    ("div", "a / b"),
];

/// Functions whose reference gives 0 if the value is too small for a double.
const VANISHING: &[&str] = &[
    "exp", "exp2", "exp10", "erfc", "sigmoid", "softplus", "silu", "gelu", "mish", "tgamma", "pow",
    "powr", "div",
];

impl Compiler {
    pub(super) fn call(&mut self, name: &'static str, args: &[Id]) -> Result<Value, String> {
        if let [a, n] = args
            && name == "pow"
            && let Some(n) = self.tree.whole(*n)
            && n.abs() <= f64::from(infix::POWER)
            && !matches!(self.value(*a)?, Value::Exact(_))
        {
            let product = self.powers(*a, n as i32);
            return self.value(product);
        }
        let values: Vec<Value> = args
            .iter()
            .map(|a| self.value(*a))
            .collect::<Result<_, _>>()?;
        let exact: Option<Vec<usize>> = values
            .iter()
            .map(|v| match v {
                Value::Exact(x) => Some(*x),
                _ => None,
            })
            .collect();
        match exact {
            Some(exact) => Ok(self.reference(name, &exact)),
            None => self.of_words(name, args, &values),
        }
    }

    /// A function's reference, for doubles without errors.
    fn reference(&mut self, name: &'static str, args: &[usize]) -> Value {
        let space = match args.len() {
            1 => InputSpace::Numbers(Precision::F64),
            _ => InputSpace::pairs(Precision::F64),
        };
        let Some(Reference::Kernel(kernel)) = dc_references::reference(name, space) else {
            unreachable!("every function has a reference in binary64")
        };
        let bits = Known::by_name(name)
            .ok()
            .and_then(|r| r.binary64)
            .map_or(90, |tier| tier.bits);
        let v = self.step(kernel, args, &[Ty::Dd])[0];
        let unit = self.double(2f64.powi(-(bits as i32)));
        let floor = if VANISHING.contains(&name) {
            2f64.powi(-1021)
        } else {
            0.0
        };
        let floor = self.double(floor);
        let r = match (name, args) {
            ("lgamma", [x]) => self.step(
                KernelRef::of::<steps::of_exact_lgamma>(),
                &[v, *x],
                &[Ty::F64],
            ),
            (_, [x, y]) => self.step(
                KernelRef::of::<steps::of_exact_two>(),
                &[v, unit, floor, *x, *y],
                &[Ty::F64],
            ),
            _ => self.step(
                KernelRef::of::<steps::of_exact>(),
                &[v, unit, floor, args[0]],
                &[Ty::F64],
            ),
        };
        Value::Pair(v, r[0])
    }

    /// A function of an argument that is not a double.
    fn of_words(
        &mut self,
        name: &'static str,
        args: &[Id],
        values: &[Value],
    ) -> Result<Value, String> {
        let kernel = match name {
            "exp" => KernelRef::of::<steps::of_exp>(),
            "expm1" => KernelRef::of::<steps::of_expm1>(),
            "log" => KernelRef::of::<steps::of_log>(),
            "log1p" => KernelRef::of::<steps::of_log1p>(),
            "sqrt" => KernelRef::of::<steps::of_sqrt>(),
            "sin" => KernelRef::of::<steps::of_sin>(),
            "cos" => KernelRef::of::<steps::of_cos>(),
            "tan" => KernelRef::of::<steps::of_tan>(),
            "sinh" => KernelRef::of::<steps::of_sinh>(),
            "tanh" => KernelRef::of::<steps::of_tanh>(),
            "atan" => KernelRef::of::<steps::of_atan>(),
            "erf" => KernelRef::of::<steps::of_erf>(),
            "erfc" => KernelRef::of::<steps::of_erfc>(),
            _ => return self.by_definition(name, args, values),
        };
        let (a, ra) = self.pair(values[0]);
        Ok(self.pair_step(kernel, &[a, ra]))
    }

    fn by_definition(
        &mut self,
        name: &'static str,
        args: &[Id],
        values: &[Value],
    ) -> Result<Value, String> {
        let of = if name == "pow" { "powr" } else { name };
        let Some((_, text)) = DEFINITIONS.iter().find(|d| d.0 == of) else {
            return Err(format!(
                "`{name}` of an expression is not supported: its argument is a variable or a number that is a double"
            ));
        };
        let names: Vec<(&str, Id)> = ["a", "b"].into_iter().zip(args.iter().copied()).collect();
        let root = infix::parse(text, &names, &mut self.tree)
            .map_err(|e| format!("the definition of {name}: {e}"))?;
        // Definitions are written so that they lose no words.
        let before = std::mem::replace(&mut self.defining, true);
        let value = self.value(root);
        self.defining = before;
        let (v, r) = self.pair(value?);
        let (a, ra) = self.pair(values[0]);
        let (b, _) = self.pair(*values.last().unwrap_or(&values[0]));
        let unless = match name {
            "atan2" => KernelRef::of::<steps::unless_undefined>(),
            _ => KernelRef::of::<steps::unless_limit>(),
        };
        let r = self.step(unless, &[v, r, a, b], &[Ty::F64])[0];
        match name {
            "pow" => {}
            "acosh" => {
                return Ok(self.pair_step(KernelRef::of::<steps::from_one>(), &[v, r, a, ra]));
            }
            _ => return Ok(Value::Pair(v, r)),
        }
        let r = self.step(
            KernelRef::of::<steps::unless_negative>(),
            &[r, a, ra],
            &[Ty::F64],
        );
        Ok(Value::Pair(v, r[0]))
    }
}
