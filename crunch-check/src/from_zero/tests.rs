use super::*;
use crate::kernels::Words;
use crate::number::{Coarse, Fine, exponent, magnitude};

fn of(k: usize) -> FromZero {
    FromZero::named("lgamma", &k.to_string()).expect("it is known")
}

#[test]
fn functions_have_one_name() {
    for wrong in ["0", "41", "-1", "+3", "03", "3.0", "", "x"] {
        assert!(FromZero::named("lgamma", wrong).is_none(), "{wrong}");
    }
    assert!(FromZero::named("tgamma", "3").is_none());
    assert!(FromZero::named("lgamma", "40").is_some());
}

/// The zeros are in order, each on its side of its pole, and abs Γ is 1 there.
#[test]
fn zeros_are_in_order() {
    let mut before = exact(-2.0);
    for k in 1..=MOST {
        let Zero { pole, from } = of(k).zero().expect("it is found");
        let ends = [&from.lo, &from.hi].map(|d| pole + d);
        assert!(ends[0] < ends[1] && ends[1] < before, "{k}");
        before = ends[0].clone();
        let sizes = ends.map(|x| gamma::gamma(&Interval::<BITS>::of(x)).expect("no pole"));
        let [lo, hi] = sizes.map(|y| magnitude(&y.lo) < exact(1.0));
        assert_ne!(lo, hi, "{k}");
    }
}

/// The values and coefficients of another program, in the table's words, lie in those that are found, which are narrow.
#[test]
fn values_are_those_of_another_program() {
    let mut count = 0;
    for line in include_str!("values.txt").lines() {
        if line.starts_with('#') {
            continue;
        }
        let mut words = line.split(' ');
        let k: usize = words.next().and_then(|k| k.parse().ok()).expect("a zero");
        let all: Vec<f64> = words
            .map(|w| f64::from_bits(u64::from_str_radix(w, 16).expect("bits")))
            .collect();
        let [x, value, low, slope, slope_low, second, seventh] = all[..] else {
            panic!("{line}")
        };
        let (at, w) = (Fine::double(x), Fine::double(1.0 / slope));
        let found = of(k).series(&at, &w, 8).expect("defined");
        let factor = |m: usize| (0..m).fold(Fine::double(1.0), |all, _| all.mul(&w));
        let due = [
            (0, value, low, 104),
            (1, slope, slope_low, 104),
            (2, second, 0.0, 51),
            (7, seventh, 0.0, 51),
        ];
        for (m, h, l, bits) in due {
            let room = Fine::symmetric(exact(h)).scale(-bits);
            let due = Fine::double(h)
                .add(&Fine::double(l))
                .add(&room)
                .mul(&factor(m));
            let context = format!("{k} {x:e} {m}: {:?} {:?}", found[m].ends(), due.ends());
            assert!(found[m].meet(&due).is_some(), "{context}");
            let wide = exponent(&(&found[m].hi - &found[m].lo));
            assert!(wide < exponent(&found[m].lo) - 150, "{context}");
        }
        count += 1;
    }
    assert_eq!(count, 2 * MOST);
}

/// Values and coefficients of 64 bits over a stretch hold those at its numbers.
#[test]
fn stretches_hold_what_is_inside() {
    let mut random = Words(3);
    let mut part = || random.below(1 << 53) as f64 * 2f64.powi(-53);
    let mut least = 0;
    for round in 0..300 {
        let k = 1 + round % MOST;
        let d = of(k).zero().expect("it is found").from.middle();
        let sign = if round % 3 == 0 { -1.0 } else { 1.0 };
        let x = match (round / MOST, k) {
            // The least value between the first two zeros is at -2.61072….
            (0, 1) => -0.153_695,
            (0, 2) => 0.136_962,
            _ => sign * 0.4 * d.abs() * part() * 2f64.powi(-((round / MOST) as i32 * 9)),
        };
        let wide = x.abs() * 2f64.powi(-((round % 7) as i32) - 2);
        let (lo, hi) = (x - wide, x + wide * part());
        let (stretch, w) = (Coarse::doubles(lo, hi), Coarse::double(wide));
        let over = of(k).series(&stretch, &w, 6).expect("defined");
        for inner in [lo, x, x - 0.3 * wide, hi] {
            let here = of(k).series(&Fine::double(inner), &Fine::double(wide), 6);
            for (m, (over, here)) in over.iter().zip(here.expect("defined")).enumerate() {
                assert!(
                    over.lo <= here.hi && here.lo <= over.hi,
                    "{k} {m} {inner:e}: {:?} {:?}",
                    over.ends(),
                    here.ends()
                );
            }
        }
        least += usize::from(k <= 2 && over[1].holds_zero());
        // A narrow stretch has a narrow value.
        let narrow = Coarse::doubles(x, x * (1.0 + 2f64.powi(-40)));
        if x > 0.0 && k > 2 {
            let value = of(k).value(&narrow).expect("defined");
            let wide = exponent(&(&value.hi - &value.lo));
            assert!(wide < exponent(&value.lo) - 34, "{k} {x:e}");
        }
    }
    assert!(least > 0);
}

#[test]
fn a_stretch_with_a_pole_has_no_value() {
    for k in 1..=MOST {
        let d = of(k).zero().expect("it is found").from.middle();
        for pole in [-d, d.signum() - d] {
            let (lo, hi) = (pole - 0.125 * d.abs(), pole + 0.125 * d.abs());
            assert!(
                of(k).value(&Coarse::doubles(lo, hi)).is_none(),
                "{k} {pole}"
            );
            assert!(
                of(k)
                    .series(&Fine::doubles(lo, hi), &Fine::double(1.0), 3)
                    .is_none()
            );
        }
        let one = if d > 0.0 {
            [-0.5 * d, 0.4]
        } else {
            [-0.4, -0.5 * d]
        };
        assert!(
            of(k).value(&Coarse::doubles(one[0], one[1])).is_some(),
            "{k}"
        );
    }
    let nothing = of(5).value(&Fine::zero()).expect("0");
    assert!(zero(&nothing.lo) && zero(&nothing.hi));
}
