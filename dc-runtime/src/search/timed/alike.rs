//! Places with the result of another place.
//!
//! After the reduction of its argument, a periodic function computes the same thing in every period. So if errors are large next to one argument, they are also
//! large where the result is the same, in binades of which random inputs say nothing. A function without a period has its results once, or an odd or an
//! even one twice, and no further place is found.

use super::envelope::Cell;
use super::state::TimedError;
use crate::search::engine::EngineError;
use crate::search::evaluator::PointEvaluator;
use crate::search::points::split_mix;
use crate::search::range::Span;
use crate::sweep::Sweep;

/// The number of inputs of a binade of which the one with the nearest result is taken.
const TRIED: usize = 32;
/// The number of steps from there.
const STEPS: usize = 12;
/// The slope of a function is that between inputs at this distance.
const BESIDE: i64 = 1 << 20;
/// A place is found if the next step is shorter than this.
const NEAR: f64 = (1u64 << 28) as f64;

/// The binary logarithm of the largest distance from there at which a window opens.
const WIDEST: u64 = 36;

/// The search for one place.
struct Place {
    binade: Span,
    result: f64,
    sign: f64,
    key: i64,
    found: bool,
}

/// For pairs of a cell and a binade, places in the binade with the result of the cell's worst input, or its negative, and the sign of the errors there.
pub(super) fn alike(
    sweep: &Sweep,
    wanted: &[(Cell, Span)],
    random: &mut u64,
) -> Result<Vec<(i64, f64)>, TimedError> {
    let mut evaluator = PointEvaluator::plain(sweep);
    let mut results = |keys: &[i64]| -> Result<Vec<f64>, TimedError> {
        let bits = evaluator.results(keys).map_err(EngineError::from)?;
        Ok(bits.into_iter().map(f64::from_bits).collect())
    };
    let mut keys: Vec<i64> = wanted.iter().map(|(cell, _)| cell.worst.0).collect();
    for (_, binade) in wanted {
        let mut anywhere = || {
            let at = u128::from(split_mix(random)) % binade.count();
            (i128::from(binade.first) + at as i128) as i64
        };
        keys.extend((0..TRIED).map(|_| anywhere()));
    }
    let all = results(&keys)?;
    let (own, tried) = all.split_at(wanted.len());
    let tried = tried.chunks(TRIED).zip(keys[wanted.len()..].chunks(TRIED));
    let mut places: Vec<Place> = Vec::new();
    for (((cell, binade), &result), (results, keys)) in wanted.iter().zip(own).zip(tried) {
        let far = |i: &usize| (results[*i].abs() - result.abs()).abs();
        let nearest = (0..TRIED).min_by(|a, b| far(a).total_cmp(&far(b)));
        let Some(i) = nearest.filter(|i| far(i).is_finite()) else {
            continue;
        };
        let turned = results[i].signum() * result.signum();
        places.push(Place {
            binade: *binade,
            result: turned * result,
            sign: turned * cell.sign,
            key: keys[i],
            found: false,
        });
    }
    for _ in 0..STEPS {
        let open = |p: &&mut Place| !p.found;
        let beside = |key: i64| [key, key.saturating_add(BESIDE)];
        let keys: Vec<i64> = places
            .iter_mut()
            .filter(open)
            .flat_map(|p| beside(p.key))
            .collect();
        let all = results(&keys)?;
        for (place, found) in places.iter_mut().filter(open).zip(all.chunks(2)) {
            let step = (place.result - found[0]) / (found[1] - found[0]) * BESIDE as f64;
            place.found = step.abs() < NEAR;
            // A conversion gives the nearest integer, and 0 if it is not a number.
            place.key = place.key.saturating_add(step as i64);
        }
        places.retain(|p| (p.binade.first..=p.binade.last).contains(&p.key));
    }
    let found = places.into_iter().filter(|p| p.found);
    // A place is wide, in a low binade more than in a high one.
    let mut beside = |key: i64| {
        let (log2, at) = (split_mix(random) % WIDEST, split_mix(random));
        let distance = (at >> 1 & ((1 << log2) - 1)).cast_signed();
        key.saturating_add(if at & 1 == 0 { distance } else { -distance })
    };
    Ok(found.map(|p| (beside(p.key), p.sign)).collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::builtins::reference::computes;
    use crate::model::candidate::Candidate;
    use crate::model::host::HostFunction;
    use crate::model::key::Precision;
    use crate::sweep::computed;

    fn sin(x: f64) -> f64 {
        x.sin()
    }
    fn exp(x: f64) -> f64 {
        x.exp()
    }

    const SIN: Sweep = Sweep::accuracy_only(
        "sin",
        Candidate::Host(HostFunction::f64("sin", sin)),
        computed::f64::<computes::sin>(),
        "-inf..inf",
    );
    const EXP: Sweep = Sweep::accuracy_only(
        "exp",
        Candidate::Host(HostFunction::f64("exp", exp)),
        computed::f64::<computes::exp>(),
        "-inf..inf",
    );

    fn key(x: f64) -> i64 {
        Precision::F64.key_of_bits(x.to_bits())
    }

    fn of(sweep: &Sweep, x: f64, [first, last]: [f64; 2]) -> Vec<(f64, f64)> {
        let cell = Cell {
            worst: (key(x), 0.6),
            sign: -1.0,
        };
        let binade = Span {
            first: key(first),
            last: key(last),
        };
        let places = alike(sweep, &[(cell, binade); 50], &mut 11).expect("places");
        let value = |key| Precision::F64.value_of_key(key);
        places
            .into_iter()
            .map(|(k, sign)| (value(k), sign))
            .collect()
    }

    /// In another binade, a periodic function has the same result next to many places; where it has the opposite one, errors have the other sign. There, 2^36
    /// inputs are 2^-7.
    #[test]
    fn a_periodic_function_has_alike_places() {
        let places = of(&SIN, 0.7, [512.0, 1023.0]);
        println!("{places:?}");
        for &(x, sign) in &places {
            let result = x.sin();
            assert!((512.0..=1023.0).contains(&x), "{x}");
            assert!(
                (result.abs() - 0.7f64.sin()).abs() < 2f64.powi(-7),
                "{x}: {result}"
            );
            assert_eq!(sign, -result.signum(), "{x}");
        }
        assert!(places.len() > 30, "{}", places.len());
        let mut periods: Vec<i64> = places.iter().map(|p| p.0 as i64).collect();
        periods.sort_unstable();
        periods.dedup();
        assert!(periods.len() > 20, "{periods:?}");
    }

    /// A function without a period has the result at its own place alone.
    #[test]
    fn others_have_none() {
        assert_eq!(of(&EXP, 0.7, [2.0, 3.9]), []);
        let own = of(&EXP, 0.7, [0.5, 0.99]);
        assert!(own.iter().all(|p| (p.0 - 0.7).abs() < 1e-5), "{own:?}");
    }
}
