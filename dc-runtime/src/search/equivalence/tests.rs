use super::*;
use crate::search::testing::{Fake, SWEEP};

fn plan() -> Plan {
    let range = Range::parse("1.0..=0x1.00000004p0", SWEEP.precision).expect("a range");
    Plan::new(range, Some(14)).expect("a plan")
}

fn device(fake: Fake) -> Device {
    Device {
        backend: fake.shared(),
        workers: 2,
    }
}

fn agree(devices: &[Device]) -> Vec<Agreement> {
    let settings = Settings::default();
    compare(
        &SWEEP,
        &plan(),
        devices,
        &settings,
        &Stop::new(),
        &mut |_, _| {},
    )
    .expect("results")
}

#[test]
fn equal_backends_agree() {
    let devices = [
        Fake::new("a"),
        Fake {
            batch: 999,
            ..Fake::new("b")
        },
    ]
    .map(device);
    let found = agree(&devices);
    assert!(matches!(found[0].verdict, Verdict::Baseline));
    assert!(matches!(found[1].verdict, Verdict::Identical));
    assert_eq!(found[0].result, found[1].result);
    assert_eq!(u128::from(found[1].result.count), plan().range().count());
}

#[test]
fn one_wrong_bit_is_found() {
    let plan = plan();
    for (block, offset) in [(0, 0), (7, 4321), (plan.blocks() - 1, 0)] {
        let key = plan.block(block).expect("a block").first + offset;
        let devices = [
            Fake::new("right"),
            Fake {
                wrong: Some(key),
                ..Fake::new("wrong")
            },
        ]
        .map(device);
        let found = agree(&devices);
        let Verdict::Differs(d) = &found[1].verdict else {
            panic!("{:?}", found[1].verdict);
        };
        assert_eq!(d.backends, ["right", "wrong"]);
        assert_eq!((d.block.index, d.blocks), (block, 1));
        let fields = d.results[0].differing_fields(&d.results[1]);
        assert!(fields.contains(&"digest"), "{fields:?}");
        let Found::Input {
            key: at,
            measured,
            alone,
            trace,
        } = &d.found
        else {
            panic!("{:?}", d.found);
        };
        assert_eq!(*at, key);
        assert_eq!(measured[0].result_bits ^ 1, measured[1].result_bits);
        assert_eq!(measured.map(|j| j.block()), **alone);
        // The fake backend runs no programs: that is reported and hides nothing.
        let routine = trace[0].traced.as_ref().expect_err("it cannot be traced");
        assert!(
            routine.to_string().contains("runs kernels only"),
            "{routine}"
        );
    }
}

#[test]
fn the_first_of_many_is_found() {
    // One fake backend has only one wrong input: the baseline is made wrong at the later one.
    let block = plan().block(3).expect("a block");
    let (early, late) = (block.first + 100, block.first + 9000);
    let devices = [
        Fake {
            wrong: Some(late),
            ..Fake::new("a")
        },
        Fake {
            wrong: Some(early),
            ..Fake::new("b")
        },
    ]
    .map(device);
    let Verdict::Differs(d) = &agree(&devices)[1].verdict else {
        panic!("no difference");
    };
    assert!(matches!(d.found, Found::Input { key, .. } if key == early));
}

/// One contraction in the routine: the first input whose result it changes is found, and reported with both results.
#[test]
fn one_contracted_operation_is_found_at_its_first_input() {
    use crate::backend::testing::{contracted, interpreter};
    let sweep = &crate::sweeps::ALL[0];
    let range = Range::parse("1.5..=0x1.80000000080p0", sweep.precision).expect("a range");
    let plan = Plan::new(range, Some(14)).expect("a plan");
    let devices = [interpreter(), contracted(sweep.candidate.name())].map(|backend| Device {
        backend,
        workers: 1,
    });
    let settings = Settings::default();
    let found = compare(
        sweep,
        &plan,
        &devices,
        &settings,
        &Stop::new(),
        &mut |_, _| {},
    );
    let found = found.expect("results");
    let Verdict::Differs(d) = &found[1].verdict else {
        panic!("{:?}", found[1].verdict);
    };
    let Found::Input { key, measured, .. } = &d.found else {
        panic!("{:?}", d.found);
    };
    // Checked input by input.
    let first = plan.block(0).expect("a block").first;
    let keys: Vec<i64> = (first..=*key).collect();
    let [right, wrong] = devices.each_ref().map(|device| {
        let mut evaluator = PointEvaluator::load(&*device.backend, sweep).expect("kernels");
        evaluator.evaluate(&keys).expect("results")
    });
    let differ = right
        .iter()
        .zip(&wrong)
        .position(|(a, b)| a.result_bits != b.result_bits);
    assert_eq!(differ, Some(keys.len() - 1));
    assert_eq!(measured[0], right[keys.len() - 1]);
    assert_eq!(measured[1], wrong[keys.len() - 1]);
    assert_eq!(measured[0].reference, measured[1].reference);
}
