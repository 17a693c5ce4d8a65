//! Values and radii, compared with MPFR: the error that a formula's reference states holds at every input, or it states nothing.

use dc_runtime::mpfr::rug::Float;
use dc_runtime::mpfr::rug::ops::{NegAssign, Pow};

use super::*;
use crate::compile::{Steps, compile};
use crate::tree::Plain;

/// The number of bits of MPFR's values: sums of doubles are exact with them.
const BITS: u32 = 2400;
/// Inputs of each formula.
const INPUTS: usize = 48;
/// The number of formulas of an ordinary test run; `CRUNCH_FORMULAS` sets another number.
const FORMULAS: u64 = 200;

fn wide(x: f64) -> Float {
    Float::with_val(BITS, x)
}

/// A double as the argument of a function that is slow with many bits. The function's value is not exact, so its radius is never 0.
fn less_wide(x: Float) -> Float {
    Float::with_val(400, x)
}

/// The value of a part in MPFR's arithmetic.
fn truth(tree: &Tree, id: Id, inputs: &[f64]) -> Float {
    let of = |id: Id| truth(tree, id, inputs);
    match tree.node(id) {
        Node::Variable(n) => wide(inputs[*n]),
        Node::Number(number) => match Float::parse(&number.text) {
            Ok(parsed) if !number.text.contains('x') => Float::with_val(BITS, parsed),
            _ => wide(number.hi) + number.lo + number.rest,
        },
        Node::Negate(a) => -of(*a),
        Node::Add(a, b) => of(*a) + of(*b),
        Node::Subtract(a, b) => of(*a) - of(*b),
        Node::Multiply(a, b) => of(*a) * of(*b),
        Node::Divide(a, b) => of(*a) / of(*b),
        Node::Power(a, n) => of(*a).pow(*n),
        Node::Call(name, args) => {
            let values: Vec<Float> = args.iter().map(|a| of(*a)).collect();
            function(name, &values)
        }
        Node::Plain(plain, args) => {
            let values: Vec<Float> = args.iter().map(|a| of(*a)).collect();
            other(*plain, &values)
        }
        node => unreachable!("expressions have no {node:?}"),
    }
}

fn function(name: &str, args: &[Float]) -> Float {
    let a = args[0].clone();
    let one = wide(1.0);
    match (name, args) {
        ("exp", _) => a.exp(),
        ("exp2", _) => a.exp2(),
        ("expm1", _) => a.exp_m1(),
        ("log", _) => a.ln(),
        ("log2", _) => a.log2(),
        ("log10", _) => a.log10(),
        ("log1p", _) => a.ln_1p(),
        ("sqrt", _) => a.sqrt(),
        ("cbrt", _) => a.cbrt(),
        ("sin", _) => a.sin(),
        ("cos", _) => a.cos(),
        ("tan", _) => a.tan(),
        ("asin", _) => a.asin(),
        ("acos", _) => a.acos(),
        ("atan", _) => a.atan(),
        ("sinh", _) => a.sinh(),
        ("cosh", _) => a.cosh(),
        ("tanh", _) => a.tanh(),
        ("asinh", _) => a.asinh(),
        ("acosh", _) => a.acosh(),
        ("atanh", _) => a.atanh(),
        ("erf", _) => a.erf(),
        ("erfc", _) => a.erfc(),
        ("lgamma", _) => a.ln_abs_gamma().0,
        ("recip", _) => one / a,
        ("rsqrt", _) => one / a.sqrt(),
        ("sigmoid", _) => {
            let below = (-a).exp();
            (below + 1u32).recip()
        }
        ("softplus", _) => {
            let small = (-a.clone().abs()).exp().ln_1p();
            a.max(&wide(0.0)) + small
        }
        ("hypot", [_, b]) => a.hypot(b),
        ("atan2", [_, b]) => a.atan2(b),
        ("pow", [_, b]) => a.pow(b),
        (name, _) => unreachable!("no formula of this test has {name}"),
    }
}

