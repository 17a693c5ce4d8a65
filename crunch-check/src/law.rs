//! Functions with all of their derivatives.

use crate::gamma;
use crate::gates::{
    self, FAR, FAR_NORMAL, TINY, TINY_BELL, below, distribution, gate, logistic_and_rest,
};
use crate::number::{Interval, Number, exact, negative, zero};
use crate::series::{Series, each, follow, product, quotient, root, squared};
use crate::srgb;

/// Declares the functions with their names in certificates and in messages.
macro_rules! laws {
    ($($law:ident $name:literal $words:literal,)*) => {
        /// A function with all of its derivatives.
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        #[allow(missing_docs, reason = "their words")]
        pub enum Law {
            $($law,)*
        }

        impl Law {
            /// The function with this name in a certificate.
            pub fn named(name: &str) -> Option<Law> {
                match name {
                    $($name => Some(Law::$law),)*
                    _ => None,
                }
            }

            /// Its name in messages.
            pub fn words(self) -> &'static str {
                match self {
                    $(Law::$law => $words,)*
                }
            }
        }
    };
}

laws! {
    Exp "exp" "e^x",
    Exp2 "exp2" "2^x",
    Exp10 "exp10" "10^x",
    ExpM1 "expm1" "e^x - 1",
    Exp2M1 "exp2m1" "2^x - 1",
    Exp10M1 "exp10m1" "10^x - 1",
    Ln "ln" "ln x",
    Log2 "log2" "log2 x",
    Log10 "log10" "log10 x",
    Ln1p "log1p" "ln(1 + x)",
    Log2p1 "log2p1" "log2(1 + x)",
    Log10p1 "log10p1" "log10(1 + x)",
    Recip "recip" "1/x",
    Sqrt "sqrt" "the square root of x",
    RecipSqrt "recip-sqrt" "1 / the square root of x",
    Cbrt "cbrt" "the cube root of x",
    Sin "sin" "sin x",
    Cos "cos" "cos x",
    Tan "tan" "tan x",
    SinPi "sinpi" "sin(π x)",
    CosPi "cospi" "cos(π x)",
    TanPi "tanpi" "tan(π x)",
    Asin "asin" "asin x",
    Acos "acos" "acos x",
    Atan "atan" "atan x",
    AsinPi "asinpi" "asin(x) / π",
    AcosPi "acospi" "acos(x) / π",
    AtanPi "atanpi" "atan(x) / π",
    Sinh "sinh" "sinh x",
    Cosh "cosh" "cosh x",
    Tanh "tanh" "tanh x",
    Asinh "asinh" "asinh x",
    Acosh "acosh" "acosh x",
    Atanh "atanh" "atanh x",
    Erf "erf" "erf x",
    Erfc "erfc" "1 - erf x",
    Sigmoid "sigmoid" "1 / (1 + e^-x)",
    Logit "logit" "ln(x / (1 - x))",
    Softplus "softplus" "ln(1 + e^x)",
    Silu "silu" "x / (1 + e^-x)",
    Gelu "gelu" "x times the normal distribution of x",
    Mish "mish" "x tanh(ln(1 + e^x))",
    Gamma "tgamma" "the gamma function of x",
    LnGamma "lgamma" "ln abs(gamma x)",
    SrgbToLinear "srgb-to-linear" "linear light from x of sRGB",
    SrgbFromLinear "srgb-from-linear" "sRGB from linear light x",
}

/// Beyond plus or minus this, `1 - erf x` and `1 + erf x` are not evaluated: they are below e^(-27.5²) < 2^-1090,
/// which is [`TINY_BELL`].
const FLAT: f64 = 27.5;

/// `ln b` of a function made of `b^x`, or of logarithms to base b; `None` for the natural base.
fn base<const P: usize>(law: Law) -> Option<Interval<P>> {
    match law {
        Law::Exp2 | Law::Exp2M1 | Law::Log2p1 | Law::Log2 => Interval::double(2.0).ln(),
        Law::Exp10 | Law::Exp10M1 | Law::Log10p1 | Law::Log10 => Interval::double(10.0).ln(),
        _ => None,
    }
}

