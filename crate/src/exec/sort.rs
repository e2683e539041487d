//! SORT: collects its input's rows and hands them out in order; with a limit, keeps only the best.
//!
//! Invariant: rows with equal keys keep the order they came in; what is held never exceeds
//! `MEMORY_LIMIT` bytes.

use super::eof::Eof;
use super::row::{Row, RowDocument};
use super::sort_key::SortKeySource;
use super::stage::{ExecContext, Progress, Stage, StageStatistics, advance_input};
use crate::bson::{DocumentBuilder, ValueRef, order};
use crate::catalog::{Collection, RecordId};
use crate::error::{Code, CommandError};
use crate::query::{SortPattern, SortScratch};
use crate::storage::compare::compare;
use std::collections::BinaryHeap;
use std::rc::Rc;

/// How many bytes a blocking sort may hold: the server's default of 100 MiB.
pub const MEMORY_LIMIT: usize = 104_857_600;

struct Entry {
    key: Vec<u8>,
    /// Arrival, so that equal keys stay in order.
    arrival: u64,
    record_id: Option<RecordId>,
    document: RowDocument,
    index_key: Vec<u8>,
    type_bits: Vec<u8>,
}

impl Entry {
    fn bytes(&self) -> usize {
        let document = match &self.document {
            RowDocument::None => 0,
            RowDocument::Stored(bytes) => bytes.len(),
            RowDocument::Built(document) => document.as_bytes().len(),
        };
        document + self.key.len() + self.index_key.len() + 64
    }
}

impl PartialEq for Entry {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other).is_eq()
    }
}

impl Eq for Entry {}

impl PartialOrd for Entry {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Entry {
    fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        compare(&self.key, &other.key).then(self.arrival.cmp(&other.arrival))
    }
}

enum State {
    /// The heap's top is the worst row kept, so that a limit can replace it.
    Collecting(BinaryHeap<Entry>),
    Emitting(std::vec::IntoIter<Entry>),
}

/// A blocking sort.
pub struct Sort {
    input: Box<dyn Stage>,
    pattern: Rc<SortPattern>,
    source: SortKeySource,
    unbounded: bool,
    limit: Option<u64>,
    state: State,
    scratch: Vec<u8>,
    sort_scratch: SortScratch,
    arrivals: u64,
    held_bytes: usize,
    total_bytes: u64,
    statistics: StageStatistics,
}

impl Sort {
    pub fn new(
        input: Box<dyn Stage>,
        pattern: Rc<SortPattern>,
        source: SortKeySource,
        limit: Option<u64>,
        unbounded: bool,
    ) -> Self {
        Self {
            input,
            pattern,
            source,
            unbounded,
            limit,
            state: State::Collecting(BinaryHeap::new()),
            scratch: Vec::new(),
            sort_scratch: SortScratch::default(),
            arrivals: 0,
            held_bytes: 0,
            total_bytes: 0,
            statistics: StageStatistics::default(),
        }
    }

    /// Takes in all rows that are left, where few of them are kept: the others are looked at in place.
    fn collect_few(
        &mut self,
        context: &ExecContext<'_>,
        row: &mut Row,
    ) -> Result<(), CommandError> {
        let nothing: Box<dyn Stage> = Box::<Eof>::default();
        let mut input = std::mem::replace(&mut self.input, nothing);
        let before = input.statistics();
        let mut kept = Row::default();
        // The worst row kept, where a number says all of its key.
        let mut worst: Option<f64> = None;
        let descending = { self.pattern.parts().first() }.is_some_and(|part| part.descending);
        let result = input.visit(context, row, &mut |record_id, document| {
            if let Some(worst) = worst
                && let Some(number) = self.pattern.lone_number(document)
            {
                let is_better = if descending {
                    number > worst
                } else {
                    number < worst
                };
                if !is_better {
                    self.arrivals += 1;
                    return Ok(true);
                }
            }
            self.scratch.clear();
            self.pattern
                .write_key(document, &mut self.sort_scratch, &mut self.scratch)?;
            if self.is_among_the_best() {
                kept.record_id = record_id;
                kept.document = RowDocument::Built(document.to_buf());
                self.take(&mut kept)?;
                worst = self.worst_number();
            }
            Ok(true)
        });
        let after = input.statistics();
        self.input = input;
        result?;
        let units = after.advanced + after.need_time - before.advanced - before.need_time;
        self.statistics.works += units;
        self.statistics.need_time += units;
        Ok(())
    }

