//! From a schema document to its rules.
//!
//! Follows the manual's "$jsonSchema" page. A keyword that is unknown or not supported there is an error.

use super::rules::{Additional, Dependency, Items, Limit, Schema};
use crate::bson::number::Number;
use crate::bson::{Array, BsonType, Document, ValueRef};
use crate::error::{Code, CommandError};
use crate::query::compile::{Compiler, failed_to_parse};
use crate::query::integer::exact_integer;
use crate::query::path::FieldPath;
use crate::query::predicate::regex::RegexTest;
use crate::query::predicate::type_test::TypeSet;

fn mismatch(keyword: &str, wanted: &str) -> CommandError {
    CommandError::new(
        Code::TypeMismatch,
        format!("$jsonSchema keyword '{keyword}' must be {wanted}"),
    )
}

impl Schema {
    /// Reads a schema.
    ///
    /// # Errors
    /// `FailedToParse` for keywords that are unknown or wrongly used, `TypeMismatch` for arguments of a wrong type.
    pub fn parse(compiler: &Compiler<'_>, source: Document<'_>) -> Result<Self, CommandError> {
        let mut schema = Self::default();
        for element in source.iter() {
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
                    .as_str()
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
                let values = filled_array(keyword, value)?;
                self.any_value = Some(values.iter().map(ValueRef::to_value).collect());
            }
            "allOf" => self.all_of = schemas(compiler, keyword, value)?,
            "anyOf" => self.any_of = schemas(compiler, keyword, value)?,
            "oneOf" => self.one_of = schemas(compiler, keyword, value)?,
            "not" => self.not = Some(Box::new(nested(compiler, keyword, value)?)),
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
                    .as_str()
                    .ok_or_else(|| mismatch(keyword, "a string"))?;
                self.pattern = Some(regex(compiler, pattern)?);
            }
            "required" => self.required = names(keyword, value)?,
            "properties" => {
                for element in object(keyword, value)?.iter() {
                    let schema = nested(compiler, element.name, element.value)?;
                    self.properties.push((element.name.into(), schema));
                }
            }
            "patternProperties" => {
                for element in object(keyword, value)?.iter() {
                    let schema = nested(compiler, element.name, element.value)?;
                    self.pattern_properties
                        .push((regex(compiler, element.name)?, schema));
                }
            }
            "additionalProperties" => {
                self.additional_properties = additional(compiler, keyword, value)?;
            }
            "additionalItems" => self.additional_items = additional(compiler, keyword, value)?,
            "dependencies" => {
                for element in object(keyword, value)?.iter() {
                    let dependency = match element.value {
                        ValueRef::Array(_) => Dependency::Fields(names(keyword, element.value)?),
                        other => Dependency::Schema(Box::new(nested(compiler, keyword, other)?)),
                    };
                    self.dependencies.push((element.name.into(), dependency));
                }
            }
            "items" => {
                self.items = Some(match value {
                    ValueRef::Array(list) => Items::Each(
                        list.iter()
                            .map(|item| nested(compiler, keyword, item))
                            .collect::<Result<_, _>>()?,
                    ),
                    ValueRef::Document(_) => {
                        Items::All(Box::new(nested(compiler, keyword, value)?))
                    }
                    _ => return Err(mismatch(keyword, "an array or an object")),
                });
            }
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

fn filled_array<'a>(keyword: &str, value: ValueRef<'a>) -> Result<Array<'a>, CommandError> {
    let array = value
        .as_array()
        .ok_or_else(|| mismatch(keyword, "an array"))?;
    if array.is_empty() {
        return Err(failed_to_parse(format!(
            "$jsonSchema keyword '{keyword}' cannot be an empty array"
        )));
    }
    Ok(array)
}

fn nested(
    compiler: &Compiler<'_>,
    keyword: &str,
    value: ValueRef<'_>,
) -> Result<Schema, CommandError> {
    Schema::parse(compiler, object(keyword, value)?)
}

fn schemas(
    compiler: &Compiler<'_>,
    keyword: &str,
    value: ValueRef<'_>,
) -> Result<Vec<Schema>, CommandError> {
    filled_array(keyword, value)?
        .iter()
        .map(|item| nested(compiler, keyword, item))
        .collect()
}

fn additional(
    compiler: &Compiler<'_>,
    keyword: &str,
    value: ValueRef<'_>,
) -> Result<Option<Additional>, CommandError> {
    Ok(match value {
        ValueRef::Boolean(true) => None,
        ValueRef::Boolean(false) => Some(Additional::Refused),
        ValueRef::Document(_) => Some(Additional::Schema(Box::new(nested(
            compiler, keyword, value,
        )?))),
        _ => return Err(mismatch(keyword, "an object or a boolean")),
    })
}

fn names(keyword: &str, value: ValueRef<'_>) -> Result<Vec<Box<str>>, CommandError> {
    let mut names: Vec<Box<str>> = Vec::new();
    for item in filled_array(keyword, value)?.iter() {
        let name = item
            .as_str()
            .ok_or_else(|| mismatch(keyword, "an array of strings"))?;
        if names.iter().any(|one| **one == *name) {
            return Err(failed_to_parse(format!(
                "$jsonSchema keyword '{keyword}' array cannot contain duplicate values"
            )));
        }
        names.push(name.into());
    }
    Ok(names)
}

fn regex(compiler: &Compiler<'_>, pattern: &str) -> Result<RegexTest, CommandError> {
    compiler.regex(FieldPath::new(""), pattern, "")
}

fn number(keyword: &str, value: ValueRef<'_>) -> Result<Number, CommandError> {
    value
        .as_number()
        .ok_or_else(|| mismatch(keyword, "a number"))
}

fn divisor(keyword: &str, value: ValueRef<'_>) -> Result<Number, CommandError> {
    let divisor = number(keyword, value)?;
    if divisor.is_nan() || divisor.to_f64() <= 0.0 {
        return Err(failed_to_parse(format!(
            "$jsonSchema keyword '{keyword}' must have a positive value"
        )));
    }
    Ok(divisor)
}

fn count(keyword: &str, value: ValueRef<'_>) -> Result<i64, CommandError> {
    number(keyword, value)?;
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
    if value.as_bool().is_none() {
        return Err(mismatch(keyword, "a boolean"));
    }
    if source.get(limit).is_missing() {
        return Err(failed_to_parse(format!(
            "$jsonSchema keyword '{limit}' must be a present if {keyword} is present"
        )));
    }
    Ok(())
}

fn types(keyword: &str, value: ValueRef<'_>) -> Result<TypeSet, CommandError> {
    let wanted = "either a string or an array of strings";
    let aliases: Vec<&str> = match value {
        ValueRef::String(alias) => vec![alias],
        ValueRef::Array(_) => {
            let array = filled_array(keyword, value)?;
            let aliases: Option<_> = array.iter().map(ValueRef::as_str).collect();
            aliases.ok_or_else(|| mismatch(keyword, wanted))?
        }
        _ => return Err(mismatch(keyword, wanted)),
    };
    let mut set = TypeSet::default();
    for alias in aliases {
        let kind = match (keyword, alias) {
            (_, "number") => {
                set.all_numbers = true;
                continue;
            }
            ("type", "integer") => {
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
                "14: $jsonSchema keyword 'required' must be an array",
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
