//! Written by `scripts/binary64.py`: change it there.

/// 2^(j/16), as bits.
pub(super) static POWERS: [u64; 16] = [
    0x3ff0000000000000,
    0x3ff0b5586cf9890f,
    0x3ff172b83c7d517b,
    0x3ff2387a6e756238,
    0x3ff306fe0a31b715,
    0x3ff3dea64c123422,
    0x3ff4bfdad5362a27,
    0x3ff5ab07dd485429,
    0x3ff6a09e667f3bcd,
    0x3ff7a11473eb0187,
    0x3ff8ace5422aa0db,
    0x3ff9c49182a3f090,
    0x3ffae89f995ad3ad,
    0x3ffc199bdd85529c,
    0x3ffd5818dcfba487,
    0x3ffea4afa2a490da,
];

/// What the powers lack, as a part of them.
pub(super) static TAILS: [f64; 16] = [
    f64::from_bits(0x0000000000000000),
    f64::from_bits(0x3c979aa65d837b6d),
    f64::from_bits(0xbc801b15eaa59348),
    f64::from_bits(0x3c968efde3a8a894),
    f64::from_bits(0x3c834d754db0abb6),
    f64::from_bits(0x3c859f48a72a4c6d),
    f64::from_bits(0x3c7690cebb7aafb0),
    f64::from_bits(0x3c9063e1e21c5409),
    f64::from_bits(0xbc93b3efbf5e2228),
    f64::from_bits(0xbc7b32dcb94da51d),
    f64::from_bits(0x3c8db72fc1f0eab4),
    f64::from_bits(0x3c71affc2b91ce27),
    f64::from_bits(0x3c8c1a7792cb3387),
    f64::from_bits(0x3c736eae30af0cb3),
    f64::from_bits(0x3c74a385a63d07a7),
    f64::from_bits(0xbc8ff7128fd391f0),
];

/// 16 / ln 2.
pub(super) const STEPS: f64 = f64::from_bits(0x40371547652b82fe); // 0x1.71547652b82fep+4

/// ln 2 / 16: its first 37 bits,
pub(super) const STEP_HI: f64 = f64::from_bits(0x3fa62e42fefa0000); // 0x1.62e42fefa0000p-5

/// and the rest.
pub(super) const STEP_LO: f64 = f64::from_bits(0x3d3cf79abc9e3b3a); // 0x1.cf79abc9e3b3ap-44

/// 16 log2 10.
pub(super) const STEPS_10: f64 = f64::from_bits(0x404a934f0979a371); // 0x1.a934f0979a371p+5

/// log10 2 / 16: its first 37 bits,
pub(super) const STEP_10_HI: f64 = f64::from_bits(0x3f934413509f0000); // 0x1.34413509f0000p-6

/// and the rest times ln 10.
pub(super) const STEP_10_LO: f64 = f64::from_bits(0x3d518e7eb32a5335); // 0x1.18e7eb32a5335p-42

/// ln 2, first word.
pub(super) const LN_2_HI: f64 = f64::from_bits(0x3fe62e42fefa39ef); // 0x1.62e42fefa39efp-1

/// ln 2, second word.
pub(super) const LN_2_LO: f64 = f64::from_bits(0x3c7abc9e3b39803f); // 0x1.abc9e3b39803fp-56

/// ln 10, first word.
pub(super) const LN_10_HI: f64 = f64::from_bits(0x40026bb1bbb55516); // 0x1.26bb1bbb55516p+1

/// ln 10, second word.
pub(super) const LN_10_LO: f64 = f64::from_bits(0xbcaf48ad494ea3e9); // -0x1.f48ad494ea3e9p-53

/// ln 2^-1022: below it, e^x is subnormal.
pub(super) const LEAST: f64 = f64::from_bits(0xc086232bdd7abcd2); // -0x1.6232bdd7abcd2p+9

/// The same for 10^x.
pub(super) const LEAST_10: f64 = f64::from_bits(0xc0733a7146f72a42); // -0x1.33a7146f72a42p+8

