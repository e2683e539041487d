//! The one door to write, and what came in by it.
//!
//! - `Writer` (`write.rs`) stands over pages, catalog and a command's `Changes`, and is the only caller of the
//!   collections' writers; `CollectionWriter` is the same over one collection, held for many documents.
//! - `Changes` (`changes.rs`) tell by namespace what a command changed; with documents asked for, each operation in
//!   its order too.

pub mod changes;
pub mod write;
#[cfg(test)]
mod write_tests;

pub use changes::{Changes, DocumentTotals, Interest, Kind, NamespaceChanges, Operation};
pub use write::{CollectionWriter, Replacement, Writer};
