// Kernels 0 to 15 of seed 7.

mod k0 {
use doublecrunch::prelude::*;
pub const C0: f32 = f32::from_bits(0xc1566881);
pub const T0: [f64; 6] = [f64::from_bits(0x3fe22c6ca7e0b563), f64::from_bits(0x4010452bb3c85522), f64::from_bits(0xfffc0000deadbeef), f64::from_bits(0x40202f8da617a2a1), f64::from_bits(0x73ccd3fc288e3ffe), f64::from_bits(0x4016000000000000)];

#[crunch]
pub fn dc_bits_f64_0<const N: usize>(first: DcDouble, fma: DcFloat, isnan: DcLong) -> DcInt {
    let stride = (((isnan * isnan) | (isnan << isnan)) * (isnan | isnan)).to_i32();
    (stride * stride)
}

#[crunch]
pub fn k0(b: DcLong, x: (DcMask, DcLong,), hi: DcDouble) -> DcFloat {
    let mut raw = dd_to_f32(DcDoubleDouble::new(hi, hi));
    for n in 0..4 {
        if ({
            let p = hi.round_ties_even();
            ((p < hi) || (p >= hi))
        }) {
            let (hi, double2, x0, ) = (T0[raw.to_bits()], hi.ceil(), (hi * hi), );
            let stride = ({
                let global = ((if (b > ({
                    let b = (DcDouble::from_bits(b) / hi);
                    x.1
                })) {
                    x0
                } else {
                    double2
                }), raw, x.0, );
                raw
            });
            raw = C0;
        }
        raw = raw;
    }
    raw
}
}

mod k1 {
use doublecrunch::prelude::*;

#[crunch]
pub fn k1(lo: DcDouble) -> DcDoubleDouble {
    let mut r = dd_mul(dd_abs(DcDoubleDouble::new(lo, lo)), DcDoubleDouble::new(lo, lo));
    for index in (1..3).rev() {
        r = DcDoubleDouble::new((r.hi * lo), lo);
    }
    r
}
}

mod k2 {
use doublecrunch::prelude::*;
pub static T0: [f64; 4] = [f64::from_bits(0xbfc54f2a42738ff5), f64::from_bits(0x7ff0000000000000), f64::from_bits(0xc330000000000000), f64::from_bits(0x800fffffffffffff)];

#[crunch]
pub fn k2(uchar16: DcDouble, a: DcInt, lo: DcLong, out: DcDoubleDouble, u: DcFloat) -> (DcDouble, DcDouble,) {
    let in0 = ((a.shr_logical(a) | (a | a)) - (((a << 43) >> 43) << 64));
    let (z, in0, as_int, ) = (dd_lt(out, DcDoubleDouble::new(uchar16, out.hi)), uchar16.round_ties_even(), T0[2], );
    (as_int, in0, )
}
}

mod k3 {
use doublecrunch::prelude::*;

#[crunch]
pub fn k3(raw: DcDoubleDouble) -> DcDouble {
    let x0 = (-dd_to_f32(raw)).min(dd_to_f32(raw));
    let n = (raw.lo, x0.to_i64(), );
    let (uchar16, x, fma, ) = (dd_sqrt_f64(n.0).lo, (n.1 > n.1), (raw.lo / n.0), );
    (fma - uchar16)
}
}

mod k4 {
use doublecrunch::prelude::*;
pub const C0: i32 = -2139095041;
pub const C1: i32 = -2147483647;
pub const C2: i32 = -2059661000;
pub const C3: i32 = 16777215;
pub const C4: f32 = f32::from_bits(0xbe6e24af);

#[crunch]
pub fn k4(lo: DcDouble, a: DcMask) -> DcMask {
    let global = (lo / lo);
    let in0 = (((lo.to_i32().shr_logical(C1) & C0.shr_logical(35)) | (C2 + C3).to_f32().to_i32()) >= (C4.sub_as_fma(global.to_f32()) + (global.to_f32() * global.to_f32())).to_bits());
    in0
}
}

mod k5 {
use doublecrunch::prelude::*;

#[crunch]
pub fn k5(t: DcLong, a: DcInt, n: DcLong, bits: DcDoubleDouble) -> DcDouble {
    let half = bits.hi.mul_ru(bits.lo).is_nan();
    let raw = ((bits.hi * bits.lo) - bits.lo);
    raw
}
}

