//! The properties known over a box, compared with exact evaluations of its pairs.
//!
//! Random kernels are evaluated over random boxes, and in bits at pairs of these boxes. At a pair, each new atom has one value, the one for
//! which the polynomial is the computed number. It must be within the known bounds of the atom, and every later polynomial must give the
//! computed number exactly.

use std::collections::BTreeMap;

use kernels_gen::interp::{Bits, eval_with};
use kernels_gen::ir::Loc;
use kernels_gen::ops::{Op, Prim};
use kernels_gen::program::{Func, FuncId, Inst, InstKind, Origin, Program, Value};

use super::atoms::Relation;
use super::domain::Pairs;
use super::poly::{Atom, Poly};
use super::value::{Before, Float, Val};
use super::{Function, PairBox, Sign, Span};
use crate::cell::exactly::{SUMS, sum};
use crate::num::dyadic::{Dyadic, Random};
use crate::num::float::{BINARY32, BINARY64, exponent, power};

/// The entry's instructions.
struct Writer {
    insts: Vec<Inst>,
}

impl Writer {
    fn add(&mut self, kind: InstKind, args: &[u32], ty: Prim) -> u32 {
        self.insts.push(Inst {
            kind,
            args: args.iter().map(|&a| Value(a)).collect(),
            ty,
            loc: Loc::default(),
            name: None,
        });
        self.insts.len() as u32 - 1
    }
    fn op(&mut self, op: Op, args: &[u32], ty: Prim) -> u32 {
        self.add(InstKind::Op(op), args, ty)
    }
    fn number(&mut self, x: f64, ty: Prim) -> u32 {
        let bits = match ty {
            Prim::F32 => u64::from((x as f32).to_bits()),
            _ => x.to_bits(),
        };
        self.add(InstKind::Const(bits), &[], ty)
    }
    fn integer(&mut self, n: i64) -> u32 {
        self.add(InstKind::Const(n as u64), &[], Prim::I64)
    }
}

