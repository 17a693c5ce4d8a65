//! Inputs at the ends of stretches, next to zero, and of both signs.

use super::*;

/// The first and the last stretch of a class are those of its first and last input, and a claim of no error is none.
#[test]
fn inputs_at_the_ends_of_stretches_are_examined() {
    let lines = ["f64 = mul %0, %0", "f64 = div %0, %1"];
    let subject = power_of("recip", &lines, &[1.25], 400);
    let (lo, _, worst) = subject.truth().expect("finite");
    let ends = subject.ranges[0];
    for (first, last) in [
        (worst, ends.1.min(worst + 9e-15)),
        (ends.0.max(worst - 9e-15), worst),
    ] {
        let part = Subject {
            what: "ends".into(),
            kernel: subject.kernel.clone(),
            ranges: vec![(first, last)],
            ..subject
        };
        let plan = format!(
            "class 0 plain\nbound {0}\nbound {1}\nbound {2}\ncell {3} 0\n",
            words((first, first)),
            words((first.next_up(), last.next_down())),
            words((last, last)),
            words((first, last))
        );
        assert_eq!(part.verdict(4.0, &plan), Ok(()));
        // Of the others.
        let rest =
            [(first, last.next_down()), (first.next_up(), last)][usize::from(first == worst)];
        let rest = Subject {
            what: "others".into(),
            kernel: subject.kernel.clone(),
            ranges: vec![rest],
            ..subject
        };
        let most = rest.truth().expect("finite").1;
        assert!(most < lo);
        assert!(
            part.verdict(f64::midpoint(most.min(lo), lo), &plan)
                .is_err()
        );
        assert!(part.verdict(0.0, &plan).is_err());
    }
    let negated = kernel(&["f64 = neg %0".into()]);
    let exactly = Subject {
        what: "no error".into(),
        function: "reference",
        kernel: negated.clone(),
        ranges: vec![stretch(1.25, 3)],
    };
    let plan = format!("reference\n{negated}end of reference\n{}", exactly.cut());
    assert_eq!(exactly.verdict(1e-300, &plan), Ok(()));
    for claim in [0.0, -1.0] {
        let says = exactly.verdict(claim, &plan).expect_err("no claim");
        assert!(says.contains("claims no error"), "{says}");
    }
}

/// A cell of one input is one of a class of rounded arguments as well.
#[test]
fn a_cell_of_one_input_is_examined_on_its_own() {
    let ln2 = std::f64::consts::LN_2;
    let subject = exponential(ln2, None, false, vec![stretch(0.75, 80_000)]);
    let (lo, hi) = subject.ranges[0];
    let text = subject.text(4.0, &subject.cut());
    let certificate = Certificate::parse(&text).expect("it parses");
    let check = Check::new(&certificate).expect("a kernel");
    let none = Assumed::new();
    let how = crate::certificate::How::Bound;
    for (far, holds) in [(None, true), (Some(1e300), false)] {
        let mut class = (check.class(&[(lo, hi)], ClassKind::Reduced, true)).expect("one line");
        let core = class.members[0].core;
        class.rounded = true;
        // Its bound is above the claim.
        class.members[0].eta = Coarse::double(1e-3);
        if let Some(far) = far {
            // Of no line.
            let shift = crate::number::exact(core.0) - crate::number::exact(far);
            class.members.push(super::class::Member {
                lo: far,
                hi: far,
                shift: Fine::of(shift),
                rounding: None,
                by: 0,
                eta: Coarse::zero(),
                scale: 0,
                core: (core.0, core.0),
                grid: -1074,
            });
        }
        let verdict = check.close(&class, core.0, core.1, &none, DEPTH - 6, how);
        assert_eq!(verdict.is_ok(), holds, "{verdict:?}");
    }
}

/// Below zero the finest inputs are those of the upper end.
#[test]
fn inputs_on_both_sides_of_a_binade_below_zero_are_examined() {
    let (lo, hi) = (-1.0 - 600.0 * f64::EPSILON, -1.0 + 600.0 * f64::EPSILON);
    let mut tried = 0;
    for c in 0..60 {
        let c = 1.3 + f64::from(c) / 1024.0;
        let product = kernel(&[constant(c), "f64 = mul %0, %1".into()]);
        let mut subject = Subject {
            what: "a product".into(),
            function: "reference",
            kernel: product.clone(),
            ranges: vec![(lo, hi)],
        };
        // The largest error, and that of all inputs with the coarse unit.
        let (mut most, mut coarse) = (0.0f64, 0.0f64);
        let mut x = lo;
        while x <= hi {
            let off = (c.mul_add(x, -(c * x)) / f64::EPSILON).abs();
            most = most.max(off);
            if (x / f64::EPSILON).fract() == 0.0 {
                coarse = coarse.max(off);
            }
            x = x.next_up();
        }
        if most < coarse + 1e-7 {
            continue;
        }
        tried += 1;
        subject.what = format!("{c}");
        let claim = f64::midpoint(most, coarse);
        let plan = format!(
            "reference\n{product}end of reference\nclass 0 plain\nlattice {0}\ncell {0} 0\n",
            words((lo, hi))
        );
        assert_eq!(subject.verdict(0.51, &plan), Ok(()));
        assert!(subject.verdict(claim, &plan).is_err(), "{most} {coarse}");
    }
    assert!(tried > 5, "{tried}");
}

/// Inputs down to zero are as fine as the least number.
#[test]
fn inputs_next_to_zero_have_no_coarse_grid() {
    let lines = kernel(&[constant(2.0), "f64 = sub %1, %0".into()]);
    for (claim, holds) in [(1.01, true), (0.3, false)] {
        let subject = Subject {
            what: "2 - x".into(),
            function: "reference",
            kernel: lines.clone(),
            ranges: vec![(0.0, 1.0)],
        };
        let plan = format!(
            "reference\n{lines}end of reference\nclass 0 plain\nbound {0}\ncell {0} 0\n",
            words((0.0, 1.0))
        );
        let certificate = Certificate::parse(&subject.text(claim, &plan)).expect("it parses");
        let check = Check::new(&certificate).expect("a kernel");
        let none = Assumed::new();
        let how = crate::certificate::How::Bound;
        let verdict = check.close(&check.classes[0], 0.0, 1.0, &none, 0, how);
        assert_eq!(verdict.is_ok(), holds, "{claim}: {verdict:?}");
    }
}

/// A stretch of arguments of both signs is cut.
#[test]
fn a_stretch_of_both_signs_is_cut() {
    let ln2 = std::f64::consts::LN_2;
    let subject = exponential(ln2, None, false, vec![stretch(ln2, 80_000)]);
    let certificate = Certificate::parse(&subject.text(1e30, &subject.cut())).expect("it parses");
    let check = Check::new(&certificate).expect("a kernel");
    let (lo, hi) = subject.ranges[0];
    let mut class = (check.class(&[(lo, hi)], ClassKind::Reduced, true)).expect("one line");
    // Arguments of both signs.
    class.members[0].lo = lo - 1e-9;
    class.members[0].core.0 = -1e-9;
    let far = class.members[0].core.1;
    let none = Assumed::new();
    let how = crate::certificate::How::Bound;
    for (first, holds) in [(1e-13, true), (-1e-10, false)] {
        let verdict = check.close(&class, first, far, &none, 0, how);
        assert_eq!(verdict.is_ok(), holds, "{first:e} {far:e}: {verdict:?}");
    }
}
