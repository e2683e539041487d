//! Sort patterns, and the byte strings that order documents by them.
//!
//! Follows the manual's "cursor.sort()" and "$sort" pages. Invariant: `memcmp` of two documents' keys is their
//! order; an array sorts by its least item, descending by its greatest, and an absent field as null.

use crate::bson::{
    BsonType, Document, DocumentBuf, DocumentBuilder, Keep, PathReader, ReadValue, ValueRef,
};
use crate::catalog::index::ordered;
use crate::catalog::{KeyField, KeySet};
use crate::collation::Collation;
use crate::error::{Code, CommandError};
use crate::expr::{self, MetaKind, Metadata, SharedMetadata};
use crate::keycode::{self, TypeBits};
use crate::query::compile::bad_value;
use crate::query::path::{Found, QueryPath};
use std::cell::RefCell;
use std::rc::Rc;

/// The most fields of a sort, as of a compound index.
pub const MOST_SORT_FIELDS: usize = 32;

/// One field of a sort.
#[derive(Debug, Clone)]
pub struct SortPart {
    pub path: QueryPath,
    pub descending: bool,
}

/// A validated sort pattern.
#[derive(Clone)]
pub struct SortPattern {
    spec: DocumentBuf,
    parts: Vec<SortPart>,
    /// The parts as fields of an index: its least key of a document is the sort key where arrays are met.
    fields: Vec<KeyField>,
    collation: Collation,
    /// Where the values of `$meta` parts are, if there are any.
    metadata: Option<Rc<Metadata>>,
    /// Reads the parts of the documents that pass; made for the first one.
    reader: RefCell<Option<Box<PathReader>>>,
}

/// A pattern of more parts is read part by part.
const MOST_READ: usize = 4;

/// Buffers reused from document to document.
#[derive(Debug, Default)]
pub struct SortScratch {
    keys: KeySet,
    type_bits: TypeBits,
}

/// The direction of `{$natural: 1}` (`false`) or `{$natural: -1}` (`true`); `None` for any other pattern.
///
/// # Errors
/// `BadValue` when `$natural` stands beside other fields or is neither 1 nor -1.
pub fn natural(spec: Document<'_>) -> Result<Option<bool>, CommandError> {
    let value = spec.get("$natural");
    if value.is_missing() {
        return Ok(None);
    }
    if spec.len() > 1 {
        return Err(bad_value(format!(
            "Cannot include '$natural' in compound sort: {spec}"
        )));
    }
    match value.as_exact_i64() {
        Some(1) => Ok(Some(false)),
        Some(-1) => Ok(Some(true)),
        _ => Err(bad_value(format!(
            "$natural sort cannot be set to a value other than -1 or 1: {spec}"
        ))),
    }
}

impl SortPattern {
    /// Validates a pattern; it may be empty, which sorts nothing.
    ///
    /// # Errors
    /// 15974 and 15975 for a direction other than 1 and -1, 17312 for a document that is no `$meta`, 31138 for a
    /// `$meta` that cannot be sorted by, 40218 for metadata that no query here has, and errors of an invalid path.
    pub fn compile(spec: Document<'_>) -> Result<Self, CommandError> {
        let mut parts: Vec<SortPart> = Vec::new();
        let mut shown = DocumentBuilder::new();
        for (position, element) in spec.iter().enumerate() {
            if let ValueRef::Document(meta) = element.value {
                let kind = check_meta(meta)?;
                shown.append(&format!("$computed{position}"), meta);
                // Where a document that is sorted by a `$meta` has its value: no field has such a name.
                parts.push(SortPart {
                    path: QueryPath::new(&format!("${}", kind.name())),
                    descending: true,
                });
                continue;
            }
            shown.append(element.name, element.value);
            let descending = direction(element.name, element.value)?;
            expr::FieldPath::parse(element.name)?;
            if parts.iter().any(|part| part.path.dotted() == element.name) {
                return Err(CommandError::location(
                    7_472_500,
                    format!(
                        "$sort key must not contain duplicate keys (field: '{}')",
                        element.name
                    ),
                ));
            }
            parts.push(SortPart {
                path: QueryPath::new(element.name),
                descending,
            });
        }
        if parts.len() > MOST_SORT_FIELDS {
            return Err(CommandError::location(13103, "too many compound keys"));
        }
        let spec = shown.finish();
        let fields = { parts.iter() }
            .map(|part| KeyField::new(part.path.dotted(), part.descending))
            .collect();
        let pattern = Self {
            spec,
            parts,
            fields,
            collation: Collation::SIMPLE,
            metadata: None,
            reader: RefCell::default(),
        };
        Ok(pattern.with_metadata(&SharedMetadata::default()))
    }

