//! SORT and `$sort`: takes in all records of its input and hands them out in order; with a limit, keeps only the best.
//!
//! Follows the manual's "Sort Query Results" and "$sort (aggregation)" pages. Invariant: records with equal keys keep
//! the order they came in. A record is looked at in place: it is copied only if it may be among the best.

use super::memory::append_no_spills;
use super::record::{IndexKey, Record};
use super::sort_key::SortKeySource;
use super::sorter::{Memory, Pushed, Sorter};
use super::stage::{ExecContext, Progress, Stage, StageStatistics, advance_by_work};
use crate::bson::{Document, DocumentBuilder, extend};
use crate::catalog::{Collection, RecordId};
use crate::env::Env;
use crate::error::CommandError;
use crate::expr::Carried;
use crate::query::SortPattern;
use std::rc::Rc;

/// The parts of a record that are kept beside its document.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Keeps {
    /// The record's metadata for `$meta`: a stage of a pipeline.
    Metadata,
    RecordId,
    /// The RecordId and the index key; there may be no document yet.
    IndexKey,
}

/// How a sort is asked for.
pub struct Sorting {
    pub pattern: Rc<SortPattern>,
    pub source: SortKeySource,
    pub keeps: Keeps,
    pub limit: Option<u64>,
    pub memory: Memory,
    /// The metadata that `$meta` reads.
    pub metadata: Carried,
}

/// A blocking sort.
pub struct Sort {
    input: Box<dyn Stage>,
    rows: Rows,
    /// Whether all of the input is taken in and in order.
    is_sorted: bool,
    /// How many records were given.
    given: usize,
    statistics: StageStatistics,
}

/// The records that were taken in.
struct Rows {
    sorter: Sorter,
    pattern: Rc<SortPattern>,
    source: SortKeySource,
    keeps: Keeps,
    limit: usize,
    /// Whether the first field is sorted by from the highest value down.
    descending: bool,
    /// The number that the worst record kept sorts by, once there are enough and if a number it is.
    worst: Option<f64>,
    documents_bytes: u64,
    total_bytes: u64,
}

impl Rows {
    /// Whether a record's number alone says that it is not among the best.
    #[inline]
    fn is_beyond(&self, record: &Record<'_>) -> bool {
        let Some(worst) = self.worst else {
            return false;
        };
        let Some(number) = self.pattern.lone_number(record.document()) else {
            return false;
        };
        let is_better = match self.descending {
            true => number > worst,
            false => number < worst,
        };
        !is_better
    }

    /// Takes one record in.
    fn take(&mut self, record: &Record<'_>, env: &dyn Env) -> Result<(), CommandError> {
        let document = record.document();
        let decoded = self.source.decode(record)?;
        let by = decoded.as_ref().map_or(document, |key| key.as_document());
        let (keeps, before) = (self.keeps, self.sorter.held());
        let pushed = self
            .sorter
            .push(Some(&self.pattern), by, self.limit, env, |bytes| {
                write(keeps, record, bytes);
            })?;
        match pushed {
            Pushed::Dropped => return Ok(()),
            Pushed::Kept => self.total_bytes += (self.sorter.held() - before) as u64,
            Pushed::Trimmed => self.find_worst(),
        }
        self.documents_bytes += document.as_bytes().len() as u64;
        Ok(())
    }

    /// Looks at the worst of the records that are left after the others were dropped.
    #[cold]
    #[inline(never)]
    fn find_worst(&mut self) {
        let last = self.limit.checked_sub(1);
        let row = last.and_then(|last| self.sorter.row(last));
        let document = row.and_then(|row| read(self.keeps, row).1);
        self.worst = match self.source {
            SortKeySource::Document => {
                document.and_then(|bytes| self.pattern.lone_number(first_document(bytes)))
            }
            SortKeySource::IndexKey(_) => None,
        };
    }
}

/// Appends the bytes kept of a record: those that go before the document, and the document.
fn write(keeps: Keeps, record: &Record<'_>, bytes: &mut Vec<u8>) {
    if keeps != Keeps::Metadata {
        let record_id = record.record_id.map_or(u64::MAX, |record_id| record_id.0);
        bytes.extend_from_slice(&record_id.to_le_bytes());
    }
    if keeps == Keeps::IndexKey {
        let key = record.key.unwrap_or(IndexKey::EMPTY);
        for part in [key.components, key.type_bits] {
            bytes.extend_from_slice(&(part.len() as u32).to_le_bytes());
            bytes.extend_from_slice(part);
        }
    }
    if let Some(document) = record.document {
        extend(bytes, document.as_bytes());
    }
}

