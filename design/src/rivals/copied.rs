//! Approximations in binary32 that people copy, written from their formulas.

use doublecrunch::kernel::CrunchFn as _;
use doublecrunch::prelude::*;
use kernels_gen::ir::Kernel;

use crate::spec::Format;

/// The approximations of a function, with their names.
pub fn of(function: &str, format: Format) -> &'static [(&'static str, &'static Kernel)] {
    if format == Format::F64 {
        return &[];
    }
    match function {
        "exp" => {
            const {
                &[
                    ("Schraudolph 1999: bits of a line", schraudolph::KERNEL),
                    ("Mineiro's fasterexp: bits of a line", fasterexp::KERNEL),
                    ("Mineiro's fastexp: bits of a fraction", fastexp::KERNEL),
                    ("(1 + x/256)^256", power_256::KERNEL),
                    ("(1 + x/1024)^1024", power_1024::KERNEL),
                    ("Cephes: 2^k, 2 words, degree 5", cephes::KERNEL),
                ]
            }
        }
        "tanh" => {
            const {
                &[
                    ("Padé 3/2: cut off at 3", pade_3::KERNEL),
                    ("Padé 7/6: cut off at 1", pade_7::KERNEL),
                    ("Eigen's fraction 13/6", eigen::KERNEL),
                    ("1 - 2/(e^2x + 1) by Schraudolph", by_schraudolph::KERNEL),
                ]
            }
        }
        "sigmoid" => {
            const {
                &[
                    ("x/(2 + 2|x|) + 1/2", softsign::KERNEL),
                    ("1/(1 + e^-x) by Schraudolph", logistic::KERNEL),
                    ("(1 + tanh(x/2))/2 by Eigen", by_eigen::KERNEL),
                ]
            }
        }
        "gelu" => {
            const {
                &[
                    ("x sigmoid(1.702x) by Eigen", quick::KERNEL),
                    ("tanh of x + 0.044715x^3 by Eigen", of_tanh::KERNEL),
                ]
            }
        }
        _ => &[],
    }
}

/// The bits of a number of binary32, as an integer, are nearly a linear function of its logarithm: with slope 2^23/ln 2, and with 127·2^23
/// minus a constant that makes the mean error small.
#[crunch]
fn schraudolph(x: DcFloat) -> DcFloat {
    DcFloat::from_bits((x * 12_102_203.0).to_i32() + 1_064_866_805)
}

/// The same line, in steps of `p = x/ln 2`.
#[crunch]
fn fasterexp(x: DcFloat) -> DcFloat {
    let p = (x * 1.442_695_04).max(-126.0);
    DcFloat::from_bits(((p + 126.942_695_04) * 8_388_608.0).to_i32())
}

/// The linear function, corrected by a fraction in the distance to the next integer.
#[crunch]
fn fastexp(x: DcFloat) -> DcFloat {
    let p = x * 1.442_695_04;
    let offset = (p < 0.0).select(1.0, 0.0);
    let p = p.max(-126.0);
    let z = p - p.trunc() + offset;
    let y = p + 121.274_057_5 + 27.728_023_3 / (4.842_525_68 - z) - z * 1.490_129_07;
    DcFloat::from_bits((y * 8_388_608.0).to_i32())
}

#[crunch]
fn power_256(x: DcFloat) -> DcFloat {
    let mut y = x * 0.003_906_25 + 1.0;
    for _ in 0..8 {
        y = y * y;
    }
    y
}

#[crunch]
fn power_1024(x: DcFloat) -> DcFloat {
    let mut y = x * 0.000_976_562_5 + 1.0;
    for _ in 0..10 {
        y = y * y;
    }
    y
}

/// The algorithm of Cephes, which many vectorised functions use: ln 2 in two constants, a polynomial, and the exponent by an addition to
/// the bits.
#[crunch]
fn cephes(x: DcFloat) -> DcFloat {
    let x = x.min(88.376_26).max(-87.336_55);
    let k = (x * 1.442_695_04 + 0.5).floor();
    let r = x - k * 0.693_359_375;
    let r = r - k * -2.121_944_4e-4;
    let p = r * 1.987_569_15e-4 + 1.398_199_950_7e-3;
    let p = p * r + 8.333_451_907_3e-3;
    let p = p * r + 4.166_579_589_4e-2;
    let p = p * r + 1.666_666_545_9e-1;
    let p = p * r + 5.000_000_120_1e-1;
    let y = p * (r * r) + r + 1.0;
    y * DcFloat::from_bits((k.to_i32() + 127) << 23)
}