impl Law {
    /// `(n, d)` of a power `x^(n/d)`.
    pub fn power(self) -> Option<(i32, i32)> {
        match self {
            Law::Recip => Some((-1, 1)),
            Law::Sqrt => Some((1, 2)),
            Law::RecipSqrt => Some((-1, 2)),
            Law::Cbrt => Some((1, 3)),
            _ => None,
        }
    }

    /// The infinity to which the function rounds on the whole stretch; `None` next to the inputs where results become infinite.
    pub fn overflows(self, lo: f64, hi: f64) -> Option<f64> {
        use Law::{Cosh, Exp, Exp2, Exp2M1, Exp10, Exp10M1, ExpM1, Sinh};
        // The least of these is half of e^1100, above 2^1085, or 2^1100 - 1.
        const HIGH: f64 = 1100.0;
        match self {
            Cosh if hi < -HIGH => Some(f64::INFINITY),
            Sinh if hi < -HIGH => Some(f64::NEG_INFINITY),
            Law::Gamma => (lo > gamma::FAR).then_some(f64::INFINITY),
            Exp | Exp2 | Exp10 | ExpM1 | Exp2M1 | Exp10M1 | Sinh | Cosh => {
                (lo > HIGH).then_some(f64::INFINITY)
            }
            _ => None,
        }
    }

    /// The value at a number.
    pub fn value<const P: usize>(self, x: &Interval<P>) -> Option<Interval<P>> {
        let one = Interval::double(1.0);
        match self {
            Law::Exp | Law::Exp2 | Law::Exp10 => self.growth(x),
            Law::ExpM1 | Law::Exp2M1 | Law::Exp10M1 => {
                let x = self.exponent(x);
                if x.hi < exact(-FAR) {
                    return Some(below(TINY).sub(&one));
                }
                (x.magnitude() <= exact(FAR)).then(|| x.exp_m1())
            }
            Law::Ln => x.ln(),
            Law::Log2 | Law::Log10 => (x.lo > Number::zero()).then(|| match self {
                Law::Log2 => x.log2(),
                _ => x.log10(),
            }),
            Law::Ln1p | Law::Log2p1 | Law::Log10p1 => {
                let y = (x.lo > exact(-1.0)).then(|| x.ln_1p())?;
                base(self).map_or_else(|| Some(y.clone()), |base| y.div(&base))
            }
            Law::Recip => one.div(x),
            Law::Sqrt => x.sqrt(),
            Law::RecipSqrt => one.div(&x.sqrt()?),
            Law::Cbrt => odd_root(x),
            Law::Sin => Some(x.sin_cos().0),
            Law::Cos => Some(x.sin_cos().1),
            Law::SinPi => Some(x.sin_cos_pi().0),
            Law::CosPi => Some(x.sin_cos_pi().1),
            // Without a pole: the cosine is not zero, and there is less than a turn.
            Law::Tan => rises(x, &x.sin_cos().1).then(|| x.tan()),
            Law::TanPi => rises(x, &x.sin_cos_pi().1).then(|| x.tan_pi()),
            Law::Asin => within_one(x).then(|| x.asin()),
            Law::Acos => within_one(x).then(|| x.acos()),
            Law::AsinPi => within_one(x).then(|| x.asin_pi()),
            Law::AcosPi => within_one(x).then(|| x.acos_pi()),
            Law::Atan => Some(x.atan()),
            Law::AtanPi => Some(x.atan_pi()),
            Law::Sinh => (x.magnitude() <= exact(FAR)).then(|| x.sinh()),
            Law::Cosh => (x.magnitude() <= exact(FAR)).then(|| x.cosh()),
            Law::Tanh if x.lo > exact(FAR) => Some(one.sub(&below(TINY))),
            Law::Tanh if x.hi < exact(-FAR) => Some(below(TINY).sub(&one)),
            Law::Tanh => (x.magnitude() <= exact(FAR)).then(|| x.tanh()),
            Law::Asinh => Some(x.asinh()),
            Law::Acosh => (x.lo >= exact(1.0)).then(|| x.acosh()),
            Law::Atanh => (x.magnitude() < exact(1.0)).then(|| x.atanh()),
            Law::Erf if x.lo > exact(FLAT) => Some(one.sub(&below(TINY_BELL))),
            Law::Erf if x.hi < exact(-FLAT) => Some(below(TINY_BELL).sub(&one)),
            Law::Erfc if x.lo > exact(FLAT) => Some(below(TINY_BELL)),
            Law::Erfc if x.hi < exact(-FLAT) => Some(Interval::double(2.0).sub(&below(TINY_BELL))),
            Law::Erf => Some(x.erf_erfc()?.0),
            Law::Erfc => Some(x.erf_erfc()?.1),
            Law::Softplus if x.hi < exact(-FAR) => Some(below(TINY)),
            Law::Softplus if x.lo > exact(FAR) => Some(x.add(&below(TINY))),
            Law::Softplus => (x.magnitude() <= exact(FAR)).then(|| x.exp().ln_1p()),
            Law::Sigmoid => gates::sigmoid(x),
            // x e^x is above -2^-7000 there.
            Law::Silu if x.hi < exact(-FAR - 20.0) => Some(below(TINY).neg()),
            Law::Silu => Some(x.mul(&gates::sigmoid(x)?)),
            Law::Gelu if x.hi < exact(-FAR_NORMAL) => Some(below(TINY_BELL).neg()),
            Law::Gelu if x.lo > exact(FAR_NORMAL) => Some(x.sub(&below(TINY_BELL))),
            Law::Gelu => Some(x.mul(&distribution(x)?)),
            Law::Mish if x.hi < exact(-FAR - 20.0) => Some(below(TINY).neg()),
            Law::Mish if x.lo > exact(FAR) => Some(x.sub(&below(TINY))),
            Law::Mish => Some(x.mul(&gate(x)?)),
            Law::Gamma => gamma::gamma(x),
            Law::LnGamma => gamma::ln_gamma(x),
            Law::SrgbToLinear | Law::SrgbFromLinear => srgb::value(self, x),
            Law::Logit => {
                if x.lo <= Number::zero() || x.hi >= exact(1.0) {
                    return None;
                }
                // Next to 1/2 the relative error is small, too.
                let at = |x: &Number| {
                    let x = Interval::of(x.clone());
                    let off = x.scale(1).sub(&one).div(&one.sub(&x))?;
                    match off.lo > exact(-0.5) {
                        true => Some(off.ln_1p()),
                        false => x.div(&one.sub(&x))?.ln(),
                    }
                };
                Some(at(&x.lo)?.hull(&at(&x.hi)?))
            }
        }
    }

