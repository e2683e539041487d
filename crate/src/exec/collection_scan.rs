//! COLLSCAN: all documents of a collection in record order, forward or backward.
//!
//! A tailable scan can be resumed: it goes on after the last record it gave. Invariant: records of
//! a capped collection are in insertion order, so that is where newer ones are.

use super::row::{Row, RowDocument};
use super::stage::{ExecContext, Progress, Stage, StageStatistics};
use crate::bson::DocumentBuilder;
use crate::catalog::{Collection, RecordId};
use crate::error::{Code, CommandError};
use crate::planner::plan::Direction;
use crate::query::Matcher;
use crate::storage::Cursor;
use crate::storage::accounting::bump;
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
            documents_examined: 0,
            statistics: StageStatistics::default(),
        }
    }

    fn step(&mut self, context: &ExecContext<'_>) -> Result<bool, CommandError> {
        let pager = context.pager;
        let forward = self.direction.is_forward();
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

impl Stage for CollectionScan {
    fn work(&mut self, context: &ExecContext<'_>, row: &mut Row) -> Result<Progress, CommandError> {
        context.check_deadline()?;
        let progress = if self.step(context)? {
            self.documents_examined += 1;
            bump(&context.pager.accounting().documents_examined, 1);
            row.record_id = RecordId::from_bytes(self.cursor.key());
            self.last = row.record_id;
            row.document = RowDocument::Stored(self.cursor.value(context.pager)?);
            let matched = match (&self.filter, row.document()) {
                (Some(filter), Some(document)) => filter.matches(document, context.env)?,
                _ => true,
            };
            if matched {
                Progress::Advanced
            } else {
                Progress::NeedTime
            }
        } else {
            Progress::Done
        };
        self.statistics.count(progress);
        Ok(progress)
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

    fn resume(&mut self, collection: &Collection) {
        self.cursor = collection.records.cursor();
        self.state = match self.last {
            Some(last) => State::After(last),
            None => State::Start,
        };
    }
}
