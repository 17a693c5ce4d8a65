//! The comparison.

use dc_runtime::isa::{Isa, Scalar};
use dc_runtime::kernel::{Kind, LaneFn};
use dc_runtime::run::columns;
use kernels_gen::interp::eval_batch;
use kernels_gen::ops::Prim;

/// A value as words, with canonical NaNs.
pub trait Words: Copy {
    fn of(words: &mut std::slice::Iter<u64>) -> Self;
    fn put(self, words: &mut Vec<u64>);
}

/// A type that functions take.
pub trait Sampled: Words {
    /// Where functions change.
    fn edges() -> Vec<u64>;
    /// A word of any bits as one of this type, most of them of common magnitudes.
    fn any(word: u64, n: usize) -> u64;
}

macro_rules! float {
    ($t:ty, $bits:ty, $own:expr) => {
        impl Words for $t {
            fn of(words: &mut std::slice::Iter<u64>) -> Self {
                <$t>::from_bits(*words.next().expect("a word") as $bits)
            }
            fn put(self, words: &mut Vec<u64>) {
                let x = if self.is_nan() { <$t>::NAN } else { self };
                words.push(x.to_bits().into());
            }
        }
        impl Sampled for $t {
            fn edges() -> Vec<u64> {
                let common: &[$t] = &[
                    0.0,
                    0.25,
                    0.5,
                    1.0,
                    1.5,
                    2.0,
                    2.5,
                    3.0,
                    7.0,
                    88.0,
                    104.0,
                    255.0,
                    65535.0,
                    <$t>::MAX,
                    <$t>::MIN_POSITIVE,
                    <$t>::INFINITY,
                    2_147_483_648.0,
                    4_294_967_296.0,
                    9_223_372_036_854_775_808.0,
                    18_446_744_073_709_551_616.0,
                ];
                let own: &[$t] = &$own;
                let both = common.iter().chain(own).flat_map(|&x| [x, -x]);
                let near = both.flat_map(|x| [x, x.next_up(), x.next_down()]);
                near.chain([<$t>::NAN])
                    .map(|x| x.to_bits().into())
                    .collect()
            }
            fn any(word: u64, n: usize) -> u64 {
                if n % 2 == 0 {
                    return (word as $bits).into();
                }
                let unit = word as $t / u64::MAX as $t - 0.5;
                let scale = [1.0, 2.0, 10.0, 100.0, 1e5, 1e10][n / 2 % 6];
                ((unit * scale) as $t).to_bits().into()
            }
        }
    };
}
// The ends of the integers, and where a half is lost.
float!(
    f64,
    u64,
    [
        709.0,
        1e300,
        4_503_599_627_370_496.0,
        1e-310,
        0.499_999_999_999_999_94
    ]
);
float!(f32, u32, [8_388_608.0, 1e-40, 0.499_999_97]);

macro_rules! int {
    ($t:ty, $unsigned:ty, $lanes:ty) => {
        impl Words for $t {
            fn of(words: &mut std::slice::Iter<u64>) -> Self {
                *words.next().expect("a word") as $t
            }
            fn put(self, words: &mut Vec<u64>) {
                // As the lanes that keep it have it.
                words.push(u64::from(self as $lanes));
            }
        }
        impl Sampled for $t {
            fn edges() -> Vec<u64> {
                let powers = (0..<$t>::BITS).flat_map(|n| {
                    let power = (1 as $unsigned) << n;
                    [
                        power,
                        power.wrapping_sub(1),
                        power.wrapping_add(1),
                        power.wrapping_neg(),
                        power ^ <$unsigned>::MAX,
                    ]
                });
                let all = powers.chain([0, 3, 7, 10, 100]);
                all.map(|x| u64::from(x as $t as $lanes)).collect()
            }
            fn any(word: u64, n: usize) -> u64 {
                let shift = [0, 8, 16, 24, 40, 60][n % 6];
                u64::from((word >> shift) as $t as $lanes)
            }
        }
    };
}
int!(u8, u8, u32);
int!(i16, u16, u32);
int!(i32, u32, u32);
int!(u32, u32, u32);
int!(i64, u64, u64);
int!(u64, u64, u64);
int!(usize, u64, u64);
int!(isize, u64, u64);

impl Words for bool {
    fn of(words: &mut std::slice::Iter<u64>) -> Self {
        *words.next().expect("a word") != 0
    }
    fn put(self, words: &mut Vec<u64>) {
        words.push(self.into());
    }
}
impl Sampled for bool {
    fn edges() -> Vec<u64> {
        vec![0, 1]
    }
    fn any(word: u64, _: usize) -> u64 {
        word & 1
    }
}

