//! Designs of functions that fall to 0 on one side: the other side is computed from it.

use kernels_gen::ops::Prim;

use super::{ROOTS, SQUARINGS, Space};
use crate::polynomial::{Form, Scheme};
use crate::shape::{
    Approximation, Design, Exponential, Falling, Finish, LAST_HALVED, Of, Second, Shape, Tail,
    Weight,
};
use crate::spec::{Format, Saturation};
use crate::variable::Variable;

impl Space {
    /// Designs that compute one side of a function from the other side, which falls to 0.
    pub(super) fn tail(&self) -> Result<Vec<Design>, String> {
        let product = match self.name {
            "sigmoid" => false,
            "gelu" | "silu" => true,
            _ => return Ok(Vec::new()),
        };
        let Some(low) = self.saturation.low.filter(|&x| x < 0.0) else {
            return Ok(Vec::new());
        };
        if !(self.is_coarse() || self.fine()) || self.limits.high <= 0.0 {
            return Ok(Vec::new());
        }
        let space = Space {
            cut: Saturation {
                low: Some(low),
                high: self.saturation.high.filter(|&x| x < self.limits.high),
            },
            ..*self
        };
        let tail = |falling, most| Tail {
            falling,
            most,
            product,
        };
        let shape = |falling, most| Shape::Tail(tail(falling, most));
        let approximation = Approximation {
            of: if product {
                Of::NegativeByX
            } else {
                Of::Negative
            },
            weight: self.weight(),
            ..Approximation::relative(self.name, 0.0, -low)
        };
        let mut designs = Vec::new();
        if self.fine() {
            return space.gaussian(-low, &|falling| shape(falling, -low));
        }
        // In bfloat16 the falling side is 0 beyond it (see `shape::tail`).
        let vanishes = self.format == Format::Bf16 && self.prim == Prim::F32;
        for squarings in SQUARINGS {
            for center in [0.0, f64::from((-0.5 * low) as f32)] {
                let root = Approximation {
                    roots: squarings,
                    center,
                    ..approximation.clone()
                };
                let tail = tail(Falling::Power(squarings), -low);
                let end = match vanishes && -tail.beyond() >= self.limits.low {
                    true => -tail.beyond(),
                    false => low,
                };
                let space = space.cut_at(end);
                designs.extend(space.each(&Shape::Tail(tail), &root, &[Form::All], ROOTS));
            }
        }
        if self.format.stored().is_some() {
            designs.extend(space.two_polynomials(-low, product, &shape)?);
        }
        Ok(designs)
    }

    /// One side as the product of a power of e and a polynomial.
    fn two_polynomials(
        &self,
        most: f64,
        product: bool,
        shape: &dyn Fn(Falling, f64) -> Shape,
    ) -> Result<Vec<Design>, String> {
        let base = self.base("expm1")?;
        let second = match (self.name, product) {
            // 1 / (1 + u)
            ("sigmoid" | "silu", _) => Approximation {
                center: 1.0,
                ..Approximation::relative("recip", 1.0, 2.0)
            },
            _ => Approximation {
                of: Of::NegativeByXByGaussian,
                ..Approximation::relative(self.name, 0.0, most)
            },
        };
        let gaussian = self.name == "gelu";
        let half = 0.5 * base.of_2.hi * (1.0 + 2f64.powi(-14));
        let first = Approximation {
            weight: Weight::Absolute,
            ..Approximation::relative(base.less_one, -half, half)
        };
        let mut designs = Vec::new();
        for two_words in [false, true] {
            let e = Exponential {
                base,
                table: 0,
                two_words,
                finish: Finish::Power,
                halved: self.format == Format::Bf16,
                tails: false,
            };
            let falling = match gaussian {
                true => Falling::Gaussian(e),
                false => Falling::Exponential(e),
            };
            // Where the power is 0.
            let last = LAST_HALVED / base.log2;
            let last = if gaussian { (2.0 * last).sqrt() } else { last };
            let last = (4.0 * last).round() / 4.0;
            let far = e.vanishes(self.prim) && self.limits.low <= -last;
            let (space, shape) = match far {
                true => (self.cut_at(-last), shape(falling, last)),
                false => (self.cut_at(-most), shape(falling, most)),
            };
            let forms = [Form::NoConstant, Form::FromSquare];
            let mut designs_of_first = space.each(&shape, &first, &forms, 6);
            designs_of_first.retain(|d| d.terms > 1 && d.scheme != Scheme::Estrin);
            for design in designs_of_first {
                let terms = if gaussian { 4..=12 } else { 4..=8 };
                designs.extend(terms.map(|terms| Design {
                    second: Some(Second {
                        approximation: second.clone(),
                        terms,
                    }),
                    ..design.clone()
                }));
            }
        }
        Ok(designs)
    }

    /// The same space, with the argument cut off there. A kernel of 16 bits whose factor is the argument is not cut off.
    fn cut_at(&self, low: f64) -> Space {
        let summed = self.name != "sigmoid" && self.prim == Prim::F32;
        let summed = summed && self.format.stored().is_some();
        let cut = Saturation {
            low: Some(low).filter(|_| !summed),
            ..self.cut
        };
        Space { cut, ..*self }
    }

    /// Whether nearly all digits are requested, for a function that has a reduction for them.
    fn fine(&self) -> bool {
        self.name == "gelu"
            && self.prim == Prim::F64
            && self.format == Format::F32
            && !self.is_coarse()
    }

    /// `x Φ(x)`, where `Φ(-t)` is `e^(-t²/2)` times a polynomial in `(t - 4) / (t + 4)`. The remaining factor is near `1 / t`, and this variable
    /// brings the two ends, near 0 and far from it, together (Shepherd and Laframboise, Chebyshev approximation of (1 + 2x) exp(x²) erfc x, Math.
    /// Comp. 36, 1981).
    fn gaussian(&self, most: f64, shape: &dyn Fn(Falling) -> Shape) -> Result<Vec<Design>, String> {
        let base = self.base("expm1")?;
        let second = Approximation {
            of: Of::NegativeByXByGaussian,
            variable: Some(Variable::parse("(x - 4) / (x + 4)")?),
            ..Approximation::relative(self.name, 0.0, most)
        };
        let mut designs = Vec::new();
        for table in [0, 3, 4, 5] {
            let half = 0.5 * base.of_2.hi / f64::from(1u32 << table) * (1.0 + 2f64.powi(-14));
            let first = Approximation {
                weight: Weight::Absolute,
                ..Approximation::relative(base.less_one, -half, half)
            };
            let shape = shape(Falling::Gaussian(Exponential {
                base,
                table,
                two_words: true,
                finish: Finish::Power,
                halved: false,
                tails: false,
            }));
            let forms = [Form::NoConstant, Form::FromSquare];
            let mut of_first = self.each(&shape, &first, &forms, 13);
            // Fewer are no use, and the second polynomial is in the same order.
            of_first.retain(|d| d.terms > 3 && d.scheme != Scheme::Estrin);
            for design in of_first {
                designs.extend((16..=23).map(|terms| Design {
                    second: Some(Second {
                        approximation: second.clone(),
                        terms,
                    }),
                    ..design.clone()
                }));
            }
        }
        Ok(designs)
    }
}
