//! The error envelope: the largest errors, above and below the reference, over the range.

use plotters::prelude::*;

use super::{BLUE, Board, GREY, ORANGE, PURPLE, Picture, TEXT, TITLE, power, tick};
use dc_runtime::model::block::{BlockResult, Worst};
use dc_runtime::model::show;
use dc_runtime::model::space::InputSpace;
use dc_runtime::search::format::Row;
use dc_runtime::search::range::Range;
use dc_runtime::search::ulp::Definition;

/// The largest errors for which both signs are drawn on one linear axis. For larger errors, the logarithm of the magnitude is drawn.
const LINEAR: f64 = 256.0;

/// The data of the picture.
#[derive(Debug, Clone)]
pub(crate) struct Envelope {
    pub title: String,
    /// The errors of one run, or of two.
    curves: Vec<Curve>,
    /// The number of inputs on the horizontal axis.
    inputs: f64,
    /// The inputs at equal distances along the axis, for its labels.
    marks: Vec<String>,
    /// Points of the curve that bounds the errors: the number of inputs before the point, and ULP.
    bound: Vec<(f64, f64)>,
    axis: String,
    /// Whether positive and negative errors are drawn separately.
    signed: bool,
    definition: Definition,
    /// The population of which the errors are a sample, if they are a sample.
    sample: Option<String>,
}

/// A run's data.
pub(crate) struct Run<'a> {
    /// Its name in the legend, if there are two.
    pub label: String,
    /// The rows of its file.
    pub rows: &'a [Row],
}

#[derive(Debug, Clone)]
struct Curve {
    label: String,
    /// Stretches of inputs, counted from the axis' first, with the largest errors above and below in them.
    steps: Vec<Step>,
    worst: Option<Point>,
}

/// The worst input on the axis.
#[derive(Debug, Clone)]
struct Point {
    at: f64,
    /// The error, with its sign if both signs are drawn.
    error: f64,
    label: String,
}

#[derive(Debug, Clone, Copy)]
struct Step {
    from: f64,
    to: f64,
    above: f64,
    below: f64,
    /// The number of wrong special values, which have no error.
    faults: u64,
}

/// The number of labels on the horizontal axis, minus one.
const MARKS: usize = 8;

/// The number of lines of a picture, roughly.
const LINES: f64 = 800.0;

/// The number of parts of a bound's curve.
const POINTS: u128 = 1024;

impl Envelope {
    /// The envelope from the rows of run files, over the inputs of `axis`. By the Handbook's definition, both signs are drawn. By another
    /// definition, whose extremes are not in the file, the magnitude of the error of each row's worst input is drawn. `bound` gives the bound
    /// of the errors between two inputs.
    pub fn new(
        title: String,
        runs: &[Run],
        axis: &Range,
        definition: Definition,
        bound: Option<&dyn Fn(f64, f64) -> f64>,
    ) -> Envelope {
        let signed = definition.is_searched();
        let inputs = axis.count();
        let at = |i| input(axis, inputs.saturating_sub(1) * i / MARKS as u128);
        let marks: Vec<f64> = (0..=MARKS as u128).map(at).collect();
        let digits = digits(&marks);
        let curves = runs.iter().map(|run| {
            let steps = run.rows.iter().map(|r| {
                let (above, below) = if signed {
                    (r.result.max_positive.error(), r.result.max_negative.error())
                } else {
                    (r.worst.as_ref().map_or(0.0, |w| definition.of(w)), 0.0)
                };
                let (from, to) = stretch(axis, r);
                Step {
                    from,
                    to,
                    above,
                    below,
                    faults: r.result.faults.iter().map(|f| f.count).sum(),
                }
            });
            let here = run.rows.iter().filter_map(|r| Some((r, r.worst.as_ref()?)));
            let here = here.filter(|(_, w)| axis.contains(w.key));
            let size = |w: &Worst| match signed {
                true => w.error,
                false => definition.of(w),
            };
            let worst = here.max_by(|a, b| size(a.1).total_cmp(&size(b.1)));
            Curve {
                label: run.label.clone(),
                // Those outside of the axis are empty.
                steps: steps.filter(|s| s.from < s.to).collect(),
                worst: worst.map(|(row, w)| {
                    let sign = match signed && is_below(&row.result, w) {
                        true => -1.0,
                        false => 1.0,
                    };
                    let input = number(axis, w.key);
                    Point {
                        at: before(axis, w.key.into()),
                        error: sign * size(w),
                        label: format!(
                            "{} at {}",
                            sized(size(w), definition),
                            label(input, digits + 2)
                        ),
                    }
                }),
            }
        });
        // The bound of each part of the axis, so that no input between two points is above the curve.
        let curve = |bound: &dyn Fn(f64, f64) -> f64| -> Vec<(f64, f64)> {
            let part = |i: u128| {
                let (n, next) = (inputs * i / POINTS, inputs * (i + 1) / POINTS);
                let last = next.saturating_sub(1).max(n);
                let ulp = bound(input(axis, n), input(axis, last));
                [(n as f64, ulp), (next as f64, ulp)]
            };
            (0..POINTS).flat_map(part).collect()
        };
        Envelope {
            title,
            curves: curves.collect(),
            inputs: inputs as f64,
            marks: marks.iter().map(|&x| label(x, digits)).collect(),
            bound: bound.map(curve).unwrap_or_default(),
            axis: definition.axis(),
            definition,
            signed,
            sample: None,
        }
    }

