//! Functions with short kernels (`dc-math/src/quick.rs`). Results of single numbers, and of groups with and without special arguments, have the bits of the
//! whole kernel, which the interpreter evaluates.

use dc_runtime::kernel::CrunchFn;
use kernels_gen::interp::Interpreter;
use kernels_gen::ir::Kernel;
use kernels_gen::lower;

use crate::inputs::{random, unit};

/// 2^n
fn two(n: i32) -> f64 {
    2f64.powi(n)
}

/// Where an argument of some function becomes special, or where another short kernel computes it.
fn edges() -> Vec<f64> {
    let mut all = vec![
        0.0, 0.5, 1.0, 2.0, 2.5, 5.95, 18.0, 40.0, 150.0, 256.0, 350.0, 500.0, 4096.0, 16_384.0,
    ];
    all.extend([-1022, -300, -299, -60, -53, -28, 28, 60, 125, 400, 1000].map(two));
    all.extend([1022, -126, -149, -1074, -200].map(two));
    all.extend([f64::INFINITY, f64::NAN, f64::MAX, f64::from(f32::MAX)]);
    // Exceptions of binary32, which are compared separately.
    all.extend([0x3540_0003, 0x65d8_90d3].map(|bits| f64::from(f32::from_bits(bits))));
    let near = |x: f64| [x.next_down(), x, x.next_up()];
    let near_in_f32 = |x: f64| [(x as f32).next_down(), (x as f32).next_up()].map(f64::from);
    let all: Vec<f64> = all
        .into_iter()
        .flat_map(|x| [near(x).to_vec(), near_in_f32(x).to_vec()].concat())
        .collect();
    all.iter().flat_map(|&x| [x, -x]).collect()
}

/// Edges, numbers of all magnitudes, and enough numbers of moderate size for groups that have no special arguments.
fn inputs(seed: u64) -> Vec<f64> {
    let mut word = random(seed);
    let mut all = edges();
    for _ in 0..1000 {
        all.push(f64::from_bits(word()));
        all.push(f64::from(f32::from_bits(word() as u32)));
        for scale in [1.0, 3.0, 40.0, 1100.0] {
            all.push(scale * (2.0 * unit(word()) - 1.0));
        }
    }
    all
}

/// The same numbers in another order: special arguments are in most groups.
fn mixed<T: Copy>(x: &[T]) -> Vec<T> {
    let mut order: Vec<usize> = (0..x.len()).collect();
    let mut word = random(5);
    order.sort_by_cached_key(|_| word());
    order.into_iter().map(|i| x[i]).collect()
}

/// The results of the whole kernel.
fn right(kernel: &'static Kernel, columns: &[Vec<u64>]) -> Vec<u64> {
    let program = lower(kernel).expect("it is lowered");
    let columns: Vec<&[u64]> = columns.iter().map(Vec::as_slice).collect();
    let mut outputs = vec![Vec::new()];
    Interpreter::new(&program).run(&columns, &mut outputs);
    outputs.remove(0)
}

/// For each function, the first result of each way to compute it that has other bits: of single numbers, of a slice on the widest instruction set, and of one
/// on AVX2.
macro_rules! check {
    ($number:ident; $($module:ident::$name:ident($($x:ident),+) on $orders:expr;)+) => {{
        let mut wrong = Vec::new();
        $(for ($($x,)+) in $orders {
            let name = concat!(stringify!($module), "::", stringify!($name));
            $(let $x: Vec<$number> = $x.iter().map(|&x| x as $number).collect();)+
            let columns = [$($x.iter().map(|x| u64::from(x.to_bits())).collect()),+];
            let right = right(<dc_math::$module::$name as CrunchFn>::KERNEL, &columns);
            let mut compare = |how: &str, z: &[$number]| {
                let other = |&at: &usize| u64::from(z[at].to_bits()) != right[at];
                if let Some(at) = (0..right.len()).find(other) {
                    wrong.push(format!("{how} of {name} at {:?}", ($($x[at],)+)));
                }
            };
            let mut z: Vec<$number> = Vec::new();
            for at in 0..right.len() {
                z.push(dc_math::$module::$name($($x[at]),+));
            }
            compare("one", &z);
            <dc_math::$module::$name>::map($(&$x,)+ &mut z);
            compare("map", &z);
            #[cfg(target_arch = "x86_64")]
            if let Some(isa) = <dc_runtime::isa::Avx2<1> as dc_runtime::isa::Isa>::detect() {
                dc_runtime::run::map_on::<dc_math::$module::$name, _>(isa, ($(&$x,)+), &mut z);
                compare("AVX2", &z);
            }
        })+
        assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    }};
}

