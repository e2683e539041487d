//! The browser's side: bindings, IndexedDB, host.

pub mod bindings;
pub mod deployment;
pub mod host;
pub mod idb;
mod lent;
mod memory;
mod paging;

pub use bindings::QuireEngine;
pub use idb::IdbDevice;
