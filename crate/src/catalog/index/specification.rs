//! Index specifications: validation, normal form, conflicts.
//!
//! Manual: reference/command/createIndexes. Invariant: an `IndexDefinition` is valid and in the form
//! that `listIndexes` prints: `v`, `unique`, `hidden`, `key`, `name`, then the other options.

use super::clustered::Clustered;
use super::definition::{IndexDefinition, PartialFilter};
use super::field::KeyField;
use super::kind::IndexKind;
use super::text;
use super::validation::{Parsed, cannot_create, check_expiry, in_specification};
use crate::bson::{Document, DocumentBuf, DocumentBuilder, Number, ValueRef, compare_documents};
use crate::catalog::filter::FilterCompiler;
use crate::catalog::names;
use crate::catalog::options::CollectionOptions;
use crate::collation::Collation;
use crate::error::{Code, CommandError};
use std::cmp::Ordering;
use std::rc::Rc;

/// Indexes one collection may have.
pub const MAX_INDEXES: usize = 64;
/// Fields one index may have.
const MAX_FIELDS: usize = 32;
/// The name of the `_id` index.
pub const ID_INDEX_NAME: &str = "_id_";
/// The option of a TTL index.
const EXPIRY: &str = "expireAfterSeconds";
/// The option of an index that is to become unique.
pub const PREPARE: &str = "prepareUnique";

/// The names that COMPAT.md lists as supported: kinds of index, and options that something here acts on.
pub const SUPPORTED: &[&str] = &[
    "2dsphereIndexVersion",
    "background",
    "bits",
    "coarsestIndexedLevel",
    "collation",
    "default_language",
    "expireAfterSeconds",
    "finestIndexedLevel",
    "hidden",
    "kind:2d",
    "kind:2dsphere",
    "kind:clustered",
    "kind:compound",
    "kind:hashed",
    "kind:multikey",
    "kind:single",
    "kind:text",
    "kind:wildcard",
    "language_override",
    "max",
    "min",
    "name",
    "partialFilterExpression",
    "prepareUnique",
    "sparse",
    "textIndexVersion",
    "unique",
    "v",
    "weights",
    "wildcardProjection",
];

/// Whether a key pattern is that of the `_id` index: `{_id: 1}`, with 1 of any type of number.
pub fn is_id_pattern(key: Document<'_>) -> bool {
    is_id_key(key) && key.get("_id").as_exact_i64() == Some(1)
}

/// Whether a key pattern is taken for the `_id` index's: `{_id: "hashed"}` is another index.
fn is_id_key(key: Document<'_>) -> bool {
    let direction = key.get("_id").as_number().map(Number::to_i64_saturating);
    key.len() == 1 && matches!(direction, Some(1 | -1))
}

impl IndexDefinition {
    /// The definition of the `_id` index of a collection with a default collation.
    pub fn id_index(collation: &Collation) -> Self {
        let mut others = DocumentBuilder::new();
        if let Some(spec) = collation.spec() {
            others.append("collation", &spec);
        }
        let mut key = DocumentBuilder::new();
        key.append("_id", 1);
        Self {
            name: ID_INDEX_NAME.into(),
            key: key.finish(),
            fields: vec![KeyField::new("_id", false)],
            kind: IndexKind::Ordered,
            version: 2,
            unique: true,
            prepare_unique: false,
            sparse: false,
            hidden: false,
            partial: None,
            expire_after_seconds: None,
            others: others.finish(),
            collation: collation.clone(),
            uses: Rc::default(),
        }
    }

    /// The definition of a collection's `_id` index. That of `system.profile`, whose documents have no `_id`, has no
    /// key of a document without one, and is not listed.
    pub fn id_index_of(namespace: &str, options: &CollectionOptions) -> Self {
        let clustered = options.kind.clustering();
        Self {
            sparse: names::is_profile(namespace),
            kind: clustered.map_or(IndexKind::Ordered, |clustered| {
                let name = clustered.name.clone();
                IndexKind::Clustered(Clustered { name })
            }),
            expire_after_seconds: clustered.and_then(|clustered| clustered.expire_after_seconds),
            ..Self::id_index(&options.collation)
        }
    }

    /// Whether it is the `_id` index of a collection whose documents have none.
    pub fn is_unlisted(&self) -> bool {
        self.sparse && self.is_id_index()
    }

