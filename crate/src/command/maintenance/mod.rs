//! Commands that check, repair and compact, and the clock.

pub mod cluster_parameters;
pub(in crate::command) mod compact;
pub(in crate::command) mod db_hash;
pub mod default_concerns;
pub(in crate::command) mod fsync;
pub(in crate::command) mod fsync_unlock;
pub(in crate::command) mod quire_clock;
pub mod quire_oplog;
pub(in crate::command) mod quire_salvage;
pub(in crate::command) mod re_index;
pub(in crate::command) mod set_feature_compatibility_version;
pub(in crate::command) mod validate;
