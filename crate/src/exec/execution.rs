//! A running plan as a source of documents.

use super::build::{Build, Root, build, build_read};
use super::cursors::{DocumentSource, PullContext};
use super::projection::{Project, ProjectionSource};
use super::row::Row;
use super::stage::{ExecContext, Stage, Visitor};
use super::usage;
use crate::bson::DocumentBuilder;
use crate::catalog::plan_cache::KeyRead;
use crate::catalog::{Collection, RecordId};
use crate::error::CommandError;
use crate::plan::Plan;
use crate::query::Projection;
use std::rc::Rc;

/// Runs a plan to its end, row by row.
pub struct Execution {
    root: Root,
    row: Row,
    collection: Rc<Collection>,
    /// Whether each document gets its RecordId as `$recordId`.
    show_record_id: bool,
}

impl Execution {
    /// A plan that is run to answer a command: what it uses counts.
    pub fn new(
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
        let stage = build(plan, collection, how);
        Self::of(Root::Stage(stage), Rc::clone(collection))
    }

    /// A prepared read with its values, which gives documents as a projection makes them.
    pub fn reading(
        read: KeyRead,
        projection: Option<Rc<Projection>>,
        collection: Rc<Collection>,
        context: &ExecContext<'_>,
        how: Build,
    ) -> Self {
        usage::note_index(&collection, read.access.index, context.pager.accounting());
        let mut root = build_read(read, &collection, how);
        if let Some(projection) = projection {
            let source = ProjectionSource::Document;
            root = Root::Stage(Box::new(Project::new(root.boxed(), projection, source)));
        }
        Self::of(root, collection)
    }

    /// A plan that is run to be explained: each of its stages is there to be looked at.
    pub fn explaining(plan: &Plan, collection: &Rc<Collection>) -> Self {
        Self::of(
            Root::Stage(build(plan, collection, Build::default())),
            Rc::clone(collection),
        )
    }

    fn of(root: Root, collection: Rc<Collection>) -> Self {
        Self {
            root,
            row: Row::default(),
            collection,
            show_record_id: false,
        }
    }

    /// Adds `$recordId` to each document.
    pub fn show_record_id(&mut self) {
        self.show_record_id = true;
    }

    /// Moves to the next row; false at the end.
    ///
    /// # Errors
    /// Whatever stops the command.
    pub fn advance(&mut self, context: &ExecContext<'_>) -> Result<bool, CommandError> {
        self.root.stage_mut().advance(context, &mut self.row)
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
        self.root.stage_mut().visit(context, &mut self.row, visitor)
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
        self.root.stage()
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
    fn visit(
        &mut self,
        context: &PullContext<'_>,
        visitor: &mut Visitor<'_>,
    ) -> Result<(), CommandError> {
        if !self.show_record_id {
            return Self::visit(self, &context.exec, visitor);
        }
        Self::visit(self, &context.exec, &mut |record_id, document| {
            let mut builder = DocumentBuilder::new();
            builder.append_all(document);
            if let Some(record_id) = record_id {
                builder.append("$recordId", record_id.0 as i64);
            }
            visitor(record_id, builder.finish().as_document())
        })
    }

    fn is_exhausted(&self) -> bool {
        self.root.stage().is_eof()
    }

    fn resume(&mut self, context: &PullContext<'_>) -> bool {
        match context.catalog.collection(&self.collection.namespace) {
            Some(collection) if collection.uuid == self.collection.uuid => {
                self.collection = Rc::clone(collection);
                self.root.stage_mut().resume(collection);
                true
            }
            _ => false,
        }
    }
}
