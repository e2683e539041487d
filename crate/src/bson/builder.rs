//! Owned documents and arrays, and the append-only writers that make them.
//!
//! Invariant: a finished buffer is valid BSON as long as the names appended hold no NUL byte;
//! a name is cut at its first NUL so that even then the bytes stay well-formed.

use super::document::{Array, Document};
use super::stored_text::Text;
use super::types::BsonType;
use super::value::ValueRef;

/// A document's owned bytes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DocumentBuf(Vec<u8>);

/// An array's owned bytes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ArrayBuf(Vec<u8>);

macro_rules! buffer {
    ($name:ident, $view:ident, $as_view:ident) => {
        impl $name {
            /// Takes bytes that are known to be valid.
            pub fn from_valid_bytes(bytes: Vec<u8>) -> Self {
                Self(bytes)
            }

            pub fn $as_view(&self) -> $view<'_> {
                $view::from_valid_bytes(&self.0)
            }

            pub fn as_bytes(&self) -> &[u8] {
                &self.0
            }

            pub fn into_bytes(self) -> Vec<u8> {
                self.0
            }
        }

        impl Default for $name {
            fn default() -> Self {
                Self(vec![5, 0, 0, 0, 0])
            }
        }
    };
}

buffer!(DocumentBuf, Document, as_document);
buffer!(ArrayBuf, Array, as_array);

impl DocumentBuf {
    /// The value of the first field of that name, or `Missing`.
    pub fn get(&self, name: &str) -> ValueRef<'_> {
        self.as_document().get(name)
    }
}

/// Writes a document field by field.
///
/// Nested documents and arrays are written in place: `begin_document` … `end`.
#[derive(Debug, Clone)]
pub struct DocumentBuilder {
    bytes: Vec<u8>,
    /// Where each open document within the outermost one starts, outermost first.
    open: Vec<usize>,
}

impl Default for DocumentBuilder {
    fn default() -> Self {
        Self::new()
    }
}

impl DocumentBuilder {
    pub fn new() -> Self {
        Self::with_buffer(Vec::new())
    }

    /// Reserves room for a document of about so many bytes.
    pub fn with_capacity(bytes: usize) -> Self {
        Self::with_buffer(Vec::with_capacity(bytes + 16))
    }

    /// Reuses a buffer's allocation; its content is dropped.
    pub fn with_buffer(mut buffer: Vec<u8>) -> Self {
        buffer.clear();
        buffer.extend_from_slice(&[0; 4]);
        Self {
            bytes: buffer,
            open: Vec::new(),
        }
    }

    /// Bytes written so far.
    pub fn len(&self) -> usize {
        self.bytes.len()
    }

    /// Whether no field was written to the outermost document.
    pub fn is_empty(&self) -> bool {
        self.bytes.len() == 4
    }

    /// Appends a field; a missing value appends nothing.
    pub fn append<'v>(&mut self, name: &str, value: impl Into<ValueRef<'v>>) -> &mut Self {
        self.append_value(name, value.into());
        self
    }

    fn append_value(&mut self, name: &str, value: ValueRef<'_>) {
        if value.is_missing() {
            return;
        }
        self.name(value.bson_type(), name);
        write_value(&mut self.bytes, value);
    }

    /// Appends an integer as the server's counters are: 32 bits wide when it fits, else 64.
    pub fn append_integer(&mut self, name: &str, number: i64) -> &mut Self {
        match i32::try_from(number) {
            Ok(small) => self.append(name, small),
            Err(_) => self.append(name, number),
        }
    }

    /// Appends an item to the open array, at the position the caller counts.
    pub fn push_item<'v>(&mut self, position: usize, value: impl Into<ValueRef<'v>>) -> &mut Self {
        let value = value.into();
        self.bytes.push(value.bson_type() as u8);
        write_position(&mut self.bytes, position);
        write_value(&mut self.bytes, value);
        self
    }

    /// Appends an element's bytes (type, name, value) as they are.
    pub fn append_raw(&mut self, element: &[u8]) -> &mut Self {
        extend(&mut self.bytes, element);
        self
    }

    /// Appends the elements that `write` puts at the end of the bytes: whole ones only.
    pub fn append_by(&mut self, write: impl FnOnce(&mut Vec<u8>)) -> &mut Self {
        write(&mut self.bytes);
        self
    }

    /// Appends all fields of a document.
    pub fn append_all(&mut self, document: Document<'_>) -> &mut Self {
        let bytes = document.as_bytes();
        if bytes.len() > 5 {
            extend(&mut self.bytes, &bytes[4..bytes.len() - 1]);
        }
        self
    }

    /// The bytes written since the buffer had that length.
    pub(super) fn written_since(&self, length: usize) -> &[u8] {
        self.bytes.get(length..).unwrap_or(&[])
    }

    /// Takes back the bytes written since the buffer had that length: whole elements only.
    pub(super) fn take_back(&mut self, length: usize) {
        self.bytes.truncate(length);
    }

    pub fn begin_document(&mut self, name: &str) -> &mut Self {
        self.begin(BsonType::Document, name)
    }

    pub fn begin_array(&mut self, name: &str) -> &mut Self {
        self.begin(BsonType::Array, name)
    }

    fn begin(&mut self, kind: BsonType, name: &str) -> &mut Self {
        self.name(kind, name);
        self.open.push(self.bytes.len());
        self.bytes.extend_from_slice(&[0; 4]);
        self
    }

    /// Ends the innermost open document or array.
    pub fn end(&mut self) -> &mut Self {
        if let Some(start) = self.open.pop() {
            self.close(start);
        }
        self
    }

    fn close(&mut self, start: usize) {
        self.bytes.push(0);
        write_length(&mut self.bytes, start);
    }

    fn name(&mut self, kind: BsonType, name: &str) {
        self.bytes.push(kind as u8);
        write_cstring(&mut self.bytes, name.as_bytes());
    }

    /// Ends everything open and gives the document.
    pub fn finish(mut self) -> DocumentBuf {
        while let Some(start) = self.open.pop() {
            self.close(start);
        }
        self.close(0);
        DocumentBuf(self.bytes)
    }
}

