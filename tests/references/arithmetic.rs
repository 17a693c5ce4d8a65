//! Double-double arithmetic: one line per kernel, its bound in u².

use doublecrunch::mpfr::rug::Float;
use doublecrunch::prelude::*;

use crate::inputs::{Rng, any, cancelling, double, positive};
use crate::measure::{Worst, exact, in_u2, inputs, worst};

type Dd = DoubleDouble;
type Pair = (Dd, Dd);

/// Exponents of sums; those of operands of products and quotients are such that the results stay in the same range.
const SUMS: i32 = 480;
const PRODUCTS: i32 = 240;

/// A double as a double-double.
fn single(hi: f64) -> Dd {
    Dd { hi, lo: 0.0 }
}

fn one(
    n: u64,
    seed: u64,
    gen_x: fn(&mut Rng) -> Dd,
    f: fn(Dd) -> Dd,
    z: fn(Float) -> Float,
) -> Worst {
    let mut rng = Rng(seed);
    worst(
        n,
        || gen_x(&mut rng),
        |&x| {
            let z = z(exact(x));
            in_u2(f(x), &z, &z)
        },
    )
}

fn two(
    n: u64,
    seed: u64,
    gen_xy: fn(&mut Rng) -> Pair,
    f: fn(Dd, Dd) -> Dd,
    z: fn(Float, &Float) -> Float,
) -> Worst {
    let mut rng = Rng(seed);
    worst(
        n,
        || gen_xy(&mut rng),
        |&(x, y)| {
            let z = z(exact(x), &exact(y));
            in_u2(f(x, y), &z, &z)
        },
    )
}

fn sums(rng: &mut Rng) -> Pair {
    cancelling(rng, SUMS)
}
fn sums_f64(rng: &mut Rng) -> Pair {
    let (x, y) = cancelling(rng, SUMS);
    (x, single(y.hi))
}
fn same_sign(rng: &mut Rng) -> Pair {
    let (x, y) = cancelling(rng, SUMS);
    let flip = if (x.hi < 0.0) == (y.hi < 0.0) {
        1.0
    } else {
        -1.0
    };
    (
        x,
        Dd {
            hi: y.hi * flip,
            lo: y.lo * flip,
        },
    )
}
fn factors(rng: &mut Rng) -> Pair {
    (any(rng, PRODUCTS), any(rng, PRODUCTS))
}
fn factors_f64(rng: &mut Rng) -> Pair {
    (any(rng, PRODUCTS), single(any(rng, PRODUCTS).hi))
}
fn factor(rng: &mut Rng) -> Dd {
    any(rng, PRODUCTS)
}
fn divisor(rng: &mut Rng) -> Dd {
    any(rng, SUMS)
}
fn divisor_f64(rng: &mut Rng) -> Dd {
    single(any(rng, SUMS).hi)
}
fn radicand(rng: &mut Rng) -> Dd {
    positive(rng, SUMS)
}
fn radicand_f64(rng: &mut Rng) -> Dd {
    single(double(rng, SUMS))
}

/// The bound in a kernel's documentation, and the error found.
struct Row {
    name: &'static str,
    bound: f64,
    inputs: &'static str,
    worst: Worst,
}

macro_rules! rows {
    ($($how:ident $name:ident <= $bound:expr, $inputs:ident, $f:expr, $z:expr;)+) => {
        [$(|n: u64, seed: u64| Row {
            name: stringify!($name),
            bound: $bound,
            inputs: stringify!($inputs),
            worst: $how(n, seed, $inputs, $f, $z),
        }),+]
    };
}

/// Terms in u³ that a bound omits, below 100 u³.
const CUBES: f64 = 1.0 + 1e-14;

