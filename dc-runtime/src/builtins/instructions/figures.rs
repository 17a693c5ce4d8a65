//! The figures of an estimate: the significant bits of its input and result, and its largest errors. They are those of Table 2 of the
//! paper.

use super::catalogue::{Function, Run};

/// The largest error in a binade.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Maximum {
    /// The binade's first number, 1 or 2.
    pub binade: f32,
    /// `|estimate - exact| · 2^24`, the paper's unit: half a unit in the last place of 1.
    pub error: f64,
    /// Bits of the first input with this error.
    pub input: u32,
    /// Bits of the estimate for it.
    pub result: u32,
}

/// The properties of an estimate, from all fractions of its binades.
#[derive(Debug, Clone, PartialEq)]
pub struct Figures {
    /// The number of leading bits of the input's fraction that influence the result. Exact powers of two, which some instructions treat
    /// separately, are excluded.
    pub bits_in: u32,
    /// The number of leading bits of the result's fraction that are not always 0.
    pub bits_out: u32,
    /// One maximum for each of [`Function::binades`].
    pub maxima: Vec<Maximum>,
}

/// The number of fractions of a binade.
const FRACTIONS: u32 = 1 << 23;

/// Measures a function over all fractions of its binades.
#[must_use]
pub fn measure(function: Function, run: Run) -> Figures {
    let mut figures = Figures {
        bits_in: 0,
        bits_out: 0,
        maxima: Vec::new(),
    };
    let mut results = vec![0.0f32; FRACTIONS as usize];
    for &binade in function.binades() {
        let first = binade.to_bits();
        let inputs: Vec<f32> = (first..first + FRACTIONS).map(f32::from_bits).collect();
        run(&inputs, &mut results);
        let mut max = Maximum {
            binade,
            error: -1.0,
            input: first,
            result: 0,
        };
        let mut before = None;
        for (m, (&x, &y)) in (0u32..).zip(inputs.iter().zip(&results)) {
            let error = (f64::from(y) - function.exact(f64::from(x))).abs() * 16_777_216.0;
            if error > max.error {
                max.error = error;
                max.input = x.to_bits();
                max.result = y.to_bits();
            }
            figures.bits_out = figures.bits_out.max(leading(y.to_bits() % FRACTIONS));
            if m >= 1 {
                // The result differs from the previous one: the input's last bit that is not 0 matters.
                if before.is_some_and(|b: f32| b.to_bits() != y.to_bits()) {
                    figures.bits_in = figures.bits_in.max(leading(m));
                }
                before = Some(y);
            }
        }
        figures.maxima.push(max);
    }
    figures
}

/// The number of bits of a fraction from the first to the last that is not 0.
fn leading(fraction: u32) -> u32 {
    if fraction == 0 {
        0
    } else {
        23 - fraction.trailing_zeros()
    }
}
