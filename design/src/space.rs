//! The designs that are tried for a function.

mod quotient;
mod reductions;
mod tail;
pub mod variable;

use kernels_gen::ops::Prim;

use crate::dd::Dd;
use crate::polynomial::{Form, Scheme};
use crate::reference::{Source, values};
use crate::shape::{
    Approximation, Base, Design, Exponential, Finish, Limits, Logarithm, NEAR_HALF, Shape, Weight,
    cells,
};
use crate::spec::{Format, Saturation, Tolerance, Unit};
use crate::subject::Subject;
use crate::variable::Variable;

/// The behaviour of a function when its argument changes sign.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Symmetry {
    Odd,
    Even,
    None,
}

/// Whether a function is odd or even.
pub(crate) fn is_symmetric(function: &str) -> bool {
    symmetry(function) != Symmetry::None
}

fn symmetry(function: &str) -> Symmetry {
    match function {
        "sin" | "tan" | "sinpi" | "tanpi" | "asin" | "atan" | "asinpi" | "atanpi" | "sinh"
        | "tanh" | "asinh" | "atanh" | "erf" | "cbrt" => Symmetry::Odd,
        "cos" | "cospi" | "cosh" => Symmetry::Even,
        _ => Symmetry::None,
    }
}

/// The symmetry of a reference of one's own, judged at some inputs. Every input is judged later, so a mistake here gives no design.
fn symmetry_of(own: Source, largest: f64) -> Result<Symmetry, String> {
    let xs: Vec<f64> = (1..=64).map(|i| largest * f64::from(i) / 64.0).collect();
    let minus: Vec<f64> = xs.iter().map(|x| -x).collect();
    let (right, left) = (own.values(&xs)?, own.values(&minus)?);
    let both = || right.iter().zip(&left);
    Ok(if both().all(|(&r, &l)| l == -r) {
        Symmetry::Odd
    } else if both().all(|(r, l)| l == r) {
        Symmetry::Even
    } else {
        Symmetry::None
    })
}

fn value(function: &str, x: f64) -> Result<Dd, String> {
    Ok(values(function, &[x])?[0])
}

/// The largest number of coefficients of a polynomial, and of a polynomial of which a power is taken.
const MOST: u32 = 26;
const ROOTS: u32 = 14;

/// The largest magnitude of inputs for a polynomial without a reduction.
pub const ALONE: f64 = 128.0;

/// The aim of designs.
#[derive(Debug, Clone)]
pub struct Aim {
    /// The function.
    pub subject: Subject,
    /// The format.
    pub format: Format,
    /// The inputs.
    pub limits: Limits,
    /// Where the function no longer changes.
    pub saturation: Saturation,
    /// The largest error.
    pub tolerance: Tolerance,
    /// The variable of polynomials, if one is given. Then no other variable is tried.
    pub variable: Option<Variable>,
}

/// The designs for a function.
///
/// # Errors
/// If a function that is needed has no reference.
pub fn designs(aim: &Aim) -> Result<Vec<Design>, String> {
    let mut all = Vec::new();
    let prims: &[Prim] = match aim.format {
        Format::F64 => &[Prim::F64],
        _ => &[Prim::F32, Prim::F64],
    };
    for &prim in prims {
        let space = Space {
            name: aim.subject.known_as(),
            symbol: aim.subject.symbol(),
            source: aim.subject.source,
            symmetry: match aim.subject.known {
                Some(known) => symmetry(known.name),
                None => symmetry_of(aim.subject.source, aim.limits.largest())?,
            },
            format: aim.format,
            limits: aim.limits,
            prim,
            saturation: aim.saturation,
            tolerance: aim.tolerance,
            cut: Saturation::default(),
        };
        if let Some(u) = &aim.variable {
            all.extend(space.in_variable(u));
            continue;
        }
        all.extend(space.plain()?);
        all.extend(space.cut()?);
        all.extend(space.tail()?);
        all.extend(space.exponential()?);
        all.extend(space.logarithm()?);
        all.extend(space.periodic());
        all.extend(space.reciprocal());
        all.extend(space.half_angle());
        all.extend(space.cubic()?);
        all.extend(space.pieces());
    }
    Ok(all)
}

