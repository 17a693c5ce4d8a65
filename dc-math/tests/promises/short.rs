//! The short form: hard inputs, edge cases and a sample of each function.

use dc_math::f32 as functions;

use crate::cases::{CASES, Case};
use crate::check::bits;
use crate::inputs::{edges, hard, sample};
use crate::state::State;

fn inputs(case: &Case) -> Vec<f32> {
    let mut all = hard(case.name);
    all.extend(edges());
    all.extend(sample());
    all
}

#[test]
fn results_are_the_nearest_numbers() {
    let mut wrong = Vec::new();
    for case in CASES {
        let mut state = State::default();
        case.look(&mut state, &inputs(case));
        wrong.extend(state.complaint(case.name));
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// One number, slices and slices in place have the same bits.
#[test]
fn the_ways_to_call_agree() {
    for case in CASES {
        let xs = inputs(case);
        let xs = &xs[..xs.len().min(3000)];
        let mut ys = vec![0.0; xs.len()];
        (case.map)(xs, &mut ys);
        for (&x, &y) in xs.iter().zip(&ys) {
            assert_eq!(bits((case.one)(x)), bits(y), "{} of {x:e}", case.name);
        }
    }
    let mut xs = sample();
    let mut ys = vec![0.0; xs.len()];
    functions::sin::map(&xs, &mut ys);
    functions::sin::map_in_place(&mut xs);
    assert!(xs.iter().zip(&ys).all(|(&x, &y)| bits(x) == bits(y)));
    let xs: Vec<u16> = (0..=u16::MAX).collect();
    let mut ys = vec![0; xs.len()];
    dc_math::f16::sin::map(&xs, &mut ys);
    assert!(xs.iter().zip(&ys).all(|(&x, &y)| dc_math::f16::sin(x) == y));
    dc_math::bf16::exp::map(&xs, &mut ys);
    assert!(
        xs.iter()
            .zip(&ys)
            .all(|(&x, &y)| dc_math::bf16::exp(x) == y)
    );
}

/// On AVX2, slices have the bits of single numbers. `map` is on the widest set, which may be another one.
#[cfg(target_arch = "x86_64")]
#[test]
fn avx2_agrees() {
    use dc_runtime::isa::{Avx2, Isa};
    let Some(isa) = <Avx2<1> as Isa>::detect() else {
        return;
    };
    macro_rules! agree {
        ($($name:ident)+) => {$({
            let own = |case: &&Case| case.name == stringify!($name);
            let xs = inputs(CASES.iter().find(own).expect("it is there"));
            let mut ys = vec![0.0; xs.len()];
            dc_runtime::run::map_on::<functions::$name, _>(isa, (&xs[..],), &mut ys);
            for (&x, &y) in xs.iter().zip(&ys) {
                assert_eq!(bits(functions::$name(x)), bits(y), "{} of {x:e}", stringify!($name));
            }
        })+};
    }
    agree! { exp exp2 exp10 expm1 log log2 log10 log1p log2p1 log10p1 sin cos tan asin acos atan sinh cosh tanh cbrt sinpi erf sigmoid }
}

/// A literal without a suffix is a number of the module's type.
#[test]
fn a_literal_needs_no_suffix() {
    assert_eq!(functions::sin(1.0), 0.841_470_96);
    assert_eq!(dc_math::f64::sin(1.0), 0.841_470_984_807_896_5);
    assert_eq!(dc_math::f16::sin(0x3c00), 0x3abb);
}

/// A result that is off by one unit is seen.
#[test]
fn a_wrong_result_is_seen() {
    fn off(x: f32) -> f32 {
        let y = functions::exp(x);
        if x == 0.25 { y.next_up() } else { y }
    }
    fn check(x: f32) -> i32 {
        i32::from(bits(off(x)) != bits(functions::exp(x)))
    }
    let exp = CASES.iter().find(|c| c.name == "exp").expect("it is there");
    let case = Case {
        one: off,
        check,
        ..*exp
    };
    let mut state = State::default();
    case.look(&mut state, &[0.0, 0.25, 1.0]);
    assert_eq!(state.listed[0], [0.25f32.to_bits()]);
}
