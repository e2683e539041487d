//! Commands of this engine's own that show its inside: the pages that a run touched, a fork of the data, pages, trees.

pub mod inner;
mod keys;
pub(in crate::command) mod quire_fork;
pub(in crate::command) mod quire_observe;
pub(in crate::command) mod quire_page;
pub(in crate::command) mod quire_pages;
pub(in crate::command) mod quire_tree;
mod trees;