/// Factors near 1/m of the 16 cells; m c - 1 has 53 bits, and is below 2^-4.4.
pub(super) static FACTORS: [f64; 16] = [
    f64::from_bits(0x3ff7000000000000),
    f64::from_bits(0x3ff6000000000000),
    f64::from_bits(0x3ff5000000000000),
    f64::from_bits(0x3ff4000000000000),
    f64::from_bits(0x3ff4000000000000),
    f64::from_bits(0x3ff3000000000000),
    f64::from_bits(0x3ff2000000000000),
    f64::from_bits(0x3ff2000000000000),
    f64::from_bits(0x3ff1000000000000),
    f64::from_bits(0x3ff0000000000000),
    f64::from_bits(0x3ff0000000000000),
    f64::from_bits(0x3fee000000000000),
    f64::from_bits(0x3fec000000000000),
    f64::from_bits(0x3feb000000000000),
    f64::from_bits(0x3fea000000000000),
    f64::from_bits(0x3fe8000000000000),
];

/// -ln of the factors: multiples of 2^-42,
pub(super) static LN_HI: [f64; 16] = [
    f64::from_bits(0xbfd739d7f6bbd000),
    f64::from_bits(0xbfd4618bc21c6000),
    f64::from_bits(0xbfd1675cababa000),
    f64::from_bits(0xbfcc8ff7c79aa000),
    f64::from_bits(0xbfcc8ff7c79aa000),
    f64::from_bits(0xbfc5ff3070a7a000),
    f64::from_bits(0xbfbe27076e2b0000),
    f64::from_bits(0xbfbe27076e2b0000),
    f64::from_bits(0xbfaf0a30c0118000),
    f64::from_bits(0x0000000000000000),
    f64::from_bits(0x0000000000000000),
    f64::from_bits(0x3fb08598b59e4000),
    f64::from_bits(0x3fc1178e8227e000),
    f64::from_bits(0x3fc5bf406b544000),
    f64::from_bits(0x3fca93ed3c8ae000),
    f64::from_bits(0x3fd269621134e000),
];

/// and the rest.
pub(super) static LN_LO: [f64; 16] = [
    f64::from_bits(0xbcba7389314feb50),
    f64::from_bits(0x3d13d82f484c84cc),
    f64::from_bits(0xbd38380e731f55c4),
    f64::from_bits(0x3d27794f689f8434),
    f64::from_bits(0x3d27794f689f8434),
    f64::from_bits(0x3d38586f183bebf2),
    f64::from_bits(0x3d2a342c2af0003c),
    f64::from_bits(0x3d2a342c2af0003c),
    f64::from_bits(0x3d2d599e83368e91),
    f64::from_bits(0x0000000000000000),
    f64::from_bits(0x0000000000000000),
    f64::from_bits(0xbd17e5dd7009902c),
    f64::from_bits(0x3d21ef78ce2d07f2),
    f64::from_bits(0xbd127023eb68981c),
    f64::from_bits(0xbd28724350562169),
    f64::from_bits(0xbd31b61f10522625),
];

/// ln(1 + r) less its first term, divided by r²; the highest power first.
pub(super) const LN_SERIES: [f64; 11] = [
    f64::from_bits(0xbfb586ad5443d486),
    f64::from_bits(0x3fb766d759f2d11f),
    f64::from_bits(0xbfb9996cc470e48f),
    f64::from_bits(0x3fbc71b2a23f0ef6),
    f64::from_bits(0xbfc0000008ec01cf),
    f64::from_bits(0x3fc249249525ba31),
    f64::from_bits(0xbfc555555553c62d),
    f64::from_bits(0x3fc999999999416f),
    f64::from_bits(0xbfd000000000000c),
    f64::from_bits(0x3fd5555555555557),
    f64::from_bits(0xbfe0000000000000),
];

/// ln 2: a multiple of 2^-42,
pub(super) const TWO_HI: f64 = f64::from_bits(0x3fe62e42fefa3800); // 0x1.62e42fefa3800p-1

/// and the rest.
pub(super) const TWO_LO: f64 = f64::from_bits(0x3d2ef35793c76730); // 0x1.ef35793c76730p-45