    /// The same pattern over rows of which more is known than their documents, where it asks for that.
    pub fn with_metadata(mut self, shared: &SharedMetadata) -> Self {
        for kind in self.metas() {
            self.metadata = Some(Metadata::wanting(shared, kind));
        }
        self
    }

    /// The kinds of metadata that rows are sorted by.
    fn metas(&self) -> Vec<MetaKind> {
        let metas = self.parts.iter().filter(|part| is_meta(part));
        metas
            .filter_map(|part| MetaKind::parse(part.path.dotted()[1..].into()).ok())
            .collect()
    }

    /// Where the distances are to be told that rows are sorted by, if they are.
    pub fn distances(&self) -> Option<Rc<Metadata>> {
        let is_wanted = self.metas().contains(&MetaKind::DISTANCE);
        is_wanted.then(|| self.metadata.clone()).flatten()
    }

    /// Whether rows are sorted by metadata.
    pub fn reads_metadata(&self) -> bool {
        self.metadata.is_some()
    }

    /// The paths of documents that it reads.
    pub fn paths(&self) -> impl Iterator<Item = &str> {
        let plain = self.parts.iter().filter(|part| !is_meta(part));
        plain.map(|part| part.path.dotted())
    }

    /// The same pattern, with strings in the order of a collation.
    pub fn with_collation(self, collation: &Collation) -> Self {
        Self {
            collation: collation.clone(),
            ..self
        }
    }

    /// How strings are ordered.
    pub fn collation(&self) -> &Collation {
        &self.collation
    }