#[derive(Clone, Copy)]
struct Space {
    /// The name by which reductions are found; empty for a reference of one's own.
    name: &'static str,
    /// The name of the kernel.
    symbol: &'static str,
    source: Source,
    symmetry: Symmetry,
    format: Format,
    limits: Limits,
    prim: Prim,
    saturation: Saturation,
    tolerance: Tolerance,
    /// The inputs beyond which the argument is cut off.
    cut: Saturation,
}

/// How often a polynomial may be squared to give a power of it.
const SQUARINGS: [u32; 7] = [1, 2, 3, 4, 5, 6, 7];

impl Space {
    /// All numbers of coefficients and orders of evaluation.
    fn each(
        &self,
        shape: &Shape,
        approximation: &Approximation,
        forms: &[Form],
        most: u32,
    ) -> Vec<Design> {
        let mut designs = Vec::new();
        for &form in forms {
            for terms in 1..=most {
                for scheme in Scheme::ALL {
                    if scheme.matters(terms) {
                        designs.push(self.one(shape, approximation, form, terms, scheme));
                    }
                }
            }
        }
        designs
    }

    fn one(
        &self,
        shape: &Shape,
        approximation: &Approximation,
        form: Form,
        terms: u32,
        scheme: Scheme,
    ) -> Design {
        Design {
            function: self.symbol,
            format: self.format,
            prim: self.prim,
            shape: shape.clone(),
            approximation: approximation.clone(),
            form,
            terms,
            denominator: 0,
            scheme,
            second: None,
            limits: self.limits,
            cut: self.cut,
            exceptions: Vec::new(),
            corrections: Vec::new(),
            fused: true,
        }
    }

    /// The function at an input, in one word.
    fn value(&self, x: f64) -> Result<f64, String> {
        Ok(self.source.values(&[x])?[0].hi)
    }

    fn plain(&self) -> Result<Vec<Design>, String> {
        let Limits { low, high, nan } = self.limits;
        // A polynomial is no function of numbers of all sizes.
        if nan || self.limits.largest() > ALONE {
            return Ok(Vec::new());
        }
        let across = low <= 0.0 && high >= 0.0;
        let largest = self.limits.largest();
        let tiny = 2f64.powi(-40);
        let at_zero = self.value(0.0)?;
        let slope = self.value(tiny)? / tiny;
        let one = (slope - 1.0).abs() < 1e-9;
        let all = [Form::All, Form::Odd, Form::OddFromCube];
        let (forms, low): (&[Form], f64) = match (self.symmetry, across) {
            // Away from 0, `x + x³ p` has the rounding of one sum, and the polynomial's are parts of it.
            (Symmetry::Odd, false) if one => (&all, low),
            (Symmetry::Odd, false) => (&all[..2], low),
            (Symmetry::Odd, true) if one && self.format == Format::F64 => {
                (&[Form::Odd, Form::OddFromCube, Form::OddTwoWords], 0.0)
            }
            (Symmetry::Odd, true) if one => (&[Form::Odd, Form::OddFromCube], 0.0),
            (Symmetry::Odd, true) => (&[Form::Odd], 0.0),
            (Symmetry::Even, true) => (&[Form::Even, Form::EvenFromSquare], 0.0),
            (Symmetry::None, true) if at_zero == 0.0 && one => {
                (&[Form::NoConstant, Form::FromSquare], low)
            }
            (Symmetry::None, true) if at_zero == 0.0 => (&[Form::NoConstant], low),
            _ => (&[Form::All], low),
        };
        let high = if low == 0.0 && across { largest } else { high };
        let weight = self.weight();
        let approximation = Approximation {
            weight,
            ..Approximation::relative(self.source, low, high)
        };
        let mut designs = self.each(&Shape::Plain, &approximation, forms, MOST);
        designs.extend(self.quotients(&Shape::Plain, &approximation, forms));
        // Powers of a large variable cancel each other.
        let (center, form) = match forms[0] {
            Form::Odd | Form::Even => (0.5 * high * high, forms[0]),
            _ => (0.5 * (low + high), Form::All),
        };
        let center = f64::from(center as f32);
        let sums = self.is_coarse() || form == Form::All && self.tolerance != Tolerance::Correct;
        if sums && center != 0.0 && matches!(form, Form::All | Form::Odd | Form::Even) {
            let centered = Approximation {
                center,
                ..approximation.clone()
            };
            designs.extend(self.each(&Shape::Plain, &centered, &[form], MOST));
        }
        // A power needs a function that is positive.
        if self.is_coarse() && forms[0] == Form::All && self.positive(low, high)? {
            for roots in SQUARINGS {
                for center in [0.0, center] {
                    let root = Approximation {
                        roots,
                        center,
                        ..approximation.clone()
                    };
                    designs.extend(self.each(&Shape::Root(roots), &root, &[Form::All], ROOTS));
                }
            }
        }
        Ok(designs)
    }

