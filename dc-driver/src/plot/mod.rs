//! Pictures, drawn by plotters. They are the same in SVG and in PNG.
//!
//! The only font is DejaVu Sans, which is part of the program. Plotters' own font support would link fontconfig and freetype, and would
//! measure text differently on each machine. Text in SVG stays text, in the viewer's sans-serif font.

mod certified;
mod envelope;
pub(super) mod file;
#[cfg(feature = "references")]
mod front;
mod histogram;
mod throughput;

use std::sync::Once;

use plotters::coord::Shift;
use plotters::prelude::*;
use plotters::style::{FontStyle, register_font};

pub(super) use certified::Certified;
pub(super) use envelope::{Envelope, Run, before, gaps, is_below, key_at, stretch};
#[cfg(feature = "references")]
pub(super) use front::{Front, Spot};
pub(super) use histogram::Histogram;
pub(super) use throughput::Throughput;

/// A drawing area of either backend.
type Board<'a, B> = DrawingArea<B, Shift>;

/// A picture.
pub(super) trait Picture {
    /// Draws it on the whole area.
    ///
    /// # Errors
    /// If the backend cannot draw it: the backend's error.
    fn draw<B: DrawingBackend>(&self, board: &Board<'_, B>) -> Result<(), String>
    where
        B::ErrorType: 'static;
}

/// Colours that are distinguishable with red-green colour blindness (Okabe and Ito).
const BLUE: RGBColor = RGBColor(0, 114, 178);
const ORANGE: RGBColor = RGBColor(213, 94, 0);
const PURPLE: RGBColor = RGBColor(204, 121, 167);
const GREY: RGBColor = RGBColor(110, 110, 110);

/// Sizes of text in pixels.
const TEXT: u32 = 16;
const TITLE: u32 = 20;

fn fonts() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        // The data is a font; if it were not, drawing text would report it.
        let _ = register_font("sans-serif", FontStyle::Normal, dejavu::sans::regular());
    });
}

/// As SVG.
pub(super) fn svg(picture: &impl Picture, size: (u32, u32)) -> Result<String, String> {
    fonts();
    let mut text = String::new();
    {
        let board = SVGBackend::with_string(&mut text, size).into_drawing_area();
        board.fill(&WHITE).map_err(|e| e.to_string())?;
        picture.draw(&board)?;
        board.present().map_err(|e| e.to_string())?;
    }
    Ok(text)
}

/// As the bytes of a PNG file.
pub(super) fn png(picture: &impl Picture, size: (u32, u32)) -> Result<Vec<u8>, String> {
    fonts();
    let (width, height) = size;
    let mut pixels = vec![0; width as usize * height as usize * 3];
    {
        let board = BitMapBackend::with_buffer(&mut pixels, size).into_drawing_area();
        board.fill(&WHITE).map_err(|e| e.to_string())?;
        picture.draw(&board)?;
        board.present().map_err(|e| e.to_string())?;
    }
    let mut bytes = Vec::new();
    let mut encoder = png::Encoder::new(&mut bytes, width, height);
    encoder.set_color(png::ColorType::Rgb);
    encoder.set_depth(png::BitDepth::Eight);
    encoder
        .write_header()
        .and_then(|mut w| {
            w.write_image_data(&pixels)?;
            w.finish()
        })
        .map_err(|e| e.to_string())?;
    Ok(bytes)
}

/// A number on an axis, with few digits.
fn tick(x: f64) -> String {
    if x == 0.0 || (1e-3..1e5).contains(&x.abs()) {
        dc_runtime::search::format::number((x * 1e6).round() / 1e6)
    } else {
        power(x, 3)
    }
}

/// A number as a multiple of a power of ten, with at most this many digits after the point: `10^-3`, `2.5·10^300`.
fn power(x: f64, digits: usize) -> String {
    let text = format!("{x:.digits$e}");
    let Some((factor, exponent)) = text.split_once('e') else {
        return text;
    };
    let factor = match factor.contains('.') {
        true => factor.trim_end_matches('0').trim_end_matches('.'),
        false => factor,
    };
    match factor {
        "1" => format!("10^{exponent}"),
        "-1" => format!("-10^{exponent}"),
        factor => format!("{factor}·10^{exponent}"),
    }
}

#[cfg(test)]
mod tests;
