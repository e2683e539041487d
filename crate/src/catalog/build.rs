//! Adding and removing indexes; building one over the documents that are there.
//!
//! A build collects all keys, sorts them and appends them in order, so that pages fill up.

use super::collection::{Collection, Index};
use super::duplicate_key::duplicate_key_error;
use super::index_keys::{self, KeySet};
use super::index_spec::{IndexDefinition, MAX_INDEXES};
use crate::bson::Document;
use crate::error::{Code, CommandError};
use crate::storage::Pager;
use std::rc::Rc;

/// Where one collected key and its type bits lie.
#[derive(Clone, Copy)]
struct Collected {
    start: usize,
    key_length: u32,
    bits_length: u32,
}

impl Collection {
    /// Builds an index over the documents there are and adds it. Conflicts were checked before
    /// (`check_new_index`).
    ///
    /// # Errors
    /// 11000 `DuplicateKey`, 171 `CannotIndexParallelArrays`. Storage errors: roll back.
    pub fn build_index(
        &mut self,
        pager: &mut Pager,
        definition: IndexDefinition,
    ) -> Result<(), CommandError> {
        let mut index = Index::new(Rc::new(definition));
        self.fill_index(pager, &mut index)?;
        self.indexes.push(index);
        Ok(())
    }

    /// Whether an index like this one exists already.
    ///
    /// # Errors
    /// 85, 86, and 67 when there are 64 indexes already.
    pub fn check_new_index(&self, definition: &IndexDefinition) -> Result<bool, CommandError> {
        let by_name = |index: &&Index| index.definition.name == definition.name;
        let others = self
            .indexes
            .iter()
            .filter(|index| index.definition.name != definition.name);
        for index in self.indexes.iter().filter(by_name).chain(others) {
            if definition.conflict_with(&index.definition)? {
                return Ok(true);
            }
        }
        if self.indexes.len() >= MAX_INDEXES {
            return Err(CommandError::new(
                Code::CannotCreateIndex,
                format!(
                    "add index fails, too many indexes for {} key:{}",
                    self.namespace,
                    definition.key.as_document()
                ),
            ));
        }
        Ok(false)
    }

    fn fill_index(&self, pager: &mut Pager, index: &mut Index) -> Result<(), CommandError> {
        let mut bytes = Vec::new();
        let mut collected = Vec::with_capacity(self.count() as usize);
        let mut keys = KeySet::default();
        let mut cursor = self.records.cursor();
        let mut on_entry = cursor.first(pager)?;
        while on_entry {
            let document = cursor.value_ref(pager)?;
            index_keys::generate(
                &index.definition,
                Document::from_valid_bytes(&document),
                &mut keys,
            )?;
            for (key, bits) in keys.iter() {
                let start = bytes.len();
                bytes.extend_from_slice(key);
                bytes.extend_from_slice(cursor.key());
                let key_length = (bytes.len() - start) as u32;
                bytes.extend_from_slice(bits);
                collected.push(Collected {
                    start,
                    key_length,
                    bits_length: bits.len() as u32,
                });
            }
            index.note_multikey(keys.is_multikey(), keys.multikey_paths());
            on_entry = cursor.next(pager)?;
        }
        let key_of =
            |entry: &Collected| &bytes[entry.start..entry.start + entry.key_length as usize];
        let bits_of = |entry: &Collected| {
            let start = entry.start + entry.key_length as usize;
            &bytes[start..start + entry.bits_length as usize]
        };
        collected.sort_unstable_by(|left, right| key_of(left).cmp(key_of(right)));
        if index.definition.unique {
            let value_of = |entry: &Collected| {
                let key = key_of(entry);
                &key[..key.len() - 8]
            };
            for pair in collected.windows(2) {
                if value_of(&pair[0]) == value_of(&pair[1]) {
                    return Err(duplicate_key_error(
                        &self.namespace,
                        index,
                        value_of(&pair[1]),
                        bits_of(&pair[1]),
                    ));
                }
            }
        }
        for entry in &collected {
            index.tree.put(pager, key_of(entry), bits_of(entry))?;
        }
        Ok(())
    }

    /// Removes an index and gives its pages back; false when there is none of that name.
    ///
    /// # Errors
    /// Storage errors: roll back.
    pub fn drop_index(&mut self, pager: &mut Pager, name: &str) -> Result<bool, CommandError> {
        let Some(position) = self.indexes.iter().position(|index| index.name() == name) else {
            return Ok(false);
        };
        let mut index = self.indexes.remove(position);
        index.tree.drop_tree(pager)?;
        Ok(true)
    }

    /// Replaces an index's definition by one that indexes the same keys (another expiry, hidden or not).
    pub fn redefine_index(&mut self, name: &str, change: impl FnOnce(&mut IndexDefinition)) {
        if let Some(index) = self.indexes.iter_mut().find(|index| index.name() == name) {
            let mut definition = (*index.definition).clone();
            change(&mut definition);
            index.definition = Rc::new(definition);
        }
    }
}
