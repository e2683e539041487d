//! Commands that read: queries, pipelines, cursors, and how they are explained.

pub mod aggregate;
pub mod batch;
pub mod count;
pub(in crate::command) mod describe;
pub(in crate::command) mod distinct;
pub(in crate::command) mod explain;
pub(in crate::command) mod explain_plan;
pub mod find;
pub(in crate::command) mod get_more;
pub(in crate::command) mod kill_cursors;
pub(in crate::command) mod list_cursor;
pub(in crate::command) mod map_reduce;
pub(in crate::command) mod map_reduce_explain;
pub(in crate::command) mod map_reduce_functions;
pub mod pipeline_source;
pub mod pipeline_writes;
pub mod prepare;
#[cfg(test)]
mod prepared_tests;
pub mod read_options;
pub mod shape_hash;
pub(in crate::command) mod transaction_stages;
pub mod views;
pub mod watched;
