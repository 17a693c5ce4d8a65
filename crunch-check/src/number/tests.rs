//! Numbers and intervals, compared with exact arithmetic, with the standard library and with intervals of many more bits.

use super::*;
use crate::kernels::Words;

#[test]
fn doubles_come_back() {
    for x in [1.0, -1.5, 0.1, -f64::MIN_POSITIVE, 5e-324, f64::MAX, 0.0] {
        assert_eq!(double_below(&exact(x)).to_bits(), x.to_bits());
        assert_eq!(double_above(&exact(x)), x);
    }
    let third = Coarse::double(1.0)
        .div(&Coarse::double(3.0))
        .expect("no zero");
    assert_eq!(third.ends().0, 1.0 / 3.0);
    assert_eq!(third.ends().1, (1.0f64 / 3.0).next_up());
    assert_eq!(double_below(&exact(-0.3).clone()), -0.3);
}

/// With a radius, the side of 1 on which a product with it lies would not be known.
#[test]
fn a_thousand_roundings_are_less_than_what_is_added() {
    for x in [1.0, 0.3, 2f64.powi(-900), 1e300] {
        assert!(exact(padded(x)) >= product(&exact(x), &exact(1.0 + 1000.0 * f64::EPSILON)));
        assert!(padded(x) <= x * (1.0 + 1e-11));
    }
}

#[test]
fn the_exponential_of_zero_is_exact() {
    let one = Fine::zero().exp();
    assert!(one.lo == exact(1.0) && one.hi == exact(1.0));
}

#[test]
fn products_of_all_signs() {
    let ends = [-3.0, -2.0, 0.0, 1.0, 5.0];
    for a in ends {
        for b in ends.into_iter().filter(|&b| a <= b) {
            for c in ends {
                for d in ends.into_iter().filter(|&d| c <= d) {
                    let p = Coarse::doubles(a, b).mul(&Coarse::doubles(c, d)).ends();
                    let all = [a * c, a * d, b * c, b * d];
                    let least = all.into_iter().fold(f64::INFINITY, f64::min);
                    let most = all.into_iter().fold(f64::NEG_INFINITY, f64::max);
                    assert_eq!(p, (least + 0.0, most + 0.0), "[{a}, {b}] [{c}, {d}]");
                }
            }
        }
    }
}

#[test]
fn functions_are_enclosed() {
    let e = Fine::double(1.0).exp();
    assert_eq!(e.ends().0, std::f64::consts::E);
    assert!(e.lo < e.hi);
    let one = e.ln().expect("positive");
    assert!(one.lo <= exact(1.0) && exact(1.0) <= one.hi);
    let two = Fine::double(2.0).sqrt().expect("positive");
    let back = two.mul(&two);
    assert!(back.lo <= exact(2.0) && exact(2.0) <= back.hi);
}

/// A number of few bits or many, near one or far from it, or zero.
fn number(random: &mut Words) -> Number {
    let bits = random.of(&[1u32, 2, 7, 53, 54, 63, 64, 65, 90, 128]);
    let word = u128::from(random.next()) << 64 | u128::from(random.next());
    let word = (word | 1 << 127) >> (128 - bits);
    let far = random.of(&[0i64, 0, 0, 0, 1, -1, 60, -60, 1000, -1000, -1074, 971]);
    let exponent = far - i64::from(bits) + random.below(6) as i64;
    let significand = IBig::from(word);
    match random.below(16) {
        0 => Number::zero(),
        1..=6 => Number::new(-significand, exponent as isize),
        _ => Number::new(significand, exponent as isize),
    }
}

fn product(a: &Number, b: &Number) -> Number {
    Number::new(
        a.significand() * b.significand(),
        a.exponent() + b.exponent(),
    )
}

/// The ends of an interval, a third of them one number.
fn ends(random: &mut Words) -> (Number, Number) {
    let (a, b) = (number(random), number(random));
    match random.below(3) {
        0 => (a.clone(), a),
        _ if a <= b => (a, b),
        _ => (b, a),
    }
}

