//! Index specifications: validation, normal form, conflicts.
//!
//! Manual: reference/command/createIndexes. Invariant: an `IndexDefinition` is valid and in the form
//! that `listIndexes` prints: `v`, `unique`, `hidden`, `key`, `name`, then the other options.

use super::filter::{DocumentFilter, FilterCompiler};
use crate::bson::{
    BsonType, Document, DocumentBuf, DocumentBuilder, Element, ValueRef, compare_documents,
};
use crate::error::{Code, CommandError};
use std::cmp::Ordering;
use std::rc::Rc;

/// Indexes one collection may have.
pub const MAX_INDEXES: usize = 64;
/// Fields one index may have.
const MAX_FIELDS: usize = 32;
/// The name of the `_id` index.
pub const ID_INDEX_NAME: &str = "_id_";

/// Options that belong to index kinds this build does not have, and known ones that it has.
const KNOWN_OPTIONS: &[&str] = &[
    "2dsphereIndexVersion",
    "background",
    "bits",
    "bucketSize",
    "clustered",
    "coarsestIndexedLevel",
    "collation",
    "default_language",
    "dropDups",
    "expireAfterSeconds",
    "finestIndexedLevel",
    "hidden",
    "key",
    "language_override",
    "max",
    "min",
    "name",
    "ns",
    "originalSpec",
    "partialFilterExpression",
    "prepareUnique",
    "sparse",
    "storageEngine",
    "textIndexVersion",
    "unique",
    "v",
    "weights",
    "wildcardProjection",
];
/// Known options that nothing here acts on: refused rather than ignored.
const REFUSED_OPTIONS: &[&str] = &[
    "clustered",
    "originalSpec",
    "prepareUnique",
    "storageEngine",
];
/// Index kinds, by the string value of a key field.
const KINDS: &[&str] = &["2d", "2dsphere", "2dsphere_bucket", "hashed", "text"];

/// One field of a key pattern.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KeyField {
    /// The dotted path.
    pub path: Box<str>,
    /// The path's parts, in order; never empty.
    pub components: Box<[Box<str>]>,
    pub descending: bool,
}

impl KeyField {
    pub fn new(path: &str, descending: bool) -> Self {
        Self {
            path: path.into(),
            components: path.split('.').map(Box::from).collect(),
            descending,
        }
    }
}

/// The filter of a partial index.
#[derive(Clone)]
pub struct PartialFilter {
    /// As it was given.
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
    pub unique: bool,
    pub sparse: bool,
    pub hidden: bool,
    pub partial: Option<PartialFilter>,
    /// Seconds after which a TTL index lets documents expire.
    pub expire_after_seconds: Option<i64>,
    /// The other options, as they are printed (`background`, `collation`, …).
    pub others: DocumentBuf,
}

fn cannot_create(message: impl Into<String>) -> CommandError {
    CommandError::new(Code::CannotCreateIndex, message)
}

/// The name of an index that was given none: `a_1_b_-1`.
pub fn generated_name(key: Document<'_>) -> String {
    let mut name = String::new();
    for element in key.iter() {
        if !name.is_empty() {
            name.push('_');
        }
        name.push_str(element.name);
        name.push('_');
        match element.value {
            ValueRef::String(kind) => name.push_str(kind),
            other => match other.as_exact_i64() {
                Some(number) => name.push_str(&number.to_string()),
                None => name.push_str(&other.to_string()),
            },
        }
    }
    name
}

/// Whether an option may stand in an index specification.
pub fn is_known_option(name: &str) -> bool {
    KNOWN_OPTIONS.binary_search(&name).is_ok()
}

/// Whether a key pattern is that of the `_id` index (`{_id: 1}`, whatever the number's type).
pub fn is_id_pattern(key: Document<'_>) -> bool {
    let mut elements = key.iter();
    let first = elements
        .next()
        .is_some_and(|element| element.name == "_id" && is_positive(element.value));
    first && elements.next().is_none()
}

fn is_positive(value: ValueRef<'_>) -> bool {
    value
        .as_number()
        .is_some_and(|number| number.to_f64() > 0.0)
}