/// -log2 of the factors: multiples of 2^-42,
pub(super) static LOG2_HI: [f64; 16] = [
    f64::from_bits(0xbfe0c10500d63800),
    f64::from_bits(0xbfdd6753e032f000),
    f64::from_bits(0xbfd91bba891f1000),
    f64::from_bits(0xbfd49a784bcd2000),
    f64::from_bits(0xbfd49a784bcd2000),
    f64::from_bits(0xbfcfbc16b9026000),
    f64::from_bits(0xbfc5c01a39fbe000),
    f64::from_bits(0xbfc5c01a39fbe000),
    f64::from_bits(0xbfb663f6fac90000),
    f64::from_bits(0x0000000000000000),
    f64::from_bits(0x0000000000000000),
    f64::from_bits(0x3fb7d60496cfc000),
    f64::from_bits(0x3fc8a8980abfc000),
    f64::from_bits(0x3fcf5fd8a9064000),
    f64::from_bits(0x3fd32bfee370f000),
    f64::from_bits(0x3fda8ff971811000),
];

/// and the rest.
pub(super) static LOG2_LO: [f64; 16] = [
    f64::from_bits(0xbd3532c412ba94db),
    f64::from_bits(0x3d37c407050799bf),
    f64::from_bits(0xbd3c22d2cad415ae),
    f64::from_bits(0x3d31d406db502403),
    f64::from_bits(0x3d31d406db502403),
    f64::from_bits(0xbd30144751b3314f),
    f64::from_bits(0x3d32f0c0bfe9dbec),
    f64::from_bits(0x3d32f0c0bfe9dbec),
    f64::from_bits(0xbd33167ccc538261),
    f64::from_bits(0x0000000000000000),
    f64::from_bits(0x0000000000000000),
    f64::from_bits(0xbd12ce6312ebb81d),
    f64::from_bits(0xbd166cccab240e90),
    f64::from_bits(0xbd0cb6f70109b0f1),
    f64::from_bits(0xbd1979a5db68721d),
    f64::from_bits(0xbd36879fa00b120a),
];

/// log2(1 + r) less its first term, divided by r²; the highest power first.
pub(super) const LOG2_SERIES: [f64; 11] = [
    f64::from_bits(0xbfbf0e39fa5df0c6),
    f64::from_bits(0x3fc0e17a7c23c6eb),
    f64::from_bits(0xbfc2774bf9ea7078),
    f64::from_bits(0x3fc484a27809ad26),
    f64::from_bits(0xbfc71547720aa32a),
    f64::from_bits(0x3fca61762e9bc437),
    f64::from_bits(0xbfcec709dc37c421),
    f64::from_bits(0x3fd2776c50ef5c65),
    f64::from_bits(0xbfd71547652b830f),
    f64::from_bits(0x3fdec709dc3a0400),
    f64::from_bits(0xbfe71547652b82fe),
];

/// log2 e, first word.
pub(super) const LOG2_E_HI: f64 = f64::from_bits(0x3ff71547652b82fe); // 0x1.71547652b82fep+0

/// Its second word.
pub(super) const LOG2_E_LO: f64 = f64::from_bits(0x3c7777d0ffda0d24); // 0x1.777d0ffda0d24p-56

/// -log10 of the factors: multiples of 2^-42,
pub(super) static LOG10_HI: [f64; 16] = [
    f64::from_bits(0xbfc42c7e7fe40000),
    f64::from_bits(0xbfc1b3e71ec94000),
    f64::from_bits(0xbfbe3bc1ab0e0000),
    f64::from_bits(0xbfb8cf1838864000),
    f64::from_bits(0xbfb8cf1838864000),
    f64::from_bits(0xbfb31b3055c48000),
    f64::from_bits(0xbfaa30a9d60a0000),
    f64::from_bits(0xbfaa30a9d60a0000),
    f64::from_bits(0xbf9af5f92b010000),
    f64::from_bits(0x0000000000000000),
    f64::from_bits(0x0000000000000000),
    f64::from_bits(0x3f9cb38fccd90000),
    f64::from_bits(0x3fadb11ed7668000),
    f64::from_bits(0x3fb2e3a740b78000),
    f64::from_bits(0x3fb715d0ce368000),
    f64::from_bits(0x3fbffbfc2bbc8000),
];

