//! What is known of a cell, compared with what random kernels compute on its inputs: every operation, every value, every claim.

use super::{Over, Run};
use crate::halves::halves;
use crate::ir::{Inst, Program, Table, What};
use crate::kernels::{Words, at, cell, kernel, place};
use crate::number::{Number, exact, magnitude, power};
use crate::point::{apply, evaluate_all, load, of_double, to_double, to_int};
use crate::residual::{Assumed, Kind, Node, grid};
use crate::typing::{Type, arity};

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
        // These kernels have one argument and one result.
        Kind::Low(_) | Kind::Sum(..) => return false,
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
) -> [u64; 8] {
    let mut counts = [0; 8];
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
        evaluate_all(program, program.insts.len() - 1, &[x.to_bits()], &mut words)
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
                Over::Part(part) => (
                    6,
                    part.at(computed[part.of].to_bits() as i64) == i128::from(to_int(ty, word)),
                ),
                Over::Low(i, n, exact) => {
                    let low = (1u64 << n) - 1;
                    let bits = computed[i].to_bits() & low;
                    (7, bits == word & low && (!exact || bits == word))
                }
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
    known_is_what_inputs_give(1);
}

#[test]
fn what_is_known_of_a_cell_is_what_its_inputs_give_2() {
    known_is_what_inputs_give(2);
}

