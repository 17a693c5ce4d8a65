//! Random kernels with ordinary arguments and results, but with intermediate values that are subnormal, overflow in a branch that is not
//! taken, are ties, or pass powers of two.
//!
//! A kernel is made together with its values at one input. So each step knows where its operands are, and can move them to the ends of the
//! format or let them cancel.

use dc_exact::cell::Cell;
use dc_exact::law::{Law, Truth};
use dc_exact::num::float::BINARY64;
use kernels_gen::ir::{BinOp, Const, ExprKind, Kernel, Pat, Stmt, Ty, UnOp};
use kernels_gen::program::Program;

use crate::hold::step;
use crate::numeric::{E, binary, expr, leak, leak_str, local, method, of_one};
use crate::random::Random;

/// A kernel in the making, with its values at the probe.
struct Maker {
    stmts: Vec<Stmt>,
    names: Vec<&'static str>,
    values: Vec<f64>,
    random: Random,
    /// The number of inputs of the stretch, as a power of two.
    lg: u32,
}

/// A value: its expression, and what it is at the probe.
type V = (E, f64);

fn number(x: f64) -> V {
    (expr(ExprKind::Const(Const::F64(x))), x)
}

/// `2^e`, for an exponent of the format's numbers.
fn power(e: i32) -> f64 {
    match e < -1022 {
        true => f64::from_bits(1 << (e + 1074)),
        false => f64::from_bits(((e + 1023) as u64) << 52),
    }
}

/// The exponent of a number that is not zero.
fn exponent(x: f64) -> i32 {
    dc_exact::num::float::exponent(x)
}

impl Maker {
    fn bind(&mut self, (value, at): V) -> V {
        let n = self.names.len() as u32;
        self.names.push(leak_str(&format!("v{n}")));
        self.stmts.push(Stmt::Let(Pat::Local(n), None, value));
        self.values.push(at);
        (local(n), at)
    }

    /// A local that is a number other than zero, usually one of the last.
    fn value(&mut self) -> V {
        let n = self.names.len();
        for _ in 0..8 {
            let back = if self.random.chance(75) {
                self.random.below(n.min(2))
            } else {
                self.random.below(n)
            };
            let i = n - 1 - back;
            if self.values[i].is_normal() || self.values[i] != 0.0 && self.values[i].is_finite() {
                return (local(i as u32), self.values[i]);
            }
        }
        (local(0), self.values[0])
    }

    fn add(a: V, b: V) -> V {
        (binary(BinOp::Add, a.0, b.0), a.1 + b.1)
    }
    fn sub(a: V, b: V) -> V {
        (binary(BinOp::Sub, a.0, b.0), a.1 - b.1)
    }
    fn mul(a: V, b: V) -> V {
        (binary(BinOp::Mul, a.0, b.0), a.1 * b.1)
    }
    fn fma(a: V, b: V, c: V) -> V {
        (method("mul_add", a.0, &[b.0, c.0]), a.1.mul_add(b.1, c.1))
    }

    /// A significand: 1, of few bits, next to 1, or any.
    fn significand(&mut self) -> f64 {
        match self.random.below(6) {
            0 => 1.0,
            1 => 1.0 + self.random.below(16) as f64 / 16.0,
            2 => 1.0 + power(-(self.random.within(2, 52) as i32)),
            _ => 1.0 + self.random.below(1 << 52) as f64 * f64::EPSILON,
        }
    }

    /// An exponent at which something happens: subnormal, the least normal numbers, the largest, or ordinary.
    fn place(&mut self) -> i32 {
        match self.random.below(10) {
            0 | 1 => -1074 + self.random.within(0, 51) as i32,
            2 | 3 => -1022 + self.random.within(0, 4) as i32 - 2,
            4 => 1023 - self.random.within(0, 2) as i32,
            5 => self.random.within(0, 1000) as i32 - 500,
            _ => self.random.within(0, 12) as i32 - 6,
        }
    }

    /// Times a power of two, so that it comes to an exponent.
    fn moved(&mut self, a: V, to: i32) -> V {
        let mut rest = to - exponent(a.1);
        let mut a = a;
        while rest != 0 {
            let by = match self.random.chance(30) {
                true => rest / 2,
                false => rest,
            };
            let by = if by == 0 { rest } else { by }.clamp(-1022, 1023);
            rest -= by;
            // To subnormal numbers by an operation that is no product with a power of two, as often as not.
            let fused = if to < -1022 && rest == 0 { 50 } else { 15 };
            a = match self.random.below(5) {
                _ if self.random.chance(fused) => Self::fma(a, number(power(by)), number(0.0)),
                1 if (-1022..=1022).contains(&by) => {
                    let c = number(power(-by));
                    (binary(BinOp::Div, a.0, c.0), a.1 / c.1)
                }
                _ => Self::mul(a, number(power(by))),
            };
            a = self.bind(a);
            if a.1 == 0.0 || !a.1.is_finite() {
                return a;
            }
        }
        a
    }

