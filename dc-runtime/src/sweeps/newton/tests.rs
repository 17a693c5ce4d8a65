use super::*;
use crate::prelude::*;

fn value(key: i64) -> f64 {
    Precision::F64.value_of_key(key)
}

#[test]
fn cells_cover_the_binade_without_gaps() {
    for (newton, count) in [
        (Newton::new(rcp_neon::map, Form::Separate), 257),
        (Newton::new(rcpps_intel::map, Form::Fused), 2049),
    ] {
        let cells = newton.cells();
        assert!(cells.len() <= count && cells.len() > count / 2);
        assert_eq!(cells[0].first, LEAST);
        assert_eq!(cells[cells.len() - 1].last, 2f64.next_down());
        for pair in cells.windows(2) {
            assert_eq!(pair[0].last, pair[1].first);
            assert_ne!(pair[0].estimate, pair[1].estimate);
        }
        for cell in cells {
            let middle = (cell.first + cell.last) / 2.0;
            let estimate = |x: f64| {
                if count == 257 {
                    rcp_neon::eval(x as f32)
                } else {
                    rcpps_intel::eval(x as f32)
                }
            };
            for x in [cell.first.next_up(), middle, cell.last.next_down()] {
                assert_eq!(f64::from(estimate(x)), cell.estimate, "{x}");
            }
        }
    }
}

#[test]
fn what_is_left_to_search_is_little_and_holds_the_worst_inputs() {
    for (newton, level, worst, most) in [
        (
            Newton::new(rcp_neon::map, Form::Separate),
            1.999_987_15,
            0x3ff0_0004_080e_6626,
            10_000_000,
        ),
        (
            Newton::new(rcpps_intel::map, Form::Separate),
            1.984_089_85,
            0x3ff0_1e09_24f5_a33b,
            1_000_000_000,
        ),
    ] {
        let suspects = newton.suspects(level);
        println!("{level}: {} inputs, {suspects}", suspects.count());
        assert!(suspects.contains(worst) && suspects.contains(1f64.to_bits() as i64));
        assert!(suspects.count() < most, "{}", suspects.count());
        assert!(newton.bound(value(worst)) >= level);
    }
}

#[test]
fn bounds_fall_with_the_level_and_the_cell() {
    let newton = Newton::new(rcp_neon::map, Form::Separate);
    for cell in newton.cells() {
        let whole = newton.cell_bound(cell);
        assert!(whole > 1.25 && whole < 2.0 + 3e-5, "{whole}");
        for x in [cell.first, cell.last] {
            assert!(newton.bound(x) <= whole.max(newton.bound(x.next_down())));
        }
    }
    let fused = Newton::new(rcp_neon::map, Form::Fused);
    let most = fused
        .cells()
        .iter()
        .map(|c| fused.cell_bound(c))
        .fold(0.0, f64::max);
    assert!(most > 0.5 && most < 0.500_04, "{most}");
}

#[test]
#[should_panic(expected = "a level of 1.5 ULP")]
fn a_level_below_the_theorems_is_refused() {
    let _ = Newton::new(rcp_neon::map, Form::Separate).suspects(1.5);
}

#[test]
#[should_panic(expected = "an estimate off by")]
fn an_estimate_too_wrong_is_refused() {
    let _ = Newton::new(|_: &[f32], out: &mut [f32]| out.fill(0.75), Form::Separate);
}
