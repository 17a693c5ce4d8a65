//! Rivals that compute vectors, from shared libraries: SLEEF with a bound of 1.0 ULP, and libmvec of the GNU C library. A library that is
//! not here is printed, and its column is empty.

use libloading::Library;

/// What fills a slice of results, from a slice for each argument. The length must be a multiple of 16.
pub type Fill<T> = Box<dyn FnMut(&[&[T]], &mut [T])>;

/// The libraries.
pub struct Vectors {
    sleef: Option<Library>,
    libmvec: Option<Library>,
}

fn open(name: &str) -> Option<Library> {
    // SAFETY: these libraries run nothing when they are loaded.
    match unsafe { Library::new(name) } {
        Ok(library) => Some(library),
        Err(e) => {
            println!("!! {name} is not here: {e}");
            None
        }
    }
}

impl Vectors {
    pub fn new() -> Vectors {
        if !arch::here() {
            println!("!! neither SLEEF nor libmvec is measured: {}", arch::WHY);
            return Vectors {
                sleef: None,
                libmvec: None,
            };
        }
        Vectors {
            sleef: open("libsleef.so.3"),
            libmvec: open("libmvec.so.1"),
        }
    }
}

/// Numbers of which the libraries have vectors.
pub trait Number: Sized {
    /// SLEEF's function of one argument or two and libmvec's, where they are.
    fn rivals(vectors: &Vectors, name: &str, arguments: usize) -> [Option<Fill<Self>>; 2];
}

#[cfg(target_arch = "x86_64")]
mod arch {
    use std::arch::x86_64::*;

    use super::{Fill, Library, Number, Vectors};

    pub fn here() -> bool {
        is_x86_feature_detected!("avx512f")
    }
    pub const WHY: &str = "this processor has no AVX-512";

    macro_rules! number {
        ($number:ident $vector:ident $lanes:literal $load:ident $store:ident $sleef:literal $sleef_after:literal $mvec:literal $mvec_after:literal) => {
            const _: () = {
                #[allow(
                    improper_ctypes_definitions,
                    reason = "a vector is passed in a register, as C does"
                )]
                type Function = unsafe extern "C" fn($vector) -> $vector;
                #[allow(
                    improper_ctypes_definitions,
                    reason = "a vector is passed in a register, as C does"
                )]
                type OfTwo = unsafe extern "C" fn($vector, $vector) -> $vector;

                /// # Safety
                /// The processor has AVX-512, and the function is one of a vector.
                #[target_feature(enable = "avx512f")]
                unsafe fn all(f: Function, x: &[$number], y: &mut [$number]) {
                    for (x, y) in x.chunks_exact($lanes).zip(y.chunks_exact_mut($lanes)) {
                        // SAFETY: both chunks are as long as a vector, and the caller promises the rest.
                        unsafe { $store(y.as_mut_ptr(), f($load(x.as_ptr()))) };
                    }
                }

                /// # Safety
                /// The processor has AVX-512, and the function is one of two vectors.
                #[target_feature(enable = "avx512f")]
                unsafe fn all_of_two(f: OfTwo, x: &[$number], y: &[$number], z: &mut [$number]) {
                    let pairs = x.chunks_exact($lanes).zip(y.chunks_exact($lanes));
                    for ((x, y), z) in pairs.zip(z.chunks_exact_mut($lanes)) {
                        // SAFETY: the chunks are as long as a vector, and the caller promises the rest.
                        unsafe { $store(z.as_mut_ptr(), f($load(x.as_ptr()), $load(y.as_ptr()))) };
                    }
                }

                fn fill(
                    library: Option<&Library>,
                    symbol: &str,
                    arguments: usize,
                ) -> Option<Fill<$number>> {
                    if arguments == 2 {
                        // SAFETY: the libraries document functions of these names as those of two vectors.
                        let f: OfTwo = *unsafe { library?.get::<OfTwo>(symbol) }.ok()?;
                        // SAFETY: a library is open only where the processor has AVX-512, and outlives what is timed.
                        return Some(Box::new(move |x, z| unsafe {
                            all_of_two(f, x[0], x[1], z)
                        }));
                    }
                    // SAFETY: the libraries document functions of these names as those of one vector.
                    let f: Function = *unsafe { library?.get::<Function>(symbol) }.ok()?;
                    // SAFETY: a library is open only where the processor has AVX-512, and outlives what is timed.
                    Some(Box::new(move |x, y| unsafe { all(f, x[0], y) }))
                }

                impl Number for $number {
                    fn rivals(
                        vectors: &Vectors,
                        name: &str,
                        arguments: usize,
                    ) -> [Option<Fill<$number>>; 2] {
                        // Of some functions SLEEF has 1.5 ULP alone.
                        let sleef =
                            |ulp: &str| format!("Sleef_{name}{}_{ulp}{}", $sleef, $sleef_after);
                        let sleef = |ulp| fill(vectors.sleef.as_ref(), &sleef(ulp), arguments);
                        let mvec = if arguments == 2 {
                            $mvec.replace("v_", "vv_")
                        } else {
                            $mvec.to_string()
                        };
                        let mvec = format!("{mvec}{name}{}", $mvec_after);
                        [
                            sleef("u10").or_else(|| sleef("u15")),
                            fill(vectors.libmvec.as_ref(), &mvec, arguments),
                        ]
                    }
                }
            };
        };
    }
    number!(f32 __m512 16 _mm512_loadu_ps _mm512_storeu_ps "f16" "avx512f" "_ZGVeN16v_" "f");
    number!(f64 __m512d 8 _mm512_loadu_pd _mm512_storeu_pd "d8" "avx512f" "_ZGVeN8v_" "");
}

#[cfg(not(target_arch = "x86_64"))]
mod arch {
    use super::{Fill, Number, Vectors};

    pub fn here() -> bool {
        false
    }
    pub const WHY: &str = "only their functions of AVX-512 are";

    impl Number for f32 {
        fn rivals(_: &Vectors, _: &str, _: usize) -> [Option<Fill<f32>>; 2] {
            [None, None]
        }
    }
    impl Number for f64 {
        fn rivals(_: &Vectors, _: &str, _: usize) -> [Option<Fill<f64>>; 2] {
            [None, None]
        }
    }
}
