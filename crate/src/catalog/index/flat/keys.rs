//! The keys of a document in a `2d` index: the hash of each of its points, and the other fields' values behind it.
//!
//! Manual: core/indexes/index-types/geospatial/2d. Invariant: several values of another field are one component, an
//! array of them.

use crate::bson::{ArrayBuilder, Document, Value, ValueRef};
use crate::catalog::index::definition::IndexDefinition;
use crate::catalog::index::keys::KeySet;
use crate::catalog::index::paths::visit;
use crate::error::CommandError;
use crate::geo::{Grid, GridCell};

/// Generates a document's keys.
///
/// # Errors
/// 13027 for a point outside of the index's region, and the codes of a value that is no point.
pub(super) fn generate(
    definition: &IndexDefinition,
    grid: &Grid,
    document: Document<'_>,
    keys: &mut KeySet,
) -> Result<(), CommandError> {
    let Some((point, others)) = definition.fields.split_first() else {
        return Ok(());
    };
    let mut found = Vec::new();
    visit(
        document.into(),
        &point.components,
        0,
        &mut |_| {},
        &mut found,
    );
    if found.is_empty() {
        return Ok(());
    }
    let mut behind = Vec::with_capacity(others.len());
    for (position, field) in others.iter().enumerate() {
        let mut values = Vec::new();
        visit(
            document.into(),
            &field.components,
            0,
            &mut |_| {},
            &mut values,
        );
        let value = stored(&values);
        // Such a key does not tell all about the document's own value.
        if matches!(value.as_ref(), ValueRef::Array(_)) || values.iter().any(is_array) {
            let fields = definition.fields.len();
            keys.note_multikey(fields, position + 1, field.components.len());
        }
        behind.push(value);
    }
    let mut push = |location: ValueRef<'_>| -> Result<(), CommandError> {
        let start = keys.begin_key();
        let hash = hash(grid, location, document)?.to_be_bytes();
        let hash = ValueRef::Binary {
            subtype: GridCell::SUBTYPE,
            bytes: &hash,
        };
        keys.component(hash, false);
        for (field, value) in others.iter().zip(&behind) {
            keys.component(value.as_ref(), field.descending);
        }
        keys.end_key(start);
        keys.check_size()
    };
    for value in found {
        let items = match value {
            ValueRef::Document(fields) => fields,
            ValueRef::Array(items) => Document::from_valid_bytes(items.as_bytes()),
            _ => continue,
        };
        // A pair begins with a number; what does not is a list of pairs.
        match items.iter().next() {
            None => {}
            Some(first) if first.value.as_number().is_some() => push(value)?,
            Some(_) => {
                for item in items.iter() {
                    match item.value {
                        ValueRef::Document(fields) if fields.is_empty() => {}
                        ValueRef::Array(items) if items.is_empty() => {}
                        ValueRef::Document(_) | ValueRef::Array(_) => push(item.value)?,
                        _ => {
                            return Err(CommandError::location(
                                16804,
                                "location object expected, location array not in correct format",
                            ));
                        }
                    }
                }
            }
        }
    }
    keys.finish();
    Ok(())
}

fn is_array(value: &ValueRef<'_>) -> bool {
    matches!(value, ValueRef::Array(_))
}

/// The component of another field's values.
fn stored<'d>(values: &[ValueRef<'d>]) -> Value<'d> {
    let mut items: Vec<ValueRef<'d>> = Vec::new();
    for value in values {
        match value {
            ValueRef::Array(array) => items.extend(array.iter()),
            value => items.push(*value),
        }
    }
    match items.as_slice() {
        [] => Value::NULL,
        [one] => Value::Borrowed(*one),
        _ => {
            let mut array = ArrayBuilder::new();
            for item in items {
                array.push(item);
            }
            Value::Array(array.finish())
        }
    }
}

/// The hash of a pair.
fn hash(grid: &Grid, pair: ValueRef<'_>, document: Document<'_>) -> Result<u64, CommandError> {
    let refused = |code, reason: String| {
        Err(CommandError::location(
            code,
            format!("{reason} :: caused by :: {document}"),
        ))
    };
    let fields = match pair {
        ValueRef::Document(fields) => fields,
        ValueRef::Array(items) => Document::from_valid_bytes(items.as_bytes()),
        _ => Document::EMPTY,
    };
    let mut numbers = fields.iter().map(|field| field.value);
    let (Some(x), Some(y)) = (numbers.next(), numbers.next()) else {
        return refused(13068, "geo field only has 1 element".to_owned());
    };
    let (Some(x), Some(y)) = (x.as_number(), y.as_number()) else {
        let reason = "geo values must be 'legacy coordinate pairs' for 2d indexes";
        return refused(13026, reason.to_owned());
    };
    match grid.hash(x.to_f64(), y.to_f64()) {
        Some(cell) => Ok(cell.range().0),
        None => refused(13027, grid.outside()),
    }
}