/// and the rest.
pub(super) static LOG10_LO: [f64; 16] = [
    f64::from_bits(0x3d1ff1d22abd8abe),
    f64::from_bits(0xbd3ef57776664942),
    f64::from_bits(0xbd39fe3d562a53f0),
    f64::from_bits(0xbd2019365163f2fc),
    f64::from_bits(0xbd2019365163f2fc),
    f64::from_bits(0x3d2dcffc97be8c9c),
    f64::from_bits(0x3d20163d7e67d282),
    f64::from_bits(0x3d20163d7e67d282),
    f64::from_bits(0x3d19f05921f59258),
    f64::from_bits(0x0000000000000000),
    f64::from_bits(0x0000000000000000),
    f64::from_bits(0xbd300925a535ae72),
    f64::from_bits(0x3d35fa196e1e0dda),
    f64::from_bits(0x3cad288560689912),
    f64::from_bits(0xbd141149840eaa65),
    f64::from_bits(0xbd1ff229f20ed3d2),
];

/// log10(1 + r) less its first term, divided by r²; the highest power first.
pub(super) const LOG10_SERIES: [f64; 11] = [
    f64::from_bits(0xbfa2b283668c9144),
    f64::from_bits(0x3fa453941ccb2d83),
    f64::from_bits(0xbfa63c3b86634ce4),
    f64::from_bits(0x3fa8b4cd65ee4422),
    f64::from_bits(0xbfabcb7b24a69f15),
    f64::from_bits(0x3fafc3fa6649a6f1),
    f64::from_bits(0xbfb287a7636de8ab),
    f64::from_bits(0x3fb63c6277520444),
    f64::from_bits(0xbfbbcb7b1526e523),
    f64::from_bits(0x3fc287a7636f4360),
    f64::from_bits(0xbfcbcb7b1526e50e),
];

/// log10 2: a multiple of 2^-42,
pub(super) const LOG10_2_HI: f64 = f64::from_bits(0x3fd34413509f8000); // 0x1.34413509f8000p-2

/// and the rest.
pub(super) const LOG10_2_LO: f64 = f64::from_bits(0xbd380433b83b532a); // -0x1.80433b83b532ap-44

/// log10 e, first word.
pub(super) const LOG10_E_HI: f64 = f64::from_bits(0x3fdbcb7b1526e50e); // 0x1.bcb7b1526e50ep-2

/// Its second word.
pub(super) const LOG10_E_LO: f64 = f64::from_bits(0x3c695355baaafad3); // 0x1.95355baaafad3p-57

/// 16 / π.
pub(super) const PLACES: f64 = f64::from_bits(0x40145f306dc9c883); // 0x1.45f306dc9c883p+2

/// π / 16: its first 38 bits,
pub(super) const PLACE_1: f64 = f64::from_bits(0x3fc921fb54440000); // 0x1.921fb54440000p-3

/// the next 38,
pub(super) const PLACE_2: f64 = f64::from_bits(0x3d568c234c4c8000); // 0x1.68c234c4c8000p-42

/// and the rest.
pub(super) const PLACE_3: f64 = f64::from_bits(0xbad9d747f23e32ed); // -0x1.9d747f23e32edp-82

/// π / 2, first word.
pub(super) const HALF_PI_HI: f64 = f64::from_bits(0x3ff921fb54442d18); // 0x1.921fb54442d18p+0

/// π / 2, second word.
pub(super) const HALF_PI_LO: f64 = f64::from_bits(0x3c91a62633145c07); // 0x1.1a62633145c07p-54

