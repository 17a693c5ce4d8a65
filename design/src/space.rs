//! The designs that are tried for a function.

use dc_runtime::builtins::reference::Reference as Function;
use kernels_gen::ops::Prim;

use crate::dd::Dd;
use crate::polynomial::{Form, Scheme};
use crate::reference::values;
use crate::shape::{
    Approximation, Base, Design, Exponential, Finish, Limits, Logarithm, Periodic, Shape, cells,
};
use crate::spec::Format;

/// What a function does when its argument changes sign.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Symmetry {
    Odd,
    Even,
    None,
}

fn symmetry(function: &str) -> Symmetry {
    match function {
        "sin" | "tan" | "sinpi" | "tanpi" | "asin" | "atan" | "asinpi" | "atanpi" | "sinh"
        | "tanh" | "asinh" | "atanh" | "erf" | "cbrt" => Symmetry::Odd,
        "cos" | "cospi" | "cosh" => Symmetry::Even,
        _ => Symmetry::None,
    }
}

fn value(function: &str, x: f64) -> Result<Dd, String> {
    Ok(values(function, &[x])?[0])
}

/// The most coefficients of a polynomial.
const MOST: u32 = 26;

/// The designs for a function on inputs within the limits.
///
/// # Errors
/// If a function that is needed has no reference.
pub fn designs(
    function: &'static Function,
    format: Format,
    limits: Limits,
) -> Result<Vec<Design>, String> {
    let mut all = Vec::new();
    let prims: &[Prim] = match format {
        Format::F64 => &[Prim::F64],
        _ => &[Prim::F32, Prim::F64],
    };
    for &prim in prims {
        let space = Space {
            name: function.name,
            format,
            limits,
            prim,
        };
        all.extend(space.plain()?);
        all.extend(space.exponential()?);
        all.extend(space.logarithm()?);
        all.extend(space.periodic());
        all.extend(space.reciprocal());
    }
    Ok(all)
}

struct Space {
    name: &'static str,
    format: Format,
    limits: Limits,
    prim: Prim,
}

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
                        designs.push(Design {
                            function: self.name,
                            format: self.format,
                            prim: self.prim,
                            shape: shape.clone(),
                            approximation: approximation.clone(),
                            form,
                            terms,
                            scheme,
                            limits: self.limits,
                        });
                    }
                }
            }
        }
        designs
    }

    fn plain(&self) -> Result<Vec<Design>, String> {
        let Limits { low, high, nan } = self.limits;
        // A polynomial is no function of numbers of all sizes.
        if nan || self.limits.largest() > 64.0 {
            return Ok(Vec::new());
        }
        let across = low <= 0.0 && high >= 0.0;
        let largest = self.limits.largest();
        let tiny = 2f64.powi(-40);
        let at_zero = value(self.name, 0.0)?.hi;
        let slope = value(self.name, tiny)?.hi / tiny;
        let one = (slope - 1.0).abs() < 1e-9;
        let (forms, low): (&[Form], f64) = match (symmetry(self.name), across) {
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
        let approximation = Approximation {
            function: self.name,
            low,
            high,
            relative: true,
        };
        Ok(self.each(&Shape::Plain, &approximation, forms, MOST))
    }

    fn exponential(&self) -> Result<Vec<Design>, String> {
        let (base, finish) = match self.name {
            "exp" => ("expm1", Finish::Power),
            "exp2" => ("exp2m1", Finish::Power),
            "exp10" => ("exp10m1", Finish::Power),
            "expm1" => ("expm1", Finish::LessOne),
            "exp2m1" => ("exp2m1", Finish::LessOne),
            "exp10m1" => ("exp10m1", Finish::LessOne),
            "sigmoid" => ("expm1", Finish::Sigmoid),
            "tanh" => ("expm1", Finish::Tanh),
            _ => return Ok(Vec::new()),
        };
        let base = match base {
            "expm1" => Base {
                log2: std::f64::consts::LOG2_E,
                of_2: value("log", 2.0)?,
                less_one: "expm1",
            },
            "exp2m1" => Base {
                log2: 1.0,
                of_2: Dd::ONE,
                less_one: "exp2m1",
            },
            _ => Base {
                log2: std::f64::consts::LOG2_10,
                of_2: value("log10", 2.0)?,
                less_one: "exp10m1",
            },
        };
        let mut designs = Vec::new();
        let tables: &[u32] = match self.prim {
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
            for two_words in [true, false] {
                if base.of_2.lo == 0.0 && two_words && base.of_2.hi == 1.0 {
                    continue;
                }
                let shape = Shape::Exponential(Exponential {
                    base,
                    table,
                    two_words,
                    finish,
                });
                let approximation = Approximation {
                    function: base.less_one,
                    low: -half,
                    high: half,
                    relative: matches!(finish, Finish::LessOne | Finish::Tanh),
                };
                designs.extend(self.each(&shape, &approximation, forms, 13));
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
        for table in [0, 3, 4, 5] {
            let cells = cells(self.name, self.prim, table)?;
            let (low, high) = cells.1;
            let shape = Shape::Logarithm(Logarithm {
                of_2,
                cells: cells.0,
            });
            let approximation = Approximation {
                function: of_1p,
                low,
                high,
                relative: true,
            };
            let forms: &[Form] = match of_1p {
                "log1p" => &[Form::FromSquare],
                _ => &[Form::NoConstant],
            };
            designs.extend(self.each(&shape, &approximation, forms, 20));
        }
        Ok(designs)
    }

    fn periodic(&self) -> Vec<Design> {
        let largest = self.limits.largest();
        let words: &[u32] = match self.name {
            "sinpi" | "cospi" => &[0],
            // The product of the number of half turns with a word must be exact where it cancels.
            "sin" | "cos" if !self.limits.nan && largest < 1e9 && self.prim == Prim::F64 => {
                &[1, 2, 3]
            }
            _ => return Vec::new(),
        };
        let cosine = self.name.starts_with("cos");
        let (forms, high): (&[Form], f64) = match words[0] {
            0 => (&[Form::Odd], 0.5),
            _ => (&[Form::OddFromCube, Form::Odd], 1.571),
        };
        let mut designs = Vec::new();
        for &words in words {
            let shape = Shape::Periodic(Periodic { words, cosine });
            let approximation = Approximation {
                function: if words == 0 { "sinpi" } else { "sin" },
                low: 0.0,
                high,
                relative: true,
            };
            designs.extend(self.each(&shape, &approximation, forms, 13));
        }
        designs
    }

    fn reciprocal(&self) -> Vec<Design> {
        // Where no argument is above 1, the polynomial alone is the same.
        if self.name != "atan" || !self.limits.nan && self.limits.largest() <= 1.0 {
            return Vec::new();
        }
        let approximation = Approximation {
            function: "atan",
            low: 0.0,
            high: 1.0,
            relative: true,
        };
        let forms = [Form::Odd, Form::OddFromCube];
        self.each(&Shape::Reciprocal, &approximation, &forms, MOST)
    }
}
