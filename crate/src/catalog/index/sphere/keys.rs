//! The keys of a document in a `2dsphere` index: one for each cell that covers a geometry, with the values of the
//! index's other fields.
//!
//! Manual: core/indexes/index-types/geospatial/2dsphere. Invariant: of several fields with several values each
//! combination has a key.

use crate::bson::{Document, Value, ValueRef};
use crate::catalog::index::definition::IndexDefinition;
use crate::catalog::index::field::KeyField;
use crate::catalog::index::keys::KeySet;
use crate::catalog::index::paths::visit;
use crate::env::NoEnv;
use crate::error::CommandError;
use crate::geo::{Crs, Geometry, IndexLevels};

/// Generates a document's keys.
///
/// # Errors
/// 16755 for a value that is no geometry of the sphere.
pub(super) fn generate(
    definition: &IndexDefinition,
    levels: &IndexLevels,
    document: Document<'_>,
    keys: &mut KeySet,
) -> Result<(), CommandError> {
    let fields = &definition.fields;
    let mut columns: Vec<Vec<Value<'_>>> = Vec::with_capacity(fields.len());
    let mut has_geometry = levels.version == 1;
    for (position, field) in fields.iter().enumerate() {
        let mut found = Vec::new();
        let through = &mut |depth| keys.note_multikey(fields.len(), position, depth);
        visit(document.into(), &field.components, 0, through, &mut found);
        let is_geo = field.kind.is_geo();
        let (values, has_several) = match is_geo {
            true => {
                if levels.version > 1 && matches!(&*found, [value] if is_nothing(*value)) {
                    found.clear();
                }
                has_geometry |= !found.is_empty();
                cells(&found, levels, document)?
            }
            false => literals(&found),
        };
        if has_several {
            keys.note_multikey(fields.len(), position, field.components.len());
        }
        columns.push(values);
    }
    if !has_geometry {
        keys.clear();
        return Ok(());
    }
    combine(fields, &columns, keys)?;
    keys.finish();
    Ok(())
}

/// Whether a value counts as if the field were absent.
fn is_nothing(value: ValueRef<'_>) -> bool {
    match value {
        ValueRef::Null | ValueRef::Undefined => true,
        ValueRef::Document(fields) => fields.is_empty(),
        ValueRef::Array(items) => items.is_empty(),
        _ => false,
    }
}

/// The cells of geometries as keys hold them, and whether one geometry has several.
fn cells<'d>(
    found: &[ValueRef<'d>],
    levels: &IndexLevels,
    document: Document<'_>,
) -> Result<(Vec<Value<'d>>, bool), CommandError> {
    let refused = |reason: String| {
        CommandError::location(
            16755,
            format!("Can't extract geo keys: {document}  {reason}"),
        )
    };
    let mut keys = Vec::new();
    let mut has_several = false;
    for value in found {
        let mut geometry =
            Geometry::stored(*value, true, &NoEnv).map_err(|refusal| refused(refusal.message()))?;
        if geometry.crs() == Crs::StrictSphere {
            return Err(refused(
                "can't index geometry with strict winding order".to_owned(),
            ));
        }
        if levels.version == 1 && !geometry.is_simple() {
            return Err(refused(
                "given geometry can't be indexed in the old index format".to_owned(),
            ));
        }
        if !geometry.project(Crs::Sphere) {
            return Err(refused(format!(
                "can't project geometry into spherical CRS: {value}"
            )));
        }
        let cells = geometry.index_cells(levels, &NoEnv)?;
        has_several |= cells.len() > 1;
        keys.extend(cells.into_iter().map(|cell| match levels.version {
            3 => Value::from(cell.key()),
            _ => Value::from(cell.key_text()),
        }));
    }
    if keys.is_empty() {
        keys.push(Value::NULL);
    }
    Ok((keys, has_several))
}

/// The values of another field, and whether an array is among them.
fn literals<'d>(found: &[ValueRef<'d>]) -> (Vec<Value<'d>>, bool) {
    let mut values = Vec::with_capacity(found.len().max(1));
    let mut has_array = false;
    for value in found {
        match value {
            ValueRef::Array(items) => {
                has_array = true;
                let before = values.len();
                values.extend(items.iter().map(Value::Borrowed));
                if values.len() == before {
                    values.push(Value::Borrowed(ValueRef::Undefined));
                }
            }
            value => values.push(Value::Borrowed(*value)),
        }
    }
    if values.is_empty() {
        values.push(Value::NULL);
    }
    (values, has_array)
}

/// Makes a key of each combination of one value a field.
fn combine(
    fields: &[KeyField],
    columns: &[Vec<Value<'_>>],
    keys: &mut KeySet,
) -> Result<(), CommandError> {
    let mut at = vec![0; columns.len()];
    loop {
        let start = keys.begin_key();
        for ((field, column), at) in fields.iter().zip(columns).zip(&at) {
            if let Some(value) = column.get(*at) {
                keys.component(value.as_ref(), field.descending);
            }
        }
        keys.end_key(start);
        keys.check_size()?;
        // The last field runs fastest.
        let next = { at.iter_mut().zip(columns).rev() }.find_map(|(at, column)| {
            *at += 1;
            if *at == column.len() {
                *at = 0;
                return None;
            }
            Some(())
        });
        if next.is_none() {
            return Ok(());
        }
    }
}