    /// The allowed deviation of results.
    fn weight(&self) -> Weight {
        match (self.tolerance.unit(), self.format.stored()) {
            (Unit::Absolute, _) => Weight::Absolute,
            (Unit::Ulp, Some(_)) => Weight::Above(self.format.least_normal()),
            _ => Weight::Relative,
        }
    }

    /// Whether the tolerance is so coarse that it pays to cut off arguments and to take powers.
    fn is_coarse(&self) -> bool {
        self.format.stored().is_some()
            || self.format == Format::F32
                && match self.tolerance {
                    Tolerance::Correct => false,
                    Tolerance::Within(most, Unit::Ulp) => most >= 64.0,
                    Tolerance::Within(most, _) => most >= 2f64.powi(-18),
                }
    }

    /// Whether the function is positive at some numbers between these two.
    fn positive(&self, low: f64, high: f64) -> Result<bool, String> {
        let at = |i: u32| low + (high - low) * f64::from(i) / 64.0;
        let xs: Vec<f64> = (0..=64).map(at).collect();
        Ok(self.source.values(&xs)?.iter().all(|v| v.hi > 0.0))
    }

    /// Polynomials between the inputs where the function no longer changes.
    fn cut(&self) -> Result<Vec<Design>, String> {
        let Limits { low, high, .. } = self.limits;
        let cut = Saturation {
            low: self.saturation.low.filter(|&x| x > low),
            high: self.saturation.high.filter(|&x| x < high),
        };
        let limits = Limits {
            low: cut.low.unwrap_or(low),
            high: cut.high.unwrap_or(high),
            nan: false,
        };
        if !self.is_coarse() || cut == Saturation::default() || limits.low >= limits.high {
            return Ok(Vec::new());
        }
        // The ends of what is symmetric are as well.
        let largest = limits.largest();
        let odd = self.symmetry != Symmetry::None && low < 0.0;
        let cut = match odd {
            true => Saturation {
                low: cut.low.map(|_| -largest),
                high: cut.high.map(|_| largest),
            },
            false => cut,
        };
        Space {
            limits,
            cut,
            ..*self
        }
        .plain()
    }

    /// A power of the base whose power minus 1 has that name.
    fn base(&self, less_one: &'static str) -> Result<Base, String> {
        Ok(match less_one {
            "expm1" => Base {
                log2: std::f64::consts::LOG2_E,
                of_2: value("log", 2.0)?,
                less_one,
            },
            "exp2m1" => Base {
                log2: 1.0,
                of_2: Dd::ONE,
                less_one,
            },
            _ => Base {
                log2: std::f64::consts::LOG2_10,
                of_2: value("log10", 2.0)?,
                less_one,
            },
        })
    }

