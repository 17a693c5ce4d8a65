//! The distribution of errors.

use plotters::prelude::*;

use super::{BLUE, Board, ORANGE, Picture, TEXT, TITLE, tick};
use dc_runtime::model::block::{BlockResult, bin_floor};
use dc_runtime::model::fine::{FINE_BINS, fine_floor};
use dc_runtime::model::show;

/// The number of bins of equal width per unit of the axis, and the number of such bins; the other bins are octaves.
const COARSE: (usize, usize) = (1, 8);
const FINE: (usize, usize) = (8, FINE_BINS - 8);
const _: () = assert!(FINE.1 == 128);
/// The gap between bins of equal width and octaves, in units of the axis.
const GAP: f64 = 0.75;
/// The smallest number of units that are shown: half an ULP, or a whole one.
const LEAST: usize = 4;
/// The smallest distance between labels in pixels.
const APART: f64 = 56.0;

/// The data of the picture: the fine histogram of the sample or, if a run file has none, the coarse histogram of all inputs.
#[derive(Debug, Clone)]
pub(crate) struct Histogram {
    pub title: String,
    counts: Vec<u64>,
    /// Lower edge of a bin in ULP.
    floor: fn(usize) -> f64,
    /// The number of bins of equal width per unit of the axis.
    per_unit: usize,
    /// The number of bins of equal width.
    equal: usize,
    /// Their width.
    width: &'static str,
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
                per_unit: COARSE.0,
                equal: COARSE.1,
                width: "1/4",
                what: "inputs per bin".into(),
            };
        }
        Histogram {
            title,
            counts: result.fine.0.to_vec(),
            floor: fine_floor,
            per_unit: FINE.0,
            equal: FINE.1,
            width: "1/64",
            what: format!("inputs per bin, of {} sampled", show::count(sampled.into())),
        }
    }

    /// The numbers of bins of equal width and of octaves that are shown. Octaves are shown only up to the last one with an input.
    fn shown(&self) -> (usize, usize) {
        let used = self
            .counts
            .iter()
            .rposition(|&n| n > 0)
            .map_or(0, |i| i + 1);
        match used.checked_sub(self.equal) {
            Some(octaves) if octaves > 0 => (self.equal, octaves),
            _ => {
                let least = LEAST * self.per_unit;
                (used.max(least).next_multiple_of(self.per_unit), 0)
            }
        }
    }

    /// Where a bin begins and ends on the axis. An octave is as wide as several bins of equal width, since it stands for a wider range. Its
    /// height still cannot be compared with theirs, so there is a gap before it, and it has another colour.
    fn place(&self, bin: usize) -> (f64, f64) {
        let unit = self.per_unit as f64;
        match bin.checked_sub(self.equal) {
            None => (bin as f64 / unit, (bin + 1) as f64 / unit),
            Some(octave) => {
                let left = self.equal as f64 / unit + GAP + octave as f64;
                (left, left + 1.0)
            }
        }
    }

    /// The labelled places of the axis, for this many pixels per unit.
    fn labels(&self, (equal, octaves): (usize, usize), pixels: f64) -> Vec<(f64, String)> {
        let every = (APART / pixels).max(1.0).ceil() as usize;
        let step = self.per_unit * every.next_power_of_two();
        let edges = (0..=equal).step_by(step).map(|bin| {
            let at = bin as f64 / self.per_unit as f64;
            (at, tick((self.floor)(bin)))
        });
        let mut labels: Vec<(f64, String)> = edges.collect();
        if octaves == 0 {
            return labels;
        }
        // The end of the one section and the beginning of the other are one number.
        labels.retain(|label| label.0 < self.equal as f64 / self.per_unit as f64);
        let every = (APART / 2.0 / pixels).max(1.0).ceil() as usize;
        for octave in (0..octaves).step_by(every) {
            let bin = self.equal + octave;
            labels.push((self.place(bin).0, tick((self.floor)(bin))));
        }
        if octaves.is_multiple_of(every) {
            let end = self.equal + octaves;
            let label = match end == self.counts.len() {
                true => "∞".into(),
                false => tick((self.floor)(end)),
            };
            labels.push((self.place(end - 1).1, label));
        }
        labels
    }
}

