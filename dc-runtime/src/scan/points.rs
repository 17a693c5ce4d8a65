//! Evaluation of a sweep's kernels at single inputs with the narrow code of its search, because each further form of a
//! kernel would have to be compiled.
//!
//! The code evaluates routine and reference at keys that follow one another, a unit of lanes at a time, so that one
//! input costs as much as 8 or 16 of both kernels. Few are needed: the worst input of a block, those of a trace.

use super::comparable::{Comparable, OnLanes, Types};
use super::eval_chunk::{EvalChunk, IsaLevel, eval_chunk};
use super::reduce::{CHUNK, Chunk};
use crate::isa::{Isa, Scalar};
use crate::kernel::{Kind, LaneFn};
use crate::model::key::Precision;

/// The routine's results at columns of bits ([`crate::model::kernel_ref::PointFn`]).
///
/// # Panics
/// If the processor lacks the instruction set, or there is not one input and one output column.
pub fn routine<A: LaneFn, R: LaneFn, L: IsaLevel>(inputs: &[&[u64]], outputs: &mut [Vec<u64>])
where
    (Types<A>, Types<R>): OnLanes<A, R>,
{
    let eval_chunk = eval_chunk::<A, R, L::Narrow>;
    let precision = <(Types<A>, Types<R>) as Comparable<A, R>>::PRECISION;
    let [results] = outputs else {
        panic!("{} has one result, not {}", A::KERNEL.name, outputs.len())
    };
    results.clear();
    each(eval_chunk, precision, A::KERNEL.name, inputs, |chunk, i| {
        results.push(match precision {
            Precision::F64 => bits(chunk.result[i]),
            Precision::F32 => {
                let [x] = Scalar::<1>::new().canonical_f32([chunk.narrow[i]]);
                u64::from(x.to_bits())
            }
        });
    });
}

/// The reference's results, of one word, two, or two and a scale; it takes the routine's input unchanged.
///
/// # Panics
/// If the processor lacks the instruction set, or the numbers of columns are wrong.
pub fn reference<A: LaneFn, R: LaneFn, L: IsaLevel>(inputs: &[&[u64]], outputs: &mut [Vec<u64>])
where
    (Types<A>, Types<R>): OnLanes<A, R>,
{
    let eval_chunk = eval_chunk::<A, R, L::Narrow>;
    let precision = <(Types<A>, Types<R>) as Comparable<A, R>>::PRECISION;
    let words = <R::Ret as Kind>::WIDTH;
    assert!(
        outputs.len() == words,
        "{} has {words} results, not {}",
        R::KERNEL.name,
        outputs.len()
    );
    outputs.iter_mut().for_each(Vec::clear);
    each(eval_chunk, precision, R::KERNEL.name, inputs, |chunk, i| {
        let words = [bits(chunk.hi[i]), bits(chunk.lo[i]), chunk.scale[i] as u64];
        for (output, word) in outputs.iter_mut().zip(words) {
            output.push(word);
        }
    });
}

fn bits(x: f64) -> u64 {
    let [x] = Scalar::<1>::new().canonical_f64([x]);
    x.to_bits()
}

/// Evaluates the kernels at each input, and passes on the index in a chunk at which the results are.
fn each(
    eval_chunk: EvalChunk,
    precision: Precision,
    name: &str,
    inputs: &[&[u64]],
    mut found: impl FnMut(&Chunk, usize),
) {
    let [inputs] = inputs else {
        panic!("{name} has one input, not {}", inputs.len())
    };
    let mut chunk = Chunk::new(0);
    let mut rest = inputs.iter().map(|&x| precision.key_of_bits(x)).peekable();
    while let Some(first) = rest.next() {
        // Consecutive inputs are evaluated in one call.
        let mut live = 1;
        let next = |live| first.checked_add(live as i64).filter(|&key| key != 0);
        while live < CHUNK && rest.next_if(|&key| next(live) == Some(key)).is_some() {
            live += 1;
        }
        eval_chunk(&mut chunk, first, live);
        (0..live).for_each(|i| found(&chunk, i));
    }
}
