//! The TTL monitor: finds documents whose date, plus the index's seconds, has passed.
//!
//! Manual: core/index-ttl. `state::Writer::delete_expired` deletes them, by the engine's clock, once a minute and when
//! the engine opens. The scan is a range of the TTL index, so an array expires by its earliest date, values that are no
//! dates never expire, and a partial index expires only its own documents. Invariant: one pass deletes a bounded number
//! of documents for each index; a pass that hit the bound is continued before the next command.

use super::collection::{Collection, Index, RecordId};
use super::deployment_catalog::Catalog;
use super::series::options::id_at;
use crate::algorithms::sorting;
use crate::bson::ValueRef;
use crate::env::Env;
use crate::error::CommandError;
use crate::keycode::{self, TypeBits};
use crate::storage::{Direction, Pager};
use std::ops::Bound;
use std::rc::Rc;

/// Documents deleted for one index in one pass.
pub const DELETES_PER_INDEX: usize = 50_000;

/// The counts of the TTL monitor since the engine was opened.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct TtlStatistics {
    pub deleted_documents: i64,
    pub passes: i64,
    /// When the last complete pass began, by the engine's clock.
    last_pass: Option<i64>,
}

impl Catalog {
    /// Whether a pass is due: none was made yet, the time between two has gone by, or the clock was set back.
    pub fn is_ttl_due(&self, now_millis: i64, every_millis: i64) -> bool {
        self.ttl
            .last_pass
            .is_none_or(|last| now_millis < last || now_millis.saturating_sub(last) >= every_millis)
    }

    /// Lets the next pass be due as late as after one.
    pub fn put_ttl_off(&mut self, now_millis: i64) {
        self.ttl.last_pass = Some(now_millis);
    }

    /// Counts a TTL pass and the documents that the pass `deleted`. A pass that is not complete goes on before the next
    /// command.
    pub fn note_ttl_pass(&mut self, deleted: u64, is_complete: bool, now_millis: i64) {
        self.ttl.deleted_documents += deleted as i64;
        if is_complete {
            self.ttl.passes += 1;
            self.ttl.last_pass = Some(now_millis);
        }
    }

    /// Goes back to the counts before a pass that was undone.
    pub fn undo_ttl_pass(&mut self, before: TtlStatistics) {
        self.ttl = before;
    }
}

/// The collections that have a TTL index.
pub fn expiring(catalog: &Catalog) -> Vec<Rc<str>> {
    let has_expiry = |collection: &&Rc<Collection>| {
        let mut indexes = collection.indexes.iter();
        indexes.any(|index| index.definition.expire_after_seconds.is_some())
    };
    { catalog.collections().filter(has_expiry) }
        .map(|collection| Rc::clone(&collection.namespace))
        .collect()
}

/// The records that some TTL index of the collection lets expire, at most the bound of each index.
///
/// # Errors
/// Storage errors and those of the checkpoint.
#[inline(never)]
pub fn expired_records(
    collection: &Collection,
    pager: &Pager,
    now_millis: i64,
    env: &dyn Env,
) -> Result<Vec<RecordId>, CommandError> {
    let mut expired = Vec::new();
    for index in &collection.indexes {
        if let Some(seconds) = index.definition.expire_after_seconds {
            let buckets = collection.options.kind.buckets();
            // A bucket goes as a whole: its last measurement may be a span younger than its beginning.
            let span = buckets.map_or(0, |series| series.span);
            let latest =
                now_millis.saturating_sub(seconds.saturating_add(span).saturating_mul(1000));
            let by_id = buckets.is_some() && index.definition.is_id_index();
            collect_until((index, by_id), pager, latest, &mut expired, env)?;
        }
    }
    sorting::sort(&mut expired);
    expired.dedup();
    Ok(expired)
}

fn collect_until(
    (index, by_id): (&Index, bool),
    pager: &Pager,
    latest_millis: i64,
    expired: &mut Vec<RecordId>,
    env: &dyn Env,
) -> Result<(), CommandError> {
    let descending = index.definition.leads_descending();
    let key_of = |millis: i64| {
        let mut key = Vec::with_capacity(16);
        let value = match by_id {
            // Times before those of ObjectIds are the earliest of them.
            true => ValueRef::ObjectId(id_at(millis, millis >= 0)),
            false => ValueRef::DateTime(millis),
        };
        keycode::encode(value, descending, &mut key, &mut TypeBits::new());
        key
    };
    let (mut start, mut end) = (key_of(i64::MIN), key_of(latest_millis));
    if descending {
        std::mem::swap(&mut start, &mut end);
    }
    keycode::append_successor(&mut end);
    let direction = if descending {
        Direction::Backward
    } else {
        Direction::Forward
    };
    let mut range = index
        .tree
        .range(Bound::Included(&start), Bound::Excluded(&end), direction);
    let bound = expired.len() + DELETES_PER_INDEX;
    while expired.len() < bound && range.next(pager)? {
        env.checkpoint()?;
        expired.extend(RecordId::from_index_key(range.key()));
    }
    Ok(())
}
