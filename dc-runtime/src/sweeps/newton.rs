//! The theorems on the Newton–Raphson sweeps, as code: a bound of the error at each input, and the stretches of `[1, 2)` outside which no
//! error can reach a given level. The theorems and their proofs are in `docs/book/src/understand/newton.md`; steps and constants have the
//! same names there.

use crate::model::key::Precision;
use crate::search::range::{Range, Span};

/// 2^-53: the ULP of `1 / x` for `1 < x < 2`, and of every number in `[1/2, 1)`.
const U: f64 = 1.110_223_024_625_156_5e-16;
/// An upper bound for the rounding errors of the computations here, relative to 1.
const PAD: f64 = 4e-15;
/// The least input to which the theorems apply: 1 + 2^-50.
const LEAST: f64 = 1.0 + 8.881_784_197_001_252e-16;
/// The smallest number of inputs of a stretch.
const FINEST: i64 = 1 << 14;

/// The roundings of a step.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Form {
    /// `y (2 - y x)`: product, difference and product, each rounded.
    Separate,
    /// `y + y (1 - y x)`: two fused multiply-adds.
    Fused,
}

impl Form {
    /// A step turns the residual `ε` into `-ε² + η`; this is the largest `|η|` in the first step (Lemma 1).
    fn first_step(self) -> f64 {
        match self {
            Form::Separate => 3.125 * U,
            Form::Fused => 1.125 * U,
        }
    }

    /// The same for the second step, for inputs up to `x` (Lemma 2).
    fn second_step(self, x: f64) -> f64 {
        match self {
            Form::Separate => (1.5 + 0.5 * x + 1e-3) * U,
            Form::Fused => 1.125 * U,
        }
    }
}

/// A stretch of inputs that have the same estimate `y0`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Cell {
    /// Its least number. If it is a tie, it may belong to the cell below.
    pub first: f64,
    /// Its largest number. If it is a tie, it may belong to the cell above.
    pub last: f64,
    /// The estimate of `1 / x`.
    pub estimate: f64,
}

/// Three steps from one estimate, in one form.
#[derive(Debug, Clone)]
pub struct Newton {
    form: Form,
    cells: Vec<Cell>,
}

impl Newton {
    /// The steps from an estimate, given as the `map` of its emulation: `Newton::new(rcp_neon::map, Form::Separate)`.
    ///
    /// # Panics
    /// If the relative distance of the estimate from `1 / x` exceeds 2^-8, which the proofs require.
    #[must_use]
    pub fn new(estimate: impl Fn(&[f32], &mut [f32]), form: Form) -> Newton {
        let first = 1f32.to_bits();
        // 2 is included: the largest doubles below 2 round to it.
        let floats: Vec<f32> = (first..=2f32.to_bits()).map(f32::from_bits).collect();
        let mut estimates = vec![0.0; floats.len()];
        estimate(&floats, &mut estimates);
        let mut cells: Vec<Cell> = Vec::new();
        // A double is rounded to a float at a distance of at most half of 2^-23.
        let half = f64::from(f32::EPSILON) / 2.0;
        for (&float, &estimate) in floats.iter().zip(&estimates) {
            let (float, estimate) = (f64::from(float), f64::from(estimate));
            let last = (float + half).min(2f64.next_down());
            match cells.last_mut() {
                Some(cell) if cell.estimate == estimate => cell.last = last,
                _ => cells.push(Cell {
                    first: (float - half).max(LEAST),
                    last,
                    estimate,
                }),
            }
        }
        for cell in &cells {
            let worst = largest(cell.residuals(cell.first, cell.last));
            assert!(worst < 1.0 / 256.0, "an estimate off by {worst}: {cell:?}");
        }
        Newton { form, cells }
    }

    /// The cells of the estimate, ascending; neighbours share at most their bounds.
    #[must_use]
    pub fn cells(&self) -> &[Cell] {
        &self.cells
    }

    /// The form of its steps.
    #[must_use]
    pub fn form(&self) -> Form {
        self.form
    }

    /// The bound of the error of input `x`, in ULP, for `1 + 2^-50 <= x < 2` (Theorems 1 and 3).
    #[must_use]
    pub fn bound(&self, x: f64) -> f64 {
        let of = |cell: &Cell| self.bound_between(cell, x, x);
        let here = self.cells.iter().filter(|c| c.first <= x && x <= c.last);
        here.map(of).fold(0.0, f64::max)
    }

    /// The bound of all errors in a cell, in ULP.
    #[must_use]
    pub fn cell_bound(&self, cell: &Cell) -> f64 {
        self.bound_between(cell, cell.first, cell.last)
    }

    /// The bound of errors between two inputs of a cell.
    fn bound_between(&self, cell: &Cell, a: f64, b: f64) -> f64 {
        let e2 = self.second_residual(largest(cell.residuals(a, b)), b);
        let scaled = match self.form {
            Form::Separate => 1.5 * (1.0 + e2) + e2 * e2 / U,
            Form::Fused => e2 * (1.0 + e2) + e2 * e2 / U,
        };
        (scaled / a + 0.5) * (1.0 + PAD)
    }