    /// `x ln b`
    fn exponent<const P: usize>(self, x: &Interval<P>) -> Interval<P> {
        base(self).map_or_else(|| x.clone(), |base| x.mul(&base))
    }

    /// `b^x`
    fn growth<const P: usize>(self, x: &Interval<P>) -> Option<Interval<P>> {
        let exponent = self.exponent(x);
        // Smaller than every double; for large arguments it is not evaluated.
        if exponent.hi < exact(-FAR) {
            return Some(below(TINY));
        }
        if exponent.magnitude() > exact(FAR) {
            return None;
        }
        Some(match self {
            Law::Exp2 | Law::Exp2M1 => x.exp2(),
            _ => exponent.exp(),
        })
    }

    /// The coefficients of `f(x + w τ)`.
    pub fn series<const P: usize>(
        self,
        x: &Interval<P>,
        w: &Interval<P>,
        terms: usize,
    ) -> Option<Series<P>> {
        // Sine and cosine are each the other's derivative: their values are computed once.
        match self {
            Law::Sin | Law::Cos => {
                return circle(x.sin_cos(), usize::from(self == Law::Cos), w, terms);
            }
            Law::SinPi | Law::CosPi => {
                let w = w.mul(&Interval::pi());
                return circle(x.sin_cos_pi(), usize::from(self == Law::CosPi), &w, terms);
            }
            _ => {}
        }
        let value = self.value(x)?;
        match self {
            Law::Exp => chain(value.clone(), value.mul(w), w, terms, |_| (1, 1)),
            Law::Exp2 | Law::Exp10 | Law::ExpM1 | Law::Exp2M1 | Law::Exp10M1 => {
                let t = self.exponent(w);
                chain(value, self.growth(x)?.mul(&t), &t, terms, |_| (1, 1))
            }
            Law::Ln | Law::Log2 | Law::Log10 | Law::Ln1p | Law::Log2p1 | Law::Log10p1 => {
                let one = Interval::double(1.0);
                let t = match self {
                    Law::Ln | Law::Log2 | Law::Log10 => w.div(x)?,
                    _ => w.div(&x.add(&one))?,
                };
                let first = match base(self) {
                    Some(base) => t.div(&base)?,
                    None => t.clone(),
                };
                chain(value, first, &t, terms, |k| (1 - k, 1))
            }
            // (α - k + 1) / k
            Law::Recip | Law::Sqrt | Law::RecipSqrt | Law::Cbrt => {
                let (n, d) = self.power()?;
                let t = w.div(x)?;
                let by = Interval::double(f64::from(n)).div(&Interval::double(f64::from(d)))?;
                let first = value.mul(&t).mul(&by);
                chain(value, first, &t, terms, |k| (n - d * (k - 1), d))
            }
            Law::Sinh | Law::Cosh => {
                let other = match self {
                    Law::Sinh => x.cosh(),
                    _ => x.sinh(),
                };
                let mut by = Interval::double(1.0);
                let mut all = Vec::new();
                for k in 0..terms {
                    if k > 0 {
                        by = by.mul(w).div(&Interval::double(k as f64))?;
                    }
                    all.push(by.mul(if k % 2 == 0 { &value } else { &other }));
                }
                Some(all)
            }
            Law::LnGamma => {
                let mut all = gamma::coefficients(x, w, terms)?;
                all[0] = value;
                Some(all)
            }
            Law::Gamma => {
                // f' = f (ln f)'
                let logs = gamma::coefficients(x, w, terms)?;
                follow(value, &Interval::double(1.0), terms, |f, k| {
                    (0..=k).fold(Interval::zero(), |sum, i| {
                        let by = Interval::double((k - i + 1) as f64);
                        sum.add(&f[i].mul(&logs[k - i + 1]).mul(&by))
                    })
                })
            }
            Law::SrgbToLinear | Law::SrgbFromLinear => srgb::series(self, x, w, &value, terms),
            Law::Gelu | Law::Mish => {
                let mut all = gates::gated(self == Law::Gelu, x, w, terms)?;
                all[0] = value;
                Some(all)
            }
            _ => self.integrated(x, w, value, terms),
        }
    }

