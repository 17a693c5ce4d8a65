//! Table look-ups.

use std::panic::{AssertUnwindSafe, catch_unwind};

use super::lane::Lane;
use super::values::Rng;
use crate::isa::{Isa, WithIsa};

/// The methods that this file tests.
pub(super) const NAMES: &[&str] = &[
    "gather_f64",
    "gather_f32",
    "gather_i64",
    "gather_i32",
    "gather32_f64",
    "gather32_f32",
    "gather32_i64",
    "gather32_i32",
];

/// Numbers of entries around each limit of a form of look-up: registers are of 4, 8 or 16 entries, and at most four.
const LENGTHS: &[usize] = &[
    1, 2, 3, 4, 5, 7, 8, 9, 15, 16, 17, 23, 24, 25, 31, 32, 33, 47, 48, 49, 63, 64, 65, 100, 1024,
    4095, 4096, 4097,
];

/// Indices for a table of `len` entries, and the 32 low bits of each: all near it, far outside, some of which only
/// the lower half is inside, and groups in which all lanes have the same index, or all but one.
fn indices(rng: &mut Rng, len: usize, lanes: usize) -> (Vec<i64>, Vec<i32>) {
    let mut indices: Vec<i64> = (-70..70).chain(i64::edges()).collect();
    indices.extend((-3..3).map(|d| len as i64 + d));
    indices.extend((0..100).map(|_| rng.below(2 * len as u64) as i64 - len as i64 / 2));
    indices.extend((0..20).map(|_| rng.next() as i64));
    indices.extend((0..20).map(|_| (rng.next() << 32 | rng.below(len as u64)) as i64));
    while !indices.len().is_multiple_of(lanes) {
        indices.push(rng.next() as i64);
    }
    for most in [len as i64 / 2, len as i64 - 1, -1] {
        for other in 0..=lanes {
            indices.extend((0..lanes).map(|lane| most - i64::from(lane == other)));
        }
    }
    let narrow = indices.iter().map(|&i| i as i32).collect();
    (indices, narrow)
}

/// A place for tables that end at an inaccessible page: a read beyond a table's entries ends the process.
struct Cliff(*mut u8);

impl Cliff {
    /// More than the longest table, in whole pages.
    const BYTES: usize = 1 << 16;

    /// The memory stays until the process ends.
    #[cfg(target_os = "linux")]
    fn new() -> Self {
        use core::ffi::{c_int, c_void};
        unsafe extern "C" {
            fn mmap(
                at: *mut c_void,
                n: usize,
                access: c_int,
                flags: c_int,
                fd: c_int,
                from: i64,
            ) -> *mut c_void;
            fn mprotect(at: *mut c_void, n: usize, access: c_int) -> c_int;
        }
        const READ_WRITE: c_int = 3;
        const PRIVATE_ANONYMOUS: c_int = 0x22;
        // SAFETY: a new mapping, whose upper half is made inaccessible before anything is stored there.
        unsafe {
            let at = mmap(
                core::ptr::null_mut(),
                2 * Self::BYTES,
                READ_WRITE,
                PRIVATE_ANONYMOUS,
                -1,
                0,
            );
            assert_ne!(at.addr(), usize::MAX, "no memory");
            let end = at.cast::<u8>().add(Self::BYTES);
            assert_eq!(mprotect(end.cast(), Self::BYTES, 0), 0);
            Self(end)
        }
    }
    /// On other systems the table ends where an allocation ends.
    #[cfg(not(target_os = "linux"))]
    fn new() -> Self {
        let memory = vec![0u64; Self::BYTES / 8].leak();
        Self(memory.as_mut_ptr_range().end.cast())
    }

    /// A copy of the table that ends there.
    fn table<T: Lane>(&mut self, t: &[T]) -> &[T] {
        assert!(size_of_val(t) <= Self::BYTES);
        // SAFETY: the table fits; the end is aligned to a page or to eight bytes, so the beginning is aligned to the
        // entries.
        unsafe {
            let at = self.0.cast::<T>().sub(t.len());
            at.copy_from_nonoverlapping(t.as_ptr(), t.len());
            core::slice::from_raw_parts(at, t.len())
        }
    }
}

