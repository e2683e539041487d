//! PROJECTION_SIMPLE, PROJECTION_DEFAULT, PROJECTION_COVERED: shape the rows' documents.

use super::index_key;
use super::row::{Row, RowDocument};
use super::stage::{ExecContext, Progress, Stage, StageStatistics, advance_input};
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
