//! Values and documents with their strings replaced by labels. Index keys, sort keys and groups are made of these.
//!
//! Invariant: names of fields stay; strings and symbols become strings, labelled by their text with U+FFFD in the place
//! of bytes that are no UTF-8, as the server's library reads them; a value without either is borrowed as it is.

use crate::bson::{ArrayBuilder, Document, DocumentBuf, DocumentBuilder, Value, ValueRef};

/// Gives a string its label.
pub type Label<'l, E> = &'l mut dyn FnMut(&str) -> Result<String, E>;

/// Whether a collation matters in comparing such a value: strings, and the documents and arrays that may hold them.
pub fn is_collatable(value: ValueRef<'_>) -> bool {
    matches!(
        value,
        ValueRef::String(_) | ValueRef::Symbol(_) | ValueRef::Document(_) | ValueRef::Array(_)
    )
}

/// A value with labels in the place of its strings.
///
/// # Errors
/// Errors of labelling.
pub fn translate_value<'v, E>(value: ValueRef<'v>, label: Label<'_, E>) -> Result<Value<'v>, E> {
    translate_below(value, &[], label)
}

/// A path whose values stay as they are.
pub type KeptPath<'p> = &'p [Box<str>];

fn translate_below<'v, E>(
    value: ValueRef<'v>,
    kept: &[KeptPath<'_>],
    label: Label<'_, E>,
) -> Result<Value<'v>, E> {
    Ok(match value {
        _ if kept.iter().any(|path| path.is_empty()) => Value::Borrowed(value),
        ValueRef::String(text) | ValueRef::Symbol(text) => Value::from(label(&text.lossy())?),
        ValueRef::Document(document) => {
            Value::Document(translate_fields(document, &|_| true, kept, label)?)
        }
        ValueRef::Array(array) => {
            let mut items = ArrayBuilder::new();
            for item in array.iter() {
                items.push(translate_below(item, kept, label)?.as_ref());
            }
            Value::Array(items.finish())
        }
        other => Value::Borrowed(other),
    })
}

/// The fields of a document that `wanted` names, with labels in the place of their strings, but for those at the paths
/// that are kept.
///
/// # Errors
/// Errors of labelling.
pub fn translate_fields<E>(
    document: Document<'_>,
    wanted: &dyn Fn(&str) -> bool,
    kept: &[KeptPath<'_>],
    label: Label<'_, E>,
) -> Result<DocumentBuf, E> {
    let mut fields = DocumentBuilder::new();
    for element in document.iter().filter(|element| wanted(element.name)) {
        if is_collatable(element.value) {
            let paths = kept.iter().filter_map(|path| path.split_first());
            let below: Vec<KeptPath<'_>> = paths
                .filter(|(first, _)| ***first == *element.name)
                .map(|(_, rest)| rest)
                .collect();
            fields.append(
                element.name,
                translate_below(element.value, &below, label)?.as_ref(),
            );
        } else {
            fields.append_raw(element.raw);
        }
    }
    Ok(fields.finish())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::error::CommandError;

    #[test]
    fn strings_are_replaced_wherever_they_are() {
        let mut builder = DocumentBuilder::new();
        builder.append("a", "x").append("b", 1).append("c", "y");
        builder.begin_array("d").push_item(0, "z").push_item(1, 2);
        builder.begin_document("2").append("x", "w").end().end();
        let document = builder.finish();
        let translated = translate_fields::<CommandError>(
            document.as_document(),
            &|name| name != "c",
            &[],
            &mut |text| Ok(text.to_uppercase()),
        )
        .expect("nothing refuses it");
        assert_eq!(
            translated.as_document().to_string(),
            "{ a: \"X\", b: 1, d: [ \"Z\", 2, { x: \"W\" } ] }"
        );
    }
}
