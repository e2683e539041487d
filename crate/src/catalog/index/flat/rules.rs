//! What a `2d` index does in its own way, and how key patterns name it.
//!
//! Manual: core/indexes/index-types/geospatial/2d. Invariant: an index holds no document without a point; its first
//! field is the point, and the others are stored as they are, arrays included.

use super::keys;
use crate::bson::{Document, ValueRef};
use crate::catalog::index::definition::IndexDefinition;
use crate::catalog::index::field::{FieldKind, KeyField};
use crate::catalog::index::keys::KeySet;
use crate::catalog::index::kind::{IndexKind, KindRow, KindRules};
use crate::catalog::index::paths::check_numbers;
use crate::catalog::index::validation::cannot_create;
use crate::error::{Code, CommandError};
use crate::geo::Grid;

/// How key patterns name the kind: `{place: "2d"}`.
pub(in crate::catalog::index) const ROW: KindRow = KindRow {
    name: "2d",
    field: FieldKind::Flat,
    is_named_by: |element| matches!(element.value, ValueRef::String(text) if text == *"2d"),
    make,
    ..KindRow::PLAIN
};

fn make(fields: &[KeyField], specification: Document<'_>) -> Result<IndexKind, CommandError> {
    let is_point = |field: &KeyField| field.kind == FieldKind::Flat;
    let message = match { fields.iter() }.filter(|field| is_point(field)).count() {
        1 => (!fields.first().is_some_and(is_point))
            .then_some((16801, "2d has to be first in index")),
        _ => Some((16800, "can't have 2 geo fields")),
    };
    if let Some((code, message)) = message {
        return Err(CommandError::location(code, message));
    }
    let number = |name: &str, default: f64| match specification.get(name) {
        ValueRef::Missing => Ok(default),
        value => { value.as_number() }
            .map(|number| number.to_f64())
            .ok_or_else(|| {
                let words = format!(
                    "wrong type for '{name}' field, expected a number, found {name}: {value}"
                );
                CommandError::new(Code::InvalidOptions, words)
            }),
    };
    let grid = Grid::DEFAULT;
    Grid::new(
        number("bits", f64::from(grid.bits))?,
        number("min", grid.min)?,
        number("max", grid.max)?,
    )
    .map(IndexKind::Flat)
}

impl KindRules for Grid {
    fn generate(
        &self,
        definition: &IndexDefinition,
        document: Document<'_>,
        keys: &mut KeySet,
    ) -> Result<(), CommandError> {
        keys::generate(definition, self, document, keys)
    }

    fn check(&self, versioned: Document<'_>, _is_unique: bool) -> Result<(), CommandError> {
        check_numbers(versioned, "2d")?;
        match versioned.get("collation").as_document() {
            Some(collation) if collation.get("locale").as_str() != Some("simple") => {
                Err(cannot_create(format!(
                    "Index type '2d' does not support collation: {collation}"
                )))
            }
            _ => Ok(()),
        }
    }

    fn holds_every_document(&self) -> bool {
        false
    }

    fn shows_array_paths(&self) -> bool {
        false
    }
}
