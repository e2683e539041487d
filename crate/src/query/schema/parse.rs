//! From a schema document to its rules.
//!
//! Follows the manual's "$jsonSchema" page. A keyword that is unknown or not supported there is an error.

use super::equality::equal;
use super::rules::{Additional, Dependency, Items, Limit, Schema};
use crate::bson::number::Number;
use crate::bson::{Array, BsonType, Document, Element, Text, Value, ValueRef};
use crate::error::{Code, CommandError};
use crate::query::compile::{Compiler, failed_to_parse};
use crate::query::integer::exact_integer;
use crate::query::path::QueryPath;
use crate::query::predicate::bson_type::TypeSet;
use crate::query::predicate::regex::RegexTest;

/// The end of the refusal of an `enum` or `required` that is no array.
const NO_ARRAY: &str = "an array, but found an element of type ";

#[cold]
#[inline(never)]
fn mismatch(keyword: &str, wanted: &str) -> CommandError {
    CommandError::new(
        Code::TypeMismatch,
        format!("$jsonSchema keyword '{keyword}' must be {wanted}"),
    )
}

/// The same, ended by the type that was found.
#[cold]
#[inline(never)]
fn mismatch_of(keyword: &str, wanted: &str, found: ValueRef<'_>) -> CommandError {
    mismatch(keyword, &[wanted, found.type_name()].concat())
}

impl Schema {
    /// Reads a schema.
    ///
    /// # Errors
    /// `FailedToParse` for keywords that are unknown or wrongly used, `TypeMismatch` for arguments of a wrong type.
    pub fn parse(compiler: &Compiler<'_>, source: Document<'_>) -> Result<Self, CommandError> {
        let mut schema = Self::default();
        for (position, element) in source.iter().enumerate() {
            let mut before = source.iter().take(position);
            if before.any(|earlier| earlier.name == element.name) {
                return Err(failed_to_parse(format!(
                    "Duplicate $jsonSchema keyword: {}",
                    element.name
                )));
            }
            schema.keyword(compiler, element.name, element.value, source)?;
        }
        Ok(schema)
    }

    fn keyword(
        &mut self,
        compiler: &Compiler<'_>,
        keyword: &str,
        value: ValueRef<'_>,
        source: Document<'_>,
    ) -> Result<(), CommandError> {
        match keyword {
            "title" | "description" => {
                value
                    .as_text()
                    .ok_or_else(|| mismatch(keyword, "of type string"))?;
            }
            "bsonType" | "type" => {
                if self.types.is_some() {
                    return Err(failed_to_parse(
                        "Cannot specify both $jsonSchema keywords 'type' and 'bsonType'",
                    ));
                }
                self.types = Some(types(keyword, value)?);
            }
            "enum" => {
                self.any_value = Some(distinct_values(value)?);
            }
            "allOf" => self.all_of = schemas(compiler, keyword, value)?,
            "anyOf" => self.any_of = schemas(compiler, keyword, value)?,
            "oneOf" => self.one_of = schemas(compiler, keyword, value)?,
            "not" => {
                let source = value.as_document().ok_or_else(|| {
                    mismatch_of(keyword, "an object, but found an element of type ", value)
                })?;
                self.not = Some(Box::new(Schema::parse(compiler, source)?));
            }
            "minimum" => self.minimum = Some(limit(keyword, value, "exclusiveMinimum", source)?),
            "maximum" => self.maximum = Some(limit(keyword, value, "exclusiveMaximum", source)?),
            "exclusiveMinimum" => beside(keyword, "minimum", value, source)?,
            "exclusiveMaximum" => beside(keyword, "maximum", value, source)?,
            "multipleOf" => self.multiple_of = Some(divisor(keyword, value)?),
            "minLength" => self.min_length = Some(count(keyword, value)?),
            "maxLength" => self.max_length = Some(count(keyword, value)?),
            "minItems" => self.min_items = Some(count(keyword, value)?),
            "maxItems" => self.max_items = Some(count(keyword, value)?),
            "minProperties" => self.min_properties = Some(count(keyword, value)?),
            "maxProperties" => self.max_properties = Some(count(keyword, value)?),
            "uniqueItems" => {
                self.unique_items = value
                    .as_bool()
                    .ok_or_else(|| mismatch(keyword, "a boolean"))?;
            }
            "pattern" => {
                let pattern = value
                    .as_text()
                    .ok_or_else(|| mismatch(keyword, "a string"))?;
                self.pattern = Some(regex(compiler, pattern)?);
            }
            "required" => self.required = required(value)?,
            "properties" => {
                for element in object(keyword, value)?.iter() {
                    let source = element.value.as_document().ok_or_else(|| {
                        type_mismatch(format!(
                            "Nested schema for $jsonSchema property '{}' must be an object",
                            element.name
                        ))
                    })?;
                    let schema = Schema::parse(compiler, source)?;
                    self.properties.push((element.name.into(), schema));
                }
            }
            "patternProperties" => {
                for element in object(keyword, value)?.iter() {
                    let source = element.value.as_document().ok_or_else(|| {
                        type_mismatch(format!(
                            "$jsonSchema keyword 'patternProperties' has property '{}' which is not an object",
                            element.name
                        ))
                    })?;
                    let schema = Schema::parse(compiler, source)?;
                    self.pattern_properties
                        .push((regex(compiler, element.name.into())?, schema));
                }
            }
            "additionalProperties" => {
                self.additional_properties = additional(compiler, value)?
                    .ok_or_else(|| mismatch(keyword, "an object or a boolean"))?;
            }
            "additionalItems" => {
                self.additional_items = additional(compiler, value)?.ok_or_else(|| {
                    mismatch_of(keyword, "either an object or a boolean, but got a ", value)
                })?;
            }
            "dependencies" => {
                for element in object(keyword, value)?.iter() {
                    if let Some(dependency) = dependency(compiler, &element)? {
                        self.dependencies.push((element.name.into(), dependency));
                    }
                }
            }
            "items" => self.items = Some(items(compiler, value)?),
            "$ref" | "$schema" | "default" | "definitions" | "format" | "id" => {
                return Err(failed_to_parse(format!(
                    "$jsonSchema keyword '{keyword}' is not currently supported"
                )));
            }
            _ => {
                return Err(failed_to_parse(format!(
                    "Unknown $jsonSchema keyword: {keyword}"
                )));
            }
        }
        Ok(())
    }
}

