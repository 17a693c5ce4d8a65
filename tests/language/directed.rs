//! Directed roundings: every method on every backend, on operands chosen for them, compared with the interpreter; the
//! interpreter compared with MPFR (feature `mpfr`).

use doublecrunch::__private_v0_2::LaneFn;
use doublecrunch::backend::KernelRef;
use doublecrunch::prelude::*;
use kernels_gen::interp::{Bits, eval_batch};
use kernels_gen::ops::{Arith, Direction, Op, Prim};

use crate::check::kernels;
use crate::support;
use crate::values::Rng;

/// All of them for one precision, in the order of [`Arith::ALL`] and [`Direction::ALL`].
macro_rules! methods {
    ($lanes:ident: $all:ident $three:ident) => {
        type $three<T> = (T, T, T);

        #[crunch]
        fn $all(
            a: $lanes,
            b: $lanes,
            c: $lanes,
        ) -> (
            ($lanes, $lanes, $lanes),
            ($lanes, $lanes, $lanes),
            ($lanes, $lanes, $lanes),
            ($lanes, $lanes, $lanes),
            ($lanes, $lanes, $lanes),
            ($lanes, $lanes, $lanes),
            ($lanes, $lanes, $lanes),
        ) {
            (
                (a.add_rz(b), a.add_ru(b), a.add_rd(b)),
                (a.sub_rz(b), a.sub_ru(b), a.sub_rd(b)),
                (a.mul_rz(b), a.mul_ru(b), a.mul_rd(b)),
                (a.div_rz(b), a.div_ru(b), a.div_rd(b)),
                (a.recip_rz(), a.recip_ru(), a.recip_rd()),
                (a.sqrt_rz(), a.sqrt_ru(), a.sqrt_rd()),
                (a.mul_add_rz(b, c), a.mul_add_ru(b, c), a.mul_add_rd(b, c)),
            )
        }
    };
}
methods!(DcDouble: directed64 Doubles);
methods!(DcFloat: directed32 Floats);

/// The interpreter's result for one row.
fn interpreted(ty: Prim, arith: Arith, direction: Direction, row: &[u64; 3]) -> u64 {
    let args: Vec<&u64> = row[..arith.operands()].iter().collect();
    Bits.op(
        Op::Directed(arith, direction),
        &[ty; 3][..args.len()],
        &args,
    )
}

fn three64(arith: Arith, (a, b, c): Doubles<f64>) -> Doubles<f64> {
    let row = [a, b, c].map(f64::to_bits);
    let [rz, ru, rd] =
        Direction::ALL.map(|d| f64::from_bits(interpreted(Prim::F64, arith, d, &row)));
    (rz, ru, rd)
}

fn three32(arith: Arith, (a, b, c): Floats<f32>) -> Floats<f32> {
    let row = [a, b, c].map(|x| x.to_bits().into());
    let [rz, ru, rd] =
        Direction::ALL.map(|d| f32::from_bits(interpreted(Prim::F32, arith, d, &row) as u32));
    (rz, ru, rd)
}

kernels! {
    directed_roundings_of_doubles: directed64 = |x| {
        use Arith::*;
        let [add, sub, mul, div, recip, sqrt, fma] =
            [Add, Sub, Mul, Div, Recip, Sqrt, Fma].map(|arith| three64(arith, x));
        (add, sub, mul, div, recip, sqrt, fma)
    };
    directed_roundings_of_floats: directed32 = |x| {
        use Arith::*;
        let [add, sub, mul, div, recip, sqrt, fma] =
            [Add, Sub, Mul, Div, Recip, Sqrt, Fma].map(|arith| three32(arith, x));
        (add, sub, mul, div, recip, sqrt, fma)
    };
}

/// A format: digits after the leading one, the exponents of the smallest normal and of the largest numbers.
#[derive(Clone, Copy)]
struct Format {
    ty: Prim,
    digits: u32,
    min: i64,
    max: i64,
}

impl Format {
    fn of(ty: Prim) -> Self {
        let (digits, max) = if ty == Prim::F64 {
            (52, 1023)
        } else {
            (23, 127)
        };
        Format {
            ty,
            digits,
            min: 1 - max,
            max,
        }
    }
    fn sign(self) -> u64 {
        1 << if self.ty == Prim::F64 { 63 } else { 31 }
    }
    /// `2^exponent`, subnormal below the smallest normal number.
    fn power(self, exponent: i64) -> u64 {
        match exponent - self.min {
            below @ ..0 => 1 << (i64::from(self.digits) + below),
            above => ((above + 1) as u64) << self.digits,
        }
    }
    /// Both signs.
    fn both(self, magnitudes: &[u64]) -> Vec<u64> {
        let negative = magnitudes.iter().map(|m| m | self.sign());
        magnitudes.iter().copied().chain(negative).collect()
    }

