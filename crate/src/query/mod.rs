//! Paths, matcher, predicates, projection and sort.

pub mod compile;
pub mod describe;
pub mod evaluate;
pub mod integer;
pub mod matcher;
pub mod node;
pub mod optimise;
pub mod path;
pub mod predicate;
#[cfg(test)]
pub mod testing;

pub use evaluate::{MatchContext, MatchDetails};
pub use matcher::Matcher;
pub use node::MatchNode;
pub use path::{FieldPath, LeafArrays};