    /// The pattern as it was given.
    pub fn spec(&self) -> Document<'_> {
        self.spec.as_document()
    }

    pub fn parts(&self) -> &[SortPart] {
        &self.parts
    }

    pub fn is_empty(&self) -> bool {
        self.parts.is_empty()
    }

    /// Appends the document's sort key: byte strings that compare as the documents sort.
    ///
    /// # Errors
    /// `BadValue` when two of the fields are arrays side by side.
    pub fn write_key(
        &self,
        document: Document<'_>,
        scratch: &mut SortScratch,
        key: &mut Vec<u8>,
    ) -> Result<(), CommandError> {
        let with_known = self.with_known(document);
        let document = with_known
            .as_ref()
            .map_or(document, DocumentBuf::as_document);
        let is_sorted_by = |name: &str| {
            let mut parts = self.fields.iter();
            parts.any(|field| {
                field
                    .components
                    .first()
                    .is_some_and(|first| **first == *name)
            })
        };
        if let Some(fields) = self.collation.key_fields(document, &is_sorted_by) {
            return self.write_plain_key(fields.as_document(), scratch, key);
        }
        self.write_plain_key(document, scratch, key)
    }

    /// The document with a row's metadata before all its own fields, where `$meta` parts ask for it. A pattern of such
    /// parts alone needs none of the document's own fields.
    fn with_known(&self, document: Document<'_>) -> Option<DocumentBuf> {
        let metadata = self.metadata.as_ref()?;
        let metas = self.parts.iter().filter(|part| is_meta(part));
        let document = match self.parts.iter().all(is_meta) {
            true => Document::EMPTY,
            false => document,
        };
        Some(with_metas(metadata, metas, document))
    }

    /// Appends the values that a document is sorted by to an open array: of an array the item that decides, null for
    /// a missing field.
    ///
    /// # Errors
    /// Those of `write_key`.
    pub fn append_key_values(
        &self,
        document: Document<'_>,
        values: &mut DocumentBuilder,
    ) -> Result<(), CommandError> {
        let mut keys = KeySet::default();
        let with_known = self.with_known(document);
        let document = with_known
            .as_ref()
            .map_or(document, DocumentBuf::as_document);
        self.generate(document, &mut keys)?;
        // Where there are several keys the first in order decides, as in an index.
        if !keys.is_empty() {
            let (bytes, type_bits) = keys.get(0);
            let mut decoder = keycode::Decoder::new(bytes, type_bits);
            for (position, field) in self.fields.iter().enumerate() {
                decoder.next_into(field.descending, &position.to_string(), values)?;
            }
        }
        Ok(())
    }

    fn write_plain_key(
        &self,
        document: Document<'_>,
        scratch: &mut SortScratch,
        key: &mut Vec<u8>,
    ) -> Result<(), CommandError> {
        let start = key.len();
        scratch.type_bits.clear();
        if self.parts.len() <= MOST_READ {
            return self.write_read_key(document, scratch, key);
        }
        for part in &self.parts {
            match part.path.find(document) {
                Found::Value(element) => {
                    let value = match element.value() {
                        ValueRef::Missing => ValueRef::Null,
                        value => value,
                    };
                    keycode::encode(value, part.descending, key, &mut scratch.type_bits);
                }
                Found::Array(..) => {
                    key.truncate(start);
                    return self.write_array_key(document, scratch, key);
                }
            }
        }
        Ok(())
    }

    /// The value that a document has in the pattern's only field, where it is a number that a double holds exactly:
    /// such values sort as their numbers do. `None` for any other pattern or value.
    pub fn lone_number(&self, document: Document<'_>) -> Option<f64> {
        if self.parts.len() != 1 || self.metadata.is_some() {
            return None;
        }
        let mut found = ReadValue::MISSING;
        let keep: &mut Keep<'_, '_> = &mut |_, read| {
            found = read;
            read.kind != BsonType::Array
        };
        if !self.read(document, keep) {
            return None;
        }
        match (found.kind, found.value_bytes) {
            (BsonType::Double, bytes) => Some(f64::from_le_bytes(bytes.try_into().ok()?)),
            (BsonType::Int32, bytes) => Some(i32::from_le_bytes(bytes.try_into().ok()?).into()),
            _ => None,
        }
        .filter(|number| !number.is_nan())
    }

    /// Reads the parts' values in one walk; false when `keep` ended it.
    fn read<'d>(&self, document: Document<'d>, keep: &mut Keep<'_, 'd>) -> bool {
        self.reader
            .borrow_mut()
            .get_or_insert_with(|| Box::new(reader_of(&self.parts)))
            .read(document.as_bytes(), keep)
    }

    /// Writes the key of a pattern of few parts, all of them read in one walk.
    fn write_read_key(
        &self,
        document: Document<'_>,
        scratch: &mut SortScratch,
        key: &mut Vec<u8>,
    ) -> Result<(), CommandError> {
        let mut values = [ReadValue::MISSING; MOST_READ];
        let keep: &mut Keep<'_, '_> = &mut |mut paths, read| {
            while let Some(place) = values.get_mut(paths.trailing_zeros() as usize) {
                paths &= paths - 1;
                *place = read;
            }
            read.kind != BsonType::Array
        };
        if !self.read(document, keep) {
            return self.write_array_key(document, scratch, key);
        }
        for (part, read) in self.parts.iter().zip(&values) {
            let value = match read.value() {
                ValueRef::Missing => ValueRef::Null,
                value => value,
            };
            keycode::encode(value, part.descending, key, &mut scratch.type_bits);
        }
        Ok(())
    }

    /// Makes the keys that an index over the sort's fields would have.
    fn generate(&self, document: Document<'_>, keys: &mut KeySet) -> Result<(), CommandError> {
        keys.clear();
        ordered::generate(&self.fields, false, document, keys).map_err(worded_for_sorts)
    }

    fn write_array_key(
        &self,
        document: Document<'_>,
        scratch: &mut SortScratch,
        key: &mut Vec<u8>,
    ) -> Result<(), CommandError> {
        self.generate(document, &mut scratch.keys)?;
        if !scratch.keys.is_empty() {
            key.extend_from_slice(scratch.keys.get(0).0);
        }
        Ok(())
    }
}

/// An index's refusal of two arrays in a sort's words.
fn worded_for_sorts(error: CommandError) -> CommandError {
    match error.code == Code::CannotIndexParallelArrays as i32 {
        true => bad_value("cannot sort with keys that are parallel arrays"),
        false => error,
    }
}