fn measure(rows: &[fn(u64, u64) -> Row]) -> Vec<Row> {
    let n = inputs();
    let mut measured = Vec::new();
    println!(
        "{:<28} {:>8} {:>10}  inputs",
        "kernel", "bound/u²", "found/u²"
    );
    for (seed, row) in (1..).zip(rows) {
        let r = row(n, seed);
        println!(
            "{:<28} {:>8} {:>10.6}  {n} {}, worst at {}",
            r.name, r.bound, r.worst.error, r.inputs, r.worst.at
        );
        measured.push(r);
    }
    measured
}

#[test]
fn bounds_hold() {
    let rows: Vec<fn(u64, u64) -> Row> = rows! {
        two dd_add <= 3.0, sums, dd_add::eval, |x, y| x + y;
        two dd_add_sloppy <= 3.0, same_sign, dd_add_sloppy::eval, |x, y| x + y;
        two dd_sub <= 3.0, sums, dd_sub::eval, |x, y| x - y;
        two dd_add_f64 <= 2.0, sums_f64, |x, y| dd_add_f64::eval(x, y.hi), |x, y| x + y;
        two dd_mul <= 4.0, factors, dd_mul::eval, |x, y| x * y;
        two dd_mul_sloppy <= 5.0, factors, dd_mul_sloppy::eval, |x, y| x * y;
        two dd_mul_no_fma <= 5.0, factors, dd_mul_no_fma::eval, |x, y| x * y;
        two dd_mul_f64 <= 2.0, factors_f64, |x, y| dd_mul_f64::eval(x, y.hi), |x, y| x * y;
        two dd_mul_f64_sloppy <= 3.0, factors_f64, |x, y| dd_mul_f64_sloppy::eval(x, y.hi), |x, y| x * y;
        two dd_mul_f64_no_fma <= 1.5, factors_f64, |x, y| dd_mul_f64_no_fma::eval(x, y.hi), |x, y| x * y;
        one dd_square <= 3.0, factor, dd_square::eval, |x| x.square();
        two dd_div <= 15.0, factors, dd_div::eval, |x, y| x / y;
        two dd_div_accurate <= 9.8, factors, dd_div_accurate::eval, |x, y| x / y;
        two dd_div_f64 <= 3.0, factors_f64, |x, y| dd_div_f64::eval(x, y.hi), |x, y| x / y;
        one dd_recip <= 2.0, divisor_f64, |x| dd_recip::eval(x.hi), Float::recip;
        one dd_recip_dd <= 7.0, divisor, dd_recip_dd::eval, Float::recip;
        one dd_sqrt <= 25.0 / 8.0, radicand, dd_sqrt::eval, Float::sqrt;
        one dd_sqrt_f64 <= 4.0, radicand_f64, |x| dd_sqrt_f64::eval(x.hi), Float::sqrt;
        one dd_rsqrt <= 13.5, radicand, dd_rsqrt::eval, Float::recip_sqrt;
        one dd_rsqrt_f64 <= 10.0, radicand_f64, |x| dd_rsqrt_f64::eval(x.hi), Float::recip_sqrt;
    }
    .to_vec();
    for r in measure(&rows) {
        assert!(
            r.worst.error <= r.bound * CUBES,
            "{}: {} u² at {}",
            r.name,
            r.worst.error,
            r.worst.at
        );
    }
}

/// Products and sums that may cancel: relative to `4u² |x y| + 3u² |x y + z|`.
#[test]
fn a_product_and_a_sum() {
    let mut rng = Rng(3);
    let inputs = || {
        let (x, y) = factors(&mut rng);
        let p = dd_mul::eval(x, y);
        let z = match rng.below(3) {
            0 => any(&mut rng, PRODUCTS),
            1 => Dd {
                hi: -p.hi,
                lo: p.lo,
            },
            _ => Dd {
                hi: -p.hi,
                lo: -p.lo,
            },
        };
        (x, y, z)
    };
    let w = worst(crate::measure::inputs(), inputs, |&(x, y, z)| {
        let product = exact(x) * exact(y);
        let sum = exact(z) + &product;
        let allowed = product.abs() * 4 + Float::with_val(1280, sum.abs_ref()) * 3;
        in_u2(dd_mul_add::eval(x, y, z), &sum, &allowed)
    });
    println!("dd_mul_add: {} of its bound, at {}", w.error, w.at);
    assert!(w.error <= CUBES && w.error > 0.1, "{} at {}", w.error, w.at);
}

