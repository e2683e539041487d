//! How the documents of a capped collection give way: the oldest to the newest.
//!
//! Manual: core/capped-collections. The kind itself is `collections/capped.rs`. RecordIds grow with every insert, so insertion order is key order
//! and a tailable cursor's place is the RecordId it saw last. Invariant: after an insert the documents'
//! bytes and number are within the limits, unless the inserted document alone fills them.

use super::collection::{Collection, RecordId};
use super::collections::CappedLimits;
use super::options::CollectionOptions;
use crate::env::Env;
use crate::error::{Code, CommandError, StorageError};
use crate::storage::Pager;

impl Collection {
    /// Whether the documents exceed a capped collection's limits.
    fn exceeds_limits(&self) -> bool {
        self.options.kind.limits().is_some_and(|limits| {
            self.data_size() as i128 > i128::from(limits.size)
                || (limits.max > 0 && self.count() as i128 > i128::from(limits.max))
        })
    }

    /// The oldest document, where the limits do not hold and it is not the document `newest`: it is to be dropped.
    ///
    /// # Errors
    /// Storage errors.
    pub fn oldest_beyond_limits(
        &self,
        pager: &Pager,
        newest: RecordId,
    ) -> Result<Option<RecordId>, StorageError> {
        match self.exceeds_limits() {
            true => Ok(self.first_record(pager)?.filter(|oldest| *oldest < newest)),
            false => Ok(None),
        }
    }

    /// An empty capped collection that is otherwise as another one, with only an `_id` index and without a page yet.
    pub fn capped_like(
        source: &Collection,
        namespace: &str,
        uuid: [u8; 16],
        limits: CappedLimits,
    ) -> Self {
        let options = CollectionOptions {
            kind: limits.into(),
            others: source.options.others.clone(),
            collation: source.options.collation.clone(),
        };
        Self::new(namespace, uuid, options)
    }

    /// The RecordId from which on the documents, up to the newest, take at most `most_bytes` together. A
    /// capped collection of that size would drop the documents before it at once.
    ///
    /// # Errors
    /// Storage errors and errors of `Env::checkpoint`.
    pub fn newest_within(
        &self,
        pager: &Pager,
        most_bytes: i64,
        env: &dyn Env,
    ) -> Result<RecordId, CommandError> {
        let (mut first, mut bytes) = (self.next_record, 0);
        let mut cursor = self.records.cursor();
        let mut on_entry = cursor.last(pager)?;
        while on_entry {
            env.checkpoint()?;
            bytes += cursor.value_ref(pager)?.len() as i64;
            if bytes > most_bytes {
                break;
            }
            first = RecordId::from_bytes(cursor.key()).unwrap_or(first);
            on_entry = cursor.prev(pager)?;
        }
        Ok(first)
    }

    /// Checks that a cursor of a capped collection may go on after the document it saw last.
    ///
    /// # Errors
    /// 136 `CappedPositionLost` when that document was overwritten since.
    pub fn check_capped_position(
        &self,
        pager: &Pager,
        last_seen: RecordId,
    ) -> Result<(), CommandError> {
        let lost = match self.first_record(pager)? {
            Some(oldest) => {
                last_seen < oldest
                    && self
                        .records
                        .get_ref(pager, &last_seen.to_bytes())?
                        .is_none()
            }
            None => true,
        };
        if lost {
            return Err(CommandError::new(
                Code::CappedPositionLost,
                format!(
                    "CollectionScan died due to position in capped collection being deleted. Last seen record id: \
                     RecordId({})",
                    last_seen.0
                ),
            ));
        }
        Ok(())
    }
}
