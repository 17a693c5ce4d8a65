//! Numbers as text for people and programs: decimal, hex-float, bits.

use super::key::Precision;

/// The shortest decimal that parses to the same number; `-0.0`, `inf` and `NaN` as Rust writes them.
#[must_use]
pub fn decimal(precision: Precision, bits: u64) -> String {
    match precision {
        Precision::F32 => format!("{:?}", f32::from_bits(bits as u32)),
        Precision::F64 => format!("{:?}", f64::from_bits(bits)),
    }
}

/// The bits, as wide as the precision: `0x3ff8000000000000`.
#[must_use]
pub fn bits(precision: Precision, bits: u64) -> String {
    match precision {
        Precision::F32 => format!("0x{bits:08x}"),
        Precision::F64 => format!("0x{bits:016x}"),
    }
}

/// The form of C's `%a`: `0x1.8p0`, `-0x0.0000000000001p-1022`, `inf`, `nan`. Range bounds can be given in this form.
#[must_use]
pub fn hex_float(precision: Precision, bits: u64) -> String {
    let (fraction_bits, exponent_bits) = match precision {
        Precision::F32 => (23, 8),
        Precision::F64 => (52, 11),
    };
    let negative = bits >> (fraction_bits + exponent_bits) & 1 == 1;
    let sign = if negative { "-" } else { "" };
    let field = (bits >> fraction_bits & ((1 << exponent_bits) - 1)) as i64;
    let fraction = bits & ((1 << fraction_bits) - 1);
    let bias = (1 << (exponent_bits - 1)) - 1;
    if field == (1 << exponent_bits) - 1 {
        return if fraction == 0 {
            format!("{sign}inf")
        } else {
            "nan".into()
        };
    }
    if field == 0 && fraction == 0 {
        return format!("{sign}0x0p0");
    }
    let (lead, exponent) = if field == 0 {
        (0, 1 - bias)
    } else {
        (1, field - bias)
    };
    // The fraction, left-aligned in whole hexadecimal digits, without trailing zeros.
    let digits = usize::div_ceil(fraction_bits as usize, 4);
    let aligned = fraction << (digits * 4 - fraction_bits as usize);
    let text = format!("{aligned:0digits$x}");
    let text = text.trim_end_matches('0');
    let point = if text.is_empty() { "" } else { "." };
    format!("{sign}0x{lead}{point}{text}p{exponent}")
}

/// All three, for messages: `1.5 = 0x1.8p0 (0x3ff8000000000000)`.
#[must_use]
pub fn full(precision: Precision, word: u64) -> String {
    format!(
        "{} = {} ({})",
        decimal(precision, word),
        hex_float(precision, word),
        bits(precision, word)
    )
}

/// The arguments of an input, each in the form that `one` gives it: `1.5`; `(1.5, 0.25)` for more than one.
#[must_use]
pub fn arguments(
    precision: Precision,
    words: &[u64],
    one: impl Fn(Precision, u64) -> String,
) -> String {
    match words {
        [word] => one(precision, *word),
        words => {
            let shown: Vec<String> = words.iter().map(|word| one(precision, *word)).collect();
            format!("({})", shown.join(", "))
        }
    }
}

/// The words of a reference, with the power of two by which they are multiplied unless it is 1: `(1.5 + 2e-17) * 2^-178`.
#[must_use]
pub fn scaled(words: &str, scale: i64) -> String {
    match scale {
        0 => words.into(),
        _ => format!("({words}) * 2^{scale}"),
    }
}

/// Whether a character controls a terminal or the direction of text: control characters, and those that change the
/// direction of writing.
#[must_use]
pub fn moves(c: char) -> bool {
    c.is_control()
        || matches!(c, '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}' | '\u{200e}' | '\u{200f}')
}

/// A text from a file or a device on one line; characters that would move a terminal's cursor are escaped: `\u{1b}`.
#[must_use]
pub fn plain(text: &str) -> String {
    let escape = |c: char| match moves(c) {
        true => c.escape_default().to_string(),
        false => c.to_string(),
    };
    text.chars().map(escape).collect()
}

/// The same as [`plain`], but line breaks and tabs stay.
#[must_use]
pub fn lines(text: &str) -> String {
    let lines: Vec<String> = text
        .split('\n')
        .map(|line| line.split('\t').map(plain).collect::<Vec<_>>().join("\t"))
        .collect();
    lines.join("\n")
}

/// A number with its digits in groups of three.
#[must_use]
pub fn count(n: u128) -> String {
    let digits = n.to_string();
    let mut s = String::new();
    for (i, c) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            s.push(',');
        }
        s.push(c);
    }
    s
}

/// A number with an SI prefix: `1.23 G`.
#[must_use]
pub fn si(x: f64) -> String {
    let (scaled, prefix) = match x {
        x if x >= 1e12 => (x / 1e12, "T"),
        x if x >= 1e9 => (x / 1e9, "G"),
        x if x >= 1e6 => (x / 1e6, "M"),
        x if x >= 1e3 => (x / 1e3, "k"),
        x => (x, ""),
    };
    let digits = match scaled {
        s if s >= 100.0 => 0,
        s if s >= 10.0 => 1,
        _ => 2,
    };
    format!("{scaled:.digits$} {prefix}").trim_end().into()
}

