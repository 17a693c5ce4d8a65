//! Structures, arrays, `&mut` parameters, methods and labels.

use crate::compare::written;
use dc_runtime::prelude::crunch;

#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Vec2 {
    pub x: f32,
    pub y: f32,
}

/// Twice as much, and what is left.
#[derive(Clone, Copy)]
pub struct Parts<T>(T, T);

const ORIGIN: Vec2 = Vec2 { x: 0.5, y: -1.0 };

#[crunch]
fn rotated(v: Vec2, back: bool) -> Vec2 {
    let Vec2 { x, y } = v;
    if back {
        return Vec2 { x: y, y: -x };
    }
    Vec2 { y: x, x: -y }
}

#[crunch]
fn moved(v: Vec2) -> Vec2 {
    let mut w = Vec2 {
        x: v.x + 1.0,
        ..ORIGIN
    };
    if w.x > 3.0 {
        w.y += v.y;
    }
    rotated(w, v.y > 0.0)
}

#[crunch]
fn halves(x: f64) -> Parts<f64> {
    let whole = x.floor();
    Parts(whole, x - whole)
}

#[crunch]
impl Vec2 {
    const SCALE: f32 = 2.5;

    pub const fn new(x: f32, y: f32) -> Self {
        Self { x, y }
    }
    pub fn dot(&self, other: &Vec2) -> f32 {
        self.x * other.x + self.y * other.y
    }
    pub fn scaled(self, k: f32) -> Self {
        Self::new(self.x * k * Self::SCALE, self.y * k)
    }
    /// The length's square, then.
    pub fn grow(&mut self, k: f32) -> f32 {
        if k < 0.0 {
            return -1.0;
        }
        self.x += k;
        self.y *= k;
        self.dot(&*self)
    }
    pub fn text(&self) -> String {
        format!("{self:?}")
    }
}

#[crunch]
fn by_methods(x: f32, k: f32) -> f32 {
    let mut v = Vec2::new(x, k).scaled(0.5);
    let first = v.grow(k - 1.0);
    first + v.dot(&Vec2 { x: 1.0, y: 2.0 })
}

#[crunch]
fn swapped(a: &mut f32, b: &mut f32) {
    if *a > *b {
        std::mem::swap(a, b);
    }
    *b += 1.0;
}

#[crunch]
fn with_changed(x: f32, count: &mut u32) -> f32 {
    let (mut low, mut high) = (x, 1.5);
    if low.is_nan() {
        *count += 1;
        return 0.0;
    }
    swapped(&mut low, &mut high);
    *count ^= low.to_bits();
    high - low
}

const SRGB: [[f32; 3]; 3] = [[0.41, 0.35, 0.18], [0.21, 0.71, 0.07], [0.02, 0.12, 0.95]];

#[crunch]
fn matrix(c: [f32; 3]) -> [f32; 3] {
    let mut out = [0.0; 3];
    for i in 0..3 {
        for j in 0..3 {
            out[i] += SRGB[i][j] * c[j];
        }
    }
    let [r, g, b] = out;
    [r.max(0.0), g, if b > 1.0 { 1.0 } else { b }]
}

#[crunch]
fn in_place([x, y]: [f64; 2], n: u32) -> [f64; 2] {
    let mut kept = [x, y, x + y, x - y, 0.0, 1.0, x * 2.0, 3.0, y * 4.0, 7.0];
    kept[(n % 10) as usize] = 0.25;
    let mut sum = 0.0;
    for (i, k) in kept.iter().enumerate() {
        if i as u32 == n {
            continue;
        }
        sum += k;
    }
    kept[1] -= sum;
    let sorted = kept.map(|k| if k < 0.0 { -k } else { k });
    [
        sorted[(n & 7) as usize],
        kept.iter().rev().fold(0.0, |s, k| s * 0.5 + k),
    ]
}

