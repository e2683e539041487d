//! The index keys of a document, from its raw bytes: the kind of the index makes them (`kind`), and a `KeySet` holds
//! them.
//!
//! Invariant: a finished `KeySet` holds distinct keys in ascending order, without RecordIds.

use super::definition::IndexDefinition;
use crate::algorithms::sorting;
use crate::bson::{Document, PathReader, ReadValue, ValueRef};
use crate::error::{Code, CommandError};
use crate::keycode::{self, TypeBits};

/// The keys of one document in one index. Reused from document to document.
#[derive(Debug, Default)]
pub struct KeySet {
    keys: Vec<u8>,
    bits: Vec<u8>,
    entries: Vec<Entry>,
    type_bits: TypeBits,
    /// For each field, which components of its path are arrays (bit 0: the first component).
    multikey_paths: Vec<u64>,
    /// The paths of arrays, where an index of many paths keeps apart which ones these are.
    array_paths: Vec<Box<str>>,
    /// Reads the fields of the one index that keys are generated for, where that was foreseen.
    reader: Option<Box<PathReader>>,
}

/// The most fields of an index that are read in one walk.
pub(super) const MOST_FIELDS: usize = 4;

/// Where one key lies in the buffers.
#[derive(Debug, Clone, Copy)]
struct Entry {
    key_start: u32,
    key_end: u32,
    bits_start: u32,
    bits_end: u32,
}

impl KeySet {
    /// Forgets the keys and keeps the allocations.
    pub fn clear(&mut self) {
        self.keys.clear();
        self.bits.clear();
        self.entries.clear();
        self.multikey_paths.clear();
        self.array_paths.clear();
    }

    /// Says that keys of many documents will be generated, and for this index alone until it is called again: where
    /// fields lie is then remembered from document to document.
    pub(in crate::catalog) fn foresee(&mut self, definition: &IndexDefinition) {
        self.reader = None;
        let fields = &definition.fields;
        if definition.kind.rules().keys_are_values() && fields.len() <= MOST_FIELDS {
            let mut reader = PathReader::default();
            let mut paths = fields.iter().enumerate();
            let added = paths.all(|(position, field)| {
                let names = field.components.iter().map(|name| name.as_bytes());
                reader.add(names) == Some(position)
            });
            self.reader = added.then(|| Box::new(reader));
        }
    }

    pub fn len(&self) -> usize {
        self.entries.len()
    }

    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// A key and its type bits. The position must be below `len`.
    pub fn get(&self, position: usize) -> (&[u8], &[u8]) {
        let entry = self.entries[position];
        (
            &self.keys[entry.key_start as usize..entry.key_end as usize],
            &self.bits[entry.bits_start as usize..entry.bits_end as usize],
        )
    }

    pub fn iter(&self) -> impl Iterator<Item = (&[u8], &[u8])> {
        (0..self.len()).map(|position| self.get(position))
    }

    /// Which components of each field's path are arrays; empty when none is.
    pub fn multikey_paths(&self) -> &[u64] {
        &self.multikey_paths
    }

    /// The paths of arrays that a wildcard index met.
    pub fn array_paths(&self) -> &[Box<str>] {
        &self.array_paths
    }

