//! Random kernels that approximate a function near a stretch of inputs to some units in the last place, as the routines do that people
//! prove: reductions, polynomials, quotients, roots, sums with the input, split squares.

use crate::ir::Program;
use crate::kernels::Words;
use crate::law::Law;

/// A kernel on a stretch.
pub struct Case {
    pub law: Law,
    pub text: String,
    pub program: Program,
    pub lo: f64,
    pub hi: f64,
}

/// A kernel's text, with the value of each instruction at one input.
struct Text {
    text: String,
    values: Vec<f64>,
}

impl Text {
    fn push(&mut self, operation: &str, value: f64) -> usize {
        let n = self.values.len();
        self.text += &format!("  %{n}: f64 = {operation}\n");
        self.values.push(value);
        n
    }

    fn constant(&mut self, c: f64) -> usize {
        self.push(&format!("const {:#x}", c.to_bits()), c)
    }

    fn add(&mut self, a: usize, b: usize) -> usize {
        let value = self.values[a] + self.values[b];
        self.push(&format!("add %{a}, %{b}"), value)
    }

    fn sub(&mut self, a: usize, b: usize) -> usize {
        let value = self.values[a] - self.values[b];
        self.push(&format!("sub %{a}, %{b}"), value)
    }

    fn mul(&mut self, a: usize, b: usize) -> usize {
        let value = self.values[a] * self.values[b];
        self.push(&format!("mul %{a}, %{b}"), value)
    }

    fn div(&mut self, a: usize, b: usize) -> usize {
        let value = self.values[a] / self.values[b];
        self.push(&format!("div %{a}, %{b}"), value)
    }

    /// `a b + c`, rounded once or twice.
    fn fused(&mut self, a: usize, b: usize, c: usize, fused: bool) -> usize {
        if fused {
            let value = self.values[a].mul_add(self.values[b], self.values[c]);
            self.push(&format!("fma %{a}, %{b}, %{c}"), value)
        } else {
            let product = self.mul(a, b);
            self.add(product, c)
        }
    }

    /// `a²`: rounded, or of a number that is split in two.
    fn square(&mut self, a: usize, random: &mut Words) -> usize {
        if random.below(3) > 0 {
            return self.mul(a, a);
        }
        let bits = 20 + random.below(14) as i32;
        let big = 1.5 * 2f64.powi(self.values[a].abs().log2().floor() as i32 + bits);
        let big = self.constant(big);
        let high = self.add(a, big);
        let high = self.sub(high, big);
        let low = self.sub(a, high);
        let both = self.add(high, a);
        let square = self.mul(high, high);
        let rest = self.mul(low, both);
        self.add(square, rest)
    }
}

/// The Taylor coefficients of a function at a number.
fn coefficients(law: Law, at: f64, terms: usize) -> Option<Vec<f64>> {
    let (x, one) = (
        crate::number::Fine::double(at),
        crate::number::Fine::double(1.0),
    );
    let series = law.series(&x, &one, terms)?;
    Some(series.iter().map(crate::number::Interval::middle).collect())
}

/// The sum of `c[k] r^k` from k = 1, in one of the orders of evaluation.
fn polynomial(text: &mut Text, r: usize, c: &[f64], random: &mut Words) -> usize {
    let fused = random.below(2) == 0;
    let c: Vec<usize> = c.iter().map(|c| text.constant(*c)).collect();
    let last = c.len() - 1;
    if last >= 3 && random.below(2) == 0 {
        // c1 r + r² (c2 + c3 r + …)
        let square = text.square(r, random);
        let mut sum = c[last];
        for k in (2..last).rev() {
            sum = text.fused(sum, r, c[k], fused);
        }
        let high = text.mul(sum, square);
        return text.fused(c[1], r, high, random.below(2) == 0);
    }
    let mut sum = c[last];
    for k in (1..last).rev() {
        sum = text.fused(sum, r, c[k], fused);
    }
    text.mul(sum, r)
}

const LAWS: [(Law, f64, f64); 6] = [
    (Law::Exp, -0.6, 0.7),
    (Law::Sin, 0.1, 0.9),
    (Law::Cos, 0.1, 1.0),
    (Law::Ln, 1.15, 2.4),
    (Law::Recip, 0.7, 2.2),
    (Law::Sqrt, 0.4, 4.2),
];

