//! The search loop of the CPU backends.
//!
//! Keys are processed in chunks, in two passes in one loop (`search_loop.rs`): the kernels (`eval_chunk.rs`), and the metric, whose results are added to the
//! total (`reduce.rs`). The columns between them stay in the first-level cache, and each pass has the width of register groups that suits it. The width for
//! the kernels is chosen by measurement (`width.rs`). The metric is short and needs many registers, so it has a narrow width. Scales of references are stored
//! in a column only if one of them is not 0, which is also the condition under which the metric needs all of its operations. A sweep that does not consist of
//! two kernels, or whose kernels have two arguments, has columns of bits instead of the first pass (`columns.rs`). So the code of a sweep is little more than
//! the two kernels, and the same code evaluates single inputs (`points.rs`).

mod columns;
mod comparable;
mod compare;
mod decide;
mod eval_chunk;
mod fast_path;
mod filter;
mod pairs;
mod points;
mod reduce;
mod results;
mod search_loop;
#[cfg(test)]
pub(crate) mod tests;
mod width;

pub use columns::ColumnSearch;
pub use comparable::{Comparable, OnLanes, Types};
pub use compare::Compare;
pub use eval_chunk::{IsaLevel, levels};
pub use filter::{Filter, Near, Quadratic};
pub(crate) use pairs::metrics;
#[cfg(feature = "exact")]
pub(crate) use reduce::CHUNK;
pub use results::results;
