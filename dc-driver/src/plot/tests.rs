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
