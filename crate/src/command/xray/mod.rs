//! Commands of this engine's own that show what is inside: what a run touched, a fork of the data, pages, trees.

pub mod inner;
pub(in crate::command) mod quire_fork;
pub(in crate::command) mod quire_observe;
