use super::*;
use dc_runtime::model::block::BlockResult;

fn histogram() -> Histogram {
    let mut r = BlockResult::EMPTY;
    r.histogram[0] = 1_000_000;
    r.histogram[2] = 1;
    r.histogram[15] = 30;
    Histogram::new("counts & <marks>".into(), &r)
}

#[test]
fn svg_is_text_and_escaped() {
    let text = svg(&histogram(), (800, 450)).expect("a picture");
    assert!(text.starts_with("<svg") && text.trim_end().ends_with("</svg>"));
    assert!(text.contains("counts &amp; &lt;marks&gt;"), "{text}");
    // Three bars, and the background.
    assert!(text.matches("<rect").count() >= 4, "{text}");
    assert!(text.contains("<text") && !text.contains("<image"));
}

/// Octaves have another colour than the bins of equal width, follow a gap, and are shown only if they have inputs.
#[test]
fn octaves_are_apart() {
    let bars = |text: &str, colour: &str| -> Vec<(i32, i32)> {
        let number = |bar: &str, name: &str| -> i32 {
            let (_, rest) = bar.split_once(&format!("{name}=\"")).expect("an attribute");
            let number = rest.split('"').next().expect("its value");
            number.parse().expect("a whole number")
        };
        let all = text.split("<rect").filter(|bar| bar.contains(colour));
        all.map(|bar| (number(bar, " x"), number(bar, "width")))
            .collect()
    };
    let mut r = BlockResult::EMPTY;
    for (bin, n) in [(0, 1_000), (127, 100), (128, 10), (135, 1)] {
        r.fine.0[bin] = n;
    }
    let text = svg(&Histogram::new("fine".into(), &r), (1200, 675)).expect("a picture");
    let (equal, octaves) = (bars(&text, "#0072B2"), bars(&text, "#D55E00"));
    assert_eq!((equal.len(), octaves.len()), (2, 2), "{text}");
    let gap = octaves[0].0 - (equal[1].0 + equal[1].1);
    assert!(
        gap > 20 && octaves[0].1 > 4 * equal[0].1,
        "{equal:?} {octaves:?}"
    );
    for part in [
        "bins of 1/64 ULP, from 2 on one per octave",
        "of 1,111 sampled",
        "∞",
    ] {
        assert!(text.contains(part), "{part}: {text}");
    }
    r.fine.0[128..].fill(0);
    let text = svg(&Histogram::new("fine".into(), &r), (1200, 675)).expect("a picture");
    assert!(
        bars(&text, "#D55E00").is_empty() && !text.contains("octave"),
        "{text}"
    );
}

#[test]
fn png_has_the_size_and_ink() {
    let bytes = png(&histogram(), (640, 360)).expect("a picture");
    assert!(bytes.starts_with(b"\x89PNG\r\n\x1a\n"));
    // The header chunk's width and height.
    assert_eq!(bytes[16..24], [0, 0, 2, 128, 0, 0, 1, 104]);
    assert!(
        bytes.len() > 2000,
        "{} bytes: nothing is drawn",
        bytes.len()
    );
}

#[test]
fn ticks_are_short() {
    for (x, text) in [
        (0.0, "0"),
        (0.1 + 0.2, "0.3"),
        (1.5, "1.5"),
        (1e300, "10^300"),
        (-2.5e-5, "-2.5·10^-5"),
        (1.0004e7, "10^7"),
    ] {
        assert_eq!(tick(x), text);
    }
}

/// Each design and each function has a mark with its label. If its error is not on the scale, it has no mark.
#[cfg(feature = "references")]
#[test]
fn the_front_has_designs_and_rivals() {
    let spot = |label: &str, time, error| Spot {
        label: label.into(),
        time,
        error,
    };
    let front = Front {
        title: "e^x".into(),
        unit: "ULP".into(),
        designs: vec![
            spot("first", 0.1, 4e9),
            spot("second", 1.0, 0.51),
            spot("third", 2.0, f64::INFINITY),
        ],
        rivals: vec![spot("f64::exp", 3.0, 0.502)],
        tolerance: Some(1.0),
    };
    let text = svg(&front, (900, 560)).expect("a picture");
    assert_eq!(text.matches("<circle").count(), 2, "{text}");
    for label in ["first", "second", "f64::exp", "largest error (ULP)"] {
        assert!(text.contains(label), "{label}");
    }
    assert!(!text.contains("third"), "{text}");
}
