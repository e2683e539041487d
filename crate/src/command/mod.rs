//! Commands: the dispatch table, typed parameters, replies, and one command a file.

pub mod aggregate;
pub mod batch;
pub mod context;
pub mod count;
pub mod delete;
pub mod find;
pub mod find_and_modify;
pub mod insert;
pub mod names;
pub mod params;
pub mod pipeline_source;
pub mod read_options;
pub mod reply;
pub mod table;
pub mod update;
pub mod update_pipeline;
pub mod write_concern;
pub mod write_errors;
pub mod write_target;
#[cfg(test)]
mod write_tests;

mod build_info;
mod catalog_tests;
mod clone_collection_as_capped;
mod coll_mod;
mod coll_stats;
mod connection_status;
mod convert_to_capped;
mod create;
mod create_indexes;
mod data_size;
mod db_stats;
mod distinct;
mod drop;
mod drop_database;
mod drop_indexes;
mod explain;
mod get_more;
mod hello;
mod kill_cursors;
mod list_collections;
mod list_commands;
mod list_cursor;
mod list_databases;
mod list_indexes;
mod ping;
mod quire_clock;
mod rename_collection;
mod server_status;
mod sizes;
mod validate;

pub use context::{CommandContext, CommandResult, Counters, Deployment};
pub use params::{Params, Request};
pub use reply::{error_reply, finish_ok};
pub use table::{COMMANDS, CommandRow};
