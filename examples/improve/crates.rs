//! Functions from crates in the atlas as kernels: the same operations and constants, without the branches for arguments outside their
//! sweeps. `expf`, `logf`, `atanf`, `acosf` are from libm 0.2.16, `fast_exp` from fast-math 0.1.1, `micro_atan` from micromath 2.1.0. `expf`
//! reduces its argument by one formula, where the crate's function has three cases.

#![allow(
    clippy::approx_constant,
    clippy::excessive_precision,
    reason = "constants are written as the crates write them"
)]

use doublecrunch::prelude::*;

const LN2_HI: f32 = 0.693_145_75;
const LN2_LO: f32 = 1.428_606_8e-6;
const INV_LN2: f32 = 1.442_695;
const P1: f32 = 0.166_666_25;
const P2: f32 = -0.002_766_733_3;

/// `expf`, whose results are normal from -87 to 88.
#[crunch]
pub fn expf(x: DcFloat) -> DcFloat {
    let scaled = INV_LN2 * x;
    let n = if x < 0.0 { scaled - 0.5 } else { scaled + 0.5 };
    let n = n.trunc();
    let hi = x - n * LN2_HI;
    let lo = n * LN2_LO;
    let r = hi - lo;
    let xx = r * r;
    let c = r - xx * (P1 + xx * P2);
    let y = 1.0 + (r * c / (2.0 - c) - lo + hi);
    y * DcFloat::from_bits((n.to_i32() + 127) << 23)
}

const LOG_LN2: [f32; 2] = [0.693_138_1, 9.058_001e-6];
const LG: [f32; 4] = [0.666_666_6, 0.400_009_72, 0.284_987_87, 0.242_790_79];

/// `logf` of normal numbers.
#[crunch]
pub fn logf(x: DcFloat) -> DcFloat {
    let bits = x.to_bits() + (0x3f80_0000 - 0x3f35_04f3);
    let n = ((bits >> 23) - 127).to_f32();
    let m = DcFloat::from_bits((bits & 0x007f_ffff) + 0x3f35_04f3);
    let f = m - 1.0;
    let s = f / (2.0 + f);
    let z = s * s;
    let w = z * z;
    let r = z * (LG[0] + w * LG[2]) + w * (LG[1] + w * LG[3]);
    let half = 0.5 * f * f;
    s * (half + r) + n * LOG_LN2[1] - half + f + n * LOG_LN2[0]
}

const ATAN_HI: [f32; 4] = [0.463_647_6, 0.785_398_1, 0.982_793_7, 1.570_796_3];
const ATAN_LO: [f32; 4] = [
    5.012_158_2e-9,
    3.774_894_7e-8,
    3.447_321_7e-8,
    7.549_789_4e-8,
];
const A_T: [f32; 5] = [
    0.333_333_28,
    -0.199_991_58,
    0.142_536_36,
    -0.106_480_174,
    0.061_687_607,
];

/// `atanf` for x from 2^-12 to 2^26.
#[crunch]
pub fn atanf(x: DcFloat) -> DcFloat {
    let first = (2.0 * x - 1.0) / (2.0 + x);
    let second = (x - 1.0) / (x + 1.0);
    let third = (x - 1.5) / (1.0 + 1.5 * x);
    let fourth = -1.0 / x;
    let r = if x < 1.1875 {
        if x < 0.6875 { first } else { second }
    } else {
        if x < 2.4375 { third } else { fourth }
    };
    let r = if x < 0.4375 { x } else { r };
    let z = r * r;
    let w = z * z;
    let s1 = z * (A_T[0] + w * (A_T[2] + w * A_T[4]));
    let s2 = w * (A_T[1] + w * A_T[3]);
    let rest = r * (s1 + s2);
    let zero = x.to_bits() & 0;
    let id = if x < 1.1875 {
        if x < 0.6875 { zero } else { zero + 1 }
    } else {
        if x < 2.4375 { zero + 2 } else { zero + 3 }
    };
    let far = ATAN_HI[id] - ((rest - ATAN_LO[id]) - r);
    if x < 0.4375 { x - rest } else { far }
}

const PIO2_HI: f32 = 1.570_796_3;
const PIO2_LO: f32 = 7.549_789_4e-8;
const P_S0: f32 = 0.166_665_87;
const P_S1: f32 = -0.042_743_422;
const P_S2: f32 = -0.008_656_363;
const Q_S1: f32 = -0.706_629_63;

#[crunch]
fn acos_r(z: DcFloat) -> DcFloat {
    let p = z * (P_S0 + z * (P_S1 + z * P_S2));
    let q = 1.0 + z * Q_S1;
    p / q
}

/// `acosf` for arguments above 2^-26 in magnitude.
#[crunch]
pub fn acosf(x: DcFloat) -> DcFloat {
    let near = PIO2_HI - (x - (PIO2_LO - x * acos_r(x * x)));
    let z = (1.0 - x.abs()) * 0.5;
    let s = z.sqrt();
    let r = acos_r(z);
    let left = 2.0 * (PIO2_HI - (s + (r * s - PIO2_LO)));
    let df = DcFloat::from_bits(s.to_bits() & 0xffff_f000);
    let c = (z - df * df) / (s + df);
    let right = 2.0 * (df + (r * s + c));
    let far = if x < 0.0 { left } else { right };
    let far = if x == 1.0 { 0.0 } else { far };
    if x.abs() < 0.5 { near } else { far }
}

const SCALE: f32 = 12_102_203.0;
const C0: f32 = 4.791750e-15;
const C1: f32 = 7.8396354e-08;
const C2: f32 = 1.001_724_8;

/// `exp_raw`, for x from -87 to 88.
#[crunch]
pub fn fast_exp(x: DcFloat) -> DcFloat {
    let scaled = (SCALE * x).to_i32();
    let floor = scaled & 0xff80_0000;
    let frac = (scaled - floor).to_f32();
    let approx = (C0 * frac + C1) * frac + C2;
    DcFloat::from_bits(approx.to_bits() + floor)
}

const B: f32 = 0.596_227;

/// `atan` of positive arguments.
#[crunch]
pub fn micro_atan(x: DcFloat) -> DcFloat {
    let bx = (B * x).abs();
    let n = bx + x * x;
    std::f32::consts::FRAC_PI_2 * (n / (1.0 + bx + n))
}
