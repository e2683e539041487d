//! COLLSCAN: all documents of a collection in record order, forward or backward.
//!
//! A reader that wants results alone gets them leaf by leaf: the filter runs over the entries of a page in place, and
//! only those that match become rows. A tailable scan can be resumed: it goes on after the last record it gave.
//! Invariant: records of a capped collection are in insertion order, so that is where newer ones are.

use super::record::{Record, Visitor};
use super::stage::{ExecContext, Progress, Stage, StageStatistics};
use crate::bson::{Document, DocumentBuilder};
use crate::catalog::{Collection, RecordId};
use crate::error::{Code, CommandError};
use crate::plan::Direction;
use crate::query::Matcher;
use crate::storage::accounting::bump;
use crate::storage::{Cursor, PageBytes};
use std::ops::Bound;
use std::rc::Rc;

enum State {
    Start,
    /// A tailable scan goes on after this record.
    After(RecordId),
    Running,
    Done,
}

/// A scan over all records.
pub struct CollectionScan {
    cursor: Cursor,
    state: State,
    direction: Direction,
    filter: Option<Rc<Matcher>>,
    last: Option<RecordId>,
    /// The current record's document.
    document: Option<PageBytes>,
    /// Which collection this is.
    uuid: [u8; 16],
    documents_examined: u64,
    statistics: StageStatistics,
}

impl CollectionScan {
    pub fn new(collection: &Collection, direction: Direction, filter: Option<Rc<Matcher>>) -> Self {
        Self {
            cursor: collection.records.cursor(),
            state: State::Start,
            direction,
            filter,
            last: None,
            document: None,
            uuid: collection.uuid,
            documents_examined: 0,
            statistics: StageStatistics::default(),
        }
    }

    fn step(&mut self, context: &ExecContext<'_>) -> Result<bool, CommandError> {
        let pager = context.pager;
        let forward = self.direction.is_forward();
        if let State::Running = self.state {
            self.last = RecordId::from_bytes(self.cursor.key());
        }
        let found = match self.state {
            State::Done => return Ok(false),
            State::Start if forward => self.cursor.first(pager)?,
            State::Start => self.cursor.last(pager)?,
            State::Running if forward => self.cursor.next(pager)?,
            State::Running => self.cursor.prev(pager)?,
            State::After(last) => self.go_after(last, context)?,
        };
        self.state = if found { State::Running } else { State::Done };
        Ok(found)
    }

    /// Goes to the next record and tests it.
    fn examine(&mut self, context: &ExecContext<'_>) -> Result<Progress, CommandError> {
        context.env.checkpoint()?;
        let progress = if self.step(context)? {
            self.documents_examined += 1;
            bump(&context.pager.accounting().documents_examined, 1);
            let value = self.cursor.peek(context.pager)?;
            let document = Document::from_valid_bytes(&value);
            let matched = match &self.filter {
                Some(filter) => filter.matches(document, context.env)?,
                None => true,
            };
            if matched {
                Progress::Advanced
            } else {
                bump(&context.pager.accounting().bytes_read, value.len() as u64);
                Progress::NeedTime
            }
        } else {
            Progress::Done
        };
        self.statistics.count(progress);
        Ok(progress)
    }

