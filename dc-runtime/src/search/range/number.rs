//! One bound of a range: a decimal, a hex-float, an infinity or bits.

use crate::model::key::Precision;
use crate::model::show::quote;

/// The error for a text that is not a bound.
#[derive(Debug)]
pub(super) struct NumberError {
    /// Byte offset of the error.
    pub offset: usize,
    /// The error.
    pub problem: String,
    /// What to write instead.
    pub remedy: String,
}

fn error<T>(offset: usize, problem: impl Into<String>, remedy: &str) -> Result<T, NumberError> {
    Err(NumberError {
        offset,
        problem: problem.into(),
        remedy: remedy.into(),
    })
}

const FORMS: &str =
    "write a decimal (1.5, 2e-3), a hex-float (0x1.8p0), inf, or bits (bits:0x3f800000)";

/// The key of a bound.
pub(super) fn parse(text: &str, precision: Precision) -> Result<i64, NumberError> {
    if text.is_empty() {
        return error(0, "a bound is missing", "write both bounds, as in 1.0..2.0");
    }
    let bits = if let Some(digits) = text.strip_prefix("bits:") {
        self::bits(digits, precision).map_err(|e| NumberError {
            offset: e.offset + 5,
            ..e
        })?
    } else {
        float(text, precision)?
    };
    Ok(precision.key_of_bits(bits))
}

fn bits(text: &str, precision: Precision) -> Result<u64, NumberError> {
    let width = match precision {
        Precision::F32 => 8,
        Precision::F64 => 16,
    };
    let digits = text.strip_prefix("0x").unwrap_or(text);
    let skipped = text.len() - digits.len();
    let remedy = format!(
        "write up to {width} hexadecimal digits, the bits of an {}",
        precision.name()
    );
    if let Some((i, c)) = digits.char_indices().find(|(_, c)| !c.is_ascii_hexdigit()) {
        let problem = format!("`{}` is not a hexadecimal digit", c.escape_debug());
        return error(skipped + i, problem, &remedy);
    }
    if digits.is_empty() || digits.len() > width {
        let problem = format!("{} digits of bits", digits.len());
        return error(skipped, problem, &remedy);
    }
    u64::from_str_radix(digits, 16).map_or_else(|_| error(skipped, "no bits", &remedy), Ok)
}

fn float(text: &str, precision: Precision) -> Result<u64, NumberError> {
    let (unsigned, negative) = match text.as_bytes()[0] {
        b'-' => (&text[1..], true),
        b'+' => (&text[1..], false),
        _ => (text, false),
    };
    let offset = text.len() - unsigned.len();
    let magnitude = if unsigned == "inf" || unsigned == "infinity" {
        match precision {
            Precision::F32 => u64::from(f32::INFINITY.to_bits()),
            Precision::F64 => f64::INFINITY.to_bits(),
        }
    } else if unsigned.eq_ignore_ascii_case("nan") {
        let remedy = "a NaN has no place among the reals: give its bits (bits:0x…), or use all";
        return error(offset, "NaN as a bound", remedy);
    } else if unsigned.starts_with("0x") || unsigned.starts_with("0X") {
        hex(&unsigned[2..], precision).map_err(|e| NumberError {
            offset: e.offset + offset + 2,
            ..e
        })?
    } else {
        decimal(unsigned, precision).map_err(|e| NumberError {
            offset: e.offset + offset,
            ..e
        })?
    };
    let sign = match precision {
        Precision::F32 => 1 << 31,
        Precision::F64 => 1 << 63,
    };
    Ok(if negative {
        magnitude | sign
    } else {
        magnitude
    })
}

/// Lengths of the digits before the point, after it, and of the complete mantissa.
fn mantissa(text: &str, digit: fn(&u8) -> bool) -> (usize, usize, usize) {
    let bytes = text.as_bytes();
    let whole = bytes.iter().take_while(|c| digit(c)).count();
    if bytes.get(whole) != Some(&b'.') {
        return (whole, 0, whole);
    }
    let fraction = bytes[whole + 1..].iter().take_while(|c| digit(c)).count();
    (whole, fraction, whole + 1 + fraction)
}

/// Length of an exponent after its letter: an optional sign and digits.
fn exponent(text: &str) -> Option<usize> {
    let digits = text.strip_prefix(['-', '+']).unwrap_or(text);
    let n = digits.bytes().take_while(u8::is_ascii_digit).count();
    (n > 0).then_some(text.len() - digits.len() + n)
}

/// The error for text after the end of a number.
fn rest<T>(text: &str, end: usize) -> Result<T, NumberError> {
    let problem = if end == 0 {
        format!("`{}` is no number", quote(text))
    } else {
        format!("`{}` after the number", quote(&text[end..]))
    };
    error(end, problem, FORMS)
}

