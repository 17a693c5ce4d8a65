//! Rectangles of pairs, and whether some of them cover all pairs of another.

use super::value::{BINARY32, Format};

/// The signs of a side's numbers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Sign {
    Plus,
    Minus,
    Both,
}

/// The numbers of an argument with magnitudes from `lo` to `hi`. For zeros, both are 0.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Side {
    pub sign: Sign,
    pub lo: f64,
    pub hi: f64,
}

/// All pairs of two sides.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Rectangle {
    pub sides: [Side; 2],
}

impl Side {
    /// Checks that both ends are numbers of the format, in order, and that zeros are separate.
    pub fn checked(self, f: Format) -> Result<Side, String> {
        let number = |x: f64| {
            x.is_finite()
                && x >= 0.0
                && x.is_sign_positive()
                && (f != BINARY32 || f64::from(x as f32) == x)
        };
        let Side { lo, hi, .. } = self;
        match number(lo) && number(hi) && lo <= hi && (lo > 0.0 || hi == 0.0) {
            true => Ok(self),
            false => Err(format!(
                "{lo:e} to {hi:e} are no magnitudes of the format: zeros are apart from others"
            )),
        }
    }

    pub fn is_negative(&self) -> bool {
        self.sign == Sign::Minus
    }

    /// The side's parts, each with one sign. A side that holds only the two zeros stays one part.
    fn signs(&self) -> Vec<Side> {
        match self.sign {
            Sign::Both if self.hi > 0.0 => [Sign::Plus, Sign::Minus]
                .map(|sign| Side { sign, ..*self })
                .to_vec(),
            _ => vec![*self],
        }
    }

    /// Intervals of keys: the key of -x is the negated key of x, minus 1.
    fn keys(&self, f: Format) -> Vec<[i128; 2]> {
        let [lo, hi] = [self.lo, self.hi].map(|x| i128::from(f.bits(x)));
        let (plus, minus) = ([lo, hi], [-1 - hi, -1 - lo]);
        match self.sign {
            Sign::Plus => vec![plus],
            Sign::Minus => vec![minus],
            Sign::Both => vec![plus, minus],
        }
    }

    fn exponent(x: f64) -> i32 {
        crate::number::exponent(&crate::number::exact(x))
    }

    /// The number of powers of two inside.
    fn binades(&self) -> i32 {
        match self.hi == 0.0 {
            true => 0,
            false => Side::exponent(self.hi) - Side::exponent(self.lo),
        }
    }

    /// The side's halves, cut at a power of two.
    fn halves(&self, f: Format) -> [Side; 2] {
        let middle = Side::exponent(self.lo) + (self.binades() + 1) / 2;
        let above = crate::number::power_double(middle);
        let below = f.number(f.bits(above) - 1);
        [Side { hi: below, ..*self }, Side { lo: above, ..*self }]
    }
}

/// Keys of the pairs of a rectangle in which no sign changes.
type Keys = [[i128; 2]; 2];

impl Rectangle {
    /// The parts of the rectangle in which each argument has one sign.
    pub fn signs(&self) -> Vec<Rectangle> {
        let [first, second] = self.sides.map(|s| s.signs());
        let pairs = |x: Side| second.iter().map(move |&y| Rectangle { sides: [x, y] });
        first.iter().flat_map(|&x| pairs(x)).collect()
    }

    fn keys(&self, f: Format) -> Vec<Keys> {
        let [first, second] = self.sides.map(|s| s.keys(f));
        first
            .iter()
            .flat_map(|&x| second.iter().map(move |&y| [x, y]))
            .collect()
    }

    /// The rectangle's halves; `None` if both sides are within a binade.
    pub fn halves(&self, f: Format) -> Option<[Rectangle; 2]> {
        let wide = usize::from(self.sides[1].binades() > self.sides[0].binades());
        (self.sides[wide].binades() > 0).then(|| {
            self.sides[wide].halves(f).map(|half| {
                let mut part = *self;
                part.sides[wide] = half;
                part
            })
        })
    }
}

fn meet(a: [i128; 2], b: [i128; 2]) -> Option<[i128; 2]> {
    let both = [a[0].max(b[0]), a[1].min(b[1])];
    (both[0] <= both[1]).then_some(both)
}

/// The parts of an interval below and above another interval inside it.
fn sides_of(a: [i128; 2], part: [i128; 2]) -> impl Iterator<Item = [i128; 2]> {
    [[a[0], part[0] - 1], [part[1] + 1, a[1]]]
        .into_iter()
        .filter(|p| p[0] <= p[1])
}

/// Whether each pair of a rectangle is in one of the other rectangles.
pub fn covers(boxes: &[Rectangle], of: &Rectangle, f: Format) -> bool {
    let boxes: Vec<Keys> = boxes.iter().flat_map(|b| b.keys(f)).collect();
    // The rest, and the first box that may meet it.
    let mut todo: Vec<(Keys, usize)> = of.keys(f).into_iter().map(|k| (k, 0)).collect();
    while let Some((rest, first)) = todo.pop() {
        let found = (boxes.iter().enumerate().skip(first))
            .find_map(|(i, b)| Some((i, meet(rest[0], b[0])?, meet(rest[1], b[1])?)));
        let Some((i, x, y)) = found else {
            return false;
        };
        todo.extend(sides_of(rest[0], x).map(|x| ([x, rest[1]], i + 1)));
        todo.extend(sides_of(rest[1], y).map(|y| ([x, y], i + 1)));
    }
    true
}

