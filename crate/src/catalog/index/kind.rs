//! The kinds of index. A kind is one file or folder here, which says how keys are made of a document and what a
//! definition of the kind may be; how the planner bounds its keys is one file of `planner/kinds`.
//!
//! ```text
//! {a: "hashed", b: 1}   ─ ROWS: a field names the kind "hashed" ─► check_pattern, make ─► IndexKind::Hashed
//! IndexKind::rules      ─ how its keys are made, which facts hold of them
//! ```
//!
//! **Invariant:** the variants of `IndexKind` are told apart here alone; all others ask its rules. A new kind is a
//! variant, an arm of `rules` and, where key patterns name it, a row.

use super::clustered::Clustered;
use super::definition::IndexDefinition;
use super::field::{FieldKind, KeyField};
use super::flat;
use super::hashed;
use super::keys::KeySet;
use super::ordered::Ordered;
use super::sphere;
use super::text::{self, Text};
use super::wildcard::{self, Wildcard};
use crate::bson::{Document, DocumentBuilder, Element};
use crate::catalog::filter::FilterCompiler;
use crate::error::CommandError;
use crate::geo::{Grid, IndexLevels};

/// Which algorithm makes the keys of an index.
#[derive(Debug, Clone, PartialEq)]
pub enum IndexKind {
    /// Values in their order.
    Ordered,
    /// The `_id` index of a clustered collection, which commands show as the order of the documents.
    Clustered(Clustered),
    /// `2d`: points on a plane.
    Flat(Grid),
    Hashed,
    /// `2dsphere`: geometries on the sphere.
    Sphere(IndexLevels),
    Wildcard(Wildcard),
    Text(Box<Text>),
}

/// A geospatial kind, with the options that keys are made by.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum GeoKind {
    Flat(Grid),
    Sphere(IndexLevels),
}

/// What an index of one kind does in its own way.
pub trait KindRules {
    /// Makes a document's keys, of a document that the index's partial filter lets in. `keys` is empty before.
    ///
    /// # Errors
    /// The refusal of a document that no index of this kind can hold.
    fn generate(
        &self,
        definition: &IndexDefinition,
        document: Document<'_>,
        keys: &mut KeySet,
    ) -> Result<(), CommandError>;

    /// Refuses a specification that no index of this kind can have. `versioned` is the specification with its version.
    ///
    /// # Errors
    /// 67 `CannotCreateIndex`, and the kind's own codes.
    fn check(&self, _versioned: Document<'_>, _is_unique: bool) -> Result<(), CommandError> {
        Ok(())
    }

    /// Whether there are indexes of version 1 of this kind.
    fn has_first_version(&self) -> bool {
        true
    }

    /// Whether a key holds the values at the fields' paths as they are, so that comparing keys is comparing values.
    fn keys_are_values(&self) -> bool {
        false
    }

    /// Whether every document has a key, but for those that a sparse or partial index leaves out.
    fn holds_every_document(&self) -> bool {
        true
    }

    /// Whether keys are made of values at or below this path too, beside the fields of the key pattern.
    fn reads_path(&self, _path: &str) -> bool {
        false
    }

    /// Whether an index keeps the paths of arrays, rather than the array components of each field.
    fn keeps_array_paths(&self) -> bool {
        false
    }

    /// Whether explain shows which paths hold arrays.
    fn shows_array_paths(&self) -> bool {
        true
    }

    /// Whether keys serve predicates on their fields, rather than a kind of search alone.
    fn answers_predicates(&self) -> bool {
        true
    }

    /// Whether a collection has one index of the kind at most.
    fn is_the_only_one(&self) -> bool {
        false
    }

    /// The name that commands show in the place of the index's own.
    fn shown_name(&self) -> Option<&str> {
        None
    }

    /// Appends the fields that a specification of this kind shows after its name.
    fn append_to(&self, _specification: &mut DocumentBuilder) {}

