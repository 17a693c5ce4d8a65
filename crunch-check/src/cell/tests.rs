//! What is known of a cell, compared with what random kernels compute on its inputs: every operation, every value, every claim.

use super::{Over, Run};
use crate::ir::{Program, What};
use crate::number::{Number, exact, magnitude, power};
use crate::point::{evaluate_all, to_double, to_int};
use crate::residual::{Assumed, Kind, Node, grid};

/// Pseudorandom words: a linear congruential generator.
struct Words(u64);

impl Words {
    fn next(&mut self) -> u64 {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        self.0 ^ self.0 >> 29
    }

    fn below(&mut self, n: u64) -> u64 {
        (self.next() >> 8) % n
    }

    fn of<T: Copy>(&mut self, all: &[T]) -> T {
        all[self.below(all.len() as u64) as usize]
    }
}

const F64S: [f64; 20] = [
    0.0,
    -0.0,
    1.0,
    -1.0,
    0.5,
    2.0,
    3.0,
    -0.7,
    1.442_695_040_888_963_4,
    6_755_399_441_055_744.0,
    1e-310,
    5e-324,
    -3e-300,
    2.225_073_858_507_201_4e-308,
    1e300,
    f64::MAX,
    f64::INFINITY,
    0.000_000_1,
    7_205_759_403_792_794.0,
    1_125_899_906_842_624.5,
];
const F32S: [f32; 5] = [0.0, -0.0, 1.5, -3.25, 1e-40];
const INTS: [i64; 14] = [
    0,
    1,
    -1,
    2,
    7,
    -8,
    52,
    1023,
    1 << 52,
    -(1 << 52),
    0x7fde_6238_502c_e8c3,
    i64::MAX,
    i64::MIN,
    0x000f_ffff_ffff_ffff,
];

/// The text of a kernel of random operations.
fn kernel(random: &mut Words) -> String {
    let tables = [
        (
            "f64",
            vec![1.5f64.to_bits(), (-2.25f64).to_bits(), 1.75f64.to_bits()],
        ),
        ("f64", vec![0, 1 << 63, 1 << 63, 0]),
        ("i64", vec![3, 5, u64::MAX, 1 << 40, 9]),
    ];
    let mut text = String::from("doublecrunch ir 1\n");
    for (i, (ty, bits)) in tables.iter().enumerate() {
        text += &format!("table t{i}: {ty}[{}]\n", bits.len());
        bits.iter().for_each(|b| text += &format!("  {b:#x}\n"));
    }
    text += "fn f0\n  %0: f64 = param\n";
    let mut types = vec!["f64"];
    let mut last = 0;
    let steps = 4 + random.below(14);
    while (types.len() as u64) < steps {
        // The newest values twice as often: chains, not bushes.
        let mut one = |types: &[&str], ty: &str| {
            let all: Vec<usize> = (0..types.len()).filter(|&i| types[i] == ty).collect();
            let n = all.len().checked_sub(1)? as u64;
            let at = if random.below(2) == 0 {
                n
            } else {
                random.below(n + 1)
            };
            Some(all[at as usize])
        };
        let picks = |one: &mut dyn FnMut(&[&str], &str) -> Option<usize>, ty: &[&str]| {
            ty.iter()
                .map(|t| one(&types, t))
                .collect::<Option<Vec<_>>>()
        };
        let f = ["f64"; 3];
        let args = [
            picks(&mut one, &f[..1]),
            picks(&mut one, &f[..2]),
            picks(&mut one, &f[..3]),
            picks(&mut one, &["i64"]),
            picks(&mut one, &["i64", "i64"]),
            picks(&mut one, &["i32", "i32"]),
            picks(&mut one, &["mask", "mask"]),
            picks(&mut one, &["mask", "f64", "f64"]),
            picks(&mut one, &["mask", "i64", "i64"]),
            picks(&mut one, &["f32"]),
        ];
        let compare = ["lt", "le", "gt", "ge", "eq", "ne"];
        let integer = [
            "add",
            "sub",
            "mul",
            "min",
            "max",
            "and",
            "or",
            "xor",
            "shl",
            "shr",
            "shr_logical",
        ];
        let (ty, name, of) = match random.below(34) {
            0..=3 => {
                let c = match random.below(3) {
                    0 => (1.0 + random.below(1 << 20) as f64 / f64::from(1 << 20)).to_bits(),
                    _ => random.of(&F64S).to_bits(),
                };
                ("f64", format!("const {c:#x}"), Some(vec![]))
            }
            4..=6 => (
                "i64",
                format!("const {:#x}", random.of(&INTS)),
                Some(vec![]),
            ),
            7..=13 => (
                "f64",
                random
                    .of(&["add", "sub", "mul", "div", "add", "mul"])
                    .into(),
                args[1].clone(),
            ),
            14 | 15 => ("f64", "fma".into(), args[2].clone()),
            16 => (
                "f64",
                random.of(&["sqrt", "recip", "neg", "abs"]).into(),
                args[0].clone(),
            ),
            17 => (
                "f64",
                random.of(&["copy_sign", "min", "max"]).into(),
                args[1].clone(),
            ),
            18 => (
                "f64",
                random
                    .of(&["floor", "ceil", "trunc", "round_ties_even"])
                    .into(),
                args[0].clone(),
            ),
            19 | 20 => ("i64", "to_bits".into(), args[0].clone()),
            21 | 22 => (
                "f64",
                random.of(&["from_bits", "from_bits", "to_f64"]).into(),
                args[3].clone(),
            ),
            23 | 24 => ("i64", random.of(&integer).into(), args[4].clone()),
            25 => ("i64", random.of(&["neg", "not"]).into(), args[3].clone()),
            26 => match random.below(4) {
                0 => ("i32", "to_i32".into(), args[random.of(&[0, 3])].clone()),
                1 => ("i64", "to_i64".into(), args[0].clone()),
                2 => ("f32", "to_f32".into(), args[0].clone()),
                _ => ("f64", "to_f64".into(), args[9].clone()),
            },
            27 => ("i32", random.of(&integer).into(), args[5].clone()),
            28 => match random.below(3) {
                0 => (
                    "mask",
                    random.of(&["is_nan", "is_sign_negative"]).into(),
                    args[0].clone(),
                ),
                _ => (
                    "mask",
                    random.of(&compare).into(),
                    args[random.of(&[1, 4, 5])].clone(),
                ),
            },
            29 => (
                "mask",
                random.of(&["and", "or", "xor"]).into(),
                args[6].clone(),
            ),
            30 => ("f64", "select".into(), args[7].clone()),
            31 => ("i64", "select".into(), args[8].clone()),
            32 => match random.below(3) {
                0 => (
                    "f32",
                    format!("const {:#x}", random.of(&F32S).to_bits()),
                    Some(vec![]),
                ),
                _ => ("i64", "load t2".into(), args[3].clone()),
            },
            _ => ("f64", format!("load t{}", random.below(2)), args[3].clone()),
        };
        let Some(of) = of else { continue };
        let of: Vec<String> = of.iter().map(|a| format!("%{a}")).collect();
        // A name of two words ends before its operands without a comma.
        let line = format!("{name} {}", of.join(", "));
        text += &format!("  %{}: {ty} = {}\n", types.len(), line.trim_end());
        if ty == "f64" {
            last = types.len();
        }
        types.push(ty);
    }
    text + &format!("  return %{last}\n")
}

