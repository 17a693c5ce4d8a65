//! Cells: stretches of inputs on which a kernel is straight-line arithmetic.
//!
//! On a cell, every integer, table index, comparison and branch that influences the result has one value. So the rest of the kernel is a
//! program of additions, multiplications, divisions and square roots: its *residual*.
//!
//! | file | what |
//! |---|---|
//! | `domain` | the evaluation of a kernel over a cell: the ranges of all values, the residual of the real ones |
//! | `operation`, `arithmetic`, `steps` | its operations by kind: rounded operations, and operations that are not real arithmetic |
//! | `line` | integers that are nearly affine functions of a number's bits |
//! | `words` | words that are split and put together |
//! | `two_words` | arguments and results in two words |
//! | `values` | ranges of integers and of rounded operations |
//! | `residual`, `replay` | the residual program: operations, roundings, grids; its evaluation over another stretch |
//! | `split` | where to cut a cell on which the kernel has no residual |

mod arithmetic;
mod domain;
mod eft;
#[cfg(test)]
pub(crate) mod exactly;
mod line;
mod operation;
#[cfg(test)]
pub(crate) mod random;
#[cfg(test)]
mod ranges;
#[cfg(test)]
mod reals;
mod replay;
#[cfg(test)]
mod replays;
mod residual;
mod split;
mod steps;
mod two_words;
mod values;
mod words;

pub use domain::{Evaluated, Outcome, Sites, Tight, evaluate, evaluate_affine, evaluate_two_words};
pub(crate) use eft::{Transform, transform};
pub use replay::{NoReplay, replay};
pub(crate) use residual::Place;
pub use residual::{Index, Kind, Label, Operation, Residual, Rounding, TwoWords};
pub use split::{Values, label};

use kernels_gen::ops::Prim;
use kernels_gen::program::Program;

use crate::num::float::{self, BINARY32, BINARY64, Format, exponent, power};

/// The inputs from `lo` to `hi`, both included: numbers of one sign, or one zero.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Cell {
    /// The least.
    pub lo: f64,
    /// The largest.
    pub hi: f64,
}

impl Cell {
    /// The numbers from `lo` to `hi` as cells: the negative ones, zero, and the positive ones.
    #[must_use]
    pub fn by_sign(lo: f64, hi: f64, format: Format) -> Vec<Cell> {
        let tiny = next(0.0, format);
        let mut cells = Vec::new();
        if lo < 0.0 {
            cells.push(Cell {
                lo,
                hi: hi.min(-tiny),
            });
        }
        if lo <= 0.0 && hi >= 0.0 {
            cells.push(Cell { lo: 0.0, hi: 0.0 });
        }
        if hi > 0.0 {
            cells.push(Cell {
                lo: lo.max(tiny),
                hi,
            });
        }
        cells
    }

    /// The number of inputs of a format in it.
    #[must_use]
    pub fn count(self, format: Format) -> u64 {
        let place = |x: f64| {
            if format == BINARY64 {
                (x.abs().to_bits(), x < 0.0)
            } else {
                (u64::from((x.abs() as f32).to_bits()), x < 0.0)
            }
        };
        place(self.lo).0.abs_diff(place(self.hi).0) + 1
    }

    /// Both halves, by the number of inputs. `None` for a single input.
    #[must_use]
    pub fn halves(self, format: Format) -> Option<(Cell, Cell)> {
        if self.lo == self.hi {
            return None;
        }
        let middle = between(self.lo, self.hi, format);
        Some((
            Cell { hi: middle, ..self },
            Cell {
                lo: next(middle, format),
                ..self
            },
        ))
    }

    /// Cuts off both ends: a few inputs, or a small part of many. `None` if too few remain.
    #[must_use]
    pub(crate) fn without_ends(self, format: Format) -> Option<[Cell; 3]> {
        let few = (self.count(format) >> 28).max(4);
        if self.count(format) < 8 * few {
            return None;
        }
        let step = if self.lo.is_sign_negative() { -1 } else { 1 };
        let lo = moved(self.lo, step * few as i64, format);
        let hi = moved(self.hi, -step * few as i64, format);
        Some([
            Cell {
                hi: -next(-lo, format),
                ..self
            },
            Cell { lo, hi },
            Cell {
                lo: next(hi, format),
                ..self
            },
        ])
    }

