//! Strings of any bytes in tests that are written as Extended JSON, which can hold UTF-8 alone.
//!
//! Invariant: a sign from U+E000 to U+E0FF stands for the byte of its last two digits, wherever a value is a string or
//! made of some; names of fields stay.
#![allow(dead_code)]

use quire::bson::{Document, DocumentBuf, DocumentBuilder, Text, ValueRef};

/// The first sign that stands for a byte.
const FIRST: u32 = 0xE000;

/// A document with bytes in the place of the signs that stand for them.
pub fn with_bytes(document: Document<'_>) -> DocumentBuf {
    mapped(document, &|text| {
        let mut bytes = Vec::new();
        for sign in text.lossy().chars() {
            match u8::try_from(u32::from(sign).wrapping_sub(FIRST)) {
                Ok(byte) => bytes.push(byte),
                Err(_) => bytes.extend(sign.encode_utf8(&mut [0; 4]).bytes()),
            }
        }
        bytes
    })
}

/// A document with signs in the place of bytes that are no UTF-8.
pub fn with_signs(document: Document<'_>) -> DocumentBuf {
    mapped(document, &|text| {
        let mut signs = String::new();
        for chunk in text.as_bytes().utf8_chunks() {
            signs.push_str(chunk.valid());
            let invalid = chunk.invalid().iter();
            signs.extend(invalid.filter_map(|byte| char::from_u32(FIRST + u32::from(*byte))));
        }
        signs.into_bytes()
    })
}

fn mapped(document: Document<'_>, change: &dyn Fn(Text<'_>) -> Vec<u8>) -> DocumentBuf {
    let mut out = DocumentBuilder::new();
    for element in document.iter() {
        append(&mut out, element.name, element.value, change);
    }
    out.finish()
}

fn append(
    out: &mut DocumentBuilder,
    name: &str,
    value: ValueRef<'_>,
    change: &dyn Fn(Text<'_>) -> Vec<u8>,
) {
    match value {
        ValueRef::String(text) => out.append(name, Text(&change(text))),
        ValueRef::Symbol(text) => out.append(name, ValueRef::Symbol(Text(&change(text)))),
        ValueRef::JavaScript(code) => out.append(name, ValueRef::JavaScript(Text(&change(code)))),
        ValueRef::JavaScriptWithScope { code, scope } => {
            let (code, scope) = (change(code), mapped(scope, change));
            let (code, scope) = (Text(&code), scope.as_document());
            out.append(name, ValueRef::JavaScriptWithScope { code, scope })
        }
        ValueRef::DbPointer { namespace, id } => {
            let namespace = change(namespace);
            let namespace = Text(&namespace);
            out.append(name, ValueRef::DbPointer { namespace, id })
        }
        ValueRef::Regex { pattern, options } => {
            let (pattern, options) = (change(pattern), change(options));
            let (pattern, options) = (Text(&pattern), Text(&options));
            out.append(name, ValueRef::Regex { pattern, options })
        }
        ValueRef::Document(document) => out.append(name, &mapped(document, change)),
        ValueRef::Array(array) => {
            out.begin_array(name);
            for (position, item) in array.iter().enumerate() {
                append(out, &position.to_string(), item, change);
            }
            out.end()
        }
        other => out.append(name, other),
    };
}
