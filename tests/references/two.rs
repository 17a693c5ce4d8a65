//! The references of functions of two arguments compared with MPFR, on the pairs that a search takes.

use dc_references::reference;
use doublecrunch::backend::KernelRef;
use doublecrunch::builtins::reference::{Function, REFERENCES_OF_TWO};
use doublecrunch::mpfr::rug::Float;
use doublecrunch::search::InputSpace;
use doublecrunch::search::key::Precision;

use crate::measure::inputs;

/// Bits of the true value.
const BITS: u32 = 200;

/// The kernels of a reference, of binary32 and of binary64.
fn kernels(function: &str) -> [KernelRef; 2] {
    [Precision::F32, Precision::F64].map(|precision| {
        let space = InputSpace::pairs(precision);
        let found = reference(function, space).unwrap_or_else(|| panic!("{function}"));
        *found.kernel().expect("it is a kernel")
    })
}

/// Results with magnitudes between the two have the relative bound. Outside, the routine's result is 0 or infinite
/// whatever the reference's is, or, in binary64, the low word has no room for its bits and the least double may be
/// missing.
fn limits(precision: Precision) -> (f64, f64) {
    match precision {
        Precision::F32 => (2f64.powi(-160), 2f64.powi(130)),
        Precision::F64 => (2f64.powi(-968), f64::MAX),
    }
}

/// The error of a pair's result, `hi + lo`, relative to the true value; `None` if it has no relative bound.
fn error(
    precision: Precision,
    bits: u32,
    [hi, lo]: [f64; 2],
    truth: &Float,
) -> Result<Option<f64>, String> {
    let (least, most) = limits(precision);
    let size = truth.to_f64().abs();
    let same = |good: bool| match good {
        true => Ok(None),
        false => Err(format!("{hi:e} for {truth:.20e}")),
    };
    if truth.is_nan() || hi.is_nan() {
        return same(truth.is_nan() && hi.is_nan());
    }
    if hi.is_sign_negative() != truth.is_sign_negative() {
        return same(false);
    }
    if size > most {
        // Where MPFR's number is beyond the doubles, the other may be the largest double.
        let large = hi.abs() >= most / 2.0;
        return same(large && (truth.is_finite() || hi.is_infinite()));
    }
    if size < least {
        let exact = truth.is_zero();
        let off = Float::with_val(BITS, truth - hi) - lo;
        return same(match precision {
            Precision::F32 => hi.abs() < 2.0 * least && (!exact || hi == 0.0),
            Precision::F64 => {
                off.abs() <= 2.0 * f64::from_bits(1) + size * (-f64::from(bits)).exp2()
                    && (!exact || hi == 0.0)
            }
        });
    }
    let off = (Float::with_val(BITS, truth - hi) - lo) / truth;
    Ok(Some(off.to_f64().abs()))
}

/// Measures the first `n` pairs of a function in a precision: how many results have a bound, the largest error, and its
/// pair.
fn measure(
    function: Function,
    kernel: &KernelRef,
    (precision, bits): (Precision, u32),
    n: u64,
) -> Result<(u64, f64, String), String> {
    let space = InputSpace::pairs(precision);
    let pairs = space.columns(0..n as i64);
    let mut given = pairs.clone();
    if precision == Precision::F32 {
        for word in given.iter_mut().flatten() {
            *word = precision.value_of_bits(*word).to_bits();
        }
    }
    let columns: Vec<&[u64]> = given.iter().map(Vec::as_slice).collect();
    let words = match precision {
        Precision::F32 => 1,
        Precision::F64 => 2,
    };
    let mut results = vec![Vec::new(); words];
    (kernel.cpu.scalar)(&columns, &mut results);
    let (mut of, mut largest, mut at) = (0, 0.0, 0);
    for i in 0..n as usize {
        let value = |word: u64| Float::with_val(BITS, f64::from_bits(word));
        let truth = function.of_two(value(given[0][i]), value(given[1][i]));
        let lo = results.get(1).map_or(0.0, |lo| f64::from_bits(lo[i]));
        match error(precision, bits, [f64::from_bits(results[0][i]), lo], &truth) {
            Err(wrong) => return Err(format!("at {}: {wrong}", space.show(i as i64))),
            Ok(None) => {}
            Ok(Some(error)) => {
                of += 1;
                // A NaN is an error, too.
                if error > largest || error.is_nan() {
                    (largest, at) = (if error.is_nan() { f64::INFINITY } else { error }, i);
                }
            }
        }
    }
    Ok((of, largest, space.decimal(at as i64)))
}