mod k6 {
use doublecrunch::prelude::*;
pub const C0: usize = 26;
pub const C1: bool = false;
pub static T0: [f32; 5] = [f32::from_bits(0x1), f32::from_bits(0xbfa10613), f32::from_bits(0xc1f80000), f32::from_bits(0x7f5a9fc1), f32::from_bits(0x3f7fe063)];
pub static T1: [i64; 5] = [91, 2, 36028799166447617, 63, 214784];

#[crunch]
pub fn kernel_0(x0: DcDouble, half: &[f32]) -> DcFloat {
    let out = T0[((x0.to_bits() << C0) & (x0.to_i64() * x0.to_i64()))];
    (out * (-2.0))
}

#[crunch]
pub fn floor_1(c: DcLong, hi: DcLong) -> (DcFloat, DcLong, DcMask,) {
    let c = (c.to_f64() + hi.to_f64()).mul_add(c.to_f64(), (-((c.to_f64() + hi.to_f64()) * c.to_f64())));
    let mut uchar16: (DcFloat, DcLong, DcMask,) = ((hi.to_f32() / hi.to_f32()), T1[4], (c.to_f32() == c.to_f32()), );
    if C1 {
        uchar16 = (uchar16.0, hi, uchar16.2, );
    }
    uchar16
}

#[crunch]
pub fn k6(a: DcFloat) -> DcLong {
    let b: DcLong = (a.to_i64() + a.to_i64());
    b
}
}

mod k7 {
use doublecrunch::prelude::*;
pub const C0: u32 = 0xdf1c8a5;
pub const C1: usize = 4;
pub static T0: [u64; 6] = [0x39e, 0xfff0000000000001, 0x3d, 0x7fffffffffffffff, 0x3ff0000000000000, 0x0];

#[crunch]
pub fn k7(a: DcLong, r: DcFloat, z: DcInt, uchar16: DcLong) -> (DcLong, DcFloat, DcMask,) {
    let mut uchar16 = (r - r).is_nan();
    if (r / r).is_sign_negative() {
        uchar16 ^= (z >= z).select(uchar16, uchar16);
    } else {
        uchar16 = (z < C0).select((!(z >= z)), (uchar16 || uchar16));
    }
    let i: DcFloat = ({
        let twice = r.abs();
        twice.max((-twice))
    });
    let isnan = T0[C1];
    for j in 0..2 {
        uchar16 ^= (!uchar16);
    }
    (isnan, i, uchar16, )
}
}

mod k8 {
use doublecrunch::prelude::*;

#[crunch]
pub fn k8(a: DcDouble, b: DcDouble, raw: DcFloat, t: DcDouble, y: DcDoubleDouble, out: DcDouble) -> DcDoubleDouble {
    let s = dd_div_f64(y, out);
    s
}
}

mod k9 {
use doublecrunch::prelude::*;
pub const C0: i64 = 47;
pub const T0: [f64; 4] = [f64::from_bits(0x4003000000000000), f64::from_bits(0x3fefffffffffffff), f64::from_bits(0xc01d000000000000), f64::from_bits(0xfffffffffffff)];

#[crunch]
pub fn k9(bits: DcMask, as_int: DcDouble, s: DcDouble, r: DcDouble) -> (DcDouble, DcDouble, DcDouble, DcDoubleDouble,) {
    let (raw, n, ) = (s.to_bits(), T0[as_int.to_i64()], );
    let fma = DcDouble::from_bits((as_int < r).select(raw, C0)).recip();
    ((fma * n), n, (as_int.to_i32().to_f64() - r), DcDoubleDouble::new(r, s), )
}
}