    /// The largest `|ε2|`, from `|ε0|` (Lemma 2).
    fn second_residual(&self, e0: f64, x: f64) -> f64 {
        let e1 = e0 * e0 + self.form.first_step();
        (e1 * e1 + self.form.second_step(x)) * (1.0 + PAD)
    }

    /// The inputs of `[1, 2)` that can have an error of `level` ULP or more. The first five inputs,
    /// to which the theorems do not apply, are always included.
    ///
    /// # Panics
    /// If `level` is below 1.6 for separate operations, because the sieve then excludes nothing; for fused ones, if it is not above 0.5.
    #[must_use]
    pub fn suspects(&self, level: f64) -> Range {
        let least = match self.form {
            Form::Separate => 1.6,
            Form::Fused => 0.5,
        };
        assert!(level > least, "a level of {level} ULP");
        let key = |x: f64| Precision::F64.key_of_bits(x.to_bits());
        let mut spans = vec![Span {
            first: key(1.0),
            last: key(LEAST),
        }];
        for cell in &self.cells {
            self.search(cell, key(cell.first), key(cell.last), level, &mut spans);
        }
        Range::from_spans(Precision::F64, spans).expect("cells ascend")
    }

    /// Bisects the keys of a cell down to those that cannot be excluded.
    fn search(&self, cell: &Cell, first: i64, last: i64, level: f64, spans: &mut Vec<Span>) {
        let at = |key: i64| f64::from_bits(Precision::F64.bits_of_key(key));
        if self.excluded(cell, at(first), at(last), level) {
            return;
        }
        if last - first >= FINEST {
            let middle = first + (last - first) / 2;
            self.search(cell, first, middle, level, spans);
            self.search(cell, middle + 1, last, level, spans);
            return;
        }
        match spans.last_mut() {
            Some(s) if s.last + 1 >= first => s.last = s.last.max(last),
            _ => spans.push(Span { first, last }),
        }
    }

    /// Whether no input between `a` and `b`, of one cell, can have an error of `level`.
    fn excluded(&self, cell: &Cell, a: f64, b: f64, level: f64) -> bool {
        let slack = self.bound_between(cell, a, b) - level;
        slack < 0.0 || (self.form == Form::Separate && off_ties(cell, a, b, slack))
    }
}

impl Cell {
    /// The least and the largest `ε0 = y0 x - 1` between two inputs.
    fn residuals(&self, a: f64, b: f64) -> (f64, f64) {
        (self.estimate * a - 1.0 - PAD, self.estimate * b - 1.0 + PAD)
    }
}

/// The larger of two magnitudes.
fn largest((low, high): (f64, f64)) -> f64 {
    low.abs().max(high.abs())
}

/// Whether Theorem 2 excludes all inputs between `a` and `b`: for no even `j` that is possible in `q2 = 1 + 2 j u`, `2 j (1 - y2)` is
/// within `slack` of half an odd number.
fn off_ties(cell: &Cell, a: f64, b: f64, slack: f64) -> bool {
    let step = Form::Separate.first_step();
    let (low, high) = cell.residuals(a, b);
    let most = largest((low, high));
    let least = if low < 0.0 && high > 0.0 {
        0.0
    } else {
        low.abs().min(high.abs())
    };
    // -ε2 = ε1² - η2, with |ε1| = ε0² ± |η1|.
    let e1 = (
        (least * least - step).max(0.0) * (1.0 - PAD),
        (most * most + step) * (1.0 + PAD),
    );
    let step = Form::Separate.second_step(b);
    let e2 = (e1.0 * e1.0 - step, e1.1 * e1.1 + step);
    // 2 j = -ε2 / u - α + β, |α| + |β| <= 3/2, positive, and a multiple of 4 as j is even.
    let first = ((e2.0 / U - 1.5 - 1e-3) / 4.0).ceil().max(0.0) * 4.0;
    let last = ((e2.1 / U + 1.5 + 1e-3) / 4.0).floor() * 4.0;
    // y2 = (1 + ε2) / x
    let w = (1.0 - (1.0 - e2.0) / a - PAD, 1.0 - (1.0 - e2.1) / b + PAD);
    let off = |two_j: (f64, f64)| {
        let low = if w.0 < 0.0 { two_j.1 } else { two_j.0 } * w.0 - slack - 1e-9;
        let high = if w.1 < 0.0 { two_j.0 } else { two_j.1 } * w.1 + slack + 1e-9;
        (low - 0.5).ceil() > (high - 0.5).floor()
    };
    if last - first > 256.0 {
        return off((first, last));
    }
    let count = ((last - first) / 4.0) as i64;
    (0..=count).all(|i| {
        let two_j = first + 4.0 * i as f64;
        off((two_j, two_j))
    })
}

#[cfg(test)]
mod tests;