    /// The same picture, marked as one of a sample.
    pub fn of_sample(self, sample: String) -> Envelope {
        Envelope {
            sample: Some(sample),
            ..self
        }
    }

    fn largest(&self) -> f64 {
        let steps = self.curves.iter().flat_map(|c| &c.steps);
        let errors = steps.flat_map(|s| [s.above, s.below]);
        let bounds = self.bound.iter().map(|p| p.1);
        errors.chain(bounds).fold(0.0, f64::max)
    }

    /// The stretches of the axis that no run has searched.
    fn unsearched(&self) -> Vec<(f64, f64)> {
        let steps = self.curves.iter().flat_map(|c| &c.steps);
        gaps(steps.map(|s| (s.from, s.to)).collect(), self.inputs)
    }

    /// The stretches with wrong special values, and the number of these.
    fn faults(&self) -> (Vec<(f64, f64)>, u64) {
        let steps = self.curves.iter().flat_map(|c| &c.steps);
        let wrong: Vec<&Step> = steps.filter(|s| s.faults > 0).collect();
        // No narrower than a line of the picture.
        let least = self.inputs / LINES;
        let band = |s: &&Step| (s.from, s.to.max(s.from + least).min(self.inputs));
        (
            wrong.iter().map(band).collect(),
            wrong.iter().map(|s| s.faults).sum(),
        )
    }

    /// The points of the curve that bounds the errors.
    pub fn bound(&self) -> &[(f64, f64)] {
        &self.bound
    }
}

/// Whether the result of the worst input is below the reference. An error that is stored with an input has no sign.
pub(crate) fn is_below(result: &BlockResult, worst: &Worst) -> bool {
    let below = result.max_negative;
    below.exists() && below.key == worst.key && below.error() == worst.error
}

/// A row's stretch of the axis. If the row lacks blocks, the stretch is shorter by as much. Rows are narrower than a line of the picture,
/// so the grey part is the part that was not searched.
pub(crate) fn stretch(axis: &Range, row: &Row) -> (f64, f64) {
    let from = before(axis, row.first_key.into());
    let to = before(axis, i128::from(row.last_key) + 1);
    (from, from + (to - from) * row.share())
}

/// The parts of an axis of this many inputs that stretches leave out.
pub(crate) fn gaps(mut stretches: Vec<(f64, f64)>, inputs: f64) -> Vec<(f64, f64)> {
    stretches.sort_by(|a, b| a.0.total_cmp(&b.0));
    let (mut gaps, mut end) = (Vec::new(), 0.0);
    for (from, to) in stretches.into_iter().chain([(inputs, inputs)]) {
        if from > end {
            gaps.push((end, from));
        }
        end = to.max(end);
    }
    gaps
}

/// The number of inputs of the axis with smaller keys.
pub(crate) fn before(axis: &Range, key: i128) -> f64 {
    let smaller = |s: &dc_runtime::search::range::Span| {
        let end = key.min(i128::from(s.last) + 1);
        (end - i128::from(s.first)).max(0)
    };
    axis.spans().iter().map(smaller).sum::<i128>() as f64
}