    /// Reads the values at the fields' paths in one walk, where that was foreseen; gives whether it was.
    #[inline]
    pub(super) fn read<'d>(
        &mut self,
        document: Document<'d>,
        found: &mut [ReadValue<'d>; MOST_FIELDS],
    ) -> bool {
        match &mut self.reader {
            Some(reader) => reader.read(document.as_bytes(), &mut |paths, read: ReadValue<'d>| {
                for (path, place) in found.iter_mut().enumerate() {
                    if paths >> path & 1 == 1 {
                        *place = read;
                    }
                }
                true
            }),
            None => false,
        }
    }

    /// Notes that the first `depth` components of a field's path lead to an array.
    pub(super) fn note_multikey(&mut self, fields: usize, field: usize, depth: usize) {
        if self.multikey_paths.len() < fields {
            self.multikey_paths.resize(fields, 0);
        }
        self.multikey_paths[field] |= 1 << (depth - 1).min(63);
    }

    /// Notes the path of an array.
    pub(super) fn note_array(&mut self, path: &str) {
        if !self.array_paths.iter().any(|known| **known == *path) {
            self.array_paths.push(path.into());
        }
    }

    /// Whether these keys make their index multikey.
    pub fn is_multikey(&self) -> bool {
        self.len() > 1
            || self
                .multikey_paths
                .iter()
                .any(|components| *components != 0)
    }

    /// Where the next key starts.
    pub(super) fn begin_key(&mut self) -> usize {
        self.type_bits.clear();
        self.keys.len()
    }

    #[inline]
    pub(super) fn component(&mut self, value: ValueRef<'_>, descending: bool) {
        keycode::encode(value, descending, &mut self.keys, &mut self.type_bits);
    }

    #[inline]
    pub(super) fn end_key(&mut self, key_start: usize) {
        let bits_start = self.bits.len();
        let type_bits = self.type_bits.as_bytes();
        if !type_bits.is_empty() {
            self.bits.extend_from_slice(type_bits);
        }
        self.entries.push(Entry {
            key_start: key_start as u32,
            key_end: self.keys.len() as u32,
            bits_start: bits_start as u32,
            bits_end: self.bits.len() as u32,
        });
    }

    /// Whether the keys take many times as much room as any document.
    pub(super) fn is_too_large(&self) -> bool {
        self.keys.len() > MOST_KEY_BYTES
    }

    /// Refuses a document whose keys take many times as much room as any document.
    ///
    /// # Errors
    /// 201 `CannotBuildIndexKeys`.
    pub(super) fn check_size(&self) -> Result<(), CommandError> {
        if !self.is_too_large() {
            return Ok(());
        }
        Err(CommandError::new(
            Code::CannotBuildIndexKeys,
            format!("Maximum size of generated keys exceeded: {MOST_KEY_BYTES} bytes"),
        ))
    }

    /// Puts the keys in order and drops repeats.
    pub(super) fn finish(&mut self) {
        if self.entries.len() < 2 {
            return;
        }
        let keys = &self.keys;
        let bytes = |entry: &Entry| &keys[entry.key_start as usize..entry.key_end as usize];
        sorting::sort_by(&mut self.entries, &mut |left, right| {
            bytes(left).cmp(bytes(right))
        });
        self.entries
            .dedup_by(|later, earlier| bytes(later) == bytes(earlier));
    }
}

/// The most bytes of the keys of one document, in one index.
const MOST_KEY_BYTES: usize = 104_857_600;

/// Generates a document's keys into `keys`. A document that the index does not hold (sparse or
/// partial) has none.
///
/// # Errors
/// Errors of a partial filter and of `KindRules::generate`.
pub fn generate(
    definition: &IndexDefinition,
    document: Document<'_>,
    keys: &mut KeySet,
) -> Result<(), CommandError> {
    keys.clear();
    if !holds(definition, document)? {
        return Ok(());
    }
    generate_held(definition, document, keys)
}

/// Whether a partial index holds the document; any other one does.
///
/// # Errors
/// Errors of the partial filter.
pub fn holds(definition: &IndexDefinition, document: Document<'_>) -> Result<bool, CommandError> {
    match &definition.partial {
        Some(partial) => partial.compiled.matches(document),
        None => Ok(true),
    }
}

/// `generate`, for a document that the index's partial filter lets in.
///
/// # Errors
/// As `generate`, but for the filter.
pub fn generate_held(
    definition: &IndexDefinition,
    document: Document<'_>,
    keys: &mut KeySet,
) -> Result<(), CommandError> {
    keys.clear();
    definition.kind.rules().generate(definition, document, keys)
}
