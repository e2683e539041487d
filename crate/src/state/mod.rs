//! States of the data: views of them, and units that change them.

pub mod base;
pub mod changes;
pub mod cursors;
pub mod differences;
pub mod keep;
pub mod kept;
pub mod room;
pub mod run;
pub mod unit;
pub mod view;
pub mod write;
#[cfg(test)]
mod write_tests;

pub use base::{Base, StoreMut};
pub use changes::{Changes, DocumentTotals, Interest, Kind, NamespaceChanges, Operation};
pub use cursors::{CursorKind, CursorTable, OpenCursor};
pub use differences::{ChangeCounts, CollectionDifference, Difference, DocumentChange};
pub use keep::{Made, Wish, keep};
pub use run::Run;
pub use unit::{Fork, Unit};
pub use view::{HeldView, View};
pub use write::{CollectionWriter, Replacement, Writer};
