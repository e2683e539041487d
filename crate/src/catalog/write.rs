//! Inserting, updating and deleting one document, with its index keys.
//!
//! Invariant: a refused document (keys, uniqueness) leaves every tree with the entries it had, so that the
//! documents before it stay without a rollback.

use super::collection::{Collection, RecordId};
use super::duplicate_key::duplicate_key_error;
use super::index::IndexDefinition;
use super::index::KeySet;
use super::index::overlap::overlap;
use crate::bson::Document;
use crate::error::{Code, CommandError, StorageError};
use crate::storage::accounting::bump;
use crate::storage::{Located, Pager, Tree};
use std::ops::Bound;

/// Buffers that writing documents reuses. One a command is enough.
#[derive(Debug, Default)]
pub struct WriteScratch {
    /// The new document's keys, an index each.
    new: Vec<KeySet>,
    /// The old document's keys, an index each.
    old: Vec<KeySet>,
    key: Vec<u8>,
    /// Positions of the indexes that an update affects.
    affected: Vec<usize>,
    pub(super) document: Vec<u8>,
}

/// The paths an update changed: only indexes over one of them are looked at.
#[derive(Debug, Default, Clone, PartialEq)]
pub struct ModifiedPaths {
    paths: Vec<ModifiedPath>,
    /// The document was replaced: any path may differ.
    is_whole: bool,
}

#[derive(Debug, Clone, PartialEq)]
struct ModifiedPath {
    /// Dotted, without the array positions that are not known yet.
    names: Box<str>,
    /// The same with `$`, `$[]` and `$[item]` in it, where it has some.
    written: Option<Box<str>>,
    /// Only appends items to an array.
    appends: bool,
}

impl ModifiedPaths {
    /// Any path: the document was replaced.
    pub const WHOLE: Self = Self {
        paths: Vec::new(),
        is_whole: true,
    };

    /// Adds a dotted path that an update set, removed or renamed.
    pub fn push(&mut self, names: &str, written: Option<&str>, appends: bool) {
        if !self.paths.iter().any(|known| &*known.names == names) {
            self.paths.push(ModifiedPath {
                names: names.into(),
                written: written.map(Into::into),
                appends,
            });
        }
    }

    /// Whether the document was replaced.
    pub fn is_whole(&self) -> bool {
        self.is_whole
    }

    /// The paths as they were written, and whether each only appends items to an array.
    pub fn written(&self) -> impl Iterator<Item = (&str, bool)> {
        { self.paths.iter() }
            .map(|path| (path.written.as_deref().unwrap_or(&path.names), path.appends))
    }

    /// Whether a change may touch the index: one path is a prefix of the other, array positions
    /// left out of account.
    pub fn affects(&self, definition: &IndexDefinition) -> bool {
        if definition.partial.is_some() || self.is_whole {
            return true;
        }
        let rules = definition.kind.rules();
        if self.paths.iter().any(|path| rules.reads_path(&path.names)) {
            return true;
        }
        definition.fields.iter().any(|field| {
            self.paths
                .iter()
                .any(|path| overlap(&path.names, &field.path))
        })
    }
}