    /// Numbers of every kind: zeros, both ends of the subnormal and of the normal range, 1, powers of two at which
    /// products, quotients and residuals begin to underflow, few digits and many, infinity, NaN.
    fn structured(self) -> Vec<u64> {
        let (one, infinity) = (self.power(0), self.power(self.max + 1));
        let p = i64::from(self.digits) + 1;
        let mut m = vec![0, 1, 2, 3, infinity, infinity | 1 << (self.digits - 1)];
        for at in [self.power(self.min), one, self.power(p)] {
            m.extend([at - 1, at, at + 1]);
        }
        m.extend([one + 2, one - 2, infinity - 1, infinity - 2]);
        for n in [
            self.max,
            self.max - 1,
            self.max - p,
            self.max / 2,
            self.max / 2 + 1,
            p / 2,
            1,
            -1,
            1 - p,
            -p,
            -2 * p,
            self.min / 2,
            self.min / 2 - p,
            self.min + p,
            self.min + 2 * p + 1,
            self.min + 1,
            self.min - p / 2,
        ] {
            m.push(self.power(n));
        }
        // 1.5, 4/3, and other fractions, at both ends and in the middle.
        let fraction = (1u64 << self.digits) - 1;
        for n in [0, self.max, self.min, self.min / 2, self.max / 2] {
            for digits in [
                1 << (self.digits - 1),
                0x5555_5555_5555_5555,
                0x0123_4567_89ab_cdef,
            ] {
                m.push(self.power(n) | digits & fraction);
            }
        }
        self.both(&m)
    }

    /// The smaller set of numbers from which triples are made.
    fn fewer(self) -> Vec<u64> {
        let (one, infinity) = (self.power(0), self.power(self.max + 1));
        let p = i64::from(self.digits) + 1;
        let normal = self.power(self.min);
        self.both(&[
            0,
            1,
            normal - 1,
            normal,
            normal + 1,
            self.power(self.min / 2),
            self.power(self.min / 2) + 1,
            self.power(-p),
            one - 1,
            one,
            one + 1,
            self.power(p),
            self.power(self.max / 2 + 1) + 1,
            infinity - 1,
            infinity,
            infinity | 1 << (self.digits - 1),
        ])
    }

    /// A number of the binade of `2^exponent`, with many digits or few.
    fn number(self, rng: &mut Rng, exponent: i64) -> u64 {
        let word = rng.word();
        let hidden = 1u64 << self.digits;
        let mut fraction = word & (hidden - 1);
        if word >> 62 & 1 == 0 {
            fraction &= !0 << ((word >> 53 & 63).min(u64::from(self.digits)));
        }
        let magnitude = match exponent.min(self.max) {
            e if e < self.min => (hidden | fraction) >> (self.min - e).min(63),
            e => self.power(e) | fraction,
        };
        magnitude | if word >> 63 == 1 { self.sign() } else { 0 }
    }

    /// Operands for which the operation is hard: results that are subnormal, vanish or are next to overflow; addends
    /// that are far smaller or cancel; results that are representable but for one digit far below the last place.
    fn hard(self, arith: Arith, rng: &mut Rng) -> [u64; 3] {
        let wide = i64::from(self.digits) + 1;
        let between =
            |rng: &mut Rng, from: i64, to: i64| from + (rng.word() >> 1) as i64 % (to - from + 1);
        let result = match rng.word() % 4 {
            0 => between(rng, self.min - wide - 4, self.min + 4),
            1 => between(rng, self.max - 3, self.max + 1),
            2 => between(rng, -4, 4),
            _ => between(rng, self.min - wide, self.max),
        };
        let gap = match rng.word() % 3 {
            0 => between(rng, -2, 2),
            1 => between(rng, -2 * wide - 6, 2 * wide + 6),
            _ => between(rng, self.min - self.max, self.max - self.min),
        };
        let free = between(rng, self.min, self.max);
        let exponents = match arith {
            Arith::Add | Arith::Sub => [result, result + gap, 0],
            Arith::Div => [result + free, free, 0],
            Arith::Recip => [-result, 0, 0],
            Arith::Sqrt => [result, result / 2, 0],
            Arith::Mul | Arith::Fma => [free, result - free, result + gap],
        };
        let mut row = exponents.map(|e| self.number(rng, e));
        let near = rng.word() % 4;
        let op = |op, args: &[&u64]| Bits.op(op, &[self.ty; 3][..args.len()], args);
        if near < 3 {
            let [a, b, c] = &mut row;
            match arith {
                // A root or a quotient next to a number of the format.
                Arith::Sqrt => *a = op(Op::Mul, &[b, b]) ^ near,
                Arith::Div => *a = op(Op::Mul, &[a, b]) ^ near,
                Arith::Fma => {
                    let product = op(Op::Mul, &[a, b]);
                    *c = op(Op::Neg, &[&product]) ^ near;
                }
                _ => {}
            }
        }
        row
    }