/// A cell: of one sign, within a binade or over many, some at the ends of the format.
fn cell(random: &mut Words) -> (f64, f64) {
    let field = match random.below(6) {
        0 => random.below(3),
        1 => 2045 + random.below(2),
        _ => 1023 - 60 + random.below(120),
    };
    let bits = field << 52 | random.next() >> 12;
    let bits = if random.below(8) == 0 {
        bits >> 52 << 52
    } else {
        bits
    };
    let apart = (random.next() >> 11) >> (1 + random.below(52));
    let far = (bits + apart).min(f64::MAX.to_bits());
    let (a, b) = (f64::from_bits(bits), f64::from_bits(far));
    if random.below(3) == 0 {
        (-b, -a)
    } else {
        (a, b)
    }
}

fn place(x: f64) -> i64 {
    let bits = x.to_bits() as i64;
    if bits < 0 { i64::MIN - bits - 1 } else { bits }
}

/// Exact sums and products of doubles.
fn sum(a: &Number, b: &Number) -> Number {
    (dashu_float::FBig::<dashu_float::round::mode::Down, 2>::from_repr(
        a.clone(),
        dashu_float::Context::new(0),
    ) + dashu_float::FBig::from_repr(b.clone(), dashu_float::Context::new(0)))
    .into_repr()
}

fn product(a: &Number, b: &Number) -> Number {
    Number::new(
        a.significand() * b.significand(),
        a.exponent() + b.exponent(),
    )
}

/// Whether an operation's computed value is what is claimed of its rounding.
fn rounded_as_claimed(node: &Node, values: &[f64], v: f64) -> bool {
    let at = |i: usize| exact(values[i]);
    let minus = |x: &Number| -x.clone();
    // The residual, and what it is a multiple of: of a quotient the divisor, of a root nearly twice the root.
    let (residual, of) = match node.kind {
        Kind::Input | Kind::Const(_) | Kind::Neg(_) => return node.rounding.is_none(),
        Kind::Add(a, b) => (sum(&sum(&at(a), &at(b)), &minus(&exact(v))), exact(1.0)),
        Kind::Sub(a, b) => (
            sum(&sum(&at(a), &minus(&at(b))), &minus(&exact(v))),
            exact(1.0),
        ),
        Kind::Mul(a, b) => (sum(&product(&at(a), &at(b)), &minus(&exact(v))), exact(1.0)),
        Kind::Fma(a, b, c) => {
            let all = sum(&product(&at(a), &at(b)), &at(c));
            (sum(&all, &minus(&exact(v))), exact(1.0))
        }
        Kind::Div(a, b) => (sum(&at(a), &minus(&product(&exact(v), &at(b)))), at(b)),
        Kind::Sqrt(a) => {
            let twice = exact(v * 2.0f64);
            (sum(&at(a), &minus(&product(&exact(v), &exact(v)))), twice)
        }
    };
    match node.rounding {
        None => crate::number::zero(&residual),
        Some(rounding) => {
            let most = product(&magnitude(&of), &power(rounding.unit - 1));
            // (v + u/2)² - v² = v u + u²/4
            let slack = match node.kind {
                Kind::Sqrt(_) => power(2 * rounding.unit - 2),
                _ => Number::zero(),
            };
            magnitude(&residual) <= sum(&most, &slack)
        }
    }
}

