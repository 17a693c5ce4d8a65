//! Errors as linear forms.
//!
//! The error of a sum is the sum of its operands' errors and its own rounding. If a number is split in two, `h = (r + w) - w` and `l = r -
//! h`, the errors of the parts are the same number with opposite signs. In `h h + l (h + r)`, which is `r²` for any h, the error of h
//! cancels, including its square. Intervals do not contain this information, but linear forms in the errors of operations do.

use crate::num::{Interval, Ring};

/// The number of terms above which a form is replaced by one symbol.
const LONGEST: usize = 12;

/// `Σ c_k s_k + rest`, with symbols `s_k` whose magnitudes are bounded elsewhere.
#[derive(Debug, Clone)]
pub(super) struct Form {
    /// Coefficients, by the numbers of their symbols, in order.
    terms: Vec<(u32, Interval)>,
    rest: Interval,
}

impl Default for Form {
    fn default() -> Form {
        Form::within(Interval::ZERO)
    }
}

impl Form {
    /// A number of which only an interval is known.
    pub(super) fn within(rest: Interval) -> Form {
        Form {
            terms: Vec::new(),
            rest,
        }
    }

    pub(super) fn is_zero(&self) -> bool {
        self.terms.is_empty() && self.rest == Interval::ZERO
    }

    /// Adds another form, times a factor.
    pub(super) fn add(&mut self, other: &Form, factor: Interval) {
        if factor == Interval::ZERO {
            return;
        }
        self.rest = self.rest.add(other.rest.mul(factor));
        self.terms.reserve(other.terms.len());
        for &(symbol, c) in &other.terms {
            let c = c.mul(factor);
            match self.terms.binary_search_by_key(&symbol, |t| t.0) {
                Ok(at) => self.terms[at].1 = self.terms[at].1.add(c),
                Err(at) => self.terms.insert(at, (symbol, c)),
            }
        }
    }

    /// Its range, with bounds of the symbols' magnitudes.
    pub(super) fn range(&self, symbols: &[f64]) -> Interval {
        self.terms.iter().fold(self.rest, |sum, &(symbol, c)| {
            sum.add(c.mul(Interval::symmetric(symbols[symbol as usize])))
        })
    }
}

/// The errors of a residual's operations.
#[derive(Debug, Default)]
pub(super) struct Forms {
    /// Each operation's error.
    pub(super) of: Vec<Form>,
    /// The symbol of an operation has the operation's number. It is the operation's rounding error, or its whole error if that is not a
    /// linear form. These are bounds of magnitudes.
    pub(super) symbols: Vec<f64>,
}

impl Forms {
    /// No operations yet, and room for so many.
    pub(super) fn with_capacity(count: usize) -> Forms {
        Forms {
            of: Vec::with_capacity(count),
            symbols: Vec::with_capacity(count),
        }
    }

    /// Adds the next operation. If its error is linear, it is a combination of the operands' errors, plus its rounding error, whose bound
    /// is given. `error` bounds the whole error.
    pub(super) fn push(
        &mut self,
        linear: Option<impl IntoIterator<Item = (u32, Interval)>>,
        error: f64,
        rounding: Option<f64>,
    ) {
        let symbol = self.of.len() as u32;
        let own = (symbol, Interval::ONE);
        let mut form = Form {
            terms: Vec::with_capacity(LONGEST),
            ..Form::default()
        };
        let mut bound = rounding.unwrap_or(0.0);
        match linear {
            Some(operands) => {
                for (a, factor) in operands {
                    form.add(&self.of[a as usize], factor);
                }
                if rounding.is_some() {
                    form.terms.push(own);
                }
            }
            None => form.terms.push(own),
        }
        if form.terms.len() > LONGEST || form.terms == [own] {
            form = Form {
                terms: vec![own],
                rest: Interval::ZERO,
            };
            bound = error;
        }
        self.of.push(form);
        self.symbols.push(bound);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_errors_cancel() {
        let mut forms = Forms::default();
        let half = Interval::point(0.5);
        let one = |a| (a, Interval::ONE);
        let minus = |a| (a, Interval::ONE.neg());
        // An exact number, one with an error, one that is rounded.
        forms.push(Some(vec![]), 0.0, None);
        forms.push(None::<Vec<_>>, 3.0, Some(1.0));
        forms.push(Some(vec![one(1)]), 4.0, Some(0.25));
        // The difference to the number before has only the rounding error; half of a sum of all.
        forms.push(Some(vec![one(2), minus(1)]), 7.0, None);
        forms.push(Some(vec![(0, half), (1, half), (2, half)]), 3.5, None);
        let range = |i: usize| forms.of[i].range(&forms.symbols);
        assert_eq!(range(0), Interval::ZERO);
        assert_eq!(range(1), Interval::symmetric(3.0));
        assert_eq!(range(2), Interval::symmetric(3.25));
        assert_eq!(range(3), Interval::symmetric(0.25));
        assert_eq!(range(4), Interval::symmetric(3.125));
        assert!(forms.of[0].is_zero());
    }

    #[test]
    fn long_forms_are_one_symbol() {
        let mut forms = Forms::default();
        for _ in 0..=LONGEST {
            forms.push(None::<Vec<_>>, 1.0, None);
        }
        let all = (0..=LONGEST as u32).map(|a| (a, Interval::ONE));
        forms.push(Some(all), 5.0, Some(0.5));
        assert_eq!(
            forms.of[LONGEST + 1].range(&forms.symbols),
            Interval::symmetric(5.0)
        );
    }
}
