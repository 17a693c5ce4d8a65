//! Which chunks take the fast path.

use super::*;
use crate::isa::tests::on_every_level;

on_every_level! {
    short = check_short;
}

fn check_short<I: Tally>(isa: I) {
    isa.run(Short);
}

/// Which chunks take the fast path: the results do not depend on it, only the time of a search.
struct Short;
impl<I: Tally> WithIsa<I> for Short {
    type Output = ();
    #[inline(always)]
    fn call(self, isa: I) {
        let mut chunk = Chunk::new(0);
        // References that are no power of two, and some results that differ by an ULP.
        for i in 0..CHUNK {
            let x = 1.0 + (i as f64 + 0.3) / 1024.0;
            let (narrow, size) = (x as f32, 1.0 - 2.0 * f64::from(i as u32 & 1));
            chunk.narrow[i] = f32::from_bits(narrow.to_bits() + (i as u32 & 1)) * size as f32;
            chunk.result[i] = f64::from_bits(x.to_bits() + (i as u64 & 1)) * size;
            (chunk.hi[i], chunk.lo[i]) = (x * size, 1e-17 * size);
        }
        let both = |chunk: &mut Chunk| {
            let (wide, narrow) = (&mut Total::new(), &mut Total::new());
            [
                fast_pass::<Binary64<I>, I>(isa, chunk, wide, 1),
                fast_pass::<Binary32<I>, I>(isa, chunk, narrow, 1),
            ]
        };
        assert_eq!(both(&mut chunk), [true; 2]);
        // One input that does not fit the fast path, anywhere: 3 ULP, nearly half an ULP, a tiny reference, an
        // infinite one.
        for at in [0, 1, CHUNK / 2 + 3, CHUNK - 1] {
            let before = (chunk.result[at], chunk.hi[at], chunk.lo[at]);
            let narrow = chunk.narrow[at];
            let (ulp, ulp_32) = (f64::EPSILON, f64::from(f32::EPSILON));
            let tail = 2f64.powi(-30);
            for (result, hi, lo, narrow, reference) in [
                (1.5 + 3.0 * ulp, 1.5, 1e-17, 1.5, 1.5 + 3.0 * ulp_32),
                (
                    1.5,
                    1.5,
                    ulp * (0.5 + tail),
                    1.5,
                    1.5 + ulp_32 * (0.5 + tail),
                ),
                (1e-300, 1e-300, 0.0, 1e-46, 1e-46),
                (f64::INFINITY, 1.7e308, 0.0, f32::INFINITY, 3.5e38),
            ] {
                (chunk.result[at], chunk.hi[at], chunk.lo[at]) = (result, hi, lo);
                let wide = fast_pass::<Binary64<I>, I>(isa, &mut chunk, &mut Total::new(), 1);
                (chunk.narrow[at], chunk.hi[at]) = (narrow, reference);
                let short = fast_pass::<Binary32<I>, I>(isa, &mut chunk, &mut Total::new(), 1);
                assert_eq!([wide, short], [false; 2], "{result:e} for {hi:e}, at {at}");
            }
            (chunk.result[at], chunk.hi[at], chunk.lo[at]) = before;
            chunk.narrow[at] = narrow;
            assert_eq!(both(&mut chunk), [true; 2]);
        }
    }
}
