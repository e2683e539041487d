//! FETCH over an IXSCAN of one run of keys, or a COUNT_SCAN of one, as a single stage: keys are read ahead, and their
//! documents looked up together. `{qty: {$gte: 5}}` with the index `{qty: 1}` is such a run: all keys from 5 on.
//!
//! Invariant: it gives the rows of those stages in their order, and counts a key and its document when it gives the
//! row, so that keys read ahead do not count when the reader stops.

use super::record::{Record, Visitor};
use super::stage::{ExecContext, Progress, Stage, StageStatistics};
use crate::bson::Document;
use crate::catalog::plan_cache::KeyRead;
use crate::catalog::{Collection, RecordId};
use crate::error::CommandError;
use crate::storage::accounting::bump;
use crate::storage::{Direction, PageBytes, RangeCursor, Tree};
use std::ops::Bound;
use std::rc::Rc;

/// How many keys are read ahead for a reader that does not say how many rows it wants.
const AHEAD: u64 = 64;
/// The most keys that are read ahead for a reader that says how many rows it wants.
const MOST_AHEAD: u64 = 1024;

/// A RecordId as the records' keys have it.
type RecordKey = [u8; 8];

/// A run of an index's keys with their documents.
pub struct RangeRead {
    collection: Rc<Collection>,
    range: RangeCursor,
    reads_documents: bool,
    /// How many more keys are in the read's limit; `None`: all.
    limit: Option<u64>,
    /// How many more rows the reader is known to want.
    wanted: u64,
    /// Records whose keys were read ahead, and how many of them were given.
    ahead: Vec<RecordKey>,
    given: usize,
    /// The current record's document.
    document: Option<PageBytes>,
    statistics: StageStatistics,
}

impl RangeRead {
    /// `wanted`: how many rows the reader wants at once, if it knows.
    pub fn new(
        collection: &Rc<Collection>,
        tree: &Tree,
        read: KeyRead,
        wanted: Option<u64>,
    ) -> Self {
        let start = Bound::Included(read.start);
        let end = read.end.map_or(Bound::Unbounded, Bound::Excluded);
        let direction = match read.access.is_backward {
            true => Direction::Backward,
            false => Direction::Forward,
        };
        Self {
            collection: Rc::clone(collection),
            range: tree.range_of(start, end, direction),
            reads_documents: read.access.reads_documents,
            limit: read.limit,
            wanted: wanted.unwrap_or(0),
            ahead: Vec::new(),
            given: 0,
            document: None,
            statistics: StageStatistics::default(),
        }
    }

    /// Reads the next keys ahead, once all before are given; false when there are none.
    fn read_ahead(&mut self, context: &ExecContext<'_>) -> Result<bool, CommandError> {
        self.ahead.clear();
        self.given = 0;
        let most = match self.wanted {
            0 => AHEAD,
            wanted => wanted.min(MOST_AHEAD),
        };
        self.wanted = self.wanted.saturating_sub(most);
        let most = self.limit.map_or(most, |limit| limit.min(most));
        while (self.ahead.len() as u64) < most {
            context.env.checkpoint()?;
            if !self.range.next(context.pager)? {
                break;
            }
            self.ahead.extend(self.range.key().last_chunk::<8>());
        }
        let read = self.ahead.len() as u64;
        self.limit = self.limit.map(|limit| limit - read);
        Ok(read > 0)
    }

    /// Gives records that were read ahead, until the visitor has enough; whether it wants more.
    fn give(
        &mut self,
        context: &ExecContext<'_>,
        visitor: &mut Visitor<'_>,
    ) -> Result<bool, CommandError> {
        let keys = self.ahead.get(self.given..).unwrap_or_default();
        let (mut taken, mut documents, mut more) = (0, 0, true);
        let accounting = context.pager.accounting();
        if self.reads_documents {
            let key = &|position: usize| keys[position].as_slice();
            let found = &mut |position: usize, bytes: &[u8]| {
                if more {
                    more = visitor(&record(&keys[position], Some(bytes)))?;
                    taken = position + 1;
                    documents += 1;
                }
                Ok::<_, CommandError>(())
            };
            let records = &self.collection.records;
            records.get_each(context.pager, keys.len(), key, found)?;
            bump(&accounting.documents_examined, documents);
        } else {
            for key in keys {
                taken += 1;
                more = visitor(&record(key, None))?;
                if !more {
                    break;
                }
            }
            documents = taken as u64;
        }
        if more {
            taken = keys.len();
        }
        bump(&accounting.keys_examined, taken as u64);
        self.given += taken;
        self.statistics.works += taken as u64;
        self.statistics.advanced += documents;
        Ok(more)
    }
}

/// A record and its document, if that is read.
#[inline]
fn record<'r>(key: &RecordKey, bytes: Option<&'r [u8]>) -> Record<'r> {
    Record {
        document: bytes.map(Document::from_valid_bytes),
        record_id: RecordId::from_bytes(key),
        ..Record::default()
    }
}

impl Stage for RangeRead {
    fn advance(&mut self, context: &ExecContext<'_>) -> Result<bool, CommandError> {
        while self.given < self.ahead.len() || self.read_ahead(context)? {
            let record = self.ahead[self.given];
            self.given += 1;
            bump(&context.pager.accounting().keys_examined, 1);
            if self.reads_documents {
                self.document = self.collection.records.get(context.pager, &record)?;
                if self.document.is_none() {
                    // Indexes and records are of one snapshot, so this is a key without a record.
                    continue;
                }
                bump(&context.pager.accounting().documents_examined, 1);
            }
            self.statistics.count(Progress::Advanced);
            return Ok(true);
        }
        self.statistics.count(Progress::Done);
        Ok(false)
    }

    fn current(&self) -> Record<'_> {
        let key = { self.given.checked_sub(1) }.and_then(|at| self.ahead.get(at));
        key.map_or_else(Record::default, |key| record(key, self.document.as_deref()))
    }

    fn visit(
        &mut self,
        context: &ExecContext<'_>,
        visitor: &mut Visitor<'_>,
    ) -> Result<bool, CommandError> {
        loop {
            if self.given == self.ahead.len() && !self.read_ahead(context)? {
                self.statistics.count(Progress::Done);
                return Ok(true);
            }
            if !self.give(context, visitor)? {
                return Ok(false);
            }
        }
    }

    fn statistics(&self) -> StageStatistics {
        StageStatistics {
            // A limit is known to be reached at its last row. The end of the keys is known one step later.
            is_eof: self.statistics.is_eof
                || (self.limit == Some(0) && self.given == self.ahead.len()),
            ..self.statistics
        }
    }

    fn examined(&self) -> (u64, u64) {
        let documents = match self.reads_documents {
            true => self.statistics.advanced,
            false => 0,
        };
        (self.statistics.advanced, documents)
    }
}
