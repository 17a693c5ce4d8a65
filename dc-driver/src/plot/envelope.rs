//! The error envelope: the largest errors, above and below the reference, over the range.

use plotters::prelude::*;

use super::{BLUE, Board, GREY, ORANGE, Picture, TEXT, TITLE, tick};
use dc_runtime::model::space::InputSpace;
use dc_runtime::search::format::Row;
use dc_runtime::search::plan::Plan;
use dc_runtime::search::run_file::Header;
use dc_runtime::search::ulp::Definition;

/// The largest errors for which both signs are drawn on one linear axis; for larger ones, the logarithm of the
/// magnitude is drawn.
const LINEAR: f64 = 256.0;

/// The data of the picture.
#[derive(Debug, Clone)]
pub(crate) struct Envelope {
    pub title: String,
    /// Stretches of inputs, counted from the range's first, with the largest errors above and below in them.
    steps: Vec<Step>,
    /// The number of inputs on the horizontal axis.
    inputs: f64,
    /// The inputs at equal distances along the axis, for its labels.
    marks: Vec<String>,
    /// Points of the curve that bounds the errors: the number of inputs before the point, and ULP.
    bound: Vec<(f64, f64)>,
    axis: String,
    /// Whether positive and negative errors are drawn separately.
    signed: bool,
}

#[derive(Debug, Clone, Copy)]
struct Step {
    from: f64,
    to: f64,
    above: f64,
    below: f64,
}

/// The number of labels on the horizontal axis, minus one.
const MARKS: usize = 8;

/// The number of parts of a bound's curve.
const POINTS: u128 = 1024;

impl Envelope {
    /// The envelope from the rows of a run file. By the Handbook's definition both signs are drawn; by another, whose
    /// extremes are not in the file, the magnitude of the error of each row's worst input. `bound` gives the bound of
    /// the errors between two inputs.
    pub fn new(
        title: String,
        header: &Header,
        rows: &[Row],
        definition: Definition,
        bound: Option<&dyn Fn(f64, f64) -> f64>,
    ) -> Envelope {
        let plan = &header.plan;
        let own = header.own_blocks();
        let before = |block: u64| plan.inputs_of(&(own.start..block)) as f64;
        let signed = definition == Definition::Handbook;
        let steps = rows
            .iter()
            .map(|r| {
                let (above, below) = if signed {
                    (r.result.max_positive.error(), r.result.max_negative.error())
                } else {
                    (r.worst.as_ref().map_or(0.0, |w| definition.of(w)), 0.0)
                };
                Step {
                    from: before(r.first_block),
                    to: before(r.last_block + 1),
                    above,
                    below,
                }
            })
            .collect();
        let inputs = plan.inputs(header.shard);
        let first = plan.inputs_of(&(0..own.start));
        let at = |i| input(plan, first + inputs.saturating_sub(1) * i / MARKS as u128);
        let marks = labels(&(0..=MARKS as u128).map(at).collect::<Vec<f64>>());
        // The bound of each part of the axis, so that no input between two points is above the curve.
        let curve = |bound: &dyn Fn(f64, f64) -> f64| -> Vec<(f64, f64)> {
            let part = |i: u128| {
                let (n, next) = (inputs * i / POINTS, inputs * (i + 1) / POINTS);
                let last = next.saturating_sub(1).max(n);
                let ulp = bound(input(plan, first + n), input(plan, first + last));
                [(n as f64, ulp), (next as f64, ulp)]
            };
            (0..POINTS).flat_map(part).collect()
        };
        Envelope {
            title,
            steps,
            inputs: inputs as f64,
            marks,
            bound: bound.map(curve).unwrap_or_default(),
            axis: match definition {
                Definition::Handbook => "error in ULP".into(),
                d => format!("error in ULP ({})", d.name()),
            },
            signed,
        }
    }

    fn largest(&self) -> f64 {
        let errors = self.steps.iter().flat_map(|s| [s.above, s.below]);
        let bounds = self.bound.iter().map(|p| p.1);
        errors.chain(bounds).fold(0.0, f64::max)
    }
}

/// The input with index `n` in the plan.
fn input(plan: &Plan, mut n: u128) -> f64 {
    for s in plan.range().spans() {
        if n < s.count() {
            let key = (i128::from(s.first) + n as i128) as i64;
            return match plan.range().space() {
                InputSpace::Numbers(precision) => precision.value_of_key(key),
                // The axis shows their numbers.
                _ => key as f64,
            };
        }
        n -= s.count();
    }
    f64::NAN
}

/// Ascending numbers with as few digits as distinguish neighbours.
fn labels(numbers: &[f64]) -> Vec<String> {
    let write = |x: f64, digits: usize| {
        if x == 0.0 || !x.is_finite() {
            format!("{x}")
        } else if (1e-3..1e5).contains(&x.abs()) {
            let text = format!("{x:.digits$}");
            text.trim_end_matches('0').trim_end_matches('.').into()
        } else {
            format!("{x:.digits$e}")
        }
    };
    let mut labels = Vec::new();
    for digits in 3..=17 {
        labels = numbers.iter().map(|&x| write(x, digits)).collect();
        if labels.windows(2).all(|w| w[0] != w[1]) {
            break;
        }
    }
    labels
}

