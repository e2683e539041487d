//! The writing of `$out` and `$merge`: documents that a pipeline gives, written in batches.
//!
//! A pipeline is read until its writer has enough for a batch, then the batch is written, and the reading goes on.
//! Invariant: nothing is written while a stage runs.

use crate::bson::{Document, DocumentBuf};
use crate::error::CommandError;
use crate::exec::ExecContext;

/// Takes documents and writes them.
pub trait Writer {
    /// Before the first document is read.
    ///
    /// # Errors
    /// A target that cannot be written to.
    fn begin(&mut self, _target: &mut dyn Target) -> Result<(), CommandError> {
        Ok(())
    }

    /// Takes one document in; false when that makes a full batch. `new_id` makes an `_id` for a document that has none.
    ///
    /// # Errors
    /// A document that may not be written.
    fn take(
        &mut self,
        document: Document<'_>,
        context: &ExecContext<'_>,
        new_id: &mut dyn FnMut() -> [u8; 12],
    ) -> Result<bool, CommandError>;

    /// Writes the documents that were taken in.
    ///
    /// # Errors
    /// Errors of writing.
    fn write(&mut self, target: &mut dyn Target) -> Result<(), CommandError>;

    /// After the last batch.
    ///
    /// # Errors
    /// Errors of writing.
    fn finish(&mut self, _target: &mut dyn Target) -> Result<(), CommandError> {
        Ok(())
    }
}

/// The collections that a writer changes.
pub trait Target {
    /// Begins a collection that is to take the place of a collection, with its indexes and options (`$out`); of a time
    /// series where its options are given.
    ///
    /// # Errors
    /// A namespace that cannot be replaced.
    fn begin_replacing(
        &mut self,
        database: &str,
        collection: &str,
        series: Option<Document<'_>>,
    ) -> Result<(), CommandError>;

    /// Stores documents in the collection that was begun.
    ///
    /// # Errors
    /// Those of an insert.
    fn add_to_replacement(&mut self, documents: &[DocumentBuf]) -> Result<(), CommandError>;

    /// Puts the collection that was begun in its place.
    ///
    /// # Errors
    /// Those of dropping a collection.
    fn finish_replacing(&mut self) -> Result<(), CommandError>;

    /// Runs one unordered write command (`insert` or `update`, in a command's own form) for `$merge` and gives
    /// how many documents it inserted or matched. The first statement that failed is the error; the
    /// others are done.
    ///
    /// # Errors
    /// That of the command, or of the first statement that failed.
    fn write(&mut self, database: &str, command: Document<'_>) -> Result<i64, CommandError>;
}
