//! Two arguments in 16 bits: each result is compared with the double-double reference, rounded by a search among all numbers of the format.
//! The search of all 2^32 pairs of a function examines those pairs more closely whose result could be another number.

use std::cmp::Ordering;
use std::sync::LazyLock;

#[cfg(feature = "full")]
use dc_runtime::builtins::reference::binary32::*;
use dc_runtime::builtins::reference::binary64::*;
#[cfg(feature = "full")]
use dc_runtime::kernel::CrunchFn;
use dc_runtime::prelude::*;
#[cfg(feature = "full")]
use kernels_gen::ir::Kernel;

use crate::check::{ERROR, Verdict};
use crate::inputs::words;
use crate::state::State;
use crate::stored::Format;

/// A function of two numbers of 16 bits.
pub struct PairCase {
    /// `f16::pow`.
    pub name: &'static str,
    #[cfg(feature = "full")]
    pub kernel: &'static Kernel,
    one: fn(u16, u16) -> u16,
    truth: fn(f64, f64) -> DoubleDouble,
    format: fn() -> &'static Format,
    /// Not 0 where the result could be wrong: it differs from the second computation, or that is next to a midpoint.
    #[cfg(feature = "full")]
    check_all: fn(&[u16], &[u16], &mut [i32]),
    /// The same of the first computation: where it is 0, that is right to 22 bits.
    #[cfg(feature = "full")]
    quick_all: fn(&[u16], &[u16], &mut [i32]),
}

fn half() -> &'static Format {
    static FORMAT: LazyLock<Format> = LazyLock::new(Format::half);
    &FORMAT
}

fn bfloat() -> &'static Format {
    static FORMAT: LazyLock<Format> = LazyLock::new(Format::bfloat);
    &FORMAT
}

/// 2^-148, twice the spacing of subnormal numbers of binary32.
#[cfg(feature = "full")]
const LEAST: f64 = f64::from_bits((1023 - 148) << 52);

/// The two numbers of binary32 at a relative distance of 2^-22 from a number, or at 2^-148 where that is larger: 16 bits of either are
/// those of the number itself, if they agree, although they are rounded twice.
#[cfg(feature = "full")]
#[crunch]
fn about(y: DcDouble) -> (DcFloat, DcFloat) {
    let magnitude = y.abs();
    let finite = magnitude < f64::INFINITY;
    let distance = (magnitude * 0.000_000_238_418_579_101_562_5).max(LEAST);
    let lower = if finite {
        (magnitude - distance).max(0.0)
    } else {
        magnitude
    };
    let upper = if finite {
        magnitude + distance
    } else {
        magnitude
    };
    (lower.copysign(y).to_f32(), upper.copysign(y).to_f32())
}

/// Which bits of a result differ from those of either number.
#[cfg(feature = "full")]
#[crunch]
fn differ(result: DcFloat, lower: DcFloat, upper: DcFloat) -> DcInt {
    let bits = result.to_bits();
    (bits ^ lower.to_bits()) | (bits ^ upper.to_bits())
}

#[cfg(feature = "full")]
macro_rules! kernels {
    ($lanes:ident $round:ident $module:ident $name:ident $f32:ident $f64:ident) => {
        #[crunch]
        pub fn check(x: $lanes, y: $lanes) -> DcInt {
            let second = $f64(x.to_f32().to_f64(), y.to_f32().to_f64());
            let (lower, upper) = about(second.hi);
            let result = dc_math::$module::$name(x, y);
            differ(
                result.to_f32(),
                lower.$round().to_f32(),
                upper.$round().to_f32(),
            )
        }

        #[crunch]
        pub fn quick(x: $lanes, y: $lanes) -> DcInt {
            let (lower, upper) = about($f32(x.to_f32().to_f64(), y.to_f32().to_f64()));
            let result = dc_math::$module::$name(x, y);
            differ(
                result.to_f32(),
                lower.$round().to_f32(),
                upper.$round().to_f32(),
            )
        }
    };
}

