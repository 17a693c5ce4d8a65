//! Balls and intervals contain the results of operations on real numbers. This is compared in exact arithmetic, for operands of all sizes,
//! at the limits of the format, and at the ends of balls and intervals.

use dashu_int::IBig;

use super::dyadic::{Dyadic, Random, sum, times};
use super::float::{BINARY32, BINARY64, COARSEST, grid, is_power};
use super::{Ball, Interval, Ring};

/// Whether a number is at least `lo` and at most `hi`.
pub(crate) fn within(lo: f64, x: &Dyadic, hi: f64) -> bool {
    let above = lo == f64::NEG_INFINITY || (lo.is_finite() && Dyadic::of(lo).at_most(x));
    above && (hi == f64::INFINITY || (hi.is_finite() && x.at_most(&Dyadic::of(hi))))
}

impl Random {
    fn ball(&mut self, most: i32) -> Ball {
        let h = self.number(most);
        let u = h * 2f64.powi(-53);
        let part = self.below(1 << 40) as f64 / 2f64.powi(40);
        let l = match self.below(4) {
            0 => 0.0,
            1 => u * self.sign(),
            _ => u * part * self.sign(),
        };
        let r = match self.below(5) {
            0 => 0.0,
            1 => h.abs() * 2f64.powi(-3),
            2 => h.abs() * part,
            _ => h.abs() * 2f64.powi(-60 - self.below(50) as i32) * (1.0 + part),
        };
        let (h, l) = (h + l, l - ((h + l) - h));
        Ball { h, l, r }
    }
    fn interval(&mut self) -> Interval {
        let a = self.end();
        let b = match self.below(3) {
            0 => a,
            1 => a.next_up().min(f64::MAX),
            _ => self.end(),
        };
        Interval::new(a.min(b), a.max(b))
    }
}

/// The ends, the middle and a point of a ball.
fn points(ball: Ball) -> [Dyadic; 4] {
    let middle = Dyadic::of(ball.h).plus(&Dyadic::of(ball.l));
    let r = Dyadic::of(ball.r);
    let part = Dyadic(IBig::from(5), -3).times(&r);
    [
        middle.plus(&r),
        middle.minus(&r),
        middle.plus(&part),
        middle,
    ]
}

/// The middle of a ball, and the largest distance of a number of the ball from it.
fn middle(ball: Ball) -> (Dyadic, Dyadic) {
    let middle = Dyadic::of(ball.h).plus(&Dyadic::of(ball.l));
    (middle, Dyadic::of(ball.r))
}

pub(crate) fn holds(ball: Ball, x: &Dyadic) -> bool {
    let (middle, r) = middle(ball);
    x.minus(&middle).size().at_most(&r)
}

#[test]
fn balls_hold_sums_products_quotients_and_roots() {
    let mut random = Random(1);
    let (mut quotients, mut roots) = (0, 0);
    for round in 0..6000 {
        // Products and quotients stay within the range of the doubles.
        let (a, b) = (random.ball(400), random.ball(400));
        let context = format!("{round}: {a:?} {b:?}");
        let (sum, difference, product) = (a.add(b), a.sub(b), a.mul(b));
        let quotient = a.div(b);
        let divides = quotient.r.is_finite();
        for x in points(a) {
            assert!(x.size().at_most(&Dyadic::of(a.magnitude())), "{context}");
            let e = a.enclosure();
            assert!(within(e.lo, &x, e.hi), "{context} {e:?}");
            assert!(holds(a.neg(), &Dyadic(-x.0.clone(), x.1)), "{context}");
            for y in points(b) {
                assert!(holds(sum, &x.plus(&y)), "{context} + {sum:?}");
                assert!(
                    holds(difference, &x.minus(&y)),
                    "{context} - {difference:?}"
                );
                assert!(holds(product, &x.times(&y)), "{context} * {product:?}");
                if divides {
                    // |x / y - q| <= r, times |y|.
                    let (q, r) = middle(quotient);
                    let off = x.minus(&q.times(&y)).size();
                    assert!(!y.is_zero(), "{context}");
                    assert!(off.at_most(&r.times(&y.size())), "{context} / {quotient:?}");
                }
            }
        }
        quotients += u32::from(divides);
        let root = a.root();
        if root.r.is_finite() {
            let (s, r) = middle(root);
            let (least, most) = (s.minus(&r), s.plus(&r));
            for x in points(a) {
                let zero = Dyadic(IBig::ZERO, 0);
                let above = least.at_most(&zero) || least.times(&least).at_most(&x);
                assert!(
                    above && x.at_most(&most.times(&most)),
                    "{context} √ {root:?}"
                );
            }
            roots += 1;
        }
        // A divisor or a radicand that may be zero has no result.
        let spans = |ball: Ball| {
            let (m, r) = middle(ball);
            m.size().at_most(&r)
        };
        assert!(!(divides && spans(b)), "{context}");
        for e in [
            1,
            -1,
            40,
            -700,
            899,
            -1500,
            random.below(2000) as i32 - 1000,
        ] {
            let far = Dyadic::of(a.magnitude()).scaled(e);
            if far.at_most(&Dyadic::of(2f64.powi(1000))) {
                let scaled = a.scale(e);
                for x in points(a) {
                    assert!(holds(scaled, &x.scaled(e)), "{context} 2^{e}: {scaled:?}");
                }
            }
        }
    }
    assert!(quotients > 4000 && roots > 1500, "{quotients} {roots}");
}

