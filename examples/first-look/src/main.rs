//! A kernel, its results, and its largest error over every float of two binades, in a loop written here: `default-features = false` has no
//! search.
//!
//! `cargo run --release --package first-look`

use std::time::Instant;

use doublecrunch::prelude::*;

/// 1/√x without a division or a root: the estimate by an integer subtraction, which games once used, and three steps of Newton's
/// iteration.
#[crunch]
fn rsqrt(x: DcFloat) -> DcFloat {
    let mut y = DcFloat::from_bits(0x5f37_5a86 - (x.to_bits() >> 1));
    for _ in 0..3 {
        y = y * (1.5 - 0.5 * x * y * y);
    }
    y
}

/// The error in units in the last place. Binary64 has 29 more bits, so its rounding does not affect the printed digits.
fn error(x: f32, result: f32) -> f64 {
    let exact = 1.0 / f64::from(x).sqrt();
    let ulp = 2.0f64.powi(exact.log2().floor() as i32 - 23);
    (f64::from(result) - exact) / ulp
}

fn main() {
    println!("1/√x in binary32, by an integer subtraction and three steps of Newton's iteration\n");
    println!("{:>10}  {:>11}  {:>11}  {:>8}", "x", "eval", "exact", "ULP");
    for x in [0.01, 0.5, 1.0, 2.0, 3.0, 1000.0] {
        let result = rsqrt::eval(x);
        let exact = 1.0 / f64::from(x).sqrt();
        println!(
            "{x:>10}  {result:>11}  {exact:>11.8}  {:>8.4}",
            error(x, result)
        );
    }

    // From one power of four to the next all errors occur that there are: beyond, only exponents differ.
    let (first, last) = (1.0f32.to_bits(), 4.0f32.to_bits());
    let x: Vec<f32> = (first..last).map(f32::from_bits).collect();
    let mut y = vec![0.0; x.len()];
    rsqrt::map(&x, &mut y);
    let begun = Instant::now();
    rsqrt::map(&x, &mut y);
    let mapped = begun.elapsed().as_secs_f64();

    let begun = Instant::now();
    let other = x.iter().zip(&y);
    let other = other.filter(|(x, y)| rsqrt::eval(**x).to_bits() != y.to_bits());
    assert_eq!(other.count(), 0, "`map` gives other bits than `eval`");
    let evaluated = begun.elapsed().as_secs_f64();
    let worst = x.iter().zip(&y).map(|(x, y)| (error(*x, *y), *x));
    let worst = worst.max_by(|a, b| a.0.abs().total_cmp(&b.0.abs()));
    let (worst, at) = worst.expect("floats from 1 to 4");

    let rate = |seconds: f64| x.len() as f64 / seconds / 1e6;
    println!("\nevery float of [1, 4), {} of them", x.len());
    println!(
        "  map            {:6.0} M/s, on the widest instruction set of this processor",
        rate(mapped)
    );
    println!(
        "  eval           {:6.0} M/s, one by one: the same bits",
        rate(evaluated)
    );
    println!(
        "  largest error  {worst:.4} ULP at {at} (0x{:08x})",
        at.to_bits()
    );
}
