//! Whether a collection's indexes hold exactly the keys of its documents: the second half of `validate`.
//!
//! Every key that a document should have is looked up, and the number of keys found is compared with
//! the number the index holds; together that is a pairing in both directions. Invariant: damaged pages are findings,
//! with the records and keys concerned, and never end the check.

use super::collection::{Collection, Index, RecordId};
use super::duplicate_key::key_value;
use super::index::KeySet;
use crate::bson::{self, Document, DocumentBuf};
use crate::env::Env;
use crate::error::{CommandError, StorageError, StorageFault};
use crate::storage::{LeafEntries, Loss, Pager, Reach, Survey};

/// The findings in one index.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct IndexPairing {
    pub name: String,
    /// Keys the index holds.
    pub keys: u64,
    /// One line for each fault, worded for a person.
    pub errors: Vec<String>,
}

/// A record without its index key, or an index key without its record.
#[derive(Debug, Clone, PartialEq)]
pub struct Unpaired {
    pub index: String,
    pub record: u64,
    /// The key's values under the names of the index's fields, where the key can be read.
    pub key: Option<DocumentBuf>,
}

/// The findings in one collection.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Pairing {
    pub records: u64,
    /// Records that are not valid BSON, or cannot be read from their pages.
    pub corrupt_records: Vec<u64>,
    pub indexes: Vec<IndexPairing>,
    pub errors: Vec<String>,
    /// Records whose key an index lacks; at most `MAX_LISTED` an index.
    pub missing: Vec<Unpaired>,
    /// Keys whose record is lost; at most `MAX_LISTED` an index.
    pub extra: Vec<Unpaired>,
}

impl Pairing {
    pub fn is_valid(&self) -> bool {
        self.errors.is_empty() && self.indexes.iter().all(|index| index.errors.is_empty())
    }
}

/// Faults listed for each index; more are only counted.
const MAX_LISTED: usize = 20;

/// Which records a lost page held, in words.
fn worded(loss: &Loss, collection: &Collection) -> String {
    let id = |key: &Option<Vec<u8>>| key.as_deref().and_then(RecordId::from_bytes);
    let from = id(&loss.from).unwrap_or(RecordId::FIRST);
    let to = id(&loss.to).unwrap_or(collection.next_record);
    loss.worded(from.0, to.0.saturating_sub(1))
}

/// The words of an error that means damage. An error that asks for a page is passed on.
fn damage(error: CommandError) -> Result<String, CommandError> {
    match error.missing_page {
        Some(_) => Err(error),
        None => Ok(error.message.clone()),
    }
}

/// Whether an error is no damage of the pages: a page is to be loaded first, or the command is to end.
fn ends_walk(error: &StorageError) -> bool {
    matches!(
        error.fault(),
        StorageFault::NotResident { .. } | StorageFault::Stopped { .. }
    )
}

impl Collection {
    /// Checks every document against every index.
    ///
    /// # Errors
    /// Pages that are not resident, and errors of `Env::checkpoint`; faults of pairing and damaged pages are not errors
    /// but findings.
    pub fn check_pairing(&self, pager: &Pager, env: &dyn Env) -> Result<Pairing, CommandError> {
        let mut survey = Survey::new(pager, env);
        let reach = survey.tree(pager, &self.records)?;
        let mut pairing = Pairing::default();
        for loss in &reach.losses {
            pairing.errors.push(worded(loss, self));
        }
        for index in &self.indexes {
            let mut errors = Vec::new();
            for tree in [&index.tree, &index.labels] {
                for loss in survey.tree(pager, tree)?.losses {
                    errors.push(format!("page {} is lost: {}", loss.page, loss.reason));
                }
            }
            pairing.indexes.push(IndexPairing {
                name: index.name().to_owned(),
                keys: index.tree.len(),
                errors,
            });
        }
        let expected = self.pair_records(pager, &reach, &mut pairing, env)?;
        for (index, expected) in pairing.indexes.iter_mut().zip(expected) {
            if index.keys != expected {
                index.errors.push(format!(
                    "the index holds {} keys, the documents have {expected}",
                    index.keys
                ));
            }
        }
        for (position, index) in self.indexes.iter().enumerate() {
            match index.check_labels(pager, env) {
                Ok(found) => pairing.indexes[position].errors.extend(found),
                Err(error) if ends_walk(&error) => return Err(error.into()),
                // The survey named the page.
                Err(_) => {}
            }
            if !pairing.indexes[position].errors.is_empty() || !pairing.errors.is_empty() {
                self.find_extra(pager, index, &mut pairing.extra, env)?;
            }
        }
        if pairing.records != self.count() {
            pairing.errors.push(format!(
                "{} records are counted, {} were found",
                self.count(),
                pairing.records
            ));
        }
        Ok(pairing)
    }