    /// The rows: all pairs, all triples of the smaller set, and the given number of hard ones.
    fn rows(self, hard: u64) -> Vec<[u64; 3]> {
        let structured = self.structured();
        let mut rows = Vec::new();
        for &a in &structured {
            rows.extend(structured.iter().map(|&b| [a, b, 0]));
        }
        let fewer = self.fewer();
        for &a in &fewer {
            for &b in &fewer {
                rows.extend(fewer.iter().map(|&c| [a, b, c]));
            }
        }
        let rng = &mut Rng::new();
        for _ in 0..hard / Arith::ALL.len() as u64 {
            rows.extend(Arith::ALL.map(|arith| self.hard(arith, rng)));
        }
        rows
    }
}

/// Runs all rows on all backends.
fn everywhere<K: LaneFn>(ty: Prim) {
    let kernel = KernelRef::of::<K>();
    let program = kernels_gen::lower(K::KERNEL).unwrap_or_else(|e| panic!("{e}"));
    let rows = Format::of(ty).rows(20_000);
    for backend in support::backends("directed", "all") {
        let id = backend.id();
        // Backends with small batches are slow.
        let step = if backend.preferred_batch() <= 1 << 14 {
            97
        } else {
            1
        };
        let rows: Vec<&[u64; 3]> = rows.iter().step_by(step).collect();
        let columns: Vec<Vec<u64>> = (0..3)
            .map(|i| rows.iter().map(|r| r[i]).collect())
            .collect();
        let columns: Vec<&[u64]> = columns.iter().map(Vec::as_slice).collect();
        let mut want = vec![Vec::new(); 21];
        eval_batch(&program, &columns, &mut want);
        let mut got = vec![Vec::new(); 21];
        let loaded = backend
            .load(&kernel)
            .unwrap_or_else(|e| panic!("{id}: {e}"));
        let mut loaded = loaded;
        loaded
            .eval(&columns, &mut got)
            .unwrap_or_else(|e| panic!("{id}: {e}"));
        let mut wrong = Vec::new();
        let ops = Arith::ALL
            .into_iter()
            .flat_map(|a| Direction::ALL.map(|d| (a, d)));
        for ((arith, direction), (want, got)) in ops.zip(want.iter().zip(&got)) {
            assert_eq!(want.len(), got.len(), "{id}");
            let differ: Vec<usize> = (0..rows.len()).filter(|&i| want[i] != got[i]).collect();
            if let Some(&i) = differ.first() {
                wrong.push(format!(
                    "{arith:?} {direction:?} of {:x?} is {:x}, not {:x}; {} of {}",
                    rows[i],
                    got[i],
                    want[i],
                    differ.len(),
                    rows.len()
                ));
            }
        }
        assert!(wrong.is_empty(), "{id}:\n{}", wrong.join("\n"));
    }
}

/// The example of docs/book/src/reference/directed.md.
#[test]
fn an_interval_holds_the_root() {
    /// The square root of an interval plus one: `lo` rounded down, `hi` up.
    #[crunch]
    fn root_plus_one(lo: DcDouble, hi: DcDouble) -> (DcDouble, DcDouble) {
        (lo.sqrt_rd().add_rd(1.0), hi.sqrt_ru().add_ru(1.0))
    }
    let (lo, hi) = root_plus_one::eval(2.0, 2.0);
    let shown = format!("assert_eq!((lo, hi), ({lo:?}, {hi:?}));");
    let page = include_str!("../../docs/book/src/reference/directed.md");
    assert!(page.contains(&shown), "directed.md lacks {shown}");
}