/// Sums that cancel, and products with powers of two: they contain the exact results, and without a radius they are exact.
#[test]
fn what_cancels_is_exact_where_it_can_be() {
    let mut random = Random(9);
    let (mut exact, mut rounded) = (0, 0);
    for round in 0..20_000 {
        let mut a = random.ball(300);
        // Next to -a, or a few bits of it.
        let off = a.h * random.sign() * 2f64.powi(-(random.below(110) as i32));
        let off = match random.below(3) {
            0 => 0.0,
            1 => off,
            _ => off * (1.0 + random.below(1 << 40) as f64 / 2f64.powi(40)),
        };
        let mut b = Ball::new(-(a.h + off), random.ball(1).l * off, a.r);
        if random.below(2) == 0 {
            (a.r, b.r) = (0.0, 0.0);
        }
        let context = format!("{round}: {a:?} {b:?}");
        let sum = a.add(b);
        for x in points(a) {
            for y in points(b) {
                assert!(holds(sum, &x.plus(&y)), "{context} + {sum:?}");
            }
        }
        if a.r == 0.0 && sum.h.abs() < a.h.abs() / 16.0 {
            *(if sum.r == 0.0 {
                &mut exact
            } else {
                &mut rounded
            }) += 1;
        }
        let power = Ball::number(random.sign() * 2f64.powi(random.below(200) as i32 - 100));
        for product in [a.mul(power), power.mul(a)] {
            for x in points(a) {
                let due = x.times(&Dyadic::of(power.h));
                assert!(holds(product, &due), "{context} * {power:?} {product:?}");
            }
            assert!(product.r > 0.0 || a.r == 0.0, "{context} {product:?}");
        }
    }
    // (1 + x) 1 - 1 is x.
    for x in [1e-10, 1e-16, 3e-200, 5e-324] {
        let one = Ball::number(1.0);
        assert_eq!(one.add(Ball::number(x)).mul(one).sub(one), Ball::number(x));
    }
    assert!(exact > 1000 && rounded > 100, "{exact} {rounded}");
}

#[test]
fn intervals_hold_sums_products_quotients_and_roots() {
    let mut random = Random(2);
    for round in 0..20_000 {
        let (a, b) = (random.interval(), random.interval());
        let context = format!("{round}: {a:?} {b:?}");
        let (sum, difference, product) = (a.add(b), a.sub(b), a.mul(b));
        let (quotient, hull, meet) = (a.div(b), a.hull(b), a.meet(b));
        for p in [a.lo, a.hi] {
            let x = Dyadic::of(p);
            assert!(a.contains(p) && hull.contains(p), "{context}");
            assert!(
                p.abs() <= a.magnitude() && p.abs() >= a.least(),
                "{context}"
            );
            assert!(a.abs().contains(p.abs()), "{context}");
            let negative = a.neg();
            assert!(negative.contains(-p), "{context}");
            if p >= 0.0 {
                let s = a.sqrt();
                let [lo, hi] = [s.lo, s.hi].map(Dyadic::of);
                assert!(
                    lo.times(&lo).at_most(&x) && x.at_most(&hi.times(&hi)),
                    "{context}"
                );
            }
            for e in [1, -1, -60, 60, random.below(3000) as i32 - 1500] {
                let s = a.scale(e);
                assert!(within(s.lo, &x.scaled(e), s.hi), "{context} 2^{e}: {s:?}");
            }
            let inside = b.contains(p);
            assert_eq!(meet.is_some_and(|m| m.contains(p)), inside, "{context}");
            for q in [b.lo, b.hi] {
                let y = Dyadic::of(q);
                assert!(hull.contains(q), "{context}");
                assert!(within(sum.lo, &x.plus(&y), sum.hi), "{context} + {sum:?}");
                assert!(
                    within(difference.lo, &x.minus(&y), difference.hi),
                    "{context} - {difference:?}"
                );
                assert!(
                    within(product.lo, &x.times(&y), product.hi),
                    "{context} * {product:?}"
                );
                if !b.contains(0.0) {
                    // x / y >= lo, times y.
                    let side = |end: f64, below: bool| {
                        if end.is_infinite() {
                            return (end < 0.0) == below;
                        }
                        let (end, positive) = (Dyadic::of(end).times(&y), q > 0.0);
                        match below == positive {
                            true => end.at_most(&x),
                            false => x.at_most(&end),
                        }
                    };
                    let (lo, hi) = (side(quotient.lo, true), side(quotient.hi, false));
                    assert!(lo && hi, "{context} / {quotient:?}");
                }
            }
        }
        let width = Dyadic::of(a.hi).minus(&Dyadic::of(a.lo));
        assert!(within(0.0, &width, a.width()), "{context}");
        // A quotient by an interval with a zero is anything.
        assert!(!b.contains(0.0) || quotient == Interval::ALL, "{context}");
    }
}