/// A random kernel of two numbers.
fn kernel(random: &mut Random) -> (Program, Prim) {
    let first = random.of(&[Prim::F64, Prim::F64, Prim::F32]);
    let mut w = Writer { insts: Vec::new() };
    let mut values = vec![
        w.add(InstKind::Param(0), &[], first),
        w.add(InstKind::Param(1), &[], first),
    ];
    let mut ty = first;
    if first == Prim::F32 && random.below(3) > 0 {
        values = values
            .iter()
            .map(|&v| w.op(Op::ToF64, &[v], Prim::F64))
            .collect();
        ty = Prim::F64;
    }
    for _ in 0..2 + random.below(8) {
        let n = values.len() as u64;
        let pick = |random: &mut Random| match random.below(2) {
            0 => values[(n - 1 - random.below(n.min(3))) as usize],
            _ => values[random.below(n) as usize],
        };
        let (a, b, c) = (pick(random), pick(random), pick(random));
        let made = match random.below(21) {
            0 | 1 => w.op(Op::Add, &[a, b], ty),
            2 => w.op(Op::Sub, &[a, b], ty),
            3 => w.op(Op::Mul, &[a, b], ty),
            4 => w.op(Op::Mul, &[a, a], ty),
            5 => w.op(Op::Fma, &[a, b, c], ty),
            6 => w.op(Op::Add, &[a, a], ty),
            7 => {
                let x = random.number(60);
                let x = w.number(x, ty);
                w.op(Op::Mul, &[a, x], ty)
            }
            8 => {
                let x = power(random.below(200) as i32 - 100);
                let x = w.number(x, ty);
                w.op(Op::Mul, &[x, a], ty)
            }
            9 => {
                let p = w.op(Op::Mul, &[a, b], ty);
                values.push(p);
                let minus = w.op(Op::Neg, &[p], ty);
                w.op(Op::Fma, &[a, b, minus], ty)
            }
            10 => {
                let size = w.op(Op::Abs, &[a], ty);
                let root = w.op(Op::Sqrt, &[size], ty);
                values.push(root);
                let minus = w.op(Op::Neg, &[root], ty);
                w.op(Op::Fma, &[minus, root, size], ty)
            }
            11 => {
                let q = w.op(Op::Div, &[a, b], ty);
                values.push(q);
                let minus = w.op(Op::Neg, &[q], ty);
                w.op(Op::Fma, &[minus, b, a], ty)
            }
            12 => w.op(Op::Recip, &[a], ty),
            13 | 14 if ty == Prim::F64 => {
                let which = InstKind::Call(FuncId(random.below(2) as u32));
                let call = w.add(which, &[a, b], Prim::F64);
                values.push(w.add(InstKind::Result(0), &[call], Prim::F64));
                w.add(InstKind::Result(1), &[call], Prim::F64)
            }
            15 if ty == Prim::F64 => {
                let size = w.op(Op::Abs, &[a], ty);
                let bits = w.op(Op::ToBits, &[size], Prim::I64);
                let word = if random.below(2) == 0 {
                    let n = w.integer((random.below(60) as i64 - 30) << 52);
                    w.op(Op::Add, &[bits, n], Prim::I64)
                } else {
                    let n = w.integer(52);
                    let one = w.integer(1023 << 52);
                    let field = w.op(Op::ShrLogical, &[bits, n], Prim::I64);
                    let placed = w.op(Op::Shl, &[field, n], Prim::I64);
                    let below = w.op(Op::Sub, &[bits, placed], Prim::I64);
                    w.op(Op::Add, &[below, one], Prim::I64)
                };
                w.op(Op::FromBits, &[word], Prim::F64)
            }
            16 => {
                let less = random.of(&[Op::Lt, Op::Ge, Op::Gt, Op::Le]);
                let mask = w.op(less, &[a, b], Prim::Mask);
                w.op(Op::Select, &[mask, b, c], ty)
            }
            // Terms that a constant adds and takes away, powers of two at the ends of the numbers, and facts of a path.
            18 => {
                let c = power(random.below(60) as i32 - 30);
                let (c, minus) = (w.number(c, ty), w.number(-c, ty));
                let sum = w.op(Op::Add, &[a, c], ty);
                values.push(sum);
                w.op(Op::Add, &[sum, minus], ty)
            }
            19 if ty == Prim::F64 => {
                let c = power(random.below(1500) as i32 - 750);
                let c = w.number(c, ty);
                w.op(Op::Mul, &[a, c], ty)
            }
            20 => {
                let size = w.op(Op::Abs, &[a], ty);
                let root = w.op(Op::Sqrt, &[size], ty);
                values.push(root);
                let limit = power(random.below(20) as i32 - 10);
                let limit = w.number(limit, ty);
                let less = random.of(&[Op::Lt, Op::Ge, Op::Gt, Op::Le]);
                let mask = w.op(less, &[root, limit], Prim::Mask);
                w.op(Op::Select, &[mask, limit, root], ty)
            }
            17 if ty == Prim::F64 => {
                let narrow = w.op(Op::ToF32, &[a], Prim::F32);
                w.op(Op::ToF64, &[narrow], Prim::F64)
            }
            _ => w.op(Op::Abs, &[a], ty),
        };
        values.push(made);
    }
    let last = values[values.len() - 1];
    let entry = Func {
        name: "f".into(),
        origin: std::sync::Arc::new(Origin::named("f", "random")),
        params: vec![("x".into(), first), ("y".into(), first)],
        insts: w.insts,
        results: vec![Value(last)],
    };
    let funcs = vec![sum("fast_two_sum", SUMS[0]), sum("two_sum", SUMS[1]), entry];
    let program = Program {
        funcs,
        tables: Vec::new(),
    };
    (program, first)
}

