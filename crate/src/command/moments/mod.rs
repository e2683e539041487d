//! Commands of this engine's own that keep states, look at them, compare them and bring them back.

pub(in crate::command) mod quire_at;
pub(in crate::command) mod quire_difference;
pub(in crate::command) mod quire_drop_moment;
pub(in crate::command) mod quire_moment;
pub(in crate::command) mod quire_moments;
pub(in crate::command) mod quire_name_moment;
pub(in crate::command) mod quire_restore;
pub(in crate::command) mod quire_run;
