//! Capped collections: the oldest documents give way to the newest.
//!
//! Manual: core/capped-collections. RecordIds grow with every insert, so insertion order is key order
//! and a tailable cursor's place is the RecordId it saw last. Invariant: after an insert the documents'
//! bytes and number are within the limits, unless the inserted document alone fills them.

use super::collection::{Collection, RecordId};
use super::options::{CappedLimits, CollectionOptions};
use super::write::WriteScratch;
use crate::bson::Document;
use crate::env::Env;
use crate::error::{Code, CommandError};
use crate::storage::{Direction, Pager};
use std::ops::Bound;

impl Collection {
    /// Whether the documents exceed a capped collection's limits.
    fn exceeds_limits(&self) -> bool {
        self.options.capped.is_some_and(|limits| {
            self.data_size() as i128 > i128::from(limits.size)
                || (limits.max > 0 && self.count() as i128 > i128::from(limits.max))
        })
    }

    /// Drops the oldest documents until the limits hold; never the document `newest`.
    ///
    /// # Errors
    /// Storage errors: roll back.
    pub(super) fn drop_oldest(
        &mut self,
        pager: &mut Pager,
        newest: RecordId,
        scratch: &mut WriteScratch,
    ) -> Result<(), CommandError> {
        while self.exceeds_limits() {
            match self.first_record(pager)? {
                Some(oldest) if oldest < newest => {
                    self.delete_record(pager, oldest, scratch)?;
                }
                _ => break,
            }
        }
        Ok(())
    }

    /// A capped collection with copies of the newest documents of another, in their order, and
    /// only an `_id` index.
    ///
    /// # Errors
    /// Storage errors and errors of `Env::checkpoint`: roll back.
    pub fn capped_copy(
        source: &Collection,
        pager: &mut Pager,
        namespace: &str,
        uuid: [u8; 16],
        limits: CappedLimits,
        env: &dyn Env,
    ) -> Result<Self, CommandError> {
        let options = CollectionOptions {
            capped: Some(limits),
            others: source.options.others.clone(),
            collation: source.options.collation.clone(),
            clustered: None,
        };
        let mut copy = Self::new(namespace, uuid, options);
        copy.plant(pager)?;
        let mut scratch = WriteScratch::default();
        // Only the newest documents that fit are copied; the others would be dropped at once.
        let (mut first, mut bytes) = (source.next_record, 0);
        let mut cursor = source.records.cursor();
        let mut on_entry = cursor.last(pager)?;
        while on_entry {
            env.checkpoint()?;
            bytes += cursor.value_ref(pager)?.len() as i64;
            if bytes > limits.size {
                break;
            }
            first = RecordId::from_bytes(cursor.key()).unwrap_or(first);
            on_entry = cursor.prev(pager)?;
        }
        let start = first.to_bytes();
        let mut range = source.records.range(
            Bound::Included(&start),
            Bound::Unbounded,
            Direction::Forward,
        );
        while range.next(pager)? {
            env.checkpoint()?;
            let document = range.value_ref(pager)?.into_owned();
            copy.insert_document(pager, Document::from_valid_bytes(&document), &mut scratch)?;
        }
        Ok(copy)
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
