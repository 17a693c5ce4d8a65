//! Rivals that compute vectors, from shared libraries: SLEEF with a bound of 1.0 ULP, and libmvec of the GNU C library. A library that is
//! not here is printed, and its column is empty.

use libloading::Library;

/// What fills a slice of results, from a slice for each argument. The length must be a multiple of 16.
pub type Fill<T> = Box<dyn FnMut(&[&[T]], &mut [T])>;

/// The instruction set of this crate's `map` and of the libraries' vectors.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Set {
    /// The widest of this processor; the libraries' vectors are of AVX-512.
    Widest,
    /// AVX2, on whatever processor has it.
    Avx2,
}

/// The libraries.
pub struct Vectors {
    pub set: Set,
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
    pub fn new(set: Set) -> Vectors {
        if !arch::here(set) {
            println!("!! neither SLEEF nor libmvec is measured: {}", arch::WHY);
            return Vectors {
                set,
                sleef: None,
                libmvec: None,
            };
        }
        Vectors {
            set,
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

    use super::{Fill, Library, Number, Set, Vectors};

    pub fn here(set: Set) -> bool {
        match set {
            Set::Widest => is_x86_feature_detected!("avx512f"),
            Set::Avx2 => is_x86_feature_detected!("avx2") && is_x86_feature_detected!("fma"),
        }
    }
    pub const WHY: &str = "this processor does not have their vectors";

    macro_rules! number {
        ($rivals:ident: $number:ident $vector:ident $features:literal $lanes:literal $load:ident $store:ident $sleef:literal $sleef_after:literal $mvec:literal $mvec_after:literal) => {
            mod $rivals {
                use super::*;

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
                /// The processor has the instruction set, and the function is one of a vector.
                #[target_feature(enable = $features)]
                unsafe fn all(f: Function, x: &[$number], y: &mut [$number]) {
                    for (x, y) in x.chunks_exact($lanes).zip(y.chunks_exact_mut($lanes)) {
                        // SAFETY: both chunks are as long as a vector, and the caller promises the rest.
                        unsafe { $store(y.as_mut_ptr(), f($load(x.as_ptr()))) };
                    }
                }

                /// # Safety
                /// The processor has the instruction set, and the function is one of two vectors.
                #[target_feature(enable = $features)]
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
                        // SAFETY: a library is open only where the processor has its vectors, and outlives what is timed.
                        return Some(Box::new(move |x, z| unsafe {
                            all_of_two(f, x[0], x[1], z)
                        }));
                    }
                    // SAFETY: the libraries document functions of these names as those of one vector.
                    let f: Function = *unsafe { library?.get::<Function>(symbol) }.ok()?;
                    // SAFETY: a library is open only where the processor has its vectors, and outlives what is timed.
                    Some(Box::new(move |x, y| unsafe { all(f, x[0], y) }))
                }

                pub(super) fn of(
                    vectors: &Vectors,
                    name: &str,
                    arguments: usize,
                ) -> [Option<Fill<$number>>; 2] {
                    // Of some functions SLEEF has 1.5 ULP alone, and of hypot 0.5 and 3.5.
                    let sleef = |ulp: &str| format!("Sleef_{name}{}_{ulp}{}", $sleef, $sleef_after);
                    let sleef = |ulp| fill(vectors.sleef.as_ref(), &sleef(ulp), arguments);
                    let mvec = if arguments == 2 {
                        $mvec.replace("v_", "vv_")
                    } else {
                        $mvec.to_string()
                    };
                    let mvec = format!("{mvec}{name}{}", $mvec_after);
                    [
                        ["u10", "u15", "u05"].into_iter().find_map(sleef),
                        fill(vectors.libmvec.as_ref(), &mvec, arguments),
                    ]
                }
            }
        };
    }
    number!(f32_512: f32 __m512 "avx512f" 16 _mm512_loadu_ps _mm512_storeu_ps "f16" "avx512f" "_ZGVeN16v_" "f");
    number!(f64_512: f64 __m512d "avx512f" 8 _mm512_loadu_pd _mm512_storeu_pd "d8" "avx512f" "_ZGVeN8v_" "");
    number!(f32_256: f32 __m256 "avx2,fma" 8 _mm256_loadu_ps _mm256_storeu_ps "f8" "avx2" "_ZGVdN8v_" "f");
    number!(f64_256: f64 __m256d "avx2,fma" 4 _mm256_loadu_pd _mm256_storeu_pd "d4" "avx2" "_ZGVdN4v_" "");

    macro_rules! by_set {
        ($number:ident $widest:ident $avx2:ident) => {
            impl Number for $number {
                fn rivals(
                    vectors: &Vectors,
                    name: &str,
                    arguments: usize,
                ) -> [Option<Fill<$number>>; 2] {
                    match vectors.set {
                        Set::Widest => $widest::of(vectors, name, arguments),
                        Set::Avx2 => $avx2::of(vectors, name, arguments),
                    }
                }
            }
        };
    }
    by_set!(f32 f32_512 f32_256);
    by_set!(f64 f64_512 f64_256);
}

#[cfg(not(target_arch = "x86_64"))]
mod arch {
    use super::{Fill, Number, Set, Vectors};

    pub fn here(_: Set) -> bool {
        false
    }
    pub const WHY: &str = "only their functions of x86-64 are";

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
