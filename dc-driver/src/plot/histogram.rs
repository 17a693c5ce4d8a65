//! The distribution of errors.

use plotters::prelude::*;

use super::{BLUE, Board, Picture, TEXT, TITLE, tick};
use dc_runtime::model::block::{BlockResult, bin_floor};
use dc_runtime::model::fine::fine_floor;
use dc_runtime::model::show;

/// The number of bins of the fine histogram per label: an eighth of an ULP.
const FINE_LABEL: usize = 8;
/// The largest number of labels that fit.
const LABELS: usize = 18;

/// The data of the picture: the fine histogram of the sample or, where a run file has none, the coarse one of all
/// inputs.
#[derive(Debug, Clone)]
pub(crate) struct Histogram {
    pub title: String,
    counts: Vec<u64>,
    /// Lower edge of a bin in ULP.
    floor: fn(usize) -> f64,
    /// The number of bins per label, in short histograms.
    label: usize,
    /// The inputs that are counted.
    what: String,
}

impl Histogram {
    pub fn new(title: String, result: &BlockResult) -> Histogram {
        let sampled = result.fine.inputs();
        if sampled == 0 {
            return Histogram {
                title,
                counts: result.histogram.to_vec(),
                floor: bin_floor,
                label: 1,
                what: "inputs".into(),
            };
        }
        Histogram {
            title,
            counts: result.fine.0.to_vec(),
            floor: fine_floor,
            label: FINE_LABEL,
            what: format!("inputs, of {} sampled", show::count(sampled.into())),
        }
    }
}

impl Picture for Histogram {
    fn draw<B: DrawingBackend>(&self, board: &Board<'_, B>) -> Result<(), String>
    where
        B::ErrorType: 'static,
    {
        let bad = |e: DrawingAreaErrorKind<B::ErrorType>| e.to_string();
        // The axis begins at half an input, so that a bar for one input is visible.
        let base = 0.5f64.log10();
        let height = |n: u64| (n as f64).log10();
        let most = self.counts.iter().copied().max().unwrap_or(0).max(1);
        let last = self.counts.iter().rposition(|&n| n > 0).unwrap_or(0);
        let shown = (last + 1).max(4 * self.label).next_multiple_of(self.label);
        let bins = self.counts.len();
        // In units of the distance of labels, so that ticks are at labels.
        let unit = self.label as f64;
        let labels = (shown / self.label).min(LABELS);
        let mut chart = ChartBuilder::on(board)
            .caption(&self.title, ("sans-serif", TITLE))
            .margin(14)
            // Half of the last label.
            .margin_right(40)
            .x_label_area_size(48)
            .y_label_area_size(84)
            .build_cartesian_2d(0.0..shown as f64 / unit, base..height(most) + 0.5)
            .map_err(bad)?;
        let edge = |x: &f64| match (x * unit).round() as usize {
            bin if bin == bins => "∞".into(),
            bin => tick((self.floor)(bin)),
        };
        // Of the marks on a logarithmic axis, those between powers of ten have no round numbers.
        let count = |y: &f64| match (y - y.round()).abs() < 1e-9 {
            true => tick(10f64.powf(*y).round()),
            false => String::new(),
        };
        chart
            .configure_mesh()
            .disable_x_mesh()
            .light_line_style(WHITE)
            .x_desc("size of the error in ULP (lower edge of each bin)")
            .y_desc(&self.what)
            .x_labels(labels + 1)
            .x_label_formatter(&edge)
            .y_label_formatter(&count)
            .label_style(("sans-serif", TEXT))
            .axis_desc_style(("sans-serif", TEXT))
            .draw()
            .map_err(bad)?;
        let bars = self.counts[..shown.min(bins)]
            .iter()
            .enumerate()
            .filter(|(_, n)| **n > 0)
            .map(|(i, &n)| {
                let (left, right) = ((i as f64 + 0.06) / unit, (i as f64 + 0.94) / unit);
                Rectangle::new([(left, base), (right, height(n))], BLUE.mix(0.8).filled())
            });
        chart.draw_series(bars).map_err(bad)?;
        Ok(())
    }
}