/// Writes an array item by item.
#[derive(Debug, Clone, Default)]
pub struct ArrayBuilder {
    document: DocumentBuilder,
    length: usize,
}

impl ArrayBuilder {
    pub fn new() -> Self {
        Self::default()
    }

    /// Begins with a copy of an array's items.
    pub fn from_array(array: Array<'_>) -> Self {
        let mut document = DocumentBuilder::new();
        document.append_all(Document::from_valid_bytes(array.as_bytes()));
        Self {
            document,
            length: array.len(),
        }
    }

    /// Appends an item; a missing value becomes null, as in a computed array.
    pub fn push<'v>(&mut self, value: impl Into<ValueRef<'v>>) -> &mut Self {
        let value = match value.into() {
            ValueRef::Missing => ValueRef::Null,
            other => other,
        };
        self.document.bytes.push(value.bson_type() as u8);
        write_position(&mut self.document.bytes, self.length);
        write_value(&mut self.document.bytes, value);
        self.length += 1;
        self
    }

    /// Lets `look` see the array as it is so far.
    pub fn lend<T>(&mut self, look: impl FnOnce(Array<'_>) -> T) -> T {
        let bytes = &mut self.document.bytes;
        bytes.push(0);
        write_length(bytes, 0);
        let seen = look(Array::from_valid_bytes(bytes));
        bytes.pop();
        seen
    }

    /// The number of items so far.
    pub fn len(&self) -> usize {
        self.length
    }

    pub fn is_empty(&self) -> bool {
        self.length == 0
    }

    /// Bytes written so far.
    pub fn byte_len(&self) -> usize {
        self.document.bytes.len()
    }

    pub fn finish(self) -> ArrayBuf {
        ArrayBuf(self.document.finish().into_bytes())
    }
}

/// Writes the length of a document that began there and is whole at its beginning, where four bytes are kept for it.
pub fn write_length(bytes: &mut [u8], start: usize) {
    let length = (bytes.len() - start) as u32;
    bytes[start..start + 4].copy_from_slice(&length.to_le_bytes());
}

/// Appends bytes, most often a few: leaving each copy to the host would take longer than copying some words, of which
/// those from the back may lie over those from the front.
pub fn extend(bytes: &mut Vec<u8>, from: &[u8]) {
    let start = bytes.len();
    match from.len() {
        4..8 => {
            if let (Some(front), Some(back)) = (from.first_chunk::<4>(), from.last_chunk::<4>()) {
                bytes.extend_from_slice(front);
                bytes.truncate(start + from.len() - 4);
                bytes.extend_from_slice(back);
            }
        }
        8..=16 => {
            if let (Some(front), Some(back)) = (from.first_chunk::<8>(), from.last_chunk::<8>()) {
                bytes.extend_from_slice(front);
                bytes.truncate(start + from.len() - 8);
                bytes.extend_from_slice(back);
            }
        }
        17..=32 => {
            if let (Some(front), Some(back)) = (from.first_chunk::<16>(), from.last_chunk::<16>()) {
                bytes.extend_from_slice(front);
                bytes.truncate(start + from.len() - 16);
                bytes.extend_from_slice(back);
            }
        }
        0..4 => {
            for byte in from {
                bytes.push(*byte);
            }
        }
        _ => bytes.extend_from_slice(from),
    }
}