/// Numbers of an interval: both ends and some between them.
fn points((lo, hi): &(Number, Number), random: &mut Words) -> Vec<Number> {
    let part = exact((random.below(1 << 20) as f64) * 2f64.powi(-20));
    let width = hi - lo;
    vec![lo.clone(), hi.clone(), lo + &product(&width, &part)]
}

fn interval<const P: usize>((lo, hi): &(Number, Number)) -> Interval<P> {
    Interval {
        lo: lo.clone(),
        hi: hi.clone(),
    }
}

fn holds<const P: usize>(i: &Interval<P>, x: &Number) -> bool {
    i.lo <= *x && *x <= i.hi
}

/// Whether two numbers are the same but for roundings to some sixty bits.
fn close(a: &Number, b: &Number) -> bool {
    magnitude(&(a - b)) <= product(&magnitude(a).max(magnitude(b)), &power(-60))
}

#[test]
fn sums_products_quotients_and_roots_hold_those_of_all_numbers() {
    let mut random = Words(1);
    for _ in 0..4000 {
        let (p, q) = (ends(&mut random), ends(&mut random));
        let (a, b): (Coarse, Coarse) = (interval(&p), interval(&q));
        let (xs, ys) = (points(&p, &mut random), points(&q, &mut random));
        let (sum, difference, times) = (a.add(&b), a.sub(&b), a.mul(&b));
        let quotient = a.div(&b);
        let zero_between = !negative(&q.1) && (negative(&q.0) || zero(&q.0));
        assert_eq!(b.holds_zero(), zero_between);
        assert_eq!(quotient.is_none(), zero_between);
        for x in &xs {
            for y in &ys {
                let what = || format!("{:?} and {:?}", a.ends(), b.ends());
                assert!(holds(&sum, &(x + y)), "{}", what());
                assert!(holds(&difference, &(x - y)), "{}", what());
                assert!(holds(&times, &product(x, y)), "{}", what());
                if let Some(q) = &quotient {
                    let (lo, hi) = (product(&q.lo, y), product(&q.hi, y));
                    let (lo, hi) = if negative(y) { (hi, lo) } else { (lo, hi) };
                    assert!(lo <= *x && *x <= hi, "{}", what());
                }
            }
        }
        // And no wider than roundings make them.
        let corners: Vec<(&Number, &Number)> = (xs[..2].iter())
            .flat_map(|x| ys[..2].iter().map(move |y| (x, y)))
            .collect();
        type Of = fn(&Number, &Number) -> Number;
        for (of, i) in [
            ((|x, y| x + y) as Of, &sum),
            (|x, y| x - y, &difference),
            (product, &times),
        ] {
            let all: Vec<Number> = corners.iter().map(|c| of(c.0, c.1)).collect();
            assert!(close(&i.lo, all.iter().min().expect("four")));
            assert!(close(&i.hi, all.iter().max().expect("four")));
        }
        if let Some(q) = &quotient {
            for end in [&q.lo, &q.hi] {
                let is = |c: &(&Number, &Number)| close(&product(end, c.1), c.0);
                assert!(corners.iter().any(is), "{:?}", q.ends());
            }
        }
        let root = a.sqrt();
        assert_eq!(root.is_none(), negative(&p.0));
        if let Some(root) = root {
            let (lo, hi) = (product(&root.lo, &root.lo), product(&root.hi, &root.hi));
            assert!(!negative(&root.lo) && lo <= p.0 && p.1 <= hi);
            assert!(close(&lo, &p.0) && close(&hi, &p.1));
        }
    }
}