    /// Cuts a cell of more than one binade at a power of two, so cells of different binades are copies of each other.
    #[must_use]
    pub fn at_binade(self, format: Format) -> Option<(Cell, Cell)> {
        let (a, b) = (exponent(self.lo), exponent(self.hi));
        if a == b {
            return None;
        }
        // The larger magnitudes begin at the power.
        let edge = power(a.min(b) + (a.abs_diff(b) as i32 + 1) / 2);
        let before = -next(-edge, format);
        Some(if self.lo > 0.0 {
            let below = Cell { hi: before, ..self };
            (below, Cell { lo: edge, ..self })
        } else {
            let above = Cell {
                lo: -before,
                ..self
            };
            (Cell { hi: -edge, ..self }, above)
        })
    }

    /// The part of the cell from its first to its last multiple of `2^grid`. `None` if it has none.
    #[must_use]
    pub fn on_grid(self, grid: i32) -> Option<Cell> {
        if !(-1000..900).contains(&grid) {
            return Some(self);
        }
        let unit = power(grid);
        // Exact: an end that is not a multiple is below 2^53 units.
        let multiple = |x: f64, to: fn(f64) -> f64| {
            if float::grid(x) >= grid {
                x
            } else {
                to(x / unit) * unit
            }
        };
        let (lo, hi) = (multiple(self.lo, f64::ceil), multiple(self.hi, f64::floor));
        (lo <= hi).then_some(Cell { lo, hi })
    }

    /// Half of the width. With the center, it gives the variable of series over the cell.
    #[must_use]
    pub fn radius(self, center: f64) -> f64 {
        let r = (self.hi - center).max(center - self.lo);
        if r == 0.0 { 0.0 } else { r.next_up() }
    }

    /// The middle of the cell as a set of reals.
    #[must_use]
    pub fn center(self) -> f64 {
        let c = self.lo + (self.hi - self.lo) * 0.5;
        c.clamp(self.lo, self.hi)
    }
}

/// The number in the middle, by the order of numbers: `lo <= middle < hi`.
fn between(lo: f64, hi: f64, format: Format) -> f64 {
    let word = |x: f64| {
        if format == BINARY64 {
            x.abs().to_bits()
        } else {
            u64::from((x.abs() as f32).to_bits())
        }
    };
    let number = |w: u64| {
        if format == BINARY64 {
            f64::from_bits(w)
        } else {
            f64::from(f32::from_bits(w as u32))
        }
    };
    let (a, b) = (word(lo), word(hi));
    if lo.is_sign_negative() {
        // Magnitudes descend.
        -number(b + (a - b).div_ceil(2))
    } else {
        number(a + (b - a) / 2)
    }
}

/// The number whose bits are those of a number and `by` more.
fn moved(x: f64, by: i64, format: Format) -> f64 {
    if format == BINARY64 {
        f64::from_bits(x.to_bits().wrapping_add_signed(by))
    } else {
        f64::from(f32::from_bits(
            (x as f32).to_bits().wrapping_add_signed(by as i32),
        ))
    }
}

/// The next number above.
pub(crate) fn next(x: f64, format: Format) -> f64 {
    if format == BINARY64 {
        x.next_up()
    } else {
        f64::from((x as f32).next_up())
    }
}