macro_rules! tuple {
    ($($t:ident $n:tt),+) => {
        impl<$($t: Words),+> Words for ($($t,)+) {
            fn of(words: &mut std::slice::Iter<u64>) -> Self {
                ($($t::of(words),)+)
            }
            fn put(self, words: &mut Vec<u64>) {
                $(self.$n.put(words);)+
            }
        }
        impl<$($t: Sampled),+> Inputs for ($($t,)+) {
            const COLUMNS: usize = 0 $(+ { let _ = $n; 1 })+;
            fn edges(column: usize) -> Vec<u64> {
                vec![$($t::edges()),+].swap_remove(column)
            }
            fn any(column: usize, word: u64, n: usize) -> u64 {
                [$($t::any(word, n)),+][column]
            }
        }
    };
}
/// The parameters of a function.
pub trait Inputs: Words {
    const COLUMNS: usize;
    fn edges(column: usize) -> Vec<u64>;
    fn any(column: usize, word: u64, n: usize) -> u64;
}
tuple!(A 0);
tuple!(A 0, B 1);
tuple!(A 0, B 1, C 2);
tuple!(A 0, B 1, C 2, D 3);

/// The columns of a sample: all edges with one another, and random words.
fn sample<I: Inputs>(random: usize) -> Vec<Vec<u64>> {
    let mut columns = vec![Vec::new(); I::COLUMNS];
    let edges: Vec<Vec<u64>> = (0..I::COLUMNS).map(I::edges).collect();
    let all = edges.iter().map(Vec::len).product::<usize>().min(200_000);
    for n in 0..all {
        let mut rest = n;
        for (column, edges) in columns.iter_mut().zip(&edges) {
            column.push(edges[rest % edges.len()]);
            rest /= edges.len();
        }
    }
    let mut word = 1u64;
    for n in 0..random {
        for (c, column) in columns.iter_mut().enumerate() {
            word = word.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(99);
            column.push(I::any(c, word ^ (word >> 29), n));
        }
    }
    columns
}

/// Compares a kernel with the function that it stands beside, over the inputs that the function takes.
pub fn agrees<K: LaneFn, A: Inputs, R: Words>(plain: impl Fn(A) -> R, takes: impl Fn(A) -> bool) {
    if let Err(text) = compare::<K, A, R>(plain, takes) {
        panic!("{text}");
    }
}

/// The first input at which they differ.
pub fn compare<K: LaneFn, A: Inputs, R: Words>(
    plain: impl Fn(A) -> R,
    takes: impl Fn(A) -> bool,
) -> Result<(), String> {
    let all = sample::<A>(20_000);
    let mut inputs = vec![Vec::new(); A::COLUMNS];
    let mut want: Vec<Vec<u64>> = Vec::new();
    for n in 0..all[0].len() {
        let row: Vec<u64> = all.iter().map(|c| c[n]).collect();
        let args = A::of(&mut row.iter());
        if !takes(args) {
            continue;
        }
        let mut words = Vec::new();
        plain(args).put(&mut words);
        want.push(words);
        for (column, word) in inputs.iter_mut().zip(row) {
            column.push(word);
        }
    }
    assert!(
        want.len() > 100 || A::COLUMNS == 1,
        "{} inputs are no sample",
        want.len()
    );
    let inputs: Vec<&[u64]> = inputs.iter().map(Vec::as_slice).collect();
    everywhere::<K>(&inputs, &want)
}