macro_rules! pairs {
    ($($name:ident $function:ident { $f32:ident $($f32_more:literal)* } { $f64:ident $($f64_more:literal)* };)+) => {
        $(#[cfg(feature = "full")]
        mod $name {
            pub mod f16 {
                use super::super::*;
                kernels! { DcHalf to_half f16 $name $f32 $f64 }
            }
            pub mod bf16 {
                use super::super::*;
                kernels! { DcBfloat to_bfloat bf16 $name $f32 $f64 }
            }
        })+

        /// All of them.
        pub const PAIRS: &[PairCase] = &[$(
            PairCase {
                name: concat!("f16::", stringify!($name)),
                #[cfg(feature = "full")]
                kernel: <dc_math::f16::$name as CrunchFn>::KERNEL,
                one: dc_math::f16::$name,
                truth: $f64::eval,
                format: half,
                #[cfg(feature = "full")]
                check_all: $name::f16::check::map,
                #[cfg(feature = "full")]
                quick_all: $name::f16::quick::map,
            },
            PairCase {
                name: concat!("bf16::", stringify!($name)),
                #[cfg(feature = "full")]
                kernel: <dc_math::bf16::$name as CrunchFn>::KERNEL,
                one: dc_math::bf16::$name,
                truth: $f64::eval,
                format: bfloat,
                #[cfg(feature = "full")]
                check_all: $name::bf16::check::map,
                #[cfg(feature = "full")]
                quick_all: $name::bf16::quick::map,
            },
        )+];
    };
}
dc_runtime::__references_of_two!(pairs);

/// Where |f(x, y)| is, seen from the midpoint `m` of two results, to which it is so close that no approximation tells.
fn beside(name: &str, x: f64, y: f64, m: f64) -> Option<Ordering> {
    let (x, y) = (x.abs(), y);
    match name {
        "pow" | "powr" => (power(x, y)? == m).then_some(Ordering::Equal),
        // The squares and the difference are exact, and the second square decides where it is small.
        "hypot" => {
            let (large, small) = (x.max(y.abs()), x.min(y.abs()));
            (large * large - m * m + small * small).partial_cmp(&0.0)
        }
        // The angle is below its tangent by t³/3.
        "atan2" => {
            let tangent = x.abs() / y.abs();
            (tangent < 1e-6 && tangent == m && tangent * y.abs() == x.abs())
                .then_some(Ordering::Less)
        }
        "div" => (x == m * y.abs()).then_some(Ordering::Equal),
        _ => None,
    }
}

/// x^y, if it has at most 53 bits. Then x is a square as often as y is half a whole number, and if y is negative it is a power of two.
fn power(x: f64, y: f64) -> Option<f64> {
    let (mut x, mut y) = (x, y);
    while y != y.trunc() {
        let root = x.sqrt();
        (root * root == x).then_some(())?;
        (x, y) = (root, y + y);
    }
    if y < 0.0 {
        (1.0 / (1.0 / x) == x && x.to_bits().trailing_zeros() >= 52).then_some(())?;
        (x, y) = (1.0 / x, -y);
    }
    let mut product = 1.0f64;
    for _ in 0..y.min(2000.0) as u32 {
        let next = product * x;
        (product.mul_add(x, -next) == 0.0 && next.is_normal()).then_some(())?;
        product = next;
    }
    Some(product)
}

impl PairCase {
    /// The right result, unless it cannot be decided.
    fn right(&self, x: u16, y: u16) -> Option<u16> {
        let format = (self.format)();
        let (x, y) = (format.value(x), format.value(y));
        let r = (self.truth)(x, y);
        let e = r.hi.abs() * ERROR;
        let e = if e.is_finite() { e } else { 0.0 };
        let lower = format.nearest(r.hi, r.lo - e);
        if lower == format.nearest(r.hi, r.lo + e) {
            return Some(lower);
        }
        let m = format.midpoint(r.hi);
        let (_, name) = self.name.split_once("::")?;
        let near = match beside(name, x, y, m)? {
            Ordering::Less => m.next_down(),
            Ordering::Equal => m,
            Ordering::Greater => m.next_up(),
        };
        Some(format.nearest(near.copysign(r.hi), 0.0))
    }