impl Collection {
    /// Inserts a document under the next RecordId and returns that. A capped collection may be beyond its limits then:
    /// the oldest documents are dropped by the caller (`oldest_beyond_limits`).
    ///
    /// # Errors
    /// 11000 `DuplicateKey`, 171 `CannotIndexParallelArrays`, 2 for a document larger than a capped
    /// collection; nothing was changed then. Storage errors: roll back.
    pub fn insert_document(
        &mut self,
        pager: &mut Pager,
        document: Document<'_>,
        scratch: &mut WriteScratch,
    ) -> Result<RecordId, CommandError> {
        let bytes = document.as_bytes();
        self.check_capped_size(bytes.len())?;
        scratch.new.resize_with(self.indexes.len(), KeySet::default);
        let mut has_new_strings = false;
        for (index, keys) in self.indexes.iter().zip(&mut scratch.new) {
            has_new_strings |= index.generate(pager, document, keys)?;
        }
        if has_new_strings {
            self.label_new_strings(pager, document, scratch)?;
        }
        let id = self.next_record;
        let id_bytes = id.to_bytes();
        // Unique indexes go first: one that refuses leaves only their keys to take out again.
        self.insert_unique(pager, &id_bytes, scratch)?;
        self.next_record = RecordId(id.0 + 1);
        self.records.insert(pager, &id_bytes, bytes)?;
        for (index, keys) in self.indexes.iter_mut().zip(&scratch.new) {
            if !index.definition.guards() {
                for (key, bits) in keys.iter() {
                    add_key(
                        pager,
                        &mut index.tree,
                        &mut scratch.key,
                        key,
                        bits,
                        &id_bytes,
                    )?;
                }
            }
            index.note_multikey(keys);
        }
        let added = scratch.new.iter().map(KeySet::len).sum::<usize>();
        bump(&pager.accounting().keys_inserted, added as u64);
        Ok(id)
    }

    /// Makes the keys of a document with strings that have no label yet: gives them one, once nothing refuses the
    /// document any more.
    #[inline(never)]
    fn label_new_strings(
        &mut self,
        pager: &mut Pager,
        document: Document<'_>,
        scratch: &mut WriteScratch,
    ) -> Result<(), CommandError> {
        for (index, keys) in self.indexes.iter().zip(&scratch.new) {
            if index.definition.guards() {
                for (key, bits) in keys.iter() {
                    if !check_unique(pager, &index.tree, key, None)? {
                        return Err(duplicate_key_error(&self.namespace, index, key, bits));
                    }
                }
            }
        }
        for (index, keys) in self.indexes.iter_mut().zip(&mut scratch.new) {
            if !index.definition.collation.is_simple() {
                let labelled = index.labelled(pager, document)?;
                index.generate_from(document, labelled.as_ref(), keys)?;
            }
        }
        Ok(())
    }

    /// Adds the keys of all unique indexes, or none.
    fn insert_unique(
        &mut self,
        pager: &mut Pager,
        id: &[u8; 8],
        scratch: &mut WriteScratch,
    ) -> Result<(), CommandError> {
        let WriteScratch { new, key, .. } = scratch;
        for position in 0..self.indexes.len() {
            let (Some(index), Some(keys)) = (self.indexes.get_mut(position), new.get(position))
            else {
                continue;
            };
            if !index.definition.guards() {
                continue;
            }
            for (done, (value, bits)) in keys.iter().enumerate() {
                key.clear();
                key.extend_from_slice(value);
                key.extend_from_slice(id);
                if index
                    .tree
                    .insert_unless_prefix(pager, key, value.len(), bits)?
                {
                    continue;
                }
                let error = duplicate_key_error(&self.namespace, index, value, bits);
                let earlier = self.indexes.iter_mut().zip(&*new).take(position + 1);
                for (at, (earlier, keys)) in earlier.enumerate() {
                    if !earlier.definition.guards() {
                        continue;
                    }
                    let count = if at == position { done } else { keys.len() };
                    for (value, _) in keys.iter().take(count) {
                        key.clear();
                        key.extend_from_slice(value);
                        key.extend_from_slice(id);
                        earlier.tree.remove(pager, key)?;
                    }
                }
                return Err(error);
            }
        }
        Ok(())
    }

    /// Replaces a document, which is where its record was located. `modified` names the paths that differ, when they
    /// are known.
    ///
    /// # Errors
    /// 11000 `DuplicateKey`, 171 `CannotIndexParallelArrays`; nothing was changed then. Storage errors: roll back.
    pub fn update_document(
        &mut self,
        pager: &mut Pager,
        (id, located): (RecordId, Located),
        old: Document<'_>,
        new: Document<'_>,
        modified: Option<&ModifiedPaths>,
        scratch: &mut WriteScratch,
    ) -> Result<(), CommandError> {
        let id_bytes = id.to_bytes();
        scratch.affected.clear();
        for (position, index) in self.indexes.iter().enumerate() {
            if modified.is_none_or(|paths| paths.affects(&index.definition)) {
                scratch.affected.push(position);
            }
        }
        if !scratch.affected.is_empty() {
            self.update_keys(pager, id, old, new, scratch)?;
        }
        self.records
            .replace_at(pager, located, &id_bytes, new.as_bytes())?;
        Ok(())
    }