/// Half of the random kernels, `CELL_KERNELS` in all.
fn known_is_what_inputs_give(part: u64) {
    let mut random = Words(part);
    let mut counts = [0; 8];
    let all = std::env::var("CELL_KERNELS").map_or(3000, |n| n.parse().expect("a number"));
    let kernels: u64 = all / 2;
    for n in 0..2 * kernels {
        let text = match n % 2 {
            0 => kernel(&mut random),
            _ => halves(&mut random),
        };
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
    println!(
        "constants, lines, ranges, integers, bits, mirrored bits, parts, lower parts: {counts:?}"
    );
    assert!(counts.iter().all(|c| *c > kernels / 30), "{counts:?}");
}

/// A number of a type: of one of those where something changes, or next to it.
fn number(ty: Type, random: &mut Words) -> f64 {
    let infinity = f64::INFINITY;
    let x = random.of(&[
        0.0,
        -0.0,
        1.0,
        -1.0,
        1.5,
        2.5,
        -0.5,
        1e-40,
        5e-324,
        4503599627370497.5,
        2147483648.0,
        2147483647.0,
        9.3e18,
        3e38,
        f64::MAX,
        infinity,
    ]);
    let x = if random.below(2) == 0 { -x } else { x };
    match (ty, random.below(3)) {
        (Type::F32, _) => f64::from(x as f32),
        (_, 0) if x.is_finite() => at(place(x) + random.below(3) as i64 - 1),
        _ => x,
    }
}

fn integer(ty: Type, random: &mut Words) -> i64 {
    let x = match random.below(3) {
        0 => (random.next() as i64) >> random.below(64),
        _ => random.of(&[
            0,
            1,
            -1,
            3,
            31,
            32,
            63,
            1023 << 52,
            0x7ff << 52,
            i64::MAX,
            i64::MIN,
            i32::MAX.into(),
            i32::MIN.into(),
        ]),
    };
    if ty == Type::I32 {
        (x as i32).into()
    } else {
        x
    }
}

/// What may be known of a value of a type, without a line.
fn known(ty: Type, random: &mut Words) -> Over {
    let kind = random.below(8);
    match ty {
        _ if kind == 0 => Over::Any,
        Type::Mask => Over::Const(random.below(2)),
        Type::F64 | Type::F32 => {
            let (a, b) = (number(ty, random), number(ty, random));
            let nan = kind == 1 && random.below(3) == 0;
            match kind {
                1 if nan => Over::Const(of_double(ty, f64::NAN)),
                1 | 2 => Over::Const(of_double(ty, a)),
                _ => Over::Float(crate::number::lesser(a, b), crate::number::greater(a, b)),
            }
        }
        Type::I64 | Type::I32 => {
            let a = integer(ty, random);
            let b = match random.below(2) {
                0 => integer(ty, random),
                _ => super::full(ty)
                    .1
                    .min(a.saturating_add(random.below(20) as i64)),
            };
            let word = if ty == Type::I32 {
                u64::from(a as u32)
            } else {
                a as u64
            };
            if kind <= 2 || a == b {
                Over::Const(word)
            } else {
                Over::Int(a.min(b), a.max(b))
            }
        }
    }
}

/// A value of which that is known: an end, a zero, or one between.
fn member(of: Over, ty: Type, random: &mut Words) -> u64 {
    let word = |x: i64| {
        if ty == Type::I32 {
            u64::from(x as u32)
        } else {
            x as u64
        }
    };
    match of {
        Over::Const(bits) => bits,
        Over::Float(lo, hi) => {
            let (first, last) = (place(lo), place(hi));
            let between = first.saturating_add(
                (last.abs_diff(first) as f64 * (random.below(1 << 20) as f64 / f64::from(1 << 20)))
                    as i64,
            );
            let x = match random.below(5) {
                0 => lo,
                1 => hi,
                2 if first <= place(0.0) && place(0.0) <= last => 0.0,
                3 if first <= place(-0.0) && place(-0.0) <= last => -0.0,
                _ => at(between.clamp(first, last)),
            };
            of_double(ty, x)
        }
        Over::Int(lo, hi) => {
            let span = i128::from(hi) - i128::from(lo) + 1;
            let by = (u128::from(random.next()) % span.unsigned_abs()) as i128;
            word(random.of(&[lo, hi, (i128::from(lo) + by) as i64]))
        }
        _ => match ty {
            Type::Mask => random.below(2),
            Type::F64 | Type::F32 if random.below(4) == 0 => of_double(ty, f64::NAN),
            Type::F64 | Type::F32 => of_double(ty, number(ty, random)),
            _ => word(integer(ty, random)),
        },
    }
}

fn holds(known: Over, ty: Type, word: u64) -> bool {
    match known {
        Over::Const(bits) => bits == word,
        Over::Float(lo, hi) => {
            let x = to_double(ty, word);
            !x.is_nan() && lo.total_cmp(&x).is_le() && x.total_cmp(&hi).is_le()
        }
        Over::Int(lo, hi) => (lo..=hi).contains(&to_int(ty, word)),
        Over::Any => true,
        _ => false,
    }
}

/// Each operation on what is known of its operands, where these are no line: what it gives of values with these properties has the
/// result's.
#[test]
fn operations_on_ranges_hold_what_they_give() {
    use Type::{F32, F64, I32, I64, Mask};
    let (float, int) = ([F64, F32], [I64, I32]);
    let all = [F64, F32, I64, I32];
    // Operands of one type, and the result's; `None` for the operands' type.
    let mut operations: Vec<(&str, Type, Type)> = Vec::new();
    for ty in all {
        for name in ["add", "sub", "mul", "min", "max", "neg"] {
            operations.push((name, ty, ty));
        }
        for name in ["lt", "le", "gt", "ge", "eq", "ne"] {
            operations.push((name, ty, Mask));
        }
        for (name, out) in [
            ("to_f64", F64),
            ("to_f32", F32),
            ("to_i64", I64),
            ("to_i32", I32),
        ] {
            if ty != out {
                operations.push((name, ty, out));
            }
        }
        operations.push(("select", ty, ty));
    }
    for ty in float {
        for name in [
            "div",
            "copy_sign",
            "fma",
            "sqrt",
            "recip",
            "abs",
            "floor",
            "ceil",
            "trunc",
            "round_ties_even",
        ] {
            operations.push((name, ty, ty));
        }
        for name in ["is_nan", "is_sign_negative"] {
            operations.push((name, ty, Mask));
        }
    }
    for ty in int {
        for name in ["and", "or", "xor", "not", "shl", "shr", "shr_logical"] {
            operations.push((name, ty, ty));
        }
    }
    operations.extend(["and", "or", "xor", "not"].map(|name| (name, Mask, Mask)));
    operations.extend([
        ("to_bits", F64, I64),
        ("to_bits", F32, I32),
        ("from_bits", I64, F64),
        ("from_bits", I32, F32),
    ]);
    operations.extend([("select", Mask, Mask)]);
    let mut random = Words(1);
    let mut counts = [0u64; 4];
    for (name, ty, out) in operations {
        let n = arity(name).expect("it is known");
        let types: Vec<Type> = (0..n)
            .map(|k| if name == "select" && k == 0 { Mask } else { ty })
            .collect();
        let inst = Inst {
            ty: out,
            what: What::Op(name.into()),
            args: (0..n).collect(),
        };
        let param = |ty: &Type| Inst {
            ty: *ty,
            what: What::Param,
            args: Vec::new(),
        };
        let mut insts: Vec<Inst> = types.iter().map(param).collect();
        insts.push(inst.clone());
        let program = Program {
            insts,
            ..Program::default()
        };
        let none = Assumed::new();
        for _ in 0..900 {
            let mut args: Vec<Over> = types.iter().map(|ty| known(*ty, &mut random)).collect();
            if n == 2 && random.below(8) == 0 {
                args[1] = args[0];
            }
            let mut run = Run::new(&program, &none);
            let Ok(result) = run.op(n, &inst, name, &args) else {
                continue;
            };
            match result {
                Over::Const(_) => counts[0] += 1,
                Over::Float(..) => counts[1] += 1,
                Over::Int(..) => counts[2] += 1,
                _ => {
                    counts[3] += 1;
                    continue;
                }
            }
            for _ in 0..8 {
                let words: Vec<u64> = (args.iter().zip(&types))
                    .map(|(a, ty)| member(*a, *ty, &mut random))
                    .collect();
                let word = apply(name, ty, out, &words).expect("it is known");
                assert!(
                    holds(result, out, word),
                    "{name} on {ty:?}, {args:?}, of {words:x?}: {word:x} is not {result:?}"
                );
            }
        }
    }
    assert!(counts.iter().all(|c| *c > 3000), "{counts:?}");
}

/// Entries of tables for indices of a range.
#[test]
fn entries_for_ranges_of_indices_are_known() {
    let mut random = Words(2);
    let nan = f64::NAN.to_bits();
    let mut counts = [0u64; 4];
    for _ in 0..4000 {
        let n = 1 + random.below(6);
        let ty = random.of(&[Type::F64, Type::F32, Type::I64, Type::I32]);
        let entry = |random: &mut Words| match ty {
            Type::F64 if random.below(12) == 0 => nan,
            Type::F64 | Type::F32 => of_double(ty, number(ty, random)),
            Type::I32 => u64::from(integer(ty, random) as u32),
            _ => integer(ty, random) as u64,
        };
        let one = entry(&mut random);
        let same = random.below(3) == 0;
        let bits = (0..n)
            .map(|_| if same { one } else { entry(&mut random) })
            .collect();
        let index = random.of(&[Type::I64, Type::I32]);
        let inst = Inst {
            ty,
            what: What::Load(0),
            args: vec![0],
        };
        let param = Inst {
            ty: index,
            what: What::Param,
            args: Vec::new(),
        };
        let program = Program {
            tables: vec![Table { ty, bits }],
            insts: vec![param, inst.clone()],
            ..Program::default()
        };
        let none = Assumed::new();
        let run = Run::new(&program, &none);
        let from = random.below(12) as i64 - 4;
        let of = match random.below(6) {
            0 => Over::Any,
            1 => Over::Const(if index == Type::I32 {
                u64::from(from as u32)
            } else {
                from as u64
            }),
            _ => Over::Int(from, from + 1 + random.below(4) as i64),
        };
        let result = run.load(0, &inst, of);
        counts[match result {
            Over::Const(_) => 0,
            Over::Float(..) => 1,
            Over::Int(..) => 2,
            _ => 3,
        }] += 1;
        for _ in 0..12 {
            let word = member(of, index, &mut random);
            let entry = load(&program, 0, index, word);
            assert!(
                holds(result, ty, entry),
                "{of:?} of {:x?}: {entry:x} is not {result:?}",
                program.tables[0].bits
            );
        }
    }
    assert!(counts.iter().all(|c| *c > 100), "{counts:?}");
}

/// Sums with a constant that has bits below the sum's last place, and some that are halfway: the rounding is the constant's, or the
/// operation is rounded.
#[test]
fn sums_with_a_rounded_constant_are_exact() {
    let mut random = Words(3);
    let (mut counts, mut exact_ones) = ([0; 6], 0);
    for _ in 0..3000 {
        let mut lines: Vec<String> = Vec::new();
        let constant = |lines: &mut Vec<String>, c: f64| {
            lines.push(format!("f64 = const {:#x}", c.to_bits()));
            lines.len()
        };
        let mut t = 0;
        let scale =
            2f64.powi(random.of(&[0, 0, 0, 0, -940, -955, -1000, -1015, -1022, 850, 950, 960]));
        match random.below(5) {
            0 => {
                let c = constant(&mut lines, random.of(&[2.0, 4.0, 0.5, 1024.0, -2.0]));
                lines.push(format!("f64 = mul %0, %{c}"));
                t = lines.len();
            }
            1 => {
                let c = constant(&mut lines, scale * random.of(&[1.0, 1.25]));
                lines.push(format!("f64 = sub %0, %{c}"));
                t = lines.len();
            }
            2 => {
                let c = constant(
                    &mut lines,
                    scale * 2f64.powi(random.of(&[40, 51, 52])) * 1.5,
                );
                lines.push(format!("f64 = add %0, %{c}"));
                let sum = lines.len();
                lines.push(format!("f64 = sub %{sum}, %{c}"));
                t = lines.len();
            }
            _ => {}
        }
        let places = random.of(&[50, 51, 52, 53, 54]);
        let odd = (random.below(1 << 20) * 2 + 1) as f64 * 2f64.powi(-places);
        let c = random.of(&[0.0, 0.125, 0.5, 1.0, 3.0]) + odd;
        let c =
            if random.below(3) == 0 { -c } else { c } * random.of(&[1.0, 1.0, 4.0, 2f64.powi(-20)]);
        let c = constant(&mut lines, c * scale);
        let name = random.of(&["add", "sub"]);
        lines.push(match random.below(2) {
            0 => format!("f64 = {name} %{t}, %{c}"),
            _ => format!("f64 = {name} %{c}, %{t}"),
        });
        let mut text = "doublecrunch ir 1\nfn f0\n  %0: f64 = param\n".to_string();
        for (i, l) in lines.iter().enumerate() {
            text += &format!("  %{}: {l}\n", i + 1);
        }
        text += &format!("  return %{}\n", lines.len());
        let program = Program::parse(&text).expect("a kernel");
        let lo = 1.0 + random.below(1 << 52) as f64 * f64::EPSILON;
        let hi =
            (lo + random.below(1 << 30) as f64 * 2f64.powi(-random.of(&[32, 40, 52]))).min(1.999);
        let cell = (lo.min(hi) * scale, hi * scale);
        let found = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
            compared(&program, cell, true, &mut random)
        }));
        let found = found.unwrap_or_else(|_| panic!("of the kernel\n{text}"));
        for (count, n) in counts.iter_mut().zip(found) {
            *count += n;
        }
        if let Ok(crate::cell::Outcome::Line(line)) =
            crate::cell::outcome(&program, cell.0, cell.1, true)
        {
            exact_ones += u64::from(line.nodes[line.result].rounding.is_none());
        }
    }
    assert!(
        counts[1] > 3000 && exact_ones > 300,
        "{counts:?} {exact_ones}"
    );
}

