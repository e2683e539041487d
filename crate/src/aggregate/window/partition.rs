//! Documents read in, cut into partitions and sorted within each.
//!
//! Invariant: rows of a partition lie together, partitions by the order of their keys, rows by the
//! sort and then as they came in.

use super::super::memory::Usage;
use super::super::source::PipelineContext;
use super::super::stage::Stage;
use crate::bson::{DocumentBuf, Value, ValueRef, order};
use crate::collation::Collation;
use crate::error::{Code, CommandError};
use crate::expr::{Expression, FieldPath, Scope};
use crate::keycode::{self, TypeBits};
use crate::query::{SortPattern, SortScratch};
use std::ops::Range;

type Result<T> = std::result::Result<T, CommandError>;

/// One document.
pub struct Row {
    pub document: DocumentBuf,
    partition: Vec<u8>,
    /// The sort key, which is equal for rows of equal rank.
    pub key: Vec<u8>,
    /// The value of the only sort field; missing when there are several.
    pub sort: Value<'static>,
}

/// Reads a stage to its end.
///
/// # Errors
/// What the input and the expressions say, and the memory limit.
pub fn read(
    mut input: Box<dyn Stage>,
    by: Option<&Expression>,
    collation: &Collation,
    pattern: Option<&SortPattern>,
    stage: &str,
    cx: &mut PipelineContext<'_>,
) -> Result<Vec<Row>> {
    let mut rows = Vec::new();
    let mut usage = Usage::default();
    let mut scratch = SortScratch::default();
    let mut type_bits = TypeBits::new();
    let field = match pattern.map(SortPattern::parts) {
        Some([only]) => Some(FieldPath::parse(only.path.dotted())?),
        _ => None,
    };
    while input.advance(cx)? {
        let document = input.current();
        let mut row = Row {
            document: document.to_buf(),
            partition: Vec::new(),
            key: Vec::new(),
            sort: Value::MISSING,
        };
        if let Some(by) = by {
            let scope = Scope::of(ValueRef::Document(document), cx.env);
            let value = by.evaluate(&scope)?;
            let value = match value.as_ref() {
                ValueRef::Array(_) => {
                    return Err(CommandError::new(
                        Code::TypeMismatch,
                        "An expression used to partition cannot evaluate to value of type array",
                    ));
                }
                ValueRef::Missing => ValueRef::Null,
                value => value,
            };
            type_bits.clear();
            let key = collation.key_of(value);
            keycode::encode(key.as_ref(), false, &mut row.partition, &mut type_bits);
        }
        if let Some(pattern) = pattern {
            pattern.write_key(document, &mut scratch, &mut row.key)?;
        }
        if let Some(field) = &field {
            row.sort = field.evaluate(ValueRef::Document(document)).into_owned();
        }
        usage.add(document.as_bytes().len() + row.key.len() + 128, stage)?;
        rows.push(row);
    }
    order::sort_by(&mut rows, &mut |a: &Row, b: &Row| {
        a.partition
            .cmp(&b.partition)
            .then_with(|| a.key.cmp(&b.key))
    });
    Ok(rows)
}

/// The partitions of sorted rows.
pub fn partitions(rows: &[Row]) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    let mut start = 0;
    while let Some(first) = rows.get(start) {
        let length = rows[start..].partition_point(|row| row.partition == first.partition);
        found.push(start..start + length);
        start += length;
    }
    found
}
