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

/// The centers of runs that together contain all multiples of h from `first` to `last`. A run contains those up to `half` steps from its
/// center. It ends at or before `last`, unless even one run is longer.
pub(super) fn centers(first: f64, last: f64, half: f64, h: f64) -> impl Iterator<Item = f64> {
    let (run, reach) = ((2.0 * half + 1.0) * h, half * h);
    std::iter::successors(Some(first), move |x| Some(x + run))
        .take_while(move |&x| x <= last)
        .map(move |x| (x + reach).min(last - reach).max(first))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::num::dyadic::Random;
    use crate::num::float::power;

    /// For all lengths of runs and stretches: at the last input, a run of one input may be left.
    #[test]
    fn every_input_is_in_a_run() {
        let mut random = Random(21);
        let mut alone = 0;
        for round in 0..4000 {
            let h = power(random.below(40) as i32 - 30);
            let count = 2 + random.below(60);
            let first = random.integer(20) * h;
            let last = first + (count - 1) as f64 * h;
            let half = (random.below(12) as f64)
                .min((count as f64 / 2.0).floor())
                .max(1.0);
            let all: Vec<f64> = centers(first, last, half, h).collect();
            let context = format!("{round}: {first:e} to {last:e} by {h:e}, {half}: {all:?}");
            for k in 0..count {
                let x = first + k as f64 * h;
                assert!(all.iter().any(|c| (c - x).abs() <= half * h), "{context}");
            }
            // Centers are in the stretch, and the runs no more than are needed.
            assert!(all.iter().all(|c| first <= *c && *c <= last), "{context}");
            let run = 2 * half as u64 + 1;
            assert_eq!(all.len() as u64, count.div_ceil(run), "{context}");
            alone += u32::from(count % run == 1);
        }
        assert!(alone > 200, "{alone}");
    }
    use crate::num::float::{BINARY32, BINARY64};

    /// Regression test: for binary32, the ends were doubles between two numbers, and the ends of a stretch of one number were swapped.
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
