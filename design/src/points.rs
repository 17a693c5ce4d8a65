//! The points of approximations, to which polynomials are fitted.

use crate::dd::Dd;
use crate::polynomial::Form;
use crate::reference;
use crate::remez::{self, Point};
use crate::shape::{Approximation, Of, Weight};

/// The points of an approximation, for polynomials of that form.
///
/// # Errors
/// If the function has no reference.
pub fn points(a: &Approximation, form: Form, terms: u32) -> Result<Vec<Point>, String> {
    let xs = remez::grid(a.low, a.high, remez::enough(terms as usize));
    let at: Vec<f64> = match a.of {
        Of::Itself | Of::ByX => xs.clone(),
        Of::Negative | Of::NegativeByX | Of::NegativeByXByGaussian => {
            xs.iter().map(|x| -x).collect()
        }
    };
    let mut values = a.function.values(&at)?;
    if a.of == Of::NegativeByXByGaussian {
        let squares: Vec<f64> = xs.iter().map(|x| 0.5 * x * x).collect();
        let powers = reference::values("exp", &squares)?;
        values.iter_mut().zip(powers).for_each(|(v, p)| *v = *v * p);
    }
    let point = |(&x, &f): (&f64, &Dd)| {
        let allowance = a.weight.allowance(f.hi);
        // What a result is off by where its polynomial, or a root of it, is off by 1.
        let (mut f, mut factor) = match a.of {
            Of::NegativeByX | Of::NegativeByXByGaussian => (f / Dd::from(-x), x.abs()),
            Of::ByX => (f / Dd::from(x), x.abs()),
            Of::Itself | Of::Negative => (f, 1.0),
        };
        for _ in 0..a.roots {
            f = f.sqrt();
            factor *= 2.0 * f.hi;
        }
        let mut v = match &a.variable {
            Some(u) => u.at(Dd::from(x)),
            None => Dd::from(x),
        };
        match form {
            Form::Odd if a.center != 0.0 => {
                f = f / v;
                factor *= x.abs();
                v = v * v - Dd::from(a.center);
            }
            Form::Even if a.center != 0.0 => v = v * v - Dd::from(a.center),
            _ => v = v - Dd::from(a.center),
        }
        Point {
            x: v,
            f,
            weight: factor / allowance,
        }
    };
    // A zero has no relative error.
    let all = xs.iter().zip(&values).map(point);
    let all = all.filter(|p| !(p.f.hi == 0.0 && a.weight == Weight::Relative));
    Ok(match a.variable {
        Some(_) => ascending(all.collect()),
        None => all.collect(),
    })
}

/// Points in the order of their variable, without repeated values: errors alternate along the variable.
fn ascending(mut points: Vec<Point>) -> Vec<Point> {
    /// Two numbers count as equal if they differ by at most this part of the whole.
    const SAME: f64 = 1e-14;
    points.sort_by(|a, b| a.x.hi.total_cmp(&b.x.hi));
    let ends = points.first().zip(points.last());
    let whole = ends.map_or(0.0, |(first, last)| last.x.hi - first.x.hi);
    points.dedup_by(|next, last| (next.x - last.x).hi <= SAME * whole);
    points
}