#[test]
fn parts_and_ends_of_intervals_are_theirs() {
    let mut random = Words(2);
    for _ in 0..4000 {
        let (p, q) = (ends(&mut random), ends(&mut random));
        let (a, b): (Coarse, Coarse) = (interval(&p), interval(&q));
        let hull = a.hull(&b);
        assert!(hull.lo == *(&p.0).min(&q.0) && hull.hi == *(&p.1).max(&q.1));
        let (lo, hi) = ((&p.0).max(&q.0), (&p.1).min(&q.1));
        match a.meet(&b) {
            Some(both) => assert!(lo <= hi && both.lo == *lo && both.hi == *hi),
            None => assert!(lo > hi),
        }
        let minus = a.neg();
        assert!(minus.lo == -p.1.clone() && minus.hi == -p.0.clone());
        let e = random.below(3000) as i32 - 1500;
        let scaled = a.scale(e);
        assert!(scaled.lo == product(&p.0, &power(e)) && scaled.hi == product(&p.1, &power(e)));
        let size = |x: &Number| if negative(x) { -x.clone() } else { x.clone() };
        let (most, least) = (size(&p.0).max(size(&p.1)), size(&p.0).min(size(&p.1)));
        assert_eq!(a.magnitude(), most);
        let spans = holds(&a, &Number::zero());
        assert_eq!(a.least(), if spans { Number::zero() } else { least });
        let around = Coarse::symmetric(p.0.clone());
        assert!(around.lo == -size(&p.0) && around.hi == size(&p.0));
        let few: Interval<20> = a.to();
        assert!(few.lo <= p.0 && p.1 <= few.hi);
        let apart = |x: &Number, y: &Number| size(&(x - y)) <= product(&size(y), &power(-18));
        assert!(apart(&few.lo, &p.0) && apart(&few.hi, &p.1));
        let (below, above) = a.ends();
        assert_eq!(below.to_bits(), double_below(&p.0).to_bits());
        assert_eq!(above.to_bits(), double_above(&p.1).to_bits());
        if below.is_finite() && above.is_finite() && above - below != 0.0 {
            assert_eq!(a.middle(), 0.5 * below + 0.5 * above);
        }
    }
}

#[test]
fn doubles_beside_a_number_are_the_next() {
    let mut random = Words(3);
    let tiny = |x: f64, by: i32| [exact(x) + power(by), exact(x) - power(by)];
    let mut all: Vec<Number> = (0..8000).map(|_| number(&mut random)).collect();
    for x in [f64::MAX, 1.0, 5e-324, f64::MIN_POSITIVE, 1.5e-310] {
        for x in [x, -x] {
            all.extend(tiny(x, -1200));
            all.extend(tiny(x, -20));
            all.push(exact(x));
        }
    }
    all.extend([power(1024), -power(1024), power(1025), power(-1075)]);
    let most = exact(f64::MAX);
    for x in &all {
        let (below, above) = (double_below(x), double_above(x));
        match below {
            f64::NEG_INFINITY => assert!(*x < -most.clone()),
            _ => {
                assert!(exact(below) <= *x);
                let next = below.next_up();
                assert!(next.is_infinite() || exact(next) > *x, "{below:e}");
            }
        }
        match above {
            f64::INFINITY => assert!(*x > most),
            _ => {
                assert!(exact(above) >= *x);
                let next = above.next_down();
                assert!(next.is_infinite() || exact(next) < *x, "{above:e}");
            }
        }
        let size = magnitude(x);
        if zero(x) {
            assert!(exponent(x) < -100_000);
            continue;
        }
        assert!(!negative(&size) && (size == *x) != negative(x));
        let e = exponent(x);
        assert!(power(e) <= size && size < power(e + 1));
        let shift = 40 - e + random.below(70) as i32;
        let (whole, exactly) = (
            Number::new(floor(x, shift).into(), 0),
            product(x, &power(shift)),
        );
        assert!(whole <= exactly && exactly < whole + power(0));
        for grid in [e - 60, e - 3, e, e + 1, e + 9] {
            let on = on_grid(x, grid);
            let apart = x - &on;
            assert!(!negative(&apart) && apart < power(grid));
            assert!(zero(&on) || on.exponent() >= grid as isize);
        }
    }
    for bits in (0..4000)
        .map(|_| random.next())
        .chain([0, 1, 1 << 52, (1 << 52) - 1])
    {
        let x = f64::from_bits(bits);
        if x.is_finite() {
            let due = FBig::<Down, 2>::try_from(x).expect("finite").into_repr();
            assert_eq!(exact(x), due, "{x:e}");
        }
    }
    for e in -1074..=1023 {
        assert_eq!(exact(power_double(e)), power(e));
    }
    for e in [i32::MIN, -1075, 1024, i32::MAX] {
        assert!(std::panic::catch_unwind(|| power_double(e)).is_err());
    }
    for (a, b) in [
        (0.0, -0.0),
        (-0.0, 0.0),
        (1.0, 2.0),
        (2.0, 1.0),
        (-1.0, 1.0),
    ] {
        let (less, more) = (lesser(a, b), greater(a, b));
        assert!(
            less.total_cmp(&more).is_lt()
                && (less.to_bits() == f64::to_bits(a) || less.to_bits() == f64::to_bits(b))
        );
        assert!(more.to_bits() == f64::to_bits(a) || more.to_bits() == f64::to_bits(b));
    }
}

