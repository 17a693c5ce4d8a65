//! Random kernels at random pairs. The atoms' values are computed exactly and must agree with what is known about the atoms. Every polynomial must
//! then equal the number that the kernel computes.

use super::atoms::{Known, Range};
use super::cover::{Rectangle, Side, Sign};
use super::function::Function;
use super::path::{Fact, Path, Question};
use super::poly::{Atom, Poly};
use super::value::{BINARY32, BINARY64, Before, Float, Format, Value};
use crate::ir::{Program, What};
use crate::number::{Number, double_above, double_below, exact, exponent, magnitude, on_grid};
use crate::point::{apply, of_double, operand_type, to_double};
use crate::random::Random;

/// A polynomial at given values of its atoms.
fn at(p: &Poly, atoms: &[Number]) -> Number {
    let mut sum = Number::zero();
    for (monomial, c) in p.terms() {
        let product = monomial
            .iter()
            .fold(c.clone(), |x, &a| &x * &atoms[a as usize]);
        sum = &sum + &product;
    }
    sum
}

fn power(x: &Number, n: i32) -> Number {
    (0..n).fold(exact(1.0), |product, _| &product * x)
}

/// Whether a value agrees with what is known about an atom. `scales` are the squares of the function's scales.
fn holds(known: &Known, x: &Number, scales: &[Number; 2]) -> Result<(), &'static str> {
    if *x < known.range.lo || known.range.hi < *x {
        return Err("its range");
    }
    if let Some(size) = &known.size {
        // x² <= most² s^i t^j, where a negative degree is on the other side.
        let (mut left, mut right) = (x * x, &size.most * &size.most);
        for (scale, &degree) in scales.iter().zip(&size.of) {
            left = &left * &power(scale, -degree);
            right = &right * &power(scale, degree);
        }
        if left > right {
            return Err("its size");
        }
        // The same with the lower bound.
        let mut least = &size.least * &size.least;
        for (scale, &degree) in scales.iter().zip(&size.of) {
            least = &least * &power(scale, degree);
        }
        if left < least {
            return Err("the lower bound of its size");
        }
    }
    if known.fits[0] && double_below(x) != double_above(x) {
        return Err("that it is a double");
    }
    if known.fits[1]
        && (double_below(x) != double_above(x) || exact(f64::from(double_below(x) as f32)) != *x)
    {
        return Err("that it is a number of binary32");
    }
    Ok(())
}

fn is_value(v: &Float, z: &Number) -> bool {
    let bits = exponent(z) + 1 - z.exponent() as i32;
    v.range.lo <= *z
        && *z <= v.range.hi
        && (*z == Number::zero() || bits <= v.bits && on_grid(z, v.grid) == *z)
}

/// Compares a number with what was rounded to give it. Returns whether that is known.
fn is_rounded(v: &Float, z: &Number, f: Format, atoms: &[Number]) -> bool {
    match &v.before {
        Some(Before::Real(p, range, _)) => {
            let real = at(p, atoms);
            assert!(range.lo <= real && real <= range.hi, "{v:?}");
            // A tie has two ends.
            let rounded = f.outward(&Range::of(real));
            assert!(rounded.lo <= *z && *z <= rounded.hi, "{z:?} {v:?}");
        }
        Some(Before::Near(p, error)) => {
            let distance = magnitude(&(at(p, atoms) - z));
            assert!(distance <= *error, "{z:?} {v:?}");
        }
        _ => return false,
    }
    true
}

