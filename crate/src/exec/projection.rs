//! PROJECTION_SIMPLE, PROJECTION_DEFAULT, PROJECTION_COVERED: shape the rows' documents.

use super::row::{Row, RowDocument};
use super::stage::{ExecContext, Progress, Stage, StageStatistics};
use crate::bson::{Document, DocumentBuf, DocumentBuilder};
use crate::error::CommandError;
use crate::keycode;
use crate::query::{Matcher, Projection};
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
    /// The query, for positional projections.
    matcher: Option<Rc<Matcher>>,
    source: ProjectionSource,
    statistics: StageStatistics,
}

impl Project {
    pub fn new(
        input: Box<dyn Stage>,
        projection: Rc<Projection>,
        matcher: Option<Rc<Matcher>>,
        source: ProjectionSource,
    ) -> Self {
        Self { input, projection, matcher, source, statistics: StageStatistics::default() }
    }

    fn project(
        &self,
        context: &ExecContext<'_>,
        row: &mut Row,
    ) -> Result<(), CommandError> {
        let built = match &self.source {
            ProjectionSource::Document => {
                let document = row.document().unwrap_or(Document::EMPTY);
                self.apply(document, context)?
            }
            ProjectionSource::IndexKey(names) => {
                let mut key = DocumentBuilder::new();
                keycode::decode_into(&row.index_key, &row.type_bits, names, &mut key);
                let key = nest_dotted(key.finish());
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
        self.projection.apply(document, self.matcher.as_deref(), context.env)
    }
}

/// Turns `{"a.b": 1, "a.c": 2}` into `{a: {b: 1, c: 2}}`: what a covered plan knows of a document.
pub(super) fn nest_dotted(flat: DocumentBuf) -> DocumentBuf {
    if flat.as_document().iter().all(|element| !element.name.contains('.')) {
        return flat;
    }
    let fields: Vec<(&str, crate::bson::ValueRef<'_>)> =
        flat.as_document().iter().map(|element| (element.name, element.value)).collect();
    let mut builder = DocumentBuilder::new();
    write_nested(&fields, &mut builder);
    builder.finish()
}

fn write_nested(fields: &[(&str, crate::bson::ValueRef<'_>)], builder: &mut DocumentBuilder) {
    let mut written: Vec<&str> = Vec::new();
    for (path, value) in fields {
        match path.split_once('.') {
            None => {
                builder.append(path, *value);
            }
            Some((head, _)) => {
                if written.contains(&head) {
                    continue;
                }
                written.push(head);
                let below: Vec<_> = fields
                    .iter()
                    .filter_map(|(path, value)| {
                        let (first, rest) = path.split_once('.')?;
                        (first == head).then_some((rest, *value))
                    })
                    .collect();
                builder.begin_document(head);
                write_nested(&below, builder);
                builder.end();
            }
        }
    }
}

impl Stage for Project {
    fn work(
        &mut self,
        context: &ExecContext<'_>,
        row: &mut Row,
    ) -> Result<Progress, CommandError> {
        let progress = self.input.work(context, row)?;
        if progress == Progress::Advanced {
            self.project(context, row)?;
        }
        self.statistics.count(progress);
        Ok(progress)
    }

    fn statistics(&self) -> StageStatistics {
        self.statistics
    }

    fn inputs(&self) -> Vec<&dyn Stage> {
        vec![self.input.as_ref()]
    }
}