    /// A constant near a value, so that their difference changes its sign or its binade on the stretch.
    fn near(&mut self, a: f64) -> f64 {
        let apart = self.lg as i32 + self.random.within(0, 8) as i32 - 5;
        let units = (a / power(exponent(a).max(-960) - 52)).round();
        let coarse = power(apart.clamp(0, 52));
        (units / coarse).round() * coarse * power(exponent(a).max(-960) - 52)
    }

    fn step(&mut self) -> V {
        let a = self.value();
        let e = exponent(a.1);
        let choice = self.random.weighted(&[
            (22, 0),
            (14, 1),
            (10, 2),
            (10, 3),
            (8, 4),
            (10, 5),
            (5, 6),
            (4, 7),
            (7, 8),
            (4, 9),
            (8, 10),
            (7, 11),
            (2, 12),
        ]);
        match choice {
            0 => {
                let to = self.place();
                self.moved(a, to)
            }
            // x + c, of which some are ties.
            1 => {
                let by = self.random.within(0, 110) as i32 - 56;
                let m = match self.random.chance(50) {
                    true => 1.0,
                    false => self.significand(),
                };
                let c = m * power((e + by).clamp(-1074, 1022));
                match self.random.below(3) {
                    0 => Self::sub(number(c), a),
                    1 => Self::sub(a, number(c)),
                    _ => Self::add(a, number(c)),
                }
            }
            // What nearly cancels.
            2 => {
                let c = self.near(a.1);
                match self.random.chance(50) {
                    true => Self::sub(a, number(c)),
                    false => Self::sub(number(c), a),
                }
            }
            3 => {
                let c = self.significand();
                Self::mul(a, number(c))
            }
            4 => {
                let c = self.significand();
                let d = match self.random.chance(50) {
                    true => -self.near(a.1 * c),
                    false => self.significand() * power((e - 30).clamp(-1074, 1022)),
                };
                Self::fma(a, number(c), number(d))
            }
            // The sum with another value that is as small as the first's last places.
            5 => {
                let b = self.value();
                let to = (e - self.random.within(0, 58) as i32 + 2).clamp(-1074, 1020);
                let b = self.moved(b, to);
                match self.random.chance(50) {
                    true => Self::add(a, b),
                    false => Self::sub(b, a),
                }
            }
            6 => {
                let c = number(self.significand());
                match self.random.chance(50) {
                    true => (binary(BinOp::Div, a.0, c.0), a.1 / c.1),
                    false => (binary(BinOp::Div, c.0, a.0), c.1 / a.1),
                }
            }
            7 => {
                let size = self.bind((method("abs", a.0, &[]), a.1.abs()));
                (method("sqrt", size.0, &[]), size.1.sqrt())
            }
            // A product that overflows where it is not taken.
            8 => {
                let up = (1023 - e).clamp(-1022, 1023);
                let big = self.bind(Self::mul(a, number(power(up))));
                let big = self.bind(Self::mul(big, number(4.0)));
                let limit = number(power(1000.min(e + 2)) * 1.25);
                let mask = binary(BinOp::Lt, a.0, limit.0);
                let at = if a.1 < limit.1 { a.1 } else { big.1 };
                (method("select", mask, &[a.0, big.0]), at)
            }
            9 => {
                let big = self.bind(Self::mul(a, number(power((1023 - e).clamp(-1022, 1023)))));
                let big = self.bind(Self::mul(big, number(-8.0)));
                let name = if big.1 < 0.0 { "max" } else { "min" };
                (method(name, a.0, &[big.0]), a.1)
            }
            // Rounding to a multiple by a large number: half of them, or more, are ties.
            10 => {
                let by = self.random.within(0, 20) as i32;
                let c = number(1.5 * power((e + 52 - by).clamp(-1000, 1020)));
                let sum = self.bind(Self::add(a, c));
                Self::sub(sum, c)
            }
            // The distance from a power of two.
            11 => {
                let c = number(
                    power((e + self.random.below(2) as i32).clamp(-1074, 1023)).copysign(a.1),
                );
                match self.random.chance(50) {
                    true => Self::sub(a, c),
                    false => Self::sub(c, a),
                }
            }
            _ => (expr(ExprKind::Unary(UnOp::Neg, a.0)), -a.1),
        }
    }

    fn finish(self, number: u64) -> &'static Kernel {
        let name = format!("inner{number}");
        of_one(&name, Ty::F64, self.names, self.stmts)
    }
}

