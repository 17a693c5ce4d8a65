//! Truncated Taylor series: a computation in real numbers, expanded around a point.
//!
//! Coefficient k of a series in τ is the k-th derivative over k!. Evaluated at a point, the coefficients are those of the
//! Taylor polynomial there. Evaluated over an interval, they enclose those at each of its points, so the last of
//! them is Lagrange's remainder.

use super::interval::Interval;

/// Numbers that enclose exact results.
pub trait Ring: Copy {
    /// A double as such a number.
    fn number(x: f64) -> Self;
    /// Sum.
    #[must_use]
    fn add(self, b: Self) -> Self;
    /// Negation, exact.
    #[must_use]
    fn neg(self) -> Self;
    /// Product.
    #[must_use]
    fn mul(self, b: Self) -> Self;
    /// Quotient.
    #[must_use]
    fn div(self, b: Self) -> Self;
    /// Square root.
    #[must_use]
    fn root(self) -> Self;
    /// Times `2^e`.
    #[must_use]
    fn scale(self, e: i32) -> Self;
    /// Whether it is exactly 0. Then its product with any number is 0, and a sum with it is the other number.
    fn is_zero(self) -> bool;
    /// An interval around it.
    fn enclosure(self) -> Interval;
    /// Difference.
    #[must_use]
    fn sub(self, b: Self) -> Self {
        self.add(b.neg())
    }
}

/// The coefficients of `1, τ, …, τ^(K - 1)`.
#[derive(Debug, Clone, Copy)]
pub struct Series<R, const K: usize>(pub [R; K]);

#[expect(
    clippy::should_implement_trait,
    reason = "the same names as those of the ring, whose operations are no operators either"
)]
impl<R: Ring, const K: usize> Series<R, K> {
    /// A constant.
    #[must_use]
    pub fn constant(c: R) -> Self {
        let mut s = [R::number(0.0); K];
        s[0] = c;
        Series(s)
    }
    /// `c + w τ`.
    #[must_use]
    pub fn variable(c: R, w: R) -> Self {
        let mut s = Self::constant(c);
        s.0[1] = w;
        s
    }
    /// A series whose coefficients are mapped by `f`.
    // Loops, here and below: the arrays' own `map` and `from_fn` are calls for every number where they are not inlined.
    #[must_use]
    pub fn map(mut self, f: impl Fn(R) -> R) -> Self {
        for c in &mut self.0 {
            *c = f(*c);
        }
        self
    }
    /// Sum.
    #[must_use]
    pub fn add(mut self, b: Self) -> Self {
        for (c, b) in self.0.iter_mut().zip(&b.0) {
            *c = c.add(*b);
        }
        self
    }
    /// Difference.
    #[must_use]
    pub fn sub(mut self, b: Self) -> Self {
        for (c, b) in self.0.iter_mut().zip(&b.0) {
            *c = c.sub(*b);
        }
        self
    }
    /// Times a number.
    #[must_use]
    pub fn times(self, c: R) -> Self {
        self.map(|x| x.mul(c))
    }
    /// The number of coefficients up to the last that is not 0. There are few for constants, the variable, and polynomials of low degree.
    fn length(&self) -> usize {
        let last = self.0.iter().rposition(|c| !c.is_zero());
        last.map_or(0, |k| k + 1)
    }
    /// Product.
    #[must_use]
    pub fn mul(self, b: Self) -> Self {
        let (m, n) = (self.length(), b.length());
        let mut product = [R::number(0.0); K];
        if m == 0 || n == 0 {
            return Series(product);
        }
        for (k, c) in product.iter_mut().enumerate().take(m + n - 1) {
            let (first, last) = ((k + 1).saturating_sub(n), k.min(m - 1));
            *c = self.0[first].mul(b.0[k - first]);
            for i in first + 1..=last {
                *c = c.add(self.0[i].mul(b.0[k - i]));
            }
        }
        Series(product)
    }
    /// Quotient: `q b = a`, coefficient by coefficient.
    #[must_use]
    pub fn div(self, b: Self) -> Self {
        let mut q = self.0;
        for k in 0..K {
            let known = (0..k).fold(self.0[k], |s, i| s.sub(q[i].mul(b.0[k - i])));
            q[k] = known.div(b.0[0]);
        }
        Series(q)
    }
    /// Square root: `s² = a`.
    #[must_use]
    pub fn root(self) -> Self {
        let mut s = self.0;
        s[0] = self.0[0].root();
        let twice = s[0].add(s[0]);
        for k in 1..K {
            let known = (1..k).fold(self.0[k], |t, i| t.sub(s[i].mul(s[k - i])));
            s[k] = known.div(twice);
        }
        Series(s)
    }
    /// Times `2^e`.
    #[must_use]
    pub fn scale(self, e: i32) -> Self {
        if e == 0 {
            self
        } else {
            self.map(|x| x.scale(e))
        }
    }
}

