use super::*;
use Precision::{F32, F64};

fn keys(text: &str, p: Precision) -> Vec<(i64, i64)> {
    let range = Range::parse(text, p).unwrap_or_else(|e| panic!("{e}"));
    let again = Range::parse(&range.to_string(), p);
    assert_eq!(again.as_ref(), Ok(&range), "{text} written as {range}");
    range.spans.iter().map(|s| (s.first, s.last)).collect()
}

fn k(x: f64) -> i64 {
    F64.key_of_bits(x.to_bits())
}

#[test]
fn bounds() {
    let one = |text| {
        let spans = keys(text, F64);
        assert_eq!(spans.len(), 1, "{text}");
        spans[0]
    };
    assert_eq!(one("1.0..2.0"), (k(1.0), k(2.0) - 1));
    assert_eq!(one(" 1 .. 2 "), (k(1.0), k(2.0) - 1));
    assert_eq!(one("1..=2"), (k(1.0), k(2.0)));
    assert_eq!(one("-1.0..=1.0"), (k(-1.0), k(1.0)));
    assert_eq!(one("-0.0..0.0"), (-1, -1));
    assert_eq!(one("0.0..=0.0"), (0, 0));
    assert_eq!(one("-inf..=+inf"), (k(f64::NEG_INFINITY), k(f64::INFINITY)));
    assert_eq!(one("0x1.8p0..=0x1.cp+0"), (k(1.5), k(1.75)));
    assert_eq!(one("-0x1p-1074..=0x0.0p0"), (k(-5e-324), 0));
    assert_eq!(one("0x18p-4..0X1.8P1"), (k(1.5), k(3.0) - 1));
    assert_eq!(one(".5..=5e-1"), (k(0.5), k(0.5)));
    assert_eq!(
        one("0x.0000000000000001p0..=0x1.fffffffffffffp1023"),
        (k(f64::powi(2.0, -64)), k(f64::MAX))
    );
    assert_eq!(
        one("bits:0x3ff0000000000000..bits:4000000000000000"),
        (k(1.0), k(2.0) - 1)
    );
    assert_eq!(keys("0.1..=0.1", F32)[0].0, i64::from(0.1f32.to_bits()));
    assert_eq!(
        keys("0x1p-149..=0x1.fffffep127", F32),
        [(1, i64::from(f32::MAX.to_bits()))]
    );
    assert_eq!(keys("bits:0x80000000..=bits:0", F32), [(-1, 0)]);
    assert_eq!(keys("-2.0..=-1.0,1.0..2.0", F64).len(), 2);
}

#[test]
fn named_ranges() {
    let count = |text, p| Range::parse(text, p).map(|r| r.count());
    assert_eq!(count("all", F32), Ok(1 << 32));
    assert_eq!(count("all", F64), Ok(1 << 64));
    assert_eq!(count("finite", F32), Ok(2 * 0x7f80_0000));
    assert_eq!(count("subnormals", F32), Ok(2 << 23));
    assert_eq!(count("normals", F32), Ok(2 * (0x7f80_0000 - 0x80_0000)));
    assert_eq!(count("positive", F32), Ok(0x7f80_0000 - 1));
    assert_eq!(count("negative", F32), count("positive", F32));
    assert_eq!(count("positive-normals", F32), Ok(0x7f80_0000 - 0x80_0000));
    for (name, least, most) in [
        ("positive", 5e-324, f64::MAX),
        ("negative", f64::MIN, -5e-324),
        ("positive-normals", f64::MIN_POSITIVE, f64::MAX),
        ("negative-normals", f64::MIN, -f64::MIN_POSITIVE),
    ] {
        let r = Range::parse(name, F64).unwrap();
        let [s] = r.spans() else { panic!("{name}") };
        let ends = [s.first, s.last].map(|k| F64.value_of_key(k));
        assert_eq!(ends, [least, most], "{name}");
    }
    let p = F64;
    let r = Range::parse("normals", p).unwrap();
    let ends: Vec<f64> = r
        .spans()
        .iter()
        .flat_map(|s| [s.first, s.last])
        .map(|k| p.value_of_key(k))
        .collect();
    assert_eq!(
        ends,
        [f64::MIN, -f64::MIN_POSITIVE, f64::MIN_POSITIVE, f64::MAX]
    );
    let r = Range::parse("subnormals", p).unwrap();
    assert!(r.contains(0) && r.contains(-1) && !r.contains(k(f64::MIN_POSITIVE)));
}