/// Evaluates a kernel at a pair, with all atoms, along the path of the pair. Returns how many atoms and values were compared, and how many with what was
/// rounded to give them.
fn shadowed(
    program: &Program,
    function: Function,
    of: &Rectangle,
    pair: [f64; 2],
    f: Format,
    facts: &[Fact],
) -> [usize; 3] {
    let (mut path, start) = Path::new(function, of, f, facts);
    let result = path.run(program, &start.values);
    let squares = pair.map(|x| &exact(x) * &exact(x));
    let scales = match function {
        Function::Hypot => [&squares[0] + &squares[1], exact(1.0)],
        Function::Div => squares,
    };
    let mut atoms: Vec<Number> = pair.iter().map(|x| exact(x.abs())).collect();
    let mut words: Vec<u64> = Vec::new();
    let mut params = pair.iter();
    let mut compared = [0; 3];
    for (inst, (value, made)) in program.insts.iter().zip(&path.seen) {
        let args: Vec<u64> = inst.args.iter().map(|&a| words[a]).collect();
        let word = match &inst.what {
            What::Param => of_double(inst.ty, *params.next().expect("two arguments")),
            What::Const(bits) => *bits,
            What::Load(_) => unreachable!(),
            What::Op(name) => {
                apply(name, operand_type(program, inst), inst.ty, &args).expect("a value")
            }
        };
        words.push(word);
        let first = atoms.len();
        let Value::Float(Float { poly: Some(p), .. }) = value else {
            atoms.resize(*made, Number::zero());
            continue;
        };
        let Value::Float(v) = value else {
            continue;
        };
        let z = exact(to_double(inst.ty, word));
        atoms.resize(*made, Number::zero());
        let operand = |k: usize| exact(to_double(operand_type(program, inst), args[k]));
        match (&inst.what, made - first) {
            (_, 0) => {}
            (What::Op(name), _) if name == "sqrt" => {
                atoms[first] = operand(0) - &(&z * &z);
                atoms[first + 1] = z.clone();
            }
            (What::Op(name), _) if name == "div" => {
                atoms[first] = operand(0) - &(&z * &operand(1));
                atoms[first + 1] = z.clone();
            }
            (What::Op(name), _) if name == "recip" => {
                atoms[first] = exact(1.0) - &(&z * &operand(0));
                atoms[first + 1] = z.clone();
            }
            (What::Op(name), _) if name == "max" => atoms[first] = z.clone(),
            (_, n) => {
                let format = Format::of(inst.ty).expect("a number");
                let real = at(p, &atoms);
                let subnormal = magnitude(&real) < format.normal();
                let which = usize::from(n == 2 && subnormal);
                atoms[first + which] = &z - &real;
            }
        }
        for a in first..*made {
            let known = path.atoms.get(a as Atom);
            if let Err(what) = holds(known, &atoms[a], &scales) {
                panic!(
                    "{what} is wrong of atom {a} at {pair:?}: {:?}, {known:?}\n{program:?}",
                    atoms[a]
                );
            }
            if let Some((product, poly)) = &known.equation {
                let mut left = Poly::default();
                left.plus(product.clone(), exact(1.0));
                assert_eq!(at(&left, &atoms), at(poly, &atoms), "{pair:?} {program:?}");
            }
            compared[0] += 1;
        }
        assert_eq!(at(p, &atoms), z, "{pair:?} {inst:?} {program:?}");
        assert!(is_value(v, &z), "{pair:?} {z:?} {v:?} {program:?}");
        compared[1] += 1;
        let format = Format::of(inst.ty).expect("a number");
        compared[2] += usize::from(is_rounded(v, &z, format, &atoms));
    }
    if let (Function::Hypot, Some(length)) = (function, &path.atoms.length) {
        let least = &length.lo * &length.lo;
        assert!(least <= scales[0] && scales[0] <= &length.hi * &length.hi);
    }
    match result {
        Ok(_) => compared,
        // The answer at this pair.
        Err(Question::Sign(p)) if facts.len() < 6 => {
            let x = at(&p, &atoms);
            let sign = i32::from(x > Number::zero()) - i32::from(x < Number::zero());
            let facts = [facts, &[(Question::Sign(p), sign)][..]].concat();
            shadowed(program, function, of, pair, f, &facts)
        }
        Err(_) => [0; 3],
    }
}