    /// Changes the keys of the indexes that an update affects.
    fn update_keys(
        &mut self,
        pager: &mut Pager,
        id: RecordId,
        old: Document<'_>,
        new: Document<'_>,
        scratch: &mut WriteScratch,
    ) -> Result<(), CommandError> {
        scratch.new.resize_with(self.indexes.len(), KeySet::default);
        scratch.old.resize_with(self.indexes.len(), KeySet::default);
        let mut has_new_strings = false;
        for position in &scratch.affected {
            let index = &self.indexes[*position];
            let (old_keys, new_keys) = (&mut scratch.old[*position], &mut scratch.new[*position]);
            index.generate(pager, old, old_keys)?;
            has_new_strings |= index.generate(pager, new, new_keys)?;
            if index.definition.guards() {
                for (key, bits) in new_keys.iter() {
                    if !holds(old_keys, key) && !check_unique(pager, &index.tree, key, Some(id))? {
                        return Err(duplicate_key_error(&self.namespace, index, key, bits));
                    }
                }
            }
        }
        let id_bytes = id.to_bytes();
        for position in &scratch.affected {
            let index = &mut self.indexes[*position];
            if has_new_strings && !index.definition.collation.is_simple() {
                let labelled = index.labelled(pager, new)?;
                let keys = &mut scratch.new[*position];
                index.generate_from(new, labelled.as_ref(), keys)?;
            }
            let (old_keys, new_keys) = (&scratch.old[*position], &scratch.new[*position]);
            change_keys(
                pager,
                &mut index.tree,
                &mut scratch.key,
                old_keys,
                new_keys,
                &id_bytes,
            )?;
            index.note_multikey(new_keys);
        }
        Ok(())
    }

    /// Deletes a document whose bytes the caller has.
    ///
    /// # Errors
    /// Storage errors: roll back.
    pub fn delete_document(
        &mut self,
        pager: &mut Pager,
        id: RecordId,
        document: Document<'_>,
        scratch: &mut WriteScratch,
    ) -> Result<(), CommandError> {
        scratch
            .old
            .resize_with(self.indexes.len().max(1), KeySet::default);
        let id_bytes = id.to_bytes();
        for index in &mut self.indexes {
            let Some(keys) = scratch.old.first_mut() else {
                continue;
            };
            index.generate(pager, document, keys)?;
            bump(&pager.accounting().keys_deleted, keys.len() as u64);
            for (key, _) in keys.iter() {
                scratch.key.clear();
                scratch.key.extend_from_slice(key);
                scratch.key.extend_from_slice(&id_bytes);
                if !index.tree.remove(pager, &scratch.key)? {
                    return Err(
                        unpaired(&self.namespace, index.definition.name.as_ref(), id).into(),
                    );
                }
            }
        }
        self.records.remove(pager, &id_bytes)?;
        Ok(())
    }

    /// Deletes the document of a RecordId; false when there is none.
    ///
    /// # Errors
    /// Storage errors: roll back.
    pub fn delete_record(
        &mut self,
        pager: &mut Pager,
        id: RecordId,
        scratch: &mut WriteScratch,
    ) -> Result<bool, CommandError> {
        let mut bytes = std::mem::take(&mut scratch.document);
        bytes.clear();
        match self.read(pager, id)? {
            Some(found) => bytes.extend_from_slice(&found),
            None => return Ok(false),
        }
        let deleted = self.delete_document(pager, id, Document::from_valid_bytes(&bytes), scratch);
        scratch.document = bytes;
        deleted.map(|()| true)
    }

