//! Nine routines as a user might write them on the first day. `tests/nine.rs` declares their sweeps, and `docs/book/src/evidence/nine-routines.md` has
//! their lines and errors.

use doublecrunch::prelude::*;

const LN2: [f64; 2] = [0.693_147_180_369_123_8, 1.908_214_929_270_587_7e-10];
const PI_2: [f64; 2] = [std::f64::consts::FRAC_PI_2, 6.123_233_995_736_766e-17];

/// e^x for |x| < 708: 2^n times the series of e^r.
#[crunch]
pub fn exp(x: DcDouble) -> DcDouble {
    const C: [f64; 14] = [
        1.0,
        1.0,
        1.0 / 2.0,
        1.0 / 6.0,
        1.0 / 24.0,
        1.0 / 120.0,
        1.0 / 720.0,
        1.0 / 5040.0,
        1.0 / 40320.0,
        1.0 / 362_880.0,
        1.0 / 3_628_800.0,
        1.0 / 39_916_800.0,
        1.0 / 479_001_600.0,
        1.0 / 6_227_020_800.0,
    ];
    let n = (x * std::f64::consts::LOG2_E).round_ties_even();
    let r = (x - n * LN2[0]) - n * LN2[1];
    horner(r, &C) * DcDouble::from_bits((n.to_i64() + 1023) << 52)
}

/// The exponent of x, and ln of the significand, which is between 1/√2 and √2: 2 artanh f by its series.
#[crunch]
fn ln_parts(x: DcDouble) -> (DcDouble, DcDouble) {
    const C: [f64; 11] = [
        2.0,
        2.0 / 3.0,
        2.0 / 5.0,
        2.0 / 7.0,
        2.0 / 9.0,
        2.0 / 11.0,
        2.0 / 13.0,
        2.0 / 15.0,
        2.0 / 17.0,
        2.0 / 19.0,
        2.0 / 21.0,
    ];
    let e = (x.to_bits() - 0x3fe6_a09e_667f_3bcd) >> 52;
    let m = DcDouble::from_bits(x.to_bits() - (e << 52));
    let f = (m - 1.0) / (m + 1.0);
    (e.to_f64(), f * horner(f * f, &C))
}

#[crunch]
pub fn sinf(x: DcFloat) -> DcFloat {
    const S: [f64; 6] = [
        1.0,
        -1.0 / 6.0,
        1.0 / 120.0,
        -1.0 / 5040.0,
        1.0 / 362_880.0,
        -1.0 / 39_916_800.0,
    ];
    const C: [f64; 6] = [
        1.0,
        -1.0 / 2.0,
        1.0 / 24.0,
        -1.0 / 720.0,
        1.0 / 40320.0,
        -1.0 / 3_628_800.0,
    ];
    let x = x.to_f64();
    let n = (x * std::f64::consts::FRAC_2_PI).round_ties_even();
    let r = (-n).mul_add(PI_2[1], (-n).mul_add(PI_2[0], x));
    let q = n.to_i64();
    let y = if (q & 1) == 0 {
        r * horner(r * r, &S)
    } else {
        horner(r * r, &C)
    };
    let y = if (q & 2) == 0 { y } else { -y };
    if x == 0.0 { x.to_f32() } else { y.to_f32() }
}

#[crunch]
pub fn log2(x: DcDouble) -> DcDouble {
    let (e, l) = ln_parts(x);
    l.mul_add(std::f64::consts::LOG2_E, e)
}

#[crunch]
pub fn tanhf(x: DcFloat) -> DcFloat {
    let x = x.to_f64();
    let e = exp(2.0 * x.clamp(-10.0, 10.0));
    let y = if x.abs() < 0.01 {
        x - x * x * x / 3.0
    } else {
        (e - 1.0) / (e + 1.0)
    };
    y.copysign(x).to_f32()
}

#[crunch]
pub fn cbrt(x: DcDouble) -> DcDouble {
    let a = x.abs();
    let mut y = DcDouble::from_bits((a.to_bits().to_f64() / 3.0).to_i64() + 0x2a9f_7893_0000_0000);
    for _ in 0..4 {
        y = y - (y - a / (y * y)) / 3.0;
    }
    let square = y * y;
    let rest = y.mul_add(square, -a) + y * y.mul_add(y, -square);
    (y - rest / (3.0 * square)).copysign(x)
}

#[crunch]
pub fn rsqrt(x: DcDouble) -> DcDouble {
    let root = x.sqrt();
    let y = root.recip();
    let left = (-root).mul_add(y, 1.0) + 0.5 * y * (y * root.mul_add(root, -x));
    y.mul_add(left, y)
}

/// x^(1/2.4), the transfer function of sRGB.
#[crunch]
pub fn root_2_4(x: DcDouble) -> DcDouble {
    let (e, l) = ln_parts(x);
    exp((e * std::f64::consts::LN_2 + l) * (1.0 / 2.4))
}

#[crunch]
pub fn hypotf(x: DcFloat, y: DcFloat) -> DcFloat {
    let (a, b) = (x.to_f64(), y.to_f64());
    let length = a.mul_add(a, b * b).sqrt().to_f32();
    let infinite = (x.abs() == f32::INFINITY) | (y.abs() == f32::INFINITY);
    if infinite { f32::INFINITY } else { length }
}

#[crunch]
pub fn sigmoid(x: DcDouble) -> DcDouble {
    (1.0 + exp(-x)).recip()
}

/// The Gaussian tail e^(-t²/2) Q((t - 5)/(t + 5)) / (1 + 1.5 t), t from 0 to 40.
const TAIL: [f64; 23] = [
    0.6538140922875535,
    -0.06559964511900722,
    -0.011488853304056584,
    0.05544546720987009,
    -0.06352924059153986,
    0.048512395110568304,
    -0.027251308378750377,
    0.010972423162366452,
    -0.0026238838951451768,
    -5.5450883416531225e-05,
    0.00030371506469991814,
    -8.089270966402878e-05,
    -1.8166989038767384e-05,
    1.4226816609297287e-05,
    2.3427867492953407e-07,
    -2.08656432367383e-06,
    1.4828450874891082e-07,
    3.1779155686725906e-07,
    -2.729297287960866e-08,
    -5.07454961618437e-08,
    -3.867260159980861e-10,
    6.252656630128263e-09,
    1.2445125795355137e-09,
];

#[crunch]
pub fn gelu(x: DcDouble) -> DcDouble {
    let t = x.abs();
    let square = t * t;
    let rest = t.mul_add(t, -square);
    let e = exp(-0.5 * square) * (1.0 - 0.5 * rest);
    let tail = e * horner((t - 5.0) / (t + 5.0), &TAIL) / (1.0 + 1.5 * t);
    if x < 0.0 { x * tail } else { x * (1.0 - tail) }
}
