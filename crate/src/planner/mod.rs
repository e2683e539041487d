//! Candidate indexes, bounds, ranking, explain.

pub mod access;
pub mod bounds;
pub mod candidates;
pub mod choose;
pub mod explain;
pub mod express;
pub mod finish;
pub mod interval;
pub mod leaf;
pub mod notation;
pub mod ordering;
pub mod plan;
pub mod rank;
pub mod request;

pub use choose::{choose, choose_distinct};
pub use plan::{Direction, Plan};
pub use request::{Hint, Planned, QueryRequest};
