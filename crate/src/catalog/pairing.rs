//! Whether a collection's indexes hold exactly the keys of its documents: the second half of `validate`.
//!
//! Every key that a document should have is looked up, and the number of keys found is compared with
//! the number the index holds; together that is a pairing in both directions.

use super::collection::{Collection, RecordId};
use super::index_keys::KeySet;
use crate::bson::{self, Document};
use crate::error::CommandError;
use crate::storage::Pager;

/// What was found in one index.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct IndexPairing {
    pub name: String,
    /// Keys the index holds.
    pub keys: u64,
    /// One line for each fault, worded for a person.
    pub errors: Vec<String>,
}

/// What was found in one collection.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Pairing {
    pub records: u64,
    /// Records that are not valid BSON.
    pub invalid_records: u64,
    pub indexes: Vec<IndexPairing>,
    pub errors: Vec<String>,
}

impl Pairing {
    pub fn is_valid(&self) -> bool {
        self.errors.is_empty() && self.indexes.iter().all(|index| index.errors.is_empty())
    }
}

/// Faults listed for each index; more are only counted.
const MAX_LISTED: usize = 20;

impl Collection {
    /// Checks every document against every index.
    ///
    /// # Errors
    /// What the page space says; faults of pairing are not errors but findings.
    pub fn check_pairing(&self, pager: &Pager) -> Result<Pairing, CommandError> {
        let mut pairing = Pairing {
            records: 0,
            invalid_records: 0,
            indexes: self
                .indexes
                .iter()
                .map(|index| IndexPairing {
                    name: index.name().to_owned(),
                    keys: index.tree.len(),
                    errors: Vec::new(),
                })
                .collect(),
            errors: Vec::new(),
        };
        let mut expected = vec![0_u64; self.indexes.len()];
        let mut keys = KeySet::default();
        let mut wanted = Vec::new();
        let mut cursor = self.records.cursor();
        let mut on_entry = cursor.first(pager)?;
        while on_entry {
            pairing.records += 1;
            let bytes = cursor.value_ref(pager)?;
            let id = RecordId::from_bytes(cursor.key());
            if id.is_none_or(|id| id >= self.next_record) {
                pairing
                    .errors
                    .push("a record's id was not given out yet".to_owned());
            }
            if bson::validate(&bytes).is_err() {
                pairing.invalid_records += 1;
                pairing.errors.push(format!(
                    "record {} is not valid BSON",
                    id.map_or(0, |id| id.0)
                ));
            } else {
                for (position, index) in self.indexes.iter().enumerate() {
                    let document = Document::from_valid_bytes(&bytes);
                    index.generate(pager, document, &mut keys)?;
                    expected[position] += keys.len() as u64;
                    let found = &mut pairing.indexes[position].errors;
                    for (key, bits) in keys.iter() {
                        wanted.clear();
                        wanted.extend_from_slice(key);
                        wanted.extend_from_slice(cursor.key());
                        let stored = index.tree.get_ref(pager, &wanted)?;
                        if stored.as_deref() != Some(bits) && found.len() < MAX_LISTED {
                            found.push(format!(
                                "the key of record {} is {}",
                                id.map_or(0, |id| id.0),
                                if stored.is_some() {
                                    "stored with other type bits"
                                } else {
                                    "missing"
                                },
                            ));
                        }
                    }
                    if index.is_news(&keys) {
                        found.push("a document has an array the index does not know of".to_owned());
                    }
                }
            }
            on_entry = cursor.next(pager)?;
        }
        for (index, expected) in pairing.indexes.iter_mut().zip(expected) {
            if index.keys != expected {
                index.errors.push(format!(
                    "the index holds {} keys, the documents have {expected}",
                    index.keys
                ));
            }
        }
        for (index, found) in self.indexes.iter().zip(&mut pairing.indexes) {
            found.errors.extend(index.check_labels(pager)?);
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
}
