//! Commands that check, repair and compact, and the clock.

pub(in crate::command) mod compact;
pub(in crate::command) mod quire_clock;
pub mod quire_oplog;
pub(in crate::command) mod quire_salvage;
pub(in crate::command) mod validate;
