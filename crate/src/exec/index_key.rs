//! Index keys turned back into documents.

use super::record::IndexKey;
use crate::bson::{DocumentBuf, DocumentBuilder, ValueRef};
use crate::error::CommandError;
use crate::keycode;

/// Decodes an index key into a flat document: one field a component, named by the key pattern.
///
/// # Errors
/// A malformed key (a broken invariant).
pub fn decode(key: IndexKey<'_>, fields: &[(String, bool)]) -> Result<DocumentBuf, CommandError> {
    let mut builder = DocumentBuilder::new();
    let mut decoder = keycode::Decoder::new(key.components, key.type_bits);
    for (name, descending) in fields {
        decoder.next_into(*descending, name, &mut builder)?;
    }
    Ok(builder.finish())
}

/// Decodes an index key into the part of the document it knows: `{"a.b": 1}` becomes `{a: {b: 1}}`.
///
/// # Errors
/// A malformed key (a broken invariant).
pub fn decode_nested(
    key: IndexKey<'_>,
    fields: &[(String, bool)],
) -> Result<DocumentBuf, CommandError> {
    let flat = decode(key, fields)?;
    if fields.iter().all(|(name, _)| !name.contains('.')) {
        return Ok(flat);
    }
    let values: Vec<(&str, ValueRef<'_>)> = flat
        .as_document()
        .iter()
        .map(|element| (element.name, element.value))
        .collect();
    let mut builder = DocumentBuilder::new();
    write_nested(&values, &mut builder);
    Ok(builder.finish())
}

fn write_nested(fields: &[(&str, ValueRef<'_>)], builder: &mut DocumentBuilder) {
    let mut written: Vec<&str> = Vec::new();
    for (path, value) in fields {
        let Some((head, _)) = path.split_once('.') else {
            builder.append(path, *value);
            continue;
        };
        if written.contains(&head) {
            continue;
        }
        written.push(head);
        let below: Vec<_> = fields
            .iter()
            .filter_map(|(path, value)| {
                let (first, rest) = path.split_once('.')?;
                (first == head).then_some((rest, *value))
            })
            .collect();
        builder.begin_document(head);
        write_nested(&below, builder);
        builder.end();
    }
}
