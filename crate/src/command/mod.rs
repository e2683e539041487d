//! Commands: the dispatch table, typed parameters, replies, and one command a file.

pub mod context;
pub mod names;
pub mod params;
pub mod partial_filter;
pub mod reply;
pub mod table;
pub mod write_concern;

mod build_info;
mod connection_status;
mod hello;
mod list_commands;
mod ping;
mod quire_clock;
mod server_status;

pub use context::{CommandContext, CommandResult, Counters, Deployment};
pub use params::{Params, Request};
pub use partial_filter::PartialFilterCompiler;
pub use reply::{error_reply, finish_ok};
pub use table::{COMMANDS, CommandRow};