fn object<'a>(keyword: &str, value: ValueRef<'a>) -> Result<Document<'a>, CommandError> {
    value
        .as_document()
        .ok_or_else(|| mismatch(keyword, "an object"))
}

fn type_mismatch(message: String) -> CommandError {
    CommandError::new(Code::TypeMismatch, message)
}

/// The values of `enum`: some, and none twice.
fn distinct_values(value: ValueRef<'_>) -> Result<Vec<Value<'static>>, CommandError> {
    let Some(array) = value.as_array() else {
        return Err(mismatch_of("enum", NO_ARRAY, value));
    };
    let mut values: Vec<Value<'static>> = Vec::new();
    for item in array.iter() {
        if values.iter().any(|known| equal(known.as_ref(), item)) {
            return Err(failed_to_parse(
                "$jsonSchema keyword 'enum' array cannot contain duplicate values.",
            ));
        }
        values.push(item.to_value());
    }
    if values.is_empty() {
        return Err(failed_to_parse(
            "$jsonSchema keyword 'enum' cannot be an empty array",
        ));
    }
    Ok(values)
}

fn schemas(
    compiler: &Compiler<'_>,
    keyword: &str,
    value: ValueRef<'_>,
) -> Result<Vec<Schema>, CommandError> {
    let array = value
        .as_array()
        .ok_or_else(|| mismatch(keyword, "an array"))?;
    if array.is_empty() {
        return Err(CommandError::new(
            Code::BadValue,
            format!("$jsonSchema keyword '{keyword}' must be a non-empty array"),
        ));
    }
    let schema = |item: ValueRef<'_>| match item.as_document() {
        Some(source) => Schema::parse(compiler, source),
        None => Err(mismatch_of(
            keyword,
            "an array of objects, but found an element of type ",
            item,
        )),
    };
    array.iter().map(schema).collect()
}

/// The rule for fields or items that no other keyword names; `None` where the value is neither a schema nor a boolean.
fn additional(
    compiler: &Compiler<'_>,
    value: ValueRef<'_>,
) -> Result<Option<Additional>, CommandError> {
    Ok(match value {
        ValueRef::Boolean(true) => Some(Additional::Allowed),
        ValueRef::Boolean(false) => Some(Additional::Refused),
        ValueRef::Document(source) => {
            let schema = Schema::parse(compiler, source)?;
            Some(Additional::Schema(Box::new(schema)))
        }
        _ => None,
    })
}