    /// Puts a document behind all others under a RecordId of its own. It may have the `_id` of others, or none.
    ///
    /// # Errors
    /// Storage errors: roll back.
    pub fn append_record(
        &mut self,
        pager: &mut Pager,
        id: RecordId,
        document: Document<'_>,
    ) -> Result<(), CommandError> {
        let id_bytes = id.to_bytes();
        self.records.put(pager, &id_bytes, document.as_bytes())?;
        self.next_record = RecordId(id.0.saturating_add(1));
        let (mut keys, mut buffer) = (KeySet::default(), Vec::new());
        for index in &mut self.indexes {
            index.generate(pager, document, &mut keys)?;
            for (key, bits) in keys.iter() {
                add_key(pager, &mut index.tree, &mut buffer, key, bits, &id_bytes)?;
            }
        }
        Ok(())
    }

    fn check_capped_size(&self, length: usize) -> Result<(), CommandError> {
        match self.options.kind.limits() {
            Some(limits) if length as i64 > limits.size => Err(CommandError::new(
                Code::BadValue,
                "object to insert exceeds cappedMaxSize",
            )),
            _ => Ok(()),
        }
    }
}

fn unpaired(namespace: &str, index: &str, id: RecordId) -> StorageError {
    StorageError::broken(format!(
        "index {index} of {namespace} lacks a key of record {}; run validate",
        id.0
    ))
}

/// Whether a unique key may be used: no document has it, or only the document `own`.
fn check_unique(
    pager: &Pager,
    tree: &Tree,
    key: &[u8],
    own: Option<RecordId>,
) -> Result<bool, CommandError> {
    if tree.is_empty() {
        return Ok(true);
    }
    let mut cursor = tree.cursor();
    let mut on_entry = cursor.seek(pager, Bound::Included(key))?;
    while on_entry {
        let found = cursor.key();
        if found.len() != key.len() + 8 || !found.starts_with(key) {
            return Ok(true);
        }
        if own.is_none() || RecordId::from_index_key(found) != own {
            return Ok(false);
        }
        on_entry = cursor.next(pager)?;
    }
    Ok(true)
}

fn holds(keys: &KeySet, key: &[u8]) -> bool {
    keys.iter().any(|(known, _)| known == key)
}

fn add_key(
    pager: &mut Pager,
    tree: &mut Tree,
    buffer: &mut Vec<u8>,
    key: &[u8],
    bits: &[u8],
    id: &[u8; 8],
) -> Result<(), StorageError> {
    buffer.clear();
    buffer.extend_from_slice(key);
    buffer.extend_from_slice(id);
    tree.put(pager, buffer, bits).map(drop)
}

/// Removes the keys that only `old` has, adds those that only `new` has, and rewrites changed type bits.
fn change_keys(
    pager: &mut Pager,
    tree: &mut Tree,
    buffer: &mut Vec<u8>,
    old: &KeySet,
    new: &KeySet,
    id: &[u8; 8],
) -> Result<(), StorageError> {
    let (mut at_old, mut at_new) = (0, 0);
    while at_old < old.len() || at_new < new.len() {
        let ordering = match (at_old < old.len(), at_new < new.len()) {
            (true, false) => std::cmp::Ordering::Less,
            (false, _) => std::cmp::Ordering::Greater,
            (true, true) => old.get(at_old).0.cmp(new.get(at_new).0),
        };
        match ordering {
            std::cmp::Ordering::Less => {
                buffer.clear();
                buffer.extend_from_slice(old.get(at_old).0);
                buffer.extend_from_slice(id);
                tree.remove(pager, buffer)?;
                bump(&pager.accounting().keys_deleted, 1);
                at_old += 1;
            }
            std::cmp::Ordering::Greater => {
                let (key, bits) = new.get(at_new);
                add_key(pager, tree, buffer, key, bits, id)?;
                bump(&pager.accounting().keys_inserted, 1);
                at_new += 1;
            }
            std::cmp::Ordering::Equal => {
                let (key, bits) = new.get(at_new);
                if bits != old.get(at_old).1 {
                    add_key(pager, tree, buffer, key, bits, id)?;
                }
                at_old += 1;
                at_new += 1;
            }
        }
    }
    Ok(())
}