impl IndexDefinition {
    /// The definition of every collection's `_id` index.
    pub fn id_index() -> Self {
        let mut key = DocumentBuilder::new();
        key.append("_id", 1);
        Self {
            name: ID_INDEX_NAME.into(),
            key: key.finish(),
            fields: vec![KeyField::new("_id", false)],
            unique: true,
            sparse: false,
            hidden: false,
            partial: None,
            expire_after_seconds: None,
            others: DocumentBuf::default(),
        }
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
        builder.append("v", 2);
        if self.unique && !self.is_id_index() {
            builder.append("unique", true);
        }
        if self.hidden {
            builder.append("hidden", true);
        }
        builder.append("key", &self.key).append("name", &*self.name);
        if self.sparse {
            builder.append("sparse", true);
        }
        if let Some(partial) = &self.partial {
            builder.append("partialFilterExpression", &partial.expression);
        }
        if let Some(seconds) = self.expire_after_seconds {
            super::options::append_integer(builder, "expireAfterSeconds", seconds);
        }
        builder.append_all(self.others.as_document());
    }

    /// Validates a specification as `createIndexes` does.
    ///
    /// # Errors
    /// 67 `CannotCreateIndex`, 197 `InvalidIndexSpecificationOption`, 9, 14, 2; 238 for kinds and options that are
    /// known but not supported here.
    pub fn parse(spec: Document<'_>, compiler: &dyn FilterCompiler) -> Result<Self, CommandError> {
        let mut parsed = Parsed::default();
        for element in spec.iter() {
            parsed
                .field(spec, element)
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
        let first = key.iter().next();
        if key.len() == 1 && first.is_some_and(|element| element.name == "_id") {
            return Self::parse_id(spec, key, compiler);
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
        let partial = match parsed.partial {
            None => None,
            Some(expression) => Some(PartialFilter {
                expression: expression.to_buf(),
                compiled: compiler
                    .compile(expression)
                    .map_err(|error| in_specification(versioned, error))?,
            }),
        };
        Ok(Self {
            name: name.into(),
            key: key.to_buf(),
            fields: key_fields(key),
            unique: parsed.unique,
            sparse: parsed.sparse,
            hidden: parsed.hidden,
            partial,
            expire_after_seconds,
            others: parsed.others.finish(),
        })
    }

    fn parse_id(
        spec: Document<'_>,
        key: Document<'_>,
        _: &dyn FilterCompiler,
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
        Ok(Self::id_index())
    }

    /// Reads a specification that `to_bson` wrote.
    ///
    /// # Errors
    /// What the compiler says of a partial filter.
    pub fn from_stored(
        spec: Document<'_>,
        compiler: &dyn FilterCompiler,
    ) -> Result<Self, CommandError> {
        let mut others = DocumentBuilder::new();
        for element in spec.iter() {
            if !matches!(
                element.name,
                "v" | "unique"
                    | "hidden"
                    | "key"
                    | "name"
                    | "sparse"
                    | "partialFilterExpression"
                    | "expireAfterSeconds"
            ) {
                others.append_raw(element.raw);
            }
        }
        let name = spec.get("name").as_str().unwrap_or_default();
        let key = spec.get("key").as_document().unwrap_or(Document::EMPTY);
        let partial = match spec.get("partialFilterExpression").as_document() {
            None => None,
            Some(expression) => Some(PartialFilter {
                expression: expression.to_buf(),
                compiled: compiler.compile(expression)?,
            }),
        };
        Ok(Self {
            name: name.into(),
            key: key.to_buf(),
            fields: key_fields(key),
            unique: spec.get("unique").is_truthy() || name == ID_INDEX_NAME,
            sparse: spec.get("sparse").is_truthy(),
            hidden: spec.get("hidden").is_truthy(),
            partial,
            expire_after_seconds: spec.get("expireAfterSeconds").as_exact_i64(),
            others: others.finish(),
        })
    }

    /// Whether another definition indexes the same documents under the same keys: what makes two
    /// indexes equivalent, whatever their names, expiry and visibility.
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
            && self.unique == other.unique
            && self.sparse == other.sparse
            && same_filter
    }

    /// What creating this index beside an existing one means: `Ok(true)` when it is there already.
    ///
    /// # Errors
    /// 85 `IndexOptionsConflict`, 86 `IndexKeySpecsConflict`.
    pub fn conflict_with(&self, existing: &Self) -> Result<bool, CommandError> {
        if self.is_id_index() && existing.is_id_index() {
            return Ok(true);
        }
        let same_name = self.name == existing.name;
        let equivalent = self.has_signature_of(existing);
        let identical = equivalent && self.expire_after_seconds == existing.expire_after_seconds;
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
        .map(|element| KeyField::new(element.name, !is_positive(element.value)))
        .collect()
}

fn with_version(spec: Document<'_>) -> DocumentBuf {
    let mut builder = DocumentBuilder::new();
    builder.append_all(spec);
    if spec.get("v").is_missing() {
        builder.append("v", 2);
    }
    builder.finish()
}

fn in_specification(spec: Document<'_>, error: CommandError) -> CommandError {
    CommandError {
        message: format!(
            "Error in specification {spec} :: caused by :: {}",
            error.message
        ),
        ..error
    }
}

/// Checks the seconds of a TTL index and cuts them to a whole number.
///
/// # Errors
/// 67 `CannotCreateIndex`.
pub fn check_expiry(value: ValueRef<'_>) -> Result<i64, CommandError> {
    let Some(number) = value.as_number() else {
        return Err(cannot_create(format!(
            "TTL index 'expireAfterSeconds' option must be numeric, but received a type of '{}'",
            value.type_name()
        )));
    };
    if number.is_nan() {
        return Err(cannot_create(
            "TTL index 'expireAfterSeconds' option must not be NaN",
        ));
    }
    match number.to_i64_saturating() {
        seconds if seconds < 0 => Err(cannot_create(
            "TTL index 'expireAfterSeconds' option cannot be less than 0",
        )),
        seconds if seconds > i64::from(i32::MAX) => Err(cannot_create(
            "TTL index 'expireAfterSeconds' must be within the range of a 32-bit integer",
        )),
        seconds => Ok(seconds),
    }
}

/// What the fields of a specification say so far.
#[derive(Default)]
struct Parsed<'a> {
    key: Option<Document<'a>>,
    name: Option<&'a str>,
    unique: bool,
    sparse: bool,
    hidden: bool,
    partial: Option<Document<'a>>,
    others: DocumentBuilder,
}

impl<'a> Parsed<'a> {
    fn field(&mut self, spec: Document<'_>, element: Element<'a>) -> Result<(), CommandError> {
        let Element { name, value, .. } = element;
        if !is_known_option(name) {
            return Err(CommandError::new(
                Code::InvalidIndexSpecificationOption,
                format!(
                    "The field '{name}' is not valid for an index specification. Specification: {spec}"
                ),
            ));
        }
        match name {
            "key" => {
                let key = value
                    .as_document()
                    .ok_or_else(|| wrong_type(name, value, "an object"))?;
                check_key(key)?;
                self.key = Some(key);
            }
            "name" => {
                self.name = Some(
                    value
                        .as_str()
                        .ok_or_else(|| wrong_type(name, value, "a string"))?,
                )
            }
            "unique" => self.unique = flag(element)?,
            "sparse" => self.sparse = flag(element)?,
            "hidden" => {
                self.hidden = value
                    .as_bool()
                    .ok_or_else(|| wrong_type(name, value, "a bool"))?
            }
            "background" => {
                if flag(element)? {
                    self.others.append(name, true);
                }
            }
            "dropDups" => drop(flag(element)?),
            "partialFilterExpression" => {
                self.partial = Some(
                    value
                        .as_document()
                        .ok_or_else(|| wrong_type(name, value, "an object"))?,
                );
            }
            "v" => check_version(spec, value)?,
            "collation" => check_collation(value)?,
            "ns" | "expireAfterSeconds" => {}
            "wildcardProjection" => {
                return Err(CommandError::new(
                    Code::BadValue,
                    "The field 'wildcardProjection' is only allowed in 'wildcard' indexes",
                ));
            }
            "weights" => {
                return Err(cannot_create(format!(
                    "Invalid index specification {spec}; the field 'weights' can only be specified with text indexes"
                )));
            }
            refused if REFUSED_OPTIONS.contains(&refused) => {
                return Err(CommandError::new(
                    Code::NotImplemented,
                    format!("the index option '{name}' is not supported"),
                ));
            }
            // Options of text and geospatial indexes mean nothing here, and the server keeps them too.
            _ => {
                self.others.append_raw(element.raw);
            }
        }
        Ok(())
    }
}

fn wrong_type(name: &str, value: ValueRef<'_>, expected: &str) -> CommandError {
    CommandError::new(
        Code::TypeMismatch,
        format!(
            "The field '{name}' must be {expected}, but got {}",
            value.type_name()
        ),
    )
}

fn flag(element: Element<'_>) -> Result<bool, CommandError> {
    let value = element.value;
    match (value.as_bool(), value.as_number()) {
        (Some(flag), _) => Ok(flag),
        (None, Some(number)) => Ok(!number.is_zero()),
        (None, None) => Err(CommandError::new(
            Code::TypeMismatch,
            format!(
                "The field '{} has value {}: {value}, which is not convertible to bool",
                element.name, element.name
            ),
        )),
    }
}

fn check_version(spec: Document<'_>, value: ValueRef<'_>) -> Result<(), CommandError> {
    let Some(number) = value.as_number() else {
        return Err(wrong_type("v", value, "a number"));
    };
    match number.to_exact_i64() {
        Some(2) => Ok(()),
        Some(1) => Err(CommandError::new(
            Code::NotImplemented,
            "indexes of version 1 are not supported; leave 'v' out or use 2",
        )),
        Some(other) => Err(cannot_create(format!(
            "Invalid index specification {spec}; cannot create an index with v={other}"
        ))),
        None => Err(CommandError::new(
            Code::BadValue,
            format!("Index version must be representable as a 32-bit integer, but got {value}"),
        )),
    }
}

fn check_collation(value: ValueRef<'_>) -> Result<(), CommandError> {
    let collation = value
        .as_document()
        .ok_or_else(|| wrong_type("collation", value, "an object"))?;
    if collation.is_empty() {
        return Err(CommandError::new(
            Code::BadValue,
            "The field 'collation' cannot be an empty object.",
        ));
    }
    match collation.get("locale") {
        ValueRef::String("simple") => Ok(()),
        locale => Err(CommandError::new(
            Code::NotImplemented,
            format!("the collation locale {locale} is not supported; only \"simple\" is"),
        )),
    }
}

fn check_key(key: Document<'_>) -> Result<(), CommandError> {
    if key.as_bytes().len() > 2048 {
        return Err(cannot_create("Index key pattern too large."));
    }
    if key.is_empty() {
        return Err(cannot_create("Index keys cannot be empty."));
    }
    let mut kind = "";
    for (position, element) in key.iter().enumerate() {
        if key
            .iter()
            .take(position)
            .any(|earlier| earlier.name == element.name)
        {
            return Err(CommandError::new(
                Code::BadValue,
                format!(
                    "The field '{}' appears multiple times in the index key pattern {key}",
                    element.name
                ),
            ));
        }
        if let (ValueRef::String(text), "") = (element.value, kind) {
            kind = text;
        }
    }
    if kind == "geoHaystack" {
        return Err(cannot_create(
            "GeoHaystack indexes cannot be created in version 5.0 and above",
        ));
    }
    if !kind.is_empty() && !KINDS.contains(&kind) {
        return Err(cannot_create(format!("Unknown index plugin '{kind}'")));
    }
    for element in key.iter() {
        check_key_field(element, kind)?;
    }
    if !kind.is_empty() {
        return Err(CommandError::new(
            Code::NotImplemented,
            format!("'{kind}' indexes are not supported"),
        ));
    }
    Ok(())
}

fn check_key_field(element: Element<'_>, kind: &str) -> Result<(), CommandError> {
    match element.value {
        ValueRef::String("") => {
            return Err(cannot_create(
                "Values in the index key pattern cannot be empty strings",
            ));
        }
        ValueRef::String(other) if other != kind => {
            return Err(cannot_create(
                "Can't use more than one index plugin for a single index.",
            ));
        }
        ValueRef::String(_) => {}
        value => match value.as_number() {
            Some(number) if number.is_nan() => {
                return Err(cannot_create(
                    "Values in the index key pattern cannot be NaN.",
                ));
            }
            Some(number) if number.is_zero() => {
                return Err(cannot_create(
                    "Values in the index key pattern cannot be 0.",
                ));
            }
            Some(_) => {}
            None => {
                return Err(cannot_create(format!(
                    "Values in v:2 index key pattern cannot be of type {}. Only numbers > 0, numbers < 0, and \
                     strings are allowed.",
                    value.type_name()
                )));
            }
        },
    }
    let path = element.name;
    if path == "$**" || path.ends_with(".$**") {
        return Err(CommandError::new(
            Code::NotImplemented,
            "wildcard indexes are not supported",
        ));
    }
    if path.is_empty() {
        return Err(cannot_create("Index keys cannot be an empty field."));
    }
    if path == "_fts" && element.value.bson_type() != BsonType::String {
        return Err(cannot_create(
            "Index key contains an illegal field name: '_fts'",
        ));
    }
    for (position, part) in path.split('.').enumerate() {
        if part.is_empty() {
            return Err(cannot_create("Index keys cannot contain an empty field."));
        }
        if part.starts_with('$') && !(position > 0 && matches!(part, "$db" | "$id" | "$ref")) {
            return Err(cannot_create(
                "Index key contains an illegal field name: field name starts with '$'.",
            ));
        }
    }
    Ok(())
}
