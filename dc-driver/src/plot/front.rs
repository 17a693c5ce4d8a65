//! Designs by time and error, both logarithmic, with existing functions for comparison.

use plotters::prelude::*;

use super::{BLUE, Board, GREY, ORANGE, Picture, TEXT, TITLE};

/// A design or an existing function.
#[derive(Debug, Clone)]
pub(crate) struct Spot {
    /// Its number in the table, or its name.
    pub label: String,
    /// Nanoseconds for each value.
    pub time: f64,
    /// The largest error.
    pub error: f64,
}

/// The height of a label's line.
const LINE: i32 = 16;

/// The data of the picture.
#[derive(Debug, Clone)]
pub(crate) struct Front {
    pub title: String,
    /// The unit of the errors.
    pub unit: String,
    pub designs: Vec<Spot>,
    /// Existing functions. Their errors are those of a sample.
    pub rivals: Vec<Spot>,
    /// The tolerance, if it is a number.
    pub tolerance: Option<f64>,
}

impl Front {
    /// The designs or functions that have a place in the picture.
    fn drawn(spots: &[Spot]) -> impl Iterator<Item = &Spot> {
        let has = |x: f64| x.is_finite() && x > 0.0;
        spots.iter().filter(move |s| has(s.time) && has(s.error))
    }

    /// The ends of an axis, a little beyond all numbers.
    fn ends(all: &[f64]) -> (f64, f64) {
        let least = all.iter().copied().fold(f64::INFINITY, f64::min);
        let most = all.iter().copied().fold(0.0, f64::max);
        match least <= most {
            true => (least / 1.6, most * 1.6),
            false => (0.1, 10.0),
        }
    }
}

impl Picture for Front {
    fn draw<B: DrawingBackend>(&self, board: &Board<'_, B>) -> Result<(), String>
    where
        B::ErrorType: 'static,
    {
        let bad = |e: DrawingAreaErrorKind<B::ErrorType>| e.to_string();
        let all: Vec<&Spot> = Front::drawn(&self.designs)
            .chain(Front::drawn(&self.rivals))
            .collect();
        let times: Vec<f64> = all.iter().map(|s| s.time).collect();
        let errors: Vec<f64> = all.iter().map(|s| s.error).chain(self.tolerance).collect();
        let (x, y) = (Front::ends(&times), Front::ends(&errors));
        let mut chart = ChartBuilder::on(board)
            .caption(&self.title, ("sans-serif", TITLE))
            .margin(14)
            .x_label_area_size(48)
            .y_label_area_size(90)
            .build_cartesian_2d((x.0..x.1).log_scale(), (y.0..y.1).log_scale())
            .map_err(bad)?;
        chart
            .configure_mesh()
            .light_line_style(WHITE)
            .x_desc("nanoseconds per value")
            .y_desc(format!("largest error ({})", self.unit))
            .x_label_formatter(&|x| format!("{x}"))
            .y_label_formatter(&|y| match (1e-3..1e4).contains(y) {
                true => format!("{y}"),
                false => format!("{y:.0e}"),
            })
            .label_style(("sans-serif", TEXT))
            .axis_desc_style(("sans-serif", TEXT))
            .draw()
            .map_err(bad)?;
        if let Some(most) = self.tolerance {
            let line = LineSeries::new([(x.0, most), (x.1, most)], GREY);
            chart.draw_series(line).map_err(bad)?;
        }
        let label = |s: &Spot, lines: i32| {
            Text::new(s.label.clone(), (8, LINE * lines - 8), ("sans-serif", TEXT))
        };
        for s in Front::drawn(&self.designs) {
            let dot = Circle::new((0, 0), 5, BLUE.filled());
            let mark = EmptyElement::at((s.time, s.error)) + dot + label(s, 0);
            chart.draw_series([mark]).map_err(bad)?;
        }
        // One function by two names has two labels, one below the other.
        let part = |a: f64, b: f64, ends: (f64, f64)| (a / b).ln().abs() / (ends.1 / ends.0).ln();
        let near =
            |a: &Spot, b: &Spot| part(a.time, b.time, x) < 0.1 && part(a.error, b.error, y) < 0.03;
        let rivals: Vec<&Spot> = Front::drawn(&self.rivals).collect();
        for (i, s) in rivals.iter().enumerate() {
            let lines = rivals[..i].iter().filter(|r| near(r, s)).count();
            let mark = TriangleMarker::new((0, 0), 7, ORANGE.filled());
            let mark = EmptyElement::at((s.time, s.error)) + mark + label(s, lines as i32);
            chart.draw_series([mark]).map_err(bad)?;
        }
        Ok(())
    }
}