mod k10 {
use doublecrunch::prelude::*;
pub const C0: f32 = f32::from_bits(0x3e4a99b2);
pub const C1: i64 = 7991976013137943980;
pub const C2: f64 = f64::from_bits(0x80162be652598c71);
pub const C3: f64 = f64::from_bits(0x8010000000000000);

#[crunch]
pub fn dc_bits_f64_0(x: DcInt, r: DcLong) -> DcMask {
    (x.to_f32() == x.to_f32())
}

#[crunch]
pub fn floor_1<const N: usize>(uchar16: DcDouble, acc: (DcFloat, DcFloat,)) -> DcDouble {
    let n = (uchar16 * 0.0);
    n
}

#[crunch]
pub fn k10(y2: DcInt, raw: DcMask) -> DcFloat {
    let hi = C0.to_i64().to_i32().to_i64();
    let bits = ((C3 - (y2.to_f64() * C2)) + 0.1).to_f32();
    bits
}
}

mod k11 {
use doublecrunch::prelude::*;
pub const C0: f32 = f32::from_bits(0xceffffff);
pub const C1: f64 = f64::from_bits(0xbfe1e92710dc4e1a);
pub const C2: u32 = 0xff800001;

#[crunch]
pub fn kernel_0<const N: usize>(bits: DcDouble, y2: DcDouble, i: DcMask, r: DcDouble) -> (DcFloat, DcDouble,) {
    let (double2, acc, ) = ((bits.to_f32() - C0), (r + (r * C1)), );
    let stride = (double2 - double2);
    ((stride * double2), (acc * y2), )
}

#[crunch]
pub fn k11(isnan: DcLong, y: DcDoubleDouble, x: DcFloat) -> (DcFloat, DcDouble, DcInt,) {
    let as_int: DcDouble = ((((y.lo / y.hi) + 6755399441055744.0) - 6755399441055744.0) / ((kernel_0::<2>(y.lo, 16777217.0, (isnan >= isnan), y.hi).1 * y.lo) + y.hi));
    let (double2, first, lo, ) = ((C2 | (-1000)), as_int, x, );
    (lo, (first * as_int), double2, )
}
}

mod k12 {
use doublecrunch::prelude::*;

#[crunch]
pub fn k12(u: DcFloat, a: DcMask) -> DcDoubleDouble {
    let s: DcDoubleDouble = dd_sqrt_f64(u.to_f64());
    s
}
}

mod k13 {
use doublecrunch::prelude::*;
pub const C0: f64 = f64::from_bits(0xbfe0000000000000);
pub static T0: [i64; 33] = [2097150, 427264, -4610560118520545280, 11679686558349230, 9223372036854775807, 686264281053, 2147483648, 4, -9223372036854775807, 49675, 8815803267663519, -1, -9223372036854775808, 694781720043, -9218868437227405312, 64, 25, 76537516, 927662437, -4616189618054758401, 9223372036854775807, 1, 898351584425, 4294967295, 60, 18014398509481982, 32, -4503599627370497, 86, 64, 303555417335865309, 4294967295, 15861314493];
pub const T1: [i32; 2] = [-1956325903, -2062841774];

#[crunch]
pub fn k13(t: DcDoubleDouble, b: DcFloat, as_int: DcDouble) -> DcDoubleDouble {
    let mut isnan = t;
    if as_int.add_ru(as_int).is_nan() {
        isnan = DcDoubleDouble::new(as_int, t.lo);
    } else {
        let as_int = T0[as_int.to_bits().max(18446744073709551615)];
        let y2 = (if (t.lo / isnan.lo).is_nan() {
            let double2 = (t.lo.abs() != dd_div_f64(DcDoubleDouble::new(isnan.lo, t.lo), C0).lo).select(({
                let p = as_int;
                ((-p) & p)
            }).to_i32(), (T1[1] - b.to_i32()));
            b
        } else {
            b
        });
        isnan = DcDoubleDouble::new(isnan.hi, t.lo);
    }
    isnan
}
}