/// Masks that are made of unknown ones are 0 or 1.
#[test]
fn masks_of_unknown_masks_hold_both() {
    let program = Program::parse(
        "doublecrunch ir 1\nfn f0\n  %0: f64 = param\n  %1: mask = lt %0, %0\n  %2: mask = and %1, %1\n  \
         %3: mask = not %2\n  %4: f64 = select %3, %0, %0\n  return %4\n",
    )
    .expect("a kernel");
    let none = Assumed::new();
    let mut run = Run::new(&program, &none);
    let mut op = |site: usize, name: &str, args: &[Over]| {
        run.op(site, &program.insts[site], name, args)
            .expect("it is known")
    };
    let both = op(2, "and", &[Over::Any, Over::Const(1)]);
    let other = op(3, "not", &[both]);
    for known in [both, other] {
        assert!(holds(known, Type::Mask, 0) && holds(known, Type::Mask, 1));
    }
}

/// The line of a reference on a cell.
fn real_line(text: &str, lo: f64, hi: f64) -> Option<crate::residual::Line> {
    let program =
        Program::parse(&format!("doublecrunch ir 1\nfn f0\n{text}")).expect("a reference");
    crate::cell::in_reals(&program, lo, hi).ok()
}

/// A binary32 has other bits than the double that it is.
#[test]
fn bits_of_binary32_in_reals_are_its_own() {
    let text = "  %0: f64 = param\n  %1: f32 = to_f32 %0\n  %2: i32 = to_bits %1\n  %3: i32 = const 0x3f800000\n  \
                %4: mask = lt %2, %3\n  %5: f64 = neg %0\n  %6: f64 = select %4, %0, %5\n  return %6\n";
    for (lo, hi, sign) in [(0.25, 0.5, 1.0), (1.25, 1.5, -1.0)] {
        let line = real_line(text, lo, hi).expect("a line");
        assert_eq!(line.compute(lo, &mut Vec::new()), sign * lo);
    }
}