fn items(compiler: &Compiler<'_>, value: ValueRef<'_>) -> Result<Items, CommandError> {
    let each = |item: ValueRef<'_>| match item.as_document() {
        Some(source) => Schema::parse(compiler, source),
        None => Err(type_mismatch(format!(
            "$jsonSchema keyword 'items' requires that each element of the array is an object, but found a {}",
            item.type_name()
        ))),
    };
    match value {
        ValueRef::Array(list) => Ok(Items::Each(
            list.iter().map(each).collect::<Result<_, _>>()?,
        )),
        ValueRef::Document(source) => Ok(Items::All(Box::new(Schema::parse(compiler, source)?))),
        other => Err(mismatch_of("items", "an array or an object, not ", other)),
    }
}

/// The rule that the presence of one field brings; `None` for a note beside the fields.
fn dependency(
    compiler: &Compiler<'_>,
    element: &Element<'_>,
) -> Result<Option<Dependency>, CommandError> {
    let field = element.name;
    match element.value {
        ValueRef::Document(source) => {
            let schema = Schema::parse(compiler, source)?;
            Ok(Some(Dependency::Schema(Box::new(schema))))
        }
        ValueRef::Array(list) if list.is_empty() => Err(failed_to_parse(format!(
            "property '{field}' in $jsonSchema keyword 'dependencies' cannot be an empty array"
        ))),
        ValueRef::Array(list) => {
            let array = format!("array '{field}' in $jsonSchema keyword 'dependencies'");
            names(
                list,
                &|item| {
                    type_mismatch(format!(
                        "{array} can only contain strings, but found element of type: {}",
                        item.type_name()
                    ))
                },
                &|name| failed_to_parse(format!("{array} contains duplicate element: {name}")),
            )
            .map(|names| Some(Dependency::Fields(names)))
        }
        ValueRef::String(_) if matches!(field, "title" | "description") => Ok(None),
        _ => Err(type_mismatch(format!(
            "property '{field}' in $jsonSchema keyword 'dependencies' must be either an object or an array"
        ))),
    }
}

fn required(value: ValueRef<'_>) -> Result<Vec<Box<str>>, CommandError> {
    let Some(list) = value.as_array() else {
        return Err(mismatch_of("required", NO_ARRAY, value));
    };
    let wanted = "an array of strings, but found an element of type: ";
    let names = names(list, &|item| mismatch_of("required", wanted, item), &|_| {
        failed_to_parse("$jsonSchema keyword 'required' array cannot contain duplicate values")
    })?;
    if names.is_empty() {
        return Err(failed_to_parse(
            "$jsonSchema keyword 'required' cannot be an empty array",
        ));
    }
    Ok(names)
}

