//! The definition of an index: the fields of its key, the way keys are made, and its options.
//!
//! Example: `{key: {kind: 1, "size.h": -1}, name: "kind_1_size.h_-1", unique: true}` has two fields, the second of two
//! components and descending. `specification` makes a definition of a specification, or refuses it.

use super::field::KeyField;
use super::kind::IndexKind;
use crate::bson::DocumentBuf;
use crate::catalog::filter::DocumentFilter;
use crate::collation::Collation;
use crate::storage::accounting::UseCount;
use std::rc::Rc;

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
    /// Whether the index refuses repeated keys from now on, so that `collMod` can make it unique.
    pub prepare_unique: bool,
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
}

impl IndexDefinition {
    /// The name that commands know the index by.
    pub fn shown_name(&self) -> &str {
        self.kind.rules().shown_name().unwrap_or(&self.name)
    }

    /// Whether the index refuses a key that it already has. Only a unique index is known to have each key once.
    pub fn guards(&self) -> bool {
        self.unique || self.prepare_unique
    }

    /// Whether the first field of the key runs from high to low.
    pub fn leads_descending(&self) -> bool {
        self.fields.first().is_some_and(|field| field.descending)
    }
}
