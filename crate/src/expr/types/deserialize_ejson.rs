//! `$deserializeEJSON`: the value that Extended JSON stands for.
//!
//! Follows the manual's "$deserializeEJSON" page. Unlike the text of a command it has the documents of version 2 alone,
//! and such a document anywhere but at its place is refused.

use super::super::context::Scope;
use super::super::form::{Form, Names, named_lazy};
use super::super::node::{Call, Result};
use super::conversion::failure;
use super::json_text::check_size;
use crate::algorithms::hexadecimal;
use crate::bson::extended_json::{is_type_key, wrapped};
use crate::bson::{Document, DocumentBuilder, Value, ValueRef};
use crate::env::Env;
use crate::error::Code;

/// How the operator takes its arguments.
pub const FORM: Form = named_lazy(&NAMES, evaluate);

const NAMES: Names = Names {
    names: &["input", "onError"],
    missing: &[9],
    not_object: 9,
    unknown: 9,
};

fn evaluate<'v>(call: &'v Call, scope: &Scope<'v>) -> Result<Value<'v>> {
    let input = call.argument(0, scope)?;
    match input.as_ref() {
        ValueRef::Missing => Ok(Value::NULL),
        given => match read(given, scope.env) {
            Err(failure) if failure.code == Code::ConversionFailure as i32 && call.has(1) => {
                call.argument(1, scope)
            }
            other => other,
        },
    }
}

fn read(value: ValueRef<'_>, env: &dyn Env) -> Result<Value<'static>> {
    let (fields, is_array) = match value {
        ValueRef::Document(fields) => (fields, false),
        ValueRef::Array(items) => (Document::from_valid_bytes(items.as_bytes()), true),
        ValueRef::Null
        | ValueRef::Boolean(_)
        | ValueRef::String(_)
        | ValueRef::Int32(_)
        | ValueRef::Int64(_)
        | ValueRef::Double(_) => return Ok(value.to_value()),
        other => {
            return Err(failure(format!(
                "Extended JSON cannot contain BSON-only types: {} is not available in JSON",
                other.type_name()
            )));
        }
    };
    if !is_array && let Some(name) = type_of(fields) {
        let found = stands_for(name, fields, env)?;
        return found.ok_or_else(|| failure(format!("{name} value is not valid Extended JSON")));
    }
    let mut out = DocumentBuilder::new();
    match is_array {
        true => out.begin_array(""),
        false => out.begin_document(""),
    };
    for field in fields.iter() {
        if !is_array && (matches!(field.name, "$ref" | "$id") || is_type(field.name)) {
            return Err(failure(format!(
                "{} must be the first field in the object",
                field.name
            )));
        }
        out.append(field.name, read(field.value, env)?.as_ref());
        check_size(out.len(), env)?;
    }
    out.end();
    Ok(out.finish().get("").to_value())
}

/// Whether a name is one of a document that stands for a value.
fn is_type(name: &str) -> bool {
    is_type_key(name) && !matches!(name, "$regex" | "$options" | "$type")
}

/// The name by which a document stands for a value, if it does.
fn type_of<'n>(fields: Document<'n>) -> Option<&'n str> {
    let first = fields.iter().next()?.name;
    match first {
        "$scope" | "$code" if fields.len() == 2 => {
            let both = ["$code", "$scope"].map(|name| !fields.get(name).is_missing());
            (both == [true, true]).then_some("$scope")
        }
        "$code" => (fields.len() == 1).then_some(first),
        "$scope" => None,
        first => is_type(first).then_some(first),
    }
}

/// The value that a document stands for, if it is well-formed.
fn stands_for(name: &str, fields: Document<'_>, env: &dyn Env) -> Result<Option<Value<'static>>> {
    let value = fields.get(name);
    let converted = match (name, value) {
        ("$scope", _) => {
            let scope = read(value, env)?;
            return Ok(match (fields.get("$code"), scope.as_ref()) {
                (ValueRef::String(code), ValueRef::Document(scope)) => {
                    Some(ValueRef::JavaScriptWithScope { code, scope }.to_value())
                }
                _ => None,
            });
        }
        ("$date", ValueRef::Document(long)) if type_of(long) == Some("$numberLong") => {
            read(value, env)?
        }
        ("$dbPointer", ValueRef::Document(parts)) => {
            let id = parts.get("$id").as_str();
            let Some(id) = id.and_then(hexadecimal::parse_exact) else {
                return Ok(None);
            };
            let mut pointer = DocumentBuilder::new();
            pointer.append("$ref", parts.get("$ref"));
            pointer.append("$id", ValueRef::ObjectId(id));
            if parts.len() != 2 {
                return Ok(None);
            }
            Value::Document(pointer.finish())
        }
        ("$minKey" | "$maxKey", ValueRef::Int32(_))
        | ("$undefined", ValueRef::Boolean(_))
        | (_, ValueRef::String(_))
        | ("$binary" | "$regularExpression" | "$timestamp", _) => value.to_value(),
        _ => return Ok(None),
    };
    Ok(wrapped(name, converted.as_ref()).filter(|_| fields.len() == 1))
}

#[cfg(test)]
mod tests {
    use super::super::super::testing::{evaluates, fails};

    #[test]
    fn what_is_malformed_is_refused() {
        for value in [
            "{$numberLong: 1}",
            "{$numberLong: 'x'}",
            "{$numberLong: '1', a: 1}",
            "{a: 1, $numberLong: '1'}",
            "{$date: 5}",
            "{$date: NumberLong(5)}",
            "{$oid: '12'}",
            "{$minKey: 1.0}",
            "{$dbPointer: {$ref: 'c', $id: {$oid: '5f5e10000000000000000000'}}}",
            "{$ref: 'c', $id: 1}",
            "{$scope: {}}",
            "{$binary: 'YWI=', $type: '00'}",
            "Date(0)",
            "[{a: Decimal('1')}]",
        ] {
            let input = format!("{{$literal: {value}}}");
            fails(
                &format!("{{$deserializeEJSON: {{input: {input}}}}}"),
                "{}",
                241,
            );
            let caught = format!("{{$deserializeEJSON: {{input: {input}, onError: 'bad'}}}}");
            evaluates(&caught, "{}", "'bad'");
        }
        evaluates(
            "{$deserializeEJSON: {input: {$literal: {a: {$regex: 'x', $options: 'i'}}}}}",
            "{}",
            "{a: {$regex: 'x', $options: 'i'}}",
        );
        evaluates("{$deserializeEJSON: {input: '$q'}}", "{}", "null");
    }
}