/// Products that underflow, divisors next to zero, and words that are not the words of one number.
#[test]
fn balls_at_the_ends() {
    let mut random = Random(61);
    for round in 0..3000 {
        // Products far below all doubles, and at their lower end.
        let (a, b) = (random.ball(3), random.ball(3));
        let e = -460 - random.below(160) as i32;
        let power = 2f64.powi(e);
        let low = |ball: Ball| Ball {
            h: ball.h * power,
            l: ball.l * power,
            r: ball.r * power,
        };
        let (a, b) = (low(a), low(b));
        let (product, sum) = (a.mul(b), a.add(b));
        let context = format!("{round}: {a:?} {b:?}");
        for x in points(a) {
            for y in points(b) {
                assert!(holds(product, &x.times(&y)), "{context} * {product:?}");
                assert!(holds(sum, &x.plus(&y)), "{context} + {sum:?}");
            }
        }
        // A divisor and a radicand whose ball nearly reaches 0.
        let h = random.number(40);
        let near = 1.0 - 2f64.powi(-1 - random.below(50) as i32);
        let b = Ball {
            h,
            l: 0.0,
            r: h.abs() * near,
        };
        let a = random.ball(40);
        let (quotient, context) = (a.div(b), format!("{round}: {a:?} / {b:?}"));
        if quotient.r.is_finite() {
            let (q, r) = middle(quotient);
            for (x, y) in points(a)
                .iter()
                .flat_map(|x| points(b).map(|y| (x.clone(), y)))
            {
                let off = x.minus(&q.times(&y)).size();
                assert!(off.at_most(&r.times(&y.size())), "{context}: {quotient:?}");
            }
        }
        let root = Ball { h: h.abs(), ..b }.root();
        if root.r.is_finite() {
            let (s, r) = middle(root);
            let (least, most) = (s.minus(&r), s.plus(&r));
            for x in points(Ball { h: h.abs(), ..b }) {
                let below = least.0 < IBig::ZERO || least.times(&least).at_most(&x);
                assert!(
                    below && x.at_most(&most.times(&most)),
                    "{context}: {root:?}"
                );
            }
        }
    }
    // A value that is not a number has no quotient and no root, and neither has one that may be 0.
    let nothing = f64::NAN;
    let ball = |h: f64, l: f64, r: f64| Ball { h, l, r };
    let vague = [
        ball(0.0, 0.0, 0.0),
        ball(1.0, 0.0, 1.0),
        ball(1.0, -0.5, 0.5),
        ball(1.0, 0.0, 2.0),
        ball(nothing, 0.0, 0.0),
        ball(1.0, nothing, 0.0),
        ball(1.0, 0.0, nothing),
        ball(f64::INFINITY, 0.0, f64::INFINITY),
    ];
    for b in vague {
        for a in [ball(1.0, 0.0, 0.0), Ball::ZERO, ball(3.0, 1e-20, 1e-3)] {
            assert_eq!(a.div(b).r, f64::INFINITY, "{a:?} / {b:?}");
        }
        assert_eq!(b.root().r, f64::INFINITY, "√{b:?}");
    }
    assert_eq!(ball(-1.0, 0.0, 0.1).root().r, f64::INFINITY);
    // A magnitude is that of any words, and is rounded up.
    for (h, l, r) in [
        (1.0, 0.5, 0.0),
        (-1.0, -0.5, 0.0),
        (-1.0, 0.0, 0.25),
        (1.0, 0.0, 2f64.powi(-54)),
        (1.0, 2f64.powi(-54), 2f64.powi(-54)),
    ] {
        let most = sum([h, l].map(Dyadic::of)).size().plus(&Dyadic::of(r));
        let got = ball(h, l, r).magnitude();
        assert!(most.at_most(&Dyadic::of(got)), "{h} {l} {r}: {got}");
    }
    for a in [ball(1.0, 1e-17, 0.0), ball(1.5, 0.0, 0.0)] {
        for e in [-2000, -1500, -1100, -901, -900, -899] {
            let s = a.scale(e);
            assert!(
                points(a).iter().all(|x| holds(s, &x.scaled(e))),
                "{a:?} 2^{e}: {s:?}"
            );
        }
    }
}

