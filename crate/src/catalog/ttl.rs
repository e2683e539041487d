//! The TTL monitor: deletes documents whose date, plus the index's seconds, has passed.
//!
//! Manual: core/index-ttl. It runs by the engine's clock, once a minute and when the engine opens. The scan is
//! a range of the TTL index, so an array expires by its earliest date, values that are no dates never
//! expire, and a partial index expires only its own documents. Invariant: one pass deletes a bounded number
//! of documents for each index; a pass that hit the bound is continued before the next command.

use super::collection::{Collection, Index, RecordId};
use super::deployment_catalog::Catalog;
use crate::algorithms::sorting;
use crate::bson::ValueRef;
use crate::env::Env;
use crate::error::{Code, CommandError};
use crate::keycode::{self, TypeBits};
use crate::storage::{Direction, Pager};
use std::ops::Bound;

/// Milliseconds between passes.
pub const PASS_INTERVAL_MILLIS: i64 = 60_000;
/// Documents deleted for one index in one pass.
const DELETES_PER_INDEX: usize = 50_000;

/// The counts of the TTL monitor since the engine was opened.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct TtlStatistics {
    pub deleted_documents: i64,
    pub passes: i64,
    /// When the last complete pass began, by the engine's clock.
    last_pass: Option<i64>,
}

impl Catalog {
    /// Whether a pass is due: none was made yet, a minute has gone by, or the clock was set back.
    pub fn is_ttl_due(&self, now_millis: i64) -> bool {
        self.ttl.last_pass.is_none_or(|last| {
            now_millis < last || now_millis.saturating_sub(last) >= PASS_INTERVAL_MILLIS
        })
    }

    /// Lets the next pass be due a minute later.
    pub fn put_ttl_off(&mut self, now_millis: i64) {
        self.ttl.last_pass = Some(now_millis);
    }
}

/// Runs a pass if one is due; gives the number of documents deleted.
///
/// # Errors
/// Storage errors and those of the checkpoint: roll back.
pub fn delete_expired(
    pager: &mut Pager,
    catalog: &mut Catalog,
    now_millis: i64,
    env: &dyn Env,
) -> Result<u64, CommandError> {
    if !catalog.is_ttl_due(now_millis) {
        return Ok(0);
    }
    let due: Vec<std::rc::Rc<str>> = catalog
        .collections()
        .filter(|collection| {
            collection
                .indexes
                .iter()
                .any(|index| index.definition.expire_after_seconds.is_some())
        })
        .map(|collection| std::rc::Rc::clone(&collection.namespace))
        .collect();
    let mut deleted = 0;
    let mut is_complete = true;
    for namespace in due {
        let Some(collection) = catalog.collection(&namespace) else {
            continue;
        };
        let expired = match expired_records(collection, pager, now_millis, env) {
            // The others' documents expire all the same.
            Err(error) if error.code == Code::DataCorruptionDetected as i32 => continue,
            expired => expired?,
        };
        if expired.is_empty() {
            continue;
        }
        is_complete &= expired.len() < DELETES_PER_INDEX;
        let Some(collection) = catalog.collection_mut(&namespace) else {
            continue;
        };
        deleted += collection.delete_records(pager, &expired, env)?;
    }
    catalog.ttl.deleted_documents += deleted as i64;
    if is_complete {
        catalog.ttl.passes += 1;
        catalog.ttl.last_pass = Some(now_millis);
    }
    Ok(deleted)
}

/// The records that some TTL index of the collection lets expire, at most the bound of each index.
#[inline(never)]
fn expired_records(
    collection: &Collection,
    pager: &Pager,
    now_millis: i64,
    env: &dyn Env,
) -> Result<Vec<RecordId>, CommandError> {
    let mut expired = Vec::new();
    for index in &collection.indexes {
        if let Some(seconds) = index.definition.expire_after_seconds {
            let latest = now_millis.saturating_sub(seconds.saturating_mul(1000));
            collect_until(index, pager, latest, &mut expired, env)?;
        }
    }
    sorting::sort(&mut expired);
    expired.dedup();
    Ok(expired)
}

fn collect_until(
    index: &Index,
    pager: &Pager,
    latest_millis: i64,
    expired: &mut Vec<RecordId>,
    env: &dyn Env,
) -> Result<(), CommandError> {
    let descending = index.definition.leads_descending();
    let key_of = |millis: i64| {
        let mut key = Vec::with_capacity(16);
        keycode::encode(
            ValueRef::DateTime(millis),
            descending,
            &mut key,
            &mut TypeBits::new(),
        );
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
