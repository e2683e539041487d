//! Deleting many documents at once: each tree is swept once instead of being searched for every key.
//!
//! Invariant: the entries left are exactly those that deleting the documents one by one leaves, in other pages perhaps.

use super::collection::{Collection, RecordId};
use super::write::WriteScratch;
use crate::env::Env;
use crate::error::{CommandError, StorageError};
use crate::storage::accounting::bump;
use crate::storage::{NumberSet, Pager};

/// A search and removal of one entry costs about as much as reading so many entries in a sweep.
const SWEPT_FOR_ONE: u64 = 32;
/// Fewer documents are not worth packing pages anew.
const FEWEST: usize = 32;

impl Collection {
    /// Deletes the documents of these records, and says how many there were.
    ///
    /// # Errors
    /// Storage errors and errors of `Env::checkpoint`: roll back.
    pub fn delete_records(
        &mut self,
        pager: &mut Pager,
        ids: &[RecordId],
        env: &dyn Env,
    ) -> Result<u64, CommandError> {
        let many = ids.len() >= FEWEST && ids.len() as u64 * SWEPT_FOR_ONE >= self.count();
        if many && let Some(gone) = NumberSet::of(ids.iter().map(|id| id.0)) {
            return self.sweep(pager, &gone, env);
        }
        let mut scratch = WriteScratch::default();
        let mut deleted = 0;
        for id in ids {
            env.checkpoint()?;
            deleted += u64::from(self.delete_record(pager, *id, &mut scratch)?);
        }
        Ok(deleted)
    }

    fn sweep(
        &mut self,
        pager: &mut Pager,
        gone: &NumberSet,
        env: &dyn Env,
    ) -> Result<u64, CommandError> {
        let deleted = self.records.sweep(pager, gone, true, env)?;
        for (position, index) in self.indexes.iter_mut().enumerate() {
            if self.records.is_empty() {
                bump(&pager.accounting().keys_deleted, index.tree.len());
                index.tree.drop_tree(pager)?;
                index.tree.plant(pager)?;
                index.labels.drop_tree(pager)?;
                continue;
            }
            let removed = index.tree.sweep(pager, gone, false, env)?;
            bump(&pager.accounting().keys_deleted, removed);
            // A sweep does not miss a key that is not there, but the first index has one of each document.
            if position == 0 && removed != deleted && !index.definition.sparse {
                let reason = "the _id index lacks a key of a deleted record; run validate";
                return Err(StorageError::broken(reason.to_owned()).into());
            }
        }
        Ok(deleted)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bson::Document;
    use crate::bson::testing::Random;
    use crate::catalog::CollectionOptions;
    use crate::catalog::tests::{Documents, indexes};
    use crate::env::NoEnv;
    use crate::storage::Tree;

    fn entries(pager: &Pager, tree: &Tree) -> Vec<(Vec<u8>, Vec<u8>)> {
        let mut found = Vec::new();
        let mut cursor = tree.cursor();
        while cursor.next(pager).expect("readable") {
            let value = cursor.value(pager).expect("readable");
            found.push((cursor.key().to_vec(), value.to_vec()));
        }
        found
    }

    #[test]
    fn a_sweep_leaves_what_one_by_one_leaves() {
        for seed in 0..12 {
            let mut documents = Documents(Random::new(seed));
            let mut pager = Pager::new();
            let mut swept = Collection::new("d.c", [1; 16], CollectionOptions::default());
            for definition in indexes() {
                swept
                    .build_index(&mut pager, definition, &NoEnv)
                    .expect("built over nothing");
            }
            let mut scratch = WriteScratch::default();
            let mut ids = Vec::new();
            for id in 0..1500 {
                let document = documents.document(id);
                // Some are refused: a unique key, parallel arrays.
                let bytes = document.as_document().as_bytes();
                let document = Document::from_valid_bytes(bytes);
                ids.extend(swept.insert_document(&mut pager, document, &mut scratch));
            }
            assert!(ids.len() > 500, "{} documents", ids.len());
            let share = [2, 5, 20][seed as usize % 3];
            ids.retain(|_| documents.below(share) == 0);
            if seed == 11 {
                ids = (1..=swept.next_record.0).map(RecordId).collect();
            }
            if seed % 2 == 0 {
                pager.seal().expect("nothing is open");
            }
            let point = pager.savepoint();
            let mut single = swept.clone();
            let mut deleted = 0;
            for id in &ids {
                let found = single.delete_record(&mut pager, *id, &mut scratch);
                deleted += u64::from(found.expect("the pages are sound"));
            }
            let expected: Vec<_> = single
                .indexes
                .iter()
                .map(|index| entries(&pager, &index.tree))
                .collect();
            let records = entries(&pager, &single.records);
            pager.rollback_to(point).expect("rolls back");
            let counted = swept.delete_records(&mut pager, &ids, &NoEnv);
            assert_eq!(counted.expect("the pages are sound"), deleted);
            assert!(records == entries(&pager, &swept.records), "seed {seed}");
            assert_eq!(records.is_empty(), seed == 11);
            for (index, expected) in swept.indexes.iter().zip(&expected) {
                assert!(
                    entries(&pager, &index.tree) == *expected,
                    "{}",
                    index.name()
                );
            }
            let pairing = swept
                .check_pairing(&pager, &NoEnv)
                .expect("the pages are sound");
            assert!(pairing.is_valid(), "{pairing:?}");
        }
    }

    #[test]
    fn a_record_without_its_id_key_is_noticed() {
        let mut documents = Documents(Random::new(3));
        let mut pager = Pager::new();
        let mut collection = Collection::new("d.c", [1; 16], CollectionOptions::default());
        let mut scratch = WriteScratch::default();
        let mut ids = Vec::new();
        for id in 0..100 {
            let document = documents.document(id);
            let inserted =
                collection.insert_document(&mut pager, document.as_document(), &mut scratch);
            ids.push(inserted.expect("nothing refuses it"));
        }
        let (key, _) = entries(&pager, &collection.indexes[0].tree).remove(7);
        let removed = collection.indexes[0].tree.remove(&mut pager, &key);
        assert_eq!(removed, Ok(true));
        ids.pop();
        assert!(collection.delete_records(&mut pager, &ids, &NoEnv).is_err());
    }
}
