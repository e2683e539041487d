//! Inserting many documents at once: each tree takes all its entries in order.
//!
//! Invariant: all or none. A document that a single insert would refuse makes the whole call answer `false` and change
//! nothing; the caller then inserts one by one, which finds the document, the error and its place.

use super::collection::{Collection, RecordId};
use super::index::KeySet;
use crate::bson::Document;
use crate::error::StorageError;
use crate::storage::accounting::bump;
use crate::storage::{Entry, EntryBuffer, Pager};

/// Fewer documents are inserted one by one.
pub const FEWEST: usize = 8;
/// More documents than this are inserted in several calls: an unlucky one makes no more than these go one by one.
pub const MOST: usize = 16_384;

/// How many keys go into a tree together.
const INSERTED_AT_ONCE: usize = 1 << 16;

/// Bytes of a RecordId at the end of an index key.
const RECORD_ID: usize = 8;

impl Collection {
    /// Inserts documents under the next RecordIds; false, and nothing changed, when one of them may be refused or
    /// has to be inserted for itself.
    ///
    /// # Errors
    /// Storage errors: roll back.
    pub fn insert_documents(
        &mut self,
        pager: &mut Pager,
        documents: &[Document<'_>],
    ) -> Result<bool, StorageError> {
        if documents.len() < FEWEST || !self.options.kind.rules().takes_many() {
            return Ok(false);
        }
        let (records, indexes) = (self.records, self.indexes.clone());
        let before = pager.accounting().counters();
        let savepoint = pager.savepoint();
        if self.insert_entries(pager, documents)? {
            pager.release(savepoint);
            let count = documents.len() as u64;
            self.next_record = RecordId(self.next_record.0 + count);
            return Ok(true);
        }
        pager.rollback_to(savepoint)?;
        pager.accounting().take_back_writes(&before);
        self.records = records;
        self.indexes = indexes;
        Ok(false)
    }

    fn insert_entries(
        &mut self,
        pager: &mut Pager,
        documents: &[Document<'_>],
    ) -> Result<bool, StorageError> {
        let first = self.next_record.0;
        let id_of = |position: usize| RecordId(first + position as u64).to_bytes();
        let mut keys = KeySet::default();
        let mut buffer = EntryBuffer::default();
        // Indexes that may refuse a document go first: unique ones, then the others, whose arrays may be parallel.
        for unique in [true, false] {
            for index in &mut self.indexes {
                if index.definition.guards() != unique {
                    continue;
                }
                buffer.clear();
                keys.foresee(&index.definition);
                for (position, document) in documents.iter().enumerate() {
                    let labelled = index.labelled(pager, *document)?;
                    let made = index.generate_from(*document, labelled.as_ref(), &mut keys);
                    if made.is_err() {
                        return Ok(false);
                    }
                    let id = id_of(position);
                    for (key, bits) in keys.iter() {
                        buffer.push(key, &id, bits);
                    }
                    bump(&pager.accounting().keys_inserted, keys.len() as u64);
                    index.note_multikey(&keys);
                    if keys.is_multikey() {
                        pager.check_room_now()?;
                    }
                }
                let suffix = if unique { RECORD_ID } else { 0 };
                let mut sorted = buffer.sorted();
                while let entries @ [_, ..] = sorted.take(INSERTED_AT_ONCE) {
                    if !index.tree.insert_sorted(pager, entries, suffix)? {
                        return Ok(false);
                    }
                }
            }
        }
        let ids: Vec<[u8; RECORD_ID]> = (0..documents.len()).map(id_of).collect();
        let records: Vec<Entry<'_>> = ids
            .iter()
            .zip(documents)
            .map(|(id, document)| Entry::new(id, document.as_bytes()))
            .collect();
        self.records.insert_sorted(pager, &records, 0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bson::testing::Random;
    use crate::catalog::index::keys::generate;
    use crate::catalog::tests::{Documents, indexes};

    #[test]
    fn keys_are_the_same_whether_they_were_foreseen_or_not() {
        let mut documents = Documents(Random::new(5));
        let (mut foreseen, mut plain) = (KeySet::default(), KeySet::default());
        let mut arrays = 0;
        for definition in indexes() {
            foreseen.foresee(&definition);
            for id in 0..800 {
                let document = documents.document(id);
                let made = generate(&definition, document.as_document(), &mut foreseen);
                let expected = generate(&definition, document.as_document(), &mut plain);
                assert_eq!(made.is_ok(), expected.is_ok(), "{}", definition.name);
                if made.is_err() {
                    continue;
                }
                assert!(foreseen.iter().eq(plain.iter()), "{}", definition.name);
                assert_eq!(foreseen.multikey_paths(), plain.multikey_paths());
                arrays += usize::from(plain.is_multikey());
            }
        }
        assert!(arrays > 0);
    }
}
