//! Brute force over a stretch of inputs.

use dc_exact::cell::{Cell, Values};
use dc_exact::law::Truth;
use dc_exact::num::float::BINARY64;
use dc_exact::point::{Hit, error_at};
use dc_runtime::sweeps;
use kernels_gen::program::Program;

/// The routine of a built-in sweep.
pub fn program(name: &str) -> Program {
    let sweep = sweeps::ALL.iter().find(|s| s.name() == name);
    kernels_gen::lower(
        sweep
            .expect(name)
            .candidate()
            .kernel()
            .expect("a kernel")
            .kernel,
    )
    .expect("it lowers")
}

/// All inputs of the `count` from `lo` on that have an error of at least `level`, and the largest error.
///
/// All inputs are evaluated; a Taylor polynomial of the function, in doubles, decides which of them need the exact
/// error.
pub fn brute(program: &Program, truth: &Truth, lo: f64, count: u64, level: f64) -> (Vec<Hit>, f64) {
    const BLOCK: u64 = 1 << 12;
    let mut values = Values::new(program);
    let mut hits = Vec::new();
    let mut largest = 0.0f64;
    for first in (0..count).step_by(BLOCK as usize) {
        let center = f64::from_bits(lo.to_bits() + first + BLOCK / 2);
        let spacing = center.abs().next_up() - center.abs();
        let point = Cell {
            lo: center,
            hi: center,
        };
        let g = truth
            .enclose::<3>(point, center, spacing, 0)
            .expect("it is defined");
        let c = g.at.0;
        // No stretch holds a power of two of the function's values.
        let unit = BINARY64.ulp(c[0].h);
        for i in first..(first + BLOCK).min(count) {
            let x = f64::from_bits(lo.to_bits() + i);
            let m = (x - center) / spacing;
            let y = f64::from_bits(values.result(x));
            let off = ((y - c[0].h) - c[0].l) - m * (c[1].h + m * c[2].h);
            let near = (off / 2f64.powi(unit)).abs();
            if near < level - 1e-3 && near < largest - 1e-3 {
                continue;
            }
            let error = error_at(program, truth, &mut values, x).expect("a finite result");
            let error = 0.5 * error.lo + 0.5 * error.hi;
            assert!((error.abs() - near).abs() < 1e-3, "{x:e}: {error} {near}");
            largest = largest.max(error.abs());
            if error.abs() >= level {
                hits.push(Hit { x, error });
            }
        }
    }
    hits.sort_by(|a, b| a.x.total_cmp(&b.x));
    (hits, largest)
}