/// A number that is made of bits depends on the input in reals, also where what is computed is one number.
#[test]
fn bits_of_what_is_computed_as_one_number_are_a_line_in_reals() {
    for one in [1.0f64, -1.0] {
        let text = format!(
            "  %0: f64 = param\n  %1: f64 = const {:#x}\n  %2: f64 = const {:#x}\n  %3: f64 = fma %0, %1, %2\n  \
             %4: i64 = to_bits %3\n  %5: f64 = from_bits %4\n  return %5\n",
            2f64.powi(-80).to_bits(),
            one.to_bits(),
        );
        let line = real_line(&text, 1.0, 1.5).expect("a line");
        assert!(line.input().is_some(), "{one}");
    }
}

/// A conversion to binary32 that overflows is no line.
#[test]
fn conversions_that_overflow_are_no_line_in_reals() {
    let text = "  %0: f64 = param\n  %1: f32 = to_f32 %0\n  %2: f64 = to_f64 %1\n  return %2\n";
    assert!(real_line(text, -1.5, -1.0).is_some());
    assert!(real_line(text, 1.0, 1e300).is_none());
    assert!(real_line(text, -1e300, -1.0).is_none());
}

/// Next to a zero the sign may be either, and so the bits.
#[test]
fn bits_next_to_zero_are_unknown() {
    let program = Program::default();
    let none = Assumed::new();
    let run = Run::new(&program, &none);
    for (lo, hi) in [
        (0.0, 1.0),
        (-0.0, 1.0),
        (-1.0, -0.0),
        (-1.0, 0.0),
        (-1.0, 1.0),
    ] {
        let bits = run.monotone(Type::F64, Type::I64, "to_bits", Over::Float(lo, hi));
        assert!(matches!(bits, Over::Any), "{lo} {hi}");
        let mut run = Run::new(&program, &none);
        let zero = run.builder.constant(0.0, 0);
        (run.builder.nodes[zero].lo, run.builder.nodes[zero].hi) = (lo, hi);
        assert!(run.signed(Over::Real(zero)).is_none(), "{lo} {hi}");
    }
}

