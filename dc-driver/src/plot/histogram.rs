//! How many inputs have which error.

use plotters::prelude::*;

use super::{BLUE, Board, Picture, TEXT, TITLE, tick};
use dc_runtime::model::block::{BINS, BlockResult, bin_floor};

/// What is drawn.
#[derive(Debug, Clone)]
pub(crate) struct Histogram {
    pub title: String,
    counts: [u64; BINS],
}

impl Histogram {
    pub fn new(title: String, result: &BlockResult) -> Histogram {
        Histogram {
            title,
            counts: result.histogram,
        }
    }
}

impl Picture for Histogram {
    fn draw<B: DrawingBackend>(&self, board: &Board<'_, B>) -> Result<(), String>
    where
        B::ErrorType: 'static,
    {
        let bad = |e: DrawingAreaErrorKind<B::ErrorType>| e.to_string();
        // A bar for one input is visible: the axis begins at half an input.
        let base = 0.5f64.log10();
        let height = |n: u64| (n as f64).log10();
        let most = self.counts.iter().copied().max().unwrap_or(0).max(1);
        let last = self.counts.iter().rposition(|&n| n > 0).unwrap_or(0);
        let shown = (last + 1).max(4);
        let mut chart = ChartBuilder::on(board)
            .caption(&self.title, ("sans-serif", TITLE))
            .margin(14)
            .x_label_area_size(48)
            .y_label_area_size(84)
            .build_cartesian_2d(0.0..shown as f64, base..height(most) + 0.5)
            .map_err(bad)?;
        let edge = |x: &f64| match x.round() as usize {
            BINS => "∞".into(),
            bin => tick(bin_floor(bin)),
        };
        let count = |y: &f64| tick(10f64.powf(*y).round());
        chart
            .configure_mesh()
            .disable_x_mesh()
            .light_line_style(WHITE)
            .x_desc("size of the error in ULP (lower edge of each bin)")
            .y_desc("inputs")
            .x_labels(shown + 1)
            .x_label_formatter(&edge)
            .y_label_formatter(&count)
            .label_style(("sans-serif", TEXT))
            .axis_desc_style(("sans-serif", TEXT))
            .draw()
            .map_err(bad)?;
        let bars = self.counts[..shown]
            .iter()
            .enumerate()
            .filter(|(_, n)| **n > 0)
            .map(|(i, &n)| {
                let (left, right) = (i as f64 + 0.06, i as f64 + 0.94);
                Rectangle::new([(left, base), (right, height(n))], BLUE.mix(0.8).filled())
            });
        chart.draw_series(bars).map_err(bad)?;
        Ok(())
    }
}
