//! The definition of an index: the fields of its key, the way keys are made, and its options.
//!
//! Example: `{key: {kind: 1, "size.h": -1}, name: "kind_1_size.h_-1", unique: true}` has two fields, the second of two
//! components and descending. `index_spec` makes a definition of a specification, or refuses it.

use super::filter::DocumentFilter;
use super::wildcard_spec::{self, Wildcard};
use crate::bson::{Document, DocumentBuf, ValueRef};
use crate::collation::Collation;
use crate::error::CommandError;
use crate::storage::accounting::UseCount;
use std::rc::Rc;

/// The kind of component that a field of a key pattern puts into a key.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FieldKind {
    /// The value at its path.
    Value,
    /// The hash of that value.
    Hashed,
    /// A path, and the value there: of many paths.
    Wildcard,
}

/// One field of a key pattern.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KeyField {
    /// The dotted path.
    pub path: Box<str>,
    /// The path's parts, in order; never empty.
    pub components: Box<[Box<str>]>,
    pub descending: bool,
    pub kind: FieldKind,
}

impl KeyField {
    pub fn new(path: &str, descending: bool) -> Self {
        Self {
            path: path.into(),
            components: path.split('.').map(Box::from).collect(),
            descending,
            kind: FieldKind::Value,
        }
    }

    /// The field that an element of a valid key pattern stands for.
    pub(super) fn of_pattern(name: &str, value: ValueRef<'_>) -> Self {
        let kind = match value {
            ValueRef::String(_) => FieldKind::Hashed,
            _ if wildcard_spec::is_wildcard_name(name) => FieldKind::Wildcard,
            _ => FieldKind::Value,
        };
        Self {
            kind,
            ..Self::new(name, kind != FieldKind::Hashed && !is_positive(value))
        }
    }
}

/// Which algorithm makes the keys of an index.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum IndexKind {
    Ordered,
    Hashed,
    Wildcard(Wildcard),
}

impl IndexKind {
    pub(super) fn of(
        fields: &[KeyField],
        projection: Option<Document<'_>>,
    ) -> Result<Self, CommandError> {
        if fields.iter().any(|field| field.kind == FieldKind::Hashed) {
            return Ok(Self::Hashed);
        }
        match fields
            .iter()
            .enumerate()
            .find(|(_, field)| field.kind == FieldKind::Wildcard)
        {
            None => Ok(Self::Ordered),
            Some((position, field)) => {
                Wildcard::new(position, &field.path, projection).map(Self::Wildcard)
            }
        }
    }
}

/// The filter of a partial index.
#[derive(Clone)]
pub struct PartialFilter {
    /// The expression as it was given.
    pub expression: DocumentBuf,
    pub compiled: Rc<dyn DocumentFilter>,
}

/// A valid index specification.
#[derive(Clone)]
pub struct IndexDefinition {
    pub name: Box<str>,
    /// The key pattern as it was given (`{a: 1, b: -1}`).
    pub key: DocumentBuf,
    pub fields: Vec<KeyField>,
    pub kind: IndexKind,
    /// 2, or 1 where that was asked for: such an index has neither decimals nor a collation.
    pub version: i32,
    pub unique: bool,
    pub sparse: bool,
    pub hidden: bool,
    pub partial: Option<PartialFilter>,
    /// Seconds after which a TTL index lets documents expire.
    pub expire_after_seconds: Option<i64>,
    /// The options printed after the name, in the order they were given; the number of an expiry here is that
    /// of the creation.
    pub others: DocumentBuf,
    /// How often commands read the index. A changed definition counts anew.
    pub uses: Rc<UseCount>,
    /// How strings are compared: keys hold labels in their place when it is not the simple one.
    pub collation: Collation,
    /// The name that a clustered collection's `_id` index goes by; `None` for all other indexes.
    pub clustered: Option<Box<str>>,
}

impl IndexDefinition {
    /// The name that commands know the index by.
    pub fn shown_name(&self) -> &str {
        self.clustered.as_deref().unwrap_or(&self.name)
    }

    /// Whether the first field of the key runs from high to low.
    pub fn leads_descending(&self) -> bool {
        self.fields.first().is_some_and(|field| field.descending)
    }
}

fn is_positive(value: ValueRef<'_>) -> bool {
    value
        .as_number()
        .is_some_and(|number| number.to_f64() > 0.0)
}
