//! What is known of a cell, compared with what random kernels compute on its inputs: every operation, every value, every claim.

use super::{Over, Run};
use crate::ir::{Program, What};
use crate::kernels::{Words, at, cell, kernel, place};
use crate::number::{Number, exact, magnitude, power};
use crate::point::{evaluate_all, to_double, to_int};
use crate::residual::{Assumed, Kind, Node, grid};

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
        let x = at(match k {
            0 => first,
            1 => last,
            2 => first + (last - first).min(1),
            _ => first + random.below((last - first) as u64 + 1) as i64,
        });
        evaluate_all(program, program.insts.len() - 1, x.to_bits(), &mut words)
            .expect("it is known");
        // The line's own values.
        let mut computed: Vec<f64> = Vec::new();
        for node in nodes {
            computed.push(node.kind.computed(x, &computed));
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
