//! Candidate indexes, bounds, ranking, explain.

pub mod bounds;
pub mod interval;
pub mod notation;
