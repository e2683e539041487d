//! Commands about the replica set, whose only member this is.

mod member;
pub(in crate::command) mod repl_set_get_config;
pub(in crate::command) mod repl_set_get_status;
pub(in crate::command) mod repl_set_initiate;
