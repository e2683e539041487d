//! Candidate indexes, bounds, ranking, explain.

pub mod access;
pub mod bounds;
pub mod candidates;
pub mod choose;
mod collated;
pub mod explain;
pub mod express;
pub mod expression;
pub mod finish;
pub mod hashed;
pub mod intersection;
pub mod interval;
pub mod key_range;
pub mod leaf;
pub mod memory;
pub mod notation;
pub mod one_range;
pub mod ordering;
pub mod plan;
pub mod rank;
pub mod request;
pub mod shape;
pub mod union;
pub mod wildcard;

pub use choose::{Grouping, choose, choose_distinct, choose_grouping};
pub use plan::{Direction, Plan};
pub use request::{Hint, LookUps, Planned, QueryRequest};