mod k14 {
use doublecrunch::prelude::*;
pub const C0: u32 = 0xffffffff;
pub const C1: i64 = 2;
pub const T0: [f64; 6] = [f64::from_bits(0x40363906e920a980), f64::from_bits(0x43d0000000000002), f64::from_bits(0x80000000000074c3), f64::from_bits(0x8000000000000001), f64::from_bits(0xbfefffffffffffff), f64::from_bits(0x36a0000000000001)];

#[crunch]
pub fn helper_0(uchar16: DcDouble, y: DcMask, global: DcDouble) -> DcDouble {
    let (n, s, y2, ) = ((global + uchar16), (uchar16.to_i32() * C0), (uchar16 >= uchar16), );
    let mut y2 = uchar16.round_ties_even();
    if ((s | s) < (s * s)) {
        let x0 = (((uchar16.to_bits() + C1) * s.to_i64()) + global.to_i64());
        y2 -= global;
    } else {
        y2 = y2;
    }
    (y2 + n)
}

#[crunch]
pub fn k14(isnan: DcFloat, t: DcInt, first: DcDouble, s: DcFloat) -> DcDouble {
    T0[({
        let twice = s.to_i32();
        ((-twice) & twice)
    })]
}
}

mod k15 {
use doublecrunch::prelude::*;
pub static T0: [i32; 3] = [1866086314, -571451516, -1082130433];

#[crunch]
pub fn kernel_0(double2: DcDouble, b: DcFloat, fma: (DcMask, DcInt,), global: DcDouble) -> DcDouble {
    let double2 = ((b.to_f64() + (b.to_f64() * global)) / ((double2 / global) * global));
    double2
}

#[crunch]
pub fn k15(c: DcDouble, u: DcDoubleDouble, lo: DcLong) -> DcInt {
    let in0: DcInt = T0[((if ({
        let q = c;
        (q.is_nan() ^ (q <= 0.0))
    }) {
        c.to_i64()
    } else {
        lo
    }) + ((lo << 23) >> 23))];
    (in0 * in0)
}
}

pub static ALL: &[random_kernels::child::Compiled] = &[
    random_kernels::child::Compiled { number: 0, columns: &[12, 24, 13, 0], kernel: doublecrunch::backend::KernelRef::of::<k0::k0>() },
    random_kernels::child::Compiled { number: 1, columns: &[0], kernel: doublecrunch::backend::KernelRef::of::<k1::k1>() },
    random_kernels::child::Compiled { number: 2, columns: &[0, 18, 12, 30, 31, 6], kernel: doublecrunch::backend::KernelRef::of::<k2::k2>() },
    random_kernels::child::Compiled { number: 3, columns: &[30, 31], kernel: doublecrunch::backend::KernelRef::of::<k3::k3>() },
    random_kernels::child::Compiled { number: 4, columns: &[0, 24], kernel: doublecrunch::backend::KernelRef::of::<k4::k4>() },
    random_kernels::child::Compiled { number: 5, columns: &[12, 18, 13, 30, 31], kernel: doublecrunch::backend::KernelRef::of::<k5::k5>() },
    random_kernels::child::Compiled { number: 6, columns: &[6], kernel: doublecrunch::backend::KernelRef::of::<k6::k6>() },
    random_kernels::child::Compiled { number: 7, columns: &[12, 6, 18, 13], kernel: doublecrunch::backend::KernelRef::of::<k7::k7>() },
    random_kernels::child::Compiled { number: 8, columns: &[0, 1, 6, 2, 30, 31, 3], kernel: doublecrunch::backend::KernelRef::of::<k8::k8>() },
    random_kernels::child::Compiled { number: 9, columns: &[24, 0, 1, 2], kernel: doublecrunch::backend::KernelRef::of::<k9::k9>() },
    random_kernels::child::Compiled { number: 10, columns: &[18, 24], kernel: doublecrunch::backend::KernelRef::of::<k10::k10>() },
    random_kernels::child::Compiled { number: 11, columns: &[12, 30, 31, 6], kernel: doublecrunch::backend::KernelRef::of::<k11::k11>() },
    random_kernels::child::Compiled { number: 12, columns: &[6, 24], kernel: doublecrunch::backend::KernelRef::of::<k12::k12>() },
    random_kernels::child::Compiled { number: 13, columns: &[30, 31, 6, 0], kernel: doublecrunch::backend::KernelRef::of::<k13::k13>() },
    random_kernels::child::Compiled { number: 14, columns: &[6, 18, 0, 7], kernel: doublecrunch::backend::KernelRef::of::<k14::k14>() },
    random_kernels::child::Compiled { number: 15, columns: &[0, 30, 31, 12], kernel: doublecrunch::backend::KernelRef::of::<k15::k15>() },
];
