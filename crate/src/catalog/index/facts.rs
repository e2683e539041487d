//! The facts of an index that plans need, worked out once for each state of the index.

use super::definition::IndexDefinition;
use super::field::{FieldKind, KeyField};
use super::kind::GeoKind;
use crate::bson::{DocumentBuf, is_digits};
use crate::catalog::collection::Index;
use crate::collation::Collation;
use std::cell::RefCell;
use std::rc::Rc;

/// The facts of an index that a plan needs, copied so that the plan outlives the catalog's borrow.
#[derive(Debug, Clone)]
pub struct IndexFacts {
    /// Position in the collection's list of indexes.
    pub position: usize,
    pub name: String,
    pub key_pattern: DocumentBuf,
    /// Each field's name, and whether the key pattern orders it downwards.
    pub fields: Vec<(String, bool)>,
    /// The kind of each field's component.
    pub kinds: Vec<FieldKind>,
    /// The options of a geospatial index.
    pub geo: Option<GeoKind>,
    /// Whether each document that it holds has a geometry at one of its paths.
    pub needs_geometry: bool,
    /// Whether explain shows which paths hold arrays.
    pub shows_array_paths: bool,
    pub is_multikey: bool,
    /// For each field the dotted prefixes of it that hold arrays.
    pub multikey_paths: Vec<Vec<String>>,
    pub version: i32,
    pub is_unique: bool,
    pub is_sparse: bool,
    pub is_partial: bool,
    /// Whether a key can be read as part of its document: no field of the pattern is a position in
    /// an array, none leads through another, and strings are no labels.
    pub reads_as_document: bool,
    pub collation: Collation,
    /// Whether this is the order of the documents themselves.
    pub is_clustered: bool,
}

impl IndexFacts {
    /// Whether the key pattern orders its first field downwards.
    pub fn leads_descending(&self) -> bool {
        { self.fields.first() }.is_some_and(|(_, descending)| *descending)
    }

    /// Whether its keys are values of `_id` alone.
    pub fn is_id(&self) -> bool {
        matches!(&*self.fields, [(name, _)] if name == "_id")
    }

    /// Whether a key holds the field's whole value: no document has an array there, and it is no hash.
    pub fn holds_value(&self, field: usize) -> bool {
        self.kinds.get(field).is_some_and(|kind| kind.is_value())
            && self.multikey_paths.get(field).is_none_or(Vec::is_empty)
    }

    /// Whether a scan with these bounds may read the index in the place of others: one that holds only documents with a
    /// geometry must be asked for geometries.
    pub fn tells_place(&self, is_full: impl Fn(usize) -> bool) -> bool {
        let mut kinds = self.kinds.iter().enumerate();
        !self.needs_geometry || kinds.any(|(field, kind)| kind.is_geo() && !is_full(field))
    }

    /// Whether keys hold nothing but values at the fields' paths.
    pub fn is_ordered(&self) -> bool {
        self.kinds.iter().all(|kind| *kind == FieldKind::Value)
    }

    /// The position of the field whose path is the component before it.
    pub fn wildcard_field(&self) -> Option<usize> {
        { self.kinds.iter() }.position(|kind| kind.has_path())
    }

    /// The fields whose values keys hold; none of a geospatial index, which covers no query.
    pub fn plain_fields(&self) -> impl Iterator<Item = &str> {
        let fields = self.fields.iter().enumerate();
        fields
            .filter(|(field, _)| self.geo.is_none() && self.holds_value(*field))
            .map(|(_, (name, _))| name.as_str())
    }
}

/// The facts of an index, and the state of it that they are of.
struct KnownFacts {
    facts: Rc<IndexFacts>,
    definition: Rc<IndexDefinition>,
    multikey_paths: Rc<[u64]>,
}

/// The place where an index keeps its facts.
#[derive(Clone, Default)]
pub struct FactsSlot(RefCell<Option<Rc<KnownFacts>>>);

impl Index {
    /// Describes the index at a position for plans; most queries find the facts that an earlier one worked out.
    pub fn facts(&self, position: usize) -> Rc<IndexFacts> {
        let mut slot = self.facts_slot.0.borrow_mut();
        if let Some(known) = &*slot
            && Rc::ptr_eq(&known.definition, &self.definition)
            && Rc::ptr_eq(&known.multikey_paths, &self.multikey_paths)
            && known.facts.position == position
            && known.facts.is_multikey == self.multikey
        {
            return Rc::clone(&known.facts);
        }
        let facts = describe(position, self);
        *slot = Some(Rc::new(KnownFacts {
            facts: Rc::clone(&facts),
            definition: Rc::clone(&self.definition),
            multikey_paths: Rc::clone(&self.multikey_paths),
        }));
        facts
    }
}

fn describe(position: usize, index: &Index) -> Rc<IndexFacts> {
    let definition = &index.definition;
    let multikey_paths = definition
        .fields
        .iter()
        .enumerate()
        .map(|(field, key_field)| {
            let arrays = index.multikey_paths.get(field).copied().unwrap_or(0);
            let mut prefixes = Vec::new();
            let mut prefix = String::new();
            for (depth, component) in key_field.components.iter().enumerate() {
                if depth > 0 {
                    prefix.push('.');
                }
                prefix.push_str(component);
                if depth < 64 && arrays >> depth & 1 == 1 {
                    prefixes.push(prefix.clone());
                }
            }
            prefixes
        })
        .collect();
    Rc::new(IndexFacts {
        position,
        name: definition.shown_name().to_owned(),
        key_pattern: definition.key.clone(),
        fields: definition
            .fields
            .iter()
            .map(|field| (field.path.to_string(), field.descending))
            .collect(),
        kinds: definition.fields.iter().map(|field| field.kind).collect(),
        geo: definition.kind.geo(),
        needs_geometry: definition.kind.geo().is_some()
            && !definition.kind.rules().holds_every_document(),
        shows_array_paths: definition.kind.rules().shows_array_paths(),
        is_multikey: index.multikey,
        multikey_paths,
        version: definition.version,
        is_unique: definition.unique || definition.is_id_index(),
        is_sparse: definition.sparse,
        is_partial: definition.partial.is_some(),
        reads_as_document: definition.collation.is_simple()
            && !definition.kind.is_clustered()
            && reads_as_document(&definition.fields),
        collation: definition.collation.clone(),
        is_clustered: definition.kind.is_clustered(),
    })
}

fn reads_as_document(fields: &[KeyField]) -> bool {
    fields.iter().all(|field| {
        !has_position(&field.path)
            && fields.iter().all(|other| {
                other.path == field.path
                    || !field.path.starts_with(&*other.path)
                    || field.path.as_bytes().get(other.path.len()) != Some(&b'.')
            })
    })
}

/// Whether a part of a path is a number.
pub fn has_position(path: &str) -> bool {
    path.split('.').any(is_digits)
}
