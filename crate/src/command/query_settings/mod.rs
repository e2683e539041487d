//! Query settings: index hints and refusals for all queries of one shape.

pub(in crate::command) mod remove;
mod representative;
pub(in crate::command) mod set;
mod settings;
pub mod store;
