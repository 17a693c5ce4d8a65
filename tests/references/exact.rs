//! Operations that are exact or correctly rounded: error-free transformations, comparisons, conversions.

use std::cmp::Ordering;

use doublecrunch::mpfr::rug::Float;
use doublecrunch::prelude::*;

use crate::inputs::{Rng, any, cancelling, double, power};
use crate::measure::{exact, float, inputs};

fn value(x: f64) -> Float {
    float() + x
}

#[test]
fn error_free_transformations() {
    let mut rng = Rng(10);
    for _ in 0..inputs() {
        let (x, y) = cancelling(&mut rng, 480);
        let (a, b) = (x.hi, y.hi);
        let sum = value(a) + b;
        let s = two_sum::eval(a, b);
        assert_eq!(s.hi, a + b);
        assert_eq!(exact(s), sum, "{a:e} + {b:e}");
        if a.abs() >= b.abs() {
            assert_eq!(fast_two_sum::eval(a, b), s, "{a:e} + {b:e}");
        }
        let (a, b) = (any(&mut rng, 480).hi, any(&mut rng, 480).hi);
        let p = two_prod::eval(a, b);
        assert_eq!(exact(p), value(a) * b, "{a:e} * {b:e}");
        assert_eq!(two_prod_dekker::eval(a, b), p, "{a:e} * {b:e}");
        let s = veltkamp_split::eval(a);
        assert_eq!(s.hi + s.lo, a, "{a:e}");
        for part in [s.hi, s.lo] {
            // 26 bits: nothing below the highest 26 bits of its own.
            let ulp = power(((part.to_bits() >> 52 & 0x7ff) as i32 - 1023 - 25).max(-1074));
            assert_eq!(part % ulp, 0.0, "{a:e}");
        }
    }
}

#[test]
fn comparisons() {
    let mut rng = Rng(11);
    let mut seen = [0; 3];
    for _ in 0..inputs() {
        let x = any(&mut rng, 480);
        let y = match rng.below(4) {
            0 => any(&mut rng, 480),
            1 => x,
            2 => DoubleDouble { lo: -x.lo, ..x },
            _ => DoubleDouble {
                lo: x.lo / 2.0,
                ..x
            },
        };
        let order = exact(x).partial_cmp(&exact(y)).expect("numbers");
        seen[(order as i8 + 1) as usize] += 1;
        let found = [
            dd_lt::eval(x, y),
            dd_le::eval(x, y),
            dd_gt::eval(x, y),
            dd_ge::eval(x, y),
            dd_eq::eval(x, y),
            dd_ne::eval(x, y),
        ];
        let right = [
            order.is_lt(),
            order.is_le(),
            order.is_gt(),
            order.is_ge(),
            order.is_eq(),
            order.is_ne(),
        ];
        assert_eq!(found, right, "{x:?} {y:?} {order:?}");
        assert_eq!(exact(dd_neg::eval(x)), -exact(x));
        assert_eq!(exact(dd_abs::eval(x)), exact(x).abs());
        let p = power(rng.around(300));
        assert_eq!(exact(dd_scale::eval(x, p)), exact(x) * p);
    }
    assert!(seen.iter().all(|n| *n > 100), "{seen:?}");
    let nan = DoubleDouble {
        hi: f64::NAN,
        lo: 0.0,
    };
    for (x, y) in [(nan, nan), (nan, DoubleDouble::default())] {
        assert!(dd_ne::eval(x, y) && !dd_eq::eval(x, y));
        assert!(
            !dd_lt::eval(x, y) && !dd_le::eval(x, y) && !dd_gt::eval(x, y) && !dd_ge::eval(x, y)
        );
    }
    let inf = DoubleDouble {
        hi: f64::INFINITY,
        lo: 0.0,
    };
    assert!(dd_eq::eval(inf, inf) && dd_lt::eval(DoubleDouble { hi: 1.0, lo: 0.0 }, inf));
}

