//! Operations that are written once per unit of a group: one register of 32-bit lanes, or two of 64-bit lanes.

/// `group!(G, Type, k => expr)`: the group whose unit `k` is `expr`, for each k below `G`.
///
/// The units are written out instead of looped over, because LLVM would have to unroll a loop over arrays with a variable index in
/// each of a kernel's hundreds of operations. The conditions are constants of the instantiation.
///
/// It expands to an `unsafe` block, so that `expr` may use intrinsics; the author of `expr` is responsible for its
/// safety.
macro_rules! group {
    ($g:ident, $group:ty, $k:ident => $e:expr) => {{
        const { assert!(matches!($g, 1 | 2 | 4), "a group is 1, 2 or 4 units wide") };
        let mut group = ::core::mem::MaybeUninit::<$group>::uninit();
        let units = group.as_mut_ptr();
        // SAFETY: each of the `G` elements is written before the group is read, as `G` is at most 4. The
        // intrinsics in the expression are covered by the token `self`, which exists only where the processor
        // has them; a pointer in it is from a slice that was checked to hold `LANES` elements.
        #[allow(unused_unsafe, reason = "an expression without intrinsics is safe")]
        unsafe {
            group!(@write units, 0, $k, $e);
            if const { $g > 1 } {
                group!(@write units, 1, $k, $e);
            }
            if const { $g > 2 } {
                group!(@write units, 2, $k, $e);
                group!(@write units, 3, $k, $e);
            }
            group.assume_init()
        }
    }};
    (@write $units:ident, $n:literal, $k:ident, $e:expr) => {{
        let $k: usize = $n;
        let value = $e;
        (&raw mut (*$units)[$k]).write(value);
    }};
}

/// Trait methods that apply one function to each unit: `add_f32(a: F32, b: F32) -> F32 = function;`.
macro_rules! units {
    ($($name:ident($($a:ident: $t:ident),+) -> $r:ident = $f:expr;)+) => {$(
        #[inline(always)]
        fn $name(self, $($a: Self::$t),+) -> Self::$r {
            group!(G, Self::$r, k => $f($($a[k]),+))
        }
    )+};
}

/// Trait methods that apply to each unit an instruction that other sets lack: `round_f16(a: F32) -> F32 = function;`.
#[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
macro_rules! instruction {
    ($($name:ident($a:ident: $t:ident) -> $r:ident = $f:expr;)+) => {$(
        #[inline(always)]
        fn $name(self, $a: Self::$t) -> Option<Self::$r> {
            Some(group!(G, Self::$r, k => $f($a[k])))
        }
    )+};
}

/// Trait methods that fill a group with one value: `splat_f64(f64) -> F64 = function;`.
macro_rules! splat {
    ($($name:ident($x:ty) -> $r:ident = $f:expr;)+) => {$(
        #[inline(always)]
        fn $name(self, x: $x) -> Self::$r {
            group!(G, Self::$r, k => { let _ = k; $f(x) })
        }
    )+};
}

/// Trait methods that load a group from a slice, `LANES / G` elements per unit: `load_f64(f64) -> F64 = |pointer| …;`.
macro_rules! load {
    ($($name:ident($x:ty) -> $r:ident = $f:expr;)+) => {$(
        #[inline(always)]
        fn $name(self, x: &[$x]) -> Self::$r {
            let x = &x[..Self::LANES];
            group!(G, Self::$r, k => $f(x.as_ptr().add(k * (Self::LANES / G))))
        }
    )+};
}

/// Trait methods that store a group to a slice: `store_f64(F64, f64) = function(pointer, unit);`.
macro_rules! store {
    ($($name:ident($t:ident, $x:ty) = $f:expr;)+) => {$(
        #[inline(always)]
        fn $name(self, v: Self::$t, out: &mut [$x]) {
            let out = &mut out[..Self::LANES];
            let _: [(); G] = group!(G, [(); G], k => $f(out.as_mut_ptr().add(k * (Self::LANES / G)), v[k]));
        }
    )+};
}

/// Trait methods that read a table at a group of indices: `gather_f64(f64, I64) -> F64 = function(table, indices);`.
macro_rules! gather {
    ($($name:ident($x:ty, $i:ident) -> $r:ident = $f:expr;)+) => {$(
        #[inline(always)]
        fn $name(self, t: &[$x], i: Self::$i) -> Self::$r {
            assert!(!t.is_empty(), "a table has at least one entry");
            group!(G, Self::$r, k => $f(t, i[k]))
        }
    )+};
}

/// Trait methods that count up from a number: `iota_i64(i64) -> I64 = function;`, where the function makes a unit from its first number.
macro_rules! iota {
    ($($name:ident($x:ty) -> $r:ident = $f:expr;)+) => {$(
        #[inline(always)]
        fn $name(self, start: $x) -> Self::$r {
            group!(G, Self::$r, k => $f(start.wrapping_add((k * (Self::LANES / G)) as $x)))
        }
    )+};
}

/// Trait methods that add up one number per unit: `count(Mask) -> u32 = function;`.
macro_rules! count {
    ($($name:ident($t:ident) -> $r:ty = $f:expr;)+) => {$(
        #[inline(always)]
        fn $name(self, m: Self::$t) -> $r {
            let counts: [$r; G] = group!(G, [$r; G], k => $f(m[k]));
            // Written out as in `group!`: the sum of an iterator is not always inlined.
            let mut sum = counts[0];
            if const { G > 1 } {
                sum += counts[1];
            }
            if const { G > 2 } {
                sum += counts[2] + counts[3];
            }
            sum
        }
    )+};
}

/// Trait methods that round in a direction, derived from operations to nearest:
/// `add_directed_f64(a: F64, b: F64) -> F64 = derived add_f64;`.
macro_rules! directed {
    ($($name:ident($($a:ident: $t:ident),+) -> $r:ident = derived $f:ident;)+) => {$(
        #[inline(always)]
        fn $name(self, d: Direction, $($a: Self::$t),+) -> Self::$r {
            kernels_gen::directed::$f(&mut $crate::isa::directed::Derived(self), d, $($a),+)
        }
    )+};
}

/// A group as units.
pub trait Units<Unit>: Copy {
    /// Unit `k`, as a group of one.
    fn unit(self, k: usize) -> Unit;
    /// The group made of these units. If the group has fewer units, the first ones are used.
    fn of_units(units: [Unit; 4]) -> Self;
}
impl<U: Copy, const G: usize> Units<[U; 1]> for [U; G] {
    #[inline(always)]
    fn unit(self, k: usize) -> [U; 1] {
        [self[k]]
    }
    #[inline(always)]
    fn of_units(units: [[U; 1]; 4]) -> [U; G] {
        group!(G, [U; G], k => units[k][0])
    }
}

#[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
pub(super) use instruction;
pub(super) use {count, directed, gather, group, iota, load, splat, store, units};