    /// Looks for the keys of every record that can be read; gives how many keys each index should hold.
    fn pair_records(
        &self,
        pager: &Pager,
        reach: &Reach,
        pairing: &mut Pairing,
        env: &dyn Env,
    ) -> Result<Vec<u64>, CommandError> {
        let mut expected = vec![0_u64; self.indexes.len()];
        let mut keys = KeySet::default();
        for leaf in &reach.leaves {
            let mut entries = LeafEntries::of(*leaf);
            while let Some(entry) = entries.next(pager)? {
                env.checkpoint()?;
                pairing.records += 1;
                let id = RecordId::from_bytes(&entry.key);
                if id.is_none_or(|id| id >= self.next_record) {
                    pairing
                        .errors
                        .push("a record's id was not given out yet".to_owned());
                }
                let number = id.map_or(0, |id| id.0);
                let bytes = match &entry.value {
                    Ok(bytes) if bson::validate(bytes).is_ok() => bytes,
                    unreadable => {
                        pairing.corrupt_records.push(number);
                        pairing.errors.push(match unreadable {
                            Ok(_) => format!("record {number} is not valid BSON"),
                            Err(loss) => worded(loss, self),
                        });
                        continue;
                    }
                };
                let document = Document::from_valid_bytes(bytes);
                for (position, expected) in expected.iter_mut().enumerate() {
                    let place = (position, number, &entry.key[..]);
                    *expected += self.pair_one(pager, place, document, &mut keys, pairing)?;
                }
            }
        }
        Ok(expected)
    }

    /// Looks for one record's keys in one index: (position of the index, record, the record's key). Gives how many
    /// there should be.
    fn pair_one(
        &self,
        pager: &Pager,
        (position, number, record): (usize, u64, &[u8]),
        document: Document<'_>,
        keys: &mut KeySet,
        pairing: &mut Pairing,
    ) -> Result<u64, CommandError> {
        let index = &self.indexes[position];
        let found = &mut pairing.indexes[position].errors;
        if let Err(error) = index.generate(pager, document, keys) {
            let reason = damage(error)?;
            if found.len() < MAX_LISTED {
                found.push(format!("the keys of record {number}: {reason}"));
            }
            return Ok(0);
        }
        let mut wanted = Vec::new();
        for (key, bits) in keys.iter() {
            wanted.clear();
            wanted.extend_from_slice(key);
            wanted.extend_from_slice(record);
            let fault = match index.tree.get_ref(pager, &wanted) {
                Ok(Some(stored)) if *stored == *bits => continue,
                Ok(Some(_)) => "stored with other type bits".to_owned(),
                Ok(None) => "missing".to_owned(),
                Err(error) => damage(error.into())?,
            };
            if found.len() < MAX_LISTED {
                found.push(format!("the key of record {number} is {fault}"));
                pairing.missing.push(Unpaired {
                    index: index.name().to_owned(),
                    record: number,
                    key: key_value(&index.definition, key, bits).ok(),
                });
            }
        }
        if index.is_news(keys) {
            found.push("a document has an array the index does not know of".to_owned());
        }
        Ok(keys.len() as u64)
    }

    /// The keys of an index that lead to no record: they tell some fields of a lost document.
    fn find_extra(
        &self,
        pager: &Pager,
        index: &Index,
        extra: &mut Vec<Unpaired>,
        env: &dyn Env,
    ) -> Result<(), CommandError> {
        let reach = Survey::new(pager, env).tree(pager, &index.tree)?;
        let mut listed = 0;
        for leaf in reach.leaves {
            let mut entries = LeafEntries::of(leaf);
            while let Some(entry) = entries.next(pager)? {
                env.checkpoint()?;
                let Some(id) = RecordId::from_index_key(&entry.key) else {
                    continue;
                };
                match self.read(pager, id) {
                    Ok(Some(_)) => continue,
                    Err(error) if ends_walk(&error) => return Err(error.into()),
                    _ => {}
                }
                let key = &entry.key[..entry.key.len() - id.to_bytes().len()];
                let bits = entry.value.unwrap_or_default();
                extra.push(Unpaired {
                    index: index.name().to_owned(),
                    record: id.0,
                    key: key_value(&index.definition, key, &bits).ok(),
                });
                listed += 1;
                if listed == MAX_LISTED {
                    return Ok(());
                }
            }
        }
        Ok(())
    }
}
