//! Places with the result of another place.
//!
//! After the reduction of its argument, a periodic function computes the same thing in every period. So if errors are large next to one argument, they are also
//! large where the result is the same, in binades of which random inputs say nothing. A function without a period has its results once, or an odd or an
//! even one twice, and no further place is found.
//!
//! An exponential computes the same thing for every power of two. There, errors are large where the result is the same *times a power of two*.

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
    /// Whether the search for it is over.
    over: bool,
}

/// A wanted place.
#[derive(Clone, Copy)]
pub(super) struct Wanted {
    /// The place with the same result.
    pub cell: Cell,
    /// The stretch in which it is wanted.
    pub binade: Span,
    /// Whether the result is the same times a power of two other than 1.
    pub scaled: bool,
}

/// For each wanted place, a place with the result of the cell's worst input, or its negative, if one was found, and the sign of the errors there.
pub(super) fn alike(
    sweep: &Sweep,
    wanted: &[Wanted],
    random: &mut u64,
) -> Result<Vec<Option<(i64, f64)>>, TimedError> {
    let mut evaluator = PointEvaluator::plain(sweep);
    let mut results = |keys: &[i64]| -> Result<Vec<f64>, TimedError> {
        let bits = evaluator.results(keys).map_err(EngineError::from)?;
        Ok(bits.into_iter().map(f64::from_bits).collect())
    };
    let mut keys: Vec<i64> = wanted.iter().map(|w| w.cell.worst.0).collect();
    for Wanted { binade, .. } in wanted {
        let mut anywhere = || {
            let at = u128::from(split_mix(random)) % binade.count();
            (i128::from(binade.first) + at as i128) as i64
        };
        keys.extend((0..TRIED).map(|_| anywhere()));
    }
    let all = results(&keys)?;
    let (own, tried) = all.split_at(wanted.len());
    let tried = tried.chunks(TRIED).zip(keys[wanted.len()..].chunks(TRIED));
    let mut places: Vec<Option<Place>> = Vec::new();
    for ((wanted, &result), (results, keys)) in wanted.iter().zip(own).zip(tried) {
        // The magnitude of the wanted result next to one that was tried.
        let target = |tried: f64| match wanted.scaled {
            false => result.abs(),
            true => next_to(result.abs(), tried.abs()),
        };
        let far = |i: &usize| {
            let (tried, target) = (results[*i].abs(), target(results[*i]));
            ((tried - target) / target).abs()
        };
        let nearest = (0..TRIED).min_by(|a, b| far(a).total_cmp(&far(b)));
        places.push(nearest.filter(|i| far(i).is_finite()).map(|i| Place {
            binade: wanted.binade,
            result: target(results[i]).copysign(results[i]),
            sign: results[i].signum() * result.signum() * wanted.cell.sign,
            key: keys[i],
            over: false,
        }));
    }
    for _ in 0..STEPS {
        let open = |p: &&mut Place| !p.over;
        let beside = |key: i64| [key, key.saturating_add(BESIDE)];
        let keys: Vec<i64> = places
            .iter_mut()
            .flatten()
            .filter(open)
            .flat_map(|p| beside(p.key))
            .collect();
        let all = results(&keys)?;
        for (place, found) in places.iter_mut().flatten().filter(open).zip(all.chunks(2)) {
            let step = (place.result - found[0]) / (found[1] - found[0]) * BESIDE as f64;
            place.over = step.abs() < NEAR;
            // A conversion gives the nearest integer, and 0 if it is not a number.
            place.key = place.key.saturating_add(step as i64);
        }
        for place in &mut places {
            place.take_if(|p| !(p.binade.first..=p.binade.last).contains(&p.key));
        }
    }
    // A place is wide, in a low binade more than in a high one.
    let mut beside = |key: i64| {
        let (log2, at) = (split_mix(random) % WIDEST, split_mix(random));
        let distance = (at >> 1 & ((1 << log2) - 1)).cast_signed();
        key.saturating_add(if at & 1 == 0 { distance } else { -distance })
    };
    let mut found = |place: Place| (beside(place.key), place.sign);
    let found = places
        .into_iter()
        .map(|p| p.filter(|p| p.over).map(&mut found));
    Ok(found.collect())
}

/// The product of a result and a power of two other than 1 that is next to another result. NaN if there is none.
fn next_to(result: f64, other: f64) -> f64 {
    let power = (other / result).log2().round();
    let scaled = result * power.exp2();
    if power != 0.0 && scaled.is_normal() {
        scaled
    } else {
        f64::NAN
    }
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

    fn of(sweep: &Sweep, x: f64, ends: [f64; 2]) -> Vec<(f64, f64)> {
        found(sweep, x, ends, false)
    }

    fn found(sweep: &Sweep, x: f64, [first, last]: [f64; 2], scaled: bool) -> Vec<(f64, f64)> {
        let cell = Cell {
            worst: (key(x), 0.6),
            sign: -1.0,
        };
        let binade = Span {
            first: key(first),
            last: key(last),
        };
        let wanted = Wanted {
            cell,
            binade,
            scaled,
        };
        let places = alike(sweep, &[wanted; 50], &mut 11).expect("places");
        let value = |key| Precision::F64.value_of_key(key);
        places
            .into_iter()
            .flatten()
            .map(|(key, sign)| (value(key), sign))
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

    /// In a binade, an exponential has the same result times many powers of two, but not times 1.
    #[test]
    fn an_exponential_has_places_for_other_powers_of_two() {
        let places = found(&EXP, 0.7, [256.0, 511.0], true);
        let log2 = |x: f64| (x - 0.7) / std::f64::consts::LN_2;
        for &(x, sign) in &places {
            let power = log2(x);
            // Up to 2^36 inputs beside it.
            assert!((power - power.round()).abs() < 0.01, "{x}");
            assert_eq!(sign, -1.0);
        }
        assert!(places.len() > 30, "{}", places.len());
        let mut powers: Vec<i64> = places.iter().map(|p| log2(p.0).round() as i64).collect();
        powers.sort_unstable();
        powers.dedup();
        assert!(powers.len() > 20, "{powers:?}");
        let all = found(&EXP, 0.7, [0.5, 0.99], true);
        assert!(all.iter().all(|p| (p.0 - 0.7).abs() > 0.1), "{all:?}");
    }
}
