//! Similar names, as suggestions for misspelt ones.

use crate::builtins::reference::distance;

/// The names with an edit distance of at most two from this one, and the names that begin with it or with which it begins: at most three,
/// the nearest first.
pub fn near<'a>(name: &str, names: impl IntoIterator<Item = &'a str>) -> Vec<&'a str> {
    let prefix = |a: &str, b: &str| a.len() >= 3 && b.starts_with(a);
    let mut found: Vec<(usize, &str)> = names
        .into_iter()
        .map(|n| (distance(name, n), n))
        .filter(|&(d, n)| d <= 2 && d < n.len() || prefix(name, n) || prefix(n, name))
        .collect();
    found.sort_unstable();
    found.dedup();
    found.into_iter().take(3).map(|f| f.1).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_that_are_near() {
        let names = ["exp_cephes", "exp_table", "two_sum", "two_prod", "sin"];
        let near = |name| near(name, names);
        assert_eq!(near("exp-table"), ["exp_table"]);
        assert_eq!(near("two"), ["two_sum", "two_prod"]);
        assert_eq!(near("sinf"), ["sin"]);
        assert!(near("nonesuch").is_empty() && near("cos").is_empty());
    }
}
