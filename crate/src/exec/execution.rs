//! A running plan as a source of documents.

use super::build::build;
use super::cursors::{DocumentSource, PullContext};
use super::row::{Row, RowDocument};
use super::stage::{ExecContext, Stage, Visitor};
use super::usage;
use crate::bson::DocumentBuilder;
use crate::catalog::{Collection, RecordId};
use crate::error::CommandError;
use crate::plan::Plan;
use std::rc::Rc;

/// Runs a plan to its end, row by row.
pub struct Execution {
    stage: Box<dyn Stage>,
    row: Row,
    collection: Rc<Collection>,
    /// Whether each document gets its RecordId as `$recordId`.
    show_record_id: bool,
}

impl Execution {
    /// A plan that is run to answer a command: what it uses counts.
    pub fn new(plan: &Plan, collection: &Rc<Collection>, context: &ExecContext<'_>) -> Self {
        usage::note(plan, collection, context.pager.accounting());
        Self::explaining(plan, collection)
    }

    /// A plan that is run to be explained.
    pub fn explaining(plan: &Plan, collection: &Rc<Collection>) -> Self {
        Self {
            stage: build(plan, collection),
            row: Row::default(),
            collection: Rc::clone(collection),
            show_record_id: false,
        }
    }

    /// Adds `$recordId` to each document.
    pub fn show_record_id(mut self, show: bool) -> Self {
        self.show_record_id = show;
        self
    }

    /// Moves to the next row; false at the end.
    ///
    /// # Errors
    /// Whatever stops the command.
    pub fn advance(&mut self, context: &ExecContext<'_>) -> Result<bool, CommandError> {
        self.stage.advance(context, &mut self.row)
    }

    /// Visits all rows that are left, until the visitor answers that it needs no more.
    ///
    /// # Errors
    /// Whatever stops the command, and the visitor's.
    pub fn visit(
        &mut self,
        context: &ExecContext<'_>,
        visitor: &mut Visitor<'_>,
    ) -> Result<(), CommandError> {
        self.stage.visit(context, &mut self.row, visitor)
    }

    /// The row the last `advance` moved to.
    pub fn row(&self) -> &Row {
        &self.row
    }

    /// The row, to take its document.
    pub fn row_mut(&mut self) -> &mut Row {
        &mut self.row
    }

    /// The running stages, for their statistics.
    pub fn stage(&self) -> &dyn Stage {
        self.stage.as_ref()
    }

    /// All RecordIds of the rows: what a write command collects before it changes anything.
    ///
    /// # Errors
    /// Whatever stops the command.
    pub fn record_ids(
        &mut self,
        context: &ExecContext<'_>,
        limit: Option<usize>,
    ) -> Result<Vec<RecordId>, CommandError> {
        let mut found = Vec::new();
        if limit == Some(0) {
            return Ok(found);
        }
        self.visit(context, &mut |record_id, _| {
            found.extend(record_id);
            Ok(limit.is_none_or(|limit| found.len() < limit))
        })?;
        Ok(found)
    }
}

impl DocumentSource for Execution {
    fn next(&mut self, context: &PullContext<'_>) -> Result<Option<RowDocument>, CommandError> {
        if !self.advance(&context.exec)? {
            return Ok(None);
        }
        if self.show_record_id
            && let (Some(document), Some(record_id)) = (self.row.document(), self.row.record_id)
        {
            let mut builder = DocumentBuilder::new();
            builder
                .append_all(document)
                .append("$recordId", record_id.0 as i64);
            return Ok(Some(RowDocument::Built(builder.finish())));
        }
        Ok(Some(self.row.take_document()))
    }

    fn is_exhausted(&self) -> bool {
        self.stage.is_eof()
    }

    fn resume(&mut self, context: &PullContext<'_>) -> bool {
        match context.catalog.collection(&self.collection.namespace) {
            Some(collection) if collection.uuid == self.collection.uuid => {
                self.collection = Rc::clone(collection);
                self.stage.resume(collection);
                true
            }
            _ => false,
        }
    }
}