    pub fn is_id_index(&self) -> bool {
        &*self.name == ID_INDEX_NAME
    }

    /// The specification as `listIndexes` prints it.
    pub fn to_bson(&self) -> DocumentBuf {
        let mut builder = DocumentBuilder::new();
        self.append_to(&mut builder);
        builder.finish()
    }

    /// Appends the specification's fields.
    pub fn append_to(&self, builder: &mut DocumentBuilder) {
        builder.append("v", self.version);
        if self.unique && !self.is_id_index() {
            builder.append("unique", true);
        }
        if self.hidden {
            builder.append("hidden", true);
        }
        builder
            .append("key", &self.key)
            .append("name", self.shown_name());
        self.kind.rules().append_to(builder);
        let mut expires = self.expire_after_seconds;
        for element in self.others.as_document().iter() {
            if element.name != EXPIRY {
                builder.append_raw(element.raw);
            } else if let Some(seconds) = expires.take() {
                builder.append_integer(EXPIRY, seconds);
            }
        }
        if self.prepare_unique {
            builder.append(PREPARE, true);
        }
        // An expiry that `collMod` gave comes last.
        if let Some(seconds) = expires {
            builder.append_integer(EXPIRY, seconds);
        }
    }

    /// Validates a specification as `createIndexes` does.
    ///
    /// # Errors
    /// 67 `CannotCreateIndex`, 197 `InvalidIndexSpecificationOption`, 9, 14, 2; 238 for kinds and options that are
    /// known but not supported here.
    pub fn parse(
        spec: Document<'_>,
        compiler: &dyn FilterCompiler,
        default: &Collation,
    ) -> Result<Self, CommandError> {
        let complete = { text::completed(spec) }.map_err(|error| in_specification(spec, error))?;
        let spec = complete.as_ref().map_or(spec, DocumentBuf::as_document);
        let mut parsed = Parsed::default();
        for element in spec.iter() {
            parsed
                .field(spec, element, compiler)
                .map_err(|error| in_specification(spec, error))?;
        }
        let (Some(key), Some(name)) = (parsed.key, parsed.name) else {
            let missing = if parsed.key.is_none() { "key" } else { "name" };
            return Err(in_specification(
                spec,
                CommandError::new(
                    Code::FailedToParse,
                    format!(
                        "The '{missing}' field is a required property of an index specification"
                    ),
                ),
            ));
        };
        if is_id_key(key) {
            let collation = parsed.collation.as_ref().unwrap_or(default);
            return Self::parse_id(spec, key, collation, default);
        }
        if name == ID_INDEX_NAME {
            return Err(CommandError::new(
                Code::BadValue,
                format!(
                    "The index name '_id_' is reserved for the _id index, which must have key pattern \
                     {{_id: 1}}, found key: {key}"
                ),
            ));
        }
        if name == "*" {
            return Err(CommandError::new(
                Code::BadValue,
                "The index name '*' is not valid.",
            ));
        }
        let expire_after_seconds = match spec.get("expireAfterSeconds") {
            ValueRef::Missing => None,
            value => Some(check_expiry(value).map_err(|error| {
                cannot_create(format!(
                    ". Index spec: {spec} :: caused by :: {}",
                    error.message
                ))
            })?),
        };
        if expire_after_seconds.is_some() && key.len() != 1 {
            return Err(cannot_create(format!(
                "TTL indexes are single-field indexes, compound indexes do not support TTL. Index spec: {spec}"
            )));
        }
        if key.len() > MAX_FIELDS {
            return Err(CommandError::location(13103, "too many compound keys"));
        }
        let versioned = with_version(spec);
        let versioned = versioned.as_document();
        if name.is_empty() {
            return Err(in_specification(
                versioned,
                cannot_create("index name cannot be empty"),
            ));
        }
        if parsed.partial.is_some() && parsed.sparse {
            return Err(in_specification(
                versioned,
                cannot_create("cannot mix \"partialFilterExpression\" and \"sparse\" options"),
            ));
        }
        let fields = key_fields(key);
        let kind = IndexKind::of(&fields, spec, compiler)?;
        kind.rules()
            .check(versioned, parsed.unique || parsed.prepare_unique)?;
        kind.rules().complete(spec, &mut parsed.others);
        if parsed.version == Some(1) {
            check_first_version(spec, &kind, default)?;
        }
        if parsed.collation.is_none()
            && let Some(inherited) = default.spec()
        {
            parsed.others.append("collation", &inherited);
        }
        let collation = parsed.collation.unwrap_or_else(|| default.clone());
        // The terms of a text are compared byte by byte.
        if kind.text().is_some()
            && let Some(given) = collation.spec()
        {
            let refused = format!(
                "Index type 'text' does not support collation: {}",
                given.as_document()
            );
            return Err(in_specification(versioned, cannot_create(refused)));
        }
        let partial = match parsed.partial {
            None => None,
            Some(expression) => Some(PartialFilter {
                expression: expression.to_buf(),
                compiled: compiler
                    .compile(expression, &collation)
                    .map_err(|error| in_specification(versioned, error))?,
            }),
        };
        Ok(Self {
            name: name.into(),
            key: key.to_buf(),
            fields,
            kind,
            version: parsed.version.unwrap_or(2),
            unique: parsed.unique,
            prepare_unique: parsed.prepare_unique,
            sparse: parsed.sparse,
            hidden: parsed.hidden,
            partial,
            expire_after_seconds,
            others: parsed.others.finish(),
            uses: Rc::default(),
            collation,
        })
    }

