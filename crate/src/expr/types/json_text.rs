//! Values as JSON text, and documents and arrays from it: conversions of `$convert`.
//!
//! Follows the manual's "$convert" page: what JSON has no type for is written as `$toString` writes it. Invariant: a
//! text or a document that would be too large is refused with 241, so that `onError` can catch it.

use super::super::node::Result;
use super::conversion::{failure, to_text};
use crate::bson::extended_json::{parse_plain, write_string};
use crate::bson::{BsonType, Document, MAX_DOCUMENT_SIZE, Text, Value, ValueRef};
use crate::env::Env;

/// Refuses a converted value that is larger than a stored document may be.
///
/// # Errors
/// 241, and errors of `Env::checkpoint`.
pub fn check_size(bytes: usize, env: &dyn Env) -> Result<()> {
    match bytes > MAX_DOCUMENT_SIZE {
        true => Err(failure(format!(
            "Result exceeds maximum BSON size limit of {MAX_DOCUMENT_SIZE}"
        ))),
        false => env.checkpoint(),
    }
}

/// The text of a document or an array.
///
/// # Errors
/// Those of `check_size` and of a value that has no text.
pub fn write(value: ValueRef<'_>, env: &dyn Env) -> Result<String> {
    let mut out = String::new();
    write_value(&mut out, value, env)?;
    Ok(out)
}

fn write_value(out: &mut String, value: ValueRef<'_>, env: &dyn Env) -> Result<()> {
    let (fields, ends) = match value {
        ValueRef::Document(fields) => (fields, "{}"),
        ValueRef::Array(items) => (Document::from_valid_bytes(items.as_bytes()), "[]"),
        ValueRef::String(text) => {
            write_string(out, &text.lossy());
            return check_size(out.len(), env);
        }
        _ => {
            let is_plain = match value {
                ValueRef::Boolean(_) => true,
                value if value.is_nullish() => {
                    out.push_str("null");
                    return Ok(());
                }
                value => { value.as_number() }.is_some_and(|number| number.to_f64().is_finite()),
            };
            let text = to_text(value, env)?;
            match text.as_ref().as_text().map(Text::lossy) {
                Some(text) if is_plain => out.push_str(&text),
                Some(text) => write_string(out, &text),
                None => {}
            }
            return check_size(out.len(), env);
        }
    };
    out.push_str(&ends[..1]);
    for (position, field) in fields.iter().enumerate() {
        if position > 0 {
            out.push(',');
        }
        if ends == "{}" {
            write_string(out, field.name);
            out.push(':');
        }
        write_value(out, field.value, env)?;
    }
    out.push_str(&ends[1..]);
    Ok(())
}

/// The document or array of a text.
///
/// # Errors
/// 241 for a text that is no JSON, or JSON of another type, and those of `check_size`.
pub fn read(text: Text<'_>, to: BsonType, env: &dyn Env) -> Result<Value<'static>> {
    let refuse = |reason| failure(format!("Input doesn't represent valid JSON{reason}"));
    let text = text.to_str().ok_or_else(|| refuse(""))?;
    let value = parse_plain(text).map_err(|_| refuse(""))?;
    let bytes = match value.as_ref() {
        ValueRef::Document(fields) => fields.as_bytes().len(),
        ValueRef::Array(items) => items.as_bytes().len(),
        _ => return Err(refuse(": Unexpected standalone value")),
    };
    check_size(bytes, env)?;
    match value.as_ref().bson_type() == to {
        true => Ok(value),
        false => Err(failure(format!(
            "Input doesn't match expected type '{}'",
            to.alias()
        ))),
    }
}

#[cfg(test)]
mod tests {
    use super::super::super::testing::{evaluates, fails};

    #[test]
    fn documents_become_text_and_documents_again() {
        let given = "{a: [1, 2.5, 'q', null, true], b: {c: Date(0), d: Decimal('NaN')}}";
        let text =
            r#"'{"a":[1,2.5,"q",null,true],"b":{"c":"1970-01-01T00:00:00.000Z","d":"NaN"}}'"#;
        evaluates(&format!("{{$toString: {given}}}"), "{}", text);
        evaluates(
            &format!("{{$toObject: {text}}}"),
            "{}",
            "{a: [1, 2.5, 'q', null, true], b: {c: '1970-01-01T00:00:00.000Z', d: 'NaN'}}",
        );
        evaluates("{$toString: {$literal: []}}", "{}", "'[]'");
        evaluates(
            r#"{$toObject: '{"a":1,"b":2,"a":{"$numberLong":"3"}}'}"#,
            "{}",
            "{a: {$numberLong: '3'}, b: 2}",
        );
        fails(r#"{$toObject: '{"a":1,}'}"#, "{}", 241);
        fails("{$toObject: 'null'}", "{}", 241);
    }
}