/// A random kernel, in one format, or in binary64 with arguments in binary32.
fn kernel(mixed: &mut Random, f: Format) -> String {
    let wide = f == BINARY32 && mixed.below(2) == 0;
    let outer = if f == BINARY32 { "f32" } else { "f64" };
    let inner = if wide { "f64" } else { outer };
    let mut lines = vec![format!("{outer} = param"), format!("{outer} = param")];
    let mut operands = vec![0, 1];
    if wide {
        lines.extend(["f64 = to_f64 %0".to_string(), "f64 = to_f64 %1".to_string()]);
        operands = vec![2, 3];
    }
    for _ in 0..4 + mixed.below(8) {
        // Most often one of the last.
        let mut any = || {
            let n = operands.len() as u64;
            let i = mixed.below(n).max(mixed.below(n));
            format!("%{}", operands[i as usize])
        };
        let (a, b, c) = (any(), any(), any());
        let limit = crate::number::power_double(mixed.below(40) as i32 - 20);
        let limit = if inner == "f32" {
            format!("{:#x}", (limit as f32).to_bits())
        } else {
            format!("{:#x}", limit.to_bits())
        };
        let op = match mixed.below(16) {
            0..=2 => format!("mul {a}, {b}"),
            3 => format!("mul {a}, {a}"),
            4 | 5 => format!("add {a}, {b}"),
            6 => format!("sub {a}, {b}"),
            7 => format!("fma {a}, {b}, {c}"),
            8 => format!("neg {a}"),
            9 => format!("div {a}, {b}"),
            10 => format!("recip {a}"),
            12 => format!("max {a}, {b}"),
            // A power of two, a term that is taken away again, or a fact of the path.
            n @ 13..=15 => {
                let k = lines.len();
                lines.push(format!("{inner} = const {limit}"));
                if n == 14 {
                    lines.push(format!("{inner} = add {a}, %{k}"));
                    operands.push(k + 1);
                    format!("sub %{}, %{k}", k + 1)
                } else if n == 15 {
                    lines.push(format!("{inner} = sqrt {a}"));
                    lines.push(format!("mask = le %{}, %{k}", k + 1));
                    operands.push(k + 1);
                    format!("select %{}, %{k}, %{}", k + 2, k + 1)
                } else {
                    format!("mul {a}, %{k}")
                }
            }
            _ => format!("sqrt {a}"),
        };
        operands.push(lines.len());
        lines.push(format!("{inner} = {op}"));
    }
    // two_sum of the last two.
    let [a, b] = [operands[operands.len() - 2], operands[operands.len() - 1]];
    let s = lines.len();
    for op in [
        format!("add %{a}, %{b}"),
        format!("sub %{s}, %{a}"),
        format!("sub %{s}, %{}", s + 1),
        format!("sub %{a}, %{}", s + 2),
        format!("sub %{b}, %{}", s + 1),
        format!("add %{}, %{}", s + 3, s + 4),
        format!("mul %{}, %{s}", s + 5),
    ] {
        lines.push(format!("{inner} = {op}"));
    }
    if wide {
        lines.push(format!("f32 = to_f32 %{s}"));
    }
    let body = lines.iter().enumerate();
    let body: String = body.map(|(i, l)| format!("  %{i}: {l}\n")).collect();
    format!(
        "doublecrunch ir 1\nfn f0\n{body}  return %{}\n",
        lines.len() - 1
    )
}

fn side(mixed: &mut Random, f: Format) -> Side {
    let half = (f.end - f.precision) / 2;
    let spread = match mixed.below(3) {
        0 => 3,
        1 => half as u64,
        // Also subnormal results, and those that overflow.
        _ => 2 * half as u64,
    };
    let e = mixed.below(2 * spread) as i32 - spread as i32;
    let lo = f64::from(mixed.below(1 << 23) as u32 + (1 << 23))
        * crate::number::power_double(e.max(f.least + 30) - 23);
    let most = if f == BINARY32 {
        f64::from(f32::MAX)
    } else {
        f64::MAX
    };
    let hi = (lo * crate::number::power_double(mixed.below(4) as i32)).min(most);
    let sign = if mixed.below(2) == 0 {
        Sign::Plus
    } else {
        Sign::Minus
    };
    Side {
        sign,
        lo,
        hi: hi.max(lo),
    }
}

#[test]
fn polynomials_are_the_numbers_that_are_computed() {
    let mut mixed = Random(47);
    let mut all = [0; 3];
    for k in 0..400 {
        let f = if k % 3 == 0 { BINARY64 } else { BINARY32 };
        let text = kernel(&mut mixed, f);
        let program = Program::parse_pair(&text).unwrap_or_else(|e| panic!("{e}: {text}"));
        let of = Rectangle {
            sides: [side(&mut mixed, f), side(&mut mixed, f)],
        };
        for side in of.sides {
            side.checked(f).unwrap_or_else(|e| panic!("{e}"));
        }
        for function in [Function::Hypot, Function::Div] {
            for _ in 0..3 {
                let pair = mixed.pair(&of, f);
                let compared = shadowed(&program, function, &of, pair, f, &[]);
                all = [0, 1, 2].map(|i| all[i] + compared[i]);
            }
        }
    }
    println!("{} atoms, {} values, {} rounded", all[0], all[1], all[2]);
    assert!(
        all[0] > 4_000 && all[1] > 8_000 && all[2] > 1_000,
        "{all:?}"
    );
}