#[crunch]
fn pade_3(x: DcFloat) -> DcFloat {
    let x = x.min(3.0).max(-3.0);
    let s = x * x;
    x * (s + 27.0) / (s * 9.0 + 27.0)
}

/// The fraction is above 1 from 4.97 on.
#[crunch]
fn pade_7(x: DcFloat) -> DcFloat {
    let s = x * x;
    let p = ((s + 378.0) * s + 17_325.0) * s + 135_135.0;
    let q = ((s * 28.0 + 3_150.0) * s + 62_370.0) * s + 135_135.0;
    (x * p / q).min(1.0).max(-1.0)
}

#[crunch]
fn eigen(x: DcFloat) -> DcFloat {
    let x = x.min(7.905_311).max(-7.905_311);
    let s = x * x;
    let p = s * -2.760_768_477_423_55e-16 + 2.000_187_904_824_77e-13;
    let p = p * s + -8.604_671_522_137_35e-11;
    let p = p * s + 5.122_297_090_371_14e-8;
    let p = p * s + 1.485_722_357_179_79e-5;
    let p = p * s + 6.372_619_288_754_36e-4;
    let p = p * s + 4.893_524_558_917_86e-3;
    let q = s * 1.198_258_394_667_02e-6 + 1.185_347_056_866_54e-4;
    let q = q * s + 2.268_434_632_439e-3;
    let q = q * s + 4.893_525_185_543_85e-3;
    x * p / q
}

#[crunch]
fn by_schraudolph(x: DcFloat) -> DcFloat {
    1.0 - 2.0 / (schraudolph(x + x) + 1.0)
}

#[crunch]
fn softsign(x: DcFloat) -> DcFloat {
    x / (x.abs() * 2.0 + 2.0) + 0.5
}

#[crunch]
fn logistic(x: DcFloat) -> DcFloat {
    1.0 / (schraudolph(-x) + 1.0)
}

#[crunch]
fn by_eigen(x: DcFloat) -> DcFloat {
    eigen(x * 0.5) * 0.5 + 0.5
}

#[crunch]
fn quick(x: DcFloat) -> DcFloat {
    x * by_eigen(x * 1.702)
}

/// The formula of the paper, with the square root of 2/π.
#[crunch]
fn of_tanh(x: DcFloat) -> DcFloat {
    let inner = (x * x * x * 0.044_715 + x) * 0.797_884_6;
    (eigen(inner) + 1.0) * (x * 0.5)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The largest relative error at steps of a thousandth.
    fn error(f: fn(f32) -> f32, exact: fn(f64) -> f64, low: i32, high: i32) -> f64 {
        let at = |i: i32| {
            let x = i as f32 * 1e-3;
            let y = exact(x.into());
            ((f64::from(f(x)) - y) / y).abs()
        };
        (1000 * low..=1000 * high)
            .filter(|&i| i != 0)
            .map(at)
            .fold(0.0, f64::max)
    }

    /// A wrong digit would show: the errors are those of the formulas in exact arithmetic, except for the last two of e^x.
    #[test]
    fn errors_are_those_that_are_known() {
        type Routine = fn(f32) -> f32;
        let exp = |f: Routine| error(f, f64::exp, -80, 80);
        let tanh = |f: Routine, most: i32| error(f, f64::tanh, -most, most);
        let close = |found: f64, known: f64| {
            assert!((found / known - 1.0).abs() < 0.2, "{found} is not {known}");
        };
        close(exp(schraudolph::eval), 0.0394);
        close(exp(fasterexp::eval), 0.0389);
        close(exp(fastexp::eval), 6.2e-5);
        close(exp(cephes::eval), 8.1e-8);
        // e^(-x²/2n) is missing.
        close(error(power_256::eval, f64::exp, -1, 1), 1.0 / 512.0);
        close(error(power_1024::eval, f64::exp, -1, 1), 1.0 / 2048.0);
        close(tanh(pade_3::eval, 3), 0.0259);
        close(tanh(pade_7::eval, 4), 1.5e-5);
        let rounded = tanh(eigen::eval, 9);
        assert!((1e-7..6e-7).contains(&rounded), "{rounded}");
    }
}