/// The number of pairs of rectangles, if no pair is in two of them.
pub fn count(rectangles: &[Rectangle], f: Format) -> Option<u128> {
    let keys: Vec<Keys> = rectangles.iter().flat_map(|r| r.keys(f)).collect();
    let apart = keys.iter().enumerate().all(|(i, a)| {
        let mut before = keys[..i].iter();
        before.all(|b| meet(a[0], b[0]).is_none() || meet(a[1], b[1]).is_none())
    });
    // All pairs of binary64 are fewer than 2^128.
    let length = |k: [i128; 2]| (k[1] - k[0] + 1).unsigned_abs();
    apart.then(|| keys.iter().map(|k| length(k[0]) * length(k[1])).sum())
}

/// All pairs of finite numbers. The first two rectangles hold those whose second number is not 0.
pub fn of_all(f: Format) -> [Rectangle; 4] {
    let zeros = Side {
        sign: Sign::Both,
        lo: 0.0,
        hi: 0.0,
    };
    let others = match f == BINARY32 {
        true => [f64::from(f32::from_bits(1)), f64::from(f32::MAX)],
        false => [f64::from_bits(1), f64::MAX],
    };
    let others = Side {
        sign: Sign::Both,
        lo: others[0],
        hi: others[1],
    };
    [
        (zeros, others),
        (others, others),
        (zeros, zeros),
        (others, zeros),
    ]
    .map(|(x, y)| Rectangle { sides: [x, y] })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pairs::value::BINARY64;

    fn side(sign: Sign, lo: f64, hi: f64) -> Side {
        Side { sign, lo, hi }
    }

    fn of(x: Side, y: Side) -> Rectangle {
        Rectangle { sides: [x, y] }
    }

    #[test]
    fn a_pair_that_is_left_out_is_seen() {
        let below = f64::from(2f32.next_down());
        let (low, high) = (side(Sign::Both, 1.0, below), side(Sign::Both, 2.0, 8.0));
        let all = side(Sign::Both, 1.0, 8.0);
        let whole = of(all, all);
        let parts = [of(low, low), of(low, high), of(high, all)];
        assert!(covers(&parts, &whole, BINARY32));
        // 2 - 2^-23 is next to 2 in binary32 alone.
        assert!(!covers(&parts, &whole, BINARY64));
        for i in 0..3 {
            let mut some = parts.to_vec();
            some.remove(i);
            assert!(!covers(&some, &whole, BINARY32), "{i}");
        }
        let plus = of(side(Sign::Plus, 1.0, 8.0), all);
        let minus = of(side(Sign::Minus, 1.0, 8.0), all);
        assert!(covers(&[plus, minus], &whole, BINARY32) && !covers(&[plus], &whole, BINARY32));
        let less = of(side(Sign::Minus, 1.0, 8f64.next_down()), all);
        assert!(!covers(&[plus, less], &whole, BINARY64));
        assert_eq!(count(&[plus, minus], BINARY32), count(&[whole], BINARY32));
        assert_eq!(count(&[plus, whole], BINARY32), None);
        let numbers = [(BINARY32, 2 * 0x7f80_0000u128), (BINARY64, 0x7ff0 << 49)];
        for (f, n) in numbers {
            assert_eq!(count(&of_all(f), f), Some(n * n));
            assert_eq!(count(&of_all(f)[..2], f), Some(n * (n - 2)));
        }
    }

    #[test]
    fn halves_are_next_to_each_other() {
        for f in [BINARY32, BINARY64] {
            for whole in of_all(f) {
                let mut todo = vec![whole];
                let mut parts = Vec::new();
                while let Some(part) = todo.pop() {
                    match part.halves(f) {
                        Some(halves) if todo.len() + parts.len() < 50 => todo.extend(halves),
                        _ => parts.push(part),
                    }
                }
                assert!(covers(&parts, &whole, f));
                assert_eq!(parts.len() > 40, whole.sides != [of_all(f)[2].sides[0]; 2]);
            }
        }
    }

    #[test]
    fn sides_are_of_the_format() {
        for (lo, hi, f, right) in [
            (0.0, 0.0, BINARY32, true),
            (1.0, 2.0, BINARY32, true),
            (0.0, 2.0, BINARY64, false),
            (2.0, 1.0, BINARY64, false),
            (1.0, 1f64.next_up(), BINARY32, false),
            (-1.0, 1.0, BINARY64, false),
            (1.0, f64::INFINITY, BINARY64, false),
        ] {
            assert_eq!(
                side(Sign::Plus, lo, hi).checked(f).is_ok(),
                right,
                "{lo} {hi}"
            );
        }
    }
}