/// Series whose coefficients are series: expansions in two variables.
impl<R: Ring, const K: usize> Ring for Series<R, K> {
    fn number(x: f64) -> Self {
        Series::constant(R::number(x))
    }
    fn add(self, b: Self) -> Self {
        Series::add(self, b)
    }
    fn neg(self) -> Self {
        self.map(R::neg)
    }
    fn mul(self, b: Self) -> Self {
        Series::mul(self, b)
    }
    fn div(self, b: Self) -> Self {
        Series::div(self, b)
    }
    fn root(self) -> Self {
        Series::root(self)
    }
    fn scale(self, e: i32) -> Self {
        Series::scale(self, e)
    }
    fn is_zero(self) -> bool {
        self.0.iter().all(|c| c.is_zero())
    }
    /// Encloses the values at `|τ| <= 1` of the polynomial.
    fn enclosure(self) -> Interval {
        let rest = self.0[1..].iter().rev();
        rest.fold(Interval::ZERO, |s, c| {
            s.add(c.enclosure().mul(Interval::symmetric(1.0)))
        })
        .add(self.0[0].enclosure())
    }
}

/// The range of a function for `|τ| <= 1`: its Taylor polynomial at 0, with the last coefficient enclosed over the
/// whole interval.
#[must_use]
pub fn range<R: Ring, const K: usize>(at: &Series<R, K>, over: &Series<Interval, K>) -> Interval {
    let even = Interval::new(0.0, 1.0);
    let odd = Interval::symmetric(1.0);
    // The smallest summands come first, so that those far below the last place of the first coefficient cost one ULP of
    // it in all.
    let mut sum = Interval::ZERO;
    for k in (1..K).rev() {
        let c = if k == K - 1 {
            over.0[k]
        } else {
            at.0[k].enclosure()
        };
        sum = sum.add(c.mul(if k % 2 == 0 { even } else { odd }));
    }
    at.0[0].enclosure().add(sum)
}

#[cfg(test)]
mod tests {
    use super::super::Ball;
    use super::*;

    #[test]
    fn quotients_and_roots() {
        let x = Series::<Ball, 5>::variable(Ball::number(2.0), Ball::number(1.0));
        let inverse = Series::constant(Ball::number(1.0)).div(x);
        // 1/(2 + τ) = 1/2 - τ/4 + τ²/8 - …
        for (k, c) in inverse.0.iter().enumerate() {
            let want = 0.5f64.powi(k as i32 + 1) * if k % 2 == 0 { 1.0 } else { -1.0 };
            assert!((c.mid() - want).abs() < 1e-15, "{k}: {c:?}");
        }
        let root = x.root();
        let back = root.mul(root).sub(x);
        assert!(back.0.iter().all(|c| c.magnitude() < 1e-27), "{back:?}");
        assert!((root.0[2].mid() + 2f64.sqrt() / 32.0).abs() < 1e-15);
    }

    #[test]
    fn a_range_holds_all_values() {
        // x² - x on [0, 1], by its series at 1/2.
        let at = Series::<Interval, 3>::variable(Interval::point(0.5), Interval::point(0.5));
        let over = Series::variable(Interval::new(0.0, 1.0), Interval::point(0.5));
        let f = |s: Series<Interval, 3>| s.mul(s).sub(s);
        let r = range(&f(at), &f(over));
        assert_eq!(r, Interval::new(-0.25, 0.0));
    }
}
