//! Only the routine, at consecutive keys: the loop of a search for maxima
//! ([`Measure::Maxima`](crate::model::measure::Measure)).

use core::marker::PhantomData;

use super::comparable::doubles;
use super::eval_chunk::{IsaLevel, detected};
use crate::isa::{Isa, Tally, WithIsa};
use crate::kernel::{LaneFn, kind};

/// See [`ResultsFn`](crate::model::kernel_ref::ResultsFn).
///
/// # Panics
/// If the processor lacks the instruction set, or the number of results is not a multiple of its lanes.
pub fn results<A: LaneFn<Args = (kind::F64,), Ret = kind::F64>, L: IsaLevel>(
    first: i64,
    results: &mut [f64],
) {
    // Without a reference there are registers for a wide group.
    detected::<L::Wide>().run(Pass::<A> {
        first,
        results,
        kernel: PhantomData,
    });
}

struct Pass<'a, A> {
    first: i64,
    results: &'a mut [f64],
    kernel: PhantomData<A>,
}

impl<A: LaneFn<Args = (kind::F64,), Ret = kind::F64>, I: Tally> WithIsa<I> for Pass<'_, A> {
    type Output = ();
    #[inline(always)]
    fn call(self, isa: I) {
        let lanes = I::LANES;
        assert!(
            self.results.len().is_multiple_of(lanes),
            "{} results are no multiple of {lanes}",
            self.results.len()
        );
        let mut at = 0;
        while at < self.results.len() {
            // Keys that run over into the other sign belong to lanes that do not count.
            let key = self.first.wrapping_add(at as i64);
            let y = A::call::<I>((doubles(isa, key),));
            isa.store_f64(y.v, &mut self.results[at..]);
            at += lanes;
        }
    }
}