/// sin(j π/16).
pub(super) static SINES_HI: [f64; 32] = [
    f64::from_bits(0x0000000000000000),
    f64::from_bits(0x3fc8f8b83c69a60b),
    f64::from_bits(0x3fd87de2a6aea963),
    f64::from_bits(0x3fe1c73b39ae68c8),
    f64::from_bits(0x3fe6a09e667f3bcd),
    f64::from_bits(0x3fea9b66290ea1a3),
    f64::from_bits(0x3fed906bcf328d46),
    f64::from_bits(0x3fef6297cff75cb0),
    f64::from_bits(0x3ff0000000000000),
    f64::from_bits(0x3fef6297cff75cb0),
    f64::from_bits(0x3fed906bcf328d46),
    f64::from_bits(0x3fea9b66290ea1a3),
    f64::from_bits(0x3fe6a09e667f3bcd),
    f64::from_bits(0x3fe1c73b39ae68c8),
    f64::from_bits(0x3fd87de2a6aea963),
    f64::from_bits(0x3fc8f8b83c69a60b),
    f64::from_bits(0x0000000000000000),
    f64::from_bits(0xbfc8f8b83c69a60b),
    f64::from_bits(0xbfd87de2a6aea963),
    f64::from_bits(0xbfe1c73b39ae68c8),
    f64::from_bits(0xbfe6a09e667f3bcd),
    f64::from_bits(0xbfea9b66290ea1a3),
    f64::from_bits(0xbfed906bcf328d46),
    f64::from_bits(0xbfef6297cff75cb0),
    f64::from_bits(0xbff0000000000000),
    f64::from_bits(0xbfef6297cff75cb0),
    f64::from_bits(0xbfed906bcf328d46),
    f64::from_bits(0xbfea9b66290ea1a3),
    f64::from_bits(0xbfe6a09e667f3bcd),
    f64::from_bits(0xbfe1c73b39ae68c8),
    f64::from_bits(0xbfd87de2a6aea963),
    f64::from_bits(0xbfc8f8b83c69a60b),
];

/// Its second word.
pub(super) static SINES_LO: [f64; 32] = [
    f64::from_bits(0x0000000000000000),
    f64::from_bits(0xbc626d19b9ff8d82),
    f64::from_bits(0xbc672cedd3d5a610),
    f64::from_bits(0x3c8b25dd267f6600),
    f64::from_bits(0xbc8bdd3413b26456),
    f64::from_bits(0x3c39f630e8b6dac8),
    f64::from_bits(0x3c7457e610231ac2),
    f64::from_bits(0x3c7562172a361fd3),
    f64::from_bits(0x0000000000000000),
    f64::from_bits(0x3c7562172a361fd3),
    f64::from_bits(0x3c7457e610231ac2),
    f64::from_bits(0x3c39f630e8b6dac8),
    f64::from_bits(0xbc8bdd3413b26456),
    f64::from_bits(0x3c8b25dd267f6600),
    f64::from_bits(0xbc672cedd3d5a610),
    f64::from_bits(0xbc626d19b9ff8d82),
    f64::from_bits(0x0000000000000000),
    f64::from_bits(0x3c626d19b9ff8d82),
    f64::from_bits(0x3c672cedd3d5a610),
    f64::from_bits(0xbc8b25dd267f6600),
    f64::from_bits(0x3c8bdd3413b26456),
    f64::from_bits(0xbc39f630e8b6dac8),
    f64::from_bits(0xbc7457e610231ac2),
    f64::from_bits(0xbc7562172a361fd3),
    f64::from_bits(0x0000000000000000),
    f64::from_bits(0xbc7562172a361fd3),
    f64::from_bits(0xbc7457e610231ac2),
    f64::from_bits(0xbc39f630e8b6dac8),
    f64::from_bits(0x3c8bdd3413b26456),
    f64::from_bits(0xbc8b25dd267f6600),
    f64::from_bits(0x3c672cedd3d5a610),
    f64::from_bits(0x3c626d19b9ff8d82),
];