/// The format of a kernel's input.
///
/// # Panics
/// If the input is not a float.
#[must_use]
pub fn input_format(program: &Program) -> Format {
    match program.entry().params[0].1 {
        Prim::F64 => BINARY64,
        Prim::F32 => BINARY32,
        other => panic!("an input of type {other:?}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cell_on_a_grid_has_the_same_multiples() {
        let of = |lo: f64, hi: f64, grid| Cell { lo, hi }.on_grid(grid).map(|c| (c.lo, c.hi));
        assert_eq!(of(0.3, 2.7, -1), Some((0.5, 2.5)));
        assert_eq!(of(-2.7, -0.3, -1), Some((-2.5, -0.5)));
        assert_eq!(of(0.5, 2.5, -1), Some((0.5, 2.5)));
        assert_eq!(of(0.3, 0.4, -1), None);
        assert_eq!(of(0.5, 0.7, -1), Some((0.5, 0.5)));
        let tiny = 1e-200;
        assert_eq!(of(tiny, 3.0 * tiny, -47), None);
        assert_eq!(of(-tiny, tiny, -47), Some((-0.0, 0.0)));
        // Far above the grid's unit every double is on the grid.
        assert_eq!(of(1e300, 1e300, -47), Some((1e300, 1e300)));
    }

    #[test]
    fn halves_of_cells_of_binary32_have_all_numbers() {
        let mut random = crate::num::dyadic::Random(4);
        for _ in 0..2000 {
            let bits = 1 + random.below(0x7f7f_fff0) as u32;
            let wide = random.below(24);
            let apart = random.below(1 << wide) as u32;
            let ends = [bits, (bits + apart + 1).min(0x7f7f_ffff)];
            let [a, b] = ends.map(|w| f64::from(f32::from_bits(w)) * random.sign());
            let (lo, hi) = match a < 0.0 {
                true => (-a.abs().max(b.abs()), -a.abs().min(b.abs())),
                false => (a, b.abs()),
            };
            let cell = Cell { lo, hi };
            let Some((below, above)) = cell.halves(BINARY32) else {
                continue;
            };
            assert!(below.lo == lo && above.hi == hi, "{cell:?}");
            assert!(below.lo <= below.hi && above.lo <= above.hi, "{cell:?}");
            assert_eq!(next(below.hi, BINARY32), above.lo, "{cell:?}");
            let counts = [below, above].map(|c| c.count(BINARY32));
            assert!(counts[0].abs_diff(counts[1]) <= 1, "{cell:?}");
            assert_eq!(counts[0] + counts[1], cell.count(BINARY32), "{cell:?}");
        }
    }

    #[test]
    fn a_cell_without_its_ends_has_all_others() {
        let mut random = crate::num::dyadic::Random(6);
        let mut cut = 0;
        for round in 0..2000 {
            let format = if round % 2 == 0 { BINARY64 } else { BINARY32 };
            let x = f64::from((1.0 + random.unit()) as f32) * random.sign();
            let bits = random.below(22);
            let by = random.below(1 << bits) as i64;
            let y = moved(x, by, format);
            let cell = Cell {
                lo: x.min(y),
                hi: x.max(y),
            };
            let Some([a, b, c]) = cell.without_ends(format) else {
                assert!(cell.count(format) < 8 * 4, "{cell:?}");
                continue;
            };
            assert!(a.lo == cell.lo && c.hi == cell.hi, "{cell:?}");
            assert!(next(a.hi, format) == b.lo && next(b.hi, format) == c.lo);
            let counts = [a, b, c].map(|c| c.count(format));
            assert_eq!(counts.iter().sum::<u64>(), cell.count(format), "{cell:?}");
            assert!(counts[0] == counts[2] && counts[0] >= 4 && counts[1] > counts[0]);
            cut += 1;
        }
        assert!(cut > 500, "{cut}");
    }

    #[test]
    fn cells_by_sign_and_their_centers() {
        let tiny = f64::from_bits(1);
        let numbers = [-3.0, -1.0, -tiny, 0.0, tiny, 1.0, 3.0];
        for (i, &lo) in numbers.iter().enumerate() {
            for &hi in &numbers[i..] {
                let cells = Cell::by_sign(lo, hi, BINARY64);
                for x in numbers {
                    let of: Vec<_> = cells.iter().filter(|c| c.lo <= x && x <= c.hi).collect();
                    assert_eq!(
                        of.len(),
                        usize::from(lo <= x && x <= hi),
                        "{x} of {lo}..={hi}"
                    );
                    let signs = |c: &&Cell| {
                        c.lo.signum() == c.hi.signum() && (c.lo == 0.0) == (c.hi == 0.0)
                    };
                    assert!(cells.iter().all(|c| c.lo <= c.hi && signs(&c)), "{cells:?}");
                }
            }
        }
        let mut random = crate::num::dyadic::Random(8);
        for _ in 0..3000 {
            let (a, b) = (random.end(), random.end());
            let (a, b) = match random.below(3) {
                0 => (a, b),
                1 => (a, a.next_up()),
                _ => (a, a * (1.0 + power(-(random.below(50) as i32)))),
            };
            let cell = Cell {
                lo: a.min(b).max(-1e300),
                hi: a.max(b).min(1e300),
            };
            if cell.lo > cell.hi {
                continue;
            }
            let center = cell.center();
            assert!(cell.lo <= center && center <= cell.hi, "{cell:?}");
            let of = crate::num::dyadic::Dyadic::of;
            for end in [cell.lo, cell.hi] {
                let apart = of(end).minus(&of(center)).size();
                assert!(apart.at_most(&of(cell.radius(center))), "{cell:?}");
            }
            let one_sign = cell.lo > 0.0 || cell.hi < 0.0;
            if one_sign && let Some((below, above)) = cell.halves(BINARY64) {
                assert!(below.lo == cell.lo && above.hi == cell.hi, "{cell:?}");
                assert!(below.lo <= below.hi && above.lo <= above.hi, "{cell:?}");
                assert_eq!(below.hi.next_up(), above.lo, "{cell:?}");
                assert_eq!(
                    below.count(BINARY64) + above.count(BINARY64),
                    cell.count(BINARY64)
                );
            }
        }
    }
}