/// Compares a kernel with the function that it stands beside, whatever its types are, over the words that the function takes.
pub fn written<K: LaneFn>(takes: impl Fn(&[u64]) -> bool) {
    let function = K::WRITTEN.expect("a plain function");
    let mut prims = Vec::new();
    <K::Args as Kind>::prims(&mut |prim| prims.push(prim));
    let edges: Vec<Vec<u64>> = prims.iter().map(|p| edges_of(*p)).collect();
    let mut columns = vec![Vec::new(); prims.len()];
    let mut want = Vec::new();
    let mut word = 7u64;
    for n in 0..20_000 {
        let mut row = Vec::new();
        for (prim, edges) in prims.iter().zip(&edges) {
            word = word.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(99);
            let bits = word ^ (word >> 29);
            row.push(match bits >> 40 & 3 {
                0 => edges[bits as usize % edges.len()],
                _ => any_of(*prim, bits, n),
            });
        }
        let args = <K::Args as Kind>::from_words(&row);
        // As the type has it.
        <K::Args as Kind>::to_words(args, &mut row);
        if !takes(&row) {
            continue;
        }
        let mut result = vec![0; <K::Ret as Kind>::WIDTH];
        <K::Ret as Kind>::to_words(function(args), &mut result);
        let mut results = result.iter_mut();
        <K::Ret as Kind>::prims(&mut |prim| {
            let word = results.next().expect("as wide as its type");
            *word = canonical(prim, *word);
        });
        want.push(result);
        for (column, word) in columns.iter_mut().zip(row) {
            column.push(word);
        }
    }
    assert!(want.len() > 100, "{} inputs are no sample", want.len());
    let inputs: Vec<&[u64]> = columns.iter().map(Vec::as_slice).collect();
    if let Err(text) = everywhere::<K>(&inputs, &want) {
        panic!("{text}");
    }
}

fn edges_of(prim: Prim) -> Vec<u64> {
    match prim {
        Prim::F64 => f64::edges(),
        Prim::F32 => f32::edges(),
        Prim::I64 => i64::edges(),
        Prim::I32 => i32::edges(),
        Prim::Mask => bool::edges(),
    }
}
fn any_of(prim: Prim, word: u64, n: usize) -> u64 {
    match prim {
        Prim::F64 => f64::any(word, n),
        Prim::F32 => f32::any(word, n),
        Prim::I64 => i64::any(word, n),
        Prim::I32 => i32::any(word, n),
        Prim::Mask => bool::any(word, n),
    }
}
fn canonical(prim: Prim, word: u64) -> u64 {
    match prim {
        Prim::F64 if f64::from_bits(word).is_nan() => f64::NAN.to_bits(),
        Prim::F32 if f32::from_bits(word as u32).is_nan() => f32::NAN.to_bits().into(),
        _ => word,
    }
}

/// On every instruction set, and in the interpreter.
fn everywhere<K: LaneFn>(inputs: &[&[u64]], want: &[Vec<u64>]) -> Result<(), String> {
    let width = want[0].len();
    let mut outputs = vec![Vec::new(); width];
    let program = kernels_gen::lower(K::KERNEL).map_err(|e| e.to_string())?;
    eval_batch(&program, inputs, &mut outputs);
    same::<K>("interpreter", inputs, want, &outputs)?;
    columns::<K, Scalar<1>>(inputs, &mut outputs);
    same::<K>("scalar", inputs, want, &outputs)?;
    #[cfg(target_arch = "x86_64")]
    {
        use dc_runtime::isa::{Avx2, Avx512};
        if Avx2::<2>::detect().is_some() {
            columns::<K, Avx2<2>>(inputs, &mut outputs);
            same::<K>("avx2", inputs, want, &outputs)?;
        }
        if Avx512::<2>::detect().is_some() {
            columns::<K, Avx512<2>>(inputs, &mut outputs);
            same::<K>("avx512", inputs, want, &outputs)?;
        }
    }
    Ok(())
}

fn same<K: LaneFn>(
    on: &str,
    inputs: &[&[u64]],
    want: &[Vec<u64>],
    outputs: &[Vec<u64>],
) -> Result<(), String> {
    for (n, want) in want.iter().enumerate() {
        let got: Vec<u64> = outputs.iter().map(|c| c[n]).collect();
        if got != *want {
            let at: Vec<String> = inputs.iter().map(|c| format!("{:#x}", c[n])).collect();
            return Err(format!(
                "{} on {on} at ({}): {got:x?}, and the function gives {want:x?}",
                K::KERNEL.name,
                at.join(", ")
            ));
        }
    }
    Ok(())
}

/// `agree!(f, (f32, f32))`, with `if |x, y| …` for the inputs that the function takes.
macro_rules! agree {
    ($f:ident, ($($t:ty),+)) => {
        agree!($f, ($($t),+), if |_| true)
    };
    ($f:ident, ($($t:ty),+), if $takes:expr) => {
        $crate::compare::agrees::<$f, ($($t,)+), _>(agree!(@call $f, $($t),+), $takes)
    };
    (@call $f:ident, $a:ty) => { |(a,)| $f(a) };
    (@call $f:ident, $a:ty, $b:ty) => { |(a, b)| $f(a, b) };
    (@call $f:ident, $a:ty, $b:ty, $c:ty) => { |(a, b, c)| $f(a, b, c) };
}
pub(crate) use agree;
