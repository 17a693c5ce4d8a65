//! Exact functions and pairs have the bits of Rust's operations and of the crate `libm`, for single numbers and on every set.

/// Words of a stratified sample: a splitmix64 sequence.
fn words() -> impl Iterator<Item = u64> {
    (1u64..).map(|n| {
        let z = n.wrapping_mul(0x9e37_79b9_7f4a_7c15);
        let z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    })
}

macro_rules! test {
    (
        $name:ident $module:ident $number:ident $word:ident digits $digits:literal: $fmod:ident $remainder:ident $modf:ident $frexp:ident $ldexp:ident
    ) => {
        mod $name {
            use super::*;
            use dc_math::$number as $module;

            fn same(a: $number, b: $number) -> bool {
                a.to_bits() == b.to_bits() || a.is_nan() && b.is_nan()
            }

            /// Edges of both signs with their neighbours, and numbers with random bits.
            fn numbers() -> Vec<$number> {
                let mut all = vec![$number::NAN];
                let edges = [
                    0.0,
                    $number::MIN_POSITIVE,
                    $number::MAX,
                    $number::INFINITY,
                    0.5,
                    1.0,
                    1.5,
                    2.0,
                    3.0,
                    ((1u64 << ($digits - 1)) as $number),
                    ((1u64 << $digits) as $number),
                ];
                for x in edges {
                    for bits in [x.to_bits().wrapping_sub(1), x.to_bits(), x.to_bits() + 1] {
                        let x = $number::from_bits(bits);
                        all.extend([x, -x]);
                    }
                }
                all.extend(
                    words()
                        .take(4000)
                        .map(|w| $number::from_bits((w >> 7) as $word)),
                );
                all
            }

            #[test]
            fn parts_are_those_of_libm() {
                for x in numbers() {
                    let ((part, whole), due) = ($module::modf(x), libm::$modf(x));
                    assert!(
                        same(part, due.0) && same(whole, due.1),
                        "modf {x:e}: {part:e} {whole:e}"
                    );
                    let (m, n) = $module::frexp(x);
                    let due = if x.is_finite() {
                        libm::$frexp(x)
                    } else {
                        (x, 0)
                    };
                    assert!(same(m, due.0) && n == due.1, "frexp {x:e}: {m:e} {n}");
                    assert!(same($module::ldexp(m, n), x), "{x:e}");
                }
            }

            #[test]
            fn scaling_rounds_once() {
                let far = [i32::MIN, -2300, -2098, 2098, 2300, i32::MAX];
                let step = if $digits == 24 { 1 } else { 7 };
                for x in numbers() {
                    for n in (-290 * step..290 * step).step_by(13).chain(far) {
                        let (found, due) = ($module::ldexp(x, n), libm::$ldexp(x, n));
                        assert!(same(found, due), "ldexp {x:e} {n}: {found:e} {due:e}");
                    }
                }
            }

            #[test]
            fn remainders_are_exact() {
                let all = numbers();
                let few = all.iter().take(120);
                for (i, &x) in all.iter().enumerate() {
                    for &y in few.clone().chain([&all[(i * 31 + 7) % all.len()]]) {
                        let found = $module::fmod(x, y);
                        assert!(
                            same(found, x % y),
                            "fmod {x:e} {y:e}: {found:e} {:e}",
                            x % y
                        );
                        let (found, due) = ($module::remainder(x, y), libm::$remainder(x, y));
                        assert!(same(found, due), "remainder {x:e} {y:e}: {found:e} {due:e}");
                    }
                }
            }

            #[test]
            fn pairs_are_both_functions() {
                let x = numbers();
                let mut y = vec![(0.0, 0.0); x.len()];
                for pi in [false, true] {
                    match pi {
                        false => $module::sincos::map(&x, &mut y),
                        true => $module::sincospi::map(&x, &mut y),
                    }
                    for (&x, &(s, c)) in x.iter().zip(&y) {
                        let (due, one) = match pi {
                            false => (($module::sin(x), $module::cos(x)), $module::sincos(x)),
                            true => (($module::sinpi(x), $module::cospi(x)), $module::sincospi(x)),
                        };
                        assert!(same(s, due.0) && same(c, due.1), "{x:e}");
                        assert!(same(one.0, s) && same(one.1, c), "{x:e}");
                    }
                }
            }

            #[test]
            fn slices_have_the_bits_of_single_numbers() {
                let x = numbers();
                let y: Vec<$number> = x.iter().rev().copied().collect();
                let n: Vec<i32> = words()
                    .take(x.len())
                    .map(|w| (w % 700) as i32 - 350)
                    .collect();
                let mut out = vec![0.0; x.len()];
                let mut pairs = vec![(0.0, 0.0); x.len()];
                let mut parts = vec![(0.0, 0); x.len()];
                $module::fmod::map(&x, &y, &mut out);
                assert!((0..x.len()).all(|i| same(out[i], $module::fmod(x[i], y[i]))));
                $module::remainder::map(&x, &y, &mut out);
                assert!((0..x.len()).all(|i| same(out[i], $module::remainder(x[i], y[i]))));
                $module::ldexp::map(&x, &n, &mut out);
                assert!((0..x.len()).all(|i| same(out[i], $module::ldexp(x[i], n[i]))));
                $module::modf::map(&x, &mut pairs);
                let is = |i: usize, (a, b): ($number, $number)| {
                    same(pairs[i].0, a) && same(pairs[i].1, b)
                };
                assert!((0..x.len()).all(|i| is(i, $module::modf(x[i]))));
                $module::frexp::map(&x, &mut parts);
                let is = |i: usize, (a, b): ($number, i32)| same(parts[i].0, a) && parts[i].1 == b;
                assert!((0..x.len()).all(|i| is(i, $module::frexp(x[i]))));
            }
        }
    };
}
test! { binary32 m32 f32 u32 digits 24: fmodf remainderf modff frexpf ldexpf }
test! { binary64 m64 f64 u64 digits 53: fmod remainder modf frexp ldexp }
