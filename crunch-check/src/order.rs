//! The order of the doubles: each double has an index, and neighbours have consecutive indices.

/// The index of a double in the order of doubles, -0 before 0.
pub fn rank(x: f64) -> i64 {
    let bits = x.to_bits() as i64;
    if bits < 0 {
        -1 - (bits & i64::MAX)
    } else {
        bits
    }
}

/// The double of a rank.
pub fn double(rank: i64) -> f64 {
    f64::from_bits(if rank < 0 {
        (-1 - rank) as u64 | 1 << 63
    } else {
        rank as u64
    })
}

/// The last number of the lower half of the numbers from `lo` to `hi`: it is below `hi` if `lo` is.
pub fn half(lo: i64, hi: i64) -> i64 {
    lo + (hi - lo) / 2
}

/// The lower one of two neighbouring numbers between which a condition changes. It holds at `holds`, and not at `fails`.
pub fn change<E>(
    mut holds: i64,
    mut fails: i64,
    mut condition: impl FnMut(i64) -> Result<bool, E>,
) -> Result<i64, E> {
    while holds.abs_diff(fails) > 1 {
        let between = half(holds, fails);
        match condition(between)? {
            true => holds = between,
            false => fails = between,
        }
    }
    Ok(holds.min(fails))
}

#[cfg(test)]
mod tests {
    use std::convert::Infallible;

    use super::{change, double, half, rank};

    #[test]
    fn a_change_is_found_from_both_sides() {
        for last in -40..40 {
            let found = |holds, fails, below: bool| {
                let condition = |i: i64| Ok::<_, Infallible>((i <= last) == below);
                let Ok(found) = change(holds, fails, condition);
                found
            };
            for (lo, hi) in [(-40, 40), (last, last + 1), (last - 7, last + 30)] {
                assert_eq!(found(lo, hi, true), last);
                assert_eq!(found(hi, lo, false), last);
            }
        }
        // Of several changes it is one of them; an error ends the search.
        let parity = |i: i64| Ok::<_, Infallible>(i % 3 == 0);
        let Ok(found) = change(0, 100, parity);
        assert_ne!(parity(found), parity(found + 1));
        assert_eq!(change(0, 100, |_| Err("unknown")), Err("unknown"));
    }

    #[test]
    fn doubles_are_in_order() {
        let least = f64::from_bits(1);
        let all = [-f64::MAX, -1.5, -least, -0.0, 0.0, least, 1.0, f64::MAX];
        for x in all {
            assert_eq!(double(rank(x)).to_bits(), x.to_bits());
        }
        assert!(all.is_sorted_by_key(|&x| rank(x)));
        assert_eq!(rank(-0.0) + 1, rank(0.0));
    }

    #[test]
    fn halves_are_of_one_size() {
        let ends = [-f64::MAX, -1.5, -0.0, 0.0, 5e-324, 1.0, 2.0, f64::MAX].map(rank);
        for lo in ends {
            for hi in [1, 2, 3, 40].map(|n| lo + n).into_iter().chain(ends) {
                if lo < hi && (lo < 0) == (hi < 0) {
                    let middle = half(lo, hi);
                    assert!(lo <= middle && middle < hi, "{lo} {hi}");
                    assert!(((middle - lo + 1) - (hi - middle)).abs() <= 1, "{lo} {hi}");
                }
            }
        }
    }
}