/// The bits of negative numbers decrease as the numbers increase: a constant less these increases.
#[test]
fn a_constant_less_the_bits_of_negative_numbers_has_its_range() {
    let program = Program::parse(
        "doublecrunch ir 1\nfn f0\n  %0: f64 = param\n  %1: i64 = to_bits %0\n  %2: i64 = const 0x0\n  \
         %3: i64 = sub %2, %1\n  %4: f64 = from_bits %3\n  return %4\n",
    )
    .expect("a kernel");
    let none = Assumed::new();
    for (lo, hi) in [(-1.5f64, -1.25f64), (1.25, 1.5)] {
        let mut run = Run::new(&program, &none);
        let values = run.values(lo, hi).expect("they are known");
        let (least, most) = run.ints(Type::I64, values[3]);
        for x in [lo, hi] {
            let due = -(x.to_bits() as i64);
            assert!(least <= due && due <= most, "{x}: {least} {most}");
        }
    }
}

/// What is computed of an integer as a double is one number, but the integers are not.
#[test]
fn integers_that_are_rounded_to_one_double_are_none_in_reals() {
    let kernel = |what: &str| {
        format!("  %0: f64 = param\n  %1: i64 = to_bits %0\n  %2: f64 = {what}\n  return %2\n")
    };
    let (lo, hi) = (1.0, 1.0 + f64::EPSILON);
    assert!(real_line(&kernel("to_f64 %1"), lo, hi).is_none());
    // Roundings to integers are those computed.
    let line = real_line(&kernel("floor %0"), lo, hi).expect("a line");
    assert!(line.input().is_none());
}
