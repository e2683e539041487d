//! IXSCAN: the keys of an index inside some bounds, in the index's order, forward or backward.
//!
//! Invariant: each record is given once even when several of its keys are inside (a multikey
//! index; a single value is a record's key at most once); every key looked at is counted, also one that
//! only told where to seek next.

use super::index_key;
use super::key_ranges::{KeyRanges, Verdict};
use super::record::{IndexKey, Record};
use super::record_set::RecordSet;
use super::stage::{
    ExecContext, Progress, Stage, StageStatistics, advance_by_work, append_duplicates,
};
use crate::bson::DocumentBuilder;
use crate::catalog::RecordId;
use crate::error::CommandError;
use crate::plan::{IndexFacts, IndexScanPlan};
use crate::query::Matcher;
use crate::storage::accounting::bump;
use crate::storage::{Cursor, Tree};
use std::ops::Bound;
use std::rc::Rc;

/// The bytes a RecordId takes at the end of every index key.
pub const RECORD_ID_LENGTH: usize = 8;

enum Position {
    /// Seek here first: `None` is the tree's own end.
    Seek(Option<Vec<u8>>),
    /// The cursor is on a key already given: step.
    Step,
    Done,
}

/// A cursor over an index that stays inside bounds.
pub struct BoundedCursor {
    cursor: Cursor,
    ranges: KeyRanges,
    forward: bool,
    position: Position,
    target: Vec<u8>,
    pub keys_examined: u64,
    pub seeks: u64,
}

impl BoundedCursor {
    pub fn new(tree: &Tree, scan: &IndexScanPlan) -> Self {
        let forward = scan.direction.is_forward();
        let ranges = KeyRanges::encode(&scan.bounds, forward);
        let position = if ranges.is_empty() {
            Position::Done
        } else {
            Position::Seek(ranges.first().map(<[u8]>::to_vec))
        };
        Self {
            cursor: tree.cursor(),
            ranges,
            forward,
            position,
            target: Vec::new(),
            keys_examined: 0,
            seeks: 0,
        }
    }

    /// Moves to the next key looked at: `Advanced` when it is inside, `NeedTime` when it only told
    /// where to go on.
    pub fn advance(&mut self, context: &ExecContext<'_>) -> Result<Progress, CommandError> {
        context.env.checkpoint()?;
        let pager = context.pager;
        let found = match &self.position {
            Position::Done => return Ok(Progress::Done),
            Position::Step if self.forward => self.cursor.next(pager)?,
            Position::Step => self.cursor.prev(pager)?,
            Position::Seek(target) => {
                self.seeks += 1;
                match (target, self.forward) {
                    (Some(bytes), true) => self.cursor.seek(pager, Bound::Included(bytes))?,
                    (None, true) => self.cursor.first(pager)?,
                    (Some(bytes), false) => self.cursor.seek_back(pager, Bound::Excluded(bytes))?,
                    (None, false) => self.cursor.last(pager)?,
                }
            }
        };
        if !found {
            self.position = Position::Done;
            return Ok(Progress::Done);
        }
        let mut target = std::mem::take(&mut self.target);
        let verdict = self.ranges.judge(self.components(), &mut target)?;
        self.target = target;
        Ok(self.act_on(verdict, context))
    }

    fn act_on(&mut self, verdict: Verdict, context: &ExecContext<'_>) -> Progress {
        let progress = match verdict {
            Verdict::Inside => {
                self.position = Position::Step;
                Progress::Advanced
            }
            Verdict::Seek => {
                self.position = Position::Seek(Some(std::mem::take(&mut self.target)));
                Progress::NeedTime
            }
            Verdict::Done => {
                self.position = Position::Done;
                return Progress::Done;
            }
        };
        self.keys_examined += 1;
        bump(&context.pager.accounting().keys_examined, 1);
        progress
    }

    /// Skips to the first key beyond every key that starts with this prefix.
    pub fn skip_prefix(&mut self, prefix: &[u8]) {
        self.position = if self.forward {
            match super::key_ranges::successor(prefix) {
                Some(bytes) => Position::Seek(Some(bytes)),
                None => Position::Done,
            }
        } else {
            Position::Seek(Some(prefix.to_vec()))
        };
    }

    /// The current key's encoded components.
    pub fn components(&self) -> &[u8] {
        let key = self.cursor.key();
        &key[..key.len().saturating_sub(RECORD_ID_LENGTH)]
    }