/// Where a stretch begins: below a power of two, at one, at a number of few bits, or anywhere.
fn begin(random: &mut Random, lg: u32) -> f64 {
    let e = random.within(0, 12) as i32 - 6;
    let below = random.below(1 << lg) as u64;
    match random.below(8) {
        0 | 1 => f64::from_bits(power(e).to_bits() - below),
        2 => power(e),
        3 => power(e) * (1.0 + random.below(64) as f64 / 64.0),
        _ => power(e) * (1.0 + random.below(1 << 52) as f64 * f64::EPSILON),
    }
}

/// A kernel for the stretch of `2^lg` inputs that begins at a number.
fn kernel(mut random: Random, number_of: u64, from: f64, lg: u32) -> &'static Kernel {
    let steps = random.within(2, 7);
    let probe = f64::from_bits(from.to_bits() + (1 << lg) / 3);
    let mut maker = Maker {
        stmts: Vec::new(),
        names: vec!["x"],
        values: vec![probe],
        random,
        lg,
    };
    for n in 0..steps {
        // Mostly at an end of the format from the beginning on, with all that follows there.
        let made = match n == 0 && maker.random.chance(75) {
            true => {
                let first = if maker.random.chance(50) {
                    maker.step()
                } else {
                    (local(0), probe)
                };
                let first = maker.bind(first);
                let to = match maker.random.below(4) {
                    0 => -1022 + maker.random.within(0, 3) as i32 - 2,
                    1 => 1023 - maker.random.within(0, 1) as i32,
                    _ => -1074 + maker.random.within(53 - lg as usize, 53) as i32,
                };
                match first.1 == 0.0 || !first.1.is_finite() {
                    true => first,
                    false => maker.moved(first, to),
                }
            }
            false => maker.step(),
        };
        maker.bind(made);
    }
    // An ordinary result, mostly; a step before it may have given zero or an infinity.
    let last = maker.value();
    if maker.random.chance(80) {
        let to = maker.random.within(0, 6) as i32 - 3;
        let last = maker.moved(last, to);
        if maker.random.chance(30) {
            let c = maker.significand();
            let other = maker.bind(Maker::mul((local(0), probe), number(c)));
            maker.bind(Maker::add(last, other));
        } else {
            maker.bind(last);
        }
    } else {
        maker.bind(last);
    }
    maker.finish(number_of)
}

/// e^x near a number, in two steps of a reduction, a polynomial, and a scaling by way of a small or large number.
fn exponential(maker: &mut Maker, x: V) -> V {
    let n = (x.1 / std::f64::consts::LN_2).round();
    if maker.random.chance(60) {
        return exponential_of_a_small_core(maker, x, n);
    }
    let short = f64::from_bits(std::f64::consts::LN_2.to_bits() >> 20 << 20);
    let r = maker.bind(Maker::sub(x, number(n * short)));
    let rest = n * (std::f64::consts::LN_2 - short + 2.319_046_813_846_299_6e-17);
    let r = match maker.random.chance(60) {
        true => maker.bind(Maker::sub(r, number(rest))),
        false => r,
    };
    let p = series(maker, r);
    by_way(maker, p, n as i32)
}

/// The series of e^r.
fn series(maker: &mut Maker, r: V) -> V {
    let mut p = number(1.0 / 5040.0);
    for d in [720.0, 120.0, 24.0, 6.0, 2.0, 1.0, 1.0] {
        p = match maker.random.chance(50) {
            true => {
                let product = maker.bind(Maker::mul(p, r));
                maker.bind(Maker::add(product, number(1.0 / d)))
            }
            false => maker.bind(Maker::fma(p, r, number(1.0 / d))),
        };
    }
    p
}

/// e^x by way of `e^(x - s ln 2)`, which is subnormal: the first step of the reduction is that of this number, so that what follows is
/// a core of a class, times `2^s`.
fn exponential_of_a_small_core(maker: &mut Maker, x: V, n: f64) -> V {
    let way = -1074 + maker.random.within(53 - maker.lg as usize, 54) as i32;
    let s = n as i32 - way;
    // A number of few bits, so that the sum is exact.
    let first = -(f64::from(s) * std::f64::consts::LN_2).round();
    let r = maker.bind(Maker::add(x, number(first)));
    let rest = -(n * std::f64::consts::LN_2 + first);
    let t = maker.bind(Maker::fma(r, number(1.0), number(rest)));
    let p = series(maker, t);
    let core = match maker.random.chance(70) {
        true => Maker::fma(p, number(power(way)), number(0.0)),
        false => Maker::mul(p, number(power(way))),
    };
    let core = maker.bind(core);
    let to = exponent(core.1) + s;
    let half = maker.bind(Maker::mul(core, number(power(s.min(1000)))));
    maker.moved(half, to)
}

