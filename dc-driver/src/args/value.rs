//! Parsers of values on the command line.

use dc_runtime::backend::Filter;
use dc_runtime::model::measure::Measure;
use dc_runtime::search::range::power;
use dc_runtime::search::shard::Shard;
use dc_runtime::search::ulp::Definition;

/// The argument of `plot --bound`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum BoundArg {
    /// The bound of `crunch bound`.
    Certified,
    /// This many ULP.
    Ulp(f64),
}

pub(super) fn drawn(text: &str) -> Result<BoundArg, String> {
    if text == "certified" {
        return Ok(BoundArg::Certified);
    }
    seconds(text).map(BoundArg::Ulp)
}

/// The argument of `--shard`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ShardArg {
    Auto,
    Given(Shard),
}

pub(super) fn shard(text: &str) -> Result<ShardArg, String> {
    if text == "auto" {
        return Ok(ShardArg::Auto);
    }
    Shard::parse(text)
        .map(ShardArg::Given)
        .map_err(|e| e.to_string())
}

/// The measure of an error that is not in ULP.
pub(super) fn metric(text: &str) -> Result<Measure, String> {
    let all = [Measure::Absolute, Measure::Relative];
    let found = all.into_iter().find(|m| m.name() == text);
    found.ok_or_else(|| {
        let names = all.map(Measure::name).join(" and ");
        format!("the errors are {names}; without --metric it is the error in ULP")
    })
}

pub(crate) fn measure(text: &str) -> Result<Measure, String> {
    let all = [Measure::Full, Measure::Maxima];
    let found = all.into_iter().find(|m| m.name() == text);
    found.ok_or_else(|| format!("the measures are {}", all.map(Measure::name).join(" and ")))
}

pub(super) fn definition(text: &str) -> Result<Definition, String> {
    Definition::by_name(text).ok_or_else(|| {
        let names = Definition::ALL.map(Definition::name).join(", ");
        format!("the definitions are {names}")
    })
}

pub(super) fn block(text: &str) -> Result<u32, String> {
    use dc_runtime::search::plan::{MAX_LOG2, MIN_LOG2};
    power(text)
        .filter(|n| n.is_power_of_two())
        .map(u64::trailing_zeros)
        .filter(|k| (MIN_LOG2..=MAX_LOG2).contains(k))
        .ok_or_else(|| {
            format!("write a power of two from 2^{MIN_LOG2} to 2^{MAX_LOG2}, as in 2^20")
        })
}

pub(super) fn inputs(text: &str) -> Result<u64, String> {
    power(text)
        .filter(|&n| n > 0)
        .ok_or_else(|| "write a number, 1 or more, or a power such as 2^24".into())
}

/// A list of backends, which is compared with the known ones before anything else is done.
pub(crate) fn list(text: &str) -> Result<String, String> {
    let known: Result<Filter, _> = text.parse();
    known.map(|_| text.into()).map_err(|e| e.to_string())
}

pub(super) fn list_or_fastest(text: &str) -> Result<String, String> {
    match text.trim() {
        "fastest" => Ok("fastest".into()),
        _ => list(text),
    }
}

pub(super) fn ulp(text: &str) -> Result<f64, String> {
    text.parse()
        .ok()
        .filter(|x: &f64| (0.0..1e9).contains(x))
        .ok_or_else(|| "write a number of ULP, 0 or more, such as 2 or 1.5".into())
}

pub(super) fn threads(text: &str) -> Result<usize, String> {
    text.parse()
        .ok()
        .filter(|n| (1..=4096).contains(n))
        .ok_or_else(|| "write a number from 1 to 4096".into())
}

pub(super) fn lanes(text: &str) -> Result<u32, String> {
    text.parse()
        .ok()
        .filter(|n| [1, 2, 4, 8, 16].contains(n))
        .ok_or_else(|| "write 1, 2, 4, 8 or 16".into())
}

pub(crate) fn seconds(text: &str) -> Result<f64, String> {
    text.parse()
        .ok()
        .filter(|s: &f64| *s > 0.0 && *s < 1e9)
        .ok_or_else(|| "write a number above 0 and below 1e9".into())
}

/// Parses a part in percent, between 0 and 100: `10`, `0.5%`.
pub(crate) fn percent(text: &str) -> Result<f64, String> {
    let number: Result<f64, _> = text.strip_suffix('%').unwrap_or(text).trim().parse();
    match number {
        Ok(x) if x > 0.0 && x < 100.0 => Ok(x / 100.0),
        _ => Err("write a percentage above 0 and below 100, such as 10".into()),
    }
}

/// Parses a time: `60`, `60s`, `5min` or `5m`, `2h`.
pub(crate) fn duration(text: &str) -> Result<f64, String> {
    let split = text.find(|c: char| c.is_ascii_alphabetic());
    let (number, unit) = text.split_at(split.unwrap_or(text.len()));
    let unit = match unit {
        "" | "s" => 1.0,
        "min" | "m" => 60.0,
        "h" => 3600.0,
        _ => return Err("write a time such as 60s, 5min or 2h".into()),
    };
    seconds(number.trim()).map(|s| s * unit)
}
