//! Vector functions from shared libraries: SLEEF, with a bound of 1.0 ULP for most functions, and libmvec of the GNU C library. They are found
//! at run time, like the C library's functions.

use libloading::Library;

use crate::target::Target;

/// A function that fills a slice of results.
pub type Fill<T> = Box<dyn Fn(&[T], &mut [T]) + Send + Sync>;

/// The libraries, for one instruction set.
#[derive(Default)]
pub struct Vectors {
    libraries: Vec<(&'static Names, Library)>,
    wide: bool,
    /// Descriptions of missing libraries.
    pub missing: Vec<String>,
}

/// A library's names.
struct Names {
    file: &'static str,
    what: &'static str,
    /// The symbols of a function, the most accurate ones that are not slower first: lanes of 512 or of 256 bits, binary32 or binary64.
    symbols: fn(name: &str, wide: bool, narrow: bool) -> Vec<String>,
}

const LIBRARIES: [Names; 2] = [
    Names {
        file: "libsleef.so.3",
        what: "SLEEF",
        symbols: |name, wide, narrow| {
            let (set, bits) = if wide {
                ("avx512f", 512)
            } else {
                ("avx2", 256)
            };
            let lanes = match narrow {
                true => format!("f{}", bits / 32),
                false => format!("d{}", bits / 64),
            };
            // A function has a variant of 1.0 ULP, or of 1.5 or 0.5 ULP alone.
            let symbol = |bound| format!("Sleef_{name}{lanes}_{bound}{set}");
            ["u10", "u15", "u05"].map(symbol).into()
        },
    },
    Names {
        file: "libmvec.so.1",
        what: "libmvec",
        symbols: |name, wide, narrow| {
            // The vector function ABI of x86-64: the set's letter, no mask, the lanes, one argument that is a vector.
            let (set, bits) = if wide { ('e', 512) } else { ('d', 256) };
            vec![match narrow {
                true => format!("_ZGV{set}N{}v_{name}f", bits / 32),
                false => format!("_ZGV{set}N{}v_{name}", bits / 64),
            }]
        },
    },
];

impl Vectors {
    /// The libraries that are present, with the functions of the widest registers of the instruction set.
    #[must_use]
    pub fn of(target: Target) -> Vectors {
        let Some(wide) = arch::wide(target) else {
            return Vectors::default();
        };
        let mut vectors = Vectors {
            wide,
            ..Vectors::default()
        };
        for names in &LIBRARIES {
            // SAFETY: these libraries run nothing when they are loaded.
            match unsafe { Library::new(names.file) } {
                Ok(library) => vectors.libraries.push((names, library)),
                Err(e) => {
                    let why = format!("the functions of {} are not timed: {e}", names.what);
                    vectors.missing.push(why);
                }
            }
        }
        vectors
    }

    /// A function by its name in C, from each library that has it.
    #[must_use]
    pub fn function<T: Number>(&self, name: &str) -> Vec<(String, Fill<T>)> {
        let of = |(names, library): &(&Names, Library)| {
            let symbols = (names.symbols)(name, self.wide, T::NARROW);
            symbols.into_iter().find_map(|symbol| {
                let fill = T::fill(library, &symbol, self.wide)?;
                Some((format!("{symbol} ({})", names.file), fill))
            })
        };
        self.libraries.iter().filter_map(of).collect()
    }
}

/// Numbers for which the libraries have vector functions.
pub trait Number: Copy + Default + 'static {
    /// Whether the type is binary32.
    const NARROW: bool;
    /// The function of a symbol over slices of one length.
    fn fill(library: &Library, symbol: &str, wide: bool) -> Option<Fill<Self>>;
}

#[cfg(target_arch = "x86_64")]
mod arch {
    use std::arch::x86_64::*;

    use dc_runtime::isa::{Avx2, Avx512, Isa as _};

    use super::{Fill, Library, Number, Target};

    /// Whether vectors have 512 bits; `None` if there are no vectors.
    pub fn wide(target: Target) -> Option<bool> {
        let (avx2, avx512) = (
            Avx2::<1>::detect().is_some(),
            Avx512::<1>::detect().is_some(),
        );
        match target {
            Target::Widest | Target::Avx512 if avx512 => Some(true),
            Target::Widest | Target::Avx2 if avx2 => Some(false),
            _ => None,
        }
    }

