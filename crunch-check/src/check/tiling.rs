//! Checks that no input is left out: the cells contain the ranges, and a class's stretches contain its cells.

use super::class::Class;
use crate::certificate::{Certificate, Tile};
use crate::order::rank;

/// Whether these stretches hold every double of the ranges.
pub(super) fn tiled(
    certificate: &Certificate,
    stretches: impl Iterator<Item = (f64, f64)>,
) -> Result<(), String> {
    let mut cells: Vec<(i64, i64)> = stretches.map(|(lo, hi)| (rank(lo), rank(hi))).collect();
    cells.sort_unstable();
    if certificate.ranges.is_empty() {
        return Err("it does not say which inputs it is about".into());
    }
    for &(lo, hi) in &certificate.ranges {
        let mut due = rank(lo);
        for &(first, last) in &cells {
            if first > due || due > rank(hi) {
                break;
            }
            due = due.max(last + 1);
        }
        if due <= rank(hi) {
            return Err(format!(
                "there is a gap: no cell holds the input number {due}"
            ));
        }
    }
    Ok(())
}

/// Checks that a class's stretches contain the core's inputs of all its members.
pub(super) fn covers(class: &Class, tiles: &[Tile]) -> Result<(), String> {
    let mut tiles = tiles.to_vec();
    tiles.sort_by(|a, b| a.lo.total_cmp(&b.lo).then(a.hi.total_cmp(&b.hi)));
    // Stretches joined where there is no gap between them.
    let mut joined: Vec<(f64, f64)> = Vec::new();
    for tile in &tiles {
        match joined.last_mut() {
            Some(last) if tile.lo <= last.1.next_up() => last.1 = last.1.max(tile.hi),
            _ => joined.push((tile.lo, tile.hi)),
        }
    }
    for member in &class.members {
        if !joined
            .iter()
            .any(|j| j.0 <= member.core.0 && member.core.1 <= j.1)
        {
            return Err(format!(
                "its stretches do not hold the inputs of {:e} to {:e}, which are {:e} to {:e} of the class",
                member.lo, member.hi, member.core.0, member.core.1
            ));
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::tiled;
    use crate::certificate::Certificate;
    use crate::kernels::Words;
    use crate::order::{double, rank};

    /// Around zero, one and the end of the numbers: stretches hold the ranges if and only if they hold each of their doubles.
    #[test]
    fn a_double_that_no_stretch_holds_is_a_gap() {
        let mut random = Words(1);
        let mut counts = [0, 0];
        for _ in 0..20_000 {
            let from = rank(random.of(&[-0.0, 1.0, -1.0, f64::MAX, -f64::MAX]));
            let from = from.clamp(rank(-f64::MAX) + 8, rank(f64::MAX) - 8);
            let mut pair = || {
                let (a, b) = (random.below(16) as i64 - 8, random.below(16) as i64 - 8);
                (double(from + a.min(b)), double(from + a.max(b)))
            };
            let certificate = Certificate {
                ranges: vec![pair(), pair()],
                ..Certificate::default()
            };
            let stretches: Vec<(f64, f64)> = (0..5).map(|_| pair()).collect();
            let within = |x: i64, all: &[(f64, f64)]| {
                all.iter().any(|s| (rank(s.0)..=rank(s.1)).contains(&x))
            };
            let due = (-8..=8).filter(|k| within(from + k, &certificate.ranges));
            let held = due.into_iter().all(|k| within(from + k, &stretches));
            let says = tiled(&certificate, stretches.into_iter());
            assert_eq!(says.is_ok(), held, "{:?}: {says:?}", certificate.ranges);
            counts[usize::from(held)] += 1;
        }
        assert!(counts.iter().all(|c| *c > 1000), "{counts:?}");
        assert!(tiled(&Certificate::default(), [].into_iter()).is_err());
    }
}
