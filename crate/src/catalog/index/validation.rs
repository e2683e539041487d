//! Checks of the text of an index specification: option names and types, key patterns, versions, expiry.
//!
//! Every check gives the server's code and wording; `specification` puts them into its own error's frame.

use super::kind::{self, ROWS};
use super::specification::PREPARE;
use crate::bson::{BsonType, Document, DocumentBuilder, Element, Text, ValueRef};
use crate::catalog::filter::FilterCompiler;
use crate::collation::Collation;
use crate::error::{Code, CommandError};

/// Options that an index may have.
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
const REFUSED_OPTIONS: &[&str] = &["clustered", "originalSpec", "storageEngine"];
/// Kinds of index that are known, and that there are not here.
const ABSENT_KINDS: &[&str] = &["2dsphere_bucket"];

#[cold]
pub(super) fn cannot_create(message: impl Into<String>) -> CommandError {
    CommandError::new(Code::CannotCreateIndex, message)
}

/// Whether an index specification may have an option.
pub fn is_known_option(name: &str) -> bool {
    KNOWN_OPTIONS.binary_search(&name).is_ok()
}

/// Checks the seconds of a TTL index and cuts them to a whole number.
///
/// # Errors
/// 67 `CannotCreateIndex`.
#[inline(never)]
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

/// The fields of a specification that were read so far.
#[derive(Default)]
pub(super) struct Parsed<'a> {
    pub(super) key: Option<Document<'a>>,
    pub(super) name: Option<&'a str>,
    pub(super) version: Option<i32>,
    pub(super) unique: bool,
    pub(super) prepare_unique: bool,
    pub(super) sparse: bool,
    pub(super) hidden: bool,
    pub(super) partial: Option<Document<'a>>,
    pub(super) others: DocumentBuilder,
    pub(super) collation: Option<Collation>,
}

impl<'a> Parsed<'a> {
    pub(super) fn field(
        &mut self,
        spec: Document<'_>,
        element: Element<'a>,
        compiler: &dyn FilterCompiler,
    ) -> Result<(), CommandError> {
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
                for row in ROWS {
                    if key.iter().any(|field| (row.is_named_by)(&field)) {
                        (row.check_options)(key, spec)?;
                    }
                }
                self.key = Some(key);
            }
            "name" => {
                self.name = Some(
                    value
                        .as_text()
                        .ok_or_else(|| wrong_type(name, value, "a string"))?
                        .checked()?,
                )
            }
            "unique" => self.unique = flag(element)?,
            _ => self.rare_field(spec, element, compiler)?,
        }
        Ok(())
    }

    /// The options that few specifications have. Apart: a browser compiles a function whole when it is first called.
    #[inline(never)]
    fn rare_field(
        &mut self,
        spec: Document<'_>,
        element: Element<'a>,
        compiler: &dyn FilterCompiler,
    ) -> Result<(), CommandError> {
        let Element { name, value, .. } = element;
        match name {
            "sparse" => {
                self.sparse = flag(element)?;
                self.others.append(name, self.sparse);
            }
            "hidden" => {
                self.hidden = value
                    .as_bool()
                    .ok_or_else(|| wrong_type(name, value, "a bool"))?
            }
            "background" => {
                self.others.append(name, flag(element)?);
            }
            PREPARE => self.prepare_unique = flag(element)?,
            "dropDups" => drop(flag(element)?),
            "partialFilterExpression" => {
                self.partial = Some(
                    value
                        .as_document()
                        .ok_or_else(|| wrong_type(name, value, "an object"))?,
                );
                self.others.append_raw(element.raw);
            }
            "v" => self.version = Some(version(spec, value)?),
            "collation" => {
                let collation = compiler.collation(collation_document(value)?)?;
                if let Some(canonical) = collation.spec() {
                    self.others.append(name, &canonical);
                }
                self.collation = Some(collation);
            }
            "ns" => {}
            "expireAfterSeconds" => {
                self.others.append_raw(element.raw);
            }
            "default_language" | "language_override" if value.as_text().is_none() => {
                return Err(wrong_type(name, value, "a string"));
            }
            "weights" if !has_type_of_weights(value) => {
                return Err(wrong_type(name, value, "an object"));
            }
            "weights"
                if kind_of(spec.get("key").as_document().unwrap_or(Document::EMPTY)) != "text" =>
            {
                return Err(cannot_create(format!(
                    "Invalid index specification {spec}; the field 'weights' can only be specified with text indexes"
                )));
            }
            own if let Some(row) = ROWS.iter().find(|row| row.options.contains(&own)) => {
                let key = spec.get("key").as_document().unwrap_or(Document::EMPTY);
                if kind_of(key) != row.name {
                    return Err(CommandError::new(
                        Code::BadValue,
                        format!(
                            "The field '{name}' is only allowed in '{}' indexes",
                            row.name
                        ),
                    ));
                }
                (row.check_option)(key, &element)?;
                self.others.append_raw(element.raw);
            }
            // As on a server any kind of index keeps them; the kind that they are meant for checks them.
            "default_language" | "language_override" | "weights" => {
                self.others.append_raw(element.raw);
            }
            "2dsphereIndexVersion"
            | "bits"
            | "bucketSize"
            | "coarsestIndexedLevel"
            | "finestIndexedLevel"
            | "max"
            | "min"
            | "textIndexVersion" => {
                if value.as_number().is_none() {
                    return Err(wrong_type(name, value, "a number"));
                }
                self.others.append_raw(element.raw);
            }
            refused if REFUSED_OPTIONS.contains(&refused) => {
                return Err(CommandError::new(
                    Code::NotImplemented,
                    format!("the index option '{name}' is not supported"),
                ));
            }
            _ => {
                return Err(CommandError::new(
                    Code::NotImplemented,
                    format!(
                        "the index option '{name}' belongs to geospatial indexes, which are not supported"
                    ),
                ));
            }
        }
        Ok(())
    }
}