/// The input with index `n` on the axis.
fn input(axis: &Range, n: u128) -> f64 {
    key_at(axis, n).map_or(f64::NAN, |key| number(axis, key))
}

/// The key of the input with index `n` on the axis.
pub(crate) fn key_at(axis: &Range, mut n: u128) -> Option<i64> {
    for s in axis.spans() {
        if n < s.count() {
            return Some((i128::from(s.first) + n as i128) as i64);
        }
        n -= s.count();
    }
    None
}

fn number(axis: &Range, key: i64) -> f64 {
    match axis.space() {
        InputSpace::Numbers(precision) => precision.value_of_key(key),
        // The axis shows their numbers.
        _ => key as f64,
    }
}

/// The number of digits after the point that distinguish neighbours in ascending numbers.
fn digits(numbers: &[f64]) -> usize {
    let differ = |digits: &usize| {
        let labels: Vec<String> = numbers.iter().map(|&x| label(x, *digits)).collect();
        labels.windows(2).all(|w| w[0] != w[1])
    };
    (3..17).find(differ).unwrap_or(17)
}

/// An error with its unit.
fn sized(error: f64, definition: Definition) -> String {
    let number = match definition {
        Definition::Absolute | Definition::Relative | Definition::Searched(_) => power(error, 3),
        _ => format!("{error:.4}"),
    };
    format!("{number} {}", definition.unit())
}