fn reader_of(parts: &[SortPart]) -> PathReader {
    let mut reader = PathReader::default();
    for part in parts {
        let names = part.path.parts().iter().map(|part| part.name.as_bytes());
        let number = reader.add(names);
        debug_assert!(
            number.is_some(),
            "a pattern has few parts, each of some name"
        );
    }
    reader
}

#[inline(never)]
fn with_metas<'p>(
    metadata: &Metadata,
    metas: impl Iterator<Item = &'p SortPart>,
    document: Document<'_>,
) -> DocumentBuf {
    let mut builder = DocumentBuilder::new();
    for part in metas {
        let path = part.path.dotted();
        let value = metadata.get(&path[1..]);
        builder.append(
            path,
            match value.as_ref() {
                ValueRef::Missing => ValueRef::Null,
                value => value,
            },
        );
    }
    builder.append_all(document);
    builder.finish()
}

/// The kind of metadata that a document in the place of a direction asks for, if rows can be sorted by it.
fn check_meta(document: Document<'_>) -> Result<MetaKind, CommandError> {
    let refuse = |code, message: String| Err(CommandError::location(code, message));
    let meta = match document.iter().next() {
        Some(meta) if meta.name == "$meta" => meta.value,
        _ => {
            let message = "$meta is the only expression supported by $sort right now";
            return refuse(17312, message.to_owned());
        }
    };
    if document.len() > 1 {
        return Err(CommandError::new(
            Code::FailedToParse,
            "Cannot have additional keys in a $meta sort specification",
        ));
    }
    match meta {
        ValueRef::String(text)
            if ["randVal", "geoNearDistance", "textScore", "score"].contains(&&*text.lossy()) =>
        {
            MetaKind::parse(meta)
        }
        ValueRef::String(text) if text == "searchScore" => {
            refuse(31218, unsupported("searchScore"))
        }
        ValueRef::String(text) if text == "searchHighlights" => {
            refuse(31219, unsupported("searchHighlights"))
        }
        other => refuse(31138, format!("Illegal $meta sort: $meta: {other}")),
    }
}

fn is_meta(part: &SortPart) -> bool {
    part.path.dotted().starts_with('$')
}

fn unsupported(kind: &str) -> String {
    format!("$meta sort by '{kind}' metadata is not supported")
}

