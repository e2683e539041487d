//! Commands: the dispatch table with the facts about each, the way in, replies, and one command a file.
//!
//! Circles of folders that are meant:
//! - `table` names every command, and some commands look others up in it: `listCommands`, `explain`, those that run a
//!   command inside (`quireObserve`, `quireFork`, `quireAt`). A `row` has functions of commands: how one is explained,
//!   when one writes.
//! - Every command is given the `context`, which keeps their scratch between commands: validators, sessions, buffers.
//! - `read` and `write`: an update finds its documents as a query does, `$merge` writes as an update does, and explain
//!   shows both.
//! - `read` and `plan_cache`: a query's shape is made of a `find`, and `$planCacheStats` is the source of a pipeline.
//! - `read` and `query_settings`: settings are of a read's shape, and `$querySettings` is the source of a pipeline.
//! - `request` and `session`: a request has a session's id, and the commands of sessions are requests.

pub mod collections;
pub mod context;
pub mod diagnostics;
pub mod frees_room;
pub mod identity;
pub mod maintenance;
pub mod moments;
pub mod plan_cache;
pub mod query_settings;
pub mod read;
pub mod replication;
pub mod reply;
pub mod request;
pub mod row;
pub mod session;
pub mod table;
pub mod topology;
pub mod users;
pub mod write;
pub mod xray;

pub use context::{CommandContext, CommandResult, Deployment, ServerCounters};
pub use reply::{error_reply, finish_ok};
pub use request::{Incoming, Params, Request};
pub use table::{COMMANDS, CommandRow};
pub use topology::Topology;
