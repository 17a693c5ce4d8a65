//! One input, and a batch of inputs.

use crate::cases::{Case, neighbours};
use crate::state::State;

/// 2^-90: more than the second computation errs by.
pub const ERROR: f64 = f64::from_bits((1023 - 90) << 52);

/// What an input's result is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Verdict {
    Right,
    Misrounded,
    Undecided,
}

/// The bits, with one NaN.
pub fn bits(y: f32) -> u32 {
    if y.is_nan() { 0x7fc0_0000 } else { y.to_bits() }
}

impl Case {
    /// The right result, unless it cannot be decided.
    pub fn right(&self, x: f32) -> Option<f32> {
        if let Some(y) = exact(self.name, f64::from(x)) {
            return Some(y as f32);
        }
        let truth = (self.truth)(f64::from(x));
        let (lower, upper) = neighbours::eval(truth, self.least, ERROR);
        if bits(lower) == bits(upper) {
            return Some(lower);
        }
        self.by_mpfr(x)
    }

    #[cfg(feature = "mpfr")]
    fn by_mpfr(&self, x: f32) -> Option<f32> {
        Some(self.function.at(f64::from(x)).to_f32())
    }

    #[cfg(not(feature = "mpfr"))]
    fn by_mpfr(&self, _: f32) -> Option<f32> {
        None
    }

    /// Checks the results at these inputs.
    pub fn look(&self, state: &mut State, xs: &[f32]) {
        for &x in xs.iter().filter(|x| (self.check)(**x) != 0) {
            self.look_closer(state, x);
        }
    }

    /// As `look`, on the widest instruction set; `quick` takes the bound of the first computation for granted.
    #[cfg(feature = "full")]
    pub fn look_at_all(&self, state: &mut State, xs: &[f32], quick: bool, found: &mut Vec<i32>) {
        found.resize(xs.len(), 0);
        (if quick {
            self.quick_all
        } else {
            self.check_all
        })(xs, found);
        if found.iter().fold(0, |all, &f| all | f) != 0 {
            for (&x, _) in xs.iter().zip(&*found).filter(|(_, f)| **f != 0) {
                self.look_closer(state, x);
            }
        }
    }

    /// An input whose result is wrong, or whose true value is next to a midpoint.
    fn look_closer(&self, state: &mut State, x: f32) {
        state.near(x.to_bits(), exact(self.name, f64::from(x)).is_none());
        let y = (self.one)(x);
        let verdict = match self.right(x) {
            None => Verdict::Undecided,
            Some(right) if bits(right) == bits(y) => Verdict::Right,
            Some(_) => Verdict::Misrounded,
        };
        state.count(x.to_bits(), verdict);
    }
}

/// A double that decides as the true value does, where that is so close to a midpoint of two results, or exactly on one, that no
/// approximation tells.
pub fn exact(name: &str, x: f64) -> Option<f64> {
    let whole = x == x.trunc();
    match name {
        // Powers of two.
        "exp2" if whole && (-1000.0..1000.0).contains(&x) => Some(2f64.powi(x as i32)),
        "exp2m1" if whole && x != 0.0 && (-50.0..=50.0).contains(&x) => {
            Some(2f64.powi(x as i32) - 1.0)
        }
        // Factorials.
        "tgamma" if whole && (1.0..=18.0).contains(&x) => {
            Some((1..x as u64).product::<u64>() as f64)
        }
        // x/2 and x²/4, or x²/√(2π), more: it is above x/2 by less than 2^-200, and multiples of 2^-150 are the midpoints.
        "silu" | "gelu" if x != 0.0 && x.abs() < 2f64.powi(-100) => Some(x / 2.0 + 2f64.powi(-170)),
        // The straight parts of the sRGB functions: if the double next to x 323/25 or x 25/323 is a midpoint, that is one, as
        // otherwise it is 2^-34 of itself or more away from all midpoints.
        "srgb_from_linear" if x <= 0.003_130_8 => Some(x * 323.0 / 25.0),
        "srgb_to_linear" if x <= 0.040_45 => Some(x * 25.0 / 323.0),
        _ => None,
    }
}