/// A length of time: `350 ms`, `12.3 s`, `4 min 10 s`, `5 h 20 min`, `3 d 4 h`, `183 years`.
#[must_use]
pub fn seconds(s: f64) -> String {
    const YEAR: f64 = 365.25 * 86_400.0;
    if !s.is_finite() {
        return "unknown".into();
    }
    let whole = s.round().max(0.0);
    let parts = |n: u64, unit: &str, m: u64, small: &str| match m {
        0 => format!("{n} {unit}"),
        _ => format!("{n} {unit} {m} {small}"),
    };
    let w = whole as u64;
    match s {
        s if s < 1.0 => format!("{:.0} ms", s * 1e3),
        s if s < 60.0 => format!("{s:.1} s"),
        s if s < 3600.0 => parts(w / 60, "min", w % 60, "s"),
        s if s < 86_400.0 => parts(w / 3600, "h", w / 60 % 60, "min"),
        s if s < 60.0 * 86_400.0 => parts(w / 86_400, "d", w / 3600 % 24, "h"),
        s if s < 2.0 * YEAR => format!("{:.1} months", s / YEAR * 12.0),
        s if s < 1e6 * YEAR => format!("{} years", count((s / YEAR).round() as u128)),
        s => format!("{:.1e} years", s / YEAR),
    }
}

/// An error as text: the shortest decimal that parses to it.
#[must_use]
pub fn number(x: f64) -> String {
    if x != 0.0 && !(1e-4..1e16).contains(&x.abs()) {
        format!("{x:e}")
    } else {
        format!("{x}")
    }
}

/// The fraction that `part` is of a count; 0 if the count is 0.
#[must_use]
pub fn share(part: u64, of: u64) -> f64 {
    if of == 0 {
        0.0
    } else {
        part as f64 / of as f64
    }
}

/// Shortens a text to one line of a message.
#[doc(hidden)]
#[must_use]
pub fn quote(text: &str) -> String {
    let mut s: String = text.chars().take(80).flat_map(char::escape_debug).collect();
    if text.chars().nth(80).is_some() {
        s.push('…');
    }
    s
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::range::Range;

    #[test]
    fn hex_floats_read_back() {
        let f64s = [
            1.0,
            1.5,
            -0.1,
            5e-324,
            f64::MIN_POSITIVE,
            f64::MAX,
            3.0,
            -2.2e-310,
            f64::INFINITY,
            0.0,
            -0.0,
        ];
        let mut words: Vec<(Precision, u64)> =
            f64s.iter().map(|x| (Precision::F64, x.to_bits())).collect();
        for x in [
            1.0f32,
            0.1,
            1e-45,
            f32::MAX,
            f32::MIN_POSITIVE,
            -1.1754942e-38,
            -0.0,
        ] {
            words.push((Precision::F32, u64::from(x.to_bits())));
        }
        for (p, word) in words {
            for text in [
                hex_float(p, word),
                decimal(p, word),
                format!("bits:{}", bits(p, word)),
            ] {
                let range = Range::parse(&format!("{text}..={text}"), p).expect(&text);
                assert_eq!(range.spans()[0].first, p.key_of_bits(word), "{text}");
            }
        }
        assert_eq!(hex_float(Precision::F64, 1), "0x0.0000000000001p-1022");
        assert_eq!(hex_float(Precision::F32, 1), "0x0.000002p-126");
        assert_eq!(hex_float(Precision::F64, 1.5f64.to_bits()), "0x1.8p0");
        assert_eq!(hex_float(Precision::F64, f64::NAN.to_bits()), "nan");
        assert_eq!(
            full(Precision::F32, 0x3f80_0000),
            "1.0 = 0x1p0 (0x3f800000)"
        );
    }

    #[test]
    fn nothing_moves_the_cursor() {
        let nasty = "a\u{1b}[2J\r\u{9b}31m\u{7f}\u{202e}\u{2028}b\tc\nd";
        assert_eq!(
            plain(nasty),
            r"a\u{1b}[2J\r\u{9b}31m\u{7f}\u{202e}\u{2028}b\tc\nd"
        );
        assert_eq!(
            lines(nasty),
            "a\\u{1b}[2J\\r\\u{9b}31m\\u{7f}\\u{202e}\\u{2028}b\tc\nd"
        );
    }

    #[test]
    fn sizes() {
        assert_eq!(count(0), "0");
        assert_eq!(count(1234), "1,234");
        assert_eq!(count(1 << 64), "18,446,744,073,709,551,616");
        assert_eq!(si(1.615e9), "1.61 G");
        assert_eq!(si(12.0), "12.0");
        for (s, text) in [
            (0.35, "350 ms"),
            (12.34, "12.3 s"),
            (250.0, "4 min 10 s"),
            (19_200.0, "5 h 20 min"),
            (273_600.0, "3 d 4 h"),
            (5.775e9, "183 years"),
            (f64::INFINITY, "unknown"),
        ] {
            assert_eq!(seconds(s), text);
        }
    }
}