    /// Hands records that match to `take` until it answers that it needs no more: then the cursor is on the last one
    /// taken, which is not yet counted as read. False at the end.
    fn find(
        &mut self,
        context: &ExecContext<'_>,
        take: &mut Visitor<'_>,
    ) -> Result<bool, CommandError> {
        let forward = self.direction.is_forward();
        loop {
            if let State::Running = self.state {
                let (mut looked, mut advanced) = (0, 0);
                let filter = self.filter.as_deref();
                // Without a filter the visitor reads the documents, and may read all of them.
                let reach = filter.map_or(usize::MAX, Matcher::reach);
                let test = |key: &[u8], value: &[u8]| {
                    let document = Document::from_valid_bytes(value);
                    if let Some(filter) = filter
                        && !filter.matches(document, context.env)?
                    {
                        return Ok(false);
                    }
                    advanced += 1;
                    take(&record(key, document)).map(|more| !more)
                };
                let stopped =
                    self.cursor
                        .find_in_leaf(context.pager, forward, reach, &mut looked, test);
                self.documents_examined += looked;
                bump(&context.pager.accounting().documents_examined, looked);
                self.statistics.works += looked;
                self.statistics.advanced += advanced;
                self.statistics.need_time += looked.saturating_sub(advanced);
                if stopped? {
                    return Ok(true);
                }
                context.env.checkpoint()?;
            }
            // The first entry of a leaf, and entries whose value lies outside of it.
            match self.examine(context)? {
                Progress::Advanced => {
                    let value = self.cursor.peek(context.pager)?;
                    let document = Document::from_valid_bytes(&value);
                    if !take(&record(self.cursor.key(), document))? {
                        return Ok(true);
                    }
                    bump(&context.pager.accounting().bytes_read, value.len() as u64);
                }
                Progress::NeedTime => {}
                Progress::Done => return Ok(false),
            }
        }
    }

    /// Holds the document that the cursor is on.
    fn hold(&mut self, context: &ExecContext<'_>) -> Result<(), CommandError> {
        self.document = Some(self.cursor.value(context.pager)?);
        Ok(())
    }

    /// Goes to the record after the last one given, which must still be there: when a capped
    /// collection dropped it, the scan would silently miss records.
    fn go_after(
        &mut self,
        last: RecordId,
        context: &ExecContext<'_>,
    ) -> Result<bool, CommandError> {
        let key = last.to_bytes();
        let found = self.cursor.seek(context.pager, Bound::Included(&key))?;
        if !found || self.cursor.key() != key {
            return Err(CommandError::new(
                Code::CappedPositionLost,
                format!(
                    "CollectionScan died due to failure to restore tailable cursor position. Last \
                     seen record id: RecordId({})",
                    last.0
                ),
            ));
        }
        Ok(self.cursor.next(context.pager)?)
    }
}

/// An entry of the tree of records.
#[inline]
fn record<'r>(key: &[u8], document: Document<'r>) -> Record<'r> {
    Record {
        record_id: RecordId::from_bytes(key),
        ..Record::from(document)
    }
}

impl Stage for CollectionScan {
    fn advance(&mut self, context: &ExecContext<'_>) -> Result<bool, CommandError> {
        let found = self.find(context, &mut |_| Ok(false))?;
        if found {
            self.hold(context)?;
        }
        Ok(found)
    }

    fn current(&self) -> Record<'_> {
        let document = self.document.as_deref().map(Document::from_valid_bytes);
        record(self.cursor.key(), document.unwrap_or(Document::EMPTY))
    }

    fn work(&mut self, context: &ExecContext<'_>) -> Result<Progress, CommandError> {
        let progress = self.examine(context)?;
        if progress == Progress::Advanced {
            self.hold(context)?;
        }
        Ok(progress)
    }

    fn visit(
        &mut self,
        context: &ExecContext<'_>,
        visitor: &mut Visitor<'_>,
    ) -> Result<bool, CommandError> {
        let stopped = self.find(context, visitor)?;
        if stopped {
            // Counts the last one as read.
            self.cursor.value_ref(context.pager)?;
        }
        Ok(!stopped)
    }

    fn statistics(&self) -> StageStatistics {
        self.statistics
    }

    fn append_statistics(&self, builder: &mut DocumentBuilder) {
        builder.append_integer("docsExamined", self.documents_examined as i64);
    }

    fn examined(&self) -> (u64, u64) {
        (0, self.documents_examined)
    }

    fn resume(&mut self, collection: &Collection) -> bool {
        if collection.uuid != self.uuid {
            return false;
        }
        if let State::Running = self.state {
            self.last = RecordId::from_bytes(self.cursor.key());
        }
        self.cursor = collection.records.cursor();
        self.state = match self.last {
            Some(last) => State::After(last),
            None => State::Start,
        };
        true
    }
}
