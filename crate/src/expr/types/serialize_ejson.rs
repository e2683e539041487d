//! `$serializeEJSON`: a value as Extended JSON has it, in documents that stand for the types that JSON has not.
//!
//! Follows the manual's "$serializeEJSON" page. Invariant: a result that would be too large or too deep is refused
//! with 241, so that `onError` can catch it.

use super::super::arguments::error;
use super::super::context::Scope;
use super::super::form::{Form, Names, named_lazy};
use super::super::node::{Call, Result};
use super::conversion::{failure, to_text};
use super::json_text::check_size;
use crate::algorithms::{base64, hexadecimal};
use crate::bson::{Document, DocumentBuilder, MAX_MESSAGE_NESTING, Value, ValueRef};
use crate::env::Env;
use crate::error::Code;

/// How the operator takes its arguments.
pub const FORM: Form = named_lazy(&NAMES, evaluate);

const NAMES: Names = Names {
    names: &["input", "relaxed", "onError"],
    missing: &[9],
    not_object: 9,
    unknown: 9,
};

/// The first millisecond that a relaxed date may not have: one second before the year 3001.
const YEAR_3001: i64 = 32_535_216_000_000 - 1000;

fn evaluate<'v>(call: &'v Call, scope: &Scope<'v>) -> Result<Value<'v>> {
    let input = call.argument(0, scope)?;
    let relaxed = match call.argument(1, scope)?.as_ref() {
        ValueRef::Missing if !call.has(1) => true,
        ValueRef::Boolean(flag) => flag,
        other => {
            return Err(error(2, format!("Unexpected value for relaxed: {other}")));
        }
    };
    let mut writer = Writer {
        out: DocumentBuilder::new(),
        env: scope.env,
        relaxed,
    };
    let input = match input.as_ref() {
        ValueRef::Missing => return Ok(Value::NULL),
        input => input,
    };
    match writer.write("", input, 1) {
        Ok(()) => Ok(writer.out.finish().get("").to_value()),
        Err(failure) if failure.code == Code::ConversionFailure as i32 && call.has(2) => {
            call.argument(2, scope)
        }
        Err(failure) => Err(failure),
    }
}

struct Writer<'e> {
    out: DocumentBuilder,
    env: &'e dyn Env,
    relaxed: bool,
}