/// atan(j/16), and π/2 less it.
pub(super) static ANGLES_HI: [f64; 32] = [
    f64::from_bits(0x0000000000000000),
    f64::from_bits(0x3faff55bb72cfdea),
    f64::from_bits(0x3fbfd5ba9aac2f6e),
    f64::from_bits(0x3fc7b97b4bce5b02),
    f64::from_bits(0x3fcf5b75f92c80dd),
    f64::from_bits(0x3fd362773707ebcc),
    f64::from_bits(0x3fd6f61941e4def1),
    f64::from_bits(0x3fda64eec3cc23fd),
    f64::from_bits(0x3fddac670561bb4f),
    f64::from_bits(0x3fe0657e94db30d0),
    f64::from_bits(0x3fe1e00babdefeb4),
    f64::from_bits(0x3fe345f01cce37bb),
    f64::from_bits(0x3fe4978fa3269ee1),
    f64::from_bits(0x3fe5d58987169b18),
    f64::from_bits(0x3fe700a7c5784634),
    f64::from_bits(0x3fe819d0b7158a4d),
    f64::from_bits(0x3ff921fb54442d18),
    f64::from_bits(0x3ff82250768ac529),
    f64::from_bits(0x3ff7249faa996a21),
    f64::from_bits(0x3ff62acbeaca61b8),
    f64::from_bits(0x3ff5368c951e9cfd),
    f64::from_bits(0x3ff4495d86823225),
    f64::from_bits(0x3ff3647503caf55c),
    f64::from_bits(0x3ff288bfa3512419),
    f64::from_bits(0x3ff1b6e192ebbe44),
    f64::from_bits(0x3ff0ef3c09d694b0),
    f64::from_bits(0x3ff031f57e54adbe),
    f64::from_bits(0x3feefe068bba2275),
    f64::from_bits(0x3fedac670561bb4f),
    f64::from_bits(0x3fec6e6d2171bf18),
    f64::from_bits(0x3feb434ee31013fd),
    f64::from_bits(0x3fea2a25f172cfe4),
];

/// Its second word.
pub(super) static ANGLES_LO: [f64; 32] = [
    f64::from_bits(0x0000000000000000),
    f64::from_bits(0xbc3c934d86d23f1d),
    f64::from_bits(0xbc4cd37686760c17),
    f64::from_bits(0x3c5347b0b4f881ca),
    f64::from_bits(0x3c68ab6e3cf7afbd),
    f64::from_bits(0xbc6963a544b672d8),
    f64::from_bits(0xbc7c63aae6f6e918),
    f64::from_bits(0xbc724dec1b50b7ff),
    f64::from_bits(0x3c7a2b7f222f65e2),
    f64::from_bits(0xbc7d5b495f6349e6),
    f64::from_bits(0xbc5928df287a668f),
    f64::from_bits(0x3c81021137c71102),
    f64::from_bits(0x3c72419a87f2a458),
    f64::from_bits(0x3c60028e4bc5e7ca),
    f64::from_bits(0xbc78c34d25aadef6),
    f64::from_bits(0xbc7bf76229d3b917),
    f64::from_bits(0x3c91a62633145c07),
    f64::from_bits(0xbc5e78c96d05afcb),
    f64::from_bits(0x3c9a8cc1e7480c68),
    f64::from_bits(0x3c3c6ac9f134fa91),
    f64::from_bits(0xbc996f47948a99f1),
    f64::from_bits(0x3c94d29adbab2a62),
    f64::from_bits(0x3c817e21d9a42c9a),
    f64::from_bits(0x3c78e684e7a2281b),
    f64::from_bits(0x3c9b1b466a88828e),
    f64::from_bits(0x3c98fcf88aed2e80),
    f64::from_bits(0x3c9338b4259c0270),
    f64::from_bits(0x3c824a3b2e61a70b),
    f64::from_bits(0x3c8a2b7f222f65e2),
    f64::from_bits(0x3c8f4ba8d3373e1b),
    f64::from_bits(0xbc80520d0701d877),
    f64::from_bits(0xbc7d700509dad6ce),
];

/// π, first word.
pub(super) const PI_HI: f64 = f64::from_bits(0x400921fb54442d18); // 0x1.921fb54442d18p+1

/// π, second word.
pub(super) const PI_LO: f64 = f64::from_bits(0x3ca1a62633145c07); // 0x1.1a62633145c07p-53
