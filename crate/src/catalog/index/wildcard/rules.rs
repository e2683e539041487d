//! What a wildcard index does in its own way, and how key patterns name it.

use super::keys;
use super::scope::{self, ALL, Wildcard, is_wildcard_name};
use crate::bson::{Document, Element, ValueRef};
use crate::catalog::index::definition::IndexDefinition;
use crate::catalog::index::field::{FieldKind, KeyField};
use crate::catalog::index::keys::KeySet;
use crate::catalog::index::kind::{IndexKind, KindRow, KindRules};
use crate::catalog::index::validation::{cannot_create, in_specification, wrong_type};
use crate::error::CommandError;

/// How key patterns name the kind: by a field, `$**` or a path that ends in it.
pub(in crate::catalog::index) const ROW: KindRow = KindRow {
    name: "wildcard",
    options: &["wildcardProjection"],
    field: FieldKind::Wildcard,
    own_part: Some(ALL),
    is_named_by: |element| {
        is_wildcard_name(element.name) && !matches!(element.value, ValueRef::String(_))
    },
    check_pattern: scope::check_pattern,
    check_options,
    check_option,
    make,
};

fn check_options(key: Document<'_>, specification: Document<'_>) -> Result<(), CommandError> {
    let is_all = key.iter().any(|field| field.name == ALL);
    if is_all && key.len() > 1 && specification.get("wildcardProjection").is_missing() {
        return Err(cannot_create(
            "Compound wildcard indexes on all fields must also specify 'wildcardProjection' option",
        ));
    }
    Ok(())
}

fn check_option(key: Document<'_>, option: &Element<'_>) -> Result<(), CommandError> {
    let projection = option.value.as_document();
    let projection =
        projection.ok_or_else(|| wrong_type(option.name, option.value, "a non-empty object"))?;
    scope::check_projection(key, projection)
}

fn make(fields: &[KeyField], specification: Document<'_>) -> Result<IndexKind, CommandError> {
    let named = { fields.iter().enumerate() }.find(|(_, field)| field.kind == FieldKind::Wildcard);
    let (position, path) = named.map_or((0, ALL), |(position, field)| (position, &field.path));
    let projection = specification.get("wildcardProjection").as_document();
    Wildcard::new(position, path, projection).map(IndexKind::Wildcard)
}

impl KindRules for Wildcard {
    fn generate(
        &self,
        definition: &IndexDefinition,
        document: Document<'_>,
        keys: &mut KeySet,
    ) -> Result<(), CommandError> {
        keys::generate(definition, self, document, keys)
    }

    fn check(&self, versioned: Document<'_>, _is_unique: bool) -> Result<(), CommandError> {
        for (option, refusal) in [
            ("sparse", "does not support the sparse option"),
            ("unique", "does not support the unique option"),
            ("expireAfterSeconds", "cannot be a TTL index"),
        ] {
            let value = versioned.get(option);
            if value.is_truthy() || (option == "expireAfterSeconds" && !value.is_missing()) {
                let refused = cannot_create(format!("Index type 'wildcard' {refusal}"));
                return Err(in_specification(versioned, refused));
            }
        }
        Ok(())
    }

    fn has_first_version(&self) -> bool {
        false
    }

    fn holds_every_document(&self) -> bool {
        false
    }

    fn reads_path(&self, path: &str) -> bool {
        self.overlaps(path)
    }

    fn keeps_array_paths(&self) -> bool {
        true
    }
}
