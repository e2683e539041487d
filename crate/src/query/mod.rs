//! Paths, matcher, predicates, projection and sort.

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
pub use partial::{CompiledPartialFilter, PartialFilterCompiler};
pub use path::{FieldPath, LeafArrays};
pub use projection::{Projection, ProjectionKind};
pub use sort::{SortPart, SortPattern, SortScratch};
