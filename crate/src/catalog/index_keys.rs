//! The index keys of a document, from its raw bytes.
//!
//! Follows the server's rules: a missing field is null, an array gives a key for each item, fields
//! that share an array prefix are expanded together, two different arrays in one document are refused,
//! an empty array is undefined, and a numeric path component may name an array position.
//! Invariant: a finished `KeySet` holds distinct keys in ascending order, without RecordIds.

use super::index_definition::{IndexDefinition, IndexKind};
use super::{hashed_keys, wildcard_keys};
use crate::algorithms::sorting;
use crate::bson::{Array, Document, PathReader, ReadValue, ValueRef, array_position};
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
const MOST_FIELDS: usize = 4;

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
    pub(super) fn foresee(&mut self, definition: &IndexDefinition) {
        self.reader = None;
        let fields = &definition.fields;
        if matches!(definition.kind, IndexKind::Ordered) && fields.len() <= MOST_FIELDS {
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

    /// Which components of each field's path are arrays; empty when no array was met.
    pub fn multikey_paths(&self) -> &[u64] {
        &self.multikey_paths
    }

    /// The paths of arrays that a wildcard index met.
    pub fn array_paths(&self) -> &[Box<str>] {
        &self.array_paths
    }

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

/// Where a walk down a path ended: at the path's end, or at the first array.
#[derive(Clone, Copy)]
struct Step<'a> {
    value: ValueRef<'a>,
    /// How many components were walked.
    next: usize,
}

const MISSING: Step<'static> = Step {
    value: ValueRef::Missing,
    next: 0,
};

/// Walks from a document until the path's end or the first array.
fn walk<'a>(document: Document<'a>, components: &[Box<str>], from: usize) -> Step<'a> {
    let mut document = document;
    for (position, component) in components.iter().enumerate().skip(from) {
        let value = document.get(component);
        let next = position + 1;
        if next == components.len() || matches!(value, ValueRef::Array(_)) {
            return Step { value, next };
        }
        match value {
            ValueRef::Document(inner) => document = inner,
            _ => return MISSING,
        }
    }
    MISSING
}

/// Generates a document's keys into `keys`. A document that the index does not hold (sparse or
/// partial) has none.
///
/// # Errors
/// 171 `CannotIndexParallelArrays`, 16746 for an ambiguous position, 16766 and 7246301 for an array where the kind of
/// index takes none, and errors of a partial filter.
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

/// Refuses a decimal in a field of an index of version 1, whose keys have no form for it.
#[cold]
#[inline(never)]
fn check_decimals(
    definition: &IndexDefinition,
    document: Document<'_>,
) -> Result<(), CommandError> {
    fn holds_decimal(value: ValueRef<'_>, path: &[Box<str>]) -> bool {
        match (value, path.split_first()) {
            (ValueRef::Decimal128(_), None) => true,
            (ValueRef::Array(items), Some((position, below))) => items.iter().any(|item| {
                holds_decimal(item, path)
                    || (array_position(position).is_some() && holds_decimal(item, below))
            }),
            (ValueRef::Array(items), None) => items.iter().any(|item| holds_decimal(item, path)),
            (ValueRef::Document(fields), Some((name, below))) => {
                holds_decimal(fields.get(name), below)
            }
            (ValueRef::Document(fields), None) => {
                fields.iter().any(|field| holds_decimal(field.value, path))
            }
            _ => false,
        }
    }
    let whole = ValueRef::Document(document);
    match { definition.fields.iter() }.any(|field| holds_decimal(whole, &field.components)) {
        true => Err(CommandError::new(
            Code::UnsupportedFormat,
            "Index version does not support NumberDecimal",
        )),
        false => Ok(()),
    }
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
    match &definition.kind {
        IndexKind::Ordered if definition.version == 1 => check_decimals(definition, document)?,
        IndexKind::Ordered => {}
        IndexKind::Hashed => return hashed_keys::generate(definition, document, keys),
        IndexKind::Wildcard(wildcard) => {
            return wildcard_keys::generate(definition, wildcard, document, keys);
        }
    }
    keys.type_bits.clear();
    let mut missing = 0;
    let mut found = [ReadValue::MISSING; MOST_FIELDS];
    let is_read = match &mut keys.reader {
        Some(reader) => reader.read(document.as_bytes(), &mut |paths, read: ReadValue<'_>| {
            for (path, place) in found.iter_mut().enumerate() {
                if paths >> path & 1 == 1 {
                    *place = read;
                }
            }
            true
        }),
        None => false,
    };
    for (position, field) in definition.fields.iter().enumerate() {
        let Step { value, next } = match found.get(position) {
            Some(read) if is_read => Step {
                value: read.value(),
                next: read.walked,
            },
            _ => walk(document, &field.components, 0),
        };
        match value {
            ValueRef::Array(array)
                if definition.fields.len() == 1 && next == field.components.len() =>
            {
                expand_only_field(array, field.descending, next, keys);
                return Ok(());
            }
            ValueRef::Array(_) => return Expansion::run(definition, document, keys),
            ValueRef::Missing => {
                missing += 1;
                keys.component(ValueRef::Null, field.descending);
            }
            value => keys.component(value, field.descending),
        }
    }
    if definition.sparse && missing == definition.fields.len() {
        keys.clear();
    } else {
        keys.end_key(0);
    }
    Ok(())
}

