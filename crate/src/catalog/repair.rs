//! Repairing a damaged collection: records that can be read are kept, and its indexes are built from them.
//!
//! New trees are made of the readable entries; the pages of the old ones are given back afterwards, by a sweep over the
//! whole page space (`Survey::free_unmet`). Invariant: the reply names each record that is dropped, with its page.

use super::collection::{Collection, Index, RecordId};
use super::index::KeySet;
use crate::bson::{self, Document};
use crate::env::Env;
use crate::error::{CommandError, StorageFault};
use crate::storage::{LeafEntries, Loss, PageNumber, Pager, Survey, Tree};
use std::rc::Rc;

/// The report on a repaired collection.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Repair {
    /// Documents that were found below lost branches.
    pub recovered: u64,
    /// Records that were dropped although their place is known: not BSON, or not to be read from their pages.
    pub removed_records: u64,
    /// The indexes that were built anew.
    pub rebuilt: Vec<String>,
}

impl Repair {}

/// A record's key, and the bytes of its document.
pub(super) type KeyedDocument = (Vec<u8>, Vec<u8>);

/// Leaves that no tree reaches, where documents of a lost branch may be.
#[derive(Debug, Clone, Copy)]
pub struct Orphans<'a> {
    pub leaves: &'a [PageNumber],
    /// No other collection misses records, so every orphan leaf that holds records can only be of this one.
    pub is_only_claimant: bool,
}

/// The leaves below each page that a survey did not reach and that nothing else refers to.
///
/// # Errors
/// Pages that are not resident, and errors of `Env::checkpoint`.
pub fn orphan_trees(
    survey: &mut Survey<'_>,
    pager: &Pager,
) -> Result<Vec<Vec<PageNumber>>, CommandError> {
    let roots = survey.orphans(pager).into_iter();
    roots
        .map(|root| Ok(survey.orphan(pager, root)?.leaves))
        .collect()
}

impl Collection {
    /// Mends the faults that `check_pairing` finds. The pages of the old trees stay in use until they are swept up.
    ///
    /// # Errors
    /// Pages that are not resident; 11000 when documents that were adopted clash; errors of writing. Roll back.
    pub fn repair(
        &mut self,
        pager: &mut Pager,
        orphans: Orphans<'_>,
        env: &dyn Env,
    ) -> Result<Repair, CommandError> {
        let pairing = self.check_pairing(pager, env)?;
        let mut repair = Repair::default();
        if pairing.is_valid() {
            return Ok(repair);
        }
        let are_records_damaged = !pairing.errors.is_empty();
        if are_records_damaged {
            self.rebuild_records(pager, orphans, &mut repair, env)?;
        }
        for position in 0..self.indexes.len() {
            if are_records_damaged || !pairing.indexes[position].errors.is_empty() {
                self.rebuild_index(pager, position, &mut repair, env)?;
            }
        }
        Ok(repair)
    }

    fn rebuild_records(
        &mut self,
        pager: &mut Pager,
        orphans: Orphans<'_>,
        repair: &mut Repair,
        env: &dyn Env,
    ) -> Result<(), CommandError> {
        let reach = Survey::new(pager, env).tree(pager, &self.records)?;
        let mut records = Tree::new();
        records.plant(pager)?;
        for leaf in reach.leaves {
            let mut entries = LeafEntries::of(leaf);
            while let Some(entry) = entries.next(pager)? {
                env.checkpoint()?;
                match (RecordId::from_bytes(&entry.key), entry.value) {
                    (Some(_), Ok(document)) if bson::validate(&document).is_ok() => {
                        records.put(pager, &entry.key, &document)?;
                    }
                    _ => repair.removed_records += 1,
                }
            }
        }
        for leaf in orphans.leaves {
            env.checkpoint()?;
            for (key, document) in self.adoptable(pager, *leaf, &reach.losses, orphans)? {
                repair.recovered += u64::from(records.insert(pager, &key, &document)?);
            }
        }
        self.records = records;
        self.next_record = self.next_record.max(self.next_free_record(pager)?);
        Ok(())
    }

    /// The RecordId behind the last record.
    pub(super) fn next_free_record(&self, pager: &Pager) -> Result<RecordId, CommandError> {
        let last = self.last_record(pager)?;
        Ok(RecordId(last.map_or(0, |last| last.0) + 1))
    }

    /// The documents of an orphaned leaf that this collection misses, with their keys.
    pub(super) fn adoptable(
        &self,
        pager: &Pager,
        leaf: PageNumber,
        losses: &[Loss],
        orphans: Orphans<'_>,
    ) -> Result<Vec<KeyedDocument>, CommandError> {
        let mut adoptable = Vec::new();
        if losses.is_empty() {
            return Ok(adoptable);
        }
        let mut keys = KeySet::default();
        let mut entries = LeafEntries::of(leaf);
        while let Some(entry) = entries.next(pager)? {
            let Ok(document) = entry.value else { continue };
            let is_missed = losses.iter().any(|loss| loss.covers(&entry.key));
            if RecordId::from_bytes(&entry.key).is_none()
                || !is_missed
                || bson::validate(&document).is_err()
            {
                continue;
            }
            let is_ours = self.is_known(pager, &entry.key, &document, &mut keys)?;
            if is_ours.unwrap_or(orphans.is_only_claimant) {
                adoptable.push((entry.key, document));
            }
        }
        Ok(adoptable)
    }

    /// Whether the `_id` index leads from a document's `_id` to this record; `None` where the index cannot be read.
    fn is_known(
        &self,
        pager: &Pager,
        record: &[u8],
        document: &[u8],
        keys: &mut KeySet,
    ) -> Result<Option<bool>, CommandError> {
        let index = self.id_index();
        let document = Document::from_valid_bytes(document);
        if index.generate(pager, document, keys).is_err() {
            return Ok(None);
        }
        let Some((key, _)) = keys.iter().next() else {
            return Ok(Some(false));
        };
        match index.tree.contains(pager, &[key, record].concat()) {
            Ok(is_there) => Ok(Some(is_there)),
            Err(error) if matches!(error.fault(), StorageFault::NotResident { .. }) => {
                Err(error.into())
            }
            Err(_) => Ok(None),
        }
    }

    /// Builds all indexes anew, in the place of sound ones.
    ///
    /// # Errors
    /// Storage errors and errors of `Env::checkpoint`: roll back.
    pub fn rebuild_indexes(
        &mut self,
        pager: &mut Pager,
        env: &dyn Env,
    ) -> Result<(), CommandError> {
        for position in 0..self.indexes.len() {
            self.indexes[position].tree.drop_tree(pager)?;
            self.indexes[position].labels.drop_tree(pager)?;
            self.rebuild_index(pager, position, &mut Repair::default(), env)?;
        }
        Ok(())
    }

    /// Builds an index from the documents.
    fn rebuild_index(
        &mut self,
        pager: &mut Pager,
        position: usize,
        repair: &mut Repair,
        env: &dyn Env,
    ) -> Result<(), CommandError> {
        let definition = Rc::clone(&self.indexes[position].definition);
        let mut index = Index::new(definition);
        index.tree.plant(pager)?;
        if !self.records.is_empty() {
            self.fill_index(pager, &mut index, env)?;
        }
        repair.rebuilt.push(index.name().to_owned());
        self.indexes[position] = index;
        Ok(())
    }
}
