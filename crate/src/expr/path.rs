//! Field paths of expressions: `$a.b` over raw bytes.
//!
//! Follows the manual's "Field Paths" page. Invariant: unlike a query path, a number in a path is
//! a field name and never an array position, and an array inside an array is not entered.

use crate::bson::{Array, ArrayBuilder, BsonType, Document, MAX_MESSAGE_NESTING, Value, ValueRef};
use crate::error::CommandError;

/// A dotted path, cut into its field names. An empty path is the value it starts from.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct FieldPath {
    parts: Vec<Box<str>>,
}

impl FieldPath {
    /// Cuts a dotted path. Errors as MongoDB does for empty and `$`-prefixed names.
    pub fn parse(dotted: &str) -> Result<Self, CommandError> {
        if dotted.is_empty() {
            return Err(CommandError::location(
                40352,
                "FieldPath cannot be constructed with empty string",
            ));
        }
        if dotted.ends_with('.') {
            return Err(CommandError::location(
                40353,
                "FieldPath must not end with a '.'.",
            ));
        }
        let mut parts = Vec::new();
        for part in dotted.split('.') {
            check_field_name(part)?;
            parts.push(part.into());
        }
        if parts.len() > MAX_MESSAGE_NESTING {
            return Err(CommandError::new(
                crate::error::Code::Overflow,
                "FieldPath is too long",
            ));
        }
        Ok(Self { parts })
    }

    /// Refuses to write a value below documents as deep as a path may be.
    ///
    /// # Errors
    /// 5984700.
    pub fn check_written(&self) -> Result<(), CommandError> {
        match self.parts.len() < MAX_MESSAGE_NESTING {
            true => Ok(()),
            false => Err(CommandError::location(
                5_984_700,
                "Field path exceeds path length limit",
            )),
        }
    }

    /// A path of names that another path was made of.
    pub fn from_parts(parts: &[Box<str>]) -> Self {
        Self {
            parts: parts.to_vec(),
        }
    }

    /// The field names, outermost first.
    pub fn parts(&self) -> &[Box<str>] {
        &self.parts
    }

    pub fn is_empty(&self) -> bool {
        self.parts.is_empty()
    }

    /// The path with its dots.
    pub fn dotted(&self) -> String {
        self.parts.join(".")
    }

    /// The value at the path; arrays on the way give an array of the values of their documents.
    pub fn evaluate<'v>(&self, start: ValueRef<'v>) -> Value<'v> {
        walk(&self.parts, start)
    }

    /// The value below another along some names, as `evaluate` finds it.
    pub fn walk<'v>(parts: &[Box<str>], start: ValueRef<'v>) -> Value<'v> {
        walk(parts, start)
    }

    /// One end of the array that the names collect behind an array on their way; `None` without one.
    pub fn end_through_array<'v>(
        parts: &[Box<str>],
        start: ValueRef<'v>,
        last: bool,
    ) -> Option<Value<'v>> {
        let (mut value, mut rest) = (start, parts);
        loop {
            let (name, deeper) = rest.split_first()?;
            let array = match value {
                ValueRef::Document(document) => {
                    value = document.get(name);
                    rest = deeper;
                    continue;
                }
                ValueRef::Array(array) => array,
                _ => return None,
            };
            let mut found = Value::MISSING;
            for item in Document::from_valid_bytes(array.as_bytes()).raw_elements() {
                if item.kind != BsonType::Document {
                    continue;
                }
                let item = Document::from_valid_bytes(item.value_bytes);
                let below = walk(rest, ValueRef::Document(item));
                if !below.as_ref().is_missing() {
                    found = below;
                    if !last {
                        break;
                    }
                }
            }
            return Some(found);
        }
    }
}

/// Refuses a name that no field of a path or of an object expression may have.
pub fn check_field_name(name: &str) -> Result<(), CommandError> {
    if name.is_empty() {
        return Err(CommandError::location(
            15998,
            "FieldPath field names may not be empty strings.",
        ));
    }
    if name.starts_with('$') {
        return Err(CommandError::location(
            16410,
            format!(
                "FieldPath field names may not start with '$'. Consider using $getField or \
                 $setField. Found: '{name}'"
            ),
        ));
    }
    if name.contains('\0') {
        return Err(CommandError::location(
            16411,
            "FieldPath field names may not contain '\\0'.",
        ));
    }
    if name.contains('.') {
        return Err(CommandError::location(
            16412,
            "FieldPath field names may not contain '.'. Consider using $getField or $setField.",
        ));
    }
    Ok(())
}

fn walk<'v>(parts: &[Box<str>], start: ValueRef<'v>) -> Value<'v> {
    let (mut document, mut rest) = match (parts, start) {
        ([], start) => return Value::Borrowed(start),
        (_, ValueRef::Document(document)) => (document, parts),
        (_, ValueRef::Array(array)) => return Value::Array(collect(parts, array).finish()),
        _ => return Value::MISSING,
    };
    while let Some((name, deeper)) = rest.split_first() {
        let Some(found) = document.find_raw(name.as_bytes()) else {
            break;
        };
        match found.kind {
            _ if deeper.is_empty() => return Value::Borrowed(found.value()),
            BsonType::Document => document = Document::from_valid_bytes(found.value_bytes),
            BsonType::Array => {
                let array = Array::from_valid_bytes(found.value_bytes);
                return Value::Array(collect(deeper, array).finish());
            }
            _ => break,
        }
        rest = deeper;
    }
    Value::MISSING
}

fn collect(parts: &[Box<str>], array: Array<'_>) -> ArrayBuilder {
    let mut found = ArrayBuilder::new();
    for item in array.iter() {
        if let ValueRef::Document(document) = item {
            let value = walk(parts, ValueRef::Document(document));
            if !value.as_ref().is_missing() {
                found.push(value.as_ref());
            }
        }
    }
    found
}

/// The value at a path of a document, when no array lies on the way; `None` when one does.
pub fn plain_value<'v>(parts: &[Box<str>], document: Document<'v>) -> Option<ValueRef<'v>> {
    let mut value = ValueRef::Document(document);
    for name in parts {
        match value {
            ValueRef::Document(document) => value = document.get(name),
            ValueRef::Array(_) => return None,
            _ => return Some(ValueRef::Missing),
        }
    }
    Some(value)
}

#[cfg(test)]
mod tests {
    use super::super::testing::{evaluates, fails};

    #[test]
    fn collects_through_arrays_but_not_into_nested_ones() {
        evaluates("'$a.b'", "{a: {b: 1}}", "1");
        evaluates("'$a.b'", "{a: [{b: 1}, {c: 2}, 3, {b: null}]}", "[1, null]");
        evaluates("'$a.b'", "{a: [[{b: 1}], {b: 2}]}", "[2]");
        evaluates("'$a.0'", "{a: [5]}", "[]");
        evaluates("'$a.b.c'", "{a: [{b: [{c: 1}, {c: 2}]}]}", "[[1, 2]]");
        evaluates("'$a.b'", "{a: 5}", "missing");
        fails("'$a.'", "{}", 40353);
        fails("'$a..b'", "{}", 15998);
        fails("'$'", "{}", 16872);
    }
}
