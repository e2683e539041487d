//! PROJECTION_SIMPLE, PROJECTION_DEFAULT, PROJECTION_COVERED and `$project`: shape the records' documents.

use super::index_key;
use super::record::{IndexKey, Record, Visitor};
use super::stage::{ExecContext, Progress, Stage, StageStatistics, advance_input, visit_input};
use crate::bson::{Document, DocumentBuilder, ValueRef};
use crate::catalog::Collection;
use crate::env::Env;
use crate::error::CommandError;
use crate::expr::Scope;
use crate::query::Projection;
use std::rc::Rc;

/// Where a projection's fields come from.
pub enum ProjectionSource {
    /// The document.
    Document,
    /// The index key alone: the key pattern's names and directions.
    IndexKey(Vec<(String, bool)>),
    /// The record as it is: the stage above reads the fields in place.
    InPlace,
}

/// Applies a projection.
pub struct Project {
    input: Box<dyn Stage>,
    shaper: Shaper,
    statistics: StageStatistics,
}

/// Writes one document after the other into one allocation.
struct Shaper {
    projection: Rc<Projection>,
    source: ProjectionSource,
    /// The last document's bytes. None before the first: an empty document would be an allocation.
    bytes: Vec<u8>,
}

impl Shaper {
    #[inline]
    fn shape(&mut self, record: &Record<'_>, env: &dyn Env) -> Result<(), CommandError> {
        let decoded;
        let document = match &self.source {
            ProjectionSource::Document => record.document(),
            ProjectionSource::IndexKey(names) => {
                let key = record.key.unwrap_or(IndexKey::EMPTY);
                decoded = index_key::decode_nested(key, names)?;
                decoded.as_document()
            }
            ProjectionSource::InPlace => return Ok(()),
        };
        let scope = Scope {
            bound: record.bound,
            ..Scope::of(ValueRef::Document(document), env)
        };
        let mut builder = DocumentBuilder::with_buffer(std::mem::take(&mut self.bytes));
        self.projection.apply_in(document, &mut builder, &scope)?;
        self.bytes = builder.finish().into_bytes();
        Ok(())
    }

    /// The record with the document that was written last.
    #[inline]
    fn shaped<'r>(&'r self, record: Record<'r>) -> Record<'r> {
        match self.source {
            ProjectionSource::InPlace => record,
            _ => Record {
                document: Some(match self.bytes.is_empty() {
                    true => Document::EMPTY,
                    false => Document::from_valid_bytes(&self.bytes),
                }),
                values: None,
                bound: None,
                ..record
            },
        }
    }
}

impl Project {
    pub fn new(
        input: Box<dyn Stage>,
        projection: Rc<Projection>,
        source: ProjectionSource,
    ) -> Self {
        Self {
            input,
            shaper: Shaper {
                projection,
                source,
                bytes: Vec::new(),
            },
            statistics: StageStatistics::default(),
        }
    }
}

impl Stage for Project {
    fn advance(&mut self, context: &ExecContext<'_>) -> Result<bool, CommandError> {
        if let ProjectionSource::InPlace = self.shaper.source {
            let found = advance_input(&mut *self.input, &mut self.statistics, context)?;
            self.statistics.count(match found {
                true => Progress::Advanced,
                false => Progress::Done,
            });
            return Ok(found);
        }
        // A value bound in the place of a field is in the record that `visit` shows, and nowhere else.
        self.visit(context, &mut |_| Ok(false)).map(|ended| !ended)
    }

    fn current(&self) -> Record<'_> {
        self.shaper.shaped(self.input.current())
    }

    fn work(&mut self, context: &ExecContext<'_>) -> Result<Progress, CommandError> {
        let progress = self.input.work(context)?;
        if progress == Progress::Advanced {
            self.shaper.shape(&self.input.current(), context.env)?;
        }
        self.statistics.count(progress);
        Ok(progress)
    }

    fn visit(
        &mut self,
        context: &ExecContext<'_>,
        visitor: &mut Visitor<'_>,
    ) -> Result<bool, CommandError> {
        let shaper = &mut self.shaper;
        visit_input(
            &mut *self.input,
            &mut self.statistics,
            context,
            &mut |record| {
                shaper.shape(record, context.env)?;
                visitor(&shaper.shaped(*record))
            },
        )
    }

    fn statistics(&self) -> StageStatistics {
        self.statistics
    }

    fn is_eof(&self) -> bool {
        self.input.is_eof()
    }

    fn resume(&mut self, collection: &Collection) -> bool {
        self.input.resume(collection)
    }

    fn inputs(&self) -> Vec<&dyn Stage> {
        vec![&*self.input]
    }
}