/// Results are normalised: the sum of both words rounds to the first. (`dd_recip` and `dd_sqrt_f64` may miss that by
/// a tie.)
#[test]
fn results_are_normalised() {
    let mut rng = Rng(4);
    for _ in 0..inputs() {
        let (x, y) = cancelling(&mut rng, SUMS);
        let (a, b) = factors(&mut rng);
        let r = radicand(&mut rng);
        for z in [
            dd_add::eval(x, y),
            dd_add_f64::eval(x, y.hi),
            dd_mul::eval(a, b),
            dd_mul_sloppy::eval(a, b),
            dd_mul_no_fma::eval(a, b),
            dd_mul_f64::eval(a, b.hi),
            dd_mul_f64_no_fma::eval(a, b.hi),
            dd_square::eval(a),
            dd_div::eval(a, b),
            dd_div_accurate::eval(a, b),
            dd_div_f64::eval(a, b.hi),
            dd_recip_dd::eval(a),
            dd_sqrt::eval(r),
            dd_rsqrt::eval(r),
            dd_rsqrt_f64::eval(r.hi),
        ] {
            assert!(
                z.hi + z.lo == z.hi,
                "{z:?} of {x:?} {y:?} {a:?} {b:?} {r:?}"
            );
        }
    }
}

/// `dd_add` without the error of the low words' sum.
#[crunch]
fn add_without_a_term(x: DcDoubleDouble, y: DcDoubleDouble) -> DcDoubleDouble {
    let s = two_sum(x.hi, y.hi);
    let t = two_sum(x.lo, y.lo);
    let v = fast_two_sum(s.hi, s.lo + t.hi);
    fast_two_sum(v.hi, v.lo)
}

/// `dd_mul` without one of the cross products' low bits: the fused operation rounded twice.
#[crunch]
fn mul_without_a_term(x: DcDoubleDouble, y: DcDoubleDouble) -> DcDoubleDouble {
    let c = two_prod(x.hi, y.hi);
    fast_two_sum(c.hi, c.lo + x.hi * y.lo)
}

/// `dd_recip` with its correction's sign wrong.
#[crunch]
fn recip_with_a_sign(x: DcDouble) -> DcDoubleDouble {
    let hi = x.recip();
    let remainder = hi.mul_add(x, -1.0);
    DcDoubleDouble::new(hi, hi * remainder)
}

/// `dd_div` with the quotient of `hi` alone.
#[crunch]
fn div_of_hi(x: DcDoubleDouble, y: DcDoubleDouble) -> DcDoubleDouble {
    let q = x.hi / y.hi;
    let r = dd_mul_f64(y, q);
    fast_two_sum(q, (x.hi - r.hi) / y.hi)
}

#[test]
fn faults_are_found() {
    let rows: Vec<fn(u64, u64) -> Row> = rows! {
        two add_without_a_term <= 3.0, sums, add_without_a_term::eval, |x, y| x + y;
        two dd_add_sloppy <= 3.0, sums, dd_add_sloppy::eval, |x, y| x + y;
        two mul_without_a_term <= 4.0, factors, mul_without_a_term::eval, |x, y| x * y;
        two div_of_hi <= 15.0, factors, div_of_hi::eval, |x, y| x / y;
        one recip_with_a_sign <= 2.0, divisor_f64, |x| recip_with_a_sign::eval(x.hi), Float::recip;
    }
    .to_vec();
    for r in measure(&rows) {
        assert!(
            r.worst.error > 2.0 * r.bound,
            "{}: {}",
            r.name,
            r.worst.error
        );
    }
}
