//! PROJECTION_SIMPLE, PROJECTION_DEFAULT, PROJECTION_COVERED: shape the rows' documents.

use super::index_key;
use super::row::{Row, RowDocument};
use super::stage::{ExecContext, Progress, Stage, StageStatistics, Visitor, advance_input};
use crate::bson::{Document, DocumentBuf, DocumentBuilder};
use crate::catalog::Collection;
use crate::error::CommandError;
use crate::query::Projection;
use std::rc::Rc;

/// Where a projection's fields come from.
pub enum ProjectionSource {
    /// The fetched document.
    Document,
    /// The index key alone: the key pattern's names and directions.
    IndexKey(Vec<(String, bool)>),
    /// The row as it is: whoever pulls reads the fields in place.
    InPlace,
}

/// Applies a projection.
pub struct Project {
    input: Box<dyn Stage>,
    projection: Rc<Projection>,
    source: ProjectionSource,
    statistics: StageStatistics,
}

impl Project {
    pub fn new(
        input: Box<dyn Stage>,
        projection: Rc<Projection>,
        source: ProjectionSource,
    ) -> Self {
        Self {
            input,
            projection,
            source,
            statistics: StageStatistics::default(),
        }
    }

    fn project(&self, context: &ExecContext<'_>, row: &mut Row) -> Result<(), CommandError> {
        let built = match &self.source {
            ProjectionSource::Document => {
                let document = row.document().unwrap_or(Document::EMPTY);
                self.apply(document, context)?
            }
            ProjectionSource::IndexKey(names) => {
                let key = index_key::decode_nested(&row.index_key, &row.type_bits, names)?;
                self.apply(key.as_document(), context)?
            }
            ProjectionSource::InPlace => return Ok(()),
        };
        row.document = RowDocument::Built(built);
        Ok(())
    }

    fn apply(
        &self,
        document: Document<'_>,
        context: &ExecContext<'_>,
    ) -> Result<DocumentBuf, CommandError> {
        let mut builder = DocumentBuilder::with_capacity(document.as_bytes().len());
        self.projection.apply(document, &mut builder, context.env)?;
        Ok(builder.finish())
    }
}

impl Stage for Project {
    fn work(&mut self, context: &ExecContext<'_>, row: &mut Row) -> Result<Progress, CommandError> {
        let progress = self.input.work(context, row)?;
        if progress == Progress::Advanced {
            self.project(context, row)?;
        }
        self.statistics.count(progress);
        Ok(progress)
    }

    fn advance(&mut self, context: &ExecContext<'_>, row: &mut Row) -> Result<bool, CommandError> {
        let found = advance_input(self.input.as_mut(), &mut self.statistics, context, row)?;
        if found {
            self.project(context, row)?;
        }
        self.statistics.count(if found {
            Progress::Advanced
        } else {
            Progress::Done
        });
        Ok(found)
    }

    fn visit(
        &mut self,
        context: &ExecContext<'_>,
        row: &mut Row,
        visitor: &mut Visitor<'_>,
    ) -> Result<(), CommandError> {
        let before = self.input.statistics();
        let mut built = DocumentBuf::default();
        let (source, projection) = (&self.source, &self.projection);
        let result = match source {
            ProjectionSource::InPlace => self.input.visit(context, row, visitor),
            ProjectionSource::Document => {
                self.input.visit(context, row, &mut |record_id, document| {
                    let mut builder =
                        DocumentBuilder::with_buffer(std::mem::take(&mut built).into_bytes());
                    projection.apply(document, &mut builder, context.env)?;
                    built = builder.finish();
                    visitor(record_id, built.as_document())
                })
            }
            ProjectionSource::IndexKey(_) => {
                while self.advance(context, row)? {
                    if !visitor(row.record_id, row.document().unwrap_or(Document::EMPTY))? {
                        break;
                    }
                }
                return Ok(());
            }
        };
        let after = self.input.statistics();
        self.statistics.works += after.works - before.works;
        self.statistics.advanced += after.advanced - before.advanced;
        self.statistics.need_time += after.need_time - before.need_time;
        self.statistics.is_eof = after.is_eof;
        result
    }

    fn statistics(&self) -> StageStatistics {
        self.statistics
    }

    fn is_eof(&self) -> bool {
        self.input.is_eof()
    }

    fn resume(&mut self, collection: &Collection) {
        self.input.resume(collection);
    }

    fn inputs(&self) -> Vec<&dyn Stage> {
        vec![self.input.as_ref()]
    }
}
