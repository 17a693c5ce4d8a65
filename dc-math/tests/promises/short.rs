//! The short form: hard inputs, edges and a sample of each function.

use dc_math::f32 as functions;

use crate::cases::{CASES, Case};
use crate::check::{Scratch, Verdict, bits};
use crate::inputs::{edges, hard, sample};
use crate::state::State;

/// The only inputs that the second computation cannot decide: exact ties, as 2^-150.
const TIES: &[(&str, u32)] = &[("exp2", 0xc316_0000)];

fn inputs(case: &Case) -> Vec<f32> {
    let mut all = hard(case.name);
    all.extend(edges());
    all.extend(sample());
    all
}

#[test]
fn results_are_the_nearest_numbers() {
    let mut scratch = Scratch::default();
    let mut wrong = Vec::new();
    for case in CASES {
        let mut state = State::default();
        case.look(&mut state, &inputs(case), false, &mut scratch);
        let [misrounded, undecided, _] = &state.listed;
        let tie = |x: u32| TIES.contains(&(case.name, x));
        let undecided: Vec<&u32> = undecided.iter().filter(|x| !tie(**x)).collect();
        if !misrounded.is_empty() || !undecided.is_empty() {
            wrong.push(format!(
                "{}: misrounded {misrounded:08x?}, undecided {undecided:08x?}",
                case.name
            ));
        }
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
        let mut zs = xs.to_vec();
        (case.in_place)(&mut zs);
        for ((&x, &y), &z) in xs.iter().zip(&ys).zip(&zs) {
            let one = (case.one)(x);
            assert_eq!([bits(one), bits(z)], [bits(y); 2], "{} of {x:e}", case.name);
        }
    }
}

/// A literal without a suffix is a number of the module's type.
#[test]
fn a_literal_needs_no_suffix() {
    assert_eq!(functions::sin(1.0), 0.841_471);
    assert_eq!(dc_math::f64::sin(1.0), 0.841_470_984_807_896_5);
    assert_eq!(dc_math::f16::sin(0x3c00), 0x3abb);
}

/// A verdict is right where it is known.
#[test]
fn a_wrong_result_is_seen() {
    fn off(xs: &[f32], ys: &mut [f32]) {
        functions::exp::map(xs, ys);
        for (x, y) in xs.iter().zip(ys) {
            if *x == 0.25 {
                *y = y.next_up();
            }
        }
    }
    let exp = CASES.iter().find(|c| c.name == "exp").expect("it is there");
    let case = Case { map: off, ..*exp };
    let mut state = State::default();
    case.look(&mut state, &edges(), false, &mut Scratch::default());
    assert_eq!(state.listed[0], [0.25f32.to_bits()]);
    assert_eq!(state.misrounded, 1);
    let mut other = State::default();
    other.count(0.25, Verdict::Misrounded);
    assert_eq!(state.misrounded, other.misrounded);
}
