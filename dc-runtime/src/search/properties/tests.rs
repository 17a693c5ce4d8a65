//! Properties of routines that have them, and of faulty ones.

use super::*;
use crate::model::candidate::Candidate;
use crate::model::host::HostFunction;
use crate::search::sample::Wanted;
use crate::search::testing::SWEEP;

fn of(f: fn(f32) -> f32, range: &str, properties: &[Property], threads: usize) -> Checked {
    against(f, |x| x, range, properties, threads)
}

/// With the function that `f` is meant to compute, or to undo.
fn against(
    f: fn(f32) -> f32,
    g: fn(f64) -> f64,
    range: &str,
    properties: &[Property],
    threads: usize,
) -> Checked {
    let reference = Reference::Host(HostFunction::f64("g", g));
    let sweep = Sweep::accuracy_only(
        "f",
        Candidate::Host(HostFunction::f32("f", f)),
        reference,
        "all",
    );
    let range = Range::parse(range, Precision::F32).expect("a range");
    let sample = Sample::of(&sweep, &range, &Wanted::of(&sweep, u64::MAX));
    let judge = Judge {
        sweep: &sweep,
        properties,
        inverse: Some(reference),
    };
    check(&judge, (&range, &sample), threads, &Stop::new()).expect("results")
}

/// A polynomial that is replaced by another at 1.5, 40 numbers above it; and a function that rounds.
#[test]
fn a_seam_is_found_beside_rounding() {
    fn pieces(x: f32) -> f32 {
        let y = (f64::from(x) * 1.000_000_1) as f32;
        match x < 1.5 {
            true => y,
            false => f32::from_bits(y.to_bits() + 40),
        }
    }
    let truth = |x: f64| x * 1.000_000_1;
    let seams = [Property::Seams(2.0)];
    for threads in [1, 3] {
        let found = against(pieces, truth, "1.25..1.75", &seams, threads);
        let [seam] = found.violations[..] else {
            panic!()
        };
        assert_eq!(seam.count, 1);
        let first = seam.first.expect("one");
        assert_eq!(first.key, i64::from(1.5f32.to_bits()) - 1);
        let Distance::Ulp(jump) = first.off else {
            panic!()
        };
        assert!((39.0..=41.0).contains(&jump), "{jump}");
        assert_eq!(seam.worst, seam.first);
        // Where there is none, the largest jump is that of rounding.
        let found = against(pieces, truth, "1.25..1.5", &seams, threads);
        let [none] = found.violations[..] else {
            panic!()
        };
        assert_eq!((none.count, none.first), (0, None));
        let Some(Distance::Ulp(jump)) = none.worst.map(|w| w.off) else {
            panic!()
        };
        assert!(0.0 < jump && jump <= 1.0, "{jump}");
    }
}

#[test]
fn what_does_not_come_back_is_found() {
    // The square root of squares: right but where the square overflows or underflows, and at the dent.
    fn root(x: f32) -> f32 {
        match x {
            2.25 => 1.500_000_4,
            x => x.sqrt(),
        }
    }
    let inverse = [Property::InverseOf];
    let found = against(root, |x| x * x, "1.0..2.0", &inverse, 2);
    let [dent] = found.violations[..] else {
        panic!()
    };
    let first = dent.first.expect("one");
    assert_eq!(f32::from_bits(first.key as u32), 1.5);
    assert_eq!(first.off, Distance::Numbers(3));
    let (between, back) = first.other.expect("the square");
    assert_eq!(f32::from_bits(between as u32), 2.25);
    assert_eq!(f32::from_bits(back as u32), 1.500_000_4);
    let space = InputSpace::Numbers(Precision::F32);
    let text = first.show(Property::InverseOf, space);
    assert!(text.starts_with("x = 1.5 = "), "{text}");
    assert!(text.contains(": f(2.25 = "), "{text}");
    // Squares of these overflow, and nothing is judged.
    let huge = against(root, |x| x * x, "0x1p100..=0x1.001p100", &inverse, 1);
    assert_eq!(huge.violations[0].count, 0);
    // Those of these underflow.
    let tiny = against(root, |x| x * x, "0x1p-100..=0x1.001p-100", &inverse, 1);
    assert_eq!(tiny.violations[0].count, tiny.inputs);
}