fn other(plain: Plain, args: &[Float]) -> Float {
    let a = args[0].clone();
    match (plain, args) {
        (Plain::Abs, _) => a.abs(),
        // The number, if one of both is a NaN.
        (Plain::Min, [_, b]) => a.min(b),
        (Plain::Max, [_, b]) => a.max(b),
        (Plain::CopySign, [_, b]) if b.is_nan() => wide(f64::NAN),
        (Plain::CopySign, [_, b]) => {
            let mut a = a.abs();
            if b.is_sign_negative() {
                a.neg_assign();
            }
            a
        }
        (Plain::Floor, _) => a.floor(),
        (Plain::Ceil, _) => a.ceil(),
        (Plain::Trunc, _) => a.trunc(),
        (Plain::Round, _) => a.round(),
        (Plain::Fmod, [_, b]) => a % b,
        (Plain::Remainder, [_, b]) => a.remainder(b),
        (Plain::LgammaSign, _)
            if a.is_nan() || a < 0.0 && a.is_integer() || a == f64::NEG_INFINITY =>
        {
            wide(f64::NAN)
        }
        (Plain::LgammaSign, _) => match a.ln_abs_gamma().1 {
            std::cmp::Ordering::Less => wide(-1.0),
            _ => wide(1.0),
        },
        (Plain::J0, _) => less_wide(a).j0(),
        // At both infinities the limit is zero; the sign is that of an odd function.
        (Plain::J1, _) if a.is_infinite() => a.recip(),
        (Plain::J1, _) => less_wide(a).j1(),
        (Plain::Y0, _) => less_wide(a).y0(),
        (Plain::Y1, _) => less_wide(a).y1(),
        (plain, _) => unreachable!("no formula of this test has {plain:?}"),
    }
}

/// The values that a search receives of a formula at inputs: two words, and their radius.
fn stated(steps: &Steps, columns: &[Vec<f64>]) -> Vec<[f64; 3]> {
    let bits: Vec<Vec<u64>> = columns
        .iter()
        .map(|c| c.iter().map(|x| x.to_bits()).collect())
        .collect();
    let inputs: Vec<&[u64]> = bits.iter().map(Vec::as_slice).collect();
    let mut outputs = vec![Vec::new(); 3];
    kernel::run(steps, &inputs, &mut outputs);
    (0..columns[0].len())
        .map(|i| [0, 1, 2].map(|c| f64::from_bits(outputs[c][i])))
        .collect()
}

/// The fault of the statement, if it is wrong.
fn wrong([hi, lo, r]: [f64; 3], value: &Float) -> Option<String> {
    let fault = |what: &str| {
        Some(format!(
            "{what}: {hi:?} + {lo:?} within {r:e}, not {value:.40}"
        ))
    };
    if r == f64::INFINITY {
        return None;
    }
    if hi.is_nan() {
        return match value.is_nan() {
            true => None,
            false => fault("it is defined"),
        };
    }
    if hi.is_infinite() {
        // A value that is too large for a double, or a pole.
        let large = Float::with_val(BITS, value * hi.signum()) >= f64::MAX;
        return match large {
            true => None,
            false => fault("it is not so large"),
        };
    }
    if value.is_nan() || value.is_infinite() {
        return fault("it is no number");
    }
    let apart = (Float::with_val(BITS, value - hi) - lo).abs();
    // MPFR's own roundings.
    let own = Float::with_val(BITS, value).abs() >> 2300;
    match apart - own <= r {
        true => None,
        false => fault("it is farther"),
    }
}

/// Numbers at random, the same on every machine.
struct Random(u64);