/// Whether weights of a text index can be read from a value; which ones it may have is for the kind to say.
pub(super) fn has_type_of_weights(value: ValueRef<'_>) -> bool {
    matches!(
        value,
        ValueRef::Document(_) | ValueRef::Array(_) | ValueRef::String(_)
    )
}

#[cold]
#[inline(never)]
pub(super) fn wrong_type(name: &str, value: ValueRef<'_>, expected: &str) -> CommandError {
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

#[inline(never)]
fn version(spec: Document<'_>, value: ValueRef<'_>) -> Result<i32, CommandError> {
    let Some(number) = value.as_number() else {
        return Err(wrong_type("v", value, "a number"));
    };
    match number.to_exact_i64() {
        Some(known @ (1 | 2)) => Ok(known as i32),
        Some(other) => Err(cannot_create(format!(
            "Invalid index specification {spec}; cannot create an index with v={other}"
        ))),
        None => Err(CommandError::new(
            Code::BadValue,
            format!("Index version must be representable as a 32-bit integer, but got {value}"),
        )),
    }
}

#[inline(never)]
fn collation_document(value: ValueRef<'_>) -> Result<Document<'_>, CommandError> {
    let collation = value
        .as_document()
        .ok_or_else(|| wrong_type("collation", value, "an object"))?;
    if collation.is_empty() {
        return Err(CommandError::new(
            Code::BadValue,
            "The field 'collation' cannot be an empty object.",
        ));
    }
    Ok(collation)
}

/// Checks an index's key pattern.
///
/// # Errors
/// 67 and 2 for one that no index has, 238 for a kind that is not there.
pub fn check_key(key: Document<'_>) -> Result<(), CommandError> {
    if key.as_bytes().len() > 2048 {
        return Err(cannot_create("Index key pattern too large."));
    }
    if key.is_empty() {
        return Err(cannot_create("Index keys cannot be empty."));
    }
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
    }
    let kind = kind_of(key);
    if kind == "geoHaystack" {
        return Err(cannot_create(
            "GeoHaystack indexes cannot be created in version 5.0 and above",
        ));
    }
    let row = ROWS.iter().find(|row| row.name == kind);
    if row.is_none() && !kind.is_empty() && !ABSENT_KINDS.contains(&kind) {
        return Err(cannot_create(format!("Unknown index plugin '{kind}'")));
    }
    if let Some(row) = row {
        (row.check_pattern)(key)?;
    }
    for element in key.iter() {
        check_key_field(element, kind)?;
    }
    if row.is_none() && !kind.is_empty() {
        return Err(CommandError::new(
            Code::NotImplemented,
            format!("'{kind}' indexes are not supported"),
        ));
    }
    Ok(())
}

/// The name of the kind that a key pattern names: a string among its values, or a field by its own name.
fn kind_of(key: Document<'_>) -> &str {
    let mut kind = "";
    for element in key.iter() {
        if let ValueRef::String(text) = element.value {
            return text.to_str().unwrap_or("\u{FFFD}");
        }
        kind = kind::named_by(&element).map_or(kind, |row| row.name);
    }
    kind
}

fn check_key_field(element: Element<'_>, kind: &str) -> Result<(), CommandError> {
    match element.value {
        ValueRef::String(Text(b"")) => {
            return Err(cannot_create(
                "Values in the index key pattern cannot be empty strings",
            ));
        }
        ValueRef::String(other) if other != *kind => {
            return Err(cannot_create(
                "Can't use more than one index plugin for a single index.",
            ));
        }
        ValueRef::String(_) => {
            let row = ROWS.iter().find(|row| row.name == kind);
            if row.is_some_and(|row| !(row.is_named_by)(&element)) {
                return Err(cannot_create(format!(
                    "The key pattern value for an '{kind}' index must be a non-zero number, not a string."
                )));
            }
        }
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
    if path == "$**" && element.value.as_number().is_some() {
        return Ok(());
    }
    if path.is_empty() {
        return Err(cannot_create("Index keys cannot be an empty field."));
    }
    if path == "_fts" && element.value.bson_type() != BsonType::String {
        return Err(cannot_create(
            "Index key contains an illegal field name: '_fts'",
        ));
    }
    let last = path.split('.').count() - 1;
    let own_part = kind::named_by(&element).and_then(|row| row.own_part);
    for (position, part) in path.split('.').enumerate() {
        if part.is_empty() {
            return Err(cannot_create("Index keys cannot contain an empty field."));
        }
        let is_own = position == last && own_part == Some(part);
        if part.starts_with('$')
            && !(position > 0 && matches!(part, "$db" | "$id" | "$ref"))
            && !is_own
        {
            return Err(cannot_create(
                "Index key contains an illegal field name: field name starts with '$'.",
            ));
        }
    }
    Ok(())
}

#[cold]
#[inline(never)]
pub(super) fn in_specification(spec: Document<'_>, error: CommandError) -> CommandError {
    let message = format!(
        "Error in specification {spec} :: caused by :: {}",
        error.message
    );
    error.with_message(message)
}
