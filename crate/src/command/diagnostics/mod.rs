//! Commands that tell about the engine, its databases and their sizes.

pub(in crate::command) mod build_info;
pub(in crate::command) mod coll_stats;
pub(in crate::command) mod connection_status;
pub(in crate::command) mod current_op;
pub(in crate::command) mod data_size;
pub(in crate::command) mod db_stats;
pub(in crate::command) mod hello;
pub(in crate::command) mod list_commands;
pub(in crate::command) mod ping;
pub(in crate::command) mod profile;
pub mod profiler;
pub(in crate::command) mod server_status;
pub(in crate::command) mod sizes;