/// In order, so that most groups have no special arguments, and mixed.
fn orders() -> [(Vec<f64>,); 2] {
    let mut x = inputs(11);
    x.sort_by(f64::total_cmp);
    let other = mixed(&x);
    [(x,), (other,)]
}

#[test]
fn functions_of_binary64() {
    check! { f64;
        f64::exp(x) on orders();
        f64::exp2(x) on orders();
        f64::exp10(x) on orders();
        f64::expm1(x) on orders();
        f64::exp2m1(x) on orders();
        f64::exp10m1(x) on orders();
        f64::sinh(x) on orders();
        f64::cosh(x) on orders();
        f64::tanh(x) on orders();
        f64::sigmoid(x) on orders();
        f64::silu(x) on orders();
        f64::softplus(x) on orders();
        f64::mish(x) on orders();
        f64::erf(x) on orders();
        f64::erfc(x) on orders();
        f64::gelu(x) on orders();
        f64::log(x) on orders();
        f64::log2(x) on orders();
        f64::log10(x) on orders();
        f64::log1p(x) on orders();
        f64::log2p1(x) on orders();
        f64::log10p1(x) on orders();
        f64::sin(x) on orders();
        f64::cos(x) on orders();
        f64::tan(x) on orders();
        f64::asin(x) on orders();
        f64::acos(x) on orders();
        f64::atan(x) on orders();
        f64::asinh(x) on orders();
        f64::acosh(x) on orders();
        f64::atanh(x) on orders();
        f64::logit(x) on orders();
        f64::lgamma(x) on orders();
    }
}

/// Magnitudes of pairs next to one another, and exponents for which a power is next to the end of the moderate ones.
fn orders_of_two() -> [(Vec<f64>, Vec<f64>); 2] {
    let (x, y) = (inputs(12), inputs(13));
    let mut pairs: Vec<(f64, f64)> = Vec::new();
    for (n, (&x, y)) in x.iter().zip(mixed(&y)).enumerate() {
        let moderate = 350.0 * (1.0 + (n % 5) as f64 * 1e-16 - 2e-16) / x.abs().ln();
        pairs.extend([(x, y), (x, x * y), (x, moderate), (x.abs(), -moderate)]);
    }
    for x in edges() {
        pairs.extend(edges().into_iter().map(|y| (x, y)));
        pairs.extend([x, x.next_up()].map(|y| (x, 0.5 * y)));
    }
    pairs.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.total_cmp(&b.1)));
    let other = mixed(&pairs);
    [pairs, other].map(|pairs| pairs.into_iter().unzip())
}

#[test]
fn functions_of_two_numbers_of_binary64() {
    check! { f64;
        f64::pow(x, y) on orders_of_two();
        f64::powr(x, y) on orders_of_two();
        f64::hypot(x, y) on orders_of_two();
    }
}

#[test]
fn functions_of_binary32() {
    check! { f32;
        f32::exp(x) on orders();
        f32::exp2(x) on orders();
        f32::exp10(x) on orders();
        f32::log(x) on orders();
        f32::log2(x) on orders();
        f32::log10(x) on orders();
        f32::log1p(x) on orders();
        f32::log2p1(x) on orders();
        f32::log10p1(x) on orders();
        f32::sin(x) on orders();
        f32::cos(x) on orders();
        f32::tan(x) on orders();
        f32::asin(x) on orders();
        f32::acos(x) on orders();
        f32::atan(x) on orders();
        f32::sinpi(x) on orders();
        f32::tanh(x) on orders();
        f32::erf(x) on orders();
        f32::sigmoid(x) on orders();
    }
}
