//! Values as the server prints them inside messages: `{ name: "x", n: 1.0 }`.
//!
//! For error messages and logs only: the text is not parsed back (Extended JSON is). Invariant: text, document and
//! array are each cut behind `MOST_BYTES`, so that no message takes many times the room of the value that it names.

use super::decimal128::Decimal;
use super::document::{Array, Document};
use super::stored_text::{Text, is_continuation};
use super::value::ValueRef;
use super::wording::Exact;
use crate::algorithms::hexadecimal;
use std::borrow::Cow;
use std::fmt::{self, Write};

/// How many bytes of a text, and how many items and fields of a container, are printed.
const MOST_BYTES: usize = 1 << 16;

impl fmt::Display for Document<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.is_empty() {
            return f.write_str("{}");
        }
        let mut separator = "{ ";
        let mut printed = 0;
        for element in self.iter() {
            f.write_str(separator)?;
            separator = ", ";
            if printed > MOST_BYTES {
                f.write_str(CUT)?;
                break;
            }
            printed += element.raw.len();
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
        let list = Document::from_valid_bytes(self.as_bytes());
        let mut printed = 0;
        for element in list.iter() {
            f.write_str(separator)?;
            separator = ", ";
            if printed > MOST_BYTES {
                f.write_str(CUT)?;
                break;
            }
            printed += element.raw.len();
            element.value.fmt(f)?;
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
                let shown = bytes.get(..MOST_BYTES).unwrap_or(bytes);
                hexadecimal::write_upper(&mut digits, shown);
                write!(f, "{digits}{})", cut(shown.len(), bytes.len()))
            }
            Self::ObjectId(id) => object_id(f, &id),
            Self::DateTime(millis) => write!(f, "new Date({millis})"),
            Self::Timestamp { time, increment } => write!(f, "Timestamp({time}, {increment})"),
            Self::Regex { pattern, options } => write!(f, "/{}/{options}", start_of(pattern)),
            Self::DbPointer { namespace, id } => {
                write!(f, "DBRef('{namespace}',")?;
                object_id(f, &id)?;
                f.write_char(')')
            }
            Self::JavaScript(code) => f.write_str(&start_of(code)),
            Self::JavaScriptWithScope { code, scope } => {
                write!(f, "CodeWScope( {}, {scope})", start_of(code))
            }
        }
    }
}

fn object_id(f: &mut fmt::Formatter<'_>, id: &[u8; 12]) -> fmt::Result {
    write!(f, "ObjectId('{}')", hexadecimal::to_text(id))
}

/// Stands for a part of a value that is left out.
const CUT: &str = "...";

fn cut(shown: usize, of: usize) -> &'static str {
    if shown < of { CUT } else { "" }
}

/// The beginning of a text that is printed.
fn start_of(text: Text<'_>) -> Cow<'_, str> {
    let bytes = text.as_bytes();
    let Some(start) = bytes.get(..MOST_BYTES) else {
        return text.lossy();
    };
    // A sign that the cut would go through is left out.
    let last = start.iter().rev().take(3);
    let begun = last.take_while(|byte| is_continuation(**byte)).count();
    let is_cut = bytes
        .get(MOST_BYTES)
        .is_some_and(|next| is_continuation(*next));
    let kept = start.len() - if is_cut { begun + 1 } else { 0 };
    Text(&start[..kept]).lossy()
}

fn quoted(f: &mut fmt::Formatter<'_>, text: Text<'_>) -> fmt::Result {
    f.write_char('"')?;
    let shown = start_of(text);
    for letter in shown.chars() {
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
    f.write_str(cut(text.len().min(MOST_BYTES), text.len()))?;
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

    #[test]
    fn long_values_are_cut() {
        let long = "\u{1}".repeat(5 * MOST_BYTES);
        let mut builder = DocumentBuilder::new();
        builder.begin_array("a");
        for position in 0..4 {
            builder.push_item(position, long.as_str());
        }
        builder.end();
        builder.append("b", long.as_str());
        let text = builder.finish().as_document().to_string();
        assert!(text.len() < 7 * MOST_BYTES, "{}", text.len());
        assert!(text.starts_with("{ a: [ \"\\u0001") && text.ends_with("...\", ... ], ... }"));
        let bytes = vec![0xAB; 3 * MOST_BYTES];
        let binary = ValueRef::Binary {
            subtype: 0,
            bytes: &bytes,
        };
        assert_eq!(
            binary.to_string().len(),
            "BinData(0, ...)".len() + 2 * MOST_BYTES
        );
    }
}