    /// The number that the worst row kept sorts by, once there are enough rows and if a number it is.
    fn worst_number(&self) -> Option<f64> {
        let State::Collecting(heap) = &self.state else {
            return None;
        };
        let worst = heap
            .peek()
            .filter(|_| self.limit == Some(heap.len() as u64))?;
        self.pattern.lone_number(worst.document.as_document()?)
    }

    /// Takes one row in.
    fn collect(&mut self, row: &mut Row) -> Result<(), CommandError> {
        self.source.write(
            &self.pattern,
            row,
            &mut self.sort_scratch,
            &mut self.scratch,
        )?;
        if self.is_among_the_best() {
            self.take(row)?;
        }
        Ok(())
    }

    /// Counts a row, whose key lies ready, and answers whether it is to be kept for now.
    fn is_among_the_best(&mut self) -> bool {
        self.arrivals += 1;
        let (State::Collecting(heap), Some(limit)) = (&self.state, self.limit) else {
            return true;
        };
        // A later row with an equal key is worse than any kept one.
        (heap.len() as u64) < limit
            || heap
                .peek()
                .is_some_and(|worst| compare(&self.scratch, &worst.key).is_lt())
    }

    /// Keeps a row, in the place of the worst when there are enough.
    fn take(&mut self, row: &mut Row) -> Result<(), CommandError> {
        let State::Collecting(heap) = &mut self.state else {
            return Ok(());
        };
        if self.limit.is_some_and(|limit| heap.len() as u64 >= limit)
            && let Some(worst) = heap.pop()
        {
            self.held_bytes -= worst.bytes();
        }
        let entry = Entry {
            key: self.scratch.clone(),
            arrival: self.arrivals,
            record_id: row.record_id,
            document: row.take_document(),
            index_key: row.index_key.clone(),
            type_bits: row.type_bits.clone(),
        };
        self.held_bytes += entry.bytes();
        self.total_bytes += entry.bytes() as u64;
        if self.held_bytes > MEMORY_LIMIT && !self.unbounded {
            return Err(CommandError::new(
                Code::QueryExceededMemoryLimitNoDiskUseAllowed,
                format!(
                    "Sort exceeded memory limit of {MEMORY_LIMIT} bytes, but did not opt in to external sorting."
                ),
            ));
        }
        heap.push(entry);
        Ok(())
    }
}

impl Stage for Sort {
    fn work(&mut self, context: &ExecContext<'_>, row: &mut Row) -> Result<Progress, CommandError> {
        let progress = match &mut self.state {
            State::Emitting(entries) => match entries.next() {
                None => Progress::Done,
                Some(entry) => {
                    row.record_id = entry.record_id;
                    row.document = entry.document;
                    row.index_key = entry.index_key;
                    row.type_bits = entry.type_bits;
                    row.sort_key = entry.key;
                    Progress::Advanced
                }
            },
            State::Collecting(heap) => match self.input.work(context, row)? {
                Progress::Done => {
                    let mut rows = std::mem::take(heap).into_vec();
                    order::sort_asking(context.env, &mut rows, &mut Entry::cmp)?;
                    self.state = State::Emitting(rows.into_iter());
                    Progress::NeedTime
                }
                Progress::NeedTime => Progress::NeedTime,
                Progress::Advanced => {
                    self.collect(row)?;
                    Progress::NeedTime
                }
            },
        };
        self.statistics.count(progress);
        if let State::Emitting(entries) = &self.state {
            self.statistics.is_eof |= entries.as_slice().is_empty();
        }
        Ok(progress)
    }

    fn advance(&mut self, context: &ExecContext<'_>, row: &mut Row) -> Result<bool, CommandError> {
        if let State::Collecting(_) = self.state
            && self.limit.is_some()
            && matches!(self.source, SortKeySource::Document)
            // Rows that came by an index carry its key, which is kept with them.
            && self.input.inputs().is_empty()
        {
            self.collect_few(context, row)?;
        }
        while let State::Collecting(_) = self.state
            && advance_input(self.input.as_mut(), &mut self.statistics, context, row)?
        {
            self.collect(row)?;
            self.statistics.count(Progress::NeedTime);
        }
        loop {
            match self.work(context, row)? {
                Progress::Advanced => return Ok(true),
                Progress::NeedTime => {}
                Progress::Done => return Ok(false),
            }
        }
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
        builder.append(
            "totalDataSizeSorted",
            ValueRef::Int64(self.total_bytes as i64),
        );
        builder.append("usedDisk", false);
        builder.append_integer("spills", 0);
        builder.append_integer("spilledDataStorageSize", 0);
    }
}
