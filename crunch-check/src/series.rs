//! Taylor series of lines, with intervals as coefficients.

use crate::number::{Fine, Interval, Number, power};
use crate::residual::{Kind, Line};

/// Coefficients of powers of τ, the lowest first.
pub type Series<const P: usize> = Vec<Interval<P>>;

fn is_zero<const P: usize>(x: &Interval<P>) -> bool {
    crate::number::zero(&x.lo) && crate::number::zero(&x.hi)
}

/// `a b`, with as many terms as the factors.
pub fn product<const P: usize>(a: &Series<P>, b: &Series<P>) -> Series<P> {
    let terms = a.len();
    (0..terms)
        .map(|k| {
            let mut sum = Interval::zero();
            for i in 0..=k {
                if !is_zero(&a[i]) && !is_zero(&b[k - i]) {
                    sum = sum.add(&a[i].mul(&b[k - i]));
                }
            }
            sum
        })
        .collect()
}

/// An operation on two series, coefficient by coefficient.
pub fn each<const P: usize>(
    a: &Series<P>,
    b: &Series<P>,
    f: impl Fn(&Interval<P>, &Interval<P>) -> Interval<P>,
) -> Series<P> {
    a.iter().zip(b).map(|(x, y)| f(x, y)).collect()
}

/// The squares `t²` of the series with `t' = w (1 ± t²)`.
pub fn squared<const P: usize>(
    value: &Interval<P>,
    w: &Interval<P>,
    terms: usize,
    sign: i32,
) -> Option<Series<P>> {
    let mut t = vec![value.clone()];
    let mut squares = Vec::new();
    for k in 0..terms {
        let square = (0..=k).fold(Interval::zero(), |sum, i| sum.add(&t[i].mul(&t[k - i])));
        let signed = if sign < 0 {
            square.neg()
        } else {
            square.clone()
        };
        let slope = match k {
            0 => signed.add(&Interval::double(1.0)),
            _ => signed,
        };
        t.push(slope.mul(w).div(&Interval::double((k + 1) as f64))?);
        squares.push(square);
    }
    Some(squares)
}

/// The series with that value whose derivative's coefficient k is w times a function of the coefficients up to k.
pub fn follow<const P: usize>(
    value: Interval<P>,
    w: &Interval<P>,
    terms: usize,
    derivative: impl Fn(&[Interval<P>], usize) -> Interval<P>,
) -> Option<Series<P>> {
    let mut all = vec![value];
    for k in 0..terms - 1 {
        let next = derivative(&all, k).mul(w);
        all.push(next.div(&Interval::double((k + 1) as f64))?);
    }
    Some(all)
}

/// `a / b`, from `a = q b`.
pub fn quotient<const P: usize>(a: &Series<P>, b: &Series<P>) -> Option<Series<P>> {
    let mut q: Series<P> = Vec::new();
    for k in 0..a.len() {
        let mut rest = a[k].clone();
        for i in 0..k {
            if !is_zero(&b[k - i]) {
                rest = rest.sub(&q[i].mul(&b[k - i]));
            }
        }
        q.push(rest.div(&b[0])?);
    }
    Some(q)
}

/// `√a`, from `a = r²`.
pub fn root<const P: usize>(a: &Series<P>) -> Option<Series<P>> {
    let mut r = vec![a[0].sqrt()?];
    let twice = r[0].scale(1);
    for k in 1..a.len() {
        let mut rest = a[k].clone();
        for i in 1..k {
            rest = rest.sub(&r[i].mul(&r[k - i]));
        }
        r.push(rest.div(&twice)?);
    }
    Some(r)
}

/// The series of a line in real arithmetic whose input is the series `x`.
pub fn of_line<const P: usize>(line: &Line, x: &Series<P>) -> Option<Vec<Series<P>>> {
    let mut all: Vec<Series<P>> = Vec::with_capacity(line.nodes.len());
    for node in &line.nodes {
        let series = match node.kind {
            Kind::Input => x.clone(),
            Kind::Const(c) => {
                let mut s = vec![Interval::zero(); x.len()];
                s[0] = Interval::double(c);
                s
            }
            Kind::Low(_) => vec![Interval::zero(); x.len()],
            Kind::Add(a, b) | Kind::Sum(a, b) => each(&all[a], &all[b], Interval::add),
            Kind::Sub(a, b) => each(&all[a], &all[b], Interval::sub),
            Kind::Mul(a, b) => product(&all[a], &all[b]),
            Kind::Fma(a, b, c) => each(&product(&all[a], &all[b]), &all[c], Interval::add),
            Kind::Div(a, b) => quotient(&all[a], &all[b])?,
            Kind::Sqrt(a) => root(&all[a])?,
            Kind::Neg(a) => all[a].iter().map(Interval::neg).collect(),
        };
        all.push(series);
    }
    Some(all)
}

