//! Values for the inputs of texts.

use kernels_gen::ops::Prim::{self, F32, F64, I32, I64, Mask};

/// splitmix64
pub struct Random(pub u64);
impl Random {
    pub fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let z = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }
}

/// Values at which the results of conversions, roundings and special cases change.
fn edges(p: Prim) -> Vec<u64> {
    let floats = [
        0.0,
        0.5,
        0.1,
        1.0,
        1.5,
        2.5,
        3.0,
        0.499_999_999_999_999_94,
        16_777_217.0,
        33_554_431.0,
        2_147_483_647.0,
        2_147_483_647.5,
        2_147_483_648.0,
        2_147_483_648.5,
        2_147_483_649.0,
        4_503_599_627_370_497.5,
        9.007_199_254_740_993e15,
        9.223_372_036_854_775e18,
        9.223_372_036_854_776e18,
        9.3e18,
        3.402_823_466_385_288_6e38,
        3.402_823_567_797_336_7e38,
        1.401_298_464_324_817e-45,
        7.006_492_321_624_085e-46,
        1.175_494_350_822_287_5e-38,
        5e-324,
        2.225_073_858_507_201e-308,
        f64::MIN_POSITIVE,
        f64::MAX,
        f64::INFINITY,
        f64::NAN,
    ];
    match p {
        F64 => floats
            .iter()
            .flat_map(|x| [x.to_bits(), (-x).to_bits()])
            .chain([0x7ff0_0000_0000_0001, 0xfff8_dead_beef_0000])
            .collect(),
        F32 => floats
            .iter()
            .flat_map(|&x| {
                [
                    u64::from((x as f32).to_bits()),
                    u64::from((-x as f32).to_bits()),
                ]
            })
            .chain([0x7f80_0001, 0xffc0_1234])
            .collect(),
        I64 => vec![
            0,
            1,
            5,
            31,
            32,
            63,
            64,
            65,
            i64::MAX as u64,
            i64::MIN as u64,
            u64::MAX,
            1 << 53,
            (1 << 53) + 1,
            (1 << 31) - 1,
            1 << 31,
            0xffff_ffff_8000_0000,
            0xffff_ffff_7fff_ffff,
            (1 << 62) + (1 << 38),
        ],
        I32 => vec![
            0,
            1,
            5,
            31,
            32,
            33,
            0x7fff_ffff,
            0x8000_0000,
            0xffff_ffff,
            (1 << 24) + 1,
            0x7fff_ffbf,
            0x7fff_ffc0,
        ],
        Mask => vec![0, 1],
    }
}

/// `n` lanes of each parameter: random mixtures of edges, random bits and moderate values.
pub fn inputs(types: &[Prim], n: usize) -> Vec<Vec<u64>> {
    let mut random = Random(7);
    let mut lane = |p: Prim| {
        let (edges, pick, bits) = (edges(p), random.next(), random.next());
        match (pick % 4, p) {
            (0 | 1, _) | (_, Mask) => edges[(bits % edges.len() as u64) as usize],
            (2, F64) => {
                ((bits as i64) as f64 * (pick as i64 as f64 / 9e18).exp2() / 9e18).to_bits()
            }
            (2, F32) => u64::from(
                ((bits as i64) as f32 * (pick as i64 as f32 / 9e18).exp2() / 9e18).to_bits(),
            ),
            (_, F32 | I32) => bits & 0xffff_ffff,
            _ => bits,
        }
    };
    let mut columns = vec![Vec::with_capacity(n); types.len()];
    for _ in 0..n {
        for (column, &p) in columns.iter_mut().zip(types) {
            column.push(lane(p));
        }
    }
    columns
}
