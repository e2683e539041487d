//! FETCH: reads the document that a row's RecordId names, and filters.

use super::row::{Row, RowDocument};
use super::stage::{ExecContext, Progress, Stage, StageStatistics};
use crate::bson::DocumentBuilder;
use crate::catalog::Collection;
use crate::error::CommandError;
use crate::query::Matcher;
use crate::storage::accounting::bump;
use std::rc::Rc;

/// Reads documents for an index scan.
pub struct Fetch {
    input: Box<dyn Stage>,
    collection: Rc<Collection>,
    filter: Option<Rc<Matcher>>,
    documents_examined: u64,
    statistics: StageStatistics,
}

impl Fetch {
    pub fn new(
        input: Box<dyn Stage>,
        collection: Rc<Collection>,
        filter: Option<Rc<Matcher>>,
    ) -> Self {
        Self {
            input,
            collection,
            filter,
            documents_examined: 0,
            statistics: StageStatistics::default(),
        }
    }

    fn fetch(
        &mut self,
        context: &ExecContext<'_>,
        row: &mut Row,
    ) -> Result<Progress, CommandError> {
        if let (Some(record_id), RowDocument::None) = (row.record_id, &row.document) {
            match self
                .collection
                .records
                .get(context.pager, &record_id.to_bytes())?
            {
                Some(bytes) => row.document = RowDocument::Stored(bytes),
                // Indexes and records are of one snapshot, so this is a key without a record.
                None => return Ok(Progress::NeedTime),
            }
        }
        self.documents_examined += 1;
        bump(&context.pager.accounting().documents_examined, 1);
        let matched = match (&self.filter, row.document()) {
            (Some(filter), Some(document)) => filter.matches(document, context.env)?,
            _ => true,
        };
        Ok(if matched {
            Progress::Advanced
        } else {
            Progress::NeedTime
        })
    }
}

impl Stage for Fetch {
    fn work(&mut self, context: &ExecContext<'_>, row: &mut Row) -> Result<Progress, CommandError> {
        let mut progress = self.input.work(context, row)?;
        if progress == Progress::Advanced {
            progress = self.fetch(context, row)?;
        }
        self.statistics.count(progress);
        Ok(progress)
    }

    fn statistics(&self) -> StageStatistics {
        self.statistics
    }

    fn resume(&mut self, collection: &Collection) {
        self.input.resume(collection);
    }

    fn inputs(&self) -> Vec<&dyn Stage> {
        vec![self.input.as_ref()]
    }

    fn append_statistics(&self, builder: &mut DocumentBuilder) {
        builder.append_integer("docsExamined", self.documents_examined as i64);
        builder.append_integer("alreadyHasObj", 0);
    }

    fn examined(&self) -> (u64, u64) {
        (0, self.documents_examined)
    }
}
