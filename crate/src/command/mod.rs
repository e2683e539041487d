//! Commands: the dispatch table, the way in, replies, and one command a file.

pub mod collections;
pub mod context;
pub mod diagnostics;
pub mod frees_room;
pub mod maintenance;
pub mod moments;
pub mod plan_cache;
pub mod read;
pub mod reply;
pub mod request;
pub mod session;
pub mod table;
pub mod write;
pub mod xray;

pub use context::{CommandContext, CommandResult, Deployment, ServerCounters};
pub use reply::{error_reply, finish_ok};
pub use request::{Incoming, Params, Request};
pub use table::{COMMANDS, CommandRow};