/// Writes a position as an array's key, with its terminator.
fn write_position(bytes: &mut Vec<u8>, position: usize) {
    let mut digits = [0_u8; 20];
    let mut start = digits.len();
    let mut rest = position;
    loop {
        start -= 1;
        digits[start] = b'0' + (rest % 10) as u8;
        rest /= 10;
        if rest == 0 {
            break;
        }
    }
    bytes.extend_from_slice(&digits[start..]);
    bytes.push(0);
}

fn write_cstring(bytes: &mut Vec<u8>, text: &[u8]) {
    let end = text
        .iter()
        .position(|byte| *byte == 0)
        .unwrap_or(text.len());
    extend(bytes, &text[..end]);
    bytes.push(0);
}

fn write_counted(bytes: &mut Vec<u8>, text: Text<'_>) {
    bytes.extend_from_slice(&(text.len() as u32 + 1).to_le_bytes());
    extend(bytes, text.as_bytes());
    bytes.push(0);
}

/// Writes a value's bytes, without type and name.
pub fn write_value(bytes: &mut Vec<u8>, value: ValueRef<'_>) {
    match value {
        ValueRef::Missing
        | ValueRef::MinKey
        | ValueRef::MaxKey
        | ValueRef::Undefined
        | ValueRef::Null => {}
        ValueRef::Boolean(flag) => bytes.push(u8::from(flag)),
        ValueRef::Int32(number) => bytes.extend_from_slice(&number.to_le_bytes()),
        ValueRef::Int64(number) | ValueRef::DateTime(number) => {
            bytes.extend_from_slice(&number.to_le_bytes());
        }
        ValueRef::Double(number) => bytes.extend_from_slice(&number.to_le_bytes()),
        ValueRef::Decimal128(number) => bytes.extend_from_slice(&number.bytes()),
        ValueRef::String(text) | ValueRef::Symbol(text) | ValueRef::JavaScript(text) => {
            write_counted(bytes, text);
        }
        ValueRef::Document(document) => bytes.extend_from_slice(document.as_bytes()),
        ValueRef::Array(array) => bytes.extend_from_slice(array.as_bytes()),
        ValueRef::Binary {
            subtype,
            bytes: data,
        } => {
            bytes.extend_from_slice(&(data.len() as u32).to_le_bytes());
            bytes.push(subtype);
            bytes.extend_from_slice(data);
        }
        ValueRef::ObjectId(id) => bytes.extend_from_slice(&id),
        ValueRef::Timestamp { time, increment } => {
            bytes.extend_from_slice(&increment.to_le_bytes());
            bytes.extend_from_slice(&time.to_le_bytes());
        }
        ValueRef::Regex { pattern, options } => {
            write_cstring(bytes, pattern.as_bytes());
            write_cstring(bytes, options.as_bytes());
        }
        ValueRef::DbPointer { namespace, id } => {
            write_counted(bytes, namespace);
            bytes.extend_from_slice(&id);
        }
        ValueRef::JavaScriptWithScope { code, scope } => {
            let length = 4 + 5 + code.len() + scope.as_bytes().len();
            bytes.extend_from_slice(&(length as u32).to_le_bytes());
            write_counted(bytes, code);
            bytes.extend_from_slice(scope.as_bytes());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn appends_any_number_of_bytes() {
        let from: Vec<u8> = (1..100).collect();
        for length in 0..from.len() {
            let mut bytes = vec![200, 201, 202];
            extend(&mut bytes, &from[..length]);
            assert_eq!(bytes[..3], [200, 201, 202]);
            assert_eq!(bytes[3..], from[..length]);
        }
    }

    #[test]
    fn writes_what_the_views_read() {
        let mut builder = DocumentBuilder::new();
        builder
            .append("a", 1)
            .append("gone", ValueRef::Missing)
            .append("s", "text");
        builder.begin_document("d").append("x", 2.5).end();
        builder.begin_array("e").end();
        let mut items = ArrayBuilder::new();
        for number in 0..12 {
            items.push(number);
        }
        let items = items.finish();
        builder.append("items", &items);
        let document = builder.finish();
        assert!(super::super::validate(document.as_bytes()).is_ok());
        assert_eq!(document.get("s").as_str(), Some("text"));
        assert!(document.get("gone").is_missing());
        let nested = document.get("d").as_document().expect("d is a document");
        assert!(matches!(nested.get("x"), ValueRef::Double(number) if number == 2.5));
        let items = document.get("items").as_array().expect("items is an array");
        assert_eq!(items.len(), 12);
        assert_eq!(items.get(11).as_exact_i64(), Some(11));
        assert_eq!(document.as_document().len(), 5);
    }
}
