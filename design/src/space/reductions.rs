//! Designs with reductions by periods, reciprocals, half angles and powers of eight, and with polynomials of cells.

use kernels_gen::ops::Prim;

use super::{MOST, Space};
use crate::polynomial::{Form, Scheme};
use crate::shape::{Approximation, Cubic, Design, Periodic, Pieces, Shape, Turns};
use crate::spec::{Format, Saturation};

/// Below this power of two there is only one piece.
const FIRST_PIECE: i32 = -3;
/// The largest argument for pieces.
const LAST_PIECE: f64 = 64.0;

impl Space {
    pub(super) fn periodic(&self) -> Vec<Design> {
        let largest = self.limits.largest();
        // The product of the number of half turns with a word must be exact where it cancels.
        let few = !self.limits.nan && largest < 1e9;
        let turns: &[Turns] = match self.name {
            "sinpi" | "cospi" => &[Turns::Exact],
            "sin" | "cos" if few && self.prim == Prim::F64 => {
                &[Turns::Words(1), Turns::Words(2), Turns::Words(3)]
            }
            // Numbers of 24 bits.
            "sin" | "cos" if self.format != Format::F64 && self.prim == Prim::F64 => {
                &[Turns::Table]
            }
            _ => return Vec::new(),
        };
        let cosine = self.name.starts_with("cos");
        let (function, forms, high): (_, &[Form], f64) = match turns[0] {
            Turns::Words(_) => ("sin", &[Form::OddFromCube, Form::Odd], 1.571),
            Turns::Exact | Turns::Table => ("sinpi", &[Form::Odd], 0.5),
        };
        let mut designs = Vec::new();
        for &turns in turns {
            let shape = Shape::Periodic(Periodic { turns, cosine });
            let approximation = Approximation::relative(function, 0.0, high);
            designs.extend(self.each(&shape, &approximation, forms, 13));
        }
        designs
    }

    pub(super) fn reciprocal(&self) -> Vec<Design> {
        // Where no argument is above 1, the polynomial alone is the same.
        if self.name != "atan" || !self.limits.nan && self.limits.largest() <= 1.0 {
            return Vec::new();
        }
        let approximation = Approximation::relative("atan", 0.0, 1.0);
        let forms = [Form::Odd, Form::OddFromCube];
        let mut designs = self.each(&Shape::Reciprocal, &approximation, &forms, MOST);
        designs.extend(self.quotients(&Shape::Reciprocal, &approximation, &forms));
        designs
    }

    pub(super) fn half_angle(&self) -> Vec<Design> {
        // π/2 has one word.
        if self.name != "asin" || self.limits.largest() <= 0.5 || self.format == Format::F64 {
            return Vec::new();
        }
        let approximation = Approximation::relative("asin", 0.0, 0.5);
        let forms = [Form::Odd, Form::OddFromCube];
        self.each(&Shape::HalfAngle, &approximation, &forms, MOST)
    }

    pub(super) fn cubic(&self) -> Result<Vec<Design>, String> {
        // Subnormal numbers of 24 bits are normal in binary64.
        if self.name != "cbrt" || self.prim != Prim::F64 || self.format == Format::F64 {
            return Ok(Vec::new());
        }
        let mut designs = Vec::new();
        for cells in [3, 4, 5] {
            let (cubic, reach) = Cubic::new(cells)?;
            let approximation = Approximation {
                center: 1.0,
                ..Approximation::relative("cbrt", 1.0 - reach, 1.0 + reach)
            };
            designs.extend(self.each(&Shape::Cubic(cubic), &approximation, &[Form::All], 14));
        }
        Ok(designs)
    }

    pub(super) fn pieces(&self) -> Vec<Design> {
        let largest = self.limits.largest();
        let end = self.saturation.high.filter(|&x| x < self.limits.high);
        let most = end.unwrap_or(largest);
        let fine = !self.is_coarse() && self.prim == Prim::F64 && self.format != Format::F64;
        if self.name != "erf" || !fine || !(1.0..=LAST_PIECE).contains(&most) {
            return Vec::new();
        }
        let space = Space {
            cut: Saturation {
                low: end.map(|x| -x),
                high: end,
            },
            ..*self
        };
        let mut designs = Vec::new();
        for t in 1..=4 {
            for terms in 4..=MOST {
                let Ok(pieces) = Pieces::new(self.name, FIRST_PIECE, t, most, terms) else {
                    continue;
                };
                let enough = pieces.error < 2f64.powi(-54);
                let approximation = Approximation::relative(self.name, 0.0, most);
                let shape = Shape::Pieces(pieces);
                let all = space.each(&shape, &approximation, &[Form::All], terms);
                let whole = |d: &Design| d.terms == terms && d.scheme == Scheme::Horner;
                designs.extend(all.into_iter().filter(whole));
                if enough {
                    break;
                }
            }
        }
        designs
    }
}
