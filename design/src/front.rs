//! The Pareto front: the designs for which no other design is both faster and more accurate.

/// The indices of the points `(error, time)` for which no other point is at least as good in both values, by ascending time.
#[must_use]
pub fn front(points: &[(f64, f64)]) -> Vec<usize> {
    let mut order: Vec<usize> = (0..points.len()).collect();
    order.sort_by(|&a, &b| {
        let (a, b) = (points[a], points[b]);
        a.1.total_cmp(&b.1).then(a.0.total_cmp(&b.0))
    });
    let mut least = f64::INFINITY;
    order.retain(|&i| {
        let better = points[i].0 < least;
        least = least.min(points[i].0);
        better
    });
    order
}

#[cfg(test)]
mod tests {
    use super::front;

    #[test]
    fn what_is_worse_in_both_is_left_out() {
        let points = [
            (1.0, 5.0),
            (2.0, 3.0),
            (2.5, 3.0),
            (3.0, 4.0),
            (9.0, 1.0),
            (1.0, 6.0),
        ];
        assert_eq!(front(&points), [4, 1, 0]);
        assert_eq!(front(&[(f64::INFINITY, 1.0)]), [0; 0]);
    }
}
