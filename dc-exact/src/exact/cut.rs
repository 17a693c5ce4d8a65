//! Parts of a cell.

use crate::cell::{Cell, next};
use crate::num::float::Format;

/// Cuts a cell into about this many parts of equal width.
pub(super) fn cut(cell: Cell, parts: u32, format: Format) -> Vec<Cell> {
    let step = (cell.hi - cell.lo) / f64::from(parts);
    let mut all = Vec::new();
    let mut lo = cell.lo;
    for i in 1..=parts {
        let hi = if i == parts {
            cell.hi
        } else {
            format
                .round(cell.lo + step * f64::from(i))
                .clamp(lo, cell.hi)
        };
        all.push(Cell { lo, hi });
        lo = next(hi, format);
        if lo > cell.hi {
            break;
        }
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::num::float::{BINARY32, BINARY64};

    /// A regression test: for binary32 the ends were doubles between two numbers, and the ends of a stretch of one
    /// number were swapped.
    #[test]
    fn parts_tile_a_cell_with_numbers_of_its_format() {
        for format in [BINARY32, BINARY64] {
            for (lo, count) in [(0.006_857_754f32, 7), (-1.0, 40), (1.9999, 1000)] {
                let lo = f64::from(lo);
                let hi = (1..count).fold(lo, |x, _| next(x, format));
                let parts = cut(Cell { lo, hi }, 16, format);
                let mut due = lo;
                for part in &parts {
                    assert_eq!(part.lo, due);
                    assert!(part.lo <= part.hi && format.round(part.hi) == part.hi);
                    due = next(part.hi, format);
                }
                assert_eq!(due, next(hi, format));
                let numbers: u64 = parts.iter().map(|p| p.count(format)).sum();
                assert_eq!(numbers, count);
            }
        }
    }
}
