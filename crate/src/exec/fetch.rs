//! FETCH: reads the document that a record's RecordId names, and filters.

use super::record::{Record, Visitor};
use super::stage::{ExecContext, Progress, Stage, StageStatistics, advance_by_work};
use crate::bson::{Document, DocumentBuilder};
use crate::catalog::Collection;
use crate::error::CommandError;
use crate::query::Matcher;
use crate::storage::PageBytes;
use crate::storage::accounting::bump;
use std::rc::Rc;

/// Reads documents for an index scan.
pub struct Fetch {
    input: Box<dyn Stage>,
    collection: Rc<Collection>,
    filter: Option<Rc<Matcher>>,
    /// The current record's document, unless the input gave it.
    document: Option<PageBytes>,
    documents_examined: u64,
    /// Records that came with their documents.
    had_document: u64,
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
            document: None,
            documents_examined: 0,
            had_document: 0,
            statistics: StageStatistics::default(),
        }
    }

    fn fetch(&mut self, context: &ExecContext<'_>) -> Result<Progress, CommandError> {
        let record = self.input.current();
        self.document = None;
        if let (Some(record_id), None) = (record.record_id, record.document) {
            let records = &self.collection.records;
            self.document = records.get(context.pager, &record_id.to_bytes())?;
            if self.document.is_none() {
                // Indexes and records are of one snapshot, so this is a key without a record.
                return Ok(Progress::NeedTime);
            }
        }
        self.had_document += u64::from(record.document.is_some());
        self.documents_examined += 1;
        bump(&context.pager.accounting().documents_examined, 1);
        let document = self.document.as_deref().map(Document::from_valid_bytes);
        let matched = match (&self.filter, document.or(record.document)) {
            (Some(filter), Some(document)) => filter.matches(document, context.env)?,
            _ => true,
        };
        Ok(match matched {
            true => Progress::Advanced,
            false => Progress::NeedTime,
        })
    }
}

impl Stage for Fetch {
    fn advance(&mut self, context: &ExecContext<'_>) -> Result<bool, CommandError> {
        advance_by_work(self, context)
    }

    fn current(&self) -> Record<'_> {
        let record = self.input.current();
        let document = self.document.as_deref().map(Document::from_valid_bytes);
        Record {
            document: document.or(record.document),
            ..record
        }
    }

    fn work(&mut self, context: &ExecContext<'_>) -> Result<Progress, CommandError> {
        let mut progress = self.input.work(context)?;
        if progress == Progress::Advanced {
            progress = self.fetch(context)?;
        }
        self.statistics.count(progress);
        Ok(progress)
    }

    fn visit(
        &mut self,
        context: &ExecContext<'_>,
        visitor: &mut Visitor<'_>,
    ) -> Result<bool, CommandError> {
        let before = self.input.statistics().need_time;
        let (filter, records) = (self.filter.as_deref(), &self.collection.records);
        let (examined, statistics) = (&mut self.documents_examined, &mut self.statistics);
        let ended = self.input.visit(context, &mut |record| {
            let mut record = *record;
            let bytes;
            if let (Some(record_id), None) = (record.record_id, record.document) {
                match records.get_ref(context.pager, &record_id.to_bytes())? {
                    Some(found) => bytes = found,
                    None => {
                        statistics.count(Progress::NeedTime);
                        return Ok(true);
                    }
                }
                record.document = Some(Document::from_valid_bytes(&bytes));
            }
            *examined += 1;
            bump(&context.pager.accounting().documents_examined, 1);
            if let Some(filter) = filter
                && !filter.matches(record.document(), context.env)?
            {
                statistics.count(Progress::NeedTime);
                return Ok(true);
            }
            statistics.count(Progress::Advanced);
            visitor(&record)
        })?;
        let idle = self.input.statistics().need_time - before;
        self.statistics.count_idle(idle);
        if ended {
            self.statistics.count(Progress::Done);
        }
        Ok(ended)
    }

    fn statistics(&self) -> StageStatistics {
        self.statistics
    }

    fn resume(&mut self, collection: &Collection) -> bool {
        self.input.resume(collection)
    }

    fn inputs(&self) -> Vec<&dyn Stage> {
        vec![self.input.as_ref()]
    }

    fn append_statistics(&self, builder: &mut DocumentBuilder) {
        builder.append_integer("docsExamined", self.documents_examined as i64);
        builder.append_integer("alreadyHasObj", self.had_document as i64);
    }

    fn examined(&self) -> (u64, u64) {
        (0, self.documents_examined)
    }
}