    #[inline(never)]
    fn parse_id(
        spec: Document<'_>,
        key: Document<'_>,
        collation: &Collation,
        default: &Collation,
    ) -> Result<Self, CommandError> {
        if !is_id_pattern(key) {
            return Err(CommandError::new(
                Code::BadValue,
                format!("The field 'key' for an _id index must be {{_id: 1}}, but got {key}"),
            ));
        }
        for element in spec.iter() {
            if !matches!(element.name, "key" | "name" | "v" | "ns" | "collation") {
                let versioned = with_version(spec);
                return Err(CommandError::new(
                    Code::InvalidIndexSpecificationOption,
                    format!(
                        "The field '{}' is not valid for an _id index specification. Specification: {}",
                        element.name,
                        versioned.as_document()
                    ),
                ));
            }
        }
        if collation != default {
            let shown = |collation: &Collation| match collation.spec() {
                Some(spec) => spec.as_document().to_string(),
                None => "{ locale: \"simple\" }".to_owned(),
            };
            return Err(CommandError::new(
                Code::BadValue,
                format!(
                    "The _id index must have the same collation as the collection. Index collation: {}, collection \
                     collation: {}",
                    shown(collation),
                    shown(default)
                ),
            ));
        }
        Ok(Self::id_index(default))
    }

    /// Reads a specification that `to_bson` wrote.
    ///
    /// # Errors
    /// Errors of the compiler about a partial filter.
    pub fn from_stored(
        spec: Document<'_>,
        compiler: &dyn FilterCompiler,
    ) -> Result<Self, CommandError> {
        let mut others = DocumentBuilder::new();
        for element in spec.iter() {
            if !matches!(
                element.name,
                "v" | "unique" | "hidden" | "key" | "name" | "clustered" | PREPARE
            ) {
                others.append_raw(element.raw);
            }
        }
        let shown = spec.get("name").as_str().unwrap_or_default();
        let is_clustered = spec.get("clustered").is_truthy();
        let name = if is_clustered { ID_INDEX_NAME } else { shown };
        let key = spec.get("key").as_document().unwrap_or(Document::EMPTY);
        let collation = match spec.get("collation").as_document() {
            None => Collation::SIMPLE,
            Some(document) => compiler.collation(document)?,
        };
        let partial = match spec.get("partialFilterExpression").as_document() {
            None => None,
            Some(expression) => Some(PartialFilter {
                expression: expression.to_buf(),
                compiled: compiler.compile(expression, &collation)?,
            }),
        };
        let fields = key_fields(key);
        let kind = match is_clustered {
            true => IndexKind::Clustered(Clustered { name: shown.into() }),
            false => IndexKind::of(&fields, spec, compiler)?,
        };
        Ok(Self {
            name: name.into(),
            key: key.to_buf(),
            fields,
            kind,
            version: match spec.get("v").as_exact_i64() {
                Some(1) => 1,
                _ => 2,
            },
            unique: spec.get("unique").is_truthy() || name == ID_INDEX_NAME,
            prepare_unique: spec.get(PREPARE).is_truthy(),
            sparse: spec.get("sparse").is_truthy(),
            hidden: spec.get("hidden").is_truthy(),
            partial,
            expire_after_seconds: spec.get("expireAfterSeconds").as_exact_i64(),
            others: others.finish(),
            uses: Rc::default(),
            collation,
        })
    }