/// Times `2^n`, by way of an exponent that may be subnormal or large.
fn by_way(maker: &mut Maker, p: V, n: i32) -> V {
    let way = match maker.random.chance(70) {
        // With so many bits that neighbours of the stretch differ.
        true => -1074 + maker.random.within(53 - maker.lg as usize, 54) as i32,
        false => maker.place(),
    };
    let there = maker.moved(p, way);
    if there.1 == 0.0 || !there.1.is_finite() {
        return maker.moved(p, exponent(p.1) + n);
    }
    // The distance that is left: the significand may be another one.
    let left = exponent(p.1) + n - way;
    let to = exponent(there.1) + left;
    maker.moved(there, to)
}

/// 1/x or √x, by way of a small or large number: from bits, or by an operation.
fn of_power(maker: &mut Maker, x: V, root: bool) -> V {
    if root {
        let e = exponent(x.1);
        let to = maker.place() & !1;
        let to = if (e & 1) == 0 { to } else { to + 1 };
        let moved = maker.moved(x, to.min(1022));
        let y = maker.bind((method("sqrt", moved.0, &[]), moved.1.sqrt()));
        let half = (exponent(x.1) - exponent(moved.1)) / 2;
        return maker.moved(y, exponent(y.1) + half);
    }
    let magic = 0x7fde_6238_502c_e8c2 + maker.random.below(2) as i64;
    let bits = method("to_bits", x.0, &[]);
    let word = binary(BinOp::Sub, expr(ExprKind::Const(Const::I64(magic))), bits);
    let seed = expr(ExprKind::Assoc(Ty::F64, "from_bits", leak(vec![*word])));
    let at = f64::from_bits((magic - x.1.to_bits() as i64) as u64);
    let mut y = maker.bind((seed, at));
    for _ in 0..maker.random.within(3, 5) {
        y = match maker.random.chance(50) {
            true => {
                let p = maker.bind(Maker::mul(x, y));
                let q = maker.bind(Maker::sub(number(2.0), p));
                maker.bind(Maker::mul(y, q))
            }
            false => {
                let minus = (expr(ExprKind::Unary(UnOp::Neg, y.0)), -y.1);
                let e = maker.bind(Maker::fma(x, minus, number(1.0)));
                maker.bind(Maker::fma(y, e, y))
            }
        };
    }
    by_way(maker, y, 0)
}

/// A routine for a function: 0 for e^x, 1 for 1/x, 2 for √x, near a number.
fn routine(random: Random, number_of: u64, which: usize, from: f64, lg: u32) -> &'static Kernel {
    let mut maker = Maker {
        stmts: Vec::new(),
        names: vec!["x"],
        values: vec![from],
        random,
        lg,
    };
    let x = (local(0), from);
    let last = match which {
        0 => exponential(&mut maker, x),
        _ => of_power(&mut maker, x, which == 2),
    };
    maker.bind(last);
    maker.finish(number_of)
}

/// Kernel `n` of a seed, its function, and its stretch of `2^lg` inputs: two of three are random, the others routines for functions.
pub fn subject(seed: u64, n: u64, lg: u32) -> (Program, Truth, Cell) {
    let mut random = Random::of(seed ^ 0x1aae, n);
    let from = begin(&mut random, lg);
    let (kernel, law, from) = match n % 6 {
        4 | 5 => {
            let which = random.below(4).saturating_sub(1);
            let e = random.within(0, 900) as i32 - 450;
            let from = match which {
                0 => {
                    let x = random.below(1 << 40) as f64 / (1u64 << 40) as f64 * 1380.0 - 690.0;
                    if random.chance(30) { x / 64.0 } else { x }
                }
                _ => from * 2f64.powi(e),
            };
            let law = [Law::Exp, Law::Recip, Law::Sqrt][which];
            (routine(random, n, which, from, lg), Some(law), from)
        }
        _ => (kernel(random, n, from, lg), None, from),
    };
    let program = kernels_gen::lower(kernel).unwrap_or_else(|e| panic!("kernel {n}: {e}"));
    let truth = law.map_or_else(|| Truth::Program(program.clone()), Truth::Law);
    (program, truth, from_on(from, lg))
}

/// `2^lg` inputs from one on, of its sign, away from 0.
pub fn from_on(from: f64, lg: u32) -> Cell {
    let far = step(from.abs(), (1 << lg) - 1, BINARY64).copysign(from);
    Cell {
        lo: from.min(far),
        hi: from.max(far),
    }
}
