//! A running plan as a source of documents.

use super::build::{Build, build, build_read, build_with};
use super::cursors::{DocumentSource, Given, PullContext, Took};
use super::projection::{Project, ProjectionSource};
use super::row::{Row, RowDocument};
use super::stage::{ExecContext, Stage, Visitor};
use super::usage;
use crate::bson::{Document, DocumentBuilder};
use crate::catalog::plan_cache::KeyRead;
use crate::catalog::{Collection, RecordId};
use crate::error::CommandError;
use crate::plan::Plan;
use crate::query::Projection;
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
        Self::built(plan, collection, context, Build::default())
    }

    /// The same, with what is known of the reader.
    pub fn built(
        plan: &Plan,
        collection: &Rc<Collection>,
        context: &ExecContext<'_>,
        how: Build,
    ) -> Self {
        usage::note(plan, collection, context.pager.accounting());
        let how = Build {
            joined: true,
            ..how
        };
        Self::of(build_with(plan, collection, how), collection)
    }

    /// A prepared read with its values.
    pub fn reading(
        read: KeyRead,
        collection: &Rc<Collection>,
        context: &ExecContext<'_>,
        how: Build,
    ) -> Self {
        usage::note_index(collection, read.access.index, context.pager.accounting());
        Self::of(build_read(read, collection, how), collection)
    }

    /// A plan that is run to be explained: each of its stages is there to be looked at.
    pub fn explaining(plan: &Plan, collection: &Rc<Collection>) -> Self {
        Self::of(build(plan, collection), collection)
    }

    fn of(stage: Box<dyn Stage>, collection: &Rc<Collection>) -> Self {
        Self {
            stage,
            row: Row::default(),
            collection: Rc::clone(collection),
            show_record_id: false,
        }
    }

    /// Gives documents as a projection makes them.
    pub fn projected(mut self, projection: Option<Rc<Projection>>) -> Self {
        if let Some(projection) = projection {
            self.stage = Box::new(Project::new(
                self.stage,
                projection,
                ProjectionSource::Document,
            ));
        }
        self
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

    fn give(
        &mut self,
        context: &PullContext<'_>,
        take: &mut dyn FnMut(Document<'_>) -> Took,
    ) -> Result<Given, CommandError> {
        let mut given = Given::End;
        if self.show_record_id {
            while let Some(row) = self.next(context)? {
                match row.as_document().map_or(Took::More, &mut *take) {
                    Took::More => {}
                    Took::Enough => return Ok(Given::Enough),
                    Took::Left => return Ok(Given::Left(row)),
                }
            }
            return Ok(given);
        }
        self.visit(&context.exec, &mut |_, document| {
            match take(document) {
                Took::More => return Ok(true),
                Took::Enough => given = Given::Enough,
                Took::Left => given = Given::Left(RowDocument::Built(document.to_buf())),
            }
            Ok(false)
        })?;
        Ok(given)
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
