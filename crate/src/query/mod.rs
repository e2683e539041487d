//! Paths, matcher, predicates, projection and sort.
//!
//! Compiled once from a `ValueRef` with a `CompileContext` (host, time, `let` variables), evaluated per document
//! over raw bytes.
//!
//! - `Matcher::compile(filter, &CompileContext)`; `matches(Document, &dyn Env)`, which tests the conjuncts over
//!   paths in one walk (`query/scan.rs`) once a few documents went by; `root() -> &MatchNode`, the tree that the
//!   planner reads; `MatchNode::to_bson`, the canonical form that explain prints; `is_subset_of`, for partial
//!   indexes.
//! - `Projection::compile`, `apply(Document, &mut DocumentBuilder, &dyn Env)`, `is_covered_by(index fields)`.
//! - `SortPattern::write_key(Document, &mut SortScratch, &mut Vec<u8>)`: bytes that sort by memcmp.
//!
//! One circle of files is meant: a predicate may hold a filter (`$not`, `$elemMatch`, `$jsonSchema`), which is compiled
//! by the table that the predicate has its row in, and is a node of the same tree: `compile`, `evaluate`, `node`,
//! `predicate`, `schema`.

pub mod compile;
pub mod describe;
pub mod evaluate;
pub mod failure;
pub mod implication;
pub mod integer;
pub mod matcher;
pub mod node;
pub mod optimise;
pub mod partial;
pub mod path;
pub mod predicate;
pub mod projection;
pub mod scan;
pub mod schema;
pub mod sort;
#[cfg(test)]
pub mod testing;

pub use evaluate::{MatchContext, MatchDetails};
pub use failure::describe_failure;
pub use matcher::Matcher;
pub use node::MatchNode;
pub use partial::PartialFilterCompiler;
pub use path::{LeafArrays, QueryPath};
pub use projection::{Projection, ProjectionKind};
pub use sort::{SortPart, SortPattern, SortScratch};
