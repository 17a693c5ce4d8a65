//! The reason why a bracket stays open, as text, and the remedy.

use dc_exact::bound::RangeBound;
use dc_exact::cell::Label;
use dc_exact::why::{Why, why};

use super::found::Found;
use super::wording::{place as cell, up};

/// The number of roundings that are named.
const NAMED: usize = 3;

/// The reason and the remedy.
pub fn explained(found: &Found) -> Option<[String; 2]> {
    let computed = &found.computed;
    if computed.cut_short {
        return Some([
            format!(
                "the time ran out after {} cells: inputs outside these cells have no bound",
                computed.bound.looked
            ),
            "give a longer --time, of which the bound takes at most three quarters, or a narrower --range".into(),
        ]);
    }
    if !computed.bound.bound.is_finite() {
        let worst = computed.bound.cells.first()?;
        return Some([
            format!(
                "no number of ULP bounds the errors on {}, so no level can be proven",
                cell(&computed.bound, worst)
            ),
            "give a range without zeros and poles of the function, with --range".into(),
        ]);
    }
    let subject = &computed.subject;
    let why = why(
        &subject.program,
        &subject.truth,
        &computed.bound,
        &found.exact,
    )?;
    Some(in_words(&why, &computed.bound))
}

fn in_words(why: &Why, bound: &RangeBound) -> [String; 2] {
    match why {
        Why::Cells(label) => {
            let varies = label.as_ref().map_or(String::new(), |l| {
                format!(": it varies at {}", place(l))
            });
            [
                format!(
                    "after {} cells the routine is still more than one line of operations on some stretches{varies}",
                    bound.looked
                ),
                "give a larger --cells, or a --range where that operation is constant; `crunch run` searches input by input".into(),
            ]
        }
        Why::Half(apart) => [
            format!(
                "all remaining errors are within {apart:.1e} ULP of one half: the rounding of the result alone decides, and the \
                 candidates are all inputs with a result near a midpoint"
            ),
            "the book proves such a routine by hand (page *Newton's iteration*); the bracket is proven as it stands, and --time and --shard narrow it"
                .into(),
        ],
        Why::Weights { slack, roundings } => {
            let named: Vec<String> = roundings
                .iter()
                .take(NAMED)
                .filter_map(|s| {
                    let label = bound.labels.iter().find(|l| l.site == s.site)?;
                    Some(format!("{} {} ULP", place(label), up(s.ulp)))
                })
                .collect();
            let more = roundings.len().saturating_sub(named.len());
            let more = if more > 0 {
                format!(", and {more} more")
            } else {
                String::new()
            };
            [
                format!(
                    "at the worst open stretch the bound is {} ULP above the largest error found, and {} roundings of similar weight make \
                     up the difference: {}{more}",
                    up(*slack),
                    roundings.len(),
                    named.join(", ")
                ),
                "give a longer --time, --shard on several machines, a narrower --range, or --from with the input that `crunch hunt` finds"
                    .into(),
            ]
        }
    }
}

fn place(label: &Label) -> String {
    format!("{} ({}:{})", label.text, label.file, label.line)
}