/// `e^d - 1` for the residual d of a reduction: for tiny d from `0 <= e^d - 1 - d <= d²`.
pub fn relative_error(d: &Fine) -> Fine {
    if d.magnitude() > power(-60) {
        return d.exp().sub(&Fine::double(1.0));
    }
    let square = Fine::of(d.magnitude());
    d.add(&Fine {
        lo: Number::zero(),
        hi: square.mul(&square).hi,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kernels::Words;

    #[test]
    fn relative_errors_of_both_forms_agree() {
        for d in [2f64.powi(-61), -(2f64.powi(-61)), 2f64.powi(-70), 0.0] {
            let d = Fine::double(d);
            let (short, long) = (relative_error(&d), d.exp().sub(&Fine::double(1.0)));
            assert!(short.lo <= long.hi && long.lo <= short.hi);
            assert!(short.hi - short.lo <= power(-120));
        }
        // The square bounds the error of numbers below 1.79 alone.
        for d in [2.0, -2.0, 1.0, -1.0, 1e-3, -1e-3, 2f64.powi(-59)] {
            let (d, wide) = (Fine::double(d), Interval::<320>::double(d));
            let (found, due) = (relative_error(&d), wide.exp().sub(&Interval::double(1.0)));
            assert!(found.lo <= due.hi && due.lo <= found.hi, "{:?}", d.ends());
            assert!(found.hi - found.lo <= power(-120), "{:?}", d.ends());
        }
    }

    /// A series of intervals, of few bits. Some intervals have an end that is zero.
    fn series(random: &mut Words, first: (f64, f64), terms: usize) -> Series<64> {
        let mut end = || -> f64 { [0.0, 0.0, 0.5, -0.25, 1.0, -1.0][random.below(6) as usize] };
        let rest = (1..terms).map(|_| {
            let (a, b) = (end(), end());
            Interval::doubles(a.min(b), a.max(b))
        });
        let rest: Vec<_> = rest.collect();
        std::iter::once(Interval::doubles(first.0, first.1))
            .chain(rest)
            .collect()
    }

    /// A series that lies in an interval series.
    fn member(of: &Series<64>, random: &mut Words) -> Series<320> {
        let one = |c: &Interval<64>| {
            Interval::of(if random.below(2) == 0 {
                c.lo.clone()
            } else {
                c.hi.clone()
            })
        };
        of.iter().map(one).collect()
    }

    /// Products, quotients and roots of interval series hold those of their members, and these members are correct.
    #[test]
    fn operations_on_series_hold_those_of_their_members() {
        let mut random = Words(1);
        let inside = |wide: &Series<64>, exact: &Series<320>| {
            let all = wide.iter().zip(exact);
            assert_eq!(wide.len(), exact.len());
            all.into_iter().all(|(w, e)| w.lo <= e.hi && e.lo <= w.hi)
        };
        let same =
            |a: &Series<320>, b: &Series<320>| a.iter().zip(b).all(|(a, b)| a.meet(b).is_some());
        for _ in 0..1500 {
            let terms = 1 + random.below(6) as usize;
            let first = [
                (1.0, 1.5),
                (2.0, 2.0),
                (-1.0, 0.0),
                (0.0, 0.0),
                (-1.5, -1.0),
            ][random.below(5) as usize];
            let divisor = [(1.0, 1.25), (-2.0, -1.0), (0.75, 0.75)][random.below(3) as usize];
            let (a, b) = (
                series(&mut random, first, terms),
                series(&mut random, divisor, terms),
            );
            let (x, y) = (member(&a, &mut random), member(&b, &mut random));
            assert!(inside(&product(&a, &b), &product(&x, &y)));
            assert!(inside(&product(&b, &a), &product(&x, &y)));
            let q = quotient(&x, &y).expect("no zero");
            assert!(inside(&quotient(&a, &b).expect("no zero"), &q));
            assert!(same(&product(&q, &y), &x));
            // By each of the terms, not by a rule for all.
            let all: Vec<Interval<320>> = (0..terms)
                .map(|k| (0..=k).fold(Interval::zero(), |sum, i| sum.add(&x[i].mul(&y[k - i]))))
                .collect();
            assert!(same(&product(&x, &y), &all));
            let size = series(&mut random, (0.25, 4.0), terms);
            let z = member(&size, &mut random);
            let r = root(&z).expect("positive");
            assert!(inside(&root(&size).expect("positive"), &r));
            assert!(same(&product(&r, &r), &z));
        }
    }

    /// The series of a line of all operations at a number, with the coefficient over the stretch as its remainder, holds the line's values.
    #[test]
    fn series_of_lines_hold_their_values() {
        use crate::residual::Node;
        let kinds = [
            Kind::Input,
            Kind::Const(1.75),
            Kind::Add(0, 1),
            Kind::Sub(2, 0),
            Kind::Sub(0, 1),
            Kind::Mul(4, 2),
            Kind::Div(5, 2),
            Kind::Sqrt(2),
            Kind::Fma(6, 7, 5),
            Kind::Neg(8),
            Kind::Div(9, 7),
        ];
        let node = |kind| Node {
            kind,
            site: 0,
            lo: 0.0,
            hi: 0.0,
            grid: 0,
            rounding: None,
        };
        let line = Line {
            nodes: kinds.map(node).to_vec(),
            result: 10,
        };
        let w = 2f64.powi(-10);
        let terms = 5;
        let variable = |x: Interval<192>, terms: usize| {
            let mut all = vec![Fine::zero(); terms];
            (all[0], all[1]) = (x, Fine::double(w));
            all
        };
        let at = of_line(&line, &variable(Fine::double(1.25), terms)).expect("defined");
        let cell = Fine::doubles(1.25 - w, 1.25 + w);
        let over = of_line(&line, &variable(cell, terms + 1)).expect("defined");
        for t in [-1.0, -0.5, 0.0, 0.25, 1.0] {
            let x = 1.25 + w * t;
            let mut values: Vec<Fine> = Vec::new();
            for (i, kind) in kinds.iter().enumerate() {
                let value = kind
                    .over(|a| values[a].clone())
                    .unwrap_or_else(|| Fine::double(x));
                let rest = &over[i][terms];
                let sum = at[i]
                    .iter()
                    .chain([rest])
                    .rev()
                    .fold(Fine::zero(), |sum, c| sum.mul(&Fine::double(t)).add(c));
                assert!(sum.meet(&value).is_some(), "{kind:?} {t}");
                assert!(rest.magnitude() < power(-40), "{kind:?}");
                values.push(value);
            }
        }
    }
}