fn decimal(text: &str, precision: Precision) -> Result<u64, NumberError> {
    let (whole, fraction, mut end) = mantissa(text, u8::is_ascii_digit);
    if whole + fraction == 0 {
        return rest(text, 0);
    }
    let nonzero = text[..end].bytes().any(|c| (b'1'..=b'9').contains(&c));
    if let Some(tail) = text[end..].strip_prefix(['e', 'E']) {
        let Some(n) = exponent(tail) else {
            return error(end, "an exponent without digits", "write it as in 2e-3");
        };
        end += 1 + n;
    }
    if end < text.len() {
        return rest(text, end);
    }
    // Both parses are correctly rounded.
    let (bits, infinite) = match precision {
        Precision::F32 => text
            .parse::<f32>()
            .map(|x| (u64::from(x.to_bits()), x.is_infinite())),
        Precision::F64 => text.parse::<f64>().map(|x| (x.to_bits(), x.is_infinite())),
    }
    .or_else(|_| rest(text, 0))?;
    let name = precision.name();
    if infinite {
        return error(
            0,
            format!("too large for an {name}"),
            "write inf, or finite for all",
        );
    }
    if bits == 0 && nonzero {
        let problem = format!("too small for an {name}: it rounds to 0");
        return error(
            0,
            problem,
            "write 0.0, or bits:0x1 for the smallest subnormal",
        );
    }
    Ok(bits)
}

/// The bits of a hex-float after its `0x`: `digits[.digits]p[sign]decimal`, exact.
fn hex(text: &str, precision: Precision) -> Result<u64, NumberError> {
    let (whole, fraction, end) = mantissa(text, u8::is_ascii_hexdigit);
    if whole + fraction == 0 {
        return rest(text, 0);
    }
    let Some(tail) = text[end..].strip_prefix(['p', 'P']) else {
        if end < text.len() {
            return rest(text, end);
        }
        let remedy = "a hex-float ends in an exponent (0x1.8p0); for bits write bits:0x…";
        return error(end, "no exponent", remedy);
    };
    let Some(n) = exponent(tail) else {
        return error(end, "an exponent without digits", "write it as in 0x1.8p-3");
    };
    if n < tail.len() {
        return rest(text, end + 1 + n);
    }
    // An exponent too long for an i64 saturates: the number is then out of range either way.
    let exponent = tail.parse::<i64>().unwrap_or(if tail.starts_with('-') {
        i64::MIN / 4
    } else {
        i64::MAX / 4
    });

    // m · 2^e, m odd or 0; digits beyond 128 bits are refused as inexact.
    let mut m: u128 = 0;
    let mut e = exponent.clamp(i64::MIN / 4, i64::MAX / 4) - 4 * fraction as i64;
    let mut full = false;
    let mut dropped = false;
    for c in text[..end].bytes().filter(|&c| c != b'.') {
        let digit = u128::from((c as char).to_digit(16).unwrap_or(0));
        full |= m >> 120 != 0;
        if full {
            dropped |= digit != 0;
            e += 4;
        } else {
            m = m << 4 | digit;
        }
    }
    if m == 0 {
        return Ok(0);
    }
    let shift = m.trailing_zeros();
    m >>= shift;
    e += i64::from(shift);
    assemble(m, e, dropped, precision)
}

/// The bits of m · 2^e, m odd.
fn assemble(m: u128, e: i64, dropped: bool, precision: Precision) -> Result<u64, NumberError> {
    let (mantissa_bits, min_exponent, max_exponent, name) = match precision {
        Precision::F32 => (24, -149, 127, "f32"),
        Precision::F64 => (53, -1074, 1023, "f64"),
    };
    let length = i64::from(128 - m.leading_zeros());
    let top = e + length - 1;
    if top > max_exponent {
        return error(
            0,
            format!("too large for an {name}"),
            "write inf, or finite for all",
        );
    }
    // The unit in the last place of numbers of this size.
    let unit = (top + 1 - mantissa_bits).max(min_exponent);
    if dropped || e < unit {
        let problem = format!("no {name} is this number exactly");
        let remedy = "write fewer digits, a decimal (which is rounded), or bits (bits:0x…)";
        return error(0, problem, remedy);
    }
    let integer = (m << (e - unit)) as u64;
    // An integer with its leading bit carries 1 into the exponent field, a subnormal carries nothing.
    let field = (unit - min_exponent) as u64;
    Ok((field << (mantissa_bits - 1)) + integer)
}

/// A number of inputs in the form in which users write it: `1000`, or `2^10`.
#[must_use]
pub fn power(text: &str) -> Option<u64> {
    match text.split_once('^') {
        Some(("2", k)) => 1u64.checked_shl(k.parse().ok()?),
        Some(_) => None,
        None => text.parse().ok(),
    }
}