#[test]
fn errors_are_below_their_bounds() {
    let n = inputs() / 2;
    println!(
        "| function | precision | largest error seen | at | inputs | bound |\n|---|---|---|---|---|---|"
    );
    let mut wrong = Vec::new();
    for r in REFERENCES_OF_TWO {
        let kernels = kernels(r.name);
        let tiers = [
            (Precision::F32, Some(r.binary32)),
            (Precision::F64, r.binary64),
        ];
        for ((precision, tier), kernel) in tiers.into_iter().zip(&kernels) {
            let bits = tier.expect("both precisions").bits;
            let name = format!("{} in {}", r.name, precision.name());
            match measure(r.function, kernel, (precision, bits), n) {
                Err(e) => wrong.push(format!("{name} {e}")),
                Ok((of, largest, at)) => {
                    let seen = largest.log2();
                    println!(
                        "| `{}` | {} | 2^{seen:.2} | {at} | {of} | 2^-{bits} |",
                        r.name,
                        precision.name()
                    );
                    let bound = -f64::from(bits);
                    // No sample of pairs comes as near to a bound as a sample of single numbers.
                    if seen > bound || seen < bound - 4.0 {
                        wrong.push(format!("{name}: 2^{seen:.3} at {at}, stated is 2^{bound}"));
                    }
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// The values of C23, Annex F, and of IEEE 754 for powr, to the bit.
#[test]
fn special_values() {
    let (inf, nan, pi) = (f64::INFINITY, f64::NAN, std::f64::consts::PI);
    let cases: &[(&str, &[[f64; 3]])] = &[
        (
            "pow",
            &[
                [0.0, -3.0, inf],
                [-0.0, -3.0, -inf],
                [-0.0, -2.0, inf],
                [-0.0, -0.5, inf],
                [0.0, -inf, inf],
                [-0.0, -inf, inf],
                [-0.0, 3.0, -0.0],
                [-0.0, 2.0, 0.0],
                [-0.0, inf, 0.0],
                [-1.0, inf, 1.0],
                [-1.0, -inf, 1.0],
                [1.0, nan, 1.0],
                [1.0, -inf, 1.0],
                [nan, 0.0, 1.0],
                [nan, -0.0, 1.0],
                [-inf, -0.0, 1.0],
                [-8.0, 1.0 / 3.0, nan],
                [0.5, -inf, inf],
                [-0.5, inf, 0.0],
                [2.0, -inf, 0.0],
                [-2.0, inf, inf],
                [-inf, -3.0, -0.0],
                [-inf, -2.5, 0.0],
                [-inf, 3.0, -inf],
                [-inf, 2.5, inf],
                [inf, -1.0, 0.0],
                [inf, 0.5, inf],
                [nan, 1.0, nan],
                [2.0, nan, nan],
                [-2.0, 3.0, -8.0],
                [-2.0, -2.0, 0.25],
            ],
        ),
        (
            "powr",
            &[
                [0.0, 0.0, nan],
                [inf, -0.0, nan],
                [1.0, inf, nan],
                [1.0, 5.0, 1.0],
                [2.0, 0.0, 1.0],
                [-2.0, 2.0, nan],
                [-0.0, 3.0, 0.0],
                [-0.0, -3.0, inf],
                [nan, 0.0, nan],
                [1.0, nan, nan],
                [inf, -2.0, 0.0],
                [-inf, 2.0, nan],
                [2.0, 3.0, 8.0],
            ],
        ),
        (
            "atan2",
            &[
                [0.0, -0.0, pi],
                [-0.0, -0.0, -pi],
                [0.0, 0.0, 0.0],
                [-0.0, 0.0, -0.0],
                [0.0, -1.0, pi],
                [-0.0, 1.0, -0.0],
                [-1.0, 0.0, -pi / 2.0],
                [1.0, -0.0, pi / 2.0],
                [1.0, -inf, pi],
                [-1.0, inf, -0.0],
                [inf, 5.0, pi / 2.0],
                [-inf, -5.0, -pi / 2.0],
                [inf, -inf, 3.0 * pi / 4.0],
                [-inf, inf, -pi / 4.0],
                [nan, 1.0, nan],
                [inf, nan, nan],
            ],
        ),
        (
            "hypot",
            &[
                [inf, nan, inf],
                [nan, -inf, inf],
                [nan, 1.0, nan],
                [-0.0, -0.0, 0.0],
                [3.0, -4.0, 5.0],
                [0.0, -2.5, 2.5],
            ],
        ),
        (
            "div",
            &[
                [0.0, -1.0, -0.0],
                [1.0, -0.0, -inf],
                [0.0, -0.0, nan],
                [inf, inf, nan],
                [-inf, 2.0, -inf],
                [1.0, -inf, -0.0],
                [nan, 1.0, nan],
                [6.0, -2.0, -3.0],
            ],
        ),
    ];
    assert_eq!(REFERENCES_OF_TWO.len(), cases.len());
    for (name, values) in cases {
        for (words, kernel) in [1, 2].into_iter().zip(kernels(name)) {
            for [x, y, z] in *values {
                let [x, y] = [x, y].map(|x| [x.to_bits()]);
                let mut results = vec![Vec::new(); words];
                (kernel.cpu.scalar)(&[&x, &y], &mut results);
                let found = f64::from_bits(results[0][0]);
                // Values that are rounded need only be near; the others must have these bits.
                let same = match z.is_finite() && *z != 0.0 {
                    true => (found - z).abs() <= 1e-15 * z.abs(),
                    false => found.to_bits() == z.to_bits() || found.is_nan() && z.is_nan(),
                };
                let [x, y] = [x, y].map(|x| f64::from_bits(x[0]));
                assert!(same, "{name}({x}, {y}), {words} words: {found}, not {z}");
                if let Some(lo) = results.get(1) {
                    let lo = f64::from_bits(lo[0]);
                    assert!(
                        found.is_finite() || lo == 0.0,
                        "{name}({x}, {y}): {found} + {lo}"
                    );
                }
            }
        }
    }
}
