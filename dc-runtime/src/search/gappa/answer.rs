//! The parser of Gappa's answer.

use kernels_gen::emit::GappaGoal;
use kernels_gen::ops::Prim;

use super::{Bounds, GappaError, power};
use crate::model::key::Precision;

/// Gappa's messages when a bound is not proved because it depends on rules of the user that Gappa cannot check.
const UNPROVED: [&str; 3] = [
    "are not trivially equal",
    "has been assumed to be nonzero",
    "some properties were assumed",
];

/// Parses Gappa's answer.
pub(super) fn read(goals: &[GappaGoal], answer: &str) -> Result<Vec<Bounds>, GappaError> {
    if let Some(line) = answer
        .lines()
        .find(|l| UNPROVED.iter().any(|u| l.contains(u)))
    {
        return Err(GappaError::Unproved(line.trim().into()));
    }
    // Hypotheses that contradict each other imply everything.
    if answer.contains("results are pointless") {
        return Err(GappaError::NoInputs);
    }
    if !answer.contains("Results:") {
        let line = answer.lines().find(|l| l.contains("Error"));
        let line = line.unwrap_or("it says nothing").trim();
        return Err(GappaError::Refused(line.into()));
    }
    let interval = |what: &str| {
        let line = answer
            .lines()
            .find_map(|l| l.trim().strip_prefix(what)?.strip_prefix(" in "))?;
        // The numbers in braces are only for readers.
        let line = line.strip_prefix('[')?.strip_suffix(']')?;
        let bare: String = line
            .split('}')
            .filter_map(|s| s.split('{').next())
            .collect();
        let (a, b) = bare.split_once(", ")?;
        Some((Dyadic::read(a)?, Dyadic::read(b)?))
    };
    let bounds = goals.iter().map(|g| {
        let (r, m) = (&g.rounded, &g.exact);
        let size = interval(&format!("|{m}|"));
        Bounds {
            absolute: interval(&format!("|{r} - {m}|")).map_or(f64::INFINITY, |i| i.1.above()),
            relative: interval(&format!("{r} -/ {m}"))
                .map_or(f64::INFINITY, |i| i.0.above().max(i.1.above())),
            least: size.as_ref().map_or(0.0, |i| i.0.below()),
            largest: size.as_ref().map_or(f64::INFINITY, |i| i.1.above()),
            precision: match g.prim {
                Prim::F32 => Precision::F32,
                _ => Precision::F64,
            },
        }
    });
    Ok(bounds.collect())
}

/// The magnitude of a number that Gappa prints: `-45b-3 {…}` is -45 · 2^-3.
struct Dyadic {
    digits: u128,
    exponent: i32,
}

impl Dyadic {
    fn read(text: &str) -> Option<Dyadic> {
        let text = text.trim();
        let text = text.strip_prefix('-').unwrap_or(text);
        let (digits, exponent) = text.split_once('b').unwrap_or((text, "0"));
        Some(Dyadic {
            digits: digits.parse().ok()?,
            exponent: exponent.parse().ok()?,
        })
    }

    /// The largest double that is not above the number.
    fn below(&self) -> f64 {
        self.cut().0
    }

    /// The smallest double that is not below the number.
    fn above(&self) -> f64 {
        match self.cut() {
            (x, true) => x,
            (x, false) => x.next_up(),
        }
    }

    /// The number truncated to a double, and whether it is exact.
    fn cut(&self) -> (f64, bool) {
        let (mut digits, mut exponent, mut exact) = (self.digits, self.exponent, true);
        while digits >= 1 << 53 || (exponent < -1074 && digits > 0) {
            exact &= digits & 1 == 0;
            digits >>= 1;
            exponent += 1;
        }
        if digits == 0 {
            return (0.0, exact);
        }
        if i64::from(exponent) + i64::from(digits.ilog2()) > 1023 {
            return (f64::MAX, false);
        }
        // Each step is exact: the result is a double, and no intermediate value is smaller or has more digits.
        let mut x = digits as f64;
        while exponent != 0 {
            let step = exponent.clamp(-1000, 900);
            x *= power(step);
            exponent -= step;
        }
        (x, exact)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn goals() -> Vec<GappaGoal> {
        vec![GappaGoal {
            rounded: "y".into(),
            exact: "My".into(),
            prim: Prim::F64,
        }]
    }

    #[test]
    fn answers_are_read_to_the_safe_side() {
        let answer = "Warning: renaming identifier 'a' as 'b'\nResults:\n  \
            y -/ My in [-590073900608633785b-112 {-1.13644e-16, -2^(-52.9663)}, 1b-53 {1.11e-16, 2^(-53)}]\n  \
            |y - My| in [0, 1b-54 {1, 2^(-54)}]\n  |My| in [36028797018963969b-56 {0.5, 2^(-1)}, 3]\n";
        let b = read(&goals(), answer).expect("bounds")[0];
        assert_eq!(b.absolute, 2f64.powi(-54));
        let relative = 590_073_900_608_633_785f64 / 2f64.powi(112);
        assert!(b.relative >= relative && b.relative <= relative.next_up());
        // 2^55 + 1 is between two doubles.
        assert_eq!((b.least, b.largest), (0.5, 3.0));
        // An ULP at 0.5 is 2^-53.
        assert_eq!(b.ulp(), 0.5);
        let nothing = read(
            &goals(),
            "Results:\nError: some properties were not satisfied:\n",
        );
        let nothing = nothing.expect("an answer")[0];
        assert_eq!((nothing.ulp(), nothing.least), (f64::INFINITY, 0.0));
    }

    #[test]
    fn what_is_not_proved_is_no_bound() {
        let found = "Results:\n  |y - My| in [0, 1b-54 {1, 2^(-54)}]\n";
        for line in [
            "Warning: My and x * x + 1 are not trivially equal.",
            "Warning: the expression (y) has been assumed to be nonzero when checking a rewriting rule.",
        ] {
            let e = read(&goals(), &format!("{line}\n{found}"));
            assert!(matches!(e, Err(GappaError::Unproved(_))), "{line}: {e:?}");
        }
        let e = read(
            &goals(),
            "Error: syntax error, unexpected IN at line 3 column 1\n",
        );
        assert!(matches!(e, Err(GappaError::Refused(_))), "{e:?}");
    }

    #[test]
    fn numbers_are_rounded_outwards() {
        let both = |text| {
            let d = Dyadic::read(text).expect("a number");
            (d.below(), d.above())
        };
        assert_eq!(both("0"), (0.0, 0.0));
        assert_eq!(both(" -3b-1 "), (1.5, 1.5));
        assert_eq!(both("1b-1074"), (f64::from_bits(1), f64::from_bits(1)));
        assert_eq!(both("3b-1075"), (f64::from_bits(1), f64::from_bits(2)));
        assert_eq!(both("1b-2000"), (0.0, f64::from_bits(1)));
        assert_eq!(both("1b1024"), (f64::MAX, f64::INFINITY));
        assert_eq!(both("18014398509481984b0").0, 2f64.powi(54));
        assert_eq!(both("18014398509481984").1, 2f64.powi(54));
        let odd = both("18014398509481985b-54");
        assert_eq!(odd, (1.0, 1f64.next_up()));
    }
}