/// Compares a kernel on a cell with its values at inputs; returns how many claims of each kind were compared.
fn compared(
    program: &Program,
    (lo, hi): (f64, f64),
    constants: bool,
    random: &mut Words,
) -> [u64; 6] {
    let mut counts = [0; 6];
    let none = Assumed::new();
    let mut run = Run::new(program, &none);
    run.builder.constants = constants;
    let Ok(values) = run.values(lo, hi) else {
        return counts;
    };
    let nodes = &run.builder.nodes;
    let (first, last) = (place(lo), place(hi));
    let mut words = Vec::new();
    for k in 0..24 {
        let at = match k {
            0 => first,
            1 => last,
            2 => first + (last - first).min(1),
            _ => first + random.below((last - first) as u64 + 1) as i64,
        };
        let x = f64::from_bits(if at < 0 {
            (i64::MIN - at - 1) as u64
        } else {
            at as u64
        });
        evaluate_all(program, program.insts.len() - 1, x.to_bits(), &mut words)
            .expect("it is known");
        // The line's own values.
        let mut computed: Vec<f64> = Vec::new();
        for node in nodes {
            let v = |i: usize| computed[i];
            computed.push(match node.kind {
                Kind::Input => x,
                Kind::Const(c) => c,
                Kind::Add(a, b) => v(a) + v(b),
                Kind::Sub(a, b) => v(a) - v(b),
                Kind::Mul(a, b) => v(a) * v(b),
                Kind::Div(a, b) => v(a) / v(b),
                Kind::Fma(a, b, c) => v(a).mul_add(v(b), v(c)),
                Kind::Sqrt(a) => v(a).sqrt(),
                Kind::Neg(a) => -v(a),
            });
        }
        let show = |site: usize, what: String| -> ! {
            panic!("instruction %{site} at {x:e} of {lo:e}..={hi:e}, constants {constants}: {what}")
        };
        for (i, node) in nodes.iter().enumerate() {
            let v = computed[i];
            if !(node.lo <= v && v <= node.hi) {
                show(
                    node.site,
                    format!("{v:e} is not in {:e}..={:e}", node.lo, node.hi),
                );
            }
            if v != 0.0 && grid(v) < node.grid {
                show(
                    node.site,
                    format!("{v:e} is no multiple of 2^{}", node.grid),
                );
            }
            if !rounded_as_claimed(node, &computed, v) {
                show(node.site, format!("{v:e} is not rounded as {node:?}"));
            }
        }
        for (site, value) in values.iter().enumerate() {
            let (ty, word) = (program.insts[site].ty, words[site]);
            let number = || to_double(ty, word);
            let (kind, holds) = match *value {
                Over::Const(bits) => (0, bits == word),
                Over::Real(i) => (1, computed[i].to_bits() == word),
                Over::Float(lo, hi) => (2, lo <= number() && number() <= hi),
                Over::Int(lo, hi) => (3, lo <= to_int(ty, word) && to_int(ty, word) <= hi),
                Over::Word(i, plus) => (
                    4,
                    (computed[i].to_bits() as i64).wrapping_add(plus) as u64 == word,
                ),
                Over::Mirror(i, c) => (
                    5,
                    c.wrapping_sub(computed[i].to_bits() as i64) as u64 == word,
                ),
                Over::Any => continue,
            };
            if !holds {
                show(
                    site,
                    format!(
                        "{word:#x} is not {value:?} ({:?})",
                        program.insts[site].what
                    ),
                );
            }
            let constant = matches!(program.insts[site].what, What::Const(_));
            counts[kind] += u64::from(!constant);
        }
    }
    counts
}

#[test]
fn what_is_known_of_a_cell_is_what_its_inputs_give() {
    let mut random = Words(1);
    let mut counts = [0; 6];
    let kernels = std::env::var("CELL_KERNELS").map_or(3000, |n| n.parse().expect("a number"));
    for _ in 0..kernels {
        let text = kernel(&mut random);
        let program = Program::parse(&text).unwrap_or_else(|e| panic!("{e}:\n{text}"));
        for constants in [false, true] {
            for _ in 0..3 {
                let cell = cell(&mut random);
                let found = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
                    compared(&program, cell, constants, &mut random)
                }));
                let found = found.unwrap_or_else(|_| panic!("of the kernel\n{text}"));
                for (count, n) in counts.iter_mut().zip(found) {
                    *count += n;
                }
            }
        }
    }
    println!("constants, lines, ranges, integers, bits, mirrored bits: {counts:?}");
    assert!(counts.iter().all(|c| *c > kernels / 30), "{counts:?}");
}
