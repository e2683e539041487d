//! BSON to Extended JSON text.
//!
//! Follows the driver specification "Extended JSON". Invariant: canonical text read back gives the
//! same bytes; relaxed text gives the same values, with integers as their smallest type.

use super::wrapper::shown_bytes;
use crate::algorithms::{base64, hexadecimal};
use crate::bson::date;
use crate::bson::decimal128::Decimal;
use crate::bson::float;
use crate::bson::{Array, Document, ValueRef};

/// Which of the two formats to write.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Format {
    /// Every type is told by a wrapper.
    Canonical,
    /// Numbers and common dates as plain JSON.
    Relaxed,
}

/// The first millisecond of the year 10000, which relaxed dates do not reach.
const YEAR_10000: i64 = 253_402_300_800_000;

/// The text of a value.
pub fn to_string(value: ValueRef<'_>, format: Format) -> String {
    let mut out = String::new();
    write_value(&mut out, value, format);
    out
}

/// Appends a document.
pub fn write_document(out: &mut String, document: Document<'_>, format: Format) {
    out.push('{');
    for (position, element) in document.iter().enumerate() {
        if position > 0 {
            out.push(',');
        }
        write_string(out, element.name);
        out.push(':');
        write_value(out, element.value, format);
    }
    out.push('}');
}

fn write_array(out: &mut String, array: Array<'_>, format: Format) {
    out.push('[');
    for (position, item) in array.iter().enumerate() {
        if position > 0 {
            out.push(',');
        }
        write_value(out, item, format);
    }
    out.push(']');
}

/// Appends a JSON string, quoted and escaped.
pub fn write_string(out: &mut String, text: &str) {
    out.push('"');
    let mut start = 0;
    for (position, byte) in text.bytes().enumerate() {
        let escape = match byte {
            b'"' => "\\\"",
            b'\\' => "\\\\",
            b'\n' => "\\n",
            b'\r' => "\\r",
            b'\t' => "\\t",
            0x08 => "\\b",
            0x0C => "\\f",
            0..0x20 => "\\u00",
            _ => continue,
        };
        out.push_str(&text[start..position]);
        out.push_str(escape);
        if escape.len() == 4 {
            hexadecimal::write(out, &[byte]);
        }
        start = position + 1;
    }
    out.push_str(&text[start..]);
    out.push('"');
}

fn write_integer(out: &mut String, number: i64) {
    if number < 0 {
        out.push('-');
    }
    float::write_digits(out, u128::from(number.unsigned_abs()));
}

/// A double that reads back as a double: with a point or an exponent.
fn write_double(out: &mut String, number: f64) {
    let start = out.len();
    if number == 0.0 && number.is_sign_negative() {
        out.push('-');
    }
    float::write_double(out, number);
    if number.is_finite() && !out[start..].contains(['.', 'e']) {
        out.push_str(".0");
    }
}

/// Appends `{"name":"` or, without a quote, `{"name":`.
fn open(out: &mut String, name: &str, quote: bool) {
    out.push_str("{\"");
    out.push_str(name);
    out.push_str(if quote { "\":\"" } else { "\":" });
}

/// Appends a value. A missing one is written as null.
pub fn write_value(out: &mut String, value: ValueRef<'_>, format: Format) {
    let relaxed = format == Format::Relaxed;
    match value {
        ValueRef::Missing | ValueRef::Null => out.push_str("null"),
        ValueRef::MinKey => out.push_str("{\"$minKey\":1}"),
        ValueRef::MaxKey => out.push_str("{\"$maxKey\":1}"),
        ValueRef::Undefined => out.push_str("{\"$undefined\":true}"),
        ValueRef::Boolean(true) => out.push_str("true"),
        ValueRef::Boolean(false) => out.push_str("false"),
        ValueRef::Int32(number) if relaxed => write_integer(out, i64::from(number)),
        ValueRef::Int64(number) if relaxed => write_integer(out, number),
        ValueRef::Double(number) if relaxed && number.is_finite() => write_double(out, number),
        ValueRef::Int32(number) => {
            open(out, "$numberInt", true);
            write_integer(out, i64::from(number));
            out.push_str("\"}");
        }
        ValueRef::Int64(number) => {
            open(out, "$numberLong", true);
            write_integer(out, number);
            out.push_str("\"}");
        }
        ValueRef::Double(number) => {
            open(out, "$numberDouble", true);
            write_double(out, number);
            out.push_str("\"}");
        }
        ValueRef::Decimal128(number) => {
            open(out, "$numberDecimal", true);
            Decimal::from_bits(number).write(out);
            out.push_str("\"}");
        }
        ValueRef::String(text) => write_string(out, &text.lossy()),
        ValueRef::Document(document) => write_document(out, document, format),
        ValueRef::Array(array) => write_array(out, array, format),
        ValueRef::DateTime(millis) if relaxed && (0..YEAR_10000).contains(&millis) => {
            open(out, "$date", true);
            date::write_iso(out, millis);
            if millis % 1000 == 0 {
                out.truncate(out.len() - ".000Z".len());
                out.push('Z');
            }
            out.push_str("\"}");
        }
        ValueRef::DateTime(millis) => {
            open(out, "$date", false);
            write_value(out, ValueRef::Int64(millis), Format::Canonical);
            out.push('}');
        }
        other => write_rare(out, other, format),
    }
}

fn write_rare(out: &mut String, value: ValueRef<'_>, format: Format) {
    match value {
        ValueRef::ObjectId(id) => {
            open(out, "$oid", true);
            hexadecimal::write(out, &id);
            out.push('"');
        }
        ValueRef::Symbol(text) => {
            open(out, "$symbol", false);
            write_string(out, &text.lossy());
        }
        ValueRef::Binary { subtype, bytes } => {
            open(out, "$binary", false);
            open(out, "base64", true);
            base64::write(out, shown_bytes(subtype, bytes));
            out.push_str("\",\"subType\":\"");
            hexadecimal::write(out, &[subtype]);
            out.push_str("\"}");
        }
        ValueRef::Timestamp { time, increment } => {
            open(out, "$timestamp", false);
            open(out, "t", false);
            float::write_digits(out, u128::from(time));
            out.push_str(",\"i\":");
            float::write_digits(out, u128::from(increment));
            out.push('}');
        }
        ValueRef::Regex { pattern, options } => {
            open(out, "$regularExpression", false);
            open(out, "pattern", false);
            write_string(out, &pattern.lossy());
            out.push_str(",\"options\":");
            write_string(out, &options.lossy());
            out.push('}');
        }
        ValueRef::DbPointer { namespace, id } => {
            open(out, "$dbPointer", false);
            open(out, "$ref", false);
            write_string(out, &namespace.lossy());
            out.push_str(",\"$id\":");
            write_rare(out, ValueRef::ObjectId(id), format);
            out.push('}');
        }
        ValueRef::JavaScript(code) => {
            open(out, "$code", false);
            write_string(out, &code.lossy());
        }
        ValueRef::JavaScriptWithScope { code, scope } => {
            open(out, "$code", false);
            write_string(out, &code.lossy());
            out.push_str(",\"$scope\":");
            write_document(out, scope, format);
        }
        plain => return write_value(out, plain, format),
    }
    out.push('}');
}