fn span(random: &mut Random, ty: Prim) -> Span {
    let most = match (ty, random.below(6)) {
        (Prim::F32, 0) => 126,
        (_, 0) => 1000,
        _ => 8,
    };
    let sign = random.of(&[Sign::Plus, Sign::Plus, Sign::Minus, Sign::Any]);
    let fit = |x: f64| match ty {
        Prim::F32 => f64::from(x.abs() as f32),
        _ => x.abs(),
    };
    let lo = fit(random.number(most)).max(match ty {
        Prim::F32 => f64::from(f32::from_bits(1)),
        _ => f64::from_bits(1),
    });
    let hi = match random.below(4) {
        0 => lo,
        1 => lo * 1.25,
        2 => lo * 2.5,
        _ => lo * 1000.0,
    };
    let hi = match ty {
        Prim::F32 => f64::from((hi as f32).min(f32::MAX)),
        _ => hi.min(f64::MAX),
    };
    Span { lo, hi, sign }
}

/// A number of a span, often an end or one with few bits.
fn number(random: &mut Random, span: Span, ty: Prim) -> f64 {
    let key = |x: f64| match ty {
        Prim::F32 => u64::from((x as f32).to_bits()),
        _ => x.to_bits(),
    };
    let (lo, hi) = (key(span.lo), key(span.hi));
    let at = match random.below(5) {
        0 => lo,
        1 => hi,
        _ => lo + random.below(hi - lo + 1),
    };
    let x = match ty {
        Prim::F32 => f64::from(f32::from_bits(at as u32)),
        _ => f64::from_bits(at),
    };
    match span.sign {
        Sign::Plus => x,
        Sign::Minus => -x,
        Sign::Any => x * random.sign(),
    }
}

fn value_of(ty: Prim, bits: u64) -> f64 {
    match ty {
        Prim::F32 => f64::from(f32::from_bits(bits as u32)),
        _ => f64::from_bits(bits),
    }
}

/// The atoms at a pair.
struct Shadow<'a> {
    domain: &'a Pairs<'a>,
    atoms: BTreeMap<Atom, Dyadic>,
    /// The scale and the second argument, for sizes.
    scales: [f64; 2],
    solved: usize,
}

impl Shadow<'_> {
    fn product(&self, product: &[Atom]) -> Dyadic {
        let factors = product.iter().map(|a| &self.atoms[a]);
        factors.fold(Dyadic::of(1.0), |p, x| p.times(x))
    }

    fn eval(&self, poly: &Poly) -> Dyadic {
        let terms = poly.terms.iter();
        terms.fold(Dyadic::of(0.0), |sum, (p, &c)| {
            sum.plus(&self.product(p).times(&Dyadic::of(c)))
        })
    }

    /// Gives the only unknown atom of a polynomial the value for which the polynomial is this number.
    fn solve(&mut self, poly: &Poly, value: &Dyadic) {
        let unknown: Vec<Atom> = (poly.terms.keys().flatten().copied())
            .filter(|a| !self.atoms.contains_key(a))
            .collect();
        // Two errors of one rounding: that of a subnormal result is one of them.
        let unknown = match unknown[..] {
            [error, of_subnormals] => {
                let mut rest = poly.clone();
                rest.terms.remove(&vec![error]);
                rest.terms.remove(&vec![of_subnormals]);
                let both = value.minus(&self.eval(&rest)).size();
                let most = Dyadic::of(self.domain.atoms.get(of_subnormals).range.hi);
                let (zero, other) = match both.at_most(&most) {
                    true => (error, of_subnormals),
                    false => (of_subnormals, error),
                };
                self.settle(zero, Dyadic::of(0.0));
                vec![other]
            }
            _ => unknown,
        };
        if let [atom] = unknown[..] {
            let by = poly.terms[&vec![atom]];
            assert!(by.abs() == power(exponent(by)), "{by}");
            let mut rest = poly.clone();
            rest.terms.remove(&vec![atom]);
            let alone = value.minus(&self.eval(&rest));
            let found = alone.times(&Dyadic::of(by.signum())).scaled(-exponent(by));
            self.settle(atom, found);
        } else {
            assert!(unknown.is_empty(), "{poly:?}");
        }
        let off = self.eval(poly).minus(value);
        assert!(off.is_zero(), "{poly:?} is off by {:e}", off.near());
    }

    fn settle(&mut self, atom: Atom, found: Dyadic) {
        self.solved += 1;
        let known = self.domain.atoms.get(atom).clone();
        let inside = Dyadic::of(known.range.lo).at_most(&found)
            && found.at_most(&Dyadic::of(known.range.hi));
        assert!(inside, "atom {atom} {:e} {known:?}", found.near());
        if known.double {
            let double = Dyadic::of(found.rounded(BINARY64, None));
            assert!(double.minus(&found).is_zero(), "{known:?}");
        }
        if known.single {
            let single = Dyadic::of(found.rounded(BINARY32, None));
            assert!(single.minus(&found).is_zero(), "{known:?}");
        }
        if let Some(size) = known.size {
            let [s, y] = [0, 1].map(|i| self.scales[i].powf(f64::from(size.of[i]) / 4.0));
            let scale = s * y;
            // Far below all numbers it is not looked at.
            let x = match found.size().at_most(&Dyadic::of(f64::MIN_POSITIVE)) {
                true => 0.0,
                false => found.near().abs(),
            };
            if scale.is_normal() && x.is_normal() && size.most.is_finite() {
                let most = size.most * scale;
                assert!(x <= most * (1.0 + 1e-11), "{x:e} {most:e} {known:?}");
                let least = size.least * scale;
                assert!(x >= least * (1.0 - 1e-11), "{x:e} {least:e} {known:?}");
            }
        }
        self.atoms.insert(atom, found.clone());
        match known.relation {
            Relation::None => {}
            Relation::Square(poly) => self.solve(&poly, &found.times(&found)),
            Relation::Product(others, poly) => {
                let product = self.product(&others).times(&found);
                self.solve(&poly, &product);
            }
        }
    }
}

