//! Values as the server prints them inside messages: `{ name: "x", n: 1.0 }`.
//!
//! For error messages and logs only: the text is not parsed back (Extended JSON is).

use super::decimal128::Decimal;
use super::document::{Array, Document};
use super::value::ValueRef;
use super::wording::Exact;
use crate::algorithms::hexadecimal;
use std::fmt::{self, Write};

impl fmt::Display for Document<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.is_empty() {
            return f.write_str("{}");
        }
        let mut separator = "{ ";
        for element in self.iter() {
            f.write_str(separator)?;
            separator = ", ";
            f.write_str(element.name)?;
            f.write_str(": ")?;
            element.value.fmt(f)?;
        }
        f.write_str(" }")
    }
}

impl fmt::Display for Array<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.is_empty() {
            return f.write_str("[]");
        }
        let mut separator = "[ ";
        for item in self.iter() {
            f.write_str(separator)?;
            separator = ", ";
            item.fmt(f)?;
        }
        f.write_str(" ]")
    }
}

impl fmt::Display for ValueRef<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Self::Missing => f.write_str("missing"),
            Self::MinKey => f.write_str("MinKey"),
            Self::MaxKey => f.write_str("MaxKey"),
            Self::Undefined => f.write_str("undefined"),
            Self::Null => f.write_str("null"),
            Self::Boolean(flag) => f.write_str(if flag { "true" } else { "false" }),
            Self::Int32(number) => number.fmt(f),
            Self::Int64(number) => number.fmt(f),
            Self::Double(number) => Exact(number).fmt(f),
            Self::Decimal128(number) => Decimal::from_bits(number).fmt(f),
            Self::String(text) | Self::Symbol(text) => quoted(f, text),
            Self::Document(document) => document.fmt(f),
            Self::Array(array) => array.fmt(f),
            Self::Binary { subtype: 4, bytes } if bytes.len() == 16 => {
                write!(f, "UUID(\"{}\")", hexadecimal::uuid_text(bytes))
            }
            Self::Binary { subtype, bytes } => {
                write!(f, "BinData({subtype}, ")?;
                let mut digits = String::new();
                hexadecimal::write_upper(&mut digits, bytes);
                write!(f, "{digits})")
            }
            Self::ObjectId(id) => object_id(f, &id),
            Self::DateTime(millis) => write!(f, "new Date({millis})"),
            Self::Timestamp { time, increment } => write!(f, "Timestamp({time}, {increment})"),
            Self::Regex { pattern, options } => write!(f, "/{pattern}/{options}"),
            Self::DbPointer { namespace, id } => {
                write!(f, "DBRef('{namespace}',")?;
                object_id(f, &id)?;
                f.write_char(')')
            }
            Self::JavaScript(code) => f.write_str(code),
            Self::JavaScriptWithScope { code, scope } => write!(f, "CodeWScope( {code}, {scope})"),
        }
    }
}

fn object_id(f: &mut fmt::Formatter<'_>, id: &[u8; 12]) -> fmt::Result {
    write!(f, "ObjectId('{}')", hexadecimal::to_text(id))
}

fn quoted(f: &mut fmt::Formatter<'_>, text: &str) -> fmt::Result {
    f.write_char('"')?;
    for letter in text.chars() {
        match letter {
            '"' => f.write_str("\\\"")?,
            '\\' => f.write_str("\\\\")?,
            '\n' => f.write_str("\\n")?,
            '\r' => f.write_str("\\r")?,
            '\t' => f.write_str("\\t")?,
            control if control < ' ' => write!(f, "\\u{:04x}", u32::from(control))?,
            other => f.write_char(other)?,
        }
    }
    f.write_char('"')
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bson::DocumentBuilder;

    #[test]
    fn prints_as_the_server_does() {
        let mut builder = DocumentBuilder::new();
        builder
            .append("name", "a \"b\"")
            .append("n", 1.0)
            .append("i", 2);
        builder
            .append("d", ValueRef::DateTime(5))
            .append("id", ValueRef::ObjectId([0xab; 12]));
        builder.begin_document("e").end();
        builder
            .begin_array("list")
            .append("0", 1_i64)
            .append("1", ValueRef::Null)
            .end();
        let document = builder.finish();
        assert_eq!(
            document.as_document().to_string(),
            "{ name: \"a \\\"b\\\"\", n: 1.0, i: 2, d: new Date(5), \
             id: ObjectId('abababababababababababab'), e: {}, list: [ 1, null ] }"
        );
    }
}
