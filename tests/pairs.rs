//! Routines of two arguments, on samples of pairs and on all pairs of a box: the same bits on every backend.

mod support;

use doublecrunch::backend::Speed;
use doublecrunch::builtins::reference::REFERENCES_OF_TWO;
use doublecrunch::builtins::reference::binary32::{
    atan2_f32_reference, pow_f32_reference, powr_f32_reference,
};
use doublecrunch::builtins::reference::binary64::hypot_reference;
use doublecrunch::search::engine::{Device, Stop};
use doublecrunch::search::equivalence::{Settings, Verdict, compare};
use doublecrunch::search::plan::Plan;
use doublecrunch::search::range::{Range, Span};
use doublecrunch::sweep::Sweep;
use doublecrunch::{computes, prelude::*};

#[crunch]
fn pow(x: DcFloat, y: DcFloat) -> DcFloat {
    pow_f32_reference(x.to_f64(), y.to_f64()).to_f32()
}

#[crunch]
fn powr(x: DcFloat, y: DcFloat) -> DcFloat {
    powr_f32_reference(x.to_f64(), y.to_f64()).to_f32()
}

#[crunch]
fn atan2(y: DcFloat, x: DcFloat) -> DcFloat {
    atan2_f32_reference(y.to_f64(), x.to_f64()).to_f32()
}

#[crunch]
fn hypot(x: DcFloat, y: DcFloat) -> DcFloat {
    x.mul_add(x, y * y).sqrt()
}

#[crunch]
fn div(x: DcFloat, y: DcFloat) -> DcFloat {
    x * y.recip()
}

#[crunch]
fn div_double(x: DcDouble, y: DcDouble) -> DcDouble {
    x * y.recip()
}

/// Its high word: binary64's pow, atan2 and powr are compared through the kernels that use them.
#[crunch]
fn hypot_double(x: DcDouble, y: DcDouble) -> DcDouble {
    hypot_reference(x, y).hi
}

#[crunch]
fn product(x: DcDouble, y: DcDouble) -> DcDouble {
    x * y
}

const SWEEPS: &[Sweep] = &[
    Sweep::computing::<pow, computes::pow>("pow", "all"),
    Sweep::computing::<powr, computes::powr>("powr", "all"),
    Sweep::computing::<atan2, computes::atan2>("atan2", "all"),
    Sweep::computing::<hypot, computes::hypot>("hypot", "finite"),
    Sweep::computing::<div, computes::div>(
        "div",
        "every of 1.0..=0x1.000ffep0 x 3.0..=0x1.8000fp1",
    ),
    Sweep::computing::<div_double, computes::div>("div-double", "1.0..2.0 x 1.0..2.0"),
    Sweep::computing::<hypot_double, computes::hypot>("hypot-double", "all"),
    Sweep::computing::<product, computes::pow>("pow-double", "all"),
    Sweep::computing::<product, computes::powr>("powr-double", "0.5..=2.0 x all"),
    Sweep::computing::<product, computes::atan2>("atan2-double", "all"),
];

#[test]
fn every_backend_gives_the_same_bits() {
    let backends = support::backends("pairs", "all");
    for sweep in SWEEPS {
        let whole = Range::parse(sweep.range(), sweep.inputs()).expect("a range");
        let mut seen = Vec::new();
        for backend in &backends[1..] {
            let n = match backend.speed() {
                Speed::Compiled => 1 << 16,
                Speed::Interpreted => 1 << 13,
                Speed::Simulated => 1 << 10,
            };
            let range = whole.intersection(
                &Range::from_spans(
                    whole.space(),
                    vec![Span {
                        first: 0,
                        last: n - 1,
                    }],
                )
                .expect("numbers"),
            );
            let plan = Plan::new(range, None).expect("a plan");
            let sweep = sweep.over(whole.space());
            let devices = [&backends[0], backend].map(|b| Device::new(b.clone(), 2));
            let both = compare(
                &sweep,
                &plan,
                &devices,
                &Settings::default(),
                &Stop::new(),
                &mut |_, _| {},
            );
            let both = both.unwrap_or_else(|e| panic!("{} on {}: {e}", sweep.name(), backend.id()));
            let other = &both[1];
            assert!(
                matches!(other.verdict, Verdict::Identical),
                "{} on {}: {:?}",
                sweep.name(),
                backend.id(),
                other.verdict
            );
            assert_eq!(u128::from(other.result.count), plan.range().count());
            seen.push(other.result.max.error());
        }
        assert!(
            seen.iter().all(|e| e.is_finite()),
            "{}: {seen:?}",
            sweep.name()
        );
    }
}

/// Every reference of two arguments is compared above.
#[test]
fn none_is_left_out() {
    for r in REFERENCES_OF_TWO {
        for tier in [Some(r.binary32), r.binary64].into_iter().flatten() {
            let name = tier.kernel.name;
            assert!(
                SWEEPS.iter().any(|s| s.reference().name() == name),
                "{name} is not compared"
            );
        }
    }
}
