//! Certificates that claim the same in other words, and certificates that claim less.

/// The certificate with another claim, without the lines for people and without the worst input.
pub fn claiming(certificate: &str, error: f64) -> String {
    let mut text = String::new();
    for line in certificate.lines() {
        match line.split(' ').next() {
            Some("#" | "worst") => {}
            Some("error") => text += &format!("error {:016x}\n", error.to_bits()),
            _ => text += &format!("{line}\n"),
        }
    }
    text
}

/// The certificate with every stretch of inputs cut by the checker alone.
pub fn only_cuts(certificate: &str) -> String {
    let plans = [
        "cut ", "cell ", "class ", "of ", "bound ", "lattice ", "inputs ",
    ];
    let kept = certificate
        .lines()
        .filter(|l| !plans.iter().any(|p| l.starts_with(p)));
    let cuts = certificate.lines().filter(|l| l.starts_with("range "));
    let cuts = cuts.map(|l| l.replace("range", "cut"));
    kept.filter(|l| *l != "end")
        .map(str::to_string)
        .chain(cuts)
        .chain(["end".to_string()])
        .map(|l| l + "\n")
        .collect()
}

/// A line of a certificate with two inputs: its first word, and their bits.
fn pair(line: &str) -> Option<(&str, u64, u64)> {
    let mut words = line.split(' ');
    let word = words.next()?;
    let mut bits = || u64::from_str_radix(words.next()?, 16).ok();
    let (lo, hi) = (bits()?, bits()?);
    (words.next().is_none()).then_some((word, lo, hi))
}

fn is_method(word: &str) -> bool {
    matches!(word, "bound" | "lattice" | "inputs")
}

/// A number's place among all doubles of its sign, away from 0 and back; both zeros are apart, as they are in certificates.
fn place(bits: u64) -> i64 {
    let size = (bits & (u64::MAX >> 1)) as i64;
    if bits >> 63 == 1 { -1 - size } else { size }
}

fn bits_at(place: i64) -> u64 {
    match place < 0 {
        true => (1 << 63) | (-1 - place) as u64,
        false => place as u64,
    }
}

/// Every stretch of a method, and every cut, in two: at a place that `at` chooses among the inputs.
pub fn halved(certificate: &str, mut at: impl FnMut(u64) -> u64) -> String {
    let mut text = String::new();
    for line in certificate.lines() {
        match pair(line) {
            Some((word, lo, hi)) if (is_method(word) || word == "cut") && lo != hi => {
                let (a, b) = (place(lo), place(hi));
                let m = a + at((b - a) as u64) as i64;
                let (m, next) = (bits_at(m), bits_at(m + 1));
                text += &format!("{word} {lo:016x} {m:016x}\n{word} {next:016x} {hi:016x}\n");
            }
            _ => text += &format!("{line}\n"),
        }
    }
    text
}

/// The ends between neighbouring stretches of a class, moved.
pub fn moved(certificate: &str, mut at: impl FnMut(u64) -> u64) -> String {
    let mut lines: Vec<String> = certificate.lines().map(String::from).collect();
    for i in 1..lines.len() {
        let (Some((one, lo, mid)), Some((two, next, hi))) = (pair(&lines[i - 1]), pair(&lines[i]))
        else {
            continue;
        };
        let neighbours = is_method(one) && is_method(two) && place(next) == place(mid) + 1;
        if neighbours && lo >> 63 == hi >> 63 {
            let m = place(lo) + at((place(hi) - place(lo)) as u64) as i64;
            let (m, next) = (bits_at(m), bits_at(m + 1));
            let (first, second) = (
                format!("{one} {lo:016x} {m:016x}"),
                format!("{two} {next:016x} {hi:016x}"),
            );
            (lines[i - 1], lines[i]) = (first, second);
        }
    }
    lines.iter().map(|l| format!("{l}\n")).collect()
}

/// Every stretch by another method.
pub fn by_method(certificate: &str, method: &str) -> String {
    let mut text = String::new();
    for line in certificate.lines() {
        match pair(line) {
            Some((word, lo, hi)) if is_method(word) => {
                text += &format!("{method} {lo:016x} {hi:016x}\n");
            }
            _ => text += &format!("{line}\n"),
        }
    }
    text
}