/// Doubles around the boundaries between floats, with low words that decide the side.
fn near_a_float(rng: &mut Rng) -> DoubleDouble {
    let bits = rng.word() as u32;
    let f = match rng.below(4) {
        // Subnormal floats, the largest ones, and zero.
        0 => f32::from_bits(bits & 0x807f_ffff),
        1 => f32::from_bits(0x7f7f_fff0 | bits & 0x8000_000f),
        _ => f32::from_bits(bits),
    };
    let f = if f.is_finite() { f } else { 0.0 };
    let half = power(((f.to_bits() >> 23 & 0xff) as i32).max(1) - 127 - 24);
    let hi = f64::from(f) + half * (rng.around(4) as f64) / 2.0;
    let hi = f64::from_bits(hi.to_bits().wrapping_add_signed(i64::from(rng.around(1))));
    let lo =
        half * power(-29) * [0.0, 1.0, 0.5, -0.25, 1e-9, -1.0, -0.5, -1e-9][rng.below(8) as usize];
    let hi = if hi.is_finite() { hi } else { 0.0 };
    if hi + lo == hi {
        DoubleDouble { hi, lo }
    } else {
        DoubleDouble { hi, lo: 0.0 }
    }
}

/// Rounded to nearest even. Below the normal numbers we round to multiples of 2^-149 ourselves: MPFR 4.2.0's
/// `mpfr_get_flt` sometimes gives a neighbour there.
fn to_f32(x: &Float) -> f32 {
    if x.to_f64().abs() >= power(-126) {
        return x.to_f32();
    }
    let steps = Float::with_val(x.prec(), x << 149).round_even();
    (steps.to_f64() * power(-149)) as f32
}

#[test]
fn conversions() {
    let mut rng = Rng(12);
    for i in 0..inputs() {
        let n = match i % 4 {
            0 => i64::MAX - (i as i64 / 4),
            1 => i64::MIN + (i as i64 / 4),
            2 => (rng.word() as i64) >> (rng.word() & 63),
            _ => rng.word() as i64,
        };
        let z = dd_from_i64::eval(n);
        assert_eq!(exact(z), float() + n, "{n}");
        assert_eq!(z.hi, n as f64, "{n}");
        let x = double(&mut rng, 1020);
        assert_eq!(exact(dd_from_f64::eval(x)), value(x));
        let f = f32::from_bits(rng.word() as u32);
        if f.is_finite() {
            assert_eq!(exact(dd_from_f32::eval(f)), value(f.into()));
        }
        let x = any(&mut rng, 480);
        assert_eq!(dd_to_f64::eval(x), x.hi);
        let not_normalised = DoubleDouble { hi: x.lo, lo: x.hi };
        assert_eq!(dd_to_f64::eval(not_normalised), x.hi);
        for x in [near_a_float(&mut rng), any(&mut rng, 160)] {
            let found = dd_to_f32::eval(x);
            let right = to_f32(&exact(x));
            assert_eq!(
                found.to_bits(),
                right.to_bits(),
                "{x:?}: {found:e} {right:e}"
            );
        }
    }
    for special in [f64::INFINITY, f64::NEG_INFINITY, 0.0, -0.0, f64::MAX] {
        let x = DoubleDouble {
            hi: special,
            lo: 0.0,
        };
        assert_eq!(dd_to_f32::eval(x).to_bits(), (special as f32).to_bits());
    }
    assert!(
        dd_to_f32::eval(DoubleDouble {
            hi: f64::NAN,
            lo: f64::NAN
        })
        .is_nan()
    );
}

/// Why `dd_to_f32` is more than `hi.to_f32()`: a tie that the low word breaks.
#[test]
fn the_high_word_alone_rounds_wrongly() {
    let x = DoubleDouble {
        hi: 1.0 + power(-24),
        lo: power(-80),
    };
    assert_eq!((x.hi as f32, dd_to_f32::eval(x)), (1.0, 1.0 + f32::EPSILON));
    assert_eq!(exact(x).partial_cmp(&x.hi), Some(Ordering::Greater));
}