const STEPS: [(u32, i16, [f32; 2]); 3] = [
    (7, -3, [1.0, 2.0]),
    (9, 4, [0.5, 0.25]),
    (1, 0, [8.0, -8.0]),
];

#[crunch]
fn by_entries(x: f32, n: u32) -> f32 {
    let (a, b, [c, d]) = STEPS[(n % 3) as usize];
    let mut sum = x * c;
    for (k, s, _) in STEPS {
        sum += (k as i32 * i32::from(s)) as f32 * d;
    }
    sum + (a as f32 - b as f32)
}

#[crunch]
fn labels(x: f32) -> f32 {
    let mut sum = 0.0;
    'outer: for i in 0..5 {
        for j in 0..4 {
            if x > (i * j) as f32 * 2.0 {
                continue 'outer;
            }
            if x < -(j as f32) {
                break 'outer;
            }
            sum += 1.0;
            if sum > 6.5 {
                return sum * x;
            }
        }
        sum += 0.25;
    }
    let found = 'found: {
        if x > 2.0 {
            break 'found 1.0;
        }
        if x > 0.0 {
            break 'found x;
        }
        sum * 2.0
    };
    found + sum
}

#[derive(Clone, Copy, PartialEq)]
enum Mode {
    Up,
    Down,
    Nearest,
}

#[crunch]
fn by_mode(x: f64, mode: Mode) -> f64 {
    if mode == Mode::Nearest {
        return x.round_ties_even();
    }
    match mode {
        Mode::Up => x.ceil(),
        Mode::Down => x.floor(),
        Mode::Nearest => 0.0,
    }
}

#[crunch]
fn half_of(n: u32) -> Option<u32> {
    if n % 2 == 1 {
        return None;
    }
    Some(n / 2)
}

#[crunch]
fn quarter_of(n: u32) -> Option<u32> {
    let half = half_of(n)?;
    let Some(quarter) = half_of(half) else {
        return Some(half);
    };
    if let Some(eighth) = half_of(quarter) {
        return eighth.checked_add(0xf000_0000);
    }
    half_of(quarter).map(|q| q + 1)
}

#[test]
fn structures() {
    written::<rotated>(|_| true);
    written::<moved>(|_| true);
    written::<halves>(|_| true);
    assert_eq!(rotated::eval((1.0, 2.0), false), (-2.0, 1.0));
    assert_eq!(halves::eval(2.75), (2.0, 0.75));
}

#[test]
fn methods() {
    written::<Vec2_new>(|_| true);
    written::<Vec2_dot>(|_| true);
    written::<Vec2_scaled>(|_| true);
    written::<Vec2_grow>(|_| true);
    written::<by_methods>(|_| true);
    let mut v = Vec2::new(1.0, 2.0);
    let result = v.grow(3.0);
    assert_eq!(Vec2_grow::eval((1.0, 2.0), 3.0), (result, (v.x, v.y)));
    assert_eq!(v.text(), "Vec2 { x: 4.0, y: 6.0 }");
}

#[test]
fn mutable_parameters() {
    written::<swapped>(|_| true);
    written::<with_changed>(|words| words[1] < 0xffff_ffff);
    assert_eq!(swapped::eval(3.0, 1.0), (1.0, 4.0));
}

#[test]
fn arrays_of_lanes() {
    written::<matrix>(|_| true);
    written::<in_place>(|_| true);
    written::<by_entries>(|_| true);
    let want = matrix([1.0, 0.5, 0.25]);
    assert_eq!(matrix::eval((1.0, 0.5, 0.25)), want.into());
}

#[test]
fn control() {
    written::<labels>(|_| true);
    written::<by_mode>(|_| true);
    written::<half_of>(|_| true);
    written::<quarter_of>(|_| true);
    assert_eq!(quarter_of::eval(8), (true, 0xf000_0001));
    assert_eq!(half_of::eval(3), (false, 0));
}

