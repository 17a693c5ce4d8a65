//! Kernels without the standard library have its bits: the dependency has no features here.

use doublecrunch::prelude::*;

#[crunch]
pub fn doubles(x: DcDouble, y: DcDouble, z: DcDouble) -> (DcDouble, DcDouble, DcDouble, DcDouble) {
    (x.mul_add(y, z), x.sqrt(), x.floor() + y.ceil(), x.trunc() + y.round_ties_even())
}

#[crunch]
pub fn floats(x: DcFloat, y: DcFloat, z: DcFloat) -> (DcFloat, DcFloat, DcFloat, DcFloat) {
    (x.mul_add(y, z), x.sqrt(), x.floor() + y.ceil(), x.trunc() + y.round_ties_even())
}

macro_rules! check {
    ($kernel:ident $float:ident) => {
        const VALUES: [$float; 12] = [
            0.0, -0.0, 0.5, -0.5, 1.5, -2.5, 0.1, 1e30, 3.0, -$float::MAX, $float::MIN_POSITIVE, $float::INFINITY,
        ];
        // More than a group of any set, and a part of one.
        let n = 150;
        let [x, y, z] = [5, 7, 11].map(|step| (0..n).map(|i| VALUES[i * step / 5 % 12]).collect::<Vec<_>>());
        let mut out = vec![($float::NAN, $float::NAN, $float::NAN, $float::NAN); n];
        $kernel::map(&x, &y, &z, &mut out);
        let bits = |r: ($float, $float, $float, $float)| {
            // The bits of a NaN are not the same for all operations.
            [r.0, r.1, r.2, r.3].map(|v| if v.is_nan() { $float::NAN } else { v }.to_bits())
        };
        for i in 0..n {
            let (x, y, z) = (x[i], y[i], z[i]);
            let want = (
                x.mul_add(y, z),
                x.sqrt(),
                x.floor() + y.ceil(),
                x.trunc() + y.round_ties_even(),
            );
            assert_eq!(bits(out[i]), bits(want), "map of {x} {y} {z}");
            assert_eq!(bits($kernel::eval(x, y, z)), bits(want), "eval of {x} {y} {z}");
        }
    };
}

fn main() {
    {
        check!(doubles f64);
    }
    {
        check!(floats f32);
    }
}