    /// Appends the options that a specification of this kind has although it was given without them.
    fn complete(&self, _specification: Document<'_>, _others: &mut DocumentBuilder) {}
}

impl IndexKind {
    /// The rules of the kind.
    pub fn rules(&self) -> &dyn KindRules {
        match self {
            Self::Ordered => &Ordered,
            Self::Clustered(clustered) => clustered,
            Self::Flat(grid) => grid,
            Self::Hashed => &hashed::Hashed,
            Self::Sphere(levels) => levels,
            Self::Wildcard(wildcard) => wildcard,
            Self::Text(text) => &**text,
        }
    }

    /// The options of a geospatial index.
    pub fn geo(&self) -> Option<GeoKind> {
        match self {
            Self::Flat(grid) => Some(GeoKind::Flat(*grid)),
            Self::Sphere(levels) => Some(GeoKind::Sphere(*levels)),
            _ => None,
        }
    }

    /// Whether two indexes over the same fields are the same but for options that tell no two indexes apart.
    pub(super) fn is_like(&self, other: &Self) -> bool {
        self == other || (self.geo().is_some() && other.geo().is_some())
    }

    /// Whether it is the order of the documents themselves, as commands show it.
    pub fn is_clustered(&self) -> bool {
        matches!(self, Self::Clustered(_))
    }

    /// The paths of a wildcard index.
    pub fn wildcard(&self) -> Option<&Wildcard> {
        match self {
            Self::Wildcard(wildcard) => Some(wildcard),
            _ => None,
        }
    }

    /// The texts of a text index.
    pub fn text(&self) -> Option<&Text> {
        match self {
            Self::Text(text) => Some(text),
            _ => None,
        }
    }

    /// The kind of an index with these fields, of a specification whose pattern was checked, over what the compiler's
    /// host knows.
    pub(super) fn of(
        fields: &[KeyField],
        specification: Document<'_>,
        compiler: &dyn FilterCompiler,
    ) -> Result<Self, CommandError> {
        let named = |row: &&KindRow| fields.iter().any(|field| field.kind == row.field);
        match ROWS.iter().find(named) {
            None => Ok(Self::Ordered),
            Some(row) => {
                let mut kind = (row.make)(fields, specification)?;
                if let Self::Text(text) = &mut kind {
                    text.words = compiler.words();
                }
                Ok(kind)
            }
        }
    }
}

/// A kind that key patterns name.
pub(super) struct KindRow {
    /// The kind's name in messages, and its value in key patterns where a value names it.
    pub name: &'static str,
    /// The options that this kind alone has.
    pub options: &'static [&'static str],
    /// The component that a field which names the kind puts into a key.
    pub field: FieldKind,
    /// The last part that only names of fields which name this kind may have.
    pub own_part: Option<&'static str>,
    /// Whether a field of a key pattern names this kind.
    pub is_named_by: fn(&Element<'_>) -> bool,
    /// Checks the fields of a key pattern of this kind beside one another.
    pub check_pattern: fn(Document<'_>) -> Result<(), CommandError>,
    /// Checks which of its own options a specification has whose key pattern names this kind, perhaps beside another.
    pub check_options: fn(Document<'_>, Document<'_>) -> Result<(), CommandError>,
    /// Checks one of its own options, of a specification with this key pattern.
    pub check_option: fn(Document<'_>, &Element<'_>) -> Result<(), CommandError>,
    /// Makes the kind of an index of its fields and its specification.
    pub make: fn(&[KeyField], Document<'_>) -> Result<IndexKind, CommandError>,
}

impl KindRow {
    /// A kind without options of its own, and without rules for the fields of its patterns.
    pub const PLAIN: Self = Self {
        name: "",
        options: &[],
        field: FieldKind::Flat,
        own_part: None,
        is_named_by: |_| false,
        check_pattern: |_| Ok(()),
        check_options: |_, _| Ok(()),
        check_option: |_, _| Ok(()),
        make: |_, _| Ok(IndexKind::Ordered),
    };
}

/// The kinds that key patterns name, by name.
pub(super) const ROWS: &[KindRow] = &[
    flat::ROW,
    sphere::ROW,
    hashed::ROW,
    text::ROW,
    wildcard::ROW,
];

/// The row of the kind that a field of a key pattern names.
pub(super) fn named_by(element: &Element<'_>) -> Option<&'static KindRow> {
    ROWS.iter().find(|row| (row.is_named_by)(element))
}