impl Shadow<'_> {
    fn knows(&self, poly: &Poly) -> bool {
        let mut atoms = poly.terms.keys().flatten();
        atoms.all(|a| self.atoms.contains_key(a))
    }

    /// Compares a number with what was rounded to give it. Returns whether that is known.
    fn is_rounded(&self, ty: Prim, f: &Float, x: f64) -> bool {
        let format = if ty == Prim::F32 { BINARY32 } else { BINARY64 };
        match &f.before {
            Some((Before::Sum(exact), _)) if self.knows(exact) => {
                let rounded = self.eval(exact).rounded(format, None);
                assert!(rounded == x, "{rounded:e} {x:e} {f:?}");
            }
            Some((Before::Near { of, grid, factor }, _)) if self.knows(of) => {
                let distance = self.eval(of).minus(&Dyadic::of(x)).size();
                let most = Dyadic::of(*factor).scaled(grid - 1);
                assert!(distance.at_most(&most), "{x:e} {f:?}");
            }
            _ => return false,
        }
        true
    }
}

#[derive(Default)]
struct Count {
    before: usize,
    boxes: u32,
    refused: u32,
    values: usize,
    atoms: usize,
    exact: usize,
}

/// Compares a random kernel over a random box with its results at pairs.
fn compare(random: &mut Random, count: &mut Count) {
    let (program, ty) = kernel(random);
    let pairs = PairBox {
        spans: [0, 1].map(|_| span(random, ty)),
        first_is_larger: None,
    };
    let function = random.of(&[Function::Hypot, Function::Div]);
    count.boxes += 1;
    for _ in 0..6 {
        let [x, y] = [0, 1].map(|i| number(random, pairs.spans[i], ty));
        let inputs = [x, y].map(|x| match ty {
            Prim::F32 => u64::from((x as f32).to_bits()),
            _ => x.to_bits(),
        });
        let mut computed = BTreeMap::new();
        let mut told = BTreeMap::new();
        // The number of an operation, as in the domain: calls count their own.
        let entry = program.entry();
        let mut number = 0u32;
        let numbers: Vec<u32> = (entry.insts.iter())
            .map(|inst| {
                let at = number;
                number += 1;
                if let InstKind::Call(f) = inst.kind {
                    number += program.func(f).insts.len() as u32;
                }
                at
            })
            .collect();
        let done = eval_with(&program, &mut Bits, &inputs, &mut |step| {
            let key = format!("{:?} {:?}", step.calls, step.inst);
            computed.insert(key, *step.value);
            if step.calls.is_empty() {
                told.insert(step.inst, *step.value != 0);
            }
        });
        assert!(done.is_ok());
        let mut domain = Pairs::new(&pairs, function, Vec::new());
        domain.told = Some(
            (entry.insts.iter().zip(&numbers))
                .filter(|(inst, _)| inst.kind == InstKind::Op(Op::Select))
                .map(|(inst, &n)| (n, told[&inst.args[0]]))
                .collect(),
        );
        let arguments = domain.arguments(if ty == Prim::F32 { 24 } else { 53 });
        let mut steps = Vec::new();
        let result = eval_with(&program, &mut domain, &arguments, &mut |step| {
            let key = format!("{:?} {:?}", step.calls, step.inst);
            let ty = program.func(step.func).ty(step.inst);
            steps.push((key, ty, step.value.clone()));
        });
        count.refused += u32::from(result.is_err());
        let scale = power(-pairs.scale());
        let h = (x * scale).hypot(y * scale);
        if let Some(known) = domain.atoms.scale.filter(|_| h.is_normal()) {
            let near = known.lo * (1.0 - 1e-11) <= h && h <= known.hi * (1.0 + 1e-11);
            assert!(near, "{h:e} {known:?}");
        }
        let mut shadow = Shadow {
            domain: &domain,
            atoms: BTreeMap::new(),
            scales: match function {
                Function::Hypot => [h, 1.0],
                Function::Div => [x.abs() * scale, y.abs() * scale],
            },
            solved: 0,
        };
        for (i, x) in [x, y].into_iter().enumerate() {
            let exact = Dyadic::of(x).scaled(-pairs.scale());
            if let Some(atom) = domain.magnitudes[i] {
                shadow.settle(atom, exact.size());
            }
            if let Some(atom) = domain.signed_atom(i) {
                shadow.settle(atom, exact);
            }
        }
        for (key, ty, value) in steps {
            let bits = computed[&key];
            match value {
                Val::Float(f) => {
                    let x = value_of(ty, bits);
                    let Some(poly) = &f.poly else {
                        continue;
                    };
                    assert!(f.range.lo <= x && x <= f.range.hi, "{x:e} {f:?}");
                    let now = domain.range_now(&f);
                    assert!(now.lo <= x && x <= now.hi, "{x:e} {now:?} {f:?}");
                    assert!(crate::num::float::grid(x) >= f.grid, "{x:e} {f:?}");
                    if x != 0.0 {
                        let used = exponent(x) - crate::num::float::grid(x) + 1;
                        assert!(used as u32 <= f.bits, "{x:e} {f:?}");
                    }
                    let before = shadow.solved;
                    shadow.solve(poly, &Dyadic::of(x));
                    count.exact += usize::from(shadow.solved == before);
                    count.before += usize::from(shadow.is_rounded(ty, &f, x));
                    count.values += 1;
                }
                Val::Int(n) => {
                    let x = bits as i64;
                    assert!(n.lo <= x && x <= n.hi, "{x} {n:?}");
                }
                Val::Mask(super::value::Mask::Known(known)) => assert_eq!(known, bits != 0),
                Val::Mask(_) => {}
            }
        }
        count.atoms += shadow.solved;
    }
}

#[test]
fn polynomials_are_the_computed_numbers() {
    let mut random = Random(7);
    let mut count = Count::default();
    for _ in 0..3000 {
        compare(&mut random, &mut count);
    }
    let Count {
        boxes,
        refused,
        values,
        atoms,
        exact,
        before,
    } = count;
    assert!(refused < 3 * boxes, "{refused} of {} refused", 6 * boxes);
    assert!(values > 70_000 && atoms > 30_000, "{values} {atoms}");
    assert!(before > 5_000, "{before} compared with what was rounded");
    assert!(exact > 15_000, "{exact} without a new atom");
}
