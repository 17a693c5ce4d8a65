//! Runs an operation on lanes and compares each lane with the operation's meaning.
//!
//! Everything but the operation on one group of lanes is compiled once, or once for each combination of types, and not for each of
//! the hundreds of pairs of operation and instruction set.

use std::panic::{AssertUnwindSafe, catch_unwind};

use super::lane::Lane;
use super::values::Rng;
use crate::isa::tests::scale;
use crate::isa::{Isa, WithIsa};

/// A computation on lanes with one to three arguments.
pub(crate) trait Lanewise {
    type A: Lane;
    type B: Lane;
    type C: Lane;
    type R: Lane;
    fn lanes<I: Isa>(
        isa: I,
        a: <Self::A as Lane>::Of<I>,
        b: <Self::B as Lane>::Of<I>,
        c: <Self::C as Lane>::Of<I>,
    ) -> <Self::R as Lane>::Of<I>;
}

/// A computation on lanes with its meaning.
pub(crate) trait Operation: Lanewise {
    const NAME: &'static str;
    /// Whether the bits of a NaN are part of the result; otherwise all NaNs are equal.
    const NAN_BITS: bool;
    /// The operation on one lane, written differently.
    fn meaning(a: Self::A, b: Self::B, c: Self::C) -> Self::R;
}

/// The functions of a type by which its values are generated and printed as words.
#[derive(Clone, Copy)]
pub(crate) struct Type {
    edges: fn() -> Vec<u64>,
    random: fn(&mut Rng) -> u64,
    show: fn(u64) -> String,
}

/// [`Type`] of a lane type.
pub(crate) const fn of<T: Lane>() -> Type {
    Type {
        edges: || T::edges().iter().map(|x| x.word()).collect(),
        random: |rng| T::random(rng).word(),
        show: |word| format!("{:?} ({word:#x})", T::of_word(word)),
    }
}

/// All combinations of edge values, at many positions in the group, and random rows; their number is a multiple of
/// `lanes`.
pub(crate) fn rows(types: &[Type], lanes: usize) -> Vec<[u64; 3]> {
    let rng = &mut Rng::new(1);
    let scale = scale();
    let random = |rng: &mut Rng| {
        let mut row = [0; 3];
        for (i, ty) in types.iter().enumerate() {
            row[i] = (ty.random)(rng);
        }
        // Some rows have a second argument next to the first: equal, or cancelling.
        if types.len() > 1 && rng.below(4) == 0 {
            row[1] = row[0] ^ rng.below(4) ^ rng.below(2) << 63;
        }
        row
    };
    let mut edges = vec![[0; 3]];
    for (i, ty) in types.iter().enumerate() {
        let values = (ty.edges)();
        let with = |row: [u64; 3]| {
            values.iter().map(move |&v| {
                let mut row = row;
                row[i] = v;
                row
            })
        };
        edges = edges.into_iter().flat_map(with).collect();
    }
    // There are many combinations of three: fewer are taken where time is short. The step is odd, so all values occur.
    let step = if edges.len() > 20_000 { scale | 1 } else { 1 };
    let mut rows: Vec<[u64; 3]> = edges.iter().step_by(step).copied().collect();
    while rows.len() < 16 * lanes {
        rows.push(random(rng));
        rows.extend(&edges);
    }
    for _ in 0..(20_000 / scale).max(4 * lanes) {
        rows.push(random(rng));
    }
    while !rows.len().is_multiple_of(lanes) {
        rows.push(random(rng));
    }
    rows
}

/// Columns of arguments, and one for the results: a group of lanes of each. The type does not depend on the operation, so that the code that
/// makes and reads columns is compiled once for each combination of types.
struct Columns<'a, A, B, C, R> {
    a: &'a [A],
    b: &'a [B],
    c: &'a [C],
    out: &'a mut [R],
}
type ColumnsOf<'a, O> =
    Columns<'a, <O as Lanewise>::A, <O as Lanewise>::B, <O as Lanewise>::C, <O as Lanewise>::R>;

/// An operation on a group of lanes.
struct Over<'a, O: Lanewise>(ColumnsOf<'a, O>);
impl<O: Lanewise, I: Isa> WithIsa<I> for Over<'_, O> {
    type Output = ();
    #[inline(always)]
    fn call(self, isa: I) {
        let Over(group) = self;
        let a = O::A::load(isa, group.a);
        let b = O::B::load(isa, group.b);
        let c = O::C::load(isa, group.c);
        O::R::store(isa, O::lanes(isa, a, b, c), group.out);
    }
}