    fn look_closer(&self, state: &mut State, x: u16, y: u16) {
        let input = u32::from(x) << 16 | u32::from(y);
        let right = self.right(x, y);
        let wrong = right != Some((self.one)(x, y));
        state.near(input, wrong);
        state.count(
            input,
            match right {
                None => Verdict::Undecided,
                Some(_) if wrong => Verdict::Misrounded,
                Some(_) => Verdict::Right,
            },
        );
    }

    /// All pairs with this first number.
    #[cfg(feature = "full")]
    pub fn look_at_row(&self, state: &mut State, x: u16, quick: bool, found: &mut Vec<i32>) {
        let ys: Vec<u16> = (0..=u16::MAX).collect();
        found.resize(ys.len(), 0);
        let look = if quick {
            self.quick_all
        } else {
            self.check_all
        };
        look(&vec![x; ys.len()], &ys, found);
        for (&y, _) in ys.iter().zip(&*found).filter(|(_, f)| **f != 0) {
            self.look_closer(state, x, y);
        }
    }

    /// The right result, as the table of the search has it.
    #[cfg(feature = "full")]
    pub fn right_bits(&self, input: u32) -> Option<u32> {
        self.right((input >> 16) as u16, input as u16)
            .map(u32::from)
    }
}

/// Pairs of the short form: special numbers with one another, and every first number with two second ones.
fn sample() -> impl Iterator<Item = (u16, u16)> {
    let edges: Vec<u16> = [
        0, 1, 2, 3, 0x0400, 0x0080, 0x3c00, 0x3f80, 0x4000, 0x4040, 0x7bff, 0x7f7f, 0x7c00, 0x7f80,
        0x7e00, 0x7fc0,
    ]
    .into_iter()
    .flat_map(|x: u16| [x, x | 0x8000])
    .collect();
    let squared = edges
        .clone()
        .into_iter()
        .flat_map(move |x| edges.clone().into_iter().map(move |y| (x, y)));
    let rows = (0..=u16::MAX).flat_map(|x| {
        (0..2u16).map(move |n| {
            (
                x,
                x.wrapping_mul(0x9e37).wrapping_add(n.wrapping_mul(0x3a7d)),
            )
        })
    });
    squared.chain(rows)
}

#[test]
fn pairs_of_16_bits() {
    let mut wrong = Vec::new();
    for case in PAIRS {
        let mut state = State::default();
        let hard = words(case.name).map(|pair| ((pair >> 16) as u16, pair as u16));
        for (x, y) in sample().chain(hard) {
            case.look_closer(&mut state, x, y);
        }
        wrong.extend(state.complaint(case.name));
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Ties, and values next to ties, of each function are decided.
#[test]
fn what_no_approximation_decides() {
    use Ordering::{Equal, Greater, Less};
    assert_eq!(power(2.25, 1.5), Some(3.375));
    assert_eq!(power(0.25, -3.0), Some(64.0));
    assert_eq!(power(3.0, -1.0), None);
    assert_eq!(power(2.0, 0.5), None);
    assert_eq!(power(3.0, 40.0), None, "more than 53 bits");
    assert_eq!(beside("hypot", 3.0, -4.0, 5.0), Some(Equal));
    assert_eq!(beside("hypot", 3.0, 2f64.powi(-20), 3.0), Some(Greater));
    assert_eq!(beside("hypot", 3.0, 4.0, 5.0f64.next_up()), Some(Less));
    assert_eq!(
        beside("atan2", 2f64.powi(-24), -2.0, 2f64.powi(-25)),
        Some(Less)
    );
    assert_eq!(beside("atan2", 1.0, 2.0, 0.5), None);
    assert_eq!(beside("div", 3.0, -2.0, 1.5), Some(Equal));
    assert_eq!(beside("div", 3.0, 2.0, 1.25), None);
}