impl Writer<'_> {
    /// Appends `{key: value}`. This and the next give how many documents they put around the value.
    fn wrap(&mut self, name: &str, key: &str, value: ValueRef<'_>) -> usize {
        self.out.begin_document(name).append(key, value).end();
        1
    }

    /// Appends `{key: {first, second}}`.
    fn pair(&mut self, name: &str, key: &str, parts: [(&str, ValueRef<'_>); 2]) -> usize {
        self.out.begin_document(name).begin_document(key);
        for (name, value) in parts {
            self.out.append(name, value);
        }
        self.out.end().end();
        2
    }

    fn fields(&mut self, fields: Document<'_>, depth: usize) -> Result<usize> {
        for field in fields.iter() {
            self.write(field.name, field.value, depth + 1)?;
        }
        self.out.end();
        Ok(0)
    }

    fn write(&mut self, name: &str, value: ValueRef<'_>, depth: usize) -> Result<()> {
        use ValueRef as V;
        let relaxed = self.relaxed;
        let around = match value {
            V::Document(fields) => {
                self.out.begin_document(name);
                self.fields(fields, depth)?
            }
            V::Array(items) => {
                self.out.begin_array(name);
                self.fields(Document::from_valid_bytes(items.as_bytes()), depth)?
            }
            V::Double(number) if !number.is_finite() => {
                let text = to_text(value, self.env)?;
                self.wrap(name, "$numberDouble", text.as_ref())
            }
            V::Int32(_) | V::Int64(_) | V::Double(_) if relaxed => self.plain(name, value),
            V::Int32(_) | V::Int64(_) | V::Double(_) | V::Decimal128(_) | V::ObjectId(_) => {
                let key = match value {
                    V::Int32(_) => "$numberInt",
                    V::Int64(_) => "$numberLong",
                    V::Double(_) => "$numberDouble",
                    V::ObjectId(_) => "$oid",
                    _ => "$numberDecimal",
                };
                let text = to_text(value, self.env)?;
                self.wrap(name, key, text.as_ref())
            }
            V::MinKey => self.wrap(name, "$minKey", 1.into()),
            V::MaxKey => self.wrap(name, "$maxKey", 1.into()),
            V::Undefined => self.wrap(name, "$undefined", true.into()),
            V::Symbol(text) => self.wrap(name, "$symbol", text.into()),
            V::JavaScript(text) => self.wrap(name, "$code", text.into()),
            V::DateTime(millis) if relaxed && (0..YEAR_3001).contains(&millis) => {
                let text = to_text(value, self.env)?;
                self.wrap(name, "$date", text.as_ref())
            }
            V::DateTime(millis) => {
                let text = to_text(V::Int64(millis), self.env)?;
                self.out.begin_document(name);
                self.wrap("$date", "$numberLong", text.as_ref());
                self.out.end();
                2
            }
            V::Binary { subtype: 4, bytes } if bytes.len() == 16 => {
                let text = hexadecimal::uuid_text(bytes);
                self.wrap(name, "$uuid", text.as_str().into())
            }
            V::Binary { subtype, bytes } => {
                let mut text = String::new();
                base64::write(&mut text, bytes);
                let digits = hexadecimal::to_text(&[subtype]);
                let digits = digits.strip_prefix('0').unwrap_or(&digits);
                let parts = [("base64", text.as_str().into()), ("subType", digits.into())];
                self.pair(name, "$binary", parts)
            }
            V::Timestamp { time, increment } => {
                let part = |number: u32| V::Int64(number.into());
                self.pair(
                    name,
                    "$timestamp",
                    [("t", part(time)), ("i", part(increment))],
                )
            }
            V::Regex { pattern, options } => {
                let parts = [("pattern", pattern.into()), ("options", options.into())];
                self.pair(name, "$regularExpression", parts)
            }
            V::DbPointer { namespace, id } => {
                let id = hexadecimal::to_text(&id);
                let parts = [("$ref", namespace.into()), ("$id", id.as_str().into())];
                self.pair(name, "$dbPointer", parts)
            }
            V::JavaScriptWithScope { code, scope } => {
                self.out.begin_document(name);
                self.out.append("$code", code).begin_document("$scope");
                self.relaxed = false;
                self.fields(scope, depth + 1)?;
                self.relaxed = relaxed;
                self.out.end();
                1
            }
            plain => self.plain(name, plain),
        };
        if depth + around > MAX_MESSAGE_NESTING {
            return Err(failure(format!(
                "Result exceeds maximum depth limit of {MAX_MESSAGE_NESTING} levels of nesting"
            )));
        }
        check_size(self.out.len(), self.env)
    }

    fn plain(&mut self, name: &str, value: ValueRef<'_>) -> usize {
        self.out.append(name, value);
        0
    }
}

#[cfg(test)]
mod tests {
    use super::super::super::testing::{evaluates, fails};

    #[test]
    fn types_become_documents_and_values_again() {
        for (value, canonical, relaxed) in [
            ("5", "{$numberInt: '5'}", "5"),
            ("NumberLong(5)", "{$numberLong: '5'}", "NumberLong(5)"),
            ("1.0", "{$numberDouble: '1'}", "1.0"),
            ("NaN", "{$numberDouble: 'NaN'}", "{$numberDouble: 'NaN'}"),
            (
                "Decimal('1.50')",
                "{$numberDecimal: '1.50'}",
                "{$numberDecimal: '1.50'}",
            ),
            (
                "Date(1)",
                "{$date: {$numberLong: '1'}}",
                "{$date: '1970-01-01T00:00:00.001Z'}",
            ),
            (
                "Date(-1)",
                "{$date: {$numberLong: '-1'}}",
                "{$date: {$numberLong: '-1'}}",
            ),
            (
                "Binary('ab')",
                "{$binary: {base64: 'YWI=', subType: '0'}}",
                "{$binary: {base64: 'YWI=', subType: '0'}}",
            ),
            (
                "ObjectId('5f5e10000000000000000000')",
                "{$oid: '5f5e10000000000000000000'}",
                "{$oid: '5f5e10000000000000000000'}",
            ),
            (
                "[1, 'x', null]",
                "[{$numberInt: '1'}, 'x', null]",
                "[1, 'x', null]",
            ),
            ("{a: {b: true}}", "{a: {b: true}}", "{a: {b: true}}"),
        ] {
            for (result, is_relaxed) in [(canonical, false), (relaxed, true)] {
                let input = format!("{{$literal: {value}}}");
                evaluates(
                    &format!("{{$serializeEJSON: {{input: {input}, relaxed: {is_relaxed}}}}}"),
                    "{}",
                    result,
                );
                let back = format!("{{$deserializeEJSON: {{input: {{$literal: {result}}}}}}}");
                evaluates(&back, "{}", value);
            }
        }
        evaluates("{$serializeEJSON: {input: '$q'}}", "{}", "null");
        fails("{$serializeEJSON: {input: 1, relaxed: 1}}", "{}", 2);
        fails("{$serializeEJSON: {relaxed: true}}", "{}", 9);
        let deep = format!("{}1{}", "[".repeat(199), "]".repeat(199));
        let deep = |fields: &str| {
            format!("{{$serializeEJSON: {{input: {{$toArray: '{deep}'}}, {fields}}}}}")
        };
        evaluates(
            &format!("{{$isArray: {}}}", deep("relaxed: true")),
            "{}",
            "true",
        );
        fails(&deep("relaxed: false"), "{}", 241);
        evaluates(&deep("relaxed: false, onError: 7"), "{}", "7");
    }
}