/// The names of a list, with the errors for an item that is no name and for a name that is there twice.
fn names(
    list: Array<'_>,
    no_name: &dyn Fn(ValueRef<'_>) -> CommandError,
    twice: &dyn Fn(&str) -> CommandError,
) -> Result<Vec<Box<str>>, CommandError> {
    let mut names: Vec<Box<str>> = Vec::new();
    for item in list.iter() {
        let name = item.as_text().ok_or_else(|| no_name(item))?.checked()?;
        if names.iter().any(|one| **one == *name) {
            return Err(twice(name));
        }
        names.push(name.into());
    }
    Ok(names)
}

fn regex(compiler: &Compiler<'_>, pattern: Text<'_>) -> Result<RegexTest, CommandError> {
    compiler.regex(QueryPath::new(""), pattern, Text(b""))
}

fn number(keyword: &str, value: ValueRef<'_>) -> Result<Number, CommandError> {
    value
        .as_number()
        .ok_or_else(|| mismatch(keyword, "a number"))
}

fn divisor(keyword: &str, value: ValueRef<'_>) -> Result<Number, CommandError> {
    let divisor = number(keyword, value)?;
    if divisor.to_f64() <= 0.0 {
        return Err(failed_to_parse(format!(
            "$jsonSchema keyword '{keyword}' must have a positive value"
        )));
    }
    Ok(divisor)
}

fn count(keyword: &str, value: ValueRef<'_>) -> Result<i64, CommandError> {
    let count = exact_integer(keyword, value)?;
    if count < 0 {
        return Err(failed_to_parse(format!(
            "Expected a non-negative number in: {keyword}: {value}"
        )));
    }
    Ok(count)
}

fn limit(
    keyword: &str,
    value: ValueRef<'_>,
    exclusive: &str,
    source: Document<'_>,
) -> Result<Limit, CommandError> {
    Ok(Limit {
        value: number(keyword, value)?,
        exclusive: source.get(exclusive).as_bool() == Some(true),
    })
}

/// Checks `exclusiveMinimum` and its like, which `limit` reads.
fn beside(
    keyword: &str,
    limit: &str,
    value: ValueRef<'_>,
    source: Document<'_>,
) -> Result<(), CommandError> {
    if source.get(limit).is_missing() {
        return Err(failed_to_parse(format!(
            "$jsonSchema keyword '{limit}' must be a present if {keyword} is present"
        )));
    }
    match value.as_bool() {
        Some(_) => Ok(()),
        None => Err(mismatch(keyword, "a boolean")),
    }
}

fn types(keyword: &str, value: ValueRef<'_>) -> Result<TypeSet, CommandError> {
    let aliases = match value {
        ValueRef::String(alias) => vec![alias.lossy().into()],
        ValueRef::Array(list) => names(
            list,
            &|_| {
                type_mismatch(format!(
                    "$jsonSchema keyword '{keyword}' array elements must be strings"
                ))
            },
            &|alias| {
                failed_to_parse(format!(
                    "$jsonSchema keyword '{keyword}' has duplicate value: {alias}"
                ))
            },
        )?,
        _ => return Err(mismatch(keyword, "either a string or an array of strings")),
    };
    if aliases.is_empty() {
        return Err(failed_to_parse(format!(
            "$jsonSchema keyword '{keyword}' must name at least one type"
        )));
    }
    let mut set = TypeSet::default();
    for alias in &aliases {
        let kind = match (keyword, &**alias) {
            (_, "number") => {
                set.all_numbers = true;
                continue;
            }
            (_, "integer") => {
                return Err(failed_to_parse(
                    "$jsonSchema type 'integer' is not currently supported.",
                ));
            }
            ("type", "boolean") => Some(BsonType::Boolean),
            ("type", "object" | "array" | "string" | "null") | ("bsonType", _) => {
                BsonType::from_alias(alias)
            }
            _ => None,
        };
        let kind = kind.ok_or_else(|| {
            CommandError::new(Code::BadValue, format!("Unknown type name alias: {alias}"))
        })?;
        set.types.push(kind);
    }
    Ok(set)
}

#[cfg(test)]
mod tests {
    use crate::query::testing::refusal;

    #[test]
    fn wrong_schemas_are_refused() {
        for (schema, expected) in [
            ("{foo: 1}", "9: Unknown $jsonSchema keyword: foo"),
            (
                "{format: \"x\"}",
                "9: $jsonSchema keyword 'format' is not currently supported",
            ),
            (
                "{properties: {a: {type: \"integer\"}}}",
                "9: $jsonSchema type 'integer' is not currently supported.",
            ),
            ("{bsonType: \"foo\"}", "2: Unknown type name alias: foo"),
            ("{type: \"int\"}", "2: Unknown type name alias: int"),
            (
                "{type: \"object\", bsonType: \"object\"}",
                "9: Cannot specify both $jsonSchema keywords 'type' and 'bsonType'",
            ),
            (
                "{required: \"a\"}",
                "14: $jsonSchema keyword 'required' must be an array, but found an element of type string",
            ),
            (
                "{required: []}",
                "9: $jsonSchema keyword 'required' cannot be an empty array",
            ),
            (
                "{required: [\"a\", \"a\"]}",
                "9: $jsonSchema keyword 'required' array cannot contain duplicate values",
            ),
            (
                "{minimum: \"x\"}",
                "14: $jsonSchema keyword 'minimum' must be a number",
            ),
            (
                "{exclusiveMinimum: true}",
                "9: $jsonSchema keyword 'minimum' must be a present if exclusiveMinimum is present",
            ),
            (
                "{properties: 5}",
                "14: $jsonSchema keyword 'properties' must be an object",
            ),
        ] {
            assert_eq!(refusal(&format!("{{$jsonSchema: {schema}}}")), expected);
        }
        assert_eq!(
            refusal("{$jsonSchema: 5}"),
            "14: $jsonSchema must be an object"
        );
    }
}