/// Quotients that underflow, products that overflow, and ends that are not numbers.
#[test]
fn intervals_at_the_ends() {
    let least = f64::from_bits(1);
    let of = Interval::new;
    // A quotient that underflows is not 0.
    for b in [of(4.0, 8.0), of(3.0, 3.0), of(4.0, 4.0)] {
        let quotients = [of(-least, 0.0).div(b), of(0.0, least).div(b)];
        assert!(
            quotients[0].lo < 0.0 && quotients[0].hi == 0.0,
            "{quotients:?}"
        );
        assert!(
            quotients[1].hi > 0.0 && quotients[1].lo == 0.0,
            "{quotients:?}"
        );
        let turned = [of(-least, 0.0).div(b.neg()), of(0.0, least).div(b.neg())];
        assert!(turned[0].hi > 0.0 && turned[0].lo == 0.0, "{turned:?}");
        assert!(turned[1].lo < 0.0 && turned[1].hi == 0.0, "{turned:?}");
    }
    for a in [(f64::NAN, 1.0), (1.0, f64::NAN), (f64::NAN, f64::NAN)] {
        let (lo, hi) = a;
        assert_eq!(Interval { lo, hi }.div(of(1.0, 2.0)), Interval::ALL);
    }
    let far = 2f64.powi(600);
    let product = of(far, far).mul(of(far, far));
    assert!(
        product.lo == f64::MAX && product.hi == f64::INFINITY,
        "{product:?}"
    );
    // If both ends are zeros, a meeting keeps its own.
    for (own, other) in [(0.0f64, -0.0f64), (-0.0, 0.0)] {
        let [low, high] = [of(own, 1.0), of(-1.0, own)];
        let low = low.meet(of(other, 1.0)).expect("it").lo;
        let high = high.meet(of(-1.0, other)).expect("it").hi;
        assert_eq!([low, high].map(f64::to_bits), [own.to_bits(); 2]);
    }
    // Quotients by powers of two, and by what begins or ends with one.
    let mut random = Random(62);
    for round in 0..2000 {
        let a = random.interval();
        let power = 2f64.powi(random.below(60) as i32 - 30);
        for b in [
            of(power, power * 1.75),
            of(power * 1.75, power * 2.0),
            of(power, power),
        ] {
            let quotient = a.div(b);
            for (p, q) in [(a.lo, b.lo), (a.lo, b.hi), (a.hi, b.lo), (a.hi, b.hi)] {
                let x = Dyadic::of(p);
                let side = |end: f64| end.is_finite().then(|| times(end, q));
                let low = side(quotient.lo).is_none_or(|l| l.at_most(&x));
                let high = side(quotient.hi).is_none_or(|h| x.at_most(&h));
                assert!(low && high, "{round}: {a:?} / {b:?} is {quotient:?}");
            }
        }
    }
}

#[test]
fn formats_and_powers() {
    assert_eq!(BINARY64.max(), f64::MAX);
    assert_eq!(BINARY32.max(), f64::from(f32::MAX));
    assert_eq!((grid(0.0), grid(-0.0)), (COARSEST, COARSEST));
    for x in [
        0.0,
        -0.0,
        f64::INFINITY,
        f64::NEG_INFINITY,
        f64::NAN,
        3.0,
        1.5,
    ] {
        assert!(!is_power(x), "{x}");
    }
    for x in [
        1.0,
        -2.0,
        f64::from_bits(1),
        f64::from_bits(8),
        2f64.powi(1023),
    ] {
        assert!(is_power(x), "{x}");
    }
}