#[crunch]
fn conditional(x: f32) -> f32 {
    #[cfg(debug_assertions)]
    const STEP: f32 = 2.0;
    #[cfg(not(debug_assertions))]
    const STEP: f32 = 2.0;
    #[cfg(target_pointer_width = "16")]
    let x = no_such_function(x);
    #[cfg(not(target_pointer_width = "16"))]
    {
        if x > STEP {
            return x - STEP;
        }
    }
    #[allow(unused_variables, reason = "an attribute inside")]
    let y = match x as i32 {
        #[cfg(target_pointer_width = "16")]
        0 => no_such_function(x),
        1 => 0.5,
        _ => x,
    };
    y
}

#[crunch]
fn by_closures(a: f64, b: f64, c: f64) -> f64 {
    let scale = a + 1.0;
    let relative = |x: f64, y: f64| if y == 0.0 { x * scale } else { (x - y) / y };
    let twice = |x| relative(x, b) + relative(x, c);
    let b = twice(a) + twice(2.0);
    match b > 1.0 {
        true if c < 0.0 => twice(b),
        false => b,
        true => c,
    }
}

fn total_of<const N: usize>(x: f32) -> f32 {
    x * N as f32
}

static WEIGHTS: [f32; 3] = [0.5, 0.25, 4.0];

#[crunch]
fn passed(v: &[f32; 3], k: &f32) -> f32 {
    static HALF: f32 = 0.5;
    let mut sum = *k * HALF;
    for (w, x) in WEIGHTS.iter().zip(v) {
        sum += w * x;
    }
    sum
}

#[crunch]
fn passes(a: f32, b: f32) -> f32 {
    let k = a - b;
    passed(&[a, b, 1.5], &k) + passed(&WEIGHTS, &2.0)
}

#[test]
fn other_ways() {
    written::<conditional>(|_| true);
    written::<by_closures>(|_| true);
    written::<passed>(|_| true);
    written::<passes>(|_| true);
    assert_eq!(total_of::<2>(1.0), 2.0);
}

#[crunch]
impl std::ops::Add for Vec2 {
    type Output = Self;
    fn add(self, other: Self) -> Self::Output {
        Vec2::new(self.x + other.x, self.y + other.y)
    }
}
#[crunch]
impl std::ops::Mul<f32> for Vec2 {
    type Output = Vec2;
    fn mul(self, k: f32) -> Vec2 {
        Self {
            x: self.x * k,
            y: self.y * k,
        }
    }
}
#[crunch]
impl std::ops::Mul<Vec2> for f32 {
    type Output = Vec2;
    fn mul(self, v: Vec2) -> Vec2 {
        v * self
    }
}
#[crunch]
impl std::ops::Neg for Vec2 {
    type Output = Vec2;
    fn neg(self) -> Vec2 {
        Vec2 {
            x: -self.x,
            y: -self.y,
        }
    }
}

trait Limited {
    const MOST: f32;
    fn limited(self) -> Self;
    /// The number's own method comes first.
    fn abs(self) -> Self;
}
#[crunch]
impl Limited for f32 {
    const MOST: f32 = 2.5;
    fn limited(self) -> Self {
        if self > Self::MOST {
            return Self::MOST;
        }
        self.abs()
    }
    fn abs(self) -> Self {
        self + 7.0
    }
}

#[crunch]
fn operators(a: Vec2, b: Vec2, k: f32) -> Vec2 {
    let mut sum = a + b * k.limited();
    sum = -sum + 2.0 * a;
    sum * 0.5 + a
}

#[crunch]
fn upper(a: u64, b: u64, c: u32) -> (u64, u64, i64) {
    let high = ((a as u128 * b as u128) >> 64) as u64;
    let mixed = ((u64::from(c) as u128 * a as u128) >> 64) as u64;
    (
        high,
        mixed,
        ((a as i64 as i128 * b as i64 as i128) >> 64) as i64,
    )
}

#[test]
fn operators_and_upper_products() {
    written::<operators>(|_| true);
    written::<f32_limited>(|_| true);
    written::<upper>(|_| true);
}