#[test]
fn doubles_on_every_backend() {
    everywhere::<directed64>(Prim::F64);
}

#[test]
fn floats_on_every_backend() {
    everywhere::<directed32>(Prim::F32);
}

/// MPFR with the format's digits, in the direction, then its emulation of subnormal numbers.
#[cfg(feature = "mpfr")]
mod mpfr {
    use doublecrunch::mpfr::rug::Float;
    use doublecrunch::mpfr::rug::float::Round;
    use std::cmp::Ordering;

    use super::*;

    fn round(direction: Direction) -> Round {
        match direction {
            Direction::Zero => Round::Zero,
            Direction::Up => Round::Up,
            Direction::Down => Round::Down,
        }
    }

    /// The result of one operation, as a double; binary32 numbers are doubles too.
    fn result(format: Format, arith: Arith, direction: Direction, [a, b, c]: [f64; 3]) -> f64 {
        let (precision, r) = (format.digits + 1, round(direction));
        let [x, y, z] = [a, b, c].map(|v| Float::with_val(precision, v));
        let (t, ordering): (Float, Ordering) = match arith {
            Arith::Add => Float::with_val_round(precision, &x + &y, r),
            Arith::Sub => Float::with_val_round(precision, &x - &y, r),
            Arith::Mul => Float::with_val_round(precision, &x * &y, r),
            Arith::Div => Float::with_val_round(precision, &x / &y, r),
            Arith::Recip => Float::with_val_round(precision, x.recip_ref(), r),
            Arith::Sqrt => Float::with_val_round(precision, x.sqrt_ref(), r),
            Arith::Fma => Float::with_val_round(precision, x.mul_add_ref(&y, &z), r),
        };
        finish(format, direction, t, ordering)
    }

    /// Rounds to the digits and the range of the format.
    fn finish(format: Format, direction: Direction, mut t: Float, ordering: Ordering) -> f64 {
        let Some(exponent) = t.get_exp() else {
            return t.to_f64();
        };
        let negative = t.is_sign_negative();
        let outward = match direction {
            Direction::Zero => false,
            Direction::Up => !negative,
            Direction::Down => negative,
        };
        // MPFR's numbers are below 2^exponent.
        let exponent = i64::from(exponent) - 1;
        let least = match format.ty {
            Prim::F64 => f64::from_bits(1),
            _ => f32::from_bits(1).into(),
        };
        let magnitude = if exponent > format.max {
            let largest = if format.ty == Prim::F64 {
                f64::MAX
            } else {
                f32::MAX.into()
            };
            if outward { f64::INFINITY } else { largest }
        } else if exponent < format.min - i64::from(format.digits) {
            if outward { least } else { 0.0 }
        } else {
            t.subnormalize_ieee_round(ordering, round(direction));
            t.to_f64().abs()
        };
        if negative { -magnitude } else { magnitude }
    }

    /// `CRUNCH_REFERENCE_INPUTS` sets the number of hard rows besides the structured ones.
    fn check(ty: Prim) {
        let format = Format::of(ty);
        let hard = std::env::var("CRUNCH_REFERENCE_INPUTS").map_or(30_000, |n| {
            n.parse().expect("CRUNCH_REFERENCE_INPUTS is a number")
        });
        let value = |bits: u64| match ty {
            Prim::F64 => f64::from_bits(bits),
            _ => f32::from_bits(bits as u32).into(),
        };
        let bits = |x: f64| match ty {
            _ if x.is_nan() => {
                if ty == Prim::F64 {
                    0x7ff8 << 48
                } else {
                    0x7fc0 << 16
                }
            }
            Prim::F64 => x.to_bits(),
            _ => (x as f32).to_bits().into(),
        };
        let (mut rows, mut compared) = (0, 0u64);
        for row in format.rows(hard) {
            rows += 1;
            for arith in Arith::ALL {
                // Triples repeat their pairs.
                for direction in Direction::ALL {
                    let want = bits(result(format, arith, direction, row.map(value)));
                    let got = interpreted(ty, arith, direction, &row);
                    assert_eq!(
                        got, want,
                        "{arith:?} {direction:?} of {row:x?}: {got:x}, not {want:x}"
                    );
                    compared += 1;
                }
            }
        }
        println!("{ty:?}: {compared} results at {rows} rows are MPFR's");
    }

    #[test]
    fn doubles_are_mpfr_s() {
        check(Prim::F64);
    }

    #[test]
    fn floats_are_mpfr_s() {
        check(Prim::F32);
    }
}
