//! Numbers and values of JSON as text.

use serde_json::Value;

/// A number as text: as a power of two, if it is one.
pub fn power(n: u64) -> String {
    match n.is_power_of_two() && n > 1024 {
        true => format!("2^{}", n.trailing_zeros()),
        false => n.to_string(),
    }
}

pub fn text(value: &Value) -> &str {
    value.as_str().unwrap_or("unknown")
}

pub fn rows(value: &Value) -> &[Value] {
    value.as_array().map_or(&[], Vec::as_slice)
}
