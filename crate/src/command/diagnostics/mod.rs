//! Commands that tell about the engine, its databases and their sizes.

pub(in crate::command) mod build_info;
pub(in crate::command) mod coll_stats;
pub mod command_counts;
pub(in crate::command) mod connection_status;
pub(in crate::command) mod current_op;
pub(in crate::command) mod data_size;
pub(in crate::command) mod db_stats;
pub(in crate::command) mod features;
pub(in crate::command) mod get_cmd_line_opts;
pub(in crate::command) mod get_log;
pub(in crate::command) mod get_parameter;
pub(in crate::command) mod hello;
pub(in crate::command) mod host_info;
pub(in crate::command) mod kill_op;
pub(in crate::command) mod list_commands;
pub(in crate::command) mod lock_info;
pub mod log;
pub mod parameters;
pub(in crate::command) mod ping;
pub(in crate::command) mod profile;
pub mod profiler;
pub(in crate::command) mod server_status;
pub(in crate::command) mod set_parameter;
pub(in crate::command) mod sizes;
pub(in crate::command) mod top;
pub(in crate::command) mod validate_db_metadata;
pub(in crate::command) mod whats_my_uri;
