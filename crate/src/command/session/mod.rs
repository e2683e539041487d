//! Logical sessions, and the commands that drivers send about them.

pub(in crate::command) mod logical_sessions;
pub mod sessions;
pub mod transactions;