#[test]
fn a_fall_is_found_wherever_it_is() {
    // One result is too large by one number: the next one is below it.
    fn falls(x: f32) -> f32 {
        if x == 1.375 { x.next_up().next_up() } else { x }
    }
    for threads in [1, 3] {
        let found = of(
            falls,
            "1.0..2.0",
            &[Property::Increasing, Property::Decreasing],
            threads,
        );
        assert_eq!(found.inputs, 1 << 23);
        let [rises, falls] = found.violations[..] else {
            panic!()
        };
        assert_eq!(rises.count, 1);
        let first = rises.first.expect("one");
        assert_eq!(first.key, i64::from(1.375f32.to_bits()));
        assert_eq!(first.other.expect("the next").0, first.key + 1);
        assert_eq!(first.off, Distance::Numbers(1));
        // All neighbours rise but for the one pair; the last input has no next one.
        assert_eq!(falls.count, (1 << 23) - 2);
    }
}

/// The last input of a block is compared with the first of the next one, and -0 with 0.
#[test]
fn neighbours_are_compared_across_blocks_and_zero() {
    fn at_a_block(x: f32) -> f32 {
        if x.to_bits() < 0x3f80_0000 + (1 << 18) {
            x + 1.0
        } else {
            x
        }
    }
    let found = of(at_a_block, "1.0..1.25", &[Property::Increasing], 2);
    assert_eq!(found.violations[0].count, 1);
    let sign = |x: f32| 1f32.copysign(x);
    assert_eq!(
        of(sign, "-0x1p-130..0x1p-130", &[Property::Increasing], 1).violations[0].count,
        0
    );
    assert_eq!(
        of(
            |x| -sign_of(x),
            "-0x1p-130..0x1p-130",
            &[Property::Increasing],
            1
        )
        .violations[0]
            .count,
        1
    );
    fn sign_of(x: f32) -> f32 {
        1f32.copysign(x)
    }
}

#[test]
fn odd_and_even_are_of_bits() {
    let both = [Property::Odd, Property::Even];
    let odd = of(|x| x * 3.0, "-0x1p-130..=0x1p-130", &both, 2);
    assert_eq!(odd.violations[0].count, 0);
    assert_eq!(odd.violations[1].count, odd.inputs);
    // A sum with +0 makes of -0 a positive zero: at both zeros the signs are alike.
    let zero = of(|x| x + 0.0, "-0x1p-130..=0x1p-130", &both, 2);
    assert_eq!(zero.violations[0].count, 2);
    let even = of(f32::abs, "-0x1p-130..=0x1p-130", &both, 1);
    assert_eq!(even.violations[1].count, 0);
}

#[test]
fn results_outside_of_a_range_are_violations_and_so_are_nans() {
    let found = of(
        f32::sqrt,
        "-0x1p-149..=0x1p-140,2.0..=4.0",
        &[Property::Within(0.0, 1.5)],
        2,
    );
    let [within] = found.violations[..] else {
        panic!()
    };
    let first = within.first.expect("a NaN");
    assert!(f32::from_bits(first.result as u32).is_nan());
    let worst = within.worst.expect("it");
    assert_eq!(worst.key, i64::from(4f32.to_bits()));
    let off = u64::from(2f32.to_bits() - 1.5f32.to_bits());
    assert_eq!(worst.off, Distance::Numbers(off));
}

/// Numbers of 16 bits have keys in another order.
#[test]
fn numbers_of_16_bits_are_compared_in_the_order_of_the_reals() {
    use crate::model::stored::{Format, Stored};
    let space = InputSpace::Stored(Stored {
        format: Format::Half,
        pairs: false,
    });
    let sweep = crate::sweep::Sweep {
        inputs: space,
        ..SWEEP
    };
    let range = Range::parse("all", space).expect("a range");
    let sample = Sample::of_stretches(&sweep, &range, &Wanted::of(&sweep, u64::MAX));
    // Above the next number of 16 bits, on both sides of zero.
    fn dented(x: f32) -> f32 {
        match x.abs() {
            1.5 => x.signum() * 1.75,
            _ => x,
        }
    }
    let sweep = Sweep {
        candidate: Candidate::Host(HostFunction::f32("dented", dented)),
        ..sweep
    };
    let judge = Judge {
        sweep: &sweep,
        properties: &[Property::Increasing, Property::Odd],
        inverse: None,
    };
    let found = check(&judge, (&range, &sample), 2, &Stop::new());
    let found = found.expect("results");
    assert_eq!(found.inputs, 1 << 16);
    let [rises, odd] = found.violations[..] else {
        panic!()
    };
    assert_eq!(odd.count, 0);
    // -1.5 is below the number before it, and 1.5 above the next one.
    assert_eq!(rises.count, 2);
    let first = rises.first.expect("one").key;
    let bits = space.words(first).next().expect("a word");
    assert_eq!(f32::from_bits(bits as u32), -1.5 - 1.0 / 1024.0);
}
