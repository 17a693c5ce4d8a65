//! Inputs per second, one bar per backend.

use plotters::prelude::*;

use super::{BLUE, Board, Picture, TEXT, TITLE};
use dc_runtime::model::show;
use dc_runtime::search::run_file::Session;

/// The data of the picture.
#[derive(Debug, Clone)]
pub(crate) struct Throughput {
    pub title: String,
    /// Name and inputs per second.
    bars: Vec<(String, f64)>,
}

impl Throughput {
    /// Bars with the same name become one: all their inputs divided by all their time.
    pub fn new(title: String, sessions: &[(String, Session)]) -> Throughput {
        let mut sums: Vec<(String, f64, f64)> = Vec::new();
        for (label, s) in sessions {
            for d in s.devices.iter().filter(|d| d.inputs > 0 && d.seconds > 0.0) {
                let name = if label.is_empty() {
                    d.backend.clone()
                } else {
                    format!("{label} on {}", d.backend)
                };
                let seconds = d.seconds / d.workers.max(1) as f64;
                match sums.iter_mut().find(|s| s.0 == name) {
                    Some(s) => {
                        s.1 += d.inputs as f64;
                        s.2 += seconds;
                    }
                    None => sums.push((name, d.inputs as f64, seconds)),
                }
            }
        }
        Throughput {
            title,
            bars: sums.into_iter().map(|(n, i, s)| (n, i / s)).collect(),
        }
    }

    /// Names, with inputs per second.
    pub fn bars(&self) -> &[(String, f64)] {
        &self.bars
    }

    pub fn is_empty(&self) -> bool {
        self.bars.is_empty()
    }
}

impl Picture for Throughput {
    fn draw<B: DrawingBackend>(&self, board: &Board<'_, B>) -> Result<(), String>
    where
        B::ErrorType: 'static,
    {
        use plotters::style::text_anchor::{HPos, Pos, VPos};
        let bad = |e: DrawingAreaErrorKind<B::ErrorType>| e.to_string();
        let most = self.bars.iter().map(|b| b.1).fold(1.0, f64::max);
        let n = self.bars.len().max(1) as f64;
        let longest = self.bars.iter().map(|b| b.0.chars().count()).max();
        let side = (longest.unwrap_or(0) as u32 * TEXT * 6 / 10 + 16).min(600);
        let mut chart = ChartBuilder::on(board)
            .caption(&self.title, ("sans-serif", TITLE))
            .margin(14)
            .x_label_area_size(48)
            .margin_left(side as i32)
            .build_cartesian_2d(0.0..most * 1.15, 0.0..n)
            .map_err(bad)?;
        chart
            .configure_mesh()
            .disable_y_mesh()
            .disable_y_axis()
            .light_line_style(WHITE)
            .x_desc("inputs per second")
            .x_label_formatter(&|x| show::si(*x))
            .label_style(("sans-serif", TEXT))
            .axis_desc_style(("sans-serif", TEXT))
            .draw()
            .map_err(bad)?;
        let style = ("sans-serif", TEXT).into_text_style(board);
        let left = style.clone().pos(Pos::new(HPos::Right, VPos::Center));
        let right = style.pos(Pos::new(HPos::Left, VPos::Center));
        for (i, (name, rate)) in self.bars.iter().enumerate() {
            let y = n - i as f64 - 0.5;
            let bar = Rectangle::new([(0.0, y - 0.35), (*rate, y + 0.35)], BLUE.mix(0.8).filled());
            chart.draw_series([bar]).map_err(bad)?;
            let (x0, y0) = chart.backend_coord(&(0.0, y));
            let (x1, _) = chart.backend_coord(&(*rate, y));
            board
                .draw(&Text::new(name.clone(), (x0 - 8, y0), left.clone()))
                .map_err(bad)?;
            board
                .draw(&Text::new(show::si(*rate), (x1 + 6, y0), right.clone()))
                .map_err(bad)?;
        }
        Ok(())
    }
}
