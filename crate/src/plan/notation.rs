//! How explain prints values and intervals: `[5.0, inf.0]`, `("a", {})`.
//!
//! Follows the notation that the manual's explain results show. Doubles always show a point,
//! integers never do, so that the two can be told apart.

use super::interval::Interval;
use crate::algorithms::hexadecimal;
use crate::bson::{Array, Decimal, Document, ValueRef, float};
use std::fmt::Write;

/// Prints an interval: `[5, 9)`, or `(9, 5]` for a scan that reads the field downwards. Strings of an index with a
/// collation are printed as its keys hold them: `CollationKey(0x2a)`.
pub fn interval(interval: &Interval, descending: bool, is_collated: bool) -> String {
    let (low, high) = (interval.low.as_ref(), interval.high.as_ref());
    let (first, first_in, last, last_in) = if descending {
        (high, interval.high_inclusive, low, interval.low_inclusive)
    } else {
        (low, interval.low_inclusive, high, interval.high_inclusive)
    };
    let mut text = String::new();
    text.push(if first_in { '[' } else { '(' });
    let end = |end: ValueRef<'_>, text: &mut String| match end {
        ValueRef::String(label) if is_collated && !label.is_empty() => {
            text.push_str("CollationKey(0x");
            hexadecimal::write(text, label.as_bytes());
            text.push(')');
        }
        end => value(end, text),
    };
    end(first, &mut text);
    text.push_str(", ");
    end(last, &mut text);
    text.push(if last_in { ']' } else { ')' });
    text
}

/// Prints a document as `{ a: 1, b: "x" }`.
pub fn document(document: Document<'_>) -> String {
    let mut text = String::new();
    write_document(document, &mut text);
    text
}

fn write_document(document: Document<'_>, text: &mut String) {
    if document.is_empty() {
        text.push_str("{}");
        return;
    }
    text.push_str("{ ");
    for (position, element) in document.iter().enumerate() {
        if position > 0 {
            text.push_str(", ");
        }
        text.push_str(element.name);
        text.push_str(": ");
        value(element.value, text);
    }
    text.push_str(" }");
}

fn write_array(array: Array<'_>, text: &mut String) {
    if array.is_empty() {
        text.push_str("[]");
        return;
    }
    text.push_str("[ ");
    for (position, item) in array.iter().enumerate() {
        if position > 0 {
            text.push_str(", ");
        }
        value(item, text);
    }
    text.push_str(" ]");
}

/// Prints a value.
pub fn value(value: ValueRef<'_>, text: &mut String) {
    // Writing to a String cannot fail, so the results of write! are dropped.
    match value {
        ValueRef::Missing => text.push_str("EOO"),
        ValueRef::MinKey => text.push_str("MinKey"),
        ValueRef::MaxKey => text.push_str("MaxKey"),
        ValueRef::Undefined => text.push_str("undefined"),
        ValueRef::Null => text.push_str("null"),
        ValueRef::Boolean(flag) => text.push_str(if flag { "true" } else { "false" }),
        ValueRef::Int32(number) => drop(write!(text, "{number}")),
        ValueRef::Int64(number) => drop(write!(text, "{number}")),
        ValueRef::Double(number) => write_double(number, text),
        ValueRef::Decimal128(number) => Decimal::from_bits(number).write(text),
        ValueRef::String(content) | ValueRef::Symbol(content) => {
            text.push('"');
            text.push_str(&content.lossy());
            text.push('"');
        }
        ValueRef::Document(document) => write_document(document, text),
        ValueRef::Array(array) => write_array(array, text),
        ValueRef::Binary { subtype, bytes } => {
            let _ = write!(text, "BinData({subtype}, ");
            hexadecimal::write_upper(text, bytes);
            text.push(')');
        }
        ValueRef::ObjectId(id) => {
            text.push_str("ObjectId('");
            hexadecimal::write(text, &id);
            text.push_str("')");
        }
        ValueRef::DateTime(millis) => drop(write!(text, "new Date({millis})")),
        ValueRef::Timestamp { time, increment } => {
            let _ = write!(text, "Timestamp({time}, {increment})");
        }
        ValueRef::Regex { pattern, options } => drop(write!(text, "/{pattern}/{options}")),
        ValueRef::DbPointer { namespace, id } => {
            let _ = write!(text, "DBRef('{namespace}', ");
            hexadecimal::write(text, &id);
            text.push(')');
        }
        ValueRef::JavaScript(code) => text.push_str(&code.lossy()),
        ValueRef::JavaScriptWithScope { code, .. } => {
            let _ = write!(text, "CodeWScope( {code})");
        }
    }
}

fn write_double(number: f64, text: &mut String) {
    if number.is_nan() {
        text.push_str("nan.0");
    } else if number.is_infinite() {
        text.push_str(if number > 0.0 { "inf.0" } else { "-inf.0" });
    } else {
        if number == 0.0 && number.is_sign_negative() {
            text.push('-');
        }
        let start = text.len();
        float::write_double(text, number);
        if !text[start..].contains(['.', 'e']) {
            text.push_str(".0");
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bson::Text;
    use crate::bson::Value;

    #[test]
    fn doubles_always_show_a_point_or_an_exponent() {
        for (number, expected) in [
            (5.0, "5.0"),
            (-0.0, "-0.0"),
            (-2.5, "-2.5"),
            (1e20, "100000000000000000000.0"),
            (1e300, "1e+300"),
            (f64::NEG_INFINITY, "-inf.0"),
            (f64::NAN, "nan.0"),
        ] {
            let mut text = String::new();
            write_double(number, &mut text);
            assert_eq!(text, expected);
        }
    }

    #[test]
    fn prints_bounds_as_explain_does() {
        let bound = Interval::new(5.0.into(), false, f64::INFINITY.into(), true);
        assert_eq!(interval(&bound, false, false), "(5.0, inf.0]");
        assert_eq!(interval(&bound, true, false), "[inf.0, 5.0)");
        assert_eq!(interval(&Interval::full(), true, false), "[MaxKey, MinKey]");
        let text = Interval::new(
            Value::Borrowed(ValueRef::String(Text(b""))),
            true,
            Value::Borrowed(ValueRef::Document(Document::EMPTY)),
            false,
        );
        assert_eq!(interval(&text, false, false), r#"["", {})"#);
    }
}