fn direction(name: &str, value: ValueRef<'_>) -> Result<bool, CommandError> {
    let Some(number) = value.as_number() else {
        return Err(CommandError::location(
            15974,
            format!("Illegal key in $sort specification: {name}: {value}"),
        ));
    };
    // The server makes a whole number of it first.
    match number.to_i64_rounded() {
        1 => Ok(false),
        -1 => Ok(true),
        _ => Err(CommandError::location(
            15975,
            "$sort key ordering must be 1 (for ascending) or -1 (for descending)",
        )),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::query::testing::document;

    fn sorted(pattern: &str, subjects: &[&str]) -> Vec<usize> {
        let pattern = document(pattern);
        let pattern = SortPattern::compile(pattern.as_document()).expect("a valid pattern");
        let mut scratch = SortScratch::default();
        let mut keys: Vec<(Vec<u8>, usize)> = subjects
            .iter()
            .enumerate()
            .map(|(position, subject)| {
                let mut key = Vec::new();
                let subject = document(subject);
                pattern
                    .write_key(subject.as_document(), &mut scratch, &mut key)
                    .expect("no parallel arrays");
                (key, position)
            })
            .collect();
        keys.sort_by(|one, other| one.0.cmp(&other.0));
        keys.into_iter().map(|(_, position)| position).collect()
    }

    fn refusal(pattern: &str) -> String {
        let pattern = document(pattern);
        match SortPattern::compile(pattern.as_document()) {
            Ok(_) => "accepted".to_owned(),
            Err(error) => format!("{}: {}", error.code, error.message),
        }
    }

    #[test]
    fn arrays_sort_by_their_least_or_greatest_item() {
        let subjects = ["{a: [5, 1]}", "{a: 2}", "{a: [3, 9]}"];
        assert_eq!(sorted("{a: 1}", &subjects), [0, 1, 2]);
        assert_eq!(sorted("{a: -1}", &subjects), [2, 0, 1]);
    }

    #[test]
    fn empty_arrays_are_below_null_and_absent_fields_are_null() {
        let subjects = ["{a: 1}", "{b: 1}", "{a: null}", "{a: []}", "{a: minKey}"];
        assert_eq!(sorted("{a: 1}", &subjects), [4, 3, 1, 2, 0]);
        assert_eq!(sorted("{a: -1}", &subjects), [0, 1, 2, 3, 4]);
    }

    #[test]
    fn fields_of_one_array_sort_together() {
        let subjects = [
            "{a: [{b: 1, c: 5}, {b: 0, c: 9}]}",
            "{a: [{b: 0, c: 8}]}",
            "{a: {b: 0, c: 10}}",
        ];
        assert_eq!(sorted("{\"a.b\": 1, \"a.c\": 1}", &subjects), [1, 0, 2]);
        assert_eq!(sorted("{\"a.b\": 1, \"a.c\": -1}", &subjects), [2, 0, 1]);
    }

    #[test]
    fn a_meta_sorts_by_what_is_known_of_the_row() {
        let spec = document("{x: {$meta: \"randVal\"}, a: 1}");
        let shared = SharedMetadata::default();
        let pattern = SortPattern::compile(spec.as_document())
            .expect("a valid pattern")
            .with_metadata(&shared);
        assert_eq!(pattern.paths().collect::<Vec<_>>(), ["a"]);
        assert_eq!(
            pattern.spec().to_buf(),
            document("{$computed0: {$meta: \"randVal\"}, a: 1}")
        );
        let metadata = Metadata::wanting(&shared, MetaKind::RANDOM);
        let key = |row: &str, subject: &str| {
            let mut key = Vec::new();
            metadata.set(document(row).as_document());
            let subject = document(subject);
            pattern
                .write_key(subject.as_document(), &mut SortScratch::default(), &mut key)
                .expect("no parallel arrays");
            key
        };
        // The field of that name is no such thing.
        assert!(key("{randVal: 2}", "{a: 9}") < key("{randVal: 1}", "{a: 1, $randVal: 5}"));
        assert!(key("{randVal: 1}", "{a: 1}") < key("{}", "{a: 1}"));
        assert!(key("{}", "{a: 1}") < key("{}", "{a: 2}"));
    }

    #[test]
    fn parallel_arrays_are_refused() {
        let pattern = document("{a: 1, b: 1}");
        let pattern = SortPattern::compile(pattern.as_document()).expect("a valid pattern");
        let subject = document("{a: [1], b: [2]}");
        let error = pattern
            .write_key(
                subject.as_document(),
                &mut SortScratch::default(),
                &mut Vec::new(),
            )
            .expect_err("two arrays");
        assert_eq!(
            error.message,
            "cannot sort with keys that are parallel arrays"
        );
    }

    #[test]
    fn bad_patterns_are_refused() {
        assert_eq!(
            refusal("{a: 2}"),
            "15975: $sort key ordering must be 1 (for ascending) or -1 (for descending)"
        );
        assert_eq!(
            refusal("{a: \"x\"}"),
            "15974: Illegal key in $sort specification: a: \"x\""
        );
        assert!(refusal("{a: {b: 1}}").starts_with("17312: "));
        // Whether there is such metadata is a question to the whole query.
        assert_eq!(refusal("{a: {$meta: \"geoNearDistance\"}}"), "accepted");
        assert!(refusal("{a: {$meta: \"searchScore\"}}").starts_with("31218: "));
        assert_eq!(
            refusal("{a: {$meta: \"recordId\"}}"),
            "31138: Illegal $meta sort: $meta: \"recordId\""
        );
        assert!(refusal("{a: {$meta: \"randVal\", b: 1}}").starts_with("9: "));
        assert_eq!(refusal("{a: {$meta: \"randVal\"}, b: 1}"), "accepted");
        assert!(refusal("{a: 1, a: -1}").starts_with("7472500: "));
        assert!(refusal("{\"a.\": 1}").starts_with("40353: "));
        assert_eq!(refusal("{a: 1.0, b: long(-1)}"), "accepted");
        let natural = |text: &str| natural(document(text).as_document()).ok();
        assert_eq!(natural("{$natural: -1}"), Some(Some(true)));
        assert_eq!(natural("{a: 1}"), Some(None));
        assert_eq!(natural("{$natural: 1, a: 1}"), None);
        assert_eq!(natural("{$natural: 2}"), None);
    }
}