impl Random {
    fn word(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    fn below(&mut self, n: usize) -> usize {
        (self.word() % n as u64) as usize
    }

    /// An input: mostly of ordinary size, sometimes of any size, whole, next to 1, or special.
    fn input(&mut self) -> f64 {
        let low = self.word();
        let special = [
            0.0,
            -0.0,
            1.0,
            -1.0,
            0.5,
            2.0,
            5e-324,
            f64::MIN_POSITIVE,
            f64::MAX,
            -f64::MAX,
            f64::INFINITY,
            f64::NEG_INFINITY,
            f64::NAN,
            1e17,
            -0.999_999_999_999_999_9,
            709.782_712_893_384,
        ];
        match self.below(8) {
            0 => special[self.below(special.len())],
            1 => f64::from_bits(low),
            2 => (low % 41) as f64 - 20.0,
            3 => 1.0 + (low as i64 as f64) * 2f64.powi(-64 - self.below(50) as i32),
            // Exponents from -30 to 9.
            _ => {
                let field = 1023 - 30 + self.below(40) as u64;
                f64::from_bits((low & ((1 << 63) | ((1 << 52) - 1))) | (field << 52))
            }
        }
    }

    fn pick(&mut self, of: &[&str]) -> String {
        of[self.below(of.len())].into()
    }

    /// A formula of that depth.
    fn formula(&mut self, depth: usize) -> String {
        const DEFINED: &[&str] = &[
            "exp",
            "expm1",
            "log",
            "log1p",
            "sqrt",
            "sin",
            "cos",
            "tan",
            "sinh",
            "cosh",
            "tanh",
            "asinh",
            "acosh",
            "atanh",
            "asin",
            "acos",
            "atan",
            "erf",
            "erfc",
            "exp2",
            "log2",
            "log10",
            "cbrt",
            "recip",
            "rsqrt",
            "sigmoid",
            "softplus",
            "abs",
            "floor",
            "ceil",
            "trunc",
            "log_sigmoid",
            "gelu_tanh",
        ];
        const TWO: &[&str] = &["min", "max", "copysign", "hypot", "atan2", "logaddexp"];
        const OF_VARIABLES: &[&str] = &[
            "j0(x)",
            "j1(x)",
            "y0(x)",
            "y1(y)",
            "lgamma(x)",
            "lgamma_sign(y)",
            "round(x)",
            "fmod(x, y)",
            "remainder(y, x)",
            "pow(x, y)",
            "x",
            "y",
            "y",
            "x",
        ];
        const NUMBERS: &[&str] = &[
            "0.1",
            "1",
            "2",
            "3",
            "1e-9",
            "pi",
            "1e30",
            "0x1.8p-3",
            "0.333333333333333333333333333333333333",
        ];
        if depth == 0 {
            return match self.below(4) {
                0 => self.pick(NUMBERS),
                _ => self.pick(OF_VARIABLES),
            };
        }
        let a = self.formula(depth - 1);
        match self.below(10) {
            0..4 => {
                let name = self.pick(DEFINED);
                format!("{name}({a})")
            }
            4 => {
                let (name, b) = (self.pick(TWO), self.formula(depth - 1));
                format!("{name}({a}, {b})")
            }
            5 => {
                let b = self.formula(depth - 1);
                format!("lerp({a}, {b}, x)")
            }
            6 => format!("({a})^{}", self.below(7) as i32 - 2),
            // What cancels.
            7 => {
                let b = self.pick(NUMBERS);
                format!("(({a}) + {b}) - ({a})")
            }
            _ => {
                let (op, b) = (self.pick(&["+", "-", "*", "/"]), self.formula(depth - 1));
                format!("({a}) {op} ({b})")
            }
        }
    }
}

#[test]
fn radii_of_random_formulas_hold_the_values_of_mpfr() {
    let number = std::env::var("CRUNCH_FORMULAS").ok();
    let formulas = number.map_or(FORMULAS, |n| n.parse().expect("a number of formulas"));
    let (mut made, mut known, mut unknown) = (0, 0, 0);
    let mut faults = Vec::new();
    for seed in 0.. {
        if made == formulas {
            break;
        }
        let mut random = Random(seed);
        let depth = 1 + random.below(3);
        let text = random.formula(depth);
        let formula = Formula::parse(&text, 2).expect(&text);
        // A function that is not supported of an expression.
        let Ok(steps) = compile(
            &formula.tree,
            formula.root,
            Arguments::Doubles(2),
            Precision::F64,
            Form::Guarded,
        ) else {
            continue;
        };
        made += 1;
        let columns: Vec<Vec<f64>> = (0..2)
            .map(|_| (0..INPUTS).map(|_| random.input()).collect())
            .collect();
        for (i, stated) in stated(&steps, &columns).into_iter().enumerate() {
            let inputs = [columns[0][i], columns[1][i]];
            // A NaN of a NaN is right, whether the formula depends on that argument or not.
            let of_nan = stated[0].is_nan() && inputs.iter().any(|x| x.is_nan());
            if stated[2] == f64::INFINITY || of_nan {
                unknown += 1;
                continue;
            }
            known += 1;
            let value = truth(&formula.tree, formula.root, &inputs);
            if let Some(fault) = wrong(stated, &value) {
                faults.push(format!("{text} at {inputs:?}: {fault}"));
                break;
            }
        }
    }
    let first: Vec<&String> = faults.iter().take(20).collect();
    assert!(faults.is_empty(), "{} faults: {first:#?}", faults.len());
    // A radius that is always infinite would hold everything.
    assert!(known > 2 * unknown, "{known} are known, {unknown} are not");
}

/// A formula of one double, and its steps.
fn of_one(text: &str) -> (Formula, Steps) {
    let formula = Formula::parse(text, 1).expect(text);
    let steps = compile(
        &formula.tree,
        formula.root,
        Arguments::Doubles(1),
        Precision::F64,
        Form::Guarded,
    );
    (formula, steps.expect(text))
}

/// Checks the functions that this crate computes, in all of their ranges, and the width of their radius.
#[test]
fn functions_of_one_double_are_those_of_mpfr() {
    let mut random = Random(49);
    let mut xs: Vec<f64> = (0..3000).map(|_| random.input()).collect();
    for limit in [
        4.0,
        48.0,
        0.8935769662791675,
        2.404825557695773,
        3.8317059702075125,
    ] {
        for k in -40..40 {
            xs.push(limit + 1e-3 * f64::from(k));
            xs.push(limit * (1.0 + f64::from(k) * f64::EPSILON));
        }
    }
    xs.extend((0..2000).map(|k| 0.0371 * f64::from(k)));
    xs.extend((0..400).map(|k| 10f64.powf(0.05 * f64::from(k)) - 10.0));
    xs.extend((-400..400).map(|k| 0.25 * f64::from(k)));
    for (text, least) in [
        ("j0(x)", 90),
        ("j1(x)", 90),
        ("y0(x)", 85),
        ("y1(x)", 85),
        ("floor(x)", 2000),
        ("ceil(x)", 2000),
        ("trunc(x)", 2000),
        ("lgamma_sign(x)", 2000),
        ("floor(3 * x)", 2000),
        ("ceil(x / 7)", 2000),
        ("trunc(x - 0.1)", 2000),
    ] {
        let (formula, steps) = of_one(text);
        let (mut known, mut wide_ones) = (0, 0);
        let mut faults = Vec::new();
        for (x, stated) in xs.iter().zip(stated(&steps, std::slice::from_ref(&xs))) {
            let value = truth(&formula.tree, formula.root, &[*x]);
            let fault = wrong(stated, &value);
            faults.extend(fault.map(|f| format!("{text} at {x:?}: {f}")));
            let size = 1.0 / x.abs().clamp(1.0, 1e6).sqrt();
            known += u32::from(stated[2] < f64::INFINITY);
            let allowed = size * 2f64.powi(-least) + stated[0].abs() * 2f64.powi(-least) + 1e-300;
            wide_ones += u32::from(stated[2] < f64::INFINITY && stated[2] > allowed);
        }
        let all = xs.len() as u32;
        let first: Vec<&String> = faults.iter().take(5).collect();
        assert!(faults.is_empty(), "{} faults: {first:#?}", faults.len());
        // Of an expression that is a whole number, or nearly one, it is not known.
        assert!(known * 10 > all * 8, "{text}: {known} of {all}");
        assert_eq!(wide_ones, 0, "{text}: the radius is wider than documented");
    }
}

/// MPFR has no inverses of erf and erfc. So its erf and erfc must rise or fall through the argument within the radius.
#[test]
fn inverses_of_error_functions_are_those_of_mpfr() {
    let mut random = Random(50);
    let mut part = || random.word() as f64 / 2f64.powi(64);
    let mut xs: Vec<f64> = (0..400).map(|_| part()).collect();
    xs.extend((0..400).map(|_| part() * 10f64.powf(-20.0 * part())));
    xs.extend((1..60).map(|k| 1.0 - 2f64.powi(-k.min(53))));
    let signed = xs.iter().flat_map(|x| [*x, -*x]).collect::<Vec<f64>>();
    let up_to_two = xs.iter().flat_map(|x| [*x, 2.0 - *x]).collect::<Vec<f64>>();
    for (name, argument, xs, rises) in [
        ("erfinv", "x", &signed, true),
        ("erfcinv", "x", &up_to_two, false),
        // Of two words: exact ones, of a third, and next to the poles.
        ("erfinv", "x / 4", &signed, true),
        ("erfinv", "x / 3", &signed, true),
        ("erfinv", "0.99 * x", &signed, true),
        ("erfinv", "x * (1 - 1e-9)", &signed, true),
        ("erfinv", "sin(x)", &signed, true),
        ("erfcinv", "x * 0.7", &up_to_two, false),
        ("erfcinv", "x^3 / 4", &up_to_two, false),
        ("erfcinv", "exp(-300 * abs(x)) / 3", &up_to_two, false),
        ("erfcinv", "1.9 - x / 3", &xs, false),
    ] {
        let text = format!("{name}({argument})");
        let (_, steps) = of_one(&text);
        let of = Formula::parse(argument, 1).expect(argument);
        let (mut known, mut precise) = (0, 0);
        for (x, [hi, lo, r]) in xs.iter().zip(stated(&steps, std::slice::from_ref(xs))) {
            if !hi.is_finite() || r == f64::INFINITY {
                continue;
            }
            known += 1;
            precise += usize::from(r <= hi.abs() * 2f64.powi(-75));
            let there = |r: f64| {
                let y = Float::with_val(300, hi) + lo + r;
                if rises { y.erf() } else { -y.erfc() }
            };
            let a = truth(&of.tree, of.root, &[*x]);
            let a = if rises { a } else { -a };
            assert!(
                there(-r) <= a && a <= there(r),
                "{text} at {x:?}: {hi:?} + {lo:e} within {r:e}"
            );
        }
        assert!(known * 10 > xs.len() * 9, "{text}: {known} of {}", xs.len());
        assert!(
            precise * 10 > xs.len() * 8,
            "{text}: {precise} of {}",
            xs.len()
        );
    }
    // Beyond the domain it is not defined, and next to its ends not known.
    for (text, x, known) in [
        ("erfinv(x / 3)", 3.5, true),
        ("erfinv(x / 3)", 3.0, true),
        ("erfinv(x / 3 * 3)", 1.0, false),
        ("erfinv(1 + x)", 1e-20, false),
        // A radius of a tenth of the distance from 1.
        (
            "erfinv((x + 1e16 * pi) - 1e16 * pi)",
            0.999_999_999_999_9,
            false,
        ),
        ("erfcinv(x / 3)", 6.5, true),
        ("erfcinv(-x / 3)", 0.5, true),
        ("erfcinv(x / 3 - 1 / 3)", 1.0, false),
    ] {
        let (_, steps) = of_one(text);
        let [hi, _, r] = stated(&steps, &[vec![x]])[0];
        assert_eq!(r < f64::INFINITY, known, "{text} at {x}: {hi} within {r}");
        assert!(!known || !hi.is_finite(), "{text} at {x}: {hi}");
    }
}
