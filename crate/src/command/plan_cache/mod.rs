//! Commands on cached plans and index filters.

pub(in crate::command) mod clear;
pub(in crate::command) mod clear_filters;
pub(in crate::command) mod list_filters;
pub(in crate::command) mod query_shape;
pub(in crate::command) mod set_filter;
pub(in crate::command) mod stats;
