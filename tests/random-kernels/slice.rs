// Kernels 0 to 15 of seed 7.

mod k0 {
use doublecrunch::prelude::*;

#[crunch]
pub fn dc_bits_f64_0<const N: usize>(first: DcDouble, fma: DcFloat, isnan: DcLong) -> DcDouble {
    let double2 = (((isnan * isnan) << 22) | (isnan * isnan).shr_logical(42)).to_i32();
    let x = (first - first);
    x
}

#[crunch]
pub fn k0(isnan: DcDouble, half: DcFloat) -> DcDoubleDouble {
    DcDoubleDouble::new((({
        isnan
    }).div_rd(isnan) - isnan), isnan)
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

#[crunch]
pub fn k2(uchar16: DcDouble, a: DcInt, lo: DcLong, out: DcDoubleDouble, u: DcFloat) -> DcDoubleDouble {
    let c = ((a.min(2147483647) | u.to_bits()) - ({
        let q = u;
        (q - q)
    }).to_i32());
    let mut x: DcDoubleDouble = dd_add(DcDoubleDouble::new(uchar16, uchar16), DcDoubleDouble::new(uchar16, uchar16));
    for index in 0..2 {
        let hi: DcMask = (if (u != 3.0) {
            (uchar16 != uchar16)
        } else {
            (lo >= lo)
        });
        x = DcDoubleDouble::new(uchar16, uchar16);
    }
    x
}
}

mod k3 {
use doublecrunch::prelude::*;
pub const C0: f32 = f32::from_bits(0xbfa80000);
pub const C1: f32 = f32::from_bits(0x170a240);
pub const C2: i32 = 32;
pub const C3: u32 = 0x351fbde;

#[crunch]
pub fn k3(raw: DcDoubleDouble) -> DcDouble {
    let z = dd_to_f32(raw).mul_add_rd(dd_to_f32(raw), (C0 + C1)).add_rz(2.5);
    let mut c = (raw.lo - raw.lo);
    for n in (2..6).step_by(3) {
        let fma = (if (C2.shr_logical(58) != c.to_i32()) {
            (z.to_i64(), c, C3, )
        } else {
            (z.to_i64(), c, c.to_i32(), )
        });
        c *= c;
    }
    (c * c)
}
}

mod k4 {
use doublecrunch::prelude::*;
pub const C0: u32 = 0x227671fe;
pub const C1: f32 = f32::from_bits(0xc029b46d);
pub const C2: f32 = f32::from_bits(0x3f17e509);
pub const C3: f32 = f32::from_bits(0xbf000000);
pub const T0: [i32; 5] = [-2147483647, 16777215, 20, 230332084, 353568264];

#[crunch]
pub fn k4(lo: DcDouble, a: DcMask) -> DcMask {
    let global = (lo / lo);
    let double2 = (((lo.to_i32().shr_logical(12) & global.to_bits().to_i32()) | 1) >= T0[(if (({
        let (raw, s, as_int, ) = (((C0 * global.to_i32()) + global.to_i32()), C1, global.to_i64(), );
        s
    }) > global.to_f32()) {
        C2
    } else {
        C3
    }).to_bits()]);
    double2
}
}

mod k5 {
use doublecrunch::prelude::*;

#[crunch]
pub fn k5(t: DcLong, a: DcInt, n: DcLong, bits: DcDoubleDouble) -> DcMask {
    let u = (a.to_f64() - bits.lo).is_nan();
    u
}
}

mod k6 {
use doublecrunch::prelude::*;
pub const C0: usize = 26;
pub const C1: bool = false;
pub const C2: u32 = 0x21;
pub const C3: i32 = 1083501014;
pub static T0: [f32; 5] = [f32::from_bits(0x1), f32::from_bits(0xbfa10613), f32::from_bits(0xc1f80000), f32::from_bits(0x7f5a9fc1), f32::from_bits(0x3f7fe063)];

#[crunch]
pub fn kernel_0(x0: DcDouble, half: &[f32]) -> DcFloat {
    let out = T0[((x0.to_bits() << C0) & (x0.to_i64() * x0.to_i64()))];
    (out * (-2.0))
}

#[crunch]
pub fn floor_1(c: DcLong, hi: DcLong) -> DcFloat {
    let y2 = ({
        let twice = (c.to_f64() + hi.to_f64());
        (twice / twice)
    });
    let bits = (y2.to_f32().floor() - (if C1 {
        y2.to_f32()
    } else {
        hi.to_f32()
    })).sqrt_ru();
    (bits * bits)
}

#[crunch]
pub fn k6(fma: DcDouble, acc: DcMask, lo: DcLong) -> DcMask {
    let mut x = (fma.to_i32().to_i64().to_i32() <= C3);
    if acc {
        x ^= acc;
    } else {
        x ^= x;
    }
    x
}
}

mod k7 {
use doublecrunch::prelude::*;
pub const C0: f64 = f64::from_bits(0x4001000000000000);
pub const C1: f64 = f64::from_bits(0x3fe5000000000000);
pub const C2: f64 = f64::from_bits(0x303c9a2561e0c);

#[crunch]
pub fn k7(a: DcLong, r: DcFloat, z: DcInt, uchar16: DcLong) -> DcMask {
    let mut raw = (z.to_f64() - uchar16.to_f64()).is_sign_negative();
    if (!(dd_div_f64(DcDoubleDouble::new(C0, C1), 5e-324).lo < C2)) {
        raw = ((r == r) ^ raw);
        raw = ((!(uchar16 != a)) ^ raw);
    } else {
        raw = raw;
    }
    raw
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
pub const C0: u32 = 0xbf800000;
pub const T0: [f64; 4] = [f64::from_bits(0x4003000000000000), f64::from_bits(0x3fefffffffffffff), f64::from_bits(0xc01d000000000000), f64::from_bits(0xfffffffffffff)];

#[crunch]
pub fn k9(bits: DcMask, as_int: DcDouble, s: DcDouble, r: DcDouble) -> DcDouble {
    let (raw, n, ) = (as_int.to_i32().to_i64(), T0[as_int.to_i64()], );
    let b = (C0.max(7) >> n.to_i32().shr_logical(13)).to_f64();
    b
}
}

mod k10 {
use doublecrunch::prelude::*;
pub const C0: f32 = f32::from_bits(0x3fbb5959);
pub const C1: i64 = 134217727;
pub const C2: u32 = 0xb4265a2e;

#[crunch]
pub fn dc_bits_f64_0(x: DcInt, r: DcLong) -> DcMask {
    (C0.add_ru(x.to_f32()) == r.to_f32())
}

#[crunch]
pub fn floor_1(raw: DcDouble, y: DcFloat, r: DcFloat) -> DcFloat {
    let (y2, first, a, ) = ((C1 << y.to_i64()), (!y.to_i64()), (r - y), );
    a
}

#[crunch]
pub fn k10(raw: DcLong, z: DcLong) -> (DcFloat, DcMask,) {
    let (double2, t, ) = ((raw.to_f64() + raw.to_f64()), ({
        let twice = z.to_f32();
        (twice.is_nan() ^ (twice <= 0.0))
    }), );
    let x0 = (raw.to_f32().mul_add_rz(double2.to_f32(), z.to_f32()).div_rd((-2.0)) / (floor_1(double2, double2.to_f32(), z.to_f32()) - (-2.0)));
    ((x0 * x0), t, )
}
}

mod k11 {
use doublecrunch::prelude::*;
pub const C0: f32 = f32::from_bits(0xceffffff);
pub const C1: f64 = f64::from_bits(0xbfe1e92710dc4e1a);

#[crunch]
pub fn kernel_0<const N: usize>(bits: DcDouble, y2: DcDouble, i: DcMask, r: DcDouble) -> (DcFloat, DcDouble,) {
    let (double2, acc, ) = ((bits.to_f32() - C0), (r + (r * C1)), );
    let stride = (double2 - double2);
    ((stride * double2), (acc * y2), )
}

#[crunch]
pub fn k11(isnan: DcLong, y: DcDoubleDouble, x: DcFloat) -> DcDouble {
    let i: DcDouble = ((y.lo / y.hi).to_i32().to_f64() / kernel_0::<2>(y.lo.mul_ru(9007199254740992.0), (y.hi + y.hi), (isnan.to_f32() > x), (y.hi * y.hi)).1);
    i
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
pub const C0: usize = 1;
pub const T0: [f32; 2] = [f32::from_bits(0xbf880000), f32::from_bits(0x3e94cd43)];

#[crunch]
pub fn k13(t: DcDoubleDouble, b: DcFloat, as_int: DcDouble) -> DcDoubleDouble {
    let mut isnan = t;
    if (as_int * as_int).is_sign_negative() {
        let fma = T0[C0];
        if (0 >= C0) {
            if as_int.min(1e-30).is_nan() {
                isnan = two_prod(((as_int * as_int) + as_int), 1e308);
            } else {
                let y: DcFloat = 0.1;
                let x = (b.to_bits() + fma.to_bits());
                isnan = isnan;
            }
            isnan = DcDoubleDouble::new(dd_mul(DcDoubleDouble::new(as_int, t.lo), t).lo, (as_int / as_int));
        }
        isnan = DcDoubleDouble::new(t.lo.min(b.to_f64()).max(as_int), as_int.to_i64().to_f64());
    } else {
        isnan = isnan;
    }
    isnan
}
}

mod k14 {
use doublecrunch::prelude::*;
pub const C0: u32 = 0xffffffff;
pub const C1: bool = true;

#[crunch]
pub fn helper_0(uchar16: DcDouble, y: DcMask, global: DcDouble) -> DcDouble {
    let (n, s, y2, ) = ((global + uchar16), (uchar16.to_i32() * C0), (uchar16 >= uchar16), );
    let mut u = n.mul_rz(9007199254740992.0);
    if C1 {
        u = ({
            let q = (u.floor() * uchar16);
            ((q + n) - q)
        });
    } else {
        u = (u.mul_add(uchar16, (-(u * uchar16))).recip_ru() - u);
    }
    u
}

#[crunch]
pub fn k14(double2: DcFloat, z: DcDoubleDouble, in0: DcLong, hi: DcFloat) -> DcMask {
    let half = z.hi.to_i32();
    let n = (z.lo.to_f32() * z.hi.to_f32()).to_f64();
    let uchar16 = (n.recip_ru().trunc().mul_add_ru(((n * n) * n.div_rd(n)), (n.copysign(in0.to_f64()) * n)) >= helper_0(n.sub_ru(z.lo), (((hi < hi) && (half < half)) || (half != half)), (-2.0)));
    uchar16
}
}

mod k15 {
use doublecrunch::prelude::*;
pub const C0: usize = 3;
pub static T0: [f64; 6] = [f64::from_bits(0x8000000000000035), f64::from_bits(0xbfe0000000000000), f64::from_bits(0x40066f857e1b60a6), f64::from_bits(0xbfe0000000000000), f64::from_bits(0x4004000000000000), f64::from_bits(0xba2ad37f71b41ddd)];

#[crunch]
pub fn kernel_0(double2: DcDouble, b: DcFloat, fma: (DcMask, DcInt,), global: DcDouble) -> DcDouble {
    let t = ((b.to_f64() + (global + (double2 * global))) / T0[fma.1]);
    t
}

#[crunch]
pub fn k15(as_int: DcDoubleDouble, lo: DcFloat, raw: DcDoubleDouble, z: DcDouble) -> DcFloat {
    let mut hi = (((lo * lo) + lo) + (lo / lo));
    for n in 0..2 {
        hi = (hi + hi).mul_add_rd(lo.to_i64().to_f32(), hi.floor());
    }
    for j in 2..C0 {
        hi -= DcFloat::from_bits((hi.to_bits() ^ 1));
    }
    hi
}
}

pub static ALL: &[random_kernels::child::Compiled] = &[
    random_kernels::child::Compiled { number: 0, columns: &[0, 6], kernel: doublecrunch::backend::KernelRef::of::<k0::k0>() },
    random_kernels::child::Compiled { number: 1, columns: &[0], kernel: doublecrunch::backend::KernelRef::of::<k1::k1>() },
    random_kernels::child::Compiled { number: 2, columns: &[0, 18, 12, 30, 31, 6], kernel: doublecrunch::backend::KernelRef::of::<k2::k2>() },
    random_kernels::child::Compiled { number: 3, columns: &[30, 31], kernel: doublecrunch::backend::KernelRef::of::<k3::k3>() },
    random_kernels::child::Compiled { number: 4, columns: &[0, 24], kernel: doublecrunch::backend::KernelRef::of::<k4::k4>() },
    random_kernels::child::Compiled { number: 5, columns: &[12, 18, 13, 30, 31], kernel: doublecrunch::backend::KernelRef::of::<k5::k5>() },
    random_kernels::child::Compiled { number: 6, columns: &[0, 24, 12], kernel: doublecrunch::backend::KernelRef::of::<k6::k6>() },
    random_kernels::child::Compiled { number: 7, columns: &[12, 6, 18, 13], kernel: doublecrunch::backend::KernelRef::of::<k7::k7>() },
    random_kernels::child::Compiled { number: 8, columns: &[0, 1, 6, 2, 30, 31, 3], kernel: doublecrunch::backend::KernelRef::of::<k8::k8>() },
    random_kernels::child::Compiled { number: 9, columns: &[24, 0, 1, 2], kernel: doublecrunch::backend::KernelRef::of::<k9::k9>() },
    random_kernels::child::Compiled { number: 10, columns: &[12, 13], kernel: doublecrunch::backend::KernelRef::of::<k10::k10>() },
    random_kernels::child::Compiled { number: 11, columns: &[12, 30, 31, 6], kernel: doublecrunch::backend::KernelRef::of::<k11::k11>() },
    random_kernels::child::Compiled { number: 12, columns: &[6, 24], kernel: doublecrunch::backend::KernelRef::of::<k12::k12>() },
    random_kernels::child::Compiled { number: 13, columns: &[30, 31, 6, 0], kernel: doublecrunch::backend::KernelRef::of::<k13::k13>() },
    random_kernels::child::Compiled { number: 14, columns: &[6, 30, 31, 12, 7], kernel: doublecrunch::backend::KernelRef::of::<k14::k14>() },
    random_kernels::child::Compiled { number: 15, columns: &[30, 31, 6, 32, 33, 0], kernel: doublecrunch::backend::KernelRef::of::<k15::k15>() },
];