/// Compares each function over an interval with its values, of many more bits, at numbers of the interval. Of one number the interval
/// is narrow.
macro_rules! functions {
    ($random:ident, $($name:literal $from:literal $to:literal |$x:ident| $f:expr;)*) => {
        $({
            for k in 0..if $name.contains("erf") { 3 } else { 9 } {
                let at = |part: f64| exact($from) + product(&(exact($to) - exact($from)), &exact(part));
                let mut part = || $random.below(1 << 30) as f64 * 2f64.powi(-30);
                let lo = match k {
                    0 => exact($from),
                    1 => exact($to),
                    _ => at(part()),
                };
                let width = part() * 2f64.powi(-(k % 6) * 11) * ($to - $from);
                let hi = match k % 3 {
                    0 => lo.clone(),
                    _ => (&lo + &exact(width)).min(exact($to)),
                };
                // Around zero.
                let (lo, hi) = match k % 4 {
                    3 if $from < 0.0 => {
                        let by = 2f64.powi(-4 * k) * part();
                        (exact(-by), exact(by * 2.0 * part()))
                    }
                    _ => (lo, hi),
                };
                let p = (lo, hi);
                let wide: Option<Coarse> = { let $x = &interval::<64>(&p); $f };
                let wide = wide.expect("defined");
                for point in points(&p, &mut $random) {
                    let value: Option<Interval<320>> = { let $x = &Interval::<320>::of(point); $f };
                    let value: Interval<320> = value.expect("defined");
                    let meets = value.lo <= wide.hi && wide.lo <= value.hi;
                    assert!(meets, "{} of {:?}", $name, interval::<64>(&p).ends());
                }
                if p.0 == p.1 {
                    let (width, size) = (&wide.hi - &wide.lo, wide.magnitude());
                    let narrow = width <= product(&size, &power(-50)) || size <= power(-300);
                    assert!(narrow, "{} of {:?}", $name, interval::<64>(&p).ends());
                }
            }
        })*
    };
}

#[test]
fn functions_over_intervals_hold_their_values() {
    let mut random = Words(4);
    functions! { random,
        "exp" -20.0 20.0 |x| Some(x.exp());
        "exp2" -20.0 20.0 |x| Some(x.exp2());
        "exp2 by exp" -20.0 20.0 |x| {
            let ln2 = Interval::double(2.0).ln();
            ln2.map(|ln2| x.mul(&ln2).exp().meet(&x.exp2()).expect("the same"))
        };
        "exp - 1" -20.0 20.0 |x| Some(x.exp_m1());
        "ln" 0.001 20.0 |x| x.ln();
        "ln(1 + x)" -0.99 20.0 |x| Some(x.ln_1p());
        "log2" 0.001 20.0 |x| Some(x.log2());
        "log10" 0.001 20.0 |x| Some(x.log10());
        "cbrt" 0.001 20.0 |x| x.cbrt();
        "sin" -7.0 7.0 |x| Some(x.sin_cos().0);
        "cos" -7.0 7.0 |x| Some(x.sin_cos().1);
        "sin(π x)" -3.0 3.0 |x| Some(x.sin_cos_pi().0);
        "cos(π x)" -3.0 3.0 |x| Some(x.sin_cos_pi().1);
        "tan" -1.5 1.5 |x| Some(x.tan());
    }
}