/// The common case of the general algorithm: one field, whose path ends in the array.
fn expand_only_field(array: Array<'_>, descending: bool, walked: usize, keys: &mut KeySet) {
    keys.multikey_paths.push(1 << (walked - 1).min(63));
    for item in array.iter() {
        let start = keys.keys.len();
        keys.type_bits.clear();
        keys.component(item, descending);
        keys.end_key(start);
    }
    if keys.is_empty() {
        keys.component(ValueRef::Undefined, descending);
        keys.end_key(0);
    }
    keys.finish();
}

/// An item of an array that a path names by its position, found before the array is expanded.
#[derive(Clone, Copy)]
struct Positional<'a> {
    step: Step<'a>,
    is_array: bool,
}

/// The state of the general algorithm: how far along its path each field is, and the value there.
#[derive(Clone)]
struct Reached<'a> {
    /// Components walked; all of them when the field is done.
    at: Vec<usize>,
    values: Vec<ValueRef<'a>>,
    missing: usize,
}

struct Expansion<'d, 'k> {
    definition: &'d IndexDefinition,
    keys: &'k mut KeySet,
}

impl<'d, 'k> Expansion<'d, 'k> {
    fn run<'a>(
        definition: &'d IndexDefinition,
        document: Document<'a>,
        keys: &'k mut KeySet,
    ) -> Result<(), CommandError> {
        let fields = definition.fields.len();
        keys.clear();
        keys.multikey_paths.resize(fields, 0);
        let mut expansion = Self { definition, keys };
        let reached: Reached<'a> = Reached {
            at: vec![0; fields],
            values: vec![ValueRef::Null; fields],
            missing: 0,
        };
        expansion.expand(document, reached, &vec![None; fields])?;
        expansion.keys.finish();
        Ok(())
    }

    fn is_done(&self, reached: &Reached<'_>, field: usize) -> bool {
        reached.at[field] == self.definition.fields[field].components.len()
    }

    fn emit(&mut self, reached: &Reached<'_>) -> Result<(), CommandError> {
        if self.definition.sparse && reached.missing == reached.at.len() {
            return Ok(());
        }
        let start = self.keys.keys.len();
        self.keys.type_bits.clear();
        for (field, value) in self.definition.fields.iter().zip(&reached.values) {
            self.keys.component(*value, field.descending);
        }
        self.keys.end_key(start);
        self.keys.check_size()
    }

    /// Takes every unfinished field one array further and expands that array.
    fn expand<'a>(
        &mut self,
        document: Document<'a>,
        mut reached: Reached<'a>,
        positional: &[Option<Positional<'a>>],
    ) -> Result<(), CommandError> {
        let mut array: Option<(Array<'a>, usize)> = None;
        let mut through = vec![false; reached.at.len()];
        let mut expands_ends = true;
        for field in 0..reached.at.len() {
            if self.is_done(&reached, field) {
                continue;
            }
            let (step, is_nested) = self.next_step(document, &reached, field, positional[field])?;
            match step.value {
                ValueRef::Missing => {
                    reached.values[field] = ValueRef::Null;
                    reached.at[field] = self.definition.fields[field].components.len();
                    reached.missing += 1;
                }
                ValueRef::Array(found) => {
                    if let Some((other, of)) = array
                        && !std::ptr::eq(other.as_bytes(), found.as_bytes())
                    {
                        return Err(self.parallel(field, step.next, of, reached.at[of]));
                    }
                    reached.at[field] = step.next;
                    array.get_or_insert((found, field));
                    through[field] = true;
                    expands_ends &= !is_nested;
                }
                value => {
                    reached.values[field] = value;
                    reached.at[field] = step.next;
                }
            }
        }
        match array {
            None => self.emit(&reached),
            Some((array, _)) => self.expand_items(array, &reached, &through, expands_ends),
        }
    }

    fn parallel(
        &self,
        field: usize,
        walked: usize,
        other: usize,
        other_walked: usize,
    ) -> CommandError {
        let name = |field: usize, walked: usize| {
            self.definition.fields[field]
                .components
                .get(walked.wrapping_sub(1))
                .map_or("", |name| name)
        };
        CommandError::new(
            Code::CannotIndexParallelArrays,
            format!(
                "cannot index parallel arrays [{}] [{}]",
                name(field, walked),
                name(other, other_walked)
            ),
        )
    }

    /// The next value of one field, and whether it is an array that is itself an item named by its position.
    fn next_step<'a>(
        &self,
        document: Document<'a>,
        reached: &Reached<'a>,
        field: usize,
        positional: Option<Positional<'a>>,
    ) -> Result<(Step<'a>, bool), CommandError> {
        let components = &self.definition.fields[field].components;
        let at = reached.at[field];
        let Some(positional) = positional else {
            return Ok((walk(document, components, at), false));
        };
        if document.get(&components[at]).is_missing() {
            return Ok((positional.step, positional.is_array));
        }
        Err(CommandError::location(
            16746,
            format!(
                "Ambiguous field name found in array (do not use numeric field names in embedded elements in an \
                 array), field: '{}' for array: {document}",
                components[at]
            ),
        ))
    }

    fn expand_items<'a>(
        &mut self,
        array: Array<'a>,
        reached: &Reached<'a>,
        through: &[bool],
        expands_ends: bool,
    ) -> Result<(), CommandError> {
        let mut positional = vec![None; through.len()];
        let mut unfinished = false;
        for field in 0..through.len() {
            if !through[field] {
                continue;
            }
            let at = reached.at[field];
            if !self.is_done(reached, field) {
                unfinished = true;
                let components = &self.definition.fields[field].components;
                positional[field] = find_positional(array, components, at);
            }
            if positional[field].is_none() {
                self.keys.multikey_paths[field] |= 1 << (at - 1).min(63);
            }
        }
        let mut inner = reached.clone();
        let mut items = array.iter().peekable();
        if items.peek().is_none() {
            self.set_ends(&mut inner, through, ValueRef::Undefined);
            positional.fill(None);
            return self.descend(ValueRef::Undefined, inner, &positional, unfinished);
        }
        for item in items {
            let end = if expands_ends {
                item
            } else {
                ValueRef::Array(array)
            };
            self.set_ends(&mut inner, through, end);
            if unfinished {
                self.descend(item, inner.clone(), &positional, true)?;
            } else {
                self.emit(&inner)?;
            }
        }
        Ok(())
    }

    fn set_ends<'a>(&self, reached: &mut Reached<'a>, through: &[bool], value: ValueRef<'a>) {
        for (field, through) in through.iter().enumerate() {
            if *through && self.is_done(reached, field) {
                reached.values[field] = value;
            }
        }
    }

    fn descend<'a>(
        &mut self,
        item: ValueRef<'a>,
        reached: Reached<'a>,
        positional: &[Option<Positional<'a>>],
        unfinished: bool,
    ) -> Result<(), CommandError> {
        if !unfinished {
            return self.emit(&reached);
        }
        self.expand(
            item.as_document().unwrap_or(Document::EMPTY),
            reached,
            positional,
        )
    }
}

fn find_positional<'a>(
    array: Array<'a>,
    components: &[Box<str>],
    at: usize,
) -> Option<Positional<'a>> {
    let value = array.get(array_position(&components[at])? as usize);
    let next = at + 1;
    let step = match value {
        ValueRef::Missing => return None,
        ValueRef::Array(_) => Step { value, next },
        value if next == components.len() => Step { value, next },
        ValueRef::Document(inner) => walk(inner, components, next),
        _ => MISSING,
    };
    Some(Positional {
        step,
        is_array: matches!(value, ValueRef::Array(_)),
    })
}
