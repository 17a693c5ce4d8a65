//! Taylor series with intervals as coefficients, of lines.

use crate::number::{Fine, Interval, Number, power};
use crate::residual::{Kind, Line};

/// Coefficients of powers of τ, the lowest first.
pub type Series<const P: usize> = Vec<Interval<P>>;

fn is_zero<const P: usize>(x: &Interval<P>) -> bool {
    crate::number::zero(&x.lo) && crate::number::zero(&x.hi)
}

/// `a b`, with as many terms as they have.
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

/// Coefficient by coefficient.
pub fn each<const P: usize>(
    a: &Series<P>,
    b: &Series<P>,
    f: impl Fn(&Interval<P>, &Interval<P>) -> Interval<P>,
) -> Series<P> {
    a.iter().zip(b).map(|(x, y)| f(x, y)).collect()
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
            Kind::Add(a, b) => each(&all[a], &all[b], Interval::add),
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

    #[test]
    fn relative_errors_of_both_forms_agree() {
        for d in [2f64.powi(-61), -(2f64.powi(-61)), 2f64.powi(-70), 0.0] {
            let d = Fine::double(d);
            let (short, long) = (relative_error(&d), d.exp().sub(&Fine::double(1.0)));
            assert!(short.lo <= long.hi && long.lo <= short.hi);
            assert!(short.hi - short.lo <= power(-120));
        }
    }
}