/// Each malformed text with the character at which it is refused and a word of the message.
#[test]
fn malformed() {
    let cases = [
        ("", 1, "nothing here"),
        ("   ", 4, "nothing here"),
        ("1.0", 1, "is no range"),
        ("everything", 1, "one of: all"),
        ("1.0..", 6, "a bound is missing"),
        ("..2.0", 1, "a bound is missing"),
        ("..", 1, "a bound is missing"),
        ("1...2", 2, "three dots"),
        ("1.0..x", 6, "`x` is no number"),
        ("1.0..2.0y", 9, "`y` after the number"),
        ("1.0 ..= 2,0", 11, "is no range"),
        ("2.0..1.0", 1, "write 1.0..2.0"),
        ("1.0..1.0", 1, "empty"),
        ("1e999..2e999", 1, "too large"),
        ("1e-999..1.0", 1, "rounds to 0"),
        ("1e..2.0", 2, "exponent without digits"),
        ("nan..1.0", 1, "NaN"),
        ("-NaN..1.0", 2, "NaN"),
        ("--1..2", 2, "is no number"),
        ("0x1.8..0x2p0", 6, "no exponent"),
        ("0x..0x2p0", 3, "is no number"),
        ("0x1p..2", 4, "exponent without digits"),
        ("0x1p0z..2", 6, "`z` after"),
        ("0x1p1024..inf", 3, "too large"),
        ("0x1p-1075..1", 3, "no f64 is this number exactly"),
        ("0x1.00000000000001p0..2", 3, "exactly"),
        ("0x1p99999999999999999999..inf", 3, "too large"),
        ("0x1p-99999999999999999999..inf", 3, "exactly"),
        ("bits:..2", 6, "0 digits of bits"),
        ("bits:0x3ff0g..2", 12, "`g` is not a hexadecimal digit"),
        ("bits:0x11111111111111111..2", 8, "17 digits"),
        ("1.0..2.0,1.5..3.0", 10, "does not lie above"),
        ("1.0..2.0,", 10, "nothing here"),
        ("all,all", 5, "does not lie above"),
        ("1\n1..2", 2, "after the number"),
        ("1..4,2\r..=3", 6, r"`2\r..=3` does not lie above"),
        ("é..2", 1, "`é` is no number"),
        ("1..é", 4, "`é` is no number"),
    ];
    for (text, position, words) in cases {
        let e = Range::parse(text, F64).expect_err(text);
        let message = e.to_string();
        assert_eq!(e.position, position, "{message}");
        assert!(message.contains(words), "{message:?} lacks {words:?}");
        assert!(!message.contains(['\n', '\r']), "{message:?}");
    }
    assert!(Range::parse("bits:0x3ff000000..=inf", F32).is_err());
    assert!(Range::parse("0x1.ffffffp127..=inf", F32).is_err());
    assert!(Range::parse("1e39..inf", F32).is_err());
    let long = "9".repeat(10_000) + "q..1";
    assert!(Range::parse(&long, F64).unwrap_err().to_string().len() < 600);
}

/// Random texts over the grammar's alphabet: none panics, and an accepted one parses back to the same range.
#[test]
fn random_texts() {
    let pieces = [
        "1",
        "0",
        ".",
        "..",
        "..=",
        "=",
        "-",
        "+",
        "e",
        "p",
        "0x",
        "bits:",
        "inf",
        "nan",
        "all",
        "f",
        ",",
        " ",
        "é",
        "9999999999",
        "1.0",
        "2.0",
        "subnormals",
    ];
    let mut state = 0x9e37_79b9_7f4a_7c15_u64;
    let mut next = |n: u64| {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        state % n
    };
    let mut accepted = 0;
    for _ in 0..200_000 {
        let text: String = (0..next(9))
            .map(|_| pieces[next(pieces.len() as u64) as usize])
            .collect();
        for p in [F32, F64] {
            if let Ok(range) = Range::parse(&text, p) {
                accepted += 1;
                assert_eq!(Range::parse(&range.to_string(), p), Ok(range), "{text}");
            }
        }
    }
    assert!(
        accepted > 100,
        "only {accepted} of the random texts were ranges"
    );
}
