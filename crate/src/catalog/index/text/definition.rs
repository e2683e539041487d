//! What a text index does in its own way, and how key patterns name it.

use super::keys;
use super::language::Language;
use crate::bson::{Document, ValueRef};
use crate::catalog::index::definition::IndexDefinition;
use crate::catalog::index::field::{FieldKind, KeyField};
use crate::catalog::index::keys::KeySet;
use crate::catalog::index::kind::{IndexKind, KindRow, KindRules};
use crate::catalog::index::overlap::overlap;
use crate::env::{Env, NoEnv, Words};
use crate::error::CommandError;
use std::rc::Rc;

/// How key patterns name the kind: `{a: "text"}`, which is kept as `{_fts: "text", _ftsx: 1}`.
pub(in crate::catalog::index) const ROW: KindRow = KindRow {
    name: "text",
    field: FieldKind::Term,
    is_named_by: |element| matches!(element.value, ValueRef::String(text) if text == *"text"),
    make,
    ..KindRow::PLAIN
};

/// The definition of a text index, beside its key pattern.
#[derive(Clone)]
pub struct Text {
    /// The fields before the term, and how many there are behind the score.
    pub before: usize,
    pub version: u8,
    pub default_language: Language,
    /// The name of that language as it was given.
    pub language_name: Box<str>,
    /// The field of a document that names the language of its texts.
    pub(super) language_override: Box<str>,
    /// Whether every text of a document is in the index.
    pub(super) is_wildcard: bool,
    /// The weight of each field, in the order of their paths.
    pub(super) weights: Vec<(Box<str>, f64)>,
    /// Stems and stop words, as the host has them.
    pub words: Rc<dyn Words>,
}

impl std::fmt::Debug for Text {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Text")
    }
}

/// Indexes that differ in their version alone are the same.
impl PartialEq for Text {
    fn eq(&self, other: &Self) -> bool {
        self.default_language == other.default_language
            && self.language_override == other.language_override
            && self.is_wildcard == other.is_wildcard
            && self.weights == other.weights
    }
}

impl Eq for Text {}

fn make(fields: &[KeyField], specification: Document<'_>) -> Result<IndexKind, CommandError> {
    let text = |name: &str| specification.get(name).as_str().unwrap_or_default();
    let version = specification.get("textIndexVersion").as_exact_i64();
    let version = version.unwrap_or(3) as u8;
    let weights = specification.get("weights").as_document();
    let mut weights: Vec<(Box<str>, f64)> = { weights.unwrap_or(Document::EMPTY).iter() }
        .map(|field| {
            let weight = field
                .value
                .as_number()
                .map_or(1.0, |number| number.to_f64());
            (field.name.into(), weight)
        })
        .collect();
    let fields_of_weights = weights.len();
    weights.retain(|(path, _)| **path != *"$**");
    Ok(IndexKind::Text(Box::new(Text {
        before: { fields.iter() }
            .position(|field| field.kind == FieldKind::Term)
            .unwrap_or(0),
        version,
        default_language: Language::parse(text("default_language"), version)?,
        language_name: text("default_language").into(),
        language_override: text("language_override").into(),
        is_wildcard: weights.len() < fields_of_weights,
        weights,
        words: NoEnv.words(),
    })))
}

impl KindRules for Text {
    fn generate(
        &self,
        definition: &IndexDefinition,
        document: Document<'_>,
        keys: &mut KeySet,
    ) -> Result<(), CommandError> {
        keys::generate(definition, self, document, keys)
    }

    fn holds_every_document(&self) -> bool {
        false
    }

    fn reads_path(&self, path: &str) -> bool {
        // A document within another may name a language of its own, at any depth.
        let names_language = |name: &str| *name == *self.language_override;
        self.is_wildcard
            || path.split('.').any(names_language)
            || self.weights.iter().any(|(own, _)| overlap(own, path))
    }

    fn shows_array_paths(&self) -> bool {
        false
    }

    fn answers_predicates(&self) -> bool {
        false
    }

    fn is_the_only_one(&self) -> bool {
        true
    }
}
