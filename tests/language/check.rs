//! One kernel at many inputs, by every way to run it, compared with an oracle.

use doublecrunch::__private_v0_2::{Kind, LaneFn};
use doublecrunch::backend::KernelRef;
use doublecrunch::kernel::ArgsKind;
use doublecrunch::run;
use kernels_gen::ops::Prim;

use crate::support;
use crate::values::Inputs;

/// The type of one element outside of kernels.
type Plain<K> = <K as Kind>::Plain;

/// A parameter list whose columns can be made from a vector of tuples.
pub trait Columns: ArgsKind {
    type Vecs;
    fn vecs(inputs: &[Plain<Self>]) -> Self::Vecs;
    fn slices(vecs: &Self::Vecs) -> Self::Slices<'_>;
}

macro_rules! columns {
    ($(($($t:ident $n:tt),+))+) => {$(
        impl<$($t: Kind),+> Columns for ($($t,)+) {
            type Vecs = ($(Vec<Plain<$t>>,)+);
            fn vecs(inputs: &[Plain<Self>]) -> Self::Vecs {
                ($(inputs.iter().map(|x| x.$n).collect(),)+)
            }
            fn slices(vecs: &Self::Vecs) -> Self::Slices<'_> {
                ($(&vecs.$n[..],)+)
            }
        }
    )+};
}
columns!((A 0)(A 0, B 1)(A 0, B 1, C 2)(A 0, B 1, C 2, D 3));

fn words<K: Kind>(x: Plain<K>) -> Vec<u64> {
    let mut words = vec![0; K::WIDTH];
    K::to_words(x, &mut words);
    words
}

/// The bits that a result must have: every NaN is the canonical one.
fn canonical<K: Kind>(x: Plain<K>) -> Vec<u64> {
    let mut prims = Vec::new();
    K::prims(&mut |prim| prims.push(prim));
    let canonical = |(word, prim)| match prim {
        Prim::F64 if f64::from_bits(word).is_nan() => 0x7ff8_0000_0000_0000,
        Prim::F32 if f32::from_bits(word as u32).is_nan() => 0x7fc0_0000,
        _ => word,
    };
    words::<K>(x)
        .into_iter()
        .zip(prims)
        .map(canonical)
        .collect()
}

/// Rows of words as columns.
fn transposed(rows: &[Vec<u64>], width: usize) -> Vec<Vec<u64>> {
    (0..width)
        .map(|i| rows.iter().map(|row| row[i]).collect())
        .collect()
}

/// Compares `K` with `oracle` at all inputs of its type: `eval`, `map`, every backend.
pub fn check<K>(oracle: impl Fn(Plain<K::Args>) -> Plain<K::Ret>)
where
    K: LaneFn,
    K::Args: Columns,
    Plain<K::Args>: Inputs,
{
    let name = K::KERNEL.name;
    let inputs = <Plain<K::Args>>::all();
    let rows: Vec<Vec<u64>> = inputs.iter().map(|x| words::<K::Args>(*x)).collect();
    let expected: Vec<Vec<u64>> = inputs
        .iter()
        .map(|x| canonical::<K::Ret>(oracle(*x)))
        .collect();
    let compare = |who: &str, found: &[Vec<u64>]| {
        assert_eq!(found.len(), expected.len(), "{name} on {who}");
        for ((row, found), expected) in rows.iter().zip(found).zip(&expected) {
            assert!(
                found == expected,
                "{name}({row:x?}) is {found:x?} on {who}, and should be {expected:x?}"
            );
        }
    };

    let evals: Vec<_> = inputs
        .iter()
        .map(|x| words::<K::Ret>(run::eval::<K>(*x)))
        .collect();
    compare("eval", &evals);

    // A length that is no multiple of any register group.
    let odd = inputs.len() - usize::from(inputs.len().is_multiple_of(2));
    let vecs = K::Args::vecs(&inputs[..odd]);
    let mut out = vec![K::Ret::ZERO; odd];
    run::map::<K>(K::Args::slices(&vecs), &mut out);
    let mut maps: Vec<_> = out.into_iter().map(words::<K::Ret>).collect();
    maps.extend_from_slice(&evals[odd..]);
    compare("map", &maps);

    let columns = transposed(&rows, K::Args::WIDTH);
    let columns: Vec<&[u64]> = columns.iter().map(Vec::as_slice).collect();
    for backend in support::backends("language", "all") {
        let id = backend.id();
        let kernel = backend.load(&KernelRef::of::<K>());
        let mut kernel = kernel.unwrap_or_else(|e| panic!("{name} on {id}: {e}"));
        let mut out = vec![Vec::new(); K::Ret::WIDTH];
        let done = kernel.eval(&columns, &mut out);
        done.unwrap_or_else(|e| panic!("{name} on {id}: {e}"));
        compare(id, &transposed(&out, rows.len()));
    }
}

/// Tests of kernels, each with its oracle; and their list, for `coverage`.
macro_rules! kernels {
    ($($test:ident: $kernel:ty = $oracle:expr;)+) => {
        $(
            #[test]
            fn $test() {
                crate::check::check::<$kernel>($oracle);
            }
        )+
        /// Every kernel tested here.
        pub const ALL: &[&doublecrunch::__private_v0_2::ir::Kernel] =
            &[$(<$kernel as doublecrunch::__private_v0_2::CrunchFn>::KERNEL),+];
    };
}
pub(crate) use kernels;