    /// The coefficients of a function with this derivative, from its value at x.
    pub(crate) fn integrated<const P: usize>(
        self,
        x: &Interval<P>,
        w: &Interval<P>,
        value: Interval<P>,
        terms: usize,
    ) -> Option<Series<P>> {
        let slope = self.slope(x, w, &value, terms)?;
        let mut all = vec![value];
        for (k, c) in slope.iter().enumerate().take(terms - 1) {
            all.push(c.mul(w).div(&Interval::double((k + 1) as f64))?);
        }
        Some(all)
    }

    /// The series of the derivative by x, for functions whose derivative is made of known functions.
    fn slope<const P: usize>(
        self,
        x: &Interval<P>,
        w: &Interval<P>,
        value: &Interval<P>,
        terms: usize,
    ) -> Option<Series<P>> {
        let number = |c: Interval<P>| {
            let mut all = vec![Interval::zero(); terms];
            all[0] = c;
            all
        };
        let one = || number(Interval::double(1.0));
        let mut input = number(x.clone());
        if let Some(c) = input.get_mut(1) {
            *c = w.clone();
        }
        let minus = |a: &Series<P>, b: &Series<P>| each(a, b, Interval::sub);
        // 1 - x² as a product, which is not zero next to ±1.
        let beside = || product(&minus(&one(), &input), &each(&one(), &input, Interval::add));
        let square = || product(&input, &input);
        let pi = || number(Interval::pi());
        match self {
            Law::Tan => Some(each(&one(), &squared(value, w, terms, 1)?, Interval::add)),
            Law::TanPi => {
                let rate = Interval::pi();
                let slope = each(
                    &one(),
                    &squared(value, &w.mul(&rate), terms, 1)?,
                    Interval::add,
                );
                Some(slope.iter().map(|c| c.mul(&rate)).collect())
            }
            Law::Tanh => Some(minus(&one(), &squared(value, w, terms, -1)?)),
            Law::Atan => quotient(&one(), &each(&one(), &square(), Interval::add)),
            Law::AtanPi => quotient(
                &one(),
                &product(&pi(), &each(&one(), &square(), Interval::add)),
            ),
            Law::Asin => quotient(&one(), &root(&beside())?),
            Law::Acos => quotient(&number(Interval::double(-1.0)), &root(&beside())?),
            Law::AsinPi => quotient(&one(), &product(&pi(), &root(&beside())?)),
            Law::AcosPi => quotient(
                &number(Interval::double(-1.0)),
                &product(&pi(), &root(&beside())?),
            ),
            Law::Asinh => quotient(&one(), &root(&each(&one(), &square(), Interval::add))?),
            Law::Acosh => quotient(
                &one(),
                &root(&beside().iter().map(Interval::neg).collect())?,
            ),
            Law::Atanh => quotient(&one(), &beside()),
            Law::Logit => quotient(&one(), &product(&input, &minus(&one(), &input))),
            Law::Softplus => Some(logistic_and_rest(x, w, terms)?.0),
            Law::Sigmoid | Law::Silu => {
                let (s, rest) = logistic_and_rest(x, w, terms)?;
                // s (1 - s), and the derivative of x s is s + x s (1 - s).
                let slope = product(&s, &rest);
                Some(match self {
                    Law::Sigmoid => slope,
                    _ => each(&s, &product(&input, &slope), Interval::add),
                })
            }
            Law::Erf | Law::Erfc => {
                let two = Interval::double(2.0);
                let first = two.div(&Interval::pi().sqrt()?)?;
                let first = if self == Law::Erfc {
                    first.neg()
                } else {
                    first
                };
                let all = exponential(&square().iter().map(Interval::neg).collect())?;
                Some(all.iter().map(|c| c.mul(&first)).collect())
            }
            _ => None,
        }
    }
}