impl Picture for Envelope {
    fn draw<B: DrawingBackend>(&self, board: &Board<'_, B>) -> Result<(), String>
    where
        B::ErrorType: 'static,
    {
        let bad = |e: DrawingAreaErrorKind<B::ErrorType>| e.to_string();
        let largest = self.largest();
        let logarithmic = largest > LINEAR;
        // 0 has no logarithm, and infinity no place on the axis.
        let place = |x: f64| {
            if logarithmic {
                x.clamp(1e-3, 1e308).log10()
            } else {
                x
            }
        };
        let (low, high, base) = if logarithmic {
            (-3.0, place(largest) * 1.05 + 0.1, -3.0)
        } else {
            let high = if largest > 0.0 { largest * 1.1 } else { 1.0 };
            (if self.signed { -high } else { 0.0 }, high, 0.0)
        };
        let mut chart = ChartBuilder::on(board)
            .caption(&self.title, ("sans-serif", TITLE))
            .margin(14)
            .margin_right(64)
            .x_label_area_size(48)
            .y_label_area_size(84)
            .build_cartesian_2d(0.0..self.inputs.max(1.0), low..high)
            .map_err(bad)?;
        let mark = |x: &f64| {
            let at = (x / self.inputs.max(1.0) * MARKS as f64).round();
            self.marks.get(at as usize).cloned().unwrap_or_default()
        };
        let error = |y: &f64| {
            if logarithmic {
                tick(10f64.powf(*y))
            } else {
                tick(*y)
            }
        };
        let axis = if logarithmic {
            format!("size of the {}", self.axis)
        } else {
            self.axis.clone()
        };
        chart
            .configure_mesh()
            .disable_x_mesh()
            .light_line_style(WHITE)
            .x_desc("input, equally many floats to equal lengths")
            .y_desc(axis)
            .x_labels(0)
            .y_labels(9)
            .y_label_formatter(&error)
            .label_style(("sans-serif", TEXT))
            .axis_desc_style(("sans-serif", TEXT))
            .draw()
            .map_err(bad)?;
        self.label_inputs(board, &chart, &mark).map_err(bad)?;
        // Consecutive stretches form one area; a gap of blocks that were not searched stays empty.
        for run in self.steps.chunk_by(|a, b| a.to == b.from) {
            let outline = |side: &dyn Fn(&Step) -> f64| -> Vec<(f64, f64)> {
                run.iter()
                    .flat_map(|s| [(s.from, side(s)), (s.to, side(s))])
                    .collect()
            };
            let mut area = |points, colour: RGBColor| {
                let series = AreaSeries::new(points, base, colour.mix(0.35)).border_style(colour);
                chart.draw_series(series).map(|_| ()).map_err(bad)
            };
            if logarithmic || !self.signed {
                area(outline(&|s| place(s.above.max(s.below))), BLUE)?;
            } else {
                area(outline(&|s| s.above), BLUE)?;
                area(outline(&|s| -s.below), ORANGE)?;
            }
        }
        if !self.bound.is_empty() {
            let sides: &[f64] = if logarithmic || !self.signed {
                &[1.0]
            } else {
                &[1.0, -1.0]
            };
            for side in sides {
                let points = self.bound.iter().map(|&(n, b)| (n, place(b) * side));
                let line = DashedLineSeries::new(points, 8, 6, GREY.stroke_width(2));
                chart.draw_series(line).map_err(bad)?;
            }
        }
        Ok(())
    }
}

type Chart<'a, B> = ChartContext<
    'a,
    B,
    Cartesian2d<plotters::coord::types::RangedCoordf64, plotters::coord::types::RangedCoordf64>,
>;

impl Envelope {
    /// Labels at equal distances: plotters would choose round numbers of inputs, which have no meaning.
    fn label_inputs<B: DrawingBackend>(
        &self,
        board: &Board<'_, B>,
        chart: &Chart<'_, B>,
        mark: &dyn Fn(&f64) -> String,
    ) -> Result<(), DrawingAreaErrorKind<B::ErrorType>>
    where
        B::ErrorType: 'static,
    {
        use plotters::style::text_anchor::{HPos, Pos, VPos};
        let (xs, ys) = chart.plotting_area().get_pixel_range();
        let style = ("sans-serif", TEXT).into_text_style(board);
        let style = style.pos(Pos::new(HPos::Center, VPos::Top));
        for i in 0..=MARKS {
            let x = xs.start + ((xs.end - xs.start) as f64 * i as f64 / MARKS as f64) as i32;
            let at = self.inputs * i as f64 / MARKS as f64;
            board.draw(&PathElement::new([(x, ys.end), (x, ys.end + 5)], BLACK))?;
            board.draw(&Text::new(mark(&at), (x, ys.end + 8), style.clone()))?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::labels;

    #[test]
    fn labels_tell_neighbours_apart() {
        assert_eq!(labels(&[1.0, 1.25, 1.5]), ["1", "1.25", "1.5"]);
        assert_eq!(labels(&[1.0, 1.0 + 1e-9]), ["1", "1.000000001"]);
        assert_eq!(labels(&[-2.0, -0.0, 1e-30]), ["-2", "-0", "1.000e-30"]);
        assert_eq!(labels(&[1.0, 1.0]), ["1", "1"]);
    }
}