fn label(x: f64, digits: usize) -> String {
    if x == 0.0 || !x.is_finite() {
        format!("{x}")
    } else if (1e-3..1e5).contains(&x.abs()) {
        let text = format!("{x:.digits$}");
        text.trim_end_matches('0').trim_end_matches('.').into()
    } else {
        power(x, digits)
    }
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
        // Above the curves there is room for the legend.
        let gaps = self.unsearched();
        let (wrong, faults) = self.faults();
        let legend = self.legend(!gaps.is_empty(), faults);
        let high = high + 0.06 * (high - low) * legend.len() as f64;
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
            if !logarithmic {
                // Ticks are sums of their distances, and the one at 0 is seldom 0.
                tick(if y.abs() < 1e-9 * high { 0.0 } else { *y })
            } else if (y - y.round()).abs() < 1e-6 {
                match y.round() as i32 {
                    0 => "1".into(),
                    1 => "10".into(),
                    e => format!("10^{e}"),
                }
            } else {
                String::new()
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
        let band = |&(from, to): &(f64, f64)| {
            Rectangle::new([(from, low), (to, high)], GREY.mix(0.18).filled())
        };
        chart.draw_series(gaps.iter().map(band)).map_err(bad)?;
        // An input with a wrong special value has no error that could be drawn.
        let band = |&(from, to): &(f64, f64)| {
            Rectangle::new([(from, low), (to, high)], PURPLE.mix(0.45).filled())
        };
        chart.draw_series(wrong.iter().map(band)).map_err(bad)?;
        // Consecutive stretches form one area.
        for (curve, colour) in self.curves.iter().zip([BLUE, ORANGE]) {
            let below = if self.curves.len() > 1 {
                colour
            } else {
                ORANGE
            };
            for run in curve.steps.chunk_by(|a, b| a.to == b.from) {
                let outline = |side: &dyn Fn(&Step) -> f64| -> Vec<(f64, f64)> {
                    run.iter()
                        .flat_map(|s| [(s.from, side(s)), (s.to, side(s))])
                        .collect()
                };
                let mut area = |points, colour: RGBColor| {
                    let series =
                        AreaSeries::new(points, base, colour.mix(0.35)).border_style(colour);
                    chart.draw_series(series).map(|_| ()).map_err(bad)
                };
                if logarithmic || !self.signed {
                    area(outline(&|s| place(s.above.max(s.below))), colour)?;
                } else {
                    area(outline(&|s| s.above), colour)?;
                    area(outline(&|s| -s.below), below)?;
                }
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
        for curve in &self.curves {
            if let Some(worst) = &curve.worst {
                let y = match logarithmic || !self.signed {
                    true => place(worst.error.abs()),
                    false => worst.error,
                };
                let at = chart.backend_coord(&(worst.at, y));
                self.label_worst(board, &chart, worst, at).map_err(bad)?;
            }
        }
        draw_legend(board, &chart, legend).map_err(bad)
    }
}

type Chart<'a, B> = ChartContext<
    'a,
    B,
    Cartesian2d<plotters::coord::types::RangedCoordf64, plotters::coord::types::RangedCoordf64>,
>;

impl Envelope {
    /// Labels at equal distances. plotters would choose round numbers of inputs, which have no meaning.
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

impl Envelope {
    /// A circle at the worst input, with its error outside of the curve, towards the middle of the picture.
    fn label_worst<B: DrawingBackend>(
        &self,
        board: &Board<'_, B>,
        chart: &Chart<'_, B>,
        worst: &Point,
        (x, y): (i32, i32),
    ) -> Result<(), DrawingAreaErrorKind<B::ErrorType>>
    where
        B::ErrorType: 'static,
    {
        use plotters::style::text_anchor::{HPos, Pos, VPos};
        let (xs, ys) = chart.plotting_area().get_pixel_range();
        let side = match x < (xs.start + xs.end) / 2 {
            true => HPos::Left,
            false => HPos::Right,
        };
        // Towards the middle where the axis, or the edge, leaves no room outside.
        let room = 8 + TEXT as i32;
        let below = match worst.error < 0.0 {
            true => y + room <= ys.end,
            false => y - room < ys.start,
        };
        let (edge, gap) = match below {
            true => (VPos::Top, 8),
            false => (VPos::Bottom, -8),
        };
        let style = ("sans-serif", TEXT).into_text_style(board);
        let style = style.pos(Pos::new(side, edge));
        board.draw(&Circle::new((x, y), 5, BLACK.stroke_width(2)))?;
        board.draw(&Text::new(worst.label.clone(), (x, y + gap), style))
    }

    /// The names of two runs with their largest errors, and the meaning of the bands.
    fn legend(&self, gaps: bool, faults: u64) -> Vec<(RGBAColor, String)> {
        let mut rows = Vec::new();
        if let Some(sample) = &self.sample {
            rows.push((BLUE.mix(0.35), sample.clone()));
        }
        if self.curves.len() > 1 {
            for (curve, colour) in self.curves.iter().zip([BLUE, ORANGE]) {
                let largest = match &curve.worst {
                    Some(worst) => sized(worst.error.abs(), self.definition),
                    None => "nothing searched here".into(),
                };
                rows.push((colour.mix(0.8), format!("{}: {largest}", curve.label)));
            }
        }
        if gaps {
            let none = match &self.sample {
                Some(_) => "no input taken",
                None => "not searched",
            };
            rows.push((GREY.mix(0.3), none.into()));
        }
        if faults > 0 {
            let inputs = match faults {
                1 => "1 input".into(),
                n => format!("{} inputs", show::count(n.into())),
            };
            let text = format!("wrong special values at {inputs}, without an error");
            rows.push((PURPLE.mix(0.45), text));
        }
        rows
    }
}

fn draw_legend<B: DrawingBackend>(
    board: &Board<'_, B>,
    chart: &Chart<'_, B>,
    rows: Vec<(RGBAColor, String)>,
) -> Result<(), DrawingAreaErrorKind<B::ErrorType>>
where
    B::ErrorType: 'static,
{
    let (xs, ys) = chart.plotting_area().get_pixel_range();
    let mut y = ys.start + 4;
    for (colour, text) in rows {
        let x = xs.start + 14;
        board.draw(&Rectangle::new([(x, y), (x + 14, y + 14)], colour.filled()))?;
        let style = ("sans-serif", TEXT).into_text_style(board);
        board.draw(&Text::new(text, (x + 22, y - 1), style))?;
        y += 24;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use dc_runtime::model::block::Extreme;
    use dc_runtime::model::key::Precision;

    #[test]
    fn inputs_are_counted_along_the_axis() {
        let range = |text| Range::parse(text, Precision::F64).expect(text);
        let axis = range("bits:0x10..=bits:0x19, bits:0x30..=bits:0x39");
        for (key, n) in [
            (0, 0.0),
            (0x10, 0.0),
            (0x13, 3.0),
            (0x20, 10.0),
            (0x31, 11.0),
            (0x40, 20.0),
        ] {
            assert_eq!(before(&axis, key), n, "{key:x}");
        }
        assert_eq!(input(&axis, 11).to_bits(), 0x31);
        let step = |from, to| Step {
            from,
            to,
            above: 0.5,
            below: 0.5,
            faults: 0,
        };
        let curve = |steps| Curve {
            label: String::new(),
            steps,
            worst: None,
        };
        let mut picture = Envelope::new(String::new(), &[], &axis, Definition::Handbook, None);
        assert_eq!(picture.unsearched(), [(0.0, 20.0)]);
        picture.curves = vec![
            curve(vec![step(2.0, 5.0), step(5.0, 9.0)]),
            curve(vec![step(8.0, 20.0)]),
        ];
        assert_eq!(picture.unsearched(), [(0.0, 2.0)]);
        picture.curves.truncate(1);
        assert_eq!(picture.unsearched(), [(0.0, 2.0), (9.0, 20.0)]);
        // A row from 2 to 18 with one block of four.
        let mut row = Row::of_block(4, [0x12, 0x37], BlockResult::EMPTY);
        row.last_block = 7;
        let runs = [Run {
            label: String::new(),
            rows: &[row],
        }];
        let picture = Envelope::new(String::new(), &runs, &axis, Definition::Handbook, None);
        assert_eq!(picture.unsearched(), [(0.0, 2.0), (6.0, 20.0)]);
    }

    /// Fault: inputs with infinite results were drawn as inputs without an error.
    #[test]
    fn wrong_special_values_are_marked() {
        let axis = Range::parse("bits:0x10..=bits:0x19", Precision::F64).expect("a range");
        let mut result = BlockResult::EMPTY;
        let mut drawn = |count| {
            result.faults[1].count = count;
            let rows = [Row::of_block(2, [0x12, 0x13], result)];
            let runs = [Run {
                label: String::new(),
                rows: &rows,
            }];
            let picture = Envelope::new(String::new(), &runs, &axis, Definition::Handbook, None);
            crate::plot::svg(&picture, (600, 400)).expect("a picture")
        };
        assert!(!drawn(0).contains("wrong special values"));
        assert!(drawn(1).contains("wrong special values at 1 input, without an error"));
        assert!(drawn(131_071).contains("wrong special values at 131,071 inputs"));
    }

    /// Fault: a worst input below the reference was marked above it.
    #[test]
    fn the_worst_input_is_marked_on_its_side() {
        let axis = Range::parse("bits:0x10..=bits:0x19", Precision::F64).expect("a range");
        let extreme = |error: f64, key| Extreme {
            error_bits: error.to_bits(),
            key,
        };
        let mut result = BlockResult::EMPTY;
        result.max_positive = extreme(0.25, 0x11);
        result.max_negative = extreme(0.75, 0x12);
        result.max = result.max_negative;
        let worst = Worst {
            precision: Precision::F64,
            key: 0x12,
            error: 0.75,
            result_bits: 0,
            reference: [0.0, 0.0],
            scale: 0,
        };
        let mut row = Row::of_block(0, [0x10, 0x19], result);
        row.worst = Some(worst);
        let marked = |definition| {
            let runs = [Run {
                label: String::new(),
                rows: std::slice::from_ref(&row),
            }];
            let picture = Envelope::new(String::new(), &runs, &axis, definition, None);
            picture.curves[0].worst.as_ref().expect("a point").error
        };
        assert_eq!(marked(Definition::Handbook), -0.75);
        assert_eq!(marked(Definition::OpenCl), 0.75);
    }

    #[test]
    fn labels_tell_neighbours_apart() {
        let labels = |numbers: &[f64]| -> Vec<String> {
            let digits = digits(numbers);
            numbers.iter().map(|&x| label(x, digits)).collect()
        };
        assert_eq!(labels(&[1.0, 1.25, 1.5]), ["1", "1.25", "1.5"]);
        assert_eq!(labels(&[1.0, 1.0 + 1e-9]), ["1", "1.000000001"]);
        assert_eq!(labels(&[-2.0, -0.0, 1e-30]), ["-2", "-0", "10^-30"]);
        assert_eq!(labels(&[1.0, 1.0]), ["1", "1"]);
    }
}