/// A random kernel, and at most `2^most` inputs.
pub fn case(random: &mut Words, most: u64) -> Option<Case> {
    let part = |random: &mut Words| random.below(1 << 40) as f64 / 2f64.powi(40);
    let (law, from, to) = random.of(&LAWS);
    let lo = from + (to - from) * part(random);
    // Some begin at a power of two, where units change.
    let lo = if random.below(6) == 0 {
        2f64.powi(lo.abs().log2().round() as i32).copysign(lo)
    } else {
        lo
    };
    // On a few inputs an operation's results may be on both sides of a power of two, nearer to it than their errors.
    let inputs = match random.below(4) {
        0 => 2 + random.below(30),
        _ => (1u64 << (5 + random.below(most - 4))) + random.below(32),
    };
    let hi = f64::from_bits(lo.to_bits() + inputs);
    let (lo, hi) = (lo.min(hi), lo.max(hi));
    let x = f64::midpoint(lo, hi);
    let exactly = coefficients(law, x, 1)?[0];

    let mut text = Text {
        text: "doublecrunch ir 1\nfn f0\n".into(),
        values: vec![x],
    };
    text.text += "  %0: f64 = param\n";
    let distance = 2f64.powi(-3 - random.below(8) as i32) * (0.5 + part(random));
    let distance = if random.below(2) == 0 {
        -distance
    } else {
        distance
    };
    let center = match random.below(3) {
        // The difference is exact,
        0 | 1 => x - distance,
        // or the center is short.
        _ => ((x - distance) * 64.0).round() / 64.0,
    };
    let at = text.constant(center);
    let r = text.sub(0, at);
    let terms = 3 + random.below(4) as usize;
    let c = coefficients(law, center, terms)?;
    let few = inputs < 32;
    let form = if few && random.below(2) == 0 {
        5
    } else {
        random.below(8)
    };
    let result = match form {
        // c + r p
        0 | 1 => {
            let rest = polynomial(&mut text, r, &c, random);
            let first = text.constant(exactly - text.values[rest]);
            text.add(first, rest)
        }
        // The last product is fused.
        2 => {
            let fused = random.below(2) == 0;
            let mut sum = text.constant(c[terms - 1]);
            for k in (1..terms - 1).rev() {
                let c = text.constant(c[k]);
                sum = text.fused(sum, r, c, fused);
            }
            let first = text.constant(exactly - text.values[sum] * text.values[r]);
            text.fused(sum, r, first, true)
        }
        // 2^k x + (c + r p): ties with the input.
        3 | 4 => {
            let k = random.of(&[0i32, 0, 0, -1, 1, -2]);
            let scale = 2f64.powi(k) * if random.below(4) == 0 { -1.0 } else { 1.0 };
            let scaled = match k {
                0 if scale > 0.0 => 0,
                _ => {
                    let scale = text.constant(scale);
                    text.mul(0, scale)
                }
            };
            let mut c = c;
            c[1] -= scale;
            let rest = polynomial(&mut text, r, &c, random);
            let wanted = exactly - scale * x;
            let first = text.constant(wanted - text.values[rest]);
            let correction = text.add(first, rest);
            match random.below(2) {
                0 => text.add(scaled, correction),
                _ => text.add(correction, scaled),
            }
        }
        // (x + c) k + r p: sums whose last bits are lost, with ties.
        5 => {
            let far = if few {
                // Sums on both sides of a power of two.
                random.of(&[0.5, 1.0, 2.0, 4.0]) - x
            } else {
                random.of(&[0.37, 1.5, -0.21, 2.75]) + part(random) / 16.0
            };
            let far = text.constant(far);
            let sum = text.add(0, far);
            let scale = random.of(&[1.0, 1.25, 0.75]);
            let by = text.constant(scale);
            let scaled = text.mul(sum, by);
            let mut c = c;
            c[1] -= scale;
            let rest = polynomial(&mut text, r, &c, random);
            let wanted = exactly - text.values[scaled];
            let first = text.constant(wanted - text.values[rest]);
            let correction = text.add(first, rest);
            text.add(scaled, correction)
        }
        // A quotient: (f (1 + e r)) / (1 + e r).
        6 => {
            let e = (2.0 * part(random) - 1.0) * random.of(&[1.0, 2f64.powi(-30)]);
            let c: Vec<f64> = (0..terms)
                .map(|k| c[k] + if k > 0 { e * c[k - 1] } else { 0.0 })
                .collect();
            let (one, e) = (text.constant(1.0), text.constant(e));
            let below = text.fused(e, r, one, random.below(2) == 0);
            let rest = polynomial(&mut text, r, &c, random);
            let first = text.constant(exactly * text.values[below] - text.values[rest]);
            let above = text.add(first, rest);
            text.div(above, below)
        }
        // A root, of the square's series.
        _ => {
            let squared: Vec<f64> = (0..terms)
                .map(|k| (0..=k).map(|i| c[i] * c[k - i]).sum())
                .collect();
            let rest = polynomial(&mut text, r, &squared, random);
            let first = text.constant(exactly * exactly - text.values[rest]);
            let sum = text.add(first, rest);
            let root = text.values[sum].sqrt();
            text.push(&format!("sqrt %{sum}"), root)
        }
    };
    let text = text.text + &format!("  return %{result}\n");
    let program = Program::parse(&text).unwrap_or_else(|e| panic!("{e}:\n{text}"));
    Some(Case {
        law,
        text,
        program,
        lo,
        hi,
    })
}