/// One table, a slice or an array, looked up by both index types. Like a kernel's table, an array has a length that is
/// known when the look-up is compiled, so that only one form of it remains.
struct LookUp<'a, T, A>(A, &'a [i64], &'a [i32], &'a mut [T], &'a mut [T]);

/// Table look-ups of one element type, with the tested lengths of arrays.
macro_rules! look_ups {
    ($($check:ident: $t:ty, $by64:ident, $by32:ident, $compare:ident, [$($n:literal),+];)+) => {$(
        impl<I: Isa, A: AsRef<[$t]>> WithIsa<I> for LookUp<'_, $t, A> {
            type Output = ();
            #[inline(always)]
            fn call(self, isa: I) {
                let mut at = 0;
                while at < self.3.len() {
                    let (i, j) = (isa.load_i64(&self.1[at..]), isa.load_i32(&self.2[at..]));
                    <$t>::store(isa, isa.$by64(self.0.as_ref(), i), &mut self.3[at..]);
                    <$t>::store(isa, isa.$by32(self.0.as_ref(), j), &mut self.4[at..]);
                    at += I::LANES;
                }
            }
        }
        fn $compare<I: Isa, A: AsRef<[$t]> + Clone>(isa: I, table: A, indices: &[i64], narrow: &[i32]) {
            let n = indices.len();
            let (mut wide, mut thin) = (vec![<$t>::ZERO; n], vec![<$t>::ZERO; n]);
            isa.run(LookUp(table.clone(), indices, narrow, &mut wide, &mut thin));
            let table = table.as_ref();
            for k in 0..n {
                let at = |i: i64| table[place(i, table.len())].word();
                let (i, j, len) = (indices[k], i64::from(narrow[k]), table.len());
                assert_eq!(wide[k].word(), at(i), "{}: index {i} of {len}", stringify!($by64));
                assert_eq!(thin[k].word(), at(j), "{}: index {j} of {len}", stringify!($by32));
            }
        }
        fn $check<I: Isa>(isa: I) {
            let rng = &mut Rng::new(3);
            // The table begins at an odd element, so that it is aligned to its elements and to no more.
            let pool: Vec<$t> = (0..5000).map(|_| <$t>::random(rng)).collect();
            let cliff = &mut Cliff::new();
            for &len in LENGTHS {
                let (indices, narrow) = indices(rng, len, I::LANES);
                $compare(isa, cliff.table(&pool[7..7 + len]), &indices, &narrow);
                $compare(isa, &pool[7..7 + len], &indices, &narrow);
            }
            $({
                let (indices, narrow) = indices(rng, $n, I::LANES);
                let table: [$t; $n] = core::array::from_fn(|k| pool[7 + k]);
                $compare(isa, table, &indices, &narrow);
            })+
            let (i, j) = (vec![0; I::LANES], vec![0; I::LANES]);
            let (mut wide, mut thin) = (vec![<$t>::ZERO; I::LANES], vec![<$t>::ZERO; I::LANES]);
            let none: &[$t] = &[];
            let empty = AssertUnwindSafe(|| isa.run(LookUp(none, &i, &j, &mut wide, &mut thin)));
            assert!(catch_unwind(empty).is_err(), "a look-up in a table without entries");
        }
    )+};
}
look_ups! {
    doubles: f64, gather_f64, gather32_f64, compare_doubles, [3, 8, 20, 32];
    floats: f32, gather_f32, gather32_f32, compare_floats, [16, 64];
    longs: i64, gather_i64, gather32_i64, compare_longs, [13];
    ints: i32, gather_i32, gather32_i32, compare_ints, [8, 40];
}

/// The entry for an index: modulo a power of two, otherwise the nearest.
fn place(i: i64, len: usize) -> usize {
    if len.count_ones() == 1 {
        i128::from(i).rem_euclid(len as i128) as usize
    } else {
        i128::from(i).max(0).min(len as i128 - 1) as usize
    }
}

/// Table look-ups of every type.
pub(super) fn check_all<I: Isa>(isa: I) {
    doubles(isa);
    floats(isa);
    longs(isa);
    ints(isa);
}
