//! The emulations of NVIDIA's approximate instructions give the results of an H200 (compute capability 9.0, driver 580.159.04,
//! NVRTC 13.0): digests of its tables, and of searches of all 2^32 inputs, which `crunch` ran on it.

#![cfg(feature = "search")]

use dc_runtime::builtins::instructions::*;
use dc_runtime::builtins::reference::binary32::{
    cos_f32_reference, exp2_f32_reference, log2_f32_reference, recip_f32_reference,
    rsqrt_f32_reference, sin_f32_reference, sqrt_f32_reference, tanh_f32_reference,
};
use dc_runtime::builtins::ulp_error::KEY_FACTOR;

/// A function over a slice.
type Run<T> = fn(&[T], &mut [T]);

/// Name, kernel, first key, stride, number of inputs, digest of the device's results.
type Table<T> = (&'static str, Run<T>, i64, i64, u64, u64);

/// The weight of an input in a digest, by its place in the order of the reals.
fn weight(key: i64) -> u64 {
    let weight = key.wrapping_mul(KEY_FACTOR).cast_unsigned();
    (weight ^ weight >> 32) | 1
}

/// The digest of results alone, over the keys `first`, `first + stride`, ...
fn digest(first: i64, stride: i64, count: u64, results: impl Fn(&[i64], &mut Vec<u64>)) -> u64 {
    let (mut sum, mut keys, mut words) = (0u64, Vec::new(), Vec::new());
    let mut done = 0;
    while done < count {
        let n = (count - done).min(1 << 16);
        keys.clear();
        keys.extend(
            (done..done + n).map(|k| first.wrapping_add(stride.wrapping_mul(k.cast_signed()))),
        );
        results(&keys, &mut words);
        for (&key, &word) in keys.iter().zip(&words) {
            sum = sum.wrapping_add((word ^ word >> 32).wrapping_mul(weight(key)));
        }
        done += n;
    }
    sum
}

/// The number of a key.
fn f32_of(key: i64) -> f32 {
    let key = i32::try_from(key).expect("a key of binary32");
    let bits = if key < 0 { key ^ i32::MAX } else { key };
    f32::from_bits(bits.cast_unsigned())
}

fn digest_f32(run: Run<f32>, first: i64, stride: i64, count: u64) -> u64 {
    digest(first, stride, count, |keys, words| {
        let inputs: Vec<f32> = keys.iter().map(|&k| f32_of(k)).collect();
        let mut results = vec![0.0; inputs.len()];
        run(&inputs, &mut results);
        words.clear();
        words.extend(results.iter().map(|y| u64::from(y.to_bits())));
    })
}

fn digest_f64(run: Run<f64>, first: i64, stride: i64, count: u64) -> u64 {
    digest(first, stride, count, |keys, words| {
        let number =
            |k: i64| f64::from_bits((if k < 0 { k ^ i64::MAX } else { k }).cast_unsigned());
        let inputs: Vec<f64> = keys.iter().map(|&k| number(k)).collect();
        let mut results = vec![0.0; inputs.len()];
        run(&inputs, &mut results);
        words.clear();
        words.extend(results.iter().map(|y| y.to_bits()));
    })
}

/// The tables of binary32.
#[rustfmt::skip]
const TABLES: &[Table<f32>] = &[
    ("rcp.approx.ftz.f32", rcp_approx_ftz::map, 1_065_353_216, 1, 16_777_216, 0xf903_2572_a0c9_7fa6),
    ("rsqrt.approx.ftz.f32", rsqrt_approx_ftz::map, 1_065_353_216, 1, 16_777_216, 0x96cf_f66d_a799_61ff),
    ("sqrt.approx.ftz.f32", sqrt_approx_ftz::map, 1_065_353_216, 1, 16_777_216, 0x1fa9_fb38_b55b_331d),
    ("lg2.approx.ftz.f32", lg2_approx_ftz::map, 1_056_964_608, 1, 25_165_824, 0x11d2_4da0_00a8_5cbf),
    ("ex2.approx.ftz.f32", ex2_approx_ftz::map, 1_056_964_608, 1, 16_777_216, 0x8091_634b_87bc_56c6),
    ("ex2.approx.ftz.f32", ex2_approx_ftz::map, -1_073_741_825, 1, 16_777_216, 0xff49_a762_1a8c_aefd),
    ("sin.approx.ftz.f32", sin_approx_ftz::map, 1_040_187_392, 1, 50_331_648, 0xd5df_8494_5c80_dd11),
    ("cos.approx.ftz.f32", cos_approx_ftz::map, 1_040_187_392, 1, 50_331_648, 0xa8e4_3ad7_d278_b861),
    ("rcp.approx.f32", rcp_approx::map, i32::MIN as i64, 1_021, 4_206_629, 0x202f_5841_0d6d_9f0c),
    ("rsqrt.approx.f32", rsqrt_approx::map, i32::MIN as i64, 1_021, 4_206_629, 0x32bd_66dd_14a2_b5b0),
    ("sqrt.approx.f32", sqrt_approx::map, i32::MIN as i64, 1_021, 4_206_629, 0x74e8_7012_dcef_6679),
    ("lg2.approx.f32", lg2_approx::map, i32::MIN as i64, 1_021, 4_206_629, 0x67c2_3200_64bb_eac4),
    ("ex2.approx.f32", ex2_approx::map, i32::MIN as i64, 1_021, 4_206_629, 0xfda5_45ec_274d_06ce),
    ("sin.approx.ftz.f32", sin_approx_ftz::map, i32::MIN as i64, 1_021, 4_206_629, 0x53d2_39fa_8901_73bf),
    ("cos.approx.ftz.f32", cos_approx_ftz::map, i32::MIN as i64, 1_021, 4_206_629, 0xe37a_734a_cea5_cb3c),
    ("rcp.approx.f32", rcp_approx::map, 1, 3, 2_854_495, 0x6b37_3c4e_217d_a974),
    ("rcp.approx.f32", rcp_approx::map, 2_121_317_826, 1, 17_777_213, 0xbbfa_470b_609a_6778),
    ("rsqrt.approx.f32", rsqrt_approx::map, 1, 3, 2_854_495, 0xdfe9_1e0c_8eba_46c1),
    ("sqrt.approx.f32", sqrt_approx::map, 1, 3, 2_854_495, 0x00ae_68f4_f3ad_751a),
    ("lg2.approx.f32", lg2_approx::map, 1, 3, 2_854_495, 0x06d7_97c5_3a2e_4640),
    ("ex2.approx.f32", ex2_approx::map, -1_125_646_337, 1, 2_621_440, 0x9f5e_a479_8ddb_a03c),
    ("tanh.approx.f32", tanh_approx::map, 1_006_632_960, 1, 92_274_688, 0x0c59_2fcd_8219_07ea),
    ("tanh.approx.f32", tanh_approx::map, 947_912_704, 1, 58_720_256, 0xa59a_3083_f681_0380),
    ("tanh.approx.f32", tanh_approx::map, -1_098_907_649, 7, 13_182_099, 0xdf50_f589_9c2e_b0fd),
    ("tanh.approx.f32", tanh_approx::map, i32::MIN as i64, 1_021, 4_206_629, 0xfadb_449f_56b4_27aa),
];

/// Those of binary64. The device takes a NaN whose upper word is that of an infinity for that infinity, and gives ±0; a kernel sees
/// canonical NaNs only. In both tables of all doubles that is one input, whose result here is NaN.
#[rustfmt::skip]
const TABLES_F64: &[Table<f64>] = &[
    ("rcp.approx.ftz.f64", rcp_approx_ftz_f64::map, 4_607_182_418_800_017_408, 4_294_967_296, 2_097_152, 0x8a9b_faf5_bd04_4b16),
    ("rcp.approx.ftz.f64", rcp_approx_ftz_f64::map, i64::MIN, 35_184_372_088_837, 524_288, 0x203f_e6b0_3f7a_7afc),
    ("rcp.approx.ftz.f64", rcp_approx_ftz_f64::map, 9_094_988_921_128_908_188, 549_755_813_888, 225_336, 0x5a5f_b945_c8c7_f700),
    ("rcp.approx.ftz.f64", rcp_approx_ftz_f64::map, 4_607_182_418_800_017_408, 1_000_003, 4_503_587, 0xc1ac_199b_1229_9b16),
    ("rcp.approx.ftz.f64", rcp_approx_ftz_f64::map, 1, 4_398_046_511_104, 26_972, 0xb1ef_88b1_fa68_ed17),
    ("rsqrt.approx.ftz.f64", rsqrt_approx_ftz_f64::map, 4_607_182_418_800_017_408, 4_294_967_296, 4_194_304, 0x9f55_9d06_9fa6_97c8),
    ("rsqrt.approx.ftz.f64", rsqrt_approx_ftz_f64::map, i64::MIN, 35_184_372_088_837, 524_288, 0x4aee_c89d_67b4_3004),
    ("rsqrt.approx.ftz.f64", rsqrt_approx_ftz_f64::map, 1, 4_398_046_511_104, 26_972, 0xa3df_64d8_b76f_9d29),
];

#[test]
fn tables_of_binary32_are_those_of_the_device() {
    let mut wrong = Vec::new();
    for &(name, run, first, stride, count, expected) in TABLES {
        let found = digest_f32(run, first, stride, count);
        println!("{name}: {count} inputs from key {first}, {found:016x}");
        if found != expected {
            wrong.push((name, first));
        }
    }
    assert!(wrong.is_empty(), "other results: {wrong:?}");
}

#[test]
fn tables_of_binary64_are_those_of_the_device() {
    let mut wrong = Vec::new();
    for &(name, run, first, stride, count, expected) in TABLES_F64 {
        let found = digest_f64(run, first, stride, count);
        println!("{name}: {count} inputs from key {first}, {found:016x}");
        if found != expected {
            wrong.push((name, first));
        }
    }
    assert!(wrong.is_empty(), "other results: {wrong:?}");
}

/// The digest of a search of all inputs, which includes the reference's bits.
fn digest_of_all(run: Run<f32>, reference: Run<f64>) -> u64 {
    let share = |first: i64| {
        digest(first, 1, 1 << 31, |keys, words| {
            let inputs: Vec<f32> = keys.iter().map(|&k| f32_of(k)).collect();
            let wide: Vec<f64> = inputs.iter().map(|&x| f64::from(x)).collect();
            let (mut results, mut exact) = (vec![0.0; inputs.len()], vec![0.0; inputs.len()]);
            run(&inputs, &mut results);
            reference(&wide, &mut exact);
            words.clear();
            words.extend(results.iter().zip(&exact).map(|(y, r)| {
                let word = i64::from(y.to_bits().cast_signed()).cast_unsigned();
                word ^ r.to_bits().rotate_left(21)
            }));
        })
    };
    std::thread::scope(|scope| {
        let upper = scope.spawn(|| share(0));
        share(i64::from(i32::MIN)).wrapping_add(upper.join().expect("no panic"))
    })
}

macro_rules! all_inputs {
    ($($kernel:ident by $reference:ident: $digest:literal;)+) => {
        /// The searches of all 2^32 inputs on the device, from whose files the digests are.
        mod all_inputs {
            use super::*;
            $(#[test]
            #[ignore = "takes minutes"]
            fn $kernel() {
                let found = digest_of_all($kernel::map, $reference::map);
                println!("{}: {found:016x}", stringify!($kernel));
                assert_eq!(found, $digest, "another digest: {found:016x}");
            })+
        }
    };
}
all_inputs! {
    rcp_approx by recip_f32_reference: 0x8494_45df_ccf6_d9c9;
    rcp_approx_ftz by recip_f32_reference: 0x4cd4_b928_b745_812f;
    rsqrt_approx by rsqrt_f32_reference: 0x5e98_8a5f_7cee_23d4;
    rsqrt_approx_ftz by rsqrt_f32_reference: 0x4143_8c0b_0583_2b48;
    sqrt_approx by sqrt_f32_reference: 0xd2ac_a13e_2c23_a408;
    sqrt_approx_ftz by sqrt_f32_reference: 0x8dd4_9e3e_b4a3_77d9;
    lg2_approx by log2_f32_reference: 0xba8c_c171_49f3_bf14;
    lg2_approx_ftz by log2_f32_reference: 0x2a0f_6427_9462_9876;
    ex2_approx by exp2_f32_reference: 0x92ca_c8e0_0d57_1f42;
    ex2_approx_ftz by exp2_f32_reference: 0x3fa9_72c9_e0f5_b532;
    sin_approx_ftz by sin_f32_reference: 0x0e49_9a9e_9c66_b916;
    cos_approx_ftz by cos_f32_reference: 0x8851_ad14_beeb_f992;
    tanh_approx by tanh_f32_reference: 0xc6d1_bca6_738f_7437;
}
