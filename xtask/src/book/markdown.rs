//! What the checks of the book need of a page of Markdown: its title, headings, links and code blocks.

use std::collections::BTreeSet;

/// A page, as far as it is checked.
#[derive(Debug, Default)]
pub struct Page {
    /// The text of its first line, which is a heading.
    pub title: Option<String>,
    /// The anchors of its headings.
    pub anchors: BTreeSet<String>,
    /// Where links and pictures lead, with the number of the line.
    pub links: Vec<(usize, String)>,
    /// The lines of code blocks that name no language.
    pub unnamed: Vec<usize>,
    /// The first line of Rust code that is compiled.
    pub compiled: Option<usize>,
    /// The lines of Rust code that is not compiled, where the line above does not say why.
    pub unexplained: Vec<usize>,
    /// The rows of tables that have more or fewer cells than the table's first row: a `|` in a cell is written `\\|`.
    pub uneven: Vec<usize>,
    /// How many lines it has.
    pub lines: usize,
}

impl Page {
    pub fn read(text: &str) -> Self {
        let mut page = Page {
            title: text
                .lines()
                .next()
                .and_then(|l| l.strip_prefix("# "))
                .map(str::to_string),
            lines: text.lines().count(),
            ..Page::default()
        };
        // The fence of the block that is open.
        let mut fence: Option<String> = None;
        let mut above = "";
        // The number of cells of the table that is open.
        let mut table = None;
        for (line, number) in text.lines().zip(1..) {
            let inner = line.trim_start();
            let before = std::mem::replace(&mut above, inner);
            let ticks: String = inner.chars().take_while(|c| *c == '`').collect();
            if let Some(open) = &fence {
                if ticks.len() >= open.len() && inner.trim_end() == ticks {
                    fence = None;
                }
                continue;
            }
            if ticks.len() >= 3 {
                page.add_block(number, inner[ticks.len()..].trim(), before);
                fence = Some(ticks);
                continue;
            }
            let cells = inner.starts_with('|').then(|| cells(inner));
            match (table, cells) {
                (Some(first), Some(cells)) if first != cells => page.uneven.push(number),
                (None, cells) | (_, cells @ None) => table = cells,
                _ => {}
            }
            if let Some(heading) = heading(line) {
                page.add_anchor(heading);
            }
            page.add_links(number, &without_code(line));
        }
        page
    }

    /// A block of code: the number of its fence, what follows the backticks, and the line above.
    fn add_block(&mut self, number: usize, language: &str, above: &str) {
        let mut words = language.split(',');
        match words.next() {
            Some("") | None => self.unnamed.push(number),
            Some("rust") if !words.any(|w| w == "ignore") => {
                self.compiled.get_or_insert(number);
            }
            Some("rust") if !above.starts_with("<!-- ignored: ") => self.unexplained.push(number),
            Some(_) => {}
        }
    }

    /// As mdBook names them: the second of a name gets `-1`.
    fn add_anchor(&mut self, heading: &str) {
        let name = anchor(heading);
        let mut unique = name.clone();
        let mut count = 0;
        while !self.anchors.insert(unique.clone()) {
            count += 1;
            unique = format!("{name}-{count}");
        }
    }

    fn add_links(&mut self, number: usize, line: &str) {
        for rest in line.split("](").skip(1) {
            if let Some((target, _)) = rest.split_once(')') {
                // A title may follow: `(a.svg "A picture")`.
                let target = target.split(' ').next().unwrap_or_default();
                self.links.push((number, target.to_string()));
            }
        }
    }
}

/// The number of cells of a row, and one: `\|` separates none.
fn cells(row: &str) -> usize {
    row.replace("\\|", "").matches('|').count()
}

/// The text of a line that is a heading.
fn heading(line: &str) -> Option<&str> {
    let rest = line.trim_start_matches('#');
    let level = line.len() - rest.len();
    (1..=6)
        .contains(&level)
        .then(|| rest.strip_prefix(' '))
        .flatten()
}

/// The anchor of a heading: letters, digits, `-` and `_`; a space is a `-`.
fn anchor(heading: &str) -> String {
    let text = heading.trim();
    let kept = text.chars().filter_map(|c| match c {
        c if c.is_alphanumeric() || c == '-' || c == '_' => Some(c.to_ascii_lowercase()),
        c if c.is_whitespace() => Some('-'),
        _ => None,
    });
    kept.collect()
}

/// The line without what stands between backticks.
fn without_code(line: &str) -> String {
    let parts: Vec<&str> = line.split('`').collect();
    // Code that goes on in the next line: nothing is known of it, and links are not broken there.
    let closed = parts.len() % 2 == 1;
    let outside = parts.iter().step_by(2);
    if closed {
        outside.copied().collect::<Vec<_>>().join("``")
    } else {
        line.to_string()
    }
}

/// The names of pages, `docs/….md`, that a line of any file has.
pub fn page_names(line: &str) -> Vec<String> {
    let mut names = Vec::new();
    for (at, _) in line.match_indices("docs/") {
        // The end of a longer path.
        if line[..at].ends_with(|c: char| c.is_alphanumeric() || c == '/' || c == '.') {
            continue;
        }
        let name: String = line[at..]
            .chars()
            .take_while(|c| c.is_ascii_alphanumeric() || "/._-".contains(*c))
            .collect();
        if let Some(end) = name.find(".md") {
            names.push(name[..end + 3].to_string());
        }
    }
    names
}

#[cfg(test)]
mod tests {
    use super::{anchor, page_names};

    #[test]
    fn anchors_are_those_of_mdbook() {
        assert_eq!(
            anchor("What `verify` takes of a range"),
            "what-verify-takes-of-a-range"
        );
        assert_eq!(
            anchor("`crunch exact`: the maximum, with proof"),
            "crunch-exact-the-maximum-with-proof"
        );
        assert_eq!(
            anchor("Figures 4 and 6: throughput"),
            "figures-4-and-6-throughput"
        );
        assert_eq!(anchor("Newton–Raphson"), "newtonraphson");
    }

    #[test]
    fn names_of_pages_are_found_in_comments() {
        let name = concat!("docs", "/a-b.md");
        assert_eq!(
            page_names(&format!("/// see `{name}`, and {name}.")),
            [name, name]
        );
        assert!(page_names(&format!("other/{name} docs/x.rs docs/")).is_empty());
    }
}