impl Picture for Histogram {
    fn draw<B: DrawingBackend>(&self, board: &Board<'_, B>) -> Result<(), String>
    where
        B::ErrorType: 'static,
    {
        use plotters::style::text_anchor::{HPos, Pos, VPos};
        let bad = |e: DrawingAreaErrorKind<B::ErrorType>| e.to_string();
        // The axis begins at half an input, so that a bar for one input is visible.
        let base = 0.5f64.log10();
        let height = |n: u64| (n as f64).log10();
        let most = self.counts.iter().copied().max().unwrap_or(0).max(1);
        let (equal, octaves) = self.shown();
        let end = self.place((equal + octaves).saturating_sub(1)).1;
        let mut chart = ChartBuilder::on(board)
            .caption(&self.title, ("sans-serif", TITLE))
            .margin(14)
            // Half of the last label.
            .margin_right(40)
            .x_label_area_size(48)
            .y_label_area_size(84)
            .build_cartesian_2d(0.0..end, base..height(most) + 0.5)
            .map_err(bad)?;
        // On a logarithmic axis, the marks between powers of ten are not round numbers.
        let count = |y: &f64| match (y - y.round()).abs() < 1e-9 {
            true => tick(10f64.powf(*y).round()),
            false => String::new(),
        };
        let octaves_are = match octaves {
            0 => String::new(),
            _ => format!(
                ", from {} on one per octave (orange)",
                (self.floor)(self.equal)
            ),
        };
        chart
            .configure_mesh()
            .disable_x_mesh()
            .light_line_style(WHITE)
            .x_desc(format!(
                "size of the error in ULP; bins of {} ULP{octaves_are}",
                self.width
            ))
            .y_desc(&self.what)
            .x_labels(0)
            .y_label_formatter(&count)
            .label_style(("sans-serif", TEXT))
            .axis_desc_style(("sans-serif", TEXT))
            .draw()
            .map_err(bad)?;
        let bars = self.counts[..(equal + octaves).min(self.counts.len())]
            .iter()
            .enumerate()
            .filter(|(_, n)| **n > 0)
            .map(|(i, &n)| {
                let (left, right) = self.place(i);
                let side = 0.06 * (right - left);
                let colour = if i < self.equal { BLUE } else { ORANGE };
                let corners = [(left + side, base), (right - side, height(n))];
                Rectangle::new(corners, colour.mix(0.8).filled())
            });
        chart.draw_series(bars).map_err(bad)?;
        let (xs, ys) = chart.plotting_area().get_pixel_range();
        let pixels = f64::from(xs.end - xs.start) / end;
        let pixel = |at: f64| xs.start + (at * pixels).round() as i32;
        if octaves > 0 {
            // The axis is broken at the gap.
            let left = self.equal as f64 / self.per_unit as f64;
            let gap = [
                (pixel(left) + 1, ys.end - 1),
                (pixel(left + GAP) - 1, ys.end + 1),
            ];
            board
                .draw(&Rectangle::new(gap, WHITE.filled()))
                .map_err(bad)?;
        }
        let style = ("sans-serif", TEXT).into_text_style(board);
        let style = style.pos(Pos::new(HPos::Center, VPos::Top));
        for (at, label) in self.labels((equal, octaves), pixels) {
            let x = pixel(at);
            let mark = PathElement::new([(x, ys.end), (x, ys.end + 5)], BLACK);
            board.draw(&mark).map_err(bad)?;
            let text = Text::new(label, (x, ys.end + 8), style.clone());
            board.draw(&text).map_err(bad)?;
        }
        Ok(())
    }
}
