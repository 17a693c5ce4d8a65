//! Groups are cut into units and rejoined, and units are ordered, which changes no bits.

use super::lane::Lane;
use super::values::Rng;
use crate::isa::{Isa, Units, WithIsa};

pub(super) const NAMES: &[&str] = &["of_unit", "order_f64", "order_f32"];

/// Inputs and outputs of each type.
struct Backwards<'a> {
    wide: (&'a [f64], &'a mut [f64]),
    narrow: (&'a [f32], &'a mut [f32]),
    longs: (&'a [i64], &'a mut [i64]),
    ints: (&'a [i32], &'a mut [i32]),
    masks: (&'a [bool], &'a mut [bool]),
}

/// A group with its units in the opposite order; it has `n` units.
fn backwards<U: Copy, G: Units<U>>(group: G, n: usize) -> [U; 4] {
    core::array::from_fn(|k| group.unit(n.saturating_sub(k + 1)))
}

impl<I: Isa> WithIsa<I> for Backwards<'_> {
    type Output = ();
    #[inline(always)]
    fn call(self, isa: I) {
        let n = I::LANES / I::Unit::LANES;
        let unit = isa.of_unit();
        let mut wide = backwards(isa.load_f64(self.wide.0), n);
        let mut narrow = backwards(isa.load_f32(self.narrow.0), n);
        for k in 1..n {
            let ([.., before], [after, ..]) = wide.split_at_mut(k) else {
                unreachable!("there are four")
            };
            unit.order_f64(before, after);
            let ([.., before], [after, ..]) = narrow.split_at_mut(k) else {
                unreachable!("there are four")
            };
            unit.order_f32(before, after);
        }
        isa.store_f64(Units::of_units(wide), self.wide.1);
        isa.store_f32(Units::of_units(narrow), self.narrow.1);
        let longs = backwards(isa.load_i64(self.longs.0), n);
        isa.store_i64(Units::of_units(longs), self.longs.1);
        let ints = backwards(isa.load_i32(self.ints.0), n);
        isa.store_i32(Units::of_units(ints), self.ints.1);
        let masks = backwards(isa.load_mask(self.masks.0), n);
        isa.store_mask(Units::of_units(masks), self.masks.1);
    }
}

/// The lanes with their units in the opposite order.
fn expected<T: Copy, I: Isa>(from: &[T]) -> Vec<T> {
    from.rchunks(I::Unit::LANES).flatten().copied().collect()
}

fn random<T: Lane, I: Isa>(rng: &mut Rng) -> Vec<T> {
    (0..I::LANES).map(|_| T::random(rng)).collect()
}

pub(super) fn check_units<I: Isa>(isa: I) {
    let rng = &mut Rng::new(6);
    let bits64 = |v: &[f64]| v.iter().map(|x| x.to_bits()).collect::<Vec<_>>();
    let bits32 = |v: &[f32]| v.iter().map(|x| x.to_bits()).collect::<Vec<_>>();
    for _ in 0..20 {
        let wide = random::<f64, I>(rng);
        let narrow = random::<f32, I>(rng);
        let longs = random::<i64, I>(rng);
        let ints = random::<i32, I>(rng);
        let masks = random::<bool, I>(rng);
        let mut out = (
            wide.clone(),
            narrow.clone(),
            longs.clone(),
            ints.clone(),
            masks.clone(),
        );
        isa.run(Backwards {
            wide: (&wide, &mut out.0),
            narrow: (&narrow, &mut out.1),
            longs: (&longs, &mut out.2),
            ints: (&ints, &mut out.3),
            masks: (&masks, &mut out.4),
        });
        assert_eq!(bits64(&out.0), bits64(&expected::<_, I>(&wide)));
        assert_eq!(bits32(&out.1), bits32(&expected::<_, I>(&narrow)));
        assert_eq!(out.2, expected::<_, I>(&longs));
        assert_eq!(out.3, expected::<_, I>(&ints));
        assert_eq!(out.4, expected::<_, I>(&masks));
    }
}