/// The record that was kept, without its document, and the bytes of its document and its metadata.
fn read(keeps: Keeps, mut bytes: &[u8]) -> (Record<'_>, Option<&[u8]>) {
    let mut record = Record::default();
    if keeps != Keeps::Metadata
        && let Some((record_id, rest)) = bytes.split_first_chunk()
    {
        let record_id = u64::from_le_bytes(*record_id);
        record.record_id = (record_id != u64::MAX).then_some(RecordId(record_id));
        bytes = rest;
    }
    if keeps == Keeps::IndexKey {
        let [components, type_bits] = [(); 2].map(|()| {
            let Some((length, rest)) = bytes.split_first_chunk() else {
                return &[] as &[u8];
            };
            let length = u32::from_le_bytes(*length) as usize;
            let (part, rest) = rest.split_at_checked(length).unwrap_or_default();
            bytes = rest;
            part
        });
        record.key = Some(IndexKey {
            components,
            type_bits,
        });
    }
    (record, (!bytes.is_empty()).then_some(bytes))
}

/// The document that bytes begin with.
fn first_document(bytes: &[u8]) -> Document<'_> {
    let length = bytes
        .first_chunk()
        .map_or(0, |length| u32::from_le_bytes(*length));
    Document::from_valid_bytes(bytes.get(..length as usize).unwrap_or(bytes))
}

impl Sort {
    pub fn new(input: Box<dyn Stage>, sorting: Sorting) -> Self {
        Self {
            input,
            rows: Rows {
                descending: { sorting.pattern.parts().first() }.is_some_and(|part| part.descending),
                sorter: Sorter::new(sorting.memory, &sorting.metadata),
                pattern: sorting.pattern,
                source: sorting.source,
                keeps: sorting.keeps,
                limit: sorting.limit.map_or(usize::MAX, |limit| {
                    usize::try_from(limit).unwrap_or(usize::MAX)
                }),
                worst: None,
                documents_bytes: 0,
                total_bytes: 0,
            },
            is_sorted: false,
            given: 0,
            statistics: StageStatistics::default(),
        }
    }

    fn put_in_order(&mut self, context: &ExecContext<'_>) -> Result<(), CommandError> {
        self.rows.sorter.sort(self.rows.limit, context.env)?;
        self.is_sorted = true;
        self.statistics.count(Progress::NeedTime);
        Ok(())
    }

    /// Gives the next record of all.
    fn give(&mut self) -> Progress {
        let count = self.rows.sorter.len();
        let progress = match self.given < count {
            true => Progress::Advanced,
            false => Progress::Done,
        };
        self.given += usize::from(progress == Progress::Advanced);
        self.statistics.count(progress);
        self.statistics.is_eof |= self.given == count;
        progress
    }
}

impl Stage for Sort {
    fn advance(&mut self, context: &ExecContext<'_>) -> Result<bool, CommandError> {
        if !self.is_sorted {
            let (rows, env) = (&mut self.rows, context.env);
            let before = self.input.statistics();
            let mut taken = 0;
            self.input.visit(context, &mut |record| {
                taken += 1;
                if !rows.is_beyond(record) {
                    rows.take(record, env)?;
                }
                Ok(true)
            })?;
            let idle = self.input.statistics().need_time - before.need_time;
            self.statistics.count_idle(taken + idle);
            self.put_in_order(context)?;
        }
        advance_by_work(self, context)
    }

    fn current(&self) -> Record<'_> {
        let row = self.given.checked_sub(1);
        let Some(row) = row.and_then(|at| self.rows.sorter.row(at)) else {
            return Record::default();
        };
        let (record, document) = read(self.rows.keeps, row);
        Record {
            document: document.map(|bytes| self.rows.sorter.go_back(bytes)),
            ..record
        }
    }

    fn work(&mut self, context: &ExecContext<'_>) -> Result<Progress, CommandError> {
        if self.is_sorted {
            return Ok(self.give());
        }
        match self.input.work(context)? {
            Progress::Done => self.put_in_order(context)?,
            progress => {
                if progress == Progress::Advanced {
                    let record = self.input.current();
                    if !self.rows.is_beyond(&record) {
                        self.rows.take(&record, context.env)?;
                    }
                }
                self.statistics.count(Progress::NeedTime);
            }
        }
        Ok(Progress::NeedTime)
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
        match self.rows.keeps {
            Keeps::Metadata => {
                let bytes = self.rows.documents_bytes as i64;
                builder.append("totalDataSizeSortedBytesEstimate", bytes);
                append_no_spills(builder);
            }
            _ => {
                builder
                    .append("totalDataSizeSorted", self.rows.total_bytes as i64)
                    .append("usedDisk", false)
                    .append_integer("spills", 0)
                    .append_integer("spilledDataStorageSize", 0);
            }
        }
    }
}
