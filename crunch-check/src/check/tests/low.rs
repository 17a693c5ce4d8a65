//! Kernels with a low word: true claims are proven, and claims below the error of some input and low word are not.

use super::*;

/// `e^(x + l)` next to 0, as `1 + (x + (x² p(x) + term))`, where the last term is made of x, %0, and l, %1.
fn exponential(term: &str) -> String {
    let constant = |x: f64| format!("f64 = const {:#x}", x.to_bits());
    format!(
        "doublecrunch ir 1\nfn f0\n  %0: f64 = param // x\n  %1: f64 = param // l\n  %2: {}\n  %3: {}\n  %4: {}\n  %5: {}\n  %6: {}\n  \
         %7: {}\n  %8: {}\n  %9: f64 = fma %0, %8, %7\n  %10: f64 = fma %0, %9, %6\n  %11: f64 = fma %0, %10, %5\n  %12: f64 = fma %0, %11, %4\n  \
         %13: f64 = fma %0, %12, %3\n  %14: f64 = mul %0, %0\n  %15: f64 = {term}\n  %16: f64 = fma %14, %13, %15\n  \
         %17: f64 = add %0, %16\n  %18: f64 = add %2, %17\n  return %18\n",
        constant(1.0),
        constant(0.5),
        constant(1.0 / 6.0),
        constant(1.0 / 24.0),
        constant(1.0 / 120.0),
        constant(1.0 / 720.0),
        constant(1.0 / 5040.0),
    )
}

/// A certificate of one range with a low word.
fn certificate(function: &str, kernel: &str, most: f64, error: f64, range: (f64, f64)) -> String {
    let range = words(range);
    format!(
        "doublecrunch certificate 2\nsweep s\nfunction {function}\nlow {:016x}\nrange {range}\nerror {:016x}\ncut {range}\nkernel\n{kernel}end \
         of kernel\nend\n",
        most.to_bits(),
        error.to_bits()
    )
}

/// Whether a certificate is proven, without the sieve.
fn proven(text: &str) -> Result<(), String> {
    let certificate = Certificate::parse(text)?;
    Check::new(&certificate)?.run(1)
}

/// The largest error that is found at random inputs and low words.
fn sampled(text: &str, (lo, hi): (f64, f64), count: usize) -> f64 {
    let certificate = Certificate::parse(text).expect("it parses");
    let check = Check::new(&certificate).expect("a kernel");
    let most = 2f64.powi(certificate.low.expect("a low word"));
    let mut random = Words(3);
    let mut part = || random.below(1 << 53) as f64 * 2f64.powi(-53);
    let mut largest = 0.0f64;
    for k in 0..count {
        let x = (lo + (hi - lo) * part()).clamp(lo, hi);
        let low = [most, -most, most * (2.0 * part() - 1.0)][k % 3];
        if let Ok(At::Error(e)) = check.error_of::<128>(x, low) {
            largest = largest.max(double_below_of(&e));
        }
    }
    largest
}

#[test]
fn an_exponential_with_a_low_word_is_proven() {
    let range = (2f64.powi(-12), 0.02);
    // The derivative is e^x: the second term has its first two terms.
    for (term, most, due) in [
        ("fma %1, %0, %1", -53, 0.51),
        ("fma %1, %0, %1", -45, 0.52),
        ("fma %1, %0, %1", -30, 0.52),
        ("copy_sign %1, %1", -53, 0.52),
    ] {
        let kernel = exponential(term);
        let text = |error: f64| certificate("exp", &kernel, 2f64.powi(most), error, range);
        let largest = sampled(&text(1.0), range, 60_000);
        println!("{term} {most}: {largest} of {due}");
        for due in [0.51, 0.511,0.512, 0.514, 0.517, 0.52, 0.53,0.55, 0.6, 0.7,0.8,1.0,2.0, 1e3,1e4, 1e5] {
        let t = std::time::Instant::now();
        if due > largest {
        println!("{due} {:?} {:?}", proven(&text(due)), t.elapsed()); }
        }
    }
}