    /// The current key's RecordId.
    pub fn record_id(&self) -> Option<RecordId> {
        let key = self.cursor.key();
        RecordId::from_bytes(key.get(key.len().checked_sub(RECORD_ID_LENGTH)?..)?)
    }

    /// Copies the current key's type bits.
    pub fn read_type_bits(
        &self,
        context: &ExecContext<'_>,
        type_bits: &mut Vec<u8>,
    ) -> Result<(), CommandError> {
        type_bits.clear();
        type_bits.extend_from_slice(&self.cursor.value_ref(context.pager)?);
        Ok(())
    }

    /// The current entry, with its key where its type bits were read.
    pub fn record<'r>(&'r self, type_bits: Option<&'r [u8]>) -> Record<'r> {
        Record {
            record_id: self.record_id(),
            key: type_bits.map(|type_bits| IndexKey {
                components: self.components(),
                type_bits,
            }),
            ..Record::default()
        }
    }
}

/// An index scan.
pub struct IndexScan {
    cursor: BoundedCursor,
    index: Rc<IndexFacts>,
    filter: Option<Rc<Matcher>>,
    /// Whether the records carry their keys.
    with_keys: bool,
    type_bits: Vec<u8>,
    is_multikey: bool,
    /// Records already given, kept only where a record may have several keys inside.
    seen: Option<RecordSet>,
    tested: u64,
    dropped: u64,
    statistics: StageStatistics,
}

impl IndexScan {
    /// `with_keys`: whether a stage above reads the keys.
    pub fn new(tree: &Tree, scan: &IndexScanPlan, with_keys: bool) -> Self {
        let is_multikey = scan.index.is_multikey;
        let is_point = scan.bounds.leading_points() == scan.bounds.fields.len();
        Self {
            cursor: BoundedCursor::new(tree, scan),
            with_keys: with_keys || scan.filter.is_some(),
            type_bits: Vec::new(),
            is_multikey: is_multikey || scan.repeats,
            index: Rc::clone(&scan.index),
            filter: scan.filter.clone(),
            seen: ((is_multikey || scan.repeats) && !is_point).then(RecordSet::default),
            tested: 0,
            dropped: 0,
            statistics: StageStatistics::default(),
        }
    }

    fn accept(&mut self, context: &ExecContext<'_>) -> Result<Progress, CommandError> {
        self.tested += u64::from(self.is_multikey);
        if let Some(seen) = &mut self.seen
            && let Some(record_id) = self.cursor.record_id()
            && !seen.insert(record_id)
        {
            self.dropped += 1;
            return Ok(Progress::NeedTime);
        }
        if !self.with_keys {
            return Ok(Progress::Advanced);
        }
        self.cursor.read_type_bits(context, &mut self.type_bits)?;
        if let Some(filter) = &self.filter
            && let Some(key) = self.current().key
        {
            let key = index_key::decode_nested(key, &self.index.fields)?;
            if !filter.matches(key.as_document(), context.env)? {
                return Ok(Progress::NeedTime);
            }
        }
        Ok(Progress::Advanced)
    }
}

impl Stage for IndexScan {
    fn advance(&mut self, context: &ExecContext<'_>) -> Result<bool, CommandError> {
        advance_by_work(self, context)
    }

    #[inline]
    fn current(&self) -> Record<'_> {
        self.cursor
            .record(self.with_keys.then_some(&*self.type_bits))
    }

    fn work(&mut self, context: &ExecContext<'_>) -> Result<Progress, CommandError> {
        let mut progress = self.cursor.advance(context)?;
        if progress == Progress::Advanced {
            progress = self.accept(context)?;
        }
        self.statistics.count(progress);
        Ok(progress)
    }

    fn statistics(&self) -> StageStatistics {
        self.statistics
    }

    fn append_statistics(&self, builder: &mut DocumentBuilder) {
        builder.append_integer("keysExamined", self.cursor.keys_examined as i64);
        builder.append_integer("seeks", self.cursor.seeks as i64);
        append_duplicates(builder, self.tested, self.dropped);
    }

    fn examined(&self) -> (u64, u64) {
        match self.index.is_clustered {
            // Nothing but the documents holds these keys, as far as anybody can see.
            true => (0, 0),
            false => (self.cursor.keys_examined, 0),
        }
    }
}