fn column<T: Lane>(rows: &[[u64; 3]], i: usize) -> Vec<T> {
    rows.iter().map(|row| T::of_word(row[i])).collect()
}

/// The results of lanes for rows, whose number is a multiple of the lanes'; none if the operation panics.
pub(crate) fn run_rows<O: Lanewise, I: Isa>(isa: I, rows: &[[u64; 3]]) -> Option<Vec<u64>> {
    run_groups(rows, I::LANES, &mut |group| isa.run(Over::<O>(group)))
}

/// A function that runs an operation on a group of lanes.
type OnGroup<'a, A, B, C, R> = dyn for<'c> FnMut(Columns<'c, A, B, C, R>) + 'a;

/// The part that depends neither on the operation nor on the instruction set.
#[inline(never)]
fn run_groups<A: Lane, B: Lane, C: Lane, R: Lane>(
    rows: &[[u64; 3]],
    lanes: usize,
    run: &mut OnGroup<A, B, C, R>,
) -> Option<Vec<u64>> {
    let mut out = vec![R::ZERO; rows.len()];
    let (a, b, c) = (column(rows, 0), column(rows, 1), column(rows, 2));
    let all = || {
        for (i, out) in out.chunks_exact_mut(lanes).enumerate() {
            let group = i * lanes..(i + 1) * lanes;
            run(Columns {
                a: &a[group.clone()],
                b: &b[group.clone()],
                c: &c[group],
                out,
            });
        }
    };
    // A value that is no mask panics where it is stored; the other tests shall run nevertheless.
    catch_unwind(AssertUnwindSafe(all)).ok()?;
    Some(out.iter().map(|x| x.word()).collect())
}

/// The first row for which the lanes' result differs from the meaning.
pub(crate) fn check<O: Operation, I: Isa>(isa: I) -> Result<(), String> {
    check_rows::<O, I>(isa, &rows(Meaning::of::<O>().types(), I::LANES))
}

/// The same for given rows.
pub(crate) fn check_rows<O: Operation, I: Isa>(isa: I, rows: &[[u64; 3]]) -> Result<(), String> {
    compare(Meaning::of::<O>(), rows, run_rows::<O, I>(isa, rows))
}

/// The meaning of an operation, for all instruction sets.
struct Meaning {
    name: &'static str,
    types: [Type; 3],
    /// The number of the types that are arguments.
    arguments: usize,
    result: Type,
    /// Returns for a row the expected result, and whether the result is right.
    check: fn([u64; 3], u64) -> (u64, bool),
}

impl Meaning {
    const fn of<O: Operation>() -> &'static Meaning {
        const {
            &Meaning {
                name: O::NAME,
                types: [of::<O::A>(), of::<O::B>(), of::<O::C>()],
                arguments: O::A::COUNT + O::B::COUNT + O::C::COUNT,
                result: of::<O::R>(),
                check: |[a, b, c], got| {
                    let want = O::meaning(O::A::of_word(a), O::B::of_word(b), O::C::of_word(c));
                    let nans = !O::NAN_BITS && want.is_nan() && O::R::of_word(got).is_nan();
                    (want.word(), nans || want.word() == got)
                },
            }
        }
    }

    fn types(&self) -> &[Type] {
        &self.types[..self.arguments]
    }
}

#[inline(never)]
fn compare(meaning: &Meaning, rows: &[[u64; 3]], got: Option<Vec<u64>>) -> Result<(), String> {
    let name = meaning.name;
    let got = got.ok_or_else(|| format!("{name}: panicked, see above"))?;
    let wrong = |&i: &usize| !(meaning.check)(rows[i], got[i]).1;
    let Some(i) = (0..rows.len()).find(wrong) else {
        return Ok(());
    };
    let types = meaning.types().iter();
    let arguments: Vec<String> = types
        .zip(rows[i])
        .map(|(ty, word)| (ty.show)(word))
        .collect();
    Err(format!(
        "{name}: {} of {} wrong, first number {i}: of {} it gives {}, not {}",
        (0..rows.len()).filter(wrong).count(),
        rows.len(),
        arguments.join(", "),
        (meaning.result.show)(got[i]),
        (meaning.result.show)((meaning.check)(rows[i], got[i]).0)
    ))
}
