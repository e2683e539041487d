//! Commands that change documents.

pub(in crate::command) mod bulk_write;
pub mod change;
#[cfg(test)]
mod changes_tests;
pub mod delete;
pub mod find_and_modify;
pub mod insert;
pub mod retryable;
pub mod series_change;
pub mod series_insert;
pub mod update;
pub mod update_pipeline;
pub mod update_statement;
pub mod validation;
pub mod write_errors;
pub mod write_target;
#[cfg(test)]
mod write_tests;