/// Whether a tangent has no pole on an interval, given the cosine there.
pub(crate) fn rises<const P: usize>(x: &Interval<P>, cosine: &Interval<P>) -> bool {
    !cosine.holds_zero() && x.sub(&Interval::of(x.lo.clone())).hi < exact(0.5)
}

/// The cube root, which is odd; `None` for an interval that holds zero and other numbers.
fn odd_root<const P: usize>(x: &Interval<P>) -> Option<Interval<P>> {
    if negative(&x.hi) {
        return Some(x.neg().cbrt()?.neg());
    }
    match zero(&x.lo) && zero(&x.hi) {
        true => Some(Interval::zero()),
        false => x.cbrt(),
    }
}

/// Whether an interval lies between -1 and 1.
fn within_one<const P: usize>(x: &Interval<P>) -> bool {
    x.magnitude() <= exact(1.0)
}

/// `e^u`: `k c_k = Σ j u_j c_(k - j)`.
fn exponential<const P: usize>(u: &Series<P>) -> Option<Series<P>> {
    let mut all = vec![u[0].exp()];
    for k in 1..u.len() {
        let sum = (1..=k).fold(Interval::zero(), |sum, j| {
            sum.add(&u[j].mul(&all[k - j]).mul(&Interval::double(j as f64)))
        });
        all.push(sum.div(&Interval::double(k as f64))?);
    }
    Some(all)
}

/// The coefficients `value` and `first`; each later one is the previous one times `t n/(d k)`, with `(n, d)` a function of k.
pub(crate) fn chain<const P: usize>(
    value: Interval<P>,
    first: Interval<P>,
    t: &Interval<P>,
    terms: usize,
    by: impl Fn(i32) -> (i32, i32),
) -> Option<Series<P>> {
    let mut all = vec![value, first];
    for k in 2..terms as i32 {
        let (n, d) = by(k);
        let factor = Interval::double(f64::from(n)).div(&Interval::double(f64::from(d * k)))?;
        all.push(all[k as usize - 1].mul(t).mul(&factor));
    }
    all.truncate(terms);
    Some(all)
}

/// The series of the sine after some quarter turns from the values of sine and cosine: each derivative is the previous one, turned by a quarter.
pub(crate) fn circle<const P: usize>(
    (sin, cos): (Interval<P>, Interval<P>),
    quarters: usize,
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
        all.push(turns[(k + quarters) % 4].mul(&by));
    }
    Some(all)
}

#[cfg(test)]
mod tests;
