//! The routines of N. Whitehead and A. Fit-Florea, *Precision & Performance: Floating Point and IEEE 754 Compliance for NVIDIA GPUs*, each
//! with several arguments.

use doublecrunch::prelude::*;

/// `a·a + b`, two roundings (Figure 1, the processor without FMA).
#[crunch]
pub fn separate(a: DcFloat, b: DcFloat) -> DcFloat {
    a * a + b
}

/// `a·a + b`, one rounding (Figure 1, the GPU).
#[crunch]
pub fn fused(a: DcFloat, b: DcFloat) -> DcFloat {
    a.mul_add(a, b)
}

/// The dot product from the left, each operation rounded (Figure 2).
#[crunch]
#[rustfmt::skip]
pub fn dot_serial(
    a1: DcFloat, a2: DcFloat, a3: DcFloat, a4: DcFloat,
    b1: DcFloat, b2: DcFloat, b3: DcFloat, b4: DcFloat,
) -> DcFloat {
    a1 * b1 + a2 * b2 + a3 * b3 + a4 * b4
}

/// The dot product from the left, fused (Figure 3).
#[crunch]
#[rustfmt::skip]
pub fn dot_fused(
    a1: DcFloat, a2: DcFloat, a3: DcFloat, a4: DcFloat,
    b1: DcFloat, b2: DcFloat, b3: DcFloat, b4: DcFloat,
) -> DcFloat {
    let t = a1 * b1;
    let t = a2.mul_add(b2, t);
    let t = a3.mul_add(b3, t);
    a4.mul_add(b4, t)
}

/// The dot product as a tree (Figure 4).
#[crunch]
#[rustfmt::skip]
pub fn dot_parallel(
    a1: DcFloat, a2: DcFloat, a3: DcFloat, a4: DcFloat,
    b1: DcFloat, b2: DcFloat, b3: DcFloat, b4: DcFloat,
) -> DcFloat {
    (a1 * b1 + a2 * b2) + (a3 * b3 + a4 * b4)
}

/// `(a + b) + c` (Section 2.2).
#[crunch]
pub fn from_left(a: DcDouble, b: DcDouble, c: DcDouble) -> DcDouble {
    (a + b) + c
}

/// `a + (b + c)`.
#[crunch]
pub fn from_right(a: DcDouble, b: DcDouble, c: DcDouble) -> DcDouble {
    a + (b + c)
}

/// π/2 in three doubles, each the nearest to the remainder of the previous ones.
const HALF_PI: [f64; 3] = [
    f64::from_bits(0x3ff9_21fb_5444_2d18),
    f64::from_bits(0x3c91_a626_3314_5c07),
    f64::from_bits(0xb91f_1976_b7ed_8fbc),
];
const TWO_OVER_PI: f64 = f64::from_bits(0x3fe4_5f30_6dc9_c883);

/// cos by reduction modulo π/2 in three parts (Cody and Waite, with fused operations) and Taylor polynomials on
/// [−π/4, π/4]. For arguments up to 2^27, where the first step of the reduction is exact.
#[crunch]
pub fn cos_reduced(x: DcDouble) -> DcDouble {
    let k = (x * TWO_OVER_PI).round_ties_even();
    let r = (-k).mul_add(HALF_PI[0], x);
    let r = (-k).mul_add(HALF_PI[1], r);
    let r = (-k).mul_add(HALF_PI[2], r);
    let quadrant = k.to_i64();
    let s = r * r;
    let cosine = 1.0
        - s * (0.5
            - s * (1.0 / 24.0
                - s * (1.0 / 720.0
                    - s * (1.0 / 40_320.0
                        - s * (1.0 / 3_628_800.0
                            - s * (1.0 / 479_001_600.0
                                - s * (1.0 / 87_178_291_200.0
                                    - s * (1.0 / 20_922_789_888_000.0))))))));
    let sine = r - r
        * s
        * (1.0 / 6.0
            - s * (1.0 / 120.0
                - s * (1.0 / 5_040.0
                    - s * (1.0 / 362_880.0
                        - s * (1.0 / 39_916_800.0
                            - s * (1.0 / 6_227_020_800.0 - s * (1.0 / 1_307_674_368_000.0)))))));
    let magnitude = if (quadrant & 1) == 0 { cosine } else { sine };
    // Of the quadrants 0, 1, 2, 3 the second and third are negative: cos, -sin, -cos, sin.
    if ((quadrant + 1) & 2) == 0 {
        magnitude
    } else {
        -magnitude
    }
}

/// Terms whose sum depends on its order.
const TERMS: [f32; 64] = {
    let mut terms = [0.0; 64];
    let mut i = 0;
    while i < 64 {
        terms[i] = 1.0 / (i + 1) as f32;
        i += 1;
    }
    terms
};

/// The sum of `x / i` for i from 1 to 64, `PARTS` threads each adding `EACH` consecutive terms, their sums added in
/// order (Section 5.3).
#[crunch]
pub fn sum<const PARTS: usize, const EACH: usize>(x: DcFloat) -> DcFloat {
    let mut total = x * 0.0;
    for part in 0..PARTS {
        let mut own = x * TERMS[part * EACH];
        for i in 1..EACH {
            own = own + x * TERMS[part * EACH + i];
        }
        total = total + own;
    }
    total
}
