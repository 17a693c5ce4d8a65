//! Evaluation of a sweep's kernels at single inputs, with the narrow code of its search. Any further form of a kernel would have to be
//! compiled.
//!
//! The code evaluates routine and reference at consecutive keys, a unit of lanes at a time. So one input costs as much as 8 or 16 of both
//! kernels. Only few inputs are needed: the worst input of a block, and those of a trace.

use super::comparable::{Comparable, OnLanes, Types};
use super::eval_chunk::{EvalChunk, IsaLevel, eval_chunk};
use super::reduce::{CHUNK, Chunk};
use crate::isa::{Isa, Scalar};
use crate::kernel::{Kind, LaneFn};
use crate::model::key::Precision;

/// The routine's results at columns of bits ([`crate::model::kernel_ref::PointFn`]).
///
/// # Panics
/// If the processor lacks the instruction set, or the numbers of input and output columns are not one.
pub fn routine<A: LaneFn, R: LaneFn, L: IsaLevel>(inputs: &[&[u64]], outputs: &mut [Vec<u64>])
where
    (Types<A>, Types<R>): OnLanes<A, R>,
{
    let code = Code {
        eval_chunk: eval_chunk::<A, R, L::Narrow>,
        precision: <(Types<A>, Types<R>) as Comparable<A, R>>::PRECISION,
        name: A::KERNEL.name,
    };
    code.routine(inputs, outputs);
}

/// The reference's results, with one word, two words, or two words and a scale. It takes the routine's input unchanged.
///
/// # Panics
/// If the processor lacks the instruction set, or the numbers of columns are wrong.
pub fn reference<A: LaneFn, R: LaneFn, L: IsaLevel>(inputs: &[&[u64]], outputs: &mut [Vec<u64>])
where
    (Types<A>, Types<R>): OnLanes<A, R>,
{
    let code = Code {
        eval_chunk: eval_chunk::<A, R, L::Narrow>,
        precision: <(Types<A>, Types<R>) as Comparable<A, R>>::PRECISION,
        name: R::KERNEL.name,
    };
    code.reference(<R::Ret as Kind>::WIDTH, inputs, outputs);
}

/// The code of two kernels, and which of them is wanted. The code below is compiled once, and not for each pair of kernels.
struct Code {
    eval_chunk: EvalChunk,
    precision: Precision,
    name: &'static str,
}

impl Code {
    fn routine(&self, inputs: &[&[u64]], outputs: &mut [Vec<u64>]) {
        let [results] = outputs else {
            panic!("{} has one result, not {}", self.name, outputs.len())
        };
        results.clear();
        self.each(inputs, |chunk, i| {
            results.push(match self.precision {
                Precision::F64 => bits(chunk.result[i]),
                Precision::F32 => {
                    let [x] = Scalar::<1>::new().canonical_f32([chunk.narrow[i]]);
                    u64::from(x.to_bits())
                }
            });
        });
    }

    fn reference(&self, words: usize, inputs: &[&[u64]], outputs: &mut [Vec<u64>]) {
        assert!(
            outputs.len() == words,
            "{} has {words} results, not {}",
            self.name,
            outputs.len()
        );
        outputs.iter_mut().for_each(Vec::clear);
        self.each(inputs, |chunk, i| {
            let words = [bits(chunk.hi[i]), bits(chunk.lo[i]), chunk.scale[i] as u64];
            for (output, word) in outputs.iter_mut().zip(words) {
                output.push(word);
            }
        });
    }

    /// Evaluates the kernels at each input, and passes on the index of the results in a chunk.
    fn each(&self, inputs: &[&[u64]], mut found: impl FnMut(&Chunk, usize)) {
        let [inputs] = inputs else {
            panic!("{} has one input, not {}", self.name, inputs.len())
        };
        let mut chunk = Chunk::new(0);
        let keys = inputs.iter().map(|&x| self.precision.key_of_bits(x));
        let mut rest = keys.peekable();
        while let Some(first) = rest.next() {
            // Consecutive inputs are evaluated in one call.
            let mut live = 1;
            let next = |live| first.checked_add(live as i64).filter(|&key| key != 0);
            while live < CHUNK && rest.next_if(|&key| next(live) == Some(key)).is_some() {
                live += 1;
            }
            (self.eval_chunk)(&mut chunk, first, live);
            (0..live).for_each(|i| found(&chunk, i));
        }
    }
}

fn bits(x: f64) -> u64 {
    let [x] = Scalar::<1>::new().canonical_f64([x]);
    x.to_bits()
}
