//! Taylor series with intervals as coefficients, of lines and of functions.

use crate::number::{Fine, Interval, Number, exact, power};
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

fn each<const P: usize>(
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

/// A function with all of its derivatives.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Law {
    /// `e^x`
    Exp,
    /// The natural logarithm.
    Ln,
    /// `1/x`
    Recip,
    /// The square root.
    Sqrt,
    /// `1/√x`
    RecipSqrt,
    /// The cube root, of positive numbers.
    Cbrt,
    /// The sine.
    Sin,
    /// The cosine.
    Cos,
}

impl Law {
    /// `(n, d)` of a power `x^(n/d)`.
    pub fn power(self) -> Option<(i32, i32)> {
        match self {
            Law::Recip => Some((-1, 1)),
            Law::Sqrt => Some((1, 2)),
            Law::RecipSqrt => Some((-1, 2)),
            Law::Cbrt => Some((1, 3)),
            Law::Exp | Law::Ln | Law::Sin | Law::Cos => None,
        }
    }

    /// The function with this name in a certificate.
    pub fn named(name: &str) -> Option<Law> {
        Some(match name {
            "exp" => Law::Exp,
            "ln" => Law::Ln,
            "recip" => Law::Recip,
            "sqrt" => Law::Sqrt,
            "recip-sqrt" => Law::RecipSqrt,
            "cbrt" => Law::Cbrt,
            "sin" => Law::Sin,
            "cos" => Law::Cos,
            _ => return None,
        })
    }

    /// Its name in messages.
    pub fn words(self) -> &'static str {
        match self {
            Law::Exp => "e^x",
            Law::Ln => "ln x",
            Law::Recip => "1/x",
            Law::Sqrt => "the square root of x",
            Law::RecipSqrt => "1 / the square root of x",
            Law::Cbrt => "the cube root of x",
            Law::Sin => "sin x",
            Law::Cos => "cos x",
        }
    }

    /// The value at a number.
    pub fn value<const P: usize>(self, x: &Interval<P>) -> Option<Interval<P>> {
        let one = Interval::double(1.0);
        match self {
            // Smaller than every double; for large arguments it is not evaluated.
            Law::Exp if x.hi < exact(-5000.0) => Some(Interval {
                lo: Number::zero(),
                hi: power(-7000),
            }),
            Law::Exp if x.magnitude() > exact(5000.0) => None,
            Law::Exp => Some(x.exp()),
            Law::Ln => x.ln(),
            Law::Recip => one.div(x),
            Law::Sqrt => x.sqrt(),
            Law::RecipSqrt => one.div(&x.sqrt()?),
            Law::Cbrt => x.cbrt(),
            Law::Sin => Some(x.sin_cos().0),
            Law::Cos => Some(x.sin_cos().1),
        }
    }

    /// The coefficients of `f(x + w τ)`.
    pub fn series<const P: usize>(
        self,
        x: &Interval<P>,
        w: &Interval<P>,
        terms: usize,
    ) -> Option<Series<P>> {
        if let Law::Sin | Law::Cos = self {
            return circle(x.sin_cos(), self == Law::Cos, w, terms);
        }
        let mut all = vec![self.value(x)?];
        let ratio = if self == Law::Exp {
            None
        } else {
            Some(w.div(x)?)
        };
        for k in 1..terms {
            let n = Interval::double(k as f64);
            // Each coefficient is the previous one times a factor; the logarithm's derivative is w/x.
            let next = match (self, &ratio) {
                (Law::Exp, _) => all[k - 1].mul(w).div(&n)?,
                (Law::Ln, Some(t)) if k == 1 => t.clone(),
                (Law::Ln, Some(t)) => all[k - 1]
                    .mul(t)
                    .mul(&Interval::double(1.0 - k as f64))
                    .div(&n)?,
                (Law::Recip, Some(t)) => all[k - 1].mul(t).neg(),
                // (1/3 - k + 1) / k
                (Law::Cbrt, Some(t)) => {
                    let by = Interval::double(4.0 - 3.0 * k as f64)
                        .div(&Interval::double(3.0 * k as f64))?;
                    all[k - 1].mul(t).mul(&by)
                }
                // (α - k + 1) / k
                (_, Some(t)) => {
                    let alpha = if self == Law::Sqrt { 0.5 } else { -0.5 };
                    all[k - 1]
                        .mul(t)
                        .mul(&Interval::double(alpha - (k as f64) + 1.0))
                        .div(&n)?
                }
                (_, None) => return None,
            };
            all.push(next);
        }
        Some(all)
    }
}

/// The series of sine or cosine from both values: each derivative is the previous one, turned by a quarter.
fn circle<const P: usize>(
    (sin, cos): (Interval<P>, Interval<P>),
    cosine: bool,
    w: &Interval<P>,
    terms: usize,
) -> Option<Series<P>> {
    let turns = [sin.clone(), cos.clone(), sin.neg(), cos.neg()];
    let mut by = Interval::double(1.0);
    let mut all = Vec::new();
    for k in 0..terms {
        if k > 0 {
            by = by.mul(w).div(&Interval::double(k as f64))?;
        }
        all.push(turns[(k + usize::from(cosine)) % 4].mul(&by));
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

    #[test]
    fn series_are_their_functions() {
        let (x, w) = (Fine::double(1.375), Fine::double(0.0625));
        for (law, f) in [
            (Law::Exp, f64::exp as fn(f64) -> f64),
            (Law::Ln, f64::ln),
            (Law::Recip, f64::recip),
            (Law::Sqrt, f64::sqrt),
            (Law::RecipSqrt, |x| x.sqrt().recip()),
            (Law::Cbrt, f64::cbrt),
            (Law::Sin, f64::sin),
            (Law::Cos, f64::cos),
        ] {
            let series = law.series(&x, &w, 12).expect("defined");
            for t in [-1.0f64, -0.3, 0.0, 0.5, 1.0] {
                let value: f64 = series
                    .iter()
                    .enumerate()
                    .map(|(k, c)| c.middle() * t.powi(k as i32))
                    .sum();
                assert!((value - f(1.375 + 0.0625 * t)).abs() < 1e-14, "{law:?} {t}");
            }
        }
    }
}