#[test]
fn functions_over_intervals_hold_their_values_2() {
    let mut random = Words(5);
    functions! { random,
        "asin" -0.99 0.99 |x| Some(x.asin());
        "acos" -0.99 0.99 |x| Some(x.acos());
        "atan" -20.0 20.0 |x| Some(x.atan());
        "asin / π" -0.99 0.99 |x| Some(x.asin_pi());
        "acos / π" -0.99 0.99 |x| Some(x.acos_pi());
        "atan / π" -20.0 20.0 |x| Some(x.atan_pi());
        "sinh" -20.0 20.0 |x| Some(x.sinh());
        "cosh" -20.0 20.0 |x| Some(x.cosh());
        "tanh" -20.0 20.0 |x| Some(x.tanh());
        "asinh" -20.0 20.0 |x| Some(x.asinh());
        "acosh" 1.0 20.0 |x| Some(x.acosh());
        "atanh" -0.99 0.99 |x| Some(x.atanh());
        "erf" -5.9 5.9 |x| x.erf_erfc().map(|e| e.0);
        "1 - erf" -5.9 5.9 |x| x.erf_erfc().map(|e| e.1);
        "1 - erf, far" 6.5 8.5 |x| x.erf_erfc().map(|e| e.1);
    }
    // The sum of a sine's square and a cosine's holds one; π is the standard library's.
    let (sin, cos) = Fine::double(1.25).sin_cos();
    assert!(holds(&sin.mul(&sin).add(&cos.mul(&cos)), &power(0)));
    assert_eq!(Fine::pi().ends().0, std::f64::consts::PI);
    // Digits of the tables of Abramowitz and Stegun.
    for (x, erf) in [
        (0.5, 0.520_499_877_813_046_5),
        (1.0, 0.842_700_792_949_714_9),
        (2.0, 0.995_322_265_018_952_7),
    ] {
        let (found, rest) = Fine::double(x).erf_erfc().expect("defined");
        assert!(
            (found.middle() - erf).abs() <= 2e-16,
            "{x}: {}",
            found.middle()
        );
        assert!((rest.middle() - (1.0 - erf)).abs() <= 2e-16);
    }
    let far = Fine::double(10.0).erf_erfc().expect("defined").1;
    assert!((far.middle() / 2.088_487_583_762_545e-45 - 1.0).abs() < 1e-14);
    for (x, defined) in [(27.5, true), (27.500_000_1, false), (-27.6, false)] {
        assert_eq!(Fine::double(x).erf_erfc().is_some(), defined);
    }
    // The series of a coarse and of a fine evaluation.
    for _ in 0..60 {
        let x = exact((random.below(1 << 20) as f64 - 524_288.0) * 2f64.powi(-18));
        let (coarse, fine) = (Coarse::erf_at(&x), Interval::<400>::erf_at(&x));
        assert!(coarse.lo <= fine.lo && fine.hi <= coarse.hi);
    }
}

#[test]
fn roots_and_logarithms_need_numbers_above_zero() {
    for (lo, hi, ln, root) in [
        (-1.0, 2.0, false, false),
        (0.0, 2.0, false, true),
        (0.5, 2.0, true, true),
    ] {
        let x = Coarse::doubles(lo, hi);
        let defined = (x.ln().is_some(), x.cbrt().is_some(), x.sqrt().is_some());
        assert_eq!(defined, (ln, ln, root));
    }
}

/// The series of the error function ends with a bound of its rest: where its first term is exact, nothing else is wide.
#[test]
fn the_series_of_the_error_function_has_its_rest() {
    for k in [33, 35, 40, 60] {
        for x in [power(-k), -power(-k)] {
            let (few, many) = (Interval::<64>::erf_sum(&x), Interval::<512>::erf_sum(&x));
            assert!(few.lo <= many.lo && many.hi <= few.hi, "2^-{k}");
        }
    }
}