    /// Whether another definition indexes the same documents under the same keys. Two such indexes are equivalent, even
    /// if their names, expiry and visibility differ.
    fn has_signature_of(&self, other: &Self) -> bool {
        let expression = |definition: &Self| {
            definition
                .partial
                .as_ref()
                .map(|partial| partial.expression.clone())
        };
        let same_filter = match (expression(self), expression(other)) {
            (None, None) => true,
            (Some(a), Some(b)) => same(a.as_document(), b.as_document()),
            _ => false,
        };
        same(self.key.as_document(), other.key.as_document())
            && self.kind.is_like(&other.kind)
            && self.unique == other.unique
            && self.sparse == other.sparse
            && self.collation == other.collation
            && same_filter
    }

    /// Whether an existing index makes creating this one needless: `Ok(true)` when it is the same. An index that
    /// differs from it and yet has its name or its keys is the error.
    ///
    /// # Errors
    /// 85 `IndexOptionsConflict`, 86 `IndexKeySpecsConflict`.
    pub fn conflict_with(&self, existing: &Self) -> Result<bool, CommandError> {
        if self.is_id_index() && existing.is_id_index() {
            return Ok(true);
        }
        let same_name = self.name == existing.name;
        let equivalent = self.has_signature_of(existing);
        let identical = equivalent
            && self.kind == existing.kind
            && self.hidden == existing.hidden
            && self.prepare_unique == existing.prepare_unique
            && self.expire_after_seconds == existing.expire_after_seconds;
        let both = || {
            format!(
                "Requested index: {}, existing index: {}",
                self.to_bson().as_document(),
                existing.to_bson().as_document()
            )
        };
        match (same_name, equivalent, identical) {
            (true, _, true) => Ok(true),
            (true, true, false) => Err(CommandError::new(
                Code::IndexOptionsConflict,
                format!(
                    "An equivalent index already exists with the same name but different options. {}",
                    both()
                ),
            )),
            (true, false, _) => Err(CommandError::new(
                Code::IndexKeySpecsConflict,
                format!(
                    "An existing index has the same name as the requested index. When index names are not \
                     specified, they are auto generated and can cause conflicts. Please refer to our \
                     documentation. {}",
                    both()
                ),
            )),
            (false, _, true) => Err(CommandError::new(
                Code::IndexOptionsConflict,
                format!(
                    "Index already exists with a different name: {}",
                    existing.name
                ),
            )),
            (false, true, false) => Err(CommandError::new(
                Code::IndexOptionsConflict,
                format!(
                    "An equivalent index already exists with a different name and options. {}",
                    both()
                ),
            )),
            (false, false, _) => Ok(false),
        }
    }
}

fn same(left: Document<'_>, right: Document<'_>) -> bool {
    compare_documents(left, right) == Ordering::Equal
}

fn key_fields(key: Document<'_>) -> Vec<KeyField> {
    key.iter()
        .map(|element| KeyField::of_pattern(&element))
        .collect()
}

/// Refuses what an index of version 1 cannot be.
fn check_first_version(
    spec: Document<'_>,
    kind: &IndexKind,
    default: &Collation,
) -> Result<(), CommandError> {
    if !kind.rules().has_first_version() {
        return Err(in_specification(
            spec,
            cannot_create("'wildcard' index plugin is not allowed with index version v:1"),
        ));
    }
    match spec.get("collation").is_missing() && default.is_simple() {
        true => Ok(()),
        false => Err(in_specification(
            spec,
            cannot_create(format!(
                "Invalid index specification {spec}; cannot create an index with the 'collation' option and v=1"
            )),
        )),
    }
}

fn with_version(spec: Document<'_>) -> DocumentBuf {
    let mut builder = DocumentBuilder::new();
    builder.append_all(spec);
    if spec.get("v").is_missing() {
        builder.append("v", 2);
    }
    builder.finish()
}
