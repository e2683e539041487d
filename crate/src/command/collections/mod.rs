//! Commands on databases, collections, views and indexes themselves.

pub(in crate::command) mod catalog_tests;
pub(in crate::command) mod clone_collection_as_capped;
pub(in crate::command) mod coll_mod;
pub(in crate::command) mod convert_to_capped;
pub(in crate::command) mod create;
pub(in crate::command) mod create_indexes;
pub(in crate::command) mod drop;
pub(in crate::command) mod drop_database;
pub(in crate::command) mod drop_indexes;
mod images_option;
pub mod kinds;
pub(in crate::command) mod list_collections;
pub(in crate::command) mod list_databases;
pub(in crate::command) mod list_indexes;
pub(in crate::command) mod rename_collection;
mod storage_options;