    fn exponential(&self) -> Result<Vec<Design>, String> {
        let (base, finish) = match self.name {
            "exp" => ("expm1", Finish::Power),
            "exp2" => ("exp2m1", Finish::Power),
            "exp10" => ("exp10m1", Finish::Power),
            "expm1" => ("expm1", Finish::LessOne),
            "exp2m1" => ("exp2m1", Finish::LessOne),
            "exp10m1" => ("exp10m1", Finish::LessOne),
            "sigmoid" => {
                // In binary64, for results of binary32 that are all to be the nearest.
                let doubles = self.prim == Prim::F64 && self.format == Format::F32;
                let near = self.limits.low < NEAR_HALF && self.limits.high > -NEAR_HALF;
                let ties = self.tolerance == Tolerance::Correct && doubles && near;
                ("expm1", Finish::Sigmoid { ties })
            }
            "tanh" => ("expm1", Finish::Tanh),
            _ => return Ok(Vec::new()),
        };
        let base = self.base(base)?;
        let mut designs = Vec::new();
        let tables: &[u32] = match self.prim {
            // Polynomials for 16 bits are so short that a table does not pay.
            _ if self.format.stored().is_some() => &[0],
            _ if self.format == Format::F64 => &[0, 4, 5, 6, 7],
            Prim::F32 => &[0, 3, 4],
            _ => &[0, 3, 4, 5],
        };
        for &table in tables {
            // Results near 0 have to be those of the polynomial.
            if table > 0
                && matches!(finish, Finish::LessOne | Finish::Tanh)
                && self.prim == Prim::F32
            {
                continue;
            }
            let half = 0.5 * base.of_2.hi / f64::from(1u32 << table) * (1.0 + 2f64.powi(-14));
            let one = base.less_one == "expm1";
            let forms: &[Form] = match one {
                true => &[Form::NoConstant, Form::FromSquare],
                false => &[Form::NoConstant],
            };
            // Exponents beyond those of normal numbers of binary32.
            let wide = self.prim == Prim::F32 && self.format != Format::F16;
            let halves: &[bool] = match finish {
                Finish::Power | Finish::Sigmoid { .. } if wide && self.is_coarse() => {
                    &[false, true]
                }
                _ => &[false],
            };
            for (two_words, &halved) in [true, false]
                .into_iter()
                .flat_map(|w| halves.iter().map(move |h| (w, h)))
            {
                if base.of_2.lo == 0.0 && two_words && base.of_2.hi == 1.0 {
                    continue;
                }
                let approximation = Approximation {
                    weight: match finish {
                        Finish::LessOne | Finish::Tanh => Weight::Relative,
                        Finish::Power | Finish::Sigmoid { .. } => Weight::Absolute,
                    },
                    ..Approximation::relative(base.less_one, -half, half)
                };
                let whole = self.format == Format::F64 && finish == Finish::Power;
                let tails: &[bool] = match whole && table > 0 && two_words {
                    true => &[false, true],
                    false => &[false],
                };
                for &tails in tails {
                    let shape = Shape::Exponential(Exponential {
                        base,
                        table,
                        two_words,
                        finish,
                        halved,
                        tails,
                    });
                    designs.extend(self.each(&shape, &approximation, forms, 13));
                }
            }
        }
        Ok(designs)
    }

    fn logarithm(&self) -> Result<Vec<Design>, String> {
        let of_1p = match self.name {
            "log" => "log1p",
            "log2" => "log2p1",
            "log10" => "log10p1",
            _ => return Ok(Vec::new()),
        };
        // Binary32's own subnormals have no exponent to take off.
        if self.prim == Prim::F32
            && (self.limits.nan || self.limits.low < f64::from(f32::MIN_POSITIVE))
        {
            return Ok(Vec::new());
        }
        let of_2 = value(self.name, 2.0)?;
        let mut designs = Vec::new();
        let (tables, words): (&[u32], &[bool]) = match self.format {
            Format::F64 if of_1p == "log1p" => (&[0, 4, 5, 6, 7, 8], &[false, true]),
            Format::F64 => (&[0, 4, 5, 6, 7], &[false]),
            _ => (&[0, 3, 4, 5], &[false]),
        };
        for (&table, &two_words) in tables
            .iter()
            .flat_map(|t| words.iter().map(move |w| (t, w)))
        {
            let cells = cells(self.name, self.format, self.prim, table, two_words)?;
            let (low, high) = cells.1;
            let shape = Shape::Logarithm(Logarithm {
                two_words,
                of_2,
                cells: cells.0,
            });
            let approximation = Approximation::relative(of_1p, low, high);
            let forms: &[Form] = match of_1p {
                "log1p" => &[Form::FromSquare],
                _ => &[Form::NoConstant],
            };
            designs.extend(self.each(&shape, &approximation, forms, 20));
            if table == 0 {
                designs.extend(self.quotients(&shape, &approximation, forms));
            }
        }
        Ok(designs)
    }
}