    macro_rules! vectors {
        ($features:literal $library:ident $symbol:ident; $number:ident $vector:ident $lanes:literal $load:ident $store:ident) => {{
            #[allow(
                improper_ctypes_definitions,
                reason = "a vector is passed in a register, as C does"
            )]
            type Function = unsafe extern "C" fn($vector) -> $vector;

            /// # Safety
            /// The processor must have the features, and the function must be a vector function.
            #[target_feature(enable = $features)]
            unsafe fn all(f: Function, x: &[$number], y: &mut [$number]) {
                let (mut xs, mut ys) = (x.chunks_exact($lanes), y.chunks_exact_mut($lanes));
                for (x, y) in (&mut xs).zip(&mut ys) {
                    // SAFETY: both chunks are as long as a vector, and the caller promises the rest.
                    unsafe { $store(y.as_mut_ptr(), f($load(x.as_ptr()))) };
                }
                let (x, y) = (xs.remainder(), ys.into_remainder());
                if x.is_empty() {
                    return;
                }
                let mut rest = [$number::default(); $lanes];
                rest[..x.len()].copy_from_slice(x);
                // SAFETY: as above.
                unsafe { $store(rest.as_mut_ptr(), f($load(rest.as_ptr()))) };
                y.copy_from_slice(&rest[..y.len()]);
            }

            // SAFETY: the libraries document functions of these names as those of one vector.
            let f = unsafe { $library.get::<Function>($symbol) }.ok()?;
            let f: Function = *f;
            // SAFETY: the symbols of a set are looked for where the processor has it, and the library outlives what is timed.
            Some(Box::new(move |x, y| unsafe { all(f, x, y) }))
        }};
    }

    impl Number for f32 {
        const NARROW: bool = true;
        fn fill(library: &Library, symbol: &str, wide: bool) -> Option<Fill<f32>> {
            match wide {
                true => {
                    vectors!("avx512f" library symbol; f32 __m512 16 _mm512_loadu_ps _mm512_storeu_ps)
                }
                false => {
                    vectors!("avx2,fma" library symbol; f32 __m256 8 _mm256_loadu_ps _mm256_storeu_ps)
                }
            }
        }
    }

    impl Number for f64 {
        const NARROW: bool = false;
        fn fill(library: &Library, symbol: &str, wide: bool) -> Option<Fill<f64>> {
            match wide {
                true => {
                    vectors!("avx512f" library symbol; f64 __m512d 8 _mm512_loadu_pd _mm512_storeu_pd)
                }
                false => {
                    vectors!("avx2,fma" library symbol; f64 __m256d 4 _mm256_loadu_pd _mm256_storeu_pd)
                }
            }
        }
    }
}

#[cfg(not(target_arch = "x86_64"))]
mod arch {
    use super::{Fill, Library, Number, Target};

    pub fn wide(_: Target) -> Option<bool> {
        None
    }

    impl Number for f32 {
        const NARROW: bool = true;
        fn fill(_: &Library, _: &str, _: bool) -> Option<Fill<f32>> {
            None
        }
    }

    impl Number for f64 {
        const NARROW: bool = false;
        fn fill(_: &Library, _: &str, _: bool) -> Option<Fill<f64>> {
            None
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn symbols_are_those_of_the_libraries() {
        let [sleef, mvec] = LIBRARIES.each_ref().map(|n| n.symbols);
        assert_eq!(sleef("exp", true, true)[0], "Sleef_expf16_u10avx512f");
        assert_eq!(sleef("sinpi", false, false)[2], "Sleef_sinpid4_u05avx2");
        assert_eq!(mvec("exp", true, true), ["_ZGVeN16v_expf"]);
        assert_eq!(mvec("log", false, false), ["_ZGVdN4v_log"]);
    }

    /// If a library is present, its function is the one of that name, also for a number of values that does not fill whole vectors.
    #[test]
    fn vectors_are_of_the_function() {
        let x: Vec<f32> = (0..37).map(|i| i as f32 * 0.25 - 4.0).collect();
        let mut y = vec![f32::NAN; x.len()];
        for target in [Target::Avx2, Target::Avx512] {
            for (name, fill) in Vectors::of(target).function::<f32>("exp") {
                y.fill(f32::NAN);
                fill(&x, &mut y);
                for (&x, &y) in x.iter().zip(&y) {
                    let exact = f64::from(x).exp();
                    let error = (f64::from(y) / exact - 1.0).abs();
                    assert!(error < 4.0 * f64::from(f32::EPSILON), "{name}({x}) = {y}");
                }
            }
            for (name, fill) in Vectors::of(target).function::<f64>("cbrt") {
                let mut y = [f64::NAN; 3];
                fill(&[8.0, -27.0, 1e-300], &mut y);
                let exact = [2.0, -3.0, 1e-100];
                let close = y
                    .iter()
                    .zip(exact)
                    .all(|(y, e)| (y / e - 1.0).abs() < 1e-14);
                assert!(close, "{name}: {y:?}");
            }
        }
    }
}
